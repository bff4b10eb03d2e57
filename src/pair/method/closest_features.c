/* SPDX-License-Identifier: MIT */
/*
 * Closest features (M. Lin, J. Canny, A fast algorithm for incremental distance calculation, 1991; 003, 004 2.5): of
 * two features the nearest points are computed; where one of them lies outside the other feature's Voronoi region, that
 * feature is replaced by its neighbour there, and the distance becomes less. Both in their regions: the features are
 * the closest ones. The walk starts at the last frame's features, or at those that a look-up by directions gives for
 * the line of centres (003).
 *
 * A walk that ends is proved by the plane between its points; one that does not, below a face or round in circles where
 * doubles deceive it, leaves the query to the convex engine.
 */
#include "pair/method/convex_features.h"
#include "pair/method/table.h"

enum
{
    MOST_STEPS = 200
};

typedef struct feature_walk
{
    grz_method_query *query;
    grz_feature_body bodies[2];
    grz_feature features[2];
    v3 points[2]; /* nearest points of the features */
} feature_walk;

static double clamp(double x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

static v3 at(const grz_feature_edge *edge, double t)
{
    return v3_add(edge->tail, v3_scale(t, edge->along));
}

/* The point of an edge that is nearest to x. */
static v3 nearest_of_edge(const grz_feature_edge *edge, v3 x)
{
    double length_sq = v3_dot(edge->along, edge->along);
    return at(edge, length_sq > 0 ? clamp(v3_dot(v3_sub(x, edge->tail), edge->along) / length_sq) : 0);
}

static void nearest_of_edges(const grz_feature_edge *a, const grz_feature_edge *b, v3 out[2])
{
    v3 between = v3_sub(a->tail, b->tail);
    double aa = v3_dot(a->along, a->along), bb = v3_dot(b->along, b->along), ab = v3_dot(a->along, b->along);
    double ca = v3_dot(a->along, between), cb = v3_dot(b->along, between);
    double area = aa * bb - ab * ab;
    double s = area > 0 ? clamp((ab * cb - ca * bb) / area) : 0;
    double t = bb > 0 ? clamp((ab * s + cb) / bb) : 0;
    s = aa > 0 ? clamp((ab * t - ca) / aa) : 0;
    out[0] = at(a, s);
    out[1] = at(b, t);
}

/* Of a face and something that is no vertex, the latter becomes its vertex that is lowest above the face. An edge whose
   lower end lies beside the face stays, and the face becomes its side there. */
static void reduce_to_vertex(feature_walk *walk, int side)
{
    const grz_feature_body *body = &walk->bodies[side];
    const grz_hull *hull = body->hull;
    v3 normal = grz_feature_face_normal(&walk->bodies[1 - side], walk->features[1 - side].index);
    grz_feature *feature = &walk->features[side];
    uint32_t corners[2], *list = corners;
    size_t count = 2;
    if (feature->kind == GRZ_FEATURE_EDGE)
    {
        corners[0] = hull->origins[feature->index];
        corners[1] = hull->origins[hull->twins[feature->index]];
    }
    else
    {
        list = hull->origins + hull->face_starts[feature->index];
        count = hull->face_starts[feature->index + 1] - hull->face_starts[feature->index];
    }
    double lowest = INFINITY;
    uint32_t vertex = list[0];
    for (size_t i = 0; i < count; i++)
    {
        double height = v3_dot(normal, grz_feature_vertex(body, list[i]));
        vertex = height < lowest ? list[i] : vertex;
        lowest = height < lowest ? height : lowest;
    }
    if (feature->kind == GRZ_FEATURE_FACE ||
        !grz_voronoi_leaves(&walk->bodies[1 - side], walk->features[1 - side], grz_feature_vertex(body, vertex),
                            &walk->features[1 - side]))
        *feature = (grz_feature){GRZ_FEATURE_VERTEX, vertex};
}

static void find_nearest_points(feature_walk *walk)
{
    for (int side = 0; side < 2; side++)
        if (walk->features[1 - side].kind == GRZ_FEATURE_FACE && walk->features[side].kind != GRZ_FEATURE_VERTEX)
            reduce_to_vertex(walk, side);
    grz_feature_edge edges[2];
    for (int side = 0; side < 2; side++)
        if (walk->features[side].kind == GRZ_FEATURE_VERTEX)
            walk->points[side] = grz_feature_vertex(&walk->bodies[side], walk->features[side].index);
        else if (walk->features[side].kind == GRZ_FEATURE_EDGE)
            edges[side] = grz_feature_edge_of(&walk->bodies[side], walk->features[side].index);
    if (walk->features[0].kind == GRZ_FEATURE_EDGE && walk->features[1].kind == GRZ_FEATURE_EDGE)
    {
        nearest_of_edges(&edges[0], &edges[1], walk->points);
        return;
    }
    for (int side = 0; side < 2; side++)
    {
        v3 vertex = walk->points[1 - side];
        if (walk->features[side].kind == GRZ_FEATURE_EDGE)
            walk->points[side] = nearest_of_edge(&edges[side], vertex);
        if (walk->features[side].kind != GRZ_FEATURE_FACE)
            continue;
        const grz_feature_body *body = &walk->bodies[side];
        uint32_t face = walk->features[side].index;
        v3 normal = grz_feature_face_normal(body, face);
        v3 corner = grz_feature_vertex(body, body->hull->origins[body->hull->face_starts[face]]);
        double height = v3_dot(normal, v3_sub(vertex, corner)) / v3_dot(normal, normal);
        walk->points[side] = v3_sub(vertex, v3_scale(height, normal));
    }
}

typedef enum walk_step
{
    WALK_ON,
    WALK_ENDS,  /* closest features */
    WALK_INSIDE /* a point of one body lies below all faces of the other */
} walk_step;

/* Replaces a feature whose region the other's nearest point leaves. */
static walk_step step(feature_walk *walk)
{
    int first = walk->features[1].kind == GRZ_FEATURE_FACE ? 1 : 0; /* a vertex beside a face goes nowhere from there */
    for (int i = 0; i < 2; i++)
    {
        int side = i == 0 ? first : 1 - first;
        const grz_feature_body *body = &walk->bodies[side];
        grz_feature *feature = &walk->features[side];
        v3 x = walk->points[1 - side];
        walk->query->counters.vertices += grz_voronoi_plane_count(body, *feature);
        if (grz_voronoi_leaves(body, *feature, x, feature))
            return WALK_ON;
        if (feature->kind != GRZ_FEATURE_FACE)
            continue;
        v3 above = v3_sub(x, walk->points[side]);
        if (v3_dot(grz_feature_face_normal(body, feature->index), above) > 0)
            continue;
        uint32_t face = feature->index;
        if (grz_feature_highest_face(body, x, &face) <= 0 || face == feature->index)
            return WALK_INSIDE;
        feature->index = face;
        return WALK_ON;
    }
    return WALK_ENDS;
}

static void start(feature_walk *walk)
{
    const graze_method_cache *cache = walk->query->cache;
    if (grz_feature_recall(cache, walk->bodies, walk->features))
        return;
    double centres[2][3];
    for (int side = 0; side < 2; side++)
        graze_pose_apply(&walk->bodies[side].search->bodies[side].pose, walk->bodies[side].state->convex.centre,
                         centres[side]);
    v3 between = v3_sub(v3_load(centres[1]), v3_load(centres[0]));
    walk->features[0] = grz_feature_towards(&walk->bodies[0], between);
    walk->features[1] = grz_feature_towards(&walk->bodies[1], v3_scale(-1, between));
}

static void run(grz_method_query *query)
{
    grz_convex_search search;
    if (!grz_convex_search_start(query, &search))
        return;
    feature_walk walk = {.query = query};
    for (int side = 0; side < 2; side++)
        walk.bodies[side] = grz_feature_body_make(&search, side);
    start(&walk);
    walk_step last = WALK_ON;
    for (int i = 0; i < MOST_STEPS && last == WALK_ON; i++)
    {
        query->counters.iterations++;
        if (!grz_monitor_box_tests(&query->monitor, 1))
            return;
        find_nearest_points(&walk);
        last = step(&walk);
    }
    grz_feature_keep(query->cache, walk.features);
    double normal[3];
    v3_store(v3_sub(walk.points[1], walk.points[0]), normal);
    if (last != WALK_ENDS || !grz_convex_search_separates(query, &search, normal))
        grz_convex_search_decide(query, &search);
}

const grz_method grz_closest_features_method = {
    .info = {.name = "closest-features",
             .summary = "Walks from feature to feature to the closest ones (Lin and Canny).",
             .source = "003, 004 2.5",
             .mesh_class = GRAZE_METHOD_CLASS_CONVEX,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_EXACT},
    .state_size = sizeof(grz_feature_state),
    .prepare = grz_feature_state_prepare,
    .release = grz_feature_state_release,
    .memory = grz_feature_state_memory,
    .run = run,
};
