/* SPDX-License-Identifier: MIT */
/*
 * Kinds: equivalence classes of parts that --a, --b, the rules and the scene files treat alike, except for entries that
 * name two parts. What holds for two parts of two kinds holds for all of them, so ignored pairs are counted without
 * enumerating all pairs. Entries that name two parts are a separate list.
 */
#ifndef TOOL_CLASH_PART_KINDS_H
#define TOOL_CLASH_PART_KINDS_H

#include "clash/engine.h"

/* Two parts, a < b. */
typedef struct clash_part_pair
{
    uint32_t a, b;
} clash_part_pair;

/* A growing list; initialise with zeros. */
typedef struct clash_part_pairs
{
    clash_part_pair *data;
    size_t count, capacity;
} clash_part_pairs;

/* Adds two parts in any order; a part with itself is skipped. False when out of memory. */
bool clash_part_pairs_add(clash_part_pairs *pairs, size_t a, size_t b);

typedef struct clash_kinds
{
    uint32_t *of; /* by part */
    size_t count;
    size_t *sizes;          /* by kind */
    uint32_t (*members)[2]; /* by kind: its first two parts; the second is valid if there are two */
    clash_part_pairs named; /* pairs that entries name; sorted, each once */
    bool *is_named;         /* by part: whether it is in one of these */
} clash_kinds;

/* Returns false when out of memory; release in any case. */
bool clash_kinds_make(const clash_request *request, clash_kinds *out_kinds);
void clash_kinds_release(clash_kinds *kinds);

/* Whether --a and --b allow a pair. */
bool clash_is_possible(const clash_part *a, const clash_part *b);

/* Whether a pair is ignored, and by which entry of the report's list: rules first, then scenes. */
bool clash_is_ignored(const clash_request *request, size_t a, size_t b, size_t *out_entry);

/* Adds to the counts of `ignored` the possible pairs that each entry ignores, and returns their total. */
uint64_t clash_kinds_count_ignored(const clash_kinds *kinds, const clash_request *request, clash_ignored *ignored);

#endif
