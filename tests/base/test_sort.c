/* SPDX-License-Identifier: MIT */
/* Sorting by key gives the order of the C library's sort, with equal keys in the order they came in. */
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = 3000
};

static int by_key_and_value(const void *a, const void *b)
{
    const grz_key_value *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Keys of up to 64 bits, or of fewer, or of few kinds. */
static uint64_t random_key(test_random *random, int kind)
{
    uint64_t key = random_next(random);
    return kind == 0 ? key : (kind == 1 ? key >> 40 : key % 7 * UINT64_C(0x0101010101010101));
}

static void entries_come_out_sorted_and_stable(void **state)
{
    (void)state;
    test_random random = test_random_start("entries_come_out_sorted_and_stable", 31);
    grz_key_value *entries = calloc(2 * MOST, sizeof *entries), *expected = calloc(MOST, sizeof *expected);
    for (int round = 0; round < 200; round++)
    {
        size_t count = (size_t)random_below(&random, round % 2 ? MOST : 60);
        for (size_t i = 0; i < count; i++)
            entries[i] = expected[i] = (grz_key_value){random_key(&random, round % 3), i};
        qsort(expected, count, sizeof *expected, by_key_and_value);
        grz_sort_keyed(entries, entries + count, count);
        assert_memory_equal(entries, expected, count * sizeof *expected);
    }
    free(entries);
    free(expected);
}

static int by_upper_half(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static void words_come_out_sorted_by_their_upper_halves(void **state)
{
    (void)state;
    test_random random = test_random_start("words_come_out_sorted_by_their_upper_halves", 32);
    uint64_t *words = calloc(2 * MOST, sizeof *words), *expected = calloc(MOST, sizeof *expected);
    for (int round = 0; round < 200; round++)
    {
        size_t count = (size_t)random_below(&random, round % 2 ? MOST : 200);
        for (size_t i = 0; i < count; i++) /* indices in the lower halves, so that stable order is ascending order */
            words[i] = expected[i] = random_key(&random, round % 3) << 32 | i;
        qsort(expected, count, sizeof *expected, by_upper_half);
        grz_sort_words(words, words + count, count);
        assert_memory_equal(words, expected, count * sizeof *expected);
    }
    free(words);
    free(expected);
}

/* Numbers that differ above the bits they carry: indices there, and distinct keys above. */
static void numbers_come_out_sorted(void **state)
{
    (void)state;
    test_random random = test_random_start("numbers_come_out_sorted", 33);
    uint64_t *numbers = calloc(2 * MOST, sizeof *numbers), *expected = calloc(MOST, sizeof *expected);
    int merged = 0, by_digits = 0;
    for (int round = 0; round < 600; round++)
    {
        size_t count = round < 40 ? (size_t)round : (size_t)random_below(&random, round % 2 ? MOST : 600);
        unsigned carried = (unsigned)random_below(&random, 13);
        for (size_t i = 0; i < count; i++)
        {
            /* an odd factor permutes the upper bits: all of them, or the lower 12 of these */
            uint64_t key = round % 3 == 0 ? i * UINT64_C(0x9e3779b97f4a7c15) : i * 1365 % 4096;
            numbers[i] = expected[i] = key << carried | (random_next(&random) & ((UINT64_C(1) << carried) - 1));
        }
        qsort(expected, count, sizeof *expected, by_upper_half);
        grz_sort_numbers(numbers, numbers + count, count, carried);
        assert_memory_equal(numbers, expected, count * sizeof *expected);
        merged += count > 4 && count < 500;
        by_digits += count > 600;
    }
    assert_true(merged > 200 && by_digits > 100);
    free(numbers);
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(entries_come_out_sorted_and_stable),
                                       cmocka_unit_test(numbers_come_out_sorted),
                                       cmocka_unit_test(words_come_out_sorted_by_their_upper_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
