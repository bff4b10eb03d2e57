/* SPDX-License-Identifier: MIT */
/*
 * Moving meshes without triangles were refused as if memory had run out, and a budget that building trees used up was a
 * failure, not an unknown answer. Found by the fuzzer of motions.
 */
#include <math.h>

#include "graze/generate.h"
#include "graze/motion_query.h"
#include "graze/shape_motion.h"
#include "support/unit.h"

static graze_moving_mesh moving(const graze_mesh *mesh, double to)
{
    const graze_pose start = graze_pose_identity(), end = graze_pose_translation(to, 0, 0);
    graze_moving_mesh m = {.mesh = mesh};
    assert_int_equal(graze_motion_between(&start, &end, GRAZE_MOTION_TURN, &m.motion, NULL), GRAZE_STATUS_OK);
    return m;
}

static graze_mesh *empty_mesh(void)
{
    const double vertex[3] = {0, 0, 0};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh = NULL;
    def.vertices = vertex;
    def.vertex_count = 1;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static bool no_pair(void *user, const graze_pair_impact_hit *hit)
{
    (void)user;
    (void)hit;
    fail();
    return false;
}

static void nothing_meets_an_empty_mesh(void **state)
{
    (void)state;
    graze_mesh *box = NULL, *empty = empty_mesh();
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    const graze_moving_mesh bodies[2] = {moving(empty, 1), moving(box, -1)};
    graze_shape *shapes[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_shape_create_mesh(NULL, bodies[i].mesh, NULL, false, &shapes[i]), GRAZE_STATUS_OK);
    for (int i = 0; i < 3; i++) /* empty and box, box and empty, both empty */
    {
        int a = i % 2, b = i == 0;
        graze_impact impact;
        graze_shape_impact of_shapes;
        graze_impact_options options = graze_impact_options_default();
        graze_impact_stats stats = {.box_tests = 42};
        options.clearance = true;
        options.stats = &stats;
        assert_int_equal(graze_pair_impact(NULL, &bodies[a], &bodies[b], &options, &impact), GRAZE_STATUS_OK);
        assert_true(impact.verdict == GRAZE_IMPACT_NONE && impact.clearance_lower == INFINITY);
        stats.box_tests = 42;
        assert_int_equal(graze_pair_impact_visit(NULL, &bodies[a], &bodies[b], &options, no_pair, NULL),
                         GRAZE_STATUS_OK);
        assert_int_equal(stats.box_tests, 0);
        const graze_moving_shape first = {.shape = shapes[a], .motion = bodies[a].motion},
                                 second = {.shape = shapes[b], .motion = bodies[b].motion};
        assert_int_equal(graze_shape_pair_impact(NULL, &first, &second, &options, &of_shapes), GRAZE_STATUS_OK);
        assert_true(of_shapes.verdict == GRAZE_IMPACT_NONE && of_shapes.clearance_lower == INFINITY);
    }
    for (int i = 0; i < 2; i++)
        graze_shape_destroy(shapes[i]);
    graze_mesh_destroy(empty);
    graze_mesh_destroy(box);
}

static void trees_that_use_the_budget_up_leave_the_answer_unknown(void **state)
{
    (void)state;
    graze_mesh *box = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    const graze_moving_mesh a = moving(box, 1), b = moving(box, -1);
    for (uint64_t tests = 1; tests < 40; tests++)
    {
        graze_impact impact;
        graze_impact_options options = graze_impact_options_default();
        options.budget.box_tests = tests;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        assert_true(impact.verdict == GRAZE_IMPACT_UNKNOWN || (tests > 1 && impact.verdict == GRAZE_IMPACT_AT));
        assert_true(impact.lower == 0);
    }
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_meets_an_empty_mesh),
        cmocka_unit_test(trees_that_use_the_budget_up_leave_the_answer_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
