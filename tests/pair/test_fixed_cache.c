/* SPDX-License-Identifier: MIT */
/*
 * Mated parts: cubes of a chessboard in space against the others, so that every decision is degenerate or nearly so.
 * With trees, where fixed point decides, hits are the same as without, where integers of any width do, in every
 * floating-point environment. And the units of fixed point that follow from two meshes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/pair.h"
#include "graze/tree.h"
#include "pair/fixed_cache.h"
#include "support/contacts.h"
#include "support/environment.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    MOST_HITS = 1 << 14,
    ROUNDS = 12
};

/* Cubes of one colour, moved by `offset`, and multiplied by `side`. */
static graze_mesh *make_cubes(int colour, double side, const double offset[3])
{
    static test_mesh mesh;
    mesh.vertex_count = mesh.triangle_count = 0;
    for (int i = 0; i < 27; i++)
    {
        int x = i % 3, y = i / 3 % 3, z = i / 9;
        if ((x + y + z) % 2 == colour)
        {
            double lower[3] = {side * x - offset[0], side * y - offset[1], side * z - offset[2]};
            double upper[3] = {side * (x + 1) - offset[0], side * (y + 1) - offset[1], side * (z + 1) - offset[2]};
            mesh_add_box(&mesh, lower, upper, false);
        }
    }
    return mesh_create(&mesh);
}

/* A pose of one of several kinds; the other part's compensates the offset of its vertices, up to rounding. */
static void make_poses(test_random *random, int kind, const double offset[3], graze_pose poses[2])
{
    poses[0] = kind % 2 == 0 ? graze_pose_identity() : random_rotation(random);
    for (int k = 0; k < 3; k++)
        poses[0].m[4 * k + 3] = kind == 0   ? 0
                                : kind == 2 ? random_between(random, -1000, 1000)
                                            : random_real(random, -50, 50);
    if (kind == 4) /* sheared and mirrored */
    {
        poses[0].m[1] = 0.5;
        poses[0].m[5] = -3;
        poses[0].m[8] = 1 / 3.0;
    }
    if (kind == 5)
        poses[0].m[7] = 1e9;
    graze_pose back = graze_pose_translation(offset[0], offset[1], offset[2]);
    assert_int_equal(graze_pose_compose(&poses[0], &back, &poses[1], NULL), GRAZE_STATUS_OK);
}

typedef struct hit_list
{
    graze_pair_counts counts;
    graze_hit hits[MOST_HITS];
} hit_list;

static void gather(const graze_placed_mesh *a, const graze_placed_mesh *b, hit_list *out)
{
    assert_int_equal(graze_pair_gather(NULL, a, b, NULL, out->hits, MOST_HITS, &out->counts), GRAZE_STATUS_OK);
    assert_true(out->counts.pairs <= MOST_HITS);
}

static void assert_same(const hit_list *given, const hit_list *expected)
{
    assert_int_equal(given->counts.pairs, expected->counts.pairs);
    assert_int_equal(given->counts.crossing, expected->counts.crossing);
    assert_int_equal(given->counts.coplanar, expected->counts.coplanar);
    for (size_t i = 0; i < expected->counts.pairs; i++)
    {
        assert_int_equal(given->hits[i].triangle_a, expected->hits[i].triangle_a);
        assert_int_equal(given->hits[i].triangle_b, expected->hits[i].triangle_b);
        assert_true(contact_equal(&given->hits[i].contact, &expected->hits[i].contact));
    }
}

static void mated_parts_meet_as_integers_of_any_width_say(void **state)
{
    (void)state;
    test_random random = test_random_start("mated cubes", 41);
    static hit_list given, expected;
    for (int kind = 0; kind < 6; kind++)
    {
        unsigned long long pairs = 0, coplanar = 0;
        for (int round = 0; round < ROUNDS; round++)
        {
            double offset[3], zero[3] = {0, 0, 0}, side = round % 3 == 0 ? 1 : round % 3 == 1 ? 0.1 : 1 / 3.0;
            for (int k = 0; k < 3; k++)
                offset[k] = round % 2 == 0 ? 0 : random_between(&random, -20, 20);
            graze_pose poses[2];
            make_poses(&random, kind, offset, poses);
            graze_mesh *a = make_cubes(0, side, zero), *b = make_cubes(1, side, offset);
            graze_tree *tree_a = NULL, *tree_b = NULL;
            assert_int_equal(graze_tree_create(NULL, a, NULL, NULL, &tree_a), GRAZE_STATUS_OK);
            assert_int_equal(graze_tree_create(NULL, b, NULL, NULL, &tree_b), GRAZE_STATUS_OK);
            graze_placed_mesh plain_a = {a, NULL, poses[0]}, plain_b = {b, NULL, poses[1]};
            graze_placed_mesh with_a = {a, tree_a, poses[0]}, with_b = {b, tree_b, poses[1]};
            gather(&plain_a, &plain_b, &expected);
            for (int i = 0; i < ENVIRONMENTS; i++)
            {
                saved_environment saved;
                environment_enter(&saved, i);
                gather(&with_a, &with_b, &given);
                environment_leave(&saved);
                assert_same(&given, &expected);
            }
            pairs += expected.counts.pairs;
            coplanar += expected.counts.coplanar;
            graze_tree_destroy(tree_a);
            graze_tree_destroy(tree_b);
            graze_mesh_destroy(a);
            graze_mesh_destroy(b);
        }
        printf("kind %d: %llu pairs, %llu coplanar\n", kind, pairs, coplanar);
        assert_true(pairs > 1000);
        assert_true(kind % 2 == 1 || coplanar > 100);
    }
}

/* Few triangles are kept: asked for in any order, each is the one asked for. */
static void triangles_kept_are_those_asked_for(void **state)
{
    (void)state;
    test_random random = test_random_start("triangles kept", 42);
    const double zero[3] = {0, 0, 0};
    graze_mesh *mesh = make_cubes(0, 0.1, zero);
    graze_pose pose = random_rotation(&random);
    static grz_fixed_cache cache;
    grz_fixed_cache_start(&cache, mesh, &pose, mesh, NULL);
    assert_true(cache.usable);
    grz_fixed_pose fixed[2];
    grz_fixed_pose_make(&pose, &fixed[0]);
    grz_fixed_pose_make(NULL, &fixed[1]);
    const double *vertices = graze_mesh_vertices(mesh);
    const uint32_t *triangles = graze_mesh_triangles(mesh);
    for (int i = 0; i < 10000; i++)
    {
        int which = random_below(&random, 2);
        uint32_t triangle = (uint32_t)random_below(&random, 14 * 12);
        const double *corners[3];
        for (int c = 0; c < 3; c++)
            corners[c] = vertices + 3 * (size_t)triangles[3 * triangle + (uint32_t)c];
        grz_fixed_triangle expected;
        grz_fixed_triangle_make(corners, &fixed[which], cache.unit, &expected);
        const grz_fixed_triangle *given = grz_fixed_cache_triangle(&cache, which, mesh, triangle);
        assert_memory_equal(given->high, expected.high, sizeof expected.high);
        assert_memory_equal(given->low, expected.low, sizeof expected.low);
        assert_true(given->exact == expected.exact && given->whole == expected.whole);
    }
    graze_mesh_destroy(mesh);
}

/* A cube of side 2^power, times 0.4, whose corner nearest to the origin is at -0.5 2^power on each axis. */
static graze_mesh *make_cube(int power)
{
    test_mesh cube = {0};
    mesh_add_cube(&cube, ldexp(-0.9, power), ldexp(-0.9, power), ldexp(-0.9, power), ldexp(0.4, power));
    return mesh_create(&cube);
}

/* Whether a number is below 2^125 units, and not by more than a factor of 4 in all. */
static bool fits(double number, int unit)
{
    double limit = ldexp(1, unit + 125);
    return number < limit && limit <= 4 * number;
}

static void units_fit_the_extent_at_every_scale(void **state)
{
    (void)state;
    for (int power = -600; power <= 600; power += power > -80 && power < 80 ? 1 : 40)
    {
        graze_mesh *cube = make_cube(power);
        const graze_pose same = graze_pose_identity();
        const graze_placed_mesh placed = {cube, NULL, same};
        int unit = 0;
        static grz_fixed_cache cache;
        assert_true(grz_fixed_unit_of_meshes(cube, NULL, cube, NULL, &unit));
        assert_true(fits(ldexp(0.4, power), unit));
        assert_true(grz_fixed_unit_of_meshes(cube, &same, cube, &same, &unit));
        assert_true(fits(ldexp(0.4, power), unit));
        grz_fixed_cache_start(&cache, cube, NULL, cube, NULL);
        assert_true(cache.started && cache.usable && fits(ldexp(0.4, power), cache.unit));
        grz_fixed_cache_start_absolute(&cache, &placed, &placed); /* of coordinates, not only of their differences */
        assert_true(cache.started && cache.usable && fits(ldexp(0.9, power), cache.unit));
        graze_mesh_destroy(cube);
    }
}

/* The pose counts: rows of it stretch the cube on one axis, or move it. */
static void units_follow_poses(void **state)
{
    (void)state;
    graze_mesh *cube = make_cube(0);
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 4; k++)
            for (int side = 0; side < 2; side++)
            {
                graze_pose poses[2] = {graze_pose_identity(), graze_pose_identity()};
                int unit = 0;
                poses[side].m[4 * axis + k] = 0x1p20;
                assert_true(grz_fixed_unit_of_meshes(cube, &poses[0], cube, &poses[1], &unit));
                /* Differences of up to about 2^20 times 0.5, 0.9 or 1. */
                assert_true(fits(k < 3 ? 0x1p20 * 0.9 : 0x1p20, unit));
            }
    graze_mesh_destroy(cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mated_parts_meet_as_integers_of_any_width_say),
        cmocka_unit_test(triangles_kept_are_those_asked_for),
        cmocka_unit_test(units_fit_the_extent_at_every_scale),
        cmocka_unit_test(units_follow_poses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
