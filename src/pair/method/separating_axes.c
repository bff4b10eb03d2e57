/* SPDX-License-Identifier: MIT */
/*
 * The separating axis test for polytopes: the normals of all faces of both, and the cross products of all edges of one
 * with all edges of the other. One axis with a certified gap proves them apart; that none has one is confirmed by a
 * point in both, or exactly.
 *
 * Of two edges e of A and f of B, the product n = e x f can only be the normal of a plane between the bodies if A lies
 * below e along n, and B above f, or the reverse (their arcs on the Gauss map cross; D. Gregorius, The separating axis
 * test between convex polyhedra, 2013). A polytope lies below an edge if the next corners r of both its faces do:
 * n.(r - p) = f.((r - p) x e), so that four inner products of what is prepared once a query decide it, and the gap is
 * n.(q - p). An edge that rounding leaves out costs the proof of a query, which is then decided by the engine.
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
        query->counters.iterations++;
        if (!grz_monitor_box_tests(&query->monitor, 1))
            return false;
        if (separates(query, search, v3_cross(first, second)))
            return true;
    }
    return false;
}

/* An edge in the world, relative to A's translation. */
typedef struct placed_edge
{
    v3 start, along;
    v3 sides[2]; /* of the next corners of both faces: (corner - start) x along */
} placed_edge;

static uint32_t next_in_face(const grz_hull *hull, size_t face, size_t half_edge)
{
    size_t next = half_edge + 1 < hull->face_starts[face + 1] ? half_edge + 1 : hull->face_starts[face];
    return (uint32_t)next;
}

/* One half of an edge: the first half sets the edge, each its own side. */
static void place_half(const grz_convex_search *search, int side, size_t face, size_t half, placed_edge *edge)
{
    const grz_hull *hull = search->states[side]->hull;
    uint32_t next = next_in_face(hull, face, half), after = next_in_face(hull, face, next);
    bool first = half < hull->twins[half];
    v3 start = grz_convex_search_point(search, side, hull->origins[first ? half : next]);
    v3 end = grz_convex_search_point(search, side, hull->origins[first ? next : half]);
    v3 corner = grz_convex_search_point(search, side, hull->origins[after]);
    if (first)
        *edge = (placed_edge){.start = start, .along = v3_sub(end, start)};
    edge->sides[!first] = v3_cross(v3_sub(corner, start), v3_sub(end, start));
}

/* The edges of a body: halves come in pairs, the first of which has the lower number. `places` is of all half-edges. */
static size_t place_edges(const grz_convex_search *search, int side, uint32_t *places, placed_edge *out)
{
    const grz_hull *hull = search->states[side]->hull;
    size_t count = 0;
    for (size_t f = 0; f < hull->face_count; f++)
        for (size_t half = hull->face_starts[f]; half < hull->face_starts[f + 1]; half++)
        {
            bool first = half < hull->twins[half];
            if (first)
                places[half] = (uint32_t)count++;
            place_half(search, side, f, half, &out[places[first ? half : hull->twins[half]]]);
        }
    return count;
}

/* 1 or -1 where both bodies may lie on their sides of e x f or its opposite; 0: neither. */
static int supports_along(const placed_edge *e, const placed_edge *f)
{
    double x = v3_dot(f->along, e->sides[0]), y = v3_dot(f->along, e->sides[1]);
    if (x * y < 0)
        return 0;
    double z = v3_dot(e->along, f->sides[0]), w = v3_dot(e->along, f->sides[1]);
    if (x <= 0 && y <= 0 && z <= 0 && w <= 0)
        return 1;
    return x >= 0 && y >= 0 && z >= 0 && w >= 0 ? -1 : 0;
}

static bool pairs_separate(grz_method_query *query, grz_convex_search *search, const placed_edge *a, size_t a_count,
                           const placed_edge *b, size_t b_count)
{
    for (size_t i = 0; i < a_count; i++)
    {
        query->counters.iterations += b_count;
        if (!grz_monitor_box_tests(&query->monitor, b_count))
            return false;
        for (size_t k = 0; k < b_count; k++)
        {
            int sign = supports_along(&a[i], &b[k]);
            if (sign == 0)
                continue;
            v3 axis = v3_scale(sign, v3_cross(a[i].along, b[k].along));
            if (v3_dot(axis, v3_sub(b[k].start, a[i].start)) > 0 && separates(query, search, axis))
                return true;
        }
    }
    return false;
}

static bool edges_separate(grz_method_query *query, grz_convex_search *search)
{
    const grz_hull *a = search->states[0]->hull, *b = search->states[1]->hull;
    size_t most = a->half_edge_count > b->half_edge_count ? a->half_edge_count : b->half_edge_count;
    placed_edge *edges =
        grz_allocate(query->context, a->half_edge_count / 2 + b->half_edge_count / 2 + 1, sizeof *edges);
    uint32_t *places = grz_allocate(query->context, most + 1, sizeof *places);
    bool separate = false;
    query->out_of_memory = edges == NULL || places == NULL;
    if (!query->out_of_memory)
    {
        size_t a_count = place_edges(search, 0, places, edges);
        size_t b_count = place_edges(search, 1, places, edges + a_count);
        separate = pairs_separate(query, search, edges, a_count, edges + a_count, b_count);
    }
    grz_release(query->context, edges);
    grz_release(query->context, places);
    return separate;
}

static void run(grz_method_query *query)
{
    grz_convex_search search;
    if (!grz_convex_search_start(query, &search))
        return;
    bool apart =
        faces_separate(query, &search, 0) || faces_separate(query, &search, 1) || edges_separate(query, &search);
    if (query->out_of_memory || !grz_monitor_may_continue(&query->monitor))
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
