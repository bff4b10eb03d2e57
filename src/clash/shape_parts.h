/* SPDX-License-Identifier: MIT */
/* Parts that are shapes (graze/shape.h): those that a mesh says all of are tested as that mesh, the others as shapes.
 */
#ifndef GRZ_CLASH_SHAPE_PARTS_H
#define GRZ_CLASH_SHAPE_PARTS_H

#include "clash/parts.h"

/* The mesh that a part is tested as: its own, or that of a shape that is no more and no less than its mesh; NULL: it is
 * tested as a shape. */
const graze_mesh *grz_clash_mesh_of(const graze_clash_part *part);

/* Whether it is a surface by what it is: a shape that is not solid. */
bool grz_clash_is_surface_shape(const graze_clash_part *part);

/* The hull of the triangles of a mesh, exactly; NULL of a mesh without. The caller owns it. Fails as
 * graze_shape_create_hull. */
graze_status grz_clash_hull_of(const graze_context *context, const graze_mesh *mesh, graze_shape **out_hull);

/* The bounds of a part that is tested as a shape, and its slack. */
void grz_clash_shape_compute_aabb(grz_clash_part *part);

/* Makes shapes of the marked parts that are meshes, for pairs with those that are shapes, if there are any. Call with
 * trees built. Fails with OUT_OF_MEMORY. */
graze_status grz_clash_parts_make_shapes(const graze_context *context, grz_clash_parts *parts, const bool *marked,
                                         graze_error *error);
/* Counts the triangles of findings as queries of shapes do: shapes without triangles have none. Fails as
 * graze_shape_pair_count. */
graze_status grz_clash_count_triangles(const graze_context *context, const grz_clash_part *parts,
                                       graze_clash_report *report);

void grz_clash_parts_release_shapes(const graze_context *context, grz_clash_parts *parts);

#endif
