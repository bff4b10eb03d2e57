/* SPDX-License-Identifier: MIT */
/*
 * Pairs of boxes and triangles that the kernels separate are disjoint, in doubles, along one of the axes that they
 * test, and pairs with a clear gap along one of these are separated. Other tests measure how tight the error bounds
 * are.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/kernels.h"
#include "support/slab_reference.h"
#include "support/unit.h"

enum
{
    ROUNDS = 300
};

/* A pair is kept or separated as its largest gap says, unless that is nearly 0. */
static void is_parted_by(bool kept, bool asked, double gap, unsigned long counts[2])
{
    if (!asked || gap > 0.002)
        assert_false(kept);
    else if (gap < -0.001)
        assert_true(kept);
    counts[kept] += asked;
}

static void both_happened(const char *seed, const unsigned long counts[2])
{
    printf("%s: %lu parted, %lu kept\n", seed, counts[0], counts[1]);
    assert_true(counts[0] > 10 * ROUNDS && counts[1] > 10 * ROUNDS);
}

/* ---- boxes ---- */

static double near_gap(const grz_boxes8 *rows, unsigned row, const grz_boxes8 *lanes, unsigned lane,
                       const grz_float_transform *to_lanes)
{
    double gap = -INFINITY;
    for (int k = 0; k < 3; k++)
        gap = fmax(gap, span_gap(span_seen(rows, row, to_lanes, k), span_of_axis(lanes, lane, k)));
    return gap;
}

static double meet_gap(const grz_boxes8 *rows, unsigned row, const grz_boxes8 *lanes, unsigned lane,
                       const grz_float_transform *to_rows, const grz_float_transform *to_lanes)
{
    double gap = near_gap(lanes, lane, rows, row, to_rows);
    return fmax(gap, fmax(slab_gap_of(rows, row, to_rows, lanes, lane), slab_gap_of(lanes, lane, to_lanes, rows, row)));
}

static void axes_and_slabs_separate_boxes(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1431);
    unsigned long counts[2] = {0, 0};
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_boxes8 a, b;
        grz_float_transform to_a, to_b;
        random_slab_boxes(&random, 0.6, 0.4, &a);
        random_slab_boxes(&random, 0.6, 0.4, &b);
        random_margin_map(&random, 0.05, &to_a);
        random_margin_map(&random, 0.05, &to_b);
        unsigned rows = (unsigned)grz_random_below(&random, 256), lanes = (unsigned)grz_random_below(&random, 256);
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            const grz_kernels *kernels = kernel_variant(set);
            grz_transformed8 mapped_a, mapped_b;
            kernels->transform(&a, &to_b, &to_a, &mapped_a);
            kernels->transform(&b, &to_a, &to_b, &mapped_b);
            uint64_t pairs = kernels->boxes(&a, &mapped_a, rows, &b, &mapped_b, lanes);
            for (unsigned i = 0; i < GRZ_PAIRS; i++)
            {
                unsigned row = i / 8, lane = i % 8, given = lanes & kernels->row_aabb_overlap(&mapped_a, row, &b);
                bool there = !is_absent(&a, row) && !is_absent(&b, lane), in_lanes = (lanes >> lane & 1) != 0;
                double near = there ? near_gap(&a, row, &b, lane, &to_b) : 1;
                double meet = there ? meet_gap(&a, row, &b, lane, &to_a, &to_b) : 1;
                unsigned met = kernels->row_slab_overlap(&a, &mapped_a, row, &b, &mapped_b, lanes);
                bool asked = (rows >> row & 1) != 0 && in_lanes;
                is_parted_by((pairs >> i & 1) != 0, asked, fmax(near, meet), counts);
                if (there)
                    is_parted_by((given >> lane & 1) != 0, in_lanes, near, counts);
                if (there)
                    is_parted_by((met >> lane & 1) != 0, in_lanes, meet, counts);
            }
        }
    }
    both_happened("seed 1431", counts);
}

/* A box as large as the frame whose slab ends where the other box begins, or begins where that ends. */
static void slabs_that_end_at_a_box_meet_it(void **state)
{
    (void)state;
    const grz_float_transform same = {.matrix = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = 0; i < 3 * 2; i++)
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            const grz_kernels *kernels = kernel_variant(set);
            grz_boxes8 slabs = {0}, boxes = {0};
            grz_transformed8 mapped_slabs, mapped_boxes;
            for (int k = 0; k < 3 * GRZ_LANES; k++)
            {
                int axis = k / 8, lane = k % 8;
                bool across = axis == i / 2;
                slabs.lower[axis][lane] = -1;
                slabs.upper[axis][lane] = 1;
                slabs.normal[axis][lane] = across;
                boxes.lower[axis][lane] = across ? 0.25f : -0.5f;
                boxes.upper[axis][lane] = 0.5f;
                slabs.slab_lower[lane] = i % 2 == 0 ? -0.5f : 0.5f;
                slabs.slab_upper[lane] = i % 2 == 0 ? 0.25f : 0.75f;
                boxes.slab_lower[lane] = -FLT_MAX;
                boxes.slab_upper[lane] = FLT_MAX;
            }
            kernels->transform(&slabs, &same, &same, &mapped_slabs);
            kernels->transform(&boxes, &same, &same, &mapped_boxes);
            assert_true(kernels->boxes(&slabs, &mapped_slabs, 0xff, &boxes, &mapped_boxes, 0xff) == UINT64_MAX);
            assert_true(kernels->boxes(&boxes, &mapped_boxes, 0xff, &slabs, &mapped_slabs, 0xff) == UINT64_MAX);
        }
}

/* ---- triangles and boxes ---- */

/* The gap between a triangle and a box along a direction, over the sum of its coordinates. */
static double gap_along(double corners[3][3], const grz_boxes8 *boxes, unsigned box, const double direction[3])
{
    span triangle = {INFINITY, -INFINITY}, across = {0, 0};
    double sum = 0;
    for (int c = 0; c < 3; c++)
    {
        double height = dot3(direction, corners[c]);
        triangle.lowest = fmin(triangle.lowest, height);
        triangle.highest = fmax(triangle.highest, height);
    }
    for (int k = 0; k < 3; k++)
    {
        double one = direction[k] * boxes->lower[k][box], other = direction[k] * boxes->upper[k][box];
        across.lowest += fmin(one, other);
        across.highest += fmax(one, other);
        sum += fabs(direction[k]);
    }
    return sum > 0 ? span_gap(triangle, across) / sum : -1;
}

/* The largest gap between a triangle and a box along the axes, the cross products of edges and axes, and perhaps the
   normal. */
static double triangle_gap(const grz_triangles8 *leaf, unsigned lane, const grz_float_transform *map,
                           const grz_boxes8 *boxes, unsigned box, bool with_normal)
{
    double corners[3][3], edges[3][3], normal[3], gap = -INFINITY;
    for (int c = 0; c < 3; c++)
        mapped_corner(leaf, c, lane, map, corners[c]);
    for (int i = 0; i < 9; i++)
        edges[i / 3][i % 3] = corners[(i / 3 + 1) % 3][i % 3] - corners[i / 3][i % 3];
    for (int k = 0; k < 3; k++)
    {
        const double axis[3] = {k == 0, k == 1, k == 2};
        gap = fmax(gap, gap_along(corners, boxes, box, axis));
        for (int e = 0; e < 3; e++)
        {
            double direction[3];
            cross3(edges[e], axis, direction);
            gap = fmax(gap, gap_along(corners, boxes, box, direction));
        }
    }
    cross3(edges[0], edges[1], normal);
    return with_normal ? fmax(gap, gap_along(corners, boxes, box, normal)) : gap;
}

/* Triangles and boxes of which about half meet, in frames that keep both within [-1, 1]. */
static void random_triangles_and_boxes(grz_random *random, grz_triangles8 *leaf, grz_float_transform *map,
                                       grz_boxes8 *boxes)
{
    random_leaf(random, leaf);
    leaf->unit = ldexpf(1, -16 - (int)grz_random_below(random, 2));
    random_float_transform(random, 0.1, 0.8, map);
    random_slab_boxes(random, 0.3, 0.3, boxes);
}

static void edge_cross_axes_separate_triangles_from_boxes(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1432);
    unsigned long counts[2] = {0, 0};
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 leaf;
        grz_float_transform map;
        grz_boxes8 boxes;
        random_triangles_and_boxes(&random, &leaf, &map, &boxes);
        uint64_t given = grz_random_next(&random);
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            grz_edges8 edges;
            kernel_variant(set)->facet_edges(&leaf, &map, &edges);
            uint64_t met = kernel_variant(set)->edge_axes(&edges, given, &boxes);
            for (unsigned i = 0; i < GRZ_PAIRS; i++)
                if (!is_absent(&boxes, i % 8))
                    is_parted_by((met >> i & 1) != 0, (given >> i & 1) != 0,
                                 triangle_gap(&leaf, i / 8, &map, &boxes, i % 8, false), counts);
        }
    }
    both_happened("seed 1432", counts);
}

static void thirteen_axes_separate_triangles_from_groups(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1433);
    unsigned long counts[2] = {0, 0};
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 leaf;
        grz_float_transform map;
        grz_boxes8 groups;
        float sums[3];
        random_triangles_and_boxes(&random, &leaf, &map, &groups);
        for (int k = 0; k < 3; k++)
            sums[k] = fabsf(map.matrix[k][0]) + fabsf(map.matrix[k][1]) + fabsf(map.matrix[k][2]);
        unsigned asked = (unsigned)grz_random_below(&random, 256);
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            uint64_t met = kernel_variant(set)->group_leaf(&groups, asked, &leaf, &map, sums);
            for (unsigned i = 0; i < GRZ_PAIRS; i++)
                if (!is_absent(&groups, i / 8))
                    is_parted_by((met >> i & 1) != 0, (asked >> i / 8 & 1) != 0,
                                 triangle_gap(&leaf, i % 8, &map, &groups, i / 8, true), counts);
        }
    }
    both_happened("seed 1433", counts);
}

/* Boxes against groups by the axes of both frames; the group's AABB in the boxes' frame is given. */
static void axes_separate_boxes_from_groups(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1434);
    unsigned long counts[2] = {0, 0};
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_boxes8 groups, boxes;
        grz_transformed8 seen;
        grz_float_transform there, back;
        random_slab_boxes(&random, 0.4, 0.6, &groups);
        random_slab_boxes(&random, 0.4, 0.6, &boxes);
        random_margin_map(&random, 0.05, &there);
        random_margin_map(&random, 0.05, &back);
        unsigned asked = (unsigned)grz_random_below(&random, 256);
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            float sizes[GRZ_LANES];
            kernel_variant(set)->transform(&groups, &back, &there, &seen);
            uint64_t met = kernel_variant(set)->groups(&groups, &seen, asked, &boxes, &there, sizes);
            for (unsigned i = 0; i < GRZ_PAIRS; i++)
            {
                unsigned box = i / 8, group = i % 8;
                if (is_absent(&groups, group) || is_absent(&boxes, box))
                    continue;
                double gap =
                    fmax(near_gap(&groups, group, &boxes, box, &back), near_gap(&boxes, box, &groups, group, &there));
                is_parted_by((met >> i & 1) != 0, (asked >> group & 1) != 0, gap, counts);
            }
        }
    }
    both_happened("seed 1434", counts);
}

/* ---- small trees ---- */

/* The triangles of a small tree are boxes with slabs: as facet_boxes makes them, and compared by axes and those
   slabs. */
static double small_tree_gap(const grz_boxes8 *triangles, unsigned lane, const grz_boxes8 *boxes, unsigned box,
                             const grz_float_transform *there, const grz_float_transform *back)
{
    double gap = fmax(near_gap(triangles, lane, boxes, box, there), near_gap(boxes, box, triangles, lane, back));
    return fmax(gap, slab_gap_of(triangles, lane, back, boxes, box));
}

static void triangles_of_a_small_tree_are_separated_from_boxes(void **state)
{
    (void)state;
    grz_random random = grz_random_make(1435);
    unsigned long counts[2] = {0, 0};
    for (int round = 0; round < ROUNDS; round++)
    {
        grz_triangles8 leaves[GRZ_LANES];
        grz_boxes8 boxes;
        grz_float_transform there, back;
        random_margin_map(&random, 0.01, &there);
        random_margin_map(&random, 0.01, &back);
        random_slab_boxes(&random, 0.6, 0.4, &boxes);
        for (int lane = 0; lane < GRZ_LANES; lane++) /* slabs of nodes, which the kernel ignores */
        {
            boxes.slab_lower[lane] = -FLT_MAX;
            boxes.slab_upper[lane] = FLT_MAX;
            for (int k = 0; k < 3; k++)
                boxes.normal[k][lane] = 0;
            random_leaf(&random, &leaves[lane]);
            leaves[lane].unit = ldexpf(1, -17 - (int)grz_random_below(&random, 3));
        }
        unsigned lanes = (unsigned)grz_random_below(&random, 256);
        uint64_t mask = 0;
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
            mask |= (lanes >> lane & 1) != 0 ? (uint64_t)grz_random_below(&random, 256) << 8 * lane : 0;
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            static grz_triangle_boxes64 small_tree;
            uint64_t met[GRZ_LANES];
            memset(&small_tree, 0xff, sizeof small_tree); /* NaN; the caller sets only the lanes */
            small_tree.lanes = 0;
            for (unsigned i = 0; i < GRZ_LANES; i++)
            {
                unsigned lane = round % 2 == 0 ? i : GRZ_LANES - 1 - i; /* in any order */
                if ((lanes >> lane & 1) != 0)
                    kernel_variant(set)->small_tree_add(&leaves[lane], &there, &back, lane, &small_tree);
            }
            float size = kernel_variant(set)->small_tree(&small_tree, mask, &boxes, &back, met), extent = 0;
            for (int k = 0; k < 3 * GRZ_LANES; k++)
                extent = fmaxf(extent, boxes.upper[k / 8][k % 8] - boxes.lower[k / 8][k % 8]);
            assert_true(size == 0.5f * extent);
            for (unsigned i = 0; i < GRZ_PAIRS; i++)
            {
                grz_boxes8 triangles;
                kernel_variant(set)->facet_boxes(&leaves[i / 8], &triangles);
                for (unsigned box = 0; box < GRZ_LANES; box++)
                    if (!is_absent(&boxes, box))
                        is_parted_by((met[box] >> i & 1) != 0, (mask >> i & 1) != 0,
                                     small_tree_gap(&triangles, i % 8, &boxes, box, &there, &back), counts);
            }
        }
    }
    both_happened("seed 1435", counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_and_slabs_separate_boxes),
        cmocka_unit_test(slabs_that_end_at_a_box_meet_it),
        cmocka_unit_test(edge_cross_axes_separate_triangles_from_boxes),
        cmocka_unit_test(thirteen_axes_separate_triangles_from_groups),
        cmocka_unit_test(axes_separate_boxes_from_groups),
        cmocka_unit_test(triangles_of_a_small_tree_are_separated_from_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
