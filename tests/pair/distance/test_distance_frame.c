/* SPDX-License-Identifier: MIT */
/*
 * The lower bound of the least singular value of a pose never exceeds it, by rationals, in every rounding mode; and is
 * tight where the pose rotates and scales only. R^T R - s^2 has no negative principal minor exactly where s is at most
 * the least singular value.
 */
#include <gmp.h>
#include <math.h>
#include <stdio.h>

#include "graze/generate.h"
#include "pair/distance/proximity.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/rationals.h"
#include "support/unit.h"

enum
{
    KINDS = 8,
    ROUNDS = 2400
};

static graze_pose make_pose(test_random *random, int kind)
{
    graze_pose pose = random_rotation(random);
    double factor = kind == 0 ? 1 : ldexp(kind == 1 ? 1 : random_real(random, 0.5, 1), random_between(random, -90, 90));
    int axis = random_below(random, 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            double *entry = &pose.m[4 * i + j];
            if (kind == 3) /* mirrored */
                *entry = j == axis ? -*entry : *entry;
            else if (kind == 4) /* sheared a little */
                *entry += random_real(random, -0.1, 0.1);
            else if (kind == 5) /* anything */
                *entry = random_real(random, -1, 1);
            else if (kind == 6) /* one axis much shorter */
                *entry *= j == axis ? ldexp(random_real(random, 0.5, 1), random_between(random, -24, 0)) : 1;
            else if (kind == 7) /* along the axes, in some order; one of them is shorter */
                *entry = j == (i + axis) % 3 ? (i == 0 ? random_real(random, 0, 1e-9) : random_real(random, 1, 2)) : 0;
        }
    for (int k = 0; k < 12; k++)
        pose.m[k] = k % 4 == 3 ? random_real(random, -9, 9) : factor * pose.m[k];
    return pose;
}

/* out = x y - z w */
static void minor2(mpq_t x, mpq_t y, mpq_t z, mpq_t w, mpq_t out)
{
    mpq_t second;
    mpq_init(second);
    mpq_mul(out, x, y);
    mpq_mul(second, z, w);
    mpq_sub(out, out, second);
    mpq_clear(second);
}

static bool has_negative_minor(mpq_t s[3][3])
{
    mpq_t minor, determinant;
    bool negative = false;
    mpq_inits(minor, determinant, NULL);
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        negative = negative || mpq_sgn(s[i][i]) < 0;
        minor2(s[i][i], s[j][j], s[i][j], s[j][i], minor);
        negative = negative || mpq_sgn(minor) < 0;
        minor2(s[1][j], s[2][k], s[1][k], s[2][j], minor);
        mpq_mul(minor, minor, s[0][i]);
        mpq_add(determinant, determinant, minor);
    }
    negative = negative || mpq_sgn(determinant) < 0;
    mpq_clears(minor, determinant, NULL);
    return negative;
}

/* Whether the pose makes no length shorter than `stretch` times itself. */
static bool keeps(const graze_pose *pose, double stretch)
{
    mpq_t m[12], s[3][3], term;
    rational_matrix_init(m);
    rational_matrix_set(m, pose);
    mpq_init(term);
    for (int i = 0; i < 9; i++)
    {
        mpq_ptr sum = s[i / 3][i % 3];
        mpq_init(sum);
        rational_set_double(term, i % 4 == 0 ? stretch : 0);
        mpq_mul(term, term, term);
        mpq_neg(sum, term);
        for (int k = 0; k < 3; k++)
        {
            mpq_mul(term, m[4 * k + i / 3], m[4 * k + i % 3]);
            mpq_add(sum, sum, term);
        }
    }
    bool result = !has_negative_minor(s);
    for (int i = 0; i < 9; i++)
        mpq_clear(s[i / 3][i % 3]);
    mpq_clear(term);
    rational_matrix_clear(m);
    return result;
}

static double stretch_in(const graze_pose *pose, int environment)
{
    saved_environment saved;
    environment_enter(&saved, environment);
    double stretch = grz_least_singular_value(pose);
    environment_leave(&saved);
    return stretch;
}

static void no_length_is_shortened_more_than_is_said(void **state)
{
    (void)state;
    test_random random = test_random_start("least stretch", 91);
    int known = 0, sharp = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        int kind = round % KINDS;
        graze_pose pose = make_pose(&random, kind);
        double stretch = stretch_in(&pose, round / KINDS % ENVIRONMENTS);
        assert_true(keeps(&pose, stretch));
        assert_true(kind >= 4 || !keeps(&pose, stretch * (1 + 1e-13)));
        assert_true(kind == 5 || !keeps(&pose, stretch * 1.8)); /* the root of 3, and errors */
        known += stretch > 0;
        sharp += !keeps(&pose, stretch * (1 + 1e-13));
    }
    printf("%d known, %d sharp\n", known, sharp);
    assert_true(known > ROUNDS * 99 / 100 && sharp > ROUNDS / 2);
}

/* There is a bound from 2^-100 to 2^100, and none beyond; squares of much smaller numbers would underflow. */
static void nothing_is_said_of_poses_at_the_far_ends(void **state)
{
    (void)state;
    test_random random = test_random_start("least stretch at the far ends", 92);
    for (int power = -600; power <= 500; power++)
    {
        graze_pose pose = random_rotation(&random);
        for (int k = 0; k < 12; k++)
            pose.m[k] = ldexp(pose.m[k], power);
        double stretch = stretch_in(&pose, random_below(&random, ENVIRONMENTS));
        assert_true(keeps(&pose, stretch));
        assert_true(stretch > 0 || power < -98 || power > 99); /* the largest entry is between 1/2 and 1 */
        assert_true(stretch == 0 || (power > -101 && power < 102));
    }
    graze_pose flat = graze_pose_identity();
    flat.m[10] = 0;
    assert_true(grz_least_singular_value(&flat) == 0);
}

/* Trees of meshes at the far ends have coordinates of their own, which the given poses do not apply to. */
static void only_trees_in_the_common_range_have_a_frame(void **state)
{
    (void)state;
    graze_mesh *meshes[2];
    graze_tree *trees[2];
    assert_int_equal(graze_mesh_create_box(NULL, 1, 2, 3, 2, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 0x1p200, 0x1p200, 0x1p200, 2, &meshes[1]), GRAZE_STATUS_OK);
    graze_placed_mesh placed[2];
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        placed[i] = (graze_placed_mesh){meshes[i], trees[i], graze_pose_identity()};
    }
    graze_placed_mesh bare = placed[0];
    bare.tree = NULL;
    grz_distance_frame frame;
    assert_true(grz_distance_frame_make(&frame, &placed[0], &placed[0]));
    assert_false(grz_distance_frame_make(&frame, &placed[0], &placed[1]));
    assert_false(grz_distance_frame_make(&frame, &placed[1], &placed[0]));
    assert_false(grz_distance_frame_make(&frame, &placed[1], &placed[1]));
    assert_false(grz_distance_frame_make(&frame, &placed[0], &bare));
    assert_false(grz_distance_frame_make(&frame, &bare, &placed[0]));
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(trees[i]);
        graze_mesh_destroy(meshes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_length_is_shortened_more_than_is_said),
        cmocka_unit_test(nothing_is_said_of_poses_at_the_far_ends),
        cmocka_unit_test(only_trees_in_the_common_range_have_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
