/* SPDX-License-Identifier: MIT */
/*
 * Common divisors of polynomials; see polynomial.h. Here a polynomial is one in x = t/s, whose coefficients are c[0] to
 * c[n], the first and last of which are made nonzero: roots at t = 0 and t = 1 are dropped.
 *
 * The greatest common divisor comes from the subresultant sequence (Collins 1967, Brown 1971; Knuth, TAOCP 2, §4.6.1),
 * whose numbers grow linearly. By Gauss' lemma a divisor d of f has a multiple with integer coefficients and the
 * leading coefficient of f, lc(f) d / lc(d): that is how results are kept short.
 */
#include "motion/polynomial.h"

/* Drops zeros at both ends, and common powers of two. */
static void trim(grz_scratch *scratch, const grz_polynomial *a, grz_polynomial *out)
{
    int low = 0, high = a->degree, zeros = -1;
    while (low < high && a->c[low].sign == 0)
        low++;
    while (high > low && a->c[high].sign == 0)
        high--;
    for (int i = low; i <= high; i++)
    {
        if (a->c[i].sign == 0)
            continue;
        int own = grz_number_trailing_zeros(&a->c[i]);
        zeros = zeros < 0 || own < zeros ? own : zeros;
    }
    grz_polynomial result = {.degree = high - low};
    for (int i = low; i <= high; i++)
        result.c[i - low] = zeros > 0 ? grz_number_unshift(scratch, &a->c[i], zeros) : a->c[i];
    *out = result;
}

static const grz_integer *leading(const grz_polynomial *a)
{
    return &a->c[a->degree];
}

static void drop_leading_zeros(grz_polynomial *a)
{
    while (a->degree > 0 && leading(a)->sign == 0)
        a->degree--;
}

/* Divides with rest, after `a` was multiplied by lc(b)^(deg a - deg b + 1). `quotient` may be NULL. The rest is of
   lower degree than b, or 0. */
static void pseudo_divide(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b,
                          grz_polynomial *quotient, grz_polynomial *rest)
{
    int steps = a->degree - b->degree + 1;
    grz_polynomial r = *a, q = {.degree = steps - 1};
    for (int step = 0; step < steps; step++)
    {
        int top = a->degree - step, shift = top - b->degree;
        grz_integer factor = r.c[top];
        for (int i = 0; i < top; i++)
        {
            static const grz_integer zero = {NULL, 0, 0};
            const grz_integer *term = i >= shift ? &b->c[i - shift] : &zero;
            r.c[i] = grz_number_sum_of_products(scratch, &r.c[i], leading(b), &factor, term, true);
        }
        for (int i = shift + 1; i < steps && quotient != NULL; i++)
            q.c[i] = grz_number_multiply(scratch, &q.c[i], leading(b));
        q.c[shift] = factor;
    }
    r.degree = b->degree > 0 ? b->degree - 1 : 0;
    if (b->degree == 0)
        r.c[0] = (grz_integer){NULL, 0, 0};
    drop_leading_zeros(&r);
    if (quotient != NULL)
        *quotient = q;
    *rest = r;
}

/* The multiple of a divisor of `whole` that has its leading coefficient. */
static void shorten(grz_scratch *scratch, const grz_polynomial *whole, const grz_polynomial *divisor,
                    grz_polynomial *out)
{
    grz_polynomial result = {.degree = divisor->degree};
    for (int i = 0; i <= divisor->degree; i++)
    {
        grz_integer product = grz_number_multiply(scratch, leading(whole), &divisor->c[i]);
        result.c[i] = grz_number_divide(scratch, &product, leading(divisor));
    }
    trim(scratch, &result, out);
}

static grz_integer power(grz_scratch *scratch, const grz_integer *a, int exponent)
{
    grz_integer r = grz_number_from(scratch, 1, 1);
    for (int i = 0; i < exponent; i++)
        r = grz_number_multiply(scratch, &r, a);
    return r;
}

void grz_polynomial_gcd(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, grz_polynomial *out)
{
    grz_polynomial x, y, rest;
    trim(scratch, a, &x);
    trim(scratch, b, &y);
    if (x.degree < y.degree)
    {
        rest = x;
        x = y;
        y = rest;
    }
    grz_polynomial whole = y;
    grz_integer g = grz_number_from(scratch, 1, 1), h = g;
    while (y.degree > 0 && !scratch->failed)
    {
        int gap = x.degree - y.degree;
        pseudo_divide(scratch, &x, &y, NULL, &rest);
        if (grz_polynomial_is_zero(&rest))
            break;
        grz_integer h_power = power(scratch, &h, gap), divisor = grz_number_multiply(scratch, &g, &h_power);
        for (int i = 0; i <= rest.degree; i++)
            rest.c[i] = grz_number_divide(scratch, &rest.c[i], &divisor);
        x = y;
        y = rest;
        g = *leading(&x);
        if (gap > 0)
        {
            grz_integer numerator = power(scratch, &g, gap), denominator = power(scratch, &h, gap - 1);
            h = grz_number_divide(scratch, &numerator, &denominator);
        }
    }
    if (y.degree == 0)
        *out = (grz_polynomial){0, {grz_number_from(scratch, 1, 1)}};
    else
        shorten(scratch, &whole, &y, out);
}

/* a 2^-k, odd, in place. */
static void drop_trailing_zeros(grz_integer *a)
{
    int zeros = grz_number_trailing_zeros(a), words = zeros / 64, bits = zeros % 64;
    for (int i = words; i < a->count; i++)
    {
        uint64_t above = i + 1 < a->count ? a->limbs[i + 1] : 0;
        a->limbs[i - words] = bits == 0 ? a->limbs[i] : a->limbs[i] >> bits | above << (64 - bits);
    }
    a->count -= words;
    while (a->limbs[a->count - 1] == 0)
        a->count--;
}

/* The greatest common odd divisor of two numbers that are not 0 (Stein 1967). */
static grz_integer odd_divisor(grz_scratch *scratch, const grz_integer *a, const grz_integer *b)
{
    grz_integer u = grz_number_copy(scratch, a), v = grz_number_copy(scratch, b);
    if (scratch->failed)
        return u;
    u.sign = v.sign = 1;
    drop_trailing_zeros(&u);
    drop_trailing_zeros(&v);
    for (;;)
    {
        int order = grz_integer_compare_magnitudes(&u, &v);
        if (order == 0)
            return u;
        grz_integer *larger = order > 0 ? &u : &v;
        grz_integer_accumulate(larger, order > 0 ? &v : &u, true);
        drop_trailing_zeros(larger);
    }
}

void grz_polynomial_make_primitive(grz_scratch *scratch, grz_polynomial *a)
{
    grz_integer divisor = {NULL, 0, 0};
    for (int i = 0; i <= a->degree; i++)
        if (a->c[i].sign != 0)
            divisor = odd_divisor(scratch, divisor.sign == 0 ? &a->c[i] : &divisor, &a->c[i]);
    for (int i = 0; i <= a->degree && divisor.sign != 0; i++)
        a->c[i] = grz_number_divide(scratch, &a->c[i], &divisor);
}

bool grz_polynomial_divides(grz_scratch *scratch, const grz_polynomial *divisor, const grz_polynomial *whole,
                            grz_polynomial *quotient)
{
    grz_polynomial x, y, rest;
    trim(scratch, whole, &x);
    trim(scratch, divisor, &y);
    if (x.degree < y.degree)
        return false;
    pseudo_divide(scratch, &x, &y, quotient, &rest);
    return grz_polynomial_is_zero(&rest);
}

/* Arithmetic modulo the prime 2^61 - 1. */
#define PRIME UINT64_C(0x1fffffffffffffff)

static uint64_t reduce(grz_u128 x)
{
    uint64_t sum = ((uint64_t)x & PRIME) + (uint64_t)(x >> 61); /* for x below 2^122: less than 2^62 */
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t remainder_of(const grz_integer *a)
{
    uint64_t r = 0;
    for (int i = a->count - 1; i >= 0; i--) /* 2^64 is 8 */
        r = reduce((grz_u128)r * 8 + a->limbs[i]);
    return a->sign < 0 && r != 0 ? PRIME - r : r;
}

/* The coefficients from c[0] to c[n], of which the first is not zero; how many are left. */
static int remainders(const grz_polynomial *a, uint64_t out[GRZ_DEGREE_MAX + 1])
{
    int low = 0, high = a->degree;
    while (low < high && a->c[low].sign == 0)
        low++;
    while (high > low && a->c[high].sign == 0)
        high--;
    for (int i = low; i <= high; i++)
        out[i - low] = remainder_of(&a->c[i]);
    return high - low + 1;
}

static int without_leading_zeros(const uint64_t *a, int count)
{
    while (count > 0 && a[count - 1] == 0)
        count--;
    return count;
}

/* If both had a common divisor, so would their remainders, and of the same degree unless both leading coefficients
   vanish: the divisor's leading coefficient divides both. */
bool grz_polynomials_are_coprime(const grz_polynomial *a, const grz_polynomial *b)
{
    uint64_t storage[2][GRZ_DEGREE_MAX + 1], *x = storage[0], *y = storage[1];
    int x_count = remainders(a, x), y_count = remainders(b, y);
    int m = without_leading_zeros(x, x_count), n = without_leading_zeros(y, y_count);
    /* shortcut: coprime-modulo-a-prime */
    if (m == 0 || n == 0 || (m < x_count && n < y_count))
        return false;
    while (n > 1)
    {
        for (; m >= n; m = without_leading_zeros(x, m - 1))
        {
            uint64_t top = x[m - 1];
            for (int i = 0; i < m - 1; i++)
            {
                int j = i - (m - n);
                uint64_t product = j >= 0 ? reduce((grz_u128)top * y[j]) : 0;
                x[i] = reduce((grz_u128)x[i] * y[n - 1] + (PRIME - product));
            }
        }
        uint64_t *swap = x;
        x = y;
        y = swap;
        int count = m;
        m = n;
        n = count;
    }
    return n == 1;
}

/* The derivative in x; `a` has a positive degree. */
static void differentiate(grz_scratch *scratch, const grz_polynomial *a, grz_polynomial *out)
{
    grz_polynomial result = {.degree = a->degree - 1};
    for (int i = 1; i <= a->degree; i++)
    {
        grz_integer factor = grz_number_from(scratch, (uint64_t)i, 1);
        result.c[i - 1] = grz_number_multiply(scratch, &a->c[i], &factor);
    }
    *out = result;
}

void grz_polynomial_square_free(grz_scratch *scratch, const grz_polynomial *a, grz_polynomial *out)
{
    grz_polynomial f, derivative, divisor, quotient, rest;
    trim(scratch, a, &f);
    *out = f;
    if (f.degree < 2)
        return;
    differentiate(scratch, &f, &derivative);
    if (grz_polynomials_are_coprime(&f, &derivative))
        return;
    grz_polynomial_gcd(scratch, &f, &derivative, &divisor);
    if (divisor.degree == 0 || scratch->failed)
        return;
    pseudo_divide(scratch, &f, &divisor, &quotient, &rest);
    shorten(scratch, &f, &quotient, out);
}
