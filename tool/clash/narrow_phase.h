/* SPDX-License-Identifier: MIT */
/* The narrow phase: the verdict on a pair of parts: contained, crossing, touching, too close or clear. */
#ifndef TOOL_CLASH_NARROW_PHASE_H
#define TOOL_CLASH_NARROW_PHASE_H

#include "clash/report.h"

/* Options of the narrow phase. */
typedef struct clash_narrow_phase
{
    const graze_context *context;
    struct clash_verdict_cache *verdict_cache; /* verdict_cache.h; NULL: none, with the same answers */
    bool wants_region; /* compute the intersection of parts that meet as geometry, owned by the caller */
} clash_narrow_phase;

/* Decides and measures a pair; the finding's verdict is CLASH_CLEAR when there is nothing to report under these limits,
 * unless it is undecided. Fills verdict, measures, point and rule; not names, sets, severity or state. */
graze_status clash_test_pair(const clash_narrow_phase *how, const clash_part *a, const clash_part *b,
                             const clash_limits *limits, clash_finding *out_finding);

/* Whether the AABBs of two parts are within a distance of each other. Conservative: never false where the parts are. */
bool clash_aabbs_within(const clash_part *a, const clash_part *b, double distance);

#endif
