/* SPDX-License-Identifier: MIT */
/* Poses on their way to the detector; see hand_over.h. */
#include "scene/hand_over.h"

#include <string.h>

#include "base/memory.h"

bool grz_hand_over_init(const graze_context *context, grz_hand_over *hand_over, size_t limit)
{
    *hand_over = (grz_hand_over){.poses = grz_allocate(context, limit, sizeof *hand_over->poses),
                                 .places = grz_allocate_zeroed(context, limit, sizeof *hand_over->places)};
    if (hand_over->poses == NULL || hand_over->places == NULL)
    {
        grz_hand_over_release(context, hand_over);
        return false;
    }
    if (limit > 0) /* has the system give the pages now, and not while the application is in a hurry */
        memset(hand_over->poses, 0, limit * sizeof *hand_over->poses);
    return true;
}

void grz_hand_over_release(const graze_context *context, grz_hand_over *hand_over)
{
    grz_release(context, hand_over->poses);
    grz_release(context, hand_over->places);
    *hand_over = (grz_hand_over){0};
}

void grz_hand_over_note(grz_hand_over *hand_over, graze_object object, const graze_pose *pose)
{
    uint32_t *place = &hand_over->places[object.index];
    if (*place == 0)
        *place = ++hand_over->count;
    hand_over->poses[*place - 1] = (grz_noted_pose){object, *pose};
}

static void empty(grz_hand_over *hand_over)
{
    for (uint32_t i = 0; i < hand_over->count; i++)
        hand_over->places[hand_over->poses[i].object.index] = 0;
    hand_over->count = 0;
}

grz_hand_over *grz_hand_over_merge(grz_hand_over *older, grz_hand_over *newer)
{
    bool into_newer = older->count <= newer->count;
    grz_hand_over *from = into_newer ? older : newer, *into = into_newer ? newer : older;
    for (uint32_t i = 0; i < from->count; i++)
    {
        const grz_noted_pose *noted = &from->poses[i];
        if (!into_newer || into->places[noted->object.index] == 0)
            grz_hand_over_note(into, noted->object, &noted->pose);
    }
    into->commit = newer->commit;
    empty(from);
    return into;
}

void grz_hand_over_apply(grz_hand_over *hand_over, graze_scene *scene)
{
    for (uint32_t i = 0; i < hand_over->count; i++) /* one that a callback has removed meanwhile is passed over */
        graze_scene_move(scene, hand_over->poses[i].object, &hand_over->poses[i].pose);
    empty(hand_over);
}
