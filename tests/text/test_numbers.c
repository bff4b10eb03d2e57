/* SPDX-License-Identifier: MIT */
/*
 * Numbers in text: the nearest double for any digits, and printing that reads back exactly. The reference is the C
 * library's strtod, in the C locale that a program starts in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/number.h"
#include "text/power_of_ten.h"

#define SEED UINT64_C(20240607)

static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double random_double(uint64_t *state)
{
    double value;
    do
    {
        uint64_t bits = next_random(state);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double read_all(const char *text)
{
    double value = 0.0;
    const char *end = text + strlen(text);
    const char *after = grz_number_read(text, end, &value);
    if (after != end)
        fail_msg("\"%s\" was not read to its end", text);
    return value;
}

static void expect_like_strtod(const char *text)
{
    double ours = read_all(text), theirs = strtod(text, NULL);
    if (bits_of(ours) != bits_of(theirs))
        fail_msg("\"%s\" was read as %.17g instead of %.17g", text, ours, theirs);
}

static void hard_cases_are_read_to_the_nearest_double(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0", "-0", "1", "-1", "+1", "0.1", ".5", "5.", "1e23", "8.5e22", "1E+5", "1e-5", "00012.50", "0e5",
        /* half way between two doubles, and just beside it */
        "9007199254740993", "9007199254740993.0", "9007199254740992.9999999999999999999999999",
        "9007199254740993.0000000000000000000000001", "9007199254740995", "4503599627370496.5", "4503599627370497.5",
        "1125899906842624.125", "0.500000000000000166533453693773481063544750213623046875",
        "0.500000000000000166533453693773481063544750213623046874999",
        "0.500000000000000166533453693773481063544750213623046875001", "3.5844466002796428e298",
        "6.9294956446009195e15", "3.7455744005952583e15", "30078505129381147446200e-4", "1777820000000000000001",
        "9214843084008499",
        /* the ends of the range */
        "4.9406564584124654e-324", "5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
        "2.47032822920623272088284396434110686182e-324", "2.47032822920623272088284396434110686183e-324",
        "7.4109846876186981e-324", "7.4109846876186982e-324", "2.2250738585072011e-308", "2.2250738585072012e-308",
        "2.2250738585072014e-308", "2.225073858507201136057409796709131975934819546351645648e-308",
        "1.7976931348623157e308", "1.7976931348623158e308", "1.797693134862315807e308", "1.7976931348623158079e308",
        "1.7976931348623159e308", "179769313486231580793728971405301e276", "179769313486231580793728971405304e276",
        "1e308", "1e309", "-1e309", "1e-323", "1e-324", "1e-400", "1e999999999999999999999", "1e-999999999999999999999",
        "0e99999999999999999999", "123456789012345678901234567890123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000000123456789", "6.67430e-11",
        "3.274081e-033", "1.0000000000000000000000000000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_like_strtod(texts[i]);
}

static void denormal_and_normal_halves_with_all_their_digits_are_decided_exactly(void **state)
{
    (void)state;
    /* 2^-1074 * (k + 1/2), all 752 significant digits, then with one more digit on either side. */
    static char text[1200];
    size_t compared = 0;
    for (int exponent = -1074; exponent <= 900; exponent += 47)
    {
        for (unsigned k = 0; k < 4; k++)
        {
            /* long double has enough bits for the midpoint on x86; elsewhere the test reads plain doubles, no harm. */
            long double half = ldexpl((long double)(((uint64_t)1 << (exponent > -1022 ? 52 : 3)) + k) + 0.5L, exponent);
            int length = snprintf(text, sizeof text - 8, "%.800Le", half);
            char *tail = strchr(text, 'e');
            if (length < 0 || tail == NULL || !(half < (long double)DBL_MAX))
                continue;
            expect_like_strtod(text);
            char power[16];
            snprintf(power, sizeof power, "%s", tail);
            snprintf(tail, 8 + sizeof power, "1%s", power);
            expect_like_strtod(text);
            compared++;
        }
    }
    assert_true(compared > 150);
}

static void random_decimals_of_any_length_read_like_strtod(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    uint64_t random = SEED;
    char text[64];
    for (int i = 0; i < 300000; i++)
    {
        int digits = 1 + (int)(next_random(&random) % 30);
        snprintf(text, sizeof text, "%.*e", digits, random_double(&random));
        expect_like_strtod(text);
        int length = 1 + (int)(next_random(&random) % 19);
        snprintf(text, sizeof text, "%.*lld.%llue%d", length, (long long)(next_random(&random) >> 20),
                 (unsigned long long)next_random(&random) % 1000000, (int)(next_random(&random) % 660) - 340);
        expect_like_strtod(text);
    }
}

static void every_power_of_ten_reads_like_strtod(void **state)
{
    (void)state;
    char text[32];
    for (int power = -345; power <= 310; power++)
    {
        for (unsigned first = 1; first <= 9; first++)
        {
            snprintf(text, sizeof text, "%ue%d", first, power);
            expect_like_strtod(text);
        }
    }
}

static void scaling_keeps_its_error_bound(void **state)
{
    (void)state;
    /* 10^p scaled and read as an integer: the interval must contain the exact value for all small powers. */
    for (int power = 0; power < 28; power++)
    {
        grz_scaled scaled = grz_scale_by_power_of_ten(1, power);
        grz_u128 exact = 1;
        for (int i = 0; i < power; i++)
            exact *= 10;
        grz_u128 low = scaled.high >> -scaled.exponent;
        grz_u128 high = (scaled.high + scaled.slack) >> -scaled.exponent;
        assert_true(low <= exact && exact <= high);
        if (power < 27)
            assert_int_equal(scaled.slack, 0);
    }
}

static void a_million_random_doubles_print_and_read_back_the_same(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    uint64_t random = SEED;
    size_t lengths[4] = {0};
    for (int i = 0; i < 1000000; i++)
    {
        double value = random_double(&random);
        if (i % 4 == 1)
            value = (double)(int64_t)next_random(&random) / 0x1p40;
        else if (i % 4 == 2)
            value = (double)(float)value;
        else if (i % 4 == 3)
            value = (double)((int64_t)next_random(&random) % 1000000) / 1000.0;
        if (!isfinite(value))
            continue;
        char text[GRZ_NUMBER_SIZE + 1];
        size_t size = grz_number_print(value, text);
        assert_true(size <= 25);
        text[size] = '\0';
        if (bits_of(read_all(text)) != bits_of(value))
            fail_msg("%.17g was printed as %s", value, text);
        if (i % 16 == 0 && bits_of(strtod(text, NULL)) != bits_of(value))
            fail_msg("%.17g was printed as %s, which strtod reads differently", value, text);
        lengths[size < 12 ? 0 : size < 18 ? 1 : size < 24 ? 2 : 3]++;
    }
    for (int i = 0; i < 4; i++)
        assert_true(lengths[i] > 1000); /* short and long ones both occurred */
}

static void printing_is_short_and_plain(void **state)
{
    (void)state;
    static const struct
    {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.0001, "0.0001"},
        {1e-5, "1e-5"},
        {100.0, "100"},
        {123456789.0, "123456789"},
        {1e16, "10000000000000000"},
        {1e17, "1e17"},
        {1e22, "1e22"},
        {1e100, "1e100"},
        {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {2e-300, "2e-300"},
        {DBL_MAX, "1.7976931348623157e308"},
        {0.7, "0.7"},
        {1e23, "1e23"},
        {1234.5, "1234.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        char text[GRZ_NUMBER_SIZE + 1];
        text[grz_number_print(cases[i].value, text)] = '\0';
        assert_string_equal(text, cases[i].text);
    }
}

static void words_for_infinity_and_nan_are_numbers_that_are_not_finite(void **state)
{
    (void)state;
    static const char *const texts[] = {"nan",     "NaN",    "-nan",      "nan(ind)",  "-nan(0x7f)",
                                        "inf",     "-Inf",   "INFINITY",  "+infinity", "1.#QNAN",
                                        "-1.#IND", "1.#INF", "1.#IND000", "1e400",     "-2e308"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(!isfinite(read_all(texts[i])));
}

static void what_is_no_number_is_not_taken_for_one(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    "-",   "+",   ".",  "-.", "e5", ".e5",
                                        "abc", "--1", "+-1", "in", "na", "x1", "/"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
        double value = 42.0;
        int64_t integer = 42;
        assert_null(grz_number_read(texts[i], texts[i] + strlen(texts[i]), &value));
        assert_null(grz_integer_read(texts[i], texts[i] + strlen(texts[i]), &integer));
        assert_true(value == 42.0 && integer == 42);
    }
    /* The numeric prefix is read; the caller sees what follows. */
    static const char *const tails[] = {"1x", "1e", "1e+", "1,5", "1.2.3"};
    static const size_t sizes[] = {1, 1, 1, 1, 3};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
    {
        double value;
        assert_ptr_equal(grz_number_read(tails[i], tails[i] + strlen(tails[i]), &value), tails[i] + sizes[i]);
    }
}

static void integers_that_do_not_fit_saturate(void **state)
{
    (void)state;
    static const char *const texts[] = {"9223372036854775807", "99999999999999999999999999", "-99999999999999999999",
                                        "12"};
    static const int64_t values[] = {INT64_MAX, INT64_MAX, -INT64_MAX, 12};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
        int64_t value = 0;
        assert_non_null(grz_integer_read(texts[i], texts[i] + strlen(texts[i]), &value));
        assert_true(value == values[i]);
    }
}

static void neither_rounding_mode_nor_locale_matter(void **state)
{
    (void)state;
    static const int modes[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    static const char *const texts[] = {"0.1", "2.2250738585072012e-308", "1e23", "1.7976931348623157e308", "0.7"};
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
        setlocale(LC_ALL, "C");
        double right = strtod(texts[i], NULL);
        for (size_t m = 0; m < 3; m++)
        {
            setlocale(LC_ALL, locales[m]); /* where it is not installed, nothing changes */
            fesetround(modes[m]);
            double value = read_all(texts[i]);
            char text[GRZ_NUMBER_SIZE];
            size_t size = grz_number_print(value, text);
            fesetround(FE_TONEAREST);
            setlocale(LC_ALL, "C");
            assert_true(bits_of(value) == bits_of(right));
            assert_null(memchr(text, ',', size));
        }
    }
}

/* As printf does it, with the fewest of 15 to 17 digits that read back. */
static void print_as_printf(char text[32], double number)
{
    for (int digits = 15; digits <= 17; digits++)
    {
        snprintf(text, 32, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    if (number == 0.0 && signbit(number))
        snprintf(text, 32, "-0.0");
}

/* Random bits; coordinates with a few binary places, where 17 digits are often halfway; decimals; powers. */
static double number_to_print(uint64_t *state, int kind)
{
    uint64_t bits = next_random(state);
    double number;
    memcpy(&number, &bits, sizeof number);
    if (kind == 1)
        return ldexp((double)(int64_t)(bits >> 24) - 0x1p39, -(int)(bits & 31));
    if (kind == 2)
        return (double)(int64_t)(bits >> 30) / 1000.0;
    if (kind == 3)
        return pow(10, (double)(int)(bits % 40) - 20) * (1 + (double)(bits >> 60));
    return isfinite(number) ? number : 0.5;
}

static void reals_are_printed_as_printf_prints_them(void **state)
{
    (void)state;
    uint64_t random = SEED;
    size_t long_ones = 0;
    for (int i = 0; i < 400000; i++)
    {
        char expected[32], text[GRZ_NUMBER_SIZE];
        double number = number_to_print(&random, i % 4);
        print_as_printf(expected, number);
        grz_real_print(number, text);
        if (strcmp(text, expected) != 0)
            fail_msg("%s instead of %s", text, expected);
        long_ones += strlen(text) >= 17;
    }
    assert_true(long_ones > 100000);
    static const double special[] = {
        0.0,      -0.0,     1e15, 1e16, 1e17, 123456789012345678.0, 1e-4, 1e-5, -1e-300, 5e-324, 1234567.00048828125,
        INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
    {
        char expected[32], text[GRZ_NUMBER_SIZE];
        print_as_printf(expected, special[i]);
        grz_real_print(special[i], text);
        assert_string_equal(text, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_are_printed_as_printf_prints_them),
        cmocka_unit_test(hard_cases_are_read_to_the_nearest_double),
        cmocka_unit_test(denormal_and_normal_halves_with_all_their_digits_are_decided_exactly),
        cmocka_unit_test(random_decimals_of_any_length_read_like_strtod),
        cmocka_unit_test(every_power_of_ten_reads_like_strtod),
        cmocka_unit_test(scaling_keeps_its_error_bound),
        cmocka_unit_test(a_million_random_doubles_print_and_read_back_the_same),
        cmocka_unit_test(printing_is_short_and_plain),
        cmocka_unit_test(words_for_infinity_and_nan_are_numbers_that_are_not_finite),
        cmocka_unit_test(what_is_no_number_is_not_taken_for_one),
        cmocka_unit_test(integers_that_do_not_fit_saturate),
        cmocka_unit_test(neither_rounding_mode_nor_locale_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
