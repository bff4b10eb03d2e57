/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Queries that may be interrupted: run one for a while, look at what is known, and run it on, or not.
 *
 * Answers are yes, no or unknown, never a guess. A search that is run to its end, in however many pieces, gives
 * exactly what graze_pair_any, graze_pair_count or graze_pair_gather give. One that is not can still tell which hits it
 * has, where it has yet to look, and how far the meshes are apart at least.
 *
 *     graze_search *search;
 *     graze_search_create(NULL, &a, &b, GRAZE_SEARCH_ANY, &search);
 *     graze_pair_options options = graze_pair_options_default();
 *     options.budget.seconds = 0.002;
 *     if (graze_search_run(search, &options) == GRAZE_STATUS_UNFINISHED)
 *         ... graze_search_examine(search), graze_search_undecided(search, ...), or run it again in the next frame ...
 *     graze_search_destroy(search);
 */
#ifndef GRAZE_SEARCH_H
#define GRAZE_SEARCH_H

#include "graze/self.h"

GRAZE_BEGIN_DECLS

typedef struct graze_search graze_search;

typedef enum graze_search_kind
{
    GRAZE_SEARCH_ANY = 0, ///< ends with the first hit
    GRAZE_SEARCH_COUNT,   ///< counts all hits
    GRAZE_SEARCH_HITS     ///< and keeps them
} graze_search_kind;

typedef enum graze_verdict
{
    GRAZE_VERDICT_UNKNOWN = 0,
    GRAZE_VERDICT_NO, ///< they share no point
    GRAZE_VERDICT_YES ///< they do
} graze_verdict;

/// Prepares a search, without searching yet. The meshes and trees must outlive it; poses are copied.
/// Fails as graze_pair_any does. The caller owns *out_search.
GRAZE_API graze_status graze_search_create(const graze_context *context, const graze_placed_mesh *a,
                                           const graze_placed_mesh *b, graze_search_kind kind,
                                           graze_search **out_search);

/// The same for one mesh against itself.
GRAZE_API graze_status graze_search_create_self(const graze_context *context, const graze_self_subject *subject,
                                                graze_search_kind kind, graze_search **out_search);

GRAZE_API void graze_search_destroy(graze_search *search);

/// Searches on, to the end or until the budget in `options` (NULL: none) is used up; each call has the budget anew, and
/// does some work at least. A budget of box tests is kept by one thread; with one of time all threads of the context
/// work. Without trees the boxes are made and sorted by graze_search_create, which no budget limits.
/// @return OK when the search is finished; UNFINISHED; CANCELLED by the progress function (it may still be run on);
///         OUT_OF_MEMORY, after which only graze_search_destroy and graze_search_examine make sense
/// Thread safety: one thread at a time may use a search.
GRAZE_API graze_status graze_search_run(graze_search *search, const graze_pair_options *options);

/// What is known by now.
typedef struct graze_search_state
{
    graze_verdict verdict;
    bool finished;
    double share;                ///< of the work that is done, from 0 to 1; estimated, never falls
    graze_pair_counts counts;    ///< of the hits found by now: lower bounds until finished
    graze_stats stats;           ///< what it cost by now
    uint64_t undecided;          ///< how many pairs of volumes are yet to be looked at
    double distance_lower_bound; ///< certified: no two points of the meshes are closer. 0 when a hit is known or boxes
                                 ///< around the meshes overlap; infinite when one is empty
} graze_search_state;

GRAZE_API graze_search_state graze_search_examine(const graze_search *search);

/// Writes the first `capacity` hits found by now, in order of (triangle_a, triangle_b), and how many there are. With
/// GRAZE_SEARCH_ANY that is one at most, with GRAZE_SEARCH_COUNT none. Fails with OUT_OF_MEMORY.
GRAZE_API graze_status graze_search_hits(graze_search *search, graze_hit *hits, size_t capacity, size_t *out_count);

/// A pair of volumes, one of each mesh, within which there may be hits that were not found yet. There are none
/// elsewhere.
typedef struct graze_undecided_volumes
{
    graze_box box_a; ///< in the world, around A's part of it; certified
    graze_box box_b; ///< and B's
    bool overlap;    ///< whether the boxes do; if not, there is no hit in this pair
    double point[3]; ///< where they may meet: the middle of what the boxes share, or of the gap. Estimated.
} graze_undecided_volumes;

/// Writes the first `capacity` undecided pairs, in the order in which they would be looked at, and how many there are.
/// Their points are what one may take for points of collision when there is no time to know better, as in
/// Daneu's collision detection with time-outs.
GRAZE_API graze_status graze_search_undecided(const graze_search *search, graze_undecided_volumes *pairs,
                                              size_t capacity, size_t *out_count);

GRAZE_END_DECLS

#endif
