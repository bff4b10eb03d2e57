/* SPDX-License-Identifier: MIT */
/* Which poses a shape may have, and the poses of parts of compounds. */
#include "shape/placed.h"

#include <math.h>

#include "base/environment.h"
#include "exact/predicates.h"

#define RIGID_TOLERANCE 1e-9

graze_status grz_placed_part(const graze_placed *compound, size_t part, graze_placed *out_part)
{
    const graze_placed *inner = &compound->shape->parts[part];
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = graze_pose_compose(&compound->pose, &inner->pose, &out_part->pose, NULL);
    grz_environment_leave_default(&environment);
    out_part->shape = inner->shape;
    return status;
}

bool grz_needs_rigid_pose(graze_shape_kind kind)
{
    return kind == GRAZE_SHAPE_SPHERE || kind == GRAZE_SHAPE_CAPSULE || kind == GRAZE_SHAPE_ROUNDED ||
           kind == GRAZE_SHAPE_CYLINDER || kind == GRAZE_SHAPE_CONE || kind == GRAZE_SHAPE_ELLIPSOID;
}

bool grz_pose_is_rigid(const graze_pose *pose)
{
    const double *m = pose->m;
    bool rigid = true;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
        {
            double entry = m[i] * m[j] + m[4 + i] * m[4 + j] + m[8 + i] * m[8 + j];
            rigid = rigid && fabs(entry - (i == j ? 1 : 0)) <= RIGID_TOLERANCE; /* also false for NaN */
        }
    grz_environment_leave_default(&environment);
    return rigid;
}

/* Whether R has no inverse: the sign of its determinant is that of the placed unit vectors to the placed origin. */
static bool is_singular(const graze_pose *pose)
{
    static const double points[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    grz_points set;
    grz_points_start(&set, NULL);
    for (int i = 0; i < 4; i++)
        grz_points_add(&set, points[i], pose);
    return grz_orient3d(&set, 0, 1, 2, 3) == 0;
}

graze_status graze_placed_check(const graze_placed *placed)
{
    if (placed == NULL || placed->shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const graze_shape *shape = placed->shape;
    graze_status status = graze_pose_check(&placed->pose, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (grz_needs_rigid_pose(shape->kind) && !grz_pose_is_rigid(&placed->pose))
        return GRAZE_STATUS_NOT_RIGID;
    if (shape->form == GRZ_FORM_HALF_SPACE && is_singular(&placed->pose))
        return GRAZE_STATUS_SINGULAR;
    for (size_t i = 0; i < shape->part_count && status == GRAZE_STATUS_OK; i++)
    {
        graze_placed part;
        status = grz_placed_part(placed, i, &part);
        if (status == GRAZE_STATUS_OK)
            status = graze_placed_check(&part);
    }
    return status;
}
