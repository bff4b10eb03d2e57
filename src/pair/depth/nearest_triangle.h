/* SPDX-License-Identifier: MIT */
/*
 * The nearest triangle of a placed body to a point, with certified bounds of the distance. Lighter than
 * graze_pair_distance, since a point needs neither a tree nor a relative pose: searches that measure thousands of
 * points use it.
 */
#ifndef GRZ_PAIR_DEPTH_NEAREST_TRIANGLE_H
#define GRZ_PAIR_DEPTH_NEAREST_TRIANGLE_H

#include "math/vector.h"
#include "pair/depth/tree_point.h"
#include "simd/distance.h"

typedef struct grz_normal_cone grz_normal_cone; /* normal_cones.h */

/* The placed corners of a tree leaf's triangles, [corner][axis][lane]; unused lanes repeat the first. */
typedef struct grz_placed_leaf
{
    double corners[3][3][GRZ_LANES];
} grz_placed_leaf;

/* The surface of a placed body, for points of the world whose coordinates are at most `reach`. */
typedef struct grz_surface
{
    const grz_placed_body *body;
    double error; /* of the distance of a point and a triangle, or of a height, in doubles */
    grz_monitor *monitor;
    v3 *corners;             /* of all triangles, three each, if they were computed once for all; else NULL */
    grz_normal_cone *cones;  /* one per leaf of the tree, made when first needed, or NULL */
    bool *has_cone;          /* per leaf: whether it is made */
    grz_placed_leaf *leaves; /* one per leaf, placed when first measured, or NULL: triangles are measured one by one */
    bool *placed;            /* per leaf: whether it is */
    const grz_distance_kernels *kernels; /* valid with `leaves` */
    double corner_error;                 /* of a coordinate of a placed corner */
    grz_tree_frame frame;                /* of the tree; usable with `leaves` */
} grz_surface;

/* Makes room for placed leaves, if there is a tree; grz_surface_release releases all that was made. False when out of
   memory. */
bool grz_surface_make_leaves(const graze_context *context, grz_surface *surface);
void grz_surface_release(const graze_context *context, grz_surface *surface);

/* Computes the corners of all triangles. False when out of memory. */
bool grz_surface_place_corners(const graze_context *context, grz_surface *surface);

/* `reach` bounds the coordinates of the placed mesh and of all points that will be measured. */
grz_surface grz_surface_make(const grz_placed_body *body, double reach, grz_monitor *monitor);

/* A triangle near a point, and bounds of the distance to the whole surface. */
typedef struct grz_nearest_triangle
{
    double lower, upper;
    uint32_t triangle;
    double point[3]; /* the closest point of it, rounded */
} grz_nearest_triangle;

/* The surface has triangles. `tolerance`, at least 0 and below 1: lower >= (1 - tolerance) upper suffices, up to
   rounding; then a point with many nearest triangles, such as the centre of a sphere, is not compared with all. `hint`
   is a triangle that may be near, or UINT32_MAX: the search is shorter with a good one. The result is invalid once the
   monitor has stopped the call. */
void grz_find_nearest_triangle(const grz_surface *surface, const double point[3], double tolerance, uint32_t hint,
                               grz_nearest_triangle *out_nearest);

/* The corners of a triangle in the world, rounded. */
void grz_surface_corners(const grz_surface *surface, uint32_t triangle, v3 out_corners[3]);

/* An upper bound of the distance of a point from the triangle with these corners. */
double grz_distance_to_triangle(const grz_surface *surface, const v3 corners[3], v3 point);

/* A lower bound of the same. */
double grz_least_distance_to_triangle(const grz_surface *surface, const v3 corners[3], v3 point);

/* Lower bounds of the distances of a point from the triangles of a leaf. The surface has placed leaves. */
void grz_surface_leaf_distances(const grz_surface *surface, uint32_t leaf, const double point[3],
                                double out_lower[GRZ_LANES]);

/* Calls `visit` for all triangles that meet a box, and for others near it; false stops. */
typedef bool (*grz_triangle_function)(void *user, uint32_t triangle);
bool grz_surface_visit_box(const grz_surface *surface, const graze_box *box, grz_triangle_function visit, void *user);

#endif
