/* SPDX-License-Identifier: MIT */
/*
 * Boxes around what moves, over a span of time; see moving_boxes.h.
 *
 * A point p of a rigid body is at M p + o + s (M' p + o') at time middle + s, but for the rest of motion_span.h. A
 * vertex of a soft mesh runs on a line from P v to Q w, so that its place and velocity are in the boxes that follow
 * from those of v and w.
 *
 * Rounding: every sum has at most 8 terms of at most two factors, themselves with two roundings: 16 u of the sum of
 * magnitudes; 64 u of it are added. The environment is the default one.
 */
#include "motion/moving_boxes.h"

#include <math.h>

#include "base/bits.h"
#include "base/memory.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "pair/transformed_nodes.h"

static void include_point(grz_end_box *box, const double point[3])
{
    for (int k = 0; k < 3; k++)
    {
        box->lower[k] = fmin(box->lower[k], point[k]);
        box->upper[k] = fmax(box->upper[k], point[k]);
    }
}

static void include_box(grz_end_box *box, const grz_end_box *other)
{
    for (int k = 0; k < 3; k++) /* either may be empty */
    {
        box->lower[k] = fmin(box->lower[k], other->lower[k]);
        box->upper[k] = fmax(box->upper[k], other->upper[k]);
    }
}

static const grz_end_box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static grz_end_box box_of_leaf(const graze_tree *tree, const graze_mesh *mesh, uint32_t leaf)
{
    grz_end_box box = empty_box;
    const grz_leaf *l = &tree->leaves[leaf];
    for (uint32_t i = 0; i < l->count; i++)
        for (int corner = 0; corner < 3; corner++)
            include_point(
                &box, grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)tree->order[l->first + i] + (size_t)corner]));
    return box;
}

grz_end_box *grz_end_boxes_make(const graze_context *context, const graze_tree *tree, const graze_mesh *end_mesh)
{
    grz_end_box *boxes = grz_allocate(context, tree->node_count * GRZ_TREE_WIDTH + 1, sizeof *boxes);
    if (boxes == NULL)
        return NULL;
    grz_end_box whole = empty_box;
    for (size_t node = tree->node_count; node-- > 0;) /* children come after their parents */
    {
        whole = empty_box;
        for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
        {
            grz_end_box *box = &boxes[node * GRZ_TREE_WIDTH + (size_t)lane];
            uint32_t child = tree->nodes[node].children[lane];
            *box = empty_box;
            if (child == GRZ_NO_CHILD)
                continue;
            if ((child & GRZ_LEAF_FLAG) != 0)
                *box = box_of_leaf(tree, end_mesh, child & ~GRZ_LEAF_FLAG);
            else
                for (int k = 0; k < GRZ_TREE_WIDTH; k++)
                    include_box(box, &boxes[(size_t)child * GRZ_TREE_WIDTH + (size_t)k]);
            include_box(&whole, box);
        }
    }
    boxes[tree->node_count * GRZ_TREE_WIDTH] = whole;
    return boxes;
}

/* The box of a child in the mesh at the start. Tree coordinates are those of scaled vertices. */
static grz_end_box start_box(const grz_moving_side *side, uint32_t node, unsigned lane)
{
    const graze_tree *tree = side->tree;
    const grz_boxes8 *boxes = grz_child_boxes(tree, node);
    grz_end_box box;
    for (int k = 0; k < 3; k++)
    {
        double slack = 4 * GRZ_U * (fabs(tree->origin[k]) + tree->scale);
        double lower = tree->origin[k] + tree->scale * (double)boxes->lower[k][lane] - slack;
        double upper = tree->origin[k] + tree->scale * (double)boxes->upper[k][lane] + slack;
        box.lower[k] = grz_scale(lower, side->mesh->exponent) - 0x1p-1000;
        box.upper[k] = grz_scale(upper, side->mesh->exponent) + 0x1p-1000;
    }
    return box;
}

/* Centre and half size of a box, the latter with the error of both. */
static void centre_box(const grz_end_box *box, double centre[3], double half[3])
{
    for (int k = 0; k < 3; k++)
    {
        centre[k] = 0.5 * box->lower[k] + 0.5 * box->upper[k];
        half[k] = 0.5 * box->upper[k] - 0.5 * box->lower[k];
        half[k] += 8 * GRZ_U * (fabs(centre[k]) + half[k]);
    }
}

static void place_rigid(const grz_motion_span *span, const grz_end_box *box, grz_moving_box *out)
{
    double c[3], r[3], arm[3], bend = 0, sum = 0;
    centre_box(box, c, r);
    for (int k = 0; k < 3; k++)
    {
        arm[k] = fabs(c[k] - span->centre[k]) + r[k];
        sum += fabs(c[k]) + r[k];
    }
    /* shortcut: moving-boxes */
    bend = span->bend * grz_length_above(arm) * (1 + 16 * GRZ_U) + span->bend_offset;
    for (int k = 0; k < 3; k++)
    {
        double centre = span->offset[k], half = 0, speed = span->drift[k], spread = 0;
        double magnitude = fabs(span->offset[k]) + fabs(span->drift[k]);
        for (int j = 0; j < 3; j++)
        {
            double m = span->matrix[k][j], rate = span->rate[k][j];
            centre += m * c[j];
            half += fabs(m) * r[j];
            speed += rate * c[j];
            spread += fabs(rate) * r[j];
            magnitude += (fabs(m) + fabs(rate)) * (fabs(c[j]) + r[j]);
        }
        double rounding = 64 * GRZ_U * magnitude + 0x1p-960;
        out->centre[k] = centre;
        out->half[k] = (half + bend + span->error * sum + span->offset_error + rounding) * (1 + 16 * GRZ_U);
        out->speed[k] = speed;
        out->spread[k] = (spread + span->rate_error * sum + span->drift_error + rounding) * (1 + 16 * GRZ_U);
    }
}

/* The box of a placed box, as centre and half size. */
static void place_box(const graze_pose *pose, const grz_end_box *box, double centre[3], double half[3])
{
    double c[3], r[3];
    centre_box(box, c, r);
    for (int k = 0; k < 3; k++)
    {
        const double *row = pose->m + 4 * k;
        double magnitude = fabs(row[3]);
        centre[k] = row[3];
        half[k] = 0;
        for (int j = 0; j < 3; j++)
        {
            centre[k] += row[j] * c[j];
            half[k] += fabs(row[j]) * r[j];
            magnitude += fabs(row[j]) * (fabs(c[j]) + r[j]);
        }
        half[k] += 64 * GRZ_U * magnitude + 0x1p-960;
    }
}

static void place_soft(const grz_moving_side *side, const grz_end_box *start, const grz_end_box *end,
                       grz_moving_box *out)
{
    double t = side->span.middle, from[3], from_half[3], to[3], to_half[3];
    place_box(&side->start, start, from, from_half);
    place_box(&side->end, end, to, to_half);
    for (int k = 0; k < 3; k++)
    {
        /* shortcut: soft-boxes */
        double rounding = 16 * GRZ_U * (fabs(from[k]) + fabs(to[k]) + from_half[k] + to_half[k]);
        out->centre[k] = from[k] + t * (to[k] - from[k]);
        out->half[k] = (1 - t) * from_half[k] + t * to_half[k] + rounding;
        out->speed[k] = to[k] - from[k];
        out->spread[k] = from_half[k] + to_half[k] + rounding;
    }
}

static void place(const grz_moving_side *side, const grz_end_box *start, const grz_end_box *end, grz_moving_box *out)
{
    if (end != NULL)
        place_soft(side, start, end, out);
    else
        place_rigid(&side->span, start, out);
}

double grz_moving_rest(const grz_motion_span *span, const graze_mesh *mesh)
{
    double sum = 0, arm[3];
    for (int k = 0; k < 3; k++)
    {
        arm[k] = mesh->centre[k] - span->centre[k];
        sum += fmax(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
    }
    double reach = (mesh->radius + grz_length_above(arm)) * (1 + 0x1p-40);
    double errors = (span->error + span->half * span->rate_error) * sum;
    errors = 2 * (errors + span->offset_error + span->half * span->drift_error); /* more than the root of 3 */
    return (span->bend * reach + span->bend_offset + errors) * (1 + 0x1p-40);
}

double grz_moving_acceleration(const grz_motion_span *span, const graze_mesh *mesh)
{
    double arm[3];
    for (int k = 0; k < 3; k++)
        arm[k] = fmax(fabs(mesh->lower[k] - span->centre[k]), fabs(mesh->upper[k] - span->centre[k]));
    return 2 * (span->bend * grz_length_above(arm) + span->bend_offset) / (span->half * span->half) * (1 + 0x1p-40);
}

static void unbounded(grz_moving_box *out)
{
    for (int k = 0; k < 3; k++)
    {
        out->centre[k] = out->speed[k] = out->spread[k] = 0;
        out->half[k] = INFINITY;
    }
}

void grz_moving_box_of_child(const grz_moving_side *side, uint32_t node, unsigned lane, grz_moving_box *out)
{
    if (!side->known)
    {
        unbounded(out);
        return;
    }
    grz_end_box start = start_box(side, node, lane);
    const grz_end_box *end = NULL;
    if (side->end_boxes != NULL)
        end = &side->end_boxes[node == GRZ_ABOVE_ROOT ? side->tree->node_count * GRZ_TREE_WIDTH
                                                      : (size_t)node * GRZ_TREE_WIDTH + lane];
    place(side, &start, end, out);
}

void grz_moving_box_of_triangle(const grz_moving_side *side, uint32_t triangle, grz_moving_box *out)
{
    if (!side->known)
    {
        unbounded(out);
        return;
    }
    double lowest[3] = {INFINITY, INFINITY, INFINITY}, highest[3] = {-INFINITY, -INFINITY, -INFINITY};
    double slowest[3] = {INFINITY, INFINITY, INFINITY}, fastest[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int corner = 0; corner < 3; corner++)
    {
        grz_end_box start = empty_box, end = empty_box;
        uint32_t vertex = side->mesh->triangles[3 * (size_t)triangle + (size_t)corner];
        include_point(&start, grz_mesh_vertex(side->mesh, vertex));
        if (side->end_mesh != NULL)
            include_point(&end, grz_mesh_vertex(side->end_mesh, vertex));
        grz_moving_box box;
        place(side, &start, side->end_mesh != NULL ? &end : NULL, &box);
        for (int k = 0; k < 3; k++)
        {
            lowest[k] = fmin(lowest[k], box.centre[k] - box.half[k]);
            highest[k] = fmax(highest[k], box.centre[k] + box.half[k]);
            slowest[k] = fmin(slowest[k], box.speed[k] - box.spread[k]);
            fastest[k] = fmax(fastest[k], box.speed[k] + box.spread[k]);
        }
    }
    for (int k = 0; k < 3; k++)
    {
        double slack = 4 * GRZ_U * (fabs(lowest[k]) + fabs(highest[k]));
        double slow = 4 * GRZ_U * (fabs(slowest[k]) + fabs(fastest[k]));
        out->centre[k] = 0.5 * lowest[k] + 0.5 * highest[k];
        out->half[k] = 0.5 * highest[k] - 0.5 * lowest[k] + slack;
        out->speed[k] = 0.5 * slowest[k] + 0.5 * fastest[k];
        out->spread[k] = 0.5 * fastest[k] - 0.5 * slowest[k] + slow;
    }
}

bool grz_moving_boxes_part(const grz_moving_box *a, const grz_moving_box *b, double half, double margin)
{
    for (int k = 0; k < 3; k++)
    {
        /* shortcut: moving-boxes-part */
        double gap = fabs(a->centre[k] - b->centre[k]);
        double speed = fabs(a->speed[k] - b->speed[k]) + a->spread[k] + b->spread[k];
        double reach = (a->half[k] + b->half[k] + half * speed + margin) * (1 + 16 * GRZ_U);
        reach += 8 * GRZ_U * (fabs(a->centre[k]) + fabs(b->centre[k]) + half * (fabs(a->speed[k]) + fabs(b->speed[k])));
        if (gap > reach)
            return true;
    }
    return false;
}

double grz_moving_boxes_motion(const grz_moving_box *a, const grz_moving_box *b, double half)
{
    double motion = 0;
    for (int k = 0; k < 3; k++)
        motion = fmax(motion, fabs(a->speed[k] - b->speed[k]) + a->spread[k] + b->spread[k]);
    return half * motion;
}

double grz_moving_box_size(const grz_moving_box *box)
{
    return fmax(fmax(box->half[0], box->half[1]), box->half[2]);
}
