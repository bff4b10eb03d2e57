/* SPDX-License-Identifier: MIT */
/*
 * Meshes of one triangle each, from every generator: the distance's bounds enclose the rational distance, it is 0
 * exactly when they meet, and every tolerance is decided as by rationals, in every floating-point environment.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/distance.h"
#include "support/bodies.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/oracle_distance.h"
#include "support/unit.h"

enum
{
    PAIRS_PER_GENERATOR = 60,
    TOLERANCES = 8
};

typedef struct tally
{
    int pairs, zero, positive, tight, on_the_mark, far_ends;
} tally;

static graze_placed_mesh place(const triangle_case *pair, int side, graze_mesh **out_mesh)
{
    static const uint32_t corners[3] = {0, 1, 2};
    double vertices[3][3];
    memcpy(vertices, pair->corners[side], sizeof vertices);
    *out_mesh = body_of_triangles(vertices, 3, corners, 1);
    graze_placed_mesh placed = {.mesh = *out_mesh,
                                .pose = pair->placed[side] ? pair->poses[side] : graze_pose_identity()};
    return placed;
}

static void refuse(const triangle_case *pair, const char *what, const graze_distance *d)
{
    case_print(pair);
    printf("%s: found %d distance %a in [%a, %a]\n", what, d->found, d->distance, d->lower, d->upper);
    fail();
}

static void check_distance(const triangle_case *pair, const graze_distance *d, const mpq_t exact, tally *count)
{
    bool zero = mpq_sgn(exact) == 0;
    if (!d->found || (d->distance == 0) != zero || !(d->lower <= d->distance && d->distance <= d->upper))
        refuse(pair, "inconsistent", d);
    if (oracle_compare_distance(d->lower, exact) > 0 || oracle_compare_distance(d->upper, exact) < 0)
        refuse(pair, "bounds do not enclose", d);
    count->zero += zero;
    count->positive += !zero;
    bool ordinary = d->distance < 1e290 && d->distance > 1e-290;
    count->far_ends += !zero && !ordinary;
    if (!zero && ordinary && !(d->upper - d->lower <= 0x1p-34 * d->upper))
        refuse(pair, "bounds are not tight", d);
    count->tight += !zero && d->upper - d->lower <= 0x1p-44 * d->upper;
}

/* Tolerances around the distance, and at it where it is a double. */
static void check_tolerances(const triangle_case *pair, const graze_placed_mesh *a, const graze_placed_mesh *b,
                             const graze_distance *d, const mpq_t exact, tally *count)
{
    double middle = fmin(d->distance, DBL_MAX);
    double numbers[TOLERANCES] = {0,
                                  middle,
                                  d->lower,
                                  nextafter(middle, 0),
                                  nextafter(middle, INFINITY),
                                  1.0,
                                  fmin(d->upper, DBL_MAX),
                                  rint(4 * middle) / 4};
    for (int i = 0; i < TOLERANCES; i++)
    {
        if (isinf(numbers[i]))
            continue;
        int order = oracle_compare_distance(numbers[i], exact);
        bool found = false;
        uint64_t number = 0;
        assert_int_equal(graze_pair_tolerance_any(NULL, a, b, numbers[i], NULL, &found, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_tolerance_count(NULL, b, a, numbers[i], NULL, &number), GRAZE_STATUS_OK);
        if (found != (order >= 0) || (number == 1) != (order >= 0))
        {
            printf("tolerance %a\n", numbers[i]);
            refuse(pair, "tolerance decided wrongly", d);
        }
        count->on_the_mark += order == 0 && numbers[i] > 0;
    }
}

static void check_swapped(const triangle_case *pair, const graze_placed_mesh *a, const graze_placed_mesh *b,
                          const graze_distance *d)
{
    graze_distance swapped;
    assert_int_equal(graze_pair_distance(NULL, b, a, NULL, &swapped), GRAZE_STATUS_OK);
    if (swapped.distance != d->distance || swapped.lower != d->lower || swapped.upper != d->upper ||
        memcmp(swapped.point_a, d->point_b, sizeof d->point_b) != 0 ||
        memcmp(swapped.point_b, d->point_a, sizeof d->point_a) != 0)
        refuse(pair, "swapping changes the answer", &swapped);
}

static void check_pair(oracle *judge, const triangle_case *pair, int environment, tally *count)
{
    graze_mesh *meshes[2];
    graze_placed_mesh a = place(pair, 0, &meshes[0]), b = place(pair, 1, &meshes[1]);
    graze_placed_triangle first = case_triangle(pair, 0), second = case_triangle(pair, 1);
    mpq_t exact;
    mpq_init(exact);
    oracle_distance_sq(judge, &first, &second, exact);
    graze_distance d;
    saved_environment saved;
    environment_enter(&saved, environment);
    graze_status status = graze_pair_distance(NULL, &a, &b, NULL, &d);
    environment_leave(&saved);
    assert_int_equal(status, GRAZE_STATUS_OK);
    check_distance(pair, &d, exact, count);
    if (environment == 0)
    {
        check_tolerances(pair, &a, &b, &d, exact, count);
        check_swapped(pair, &a, &b, &d);
    }
    count->pairs++;
    mpq_clear(exact);
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

static void distances_and_tolerances_agree_with_rationals(void **state)
{
    (void)state;
    test_random random = test_random_start("distance of triangles", 11);
    oracle *judge = oracle_create();
    tally count = {0};
    for (size_t g = 0; g < generator_count; g++)
    {
        for (int k = 0; k < PAIRS_PER_GENERATOR; k++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            check_pair(judge, &pair, 0, &count);
        }
    }
    oracle_destroy(judge);
    printf("%d pairs, %d at 0, %d apart, %d tight, %d tolerances on the mark, %d at the far ends\n", count.pairs,
           count.zero, count.positive, count.tight, count.on_the_mark, count.far_ends);
    assert_true(count.zero > 500 && count.positive > 500 && count.tight > 300);
    assert_true(count.on_the_mark > 50 && count.far_ends > 10);
}

static void distances_hold_in_every_floating_point_environment(void **state)
{
    (void)state;
    test_random random = test_random_start("distance in environments", 12);
    oracle *judge = oracle_create();
    tally count = {0};
    for (size_t g = 0; g < generator_count; g++)
    {
        for (int environment = 1; environment < ENVIRONMENTS; environment++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            check_pair(judge, &pair, environment, &count);
        }
    }
    oracle_destroy(judge);
    assert_true(count.zero > 50 && count.positive > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_and_tolerances_agree_with_rationals),
        cmocka_unit_test(distances_hold_in_every_floating_point_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
