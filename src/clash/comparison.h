/* SPDX-License-Identifier: MIT */
/* What was measured when a finding was approved or reported earlier, and whether the finding is worse now. Approvals
 * (approvals.c) and baselines (baseline.c) compare in the same way. */
#ifndef GRZ_CLASH_COMPARISON_H
#define GRZ_CLASH_COMPARISON_H

#include "clash/report.h"
#include "text/json_document.h"

/* Intervals are certified: [lower, upper]; an upper bound may be infinite. */
typedef struct grz_clash_measures
{
    bool has_verdict, has_depth, has_gap, has_set;
    bool depth_is_way_out; /* of a report of version 1 */
    graze_clash_verdict verdict;
    double depth[2], gap[2];
    size_t set_count; /* parts of a set of duplicates */
} grz_clash_measures;

/*
 * Whether a finding is certainly worse: a stronger verdict; with the same verdict, or where none was noted, a depth
 * interval above the earlier one, a gap interval below it, or more parts in a set. Surfaces that meet have no gap. A
 * weaker verdict is never worse. Says why in words that "than before" may follow, or NULL if it is not.
 */
const char *grz_clash_worse(const grz_clash_measures *then, const graze_clash_finding *now);

/* Reads [lower, upper], null, or a missing member of an object; a bound that is null is 0 or infinite. */
bool grz_clash_take_interval(grz_json_document *document, const grz_json_place *parent, const grz_json_node *object,
                             const char *key, bool *out_is_there, double out_interval[2]);

#endif
