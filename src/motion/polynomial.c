/* SPDX-License-Identifier: MIT */
/* Polynomials in homogeneous form; see polynomial.h. */
#include "motion/polynomial.h"

#include "base/bits.h"

grz_time grz_time_from_double(grz_scratch *scratch, double t)
{
    uint64_t bits = grz_bits(t), fraction = bits & GRZ_FRACTION_BITS;
    int biased = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = biased != 0 ? fraction | UINT64_C(1) << 52 : fraction;
    int k = 1075 - (biased != 0 ? biased : 1);
    int zeros = mantissa != 0 ? __builtin_ctzll(mantissa) : 0;
    zeros = zeros < k ? zeros : k;
    return (grz_time){grz_number_from(scratch, mantissa >> zeros, 1), mantissa != 0 ? k - zeros : 0};
}

int grz_time_compare(grz_scratch *scratch, const grz_time *a, const grz_time *b)
{
    grz_scratch_mark mark = grz_scratch_here(scratch);
    grz_integer x = grz_number_shift(scratch, &a->n, b->k > a->k ? b->k - a->k : 0);
    grz_integer y = grz_number_shift(scratch, &b->n, a->k > b->k ? a->k - b->k : 0);
    int sign = scratch->failed ? 0 : grz_integer_compare_magnitudes(&x, &y);
    grz_scratch_return(scratch, &mark);
    return sign;
}

/* r = r + a b, in place, where r has room. */
static void accumulate_product(grz_scratch *scratch, grz_integer *r, const grz_integer *a, const grz_integer *b,
                               bool negate)
{
    if (a->sign * b->sign == 0 || r->limbs == NULL)
        return;
    grz_scratch_mark mark = grz_scratch_here(scratch);
    grz_integer product = grz_number_multiply(scratch, a, b);
    if (product.limbs != NULL)
        grz_integer_accumulate(r, &product, negate);
    grz_scratch_return(scratch, &mark);
}

static int widest(const grz_polynomial *a)
{
    int limbs = 0;
    for (int i = 0; i <= a->degree; i++)
        limbs = a->c[i].count > limbs ? a->c[i].count : limbs;
    return limbs;
}

static void convolve(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, bool negate,
                     grz_polynomial *out)
{
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            accumulate_product(scratch, &out->c[i + j], &a->c[i], &b->c[j], negate);
}

static void make_zero(grz_scratch *scratch, int degree, int limbs, grz_polynomial *out)
{
    out->degree = degree;
    for (int i = 0; i <= degree; i++)
        out->c[i] = grz_number_make(scratch, limbs);
}

void grz_polynomial_multiply(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b,
                             grz_polynomial *out)
{
    make_zero(scratch, a->degree + b->degree, widest(a) + widest(b) + 1, out);
    convolve(scratch, a, b, false, out);
}

void grz_polynomial_minor(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b,
                          const grz_polynomial *c, const grz_polynomial *d, grz_polynomial *out)
{
    int first = widest(a) + widest(b), second = widest(c) + widest(d);
    make_zero(scratch, a->degree + b->degree, (first > second ? first : second) + 1, out);
    convolve(scratch, a, b, false, out);
    convolve(scratch, c, d, true, out);
}

void grz_polynomial_add(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, bool negate_b,
                        grz_polynomial *out)
{
    for (int i = 0; i <= a->degree; i++)
        out->c[i] = grz_number_add(scratch, &a->c[i], &b->c[i], negate_b);
    out->degree = a->degree;
}

void grz_polynomial_elevate(grz_scratch *scratch, const grz_polynomial *a, int degree, grz_polynomial *out)
{
    *out = *a;
    while (out->degree < degree)
    {
        grz_integer before = out->c[0];
        for (int i = 1; i <= out->degree; i++)
        {
            grz_integer own = out->c[i];
            out->c[i] = grz_number_add(scratch, &own, &before, false);
            before = own;
        }
        out->degree++;
        out->c[out->degree] = before;
    }
}

void grz_polynomial_sum(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, bool negate_b,
                        grz_polynomial *out)
{
    int degree = a->degree > b->degree ? a->degree : b->degree;
    grz_polynomial x, y;
    grz_polynomial_elevate(scratch, a, degree, &x);
    grz_polynomial_elevate(scratch, b, degree, &y);
    grz_polynomial_add(scratch, &x, &y, negate_b, out);
}

/* The derivative of s^(n-i) t^i with s = 1 - t is i s^(n-i) t^(i-1) - (n-i) s^(n-i-1) t^i. */
void grz_polynomial_differentiate(grz_scratch *scratch, const grz_polynomial *a, grz_polynomial *out)
{
    int n = a->degree;
    grz_polynomial result = {.degree = n > 0 ? n - 1 : 0};
    for (int j = 0; j < n; j++)
    {
        grz_integer up = grz_number_from(scratch, (uint64_t)j + 1, 1);
        grz_integer down = grz_number_from(scratch, (uint64_t)(n - j), 1);
        result.c[j] = grz_number_sum_of_products(scratch, &a->c[j + 1], &up, &a->c[j], &down, true);
    }
    *out = result;
}

bool grz_polynomial_is_zero(const grz_polynomial *a)
{
    for (int i = 0; i <= a->degree; i++)
        if (a->c[i].sign != 0)
            return false;
    return true;
}

int grz_polynomial_variations(const grz_polynomial *a)
{
    int count = 0, last = 0;
    for (int i = 0; i <= a->degree; i++)
    {
        if (a->c[i].sign == 0)
            continue;
        count += last != 0 && last != a->c[i].sign;
        last = a->c[i].sign;
    }
    return count;
}

bool grz_polynomial_may_have_roots(const grz_polynomial *a)
{
    return a->c[a->degree].sign == 0 || grz_polynomial_variations(a) > 0;
}

/* 2^k - n. */
static grz_integer complement(grz_scratch *scratch, const grz_time *time)
{
    grz_integer one = grz_number_from(scratch, 1, 1), whole = grz_number_shift(scratch, &one, time->k);
    return grz_number_add(scratch, &whole, &time->n, true);
}

/* (2^k - n) t - n s. */
void grz_polynomial_of_root(grz_scratch *scratch, const grz_time *time, grz_polynomial *out)
{
    grz_integer n = time->n;
    n.sign = -n.sign;
    *out = (grz_polynomial){1, {n, complement(scratch, time)}};
}

grz_integer grz_polynomial_value_at(grz_scratch *scratch, const grz_polynomial *a, const grz_time *time)
{
    grz_integer s = complement(scratch, time), power = s, value = a->c[a->degree];
    for (int i = a->degree - 1; i >= 0; i--)
    {
        value = grz_number_sum_of_products(scratch, &value, &time->n, &a->c[i], &power, false);
        if (i > 0)
            power = grz_number_multiply(scratch, &power, &s);
    }
    return value;
}

int grz_polynomial_sign_at(grz_scratch *scratch, const grz_polynomial *a, const grz_time *time)
{
    if (time->n.sign == 0)
        return a->c[0].sign;
    grz_scratch_mark mark = grz_scratch_here(scratch);
    int sign = grz_polynomial_value_at(scratch, a, time).sign;
    grz_scratch_return(scratch, &mark);
    return sign;
}

/*
 * With s = L s' + U t' and t = l s' + u t', where the ends are l/2^k and u/2^k, L = 2^k - l and U = 2^k - u: Horner's
 * scheme, value = value t + c[i] s^(n-i), with polynomials in s' and t'.
 */
void grz_polynomial_restrict(grz_scratch *scratch, const grz_polynomial *a, const grz_time *lower,
                             const grz_time *upper, grz_polynomial *out)
{
    int k = lower->k > upper->k ? lower->k : upper->k;
    grz_time low = {grz_number_shift(scratch, &lower->n, k - lower->k), k};
    grz_time high = {grz_number_shift(scratch, &upper->n, k - upper->k), k};
    grz_polynomial t = {1, {low.n, high.n}};
    grz_polynomial s = {1, {complement(scratch, &low), complement(scratch, &high)}};
    grz_polynomial power = s, value = {0, {a->c[a->degree]}};
    for (int i = a->degree - 1; i >= 0; i--)
    {
        grz_polynomial constant = {0, {a->c[i]}}, next;
        int first = widest(&value) + widest(&t), second = widest(&constant) + widest(&power);
        make_zero(scratch, a->degree - i, (first > second ? first : second) + 1, &next);
        convolve(scratch, &value, &t, false, &next);
        convolve(scratch, &power, &constant, false, &next);
        value = next;
        if (i > 0)
        {
            grz_polynomial_multiply(scratch, &power, &s, &next);
            power = next;
        }
    }
    *out = value;
}

/*
 * With s = 2 s' + t' and t = t': the coefficient of s'^(n-j) t'^j is 2^(n-j) times the sum of c[i] (n-i over j-i) over
 * i <= j, which is Taylor's shift by 1 of the polynomial in s, by Horner's scheme.
 */
void grz_polynomial_first_half(grz_scratch *scratch, const grz_polynomial *a, grz_polynomial *out)
{
    int n = a->degree;
    grz_polynomial sums = *a;
    for (int last = n; last > 0; last--)
        for (int i = 1; i <= last; i++)
            sums.c[i] = grz_number_add(scratch, &sums.c[i], &sums.c[i - 1], false);
    for (int j = 0; j < n; j++)
        sums.c[j] = grz_number_shift(scratch, &sums.c[j], n - j);
    *out = sums;
}

static grz_polynomial reversed(const grz_polynomial *a)
{
    grz_polynomial result = {.degree = a->degree};
    for (int i = 0; i <= a->degree; i++)
        result.c[i] = a->c[a->degree - i];
    return result;
}

/* The first half of that in which s and t are exchanged. */
void grz_polynomial_second_half(grz_scratch *scratch, const grz_polynomial *a, grz_polynomial *out)
{
    grz_polynomial backward = reversed(a), half;
    grz_polynomial_first_half(scratch, &backward, &half);
    *out = reversed(&half);
}
