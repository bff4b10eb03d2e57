/* SPDX-License-Identifier: MIT */
/* Motion of the objects of scene files; see motion.h. Follows the test program of Zachmann's thesis: objects in a cage
 * reverse when they collide. */
#include "scene/motion.h"

#include <stdlib.h>

static bool is_mover(const scene_object *object)
{
    return object->moves || object->track != NULL;
}

graze_pose motion_first_pose(const scene_object *object)
{
    return object->track != NULL && object->track->frames[0] == 1 ? object->track->poses[0] : object->pose;
}

bool motion_open(const scene_file *file, graze_scene *scene, const graze_object *ids, scene_motion *out_motion)
{
    *out_motion = (scene_motion){.file = file, .scene = scene, .ids = ids};
    size_t count = 0;
    for (size_t i = 0; i < file->object_count; i++)
        count += is_mover(&file->objects[i]);
    out_motion->movers = calloc(count + 1, sizeof *out_motion->movers);
    out_motion->mover_of = calloc(file->object_count + 1, sizeof *out_motion->mover_of);
    if (out_motion->movers == NULL || out_motion->mover_of == NULL)
        return false;
    for (size_t i = 0; i < file->object_count; i++)
    {
        const scene_object *object = &file->objects[i];
        out_motion->mover_of[i] = GRZ_NO_NAME;
        if (!is_mover(object))
            continue;
        scene_mover *mover = &out_motion->movers[out_motion->mover_count];
        mover->object = (uint32_t)i;
        mover->spin = object->spin_degrees;
        mover->step = object->track != NULL && object->track->frames[0] == 1;
        for (int axis = 0; axis < 3; axis++)
        {
            mover->position[axis] = object->pose.m[4 * axis + 3];
            mover->velocity[axis] = object->velocity[axis];
        }
        out_motion->mover_of[i] = (uint32_t)out_motion->mover_count++;
    }
    return true;
}

void motion_release(scene_motion *motion)
{
    free(motion->movers);
    free(motion->mover_of);
    *motion = (scene_motion){0};
}

/* Reverses the motion of the object, or of its nearest ancestor that moves by velocity or spin. */
static void turn_back(scene_motion *motion, const scene_object *object)
{
    uint32_t at = (uint32_t)(object - motion->file->objects);
    while (at != GRZ_NO_NAME && !motion->file->objects[at].moves)
        at = motion->file->objects[at].parent;
    if (at != GRZ_NO_NAME)
        motion->movers[motion->mover_of[at]].turns_back = true;
}

void motion_react(scene_motion *motion, const graze_frame *frame)
{
    for (size_t i = 0; motion->file->bounces && i < frame->event_count; i++)
    {
        const graze_event *event = &frame->events[i];
        bool begins = event->kind == GRAZE_EVENT_BEGIN || event->kind == GRAZE_EVENT_PASS;
        if (!begins || event->sensor)
            continue;
        turn_back(motion, event->user_a);
        turn_back(motion, event->user_b);
    }
}

/* Walls are for objects without parent: along each axis where its box is beyond a wall and it moves outward, the
 * velocity is reversed. */
static void meet_walls(const scene_motion *motion, scene_mover *mover)
{
    graze_box box;
    const scene_file *file = motion->file;
    if (!file->has_cage || file->objects[mover->object].parent != GRZ_NO_NAME ||
        graze_scene_placed_mesh(motion->scene, motion->ids[mover->object], NULL, &box) != GRAZE_STATUS_OK)
        return;
    for (int axis = 0; axis < 3; axis++)
    {
        double speed = mover->velocity[axis];
        if ((speed < 0 && box.lower[axis] < file->cage_lower[axis]) ||
            (speed > 0 && box.upper[axis] > file->cage_upper[axis]))
            mover->velocity[axis] = -speed;
    }
}

static graze_status fly(const scene_motion *motion, scene_mover *mover)
{
    const scene_object *object = &motion->file->objects[mover->object];
    double seconds = motion->file->seconds_per_frame;
    graze_pose pose = object->pose;
    if (mover->turns_back)
    {
        for (int axis = 0; axis < 3; axis++)
            mover->velocity[axis] = -mover->velocity[axis];
        mover->spin = -mover->spin;
        mover->turns_back = false;
    }
    meet_walls(motion, mover);
    mover->degrees += mover->spin * seconds;
    if (mover->degrees != 0)
    {
        graze_pose turn;
        if (!pose_from_degrees(object->spin_axis, mover->degrees, NULL, &turn) ||
            graze_pose_compose(&turn, &object->pose, &pose, NULL) != GRAZE_STATUS_OK)
            return GRAZE_STATUS_NOT_FINITE;
    }
    for (int axis = 0; axis < 3; axis++)
    {
        mover->position[axis] += mover->velocity[axis] * seconds;
        pose.m[4 * axis + 3] = mover->position[axis];
    }
    return graze_scene_move(motion->scene, motion->ids[mover->object], &pose);
}

static graze_status follow(const scene_motion *motion, scene_mover *mover, uint64_t frame)
{
    const scene_track *track = motion->file->objects[mover->object].track;
    size_t step = mover->step;
    while (mover->step < track->count && track->frames[mover->step] <= frame)
        mover->step++;
    if (mover->step == step)
        return GRAZE_STATUS_OK;
    return graze_scene_move(motion->scene, motion->ids[mover->object], &track->poses[mover->step - 1]);
}

graze_status motion_advance(scene_motion *motion, uint64_t frame, uint32_t *out_object)
{
    for (size_t i = 0; i < motion->mover_count; i++)
    {
        scene_mover *mover = &motion->movers[i];
        const scene_object *object = &motion->file->objects[mover->object];
        graze_status status = object->moves ? fly(motion, mover) : follow(motion, mover, frame);
        *out_object = mover->object;
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    return GRAZE_STATUS_OK;
}
