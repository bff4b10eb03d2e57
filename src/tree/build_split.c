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

static inline void include(quad_box *box, quad lower, quad upper)
{
    box->lower = quad_min(box->lower, lower);
    box->upper = quad_max(box->upper, upper);
}

static float area_of(const float lower[3], const float upper[3])
{
    float x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
    return x * y + y * z + z * x;
}

float grz_range_area(const grz_range *range)
{
    return area_of(range->lower, range->upper);
}

/* Two sums side by side, since each step of one waits for the last. */
grz_range grz_range_make(const grz_reference *references, size_t first, size_t count)
{
    quad_box boxes[2] = {empty_box(), empty_box()}, centres[2] = {empty_box(), empty_box()};
    for (size_t i = first; i < first + count; i++)
    {
        quad lower = quad_load(references[i].lower), upper = quad_load(references[i].upper);
        quad centre = quad_add(lower, upper);
        include(&boxes[i % 2], lower, upper);
        include(&centres[i % 2], centre, centre);
    }
    include(&boxes[0], boxes[1].lower, boxes[1].upper);
    include(&centres[0], centres[1].lower, centres[1].upper);
    grz_range range;
    range.first = first;
    range.count = count;
    quad_store(range.lower, boxes[0].lower);
    quad_store(range.upper, boxes[0].upper);
    quad_store(range.centre_lower, centres[0].lower);
    quad_store(range.centre_upper, centres[0].upper);
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
    return sum < SCATTER_SHARE * grz_range_area(range);
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

/* Bins of one axis. */
typedef struct bins
{
    quad_box boxes[BIN_COUNT];
    uint32_t counts[BIN_COUNT];
} bins;

static void clear_bins(bins *b)
{
    for (int i = 0; i < BIN_COUNT; i++)
    {
        b->boxes[i] = empty_box();
        b->counts[i] = 0;
    }
}

static void fill_one_axis(const grz_reference *references, const grz_range *range, const cut *c, bins *out)
{
    bins halves[2]; /* taken in turn: neighbours often fall into the same bin, and would wait for one another */
    clear_bins(&halves[0]);
    clear_bins(&halves[1]);
    for (size_t i = range->first; i < range->first + range->count; i++)
    {
        int bin = bin_of(c, &references[i]);
        include(&halves[i % 2].boxes[bin], quad_load(references[i].lower), quad_load(references[i].upper));
        halves[i % 2].counts[bin]++;
    }
    for (int i = 0; i < BIN_COUNT; i++)
    {
        include(&halves[0].boxes[i], halves[1].boxes[i].lower, halves[1].boxes[i].upper);
        halves[0].counts[i] += halves[1].counts[i];
    }
    *out = halves[0];
}

static void fill_all_axes(const grz_reference *references, const grz_range *range, const cut cuts[3], bins out[3])
{
    _Alignas(16) float starts[4] = {cuts[0].start, cuts[1].start, cuts[2].start, 0};
    _Alignas(16) float scales[4] = {cuts[0].scale, cuts[1].scale, cuts[2].scale, 0};
    quad start = quad_load(starts), scale = quad_load(scales), last = quad_fill(BIN_COUNT - 1);
    for (int axis = 0; axis < 3; axis++)
        clear_bins(&out[axis]);
    for (size_t i = range->first; i < range->first + range->count; i++)
    {
        quad lower = quad_load(references[i].lower), upper = quad_load(references[i].upper);
        _Alignas(16) int32_t places[4];
        quad_truncate(places, quad_min(quad_multiply(quad_subtract(quad_add(lower, upper), start), scale), last));
        for (int axis = 0; axis < 3; axis++)
        {
            include(&out[axis].boxes[places[axis]], lower, upper);
            out[axis].counts[places[axis]]++;
        }
    }
}

/* What stands on one side of a cut costs. */
static float side_cost(const quad_box *box, uint32_t count, uint32_t leaf_size, uint64_t leaf_inverse)
{
    return quad_area(quad_subtract(box->upper, box->lower)) * (float)((count + leaf_size - 1) * leaf_inverse >> 32);
}

/* Finds the best cut of one axis; *best is replaced when it is beaten. The outermost bins are never empty. */
static void try_axis(const bins *b, uint32_t leaf_size, cut c, cut *best)
{
    uint64_t leaf_inverse = (UINT64_C(1) << 32) / leaf_size + 1;
    float left_costs[BIN_COUNT];
    quad_box sum = empty_box();
    uint32_t count = 0;
    for (int i = 0; i < BIN_COUNT - 1; i++)
    {
        include(&sum, b->boxes[i].lower, b->boxes[i].upper);
        count += b->counts[i];
        left_costs[i] = side_cost(&sum, count, leaf_size, leaf_inverse);
    }
    sum = empty_box();
    count = 0;
    for (int i = BIN_COUNT - 1; i > 0; i--)
    {
        include(&sum, b->boxes[i].lower, b->boxes[i].upper);
        count += b->counts[i];
        float cost = left_costs[i - 1] + side_cost(&sum, count, leaf_size, leaf_inverse);
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
    cut cuts[3];
    bool possible[3];
    int widest = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        float spread = range->centre_upper[axis] - range->centre_lower[axis];
        cuts[axis] = (cut){axis, 0, range->centre_lower[axis], (float)BIN_COUNT / spread, INFINITY};
        possible[axis] = spread > 0 && isfinite(cuts[axis].scale); /* too small to divide by is no spread */
        if (!possible[axis])
            cuts[axis].scale = 0;
        if (spread > range->centre_upper[widest] - range->centre_lower[widest])
            widest = axis;
    }
    out_cut->cost = INFINITY;
    if (!possible[widest])
        return false;
    bins axes[3];
    if (range->count > ALL_AXES_LIMIT)
    {
        fill_one_axis(references, range, &cuts[widest], &axes[widest]);
        try_axis(&axes[widest], leaf_size, cuts[widest], out_cut);
        return out_cut->cost < INFINITY;
    }
    fill_all_axes(references, range, cuts, axes);
    for (int axis = 0; axis < 3; axis++)
    {
        if (possible[axis])
            try_axis(&axes[axis], leaf_size, cuts[axis], out_cut);
    }
    return out_cut->cost < INFINITY;
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
