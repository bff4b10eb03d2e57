/* SPDX-License-Identifier: MIT */
/*
 * Restricted box-trees (G. Zachmann, Minimal hierarchical collision detection, VRST 2002; "bounding interval
 * hierarchy"): a child is its parent's box with one side moved. The box of B is kept as its enclosing box in A's frame,
 * and re-aligned when a side moves: three products and three sums, and only three numbers need comparing with A's.
 */
#include "base/array.h"
#include "mesh/mesh.h"
#include "pair/method/table.h"
#include "pair/method/volume_tree.h"

typedef struct restricted_node
{
    double moved; /* by how much the side moves from that of the parent; rounded down */
    uint8_t axis;
    bool upper; /* which side */
} restricted_node;

typedef struct restricted_state
{
    grz_volume_tree base; /* its volumes: a restricted_node a node, of the root unused */
    double lower[3], upper[3];
    double depth; /* of the tree */
} restricted_state;

static void choose_axis(const grz_method_split *split, double out_axis[3], double *out_value)
{
    (void)out_value;
    grz_split_by_variance(split, out_axis);
}

/* The ends of the triangles of a node. */
static void find_ends(const graze_mesh *mesh, const grz_method_tree *tree, const grz_method_node *node, double lower[3],
                      double upper[3])
{
    for (int i = 0; i < 3; i++)
    {
        lower[i] = INFINITY;
        upper[i] = -INFINITY;
    }
    for (uint32_t n = 0; n < node->count; n++)
        for (int corner = 0; corner < 3; corner++)
        {
            const double *p = grz_scaled_corner(mesh, tree->order[node->first + n], corner);
            for (int i = 0; i < 3; i++)
            {
                lower[i] = p[i] < lower[i] ? p[i] : lower[i];
                upper[i] = p[i] > upper[i] ? p[i] : upper[i];
            }
        }
}

/* The restricted box of a node being fitted. */
typedef struct fitted
{
    double lower[3], upper[3];
    uint32_t depth;
} fitted;

/* The side of the parent's box that moves most, relative to the box's sides. */
static restricted_node fit_child(const fitted *parent, const double lower[3], const double upper[3], fitted *out)
{
    restricted_node node = {0, 0, false};
    double best = 0;
    for (int i = 0; i < 3; i++)
    {
        double side = parent->upper[i] - parent->lower[i];
        double shrinks[2] = {lower[i] - parent->lower[i], parent->upper[i] - upper[i]};
        for (int k = 0; k < 2; k++)
            if (side > 0 && shrinks[k] > best * side)
            {
                best = shrinks[k] / side;
                node = (restricted_node){shrinks[k] * (1 - 0x1p-50), (uint8_t)i, k == 1};
            }
    }
    *out = *parent;
    out->depth++;
    if (node.upper)
        out->upper[node.axis] -= node.moved;
    else
        out->lower[node.axis] += node.moved;
    return node;
}

static restricted_node *sides_of(const restricted_state *state)
{
    return state->base.volumes;
}

static bool fit_all(void *opaque, const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor)
{
    restricted_state *state = opaque;
    const grz_method_tree *tree = &state->base.tree;
    fitted *boxes = grz_allocate(context, tree->node_count, sizeof *boxes);
    bool done = boxes != NULL;
    for (size_t n = 0; done && n < tree->node_count; n++)
    {
        const grz_method_node *node = &tree->nodes[n];
        if (n == 0)
        {
            find_ends(mesh, tree, node, boxes[0].lower, boxes[0].upper);
            boxes[0].depth = 0;
        }
        state->depth = interval_max2(state->depth, boxes[n].depth);
        for (uint32_t i = 0; node->left != 0 && i < grz_node_child_count(node); i++)
        {
            double lower[3], upper[3];
            uint32_t child = grz_node_child(node) + i;
            find_ends(mesh, tree, &tree->nodes[child], lower, upper);
            sides_of(state)[child] = fit_child(&boxes[n], lower, upper, &boxes[child]);
        }
        done = grz_monitor_elements(monitor, node->count);
    }
    for (int i = 0; done && i < 3; i++)
    {
        state->lower[i] = boxes[0].lower[i];
        state->upper[i] = boxes[0].upper[i];
    }
    grz_release(context, boxes);
    return done;
}

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    restricted_state *state = opaque;
    grz_method_tree_plan plan = grz_method_tree_plan_of(parameters, 1);
    plan.choose_axis = choose_axis;
    return grz_volume_tree_prepare(&state->base, context, mesh, &plan, sizeof(restricted_node), fit_all, monitor);
}

/* Two nodes that overlap, with the box of A's and the enclosing box of B's, both in A's frame. */
typedef struct restricted_pair
{
    uint32_t a, b;
    double a_lower[3], a_upper[3], b_lower[3], b_upper[3];
} restricted_pair;

typedef struct restricted_traversal
{
    grz_method_query *query;
    const restricted_state *a, *b;
    double slack;
    GRZ_ARRAY(restricted_pair) stack;
} restricted_traversal;

static bool disjoint_on(const restricted_pair *pair, int axis, double slack)
{
    return pair->a_lower[axis] > pair->b_upper[axis] + slack || pair->b_lower[axis] > pair->a_upper[axis] + slack;
}

/* A's child: one of its sides moves, one axis is compared. */
static bool restrict_a(const restricted_traversal *t, uint32_t child, restricted_pair *pair)
{
    const restricted_node *side = &sides_of(t->a)[child];
    pair->a = child;
    if (side->upper)
        pair->a_upper[side->axis] -= side->moved;
    else
        pair->a_lower[side->axis] += side->moved;
    return !disjoint_on(pair, side->axis, t->slack);
}

/* B's child: its side moves by s along B's axis k, so one end of the enclosing box moves by |R_ik| s on each axis i. */
static bool restrict_b(const restricted_traversal *t, uint32_t child, restricted_pair *pair)
{
    const restricted_node *side = &sides_of(t->b)[child];
    pair->b = child;
    for (int i = 0; i < 3; i++)
    {
        double r = t->query->map[i][side->axis];
        if ((r > 0) == side->upper)
            pair->b_upper[i] -= fabs(r) * side->moved;
        else
            pair->b_lower[i] += fabs(r) * side->moved;
        if (disjoint_on(pair, i, t->slack))
            return false;
    }
    return true;
}

/* The nodes of the larger box are opened. */
static bool opens_a(const restricted_traversal *t, const restricted_pair *pair)
{
    if (t->a->base.tree.nodes[pair->a].left == 0 || t->b->base.tree.nodes[pair->b].left == 0)
        return t->b->base.tree.nodes[pair->b].left == 0;
    double size_a = 0, size_b = 0;
    for (int i = 0; i < 3; i++)
    {
        size_a += pair->a_upper[i] - pair->a_lower[i];
        size_b += pair->b_upper[i] - pair->b_lower[i];
    }
    return size_a > size_b;
}

static bool open_pair(restricted_traversal *t, const restricted_pair *pair)
{
    const grz_method_node *x = &t->a->base.tree.nodes[pair->a], *y = &t->b->base.tree.nodes[pair->b];
    if (x->left == 0 && y->left == 0)
        return grz_propose_leaves(t->query, &t->a->base.tree, pair->a, &t->b->base.tree, pair->b);
    bool open_a = opens_a(t, pair);
    const grz_method_node *opened = open_a ? x : y;
    uint32_t first = grz_node_child(opened), count = grz_node_child_count(opened);
    if (!grz_method_count_volumes(t->query, count))
        return false;
    for (uint32_t i = count; i-- > 0;)
    {
        restricted_pair child = *pair;
        bool overlap = open_a ? restrict_a(t, first + i, &child) : restrict_b(t, first + i, &child);
        if (overlap && !GRZ_PUSH(t->query->context, &t->stack, child))
        {
            t->query->out_of_memory = true;
            return false;
        }
    }
    return true;
}

/* The box around B's root in A's frame. */
static restricted_pair start(const restricted_traversal *t)
{
    restricted_pair pair = {.a = 0, .b = 0};
    for (int i = 0; i < 3; i++)
    {
        pair.a_lower[i] = t->a->lower[i];
        pair.a_upper[i] = t->a->upper[i];
        pair.b_lower[i] = pair.b_upper[i] = t->query->map[i][3];
        for (int k = 0; k < 3; k++)
        {
            double r = t->query->map[i][k];
            pair.b_lower[i] += r * (r > 0 ? t->b->lower[k] : t->b->upper[k]);
            pair.b_upper[i] += r * (r > 0 ? t->b->upper[k] : t->b->lower[k]);
        }
    }
    return pair;
}

/* Every level adds roundings of its own, of at most 8 u of the coordinates: 2^-8 of the slack a level is more.
   shortcut: restricted-boxes */
static void run(grz_method_query *query)
{
    restricted_traversal t = {.query = query, .a = query->a, .b = query->b};
    t.slack = query->slack * (4 + (t.a->depth + t.b->depth) / 128);
    restricted_pair pair = start(&t);
    bool overlap = grz_method_count_volumes(query, 1);
    for (int i = 0; i < 3; i++)
        overlap = overlap && !disjoint_on(&pair, i, t.slack);
    bool go_on = overlap && open_pair(&t, &pair);
    while (go_on && t.stack.count > 0)
    {
        pair = t.stack.data[--t.stack.count];
        go_on = open_pair(&t, &pair);
    }
    if (!go_on)
        grz_method_leave_pairs(query, t.stack.count + 1);
    grz_release(query->context, t.stack.data);
}

const grz_method grz_restricted_boxes_method = {
    .info = {.name = "restricted-boxes",
             .summary = "Binary trees whose boxes are their parent's with one side moved; B's are re-aligned with A's.",
             .source = "003",
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT,
             .deadline = true},
    .state_size = sizeof(restricted_state),
    .prepare = prepare,
    .release = grz_volume_tree_release,
    .memory = grz_volume_tree_memory,
    .run = run,
};
