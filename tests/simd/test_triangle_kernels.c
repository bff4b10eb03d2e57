/* SPDX-License-Identifier: MIT */
/* Every compilation of the triangle kernels gives the bits of its scalar twin, lane for lane. */
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

/* Two leaves of about the same size, in random positions; every eighth time half of one is the other's. */
static void random_leaves(grz_random *random, grz_triangles8 *a, grz_triangles8 *b, float matrix[3][3],
                          grz_leaf_placement views[2])
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

static grz_leaf_transform make_turn(grz_random *random, float matrix[3][3])
{
    grz_leaf_transform turn = {0};
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

/* The centre is that of the given transform when there is any, so that leaves come near each other, and so is the error
   of a rotated leaf. */
static void make_corners(const grz_kernels *kernels, const grz_triangles8 *leaf, const grz_leaf_transform *turn,
                         const grz_leaf_placement *view, uint32_t first, grz_corners8 *out)
{
    kernels->corners(leaf, turn, out);
    for (int k = 0; view != NULL && k < 4; k++)
    {
        out->centre[k] = view->centre[k];
        out->error[k] = turn != NULL ? (float)view->error[k] : out->error[k];
    }
    out->first = first;
    out->present = 0xff;
}

static void corners_agree(const grz_corners8 *found, const grz_corners8 *expected, bool turned)
{
    assert_memory_equal(found->start, expected->start, sizeof found->start);
    assert_memory_equal(found->edges, expected->edges, sizeof found->edges);
    assert_memory_equal(found->size, expected->size, sizeof found->size);
    assert_memory_equal(found->centre, expected->centre, sizeof found->centre);
    assert_memory_equal(found->error, expected->error, sizeof found->error);
    if (turned)
        assert_memory_equal(found->ends, expected->ends, sizeof found->ends);
    else
    {
        assert_memory_equal(found->rows, expected->rows, sizeof found->rows);
        assert_true(found->scale == expected->scale && found->margin == expected->margin);
    }
}

static void queues_agree(const grz_pair_queue *found, const grz_pair_queue *expected)
{
    assert_int_equal(found->count, expected->count);
    for (unsigned i = 0; i < expected->count; i++)
    {
        assert_int_equal(grz_queue_index_a(found, i), grz_queue_index_a(expected, i));
        assert_int_equal(grz_queue_index_b(found, i), grz_queue_index_b(expected, i));
        assert_true(found->a[1][2][i] == expected->a[1][2][i] && found->b[0][0][i] == expected->b[0][0][i]);
        assert_true(found->between[1][i] == expected->between[1][i] && found->size_b[i] == expected->size_b[i]);
        assert_true(found->error_a[found->leaves[i]] == expected->error_a[expected->leaves[i]] &&
                    found->error_b[found->leaves[i]] == expected->error_b[expected->leaves[i]]);
    }
}

/* Of an unrotated leaf: its corners, and bounds in strides rounded down. */
static void ends_are_of_corners(const grz_triangles8 *leaf, const grz_corners8 *seen)
{
    assert_true(seen->scale * leaf->unit * 65536 == 254);
    for (int i = 0; i < 3 * GRZ_LANES; i++)
    {
        int k = i / GRZ_LANES, lane = i % GRZ_LANES, x[3];
        for (int c = 0; c < 3; c++)
            x[c] = leaf->corners[c][k][lane];
        for (int edge = 0; edge < 2; edge++)
            assert_true(seen->edges[edge][k][lane] == leaf->unit * (float)(x[edge + 1] - x[0]));
        double upper = fmax(fmax(x[0], x[1]), x[2]), lower = fmin(fmin(x[0], x[1]), x[2]);
        assert_true(seen->start[k][lane] == leaf->unit * (float)x[0]);
        assert_true(seen->rows[k][lane] == floor(upper * 254 / 65536));
        assert_true(seen->rows[k][GRZ_LANES + lane] == floor(-lower * 254 / 65536));
    }
}

/* Centre of a leaf, and error bounds of its corners; fourth components are 0. */
static void places_are_of_leaves(const grz_triangles8 *leaf, const grz_leaf_transform *turn, const grz_corners8 *seen)
{
    for (int k = 0; k < 3; k++)
    {
        double centre = leaf->centre[k], error = 0.505 * (double)leaf->unit;
        if (turn != NULL)
        {
            centre = turn->offset[k];
            for (int j = 0; j < 3; j++)
                centre += turn->columns[j][k] * leaf->centre[j];
            error = 1.001 * (turn->error[k] + (double)leaf->unit * turn->unit_error[k]);
        }
        assert_true(fabs(seen->centre[k] - centre) <= 1e-15);
        assert_true(fabs(seen->error[k] - error) <= 1e-6 * error);
    }
    assert_true(seen->centre[3] == 0 && seen->error[3] == 0);
    if (turn == NULL) /* half a unit and slightly more, in strides */
        assert_true(fabs((double)seen->margin - 0.5151 * 254 / 65536) < 1e-8);
}

/* Those of a rotated one have the largest coordinates of its corners. */
static void turned_ends_are_of_corners(const grz_corners8 *seen)
{
    for (int i = 0; i < 3 * GRZ_LANES; i++)
    {
        int k = i / GRZ_LANES, lane = i % GRZ_LANES;
        float x = seen->start[k][lane], y = seen->edges[0][k][lane], z = seen->edges[1][k][lane];
        float lower = fminf(0, fminf(y, z)), upper = fmaxf(0, fmaxf(y, z)), size = seen->size[lane];
        assert_true(fabsf(seen->ends[k][lane] - (x + lower)) <= 0x1p-22f * (fabsf(x) + size));
        assert_true(fabsf(seen->ends[k][GRZ_LANES + lane] + (x + upper)) <= 0x1p-22f * (fabsf(x) + size));
        assert_true(upper - lower <= (1 + 0x1p-21f) * size);
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
        grz_leaf_placement views[2];
        random_leaves(&random, &a, &b, matrix, views);
        grz_leaf_transform turn = make_turn(&random, matrix);
        for (int turned = 0; turned < 2; turned++)
        {
            grz_corners8 seen[KERNEL_VARIANTS];
            for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
            {
                make_corners(kernel_variant(i), &a, turned != 0 ? &turn : NULL, NULL, 0, &seen[i]);
                corners_agree(&seen[i], &seen[kernel_reference(i)], turned != 0);
                places_are_of_leaves(&a, turned != 0 ? &turn : NULL, &seen[i]);
                if (turned != 0)
                    turned_ends_are_of_corners(&seen[i]);
                else
                    ends_are_of_corners(&a, &seen[i]);
            }
        }
    }
}

/* Whether the boxes of two triangles meet when widened by this and B's error bound, or 1.5 times that. */
static bool boxes_meet(const grz_triangles8 *a, unsigned row, const grz_corners8 *b, unsigned lane,
                       const double offset[3], double widening, double times)
{
    for (int k = 0; k < 3; k++)
    {
        int x = a->corners[0][k][row], y = a->corners[1][k][row], z = a->corners[2][k][row];
        double lower = fmin(fmin(x, y), z) * (double)a->unit, upper = fmax(fmax(x, y), z) * (double)a->unit;
        double margin = widening + times * (double)b->error[k];
        if (lower > offset[k] - (double)b->ends[k][GRZ_LANES + lane] + margin ||
            upper < offset[k] + (double)b->ends[k][lane] - margin)
            return false;
    }
    return true;
}

/* Pairs whose boxes meet are in the queue, from `before` on, and no others except those in doubt. */
static unsigned those_that_meet_are_queued(const grz_triangles8 *a, const grz_corners8 *a_seen, unsigned rows,
                                           const grz_corners8 *b, unsigned lanes, const grz_pair_queue *queue,
                                           unsigned before)
{
    double offset[3], err = (double)a_seen->error[0], stride = 65536 * (double)a->unit / 254;
    for (int k = 0; k < 3; k++)
        offset[k] = b->centre[k] - a_seen->centre[k];
    unsigned next = before, met = 0;
    for (unsigned pair = 0; pair < GRZ_PAIRS; pair++)
    {
        unsigned row = pair / GRZ_LANES, lane = pair % GRZ_LANES;
        bool queued = next < queue->count && queue->pairs[next] == pair;
        bool asked = (rows >> row & 1) != 0 && (lanes >> lane & 1) != 0;
        bool meet = asked && boxes_meet(a, row, b, lane, offset, err, 1);
        assert_true(queued || !meet);
        assert_true(!queued || (asked && boxes_meet(a, row, b, lane, offset, 1.02 * err + stride, 1.5)));
        next += queued;
        met += meet;
    }
    assert_int_equal(next, queue->count);
    return met;
}

/* The pairs of two leaves are in the queue as they are in the leaves: edges, sizes, and B's first corner relative to
   A's, rounded three times. */
static void queued_are_of_leaves(const grz_corners8 *a, const grz_corners8 *b, const grz_pair_queue *queue,
                                 unsigned before)
{
    for (unsigned i = before; i < queue->count; i++)
    {
        unsigned row = queue->pairs[i] / GRZ_LANES, lane = queue->pairs[i] % GRZ_LANES, number = queue->leaves[i];
        double err = 0;
        for (int k = 0; k < 3; k++)
        {
            double offset = b->centre[k] - a->centre[k], between = offset - a->start[k][row] + b->start[k][lane];
            double reach = fabs(offset) + fabsf(a->start[k][row]) + fabsf(b->start[k][lane]);
            for (int edge = 0; edge < 2; edge++)
                assert_true(queue->a[edge][k][i] == a->edges[edge][k][row] &&
                            queue->b[edge][k][i] == b->edges[edge][k][lane]);
            assert_true(fabs(queue->between[k][i] - between) <= 0x1p-22 * reach);
            err = fmax(err, b->error[k] + 10.02 * 0x1p-23 * fabs(offset));
        }
        assert_true(queue->size_a[i] == a->size[row] && queue->size_b[i] == b->size[lane]);
        assert_true(queue->error_a[number] == a->error[0] && fabs(queue->error_b[number] - err) <= 1e-6 * err);
        assert_int_equal(number, before == 0 ? 0 : queue->leaves[before - 1] + 1);
    }
}

/* The pairs that are listed untested are those queued, each with its triangles and corners: in the second list those
   whose bytes of directions are equal. */
static void those_queued_are_listed(const grz_kernels *kernels, const grz_leaf_pair *leaves,
                                    const grz_pair_queue *queue, unsigned before)
{
    static grz_untested_list lists[2];
    bool seen[GRZ_PAIRS] = {false};
    unsigned starts[2] = {before % GRZ_CONTACT_PAIRS, before * 7 % GRZ_CONTACT_PAIRS};
    lists[0].count = starts[0];
    lists[1].count = starts[1];
    kernels->list_untested(leaves, lists);
    assert_int_equal(lists[0].count + lists[1].count, starts[0] + starts[1] + queue->count - before);
    for (unsigned i = before; i < queue->count; i++)
        seen[queue->pairs[i]] = true;
    for (int which = 0; which < 2; which++)
        for (unsigned i = starts[which]; i < lists[which].count; i++)
        {
            unsigned row = (unsigned)(lists[which].keys[i] >> 32) % GRZ_LANES;
            unsigned lane = (unsigned)lists[which].keys[i] % GRZ_LANES;
            unsigned of_a = (unsigned)(leaves->corners_a->directions >> 8 * row & 0xff);
            unsigned of_b = (unsigned)(leaves->corners_b->directions >> 8 * lane & 0xff);
            assert_true(seen[row * GRZ_LANES + lane] && (of_a == of_b) == (which == 1));
            seen[row * GRZ_LANES + lane] = false;
            assert_true(lists[which].keys[i] ==
                        (leaves->corners_a->triangles[row] << 32 | leaves->corners_b->triangles[lane]));
            for (int c = 0; c < 3; c++)
                assert_true(lists[which].a[c][i] == leaves->corners_a->corners[c][row] &&
                            lists[which].b[c][i] == leaves->corners_b->corners[c][lane]);
        }
}

/* Lists the pairs of two leaves that were queued. */
static void list_leaves(const grz_kernels *kernels, const grz_corners8 *a, unsigned rows, const grz_corners8 *b,
                        unsigned lanes, const grz_pair_queue *queue, unsigned before)
{
    static const double points[2][3][GRZ_LANES];
    grz_leaf_corners corners[2];
    for (unsigned i = 0; i < GRZ_LANES; i++)
        for (int side = 0; side < 2; side++)
        {
            corners[side].triangles[i] = 0xffffff00u + i;
            for (int c = 0; c < 3; c++)
                corners[side].corners[c][i] = &points[side][c][i];
        }
    corners[0].directions = kernels->directions(a);
    corners[1].directions = kernels->directions(b);
    if (rows % 2 == 1) /* else directions are hardly ever equal */
        corners[1].directions = corners[0].directions & UINT64_C(0xff00ff00ff00ff);
    const grz_leaf_pair leaves = {a, b, &corners[0], &corners[1], rows, lanes};
    those_queued_are_listed(kernels, &leaves, queue, before);
}

/* Queues the candidate pairs of one leaf of A and one of B, with the kernels of every variant; returns in how many
   pairs boxes meet. */
static unsigned queue_leaves(grz_random *random, uint32_t first, grz_pair_queue queues[KERNEL_VARIANTS],
                             unsigned long *asked)
{
    grz_triangles8 a, b;
    float matrix[3][3];
    grz_leaf_placement views[2];
    grz_corners8 corners_a[KERNEL_VARIANTS], corners_b[KERNEL_VARIANTS];
    random_leaves(random, &a, &b, matrix, views);
    grz_leaf_transform turn = make_turn(random, matrix);
    unsigned rows = (unsigned)grz_random_below(random, 256), lanes = (unsigned)grz_random_below(random, 256);
    unsigned met = 0;
    *asked += (unsigned)(__builtin_popcount(rows) * __builtin_popcount(lanes));
    for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
    {
        make_corners(kernel_variant(i), &a, NULL, &views[0], 8 * first, &corners_a[i]);
        make_corners(kernel_variant(i), &b, &turn, &views[1], 16 * first, &corners_b[i]);
        corners_agree(&corners_a[i], &corners_a[kernel_reference(i)], false);
        corners_agree(&corners_b[i], &corners_b[kernel_reference(i)], true);
        unsigned before = queues[i].count;
        kernel_variant(i)->queue_pairs(&corners_a[i], rows, &corners_b[i], lanes, &queues[i]);
        met = those_that_meet_are_queued(&a, &corners_a[i], rows, &corners_b[i], lanes, &queues[i], before);
        queued_are_of_leaves(&corners_a[i], &corners_b[i], &queues[i], before);
        list_leaves(kernel_variant(i), &corners_a[i], rows, &corners_b[i], lanes, &queues[i], before);
        if (queues[i].count > before)
        {
            unsigned last = queues[i].count - 1, pair = queues[i].pairs[last];
            assert_true(grz_queue_index_a(&queues[i], last) == 8 * first + pair / 8 &&
                        grz_queue_index_b(&queues[i], last) == 16 * first + pair % 8);
        }
    }
    return met;
}

/* One leaf of A, or some, against one of B each; the last of them may overfill a queue. */
static void triangle_kernels_agree_bit_for_bit(void **state)
{
    (void)state;
    grz_random random = grz_random_make(32);
    unsigned long near = 0, queued = 0, met = 0, crossed = 0, missed = 0;
    static grz_pair_queue queues[KERNEL_VARIANTS];
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_pair_sat_results judged[KERNEL_VARIANTS];
        for (int i = 0; i < KERNEL_VARIANTS; i++)
            queues[i].count = 0;
        for (uint32_t leaf = 0; leaf < 4 && queues[KERNEL_VARIANTS - 2].count < GRZ_QUEUE_FULL &&
                                queues[KERNEL_VARIANTS - 1].count < GRZ_QUEUE_FULL;
             leaf++)
            near += queue_leaves(&random, leaf, queues, &missed);
        queued += queues[KERNEL_VARIANTS - 1].count;
        for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
        {
            queues_agree(&queues[i], &queues[kernel_reference(i)]);
            kernel_variant(i)->triangle_sat(&queues[i], &judged[i]);
            assert_memory_equal(&judged[i], &judged[kernel_reference(i)], sizeof *judged);
        }
        for (unsigned word = 0; word < GRZ_QUEUE_WORDS; word++)
        {
            const grz_pair_sat_results *twin = &judged[KERNEL_VARIANTS - 1 - round % 2];
            assert_true((twin->cross[word] & ~twin->meet[word]) == 0);
            met += (unsigned)__builtin_popcountll(twin->meet[word]);
            crossed += (unsigned)__builtin_popcountll(twin->cross[word]);
        }
    }
    printf("seed 32: of %lu pairs of triangles %lu are queued, of %lu boxes meet, %lu may meet, %lu surely cross\n",
           missed, queued, near, met, crossed);
    assert_true(queued < near + near / 50 && crossed > ROUNDS / 4 && met > crossed + ROUNDS / 8 &&
                missed > met + ROUNDS);
}

/* Triangles in parallel planes, of any size and either orientation, have equal bytes; most others have not. */
static void directions_tell_most_planes_apart(void **state)
{
    (void)state;
    grz_random random = grz_random_make(35);
    int equal = 0, others = 0;
    for (int round = 0; round < 2000; round++)
    {
        grz_corners8 leaf;
        memset(&leaf, 0, sizeof leaf);
        float u[2][3], v[2][3]; /* of the first four triangles, and of the others */
        for (int i = 0; i < 6; i++)
        {
            u[i / 3][i % 3] = random_float(&random, 1);
            v[i / 3][i % 3] = random_float(&random, 1);
        }
        for (int i = 0; i < GRZ_LANES; i++)
        {
            float size = ldexpf(1, (int)grz_random_below(&random, 20) - 10), turn = random_float(&random, 1);
            for (int k = 0; k < 3; k++)
            {
                leaf.edges[i % 2][k][i] = size * u[i / 4][k];
                leaf.edges[1 - i % 2][k][i] = size * (v[i / 4][k] + turn * u[i / 4][k]);
            }
        }
        for (int i = 0; i < KERNEL_VARIANTS; i++)
            assert_true(kernel_variant(i)->directions(&leaf) == kernel_variant(kernel_reference(i))->directions(&leaf));
        uint64_t bytes = kernel_variant(0)->directions(&leaf);
        for (int i = 1; i < 4; i++)
            equal += (bytes >> 8 * i & 0xff) == (bytes & 0xff);
        others += (bytes >> 32 & 0xff) == (bytes & 0xff);
    }
    printf("equal bytes: %d of 6000 parallel ones, %d of 2000 others\n", equal, others);
    assert_true(equal > 5900 && others < 100);
}

/* Hits of a mask come out in order, with their bits of all facts. */
static void hits_are_listed_with_their_facts(void **state)
{
    (void)state;
    grz_random random = grz_random_make(36);
    for (int round = 0; round < 500; round++)
    {
        uint64_t keys[GRZ_CONTACT_PAIRS], facts[8], which = grz_random_next(&random);
        uint64_t listed[GRZ_CONTACT_PAIRS + 1];
        uint8_t codes[GRZ_CONTACT_PAIRS + 1];
        which = round % 8 == 0 ? UINT64_MAX : round % 8 == 1 ? 0 : which;
        for (int i = 0; i < GRZ_CONTACT_PAIRS; i++)
            keys[i] = grz_random_next(&random);
        for (int i = 0; i < 8; i++)
            facts[i] = grz_random_next(&random);
        for (int i = 0; i < KERNEL_VARIANTS; i++)
        {
            unsigned count = 0;
            listed[GRZ_CONTACT_PAIRS] = 55;
            codes[GRZ_CONTACT_PAIRS] = 66;
            kernel_variant(i)->list_hits(keys, facts, which, listed, codes);
            for (int k = 0; k < GRZ_CONTACT_PAIRS; k++)
            {
                unsigned code = 0;
                if ((which >> k & 1) == 0)
                    continue;
                for (int fact = 0; fact < 8; fact++)
                    code |= (unsigned)(facts[fact] >> k & 1) << fact;
                assert_true(listed[count] == keys[k] && codes[count] == code);
                count++;
            }
            assert_true(listed[GRZ_CONTACT_PAIRS] == 55 && codes[GRZ_CONTACT_PAIRS] == 66);
        }
    }
}

/* Boxes and slabs contain the triangles of a leaf, wherever quantisation has moved them. */
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

/* Slivers as long as the grid allows, collinear up to a unit: their computed normals may be any direction, along which
   each corner may be the highest. */
static void make_slivers(grz_random *random, grz_triangles8 *leaf)
{
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        int order = (int)grz_random_below(random, 3), at[3] = {-16, 16, (int)grz_random_below(random, 33) - 16};
        for (int k = 0; k < 3; k++)
        {
            int step = (int)grz_random_below(random, 4095) - 2047;
            for (int c = 0; c < 3; c++)
                leaf->corners[(c + order) % 3][k][lane] =
                    (int16_t)(at[c] * step + (grz_random_below(random, 4) == 0 ? 1 : 0));
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
        else if (round % 4 == 1)
            make_slivers(&random, &leaf);
        for (int i = KERNEL_VARIANTS - 1; i >= 0; i--)
        {
            kernel_variant(i)->facet_boxes(&leaf, &boxes[i]);
            assert_memory_equal(&boxes[i], &boxes[kernel_reference(i)], sizeof *boxes);
            boxes_hold_triangles(&leaf, &boxes[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_are_seen_alike_and_with_all_their_corners),
                                       cmocka_unit_test(triangle_kernels_agree_bit_for_bit),
                                       cmocka_unit_test(directions_tell_most_planes_apart),
                                       cmocka_unit_test(hits_are_listed_with_their_facts),
                                       cmocka_unit_test(opened_leaves_agree_and_hold_their_triangles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
