/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds of distances between boxes and between leaves' triangles; included once by each distance_<set>.c, which
 * defines GRZ_KERNELS and GRZ_KERNELS_NAME.
 *
 * Margins. What the maps' margins cover is derived in pair/relative.c: a mapped box or slab surely holds the real one.
 * From there on every step has only relative errors: a gap is one difference, its square, a sum of three squares and
 * the product with a factor make at most seven roundings of at most 2^-23, less than 2^-20 in all. Directions of slabs
 * are longer than 1 by less than 2^-22. Callers pass factors lessened by 2^-19, which pays for both. Underflow may
 * enlarge a square by less than 2^-126, so 2^-120 is taken off in the end.
 */
#include "simd/distance_aligned.h"
#include "simd/distance_facets.h"
#include "simd/distance_triangles.h"
#include "simd/map_template.h"
#include "simd/slab_template.h"

/* ---- boxes ---- */

/* The gap between slabs, given by a direction w and an interval in a frame, and boxes with slabs m of that frame. */
static inline lanes slab_gap(const lanes w[3], lanes lower, lanes upper, const lanes m[3], lanes m_lower, lanes m_upper,
                             const lanes box_centre[3], const lanes box_half[3])
{
    slab_span span = span_along(w, m, m_lower, m_upper, box_centre, box_half);
    return lanes_max(lanes_sub(span.lowest, upper), lanes_sub(lower, span.highest));
}

/* Squared gaps of slabs: the row's as the lanes' frame sees it, and the lanes' as the row's does. */
static inline lanes slab_square(const grz_boxes8 *rows, const grz_mapped8 *mapped_rows, unsigned row,
                                const grz_boxes8 *lane_boxes, const grz_mapped8 *mapped_lanes, lanes row_factor,
                                lanes lane_factor)
{
    lanes w[3], m[3], centre[3], half[3];
    spread3(mapped_rows->direction[0], row, w);
    load3(lane_boxes->normal[0], m);
    load3(mapped_lanes->centre[0], centre);
    load3(mapped_lanes->half[0], half);
    lanes one = slab_gap(w, lanes_fill(mapped_rows->slab_lower[row]), lanes_fill(mapped_rows->slab_upper[row]), m,
                         lanes_load(lane_boxes->slab_lower), lanes_load(lane_boxes->slab_upper), centre, half);
    load3(mapped_lanes->direction[0], w);
    spread3(rows->normal[0], row, m);
    spread3(mapped_rows->centre[0], row, centre);
    spread3(mapped_rows->half[0], row, half);
    lanes other = slab_gap(w, lanes_load(mapped_lanes->slab_lower), lanes_load(mapped_lanes->slab_upper), m,
                           lanes_fill(rows->slab_lower[row]), lanes_fill(rows->slab_upper[row]), centre, half);
    return lanes_max(lanes_mul(row_factor, gap_square(one)), lanes_mul(lane_factor, gap_square(other)));
}

/* The highest k.x of boxes with slabs m: k.x = (k - c m).x + c (m.x) for any c, and c = k.m makes the first part small
   where k and m are parallel. */
static inline lanes support(const lanes k[3], const lanes m[3], lanes m_lower, lanes m_upper, const lanes centre[3],
                            const lanes half[3])
{
    lanes c = lanes_dot(k, m), rest[3], size[3];
    for (int i = 0; i < 3; i++)
    {
        rest[i] = lanes_sub(k[i], lanes_mul(c, m[i]));
        size[i] = lanes_abs(rest[i]);
    }
    lanes slab = lanes_max(lanes_mul(c, m_lower), lanes_mul(c, m_upper));
    return lanes_add(lanes_add(lanes_dot(rest, centre), slab), lanes_dot(size, half));
}

/*
 * The squared gap along the direction c from the centre of a row's box to those of the lanes' boxes, in the rows'
 * frame. Any c is right. For a point y of a lane, c.(M y + o) = w.y + c.o with w = M^T c, no longer than N |c|.
 *
 * What is off is counted as in pair/relative.c, with the same f, r and N, but the last sums are differences of all
 * there is. Let p and q be the parts of w along a lane's slab m and across it, in shares of N |c|: p^2 + q^2 <= 1. In
 * units of f r N |c|, w takes 4, rest p + q, the box q, rest.y 3 q, k (m.y) 2 p + q, the half size p + q, and so does
 * each of the three differences after that: 4 + 7 p + 10 q < 16.3 in all. c.o is at most |c| |o| and takes 4 roundings,
 * and one in each difference. The rows' side, where no map is in the way, takes less than 30 f |c| with its
 * differences. K being the largest coordinate of c, |c| <= r K: together less than K f (49 N + 12.2 |o| + 52). Twice
 * the slab margin has 56 N + 14 |o| of that, and 4 of the map's errors, which come to 3; 160 f has the rest.
 */
static inline lanes centres_square(const grz_boxes8 *rows, const grz_mapped8 *mapped_rows, unsigned row,
                                   const grz_boxes8 *lane_boxes, const grz_mapped8 *mapped_lanes,
                                   const grz_float_map *to_rows)
{
    lanes c[3], back[3], m[3], centre[3], half[3], shift = lanes_fill(0.0f), zero = lanes_fill(0.0f);
    spread3(mapped_rows->centre[0], row, centre);
    spread3(mapped_rows->half[0], row, half);
    for (int k = 0; k < 3; k++)
    {
        lanes sum = lanes_add(lanes_load(mapped_lanes->lower[k]), lanes_load(mapped_lanes->upper[k]));
        c[k] = lanes_sub(lanes_mul(lanes_fill(0.5f), sum), centre[k]);
        shift = lanes_add(shift, lanes_mul(c[k], lanes_fill(to_rows->offset[k])));
    }
    spread3(rows->normal[0], row, m);
    lanes highest = support(c, m, lanes_fill(rows->slab_lower[row]), lanes_fill(rows->slab_upper[row]), centre, half);
    for (int k = 0; k < 3; k++)
    {
        lanes w = lanes_mul(lanes_fill(to_rows->matrix[0][k]), c[0]);
        w = lanes_add(w, lanes_mul(lanes_fill(to_rows->matrix[1][k]), c[1]));
        back[k] = lanes_sub(zero, lanes_add(w, lanes_mul(lanes_fill(to_rows->matrix[2][k]), c[2])));
    }
    load3(lane_boxes->normal[0], m);
    load3(mapped_lanes->centre[0], centre);
    load3(mapped_lanes->half[0], half);
    lanes lowest = lanes_sub(
        shift, support(back, m, lanes_load(lane_boxes->slab_lower), lanes_load(lane_boxes->slab_upper), centre, half));
    lanes largest = lanes_max(lanes_max(lanes_abs(c[0]), lanes_abs(c[1])), lanes_abs(c[2]));
    /* shortcut: line-of-centres */
    lanes margin = lanes_mul(largest, lanes_fill(2.001f * to_rows->slab_margin + 160 * 0x1p-23f));
    lanes square = gap_square(lanes_sub(lanes_sub(lowest, highest), margin));
    /* Nothing is concluded from directions whose squares could vanish; NaN from absent lanes became 0. */
    return lanes_div(square, lanes_max(lanes_dot(c, c), lanes_fill(0x1p-60f)));
}

static void boxes_kernel(const grz_boxes8 *rows, const grz_mapped8 *mapped_rows, unsigned row_mask, float row_factor,
                         const grz_boxes8 *lane_boxes, const grz_mapped8 *mapped_lanes, float lane_factor,
                         const grz_float_map *to_rows, float bound, grz_bounds8x8 *out)
{
    lanes own_lower[3], own_upper[3], seen_lower[3], seen_upper[3];
    load3(lane_boxes->lower[0], own_lower);
    load3(lane_boxes->upper[0], own_upper);
    load3(mapped_lanes->lower[0], seen_lower);
    load3(mapped_lanes->upper[0], seen_upper);
    lanes rows_count = lanes_fill(row_factor), lanes_count = lanes_fill(lane_factor), most = lanes_fill(bound);
    lanes tiny = lanes_fill(TINY_SQUARE);
    memset(out->masks, 0, sizeof out->masks);
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = (unsigned)__builtin_ctz(left);
        if (rows->lower[0][row] > rows->upper[0][row]) /* absent */
            continue;
        lanes in_rows = box_square(rows->lower[0], rows->upper[0], row, seen_lower, seen_upper);
        lanes in_lanes = box_square(mapped_rows->lower[0], mapped_rows->upper[0], row, own_lower, own_upper);
        lanes square = lanes_max(lanes_mul(rows_count, in_rows), lanes_mul(lanes_count, in_lanes));
        square = lanes_sub(square, tiny);
        if (truth_bits(lanes_lt(square, most)) == 0)
            continue;
        lanes centres = centres_square(rows, mapped_rows, row, lane_boxes, mapped_lanes, to_rows);
        square = lanes_max(lanes_sub(lanes_mul(rows_count, centres), tiny), square);
        if (truth_bits(lanes_lt(square, most)) == 0)
            continue;
        lanes slab = slab_square(rows, mapped_rows, row, lane_boxes, mapped_lanes, rows_count, lanes_count);
        square = lanes_max(lanes_sub(slab, tiny), square);
        lanes_store(out->square[row], square);
        out->masks[row] = (uint8_t)truth_bits(lanes_lt(square, most));
    }
}

/* ---- leaves ---- */

/*
 * Distances along directions. For any direction n, the least height n.b of one triangle's corners less the greatest
 * height n.a of the other's, over |n|, bounds the distance from below. Let f = 2^-23 and e what coordinates of both
 * are off by together, R the sum of both reaches: heights and their differences are off by at most |n|_1 (e + 6 f R).
 *
 * Where n is a triangle's own normal, n = e x g as computed, heights of its own corners are all taken for n.c: n is off
 * by 6 f S^2 in each coordinate, S the largest of an edge, so that other corners are higher or lower by less than
 * 18 f S^3 on that account.
 */
typedef struct lane_facets
{
    lanes corners[3][3]; /* in the frame of A's leaf */
    lanes lower[3], upper[3];
    lanes normal[3], level, sum, inverse; /* n, n.c, |n|_1, 1 / |n|^2 or 0 */
    lanes size, reach;
} lane_facets;

/* 1 / |n|^2 for moderate n, else 0. */
static inline lanes inverse_square(const lanes n[3])
{
    float numbers[GRZ_LANES];
    lanes_store(numbers, lanes_div(lanes_fill(1.0f), lanes_dot(n, n)));
    for (int i = 0; i < GRZ_LANES; i++)
        numbers[i] = numbers[i] > 0x1p-80f && numbers[i] < 0x1p80f ? numbers[i] : 0.0f;
    return lanes_load(numbers);
}

static inline void load_lanes(const grz_facets8 *b, const grz_leaf_shift *shift, lane_facets *out)
{
    lanes farthest = lanes_fill(0.0f);
    out->level = lanes_load(b->level);
    load3(b->normal[0], out->normal);
    for (int k = 0; k < 3; k++)
    {
        lanes offset = lanes_fill(shift->offset[k]), margin = lanes_fill(1.001f * (shift->own_a + shift->margin_b[k]));
        for (int c = 0; c < 3; c++)
            out->corners[c][k] = lanes_add(lanes_load(b->corners[c][k]), offset);
        out->lower[k] = lanes_sub(lanes_add(lanes_load(b->lower[k]), offset), margin);
        out->upper[k] = lanes_add(lanes_add(lanes_load(b->upper[k]), offset), margin);
        farthest = lanes_max(farthest, lanes_abs(offset));
        out->level = lanes_add(out->level, lanes_mul(out->normal[k], offset));
    }
    out->sum = lanes_load(b->normal_sum);
    out->inverse = inverse_square(out->normal);
    out->size = lanes_load(b->size);
    out->reach = lanes_add(lanes_load(b->reach), farthest);
}

static inline void heights(const lanes *n, const lanes *p, const lanes *q, const lanes *r, lanes *lowest,
                           lanes *highest)
{
    lanes h0 = lanes_dot(n, p), h1 = lanes_dot(n, q), h2 = lanes_dot(n, r);
    *lowest = lanes_min(lanes_min(h0, h1), h2);
    *highest = lanes_max(lanes_max(h0, h1), h2);
}

static inline lanes cube(lanes x)
{
    return lanes_mul(x, lanes_mul(x, x));
}

/* The squared distance of heights from a plane's level, less `slack` |n|_1 and what the plane's own corners may differ
   by, over |n|. */
static inline lanes plane_square(lanes lowest, lanes highest, lanes level, lanes sum, lanes inverse, lanes size,
                                 lanes slack)
{
    lanes gap = lanes_max(lanes_sub(lowest, level), lanes_sub(level, highest));
    lanes error = lanes_add(lanes_mul(sum, slack), lanes_mul(lanes_fill(20 * 0x1p-23f), cube(size)));
    return lanes_mul(gap_square(lanes_sub(gap, error)), inverse);
}

/* Squared distances from the plane of a row's triangle and from those of the lanes'. */
static inline lanes planes_square(const grz_facets8 *a, lanes row_inverse, unsigned row, const lane_facets *b,
                                  lanes slack)
{
    lanes n[3], corners[3][3], lowest, highest;
    spread3(a->normal[0], row, n);
    heights(n, b->corners[0], b->corners[1], b->corners[2], &lowest, &highest);
    lanes one = plane_square(lowest, highest, lanes_fill(a->level[row]), lanes_fill(a->normal_sum[row]), row_inverse,
                             lanes_fill(a->size[row]), slack);
    for (int c = 0; c < 3; c++)
        spread3(a->corners[c][0], row, corners[c]);
    heights(b->normal, corners[0], corners[1], corners[2], &lowest, &highest);
    return lanes_max(one, plane_square(lowest, highest, b->level, b->sum, b->inverse, b->size, slack));
}

/* Squared distances along the directions between the triangles' centres, or near them. */
static inline lanes middles_square(const grz_facets8 *a, unsigned row, const lane_facets *b, lanes slack)
{
    lanes c[3], corners[3][3], a_lowest, a_highest, b_lowest, b_highest;
    for (int i = 0; i < 3; i++)
        spread3(a->corners[i][0], row, corners[i]);
    for (int k = 0; k < 3; k++)
        c[k] = lanes_sub(lanes_add(b->corners[0][k], lanes_add(b->corners[1][k], b->corners[2][k])),
                         lanes_add(corners[0][k], lanes_add(corners[1][k], corners[2][k])));
    heights(c, corners[0], corners[1], corners[2], &a_lowest, &a_highest);
    heights(c, b->corners[0], b->corners[1], b->corners[2], &b_lowest, &b_highest);
    lanes sum = lanes_add(lanes_add(lanes_abs(c[0]), lanes_abs(c[1])), lanes_abs(c[2]));
    lanes square = gap_square(lanes_sub(lanes_sub(b_lowest, a_highest), lanes_mul(sum, slack)));
    return lanes_div(square, lanes_max(lanes_dot(c, c), lanes_fill(0x1p-60f)));
}

static void leaves_kernel(const grz_facets8 *a, unsigned row_count, const grz_facets8 *b, unsigned lane_mask,
                          const grz_leaf_shift *shift, float factor, float bound, grz_bounds8x8 *out)
{
    lane_facets lane;
    load_lanes(b, shift, &lane);
    lanes row_normals[3], error = lanes_fill(1.001f * (shift->own_a + shift->own_b));
    float row_inverses[GRZ_LANES];
    load3(a->normal[0], row_normals);
    lanes_store(row_inverses, inverse_square(row_normals));
    lanes count = lanes_fill(factor), most = lanes_fill(bound), tiny = lanes_fill(TINY_SQUARE);
    for (unsigned row = 0; row < row_count; row++)
    {
        lanes square = lanes_mul(count, box_square(a->lower[0], a->upper[0], row, lane.lower, lane.upper));
        square = lanes_sub(square, tiny);
        out->masks[row] = 0;
        if ((truth_bits(lanes_lt(square, most)) & lane_mask) == 0)
            continue;
        lanes reach = lanes_add(lanes_fill(a->reach[row]), lane.reach);
        /* shortcut: leaf-heights */
        lanes slack = lanes_add(error, lanes_mul(lanes_fill(8 * 0x1p-23f), reach));
        lanes middles = lanes_mul(count, middles_square(a, row, &lane, slack));
        square = lanes_max(lanes_sub(middles, tiny), square);
        if ((truth_bits(lanes_lt(square, most)) & lane_mask) == 0)
            continue;
        lanes planes = lanes_mul(count, planes_square(a, lanes_fill(row_inverses[row]), row, &lane, slack));
        square = lanes_max(lanes_sub(planes, tiny), square);
        lanes_store(out->square[row], square);
        out->masks[row] = (uint8_t)(truth_bits(lanes_lt(square, most)) & lane_mask);
    }
}

const grz_distance_kernels GRZ_KERNELS = {.name = GRZ_KERNELS_NAME,
                                          .map = map_kernel,
                                          .facets = facets_kernel,
                                          .boxes = boxes_kernel,
                                          .leaves = leaves_kernel,
                                          .place_boxes = place_boxes_kernel,
                                          .place_leaf = place_leaf_kernel,
                                          .aligned = aligned_kernel,
                                          .centres = centres_kernel,
                                          .triangles = triangles_kernel,
                                          .points = points_kernel};
