/* SPDX-License-Identifier: MIT */
/*
 * Four points around the origin: proved only where the distance of the origin from all four faces exceeds the error of
 * the points; and the weights by which they add up to the origin.
 */
#include "convex/origin_simplex.h"

#include <math.h>
#include <stdio.h>

#include "support/random.h"
#include "support/unit.h"

enum
{
    SEED = 1812
};

/* A tetrahedron whose first face is in the plane z = -height, and the others far away; its points in a random order. */
static void tetrahedron(test_random *random, double height, v3 points[4])
{
    v3 p[4] = {{-2, -1, -height}, {2, -1, -height}, {0.25, 3, -height}, {0, 0.25, 4}};
    for (int i = 0; i < 3; i++)
    {
        p[i].x += random_real(random, -0.25, 0.25);
        p[i].y += random_real(random, -0.25, 0.25);
    }
    int first = random_below(random, 4), step = random_once_in(random, 2) ? 1 : 3;
    for (int i = 0; i < 4; i++)
        points[(first + step * i) % 4] = p[i];
}

static void the_proof_needs_more_than_the_error(void **state)
{
    (void)state;
    test_random random = test_random_start("tetrahedra around the origin", SEED);
    size_t proved = 0, refused = 0;
    for (int round = 0; round < TEST_ROUNDS(20000); round++)
    {
        v3 points[4];
        double error = pow(2, random_between(&random, -40, -4)), factor = random_real(&random, 0.5, 1.5);
        if (random_once_in(&random, 4))
            factor = -factor;
        tetrahedron(&random, factor * error, points);
        bool surrounded = grz_origin_is_surrounded(points, error);
        if (factor <= 1)
            assert_false(surrounded);
        if (factor > 1.1)
            assert_true(surrounded);
        proved += surrounded;
        refused += !surrounded;
    }
    assert_true(proved > 4000 / (SUPPORT_SANITIZED ? 4 : 1) && refused > 4000 / (SUPPORT_SANITIZED ? 4 : 1));
}

/* A ball about the origin that is smaller than the one inside by less than roundings may take proves nothing. */
static void the_margin_for_roundings_is_kept(void **state)
{
    (void)state;
    static const v3 regular[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    double inner = 1 / sqrt(3), lost = 0x1p-49 * 3 * sqrt(3);
    for (int scale = 0; scale < 4; scale++)
    {
        v3 points[4];
        for (int i = 0; i < 4; i++)
            points[i] = v3_scale(ldexp(1, 20 * scale - 40), regular[i]);
        assert_true(grz_origin_is_surrounded(points, ldexp(inner - 1.25 * lost, 20 * scale - 40)));
        assert_false(grz_origin_is_surrounded(points, ldexp(inner - 0.75 * lost, 20 * scale - 40)));
    }
}

static void flat_tetrahedra_prove_nothing(void **state)
{
    (void)state;
    test_random random = test_random_start("flat tetrahedra", SEED);
    for (int round = 0; round < TEST_ROUNDS(2000); round++)
    {
        v3 points[4];
        tetrahedron(&random, 1, points);
        for (int i = 0; i < 4; i++)
            points[i].z = 0;
        assert_false(grz_origin_is_surrounded(points, 0));
        points[1] = points[0];
        assert_false(grz_origin_is_surrounded(points, 0));
    }
}

static void weights_add_up_to_the_origin(void **state)
{
    (void)state;
    test_random random = test_random_start("weights", SEED);
    for (int round = 0; round < TEST_ROUNDS(2000); round++)
    {
        v3 points[4], sum = {0, 0, 0};
        wide3 wide[4];
        double weights[4], total = 0;
        tetrahedron(&random, random_real(&random, 0.001, 1), points);
        for (int i = 0; i < 4; i++)
            wide[i] = wide3_from(points[i]);
        double least = grz_origin_weights(wide, weights);
        assert_true(least > 0);
        for (int i = 0; i < 4; i++)
        {
            assert_true(weights[i] >= least * (1 - 1e-12));
            total += weights[i];
            sum = v3_add(sum, v3_scale(weights[i], points[i]));
        }
        assert_true(fabs(total - 1) < 1e-14 && v3_length(sum) < 1e-13);
        for (int i = 0; i < 4; i++)
            wide[i].z = dd_make(points[i].z + 10);
        assert_true(grz_origin_weights(wide, weights) < 0);
        total = 0; /* those below 0 are left out, the others still add up to 1 */
        for (int i = 0; i < 4; i++)
        {
            assert_true(weights[i] >= 0);
            total += weights[i];
        }
        assert_true(fabs(total - 1) < 1e-14);
        for (int i = 0; i < 4; i++)
            wide[i].z = dd_make(0);
        assert_true(grz_origin_weights(wide, weights) == -INFINITY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_proof_needs_more_than_the_error),
        cmocka_unit_test(the_margin_for_roundings_is_kept),
        cmocka_unit_test(flat_tetrahedra_prove_nothing),
        cmocka_unit_test(weights_add_up_to_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
