/* SPDX-License-Identifier: MIT */
/*
 * Checks certificates: meshes, motions, orders, the tree of cells and every plane (plane.h), exactly. The tree is
 * walked in preorder with a stack of cells that are still to come, since its depth may be anything.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/environment.h"
#include "certificate/certificate.h"
#include "certificate/plane.h"

/* What a cell stands for. */
typedef struct cell_range
{
    uint32_t first[2], end[2];
    grz_time_cell time;
} cell_range;

typedef struct verification
{
    const graze_context *context;
    const graze_certificate *certificate;
    const graze_mesh *meshes[2];
    grz_monitor *monitor;
    grz_plane_check check;
    GRZ_ARRAY(cell_range) stack;
    uint32_t *seen[2];     /* of each vertex: the last cell that listed it, plus 1 */
    uint32_t *vertices[2]; /* of the current ranges, each once */
    size_t vertex_counts[2];
    cell_range listed; /* the ranges of these lists */
    uint32_t list_number[2];
    graze_certificate_check *out;
} verification;

static bool refuse(verification *v, uint64_t cell, const char *text)
{
    v->out->valid = false;
    v->out->cell = cell;
    snprintf(v->out->text, sizeof v->out->text, "%s", text);
    return false;
}

static bool refuse_cell(verification *v, uint64_t cell, const char *what)
{
    v->out->valid = false;
    v->out->cell = cell;
    snprintf(v->out->text, sizeof v->out->text, "cell %llu %s", (unsigned long long)cell, what);
    return false;
}

/* Whether an order is a permutation; uses `seen` of the mesh's triangles. */
static graze_status check_order(verification *v, int side, bool *out_fine)
{
    const grz_certificate_side *it = &v->certificate->sides[side];
    bool *seen = grz_allocate_zeroed(v->context, it->triangle_count, sizeof *seen);
    if (seen == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    bool fine = true;
    for (size_t i = 0; i < it->triangle_count && fine; i++)
    {
        uint32_t triangle = it->order[i];
        fine = triangle < it->triangle_count && !seen[triangle];
        if (fine)
            seen[triangle] = true;
    }
    grz_release(v->context, seen);
    *out_fine = fine;
    return grz_monitor_work(v->monitor, it->triangle_count) ? GRAZE_STATUS_OK : grz_monitor_status(v->monitor);
}

static bool is_distance(double x)
{
    return isfinite(x) && x >= 0;
}

/* What comes before the cells. The result is false where it is refused, or on failure. */
static bool check_claim(verification *v, graze_status *status)
{
    const graze_certificate *certificate = v->certificate;
    char text[GRAZE_ERROR_TEXT_SIZE];
    if (!is_distance(certificate->clearance) || !is_distance(certificate->sides[0].deviation) ||
        !is_distance(certificate->sides[1].deviation))
        return refuse(v, GRAZE_NO_INDEX, "the clearance or a deviation is not a number from 0");
    for (int side = 0; side < 2; side++)
    {
        const char *flaw = grz_certificate_motion_flaw(&certificate->sides[side].motion);
        snprintf(text, sizeof text, "the motion of %s %s", side == 0 ? "a" : "b", flaw != NULL ? flaw : "");
        if (flaw != NULL)
            return refuse(v, GRAZE_NO_INDEX, text);
        unsigned char hash[32] = {0};
        if (!grz_mesh_hash(v->meshes[side], v->monitor, hash))
        {
            *status = grz_monitor_status(v->monitor);
            return false;
        }
        snprintf(text, sizeof text, "mesh %s is not the one that the certificate is about", side == 0 ? "a" : "b");
        if (graze_mesh_triangle_count(v->meshes[side]) != certificate->sides[side].triangle_count ||
            memcmp(hash, certificate->sides[side].hash, sizeof hash) != 0)
            return refuse(v, GRAZE_NO_INDEX, text);
        bool fine = false;
        *status = check_order(v, side, &fine);
        if (*status != GRAZE_STATUS_OK)
            return false;
        snprintf(text, sizeof text, "order_%s does not name every triangle once", side == 0 ? "a" : "b");
        if (!fine)
            return refuse(v, GRAZE_NO_INDEX, text);
    }
    return true;
}

/* The vertices of a range of triangles, each once. */
static grz_vertex_list list_vertices(verification *v, int side, const cell_range *range)
{
    const uint32_t *triangles = graze_mesh_triangles(v->meshes[side]), *order = v->certificate->sides[side].order;
    if (v->list_number[side] == 0 || v->listed.first[side] != range->first[side] ||
        v->listed.end[side] != range->end[side])
    {
        if (++v->list_number[side] == UINT32_MAX) /* numbers begin again */
        {
            memset(v->seen[side], 0, graze_mesh_vertex_count(v->meshes[side]) * sizeof(uint32_t));
            v->list_number[side] = 1;
        }
        size_t count = 0;
        for (uint32_t i = range->first[side]; i < range->end[side]; i++)
            for (int corner = 0; corner < 3; corner++)
            {
                uint32_t vertex = triangles[3 * (size_t)order[i] + (size_t)corner];
                if (v->seen[side][vertex] == v->list_number[side])
                    continue;
                v->seen[side][vertex] = v->list_number[side];
                v->vertices[side][count++] = vertex;
            }
        v->vertex_counts[side] = count;
        v->listed.first[side] = range->first[side];
        v->listed.end[side] = range->end[side];
    }
    return (grz_vertex_list){v->vertices[side], v->vertex_counts[side]};
}

static bool check_plane(verification *v, size_t number, const cell_range *range, graze_status *status)
{
    const grz_certificate_cell *cell = &v->certificate->cells.data[number];
    grz_vertex_list a = list_vertices(v, 0, range), b = list_vertices(v, 1, range);
    if (!grz_monitor_box_tests(v->monitor, a.count + b.count + 1))
    {
        *status = grz_monitor_status(v->monitor);
        return false;
    }
    grz_plane_verdict verdict = grz_plane_is_valid(&v->check, (grz_plane_frame)(cell->kind - GRZ_CELL_PLANE_WORLD),
                                                   range->time, cell->plane, a, b);
    if (verdict == GRZ_PLANE_UNDECIDED)
        *status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (verdict == GRZ_PLANE_VALID)
        return true;
    return refuse_cell(v, number, "is a plane that does not separate its triangles throughout its time");
}

/* Puts the two cells of a split on the stack, the first on top. */
static bool split(verification *v, size_t number, cell_range range, graze_status *status)
{
    const grz_certificate_cell *cell = &v->certificate->cells.data[number];
    cell_range halves[2] = {range, range};
    if (cell->kind == GRZ_CELL_SPLIT_TIME)
    {
        if (range.time.level == GRZ_MOST_HALVINGS)
            return refuse_cell(v, number, "halves an interval of time too often");
        for (unsigned half = 0; half < 2; half++)
            halves[half].time = (grz_time_cell){range.time.level + 1, 2 * range.time.index + half};
    }
    else
    {
        int side = cell->kind == GRZ_CELL_SPLIT_A ? 0 : 1;
        if (cell->split <= range.first[side] || cell->split >= range.end[side])
            return refuse_cell(v, number, "splits a range of triangles where it is not");
        halves[0].end[side] = halves[1].first[side] = cell->split;
    }
    if (!GRZ_PUSH(v->context, &v->stack, halves[1]) || !GRZ_PUSH(v->context, &v->stack, halves[0]))
    {
        *status = GRAZE_STATUS_OUT_OF_MEMORY;
        return false;
    }
    return true;
}

static bool check_cells(verification *v, graze_status *status)
{
    const graze_certificate *certificate = v->certificate;
    cell_range whole = {
        {0, 0},
        {(uint32_t)certificate->sides[0].triangle_count, (uint32_t)certificate->sides[1].triangle_count},
        {0, 0}};
    bool empty = whole.end[0] == 0 || whole.end[1] == 0;
    if (!empty && !GRZ_PUSH(v->context, &v->stack, whole))
    {
        *status = GRAZE_STATUS_OUT_OF_MEMORY;
        return false;
    }
    for (size_t i = 0; i < certificate->cells.count; i++)
    {
        if (v->stack.count == 0)
            return refuse_cell(v, i, "is left over: the proof is complete before it");
        cell_range range = v->stack.data[--v->stack.count];
        bool fine = certificate->cells.data[i].kind >= GRZ_CELL_PLANE_WORLD ? check_plane(v, i, &range, status)
                                                                            : split(v, i, range, status);
        if (!fine)
            return false;
        grz_monitor_progress(v->monitor, (double)i / (double)certificate->cells.count);
    }
    return v->stack.count == 0 || refuse(v, GRAZE_NO_INDEX, "cells are missing: part of the proof is not there");
}

static graze_status run(verification *v)
{
    graze_status status = GRAZE_STATUS_OK;
    for (int side = 0; side < 2; side++)
    {
        size_t count = graze_mesh_vertex_count(v->meshes[side]);
        v->seen[side] = grz_allocate_zeroed(v->context, count, sizeof(uint32_t));
        v->vertices[side] = grz_allocate(v->context, count, sizeof(uint32_t));
        if (v->seen[side] == NULL || v->vertices[side] == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    if (!check_claim(v, &status))
        return status;
    const grz_certificate_side *sides = v->certificate->sides;
    const graze_motion motions[2] = {sides[0].motion, sides[1].motion};
    const double terms[3] = {v->certificate->clearance, sides[0].deviation, sides[1].deviation};
    if (!grz_plane_check_open(v->context, v->meshes, motions, terms, &v->check))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (check_cells(v, &status))
    {
        v->out->valid = true;
        snprintf(v->out->text, sizeof v->out->text, "valid");
    }
    v->out->exact_checks = v->check.exact_checks;
    return status;
}

graze_status graze_certificate_verify(const graze_context *context, const graze_certificate *certificate,
                                      const graze_mesh *a, const graze_mesh *b, const graze_budget *budget,
                                      graze_certificate_check *out_check)
{
    if (certificate == NULL || a == NULL || b == NULL || out_check == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_certificate_check check = {.cell = GRAZE_NO_INDEX};
    grz_monitor monitor = grz_monitor_make(budget);
    grz_environment environment;
    grz_environment_enter_default(&environment);
    verification v = {.context = context,
                      .certificate = certificate,
                      .meshes = {a, b},
                      .monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL,
                      .out = &check};
    graze_status status = run(&v);
    grz_plane_check_close(&v.check);
    for (int side = 0; side < 2; side++)
    {
        grz_release(context, v.seen[side]);
        grz_release(context, v.vertices[side]);
    }
    grz_release(context, v.stack.data);
    grz_environment_leave_default(&environment);
    if (status == GRAZE_STATUS_OK)
        *out_check = check;
    return status;
}
