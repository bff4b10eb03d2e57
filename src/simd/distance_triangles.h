/* SPDX-License-Identifier: MIT */
/*
 * Closest points of eight pairs of triangles at once, in doubles; part of distance_template.h.
 *
 * The closest points of two triangles that do not meet lie on two edges, or are a corner and a point of the other's
 * face. All 9 + 6 cases are computed; the closest pair is taken. Divisions by zero give infinities and NaN, which
 * clamping turns into 0 or 1: the results are always points of the triangles, up to rounding.
 *
 * The lower bound does not depend on how the points were found; it is verified afterwards. For the points p, q found
 * and any vector n, all points a of A and b of B have n.(b - a) >= min_j n.(b_j - q) - max_i n.(a_i - p) + n.(q - p)
 * over the corners, so that this sum over |n| is a lower bound on the distance. With n = q - p it equals |q - p| where
 * these are the closest points. Error bound, with u = 2^-52, D the largest coordinate of all differences and e the
 * error bound of corners: each dot product errs by 4.1 u |n|_1 D, the two sums by 6.3 u |n|_1 D, the corners cost 2 e
 * |n|_1. We take |n|_1 (2.01 e + 20 u D). When |n|^2 is below 2^-900, underflow could matter, and the bound is 0.
 */
#include "simd/distance.h"
#include "simd/f64x8.h"

/* The closest pair of points so far. */
typedef struct best
{
    f64x8 square;
    v3x8 p, q;
} best;

static inline void keep_better(best *b, mask64x8 allowed, v3x8 p, v3x8 q)
{
    v3x8 n = v3x8_sub(q, p);
    f64x8 square = v3x8_dot(n, n);
    mask64x8 better = mask64x8_and(allowed, f64x8_lt(square, b->square));
    b->square = f64x8_select(better, square, b->square);
    b->p = v3x8_select(better, p, b->p);
    b->q = v3x8_select(better, q, b->q);
}

static inline f64x8 clamp(f64x8 x)
{
    return f64x8_min(f64x8_max(x, f64x8_splat(0.0)), f64x8_splat(1.0));
}

/* An edge with data shared by all pairs it is in. */
typedef struct edge
{
    v3x8 from, along;
    f64x8 square, inverse; /* |along|^2 and its inverse */
} edge;

static inline edge make_edge(v3x8 from, v3x8 to)
{
    edge e = {.from = from, .along = v3x8_sub(to, from)};
    e.square = v3x8_dot(e.along, e.along);
    e.inverse = f64x8_div(f64x8_splat(1.0), e.square);
    return e;
}

/* Two segments (Ericson, Real-Time Collision Detection, 2005, 5.1.9), without branches: the parameter on the first is
   computed for the lines and clamped, then the second's for it, then the first's again. */
static inline void edge_edge(best *b, const edge *e, const edge *f)
{
    v3x8 r = v3x8_sub(e->from, f->from);
    f64x8 ef = v3x8_dot(e->along, f->along), er = v3x8_dot(e->along, r), fr = v3x8_dot(f->along, r);
    f64x8 determinant = f64x8_sub(f64x8_mul(e->square, f->square), f64x8_mul(ef, ef));
    f64x8 numerator = f64x8_sub(f64x8_mul(ef, fr), f64x8_mul(er, f->square));
    f64x8 s = clamp(f64x8_div(numerator, determinant));
    f64x8 t = clamp(f64x8_mul(f64x8_add(f64x8_mul(ef, s), fr), f->inverse));
    s = clamp(f64x8_mul(f64x8_sub(f64x8_mul(ef, t), er), e->inverse));
    v3x8 p = v3x8_add(e->from, v3x8_scale(s, e->along));
    v3x8 q = v3x8_add(f->from, v3x8_scale(t, f->along));
    f64x8 zero = f64x8_splat(0.0);
    keep_better(b, f64x8_le(zero, zero), p, q);
}

/* A face, given by two edges from one corner, with data shared by all pairs it is in. */
typedef struct face
{
    v3x8 origin, e, g;
    f64x8 ee, eg, gg, inverse;
} face;

static inline face make_face(const v3x8 corners[3])
{
    face f = {.origin = corners[0], .e = v3x8_sub(corners[1], corners[0]), .g = v3x8_sub(corners[2], corners[0])};
    f.ee = v3x8_dot(f.e, f.e);
    f.eg = v3x8_dot(f.e, f.g);
    f.gg = v3x8_dot(f.g, f.g);
    f.inverse = f64x8_div(f64x8_splat(1.0), f64x8_sub(f64x8_mul(f.ee, f.gg), f64x8_mul(f.eg, f.eg)));
    return f;
}

/* Projects a corner onto a face. `swapped` says that the face is A's. */
static inline void corner_face(best *b, v3x8 corner, const face *f, bool swapped)
{
    f64x8 zero = f64x8_splat(0.0);
    v3x8 r = v3x8_sub(corner, f->origin);
    f64x8 re = v3x8_dot(r, f->e), rg = v3x8_dot(r, f->g);
    f64x8 v = f64x8_mul(f64x8_sub(f64x8_mul(f->gg, re), f64x8_mul(f->eg, rg)), f->inverse);
    f64x8 w = f64x8_mul(f64x8_sub(f64x8_mul(f->ee, rg), f64x8_mul(f->eg, re)), f->inverse);
    mask64x8 inside = mask64x8_and(f64x8_le(zero, v), f64x8_le(zero, w));
    inside = mask64x8_and(inside, f64x8_le(f64x8_add(v, w), f64x8_splat(1.0)));
    v3x8 foot = v3x8_add(f->origin, v3x8_add(v3x8_scale(v, f->e), v3x8_scale(w, f->g)));
    if (swapped)
        keep_better(b, inside, foot, corner);
    else
        keep_better(b, inside, corner, foot);
}

/* A point and an edge of B: edge_edge where one edge is a point. */
static inline void point_edge(best *b, v3x8 point, const edge *f)
{
    f64x8 zero = f64x8_splat(0.0), along = v3x8_dot(f->along, v3x8_sub(point, f->from));
    f64x8 t = clamp(f64x8_mul(along, f->inverse));
    keep_better(b, f64x8_le(zero, zero), point, v3x8_add(f->from, v3x8_scale(t, f->along)));
}

static inline f64x8 larger_coordinate(f64x8 largest, v3x8 a)
{
    largest = f64x8_max(largest, f64x8_abs(a.x));
    largest = f64x8_max(largest, f64x8_abs(a.y));
    return f64x8_max(largest, f64x8_abs(a.z));
}

/* The certified lower bound; see above. */
static inline f64x8 lower_bound(const best *found, const v3x8 *a, int a_count, const v3x8 b[3], double error)
{
    v3x8 n = v3x8_sub(found->q, found->p);
    f64x8 zero = f64x8_splat(0.0), lowest = zero, highest = zero, largest = larger_coordinate(zero, n);
    for (int i = 0; i < a_count; i++)
    {
        v3x8 to_a = v3x8_sub(a[i], found->p);
        largest = larger_coordinate(largest, to_a);
        highest = f64x8_max(highest, v3x8_dot(n, to_a));
    }
    for (int i = 0; i < 3; i++)
    {
        v3x8 to_b = v3x8_sub(b[i], found->q);
        largest = larger_coordinate(largest, to_b);
        lowest = f64x8_min(lowest, v3x8_dot(n, to_b));
    }
    f64x8 sum = f64x8_add(f64x8_add(f64x8_abs(n.x), f64x8_abs(n.y)), f64x8_abs(n.z));
    /* shortcut: plane-bound-in-doubles */
    f64x8 slack = f64x8_add(f64x8_splat(2.01 * error), f64x8_mul(f64x8_splat(20 * 0x1p-52), largest));
    f64x8 gap = f64x8_sub(f64x8_sub(f64x8_add(found->square, lowest), highest), f64x8_mul(sum, slack));
    f64x8 length = f64x8_sqrt(found->square);
    /* Six roundings: two of the square's square root, the quotient, this product. */
    f64x8 bound = f64x8_mul(f64x8_div(gap, length), f64x8_splat(1 - 8 * 0x1p-52));
    mask64x8 sure = mask64x8_and(f64x8_lt(f64x8_splat(0x1p-900), found->square), f64x8_lt(zero, gap));
    return f64x8_select(sure, f64x8_min(bound, length), zero);
}

static inline void load_triangle(const double corners[3][3][GRZ_LANES], v3x8 out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = (v3x8){f64x8_load(corners[c][0]), f64x8_load(corners[c][1]), f64x8_load(corners[c][2])};
}

static inline void store_v3x8(v3x8 a, double out[3][GRZ_LANES])
{
    f64x8_store(out[0], a.x);
    f64x8_store(out[1], a.y);
    f64x8_store(out[2], a.z);
}

static inline void store_closest(const best *found, f64x8 lower, grz_closest8 *out)
{
    f64x8_store(out->distance, f64x8_sqrt(found->square));
    f64x8_store(out->lower, lower);
    store_v3x8(found->q, out->point_b);
}

static void triangles_kernel(const grz_triangle_pairs8 *pairs, double error, grz_closest8 *out)
{
    v3x8 a[3], b[3];
    edge edges_a[3], edges_b[3];
    load_triangle(pairs->a, a);
    load_triangle(pairs->b, b);
    for (int i = 0; i < 3; i++)
    {
        edges_a[i] = make_edge(a[i], a[(i + 1) % 3]);
        edges_b[i] = make_edge(b[i], b[(i + 1) % 3]);
    }
    v3x8 n = v3x8_sub(b[0], a[0]);
    best found = {v3x8_dot(n, n), a[0], b[0]};
    for (int i = 0; i < 9; i++)
        edge_edge(&found, &edges_a[i / 3], &edges_b[i % 3]);
    face face_a = make_face(a), face_b = make_face(b);
    for (int i = 0; i < 3; i++)
        corner_face(&found, a[i], &face_b, false);
    for (int i = 0; i < 3; i++)
        corner_face(&found, b[i], &face_a, true);
    store_closest(&found, lower_bound(&found, a, 3, b, error), out);
    store_v3x8(found.p, out->point_a);
}

/* Where A's corners are all one point, the cases left out divide by zero and are never inside, or repeat these. */
static inline void closest_to_points(v3x8 point, const double corners[3][3][GRZ_LANES], double error, grz_closest8 *out)
{
    v3x8 b[3];
    load_triangle(corners, b);
    v3x8 n = v3x8_sub(b[0], point);
    best found = {v3x8_dot(n, n), point, b[0]};
    for (int i = 0; i < 3; i++)
    {
        edge e = make_edge(b[i], b[(i + 1) % 3]);
        point_edge(&found, point, &e);
    }
    face face_b = make_face(b);
    corner_face(&found, point, &face_b, false);
    store_closest(&found, lower_bound(&found, &point, 1, b, error), out);
}

static void points_kernel(const grz_triangle_pairs8 *pairs, double error, grz_closest8 *out)
{
    v3x8 point = {f64x8_load(pairs->a[0][0]), f64x8_load(pairs->a[0][1]), f64x8_load(pairs->a[0][2])};
    closest_to_points(point, pairs->b, error, out);
    store_v3x8(point, out->point_a);
}

static void point_kernel(const double point[3], const double corners[3][3][GRZ_LANES], double error, grz_closest8 *out)
{
    closest_to_points((v3x8){f64x8_splat(point[0]), f64x8_splat(point[1]), f64x8_splat(point[2])}, corners, error, out);
}
