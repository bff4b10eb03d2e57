/* SPDX-License-Identifier: MIT */
/*
 * Closest points of eight pairs of triangles at once, in doubles; a part of distance_template.h.
 *
 * The closest points of two triangles that do not meet lie on two edges, or are a corner and a point of the other's
 * face. All 9 + 6 cases are computed and the best is kept. Divisions by zero give infinities and NaN, which clamping
 * turns into 0 or 1: whatever comes out are points of the triangles, up to rounding.
 *
 * How good they are is not argued from the way they were found but proved afterwards. For the points p, q found and any
 * vector n, all points a of A and b of B have n.(b - a) >= min_j n.(b_j - q) - max_i n.(a_i - p) + n.(q - p) over the
 * corners, so that this sum over |n| is a lower bound on the distance. With n = q - p it equals |q - p| where these
 * are the closest points. Error, with u = 2^-52, D the largest coordinate of all differences and e what corners are
 * off by: each dot product is off by 4.1 u |n|_1 D, the two sums by 6.3 u |n|_1 D, the corners cost 2 e |n|_1. We take
 * |n|_1 (2.01 e + 20 u D). When |n|^2 is below 2^-900, underflow could matter, and nothing is claimed.
 */
#include "simd/distance.h"
#include "simd/doubles.h"

/* The best pair of points so far. */
typedef struct best
{
    doubles square;
    triple p, q;
} best;

static inline void keep_better(best *b, choice allowed, triple p, triple q)
{
    triple n = triple_sub(q, p);
    doubles square = triple_dot(n, n);
    choice better = choice_and(allowed, doubles_lt(square, b->square));
    b->square = doubles_select(better, square, b->square);
    b->p = triple_select(better, p, b->p);
    b->q = triple_select(better, q, b->q);
}

static inline doubles clamp(doubles x)
{
    return doubles_min(doubles_max(x, doubles_fill(0.0)), doubles_fill(1.0));
}

/* An edge with what all its partners need. */
typedef struct edge
{
    triple from, along;
    doubles square, inverse; /* |along|^2 and its inverse */
} edge;

static inline edge make_edge(triple from, triple to)
{
    edge e = {.from = from, .along = triple_sub(to, from)};
    e.square = triple_dot(e.along, e.along);
    e.inverse = doubles_div(doubles_fill(1.0), e.square);
    return e;
}

/* Two segments (Ericson, Real-Time Collision Detection, 2005, 5.1.9), without branches: the parameter on the first is
   found for the lines and clamped, then the second's for it, then the first's again. */
static inline void edge_edge(best *b, const edge *e, const edge *f)
{
    triple r = triple_sub(e->from, f->from);
    doubles ef = triple_dot(e->along, f->along), er = triple_dot(e->along, r), fr = triple_dot(f->along, r);
    doubles determinant = doubles_sub(doubles_mul(e->square, f->square), doubles_mul(ef, ef));
    doubles numerator = doubles_sub(doubles_mul(ef, fr), doubles_mul(er, f->square));
    doubles s = clamp(doubles_div(numerator, determinant));
    doubles t = clamp(doubles_mul(doubles_add(doubles_mul(ef, s), fr), f->inverse));
    s = clamp(doubles_mul(doubles_sub(doubles_mul(ef, t), er), e->inverse));
    triple p = triple_add(e->from, triple_scale(s, e->along));
    triple q = triple_add(f->from, triple_scale(t, f->along));
    doubles zero = doubles_fill(0.0);
    keep_better(b, doubles_le(zero, zero), p, q);
}

/* A face, given by two edges from one corner, with what all its partners need. */
typedef struct face
{
    triple origin, e, g;
    doubles ee, eg, gg, inverse;
} face;

static inline face make_face(const triple corners[3])
{
    face f = {.origin = corners[0], .e = triple_sub(corners[1], corners[0]), .g = triple_sub(corners[2], corners[0])};
    f.ee = triple_dot(f.e, f.e);
    f.eg = triple_dot(f.e, f.g);
    f.gg = triple_dot(f.g, f.g);
    f.inverse = doubles_div(doubles_fill(1.0), doubles_sub(doubles_mul(f.ee, f.gg), doubles_mul(f.eg, f.eg)));
    return f;
}

/* The foot of a corner on a face. `swapped` says that the face is A's. */
static inline void corner_face(best *b, triple corner, const face *f, bool swapped)
{
    doubles zero = doubles_fill(0.0);
    triple r = triple_sub(corner, f->origin);
    doubles re = triple_dot(r, f->e), rg = triple_dot(r, f->g);
    doubles v = doubles_mul(doubles_sub(doubles_mul(f->gg, re), doubles_mul(f->eg, rg)), f->inverse);
    doubles w = doubles_mul(doubles_sub(doubles_mul(f->ee, rg), doubles_mul(f->eg, re)), f->inverse);
    choice inside = choice_and(doubles_le(zero, v), doubles_le(zero, w));
    inside = choice_and(inside, doubles_le(doubles_add(v, w), doubles_fill(1.0)));
    triple foot = triple_add(f->origin, triple_add(triple_scale(v, f->e), triple_scale(w, f->g)));
    if (swapped)
        keep_better(b, inside, foot, corner);
    else
        keep_better(b, inside, corner, foot);
}

/* A point and an edge of B: what is left of two edges when one is a point. */
static inline void point_edge(best *b, triple point, const edge *f)
{
    doubles zero = doubles_fill(0.0), along = triple_dot(f->along, triple_sub(point, f->from));
    doubles t = clamp(doubles_mul(along, f->inverse));
    keep_better(b, doubles_le(zero, zero), point, triple_add(f->from, triple_scale(t, f->along)));
}

static inline doubles larger_coordinate(doubles largest, triple a)
{
    largest = doubles_max(largest, doubles_abs(a.x));
    largest = doubles_max(largest, doubles_abs(a.y));
    return doubles_max(largest, doubles_abs(a.z));
}

/* The certified lower bound; see above. */
static inline doubles lower_bound(const best *found, const triple *a, int a_count, const triple b[3], double error)
{
    triple n = triple_sub(found->q, found->p);
    doubles zero = doubles_fill(0.0), lowest = zero, highest = zero, largest = larger_coordinate(zero, n);
    for (int i = 0; i < a_count; i++)
    {
        triple to_a = triple_sub(a[i], found->p);
        largest = larger_coordinate(largest, to_a);
        highest = doubles_max(highest, triple_dot(n, to_a));
    }
    for (int i = 0; i < 3; i++)
    {
        triple to_b = triple_sub(b[i], found->q);
        largest = larger_coordinate(largest, to_b);
        lowest = doubles_min(lowest, triple_dot(n, to_b));
    }
    doubles sum = doubles_add(doubles_add(doubles_abs(n.x), doubles_abs(n.y)), doubles_abs(n.z));
    /* shortcut: plane-bound-in-doubles */
    doubles slack = doubles_add(doubles_fill(2.01 * error), doubles_mul(doubles_fill(20 * 0x1p-52), largest));
    doubles gap = doubles_sub(doubles_sub(doubles_add(found->square, lowest), highest), doubles_mul(sum, slack));
    doubles length = doubles_sqrt(found->square);
    /* Six roundings: two of the square's square root, the quotient, this product. */
    doubles bound = doubles_mul(doubles_div(gap, length), doubles_fill(1 - 8 * 0x1p-52));
    choice sure = choice_and(doubles_lt(doubles_fill(0x1p-900), found->square), doubles_lt(zero, gap));
    return doubles_select(sure, doubles_min(bound, length), zero);
}

static inline void load_triangle(const double corners[3][3][GRZ_LANES], triple out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = (triple){doubles_load(corners[c][0]), doubles_load(corners[c][1]), doubles_load(corners[c][2])};
}

static inline void store_triple(triple a, double out[3][GRZ_LANES])
{
    doubles_store(out[0], a.x);
    doubles_store(out[1], a.y);
    doubles_store(out[2], a.z);
}

static inline void store_closest(const best *found, doubles lower, grz_closest8 *out)
{
    doubles_store(out->distance, doubles_sqrt(found->square));
    doubles_store(out->lower, lower);
    store_triple(found->p, out->point_a);
    store_triple(found->q, out->point_b);
}

static void triangles_kernel(const grz_triangle_pairs8 *pairs, double error, grz_closest8 *out)
{
    triple a[3], b[3];
    edge edges_a[3], edges_b[3];
    load_triangle(pairs->a, a);
    load_triangle(pairs->b, b);
    for (int i = 0; i < 3; i++)
    {
        edges_a[i] = make_edge(a[i], a[(i + 1) % 3]);
        edges_b[i] = make_edge(b[i], b[(i + 1) % 3]);
    }
    triple n = triple_sub(b[0], a[0]);
    best found = {triple_dot(n, n), a[0], b[0]};
    for (int i = 0; i < 9; i++)
        edge_edge(&found, &edges_a[i / 3], &edges_b[i % 3]);
    face face_a = make_face(a), face_b = make_face(b);
    for (int i = 0; i < 3; i++)
        corner_face(&found, a[i], &face_b, false);
    for (int i = 0; i < 3; i++)
        corner_face(&found, b[i], &face_a, true);
    store_closest(&found, lower_bound(&found, a, 3, b, error), out);
}

/* Where A's corners all are one point, what is left out above divides by zero and is not inside, or is the same. */
static void points_kernel(const grz_triangle_pairs8 *pairs, double error, grz_closest8 *out)
{
    triple b[3], point = {doubles_load(pairs->a[0][0]), doubles_load(pairs->a[0][1]), doubles_load(pairs->a[0][2])};
    load_triangle(pairs->b, b);
    triple n = triple_sub(b[0], point);
    best found = {triple_dot(n, n), point, b[0]};
    for (int i = 0; i < 3; i++)
    {
        edge e = make_edge(b[i], b[(i + 1) % 3]);
        point_edge(&found, point, &e);
    }
    face face_b = make_face(b);
    corner_face(&found, point, &face_b, false);
    store_closest(&found, lower_bound(&found, &point, 1, b, error), out);
}
