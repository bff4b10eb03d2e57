/* SPDX-License-Identifier: MIT */
/*
 * Splitting a range of triangles by the binned surface area heuristic (Wald, On fast construction of SAH-based bounding
 * volume hierarchies, 2007); see build.h.
 *
 * The cost of a side is its area times the number of leaf blocks it needs, not the number of triangles: a leaf of eight
 * costs what a leaf of three does, and counting blocks fills them.
 *
 * Boxes are quantised to 16 bits over the range the subtree began with. Where a range has become so small that this
 * grid is too coarse, its boxes are quantised again on a finer one.
 */
#include <math.h>
#include <string.h>

#include "simd/i16x8.h"
#include "tree/build.h"

enum
{
    BIN_COUNT = 16,
    GRID_STEPS = 65500,  /* across a range; less than 2^16, so that sizes fit */
    FEW = 96,            /* items of a range, below which a second set of bins does not pay */
    COARSE_SPREAD = 128, /* centres within this many steps ... */
    COARSE_SIZE = 8192   /* ... in a box of less than this get a finer grid */
};

/* A split that costs more than this fraction of the unsplit range is compared with clustering. */
#define POOR_SPLIT 0.8f

float grz_range_area(const grz_range *range)
{
    return i16x8_half_area(i16x8_load(range->box)) * range->unit * range->unit;
}

uint32_t grz_median_depth(size_t count)
{
    uint32_t halvings = 0;
    while (count > 1)
    {
        count -= count / 2;
        halvings++;
    }
    return halvings;
}

/* ---- ranges ---- */

/* Number of triangles of an item. */
static inline uint32_t weight_of(const grz_split_input *input, const grz_quantized_reference *item)
{
    return input->cells ? input->references[item->index].weight : item->weight;
}

static grz_range make_range(const grz_split_input *input, uint32_t first, uint32_t count, float unit)
{
    grz_range range;
    i16x8 box = i16x8_splat(INT16_MAX);
    uint32_t weight = 0;
    for (uint32_t i = first; i < first + count; i++)
    {
        box = i16x8_min(box, i16x8_load(input->items[i].lower));
        weight += weight_of(input, &input->items[i]);
    }
    i16x8_store(range.box, box);
    range.unit = unit;
    range.first = first;
    range.count = count;
    range.weight = weight;
    return range;
}

grz_range grz_range_measure(const grz_split_input *input, uint32_t first, uint32_t count)
{
    f32x4 low = f32x4_splat(INFINITY), high = f32x4_splat(-INFINITY);
    for (uint32_t i = first; i < first + count; i++)
    {
        const grz_reference *reference = &input->references[input->items[i].index];
        low = f32x4_min(low, f32x4_load(reference->lower));
        high = f32x4_max(high, f32x4_load(reference->upper));
    }
    /* The fourth lanes of references are integers, as floats denormal: slow to multiply. Minus 1 they are not. */
    _Alignas(16) float lower[4], upper[4], middle[4] = {0, 0, 0, 1};
    f32x4_store(lower, low);
    f32x4_store(upper, high);
    float extent = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        middle[axis] = 0.5f * lower[axis] + 0.5f * upper[axis];
        extent = upper[axis] - lower[axis] > extent ? upper[axis] - lower[axis] : extent;
    }
    float inverse = GRID_STEPS / extent;
    if (!(inverse <= FLT_MAX)) /* no extent, or one too small to divide by */
        inverse = 0;
    f32x4 origin = f32x4_load(middle), scale = f32x4_splat(inverse);
    for (uint32_t i = first; i < first + count; i++)
    {
        grz_quantized_reference *item = &input->items[i];
        const grz_reference *reference = &input->references[item->index];
        _Alignas(16) int32_t steps[2][4];
        f32x4_to_i32(steps[0], f32x4_mul(f32x4_sub(f32x4_load(reference->lower), origin), scale));
        f32x4_to_i32(steps[1], f32x4_mul(f32x4_sub(origin, f32x4_load(reference->upper)), scale));
        for (int axis = 0; axis < 3; axis++)
        {
            item->lower[axis] = (int16_t)steps[0][axis];
            item->negative_upper[axis] = (int16_t)steps[1][axis];
        }
    }
    return make_range(input, first, count, inverse > 0 ? extent / GRID_STEPS : 0);
}

/*
 * Testing a leaf costs the same whether its triangles fill its box or not, but a query that enters empty space is
 * wasted: two small bodies far apart must not share a leaf. The triangles of a connected patch have boxes whose areas
 * sum to more than that of the box around them.
 */
static bool is_scattered(const grz_split_input *input, const grz_range *range)
{
    f32x4 low = f32x4_splat(INFINITY), high = f32x4_splat(-INFINITY);
    float sum = 0;
    for (uint32_t i = range->first; i < range->first + range->count; i++)
    {
        uint32_t count;
        const grz_reference *member = grz_reference_members(input, &input->items[i], &count), *end = member + count;
        for (; member < end; member++)
        {
            f32x4 lower = f32x4_load(member->lower), upper = f32x4_load(member->upper);
            low = f32x4_min(low, lower);
            high = f32x4_max(high, upper);
            sum += f32x4_half_area(f32x4_sub(upper, lower));
        }
    }
    return sum < GRZ_COMPACT_SHARE * f32x4_half_area(f32x4_sub(high, low));
}

bool grz_range_makes_leaf(const grz_split_input *input, const grz_range *range)
{
    return range->count == 1 || (range->weight <= input->leaf_size && !is_scattered(input, range));
}

/* ---- bins ---- */

/* Where an axis is split: items whose bin is below `bin` go left. */
typedef struct sah_split
{
    int axis, bin;
    uint16_t start, scale; /* bin = (centre - start) * scale / 2^16 */
    float cost;
} sah_split;

/* Bins of one axis. */
typedef struct bins
{
    _Alignas(16) int16_t boxes[BIN_COUNT][8];
    _Alignas(16) uint32_t counts[BIN_COUNT];
} bins;

static void clear_bins(bins *b)
{
    for (int i = 0; i < BIN_COUNT; i++)
    {
        i16x8_store(b->boxes[i], i16x8_splat(INT16_MAX));
        b->counts[i] = 0;
    }
}

static inline void include(int16_t box[8], i16x8 item)
{
    i16x8_store(box, i16x8_min(i16x8_load(box), item));
}

static inline unsigned bin_of(const sah_split *c, const grz_quantized_reference *item)
{
    int centre = (item->lower[c->axis] >> 1) - (item->negative_upper[c->axis] >> 1);
    return ((uint32_t)(uint16_t)(centre - (int16_t)c->start) * c->scale) >> 16;
}

static inline void put_into_bin(const sah_split *c, grz_quantized_reference *item, bins *out, uint32_t weight)
{
    unsigned bin = bin_of(c, item);
    include(out->boxes[bin], i16x8_load(item->lower));
    out->counts[bin] += weight;
    item->bin = (uint8_t)bin;
}

static void fill_cell_bins(const grz_split_input *input, const grz_range *range, const sah_split *c, bins *out)
{
    clear_bins(out);
    for (grz_quantized_reference *i = input->items + range->first; i < input->items + range->first + range->count; i++)
        put_into_bin(c, i, out, input->references[i->index].weight);
}

static void fill_bins(const grz_split_input *input, const grz_range *range, const sah_split *known, bins *out)
{
    sah_split c = *known; /* a copy that no store can alias */
    grz_quantized_reference *i = input->items + range->first, *end = i + range->count;
    clear_bins(out);
    if (range->count >= FEW)
    {
        bins second; /* used in turn: neighbours often fall into the same bin, and their updates would depend on one
                        another */
        clear_bins(&second);
        for (; i + 1 < end; i += 2)
        {
            put_into_bin(&c, i, out, i->weight);
            put_into_bin(&c, i + 1, &second, i[1].weight);
        }
        for (int bin = 0; bin < BIN_COUNT; bin++)
        {
            include(out->boxes[bin], i16x8_load(second.boxes[bin]));
            out->counts[bin] += second.counts[bin];
        }
    }
    for (; i < end; i++)
        put_into_bin(&c, i, out, i->weight);
}

/* ---- splits ---- */

/* How many leaves some triangles need; leaf_inverse is 2^32 / leaf_size, rounded up. */
static inline float blocks_of(uint32_t count, uint32_t leaf_size, uint64_t leaf_inverse)
{
    return (float)((count + leaf_size - 1) * leaf_inverse >> 32);
}

/* Cost of one side of a split. */
static float side_cost(i16x8 box, uint32_t count, uint32_t leaf_size, uint64_t leaf_inverse)
{
    return i16x8_half_area(box) * blocks_of(count, leaf_size, leaf_inverse);
}

/* Both sides of the split before each bin; there is none before the first. */
typedef struct sides
{
    _Alignas(16) int16_t left[BIN_COUNT][8], right[BIN_COUNT][8];
    _Alignas(16) float left_areas[BIN_COUNT], right_areas[BIN_COUNT];
    _Alignas(16) float left_counts[BIN_COUNT]; /* of items, not of cells */
    _Alignas(16) float costs[BIN_COUNT];
} sides;

static void sum_sides(const bins *b, sides *out)
{
    i16x8 left = i16x8_load(b->boxes[0]), right = i16x8_load(b->boxes[BIN_COUNT - 1]);
    i16x8_store(out->left[0], left);
    i16x8_store(out->right[BIN_COUNT - 1], right);
    for (int i = 1; i < BIN_COUNT; i++)
    {
        i16x8_store(out->left[i], left);
        left = i16x8_min(left, i16x8_load(b->boxes[i]));
        right = i16x8_min(right, i16x8_load(b->boxes[BIN_COUNT - 1 - i]));
        i16x8_store(out->right[BIN_COUNT - 1 - i], right);
    }
    for (int i = 0; i < BIN_COUNT; i += 4)
    {
        i16x8_four_half_areas(out->left[i], &out->left_areas[i]);
        i16x8_four_half_areas(out->right[i], &out->right_areas[i]);
    }
}

/*
 * The costs of all splits between items. Counts are less than 2^14, for which the number of leaves can be computed in
 * floats: with c = count + leaf_size - 1, (c + 0.5) / leaf_size is 0.5 / leaf_size or more from the next integer, and
 * the error bound of the computed value is 2^-22 c / leaf_size.
 */
static void cost_splits(const bins *b, const grz_range *range, uint32_t leaf_size, sides *s)
{
    static const _Alignas(16) float no_split[4] = {INFINITY, 0, 0, 0};
    f32x4 all = f32x4_splat((float)range->weight), inverse = f32x4_splat(1 / (float)leaf_size);
    f32x4 round = f32x4_splat((float)leaf_size - 0.5f), before = f32x4_splat(0), extra = f32x4_load(no_split);
    for (int i = 0; i < BIN_COUNT; i += 4)
    {
        f32x4 counts = f32x4_from_u32(&b->counts[i]);
        f32x4 sums = f32x4_add(f32x4_prefix_sum(counts), before), left = f32x4_sub(sums, counts);
        f32x4 left_blocks = f32x4_trunc(f32x4_mul(f32x4_add(left, round), inverse));
        f32x4 right_blocks = f32x4_trunc(f32x4_mul(f32x4_add(f32x4_sub(all, left), round), inverse));
        f32x4 cost = f32x4_add(f32x4_mul(f32x4_load(&s->left_areas[i]), left_blocks),
                               f32x4_mul(f32x4_load(&s->right_areas[i]), right_blocks));
        f32x4_store(&s->left_counts[i], left);
        f32x4_store(&s->costs[i], f32x4_add(cost, extra));
        before = f32x4_splat_last(sums);
        extra = f32x4_splat(0);
    }
}

/* The same between cells, which may hold any number of triangles. */
static void cost_cell_splits(const bins *b, const grz_range *range, uint32_t leaf_size, sides *s)
{
    uint64_t leaf_inverse = (UINT64_C(1) << 32) / leaf_size + 1;
    uint32_t left = 0;
    s->costs[0] = INFINITY;
    for (int i = 1; i < BIN_COUNT; i++)
    {
        left += b->counts[i - 1];
        s->costs[i] = s->left_areas[i] * blocks_of(left, leaf_size, leaf_inverse) +
                      s->right_areas[i] * blocks_of(range->weight - left, leaf_size, leaf_inverse);
    }
}

/* The bin with the cheapest split before it, the last of several. Without branches, as they would be unpredictable. */
static int cheapest_split(const float costs[BIN_COUNT])
{
    f32x4 four[4] = {f32x4_load(costs), f32x4_load(costs + 4), f32x4_load(costs + 8), f32x4_load(costs + 12)};
    f32x4 least = f32x4_splat_min(f32x4_min(f32x4_min(four[0], four[1]), f32x4_min(four[2], four[3])));
    unsigned bits = f32x4_eq_bits(four[0], least) | f32x4_eq_bits(four[1], least) << 4 |
                    f32x4_eq_bits(four[2], least) << 8 | f32x4_eq_bits(four[3], least) << 12;
    return 31 - __builtin_clz(bits);
}

static int size_of(const int16_t box[8], int axis)
{
    return -box[axis] - box[axis + 4];
}

static int widest_axis(const int16_t box[8])
{
    int widest = size_of(box, 1) > size_of(box, 0);
    return size_of(box, 2) > size_of(box, widest) ? 2 : widest;
}

/* With a spread of 16 steps or more, the scale fits 16 bits and the last centre falls into the last bin: with
   r = 2^20 / (spread + 1), rounded down, spread * r is 15 * 2^16 or more throughout (tests try all). */
static bool start_split(const int16_t centres[8], int axis, sah_split *out)
{
    int spread = size_of(centres, axis);
    *out = (sah_split){axis, 0, (uint16_t)centres[axis], 0, INFINITY};
    if (spread < BIN_COUNT)
        return false;
    out->scale = (uint16_t)((BIN_COUNT << 16) / (spread + 1));
    return true;
}

/* Only the axis along which centres spread most is tried: trying all three made leaves of shells long and narrow, and
   queries between close shells twice as slow, for gains of a few per cent elsewhere (decision 0003). */
static bool find_split(const grz_split_input *input, const grz_range *range, const int16_t centres[8],
                       sah_split *out_split, grz_range out_halves[2])
{
    sah_split c;
    bins b;
    sides s;
    out_split->cost = INFINITY;
    if (!start_split(centres, widest_axis(centres), &c))
        return false;
    if (input->cells)
        fill_cell_bins(input, range, &c, &b);
    else
        fill_bins(input, range, &c, &b);
    sum_sides(&b, &s);
    out_halves[0] = out_halves[1] = *range;
    if (input->cells)
    {
        cost_cell_splits(&b, range, input->leaf_size, &s);
        c.bin = cheapest_split(s.costs);
        out_halves[0].weight = 0;
        for (int i = 0; i < c.bin; i++)
            out_halves[0].weight += b.counts[i];
    }
    else
    {
        cost_splits(&b, range, input->leaf_size, &s);
        c.bin = cheapest_split(s.costs);
        out_halves[0].weight = (uint32_t)s.left_counts[c.bin];
    }
    c.cost = s.costs[c.bin];
    *out_split = c;
    out_halves[1].weight -= out_halves[0].weight;
    i16x8_store(out_halves[0].box, i16x8_load(s.left[c.bin]));
    i16x8_store(out_halves[1].box, i16x8_load(s.right[c.bin]));
    return true;
}

/* The bounds of the items' centres. A range that becomes a leaf never needs them. */
static void bound_centres(const grz_split_input *input, const grz_range *range, int16_t out[8])
{
    i16x8 centres = i16x8_splat(INT16_MAX);
    for (uint32_t i = range->first; i < range->first + range->count; i++)
        centres = i16x8_min(centres, i16x8_centre(i16x8_load(input->items[i].lower)));
    i16x8_store(out, centres);
}

/* Stable. Every item is written to both sides, and only the right one advances: a branch would be unpredictable.
   Weights and boxes of the halves are known from the bins. */
static void partition(const grz_split_input *input, const grz_range *range, const sah_split *c, grz_range halves[2])
{
    grz_quantized_reference *items = input->items + range->first, *left = items, *right = input->spare;
    for (uint32_t i = 0; i < range->count; i++)
    {
        i16x8 moved = i16x8_load(items[i].lower);
        bool goes_left = (int)items[i].bin < c->bin;
        i16x8_store(left->lower, moved);
        i16x8_store(right->lower, moved);
        left += goes_left;
        right += !goes_left;
    }
    memcpy(left, input->spare, (size_t)(right - input->spare) * sizeof *left);
    halves[0].count = (uint32_t)(left - items);
    halves[1].first = range->first + halves[0].count;
    halves[1].count = range->count - halves[0].count;
}

/* ---- clusters ---- */

/* Two clusters of a range that no split makes much cheaper, if they are cheaper: the bits of the first, or 0. */
static uint64_t try_agglomerative(const grz_split_input *input, const grz_range *range, float split_cost)
{
    uint64_t leaf_inverse = (UINT64_C(1) << 32) / input->leaf_size + 1;
    if (split_cost <= POOR_SPLIT * side_cost(i16x8_load(range->box), range->count, input->leaf_size, leaf_inverse))
        return 0;
    uint64_t first = grz_range_agglomerate(input, range);
    uint32_t count = (uint32_t)__builtin_popcountll(first);
    i16x8 boxes[2] = {i16x8_splat(INT16_MAX), i16x8_splat(INT16_MAX)};
    for (uint32_t i = 0; i < range->count; i++)
    {
        int side = (first >> i & 1) != 0 ? 0 : 1;
        boxes[side] = i16x8_min(boxes[side], i16x8_load(input->items[range->first + i].lower));
    }
    float cost = side_cost(boxes[0], count, input->leaf_size, leaf_inverse) +
                 side_cost(boxes[1], range->count - count, input->leaf_size, leaf_inverse);
    return cost < split_cost ? first : 0;
}

/* Stable partition. */
static uint32_t partition_cluster(const grz_split_input *input, const grz_range *range, uint64_t first)
{
    grz_quantized_reference *items = input->items + range->first;
    uint32_t left = 0, right = 0;
    for (uint32_t i = 0; i < range->count; i++)
    {
        grz_quantized_reference moved = items[i];
        if ((first >> i & 1) != 0)
            items[left++] = moved;
        else
            input->spare[right++] = moved;
    }
    memcpy(items + left, input->spare, right * sizeof *items);
    return left;
}

void grz_range_split(const grz_split_input *input, const grz_range *range, bool halve, grz_range out_halves[2])
{
    grz_range measured = *range;
    _Alignas(16) int16_t centres[8];
    bound_centres(input, range, centres);
    if (!halve && size_of(centres, widest_axis(centres)) < COARSE_SPREAD &&
        size_of(range->box, widest_axis(range->box)) < COARSE_SIZE)
    {
        measured = grz_range_measure(input, range->first, range->count);
        bound_centres(input, &measured, centres);
    }
    sah_split best = {0};
    uint32_t left_count = range->count / 2;
    bool has_split = !halve && find_split(input, &measured, centres, &best, out_halves);
    uint64_t cluster =
        halve || !input->agglomerative ? 0 : try_agglomerative(input, &measured, has_split ? best.cost : INFINITY);
    if (cluster != 0)
        left_count = partition_cluster(input, &measured, cluster);
    else if (has_split)
    {
        partition(input, &measured, &best, out_halves);
        return;
    }
    out_halves[0] = make_range(input, range->first, left_count, measured.unit);
    out_halves[1] = make_range(input, range->first + left_count, range->count - left_count, measured.unit);
}
