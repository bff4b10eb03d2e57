/* SPDX-License-Identifier: MIT */
/*
 * Pairs that repeat: the same two meshes, turned the same way, in the same place relative to each other, as in rows of
 * instances. Decisions do not change when both are moved by the same translation, so those of one pair are those of
 * all. Only pairs are remembered that touch or are clear: a depth is certified for doubles where they stand.
 */
#ifndef TOOL_CLASH_REPEAT_H
#define TOOL_CLASH_REPEAT_H

#include "clash.h"

typedef struct clash_repeats clash_repeats;

/* What two parts are relative to each other. All of it is compared bit by bit. */
typedef struct clash_relation
{
    const graze_mesh *meshes[2];
    double turns[2][9];  /* linear parts of the poses */
    double shift[3];     /* exactly the translation of b's pose minus that of a's */
    double clearance;    /* of the limits */
    double allows_touch; /* 0 or 1 */
} clash_relation;

/* False when the difference of the translations is no double: then the pair is one of its own. */
bool clash_relation_of(const clash_part *a, const clash_part *b, const clash_limits *limits,
                       clash_relation *out_relation);

/* What is known of a pair that touches, or, without a kind, is clear. */
typedef struct clash_repeat
{
    const char *touch_kind;
    uint64_t pairs;
    double area, point[3]; /* the point when a's translation is 0 */
} clash_repeat;

/* A fixed number of places; a later pair takes that of an earlier one. NULL when memory ends. */
clash_repeats *clash_repeats_create(void);
void clash_repeats_release(clash_repeats *repeats);

/* Thread safety: any number of threads may ask and add. `repeats` may be NULL: then nothing is known. */
bool clash_repeats_find(clash_repeats *repeats, const clash_relation *relation, clash_repeat *out_repeat);
void clash_repeats_add(clash_repeats *repeats, const clash_relation *relation, const clash_repeat *repeat);

#endif
