/* SPDX-License-Identifier: MIT */
/*
 * Sorts by a 64-bit key with a value attached: insertion sort for few, radix sort by eight bits for many. A digit that
 * all keys share costs only its counting. Stable.
 */
#ifndef GRZ_BASE_SORT_H
#define GRZ_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget_monitor.h"

typedef struct grz_key_value
{
    uint64_t key, value;
} grz_key_value;

/* Sorts `entries`, ascending; `scratch` has room for as many. */
void grz_sort_keyed(grz_key_value *entries, grz_key_value *scratch, size_t count);

/* The same. False when the monitor, which may be NULL, stops it; entries are lost then. */
bool grz_sort_keyed_monitored(grz_key_value *entries, grz_key_value *scratch, size_t count, grz_monitor *monitor);

/* The same for words by their upper halves, eleven bits at a time; the lower halves are carried along. */
void grz_sort_words(uint64_t *words, uint64_t *scratch, size_t count);

/* Sorts numbers of which no two agree above their lowest `carried` bits: a few hundred by a branch-free merge sort,
   more by radix sort. */
void grz_sort_numbers(uint64_t *numbers, uint64_t *scratch, size_t count, unsigned carried);

#endif
