/* SPDX-License-Identifier: MIT */
/*
 * The doubles next to a root; see roots.h. A guess comes from the coefficients in doubles, by Newton's method kept
 * within a bracket; then exact signs at doubles around it decide, in steps that double.
 */
#include <limits.h>
#include <math.h>

#include "base/bits.h"
#include "motion/roots.h"

/* The double x 2^-k rounded down, for x >= 0 and a value of at most 1; whether anything was lost. */
static double round_down(const grz_time *time, bool *inexact)
{
    *inexact = false;
    if (time->n.sign == 0)
        return 0;
    int bits = grz_integer_bits(&time->n), unit = bits - time->k - 53;
    if (unit < -1074)
        unit = -1074;
    int drop = unit + time->k; /* lowest bits that are lost */
    uint64_t mantissa = 0;
    if (drop <= 0)
        return ldexp((double)time->n.limbs[0], -time->k);
    int words = drop / 64, shift = drop % 64;
    for (int i = 0; i < words && i < time->n.count; i++)
        *inexact = *inexact || time->n.limbs[i] != 0;
    if (words < time->n.count)
    {
        *inexact = *inexact || (shift > 0 && time->n.limbs[words] << (64 - shift) != 0);
        mantissa = time->n.limbs[words] >> shift;
        if (shift > 0 && words + 1 < time->n.count)
            mantissa |= time->n.limbs[words + 1] << (64 - shift);
    }
    return ldexp((double)mantissa, unit);
}

/* The coefficients as doubles, times a common power of two that makes the largest lie in [1/2, 1]; each is off by at
   most 2^-52 of itself, or 0 and below 2^-900. */
static void approximate(const grz_polynomial *a, double out[GRZ_DEGREE_MAX + 1])
{
    int most = 0;
    for (int i = 0; i <= a->degree; i++)
    {
        int bits = grz_integer_bits(&a->c[i]);
        most = bits > most ? bits : most;
    }
    for (int i = 0; i <= a->degree; i++)
    {
        const grz_integer *c = &a->c[i];
        out[i] = 0;
        if (c->sign == 0)
            continue;
        uint64_t top = c->limbs[c->count - 1];
        int zeros = __builtin_clzll(top), exponent = 64 * c->count - zeros - most; /* at most 0 */
        if (zeros > 0)
            top = top << zeros | (c->count > 1 ? c->limbs[c->count - 2] >> (64 - zeros) : 0);
        if (exponent > -900)
            out[i] =
                (c->sign < 0 ? -0x1p-64 : 0x1p-64) * (double)top * grz_from_bits((uint64_t)(1023 + exponent) << 52);
    }
}

/* Value and derivative at t. */
static double evaluate(const double *c, int degree, double t, double *slope)
{
    /* f = sum c[i] s^(n-i) t^i by Horner's scheme, with ds/dt = -1. */
    double s = 1 - t, value = c[degree], derivative = 0, power = 1, power_slope = 0;
    for (int i = degree - 1; i >= 0; i--)
    {
        power_slope = power_slope * s - power;
        power *= s;
        derivative = derivative * t + value + c[i] * power_slope;
        value = value * t + c[i] * power;
    }
    *slope = derivative;
    return value;
}

static double guess_root(const grz_root *root, double low, double high)
{
    double c[GRZ_DEGREE_MAX + 1] = {0}, t = low + (high - low) / 2;
    approximate(&root->polynomial, c);
    for (int i = 0; i < 60; i++)
    {
        double slope, value = evaluate(c, root->polynomial.degree, t, &slope), before = t;
        if ((value > 0 ? 1 : -1) == root->sign)
            low = t;
        else
            high = t;
        t -= value / slope;
        if (!(t > low && t < high))
            t = low + (high - low) / 2;
        if (!(fabs(t - before) > 0x1p-52 * t))
            break;
    }
    return t;
}

/* What is known of a root's place among the doubles, by their ranks. */
typedef struct double_bracket
{
    int64_t below, above; /* doubles at most the lower end, at least the upper end */
} double_bracket;

static int compare(grz_scratch *scratch, const grz_root *root, const double_bracket *bracket, int64_t rank)
{
    if (rank <= bracket->below)
        return 1;
    if (rank >= bracket->above)
        return -1;
    grz_scratch_mark mark = grz_scratch_here(scratch);
    grz_time time = grz_time_from_double(scratch, grz_from_bits((uint64_t)rank));
    int order = root->sign * grz_polynomial_sign_at(scratch, &root->polynomial, &time);
    grz_scratch_return(scratch, &mark);
    return order;
}

/* The largest double that is not above the root, by its rank. */
static int64_t search_doubles(grz_scratch *scratch, const grz_root *root, const double_bracket *bracket, double guess,
                              bool *exact)
{
    int64_t low = bracket->below, high = bracket->above, probe = grz_rank(guess), step = 1;
    *exact = false;
    probe = probe <= low ? low + 1 : probe >= high ? high - 1 : probe;
    int direction = 0;
    while (high - low > 1 && !scratch->failed)
    {
        int order = compare(scratch, root, bracket, probe);
        if (order == 0)
        {
            *exact = true;
            return probe;
        }
        if (order > 0)
            low = probe;
        else
            high = probe;
        if (direction == 0 || direction == order)
        {
            probe = order > 0 ? low + step : high - step;
            step *= 2;
            direction = order;
        }
        else
            step = 0;
        if (step == 0 || probe <= low || probe >= high)
        {
            probe = low + (high - low) / 2;
            direction = 2; /* bisection from here on */
        }
    }
    return low;
}

/* A dyadic root between two doubles, whose place is the only root of a polynomial of degree 1: of a located root
   `exact` means that it is a double, and roots between the same doubles are told apart by their polynomials. */
static void make_inexact(grz_scratch *scratch, grz_root *root)
{
    grz_polynomial_of_root(scratch, &root->lower, &root->polynomial);
    root->sign = -1;
    root->exact = false;
    root->lower = grz_time_from_double(scratch, root->low);
    root->upper = grz_time_from_double(scratch, root->high);
}

void grz_root_locate(grz_scratch *scratch, grz_root *root, double *out_lower, double *out_upper)
{
    bool low_inexact, high_inexact, exact = root->exact;
    double low = round_down(&root->lower, &low_inexact), high = round_down(&root->upper, &high_inexact);
    double_bracket bracket = {grz_rank(low), grz_rank(high) + high_inexact};
    root->located = root->isolated = true;
    if (exact)
    {
        *out_lower = root->low = low;
        *out_upper = root->high = grz_from_bits((uint64_t)(grz_rank(low) + low_inexact));
        if (low_inexact)
            make_inexact(scratch, root);
        return;
    }
    int64_t rank = bracket.below;
    if (bracket.above - bracket.below > 1)
        rank = search_doubles(scratch, root, &bracket, guess_root(root, low, high), &exact);
    *out_lower = grz_from_bits((uint64_t)rank);
    *out_upper = exact ? *out_lower : grz_from_bits((uint64_t)(rank + 1));
    if (exact || rank > bracket.below)
        root->lower = grz_time_from_double(scratch, *out_lower);
    if (exact || rank + 1 < bracket.above)
        root->upper = grz_time_from_double(scratch, *out_upper);
    root->exact = exact;
    root->isolated = exact || !((rank == bracket.below && low_inexact) || (rank + 1 == bracket.above && high_inexact));
    root->low = *out_lower;
    root->high = *out_upper;
}

/* Halves the interval of a root. */
static void halve(grz_scratch *scratch, grz_root *root)
{
    int k = root->lower.k > root->upper.k ? root->lower.k : root->upper.k;
    grz_integer x = grz_number_shift(scratch, &root->lower.n, k - root->lower.k);
    grz_integer y = grz_number_shift(scratch, &root->upper.n, k - root->upper.k);
    grz_time middle = {grz_number_add(scratch, &x, &y, false), k + 1};
    int order = grz_root_compare_time(scratch, root, &middle);
    if (order >= 0)
        root->lower = middle;
    if (order <= 0)
        root->upper = middle;
    root->exact = order == 0;
}

/* How far a root is from the nearer end, by the values at both: a part of the interval, at least 2^-900. */
static double part_to_root(const grz_integer *low, const grz_integer *high)
{
    const grz_polynomial values = {1, {*low, *high}};
    double v[GRZ_DEGREE_MAX + 1];
    approximate(&values, v);
    double x = fabs(v[0]), y = fabs(v[1]);
    return fmax(0x1p-900, fmin(x, y) / (x + y));
}

/* A root's interval, whose ends have one denominator, and the value of the root's polynomial at both. */
typedef struct interval_ends
{
    grz_time low, high;
    grz_integer at_low, at_high;
} interval_ends;

static void root_is(grz_root *root, const grz_time *time)
{
    root->lower = root->upper = *time;
    root->exact = true;
}

/* The interval [x, y] 2^-k is cut into 2^bits parts of y - x units of 2^-(k+bits) each; the root is expected in part i
   from the nearer end, by the secant. Where that is much nearer than 2^-bits, there are up to 8 times as many bits; a
   part that is wrong is not kept, since its ends are long numbers. */
static bool narrow_by_secant(grz_scratch *scratch, grz_root *root, const interval_ends *ends, int bits)
{
    if (ends->at_low.sign * ends->at_high.sign >= 0)
        return false;
    bool from_above = grz_integer_compare_magnitudes(&ends->at_high, &ends->at_low) < 0;
    double part = part_to_root(&ends->at_low, &ends->at_high);
    int nearness = -ilogb(part) - 2, k = ends->low.k;
    bits = nearness > 8 * bits ? 8 * bits : nearness > bits ? nearness : bits;
    grz_integer width = grz_number_add(scratch, &ends->high.n, &ends->low.n, true);
    grz_integer index = grz_number_from(scratch, (uint64_t)ldexp(part, bits), 1);
    grz_integer offset = grz_number_multiply(scratch, &index, &width);
    grz_integer end = grz_number_shift(scratch, from_above ? &ends->high.n : &ends->low.n, bits);
    grz_time near = {grz_number_add(scratch, &end, &offset, from_above), k + bits};
    grz_time far = {grz_number_add(scratch, &near.n, &width, from_above), k + bits};
    grz_time lower = from_above ? far : near, upper = from_above ? near : far;
    int below = grz_root_compare_time(scratch, root, &lower), above = grz_root_compare_time(scratch, root, &upper);
    if (below == 0 || above == 0)
    {
        root_is(root, below == 0 ? &lower : &upper);
        return true;
    }
    if (below < 0 || above > 0)
        return false;
    root->lower = lower;
    root->upper = upper;
    return true;
}

/* A polynomial in x = t/s, the sum of m[i] 2^e[i] x^i: doubles with exponents of their own. */
typedef struct wide_polynomial
{
    int degree;
    double m[GRZ_DEGREE_MAX + 1];
    int e[GRZ_DEGREE_MAX + 1];
} wide_polynomial;

/* Without roots at both ends. */
static void widen(const grz_polynomial *a, wide_polynomial *out)
{
    int first = 0, last = a->degree;
    while (first < last && a->c[first].sign == 0)
        first++;
    while (last > first && a->c[last].sign == 0)
        last--;
    *out = (wide_polynomial){.degree = last - first};
    for (int i = 0; i <= out->degree; i++)
    {
        const grz_polynomial alone = {0, {a->c[first + i]}};
        double m[GRZ_DEGREE_MAX + 1];
        approximate(&alone, m);
        out->m[i] = m[0];
        out->e[i] = grz_integer_bits(&alone.c[0]);
    }
}

/* The coefficients of x = y 2^power, a polynomial in y, as plain doubles; what is below 2^-900 of the largest is 0. */
static void narrow_exponents(const wide_polynomial *a, int power, double out[GRZ_DEGREE_MAX + 1])
{
    int most = INT_MIN;
    for (int i = 0; i <= a->degree; i++)
        if (a->m[i] < 0 || a->m[i] > 0)
            most = a->e[i] + i * power > most ? a->e[i] + i * power : most;
    for (int i = 0; i <= a->degree; i++)
    {
        int exponent = a->e[i] + i * power - most;
        out[i] = exponent > -900 && exponent <= 0 ? ldexp(a->m[i], exponent) : 0;
    }
}

static double value_in_x(const double *c, int degree, double x)
{
    double value = c[degree];
    for (int i = degree - 1; i >= 0; i--)
        value = value * x + c[i];
    return value;
}

/* Roughly a positive root y 2^power, with y in [1, 2], of a polynomial whose first and last coefficient have opposite
   signs; false if they have not. First the power is halved down to, then y. */
static bool guess_in_x(const wide_polynomial *a, double *out_y, int *out_power)
{
    double c[GRZ_DEGREE_MAX + 1] = {0}, low = 1, high = 2;
    bool rises = a->m[0] < 0;
    if (!(a->m[0] * a->m[a->degree] < 0))
        return false;
    int most = 0;
    for (int i = 0; i <= a->degree; i++)
        most = a->e[i] > most ? a->e[i] : most;
    int below = -most - 8, above = most + 8; /* the first and the last coefficient, of a bit at least, outweigh all */
    while (above - below > 1)
    {
        int middle = below + (above - below) / 2;
        narrow_exponents(a, middle, c);
        if ((value_in_x(c, a->degree, 1) < 0) == rises)
            below = middle;
        else
            above = middle;
    }
    narrow_exponents(a, below, c);
    for (int i = 0; i < 50; i++)
    {
        double middle = low + (high - low) / 2;
        if ((value_in_x(c, a->degree, middle) < 0) == rises)
            low = middle;
        else
            high = middle;
    }
    *out_y = low;
    *out_power = below;
    return true;
}

/* Where the secant fails: where an end is a root itself, or others are near it, so that the root's distance from the
   end is not at all as values say, but perhaps 2^-1000. The coefficients of the interval say where it is, whatever
   their exponents: to 2^-bits of its distance from the nearer end. Signs confirm this, too. */
static bool narrow_by_coefficients(grz_scratch *scratch, grz_root *root, const interval_ends *ends, int bits)
{
    grz_scratch_mark mark = grz_scratch_here(scratch);
    grz_polynomial local;
    wide_polynomial wide;
    grz_polynomial_restrict(scratch, &root->polynomial, &ends->low, &ends->high, &local);
    widen(&local, &wide);
    grz_scratch_return(scratch, &mark);
    double y;
    int power;
    if (scratch->failed || !guess_in_x(&wide, &y, &power))
        return false;
    bool from_above = power >= 0; /* x or 1/x is at most 1, and x / (1 + x) the part of the interval */
    y = from_above ? 1 / y : y;
    power = from_above ? -power : power;
    double part = ldexp(y / (1 + ldexp(y, power)), bits);
    int k = ends->low.k, more = bits - power;
    grz_integer width = grz_number_add(scratch, &ends->high.n, &ends->low.n, true);
    grz_integer index = grz_number_from(scratch, (uint64_t)(part + 0.5), 1);
    grz_integer offset = grz_number_multiply(scratch, &index, &width);
    grz_integer end = grz_number_shift(scratch, from_above ? &ends->high.n : &ends->low.n, more);
    grz_time place = {grz_number_add(scratch, &end, &offset, from_above), k + more};
    int order = grz_root_compare_time(scratch, root, &place);
    if (order == 0)
    {
        root_is(root, &place);
        return true;
    }
    grz_time other = {grz_number_add(scratch, &place.n, &width, order < 0), k + more};
    int other_order = grz_root_compare_time(scratch, root, &other);
    if (other_order == 0)
    {
        root_is(root, &other);
        return true;
    }
    if (other_order == order)
        return false;
    root->lower = order > 0 ? place : other;
    root->upper = order > 0 ? other : place;
    return true;
}

bool grz_root_narrow(grz_scratch *scratch, grz_root *root, int bits)
{
    if (!scratch->failed && bits > 1)
    {
        int k = root->lower.k > root->upper.k ? root->lower.k : root->upper.k;
        interval_ends ends = {.low = {grz_number_shift(scratch, &root->lower.n, k - root->lower.k), k},
                              .high = {grz_number_shift(scratch, &root->upper.n, k - root->upper.k), k}};
        ends.at_low = grz_polynomial_value_at(scratch, &root->polynomial, &ends.low);
        ends.at_high = grz_polynomial_value_at(scratch, &root->polynomial, &ends.high);
        if (!scratch->failed &&
            (narrow_by_secant(scratch, root, &ends, bits) || narrow_by_coefficients(scratch, root, &ends, bits)))
            return true;
    }
    halve(scratch, root);
    return false;
}

/*
 * The sign of the sum of c[i] s^(n-i) t^i at the computed t = low and s = 1 - low. With u = 2^-53 and 2^-100 <= low < 1
 * the root lies between low and low + 2 u low: t is off by at most 2 u t, and s by at most u + u, below 2^-52. Let S =
 * s + 2^-51, which is at least the real s. A coefficient is off by 2 u of itself, t^i by 2 i u and its own i roundings,
 * s^m by m 2^-52 S^(m-1) and m roundings of it, where S <= 1 + 2^-51; two products and n + 1 sums follow. In all each
 * term is off by less than (2 + 3 i + 4 m + 2 + n + 1) u <= (5 + 5 n) u, times (1 + 2^-40), of |c[i]| S^max(m-1, 0)
 * t^i. Of the sum of these, which is rounded, twice as much is asked for. What underflows is below 2^-850 together,
 * coefficients below 2^-900 among it.
 */
int grz_sign_near_root(const grz_polynomial *polynomial, const grz_root *root)
{
    /* shortcut: sign-near-a-root */
    if (!root->located || !(root->low >= 0x1p-100 && root->low < 1))
        return 0;
    double c[GRZ_DEGREE_MAX + 1], t = root->low, s = 1 - t, most = s + 0x1p-51, powers[GRZ_DEGREE_MAX + 1];
    double bounds[GRZ_DEGREE_MAX + 1], value = 0, size = 0, power = 1;
    int n = polynomial->degree;
    approximate(polynomial, c);
    powers[0] = bounds[0] = 1;
    for (int m = 1; m <= n; m++)
    {
        powers[m] = powers[m - 1] * s;
        bounds[m] = m == 1 ? 1 : bounds[m - 1] * most;
    }
    for (int i = 0; i <= n; i++)
    {
        value += c[i] * (powers[n - i] * power);
        size += fabs(c[i]) * (bounds[n - i] * power);
        power *= t;
    }
    double bound = 2 * (5 + 5 * n) * 0x1p-53 * size + 0x1p-850;
    return value > bound ? 1 : value < -bound ? -1 : 0;
}
