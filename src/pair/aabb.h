/* SPDX-License-Identifier: MIT */
/*
 * Conservative AABBs of the placed triangles of a mesh: ends are rounded outward, so the exact placed triangle lies in
 * its box. And a sweep and prune that finds all pairs of overlapping boxes.
 */
#ifndef GRZ_PAIR_AABB_H
#define GRZ_PAIR_AABB_H

#include <stdbool.h>

#include "base/budget_monitor.h"
#include "graze/pair.h"
#include "math/interval.h"

typedef struct grz_placed_aabb
{
    interval axes[3];
    uint32_t triangle;
} grz_placed_aabb;

/* Intervals that contain the exact coordinates of a placed point. A NULL pose is the identity. */
void grz_place_point(const double point[3], const graze_pose *pose, interval out[3]);

/* The AABB of a placed triangle. A NULL pose is the identity. */
grz_placed_aabb grz_aabb_of_triangle(const graze_mesh *mesh, uint32_t triangle, const graze_pose *pose);

/* The AABB of the placed corners of the AABB of a mesh with triangles. Ends beyond the range are clamped to it, which
   preserves overlaps, since boxes are of doubles. */
graze_box grz_aabb_of_mesh(const graze_mesh *mesh, const graze_pose *pose);

/* The AABBs of all triangles, in order; NULL when out of memory. A NULL pose is the identity. */
grz_placed_aabb *grz_placed_aabbs_create(const graze_context *context, const graze_mesh *mesh, const graze_pose *pose);

/* The same; NULL also when the monitor (may be NULL) stops it. */
grz_placed_aabb *grz_placed_aabbs_make(const graze_context *context, const graze_mesh *mesh, const graze_pose *pose,
                                       grz_monitor *monitor);

/* The union of all boxes; inverted when there are none. */
grz_placed_aabb grz_placed_aabbs_union(const grz_placed_aabb *boxes, size_t count);

bool grz_placed_aabb_overlap(const grz_placed_aabb *a, const grz_placed_aabb *b);
int grz_placed_aabb_longest_axis(const grz_placed_aabb *box);

/* Sorts by lower end on an axis, then by triangle, so that the order does not depend on the sorting algorithm. False
   when out of memory, or when the monitor (may be NULL) stops it; the order of the boxes is unspecified then. */
bool grz_placed_aabbs_sort(const graze_context *context, grz_placed_aabb *boxes, size_t count, int axis,
                           grz_monitor *monitor);

/* Called for each pair of overlapping boxes; return false to stop. */
typedef bool (*grz_aabb_pair_function)(void *user, uint32_t triangle_a, uint32_t triangle_b);

/* The sweep: reports every pair of overlapping boxes once, in an order that depends on the boxes alone, and may pause.
 */
typedef struct grz_aabb_sweep
{
    grz_placed_aabb *a, *b; /* sorted along the axis */
    size_t a_count, b_count;
    int axis;
    size_t next_a, next_b; /* the first ones not finished */
    bool within;           /* paused while testing the first of them: `other` is the next box of the other side */
    size_t other;
    uint64_t box_tests;
} grz_aabb_sweep;

/* Makes the boxes and sorts them along the longest axis of A's union. False when out of memory, or when the monitor
   (may be NULL) stops it; nothing is left to release then. */
bool grz_aabb_sweep_start(grz_aabb_sweep *sweep, const graze_context *context, const graze_mesh *mesh_a,
                          const graze_pose *pose_a, const graze_mesh *mesh_b, const graze_pose *pose_b,
                          grz_monitor *monitor);

/* Runs to the end, or until there were `box_limit` box tests in all. Returns false when stopped by `visit`. */
bool grz_aabb_sweep_advance(grz_aabb_sweep *sweep, uint64_t box_limit, grz_aabb_pair_function visit, void *user);

bool grz_aabb_sweep_is_done(const grz_aabb_sweep *sweep);
void grz_aabb_sweep_end(grz_aabb_sweep *sweep, const graze_context *context);

#endif
