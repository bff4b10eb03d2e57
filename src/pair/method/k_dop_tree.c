/* SPDX-License-Identifier: MIT */
/*
 * Trees of k-dops (J. Klosowski, M. Held, J. Mitchell, H. Sowizral, K. Zikan, Efficient collision detection using
 * bounding volume hierarchies of k-DOPs, IEEE TVCG 4(1), 1998: "QuickCD"): trees with a dop a node, A's opened first,
 * B's dops moved when they are first visited.
 */
#include "base/array.h"
#include "mesh/mesh.h"
#include "pair/method/dop_tree_saved.h"
#include "pair/method/dop_tumbling.h"
#include "pair/method/table.h"

enum
{
    CORNERS_OF = 4 /* triangles up to which a node is moved by their corners */
};

static void choose_axis(const grz_method_split *split, double out_axis[3], double *out_value)
{
    (void)out_value;
    grz_split_by_variance(split, out_axis);
}

static graze_status prepare(grz_dop_tree *state, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    grz_method_tree_plan plan = grz_method_tree_plan_of(parameters, parameters->flying ? 40 : 1);
    plan.choose_axis = choose_axis;
    plan.kind = state->kind;
    if ((unsigned)parameters->tumbling > GRAZE_TUMBLING_HILL_CLIMBING)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = grz_method_tree_build(context, mesh, &plan, monitor, &state->tree);
    if (status != GRAZE_STATUS_OK || state->tree.node_count == 0)
        return status;
    state->corner_limit = parameters->tumbling == GRAZE_TUMBLING_DEFAULT ? CORNERS_OF : 0;
    status = grz_dop_tree_fit(state, context, NULL, mesh, monitor);
    if (status == GRAZE_STATUS_OK)
        status = grz_dop_tumbling_create(state, context, mesh, parameters->tumbling, monitor, &state->tumbling);
    return status;
}

static void release(void *opaque, const graze_context *context)
{
    grz_dop_tree_release(context, opaque);
}

static size_t memory(const void *opaque)
{
    return grz_dop_tree_memory(opaque);
}

static size_t saved_size(const void *opaque)
{
    return grz_dop_tree_saved_size(opaque);
}

static void save(const void *opaque, void *buffer)
{
    grz_dop_tree_save(opaque, buffer);
}

static graze_status load(grz_dop_tree *state, const graze_context *context, const graze_mesh *mesh, const void *bytes,
                         size_t size)
{
    state->corner_limit = CORNERS_OF;
    return grz_dop_tree_load(state, context, mesh, bytes, size);
}

/* A traversal. */
typedef struct kdop_traversal
{
    grz_method_query *query;
    const grz_dop_tree *a, *b;
    grz_dop_mover mover;
    grz_hash_map leaves;     /* leaf of B -> the place of the boxes of its triangles in A's frame */
    GRZ_ARRAY(double) boxes; /* lower and upper ends, six numbers a triangle */
    bool boxes_of_leaves;    /* the first directions are the axes */
    uint32_t last_leaf;
    size_t last_boxes;
} kdop_traversal;

/* Loops of a known length are unrolled. */
static inline bool overlap_of(int half, const double *a, const double *b)
{
    return half == 9 ? grz_dop_overlap(9, a, b) : grz_dop_overlap(half, a, b);
}

static bool overlap(void *user, uint32_t node_a, uint32_t node_b)
{
    kdop_traversal *t = user;
    const double *moved = grz_dop_moved(&t->mover, node_b);
    return moved != NULL && overlap_of(t->a->kind->half, grz_dop_of(t->a, node_a), moved);
}

/* By the extents in the first three directions, each in its own frame. */
static double extents_of(const grz_dop_tree *tree, uint32_t node)
{
    const double *lower = grz_dop_of(tree, node), *upper = lower + tree->kind->half;
    return (upper[0] - lower[0]) + (upper[1] - lower[1]) + (upper[2] - lower[2]);
}

static bool opens_larger(const void *user, uint32_t node_a, uint32_t node_b)
{
    const kdop_traversal *t = user;
    return extents_of(t->a, node_a) > extents_of(t->b, node_b);
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
    if (y->count == 1 || !t->boxes_of_leaves)
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

static bool same_directions(const grz_dop_kind *a, const grz_dop_kind *b)
{
    bool same = a->half == b->half;
    for (int i = 0; same && i < a->half; i++)
        same = memcmp(a->directions[i], b->directions[i], sizeof *a->directions) == 0;
    return same;
}

/* Bodies of different directions have nothing to compare. */
static void propose_all(grz_method_query *query)
{
    for (uint32_t i = 0; i < query->mesh_a->triangle_count; i++)
        for (uint32_t k = 0; k < query->mesh_b->triangle_count; k++)
            if (!grz_method_propose(query, i, k))
                return;
}

static void run(grz_method_query *query)
{
    kdop_traversal t = {.query = query, .a = query->a, .b = query->b, .last_leaf = UINT32_MAX};
    t.boxes_of_leaves = grz_dop_has_axes(t.a->kind);
    if (!same_directions(t.a->kind, t.b->kind))
    {
        propose_all(query);
        return;
    }
    grz_dop_mover_start(&t.mover, query, t.b);
    grz_method_traverse(query, &t.a->tree, &t.b->tree, false, overlap, GRAZE_TRAVERSAL_LARGER_FIRST, opens_larger,
                        propose_leaves, &t);
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
    }                                                                                                                  \
    static graze_status load_##k(void *state, const graze_context *context, const graze_mesh *mesh, const void *bytes, \
                                 size_t size)                                                                          \
    {                                                                                                                  \
        ((grz_dop_tree *)state)->kind = &grz_dop_##k;                                                                  \
        return load(state, context, mesh, bytes, size);                                                                \
    }

/* Own directions, or those of 18-dops. */
static graze_status prepare_own(void *opaque, const graze_context *context, const graze_mesh *mesh,
                                const graze_method_parameters *parameters, grz_monitor *monitor)
{
    grz_dop_tree *state = opaque;
    state->kind = parameters->directions != NULL ? &state->own_kind : &grz_dop_18;
    if (parameters->directions != NULL && !grz_dop_kind_make(parameters->directions, parameters->direction_count,
                                                             state->own_directions, &state->own_kind))
        return GRAZE_STATUS_BAD_ARGUMENT;
    return prepare(state, context, mesh, parameters, monitor);
}

PREPARE(6)
PREPARE(14)
PREPARE(18)
PREPARE(26)

#define KDOP_FIELDS(k)                                                                                                 \
    .info = {.name = "kdop-" #k,                                                                                       \
             .summary = "Trees of " #k "-dops; the larger node is opened first.",                                      \
             .source = "001",                                                                                          \
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,                                                                    \
             .subject = GRAZE_METHOD_SURFACES,                                                                         \
             .guarantee = GRAZE_METHOD_EXACT,                                                                          \
             .deadline = true},                                                                                        \
    .state_size = sizeof(grz_dop_tree), .prepare = prepare_##k, .release = release, .memory = memory,                  \
    .saved_size = saved_size, .save = save, .load = load_##k, .run = run

const grz_method grz_kdop_6_method = {KDOP_FIELDS(6)};
const grz_method grz_kdop_14_method = {KDOP_FIELDS(14)};
const grz_method grz_kdop_18_method = {KDOP_FIELDS(18)};
const grz_method grz_kdop_26_method = {KDOP_FIELDS(26)};

const grz_method grz_kdop_method = {
    .info = {.name = "kdop",
             .summary = "Trees of k-dops with directions of the caller's own.",
             .source = "001",
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT,
             .deadline = true},
    .state_size = sizeof(grz_dop_tree),
    .prepare = prepare_own,
    .release = release,
    .memory = memory,
    .saved_size = saved_size,
    .save = save,
    .load = load_18,
    .run = run,
};
