/* SPDX-License-Identifier: MIT */
/*
 * Traversals of wide BVHs; included once by each wide_bvh_<set>.c, which defines GRZ_KERNELS, the table's name, and
 * GRZ_KERNELS_NAME. Stacks hold the nodes still to be opened of each level: up to 64 pairs for two nodes opened
 * together, up to 8 children for one.
 */
#include "simd/f32x8.h"
#include "simd/set_bits.h"
#include "simd/wide_bvh.h"

enum
{
    STACK = GRZ_WIDE * (GRZ_WIDE_DEPTH + 1),
    QUEUE = 4096
};

/* Bounds of a node's children. */
typedef struct child_bounds
{
    f32x8 lower[3], upper[3];
} child_bounds;

static inline child_bounds child_bounds_of(const grz_wide_node *node)
{
    child_bounds c;
    for (int axis = 0; axis < 3; axis++)
    {
        c.lower[axis] = f32x8_load(node->lower[axis]);
        c.upper[axis] = f32x8_load(node->upper[axis]);
    }
    return c;
}

static inline grz_wide_box box_at(const grz_wide_node *node, unsigned slot)
{
    grz_wide_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = node->lower[axis][slot];
        box.upper[axis] = node->upper[axis][slot];
    }
    return box;
}

/* The children whose boxes overlap this one. */
static inline unsigned overlapping_children(const child_bounds *c, const grz_wide_box *box)
{
    mask32x8 meet = mask32x8_all();
    for (int axis = 0; axis < 3; axis++)
        meet = mask32x8_and_within(meet, c->upper[axis], box->lower[axis], c->lower[axis], box->upper[axis]);
    return mask32x8_bits(meet);
}

static inline unsigned first_of(unsigned mask)
{
    return (unsigned)__builtin_ctz(mask);
}

static inline bool has_room(grz_wide_pairs *pairs)
{
    if (pairs->capacity - pairs->count >= GRZ_WIDE * GRZ_WIDE || pairs->grow(pairs))
        return true;
    pairs->failed = true;
    return false;
}

static inline void add_pairs(uint32_t id, const grz_wide_node *node, unsigned mask, grz_wide_pairs *pairs)
{
    for (; mask != 0; mask &= mask - 1)
        pairs->data[pairs->count++] = (uint64_t)id << 32 | node->child[first_of(mask)];
}

/* Appends the children in a mask to a list with room for eight more; without branches where possible. */
static inline unsigned append_children(uint32_t *list, unsigned count, const grz_wide_node *node, unsigned mask)
{
#if defined(GRZ_VECTORS_AVX512)
    __m256i children = _mm256_loadu_si256((const __m256i *)(const void *)node->child);
    _mm256_storeu_si256((__m256i *)(void *)(list + count), _mm256_maskz_compress_epi32((__mmask8)mask, children));
    return count + (unsigned)__builtin_popcount(mask);
#elif defined(GRZ_VECTORS_AVX)
    __m256i children = _mm256_loadu_si256((const __m256i *)(const void *)node->child);
    __m256i lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)grz_set_bits[mask]));
    _mm256_storeu_si256((__m256i *)(void *)(list + count), _mm256_permutevar8x32_epi32(children, lanes));
    return count + (unsigned)__builtin_popcount(mask);
#else
    for (; mask != 0; mask &= mask - 1)
        list[count++] = node->child[first_of(mask)];
    return count;
#endif
}

static void bounds_kernel(const grz_wide_node *node, grz_wide_box *out)
{
    for (int axis = 0; axis < 3; axis++)
    {
        out->lower[axis] = f32x8_reduce_min(f32x8_load(node->lower[axis]));
        out->upper[axis] = f32x8_reduce_max(f32x8_load(node->upper[axis]));
    }
}

static unsigned overlap_kernel(const grz_wide_node *node, const grz_wide_box *box)
{
    child_bounds c = child_bounds_of(node);
    return overlapping_children(&c, box);
}

/* Reports the boxes of a node that overlap a query's box. Most did so before: that is the only branch. */
static inline void report_overlaps(const grz_wide_query *query, const grz_wide_node *node, const child_bounds *c,
                                   unsigned boxes, grz_wide_pairs *pairs)
{
    unsigned changed = boxes & node->changed, others = boxes & ~changed & ~overlapping_children(c, &query->before);
    if ((changed | others) == 0 || !has_room(pairs))
        return;
    for (; changed != 0; changed &= changed - 1)
        if (node->child[first_of(changed)] > query->id)
            others |= changed & -changed;
    add_pairs(query->id, node, others, pairs);
}

/* One query below one node. */
static void query_below(const grz_wide_node *nodes, const grz_wide_query *query, uint32_t start, grz_wide_pairs *pairs)
{
    uint32_t stack[STACK];
    unsigned height = 0;
    stack[height++] = start;
    while (height > 0 && !pairs->failed)
    {
        const grz_wide_node *node = &nodes[stack[--height]];
        child_bounds c = child_bounds_of(node);
        unsigned meet = overlapping_children(&c, &query->now);
        height = append_children(stack, height, node, meet & node->inner);
        if (node->inner != node->used)
            report_overlaps(query, node, &c, meet & ~(unsigned)node->inner, pairs);
    }
}

/* All queries traverse the tree together, level by level. So the next node never depends on the last result, and nodes
   of one level follow each other: their loads overlap. A query that finds no room in the queue,
   because some overlap very many nodes, is finished on its own. */
static void query_kernel(const grz_wide_node *nodes, const grz_wide_query *queries, unsigned query_count,
                         grz_wide_pairs *pairs)
{
    uint32_t queue[QUEUE];
    uint8_t query_of[QUEUE]; /* the query of each entry of the queue */
    unsigned first = 0, end = 0;
    for (unsigned i = 0; i < query_count; i++)
    {
        queue[end] = 0;
        query_of[end++] = (uint8_t)i;
    }
    for (; first < end && !pairs->failed; first++)
    {
        const grz_wide_query *query = &queries[query_of[first]];
        const grz_wide_node *node = &nodes[queue[first]];
        if (end + GRZ_WIDE > QUEUE)
        {
            query_below(nodes, query, queue[first], pairs);
            continue;
        }
        child_bounds c = child_bounds_of(node);
        unsigned meet = overlapping_children(&c, &query->now);
        memset(query_of + end, query_of[first], GRZ_WIDE);
        end = append_children(queue, end, node, meet & node->inner);
        if (node->inner != node->used)
            report_overlaps(query, node, &c, meet & ~(unsigned)node->inner, pairs);
    }
}

/* A box against the subtree of a node; `changed` tells whether the box did. */
static void box_against_subtree(const grz_wide_node *nodes, const grz_wide_box *box, uint32_t id, bool changed,
                                uint32_t start, grz_wide_pairs *pairs)
{
    uint32_t stack[STACK];
    unsigned height = 0;
    stack[height++] = start;
    while (height > 0)
    {
        const grz_wide_node *node = &nodes[stack[--height]];
        child_bounds c = child_bounds_of(node);
        unsigned meet = overlapping_children(&c, box) & (changed ? ~0u : node->changed);
        height = append_children(stack, height, node, meet & node->inner);
        if (!has_room(pairs))
            return;
        add_pairs(id, node, meet & ~(unsigned)node->inner, pairs);
    }
}

/* The pairs of nodes still to be opened. */
typedef struct node_pair_stack
{
    uint64_t pairs[GRZ_WIDE * GRZ_WIDE * GRZ_WIDE_DEPTH];
    unsigned height;
} node_pair_stack;

static inline void push_pair(node_pair_stack *open, uint32_t a, uint32_t b)
{
    open->pairs[open->height++] = (uint64_t)a << 32 | b;
}

/* One child of a node, `row`, with the children of another (or of the same) node that it overlaps. */
static inline void pair_child(const grz_wide_node *nodes, const grz_wide_node *a, unsigned row, const grz_wide_box *box,
                              const grz_wide_node *b, unsigned meet, node_pair_stack *open, grz_wide_pairs *pairs)
{
    bool changed = (a->changed >> row & 1) != 0;
    meet &= changed ? ~0u : b->changed;
    unsigned inner = meet & b->inner, boxes = meet & ~(unsigned)b->inner;
    if ((a->inner >> row & 1) == 0)
    {
        if (!has_room(pairs))
            return;
        add_pairs(a->child[row], b, boxes, pairs);
        for (; inner != 0; inner &= inner - 1)
            box_against_subtree(nodes, box, a->child[row], changed, b->child[first_of(inner)], pairs);
        return;
    }
    for (; inner != 0; inner &= inner - 1)
        push_pair(open, a->child[row], b->child[first_of(inner)]);
    for (; boxes != 0; boxes &= boxes - 1)
    {
        unsigned slot = first_of(boxes);
        grz_wide_box other = box_at(b, slot);
        box_against_subtree(nodes, &other, b->child[slot], (b->changed >> slot & 1) != 0, a->child[row], pairs);
    }
}

static inline void expand_self(const grz_wide_node *nodes, const grz_wide_node *node, node_pair_stack *open,
                               grz_wide_pairs *pairs)
{
    child_bounds c = child_bounds_of(node);
    for (unsigned left = node->used; left != 0; left &= left - 1)
    {
        unsigned row = first_of(left);
        if ((node->inner & node->changed & left & -left) != 0)
            push_pair(open, node->child[row], node->child[row]);
        grz_wide_box box = box_at(node, row);
        pair_child(nodes, node, row, &box, node, overlapping_children(&c, &box) & (~1u << row), open, pairs);
    }
}

static inline void expand_pair(const grz_wide_node *nodes, const grz_wide_node *a, const grz_wide_node *b,
                               node_pair_stack *open, grz_wide_pairs *pairs)
{
    child_bounds rows = child_bounds_of(a), c = child_bounds_of(b);
    grz_wide_box around = box_at(&nodes[b->parent], b->slot);
    for (unsigned left = overlapping_children(&rows, &around); left != 0; left &= left - 1)
    {
        unsigned row = first_of(left);
        grz_wide_box box = box_at(a, row);
        pair_child(nodes, a, row, &box, b, overlapping_children(&c, &box), open, pairs);
    }
}

static void self_pairs_kernel(const grz_wide_node *nodes, grz_wide_pairs *pairs)
{
    node_pair_stack open;
    open.height = 0;
    push_pair(&open, 0, 0);
    while (open.height > 0)
    {
        uint64_t pair = open.pairs[--open.height];
        const grz_wide_node *a = &nodes[pair >> 32], *b = &nodes[(uint32_t)pair];
        if (pairs->failed)
            return;
        if (a == b)
            expand_self(nodes, a, &open, pairs);
        else
            expand_pair(nodes, a, b, &open, pairs);
    }
}

const grz_wide_kernels GRZ_KERNELS = {.name = GRZ_KERNELS_NAME,
                                      .bounds = bounds_kernel,
                                      .overlap = overlap_kernel,
                                      .query = query_kernel,
                                      .self_pairs = self_pairs_kernel};
