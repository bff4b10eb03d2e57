/* SPDX-License-Identifier: MIT */
/* The order of the first times of pairs of triangles where doubles do not tell them apart. */
#include "motion/pair_kernel.h"

#include <math.h>

#include "graze/mesh.h"
#include "support/random.h"
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

/* An upright wall from f to q, in two triangles: its vertices and corners. */
static void add_wall(const double f[2], const double q[2], double low, double high, int wall, double (*vertices)[3],
                     uint32_t *corners)
{
    static const uint32_t order[6] = {0, 1, 2, 2, 1, 3};
    for (int i = 0; i < 4; i++)
    {
        double *v = vertices[4 * wall + i];
        v[0] = i < 2 ? f[0] : q[0];
        v[1] = i < 2 ? f[1] : q[1];
        v[2] = i % 2 == 0 ? low : high;
    }
    for (int i = 0; i < 6; i++)
        corners[6 * wall + i] = (uint32_t)(4 * wall) + order[i];
}

/* Two triangles with an upright edge in common come to walls: two are one above the other, and one is a few units in
   the last place away. Their times have the same bounds, mostly, and their order is that of their roots. */
static void times_of_upright_walls_have_the_order_of_their_roots(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 2021);
    int same = 0, other = 0, equal = 0, total = TEST_ROUNDS(120);
    for (int round = 0; round < total; round++)
    {
        double fans[4][3] = {{0, 0, -1},
                             {0, 0, 1},
                             {-1, random_real(&random, 0.1, 1), random_real(&random, -1, 1)},
                             {-1, random_real(&random, -1, -0.1), random_real(&random, -1, 1)}};
        const uint32_t of_fans[6] = {0, 1, 2, 1, 0, 3};
        double walls[12][3], f[2] = {random_real(&random, 0.05, 0.1), random_real(&random, -1, -0.2)},
                             q[2] = {random_real(&random, 0.05, 0.1), random_real(&random, 0.2, 1)};
        uint32_t of_walls[18];
        double step = random_real(&random, -0.5, 0.5);
        add_wall(f, q, random_real(&random, -0.9, -0.6), step, 0, walls, of_walls);
        add_wall(f, q, step, random_real(&random, 0.6, 0.9), 1, walls, of_walls);
        f[0] = nextafter(f[0], random_below(&random, 2));
        add_wall(f, q, step, random_real(&random, 0.6, 0.9), 2, walls, of_walls);
        graze_mesh_def def = graze_mesh_def_default();
        graze_mesh *a = NULL, *b = NULL;
        def.vertices = fans;
        def.vertex_count = 4;
        def.corners = of_fans;
        def.corner_count = 6;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &a), GRAZE_STATUS_OK);
        def.vertices = walls;
        def.vertex_count = 12;
        def.corners = of_walls;
        def.corner_count = 18;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &b), GRAZE_STATUS_OK);
        graze_moving_mesh moving_a = {a, NULL, NULL, {0}}, moving_b = {b, NULL, NULL, {0}};
        const graze_pose identity = graze_pose_identity();
        assert_int_equal(graze_motion_still(&identity, &moving_a.motion), GRAZE_STATUS_OK);
        moving_b.motion = (graze_motion){.kind = GRAZE_MOTION_TURN,
                                         .quaternion = {{1, 0, 0, 0}, {1, 0, 0, random_real(&random, -0.2, 0.2)}},
                                         .path = {{5, 0, 0}, {-8, random_real(&random, -0.1, 0.1), 0}}};
        static grz_pair_time times[12];
        int count = 0;
        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t j = 0; j < 6; j++)
            {
                const grz_impact_question question = {.details = true, .until = 1, .root_later = true};
                assert_int_equal(grz_pair_first_time(NULL, &moving_a, &moving_b, i, j, &question, &times[count]),
                                 GRAZE_STATUS_OK);
                count += times[count].found;
            }
        for (int i = 0; i < count; i++)
            for (int k = 0; k < count; k++)
            {
                grz_pair_time first = times[i], second = times[k];
                int order = 7, by_roots = 7;
                if (first.contact.when.lower != second.contact.when.lower)
                    continue;
                assert_int_equal(grz_pair_times_compare(NULL, &moving_a, &moving_b, false, &first, &second, &order),
                                 GRAZE_STATUS_OK);
                same += first.zero.known && second.zero.known && i != k && order == 0 && !second.root.usable;
                first.zero.known = false;
                assert_int_equal(grz_pair_times_compare(NULL, &moving_a, &moving_b, true, &first, &second, &by_roots),
                                 GRAZE_STATUS_OK);
                assert_int_equal(order, by_roots);
                equal += order == 0;
                other += order != 0;
            }
        graze_mesh_destroy(a);
        graze_mesh_destroy(b);
    }
    print_message("%d equal times, %d of them by their volumes, %d others\n", equal, same, other);
    assert_true(same > 4 * total && other > total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_of_upright_walls_have_the_order_of_their_roots),
                                       cmocka_unit_test(times_between_the_same_doubles_have_their_order),
                                       cmocka_unit_test(a_double_has_its_place_between_intervals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
