/* SPDX-License-Identifier: MIT */
/*
 * Moving points (Zachmann 1994, 2.8): vertices that run on lines against triangles that stand, which is linear, or
 * whose corners run on lines, which is a cubic (the quintic printed there is not needed); for soft meshes. To be
 * complete, edges against edges as well: with vertices alone a no would be unsound; and the meshes as they stand at the
 * start, where an edge may be within a face already.
 *
 * Checks before: boxes of the whole way of two triangles must overlap (the printed one, that the start or the end lies
 * in the triangle's box, loses points that pass it in between). A vertex that is certainly on the same side of a
 * triangle at both ends cannot have passed it if the triangle stands; its touching is not excluded by an end on the
 * plane, which counts for no side.
 *
 * Vertices are placed at both ends; where that takes a rounding, the corners are not those of the motion, and the
 * answer is a guess.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graze/exact.h"
#include "mesh/mesh.h"
#include "motion/method/method.h"

/* A triangle's corners at both ends, and the box of its way. */
typedef struct moving_triangle
{
    double corners[2][3][3], lower[3], upper[3];
} moving_triangle;

typedef struct way_search
{
    grz_motion_query *query;
    bool stands[2]; /* the body does not move */
    bool found;
    double lower, upper; /* of the earliest contact so far */
} way_search;

/* x + t without an error, as two doubles sum up (Knuth's two-sum). */
static bool is_exact_sum(double x, double t)
{
    double sum = x + t, part = sum - x, rest = (x - (sum - part)) + (t - part);
    return isfinite(sum) && fpclassify(rest) == FP_ZERO;
}

/* Places a vertex; false where that is not exact: a pose that turns or scales, or a sum that is rounded. */
static bool place_exactly(const graze_pose *pose, const double p[3], double out[3])
{
    bool exact = true;
    graze_pose_apply(pose, p, out);
    for (int k = 0; k < 3; k++)
    {
        for (int j = 0; j < 3; j++)
            exact = exact && !(fabs(pose->m[4 * k + j] - (j == k ? 1 : 0)) > 0);
        exact = exact && is_exact_sum(p[k], pose->m[4 * k + 3]);
        out[k] = exact ? p[k] + pose->m[4 * k + 3] : out[k];
    }
    return exact;
}

static bool place_triangles(const graze_moving_mesh *m, moving_triangle *out)
{
    const graze_mesh *end_mesh = m->end_mesh != NULL ? m->end_mesh : m->mesh;
    const graze_pose *end = m->motion.kind == GRAZE_MOTION_STILL ? &m->motion.start : &m->motion.end;
    bool exact = true;
    for (size_t i = 0; i < m->mesh->triangle_count; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            out[i].lower[k] = INFINITY;
            out[i].upper[k] = -INFINITY;
        }
        for (size_t c = 0; c < 3; c++)
        {
            uint32_t vertex = m->mesh->triangles[3 * i + c];
            exact = place_exactly(&m->motion.start, grz_mesh_vertex(m->mesh, vertex), out[i].corners[0][c]) && exact;
            exact = place_exactly(end, grz_mesh_vertex(end_mesh, vertex), out[i].corners[1][c]) && exact;
            for (int k = 0; k < 3; k++)
            {
                double p = out[i].corners[0][c][k], q = out[i].corners[1][c][k];
                out[i].lower[k] = fmin(out[i].lower[k], fmin(p, q));
                out[i].upper[k] = fmax(out[i].upper[k], fmax(p, q));
            }
        }
    }
    return exact;
}

static graze_status take(way_search *s, graze_status status, const graze_impact_interval *when)
{
    s->query->answer.counters.features++;
    if (status == GRAZE_STATUS_OK && when->verdict == GRAZE_IMPACT_AT)
    {
        s->lower = s->found ? fmin(s->lower, when->lower) : when->lower;
        s->upper = s->found ? fmin(s->upper, when->upper) : when->upper;
        s->found = true;
    }
    return status;
}

/* Corners of a against the face b. */
static graze_status test_vertices(way_search *s, const moving_triangle *a, const moving_triangle *b, bool b_stands)
{
    graze_status status = GRAZE_STATUS_OK;
    for (int c = 0; c < 3 && status == GRAZE_STATUS_OK; c++)
    {
        if (b_stands)
        {
            /* shortcut: same-side-of-a-triangle-that-stands */
            int side = graze_point_orient3d(b->corners[0][0], b->corners[0][1], b->corners[0][2], a->corners[0][c]);
            if (side != 0 &&
                side == graze_point_orient3d(b->corners[0][0], b->corners[0][1], b->corners[0][2], a->corners[1][c]))
                continue;
        }
        double vertex[2][3], face[2][3][3];
        graze_impact_interval when;
        for (int end = 0; end < 2; end++)
            memcpy(vertex[end], a->corners[end][c], sizeof vertex[end]);
        memcpy(face, b->corners, sizeof face);
        status =
            take(s, graze_vertex_face_impact((const double(*)[3])vertex, (const double(*)[3][3])face, &when), &when);
    }
    return status;
}

static graze_status test_edges(way_search *s, const moving_triangle *a, const moving_triangle *b)
{
    graze_status status = GRAZE_STATUS_OK;
    for (int e = 0; e < 9 && status == GRAZE_STATUS_OK; e++)
    {
        double p[2][2][3], q[2][2][3];
        graze_impact_interval when;
        for (int end = 0; end < 2; end++)
            for (int side = 0; side < 2; side++)
            {
                memcpy(p[end][side], a->corners[end][(e / 3 + side) % 3], sizeof p[end][side]);
                memcpy(q[end][side], b->corners[end][(e % 3 + side) % 3], sizeof q[end][side]);
            }
        status = take(s, graze_edge_edge_impact((const double(*)[2][3])p, (const double(*)[2][3])q, &when), &when);
    }
    return status;
}

static graze_status test_pair(way_search *s, const moving_triangle *a, const moving_triangle *b)
{
    for (int k = 0; k < 3; k++)
        if (a->lower[k] > b->upper[k] || b->lower[k] > a->upper[k])
            return GRAZE_STATUS_OK;
    s->query->answer.counters.boxes++;
    if (!grz_motion_query_step(s->query))
        return grz_monitor_status(&s->query->monitor);
    graze_status status = test_vertices(s, a, b, s->stands[1]);
    if (status == GRAZE_STATUS_OK)
        status = test_vertices(s, b, a, s->stands[0]);
    return status == GRAZE_STATUS_OK ? test_edges(s, a, b) : status;
}

static int by_lower_x(const void *a, const void *b)
{
    double x = ((const moving_triangle *)a)->lower[0], y = ((const moving_triangle *)b)->lower[0];
    return x < y ? -1 : x > y;
}

/* Boxes by their lower ends along x: each meets those that begin before it ends. */
static graze_status sweep_triangles(way_search *s, moving_triangle *a, size_t a_count, moving_triangle *b,
                                    size_t b_count)
{
    graze_status status = GRAZE_STATUS_OK;
    qsort(a, a_count, sizeof *a, by_lower_x);
    qsort(b, b_count, sizeof *b, by_lower_x);
    for (size_t i = 0, j = 0; i < a_count && j < b_count && status == GRAZE_STATUS_OK;)
    {
        if (a[i].lower[0] <= b[j].lower[0])
        {
            for (size_t k = j; k < b_count && b[k].lower[0] <= a[i].upper[0] && status == GRAZE_STATUS_OK; k++)
                status = test_pair(s, &a[i], &b[k]);
            i++;
            continue;
        }
        for (size_t k = i; k < a_count && a[k].lower[0] <= b[j].upper[0] && status == GRAZE_STATUS_OK; k++)
            status = test_pair(s, &a[k], &b[j]);
        j++;
    }
    return status;
}

static bool does_not_move(const graze_moving_mesh *m)
{
    return m->motion.kind == GRAZE_MOTION_STILL && m->end_mesh == NULL;
}

static graze_status meet_at_start(const grz_moving_meshes *m, bool *out_meet)
{
    const graze_placed_mesh a = {m->a.mesh, m->tree_a, m->a.motion.start},
                            b = {m->b.mesh, m->tree_b, m->b.motion.start};
    return graze_pair_any(m->context, &a, &b, NULL, out_meet, NULL);
}

static graze_status run_points(grz_motion_query *query)
{
    const grz_moving_meshes *m = query->meshes;
    size_t a_count = m->a.mesh->triangle_count, b_count = m->b.mesh->triangle_count;
    moving_triangle *a = grz_allocate(m->context, a_count, sizeof *a);
    moving_triangle *b = a != NULL ? grz_allocate(m->context, b_count, sizeof *b) : NULL;
    way_search search = {.query = query, .stands = {does_not_move(&m->a), does_not_move(&m->b)}};
    graze_status status = b != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    bool exact = false;
    if (status == GRAZE_STATUS_OK)
        status = meet_at_start(m, &search.found);
    if (status == GRAZE_STATUS_OK && search.found)
        exact = true; /* at 0, of the real poses */
    else if (status == GRAZE_STATUS_OK)
    {
        exact = place_triangles(&m->a, a);
        exact = place_triangles(&m->b, b) && exact;
        status = sweep_triangles(&search, a, a_count, b, b_count);
    }
    grz_release(m->context, a);
    grz_release(m->context, b);
    if (status == GRAZE_STATUS_NOT_FINITE) /* a corner beyond all doubles */
        return GRAZE_STATUS_OK;
    if (status != GRAZE_STATUS_OK)
        return status;
    const graze_impact_verdict said = search.found ? GRAZE_IMPACT_AT : GRAZE_IMPACT_NONE;
    query->answer.guess = said;
    if (!exact)
        return GRAZE_STATUS_OK;
    query->answer.verdict = said;
    query->answer.lower = search.lower;
    query->answer.upper = search.upper;
    return GRAZE_STATUS_OK;
}

const grz_motion_method grz_moving_points_method = {
    .info = {.name = "moving-points",
             .summary = "vertices against faces and edges against edges, all on lines, by their cubics",
             .source = "000 2.8",
             .guarantee = GRAZE_METHOD_EXACT,
             .soft = true},
    .run = run_points,
};
