/* SPDX-License-Identifier: MIT */
/* First impacts that follow from doubles are those of the exact test of two moving triangles, and triangles at the
 * limit of what doubles can say are left to it. */
#include "motion/shared_impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/motion_query.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(300)
};

static graze_pose random_pose(test_random *random, double reach)
{
    double q[4], shift[3];
    for (int k = 0; k < 4; k++)
        q[k] = random_real(random, -1, 1);
    for (int k = 0; k < 3; k++)
        shift[k] = random_real(random, -reach, reach);
    graze_pose pose;
    assert_int_equal(graze_pose_from_quaternion(q, shift, &pose), GRAZE_STATUS_OK);
    return pose;
}

static graze_motion random_motion(test_random *random)
{
    static const graze_motion_kind kinds[3] = {GRAZE_MOTION_TURN, GRAZE_MOTION_TURN, GRAZE_MOTION_BLEND};
    graze_pose from = random_pose(random, 1.5), to = from;
    graze_motion motion;
    double angle = random_real(random, -0.6, 0.6), c = cos(angle), s = sin(angle);
    for (int k = 0; k < 3; k++)
    {
        to.m[k] = c * from.m[k] - s * from.m[4 + k];
        to.m[4 + k] = s * from.m[k] + c * from.m[4 + k];
        to.m[4 * k + 3] = random_real(random, -1.5, 1.5);
    }
    assert_int_equal(graze_motion_between(&from, &to, kinds[random_below(random, 3)], &motion, NULL), GRAZE_STATUS_OK);
    return motion;
}

static void first_time(const graze_moving_mesh *a, const graze_moving_mesh *b, uint32_t i, uint32_t j,
                       grz_pair_time *out)
{
    const grz_impact_question question = {.details = true, .until = 1};
    assert_int_equal(grz_pair_first_time(NULL, a, b, i, j, &question, out), GRAZE_STATUS_OK);
}

static void check_same_time(const graze_impact_interval *a, const graze_impact_interval *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_true(a->lower == b->lower && a->upper == b->upper);
}

/* Pairs around the first impact of two bodies, each compared with the exact test. */
static void compare_neighbours(const graze_moving_mesh *a, const graze_moving_mesh *b, const grz_pair_time *best,
                               int shared_by[4], int *refused)
{
    for (uint32_t i = 0; i < graze_mesh_triangle_count(a->mesh); i++)
        for (uint32_t j = 0; j < graze_mesh_triangle_count(b->mesh); j++)
        {
            grz_shared_impact shared = {0};
            grz_pair_time exact, found;
            if (i == best->a && j == best->b)
                continue;
            first_time(a, b, i, j, &exact);
            /* As a search knows it: nothing before this. Sometimes the very time, more often somewhat earlier. */
            double from = exact.found ? exact.contact.when.lower : 1;
            from *= (i + j) % 3 == 0 ? 1 : (i + j) % 3 == 1 ? 1 - 0x1p-12 : 0.99;
            bool is_tie = exact.found && exact.contact.when.lower == best->contact.when.lower &&
                          exact.contact.when.upper == best->contact.when.upper;
            if (!grz_pair_shares_impact(&shared, a, b, best, i, j, from, &found))
            {
                *refused += is_tie;
                continue;
            }
            int order = 1;
            assert_true(is_tie && found.found && found.a == i && found.b == j);
            assert_int_equal(grz_pair_times_compare(NULL, a, b, false, &found, &exact, &order), GRAZE_STATUS_OK);
            assert_int_equal(order, 0);
            assert_memory_equal(&found.contact.contact, &exact.contact.contact, sizeof exact.contact.contact);
            check_same_time(&found.contact.when, &exact.contact.when);
            unsigned mask = best->contact.contact.mask_a;
            shared_by[mask == 7 ? 3 : (mask & (mask - 1)) != 0 ? 2 : 1]++;
        }
}

static void pairs_of_shared_features_meet_at_the_same_time(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 21);
    graze_mesh *meshes[2];
    int shared_by[4] = {0}, refused = 0, impacts = 0;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.7, 1, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 0.7, 0.5, 1, &meshes[1]), GRAZE_STATUS_OK);
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_moving_mesh a = {meshes[random_below(&random, 2)], NULL, NULL, random_motion(&random)};
        graze_moving_mesh b = {meshes[random_below(&random, 2)], NULL, NULL, random_motion(&random)};
        graze_impact impact;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &impact), GRAZE_STATUS_OK);
        if (impact.verdict != GRAZE_IMPACT_AT || impact.at_start)
            continue;
        grz_pair_time best;
        first_time(&a, &b, impact.hit.triangle_a, impact.hit.triangle_b, &best);
        compare_neighbours(&a, &b, &best, shared_by, &refused);
        impacts++;
    }
    print_message("%d impacts: %d shared a vertex of A, %d edges, %d a vertex of B; %d left to the exact test\n",
                  impacts, shared_by[1], shared_by[2], shared_by[3], refused);
    assert_true(impacts > ROUNDS / 8 && shared_by[1] > impacts / 8 && shared_by[2] > impacts / 8 &&
                shared_by[3] > impacts / 8);
    assert_true(refused < (shared_by[1] + shared_by[2] + shared_by[3]) / 4);
    for (int i = 0; i < 2; i++)
        graze_mesh_destroy(meshes[i]);
}

/* A mesh that falls by 2 onto another that stays; asked whether pair (second, `other`) shares the impact of the first
   pair, which is at one half. */
static bool shares(const double (*above)[3], size_t above_count, const uint32_t above_corners[6],
                   const double (*below)[3], size_t below_count, const uint32_t below_corners[6], uint32_t other_b,
                   grz_pair_time *exact, grz_pair_time *found)
{
    graze_mesh *meshes[2];
    graze_mesh_def def = graze_mesh_def_default();
    for (int i = 0; i < 2; i++)
    {
        def.vertices = i == 0 ? above : below;
        def.vertex_count = i == 0 ? above_count : below_count;
        def.corners = i == 0 ? above_corners : below_corners;
        def.corner_count = 6;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &meshes[i]), GRAZE_STATUS_OK);
    }
    const graze_pose from = graze_pose_identity(), to = graze_pose_translation(0, 0, -2);
    graze_moving_mesh a = {meshes[0], NULL, NULL, {0}}, b = {meshes[1], NULL, NULL, {0}};
    assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_BLEND, &a.motion, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_still(&from, &b.motion), GRAZE_STATUS_OK);
    grz_pair_time best;
    grz_shared_impact shared = {0};
    first_time(&a, &b, 0, 0, &best);
    first_time(&a, &b, 1, other_b, exact);
    assert_true(best.found && best.contact.when.lower == 0.5);
    double known = exact->contact.when.lower * (1 - 0x1p-40);
    bool answer = grz_pair_shares_impact(&shared, &a, &b, &best, 1, other_b, known, found);
    for (int i = 0; i < 2; i++)
        graze_mesh_destroy(meshes[i]);
    return answer;
}

/* A tip above a floor, in a triangle that is above it, and in another whose third corner is lower, level or higher. */
static void a_triangle_that_reaches_lower_is_not_taken_for_its_vertex(void **state)
{
    (void)state;
    int taken = 0, refused = 0;
    for (int step = -40; step <= 40; step++)
    {
        double high = step == 0 ? 1 : 1 + copysign(ldexp(1, -abs(step) - 8), step);
        const double above[5][3] = {{0, 0, 1}, {1, 0, 2}, {0, 1, 2}, {-0.25, 0, high}, {0, -0.25, 2}};
        const double below[3][3] = {{-3, -3, 0}, {3, -3, 0}, {0, 3, 0}};
        const uint32_t corners[6] = {0, 1, 2, 0, 3, 4}, floor[6] = {0, 1, 2, 0, 1, 2};
        grz_pair_time exact, found;
        bool answer = shares(above, 5, corners, below, 3, floor, 0, &exact, &found);
        assert_true(exact.found && (exact.contact.when.lower < 0.5) == (high < 1));
        if (answer)
            assert_true(high > 1 &&
                        memcmp(&found.contact.contact, &exact.contact.contact, sizeof exact.contact.contact) == 0);
        taken += answer;
        refused += !answer;
    }
    print_message("%d taken, %d refused\n", taken, refused);
    assert_true(taken > 12 && refused >= 41);
}

/* An edge along x above one along y: the third corner of the other triangle of either is beyond it, level, or between.
 */
static void triangles_between_two_edges_are_not_taken_for_them(void **state)
{
    (void)state;
    int taken = 0, refused = 0;
    for (int side = 0; side < 2; side++)
        for (int step = -40; step <= 40; step++)
        {
            double by = step == 0 ? 0 : copysign(ldexp(1, -abs(step) - 2), step);
            const double above[4][3] = {{-1, 0, 1}, {1, 0, 1}, {0, 1, 2}, {0, -0.25, side == 0 ? 1 + by : 2}};
            const double below[4][3] = {{0, -1, 0}, {0, 1, 0}, {1, 0, -1}, {-0.25, 0, side == 0 ? -1 : -by}};
            const uint32_t corners[6] = {0, 1, 2, 1, 0, 3};
            grz_pair_time exact, found;
            bool answer = shares(above, 4, corners, below, 4, corners, 1, &exact, &found);
            assert_true(exact.found);
            if (answer)
                assert_true(by > 0 && !(exact.contact.when.lower < 0.5) &&
                            memcmp(&found.contact.contact, &exact.contact.contact, sizeof exact.contact.contact) == 0);
            taken += answer;
            refused += !answer;
        }
    print_message("%d taken, %d refused\n", taken, refused);
    assert_true(taken > 50 && refused >= 82);
}

/* Random pairs at the start, on a grid as well, where they touch in all ways; and on one so fine that products of three
   coordinates are lost. */
static void triangles_that_cross_at_the_start_are_known(void **state)
{
    (void)state;
    enum
    {
        TRIANGLES = 24
    };
    test_random random = test_random_start(__func__, 22);
    int known = 0, crossing = 0, touching = 0;
    for (int round = 0; round < ROUNDS / 6; round++)
    {
        bool grid = round % 2 == 0;
        double unit = round % 4 == 0 ? 0x1p-359 : 1;
        graze_mesh *meshes[2];
        graze_moving_mesh moving[2];
        for (int side = 0; side < 2; side++)
        {
            static double points[3 * TRIANGLES][3];
            static uint32_t corners[3 * TRIANGLES];
            for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
            {
                corners[i] = i;
                for (int k = 0; k < 3; k++)
                    points[i][k] = grid ? random_between(&random, -2, 2) * unit : random_real(&random, -2, 2);
            }
            graze_mesh_def def = graze_mesh_def_default();
            def.vertices = points;
            def.vertex_count = def.corner_count = 3 * TRIANGLES;
            def.corners = corners;
            assert_int_equal(graze_mesh_create(NULL, &def, NULL, &meshes[side]), GRAZE_STATUS_OK);
            moving[side] = (graze_moving_mesh){meshes[side], NULL, NULL, random_motion(&random)};
            if (grid)
                moving[side].motion.kind = GRAZE_MOTION_BLEND;
            if (grid)
                moving[side].motion.start = graze_pose_identity();
        }
        grz_shared_impact shared = {0};
        for (uint32_t i = 0; i < TRIANGLES; i++)
            for (uint32_t j = 0; j < TRIANGLES; j++)
            {
                grz_pair_time exact, found;
                bool answer = grz_pair_crosses_at_start(&shared, &moving[0], &moving[1], i, j, &found);
                if (!answer && !grid && (i + j) % 4 != 0)
                    continue;
                first_time(&moving[0], &moving[1], i, j, &exact);
                bool at_start = exact.found && !(exact.contact.when.upper > 0);
                crossing += at_start && exact.contact.crosses;
                touching += at_start && !exact.contact.contact.crossing;
                known += answer;
                if (!answer)
                    continue;
                assert_true(at_start && exact.contact.crosses && found.contact.crosses);
                assert_memory_equal(&found.contact.contact, &exact.contact.contact, sizeof exact.contact.contact);
                check_same_time(&found.contact.when, &exact.contact.when);
            }
        for (int side = 0; side < 2; side++)
            graze_mesh_destroy(meshes[side]);
    }
    print_message("%d known of %d that cross; %d touch\n", known, crossing, touching);
    assert_true(known > 500 && known > crossing / 2 && touching > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_shared_features_meet_at_the_same_time),
        cmocka_unit_test(a_triangle_that_reaches_lower_is_not_taken_for_its_vertex),
        cmocka_unit_test(triangles_between_two_edges_are_not_taken_for_them),
        cmocka_unit_test(triangles_that_cross_at_the_start_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
