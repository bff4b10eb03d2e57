/* SPDX-License-Identifier: MIT */
/*
 * Separating axis test of triangle against triangle, for many pairs side by side; part of kernels_template.h.
 *
 * Two triangles that are not coplanar share no point exactly when one of eleven axes separates them: the two normals
 * and the nine cross products of an edge of each (the separating axis theorem). They cross, interior in interior,
 * exactly when their projections overlap in more than a point on all eleven: the origin is then inside the polyhedron A
 * - B, whose faces have these normals. Both results are given only with a certified error bound; undecided pairs go on
 * to doubles and then to exact arithmetic.
 *
 * Let errA and errB bound the errors of the triangles' coordinates (error_a, error_b), errAB their sum (error_ab), and
 * err that of the triangle at hand; L the largest coordinate of its edges (LA, LB), enlarged by 2 err; D the largest
 * coordinate of a difference of corners of A and B, enlarged by errAB. In any rounding mode a float operation has an
 * error of at most f = 2^-23 of its result, and so has a fused one: products are counted as rounded before they are
 * added, which is never less. Pairs come from pair_queue_template.h: their boxes meet when widened by 1.5 errB and 513
 * errA (a stride, the step of the boxes compared there, and A's own error), so that D <= LA + LB + errAB + 512 errA: LA
 * and LB hold two of each.
 *
 * Positions. All are relative to A's first corner: A's others are its edges from there, exact on A's grid; B's first is
 * x0 = b0 + (o - a0), o the offset of the leaves, and its others x0 + g, g its edges from there, differences of b. |o -
 * a0| <= |x0| + |b0|; roundings in proportion to |b| and |o| are in errB (pair/relative_pose.c leaves room for ten of
 * each and uses five and two). Those in proportion to |x| and |g|, at most D, are counted here: two of x0, and four of
 * the others, where one of g and one of the sum are added. Third edges are differences g' - g and pass three.
 *
 * Heights above A's plane are n.x0 and n.x0 + n.g, those above B's n.y - n.x0, n the cross product of the edges from
 * the first corner. Their error bound is
 *   |n|_1 errAB + 24 L err D    (x and y - x0 err by errAB; n is a product of edges whose coordinates err by 2 err),
 *   + 120 f L^2 D               (at most 10 roundings of each of twelve products of three numbers: of B's normal and x0
 *                               two, one and one of the normal's products, two, one of the product, two and one of
 *                               sums; the others have fewer).
 * For long triangles that is far too much, but only signs need it. Suppose that the true triangles share a point, and
 * take the same convex combination of the computed corners: one point for A, within errA of the shared one, and one for
 * B, within errB. So their heights along n, whatever direction that is, differ by |n|_1 errAB; and A's is 0, as n is
 * perpendicular to A's edges, except for 18 f L^3 for the rounding of n. Hence triangles are disjoint if all computed
 * heights are on one side by more than
 *   |n|_1 errAB + 138 f L^2 D.
 * This does not require n = 0 where corners are collinear: fused products may leave a few roundings there. Products of
 * three numbers may underflow, each costing less than 2^-126 times the other factors, which are below 4 where that
 * matters; 2^-118 is added for the few dozen of them.
 *
 * Edges. Along e x g, for edges e = a' - a of A and g = b' - b of B, both ends of an edge have one projection, and the
 * third corners' differ from those by -nA.g and nB.e. What remains is s = det(a - b, e, g) = g.(a x e) + e.(b x g).
 * Errors: a - b by errAB, e by 2 errA and g by 2 errB, hence
 *   s by 6 errAB LA LB + 12 D (errA LB + errB LA)  (six products of three numbers),
 *        + 78 f D LA LB as a determinant           (five roundings of a - b, three of g, five more of each product),
 *        or 132 f D LA LB as the sum               (of six products 13, where b x g is in it, of six others nine),
 *   nA.g by 2 |nA|_1 errB + 24 LA LB errA + 48 f LA^2 LB, and nB.e by 2 |nB|_1 errA + 24 LA LB errB + 48 f LB^2 LA
 *                                                  (at most eight roundings of each of six products).
 * LA and LB are at most D. The constants used below are larger, which covers the rounding of the bounds themselves and
 * of the sums after.
 *
 * Axes in the plane. For nearly coplanar triangles the nine products of edges are all close to the normal and separate
 * nothing; the products w of a normal and an edge of the same triangle do. Again any w will do, as computed: if the
 * triangles share a point, their intervals along w overlap up to
 *   |w|_1 errAB + 14 f |w|_1 D    (of B four roundings of a position, three of w.x0, three of w.g, one of their sum; of
 *                                 A three),
 * 20 f are taken, which covers the roundings of the bound and of the sum with it. w is a product of three numbers, so
 * that only distances below 2^20 are tested: nothing overflows. Operands that are denormals, taken for 0, cost less
 * than 2^-124 |w|_1, results less than 2^-120; 2^-120 |w|_1 and 2^-110 are added.
 */
#ifndef GRZ_SIMD_TRIANGLE_SAT_TEMPLATE_H
#define GRZ_SIMD_TRIANGLE_SAT_TEMPLATE_H

#include "simd/f32xN.h"
#include "simd/kernels.h"

/* Pairs of triangles, one to a lane, and the results of the tests of their planes. */
typedef struct sat_pairs
{
    f32xN a[3][3];                                /* A's corners relative to the first, */
    f32xN b[3][3];                                /* and B's relative to its own first, */
    f32xN x[3];                                   /* which is here relative to A's first */
    f32xN normal_a[3], normal_b[3], sum_a, sum_b; /* and |n|_1 */
    f32xN error_a, error_b, error_ab;
    f32xN size_a, size_b, distance; /* LA, LB, D */
    f32xN a_heights[3], b_heights[3];
    unsigned given;   /* pairs still undecided */
    unsigned certain; /* pairs in which the signs of all heights are certain */
    unsigned across;  /* pairs that certainly lie on both sides of each other's planes */
} sat_pairs;

/* Classification by heights: certainly disjoint, certainly on both sides, and whether all signs are certain.
   `separated` is at most `bound`, so that pairs that are certain but not disjoint are on both sides. */
typedef struct sat_result
{
    unsigned separated, across, certain;
} sat_result;

static inline sat_result classify_heights(const f32xN *heights, f32xN bound, f32xN separated)
{
    f32xN lowest = f32xN_min(f32xN_min(heights[0], heights[1]), heights[2]);
    f32xN highest = f32xN_max(f32xN_max(heights[0], heights[1]), heights[2]);
    f32xN nearest = f32xN_min(f32xN_min(f32xN_abs(heights[0]), f32xN_abs(heights[1])), f32xN_abs(heights[2]));
    f32xN zero = f32xN_splat(0.0f), below = f32xN_sub(zero, bound);
    sat_result v = {
        mask32xN_bits(mask32xN_or(f32xN_lt(separated, lowest), f32xN_lt(highest, f32xN_sub(zero, separated)))),
        mask32xN_bits(mask32xN_and(f32xN_lt(lowest, below), f32xN_lt(bound, highest))),
        mask32xN_bits(f32xN_lt(bound, nearest))};
    return v;
}

/* Error bound of heights above planes with these normals and sizes, */
static inline f32xN height_error_bound(f32xN normal_sum, f32xN size, f32xN error_own, f32xN error_ab, f32xN distance)
{
    f32xN error = f32xN_mul_add(normal_sum, f32xN_mul(f32xN_splat(1.001f), error_ab), f32xN_splat(0x1p-118f));
    /* shortcut: signs-in-floats */
    f32xN slope = f32xN_mul_add(f32xN_splat(24.5f), error_own, f32xN_mul(size, f32xN_splat(160 * 0x1p-23f)));
    return f32xN_mul_add(f32xN_mul(size, slope), distance, error);
}

/* and that of a point which both triangles share: never more, as it is a sum of the same kind with smaller terms, and
   every operation, fused or not, is monotonic. */
static inline f32xN shared_point_error_bound(f32xN normal_sum, f32xN size, f32xN error_ab, f32xN distance)
{
    f32xN error = f32xN_mul_add(normal_sum, f32xN_mul(f32xN_splat(1.001f), error_ab), f32xN_splat(0x1p-118f));
    /* shortcut: planes-in-floats */
    f32xN slope = f32xN_mul(size, f32xN_splat(145 * 0x1p-23f));
    return f32xN_mul_add(f32xN_mul(size, slope), distance, error);
}

static inline f32xN sum3(const f32xN n[3])
{
    return f32xN_add(f32xN_add(f32xN_abs(n[0]), f32xN_abs(n[1])), f32xN_abs(n[2]));
}

static inline void subtract(const f32xN a[3], const f32xN b[3], f32xN out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = f32xN_sub(a[k], b[k]);
}

static inline void load_sat_pairs(sat_pairs *m, const grz_pair_queue *queue, unsigned index)
{
    for (int k = 0; k < 3; k++)
    {
        m->a[0][k] = m->b[0][k] = f32xN_splat(0.0f);
        m->x[k] = f32xN_load(&queue->between[k][index]);
        for (int c = 1; c < 3; c++)
        {
            m->a[c][k] = f32xN_load(&queue->a[c - 1][k][index]);
            m->b[c][k] = f32xN_load(&queue->b[c - 1][k][index]);
        }
    }
    f32xN_cross(m->a[1], m->a[2], m->normal_a);
    f32xN_cross(m->b[1], m->b[2], m->normal_b);
    m->sum_a = sum3(m->normal_a);
    m->sum_b = sum3(m->normal_b);
    unsigned leaves = queue->leaves[index]; /* and the following ones, at most as many as pairs */
    permutationN leaf_permutation = permutationN_after(queue->leaves + index, leaves);
    m->error_a = f32xN_permute(queue->error_a + leaves, leaf_permutation);
    m->error_b = f32xN_permute(queue->error_b + leaves, leaf_permutation);
    m->error_ab = f32xN_add(m->error_a, m->error_b);
    f32xN two = f32xN_splat(2.0f);
    m->size_a = f32xN_mul_add(two, m->error_a, f32xN_load(&queue->size_a[index]));
    m->size_b = f32xN_mul_add(two, m->error_b, f32xN_load(&queue->size_b[index]));
    f32xN stride = f32xN_mul_add(f32xN_splat(512.0f), m->error_a, m->error_ab);
    m->distance = f32xN_add(f32xN_add(m->size_a, m->size_b), stride);
}

/* Finds the pairs, of those given, that neither plane separates. */
static inline void test_planes(sat_pairs *m)
{
    f32xN level = f32xN_dot(m->normal_b, m->x);
    m->b_heights[0] = f32xN_dot(m->normal_a, m->x);
    m->b_heights[1] = f32xN_add(f32xN_dot(m->normal_a, m->b[1]), m->b_heights[0]);
    m->b_heights[2] = f32xN_add(f32xN_dot(m->normal_a, m->b[2]), m->b_heights[0]);
    m->a_heights[0] = f32xN_sub(f32xN_splat(0.0f), level);
    m->a_heights[1] = f32xN_sub(f32xN_dot(m->normal_b, m->a[1]), level);
    m->a_heights[2] = f32xN_sub(f32xN_dot(m->normal_b, m->a[2]), level);
    sat_result over_a =
        classify_heights(m->b_heights, height_error_bound(m->sum_a, m->size_a, m->error_a, m->error_ab, m->distance),
                         shared_point_error_bound(m->sum_a, m->size_a, m->error_ab, m->distance));
    sat_result over_b =
        classify_heights(m->a_heights, height_error_bound(m->sum_b, m->size_b, m->error_b, m->error_ab, m->distance),
                         shared_point_error_bound(m->sum_b, m->size_b, m->error_ab, m->distance));
    m->given &= ~(over_a.separated | over_b.separated);
    m->certain = m->given & over_a.certain & over_b.certain;
    m->across = m->given & over_a.across & over_b.across;
}

/*
 * A triangle that certainly lies on both sides of a plane, relative to the common line of the two planes: the corner
 * that is alone on its side, and the edges from there to the other two, the one towards the line's lower end first;
 * `reversed` for the triangle whose orientation is against the line's direction.
 */
typedef struct apex_edges
{
    f32xN apex[3], to_lower[3], to_upper[3];
    mask32xN positive; /* whether the apex lies above */
} apex_edges;

static inline void find_apex(const f32xN corners[3][3], const f32xN heights[3], bool reversed, apex_edges *out)
{
    f32xN zero = f32xN_splat(0.0f);
    mask32xN s0 = f32xN_lt(zero, heights[0]), s1 = f32xN_lt(zero, heights[1]), s2 = f32xN_lt(zero, heights[2]);
    mask32xN d01 = mask32xN_xor(s0, s1), d02 = mask32xN_xor(s0, s2);
    out->positive = mask32xN_xor(d01, s2); /* one above, not two */
    for (int k = 0; k < 3; k++)
    {
        f32xN x0 = corners[0][k], x1 = corners[1][k], x2 = corners[2][k];
        f32xN apex = f32xN_select(d01, f32xN_select(d02, x0, x1), x2);
        f32xN next = f32xN_sub(f32xN_select(d01, f32xN_select(d02, x1, x2), x0), apex);
        f32xN last = f32xN_sub(f32xN_select(d01, f32xN_select(d02, x2, x0), x1), apex);
        out->apex[k] = apex;
        out->to_lower[k] = reversed ? f32xN_select(out->positive, last, next) : f32xN_select(out->positive, next, last);
        out->to_upper[k] = reversed ? f32xN_select(out->positive, next, last) : f32xN_select(out->positive, last, next);
    }
}

/*
 * Guigue and Devillers, as in exact/triangle_triangle.c: each triangle cuts the common line in an interval, and two
 * determinants decide whether these overlap. In terms of heights above the other's plane: of A, with apex a and feet b,
 * c in the triangle's orientation, b is at the lower end when a lies above; of B, with p, q, r, r is. And for edges a b
 * and p q the sign of B's end minus A's is -det(a - p, b - a, q - p), or the opposite when just one apex lies above.
 */
static inline sat_result test_line_intervals(const sat_pairs *m)
{
    f32xN between[3], product[3];
    apex_edges a, b;
    find_apex(m->a, m->a_heights, false, &a);
    find_apex(m->b, m->b_heights, true, &b);
    for (int k = 0; k < 3; k++)
        between[k] = f32xN_sub(a.apex[k], f32xN_add(b.apex[k], m->x[k]));
    f32xN_cross(a.to_lower, b.to_upper, product);
    f32xN up = f32xN_dot(between, product);
    f32xN_cross(a.to_upper, b.to_lower, product);
    f32xN down = f32xN_dot(between, product), zero = f32xN_splat(0.0f);
    mask32xN one_above = mask32xN_xor(a.positive, b.positive);
    up = f32xN_select(one_above, up, f32xN_sub(zero, up));
    down = f32xN_select(one_above, down, f32xN_sub(zero, down));
    f32xN tilt = f32xN_mul_add(m->error_a, m->size_b, f32xN_mul(m->error_b, m->size_a));
    tilt = f32xN_mul(f32xN_splat(12.5f), tilt);
    /* shortcut: line-in-floats */
    f32xN error = f32xN_mul_add(f32xN_splat(6.5f), m->error_ab, f32xN_mul(f32xN_splat(88 * 0x1p-23f), m->distance));
    error = f32xN_mul_add(f32xN_mul(m->size_a, m->size_b), error, f32xN_splat(0x1p-118f));
    error = f32xN_mul_add(m->distance, tilt, error);
    f32xN below = f32xN_sub(zero, error);
    sat_result result = {mask32xN_bits(mask32xN_or(f32xN_lt(up, below), f32xN_lt(error, down))),
                         mask32xN_bits(mask32xN_and(f32xN_lt(error, up), f32xN_lt(down, below))), 0};
    return result;
}

/* Error bound of s and the heights compared with it. */
static inline f32xN edge_error_bound(const sat_pairs *m)
{
    /* shortcut: edges-in-floats */
    f32xN products =
        f32xN_mul_add(f32xN_splat(31.0f), m->error_ab, f32xN_mul(f32xN_splat(320 * 0x1p-23f), m->distance));
    f32xN error = f32xN_mul_add(f32xN_mul(m->size_a, m->size_b), products, f32xN_splat(0x1p-118f));
    f32xN normals = f32xN_mul_add(m->error_b, m->sum_a, f32xN_mul(m->error_a, m->sum_b));
    f32xN tilt = f32xN_mul_add(m->error_a, m->size_b, f32xN_mul(m->error_b, m->size_a));
    error = f32xN_mul_add(f32xN_splat(2.1f), normals, error);
    return f32xN_mul_add(f32xN_mul(f32xN_splat(12.5f), m->distance), tilt, error);
}

/* The nine cross products of edges. */
static inline sat_result test_edge_axes(const sat_pairs *m)
{
    f32xN zero = f32xN_splat(0.0f), error = edge_error_bound(m), edges[3][3], moments[3][3], below_u[3], above_u[3];
    for (int j = 0; j < 3; j++)
    {
        f32xN x[3];
        subtract(m->b[(j + 1) % 3], m->b[j], edges[j]);
        for (int k = 0; k < 3; k++)
            x[k] = f32xN_add(m->b[j][k], m->x[k]);
        f32xN u = f32xN_sub(zero, f32xN_dot(m->normal_a, edges[j]));
        below_u[j] = f32xN_min(u, zero);
        above_u[j] = f32xN_max(u, zero);
        f32xN_cross(x, edges[j], moments[j]);
    }
    mask32xN separated = f32xN_lt(zero, zero), across = f32xN_le(zero, zero);
    for (int i = 0; i < 3; i++)
    {
        f32xN edge[3], moment[3];
        subtract(m->a[(i + 1) % 3], m->a[i], edge);
        f32xN_cross(m->a[i], edge, moment);
        f32xN v = f32xN_dot(m->normal_b, edge);
        f32xN above = f32xN_max(v, zero), below = f32xN_min(v, zero);
        f32xN out_above = f32xN_add(above, error), out_below = f32xN_sub(below, error);
        f32xN in_above = f32xN_sub(above, error), in_below = f32xN_add(below, error);
        for (int j = 0; j < 3; j++)
        {
            f32xN s = f32xN_add(f32xN_dot(edges[j], moment), f32xN_dot(edge, moments[j]));
            f32xN lowest = f32xN_add(s, below_u[j]), highest = f32xN_add(s, above_u[j]);
            separated = mask32xN_or(separated, mask32xN_or(f32xN_lt(out_above, lowest), f32xN_lt(highest, out_below)));
            across = mask32xN_and(across, mask32xN_and(f32xN_lt(lowest, in_above), f32xN_lt(in_below, highest)));
        }
    }
    sat_result result = {mask32xN_bits(separated), mask32xN_bits(across), 0};
    return result;
}

/* Whether all heights are within their error bound. */
static inline mask32xN is_flat(const f32xN heights[3], f32xN bound)
{
    f32xN farthest = f32xN_max(f32xN_max(f32xN_abs(heights[0]), f32xN_abs(heights[1])), f32xN_abs(heights[2]));
    return f32xN_lt(farthest, bound);
}

/* Pairs in which all corners of each lie near the plane of the other. */
static inline unsigned find_flat_pairs(const sat_pairs *m)
{
    f32xN bound_a = height_error_bound(m->sum_b, m->size_b, m->error_b, m->error_ab, m->distance);
    f32xN bound_b = height_error_bound(m->sum_a, m->size_a, m->error_a, m->error_ab, m->distance);
    return mask32xN_bits(mask32xN_and(is_flat(m->a_heights, bound_a), is_flat(m->b_heights, bound_b)));
}

/* Whether the intervals of both triangles along w are disjoint. */
static inline mask32xN is_separated_along(const sat_pairs *m, const f32xN w[3])
{
    f32xN zero = f32xN_splat(0.0f), a1 = f32xN_dot(w, m->a[1]), a2 = f32xN_dot(w, m->a[2]), b0 = f32xN_dot(w, m->x);
    f32xN b1 = f32xN_add(f32xN_dot(w, m->b[1]), b0), b2 = f32xN_add(f32xN_dot(w, m->b[2]), b0);
    f32xN lower_a = f32xN_min(f32xN_min(a1, a2), zero), upper_a = f32xN_max(f32xN_max(a1, a2), zero);
    f32xN lower_b = f32xN_min(f32xN_min(b1, b2), b0), upper_b = f32xN_max(f32xN_max(b1, b2), b0);
    /* shortcut: in-plane-axes-in-floats */
    f32xN slope = f32xN_mul_add(f32xN_splat(20 * 0x1p-23f), m->distance, f32xN_splat(0x1p-120f));
    slope = f32xN_mul_add(f32xN_splat(1.001f), m->error_ab, slope);
    f32xN error = f32xN_mul_add(sum3(w), slope, f32xN_splat(0x1p-110f));
    return mask32xN_or(f32xN_lt(f32xN_add(upper_b, error), lower_a), f32xN_lt(f32xN_add(upper_a, error), lower_b));
}

/* The products of each normal and the edges of its triangle: the flat pairs that one of these six axes separates. Not
   inline, and called with a copy: it is seldom needed, and would take registers from the other tests. */
static __attribute__((noinline)) unsigned test_in_plane_axes(const sat_pairs *m)
{
    unsigned flat = m->given & find_flat_pairs(m);
    if (flat == 0)
        return 0;
    mask32xN separated = f32xN_lt(f32xN_splat(0.0f), f32xN_splat(0.0f));
    for (int i = 0; i < 3; i++)
    {
        f32xN edge[3], w[3];
        subtract(m->a[(i + 1) % 3], m->a[i], edge);
        f32xN_cross(m->normal_a, edge, w);
        separated = mask32xN_or(separated, is_separated_along(m, w));
        subtract(m->b[(i + 1) % 3], m->b[i], edge);
        f32xN_cross(m->normal_b, edge, w);
        separated = mask32xN_or(separated, is_separated_along(m, w));
    }
    /* Pairs that are small against their errors are left to doubles. */
    mask32xN large = f32xN_lt(f32xN_mul(f32xN_splat(32.0f), m->error_ab), f32xN_add(m->size_a, m->size_b));
    mask32xN in_range = f32xN_lt(m->distance, f32xN_splat(0x1p20f));
    return flat & mask32xN_bits(mask32xN_and(mask32xN_and(large, in_range), separated));
}

/* Planes first; then the common line where all signs are certain, and edges for pairs with a corner near the other's
   plane; axes in the plane where all corners are near it. */
static void triangle_sat_kernel(const grz_pair_queue *queue, grz_pair_sat_results *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned first = 0; first < queue->count; first += GRZ_VECTOR_WIDTH)
    {
        sat_pairs m;
        unsigned left = queue->count - first, meet = 0, cross = 0;
        load_sat_pairs(&m, queue, first);
        m.given = left < GRZ_VECTOR_WIDTH ? (1u << left) - 1 : (1u << GRZ_VECTOR_WIDTH) - 1;
        test_planes(&m);
        if (m.certain != 0)
        {
            sat_result v = test_line_intervals(&m);
            meet = m.certain & ~v.separated;
            cross = m.certain & v.across;
        }
        unsigned doubt = m.given & ~m.certain;
        if (doubt != 0)
        {
            sat_result v = test_edge_axes(&m);
            cross |= doubt & ~v.separated & v.across & m.across;
            doubt &= ~v.separated;
            if ((doubt & ~cross) != 0 && !queue->skips_plane_axes)
            {
                sat_pairs copy = m;
                doubt &= cross | ~test_in_plane_axes(&copy);
            }
            meet |= doubt;
        }
        out->meet[first / 64] |= (uint64_t)meet << first % 64;
        out->cross[first / 64] |= (uint64_t)cross << first % 64;
    }
}

#endif
