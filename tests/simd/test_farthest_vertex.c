/* SPDX-License-Identifier: MIT */
/* The farthest vertex: as by looking at one vertex after the other. */
#include "simd/farthest_vertex.h"

#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = 140
};

static void it_is_that_of_a_loop(void **state)
{
    (void)state;
    test_random random = test_random_start("it_is_that_of_a_loop", 31);
    double vertices[3 * MOST] = {0};
    int later_blocks = 0, ties = 0;
    for (int round = 0; round < TEST_ROUNDS(4000); round++)
    {
        size_t count = (size_t)random_between(&random, 1, MOST);
        bool grid = random_once_in(&random, 3);
        double q[3];
        for (int k = 0; k < 3; k++)
            q[k] = grid ? random_between(&random, -2, 2) : random_real(&random, -1, 1);
        for (size_t i = 0; i < 3 * count; i++)
            vertices[i] = grid ? random_between(&random, -3, 3) : random_real(&random, -1, 1);
        double best = -INFINITY;
        uint32_t first = 0, found = MOST;
        for (uint32_t v = 0; v < count; v++)
        {
            double height = q[0] * vertices[3 * v] + q[1] * vertices[3 * v + 1] + q[2] * vertices[3 * v + 2];
            ties += height == best;
            first = height > best ? v : first;
            best = height > best ? height : best;
        }
        assert_true(grz_farthest_vertex(vertices, count, q, &found) == best);
        assert_int_equal(found, first);
        later_blocks += first >= 32;
    }
    assert_true(later_blocks > TEST_ROUNDS(1000) && ties > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_that_of_a_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
