/* SPDX-License-Identifier: MIT */
/* A point is where one near it is known to be: not farther away than one of both is from the surface. */
#include "pair/depth/penetration_work.h"

#include <math.h>
#include <stdio.h>

#include "support/environment.h"
#include "support/random.h"
#include "support/unit.h"

/* Distances whose squares underflow, and are flushed in some environments, as well as usual ones. */
static void only_points_in_the_ball_are_known(void **state)
{
    (void)state;
    test_random random = test_random_start("only_points_in_the_ball_are_known", 2718);
    size_t known = 0, unknown = 0;
    for (int i = 0; i < 20000; i++)
    {
        double size = ldexp(1, i % 4 == 0 ? 0 : -(i % 4) * 100 - 211 - random_below(&random, 2));
        double points[2][3], distances[2], square = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            points[0][axis] = 0;
            points[1][axis] = size * random_real(&random, 0.9, 1);
            square += points[1][axis] / size * (points[1][axis] / size);
        }
        double apart = size * sqrt(square);
        for (int k = 0; k < 2; k++)
            distances[k] = apart * (k == i / 4 % 2 ? random_real(&random, 0.5, 1.2) : 0.1);
        grz_located_points located = {.count = 0};
        bool inside = i % 3 == 0, found_inside = !inside;
        saved_environment saved;
        environment_enter(&saved, i % ENVIRONMENTS);
        grz_located_points_add(&located, points[0], distances[0], i % 3 == 0);
        bool found = grz_located_points_classify(&located, points[1], distances[1], &found_inside);
        environment_leave(&saved);
        assert_true(!found || (fmax(distances[0], distances[1]) > apart * (1 - 1e-14) && found_inside == inside));
        known += found;
        unknown += !found;
    }
    printf("%zu known, %zu not\n", known, unknown);
    assert_true(known > 2000 && unknown > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_points_in_the_ball_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
