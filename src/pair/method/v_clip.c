/* SPDX-License-Identifier: MIT */
/*
 * V-Clip (B. Mirtich, V-Clip: fast and robust polyhedral collision detection, 1998; 004 7): the closest features again,
 * without nearest points: an edge is clipped at the planes of the other feature's Voronoi region, and the sign of the
 * distance's derivative at the ends of what is left tells which feature comes next. An edge that goes through a face
 * proves a collision, as does a vertex below all faces; certificates decide at the end.
 */
#include "pair/method/convex_features.h"
#include "pair/method/table.h"

enum
{
    MOST_STEPS = 200
};

typedef enum clip_step
{
    CLIP_ON,
    CLIP_ENDS,  /* closest features */
    CLIP_INSIDE /* the bodies seem to overlap */
} clip_step;

/* Two features, the side of the first, and what separates them when the walk ends. */
typedef struct clip_walk
{
    grz_method_query *query;
    grz_feature_body bodies[2];
    grz_feature features[2];
    v3 normal; /* from A to B */
} clip_walk;

/* What is left of an edge within a region, and the neighbours beyond both ends. */
typedef struct clipped_edge
{
    double lower, upper;
    bool has_lower, has_upper;
    grz_feature before, after;
    bool empty;
} clipped_edge;

static v3 at(const grz_feature_edge *edge, double t)
{
    return v3_add(edge->tail, v3_scale(t, edge->along));
}

/* Clips an edge at the planes from `first` on of a feature's region. */
static clipped_edge clip(const grz_feature_edge *edge, const grz_feature_body *body, grz_feature feature,
                         uint32_t first, uint32_t count)
{
    clipped_edge left = {.lower = 0, .upper = 1};
    for (uint32_t i = first; i < first + count; i++)
    {
        grz_voronoi_plane plane = grz_voronoi_plane_at(body, feature, i);
        double tail = grz_voronoi_height(&plane, edge->tail), rise = v3_dot(plane.normal, edge->along);
        double head = tail + rise;
        if (tail > 0 && head > 0)
        {
            left.before = left.after = plane.neighbour;
            left.has_lower = left.has_upper = left.empty = true;
            return left;
        }
        double t = -tail / rise;
        if (tail > 0 && t > left.lower)
        {
            left.lower = t;
            left.before = plane.neighbour;
            left.has_lower = true;
        }
        else if (head > 0 && t < left.upper)
        {
            left.upper = t;
            left.after = plane.neighbour;
            left.has_upper = true;
        }
    }
    left.empty = left.lower > left.upper;
    return left;
}

/* How the distance of the point at t from a feature changes along the edge: its sign; a vertex or an edge. */
static double derivative(const grz_feature_edge *edge, double t, const grz_feature_body *body, grz_feature feature)
{
    v3 x = at(edge, t);
    if (feature.kind == GRZ_FEATURE_VERTEX)
        return v3_dot(edge->along, v3_sub(x, grz_feature_vertex(body, feature.index)));
    grz_feature_edge other = grz_feature_edge_of(body, feature.index);
    v3 away = v3_sub(x, other.tail);
    double along = v3_dot(away, other.along) / v3_dot(other.along, other.along);
    return v3_dot(edge->along, v3_sub(away, v3_scale(along, other.along)));
}

static v3 lowest_point(const grz_feature_edge *edge, const clipped_edge *left, double at_lower, double at_upper)
{
    /* The derivative is linear. */
    double t = left->lower;
    if (at_lower < 0 && at_upper > 0)
        t += (left->upper - left->lower) * (-at_lower / (at_upper - at_lower));
    else if (at_upper <= 0)
        t = left->upper;
    return at(edge, t);
}

/* Clips the edge of `side` at the region of the other feature, a vertex or an edge, and moves on from there. */
static clip_step step_by_clipping(clip_walk *walk, int side, bool *out_moved, v3 *out_point)
{
    const grz_feature_body *other = &walk->bodies[1 - side];
    grz_feature *feature = &walk->features[1 - side];
    grz_feature_edge edge = grz_feature_edge_of(&walk->bodies[side], walk->features[side].index);
    bool is_vertex = feature->kind == GRZ_FEATURE_VERTEX;
    clipped_edge left = clip(&edge, other, *feature, 0, is_vertex ? grz_voronoi_plane_count(other, *feature) : 2);
    *out_moved = true;
    if (!is_vertex && !left.empty) /* planes of the vertices first, then those of the faces */
    {
        clipped_edge faces = clip(&edge, other, *feature, 2, 2);
        if (faces.lower > left.lower)
        {
            left.lower = faces.lower;
            left.before = faces.before;
            left.has_lower = true;
        }
        if (faces.upper < left.upper)
        {
            left.upper = faces.upper;
            left.after = faces.after;
            left.has_upper = true;
        }
        left.empty = faces.empty || left.lower > left.upper;
        if (faces.empty)
            left.before = left.after = faces.before;
    }
    if (left.empty)
    {
        *feature = left.has_lower ? left.before : left.after;
        return CLIP_ON;
    }
    double at_lower = derivative(&edge, left.lower, other, *feature);
    double at_upper = derivative(&edge, left.upper, other, *feature);
    if (left.has_lower && at_lower > 0)
    {
        *feature = left.before;
        return CLIP_ON;
    }
    if (left.has_upper && at_upper < 0)
    {
        *feature = left.after;
        return CLIP_ON;
    }
    *out_moved = false;
    *out_point = lowest_point(&edge, &left, at_lower, at_upper);
    return CLIP_ENDS;
}

/* From side's vertex to the other vertex or edge. */
static bool vertex_leaves(clip_walk *walk, int side)
{
    v3 x = grz_feature_vertex(&walk->bodies[side], walk->features[side].index);
    return grz_voronoi_leaves(&walk->bodies[1 - side], walk->features[1 - side], x, &walk->features[1 - side]);
}

static void set_normal(clip_walk *walk, int side, v3 from_side)
{
    walk->normal = side == 0 ? from_side : v3_scale(-1, from_side);
}

static clip_step step_vertices(clip_walk *walk)
{
    if (vertex_leaves(walk, 0) || vertex_leaves(walk, 1))
        return CLIP_ON;
    walk->normal = v3_sub(grz_feature_vertex(&walk->bodies[1], walk->features[1].index),
                          grz_feature_vertex(&walk->bodies[0], walk->features[0].index));
    return CLIP_ENDS;
}

/* The vertex is of `side`, the edge of the other. */
static clip_step step_vertex_edge(clip_walk *walk, int side)
{
    bool moved;
    v3 point = v3_make(0, 0, 0);
    if (vertex_leaves(walk, side))
        return CLIP_ON;
    clip_step next = step_by_clipping(walk, 1 - side, &moved, &point);
    if (!moved)
        set_normal(walk, side, v3_sub(point, grz_feature_vertex(&walk->bodies[side], walk->features[side].index)));
    return next;
}

static clip_step step_edges(clip_walk *walk)
{
    bool moved;
    v3 points[2] = {v3_make(0, 0, 0), v3_make(0, 0, 0)};
    for (int side = 0; side < 2; side++)
        if (step_by_clipping(walk, side, &moved, &points[side]) == CLIP_ON)
            return CLIP_ON;
    walk->normal = v3_sub(points[1], points[0]);
    return CLIP_ENDS;
}

static double height_above(const grz_feature_body *body, uint32_t face, v3 normal, v3 x)
{
    return v3_dot(normal, v3_sub(x, grz_feature_vertex(body, body->hull->origins[body->hull->face_starts[face]])));
}

/* The vertex is of `side`, the face of the other. */
static clip_step step_vertex_face(clip_walk *walk, int side)
{
    const grz_feature_body *body = &walk->bodies[side], *other = &walk->bodies[1 - side];
    if (vertex_leaves(walk, side))
        return CLIP_ON;
    uint32_t face = walk->features[1 - side].index, vertex = walk->features[side].index;
    v3 x = grz_feature_vertex(body, vertex), normal = grz_feature_face_normal(other, face);
    double height = height_above(other, face, normal, x);
    for (uint32_t i = 0, n = grz_voronoi_plane_count(body, walk->features[side]); i < n; i++)
    {
        grz_voronoi_plane plane = grz_voronoi_plane_at(body, walk->features[side], i);
        double rise = v3_dot(plane.normal, normal);
        if (height > 0 ? !(rise < 0) : !(rise > 0))
            continue;
        walk->features[side] = plane.neighbour; /* the edge comes nearer to the face's plane */
        return CLIP_ON;
    }
    if (height > 0)
    {
        set_normal(walk, side, v3_scale(-1, normal));
        return CLIP_ENDS;
    }
    if (grz_feature_highest_face(other, x, &face) <= 0 || face == walk->features[1 - side].index)
        return CLIP_INSIDE;
    walk->features[1 - side].index = face;
    return CLIP_ON;
}

/* The edge of the polygon, or its end, that is nearest to an edge which passes it by. */
static grz_feature nearest_side(const grz_feature_body *body, uint32_t face, const grz_feature_edge *edge)
{
    grz_feature best = {GRZ_FEATURE_EDGE, body->hull->face_starts[face]};
    v3 middle = at(edge, 0.5);
    double farthest = -INFINITY;
    for (uint32_t i = 0, n = grz_voronoi_plane_count(body, (grz_feature){GRZ_FEATURE_FACE, face}); i < n; i++)
    {
        grz_voronoi_plane plane = grz_voronoi_plane_at(body, (grz_feature){GRZ_FEATURE_FACE, face}, i);
        double height = grz_voronoi_height(&plane, middle);
        if (!(height > farthest))
            continue;
        farthest = height;
        best = plane.neighbour;
    }
    return best;
}

/* The edge is of `side`, the face of the other. */
static clip_step step_edge_face(clip_walk *walk, int side)
{
    const grz_feature_body *other = &walk->bodies[1 - side];
    grz_feature *face = &walk->features[1 - side];
    grz_feature_edge edge = grz_feature_edge_of(&walk->bodies[side], walk->features[side].index);
    clipped_edge left = clip(&edge, other, *face, 0, grz_voronoi_plane_count(other, *face));
    if (left.empty)
    {
        *face = nearest_side(other, face->index, &edge);
        return CLIP_ON;
    }
    v3 normal = grz_feature_face_normal(other, face->index);
    double at_lower = height_above(other, face->index, normal, at(&edge, left.lower));
    double at_upper = height_above(other, face->index, normal, at(&edge, left.upper));
    if ((at_lower < 0) != (at_upper < 0))
        return CLIP_INSIDE;
    bool falls = at_upper < at_lower;
    bool to_upper = at_lower >= 0 ? falls : !falls; /* the end that is nearer to the plane */
    if (to_upper ? left.has_upper : left.has_lower)
        *face = to_upper ? left.after : left.before;
    else
        walk->features[side] = (grz_feature){GRZ_FEATURE_VERTEX, edge.ends[to_upper ? 1 : 0]};
    return CLIP_ON;
}

static clip_step step(clip_walk *walk)
{
    grz_feature_kind a = walk->features[0].kind, b = walk->features[1].kind;
    if (a == GRZ_FEATURE_FACE && b == GRZ_FEATURE_FACE) /* of the start only */
    {
        const grz_hull *hull = walk->bodies[0].hull;
        walk->features[0] =
            (grz_feature){GRZ_FEATURE_VERTEX, hull->origins[hull->face_starts[walk->features[0].index]]};
        return CLIP_ON;
    }
    if (a == GRZ_FEATURE_VERTEX && b == GRZ_FEATURE_VERTEX)
        return step_vertices(walk);
    if (a == GRZ_FEATURE_EDGE && b == GRZ_FEATURE_EDGE)
        return step_edges(walk);
    int side = a < b ? 0 : 1; /* of the smaller dimension */
    if (walk->features[1 - side].kind == GRZ_FEATURE_EDGE)
        return step_vertex_edge(walk, side);
    return walk->features[side].kind == GRZ_FEATURE_VERTEX ? step_vertex_face(walk, side) : step_edge_face(walk, side);
}

static void start(clip_walk *walk, const grz_convex_search *search)
{
    for (int side = 0; side < 2; side++)
        walk->bodies[side] = grz_feature_body_make(search, side);
    if (grz_feature_recall(walk->query->cache, walk->bodies, walk->features))
        return;
    for (int side = 0; side < 2; side++)
        walk->features[side] = (grz_feature){GRZ_FEATURE_VERTEX, 0};
}

static void run(grz_method_query *query)
{
    grz_convex_search search;
    if (!grz_convex_search_start(query, &search))
        return;
    clip_walk walk = {.query = query};
    start(&walk, &search);
    clip_step last = CLIP_ON;
    for (int i = 0; i < MOST_STEPS && last == CLIP_ON; i++)
    {
        query->counters.iterations++;
        if (!grz_monitor_box_tests(&query->monitor, 1))
            return;
        last = step(&walk);
    }
    grz_feature_keep(query->cache, walk.features);
    double normal[3];
    v3_store(walk.normal, normal);
    if (last != CLIP_ENDS || !grz_convex_search_separates(query, &search, normal))
        grz_convex_search_decide(query, &search);
}

const grz_method grz_v_clip_method = {
    .info = {.name = "v-clip",
             .summary = "Closest features by clipping edges at Voronoi regions (Mirtich).",
             .source = "004 7",
             .mesh_class = GRAZE_METHOD_CLASS_CONVEX,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_EXACT},
    .state_size = sizeof(grz_feature_state),
    .prepare = grz_feature_state_prepare,
    .release = grz_feature_state_release,
    .memory = grz_feature_state_memory,
    .run = run,
};
