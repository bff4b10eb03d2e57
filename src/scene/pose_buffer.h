/* SPDX-License-Identifier: MIT */
/*
 * Poses passed from the application to the detector: each object at most once, with the last pose set. All memory is
 * allocated at the start, so that setting a pose neither allocates nor fails.
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
    uint64_t *bits;         /* by object index: whether it has a pose here */
    uint32_t *pose_indices; /* by object index: where in `poses` */
    size_t word_count;      /* words of `bits` */
    uint32_t count;
    uint64_t commit; /* the last commit it contains */
} grz_pose_buffer;

/* Allocates a buffer for objects with indices below `limit`. False when out of memory, with nothing to release. */
bool grz_pose_buffer_init(const graze_context *context, grz_pose_buffer *pose_buffer, size_t limit);
void grz_pose_buffer_release(const graze_context *context, grz_pose_buffer *pose_buffer);

void grz_pose_buffer_set(grz_pose_buffer *pose_buffer, graze_object object, const graze_pose *pose);

/* Merges the two buffers, newer poses taking precedence, into one of them, whichever is less work; the other is empty
   afterwards. Returns the merged one. */
grz_pose_buffer *grz_pose_buffer_merge(grz_pose_buffer *older, grz_pose_buffer *newer);

/* Moves the objects of the scene to the poses, and clears the buffer. */
void grz_pose_buffer_apply(grz_pose_buffer *pose_buffer, graze_scene *scene);

#endif
