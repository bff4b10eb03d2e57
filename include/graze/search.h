/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Interruptible (time-critical) queries: run one for a budget, inspect the partial result, resume it or drop it.
 *
 * Answers are yes, no or unknown, never a guess. A search that is run to its end, in however many pieces, gives exactly
 * what graze_pair_any, graze_pair_count or graze_pair_gather give. An unfinished one gives the hits found so far, the
 * pairs of volumes not yet tested, and a lower bound of the distance.
 *
 *     graze_search *search;
 *     graze_search_create(NULL, &a, &b, GRAZE_SEARCH_ANY, NULL, &search);
 *     graze_budget budget = {.seconds = 0.002};
 *     if (graze_search_run(search, &budget) == GRAZE_STATUS_UNFINISHED)
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
    GRAZE_SEARCH_ANY = 0, ///< stops at the first hit
    GRAZE_SEARCH_COUNT,   ///< counts all hits
    GRAZE_SEARCH_HITS     ///< and keeps them
} graze_search_kind;

/// Prepares a search, without searching yet. The meshes and trees must outlive it; poses are copied.
/// Fails as graze_pair_any does. The caller owns *out_search. The budget is for sorting the boxes of meshes without
/// trees; with trees this takes next to no time.
GRAZE_API graze_status graze_search_create(const graze_context *context, const graze_placed_mesh *a,
                                           const graze_placed_mesh *b, graze_search_kind kind,
                                           const graze_budget *budget, graze_search **out_search);

/// The same for one mesh against itself.
GRAZE_API graze_status graze_search_create_self(const graze_context *context, const graze_self_subject *subject,
                                                graze_search_kind kind, const graze_budget *budget,
                                                graze_search **out_search);

GRAZE_API void graze_search_destroy(graze_search *search);

/// Continues the search, to the end or until the budget is used up; the budget is for this call, and each call makes
/// progress. A budget of box tests runs on one thread; a time budget uses all threads of the context. Without trees the
/// boxes are made and sorted by graze_search_create, under a budget of its own.
/// @return OK when the search is finished; UNFINISHED; CANCELLED by the progress function (it may be resumed);
///         OUT_OF_MEMORY, after which only graze_search_destroy and graze_search_examine make sense
/// Thread safety: one thread at a time may use a search.
GRAZE_API graze_status graze_search_run(graze_search *search, const graze_budget *budget);

/// The result so far.
typedef struct graze_search_state
{
    graze_verdict verdict;
    bool finished;
    double share;                ///< of the work that is done, from 0 to 1; estimated, never falls
    graze_pair_counts counts;    ///< of the hits found so far: lower bounds until finished
    graze_stats stats;           ///< cost so far, over all runs
    uint64_t undecided;          ///< how many pairs of volumes are not yet tested
    double distance_lower_bound; ///< certified: no two points of the meshes are closer. 0 when a hit is known or boxes
                                 ///< around the meshes overlap; infinite when one is empty
} graze_search_state;

GRAZE_API graze_search_state graze_search_examine(const graze_search *search);

/// Bytes that a search takes now, without the meshes and trees; 0 for NULL.
GRAZE_API size_t graze_search_memory_size(const graze_search *search);

/// Writes the first `capacity` hits found so far, in order of (triangle_a, triangle_b), and how many there are. With
/// GRAZE_SEARCH_ANY that is one at most, with GRAZE_SEARCH_COUNT none. Fails with OUT_OF_MEMORY.
GRAZE_API graze_status graze_search_hits(graze_search *search, graze_hit *hits, size_t capacity, size_t *out_count);

/// A pair of volumes, one of each mesh, that may contain further hits; no undiscovered hit lies outside these pairs.
typedef struct graze_undecided_volumes
{
    graze_box box_a; ///< in the world, around A's part of it; certified
    graze_box box_b; ///< and B's
    bool overlap;    ///< whether the boxes do; if not, there is no hit in this pair
    double point[3]; ///< estimated contact point: centre of the intersection of the boxes, or of the gap between them
} graze_undecided_volumes;

/// Writes the first `capacity` undecided pairs, in traversal order, and how many there are. Their points may serve as
/// contact points when time is up, as in Daneu's collision detection with time-outs.
GRAZE_API graze_status graze_search_undecided(const graze_search *search, graze_undecided_volumes *pairs,
                                              size_t capacity, size_t *out_count);

GRAZE_END_DECLS

#endif
