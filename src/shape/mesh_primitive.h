/* SPDX-License-Identifier: MIT */
/* A placed primitive against the triangles of a placed mesh: what holds it, and which of a few triangles it meets. */
#ifndef GRZ_SHAPE_MESH_PRIMITIVE_H
#define GRZ_SHAPE_MESH_PRIMITIVE_H

#include "pair/distance/triangle_distance.h"
#include "shape/box_triangle.h"
#include "shape/query.h"

typedef enum grz_mesh_primitive_kind
{
    GRZ_MESH_NO_PRIMITIVE,
    GRZ_MESH_BOX,
    GRZ_MESH_BALL, /* around a point or a segment */
    GRZ_MESH_CYLINDER,
    GRZ_MESH_ELLIPSOID
} grz_mesh_primitive_kind;

/* In its own coordinates: it lies within `radius` of a box around `centre`. Bits of two are equal for equal primitives
   only. */
typedef struct grz_mesh_primitive
{
    uint64_t kind; /* grz_mesh_primitive_kind */
    double centre[3], half[3], radius;
    double ends[2][3]; /* of the segment of a ball */
} grz_mesh_primitive;

/* False for other shapes; sizes and radii that are 0 make such. */
bool grz_mesh_primitive_of(const graze_shape *shape, grz_mesh_primitive *out);

/* No coordinate of its vertices, of the segment for balls, has a larger magnitude than these; the last is 1. */
void grz_mesh_primitive_weights(const grz_mesh_primitive *primitive, double weights[4]);

/* Where a frame around the box lies: its pose, and the radius with what rounding it has cost. */
double grz_mesh_primitive_pose(const grz_mesh_primitive *primitive, const graze_pose *pose, graze_pose *out_pose);

/* A primitive and a mesh, ready for triangles. */
typedef struct grz_primitive_triangles
{
    const grz_mesh_primitive *primitive;
    const graze_placed *mesh, *placed;
    const graze_context *context;
    bool ready;              /* the frame below is made: for the first triangle */
    grz_box_frame frame;     /* all but balls */
    grz_measure_frame balls; /* balls */
} grz_primitive_triangles;

/* What is certain of some triangles. */
typedef struct grz_triangles_verdict
{
    double depth; /* above 0: of a common point of this triangle, at least; others were not all looked at */
    uint32_t triangle;
    double point[3]; /* in the world, rounded */
    double gap;      /* else how far away all of them are, at least; 0: not certain */
} grz_triangles_verdict;

/* Up to eight triangles, those that are likely near first. */
void grz_primitive_test_triangles(grz_primitive_triangles *set, const uint32_t *triangles, unsigned count,
                                  grz_triangles_verdict *out);

#endif
