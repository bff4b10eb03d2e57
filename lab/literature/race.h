/* SPDX-License-Identifier: MIT */
/* Two queries of one pair of bodies on two threads: the first sure answer stops the other (000 6.3.2, 6.5). */
#ifndef LAB_LITERATURE_RACE_H
#define LAB_LITERATURE_RACE_H

#include <stdbool.h>

#include "graze/graze.h"

typedef struct race_entry
{
    graze_placed_method_body a, b;
    graze_method_cache *cache; /* may be NULL */
} race_entry;

typedef struct race_result
{
    bool collide;
    int winner;     /* that was sure first; -1: neither, and both guess that they are apart */
    double late_ns; /* from the first answer until both have returned */
} race_result;

/* False after a failure. The tasks should have two threads. */
bool race_run(const graze_tasks *tasks, const race_entry entries[2], race_result *out);

/* The time that everybody sees, in nanoseconds. */
double race_now(void);

#endif
