/* SPDX-License-Identifier: MIT */
/*
 * The limits of each pair of parts: from rules (docs/clash-rules.md) and the tolerances of the run, the most specific
 * entry first. graze_clash_rules is what was read: the documents in rules.c, entries in rules_read.c. grz_clash_rules
 * is that in one run: which entries apply to which parts in rules_match.c and rules_visit.c, the resulting limits in
 * rules_apply.c, approvals in approvals.c, reviews and surfaces in rules_review.c.
 */
#ifndef GRZ_CLASH_RULES_H
#define GRZ_CLASH_RULES_H

#include "clash/report.h"

typedef struct grz_clash_rules grz_clash_rules;

/* The rules of a run, which may have no book. What it refers to must outlive it. NULL when out of memory. */
grz_clash_rules *grz_clash_rules_make(const graze_context *context, const graze_clash_rules *book,
                                      const graze_clash_tolerances *tolerances);
void grz_clash_rules_release(grz_clash_rules *rules);

/* Determines which entries apply to which parts, and marks those that are meant to be surfaces; once, before any
 * function below. The parts may be freed afterwards. False when out of memory. */
bool grz_clash_rules_prepare(grz_clash_rules *rules, grz_clash_part *parts, size_t count);

/* The limits of two parts, by index, in any order; for a self-intersection the same index twice. Texts belong to the
 * rules. Thread safety: any number of threads at once. */
grz_clash_limits grz_clash_rules_limits(const grz_clash_rules *rules, size_t a, size_t b);

/* Whether the pair is ignored, and by which entry of "ignore". Faster than grz_clash_rules_limits. */
bool grz_clash_rules_ignore(const grz_clash_rules *rules, size_t a, size_t b, size_t *out_index);

/* The same without entries that name two parts. */
bool grz_clash_rules_ignore_unnamed(const grz_clash_rules *rules, size_t a, size_t b, size_t *out_index);

/* What two parts may have in common that entries ask for: their parent, file or assembly. */
enum
{
    GRZ_CLASH_COMMONS = 3
};

/* Which of them entries of "ignore" ask for, as bits; and the number of a part's parent, file or assembly, UINT32_MAX
 * if it has none. */
unsigned grz_clash_rules_asked_commons(const grz_clash_rules *rules);
uint32_t grz_clash_rules_common(const grz_clash_rules *rules, int common, size_t part);

/* The same as grz_clash_rules_ignore_unnamed for two parts that have in common what the bits of `commons` say, whatever
 * they really have. */
bool grz_clash_rules_ignore_as(const grz_clash_rules *rules, size_t a, size_t b, unsigned commons, size_t *out_index);

/* Adds the pairs that such entries name. False when out of memory. */
struct grz_clash_part_pairs;
bool grz_clash_rules_named_pairs(const graze_context *context, const grz_clash_rules *rules,
                                 struct grz_clash_part_pairs *pairs);

/* Parts with equal keys are treated alike by all other entries, whatever the other part is; without `commons`, only if
 * they have the same in common with it. */
size_t grz_clash_rules_key_size(const grz_clash_rules *rules);
void grz_clash_rules_key(const grz_clash_rules *rules, size_t part, bool commons, unsigned char *out_key);

/* The entries of "ignore", in the order of the file, with a count of 0. */
size_t grz_clash_rules_ignore_count(const grz_clash_rules *rules);
graze_clash_ignored grz_clash_rules_ignore_entry(const grz_clash_rules *rules, size_t index);

/* The limits of pairs to which no entry applies; report headers show them. */
grz_clash_limits grz_clash_rules_global(const grz_clash_rules *rules);

/* An upper bound of all clearances. */
double grz_clash_rules_largest_clearance(const grz_clash_rules *rules);

/* The rule that set the limit for a verdict. */
const char *grz_clash_limits_rule(const grz_clash_limits *limits, graze_clash_verdict verdict);

/* Sets state and reason of a finding that an entry approves; or `lapsed`, if it is worse than the entry allows. One
 * thread at a time. */
bool grz_clash_rules_approve(grz_clash_rules *rules, graze_clash_finding *finding);

/* Applies approvals and reviews to all findings of a report. Approvals that have lapsed, and findings that were to be
 * fixed, become problems of it. False when out of memory. */
bool grz_clash_rules_review(grz_clash_rules *rules, graze_clash_report *report);

/* Names and patterns that match no part, which mostly are typing errors; and, when `with_approvals` says that all
 * findings of a complete run were approved and reviewed, ids of approvals and reviews that no finding has any more. The
 * list belongs to the rules and is valid until the next call. False when out of memory. */
bool grz_clash_rules_problems(grz_clash_rules *rules, bool with_approvals, const graze_clash_problem **out_problems,
                              size_t *out_count);

#endif
