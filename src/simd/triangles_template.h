/* SPDX-License-Identifier: MIT */
/*
 * Triangle against triangle, for many pairs side by side; part of kernels_template.h.
 *
 * Two triangles that are not coplanar share no point exactly when one of eleven directions separates them: the two
 * normals and the nine products of an edge of each (the separating axis theorem). They cross, inside in inside, exactly
 * when their shadows overlap in more than a point on all eleven: the origin is then inside the polyhedron A - B, whose
 * faces have these normals. Both verdicts are given only with a certified margin; whatever is left in doubt goes to
 * doubles and on to exact arithmetic.
 *
 * Let `own` bound what a triangle's coordinates are off by and `both` the sum of own over both; L the largest
 * coordinate of its edges (LA, LB), enlarged by 2 own; D the largest coordinate of a difference of corners of A and B,
 * enlarged by both. In any rounding mode a float operation is off by at most f = 2^-23 of its result, and so is a fused
 * one: products are counted as rounded before they are added, which is never less. Pairs come from pairs_template.h:
 * their boxes meet when widened by 1.5 own_b and 513 own_a (a stride, in which boxes are compared, and what A itself is
 * off by), so that D <= LA + LB + both + 512 own_a: LA and LB hold two of each.
 *
 * Positions. Everything is seen from A's first corner: A's others are its edges from there, exact on A's grid; B's
 * first is x0 = b0 + (o - a0), o the offset of the leaves, and its others x0 + g, g its edges from there, differences
 * of b. |o - a0| <= |x0| + |b0|; roundings in proportion to |b| and |o| are in own_b (pair/relative.c leaves room for
 * ten of each and uses five and two). Those in proportion to |x| and |g|, at most D, are counted here: two of x0, and
 * four of the others, where one of g and one of the sum are added. Third edges are differences g' - g and pass three.
 *
 * Heights above A's plane are n.x0 and n.x0 + n.g, those above B's n.y - n.x0, n the cross product of the edges from
 * the first corner. They are off by at most
 *   |n|_1 both + 24 L own D     (x and y - x0 are off by both; n is a product of edges with coordinates off by 2 own),
 *   + 120 f L^2 D               (at most 10 roundings of each of twelve products of three numbers: of B's normal and x0
 *                               two, one and one of the normal's products, two, one of the product, two and one of
 *                               sums; the others have fewer).
 * For long triangles that is far too much, but only signs need it. Say that the true triangles share a point, and take
 * the same mixture of the corners as they are: one point for A, off by own_a from the common one, and one for B, off by
 * own_b. So their heights along n, whatever direction that is, differ by |n|_1 both; and A's is 0, as n is
 * perpendicular to A's edges, but for 18 f L^3 for the rounding of n. Hence triangles are apart if all computed heights
 * are on one side by more than
 *   |n|_1 both + 138 f L^2 D.
 * Nothing asks for n = 0 where corners are on one line: fused products may leave a few roundings there.
 * Products of three numbers may underflow, each costing less than 2^-126 times the other factors, which are below 4
 * where that matters; 2^-118 is added for the few dozen of them.
 *
 * Edges. Along e x g, for edges e = a' - a of A and g = b' - b of B, both ends of an edge have one shadow, and the
 * third corners' are off those by -nA.g and nB.e. What is left is s = det(a - b, e, g) = g.(a x e) + e.(b x g). Off
 * are: a - b by both, e and g by 2 own, hence
 *   s by 6 both LA LB + 12 D (ownA LB + ownB LA)   (six products of three numbers),
 *        + 78 f D LA LB as it is                   (five roundings of a - b, three of g, five more of each product),
 *        or 132 f D LA LB as the sum               (of six products 13, where b x g is in it, of six others nine),
 *   nA.g by 2 |nA|_1 ownB + 24 LA LB ownA + 48 f LA^2 LB, and nB.e by 2 |nB|_1 ownA + 24 LA LB ownB + 48 f LB^2 LA
 *                                                  (at most eight roundings of each of six products).
 * LA and LB are at most D. The constants used below are larger, which pays for the rounding of the bounds themselves
 * and of the sums after.
 */
#include "simd/kernels.h"
#include "simd/many.h"

/* Pairs of triangles, one to a lane, and what planes say of them. */
typedef struct match
{
    many a[3][3];                                /* A's corners, seen from the first, */
    many b[3][3];                                /* and B's from its own, */
    many x[3];                                   /* which A's first sees here */
    many normal_a[3], normal_b[3], sum_a, sum_b; /* and |n|_1 */
    many own_a, own_b, both;
    many size_a, size_b, distance; /* LA, LB, D */
    many a_heights[3], b_heights[3];
    unsigned given;   /* pairs still in question */
    unsigned certain; /* those in which the signs of all heights are certain */
    unsigned across;  /* those that surely lie on both sides of each other's planes */
} match;

/* What heights say of pairs: surely apart, surely on both sides, and whether all signs are certain. `apart` is at most
   `bound`, so that what is certain but not apart is on both sides. */
typedef struct verdict
{
    unsigned apart, across, certain;
} verdict;

static inline verdict judge(const many *heights, many bound, many apart)
{
    many lowest = many_min(many_min(heights[0], heights[1]), heights[2]);
    many highest = many_max(many_max(heights[0], heights[1]), heights[2]);
    many nearest = many_min(many_min(many_abs(heights[0]), many_abs(heights[1])), many_abs(heights[2]));
    many zero = many_fill(0.0f), below = many_sub(zero, bound);
    verdict v = {many_bits(many_or(many_lt(apart, lowest), many_lt(highest, many_sub(zero, apart)))),
                 many_bits(many_and(many_lt(lowest, below), many_lt(bound, highest))),
                 many_bits(many_lt(bound, nearest))};
    return v;
}

/* What heights above planes with these normals and sizes may be off by, */
static inline many height_error(many normal_sum, many size, many own, many both, many distance)
{
    many error = many_mul_add(normal_sum, many_mul(many_fill(1.001f), both), many_fill(0x1p-118f));
    /* shortcut: signs-in-floats */
    many slope = many_mul_add(many_fill(24.5f), own, many_mul(size, many_fill(160 * 0x1p-23f)));
    return many_mul_add(many_mul(size, slope), distance, error);
}

/* and that of a point which both triangles share: never more, as sums of the same kind with smaller parts, of which
   each operation, fused or not, makes no larger ones. */
static inline many common_error(many normal_sum, many size, many both, many distance)
{
    many error = many_mul_add(normal_sum, many_mul(many_fill(1.001f), both), many_fill(0x1p-118f));
    /* shortcut: planes-in-floats */
    many slope = many_mul(size, many_fill(145 * 0x1p-23f));
    return many_mul_add(many_mul(size, slope), distance, error);
}

static inline many sum3(const many n[3])
{
    return many_add(many_add(many_abs(n[0]), many_abs(n[1])), many_abs(n[2]));
}

static inline void subtract(const many a[3], const many b[3], many out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = many_sub(a[k], b[k]);
}

static inline void load_match(match *m, const grz_pair_queue *queue, unsigned place)
{
    for (int k = 0; k < 3; k++)
    {
        m->a[0][k] = m->b[0][k] = many_fill(0.0f);
        m->x[k] = many_read(&queue->between[k][place]);
        for (int c = 1; c < 3; c++)
        {
            m->a[c][k] = many_read(&queue->a[c - 1][k][place]);
            m->b[c][k] = many_read(&queue->b[c - 1][k][place]);
        }
    }
    many_cross(m->a[1], m->a[2], m->normal_a);
    many_cross(m->b[1], m->b[2], m->normal_b);
    m->sum_a = sum3(m->normal_a);
    m->sum_b = sum3(m->normal_b);
    unsigned leaves = queue->leaves[place]; /* and following ones, of which there are at most as many as pairs */
    many_picks picks_of = many_picks_after(queue->leaves + place, leaves);
    m->own_a = many_pick_any(queue->own_a + leaves, picks_of);
    m->own_b = many_pick_any(queue->own_b + leaves, picks_of);
    m->both = many_add(m->own_a, m->own_b);
    many two = many_fill(2.0f);
    m->size_a = many_mul_add(two, m->own_a, many_read(&queue->size_a[place]));
    m->size_b = many_mul_add(two, m->own_b, many_read(&queue->size_b[place]));
    many stride = many_mul_add(many_fill(512.0f), m->own_a, m->both);
    m->distance = many_add(many_add(m->size_a, m->size_b), stride);
}

/* Finds the pairs, of those given, that planes do not separate. */
static inline void judge_planes(match *m)
{
    many level = many_dot(m->normal_b, m->x);
    m->b_heights[0] = many_dot(m->normal_a, m->x);
    m->b_heights[1] = many_add(many_dot(m->normal_a, m->b[1]), m->b_heights[0]);
    m->b_heights[2] = many_add(many_dot(m->normal_a, m->b[2]), m->b_heights[0]);
    m->a_heights[0] = many_sub(many_fill(0.0f), level);
    m->a_heights[1] = many_sub(many_dot(m->normal_b, m->a[1]), level);
    m->a_heights[2] = many_sub(many_dot(m->normal_b, m->a[2]), level);
    verdict over_a = judge(m->b_heights, height_error(m->sum_a, m->size_a, m->own_a, m->both, m->distance),
                           common_error(m->sum_a, m->size_a, m->both, m->distance));
    verdict over_b = judge(m->a_heights, height_error(m->sum_b, m->size_b, m->own_b, m->both, m->distance),
                           common_error(m->sum_b, m->size_b, m->both, m->distance));
    m->given &= ~(over_a.apart | over_b.apart);
    m->certain = m->given & over_a.certain & over_b.certain;
    m->across = m->given & over_a.across & over_b.across;
}

/*
 * A triangle that surely lies on both sides of a plane, seen by the common line of the two planes: the corner that is
 * alone on its side, and the edges from there to the other two, that towards the line's lower end first; `reversed` for
 * the triangle whose turn is against the line's sense.
 */
typedef struct fork
{
    many apex[3], to_lower[3], to_upper[3];
    many_truth positive; /* whether the apex lies above */
} fork;

static inline void make_fork(const many corners[3][3], const many heights[3], bool reversed, fork *out)
{
    many zero = many_fill(0.0f);
    many_truth s0 = many_lt(zero, heights[0]), s1 = many_lt(zero, heights[1]), s2 = many_lt(zero, heights[2]);
    many_truth d01 = many_differ(s0, s1), d02 = many_differ(s0, s2);
    out->positive = many_differ(d01, s2); /* one above, not two */
    for (int k = 0; k < 3; k++)
    {
        many x0 = corners[0][k], x1 = corners[1][k], x2 = corners[2][k];
        many apex = many_select(d01, many_select(d02, x0, x1), x2);
        many next = many_sub(many_select(d01, many_select(d02, x1, x2), x0), apex);
        many last = many_sub(many_select(d01, many_select(d02, x2, x0), x1), apex);
        out->apex[k] = apex;
        out->to_lower[k] = reversed ? many_select(out->positive, last, next) : many_select(out->positive, next, last);
        out->to_upper[k] = reversed ? many_select(out->positive, next, last) : many_select(out->positive, last, next);
    }
}

/*
 * Guigue and Devillers, as in exact/triangle_triangle.c: each triangle cuts the common line in an interval, and two
 * determinants tell whether these overlap. In terms of heights above the other's plane: of A, with apex a and feet b,
 * c in the triangle's turn, b is at the lower end when a lies above; of B, with p, q, r, r is. And for edges a b and
 * p q the sign of B's end minus A's is -det(a - p, b - a, q - p), or the opposite when just one apex lies above.
 */
static inline verdict judge_line(const match *m)
{
    many between[3], product[3];
    fork a, b;
    make_fork(m->a, m->a_heights, false, &a);
    make_fork(m->b, m->b_heights, true, &b);
    for (int k = 0; k < 3; k++)
        between[k] = many_sub(a.apex[k], many_add(b.apex[k], m->x[k]));
    many_cross(a.to_lower, b.to_upper, product);
    many up = many_dot(between, product);
    many_cross(a.to_upper, b.to_lower, product);
    many down = many_dot(between, product), zero = many_fill(0.0f);
    many_truth one_above = many_differ(a.positive, b.positive);
    up = many_select(one_above, up, many_sub(zero, up));
    down = many_select(one_above, down, many_sub(zero, down));
    many tilt = many_mul_add(m->own_a, m->size_b, many_mul(m->own_b, m->size_a));
    tilt = many_mul(many_fill(12.5f), tilt);
    /* shortcut: line-in-floats */
    many error = many_mul_add(many_fill(6.5f), m->both, many_mul(many_fill(88 * 0x1p-23f), m->distance));
    error = many_mul_add(many_mul(m->size_a, m->size_b), error, many_fill(0x1p-118f));
    error = many_mul_add(m->distance, tilt, error);
    many below = many_sub(zero, error);
    verdict result = {many_bits(many_or(many_lt(up, below), many_lt(error, down))),
                      many_bits(many_and(many_lt(error, up), many_lt(down, below))), 0};
    return result;
}

/* What s and its companions may be off by in all. */
static inline many edge_error(const match *m)
{
    /* shortcut: edges-in-floats */
    many products = many_mul_add(many_fill(31.0f), m->both, many_mul(many_fill(320 * 0x1p-23f), m->distance));
    many error = many_mul_add(many_mul(m->size_a, m->size_b), products, many_fill(0x1p-118f));
    many normals = many_mul_add(m->own_b, m->sum_a, many_mul(m->own_a, m->sum_b));
    many tilt = many_mul_add(m->own_a, m->size_b, many_mul(m->own_b, m->size_a));
    error = many_mul_add(many_fill(2.1f), normals, error);
    return many_mul_add(many_mul(many_fill(12.5f), m->distance), tilt, error);
}

/* The nine products of edges. */
static inline verdict judge_edges(const match *m)
{
    many zero = many_fill(0.0f), error = edge_error(m), edges[3][3], moments[3][3], below_u[3], above_u[3];
    for (int j = 0; j < 3; j++)
    {
        many x[3];
        subtract(m->b[(j + 1) % 3], m->b[j], edges[j]);
        for (int k = 0; k < 3; k++)
            x[k] = many_add(m->b[j][k], m->x[k]);
        many u = many_sub(zero, many_dot(m->normal_a, edges[j]));
        below_u[j] = many_min(u, zero);
        above_u[j] = many_max(u, zero);
        many_cross(x, edges[j], moments[j]);
    }
    many_truth apart = many_lt(zero, zero), across = many_le(zero, zero);
    for (int i = 0; i < 3; i++)
    {
        many edge[3], moment[3];
        subtract(m->a[(i + 1) % 3], m->a[i], edge);
        many_cross(m->a[i], edge, moment);
        many v = many_dot(m->normal_b, edge);
        many above = many_max(v, zero), below = many_min(v, zero);
        many out_above = many_add(above, error), out_below = many_sub(below, error);
        many in_above = many_sub(above, error), in_below = many_add(below, error);
        for (int j = 0; j < 3; j++)
        {
            many s = many_add(many_dot(edges[j], moment), many_dot(edge, moments[j]));
            many lowest = many_add(s, below_u[j]), highest = many_add(s, above_u[j]);
            apart = many_or(apart, many_or(many_lt(out_above, lowest), many_lt(highest, out_below)));
            across = many_and(across, many_and(many_lt(lowest, in_above), many_lt(in_below, highest)));
        }
    }
    verdict result = {many_bits(apart), many_bits(across), 0};
    return result;
}

/* Planes first; then the common line where that is certain, and edges for those with a corner near the other's plane.
 */
static void judge_kernel(const grz_pair_queue *queue, grz_pair_verdicts *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned first = 0; first < queue->count; first += GRZ_MANY)
    {
        match m;
        unsigned left = queue->count - first, meet = 0, cross = 0;
        load_match(&m, queue, first);
        m.given = left < GRZ_MANY ? (1u << left) - 1 : (1u << GRZ_MANY) - 1;
        judge_planes(&m);
        if (m.certain != 0)
        {
            verdict v = judge_line(&m);
            meet = m.certain & ~v.apart;
            cross = m.certain & v.across;
        }
        unsigned doubt = m.given & ~m.certain;
        if (doubt != 0)
        {
            verdict v = judge_edges(&m);
            meet |= doubt & ~v.apart;
            cross |= doubt & ~v.apart & v.across & m.across;
        }
        out->meet[first / 64] |= (uint64_t)meet << first % 64;
        out->cross[first / 64] |= (uint64_t)cross << first % 64;
    }
}
