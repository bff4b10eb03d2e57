/* SPDX-License-Identifier: MIT */
/*
 * Triangles that just touch, edge to edge, given to the triangle-triangle kernel as exact numbers: only the kernel's
 * own roundings remain, and only its error bounds keep it from reporting such pairs as disjoint, or crossing
 * (docs/trust.md). Pairs with a corner in the other's plane are tested along cross products of edges, the others on the
 * common line.
 */
#include <math.h>
#include <stdio.h>

#include "graze/exact.h"
#include "support/kernels.h"
#include "support/random.h"
#include "support/unit.h"

typedef struct touching_pair
{
    double a[3][3], b[3][3];
} touching_pair;

static void random_vector(test_random *random, int reach, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = random_between(random, -reach, reach);
}

/* The edges from corner 0 to 1 of both meet in a point; relative to it, B's third corner is anywhere, or in A's plane
   and beyond A's edge. Corners are permuted at random. All numbers are integers that floats represent exactly. */
static touching_pair make_pair(test_random *random, bool in_plane)
{
    double e[3], g[3], v[3], third[3], corners[2][3][3];
    random_vector(random, 300, e);
    random_vector(random, 4000, g);
    random_vector(random, 1500, v);
    random_vector(random, 9000, third);
    int at = random_between(random, 1, 15), s = random_between(random, -3, 3), t = random_between(random, 1, 2);
    for (int k = 0; k < 3; k++)
    {
        double point = at * e[k];
        corners[0][0][k] = 0;
        corners[0][1][k] = 16 * e[k];
        corners[0][2][k] = g[k];
        corners[1][0][k] = point + v[k];
        corners[1][1][k] = point - 2 * v[k];
        corners[1][2][k] = in_plane ? point + s * e[k] - t * g[k] : third[k];
    }
    touching_pair pair;
    int turn_a = random_below(random, 3), turn_b = random_below(random, 3);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
        {
            pair.a[c][k] = 0x1p-14 * corners[0][(c + turn_a) % 3][k];
            pair.b[c][k] = 0x1p-14 * corners[1][(c + turn_b) % 3][k];
        }
    return pair;
}

/* Two triangles in one plane, on opposite sides of a line in it, which both touch in a common point, or which, if
   `gap` is not 0, lies that many units outside of B. Corners are integers that floats represent exactly. */
static touching_pair make_flat_pair(test_random *random, int gap)
{
    double e[3], g[3], corners[2][3][3];
    random_vector(random, 40, e);
    random_vector(random, 40, g);
    int at = random_between(random, 0, 16), spread = random_between(random, 1, 40),
        deep = random_between(random, 1, 40);
    int other_deep = random_between(random, 1, 40), shift = random_between(random, -30, 30);
    for (int k = 0; k < 3; k++)
    {
        corners[0][0][k] = 0;
        corners[0][1][k] = 16 * e[k];
        corners[0][2][k] = shift * e[k] + deep * g[k];
        corners[1][0][k] = at * e[k] - gap * g[k];
        corners[1][1][k] = (at + spread) * e[k] - (gap + other_deep) * g[k];
        corners[1][2][k] = (at - shift) * e[k] - (gap + other_deep) * g[k];
    }
    touching_pair pair;
    int turn_a = random_below(random, 3), turn_b = random_below(random, 3);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
        {
            pair.a[c][k] = 0x1p-14 * corners[0][(c + turn_a) % 3][k];
            pair.b[c][k] = 0x1p-14 * corners[1][(c + turn_b) % 3][k];
        }
    return pair;
}

static float size_of(const double corners[3][3])
{
    double size = 0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fmax(fmax(corners[0][k], corners[1][k]), corners[2][k]) -
                              fmin(fmin(corners[0][k], corners[1][k]), corners[2][k]));
    return (float)size;
}

static void put_pair(const touching_pair *pair, grz_pair_queue *queue, unsigned place)
{
    for (int k = 0; k < 3; k++)
    {
        for (int edge = 0; edge < 2; edge++)
        {
            queue->a[edge][k][place] = (float)(pair->a[edge + 1][k] - pair->a[0][k]);
            queue->b[edge][k][place] = (float)(pair->b[edge + 1][k] - pair->b[0][k]);
        }
        queue->between[k][place] = (float)(pair->b[0][k] - pair->a[0][k]);
    }
    queue->size_a[place] = size_of(pair->a);
    queue->size_b[place] = size_of(pair->b);
}

static graze_triangle_contact meet_exactly(const touching_pair *pair)
{
    graze_placed_triangle a = {{pair->a[0], pair->a[1], pair->a[2]}, NULL};
    graze_placed_triangle b = {{pair->b[0], pair->b[1], pair->b[2]}, NULL};
    return graze_triangle_collide(&a, &b);
}

static void pairs_that_just_touch_are_neither_disjoint_nor_crossing(void **state)
{
    (void)state;
    test_random random = test_random_start("judging margins", 86);
    int touching[2] = {0, 0};
    for (int round = 0; round < 1500; round++)
    {
        static grz_pair_queue queue;
        touching_pair pairs[GRZ_QUEUE_FULL];
        queue.count = GRZ_QUEUE_FULL;
        for (unsigned i = 0; i < queue.count; i++)
        {
            pairs[i] = make_pair(&random, i % 2 == 1);
            put_pair(&pairs[i], &queue, i);
        }
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            grz_pair_sat_results verdicts;
            kernel_variant(set)->triangle_sat(&queue, &verdicts);
            for (unsigned i = 0; i < queue.count; i++)
            {
                graze_triangle_contact exact = meet_exactly(&pairs[i]);
                bool meet = (verdicts.meet[i / 64] >> i % 64 & 1) != 0;
                bool cross = (verdicts.cross[i / 64] >> i % 64 & 1) != 0;
                assert_true(meet || !exact.found);
                assert_true(!cross || exact.crossing);
                touching[i % 2] += exact.found && !exact.crossing;
            }
        }
    }
    printf("%d touch on the common line, %d with a corner in a plane\n", touching[0], touching[1]);
    assert_true(touching[0] > 20000 && touching[1] > 20000);
}

/* The axes across edges in the common plane: triangles that touch there are kept, others are separated. */
static void triangles_in_one_plane_are_separated_unless_they_touch(void **state)
{
    (void)state;
    test_random random = test_random_start("triangles in one plane", 87);
    int touching = 0, apart = 0, separated = 0;
    for (int round = 0; round < 1500; round++)
    {
        static grz_pair_queue queue;
        touching_pair pairs[GRZ_QUEUE_FULL];
        queue.count = GRZ_QUEUE_FULL;
        for (unsigned i = 0; i < queue.count; i++)
        {
            pairs[i] = make_flat_pair(&random, i % 2 == 0 ? 0 : 1);
            put_pair(&pairs[i], &queue, i);
        }
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            grz_pair_sat_results verdicts;
            kernel_variant(set)->triangle_sat(&queue, &verdicts);
            for (unsigned i = 0; i < queue.count; i++)
            {
                graze_triangle_contact exact = meet_exactly(&pairs[i]);
                bool meet = (verdicts.meet[i / 64] >> i % 64 & 1) != 0;
                assert_true(meet || !exact.found);
                assert_true((verdicts.cross[i / 64] >> i % 64 & 1) == 0 || exact.crossing);
                touching += exact.found;
                apart += !exact.found;
                separated += !meet;
            }
        }
    }
    printf("%d touch, %d do not, of which %d are separated\n", touching, apart, separated);
    assert_true(touching > 20000 && apart > 20000 && 10 * separated > 9 * apart);
}

/* Eight points in a leaf on the diagonal, from grid step `first` on. */
static grz_triangles8 points_from(int first, int step, float centre, float unit)
{
    grz_triangles8 leaf = {.unit = unit};
    for (int k = 0; k < 3; k++)
        leaf.centre[k] = centre;
    for (int i = 0; i < 9 * GRZ_LANES; i++)
        leaf.corners[i / 24][i / 8 % 3][i % 8] = (int16_t)(first + step * (i % 8));
    return leaf;
}

/* Corners may differ from their grid by half a step, and the other leaf's by some steps more. So points at that
   distance may be one, anywhere on the grid: also where a stride of the quantised boxes ends between them. */
static void boxes_half_a_step_apart_are_kept(void **state)
{
    (void)state;
    const float unit = 0x1p-16f;
    grz_leaf_transform turn = {.offset = {0}};
    for (int k = 0; k < 3; k++)
    {
        turn.matrix[k][k] = 1;
        turn.columns[k][k] = 1;
    }
    for (int first = -32760; first <= 32752; first += 8)
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            int steps = first / 16 % 2 == 0 ? 0 : 3;                     /* error of B */
            int side = first % 16 == 0 ? 4 * steps + 2 : -4 * steps - 2; /* quarters of a step */
            for (int k = 0; k < 3; k++)
                turn.error[k] = (double)unit * steps;
            grz_triangles8 own = points_from(first, 1, 0, unit);
            grz_triangles8 other = points_from(side, 4, (float)first * unit, 0.25f * unit);
            grz_corners8 a = {.present = 0xff}, b = {.present = 0xff};
            static grz_pair_queue queue;
            queue.count = 0;
            kernel_variant(set)->corners(&own, NULL, &a);
            kernel_variant(set)->corners(&other, &turn, &b);
            kernel_variant(set)->queue_pairs(&a, 0xff, &b, 0xff, &queue);
            unsigned kept = 0;
            for (unsigned i = 0; i < queue.count; i++)
                kept += queue.pairs[i] / GRZ_LANES == queue.pairs[i] % GRZ_LANES;
            assert_int_equal(kept, GRZ_LANES);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_that_just_touch_are_neither_disjoint_nor_crossing),
        cmocka_unit_test(triangles_in_one_plane_are_separated_unless_they_touch),
        cmocka_unit_test(boxes_half_a_step_apart_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
