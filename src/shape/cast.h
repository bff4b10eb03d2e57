/* SPDX-License-Identifier: MIT */
/*
 * Shape casts: B moves straight from its translation to another one, A stays. With s from 0 to 1 along the way, bounds
 * of the least s at which two leaves share a point. Both ends of the way are doubles at face value, so that what B
 * sweeps over has exact corners: whether there is such an s is decided exactly where shapes are (cast_sweep.c).
 */
#ifndef GRZ_SHAPE_CAST_H
#define GRZ_SHAPE_CAST_H

#include "convex/convex_body.h"
#include "shape/query.h"

/* B's motion. */
typedef struct grz_cast_way
{
    double from[3], to[3];
    interval motion[3]; /* to - from */
} grz_cast_way;

/* B on the way at s, rounded to doubles; *out_error bounds how far that is off. */
graze_pose grz_cast_pose_at(const graze_pose *pose, const grz_cast_way *way, double s, double *out_error);

/* What is known of the least s of two leaves, or of parts of them. The verdict: whether there is one. */
typedef struct grz_cast_found
{
    graze_verdict verdict;
    double lower, upper; /* no common point below `lower`; with YES, one at or below `upper` */
    double point[3], normal[3];
    uint32_t triangle_a, triangle_b, face_a, face_b;
} grz_cast_found;

/* Nothing known, and nothing found. */
grz_cast_found grz_cast_nothing(void);

/* A convex leaf, or a triangle of a mesh. */
typedef struct grz_cast_part
{
    grz_convex_body body;
    const graze_mesh *mesh;         /* the surface of a polytope; NULL for curved ones */
    uint32_t first, triangle_count; /* of that mesh */
    double corners[3][3];           /* of a single triangle, which the body points to */
} grz_cast_part;

/* Of a leaf that is convex, or curved. */
void grz_cast_part_of_leaf(const graze_placed *leaf, grz_cast_part *out);
void grz_cast_part_of_triangle(const graze_placed *mesh, uint32_t triangle, grz_cast_part *out);

/* Two convex parts that do not certainly share a point at the start; b's pose is that at the start. Only an s up to
   `most` matters; where that is below 1, a common point at it is known, and UNKNOWN may be answered for bodies that
   graze each other before it. */
graze_status grz_cast_convex(grz_shape_query *q, const grz_cast_part *a, const grz_cast_part *b,
                             const grz_cast_way *way, double most, grz_cast_found *out);

/* Whether the surface that b's triangles sweep over comes within the radii of a's triangles. Exact. */
graze_status grz_cast_sweep_meets(grz_shape_query *q, const grz_cast_part *a, const grz_cast_part *b,
                                  const grz_cast_way *way, bool *out_meets);

/* Two leaves of which one at least is a mesh or height field, and none a half-space. */
graze_status grz_cast_meshes(grz_shape_query *q, const graze_placed *a, const graze_placed *b, const grz_cast_way *way,
                             grz_cast_found *out);

/* A lower bound of the s at which a moving box meets one that stays; INFINITY where they never do. */
double grz_cast_box_entry(const graze_box *still, const graze_box *moving, const grz_cast_way *way);

#endif
