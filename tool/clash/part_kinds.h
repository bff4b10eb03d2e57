/* SPDX-License-Identifier: MIT */
/*
 * Kinds of parts: parts of which the sets --a and --b, the rules and the scene files say the same, but for what they
 * say of two parts by name. So what holds for two parts of two kinds holds for all, and pairs that are ignored can be
 * counted without a walk through all of them. What is said of two parts by name is a list.
 */
#ifndef TOOL_CLASH_PART_KINDS_H
#define TOOL_CLASH_PART_KINDS_H

#include "clash/engine.h"

/* Two parts, a < b. */
typedef struct clash_part_pair
{
    uint32_t a, b;
} clash_part_pair;

/* A list that grows; all zeros at first. */
typedef struct clash_part_pairs
{
    clash_part_pair *data;
    size_t count, capacity;
} clash_part_pairs;

/* In any order; a part with itself is passed over. False when memory ends. */
bool clash_part_pairs_add(clash_part_pairs *pairs, size_t a, size_t b);

typedef struct clash_kinds
{
    uint32_t *of; /* by part */
    size_t count;
    size_t *sizes;          /* by kind */
    uint32_t (*members)[2]; /* by kind: its first two parts; the second only counts where there are two */
    clash_part_pairs named; /* pairs of which something is said by name; ascending, each once */
    bool *is_named;         /* by part: whether it is in one of these */
} clash_kinds;

/* False when memory ends; release in any case. */
bool clash_kinds_make(const clash_request *request, clash_kinds *out_kinds);
void clash_kinds_release(clash_kinds *kinds);

/* Whether a pair is one that --a and --b ask for. */
bool clash_is_possible(const clash_part *a, const clash_part *b);

/* Whether nobody asks for a pair, and which entry of the report's list says so: rules first, then scenes. */
bool clash_is_ignored(const clash_request *request, size_t a, size_t b, size_t *out_entry);

/* Adds to the counts of `ignored` the possible pairs that each entry ignores, and returns their number. */
uint64_t clash_kinds_count_ignored(const clash_kinds *kinds, const clash_request *request, clash_ignored *ignored);

#endif
