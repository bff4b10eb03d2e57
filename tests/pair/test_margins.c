/* SPDX-License-Identifier: MIT */
/*
 * Margins of boxes (docs/trust.md): mapped in floats, placed in doubles, and so far apart that floats would overflow.
 * Each box must hold what it is around, exactly, and each test counts how often it would not without its margin.
 */
#include <gmp.h>
#include <math.h>
#include <stdio.h>

#include "graze/distance.h"
#include "graze/tree.h"
#include "pair/boxes.h"
#include "pair/relative.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/kernels.h"
#include "support/lattice.h"
#include "support/meshes.h"
#include "support/unit.h"

/* A map that turns and scales, with offsets from small to large; itself exact. */
static grz_map random_map(test_random *random)
{
    grz_map map = {.error = 0};
    graze_pose turn = random_rotation(random);
    double scale = ldexp(1, random_between(random, -8, 8)), far = ldexp(1, random_between(random, -8, 12));
    for (int i = 0; i < 3; i++)
    {
        map.offset[i] = far * random_real(random, -1, 1);
        for (int j = 0; j < 3; j++)
            map.matrix[i][j] = scale * turn.m[4 * i + j];
    }
    map.norm = 1.7325 * scale;
    return map;
}

static void random_boxes(test_random *random, grz_boxes8 *boxes)
{
    *boxes = (grz_boxes8){0};
    for (int lane = 0; lane < GRZ_LANES; lane++)
        for (int k = 0; k < 3; k++)
        {
            float x = (float)random_real(random, -1, 1), y = (float)random_real(random, -1, 1);
            boxes->lower[k][lane] = x < y ? x : y;
            boxes->upper[k][lane] = x < y ? y : x;
        }
}

/* Corners of boxes in doubles, which are off by far less than a float; returns how many need the margin. */
static int check_mapped(const grz_map *map, const grz_float_map *there, const grz_boxes8 *boxes,
                        const grz_mapped8 *mapped)
{
    int tight = 0;
    for (int i = 0; i < 8 * GRZ_LANES; i++)
    {
        int lane = i / 8;
        for (int k = 0; k < 3; k++)
        {
            double y = map->offset[k];
            for (int j = 0; j < 3; j++)
                y += map->matrix[k][j] * (double)((i >> j & 1) != 0 ? boxes->upper[j][lane] : boxes->lower[j][lane]);
            assert_true(y >= (double)mapped->lower[k][lane] && y <= (double)mapped->upper[k][lane]);
            tight += y < (double)mapped->lower[k][lane] + (double)there->margin[k] ||
                     y > (double)mapped->upper[k][lane] - (double)there->margin[k];
        }
    }
    return tight;
}

static void what_boxes_just_touch_is_kept(void **state)
{
    (void)state;
    test_random random = test_random_start("box margins", 81);
    int tight = 0;
    for (int round = 0; round < 500; round++)
    {
        grz_map map = random_map(&random);
        grz_float_map there = grz_map_to_float(&map);
        grz_boxes8 boxes;
        random_boxes(&random, &boxes);
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            grz_mapped8 mapped;
            kernel_variant(set)->map(&boxes, &there, &there, &mapped);
            tight += check_mapped(&map, &there, &boxes, &mapped);
        }
    }
    printf("%d corners need the margin\n", tight);
    assert_true(tight > 1000);
}

/* A placed coordinate as a rational. */
static void place_exactly(const double row[4], const double point[3], mpq_t out)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    rational_set_double(out, row[3]);
    for (int k = 0; k < 3; k++)
    {
        rational_set_double(x, row[k]);
        rational_set_double(y, point[k]);
        mpq_mul(x, x, y);
        mpq_add(out, out, x);
    }
    mpq_clears(x, y, NULL);
}

static double random_number(test_random *random, int kind)
{
    if (kind == 0)
        return random_real(random, -10, 10);
    double value =
        ldexp(random_real(random, -1, 1), random_between(random, kind == 1 ? -40 : -1070, kind == 1 ? 40 : 10));
    return random_once_in(random, 8) ? 0 : value;
}

/* Terms that all but cancel, so that the rounding of each is larger than what is left. */
static void boxes_hold_what_they_are_around(void **state)
{
    (void)state;
    test_random random = test_random_start("placed boxes", 82);
    mpq_t exact, end;
    mpq_inits(exact, end, NULL);
    int inexact = 0;
    for (int round = 0; round < 4000; round++)
    {
        graze_pose pose = graze_pose_identity();
        double point[3], image[3];
        for (int i = 0; i < 12; i++)
            pose.m[i] = i % 4 == 3 ? 0 : random_number(&random, round % 3);
        for (int k = 0; k < 3; k++)
            point[k] = random_number(&random, round % 3);
        graze_pose_apply(&pose, point, image);
        for (int k = 0; k < 3; k++)
            pose.m[4 * k + 3] = -image[k];
        interval placed[3];
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        grz_place_point(point, &pose, placed);
        environment_leave(&saved);
        graze_pose_apply(&pose, point, image);
        for (int k = 0; k < 3; k++)
        {
            place_exactly(pose.m + 4 * k, point, exact);
            rational_set_double(end, placed[k].lower);
            assert_true(mpq_cmp(end, exact) <= 0);
            rational_set_double(end, placed[k].upper);
            assert_true(mpq_cmp(end, exact) >= 0);
            rational_set_double(end, image[k]);
            inexact += mpq_cmp(end, exact) != 0;
        }
    }
    printf("%d coordinates need the margin\n", inexact);
    assert_true(inexact > 4000);
    mpq_clears(exact, end, NULL);
}

/* Two meshes of like size, ever farther apart: squares of heights would leave the floats' range long before distances
   do. */
static void far_larger_meshes_are_not_lost(void **state)
{
    (void)state;
    static test_mesh part;
    for (int i = 0; i < 9; i++)
        mesh_add_cube(&part, i % 3, i / 3, 0.5 * i, 0.75);
    graze_mesh *mesh = mesh_create(&part);
    graze_tree *tree;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, &tree), GRAZE_STATUS_OK);
    for (int exponent = 0; exponent < 60; exponent++)
    {
        graze_placed_mesh a = {mesh, tree, graze_pose_identity()}, b = a;
        b.pose = graze_pose_translation(4 + ldexp(1, exponent), ldexp(0.7, exponent), ldexp(0.3, exponent));
        graze_distance with, without;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &with), GRAZE_STATUS_OK);
        a.tree = b.tree = NULL;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &without), GRAZE_STATUS_OK);
        assert_true(with.found && without.found);
        assert_true(with.distance == without.distance && with.lower <= without.upper && without.lower <= with.upper);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_boxes_just_touch_is_kept),
        cmocka_unit_test(boxes_hold_what_they_are_around),
        cmocka_unit_test(far_larger_meshes_are_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
