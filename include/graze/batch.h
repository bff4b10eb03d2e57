/* SPDX-License-Identifier: MIT */
/**
 * @file
 * One pair of meshes in many poses, in one call. Poses are distributed over the context's threads; with fewer poses
 * than threads, each query itself runs in parallel. Answers are the same.
 */
#ifndef GRAZE_BATCH_H
#define GRAZE_BATCH_H

#include "graze/pair.h"

GRAZE_BEGIN_DECLS

/// The poses of a batch. A mesh without an array keeps the pose of its graze_placed_mesh.
typedef struct graze_pose_batch
{
    const graze_pose *poses_a; ///< may be NULL
    const graze_pose *poses_b; ///< may be NULL
    size_t stride_a, stride_b; ///< bytes from one pose to the next, a pose at least; 0 means packed
    size_t count;
} graze_pose_batch;

/// For each pose whether the meshes share a point: out_found has room for batch->count.
/// Guarantee: exact, as graze_pair_any. Options apply to the whole batch: stats are sums; the budget is for all poses
/// together (a budget of box tests runs on one thread); progress is the share of poses done, reported by the calling
/// thread while it has poses of its own to answer, and between rounds of poses. A cache is used from pose to pose; with
/// several threads, each run of consecutive poses uses a cache of its own, so that stats may differ with the number of
/// threads.
/// Fails as graze_pair_any does, and then leaves out_found unchanged; error->index (error may be NULL) is the first
/// invalid pose.
GRAZE_API graze_status graze_pair_any_batch(const graze_context *context, const graze_placed_mesh *a,
                                            const graze_placed_mesh *b, const graze_pose_batch *batch,
                                            const graze_any_options *options, graze_error *error, bool *out_found);

/// For each pose how many pairs of triangles share a point.
GRAZE_API graze_status graze_pair_count_batch(const graze_context *context, const graze_placed_mesh *a,
                                              const graze_placed_mesh *b, const graze_pose_batch *batch,
                                              const graze_pair_options *options, graze_error *error,
                                              graze_pair_counts *out_counts);

GRAZE_END_DECLS

#endif
