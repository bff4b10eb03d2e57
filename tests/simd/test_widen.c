/* SPDX-License-Identifier: MIT */
/*
 * Widened node bounds contain all places of the nodes' points while these move, and little more; variants give the same
 * bits.
 */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "simd/kernels.h"
#include "support/kernels.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(400),
    POINTS = 12
};

static float real(grz_random *random, double most)
{
    return (float)grz_random_between(random, -most, most);
}

static void random_sweep(grz_random *random, grz_sweep *sweep)
{
    double scale = ldexp(1, -(int)grz_random_below(random, 12));
    *sweep = (grz_sweep){.rest = fabsf(real(random, 0.1 * scale))};
    for (int k = 0; k < 3; k++)
    {
        sweep->offset[k] = real(random, scale);
        for (int j = 0; j < 3; j++)
            sweep->matrix[k][j] = real(random, scale);
    }
}

/* Boxes whose places are bounded by `lower`, `upper` and the slab as long as they do not move. */
static void random_node(grz_random *random, grz_transformed8 *node)
{
    memset(node, 0, sizeof *node);
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        for (int k = 0; k < 3; k++)
        {
            node->half[k][lane] = fabsf(real(random, 0.5));
            node->centre[k][lane] = real(random, 0.5);
            node->direction[k][lane] = real(random, 1);
            node->lower[k][lane] = real(random, 2);
            node->upper[k][lane] = node->lower[k][lane] + 1;
        }
        node->slab_lower[lane] = real(random, 2);
        node->slab_upper[lane] = node->slab_lower[lane] + 1;
    }
}

/* How far a corner of the box moves at the end of the frame, all that it may be off by in the directions given. */
static void move_corner(grz_random *random, const grz_sweep *sweep, const grz_transformed8 *node, int lane,
                        double move[3])
{
    double x[3], end = grz_random_below(random, 2) == 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        x[k] =
            (double)node->centre[k][lane] + (grz_random_below(random, 2) == 0 ? -1 : 1) * (double)node->half[k][lane];
    for (int k = 0; k < 3; k++)
    {
        move[k] = (double)sweep->offset[k];
        for (int j = 0; j < 3; j++)
            move[k] += (double)sweep->matrix[k][j] * x[j];
        move[k] = end * move[k] + (grz_random_below(random, 2) == 0 ? -1 : 1) * (double)sweep->rest;
    }
}

static void widened_nodes_contain_what_moves(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1915);
    double most_box = 0, most_slab = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_sweep sweep;
        grz_transformed8 node, widened[KERNEL_VARIANTS];
        float moves[KERNEL_VARIANTS][GRZ_LANES];
        random_sweep(&random, &sweep);
        random_node(&random, &node);
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            widened[set] = node;
            kernel_variant(set)->widen(&sweep, &widened[set], moves[set]);
        }
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            assert_memory_equal(&widened[set], &widened[kernel_reference(set)], sizeof node);
            assert_memory_equal(moves[set], moves[kernel_reference(set)], sizeof moves[set]);
        }
        for (int i = 0; i < KERNEL_VARIANTS * GRZ_LANES * POINTS; i++)
        {
            int set = i % KERNEL_VARIANTS, lane = i / KERNEL_VARIANTS % GRZ_LANES;
            const grz_transformed8 *wide = &widened[set];
            double move[3], along = 0;
            move_corner(&random, &sweep, &node, lane, move);
            for (int k = 0; k < 3; k++)
            {
                double room = (double)wide->upper[k][lane] - (double)node.upper[k][lane];
                assert_true(fabs(move[k]) <= room);
                assert_true(fabs(move[k]) <= (double)moves[set][lane] * (1 + 0x1p-20));
                assert_true((double)node.lower[k][lane] - (double)wide->lower[k][lane] >= fabs(move[k]));
                along += (double)node.direction[k][lane] * move[k];
                most_box = fmax(most_box, fabs(move[k]) / room);
            }
            double room = (double)wide->slab_upper[lane] - (double)node.slab_upper[lane];
            assert_true(fabs(along) <= room);
            assert_true((double)node.slab_lower[lane] - (double)wide->slab_lower[lane] >= fabs(along));
            most_slab = fmax(most_slab, fabs(along) / room);
        }
    }
    print_message("seed 1915: boxes are used up to %.6f, slabs up to %.6f\n", most_box, most_slab);
    assert_true(most_box > 0.999 && most_slab > 0.99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(widened_nodes_contain_what_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
