/* SPDX-License-Identifier: MIT */
/*
 * Groups of triangles against boxes and against the triangles of a leaf: every compilation gives the bits of its scalar
 * twin, and none loses a pair that shares a point.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "simd/kernels.h"
#include "support/kernels.h"
#include "support/unit.h"

enum
{
    ROUNDS = 10000
};

static void no_slab(grz_boxes8 *boxes, unsigned lane)
{
    for (int k = 0; k < 3; k++)
        boxes->normal[k][lane] = 0;
    boxes->slab_lower[lane] = -3e38f;
    boxes->slab_upper[lane] = 3e38f;
}

/* A box in [-1, 1] that contains a point, often exactly on one side or several. */
static void box_around(grz_random *random, const double point[3], grz_boxes8 *boxes, unsigned lane)
{
    for (int k = 0; k < 3; k++)
    {
        uint64_t side = grz_random_below(random, 4);
        float lower = (float)point[k], upper = (float)point[k], more = (float)grz_random_between(random, 0, 0.5);
        while (lower > point[k])
            lower = nextafterf(lower, -2);
        while (upper < point[k])
            upper = nextafterf(upper, 2);
        boxes->lower[k][lane] = (side & 1) != 0 ? fmaxf(lower - more, -1) : lower;
        boxes->upper[k][lane] = (side & 2) != 0 ? fminf(upper + more, 1) : upper;
    }
    no_slab(boxes, lane);
}

/* Any matrix; all of [-0.5, 0.5] stays within [-1, 1]. */
static void random_map(grz_random *random, grz_float_transform *map)
{
    random_float_transform(random, 0.2, 0.5, map);
}

static void map_point(const grz_float_transform *map, const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
    {
        out[i] = map->offset[i];
        for (int j = 0; j < 3; j++)
            out[i] += (double)map->matrix[i][j] * x[j];
    }
}

/* The group's AABB in the boxes' frame is not computed by a transform here but is a box around the same points: the
   kernel takes both as given. */
static void groups_meet_boxes_that_share_a_point_with_them(void **state)
{
    (void)state;
    grz_random random = grz_random_make(81);
    unsigned long met = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_boxes8 groups, boxes, seen_boxes;
        grz_transformed8 seen = {0};
        grz_float_transform there;
        unsigned asked = (unsigned)grz_random_below(&random, 256);
        random_map(&random, &there);
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
        {
            double point[3] = {random_float(&random, 0.5), random_float(&random, 0.5), random_float(&random, 0.5)},
                   image[3];
            map_point(&there, point, image);
            box_around(&random, point, &boxes, lane);
            box_around(&random, point, &seen_boxes, lane);
            box_around(&random, image, &groups, lane);
        }
        memcpy(seen.lower, seen_boxes.lower, sizeof seen.lower);
        memcpy(seen.upper, seen_boxes.upper, sizeof seen.upper);
        uint64_t found[KERNEL_VARIANTS];
        float sizes[KERNEL_VARIANTS][GRZ_LANES];
        for (int i = KERNEL_VARIANTS - 1; i >= 0; i--) /* scalar twins first */
        {
            found[i] = kernel_variant(i)->groups(&groups, &seen, asked, &boxes, &there, sizes[i]);
            assert_true(found[i] == found[kernel_reference(i)]);
            assert_memory_equal(sizes[i], sizes[kernel_reference(i)], sizeof sizes[i]);
            for (unsigned lane = 0; lane < GRZ_LANES; lane++)
            {
                float extent = 0;
                assert_int_equal(found[i] >> (GRZ_LANES + 1) * lane & 1, asked >> lane & 1);
                assert_int_equal(found[i] >> GRZ_LANES * lane & 0xff & ~asked, 0);
                for (int k = 0; k < 3; k++)
                    extent = fmaxf(extent, boxes.upper[k][lane] - boxes.lower[k][lane]);
                assert_true(sizes[i][lane] == 0.5f * extent);
            }
        }
        met += (unsigned)__builtin_popcountll(found[0]);
    }
    printf("seed 81: %lu of %d pairs may meet\n", met, ROUNDS * GRZ_PAIRS);
    assert_true(met > 4 * ROUNDS && met < 20 * ROUNDS);
}

/* Eight triangles, some of them thin, some no more than a segment or a point. */
static void nasty_leaf(grz_random *random, grz_triangles8 *leaf)
{
    leaf->unit = ldexpf(1, -17 - (int)grz_random_below(random, 8));
    for (int k = 0; k < 3; k++)
        leaf->centre[k] = random_float(random, 0.2);
    for (int place = 0; place < GRZ_LANES; place++)
    {
        uint64_t kind = grz_random_below(random, 8);
        int share = (int)grz_random_below(random, 17), turn = (int)grz_random_below(random, 3);
        for (int i = 0; i < 9; i++)
        {
            int x = (int)grz_random_below(random, 65535) - 32767;
            bool same = i / 3 == 2 && kind < 2, near = i / 3 == 2 && kind == 2;
            int before = i < 3 ? 0 : leaf->corners[i / 3 - 1][i % 3][place];
            leaf->corners[i / 3][i % 3][place] = (int16_t)(same ? before : near ? before / 2 + x / 4096 : x);
        }
        for (int k = 0; k < 3 && kind > 5; k++) /* collinear: their normal is rounding error only */
        {
            int from = leaf->corners[0][k][place] / 16, to = leaf->corners[1][k][place] / 16;
            leaf->corners[turn][k][place] = (int16_t)(16 * from);
            leaf->corners[(turn + 1) % 3][k][place] = (int16_t)(16 * to);
            leaf->corners[(turn + 2) % 3][k][place] = (int16_t)(16 * from + share * (to - from));
        }
    }
}

/* A point of a triangle in the other frame, often on its border, where corners differ from the grid by the largest
   quantisation error. */
static void point_of(grz_random *random, const grz_triangles8 *leaf, unsigned place, const grz_float_transform *map,
                     double out[3])
{
    double weights[3] = {1, 0, 0}, x[3] = {0, 0, 0};
    if (grz_random_below(random, 4) != 0)
        weights[1] = grz_random_unit(random);
    if (grz_random_below(random, 2) != 0)
        weights[2] = (1 - weights[1]) * grz_random_unit(random);
    weights[0] = 1 - weights[1] - weights[2];
    int first = (int)grz_random_below(random, 3);
    for (int i = 0; i < 9; i++)
    {
        double off = grz_random_below(random, 2) == 0 ? 0.5 : -0.5;
        double corner = leaf->centre[i % 3] + (double)leaf->unit * (leaf->corners[i / 3][i % 3][place] + off);
        x[i % 3] += weights[(i / 3 + first) % 3] * corner;
    }
    map_point(map, x, out);
}

static void groups_meet_triangles_of_a_leaf_that_share_a_point_with_them(void **state)
{
    (void)state;
    grz_random random = grz_random_make(82);
    unsigned long met = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 leaf;
        grz_boxes8 groups;
        grz_float_transform there;
        unsigned asked = (unsigned)grz_random_below(&random, 256), places[GRZ_LANES];
        float sums[3];
        nasty_leaf(&random, &leaf);
        random_map(&random, &there);
        for (int k = 0; k < 3; k++)
            sums[k] = fabsf(there.matrix[k][0]) + fabsf(there.matrix[k][1]) + fabsf(there.matrix[k][2]);
        for (unsigned group = 0; group < GRZ_LANES; group++)
        {
            double point[3];
            places[group] = (unsigned)grz_random_below(&random, GRZ_LANES);
            point_of(&random, &leaf, places[group], &there, point);
            box_around(&random, point, &groups, group);
        }
        uint64_t found[KERNEL_VARIANTS];
        for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
        {
            found[i] = kernel_variant(i)->group_leaf(&groups, asked, &leaf, &there, sums);
            assert_true(found[i] == found[kernel_reference(i)]);
            for (unsigned group = 0; group < GRZ_LANES; group++)
            {
                assert_int_equal(found[i] >> (GRZ_LANES * group + places[group]) & 1, asked >> group & 1);
                assert_true((asked >> group & 1) != 0 || (found[i] >> GRZ_LANES * group & 0xff) == 0);
            }
        }
        met += (unsigned)__builtin_popcountll(found[0]);
    }
    printf("seed 82: %lu of %d pairs may meet\n", met, ROUNDS * GRZ_PAIRS);
    assert_true(met > 4 * ROUNDS && met < 20 * ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_meet_boxes_that_share_a_point_with_them),
        cmocka_unit_test(groups_meet_triangles_of_a_leaf_that_share_a_point_with_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
