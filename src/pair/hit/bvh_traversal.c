/* SPDX-License-Identifier: MIT */
/* Simultaneous traversal of two BVHs; see bvh_traversal.h. */
#include "pair/hit/bvh_traversal.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "pair/hit/bvh_traversal_work.h"

enum
{
    MOST_OPENED = GRZ_TREE_WIDTH * GRZ_TREE_WIDTH + 1 /* pairs pushed at a time: those of two nodes, and the first */
};

/* A leaf that is less than this factor smaller than the node it meets is opened into its triangles. */
#define LEAF_RATIO 1.5f

/* The triangles of a leaf that is this factor larger than the node it meets are tested by their edges' separating axes
   too: boxes and slabs alone cull hardly anything near a large triangle's plane. */
#define EDGE_RATIO 4.0f

/* The pairs of a node against itself, lane not before row: the others are the same pairs in the other order. */
#define UPPER_PAIRS UINT64_C(0x80c0e0f0f8fcfeff)

static bool make_room(grz_traversal_work *w)
{
    if (w->capacity - w->count >= MOST_OPENED)
        return true;
    const graze_context *context = w->traversal->context;
    size_t capacity = 2 * w->capacity + MOST_OPENED;
    grz_node_pair *pairs = grz_allocate(context, capacity, sizeof *pairs);
    if (pairs == NULL)
        return false;
    if (w->count > 0)
        memcpy(pairs, w->pairs, w->count * sizeof *pairs);
    if (w->pairs != w->traversal->room)
        grz_release(context, w->pairs);
    w->pairs = pairs;
    w->capacity = capacity;
    return true;
}

/* Whether one byte has fewer bits set than another, with a single population count for both. */
static inline bool has_fewer(unsigned one, unsigned other)
{
    unsigned bits = one | other << 8;
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0f0f;
    return (bits & 0xff) < bits >> 8;
}

/* Tests children against children. */
static inline void test_children(grz_traversal_work *w, uint32_t a, unsigned rows, uint32_t b, unsigned lanes)
{
    const grz_boxes8 *boxes_a = &w->nodes_a[a].boxes, *boxes_b = &w->nodes_b[b].boxes;
    const grz_transformed8 *bounds_a = grz_transformed_node_a(w, a), *bounds_b = grz_transformed_node_b(w, b);
    uint64_t pairs = has_fewer(lanes, rows)
                         ? grz_transpose_8x8(w->kernels->boxes(boxes_b, bounds_b, lanes, boxes_a, bounds_a, rows))
                         : w->kernels->boxes(boxes_a, bounds_a, rows, boxes_b, bounds_b, lanes);
    w->box_tests += GRZ_PAIRS;
    /* shortcut: self-upper-pairs */
    if (a == b && w->traversal->self)
        pairs &= UPPER_PAIRS;
    for (; pairs != 0; pairs &= pairs - 1)
    {
        unsigned pair = grz_lowest_bit(pairs);
        grz_push_node_pair(w, a * GRZ_TREE_WIDTH + pair / GRZ_LANES, GRZ_FULL_MASK,
                           b * GRZ_TREE_WIDTH + pair % GRZ_LANES, GRZ_FULL_MASK);
    }
}

/* Tests children against children, after culling those that do not overlap the other's parent. */
static void open_both(grz_traversal_work *w, uint32_t a, grz_transformed_child parent_a, uint32_t b,
                      grz_transformed_child parent_b)
{
    const grz_boxes8 *boxes_a = &w->nodes_a[a].boxes, *boxes_b = &w->nodes_b[b].boxes;
    unsigned rows = w->kernels->row_aabb_overlap(parent_b.bounds, parent_b.lane, boxes_a);
    if (rows == 0)
        return;
    unsigned lanes = w->kernels->row_aabb_overlap(parent_a.bounds, parent_a.lane, boxes_b);
    w->box_tests += 2 * GRZ_LANES;
    if (lanes == 0)
        return;
    test_children(w, a, rows, b, lanes);
}

/* Tests the children of a node of A against one child of B. */
static void open_a(grz_traversal_work *w, uint32_t a, uint32_t ref_b, grz_transformed_child child_b)
{
    const grz_boxes8 *boxes_a = &w->nodes_a[a].boxes;
    unsigned lanes = w->kernels->row_aabb_overlap(child_b.bounds, child_b.lane, boxes_a);
    w->box_tests += GRZ_LANES;
    if (lanes == 0)
        return;
    lanes = w->kernels->row_slab_overlap(grz_child_boxes(w->traversal->b, ref_b / GRZ_TREE_WIDTH), child_b.bounds,
                                         child_b.lane, boxes_a, grz_transformed_node_a(w, a), lanes);
    for (; lanes != 0; lanes &= lanes - 1)
        grz_push_node_pair(w, a * GRZ_TREE_WIDTH + grz_lowest_bit(lanes), GRZ_FULL_MASK, ref_b, GRZ_FULL_MASK);
}

static void open_b(grz_traversal_work *w, uint32_t ref_a, grz_transformed_child child_a, uint32_t b)
{
    const grz_boxes8 *boxes_b = &w->nodes_b[b].boxes;
    unsigned lanes = w->kernels->row_aabb_overlap(child_a.bounds, child_a.lane, boxes_b);
    w->box_tests += GRZ_LANES;
    if (lanes == 0)
        return;
    lanes = w->kernels->row_slab_overlap(grz_child_boxes(w->traversal->a, ref_a / GRZ_TREE_WIDTH), child_a.bounds,
                                         child_a.lane, boxes_b, grz_transformed_node_b(w, b), lanes);
    for (; lanes != 0; lanes &= lanes - 1)
        grz_push_node_pair(w, ref_a, GRZ_FULL_MASK, b * GRZ_TREE_WIDTH + grz_lowest_bit(lanes), GRZ_FULL_MASK);
}

/* Tests the triangles of an opened leaf against the children of a node; bit child * 8 + triangle stands for a pair. The
   kernel loops over rows, so the smaller set is the rows. */
static inline uint64_t test_triangles(grz_traversal_work *w, const grz_opened_leaf *leaf, unsigned triangles,
                                      const grz_boxes8 *boxes, const grz_transformed8 *bounds, unsigned children)
{
    w->box_tests += GRZ_PAIRS;
    if (has_fewer(triangles, children))
        return grz_transpose_8x8(
            w->kernels->boxes(&leaf->boxes, &leaf->transformed, triangles, boxes, bounds, children));
    return w->kernels->boxes(boxes, bounds, children, &leaf->boxes, &leaf->transformed, triangles);
}

/* Tests the triangles of a leaf of A against the children of a node of B that is hardly larger or smaller: the box of a
   large leaf is mostly empty, those of its triangles fit more tightly. */
static void open_b_to_triangles(grz_traversal_work *w, uint32_t ref_a, unsigned mask, grz_transformed_child child_a,
                                uint32_t leaf_a, uint32_t b, bool by_edges)
{
    const grz_boxes8 *boxes_b = &w->nodes_b[b].boxes;
    unsigned present = mask & ((1u << w->traversal->a->leaves[leaf_a].count) - 1);
    unsigned lanes = w->kernels->row_aabb_overlap(child_a.bounds, child_a.lane, boxes_b);
    w->box_tests += GRZ_LANES;
    if (lanes == 0)
        return;
    grz_opened_leaf *leaf = grz_open_leaf_a(&w->leaves, leaf_a);
    const grz_transformed8 *bounds_b = grz_transformed_node_b(w, b);
    uint64_t pairs = test_triangles(w, leaf, present, boxes_b, bounds_b, lanes);
    if (by_edges && pairs != 0)
        pairs = grz_transpose_8x8(
            w->kernels->edge_axes(grz_leaf_edges_a(&w->leaves, leaf_a, leaf), grz_transpose_8x8(pairs), boxes_b));
    for (uint64_t left = pairs; left != 0;)
    {
        unsigned row = grz_lowest_bit(left) / GRZ_LANES;
        grz_push_node_pair(w, ref_a, left >> GRZ_LANES * row & GRZ_FULL_MASK, b * GRZ_TREE_WIDTH + row, GRZ_FULL_MASK);
        left &= ~((uint64_t)GRZ_FULL_MASK << GRZ_LANES * row);
    }
}

static void open_a_to_triangles(grz_traversal_work *w, uint32_t a, uint32_t ref_b, unsigned mask,
                                grz_transformed_child child_b, uint32_t leaf_b, bool by_edges)
{
    const grz_boxes8 *boxes_a = &w->nodes_a[a].boxes;
    unsigned present = mask & ((1u << w->traversal->b->leaves[leaf_b].count) - 1);
    unsigned lanes = w->kernels->row_aabb_overlap(child_b.bounds, child_b.lane, boxes_a);
    w->box_tests += GRZ_LANES;
    if (lanes == 0)
        return;
    grz_opened_leaf *leaf = grz_open_leaf_b(&w->leaves, leaf_b);
    const grz_transformed8 *bounds_a = grz_transformed_node_a(w, a);
    uint64_t pairs = test_triangles(w, leaf, present, boxes_a, bounds_a, lanes);
    if (by_edges && pairs != 0)
        pairs = grz_transpose_8x8(
            w->kernels->edge_axes(grz_leaf_edges_b(&w->leaves, leaf_b, leaf), grz_transpose_8x8(pairs), boxes_a));
    for (uint64_t left = pairs; left != 0;)
    {
        unsigned row = grz_lowest_bit(left) / GRZ_LANES;
        grz_push_node_pair(w, a * GRZ_TREE_WIDTH + row, GRZ_FULL_MASK, ref_b, left >> GRZ_LANES * row & GRZ_FULL_MASK);
        left &= ~((uint64_t)GRZ_FULL_MASK << GRZ_LANES * row);
    }
}

static inline uint32_t child_at(const grz_node *nodes, uint32_t ref)
{
    uint32_t node = ref / GRZ_TREE_WIDTH;
    return node == GRZ_ABOVE_ROOT ? 0 : nodes[node].children[ref % GRZ_TREE_WIDTH];
}

static inline bool is_small_tree(const grz_traversal_work *w, grz_small_tree_kind kind)
{
    return w->small_tree.is == kind;
}

/* Whether a ref stands for a subset of a small tree's triangles. */
static inline bool is_small_tree_ref(uint32_t ref)
{
    return ref == GRZ_GROUPS_REF || ref == GRZ_TRIANGLES_REF;
}

/* Returns false when the caller asked to stop. Inlined, so that the loop keeps the stack in registers. */
__attribute__((always_inline)) static inline bool visit_pair(grz_traversal_work *w, const grz_node_pair *pair)
{
    uint64_t refs = pair->refs; /* masks are loaded only where needed: loading both fields at once would stall
                                   store-to-load forwarding */
    uint32_t ref_a = grz_half_a(refs), ref_b = grz_half_b(refs);
    if (!is_small_tree(w, GRZ_NO_SMALL_TREE) && (is_small_tree_ref(ref_a) || is_small_tree_ref(ref_b)))
    {
        if (is_small_tree(w, GRZ_SMALL_TREE_B))
            grz_small_tree_open(w, ref_a, ref_b, pair->masks);
        else
            grz_small_tree_open(w, ref_b, ref_a, pair->masks);
        return true;
    }
    uint32_t a = child_at(w->nodes_a, ref_a), b = child_at(w->nodes_b, ref_b);
    bool leaf_a = (a & GRZ_LEAF_FLAG) != 0, leaf_b = (b & GRZ_LEAF_FLAG) != 0;
    if (leaf_a && leaf_b && w->count > 0 && is_small_tree(w, GRZ_NO_SMALL_TREE))
    {
        grz_prefetch_leaf(w->traversal->a, child_at(w->nodes_a, grz_half_a(w->pairs[w->count - 1].refs)));
        grz_prefetch_leaf(w->traversal->b, child_at(w->nodes_b, grz_half_b(w->pairs[w->count - 1].refs)));
    }
    if (leaf_a && leaf_b)
        return grz_test_leaf_pair(w, refs, pair->masks, a & ~GRZ_LEAF_FLAG, b & ~GRZ_LEAF_FLAG);
    grz_transformed_child child_a = {grz_transformed_node_a(w, ref_a / GRZ_TREE_WIDTH), ref_a % GRZ_TREE_WIDTH};
    grz_transformed_child child_b = {grz_transformed_node_b(w, ref_b / GRZ_TREE_WIDTH), ref_b % GRZ_TREE_WIDTH};
    float size_a = child_a.bounds->size[child_a.lane], size_b = child_b.bounds->size[child_b.lane] * w->b_scale;
    if (leaf_a)
    {
        if (LEAF_RATIO * size_a > size_b)
            open_b_to_triangles(w, ref_a, grz_half_a(pair->masks), child_a, a & ~GRZ_LEAF_FLAG, b,
                                size_a > EDGE_RATIO * size_b);
        else
            open_b(w, ref_a, child_a, b);
    }
    else if (leaf_b)
    {
        if (LEAF_RATIO * size_b > size_a)
            open_a_to_triangles(w, a, ref_b, grz_half_b(pair->masks), child_b, b & ~GRZ_LEAF_FLAG,
                                size_b > EDGE_RATIO * size_a);
        else
            open_a(w, a, ref_b, child_b);
    }
    else if (is_small_tree(w, GRZ_SMALL_TREE_B) && size_a <= 2 * size_b)
        grz_small_tree_start(w, ref_a, child_a);
    else if (is_small_tree(w, GRZ_SMALL_TREE_A) && size_b <= 2 * size_a)
        grz_small_tree_start(w, ref_b, child_b);
    else if (size_a > 2 * size_b)
        open_a(w, a, ref_b, child_b);
    else if (size_b > 2 * size_a)
        open_b(w, ref_a, child_a, b);
    else
        open_both(w, a, child_a, b, child_b);
    return true;
}

static void start_work(grz_traversal_work *w, grz_traversal *t)
{
    w->traversal = t;
    w->kernels = t->kernels;
    w->nodes_a = t->a->nodes;
    w->nodes_b = t->b->nodes;
    w->box_tests = t->box_tests;
    w->to_a = grz_tree_transform_to_float(t->to_a);
    w->to_b = grz_tree_transform_to_float(t->to_b);
    grz_cached_leaves_start(&w->leaves, t->kernels, t->a, t->b, t->to_a, &w->to_a, &w->to_b);
    w->pairs = t->pairs;
    w->count = t->count;
    w->capacity = t->capacity;
    w->queue.count = 0;
    w->untested.batches = w->untested.row = 0;
    w->untested.started = false;
    w->queue.skips_plane_axes = t->take_candidates != NULL;
    grz_transformed_nodes_start(&w->a_node_cache);
    grz_transformed_nodes_start(&w->b_node_cache);
    float squares = 0; /* float accuracy suffices: it only decides which node is opened */
    for (int k = 0; k < 3; k++)
    {
        const float *row = w->to_a.matrix[k];
        squares += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    }
    w->b_scale = sqrtf(squares * (1.0f / 3));
    grz_small_tree_begin(w);
}

/* Stores the state that the next start_work continues from. */
static void store_work(const grz_traversal_work *w)
{
    grz_traversal *t = w->traversal;
    t->box_tests = w->box_tests;
    t->pairs = w->pairs;
    t->count = w->count;
    t->capacity = w->capacity;
}

/* Whether a ref, which may be any number, names a leaf. */
static bool is_leaf_at(const graze_tree *tree, uint32_t ref)
{
    uint32_t node = ref / GRZ_TREE_WIDTH;
    uint32_t child = node < tree->node_count ? tree->nodes[node].children[ref % GRZ_TREE_WIDTH] : 0;
    return (child & GRZ_LEAF_FLAG) != 0 && child != GRZ_NO_CHILD;
}

/* Pushes the pair of roots. False when out of memory. */
static bool push_roots(grz_traversal_work *w)
{
    grz_traversal *t = w->traversal;
    if (t->started)
        return true;
    if (t->a->node_count > 0 && t->b->node_count > 0)
    {
        if (!make_room(w))
            return false;
        grz_push_node_pair(w, GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH, GRZ_FULL_MASK, GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH,
                           GRZ_FULL_MASK);
    }
    t->started = true;
    return true;
}

/* Tests the leaves of the hint, then pushes the pairs of their siblings. All of them are visited again later if nothing
   is found, so a bad hint changes no answer, as long as it names two leaves. Returns false when the caller asked to
   stop. */
static bool follow_hint(grz_traversal_work *w)
{
    grz_traversal *t = w->traversal;
    grz_traversal_hint hint = *t->hint;
    t->hint = NULL;
    /* shortcut: hint-first */
    if (!is_leaf_at(t->a, hint.a) || !is_leaf_at(t->b, hint.b))
        return true;
    uint32_t leaf_a = child_at(w->nodes_a, hint.a) & ~GRZ_LEAF_FLAG,
             leaf_b = child_at(w->nodes_b, hint.b) & ~GRZ_LEAF_FLAG;
    if (!grz_test_leaf_pair(w, grz_join_halves(hint.a, hint.b), grz_join_halves(GRZ_FULL_MASK, GRZ_FULL_MASK), leaf_a,
                            leaf_b))
        return false;
    test_children(w, hint.a / GRZ_TREE_WIDTH, GRZ_FULL_MASK, hint.b / GRZ_TREE_WIDTH, GRZ_FULL_MASK);
    return true;
}

void grz_traversal_start(grz_traversal *traversal, grz_node_pair *room)
{
    traversal->started = false;
    traversal->box_tests = traversal->leaf_pairs = 0;
    traversal->pairs = traversal->room = room;
    traversal->count = 0;
    traversal->capacity = room != NULL ? GRZ_INLINE_PAIRS : 0;
}

grz_traversal_end grz_traversal_advance(grz_traversal *traversal, const grz_pause *pause)
{
    grz_traversal_work w;
    start_work(&w, traversal);
    if (!push_roots(&w))
        return GRZ_TRAVERSAL_OUT_OF_MEMORY;
    bool watched = pause != NULL && pause->go_on != NULL;
    uint64_t box_limit = pause != NULL ? pause->box_limit : UINT64_MAX;
    uint32_t countdown = watched ? pause->interval : 0; /* 0 wraps around: once in 2^32 pairs, without effect */
    grz_traversal_end end = GRZ_TRAVERSAL_DONE;
    if (traversal->hint != NULL && make_room(&w) && !follow_hint(&w))
        end = GRZ_TRAVERSAL_STOPPED;
    while (w.count > 0 && end == GRZ_TRAVERSAL_DONE)
    {
        if (w.box_tests >= box_limit)
        {
            end = GRZ_TRAVERSAL_PAUSED;
            break;
        }
        if (!make_room(&w))
            end = GRZ_TRAVERSAL_OUT_OF_MEMORY;
        else if (!visit_pair(&w, &w.pairs[--w.count]))
            end = GRZ_TRAVERSAL_STOPPED;
        else if (--countdown == 0 && watched)
        {
            countdown = pause->interval;
            traversal->count = w.count;
            traversal->box_tests = w.box_tests;
            if (!pause->go_on(pause->user) && w.count > 0)
                end = GRZ_TRAVERSAL_PAUSED;
        }
    }
    if ((end == GRZ_TRAVERSAL_DONE || end == GRZ_TRAVERSAL_PAUSED) && !grz_test_last_triangles(&w))
        end = GRZ_TRAVERSAL_STOPPED;
    store_work(&w);
    return end;
}

static bool is_leaf_pair(const grz_traversal *t, grz_node_pair pair)
{
    return (child_at(t->a->nodes, grz_half_a(pair.refs)) & child_at(t->b->nodes, grz_half_b(pair.refs)) &
            GRZ_LEAF_FLAG) != 0;
}

/* Opens every pair once. Returns false when out of memory; *out_opened tells whether any could be opened. */
static bool expand_once(grz_traversal_work *w, bool *out_opened)
{
    grz_traversal *t = w->traversal;
    grz_node_pair *before = w->pairs;
    size_t count = w->count, capacity = (count + 1) * GRZ_TREE_WIDTH * GRZ_TREE_WIDTH;
    grz_node_pair *pairs = grz_allocate(t->context, capacity, sizeof *pairs);
    if (pairs == NULL)
        return false;
    w->pairs = pairs;
    w->count = 0;
    w->capacity = capacity;
    *out_opened = false;
    for (size_t i = 0; i < count; i++)
    {
        if (is_leaf_pair(t, before[i]))
        {
            w->pairs[w->count++] = before[i];
            continue;
        }
        visit_pair(w, &before[i]);
        *out_opened = true;
    }
    if (before != t->room)
        grz_release(t->context, before);
    return true;
}

bool grz_traversal_expand(grz_traversal *traversal, size_t wanted)
{
    grz_traversal_work w;
    start_work(&w, traversal);
    bool enough_memory = push_roots(&w), opened = true;
    while (enough_memory && opened && w.count > 0 && w.count < wanted)
        enough_memory = expand_once(&w, &opened);
    store_work(&w);
    return enough_memory;
}

bool grz_traversal_split(grz_traversal *traversal, size_t first, grz_traversal *out_rest)
{
    grz_traversal rest = *traversal;
    grz_traversal_start(&rest, NULL);
    rest.started = true;
    rest.count = traversal->count - first;
    rest.capacity = rest.count + (size_t)GRZ_TREE_WIDTH * GRZ_TREE_WIDTH;
    rest.pairs = grz_allocate(traversal->context, rest.capacity, sizeof *rest.pairs);
    if (rest.pairs == NULL)
        return false;
    if (rest.count > 0)
        memcpy(rest.pairs, traversal->pairs + first, rest.count * sizeof *rest.pairs);
    traversal->count = first;
    *out_rest = rest;
    return true;
}

void grz_traversal_release(grz_traversal *traversal)
{
    if (traversal->pairs != traversal->room)
        grz_release(traversal->context, traversal->pairs);
    traversal->pairs = traversal->room;
    traversal->count = 0;
    traversal->capacity = traversal->room != NULL ? GRZ_INLINE_PAIRS : 0;
}
