/* SPDX-License-Identifier: MIT */
/*
 * Interference of two solids in one call: depth, way out and region of fits and boxes with known answers; the same
 * answers as from one call for each; translations that separate; budgets and bad arguments.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/depth.h"
#include "graze/generate.h"
#include "graze/region.h"
#include "support/bodies.h"
#include "support/failing_allocator.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 1717
};

static graze_interference interference_of(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_interference interference;
    assert_int_equal(graze_pair_interference(NULL, a, b, NULL, &interference), GRAZE_STATUS_OK);
    assert_null(interference.region);
    return interference;
}

/* The translation separates, and is no longer than it says. */
static void check_translation(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_depth *way_out)
{
    graze_placed_mesh moved = *b;
    graze_verdict overlap;
    double square = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        moved.pose.m[4 * axis + 3] += way_out->translation[axis];
        square += way_out->translation[axis] * way_out->translation[axis];
    }
    assert_true(sqrt(square) <= way_out->upper * (1 + 1e-12));
    assert_int_equal(graze_pair_overlap(NULL, a, &moved, NULL, &overlap), GRAZE_STATUS_OK);
    assert_int_equal(overlap, GRAZE_VERDICT_NO);
}

static void fits_and_bars_have_their_depth_and_way_out(void **state)
{
    (void)state;
    graze_mesh *bush = body_tube(10, 20, 0, 25, 48, 0), *pressed = body_tube(0, 10.02, -5, 30, 48, 0);
    graze_mesh *loose = body_tube(0, 9.97, -5, 30, 48, 0), *bar;
    assert_int_equal(graze_mesh_create_box(NULL, 100, 5, 5, 1, &bar), GRAZE_STATUS_OK);
    const struct
    {
        const graze_mesh *first, *second;
        double x, least_depth, most_depth, least_way, most_way;
    } cases[] = {
        {bush, pressed, 0, 0.0199, 0.0201, 24, 31},  /* a press fit: pulled out along the axis */
        {bush, loose, 0.1, 0.06, 0.1, 0.06, 0.1},    /* beside the axis: pushed back */
        {bar, bar, 95, 2.47, 2.53, 4.99, 5.01},      /* end to end */
        {bar, bar, 99.75, 0.249, 0.251, 0.249, 0.26} /* slightly */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_placed_mesh a = {cases[i].first, NULL, graze_pose_identity()};
        graze_placed_mesh b = {cases[i].second, NULL, graze_pose_translation(cases[i].x, 0, 0)};
        graze_interference found = interference_of(&a, &b), swapped = interference_of(&b, &a);
        printf("depth [%g, %g], way out [%g, %g], %u queries\n", found.deepest.lower, found.deepest.upper,
               found.way_out.lower, found.way_out.upper, found.way_out.queries);
        assert_true(found.deepest.reached && found.deepest.lower <= cases[i].most_depth);
        assert_true(found.deepest.upper >= cases[i].least_depth && found.deepest.lower >= 0.98 * cases[i].least_depth);
        assert_true(found.way_out.upper >= cases[i].least_way && found.way_out.upper <= cases[i].most_way);
        assert_true(found.way_out.lower >= found.deepest.lower && found.way_out.lower <= found.way_out.upper);
        check_translation(&a, &b, &found.way_out);
        check_translation(&b, &a, &swapped.way_out);
        if (cases[i].first != cases[i].second)
            for (int axis = 0; axis < 3; axis++)
                assert_true(swapped.way_out.translation[axis] == -found.way_out.translation[axis]);
    }
    graze_mesh_destroy(bush);
    graze_mesh_destroy(pressed);
    graze_mesh_destroy(loose);
    graze_mesh_destroy(bar);
}

static void the_volume_is_there_when_wanted(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 4, 4, 4}, other[6] = {3, 1, 1, 9, 3, 2};
    graze_mesh *first = body_box(block, block + 3), *second = body_box(other, other + 3);
    graze_placed_mesh a = {first, NULL, graze_pose_identity()}, b = {second, NULL, graze_pose_identity()};
    graze_interference_options options = graze_interference_options_default();
    graze_interference found;
    assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &found), GRAZE_STATUS_OK);
    assert_true(found.volume == 0 && found.volume_error == 0);
    options.volume = true;
    assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &found), GRAZE_STATUS_OK);
    assert_true(fabs(found.volume - 2) <= found.volume_error && found.volume_error <= 0.02);
    graze_mesh_destroy(first);
    graze_mesh_destroy(second);
}

/* The common cube of two bars holds a ball of half its side: the sum of two depths is the whole way out. */
static void the_sum_of_two_depths_closes_the_way_out_of_bars(void **state)
{
    (void)state;
    graze_mesh *bar;
    assert_int_equal(graze_mesh_create_box(NULL, 100, 5, 5, 1, &bar), GRAZE_STATUS_OK);
    graze_placed_mesh a = {bar, NULL, graze_pose_identity()}, b = {bar, NULL, graze_pose_translation(95, 0, 0)};
    graze_interference found = interference_of(&a, &b);
    assert_true(found.way_out.reached && found.way_out.lower >= 4.95);
    graze_mesh_destroy(bar);
}

static void one_call_gives_what_three_give(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    placed_shapes *shapes = placed_shapes_create();
    size_t overlapping = 0, unreached = 0, shorter = 0, longer = 0;
    for (int round = 0; round < 40; round++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES), j = grz_random_below(&random, PLACED_SHAPES);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], placed_pose(&random, 0.7)};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][1], placed_pose(&random, 0.7)};
        graze_interference_options options = graze_interference_options_default();
        graze_deepest_options deepest_options = graze_deepest_options_default();
        options.max_cells = deepest_options.max_cells = 4000;
        options.region = options.volume = true;
        graze_interference found;
        graze_deepest_point deepest;
        graze_depth depth;
        graze_region *region;
        assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &found), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_deepest_point(NULL, &a, &b, &deepest_options, &deepest), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_depth(NULL, &a, &b, NULL, &depth), GRAZE_STATUS_OK);
        assert_int_equal(graze_region_create(NULL, &a, &b, NULL, &region), GRAZE_STATUS_OK);
        assert_true(found.deepest.lower == deepest.lower && found.deepest.upper == deepest.upper);
        assert_true(found.deepest.overlap == deepest.overlap && found.way_out.overlap == depth.overlap);
        assert_memory_equal(&found.way_out.counts, &depth.counts, sizeof depth.counts);
        assert_true(found.region->length == region->length && found.region->curve_count == region->curve_count);
        assert_true(found.region->component_count == region->component_count);
        assert_true(found.way_out.lower <= depth.upper && depth.lower <= found.way_out.upper);
        assert_true(found.volume >= 0 && found.volume_error >= 0);
        if (found.way_out.overlap == GRAZE_VERDICT_NO)
            assert_true(found.volume == 0 && found.volume_error == 0);
        assert_true(found.way_out.inside_b == found.deepest.inside_b);
        assert_true(found.way_out.reached == (found.way_out.upper <= found.way_out.lower * 1.01));
        if (found.way_out.overlap == GRAZE_VERDICT_YES)
        {
            overlapping++;
            unreached += !found.way_out.reached;
            shorter += found.way_out.upper < 0.98 * depth.upper;
            longer += found.way_out.upper > 1.02 * depth.upper;
            check_translation(&a, &b, &found.way_out);
        }
        graze_region_destroy(region);
        graze_region_destroy(found.region);
    }
    placed_shapes_destroy(shapes);
    printf("%zu overlap; the way out is shorter in %zu, longer in %zu\n", overlapping, shorter, longer);
    assert_true(overlapping > 15 && unreached > 5 && longer <= shorter + 2);
}

/* Overlap, counts and region are those of the whole call; nothing is said of depths. */
static void contacts_only_leaves_out_depths(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 2, &mesh), GRAZE_STATUS_OK);
    for (int touching = 0; touching < 2; touching++)
    {
        graze_placed_mesh a = {mesh, NULL, graze_pose_identity()};
        graze_placed_mesh b = {mesh, NULL, graze_pose_translation(touching ? 1 : 0.75, 0.25, 0.125)};
        graze_interference_options options = graze_interference_options_default();
        graze_interference whole, contacts;
        options.region = options.volume = true;
        assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &whole), GRAZE_STATUS_OK);
        options.contacts_only = true;
        assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &contacts), GRAZE_STATUS_OK);
        assert_int_equal(contacts.deepest.overlap, whole.deepest.overlap);
        assert_int_equal(contacts.way_out.overlap, whole.way_out.overlap);
        assert_int_equal(contacts.way_out.counts.pairs, whole.way_out.counts.pairs);
        assert_int_equal(contacts.region->curve_count, whole.region->curve_count);
        assert_true(contacts.region->area == whole.region->area);
        assert_true(contacts.deepest.lower == 0 && contacts.way_out.lower == 0);
        double upper = touching ? 0 : INFINITY;
        assert_true(contacts.deepest.upper == upper && contacts.way_out.upper == upper);
        assert_true(contacts.volume_error == upper && contacts.deepest.reached == touching);
        graze_region_destroy(contacts.region);
        options.region = options.volume = false;
        options.pieces = true; /* of what is not searched for */
        assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &contacts), GRAZE_STATUS_OK);
        assert_true(contacts.volume == 0 && contacts.volume_error == 0 && contacts.region == NULL);
        graze_region_destroy(whole.region);
        options.contacts_only = false;
        assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &whole), GRAZE_STATUS_OK);
        assert_true((whole.region == NULL) == (touching != 0)); /* pieces need the region of solids that overlap */
        graze_region_destroy(whole.region);
    }
    graze_mesh_destroy(mesh);
}

/* With no relative error the search goes on until all translations are tried. */
static void no_number_of_queries_stands_for_600(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    placed_shapes *shapes = placed_shapes_create();
    size_t used_up = 0;
    for (int round = 0; round < 3; round++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES), j = grz_random_below(&random, PLACED_SHAPES);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], placed_pose(&random, 0.7)};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][1], placed_pose(&random, 0.7)};
        graze_interference_options options = graze_interference_options_default();
        graze_interference found, usual;
        options.max_cells = 100;
        options.relative_error = 0;
        assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &usual), GRAZE_STATUS_OK);
        options.max_queries = 600;
        assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &found), GRAZE_STATUS_OK);
        assert_true(found.way_out.queries == usual.way_out.queries && found.way_out.upper == usual.way_out.upper);
        used_up += found.way_out.queries >= 600;
    }
    placed_shapes_destroy(shapes);
    assert_true(used_up > 0);
}

static void budgets_that_end_leave_valid_intervals(void **state)
{
    (void)state;
    graze_mesh *bush = body_tube(10, 20, 0, 25, 48, 0), *pin = body_tube(0, 10.5, -5, 30, 48, 0);
    graze_placed_mesh a = {bush, NULL, graze_pose_identity()}, b = {pin, NULL, graze_pose_translation(0.25, 0, 0)};
    graze_interference whole = interference_of(&a, &b), found;
    size_t unfinished = 0, finished = 0;
    for (uint64_t tests = 1; tests < 4000000; tests = 3 * tests)
    {
        graze_interference_options options = graze_interference_options_default();
        options.budget.box_tests = tests;
        assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &found), GRAZE_STATUS_OK);
        unfinished += found.way_out.unfinished;
        finished += !found.way_out.unfinished;
        assert_true(found.deepest.lower <= whole.deepest.upper && whole.deepest.lower <= found.deepest.upper);
        assert_true(found.way_out.lower <= whole.way_out.upper && whole.way_out.lower <= found.way_out.upper);
    }
    assert_true(unfinished > 2 && finished > 2);
    graze_mesh_destroy(bush);
    graze_mesh_destroy(pin);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 1, 1, 1}, bad[] = {-1, NAN, INFINITY};
    graze_mesh *box = body_box(block, block + 3);
    graze_placed_mesh a = {box, NULL, graze_pose_identity()};
    graze_interference found;
    for (int i = 0; i < 3; i++)
    {
        graze_interference_options options = graze_interference_options_default();
        options.relative_error = bad[i];
        assert_int_equal(graze_pair_interference(NULL, &a, &a, &options, &found), GRAZE_STATUS_BAD_ARGUMENT);
        options = graze_interference_options_default();
        options.absolute_error = bad[i];
        assert_int_equal(graze_pair_interference(NULL, &a, &a, &options, &found), GRAZE_STATUS_BAD_ARGUMENT);
        options = graze_interference_options_default();
        options.struct_size = (size_t)i;
        assert_int_equal(graze_pair_interference(NULL, &a, &a, &options, &found), GRAZE_STATUS_BAD_ARGUMENT);
    }
    graze_mesh_destroy(box);
}

/* Where one allocation fails, all later ones being granted: an error, or intervals that hold as well. Returns how many
   there are. */
static size_t check_single_failures(const graze_placed_mesh *a, const graze_placed_mesh *b,
                                    const graze_interference_options *options, size_t most_spared)
{
    graze_interference usual, found;
    assert_int_equal(graze_pair_interference(NULL, a, b, options, &usual), GRAZE_STATUS_OK);
    size_t failures = 0, spared = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed, .once = true};
        graze_context context = failing_allocator_context(&allocator);
        graze_status status = graze_pair_interference(&context, a, b, options, &found);
        bool failed = allocator.requests > allowed;
        failures += status == GRAZE_STATUS_OUT_OF_MEMORY;
        assert_true(status == GRAZE_STATUS_OK || (failed && status == GRAZE_STATUS_OUT_OF_MEMORY));
        spared += failed && status == GRAZE_STATUS_OK; /* proofs that are done without */
        if (status == GRAZE_STATUS_OK)
        {
            assert_int_equal(found.deepest.overlap, usual.deepest.overlap);
            assert_true(found.deepest.lower <= usual.deepest.upper && found.deepest.upper >= usual.deepest.lower);
            assert_true(found.way_out.lower <= usual.way_out.upper && found.way_out.upper >= usual.way_out.lower);
            assert_true(fabs(found.volume - usual.volume) <= found.volume_error + usual.volume_error);
            assert_true((found.region != NULL) == (usual.region != NULL));
            assert_true(found.region == NULL || found.region->length == usual.region->length);
            graze_region_destroy(found.region);
        }
        assert_int_equal(allocator.live, 0);
        if (!failed)
            break;
    }
    graze_region_destroy(usual.region);
    assert_true(spared <= most_spared);
    return failures;
}

static void any_single_allocation_may_fail(void **state)
{
    (void)state;
    graze_mesh *meshes[3];
    graze_tree *trees[3];
    graze_body *bodies[3];
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.4, 7, 5, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.3, 2, &meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 1, &meshes[2]), GRAZE_STATUS_OK);
    for (int i = 0; i < 3; i++)
    {
        assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_body_create(NULL, meshes[i], NULL, &bodies[i]), GRAZE_STATUS_OK);
    }
    /* A ring and a ball that cross; the ball within the ring; boxes flush with one another, which do not cross. */
    static const int shapes[3][2] = {{0, 1}, {1, 0}, {2, 2}};
    static const double shifts[3][3] = {{1, 0.05, 0.25}, {-0.9, 0, 0.02}, {1, 0, 0}};
    for (int scene = 0; scene < 3; scene++)
    {
        const int *pair = shapes[scene];
        graze_placed_mesh a = {meshes[pair[0]], trees[pair[0]], graze_pose_identity()}, b = a;
        b = (graze_placed_mesh){meshes[pair[1]], trees[pair[1]],
                                graze_pose_translation(shifts[scene][0], shifts[scene][1], shifts[scene][2])};
        graze_interference_options options = graze_interference_options_default();
        options.region = options.volume = options.pieces = true;
        options.body_a = bodies[pair[0]];
        options.body_b = bodies[pair[1]];
        options.containment = scene == 1 ? GRAZE_CONTAINMENT_A_IN_B : GRAZE_CONTAINMENT_NONE;
        options.max_cells = 60;
        options.max_queries = 8;
        size_t failures = check_single_failures(&a, &b, &options, scene < 2 ? 24 : 0);
        printf("%zu failures\n", failures);
        assert_true(failures > 20);
    }
    for (int i = 0; i < 3; i++)
    {
        graze_body_destroy(bodies[i]);
        graze_tree_destroy(trees[i]);
        graze_mesh_destroy(meshes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_and_bars_have_their_depth_and_way_out),
        cmocka_unit_test(the_sum_of_two_depths_closes_the_way_out_of_bars),
        cmocka_unit_test(the_volume_is_there_when_wanted),
        cmocka_unit_test(one_call_gives_what_three_give),
        cmocka_unit_test(contacts_only_leaves_out_depths),
        cmocka_unit_test(no_number_of_queries_stands_for_600),
        cmocka_unit_test(budgets_that_end_leave_valid_intervals),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(any_single_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
