/* SPDX-License-Identifier: MIT */
/*
 * Frames of a space-time traversal by transforms between two trees; see space_time_trees.h. Node bounds and leaves come
 * from moving_trees.c, widened by how they move, so that what is tested here is as in a static traversal
 * (pair/hit/bvh_traversal.c).
 */
#include "motion/space_time_trees.h"

#include <math.h>

#include "simd/set_bits.h"

/* Nodes are opened while their motion is smaller than this times their size. */
#define NODE_RATIO 0.25f

/* A leaf that is larger than the node it meets by a factor of more than 1 / 0.4 is opened into its triangles; of one
   that is larger than the node by the other factor edges are tested, too. */
#define LEAF_RATIO 0.4f
#define EDGE_RATIO 4.0f

/* A frame in which everything moves less than this, relative to the leaves that are left, decides all candidates. */
#define SHORT_RATIO 0x1p-10f
#define EARLY_RATIO 0.25f

enum
{
    FEW_CANDIDATES = 32 /* as does one with so few */
};

/* The masks of node pairs that come from a longer frame, and of those that were pushed in this one. Of leaves they are
   triangles. */
#define INHERITED ((uint64_t)0xff << 32 | 0xff)
#define TESTED ((uint64_t)0x1ff << 32 | 0x1ff)
#define TESTED_BIT UINT64_C(0x100)

/* What is left of a frame. Triangle pairs are decided at its end if there are few, or if it is short; otherwise their
   leaves wait for its halves. */
typedef struct frame_work
{
    grz_space_time *s;
    grz_moving_trees *t;
    bool out_of_memory;
} frame_work;

static void push_triangles(frame_work *w, uint32_t ref_a, unsigned rows, uint32_t ref_b, unsigned lanes)
{
    const grz_node_pair pair = {grz_join_halves(ref_a, ref_b), grz_join_halves(rows | 0x100, lanes | 0x100)};
    if (!grz_pair_list_add(w->s->context, &w->s->open, pair))
        w->out_of_memory = true;
}

static void push(frame_work *w, uint32_t ref_a, uint32_t ref_b)
{
    push_triangles(w, ref_a, 0xff, ref_b, 0xff);
}

static void keep(frame_work *w, const grz_node_pair *pair)
{
    const grz_node_pair kept = {pair->refs, pair->masks & INHERITED};
    if (!grz_pair_list_add(w->s->context, &w->s->lists, kept))
        w->out_of_memory = true;
}

/* Tests the queued triangles: those that may meet are candidates of the frame. */
static void test_queue(frame_work *w)
{
    grz_space_time *s = w->s;
    grz_pair_queue *queue = &w->t->queue;
    grz_pair_sat_results results;
    if (queue->count == 0)
        return;
    w->t->kernels->moving_sat(queue, &w->t->motions, &results);
    for (unsigned i = 0; i < queue->count;)
    {
        unsigned leaves = queue->leaves[i], rows = 0, lanes = 0;
        for (; i < queue->count && queue->leaves[i] == leaves; i++)
        {
            uint32_t a = s->tree_a->order[grz_queue_index_a(queue, i)];
            uint32_t b = s->tree_b->order[grz_queue_index_b(queue, i)];
            if ((results.meet[i / 64] >> i % 64 & 1) == 0 || (s->settled != NULL && s->settled(s->user, a, b)))
                continue;
            rows |= 1u << queue->pairs[i] / GRZ_LANES;
            lanes |= 1u << queue->pairs[i] % GRZ_LANES;
            const grz_node_pair pair = {grz_join_halves(a, b), 0};
            if (!grz_pair_list_add(s->context, &s->candidates, pair))
                w->out_of_memory = true;
        }
        const grz_node_pair pair = {w->t->queued[leaves], grz_join_halves(rows, lanes)};
        if (rows != 0 && !grz_pair_list_add(s->context, &s->waiting, pair))
            w->out_of_memory = true;
    }
    queue->count = 0;
}

/* The triangles of a leaf of A that are of use in the current frame, as a mask. */
static unsigned useful_rows(const grz_space_time *s, uint32_t leaf)
{
    if (!s->frame.start || !s->start_is_bounded)
        return 0xff;
    const grz_leaf *triangles = &s->tree_a->leaves[leaf];
    unsigned rows = 0;
    for (uint32_t i = 0; i < triangles->count; i++)
        /* shortcut: start-bounded-by-order */
        rows |= (s->tree_a->order[triangles->first + i] <= s->last_a ? 1u : 0u) << i;
    return rows;
}

static void examine_leaves(frame_work *w, const grz_node_pair *pair, uint32_t a, uint32_t b)
{
    grz_moving_trees *t = w->t;
    unsigned before = t->queue.count, rows = grz_half_a(pair->masks) & useful_rows(w->s, a);
    if (rows == 0)
        return;
    const grz_corners8 *corners_a = grz_moving_leaf_a(w->s, t, a), *corners_b = grz_moving_leaf_b(w->s, t, b);
    t->kernels->queue_pairs(corners_a, rows, corners_b, grz_half_b(pair->masks) & 0xff, &t->queue);
    w->s->stats.leaf_pairs++;
    if (t->queue.count > before)
    {
        unsigned number = t->queue.leaves[before];
        float velocity[3], error;
        float farthest = 0; /* ten roundings of the leaves' offset, as in simd/pair_queue_template.h */
        t->queued[number] = pair->refs;
        grz_local_velocity(w->s, t, a, b % GRZ_MOVING_LEAVES, velocity, &error);
        for (int k = 0; k < 3; k++)
        {
            farthest = fmaxf(farthest, (float)fabs(corners_b->centre[k] - corners_a->centre[k]));
            t->motions.velocity[k][number] = velocity[k];
        }
        t->motions.error[number] = error + 10.1f * 0x1p-23f * farthest;
    }
    if (t->queue.count >= GRZ_QUEUE_FULL)
        test_queue(w);
}

static void open_both(frame_work *w, uint32_t a, const grz_transformed8 *parent_a, unsigned lane_a, uint32_t b,
                      const grz_transformed8 *parent_b, unsigned lane_b)
{
    grz_space_time *s = w->s;
    const grz_kernels *kernels = w->t->kernels;
    const grz_boxes8 *boxes_a = &s->tree_a->nodes[a].boxes, *boxes_b = &s->tree_b->nodes[b].boxes;
    s->stats.box_tests += 2 * GRZ_LANES;
    unsigned rows = kernels->row_aabb_overlap(parent_b, lane_b, boxes_a);
    if (rows == 0)
        return;
    unsigned lanes = kernels->row_aabb_overlap(parent_a, lane_a, boxes_b);
    if (lanes == 0)
        return;
    uint64_t pairs =
        kernels->boxes(boxes_a, grz_moving_node_a(s, w->t, a), rows, boxes_b, grz_moving_node_b(s, w->t, b), lanes);
    s->stats.box_tests += GRZ_PAIRS;
    for (; pairs != 0; pairs &= pairs - 1)
    {
        unsigned pair = grz_lowest_bit(pairs);
        push(w, a * GRZ_TREE_WIDTH + pair / GRZ_LANES, b * GRZ_TREE_WIDTH + pair % GRZ_LANES);
    }
}

static void open_a(frame_work *w, uint32_t a, uint32_t ref_b, const grz_transformed8 *parent_b, unsigned lane_b)
{
    grz_space_time *s = w->s;
    const grz_kernels *kernels = w->t->kernels;
    const grz_boxes8 *boxes = &s->tree_a->nodes[a].boxes;
    unsigned lanes = kernels->row_aabb_overlap(parent_b, lane_b, boxes);
    s->stats.box_tests += GRZ_LANES;
    if (lanes != 0)
        lanes = kernels->row_slab_overlap(grz_child_boxes(s->tree_b, ref_b / GRZ_TREE_WIDTH), parent_b, lane_b, boxes,
                                          grz_moving_node_a(s, w->t, a), lanes);
    for (; lanes != 0; lanes &= lanes - 1)
        push(w, a * GRZ_TREE_WIDTH + grz_lowest_bit(lanes), ref_b);
}

static void open_b(frame_work *w, uint32_t ref_a, const grz_transformed8 *parent_a, unsigned lane_a, uint32_t b)
{
    grz_space_time *s = w->s;
    const grz_kernels *kernels = w->t->kernels;
    const grz_boxes8 *boxes = &s->tree_b->nodes[b].boxes;
    unsigned lanes = kernels->row_aabb_overlap(parent_a, lane_a, boxes);
    s->stats.box_tests += GRZ_LANES;
    if (lanes != 0)
        lanes = kernels->row_slab_overlap(grz_child_boxes(s->tree_a, ref_a / GRZ_TREE_WIDTH), parent_a, lane_a, boxes,
                                          grz_moving_node_b(s, w->t, b), lanes);
    for (; lanes != 0; lanes &= lanes - 1)
        push(w, ref_a, b * GRZ_TREE_WIDTH + grz_lowest_bit(lanes));
}

/* The triangles of a leaf, of those given, and the children of a node that may meet; bit child * 8 + triangle is set
   for them. */
static uint64_t test_triangles(frame_work *w, grz_moving_tree *moving, const graze_tree *tree, uint32_t leaf,
                               unsigned triangles, const grz_float_transform *back, const grz_boxes8 *boxes,
                               const grz_transformed8 *bounds, unsigned children, bool by_edges)
{
    const grz_kernels *kernels = w->t->kernels;
    grz_moving_facets *facets = grz_moving_facets_of(moving, kernels, tree, leaf, back);
    triangles &= (1u << tree->leaves[leaf].count) - 1;
    uint64_t pairs = kernels->boxes(boxes, bounds, children, &facets->boxes, &facets->transformed, triangles);
    w->s->stats.box_tests += GRZ_PAIRS;
    if (by_edges && pairs != 0)
        pairs = grz_transpose_8x8(kernels->edge_axes(grz_moving_edges_of(moving, kernels, tree, leaf, facets),
                                                     grz_transpose_8x8(pairs), boxes));
    return pairs;
}

static void open_b_to_triangles(frame_work *w, uint32_t ref_a, unsigned triangles, const grz_transformed8 *parent_a,
                                uint32_t leaf, uint32_t b, bool by_edges)
{
    grz_space_time *s = w->s;
    const grz_boxes8 *boxes = &s->tree_b->nodes[b].boxes;
    unsigned lanes = w->t->kernels->row_aabb_overlap(parent_a, ref_a % GRZ_TREE_WIDTH, boxes);
    s->stats.box_tests += GRZ_LANES;
    if (lanes == 0)
        return;
    uint64_t left = test_triangles(w, &w->t->a, s->tree_a, leaf, triangles, &w->t->b.transform, boxes,
                                   grz_moving_node_b(s, w->t, b), lanes, by_edges);
    for (unsigned child = 0; left != 0; child++, left >>= GRZ_LANES)
        if ((left & 0xff) != 0)
            push_triangles(w, ref_a, left & 0xff, b * GRZ_TREE_WIDTH + child, 0xff);
}

static void open_a_to_triangles(frame_work *w, uint32_t a, uint32_t ref_b, unsigned triangles,
                                const grz_transformed8 *parent_b, uint32_t leaf, bool by_edges)
{
    grz_space_time *s = w->s;
    const grz_boxes8 *boxes = &s->tree_a->nodes[a].boxes;
    unsigned lanes = w->t->kernels->row_aabb_overlap(parent_b, ref_b % GRZ_TREE_WIDTH, boxes);
    s->stats.box_tests += GRZ_LANES;
    if (lanes == 0)
        return;
    uint64_t left = test_triangles(w, &w->t->b, s->tree_b, leaf, triangles, &w->t->a.transform, boxes,
                                   grz_moving_node_a(s, w->t, a), lanes, by_edges);
    for (unsigned child = 0; left != 0; child++, left >>= GRZ_LANES)
        if ((left & 0xff) != 0)
            push_triangles(w, a * GRZ_TREE_WIDTH + child, 0xff, ref_b, left & 0xff);
}

/* Whether the bounds of two children part them, where that was not tested in this frame. */
static bool are_parted(frame_work *w, uint32_t ref_a, const grz_transformed8 *a, uint32_t ref_b,
                       const grz_transformed8 *b)
{
    const grz_boxes8 *boxes_a = grz_child_boxes(w->s->tree_a, ref_a / GRZ_TREE_WIDTH);
    const grz_boxes8 *boxes_b = grz_child_boxes(w->s->tree_b, ref_b / GRZ_TREE_WIDTH);
    unsigned row = ref_a % GRZ_TREE_WIDTH, lane = ref_b % GRZ_TREE_WIDTH;
    w->s->stats.box_tests++;
    return w->t->kernels->boxes(boxes_a, a, 1u << row, boxes_b, b, 1u << lane) == 0;
}

static void examine(frame_work *w, const grz_node_pair *pair)
{
    grz_space_time *s = w->s;
    grz_moving_trees *t = w->t;
    uint32_t ref_a = grz_half_a(pair->refs), ref_b = grz_half_b(pair->refs);
    uint32_t a = grz_tree_child(s->tree_a, ref_a), b = grz_tree_child(s->tree_b, ref_b);
    bool is_leaf_a = (a & GRZ_LEAF_FLAG) != 0, is_leaf_b = (b & GRZ_LEAF_FLAG) != 0;
    unsigned lane_a = ref_a % GRZ_TREE_WIDTH, lane_b = ref_b % GRZ_TREE_WIDTH;
    if (is_leaf_a && is_leaf_b)
    {
        examine_leaves(w, pair, a & ~GRZ_LEAF_FLAG, b & ~GRZ_LEAF_FLAG);
        return;
    }
    const grz_transformed8 *bounds_a = grz_moving_node_a(s, t, ref_a / GRZ_TREE_WIDTH);
    const grz_transformed8 *bounds_b = grz_moving_node_b(s, t, ref_b / GRZ_TREE_WIDTH);
    if ((pair->masks & TESTED_BIT) == 0 && are_parted(w, ref_a, bounds_a, ref_b, bounds_b))
        return;
    float size_a = bounds_a->size[lane_a], size_b = bounds_b->size[lane_b] * t->b_scale;
    float move = t->b.moves[ref_b / GRZ_TREE_WIDTH % GRZ_TRANSFORMED_NODES][lane_b];
    move -= t->b.sweep.still;
    if (grz_space_time_may_halve(s, GRZ_TIME_DEPTH) && move > NODE_RATIO * fmaxf(size_a, size_b))
    {
        keep(w, pair);
        return;
    }
    if (is_leaf_a && LEAF_RATIO * size_a > size_b)
        open_b_to_triangles(w, ref_a, grz_half_a(pair->masks), bounds_a, a & ~GRZ_LEAF_FLAG, b,
                            size_a > EDGE_RATIO * size_b);
    else if (is_leaf_b && LEAF_RATIO * size_b > size_a)
        open_a_to_triangles(w, a, ref_b, grz_half_b(pair->masks), bounds_b, b & ~GRZ_LEAF_FLAG,
                            size_b > EDGE_RATIO * size_a);
    else if (is_leaf_a || (!is_leaf_b && size_b > 2 * size_a))
        open_b(w, ref_a, bounds_a, lane_a, b);
    else if (is_leaf_b || size_a > 2 * size_b)
        open_a(w, a, ref_b, bounds_b, lane_b);
    else
        open_both(w, a, bounds_a, lane_a, b, bounds_b, lane_b);
}

/* Whether the candidates are decided, rather than left to the halves of the frame. */
static bool decides_candidates(frame_work *w)
{
    grz_space_time *s = w->s;
    float size = 0;
    if (s->deciding.begun || s->margin > 0 || s->candidates.count <= FEW_CANDIDATES ||
        !grz_space_time_may_halve(s, GRZ_TIME_DEPTH))
        return true;
    for (size_t i = 0; i < s->waiting.count; i++)
    {
        uint32_t ref = grz_half_b(s->waiting.pairs[i].refs);
        size = fmaxf(size, grz_moving_node_b(s, w->t, ref / GRZ_TREE_WIDTH)->size[ref % GRZ_TREE_WIDTH]);
    }
    size *= w->t->b_scale;
    return w->t->b.sweep.most <= (s->early ? EARLY_RATIO : SHORT_RATIO) * size;
}

static graze_status end_candidates(frame_work *w)
{
    grz_space_time *s = w->s;
    if (decides_candidates(w))
    {
        graze_status status = grz_space_time_decide(s);
        if (status != GRAZE_STATUS_OK)
            return status; /* it goes on with what is left when it is resumed */
    }
    else
        for (size_t i = 0; i < s->waiting.count; i++)
            keep(w, &s->waiting.pairs[i]);
    s->candidates.count = s->waiting.count = 0;
    return w->out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
}

graze_status grz_space_time_trees(grz_space_time *s, grz_moving_trees *t)
{
    frame_work w = {s, t, false};
    while (s->open.count > 0)
    {
        uint64_t before = s->stats.box_tests;
        grz_node_pair pair = s->open.pairs[--s->open.count];
        examine(&w, &pair);
        if (w.out_of_memory)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        if (!grz_monitor_box_tests(s->monitor, s->stats.box_tests - before + 1))
        {
            test_queue(&w); /* nothing is lost when it is resumed */
            return w.out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : grz_monitor_status(s->monitor);
        }
    }
    test_queue(&w);
    return w.out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : end_candidates(&w);
}
