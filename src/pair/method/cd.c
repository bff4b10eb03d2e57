/* SPDX-License-Identifier: MIT */
/*
 * The CD library (P. Daneu 2001; 002 3): small convex patches of the surface are the leaves of a tree of 18-dops; the
 * larger volume is opened first. In two patches that may meet, a local search goes over the edges of the first from
 * triangle to triangle towards the plane of a triangle of the second, so that a first hit is found after few tests. It
 * may miss one (the document's 3.4.2), so all other triangles of the patch follow.
 *
 * A triangle joins the first patch with a neighbour of it, up to a limit of triangles, where no vertex of either lies
 * in front of a plane of the other.
 */
#include "math/vector.h"
#include "pair/method/dop_tree.h"
#include "pair/method/surface_edges.h"
#include "pair/method/surface_patches.h"
#include "pair/method/table.h"

enum
{
    DEFAULT_LIMIT = 6,
    MOST_LIMIT = 32
};

#define NO_PATCH UINT32_MAX

typedef struct cd_state
{
    grz_surface_patches patches;
    grz_dop_tree dops;
    uint32_t (*neighbours)[3]; /* per triangle: one across each side; UINT32_MAX: none */
} cd_state;

/* Links triangles that share an edge; of several the next in order. */
static graze_status find_neighbours(cd_state *state, const graze_context *context, const graze_mesh *mesh,
                                    grz_monitor *monitor)
{
    grz_surface_edges surface;
    graze_status status = grz_surface_edges_find(context, mesh, false, monitor, &surface);
    state->neighbours = grz_allocate(context, mesh->triangle_count, sizeof *state->neighbours);
    if (state->neighbours == NULL)
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (status == GRAZE_STATUS_OK)
        memset(state->neighbours, 0xff, mesh->triangle_count * sizeof *state->neighbours);
    for (size_t e = 0; status == GRAZE_STATUS_OK && e < surface.edge_count; e++)
        for (uint32_t i = 0; i < surface.edges[e].count && surface.edges[e].count > 1; i++)
        {
            const uint32_t *owners = surface.owners + surface.edges[e].first;
            uint32_t *sides = state->neighbours[owners[i]];
            int side = sides[0] == UINT32_MAX ? 0 : sides[1] == UINT32_MAX ? 1 : 2;
            sides[side] = owners[(i + 1) % surface.edges[e].count];
        }
    grz_surface_edges_release(context, &surface);
    return status;
}

static v3 corner_of(const graze_mesh *mesh, uint32_t triangle, int corner)
{
    return v3_load(grz_scaled_corner(mesh, triangle, corner));
}

static v3 normal_of(const graze_mesh *mesh, uint32_t triangle)
{
    v3 p = corner_of(mesh, triangle, 0);
    return v3_cross(v3_sub(corner_of(mesh, triangle, 1), p), v3_sub(corner_of(mesh, triangle, 2), p));
}

/* Whether no corner of one lies in front of the other's plane, and if both are in one plane, they face alike. */
static bool go_together(const graze_mesh *mesh, uint32_t a, uint32_t b)
{
    bool flat = true;
    for (int order = 0; order < 2; order++)
    {
        uint32_t of = order == 0 ? a : b, other = order == 0 ? b : a;
        v3 normal = normal_of(mesh, of), p = corner_of(mesh, of, 0);
        for (int corner = 0; corner < 3; corner++)
        {
            double height = v3_dot(normal, v3_sub(corner_of(mesh, other, corner), p));
            if (height > 0)
                return false;
            flat = flat && height == 0;
        }
    }
    return !flat || v3_dot(normal_of(mesh, a), normal_of(mesh, b)) > 0;
}

/* The patches while they grow: their triangles in a list each. */
typedef struct growing_patches
{
    uint32_t *patch_of; /* per triangle */
    uint32_t *next;     /* per triangle: the next of its patch */
    uint32_t *first;    /* per patch */
    uint32_t *sizes;    /* per patch */
    size_t count;
} growing_patches;

static bool fits(const graze_mesh *mesh, const growing_patches *g, uint32_t patch, uint32_t triangle)
{
    for (uint32_t t = g->first[patch]; t != NO_PATCH; t = g->next[t])
        if (!go_together(mesh, t, triangle))
            return false;
    return true;
}

static void add_triangle(const cd_state *state, const graze_mesh *mesh, growing_patches *g, uint32_t triangle,
                         uint32_t limit)
{
    uint32_t best = NO_PATCH;
    for (int side = 0; side < 3; side++)
    {
        uint32_t neighbour = state->neighbours[triangle][side];
        uint32_t patch = neighbour < triangle ? g->patch_of[neighbour] : NO_PATCH;
        if (patch < best && g->sizes[patch] < limit && fits(mesh, g, patch, triangle))
            best = patch;
    }
    if (best == NO_PATCH)
    {
        best = (uint32_t)g->count++;
        g->first[best] = NO_PATCH;
        g->sizes[best] = 0;
    }
    g->patch_of[triangle] = best;
    g->next[triangle] = g->first[best];
    g->first[best] = triangle;
    g->sizes[best]++;
}

static graze_status make_patches(cd_state *state, const graze_context *context, const graze_mesh *mesh, uint32_t limit,
                                 grz_monitor *monitor)
{
    size_t count = mesh->triangle_count;
    uint32_t *numbers = grz_allocate(context, count, 4 * sizeof *numbers);
    if (numbers == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    growing_patches g = {numbers, numbers + count, numbers + 2 * count, numbers + 3 * count, 0};
    bool go_on = true, made = false;
    for (uint32_t t = 0; go_on && t < count; t++)
    {
        add_triangle(state, mesh, &g, t, limit);
        go_on = grz_monitor_elements(monitor, limit);
    }
    if (go_on)
        made = grz_surface_patches_make(context, mesh, g.patch_of, g.count, &state->patches);
    grz_release(context, numbers);
    return made ? GRAZE_STATUS_OK : go_on ? GRAZE_STATUS_OUT_OF_MEMORY : grz_monitor_or_memory(monitor);
}

static void choose_axis(const grz_method_split *split, double out_axis[3], double *out_value)
{
    (void)out_value;
    grz_split_by_variance(split, out_axis);
}

/* What the dops of the tree are fitted to. */
typedef struct patched_mesh
{
    const grz_surface_patches *patches;
    const graze_mesh *mesh;
} patched_mesh;

static void add_patch(const void *user, const grz_dop_kind *kind, uint32_t patch, double *dop)
{
    const patched_mesh *m = user;
    for (uint32_t i = m->patches->starts[patch]; i < m->patches->starts[patch + 1]; i++)
        grz_dop_add_triangle(kind, m->mesh, m->patches->triangles[i], dop);
}

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    cd_state *state = opaque;
    static const grz_method_tree_plan plan = {.leaf_size = 1, .choose_axis = choose_axis};
    uint32_t limit = parameters->leaf_size != 0 ? parameters->leaf_size : DEFAULT_LIMIT;
    state->dops.kind = &grz_dop_18;
    graze_status status = find_neighbours(state, context, mesh, monitor);
    if (status == GRAZE_STATUS_OK)
        status = make_patches(state, context, mesh, limit < MOST_LIMIT ? limit : MOST_LIMIT, monitor);
    if (status == GRAZE_STATUS_OK)
        status = grz_method_tree_build_over(context, (const double(*)[3])state->patches.centroids, state->patches.count,
                                            &plan, monitor, &state->dops.tree);
    if (status != GRAZE_STATUS_OK || state->dops.tree.node_count == 0)
        return status;
    patched_mesh fitted = {&state->patches, mesh};
    return grz_dop_tree_fit(&state->dops, context, add_patch, &fitted, monitor);
}

static void release(void *opaque, const graze_context *context)
{
    cd_state *state = opaque;
    grz_surface_patches_release(context, &state->patches);
    grz_dop_tree_release(context, &state->dops);
    grz_release(context, state->neighbours);
    state->neighbours = NULL;
}

static size_t memory(const void *opaque)
{
    const cd_state *state = opaque;
    size_t triangles = state->patches.starts[state->patches.count];
    return grz_surface_patches_memory(&state->patches) + grz_dop_tree_memory(&state->dops) +
           triangles * sizeof *state->neighbours;
}

typedef struct cd_traversal
{
    grz_method_query *query;
    const cd_state *a, *b;
    grz_dop_mover mover;
} cd_traversal;

static bool overlap(void *user, uint32_t node_a, uint32_t node_b)
{
    cd_traversal *t = user;
    const double *moved = grz_dop_moved(&t->mover, node_b);
    return moved != NULL && grz_dop_overlap(t->a->dops.kind->half, grz_dop_of(&t->a->dops, node_a), moved);
}

/* The sum of a dop's sides along the axes stands for its volume. */
static double size_of(const double *dop, int half)
{
    return dop[half] - dop[0] + dop[half + 1] - dop[1] + dop[half + 2] - dop[2];
}

static bool opens_larger(const void *user, uint32_t node_a, uint32_t node_b)
{
    const cd_traversal *t = user;
    int half = t->a->dops.kind->half;
    return size_of(grz_dop_of(&t->a->dops, node_a), half) >= size_of(grz_dop_of(&t->b->dops, node_b), half);
}

/* Triangles of a patch of A yet to be tested with one of B. */
typedef struct patch_search
{
    cd_traversal *traversal;
    const uint32_t *triangles; /* of the patch */
    uint32_t count;
    bool tested[MOST_LIMIT];
    double heights[MOST_LIMIT][3]; /* of the corners above the plane of B's triangle */
} patch_search;

static void find_heights(patch_search *s, v3 point, v3 normal)
{
    const graze_mesh *mesh = s->traversal->query->mesh_a;
    for (uint32_t i = 0; i < s->count; i++)
        for (int corner = 0; corner < 3; corner++)
            s->heights[i][corner] = v3_dot(normal, v3_sub(corner_of(mesh, s->triangles[i], corner), point));
    s->traversal->query->counters.half_spaces += 3 * (uint64_t)s->count;
}

/* How far a triangle is from the plane; 0: it crosses. */
static double distance_from(const patch_search *s, uint32_t i)
{
    const double *h = s->heights[i];
    double lowest = h[0] < h[1] ? h[0] : h[1], highest = h[0] < h[1] ? h[1] : h[0];
    lowest = h[2] < lowest ? h[2] : lowest;
    highest = h[2] > highest ? h[2] : highest;
    return lowest > 0 ? lowest : highest < 0 ? -highest : 0;
}

/* The number of a triangle within the patch; `count`: it belongs to another. */
static uint32_t place_of(const patch_search *s, uint32_t triangle)
{
    uint32_t i = 0;
    while (i < s->count && s->triangles[i] != triangle)
        i++;
    return i;
}

/* From the first triangle over edges to neighbours that are not farther from the plane; those that cross it come first.
   False: the query is over. */
static bool search_locally(patch_search *s, uint32_t triangle_b, double margin)
{
    uint32_t queue[MOST_LIMIT], waiting = 0;
    queue[waiting++] = 0;
    s->tested[0] = true;
    while (waiting > 0)
    {
        uint32_t i = queue[0];
        double distance = distance_from(s, i);
        memmove(queue, queue + 1, --waiting * sizeof *queue);
        if (distance <= margin && !grz_method_propose(s->traversal->query, s->triangles[i], triangle_b))
            return false;
        const uint32_t *neighbours = s->traversal->a->neighbours[s->triangles[i]];
        for (int side = 0; side < 3; side++)
        {
            uint32_t n = place_of(s, neighbours[side]);
            if (n == s->count || s->tested[n] || distance_from(s, n) > distance + margin)
                continue;
            bool crosses = distance_from(s, n) <= margin;
            s->tested[n] = true;
            if (crosses)
                memmove(queue + 1, queue, waiting * sizeof *queue);
            queue[crosses ? 0 : waiting] = n;
            waiting++;
        }
    }
    return true;
}

/*
 * A triangle of B with all of a patch of A that may reach its plane. Sides u, v of B's triangle err by 2 s a
 * coordinate, s the slack; with U the sum of all their magnitudes, the normal by 4 s (U + 4 s) a component. A corner is
 * less than 2 E away on each axis, E = 2^40 s at least the largest coordinate, and |n| is at most 6 E U in sum: heights
 * err by less than 36 s (U + 4 s) E. shortcut: cd-plane
 */
static bool test_triangle(cd_traversal *t, const uint32_t *triangles, uint32_t count, uint32_t triangle_b)
{
    grz_method_query *query = t->query;
    patch_search s = {.traversal = t, .triangles = triangles, .count = count};
    double placed[3][3];
    for (int corner = 0; corner < 3; corner++)
        grz_method_place(query, grz_scaled_corner(query->mesh_b, triangle_b, corner), placed[corner]);
    v3 p = v3_load(placed[0]), u = v3_sub(v3_load(placed[1]), p), v = v3_sub(v3_load(placed[2]), p);
    v3 normal = v3_cross(u, v);
    double extent = query->slack * 0x1p40; /* of all coordinates, at least */
    double sizes = fabs(u.x) + fabs(u.y) + fabs(u.z) + fabs(v.x) + fabs(v.y) + fabs(v.z);
    double margin = 64 * query->slack * (sizes + 4 * query->slack) * extent;
    find_heights(&s, p, normal);
    if (!search_locally(&s, triangle_b, margin))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!s.tested[i] && distance_from(&s, i) <= margin && !grz_method_propose(query, triangles[i], triangle_b))
            return false;
    return true;
}

static bool test_patches(void *user, uint32_t node_a, uint32_t node_b)
{
    cd_traversal *t = user;
    const grz_surface_patches *a = &t->a->patches, *b = &t->b->patches;
    uint32_t patch_a = t->a->dops.tree.order[t->a->dops.tree.nodes[node_a].first];
    uint32_t patch_b = t->b->dops.tree.order[t->b->dops.tree.nodes[node_b].first];
    uint32_t first = a->starts[patch_a], count = a->starts[patch_a + 1] - first;
    for (uint32_t i = b->starts[patch_b]; i < b->starts[patch_b + 1]; i++)
        if (!test_triangle(t, a->triangles + first, count, b->triangles[i]) ||
            !grz_monitor_work(&t->query->monitor, count))
            return false;
    return true;
}

static void run(grz_method_query *query)
{
    cd_traversal t = {.query = query, .a = query->a, .b = query->b};
    grz_dop_mover_start(&t.mover, query, &t.b->dops);
    grz_method_traverse(query, &t.a->dops.tree, &t.b->dops.tree, true, overlap, GRAZE_TRAVERSAL_LARGER_FIRST,
                        opens_larger, test_patches, &t);
    grz_dop_mover_end(&t.mover);
}

const grz_method grz_cd_method = {
    .info = {.name = "cd",
             .summary = "A tree of 18-dops over small convex patches, which are searched from neighbour to neighbour.",
             .source = "002 3",
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT,
             .deadline = true},
    .state_size = sizeof(cd_state),
    .prepare = prepare,
    .release = release,
    .memory = memory,
    .run = run,
};
