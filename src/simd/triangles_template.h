/* SPDX-License-Identifier: MIT */
/*
 * Eight triangles against eight; part of kernels_template.h.
 *
 * Two triangles that are not coplanar share no point exactly when one of eleven directions separates them: the two
 * normals and the nine products of an edge of each (the separating axis theorem). They cross, inside in inside, exactly
 * when their shadows overlap in more than a point on all eleven: the origin is then inside the polyhedron A - B, whose
 * faces have these normals. Both verdicts are given only with a certified margin; whatever is left in doubt goes to
 * doubles and on to exact arithmetic.
 *
 * Let `own` bound what a triangle's coordinates are off by and `both` the sum of own over both; D the largest
 * coordinate of a difference of corners of A and B, R and S those of their corners themselves, seen from A's leaf's
 * centre; L that of edges (LA, LB), enlarged by 2 own. In any rounding mode a float operation is off by at most
 * f = 2^-23 of its result.
 *
 * Heights. A point x lies at n.x - n.c above a triangle's plane, n the cross product of edges from corner c. A computed
 * height is off by at most
 *   |n|_1 both + 24 L own (D + both)     (x - c is off by both; n is a product of edges with coordinates off by 2 own),
 *   + 66 f L^2 (R + S + both)            (at most 11 roundings of each of six products of three numbers).
 * Products of three numbers may underflow, each costing less than 2^-126 times the other factors, which are below 4
 * where that matters; 2^-118 is added for the few dozen of them.
 *
 * Edges. Along e x g, for edges e = a' - a of A and g = b' - b of B, both ends of an edge have one shadow, and the
 * third corners' are off those by -nA.g and nB.e: differences of heights. What is left is s = det(a - b, e, g) =
 * g.(a x e) + e.(b x g). Off are: a - b by both, e and g by 2 own, hence
 *   s by 6 both LA LB + 12 (D + both) (ownA LB + ownB LA)   (six products of three numbers),
 *        + 60 f (R + S) LA LB                               (at most ten roundings of each of them),
 *   nA.g by 2 |nA|_1 ownB + 24 LA LB ownA, and nB.e by 2 |nB|_1 ownA + 24 LA LB ownB,
 *        + 2 * 66 f L^2 (R + S + both) each, as differences of heights.
 * The constants used below are larger, which pays for the rounding of the bounds themselves and of the sums after.
 */
#include <float.h>

#include "simd/kernels.h"
#include "simd/many.h"
#include "simd/set_bits.h"

static inline lanes max_abs3(const lanes a[3])
{
    return lanes_max(lanes_max(lanes_abs(a[0]), lanes_abs(a[1])), lanes_abs(a[2]));
}

static inline void subtract3(const lanes a[3], const lanes b[3], lanes out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = lanes_sub(a[k], b[k]);
}

/* Grid coordinates in the leaf's own frame, turned by a matrix unless that is NULL. */
static inline void load_corners(const grz_triangles8 *leaf, const float (*matrix)[3], lanes corners[3][3])
{
    lanes unit = lanes_fill(leaf->unit);
    for (int c = 0; c < 3; c++)
    {
        lanes q[3];
        for (int k = 0; k < 3; k++)
            corners[c][k] = q[k] = lanes_mul(unit, lanes_load_short(leaf->corners[c][k]));
        for (int k = 0; matrix != NULL && k < 3; k++)
        {
            lanes x = lanes_mul(lanes_fill(matrix[k][0]), q[0]);
            x = lanes_add(x, lanes_mul(lanes_fill(matrix[k][1]), q[1]));
            corners[c][k] = lanes_add(x, lanes_mul(lanes_fill(matrix[k][2]), q[2]));
        }
    }
}

static void facets_kernel(const grz_triangles8 *leaf, const float (*matrix)[3], grz_facets8 *out)
{
    lanes corners[3][3], e[3], g[3], h[3], normal[3], reach = lanes_fill(0.0f);
    load_corners(leaf, matrix, corners);
    for (int k = 0; k < 3; k++)
    {
        lanes lower = lanes_min(lanes_min(corners[0][k], corners[1][k]), corners[2][k]);
        lanes upper = lanes_max(lanes_max(corners[0][k], corners[1][k]), corners[2][k]);
        reach = lanes_max(reach, lanes_max(lanes_abs(lower), lanes_abs(upper)));
        lanes_store(out->lower[k], lower);
        lanes_store(out->upper[k], upper);
        out->lowest[k] = lanes_lowest(lower);
        out->highest[k] = lanes_highest(upper);
        for (int c = 0; c < 3; c++)
            lanes_store(out->corners[c][k], corners[c][k]);
    }
    subtract3(corners[1], corners[0], e);
    subtract3(corners[2], corners[0], g);
    subtract3(corners[2], corners[1], h);
    lanes_cross(e, g, normal);
    for (int k = 0; k < 3; k++)
        lanes_store(out->normal[k], normal[k]);
    lanes sum = lanes_add(lanes_add(lanes_abs(normal[0]), lanes_abs(normal[1])), lanes_abs(normal[2]));
    lanes_store(out->level, lanes_dot(normal, corners[0]));
    lanes_store(out->normal_sum, sum);
    lanes_store(out->size, lanes_max(lanes_max(max_abs3(e), max_abs3(g)), max_abs3(h)));
    lanes_store(out->reach, reach);
}

/*
 * The box of each triangle, and as its slab the plane it lies in. A height along the unit normal is off by |n|_1 unit,
 * |n|_1 < 1.74, and by at most 11 roundings of numbers up to 1.74 times the largest coordinates of centre and corners.
 */
static void facet_boxes_kernel(const grz_triangles8 *leaf, grz_boxes8 *out)
{
    lanes corners[3][3], e[3], g[3], normal[3], zero = lanes_fill(0.0f);
    load_corners(leaf, NULL, corners);
    subtract3(corners[1], corners[0], e);
    subtract3(corners[2], corners[0], g);
    lanes_cross(e, g, normal);
    lanes length = lanes_sqrt(lanes_dot(normal, normal));
    truth has_plane = lanes_lt(lanes_fill(0x1p-60f), length);
    lanes inverse = lanes_select(has_plane, lanes_div(lanes_fill(1.0f), length), zero);
    lanes shift = zero, reach = zero, heights[3] = {zero, zero, zero};
    for (int k = 0; k < 3; k++)
    {
        lanes centre = lanes_fill(leaf->centre[k]), size = lanes_abs(centre);
        lanes margin = lanes_add(lanes_fill(1.5f * leaf->unit), lanes_mul(lanes_fill(0x1p-21f), size));
        lanes lower = lanes_min(lanes_min(corners[0][k], corners[1][k]), corners[2][k]);
        lanes upper = lanes_max(lanes_max(corners[0][k], corners[1][k]), corners[2][k]);
        lanes_store(out->lower[k], lanes_sub(lanes_add(lower, centre), margin));
        lanes_store(out->upper[k], lanes_add(lanes_add(upper, centre), margin));
        normal[k] = lanes_mul(normal[k], inverse);
        lanes_store(out->normal[k], normal[k]);
        shift = lanes_add(shift, lanes_mul(normal[k], centre));
        reach = lanes_max(reach, lanes_add(size, lanes_max(lanes_abs(lower), lanes_abs(upper))));
        for (int c = 0; c < 3; c++)
            heights[c] = lanes_add(heights[c], lanes_mul(normal[k], corners[c][k]));
    }
    lanes margin = lanes_add(lanes_fill(1.8f * leaf->unit), lanes_mul(lanes_fill(0x1p-18f), reach));
    lanes lowest = lanes_min(lanes_min(heights[0], heights[1]), heights[2]);
    lanes highest = lanes_max(lanes_max(heights[0], heights[1]), heights[2]);
    lowest = lanes_sub(lanes_add(lowest, shift), margin);
    highest = lanes_add(lanes_add(highest, shift), margin);
    lanes_store(out->slab_lower, lanes_select(has_plane, lowest, lanes_fill(-FLT_MAX)));
    lanes_store(out->slab_upper, lanes_select(has_plane, highest, lanes_fill(FLT_MAX)));
}

/* B's triangles in the frame of A's leaf, and what a pair of leaves needs. */
typedef struct leaf_pair
{
    const grz_facets8 *a;
    const grz_leaf_shift *shift;
    many corners[3][3];
    many lower[3], upper[3];
    many normal[3], level, normal_sum;
    many size, reach; /* LB, S */
} leaf_pair;

/* One triangle of A against all of B's, as far as bounds need it. */
typedef struct row_measures
{
    many distance;  /* D + both */
    many roundings; /* f (R + S + both) */
} row_measures;

static inline void start_pair(leaf_pair *p, const grz_facets8 *a, const grz_facets8 *b, const grz_leaf_shift *shift)
{
    p->a = a;
    p->shift = shift;
    many farthest = many_fill(0.0f);
    p->level = many_load(b->level);
    for (int k = 0; k < 3; k++)
    {
        many offset = many_fill(shift->offset[k]);
        for (int c = 0; c < 3; c++)
            p->corners[c][k] = many_add(many_load(b->corners[c][k]), offset);
        p->lower[k] = many_add(many_load(b->lower[k]), offset);
        p->upper[k] = many_add(many_load(b->upper[k]), offset);
        p->normal[k] = many_load(b->normal[k]);
        p->level = many_add(p->level, many_mul(p->normal[k], offset));
        farthest = many_max(farthest, many_abs(offset));
    }
    p->normal_sum = many_load(b->normal_sum);
    p->size = many_add(many_load(b->size), many_fill(2 * shift->own_b));
    p->reach = many_add(many_load(b->reach), farthest);
}

/* What heights say of pairs: surely apart, surely on both sides, and whether all signs are certain. */
typedef struct verdict
{
    unsigned apart, across, certain;
} verdict;

static inline verdict judge(const many heights[3], many bound)
{
    many lowest = many_min(many_min(heights[0], heights[1]), heights[2]);
    many highest = many_max(many_max(heights[0], heights[1]), heights[2]);
    many nearest = many_min(many_min(many_abs(heights[0]), many_abs(heights[1])), many_abs(heights[2]));
    many below = many_sub(many_fill(0.0f), bound);
    verdict v = {many_bits(many_or(many_lt(bound, lowest), many_lt(highest, below))),
                 many_bits(many_and(many_lt(lowest, below), many_lt(bound, highest))),
                 many_bits(many_lt(bound, nearest))};
    return v;
}

static inline void spread_corner(const grz_facets8 *f, int corner, rows r, many out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = many_spread(f->corners[corner][k], r);
}

/* What heights above planes with these normals and sizes may be off by. */
static inline many height_error(many normal_sum, many size, float own, float both, const row_measures *row)
{
    many error = many_add(many_mul(normal_sum, many_fill(1.001f * both)), many_fill(0x1p-118f));
    error = many_add(error, many_mul(many_mul(size, many_fill(24.5f * own)), row->distance));
    return many_add(error, many_mul(many_mul(size, size), many_mul(many_fill(72.0f), row->roundings)));
}

/* The largest coordinate of a difference between a corner of one triangle of A and one of B's. */
static inline many spread_between(const leaf_pair *p, rows r)
{
    many widest = many_fill(0.0f);
    for (int k = 0; k < 3; k++)
    {
        widest = many_max(widest, many_sub(p->upper[k], many_spread(p->a->lower[k], r)));
        widest = many_max(widest, many_sub(many_spread(p->a->upper[k], r), p->lower[k]));
    }
    return widest;
}

/* The lanes whose boxes meet those of these rows. */
static inline unsigned rows_near(const leaf_pair *p, rows r, const float margin[3])
{
    many_truth near = many_le(many_fill(0.0f), many_fill(0.0f));
    for (int k = 0; k < 3; k++)
    {
        many wide = many_fill(margin[k]);
        near = many_and(near, many_le(many_sub(many_spread(p->a->lower[k], r), wide), p->upper[k]));
        near = many_and(near, many_le(p->lower[k], many_add(many_spread(p->a->upper[k], r), wide)));
    }
    return many_bits(near);
}

/* A triangle of A, or two, against all of B's. */
typedef struct row_state
{
    unsigned given;   /* lanes still in question */
    unsigned certain; /* those in which the signs of all heights are certain */
    unsigned across;  /* those that surely lie on both sides of each other's planes */
    many a_heights[3], b_heights[3];
    row_measures measures;
} row_state;

/* Finds the lanes of B, of those given, that planes do not separate from one triangle of A. */
static inline void judge_planes(const leaf_pair *p, rows r, unsigned given, row_state *out)
{
    const grz_facets8 *a = p->a;
    float own_a = p->shift->own_a, own_b = p->shift->own_b, both = own_a + own_b;
    many n[3], level = many_spread(a->level, r);
    for (int k = 0; k < 3; k++)
        n[k] = many_spread(a->normal[k], r);
    for (int c = 0; c < 3; c++)
        out->b_heights[c] = many_sub(many_dot(n, p->corners[c]), level);
    row_measures *measures = &out->measures;
    measures->distance = many_add(spread_between(p, r), many_fill(both));
    measures->roundings =
        many_mul(many_fill(0x1p-23f), many_add(p->reach, many_add(many_spread(a->reach, r), many_fill(both))));
    many normal_sum = many_spread(a->normal_sum, r), size = many_add(many_spread(a->size, r), many_fill(2 * own_a));
    verdict first = judge(out->b_heights, height_error(normal_sum, size, own_a, both, measures));
    out->given = given & ~first.apart;
    if (out->given == 0)
        return;
    many heights[3];
    for (int c = 0; c < 3; c++)
    {
        many corner[3];
        spread_corner(a, c, r, corner);
        heights[c] = out->a_heights[c] = many_sub(many_dot(p->normal, corner), p->level);
    }
    verdict second = judge(heights, height_error(p->normal_sum, p->size, own_b, both, measures));
    out->given &= ~second.apart;
    out->certain = out->given & first.certain & second.certain;
    out->across = first.across & second.across;
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
static inline verdict judge_line(const leaf_pair *p, rows r, const row_state *state)
{
    many corners[3][3], between[3], product[3];
    fork a, b;
    for (int c = 0; c < 3; c++)
        spread_corner(p->a, c, r, corners[c]);
    make_fork((const many(*)[3])corners, state->a_heights, false, &a);
    make_fork((const many(*)[3])p->corners, state->b_heights, true, &b);
    for (int k = 0; k < 3; k++)
        between[k] = many_sub(a.apex[k], b.apex[k]);
    many_cross(a.to_lower, b.to_upper, product);
    many up = many_dot(between, product);
    many_cross(a.to_upper, b.to_lower, product);
    many down = many_dot(between, product), zero = many_fill(0.0f);
    many_truth one_above = many_differ(a.positive, b.positive);
    up = many_select(one_above, up, many_sub(zero, up));
    down = many_select(one_above, down, many_sub(zero, down));
    float own_a = p->shift->own_a, own_b = p->shift->own_b;
    many size_a = many_add(many_spread(p->a->size, r), many_fill(2 * own_a)), size_b = p->size,
         distance = state->measures.distance;
    many tilt = many_add(many_mul(many_fill(12.5f * own_a), size_b), many_mul(many_fill(12.5f * own_b), size_a));
    many error = many_add(many_fill(6.5f * (own_a + own_b)), many_mul(many_fill(48 * 0x1p-23f), distance));
    error = many_add(many_mul(many_mul(size_a, size_b), error), many_mul(distance, tilt));
    error = many_add(error, many_fill(0x1p-118f));
    many below = many_sub(zero, error);
    verdict result = {many_bits(many_or(many_lt(up, below), many_lt(error, down))),
                      many_bits(many_and(many_lt(error, up), many_lt(down, below))), 0};
    return result;
}

/* Pairs of triangles, one in each lane. */
typedef struct pair_batch
{
    lanes a[3][3], b[3][3]; /* corners */
    lanes a_edges[3][3], b_edges[3][3];
    lanes u[3], v[3]; /* -nA.g for each edge of B, nB.e for each edge of A */
    lanes error;
} pair_batch;

/* What s and its companions may be off by in all. */
static inline lanes edge_error(const grz_facets8 *a, picks p, const grz_facets8 *b, picks q, const pair_batch *batch,
                               const grz_leaf_shift *shift, float farthest)
{
    float own_a = shift->own_a, own_b = shift->own_b, both = own_a + own_b;
    lanes size_a = lanes_add(lanes_pick(a->size, p), lanes_fill(2 * own_a));
    lanes size_b = lanes_add(lanes_pick(b->size, q), lanes_fill(2 * own_b));
    lanes between[3];
    subtract3(batch->a[0], batch->b[0], between);
    lanes distance = lanes_add(lanes_add(max_abs3(between), lanes_fill(both)), lanes_add(size_a, size_b));
    lanes error = lanes_mul(lanes_mul(size_a, size_b), lanes_fill(31 * both));
    error = lanes_add(error, lanes_mul(lanes_fill(2.1f * own_b), lanes_pick(a->normal_sum, p)));
    error = lanes_add(error, lanes_mul(lanes_fill(2.1f * own_a), lanes_pick(b->normal_sum, q)));
    lanes tilt = lanes_add(lanes_mul(lanes_fill(12.5f * own_a), size_b), lanes_mul(lanes_fill(12.5f * own_b), size_a));
    error = lanes_add(error, lanes_mul(distance, tilt));
    lanes reach = lanes_add(lanes_add(lanes_pick(a->reach, p), lanes_pick(b->reach, q)), lanes_fill(farthest + both));
    lanes larger = lanes_max(size_a, size_b);
    lanes rounded = lanes_mul(lanes_mul(lanes_mul(larger, larger), lanes_fill(400 * 0x1p-23f)), reach);
    return lanes_add(lanes_add(error, lanes_fill(0x1p-118f)), rounded);
}

static inline void fill_batch(pair_batch *batch, const grz_facets8 *a, picks p, const grz_facets8 *b, picks q,
                              const grz_leaf_shift *shift)
{
    lanes n_a[3], n_b[3];
    float farthest = 0;
    for (int k = 0; k < 3; k++)
    {
        float offset = shift->offset[k], size = offset < 0 ? -offset : offset;
        farthest = size > farthest ? size : farthest;
        for (int c = 0; c < 3; c++)
        {
            batch->a[c][k] = lanes_pick(a->corners[c][k], p);
            batch->b[c][k] = lanes_add(lanes_pick(b->corners[c][k], q), lanes_fill(offset));
        }
        n_a[k] = lanes_pick(a->normal[k], p);
        n_b[k] = lanes_pick(b->normal[k], q);
    }
    lanes zero = lanes_fill(0.0f);
    for (int i = 0; i < 3; i++)
    {
        subtract3(batch->a[(i + 1) % 3], batch->a[i], batch->a_edges[i]);
        subtract3(batch->b[(i + 1) % 3], batch->b[i], batch->b_edges[i]);
        batch->u[i] = lanes_sub(zero, lanes_dot(n_a, batch->b_edges[i]));
        batch->v[i] = lanes_dot(n_b, batch->a_edges[i]);
    }
    batch->error = edge_error(a, p, b, q, batch, shift, farthest);
}

/* The nine products of edges. */
static inline verdict judge_edges(const pair_batch *batch)
{
    lanes zero = lanes_fill(0.0f), error = batch->error, below_u[3], above_u[3], moments[3][3];
    for (int j = 0; j < 3; j++)
    {
        below_u[j] = lanes_min(batch->u[j], zero);
        above_u[j] = lanes_max(batch->u[j], zero);
        lanes_cross(batch->b[j], batch->b_edges[j], moments[j]);
    }
    truth apart = lanes_lt(zero, zero), across = lanes_le(zero, zero);
    for (int i = 0; i < 3; i++)
    {
        const lanes *edge = batch->a_edges[i];
        lanes moment[3];
        lanes_cross(batch->a[i], edge, moment);
        lanes above = lanes_max(batch->v[i], zero), below = lanes_min(batch->v[i], zero);
        lanes out_above = lanes_add(above, error), out_below = lanes_sub(below, error);
        lanes in_above = lanes_sub(above, error), in_below = lanes_add(below, error);
        for (int j = 0; j < 3; j++)
        {
            lanes s = lanes_add(lanes_dot(batch->b_edges[j], moment), lanes_dot(edge, moments[j]));
            lanes lowest = lanes_add(s, below_u[j]), highest = lanes_add(s, above_u[j]);
            apart = truth_or(apart, truth_or(lanes_lt(out_above, lowest), lanes_lt(highest, out_below)));
            across = truth_and(across, truth_and(lanes_lt(lowest, in_above), lanes_lt(in_below, highest)));
        }
    }
    verdict result = {truth_bits(apart), truth_bits(across), 0};
    return result;
}

/* Which boxes, by lane, meet one box. */
static inline unsigned boxes_near(const float lower[3][GRZ_LANES], const float upper[3][GRZ_LANES],
                                  const float other_lower[3], const float other_upper[3])
{
    truth near = truth_all();
    for (int k = 0; k < 3; k++)
        near = truth_and_within(near, lanes_load(upper[k]), other_lower[k], lanes_load(lower[k]), other_upper[k]);
    return truth_bits(near);
}

/*
 * One triangle of A after the other: boxes, planes, and the common line where that is certain. Settled pairs go into
 * *out; those in doubt, which may touch, into `doubtful`, whose number is returned, and *out_across gets the bits of
 * those that surely lie on both sides of each other's planes.
 */
static inline unsigned judge_rows(const grz_facets8 *a, unsigned row_mask, const grz_facets8 *b, unsigned lane_mask,
                                  const grz_leaf_shift *shift, grz_triangle_pairs *out,
                                  uint8_t doubtful[GRZ_PAIRS + GRZ_LANES], uint64_t *out_across)
{
    /* The leaves' boxes, one moved towards the other and widened by all that both are off by. */
    float margin[3], lowest[3], highest[3], b_lowest[3], b_highest[3];
    for (int k = 0; k < 3; k++)
    {
        margin[k] = 1.02f * shift->own_a + shift->margin_b[k]; /* and by three roundings of A's coordinates */
        lowest[k] = a->lowest[k] - shift->offset[k] - margin[k];
        highest[k] = a->highest[k] - shift->offset[k] + margin[k];
        b_lowest[k] = b->lowest[k] + shift->offset[k] - margin[k];
        b_highest[k] = b->highest[k] + shift->offset[k] + margin[k];
    }
    lane_mask &= boxes_near(b->lower, b->upper, lowest, highest);
    row_mask &= boxes_near(a->lower, a->upper, b_lowest, b_highest);
    if (lane_mask == 0 || row_mask == 0)
        return 0;
    leaf_pair p;
    unsigned count = 0;
    start_pair(&p, a, b, shift);
    while (row_mask != 0)
    {
        unsigned given;
        rows r = rows_take(&row_mask, lane_mask, &given);
        row_state state;
        given &= rows_near(&p, r, margin);
        if (given == 0)
            continue;
        judge_planes(&p, r, given, &state);
        if (state.given == 0)
            continue;
        if (state.certain != 0)
        {
            verdict v = judge_line(&p, r, &state);
            out->meet |= rows_place(r, state.certain & ~v.apart);
            out->cross |= rows_place(r, state.certain & v.across);
        }
        unsigned doubt = state.given & ~state.certain;
        if (doubt == 0)
            continue;
        *out_across |= rows_place(r, state.across & doubt);
        count = grz_append_set_bits(doubtful, count, r.first, doubt & 0xff);
        if (GRZ_ROWS == 2)
            count = grz_append_set_bits(doubtful, count, r.second, doubt >> 8);
    }
    return count;
}

static grz_triangle_pairs triangles_kernel(const grz_facets8 *a, unsigned row_mask, const grz_facets8 *b,
                                           unsigned lane_mask, const grz_leaf_shift *shift)
{
    uint8_t found[GRZ_PAIRS + GRZ_LANES];
    uint64_t across = 0, cross = 0;
    grz_triangle_pairs result = {0, 0};
    unsigned found_count = judge_rows(a, row_mask, b, lane_mask, shift, &result, found, &across);
    if (found_count == 0)
        return result;
    memset(found + found_count, 0, GRZ_LANES);
    for (unsigned first = 0; first < found_count; first += GRZ_LANES)
    {
        pair_batch batch;
        unsigned given = found_count - first < GRZ_LANES ? (1u << (found_count - first)) - 1 : 0xff;
        fill_batch(&batch, a, picks_load(found + first, 3), b, picks_load(found + first, 0), shift);
        verdict v = judge_edges(&batch);
        for (given &= ~v.apart; given != 0; given &= given - 1)
        {
            unsigned place = (unsigned)__builtin_ctz(given), pair = found[first + place];
            result.meet |= (uint64_t)1 << pair;
            cross |= (uint64_t)(v.across >> place & 1) << pair;
        }
    }
    result.cross |= cross & across;
    return result;
}
