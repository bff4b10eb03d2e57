/* SPDX-License-Identifier: MIT */
/*
 * What functions that create shapes share. Each starts a shape, fills it in, and finishes it: the caller gets it, or
 * all of it is destroyed.
 */
#ifndef GRZ_SHAPE_CREATE_H
#define GRZ_SHAPE_CREATE_H

#include "base/budget_monitor.h"
#include "shape/shape.h"

/* Limits of nested compounds: queries recurse into them. */
enum
{
    GRZ_SHAPE_DEPTH_LIMIT = 64
};

/* NULL when out of memory, or when `status` is not OK: grz_shape_finish_with knows which. */
graze_shape *grz_shape_start(const graze_context *context, graze_shape_kind kind, grz_shape_form form,
                             graze_status status);

/* Writes the shape, or destroys it where `status` is not OK. NULL: out of memory, unless `status` says another. */
graze_status grz_shape_finish_with(graze_shape *shape, graze_status status, graze_shape **out_shape);

/* A mesh whose derived data belong to someone else, who keeps them longer. NULL when out of memory. */
graze_shape *grz_shape_create_shared(grz_derived_data *derived, bool solid);

/* Makes hull and mesh of a convex core. `monitor` may be NULL. */
graze_status grz_shape_set_hull(graze_shape *shape, const double *points, size_t count, grz_monitor *monitor);

/* Makes a mesh of triangles the shape's own. */
graze_status grz_shape_set_mesh(graze_shape *shape, const graze_mesh_def *def);

/* Whether all are finite: OK or NOT_FINITE. By their bits, as all checks here: a denormal number counts. */
graze_status grz_check_numbers(const double *numbers, size_t count);

/* Whether all are finite and none is negative: OK, NOT_FINITE or BAD_ARGUMENT. */
graze_status grz_check_sizes(const double *sizes, size_t count);

#endif
