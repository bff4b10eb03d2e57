/* SPDX-License-Identifier: MIT */
/* Every compilation of the sweep reports the boxes that a plain loop finds. */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "simd/kernels.h"
#include "support/unit.h"

static void sweeps_name_the_same_boxes(void **state)
{
    (void)state;
    enum
    {
        COUNT = 100
    };
    grz_random random = grz_random_make(43);
    printf("seed 43\n");
    unsigned long found = 0;
    for (int round = 0; round < 2000; round++)
    {
        float ends[6][COUNT + GRZ_LANES] = {{0}}, lower[3], upper[3];
        size_t count = grz_random_below(&random, COUNT + 1), first = grz_random_below(&random, (uint32_t)count + 1);
        for (size_t i = 0; i < COUNT + GRZ_LANES; i++)
        {
            for (int k = 0; k < 3; k++)
            {
                ends[k][i] = (float)grz_random_below(&random, 20);
                ends[3 + k][i] = ends[k][i] + (float)grz_random_below(&random, 8);
            }
            ends[0][i] = i < count ? (float)(i / 4) : INFINITY;
        }
        for (int k = 0; k < 3; k++)
        {
            lower[k] = k == 0 ? 0 : (float)grz_random_below(&random, 20);
            upper[k] = lower[k] + (float)grz_random_below(&random, 8);
        }
        upper[0] = (float)grz_random_below(&random, 30);
        grz_sorted_boxes row = {{ends[0], ends[1], ends[2]}, {ends[3], ends[4], ends[5]}};
        uint32_t expected[COUNT], places[COUNT];
        size_t expected_count = 0;
        for (size_t i = first; i < count && ends[0][i] <= upper[0]; i++)
            if (ends[1][i] <= upper[1] && lower[1] <= ends[4][i] && ends[2][i] <= upper[2] && lower[2] <= ends[5][i])
                expected[expected_count++] = (uint32_t)i;
        for (int choice = GRAZE_INSTRUCTIONS_SCALAR; choice < GRAZE_INSTRUCTIONS_COUNT; choice++)
        {
            const grz_kernels *kernels = grz_kernels_for((graze_instructions)choice);
            assert_int_equal(kernels->sweep(&row, first, lower, upper, places), expected_count);
            if (expected_count > 0)
                assert_memory_equal(places, expected, expected_count * sizeof *places);
        }
        found += expected_count;
    }
    assert_true(found > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweeps_name_the_same_boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
