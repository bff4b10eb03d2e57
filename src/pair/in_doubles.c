/* SPDX-License-Identifier: MIT */
/*
 * Two triangles in doubles, the short way; see in_doubles.h.
 *
 * The signs are those of exact/triangle_triangle.c, after Guigue and Devillers. With corners a_i, b_i and normals
 * n_A = (a_1 - a_0) x (a_2 - a_0) and n_B likewise, the heights n_A . (b_i - a_0) and n_B . (a_i - b_0) tell whether
 * the corners of each lie on both sides of the other's plane: one corner, the apex, alone on its side. Then the order
 * of the intervals' ends on the common line is that of two determinants (apex of B - apex of A) . (E x F), E and F the
 * edges from each apex to a foot: orient(a, b, p, q) of that file is (p - a) . ((b - a) x (q - p)). Where all signs are
 * certain, no corner lies on a plane and no end on another, so what is shared is nothing or a segment, inside in
 * inside.
 *
 * One bound for all. u = 2^-52, any rounding mode; e = error >= 2^-700, and all coordinates are at most 2^300. Let m be
 * the largest coordinate in magnitude of the computed edges a_1 - a_0, a_2 - a_0, b_1 - b_0, b_2 - b_0 and of
 * b_0 - a_0, and M = max(m (1 + 2u), 1024 e). A computed difference d of coordinates that are off by e at most differs
 * from the true one D by at most 2 e + u (|D| + 2 e) < 2.01 e + u |D| (flushed denormals count for less than 2^-1000).
 * So of those five |D| < M + 2 e + 2 u M < 1.0021 M, of all edges of one triangle |D| < 2.0042 M, and of differences
 * from corner to corner of both |D| < 3.0063 M; with N = 1.005 M, 2.009 M and 3.013 M that holds for d as well.
 *
 * The determinants: two edges and a third vector, six products. A difference is off by at most delta = 2.01 e + 3.1 u
 * M, so a product by at most delta (N_1 N_2 + N_1 N_3 + N_2 N_3) < 16.15 M^2 delta, and its five roundings (product,
 * difference, product, two sums) come to 5.1 u N_1 N_2 N_3 < 62.1 u M^3. In all less than
 *     6 (16.15 (2.01 e + 3.1 u M) + 62.1 u M) M^2 < (195 e + 673 u M) M^2.
 * The heights: n_A . (b_i - b_0) - n_A . (a_0 - b_0), of those five differences alone; twelve products, delta =
 * 2.01 e + 1.1 u M, six roundings: less than 12 (3.04 (2.01 e + 1.1 u M) + 6.2 u M) M^2 < (75 e + 115 u M) M^2.
 * We take 196 and 680 for all, which pays for the roundings of the bound itself. Underflow: a product of two that is
 * lost (less than 2^-1021) is multiplied by less than 2^303, in the bound by less than 2^320; ABSOLUTE = 2^-600 is more
 * than all of that together. Nothing overflows: M < 2^311, and a bound is less than 2^(3 * 311 + 10).
 */
#include "pair/in_doubles.h"

#include <stdbool.h>

#include "base/strict.h"
#include "exact/points.h"
#include "simd/two.h"

#define U 0x1p-52
#define ABSOLUTE 0x1p-600

/* Coordinates of A in the first lane and of B in the second, or the other way round. */
typedef struct twin
{
    two x, y, z;
} twin;

/* Which corners the ends of a triangle's interval lie between, by the set of corners with negative heights: from the
   apex to the first and to the second foot. The first is the lower end in A and the upper one in B, as the lines of
   exact/triangle_triangle.c say; there the side of an apex with negative height is positive. */
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

static inline twin twin_subtract(twin a, twin b)
{
    return (twin){two_subtract(a.x, b.x), two_subtract(a.y, b.y), two_subtract(a.z, b.z)};
}

static inline twin twin_swap(twin a)
{
    return (twin){two_swap(a.x), two_swap(a.y), two_swap(a.z)};
}

static inline twin twin_cross(twin a, twin b)
{
    return (twin){two_subtract(two_multiply(a.y, b.z), two_multiply(a.z, b.y)),
                  two_subtract(two_multiply(a.z, b.x), two_multiply(a.x, b.z)),
                  two_subtract(two_multiply(a.x, b.y), two_multiply(a.y, b.x))};
}

static inline two twin_dot(twin a, twin b)
{
    return two_add(two_add(two_multiply(a.x, b.x), two_multiply(a.y, b.y)), two_multiply(a.z, b.z));
}

static inline two twin_largest(twin a)
{
    return two_max(two_max(two_magnitude(a.x), two_magnitude(a.y)), two_magnitude(a.z));
}

/* The terms of one axis of an image, in two sums. */
static inline two map_axis(const double *row, two xy, two z1)
{
    return two_add(two_multiply(two_load(row), xy), two_multiply(two_load(row + 2), z1));
}

/* A corner of A and the image of one of B. No term of an image passes more than three roundings. */
static inline twin map_corner(const double a[3], const double b[3], const graze_pose *map)
{
    two xy = two_load(b), z1 = two_of(b[2], 1);
    two x = map_axis(map->m, xy, z1), y = map_axis(map->m + 4, xy, z1), z = map_axis(map->m + 8, xy, z1);
    two image = two_add(two_firsts(x, y), two_seconds(x, y)), own = two_load(a);
    return (twin){two_firsts(own, image), two_seconds(own, image),
                  two_firsts(two_of(a[2], 0), two_add(z, two_swap(z)))};
}

/* What any of the determinants may be off by, from the edges and the difference of the first corners. */
static inline double bound_of(twin edge_1, twin edge_2, twin between, double error)
{
    two m = two_max(two_max(twin_largest(edge_1), twin_largest(edge_2)), twin_largest(between));
    double largest = two_first(two_max(m, two_swap(m))), least = 1024 * error;
    double size = (largest > least ? largest : least) * (1 + 4 * U);
    /* shortcut: in-doubles */
    return size * size * (196 * error + 680 * U * size) + ABSOLUTE;
}

/* Corner `corner` of A (lane 0) or of B (lane 1) in both lanes, and two corners, one in each. */
typedef double corner_table[3][3][2]; /* [corner][axis][lane] */

static inline twin twice(corner_table c, unsigned corner, int lane)
{
    return (twin){two_fill(c[corner][0][lane]), two_fill(c[corner][1][lane]), two_fill(c[corner][2][lane])};
}

static inline twin both(corner_table c, unsigned first, unsigned second, int lane)
{
    return (twin){two_of(c[first][0][lane], c[second][0][lane]), two_of(c[first][1][lane], c[second][1][lane]),
                  two_of(c[first][2][lane], c[second][2][lane])};
}

static inline void keep(twin a, double out[3][2])
{
    two_store(out[0], a.x);
    two_store(out[1], a.y);
    two_store(out[2], a.z);
}

/* The two determinants, with signs such that the triangles cross where both are positive. */
static inline two order_on_line(corner_table corners, const ends *a, const ends *b)
{
    twin apex_a = twice(corners, a->apex, 0), apex_b = twice(corners, b->apex, 1);
    twin e = twin_subtract(both(corners, a->first, a->second, 0), apex_a);
    twin f = twin_subtract(both(corners, b->first, b->second, 1), apex_b);
    double sign = a->side * b->side;
    return two_multiply(twin_dot(twin_subtract(apex_b, apex_a), twin_cross(e, f)), two_of(sign, -sign));
}

/* Heights above the other triangle's plane: of A's corners in the first lane, of B's in the second. */
typedef struct heights
{
    two of[3], bound;
} heights;

/* What may be said of the corners one by one. A point above a plane is on its negative side in exact/points.h. */
static void explain(const heights *h, corner_table corners, grz_doubt *out)
{
    two lowest = two_subtract(two_fill(0), h->bound);
    for (int i = 0; i < 3; i++)
    {
        unsigned above = two_above(h->of[i], h->bound), below = two_above(lowest, h->of[i]);
        out->sides_a[i] = (above | below) & 1 ? (int)(below & 1) - (int)(above & 1) : GRZ_UNSETTLED;
        out->sides_b[i] = (above | below) & 2 ? (int)(below >> 1) - (int)(above >> 1) : GRZ_UNSETTLED;
        for (int k = 0; k < 3; k++)
            out->images[i][k] = corners[i][k][1];
    }
}

static inline heights find_heights(const twin p[3], double error)
{
    twin edge_1 = twin_subtract(p[1], p[0]), edge_2 = twin_subtract(p[2], p[0]);
    twin between = twin_subtract(twin_swap(p[0]), p[0]);
    twin normal = twin_swap(twin_cross(edge_1, edge_2)); /* of the other triangle */
    two level = twin_dot(normal, between);
    return (heights){{two_subtract(two_fill(0), level), two_subtract(twin_dot(normal, edge_1), level),
                      two_subtract(twin_dot(normal, edge_2), level)},
                     two_fill(bound_of(edge_1, edge_2, between, error))};
}

/* Where all heights of a triangle's corners are certain. */
static inline unsigned find_certain(const heights *h)
{
    two least = two_min(two_min(two_magnitude(h->of[0]), two_magnitude(h->of[1])), two_magnitude(h->of[2]));
    return two_above(least, h->bound);
}

grz_verdict grz_judge_in_doubles(grz_indexed_triangle a, grz_indexed_triangle b, const graze_pose *map, double error,
                                 grz_doubt *out_doubt)
{
    twin p[3];
    corner_table corners;
    for (int i = 0; i < 3; i++)
    {
        p[i] = map_corner(a.vertices + 3 * (size_t)a.corners[i], b.vertices + 3 * (size_t)b.corners[i], map);
        keep(p[i], corners[i]);
    }
    heights h = find_heights(p, error);
    unsigned certain = find_certain(&h), signs_2 = two_signs(h.of[2]);
    unsigned negative_a = two_signs(two_firsts(h.of[0], h.of[1])) | (signs_2 & 1) << 2;
    unsigned negative_b = two_signs(two_seconds(h.of[0], h.of[1])) | (signs_2 & 2) << 1;
    if (certain == 3 && has_apex(negative_a) && has_apex(negative_b))
    {
        two order = order_on_line(corners, &ends_of[negative_a], &ends_of[negative_b]);
        if (two_above(order, h.bound) == 3)
            return GRZ_CROSS;
        if (two_above(two_subtract(two_fill(0), h.bound), order) != 0)
            return GRZ_APART;
    }
    else if (((certain & 1) != 0 && !has_apex(negative_a)) || ((certain & 2) != 0 && !has_apex(negative_b)))
        return GRZ_APART;
    explain(&h, corners, out_doubt);
    return GRZ_IN_DOUBT;
}
