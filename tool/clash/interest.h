/* SPDX-License-Identifier: MIT */
/* What scene files say of the interest in pairs of their objects (docs/scene-format.md), as rules that ignore pairs and
 * can be named. The pairs are those that graze_interest_wants leaves out. */
#ifndef TOOL_CLASH_INTEREST_H
#define TOOL_CLASH_INTEREST_H

#include "clash/report.h"
#include "scene/inputs.h"

typedef struct clash_interest clash_interest;

/* The inputs must outlive it. False when memory ends. */
bool clash_interest_create(const tool_inputs *inputs, clash_interest **out_interest);
void clash_interest_release(clash_interest *interest);

/* Whether nobody asks for a pair of parts, and because of which entry. `interest` may be NULL, here and below. */
bool clash_interest_ignores(const clash_interest *interest, size_t a, size_t b, size_t *out_entry);

/* The same without what is said of the two by name, and of a parent and its child. */
bool clash_interest_ignores_unnamed(const clash_interest *interest, size_t a, size_t b, size_t *out_entry);

/* Adds the pairs of parts of which that is said. False when memory ends. */
struct clash_part_pairs;
bool clash_interest_named_pairs(const clash_interest *interest, struct clash_part_pairs *pairs);

/* Equal for parts of which all else says the same, whatever the other part is. */
typedef struct clash_interest_key
{
    int32_t scene, of_object;
    uint32_t flags, assembly, layer;
} clash_interest_key;

void clash_interest_key_of(const clash_interest *interest, size_t part, clash_interest_key *out_key);

/* What may ignore pairs. Texts stay the interest's. */
size_t clash_interest_count(const clash_interest *interest);
clash_ignored clash_interest_entry(const clash_interest *interest, size_t entry);

#endif
