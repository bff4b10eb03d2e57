/* SPDX-License-Identifier: MIT */
/* What scene files say of the interest in pairs of their objects (docs/scene-format.md), as rules that ignore pairs and
 * can be named. The pairs are those that graze_interest_wants leaves out. */
#ifndef TOOL_CLASH_INTEREST_H
#define TOOL_CLASH_INTEREST_H

#include "clash.h"
#include "inputs.h"

typedef struct clash_interest clash_interest;

/* The inputs must outlive it. False when memory ends. */
bool clash_interest_create(const tool_inputs *inputs, clash_interest **out_interest);
void clash_interest_release(clash_interest *interest);

/* Whether nobody asks for a pair of parts, and because of which entry. `interest` may be NULL, here and below. */
bool clash_interest_ignores(const clash_interest *interest, size_t a, size_t b, size_t *out_entry);

/* What may ignore pairs. Texts stay the interest's. */
size_t clash_interest_count(const clash_interest *interest);
clash_ignored clash_interest_entry(const clash_interest *interest, size_t entry);

#endif
