/* SPDX-License-Identifier: MIT */
/*
 * Measuring pairs of triangles; see triangle_distance.h.
 *
 * Error of a placed corner, u = 2^-52 as in exact/predicates.c: the error of a coordinate r0 v0 + r1 v1 + r2 v2 + t is
 * at most 6 u times the sum m of its terms' magnitudes. The shifted translation is one difference, with an error of u
 * times itself, which a seventh u covers.
 *
 * Error of a computed point. A point from + s along, s in [0, 1] as computed, stands for a point of the exact segment.
 * Its error is at most the corners' error e; edge, product and sum add 3 u L + u M per coordinate, where M bounds
 * coordinates and L <= 2 M edges. A foot origin + (v e + w g) passes less than 6 u L + 2 u M, and v + w <= 1 may exceed
 * 1 by a rounding, u L more. We take e + 24 u M. As a distance that is sqrt(3) times as much.
 */
#include "pair/distance/triangle_distance.h"

#include <math.h>
#include <string.h>

#include "exact/contact.h"
#include "exact/distance.h"
#include "math/interval.h"
#include "math/matrix.h"
#include "mesh/mesh.h"
#include "pair/distance/wide_pair.h"
#include "simd/f64x2.h"

#define LARGEST_MEASURED 0x1p300

double grz_coordinate_bound(const graze_mesh *mesh, const graze_pose *pose)
{
    double largest = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = pose->m + 4 * axis;
        double sum = fabs(row[3]);
        for (int k = 0; k < 3; k++)
            sum += fabs(row[k]) * matrix_larger(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
        largest = matrix_larger(largest, sum);
    }
    return largest * (1 + 8 * GRZ_U);
}

static bool is_in_range(const graze_mesh *mesh, const graze_pose *pose)
{
    double largest = 0;
    for (int k = 0; k < 3; k++)
        largest = matrix_larger(largest, matrix_larger(fabs(mesh->lower[k]), fabs(mesh->upper[k])));
    for (int k = 0; k < 12; k++)
        largest = matrix_larger(largest, fabs(pose->m[k]));
    return largest <= LARGEST_MEASURED;
}

/* Whether all corners are the same point: then the placed corners are, too. */
static bool is_point(const graze_mesh *mesh)
{
    /* shortcut: point-mesh */
    return memcmp(mesh->lower, mesh->upper, sizeof mesh->lower) == 0;
}

void grz_measure_frame_make(grz_measure_frame *frame, const graze_context *context, const graze_placed_mesh *a,
                            const graze_placed_mesh *b)
{
    memset(frame, 0, sizeof *frame);
    frame->kernels = grz_distance_kernels_for(context != NULL ? context->instructions : GRAZE_INSTRUCTIONS_BEST);
    frame->mesh_a = a->mesh;
    frame->mesh_b = b->mesh;
    frame->pose_a = frame->shifted_a = a->pose;
    frame->pose_b = frame->shifted_b = b->pose;
    for (int k = 3; k < 12; k += 4)
    {
        frame->shifted_a.m[k] = 0;
        frame->shifted_b.m[k] = b->pose.m[k] - a->pose.m[k];
    }
    double magnitude = matrix_larger(grz_coordinate_bound(a->mesh, &frame->shifted_a),
                                     grz_coordinate_bound(b->mesh, &frame->shifted_b));
    /* Underflow costs a coordinate less than 8 * 2^300 * 2^-1022. */
    /* shortcut: distance-corner-error */
    frame->error = 8 * GRZ_U * magnitude + 0x1p-700;
    frame->point_error = 1.7321 * (frame->error + 24 * GRZ_U * magnitude);
    frame->point_a = is_point(a->mesh);
    frame->point_b = is_point(b->mesh);
    frame->usable = is_in_range(a->mesh, &a->pose) && is_in_range(b->mesh, &b->pose) && magnitude <= LARGEST_MEASURED;
}

/* The first two coordinates of a corner together. */
static void place_triangle(const graze_mesh *mesh, const graze_pose *pose, uint32_t triangle, unsigned lane,
                           double out[3][3][GRZ_LANES])
{
    const double *m = pose->m;
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    const f64x2 first = f64x2_make(m[0], m[4]), second = f64x2_make(m[1], m[5]), third = f64x2_make(m[2], m[6]),
                shift = f64x2_make(m[3], m[7]);
    for (int c = 0; c < 3; c++)
    {
        const double *v = grz_mesh_vertex(mesh, corners[c]);
        f64x2 sum = f64x2_add(f64x2_mul(first, f64x2_splat(v[0])), f64x2_mul(second, f64x2_splat(v[1])));
        sum = f64x2_add(f64x2_add(sum, f64x2_mul(third, f64x2_splat(v[2]))), shift);
        out[c][0][lane] = f64x2_first(sum);
        out[c][1][lane] = f64x2_first(f64x2_swap(sum));
        out[c][2][lane] = m[8] * v[0] + m[9] * v[1] + m[10] * v[2] + m[11];
    }
}

static void copy_triangle(unsigned lane, double corners[3][3][GRZ_LANES])
{
    for (int c = 0; c < 3; c++)
        for (int axis = 0; axis < 3; axis++)
            corners[c][axis][lane] = corners[c][axis][0];
}

/* Places one side of up to eight pairs; a triangle that repeats, as in one against a leaf, is placed once. */
static void place_side(const graze_mesh *mesh, const graze_pose *pose, const uint32_t triangles[GRZ_LANES],
                       unsigned count, double out[3][3][GRZ_LANES])
{
    place_triangle(mesh, pose, triangles[0], 0, out);
    for (unsigned i = 1; i < GRZ_LANES; i++)
    {
        if (i < count && triangles[i] != triangles[0])
            place_triangle(mesh, pose, triangles[i], i, out);
        else
            copy_triangle(i, out);
    }
}

/* The six corners of a pair, for exact predicates. */
static void start_points(grz_measure_frame *frame, const grz_closest_pair *gap, grz_points *points)
{
    grz_points_start(points, &frame->stages);
    const uint32_t *a = frame->mesh_a->triangles + 3 * (size_t)gap->triangle_a;
    const uint32_t *b = frame->mesh_b->triangles + 3 * (size_t)gap->triangle_b;
    for (int c = 0; c < 3; c++)
        grz_points_add(points, grz_mesh_vertex(frame->mesh_a, a[c]), &frame->pose_a);
    for (int c = 0; c < 3; c++)
        grz_points_add(points, grz_mesh_vertex(frame->mesh_b, b[c]), &frame->pose_b);
}

static void refine_points(grz_measure_frame *frame, grz_points *points, grz_closest_pair *gap)
{
    grz_exact_distance exact;
    grz_triangles_distance(points, &exact);
    frame->exact_measures++;
    gap->lower = exact.lower;
    gap->upper = exact.upper;
    /* The mean of both bounds; where halves would be denormal, and might be flushed to 0, the upper one. */
    gap->distance = !(exact.upper < INFINITY) ? exact.lower
                    : exact.lower > 0x1p-1000 ? 0.5 * exact.lower + 0.5 * exact.upper
                                              : exact.upper;
    memcpy(gap->point_a, exact.point_a, sizeof gap->point_a);
    memcpy(gap->point_b, exact.point_b, sizeof gap->point_b);
    gap->shifted = false;
}

void grz_measure_exactly(grz_measure_frame *frame, grz_closest_pair *gap)
{
    grz_points points;
    start_points(frame, gap, &points);
    refine_points(frame, &points, gap);
}

bool grz_pair_is_within_sum(grz_measure_frame *frame, const grz_closest_pair *gap, const double *terms, int count,
                            bool strict)
{
    grz_points points;
    start_points(frame, gap, &points);
    frame->exact_measures++;
    return grz_triangles_within_sum(&points, terms, count, strict);
}

bool grz_pair_is_within(grz_measure_frame *frame, const grz_closest_pair *gap, double most, bool strict)
{
    return grz_pair_is_within_sum(frame, gap, &most, 1, strict);
}

void grz_measure_open_pair(grz_measure_frame *frame, grz_closest_pair *gap)
{
    grz_points points;
    if (grz_open_pair_is_likely_apart(frame, gap) && grz_measure_widely(frame, gap, NULL))
        return;
    gap->open = false;
    start_points(frame, gap, &points);
    gap->meet = grz_triangle_triangle(&points).found;
    if (gap->meet)
        gap->lower = gap->upper = gap->distance = 0;
    else
    {
        start_points(frame, gap, &points);
        refine_points(frame, &points, gap);
    }
}

static void store_lane(const grz_measure_frame *frame, const grz_closest8 *found, unsigned lane, grz_closest_pair *gap)
{
    gap->lower = found->lower[lane];
    gap->distance = found->distance[lane];
    gap->upper = gap->distance * (1 + 8 * GRZ_U) + 2.01 * frame->point_error;
    gap->shifted = true;
    for (int axis = 0; axis < 3; axis++)
    {
        gap->point_a[axis] = found->point_a[axis][lane];
        gap->point_b[axis] = found->point_b[axis][lane];
    }
}

static void swap_points(grz_closest8 *found)
{
    double points[3][GRZ_LANES];
    memcpy(points, found->point_a, sizeof points);
    memcpy(found->point_a, found->point_b, sizeof points);
    memcpy(found->point_b, points, sizeof points);
}

/* Measures up to eight pairs whose magnitudes allow it. */
static void measure_lanes(grz_measure_frame *frame, const grz_triangle_pair_batch *pairs,
                          grz_closest_pair out[GRZ_LANES])
{
    grz_triangle_pairs8 corners;
    grz_closest8 found;
    bool swapped = frame->point_b && !frame->point_a; /* the kernel takes the point first */
    place_side(frame->mesh_a, &frame->shifted_a, pairs->a, pairs->count, swapped ? corners.b : corners.a);
    place_side(frame->mesh_b, &frame->shifted_b, pairs->b, pairs->count, swapped ? corners.a : corners.b);
    if (frame->point_a || frame->point_b)
        frame->kernels->points(&corners, frame->error, &found);
    else
        frame->kernels->triangles(&corners, frame->error, &found);
    if (swapped)
        swap_points(&found);
    for (unsigned i = 0; i < pairs->count; i++)
        store_lane(frame, &found, i, &out[i]);
}

void grz_measure_pairs_in_doubles(grz_measure_frame *frame, const grz_triangle_pair_batch *pairs,
                                  grz_closest_pair out[GRZ_LANES])
{
    if (frame->usable)
        measure_lanes(frame, pairs, out);
    frame->pairs += pairs->count;
    for (unsigned i = 0; i < pairs->count; i++)
    {
        out[i].triangle_a = pairs->a[i];
        out[i].triangle_b = pairs->b[i];
        out[i].meet = false;
        /* shortcut: distance-in-doubles */
        out[i].open = !frame->usable || !(out[i].lower > 0);
        if (!frame->usable)
            out[i].upper = out[i].distance = INFINITY;
    }
}

void grz_measure_pairs(grz_measure_frame *frame, const grz_triangle_pair_batch *pairs, grz_closest_pair out[GRZ_LANES])
{
    grz_measure_pairs_in_doubles(frame, pairs, out);
    for (unsigned i = 0; i < pairs->count; i++)
        if (out[i].open)
            grz_measure_open_pair(frame, &out[i]);
}

void grz_closest_points_in_world(const grz_measure_frame *frame, const grz_closest_pair *gap, double point_a[3],
                                 double point_b[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        double shift = gap->shifted ? frame->pose_a.m[4 * axis + 3] : 0;
        point_a[axis] = gap->point_a[axis] + shift;
        point_b[axis] = gap->point_b[axis] + shift;
    }
}
