/* SPDX-License-Identifier: MIT */
/* Visiting two trees; see traverse.h. */
#include "pair/traverse.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum
{
    CACHE_SIZE = 16 /* nodes of each tree whose image in the other's frame is kept; a power of two */
};

/* Images of nodes in the other tree's frame. */
typedef struct image_cache
{
    uint32_t keys[CACHE_SIZE]; /* node, or GRZ_NO_CHILD */
    grz_mapped8 images[CACHE_SIZE];
} image_cache;

typedef struct work
{
    grz_traversal *traversal;
    grz_float_map to_a, to_b;
    image_cache a_images, b_images;
    float b_scale; /* a length in B's tree coordinates, in A's */
    grz_place_pair *pairs;
    size_t count, capacity;
} work;

static bool make_room(work *w)
{
    if (w->capacity - w->count >= (size_t)GRZ_TREE_WIDTH * GRZ_TREE_WIDTH)
        return true;
    const graze_context *context = w->traversal->context;
    size_t capacity = 2 * w->capacity + (size_t)GRZ_TREE_WIDTH * GRZ_TREE_WIDTH;
    grz_place_pair *pairs = grz_allocate(context, capacity, sizeof *pairs);
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

static inline unsigned lowest_bit(unsigned mask)
{
    return (unsigned)__builtin_ctz(mask);
}

/* Of a tree against itself, lanes from `first` on are enough: the others come up the other way round. */
static inline unsigned upper_half(unsigned first)
{
    return 0xffu & 0xffu << first;
}

static const grz_mapped8 *image_of(const grz_kernels *kernels, const graze_tree *tree, uint32_t node,
                                   const grz_float_map *there, const grz_float_map *back, image_cache *cache)
{
    uint32_t place = node % CACHE_SIZE;
    if (cache->keys[place] != node)
    {
        kernels->map(&tree->nodes[node].boxes, there, back, &cache->images[place]);
        cache->keys[place] = node;
    }
    return &cache->images[place];
}

/* Compares rows of a node of A with all of a node of B; bits of the result are lanes of B. */
static void compare_nodes(work *w, uint32_t a, unsigned row_mask, uint32_t b, uint8_t masks[GRZ_LANES])
{
    grz_traversal *t = w->traversal;
    const grz_mapped8 *image_a = image_of(t->kernels, t->a, a, &w->to_b, &w->to_a, &w->a_images);
    const grz_mapped8 *image_b = image_of(t->kernels, t->b, b, &w->to_a, &w->to_b, &w->b_images);
    t->kernels->boxes(&t->a->nodes[a].boxes, image_a, row_mask, &t->b->nodes[b].boxes, image_b, masks);
}

static void open_both(work *w, uint32_t a, uint32_t b)
{
    uint8_t masks[GRZ_LANES];
    compare_nodes(w, a, 0xff, b, masks);
    w->traversal->box_tests += 64;
    bool same = w->traversal->self && a == b;
    for (unsigned i = 0; i < GRZ_LANES; i++)
    {
        for (unsigned mask = same ? masks[i] & upper_half(i) : masks[i]; mask != 0; mask &= mask - 1)
            w->pairs[w->count++] = (grz_place_pair){a * GRZ_TREE_WIDTH + i, b * GRZ_TREE_WIDTH + lowest_bit(mask)};
    }
}

/* One child of B against all of A's: the same comparison with the sides exchanged. */
static void open_a(work *w, uint32_t a, uint32_t place_b)
{
    grz_traversal *t = w->traversal;
    uint32_t b = place_b / GRZ_TREE_WIDTH, row = place_b % GRZ_TREE_WIDTH;
    const grz_mapped8 *image_a = image_of(t->kernels, t->a, a, &w->to_b, &w->to_a, &w->a_images);
    const grz_mapped8 *image_b = image_of(t->kernels, t->b, b, &w->to_a, &w->to_b, &w->b_images);
    uint8_t masks[GRZ_LANES];
    t->kernels->boxes(&t->b->nodes[b].boxes, image_b, 1u << row, &t->a->nodes[a].boxes, image_a, masks);
    t->box_tests += 8;
    for (unsigned mask = masks[row]; mask != 0; mask &= mask - 1)
        w->pairs[w->count++] = (grz_place_pair){a * GRZ_TREE_WIDTH + lowest_bit(mask), place_b};
}

static void open_b(work *w, uint32_t place_a, uint32_t b)
{
    uint32_t a = place_a / GRZ_TREE_WIDTH, row = place_a % GRZ_TREE_WIDTH;
    uint8_t masks[GRZ_LANES];
    compare_nodes(w, a, 1u << row, b, masks);
    w->traversal->box_tests += 8;
    for (unsigned mask = masks[row]; mask != 0; mask &= mask - 1)
        w->pairs[w->count++] = (grz_place_pair){place_a, b * GRZ_TREE_WIDTH + lowest_bit(mask)};
}

static bool test_leaves(work *w, uint32_t leaf_a, uint32_t leaf_b)
{
    grz_traversal *t = w->traversal;
    const grz_leaf *a = &t->a->leaves[leaf_a], *b = &t->b->leaves[leaf_b];
    grz_leaf_map map = grz_map_for_leaves(t->to_a, &a->triangles, &b->triangles);
    uint8_t masks[GRZ_LANES];
    t->kernels->triangles(&a->triangles, a->count, &b->triangles, (1u << b->count) - 1, &map, masks);
    t->leaf_pairs++;
    bool same = t->self && leaf_a == leaf_b;
    for (unsigned i = 0; i < a->count; i++)
    {
        for (unsigned mask = same ? masks[i] & upper_half(i + 1) : masks[i]; mask != 0; mask &= mask - 1)
        {
            if (!t->propose(t->user, t->a->order[a->first + i], t->b->order[b->first + lowest_bit(mask)], false))
                return false;
        }
    }
    return true;
}

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

/* Returns false when the caller asked to stop. Inlined, so that the loop keeps the stack in registers: 0.2 us a query.
 */
__attribute__((always_inline)) static inline bool look_at(work *w, grz_place_pair pair)
{
    const graze_tree *a = w->traversal->a, *b = w->traversal->b;
    uint32_t child_a = a->nodes[pair.a / GRZ_TREE_WIDTH].children[pair.a % GRZ_TREE_WIDTH];
    uint32_t child_b = b->nodes[pair.b / GRZ_TREE_WIDTH].children[pair.b % GRZ_TREE_WIDTH];
    bool leaf_a = (child_a & GRZ_LEAF_FLAG) != 0, leaf_b = (child_b & GRZ_LEAF_FLAG) != 0;
    if (leaf_a && leaf_b)
        return test_leaves(w, child_a & ~GRZ_LEAF_FLAG, child_b & ~GRZ_LEAF_FLAG);
    if (leaf_a)
        open_b(w, pair.a, child_b);
    else if (leaf_b)
        open_a(w, child_a, pair.b);
    else
    {
        float size_a = size_of(a, pair.a), size_b = size_of(b, pair.b) * w->b_scale;
        if (size_a > 2 * size_b)
            open_a(w, child_a, pair.b);
        else if (size_b > 2 * size_a)
            open_b(w, pair.a, child_b);
        else
            open_both(w, child_a, child_b);
    }
    return true;
}

static void start_work(work *w, grz_traversal *t)
{
    w->traversal = t;
    w->to_a = grz_map_to_float(t->to_a);
    w->to_b = grz_map_to_float(t->to_b);
    w->pairs = t->pairs;
    w->count = t->count;
    w->capacity = t->capacity;
    memset(w->a_images.keys, 0xff, sizeof w->a_images.keys);
    memset(w->b_images.keys, 0xff, sizeof w->b_images.keys);
    double squares = 0;
    for (int k = 0; k < 9; k++)
        squares += t->to_a->matrix[k / 3][k % 3] * t->to_a->matrix[k / 3][k % 3];
    w->b_scale = (float)sqrt(squares / 3);
}

/* What the next start_work goes on from. */
static void keep_work(const work *w)
{
    grz_traversal *t = w->traversal;
    t->pairs = w->pairs;
    t->count = w->count;
    t->capacity = w->capacity;
}

/* The first pairs. False when out of memory. */
static bool open_roots(work *w)
{
    grz_traversal *t = w->traversal;
    if (t->started)
        return true;
    if (t->a->node_count > 0 && t->b->node_count > 0)
    {
        if (!make_room(w))
            return false;
        open_both(w, 0, 0);
    }
    t->started = true;
    return true;
}

void grz_traversal_start(grz_traversal *traversal, grz_place_pair *room)
{
    traversal->started = false;
    traversal->box_tests = traversal->leaf_pairs = 0;
    traversal->pairs = traversal->room = room;
    traversal->count = 0;
    traversal->capacity = room != NULL ? GRZ_INLINE_PAIRS : 0;
}

grz_traversal_end grz_traversal_advance(grz_traversal *traversal, const grz_pause *pause)
{
    work w;
    start_work(&w, traversal);
    if (!open_roots(&w))
        return GRZ_TRAVERSAL_OUT_OF_MEMORY;
    bool watched = pause != NULL && pause->go_on != NULL;
    uint64_t box_limit = pause != NULL ? pause->box_limit : UINT64_MAX;
    uint32_t countdown = watched ? pause->interval : 0; /* 0 wraps around: once in 2^32 pairs, for nothing */
    grz_traversal_end end = GRZ_TRAVERSAL_DONE;
    while (w.count > 0 && end == GRZ_TRAVERSAL_DONE)
    {
        if (traversal->box_tests >= box_limit)
        {
            end = GRZ_TRAVERSAL_PAUSED;
            break;
        }
        grz_place_pair pair = w.pairs[--w.count];
        if (!make_room(&w))
            end = GRZ_TRAVERSAL_OUT_OF_MEMORY;
        else if (!look_at(&w, pair))
            end = GRZ_TRAVERSAL_STOPPED;
        else if (--countdown == 0 && watched)
        {
            countdown = pause->interval;
            traversal->count = w.count;
            if (!pause->go_on(pause->user) && w.count > 0)
                end = GRZ_TRAVERSAL_PAUSED;
        }
    }
    keep_work(&w);
    return end;
}

static bool is_leaf_pair(const grz_traversal *t, grz_place_pair pair)
{
    uint32_t child_a = t->a->nodes[pair.a / GRZ_TREE_WIDTH].children[pair.a % GRZ_TREE_WIDTH];
    uint32_t child_b = t->b->nodes[pair.b / GRZ_TREE_WIDTH].children[pair.b % GRZ_TREE_WIDTH];
    return (child_a & child_b & GRZ_LEAF_FLAG) != 0;
}

/* Opens every pair once. Returns false when out of memory; *out_opened tells whether any could be opened. */
static bool expand_once(work *w, bool *out_opened)
{
    grz_traversal *t = w->traversal;
    grz_place_pair *before = w->pairs;
    size_t count = w->count, capacity = (count + 1) * GRZ_TREE_WIDTH * GRZ_TREE_WIDTH;
    grz_place_pair *pairs = grz_allocate(t->context, capacity, sizeof *pairs);
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
        look_at(w, before[i]);
        *out_opened = true;
    }
    if (before != t->room)
        grz_release(t->context, before);
    return true;
}

bool grz_traversal_expand(grz_traversal *traversal, size_t wanted)
{
    work w;
    start_work(&w, traversal);
    bool enough_memory = open_roots(&w), opened = true;
    while (enough_memory && opened && w.count > 0 && w.count < wanted)
        enough_memory = expand_once(&w, &opened);
    keep_work(&w);
    return enough_memory;
}

bool grz_traversal_cut(grz_traversal *traversal, size_t first, grz_traversal *out_rest)
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

void grz_traversal_end_all(grz_traversal *traversal)
{
    if (traversal->pairs != traversal->room)
        grz_release(traversal->context, traversal->pairs);
    traversal->pairs = traversal->room;
    traversal->count = 0;
    traversal->capacity = traversal->room != NULL ? GRZ_INLINE_PAIRS : 0;
}
