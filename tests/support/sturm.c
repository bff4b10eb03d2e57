/* SPDX-License-Identifier: MIT */
/* Sturm chains; see sturm.h. */
#include "support/sturm.h"

void sturm_init(sturm_polynomial *p)
{
    p->degree = -1;
    for (int i = 0; i <= STURM_DEGREE; i++)
        mpz_init(p->c[i]);
}

void sturm_clear(sturm_polynomial *p)
{
    for (int i = 0; i <= STURM_DEGREE; i++)
        mpz_clear(p->c[i]);
}

void sturm_copy(sturm_polynomial *out, const sturm_polynomial *p)
{
    out->degree = p->degree;
    for (int i = 0; i <= p->degree; i++)
        mpz_set(out->c[i], p->c[i]);
}

void sturm_trim(sturm_polynomial *p, int degree)
{
    while (degree >= 0 && mpz_sgn(p->c[degree]) == 0)
        degree--;
    p->degree = degree;
}

void sturm_add(sturm_polynomial *out, const sturm_polynomial *a, const sturm_polynomial *b, int sign)
{
    int degree = a->degree > b->degree ? a->degree : b->degree;
    for (int i = 0; i <= degree; i++)
    {
        mpz_set_ui(out->c[i], 0);
        if (i <= a->degree)
            mpz_set(out->c[i], a->c[i]);
        if (i <= b->degree && sign > 0)
            mpz_add(out->c[i], out->c[i], b->c[i]);
        else if (i <= b->degree)
            mpz_sub(out->c[i], out->c[i], b->c[i]);
    }
    sturm_trim(out, degree);
}

void sturm_multiply(sturm_polynomial *out, const sturm_polynomial *a, const sturm_polynomial *b)
{
    for (int i = 0; i <= a->degree + b->degree; i++)
        mpz_set_ui(out->c[i], 0);
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            mpz_addmul(out->c[i + j], a->c[i], b->c[j]);
    sturm_trim(out, a->degree < 0 || b->degree < 0 ? -1 : a->degree + b->degree);
}

/* Divides by the greatest common divisor of the coefficients. */
void sturm_make_primitive(sturm_polynomial *p)
{
    mpz_t content;
    mpz_init(content);
    for (int i = 0; i <= p->degree; i++)
        mpz_gcd(content, content, p->c[i]);
    for (int i = 0; i <= p->degree; i++)
        mpz_divexact(p->c[i], p->c[i], content);
    mpz_clear(content);
}

/* a becomes a positive multiple of the rest of a divided by b. */
static void take_rest(sturm_polynomial *a, const sturm_polynomial *b)
{
    mpz_t factor;
    mpz_init(factor);
    while (a->degree >= b->degree)
    {
        int shift = a->degree - b->degree, sign = mpz_sgn(b->c[b->degree]);
        mpz_mul_si(factor, a->c[a->degree], sign);
        for (int i = 0; i < a->degree; i++)
        {
            mpz_mul(a->c[i], a->c[i], b->c[b->degree]);
            mpz_mul_si(a->c[i], a->c[i], sign);
            if (i >= shift)
                mpz_submul(a->c[i], factor, b->c[i - shift]);
        }
        sturm_trim(a, a->degree - 1);
        sturm_make_primitive(a);
    }
    mpz_clear(factor);
}

int sturm_sign(const sturm_polynomial *p, const mpq_t t)
{
    mpz_t sum, power;
    mpz_init(sum);
    mpz_init_set_ui(power, 1);
    for (int i = p->degree; i >= 0; i--)
    {
        mpz_mul(sum, sum, mpq_numref(t));
        mpz_addmul(sum, p->c[i], power);
        mpz_mul(power, power, mpq_denref(t));
    }
    int sign = mpz_sgn(sum);
    mpz_clears(sum, power, NULL);
    return sign;
}

static void differentiate(sturm_polynomial *out, const sturm_polynomial *p)
{
    for (int i = 1; i <= p->degree; i++)
        mpz_mul_ui(out->c[i - 1], p->c[i], (unsigned long)i);
    sturm_trim(out, p->degree - 1);
}

/* The changes of sign of the chain that starts with f and g at lower, minus those at upper. */
static int chain_difference(const sturm_polynomial *f, const sturm_polynomial *g, const mpq_t lower, const mpq_t upper)
{
    sturm_polynomial storage[2], *a = &storage[0], *b = &storage[1];
    sturm_init(a);
    sturm_init(b);
    sturm_copy(a, f);
    sturm_copy(b, g);
    int changes[2] = {0, 0}, last[2] = {0, 0};
    while (a->degree >= 0)
    {
        for (int end = 0; end < 2; end++)
        {
            int sign = sturm_sign(a, end == 0 ? lower : upper);
            changes[end] += sign != 0 && last[end] != 0 && sign != last[end];
            last[end] = sign != 0 ? sign : last[end];
        }
        if (b->degree >= 0)
            take_rest(a, b);
        else
            a->degree = -1;
        for (int i = 0; i <= a->degree; i++)
            mpz_neg(a->c[i], a->c[i]);
        sturm_polynomial *swap = a;
        a = b;
        b = swap;
    }
    sturm_clear(&storage[0]);
    sturm_clear(&storage[1]);
    return changes[0] - changes[1];
}

/* How many roots a square-free polynomial has in (lower, upper]. */
static int count_roots(const sturm_polynomial *f, const mpq_t lower, const mpq_t upper)
{
    sturm_polynomial derivative;
    sturm_init(&derivative);
    differentiate(&derivative, f);
    int count = chain_difference(f, &derivative, lower, upper);
    sturm_clear(&derivative);
    return count;
}

/* Gauss: a primitive divisor divides a primitive polynomial with integers. */
void sturm_divide(sturm_polynomial *p, const sturm_polynomial *divisor)
{
    sturm_polynomial quotient;
    sturm_init(&quotient);
    sturm_make_primitive(p);
    int degree = p->degree - divisor->degree;
    for (int k = degree; k >= 0; k--)
    {
        mpz_divexact(quotient.c[k], p->c[k + divisor->degree], divisor->c[divisor->degree]);
        for (int i = 0; i <= divisor->degree; i++)
            mpz_submul(p->c[k + i], quotient.c[k], divisor->c[i]);
    }
    sturm_trim(&quotient, degree);
    sturm_copy(p, &quotient);
    sturm_clear(&quotient);
}

void sturm_square_free(sturm_polynomial *out, const sturm_polynomial *f)
{
    sturm_polynomial a, b, *x = &a, *y = &b;
    sturm_init(&a);
    sturm_init(&b);
    sturm_copy(x, f);
    differentiate(y, f);
    while (y->degree >= 0)
    {
        take_rest(x, y);
        sturm_polynomial *swap = x;
        x = y;
        y = swap;
    }
    sturm_make_primitive(x);
    sturm_copy(out, f);
    sturm_divide(out, x);
    sturm_clear(&a);
    sturm_clear(&b);
}

void sturm_root_init(sturm_root *root)
{
    sturm_init(&root->f);
    mpq_inits(root->lower, root->upper, NULL);
}

void sturm_root_clear(sturm_root *root)
{
    sturm_clear(&root->f);
    mpq_clears(root->lower, root->upper, NULL);
}

bool sturm_first_root(const sturm_polynomial *f, const mpq_t after, sturm_root *out)
{
    sturm_copy(&out->f, f);
    mpq_set(out->lower, after);
    mpq_set_ui(out->upper, 1, 1);
    if (mpq_cmp(out->lower, out->upper) >= 0 || count_roots(f, out->lower, out->upper) == 0)
        return false;
    mpq_t middle;
    mpq_init(middle);
    while (count_roots(f, out->lower, out->upper) > 1 || sturm_sign(f, out->lower) == 0)
    {
        mpq_add(middle, out->lower, out->upper);
        mpq_div_2exp(middle, middle, 1);
        mpq_set(count_roots(f, out->lower, middle) > 0 ? out->upper : out->lower, middle);
    }
    mpq_clear(middle);
    return true;
}

int sturm_compare(const sturm_root *root, const mpq_t t)
{
    if (mpq_cmp(t, root->lower) <= 0)
        return 1;
    if (mpq_cmp(t, root->upper) > 0)
        return -1;
    if (sturm_sign(&root->f, t) == 0)
        return 0;
    return count_roots(&root->f, root->lower, t) > 0 ? -1 : 1;
}

/* By Tarski's query: the chain of f and f' g counts the roots of f with the sign of g there. */
int sturm_sign_at(const sturm_root *root, const sturm_polynomial *g)
{
    if (sturm_sign(&root->f, root->upper) == 0)
        return sturm_sign(g, root->upper);
    if (g->degree < 0)
        return 0;
    sturm_polynomial derivative, product;
    sturm_init(&derivative);
    sturm_init(&product);
    differentiate(&derivative, &root->f);
    sturm_multiply(&product, &derivative, g);
    int sign = chain_difference(&root->f, &product, root->lower, root->upper);
    sturm_clear(&derivative);
    sturm_clear(&product);
    return sign;
}
