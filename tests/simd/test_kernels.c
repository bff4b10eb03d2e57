/* SPDX-License-Identifier: MIT */
/* Every compilation of the kernels gives the bits of the plain one, lane for lane. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "simd/kernels.h"
#include "simd/set_bits.h"
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
        plain->map(&a, &there, &back, &plain_a);
        plain->map(&b, &back, &there, &plain_b);
        unsigned rows = (unsigned)grz_random_below(&random, 256), lanes = (unsigned)grz_random_below(&random, 256);
        uint64_t expected = plain->boxes(&a, &plain_a, rows, &b, &plain_b, lanes), all = 0;
        met += (unsigned)__builtin_popcountll(expected);
        for (unsigned row = 0; row < GRZ_LANES; row++) /* the halves make the whole */
        {
            unsigned given = (rows >> row & 1) != 0 ? lanes & plain->near(&plain_a, row, &b) : 0;
            all |= (uint64_t)(given != 0 ? plain->meet(&a, &plain_a, row, &b, &plain_b, given) : 0) << 8 * row;
        }
        assert_true(all == expected);
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_kernels *kernels = grz_kernels_for((graze_instructions)set);
            kernels->map(&a, &there, &back, &image_a);
            kernels->map(&b, &back, &there, &image_b);
            assert_true(kernels->boxes(&a, &image_a, rows, &b, &image_b, lanes) == expected);
            for (unsigned row = 0; row < GRZ_LANES; row++)
            {
                assert_int_equal(kernels->near(&image_a, row, &b), plain->near(&plain_a, row, &b));
                assert_int_equal(kernels->meet(&a, &image_a, row, &b, &image_b, 0xff),
                                 plain->meet(&a, &plain_a, row, &b, &plain_b, 0xff));
            }
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
    assert_true(met > ROUNDS / 4);
}

/* Two leaves about as large as each other, at random to one another; every eighth time half of one is the other's. */
static void random_leaves(grz_random *random, grz_triangles8 *a, grz_triangles8 *b, float matrix[3][3],
                          grz_leaf_view views[2])
{
    random_triangles(random, a);
    random_triangles(random, b);
    b->unit = a->unit;
    bool alike = grz_random_below(random, 8) == 0;
    memset(views, 0, 2 * sizeof *views);
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            matrix[i][j] = alike ? (float)(i == j) : number(random, 1);
        views[0].centre[i] = (double)number(random, 0.1);
        views[1].centre[i] = views[0].centre[i] + (alike ? 0 : 65536 * (double)(a->unit * number(random, 0.7)));
        views[0].error[i] = (double)a->unit;
        views[1].error[i] = 2 * (double)a->unit;
    }
    if (alike)
        memcpy(b->corners, a->corners, sizeof b->corners / 2);
}

static void facets_agree(const grz_kernels *kernels, const grz_triangles8 *leaf, const float (*matrix)[3],
                         const grz_facets8 *expected)
{
    grz_facets8 facets;
    kernels->facets(leaf, matrix, &facets);
    assert_memory_equal(facets.corners, expected->corners, sizeof facets.corners);
    assert_memory_equal(facets.normal, expected->normal, sizeof facets.normal);
    for (int lane = 0; lane < GRZ_LANES; lane++)
        assert_true(facets.level[lane] == expected->level[lane] && facets.size[lane] == expected->size[lane] &&
                    facets.reach[lane] == expected->reach[lane] && facets.lower[1][lane] == expected->lower[1][lane]);
    assert_true(facets.lowest[0] == expected->lowest[0] && facets.highest[2] == expected->highest[2]);
}

/* The distance kernels' view of a leaf. */
static void facets_agree_bit_for_bit(void **state)
{
    (void)state;
    const grz_kernels *plain = grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    grz_random random = grz_random_make(35);
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 a, b;
        float matrix[3][3];
        grz_leaf_view views[2];
        grz_facets8 facets_a, facets_b;
        random_leaves(&random, &a, &b, matrix, views);
        plain->facets(&a, NULL, &facets_a);
        plain->facets(&b, (const float(*)[3])matrix, &facets_b);
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            facets_agree(grz_kernels_for((graze_instructions)set), &a, NULL, &facets_a);
            facets_agree(grz_kernels_for((graze_instructions)set), &b, (const float(*)[3])matrix, &facets_b);
        }
    }
}

static grz_leaf_turn make_turn(grz_random *random, float matrix[3][3])
{
    grz_leaf_turn turn = {0};
    memcpy(turn.matrix, matrix, sizeof turn.matrix);
    for (int k = 0; k < 3; k++)
    {
        for (int j = 0; j < 3; j++)
            turn.columns[j][k] = (double)matrix[k][j] + 1e-9 * (double)number(random, 1);
        turn.offset[k] = (double)number(random, 1);
        turn.error[k] = fabs((double)number(random, 1e-5));
        turn.unit_error[k] = 1 + fabs((double)number(random, 1));
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

static void leaves_are_seen_alike_and_with_all_their_corners(void **state)
{
    (void)state;
    grz_random random = grz_random_make(35);
    for (int round = 0; round < ROUNDS / 4; round++)
    {
        grz_triangles8 a, b;
        float matrix[3][3];
        grz_leaf_view views[2];
        random_leaves(&random, &a, &b, matrix, views);
        grz_leaf_turn turn = make_turn(&random, matrix);
        for (int turned = 0; turned < 2; turned++)
        {
            grz_corners8 expected, found;
            make_corners(grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR), &a, turned ? &turn : NULL, NULL, 0, &expected);
            for (int k = 0; k < 3; k++)
            {
                float lowest = INFINITY, highest = -INFINITY;
                for (int i = 0; i < 3 * GRZ_LANES; i++)
                {
                    lowest = fminf(lowest, expected.corners[i / GRZ_LANES][k][i % GRZ_LANES]);
                    highest = fmaxf(highest, expected.corners[i / GRZ_LANES][k][i % GRZ_LANES]);
                }
                assert_true(expected.lowest[k] == lowest && expected.highest[k] == highest);
            }
            for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
            {
                make_corners(grz_kernels_for((graze_instructions)set), &a, turned ? &turn : NULL, NULL, 0, &found);
                corners_agree(&found, &expected);
            }
        }
    }
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

/* One leaf of A, or some, against one of B each; the last of them may leave a queue with more than it takes to be
   full. */
static void triangle_kernels_agree_bit_for_bit(void **state)
{
    (void)state;
    const grz_kernels *plain = grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    grz_random random = grz_random_make(32);
    unsigned long met = 0, crossed = 0, missed = 0;
    static grz_pair_queue queues[GRAZE_INSTRUCTIONS_COUNT];
    for (int round = 0; round < ROUNDS; round++)
    {
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
            queues[set].count = 0;
        grz_pair_queue *expected = &queues[GRAZE_INSTRUCTIONS_SCALAR];
        for (uint32_t i = 0; i < 4 && expected->count < GRZ_QUEUE_FULL; i++)
        {
            grz_triangles8 a, b;
            float matrix[3][3];
            grz_leaf_view views[2];
            grz_corners8 expected_a, expected_b, found_a, found_b;
            random_leaves(&random, &a, &b, matrix, views);
            unsigned rows = (unsigned)grz_random_below(&random, 256), lanes = (unsigned)grz_random_below(&random, 256);
            make_corners(plain, &a, NULL, &views[0], 8 * i, &expected_a);
            grz_leaf_turn turn = make_turn(&random, matrix);
            make_corners(plain, &b, &turn, &views[1], 16 * i, &expected_b);
            unsigned before = expected->count;
            plain->pairs(&expected_a, rows, &expected_b, lanes, expected);
            for (unsigned pair = before; pair < expected->count; pair++)
                assert_true((rows >> expected->place_a[pair] % 8 & 1) != 0 &&
                            (lanes >> expected->place_b[pair] % 8 & 1) != 0);
            missed += (unsigned)(__builtin_popcount(rows) * __builtin_popcount(lanes));
            for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
            {
                const grz_kernels *kernels = grz_kernels_for((graze_instructions)set);
                make_corners(kernels, &a, NULL, &views[0], 8 * i, &found_a);
                make_corners(kernels, &b, &turn, &views[1], 16 * i, &found_b);
                corners_agree(&found_a, &expected_a);
                corners_agree(&found_b, &expected_b);
                kernels->pairs(&found_a, rows, &found_b, lanes, &queues[set]);
            }
        }
        grz_pair_verdicts judged, found;
        plain->judge(expected, &judged);
        for (unsigned word = 0; word < GRZ_QUEUE_WORDS; word++)
        {
            assert_true((judged.cross[word] & ~judged.meet[word]) == 0);
            met += (unsigned)__builtin_popcountll(judged.meet[word]);
            crossed += (unsigned)__builtin_popcountll(judged.cross[word]);
        }
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            queues_agree(&queues[set], expected);
            grz_kernels_for((graze_instructions)set)->judge(&queues[set], &found);
            assert_memory_equal(&found, &judged, sizeof found);
        }
    }
    printf("of %lu pairs of triangles %lu may meet, %lu surely cross\n", missed, met, crossed);
    assert_true(crossed > ROUNDS / 4 && met > crossed + ROUNDS / 8 && missed > met + ROUNDS);
}

static void opened_leaves_agree_and_hold_their_triangles(void **state)
{
    (void)state;
    grz_random random = grz_random_make(33);
    for (int round = 0; round < ROUNDS / 10; round++)
    {
        grz_triangles8 leaf;
        grz_boxes8 boxes, expected;
        random_triangles(&random, &leaf);
        leaf.unit = ldexpf(1, -16 - (int)grz_random_below(&random, 20));
        grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR)->facet_boxes(&leaf, &expected);
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            grz_kernels_for((graze_instructions)set)->facet_boxes(&leaf, &boxes);
            assert_memory_equal(&boxes, &expected, sizeof boxes);
        }
        for (int i = 0; i < 3 * GRZ_LANES; i++)
        {
            int corner = i / GRZ_LANES, lane = i % GRZ_LANES;
            double height = 0, width = 0;
            for (int k = 0; k < 3; k++)
            {
                double x = leaf.centre[k] + (double)leaf.unit * leaf.corners[corner][k][lane];
                assert_true(expected.lower[k][lane] <= x - leaf.unit && x + leaf.unit <= expected.upper[k][lane]);
                height += x * expected.normal[k][lane];
                width += leaf.unit * fabs((double)expected.normal[k][lane]);
            }
            assert_true(expected.slab_lower[lane] <= height - width && height + width <= expected.slab_upper[lane]);
        }
    }
}

static void sweeps_name_the_same_boxes(void **state)
{
    (void)state;
    enum
    {
        COUNT = 100
    };
    grz_random random = grz_random_make(43);
    printf("seed 43\n");
    unsigned long found = 0;
    for (int round = 0; round < 2000; round++)
    {
        float ends[6][COUNT + GRZ_LANES] = {{0}}, lower[3], upper[3];
        size_t count = grz_random_below(&random, COUNT + 1), first = grz_random_below(&random, (uint32_t)count + 1);
        for (size_t i = 0; i < COUNT + GRZ_LANES; i++)
        {
            for (int k = 0; k < 3; k++)
            {
                ends[k][i] = (float)grz_random_below(&random, 20);
                ends[3 + k][i] = ends[k][i] + (float)grz_random_below(&random, 8);
            }
            ends[0][i] = i < count ? (float)(i / 4) : INFINITY;
        }
        for (int k = 0; k < 3; k++)
        {
            lower[k] = k == 0 ? 0 : (float)grz_random_below(&random, 20);
            upper[k] = lower[k] + (float)grz_random_below(&random, 8);
        }
        upper[0] = (float)grz_random_below(&random, 30);
        grz_box_row row = {{ends[0], ends[1], ends[2]}, {ends[3], ends[4], ends[5]}};
        uint32_t expected[COUNT], places[COUNT];
        size_t expected_count = 0;
        for (size_t i = first; i < count && ends[0][i] <= upper[0]; i++)
            if (ends[1][i] <= upper[1] && lower[1] <= ends[4][i] && ends[2][i] <= upper[2] && lower[2] <= ends[5][i])
                expected[expected_count++] = (uint32_t)i;
        for (int choice = GRAZE_INSTRUCTIONS_SCALAR; choice < GRAZE_INSTRUCTIONS_COUNT; choice++)
        {
            const grz_kernels *kernels = grz_kernels_for((graze_instructions)choice);
            assert_int_equal(kernels->sweep(&row, first, lower, upper, places), expected_count);
            if (expected_count > 0)
                assert_memory_equal(places, expected, expected_count * sizeof *places);
        }
        found += expected_count;
    }
    assert_true(found > 2000);
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void few_numbers_come_out_sorted(void **state)
{
    (void)state;
    grz_random random = grz_random_make(44);
    printf("seed 44\n");
    for (int round = 0; round < 2000; round++)
    {
        uint64_t numbers[GRZ_SORT_MOST], expected[GRZ_SORT_MOST], sorted[GRZ_SORT_MOST + 1];
        unsigned count = (unsigned)grz_random_below(&random, GRZ_SORT_MOST + 1);
        for (unsigned i = 0; i < count; i++) /* different by their lowest byte; 0 and the largest are among them */
        {
            uint64_t upper = round % 2 == 0 ? grz_random_below(&random, 8) : grz_random_next(&random) >> 9;
            numbers[i] = upper << 8 | ((i * 37 + (unsigned)round) % 256);
        }
        if (count > 1 && round % 3 == 0)
        {
            numbers[0] = INT64_MAX;
            numbers[1] = 0;
        }
        memcpy(expected, numbers, count * sizeof *numbers);
        qsort(expected, count, sizeof *expected, by_size);
        for (int choice = GRAZE_INSTRUCTIONS_SCALAR; choice < GRAZE_INSTRUCTIONS_COUNT; choice++)
        {
            sorted[count] = 77;
            grz_kernels_for((graze_instructions)choice)->sort(numbers, count, sorted);
            assert_memory_equal(sorted, expected, count * sizeof *expected);
            assert_int_equal(sorted[count], 77);
        }
    }
}

/* A map that keeps the leaf's neighbourhood within [-1, 1], with the margins that pair/relative.c gives it. */
static void small_map(grz_random *random, grz_float_map *map)
{
    for (int i = 0; i < 3; i++)
    {
        map->offset[i] = number(random, 0.1);
        double sum = fabs((double)map->offset[i]);
        for (int j = 0; j < 3; j++)
        {
            map->matrix[i][j] = number(random, 0.4);
            sum += fabs((double)map->matrix[i][j]);
        }
        map->margin[i] = (float)(20 * 0x1p-23 * sum);
    }
    map->slab_margin = 1;
}

/* A point of a triangle in the other frame, on its border more often than not, where the corners are off the grid by
   as much as they may be. */
static void point_there(grz_random *random, const grz_triangles8 *leaf, int place, const grz_float_map *map,
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

/* A box that holds a point, on its border as a rule. */
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
        grz_float_map map;
        grz_edges8 edges;
        random_triangles(&random, &leaf);
        leaf.unit = ldexpf(1, -16 - (int)grz_random_below(&random, 16));
        small_map(&random, &map);
        for (int lane = 0; lane < GRZ_LANES; lane++)
        {
            double point[3];
            point_there(&random, &leaf, lane, &map, point);
            box_around(&random, point, &boxes, lane);
        }
        const grz_kernels *plain = grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
        plain->facet_edges(&leaf, &map, &edges);
        uint64_t given = round % 2 == 0 ? UINT64_MAX : grz_random_next(&random) | UINT64_C(0x8040201008040201);
        uint64_t expected = plain->edges(&edges, given, &boxes);
        assert_true((expected & UINT64_C(0x8040201008040201)) == UINT64_C(0x8040201008040201));
        assert_true((expected & ~given) == 0);
        kept += (unsigned)__builtin_popcountll(expected);
        parted += (unsigned)__builtin_popcountll(given & ~expected);
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_kernels *kernels = grz_kernels_for((graze_instructions)set);
            grz_edges8 found;
            kernels->facet_edges(&leaf, &map, &found);
            assert_memory_equal(&found, &edges, sizeof found);
            assert_true(kernels->edges(&found, given, &boxes) == expected);
        }
    }
    printf("seed 34: %lu pairs of triangle and box parted, %lu not\n", parted, kept);
    assert_true(parted > ROUNDS && kept > 9 * ROUNDS);
}

/* Turns by a right angle, perhaps several, and moves: the way back is known as exactly as the way there. */
static void right_angles(grz_random *random, grz_float_map *there, grz_float_map *back)
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
        there->offset[i] = 0.25f * number(random, 1);
        back->offset[axes[i]] = -sign * there->offset[i];
        there->margin[i] = 30 * 0x1p-23f;
        back->margin[axes[i]] = 30 * 0x1p-23f;
    }
    there->slab_margin = back->slab_margin = 60 * 0x1p-23f;
}

/* Leaves in some of eight lanes, each triangle small or large, and boxes that hold points of some of them. */
static void handfuls_agree_and_lose_no_triangle_that_has_a_point_in_a_box(void **state)
{
    (void)state;
    const grz_kernels *plain = grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    grz_random random = grz_random_make(36);
    unsigned long met = 0, asked = 0;
    static grz_handful handfuls[GRAZE_INSTRUCTIONS_COUNT];
    for (int round = 0; round < ROUNDS / 4; round++)
    {
        grz_triangles8 leaves[GRZ_LANES];
        grz_float_map there, back;
        grz_boxes8 boxes = {0};
        unsigned lanes = 1 + (unsigned)grz_random_below(&random, 255);
        right_angles(&random, &there, &back);
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
            handfuls[set].lanes = 0;
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
        {
            random_triangles(&random, &leaves[lane]);
            leaves[lane].unit = ldexpf(1, -17 - (int)grz_random_below(&random, 8));
            for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT && (lanes >> lane & 1) != 0; set++)
                grz_kernels_for((graze_instructions)set)
                    ->handful_add(&leaves[lane], &there, &back, lane, &handfuls[set]);
        }
        uint64_t expected[GRZ_LANES], found[GRZ_LANES], holds[GRZ_LANES], mask = 0;
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
        float size = plain->handful(&handfuls[GRAZE_INSTRUCTIONS_SCALAR], mask, &boxes, &back, expected);
        for (int box = 0; box < GRZ_LANES; box++)
        {
            assert_true((expected[box] & holds[box]) == holds[box] && (expected[box] & ~mask) == 0);
            met += (unsigned)__builtin_popcountll(expected[box]);
        }
        asked += 8 * (unsigned)__builtin_popcountll(mask);
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            assert_true(grz_kernels_for((graze_instructions)set)->handful(&handfuls[set], mask, &boxes, &back, found) ==
                        size);
            assert_memory_equal(found, expected, sizeof found);
        }
    }
    printf("seed 36: of %lu pairs of triangle and box %lu may meet\n", asked, met);
    assert_true(met > ROUNDS && 2 * met < asked);
}

static void the_table_lists_the_bits_of_every_byte(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 256; mask++)
    {
        uint8_t list[8 + 8] = {0};
        unsigned count = grz_append_set_bits(list, 3, 5, mask), expected = 3;
        for (unsigned bit = 0; bit < 8; bit++)
        {
            if ((mask >> bit & 1) != 0)
                assert_int_equal(list[expected++], 5 * 8 + bit);
        }
        assert_int_equal(count, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_kernels_agree_bit_for_bit),
        cmocka_unit_test(facets_agree_bit_for_bit),
        cmocka_unit_test(leaves_are_seen_alike_and_with_all_their_corners),
        cmocka_unit_test(triangle_kernels_agree_bit_for_bit),
        cmocka_unit_test(opened_leaves_agree_and_hold_their_triangles),
        cmocka_unit_test(sweeps_name_the_same_boxes),
        cmocka_unit_test(few_numbers_come_out_sorted),
        cmocka_unit_test(edges_never_part_a_triangle_from_a_box_that_holds_a_point_of_it),
        cmocka_unit_test(handfuls_agree_and_lose_no_triangle_that_has_a_point_in_a_box),
        cmocka_unit_test(the_table_lists_the_bits_of_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
