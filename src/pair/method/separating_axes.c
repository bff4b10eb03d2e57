/* SPDX-License-Identifier: MIT */
/*
 * The separating axis test for polytopes: the normals of all faces of both, and the cross products of all edges of one
 * with all edges of the other. One axis with a certified gap proves them apart; that none has one is confirmed by a
 * point in both, or exactly.
 */
#include "pair/method/convex_state.h"
#include "pair/method/table.h"

/* A direction of a body in the world. */
static v3 turned(const graze_pose *pose, v3 v)
{
    const double *m = pose->m;
    return v3_make(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[4] * v.x + m[5] * v.y + m[6] * v.z,
                   m[8] * v.x + m[9] * v.y + m[10] * v.z);
}

static v3 edge_of(const grz_convex_search *search, int side, size_t half_edge)
{
    const grz_hull *hull = search->states[side]->hull;
    v3 from = v3_load(hull->vertices[hull->origins[half_edge]]);
    v3 to = v3_load(hull->vertices[hull->origins[hull->twins[half_edge]]]);
    return turned(&search->bodies[side].pose, v3_sub(to, from));
}

/* Whether an axis separates them, in either direction. */
static bool separates(grz_method_query *query, grz_convex_search *search, v3 axis)
{
    double length = v3_length(axis);
    uint32_t vertices[2];
    query->counters.iterations++;
    query->counters.supports += 4;
    if (!(length > 0))
        return false;
    v3 unit = v3_scale(1 / length, axis);
    return grz_gjk_gap(&search->gjk, unit, vertices) > 0 || grz_gjk_gap(&search->gjk, v3_scale(-1, unit), vertices) > 0;
}

static bool faces_separate(grz_method_query *query, grz_convex_search *search, int side)
{
    const grz_hull *hull = search->states[side]->hull;
    for (size_t f = 0; f < hull->face_count; f++)
    {
        v3 first = edge_of(search, side, hull->face_starts[f]),
           second = edge_of(search, side, hull->face_starts[f] + 1);
        if (!grz_monitor_box_tests(&query->monitor, 1) || separates(query, search, v3_cross(first, second)))
            return true;
    }
    return false;
}

/* Each edge once: its first half. */
static bool edges_separate(grz_method_query *query, grz_convex_search *search)
{
    const grz_hull *a = search->states[0]->hull, *b = search->states[1]->hull;
    for (size_t i = 0; i < a->half_edge_count; i++)
        for (size_t k = 0; i < a->twins[i] && k < b->half_edge_count; k++)
        {
            if (k > b->twins[k])
                continue;
            if (!grz_monitor_box_tests(&query->monitor, 1) ||
                separates(query, search, v3_cross(edge_of(search, 0, i), edge_of(search, 1, k))))
                return true;
        }
    return false;
}

static void run(grz_method_query *query)
{
    grz_convex_search search;
    if (!grz_convex_search_start(query, &search))
        return;
    bool apart =
        faces_separate(query, &search, 0) || faces_separate(query, &search, 1) || edges_separate(query, &search);
    if (!grz_monitor_may_continue(&query->monitor))
        return;
    if (apart)
        query->verdict = query->guess = GRAZE_VERDICT_NO;
    else
        grz_convex_search_decide(query, &search);
}

const grz_method grz_separating_axes_method = {
    .info = {.name = "sat",
             .summary = "All face normals and all cross products of edges as separating axes.",
             .source = "003, 004 2.4",
             .mesh_class = GRAZE_METHOD_CLASS_CONVEX,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_EXACT},
    .state_size = sizeof(grz_method_convex),
    .prepare = grz_method_convex_prepare,
    .release = grz_method_convex_release,
    .memory = grz_method_convex_memory,
    .run = run,
};
