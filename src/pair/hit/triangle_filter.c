/* SPDX-License-Identifier: MIT */
/*
 * The double filter for two triangles; see triangle_filter.h.
 *
 * The signs are those of exact/triangle_triangle.c, after Guigue and Devillers. With corners a_i, b_i and normals n_A =
 * (a_1 - a_0) x (a_2 - a_0) and n_B likewise, the heights n_A . (b_i - a_0) and n_B . (a_i - b_0) tell whether the
 * corners of each lie on both sides of the other's plane: one corner, the apex, alone on its side. Then the order of
 * the intervals' ends on the common line is given by the signs of two determinants (apex of B - apex of A) . (E x F), E
 * and F the edges from each apex to a foot: orient(a, b, p, q) of that file is (p - a) . ((b - a) x (q - p)). Where all
 * signs are certain, no corner lies on a plane and no end on another, so the intersection is empty or a segment in the
 * interior of both.
 *
 * One error bound for all. u = 2^-52, any rounding mode; e = error >= 2^-700, and all coordinates are at most 2^300.
 * Let m be the largest coordinate in magnitude of the computed edges a_1 - a_0, a_2 - a_0, b_1 - b_0, b_2 - b_0 and of
 * b_0 - a_0, and M = max(m (1 + 2u), 1024 e). A computed difference d of coordinates with an error of e at most differs
 * from the exact one D by at most 2 e + u (|D| + 2 e) < 2.01 e + u |D| (flushed denormals cost less than 2^-1000). So
 * of those five |D| < M + 2 e + 2 u M < 1.0021 M, of all edges of one triangle |D| < 2.0042 M, and of differences from
 * corner to corner of both |D| < 3.0063 M; with N = 1.005 M, 2.009 M and 3.013 M that holds for d as well.
 *
 * The determinants: two edges and a third vector, six products. The error of a difference is at most
 * delta = 2.01 e + 3.1 u M, so that of a product at most delta (N_1 N_2 + N_1 N_3 + N_2 N_3) < 16.15 M^2 delta, and
 * its five roundings (product, difference, product, two sums) come to 5.1 u N_1 N_2 N_3 < 62.1 u M^3. In all less than
 *     6 (16.15 (2.01 e + 3.1 u M) + 62.1 u M) M^2 < (195 e + 673 u M) M^2.
 * The heights: n_A . (b_i - b_0) - n_A . (a_0 - b_0), of those five differences alone; twelve products, delta =
 * 2.01 e + 1.1 u M, six roundings: less than 12 (3.04 (2.01 e + 1.1 u M) + 6.2 u M) M^2 < (75 e + 115 u M) M^2.
 * We take 196 and 680 for all, which covers the roundings of the bound itself. The count is coarse: the largest errors
 * known, in tests/pair/hit/test_triangle_filter.c, are 90 u M^3 to nearest, and 135 u M^3 upward and
 * downward. Underflow: a product of two that is
 * lost (less than 2^-1021) is multiplied by less than 2^303, in the bound by less than 2^320; FILTER_ABSOLUTE = 2^-600
 * is more than all of that together. Nothing overflows: M < 2^311, and a bound is less than 2^(3 * 311 + 10).
 */
#include "pair/hit/triangle_filter.h"

#include <stdbool.h>

#include "base/strict_float.h"
#include "exact/predicates.h"
#include "simd/f64x2.h"

#define FILTER_U 0x1p-52
#define FILTER_ABSOLUTE 0x1p-600

/* Coordinates of A in the first lane and of B in the second, or the other way round. */
typedef struct v3x2
{
    f64x2 x, y, z;
} v3x2;

/* The edges on which the ends of a triangle's interval lie, by the set of corners with negative heights: from the apex
   to the first and to the second foot. The first is the lower end in A and the upper one in B, as in the table of
   exact/triangle_triangle.c; there the side of an apex with negative height is positive. */
typedef struct ends
{
    unsigned apex, first, second;
    double side;
} ends;

static const ends ends_of[8] = {{0, 0, 0, 0}, {0, 2, 1, 1},  {1, 0, 2, 1},  {2, 0, 1, -1},
                                {2, 1, 0, 1}, {1, 2, 0, -1}, {0, 1, 2, -1}, {0, 0, 0, 0}};

static inline bool has_apex(unsigned negative)
{
    return negative != 0 && negative != 7;
}

static inline v3x2 v3x2_subtract(v3x2 a, v3x2 b)
{
    return (v3x2){f64x2_sub(a.x, b.x), f64x2_sub(a.y, b.y), f64x2_sub(a.z, b.z)};
}

static inline v3x2 v3x2_swap(v3x2 a)
{
    return (v3x2){f64x2_swap(a.x), f64x2_swap(a.y), f64x2_swap(a.z)};
}

static inline v3x2 v3x2_cross(v3x2 a, v3x2 b)
{
    return (v3x2){f64x2_sub(f64x2_mul(a.y, b.z), f64x2_mul(a.z, b.y)),
                  f64x2_sub(f64x2_mul(a.z, b.x), f64x2_mul(a.x, b.z)),
                  f64x2_sub(f64x2_mul(a.x, b.y), f64x2_mul(a.y, b.x))};
}

static inline f64x2 v3x2_dot(v3x2 a, v3x2 b)
{
    return f64x2_add(f64x2_add(f64x2_mul(a.x, b.x), f64x2_mul(a.y, b.y)), f64x2_mul(a.z, b.z));
}

static inline f64x2 v3x2_largest(v3x2 a)
{
    return f64x2_max(f64x2_max(f64x2_abs(a.x), f64x2_abs(a.y)), f64x2_abs(a.z));
}

/* The terms of one coordinate of a transformed corner, in two sums. */
static inline f64x2 map_axis(const double *row, f64x2 xy, f64x2 z1)
{
    return f64x2_add(f64x2_mul(f64x2_load(row), xy), f64x2_mul(f64x2_load(row + 2), z1));
}

/* A corner of A and a transformed corner of B. No term of a transformed corner passes more than three roundings. */
static inline v3x2 map_corner(const double a[3], const double b[3], const graze_pose *map)
{
    f64x2 xy = f64x2_load(b), z1 = f64x2_make(b[2], 1);
    f64x2 x = map_axis(map->m, xy, z1), y = map_axis(map->m + 4, xy, z1), z = map_axis(map->m + 8, xy, z1);
    f64x2 transformed = f64x2_add(f64x2_unpack_low(x, y), f64x2_unpack_high(x, y)), own = f64x2_load(a);
    return (v3x2){f64x2_unpack_low(own, transformed), f64x2_unpack_high(own, transformed),
                  f64x2_unpack_low(f64x2_make(a[2], 0), f64x2_add(z, f64x2_swap(z)))};
}

/* Error bound of any of the determinants, from the edges and the difference of the first corners. */
static inline double error_bound(v3x2 edge_1, v3x2 edge_2, v3x2 between, double error)
{
    f64x2 m = f64x2_max(f64x2_max(v3x2_largest(edge_1), v3x2_largest(edge_2)), v3x2_largest(between));
    double largest = f64x2_first(f64x2_max(m, f64x2_swap(m))), least = 1024 * error;
    double size = (largest > least ? largest : least) * (1 + 4 * FILTER_U);
    /* shortcut: triangle-filter-in-doubles */
    return size * size * (196 * error + 680 * FILTER_U * size) + FILTER_ABSOLUTE;
}

/* Corner `corner` of A (lane 0) or of B (lane 1) in both lanes, and two corners, one in each. */
typedef double corner_table[3][3][2]; /* [corner][axis][lane] */

static inline v3x2 in_both_lanes(corner_table c, unsigned corner, int lane)
{
    return (v3x2){f64x2_splat(c[corner][0][lane]), f64x2_splat(c[corner][1][lane]), f64x2_splat(c[corner][2][lane])};
}

static inline v3x2 one_per_lane(corner_table c, unsigned first, unsigned second, int lane)
{
    return (v3x2){f64x2_make(c[first][0][lane], c[second][0][lane]), f64x2_make(c[first][1][lane], c[second][1][lane]),
                  f64x2_make(c[first][2][lane], c[second][2][lane])};
}

static inline void store_lanes(v3x2 a, double out[3][2])
{
    f64x2_store(out[0], a.x);
    f64x2_store(out[1], a.y);
    f64x2_store(out[2], a.z);
}

/* The two determinants, with signs such that the triangles cross where both are positive. */
static inline f64x2 interval_order(corner_table corners, const ends *a, const ends *b)
{
    v3x2 apex_a = in_both_lanes(corners, a->apex, 0), apex_b = in_both_lanes(corners, b->apex, 1);
    v3x2 e = v3x2_subtract(one_per_lane(corners, a->first, a->second, 0), apex_a);
    v3x2 f = v3x2_subtract(one_per_lane(corners, b->first, b->second, 1), apex_b);
    double sign = a->side * b->side;
    return f64x2_mul(v3x2_dot(v3x2_subtract(apex_b, apex_a), v3x2_cross(e, f)), f64x2_make(sign, -sign));
}

/* Heights above the other triangle's plane: of A's corners in the first lane, of B's in the second. */
typedef struct heights
{
    f64x2 of[3], bound;
} heights;

/* The certain signs of single corners. A point above a plane is on its negative side in exact/predicates.h. */
static void report_signs(const heights *h, corner_table corners, grz_filter_signs *out)
{
    f64x2 lowest = f64x2_sub(f64x2_splat(0), h->bound);
    for (int i = 0; i < 3; i++)
    {
        unsigned above = f64x2_gt_bits(h->of[i], h->bound), below = f64x2_gt_bits(lowest, h->of[i]);
        out->sides_a[i] = (above | below) & 1 ? (int)(below & 1) - (int)(above & 1) : GRZ_UNCERTAIN;
        out->sides_b[i] = (above | below) & 2 ? (int)(below >> 1) - (int)(above >> 1) : GRZ_UNCERTAIN;
        for (int k = 0; k < 3; k++)
            out->transformed_b[i][k] = corners[i][k][1];
    }
}

static inline heights find_heights(const v3x2 p[3], double error)
{
    v3x2 edge_1 = v3x2_subtract(p[1], p[0]), edge_2 = v3x2_subtract(p[2], p[0]);
    v3x2 between = v3x2_subtract(v3x2_swap(p[0]), p[0]);
    v3x2 normal = v3x2_swap(v3x2_cross(edge_1, edge_2)); /* of the other triangle */
    f64x2 level = v3x2_dot(normal, between);
    return (heights){{f64x2_sub(f64x2_splat(0), level), f64x2_sub(v3x2_dot(normal, edge_1), level),
                      f64x2_sub(v3x2_dot(normal, edge_2), level)},
                     f64x2_splat(error_bound(edge_1, edge_2, between, error))};
}

/* The triangles, as lane bits, all of whose corners have certain heights. */
static inline unsigned find_certain(const heights *h)
{
    f64x2 least = f64x2_min(f64x2_min(f64x2_abs(h->of[0]), f64x2_abs(h->of[1])), f64x2_abs(h->of[2]));
    return f64x2_gt_bits(least, h->bound);
}

grz_filter_verdict grz_filter_triangles(grz_indexed_triangle a, grz_indexed_triangle b, const graze_pose *map,
                                        double error, grz_filter_signs *out_signs)
{
    v3x2 p[3];
    corner_table corners;
    for (int i = 0; i < 3; i++)
    {
        p[i] = map_corner(a.vertices + 3 * (size_t)a.corners[i], b.vertices + 3 * (size_t)b.corners[i], map);
        store_lanes(p[i], corners[i]);
    }
    heights h = find_heights(p, error);
    unsigned certain = find_certain(&h), signs_2 = f64x2_sign_bits(h.of[2]);
    unsigned negative_a = f64x2_sign_bits(f64x2_unpack_low(h.of[0], h.of[1])) | (signs_2 & 1) << 2;
    unsigned negative_b = f64x2_sign_bits(f64x2_unpack_high(h.of[0], h.of[1])) | (signs_2 & 2) << 1;
    if (certain == 3 && has_apex(negative_a) && has_apex(negative_b))
    {
        f64x2 order = interval_order(corners, &ends_of[negative_a], &ends_of[negative_b]);
        if (f64x2_gt_bits(order, h.bound) == 3)
            return GRZ_FILTER_CROSSING;
        if (f64x2_gt_bits(f64x2_sub(f64x2_splat(0), h.bound), order) != 0)
            return GRZ_FILTER_DISJOINT;
    }
    else if (((certain & 1) != 0 && !has_apex(negative_a)) || ((certain & 2) != 0 && !has_apex(negative_b)))
        return GRZ_FILTER_DISJOINT;
    report_signs(&h, corners, out_signs);
    return GRZ_FILTER_UNCERTAIN;
}
