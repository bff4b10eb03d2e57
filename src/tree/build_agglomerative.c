/* SPDX-License-Identifier: MIT */
/*
 * Splitting a mesh of few triangles by agglomerative clustering (Walter et al. 2008); see build.h.
 *
 * Splits across an axis cannot separate bodies that cross: of three bars through one point, each split takes a face of
 * one and a face of another. Here the two clusters whose common box has the least surface area are merged repeatedly,
 * until two are left. At first only those merge that fit a leaf together and fill its box, so that leaves are filled.
 * The work grows at least with the square of the number of triangles, so this is for small meshes only, where good
 * leaves pay most: every query of a large mesh meets the same few of them.
 */
#include <math.h>

#include "simd/i16x8.h"
#include "tree/build.h"

typedef struct cluster
{
    _Alignas(16) int16_t box[8];
    uint32_t count; /* of items; 0 when it was merged into another */
    float areas;    /* sum of the areas of their boxes */
    uint32_t nearest;
    float cost; /* of merging with the nearest: half the surface area of the common box; INFINITY when not allowed */
} cluster;

typedef struct clustering
{
    cluster clusters[GRZ_AGGLOMERATIVE_SIZE];
    uint8_t owners[GRZ_AGGLOMERATIVE_SIZE]; /* cluster of each item */
    uint32_t count, left;
    uint32_t leaf_size; /* capacity of a leaf, or 0 where all may merge */
} clustering;

static float cost_of(const clustering *c, const cluster *a, const cluster *b)
{
    float area = i16x8_half_area(i16x8_min(i16x8_load(a->box), i16x8_load(b->box)));
    if (c->leaf_size > 0 && (a->count + b->count > c->leaf_size || a->areas + b->areas < GRZ_COMPACT_SHARE * area))
        return INFINITY;
    return area;
}

/* Finds the nearest cluster of one; updates others for which this one is nearer than theirs. */
static void find_nearest(clustering *c, uint32_t index)
{
    cluster *one = &c->clusters[index];
    one->cost = INFINITY;
    for (uint32_t i = 0; i < c->count; i++)
    {
        cluster *other = &c->clusters[i];
        if (i == index || other->count == 0)
            continue;
        float cost = cost_of(c, one, other);
        if (cost < one->cost)
        {
            one->cost = cost;
            one->nearest = i;
        }
        if (cost < other->cost)
        {
            other->cost = cost;
            other->nearest = index;
        }
    }
}

/* Merges a cluster with its nearest. */
static void merge_nearest(clustering *c, uint32_t index)
{
    cluster *one = &c->clusters[index], *other = &c->clusters[one->nearest];
    uint32_t gone = one->nearest;
    i16x8_store(one->box, i16x8_min(i16x8_load(one->box), i16x8_load(other->box)));
    one->count += other->count;
    one->areas += other->areas;
    other->count = 0;
    c->left--;
    for (uint32_t i = 0; i < c->count; i++)
    {
        if (c->owners[i] == gone)
            c->owners[i] = (uint8_t)index;
    }
    for (uint32_t i = 0; i < c->count; i++)
    {
        cluster *third = &c->clusters[i];
        if (i == index || (third->count > 0 && (third->nearest == index || third->nearest == gone)))
            find_nearest(c, i);
    }
}

/* Merges until two are left, or no merge is allowed. */
static void merge_all(clustering *c, uint32_t leaf_size)
{
    c->leaf_size = leaf_size;
    for (uint32_t i = 0; i < c->count; i++)
    {
        c->clusters[i].cost = INFINITY;
        c->clusters[i].nearest = UINT32_MAX;
    }
    for (uint32_t i = 0; i < c->count; i++)
    {
        if (c->clusters[i].count > 0)
            find_nearest(c, i);
    }
    while (c->left > 2)
    {
        uint32_t best = UINT32_MAX;
        float least = INFINITY;
        for (uint32_t i = 0; i < c->count; i++)
        {
            if (c->clusters[i].count > 0 && c->clusters[i].cost < least)
            {
                best = i;
                least = c->clusters[i].cost;
            }
        }
        if (best == UINT32_MAX)
            return;
        merge_nearest(c, best);
    }
}

uint64_t grz_range_agglomerate(const grz_split_input *input, const grz_range *range)
{
    const grz_quantized_reference *items = input->items + range->first;
    clustering c = {.count = range->count, .left = range->count};
    for (uint32_t i = 0; i < c.count; i++)
    {
        i16x8 box = i16x8_load(items[i].lower);
        i16x8_store(c.clusters[i].box, box);
        c.clusters[i].count = 1;
        c.clusters[i].areas = i16x8_half_area(box);
        c.owners[i] = (uint8_t)i;
    }
    merge_all(&c, input->leaf_size);
    merge_all(&c, 0);
    uint64_t first = 0;
    for (uint32_t i = 0; i < c.count; i++)
        first |= (uint64_t)(c.owners[i] == c.owners[0]) << i;
    return first;
}
