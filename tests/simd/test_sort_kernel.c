/* SPDX-License-Identifier: MIT */
/* Every compilation of the sort puts numbers in the order that qsort does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "simd/kernels.h"
#include "support/unit.h"

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void few_numbers_come_out_sorted(void **state)
{
    (void)state;
    grz_random random = grz_random_make(44);
    printf("seed 44\n");
    for (int round = 0; round < 2000; round++)
    {
        uint64_t numbers[GRZ_SORT_MOST], expected[GRZ_SORT_MOST], sorted[GRZ_SORT_MOST + 1];
        unsigned count = (unsigned)grz_random_below(&random, GRZ_SORT_MOST + 1);
        for (unsigned i = 0; i < count; i++) /* different by their lowest byte; 0 and the largest are among them */
        {
            uint64_t upper = round % 2 == 0 ? grz_random_below(&random, 8) : grz_random_next(&random) >> 9;
            numbers[i] = upper << 8 | ((i * 37 + (unsigned)round) % 256);
        }
        if (count > 1 && round % 3 == 0)
        {
            numbers[0] = INT64_MAX;
            numbers[1] = 0;
        }
        memcpy(expected, numbers, count * sizeof *numbers);
        qsort(expected, count, sizeof *expected, by_size);
        for (int choice = GRAZE_INSTRUCTIONS_SCALAR; choice < GRAZE_INSTRUCTIONS_COUNT; choice++)
        {
            sorted[count] = 77;
            grz_kernels_for((graze_instructions)choice)->sort(numbers, count, sorted);
            assert_memory_equal(sorted, expected, count * sizeof *expected);
            assert_int_equal(sorted[count], 77);
        }
    }
}

/* A forged tree may name a triangle twice. The output then need not be sorted, but holds only inputs. */
static void of_equal_numbers_come_only_such_as_were_given(void **state)
{
    (void)state;
    grz_random random = grz_random_make(45);
    printf("seed 45\n");
    unsigned repeated = 0;
    for (int round = 0; round < 500; round++)
    {
        uint64_t numbers[GRZ_SORT_MOST], sorted[GRZ_SORT_MOST + 1];
        unsigned count = (unsigned)grz_random_below(&random, GRZ_SORT_MOST + 1);
        for (unsigned i = 0; i < count; i++)
            numbers[i] = 1000 + grz_random_below(&random, 40);
        repeated += count > 40;
        for (int choice = GRAZE_INSTRUCTIONS_SCALAR; choice < GRAZE_INSTRUCTIONS_COUNT; choice++)
        {
            memset(sorted, 0xff, sizeof sorted);
            grz_kernels_for((graze_instructions)choice)->sort(numbers, count, sorted);
            for (unsigned i = 0; i < count; i++)
                assert_in_range(sorted[i], 1000, 1039);
            assert_true(sorted[count] == UINT64_MAX);
        }
    }
    assert_true(repeated > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_numbers_come_out_sorted),
                                       cmocka_unit_test(of_equal_numbers_come_only_such_as_were_given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
