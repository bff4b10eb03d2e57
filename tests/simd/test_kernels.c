/* SPDX-License-Identifier: MIT */
/* Every compilation of the kernels gives the bits of the plain one, lane for lane. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "simd/kernels.h"
#include "support/unit.h"

enum
{
    ROUNDS = 20000
};

static float number(grz_random *random, double reach)
{
    return (float)grz_random_between(random, -reach, reach);
}

/* Boxes of a size that makes about half of all pairs meet; some absent, some without a slab. */
static void random_boxes(grz_random *random, grz_boxes8 *boxes)
{
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        bool absent = grz_random_below(random, 16) == 0, slab = grz_random_below(random, 4) != 0;
        float length = 0;
        for (int k = 0; k < 3; k++)
        {
            float centre = number(random, 0.6), half = (float)grz_random_between(random, 0, 0.4);
            boxes->lower[k][lane] = absent ? INFINITY : centre - half;
            boxes->upper[k][lane] = absent ? -INFINITY : centre + half;
            boxes->normal[k][lane] = slab ? number(random, 1) : 0;
            length += boxes->normal[k][lane] * boxes->normal[k][lane];
        }
        for (int k = 0; k < 3 && slab; k++)
            boxes->normal[k][lane] /= sqrtf(length);
        float height = number(random, 0.5), half = (float)grz_random_between(random, 0, 0.3);
        boxes->slab_lower[lane] = slab ? height - half : -3e38f;
        boxes->slab_upper[lane] = slab ? height + half : 3e38f;
    }
}

static void random_map(grz_random *random, grz_float_map *map)
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

static void random_triangles(grz_random *random, grz_triangles8 *triangles)
{
    for (int i = 0; i < 3 * 3 * GRZ_LANES; i++)
        triangles->corners[i / (3 * GRZ_LANES)][i / GRZ_LANES % 3][i % GRZ_LANES] =
            (int16_t)((int)grz_random_below(random, 65535) - 32767);
    for (int k = 0; k < 3; k++)
        triangles->centre[k] = number(random, 0.1);
    triangles->unit = ldexpf(1, -(int)grz_random_below(random, 40));
}

static void box_kernels_agree_bit_for_bit(void **state)
{
    (void)state;
    const grz_kernels *plain = grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    grz_random random = grz_random_make(31);
    unsigned long met = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_boxes8 a, b;
        grz_float_map there, back;
        random_boxes(&random, &a);
        random_boxes(&random, &b);
        random_map(&random, &there);
        random_map(&random, &back);
        grz_mapped8 plain_a, plain_b, image_a, image_b;
        uint8_t expected[GRZ_LANES], found[GRZ_LANES];
        plain->map(&a, &there, &back, &plain_a);
        plain->map(&b, &back, &there, &plain_b);
        unsigned rows = (unsigned)grz_random_below(&random, 256);
        plain->boxes(&a, &plain_a, rows, &b, &plain_b, expected);
        for (int row = 0; row < GRZ_LANES; row++)
        {
            assert_true((rows >> row & 1) != 0 || expected[row] == 0);
            met += (unsigned)__builtin_popcount(expected[row]);
        }
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_kernels *kernels = grz_kernels_for((graze_instructions)set);
            kernels->map(&a, &there, &back, &image_a);
            kernels->map(&b, &back, &there, &image_b);
            kernels->boxes(&a, &image_a, rows, &b, &image_b, found);
            assert_memory_equal(found, expected, sizeof found);
            for (int lane = 0; lane < GRZ_LANES; lane++) /* absent boxes have NaN images, whose bits may differ */
            {
                if (a.lower[0][lane] <= a.upper[0][lane])
                    assert_true(image_a.lower[0][lane] == plain_a.lower[0][lane] &&
                                image_a.upper[2][lane] == plain_a.upper[2][lane] &&
                                image_a.direction[1][lane] == plain_a.direction[1][lane] &&
                                image_a.slab_upper[lane] == plain_a.slab_upper[lane]);
            }
        }
    }
    printf("%lu pairs of boxes met\n", met);
    assert_true(met > ROUNDS);
}

static void triangle_kernels_agree_bit_for_bit(void **state)
{
    (void)state;
    const grz_kernels *plain = grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    grz_random random = grz_random_make(32);
    unsigned long met = 0, missed = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 a, b;
        random_triangles(&random, &a);
        random_triangles(&random, &b);
        b.unit = a.unit;
        grz_leaf_map map;
        for (int i = 0; i < 3; i++)
        {
            for (int j = 0; j < 3; j++)
                map.matrix[i][j] = number(&random, 1);
            map.offset[i] = 65536 * a.unit * number(&random, 0.7);
            map.error_b[i] = 2 * a.unit;
        }
        map.error_a = a.unit;
        unsigned count = 1 + (unsigned)grz_random_below(&random, 8), mask = (unsigned)grz_random_below(&random, 256);
        uint8_t expected[GRZ_LANES] = {0}, found[GRZ_LANES] = {0};
        plain->triangles(&a, count, &b, mask, &map, expected);
        for (unsigned row = 0; row < count; row++)
        {
            assert_int_equal(expected[row] & ~mask, 0);
            met += (unsigned)__builtin_popcount(expected[row]);
            missed += (unsigned)__builtin_popcount(mask & ~expected[row]);
        }
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            grz_kernels_for((graze_instructions)set)->triangles(&a, count, &b, mask, &map, found);
            assert_memory_equal(found, expected, count);
        }
    }
    printf("%lu pairs of triangles kept, %lu dropped\n", met, missed);
    assert_true(met > ROUNDS && missed > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_kernels_agree_bit_for_bit),
        cmocka_unit_test(triangle_kernels_agree_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
