/* SPDX-License-Identifier: MIT */
/* What a pair of parts is: contained, crossing, touching, too close or clear. */
#ifndef TOOL_CLASH_PAIR_H
#define TOOL_CLASH_PAIR_H

#include "clash.h"

/* Decides a pair and measures it; the finding's verdict is CLASH_CLEAR when there is nothing to report under these
 * limits and the pair is decided. Fills verdict, measures, point and rule; not names, sets, severity or state. What the
 * parts share is made as geometry where they cross only if it is wanted: nothing else depends on it. */
graze_status clash_examine_pair(const graze_context *context, const clash_part *a, const clash_part *b,
                                const clash_limits *limits, bool wants_region, clash_finding *out_finding);

/* Whether boxes of two parts are within a distance of each other. Never false where the parts are. */
bool clash_boxes_near(const clash_part *a, const clash_part *b, double distance);

#endif
