/* SPDX-License-Identifier: MIT */
/*
 * The triangles of two leaves whose boxes meet, typically a tenth of all pairs; part of kernels_template.h. They are
 * queued here, not tested, so that pairs from several leaves are tested together and no lane stays empty.
 */
#ifndef GRZ_SIMD_PAIR_QUEUE_TEMPLATE_H
#define GRZ_SIMD_PAIR_QUEUE_TEMPLATE_H

#include "simd/f32xN.h"
#include "simd/kernels.h"
#include "simd/quantized_boxes.h"
#include "simd/set_bits.h"

/* Position of B's leaf relative to A's, with a fourth component as in grz_leaf_placement: its centre, and the shifts of
   its bounds for simd/quantized_boxes.h. */
typedef struct leaf_offset
{
    float offset[4], down[4], up[4];
    float error_a, error_b; /* error bounds of coordinates; of B the largest */
} leaf_offset;

/*
 * pair/relative_pose.c derives the error bounds. They have room for ten roundings of the rotated coordinates; here as
 * many of the offset are added. Of the first, four are used before, and two by the product and the sum that convert
 * bounds to strides; of the offset one by its conversion to float, one by the product, and two by the sums that make
 * `down` and `up` and then strides. Four roundings of the widening are covered by the excess of the error bounds, a
 * thousandth of B's and a fiftieth of A's. So triangles that share a point are queued, and those that are queued have
 * boxes that meet when widened by 1.02 error_a + 1.5 error_b and one stride at most: that is 258.02 units, less than
 * 511 error_a.
 */
static inline void offset_leaves(const grz_corners8 *a, const grz_corners8 *b, leaf_offset *out)
{
    float scale = a->scale, errors[4];
    for (int k = 0; k < 4; k++)
        out->offset[k] = (float)(b->centre[k] - a->centre[k]);
    for (int k = 0; k < 4; k++)
    {
        /* shortcut: leaf-offsets */
        errors[k] = b->error[k] + 10.02f * 0x1p-23f * fabsf(out->offset[k]);
        float shift = scale * out->offset[k], margin = scale * errors[k] + a->margin;
        out->down[k] = shift - margin;
        out->up[k] = -shift - margin;
    }
    float larger = errors[0] > errors[1] ? errors[0] : errors[1];
    out->error_a = a->error[0];
    out->error_b = larger > errors[2] ? larger : errors[2];
}

/* The bits of all pairs of a row and a lane. */
static inline uint64_t all_pairs(unsigned row_mask, unsigned lane_mask)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    uint64_t row_bits = row_mask * each & UINT64_C(0x8040201008040201);
    uint64_t row_bytes = ((row_bits + 0x7f * each) >> 7 & each) * 0xff;
    return row_bytes & lane_mask * each;
}

/* Pairs as a list of row * 8 + lane, of which the next GRZ_VECTOR_WIDTH are loaded; zeros follow. */
#if defined(GRZ_VECTORS_AVX512)

typedef __m512i pair_list; /* bytes */

static inline void pair_list_make(pair_list *list, uint64_t pairs)
{
    static const uint8_t each[GRZ_PAIRS] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                            16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                            32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                            48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    *list = _mm512_maskz_compress_epi8(pairs, _mm512_loadu_si512(each));
}

static inline void pair_list_take(pair_list *list, permutationN *out_rows, permutationN *out_lanes, uint8_t *out_bytes)
{
    __m128i bytes = _mm512_castsi512_si128(*list);
    __m512i indices = _mm512_cvtepu8_epi32(bytes);
    *out_rows = _mm512_srli_epi32(indices, 3);
    *out_lanes = _mm512_and_si512(indices, _mm512_set1_epi32(7));
    _mm_storeu_si128((__m128i *)(void *)out_bytes, bytes);
    *list = _mm512_alignr_epi64(_mm512_setzero_si512(), *list, 2);
}

#else

typedef struct pair_list
{
    const uint8_t *next;
    uint8_t bytes[GRZ_PAIRS + GRZ_VECTOR_WIDTH];
} pair_list;

static inline void pair_list_make(pair_list *list, uint64_t pairs)
{
    unsigned count = 0;
    for (unsigned row = 0; pairs != 0; row++, pairs >>= GRZ_LANES)
        count = grz_append_set_bits(list->bytes, count, row, pairs & 0xff);
    memset(list->bytes + count, 0, GRZ_VECTOR_WIDTH);
    list->next = list->bytes;
}

static inline void pair_list_take(pair_list *list, permutationN *out_rows, permutationN *out_lanes, uint8_t *out_bytes)
{
    *out_rows = permutationN_load(list->next, 3);
    *out_lanes = permutationN_load(list->next, 0);
    memcpy(out_bytes, list->next, GRZ_VECTOR_WIDTH);
    list->next += GRZ_VECTOR_WIDTH;
}

#endif

/* Appends the data common to all pairs of two leaves to the queue's tables; returns its index there. */
static inline unsigned queue_leaves(const grz_corners8 *a, const grz_corners8 *b, const leaf_offset *between,
                                    grz_pair_queue *queue)
{
    unsigned number = queue->count == 0 ? 0 : queue->leaves[queue->count - 1] + 1u;
    queue->error_a[number] = between->error_a;
    queue->error_b[number] = between->error_b;
    queue->first_a[number] = a->first;
    queue->first_b[number] = b->first;
    return number;
}

/* The pairs whose boxes meet, of a row and a lane in the masks. */
static inline uint64_t find_near_pairs(const grz_corners8 *a, unsigned row_mask, const grz_corners8 *b,
                                       unsigned lane_mask, leaf_offset *out_between)
{
    offset_leaves(a, b, out_between);
    return quantized_overlap(a->rows, b->ends, a->scale, out_between->down, out_between->up) &
           all_pairs(row_mask & a->present, lane_mask & b->present);
}

static void queue_pairs_kernel(const grz_corners8 *a, unsigned row_mask, const grz_corners8 *b, unsigned lane_mask,
                               grz_pair_queue *queue)
{
    leaf_offset between;
    uint64_t near = find_near_pairs(a, row_mask, b, lane_mask, &between);
    if (near == 0)
        return;
    unsigned number = queue_leaves(a, b, &between, queue), index = queue->count;
    queue->count += (unsigned)__builtin_popcountll(near);
    pair_list list;
    for (pair_list_make(&list, near); index < queue->count; index += GRZ_VECTOR_WIDTH)
    {
        permutationN p, q;
        pair_list_take(&list, &p, &q, queue->pairs + index);
        memset(queue->leaves + index, (int)number, GRZ_VECTOR_WIDTH);
        for (int k = 0; k < 3; k++)
        {
            for (int edge = 0; edge < 2; edge++)
            {
                f32xN_store(&queue->a[edge][k][index], f32xN_permute8(a->edges[edge][k], p));
                f32xN_store(&queue->b[edge][k][index], f32xN_permute8(b->edges[edge][k], q));
            }
            f32xN from = f32xN_sub(f32xN_splat(between.offset[k]), f32xN_permute8(a->start[k], p));
            f32xN_store(&queue->between[k][index], f32xN_add(f32xN_permute8(b->start[k], q), from));
        }
        f32xN_store(&queue->size_a[index], f32xN_permute8(a->size, p));
        f32xN_store(&queue->size_b[index], f32xN_permute8(b->size, q));
    }
}

#endif
