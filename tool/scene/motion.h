/* SPDX-License-Identifier: MIT */
/* Motion of the objects of a scene file from frame to frame: along tracks, or by velocity and spin, reversed at the
 * walls of the cage and by collisions. The same file and the same events give the same poses. */
#ifndef TOOL_SCENE_MOTION_H
#define TOOL_SCENE_MOTION_H

#include "scene/scene_file.h"

typedef struct scene_mover
{
    uint32_t object;
    bool turns_back; /* reverses in the next frame */
    double position[3], velocity[3];
    double degrees, spin; /* angle so far, and per second */
    size_t step;          /* steps of the track already passed */
} scene_mover;

typedef struct scene_motion
{
    const scene_file *file;
    graze_scene *scene;
    const graze_object *ids; /* by object of the file */
    scene_mover *movers;
    size_t mover_count;
    uint32_t *mover_of; /* by object; GRZ_NO_NAME: it has no motion of its own */
} scene_motion;

/* The poses of frame 1 are those of the tracks, or of the objects. False when out of memory; release in any case. */
bool motion_open(const scene_file *file, graze_scene *scene, const graze_object *ids, scene_motion *out_motion);
void motion_release(scene_motion *motion);

/* The pose of an object in frame 1. */
graze_pose motion_first_pose(const scene_object *object);

/* Reacts to the collisions of a frame: objects that begin to collide reverse. */
void motion_react(scene_motion *motion, const graze_frame *frame);

/* Moves all objects to their poses of the next frame. On failure *out_object is the one that would leave the range of
 * doubles. */
graze_status motion_advance(scene_motion *motion, uint64_t frame, uint32_t *out_object);

#endif
