/* SPDX-License-Identifier: MIT */
/*
 * Clipping edges at half-spaces (M. Cyrus, J. Beck 1978; G. Zachmann 1994, 3.4.1): two convex bodies meet where a part
 * of an edge of one is left when it has been clipped at all faces of the other; an edge wholly inside is not clipped at
 * all, so containment is found, too. Before it, the edge's box is tested against the other body's. Clipping is in
 * doubles; certificates decide at the end.
 */
#include "pair/method/convex_state.h"
#include "pair/method/table.h"

/* One body in the world, relative to A's translation. */
typedef struct clip_body
{
    const grz_hull *hull;
    v3 *points;
    v3 *normals;     /* outward, of the faces */
    uint32_t *order; /* in which its faces clip: those first whose boxes meet the other body's */
    v3 lower, upper;
} clip_body;

static bool place(grz_method_query *query, const grz_convex_search *search, int side, clip_body *out)
{
    const grz_hull *hull = search->states[side]->hull;
    bool mirrored = graze_pose_handedness(&search->bodies[side].pose) < 0;
    out->hull = hull;
    out->points = grz_allocate(query->context, hull->vertex_count, sizeof *out->points);
    out->normals = grz_allocate(query->context, hull->face_count, sizeof *out->normals);
    out->order = grz_allocate(query->context, hull->face_count, sizeof *out->order);
    if (out->points == NULL || out->normals == NULL || out->order == NULL)
        return false;
    out->lower = v3_make(INFINITY, INFINITY, INFINITY);
    out->upper = v3_make(-INFINITY, -INFINITY, -INFINITY);
    for (size_t v = 0; v < hull->vertex_count; v++)
    {
        v3 p = grz_convex_search_point(search, side, (uint32_t)v);
        out->points[v] = p;
        out->lower = v3_make(fmin(out->lower.x, p.x), fmin(out->lower.y, p.y), fmin(out->lower.z, p.z));
        out->upper = v3_make(fmax(out->upper.x, p.x), fmax(out->upper.y, p.y), fmax(out->upper.z, p.z));
    }
    for (size_t f = 0; f < hull->face_count; f++)
    {
        const uint32_t *origins = hull->origins + hull->face_starts[f];
        v3 p = out->points[origins[0]];
        v3 normal = v3_cross(v3_sub(out->points[origins[1]], p), v3_sub(out->points[origins[2]], p));
        out->normals[f] = mirrored ? v3_scale(-1, normal) : normal;
    }
    return true;
}

static bool boxes_meet(v3 p, v3 q, const clip_body *other)
{
    return fmin(p.x, q.x) <= other->upper.x && fmax(p.x, q.x) >= other->lower.x && fmin(p.y, q.y) <= other->upper.y &&
           fmax(p.y, q.y) >= other->lower.y && fmin(p.z, q.z) <= other->upper.z && fmax(p.z, q.z) >= other->lower.z;
}

/* Whether the box of a face meets the other body's. */
static bool face_meets(const clip_body *body, size_t face, const clip_body *other)
{
    const grz_hull *hull = body->hull;
    v3 lower = v3_make(INFINITY, INFINITY, INFINITY), upper = v3_scale(-1, lower);
    for (uint32_t i = hull->face_starts[face]; i < hull->face_starts[face + 1]; i++)
    {
        v3 p = body->points[hull->origins[i]];
        lower = v3_make(fmin(lower.x, p.x), fmin(lower.y, p.y), fmin(lower.z, p.z));
        upper = v3_make(fmax(upper.x, p.x), fmax(upper.y, p.y), fmax(upper.z, p.z));
    }
    return boxes_meet(lower, upper, other);
}

/* The collected faces first: most edges that are out are cut away by them. The others follow, since an edge that is
   left of the collected ones only need not be in the body; 000 leaves them out. */
static void order_faces(clip_body *body, const clip_body *other, bool collect)
{
    size_t first = 0, last = body->hull->face_count;
    collect = collect && boxes_meet(body->lower, body->upper, other); /* else no edge is clipped */
    for (size_t f = 0; f < body->hull->face_count; f++)
        if (!collect || face_meets(body, f, other))
            body->order[first++] = (uint32_t)f;
        else
            body->order[--last] = (uint32_t)f;
}

/* Whether a part of the edge from u to v is left. */
static bool is_left(grz_method_query *query, v3 u, v3 v, const clip_body *other)
{
    double alpha = 0, beta = 1;
    v3 along = v3_sub(v, u);
    for (size_t i = 0; i < other->hull->face_count; i++)
    {
        uint32_t f = other->order[i];
        v3 n = other->normals[f];
        double d = v3_dot(n, along);
        double height = v3_dot(n, v3_sub(other->points[other->hull->origins[other->hull->face_starts[f]]], u));
        query->counters.half_spaces++;
        if (d == 0 && height < 0)
            return false;
        if (d < 0)
            alpha = fmax(alpha, height / d);
        if (d > 0)
            beta = fmin(beta, height / d);
        if (alpha > beta)
            return false;
    }
    return true;
}

/* Whether any edge of one body is left of the other; also true when the query is over. */
static bool any_edge_left(grz_method_query *query, const clip_body *edges, const clip_body *faces, bool check)
{
    const grz_hull *hull = edges->hull;
    for (size_t i = 0; i < hull->half_edge_count; i++)
    {
        if (i > hull->twins[i])
            continue;
        v3 u = edges->points[hull->origins[i]], v = edges->points[hull->origins[hull->twins[i]]];
        query->counters.primitives++;
        if (!grz_monitor_box_tests(&query->monitor, faces->hull->face_count))
            return true;
        if (check && !boxes_meet(u, v, faces))
            query->counters.check[0]++;
        else if (is_left(query, u, v, faces))
            return true;
    }
    return false;
}

static void run(grz_method_query *query)
{
    grz_convex_search search;
    clip_body bodies[2] = {{.points = NULL}, {.points = NULL}};
    if (!grz_convex_search_start(query, &search))
        return;
    bool placed = place(query, &search, 0, &bodies[0]) && place(query, &search, 1, &bodies[1]);
    if (placed)
    {
        graze_pre_checks checks = ((const grz_method_convex *)query->a)->parameters.pre_checks;
        bool check = checks != GRAZE_PRE_CHECKS_NONE;
        for (int side = 0; side < 2; side++)
            order_faces(&bodies[side], &bodies[1 - side], checks == GRAZE_PRE_CHECKS_ALL);
        bool left =
            any_edge_left(query, &bodies[0], &bodies[1], check) || any_edge_left(query, &bodies[1], &bodies[0], check);
        query->guess = left ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
        if (grz_monitor_may_continue(&query->monitor))
            grz_convex_search_decide(query, &search);
    }
    else
        query->out_of_memory = true;
    for (int side = 0; side < 2; side++)
    {
        grz_release(query->context, bodies[side].points);
        grz_release(query->context, bodies[side].normals);
        grz_release(query->context, bodies[side].order);
    }
}

const grz_method grz_cyrus_beck_method = {
    .info = {.name = "cyrus-beck",
             .summary = "Edges of each body are clipped at the half-spaces of the other's faces.",
             .source = "000 3.4.1",
             .mesh_class = GRAZE_METHOD_CLASS_CONVEX,
             .subject = GRAZE_METHOD_BODIES,
             .guarantee = GRAZE_METHOD_EXACT},
    .state_size = sizeof(grz_method_convex),
    .prepare = grz_method_convex_prepare,
    .release = grz_method_convex_release,
    .memory = grz_method_convex_memory,
    .run = run,
};
