/* SPDX-License-Identifier: MIT */
/*
 * Isolation of roots; see roots.h.
 *
 * A search visits dyadic intervals from left to right: it halves an interval where the coefficients of the polynomial
 * restricted to it change sign more than once. It ends since roots are simple (Vincent 1836; Collins, Akritas 1976):
 * where that happens first the square-free part takes the polynomial's place.
 * The next interval follows from the last one, so that no stack is kept: intervals end where a binary counter says.
 */
#include "motion/roots.h"

#include <math.h>

#include "base/bits.h"

enum
{
    FIRST_BITS = 16, /* by which the interval of a root is narrowed at once */
    MOST_BITS = 40,
    LEVELS_TO_SKIP = 8 /* powers of two from the root found last to the end of the range */
};

void grz_root_at(grz_scratch *scratch, double t, grz_root *out)
{
    *out = (grz_root){.exact = true, .lower = grz_time_from_double(scratch, t)};
    out->upper = out->lower;
}

/* The end of the interval. */
static grz_time cell_end(const grz_root_search *search)
{
    grz_integer one = grz_number_from(search->scratch, 1, 1);
    return (grz_time){grz_number_add(search->scratch, &search->cell.n, &one, false), search->cell.k};
}

void grz_root_search_start(grz_root_search *search, grz_scratch *scratch, const grz_polynomial *polynomial,
                           const grz_root_range *range)
{
    static const grz_root_range everywhere = {0, 0, false};
    range = range != NULL ? range : &everywhere;
    *search = (grz_root_search){.scratch = scratch, .polynomial = *polynomial, .local = *polynomial};
    search->start_seen = range->n == 0;
    search->finished = !grz_polynomial_may_have_roots(polynomial);
    if (search->finished)
        return;
    search->cell = (grz_time){grz_number_from(scratch, (uint64_t)range->n, 1), range->k};
    grz_time end = cell_end(search);
    search->end = range->to_the_end ? (grz_time){grz_number_from(scratch, 1, 1), 0} : end;
    bool whole = range->k == 0;
    if (!whole)
        grz_polynomial_restrict(scratch, polynomial, &search->cell, &end, &search->local);
    bool ends_at_one = range->to_the_end || ldexp(range->n + 1.0, -range->k) >= 1;
    search->root_at_one = ends_at_one && polynomial->c[polynomial->degree].sign == 0;
}

static void restrict_to_cell(grz_root_search *search)
{
    grz_time end = cell_end(search);
    grz_polynomial_restrict(search->scratch, &search->polynomial, &search->cell, &end, &search->local);
}

/* The square-free part takes the polynomial's place, from which roots at 0 and 1 are dropped. */
static void make_square_free(grz_root_search *search)
{
    grz_polynomial whole = search->polynomial;
    grz_polynomial_square_free(search->scratch, &whole, &search->polynomial);
    search->square_free = true;
    if (search->cell.k > 0)
        restrict_to_cell(search);
    else
        search->local = search->polynomial;
}

static bool is_one(const grz_integer *a)
{
    return a->count == 1 && a->limbs[0] == 1;
}

/* Whether [2^-k, 2^-j) certainly has no root. */
static bool is_empty(grz_root_search *search, int k, int j)
{
    grz_scratch_mark mark = grz_scratch_here(search->scratch);
    grz_integer one = grz_number_from(search->scratch, 1, 1);
    const grz_time lower = {one, k}, upper = {one, j};
    grz_polynomial local;
    grz_polynomial_restrict(search->scratch, &search->polynomial, &lower, &upper, &local);
    bool empty = local.c[0].sign != 0 && grz_polynomial_variations(&local) == 0;
    grz_scratch_return(search->scratch, &mark);
    return empty && !search->scratch->failed;
}

/* From 2^-k, far from the end of the range, which is a power of two: to a larger one, without the powers between. */
static int skip_empty(grz_root_search *search, int k)
{
    int end = search->end.k;
    while (k - end > LEVELS_TO_SKIP)
    {
        int j = end;
        while (k - j > 1 && !is_empty(search, k, j))
            j += (k - j + 1) / 2;
        if (k - j <= 1)
            break;
        k = j;
    }
    return k;
}

/* To the interval after this one, as large as the counter allows. */
static void advance(grz_root_search *search)
{
    grz_time next = cell_end(search);
    if (search->has_parent)
    {
        search->has_parent = search->start_seen = false;
        search->cell = next;
        grz_polynomial_second_half(search->scratch, &search->parent, &search->local);
        return;
    }
    if (search->scratch->failed)
    {
        search->finished = true;
        return;
    }
    int zeros = grz_number_trailing_zeros(&next.n);
    next = (grz_time){grz_number_unshift(search->scratch, &next.n, zeros), next.k - zeros};
    if (is_one(&next.n) && is_one(&search->end.n))
        next.k = skip_empty(search, next.k);
    if (search->scratch->failed || grz_time_compare(search->scratch, &next, &search->end) >= 0)
    {
        search->finished = true;
        return;
    }
    search->start_seen = false;
    search->cell = next;
    restrict_to_cell(search);
}

static void descend(grz_root_search *search)
{
    search->cell = (grz_time){grz_number_shift(search->scratch, &search->cell.n, 1), search->cell.k + 1};
    search->parent = search->local;
    search->has_parent = true;
    grz_polynomial_first_half(search->scratch, &search->parent, &search->local);
}

static int first_sign(const grz_polynomial *a)
{
    for (int i = 0; i <= a->degree; i++)
        if (a->c[i].sign != 0)
            return a->c[i].sign;
    return 0;
}

static void emit_exact(const grz_time *time, grz_root *out)
{
    *out = (grz_root){.exact = true, .lower = *time, .upper = *time};
}

bool grz_root_search_next(grz_root_search *search, grz_root *out)
{
    while (!search->finished)
    {
        if (!search->start_seen && search->local.c[0].sign == 0)
        {
            search->start_seen = true;
            emit_exact(&search->cell, out);
            return true;
        }
        int variations = grz_polynomial_variations(&search->local);
        if (variations > 1) /* a multiple root is possible, which no interval is small enough for */
        {
            if (search->square_free)
                descend(search);
            else
                make_square_free(search);
            continue;
        }
        *out = (grz_root){.lower = search->cell,
                          .upper = cell_end(search),
                          .polynomial = search->polynomial,
                          .sign = first_sign(&search->local)};
        advance(search);
        if (variations == 1)
            return true;
    }
    bool at_one = search->root_at_one;
    search->root_at_one = false;
    if (at_one)
        grz_root_at(search->scratch, 1, out);
    return at_one && !search->scratch->failed;
}

int grz_root_compare_time(grz_scratch *scratch, const grz_root *root, const grz_time *time)
{
    int order = grz_time_compare(scratch, &root->lower, time);
    if (root->exact || order > 0)
        return order;
    if (order == 0 || scratch->failed)
        return 1; /* the interval is open */
    if (grz_time_compare(scratch, &root->upper, time) <= 0)
        return -1;
    int sign = grz_polynomial_sign_at(scratch, &root->polynomial, time);
    return sign * root->sign; /* not there yet: the sign is that at the lower end */
}

/* Whether two polynomials are the same but for the sign: then they have the same roots. */
static bool is_same(const grz_polynomial *a, const grz_polynomial *b)
{
    int turn = first_sign(a) * first_sign(b);
    if (a->degree != b->degree)
        return false;
    for (int i = 0; i <= a->degree; i++)
        if (a->c[i].sign != turn * b->c[i].sign || grz_integer_compare_magnitudes(&a->c[i], &b->c[i]) != 0)
            return false;
    return true;
}

/* Whether a polynomial that is not zero has the root. It has if the root's polynomial divides it; else a common divisor
   tells, and takes the place of the root's polynomial: further polynomials are likely to share it. */
static bool has_root(grz_scratch *scratch, const grz_polynomial *polynomial, grz_root *root)
{
    if (grz_polynomials_are_coprime(polynomial, &root->polynomial))
        return false;
    grz_scratch_mark mark = grz_scratch_here(scratch);
    bool divides = grz_polynomial_divides(scratch, &root->polynomial, polynomial, NULL);
    grz_scratch_return(scratch, &mark);
    if (divides)
        return true;
    /* The divisor's only possible root in the interval is this one, and a simple one: there is an odd number of changes
       of sign if it is one. */
    grz_polynomial divisor, local;
    grz_polynomial_gcd(scratch, polynomial, &root->polynomial, &divisor);
    grz_polynomial_restrict(scratch, &divisor, &root->lower, &root->upper, &local);
    if (divisor.degree == 0 || grz_polynomial_variations(&local) % 2 == 0 || scratch->failed)
        return false;
    grz_polynomial_make_primitive(scratch, &divisor);
    root->polynomial = divisor;
    root->sign = first_sign(&local);
    return true;
}

int grz_sign_at_root(grz_scratch *scratch, const grz_polynomial *polynomial, grz_root *root)
{
    if (grz_polynomial_is_zero(polynomial))
        return 0;
    int sign = grz_sign_near_root(polynomial, root);
    if (sign != 0)
        return sign;
    if (root->exact)
        return grz_polynomial_sign_at(scratch, polynomial, &root->lower);
    if (is_same(polynomial, &root->polynomial) || has_root(scratch, polynomial, root))
        return 0;
    int bits = FIRST_BITS;
    while (!scratch->failed)
    {
        grz_scratch_mark mark = grz_scratch_here(scratch);
        grz_polynomial local;
        grz_polynomial_restrict(scratch, polynomial, &root->lower, &root->upper, &local);
        sign = grz_polynomial_variations(&local) == 0 ? first_sign(&local) : 0;
        grz_scratch_return(scratch, &mark);
        if (sign != 0)
            return sign;
        if (grz_root_narrow(scratch, root, bits))
            bits = 2 * bits < MOST_BITS ? 2 * bits : MOST_BITS;
        else
            bits = bits > 1 ? 1 : 4; /* once by halving */
        if (root->exact)
            return grz_polynomial_sign_at(scratch, polynomial, &root->lower);
    }
    return 0;
}

int grz_sign_after_root(grz_scratch *scratch, const grz_polynomial *polynomial, grz_root *root)
{
    grz_polynomial derivative = *polynomial;
    for (;;)
    {
        int sign = grz_sign_at_root(scratch, &derivative, root);
        if (sign != 0 || derivative.degree == 0 || grz_polynomial_is_zero(&derivative))
            return sign;
        grz_polynomial_differentiate(scratch, &derivative, &derivative);
    }
}

int grz_root_compare(grz_scratch *scratch, grz_root *a, grz_root *b)
{
    if (b->exact)
        return grz_root_compare_time(scratch, a, &b->lower);
    if (a->exact)
        return -grz_root_compare_time(scratch, b, &a->lower);
    if (grz_root_compare_time(scratch, a, &b->lower) <= 0)
        return -1;
    if (grz_root_compare_time(scratch, a, &b->upper) >= 0)
        return 1;
    if (grz_root_compare_time(scratch, b, &a->lower) <= 0)
        return 1;
    if (grz_root_compare_time(scratch, b, &a->upper) >= 0)
        return -1;
    /* Both lie in both intervals, and in a's interval a's polynomial has no other root. So it is b that a divisor is
       found for: the one of them that others are compared with. */
    return a->sign * grz_sign_at_root(scratch, &a->polynomial, b);
}
