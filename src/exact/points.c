/* SPDX-License-Identifier: MIT */
/*
 * Signs of placed points: the filter, then integers; see points.h.
 *
 * Error analysis. Write u = 2^-52: in any rounding mode fl(x op y) = (x op y)(1 + d), |d| <= u, unless it underflows.
 * The filter is used only while every vertex and pose entry and every sum below is at most HUGE_LIMIT = 2^300 in
 * magnitude. Then nothing overflows, and flushing a denormal operand or result to zero (or ordinary underflow) changes
 * a placed coordinate by less than 8 * 2^300 * 2^-1022 < TINY = 2^-700 in all, which is added to every bound.
 *
 * Placed coordinate x = r0 v0 + r1 v1 + r2 v2 + t, with m = |r0 v0| + |r1 v1| + |r2 v2| + |t|. No term passes more than
 * four roundings, so |fl(x) - x| <= ((1+u)^4 - 1) m_true < 4.1 u m_true, and m_true <= m (1 + 5u). We take 6 u m +
 * TINY.
 *
 * Differences d of two coordinates, each off by at most e (points->error, never below TINY), true difference D:
 * |d - D| <= 2e + u|d|(1+u). Per axis let M be the largest |d| and delta = 2.1 e + 1.1 u M, N = M + delta. Each of
 * the 6 products in the determinant of the d differs from that of the D by at most
 * delta_x N_y N_z + N_x delta_y N_z + N_x N_y delta_z, and evaluation adds at most ((1+u)^5 - 1) N_x N_y N_z < 5.1 u
 * N_x N_y N_z for each. The rounding of the bound itself is paid by taking 6.001 instead of 6 and 6 u instead of 5.1 u;
 * what can underflow in products of three numbers below 2^301 is far below ABSOLUTE = 2^-600. The 2 x 2 case is alike.
 */
#include "exact/points.h"

#include <math.h>
#include <string.h>

#define U 0x1p-52
#define TINY 0x1p-700
#define ABSOLUTE 0x1p-600
#define HUGE_LIMIT 0x1p300

void grz_points_start(grz_points *points, grz_stages *stages)
{
    points->count = 0;
    points->stages = stages;
    points->error = TINY;
    points->filter_usable = true;
    points->exact_ready = false;
}

/* Not fmax: that is a library call, and here a NaN need not be ignored. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static bool within_limit(const double *numbers, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        largest = larger(largest, fabs(numbers[i]));
    return largest <= HUGE_LIMIT;
}

void grz_points_add(grz_points *points, const double point[3], const graze_pose *pose)
{
    double *placed = points->approximate[points->count];
    points->sources[points->count].point = point;
    points->sources[points->count].pose = pose;
    points->count++;
    points->exact_ready = false;
    if (!within_limit(point, 3) || (pose != NULL && !within_limit(pose->m, 12)))
        points->filter_usable = false;
    if (pose == NULL)
    {
        memcpy(placed, point, 3 * sizeof *placed);
        return;
    }
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = pose->m + 4 * axis;
        double x = row[0] * point[0], y = row[1] * point[1], z = row[2] * point[2];
        placed[axis] = x + y + z + row[3];
        double magnitude = fabs(x) + fabs(y) + fabs(z) + fabs(row[3]);
        points->error = larger(points->error, 6 * U * magnitude + TINY);
        if (!(magnitude <= HUGE_LIMIT))
            points->filter_usable = false;
    }
}

static double max3(double a, double b, double c)
{
    return larger(larger(fabs(a), fabs(b)), fabs(c));
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

static int settled(grz_points *points, int sign)
{
    if (points->stages != NULL)
        points->stages->filtered++;
    return sign;
}

static void fall_through(grz_points *points)
{
    if (points->stages != NULL)
        points->stages->exact++;
    grz_points_make_exact(points);
}

int grz_orient3d(grz_points *points, int a, int b, int c, int d)
{
    if (points->filter_usable)
    {
        const double *pa = points->approximate[a], *pb = points->approximate[b];
        const double *pc = points->approximate[c], *pd = points->approximate[d];
        double ax = pa[0] - pd[0], ay = pa[1] - pd[1], az = pa[2] - pd[2];
        double bx = pb[0] - pd[0], by = pb[1] - pd[1], bz = pb[2] - pd[2];
        double cx = pc[0] - pd[0], cy = pc[1] - pd[1], cz = pc[2] - pd[2];
        double determinant = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
        double mx = max3(ax, bx, cx), my = max3(ay, by, cy), mz = max3(az, bz, cz);
        double dx = 2.1 * points->error + 1.1 * U * mx;
        double dy = 2.1 * points->error + 1.1 * U * my;
        double dz = 2.1 * points->error + 1.1 * U * mz;
        double nx = mx + dx, ny = my + dy, nz = mz + dz;
        double bound = 6.001 * (dx * ny * nz + nx * dy * nz + nx * ny * dz + 6 * U * nx * ny * nz) + ABSOLUTE;
        if (fabs(determinant) > bound)
            return settled(points, sign_of(determinant));
    }
    fall_through(points);
    uint64_t limbs[GRZ_DETERMINANT_LIMBS];
    grz_integer determinant = {limbs, 0, 0};
    grz_exact_orient3d(points, a, b, c, d, &determinant);
    return determinant.sign;
}

int grz_orient2d(grz_points *points, int a, int b, int c, int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    if (points->filter_usable)
    {
        const double *pa = points->approximate[a], *pb = points->approximate[b], *pc = points->approximate[c];
        double ai = pa[i] - pc[i], aj = pa[j] - pc[j];
        double bi = pb[i] - pc[i], bj = pb[j] - pc[j];
        double determinant = ai * bj - aj * bi;
        double mi = larger(fabs(ai), fabs(bi)), mj = larger(fabs(aj), fabs(bj));
        double di = 2.1 * points->error + 1.1 * U * mi, dj = 2.1 * points->error + 1.1 * U * mj;
        double ni = mi + di, nj = mj + dj;
        double bound = 2.001 * (di * nj + ni * dj + 4 * U * ni * nj) + ABSOLUTE;
        if (fabs(determinant) > bound)
            return settled(points, sign_of(determinant));
    }
    fall_through(points);
    uint64_t limbs[GRZ_MINOR_LIMBS];
    grz_integer determinant = {limbs, 0, 0};
    grz_exact_orient2d(points, a, b, c, axis, &determinant);
    return determinant.sign;
}

int grz_compare(grz_points *points, int a, int b, int axis)
{
    if (points->filter_usable)
    {
        double difference = points->approximate[a][axis] - points->approximate[b][axis];
        if (fabs(difference) > 2.1 * points->error + 1.1 * U * fabs(difference))
            return settled(points, sign_of(difference));
    }
    fall_through(points);
    uint64_t limbs[GRZ_COORDINATE_LIMBS];
    grz_integer difference = {limbs, 0, 0};
    grz_integer_difference(&difference, points->limbs[a][axis], points->limbs[b][axis], points->widths[axis]);
    return difference.sign;
}

/* ---- integers ---- */

/* One summand of a coordinate: sign * magnitude * 2^exponent, the magnitude odd (or 0). */
typedef struct term
{
    grz_u128 magnitude;
    int exponent;
    int sign;
} term;

typedef struct parts
{
    uint64_t mantissa; /* odd, or 0 */
    int exponent, sign;
} parts;

static parts take_apart(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    parts p;
    p.sign = bits >> 63 ? -1 : 1;
    int biased = (int)(bits >> 52 & 0x7ff);
    p.mantissa = bits & UINT64_C(0xfffffffffffff);
    if (biased != 0)
        p.mantissa |= UINT64_C(1) << 52;
    p.exponent = (biased == 0 ? 1 : biased) - 1075;
    if (p.mantissa == 0)
    {
        p.exponent = 0;
        return p;
    }
    int zeros = __builtin_ctzll(p.mantissa);
    p.mantissa >>= zeros;
    p.exponent += zeros;
    return p;
}

static int bits_of(grz_u128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
}

enum
{
    TERMS = 4
};

/* The summands of one placed coordinate; returns how many are not zero. */
static int find_terms(const graze_placed_point *source, const parts point[3], int axis, term terms[TERMS])
{
    if (source->pose == NULL)
    {
        terms[0] = (term){point[axis].mantissa, point[axis].exponent, point[axis].sign};
        return point[axis].mantissa != 0;
    }
    const double *row = source->pose->m + 4 * axis;
    int count = 0;
    for (int k = 0; k < 3; k++)
    {
        parts factor = take_apart(row[k]);
        if (factor.mantissa != 0 && point[k].mantissa != 0)
            terms[count++] = (term){(grz_u128)factor.mantissa * point[k].mantissa, factor.exponent + point[k].exponent,
                                    factor.sign * point[k].sign};
    }
    parts offset = take_apart(row[3]);
    if (offset.mantissa != 0)
        terms[count++] = (term){offset.mantissa, offset.exponent, offset.sign};
    return count;
}

/* Adds sign * magnitude * 2^shift to a two's complement number. */
static void add_term(uint64_t *limbs, int width, const term *summand, int shift)
{
    int word = shift / 64, bit = shift % 64;
    uint64_t low = (uint64_t)summand->magnitude, high = (uint64_t)(summand->magnitude >> 64);
    uint64_t shifted[3] = {low << bit, high << bit, 0};
    if (bit != 0)
    {
        shifted[1] |= low >> (64 - bit);
        shifted[2] = high >> (64 - bit);
    }
    uint64_t carry = 0;
    for (int i = word; i < width; i++)
    {
        uint64_t piece = i - word < 3 ? shifted[i - word] : 0;
        if (summand->sign > 0)
        {
            grz_u128 sum = (grz_u128)limbs[i] + piece + carry;
            limbs[i] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        else
        {
            grz_u128 difference = (grz_u128)limbs[i] - piece - carry;
            limbs[i] = (uint64_t)difference;
            carry = (uint64_t)(difference >> 64) & 1;
        }
    }
}

static void make_axis_exact(grz_points *points, parts (*coordinates)[3], int axis)
{
    term terms[GRZ_POINTS_MAX][TERMS];
    int counts[GRZ_POINTS_MAX];
    int count = points->count;
    int lowest = INT32_MAX, highest = INT32_MIN;
    for (int p = 0; p < count; p++)
    {
        counts[p] = find_terms(&points->sources[p], coordinates[p], axis, terms[p]);
        for (int k = 0; k < counts[p]; k++)
        {
            int top = terms[p][k].exponent + bits_of(terms[p][k].magnitude);
            lowest = terms[p][k].exponent < lowest ? terms[p][k].exponent : lowest;
            highest = top > highest ? top : highest;
        }
    }
    if (lowest > highest) /* all zero */
        lowest = highest = 0;
    /* Four terms add two bits, a difference one more, the sign another. */
    int width = (highest - lowest + 4 + 63) / 64;
    points->exponents[axis] = lowest;
    points->widths[axis] = width;
    for (int p = 0; p < count; p++)
    {
        memset(points->limbs[p][axis], 0, (size_t)width * sizeof(uint64_t));
        for (int k = 0; k < counts[p]; k++)
            add_term(points->limbs[p][axis], width, &terms[p][k], terms[p][k].exponent - lowest);
    }
}

void grz_points_make_exact(grz_points *points)
{
    if (points->exact_ready)
        return;
    parts coordinates[GRZ_POINTS_MAX][3];
    for (int p = 0; p < points->count; p++)
    {
        for (int k = 0; k < 3; k++)
            coordinates[p][k] = take_apart(points->sources[p].point[k]);
    }
    for (int axis = 0; axis < 3; axis++)
        make_axis_exact(points, coordinates, axis);
    points->exact_ready = true;
}

void grz_exact_coordinate(const grz_points *points, int a, int axis, grz_integer *out)
{
    static const uint64_t zero[GRZ_COORDINATE_LIMBS];
    grz_integer_difference(out, points->limbs[a][axis], zero, points->widths[axis]);
}

/* out = (p_i q_j - p_j q_i) for the differences p = a - c, q = b - c. */
static void minor_of(const grz_points *points, int a, int b, int c, int i, int j, grz_integer *out)
{
    uint64_t storage[4][GRZ_COORDINATE_LIMBS], product_limbs[GRZ_MINOR_LIMBS];
    grz_integer pi = {storage[0], 0, 0}, pj = {storage[1], 0, 0}, qi = {storage[2], 0, 0}, qj = {storage[3], 0, 0};
    grz_integer product = {product_limbs, 0, 0};
    grz_integer_difference(&pi, points->limbs[a][i], points->limbs[c][i], points->widths[i]);
    grz_integer_difference(&pj, points->limbs[a][j], points->limbs[c][j], points->widths[j]);
    grz_integer_difference(&qi, points->limbs[b][i], points->limbs[c][i], points->widths[i]);
    grz_integer_difference(&qj, points->limbs[b][j], points->limbs[c][j], points->widths[j]);
    grz_integer_multiply(out, &pi, &qj);
    grz_integer_multiply(&product, &pj, &qi);
    grz_integer_accumulate(out, &product, true);
}

void grz_exact_orient2d(const grz_points *points, int a, int b, int c, int axis, grz_integer *out)
{
    minor_of(points, a, b, c, (axis + 1) % 3, (axis + 2) % 3, out);
}

void grz_exact_orient3d(const grz_points *points, int a, int b, int c, int d, grz_integer *out)
{
    uint64_t difference_limbs[GRZ_COORDINATE_LIMBS], minor_limbs[GRZ_MINOR_LIMBS];
    uint64_t product_limbs[GRZ_DETERMINANT_LIMBS];
    grz_integer difference = {difference_limbs, 0, 0}, minor = {minor_limbs, 0, 0}, product = {product_limbs, 0, 0};
    out->count = 0;
    out->sign = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        grz_integer_difference(&difference, points->limbs[a][axis], points->limbs[d][axis], points->widths[axis]);
        if (difference.sign == 0)
            continue;
        minor_of(points, b, c, d, (axis + 1) % 3, (axis + 2) % 3, &minor);
        grz_integer_multiply(&product, &difference, &minor);
        grz_integer_accumulate(out, &product, false);
    }
}
