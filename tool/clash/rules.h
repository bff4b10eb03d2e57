/* SPDX-License-Identifier: MIT */
/*
 * What graze clash asks of a pair of parts: the rules file (docs/clash-rules.md) and the command line, the most
 * specific word first. Taken apart: the file (rules.c), its entries (rules_read.c), which of them speak of
 * which parts (rules_match.c), and what they then say (rules_apply.c).
 */
#ifndef TOOL_CLASH_RULES_H
#define TOOL_CLASH_RULES_H

#include "clash/report.h"

typedef struct clash_rules clash_rules;

/* What the command line says of all pairs. */
typedef struct clash_tolerances
{
    double clearance, max_depth;
    bool allow_touch;
    bool has_clearance, has_max_depth, has_allow_touch; /* whether it says so at all */
} clash_tolerances;

/* Reads a rules file; without a path there are the command line and the defaults alone. Says what is wrong and returns
 * the exit code, or 0. The caller releases *out_rules, which is NULL on failure. */
exit_code clash_rules_load(const tool_console *console, const char *path, const clash_tolerances *tolerances,
                           clash_rules **out_rules);
void clash_rules_release(clash_rules *rules);

/* Of the file's bytes; "" without one. */
const char *clash_rules_hash(const clash_rules *rules);

/* Finds out which entry speaks of which parts; before anything below but once for all. The parts need not stay. False
 * when memory ends. */
bool clash_rules_prepare(clash_rules *rules, const clash_part *parts, size_t count);

/* What counts for two parts, by their numbers, in any order; for a self-crossing the same twice. Texts belong to the
 * rules. Thread safety: any number of threads at once. */
clash_limits clash_rules_limits(const clash_rules *rules, size_t a, size_t b);

/* The first piece of that alone: whether the pair is ignored, and by which entry of "ignore". Quicker. */
bool clash_rules_ignore(const clash_rules *rules, size_t a, size_t b, size_t *out_index);

/* The same without entries about exactly two names. */
bool clash_rules_ignore_unnamed(const clash_rules *rules, size_t a, size_t b, size_t *out_index);

/* Adds the pairs that entries about exactly two names speak of. False when memory ends. */
struct clash_part_pairs;
bool clash_rules_named_pairs(const clash_rules *rules, struct clash_part_pairs *pairs);

/* Bytes that are equal for parts of which all other entries say the same, whatever the other part is. */
size_t clash_rules_key_size(const clash_rules *rules);
void clash_rules_key(const clash_rules *rules, size_t part, unsigned char *out_key);

/* The entries of "ignore", by their place in the file, with a count of 0. */
size_t clash_rules_ignore_count(const clash_rules *rules);
clash_ignored clash_rules_ignore_entry(const clash_rules *rules, size_t index);

/* What counts for pairs of which no entry speaks: the tolerances of reports' headers. */
clash_limits clash_rules_global(const clash_rules *rules);

/* No pair has a larger clearance. */
double clash_rules_largest_clearance(const clash_rules *rules);

/* The rule that decided a verdict. */
const char *clash_limits_rule(const clash_limits *limits, clash_verdict verdict);

/* Sets state and reason of a finding when an entry approves it. From one thread at a time. */
bool clash_rules_approve(clash_rules *rules, clash_finding *finding);

/* Names and patterns that match no part, which mostly are typing errors; and, when `with_approvals` says that all
 * findings of a complete run were shown to clash_rules_approve, ids that approve nothing any more. The list belongs to
 * the rules and holds until the next call. False when memory ends. */
bool clash_rules_problems(clash_rules *rules, bool with_approvals, const clash_problem **out_problems,
                          size_t *out_count);

#endif
