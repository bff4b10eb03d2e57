/* SPDX-License-Identifier: MIT */
/*
 * Proximity search without trees; see proximity.h. AABBs of the placed triangles, rounded outward, in binary trees
 * split at the median. Works for every finite input: ends of boxes may be infinite.
 */
#include <math.h>

#include "base/memory.h"
#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "pair/distance/proximity.h"

enum
{
    LEAF_SIZE = 4
};

/* The left child of a node is stored right after it. */
typedef struct aabb_node
{
    grz_placed_aabb aabb;
    size_t first, count;
    size_t right; /* 0: a leaf */
} aabb_node;

typedef struct aabb_tree
{
    grz_placed_aabb *boxes;
    aabb_node *nodes;
    size_t node_count;
} aabb_tree;

typedef struct aabb_search
{
    grz_proximity_search *proximity;
    aabb_tree a, b;
    grz_triangle_pair_batch batch;
    bool stopped;
} aabb_search;

/* Halves ranges until they are leaves: the depth is at most the number of bits of a triangle's index. */
static bool split(aabb_tree *tree, const grz_proximity_search *proximity, size_t first, size_t count)
{
    aabb_node *node = &tree->nodes[tree->node_count++];
    *node = (aabb_node){grz_placed_aabbs_union(tree->boxes + first, count), first, count, 0};
    if (count <= LEAF_SIZE)
        return true;
    if (!grz_placed_aabbs_sort(proximity->context, tree->boxes + first, count,
                               grz_placed_aabb_longest_axis(&node->aabb), proximity->monitor) ||
        !split(tree, proximity, first, count / 2))
        return false;
    node->right = tree->node_count;
    return split(tree, proximity, first + count / 2, count - count / 2);
}

static bool make_tree(const grz_proximity_search *proximity, const graze_placed_mesh *placed, aabb_tree *out)
{
    const graze_context *context = proximity->context;
    size_t count = placed->mesh->triangle_count;
    out->node_count = 0;
    out->boxes = grz_placed_aabbs_make(context, placed->mesh, &placed->pose, proximity->monitor);
    out->nodes =
        grz_allocate(context, count, sizeof *out->nodes); /* leaves hold at least two triangles, so this is enough */
    if (out->boxes == NULL || out->nodes == NULL)
        return false;
    return split(out, proximity, 0, count);
}

/* A lower bound of the distance of two boxes. The largest gap alone is one, and is used where squares could overflow or
   underflow. */
static double box_distance(const grz_placed_aabb *a, const grz_placed_aabb *b)
{
    double largest = 0, sum = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double above = a->axes[axis].lower - b->axes[axis].upper, below = b->axes[axis].lower - a->axes[axis].upper;
        double gap = above > below ? above : below;
        if (gap > 0)
            sum += gap * gap;
        if (gap > largest)
            largest = gap;
    }
    if (!(largest > 0x1p-400 && largest < 0x1p400))
        return largest < INFINITY ? largest * (1 - 4 * GRZ_U) - 4 * GRZ_SMALLEST_NORMAL : 0x1.fffffp1023;
    return sqrt(sum) * (1 - 8 * GRZ_U);
}

static void flush(aabb_search *s)
{
    if (s->batch.count > 0 && !s->proximity->propose(s->proximity->user, &s->batch, &s->proximity->bound))
        s->stopped = true;
    s->batch.count = 0;
}

static void compare_leaves(aabb_search *s, const aabb_node *a, const aabb_node *b)
{
    for (size_t i = a->first; i < a->first + a->count; i++)
    {
        for (size_t j = b->first; j < b->first + b->count && !s->stopped; j++)
        {
            s->stopped = !grz_proximity_may_continue(s->proximity, 1, 0);
            if (s->stopped || box_distance(&s->a.boxes[i], &s->b.boxes[j]) > s->proximity->bound.distance)
                continue;
            s->batch.a[s->batch.count] = s->a.boxes[i].triangle;
            s->batch.b[s->batch.count] = s->b.boxes[j].triangle;
            if (++s->batch.count == GRZ_LANES)
                flush(s);
        }
    }
}

/* Opens the larger node, its nearer child first; so the depth is at most the sum of both trees'. */
static void visit(aabb_search *s, size_t node_a, size_t node_b)
{
    const aabb_node *a = &s->a.nodes[node_a], *b = &s->b.nodes[node_b];
    if (a->right == 0 && b->right == 0)
    {
        compare_leaves(s, a, b);
        return;
    }
    bool open_a = b->right == 0 || (a->right != 0 && a->count >= b->count);
    size_t next[2][2] = {{node_a, node_b}, {node_a, node_b}};
    next[0][open_a ? 0 : 1]++;
    next[1][open_a ? 0 : 1] = open_a ? a->right : b->right;
    double distances[2];
    for (int i = 0; i < 2; i++)
        distances[i] = box_distance(&s->a.nodes[next[i][0]].aabb, &s->b.nodes[next[i][1]].aabb);
    s->stopped = !grz_proximity_may_continue(s->proximity, 2, 0) || s->stopped;
    for (int i = 0; i < 2; i++)
    {
        int which = distances[1] < distances[0] ? 1 - i : i;
        if (!s->stopped && !(distances[which] > s->proximity->bound.distance))
            visit(s, next[which][0], next[which][1]);
    }
}

void grz_proximity_aabbs(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    if (a->mesh->triangle_count == 0 || b->mesh->triangle_count == 0)
        return;
    aabb_search s = {.proximity = proximity};
    if (make_tree(proximity, a, &s.a) && make_tree(proximity, b, &s.b))
    {
        visit(&s, 0, 0);
        if (!s.stopped)
            flush(&s);
    }
    else
        proximity->out_of_memory = grz_monitor_may_continue(proximity->monitor);
    grz_release(proximity->context, s.a.boxes);
    grz_release(proximity->context, s.a.nodes);
    grz_release(proximity->context, s.b.boxes);
    grz_release(proximity->context, s.b.nodes);
}
