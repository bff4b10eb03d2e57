/* SPDX-License-Identifier: MIT */
/* The narrow phase: the verdict on a pair of parts: contained, crossing, touching, too close or clear. */
#ifndef GRZ_CLASH_NARROW_PHASE_H
#define GRZ_CLASH_NARROW_PHASE_H

#include "clash/report.h"

/* Options of the narrow phase. */
typedef struct grz_clash_narrow_phase
{
    const graze_context *context;
    struct grz_clash_verdict_cache *verdict_cache; /* verdict_cache.h; NULL: none, with the same answers */
    bool wants_region; /* compute the intersection of parts that meet as geometry, owned by the caller */
} grz_clash_narrow_phase;

/* Decides and measures a pair; the finding's verdict is GRAZE_CLASH_CLEAR when there is nothing to report under these
 * limits. Fills verdict, measures, point and rule; not names, sets, severity or state. */
graze_status grz_clash_test_pair(const grz_clash_narrow_phase *how, const grz_clash_part *a, const grz_clash_part *b,
                                 const grz_clash_limits *limits, graze_clash_finding *out_finding);

/* The resolution of both parts together: the sum. */
double grz_clash_resolution_of(const grz_clash_part *a, const grz_clash_part *b);

/* The largest gap that may make a finding of a pair: the clearance or the resolution. */
double grz_clash_reach_of(const grz_clash_part *a, const grz_clash_part *b, double clearance);

/* Whether two boxes are within a distance of each other. Conservative: never false where they are. */
bool grz_clash_boxes_within(const graze_box *a, const graze_box *b, double distance);

#endif
