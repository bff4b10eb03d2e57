/* SPDX-License-Identifier: MIT */
/* Pairs that this run does not tell about, whatever they do: findings of a baseline that are missing because of rules
 * are not resolved. */
#ifndef GRZ_CLASH_HIDDEN_PAIRS_H
#define GRZ_CLASH_HIDDEN_PAIRS_H

#include "clash/comparison.h"
#include "clash/engine.h"
#include "text/name_table.h"

typedef struct grz_clash_hidden_pairs
{
    const grz_clash_request *request;
    grz_name_table names; /* of parts: the number is the part */
} grz_clash_hidden_pairs;

/* What the request leads to must outlive it. False when out of memory. Release in any case. */
bool grz_clash_hidden_pairs_make(const grz_clash_request *request, grz_clash_hidden_pairs *out_pairs);
void grz_clash_hidden_pairs_release(grz_clash_hidden_pairs *pairs);

/* The entry or option because of which an earlier finding about two parts, by name, would not be one now: they are
 * ignored, not asked for, or the limits allow what was measured then. NULL if there is none, or a part is gone. Texts
 * belong to the rules and the interest of the request. */
const char *grz_clash_hidden_by(const grz_clash_hidden_pairs *pairs, const char *a, const char *b,
                                const grz_clash_measures *then);

#endif
