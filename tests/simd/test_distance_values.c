/* SPDX-License-Identifier: MIT */
/*
 * The distance kernels compute what their comments say: compared with the formulas in doubles, in every compilation.
 * Other tests compare compilations with each other, which cannot find errors that all share.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/random.h"
#include "simd/distance.h"
#include "support/slab_reference.h"
#include "support/unit.h"

enum
{
    ROUNDS = 300
};

static float number(grz_random *random, double reach)
{
    return (float)grz_random_between(random, -reach, reach);
}

static double sum_of(const double a[3])
{
    return fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
}

static double largest_of(const double a[3])
{
    return fmax(fmax(fabs(a[0]), fabs(a[1])), fabs(a[2]));
}

static double positive_square(double gap)
{
    return gap > 0 ? gap * gap : 0;
}

static bool is_near(double found, double expected)
{
    return fabs(found - expected) <= 0x1p-18 * (1 + fabs(expected));
}

/* ---- leaves ---- */

static void random_leaf(grz_random *random, grz_triangles8 *leaf)
{
    for (int i = 0; i < 9 * GRZ_LANES; i++)
        leaf->corners[i / 24][i / 8 % 3][i % 8] = (int16_t)((int)grz_random_below(random, 65535) - 32767);
    for (int k = 0; k < 3; k++)
        leaf->centre[k] = 0;
    leaf->unit = ldexpf(1, -15 - (int)grz_random_below(random, 3));
}

static void random_matrix(grz_random *random, grz_float_transform *map)
{
    for (int i = 0; i < 9; i++)
        map->matrix[i / 3][i % 3] = number(random, 1);
}

/* A triangle of a leaf, rotated, in doubles, with derived data. */
typedef struct facet
{
    double x[3][3], normal[3], size, reach, lower[3], upper[3];
} facet;

static void read_corner(const grz_triangles8 *leaf, int c, unsigned lane, const grz_float_transform *turn,
                        double out[3])
{
    double q[3];
    leaf_corner(leaf, c, lane, q);
    for (int k = 0; k < 3; k++)
        out[k] =
            turn == NULL ? q[k] : turn->matrix[k][0] * q[0] + turn->matrix[k][1] * q[1] + turn->matrix[k][2] * q[2];
}

static facet make_facet(const grz_triangles8 *leaf, unsigned lane, const grz_float_transform *turn)
{
    facet t = {.size = 0};
    double e[3], g[3];
    for (int c = 0; c < 3; c++)
        read_corner(leaf, c, lane, turn, t.x[c]);
    for (int k = 0; k < 3; k++)
    {
        e[k] = t.x[1][k] - t.x[0][k];
        g[k] = t.x[2][k] - t.x[0][k];
        t.lower[k] = fmin(fmin(t.x[0][k], t.x[1][k]), t.x[2][k]);
        t.upper[k] = fmax(fmax(t.x[0][k], t.x[1][k]), t.x[2][k]);
        t.size = fmax(t.size, t.upper[k] - t.lower[k]);
        t.reach = fmax(t.reach, fmax(fabs(t.lower[k]), fabs(t.upper[k])));
    }
    cross3(e, g, t.normal);
    return t;
}

static void facet_is(const grz_facets8 *found, unsigned lane, const facet *t)
{
    for (int k = 0; k < 3; k++)
    {
        for (int c = 0; c < 3; c++)
            assert_true(is_near(found->corners[c][k][lane], t->x[c][k]));
        assert_true(is_near(found->lower[k][lane], t->lower[k]) && is_near(found->upper[k][lane], t->upper[k]));
        assert_true(is_near(found->normal[k][lane], t->normal[k]));
        assert_true(found->lowest[k] <= found->lower[k][lane] && found->upper[k][lane] <= found->highest[k]);
    }
    assert_true(is_near(found->level[lane], dot3(t->normal, t->x[0])));
    assert_true(is_near(found->normal_sum[lane], sum_of(t->normal)));
    assert_true(is_near(found->size[lane], t->size) && is_near(found->extent[lane], t->reach));
}

/* Some lane is the lowest, and some the highest. */
static void ends_are_reached(const grz_facets8 *found)
{
    for (int k = 0; k < 3; k++)
    {
        bool lowest = false, highest = false;
        for (int lane = 0; lane < GRZ_LANES; lane++)
        {
            lowest = lowest || found->lowest[k] == found->lower[k][lane];
            highest = highest || found->highest[k] == found->upper[k][lane];
        }
        assert_true(lowest && highest);
    }
}

static void facets_are_those_of_the_leaf(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1401);
    for (int round = 0; round < ROUNDS; round++)
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            grz_triangles8 leaf;
            grz_facets8 found;
            grz_float_transform map;
            random_leaf(&random, &leaf);
            random_matrix(&random, &map);
            const grz_float_transform *turn = round % 2 == 0 ? &map : NULL;
            grz_distance_kernels_for((graze_instructions)set)
                ->facets(&leaf, turn == NULL ? NULL : turn->matrix, &found);
            for (unsigned lane = 0; lane < GRZ_LANES; lane++)
            {
                facet t = make_facet(&leaf, lane, turn);
                facet_is(&found, lane, &t);
            }
            ends_are_reached(&found);
        }
}

/* The gap between two triangles along n, the second one shifted. */
static double gap_along(const double n[3], const facet *a, const facet *b, const double offset[3])
{
    double lowest = INFINITY, highest = -INFINITY;
    for (int c = 0; c < 3; c++)
    {
        lowest = fmin(lowest, dot3(n, b->x[c]) + dot3(n, offset));
        highest = fmax(highest, dot3(n, a->x[c]));
    }
    return lowest - highest;
}

/* The bound along a plane's normal, from either triangle. */
static double plane_bound(const double n[3], const facet *a, const facet *b, const double offset[3], double slack)
{
    double back[3] = {-n[0], -n[1], -n[2]};
    double gap = fmax(gap_along(n, a, b, offset), gap_along(back, a, b, offset));
    return positive_square(gap - sum_of(n) * slack) / dot3(n, n);
}

/* The square of the bound for two triangles. */
static double leaf_bound(const facet *a, const facet *b, const grz_leaf_translation *shift)
{
    double offset[3], c[3], boxes = 0, err = (double)shift->error_a + (double)shift->error_b;
    for (int k = 0; k < 3; k++)
    {
        offset[k] = shift->offset[k];
        double above = a->lower[k] - b->upper[k] - offset[k], below = b->lower[k] + offset[k] - a->upper[k];
        boxes += positive_square(fmax(above, below) - (double)shift->error_a - (double)shift->margin_b[k]);
        c[k] = 3 * offset[k];
        for (int i = 0; i < 3; i++)
            c[k] += b->x[i][k] - a->x[i][k];
    }
    double middles = positive_square(gap_along(c, a, b, offset) - sum_of(c) * err) / dot3(c, c);
    return fmax(fmax(boxes, middles), fmax(plane_bound(a->normal, a, b, offset, err), //
                                           plane_bound(b->normal, a, b, offset, err)));
}

static grz_leaf_translation random_shift(grz_random *random)
{
    grz_leaf_translation shift = {.error_a = (float)grz_random_between(random, 0, 0.1), .error_b = 0};
    for (int k = 0; k < 3; k++)
    {
        shift.offset[k] = number(random, 4);
        shift.margin_b[k] = (float)grz_random_between(random, 0, 0.2);
        shift.error_b = fmaxf(shift.error_b, shift.margin_b[k]);
    }
    return shift;
}

/* Bounds below the square root of `bound` are reported, others omitted. Error bounds cost a thousandth. */
static void bounds_are(const grz_bounds8x8 *found, unsigned row, unsigned lane, double expected, double bound,
                       bool asked)
{
    bool given = (found->masks[row] >> lane & 1) != 0;
    if (!asked || expected > 1.01 * bound + 0.001)
        assert_false(given);
    else if (expected < 0.99 * bound - 0.001)
        assert_true(given);
    if (given)
        assert_true(fabs(sqrt(fmax(found->square[row][lane], 0)) - sqrt(expected)) < 0.002);
}

static void bounds_of_leaves_are_the_best_of_four_directions(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1402);
    unsigned long positive = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 a, b;
        grz_float_transform map;
        const grz_float_transform *turn = &map;
        float bound = round % 2 == 0 ? INFINITY : (float)grz_random_between(&random, 0, 9);
        random_leaf(&random, &a);
        random_leaf(&random, &b);
        random_matrix(&random, &map);
        grz_leaf_translation shift = random_shift(&random);
        unsigned rows = 1 + (unsigned)grz_random_below(&random, 8), lanes = (unsigned)grz_random_below(&random, 256);
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            grz_facets8 facets_a, facets_b;
            grz_bounds8x8 found;
            kernels->facets(&a, NULL, &facets_a);
            kernels->facets(&b, turn->matrix, &facets_b);
            kernels->leaves(&facets_a, rows, &facets_b, lanes, &shift, 0.75f, bound, &found);
            for (unsigned i = 0; i < rows * GRZ_LANES; i++)
            {
                facet one = make_facet(&a, i / 8, NULL), other = make_facet(&b, i % 8, turn);
                double expected = 0.75 * leaf_bound(&one, &other, &shift);
                bounds_are(&found, i / 8, i % 8, expected, bound, (lanes >> i % 8 & 1) != 0);
                positive += expected > 0;
            }
        }
    }
    printf("seed 1402: %lu positive bounds\n", positive);
    assert_true(positive > 20 * ROUNDS);
}

/* Triangles whose normals are too short for their squares to be floats, far from others: only boxes and the direction
   between centres give a bound. */
static void minute_triangles_are_as_far_as_their_boxes(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1404);
    printf("seed 1404\n");
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 a, b;
        grz_leaf_translation shift = {.error_a = 0x1p-40f, .error_b = 0x1p-40f, .offset = {1, -1, 1}};
        random_leaf(&random, &a);
        random_leaf(&random, &b);
        a.unit = ldexpf(1, -35 - round % 25);
        b.unit = round % 2 == 0 ? a.unit : 0x1p-30f;
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            grz_facets8 facets_a, facets_b;
            grz_bounds8x8 found;
            kernels->facets(round % 4 < 2 ? &a : &b, NULL, &facets_a);
            kernels->facets(round % 4 < 2 ? &b : &a, NULL, &facets_b);
            kernels->leaves(&facets_a, GRZ_LANES, &facets_b, 0xff, &shift, 1, 1e30f, &found);
            for (unsigned i = 0; i < GRZ_PAIRS; i++)
                bounds_are(&found, i / 8, i % 8, 3, 1e30, true);
        }
    }
}

/* ---- boxes ---- */

static double box_bound(const grz_boxes8 *own, unsigned lane, const grz_boxes8 *others, unsigned other,
                        const grz_float_transform *map)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += positive_square(span_gap(span_of_axis(own, lane, k), span_seen(others, other, map, k)));
    return sum;
}

/* Along the line from the row's centre to that of the transformed lane. */
static double centres_bound(const grz_boxes8 *rows, unsigned row, const grz_boxes8 *lanes, unsigned lane,
                            const grz_float_transform *to_rows)
{
    double c[3], w[3] = {0, 0, 0}, shift = 0;
    for (int k = 0; k < 3; k++)
    {
        span own = span_of_axis(rows, row, k), seen = span_seen(lanes, lane, to_rows, k);
        c[k] = 0.5 * (seen.lowest + seen.highest) - 0.5 * (own.lowest + own.highest);
        shift += c[k] * to_rows->offset[k];
        for (int j = 0; j < 3; j++)
            w[j] += to_rows->matrix[k][j] * c[k];
    }
    double margin = largest_of(c) * 2.001 * (double)to_rows->slab_margin;
    double gap = shift + span_along_direction(lanes, lane, w).lowest - span_along_direction(rows, row, c).highest;
    return positive_square(gap - margin) / dot3(c, c);
}

static double boxes_bound(const grz_boxes8 *rows, unsigned row, const grz_boxes8 *lanes, unsigned lane,
                          const grz_float_transform *to_rows, const grz_float_transform *to_lanes,
                          const double factors[2])
{
    double in_lanes = fmax(box_bound(lanes, lane, rows, row, to_lanes),
                           positive_square(slab_gap_of(lanes, lane, to_lanes, rows, row)));
    double in_rows =
        fmax(box_bound(rows, row, lanes, lane, to_rows), positive_square(slab_gap_of(rows, row, to_rows, lanes, lane)));
    in_rows = fmax(in_rows, centres_bound(rows, row, lanes, lane, to_rows));
    return fmax(factors[0] * in_rows, factors[1] * in_lanes);
}

static void mapped_boxes_are(const grz_transformed8 *found, const grz_boxes8 *boxes, const grz_float_transform *there,
                             const grz_float_transform *back, unsigned lane)
{
    double shift = 0, size = 0;
    for (int k = 0; k < 3; k++)
    {
        span box = span_of_axis(boxes, lane, k), seen = span_seen(boxes, lane, there, k);
        double half = 0.5 * (box.highest - box.lowest), direction = 0;
        for (int j = 0; j < 3; j++)
            direction += back->matrix[j][k] * boxes->normal[j][lane];
        shift += (double)boxes->normal[k][lane] * back->offset[k];
        size = fmax(size, half);
        assert_true(is_near(found->lower[k][lane], seen.lowest) && is_near(found->upper[k][lane], seen.highest));
        assert_true(is_near(found->half[k][lane], half) && is_near(found->direction[k][lane], direction));
        assert_true(is_near(found->centre[k][lane], 0.5 * (box.lowest + box.highest)));
    }
    assert_true(is_near(found->size[lane], size));
    assert_int_equal(found->slab_mask >> lane & 1, has_slab(boxes, lane));
    if (has_slab(boxes, lane))
        assert_true(is_near(found->slab_lower[lane], boxes->slab_lower[lane] - shift - (double)back->slab_margin) &&
                    is_near(found->slab_upper[lane], boxes->slab_upper[lane] - shift + (double)back->slab_margin));
}

static void bounds_of_boxes_are_the_best_of_all_directions(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1403);
    unsigned long positive = 0;
    const double factors[2] = {0.75, 1.5};
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_boxes8 a, b;
        grz_float_transform to_a, to_b;
        random_slab_boxes(&random, 0.9, 0.1, &a);
        random_slab_boxes(&random, 0.9, 0.1, &b);
        random_margin_map(&random, 0.05, &to_a);
        random_margin_map(&random, 0.05, &to_b);
        float bound = round % 2 == 0 ? 1e30f : (float)grz_random_between(&random, 0, 1);
        unsigned rows = (unsigned)grz_random_below(&random, 256);
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            grz_transformed8 mapped_a, mapped_b;
            grz_bounds8x8 found;
            kernels->transform(&a, &to_b, &to_a, &mapped_a);
            kernels->transform(&b, &to_a, &to_b, &mapped_b);
            kernels->boxes(&a, &mapped_a, rows, 0.75f, &b, &mapped_b, 1.5f, &to_a, bound, &found);
            for (unsigned i = 0; i < GRZ_LANES; i++)
                if (!is_absent(&a, i))
                    mapped_boxes_are(&mapped_a, &a, &to_b, &to_a, i);
            for (unsigned i = 0; i < GRZ_PAIRS; i++)
            {
                bool there = !is_absent(&a, i / 8) && !is_absent(&b, i % 8);
                double expected = there ? boxes_bound(&a, i / 8, &b, i % 8, &to_a, &to_b, factors) : 0;
                bounds_are(&found, i / 8, i % 8, expected, bound, there && (rows >> i / 8 & 1) != 0);
                positive += expected > 0;
            }
        }
    }
    printf("seed 1403: %lu positive bounds\n", positive);
    assert_true(positive > 20 * ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facets_are_those_of_the_leaf),
        cmocka_unit_test(bounds_of_leaves_are_the_best_of_four_directions),
        cmocka_unit_test(minute_triangles_are_as_far_as_their_boxes),
        cmocka_unit_test(bounds_of_boxes_are_the_best_of_all_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
