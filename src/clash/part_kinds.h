/* SPDX-License-Identifier: MIT */
/*
 * Kinds: equivalence classes of parts that --a, --b, the rules and the scene files treat alike, except for entries that
 * name two parts. What holds for two parts of two kinds holds for all of them, so ignored pairs are counted without
 * enumerating all pairs. Entries that name two parts are a separate list.
 */
#ifndef GRZ_CLASH_PART_KINDS_H
#define GRZ_CLASH_PART_KINDS_H

#include "clash/engine.h"

/* Two parts, a < b. */
typedef struct grz_clash_part_pair
{
    uint32_t a, b;
} grz_clash_part_pair;

/* A growing list; initialise with zeros. */
typedef struct grz_clash_part_pairs
{
    grz_clash_part_pair *data;
    size_t count, capacity;
} grz_clash_part_pairs;

/* Adds two parts in any order; a part with itself is skipped. False when out of memory. */
bool grz_clash_part_pairs_add(const graze_context *context, grz_clash_part_pairs *pairs, size_t a, size_t b);

typedef struct grz_clash_kinds
{
    uint32_t *of; /* by part */
    size_t count;
    size_t *sizes;              /* by kind */
    uint32_t (*members)[2];     /* by kind: its first two parts; the second is valid if there are two */
    grz_clash_part_pairs named; /* pairs that entries name; sorted, each once */
    bool *is_named;             /* by part: whether it is in one of these */
} grz_clash_kinds;

/* Returns false when out of memory; release in any case. */
bool grz_clash_kinds_make(const grz_clash_request *request, grz_clash_kinds *out_kinds);
void grz_clash_kinds_release(const graze_context *context, grz_clash_kinds *kinds);

/* Whether --a and --b allow a pair. */
bool grz_clash_is_possible(const grz_clash_part *a, const grz_clash_part *b);

/* Whether a pair is ignored, and by which entry of the report's list: rules first, then scenes. */
bool grz_clash_is_ignored(const grz_clash_request *request, size_t a, size_t b, size_t *out_entry);

/* Adds to the counts of `ignored` the possible pairs that each entry ignores, and sums them up. Takes time for the
 * pairs of kinds that differ in more than parent, file and assembly, and for each class of parts that have these in
 * common. False when out of memory. */
bool grz_clash_kinds_count_ignored(const grz_clash_kinds *kinds, const grz_clash_request *request,
                                   graze_clash_ignored *ignored, uint64_t *out_total);

#endif
