/* SPDX-License-Identifier: MIT */
/*
 * Trees of k-dops (J. Klosowski, M. Held, J. Mitchell, H. Sowizral, K. Zikan, Efficient collision detection using
 * bounding volume hierarchies of k-DOPs, IEEE TVCG 4(1), 1998: "QuickCD"): binary trees with a dop a node, A's opened
 * first, B's dops moved when they are first visited.
 */
#include "base/array.h"
#include "mesh/mesh.h"
#include "pair/method/dop_tree.h"
#include "pair/method/table.h"

/* How an axis is chosen, of the dop's own directions. */
typedef struct axis_rule
{
    const grz_dop_kind *kind;
    graze_split_axis rule;
} axis_rule;

static void fit_node(const grz_method_split *split, const grz_dop_kind *kind, double *dop)
{
    grz_dop_clear(kind, dop);
    for (uint32_t i = 0; i < split->count; i++)
        grz_dop_add_triangle(kind, split->mesh, split->triangles[i], dop);
}

/* The direction in which the dop is longest. */
static void by_longest_side(const grz_method_split *split, const grz_dop_kind *kind, double out_axis[3])
{
    double dop[2 * GRZ_DOP_MOST_HALF], longest = -1;
    fit_node(split, kind, dop);
    for (int i = 0; i < kind->half; i++)
    {
        const double *d = kind->directions[i];
        double length = (dop[kind->half + i] - dop[i]) / sqrt(grz_dop_along(d, d));
        if (length > longest)
        {
            longest = length;
            memcpy(out_axis, d, 3 * sizeof *d);
        }
    }
}

/* The direction whose children have the least sum, or the least maximum, of volumes. */
static void by_volumes(const grz_method_split *split, const axis_rule *rule, double out_axis[3])
{
    const grz_dop_kind *kind = rule->kind;
    double least = INFINITY;
    for (int i = 0; i < kind->half; i++)
    {
        const double *d = kind->directions[i];
        double value = grz_split_mean(split, d), volumes[2];
        double dops[2][2 * GRZ_DOP_MOST_HALF];
        grz_dop_clear(kind, dops[0]);
        grz_dop_clear(kind, dops[1]);
        for (uint32_t n = 0; n < split->count; n++)
        {
            uint32_t triangle = split->triangles[n];
            grz_dop_add_triangle(kind, split->mesh, triangle,
                                 dops[grz_dop_along(d, split->centroids[triangle]) >= value]);
        }
        for (int side = 0; side < 2; side++)
            volumes[side] = dops[side][0] > dops[side][kind->half] ? 0 : grz_dop_volume(kind, dops[side]);
        double larger = volumes[0] > volumes[1] ? volumes[0] : volumes[1];
        double cost = rule->rule == GRAZE_SPLIT_MIN_SUM ? volumes[0] + volumes[1] : larger;
        if (cost < least)
        {
            least = cost;
            memcpy(out_axis, d, 3 * sizeof *d);
        }
    }
}

static void choose_axis(const grz_method_split *split, double out_axis[3], double *out_value)
{
    (void)out_value;
    const axis_rule *rule = split->user;
    if (rule->rule == GRAZE_SPLIT_SPLATTER)
        grz_split_by_variance(split, out_axis);
    else if (rule->rule == GRAZE_SPLIT_LONGEST_SIDE)
        by_longest_side(split, rule->kind, out_axis);
    else
        by_volumes(split, rule, out_axis);
}

static graze_status prepare(grz_dop_tree *state, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    axis_rule rule = {state->kind, parameters->split_axis};
    uint32_t leaf_size = parameters->leaf_size != 0 ? parameters->leaf_size : parameters->flying ? 40 : 1;
    grz_method_tree_plan plan = {leaf_size, parameters->split_at_median, choose_axis, &rule};
    graze_status status = grz_method_tree_build(context, mesh, &plan, monitor, &state->tree);
    if (status != GRAZE_STATUS_OK || state->tree.node_count == 0)
        return status;
    return grz_dop_tree_fit(state, context, NULL, mesh, monitor);
}

static void release(void *opaque, const graze_context *context)
{
    grz_dop_tree_release(context, opaque);
}

static size_t memory(const void *opaque)
{
    return grz_dop_tree_memory(opaque);
}

/* A traversal. */
typedef struct kdop_traversal
{
    grz_method_query *query;
    const grz_dop_tree *a, *b;
    grz_dop_mover mover;
    grz_hash_map leaves;     /* leaf of B -> the place of the boxes of its triangles in A's frame */
    GRZ_ARRAY(double) boxes; /* lower and upper ends, six numbers a triangle */
    uint32_t last_leaf;
    size_t last_boxes;
} kdop_traversal;

static bool overlap(void *user, uint32_t node_a, uint32_t node_b)
{
    kdop_traversal *t = user;
    const double *moved = grz_dop_moved(&t->mover, node_b);
    return moved != NULL && grz_dop_overlap(t->a->kind->half, grz_dop_of(t->a, node_a), moved);
}

/* The environment's node first, down to its leaves. */
static bool opens_environment(const void *user, uint32_t node_a, uint32_t node_b)
{
    (void)user, (void)node_a, (void)node_b;
    return true;
}

/* The boxes of the triangles of a leaf of B in A's frame, enlarged by the slack; NULL when out of memory. */
static const double *leaf_boxes(kdop_traversal *t, uint32_t leaf)
{
    grz_method_query *query = t->query;
    const grz_method_node *node = &t->b->tree.nodes[leaf];
    if (leaf == t->last_leaf)
        return t->boxes.data + t->last_boxes;
    const uint32_t *place = grz_hash_map_find(&t->leaves, leaf);
    size_t first = place != NULL ? *place : t->boxes.count;
    if (place == NULL)
    {
        if (!GRZ_RESERVE(query->context, &t->boxes, first + 6 * (size_t)node->count) || first > UINT32_MAX ||
            !grz_hash_map_set(query->context, &t->leaves, leaf, (uint32_t)first))
        {
            query->out_of_memory = true;
            return NULL;
        }
        for (uint32_t k = 0; k < node->count; k++)
        {
            double *box = t->boxes.data + first + 6 * (size_t)k, corners[3][3];
            for (int corner = 0; corner < 3; corner++)
                grz_method_place(query, grz_scaled_corner(query->mesh_b, t->b->tree.order[node->first + k], corner),
                                 corners[corner]);
            for (int i = 0; i < 3; i++)
            {
                double lower = corners[0][i] < corners[1][i] ? corners[0][i] : corners[1][i];
                double upper = corners[0][i] < corners[1][i] ? corners[1][i] : corners[0][i];
                box[i] = (corners[2][i] < lower ? corners[2][i] : lower) - query->slack;
                box[3 + i] = (corners[2][i] > upper ? corners[2][i] : upper) + query->slack;
            }
        }
        t->boxes.count = first + 6 * (size_t)node->count;
    }
    t->last_leaf = leaf;
    t->last_boxes = first;
    return t->boxes.data + first;
}

/* Triangles of B whose boxes meet the dop of A's leaf on the coordinate axes, its first three directions. */
static bool propose_leaves(void *user, uint32_t node_a, uint32_t node_b)
{
    kdop_traversal *t = user;
    const grz_method_node *x = &t->a->tree.nodes[node_a], *y = &t->b->tree.nodes[node_b];
    if (y->count == 1)
        return grz_propose_leaves(t->query, &t->a->tree, node_a, &t->b->tree, node_b);
    int half = t->a->kind->half;
    const double *dop = grz_dop_of(t->a, node_a), *boxes = leaf_boxes(t, node_b);
    for (uint32_t k = 0; boxes != NULL && k < y->count; k++)
    {
        const double *box = boxes + 6 * (size_t)k;
        if (box[0] > dop[half] || box[3] < dop[0] || box[1] > dop[half + 1] || box[4] < dop[1] ||
            box[2] > dop[half + 2] || box[5] < dop[2])
            continue;
        for (uint32_t i = 0; i < x->count; i++)
            if (!grz_method_propose(t->query, t->a->tree.order[x->first + i], t->b->tree.order[y->first + k]))
                return false;
    }
    return boxes != NULL && grz_monitor_work(&t->query->monitor, y->count);
}

static void run(grz_method_query *query)
{
    kdop_traversal t = {.query = query, .a = query->a, .b = query->b, .last_leaf = UINT32_MAX};
    grz_dop_mover_start(&t.mover, query, t.b);
    grz_method_traverse(query, &t.a->tree, &t.b->tree, false, overlap, opens_environment, propose_leaves, &t);
    grz_dop_mover_end(&t.mover);
    grz_hash_map_release(query->context, &t.leaves);
    grz_release(query->context, t.boxes.data);
}

#define PREPARE(k)                                                                                                     \
    static graze_status prepare_##k(void *state, const graze_context *context, const graze_mesh *mesh,                 \
                                    const graze_method_parameters *parameters, grz_monitor *monitor)                   \
    {                                                                                                                  \
        ((grz_dop_tree *)state)->kind = &grz_dop_##k;                                                                  \
        return prepare(state, context, mesh, parameters, monitor);                                                     \
    }

PREPARE(6)
PREPARE(14)
PREPARE(18)
PREPARE(26)

#define KDOP_FIELDS(k)                                                                                                 \
    .info = {.name = "kdop-" #k,                                                                                       \
             .summary = "Binary trees of " #k "-dops; the environment is opened first.",                               \
             .source = "001",                                                                                          \
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,                                                                    \
             .subject = GRAZE_METHOD_SURFACES,                                                                         \
             .guarantee = GRAZE_METHOD_EXACT},                                                                         \
    .state_size = sizeof(grz_dop_tree), .prepare = prepare_##k, .release = release, .memory = memory, .run = run

const grz_method grz_kdop_6_method = {KDOP_FIELDS(6)};
const grz_method grz_kdop_14_method = {KDOP_FIELDS(14)};
const grz_method grz_kdop_18_method = {KDOP_FIELDS(18)};
const grz_method grz_kdop_26_method = {KDOP_FIELDS(26)};
