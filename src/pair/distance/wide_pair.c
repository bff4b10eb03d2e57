/* SPDX-License-Identifier: MIT */
/*
 * Two triangles are two convex polytopes of three vertices, so src/convex measures them in twice the precision, with
 * certified bounds; integers take ten times as long. They remain for what is out of its range, and for triangles of
 * which it finds no separating plane: degenerate ones, and such as nearly meet.
 */
#include "pair/distance/wide_pair.h"

#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "convex/wide_distance.h"
#include "math/vector.h"
#include "mesh/mesh.h"

#define NARROW 0x1p-36      /* of the distance */
#define SHORTEST 0x1p-500   /* distance */
#define LEAST_SHARE 0x1p-30 /* below it, a corner has no share in a point, for the start of the search */

enum
{
    MOST_CORNERS = 16 /* of many triangles together */
};

typedef struct triangle_body
{
    double corners[3][3];
    grz_convex_body body;
} triangle_body;

static void make_body(const graze_mesh *mesh, const graze_pose *pose, uint32_t triangle, triangle_body *out)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    for (int c = 0; c < 3; c++)
        memcpy(out->corners[c], grz_mesh_vertex(mesh, corners[c]), sizeof out->corners[c]);
    out->body = (grz_convex_body){
        .kind = GRZ_CONVEX_POLYTOPE, .vertices = (const double(*)[3])out->corners, .vertex_count = 3, .pose = *pose};
}

/* The corners of a triangle around a point of it: those with a share in the point. */
typedef struct feature
{
    int count;
    uint32_t corners[3];
    double shares[3];
    bool outside; /* the point is beside the triangle */
} feature;

static feature feature_of(const triangle_body *t, const graze_pose *shifted, v3 point)
{
    const double *m = shifted->m;
    v3 c[3];
    for (int i = 0; i < 3; i++)
    {
        const double *v = t->corners[i];
        c[i] = v3_make(m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + m[3], m[4] * v[0] + m[5] * v[1] + m[6] * v[2] + m[7],
                       m[8] * v[0] + m[9] * v[1] + m[10] * v[2] + m[11]);
    }
    v3 e = v3_sub(c[1], c[0]), g = v3_sub(c[2], c[0]), r = v3_sub(point, c[0]);
    double ee = v3_dot(e, e), eg = v3_dot(e, g), gg = v3_dot(g, g), re = v3_dot(r, e), rg = v3_dot(r, g);
    double det = ee * gg - eg * eg, inverse = det > 0 ? 1 / det : 0;
    double second = (gg * re - eg * rg) * inverse, third = (ee * rg - eg * re) * inverse;
    const double shares[3] = {1 - second - third, second, third};
    feature f = {.count = 0};
    for (uint32_t i = 0; i < 3; i++)
        f.outside = f.outside || shares[i] < -LEAST_SHARE;
    for (uint32_t i = 0; i < 3; i++)
        if (shares[i] > LEAST_SHARE)
        {
            f.corners[f.count] = i;
            f.shares[f.count++] = shares[i];
        }
    f.count = f.count > 0 ? f.count : 1; /* corner 0 */
    return f;
}

/* Pairs of corners between which the points lie, by which the search ends with its first step where they are right. Any
   are allowed. */
static int choose_start(const feature *a, const feature *b, uint32_t start[3][2])
{
    int count = 0;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count && count < 3; k++)
        {
            /* Of two edges' four differences, a parallelogram, the three around the point. */
            bool beyond = a->count == 2 && b->count == 2 && a->shares[1] + b->shares[1] > 1;
            if (a->count == 2 && b->count == 2 && i == k && (i == 0) == beyond)
                continue;
            start[count][0] = a->corners[i];
            start[count++][1] = b->corners[k];
        }
    return count;
}

static bool is_narrow(const grz_wide_distance *wide)
{
    return wide->upper - wide->lower <= NARROW * wide->upper && wide->lower > SHORTEST;
}

static void set_measured(const grz_wide_distance *wide, grz_closest_pair *gap, grz_wide_plane *out_plane)
{
    gap->meet = gap->open = gap->shifted = false;
    gap->lower = wide->lower;
    gap->upper = wide->upper;
    gap->distance = 0.5 * wide->lower + 0.5 * wide->upper;
    memcpy(gap->point_a, wide->points[0], sizeof gap->point_a);
    memcpy(gap->point_b, wide->points[1], sizeof gap->point_b);
    if (out_plane != NULL)
    {
        memcpy(out_plane->normal, wide->normal, sizeof out_plane->normal);
        out_plane->known = true;
    }
}

/* Pairs of corners of two triangles from which to start, by their points in doubles, and whether one is beside its
   triangle. */
static int find_start(const grz_measure_frame *frame, const grz_closest_pair *gap, triangle_body bodies[2],
                      uint32_t start[3][2], bool *out_beside)
{
    make_body(frame->mesh_a, &frame->pose_a, gap->triangle_a, &bodies[0]);
    make_body(frame->mesh_b, &frame->pose_b, gap->triangle_b, &bodies[1]);
    feature of_a = feature_of(&bodies[0], &frame->shifted_a, v3_load(gap->point_a));
    feature of_b = feature_of(&bodies[1], &frame->shifted_b, v3_load(gap->point_b));
    *out_beside = of_a.outside || of_b.outside;
    return choose_start(&of_a, &of_b, start);
}

/* In the default floating-point environment. */
static bool measure(const grz_measure_frame *frame, const grz_closest_pair *gap, grz_wide_distance *out)
{
    triangle_body bodies[2];
    uint32_t start[3][2] = {{0, 0}};
    bool beside;
    int count = find_start(frame, gap, bodies, start, &beside);
    return grz_convex_wide_distance(&bodies[0].body, &bodies[1].body, (const uint32_t(*)[2])start, count, out) &&
           is_narrow(out);
}

bool grz_measure_widely(const grz_measure_frame *frame, grz_closest_pair *gap, grz_wide_plane *out_plane)
{
    grz_wide_distance wide;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    /* shortcut: distance-in-wide-doubles */
    bool done = measure(frame, gap, &wide);
    if (done)
        set_measured(&wide, gap, out_plane);
    grz_environment_leave_default(&environment);
    return done;
}

/* ---- many pairs at once ---- */

/* The triangles of one mesh and their corners, each place once. */
typedef struct corner_set
{
    size_t count, triangle_count;
    double corners[MOST_CORNERS][3];
    uint32_t triangles[GRZ_PAIRS_TOGETHER];
    uint32_t own[GRZ_PAIRS_TOGETHER][3]; /* corners of each triangle */
    size_t of_pairs[GRZ_PAIRS_TOGETHER]; /* which triangle each pair has */
} corner_set;

/* By bits; comparing memory takes a call. */
static bool is_same_place(const double p[3], const double q[3])
{
    uint64_t of_p[3], of_q[3];
    memcpy(of_p, p, sizeof of_p);
    memcpy(of_q, q, sizeof of_q);
    return of_p[0] == of_q[0] && of_p[1] == of_q[1] && of_p[2] == of_q[2];
}

static bool add_triangle(corner_set *set, const graze_mesh *mesh, uint32_t triangle, int pair)
{
    size_t t = 0;
    while (t < set->triangle_count && set->triangles[t] != triangle)
        t++;
    set->of_pairs[pair] = t;
    if (t < set->triangle_count)
        return true;
    set->triangles[set->triangle_count++] = triangle;
    for (int c = 0; c < 3; c++)
    {
        const double *corner = grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)c]);
        size_t i = 0;
        while (i < set->count && !is_same_place(set->corners[i], corner))
            i++;
        if (i == MOST_CORNERS)
            return false;
        if (i == set->count)
            memcpy(set->corners[set->count++], corner, sizeof set->corners[i]);
        set->own[t][c] = (uint32_t)i;
    }
    return true;
}

static const uint32_t *own_corners(const corner_set *set, int pair)
{
    return set->own[set->of_pairs[pair]];
}

/* Whether all corners of this side between which the points lie are of the pair's triangle. */
static bool has_corners(const corner_set sets[2], int side, int pair, const grz_wide_distance *wide)
{
    const uint32_t *own = own_corners(&sets[side], pair);
    for (int i = 0; i < wide->corner_count; i++)
    {
        uint32_t corner = wide->corners[i][side];
        if (own[0] != corner && own[1] != corner && own[2] != corner)
            return false;
    }
    return true;
}

/* Where the points lie between corners of two triangles of one face, whether one pair has the points, too: then its
   upper bound and points are taken. */
static bool has_points(const grz_measure_frame *frame, const corner_set sets[2], const grz_closest_pair *gap, int pair,
                       grz_wide_distance *wide)
{
    triangle_body bodies[2];
    uint32_t start[3][2] = {{0, 0}};
    grz_closest_pair with_points = *gap;
    grz_wide_distance upper;
    if (!has_corners(sets, 0, pair, wide) && !has_corners(sets, 1, pair, wide))
        return false;
    for (int k = 0; k < 3; k++)
    {
        double t = frame->pose_a.m[4 * k + 3];
        with_points.point_a[k] = wide->points[0][k] - t;
        with_points.point_b[k] = wide->points[1][k] - t;
    }
    bool beside;
    int count = find_start(frame, &with_points, bodies, start, &beside);
    if (beside || !grz_convex_wide_upper(&bodies[0].body, &bodies[1].body, (const uint32_t(*)[2])start, count, &upper))
        return false;
    grz_wide_distance other = *wide;
    other.upper = upper.upper;
    memcpy(other.points, upper.points, sizeof other.points);
    if (!is_narrow(&other))
        return false;
    *wide = other;
    return true;
}

/* In the default floating-point environment. */
static bool measure_sets(const grz_measure_frame *frame, const corner_set sets[2], const grz_closest_pair *gap,
                         int first, grz_wide_distance *out)
{
    triangle_body bodies[2];
    grz_convex_body hulls[2];
    uint32_t start[3][2] = {{0, 0}};
    bool beside;
    int count = find_start(frame, gap, bodies, start, &beside);
    for (int side = 0; side < 2; side++)
    {
        hulls[side] = bodies[side].body;
        hulls[side].vertices = sets[side].corners;
        hulls[side].vertex_count = sets[side].count;
        for (int i = 0; i < count; i++)
            start[i][side] = own_corners(&sets[side], first)[start[i][side]];
    }
    return grz_convex_wide_distance(&hulls[0], &hulls[1], (const uint32_t(*)[2])start, count, out) && is_narrow(out);
}

static int find_owner(const grz_measure_frame *frame, const corner_set sets[2], grz_closest_pair *const pairs[],
                      int count, int first, grz_wide_distance *wide)
{
    for (int way = 0; way < 2; way++)
        for (int i = 0; i < count; i++)
        {
            int pair = i == 0 ? first : i <= first ? i - 1 : i;
            bool owns = way == 0 ? has_corners(sets, 0, pair, wide) && has_corners(sets, 1, pair, wide)
                                 : has_points(frame, sets, pairs[pair], pair, wide);
            if (owns)
                return pair;
        }
    return -1;
}

int grz_measure_together(const grz_measure_frame *frame, grz_closest_pair *const pairs[], int count, int first,
                         grz_wide_plane *out_plane)
{
    corner_set sets[2];
    grz_wide_distance wide;
    grz_environment environment;
    for (int side = 0; side < 2; side++)
        sets[side].count = sets[side].triangle_count = 0;
    for (int i = 0; i < count; i++)
        if (!add_triangle(&sets[0], frame->mesh_a, pairs[i]->triangle_a, i) ||
            !add_triangle(&sets[1], frame->mesh_b, pairs[i]->triangle_b, i))
            return -1;
    grz_environment_enter_default(&environment);
    /* shortcut: pairs-measured-together */
    int found = measure_sets(frame, sets, pairs[first], first, &wide)
                    ? find_owner(frame, sets, pairs, count, first, &wide)
                    : -1;
    if (found >= 0)
        set_measured(&wide, pairs[found], out_plane);
    grz_environment_leave_default(&environment);
    return found;
}

/* ---- planes ---- */

void grz_plane_test_begin(grz_plane_test *test, const grz_measure_frame *frame, const grz_wide_plane *plane)
{
    const graze_mesh *meshes[2] = {frame->mesh_a, frame->mesh_b};
    double largest[2][3];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
        {
            double lower = fabs(meshes[i]->lower[k]), upper = fabs(meshes[i]->upper[k]);
            largest[i][k] = lower > upper ? lower : upper;
        }
    test->frame = frame;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < GRZ_PLANE_TRIANGLES; k++)
            test->triangles[i][k].number = test->vertices[i][k].number = 0;
    grz_wide_heights_make(&frame->pose_a, &frame->pose_b, (const double(*)[3])largest, plane->normal, &test->heights);
}

static grz_dd vertex_height(grz_plane_test *test, int body, uint32_t vertex)
{
    grz_known_height *known = &test->vertices[body][vertex % GRZ_PLANE_TRIANGLES];
    if (known->number != (uint64_t)vertex + 1)
    {
        const graze_mesh *mesh = body == 0 ? test->frame->mesh_a : test->frame->mesh_b;
        known->number = (uint64_t)vertex + 1;
        known->height = grz_wide_vertex_height(&test->heights, body, grz_mesh_vertex(mesh, vertex));
    }
    return known->height;
}

/* The height of the highest corner of a triangle of A, or of the lowest of one of B. */
static grz_dd extreme_height(grz_plane_test *test, int body, uint32_t triangle)
{
    grz_known_height *known = &test->triangles[body][triangle % GRZ_PLANE_TRIANGLES];
    if (known->number == (uint64_t)triangle + 1)
        return known->height;
    const graze_mesh *mesh = body == 0 ? test->frame->mesh_a : test->frame->mesh_b;
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    grz_dd best = vertex_height(test, body, corners[0]);
    for (int c = 1; c < 3; c++)
    {
        grz_dd height = vertex_height(test, body, corners[c]);
        bool higher = dd_subtract(height, best).high > 0;
        best = higher == (body == 0) ? height : best;
    }
    known->number = (uint64_t)triangle + 1;
    known->height = best;
    return best;
}

double grz_plane_test_gap(grz_plane_test *test, const grz_closest_pair *gap)
{
    grz_dd highest_a = extreme_height(test, 0, gap->triangle_a), lowest_b = extreme_height(test, 1, gap->triangle_b);
    return grz_wide_heights_gap(&test->heights, highest_a, lowest_b);
}
