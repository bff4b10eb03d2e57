/* SPDX-License-Identifier: MIT */
/*
 * Poses on their way from the application to the detector: each object at most once, with the last pose given. All
 * memory is there from the start, so that noting a pose neither allocates nor fails.
 */
#ifndef GRZ_SCENE_HAND_OVER_H
#define GRZ_SCENE_HAND_OVER_H

#include <stdint.h>

#include "graze/scene.h"

typedef struct grz_noted_pose
{
    graze_object object;
    graze_pose pose;
} grz_noted_pose;

typedef struct grz_hand_over
{
    grz_noted_pose *poses;
    uint64_t *bits;    /* by index of the object: whether it has a pose here, */
    uint32_t *places;  /* and where */
    size_t word_count; /* of bits */
    uint32_t count;
    uint64_t commit; /* the last one it holds */
} grz_hand_over;

/* For objects with indices below `limit`. False when out of memory, with nothing to release. */
bool grz_hand_over_init(const graze_context *context, grz_hand_over *hand_over, size_t limit);
void grz_hand_over_release(const graze_context *context, grz_hand_over *hand_over);

void grz_hand_over_note(grz_hand_over *hand_over, graze_object object, const graze_pose *pose);

/* Everything of `older` that `newer` does not know better goes into one of the two, whichever is less work; the other
   is empty afterwards. Returns the one that has it all. */
grz_hand_over *grz_hand_over_merge(grz_hand_over *older, grz_hand_over *newer);

/* Moves the objects of the scene, and empties it. */
void grz_hand_over_apply(grz_hand_over *hand_over, graze_scene *scene);

#endif
