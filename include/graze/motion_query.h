/* SPDX-License-Identifier: MIT */
/**
 * @file
 * When two moving meshes meet for the first time (continuous collision detection of meshes).
 *
 * Contract and words are those of graze/motion.h. Answers for *kernel* motions are exact. For motions that turns
 * enclose (screw, slerp, twist, spline, flight, function), and with a margin, they are three-valued: none is proved; an
 * impact is proved by a time `upper` at which two triangles cross wherever their corners are within certified errors
 * (or, with a margin, are certainly within it); otherwise the verdict is unknown. In each case nothing meets before
 * `lower`; the two shrink to some 2^-22 of the motion unless the bodies graze one another. Meshes are surfaces, of
 * closed triangles; as solids (options) a body that lies inside the other collides, too, which can only begin with
 * contact, so it is asked at t = 0 alone; where it depends on how poses at t = 0 are rounded, the verdict is unknown.
 *
 *     graze_moving_mesh bullet = {.mesh = m, .tree = t}, sheet = {.mesh = n, .tree = u};
 *     graze_motion_between(&start, &end, GRAZE_MOTION_TURN, &bullet.motion, NULL);
 *     graze_motion_still(&pose, &sheet.motion);
 *     graze_impact impact;
 *     if (graze_pair_impact(NULL, &bullet, &sheet, NULL, &impact) == GRAZE_STATUS_OK)
 *         ... impact.verdict, impact.lower, impact.upper ...
 */
#ifndef GRAZE_MOTION_QUERY_H
#define GRAZE_MOTION_QUERY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "graze/motion.h"
#include "graze/pair.h"

GRAZE_BEGIN_DECLS

/// Cost of a query about moving meshes. Unlike answers, it may differ from one instruction set or number of threads to
/// another.
typedef struct graze_impact_stats
{
    uint64_t box_tests;        ///< pairs of boxes
    uint64_t intervals;        ///< intervals of time that were examined
    uint64_t leaf_pairs;       ///< pairs of leaves, in such an interval
    uint64_t triangle_tests;   ///< pairs of triangles that reached the test of two moving triangles
    uint64_t distance_queries; ///< of conservative advancement
} graze_impact_stats;

/// A cache for one pair of meshes from one motion to the next, where they go on from where they were: owned by the
/// caller, a plain struct that owns no memory and may be copied. It holds a certified lower bound of the distance of
/// rigid meshes, which answers motions that are smaller at the price of one comparison, and the pair of triangles that
/// met last, which is tried first at the start of the next motion. It changes no answer. It detects other meshes, also
/// new ones at the addresses of old ones, and moved vertices, and then knows nothing. Enclosed motions and margins make
/// no use of it. One thread at a time may use it.
typedef struct graze_impact_cache
{
    uint64_t queries;             ///< how many motions used the cache
    uint64_t answered_by_gap;     ///< how many of them the certified distance answered
    uint64_t answered_by_witness; ///< of how many a pair that met before told the time: it crosses at the start
    uint64_t state[48];           ///< private
} graze_impact_cache;

/// An empty cache.
GRAZE_INLINE graze_impact_cache graze_impact_cache_default(void)
{
    graze_impact_cache cache;
    memset(&cache, 0, sizeof cache);
    return cache;
}

/// Options. Start from graze_impact_options_default(); NULL means the same.
typedef struct graze_impact_options
{
    size_t struct_size;
    bool crossing;     ///< the first time from which on surfaces cross: contact that only touches is let pass
    bool solids;       ///< one body inside the other at t = 0 is contact as well; as graze_pair_containment decides it
    double margin;     ///< what comes no farther apart than this has met: three-valued; above 0 not with `crossing`
                       ///< (UNSUPPORTED)
    double resolution; ///< three-valued queries do not look into pieces of time shorter than this; 0 to 1; 0: 2^-22
    graze_impact_cache *cache; ///< may save time, changes no answer; may be NULL. Not for graze_pair_impact_visit
    graze_impact_stats *stats; ///< receives the cost, also of an unfinished query; may be NULL
    graze_budget budget;       ///< used up: the verdict is unknown; cancelled: GRAZE_STATUS_CANCELLED
    bool clearance; ///< if none, `clearance_lower` is asked for: about half of the least distance. Kernel motions of
                    ///< rigid meshes
} graze_impact_options;

GRAZE_INLINE graze_impact_options graze_impact_options_default(void)
{
    graze_impact_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// The first impact of two moving meshes.
typedef struct graze_impact
{
    graze_impact_verdict verdict;
    double lower, upper;    ///< as in graze_impact_interval: of the first impact; unknown: nothing meets before lower
    bool at_start;          ///< they meet at t = 0
    bool inside;            ///< at t = 0 the surfaces are apart, but one solid lies in the other; there is no hit
    bool crosses;           ///< the surfaces cross right after the impact; false: they only touch
    graze_hit hit;          ///< the first pair, in order of (triangle_a, triangle_b), that meets then, and its features
    double point[3];        ///< a common point in the world, estimated
    double normal[3];       ///< unit normal of the contact from A to B, estimated; 0 where there is none
    double clearance_lower; ///< if none: the distance is at least this at all times; with a margin at least the margin;
                            ///< 0 unless it or `clearance` was asked for
    uint32_t piece;         ///< reserved: 0
} graze_impact;

/// Finds the first impact of two moving meshes.
/// Guarantee: exact for kernel motions: whether there is an impact, its time as graze_impact_interval says, and which
/// is the first pair of triangles that meets then. Three-valued for enclosed motions and with a margin. Trees save time
/// and never change an answer. Fails as graze_motion_check does; UNSUPPORTED for soft meshes beside an
/// enclosed motion; BAD_ARGUMENT for a tree of another mesh, an end mesh
/// of other triangles or with a motion other than a blend or still, a negative or undefined margin or resolution;
/// OUT_OF_MEMORY; CANCELLED. Thread safety: any number of threads may query the same meshes; a cache belongs to one
/// thread at a time.
GRAZE_API graze_status graze_pair_impact(const graze_context *context, const graze_moving_mesh *a,
                                         const graze_moving_mesh *b, const graze_impact_options *options,
                                         graze_impact *out_impact);

/// A pair of triangles that meets at some time, and its first impact.
typedef struct graze_pair_impact_hit
{
    uint32_t triangle_a, triangle_b;
    graze_impact_interval interval;
} graze_pair_impact_hit;

/// Called for each pair; return false to stop.
typedef bool (*graze_pair_impact_function)(void *user, const graze_pair_impact_hit *hit);

/// Visits every pair of triangles that meets at some time, each once, with its first impact, in order of (lower,
/// triangle_a, triangle_b). Of the options crossing, margin, resolution, stats and budget count.
/// Guarantee: exact for kernel motions. Three-valued for enclosed ones and with a margin: what is not visited certainly
/// never meets, and the verdict of each pair that is says whether it does or may. Fails as graze_pair_impact does,
/// UNFINISHED when the budget is used up; stopped by the callback it returns GRAZE_STATUS_CANCELLED.
GRAZE_API graze_status graze_pair_impact_visit(const graze_context *context, const graze_moving_mesh *a,
                                               const graze_moving_mesh *b, const graze_impact_options *options,
                                               graze_pair_impact_function visit, void *user);

/// Many motions in a row: motions_a[i] and motions_b[i] instead of those of A and B, for each i; one impact each. The
/// budget is for each of them; stats are those of all. Many motions are shared among the threads of the context unless
/// progress is reported.
/// Guarantee and failures as graze_pair_impact.
GRAZE_API graze_status graze_track(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b,
                                   const graze_motion *motions_a, const graze_motion *motions_b, size_t count,
                                   const graze_impact_options *options, graze_impact *out_impacts);

GRAZE_END_DECLS

#endif
