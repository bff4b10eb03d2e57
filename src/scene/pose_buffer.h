/* SPDX-License-Identifier: MIT */
/*
 * Poses on their way from the application to the detector: each object at most once, with the last pose given. All
 * memory is there from the start, so that noting a pose neither allocates nor fails.
 */
#ifndef GRZ_SCENE_POSE_BUFFER_H
#define GRZ_SCENE_POSE_BUFFER_H

#include <stdint.h>

#include "graze/scene.h"

typedef struct grz_buffered_pose
{
    graze_object object;
    graze_pose pose;
} grz_buffered_pose;

typedef struct grz_pose_buffer
{
    grz_buffered_pose *poses;
    uint64_t *bits;    /* by index of the object: whether it has a pose here, */
    uint32_t *places;  /* and where */
    size_t word_count; /* of bits */
    uint32_t count;
    uint64_t commit; /* the last one it holds */
} grz_pose_buffer;

/* For objects with indices below `limit`. False when out of memory, with nothing to release. */
bool grz_pose_buffer_init(const graze_context *context, grz_pose_buffer *pose_buffer, size_t limit);
void grz_pose_buffer_release(const graze_context *context, grz_pose_buffer *pose_buffer);

void grz_pose_buffer_set(grz_pose_buffer *pose_buffer, graze_object object, const graze_pose *pose);

/* Everything of `older` that `newer` does not know better goes into one of the two, whichever is less work; the other
   is empty afterwards. Returns the one that has it all. */
grz_pose_buffer *grz_pose_buffer_merge(grz_pose_buffer *older, grz_pose_buffer *newer);

/* Moves the objects of the scene, and empties it. */
void grz_pose_buffer_apply(grz_pose_buffer *pose_buffer, graze_scene *scene);

#endif
