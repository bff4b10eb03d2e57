/* SPDX-License-Identifier: MIT */
/*
 * Distances of triangles in integers; see distance.h.
 *
 * The closest points of two triangles that do not meet are one of: two corners, a corner and its foot inside an edge,
 * two points inside edges whose connection is perpendicular to both, a corner and its foot on a face. Whether such a
 * foot exists is a sign of a polynomial, and the squared distance is a quotient of polynomials in the coordinates:
 *   |a - b|^2,   |r x e|^2 / e.e,   (r.n)^2 / n.n with n = e x f,   (r.n)^2 / n.n with n the face's normal.
 * So the squared distance is the least of at most 45 rationals, each compared with a square, or rounded, exactly.
 *
 * Widths. All axes get one unit, the finest of the three; coordinates and their differences still fit the 66 limbs of
 * integer.h. The largest number is the square of a determinant, 6 * 66 limbs and a few bits. To be compared, it is
 * scaled by 2^(2k) where 2^-k is the unit over the last place of the distance given, which is at least 2^-1074. With a
 * unit of 2^m, a coordinate has at most (2052 - m) / 64 limbs, so 6 (2052 - m) + 2 (m + 1074) bits are largest for the
 * least m that has k > 0: m = -1074, where they take 6 * 49 limbs. In the other direction a denominator, 4 * 66 limbs,
 * is multiplied by the square of a number below 2^3172: 100 limbs. A sum of four distances adds two bits to that
 * number, and the last place is that of the smallest term.
 */
#include "exact/distance.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "math/interval.h"

enum
{
    MINOR = GRZ_MINOR_LIMBS + 1,
    WIDE = GRZ_SQUARE_LIMBS
};

typedef struct exact_vector
{
    grz_integer axes[3];
    uint64_t limbs[3][GRZ_COORDINATE_LIMBS];
} exact_vector;

/* Cross product of two vectors. */
typedef struct exact_normal
{
    grz_integer axes[3];
    uint64_t limbs[3][MINOR];
} exact_normal;

/* Storage for the widest number that occurs. */
typedef struct wide_number
{
    grz_integer value;
    uint64_t limbs[WIDE];
} wide_number;

/* All corners as integers in one unit. */
typedef struct integer_frame
{
    int unit; /* exponent */
    uint64_t limbs[GRZ_POINTS_MAX][3][GRZ_COORDINATE_LIMBS];
    int width;
} integer_frame;

/* Kinds of closest features. */
typedef enum pair_kind
{
    NOTHING,
    CORNERS,
    CORNER_EDGE,
    EDGES,
    CORNER_FACE
} pair_kind;

typedef struct feature_pair
{
    pair_kind pair_kind;
    int p, q, r, s; /* corners p and q; p and the edge qr; the edges pq and rs; p and the face qrs */
} feature_pair;

/* The question asked of every candidate. */
typedef struct distance_search
{
    const integer_frame *integer_frame;
    bool deciding; /* decide whether any candidate is within 2^exponent * mantissa */
    bool strict;   /* strictly below that */
    wide_number mantissa_sq;
    int exponent;
    bool within;
    double lower, upper; /* otherwise bounds of the least distance */
    feature_pair best;
} distance_search;

/* ---- numbers ---- */

static void number_start(wide_number *n)
{
    n->value = (grz_integer){n->limbs, 0, 0};
}

/* Two's complement, shifted to the common unit, with the sign extended. */
static void shift_coordinate(const uint64_t *from, int from_width, int shift, uint64_t *out, int width)
{
    uint64_t fill = from[from_width - 1] >> 63 ? UINT64_MAX : 0;
    int words = shift / 64, bits = shift % 64;
    for (int i = 0; i < width; i++)
    {
        int j = i - words;
        uint64_t here = j < 0 ? 0 : j < from_width ? from[j] : fill;
        uint64_t below = j < 1 ? 0 : j - 1 < from_width ? from[j - 1] : fill;
        out[i] = bits == 0 ? here : here << bits | below >> (64 - bits);
    }
}

static void make_integer_frame(grz_points *points, integer_frame *f)
{
    grz_points_make_exact(points);
    int finest = points->exponents[0], top = INT32_MIN;
    for (int axis = 1; axis < 3; axis++)
        finest = points->exponents[axis] < finest ? points->exponents[axis] : finest;
    for (int axis = 0; axis < 3; axis++)
    {
        int highest = points->exponents[axis] + 64 * points->widths[axis];
        top = highest > top ? highest : top;
    }
    f->unit = finest;
    f->width = (top - finest + 63) / 64;
    if (f->width > GRZ_COORDINATE_LIMBS) /* the last limb has spare bits: a coordinate fits */
        f->width = GRZ_COORDINATE_LIMBS;
    for (int p = 0; p < GRZ_POINTS_MAX; p++)
    {
        for (int axis = 0; axis < 3; axis++)
            shift_coordinate(points->limbs[p][axis], points->widths[axis], points->exponents[axis] - finest,
                             f->limbs[p][axis], f->width);
    }
}

static void subtract(const integer_frame *f, int a, int b, exact_vector *out)
{
    for (int axis = 0; axis < 3; axis++)
    {
        out->axes[axis].limbs = out->limbs[axis];
        grz_integer_difference(&out->axes[axis], f->limbs[a][axis], f->limbs[b][axis], f->width);
    }
}

/* out = p . q for integers of any width that fits. */
static void dot(const grz_integer p[3], const grz_integer q[3], wide_number *out)
{
    wide_number product;
    number_start(out);
    number_start(&product);
    for (int axis = 0; axis < 3; axis++)
    {
        grz_integer_multiply(&product.value, &p[axis], &q[axis]);
        grz_integer_accumulate(&out->value, &product.value, false);
    }
}

static void cross(const exact_vector *p, const exact_vector *q, exact_normal *out)
{
    uint64_t limbs[MINOR];
    grz_integer product = {limbs, 0, 0};
    for (int axis = 0; axis < 3; axis++)
    {
        int i = (axis + 1) % 3, j = (axis + 2) % 3;
        out->axes[axis] = (grz_integer){out->limbs[axis], 0, 0};
        grz_integer_multiply(&out->axes[axis], &p->axes[i], &q->axes[j]);
        grz_integer_multiply(&product, &p->axes[j], &q->axes[i]);
        grz_integer_accumulate(&out->axes[axis], &product, true);
    }
}

static void square(const wide_number *a, wide_number *out)
{
    number_start(out);
    grz_integer_multiply(&out->value, &a->value, &a->value);
}

static void one(wide_number *n)
{
    number_start(n);
    n->limbs[0] = 1;
    n->value.count = n->value.sign = 1;
}

/* Whether 0 < a < b. */
static bool strictly_between(const wide_number *a, const wide_number *b)
{
    return a->value.sign > 0 && b->value.sign > 0 && grz_integer_compare_magnitudes(&a->value, &b->value) < 0;
}

/* ---- candidates ---- */

/* Whether numerator / denominator, in units squared, is at most (mantissa 2^exponent)^2, or strictly below it. */
static bool is_within(const distance_search *s, const wide_number *numerator, const wide_number *denominator)
{
    wide_number right, scaled;
    number_start(&right);
    number_start(&scaled);
    grz_integer_multiply(&right.value, &denominator->value, &s->mantissa_sq.value);
    int shift = 2 * (s->integer_frame->unit - s->exponent), most = s->strict ? -1 : 0;
    if (shift >= 0)
    {
        grz_integer_shift(&scaled.value, &numerator->value, shift);
        return grz_integer_compare_magnitudes(&scaled.value, &right.value) <= most;
    }
    grz_integer_shift(&scaled.value, &right.value, -shift);
    return grz_integer_compare_magnitudes(&numerator->value, &scaled.value) <= most;
}

/*
 * The square root of the quotient. Scaled by an even power of two to lie in [1/4, 4], the quotient is rounded to
 * nearest, with a relative error of at most 2^-53, and its root adds 2^-52 in any rounding mode; 4 u covers that and
 * its own application. Scaling back is exact within the range of normal doubles; beyond it the bounds are its ends.
 * Among the denormals it truncates by less than the smallest denormal, which is added to the upper bound; by bits, as
 * arithmetic may flush denormals.
 */
static void bound_root(const distance_search *s, const wide_number *numerator, const wide_number *denominator,
                       double *lower, double *upper)
{
    int bits = grz_integer_bits(&numerator->value) - grz_integer_bits(&denominator->value);
    int half = (bits - (bits & 1)) / 2;
    double value = sqrt(grz_integer_quotient(&numerator->value, &denominator->value, -2 * half));
    int exponent = half + s->integer_frame->unit;
    if (exponent < -1000)
    {
        *lower = grz_scale(value * (1 - 4 * GRZ_U), exponent);
        *upper = grz_from_bits(grz_bits(grz_scale(value * (1 + 4 * GRZ_U), exponent)) + 1);
        return;
    }
    /* On overflow some rounding modes give the largest double, others infinity. */
    *lower = ldexp(value * (1 - 4 * GRZ_U), exponent);
    *upper = ldexp(value * (1 + 4 * GRZ_U), exponent);
    if (!(*lower < DBL_MAX))
        *lower = DBL_MAX;
    if (!(*upper < DBL_MAX))
        *upper = INFINITY;
}

/* Returns whether the search may stop. */
static bool test_candidate(distance_search *s, const wide_number *numerator, const wide_number *denominator,
                           feature_pair where)
{
    if (s->deciding)
    {
        s->within = is_within(s, numerator, denominator);
        return s->within;
    }
    double lower, upper;
    bound_root(s, numerator, denominator, &lower, &upper);
    bool lowers = grz_is_less(lower, s->lower), uppers = grz_is_less(upper, s->upper);
    if (lowers || uppers || s->best.pair_kind == NOTHING)
        s->best = where;
    s->lower = lowers ? lower : s->lower;
    s->upper = uppers ? upper : s->upper;
    return false;
}

static bool corner_corner(distance_search *s, int p, int q)
{
    exact_vector d;
    wide_number distance_sq, unit;
    subtract(s->integer_frame, p, q, &d);
    dot(d.axes, d.axes, &distance_sq);
    one(&unit);
    return test_candidate(s, &distance_sq, &unit, (feature_pair){CORNERS, p, q, 0, 0});
}

static bool corner_edge(distance_search *s, int p, int q, int r)
{
    exact_vector e, d;
    wide_number along, length_sq, area_sq;
    subtract(s->integer_frame, r, q, &e);
    subtract(s->integer_frame, p, q, &d);
    dot(d.axes, e.axes, &along);
    dot(e.axes, e.axes, &length_sq);
    if (!strictly_between(&along, &length_sq))
        return false;
    exact_normal n;
    cross(&d, &e, &n);
    dot(n.axes, n.axes, &area_sq);
    return test_candidate(s, &area_sq, &length_sq, (feature_pair){CORNER_EDGE, p, q, r, 0});
}

/* For two lines pq and rs: their common normal n, |n|^2, and the parameters of their closest points, times |n|^2. False
   when these points are not inside both segments. */
static bool cross_edges(const integer_frame *f, feature_pair at, exact_normal *n, wide_number *n_sq,
                        wide_number *along_p, wide_number *along_r)
{
    exact_vector e, g, d;
    exact_normal turned;
    subtract(f, at.q, at.p, &e);
    subtract(f, at.s, at.r, &g);
    subtract(f, at.r, at.p, &d);
    cross(&e, &g, n);
    dot(n->axes, n->axes, n_sq);
    if (n_sq->value.sign == 0)
        return false;
    cross(&d, &g, &turned);
    dot(turned.axes, n->axes, along_p);
    if (!strictly_between(along_p, n_sq))
        return false;
    cross(&d, &e, &turned);
    dot(turned.axes, n->axes, along_r);
    return strictly_between(along_r, n_sq);
}

static bool edge_edge(distance_search *s, feature_pair at)
{
    exact_normal n;
    wide_number n_sq, along_p, along_r, height, height_sq;
    if (!cross_edges(s->integer_frame, at, &n, &n_sq, &along_p, &along_r))
        return false;
    exact_vector d;
    subtract(s->integer_frame, at.r, at.p, &d);
    dot(d.axes, n.axes, &height);
    square(&height, &height_sq);
    return test_candidate(s, &height_sq, &n_sq, at);
}

/* Whether p lies on the inner side of the edge qr of a face with normal n, or on it. */
static bool inside_edge(const integer_frame *f, int p, int q, int r, const exact_normal *n)
{
    exact_vector e, d;
    exact_normal turned;
    wide_number side;
    subtract(f, r, q, &e);
    subtract(f, p, q, &d);
    cross(&e, &d, &turned);
    dot(turned.axes, n->axes, &side);
    return side.value.sign >= 0;
}

static void face_normal(const integer_frame *f, int q, int r, int s, exact_normal *n)
{
    exact_vector e, g;
    subtract(f, r, q, &e);
    subtract(f, s, q, &g);
    cross(&e, &g, n);
}

static bool corner_face(distance_search *s, feature_pair at)
{
    exact_normal n;
    wide_number n_sq, height, height_sq;
    face_normal(s->integer_frame, at.q, at.r, at.s, &n);
    dot(n.axes, n.axes, &n_sq);
    if (n_sq.value.sign == 0 || !inside_edge(s->integer_frame, at.p, at.q, at.r, &n) ||
        !inside_edge(s->integer_frame, at.p, at.r, at.s, &n) || !inside_edge(s->integer_frame, at.p, at.s, at.q, &n))
        return false;
    exact_vector d;
    subtract(s->integer_frame, at.p, at.q, &d);
    dot(d.axes, n.axes, &height);
    square(&height, &height_sq);
    return test_candidate(s, &height_sq, &n_sq, at);
}

/* Tests all candidates, those of few limbs first. */
static void test_all_candidates(distance_search *s)
{
    for (int i = 0; i < 9; i++)
    {
        if (corner_corner(s, i / 3, 3 + i % 3))
            return;
    }
    for (int i = 0; i < 18; i++)
    {
        int p = i / 3, edge = i % 3, other = p < 3 ? 3 : 0;
        if (corner_edge(s, p, other + edge, other + (edge + 1) % 3))
            return;
    }
    for (int p = 0; p < 6; p++)
    {
        int other = p < 3 ? 3 : 0;
        if (corner_face(s, (feature_pair){CORNER_FACE, p, other, other + 1, other + 2}))
            return;
    }
    for (int i = 0; i < 9; i++)
    {
        int e = i / 3, f = i % 3;
        if (edge_edge(s, (feature_pair){EDGES, e, (e + 1) % 3, 3 + f, 3 + (f + 1) % 3}))
            return;
    }
}

/* ---- points ---- */

static void coordinate(const integer_frame *f, int p, int axis, wide_number *out)
{
    static const uint64_t zero[GRZ_COORDINATE_LIMBS];
    number_start(out);
    grz_integer_difference(&out->value, f->limbs[p][axis], zero, f->width);
}

/* p + (q - p) along / whole. */
static void construct_between(const integer_frame *f, int p, int q, const wide_number *along, const wide_number *whole,
                              double out[3])
{
    exact_vector e;
    wide_number at, sum, product;
    subtract(f, q, p, &e);
    for (int axis = 0; axis < 3; axis++)
    {
        coordinate(f, p, axis, &at);
        number_start(&sum);
        number_start(&product);
        grz_integer_multiply(&sum.value, &at.value, &whole->value);
        grz_integer_multiply(&product.value, &e.axes[axis], &along->value);
        grz_integer_accumulate(&sum.value, &product.value, false);
        out[axis] = grz_integer_quotient(&sum.value, &whole->value, f->unit);
    }
}

/* p - n height / whole, the foot of p on a plane. */
static void construct_foot(const integer_frame *f, int p, const exact_normal *n, const wide_number *height,
                           const wide_number *whole, double out[3])
{
    wide_number at, sum, product;
    for (int axis = 0; axis < 3; axis++)
    {
        coordinate(f, p, axis, &at);
        number_start(&sum);
        number_start(&product);
        grz_integer_multiply(&sum.value, &at.value, &whole->value);
        grz_integer_multiply(&product.value, &n->axes[axis], &height->value);
        grz_integer_accumulate(&sum.value, &product.value, true);
        out[axis] = grz_integer_quotient(&sum.value, &whole->value, f->unit);
    }
}

static void construct_corner(const integer_frame *f, int p, double out[3])
{
    wide_number at, unit;
    one(&unit);
    for (int axis = 0; axis < 3; axis++)
    {
        coordinate(f, p, axis, &at);
        out[axis] = grz_integer_quotient(&at.value, &unit.value, f->unit);
    }
}

/* The closest points on a pair of features; the first is on corner p or on the edge that begins there. */
static void construct(const integer_frame *f, feature_pair at, double first[3], double second[3])
{
    exact_normal n;
    exact_vector e, d;
    wide_number whole, along, other;
    if (at.pair_kind == EDGES)
    {
        cross_edges(f, at, &n, &whole, &along, &other);
        construct_between(f, at.p, at.q, &along, &whole, first);
        construct_between(f, at.r, at.s, &other, &whole, second);
        return;
    }
    construct_corner(f, at.p, first);
    subtract(f, at.p, at.q, &d);
    if (at.pair_kind == CORNERS)
        construct_corner(f, at.q, second);
    else if (at.pair_kind == CORNER_EDGE)
    {
        subtract(f, at.r, at.q, &e);
        dot(d.axes, e.axes, &along);
        dot(e.axes, e.axes, &whole);
        construct_between(f, at.q, at.r, &along, &whole, second);
    }
    else
    {
        face_normal(f, at.q, at.r, at.s, &n);
        dot(n.axes, n.axes, &whole);
        dot(d.axes, n.axes, &other);
        construct_foot(f, at.p, &n, &other, &whole, second);
    }
}

void grz_triangles_distance(grz_points *points, grz_exact_distance *out)
{
    integer_frame f;
    make_integer_frame(points, &f);
    distance_search s = {.integer_frame = &f, .lower = INFINITY, .upper = INFINITY};
    test_all_candidates(&s);
    out->lower = s.lower;
    out->upper = s.upper;
    if (s.best.p < 3)
        construct(&f, s.best, out->point_a, out->point_b);
    else
        construct(&f, s.best, out->point_b, out->point_a);
}

/* A double that is not negative as mantissa 2^exponent. By its bits: library calls may take denormals for 0 when they
   are flushed. */
static uint64_t mantissa_of(double x, int *out_exponent)
{
    uint64_t bits = grz_bits(x);
    int biased = (int)(bits >> 52 & 0x7ff);
    *out_exponent = (biased == 0 ? 1 : biased) - 1075;
    return (bits & GRZ_FRACTION_BITS) | (biased != 0 ? UINT64_C(1) << 52 : 0);
}

/* The square of the sum of the terms, over the unit of the finest one. */
static void set_length(distance_search *s, const double *terms, int count)
{
    wide_number sum, term, shifted;
    int exponent;
    s->exponent = INT_MAX;
    for (int i = 0; i < count; i++)
        if (mantissa_of(terms[i], &exponent) != 0 && exponent < s->exponent)
            s->exponent = exponent;
    number_start(&sum);
    for (int i = 0; i < count; i++)
    {
        number_start(&term);
        number_start(&shifted);
        term.limbs[0] = mantissa_of(terms[i], &exponent);
        term.value.count = term.value.sign = term.limbs[0] != 0;
        if (term.value.sign == 0)
            continue;
        grz_integer_shift(&shifted.value, &term.value, exponent - s->exponent);
        grz_integer_accumulate(&sum.value, &shifted.value, false);
    }
    if (sum.value.sign == 0)
        s->exponent = 0;
    number_start(&s->mantissa_sq);
    square(&sum, &s->mantissa_sq);
}

bool grz_triangles_within_sum(grz_points *points, const double *terms, int count, bool strict)
{
    integer_frame f;
    make_integer_frame(points, &f);
    distance_search s = {.integer_frame = &f, .deciding = true, .strict = strict};
    set_length(&s, terms, count);
    test_all_candidates(&s);
    return s.within;
}

bool grz_triangles_within(grz_points *points, double most, bool strict)
{
    return grz_triangles_within_sum(points, &most, 1, strict);
}
