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
    float bound; /* near->bound in the frame's unit, squared, rounded up */
    image_cache a_images, b_images;
    leaf_cache a_leaves, b_leaves;
    near_pair *pairs;
    size_t count, capacity;
    near_pair inline_pairs[INLINE_PAIRS];
} work;

/* Rounded up with room to spare, so that a square that is not below it surely belongs to a distance that is not below
   the bound. */
static void take_bound(work *w)
{
    double bound = w->near->bound / w->frame.unit;
    double square = bound * bound * (1 + 0x1p-40) + 0x1p-119;
    w->bound = square < FLT_MAX ? (float)square * (1 + 0x1p-22f) : INFINITY;
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
    const grz_mapped8 *image_a = image_of(w, f->a, a, &f->to_b, &f->to_a, &w->a_images);
    const grz_mapped8 *image_b = image_of(w, f->b, b, &f->to_a, &f->to_b, &w->b_images);
    const grz_boxes8 *boxes_a = &f->a->nodes[a].boxes, *boxes_b = &f->b->nodes[b].boxes;
    if (exchanged)
        w->distances->boxes(boxes_b, image_b, row_mask, f->factor_b, boxes_a, image_a, f->factor_a, &f->to_b, w->bound,
                            out);
    else
        w->distances->boxes(boxes_a, image_a, row_mask, f->factor_a, boxes_b, image_b, f->factor_b, &f->to_a, w->bound,
                            out);
    w->near->box_tests += (uint64_t)GRZ_TREE_WIDTH * (unsigned)__builtin_popcount(row_mask);
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

static void find_leaf_pairs(work *w, uint32_t leaf_a, uint32_t leaf_b, leaf_pairs *out)
{
    const grz_leaf *a = &w->frame.a->leaves[leaf_a], *b = &w->frame.b->leaves[leaf_b];
    uint32_t place_a = keep_leaf(w, w->frame.a, leaf_a, &w->a_leaves, false);
    uint32_t place_b = keep_leaf(w, w->frame.b, leaf_b, &w->b_leaves, true);
    grz_leaf_shift shift = grz_shift_leaves(&a->triangles, &w->b_leaves.views[place_b]);
    grz_bounds8x8 bounds;
    w->distances->leaves(&w->a_leaves.facets[place_a], a->count, &w->b_leaves.facets[place_b], (1u << b->count) - 1,
                         &shift, w->frame.factor_a, w->bound, &bounds);
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

/* Returns false when the caller asked to stop. While there is no bound, the nearest pair goes alone to give one. */
static bool look_at_leaves(work *w, uint32_t leaf_a, uint32_t leaf_b)
{
    const grz_leaf *a = &w->frame.a->leaves[leaf_a], *b = &w->frame.b->leaves[leaf_b];
    leaf_pairs found;
    find_leaf_pairs(w, leaf_a, leaf_b, &found);
    for (unsigned next = 0; next < found.count && found.pairs[next].square < w->bound;)
    {
        grz_gap_pairs some;
        for (some.count = 0; some.count < GRZ_LANES && next < found.count; some.count++, next++)
        {
            if (!(found.pairs[next].square < w->bound))
                break;
            some.a[some.count] = w->frame.a->order[a->first + found.pairs[next].a];
            some.b[some.count] = w->frame.b->order[b->first + found.pairs[next].b];
        }
        if (!w->near->propose(w->near->user, &some, &w->near->bound))
            return false;
        take_bound(w);
    }
    return true;
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
    else /* a child of A that is far from all of B's node need not be compared with its children */
    {
        unsigned row = place_b % GRZ_TREE_WIDTH;
        compare_nodes(w, a, place_b / GRZ_TREE_WIDTH, 1u << row, true, &bounds);
        row_mask = bounds.masks[row];
    }
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

/* Farthest first. */
static void sort_falling(near_pair *pairs, size_t count)
{
    for (size_t k = 1; k < count; k++)
    {
        near_pair pair = pairs[k];
        size_t i = k;
        for (; i > 0 && pairs[i - 1].square < pair.square; i--)
            pairs[i] = pairs[i - 1];
        pairs[i] = pair;
    }
}

static near_pair nearest_of(const near_pair *pairs, unsigned count)
{
    near_pair nearest = pairs[0];
    for (unsigned i = 1; i < count; i++)
    {
        if (pairs[i].square < nearest.square)
            nearest = pairs[i];
    }
    return nearest;
}

/* Goes down to the nearest leaves. Returns false when the caller asked to stop. */
static bool dive(work *w, near_pair *children, unsigned count)
{
    while (count > 0)
    {
        near_pair nearest = nearest_of(children, count);
        opening open = choose_opening(w, nearest.a, nearest.b);
        if (!open.a && !open.b)
            return look_at_leaves(w, child_at(w->frame.a, nearest.a) & ~GRZ_LEAF_FLAG,
                                  child_at(w->frame.b, nearest.b) & ~GRZ_LEAF_FLAG);
        count = open_pair(w, nearest.a, nearest.b, open, children);
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
        opening open = choose_opening(w, pair.a, pair.b);
        if (open.a || open.b)
        {
            unsigned count = open_pair(w, pair.a, pair.b, open, w->pairs + w->count);
            sort_falling(w->pairs + w->count, count);
            w->count += count;
        }
        else if (!look_at_leaves(w, child_at(w->frame.a, pair.a) & ~GRZ_LEAF_FLAG,
                                 child_at(w->frame.b, pair.b) & ~GRZ_LEAF_FLAG))
            return;
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

/* False when trees or poses do not allow it. */
static bool start_work(work *w, grz_near *near, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    if (!grz_near_frame_make(&w->frame, a, b))
        return false;
    graze_instructions choice = near->context != NULL ? near->context->instructions : GRAZE_INSTRUCTIONS_BEST;
    w->near = near;
    w->kernels = grz_kernels_for(choice);
    w->distances = grz_distance_kernels_for(choice);
    w->pairs = w->inline_pairs;
    w->count = 0;
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
    w.count = open_roots(&w, w.pairs);
    bool go_on = true;
    if (near->shrinking)
    {
        near_pair below[CHILDREN];
        memcpy(below, w.pairs, w.count * sizeof *below);
        go_on = dive(&w, below, (unsigned)w.count);
    }
    sort_falling(w.pairs, w.count);
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
    grz_near near = {.context = context, .bound = enough};
    if (!start_work(&w, &near, a, b) || w.frame.a->node_count == 0 || w.frame.b->node_count == 0)
        return 0;
    double least = least_square(&w, openings);
    /* The bound itself was rounded up; what it stands for is `enough`. */
    double gap = least > 0 ? sqrt(least) * w.frame.unit * (1 - 0x1p-40) : 0;
    return gap < enough ? gap : enough;
}
