/* SPDX-License-Identifier: MIT */
/*
 * Built from above: the centres of a range are cut along their longest axis by the binned surface area heuristic (Wald,
 * 2007), or in halves of the order where that separates nothing. See triangle_tree.h.
 */
#include "certificate/triangle_tree.h"

#include <math.h>
#include <string.h>

enum
{
    BINS = 16,
    MOST_DEPTH = 48 /* below it ranges are halved, so that the depth stays below 80 */
};

typedef struct bounds
{
    double lower[3], upper[3];
} bounds;

static bounds no_bounds(void)
{
    return (bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void include_point(bounds *box, const double *point)
{
    for (int axis = 0; axis < 3; axis++)
    {
        box->lower[axis] = fmin(box->lower[axis], point[axis]);
        box->upper[axis] = fmax(box->upper[axis], point[axis]);
    }
}

static void include_bounds(bounds *box, const bounds *other)
{
    include_point(box, other->lower);
    include_point(box, other->upper);
}

static bounds triangle_bounds(const graze_mesh *mesh, uint32_t triangle)
{
    bounds box = no_bounds();
    for (int corner = 0; corner < 3; corner++)
        include_point(&box, graze_mesh_vertices(mesh) +
                                3 * (size_t)graze_mesh_triangles(mesh)[3 * (size_t)triangle + (size_t)corner]);
    return box;
}

static double half_area(const bounds *box)
{
    double x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1], z = box->upper[2] - box->lower[2];
    return x >= 0 ? x * y + y * z + z * x : 0;
}

static int bin_of(double centre, double lower, double width)
{
    int bin = (int)((centre - lower) / width * BINS);
    return bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

/* The bin before which to cut, 0: none. */
static int best_cut(const grz_triangle_tree *tree, const grz_triangle_node *node, int axis, double lower, double width)
{
    bounds boxes[BINS];
    size_t counts[BINS] = {0};
    double costs[BINS] = {0}, best = INFINITY;
    int cut = 0;
    for (int bin = 0; bin < BINS; bin++)
        boxes[bin] = no_bounds();
    for (uint32_t i = node->first; i < node->end; i++)
    {
        uint32_t triangle = tree->order[i];
        int bin = bin_of(tree->centres[3 * (size_t)triangle + (size_t)axis], lower, width);
        const bounds box = triangle_bounds(tree->mesh, triangle);
        include_bounds(&boxes[bin], &box);
        counts[bin]++;
    }
    bounds box = no_bounds();
    size_t count = 0;
    for (int bin = BINS - 1; bin > 0; bin--)
    {
        include_bounds(&box, &boxes[bin]);
        count += counts[bin];
        costs[bin] = count > 0 ? half_area(&box) * (double)count : INFINITY;
    }
    box = no_bounds();
    count = 0;
    for (int bin = 1; bin < BINS; bin++)
    {
        include_bounds(&box, &boxes[bin - 1]);
        count += counts[bin - 1];
        double cost = costs[bin] + half_area(&box) * (double)count;
        if (count > 0 && cost < best)
        {
            best = cost;
            cut = bin;
        }
    }
    return cut;
}

/* Reorders the range of a node in two parts; the result is where the second begins. */
static uint32_t divide(grz_triangle_tree *tree, const grz_triangle_node *node, int depth)
{
    uint32_t middle = node->first + (node->end - node->first) / 2;
    bounds box = no_bounds();
    for (uint32_t i = node->first; i < node->end; i++)
        include_point(&box, tree->centres + 3 * (size_t)tree->order[i]);
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box.upper[k] - box.lower[k] > box.upper[axis] - box.lower[axis])
            axis = k;
    double width = box.upper[axis] - box.lower[axis];
    int cut =
        width > 0 && width < INFINITY && depth < MOST_DEPTH ? best_cut(tree, node, axis, box.lower[axis], width) : 0;
    if (cut == 0)
        return middle;
    uint32_t at = node->first;
    for (uint32_t i = node->first; i < node->end; i++)
    {
        uint32_t triangle = tree->order[i];
        if (bin_of(tree->centres[3 * (size_t)triangle + (size_t)axis], box.lower[axis], width) >= cut)
            continue;
        tree->order[i] = tree->order[at];
        tree->order[at++] = triangle;
    }
    return at > node->first && at < node->end ? at : middle;
}

/* Lists the vertices of a node, each once. */
static bool list_vertices(grz_triangle_tree *tree, grz_triangle_node *node)
{
    node->vertices = tree->vertices.count;
    for (uint32_t i = node->first; i < node->end; i++)
        for (int corner = 0; corner < 3; corner++)
        {
            uint32_t vertex = graze_mesh_triangles(tree->mesh)[3 * (size_t)tree->order[i] + (size_t)corner];
            size_t at = node->vertices;
            while (at < tree->vertices.count && tree->vertices.data[at] != vertex)
                at++;
            if (at == tree->vertices.count && !GRZ_PUSH(tree->context, &tree->vertices, vertex))
                return false;
        }
    node->vertex_count = (uint32_t)(tree->vertices.count - node->vertices);
    return true;
}

static bool finish_node(grz_triangle_tree *tree, grz_triangle_node *node)
{
    bounds box = no_bounds();
    for (uint32_t i = node->first; i < node->end; i++)
    {
        const bounds other = triangle_bounds(tree->mesh, tree->order[i]);
        include_bounds(&box, &other);
    }
    memcpy(node->lower, box.lower, sizeof box.lower);
    memcpy(node->upper, box.upper, sizeof box.upper);
    return node->end - node->first > GRZ_LISTED_TRIANGLES || list_vertices(tree, node);
}

/* Divides a node and all below it. */
static graze_status build(grz_triangle_tree *tree, size_t at, int depth, grz_monitor *monitor)
{
    grz_triangle_node node = tree->nodes.data[at];
    if (!finish_node(tree, &node))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (!grz_monitor_work(monitor, node.end - node.first))
        return grz_monitor_status(monitor);
    node.children = GRZ_NO_NODE;
    if (node.end - node.first < 2)
    {
        tree->nodes.data[at] = node;
        return GRAZE_STATUS_OK;
    }
    uint32_t middle = divide(tree, &node, depth);
    node.children = (int)tree->nodes.count;
    tree->nodes.data[at] = node;
    const grz_triangle_node halves[2] = {{.first = node.first, .end = middle}, {.first = middle, .end = node.end}};
    if (!GRZ_PUSH(tree->context, &tree->nodes, halves[0]) || !GRZ_PUSH(tree->context, &tree->nodes, halves[1]))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_status status = build(tree, (size_t)node.children, depth + 1, monitor);
    return status == GRAZE_STATUS_OK ? build(tree, (size_t)node.children + 1, depth + 1, monitor) : status;
}

graze_status grz_triangle_tree_build(const graze_context *context, const graze_mesh *mesh, uint32_t *order,
                                     grz_monitor *monitor, grz_triangle_tree *out_tree)
{
    size_t count = graze_mesh_triangle_count(mesh);
    memset(out_tree, 0, sizeof *out_tree);
    out_tree->context = context;
    out_tree->mesh = mesh;
    out_tree->order = order;
    const grz_triangle_node root = {.first = 0, .end = (uint32_t)count};
    out_tree->centres = grz_allocate(context, 3 * count, sizeof(double));
    if (out_tree->centres == NULL || !GRZ_PUSH(context, &out_tree->nodes, root))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++)
    {
        order[i] = (uint32_t)i;
        const bounds box = triangle_bounds(mesh, (uint32_t)i);
        for (size_t axis = 0; axis < 3; axis++)
            out_tree->centres[3 * i + axis] = 0.5 * box.lower[axis] + 0.5 * box.upper[axis];
    }
    return count > 0 ? build(out_tree, 0, 0, monitor) : GRAZE_STATUS_OK;
}

void grz_triangle_tree_release(grz_triangle_tree *tree)
{
    grz_release(tree->context, tree->nodes.data);
    grz_release(tree->context, tree->vertices.data);
    grz_release(tree->context, tree->centres);
}
