/* SPDX-License-Identifier: MIT */
/*
 * The limits of each pair of parts: from the rules file (docs/clash-rules.md) and the command line, the most specific
 * entry first. The file: rules.c; its entries: rules_read.c; which entries apply to which parts: rules_match.c; the
 * resulting limits: rules_apply.c.
 */
#ifndef TOOL_CLASH_RULES_H
#define TOOL_CLASH_RULES_H

#include "clash/report.h"

typedef struct clash_rules clash_rules;

/* Limits of all pairs given on the command line. */
typedef struct clash_tolerances
{
    double clearance, max_depth;
    bool allow_touch;
    bool has_clearance, has_max_depth, has_allow_touch; /* whether the option is given */
} clash_tolerances;

/* Reads a rules file; without a path only the command line and the defaults apply. Prints an error and returns the exit
 * code, or returns 0. The caller releases *out_rules, which is NULL on failure. */
exit_code clash_rules_load(const tool_console *console, const char *path, const clash_tolerances *tolerances,
                           clash_rules **out_rules);
void clash_rules_release(clash_rules *rules);

/* SHA-256 of the file's bytes; "" without a file. */
const char *clash_rules_hash(const clash_rules *rules);

/* Determines which entries apply to which parts; once, before any function below. The parts may be freed afterwards.
 * False when out of memory. */
bool clash_rules_prepare(clash_rules *rules, const clash_part *parts, size_t count);

/* The limits of two parts, by index, in any order; for a self-intersection the same index twice. Texts belong to the
 * rules. Thread safety: any number of threads at once. */
clash_limits clash_rules_limits(const clash_rules *rules, size_t a, size_t b);

/* Whether the pair is ignored, and by which entry of "ignore". Faster than clash_rules_limits. */
bool clash_rules_ignore(const clash_rules *rules, size_t a, size_t b, size_t *out_index);

/* The same without entries that name two parts. */
bool clash_rules_ignore_unnamed(const clash_rules *rules, size_t a, size_t b, size_t *out_index);

/* Adds the pairs that such entries name. False when out of memory. */
struct clash_part_pairs;
bool clash_rules_named_pairs(const clash_rules *rules, struct clash_part_pairs *pairs);

/* Parts with equal keys are treated alike by all other entries, whatever the other part is. */
size_t clash_rules_key_size(const clash_rules *rules);
void clash_rules_key(const clash_rules *rules, size_t part, unsigned char *out_key);

/* The entries of "ignore", in the order of the file, with a count of 0. */
size_t clash_rules_ignore_count(const clash_rules *rules);
clash_ignored clash_rules_ignore_entry(const clash_rules *rules, size_t index);

/* The limits of pairs to which no entry applies; report headers show them. */
clash_limits clash_rules_global(const clash_rules *rules);

/* An upper bound of all clearances. */
double clash_rules_largest_clearance(const clash_rules *rules);

/* The rule that set the limit for a verdict. */
const char *clash_limits_rule(const clash_limits *limits, clash_verdict verdict);

/* Sets state and reason of a finding that an entry approves. One thread at a time. */
bool clash_rules_approve(clash_rules *rules, clash_finding *finding);

/* Names and patterns that match no part, which mostly are typing errors; and, when `with_approvals` says that all
 * findings of a complete run were passed to clash_rules_approve, ids that approve nothing any more. The list belongs to
 * the rules and is valid until the next call. False when out of memory. */
bool clash_rules_problems(clash_rules *rules, bool with_approvals, const clash_problem **out_problems,
                          size_t *out_count);

#endif
