/* SPDX-License-Identifier: MIT */
/*
 * Penetration depth where it is known: boxes, spheres, a bolt in its hole; and the effects of options, failing
 * allocations and bad arguments.
 */
#include "graze/depth.h"

#include <math.h>
#include <stdio.h>

#include "graze/generate.h"
#include "support/bodies.h"
#include "support/failing_allocator.h"
#include "support/penetration.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

static graze_mesh *box_of(double x0, double y0, double z0, double x1, double y1, double z1)
{
    const double lower[3] = {x0, y0, z0}, upper[3] = {x1, y1, z1};
    return body_box(lower, upper);
}

static graze_depth depth_of_boxes(const double first[6], const double second[6], const graze_pose *pose)
{
    graze_mesh *box_a = body_box(first, first + 3), *box_b = body_box(second, second + 3);
    graze_placed_mesh a = {box_a, NULL, *pose}, b = {box_b, NULL, *pose};
    graze_depth depth = depth_of(&a, &b);
    if (depth.upper > 0)
        check_separating_translation(&a, &b, &depth);
    graze_mesh_destroy(box_a);
    graze_mesh_destroy(box_b);
    return depth;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        printf("%.17g is not %.17g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance);
}

static void boxes_have_the_depth_one_can_see(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 100, 100, 200};
    const struct
    {
        double box[6], lower, upper;
    } cases[] = {
        {{0, 0, 150, 100, 100, 350}, 50, 50}, /* coaxial, flush on four sides */
        {{10, 20, 190, 60, 70, 300}, 10, 10}, /* a smaller one sunk into an end */
        {{40, 40, 40, 60, 60, 60}, 50, 60},   /* inside: as far as its farther side from the nearest wall */
        {{99, 99, 199, 200, 200, 300}, 1, 1}, /* corner in corner */
        {{-10, 40, 40, 110, 60, 60}, 50, 60}, /* a bar right through: its middle is 50 deep */
        {{0, 0, 0, 100, 100, 200}, 50, 100},  /* the same box again */
    };
    graze_pose still = graze_pose_identity(), far_off = graze_pose_translation(8e4, 1.2e6, -3e5), turned;
    const double axis[3] = {1, -2, 0.5}, there[3] = {7, 8, 9};
    assert_int_equal(graze_pose_from_axis_angle(axis, 0.8, there, &turned), GRAZE_STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_depth depth = depth_of_boxes(block, cases[i].box, &still);
        assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
        assert_true(depth.lower <= cases[i].lower && depth.upper == cases[i].upper);
        assert_near(depth.lower, cases[i].lower, 0.01 * cases[i].lower);
        depth = depth_of_boxes(block, cases[i].box, &far_off);
        assert_near(depth.lower, cases[i].lower, 0.01 * cases[i].lower);
        assert_true(depth.upper == cases[i].upper);
        depth = depth_of_boxes(block, cases[i].box, &turned);
        assert_near(depth.lower, cases[i].lower, 0.01 * cases[i].lower);
        assert_near(depth.upper, cases[i].upper, 1e-9);
    }
}

static void what_touches_or_is_apart_has_no_depth(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 100, 100, 200};
    const double others[4][6] = {{0, 0, 200, 100, 100, 300},
                                 {100, 100, 50, 200, 200, 100},
                                 {100, 100, 200, 200, 200, 300},
                                 {0, 0, 201, 100, 100, 300}};
    graze_pose still = graze_pose_identity();
    for (int i = 0; i < 4; i++)
    {
        graze_depth depth = depth_of_boxes(block, others[i], &still);
        assert_int_equal(depth.overlap, GRAZE_VERDICT_NO);
        assert_true(depth.lower == 0 && depth.upper == 0 && depth.reached);
    }
}

static void spheres_are_as_deep_as_they_were_pushed(void **state)
{
    (void)state;
    const uint64_t seed = 71;
    printf("seed %d\n", (int)seed);
    grz_random random = grz_random_make(seed);
    graze_mesh *sphere = NULL;
    graze_tree *tree = NULL;
    size_t reached = 0;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 8, &sphere), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, sphere, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int round = 0; round < 40; round++)
    {
        graze_placed_mesh a = {sphere, tree, placed_pose(&random, 5)}, b = {sphere, tree, placed_pose(&random, 1)};
        double scale = round % 2 == 0 ? 1 : grz_random_between(&random, 0.1, 10), push = 0, direction[3];
        for (int k = 0; k < 3; k++)
        {
            direction[k] = grz_random_between(&random, -1, 1);
            push += direction[k] * direction[k];
        }
        double depth_meant = scale * grz_random_between(&random, 0.05, 0.5);
        for (int k = 0; k < 12; k++)
        {
            a.pose.m[k] *= scale;
            b.pose.m[k] *= scale;
        }
        for (int k = 0; k < 3; k++)
            b.pose.m[4 * k + 3] = a.pose.m[4 * k + 3] + direction[k] / sqrt(push) * (2 * scale - depth_meant);
        graze_depth depth = depth_of(&a, &b);
        /* The sagitta of the triangles is 0.7 % of the radius. */
        assert_true(depth.lower <= depth_meant && depth.upper <= depth_meant * 1.001);
        assert_true(depth.lower >= depth_meant - 0.03 * scale);
        assert_true(depth.upper - depth.lower <= 0.01 * scale);
        reached += depth.reached;
        check_separating_translation(&a, &b, &depth);
    }
    printf("%zu reached\n", reached); /* where edges cross, no point is as deep as the translation is long */
    assert_true(reached > 25);
    graze_tree_destroy(tree);
    graze_mesh_destroy(sphere);
}

static void a_bolt_too_thick_for_its_hole_comes_out_along_its_axis(void **state)
{
    (void)state;
    enum
    {
        CORNERS = 32
    };
    double plate_points[2 * (4 + CORNERS)] = {-5, -5, 5, -5, 5, 5, -5, 5};
    const uint32_t sizes[2] = {4, CORNERS};
    for (int i = 0; i < CORNERS; i++)
    {
        plate_points[8 + 2 * i] = cos(i * (3.14159265358979323846 / 16));
        plate_points[9 + 2 * i] = sin(i * (3.14159265358979323846 / 16));
    }
    graze_mesh *plate = NULL, *bolt = NULL;
    assert_int_equal(graze_mesh_create_extrusion(NULL, plate_points, sizes, 2, 1, NULL, &plate), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_cylinder(NULL, 1.02, 6, CORNERS, 1, &bolt), GRAZE_STATUS_OK);
    graze_placed_mesh a = {plate, NULL, graze_pose_identity()}, b = {bolt, NULL, graze_pose_translation(0, 0, 0.75)};
    graze_depth depth = depth_of(&a, &b);
    assert_near(depth.lower, 0.02, 0.0005);
    assert_near(depth.upper, 3.25, 1e-9); /* from -2.25 up to 1 */
    assert_true(depth.translation[2] > 3);
    assert_false(depth.reached);
    check_separating_translation(&a, &b, &depth);
    graze_mesh_destroy(plate);
    graze_mesh_destroy(bolt);
}

static void open_surfaces_have_a_separating_translation(void **state)
{
    (void)state;
    double vertices[4][3] = {{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}};
    const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    graze_mesh *sheet = body_of_triangles(vertices, 4, corners, 2), *box = box_of(-1, -1, -0.25, 1, 1, 2);
    graze_placed_mesh a = {sheet, NULL, graze_pose_identity()}, b = {box, NULL, graze_pose_identity()};
    graze_depth depth = depth_of(&a, &b);
    assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
    assert_near(depth.lower, 0.25, 0.0025); /* the sheet within the box */
    assert_true(depth.upper == 0.25);
    graze_pose_from_axis_angle((const double[3]){1, 0, 0}, 1, NULL, &b.pose);
    b.mesh = sheet; /* two sheets cross: neither has an inside */
    depth = depth_of(&a, &b);
    assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
    assert_true(depth.lower == 0 && depth.upper > 0 && depth.upper < 10);
    check_separating_translation(&a, &b, &depth);
    graze_mesh_destroy(sheet);
    graze_mesh_destroy(box);
}

static void a_budget_widens_the_interval_and_bodies_are_taken_when_at_hand(void **state)
{
    (void)state;
    graze_mesh *shell = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.2, 8, 3, &shell), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, shell, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_placed_mesh a = {shell, tree, graze_pose_identity()}, b = {shell, tree, graze_pose_translation(1, 0.5, 0.3)};
    graze_depth_options options = graze_depth_options_default();
    graze_depth few, many, bodied;
    options.max_queries = 12;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &few), GRAZE_STATUS_OK);
    options.max_queries = 2000;
    options.relative_error = 0.001;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &many), GRAZE_STATUS_OK);
    assert_true(few.queries < 40 && many.queries > few.queries);
    assert_true(few.lower <= many.upper && many.lower <= few.upper && many.lower <= many.upper);
    options.relative_error = 0;
    for (uint32_t most = 60; most < 500; most *= 2)
    {
        options.max_queries = most;
        assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &few), GRAZE_STATUS_OK);
        assert_true(few.queries > most / 2 && few.queries < most + 28);
    }
    options.max_queries = 2000;
    options.relative_error = 0.001;
    graze_body *body = NULL;
    assert_int_equal(graze_body_create(NULL, shell, NULL, &body), GRAZE_STATUS_OK);
    assert_true(graze_body_is_closed(body));
    options.body_a = options.body_b = body;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &bodied), GRAZE_STATUS_OK);
    assert_same_depths(&many, &bodied);
    options.budget.seconds = 1e-9;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &bodied), GRAZE_STATUS_OK);
    assert_true(bodied.lower <= many.upper && bodied.upper >= many.lower);
    graze_body_destroy(body);
    graze_tree_destroy(tree);
    graze_mesh_destroy(shell);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    graze_mesh *first = box_of(0, 0, 0, 4, 4, 8), *second = box_of(0, 0, 6, 4, 4, 14),
               *third = box_of(1, 1, 1, 5, 5, 5), *inner = box_of(1, 1, 1, 2, 2, 2);
    /* of a body inside another, the inner one is translated in one pair, and the outer one in the other */
    graze_mesh *outer = box_of(1, 1, 1, 9, 9, 9), *core = box_of(2, 2, 2, 3, 3, 3);
    const graze_mesh *pairs[4][2] = {{first, second}, {first, third}, {first, inner}, {outer, core}};
    for (int round = 0; round < 4; round++)
    {
        graze_placed_mesh a = {pairs[round][0], NULL, graze_pose_identity()};
        graze_placed_mesh b = {pairs[round][1], NULL, graze_pose_identity()};
        graze_depth_options options = graze_depth_options_default();
        options.max_queries = 20;
        size_t failures = 0;
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_depth depth = {.lower = -1};
            graze_status status = graze_pair_depth(&context, &a, &b, &options, &depth);
            assert_int_equal(allocator.live, 0);
            assert_int_equal(status == GRAZE_STATUS_OK, depth.lower >= 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
            failures++;
        }
        assert_true(failures > 30);
    }
    graze_mesh_destroy(first);
    graze_mesh_destroy(second);
    graze_mesh_destroy(third);
    graze_mesh_destroy(inner);
    graze_mesh_destroy(outer);
    graze_mesh_destroy(core);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    graze_mesh *box = box_of(0, 0, 0, 1, 1, 1), *other = box_of(0, 0, 0, 2, 2, 2);
    graze_mesh_def nothing = graze_mesh_def_default();
    graze_mesh *empty = NULL;
    assert_int_equal(graze_mesh_create(NULL, &nothing, NULL, &empty), GRAZE_STATUS_OK);
    graze_body *body = NULL;
    assert_int_equal(graze_body_create(NULL, other, NULL, &body), GRAZE_STATUS_OK);
    graze_placed_mesh a = {box, NULL, graze_pose_identity()}, b = a;
    graze_depth depth = {.lower = -1};
    graze_depth_options options = graze_depth_options_default();
    assert_int_equal(graze_pair_depth(NULL, &a, NULL, NULL, &depth), GRAZE_STATUS_BAD_ARGUMENT);
    options.relative_error = -1;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &depth), GRAZE_STATUS_BAD_ARGUMENT);
    options = graze_depth_options_default();
    options.body_a = body;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &depth), GRAZE_STATUS_BAD_ARGUMENT);
    b.pose.m[3] = INFINITY;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, NULL, &depth), GRAZE_STATUS_NOT_FINITE);
    assert_true(depth.lower == -1);
    assert_int_equal(graze_body_create(NULL, NULL, NULL, &body), GRAZE_STATUS_BAD_ARGUMENT);
    b = (graze_placed_mesh){empty, NULL, graze_pose_identity()};
    depth = depth_of(&a, &b);
    assert_int_equal(depth.overlap, GRAZE_VERDICT_NO);
    graze_body_destroy(body);
    graze_mesh_destroy(box);
    graze_mesh_destroy(other);
    graze_mesh_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_the_depth_one_can_see),
        cmocka_unit_test(what_touches_or_is_apart_has_no_depth),
        cmocka_unit_test(spheres_are_as_deep_as_they_were_pushed),
        cmocka_unit_test(a_bolt_too_thick_for_its_hole_comes_out_along_its_axis),
        cmocka_unit_test(open_surfaces_have_a_separating_translation),
        cmocka_unit_test(a_budget_widens_the_interval_and_bodies_are_taken_when_at_hand),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
