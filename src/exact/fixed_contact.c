/* SPDX-License-Identifier: MIT */
/*
 * Contact of two triangles in fixed point; see fixed_point.h. The steps are those of triangle_triangle.c.
 *
 * Signs from the upper halves. In units of these, a coordinate c differs from the exact one by less than 1 + 2^-61: it
 * is rounded down, and each of at most four terms may have lost less than 2^-64. So a difference d has an error below
 * e = 1.001; as exact differences are below 2^61, |d| <= 2^61 + 1.
 * orient3d is n . r with n = p x q. Let L be the largest coordinate of p and q, D that of r, in magnitude. Each
 * component of n has an error of at most 2 (2 e L + e^2), so that of n . r is at most
 *     3 (4 e L + 2 e^2) (D + e) + e |n|_1 < 13 (L + 1) (D + 2) + 2 |n|_1,
 * where |n|_1 is the sum of the magnitudes of the computed components; all are integers, and nothing is rounded. The
 * bound is below 2^127, components of n below 2^124.
 * orient2d is a_i b_j - a_j b_i, with an error of at most e (|a_i| + |a_j| + |b_i| + |b_j|) + 2 e^2; twice the sum and
 * 4 is more.
 *
 * Signs from all bits are exact: differences are below 2^125 units, as wide_integer.h asks.
 */
#include "exact/fixed_point.h"

#include "exact/line_interval.h"

typedef struct fixed_pair
{
    const grz_fixed_triangle *triangles[2];
    bool whole, exact;
    grz_filter_stats *stages;
    grz_contact_set *set; /* the contact as a set of points, where asked for; else NULL */
} fixed_pair;

static inline const int64_t *high_of(const fixed_pair *pair, int point)
{
    return point < 3 ? pair->triangles[0]->high[point] : pair->triangles[1]->high[point - 3];
}

static inline int64_t subtract(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b); /* modulo 2^64 */
}

static inline uint64_t magnitude(int64_t x)
{
    return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

static inline grz_u128 wide_magnitude(grz_i128 x)
{
    return x < 0 ? -(grz_u128)x : (grz_u128)x;
}

static inline uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The sign of high 2^62 + low, 0 <= low < 2^62, if it is larger than `bound` in magnitude, else GRZ_UNCERTAIN. */
static inline int sign_beyond(grz_i128 high, int64_t low, grz_u128 bound)
{
    if (wide_magnitude(high) >> 65 != 0)
        return high < 0 ? -1 : 1; /* at least 2^127 - 2^62 in magnitude: bounds are below 25 * 2^122 + 2^70 */
    grz_i128 height = high * ((grz_i128)1 << GRZ_FIXED_SPLIT) + low;
    return wide_magnitude(height) > bound ? (height < 0 ? -1 : 1) : GRZ_UNCERTAIN;
}

/* The sign of normal . (c - d), c being the plane's point: that of orient3d(a, b, c, d). */
static inline int height_sign(const grz_fixed_plane *plane, const int64_t d[3], bool whole)
{
    int64_t r[3];
    grz_i128 high = 0, low = 0;
    for (int k = 0; k < 3; k++)
    {
        r[k] = subtract(plane->point[k], d[k]);
        high += (grz_i128)plane->upper[k] * r[k];
        low += (grz_i128)plane->lower[k] * r[k];
    }
    high += low >> GRZ_FIXED_SPLIT;
    int64_t rest = (int64_t)low & ((INT64_C(1) << GRZ_FIXED_SPLIT) - 1);
    if (whole)
        return high < 0 ? -1 : high != 0 || rest != 0;
    uint64_t largest = larger(larger(magnitude(r[0]), magnitude(r[1])), magnitude(r[2]));
    /* shortcut: fixed-point-orient3d */
    grz_u128 bound = 13 * ((grz_u128)plane->largest + 1) * (largest + 2) + plane->norm;
    return sign_beyond(high, rest, bound);
}

static grz_u128 all_bits(const fixed_pair *pair, int point, int axis)
{
    const grz_fixed_triangle *t = pair->triangles[point >= 3];
    int corner = point < 3 ? point : point - 3;
    return (grz_u128)(uint64_t)t->high[corner][axis] << 64 | t->low[corner][axis];
}

/* Whether two points are equal in all bits, as corners of mated parts are. */
static bool same_point(const fixed_pair *pair, int a, int b)
{
    const int64_t *p = high_of(pair, a), *q = high_of(pair, b);
    /* shortcut: fixed-point-same-point */
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2] && all_bits(pair, a, 0) == all_bits(pair, b, 0) &&
           all_bits(pair, a, 1) == all_bits(pair, b, 1) && all_bits(pair, a, 2) == all_bits(pair, b, 2);
}

static bool is_one_of(const fixed_pair *pair, int point, int a, int b, int c)
{
    return same_point(pair, point, a) || same_point(pair, point, b) || same_point(pair, point, c);
}

static grz_wide_number wide_difference(const fixed_pair *pair, int a, int b, int axis)
{
    return grz_wide_make(all_bits(pair, a, axis) - all_bits(pair, b, axis));
}

static void find_wide_normal(const fixed_pair *pair, int a, int b, int c, grz_wide_normal *out)
{
    grz_wide_number p[3], q[3];
    for (int k = 0; k < 3; k++)
    {
        p[k] = wide_difference(pair, a, c, k);
        q[k] = wide_difference(pair, b, c, k);
    }
    grz_wide_normal_make(p, q, out);
}

/* The sign of normal . (c - d). */
static int wide_height_sign(const fixed_pair *pair, const grz_wide_normal *normal, int c, int d)
{
    grz_wide_number r[3];
    for (int k = 0; k < 3; k++)
        r[k] = wide_difference(pair, c, d, k);
    return grz_wide_height_sign(normal, r);
}

static void count_signs(const fixed_pair *pair, uint64_t filtered, uint64_t exact)
{
    pair->stages->filtered += filtered;
    pair->stages->exact += exact;
}

/* The uncertain sides from all bits; returns how many are 0. */
static unsigned find_wide_sides(const fixed_pair *pair, int plane, int first, int sides[3])
{
    grz_wide_normal normal;
    bool has_normal = false;
    unsigned count = 0;
    for (int i = 0; i < 3; i++)
    {
        if (sides[i] != GRZ_UNCERTAIN)
            continue;
        sides[i] = 0;
        if (!is_one_of(pair, first + i, plane, plane + 1, plane + 2))
        {
            if (!has_normal)
                find_wide_normal(pair, plane, plane + 1, plane + 2, &normal);
            has_normal = true;
            sides[i] = wide_height_sign(pair, &normal, plane + 2, first + i);
        }
        count += sides[i] == 0;
    }
    return count;
}

/* The uncertain ones of the sides of the corners first, first+1, first+2 to the plane through plane, plane+1, plane+2.
   False where one stays uncertain. */
static bool find_sides(const fixed_pair *pair, int plane, int first, int sides[3])
{
    if (sides[0] != GRZ_UNCERTAIN && sides[1] != GRZ_UNCERTAIN && sides[2] != GRZ_UNCERTAIN)
    {
        count_signs(pair, 3, 0);
        return true;
    }
    const grz_fixed_plane *high = &pair->triangles[plane / 3]->plane;
    uint64_t exact = 0;
    bool all = true;
    for (int i = 0; i < 3; i++)
    {
        if (sides[i] != GRZ_UNCERTAIN)
            continue;
        sides[i] = height_sign(high, high_of(pair, first + i), pair->whole);
        all = all && sides[i] != GRZ_UNCERTAIN;
        exact += sides[i] == 0;
    }
    if (!all && pair->exact)
    {
        exact += find_wide_sides(pair, plane, first, sides);
        all = true;
    }
    count_signs(pair, 3 - exact, exact);
    return all;
}

static int orient3d(const fixed_pair *pair, int a, int b, int c, int d)
{
    grz_fixed_plane high = grz_fixed_plane_make(high_of(pair, a), high_of(pair, b), high_of(pair, c));
    int sign = height_sign(&high, high_of(pair, d), pair->whole);
    /* Points a and b are of one triangle, c and d of the other. */
    if (sign == GRZ_UNCERTAIN && pair->exact && (is_one_of(pair, a, c, d, d) || is_one_of(pair, b, c, d, d)))
        sign = 0;
    else if (sign == GRZ_UNCERTAIN && pair->exact)
    {
        grz_wide_normal normal;
        find_wide_normal(pair, a, b, c, &normal);
        sign = wide_height_sign(pair, &normal, c, d);
    }
    count_signs(pair, sign != 0, sign == 0);
    return sign;
}

static int wide_orient2d(const fixed_pair *pair, int a, int b, int c, int i, int j)
{
    uint64_t area[4];
    grz_wide_cross(wide_difference(pair, a, c, i), wide_difference(pair, a, c, j), wide_difference(pair, b, c, i),
                   wide_difference(pair, b, c, j), area);
    return grz_wide_sign(area, 4);
}

/* The corners projected along an axis: coordinates i and j of their upper halves. */
typedef struct projection
{
    int i, j;
    int64_t at[6][2];
} projection;

static projection project(const fixed_pair *pair, int axis)
{
    projection flat = {.i = axis == 2 ? 0 : axis + 1, .j = axis == 0 ? 2 : axis - 1};
    for (int p = 0; p < 6; p++)
    {
        const int64_t *high = high_of(pair, p);
        flat.at[p][0] = high[flat.i];
        flat.at[p][1] = high[flat.j];
    }
    return flat;
}

/* Only for pairs that are exact. Does not count the sign. */
static inline int orient2d(const fixed_pair *pair, const projection *flat, int a, int b, int c, bool whole)
{
    const int64_t *pa = flat->at[a], *pb = flat->at[b], *pc = flat->at[c];
    int64_t ai = subtract(pa[0], pc[0]), aj = subtract(pa[1], pc[1]);
    if (whole) /* the same area from a and the edge: an edge's difference serves three points */
    {
        grz_i128 exact = (grz_i128)ai * subtract(pb[1], pa[1]) - (grz_i128)aj * subtract(pb[0], pa[0]);
        return (int)(exact >> 127) | (exact != 0);
    }
    int64_t bi = subtract(pb[0], pc[0]), bj = subtract(pb[1], pc[1]);
    grz_i128 area = (grz_i128)ai * bj - (grz_i128)aj * bi;
    /* shortcut: fixed-point-orient2d */
    uint64_t bound = 2 * (magnitude(ai) + magnitude(aj) + magnitude(bi) + magnitude(bj)) + 4;
    if (wide_magnitude(area) <= bound)
        return wide_orient2d(pair, a, b, c, flat->i, flat->j);
    return area > 0 ? 1 : -1;
}

/* Returns false when an edge has all corners of the other triangle strictly outside. */
static inline bool fill_sides_by(const fixed_pair *pair, const projection *flat, int triangle, int corners, int turn,
                                 bool whole, grz_side_table sides)
{
    uint64_t zeros = 0;
    for (int e = 0; e < 3; e++)
    {
        bool all_outside = true;
        int next = e == 2 ? 0 : e + 1;
        for (int i = 0; i < 3; i++)
        {
            sides[i][e] = turn * orient2d(pair, flat, triangle + e, triangle + next, corners + i, whole);
            zeros += sides[i][e] == 0;
            /* shortcut: fixed-point-separating-edge */
            all_outside = all_outside && sides[i][e] < 0;
        }
        if (all_outside)
        {
            count_signs(pair, (uint64_t)(3 * e + 3) - zeros, zeros);
            return false;
        }
    }
    count_signs(pair, 9 - zeros, zeros);
    return true;
}

static bool fill_sides(const fixed_pair *pair, const projection *flat, int triangle, int corners, int turn,
                       grz_side_table sides)
{
    return pair->whole ? fill_sides_by(pair, flat, triangle, corners, turn, true, sides)
                       : fill_sides_by(pair, flat, triangle, corners, turn, false, sides);
}

/* The axis along which the projection of B is largest, by the upper halves. */
static int dominant_axis(const fixed_pair *pair)
{
    const grz_fixed_plane *plane = &pair->triangles[1]->plane;
    grz_u128 x = wide_magnitude(grz_fixed_plane_normal(plane, 0)), y = wide_magnitude(grz_fixed_plane_normal(plane, 1));
    int best = y > x ? 1 : 0;
    return wide_magnitude(grz_fixed_plane_normal(plane, 2)) > (best == 1 ? y : x) ? 2 : best;
}

static bool intersect_along(const fixed_pair *pair, const projection *flat, int turn_a, int turn_b,
                            graze_triangle_contact *out)
{
    grz_side_table a_in_b, b_in_a;
    *out = (graze_triangle_contact){0};
    if (!fill_sides(pair, flat, 3, 0, turn_b, a_in_b) || !fill_sides(pair, flat, 0, 3, turn_a, b_in_a))
        return true;
    if (pair->set != NULL)
        grz_contact_set_in_plane(a_in_b, b_in_a, pair->set);
    else
        *out = grz_contact_in_plane(a_in_b, b_in_a);
    return true;
}

/* All corners of A in the plane of B, or of B in that of A, or one is degenerate. */
static bool intersect_in_plane(const fixed_pair *pair, graze_triangle_contact *out)
{
    if (!pair->exact)
        return false;
    int best = dominant_axis(pair);
    for (int i = 0; i < 3; i++) /* others where the upper halves are too coarse */
    {
        projection flat = project(pair, (best + i) % 3);
        int turn_a = orient2d(pair, &flat, 0, 1, 2, pair->whole), turn_b = 0;
        count_signs(pair, turn_a != 0, turn_a == 0);
        if (turn_a != 0)
        {
            turn_b = orient2d(pair, &flat, 3, 4, 5, pair->whole);
            count_signs(pair, turn_b != 0, turn_b == 0);
        }
        if (turn_b != 0)
            return intersect_along(pair, &flat, turn_a, turn_b, out);
    }
    return false;
}

/* The sign of B's end (foot q) minus A's end (foot p) on the line. */
static int order(const fixed_pair *pair, const grz_line_interval *a, int p, const grz_line_interval *b, int q)
{
    int sign = orient3d(pair, a->apex, p, b->apex, q);
    return sign == GRZ_UNCERTAIN ? sign : a->side * b->side * sign;
}

/* The ends of the intersection of two intervals that meet. */
static bool find_ends(const fixed_pair *pair, const grz_line_interval *a, const grz_line_interval *b,
                      grz_line_orders orders)
{
    orders.low = order(pair, a, a->lower, b, b->lower);
    orders.high = order(pair, a, a->upper, b, b->upper);
    if (orders.low == GRZ_UNCERTAIN || orders.high == GRZ_UNCERTAIN)
        return false;
    grz_contact_set_on_line(a, b, &orders, pair->set);
    return true;
}

static bool intersect_on_line(const fixed_pair *pair, const int sides_a[3], const int sides_b[3],
                              graze_triangle_contact *out)
{
    grz_line_interval a = grz_line_interval_find(sides_a, 0, -1), b = grz_line_interval_find(sides_b, 3, 1);
    *out = (graze_triangle_contact){0};
    int up = order(pair, &a, a.lower, &b, b.upper);
    if (up < 0)
        return true;
    int down = order(pair, &a, a.upper, &b, b.lower);
    if (down == 1)
        return true;
    if (up == GRZ_UNCERTAIN || down == GRZ_UNCERTAIN)
        return false;
    if (pair->set != NULL)
        return find_ends(pair, &a, &b, (grz_line_orders){up, down, 0, 0});
    *out = grz_contact_on_line(&a, &b, up, down);
    return true;
}

static bool same_side(const int sides[3])
{
    return sides[0] == sides[1] && sides[1] == sides[2];
}

static bool find_contact(const fixed_pair *pair, int sides_a[3], int sides_b[3], graze_triangle_contact *out)
{
    *out = (graze_triangle_contact){0};
    if (!find_sides(pair, 3, 0, sides_a))
        return false;
    if (same_side(sides_a))
        return sides_a[0] != 0 || intersect_in_plane(pair, out);
    if (!find_sides(pair, 0, 3, sides_b))
        return false;
    if (same_side(sides_b))
        return sides_b[0] != 0 || intersect_in_plane(pair, out);
    return intersect_on_line(pair, sides_a, sides_b, out);
}

bool grz_fixed_contact(const grz_fixed_triangle *a, const grz_fixed_triangle *b, int sides_a[3], int sides_b[3],
                       grz_filter_stats *stages, graze_triangle_contact *out_contact)
{
    grz_filter_stats counted = {0, 0};
    fixed_pair pair = {{a, b}, a->whole && b->whole, a->exact && b->exact, &counted, NULL};
    bool decided = find_contact(&pair, sides_a, sides_b, out_contact);
    if (decided && stages != NULL)
    {
        stages->filtered += counted.filtered;
        stages->exact += counted.exact;
    }
    return decided;
}

bool grz_fixed_contact_set(const grz_fixed_triangle *a, const grz_fixed_triangle *b, grz_contact_set *out_set)
{
    int sides_a[3] = {GRZ_UNCERTAIN, GRZ_UNCERTAIN, GRZ_UNCERTAIN};
    int sides_b[3] = {GRZ_UNCERTAIN, GRZ_UNCERTAIN, GRZ_UNCERTAIN};
    grz_filter_stats counted = {0, 0};
    graze_triangle_contact unused;
    fixed_pair pair = {.triangles = {a, b}, .stages = &counted, .set = out_set};
    pair.whole = a->whole && b->whole;
    pair.exact = a->exact && b->exact;
    out_set->count = 0;
    return find_contact(&pair, sides_a, sides_b, &unused);
}

void grz_fixed_sides(const grz_fixed_triangle *triangle, const grz_fixed_triangle *points, int sides[3])
{
    grz_filter_stats counted = {0, 0};
    fixed_pair pair = {.triangles = {triangle, points}, .stages = &counted};
    pair.whole = triangle->whole && points->whole;
    pair.exact = triangle->exact && points->exact;
    find_sides(&pair, 0, 3, sides);
}
