/* SPDX-License-Identifier: MIT */
/*
 * Triangles whose coordinates are large beside their distance: placed corners are off by as much as they are apart, or
 * a good part of it. The bounds that doubles give (src/pair/gap.c) must enclose the rational distance even there, and a
 * gap that is known for little must not exceed it, in every rounding mode.
 */
#include <math.h>
#include <stdio.h>

#include "graze/tree.h"
#include "pair/gap.h"
#include "pair/near.h"
#include "support/bodies.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/oracle_distance.h"
#include "support/unit.h"

enum
{
    PAIRS = 2500
};

/* Two triangles of size one, far from their own origins, that poses bring back; side by side along a random direction.
 */
static void make_close_pair(test_random *random, triangle_case *out)
{
    double far = ldexp(1, 34 + random_below(random, 18)), apart = random_unit(random);
    graze_pose turn = random_rotation(random);
    for (int side = 0; side < 2; side++)
    {
        double centre[3];
        out->placed[side] = true;
        out->poses[side] = random_once_in(random, 4) ? graze_pose_identity() : random_rotation(random);
        for (int k = 0; k < 3; k++)
            centre[k] = far * random_real(random, -1, 1);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                out->poses[side].m[4 * i + 3] -= out->poses[side].m[4 * i + j] * centre[j];
        for (int c = 0; c < 3; c++)
        {
            /* A's corners around the origin, B's first near it, each on its side of a plane; then turned, and seen from
               its own frame. */
            double height = side == 0 || c == 0 || random_once_in(random, 3) ? 0.5 * apart : random_unit(random);
            double angle = 2.1 * c + random_unit(random), reach = side == 1 && c == 0 ? 0.1 : 1;
            double local[3] = {reach * cos(angle), reach * sin(angle), side == 0 ? -height : height};
            for (int j = 0; j < 3; j++)
            {
                out->corners[side][c][j] = centre[j];
                for (int i = 0; i < 3; i++)
                    for (int k = 0; k < 3; k++)
                        out->corners[side][c][j] += out->poses[side].m[4 * i + j] * turn.m[4 * i + k] * local[k];
            }
        }
    }
}

static graze_placed_mesh place(triangle_case *pair, int side)
{
    static const uint32_t corners[3] = {0, 1, 2};
    graze_mesh *mesh = body_of_triangles(pair->corners[side], 3, corners, 1);
    graze_tree *tree;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, &tree), GRAZE_STATUS_OK);
    graze_placed_mesh placed = {mesh, tree, pair->poses[side]};
    return placed;
}

static void remove_placed(graze_placed_mesh *placed)
{
    graze_tree_destroy((graze_tree *)(uintptr_t)placed->tree);
    graze_mesh_destroy((graze_mesh *)(uintptr_t)placed->mesh);
}

typedef struct tally
{
    int meet, loose, gaps, loose_gaps;
} tally;

static void check_pair(const graze_placed_mesh *a, const graze_placed_mesh *b, int environment, const mpq_t exact,
                       tally *count)
{
    grz_gap_pairs pairs = {{0}, {0}, 1};
    grz_gap gaps[GRZ_LANES];
    grz_gap_frame frame;
    saved_environment saved;
    environment_enter(&saved, environment);
    grz_gap_frame_make(&frame, NULL, a, b);
    grz_gap_measure(&frame, &pairs, gaps);
    double known = grz_near_gap(NULL, a, b, 0, 0x1p300, 1000, NULL);
    environment_leave(&saved);
    assert_true(gaps[0].meet == (mpq_sgn(exact) == 0));
    assert_true(oracle_compare_distance(gaps[0].lower, exact) <= 0);
    assert_true(oracle_compare_distance(gaps[0].upper, exact) >= 0);
    assert_true(oracle_compare_distance(known, exact) <= 0);
    count->meet += gaps[0].meet;
    count->loose += gaps[0].lower > 0 && gaps[0].lower < 0.9 * gaps[0].upper;
    count->gaps += known > 0;
    count->loose_gaps += known > 0 && known < 0.8 * gaps[0].distance;
}

static void bounds_enclose_distances_that_are_as_small_as_errors(void **state)
{
    (void)state;
    test_random random = test_random_start("gap bounds", 63);
    oracle *judge = oracle_create();
    mpq_t exact;
    mpq_init(exact);
    tally count = {0};
    for (int k = 0; k < PAIRS; k++)
    {
        triangle_case pair;
        make_close_pair(&random, &pair);
        graze_placed_triangle first = case_triangle(&pair, 0), second = case_triangle(&pair, 1);
        oracle_distance_sq(judge, &first, &second, exact);
        graze_placed_mesh a = place(&pair, 0), b = place(&pair, 1);
        check_pair(&a, &b, 2 * (k % ROUNDING_MODES), exact, &count);
        remove_placed(&a);
        remove_placed(&b);
    }
    mpq_clear(exact);
    oracle_destroy(judge);
    printf("of %d pairs %d meet, bounds of %d are loose; %d gaps are known, %d of them below the share\n", PAIRS,
           count.meet, count.loose, count.gaps, count.loose_gaps);
    assert_true(count.meet > PAIRS / 200 && count.loose > PAIRS / 20 && count.gaps > PAIRS / 4);
    assert_true(count.loose_gaps > PAIRS / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_enclose_distances_that_are_as_small_as_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
