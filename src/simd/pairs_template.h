/* SPDX-License-Identifier: MIT */
/*
 * The triangles of two leaves whose boxes meet, a tenth of all pairs as a rule; part of kernels_template.h. They are
 * not judged here but queued, so that pairs from several leaves are judged together and no lane stays empty.
 */
#include "simd/kernels.h"
#include "simd/many.h"
#include "simd/set_bits.h"

/* Which boxes, by lane, meet one box. */
static inline unsigned boxes_near(const float lower[3][GRZ_LANES], const float upper[3][GRZ_LANES],
                                  const float other_lower[3], const float other_upper[3])
{
    overlap near = overlap_all();
    for (int k = 0; k < 3; k++)
        near = overlap_and_within(near, lanes_load(upper[k]), other_lower[k], lanes_load(lower[k]), other_upper[k]);
    return overlap_bits(near);
}

/* How B's leaf lies to A's, with a fourth place as in grz_leaf_view: where its centre is, what coordinates are off by,
   and by how much boxes are widened. */
typedef struct leaf_offset
{
    float offset[4], margin_b[4], margin[4];
    float own_a, own_b; /* own_b is the largest of margin_b */
} leaf_offset;

/*
 * pair/relative.c tells what is in an error. It leaves room for ten roundings of the turned coordinates; here as many
 * of the offset are added. Of both, four and one are used before, one and two by the sums below that move and widen
 * boxes; what is a little too much of own_a pays for the rounding of the margin itself. So boxes that meet below do so
 * when widened by own_a + 1.5 own_b at most, as triangles_template.h needs it.
 */
static inline void offset_leaves(const grz_leaf_view *a, const grz_leaf_view *b, leaf_offset *out)
{
    out->own_a = (float)a->error[0];
    for (int k = 0; k < 4; k++)
    {
        double offset = b->centre[k] - a->centre[k], size = offset < 0 ? -offset : offset;
        out->offset[k] = (float)offset;
        out->margin_b[k] = (float)(1.001 * (b->error[k] + 10 * 0x1p-23 * size));
        out->margin[k] = 1.02f * out->own_a + out->margin_b[k];
    }
    float larger = out->margin_b[0] > out->margin_b[1] ? out->margin_b[0] : out->margin_b[1];
    out->own_b = larger > out->margin_b[2] ? larger : out->margin_b[2];
}

/* Pairs as a list of row * 8 + lane, and how many there are; zeros follow. */
#if defined(GRZ_LANES_AVX512)

typedef struct pair_list
{
    uint64_t bits; /* and the list made of them in one go: bytes that are read together are written together */
} pair_list;

static inline void pair_list_append(pair_list *list, uint8_t *out_pairs, unsigned row, unsigned mask)
{
    (void)out_pairs;
    list->bits |= (uint64_t)mask << GRZ_LANES * row;
}

static inline unsigned pair_list_finish(const pair_list *list, uint8_t *out_pairs)
{
    static const uint8_t each[GRZ_PAIRS] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                            16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                            32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                            48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    _mm512_storeu_si512(out_pairs, _mm512_maskz_compress_epi8(list->bits, _mm512_loadu_si512(each)));
    return (unsigned)__builtin_popcountll(list->bits);
}

#else

typedef struct pair_list
{
    unsigned count;
} pair_list;

static inline void pair_list_append(pair_list *list, uint8_t *out_pairs, unsigned row, unsigned mask)
{
    list->count = grz_append_set_bits(out_pairs, list->count, row, mask);
}

static inline unsigned pair_list_finish(const pair_list *list, uint8_t *out_pairs)
{
    memset(out_pairs + list->count, 0, GRZ_MANY);
    return list->count;
}

#endif

/* The pairs of a row in row_mask and a lane in lane_mask whose boxes meet, as a list; returns how many. */
static inline unsigned list_near(const grz_corners8 *a, unsigned row_mask, const grz_corners8 *b, unsigned lane_mask,
                                 const leaf_offset *between, uint8_t *out_pairs)
{
    float down[4], up[4], lowest[4], highest[4];
    lanes lower[3], upper[3];
    for (int k = 0; k < 4; k++)
    {
        down[k] = between->offset[k] - between->margin[k];
        up[k] = between->offset[k] + between->margin[k];
        lowest[k] = b->lowest[k] + down[k];
        highest[k] = b->highest[k] + up[k];
    }
    row_mask &= boxes_near(a->lower, a->upper, lowest, highest);
    if (row_mask == 0)
        return 0;
    for (int k = 0; k < 3; k++)
    {
        lower[k] = lanes_add(lanes_load(b->lower[k]), lanes_fill(down[k]));
        upper[k] = lanes_add(lanes_load(b->upper[k]), lanes_fill(up[k]));
    }
    pair_list list = {0};
    for (; row_mask != 0; row_mask &= row_mask - 1)
    {
        unsigned row = (unsigned)__builtin_ctz(row_mask);
        overlap near = overlap_all();
        for (int k = 0; k < 3; k++)
            near = overlap_and_within(near, upper[k], a->lower[k][row], lower[k], a->upper[k][row]);
        pair_list_append(&list, out_pairs, row, overlap_bits(near) & lane_mask);
    }
    return pair_list_finish(&list, out_pairs);
}

static void pairs_kernel(const grz_corners8 *a, unsigned row_mask, const grz_corners8 *b, unsigned lane_mask,
                         grz_pair_queue *queue)
{
    uint8_t pairs[GRZ_PAIRS + GRZ_MANY];
    leaf_offset between;
    offset_leaves(&a->view, &b->view, &between);
    unsigned count = list_near(a, row_mask & a->present, b, lane_mask & b->present, &between, pairs);
    unsigned place = queue->count;
    queue->count += count;
    for (unsigned first = 0; first < count; first += GRZ_MANY, place += GRZ_MANY)
    {
        many_picks p = many_picks_load(pairs + first, 3), q = many_picks_load(pairs + first, 0);
        for (int c = 0; c < 3; c++)
        {
            for (int k = 0; k < 3; k++)
            {
                many_store(&queue->a[c][k][place], many_pick(a->corners[c][k], p));
                many_store(&queue->b[c][k][place], many_pick(b->corners[c][k], q));
            }
        }
        many_store(&queue->size_a[place], many_pick(a->size, p));
        many_store(&queue->size_b[place], many_pick(b->size, q));
        for (int k = 0; k < 3; k++)
            many_store(&queue->offset[k][place], many_fill(between.offset[k]));
        many_store(&queue->own_a[place], many_fill(between.own_a));
        many_store(&queue->own_b[place], many_fill(between.own_b));
        many_store_places(&queue->place_a[place], p, a->first);
        many_store_places(&queue->place_b[place], q, b->first);
    }
}
