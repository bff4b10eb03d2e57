/* SPDX-License-Identifier: MIT */
/*
 * Near pairs without trees; see near.h. Boxes around the placed triangles, rounded outward, in binary trees split at
 * the middle. Right for every finite input: ends of boxes may be infinite.
 */
#include <math.h>

#include "base/memory.h"
#include "mesh/mesh.h"
#include "pair/boxes.h"
#include "pair/near.h"

enum
{
    LEAF_SIZE = 4
};

/* The left child of a node follows it at once. */
typedef struct box_node
{
    grz_box hull;
    size_t first, count;
    size_t right; /* 0: a leaf */
} box_node;

typedef struct box_tree
{
    grz_box *boxes;
    box_node *nodes;
    size_t node_count;
} box_tree;

typedef struct box_search
{
    grz_near *near;
    box_tree a, b;
    grz_gap_pairs waiting;
    bool stopped;
} box_search;

/* Halves ranges until they are leaves: the depth is at most the number of bits of a triangle's index. */
static bool split(box_tree *tree, const grz_near *near, size_t first, size_t count)
{
    box_node *node = &tree->nodes[tree->node_count++];
    *node = (box_node){grz_boxes_hull(tree->boxes + first, count), first, count, 0};
    if (count <= LEAF_SIZE)
        return true;
    if (!grz_boxes_sort(near->context, tree->boxes + first, count, grz_box_longest_axis(&node->hull), near->watch) ||
        !split(tree, near, first, count / 2))
        return false;
    node->right = tree->node_count;
    return split(tree, near, first + count / 2, count - count / 2);
}

static bool make_tree(const grz_near *near, const graze_placed_mesh *placed, box_tree *out)
{
    const graze_context *context = near->context;
    size_t count = placed->mesh->triangle_count;
    out->node_count = 0;
    out->boxes = grz_boxes_make(context, placed->mesh, &placed->pose, near->watch);
    out->nodes = grz_allocate(context, count, sizeof *out->nodes); /* leaves hold at least two, so this is enough */
    if (out->boxes == NULL || out->nodes == NULL)
        return false;
    return split(out, near, 0, count);
}

/* A lower bound on the distance of two boxes. The largest gap alone is one, and is taken where squares could overflow
   or vanish. */
static double box_distance(const grz_box *a, const grz_box *b)
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

static void flush(box_search *s)
{
    if (s->waiting.count > 0 && !s->near->propose(s->near->user, &s->waiting, &s->near->bound))
        s->stopped = true;
    s->waiting.count = 0;
}

static void compare_leaves(box_search *s, const box_node *a, const box_node *b)
{
    for (size_t i = a->first; i < a->first + a->count; i++)
    {
        for (size_t j = b->first; j < b->first + b->count && !s->stopped; j++)
        {
            s->stopped = !grz_near_goes_on(s->near, 1, 0);
            if (s->stopped || box_distance(&s->a.boxes[i], &s->b.boxes[j]) > s->near->bound.distance)
                continue;
            s->waiting.a[s->waiting.count] = s->a.boxes[i].triangle;
            s->waiting.b[s->waiting.count] = s->b.boxes[j].triangle;
            if (++s->waiting.count == GRZ_LANES)
                flush(s);
        }
    }
}

/* The larger node is opened, its nearer child first; so the depth is at most the sum of both trees'. */
static void visit(box_search *s, size_t node_a, size_t node_b)
{
    const box_node *a = &s->a.nodes[node_a], *b = &s->b.nodes[node_b];
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
        distances[i] = box_distance(&s->a.nodes[next[i][0]].hull, &s->b.nodes[next[i][1]].hull);
    s->stopped = !grz_near_goes_on(s->near, 2, 0) || s->stopped;
    for (int i = 0; i < 2; i++)
    {
        int which = distances[1] < distances[0] ? 1 - i : i;
        if (!s->stopped && !(distances[which] > s->near->bound.distance))
            visit(s, next[which][0], next[which][1]);
    }
}

void grz_near_boxes(grz_near *near, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    if (a->mesh->triangle_count == 0 || b->mesh->triangle_count == 0)
        return;
    box_search s = {.near = near};
    if (make_tree(near, a, &s.a) && make_tree(near, b, &s.b))
    {
        visit(&s, 0, 0);
        if (!s.stopped)
            flush(&s);
    }
    else
        near->out_of_memory = grz_watch_goes_on(near->watch);
    grz_release(near->context, s.a.boxes);
    grz_release(near->context, s.a.nodes);
    grz_release(near->context, s.b.boxes);
    grz_release(near->context, s.b.nodes);
}
