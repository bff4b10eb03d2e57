/* SPDX-License-Identifier: MIT */
/* Every compilation of the box kernels gives the bits of its scalar twin, lane for lane. */
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

/* Boxes of a size that makes about half of all pairs meet; some absent, some without a slab. */
static void random_boxes(grz_random *random, grz_boxes8 *boxes)
{
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        bool absent = grz_random_below(random, 16) == 0, slab = grz_random_below(random, 4) != 0;
        float length = 0;
        for (int k = 0; k < 3; k++)
        {
            float centre = random_float(random, 0.6), half = (float)grz_random_between(random, 0, 0.4);
            boxes->lower[k][lane] = absent ? INFINITY : centre - half;
            boxes->upper[k][lane] = absent ? -INFINITY : centre + half;
            boxes->normal[k][lane] = slab ? random_float(random, 1) : 0;
            length += boxes->normal[k][lane] * boxes->normal[k][lane];
        }
        for (int k = 0; k < 3 && slab; k++)
            boxes->normal[k][lane] /= sqrtf(length);
        float height = random_float(random, 0.5), half = (float)grz_random_between(random, 0, 0.3);
        boxes->slab_lower[lane] = slab ? height - half : -3e38f;
        boxes->slab_upper[lane] = slab ? height + half : 3e38f;
    }
}

static void random_map(grz_random *random, grz_float_transform *map)
{
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            map->matrix[i][j] = random_float(random, 1);
        map->offset[i] = random_float(random, 0.5);
        map->margin[i] = 1e-5f;
    }
    map->slab_margin = 1e-5f;
}

/* Two nodes, the transforms between their frames, and the masks asked for. */
typedef struct box_case
{
    grz_boxes8 a, b;
    grz_float_transform there, back;
    unsigned rows, lanes;
} box_case;

static void random_case(grz_random *random, box_case *c)
{
    random_boxes(random, &c->a);
    random_boxes(random, &c->b);
    random_map(random, &c->there);
    random_map(random, &c->back);
    c->rows = (unsigned)grz_random_below(random, 256);
    c->lanes = (unsigned)grz_random_below(random, 256);
}

/* Results of the kernels for a case. */
typedef struct box_answers
{
    grz_transformed8 image_a, image_b;
    uint64_t pairs;
    unsigned near[GRZ_LANES], meet[GRZ_LANES];
} box_answers;

static void answer(const grz_kernels *kernels, const box_case *c, box_answers *out)
{
    kernels->transform(&c->a, &c->there, &c->back, &out->image_a);
    kernels->transform(&c->b, &c->back, &c->there, &out->image_b);
    out->pairs = kernels->boxes(&c->a, &out->image_a, c->rows, &c->b, &out->image_b, c->lanes);
    for (unsigned row = 0; row < GRZ_LANES; row++)
    {
        out->near[row] = kernels->row_aabb_overlap(&out->image_a, row, &c->b);
        out->meet[row] = kernels->row_slab_overlap(&c->a, &out->image_a, row, &c->b, &out->image_b, 0xff);
    }
}

static void answers_agree(const box_case *c, const box_answers *found, const box_answers *expected)
{
    assert_true(found->pairs == expected->pairs);
    assert_memory_equal(found->near, expected->near, sizeof found->near);
    assert_memory_equal(found->meet, expected->meet, sizeof found->meet);
    for (int lane = 0; lane < GRZ_LANES; lane++) /* bits of the NaN bounds of absent boxes may differ */
    {
        if (c->a.lower[0][lane] > c->a.upper[0][lane])
            continue;
        const grz_transformed8 *x = &found->image_a, *y = &expected->image_a;
        assert_true(x->slab_lower[lane] == y->slab_lower[lane] && x->slab_upper[lane] == y->slab_upper[lane]);
        for (int k = 0; k < 3; k++)
            assert_true(x->lower[k][lane] == y->lower[k][lane] && x->upper[k][lane] == y->upper[k][lane] &&
                        x->direction[k][lane] == y->direction[k][lane]);
    }
}

static void box_kernels_agree_bit_for_bit(void **state)
{
    (void)state;
    grz_random random = grz_random_make(31);
    unsigned long met = 0, differ = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        box_case c;
        box_answers found[KERNEL_VARIANTS];
        random_case(&random, &c);
        for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
        {
            uint64_t all = 0;
            answer(kernel_variant(i), &c, &found[i]);
            answers_agree(&c, &found[i], &found[kernel_reference(i)]);
            for (unsigned row = 0; row < GRZ_LANES; row++) /* the halves together equal the whole test */
            {
                if ((c.rows >> row & 1) != 0)
                    all |= (uint64_t)(found[i].near[row] & found[i].meet[row] & c.lanes) << 8 * row;
            }
            assert_true(all == found[i].pairs);
        }
        met += (unsigned)__builtin_popcountll(found[0].pairs);
        differ += found[KERNEL_VARIANTS - 2].image_a.lower[0][0] != found[KERNEL_VARIANTS - 1].image_a.lower[0][0];
    }
    printf("seed 31: %lu pairs of boxes met, fused images differ in %lu of %d\n", met, differ, ROUNDS);
    assert_true(met > ROUNDS / 4 && differ > ROUNDS / 8); /* the fused variant does fuse */
}

/* A transform that keeps the leaf's neighbourhood within [-1, 1]. */
static void small_map(grz_random *random, grz_float_transform *map)
{
    random_float_transform(random, 0.1, 0.4, map);
}

/* A point of a triangle in the other frame, often on its border, where the corners differ from the grid by the largest
   quantisation error. */
static void point_there(grz_random *random, const grz_triangles8 *leaf, int place, const grz_float_transform *map,
                        double out[3])
{
    double weights[3] = {1, 0, 0}, x[3] = {0, 0, 0};
    if (grz_random_below(random, 4) != 0)
        weights[1] = grz_random_unit(random);
    if (grz_random_below(random, 2) != 0)
        weights[2] = (1 - weights[1]) * grz_random_unit(random);
    weights[0] = 1 - weights[1] - weights[2];
    for (int corner = 0; corner < 3; corner++)
    {
        for (int k = 0; k < 3; k++)
        {
            double off = grz_random_below(random, 2) == 0 ? 0.5 : -0.5;
            x[k] += weights[corner] * (leaf->centre[k] + (double)leaf->unit * (leaf->corners[corner][k][place] + off));
        }
    }
    for (int i = 0; i < 3; i++)
    {
        out[i] = map->offset[i];
        for (int j = 0; j < 3; j++)
            out[i] += (double)map->matrix[i][j] * x[j];
    }
}

/* A box that contains a point, usually on its border. */
static void box_around(grz_random *random, const double point[3], grz_boxes8 *boxes, int lane)
{
    for (int k = 0; k < 3; k++)
    {
        uint64_t side = grz_random_below(random, 5);
        float lower = (float)point[k], upper = (float)point[k], more = (float)grz_random_between(random, 0, 0.3);
        while (lower > point[k])
            lower = nextafterf(lower, -1);
        while (upper < point[k])
            upper = nextafterf(upper, 1);
        boxes->lower[k][lane] = side == 0 || side == 1 || side == 4 ? fmaxf(lower - more, -1) : lower;
        boxes->upper[k][lane] = side == 2 || side == 3 || side == 4 ? fminf(upper + more, 1) : upper;
    }
}

static void edges_never_part_a_triangle_from_a_box_that_holds_a_point_of_it(void **state)
{
    (void)state;
    grz_random random = grz_random_make(34);
    unsigned long parted = 0, kept = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 leaf;
        grz_boxes8 boxes = {0};
        grz_float_transform map;
        grz_edges8 edges[KERNEL_VARIANTS];
        uint64_t met[KERNEL_VARIANTS];
        random_leaf(&random, &leaf);
        leaf.unit = ldexpf(1, -16 - (int)grz_random_below(&random, 16));
        small_map(&random, &map);
        for (int lane = 0; lane < GRZ_LANES; lane++)
        {
            double point[3];
            point_there(&random, &leaf, lane, &map, point);
            box_around(&random, point, &boxes, lane);
        }
        uint64_t given = round % 2 == 0 ? UINT64_MAX : grz_random_next(&random) | UINT64_C(0x8040201008040201);
        for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
        {
            kernel_variant(i)->facet_edges(&leaf, &map, &edges[i]);
            met[i] = kernel_variant(i)->edge_axes(&edges[i], given, &boxes);
            assert_memory_equal(&edges[i], &edges[kernel_reference(i)], sizeof *edges);
            assert_true(met[i] == met[kernel_reference(i)] && (met[i] & ~given) == 0);
            assert_true((met[i] & UINT64_C(0x8040201008040201)) == UINT64_C(0x8040201008040201));
        }
        kept += (unsigned)__builtin_popcountll(met[0]);
        parted += (unsigned)__builtin_popcountll(given & ~met[0]);
    }
    printf("seed 34: %lu pairs of triangle and box parted, %lu not\n", parted, kept);
    assert_true(parted > ROUNDS && kept > 9 * ROUNDS);
}

/* Rotations by right angles, perhaps several, and a translation: the inverse is exact. */
static void right_angles(grz_random *random, grz_float_transform *there, grz_float_transform *back)
{
    memset(there, 0, sizeof *there);
    memset(back, 0, sizeof *back);
    int axes[3] = {0, 1, 2}, first = (int)grz_random_below(random, 3), second = (int)grz_random_below(random, 2);
    int kept = axes[first];
    axes[first] = axes[second];
    axes[second] = kept;
    for (int i = 0; i < 3; i++)
    {
        float sign = grz_random_below(random, 2) == 0 ? 1.0f : -1.0f;
        there->matrix[i][axes[i]] = back->matrix[axes[i]][i] = sign;
        there->offset[i] = 0.25f * random_float(random, 1);
        back->offset[axes[i]] = -sign * there->offset[i];
        there->margin[i] = 30 * 0x1p-23f;
        back->margin[axes[i]] = 30 * 0x1p-23f;
    }
    there->slab_margin = back->slab_margin = 60 * 0x1p-23f;
}

/* Leaves in some of eight lanes, each triangle small or large, and boxes that contain points of some of them. */
static void small_trees_agree_and_lose_no_triangle_that_has_a_point_in_a_box(void **state)
{
    (void)state;
    grz_random random = grz_random_make(36);
    unsigned long met = 0, asked = 0;
    static grz_triangle_boxes64 small_trees[KERNEL_VARIANTS];
    for (int round = 0; round < ROUNDS / 4; round++)
    {
        grz_triangles8 leaves[GRZ_LANES];
        grz_float_transform there, back;
        grz_boxes8 boxes = {0};
        unsigned lanes = 1 + (unsigned)grz_random_below(&random, 255);
        right_angles(&random, &there, &back);
        for (int i = 0; i < KERNEL_VARIANTS; i++)
            small_trees[i].lanes = 0;
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
        {
            random_leaf(&random, &leaves[lane]);
            leaves[lane].unit = ldexpf(1, -17 - (int)grz_random_below(&random, 8));
            for (int i = 0; i < KERNEL_VARIANTS && (lanes >> lane & 1) != 0; i++)
                kernel_variant(i)->small_tree_add(&leaves[lane], &there, &back, lane, &small_trees[i]);
        }
        uint64_t found[KERNEL_VARIANTS][GRZ_LANES], holds[GRZ_LANES], mask = 0;
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
            mask |= (lanes >> lane & 1) != 0 ? (uint64_t)grz_random_below(&random, 256) << 8 * lane : 0;
        for (int box = 0; box < GRZ_LANES; box++)
        {
            double point[3];
            unsigned lane = (unsigned)grz_random_below(&random, GRZ_LANES);
            int place = (int)grz_random_below(&random, GRZ_LANES);
            point_there(&random, &leaves[lane], place, &there, point);
            box_around(&random, point, &boxes, box);
            holds[box] = mask & UINT64_C(1) << (8 * lane + (unsigned)place);
        }
        float sizes[KERNEL_VARIANTS];
        for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
        {
            sizes[i] = kernel_variant(i)->small_tree(&small_trees[i], mask, &boxes, &back, found[i]);
            assert_true(sizes[i] == sizes[KERNEL_VARIANTS - 1]); /* queries choose by it which node to open */
            assert_memory_equal(found[i], found[kernel_reference(i)], sizeof *found);
            for (int box = 0; box < GRZ_LANES; box++)
                assert_true((found[i][box] & holds[box]) == holds[box] && (found[i][box] & ~mask) == 0);
        }
        for (int box = 0; box < GRZ_LANES; box++)
            met += (unsigned)__builtin_popcountll(found[0][box]);
        asked += 8 * (unsigned)__builtin_popcountll(mask);
    }
    printf("seed 36: of %lu pairs of triangle and box %lu may meet\n", asked, met);
    assert_true(met > ROUNDS && 2 * met < asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_kernels_agree_bit_for_bit),
        cmocka_unit_test(edges_never_part_a_triangle_from_a_box_that_holds_a_point_of_it),
        cmocka_unit_test(small_trees_agree_and_lose_no_triangle_that_has_a_point_in_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
