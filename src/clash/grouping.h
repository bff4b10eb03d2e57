/* SPDX-License-Identifier: MIT */
/* Findings grouped for people: by part, by cluster, and by the groups of the rules (the clash matrix). */
#ifndef GRZ_CLASH_GROUPING_H
#define GRZ_CLASH_GROUPING_H

#include "clash/rules.h"

/* Sets the parts hit, the clusters and the matrix of a report whose findings are complete, with their states. False
 * when out of memory. */
bool grz_clash_group_findings(const graze_context *context, const grz_clash_rules *rules, graze_clash_report *report);

#endif
