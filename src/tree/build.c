/* SPDX-License-Identifier: MIT */
/*
 * Building a tree: references to triangles are split into up to eight ranges a node, the widest first, until a range
 * fits a leaf; nodes and leaves are written on the way. See tree.h for the layout and build_split.c for the splitting.
 *
 * Everything written is certified: boxes, slabs and leaf grids surely hold the real triangles, in any rounding mode.
 */
#include "tree/build.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "mesh/mesh.h"
#include "tree/tree.h"

enum
{
    SLAB_LIMIT = 2048,   /* ranges above this are too curved for a slab to be worth its computation */
    BALANCED_DEPTH = 40, /* below it splits are even, so that the depth stays under GRZ_TREE_MAX_DEPTH */
    ALIGNMENT = 64
};

typedef struct builder
{
    const graze_context *context;
    graze_tree *tree;
    uint32_t leaf_size;
    grz_reference *references;
    double scale; /* 2^-exponent */
    GRZ_ARRAY(grz_node) nodes;
    GRZ_ARRAY(grz_leaf) leaves;
} builder;

graze_tree_def graze_tree_def_default(void)
{
    graze_tree_def def = {GRZ_TREE_WIDTH};
    return def;
}

/* A vertex in tree coordinates. Scaling by a power of two is exact and the difference is rounded once, so the result is
   off by less than 2^-51, flushed denormals included. */
static void local_vertex(const graze_tree *tree, double scale, const double *vertex, double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = vertex[axis] * scale - tree->origin[axis] * scale;
}

/* What a local coordinate is surely off by less than, its conversion to float in any rounding mode included. */
static double float_margin(double x)
{
    return fabs(x) * 0x1p-22 + 0x1p-50;
}

static float float_below(double x)
{
    return (float)(x - float_margin(x));
}

static float float_above(double x)
{
    return (float)(x + float_margin(x));
}

/* ---- leaves ---- */

static void leaf_grid(const grz_range *range, grz_leaf *leaf)
{
    double extent = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        leaf->triangles.centre[axis] = 0.5f * range->lower[axis] + 0.5f * range->upper[axis];
        extent = fmax(extent, (double)range->upper[axis] - leaf->triangles.centre[axis]);
        extent = fmax(extent, (double)leaf->triangles.centre[axis] - range->lower[axis]);
    }
    int exponent;
    frexp(extent / 32766.0, &exponent);
    leaf->triangles.unit = (float)ldexp(1.0, exponent > -60 ? exponent : -60);
}

static bool write_leaf(builder *b, const grz_range *range, uint32_t *out_child)
{
    grz_leaf leaf;
    leaf_grid(range, &leaf);
    leaf.first = (uint32_t)range->first;
    leaf.count = (uint32_t)range->count;
    const graze_mesh *mesh = b->tree->mesh;
    for (size_t place = 0; place < GRZ_TREE_WIDTH; place++)
    {
        size_t slot = range->first + (place < range->count ? place : 0);
        const uint32_t *triangle = mesh->triangles + 3 * (size_t)b->references[slot].triangle;
        b->tree->order[slot] = b->references[slot].triangle;
        for (int corner = 0; corner < 3; corner++)
        {
            double local[3];
            local_vertex(b->tree, b->scale, grz_mesh_vertex(mesh, triangle[corner]), local);
            for (int axis = 0; axis < 3; axis++)
                leaf.triangles.corners[corner][axis][place] =
                    (int16_t)floor((local[axis] - leaf.triangles.centre[axis]) / leaf.triangles.unit + 0.5);
        }
    }
    *out_child = (uint32_t)b->leaves.count | GRZ_LEAF_FLAG;
    return GRZ_PUSH(b->context, &b->leaves, leaf);
}

/* ---- slabs ---- */

static void add_normal(const double p[3], const double q[3], const double r[3], double normal[3])
{
    double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, f[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    normal[0] += e[1] * f[2] - e[2] * f[1];
    normal[1] += e[2] * f[0] - e[0] * f[2];
    normal[2] += e[0] * f[1] - e[1] * f[0];
}

static void range_triangle(const builder *b, size_t slot, double corners[3][3])
{
    const graze_mesh *mesh = b->tree->mesh;
    const uint32_t *triangle = mesh->triangles + 3 * (size_t)b->references[slot].triangle;
    for (int corner = 0; corner < 3; corner++)
        local_vertex(b->tree, b->scale, grz_mesh_vertex(mesh, triangle[corner]), corners[corner]);
}

/* The slab of a range: any direction is right, the mean normal is good. */
static void write_slab(const builder *b, const grz_range *range, grz_node *node, int place)
{
    double normal[3] = {0, 0, 0}, corners[3][3];
    for (int axis = 0; axis < 3; axis++)
        node->boxes.normal[axis][place] = 0;
    node->boxes.slab_lower[place] = -FLT_MAX;
    node->boxes.slab_upper[place] = FLT_MAX;
    if (range->count > SLAB_LIMIT)
        return;
    for (size_t i = range->first; i < range->first + range->count; i++)
    {
        range_triangle(b, i, corners);
        add_normal(corners[0], corners[1], corners[2], normal);
    }
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (!(length > 0x1p-400)) /* squares that underflow would not give a direction of length 1 */
        return;
    float direction[3];
    for (int axis = 0; axis < 3; axis++)
        direction[axis] = (float)(normal[axis] / length);
    double lower = INFINITY, upper = -INFINITY;
    for (size_t i = range->first; i < range->first + range->count; i++)
    {
        range_triangle(b, i, corners);
        for (int corner = 0; corner < 3; corner++)
        {
            const double *p = corners[corner];
            double height = direction[0] * p[0] + direction[1] * p[1] + direction[2] * p[2];
            lower = fmin(lower, height);
            upper = fmax(upper, height);
        }
    }
    for (int axis = 0; axis < 3; axis++)
        node->boxes.normal[axis][place] = direction[axis];
    /* Heights are below 2 in magnitude and off by less than 2^-48: float_below and float_above give 2^-50 and a
       relative 2^-22; the rest is added here. */
    node->boxes.slab_lower[place] = float_below(lower - 0x1p-47);
    node->boxes.slab_upper[place] = float_above(upper + 0x1p-47);
}

/* ---- nodes ---- */

static void clear_node(grz_node *node)
{
    memset(node, 0, sizeof *node);
    for (int place = 0; place < GRZ_TREE_WIDTH; place++)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            node->boxes.lower[axis][place] = INFINITY;
            node->boxes.upper[axis][place] = -INFINITY;
        }
        node->boxes.slab_lower[place] = -FLT_MAX;
        node->boxes.slab_upper[place] = FLT_MAX;
        node->children[place] = GRZ_NO_CHILD;
    }
}

/* Cuts a range into up to eight, each time the one of the largest area that does not make a leaf. */
static int split_eight(builder *b, const grz_range *range, bool balanced, grz_range out[GRZ_TREE_WIDTH])
{
    int count = 1;
    out[0] = *range;
    while (count < GRZ_TREE_WIDTH)
    {
        int widest = -1;
        float widest_area = -1;
        for (int i = 0; i < count; i++)
        {
            float area = grz_range_area(&out[i]);
            if ((out[i].count > b->leaf_size || out[i].scattered) && area > widest_area)
            {
                widest = i;
                widest_area = area;
            }
        }
        if (widest < 0)
            break;
        grz_range halves[2];
        grz_range_split(b->references, &out[widest], b->leaf_size, balanced, halves);
        out[widest] = halves[0];
        out[count++] = halves[1];
    }
    return count;
}

static bool write_node(builder *b, const grz_range *range, uint32_t depth, uint32_t *out_child)
{
    grz_range ranges[GRZ_TREE_WIDTH];
    int count = split_eight(b, range, depth >= BALANCED_DEPTH, ranges);
    size_t index = b->nodes.count;
    grz_node node;
    clear_node(&node);
    if (!GRZ_PUSH(b->context, &b->nodes, node))
        return false;
    if (depth + 1 > b->tree->depth)
        b->tree->depth = depth + 1;
    for (int i = 0; i < count; i++)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            node.boxes.lower[axis][i] = ranges[i].lower[axis];
            node.boxes.upper[axis][i] = ranges[i].upper[axis];
        }
        write_slab(b, &ranges[i], &node, i);
        bool is_leaf = ranges[i].count <= b->leaf_size && !ranges[i].scattered;
        bool done = is_leaf ? write_leaf(b, &ranges[i], &node.children[i])
                            : write_node(b, &ranges[i], depth + 1, &node.children[i]);
        if (!done)
            return false;
    }
    b->nodes.data[index] = node;
    *out_child = (uint32_t)index;
    return true;
}

/* ---- the whole ---- */

/* Chooses origin and exponent so that all vertices fall into [-1, 1]. */
static void choose_frame(graze_tree *tree, builder *b)
{
    double extent = 0, largest = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = tree->mesh->lower[axis], upper = tree->mesh->upper[axis];
        tree->origin[axis] = 0.5 * lower + 0.5 * upper;
        extent = fmax(extent, 0.5 * upper - 0.5 * lower);
        largest = fmax(largest, fmax(fabs(lower), fabs(upper)));
    }
    frexp(extent, &tree->exponent);
    tree->exponent += 1;
    /* A mesh without extent, or minute beside its distance from zero, must not need a scale that overflows. */
    int largest_exponent;
    frexp(largest, &largest_exponent);
    if (extent == 0 || tree->exponent < largest_exponent - 60)
        tree->exponent = largest_exponent - 60;
    tree->usable = largest <= 0x1p300 && tree->exponent > -400;
    if (!tree->usable)
        tree->exponent = 0;
    tree->scale = ldexp(1.0, tree->exponent);
    tree->shrink = ldexp(1.0, -tree->exponent);
    b->scale = tree->shrink;
}

static void fill_references(builder *b)
{
    const graze_mesh *mesh = b->tree->mesh;
    for (size_t t = 0; t < mesh->triangle_count; t++)
    {
        double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (int corner = 0; corner < 3; corner++)
        {
            double local[3];
            local_vertex(b->tree, b->scale, grz_mesh_vertex(mesh, mesh->triangles[3 * t + (size_t)corner]), local);
            for (int axis = 0; axis < 3; axis++)
            {
                lower[axis] = local[axis] < lower[axis] ? local[axis] : lower[axis];
                upper[axis] = local[axis] > upper[axis] ? local[axis] : upper[axis];
            }
        }
        grz_reference *reference = &b->references[t];
        reference->triangle = (uint32_t)t;
        reference->unused = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            reference->lower[axis] = float_below(lower[axis]);
            reference->upper[axis] = float_above(upper[axis]);
        }
    }
}

/* Moves the nodes to aligned memory of just the right size. */
static bool settle_nodes(builder *b)
{
    graze_tree *tree = b->tree;
    tree->node_memory = grz_allocate(&tree->context, b->nodes.count * sizeof(grz_node) + ALIGNMENT, 1);
    if (tree->node_memory == NULL)
        return false;
    uintptr_t address = (uintptr_t)tree->node_memory;
    size_t skip = (ALIGNMENT - address % ALIGNMENT) % ALIGNMENT;
    tree->nodes = (grz_node *)(void *)((char *)tree->node_memory + skip);
    tree->node_count = b->nodes.count;
    memcpy(tree->nodes, b->nodes.data, b->nodes.count * sizeof(grz_node));
    return true;
}

static bool build(builder *b)
{
    graze_tree *tree = b->tree;
    size_t count = tree->mesh->triangle_count;
    tree->triangle_count = count;
    tree->order = grz_allocate(&tree->context, count, sizeof *tree->order);
    if (tree->order == NULL)
        return false;
    choose_frame(tree, b);
    if (!tree->usable || count == 0)
        return true;
    b->references = grz_allocate(b->context, count, sizeof *b->references);
    if (b->references == NULL || !GRZ_RESERVE(b->context, &b->leaves, count / 5 + 8) ||
        !GRZ_RESERVE(b->context, &b->nodes, count / 24 + 8))
        return false;
    fill_references(b);
    grz_range all = grz_range_make(b->references, 0, count);
    memcpy(tree->lower, all.lower, sizeof tree->lower);
    memcpy(tree->upper, all.upper, sizeof tree->upper);
    uint32_t root;
    if (!write_node(b, &all, 0, &root) || !settle_nodes(b))
        return false;
    tree->leaves = grz_reallocate(b->context, b->leaves.data, b->leaves.count, sizeof(grz_leaf));
    if (tree->leaves == NULL)
        tree->leaves = b->leaves.data;
    tree->leaf_count = b->leaves.count;
    b->leaves.data = NULL;
    return true;
}

graze_status graze_tree_create(const graze_context *context, const graze_mesh *mesh, const graze_tree_def *def,
                               graze_tree **out_tree)
{
    graze_tree_def used = def != NULL ? *def : graze_tree_def_default();
    if (mesh == NULL || used.leaf_size < 1 || used.leaf_size > GRZ_TREE_WIDTH)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_tree *tree = grz_allocate_zeroed(context, 1, sizeof *tree);
    if (tree == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    tree->context = grz_context_copy(context);
    tree->mesh = mesh;
    builder b = {.context = &tree->context, .tree = tree, .leaf_size = used.leaf_size};
    bool done = build(&b);
    grz_release(b.context, b.references);
    grz_release(b.context, b.nodes.data);
    grz_release(b.context, b.leaves.data);
    if (!done)
    {
        graze_tree_destroy(tree);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    *out_tree = tree;
    return GRAZE_STATUS_OK;
}

void graze_tree_destroy(graze_tree *tree)
{
    if (tree == NULL)
        return;
    graze_context context = tree->context;
    grz_release(&context, tree->node_memory);
    grz_release(&context, tree->leaves);
    grz_release(&context, tree->order);
    grz_release(&context, tree);
}
