/* SPDX-License-Identifier: MIT */
/*
 * The volume that two bodies have in common: boxes, flush and not, turned and far away; nested bodies; random shapes
 * against sampled points.
 */
#include "pair/depth/overlap_volume.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "graze/generate.h"
#include "pair/depth/penetration_work.h"
#include "support/bodies.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 6061,
    MOST_CELLS = 20000
};

static grz_overlap_volume volume_of(const graze_placed_mesh *a, const graze_placed_mesh *b, double relative_error)
{
    grz_pair_hits hits;
    grz_overlap_volume volume;
    assert_int_equal(grz_pair_hits_make(NULL, a, b, NULL, NULL, NULL, &hits), GRAZE_STATUS_OK);
    grz_located_surfaces located = grz_locate_surfaces(&hits.body_pair, &hits.hits);
    assert_int_equal(
        grz_find_overlap_volume(&hits.body_pair, &hits.hits, &located, relative_error, MOST_CELLS, &volume),
        GRAZE_STATUS_OK);
    grz_located_surfaces_release(NULL, &located);
    grz_pair_hits_release(&hits);
    return volume;
}

static void boxes_share_the_volume_one_can_see(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 100, 100, 200};
    const struct
    {
        double box[6], volume, most_error;
    } cases[] = {
        {{10, 20, 190, 60, 70, 300}, 50 * 50 * 10, 1e-6},          /* sunk into an end */
        {{-50, 99.75, 50, 200, 300, 150}, 100 * 0.25 * 100, 1e-6}, /* slightly sunk into one side */
        {{40, 40, 40, 60, 60, 60}, 20 * 20 * 20, 1e-6},            /* inside */
        {{-10, 40, 40, 110, 60, 60}, 100 * 20 * 20, 1e-6},         /* a bar right through */
        {{0, 0, 150, 100, 100, 350}, 100.0 * 100 * 50, 1e-6},      /* flush on four sides */
        {{0, 0, 150, 30, 40, 350}, 30 * 40 * 50, 1e-6},            /* flush on two sides */
        {{0, 0, 0, 30, 40, 50}, 30 * 40 * 50, 1e-6},               /* in a corner */
    };
    const double axis[3] = {1, -2, 0.5}, there[3] = {7, 8, 9};
    graze_pose poses[3] = {graze_pose_identity(), graze_pose_translation(8e4, 1.2e6, -3e5)};
    assert_int_equal(graze_pose_from_axis_angle(axis, 0.8, there, &poses[2]), GRAZE_STATUS_OK);
    graze_mesh *first = body_box(block, block + 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_mesh *second = body_box(cases[i].box, cases[i].box + 3);
        for (int k = 0; k < 3; k++)
        {
            graze_placed_mesh a = {first, NULL, poses[k]}, b = {second, NULL, poses[k]};
            grz_overlap_volume volume = volume_of(&a, &b, 0), swapped = volume_of(&b, &a, 0);
            double wrong = fabs(volume.value - cases[i].volume), scale = k == 1 ? 1e4 : 1;
            if (!(wrong <= volume.error + 1e-7 * scale &&
                  volume.error <= scale * cases[i].most_error * cases[i].volume))
                printf("case %zu, pose %d: %.17g +- %g, should be %g\n", i, k, volume.value, volume.error,
                       cases[i].volume);
            assert_true(wrong <= volume.error + 1e-7 * scale); /* turned boxes are rounded */
            assert_true(volume.error <= scale * cases[i].most_error * cases[i].volume);
            assert_true(volume.value == swapped.value && volume.error == swapped.error);
        }
        graze_mesh_destroy(second);
    }
    graze_mesh_destroy(first);
}

/* The same box twice: all faces lie on one another, so that only the box around bounds the volume. */
static void what_cannot_be_located_is_an_error(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 1, 2, 3};
    graze_mesh *box = body_box(block, block + 3);
    graze_placed_mesh a = {box, NULL, graze_pose_identity()};
    grz_overlap_volume volume = volume_of(&a, &a, 0);
    assert_true(fabs(volume.value - 6) <= volume.error && volume.error >= 0);
    graze_mesh_destroy(box);
}

/* Coordinates are measured as placed: those of one mesh are tiny or huge, and its pose makes up for that. */
static void sizes_count_as_placed(void **state)
{
    (void)state;
    const double boxes[2][6] = {{0, 0, 0, 2, 2, 2}, {0.5, 0.5, -1, 1, 1, 3}};
    for (int round = 0; round < 8; round++)
    {
        int exponent = round < 4 ? -210 : 210;
        graze_placed_mesh placed[2];
        graze_mesh *meshes[2];
        for (int k = 0; k < 2; k++)
        {
            bool other = k == round % 2;
            double box[6];
            for (int i = 0; i < 6; i++)
                box[i] = ldexp(boxes[k][i], other ? exponent : 0);
            meshes[k] = body_box(box, box + 3);
            placed[k] = (graze_placed_mesh){meshes[k], NULL, graze_pose_identity()};
            for (int axis = 0; axis < 3; axis++)
                placed[k].pose.m[5 * axis] = other ? ldexp(1, -exponent) : 1;
        }
        grz_overlap_volume volume = volume_of(&placed[round / 2 % 2], &placed[1 - round / 2 % 2], 0);
        assert_true(fabs(volume.value - 0.5) <= volume.error && volume.error < 1e-9);
        graze_mesh_destroy(meshes[0]);
        graze_mesh_destroy(meshes[1]);
    }
}

static bool holds(const graze_placed_mesh *mesh, const double point[3])
{
    graze_location location;
    assert_int_equal(graze_point_in_mesh(NULL, mesh, point, NULL, &location), GRAZE_STATUS_OK);
    return location != GRAZE_LOCATION_OUTSIDE;
}

/* Within six standard deviations of the share of random points that lie in both. */
static void shapes_share_the_volume_of_sampled_points(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    placed_shapes *shapes = placed_shapes_create();
    size_t overlapping = 0, close = 0;
    for (int round = 0; round < 16; round++)
    {
        size_t i = grz_random_below(&random, 2), j = grz_random_below(&random, 2);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], placed_pose(&random, 0.5)};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][1], placed_pose(&random, 0.5)};
        grz_overlap_volume volume = volume_of(&a, &b, 1e-3);
        graze_box box = graze_mesh_bounds(a.mesh);
        double whole = 1;
        int inside = 0, samples = 1500;
        for (int axis = 0; axis < 3; axis++)
            whole *= box.upper[axis] - box.lower[axis];
        for (int k = 0; k < samples; k++)
        {
            double local[3], point[3];
            for (int axis = 0; axis < 3; axis++)
                local[axis] = grz_random_between(&random, box.lower[axis], box.upper[axis]);
            graze_pose_apply(&a.pose, local, point);
            inside += holds(&a, point) && holds(&b, point);
        }
        double share = (double)inside / samples, deviation = whole * sqrt((share * (1 - share) + 0.001) / samples);
        if (!(fabs(share * whole - volume.value) <= volume.error + 6 * deviation))
            printf("round %d: %g +- %g, sampled %g +- %g\n", round, volume.value, volume.error, share * whole,
                   deviation);
        assert_true(fabs(share * whole - volume.value) <= volume.error + 6 * deviation);
        overlapping += inside > 0;
        close += inside > 0 && volume.error <= 1.1e-3 * volume.value;
    }
    placed_shapes_destroy(shapes);
    printf("%zu overlap, %zu to one in a thousand\n", overlapping, close);
    assert_true(overlapping > 5 && close > overlapping / 2);
}

/* A tube in a rod, flush with it outside and at both ends: nothing says where the common faces are, but the tube's own
 * volume does. */
static void of_bodies_in_one_another_it_is_that_of_the_inner_one(void **state)
{
    (void)state;
    enum
    {
        SEGMENTS = 24
    };
    graze_mesh *rod = body_tube(0, 4, -5, 10, SEGMENTS, 0), *tube = body_tube(3, 4, -5, 10, SEGMENTS, 0);
    double sector = 0.5 * sin(2 * 3.14159265358979323846 / SEGMENTS), volume = SEGMENTS * sector * (16 - 9) * 15;
    for (int swapped = 0; swapped < 2; swapped++)
    {
        graze_placed_mesh first = {swapped ? tube : rod, NULL, graze_pose_identity()};
        graze_placed_mesh second = {swapped ? rod : tube, NULL, graze_pose_identity()};
        graze_interference_options options = graze_interference_options_default();
        graze_interference found;
        options.volume = true;
        options.max_cells = options.max_queries = 1;
        options.containment = swapped ? GRAZE_CONTAINMENT_A_IN_B : GRAZE_CONTAINMENT_B_IN_A;
        assert_int_equal(graze_pair_interference(NULL, &first, &second, &options, &found), GRAZE_STATUS_OK);
        assert_true(fabs(found.volume - volume) <= found.volume_error + 1e-9 && found.volume_error < 1e-6);
    }
    graze_mesh_destroy(rod);
    graze_mesh_destroy(tube);
}

/* No direction takes a part of the true volume away, and that across a thin overlap makes it small. */
static void a_width_narrows_a_volume(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    const double lower[3] = {0, 0, 0}, upper[3] = {10, 10, 10};
    graze_mesh *cube = body_box(lower, upper);
    size_t narrowed = 0;
    for (int round = 0; round < 200; round++)
    {
        double width = ldexp(1, -(int)grz_random_below(&random, 40));
        graze_placed_mesh a = {cube, NULL, placed_pose(&random, 5)}, b = a;
        double direction[3], shift[3] = {10 - width, 0, 0};
        for (int axis = 0; axis < 3; axis++)
        {
            b.pose.m[4 * axis + 3] += a.pose.m[4 * axis] * shift[0];
            direction[axis] = round % 2 == 0 ? a.pose.m[4 * axis] : grz_random_unit(&random) - 0.5;
        }
        grz_pair_hits hits;
        assert_int_equal(grz_pair_hits_make(NULL, &a, &b, NULL, NULL, NULL, &hits), GRAZE_STATUS_OK);
        grz_overlap_volume volume = {500, 500};
        grz_narrow_overlap_volume(&hits.body_pair, direction, &volume);
        grz_pair_hits_release(&hits);
        double truth = 100 * width;
        assert_true(fabs(volume.value - truth) <= volume.error + 1e-12);
        if (round % 2 == 0)
            assert_true(volume.value + volume.error <= 400 * width + 1e-9);
        narrowed += volume.error < 499;
    }
    graze_mesh_destroy(cube);
    printf("%zu narrowed\n", narrowed);
    assert_true(narrowed >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_share_the_volume_one_can_see),
        cmocka_unit_test(what_cannot_be_located_is_an_error),
        cmocka_unit_test(sizes_count_as_placed),
        cmocka_unit_test(shapes_share_the_volume_of_sampled_points),
        cmocka_unit_test(of_bodies_in_one_another_it_is_that_of_the_inner_one),
        cmocka_unit_test(a_width_narrows_a_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
