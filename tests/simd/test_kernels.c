/* SPDX-License-Identifier: MIT */
/* Every compilation of the kernels gives the bits of its twin in plain C, lane for lane. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "simd/kernels.h"
#include "support/kernels_fused.h"
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

/* Two nodes, the maps between their frames, and what is asked of them. */
typedef struct box_case
{
    grz_boxes8 a, b;
    grz_float_map there, back;
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

/* What kernels say of a case. */
typedef struct box_answers
{
    grz_mapped8 image_a, image_b;
    uint64_t pairs;
    unsigned near[GRZ_LANES], meet[GRZ_LANES];
} box_answers;

static void answer(const grz_kernels *kernels, const box_case *c, box_answers *out)
{
    kernels->map(&c->a, &c->there, &c->back, &out->image_a);
    kernels->map(&c->b, &c->back, &c->there, &out->image_b);
    out->pairs = kernels->boxes(&c->a, &out->image_a, c->rows, &c->b, &out->image_b, c->lanes);
    for (unsigned row = 0; row < GRZ_LANES; row++)
    {
        out->near[row] = kernels->near(&out->image_a, row, &c->b);
        out->meet[row] = kernels->meet(&c->a, &out->image_a, row, &c->b, &out->image_b, 0xff);
    }
}

static void answers_agree(const box_case *c, const box_answers *found, const box_answers *expected)
{
    assert_true(found->pairs == expected->pairs);
    assert_memory_equal(found->near, expected->near, sizeof found->near);
    assert_memory_equal(found->meet, expected->meet, sizeof found->meet);
    for (int lane = 0; lane < GRZ_LANES; lane++) /* absent boxes have NaN images, whose bits may differ */
    {
        if (c->a.lower[0][lane] > c->a.upper[0][lane])
            continue;
        const grz_mapped8 *x = &found->image_a, *y = &expected->image_a;
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
        box_answers expected[KERNEL_TWINS], found;
        random_case(&random, &c);
        for (int fused = 0; fused < KERNEL_TWINS; fused++)
        {
            uint64_t all = 0;
            answer(kernel_twin(fused), &c, &expected[fused]);
            for (unsigned row = 0; row < GRZ_LANES; row++) /* the halves make the whole */
                all |= (uint64_t)(expected[fused].near[row] & expected[fused].meet[row] & c.lanes) << 8 * row &
                       ((c.rows >> row & 1) != 0 ? UINT64_MAX : 0);
            assert_true(all == expected[fused].pairs);
            met += (unsigned)__builtin_popcountll(all);
        }
        differ += expected[0].image_a.lower[0][0] != expected[1].image_a.lower[0][0];
        for (int set = GRAZE_INSTRUCTIONS_SSE2; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_kernels *kernels = grz_kernels_for((graze_instructions)set);
            answer(kernels, &c, &found);
            answers_agree(&c, &found, &expected[kernels->fused]);
        }
    }
    printf("seed 31: %lu pairs of boxes met, fused images differ in %lu of %d\n", met, differ, ROUNDS);
    assert_true(met > ROUNDS / 2 && differ > ROUNDS / 8); /* the fused twin does fuse */
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

/* The kernels of every instruction set, and their twins after these. */
enum
{
    VARIANTS = GRAZE_INSTRUCTIONS_COUNT + KERNEL_TWINS
};

static const grz_kernels *variant(int i)
{
    return i < GRAZE_INSTRUCTIONS_COUNT ? grz_kernels_for((graze_instructions)i)
                                        : kernel_twin(i - GRAZE_INSTRUCTIONS_COUNT);
}

static int twin_of(int i)
{
    return GRAZE_INSTRUCTIONS_COUNT + (int)variant(i)->fused;
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
            grz_corners8 seen[VARIANTS];
            for (int i = VARIANTS - 1; i >= 0; i--)
            {
                make_corners(variant(i), &a, turned != 0 ? &turn : NULL, NULL, 0, &seen[i]);
                corners_agree(&seen[i], &seen[twin_of(i)]);
                ends_are_of_corners(&seen[i]);
            }
        }
    }
}

/* Queues what one leaf of A and one of B have in common, with the kernels of every variant. */
static void queue_leaves(grz_random *random, uint32_t first, grz_pair_queue queues[VARIANTS], unsigned long *asked)
{
    grz_triangles8 a, b;
    float matrix[3][3];
    grz_leaf_view views[2];
    grz_corners8 corners_a[VARIANTS], corners_b[VARIANTS];
    random_leaves(random, &a, &b, matrix, views);
    grz_leaf_turn turn = make_turn(random, matrix);
    unsigned rows = (unsigned)grz_random_below(random, 256), lanes = (unsigned)grz_random_below(random, 256);
    *asked += (unsigned)(__builtin_popcount(rows) * __builtin_popcount(lanes));
    for (int i = VARIANTS - 1; i >= 0; i--)
    {
        make_corners(variant(i), &a, NULL, &views[0], 8 * first, &corners_a[i]);
        make_corners(variant(i), &b, &turn, &views[1], 16 * first, &corners_b[i]);
        corners_agree(&corners_a[i], &corners_a[twin_of(i)]);
        corners_agree(&corners_b[i], &corners_b[twin_of(i)]);
        unsigned before = queues[i].count;
        variant(i)->pairs(&corners_a[i], rows, &corners_b[i], lanes, &queues[i]);
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
    static grz_pair_queue queues[VARIANTS];
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_pair_verdicts judged[VARIANTS];
        for (int i = 0; i < VARIANTS; i++)
            queues[i].count = 0;
        for (uint32_t leaf = 0;
             leaf < 4 && queues[VARIANTS - 2].count < GRZ_QUEUE_FULL && queues[VARIANTS - 1].count < GRZ_QUEUE_FULL;
             leaf++)
            queue_leaves(&random, leaf, queues, &missed);
        for (int i = VARIANTS - 1; i >= 0; i--)
        {
            queues_agree(&queues[i], &queues[twin_of(i)]);
            variant(i)->judge(&queues[i], &judged[i]);
            assert_memory_equal(&judged[i], &judged[twin_of(i)], sizeof *judged);
        }
        for (unsigned word = 0; word < GRZ_QUEUE_WORDS; word++)
        {
            const grz_pair_verdicts *twin = &judged[VARIANTS - 1 - round % 2];
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
        grz_boxes8 boxes[VARIANTS];
        random_triangles(&random, &leaf);
        leaf.unit = ldexpf(1, -16 - (int)grz_random_below(&random, 20));
        if (round % 2 == 0)
            flatten_some(&random, &leaf);
        for (int i = VARIANTS - 1; i >= 0; i--)
        {
            variant(i)->facet_boxes(&leaf, &boxes[i]);
            assert_memory_equal(&boxes[i], &boxes[twin_of(i)], sizeof *boxes);
            boxes_hold_triangles(&leaf, &boxes[i]);
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
        grz_edges8 edges[VARIANTS];
        uint64_t met[VARIANTS];
        random_triangles(&random, &leaf);
        leaf.unit = ldexpf(1, -16 - (int)grz_random_below(&random, 16));
        small_map(&random, &map);
        for (int lane = 0; lane < GRZ_LANES; lane++)
        {
            double point[3];
            point_there(&random, &leaf, lane, &map, point);
            box_around(&random, point, &boxes, lane);
        }
        uint64_t given = round % 2 == 0 ? UINT64_MAX : grz_random_next(&random) | UINT64_C(0x8040201008040201);
        for (int i = VARIANTS - 1; i >= 0; i--)
        {
            variant(i)->facet_edges(&leaf, &map, &edges[i]);
            met[i] = variant(i)->edges(&edges[i], given, &boxes);
            assert_memory_equal(&edges[i], &edges[twin_of(i)], sizeof *edges);
            assert_true(met[i] == met[twin_of(i)] && (met[i] & ~given) == 0);
            assert_true((met[i] & UINT64_C(0x8040201008040201)) == UINT64_C(0x8040201008040201));
        }
        kept += (unsigned)__builtin_popcountll(met[0]);
        parted += (unsigned)__builtin_popcountll(given & ~met[0]);
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
    grz_random random = grz_random_make(36);
    unsigned long met = 0, asked = 0;
    static grz_handful handfuls[VARIANTS];
    for (int round = 0; round < ROUNDS / 4; round++)
    {
        grz_triangles8 leaves[GRZ_LANES];
        grz_float_map there, back;
        grz_boxes8 boxes = {0};
        unsigned lanes = 1 + (unsigned)grz_random_below(&random, 255);
        right_angles(&random, &there, &back);
        for (int i = 0; i < VARIANTS; i++)
            handfuls[i].lanes = 0;
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
        {
            random_triangles(&random, &leaves[lane]);
            leaves[lane].unit = ldexpf(1, -17 - (int)grz_random_below(&random, 8));
            for (int i = 0; i < VARIANTS && (lanes >> lane & 1) != 0; i++)
                variant(i)->handful_add(&leaves[lane], &there, &back, lane, &handfuls[i]);
        }
        uint64_t found[VARIANTS][GRZ_LANES], holds[GRZ_LANES], mask = 0;
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
        float sizes[VARIANTS];
        for (int i = VARIANTS - 1; i >= 0; i--)
        {
            sizes[i] = variant(i)->handful(&handfuls[i], mask, &boxes, &back, found[i]);
            assert_true(sizes[i] == sizes[VARIANTS - 1]); /* of every kind: queries choose by it what to open */
            assert_memory_equal(found[i], found[twin_of(i)], sizeof *found);
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
        cmocka_unit_test(leaves_are_seen_alike_and_with_all_their_corners),
        cmocka_unit_test(triangle_kernels_agree_bit_for_bit),
        cmocka_unit_test(opened_leaves_agree_and_hold_their_triangles),
        cmocka_unit_test(edges_never_part_a_triangle_from_a_box_that_holds_a_point_of_it),
        cmocka_unit_test(handfuls_agree_and_lose_no_triangle_that_has_a_point_in_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
