/* SPDX-License-Identifier: MIT */
/*
 * Polygons with integer corners, to triangulate: generators of simple polygons and of weakly simple ones (that touch
 * themselves), and checks in 64-bit arithmetic whether triangles cover a polygon exactly once.
 */
#ifndef SUPPORT_POLYGONS_H
#define SUPPORT_POLYGONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/mesh.h"
#include "support/random.h"

enum
{
    POLYGON_CORNERS = 4096,
    POLYGON_LOOPS = 512
};

/* Every corner has a vertex of its own. The first loop is the outer one. */
typedef struct test_polygon
{
    int64_t points[POLYGON_CORNERS][2];
    uint32_t loop_sizes[POLYGON_LOOPS];
    size_t corner_count, loop_count;
} test_polygon;

void polygon_clear(test_polygon *polygon);
void polygon_add(test_polygon *polygon, int64_t x, int64_t y);
void polygon_end_loop(test_polygon *polygon);

/* The boundary of a random set of connected unit squares: many collinear corners, holes, loops that touch. Straight
 * corners are dropped once in `drop` times (0: never), corners repeated once in `repeat` times (0: never). */
void polygon_of_squares(test_polygon *polygon, test_random *random, int size, int drop, int repeat);

/* A polygon through random grid points that does not cross or touch itself; false if the attempt failed. */
bool polygon_untangled(test_polygon *polygon, test_random *random, int corner_count, int size);

/* A spiral of two parallel arms, a comb, a star. */
void polygon_spiral(test_polygon *polygon, int turns);
void polygon_comb(test_polygon *polygon, int teeth);
void polygon_star(test_polygon *polygon, test_random *random, int rays);

/* x' = a x + b y, y' = c x + d y. */
void polygon_transform(test_polygon *polygon, int64_t a, int64_t b, int64_t c, int64_t d);

/* Reverses one loop. */
void polygon_reverse_loop(test_polygon *polygon, size_t loop);

/* Twice the area inside the outer loop and outside the holes, positive when the outer loop is counter-clockwise. */
int64_t polygon_area(const test_polygon *polygon);

/* Whether two edges cross, each inside the other. */
bool polygon_crosses_itself(const test_polygon *polygon);

/* A mesh of this one face in the plane z = p x + q y + r, the coordinates rotated `turn` places. NULL: failed. */
graze_mesh *polygon_mesh(const test_polygon *polygon, const graze_context *context, int p, int q, int r, int turn);

/* Whether the right number of triangles cover the polygon once, all oriented like it: their areas add up, and random
 * points lie in as many triangles as the loops say. Prints errors. */
bool polygon_is_covered(const test_polygon *polygon, const graze_mesh *mesh, test_random *random, int samples);

/* Whether the number of triangles is right, all indices belong to it, and every corner is in some triangle. */
bool polygon_is_cut(const test_polygon *polygon, const graze_mesh *mesh);

#endif
