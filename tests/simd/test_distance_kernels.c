/* SPDX-License-Identifier: MIT */
/* Every compilation of the distance kernels gives the bits of the scalar one, lane for lane. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "simd/distance.h"
#include "support/unit.h"

enum
{
    ROUNDS = 4000
};

static float number(grz_random *random, double reach)
{
    return (float)grz_random_between(random, -reach, reach);
}

static void random_boxes(grz_random *random, grz_boxes8 *boxes)
{
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        bool absent = grz_random_below(random, 16) == 0, slab = grz_random_below(random, 4) != 0;
        float length = 0;
        for (int k = 0; k < 3; k++)
        {
            float centre = number(random, 0.9), half = (float)grz_random_between(random, 0, 0.1);
            boxes->lower[k][lane] = absent ? INFINITY : centre - half;
            boxes->upper[k][lane] = absent ? -INFINITY : centre + half;
            boxes->normal[k][lane] = slab ? number(random, 1) : 0;
            length += boxes->normal[k][lane] * boxes->normal[k][lane];
        }
        for (int k = 0; k < 3 && slab; k++)
            boxes->normal[k][lane] /= sqrtf(length);
        float height = number(random, 0.5);
        boxes->slab_lower[lane] = slab ? height - 0.1f : -3e38f;
        boxes->slab_upper[lane] = slab ? height + 0.1f : 3e38f;
    }
}

static void random_map(grz_random *random, grz_float_transform *map)
{
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            map->matrix[i][j] = number(random, 1);
        map->offset[i] = number(random, 0.5);
        map->margin[i] = 1e-5f;
    }
    map->slab_margin = 1e-5f;
}

/* Compares the masks, and the squares in them. Returns how many there are. */
static unsigned compare_bounds(const grz_bounds8x8 *x, const grz_bounds8x8 *y, unsigned row_count)
{
    unsigned count = 0;
    for (unsigned row = 0; row < row_count; row++)
    {
        assert_int_equal(x->masks[row], y->masks[row]);
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
        {
            if ((x->masks[row] >> lane & 1) == 0)
                continue;
            assert_memory_equal(&x->square[row][lane], &y->square[row][lane], sizeof(float));
            count++;
        }
    }
    return count;
}

static void bounds_of_boxes_agree_bit_for_bit(void **state)
{
    (void)state;
    grz_random random = grz_random_make(41);
    printf("seed 41\n");
    const grz_distance_kernels *plain = grz_distance_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    unsigned long near = 0, far = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_boxes8 a, b;
        grz_transformed8 mapped_a, mapped_b;
        grz_float_transform to_a, to_b;
        random_boxes(&random, &a);
        random_boxes(&random, &b);
        random_map(&random, &to_a);
        random_map(&random, &to_b);
        plain->transform(&a, &to_b, &to_a, &mapped_a);
        plain->transform(&b, &to_a, &to_b, &mapped_b);
        float bound = round % 8 == 0 ? INFINITY : (float)grz_random_between(&random, 0, 0.5);
        unsigned rows = (unsigned)grz_random_below(&random, 256);
        grz_bounds8x8 expected, found;
        plain->boxes(&a, &mapped_a, rows, 0.99f, &b, &mapped_b, 1.5f, &to_a, bound, &expected);
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            grz_transformed8 image_a, image_b;
            kernels->transform(&a, &to_b, &to_a, &image_a);
            kernels->transform(&b, &to_a, &to_b, &image_b);
            kernels->boxes(&a, &image_a, rows, 0.99f, &b, &image_b, 1.5f, &to_a, bound, &found);
            unsigned count = compare_bounds(&expected, &found, GRZ_LANES);
            near += count;
            far += 64 - count;
        }
    }
    assert_true(near > ROUNDS / 2 && far > ROUNDS);
}

static void random_triangles(grz_random *random, grz_triangles8 *triangles)
{
    for (int i = 0; i < 3 * 3 * GRZ_LANES; i++)
        triangles->corners[i / (3 * GRZ_LANES)][i / GRZ_LANES % 3][i % GRZ_LANES] =
            (int16_t)((int)grz_random_below(random, 65535) - 32767);
    for (int k = 0; k < 3; k++)
        triangles->centre[k] = number(random, 0.1);
    triangles->unit = ldexpf(1, -15 - (int)grz_random_below(random, 4));
}

static void facets_agree(const grz_distance_kernels *kernels, const grz_triangles8 *leaf, const float (*matrix)[3],
                         const grz_facets8 *expected)
{
    grz_facets8 facets;
    kernels->facets(leaf, matrix, &facets);
    assert_memory_equal(facets.corners, expected->corners, sizeof facets.corners);
    assert_memory_equal(facets.normal, expected->normal, sizeof facets.normal);
    for (int lane = 0; lane < GRZ_LANES; lane++)
        assert_true(facets.level[lane] == expected->level[lane] && facets.size[lane] == expected->size[lane] &&
                    facets.extent[lane] == expected->extent[lane] && facets.lower[1][lane] == expected->lower[1][lane]);
    assert_true(facets.lowest[0] == expected->lowest[0] && facets.highest[2] == expected->highest[2]);
}

static void bounds_of_leaves_agree_bit_for_bit(void **state)
{
    (void)state;
    grz_random random = grz_random_make(42);
    printf("seed 42\n");
    const grz_distance_kernels *plain = grz_distance_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    unsigned long near = 0, far = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 a, b;
        grz_facets8 facets_a, facets_b;
        grz_float_transform map;
        random_triangles(&random, &a);
        random_triangles(&random, &b);
        random_map(&random, &map);
        const grz_float_transform *turn = &map;
        plain->facets(&a, NULL, &facets_a);
        plain->facets(&b, turn->matrix, &facets_b);
        grz_leaf_translation shift = {.error_a = 1e-5f, .error_b = 2e-5f};
        for (int k = 0; k < 3; k++)
        {
            shift.offset[k] = number(&random, 2);
            shift.margin_b[k] = 2e-5f;
        }
        float bound = round % 8 == 0 ? INFINITY : (float)grz_random_between(&random, 0, 2);
        unsigned rows = 1 + (unsigned)grz_random_below(&random, 8);
        grz_bounds8x8 expected, found;
        plain->leaves(&facets_a, rows, &facets_b, 0xff, &shift, 0.9f, bound, &expected);
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            facets_agree(kernels, &a, NULL, &facets_a);
            facets_agree(kernels, &b, turn->matrix, &facets_b);
            kernels->leaves(&facets_a, rows, &facets_b, 0xff, &shift, 0.9f, bound, &found);
            unsigned count = compare_bounds(&expected, &found, rows);
            near += count;
            far += 8 * rows - count;
        }
    }
    assert_true(near > ROUNDS / 2 && far > ROUNDS);
}

/* Triangles in general, and those with divisions by zero: points, segments, parallel edges. */
static void random_pairs(grz_random *random, grz_triangle_pairs8 *pairs)
{
    double *numbers = &pairs->a[0][0][0];
    bool grid = grz_random_below(random, 2) == 0;
    for (size_t i = 0; i < sizeof *pairs / sizeof(double); i++)
        numbers[i] = grid ? (double)grz_random_below(random, 3) : grz_random_between(random, -1, 1);
}

static void closest_points_agree_bit_for_bit(void **state)
{
    (void)state;
    grz_random random = grz_random_make(43);
    printf("seed 43\n");
    const grz_distance_kernels *plain = grz_distance_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    unsigned long positive = 0, unsure = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangle_pairs8 pairs;
        grz_closest8 expected, found;
        random_pairs(&random, &pairs);
        plain->triangles(&pairs, 1e-15, &expected);
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            grz_distance_kernels_for((graze_instructions)set)->triangles(&pairs, 1e-15, &found);
            assert_memory_equal(&expected, &found, sizeof found);
        }
        for (int i = 0; i < GRZ_LANES; i++)
        {
            assert_true(expected.lower[i] <= expected.distance[i]);
            positive += expected.lower[i] > 0;
            unsure += expected.lower[i] == 0;
        }
    }
    assert_true(positive > ROUNDS && unsure > ROUNDS);
}

/* Points against triangles, flat and needle-like ones among them. */
static void points_are_measured_as_triangles_without_extent_are(void **state)
{
    (void)state;
    grz_random random = grz_random_make(7212);
    printf("seed 7212\n");
    unsigned faces = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangle_pairs8 pairs;
        grz_closest8 expected, found;
        random_pairs(&random, &pairs);
        for (int lane = 0; lane < GRZ_LANES; lane++)
        {
            bool flat = grz_random_below(&random, 8) == 0;
            for (int axis = 0; axis < 3; axis++)
            {
                pairs.a[1][axis][lane] = pairs.a[2][axis][lane] = pairs.a[0][axis][lane];
                if (flat)
                    pairs.b[1][axis][lane] = pairs.b[2][axis][lane];
            }
        }
        for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            memset(&expected, 0, sizeof expected);
            memset(&found, 0, sizeof found);
            grz_triangle_pairs8 points = pairs;
            memset(points.a[1], 0xff, sizeof points.a[1]); /* NaN: only the first corner is read */
            memset(points.a[2], 0xff, sizeof points.a[2]);
            kernels->triangles(&pairs, 1e-15, &expected);
            kernels->points(&points, 1e-15, &found);
            assert_memory_equal(&expected, &found, sizeof found);
            const double point[3] = {pairs.a[0][0][3], pairs.a[0][1][3], pairs.a[0][2][3]};
            for (int i = 0; i < 3 * GRZ_LANES; i++)
                points.a[0][i / GRZ_LANES][i % GRZ_LANES] = point[i / GRZ_LANES];
            kernels->points(&points, 1e-15, &expected);
            memcpy(found.point_a, expected.point_a, sizeof found.point_a); /* not written */
            kernels->point(point, (const double(*)[3][GRZ_LANES])pairs.b, 1e-15, &found);
            assert_memory_equal(&expected, &found, sizeof found);
        }
        faces += found.lower[0] > 0.5 * found.distance[0];
    }
    printf("%u with a bound\n", faces);
    assert_true(faces > ROUNDS / 2);
}

static void boxes_near_a_point_agree_bit_for_bit(void **state)
{
    (void)state;
    grz_random random = grz_random_make(45);
    printf("seed 45\n");
    unsigned long near = 0, far = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_boxes8 boxes;
        float point[3], expected[GRZ_LANES] = {0}, found[GRZ_LANES] = {0};
        random_boxes(&random, &boxes);
        for (int axis = 0; axis < 3; axis++)
            point[axis] = (float)grz_random_between(&random, -2, 2);
        float limit = (float)grz_random_between(&random, 0, 2);
        unsigned mask =
            grz_distance_kernels_for(GRAZE_INSTRUCTIONS_SCALAR)->point_boxes(point, &boxes, limit, expected);
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            assert_int_equal(kernels->point_boxes(point, &boxes, limit, found), mask);
            assert_memory_equal(expected, found, sizeof found);
        }
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
        {
            assert_int_equal(mask >> lane & 1, expected[lane] < limit);
            near += mask >> lane & 1;
            far += !(mask >> lane & 1);
        }
    }
    printf("%lu boxes near, %lu far\n", near, far);
    assert_true(near > ROUNDS / 2 && far > ROUNDS);
}

static void placed_boxes_agree_bit_for_bit(void **state)
{
    (void)state;
    grz_random random = grz_random_make(44);
    printf("seed 44\n");
    const grz_distance_kernels *plain = grz_distance_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    unsigned long near = 0, far = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_boxes8 boxes;
        grz_triangles8 triangles;
        grz_float_transform map;
        random_boxes(&random, &boxes);
        random_triangles(&random, &triangles);
        random_map(&random, &map);
        const float centre[3] = {0.1f, -0.2f, 0.3f}, margin[3] = {1e-5f, 2e-5f, 3e-5f};
        float bound = round % 8 == 0 ? INFINITY : (float)grz_random_between(&random, 0, 2);
        unsigned rows = (unsigned)grz_random_below(&random, 256);
        grz_aligned8 first, second, around = {{{0}}, {{0}}};
        float lowest[3], highest[3];
        grz_bounds8x8 expected, guessed;
        plain->align_boxes(&boxes, &map, &first, &around);
        plain->align_leaf(&triangles, &map, centre, margin, &second, lowest, highest);
        plain->aligned(&first, rows, &second, 0.9f, bound, &expected);
        plain->centres(&first, rows, &second, &guessed);
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            grz_aligned8 boxes_found, leaf_found, around_found = {{{0}}, {{0}}};
            float lowest_found[3], highest_found[3];
            grz_bounds8x8 found;
            kernels->align_boxes(&boxes, &map, &boxes_found, &around_found);
            kernels->align_leaf(&triangles, &map, centre, margin, &leaf_found, lowest_found, highest_found);
            assert_memory_equal(&first, &boxes_found, sizeof first);
            assert_memory_equal(&around, &around_found, sizeof around);
            assert_memory_equal(&second, &leaf_found, sizeof second);
            assert_memory_equal(lowest, lowest_found, sizeof lowest);
            assert_memory_equal(highest, highest_found, sizeof highest);
            kernels->centres(&first, rows, &second, &found);
            compare_bounds(&guessed, &found, GRZ_LANES);
            kernels->aligned(&first, rows, &second, 0.9f, bound, &found);
            unsigned count = compare_bounds(&expected, &found, GRZ_LANES);
            near += count;
            far += 64 - count;
        }
    }
    assert_true(near > ROUNDS / 2 && far > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_of_boxes_agree_bit_for_bit),
        cmocka_unit_test(bounds_of_leaves_agree_bit_for_bit),
        cmocka_unit_test(closest_points_agree_bit_for_bit),
        cmocka_unit_test(points_are_measured_as_triangles_without_extent_are),
        cmocka_unit_test(placed_boxes_agree_bit_for_bit),
        cmocka_unit_test(boxes_near_a_point_agree_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
