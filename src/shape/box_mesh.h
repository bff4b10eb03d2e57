/* SPDX-License-Identifier: MIT */
/*
 * Whether a box collides with a surface of triangles, quickly: eight boxes of the tree at a time against the oriented
 * box, then the triangles of leaves; a common point, or that all are apart, is certified. Between frames the verdict
 * stays while neither moves farther than the certified point is deep or the nearest box of the tree is away; then the
 * triangle found last is tried first.
 */
#ifndef GRZ_SHAPE_BOX_MESH_H
#define GRZ_SHAPE_BOX_MESH_H

#include "shape/query.h"

/* Returns false where the shapes are none of these, or nothing could be certified; the exact queries of meshes decide
   then. Else *out_status, and the verdict with it; a hit gets the triangle and a common point. */
bool grz_box_mesh_collide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, graze_status *out_status,
                          graze_verdict *out_verdict, graze_shape_hit *out_hit);

#endif
