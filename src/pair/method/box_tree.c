/* SPDX-License-Identifier: MIT */
/*
 * Box-trees (G. Zachmann 1994, 3.6): the box of a body is cut by planes normal to its axes, so that about as many faces
 * lie on either side and few are crossed; those go to both sides. Where a third of a cell is empty it is cut off. Cells
 * of two bodies are compared by the parts of their edges within one another, which are carried from pair to pair
 * (box_intervals.h), and in pairs of leaves the edges of one are tested with the faces of the other, both ways. Poses
 * that are more than a rotation are answered by the edges and faces of both bodies without the trees.
 */
#include "base/array.h"
#include "mesh/mesh.h"
#include "pair/method/box_intervals.h"
#include "pair/method/surface_edges.h"
#include "pair/method/table.h"

enum
{
    DEFAULT_DEPTH = 16,
    DEFAULT_LEAF = 4,
    MOST_DEPTH = 64,
    CUT_ROUNDS = 10
};

/* A cell; its faces and edges are those from `faces` and `edges` on, in `elements`. */
typedef struct box_node
{
    double at;
    uint32_t left; /* the right child is left + 1; 0: a leaf */
    uint32_t faces, face_count, edges, edge_count;
    uint8_t axis;
} box_node;

typedef struct box_tree
{
    graze_edges_of edges_of;
    bool cut_empty;
    grz_surface_edges surface;
    grz_tree_cell root;
    GRZ_ARRAY(box_node) nodes;
    GRZ_ARRAY(uint32_t) elements;
} box_tree;

/* Elements of a node that is being built; boxes of all are looked up by number. */
typedef struct build_task
{
    uint32_t *faces, *edges; /* owned */
    uint32_t face_count, edge_count, node, depth;
    grz_tree_cell cell;
} build_task;

typedef struct tree_builder
{
    const graze_context *context;
    const graze_mesh *mesh;
    grz_monitor *monitor;
    box_tree *tree;
    uint32_t most_depth, leaf_size;
    GRZ_ARRAY(build_task) tasks;
    bool out_of_memory, too_large;
} tree_builder;

/* How far faces and edges reach on an axis. */
static void face_range(const grz_surface_edges *surface, uint32_t face, int axis, double out[2])
{
    size_t count;
    const uint32_t *corners = grz_surface_face_corners(surface, face, &count);
    out[0] = INFINITY;
    out[1] = -INFINITY;
    for (size_t i = 0; i < count; i++)
    {
        double x = grz_mesh_scaled(surface->mesh, corners[i])[axis];
        out[0] = x < out[0] ? x : out[0];
        out[1] = x > out[1] ? x : out[1];
    }
}

static void edge_range(const graze_mesh *mesh, const grz_surface_edge *edge, int axis, double out[2])
{
    double x = grz_mesh_scaled(mesh, edge->ends[0])[axis], y = grz_mesh_scaled(mesh, edge->ends[1])[axis];
    out[0] = x < y ? x : y;
    out[1] = x < y ? y : x;
}

/* Faces on both sides of a plane, and across it. */
typedef struct face_counts
{
    double low, high, crossing;
} face_counts;

static face_counts count_faces(const tree_builder *b, const build_task *task, int axis, double at)
{
    face_counts counts = {0, 0, 0};
    for (uint32_t i = 0; i < task->face_count; i++)
    {
        double range[2];
        face_range(&b->tree->surface, task->faces[i], axis, range);
        counts.low += range[1] < at;
        counts.high += range[0] > at;
        counts.crossing += range[0] <= at && range[1] >= at;
    }
    return counts;
}

/* Moves a plane between both ends of an axis until about as many faces lie on either side. The value is the cost. */
static double find_cut(const tree_builder *b, const build_task *task, int axis, double *out_at)
{
    double l = task->cell.lower[axis], r = task->cell.upper[axis], cost = INFINITY;
    *out_at = l / 2 + r / 2;
    for (int round = 0; round < CUT_ROUNDS; round++)
    {
        double at = l / 2 + r / 2;
        if (!(at > task->cell.lower[axis] && at < task->cell.upper[axis]))
            break;
        face_counts n = count_faces(b, task, axis, at);
        double sum = n.low + n.high, difference = fabs(n.low - n.high);
        double larger = n.low > n.high ? n.low : n.high;
        bool useful = n.low > 0 && n.high > 0 && larger + n.crossing <= 0.9 * task->face_count;
        if (useful && difference + n.crossing < cost)
        {
            cost = difference + n.crossing;
            *out_at = at;
        }
        if (sum == 0 || difference <= 0.5)
            break;
        if (n.low < n.high)
            l = (2 * n.low * l + (n.high - n.low) * at) / sum;
        else
            r = (2 * n.high * r + (n.low - n.high) * at) / sum;
    }
    return cost;
}

/* A plane beside all faces that leaves a third of the cell or more empty; false: there is none. */
static bool find_empty_part(const tree_builder *b, const build_task *task, int axis, double *out_at)
{
    double lower = task->cell.lower[axis], upper = task->cell.upper[axis], ends[2] = {INFINITY, -INFINITY};
    for (uint32_t i = 0; i < task->face_count; i++)
    {
        double range[2];
        face_range(&b->tree->surface, task->faces[i], axis, range);
        ends[0] = range[0] < ends[0] ? range[0] : ends[0];
        ends[1] = range[1] > ends[1] ? range[1] : ends[1];
    }
    bool below = ends[0] - lower >= upper - ends[1];
    *out_at = below ? nextafter(ends[0], -INFINITY) : nextafter(ends[1], INFINITY);
    return (below ? *out_at - lower : upper - *out_at) > (upper - lower) / 3;
}

/* Copies the elements that reach one side of the plane; NULL when out of memory. */
static uint32_t *choose(tree_builder *b, const build_task *task, bool edges, int axis, double at, int side,
                        uint32_t *out_count)
{
    uint32_t count = edges ? task->edge_count : task->face_count, kept = 0;
    const uint32_t *elements = edges ? task->edges : task->faces;
    uint32_t *chosen = grz_allocate(b->context, count, sizeof *chosen);
    for (uint32_t i = 0; chosen != NULL && i < count; i++)
    {
        double range[2];
        if (edges)
            edge_range(b->mesh, &b->tree->surface.edges[elements[i]], axis, range);
        else
            face_range(&b->tree->surface, elements[i], axis, range);
        if (side == 0 ? range[0] <= at : range[1] >= at)
            chosen[kept++] = elements[i];
    }
    b->out_of_memory = b->out_of_memory || chosen == NULL;
    *out_count = kept;
    return chosen;
}

static void release_task(const graze_context *context, build_task *task)
{
    grz_release(context, task->faces);
    grz_release(context, task->edges);
}

static void make_leaf(tree_builder *b, const build_task *task)
{
    box_node *node = &b->tree->nodes.data[task->node];
    size_t end = b->tree->elements.count + task->face_count + task->edge_count;
    b->too_large = b->too_large || end > UINT32_MAX || b->tree->nodes.count > UINT32_MAX - 2;
    if (b->too_large)
        return;
    node->faces = (uint32_t)b->tree->elements.count;
    node->face_count = task->face_count;
    node->edges = node->faces + task->face_count;
    node->edge_count = task->edge_count;
    for (uint32_t i = 0; i < task->face_count + task->edge_count && !b->out_of_memory; i++)
        if (!GRZ_PUSH(b->context, &b->tree->elements,
                      i < task->face_count ? task->faces[i] : task->edges[i - task->face_count]))
            b->out_of_memory = true;
}

/* Makes the children of a node. */
static void split(tree_builder *b, const build_task *task, int axis, double at)
{
    uint32_t left = (uint32_t)b->tree->nodes.count;
    b->tree->nodes.data[task->node].left = left;
    b->tree->nodes.data[task->node].axis = (uint8_t)axis;
    b->tree->nodes.data[task->node].at = at;
    for (int side = 0; side < 2 && !b->out_of_memory; side++)
        b->out_of_memory = !GRZ_PUSH(b->context, &b->tree->nodes, ((box_node){.left = 0}));
    for (int side = 0; side < 2 && !b->out_of_memory; side++)
    {
        build_task child = {.node = left + (uint32_t)side, .depth = task->depth + 1, .cell = task->cell};
        if (side == 0)
            child.cell.upper[axis] = at;
        else
            child.cell.lower[axis] = at;
        child.faces = choose(b, task, false, axis, at, side, &child.face_count);
        child.edges = choose(b, task, true, axis, at, side, &child.edge_count);
        if (b->out_of_memory || !GRZ_PUSH(b->context, &b->tasks, child))
        {
            b->out_of_memory = true;
            release_task(b->context, &child);
        }
    }
}

static void build_node(tree_builder *b, const build_task *task)
{
    int axis = 0;
    double at = 0, least = INFINITY;
    bool may_split = task->depth < b->most_depth && task->face_count > 0;
    for (int i = 0; i < 3 && may_split; i++)
    {
        double cut, cost = INFINITY;
        if (find_empty_part(b, task, i, &cut))
            cost = -1;
        else if (task->face_count > b->leaf_size)
            cost = find_cut(b, task, i, &cut);
        if (!(cost < least))
            continue;
        least = cost;
        axis = i;
        at = cut;
    }
    if (least < INFINITY)
        split(b, task, axis, at);
    else
        make_leaf(b, task);
}

/* The task of the root: all elements, and their box. */
static build_task whole_body(tree_builder *b)
{
    build_task task = {.face_count = (uint32_t)b->tree->surface.face_count,
                       .edge_count = (uint32_t)b->tree->surface.edge_count};
    task.faces = grz_allocate(b->context, task.face_count, sizeof *task.faces);
    task.edges = grz_allocate(b->context, task.edge_count, sizeof *task.edges);
    for (uint32_t i = 0; task.faces != NULL && i < task.face_count; i++)
        task.faces[i] = i;
    for (uint32_t i = 0; task.edges != NULL && i < task.edge_count; i++)
        task.edges[i] = i;
    for (int axis = 0; axis < 3; axis++)
    {
        task.cell.lower[axis] = INFINITY;
        task.cell.upper[axis] = -INFINITY;
        for (uint32_t i = 0; i < task.face_count; i++)
        {
            double range[2];
            face_range(&b->tree->surface, i, axis, range);
            task.cell.lower[axis] = range[0] < task.cell.lower[axis] ? range[0] : task.cell.lower[axis];
            task.cell.upper[axis] = range[1] > task.cell.upper[axis] ? range[1] : task.cell.upper[axis];
        }
    }
    b->tree->root = task.cell;
    return task;
}

static graze_status build(tree_builder *b)
{
    build_task task = whole_body(b);
    bool go_on = true;
    b->out_of_memory = task.faces == NULL || task.edges == NULL ||
                       !GRZ_PUSH(b->context, &b->tree->nodes, ((box_node){.left = 0})) ||
                       !GRZ_PUSH(b->context, &b->tasks, task);
    if (b->out_of_memory)
        release_task(b->context, &task);
    while (b->tasks.count > 0)
    {
        task = b->tasks.data[--b->tasks.count];
        go_on = go_on && !b->out_of_memory && !b->too_large &&
                grz_monitor_elements(b->monitor, task.face_count + task.edge_count);
        if (go_on)
            build_node(b, &task);
        release_task(b->context, &task);
    }
    grz_release(b->context, b->tasks.data);
    if (b->too_large)
        return GRAZE_STATUS_TOO_LARGE;
    return b->out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : go_on ? GRAZE_STATUS_OK : grz_monitor_or_memory(b->monitor);
}

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    box_tree *tree = opaque;
    tree->edges_of = parameters->edges_of;
    tree->cut_empty = parameters->cut_empty;
    graze_status status = grz_surface_edges_find(context, mesh, true, monitor, &tree->surface);
    if (status != GRAZE_STATUS_OK || mesh->triangle_count == 0)
        return status;
    uint32_t depth = parameters->depth != 0 ? parameters->depth : DEFAULT_DEPTH;
    tree_builder b = {.context = context, .mesh = mesh, .monitor = monitor, .tree = tree};
    b.most_depth = depth < MOST_DEPTH ? depth : MOST_DEPTH;
    b.leaf_size = parameters->leaf_size != 0 ? parameters->leaf_size : DEFAULT_LEAF;
    return build(&b);
}

static void release(void *opaque, const graze_context *context)
{
    box_tree *tree = opaque;
    grz_surface_edges_release(context, &tree->surface);
    grz_release(context, tree->nodes.data);
    grz_release(context, tree->elements.data);
    tree->nodes.data = NULL;
    tree->elements.data = NULL;
}

static size_t memory(const void *opaque)
{
    const box_tree *tree = opaque;
    return grz_surface_edges_memory(&tree->surface) + tree->nodes.capacity * sizeof(box_node) +
           tree->elements.capacity * sizeof(uint32_t);
}

/* Two nodes whose cells meet. */
typedef struct node_pair
{
    uint32_t nodes[2];
    grz_cell_pair cells;
} node_pair;

/* A face or an edge, with its box in A's frame. */
typedef struct boxed_element
{
    grz_tree_cell box;
    uint32_t number;
} boxed_element;

typedef struct box_traversal
{
    grz_method_query *query;
    const box_tree *trees[2];
    grz_cell_frame frame;
    grz_hash_map tested[2];                /* pairs of an edge of that side and a face of the other */
    GRZ_ARRAY(boxed_element) collected[2]; /* faces, edges */
    GRZ_ARRAY(node_pair) stack;
} box_traversal;

/* A vertex in A's frame. */
static void placed_point(const grz_method_query *query, int side, uint32_t vertex, double out[3])
{
    if (side == 1)
        grz_method_place(query, grz_mesh_scaled(query->mesh_b, vertex), out);
    else
        memcpy(out, grz_mesh_scaled(query->mesh_a, vertex), 3 * sizeof *out);
}

static grz_tree_cell box_around(const grz_method_query *query, int side, const uint32_t *vertices, size_t count)
{
    grz_tree_cell box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < count; i++)
    {
        double p[3];
        placed_point(query, side, vertices[i], p);
        for (int k = 0; k < 3; k++)
        {
            box.lower[k] = p[k] < box.lower[k] ? p[k] : box.lower[k];
            box.upper[k] = p[k] > box.upper[k] ? p[k] : box.upper[k];
        }
    }
    return box;
}

static bool boxes_meet(const grz_tree_cell *a, const grz_tree_cell *b, double slack)
{
    for (int k = 0; k < 3; k++)
        if (a->lower[k] > b->upper[k] + slack || b->lower[k] > a->upper[k] + slack)
            return false;
    return true;
}

/* Tests an edge with a face, once. */
static bool test_once(box_traversal *t, int side, uint32_t edge, uint32_t face)
{
    uint64_t key = (uint64_t)edge << 32 | face;
    if (grz_hash_map_find(&t->tested[side], key) != NULL)
        return true;
    if (!grz_hash_map_set(t->query->context, &t->tested[side], key, 1))
    {
        t->query->out_of_memory = true;
        return false;
    }
    return grz_test_edge_with_face(t->query, side, &t->trees[side]->surface, edge, &t->trees[1 - side]->surface, face);
}

/* Collects the elements of a list whose boxes meet a region; a NULL list means all, from 0 on. */
static bool collect(box_traversal *t, int side, bool edges, const uint32_t *list, uint32_t count,
                    const grz_tree_cell *region)
{
    grz_method_query *query = t->query;
    const grz_surface_edges *surface = &t->trees[side]->surface;
    t->collected[edges].count = 0;
    if (!grz_method_count_volumes(query, count))
        return false;
    for (uint32_t i = 0; i < count; i++)
    {
        boxed_element element = {.number = list != NULL ? list[i] : i};
        if (edges)
            element.box = box_around(query, side, surface->edges[element.number].ends, 2);
        else
        {
            size_t corners;
            const uint32_t *vertices = grz_surface_face_corners(surface, element.number, &corners);
            element.box = box_around(query, side, vertices, corners);
        }
        if (!boxes_meet(&element.box, region, t->frame.slack))
            query->counters.check[edges ? 0 : 2]++;
        else if (!GRZ_PUSH(query->context, &t->collected[edges], element))
        {
            query->out_of_memory = true;
            return false;
        }
    }
    return true;
}

/* The collected edges of one side with the collected faces of the other. */
static bool test_collected(box_traversal *t, int side)
{
    grz_method_query *query = t->query;
    for (size_t f = 0; f < t->collected[0].count; f++)
    {
        const boxed_element *face = &t->collected[0].data[f];
        if (!grz_method_count_volumes(query, t->collected[1].count))
            return false;
        for (size_t e = 0; e < t->collected[1].count; e++)
        {
            const boxed_element *edge = &t->collected[1].data[e];
            if (!boxes_meet(&edge->box, &face->box, t->frame.slack))
                query->counters.check[1]++;
            else if (!test_once(t, side, edge->number, face->number))
                return false;
        }
    }
    return true;
}

/* What A's cell and the box around B's have in common, in A's frame. */
static grz_tree_cell common_region(const box_traversal *t, const grz_cell_pair *pair)
{
    grz_tree_cell region = pair->cells[0];
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = t->frame.origins[1][axis], upper = lower;
        for (int k = 0; k < 3; k++)
        {
            double d = t->frame.directions[1][k][axis];
            lower += d * (d > 0 ? pair->cells[1].lower[k] : pair->cells[1].upper[k]);
            upper += d * (d > 0 ? pair->cells[1].upper[k] : pair->cells[1].lower[k]);
        }
        region.lower[axis] = lower > region.lower[axis] ? lower : region.lower[axis];
        region.upper[axis] = upper < region.upper[axis] ? upper : region.upper[axis];
    }
    return region;
}

/* Whether the edges of a side are not asked for. */
static bool is_left_out(const box_traversal *t, int side)
{
    return t->trees[0]->edges_of == (side == 0 ? GRAZE_EDGES_OF_B : GRAZE_EDGES_OF_A);
}

static bool test_leaves(box_traversal *t, const node_pair *pair)
{
    grz_tree_cell region = common_region(t, &pair->cells);
    for (int side = 0; side < 2; side++)
    {
        if (is_left_out(t, side))
            continue;
        const box_node *own = &t->trees[side]->nodes.data[pair->nodes[side]];
        const box_node *other = &t->trees[1 - side]->nodes.data[pair->nodes[1 - side]];
        if (!collect(t, side, true, t->trees[side]->elements.data + own->edges, own->edge_count, &region) ||
            !collect(t, 1 - side, false, t->trees[1 - side]->elements.data + other->faces, other->face_count,
                     &region) ||
            !test_collected(t, side))
            return false;
    }
    return true;
}

/* Without the trees. */
static void test_all(box_traversal *t)
{
    static const grz_tree_cell everywhere = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    for (int side = 0; side < 2; side++)
        if (!is_left_out(t, side) &&
            (!collect(t, side, true, NULL, (uint32_t)t->trees[side]->surface.edge_count, &everywhere) ||
             !collect(t, 1 - side, false, NULL, (uint32_t)t->trees[1 - side]->surface.face_count, &everywhere) ||
             !test_collected(t, side)))
            return;
}

static bool is_bare(const box_node *node)
{
    return node->left == 0 && node->face_count == 0 && node->edge_count == 0;
}

/* Opens both nodes: A's cell first, then B's in each half. */
static bool open_pair(box_traversal *t, const node_pair *pair)
{
    const box_node *a = &t->trees[0]->nodes.data[pair->nodes[0]], *b = &t->trees[1]->nodes.data[pair->nodes[1]];
    grz_cell_pair halves[2] = {pair->cells, pair->cells};
    if (a->left != 0)
        grz_cell_pair_split(&t->frame, &pair->cells, 0, a->axis, a->at, halves, &t->query->counters);
    for (uint32_t i = 0; i < (a->left != 0 ? 2u : 1u); i++)
    {
        grz_cell_pair quarters[2] = {halves[i], halves[i]};
        if (b->left != 0)
            grz_cell_pair_split(&t->frame, &halves[i], 1, b->axis, b->at, quarters, &t->query->counters);
        for (uint32_t k = 0; k < (b->left != 0 ? 2u : 1u); k++)
        {
            node_pair child = {
                {a->left != 0 ? a->left + i : pair->nodes[0], b->left != 0 ? b->left + k : pair->nodes[1]},
                quarters[k]};
            if (is_bare(&t->trees[0]->nodes.data[child.nodes[0]]) || is_bare(&t->trees[1]->nodes.data[child.nodes[1]]))
                continue;
            if (!grz_method_count_volumes(t->query, 1))
                return false;
            if (!grz_cell_pair_meets(&child.cells))
                continue;
            if (!GRZ_PUSH(t->query->context, &t->stack, child))
            {
                t->query->out_of_memory = true;
                return false;
            }
        }
    }
    return true;
}

static void traverse(box_traversal *t)
{
    node_pair pair = {.nodes = {0, 0}};
    t->frame = grz_cell_frame_make(t->query);
    t->frame.cut_empty = t->trees[0]->cut_empty;
    for (int side = 0; side < 2; side++)
        pair.cells.cells[side] = t->trees[side]->root;
    grz_cell_pair_start(&t->frame, &pair.cells, &t->query->counters);
    bool go_on = grz_method_count_volumes(t->query, 1) && grz_cell_pair_meets(&pair.cells);
    while (go_on)
    {
        bool leaves =
            t->trees[0]->nodes.data[pair.nodes[0]].left == 0 && t->trees[1]->nodes.data[pair.nodes[1]].left == 0;
        go_on = (leaves ? test_leaves(t, &pair) : open_pair(t, &pair)) && t->stack.count > 0;
        if (go_on)
            pair = t->stack.data[--t->stack.count];
    }
}

static void run(grz_method_query *query)
{
    box_traversal t = {.query = query, .trees = {query->a, query->b}, .frame = {.slack = query->slack}};
    query->once = true;
    if (t.trees[0]->edges_of != GRAZE_EDGES_OF_BOTH)
        query->guess = GRAZE_VERDICT_NO; /* half of the search proves no "no" */
    for (int side = 0; side < 2; side++)
    {
        query->counters.elements += t.trees[side]->surface.face_count + t.trees[side]->surface.edge_count;
        query->counters.references += t.trees[side]->elements.count;
    }
    if (query->rigid)
        traverse(&t);
    else
        test_all(&t);
    for (int side = 0; side < 2; side++)
    {
        grz_hash_map_release(query->context, &t.tested[side]);
        grz_release(query->context, t.collected[side].data);
    }
    grz_release(query->context, t.stack.data);
}

const grz_method grz_box_tree_method = {
    .info = {.name = "box-tree",
             .summary = "Cells cut by planes along the body's axes, compared by the parts of their edges.",
             .source = "000 3.6",
             .mesh_class = GRAZE_METHOD_CLASS_FACES,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT},
    .state_size = sizeof(box_tree),
    .prepare = prepare,
    .release = release,
    .memory = memory,
    .run = run,
};
