/* SPDX-License-Identifier: MIT */
/* Trees of k-dops; see dop_tree.h. */
#include "pair/method/dop_tree.h"

#include <string.h>

#include "pair/method/dop_tumbling.h"

void grz_dop_add_triangle(const grz_dop_kind *kind, const graze_mesh *mesh, uint32_t triangle, double *dop)
{
    for (int corner = 0; corner < 3; corner++)
        grz_dop_add_point(kind, grz_scaled_corner(mesh, triangle, corner), dop);
}

static void add_triangle(const void *user, const grz_dop_kind *kind, uint32_t element, double *dop)
{
    grz_dop_add_triangle(kind, user, element, dop);
}

/* Children come after their parents, so from the last node to the first. */
static bool fit_all(grz_dop_tree *tree, grz_dop_adder add, const void *user, grz_monitor *monitor)
{
    for (size_t n = tree->tree.node_count; n-- > 0;)
    {
        const grz_method_node *node = &tree->tree.nodes[n];
        double *dop = grz_dop_of(tree, (uint32_t)n);
        if (!grz_monitor_elements(monitor, 1))
            return false;
        grz_dop_clear(tree->kind, dop);
        for (uint32_t i = 0; node->left == 0 && i < node->count; i++)
            add(user, tree->kind, tree->tree.order[node->first + i], dop);
        for (uint32_t child = 0; node->left != 0 && child < grz_node_child_count(node); child++)
            grz_dop_merge(tree->kind->half, grz_dop_of(tree, grz_node_child(node) + child), dop);
    }
    return true;
}

graze_status grz_dop_tree_fit(grz_dop_tree *tree, const graze_context *context, grz_dop_adder add, const void *user,
                              grz_monitor *monitor)
{
    grz_dop_facets_make(tree->kind, &tree->facets);
    tree->dops = grz_allocate(context, tree->tree.node_count, 2 * (size_t)tree->kind->half * sizeof(double));
    if (tree->dops != NULL && fit_all(tree, add != NULL ? add : add_triangle, user, monitor))
        return GRAZE_STATUS_OK;
    return grz_monitor_or_memory(monitor);
}

void grz_dop_tree_release(const graze_context *context, grz_dop_tree *tree)
{
    grz_method_tree_release(context, &tree->tree);
    grz_release(context, tree->dops);
    grz_dop_tumbling_destroy(tree->tumbling, context);
    tree->dops = NULL;
    tree->tumbling = NULL;
}

size_t grz_dop_tree_memory(const grz_dop_tree *tree)
{
    return grz_method_tree_memory(&tree->tree) + tree->tree.node_count * 2 * (size_t)tree->kind->half * sizeof(double) +
           grz_dop_tumbling_memory(tree->tumbling);
}

void grz_dop_mover_start(grz_dop_mover *mover, grz_method_query *query, const grz_dop_tree *tree)
{
    double extent = 0;
    mover->query = query;
    mover->tree = tree;
    memset(&mover->moved, 0, sizeof mover->moved);
    memset(&mover->dops, 0, sizeof mover->dops);
    mover->last = UINT32_MAX;
    mover->few = tree->tree.node_count <= GRZ_DOP_FEW_NODES;
    if (mover->few)
        memset(mover->places, 0xff, tree->tree.node_count * sizeof *mover->places);
    for (int i = 0; i < 3; i++)
        extent += interval_max2(fabs(query->mesh_b->scaled_lower[i]), fabs(query->mesh_b->scaled_upper[i]));
    mover->extent = extent;
    grz_dop_map_make(tree->kind, &tree->facets, (const double(*)[4])query->map, query->slack, extent, &mover->map);
    for (int i = 0; i < tree->kind->half; i++)
    {
        const double *b = tree->kind->directions[i];
        mover->slack[i] = (fabs(b[0]) + fabs(b[1]) + fabs(b[2]) + 1) * query->slack;
    }
}

void grz_dop_mover_end(grz_dop_mover *mover)
{
    grz_hash_map_release(mover->query->context, &mover->moved);
    grz_release(mover->query->context, mover->dops.data);
}

/* Around the corners of a node's triangles: a coordinate along b errs by |b_1| + |b_2| + |b_3| slacks, and the sum's
   roundings are below another. */
static void move_corners(const grz_dop_mover *mover, uint32_t node, double *out)
{
    const grz_dop_tree *tree = mover->tree;
    const grz_method_node *n = &tree->tree.nodes[node];
    grz_dop_clear(tree->kind, out);
    for (uint32_t i = 0; i < n->count; i++)
        for (int corner = 0; corner < 3; corner++)
        {
            double moved[3];
            grz_method_place(mover->query,
                             grz_scaled_corner(mover->query->mesh_b, tree->tree.order[n->first + i], corner), moved);
            grz_dop_add_point(tree->kind, moved, out);
        }
    grz_dop_widen(tree->kind->half, mover->slack, out);
}

static void move_node(const grz_dop_mover *mover, uint32_t node, double *out)
{
    const grz_dop_tree *tree = mover->tree;
    if (tree->tree.nodes[node].count <= tree->corner_limit)
        move_corners(mover, node, out);
    else if (!grz_dop_tumble(mover, node, out))
        grz_dop_move(&mover->map, grz_dop_of(tree, node), out);
}

static const uint32_t *find_place(const grz_dop_mover *mover, uint32_t node)
{
    if (!mover->few)
        return grz_hash_map_find(&mover->moved, node);
    return mover->places[node] != UINT32_MAX ? &mover->places[node] : NULL;
}

static bool set_place(grz_dop_mover *mover, uint32_t node, uint32_t place)
{
    if (!mover->few)
        return grz_hash_map_set(mover->query->context, &mover->moved, node, place);
    mover->places[node] = place;
    return true;
}

const double *grz_dop_find_moved(grz_dop_mover *mover, uint32_t node)
{
    grz_method_query *query = mover->query;
    size_t numbers = 2 * (size_t)mover->tree->kind->half;
    const uint32_t *place = find_place(mover, node);
    size_t new_place = mover->dops.count / numbers;
    if (place == NULL)
    {
        if (!GRZ_RESERVE(query->context, &mover->dops, mover->dops.count + numbers) ||
            !set_place(mover, node, (uint32_t)new_place))
        {
            query->out_of_memory = true;
            return NULL;
        }
        move_node(mover, node, mover->dops.data + mover->dops.count);
        mover->dops.count += numbers;
        query->counters.updates++;
    }
    mover->last = node;
    mover->last_place = numbers * (place != NULL ? *place : new_place);
    return mover->dops.data + mover->last_place;
}
