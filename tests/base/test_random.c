/* SPDX-License-Identifier: MIT */
/* The library's seeded random numbers. */
#include "base/random.h"

#include "support/unit.h"

static void the_sequence_is_that_of_splitmix64(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1234567);
    const uint64_t first[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
                              16408922859458223821u};
    for (int i = 0; i < 5; i++)
        assert_true(grz_random_next(&random) == first[i]);
}

static void numbers_below_a_limit_are_all_reached_and_none_beyond(void **state)
{
    (void)state;
    grz_random random = grz_random_make(7);
    for (uint64_t limit = 1; limit <= 20; limit++)
    {
        int seen[20] = {0};
        for (int i = 0; i < 2000; i++)
        {
            uint64_t drawn = grz_random_below(&random, limit);
            assert_true(drawn < limit);
            seen[drawn]++;
        }
        for (uint64_t i = 0; i < limit; i++)
            assert_true(seen[i] > 1000 / (int)limit && seen[i] < 4000 / (int)limit);
    }
    for (int i = 0; i < 100; i++)
        assert_true(grz_random_below(&random, UINT64_MAX) < UINT64_MAX);
}

static void units_fill_their_interval(void **state)
{
    (void)state;
    grz_random random = grz_random_make(9);
    double lowest = 1, highest = 0, sum = 0;
    for (int i = 0; i < 10000; i++)
    {
        double unit = grz_random_unit(&random);
        assert_true(unit >= 0 && unit < 1);
        lowest = unit < lowest ? unit : lowest;
        highest = unit > highest ? unit : highest;
        sum += unit;
        double between = grz_random_between(&random, -3, 5);
        assert_true(between >= -3 && between <= 5);
    }
    assert_true(lowest < 0.01 && highest > 0.99 && sum > 4800 && sum < 5200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sequence_is_that_of_splitmix64),
        cmocka_unit_test(numbers_below_a_limit_are_all_reached_and_none_beyond),
        cmocka_unit_test(units_fill_their_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
