/* SPDX-License-Identifier: MIT */
/* Bottom-up fitting in one pass; see fit.h. */
#include "tree/fit.h"

#include <float.h>
#include <math.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/tasks.h"
#include "mesh/mesh.h"
#include "simd/fit.h"
#include "tree/leaf_groups.h"

enum
{
    SUBTREE_LEAVES = 1024, /* leaves of the subtree that one task fits */
    SLAB_LEAVES = 256      /* subtrees of more leaves are too curved for a slab to pay */
};

/* A slab this wide or wider, as a fraction of the box's extent in its direction, is not worth testing. */
#define SLAB_SHARE 0.6

/* A coordinate near this one, of scaled vertices, that is also a double in the mesh's own units, as saved trees store
   it. */
static double in_mesh_units(const graze_mesh *mesh, double x)
{
    return mesh->exponent == 0 ? x : grz_scale(grz_scale(x, mesh->exponent), -mesh->exponent);
}

void grz_tree_choose_frame(graze_tree *tree)
{
    double extent = 0, largest = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = tree->mesh->scaled_lower[axis], upper = tree->mesh->scaled_upper[axis];
        tree->origin[axis] = in_mesh_units(tree->mesh, 0.5 * lower + 0.5 * upper);
        extent = fmax(extent, 0.5 * upper - 0.5 * lower);
        largest = fmax(largest, fmax(fabs(lower), fabs(upper)));
    }
    frexp(extent, &tree->exponent);
    tree->exponent += 1;
    /* The scale of a mesh without extent, or tiny compared with its distance from the origin, must not overflow. */
    int largest_exponent;
    frexp(largest, &largest_exponent);
    if (extent == 0 || tree->exponent < largest_exponent - 60)
        tree->exponent = largest_exponent - 60;
    tree->usable = largest <= 0x1p300 && tree->exponent > -400;
    if (!tree->usable)
        tree->exponent = 0;
    tree->scale = ldexp(1.0, tree->exponent);
    tree->inverse_scale = ldexp(1.0, -tree->exponent);
}

/* The leaves of the largest subtree around the current child that gets a slab. */
typedef struct slab_window
{
    uint32_t first_leaf;
    grz_fit_floats leaves[SLAB_LEAVES];
} slab_window;

/* Bounds and measures of the subtree of a child. */
typedef struct extent
{
    grz_fit_box box;
    double areas; /* half the surface areas of all boxes strictly below, summed */
    uint32_t first_leaf, leaf_count;
} extent;

/* A fit in progress. Subtrees of some size are fitted one by one, by any threads, before the nodes above them; they are
   listed in depth-first order. */
typedef struct fit_task
{
    uint32_t node, lane; /* the child it belongs to */
    extent result;
} fit_task;

typedef struct fitter
{
    graze_tree *tree;
    grz_shared_monitor *monitor; /* may be NULL */
    const grz_fit_kernels *kernels;
    grz_fit_source source;
    GRZ_ARRAY(fit_task) subtrees;
    size_t next; /* the next of them, in the walk above */
} fitter;

/* ---- leaves ---- */

static void fit_leaf(const fitter *f, uint32_t index, slab_window *window, extent *out)
{
    grz_leaf *leaf = &f->tree->leaves[index];
    f->kernels->leaf(&f->source, f->tree->order + leaf->first, leaf->count, &leaf->triangles,
                     &window->leaves[index - window->first_leaf], &out->box);
    out->first_leaf = index;
    out->leaf_count = 1;
    out->areas = 0;
}

/* ---- slabs ---- */

static void clear_slab(grz_boxes8 *boxes, int lane)
{
    for (int axis = 0; axis < 3; axis++)
        boxes->normal[axis][lane] = 0;
    boxes->slab_lower[lane] = -FLT_MAX;
    boxes->slab_upper[lane] = FLT_MAX;
}

/*
 * Any direction is valid, the mean normal is a good one.
 *
 * Heights are computed in floats, from corners relative to the centre of their leaf, plus the height of that centre
 * relative to that of the first leaf's, c. Let r be the largest distance from c on each axis, by the bounds of the
 * subtree, and R the sum of |direction| r. Both summands are at most R. For the corners, conversion, product and two
 * sums each cost a relative 2^-23 in any rounding mode; for the centre it is one conversion; then their sum is rounded:
 * in all less than 8 * 2^-23 R, and underflow less than 2^-120. Last, direction . c is added in doubles: all numbers
 * are below 2, so that costs less than 2^-49, the corners' own error included. grz_fit_below and grz_fit_above bound
 * the conversion.
 */
static void write_slab(const fitter *f, const slab_window *window, const extent *below, grz_boxes8 *boxes, int lane)
{
    const grz_fit_box *box = &below->box;
    const double *normal = box->normal;
    const grz_fit_floats *leaves = &window->leaves[below->first_leaf - window->first_leaf];
    clear_slab(boxes, lane);
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (below->leaf_count == 0 || !(length > 0x1p-400)) /* squares that underflow would not give a unit vector */
        return;
    float direction[3], lower, upper;
    double base = 0, farthest = 0, width = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        direction[axis] = (float)(normal[axis] / length);
        double slope = direction[axis], centre = leaves[0].centre[axis];
        double above = fabs(box->upper[axis] - centre), under = fabs(box->lower[axis] - centre);
        farthest += fabs(slope) * (above > under ? above : under);
        base += slope * centre;
        width += fabs(slope) * ((double)box->upper[axis] - box->lower[axis]);
    }
    f->kernels->span(leaves, below->leaf_count, direction, &lower, &upper);
    if ((double)upper - lower > SLAB_SHARE * width)
        return;
    /* shortcut: slabs */
    double margin = 0x1p-19 * farthest + 0x1p-47;
    for (int axis = 0; axis < 3; axis++)
        boxes->normal[axis][lane] = direction[axis];
    boxes->slab_lower[lane] = grz_fit_below(base + lower - margin);
    boxes->slab_upper[lane] = grz_fit_above(base + upper + margin);
}

/* ---- nodes ---- */

static extent empty_extent(void)
{
    extent result = {{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {0, 0, 0}}, 0, 0, 0};
    return result;
}

static double half_surface(const grz_fit_box *box)
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
    sum->areas += part->areas + half_surface(&part->box);
    for (int axis = 0; axis < 3; axis++)
    {
        float lower = part->box.lower[axis], upper = part->box.upper[axis];
        sum->box.lower[axis] = lower < sum->box.lower[axis] ? lower : sum->box.lower[axis];
        sum->box.upper[axis] = upper > sum->box.upper[axis] ? upper : sum->box.upper[axis];
        sum->box.normal[axis] += part->box.normal[axis];
    }
}

/* The first leaf of the subtree of a child, or the last. */
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

static void fit_node(fitter *f, uint32_t index, slab_window *window, bool in_window, extent *out);

/* `in_window` tells whether all leaves below are in the window already. */
static void fit_child(fitter *f, uint32_t index, int lane, slab_window *window, bool in_window, extent *out)
{
    graze_tree *tree = f->tree;
    grz_node *node = &tree->nodes[index];
    uint32_t child = node->children[lane];
    if (!in_window)
    {
        window->first_leaf = outer_leaf(tree, child, false);
        in_window = outer_leaf(tree, child, true) - window->first_leaf < SLAB_LEAVES;
    }
    if ((child & GRZ_LEAF_FLAG) != 0)
        fit_leaf(f, child & ~GRZ_LEAF_FLAG, window, out);
    else
        fit_node(f, child, window, in_window, out);
    if (!grz_shared_monitor_may_continue(f->monitor))
        return;
    for (int axis = 0; axis < 3; axis++)
    {
        node->boxes.lower[axis][lane] = out->box.lower[axis];
        node->boxes.upper[axis][lane] = out->box.upper[axis];
    }
    if (in_window)
        write_slab(f, window, out, &node->boxes, lane);
    else
        clear_slab(&node->boxes, lane);
}

static void fit_node(fitter *f, uint32_t index, slab_window *window, bool in_window, extent *out)
{
    const grz_node *node = &f->tree->nodes[index];
    extent sum = empty_extent();
    bool stopped = !grz_shared_monitor_elements(f->monitor, (uint64_t)GRZ_TREE_WIDTH * GRZ_TREE_WIDTH);
    for (int lane = 0; !stopped && lane < GRZ_TREE_WIDTH && node->children[lane] != GRZ_NO_CHILD; lane++)
    {
        extent below;
        const fit_task *fitted = f->next < f->subtrees.count ? &f->subtrees.data[f->next] : NULL;
        if (fitted != NULL && fitted->node == index && fitted->lane == (uint32_t)lane)
        {
            below = fitted->result;
            f->next++;
        }
        else
            fit_child(f, index, lane, window, in_window, &below);
        include(&sum, &below);
    }
    *out = sum;
}

static void fit_subtree(void *argument, size_t index)
{
    const fitter *f = argument;
    fitter alone = *f;
    slab_window window;
    fit_task *s = &f->subtrees.data[index];
    alone.subtrees.count = 0;
    fit_child(&alone, s->node, (int)s->lane, &window, false, &s->result);
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
        fit_task s = {.node = index, .lane = lane};
        if (!GRZ_PUSH(context, &f->subtrees, s))
            return false;
    }
    return true;
}

bool grz_tree_fit(const graze_context *context, grz_shared_monitor *monitor, graze_tree *tree)
{
    if (tree->node_count == 0)
        return true;
    const graze_mesh *mesh = tree->mesh;
    fitter f = {.tree = tree,
                .monitor = monitor,
                .kernels = grz_fit_kernels_for(context != NULL ? context->instructions : GRAZE_INSTRUCTIONS_BEST),
                .source = {mesh->scaled, mesh->triangles, tree->inverse_scale, {0}}};
    slab_window window;
    for (int axis = 0; axis < 3; axis++)
        f.source.origin[axis] = tree->origin[axis] * tree->inverse_scale;
    if (grz_concurrency(context) > 1 && list_subtrees(context, &f, 0))
        grz_parallel_for(context, f.subtrees.count, fit_subtree, &f);
    else
        f.subtrees.count = 0;
    extent all;
    fit_node(&f, 0, &window, false, &all);
    grz_release(context, f.subtrees.data);
    if (!grz_shared_monitor_may_continue(monitor))
        return false;
    grz_tree_set_bounds(tree, all.box.lower, all.box.upper);
    grz_tree_form_groups(tree);
    double root = half_surface(&all.box);
    tree->cost = root > 0 ? 1 + all.areas / root : (double)(tree->node_count + tree->leaf_count);
    return true;
}
