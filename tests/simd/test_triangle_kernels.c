/* SPDX-License-Identifier: MIT */
/* Every compilation of the kernels that compare triangles gives the bits of its twin in plain C, lane for lane. */
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

/* Two leaves about as large as each other, at random to one another; every eighth time half of one is the other's. */
static void random_leaves(grz_random *random, grz_triangles8 *a, grz_triangles8 *b, float matrix[3][3],
                          grz_leaf_view views[2])
{
    random_leaf(random, a);
    random_leaf(random, b);
    b->unit = a->unit;
    bool alike = grz_random_below(random, 8) == 0;
    memset(views, 0, 2 * sizeof *views);
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            matrix[i][j] = alike ? (float)(i == j) : random_float(random, 1);
        views[0].centre[i] = (double)random_float(random, 0.1);
        views[1].centre[i] = views[0].centre[i] + (alike ? 0 : 65536 * (double)(a->unit * random_float(random, 0.7)));
        views[0].error[i] = (double)a->unit;
        views[1].error[i] = 2 * (double)a->unit;
    }
    if (alike)
        memcpy(b->corners, a->corners, sizeof b->corners / 2);
}

static grz_leaf_turn make_turn(grz_random *random, float matrix[3][3])
{
    grz_leaf_turn turn = {0};
    memcpy(turn.matrix, matrix, sizeof turn.matrix);
    for (int k = 0; k < 3; k++)
    {
        for (int j = 0; j < 3; j++)
            turn.columns[j][k] = (double)matrix[k][j] + 1e-9 * (double)random_float(random, 1);
        turn.offset[k] = (double)random_float(random, 1);
        turn.error[k] = fabs((double)random_float(random, 1e-5));
        turn.unit_error[k] = 1 + fabs((double)random_float(random, 1));
    }
    return turn;
}

/* The view is the given one when there is any, so that leaves come near each other. */
static void make_corners(const grz_kernels *kernels, const grz_triangles8 *leaf, const grz_leaf_turn *turn,
                         const grz_leaf_view *view, uint32_t first, grz_corners8 *out)
{
    kernels->corners(leaf, turn, out);
    if (view != NULL)
        out->view = *view;
    out->first = first;
    out->present = 0xff;
}

static void corners_agree(const grz_corners8 *found, const grz_corners8 *expected)
{
    assert_memory_equal(found->corners, expected->corners, sizeof found->corners);
    for (int lane = 0; lane < GRZ_LANES; lane++)
        assert_true(found->size[lane] == expected->size[lane] && found->lower[1][lane] == expected->lower[1][lane] &&
                    found->upper[2][lane] == expected->upper[2][lane]);
    assert_memory_equal(found->lowest, expected->lowest, sizeof found->lowest);
    assert_memory_equal(found->highest, expected->highest, sizeof found->highest);
    assert_memory_equal(&found->view, &expected->view, sizeof found->view);
}

static void queues_agree(const grz_pair_queue *found, const grz_pair_queue *expected)
{
    assert_int_equal(found->count, expected->count);
    for (unsigned i = 0; i < expected->count; i++)
    {
        assert_true(found->place_a[i] == expected->place_a[i] && found->place_b[i] == expected->place_b[i]);
        assert_true(found->a[1][2][i] == expected->a[1][2][i] && found->b[2][0][i] == expected->b[2][0][i]);
        assert_true(found->offset[1][i] == expected->offset[1][i] && found->own_b[i] == expected->own_b[i]);
    }
}

/* The least and largest coordinates are those of the corners. */
static void ends_are_of_corners(const grz_corners8 *leaf)
{
    for (int k = 0; k < 3; k++)
    {
        float lowest = INFINITY, highest = -INFINITY;
        for (int i = 0; i < 3 * GRZ_LANES; i++)
        {
            lowest = fminf(lowest, leaf->corners[i / GRZ_LANES][k][i % GRZ_LANES]);
            highest = fmaxf(highest, leaf->corners[i / GRZ_LANES][k][i % GRZ_LANES]);
        }
        assert_true(leaf->lowest[k] == lowest && leaf->highest[k] == highest);
    }
}

static void leaves_are_seen_alike_and_with_all_their_corners(void **state)
{
    (void)state;
    grz_random random = grz_random_make(35);
    printf("seed 35\n");
    for (int round = 0; round < ROUNDS / 4; round++)
    {
        grz_triangles8 a, b;
        float matrix[3][3];
        grz_leaf_view views[2];
        random_leaves(&random, &a, &b, matrix, views);
        grz_leaf_turn turn = make_turn(&random, matrix);
        for (int turned = 0; turned < 2; turned++)
        {
            grz_corners8 seen[KERNEL_VARIANTS];
            for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
            {
                make_corners(kernel_variant(i), &a, turned != 0 ? &turn : NULL, NULL, 0, &seen[i]);
                corners_agree(&seen[i], &seen[kernel_twin(i)]);
                ends_are_of_corners(&seen[i]);
            }
        }
    }
}

/* Queues what one leaf of A and one of B have in common, with the kernels of every variant. */
static void queue_leaves(grz_random *random, uint32_t first, grz_pair_queue queues[KERNEL_VARIANTS],
                         unsigned long *asked)
{
    grz_triangles8 a, b;
    float matrix[3][3];
    grz_leaf_view views[2];
    grz_corners8 corners_a[KERNEL_VARIANTS], corners_b[KERNEL_VARIANTS];
    random_leaves(random, &a, &b, matrix, views);
    grz_leaf_turn turn = make_turn(random, matrix);
    unsigned rows = (unsigned)grz_random_below(random, 256), lanes = (unsigned)grz_random_below(random, 256);
    *asked += (unsigned)(__builtin_popcount(rows) * __builtin_popcount(lanes));
    for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
    {
        make_corners(kernel_variant(i), &a, NULL, &views[0], 8 * first, &corners_a[i]);
        make_corners(kernel_variant(i), &b, &turn, &views[1], 16 * first, &corners_b[i]);
        corners_agree(&corners_a[i], &corners_a[kernel_twin(i)]);
        corners_agree(&corners_b[i], &corners_b[kernel_twin(i)]);
        unsigned before = queues[i].count;
        kernel_variant(i)->pairs(&corners_a[i], rows, &corners_b[i], lanes, &queues[i]);
        for (unsigned pair = before; pair < queues[i].count; pair++)
            assert_true((rows >> queues[i].place_a[pair] % 8 & 1) != 0 &&
                        (lanes >> queues[i].place_b[pair] % 8 & 1) != 0);
    }
}

/* One leaf of A, or some, against one of B each; the last of them may leave a queue with more than it takes to be
   full. */
static void triangle_kernels_agree_bit_for_bit(void **state)
{
    (void)state;
    grz_random random = grz_random_make(32);
    unsigned long met = 0, crossed = 0, missed = 0;
    static grz_pair_queue queues[KERNEL_VARIANTS];
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_pair_verdicts judged[KERNEL_VARIANTS];
        for (int i = 0; i < KERNEL_VARIANTS; i++)
            queues[i].count = 0;
        for (uint32_t leaf = 0; leaf < 4 && queues[KERNEL_VARIANTS - 2].count < GRZ_QUEUE_FULL &&
                                queues[KERNEL_VARIANTS - 1].count < GRZ_QUEUE_FULL;
             leaf++)
            queue_leaves(&random, leaf, queues, &missed);
        for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
        {
            queues_agree(&queues[i], &queues[kernel_twin(i)]);
            kernel_variant(i)->judge(&queues[i], &judged[i]);
            assert_memory_equal(&judged[i], &judged[kernel_twin(i)], sizeof *judged);
        }
        for (unsigned word = 0; word < GRZ_QUEUE_WORDS; word++)
        {
            const grz_pair_verdicts *twin = &judged[KERNEL_VARIANTS - 1 - round % 2];
            assert_true((twin->cross[word] & ~twin->meet[word]) == 0);
            met += (unsigned)__builtin_popcountll(twin->meet[word]);
            crossed += (unsigned)__builtin_popcountll(twin->cross[word]);
        }
    }
    printf("seed 32: of %lu pairs of triangles %lu may meet, %lu surely cross\n", missed, met, crossed);
    assert_true(crossed > ROUNDS / 4 && met > crossed + ROUNDS / 8 && missed > met + ROUNDS);
}

/* Boxes and slabs hold the triangles of a leaf, wherever the grid has put them. */
static void boxes_hold_triangles(const grz_triangles8 *leaf, const grz_boxes8 *boxes)
{
    for (int i = 0; i < 3 * GRZ_LANES; i++)
    {
        int corner = i / GRZ_LANES, lane = i % GRZ_LANES;
        double height = 0, width = 0;
        for (int k = 0; k < 3; k++)
        {
            double x = leaf->centre[k] + (double)leaf->unit * leaf->corners[corner][k][lane];
            assert_true(boxes->lower[k][lane] <= x - leaf->unit && x + leaf->unit <= boxes->upper[k][lane]);
            height += x * boxes->normal[k][lane];
            width += leaf->unit * fabs((double)boxes->normal[k][lane]);
        }
        assert_true(boxes->slab_lower[lane] <= height - width && height + width <= boxes->slab_upper[lane]);
    }
}

/* Triangles without an area, or nearly: the third corner on the line of the other two, up to one unit. */
static void flatten_some(grz_random *random, grz_triangles8 *leaf)
{
    for (int lane = 0; lane < GRZ_LANES; lane += 2)
    {
        int times = (int)grz_random_below(random, 4);
        for (int k = 0; k < 3; k++)
        {
            int from = leaf->corners[0][k][lane] / 8, step = leaf->corners[1][k][lane] / 8;
            leaf->corners[0][k][lane] = (int16_t)from;
            leaf->corners[1][k][lane] = (int16_t)(from + step);
            leaf->corners[2][k][lane] = (int16_t)(from + times * step + (grz_random_below(random, 8) == 0));
        }
    }
}

static void opened_leaves_agree_and_hold_their_triangles(void **state)
{
    (void)state;
    grz_random random = grz_random_make(33);
    printf("seed 33\n");
    for (int round = 0; round < ROUNDS / 10; round++)
    {
        grz_triangles8 leaf;
        grz_boxes8 boxes[KERNEL_VARIANTS];
        random_leaf(&random, &leaf);
        leaf.unit = ldexpf(1, -16 - (int)grz_random_below(&random, 20));
        if (round % 2 == 0)
            flatten_some(&random, &leaf);
        for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
        {
            kernel_variant(i)->facet_boxes(&leaf, &boxes[i]);
            assert_memory_equal(&boxes[i], &boxes[kernel_twin(i)], sizeof *boxes);
            boxes_hold_triangles(&leaf, &boxes[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_are_seen_alike_and_with_all_their_corners),
                                       cmocka_unit_test(triangle_kernels_agree_bit_for_bit),
                                       cmocka_unit_test(opened_leaves_agree_and_hold_their_triangles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
