/* SPDX-License-Identifier: MIT */
/*
 * Near pairs of two trees; see near.h.
 *
 * First one path is followed down to two leaves, always into the nearest pair of children, without keeping anything:
 * that gives a good bound for little. Then all pairs below the bound are visited, depth first, nearest first.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "pair/near.h"
#include "pair/near_aligned.h"

/* A pair yet to be looked at: places are node * 8 + lane. */
typedef struct near_pair
{
    float square; /* of its lower bound */
    uint32_t a, b;
} near_pair;

enum
{
    INLINE_PAIRS = 1024,
    CACHE_SIZE = 32, /* nodes of each tree whose image in the other's frame is kept; a power of two */
    MOST_DIVES = 1,
    BEAM_WIDTH = 4,
    FEW_PAIRS = 8,      /* of two leaves' triangles: cheaper to measure than to bound again */
    MOST_FRAMES = 8,    /* made for one query, */
    MOST_TRIALS = 1000, /* and pairs opened in them: after that they do not seem to help */
    CHILDREN = GRZ_TREE_WIDTH * GRZ_TREE_WIDTH
};

typedef struct image_cache
{
    uint32_t keys[CACHE_SIZE];
    grz_mapped8 images[CACHE_SIZE];
} image_cache;

/* Leaves as the kernels want them: A's as they are, B's turned into A's axes. */
typedef struct leaf_cache
{
    uint32_t keys[CACHE_SIZE];
    grz_facets8 facets[CACHE_SIZE];
    grz_leaf_view views[CACHE_SIZE]; /* B's only */
} leaf_cache;

typedef struct work
{
    grz_near *near;
    grz_near_frame frame;
    const grz_kernels *kernels;
    const grz_distance_kernels *distances;
    const graze_pose *pose_a, *pose_b;
    grz_aligned aligned;
    bool is_aligned;      /* whether bounds are found in that frame */
    unsigned frames_left; /* that may still be made, */
    unsigned trials_left; /* and openings that may be tried in them */
    float bound;          /* near->bound in the frame's unit, squared, rounded up */
    image_cache a_images, b_images;
    leaf_cache a_leaves, b_leaves;
    grz_gap_pairs waiting;
    near_pair *pairs;
    size_t count, capacity;
    near_pair inline_pairs[INLINE_PAIRS];
} work;

/* Rounded up with room to spare, so that a square that is not below it surely belongs to a distance that is not below
   the bound. */
static void take_bound(work *w)
{
    double bound = w->near->bound.distance / w->frame.unit;
    double square = bound * bound * (1 + 0x1p-40) + 0x1p-119;
    w->bound = square < FLT_MAX ? (float)square * (1 + 0x1p-22f) : INFINITY;
}

/* Makes a frame for the nearest points known, when there is none for them. */
static void align(work *w)
{
    const grz_near_bound *bound = &w->near->bound;
    if (w->frames_left == 0 || !bound->witnessed || (w->is_aligned && !grz_aligned_is_stale(&w->aligned, bound)))
        return;
    w->frames_left--;
    w->is_aligned = grz_aligned_make(&w->aligned, &w->frame, w->pose_a, w->pose_b, bound);
}

static bool make_room(work *w)
{
    if (w->capacity - w->count >= CHILDREN)
        return true;
    const graze_context *context = w->near->context;
    size_t capacity = 2 * w->capacity;
    near_pair *pairs = grz_allocate(context, capacity, sizeof *pairs);
    if (pairs == NULL)
        return false;
    memcpy(pairs, w->pairs, w->count * sizeof *pairs);
    if (w->pairs != w->inline_pairs)
        grz_release(context, w->pairs);
    w->pairs = pairs;
    w->capacity = capacity;
    return true;
}

static inline unsigned lowest_bit(unsigned mask)
{
    return (unsigned)__builtin_ctz(mask);
}

static const grz_mapped8 *image_of(const work *w, const graze_tree *tree, uint32_t node, const grz_float_map *there,
                                   const grz_float_map *back, image_cache *cache)
{
    uint32_t place = node % CACHE_SIZE;
    if (cache->keys[place] != node)
    {
        w->kernels->map(&tree->nodes[node].boxes, there, back, &cache->images[place]);
        cache->keys[place] = node;
    }
    return &cache->images[place];
}

/* Rows of A's node against B's; or, when `exchanged`, rows of B's against A's. */
static void compare_nodes(work *w, uint32_t a, uint32_t b, unsigned row_mask, bool exchanged, grz_bounds8x8 *out)
{
    const grz_near_frame *f = &w->frame;
    w->near->box_tests += (uint64_t)GRZ_TREE_WIDTH * (unsigned)__builtin_popcount(row_mask);
    if (w->is_aligned)
    {
        const grz_aligned8 *rows = &grz_aligned_node_of(&w->aligned, &w->aligned.a, a)->boxes;
        const grz_aligned8 *lanes = &grz_aligned_node_of(&w->aligned, &w->aligned.b, b)->boxes;
        w->distances->aligned(exchanged ? lanes : rows, row_mask, exchanged ? rows : lanes, f->factor_a, w->bound, out);
        return;
    }
    const grz_mapped8 *image_a = image_of(w, f->a, a, &f->to_b, &f->to_a, &w->a_images);
    const grz_mapped8 *image_b = image_of(w, f->b, b, &f->to_a, &f->to_b, &w->b_images);
    const grz_boxes8 *boxes_a = &f->a->nodes[a].boxes, *boxes_b = &f->b->nodes[b].boxes;
    if (exchanged)
        w->distances->boxes(boxes_b, image_b, row_mask, f->factor_b, boxes_a, image_a, f->factor_a, &f->to_b, w->bound,
                            out);
    else
        w->distances->boxes(boxes_a, image_a, row_mask, f->factor_a, boxes_b, image_b, f->factor_b, &f->to_a, w->bound,
                            out);
}

/* ---- leaves ---- */

/* The pairs of two leaves that may be near, nearest first. */
typedef struct leaf_pairs
{
    unsigned count;
    near_pair pairs[CHILDREN]; /* places are rows and lanes */
} leaf_pairs;

static void insert_rising(near_pair *pairs, unsigned count, near_pair pair)
{
    unsigned i = count;
    for (; i > 0 && pairs[i - 1].square > pair.square; i--)
        pairs[i] = pairs[i - 1];
    pairs[i] = pair;
}

static uint32_t keep_leaf(work *w, const graze_tree *tree, uint32_t leaf, leaf_cache *cache, bool turn)
{
    uint32_t place = leaf % CACHE_SIZE;
    if (cache->keys[place] != leaf)
    {
        const grz_triangles8 *triangles = &tree->leaves[leaf].triangles;
        const grz_float_map *to_a = &w->frame.to_a;
        w->kernels->facets(triangles, turn ? to_a->matrix : NULL, &cache->facets[place]);
        if (turn)
            cache->views[place] = grz_view_leaf(&w->frame.to_a_exact, triangles);
        cache->keys[place] = leaf;
    }
    return place;
}

/* In the frame made for the query; returns how many pairs are left. */
static unsigned compare_aligned_leaves(work *w, uint32_t leaf_a, uint32_t leaf_b, grz_bounds8x8 *out)
{
    unsigned count_a = w->frame.a->leaves[leaf_a].count, count_b = w->frame.b->leaves[leaf_b].count, left = 0;
    const grz_aligned8 *rows = grz_aligned_leaf_of(&w->aligned, &w->aligned.a, leaf_a);
    const grz_aligned8 *lanes = grz_aligned_leaf_of(&w->aligned, &w->aligned.b, leaf_b);
    w->distances->aligned(rows, (1u << count_a) - 1, lanes, w->frame.factor_a, w->bound, out);
    for (unsigned row = 0; row < count_a; row++)
    {
        out->masks[row] &= (uint8_t)((1u << count_b) - 1);
        left += (unsigned)__builtin_popcount(out->masks[row]);
    }
    return left;
}

/* Between the trees' own frames: along planes and lines of centres. */
static void compare_leaf_facets(work *w, uint32_t leaf_a, uint32_t leaf_b, grz_bounds8x8 *out)
{
    const grz_leaf *a = &w->frame.a->leaves[leaf_a], *b = &w->frame.b->leaves[leaf_b];
    uint32_t place_a = keep_leaf(w, w->frame.a, leaf_a, &w->a_leaves, false);
    uint32_t place_b = keep_leaf(w, w->frame.b, leaf_b, &w->b_leaves, true);
    grz_leaf_shift shift = grz_shift_leaves(&a->triangles, &w->b_leaves.views[place_b]);
    w->distances->leaves(&w->a_leaves.facets[place_a], a->count, &w->b_leaves.facets[place_b], (1u << b->count) - 1,
                         &shift, w->frame.factor_a, w->bound, out);
}

static void compare_leaves(work *w, uint32_t leaf_a, uint32_t leaf_b, grz_bounds8x8 *out)
{
    grz_bounds8x8 aligned;
    if (!w->is_aligned)
        compare_leaf_facets(w, leaf_a, leaf_b, out);
    else if (compare_aligned_leaves(w, leaf_a, leaf_b, out) > FEW_PAIRS)
    {
        aligned = *out;
        compare_leaf_facets(w, leaf_a, leaf_b, out);
        for (unsigned row = 0; row < w->frame.a->leaves[leaf_a].count; row++)
            out->masks[row] &= aligned.masks[row];
    }
}

static void find_leaf_pairs(work *w, uint32_t leaf_a, uint32_t leaf_b, leaf_pairs *out)
{
    const grz_leaf *a = &w->frame.a->leaves[leaf_a];
    grz_bounds8x8 bounds;
    compare_leaves(w, leaf_a, leaf_b, &bounds);
    w->near->leaf_pairs++;
    out->count = 0;
    for (unsigned row = 0; row < a->count; row++)
    {
        for (unsigned mask = bounds.masks[row]; mask != 0; mask &= mask - 1)
        {
            unsigned lane = lowest_bit(mask);
            insert_rising(out->pairs, out->count++, (near_pair){bounds.square[row][lane], row, lane});
        }
    }
}

/* Proposes the pairs that wait. Returns false when the caller asked to stop. */
static bool flush(work *w)
{
    if (w->waiting.count == 0)
        return true;
    bool go_on = w->near->propose(w->near->user, &w->waiting, &w->near->bound);
    w->waiting.count = 0;
    take_bound(w);
    align(w);
    return go_on;
}

/* Pairs of two leaves that may be near wait until there are eight; while there is no bound, they do not. Returns false
   when the caller asked to stop. */
static bool look_at_leaves(work *w, uint32_t leaf_a, uint32_t leaf_b)
{
    const grz_leaf *a = &w->frame.a->leaves[leaf_a], *b = &w->frame.b->leaves[leaf_b];
    leaf_pairs found;
    find_leaf_pairs(w, leaf_a, leaf_b, &found);
    for (unsigned next = 0; next < found.count && found.pairs[next].square < w->bound; next++)
    {
        w->waiting.a[w->waiting.count] = w->frame.a->order[a->first + found.pairs[next].a];
        w->waiting.b[w->waiting.count++] = w->frame.b->order[b->first + found.pairs[next].b];
        if (w->waiting.count == GRZ_LANES && !flush(w))
            return false;
    }
    return w->bound < INFINITY || flush(w);
}

/* ---- nodes ---- */

static float size_of(const graze_tree *tree, uint32_t place)
{
    const grz_boxes8 *boxes = &tree->nodes[place / GRZ_TREE_WIDTH].boxes;
    unsigned lane = place % GRZ_TREE_WIDTH;
    float x = boxes->upper[0][lane] - boxes->lower[0][lane];
    float y = boxes->upper[1][lane] - boxes->lower[1][lane];
    float z = boxes->upper[2][lane] - boxes->lower[2][lane];
    float largest = x > y ? x : y;
    return largest > z ? largest : z;
}

static uint32_t child_at(const graze_tree *tree, uint32_t place)
{
    return tree->nodes[place / GRZ_TREE_WIDTH].children[place % GRZ_TREE_WIDTH];
}

/* How a pair is to be opened. */
typedef struct opening
{
    bool a, b; /* which of the two; neither when both are leaves */
} opening;

static opening choose_opening(const work *w, uint32_t place_a, uint32_t place_b)
{
    bool leaf_a = (child_at(w->frame.a, place_a) & GRZ_LEAF_FLAG) != 0;
    bool leaf_b = (child_at(w->frame.b, place_b) & GRZ_LEAF_FLAG) != 0;
    if (leaf_a || leaf_b)
        return (opening){!leaf_a, !leaf_b};
    float size_a = size_of(w->frame.a, place_a), size_b = size_of(w->frame.b, place_b) * w->frame.b_scale;
    return (opening){!(size_b > 2 * size_a), !(size_a > 2 * size_b)};
}

/* The children of A's node a that may be near B's node b, which stands at place_b: the others need not be compared with
   its children. */
static unsigned near_rows(work *w, uint32_t a, uint32_t b, uint32_t place_b)
{
    grz_bounds8x8 bounds;
    unsigned row = place_b % GRZ_TREE_WIDTH;
    if (!w->is_aligned)
    {
        compare_nodes(w, a, place_b / GRZ_TREE_WIDTH, 1u << row, true, &bounds);
        return bounds.masks[row];
    }
    const grz_aligned_node *first = grz_aligned_node_of(&w->aligned, &w->aligned.a, a);
    const grz_aligned_node *second = grz_aligned_node_of(&w->aligned, &w->aligned.b, b);
    w->near->box_tests += GRZ_TREE_WIDTH;
    w->distances->aligned(&second->around, 1, &first->boxes, w->frame.factor_a, w->bound, &bounds);
    unsigned rows = bounds.masks[0];
    if (rows == 0)
        return 0;
    w->near->box_tests += GRZ_TREE_WIDTH;
    w->distances->aligned(&first->around, 1, &second->boxes, w->frame.factor_a, w->bound, &bounds);
    grz_aligned_tighten(&w->aligned, &w->aligned.a, a, rows);
    grz_aligned_tighten(&w->aligned, &w->aligned.b, b, bounds.masks[0]);
    return bounds.masks[0] != 0 ? rows : 0;
}

/* The children of a pair that may be near, in no order; returns how many. */
static unsigned open_pair(work *w, uint32_t place_a, uint32_t place_b, opening open, near_pair *out)
{
    grz_bounds8x8 bounds;
    unsigned count = 0, row_mask = 0xff;
    uint32_t a = open.a ? child_at(w->frame.a, place_a) : place_a / GRZ_TREE_WIDTH;
    uint32_t b = open.b ? child_at(w->frame.b, place_b) : place_b / GRZ_TREE_WIDTH;
    bool exchanged = !open.b;
    if (!open.a)
        row_mask = 1u << place_a % GRZ_TREE_WIDTH;
    else if (!open.b)
        row_mask = 1u << place_b % GRZ_TREE_WIDTH;
    else
        row_mask = near_rows(w, a, b, place_b);
    if (row_mask == 0)
        return 0;
    compare_nodes(w, a, b, row_mask, exchanged, &bounds);
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = lowest_bit(left);
        for (unsigned mask = bounds.masks[row]; mask != 0; mask &= mask - 1)
        {
            unsigned lane = lowest_bit(mask);
            near_pair pair = {bounds.square[row][lane], a * GRZ_TREE_WIDTH + (exchanged ? lane : row),
                              b * GRZ_TREE_WIDTH + (exchanged ? row : lane)};
            out[count++] = pair;
        }
    }
    return count;
}

/* The nearest is looked at first; in what order the others come matters little once there is a good bound. */
static void put_nearest_last(near_pair *pairs, size_t count)
{
    size_t nearest = 0;
    for (size_t i = 1; i < count; i++)
        nearest = pairs[i].square < pairs[nearest].square ? i : nearest;
    if (count > 0)
    {
        near_pair pair = pairs[nearest];
        pairs[nearest] = pairs[count - 1];
        pairs[count - 1] = pair;
    }
}

/* Both roots at once. */
static unsigned open_roots(work *w, near_pair *out)
{
    grz_bounds8x8 bounds;
    unsigned count = 0;
    compare_nodes(w, 0, 0, 0xff, false, &bounds);
    for (unsigned row = 0; row < GRZ_TREE_WIDTH; row++)
    {
        for (unsigned mask = bounds.masks[row]; mask != 0; mask &= mask - 1)
        {
            unsigned lane = lowest_bit(mask);
            out[count++] = (near_pair){bounds.square[row][lane], row, lane};
        }
    }
    return count;
}

/* Pairs that look nearest, the nearest first. */
typedef struct beam
{
    unsigned count;
    near_pair pairs[BEAM_WIDTH];
} beam;

static void take_into(beam *b, near_pair pair)
{
    if (b->count == BEAM_WIDTH)
    {
        if (!(pair.square < b->pairs[BEAM_WIDTH - 1].square))
            return;
        b->count--;
    }
    insert_rising(b->pairs, b->count++, pair);
}

/* Takes the children of a pair into the beam, by the distances of their centres. */
static void widen(work *w, uint32_t a, unsigned rows, uint32_t b, unsigned lane_mask, beam *out)
{
    grz_bounds8x8 guesses;
    w->distances->centres(&grz_aligned_node_of(&w->aligned, &w->aligned.a, a)->boxes, rows,
                          &grz_aligned_node_of(&w->aligned, &w->aligned.b, b)->boxes, &guesses);
    for (; rows != 0; rows &= rows - 1)
    {
        unsigned row = lowest_bit(rows);
        for (unsigned mask = guesses.masks[row] & lane_mask; mask != 0; mask &= mask - 1)
        {
            unsigned lane = lowest_bit(mask);
            near_pair pair = {guesses.square[row][lane], a * GRZ_TREE_WIDTH + row, b * GRZ_TREE_WIDTH + lane};
            take_into(out, pair);
        }
    }
}

/*
 * Goes down to two leaves that look near, in the frame there is, and measures what is nearest in them. Always the few
 * pairs whose centres are nearest are opened: lower bounds of large boxes say little. Returns false when the caller
 * asked to stop.
 */
static bool dive(work *w)
{
    beam now = {.count = 0}, next;
    widen(w, 0, 0xff, 0, 0xff, &now);
    for (bool opened = true; opened && now.count > 0; now = opened ? next : now)
    {
        opened = false;
        next.count = 0;
        for (unsigned i = 0; i < now.count; i++)
        {
            near_pair pair = now.pairs[i];
            opening open = choose_opening(w, pair.a, pair.b);
            if (!open.a && !open.b)
            {
                take_into(&next, pair);
                continue;
            }
            opened = true;
            widen(w, open.a ? child_at(w->frame.a, pair.a) : pair.a / GRZ_TREE_WIDTH,
                  open.a ? 0xff : 1u << pair.a % GRZ_TREE_WIDTH,
                  open.b ? child_at(w->frame.b, pair.b) : pair.b / GRZ_TREE_WIDTH,
                  open.b ? 0xff : 1u << pair.b % GRZ_TREE_WIDTH, &next);
        }
    }
    return now.count == 0 || (look_at_leaves(w, child_at(w->frame.a, now.pairs[0].a) & ~GRZ_LEAF_FLAG,
                                             child_at(w->frame.b, now.pairs[0].b) & ~GRZ_LEAF_FLAG) &&
                              flush(w));
}

/* The middle of a tree, in the world less A's translation, about. */
static void middle_of(const graze_tree *tree, const graze_pose *pose, const graze_pose *pose_a, double out[3])
{
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = tree->origin[k] + 0.5 * tree->scale * ((double)tree->lower[k] + (double)tree->upper[k]);
    graze_pose shifted = *pose;
    for (int k = 3; k < 12; k += 4)
        shifted.m[k] -= pose_a->m[k];
    for (int k = 0; k < 3; k++)
    {
        const double *row = shifted.m + 4 * k;
        out[k] = row[0] * middle[0] + row[1] * middle[1] + row[2] * middle[2] + row[3];
    }
}

/* Finds near points soon: first along the line between the middles, then along what that found. Returns false when the
   caller asked to stop. */
static bool approach(work *w)
{
    grz_near_bound line = {.witnessed = true};
    middle_of(w->frame.a, w->pose_a, w->pose_a, line.point_a);
    middle_of(w->frame.b, w->pose_b, w->pose_a, line.point_b);
    w->is_aligned = grz_aligned_make(&w->aligned, &w->frame, w->pose_a, w->pose_b, &line);
    float before = INFINITY;
    for (unsigned dives = MOST_DIVES; w->is_aligned && dives > 0; dives--)
    {
        if (!dive(w))
            return false;
        if (!(w->bound < before))
            break;
        before = w->bound;
    }
    return true;
}

static void visit_all(work *w)
{
    while (w->count > 0)
    {
        near_pair pair = w->pairs[--w->count];
        if (!(pair.square < w->bound))
            continue;
        if (!make_room(w))
        {
            w->near->out_of_memory = true;
            return;
        }
        if (w->is_aligned && w->trials_left-- == 0)
        {
            w->is_aligned = false;
            w->frames_left = 0;
        }
        opening open = choose_opening(w, pair.a, pair.b);
        if (open.a || open.b)
        {
            unsigned count = open_pair(w, pair.a, pair.b, open, w->pairs + w->count);
            put_nearest_last(w->pairs + w->count, count);
            w->count += count;
        }
        else if (!look_at_leaves(w, child_at(w->frame.a, pair.a) & ~GRZ_LEAF_FLAG,
                                 child_at(w->frame.b, pair.b) & ~GRZ_LEAF_FLAG))
            return;
    }
    flush(w);
}

/* False when trees or poses do not allow it. */
static bool start_work(work *w, grz_near *near, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    if (!grz_near_frame_make(&w->frame, a, b))
        return false;
    graze_instructions choice = near->context != NULL ? near->context->instructions : GRAZE_INSTRUCTIONS_BEST;
    w->near = near;
    w->pose_a = &a->pose;
    w->pose_b = &b->pose;
    w->is_aligned = false;
    w->frames_left = near->shrinking ? MOST_FRAMES : 0;
    w->trials_left = MOST_TRIALS;
    w->kernels = grz_kernels_for(choice);
    w->distances = w->aligned.kernels = grz_distance_kernels_for(choice);
    w->pairs = w->inline_pairs;
    w->count = 0;
    w->waiting.count = 0;
    w->capacity = INLINE_PAIRS;
    memset(w->a_images.keys, 0xff, sizeof w->a_images.keys);
    memset(w->b_images.keys, 0xff, sizeof w->b_images.keys);
    memset(w->a_leaves.keys, 0xff, sizeof w->a_leaves.keys);
    memset(w->b_leaves.keys, 0xff, sizeof w->b_leaves.keys);
    take_bound(w);
    return true;
}

bool grz_near_trees(grz_near *near, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    work w;
    if (!start_work(&w, near, a, b))
        return false;
    if (w.frame.a->node_count == 0 || w.frame.b->node_count == 0)
        return true;
    bool go_on = !near->shrinking || approach(&w);
    w.count = open_roots(&w, w.pairs);
    put_nearest_last(w.pairs, w.count);
    if (go_on)
        visit_all(&w);
    if (w.pairs != w.inline_pairs)
        grz_release(near->context, w.pairs);
    return true;
}

/* ---- a quick bound ---- */

/* Pairs in a heap, the nearest on top. */
static void push_nearest(near_pair *heap, size_t count, near_pair pair)
{
    size_t i = count;
    for (; i > 0 && heap[(i - 1) / 2].square > pair.square; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = pair;
}

static near_pair pop_nearest(near_pair *heap, size_t count)
{
    near_pair top = heap[0], last = heap[count - 1];
    size_t i = 0, end = count - 1;
    for (size_t child = 1; child < end; child = 2 * i + 1)
    {
        if (child + 1 < end && heap[child + 1].square < heap[child].square)
            child++;
        if (!(heap[child].square < last.square))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

/* The least square of all pairs of boxes after some openings, the nearest first. */
static float least_square(work *w, unsigned openings)
{
    near_pair children[CHILDREN];
    unsigned count = open_roots(w, children);
    for (; count > 0; count--)
        push_nearest(w->pairs, w->count++, children[count - 1]);
    while (w->count > 0 && w->pairs[0].square < w->bound && openings-- > 0 && w->capacity - w->count >= CHILDREN)
    {
        near_pair nearest = w->pairs[0];
        opening open = choose_opening(w, nearest.a, nearest.b);
        if (!open.a && !open.b)
            break;
        pop_nearest(w->pairs, w->count--);
        for (count = open_pair(w, nearest.a, nearest.b, open, children); count > 0; count--)
            push_nearest(w->pairs, w->count++, children[count - 1]);
    }
    return w->count > 0 && w->pairs[0].square < w->bound ? w->pairs[0].square : w->bound;
}

double grz_near_gap(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b, double enough,
                    unsigned openings)
{
    work w;
    grz_near near = {.context = context, .bound = {.distance = enough}};
    if (!start_work(&w, &near, a, b) || w.frame.a->node_count == 0 || w.frame.b->node_count == 0)
        return 0;
    double least = least_square(&w, openings);
    /* The bound itself was rounded up; what it stands for is `enough`. */
    double gap = least > 0 ? sqrt(least) * w.frame.unit * (1 - 0x1p-40) : 0;
    return gap < enough ? gap : enough;
}
