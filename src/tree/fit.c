/* SPDX-License-Identifier: MIT */
/* One pass from the leaves up; see fit.h. */
#include "tree/fit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/tasks.h"
#include "mesh/mesh.h"
#include "simd/quad.h"

enum
{
    SUBTREE_LEAVES = 1024, /* of what one task fits */
    SLAB_LEAVES = 256      /* subtrees of more leaves are too curved for a slab to be worth its computation */
};

/* A slab this wide, as a share of what the box spans in its direction, or wider, is not worth testing. */
#define SLAB_SHARE 0.6

void grz_tree_choose_frame(graze_tree *tree)
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

/* The corners of a leaf's triangles in tree coordinates, less its centre: [corner][axis][place]. */
typedef struct leaf_floats
{
    _Alignas(16) float corners[3][3][GRZ_TREE_WIDTH];
    float centre[3];
} leaf_floats;

/* The leaves of the largest subtree around the current place that gets a slab. */
typedef struct slab_window
{
    uint32_t first_leaf;
    leaf_floats leaves[SLAB_LEAVES];
} slab_window;

/* What is below a place. */
typedef struct extent
{
    float lower[3], upper[3];
    double normal[3]; /* sum of the triangles' normals, each as long as twice its area */
    double areas;     /* half the surfaces of all boxes strictly below, summed */
    uint32_t first_leaf, leaf_count;
} extent;

/* ---- leaves ---- */

/* Scaling by a power of two is exact and the difference is rounded once, so coordinates are off by less than 2^-51,
   flushed denormals included. */
static void read_corners(const graze_tree *tree, const grz_leaf *leaf, double out[3][3][GRZ_TREE_WIDTH])
{
    const graze_mesh *mesh = tree->mesh;
    double scale = tree->shrink;
    double origin[3] = {tree->origin[0] * scale, tree->origin[1] * scale, tree->origin[2] * scale};
    for (uint32_t place = 0; place < GRZ_TREE_WIDTH; place++)
    {
        uint32_t slot = leaf->first + (place < leaf->count ? place : 0);
        const uint32_t *triangle = mesh->triangles + 3 * (size_t)tree->order[slot];
        for (int corner = 0; corner < 3; corner++)
        {
            const double *vertex = grz_mesh_vertex(mesh, triangle[corner]);
            for (int axis = 0; axis < 3; axis++)
                out[corner][axis][place] = vertex[axis] * scale - origin[axis];
        }
    }
}

static void bound_corners(double corners[3][3][GRZ_TREE_WIDTH], extent *out)
{
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = corners[0][axis][0], upper = lower;
        for (int corner = 0; corner < 3; corner++)
        {
            for (int place = 0; place < GRZ_TREE_WIDTH; place++)
            {
                double x = corners[corner][axis][place];
                lower = x < lower ? x : lower;
                upper = x > upper ? x : upper;
            }
        }
        out->lower[axis] = float_below(lower);
        out->upper[axis] = float_above(upper);
    }
}

/* A power of two above x and not below 2^-60. */
static double power_above(double x)
{
    if (!(x >= 0x1p-61))
        return 0x1p-60;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = ((bits >> 52) + 1) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* In doubles the differences are off by less than 2^-50, and the conversion costs a relative 2^-23. */
static void centre_corners(double corners[3][3][GRZ_TREE_WIDTH], const extent *box, leaf_floats *out)
{
    for (int axis = 0; axis < 3; axis++)
        out->centre[axis] = 0.5f * box->lower[axis] + 0.5f * box->upper[axis];
    for (int corner = 0; corner < 3; corner++)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            for (int place = 0; place < GRZ_TREE_WIDTH; place++)
                out->corners[corner][axis][place] = (float)(corners[corner][axis][place] - out->centre[axis]);
        }
    }
}

/*
 * The grid is 32766 units wide on each side of the centre of the box. A coordinate is rounded to the nearest grid point
 * but for the rounding of the sum, 2^-36 of a unit: well within GRZ_GRID_ERROR in any rounding mode. In floats it would
 * not be.
 */
static void write_grid(double corners[3][3][GRZ_TREE_WIDTH], const extent *box, const float centre[3],
                       grz_triangles8 *out)
{
    double reach = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double middle = centre[axis], above = box->upper[axis] - middle, below = middle - box->lower[axis];
        reach = above > reach ? above : reach;
        reach = below > reach ? below : reach;
        out->centre[axis] = centre[axis];
    }
    double unit = power_above(reach / 32766.0), inverse = 1 / unit;
    out->unit = (float)unit;
    for (int corner = 0; corner < 3; corner++)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            double middle = centre[axis];
            for (int place = 0; place < GRZ_TREE_WIDTH; place++)
            {
                double steps = (corners[corner][axis][place] - middle) * inverse;
                out->corners[corner][axis][place] = (int16_t)((int)(steps + 32768.5) - 32768);
            }
        }
    }
}

static void sum_normals(const leaf_floats *floats, uint32_t count, double normal[3])
{
    float normals[3][GRZ_TREE_WIDTH];
    for (int axis = 0; axis < 3; axis++)
    {
        const float *p_next = floats->corners[0][(axis + 1) % 3], *p_last = floats->corners[0][(axis + 2) % 3];
        const float *q_next = floats->corners[1][(axis + 1) % 3], *q_last = floats->corners[1][(axis + 2) % 3];
        const float *r_next = floats->corners[2][(axis + 1) % 3], *r_last = floats->corners[2][(axis + 2) % 3];
        for (int place = 0; place < GRZ_TREE_WIDTH; place++)
            normals[axis][place] = (q_next[place] - p_next[place]) * (r_last[place] - p_last[place]) -
                                   (q_last[place] - p_last[place]) * (r_next[place] - p_next[place]);
    }
    for (int axis = 0; axis < 3; axis++)
    {
        normal[axis] = 0;
        for (uint32_t place = 0; place < count; place++)
            normal[axis] += normals[axis][place];
    }
}

static extent fit_leaf(const graze_tree *tree, uint32_t index, slab_window *window)
{
    grz_leaf *leaf = &tree->leaves[index];
    leaf_floats *floats = &window->leaves[index - window->first_leaf];
    extent result;
    double corners[3][3][GRZ_TREE_WIDTH];
    read_corners(tree, leaf, corners);
    bound_corners(corners, &result);
    centre_corners(corners, &result, floats);
    write_grid(corners, &result, floats->centre, &leaf->triangles);
    sum_normals(floats, leaf->count, result.normal);
    result.first_leaf = index;
    result.leaf_count = 1;
    result.areas = 0;
    return result;
}

/* ---- slabs ---- */

/* Heights along a direction, those of the centre of the first leaf below taken off. */
static void span_heights(const leaf_floats *leaves, uint32_t count, const float direction[3], float *out_lower,
                         float *out_upper)
{
    quad x = quad_fill(direction[0]), y = quad_fill(direction[1]), z = quad_fill(direction[2]);
    quad lower = quad_fill(INFINITY), upper = quad_fill(-INFINITY);
    for (uint32_t i = 0; i < count; i++)
    {
        double base = 0;
        for (int axis = 0; axis < 3; axis++)
            base += (double)direction[axis] * ((double)leaves[i].centre[axis] - leaves[0].centre[axis]);
        quad low = quad_fill(INFINITY), high = quad_fill(-INFINITY), offset = quad_fill((float)base);
        for (int corner = 0; corner < 3; corner++)
        {
            for (int half = 0; half < GRZ_TREE_WIDTH; half += 4)
            {
                const float(*p)[GRZ_TREE_WIDTH] = leaves[i].corners[corner];
                quad height = quad_add(
                    quad_add(quad_multiply(x, quad_load(&p[0][half])), quad_multiply(y, quad_load(&p[1][half]))),
                    quad_multiply(z, quad_load(&p[2][half])));
                low = quad_min(low, height);
                high = quad_max(high, height);
            }
        }
        lower = quad_min(lower, quad_add(low, offset));
        upper = quad_max(upper, quad_add(high, offset));
    }
    _Alignas(16) float low[4], high[4];
    quad_store(low, lower);
    quad_store(high, upper);
    *out_lower = low[0];
    *out_upper = high[0];
    for (int i = 1; i < 4; i++)
    {
        *out_lower = low[i] < *out_lower ? low[i] : *out_lower;
        *out_upper = high[i] > *out_upper ? high[i] : *out_upper;
    }
}

static void clear_slab(grz_boxes8 *boxes, int lane)
{
    for (int axis = 0; axis < 3; axis++)
        boxes->normal[axis][lane] = 0;
    boxes->slab_lower[lane] = -FLT_MAX;
    boxes->slab_upper[lane] = FLT_MAX;
}

/*
 * Any direction is right, the mean normal is good.
 *
 * Heights are computed in floats, from corners less the centre of their leaf, plus the height of that centre less that
 * of the first leaf's, c. Let r be the largest distance from c on each axis, which the box below tells, and R the sum
 * of |direction| r. Both summands are at most R. For the corners, conversion, product and two sums each cost a relative
 * 2^-23 in any rounding mode; for the centre it is one conversion; then their sum is rounded: in all less than 8 *
 * 2^-23 R, and underflow less than 2^-120. Last, direction . c is added in doubles: all numbers are below 2, so that
 * costs less than 2^-49, the corners' own error included. float_below and float_above take care of the conversion.
 */
static void write_slab(const slab_window *window, const extent *below, grz_boxes8 *boxes, int lane)
{
    const double *normal = below->normal;
    const leaf_floats *leaves = &window->leaves[below->first_leaf - window->first_leaf];
    clear_slab(boxes, lane);
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (below->leaf_count == 0 ||
        !(length > 0x1p-400)) /* squares that underflow would not give a direction of length 1 */
        return;
    float direction[3], lower, upper;
    double base = 0, reach = 0, width = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        direction[axis] = (float)(normal[axis] / length);
        double slope = direction[axis], centre = leaves[0].centre[axis];
        double above = fabs(below->upper[axis] - centre), under = fabs(below->lower[axis] - centre);
        reach += fabs(slope) * (above > under ? above : under);
        base += slope * centre;
        width += fabs(slope) * ((double)below->upper[axis] - below->lower[axis]);
    }
    span_heights(leaves, below->leaf_count, direction, &lower, &upper);
    if ((double)upper - lower > SLAB_SHARE * width)
        return;
    double margin = 0x1p-19 * reach + 0x1p-47;
    for (int axis = 0; axis < 3; axis++)
        boxes->normal[axis][lane] = direction[axis];
    boxes->slab_lower[lane] = float_below(base + lower - margin);
    boxes->slab_upper[lane] = float_above(base + upper + margin);
}

/* ---- nodes ---- */

static extent empty_extent(void)
{
    extent result = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {0, 0, 0}, 0, 0, 0};
    return result;
}

static double half_surface(const extent *box)
{
    double x = (double)box->upper[0] - box->lower[0], y = (double)box->upper[1] - box->lower[1];
    double z = (double)box->upper[2] - box->lower[2];
    return x * y + y * z + z * x;
}

static void include(extent *sum, const extent *part)
{
    if (sum->leaf_count == 0)
        sum->first_leaf = part->first_leaf;
    sum->leaf_count += part->leaf_count;
    sum->areas += part->areas + half_surface(part);
    for (int axis = 0; axis < 3; axis++)
    {
        sum->lower[axis] = part->lower[axis] < sum->lower[axis] ? part->lower[axis] : sum->lower[axis];
        sum->upper[axis] = part->upper[axis] > sum->upper[axis] ? part->upper[axis] : sum->upper[axis];
        sum->normal[axis] += part->normal[axis];
    }
}

/* The first leaf below a child, or the last. */
static uint32_t outer_leaf(const graze_tree *tree, uint32_t child, bool last)
{
    while ((child & GRZ_LEAF_FLAG) == 0)
    {
        const uint32_t *children = tree->nodes[child].children;
        int lane = 0;
        while (last && lane + 1 < GRZ_TREE_WIDTH && children[lane + 1] != GRZ_NO_CHILD)
            lane++;
        child = children[lane];
    }
    return child & ~GRZ_LEAF_FLAG;
}

/* A fit under way. Subtrees of some size are fitted one by one, by any threads, before all that is above them; they are
   listed in the order of a walk. */
typedef struct subtree
{
    uint32_t node, lane; /* the place it stands at */
    extent result;
} subtree;

typedef struct fitter
{
    graze_tree *tree;
    GRZ_ARRAY(subtree) subtrees;
    size_t next; /* of them, in the walk above */
} fitter;

static extent fit_node(fitter *f, uint32_t index, slab_window *window, bool in_window);

/* `in_window` tells whether all leaves below have their place in the window already. */
static extent fit_place(fitter *f, uint32_t index, int lane, slab_window *window, bool in_window)
{
    graze_tree *tree = f->tree;
    grz_node *node = &tree->nodes[index];
    uint32_t child = node->children[lane];
    if (!in_window)
    {
        window->first_leaf = outer_leaf(tree, child, false);
        in_window = outer_leaf(tree, child, true) - window->first_leaf < SLAB_LEAVES;
    }
    extent below = (child & GRZ_LEAF_FLAG) != 0 ? fit_leaf(tree, child & ~GRZ_LEAF_FLAG, window)
                                                : fit_node(f, child, window, in_window);
    for (int axis = 0; axis < 3; axis++)
    {
        node->boxes.lower[axis][lane] = below.lower[axis];
        node->boxes.upper[axis][lane] = below.upper[axis];
    }
    if (in_window)
        write_slab(window, &below, &node->boxes, lane);
    else
        clear_slab(&node->boxes, lane);
    return below;
}

static extent fit_node(fitter *f, uint32_t index, slab_window *window, bool in_window)
{
    const grz_node *node = &f->tree->nodes[index];
    extent sum = empty_extent();
    for (int lane = 0; lane < GRZ_TREE_WIDTH && node->children[lane] != GRZ_NO_CHILD; lane++)
    {
        extent below;
        const subtree *fitted = f->next < f->subtrees.count ? &f->subtrees.data[f->next] : NULL;
        if (fitted != NULL && fitted->node == index && fitted->lane == (uint32_t)lane)
        {
            below = fitted->result;
            f->next++;
        }
        else
            below = fit_place(f, index, lane, window, in_window);
        include(&sum, &below);
    }
    return sum;
}

static void fit_subtree(void *argument, size_t index)
{
    const fitter *f = argument;
    fitter alone = {.tree = f->tree};
    slab_window window;
    subtree *s = &f->subtrees.data[index];
    s->result = fit_place(&alone, s->node, (int)s->lane, &window, false);
}

/* Lists the largest subtrees below a node that are small enough. */
static bool list_subtrees(const graze_context *context, fitter *f, uint32_t index)
{
    const uint32_t *children = f->tree->nodes[index].children;
    for (uint32_t lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD; lane++)
    {
        uint32_t leaves = outer_leaf(f->tree, children[lane], true) - outer_leaf(f->tree, children[lane], false) + 1;
        if (leaves > SUBTREE_LEAVES)
        {
            if (!list_subtrees(context, f, children[lane]))
                return false;
            continue;
        }
        subtree s = {.node = index, .lane = lane};
        if (!GRZ_PUSH(context, &f->subtrees, s))
            return false;
    }
    return true;
}

void grz_tree_fit(const graze_context *context, graze_tree *tree)
{
    if (tree->node_count == 0)
        return;
    fitter f = {.tree = tree};
    slab_window window;
    if (grz_concurrency(context) > 1 && list_subtrees(context, &f, 0))
        grz_tasks_run(context, f.subtrees.count, fit_subtree, &f);
    else
        f.subtrees.count = 0;
    extent all = fit_node(&f, 0, &window, false);
    grz_release(context, f.subtrees.data);
    grz_tree_set_bounds(tree, all.lower, all.upper);
    double root = half_surface(&all);
    tree->cost = root > 0 ? 1 + all.areas / root : (double)(tree->node_count + tree->leaf_count);
}
