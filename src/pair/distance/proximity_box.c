/* SPDX-License-Identifier: MIT */
/*
 * Proximity search of a mesh of a few triangles, in a box around the origin of its own coordinates, against a tree; see
 * proximity.h. Only that tree is traversed, the nearest first: eight of its boxes at a time, and the triangles of its
 * leaves, are compared with the oriented box (oriented_box.h), which holds the whole small mesh. Of a triangle that is
 * near enough the box in the small mesh's axes is compared with those of its triangles.
 */
#include <math.h>

#include "base/bits.h"
#include "mesh/mesh.h"
#include "pair/distance/oriented_box.h"
#include "pair/distance/proximity.h"

enum
{
    FEW_TRIANGLES = 16, /* of the small mesh */
    MANY_TRIANGLES = 64 /* the least of the other: below, comparing two trees costs no more */
};

/* A child yet to be visited. */
typedef struct pending_child
{
    uint32_t child; /* as in grz_node */
    float gap;      /* lower bound of its distance, in the tree's unit of length, where above 0 */
} pending_child;

typedef struct box_proximity
{
    grz_proximity_search *proximity;
    const grz_distance_kernels *kernels;
    const graze_tree *tree;
    bool tree_is_a, stopped;
    size_t small_count;
    double lower[FEW_TRIANGLES][3], upper[FEW_TRIANGLES][3]; /* of the small mesh's triangles, in the tree's unit */
    double reach[FEW_TRIANGLES];                             /* of them along the box's direction */
    const graze_mesh *small;
    const graze_pose *pose; /* of the tree */
    double nearest;         /* the bound when the direction was set */
    grz_tree_frame_box box;
    double unit; /* as of grz_tree_frame_box_make */
    double most; /* the bound over the unit */
    grz_triangle_pair_batch batch;
    pending_child stack[GRZ_TREE_MAX_DEPTH * GRZ_TREE_WIDTH];
    size_t stack_count;
} box_proximity;

/* The small mesh's triangles in its own coordinates, which the power of two scales exactly. */
static void bound_triangles(box_proximity *s, const graze_mesh *small)
{
    for (size_t i = 0; i < s->small_count; i++)
        for (int k = 0; k < 3; k++)
        {
            double lower = INFINITY, upper = -INFINITY;
            for (size_t c = 0; c < 3; c++)
            {
                double x = grz_mesh_vertex(small, small->triangles[3 * i + c])[k] * s->tree->inverse_scale;
                lower = x < lower ? x : lower;
                upper = x > upper ? x : upper;
            }
            s->lower[i][k] = lower;
            s->upper[i][k] = upper;
            s->reach[i] = 0; /* there is no direction yet */
        }
}

/* Lower bounds are computed along the line between the closest points found, too. The direction stays while a leaf is
   visited: its bounds are those along it. */
static void set_axis(box_proximity *s)
{
    const grz_distance_bound *bound = &s->proximity->bound;
    double direction[3];
    if (!bound->witnessed || !(bound->distance < s->nearest))
        return;
    s->nearest = bound->distance;
    for (int k = 0; k < 3; k++)
        direction[k] = (bound->point_b[k] - bound->point_a[k]) * (s->tree_is_a ? -1 : 1);
    grz_tree_frame_box_set_axis(s->pose, direction, &s->box);
    for (size_t i = 0; i < s->small_count; i++)
    {
        double reach = -INFINITY;
        for (size_t c = 0; c < 3; c++)
        {
            const double *v = grz_mesh_vertex(s->small, s->small->triangles[3 * i + c]);
            double height = (double)s->box.turned_axis[0] * v[0] + (double)s->box.turned_axis[1] * v[1] +
                            (double)s->box.turned_axis[2] * v[2];
            reach = height > reach ? height : reach;
        }
        s->reach[i] = reach * s->tree->inverse_scale;
    }
}

/* False where the method does not apply. */
static bool start(box_proximity *s, const graze_placed_mesh *small, const graze_placed_mesh *large)
{
    double half[3];
    const graze_tree *tree = s->tree = large->tree;
    s->small_count = small->mesh->triangle_count;
    if (tree == NULL || !tree->usable || tree->node_count == 0 || s->small_count == 0 ||
        s->small_count > FEW_TRIANGLES || large->mesh->triangle_count < MANY_TRIANGLES || small->mesh->exponent != 0 ||
        s->proximity->most_node_pairs > 0)
        return false;
    for (int k = 0; k < 3; k++)
    {
        half[k] = small->mesh->upper[k];
        if (!(half[k] > 0x1p-300) || grz_bits(-small->mesh->lower[k]) != grz_bits(half[k]))
            return false;
    }
    if (!grz_tree_frame_box_make(tree, &large->pose, half, &small->pose, &s->box, &s->unit))
        return false;
    s->small = small->mesh;
    s->pose = &large->pose;
    s->nearest = INFINITY;
    bound_triangles(s, small->mesh);
    return true;
}

static void update_bound(box_proximity *s)
{
    /* shortcut: box-proximity-bound */
    s->most = s->proximity->bound.distance / s->unit * (1 + 0x1p-40);
}

static void flush(box_proximity *s)
{
    if (s->batch.count == 0 || s->stopped)
        return;
    s->stopped = !s->proximity->propose(s->proximity->user, &s->batch, &s->proximity->bound);
    s->batch.count = 0;
    update_bound(s);
}

/* The square of a lower bound of the distance of the triangle in a lane to a small triangle, in the tree's unit. */
static double square_between(const box_proximity *s, size_t small, const grz_leaf_bounds8 *bounds, unsigned lane)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
    {
        double below = s->lower[small][k] - (double)bounds->upper[k][lane];
        double above = (double)bounds->lower[k][lane] - s->upper[small][k];
        double gap = below > above ? below : above;
        gap = gap > 0 ? gap : 0;
        sum += gap * gap;
    }
    return sum * (1 - 0x1p-40);
}

/* Collects the pairs of a large triangle, in a lane of its leaf, with small ones that may be near. */
static void propose_lane(box_proximity *s, uint32_t large, const grz_leaf_bounds8 *bounds, unsigned lane)
{
    for (size_t i = 0; i < s->small_count && !s->stopped; i++)
    {
        /* shortcut: box-proximity-triangles */
        if ((double)bounds->height[lane] - s->reach[i] > s->most * (1 + 0x1p-18) ||
            square_between(s, i, bounds, lane) > s->most * s->most)
            continue;
        s->batch.a[s->batch.count] = s->tree_is_a ? large : (uint32_t)i;
        s->batch.b[s->batch.count++] = s->tree_is_a ? (uint32_t)i : large;
        if (s->batch.count == GRZ_LANES)
            flush(s);
    }
    if (!(s->most < INFINITY))
        flush(s);
}

/* Inserts lanes into those that are sorted, the nearest last. */
static size_t sort_lanes(const float gaps[GRZ_LANES], unsigned count, double most, uint8_t sorted[GRZ_LANES])
{
    size_t kept = 0;
    for (unsigned lane = 0; lane < count; lane++)
    {
        if ((double)gaps[lane] > most)
            continue;
        size_t i = kept++;
        for (; i > 0 && gaps[sorted[i - 1]] < gaps[lane]; i--)
            sorted[i] = sorted[i - 1];
        sorted[i] = (uint8_t)lane;
    }
    return kept;
}

/* The nearest lane first. Where measuring it lowered the bound, the others are bounded again. */
static void visit_leaf(box_proximity *s, const grz_leaf *leaf)
{
    float gaps[GRZ_LANES];
    grz_leaf_bounds8 bounds;
    unsigned left = (1u << leaf->count) - 1;
    double last = -1; /* the bound for which gaps were computed */
    s->stopped = !grz_proximity_may_continue(s->proximity, 0, 1);
    while (left != 0 && !s->stopped)
    {
        if (s->most != last)
        {
            float least = INFINITY;
            set_axis(s);
            s->kernels->box_leaf(&s->box, &leaf->triangles, gaps, &least, &bounds);
            last = s->most;
        }
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned rest = left & (left - 1); rest != 0; rest &= rest - 1)
            lane = gaps[__builtin_ctz(rest)] < gaps[lane] ? (unsigned)__builtin_ctz(rest) : lane;
        if ((double)gaps[lane] > s->most)
            return;
        propose_lane(s, s->tree->order[leaf->first + lane], &bounds, lane);
        left &= ~(1u << lane);
    }
}

/* Pushes the children within the bound, the nearest last. */
static void visit_node(box_proximity *s, const grz_node *node)
{
    float gaps[GRZ_LANES], least = INFINITY;
    uint8_t lanes[GRZ_LANES];
    unsigned count = 0;
    s->kernels->box_nodes(&s->box, &node->boxes, gaps, &least);
    s->stopped = !grz_proximity_may_continue(s->proximity, GRZ_LANES, 0);
    while (count < GRZ_LANES && node->children[count] != GRZ_NO_CHILD)
        count++;
    size_t kept = sort_lanes(gaps, count, s->most, lanes);
    for (size_t i = 0; i < kept; i++)
        s->stack[s->stack_count++] = (pending_child){node->children[lanes[i]], gaps[lanes[i]]};
}

bool grz_proximity_box(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    box_proximity s;
    s.proximity = proximity;
    s.tree_is_a = b->mesh->triangle_count < a->mesh->triangle_count;
    s.stopped = false;
    s.batch.count = 0;
    s.stack_count = 0;
    if (!start(&s, s.tree_is_a ? b : a, s.tree_is_a ? a : b))
        return false;
    const graze_context *context = proximity->context;
    s.kernels = grz_distance_kernels_for(context != NULL ? context->instructions : GRAZE_INSTRUCTIONS_BEST);
    update_bound(&s);
    visit_node(&s, &s.tree->nodes[0]);
    while (s.stack_count > 0 && !s.stopped)
    {
        pending_child next = s.stack[--s.stack_count];
        if ((double)next.gap > s.most)
            continue;
        set_axis(&s);
        if ((next.child & GRZ_LEAF_FLAG) != 0)
            visit_leaf(&s, &s.tree->leaves[next.child & ~GRZ_LEAF_FLAG]);
        else
            visit_node(&s, &s.tree->nodes[next.child]);
    }
    flush(&s);
    return true;
}
