/* SPDX-License-Identifier: MIT */
/**
 * @file
 * One pair of shapes in many poses, in one call; see graze/batch.h.
 */
#ifndef GRAZE_SHAPE_BATCH_H
#define GRAZE_SHAPE_BATCH_H

#include "graze/batch.h"
#include "graze/shape_query.h"

GRAZE_BEGIN_DECLS

/// For each pose whether the shapes collide, as graze_shape_pair_any says: out_collide has room for batch->count.
/// Options, threads, progress and failure are those of graze_pair_any_batch; error->index is also the first pose that a
/// shape may not have (NOT_RIGID, SINGULAR: see graze_placed_check).
GRAZE_API graze_status graze_shape_pair_any_batch(const graze_context *context, const graze_placed *a,
                                                  const graze_placed *b, const graze_pose_batch *batch,
                                                  const graze_shape_options *options, graze_error *error,
                                                  graze_verdict *out_collide);

GRAZE_END_DECLS

#endif
