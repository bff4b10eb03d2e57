/* SPDX-License-Identifier: MIT */
/* Interest rules of scene files (docs/scene-format.md) as named entries that ignore pairs. The pairs are those that
 * graze_interest_wants excludes. */
#ifndef TOOL_CLASH_INTEREST_H
#define TOOL_CLASH_INTEREST_H

#include "clash/report.h"
#include "scene/inputs.h"

typedef struct clash_interest clash_interest;

/* The inputs must outlive it. False when out of memory. */
bool clash_interest_create(const tool_inputs *inputs, clash_interest **out_interest);
void clash_interest_release(clash_interest *interest);

/* Whether a pair of parts is ignored, and by which entry. `interest` may be NULL, here and below. */
bool clash_interest_ignores(const clash_interest *interest, size_t a, size_t b, size_t *out_entry);

/* The same without rules that name the pair, and without the rule about parent and child. */
bool clash_interest_ignores_unnamed(const clash_interest *interest, size_t a, size_t b, size_t *out_entry);

/* Adds the pairs of parts that those rules name. False when out of memory. */
struct clash_part_pairs;
bool clash_interest_named_pairs(const clash_interest *interest, struct clash_part_pairs *pairs);

/* Parts with equal keys are treated alike by all other rules, whatever the other part is. */
typedef struct clash_interest_key
{
    int32_t scene, of_object;
    uint32_t flags, assembly, layer;
} clash_interest_key;

void clash_interest_key_of(const clash_interest *interest, size_t part, clash_interest_key *out_key);

/* The entries that may ignore pairs. Texts belong to the interest. */
size_t clash_interest_count(const clash_interest *interest);
clash_ignored clash_interest_entry(const clash_interest *interest, size_t entry);

#endif
