/* SPDX-License-Identifier: MIT */
/* First impacts of half-spaces; see half_space_impact.h. */
#include "motion/half_space_impact.h"

#include <math.h>
#include <string.h>

#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/plane_impact.h"
#include "shape/half_space.h"
#include "shape/shape.h"

static bool is_turn(const graze_motion *motion)
{
    return motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
}

/* Whether the motion is a true rotation at all times, of which lengths are exactly those of the body: a turn, or poses
   with the same entries 0, 1 and -1. */
static bool is_isometry(const graze_motion *motion)
{
    const graze_pose *end = motion->kind == GRAZE_MOTION_BLEND ? &motion->end : &motion->start;
    if (is_turn(motion))
        return true;
    for (int k = 0; k < 3; k++)
    {
        int rows = 0, columns = 0;
        for (int j = 0; j < 3; j++)
        {
            double x = motion->start.m[4 * k + j], y = motion->start.m[4 * j + k], last = end->m[4 * k + j];
            if (x < last || x > last || !(fabs(x) == 1 || !(fabs(x) > 0)))
                return false;
            rows += fabs(x) > 0;
            columns += fabs(y) > 0;
        }
        if (rows != 1 || columns != 1)
            return false;
    }
    return true;
}

/* The length of a normal: a point where it is along an axis. */
static interval length_of(const double normal[3])
{
    double most = 0;
    int count = 0;
    for (int k = 0; k < 3; k++)
    {
        count += fabs(normal[k]) > 0;
        most = fmax(most, fabs(normal[k]));
    }
    if (count == 1)
        return interval_point(most);
    double scale = ldexp(1, -ilogb(most)), square = 0;
    for (int k = 0; k < 3; k++)
        square += normal[k] * scale * (normal[k] * scale);
    double length = sqrt(square) / scale; /* fewer than 8 roundings; what underflows is below 2^-900 of it */
    return interval_outward(length * (1 - 16 * GRZ_U), length * (1 + 16 * GRZ_U));
}

/* The offset of the half-space moved out by the sum of three lengths: a point where it is a double. */
static interval moved_out(const double normal[3], double offset, const double terms[3])
{
    interval sum = interval_point(0), length = length_of(normal);
    int zeros = 0;
    double only = 0;
    for (int i = 0; i < 3; i++)
    {
        zeros += !(terms[i] > 0);
        only = fmax(only, terms[i]);
        sum = interval_add(sum, interval_point(terms[i]));
    }
    double way = only * length.lower, total = offset + way, part = total - offset;
    bool exact = zeros >= 2 && !(length.lower < length.upper) && way < 0x1p900 && fabs(offset) < 0x1p900 &&
                 (way > 0x1p-900 || !(only > 0)) && !(fabs(fma(only, length.lower, -way)) > 0) &&
                 !(fabs((offset - (total - part)) + (way - part)) > 0); /* of Knuth's sum of two */
    /* shortcut: half-space-moved-out */
    return exact ? interval_point(total) : interval_add(interval_point(offset), interval_mul(sum, length));
}

/* Where the corner is at the time, and the direction away from the face: estimates. */
static void describe_corner(const graze_moving_shape *plane, const graze_moving_shape *body,
                            const grz_plane_impact *impact, graze_shape_impact *out)
{
    graze_placed placed = {plane->shape, graze_pose_identity()};
    graze_pose pose;
    grz_half_space h;
    const graze_mesh *mesh = body->shape->mesh;
    const double *corner =
        grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)impact->triangle + (size_t)impact->corner]);
    if (graze_motion_pose(&body->motion, impact->upper, &pose, NULL) != GRAZE_STATUS_OK ||
        graze_motion_pose(&plane->motion, impact->upper, &placed.pose, NULL) != GRAZE_STATUS_OK ||
        !grz_half_space_place(&placed, &h))
        return;
    double length = 0;
    for (int k = 0; k < 3; k++)
    {
        out->normal[k] = 0.5 * h.direction[k].lower + 0.5 * h.direction[k].upper;
        length = hypot(length, out->normal[k]);
    }
    graze_pose_apply(&pose, corner, out->hit.point);
    out->hit.has_point = true;
    for (int k = 0; k < 3; k++)
    {
        out->normal[k] = length > 0 ? out->normal[k] / length : 0;
        out->hit.point[k] -= body->shape->radius * out->normal[k];
    }
}

static void describe_impact(const graze_moving_shape *const sides[2], int plane_side, const grz_plane_impact *impact,
                            graze_shape_impact *out)
{
    const graze_shape *shape = sides[1 - plane_side]->shape;
    describe_corner(sides[plane_side], sides[1 - plane_side], impact, out);
    for (int k = 0; k < 3 && plane_side == 1; k++)
        out->normal[k] = -out->normal[k];
    if (!graze_shape_has_triangles(shape))
        return;
    uint32_t face = graze_mesh_triangle_face(shape->mesh, impact->triangle);
    *(plane_side == 0 ? &out->hit.triangle_b : &out->hit.triangle_a) = impact->triangle;
    *(plane_side == 0 ? &out->hit.face_b : &out->hit.face_a) = face;
}

static bool has_core(const graze_shape *shape)
{
    return shape->form == GRZ_FORM_CORE && shape->mesh->triangle_count > 0;
}

graze_status grz_half_space_impact(const graze_context *context, const graze_moving_shape *const sides[2],
                                   double margin, grz_monitor *monitor, bool *out_known, graze_shape_impact *out)
{
    int plane_side = sides[0]->shape->form == GRZ_FORM_HALF_SPACE ? 0 : 1;
    const graze_moving_shape *plane = sides[plane_side], *body = sides[1 - plane_side];
    const double *numbers = plane->shape->numbers, terms[3] = {body->shape->radius, margin, 0};
    bool away = terms[0] > 0 || margin > 0;
    *out_known = false;
    if (plane->shape->form != GRZ_FORM_HALF_SPACE || !has_core(body->shape) || (away && !is_isometry(&plane->motion)))
        return GRAZE_STATUS_OK;
    grz_moving_half_space half_space = {&plane->motion, {numbers[0], numbers[1], numbers[2]}, numbers[3]};
    interval offsets = away ? moved_out(numbers, numbers[3], terms) : interval_point(numbers[3]);
    grz_plane_impact first, last;
    if (!(fabs(offsets.lower) < INFINITY && fabs(offsets.upper) < INFINITY))
        return GRAZE_STATUS_OK;
    half_space.offset = offsets.upper;
    graze_status status =
        grz_plane_impact_find(context, &half_space, body->shape->mesh, &body->motion, monitor, &first);
    last = first;
    half_space.offset = offsets.lower;
    if (status == GRAZE_STATUS_OK && first.known && first.found && offsets.lower < offsets.upper)
        status = grz_plane_impact_find(context, &half_space, body->shape->mesh, &body->motion, monitor, &last);
    *out_known = first.known;
    if (status != GRAZE_STATUS_OK || !first.known || !first.found)
        return status;
    out->verdict = last.found ? GRAZE_IMPACT_AT : GRAZE_IMPACT_UNKNOWN;
    out->lower = first.lower;
    out->upper = last.found ? last.upper : 1;
    out->at_start = last.found && !(last.upper > 0);
    if (last.found)
        describe_impact(sides, plane_side, &last, out);
    return GRAZE_STATUS_OK;
}
