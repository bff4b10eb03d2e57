/* SPDX-License-Identifier: MIT */
/* Parts that enclose one another with faces that lie on one another but for the rounding of their coordinates, such as
 * a pin in a bore of its radius or a plug in its pocket: no plane separates them, as it does other mated parts. */
#ifndef GRZ_CLASH_SNUG_FIT_H
#define GRZ_CLASH_SNUG_FIT_H

#include "clash/report.h"

/* Finds an upper bound of the depth of two closed parts whose surfaces meet: `resolution`, or a few times that;
 * infinite where none is found, or none is needed since they do not
 * overlap. `first` is one of their hits. Fails with OUT_OF_MEMORY, and as queries of pairs do. */
graze_status grz_clash_bound_snug_fit(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                      const graze_hit *first, double resolution, double *out_most_depth);

#endif
