/* SPDX-License-Identifier: MIT */
/* Interest rules of scenes (graze/clash.h) as named entries that ignore pairs. The pairs are those that
 * graze_interest_wants excludes. */
#ifndef GRZ_CLASH_INTEREST_H
#define GRZ_CLASH_INTEREST_H

#include "clash/report.h"

typedef struct grz_clash_interest grz_clash_interest;

/* What the options lead to must outlive it. False when out of memory. Release in any case. */
bool grz_clash_interest_create(const graze_context *context, const graze_clash_options *options, size_t part_count,
                               grz_clash_interest **out_interest);
void grz_clash_interest_release(const graze_context *context, grz_clash_interest *interest);

/* Whether a pair of parts is ignored, and by which entry. `interest` may be NULL, here and below. */
bool grz_clash_interest_ignores(const grz_clash_interest *interest, size_t a, size_t b, size_t *out_entry);

/* The same without rules that name the pair, and without the rule about parent and child. */
bool grz_clash_interest_ignores_unnamed(const grz_clash_interest *interest, size_t a, size_t b, size_t *out_entry);

/* Adds the pairs of parts that those rules name. False when out of memory. */
struct grz_clash_part_pairs;
bool grz_clash_interest_named_pairs(const graze_context *context, const grz_clash_interest *interest,
                                    struct grz_clash_part_pairs *pairs);

/* Parts with equal keys are treated alike by all other rules, whatever the other part is. */
typedef struct grz_clash_interest_key
{
    uint32_t scene;
    int32_t of_part; /* its rule */
    uint32_t flags, assembly, layer;
} grz_clash_interest_key;

void grz_clash_interest_key_of(const grz_clash_interest *interest, size_t part, grz_clash_interest_key *out_key);

/* The entries that may ignore pairs. Texts belong to the interest. */
size_t grz_clash_interest_count(const grz_clash_interest *interest);
graze_clash_ignored grz_clash_interest_entry(const grz_clash_interest *interest, size_t entry);

#endif
