/* SPDX-License-Identifier: MIT */
/*
 * src/pair: what one may ask of two placed meshes. May use base, math, exact and mesh.
 *
 * Boxes around the placed triangles of a mesh, rounded outward: the real placed triangle surely lies in its box. And
 * the sweep that finds all pairs of boxes that overlap.
 */
#ifndef GRZ_PAIR_BOXES_H
#define GRZ_PAIR_BOXES_H

#include <stdbool.h>

#include "base/watch.h"
#include "graze/pair.h"
#include "math/interval.h"

typedef struct grz_box
{
    interval axes[3];
    uint32_t triangle;
} grz_box;

/* A placed point as intervals that surely contain it. */
void grz_place_point(const double point[3], const graze_pose *pose, interval out[3]);

/* The box of a placed triangle. A NULL pose moves nothing. */
grz_box grz_box_of_triangle(const graze_mesh *mesh, uint32_t triangle, const graze_pose *pose);

/* Boxes of all triangles, in order; NULL when out of memory. A NULL pose moves nothing. */
grz_box *grz_boxes_create(const graze_context *context, const graze_mesh *mesh, const graze_pose *pose);

/* The same; NULL also when the watch (may be NULL) stops it. */
grz_box *grz_boxes_make(const graze_context *context, const graze_mesh *mesh, const graze_pose *pose, grz_watch *watch);

/* The box around all of them; inverted when there are none. */
grz_box grz_boxes_hull(const grz_box *boxes, size_t count);

bool grz_box_overlap(const grz_box *a, const grz_box *b);
int grz_box_longest_axis(const grz_box *box);

/* By lower end on an axis, then by triangle, so that the order does not depend on the sort. False when out of memory,
   or when the watch (may be NULL) stops it; boxes are in no order then. */
bool grz_boxes_sort(const graze_context *context, grz_box *boxes, size_t count, int axis, grz_watch *watch);

/* Called for each pair of overlapping boxes; return false to stop. */
typedef bool (*grz_box_pair_function)(void *user, uint32_t triangle_a, uint32_t triangle_b);

/* The sweep: finds every pair of overlapping boxes once, in an order that depends on the boxes alone, and may pause. */
typedef struct grz_sweep
{
    grz_box *a, *b; /* sorted along the axis */
    size_t a_count, b_count;
    int axis;
    size_t next_a, next_b; /* the first ones not done with */
    bool within;           /* whether the comparisons of the first of them were begun: then `other` is the next */
    size_t other;
    uint64_t box_tests;
} grz_sweep;

/* Makes the boxes and sorts them along the longest axis. False when out of memory, or when the watch (may be NULL)
   stops it, with nothing to release. */
bool grz_sweep_start(grz_sweep *sweep, const graze_context *context, const graze_mesh *mesh_a, const graze_pose *pose_a,
                     const graze_mesh *mesh_b, const graze_pose *pose_b, grz_watch *watch);

/* Goes on to the end, or until there were `box_limit` box tests in all. Returns false when stopped by `visit`. */
bool grz_sweep_advance(grz_sweep *sweep, uint64_t box_limit, grz_box_pair_function visit, void *user);

bool grz_sweep_is_done(const grz_sweep *sweep);
void grz_sweep_end(grz_sweep *sweep, const graze_context *context);

#endif
