/* SPDX-License-Identifier: MIT */
/* The narrow phase of pairs in which a part is tested as a shape. */
#ifndef GRZ_CLASH_SHAPE_PAIRS_H
#define GRZ_CLASH_SHAPE_PAIRS_H

#include "clash/narrow_phase.h"

/* Decides and measures such a pair, as grz_clash_test_pair does others. Verdicts are exact, or certified where a
 * cylinder, cone or ellipsoid is concerned: undecided within a very small width around touching. */
graze_status grz_clash_test_shapes(const grz_clash_narrow_phase *how, const grz_clash_part *a, const grz_clash_part *b,
                                   const grz_clash_limits *limits, graze_clash_finding *out_finding);

/* Whether the unknown inside of an open part may share points with a shape: the shape overlaps with its hull. */
graze_status grz_clash_inside_matters_to_shape(const graze_context *context, const grz_clash_part *open,
                                               const grz_clash_part *shape, bool *out_matters);

#endif
