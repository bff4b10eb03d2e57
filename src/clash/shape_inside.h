/* SPDX-License-Identifier: MIT */
/* Whether one part lies in another, where one of them at least is tested as a shape. */
#ifndef GRZ_CLASH_SHAPE_INSIDE_H
#define GRZ_CLASH_SHAPE_INSIDE_H

#include "clash/report.h"

/* Whether all points of `inner` belong to `outer`, whose placed shapes are set. YES and NO are certain; UNKNOWN where
 * curved surfaces touch from inside, and where only several pieces of a compound together may hold it. Fails as the
 * queries of graze/shape_query.h. */
graze_status grz_clash_shape_lies_in(const graze_context *context, const grz_clash_part *inner,
                                     const grz_clash_part *outer, graze_verdict *out_lies);

#endif
