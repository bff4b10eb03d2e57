/* SPDX-License-Identifier: MIT */
/*
 * The builder of generated shapes: a mesh under construction whose numbers of vertices and triangles are known before
 * the first one is added, so that memory is allocated once and adding cannot fail.
 *
 * Most bodies are tubes: rings of equally many vertices one after the other, closed by a single vertex at either end. A
 * sphere, a cone, a pipe, a wing and a finger differ only in where these vertices lie.
 */
#ifndef GRZ_MESH_SHAPE_BUILDER_H
#define GRZ_MESH_SHAPE_BUILDER_H

#include <stdbool.h>

#include "graze/mesh.h"
#include "math/vector.h"

#define GRZ_PI 3.14159265358979323846

typedef struct grz_shape
{
    const graze_context *context;
    double *vertices; /* x, y, z each */
    size_t vertex_count, vertex_limit;
    uint32_t *corners; /* three a triangle */
    size_t corner_count, corner_limit;
    bool overfull; /* more was added than announced: a bug, reported as INTERNAL */
} grz_shape;

/* Whether a size is positive and finite. */
bool grz_size_valid(double size);

/* The product, or a number too large for any mesh when that is smaller. */
uint64_t grz_count_times(uint64_t a, uint64_t b);

/* Allocates memory for exactly that many; nothing to release after a failure. TOO_LARGE comes before any allocation. */
graze_status grz_shape_begin(grz_shape *shape, const graze_context *context, uint64_t vertex_count,
                             uint64_t triangle_count);

/* Returns the new vertex's number. */
uint32_t grz_shape_vertex(grz_shape *shape, v3 point);

/* Corners counter-clockwise seen from outside. */
void grz_shape_triangle(grz_shape *shape, uint32_t a, uint32_t b, uint32_t c);

/* Two triangles, cut along a, c. */
void grz_shape_quad(grz_shape *shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/* Creates the mesh and releases the builder, in any case. BAD_ARGUMENT when the sizes were so large that a coordinate
   overflowed, or so small or so different that two corners of a triangle coincide. `error` may be NULL. */
graze_status grz_shape_finish(grz_shape *shape, graze_error *error, graze_mesh **out_mesh);

/* Releases the builder without a mesh. */
void grz_shape_discard(grz_shape *shape);

/* Cosine and sine of index / count turns, 0 <= index <= count. Reduced to an eighth of a turn in integers, so that
 * quarter turns are exact and mirrored points are mirror images. */
void grz_circle(uint64_t index, uint64_t count, double *out_cosine, double *out_sine);

/* The position of vertex `segment` of ring `ring`. Rings count from 1 to ring_count; 0 and ring_count + 1 are the
   vertices that close the ends. Seen against the direction of travel, the vertices of a ring are counter-clockwise. */
typedef v3 grz_tube_function(const void *user, uint32_t ring, uint32_t segment);

typedef struct grz_tube
{
    uint32_t ring_count, segment_count;
} grz_tube;

uint64_t grz_tube_vertex_count(grz_tube tube);
uint64_t grz_tube_triangle_count(grz_tube tube);
void grz_shape_tube(grz_shape *shape, grz_tube tube, grz_tube_function *point, const void *user);

/* Two triangles for each quad between two rings of `segment_count` vertices; the second ring lies further along. */
void grz_shape_band(grz_shape *shape, uint32_t first_ring, uint32_t second_ring, uint32_t segment_count);

/* The tube whose number of triangles is closest, with about `aspect` rings per segment, and not below `least`. */
grz_tube grz_tube_fit(double triangle_count, double aspect, grz_tube least);

#endif
