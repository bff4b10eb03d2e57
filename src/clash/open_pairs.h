/* SPDX-License-Identifier: MIT */
/* Verdicts on pairs with parts that are not closed, after the narrow phase has judged their surfaces. */
#ifndef GRZ_CLASH_OPEN_PAIRS_H
#define GRZ_CLASH_OPEN_PAIRS_H

#include "clash/report.h"

/* Makes a finding undecided where the unknown inside of an open part may hold the other part, with the reason and the
 * open edges; or, if `assume_closed`, decides by winding numbers, estimated. A pair that is only touching surfaces
 * touches. Fails with OUT_OF_MEMORY, and as the queries do. */
graze_status grz_clash_settle_open(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                   const grz_clash_limits *limits, bool assume_closed, graze_clash_finding *finding);

#endif
