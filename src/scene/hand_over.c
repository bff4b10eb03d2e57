/* SPDX-License-Identifier: MIT */
/* Poses on their way to the detector; see hand_over.h. */
#include "scene/hand_over.h"

#include <string.h>

#include "base/memory.h"

bool grz_hand_over_init(const graze_context *context, grz_hand_over *hand_over, size_t limit)
{
    size_t words = limit / 64 + 1;
    *hand_over = (grz_hand_over){.poses = grz_allocate(context, limit, sizeof *hand_over->poses),
                                 .places = grz_allocate_zeroed(context, limit, sizeof *hand_over->places),
                                 .bits = grz_allocate_zeroed(context, words, sizeof *hand_over->bits),
                                 .word_count = words};
    if (hand_over->poses == NULL || hand_over->places == NULL || hand_over->bits == NULL)
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
    grz_release(context, hand_over->bits);
    *hand_over = (grz_hand_over){0};
}

void grz_hand_over_note(grz_hand_over *hand_over, graze_object object, const graze_pose *pose)
{
    uint64_t *word = &hand_over->bits[object.index / 64], bit = UINT64_C(1) << object.index % 64;
    uint32_t *place = &hand_over->places[object.index];
    if ((*word & bit) == 0)
        *place = hand_over->count++;
    *word |= bit;
    hand_over->poses[*place] = (grz_noted_pose){object, *pose};
}

static void empty(grz_hand_over *hand_over)
{
    memset(hand_over->bits, 0, hand_over->word_count * sizeof *hand_over->bits);
    hand_over->count = 0;
}

/* What only the older one has. Mostly, an application moves the same objects again, so that there is nothing. */
static void add_missing(const grz_hand_over *older, grz_hand_over *newer)
{
    for (size_t word = 0; word < older->word_count; word++)
    {
        /* shortcut: merged-hand-overs */
        for (uint64_t bits = older->bits[word] & ~newer->bits[word]; bits != 0; bits &= bits - 1)
        {
            size_t index = 64 * word + (size_t)__builtin_ctzll(bits);
            const grz_noted_pose *noted = &older->poses[older->places[index]];
            grz_hand_over_note(newer, noted->object, &noted->pose);
        }
    }
}

grz_hand_over *grz_hand_over_merge(grz_hand_over *older, grz_hand_over *newer)
{
    bool into_newer = older->count <= newer->count;
    grz_hand_over *from = into_newer ? older : newer, *into = into_newer ? newer : older;
    if (into_newer)
        add_missing(older, newer);
    else
        for (uint32_t i = 0; i < newer->count; i++)
            grz_hand_over_note(older, newer->poses[i].object, &newer->poses[i].pose);
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
