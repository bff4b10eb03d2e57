/* SPDX-License-Identifier: MIT */
/* Poses of shapes. */
#ifndef GRZ_SHAPE_PLACED_H
#define GRZ_SHAPE_PLACED_H

#include "shape/shape.h"

enum
{
    GRZ_PLACED_VERTICES = 256 /* of a convex core, up to which all are placed for its box; else the corners of theirs */
};

/* The pose of a part of a compound in the world, each entry rounded to nearest in every environment. NOT_FINITE where
   one overflows. */
graze_status grz_placed_part(const graze_placed *compound, size_t part, graze_placed *out_part);

/* Whether shapes of that kind take rotations and mirrored rotations only. */
bool grz_needs_rigid_pose(graze_shape_kind kind);

/* Whether each entry of R^T R, computed in doubles and rounded to nearest, differs by at most 1e-9 from the unit
   matrix. The pose is finite. */
bool grz_pose_is_rigid(const graze_pose *pose);

#endif
