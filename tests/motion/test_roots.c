/* SPDX-License-Identifier: MIT */
/* Roots of polynomials with integer coefficients, one after the other, the doubles around them, and the signs of others
 * at them, against Sturm chains. */
#include "motion/roots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/stored_root.h"
#include "support/failing_allocator.h"
#include "support/lattice.h"
#include "support/random.h"
#include "support/sturm.h"
#include "support/unit.h"

enum
{
    ROUNDS = 3000,
    LIMBS = 1 << 16
};

/* The power form of a polynomial: the sum of c[i] (1 - t)^(n-i) t^i. */
static void to_sturm(const grz_polynomial *p, sturm_polynomial *out)
{
    mpz_t value, binomial;
    mpz_inits(value, binomial, NULL);
    for (int i = 0; i <= p->degree; i++)
        mpz_set_ui(out->c[i], 0);
    for (int i = 0; i <= p->degree; i++)
    {
        mpz_set_ui(value, 0);
        if (p->c[i].count > 0)
            mpz_import(value, (size_t)p->c[i].count, -1, 8, 0, 0, p->c[i].limbs);
        for (int k = 0; k <= p->degree - i; k++)
        {
            mpz_bin_uiui(binomial, (unsigned long)(p->degree - i), (unsigned long)k);
            mpz_mul(binomial, binomial, value);
            if ((k % 2 != 0) == (p->c[i].sign > 0))
                mpz_neg(binomial, binomial);
            mpz_add(out->c[i + k], out->c[i + k], binomial);
        }
    }
    sturm_trim(out, p->degree);
    mpz_clears(value, binomial, NULL);
}

/* a s + b t. */
static grz_polynomial linear(grz_scratch *scratch, int64_t a, int64_t b)
{
    return (grz_polynomial){1,
                            {grz_number_from(scratch, (uint64_t)llabs(a), a < 0 ? -1 : 1),
                             grz_number_from(scratch, (uint64_t)llabs(b), b < 0 ? -1 : 1)}};
}

static grz_polynomial times(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b)
{
    grz_polynomial product;
    grz_polynomial_multiply(scratch, a, b, &product);
    return product;
}

/* A product of small factors, so that roots are multiple, rational, dyadic, at 0 and at 1, and close. */
static grz_polynomial draw(test_random *random, grz_scratch *scratch, int degree)
{
    grz_polynomial p = {0, {grz_number_from(scratch, 1, 1)}};
    while (p.degree < degree && !scratch->failed)
    {
        grz_polynomial factor = linear(scratch, random_between(random, -4, 4), random_between(random, -4, 4));
        if (random_once_in(random, 4))
            factor = linear(scratch, 1 + random_below(random, 1 << 30), -1 - random_below(random, 1 << 30));
        if (random_once_in(random, 3) && p.degree + 2 <= degree) /* without rational roots, mostly */
        {
            factor = (grz_polynomial){.degree = 2};
            for (int i = 0; i < 3; i++)
                factor.c[i] =
                    grz_number_from(scratch, (uint64_t)random_below(random, 9), random_once_in(random, 2) ? 1 : -1);
        }
        if (!grz_polynomial_is_zero(&factor))
            p = times(scratch, &p, &factor);
        if (random_once_in(random, 4) && !grz_polynomial_is_zero(&factor) && p.degree + factor.degree <= degree)
            p = times(scratch, &p, &factor);
    }
    return p;
}

/* The oracle's next root lies where the search says. */
static void check_place(const sturm_root *expected, const grz_root *root, double lower, double upper)
{
    mpq_t x;
    mpq_init(x);
    rational_set_double(x, lower);
    assert_int_equal(sturm_compare(expected, x), lower < upper ? 1 : 0);
    rational_set_double(x, upper);
    assert_int_equal(sturm_compare(expected, x), lower < upper ? -1 : 0);
    assert_true(root->exact == !(lower < upper));
    mpq_clear(x);
}

static void roots_and_signs_at_them_are_those_of_sturm_chains(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1921);
    uint64_t *limbs = malloc(LIMBS * sizeof *limbs);
    assert_non_null(limbs);
    sturm_polynomial f, g, square_free;
    sturm_root expected;
    mpq_t after;
    sturm_init(&f);
    sturm_init(&g);
    sturm_init(&square_free);
    sturm_root_init(&expected);
    mpq_init(after);
    int roots = 0, zeros = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        grz_scratch scratch;
        grz_scratch_start(&scratch, NULL, limbs, LIMBS);
        grz_polynomial p = draw(&random, &scratch, random_between(&random, 1, 6)), q, common;
        q = draw(&random, &scratch, random_between(&random, 1, 3));
        if (random_once_in(&random, 2))
        {
            common = draw(&random, &scratch, 2);
            p = times(&scratch, &p, &common);
            q = times(&scratch, &q, &common);
        }
        to_sturm(&p, &f);
        to_sturm(&q, &g);
        sturm_square_free(&square_free, &f);
        mpq_set_ui(after, 0, 1);
        grz_root_search search;
        grz_root root, before;
        grz_root_search_start(&search, &scratch, &p, NULL);
        for (int count = 0; sturm_first_root(&square_free, after, &expected); count++)
        {
            double lower, upper;
            assert_true(grz_root_search_next(&search, &root));
            assert_true(count == 0 || grz_root_compare(&scratch, &before, &root) < 0);
            before = root;
            int sign = sturm_sign_at(&expected, &g);
            assert_int_equal(grz_sign_at_root(&scratch, &q, &before), sign);
            grz_root_locate(&scratch, &root, &lower, &upper);
            assert_int_equal(grz_sign_at_root(&scratch, &q, &root), sign);
            assert_int_equal(grz_root_compare(&scratch, &before, &root), 0);
            check_place(&expected, &root, lower, upper);
            mpq_set(after, expected.upper);
            roots++;
            zeros += sign == 0;
        }
        assert_false(grz_root_search_next(&search, &root));
        assert_false(scratch.failed);
        grz_scratch_release(&scratch);
    }
    printf("  %d roots, %d of them common\n", roots, zeros);
    assert_true(roots > TEST_ROUNDS(ROUNDS) && zeros > TEST_ROUNDS(ROUNDS) / 10);
    sturm_clear(&f);
    sturm_clear(&g);
    sturm_clear(&square_free);
    sturm_root_clear(&expected);
    mpq_clear(after);
    free(limbs);
}

/* Polynomials with a root at a double next to the located root, or some doubles away: the sign is known, and doubles
   alone decide it only where they can. */
static void signs_of_polynomials_that_are_nearly_zero_at_a_root_are_exact(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1923);
    static uint64_t limbs[1 << 14];
    int decided = 0, left = 0, total = TEST_ROUNDS(ROUNDS);
    for (int round = 0; round < total; round++)
    {
        grz_scratch scratch;
        grz_scratch_start(&scratch, NULL, limbs, 1 << 14);
        grz_polynomial p = draw(&random, &scratch, random_between(&random, 1, 4)), q = {0, {{NULL, 0, 0}}};
        grz_root_search search;
        grz_root root;
        double lower, upper;
        grz_root_search_start(&search, &scratch, &p, NULL);
        while (grz_root_search_next(&search, &root))
        {
            grz_root_locate(&scratch, &root, &lower, &upper);
            if (!(lower < upper) || lower < 1e-9)
                continue;
            int steps = random_once_in(&random, 2) ? 0 : 1 << random_below(&random, 12), sign = 1;
            double away =
                random_once_in(&random, 2) ? lower - steps * 0x1p-53 * lower : upper + steps * 0x1p-53 * upper;
            sign = away > lower ? -1 : 1;
            if (!(away > 0 && away < 1))
                continue;
            grz_time time = grz_time_from_double(&scratch, away);
            grz_polynomial_of_root(&scratch, &time, &q);
            q = times(&scratch, &q, &(grz_polynomial){0, {grz_number_from(&scratch, 3, 1)}});
            for (int i = random_below(&random, 3); i > 0; i--) /* a factor that is positive in (0, 1) */
            {
                grz_polynomial factor = linear(&scratch, random_between(&random, 0, 9), random_between(&random, 1, 9));
                q = times(&scratch, &q, &factor);
            }
            int near = grz_sign_near_root(&q, &root);
            assert_true(near == 0 || near == sign);
            assert_int_equal(grz_sign_at_root(&scratch, &q, &root), sign);
            decided += near != 0;
            left += near == 0;
        }
        grz_scratch_release(&scratch);
    }
    printf("  %d signs by doubles, %d left\n", decided, left);
    assert_true(decided > total / 20 && left > total / 10);
}

/* a 2^shift. */
static grz_polynomial shifted(grz_scratch *scratch, const grz_polynomial *a, int shift)
{
    grz_polynomial result = {.degree = a->degree};
    for (int i = 0; i <= a->degree; i++)
        result.c[i] = grz_number_shift(scratch, &a->c[i], shift);
    return result;
}

/* q is the root's linear factor times 2^shift, plus t: it is positive there, and 0 some 2^-shift away. */
static void signs_at_roots_that_are_very_close_are_found(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1924);
    static uint64_t limbs[1 << 16];
    int seen = 0;
    for (int round = 0; round < 300; round++)
    {
        grz_scratch scratch;
        grz_scratch_start(&scratch, NULL, limbs, 1 << 16);
        grz_polynomial factor =
            linear(&scratch, -random_between(&random, 1, 1 << 20), random_between(&random, 1, 1 << 20));
        grz_polynomial other = draw(&random, &scratch, 3), p = times(&scratch, &factor, &other);
        int shift = random_between(&random, 60, 2000);
        grz_polynomial q = shifted(&scratch, &factor, shift), t = linear(&scratch, 0, 1);
        grz_polynomial_add(&scratch, &q, &t, false, &q);
        grz_root_search search;
        grz_root root;
        double lower, upper;
        grz_root_search_start(&search, &scratch, &p, NULL);
        while (grz_root_search_next(&search, &root))
        {
            if (random_once_in(&random, 2))
                grz_root_locate(&scratch, &root, &lower, &upper);
            if (grz_sign_at_root(&scratch, &factor, &root) != 0)
                continue;
            seen++;
            assert_int_equal(grz_sign_at_root(&scratch, &q, &root), 1);
            grz_polynomial_add(&scratch, &q, &t, true, &q);
            grz_polynomial_add(&scratch, &q, &t, true, &q);
            assert_int_equal(grz_sign_at_root(&scratch, &q, &root), -1);
            break;
        }
        assert_false(scratch.failed);
        grz_scratch_release(&scratch);
    }
    assert_true(seen > 250);
}

/* How often the interval of a root is narrowed, as signs at it ask for, until an end of it, the lower or the upper one,
   is not 1/2 or 0 any more. */
static int steps_until_apart(grz_scratch *scratch, grz_root *root, bool from_above)
{
    grz_time *end = from_above ? &root->upper : &root->lower, before = *end;
    int bits = 16, steps = 0;
    for (; grz_time_compare(scratch, end, &before) == 0 && steps < 10000; steps++)
        if (grz_root_narrow(scratch, root, bits))
            bits = 2 * bits < 40 ? 2 * bits : 40;
        else
            bits = bits > 1 ? 1 : 4;
    assert_false(scratch->failed);
    return steps;
}

/* (t - s) times a factor with the root 1/2 + 2^-k / 6, or 1/2 - 2^-k / 6: values at the ends of its interval, of which
   that at 1/2 is 0, do not say how near it is. Halving takes k steps. */
static void roots_very_near_an_end_that_is_one_are_told_from_it_in_a_few_steps(void **state)
{
    (void)state;
    static uint64_t limbs[1 << 18];
    for (int k = 50; k <= 2000; k += 325)
        for (int side = 0; side < 2; side++)
        {
            grz_scratch scratch;
            grz_scratch_start(&scratch, NULL, limbs, 1 << 18);
            grz_integer one = grz_number_from(&scratch, 1, 1), three = grz_number_from(&scratch, 3, 1);
            grz_integer power = grz_number_shift(&scratch, &three, k);
            grz_polynomial half = linear(&scratch, -1, 1);
            grz_polynomial near = {
                1,
                {grz_number_add(&scratch, &power, &one, side == 1), grz_number_add(&scratch, &power, &one, side == 0)}};
            near.c[0].sign = -1;
            grz_root root = {.lower = grz_time_from_double(&scratch, side == 0 ? 0.5 : 0.25),
                             .upper = grz_time_from_double(&scratch, side == 0 ? 0.75 : 0.5),
                             .polynomial = times(&scratch, &half, &near),
                             .sign = side == 0 ? -1 : 1};
            assert_in_range(steps_until_apart(&scratch, &root, side == 1), 1, 12);
            assert_int_equal(grz_polynomial_sign_at(&scratch, &near, &root.lower), -1);
            assert_int_equal(grz_polynomial_sign_at(&scratch, &near, &root.upper), 1);
            grz_scratch_release(&scratch);
        }
}

/* 2^8k t^8 - s^8, whose root is near 2^-k: as steep as that, the secant says nothing of its place. */
static void steep_polynomials_are_told_from_the_end_in_a_few_steps(void **state)
{
    (void)state;
    static uint64_t limbs[1 << 18];
    for (int k = 20; k <= 900; k += 110)
    {
        grz_scratch scratch;
        grz_scratch_start(&scratch, NULL, limbs, 1 << 18);
        grz_integer one = grz_number_from(&scratch, 1, 1);
        grz_root root = {.lower = grz_time_from_double(&scratch, 0),
                         .upper = grz_time_from_double(&scratch, 1),
                         .polynomial = {.degree = 8},
                         .sign = -1};
        root.polynomial.c[0] = grz_number_from(&scratch, 1, -1);
        root.polynomial.c[8] = grz_number_shift(&scratch, &one, 8 * k);
        assert_in_range(steps_until_apart(&scratch, &root, false), 1, 12);
        assert_int_equal(grz_polynomial_sign_at(&scratch, &root.polynomial, &root.lower), -1);
        assert_int_equal(root.exact ? 1 : grz_polynomial_sign_at(&scratch, &root.polynomial, &root.upper), 1);
        grz_scratch_release(&scratch);
    }
}

/* Roots 1 / (1 + 2^k), with hundreds of powers of two between some and none between others. */
static void roots_of_very_different_sizes_are_found_in_order(void **state)
{
    (void)state;
    static const int sizes[5] = {900, 899, 320, 60, 3};
    static uint64_t limbs[1 << 18];
    for (int end = 0; end <= 40; end += 20) /* the range ends at 2^-end */
    {
        grz_scratch scratch;
        grz_scratch_start(&scratch, NULL, limbs, 1 << 18);
        grz_polynomial p = {0, {grz_number_from(&scratch, 1, 1)}};
        for (int i = 0; i < 5; i++)
        {
            grz_integer one = grz_number_from(&scratch, 1, 1), minus = grz_number_from(&scratch, 1, -1);
            const grz_polynomial factor = {1, {minus, grz_number_shift(&scratch, &one, sizes[i])}};
            p = times(&scratch, &p, &factor);
        }
        const grz_root_range range = {0, end, false};
        grz_root_search search;
        grz_root root;
        int count = 0;
        grz_root_search_start(&search, &scratch, &p, &range);
        for (; grz_root_search_next(&search, &root); count++)
        {
            double lower, upper, expected = ldexp(1, -sizes[count]) / (1 + ldexp(1, -sizes[count]));
            grz_root_locate(&scratch, &root, &lower, &upper);
            assert_true(lower < upper && lower <= expected && expected <= upper);
        }
        assert_int_equal(count, end == 0 ? 5 : 4);
        assert_false(scratch.failed);
        grz_scratch_release(&scratch);
    }
}

/* The range begins where coefficients change sign at most once, and goes on to a double root. */
static void a_double_root_after_the_first_interval_of_a_range_is_found(void **state)
{
    (void)state;
    static uint64_t limbs[1 << 14];
    for (int k = 1; k <= 10; k++)
    {
        failing_allocator allocator = {.allowed = 0};
        graze_context context = failing_allocator_context(&allocator); /* a search without end fails */
        grz_scratch scratch;
        grz_scratch_start(&scratch, &context, limbs, 1 << 14);
        grz_polynomial third = linear(&scratch, -2, 1), p = times(&scratch, &third, &third);
        const grz_root_range range = {1, k, true};
        grz_root_search search;
        grz_root root;
        double lower, upper;
        grz_root_search_start(&search, &scratch, &p, &range);
        assert_true(grz_root_search_next(&search, &root));
        grz_root_locate(&scratch, &root, &lower, &upper);
        assert_true(lower < upper && lower <= 2.0 / 3 && 2.0 / 3 <= upper);
        assert_false(grz_root_search_next(&search, &root));
        assert_false(scratch.failed);
        grz_scratch_release(&scratch);
    }
}

static void common_divisors_are_found_where_leading_coefficients_vanish_modulo_the_prime(void **state)
{
    (void)state;
    uint64_t limbs[1024];
    grz_scratch scratch;
    grz_scratch_start(&scratch, NULL, limbs, 1024);
    const int64_t prime = (INT64_C(1) << 61) - 1;
    grz_polynomial shared = linear(&scratch, -1, prime), x = linear(&scratch, 2, -1), y = linear(&scratch, 3, -1), d;
    grz_polynomial a = times(&scratch, &shared, &x), b = times(&scratch, &shared, &y);
    assert_true(grz_polynomials_are_coprime(&x, &y));
    assert_true(grz_polynomials_are_coprime(&x, &shared)); /* one of them keeps its degree */
    assert_false(grz_polynomials_are_coprime(&a, &b));
    grz_polynomial_gcd(&scratch, &a, &b, &d);
    assert_int_equal(d.degree, 1);
    grz_root root;
    grz_root_search search;
    grz_root_search_start(&search, &scratch, &a, NULL);
    assert_true(grz_root_search_next(&search, &root));
    assert_int_equal(grz_sign_at_root(&scratch, &b, &root), 0);
    grz_scratch_release(&scratch);
}

/* Roots m / 3 2^-62 beside 1/2, some of which are dyadic but no doubles: located, narrowed and stored they keep their
   places, unless they are said not to be usable. */
static void roots_between_the_same_doubles_are_told_apart_when_stored(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1925);
    static uint64_t limbs[1 << 16];
    int usable = 0, dyadic = 0, alone = 0;
    for (int round = 0; round < TEST_ROUNDS(1000); round++)
    {
        grz_scratch scratch;
        grz_scratch_start(&scratch, NULL, limbs, 1 << 16);
        grz_polynomial p = {0, {grz_number_from(&scratch, 1, 1)}};
        const int64_t half = INT64_C(3) << 60, whole = INT64_C(3) << 61; /* in units of 1/3 2^-61 */
        int64_t places[5], m = -10 - random_between(&random, 0, 30);
        int count = random_between(&random, 1, 5);
        for (int i = 0; i < count; i++)
        {
            places[i] = half + m;
            const grz_polynomial factor = linear(&scratch, -places[i], whole - places[i]);
            p = times(&scratch, &p, &factor);
            m += random_between(&random, 1, random_once_in(&random, 5) ? 4000 : 9);
        }
        grz_root_search search;
        grz_root root;
        grz_root_search_start(&search, &scratch, &p, NULL);
        for (int i = 0; i < count; i++)
        {
            double lower, upper;
            const grz_polynomial own = linear(&scratch, -places[i], whole - places[i]);
            assert_true(grz_root_search_next(&search, &root));
            grz_root_locate(&scratch, &root, &lower, &upper);
            assert_true(root.exact == !(lower < upper));
            assert_int_equal(grz_sign_at_root(&scratch, &own, &root), 0);
            if (random_once_in(&random, 2))
                for (int k = 0; k < 30 && !root.exact; k++)
                    grz_root_narrow(&scratch, &root, random_between(&random, 1, 16));
            grz_stored_root stored;
            memset(&stored, 0xff, sizeof stored);
            grz_root_store(&root, &stored);
            dyadic += lower < upper && root.exact;
            alone += lower < upper && !stored.usable;
            if (!stored.usable)
                continue;
            usable += lower < upper;
            grz_root again;
            grz_root_load(&scratch, &stored, &again);
            for (int k = 0; k < count; k++)
            {
                const grz_polynomial other = linear(&scratch, -places[k], whole - places[k]);
                assert_int_equal(grz_sign_at_root(&scratch, &other, &again), i < k ? -1 : i > k);
            }
        }
        assert_false(grz_root_search_next(&search, &root));
        assert_false(scratch.failed);
        grz_scratch_release(&scratch);
    }
    printf("  %d stored, %d of them dyadic, %d not usable\n", usable, dyadic, alone);
    assert_true(usable > TEST_ROUNDS(1000) / 2 && dyadic > TEST_ROUNDS(1000) / 10 && alone > 10);
}

static void running_out_of_memory_is_noted_and_ends_every_loop(void **state)
{
    (void)state;
    int failures = 0;
    for (uint64_t seed = 0; seed < 40; seed++)
        for (size_t allowed = 0;; allowed++)
        {
            uint64_t limbs[16];
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            test_random random = {seed};
            grz_scratch scratch;
            grz_scratch_start(&scratch, &context, limbs, 16);
            grz_polynomial p = draw(&random, &scratch, 6), q = draw(&random, &scratch, 3);
            grz_root_search search;
            grz_root root;
            if (!grz_polynomial_is_zero(&p))
                grz_root_search_start(&search, &scratch, &p, NULL);
            while (!grz_polynomial_is_zero(&p) && grz_root_search_next(&search, &root))
            {
                double lower, upper;
                grz_root_locate(&scratch, &root, &lower, &upper);
                (void)grz_sign_at_root(&scratch, &q, &root);
            }
            bool failed = scratch.failed;
            grz_scratch_release(&scratch);
            assert_int_equal(allocator.live, 0);
            if (!failed)
                break;
            failures++;
        }
    assert_true(failures > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_and_signs_at_them_are_those_of_sturm_chains),
        cmocka_unit_test(signs_of_polynomials_that_are_nearly_zero_at_a_root_are_exact),
        cmocka_unit_test(a_double_root_after_the_first_interval_of_a_range_is_found),
        cmocka_unit_test(signs_at_roots_that_are_very_close_are_found),
        cmocka_unit_test(roots_very_near_an_end_that_is_one_are_told_from_it_in_a_few_steps),
        cmocka_unit_test(steep_polynomials_are_told_from_the_end_in_a_few_steps),
        cmocka_unit_test(roots_of_very_different_sizes_are_found_in_order),
        cmocka_unit_test(common_divisors_are_found_where_leading_coefficients_vanish_modulo_the_prime),
        cmocka_unit_test(roots_between_the_same_doubles_are_told_apart_when_stored),
        cmocka_unit_test(running_out_of_memory_is_noted_and_ends_every_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
