/* SPDX-License-Identifier: MIT */
/* Ways of tumbling k-dops; see dop_tumbling.h. */
#include "pair/method/dop_tumbling.h"

#include "convex/hull.h"
#include "mesh/mesh.h"

struct grz_dop_tumbling
{
    bool by_support;                          /* nodes are moved by their supports: own directions */
    uint32_t *starts;                         /* per node, and the end: its vertices, NULL: none */
    grz_dop_points vertices;                  /* three numbers each */
    double *errors;                           /* per node: within which its vertices are known, in each coordinate */
    grz_hull *hull;                           /* of the scaled vertices; NULL: none */
    uint32_t extremes[2 * GRZ_DOP_MOST_HALF]; /* its farthest vertices, against and along each direction */
};

static graze_status find_vertices(grz_dop_tumbling *t, const grz_dop_tree *tree, const graze_context *context,
                                  grz_monitor *monitor)
{
    size_t count = tree->tree.node_count;
    t->starts = grz_allocate(context, count + 1, sizeof *t->starts);
    t->errors = grz_allocate(context, count, sizeof *t->errors);
    if (t->starts == NULL || t->errors == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t n = 0; n < count; n++)
    {
        if (t->vertices.count / 3 > UINT32_MAX / 2)
            return GRAZE_STATUS_TOO_LARGE;
        t->starts[n] = (uint32_t)(t->vertices.count / 3);
        if (!grz_dop_find_vertices(context, tree->kind, grz_dop_of(tree, (uint32_t)n), &t->vertices, &t->errors[n]))
            return GRAZE_STATUS_OUT_OF_MEMORY;
        if (!grz_monitor_elements(monitor, 64))
            return grz_monitor_or_memory(monitor);
    }
    t->starts[count] = (uint32_t)(t->vertices.count / 3);
    return GRAZE_STATUS_OK;
}

static double height(const grz_hull *hull, uint32_t vertex, const double direction[3])
{
    return grz_dop_along(direction, hull->vertices[vertex]);
}

/* From a vertex to the highest neighbour, until none is higher; *out_margin is by how much all are lower. */
static uint32_t climb(const grz_hull *hull, const double direction[3], uint32_t vertex, double *out_margin)
{
    double own = height(hull, vertex, direction);
    for (;;)
    {
        uint32_t best = vertex;
        double highest = -INFINITY;
        for (uint32_t n = hull->neighbour_starts[vertex]; n < hull->neighbour_starts[vertex + 1]; n++)
        {
            double next = height(hull, hull->neighbours[n], direction);
            best = next > highest ? hull->neighbours[n] : best;
            highest = next > highest ? next : highest;
        }
        *out_margin = own - highest;
        if (!(highest > own))
            return vertex;
        vertex = best;
        own = highest;
    }
}

static uint32_t scan(const grz_hull *hull, const double direction[3])
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < hull->vertex_count; v++)
        best = height(hull, v, direction) > height(hull, best, direction) ? v : best;
    return best;
}

static void signed_direction(const grz_dop_kind *kind, int which, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = which < kind->half ? -kind->directions[which][i] : kind->directions[which - kind->half][i];
}

static graze_status make_hull(grz_dop_tumbling *t, const grz_dop_tree *tree, const graze_context *context,
                              const graze_mesh *mesh, grz_monitor *monitor)
{
    graze_status status = grz_hull_create(context, mesh->scaled, mesh->vertex_count, monitor, &t->hull);
    for (int i = 0; status == GRAZE_STATUS_OK && i < 2 * tree->kind->half; i++)
    {
        double direction[3];
        signed_direction(tree->kind, i, direction);
        t->extremes[i] = scan(t->hull, direction);
    }
    return status;
}

graze_status grz_dop_tumbling_create(const grz_dop_tree *tree, const graze_context *context, const graze_mesh *mesh,
                                     graze_tumbling way, grz_monitor *monitor, grz_dop_tumbling **out)
{
    bool climbs = way == GRAZE_TUMBLING_HILL_CLIMBING, by_vertices = climbs || way == GRAZE_TUMBLING_VERTICES;
    graze_status status = GRAZE_STATUS_OK;
    *out = NULL;
    if (!by_vertices)
        return status;
    grz_dop_tumbling *t = grz_allocate_zeroed(context, 1, sizeof *t);
    if (t == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    t->by_support = tree->kind == &tree->own_kind;
    if (!t->by_support)
        status = find_vertices(t, tree, context, monitor);
    if (status == GRAZE_STATUS_OK && climbs)
        status = make_hull(t, tree, context, mesh, monitor);
    if (status == GRAZE_STATUS_OK)
        *out = t;
    else
        grz_dop_tumbling_destroy(t, context);
    return status;
}

void grz_dop_tumbling_destroy(grz_dop_tumbling *tumbling, const graze_context *context)
{
    if (tumbling == NULL)
        return;
    grz_release(context, tumbling->starts);
    grz_release(context, tumbling->vertices.data);
    grz_release(context, tumbling->errors);
    grz_hull_destroy(tumbling->hull);
    grz_release(context, tumbling);
}

size_t grz_dop_tumbling_memory(const grz_dop_tumbling *tumbling)
{
    if (tumbling == NULL)
        return 0;
    size_t bytes = sizeof *tumbling + tumbling->vertices.capacity * sizeof(double);
    const grz_hull *hull = tumbling->hull;
    if (hull != NULL)
        bytes += sizeof *hull + hull->vertex_count * sizeof *hull->vertices +
                 4 * (hull->vertex_count + hull->half_edge_count) * sizeof(uint32_t);
    return bytes;
}

/* The bodies' directions that a direction b of A's frame is of B's: R^T b. */
static void turn_back(const grz_method_query *query, const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = b[0] * query->map[0][k] + b[1] * query->map[1][k] + b[2] * query->map[2][k];
}

/*
 * Heights err by the slack of a moved point. A vertex all of whose neighbours are certainly lower is the highest of a
 * convex polytope; where that is not certain, all vertices are compared. Walks begin where the last query's ended, or
 * at the extreme vertices of the body as it was built. Flat hulls are scanned.
 * shortcut: hull-climbing
 */
static void climb_root(const grz_dop_mover *mover, double *out)
{
    const grz_dop_kind *kind = mover->tree->kind;
    const grz_dop_tumbling *t = mover->tree->tumbling;
    const grz_hull *hull = t->hull;
    double *kept = mover->query->cache != NULL ? mover->query->cache->numbers : NULL;
    for (int i = 0; i < 2 * kind->half; i++)
    {
        double b[3], direction[3], margin;
        int d = i % kind->half;
        signed_direction(kind, i, b);
        turn_back(mover->query, b, direction);
        uint32_t start = t->extremes[i];
        if (kept != NULL && kept[i] >= 1 && kept[i] < (double)hull->vertex_count + 1)
            start = (uint32_t)kept[i] - 1;
        uint32_t highest = climb(hull, direction, start, &margin);
        if (hull->dimension < 3 || !(margin > 4 * mover->slack[d]))
            highest = scan(hull, direction);
        if (kept != NULL)
            kept[i] = highest + 1.0;
        double offset =
            b[0] * mover->query->map[0][3] + b[1] * mover->query->map[1][3] + b[2] * mover->query->map[2][3];
        double end = height(hull, highest, direction) + offset;
        out[i] = i < kind->half ? -end : end;
        mover->query->counters.vertices++;
    }
}

/* The moved vertices, and what each may lack: an error e in each coordinate is at most e (|c_1| + |c_2| + |c_3|) along
   b, with c = R^T b. */
static void move_vertices(const grz_dop_mover *mover, uint32_t node, double *out)
{
    const grz_dop_kind *kind = mover->tree->kind;
    const grz_dop_tumbling *t = mover->tree->tumbling;
    double by[GRZ_DOP_MOST_HALF];
    grz_dop_clear(kind, out);
    for (uint32_t v = t->starts[node]; v < t->starts[node + 1]; v++)
    {
        double moved[3];
        grz_method_place(mover->query, t->vertices.data + 3 * (size_t)v, moved);
        grz_dop_add_point(kind, moved, out);
    }
    for (int i = 0; i < kind->half; i++)
    {
        double c[3];
        turn_back(mover->query, kind->directions[i], c);
        by[i] = 8 * mover->slack[i] + 2 * t->errors[node] * (fabs(c[0]) + fabs(c[1]) + fabs(c[2]));
    }
    grz_dop_widen(kind->half, by, out);
}

/* The support of one direction, which is b of A's frame turned back, or its opposite, begun at the planes of duality.
 */
static double moved_end(const grz_dop_mover *mover, uint32_t node, int direction, double sign)
{
    const grz_dop_kind *kind = mover->tree->kind;
    double c[3];
    int planes[3];
    turn_back(mover->query, kind->directions[direction], c);
    for (int k = 0; k < 3; k++)
    {
        c[k] *= sign;
        planes[k] = 2 * mover->map.from[direction][k] + (sign * mover->map.factors[direction][k] < 0);
    }
    return grz_dop_support(kind, grz_dop_of(mover->tree, node), c, mover->extent, planes);
}

/* c is b R to 2^-50 or so of its size, which the slack covers, as the errors of offsets. */
static void move_supports(const grz_dop_mover *mover, uint32_t node, double *out)
{
    const grz_dop_kind *kind = mover->tree->kind;
    for (int i = 0; i < kind->half; i++)
    {
        out[i] = mover->map.offsets[i] - moved_end(mover, node, i, -1);
        out[kind->half + i] = mover->map.offsets[i] + moved_end(mover, node, i, 1);
    }
}

bool grz_dop_tumble(const grz_dop_mover *mover, uint32_t node, double *out)
{
    const grz_dop_tumbling *t = mover->tree->tumbling;
    if (t == NULL)
        return false;
    bool climbs = node == 0 && t->hull != NULL;
    if (!climbs && !t->by_support)
    {
        move_vertices(mover, node, out);
        return true;
    }
    if (climbs)
        climb_root(mover, out);
    else
        move_supports(mover, node, out);
    grz_dop_widen(mover->tree->kind->half, mover->slack, out);
    return true;
}
