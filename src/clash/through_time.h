/* SPDX-License-Identifier: MIT */
/* The narrow phase of two parts that move: verdict, first contact and first overlap over all frames. */
#ifndef GRZ_CLASH_THROUGH_TIME_H
#define GRZ_CLASH_THROUGH_TIME_H

#include "clash/engine.h"
#include "clash/narrow_phase.h"

/* Decides and measures a pair over all frames, and judges it as grz_clash_judge does; the finding's verdict is
 * GRAZE_CLASH_CLEAR when there is nothing to report under these limits. Fails as the queries do, and with CANCELLED
 * when the budget has stopped the run. */
graze_status grz_clash_test_through_time(const grz_clash_request *request, const grz_clash_part *a,
                                         const grz_clash_part *b, const grz_clash_limits *limits,
                                         graze_clash_finding *out_finding);

/* Says of findings of frame 1 alone (duplicates, self-intersection) when they are. */
void grz_clash_set_first_frame(graze_clash_report *report);

#endif
