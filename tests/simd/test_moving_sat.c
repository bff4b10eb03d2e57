/* SPDX-License-Identifier: MIT */
/*
 * The kernel of moving triangles never separates pairs that meet at some time, in lattice positions where contacts are
 * exact; it separates most of those that do not; and all variants give the same.
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
    ROUNDS = TEST_ROUNDS(2000)
};

static double whole(grz_random *random, int most)
{
    return (double)grz_random_below(random, 2 * (uint64_t)most + 1) - most;
}

static void random_triangle(grz_random *random, int most, double t[3][3])
{
    for (int i = 0; i < 9; i++)
        t[i / 3][i % 3] = whole(random, most);
}

/* A point of a triangle: a corner, the middle of an edge, or one inside; coordinates are multiples of a quarter. */
static void some_point(grz_random *random, double t[3][3], double out[3])
{
    double u = 0.25 * (double)grz_random_below(random, 5), v = 0.25 * (double)grz_random_below(random, 5);
    v = u + v > 1 ? 0 : v;
    for (int k = 0; k < 3; k++)
        out[k] = (1 - u - v) * t[0][k] + u * t[1][k] + v * t[2][k];
}

static float queue_edges(float to[2][3][GRZ_QUEUE_ROOM], unsigned place, double t[3][3])
{
    double size = 0;
    for (int k = 0; k < 3; k++)
    {
        to[0][k][place] = (float)(t[1][k] - t[0][k]);
        to[1][k][place] = (float)(t[2][k] - t[0][k]);
        size = fmax(size, fmax(fabs(t[1][k] - t[0][k]), fmax(fabs(t[2][k] - t[0][k]), fabs(t[2][k] - t[1][k]))));
    }
    return (float)size;
}

/* A pair that shares a point at a time in [-1, 1], or (`apart`) that an axis of the lattice separates at all times. */
static void queue_pair(grz_random *random, grz_pair_queue *queue, grz_pair_motions *motions, unsigned i, bool apart)
{
    double a[3][3], b[3][3], velocity[3], p[3], q[3], fastest = 0;
    double s = 0.25 * whole(random, 4);
    random_triangle(random, 4, a);
    random_triangle(random, 4, b);
    some_point(random, a, p);
    some_point(random, b, q);
    uint64_t axis = grz_random_below(random, 3);
    for (int k = 0; k < 3; k++)
        velocity[k] = grz_random_below(random, 4) == 0 ? 0 : whole(random, 8);
    for (int k = 0; k < 3; k++)
    {
        double shift = p[k] - q[k] - s * velocity[k];
        if (apart && (uint64_t)k == axis)
            shift = 9 + fabs(velocity[k]);
        for (int c = 0; c < 3; c++)
            b[c][k] += shift;
        fastest = fmax(fastest, fabs(velocity[k]));
        motions->velocity[k][i] = (float)velocity[k];
    }
    queue->size_a[i] = queue_edges(queue->a, i, a);
    queue->size_b[i] = queue_edges(queue->b, i, b);
    queue->leaves[i] = (uint8_t)i;
    queue->error_a[i] = 0;
    queue->error_b[i] = (float)fastest + (apart ? 20 : 0);
    motions->error[i] = 0x1p-19f * (float)fastest;
    for (int k = 0; k < 3; k++)
        queue->between[k][i] = (float)(b[0][k] - a[0][k]);
}

static void triangles_that_meet_at_some_time_are_kept(void **state)
{
    (void)state;
    static grz_pair_queue queue;
    static grz_pair_motions motions;
    grz_random random = grz_random_make(1913);
    unsigned long separated = 0, apart = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        queue.count = GRZ_QUEUE_FULL;
        for (unsigned i = 0; i < queue.count; i++)
            queue_pair(&random, &queue, &motions, i, i % 2 != 0);
        grz_pair_sat_results results[KERNEL_VARIANTS];
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            kernel_variant(set)->moving_sat(&queue, &motions, &results[set]);
            const uint64_t meeting = UINT64_C(0x5555555555555555);
            assert_true((results[set].meet[0] & meeting) == meeting);
            assert_true(results[set].cross[0] == 0);
            separated += 32 - (unsigned)__builtin_popcountll(results[set].meet[0] & ~meeting);
            apart += 32;
        }
        for (int set = 0; set < KERNEL_VARIANTS; set++)
            assert_memory_equal(&results[set], &results[kernel_reference(set)], sizeof results[set]);
    }
    printf("seed 1913: of %lu pairs apart %lu are separated\n", apart, separated);
    assert_true(separated > apart * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(triangles_that_meet_at_some_time_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
