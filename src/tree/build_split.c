/* SPDX-License-Identifier: MIT */
/*
 * Splitting a range of triangles by the binned surface area heuristic (Wald, On fast construction of SAH-based bounding
 * volume hierarchies, 2007); see build.h.
 *
 * The cost of a side is its area times the number of leaf blocks it needs, not the number of triangles: a leaf of eight
 * costs what a leaf of three does, and counting blocks fills them.
 */
#include <math.h>
#include <string.h>

#include "simd/quad.h"
#include "tree/build.h"

enum
{
    BIN_COUNT = 16,
    ALL_AXES_LIMIT = 256 /* larger ranges look only at the axis of widest spread */
};

#define SCATTER_SHARE 1.0f

/* A box whose halves are quads; the fourth lanes mean nothing. */
typedef struct quad_box
{
    quad lower, upper;
} quad_box;

static quad_box empty_box(void)
{
    quad_box box = {quad_fill(INFINITY), quad_fill(-INFINITY)};
    return box;
}

static void include(quad_box *box, quad lower, quad upper)
{
    box->lower = quad_min(box->lower, lower);
    box->upper = quad_max(box->upper, upper);
}

static float area_of(const float lower[3], const float upper[3])
{
    float x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
    return x * y + y * z + z * x;
}

static float box_area(const quad_box *box)
{
    _Alignas(16) float size[4];
    quad_store(size, quad_subtract(box->upper, box->lower));
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

float grz_range_area(const grz_range *range)
{
    return area_of(range->lower, range->upper);
}

grz_range grz_range_make(const grz_reference *references, size_t first, size_t count)
{
    quad_box box = empty_box(), centres = empty_box();
    for (size_t i = first; i < first + count; i++)
    {
        quad lower = quad_load(references[i].lower), upper = quad_load(references[i].upper);
        quad centre = quad_add(lower, upper);
        include(&box, lower, upper);
        include(&centres, centre, centre);
    }
    grz_range range;
    range.first = first;
    range.count = count;
    quad_store(range.lower, box.lower);
    quad_store(range.upper, box.upper);
    quad_store(range.centre_lower, centres.lower);
    quad_store(range.centre_upper, centres.upper);
    return range;
}

/*
 * Testing a leaf costs the same whether its triangles fill its box or not, but an empty box is entered for nothing: two
 * small bodies far apart must not share a leaf. The triangles of a connected patch have boxes whose areas sum to more
 * than that of the box around them.
 */
static bool is_scattered(const grz_reference *references, const grz_range *range)
{
    float sum = 0;
    for (size_t i = range->first; i < range->first + range->count; i++)
        sum += area_of(references[i].lower, references[i].upper);
    return sum < SCATTER_SHARE * area_of(range->lower, range->upper);
}

bool grz_range_makes_leaf(const grz_reference *references, const grz_range *range, uint32_t leaf_size)
{
    return range->count == 1 || (range->count <= leaf_size && !is_scattered(references, range));
}

bool grz_range_is_deep(const grz_range *range, uint32_t depth)
{
    uint32_t levels = 1; /* that halving would still need */
    while ((range->count - 1) >> levels != 0)
        levels++;
    return depth + levels >= GRZ_TREE_MAX_DEPTH - 1;
}

/* Where an axis is cut: references whose bin is below `bin` go left. */
typedef struct cut
{
    int axis, bin;
    float start, scale; /* bin = (doubled centre - start) * scale */
    float cost;
} cut;

static inline int bin_of(const cut *c, const grz_reference *reference)
{
    int bin = (int)((reference->lower[c->axis] + reference->upper[c->axis] - c->start) * c->scale);
    return bin < BIN_COUNT ? bin : BIN_COUNT - 1;
}

static float block_count(size_t count, uint32_t leaf_size)
{
    return (float)((count + leaf_size - 1) / leaf_size);
}

/* Finds the best cut of one axis; *best is replaced when it is beaten. */
static void try_axis(const grz_reference *references, const grz_range *range, uint32_t leaf_size, cut c, cut *best)
{
    quad_box boxes[BIN_COUNT];
    size_t counts[BIN_COUNT] = {0};
    for (int i = 0; i < BIN_COUNT; i++)
        boxes[i] = empty_box();
    for (size_t i = range->first; i < range->first + range->count; i++)
    {
        int bin = bin_of(&c, &references[i]);
        include(&boxes[bin], quad_load(references[i].lower), quad_load(references[i].upper));
        counts[bin]++;
    }
    float left_costs[BIN_COUNT];
    size_t left_counts[BIN_COUNT];
    quad_box sum = empty_box();
    size_t count = 0;
    for (int i = 0; i < BIN_COUNT - 1; i++)
    {
        include(&sum, boxes[i].lower, boxes[i].upper);
        count += counts[i];
        left_counts[i] = count;
        left_costs[i] = count == 0 ? 0 : box_area(&sum) * block_count(count, leaf_size);
    }
    sum = empty_box();
    count = 0;
    for (int i = BIN_COUNT - 1; i > 0; i--)
    {
        include(&sum, boxes[i].lower, boxes[i].upper);
        count += counts[i];
        if (count == 0 || left_counts[i - 1] == 0)
            continue;
        float cost = left_costs[i - 1] + box_area(&sum) * block_count(count, leaf_size);
        if (cost < best->cost)
        {
            *best = c;
            best->bin = i;
            best->cost = cost;
        }
    }
}

static bool find_cut(const grz_reference *references, const grz_range *range, uint32_t leaf_size, cut *out_cut)
{
    float spreads[3];
    int widest = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        spreads[axis] = range->centre_upper[axis] - range->centre_lower[axis];
        if (spreads[axis] > spreads[widest])
            widest = axis;
    }
    cut best = {0, 0, 0, 0, INFINITY};
    for (int axis = 0; axis < 3; axis++)
    {
        if (!(spreads[axis] > 0) || (range->count > ALL_AXES_LIMIT && axis != widest))
            continue;
        cut c = {axis, 0, range->centre_lower[axis], (float)BIN_COUNT / spreads[axis], INFINITY};
        if (isfinite(c.scale)) /* a spread too small to divide by is no spread */
            try_axis(references, range, leaf_size, c, &best);
    }
    *out_cut = best;
    return best.cost < INFINITY;
}

/* Keeps the order on both sides. Every reference is written to both, and the one of them that counts moves on: which
   side it is on cannot be foreseen, so a branch would cost more. */
static size_t partition(grz_reference *references, grz_reference *spare, const grz_range *range, const cut *c)
{
    grz_reference *left = references + range->first, *right = spare + range->first;
    for (size_t i = range->first; i < range->first + range->count; i++)
    {
        grz_reference moved = references[i];
        bool goes_left = bin_of(c, &moved) < c->bin;
        *left = moved;
        *right = moved;
        left += goes_left;
        right += !goes_left;
    }
    size_t left_count = (size_t)(left - references) - range->first;
    memcpy(left, spare + range->first, (range->count - left_count) * sizeof *left);
    return left_count;
}

void grz_range_split(grz_reference *references, grz_reference *spare, const grz_range *range, uint32_t leaf_size,
                     bool balanced, grz_range out_halves[2])
{
    cut best;
    size_t left_count = range->count / 2;
    if (!balanced && find_cut(references, range, leaf_size, &best))
        left_count = partition(references, spare, range, &best);
    out_halves[0] = grz_range_make(references, range->first, left_count);
    out_halves[1] = grz_range_make(references, range->first + left_count, range->count - left_count);
}
