/* SPDX-License-Identifier: MIT */
/* The order of the first times of pairs of triangles where doubles do not tell them apart. */
#include "motion/pair_kernel.h"

#include <math.h>

#include "graze/mesh.h"
#include "support/unit.h"

/* Two parallel faces a 2^-112 apart, and one that comes with a corner ahead. */
static void times_between_the_same_doubles_have_their_order(void **state)
{
    (void)state;
    const double near = 0x1p-60, far = 0x1p-60 + 0x1p-112;
    const double walls[6][3] = {{near, -1, -1}, {near, 2, -1}, {near, -1, 2},
                                {far, -1, -1},  {far, 2, -1},  {far, -1, 2}};
    const double tip[3][3] = {{0, 0.25, 0.25}, {-1, 0, 0}, {-1, 1, 0}};
    const uint32_t corners[6] = {0, 1, 2, 3, 4, 5};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *a = NULL, *b = NULL;
    def.vertices = walls;
    def.vertex_count = def.corner_count = 6;
    def.corners = corners;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &a), GRAZE_STATUS_OK);
    def.vertices = tip;
    def.vertex_count = def.corner_count = 3;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &b), GRAZE_STATUS_OK);
    graze_moving_mesh moving_a = {a, NULL, NULL, {0}}, moving_b = {b, NULL, NULL, {0}};
    const graze_pose at = graze_pose_translation(1, 0, 0), from = graze_pose_identity(),
                     to = graze_pose_translation(3, 0, 0);
    assert_int_equal(graze_motion_still(&at, &moving_a.motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_BLEND, &moving_b.motion, NULL), GRAZE_STATUS_OK);
    const grz_impact_question question = {.crossing = false, .details = true, .until = 1, .from = 0};
    grz_pair_time first, second;
    int order = 0;
    assert_int_equal(grz_pair_first_time(NULL, &moving_a, &moving_b, 0, 0, &question, &first), GRAZE_STATUS_OK);
    assert_int_equal(grz_pair_first_time(NULL, &moving_a, &moving_b, 1, 0, &question, &second), GRAZE_STATUS_OK);
    assert_true(first.found && second.found);
    assert_true(first.contact.when.lower == second.contact.when.lower &&
                first.contact.when.upper == second.contact.when.upper &&
                first.contact.when.lower < first.contact.when.upper);
    assert_int_equal(grz_pair_times_compare(NULL, &moving_a, &moving_b, false, &first, &second, &order),
                     GRAZE_STATUS_OK);
    assert_int_equal(order, -1);
    assert_int_equal(grz_pair_times_compare(NULL, &moving_a, &moving_b, false, &second, &first, &order),
                     GRAZE_STATUS_OK);
    assert_int_equal(order, 1);
    assert_int_equal(grz_pair_times_compare(NULL, &moving_a, &moving_b, false, &first, &first, &order),
                     GRAZE_STATUS_OK);
    assert_int_equal(order, 0);
    graze_mesh_destroy(a);
    graze_mesh_destroy(b);
}

/* A time that is a double, and times just before and after it. */
static void a_double_has_its_place_between_intervals(void **state)
{
    (void)state;
    const double at[3] = {0, -0x1p-80, 0x1p-80}; /* planes, which are met at (1 + x) / 2 */
    double walls[9][3];
    const double tip[3][3] = {{0, 0.25, 0.25}, {-1, 0, 0}, {-1, 1, 0}};
    const uint32_t corners[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 9; i++)
    {
        walls[i][0] = at[i / 3];
        walls[i][1] = i % 3 == 1 ? 2 : -1;
        walls[i][2] = i % 3 == 2 ? 2 : -1;
    }
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *a = NULL, *b = NULL;
    def.vertices = walls;
    def.vertex_count = def.corner_count = 9;
    def.corners = corners;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &a), GRAZE_STATUS_OK);
    def.vertices = tip;
    def.vertex_count = def.corner_count = 3;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &b), GRAZE_STATUS_OK);
    graze_moving_mesh moving_a = {a, NULL, NULL, {0}}, moving_b = {b, NULL, NULL, {0}};
    const graze_pose there = graze_pose_translation(1, 0, 0), from = graze_pose_identity(),
                     to = graze_pose_translation(2, 0, 0);
    assert_int_equal(graze_motion_still(&there, &moving_a.motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_BLEND, &moving_b.motion, NULL), GRAZE_STATUS_OK);
    const grz_impact_question question = {.crossing = false, .details = true, .until = 1, .from = 0};
    static grz_pair_time times[3];
    for (uint32_t i = 0; i < 3; i++)
    {
        assert_int_equal(grz_pair_first_time(NULL, &moving_a, &moving_b, i, 0, &question, &times[i]), GRAZE_STATUS_OK);
        assert_true(times[i].found);
    }
    assert_true(times[0].contact.when.lower == 0.5 && times[0].contact.when.upper == 0.5);
    assert_true(times[1].contact.when.lower < 0.5 && times[1].contact.when.upper == 0.5);
    assert_true(times[2].contact.when.lower == 0.5 && times[2].contact.when.upper > 0.5);
    static const int places[3] = {1, 0, 2};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            int order = 7;
            grz_pair_time first = times[i], second = times[k];
            assert_int_equal(grz_pair_times_compare(NULL, &moving_a, &moving_b, false, &first, &second, &order),
                             GRAZE_STATUS_OK);
            assert_int_equal(order, (places[i] > places[k]) - (places[i] < places[k]));
        }
    graze_mesh_destroy(a);
    graze_mesh_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_between_the_same_doubles_have_their_order),
                                       cmocka_unit_test(a_double_has_its_place_between_intervals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
