/* SPDX-License-Identifier: MIT */
/* What a pair of parts is: contained, crossing, touching, too close or clear. */
#ifndef TOOL_CLASH_NARROW_PHASE_H
#define TOOL_CLASH_NARROW_PHASE_H

#include "clash/report.h"

/* What is needed beside a pair. */
typedef struct clash_narrow_phase
{
    const graze_context *context;
    struct clash_verdict_cache *repeats; /* verdict_cache.h; NULL: none, with the same answers */
    bool wants_region;                   /* what parts that meet share is made as geometry, and the caller's */
} clash_narrow_phase;

/* Decides a pair and measures it; the finding's verdict is CLASH_CLEAR when there is nothing to report under these
 * limits, unless it is undecided. Fills verdict, measures, point and rule; not names, sets, severity or state. */
graze_status clash_test_pair(const clash_narrow_phase *how, const clash_part *a, const clash_part *b,
                             const clash_limits *limits, clash_finding *out_finding);

/* Whether boxes of two parts are within a distance of each other. Never false where the parts are. */
bool clash_aabbs_within(const clash_part *a, const clash_part *b, double distance);

#endif
