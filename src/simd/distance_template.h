/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds of distances between boxes and between leaves' triangles; included once by each distance_<set>.c, which
 * defines GRZ_KERNELS and GRZ_KERNELS_NAME.
 *
 * Error bounds. The margins of transforms are derived in pair/relative_pose.c: a transformed box or slab certainly
 * contains the real one. From there on every step has only relative errors: a gap is one difference, its square, a sum
 * of three squares and the product with a factor make at most seven roundings of at most 2^-23, less than 2^-20 in all.
 * Directions of slabs are longer than 1 by less than 2^-22. Callers pass factors reduced by 2^-19, which covers both.
 * Underflow may enlarge a square by less than 2^-126, so 2^-120 is subtracted in the end.
 */
#include "simd/distance_aligned.h"
#include "simd/distance_facets.h"
#include "simd/distance_triangles.h"
#include "simd/oriented_box_template.h"
#include "simd/slab_projection_template.h"
#include "simd/transform_template.h"

/* ---- boxes ---- */

/* The gap between slabs, given by a direction w and an interval in a frame, and boxes with slabs m of that frame. */
static inline f32x8 slab_gap(const f32x8 w[3], f32x8 lower, f32x8 upper, const f32x8 m[3], f32x8 m_lower, f32x8 m_upper,
                             const f32x8 box_centre[3], const f32x8 box_half[3])
{
    slab_projection span = project_onto(w, m, m_lower, m_upper, box_centre, box_half);
    return f32x8_max(f32x8_sub(span.lowest, upper), f32x8_sub(lower, span.highest));
}

/* Squared gaps of slabs: the row's in the lanes' frame, and the lanes' in the row's. */
static inline f32x8 slab_square(const grz_boxes8 *rows, const grz_transformed8 *transformed_rows, unsigned row,
                                const grz_boxes8 *lane_boxes, const grz_transformed8 *transformed_lanes,
                                f32x8 row_factor, f32x8 lane_factor)
{
    f32x8 w[3], m[3], centre[3], half[3];
    spread3(transformed_rows->direction[0], row, w);
    load3(lane_boxes->normal[0], m);
    load3(transformed_lanes->centre[0], centre);
    load3(transformed_lanes->half[0], half);
    f32x8 one =
        slab_gap(w, f32x8_splat(transformed_rows->slab_lower[row]), f32x8_splat(transformed_rows->slab_upper[row]), m,
                 f32x8_load(lane_boxes->slab_lower), f32x8_load(lane_boxes->slab_upper), centre, half);
    load3(transformed_lanes->direction[0], w);
    spread3(rows->normal[0], row, m);
    spread3(transformed_rows->centre[0], row, centre);
    spread3(transformed_rows->half[0], row, half);
    f32x8 other = slab_gap(w, f32x8_load(transformed_lanes->slab_lower), f32x8_load(transformed_lanes->slab_upper), m,
                           f32x8_splat(rows->slab_lower[row]), f32x8_splat(rows->slab_upper[row]), centre, half);
    return f32x8_max(f32x8_mul(row_factor, gap_square(one)), f32x8_mul(lane_factor, gap_square(other)));
}

/* Support function of boxes with slabs m, the highest k.x: k.x = (k - c m).x + c (m.x) for any c, and c = k.m makes the
   first term small where k and m are parallel. */
static inline f32x8 support(const f32x8 k[3], const f32x8 m[3], f32x8 m_lower, f32x8 m_upper, const f32x8 centre[3],
                            const f32x8 half[3])
{
    f32x8 c = f32x8_dot(k, m), rest[3], size[3];
    for (int i = 0; i < 3; i++)
    {
        rest[i] = f32x8_sub(k[i], f32x8_mul(c, m[i]));
        size[i] = f32x8_abs(rest[i]);
    }
    f32x8 slab = f32x8_max(f32x8_mul(c, m_lower), f32x8_mul(c, m_upper));
    return f32x8_add(f32x8_add(f32x8_dot(rest, centre), slab), f32x8_dot(size, half));
}

/*
 * The squared gap along the direction c from the centre of a row's box to those of the lanes' boxes, in the rows'
 * frame. Any c is valid. For a point y of a lane, c.(M y + o) = w.y + c.o with w = M^T c, no longer than N |c|.
 *
 * Errors are counted as in pair/relative_pose.c, with the same f, r and N, but the last sums are differences of all
 * terms. Let p and q be the components of w along a lane's slab m and across it, as fractions of N |c|: p^2 + q^2 <= 1.
 * In units of f r N |c|, w takes 4, rest p + q, the box q, rest.y 3 q, k (m.y) 2 p + q, the half size p + q, and so
 * does each of the three differences after that: 4 + 7 p + 10 q < 16.3 in all. c.o is at most |c| |o| and takes 4
 * roundings, and one in each difference. The rows' side, without a transform, takes less than 30 f |c| with its
 * differences. K being the largest coordinate of c, |c| <= r K: together less than K f (49 N + 12.2 |o| + 52). Twice
 * the slab margin covers 56 N + 14 |o| of that, and 4 of the transform's errors, which amount to 3; 160 f covers the
 * rest.
 */
static inline f32x8 centres_square(const grz_boxes8 *rows, const grz_transformed8 *transformed_rows, unsigned row,
                                   const grz_boxes8 *lane_boxes, const grz_transformed8 *transformed_lanes,
                                   const grz_float_transform *to_rows)
{
    f32x8 c[3], back[3], m[3], centre[3], half[3], shift = f32x8_splat(0.0f), zero = f32x8_splat(0.0f);
    spread3(transformed_rows->centre[0], row, centre);
    spread3(transformed_rows->half[0], row, half);
    for (int k = 0; k < 3; k++)
    {
        f32x8 sum = f32x8_add(f32x8_load(transformed_lanes->lower[k]), f32x8_load(transformed_lanes->upper[k]));
        c[k] = f32x8_sub(f32x8_mul(f32x8_splat(0.5f), sum), centre[k]);
        shift = f32x8_add(shift, f32x8_mul(c[k], f32x8_splat(to_rows->offset[k])));
    }
    spread3(rows->normal[0], row, m);
    f32x8 highest = support(c, m, f32x8_splat(rows->slab_lower[row]), f32x8_splat(rows->slab_upper[row]), centre, half);
    for (int k = 0; k < 3; k++)
    {
        f32x8 w = f32x8_mul(f32x8_splat(to_rows->matrix[0][k]), c[0]);
        w = f32x8_add(w, f32x8_mul(f32x8_splat(to_rows->matrix[1][k]), c[1]));
        back[k] = f32x8_sub(zero, f32x8_add(w, f32x8_mul(f32x8_splat(to_rows->matrix[2][k]), c[2])));
    }
    load3(lane_boxes->normal[0], m);
    load3(transformed_lanes->centre[0], centre);
    load3(transformed_lanes->half[0], half);
    f32x8 lowest = f32x8_sub(
        shift, support(back, m, f32x8_load(lane_boxes->slab_lower), f32x8_load(lane_boxes->slab_upper), centre, half));
    f32x8 largest = f32x8_max(f32x8_max(f32x8_abs(c[0]), f32x8_abs(c[1])), f32x8_abs(c[2]));
    /* shortcut: line-of-centres */
    f32x8 margin = f32x8_mul(largest, f32x8_splat(2.001f * to_rows->slab_margin + 160 * 0x1p-23f));
    f32x8 square = gap_square(f32x8_sub(f32x8_sub(lowest, highest), margin));
    /* The divisor is at least 2^-60, which lowers the bound of shorter c. NaN of absent lanes became 0. */
    return f32x8_div(square, f32x8_max(f32x8_dot(c, c), f32x8_splat(0x1p-60f)));
}

static void distance_boxes_kernel(const grz_boxes8 *rows, const grz_transformed8 *transformed_rows, unsigned row_mask,
                                  float row_factor, const grz_boxes8 *lane_boxes,
                                  const grz_transformed8 *transformed_lanes, float lane_factor,
                                  const grz_float_transform *to_rows, float bound, grz_bounds8x8 *out)
{
    f32x8 own_lower[3], own_upper[3], transformed_lower[3], transformed_upper[3];
    load3(lane_boxes->lower[0], own_lower);
    load3(lane_boxes->upper[0], own_upper);
    load3(transformed_lanes->lower[0], transformed_lower);
    load3(transformed_lanes->upper[0], transformed_upper);
    f32x8 rows_count = f32x8_splat(row_factor), lanes_count = f32x8_splat(lane_factor), most = f32x8_splat(bound);
    f32x8 tiny = f32x8_splat(TINY_SQUARE);
    memset(out->masks, 0, sizeof out->masks);
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = (unsigned)__builtin_ctz(left);
        if (rows->lower[0][row] > rows->upper[0][row]) /* absent */
            continue;
        f32x8 in_rows = box_square(rows->lower[0], rows->upper[0], row, transformed_lower, transformed_upper);
        f32x8 in_lanes = box_square(transformed_rows->lower[0], transformed_rows->upper[0], row, own_lower, own_upper);
        f32x8 square = f32x8_max(f32x8_mul(rows_count, in_rows), f32x8_mul(lanes_count, in_lanes));
        square = f32x8_sub(square, tiny);
        if (mask32x8_bits(f32x8_lt(square, most)) == 0)
            continue;
        f32x8 centres = centres_square(rows, transformed_rows, row, lane_boxes, transformed_lanes, to_rows);
        square = f32x8_max(f32x8_sub(f32x8_mul(rows_count, centres), tiny), square);
        if (mask32x8_bits(f32x8_lt(square, most)) == 0)
            continue;
        f32x8 slab = slab_square(rows, transformed_rows, row, lane_boxes, transformed_lanes, rows_count, lanes_count);
        square = f32x8_max(f32x8_sub(slab, tiny), square);
        f32x8_store(out->square[row], square);
        out->masks[row] = (uint8_t)mask32x8_bits(f32x8_lt(square, most));
    }
}

/* ---- leaves ---- */

/*
 * Distances along directions. For any direction n, the least height n.b of one triangle's corners less the greatest
 * height n.a of the other's, over |n|, bounds the distance from below. Let f = 2^-23, e the sum of the error bounds of
 * both's coordinates, R the sum of both's largest coordinates (extent): the error bound of heights and their
 * differences is |n|_1 (e + 6 f R).
 *
 * Where n is a triangle's own normal, n = e x g as computed, the heights of all its corners are taken to be n.c: n has
 * an error of 6 f S^2 in each coordinate, S the largest of an edge, so that the heights of the other corners differ by
 * less than 18 f S^3 for that reason.
 */
typedef struct lane_facets
{
    f32x8 corners[3][3]; /* in the frame of A's leaf */
    f32x8 lower[3], upper[3];
    f32x8 normal[3], level, sum, inverse; /* n, n.c, |n|_1, 1 / |n|^2 or 0 */
    f32x8 size, extent;
} lane_facets;

/* 1 / |n|^2 for moderate n, else 0. */
static inline f32x8 inverse_square(const f32x8 n[3])
{
    float numbers[GRZ_LANES];
    f32x8_store(numbers, f32x8_div(f32x8_splat(1.0f), f32x8_dot(n, n)));
    for (int i = 0; i < GRZ_LANES; i++)
        numbers[i] = numbers[i] > 0x1p-80f && numbers[i] < 0x1p80f ? numbers[i] : 0.0f;
    return f32x8_load(numbers);
}

static inline void load_lanes(const grz_facets8 *b, const grz_leaf_translation *shift, lane_facets *out)
{
    f32x8 farthest = f32x8_splat(0.0f);
    out->level = f32x8_load(b->level);
    load3(b->normal[0], out->normal);
    for (int k = 0; k < 3; k++)
    {
        f32x8 offset = f32x8_splat(shift->offset[k]),
              margin = f32x8_splat(1.001f * (shift->error_a + shift->margin_b[k]));
        for (int c = 0; c < 3; c++)
            out->corners[c][k] = f32x8_add(f32x8_load(b->corners[c][k]), offset);
        out->lower[k] = f32x8_sub(f32x8_add(f32x8_load(b->lower[k]), offset), margin);
        out->upper[k] = f32x8_add(f32x8_add(f32x8_load(b->upper[k]), offset), margin);
        farthest = f32x8_max(farthest, f32x8_abs(offset));
        out->level = f32x8_add(out->level, f32x8_mul(out->normal[k], offset));
    }
    out->sum = f32x8_load(b->normal_sum);
    out->inverse = inverse_square(out->normal);
    out->size = f32x8_load(b->size);
    out->extent = f32x8_add(f32x8_load(b->extent), farthest);
}

static inline void find_span(const f32x8 *n, const f32x8 *p, const f32x8 *q, const f32x8 *r, f32x8 *lowest,
                             f32x8 *highest)
{
    f32x8 h0 = f32x8_dot(n, p), h1 = f32x8_dot(n, q), h2 = f32x8_dot(n, r);
    *lowest = f32x8_min(f32x8_min(h0, h1), h2);
    *highest = f32x8_max(f32x8_max(h0, h1), h2);
}

static inline f32x8 cube(f32x8 x)
{
    return f32x8_mul(x, f32x8_mul(x, x));
}

/* Squared distance of heights from a plane's level, less `slack` |n|_1 and the height error of the plane's own corners,
   over |n|. */
static inline f32x8 plane_square(f32x8 lowest, f32x8 highest, f32x8 level, f32x8 sum, f32x8 inverse, f32x8 size,
                                 f32x8 slack)
{
    f32x8 gap = f32x8_max(f32x8_sub(lowest, level), f32x8_sub(level, highest));
    f32x8 error = f32x8_add(f32x8_mul(sum, slack), f32x8_mul(f32x8_splat(20 * 0x1p-23f), cube(size)));
    return f32x8_mul(gap_square(f32x8_sub(gap, error)), inverse);
}

/* Squared distances along the normal of a row's triangle and along those of the lanes'. */
static inline f32x8 planes_square(const grz_facets8 *a, f32x8 row_inverse, unsigned row, const lane_facets *b,
                                  f32x8 slack)
{
    f32x8 n[3], corners[3][3], lowest, highest;
    spread3(a->normal[0], row, n);
    find_span(n, b->corners[0], b->corners[1], b->corners[2], &lowest, &highest);
    f32x8 one = plane_square(lowest, highest, f32x8_splat(a->level[row]), f32x8_splat(a->normal_sum[row]), row_inverse,
                             f32x8_splat(a->size[row]), slack);
    for (int c = 0; c < 3; c++)
        spread3(a->corners[c][0], row, corners[c]);
    find_span(b->normal, corners[0], corners[1], corners[2], &lowest, &highest);
    return f32x8_max(one, plane_square(lowest, highest, b->level, b->sum, b->inverse, b->size, slack));
}

/* Squared distances along the directions between the triangles' centres, as computed. */
static inline f32x8 middles_square(const grz_facets8 *a, unsigned row, const lane_facets *b, f32x8 slack)
{
    f32x8 c[3], corners[3][3], a_lowest, a_highest, b_lowest, b_highest;
    for (int i = 0; i < 3; i++)
        spread3(a->corners[i][0], row, corners[i]);
    for (int k = 0; k < 3; k++)
        c[k] = f32x8_sub(f32x8_add(b->corners[0][k], f32x8_add(b->corners[1][k], b->corners[2][k])),
                         f32x8_add(corners[0][k], f32x8_add(corners[1][k], corners[2][k])));
    find_span(c, corners[0], corners[1], corners[2], &a_lowest, &a_highest);
    find_span(c, b->corners[0], b->corners[1], b->corners[2], &b_lowest, &b_highest);
    f32x8 sum = f32x8_add(f32x8_add(f32x8_abs(c[0]), f32x8_abs(c[1])), f32x8_abs(c[2]));
    f32x8 square = gap_square(f32x8_sub(f32x8_sub(b_lowest, a_highest), f32x8_mul(sum, slack)));
    return f32x8_div(square, f32x8_max(f32x8_dot(c, c), f32x8_splat(0x1p-60f)));
}

static void leaves_kernel(const grz_facets8 *a, unsigned row_count, const grz_facets8 *b, unsigned lane_mask,
                          const grz_leaf_translation *shift, float factor, float bound, grz_bounds8x8 *out)
{
    lane_facets lane;
    load_lanes(b, shift, &lane);
    f32x8 row_normals[3], error = f32x8_splat(1.001f * (shift->error_a + shift->error_b));
    float row_inverses[GRZ_LANES];
    load3(a->normal[0], row_normals);
    f32x8_store(row_inverses, inverse_square(row_normals));
    f32x8 count = f32x8_splat(factor), most = f32x8_splat(bound), tiny = f32x8_splat(TINY_SQUARE);
    for (unsigned row = 0; row < row_count; row++)
    {
        f32x8 square = f32x8_mul(count, box_square(a->lower[0], a->upper[0], row, lane.lower, lane.upper));
        square = f32x8_sub(square, tiny);
        out->masks[row] = 0;
        if ((mask32x8_bits(f32x8_lt(square, most)) & lane_mask) == 0)
            continue;
        f32x8 extent = f32x8_add(f32x8_splat(a->extent[row]), lane.extent);
        /* shortcut: leaf-heights */
        f32x8 slack = f32x8_add(error, f32x8_mul(f32x8_splat(8 * 0x1p-23f), extent));
        f32x8 middles = f32x8_mul(count, middles_square(a, row, &lane, slack));
        square = f32x8_max(f32x8_sub(middles, tiny), square);
        if ((mask32x8_bits(f32x8_lt(square, most)) & lane_mask) == 0)
            continue;
        f32x8 planes = f32x8_mul(count, planes_square(a, f32x8_splat(row_inverses[row]), row, &lane, slack));
        square = f32x8_max(f32x8_sub(planes, tiny), square);
        f32x8_store(out->square[row], square);
        out->masks[row] = (uint8_t)(mask32x8_bits(f32x8_lt(square, most)) & lane_mask);
    }
}

/* ---- points ---- */

/*
 * Gaps are differences of floats, so that squares have relative errors only. A height n . x along a slab's direction n
 * has a rounding error of at most 5 f (|x_0| + |x_1| + |x_2|) with f = 2^-23; 8 f of that is subtracted from its gap.
 */
static unsigned point_boxes_kernel(const float point[3], const grz_boxes8 *boxes, float limit,
                                   float out_squares[GRZ_LANES])
{
    f32x8 square = f32x8_splat(0.0f), height = f32x8_splat(0.0f), size = f32x8_splat(0.0f);
    for (int k = 0; k < 3; k++)
    {
        f32x8 x = f32x8_splat(point[k]);
        f32x8 below = f32x8_sub(f32x8_load(boxes->lower[k]), x), above = f32x8_sub(x, f32x8_load(boxes->upper[k]));
        square = f32x8_add(square, gap_square(f32x8_max(below, above)));
        height = f32x8_add(height, f32x8_mul(f32x8_load(boxes->normal[k]), x));
        size = f32x8_add(size, f32x8_abs(x));
    }
    f32x8 below = f32x8_sub(f32x8_load(boxes->slab_lower), height);
    f32x8 above = f32x8_sub(height, f32x8_load(boxes->slab_upper));
    /* shortcut: slabs-of-points */
    f32x8 gap = f32x8_sub(f32x8_max(below, above), f32x8_mul(f32x8_splat(8 * 0x1p-23f), size));
    square = f32x8_max(square, gap_square(gap));
    f32x8_store(out_squares, square);
    return mask32x8_bits(f32x8_lt(square, f32x8_splat(limit)));
}

const grz_distance_kernels GRZ_KERNELS = {.name = GRZ_KERNELS_NAME,
                                          .transform = transform_kernel,
                                          .facets = facets_kernel,
                                          .boxes = distance_boxes_kernel,
                                          .leaves = leaves_kernel,
                                          .align_boxes = align_boxes_kernel,
                                          .align_leaf = align_leaf_kernel,
                                          .aligned = aligned_kernel,
                                          .centres = centres_kernel,
                                          .triangles = triangles_kernel,
                                          .points = points_kernel,
                                          .point = point_kernel,
                                          .point_boxes = point_boxes_kernel,
                                          .box_nodes = box_nodes_kernel,
                                          .box_leaf = box_leaf_kernel};
