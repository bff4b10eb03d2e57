/* SPDX-License-Identifier: MIT */
/*
 * GJK (E. Gilbert, D. Johnson, S. Keerthi, A fast procedure for computing the distance between complex objects in
 * three-dimensional space, 1988): the simplex of support points of A - B nearest the origin. `enhanced-gjk` (S. Cameron
 * 1997) climbs along edges from the last supports and starts from the last simplex, which a cache keeps.
 */
#include "pair/method/convex_state.h"
#include "pair/method/table.h"

static void run(grz_method_query *query)
{
    grz_convex_search search;
    static const grz_convex_limits limits = {0, INFINITY};
    if (!grz_convex_search_start(query, &search))
        return;
    grz_gjk_start(&search.gjk, NULL);
    grz_convex_verdict verdict = grz_gjk_run(&search.gjk, GRZ_GJK_ANY, &limits);
    query->counters.iterations = search.gjk.steps;
    query->counters.supports = search.gjk.steps;
    if (verdict == GRZ_CONVEX_UNDECIDED)
        grz_method_decide_bodies(query);
    else
        query->verdict = query->guess = verdict == GRZ_CONVEX_TOGETHER ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
}

/* The cache of the convex engine fits into that of methods. */
_Static_assert(sizeof(grz_convex_cache) <= sizeof(graze_method_cache), "room for the simplex");

static void run_enhanced(grz_method_query *query)
{
    grz_convex_search search;
    grz_convex_cache cache = {.simplex_size = 0};
    if (!grz_convex_search_start(query, &search))
        return;
    if (query->cache != NULL)
        memcpy(&cache, query->cache, sizeof cache);
    grz_convex_verdict verdict = grz_convex_pair_collide(&search.bodies[0], &search.bodies[1], &cache);
    if (query->cache != NULL)
        memcpy(query->cache, &cache, sizeof cache);
    query->counters.iterations = 1;
    if (verdict == GRZ_CONVEX_UNDECIDED)
        grz_method_decide_bodies(query);
    else
        query->verdict = query->guess = verdict == GRZ_CONVEX_TOGETHER ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
}

#define CONVEX_FIELDS(the_run)                                                                                         \
    .state_size = sizeof(grz_method_convex), .prepare = grz_method_convex_prepare,                                     \
    .release = grz_method_convex_release, .memory = grz_method_convex_memory, .run = the_run

const grz_method grz_gjk_method = {
    .info = {.name = "gjk",
             .summary = "The simplex of support points of A - B that is nearest the origin.",
             .source = "004 2.4",
             .mesh_class = GRAZE_METHOD_CLASS_CONVEX,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_EXACT},
    CONVEX_FIELDS(run),
};

const grz_method grz_enhanced_gjk_method = {
    .info = {.name = "enhanced-gjk",
             .summary = "GJK that starts from the last simplex and finds supports by hill climbing.",
             .source = "004 2.4",
             .mesh_class = GRAZE_METHOD_CLASS_CONVEX,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_EXACT},
    CONVEX_FIELDS(run_enhanced),
};
