/* SPDX-License-Identifier: MIT */
/*
 * The separating vector (K. Chung, W. Wang, Quick collision detection of polytopes in virtual environments, VRST 1996:
 * "Q-COLLIDE"): extreme vertices along S tell whether a plane normal to it separates; if not, S is reflected at the
 * line through them. After 50 steps GJK decides. A cache keeps S.
 */
#include "pair/method/convex_state.h"
#include "pair/method/table.h"

enum
{
    MOST_STEPS = 50
};

static void run(grz_method_query *query)
{
    grz_convex_search search;
    if (!grz_convex_search_start(query, &search))
        return;
    v3 s = grz_convex_search_between(&search);
    if (query->cache != NULL && v3_length(v3_load(query->cache->numbers)) > 0.5)
        s = v3_load(query->cache->numbers);
    for (int step = 0; step < MOST_STEPS; step++)
    {
        uint32_t vertices[2];
        query->counters.iterations++;
        query->counters.supports += 2;
        if (grz_gjk_gap(&search.gjk, s, vertices) > 0)
        {
            if (query->cache != NULL)
                v3_store(s, query->cache->numbers);
            query->verdict = query->guess = GRAZE_VERDICT_NO;
            return;
        }
        v3 r =
            v3_sub(grz_convex_search_point(&search, 1, vertices[1]), grz_convex_search_point(&search, 0, vertices[0]));
        double length = v3_length(r);
        if (!(length > 0))
            break;
        s = grz_convex_reflect(s, v3_scale(1 / length, r));
        if (!grz_monitor_box_tests(&query->monitor, 1))
            return;
    }
    grz_convex_search_decide(query, &search);
}

const grz_method grz_q_collide_method = {
    .info = {.name = "q-collide",
             .summary = "A separating vector, reflected at the line through the extreme vertices; then GJK.",
             .source = "002 2.7, 004 2.6",
             .mesh_class = GRAZE_METHOD_CLASS_CONVEX,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_EXACT},
    .state_size = sizeof(grz_method_convex),
    .prepare = grz_method_convex_prepare,
    .release = grz_method_convex_release,
    .memory = grz_method_convex_memory,
    .run = run,
};
