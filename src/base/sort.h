/* SPDX-License-Identifier: MIT */
/*
 * Sorting by a key of 64 bits that carries a value along: a few by insertion, many by radix, eight bits at a time.
 * Digits that all keys share cost nothing but the look. Equal keys keep their order.
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

/* Sorts numbers of which no two agree above their lowest `carried` bits: some hundred by merging, without branches that
   depend on them, more by radix. */
void grz_sort_numbers(uint64_t *numbers, uint64_t *scratch, size_t count, unsigned carried);

#endif
