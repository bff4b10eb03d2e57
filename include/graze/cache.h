/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Temporal coherence: a cache for a pair of meshes from one query to the next. Used by graze_pair_any,
 * graze_pair_any_dual and graze_pair_any_batch; scenes keep one per pair themselves. A cache may save time; it never
 * changes whether a hit is found. (Which pair of triangles is found, when several collide, may differ.)
 *
 * It stores the last witness, which is tested first in the next query, then its neighbours in the trees; and, when the
 * meshes were disjoint, a certified lower bound of their distance with the poses at that time. While the relative
 * motion is bounded by that distance the meshes are still disjoint, which costs about one comparison.
 */
#ifndef GRAZE_CACHE_H
#define GRAZE_CACHE_H

#include "graze/pair.h"

GRAZE_BEGIN_DECLS

/// A cache for one pair of meshes, owned by the caller; a plain struct that owns no memory and may be copied. It
/// detects other meshes, also new ones at the addresses of old ones, and moved vertices, and is then reset. One thread
/// at a time may use it.
struct graze_pair_cache
{
    uint64_t queries;             ///< how many queries used the cache
    uint64_t answered_by_gap;     ///< how many of them the certified distance answered
    uint64_t answered_by_witness; ///< how many of them the last pair of triangles answered
    uint64_t state[44];           ///< private
};

/// An empty cache.
GRAZE_API graze_pair_cache graze_pair_cache_default(void);

GRAZE_END_DECLS

#endif
