/* SPDX-License-Identifier: MIT */
/*
 * Normals near a point: with cones, with placed leaves as well, and without either, answers are those of all triangles.
 * Far from the surface, and where no normal is certain, nothing agrees. Directions that are found agree with all.
 */
#include "pair/depth/normal_cones.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/generate.h"
#include "pair/distance/triangle_distance.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 2718,
    WAYS = 4 /* no tree, a tree, cones, cones and placed leaves */
};

typedef struct ways
{
    grz_placed_body bodies[2]; /* without and with a tree */
    graze_placed_mesh placed[2];
    grz_surface surfaces[WAYS];
} ways;

static void make_ways(ways *w, graze_mesh *mesh, graze_tree *tree, graze_pose pose)
{
    double reach = 4 * grz_coordinate_bound(mesh, &pose) + 64 * fabs(pose.m[0]);
    for (int i = 0; i < 2; i++)
    {
        w->placed[i] = (graze_placed_mesh){mesh, i == 0 ? NULL : tree, pose};
        assert_int_equal(grz_placed_body_make(NULL, &w->placed[i], NULL, NULL, &w->bodies[i]), GRAZE_STATUS_OK);
    }
    for (int way = 0; way < WAYS; way++)
    {
        w->surfaces[way] = grz_surface_make(&w->bodies[way > 0], reach, NULL);
        assert_true(way < 2 || grz_surface_make_cones(NULL, &w->surfaces[way]));
        assert_true(way < 3 || grz_surface_make_leaves(NULL, &w->surfaces[way]));
    }
}

static void release_ways(ways *w)
{
    for (int way = 0; way < WAYS; way++)
        grz_surface_release(NULL, &w->surfaces[way]);
    for (int i = 0; i < 2; i++)
        grz_placed_body_release(NULL, &w->bodies[i]);
}

/* Checks what was said of all triangles within the radius. */
static void check_agreement(const grz_surface *surface, const grz_normal_test *test)
{
    for (uint32_t t = 0; t < surface->body->placed->mesh->triangle_count; t++)
    {
        v3 corners[3], normal;
        double error;
        grz_surface_corners(surface, t, corners);
        if (grz_distance_to_triangle(surface, corners, test->centre) > test->radius)
            continue;
        assert_true(grz_surface_normal(surface, corners, &normal, &error));
        assert_true(test->facing * v3_dot(normal, test->direction) >= test->agreement);
    }
    assert_true(test->agreement > test->least && test->met);
}

static void all_ways_agree(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    placed_shapes *shapes = placed_shapes_create();
    size_t agreeing = 0, others = 0;
    for (int round = 0; round < 40; round++)
    {
        size_t shape = (size_t)round % PLACED_SHAPES;
        static ways w;
        make_ways(&w, shapes->meshes[shape], shapes->trees[shape][round % PLACED_LEAF_SIZES], placed_pose(&random, 1));
        for (int k = 0; k < 10; k++)
        {
            v3 corners[3], normal;
            double error, facing = k % 2 == 0 ? 1 : -1;
            uint32_t count = (uint32_t)graze_mesh_triangle_count(shapes->meshes[shape]);
            grz_surface_corners(&w.surfaces[0], (uint32_t)grz_random_below(&random, count), corners);
            if (!grz_surface_normal(&w.surfaces[0], corners, &normal, &error))
                continue;
            v3 off = v3_make(grz_random_between(&random, -0.2, 0.2), grz_random_between(&random, -0.2, 0.2),
                             grz_random_between(&random, -0.2, 0.2));
            const grz_normal_test asked = {.centre = v3_add(corners[0], off),
                                           .radius = v3_length(off) + grz_random_between(&random, 0, 0.2),
                                           .direction = v3_scale(facing * (1 - 0x1p-40), normal),
                                           .facing = facing,
                                           .least = 0x1p-10};
            bool first = false;
            for (int way = 0; way < WAYS; way++)
            {
                grz_normal_test test = asked;
                bool agree = grz_surface_normals_agree(&w.surfaces[way], &test);
                first = way == 0 ? agree : first;
                assert_int_equal(agree, first);
                if (agree)
                    check_agreement(&w.surfaces[0], &test);
            }
            agreeing += first;
            others += !first;
        }
        release_ways(&w);
    }
    placed_shapes_destroy(shapes);
    printf("%zu agree, %zu do not\n", agreeing, others);
    assert_true(agreeing > 50 && others > 50);
}

static void nothing_agrees_far_away(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    placed_shapes *shapes = placed_shapes_create();
    for (size_t shape = 0; shape < PLACED_SHAPES; shape++)
    {
        static ways w;
        make_ways(&w, shapes->meshes[shape], shapes->trees[shape][0], placed_pose(&random, 1));
        for (uint32_t t = 0; t < 6; t++)
        {
            v3 corners[3], normal;
            double error;
            grz_surface_corners(&w.surfaces[0], t, corners);
            if (!grz_surface_normal(&w.surfaces[0], corners, &normal, &error))
                continue;
            const grz_normal_test asked = {.centre = v3_make(t % 2 == 0 ? 50 : 1, t % 3 == 0 ? 50 : -2, 50),
                                           .radius = 1,
                                           .direction = v3_scale(1 - 0x1p-40, normal),
                                           .facing = 1,
                                           .least = 0x1p-10};
            for (int way = 0; way < WAYS; way++)
            {
                grz_normal_test test = asked;
                assert_false(grz_surface_normals_agree(&w.surfaces[way], &test));
                assert_false(test.met);
            }
        }
        release_ways(&w);
    }
    placed_shapes_destroy(shapes);
}

/* Squares of the lengths of normals underflow. */
static void normals_that_are_not_certain_do_not_agree(void **state)
{
    (void)state;
    placed_shapes *shapes = placed_shapes_create();
    graze_pose pose = graze_pose_identity();
    for (int axis = 0; axis < 3; axis++)
        pose.m[5 * axis] = 0x1p-260;
    static ways w;
    make_ways(&w, shapes->meshes[0], shapes->trees[0][0], pose);
    for (int way = 0; way < WAYS; way++)
    {
        grz_normal_test test = {
            .radius = 0x1p-250, .direction = v3_make(0, 0, 1 - 0x1p-40), .facing = 1, .least = 0x1p-10};
        assert_false(grz_surface_normals_agree(&w.surfaces[way], &test));
        assert_true(v3_dot(test.violating, test.violating) == 0);
    }
    release_ways(&w);
    placed_shapes_destroy(shapes);
}

/* Caps of a sphere up to a half: with as many first normals as there is room for, a direction is found for small caps,
   and none for more than a half. */
static void directions_of_caps_are_found(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 2);
    graze_mesh *mesh;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 12, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    static ways w;
    make_ways(&w, mesh, tree, graze_pose_identity());
    size_t found = 0, none = 0;
    for (int round = 0; round < 400; round++)
    {
        const grz_surface *surface = &w.surfaces[2 + round % 2];
        v3 corners[3], first[GRZ_FIRST_NORMALS];
        double error, angle = grz_random_between(&random, 0.1, 1.8);
        uint32_t start = (uint32_t)grz_random_below(&random, graze_mesh_triangle_count(mesh));
        grz_surface_corners(surface, start, corners);
        assert_true(grz_surface_normal(surface, corners, &first[0], &error));
        for (int k = 1; k < GRZ_FIRST_NORMALS; k++)
            first[k] = first[0];
        v3 centre = v3_make(0, 0, 0);
        for (int k = 0; k < 3; k++)
            centre = v3_add(centre, v3_scale(1.0 / 3, corners[k]));
        size_t count = round % 3 == 0 ? 1 : GRZ_FIRST_NORMALS;
        bool has = grz_surface_has_direction(surface, centre, 2 * sin(angle / 2), first, count, 1);
        found += has;
        none += !has;
        assert_true(angle > 1.2 || has);
        assert_true(angle < 1.6 || !has);
    }
    printf("%zu caps with a direction, %zu without\n", found, none);
    assert_true(found > 200 && none > 20);
    release_ways(&w);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_agree),
        cmocka_unit_test(nothing_agrees_far_away),
        cmocka_unit_test(normals_that_are_not_certain_do_not_agree),
        cmocka_unit_test(directions_of_caps_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
