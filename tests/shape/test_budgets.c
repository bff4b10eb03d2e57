/* SPDX-License-Identifier: MIT */
/*
 * Queries of shapes that are cancelled, or whose budget ends, anywhere: they fail, change nothing, leak nothing, and
 * give the same answer when there is enough.
 */
#include <string.h>

#include "graze/generate.h"
#include "graze/shape_query.h"
#include "support/budget_calls.h"

enum
{
    PARTS = 4
};

static struct
{
    graze_mesh *mesh, *ball;
    graze_shape *parts[PARTS], *surface, *solid, *compound;
    graze_placed a, b;
} world;

static int set_up(void **state)
{
    (void)state;
    static const double up[3] = {0, 0, 1}, size[3] = {0.5, 0.5, 0.5};
    graze_placed parts[PARTS];
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 12, &world.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 3, &world.ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, world.mesh, NULL, false, &world.surface), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, up, -1.001, &world.parts[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 0.5, 0.5, &world.parts[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &world.parts[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, world.ball, NULL, true, &world.parts[3]), GRAZE_STATUS_OK);
    for (int i = 0; i < PARTS; i++)
        parts[i] = (graze_placed){world.parts[i], graze_pose_identity()};
    assert_int_equal(
        graze_pose_from_quaternion((const double[4]){1, 2, 3, 4}, (const double[3]){1.1, 0.8, 0.5}, &parts[1].pose),
        GRAZE_STATUS_OK);
    parts[2].pose = graze_pose_translation(0.1, -1.26, 0.2);
    parts[3].pose = graze_pose_translation(-1.9, 0.7, 0.3);
    assert_int_equal(graze_shape_create_compound(NULL, parts, PARTS, &world.compound), GRAZE_STATUS_OK);
    world.a = (graze_placed){world.surface, graze_pose_identity()};
    world.b = (graze_placed){world.compound, graze_pose_identity()};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    graze_shape_destroy(world.compound);
    graze_shape_destroy(world.surface);
    for (int i = 0; i < PARTS; i++)
        graze_shape_destroy(world.parts[i]);
    graze_mesh_destroy(world.mesh);
    graze_mesh_destroy(world.ball);
    return 0;
}

static graze_shape_options options_of(const graze_budget *budget)
{
    graze_shape_options options = graze_shape_options_default();
    if (budget != NULL)
        options.budget = *budget;
    return options;
}

static graze_status any(const void *user, const graze_budget *budget, uint64_t *out_answer)
{
    (void)user;
    graze_shape_options options = options_of(budget);
    graze_verdict verdict = (graze_verdict)7;
    graze_status status = graze_shape_pair_any(NULL, &world.a, &world.b, &options, &verdict, NULL);
    assert_true(status == GRAZE_STATUS_OK || verdict == (graze_verdict)7);
    *out_answer = (uint64_t)verdict;
    return status;
}

static graze_status distance(const void *user, const graze_budget *budget, uint64_t *out_answer)
{
    (void)user;
    graze_shape_distance_options options = graze_shape_distance_options_default();
    if (budget != NULL)
        options.budget = *budget;
    graze_shape_distance d = {.part_a = 77};
    graze_status status = graze_shape_pair_distance(NULL, &world.a, &world.b, &options, &d);
    assert_true(status == GRAZE_STATUS_OK || d.part_a == 77);
    memcpy(out_answer, &d.distance, sizeof d.distance);
    return status;
}

static graze_status tolerance(const void *user, const graze_budget *budget, uint64_t *out_answer)
{
    (void)user;
    graze_shape_tolerance_options options = graze_shape_tolerance_options_default();
    if (budget != NULL)
        options.budget = *budget;
    graze_verdict verdict = (graze_verdict)7;
    graze_status status = graze_shape_pair_tolerance_any(NULL, &world.a, &world.b, 0x1p-12, &options, &verdict, NULL);
    assert_true(status == GRAZE_STATUS_OK || verdict == (graze_verdict)7);
    *out_answer = (uint64_t)verdict;
    return status;
}

static graze_status depth(const void *user, const graze_budget *budget, uint64_t *out_answer)
{
    (void)user;
    graze_shape_depth_options options = graze_shape_depth_options_default();
    options.max_queries = 4;
    if (budget != NULL)
        options.budget = *budget;
    graze_shape_depth found = {.part_a = 77};
    graze_status status = graze_shape_pair_depth(NULL, &world.a, &world.b, &options, &found);
    assert_true(status == GRAZE_STATUS_OK || found.part_a == 77);
    *out_answer = (uint64_t)found.overlap;
    return status;
}

static graze_status count(const void *user, const graze_budget *budget, uint64_t *out_answer)
{
    (void)user;
    graze_shape_options options = options_of(budget);
    graze_shape_counts counts = {.hits = 77777};
    graze_status status = graze_shape_pair_count(NULL, &world.a, &world.b, &options, &counts);
    assert_true(status == GRAZE_STATUS_OK || counts.hits == 77777);
    *out_answer = counts.hits;
    return status;
}

static graze_status ray(const void *user, const graze_budget *budget, uint64_t *out_answer)
{
    (void)user;
    static const double origin[3] = {-4, -1.3, 0.25}, direction[3] = {1, 0, 0};
    graze_shape_options options = options_of(budget);
    graze_verdict verdict = (graze_verdict)7;
    graze_shape_ray_hit hit = {.t = -1};
    graze_status status = graze_shape_cast_ray(NULL, &world.b, origin, direction, 64, &options, &verdict, &hit);
    assert_true(status == GRAZE_STATUS_OK || verdict == (graze_verdict)7);
    memcpy(out_answer, &hit.t, sizeof hit.t);
    return status;
}

static const budget_call calls[] = {
    {"any", any, NULL, 0, NULL},     {"distance", distance, NULL, 0, NULL}, {"tolerance", tolerance, NULL, 0, NULL},
    {"depth", depth, NULL, 0, NULL}, {"count", count, NULL, 0, NULL},       {"ray", ray, NULL, 0, NULL},
};

static void queries_of_shapes_can_be_cancelled(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        cancel_everywhere(&calls[i]);
}

static void budgets_of_shapes_may_end_anywhere(void **state)
{
    (void)state;
    unsigned unfinished = 0;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        unfinished += end_anywhere(&calls[i]);
    assert_true(unfinished > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_of_shapes_can_be_cancelled),
        cmocka_unit_test(budgets_of_shapes_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
