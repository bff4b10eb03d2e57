/* SPDX-License-Identifier: MIT */
/*
 * OBB overlap, exactly; see oriented_boxes.h.
 *
 * Two boxes meet exactly when the difference D of their centres lies in the zonotope of their six half edges g: the sum
 * of the segments [-g, g]. Its face normals are the cross products n = g_i x g_j (the 15 axes of Gottschalk's
 * separating axis test), so the condition is |n . D| <= sum |n . g_k| for these n. When all six edges lie in a plane
 * that is not sufficient. Then let e be the unit vectors: D is in the zonotope exactly when for every s > 0 it is in
 * the one with s e added to the edges, whose face normals are products of edges and units; in the limit s = 0 that
 * gives the same condition for the products of all nine. So 36 axes decide for any two boxes, without case
 * distinctions.
 *
 * Error bound. Each vector w has sizes, in each component at least |w|, and an error of at most U times its size, U =
 * GRZ_U. A component of n = u x v errs by 5 U of N = size(u_i) size(v_j) + size(u_j) size(v_i), a product n . w by 10 U
 * of the sum of N size(w), that with D, a difference, by 12 U; summing seven of them adds 7 U of their sizes. 32 U of
 * the sum over components of N T, where T sums all sizes, covers this. Underflow costs 2^-1021 in n, hence 2^-1018 T in
 * all products with it, and less than 2^-1010 in those themselves. A denormal that is flushed costs less than U of a
 * size, which is 0 or 2^-960 at least. Where T exceeds 2^300 the filter decides nothing: products could overflow, to
 * the largest double in some rounding modes.
 */
#include "exact/oriented_boxes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "exact/integer.h"
#include "math/interval.h"

enum
{
    EDGES = 6,
    VECTORS = 9,           /* edges, then unit vectors */
    COORDINATE_LIMBS = 36, /* sums of four doubles in units of 2^-1074 are below 2^2101; one limb more for shifting */
    MINOR_LIMBS = 2 * COORDINATE_LIMBS + 1,
    DETERMINANT_LIMBS = 3 * COORDINATE_LIMBS + 4
};

grz_oriented_box grz_oriented_box_from_axes(const double centre[3], const double axes[3][3])
{
    grz_oriented_box box;
    for (int k = 0; k < 3; k++)
    {
        box.ends[0][k] = box.ends[1][k] = centre[k];
        for (int edge = 0; edge < 3; edge++)
        {
            box.tips[edge][k] = axes[edge][k];
            box.tails[edge][k] = -axes[edge][k];
        }
    }
    return box;
}

grz_oriented_box grz_oriented_box_from_corners(const double lower[3], const double upper[3])
{
    grz_oriented_box box = {{{0}}, {{0}}, {{0}}};
    for (int k = 0; k < 3; k++)
    {
        box.ends[0][k] = lower[k];
        box.ends[1][k] = upper[k];
        box.tips[k][k] = upper[k];
        box.tails[k][k] = lower[k];
    }
    return box;
}

/* A vector in doubles, and a bound on the magnitude of the numbers it was computed from. */
typedef struct filter_vector
{
    double value[3], size[3];
} filter_vector;

typedef struct filter_boxes
{
    filter_vector vectors[VECTORS];
    filter_vector between; /* D */
    double total[3];       /* T */
} filter_boxes;

/* Half of x + y. The size is raised so that U times it covers underflow and flushed denormals too. */
static void add_halves(double x, double y, double *value, double *size)
{
    bool zero = grz_is_zero(x) && grz_is_zero(y), same = x == y;
    *value = same ? x : 0.5 * x + 0.5 * y;
    *size = zero ? 0 : (same ? fabs(x) : fabs(x) + fabs(y)) + 0x1p-960;
}

static void make_filter_boxes(const grz_oriented_box *a, const grz_oriented_box *b, filter_boxes *r)
{
    memset(r, 0, sizeof *r);
    for (int k = 0; k < 3; k++)
    {
        double centre[2], size[2];
        for (int i = 0; i < 2; i++)
        {
            const grz_oriented_box *box = i == 0 ? a : b;
            add_halves(box->ends[0][k], box->ends[1][k], &centre[i], &size[i]);
            for (int edge = 0; edge < 3; edge++)
            {
                filter_vector *to = &r->vectors[3 * i + edge];
                add_halves(box->tips[edge][k], -box->tails[edge][k], &to->value[k], &to->size[k]);
                r->total[k] += to->size[k];
            }
        }
        r->between.value[k] = centre[1] - centre[0];
        r->between.size[k] = size[0] + size[1];
        r->total[k] += r->between.size[k];
        r->vectors[EDGES + k].value[k] = r->vectors[EDGES + k].size[k] = 1;
    }
}

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The cross product of two vectors. Returns whether every term has a factor 0, so that it is certainly 0. */
static bool cross_product(const filter_vector *u, const filter_vector *v, filter_vector *n)
{
    bool zero = true;
    for (int k = 0; k < 3; k++)
    {
        int i = k < 2 ? k + 1 : 0, j = k > 0 ? k - 1 : 2;
        n->value[k] = u->value[i] * v->value[j] - u->value[j] * v->value[i];
        n->size[k] = u->size[i] * v->size[j] + u->size[j] * v->size[i];
        zero = zero && (u->size[i] == 0 || v->size[j] == 0) && (u->size[j] == 0 || v->size[i] == 0);
    }
    return zero;
}

static double axis_error_bound(const filter_boxes *r, const filter_vector *n)
{
    double total = r->total[0] + r->total[1] + r->total[2]; /* not NaN: sums of magnitudes */
    if (!(total < 0x1p300))
        return INFINITY;
    /* shortcut: obb-axis-filter */
    return 32 * GRZ_U * dot(n->size, r->total) + (0x1p-1018 * total + 0x1p-1010);
}

/* 1 when D certainly lies between the two planes with this normal, -1 when certainly not, 0 when undecided. */
static int filter_axis(const filter_boxes *r, int first, int second)
{
    filter_vector n;
    /* shortcut: obb-zero-axis */
    if (cross_product(&r->vectors[first], &r->vectors[second], &n))
        return 1;
    double radius = 0, centre_distance = fabs(dot(n.value, r->between.value)), bound = axis_error_bound(r, &n);
    for (int edge = 0; edge < EDGES; edge++)
        radius += fabs(dot(n.value, r->vectors[edge].value));
    return radius - centre_distance > bound ? 1 : (centre_distance - radius > bound ? -1 : 0);
}

/* Whether three edges are certainly not coplanar. */
static bool has_volume(const filter_boxes *r, int first)
{
    filter_vector n;
    return !cross_product(&r->vectors[first], &r->vectors[first + 1], &n) &&
           fabs(dot(n.value, r->vectors[first + 2].value)) > axis_error_bound(r, &n);
}

/* The same vectors, twice as long, as integers over a power of two for each coordinate. */
typedef struct integer_boxes
{
    grz_integer vectors[VECTORS][3], between[3];
    uint64_t limbs[VECTORS + 1][3][COORDINATE_LIMBS];
} integer_boxes;

/* x as mantissa * 2^exponent. Returns the mantissa, odd or 0; for 0 the exponent is not changed. */
static uint64_t decompose_double(double x, int *exponent)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t mantissa = bits & UINT64_C(0xfffffffffffff);
    int biased = (int)(bits >> 52 & 0x7ff);
    if (biased != 0)
        mantissa |= UINT64_C(1) << 52;
    if (mantissa == 0)
        return 0;
    int zeros = __builtin_ctzll(mantissa);
    *exponent = (biased != 0 ? biased : 1) - 1075 + zeros;
    return mantissa >> zeros;
}

static void lower_exponent(double x, int *lowest)
{
    int exponent = *lowest; /* unchanged when x is 0 */
    decompose_double(x, &exponent);
    *lowest = exponent < *lowest ? exponent : *lowest;
}

static void add_double(grz_integer *to, double x, bool negate, int lowest)
{
    uint64_t limbs[COORDINATE_LIMBS];
    int exponent = 0;
    uint64_t mantissa = decompose_double(x, &exponent);
    if (mantissa == 0)
        return;
    grz_integer one = {&mantissa, 1, 1}, shifted = {limbs, 0, 0};
    grz_integer_shift(&shifted, &one, exponent - lowest);
    shifted.sign = signbit(x) ? -1 : 1;
    grz_integer_accumulate(to, &shifted, negate);
}

static void make_integer_boxes(const grz_oriented_box *a, const grz_oriented_box *b, integer_boxes *w)
{
    for (int k = 0; k < 3; k++)
    {
        int lowest = 1024;
        for (int i = 0; i < 2; i++)
        {
            const grz_oriented_box *box = i == 0 ? a : b;
            lower_exponent(box->ends[0][k], &lowest);
            lower_exponent(box->ends[1][k], &lowest);
            for (int edge = 0; edge < 3; edge++)
            {
                lower_exponent(box->tips[edge][k], &lowest);
                lower_exponent(box->tails[edge][k], &lowest);
            }
        }
        for (int v = 0; v < VECTORS; v++)
        {
            w->vectors[v][k] = (grz_integer){w->limbs[v][k], 0, 0};
            const grz_oriented_box *box = v < 3 ? a : b;
            if (v < EDGES)
            {
                add_double(&w->vectors[v][k], box->tips[v % 3][k], false, lowest);
                add_double(&w->vectors[v][k], box->tails[v % 3][k], true, lowest);
            }
            else if (v - EDGES == k)
                add_double(&w->vectors[v][k], 1, false, 0);
        }
        w->between[k] = (grz_integer){w->limbs[VECTORS][k], 0, 0};
        for (int end = 0; end < 2; end++)
        {
            add_double(&w->between[k], b->ends[end][k], false, lowest);
            add_double(&w->between[k], a->ends[end][k], true, lowest);
        }
    }
}

/* sum = sum + |n . v|, or sum - |n . v|. */
static void add_projection(grz_integer *sum, const grz_integer n[3], const grz_integer v[3], bool negate)
{
    uint64_t dot_limbs[DETERMINANT_LIMBS], term_limbs[DETERMINANT_LIMBS];
    grz_integer d = {dot_limbs, 0, 0}, term = {term_limbs, 0, 0};
    for (int k = 0; k < 3; k++)
    {
        grz_integer_multiply(&term, &n[k], &v[k]);
        grz_integer_accumulate(&d, &term, false);
    }
    d.sign = d.count != 0;
    grz_integer_accumulate(sum, &d, negate);
}

/* Whether D lies between the two planes with this normal, exactly. */
static bool axis_overlaps_exactly(const integer_boxes *w, int first, int second)
{
    uint64_t minor_limbs[3][MINOR_LIMBS], term_limbs[MINOR_LIMBS], sum_limbs[DETERMINANT_LIMBS];
    grz_integer n[3], term = {term_limbs, 0, 0}, sum = {sum_limbs, 0, 0};
    const grz_integer *u = w->vectors[first], *v = w->vectors[second];
    for (int k = 0; k < 3; k++)
    {
        int i = k < 2 ? k + 1 : 0, j = k > 0 ? k - 1 : 2;
        n[k] = (grz_integer){minor_limbs[k], 0, 0};
        grz_integer_multiply(&n[k], &u[i], &v[j]);
        grz_integer_multiply(&term, &u[j], &v[i]);
        grz_integer_accumulate(&n[k], &term, true);
    }
    if (n[0].sign == 0 && n[1].sign == 0 && n[2].sign == 0)
        return true;
    for (int edge = 0; edge < EDGES; edge++)
        add_projection(&sum, n, w->vectors[edge], false);
    add_projection(&sum, n, w->between, true);
    return sum.sign >= 0;
}

bool grz_oriented_boxes_overlap(const grz_oriented_box *a, const grz_oriented_box *b, bool *out_settled)
{
    filter_boxes r;
    make_filter_boxes(a, b, &r);
    bool full = has_volume(&r, 0) || has_volume(&r, 3);
    /* shortcut: obb-has-volume */
    int count = full ? EDGES : VECTORS;
    uint8_t open[VECTORS * VECTORS];
    int open_count = 0;
    if (out_settled != NULL)
        *out_settled = true;
    for (int first = 0; first < count; first++)
    {
        for (int second = first + 1; second < count; second++)
        {
            int sign = filter_axis(&r, first, second);
            if (sign < 0)
                return false;
            if (sign == 0)
                open[open_count++] = (uint8_t)(first * VECTORS + second);
        }
    }
    if (open_count == 0)
        return true;
    if (out_settled != NULL)
        *out_settled = false;
    integer_boxes w;
    make_integer_boxes(a, b, &w);
    for (int i = 0; i < open_count; i++)
        if (!axis_overlaps_exactly(&w, open[i] / VECTORS, open[i] % VECTORS))
            return false;
    return true;
}
