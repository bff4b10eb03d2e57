/* SPDX-License-Identifier: MIT */
/*
 * Trees with average distributions (J. Klein, G. Zachmann, ADB-trees: controlling the error of time-critical collision
 * detection, 2003; 003): a node knows how many cells of its box, cut in 8 x 8 x 8, hold much surface. If s cells of the
 * box that two nodes have in common hold that many of A and of B by chance, the probability that one holds both is
 * 1 - C(s - s_B, s_A) / C(s, s_A). The most probable pair of nodes is opened next, and a probability that is high
 * enough ends the search with a collision, as a guess. The paper drops pairs of probability 0; here they wait until all
 * others are done, since coarse cells of a curved surface rarely hold enough of it: of two tori the roots were dropped.
 * So a search that comes to its end is exact.
 */
#include "base/array.h"
#include "convex/cost_heap.h"
#include "mesh/mesh.h"
#include "pair/method/binary_tree.h"
#include "pair/method/table.h"

enum
{
    CELLS = 8,
    ALL_CELLS = CELLS * CELLS * CELLS,
    MOST_PARTS = 16 /* of a triangle's side, when its area is spread over cells */
};

typedef struct adb_node
{
    double lower[3], upper[3];
    double full; /* cells with much surface */
} adb_node;

typedef struct adb_state
{
    grz_method_tree tree;
    adb_node *nodes;
    double probability; /* that is enough */
    double log_factorials[ALL_CELLS + 1];
} adb_state;

static void choose_axis(const grz_method_split *split, double out_axis[3], double *out_value)
{
    (void)out_value;
    grz_split_by_variance(split, out_axis);
}

static void fit_box(const adb_state *state, const graze_mesh *mesh, const grz_method_node *node, adb_node *out)
{
    for (int i = 0; i < 3; i++)
    {
        out->lower[i] = INFINITY;
        out->upper[i] = -INFINITY;
    }
    for (uint32_t n = 0; n < node->count; n++)
        for (int corner = 0; corner < 3; corner++)
        {
            const double *p = grz_scaled_corner(mesh, state->tree.order[node->first + n], corner);
            for (int i = 0; i < 3; i++)
            {
                out->lower[i] = p[i] < out->lower[i] ? p[i] : out->lower[i];
                out->upper[i] = p[i] > out->upper[i] ? p[i] : out->upper[i];
            }
        }
}

/* Spreads a triangle's area over the cells of a node: it is cut into small ones, which count where their middles are.
 */
static void spread(const graze_mesh *mesh, uint32_t triangle, const adb_node *node, double *areas)
{
    const double *p = grz_scaled_corner(mesh, triangle, 0), *q = grz_scaled_corner(mesh, triangle, 1),
                 *r = grz_scaled_corner(mesh, triangle, 2);
    double u[3], v[3], normal_sq = 0, widest = 0;
    for (int i = 0; i < 3; i++)
    {
        double cell = (node->upper[i] - node->lower[i]) / CELLS;
        u[i] = q[i] - p[i];
        v[i] = r[i] - p[i];
        widest = fmax(widest, cell > 0 ? fmax(fabs(u[i]), fabs(v[i])) / cell : 0);
    }
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        normal_sq += (u[j] * v[k] - u[k] * v[j]) * (u[j] * v[k] - u[k] * v[j]);
    }
    uint32_t parts = widest < MOST_PARTS ? 1 + (uint32_t)widest : MOST_PARTS;
    double area = sqrt(normal_sq) / 2 / (parts * parts);
    for (uint32_t a = 0; a < parts; a++)
        for (uint32_t b = 0; b < 2 * (parts - a) - 1; b++)
        {
            double s = (a + (b % 2 == 0 ? 1 : 2) / 3.0) / parts, t = (b / 2 + (b % 2 == 0 ? 1 : 2) / 3.0) / parts;
            size_t cell = 0;
            for (int i = 0; i < 3; i++)
            {
                double side = node->upper[i] - node->lower[i];
                double at = side > 0 ? (p[i] + s * u[i] + t * v[i] - node->lower[i]) / side * CELLS : 0;
                size_t place = at > 0 ? (size_t)at : 0;
                cell = cell * CELLS + (place < CELLS ? place : CELLS - 1);
            }
            areas[cell] += area;
        }
}

/* Counts the cells that hold as much surface as the largest section of a cell by a plane. */
static void count_full(const adb_state *state, const graze_mesh *mesh, const grz_method_node *node, adb_node *out)
{
    double areas[ALL_CELLS] = {0}, sides[3], much = 0;
    for (uint32_t n = 0; n < node->count; n++)
        spread(mesh, state->tree.order[node->first + n], out, areas);
    for (int i = 0; i < 3; i++)
        sides[i] = (out->upper[i] - out->lower[i]) / CELLS;
    for (int i = 0; i < 3; i++)
        much = fmax(much, sides[i] * hypot(sides[(i + 1) % 3], sides[(i + 2) % 3]));
    out->full = 0;
    for (int cell = 0; cell < ALL_CELLS; cell++)
        out->full += areas[cell] > 0 && areas[cell] >= much;
}

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    adb_state *state = opaque;
    grz_method_tree_plan plan = {.leaf_size = parameters->leaf_size != 0 ? parameters->leaf_size : 2,
                                 .point = parameters->split_at_median ? GRAZE_SPLIT_AT_MEDIAN : GRAZE_SPLIT_AT_MEAN,
                                 .choose_axis = choose_axis};
    state->probability = parameters->probability > 0 ? parameters->probability : 0.99;
    for (int n = 1; n <= ALL_CELLS; n++)
        state->log_factorials[n] = state->log_factorials[n - 1] + log(n);
    graze_status status = grz_method_tree_build(context, mesh, &plan, monitor, &state->tree);
    if (status != GRAZE_STATUS_OK || state->tree.node_count == 0)
        return status;
    state->nodes = grz_allocate(context, state->tree.node_count, sizeof *state->nodes);
    if (state->nodes == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t n = 0; n < state->tree.node_count; n++)
    {
        const grz_method_node *node = &state->tree.nodes[n];
        fit_box(state, mesh, node, &state->nodes[n]);
        if (node->left != 0)
            count_full(state, mesh, node, &state->nodes[n]);
        else
            state->nodes[n].full = 1;
        if (!grz_monitor_elements(monitor, node->count + 1))
            return grz_monitor_or_memory(monitor);
    }
    return GRAZE_STATUS_OK;
}

static void release(void *opaque, const graze_context *context)
{
    adb_state *state = opaque;
    grz_method_tree_release(context, &state->tree);
    grz_release(context, state->nodes);
    state->nodes = NULL;
}

static size_t memory(const void *opaque)
{
    const adb_state *state = opaque;
    return grz_method_tree_memory(&state->tree) + state->tree.node_count * sizeof *state->nodes;
}

/* Two nodes in the queue; `counted`: their probability comes from cells, and not from where such pairs stand in it. */
typedef struct adb_pair
{
    grz_method_node_pair nodes;
    bool counted;
} adb_pair;

typedef struct adb_search
{
    grz_method_query *query;
    const adb_state *a, *b;
    GRZ_ARRAY(adb_pair) pairs;
    grz_cost_heap waiting; /* numbers of pairs, the most probable first */
} adb_search;

static double volume(const double lower[3], const double upper[3])
{
    return (upper[0] - lower[0]) * (upper[1] - lower[1]) * (upper[2] - lower[2]);
}

/* log C(n, k). */
static double log_choose(const adb_state *state, int n, int k)
{
    return state->log_factorials[n] - state->log_factorials[k] - state->log_factorials[n - k];
}

/* The box around a node of B in A's frame, enlarged by the slack. */
static void move_box(const grz_method_query *query, const adb_node *node, double lower[3], double upper[3])
{
    for (int i = 0; i < 3; i++)
    {
        lower[i] = query->map[i][3] - query->slack;
        upper[i] = query->map[i][3] + query->slack;
        for (int k = 0; k < 3; k++)
        {
            double r = query->map[i][k];
            lower[i] += r * (r > 0 ? node->lower[k] : node->upper[k]);
            upper[i] += r * (r > 0 ? node->upper[k] : node->lower[k]);
        }
    }
}

/* The probability of a collision; below 0: the boxes are certainly apart. */
static double probability_of(const adb_search *s, uint32_t node_a, uint32_t node_b, bool *out_counted)
{
    const adb_node *a = &s->a->nodes[node_a], *b = &s->b->nodes[node_b];
    double lower[3], upper[3], common[2][3];
    *out_counted = false;
    move_box(s->query, b, lower, upper);
    for (int i = 0; i < 3; i++)
    {
        common[0][i] = a->lower[i] > lower[i] ? a->lower[i] : lower[i];
        common[1][i] = a->upper[i] < upper[i] ? a->upper[i] : upper[i];
        if (common[0][i] > common[1][i])
            return -1;
    }
    double volumes[2] = {volume(a->lower, a->upper), volume(lower, upper)}, shared = volume(common[0], common[1]);
    double smaller = volumes[0] < volumes[1] ? volumes[0] : volumes[1];
    bool leaves = s->a->tree.nodes[node_a].left == 0 || s->b->tree.nodes[node_b].left == 0;
    *out_counted = !leaves && smaller > 0;
    if (!*out_counted)
        return 0.5; /* leaves are decided, and flat boxes say nothing */
    double cells = ceil(ALL_CELLS * shared / smaller);
    int all = cells < ALL_CELLS ? (int)cells : ALL_CELLS;
    double of_a = a->full * shared / volumes[0], of_b = b->full * shared / volumes[1];
    int full_a = of_a < all ? (int)of_a : all, full_b = of_b < all ? (int)of_b : all;
    if (full_a + full_b > all)
        return 1;
    return 1 - exp(log_choose(s->a, all - full_b, full_a) - log_choose(s->a, all, full_a));
}

/* Puts a pair into the queue, unless it is apart. */
static bool push(adb_search *s, uint32_t node_a, uint32_t node_b)
{
    grz_method_query *query = s->query;
    bool counted;
    double probability = probability_of(s, node_a, node_b, &counted);
    if (!grz_method_count_volumes(query, 1))
        return false;
    if (probability < 0)
        return true;
    adb_pair pair = {{node_a, node_b}, counted};
    grz_cost entry = {-probability, (uint32_t)s->pairs.count, 0};
    if (!GRZ_PUSH(query->context, &s->pairs, pair) || !grz_cost_heap_push(query->context, &s->waiting, entry))
        query->out_of_memory = true;
    return !query->out_of_memory;
}

static bool open_pair(adb_search *s, grz_method_node_pair pair)
{
    const grz_method_node *x = &s->a->tree.nodes[pair.a], *y = &s->b->tree.nodes[pair.b];
    if (x->left == 0 && y->left == 0)
        return grz_propose_leaves(s->query, &s->a->tree, pair.a, &s->b->tree, pair.b);
    bool open_a = y->left == 0 || (x->left != 0 && x->count >= y->count);
    for (uint32_t side = 0; side < 2; side++)
        if (!push(s, open_a ? x->left + side : pair.a, open_a ? pair.b : y->left + side))
            return false;
    return true;
}

static void run(grz_method_query *query)
{
    adb_search s = {.query = query, .a = query->a, .b = query->b};
    bool go_on = push(&s, 0, 0), probable = false;
    while (go_on && s.waiting.entries.count > 0 && !probable)
    {
        grz_cost next = grz_cost_heap_pop(&s.waiting);
        adb_pair pair = s.pairs.data[next.element];
        probable = query->first_only && pair.counted && -next.cost >= s.a->probability;
        go_on = probable || open_pair(&s, pair.nodes);
    }
    if (!go_on)
        grz_method_leave_pairs(query, s.waiting.entries.count + 1);
    query->guess = probable ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (go_on && !probable && query->part.counts.pairs == 0)
        query->verdict = GRAZE_VERDICT_NO; /* all pairs were apart or decided */
    grz_cost_heap_release(query->context, &s.waiting);
    grz_release(query->context, s.pairs.data);
}

const grz_method grz_adb_method = {
    .info = {.name = "adb",
             .summary = "The pair of nodes that most probably collides is opened first; a high probability is enough.",
             .source = "003",
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_ESTIMATED,
             .deadline = true},
    .state_size = sizeof(adb_state),
    .prepare = prepare,
    .release = release,
    .memory = memory,
    .run = run,
};
