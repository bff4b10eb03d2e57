/* SPDX-License-Identifier: MIT */
/*
 * Leaf pairs of a proximity search: finds which of their triangles may be near, and proposes them in batches; see
 * proximity_work.h.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "pair/distance/proximity_work.h"

enum
{
    FEW_PAIRS = 8 /* triangle pairs that are cheaper to measure than to bound again */
};

/* Rounded up with a margin, so that a square that is not below it certainly belongs to a distance that is not below the
   bound. */
void grz_proximity_update_bound(grz_proximity_work *w)
{
    double bound = w->proximity->bound.distance / w->frame.unit;
    double square = bound * bound * (1 + 0x1p-40) + 0x1p-119;
    /* shortcut: squared-bound-in-floats */
    w->bound = square < FLT_MAX ? (float)square * (1 + 0x1p-22f) : INFINITY;
}

/* The triangle pairs of two leaves that may be near; while there is no bound, the nearest batch first and sorted: it
   mostly gives a bound that leaves out most of the others. */
typedef struct leaf_pairs
{
    unsigned count;
    grz_proximity_pair pairs[GRZ_CHILD_PAIRS]; /* a and b are rows and lanes */
} leaf_pairs;

static uint32_t cache_leaf(grz_proximity_work *w, const graze_tree *tree, uint32_t leaf,
                           grz_proximity_leaf_cache *cache, bool rotate)
{
    uint32_t slot = leaf % GRZ_PROXIMITY_CACHED;
    if (cache->keys[slot] != leaf)
    {
        const grz_triangles8 *triangles = &tree->leaves[leaf].triangles;
        const grz_float_transform *to_a = &w->frame.to_a;
        w->distances->facets(triangles, rotate ? to_a->matrix : NULL, &cache->facets[slot]);
        if (rotate)
            grz_leaf_placement_make(&w->frame.to_a_exact, triangles, &cache->placements[slot]);
        cache->keys[slot] = leaf;
    }
    return slot;
}

/* In the aligned frame. */
static void bound_aligned_leaves(grz_proximity_work *w, uint32_t leaf_a, uint32_t leaf_b, grz_bounds8x8 *out)
{
    unsigned row_mask = (1u << w->frame.a->leaves[leaf_a].count) - 1;
    unsigned lane_mask = (1u << w->frame.b->leaves[leaf_b].count) - 1;
    const grz_aligned8 *rows = grz_aligned_leaf_of(&w->aligned, &w->aligned.a, leaf_a);
    const grz_aligned8 *lanes = grz_aligned_leaf_of(&w->aligned, &w->aligned.b, leaf_b);
    w->distances->aligned(rows, row_mask, lanes, w->frame.factor_a, w->bound, out);
    for (unsigned row = 0; row < GRZ_LANES; row++)
        out->masks[row] &= (uint8_t)lane_mask;
}

/* Whether more than FEW_PAIRS are left. */
static bool has_many_pairs(const grz_bounds8x8 *bounds)
{
    unsigned count = 0;
    for (unsigned row = 0; row < GRZ_LANES; row++)
    {
        for (unsigned mask = bounds->masks[row]; mask != 0; mask &= mask - 1)
            count++;
    }
    return count > FEW_PAIRS;
}

/* In the trees' own frames: along normals and lines of centres. */
static void bound_leaf_facets(grz_proximity_work *w, uint32_t leaf_a, uint32_t leaf_b, grz_bounds8x8 *out)
{
    const grz_leaf *a = &w->frame.a->leaves[leaf_a], *b = &w->frame.b->leaves[leaf_b];
    uint32_t ref_a = cache_leaf(w, w->frame.a, leaf_a, &w->a_leaves, false);
    uint32_t ref_b = cache_leaf(w, w->frame.b, leaf_b, &w->b_leaves, true);
    grz_leaf_translation shift = grz_leaf_translation_make(&a->triangles, &w->b_leaves.placements[ref_b]);
    w->distances->leaves(&w->a_leaves.facets[ref_a], a->count, &w->b_leaves.facets[ref_b], (1u << b->count) - 1, &shift,
                         w->frame.factor_a, w->bound, out);
}

static void bound_leaves(grz_proximity_work *w, uint32_t leaf_a, uint32_t leaf_b, grz_bounds8x8 *out)
{
    uint8_t masks[GRZ_LANES];
    memset(masks, 0xff, sizeof masks);
    if (w->is_aligned)
    {
        bound_aligned_leaves(w, leaf_a, leaf_b, out);
        if (!has_many_pairs(out))
            return;
        memcpy(masks, out->masks, sizeof masks);
    }
    bound_leaf_facets(w, leaf_a, leaf_b, out);
    for (unsigned row = 0; row < w->frame.a->leaves[leaf_a].count; row++)
        out->masks[row] &= masks[row];
}

/* Adds a pair; one that it displaces from the nearest batch goes to the end. */
static void add_in_order(leaf_pairs *out, grz_proximity_pair pair)
{
    unsigned batch = out->count < GRZ_LANES ? out->count : GRZ_LANES;
    if (batch == GRZ_LANES)
    {
        grz_proximity_pair last = out->pairs[GRZ_LANES - 1];
        bool is_nearer = pair.square < last.square;
        out->pairs[out->count++] = is_nearer ? last : pair;
        if (!is_nearer)
            return;
        batch--;
    }
    else
        out->count++;
    grz_proximity_insert(out->pairs, batch, pair);
}

static void find_leaf_pairs(grz_proximity_work *w, uint32_t leaf_a, uint32_t leaf_b, leaf_pairs *out)
{
    const grz_leaf *a = &w->frame.a->leaves[leaf_a];
    grz_bounds8x8 bounds;
    bound_leaves(w, leaf_a, leaf_b, &bounds);
    bool sorted = !(w->bound < INFINITY); /* else the order does not matter */
    grz_proximity_may_continue(w->proximity, 0, 1);
    out->count = 0;
    for (unsigned row = 0; row < a->count; row++)
    {
        for (unsigned mask = bounds.masks[row]; mask != 0; mask &= mask - 1)
        {
            unsigned lane = grz_lowest_lane(mask);
            grz_proximity_pair pair = {bounds.square[row][lane], row, lane};
            if (sorted)
                add_in_order(out, pair);
            else
                out->pairs[out->count++] = pair;
        }
    }
}

/* Makes a frame for the closest points found, when the current one does not fit them. */
static void update_frame(grz_proximity_work *w)
{
    const grz_distance_bound *bound = &w->proximity->bound;
    if (w->frames_left == 0 || !bound->witnessed || (w->is_aligned && !grz_aligned_frame_is_stale(&w->aligned, bound)))
        return;
    w->frames_left--;
    w->is_aligned = grz_aligned_frame_make(&w->aligned, &w->frame, w->pose_a, w->pose_b, bound);
}

bool grz_proximity_flush(grz_proximity_work *w)
{
    if (w->batch.count == 0)
        return true;
    bool go_on = w->proximity->propose(w->proximity->user, &w->batch, &w->proximity->bound);
    w->batch.count = 0;
    grz_proximity_update_bound(w);
    update_frame(w);
    return go_on;
}

/* A leaf for the tests of overlap; B's errors are larger by the bound. */
static const grz_corners8 *find_corners(grz_proximity_work *w, int side, uint32_t index)
{
    grz_proximity_overlaps *o = &w->overlapping;
    uint32_t slot = index % GRZ_PROXIMITY_CACHED;
    grz_corners8 *corners = &o->corners[side][slot];
    if (o->keys[side][slot] == index)
        return corners;
    const grz_leaf *leaf = &(side == 0 ? w->frame.a : w->frame.b)->leaves[index];
    w->overlaps->corners(&leaf->triangles, side == 0 ? NULL : &o->rotation, corners);
    corners->first = leaf->first;
    corners->present = (1u << leaf->count) - 1;
    for (int k = 0; k < 3 && side == 1; k++)
        corners->error[k] += o->widening;
    o->keys[side][slot] = index;
    return corners;
}

/* Tests the queue, and collects what may be near. Returns false when the caller asked to stop. */
static bool test_queue(grz_proximity_work *w)
{
    grz_pair_queue *queue = &w->overlapping.queue;
    grz_pair_sat_results results;
    if (queue->count == 0)
        return true;
    w->overlaps->triangle_sat(queue, &results);
    for (unsigned word = 0; word * 64 < queue->count; word++)
        for (uint64_t left = results.meet[word]; left != 0; left &= left - 1)
        {
            unsigned i = 64 * word + (unsigned)__builtin_ctzll(left);
            w->batch.a[w->batch.count] = w->frame.a->order[grz_queue_index_a(queue, i)];
            w->batch.b[w->batch.count++] = w->frame.b->order[grz_queue_index_b(queue, i)];
            if (w->batch.count == GRZ_LANES && !grz_proximity_flush(w))
                return false;
        }
    queue->count = 0;
    return true;
}

bool grz_proximity_finish(grz_proximity_work *w)
{
    return (w->overlaps == NULL || test_queue(w)) && grz_proximity_flush(w);
}

/* Queues the pairs of triangles of two leaves whose widened boxes overlap. */
static bool queue_leaves(grz_proximity_work *w, uint32_t leaf_a, uint32_t leaf_b)
{
    grz_pair_queue *queue = &w->overlapping.queue;
    grz_proximity_may_continue(w->proximity, 0, 1);
    w->overlaps->queue_pairs(find_corners(w, 0, leaf_a), 0xff, find_corners(w, 1, leaf_b), 0xff, queue);
    return queue->count < GRZ_QUEUE_FULL || test_queue(w);
}

bool grz_proximity_test_leaves(grz_proximity_work *w, uint32_t ref_a, uint32_t ref_b)
{
    uint32_t leaf_a = grz_child_at(w->frame.a, ref_a) & ~GRZ_LEAF_FLAG;
    uint32_t leaf_b = grz_child_at(w->frame.b, ref_b) & ~GRZ_LEAF_FLAG;
    const grz_leaf *a = &w->frame.a->leaves[leaf_a], *b = &w->frame.b->leaves[leaf_b];
    leaf_pairs found;
    if (w->overlaps != NULL)
        return queue_leaves(w, leaf_a, leaf_b);
    find_leaf_pairs(w, leaf_a, leaf_b, &found);
    for (unsigned next = 0; next < found.count; next++)
    {
        if (!(found.pairs[next].square < w->bound))
            continue;
        w->batch.a[w->batch.count] = w->frame.a->order[a->first + found.pairs[next].a];
        w->batch.b[w->batch.count++] = w->frame.b->order[b->first + found.pairs[next].b];
        if (w->batch.count == GRZ_LANES && !grz_proximity_flush(w))
            return false;
    }
    return w->bound < INFINITY || grz_proximity_flush(w);
}
