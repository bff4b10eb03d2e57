/* SPDX-License-Identifier: MIT */
/*
 * The deepest common point of two solids: known depths of fits and boxes; both ends of the interval against sampled
 * points and exact locations; open meshes, budgets, bad arguments.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/generate.h"
#include "graze/mesh_query.h"
#include "support/bodies.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 917
};

static graze_deepest_point deepest_of(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_deepest_point deepest;
    assert_int_equal(graze_pair_deepest_point(NULL, a, b, NULL, &deepest), GRAZE_STATUS_OK);
    return deepest;
}

/* Asks with trees, both ways round. */
static graze_deepest_point deepest_of_meshes(const graze_mesh *mesh_a, const graze_pose *pose_a,
                                             const graze_mesh *mesh_b, const graze_pose *pose_b)
{
    graze_tree *tree_a, *tree_b;
    assert_int_equal(graze_tree_create(NULL, mesh_a, NULL, NULL, &tree_a), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh_b, NULL, NULL, &tree_b), GRAZE_STATUS_OK);
    graze_placed_mesh a = {mesh_a, tree_a, *pose_a}, b = {mesh_b, tree_b, *pose_b};
    graze_deepest_point deepest = deepest_of(&a, &b), swapped = deepest_of(&b, &a);
    assert_true(deepest.lower == swapped.lower && deepest.upper == swapped.upper && deepest.cells == swapped.cells);
    assert_memory_equal(deepest.point, swapped.point, sizeof deepest.point);
    graze_box box_a = graze_mesh_bounds(mesh_a), box_b = graze_mesh_bounds(mesh_b);
    if (memcmp(&box_a, &box_b, sizeof box_a) != 0 && deepest.lower > 0) /* equal ones cannot be told apart */
        assert_true(deepest.inside_b != swapped.inside_b);
    graze_tree_destroy(tree_a);
    graze_tree_destroy(tree_b);
    return deepest;
}

static graze_pose turned_pose(double x, double y, double z)
{
    const double axis[3] = {1, -2, 0.5}, there[3] = {x, y, z};
    graze_pose pose;
    assert_int_equal(graze_pose_from_axis_angle(axis, 0.8, there, &pose), GRAZE_STATUS_OK);
    return pose;
}

static void check_interval(const graze_deepest_point *deepest, double depth)
{
    if (!(deepest->lower <= depth * (1 + 1e-12) && depth * (1 - 1e-12) <= deepest->upper && deepest->reached))
        printf("[%.17g, %.17g] should hold %.17g, %u cells\n", deepest->lower, deepest->upper, depth, deepest->cells);
    assert_true(deepest->lower <= depth * (1 + 1e-12) && depth * (1 - 1e-12) <= deepest->upper);
    assert_true(deepest->reached && deepest->upper <= 1.01 * deepest->lower * (1 + 1e-12));
    assert_int_equal(deepest->overlap, GRAZE_VERDICT_YES);
}

/* Facets in step: the depth is the difference of the radii of the inscribed circles. */
static void a_press_fit_is_as_deep_as_its_radii_differ(void **state)
{
    (void)state;
    const double radii[] = {10.02, 12};
    graze_mesh *bush = body_tube(10, 20, 0, 25, 48, 0);
    graze_pose still = graze_pose_identity(), turned = turned_pose(3, 4, 5);
    for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++)
    {
        graze_mesh *pin = body_tube(0, radii[i], -5, 30, 48, 0);
        double depth = (radii[i] - 10) * cos(3.14159265358979323846 / 48);
        graze_deepest_point deepest = deepest_of_meshes(bush, &still, pin, &still);
        /* vertex against vertex is as far as the radii differ, facet against facet less */
        assert_true(deepest.lower <= radii[i] - 10 && deepest.upper >= depth && deepest.reached);
        assert_int_equal(deepest.overlap, GRAZE_VERDICT_YES);
        deepest = deepest_of_meshes(bush, &turned, pin, &turned);
        assert_true(deepest.lower <= radii[i] - 10 + 1e-9 && deepest.upper >= depth - 1e-9 && deepest.reached);
        graze_mesh_destroy(pin);
    }
    graze_mesh_destroy(bush);
}

static void boxes_have_the_depth_one_can_see(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 100, 100, 200};
    const struct
    {
        double box[6], depth;
    } cases[] = {
        {{0, 0, 150, 100, 100, 350}, 50},        /* coaxial, flush on four sides */
        {{10, 20, 190, 60, 70, 300}, 10},        /* a smaller one sunk into an end */
        {{40, 40, 40, 60, 60, 60}, 50},          /* inside: its centre line is 50 deep in the block */
        {{30, 30, 90, 40, 40, 160}, 40},         /* inside, beside the centre line */
        {{-10, 40, 40, 110, 60, 60}, 50},        /* a bar right through */
        {{0, 0, 0, 100, 100, 200}, 50},          /* the same box again */
        {{95, 0, 0, 195, 5, 5}, 5},              /* a bar at an edge: its inner corner */
        {{-50, 99.75, 50, 200, 300, 150}, 0.25}, /* slightly sunk into one side */
    };
    graze_mesh *first = body_box(block, block + 3);
    const graze_pose poses[3] = {graze_pose_identity(), graze_pose_translation(8e4, 1.2e6, -3e5), turned_pose(7, 8, 9)};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_mesh *second = body_box(cases[i].box, cases[i].box + 3);
        for (int k = 0; k < 3; k++)
        {
            graze_deepest_point deepest = deepest_of_meshes(first, &poses[k], second, &poses[k]);
            if (!deepest.reached || !(deepest.lower <= cases[i].depth + 1e-9 && deepest.upper >= cases[i].depth - 1e-9))
                printf("case %zu, pose %d: [%.17g, %.17g] in %u cells\n", i, k, deepest.lower, deepest.upper,
                       deepest.cells);
            assert_true(deepest.lower <= cases[i].depth + 1e-9 && deepest.upper >= cases[i].depth - 1e-9);
            assert_true(deepest.reached);
        }
        graze_mesh_destroy(second);
    }
    graze_mesh_destroy(first);
}

/* Bars of 100 x 5 x 5 that overlap by 5: half their width, not the 5 that would separate them. */
static void bars_end_to_end_are_half_their_width_deep(void **state)
{
    (void)state;
    graze_mesh *bar;
    assert_int_equal(graze_mesh_create_box(NULL, 100, 5, 5, 1, &bar), GRAZE_STATUS_OK);
    graze_pose still = graze_pose_identity(), moved = graze_pose_translation(95, 0, 0);
    graze_deepest_point deepest = deepest_of_meshes(bar, &still, bar, &moved);
    check_interval(&deepest, 2.5);
    graze_mesh_destroy(bar);
}

/* The deepest point of a ball's centre in a larger ball lies in the interior of both: no surface point is as deep. */
static void a_maximum_in_the_interior_is_found(void **state)
{
    (void)state;
    const double block[6] = {-10, -10, -10, 10, 10, 10};
    graze_mesh *outer = body_box(block, block + 3), *ball;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 3, 3, &ball), GRAZE_STATUS_OK);
    graze_pose still = graze_pose_identity(), moved = graze_pose_translation(0.25, -0.5, 0.125);
    graze_deepest_point deepest = deepest_of_meshes(outer, &still, ball, &moved);
    check_interval(&deepest, 10);
    assert_false(deepest.inside_b);
    graze_mesh_destroy(outer);
    graze_mesh_destroy(ball);
}

/* The centre of a large tetrahedron: no two of its normals are opposite, and no half-space holds all four. */
static void a_maximum_between_four_faces_is_found(void **state)
{
    (void)state;
    double corners[4][3] = {{10, 10, 10}, {10, -10, -10}, {-10, 10, -10}, {-10, -10, 10}};
    static const uint32_t faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    graze_mesh *outer = body_of_triangles(corners, 4, faces, 4), *ball;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &ball), GRAZE_STATUS_OK);
    graze_pose still = graze_pose_identity(), moved = graze_pose_translation(0.25, -0.125, 0.125);
    graze_deepest_point deepest = deepest_of_meshes(outer, &still, ball, &moved);
    check_interval(&deepest, 10 / sqrt(3));
    graze_mesh_destroy(outer);
    graze_mesh_destroy(ball);
}

/* The tip of a spike is in the block; the centres of its faces are not. */
static void a_spike_is_as_deep_as_its_tip(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 10, 10, 10};
    double corners[4][3] = {{5, 5, 9.5}, {3, 4, 30}, {8, 4, 30}, {5, 9, 30}};
    static const uint32_t faces[12] = {1, 2, 3, 0, 2, 1, 0, 3, 2, 0, 1, 3};
    graze_mesh *box = body_box(block, block + 3), *spike = body_of_triangles(corners, 4, faces, 4);
    graze_pose still = graze_pose_identity();
    graze_deepest_point deepest = deepest_of_meshes(box, &still, spike, &still);
    check_interval(&deepest, 0.5);
    graze_mesh_destroy(box);
    graze_mesh_destroy(spike);
}

static void what_touches_or_is_apart_has_no_depth(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 1, 1, 1};
    graze_mesh *box = body_box(block, block + 3);
    graze_pose still = graze_pose_identity();
    const graze_pose others[3] = {graze_pose_translation(1, 0, 0), graze_pose_translation(1, 1, 0.5),
                                  graze_pose_translation(5, 0, 0)};
    for (int i = 0; i < 3; i++)
    {
        graze_deepest_point deepest = deepest_of_meshes(box, &still, box, &others[i]);
        assert_true(deepest.overlap == GRAZE_VERDICT_NO && deepest.lower == 0 && deepest.upper == 0 && deepest.reached);
    }
    graze_mesh_destroy(box);
}

static bool is_in(const graze_placed_mesh *mesh, const double point[3])
{
    graze_location location;
    assert_int_equal(graze_point_in_mesh(NULL, mesh, point, NULL, &location), GRAZE_STATUS_OK);
    return location != GRAZE_LOCATION_OUTSIDE;
}

static graze_distance distance_from(const graze_placed_mesh *mesh, const double point[3])
{
    graze_distance distance;
    assert_int_equal(graze_placed_mesh_nearest_to_point(NULL, mesh, point, NULL, &distance), GRAZE_STATUS_OK);
    return distance;
}

/* The point of the lower bound is a common point, and as deep as it says. */
static void check_point(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_deepest_point *deepest)
{
    const graze_placed_mesh *other = deepest->inside_b ? b : a, *own = deepest->inside_b ? a : b;
    assert_true(is_in(other, deepest->point));
    assert_true(is_in(own, deepest->point) || distance_from(own, deepest->point).upper < 1e-12);
    assert_true(distance_from(other, deepest->point).upper >= deepest->lower);
}

/* Random common points, and how deep the deepest of them is. */
static double sample(grz_random *random, const graze_placed_mesh *a, const graze_placed_mesh *b, size_t *count)
{
    double deepest = 0;
    graze_box box = graze_mesh_bounds(a->mesh);
    for (int i = 0; i < 150; i++)
    {
        double local[3], point[3];
        for (int axis = 0; axis < 3; axis++)
            local[axis] = grz_random_between(random, box.lower[axis], box.upper[axis]);
        graze_pose_apply(&a->pose, local, point);
        if (!is_in(a, point) || !is_in(b, point))
            continue;
        ++*count;
        deepest = fmax(deepest, fmax(distance_from(a, point).lower, distance_from(b, point).lower));
    }
    return deepest;
}

static void both_ends_of_the_interval_hold(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    placed_shapes *shapes = placed_shapes_create();
    size_t overlapping = 0, reached = 0, sampled = 0, trees_agree = 0;
    for (int round = 0; round < 24; round++)
    {
        /* the last of the shapes is not closed */
        size_t i = grz_random_below(&random, PLACED_SHAPES - 1), j = grz_random_below(&random, PLACED_SHAPES - 1);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], placed_pose(&random, 0.7)};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][1], placed_pose(&random, 0.7)};
        graze_deepest_options options = graze_deepest_options_default();
        graze_deepest_point deepest, other;
        options.max_cells = round % 4 == 0 ? 200 : 8000;
        assert_int_equal(graze_pair_deepest_point(NULL, &a, &b, &options, &deepest), GRAZE_STATUS_OK);
        if (deepest.overlap != GRAZE_VERDICT_YES)
            continue;
        overlapping++;
        reached += deepest.reached;
        assert_true(deepest.lower <= deepest.upper && (deepest.lower > 0 || !deepest.reached));
        if (deepest.lower > 0)
            check_point(&a, &b, &deepest);
        assert_true(sample(&random, &a, &b, &sampled) <= deepest.upper);
        graze_placed_mesh bare = {a.mesh, NULL, a.pose};
        if (round % 10 == 0 && graze_mesh_triangle_count(a.mesh) < 1000)
        {
            options.max_cells = 500;
            assert_int_equal(graze_pair_deepest_point(NULL, &bare, &b, &options, &other), GRAZE_STATUS_OK);
            assert_true(other.lower <= deepest.upper && deepest.lower <= other.upper);
            trees_agree++;
        }
    }
    placed_shapes_destroy(shapes);
    printf("%zu overlapping, %zu closed to 1 %%, %zu common points, %zu without a tree\n", overlapping, reached,
           sampled, trees_agree);
    assert_true(overlapping >= 15 && reached >= overlapping / 2 && sampled > 300 && trees_agree > 0);
}

/* A square inside a block is a surface: how deep it lies is known, and it has no interior of its own. */
static void an_open_mesh_is_as_deep_as_its_deepest_point(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 10, 10, 10};
    double corners[4][3] = {{2, 2, 3}, {20, 2, 3}, {20, 4, 3}, {2, 4, 3}};
    const uint32_t loop[4] = {0, 1, 2, 3}, size = 4;
    graze_mesh *box = body_box(block, block + 3), *square = body_of_polygons(corners, 4, loop, &size, 1);
    graze_pose still = graze_pose_identity();
    graze_deepest_point deepest = deepest_of_meshes(box, &still, square, &still);
    check_interval(&deepest, 3);
    graze_mesh_destroy(box);
    graze_mesh_destroy(square);
}

static bool count_and_stop(void *user, double share)
{
    (void)share;
    int *left = user;
    return --*left > 0;
}

static void budgets_widen_the_interval_and_cancelling_stops(void **state)
{
    (void)state;
    graze_mesh *bush = body_tube(10, 20, 0, 25, 48, 0), *pin = body_tube(0, 10.02, -5, 30, 37, 0.25);
    graze_placed_mesh a = {bush, NULL, graze_pose_identity()}, b = {pin, NULL, graze_pose_identity()};
    graze_deepest_point whole = deepest_of(&a, &b), deepest;
    size_t unfinished = 0, wide = 0, cancelled = 0;
    for (uint64_t tests = 64; tests < UINT64_C(1) << 30; tests *= 4)
    {
        graze_deepest_options options = graze_deepest_options_default();
        options.budget.box_tests = tests;
        graze_status status = graze_pair_deepest_point(NULL, &a, &b, &options, &deepest);
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_UNFINISHED);
        unfinished += status == GRAZE_STATUS_UNFINISHED;
        if (status != GRAZE_STATUS_OK)
            continue;
        assert_true(deepest.lower <= whole.upper && whole.lower <= deepest.upper);
        wide += !deepest.reached;
    }
    for (int calls = 1; calls < 4000; calls *= 3)
    {
        graze_deepest_options options = graze_deepest_options_default();
        int left = calls;
        options.budget.progress = count_and_stop;
        options.budget.progress_user = &left;
        graze_status status = graze_pair_deepest_point(NULL, &a, &b, &options, &deepest);
        assert_int_equal(status, left > 0 ? GRAZE_STATUS_OK : GRAZE_STATUS_CANCELLED);
        assert_true(left >= 0);
        cancelled += status == GRAZE_STATUS_CANCELLED;
    }
    assert_true(whole.reached && unfinished > 0 && wide > 0 && cancelled > 2);
    graze_mesh_destroy(bush);
    graze_mesh_destroy(pin);
}

/* `reached` and `cells` say what they should, and no bar is deeper than half its width, however few cells there are. */
static void few_cells_leave_valid_intervals(void **state)
{
    (void)state;
    const double along[6] = {-50, -2.5, -2.5, 50, 2.5, 2.5}, across[6] = {-2, -40, -2, 2, 40, 2};
    graze_mesh *first = body_box(along, along + 3), *second = body_box(across, across + 3);
    graze_placed_mesh a = {first, NULL, turned_pose(1, 2, 3)}, b = {second, NULL, turned_pose(1, 2, 3)};
    size_t reached = 0, unreached = 0;
    for (uint32_t cells = 1; cells < 4000; cells = 3 * cells / 2 + 1)
    {
        graze_deepest_options options = graze_deepest_options_default();
        graze_deepest_point deepest;
        options.max_cells = cells;
        assert_int_equal(graze_pair_deepest_point(NULL, &a, &b, &options, &deepest), GRAZE_STATUS_OK);
        assert_true(deepest.lower <= 2.5 * (1 + 1e-12) && deepest.upper >= 2.5 * (1 - 1e-12));
        assert_true(deepest.cells <= cells && deepest.reached == (deepest.upper <= 1.01 * deepest.lower));
        unreached += !deepest.reached;
        a.pose = b.pose = graze_pose_translation(0.5, 0.25, 1);
        assert_int_equal(graze_pair_deepest_point(NULL, &a, &b, &options, &deepest), GRAZE_STATUS_OK);
        assert_true(deepest.upper >= 2.5 && deepest.upper <= 2.5 * (1 + 1e-12));
        assert_true(deepest.reached == (deepest.upper <= 1.01 * deepest.lower));
        reached += deepest.reached;
        a.pose = b.pose = turned_pose(1, 2, 3);
    }
    printf("%zu reached, %zu not\n", reached, unreached);
    assert_true(reached > 0 && unreached > 0);
    graze_mesh_destroy(first);
    graze_mesh_destroy(second);
}

/* Triangles without area bound nothing: a spike of three points in a line, 5 deep in the block, touches it. */
static void a_spike_without_area_has_no_depth(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 10, 10, 10}, other[6] = {9.5, 2, 2, 20, 4, 4};
    static const uint32_t of_quad[6] = {0, 1, 2, 0, 2, 3}, spike[6] = {8, 9, 10, 8, 10, 9};
    double vertices[11][3] = {[8] = {5, 5, 5}, [9] = {15, 5, 5}, [10] = {20, 5, 5}};
    uint32_t corners[42];
    body_box_vertices(vertices, other, other + 3);
    for (uint32_t i = 0; i < 42; i++)
        corners[i] = i < 36 ? body_box_corners[i / 6 * 4 + of_quad[i % 6]] : spike[i - 36];
    graze_mesh *box = body_box(block, block + 3), *spiked = body_of_triangles(vertices, 11, corners, 14);
    graze_pose still = graze_pose_identity();
    graze_deepest_point deepest = deepest_of_meshes(box, &still, spiked, &still);
    assert_true(deepest.lower >= 0.49 && deepest.lower <= 0.5 && deepest.upper >= 0.5);
    graze_placed_mesh a = {box, NULL, still}, b = {spiked, NULL, still}; /* without trees */
    deepest = deepest_of(&a, &b);
    assert_true(deepest.lower >= 0.49 && deepest.lower <= 0.5 && deepest.upper >= 0.5);
    graze_mesh_destroy(box);
    graze_mesh_destroy(spiked);
}

/* Squares of coordinates underflow or overflow: no depth is claimed that does not hold. */
static void intervals_hold_at_all_scales(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 4, 4, 4}, other[6] = {3, 1, 1, 9, 3, 2};
    size_t reached = 0;
    for (int exponent = -990; exponent <= 990; exponent += 20)
    {
        double boxes[2][6];
        for (int k = 0; k < 6; k++)
        {
            boxes[0][k] = ldexp(block[k], exponent);
            boxes[1][k] = ldexp(other[k], exponent);
        }
        graze_mesh *first = body_box(boxes[0], boxes[0] + 3), *second = body_box(boxes[1], boxes[1] + 3);
        graze_placed_mesh a = {first, NULL, graze_pose_identity()}, b = {second, NULL, graze_pose_identity()};
        graze_deepest_point deepest = deepest_of(&a, &b);
        double depth = ldexp(1, exponent);
        assert_int_equal(deepest.overlap, GRAZE_VERDICT_YES);
        assert_true(deepest.lower <= depth * (1 + 1e-12) && deepest.upper >= depth * (1 - 1e-12));
        reached += deepest.reached;
        graze_mesh_destroy(first);
        graze_mesh_destroy(second);
    }
    printf("%zu scales reached\n", reached);
    assert_true(reached >= 25);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 1, 1, 1}, bad[] = {-1, NAN, INFINITY};
    graze_mesh *box = body_box(block, block + 3);
    graze_placed_mesh a = {box, NULL, graze_pose_identity()};
    graze_deepest_point deepest;
    for (int i = 0; i < 3; i++)
    {
        graze_deepest_options options = graze_deepest_options_default();
        options.relative_error = bad[i];
        assert_int_equal(graze_pair_deepest_point(NULL, &a, &a, &options, &deepest), GRAZE_STATUS_BAD_ARGUMENT);
        options = graze_deepest_options_default();
        options.absolute_error = bad[i];
        assert_int_equal(graze_pair_deepest_point(NULL, &a, &a, &options, &deepest), GRAZE_STATUS_BAD_ARGUMENT);
        options = graze_deepest_options_default();
        options.struct_size = (size_t)i;
        assert_int_equal(graze_pair_deepest_point(NULL, &a, &a, &options, &deepest), GRAZE_STATUS_BAD_ARGUMENT);
    }
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_press_fit_is_as_deep_as_its_radii_differ),
        cmocka_unit_test(boxes_have_the_depth_one_can_see),
        cmocka_unit_test(bars_end_to_end_are_half_their_width_deep),
        cmocka_unit_test(a_maximum_in_the_interior_is_found),
        cmocka_unit_test(a_maximum_between_four_faces_is_found),
        cmocka_unit_test(a_spike_is_as_deep_as_its_tip),
        cmocka_unit_test(what_touches_or_is_apart_has_no_depth),
        cmocka_unit_test(both_ends_of_the_interval_hold),
        cmocka_unit_test(an_open_mesh_is_as_deep_as_its_deepest_point),
        cmocka_unit_test(budgets_widen_the_interval_and_cancelling_stops),
        cmocka_unit_test(few_cells_leave_valid_intervals),
        cmocka_unit_test(a_spike_without_area_has_no_depth),
        cmocka_unit_test(intervals_hold_at_all_scales),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
