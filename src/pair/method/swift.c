/* SPDX-License-Identifier: MIT */
/*
 * SWIFT++ (S. Ehmann, M. Lin, Accurate and fast proximity queries between polyhedra using convex surface decomposition,
 * 2001; 002 2.5): the surface is divided into convex patches, and the leaves of a binary tree are their hulls; an inner
 * node has the hull of all that lies below it, the root that of the body. Pairs of hulls are compared as convex bodies;
 * in leaves whose hulls meet, triangles are tested. A hull around everything below is the tightest convex volume that
 * there is: few pairs are visited, each of which costs a search.
 */
#include "pair/method/swift.h"

#include "graze/decomposition.h"
#include "graze/topology.h"
#include "pair/method/table.h"

static void choose_axis(const grz_method_split *split, double out_axis[3], double *out_value)
{
    (void)out_value;
    grz_split_by_variance(split, out_axis);
}

static void set_body(grz_swift_hull *h)
{
    h->body = (grz_convex_body){.kind = GRZ_CONVEX_POLYTOPE,
                                .vertices = (const double(*)[3])h->hull->vertices,
                                .vertex_count = h->hull->vertex_count,
                                .neighbour_starts = h->hull->neighbour_starts,
                                .neighbours = h->hull->neighbours,
                                .table = &h->table};
    grz_convex_table_make(&h->body, &h->table);
}

/* The points that the hull of a node needs: corners of a leaf's triangles, vertices of the children's hulls. */
static size_t gather_points(const grz_swift_state *state, const graze_mesh *mesh, const grz_method_node *node,
                            double (*out)[3])
{
    size_t count = 0;
    for (uint32_t side = 0; node->left != 0 && side < 2; side++)
    {
        const grz_hull *hull = state->hulls[node->left + side].hull;
        if (out != NULL)
            memcpy(out + count, hull->vertices, hull->vertex_count * sizeof *out);
        count += hull->vertex_count;
    }
    if (node->left != 0)
        return count;
    uint32_t patch = state->tree.order[node->first];
    for (uint32_t i = state->patches.starts[patch]; i < state->patches.starts[patch + 1]; i++)
        for (size_t corner = 0; corner < 3; corner++, count++)
            if (out != NULL)
                memcpy(out[count],
                       grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)state->patches.triangles[i] + corner]),
                       sizeof *out);
    return count;
}

/* Children come after their parents, so from the last node to the first. */
static graze_status make_hulls(grz_swift_state *state, const graze_context *context, const graze_mesh *mesh,
                               grz_monitor *monitor)
{
    graze_status status = GRAZE_STATUS_OK;
    state->hulls = grz_allocate_zeroed(context, state->tree.node_count, sizeof *state->hulls);
    if (state->hulls == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t n = state->tree.node_count; n-- > 0 && status == GRAZE_STATUS_OK;)
    {
        const grz_method_node *node = &state->tree.nodes[n];
        size_t count = gather_points(state, mesh, node, NULL);
        double(*points)[3] = grz_allocate(context, count, sizeof *points);
        if (points == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        gather_points(state, mesh, node, points);
        status = grz_hull_create(context, points[0], count, monitor, &state->hulls[n].hull);
        grz_release(context, points);
        if (status == GRAZE_STATUS_OK)
            set_body(&state->hulls[n]);
    }
    return status;
}

static graze_status make_boxes(grz_swift_state *state, const graze_context *context, const graze_mesh *mesh)
{
    state->boxes = grz_allocate(context, mesh->triangle_count, sizeof *state->boxes);
    for (uint32_t t = 0; state->boxes != NULL && t < mesh->triangle_count; t++)
        for (int i = 0; i < 3; i++)
        {
            double a = grz_scaled_corner(mesh, t, 0)[i], b = grz_scaled_corner(mesh, t, 1)[i],
                   c = grz_scaled_corner(mesh, t, 2)[i], lower = a < b ? a : b, upper = a < b ? b : a;
            state->boxes[t][i] = c < lower ? c : lower;
            state->boxes[t][3 + i] = c > upper ? c : upper;
        }
    return state->boxes != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

static graze_status find_patches(grz_swift_state *state, const graze_context *context, const graze_mesh *mesh,
                                 grz_monitor *monitor)
{
    uint32_t *patch_of = grz_allocate(context, mesh->triangle_count, sizeof *patch_of);
    graze_budget budget = grz_monitor_budget(monitor);
    size_t count = 0;
    if (patch_of == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_status status = graze_mesh_find_convex_patches(context, mesh, &budget, patch_of, &count);
    status = grz_monitor_end_step(monitor, status, 0);
    if (status == GRAZE_STATUS_OK && !grz_surface_patches_make(context, mesh, patch_of, count, &state->patches))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    grz_release(context, patch_of);
    return status;
}

static graze_status require_manifold(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor)
{
    graze_mesh_facts facts;
    graze_budget budget = grz_monitor_budget(monitor);
    graze_status status = graze_mesh_examine(context, mesh, NULL, &budget, &facts);
    status = grz_monitor_end_step(monitor, status, 0);
    if (status == GRAZE_STATUS_OK && (!facts.closed || !facts.manifold || facts.nonmanifold_vertices != 0))
        status = GRAZE_STATUS_BAD_ARGUMENT;
    return status;
}

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    (void)parameters;
    grz_swift_state *state = opaque;
    static const grz_method_tree_plan plan = {.leaf_size = 1, .choose_axis = choose_axis};
    graze_status status = require_manifold(context, mesh, monitor);
    if (status == GRAZE_STATUS_OK)
        status = find_patches(state, context, mesh, monitor);
    if (status == GRAZE_STATUS_OK)
        status = grz_method_tree_build_over(context, (const double(*)[3])state->patches.centroids, state->patches.count,
                                            &plan, monitor, &state->tree);
    if (status == GRAZE_STATUS_OK)
        status = make_hulls(state, context, mesh, monitor);
    return status == GRAZE_STATUS_OK ? make_boxes(state, context, mesh) : status;
}

static void release(void *opaque, const graze_context *context)
{
    grz_swift_state *state = opaque;
    for (size_t n = 0; state->hulls != NULL && n < state->tree.node_count; n++)
        grz_hull_destroy(state->hulls[n].hull);
    grz_release(context, state->hulls);
    grz_release(context, state->boxes);
    grz_surface_patches_release(context, &state->patches);
    grz_method_tree_release(context, &state->tree);
    state->hulls = NULL;
    state->boxes = NULL;
}

static size_t memory(const void *opaque)
{
    const grz_swift_state *state = opaque;
    size_t bytes = grz_surface_patches_memory(&state->patches) + grz_method_tree_memory(&state->tree) +
                   state->tree.node_count * sizeof *state->hulls +
                   state->patches.starts[state->patches.count] * sizeof *state->boxes;
    for (size_t n = 0; n < state->tree.node_count; n++)
    {
        const grz_hull *hull = state->hulls[n].hull;
        bytes += sizeof *hull + hull->vertex_count * sizeof *hull->vertices +
                 4 * (hull->vertex_count + hull->half_edge_count) * sizeof(uint32_t);
    }
    return bytes;
}

/* Hulls of vertices under the given poses: that they are apart is certain. */
static bool overlap(void *user, uint32_t node_a, uint32_t node_b)
{
    const grz_swift_traversal *t = user;
    grz_convex_body a = grz_swift_placed_hull(t, 0, node_a), b = grz_swift_placed_hull(t, 1, node_b);
    t->query->counters.supports += 2;
    return grz_convex_pair_collide(&a, &b, NULL) != GRZ_CONVEX_APART;
}

bool grz_swift_opens_a(const void *user, uint32_t node_a, uint32_t node_b)
{
    const grz_swift_traversal *t = user;
    return t->a->hulls[node_a].hull->vertex_count >= t->b->hulls[node_b].hull->vertex_count;
}

/* The box of a triangle of B in A's frame, enlarged by the slack. */
static void moved_box(const grz_method_query *query, uint32_t triangle, double out[6])
{
    for (int i = 0; i < 3; i++)
    {
        out[i] = INFINITY;
        out[3 + i] = -INFINITY;
    }
    for (int corner = 0; corner < 3; corner++)
    {
        double p[3];
        grz_method_place(query, grz_scaled_corner(query->mesh_b, triangle, corner), p);
        for (int i = 0; i < 3; i++)
        {
            out[i] = p[i] - query->slack < out[i] ? p[i] - query->slack : out[i];
            out[3 + i] = p[i] + query->slack > out[3 + i] ? p[i] + query->slack : out[3 + i];
        }
    }
}

/* Triangles of two patches whose boxes meet. */
static bool test_patches(void *user, uint32_t node_a, uint32_t node_b)
{
    const grz_swift_traversal *t = user;
    const grz_surface_patches *a = &t->a->patches, *b = &t->b->patches;
    uint32_t patch_a = t->a->tree.order[t->a->tree.nodes[node_a].first];
    uint32_t patch_b = t->b->tree.order[t->b->tree.nodes[node_b].first];
    for (uint32_t i = b->starts[patch_b]; i < b->starts[patch_b + 1]; i++)
    {
        double box[6];
        moved_box(t->query, b->triangles[i], box);
        for (uint32_t k = a->starts[patch_a]; k < a->starts[patch_a + 1]; k++)
        {
            const double *own = t->a->boxes[a->triangles[k]];
            bool apart = own[0] > box[3] || own[3] < box[0] || own[1] > box[4] || own[4] < box[1] || own[2] > box[5] ||
                         own[5] < box[2];
            if (!apart && !grz_method_propose(t->query, a->triangles[k], b->triangles[i]))
                return false;
        }
        if (!grz_method_count_volumes(t->query, a->starts[patch_a + 1] - a->starts[patch_a]))
            return false;
    }
    return true;
}

static void run(grz_method_query *query)
{
    grz_swift_traversal t = {query, query->a, query->b};
    grz_method_traverse(query, &t.a->tree, &t.b->tree, true, overlap, GRAZE_TRAVERSAL_LARGER_FIRST, grz_swift_opens_a,
                        test_patches, &t);
}

const grz_method grz_swift_method = {
    .info = {.name = "swift",
             .summary = "A tree of hulls over convex patches of the surface, compared as convex bodies.",
             .source = "002 2.5",
             .mesh_class = GRAZE_METHOD_CLASS_MANIFOLD,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT,
             .deadline = true},
    .state_size = sizeof(grz_swift_state),
    .prepare = prepare,
    .release = release,
    .memory = memory,
    .run = run,
    .find_contacts = grz_swift_find_contacts,
};
