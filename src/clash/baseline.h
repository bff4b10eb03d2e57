/* SPDX-License-Identifier: MIT */
/* Comparison with an earlier JSON report: which findings are new, known or worse, and which are resolved. Findings are
 * identified by their ids. */
#ifndef GRZ_CLASH_BASELINE_H
#define GRZ_CLASH_BASELINE_H

#include "clash/hidden_pairs.h"

/* Whether the earlier run was complete; if not, findings that seem new may be old. */
bool grz_clash_baseline_is_complete(const graze_clash_baseline *baseline);

/* Sets the state of all findings that are not approved, and what the report states about its baseline; texts of the
 * report then belong to the baseline. `hidden` may be NULL: nothing is. False when out of memory. */
bool grz_clash_baseline_apply(const graze_context *context, const graze_clash_baseline *baseline,
                              const grz_clash_hidden_pairs *hidden, graze_clash_report *report);

#endif
