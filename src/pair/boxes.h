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

#include "graze/pair.h"
#include "math/interval.h"

typedef struct grz_box
{
    interval axes[3];
    uint32_t triangle;
} grz_box;

/* A placed point as intervals that surely contain it. */
void grz_place_point(const double point[3], const graze_pose *pose, interval out[3]);

/* Boxes of all triangles, in order; NULL when out of memory. A NULL pose moves nothing. */
grz_box *grz_boxes_create(const graze_context *context, const graze_mesh *mesh, const graze_pose *pose);

/* The box around all of them; inverted when there are none. */
grz_box grz_boxes_hull(const grz_box *boxes, size_t count);

bool grz_box_overlap(const grz_box *a, const grz_box *b);

/* Called for each pair of overlapping boxes; return false to stop. */
typedef bool (*grz_box_pair_function)(void *user, uint32_t triangle_a, uint32_t triangle_b);

/* Finds every pair of overlapping boxes once, sorting both arrays along the longest axis. `tests` counts comparisons of
   boxes. Returns false when stopped. */
bool grz_boxes_sweep(grz_box *a, size_t a_count, grz_box *b, size_t b_count, grz_box_pair_function visit, void *user,
                     uint64_t *tests);

#endif
