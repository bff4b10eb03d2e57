/* SPDX-License-Identifier: MIT */
/* Exact coordinates with a common power of two; see lattice.h. */
#include "support/lattice.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct dyadic
{
    long mantissa, exponent; /* mantissa * 2^exponent, mantissa odd or 0 */
} dyadic;

static const dyadic dyadic_one = {1, 0};

static dyadic decompose(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    long biased = (long)((bits >> 52) & 0x7ff);
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    if (biased == 0)
        biased = 1;
    else
        fraction |= UINT64_C(1) << 52;
    dyadic parts = {0, 0};
    if (fraction == 0)
        return parts;
    parts.exponent = biased - 1075;
    while ((fraction & 1) == 0)
    {
        fraction >>= 1;
        parts.exponent++;
    }
    parts.mantissa = (bits >> 63) != 0 ? -(long)fraction : (long)fraction;
    return parts;
}

int double_is_zero(double value)
{
    return decompose(value).mantissa == 0;
}

void rational_set_double(mpq_t out, double value)
{
    dyadic parts = decompose(value);
    mpq_set_si(out, parts.mantissa, 1);
    if (parts.exponent >= 0)
        mpq_mul_2exp(out, out, (mp_bitcnt_t)parts.exponent);
    else
        mpq_div_2exp(out, out, (mp_bitcnt_t)-parts.exponent);
}

/* Composes sign * quotient * 2^unit; quotient < 2^53, and unit = -1074 when quotient < 2^52. */
static double compose(int negative, uint64_t quotient, long unit)
{
    uint64_t bits = quotient;
    if (quotient >= UINT64_C(1) << 52)
        bits = ((uint64_t)(unit + 1075) << 52) | (quotient & ((UINT64_C(1) << 52) - 1));
    if (quotient >= UINT64_C(1) << 52 && unit + 1075 >= 2047)
        bits = UINT64_C(0x7fefffffffffffff);
    if (negative)
        bits |= UINT64_C(1) << 63;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double nearest_double(const mpz_t numerator, const mpz_t denominator, long exponent)
{
    if (mpz_sgn(numerator) == 0)
        return 0.0;
    mpz_t top, bottom, quotient, rest;
    mpz_inits(top, bottom, quotient, rest, NULL);
    /* The value is at least 2^(bits - 1 + exponent): a first guess of its ulp, at most one power too small. */
    long bits = (long)mpz_sizeinbase(numerator, 2) - (long)mpz_sizeinbase(denominator, 2);
    long unit = bits - 1 + exponent - 52;
    if (unit < -1074)
        unit = -1074;
    for (;; unit++)
    {
        mpz_abs(top, numerator);
        mpz_set(bottom, denominator);
        if (exponent >= unit)
            mpz_mul_2exp(top, top, (mp_bitcnt_t)(exponent - unit));
        else
            mpz_mul_2exp(bottom, bottom, (mp_bitcnt_t)(unit - exponent));
        mpz_fdiv_qr(quotient, rest, top, bottom);
        mpz_mul_2exp(rest, rest, 1);
        int half = mpz_cmp(rest, bottom);
        if (half > 0 || (half == 0 && mpz_odd_p(quotient)))
            mpz_add_ui(quotient, quotient, 1);
        if (mpz_sizeinbase(quotient, 2) <= 53)
            break;
    }
    double value = compose(mpz_sgn(numerator) < 0, mpz_get_ui(quotient), unit);
    mpz_clears(top, bottom, quotient, rest, NULL);
    return value;
}

lattice *lattice_create(size_t capacity)
{
    lattice *grid = malloc(sizeof *grid);
    grid->capacity = capacity;
    grid->count = 0;
    grid->exponent = 0;
    grid->points = malloc(capacity * sizeof *grid->points);
    grid->own = malloc(capacity * sizeof *grid->own);
    for (size_t i = 0; i < capacity; i++)
        vector_init(grid->points[i]);
    mpz_init(grid->term);
    return grid;
}

void lattice_destroy(lattice *grid)
{
    for (size_t i = 0; i < grid->capacity; i++)
        vector_clear(grid->points[i]);
    mpz_clear(grid->term);
    free(grid->points);
    free(grid->own);
    free(grid);
}

void lattice_begin(lattice *grid)
{
    grid->count = 0;
}

/* Adds one product to a coordinate, converting both to the smaller of their exponents. */
static void add_product(lattice *grid, mpz_t sum, long *own, dyadic a, dyadic b)
{
    if (a.mantissa == 0 || b.mantissa == 0)
        return;
    mpz_set_si(grid->term, a.mantissa);
    mpz_mul_si(grid->term, grid->term, b.mantissa);
    long exponent = a.exponent + b.exponent;
    if (mpz_sgn(sum) == 0)
        *own = exponent;
    if (exponent >= *own)
    {
        mpz_mul_2exp(grid->term, grid->term, (mp_bitcnt_t)(exponent - *own));
    }
    else
    {
        mpz_mul_2exp(sum, sum, (mp_bitcnt_t)(*own - exponent));
        *own = exponent;
    }
    mpz_add(sum, sum, grid->term);
}

void lattice_add(lattice *grid, const double point[3], const graze_pose *pose)
{
    size_t i = grid->count++;
    for (int row = 0; row < 3; row++)
    {
        mpz_ptr sum = grid->points[i][row];
        long *own = &grid->own[i][row];
        mpz_set_ui(sum, 0);
        *own = 0;
        if (pose == NULL)
        {
            add_product(grid, sum, own, decompose(point[row]), dyadic_one);
            continue;
        }
        for (int column = 0; column < 3; column++)
            add_product(grid, sum, own, decompose(pose->m[4 * row + column]), decompose(point[column]));
        add_product(grid, sum, own, decompose(pose->m[4 * row + 3]), dyadic_one);
    }
}

void lattice_align(lattice *grid)
{
    long least = 0;
    int any = 0;
    for (size_t i = 0; i < grid->count; i++)
        for (int c = 0; c < 3; c++)
            if (mpz_sgn(grid->points[i][c]) != 0 && (!any || grid->own[i][c] < least))
            {
                least = grid->own[i][c];
                any = 1;
            }
    for (size_t i = 0; i < grid->count; i++)
        for (int c = 0; c < 3; c++)
            if (mpz_sgn(grid->points[i][c]) != 0)
                mpz_mul_2exp(grid->points[i][c], grid->points[i][c], (mp_bitcnt_t)(grid->own[i][c] - least));
    grid->exponent = least;
}

void vector_init(vector3 v)
{
    for (int c = 0; c < 3; c++)
        mpz_init(v[c]);
}

void vector_clear(vector3 v)
{
    for (int c = 0; c < 3; c++)
        mpz_clear(v[c]);
}

void vector_subtract(vector3 out, vector3 a, vector3 b)
{
    for (int c = 0; c < 3; c++)
        mpz_sub(out[c], a[c], b[c]);
}

void vector_cross(vector3 out, vector3 a, vector3 b)
{
    for (int c = 0; c < 3; c++)
    {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        mpz_mul(out[c], a[d], b[e]);
        mpz_submul(out[c], a[e], b[d]);
    }
}

void vector_dot(mpz_t out, vector3 a, vector3 b)
{
    mpz_mul(out, a[0], b[0]);
    mpz_addmul(out, a[1], b[1]);
    mpz_addmul(out, a[2], b[2]);
}

int vector_is_zero(vector3 v)
{
    return mpz_sgn(v[0]) == 0 && mpz_sgn(v[1]) == 0 && mpz_sgn(v[2]) == 0;
}
