/* SPDX-License-Identifier: MIT */
/*
 * Two parts between two frames; see between_frames.h. That no common point is deeper than a limit is proved by a
 * translation: where the second part, moved aside by no more than that, meets the first at no time, nor lies in it when
 * the segment begins, the two could be separated so at every time.
 */
#include "clash/between_frames.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/exact_sum.h"
#include "clash/shape_parts.h"
#include "clash/work.h"
#include "graze/shape_motion.h"

enum
{
    DIRECTIONS = 8 /* in which a part is moved aside, at most */
};

graze_motion grz_clash_motion_of(const grz_clash_part *part, uint32_t frame)
{
    if (part->motions != NULL)
        return part->motions[frame];
    return (graze_motion){.kind = GRAZE_MOTION_STILL, .start = part->placed.pose, .end = part->placed.pose};
}

graze_status grz_clash_place_part(const grz_clash_part *part, uint32_t frame, double t, grz_clash_part *out_part)
{
    *out_part = *part;
    if (part->motions == NULL || (frame == 0 && t == 0))
        return GRAZE_STATUS_OK;
    graze_pose pose;
    graze_status status = graze_motion_pose(&part->motions[frame], t, &pose, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    out_part->placed.pose = out_part->placed_shape.pose = pose;
    if (part->is_shape)
        grz_clash_shape_compute_aabb(out_part);
    else
        grz_clash_part_compute_aabb(out_part);
    return GRAZE_STATUS_OK;
}

static bool may_continue(void *user, double share)
{
    const grz_clash_request *request = user;
    grz_shared_monitor *shared = request->monitor;
    (void)share;
    if (shared != NULL && grz_thread_self() == shared->thread && !grz_monitor_check(shared->monitor))
        atomic_store_explicit(&shared->stopped, true, memory_order_relaxed);
    return !grz_clash_is_interrupted(request);
}

static graze_status find_meeting(const grz_clash_moving_pair *pair, const graze_motion *of_a, const graze_motion *of_b,
                                 grz_clash_meeting how, graze_impact *out_impact)
{
    const grz_clash_part *a = pair->parts[0], *b = pair->parts[1];
    const graze_moving_mesh moving_a = {.mesh = a->placed.mesh, .tree = a->placed.tree, .motion = *of_a};
    const graze_moving_mesh moving_b = {.mesh = b->placed.mesh, .tree = b->placed.tree, .motion = *of_b};
    grz_clash_request request = *pair->request;
    graze_impact_options options = graze_impact_options_default();
    options.crossing = how == GRZ_CLASH_CROSSING;
    options.solids = how == GRZ_CLASH_SOLIDS;
    options.cache = how == GRZ_CLASH_SOLIDS ? NULL : pair->cache; /* those are moved aside */
    options.budget.progress = may_continue;
    options.budget.progress_user = &request;
    graze_status status = graze_pair_impact(pair->request->context, &moving_a, &moving_b, &options, out_impact);
    if (status == GRAZE_STATUS_OK && out_impact->verdict == GRAZE_IMPACT_UNKNOWN)
        return GRAZE_STATUS_UNFINISHED;
    return status;
}

graze_status grz_clash_find_impact(const grz_clash_moving_pair *pair, uint32_t frame, grz_clash_meeting how,
                                   graze_impact *out_impact)
{
    const graze_motion of_a = grz_clash_motion_of(pair->parts[0], frame);
    const graze_motion of_b = grz_clash_motion_of(pair->parts[1], frame);
    return find_meeting(pair, &of_a, &of_b, how, out_impact);
}

graze_status grz_clash_find_shape_impact(const grz_clash_moving_pair *pair, uint32_t frame, graze_impact *out_impact)
{
    graze_moving_shape sides[2];
    graze_shape_impact found;
    grz_clash_request request = *pair->request;
    graze_impact_options options = graze_impact_options_default();
    options.budget.progress = may_continue;
    options.budget.progress_user = &request;
    for (int i = 0; i < 2; i++)
        sides[i] = (graze_moving_shape){pair->parts[i]->placed_shape.shape, grz_clash_motion_of(pair->parts[i], frame)};
    *out_impact = (graze_impact){.verdict = GRAZE_IMPACT_UNKNOWN};
    graze_status status = graze_shape_pair_impact(pair->request->context, &sides[0], &sides[1], &options, &found);
    if (status == GRAZE_STATUS_UNSUPPORTED || status == GRAZE_STATUS_NOT_RIGID)
        return GRAZE_STATUS_OK;
    if (status != GRAZE_STATUS_OK)
        return status;
    out_impact->verdict = found.verdict;
    out_impact->lower = found.lower;
    out_impact->upper = found.upper;
    out_impact->at_start = found.at_start;
    memcpy(out_impact->point, found.hit.point, sizeof out_impact->point);
    memcpy(out_impact->normal, found.normal, sizeof out_impact->normal);
    return GRAZE_STATUS_OK;
}

double grz_clash_rounding_at(const grz_clash_moving_pair *pair, uint32_t frame, double t)
{
    double rounding = 0;
    for (int i = 0; i < 2; i++)
    {
        const graze_motion motion = grz_clash_motion_of(pair->parts[i], frame);
        const graze_placed body = {pair->parts[i]->placed_shape.shape, graze_pose_identity()};
        graze_pose pose;
        graze_box box;
        double error, size = 1;
        if (graze_motion_pose(&motion, t, &pose, &error) != GRAZE_STATUS_OK ||
            graze_placed_bounds(&body, &box) != GRAZE_STATUS_OK)
            return INFINITY;
        for (int k = 0; k < 3 && box.lower[k] <= box.upper[k]; k++)
            size += fmax(fabs(box.lower[k]), fabs(box.upper[k]));
        rounding += error > 0 ? 2 * error * size : 0;
    }
    return rounding;
}

/* Moves a motion aside by at most `limit`, in about a direction of length 1. False where that cannot be said for sure:
 * where the rounded translation is not exactly known, or is longer. */
static bool move_aside(graze_motion *motion, const double direction[3], double limit)
{
    double length = 0;
    bool turns = motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
    for (int axis = 0; axis < 3; axis++)
    {
        double *places[2] = {turns ? &motion->path[0][axis] : &motion->start.m[4 * axis + 3],
                             turns ? NULL : &motion->end.m[4 * axis + 3]};
        double shift = direction[axis] * limit * (1 - 0x1p-40), done = 0;
        for (int i = 0; i < 2 && places[i] != NULL; i++)
        {
            double moved = *places[i] + shift, way;
            if (!grz_sum_exactly(moved, -*places[i], &way) || (i == 1 && way != done))
                return false;
            done = way;
            *places[i] = moved;
        }
        length = hypot(length, done);
    }
    /* shortcut: moved-aside */
    return length * (1 + 16 * DBL_EPSILON) <= limit;
}

/* The unit normal of a triangle of a part at a time, rounded: a guess. False for a degenerate one. */
static bool normal_of(const grz_clash_part *part, uint32_t frame, double t, uint32_t triangle, double out_normal[3])
{
    grz_clash_part placed;
    double corners[3][3], u[3], v[3];
    if (grz_clash_place_part(part, frame, t, &placed) != GRAZE_STATUS_OK ||
        triangle >= graze_mesh_triangle_count(part->placed.mesh))
        return false;
    const uint32_t *indices = graze_mesh_triangles(part->placed.mesh) + 3 * (size_t)triangle;
    for (int i = 0; i < 3; i++)
        graze_pose_apply(&placed.placed.pose, graze_mesh_vertices(part->placed.mesh) + 3 * (size_t)indices[i],
                         corners[i]);
    for (int axis = 0; axis < 3; axis++)
    {
        u[axis] = corners[1][axis] - corners[0][axis];
        v[axis] = corners[2][axis] - corners[0][axis];
    }
    for (int axis = 0; axis < 3; axis++)
    {
        int j = (axis + 1) % 3, k = (axis + 2) % 3;
        out_normal[axis] = u[j] * v[k] - u[k] * v[j];
    }
    return true;
}

/* Directions in which the second part may leave the first: the normal of the impact, the way out of what was measured,
 * the normals of the triangles that meet, and their opposites. */
static int list_directions(const grz_clash_moving_pair *pair, uint32_t frame, const graze_impact *impact,
                           const double *way_out, double out[DIRECTIONS][3])
{
    double known[4][3] = {{impact->normal[0], impact->normal[1], impact->normal[2]}};
    if (way_out != NULL)
        memcpy(known[1], way_out, sizeof known[1]);
    if (!normal_of(pair->parts[0], frame, impact->upper, impact->hit.triangle_a, known[2]))
        memset(known[2], 0, sizeof known[2]);
    if (!normal_of(pair->parts[1], frame, impact->upper, impact->hit.triangle_b, known[3]))
        memset(known[3], 0, sizeof known[3]);
    int count = 0;
    for (int i = 0; i < 4; i++)
    {
        double length = hypot(hypot(known[i][0], known[i][1]), known[i][2]);
        for (int sign = 1; sign >= -1 && length > 0 && isfinite(length); sign -= 2)
        {
            for (int axis = 0; axis < 3; axis++)
                out[count][axis] = sign * known[i][axis] / length;
            count++;
        }
    }
    return count;
}

graze_status grz_clash_is_shallow(const grz_clash_moving_pair *pair, uint32_t frame, const graze_impact *impact,
                                  double limit, const double *way_out, bool *out_shallow)
{
    const grz_clash_part *a = pair->parts[0], *b = pair->parts[1];
    double directions[DIRECTIONS][3];
    *out_shallow = false;
    if (!(limit > 0) || !(a->closed && b->closed))
        return GRAZE_STATUS_OK;
    const graze_motion of_a = grz_clash_motion_of(a, frame);
    int count = list_directions(pair, frame, impact, way_out, directions);
    for (int i = 0; i < count && !*out_shallow; i++)
    {
        graze_motion of_b = grz_clash_motion_of(b, frame);
        graze_impact aside;
        if (!move_aside(&of_b, directions[i], limit))
            continue;
        graze_status status = find_meeting(pair, &of_a, &of_b, GRZ_CLASH_SOLIDS, &aside);
        if (status != GRAZE_STATUS_OK)
            return status;
        *out_shallow = aside.verdict == GRAZE_IMPACT_NONE;
    }
    return GRAZE_STATUS_OK;
}
