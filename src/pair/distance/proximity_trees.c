/* SPDX-License-Identifier: MIT */
/*
 * Proximity search of two trees; see proximity.h.
 *
 * When the bound may shrink, an initial bound is found first (initial_bound.c), and lower bounds are computed in a
 * frame along the line between the closest points found (aligned_frame.h). That is best where the meshes are close in a
 * small region only. When the search does not end soon, because they are close in many places, lower bounds are
 * computed along many directions for each pair of boxes instead: those of both trees' axes, slabs and lines of centres.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "pair/distance/proximity_work.h"

enum
{
    MOST_ALIGNED_FRAMES = 16, /* frames made for one query */
    MOST_TRIALS = 1000        /* pairs opened in them; after that they are given up */
};

static bool make_room(grz_proximity_work *w)
{
    if (w->capacity - w->count >= GRZ_CHILD_PAIRS)
        return true;
    const graze_context *context = w->proximity->context;
    size_t capacity = 2 * w->capacity;
    grz_proximity_pair *pairs = grz_allocate(context, capacity, sizeof *pairs);
    if (pairs == NULL)
        return false;
    memcpy(pairs, w->pairs, w->count * sizeof *pairs);
    if (w->pairs != w->inline_pairs)
        grz_release(context, w->pairs);
    w->pairs = pairs;
    w->capacity = capacity;
    return true;
}

/*
 * Where the bound does not shrink, nodes and triangles are not compared by lower bounds but tested for overlap, which
 * costs less: with boxes, slabs and corners of one side widened by the bound, in the unit of the frame at hand. Moved
 * by a vector no longer than that, two triangles within the bound would share a point; so no axis separates them whose
 * projections are widened by its length. Slabs' directions are longer than 1 by less than 2^-22.
 */
static void widen(grz_proximity_work *w, const grz_kernels *kernels)
{
    const grz_distance_frame *f = &w->frame;
    const double more = 1 + 0x1p-18; /* for roundings */
    double in_a = w->proximity->bound.distance / f->unit * more;
    double in_b = w->proximity->bound.distance / f->unit_b * more;
    grz_proximity_overlaps *o = &w->overlapping;
    if (!(in_a < 1 && in_b < 1))
        return;
    /* shortcut: widened-overlaps */
    w->wide_to_a = f->to_a;
    w->wide_to_b = f->to_b;
    for (int k = 0; k < 3; k++)
    {
        w->wide_to_a.margin[k] += (float)in_a;
        w->wide_to_b.margin[k] += (float)in_b;
    }
    w->wide_to_a.slab_margin += (float)in_a;
    w->wide_to_b.slab_margin += (float)in_b;
    o->widening = (float)in_a;
    o->queue.count = 0;
    o->queue.skips_plane_axes = false;
    memset(o->keys, 0xff, sizeof o->keys);
    grz_leaf_transform_make(&f->to_a_exact, &o->rotation);
    w->overlaps = kernels;
}

/* Which of them are not farther apart than the bound; no bounds are known then. */
static void overlap_nodes(grz_proximity_work *w, uint32_t a, uint32_t b, unsigned row_mask, bool exchanged,
                          grz_bounds8x8 *out)
{
    const grz_distance_frame *f = &w->frame;
    grz_transform_function transform = w->overlaps->transform;
    const grz_transformed8 *transformed_a =
        grz_transformed_node(&w->a_node_cache, f->a, a, transform, &w->wide_to_b, &w->wide_to_a);
    const grz_transformed8 *transformed_b =
        grz_transformed_node(&w->b_node_cache, f->b, b, transform, &w->wide_to_a, &w->wide_to_b);
    const grz_boxes8 *boxes_a = &f->a->nodes[a].boxes, *boxes_b = &f->b->nodes[b].boxes;
    uint64_t pairs = exchanged ? w->overlaps->boxes(boxes_b, transformed_b, row_mask, boxes_a, transformed_a, 0xff)
                               : w->overlaps->boxes(boxes_a, transformed_a, row_mask, boxes_b, transformed_b, 0xff);
    for (unsigned row = 0; row < GRZ_LANES; row++)
        out->masks[row] = (uint8_t)(pairs >> GRZ_LANES * row);
    memset(out->square, 0, sizeof out->square);
}

/* Lower bounds of rows of A's node against B's; or, when `exchanged`, of rows of B's against A's. */
static void bound_nodes(grz_proximity_work *w, uint32_t a, uint32_t b, unsigned row_mask, bool exchanged,
                        grz_bounds8x8 *out)
{
    const grz_distance_frame *f = &w->frame;
    for (unsigned left = row_mask; left != 0; left &= left - 1)
        grz_proximity_may_continue(w->proximity, GRZ_TREE_WIDTH, 0);
    if (w->is_aligned)
    {
        const grz_aligned8 *rows = &grz_aligned_node_of(&w->aligned, &w->aligned.a, a)->boxes;
        const grz_aligned8 *lanes = &grz_aligned_node_of(&w->aligned, &w->aligned.b, b)->boxes;
        w->distances->aligned(exchanged ? lanes : rows, row_mask, exchanged ? rows : lanes, f->factor_a, w->bound, out);
        return;
    }
    if (w->overlaps != NULL)
    {
        overlap_nodes(w, a, b, row_mask, exchanged, out);
        return;
    }
    grz_transform_function transform = w->distances->transform;
    const grz_transformed8 *transformed_a =
        grz_transformed_node(&w->a_node_cache, f->a, a, transform, &f->to_b, &f->to_a);
    const grz_transformed8 *transformed_b =
        grz_transformed_node(&w->b_node_cache, f->b, b, transform, &f->to_a, &f->to_b);
    const grz_boxes8 *boxes_a = &f->a->nodes[a].boxes, *boxes_b = &f->b->nodes[b].boxes;
    if (exchanged)
        w->distances->boxes(boxes_b, transformed_b, row_mask, f->factor_b, boxes_a, transformed_a, f->factor_a,
                            &f->to_b, w->bound, out);
    else
        w->distances->boxes(boxes_a, transformed_a, row_mask, f->factor_a, boxes_b, transformed_b, f->factor_b,
                            &f->to_a, w->bound, out);
}

static float size_of(const graze_tree *tree, uint32_t ref)
{
    const grz_boxes8 *boxes = &tree->nodes[ref / GRZ_TREE_WIDTH].boxes;
    unsigned lane = ref % GRZ_TREE_WIDTH;
    float x = boxes->upper[0][lane] - boxes->lower[0][lane];
    float y = boxes->upper[1][lane] - boxes->lower[1][lane];
    float z = boxes->upper[2][lane] - boxes->lower[2][lane];
    float largest = x > y ? x : y;
    return largest > z ? largest : z;
}

grz_descent grz_choose_descent(const grz_proximity_work *w, uint32_t ref_a, uint32_t ref_b)
{
    bool leaf_a = (grz_child_at(w->frame.a, ref_a) & GRZ_LEAF_FLAG) != 0;
    bool leaf_b = (grz_child_at(w->frame.b, ref_b) & GRZ_LEAF_FLAG) != 0;
    if (leaf_a || leaf_b)
        return (grz_descent){!leaf_a, !leaf_b};
    float size_a = size_of(w->frame.a, ref_a), size_b = size_of(w->frame.b, ref_b) * w->frame.b_scale;
    return (grz_descent){!(size_b > 2 * size_a), !(size_a > 2 * size_b)};
}

/* The children of A's node a within the bound of B's node b, whose ref is ref_b: the others need not be compared with
   its children. */
static unsigned rows_within_bound(grz_proximity_work *w, uint32_t a, uint32_t b, uint32_t ref_b)
{
    grz_bounds8x8 bounds;
    unsigned row = ref_b % GRZ_TREE_WIDTH;
    if (!w->is_aligned)
    {
        bound_nodes(w, a, ref_b / GRZ_TREE_WIDTH, 1u << row, true, &bounds);
        return bounds.masks[row];
    }
    const grz_aligned_node *first = grz_aligned_node_of(&w->aligned, &w->aligned.a, a);
    const grz_aligned_node *second = grz_aligned_node_of(&w->aligned, &w->aligned.b, b);
    grz_proximity_may_continue(w->proximity, GRZ_TREE_WIDTH, 0);
    w->distances->aligned(&second->around, 1, &first->boxes, w->frame.factor_a, w->bound, &bounds);
    unsigned rows = bounds.masks[0];
    if (rows == 0)
        return 0;
    grz_proximity_may_continue(w->proximity, GRZ_TREE_WIDTH, 0);
    w->distances->aligned(&first->around, 1, &second->boxes, w->frame.factor_a, w->bound, &bounds);
    grz_aligned_tighten(&w->aligned, &w->aligned.a, a, rows);
    grz_aligned_tighten(&w->aligned, &w->aligned.b, b, bounds.masks[0]);
    return bounds.masks[0] != 0 ? rows : 0;
}

/* Collects the child pairs within the bound, in no order; returns how many. */
static unsigned open_pair(grz_proximity_work *w, uint32_t ref_a, uint32_t ref_b, grz_descent open,
                          grz_proximity_pair *out)
{
    grz_bounds8x8 bounds;
    unsigned count = 0, row_mask = 0xff;
    uint32_t a = open.a ? grz_child_at(w->frame.a, ref_a) : ref_a / GRZ_TREE_WIDTH;
    uint32_t b = open.b ? grz_child_at(w->frame.b, ref_b) : ref_b / GRZ_TREE_WIDTH;
    bool exchanged = !open.b;
    if (!open.a)
        row_mask = 1u << ref_a % GRZ_TREE_WIDTH;
    else if (!open.b)
        row_mask = 1u << ref_b % GRZ_TREE_WIDTH;
    else
        row_mask = rows_within_bound(w, a, b, ref_b);
    if (row_mask == 0)
        return 0;
    bound_nodes(w, a, b, row_mask, exchanged, &bounds);
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = grz_lowest_lane(left);
        for (unsigned mask = bounds.masks[row]; mask != 0; mask &= mask - 1)
        {
            unsigned lane = grz_lowest_lane(mask);
            grz_proximity_pair pair = {bounds.square[row][lane], a * GRZ_TREE_WIDTH + (exchanged ? lane : row),
                                       b * GRZ_TREE_WIDTH + (exchanged ? row : lane)};
            out[count++] = pair;
        }
    }
    return count;
}

/* The nearest is visited first; the order of the others matters little once there is a good bound. */
static void put_nearest_last(grz_proximity_pair *pairs, size_t count)
{
    size_t nearest = 0;
    for (size_t i = 1; i < count; i++)
        nearest = pairs[i].square < pairs[nearest].square ? i : nearest;
    if (count > 0)
    {
        grz_proximity_pair pair = pairs[nearest];
        pairs[nearest] = pairs[count - 1];
        pairs[count - 1] = pair;
    }
}

/* Opens both roots at once. */
static unsigned open_roots(grz_proximity_work *w, grz_proximity_pair *out)
{
    grz_bounds8x8 bounds;
    unsigned count = 0;
    bound_nodes(w, 0, 0, 0xff, false, &bounds);
    for (unsigned row = 0; row < GRZ_TREE_WIDTH; row++)
    {
        for (unsigned mask = bounds.masks[row]; mask != 0; mask &= mask - 1)
        {
            unsigned lane = grz_lowest_lane(mask);
            out[count++] = (grz_proximity_pair){bounds.square[row][lane], row, lane};
        }
    }
    return count;
}

static void visit_pairs(grz_proximity_work *w)
{
    uint64_t opened = 0;
    while (w->count > 0 && grz_monitor_may_continue(w->proximity->monitor))
    {
        grz_proximity_pair pair = w->pairs[--w->count];
        if (!(pair.square < w->bound))
            continue;
        if (!make_room(w))
        {
            w->proximity->out_of_memory = true;
            return;
        }
        if (w->proximity->most_node_pairs > 0 && opened++ == w->proximity->most_node_pairs)
        {
            w->proximity->gave_up = true;
            return;
        }
        if (w->is_aligned && w->trials_left-- == 0)
        {
            w->is_aligned = false;
            w->frames_left = 0;
        }
        grz_descent open = grz_choose_descent(w, pair.a, pair.b);
        if (open.a || open.b)
        {
            unsigned count = open_pair(w, pair.a, pair.b, open, w->pairs + w->count);
            put_nearest_last(w->pairs + w->count, count);
            w->count += count;
        }
        /* shortcut: leaves-of-the-initial-bound */
        else if ((pair.a != w->first_a || pair.b != w->first_b) && !grz_proximity_test_leaves(w, pair.a, pair.b))
            return;
    }
    if (grz_monitor_may_continue(w->proximity->monitor))
        grz_proximity_finish(w);
}

/* False when trees or poses do not allow it. */
static bool start_work(grz_proximity_work *w, grz_proximity_search *proximity, const graze_placed_mesh *a,
                       const graze_placed_mesh *b)
{
    if (!grz_distance_frame_make(&w->frame, a, b))
        return false;
    graze_instructions choice = proximity->context != NULL ? proximity->context->instructions : GRAZE_INSTRUCTIONS_BEST;
    w->proximity = proximity;
    w->pose_a = &a->pose;
    w->pose_b = &b->pose;
    w->is_aligned = false;
    w->frames_left = proximity->shrinking ? MOST_ALIGNED_FRAMES : 0;
    w->trials_left = MOST_TRIALS;
    w->distances = w->aligned.kernels = grz_distance_kernels_for(choice);
    w->overlaps = NULL;
    if (!proximity->shrinking && proximity->most_node_pairs == 0)
        widen(w, grz_kernels_for(choice));
    w->pairs = w->inline_pairs;
    w->count = 0;
    w->batch.count = 0;
    w->first_a = w->first_b = UINT32_MAX;
    w->capacity = GRZ_PROXIMITY_INLINE;
    grz_transformed_nodes_start(&w->a_node_cache);
    grz_transformed_nodes_start(&w->b_node_cache);
    memset(w->a_leaves.keys, 0xff, sizeof w->a_leaves.keys);
    memset(w->b_leaves.keys, 0xff, sizeof w->b_leaves.keys);
    grz_proximity_update_bound(w);
    return true;
}

bool grz_proximity_trees(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    grz_proximity_work w;
    if (!start_work(&w, proximity, a, b))
        return false;
    if (w.frame.a->node_count == 0 || w.frame.b->node_count == 0)
        return true;
    bool go_on = !proximity->shrinking || grz_proximity_initial_bound(&w);
    w.count = open_roots(&w, w.pairs);
    put_nearest_last(w.pairs, w.count);
    if (go_on)
        visit_pairs(&w);
    if (w.pairs != w.inline_pairs)
        grz_release(proximity->context, w.pairs);
    return true;
}
