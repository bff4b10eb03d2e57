/* SPDX-License-Identifier: MIT */
/*
 * The witness (D. Baraff, Curved surfaces and coherence for non-penetrating rigid body simulation, SIGGRAPH 1990; 004
 * 2.6): of two convex bodies apart, a plane separates that holds a face of one of them, or an edge of each. The last
 * frame's is tried first, then those of the adjacent faces and edges, since bodies move little between frames; only
 * then GJK looks for a plane anywhere, and a witness is made from the features at its supports.
 */
#include "pair/method/convex_features.h"
#include "pair/method/table.h"

typedef enum witness_kind
{
    WITNESS_NONE,
    WITNESS_FACE_OF_A,
    WITNESS_FACE_OF_B,
    WITNESS_EDGES
} witness_kind;

/* A face of one body, or two half-edges. */
typedef struct witness
{
    witness_kind kind;
    uint32_t features[2]; /* the face, or the half-edge of A and that of B */
} witness;

typedef struct witness_search
{
    grz_method_query *query;
    grz_convex_search convex;
    grz_feature_body bodies[2];
    v3 last_normal; /* from A to B; of edges it tells which way to turn their product */
    witness found;
} witness_search;

/* Whether the plane of a candidate separates; then it is the witness. */
static bool separates(witness_search *search, witness candidate, v3 normal)
{
    double w[3];
    search->query->counters.iterations++;
    search->query->counters.supports += 2;
    v3_store(normal, w);
    if (!grz_convex_search_separates(search->query, &search->convex, w))
        return false;
    search->found = candidate;
    search->last_normal = normal;
    return true;
}

static bool try_face(witness_search *search, int side, uint32_t face)
{
    v3 outward = grz_feature_face_normal(&search->bodies[side], face);
    witness candidate = {side == 0 ? WITNESS_FACE_OF_A : WITNESS_FACE_OF_B, {face, 0}};
    return separates(search, candidate, v3_scale(side == 0 ? 1 : -1, outward));
}

static bool try_edges(witness_search *search, uint32_t of_a, uint32_t of_b)
{
    v3 normal = v3_cross(grz_feature_edge_of(&search->bodies[0], of_a).along,
                         grz_feature_edge_of(&search->bodies[1], of_b).along);
    if (v3_dot(normal, search->last_normal) < 0)
        normal = v3_scale(-1, normal);
    return separates(search, (witness){WITNESS_EDGES, {of_a, of_b}}, normal);
}

/* The half-edges that leave a vertex. */
static uint32_t degree(const grz_feature_body *body, uint32_t vertex)
{
    return body->hull->neighbour_starts[vertex + 1] - body->hull->neighbour_starts[vertex];
}

static uint32_t leaving(const grz_feature_body *body, uint32_t vertex, uint32_t i)
{
    return body->state->leaving[body->hull->neighbour_starts[vertex] + i];
}

/* Planes of the faces around two vertices, and of their edges. */
static bool try_around(witness_search *search, const uint32_t vertices[2])
{
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < degree(&search->bodies[side], vertices[side]); i++)
        {
            const grz_feature_body *body = &search->bodies[side];
            if (try_face(search, side, body->state->faces[leaving(body, vertices[side], i)]))
                return true;
        }
    for (uint32_t i = 0; i < degree(&search->bodies[0], vertices[0]); i++)
        for (uint32_t k = 0; k < degree(&search->bodies[1], vertices[1]); k++)
            if (try_edges(search, leaving(&search->bodies[0], vertices[0], i),
                          leaving(&search->bodies[1], vertices[1], k)))
                return true;
    return false;
}

static bool try_adjacent_faces(witness_search *search, int side, uint32_t face)
{
    const grz_feature_body *body = &search->bodies[side];
    for (uint32_t h = body->hull->face_starts[face]; h < body->hull->face_starts[face + 1]; h++)
        if (try_face(search, side, body->state->faces[body->hull->twins[h]]))
            return true;
    return false;
}

/* The witness of the last frame, or one next to it. */
static bool try_last(witness_search *search)
{
    const graze_method_cache *cache = search->query->cache;
    if (cache == NULL)
        return false;
    const double *kept = cache->numbers;
    int side = kept[0] == WITNESS_FACE_OF_B ? 1 : 0;
    search->last_normal = v3_load(kept + 3);
    if (kept[0] == WITNESS_FACE_OF_A || kept[0] == WITNESS_FACE_OF_B)
    {
        if (!(kept[1] >= 0 && kept[1] < (double)search->bodies[side].hull->face_count))
            return false;
        uint32_t face = (uint32_t)kept[1];
        return try_face(search, side, face) || try_adjacent_faces(search, side, face);
    }
    if (kept[0] != WITNESS_EDGES || !(kept[1] >= 0 && kept[1] < (double)search->bodies[0].hull->half_edge_count) ||
        !(kept[2] >= 0 && kept[2] < (double)search->bodies[1].hull->half_edge_count))
        return false;
    uint32_t edges[2] = {(uint32_t)kept[1], (uint32_t)kept[2]};
    if (try_edges(search, edges[0], edges[1]))
        return true;
    const uint32_t vertices[2] = {search->bodies[0].hull->origins[edges[0]], search->bodies[1].hull->origins[edges[1]]};
    return try_around(search, vertices);
}

static void keep(const witness_search *search)
{
    if (search->query->cache == NULL)
        return;
    double *numbers = search->query->cache->numbers;
    numbers[0] = search->found.kind;
    numbers[1] = search->found.features[0];
    numbers[2] = search->found.features[1];
    v3_store(search->last_normal, numbers + 3);
}

static void run(grz_method_query *query)
{
    static const grz_convex_limits limits = {0, INFINITY};
    witness_search search = {.query = query, .found = {WITNESS_NONE, {0, 0}}};
    if (!grz_convex_search_start(query, &search.convex))
        return;
    for (int side = 0; side < 2; side++)
        search.bodies[side] = grz_feature_body_make(&search.convex, side);
    if (try_last(&search))
    {
        keep(&search);
        return;
    }
    grz_gjk_start(&search.convex.gjk, NULL);
    grz_convex_verdict verdict = grz_gjk_run(&search.convex.gjk, GRZ_GJK_ANY, &limits);
    query->counters.iterations += search.convex.gjk.steps;
    if (verdict == GRZ_CONVEX_APART)
    {
        uint32_t supports[2];
        search.last_normal = search.convex.gjk.direction;
        grz_gjk_gap(&search.convex.gjk, search.last_normal, supports);
        try_around(&search, supports);
        query->verdict = query->guess = GRAZE_VERDICT_NO;
    }
    else if (verdict == GRZ_CONVEX_TOGETHER)
        query->verdict = query->guess = GRAZE_VERDICT_YES;
    else
        grz_method_decide_bodies(query);
    keep(&search);
}

const grz_method grz_witness_method = {
    .info = {.name = "witness",
             .summary = "The face or the two edges whose plane separated them in the last frame (Baraff).",
             .source = "004 2.6",
             .mesh_class = GRAZE_METHOD_CLASS_CONVEX,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_EXACT},
    .state_size = sizeof(grz_feature_state),
    .prepare = grz_feature_state_prepare,
    .release = grz_feature_state_release,
    .memory = grz_feature_state_memory,
    .run = run,
};
