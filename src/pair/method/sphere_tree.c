/* SPDX-License-Identifier: MIT */
/*
 * Sphere trees (I. Palmer, R. Grimsdale 1995; P. Hubbard, Approximating polyhedra with spheres for time-critical
 * collision detection, ACM TOG 15(3), 1996): an octree of the body, a sphere around each cell that meets the surface.
 * Only centres are moved. It descends level by level, so that it may stop at any time: when the budget is used up,
 * spheres that overlap mean a collision, which is a guess. With triangles in the leaves it is exact.
 */
#include "base/array.h"
#include "mesh/mesh.h"
#include "pair/method/binary_tree.h"
#include "pair/method/table.h"
#include "volume/sphere.h"

enum
{
    OCTANTS = 8,
    DEFAULT_DEPTH = 5,
    DEFAULT_LEAF = 4,
    MOST_DEPTH = 12
};

typedef struct sphere_node
{
    grz_bounding_sphere sphere;
    uint32_t child, child_count; /* children are neighbours; none: a leaf */
    uint32_t first, count;       /* triangles of a leaf */
} sphere_node;

typedef struct sphere_state
{
    sphere_node *nodes;
    size_t node_count;
    uint32_t *triangles; /* one may lie in several leaves */
    size_t triangle_count;
} sphere_state;

/* A cell that is to be divided: a cube and the triangles whose boxes meet it. */
typedef struct octree_cell
{
    double centre[3], half;
    uint32_t node, depth;
    size_t first, count; /* in the list of its level */
} octree_cell;

typedef struct octree_build
{
    const graze_context *context;
    const graze_mesh *mesh;
    grz_monitor *monitor;
    uint32_t leaf_size, depth;
    double pad; /* more than the rounding of a coordinate of a cell (shortcut: octree-cells): cells are larger by it, so
                   that children cover their parent */
    GRZ_ARRAY(sphere_node) nodes;
    GRZ_ARRAY(uint32_t) leaves; /* triangles of leaves */
    GRZ_ARRAY(octree_cell) cells, next_cells;
    GRZ_ARRAY(uint32_t) lists, next_lists; /* triangles of the cells of a level, and of the next one */
} octree_build;

static bool meets_cell(const graze_mesh *mesh, uint32_t triangle, const double centre[3], double half)
{
    for (int i = 0; i < 3; i++)
    {
        double a = grz_scaled_corner(mesh, triangle, 0)[i], b = grz_scaled_corner(mesh, triangle, 1)[i],
               c = grz_scaled_corner(mesh, triangle, 2)[i];
        double lower = a < b ? a : b, upper = a < b ? b : a;
        lower = c < lower ? c : lower;
        upper = c > upper ? c : upper;
        if (lower > centre[i] + half || upper < centre[i] - half)
            return false;
    }
    return true;
}

/* The sphere around a cube. */
static sphere_node node_of_cell(const double centre[3], double half)
{
    sphere_node node = {.sphere = {{centre[0], centre[1], centre[2]}, half * 1.7320508075688774 * (1 + 0x1p-40)}};
    return node;
}

static bool add_leaf(octree_build *b, const octree_cell *c)
{
    sphere_node *node = &b->nodes.data[c->node];
    node->first = (uint32_t)b->leaves.count;
    node->count = (uint32_t)c->count;
    for (size_t i = 0; i < c->count; i++)
        if (!GRZ_PUSH(b->context, &b->leaves, b->lists.data[c->first + i]))
            return false;
    return true;
}

/* The octants of a cell that meet any of its triangles become its children. */
static bool divide(octree_build *b, const octree_cell *c)
{
    double half = c->half / 2 + 4 * b->pad;
    uint32_t first_child = (uint32_t)b->nodes.count;
    if (!grz_monitor_elements(b->monitor, OCTANTS * c->count))
        return false;
    for (int octant = 0; octant < OCTANTS; octant++)
    {
        octree_cell child = {
            .half = half, .node = (uint32_t)b->nodes.count, .depth = c->depth + 1, .first = b->next_lists.count};
        for (int i = 0; i < 3; i++)
            child.centre[i] = c->centre[i] + ((octant >> i & 1) != 0 ? c->half / 2 : -c->half / 2);
        for (size_t i = 0; i < c->count; i++)
        {
            uint32_t triangle = b->lists.data[c->first + i];
            if (meets_cell(b->mesh, triangle, child.centre, half) && !GRZ_PUSH(b->context, &b->next_lists, triangle))
                return false;
        }
        child.count = b->next_lists.count - child.first;
        sphere_node node = node_of_cell(child.centre, half);
        if (child.count > 0 && (!GRZ_PUSH(b->context, &b->nodes, node) || !GRZ_PUSH(b->context, &b->next_cells, child)))
            return false;
    }
    b->nodes.data[c->node].child = first_child;
    b->nodes.data[c->node].child_count = (uint32_t)b->nodes.count - first_child;
    return true;
}

/* One level of cells after the other. */
static bool divide_all(octree_build *b)
{
    while (b->cells.count > 0)
    {
        b->next_cells.count = b->next_lists.count = 0;
        for (size_t i = 0; i < b->cells.count; i++)
        {
            const octree_cell *c = &b->cells.data[i];
            bool is_leaf = c->count <= b->leaf_size || c->depth >= b->depth || c->half <= 64 * b->pad;
            if (!(is_leaf ? add_leaf(b, c) : divide(b, c)))
                return false;
        }
        octree_cell *cells = b->cells.data;
        uint32_t *lists = b->lists.data;
        size_t cell_capacity = b->cells.capacity, list_capacity = b->lists.capacity;
        b->cells.data = b->next_cells.data;
        b->cells.count = b->next_cells.count;
        b->cells.capacity = b->next_cells.capacity;
        b->lists.data = b->next_lists.data;
        b->lists.count = b->next_lists.count;
        b->lists.capacity = b->next_lists.capacity;
        b->next_cells.data = cells;
        b->next_cells.capacity = cell_capacity;
        b->next_lists.data = lists;
        b->next_lists.capacity = list_capacity;
    }
    return true;
}

static bool start(octree_build *b)
{
    const graze_mesh *mesh = b->mesh;
    octree_cell root = {.count = mesh->triangle_count};
    double magnitude = 0;
    for (int i = 0; i < 3; i++)
    {
        root.centre[i] = mesh->scaled_lower[i] / 2 + mesh->scaled_upper[i] / 2;
        root.half = interval_max2(root.half, mesh->scaled_upper[i] / 2 - mesh->scaled_lower[i] / 2);
        magnitude += interval_max2(fabs(mesh->scaled_lower[i]), fabs(mesh->scaled_upper[i]));
    }
    b->pad = 0x1p-50 * magnitude;
    root.half += 4 * b->pad;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        if (!GRZ_PUSH(b->context, &b->lists, (uint32_t)t))
            return false;
    sphere_node node = node_of_cell(root.centre, root.half);
    return GRZ_PUSH(b->context, &b->cells, root) && GRZ_PUSH(b->context, &b->nodes, node);
}

/* Children come after their parents. Spheres of cells contain those of their cells' triangles; parents contain those of
   their children, too, so that a search may stop at any level. */
static void enclose_children(sphere_node *nodes, size_t count)
{
    for (size_t n = count; n-- > 0;)
        for (uint32_t i = 0; i < nodes[n].child_count; i++)
            grz_sphere_enclose(&nodes[n].sphere, &nodes[nodes[n].child + i].sphere);
}

static graze_status prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor)
{
    sphere_state *state = opaque;
    octree_build b = {.context = context, .mesh = mesh, .monitor = monitor};
    b.leaf_size = parameters->leaf_size != 0 ? parameters->leaf_size : DEFAULT_LEAF;
    b.depth = parameters->depth != 0 ? parameters->depth : DEFAULT_DEPTH;
    b.depth = b.depth < MOST_DEPTH ? b.depth : MOST_DEPTH;
    if (mesh->triangle_count == 0)
        return GRAZE_STATUS_OK;
    bool done = start(&b) && divide_all(&b);
    grz_release(context, b.cells.data);
    grz_release(context, b.next_cells.data);
    grz_release(context, b.lists.data);
    grz_release(context, b.next_lists.data);
    *state = (sphere_state){b.nodes.data, b.nodes.count, b.leaves.data, b.leaves.count};
    if (!done)
        return grz_monitor_or_memory(monitor);
    enclose_children(state->nodes, state->node_count);
    return GRAZE_STATUS_OK;
}

static void release(void *opaque, const graze_context *context)
{
    sphere_state *state = opaque;
    grz_release(context, state->nodes);
    grz_release(context, state->triangles);
    *state = (sphere_state){0};
}

static size_t memory(const void *opaque)
{
    const sphere_state *state = opaque;
    return state->node_count * sizeof *state->nodes + state->triangle_count * sizeof *state->triangles;
}

/* A traversal, level by level: a queue whose first pair is the next one. */
typedef struct sphere_traversal
{
    grz_method_query *query;
    const sphere_state *a, *b;
    double stretch; /* of B's radii by the map */
    GRZ_ARRAY(grz_method_node_pair) queue;
} sphere_traversal;

static bool overlap(const sphere_traversal *t, uint32_t node_a, uint32_t node_b)
{
    const grz_bounding_sphere *b = &t->b->nodes[node_b].sphere;
    double moved[3];
    grz_method_place(t->query, b->centre, moved);
    return grz_spheres_overlap(&t->a->nodes[node_a].sphere, moved, b->radius * t->stretch, 4 * t->query->slack);
}

static bool propose_leaves(const sphere_traversal *t, const sphere_node *x, const sphere_node *y)
{
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t k = 0; k < y->count; k++)
            if (!grz_method_propose(t->query, t->a->triangles[x->first + i], t->b->triangles[y->first + k]))
                return false;
    return true;
}

/* Opens the larger sphere, or the only one that has children. */
static bool open_pair(sphere_traversal *t, grz_method_node_pair pair)
{
    const sphere_node *x = &t->a->nodes[pair.a], *y = &t->b->nodes[pair.b];
    if (x->child_count == 0 && y->child_count == 0)
        return propose_leaves(t, x, y);
    bool open_a = y->child_count == 0 || (x->child_count != 0 && x->sphere.radius > y->sphere.radius * t->stretch);
    uint32_t count = open_a ? x->child_count : y->child_count;
    if (!grz_method_count_volumes(t->query, count))
        return false;
    for (uint32_t i = 0; i < count; i++)
    {
        grz_method_node_pair child = {open_a ? x->child + i : pair.a, open_a ? pair.b : y->child + i};
        if (overlap(t, child.a, child.b) && !GRZ_PUSH(t->query->context, &t->queue, child))
        {
            t->query->out_of_memory = true;
            return false;
        }
    }
    return true;
}

/* How much a linear map may lengthen a vector: for a rotation 1, else the norm of its entries. */
static double stretch_of(const grz_method_query *query)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            sum += query->map[i][k] * query->map[i][k];
    return query->rigid ? 1 : sqrt(sum) * (1 + 0x1p-40);
}

static void run(grz_method_query *query)
{
    sphere_traversal t = {.query = query, .a = query->a, .b = query->b, .stretch = stretch_of(query)};
    query->once = true;
    grz_method_node_pair roots = {0, 0};
    bool go_on = grz_method_count_volumes(query, 1) && overlap(&t, 0, 0);
    if (go_on && !GRZ_PUSH(query->context, &t.queue, roots))
        query->out_of_memory = true;
    size_t next = 0;
    for (; next < t.queue.count && go_on; next++)
        go_on = open_pair(&t, t.queue.data[next]);
    if (!go_on)
        grz_method_leave_pairs(query, t.queue.count - next + 1);
    grz_release(query->context, t.queue.data);
}

const grz_method grz_sphere_tree_method = {
    .info = {.name = "sphere-tree",
             .summary = "Octrees of spheres, level by level, which may stop at any time.",
             .source = "000 2.4, 002 2.1",
             .mesh_class = GRAZE_METHOD_CLASS_SOUP,
             .subject = GRAZE_METHOD_SURFACES,
             .guarantee = GRAZE_METHOD_EXACT,
             .deadline = true},
    .state_size = sizeof(sphere_state),
    .prepare = prepare,
    .release = release,
    .memory = memory,
    .run = run,
};
