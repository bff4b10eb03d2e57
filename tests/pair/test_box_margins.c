/* SPDX-License-Identifier: MIT */
/*
 * Margins of boxes (docs/trust.md): transformed in floats, placed in doubles, and so far apart that floats would
 * overflow. Each box must contain its geometry, exactly, and each test counts how often it would not without its
 * margin.
 */
#include <gmp.h>
#include <math.h>
#include <stdio.h>

#include "graze/distance.h"
#include "graze/tree.h"
#include "pair/aabb.h"
#include "pair/relative_pose.h"
#include "simd/distance.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/kernels.h"
#include "support/lattice.h"
#include "support/meshes.h"
#include "support/unit.h"

/* A transform that rotates and scales, with offsets from small to large; itself exact. */
static grz_tree_transform random_map(test_random *random)
{
    grz_tree_transform map = {.error = 0};
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

/* Corners of boxes in doubles, whose error is far less than a float's; returns how many need the margin. */
static int check_transformed(const grz_tree_transform *map, const grz_float_transform *there, const grz_boxes8 *boxes,
                             const grz_transformed8 *transformed)
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
            assert_true(y >= (double)transformed->lower[k][lane] && y <= (double)transformed->upper[k][lane]);
            tight += y < (double)transformed->lower[k][lane] + (double)there->margin[k] ||
                     y > (double)transformed->upper[k][lane] - (double)there->margin[k];
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
        grz_tree_transform map = random_map(&random);
        grz_float_transform there = grz_tree_transform_to_float(&map);
        grz_boxes8 boxes;
        random_boxes(&random, &boxes);
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            grz_transformed8 transformed;
            kernel_variant(set)->transform(&boxes, &there, &there, &transformed);
            tight += check_transformed(&map, &there, &boxes, &transformed);
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

enum
{
    NUMBER_KINDS = 5
};

static double random_number(test_random *random, int kind)
{
    if (kind == 0)
        return random_real(random, -10, 10);
    if (kind >= 3) /* denormals, which may be flushed to zero, times large factors */
        return kind == 3 ? 0x1p-1074 * random_between(random, 1, INT32_MAX) * 0x1p20
                         : ldexp(random_real(random, -1, 1), random_between(random, 200, 900));
    double value =
        ldexp(random_real(random, -1, 1), random_between(random, kind == 1 ? -40 : -1070, kind == 1 ? 40 : 10));
    return random_once_in(random, 8) ? 0 : value;
}

/* Terms that nearly cancel, so that the rounding of each is larger than the result. */
static void boxes_hold_what_they_are_around(void **state)
{
    (void)state;
    test_random random = test_random_start("placed boxes", 82);
    mpq_t exact, end;
    mpq_inits(exact, end, NULL);
    int inexact = 0;
    for (int round = 0; round < 6000; round++)
    {
        graze_pose pose = graze_pose_identity();
        double point[3], image[3];
        int kind = round % NUMBER_KINDS;
        for (int i = 0; i < 12; i++)
            pose.m[i] = i % 4 == 3 ? 0 : random_number(&random, kind);
        for (int k = 0; k < 3; k++)
            point[k] = random_number(&random, kind < 3 ? kind : 7 - kind);
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

/* Two meshes of similar size, ever farther apart: squares of heights would leave the floats' range long before
   distances do. */
static void far_larger_meshes_are_not_lost(void **state)
{
    (void)state;
    static test_mesh part;
    for (int i = 0; i < 9; i++)
        mesh_add_cube(&part, i % 3, i / 3, 0.5 * i, 0.75);
    graze_mesh *mesh = mesh_create(&part);
    graze_tree *tree;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
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

/* A transform that takes unit boxes to the surroundings of the rows: x = R y + o, and back. */
static void place_lanes(const graze_pose *turn, const double offset[3], grz_tree_transform *there,
                        grz_tree_transform *back)
{
    *there = *back = (grz_tree_transform){.norm = 1.7325, .error = 0x1p-48};
    for (int i = 0; i < 3; i++)
    {
        there->offset[i] = offset[i];
        for (int j = 0; j < 3; j++)
        {
            there->matrix[i][j] = back->matrix[j][i] = turn->m[4 * i + j];
            back->offset[j] -= turn->m[4 * i + j] * offset[i];
        }
    }
}

/* Boxes that are points, each in a slab of its own as thin as floats allow. */
static void point_boxes(test_random *random, grz_boxes8 *boxes)
{
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        graze_pose turn = random_rotation(random);
        double height = 0;
        for (int k = 0; k < 3; k++)
        {
            boxes->lower[k][lane] = boxes->upper[k][lane] = (float)random_real(random, -1, 1);
            boxes->normal[k][lane] = (float)turn.m[k];
            height += (double)boxes->normal[k][lane] * (double)boxes->lower[k][lane];
        }
        boxes->slab_lower[lane] = nextafterf((float)height, -INFINITY);
        boxes->slab_upper[lane] = nextafterf((float)height, INFINITY);
    }
}

static double point_distance_sq(const grz_boxes8 *rows, int row, const grz_boxes8 *lanes, int lane,
                                const grz_tree_transform *map)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
    {
        double y = map->offset[i] - (double)rows->lower[i][row];
        for (int j = 0; j < 3; j++)
            y += map->matrix[i][j] * (double)lanes->lower[j][lane];
        sum += y * y;
    }
    return sum;
}

/* The first row and the first lane are so near each other that floats hardly separate them, or not at all. */
static void bounds_of_boxes_exceed_no_distance(void **state)
{
    (void)state;
    test_random random = test_random_start("bounds of boxes", 84);
    int near = 0, sharp = 0;
    for (int round = 0; round < 3000; round++)
    {
        grz_boxes8 rows, lanes;
        grz_tree_transform there, back;
        graze_pose turn = random_rotation(&random);
        double offset[3], gap = ldexp(1, random_between(&random, -28, -1));
        point_boxes(&random, &rows);
        point_boxes(&random, &lanes);
        for (int i = 0; i < 3; i++)
        {
            offset[i] = (double)rows.lower[i][0] + gap * random_real(&random, -1, 1);
            for (int j = 0; j < 3; j++)
                offset[i] -= turn.m[4 * i + j] * (double)lanes.lower[j][0];
        }
        place_lanes(&turn, offset, &there, &back);
        grz_float_transform to_rows = grz_tree_transform_to_float(&there),
                            to_lanes = grz_tree_transform_to_float(&back);
        const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)(1 + round % 4));
        grz_transformed8 transformed_rows, transformed_lanes;
        grz_bounds8x8 bounds;
        kernels->transform(&rows, &to_lanes, &to_rows, &transformed_rows);
        kernels->transform(&lanes, &to_rows, &to_lanes, &transformed_lanes);
        float factor = (float)(1 - 0x1.4p-19);
        kernels->boxes(&rows, &transformed_rows, 0xff, factor, &lanes, &transformed_lanes, factor, &to_rows, INFINITY,
                       &bounds);
        for (int pair = 0; pair < GRZ_PAIRS; pair++)
        {
            double square = (double)bounds.square[pair / 8][pair % 8];
            double exact = point_distance_sq(&rows, pair / 8, &lanes, pair % 8, &there);
            assert_true(square <= exact);
            near += exact < 0x1p-40;
            sharp += square > 0.99 * exact;
        }
    }
    printf("%d near pairs, %d sharp bounds\n", near, sharp);
    assert_true(near > 300 && sharp > 100000);
}

/* Triangles on a quantization grid that count as exact, and copies of them with a small offset. */
static void bounds_of_leaves_exceed_no_distance(void **state)
{
    (void)state;
    test_random random = test_random_start("bounds of leaves", 85);
    int near = 0, sharp = 0;
    for (int round = 0; round < 3000; round++)
    {
        grz_triangles8 leaf = {.unit = 0x1p-16f};
        grz_leaf_translation shift = {{0}, {0}, 0, 0};
        for (int i = 0; i < 9 * GRZ_LANES; i++)
            leaf.corners[i / 24][i / 8 % 3][i % 8] = (int16_t)random_between(&random, -32767, 32767);
        for (int k = 0; k < 3; k++)
            shift.offset[k] = (float)ldexp(random_real(&random, -1, 1), random_between(&random, -24, 0));
        grz_facets8 facets;
        grz_bounds8x8 bounds;
        const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)(1 + round % 4));
        kernels->facets(&leaf, NULL, &facets);
        kernels->leaves(&facets, GRZ_LANES, &facets, 0xff, &shift, (float)(1 - 0x1.4p-19), INFINITY, &bounds);
        for (int row = 0; row < GRZ_LANES; row++)
        {
            grz_triangle_pairs8 pairs;
            grz_closest8 closest;
            for (int i = 0; i < 9 * GRZ_LANES; i++)
            {
                int corner = i / 24, axis = i / 8 % 3, lane = i % 8;
                pairs.a[corner][axis][lane] = 0x1p-16 * leaf.corners[corner][axis][row];
                pairs.b[corner][axis][lane] = 0x1p-16 * leaf.corners[corner][axis][lane] + (double)shift.offset[axis];
            }
            kernels->triangles(&pairs, 0x1p-700, &closest);
            for (int lane = 0; lane < GRZ_LANES; lane++)
            {
                double exact = closest.distance[lane] * closest.distance[lane];
                assert_true((double)bounds.square[row][lane] <= exact * (1 + 0x1p-40) + 0x1p-60);
                near += exact > 0 && exact < 0x1p-30;
                sharp += exact > 0x1p-30 && (double)bounds.square[row][lane] > 0.99 * exact;
            }
        }
    }
    printf("%d near pairs, %d sharp bounds\n", near, sharp);
    assert_true(near > 300 && sharp > 1000);
}

/* A triangle that spans one axis, two or all, or none, or the smallest double on one: only without any span is it a
   point. */
static void what_spans_an_axis_is_no_point(void **state)
{
    (void)state;
    for (int axes = 0; axes < 16; axes++)
    {
        static test_mesh parts[2];
        for (int i = 0; i < 2; i++)
            parts[i].vertex_count = parts[i].triangle_count = 0;
        double far[3] = {0}, other[3] = {0};
        double width = axes < 8 ? 8 : 0x1p-1074;
        for (int k = 0; k < 3; k++)
        {
            far[k] = (axes >> k & 1) != 0 ? width : 0;
            other[k] = far[k] + (k == 2 ? 3 : 0);
        }
        mesh_add_vertex(&parts[0], 0, 0, 0);
        mesh_add_vertex(&parts[0], far[0], far[1], far[2]);
        mesh_add_vertex(&parts[0], far[0], 0, 0);
        mesh_add_triangle(&parts[0], 0, 1, 2);
        mesh_add_vertex(&parts[1], other[0], other[1], other[2]);
        mesh_add_vertex(&parts[1], other[0], other[1], other[2] + 1);
        mesh_add_vertex(&parts[1], other[0], other[1], other[2] + 2);
        mesh_add_triangle(&parts[1], 0, 1, 2);
        graze_placed_mesh a = {mesh_create(&parts[0]), NULL, graze_pose_identity()};
        graze_placed_mesh b = {mesh_create(&parts[1]), NULL, graze_pose_identity()};
        graze_distance there, back;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &there), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_distance(NULL, &b, &a, NULL, &back), GRAZE_STATUS_OK);
        assert_true(there.lower <= 3 && there.upper >= 3 && there.upper - there.lower < 1e-12);
        assert_true(back.lower == there.lower && back.upper == there.upper);
        graze_mesh_destroy((graze_mesh *)a.mesh);
        graze_mesh_destroy((graze_mesh *)b.mesh);
    }
}

/* A mesh, and a copy up to 2^140 times as large, with a corner in common: beyond some size floats would overflow. */
static void meshes_of_very_different_sizes_lose_no_contact(void **state)
{
    (void)state;
    for (int exponent = 0; exponent <= 140; exponent += 5)
    {
        static test_mesh parts[2];
        graze_placed_mesh placed[2];
        graze_tree *trees[2];
        for (int i = 0; i < 2; i++)
        {
            parts[i].vertex_count = parts[i].triangle_count = 0;
            for (int k = 0; k < 9; k++)
                mesh_add_cube(&parts[i], k % 3, k / 3, 0.5 * k, 1);
            mesh_scale(&parts[i], i == 0 ? 1 : ldexp(1, exponent));
            placed[i] = (graze_placed_mesh){mesh_create(&parts[i]), NULL, graze_pose_translation(-0.25 * i, 0, 0)};
            assert_int_equal(graze_tree_create(NULL, placed[i].mesh, NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        }
        graze_pair_counts plain, counts;
        assert_int_equal(graze_pair_count(NULL, &placed[0], &placed[1], NULL, &plain), GRAZE_STATUS_OK);
        placed[0].tree = trees[0];
        placed[1].tree = trees[1];
        assert_int_equal(graze_pair_count(NULL, &placed[0], &placed[1], NULL, &counts), GRAZE_STATUS_OK);
        assert_memory_equal(&counts, &plain, sizeof counts);
        assert_true(plain.pairs > 0);
        for (int i = 0; i < 2; i++)
        {
            graze_tree_destroy(trees[i]);
            graze_mesh_destroy((graze_mesh *)placed[i].mesh);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_boxes_just_touch_is_kept),
        cmocka_unit_test(boxes_hold_what_they_are_around),
        cmocka_unit_test(far_larger_meshes_are_not_lost),
        cmocka_unit_test(bounds_of_boxes_exceed_no_distance),
        cmocka_unit_test(bounds_of_leaves_exceed_no_distance),
        cmocka_unit_test(what_spans_an_axis_is_no_point),
        cmocka_unit_test(meshes_of_very_different_sizes_lose_no_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
