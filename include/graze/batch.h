/* SPDX-License-Identifier: MIT */
/**
 * @file
 * One pair of meshes in many poses, in one call: poses are shared out among the context's threads, or, when there are
 * fewer poses than threads, each query is. Answers do not depend on either.
 */
#ifndef GRAZE_BATCH_H
#define GRAZE_BATCH_H

#include "graze/pair.h"

GRAZE_BEGIN_DECLS

/// The poses of a batch. A side without poses of its own stands as its placed mesh says.
typedef struct graze_pose_batch
{
    const graze_pose *poses_a; ///< may be NULL
    const graze_pose *poses_b; ///< may be NULL
    size_t stride_a, stride_b; ///< bytes from one pose to the next, a pose at least; 0 means packed
    size_t count;
} graze_pose_batch;

/// For each pose whether the meshes share a point: out_found has room for batch->count.
/// Guarantee: exact, as graze_pair_any. Options concern the batch as a whole: stats are sums, the budget is for all,
/// the progress is that in poses; a budget of box tests is kept by one thread. A cache is handed
/// from pose to pose; on several threads each run of poses has one of its own instead, and stats depend on that.
/// Fails as graze_pair_any does, and then leaves out_found as it was; *error (may be NULL)
/// names the first pose at fault.
GRAZE_API graze_status graze_pair_any_batch(const graze_context *context, const graze_placed_mesh *a,
                                            const graze_placed_mesh *b, const graze_pose_batch *batch,
                                            const graze_pair_options *options, graze_error *error, bool *out_found);

/// For each pose how many pairs of triangles meet.
GRAZE_API graze_status graze_pair_count_batch(const graze_context *context, const graze_placed_mesh *a,
                                              const graze_placed_mesh *b, const graze_pose_batch *batch,
                                              const graze_pair_options *options, graze_error *error,
                                              graze_pair_counts *out_counts);

GRAZE_END_DECLS

#endif
