/* SPDX-License-Identifier: MIT */
/*
 * Whether a box, sphere, capsule, cylinder or ellipsoid collides with a surface of triangles, quickly: eight boxes of
 * the tree at a time against a rounded box around the primitive, then the triangles of leaves, then the few left
 * against the primitive itself; a common point, or that all are apart, is certified. Between frames the verdict stays
 * while neither moves farther than the certified point is deep or the nearest box of the tree is away; then the
 * triangle found last is tried first.
 */
#ifndef GRZ_SHAPE_PRIMITIVE_MESH_H
#define GRZ_SHAPE_PRIMITIVE_MESH_H

#include "shape/query.h"

/* Returns false where the shapes are none of these, or nothing could be certified; the exact queries decide then. Else
 *out_status, and the verdict with it; a hit gets the triangle and a common point. */
bool grz_primitive_mesh_collide(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                graze_status *out_status, graze_verdict *out_verdict, graze_shape_hit *out_hit);

/* The verdict, if it was certified before and motions since were small; UNKNOWN otherwise. A YES is of no certain
   point. Poses that still count are finite, and rigid where they must be. */
graze_verdict grz_primitive_mesh_recall(const graze_shape_cache *cache, const graze_placed *a, const graze_placed *b);

/* Whether two shapes are such a pair, whose surface has a tree already. */
bool grz_is_primitive_at_mesh(const graze_placed *a, const graze_placed *b);

#endif
