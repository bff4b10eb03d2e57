/* SPDX-License-Identifier: MIT */
/*
 * Batches of pairs that skip the separating axis test of floats: sheets that coincide have most of their pairs in such
 * batches, sheets that cross none; the hits are those without trees in either case.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair/hit/query.h"
#include "support/unit.h"

enum
{
    SIDE = 24, /* squares on a side of a sheet */
    MOST_HITS = 1 << 16
};

static const grz_kernels *given_kernels;
static uint64_t tested; /* pairs that the float test got */

static void counting_test(const grz_pair_queue *queue, grz_pair_sat_results *out)
{
    tested += queue->count;
    given_kernels->triangle_sat(queue, out);
}

/* A sheet of squares, the corners of which rise by their distance from its middle times `slope`. */
static graze_mesh *make_sheet(double shift, double slope)
{
    static double vertices[(SIDE + 1) * (SIDE + 1)][3];
    static uint32_t corners[SIDE * SIDE * 2][3];
    for (uint32_t i = 0; i <= SIDE; i++)
        for (uint32_t j = 0; j <= SIDE; j++)
        {
            const double point[3] = {i + shift, j, slope * (i + shift - SIDE / 2)};
            memcpy(vertices[(SIDE + 1) * i + j], point, sizeof point);
        }
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t j = 0; j < SIDE; j++)
        {
            uint32_t first = (SIDE + 1) * i + j, opposite = first + SIDE + 2;
            const uint32_t two[2][3] = {{first, first + 1, opposite}, {first, opposite, opposite - 1}};
            memcpy(corners[2 * (SIDE * i + j)], two, sizeof two);
        }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices[0];
    def.vertex_count = (SIDE + 1) * (SIDE + 1);
    def.corners = corners[0];
    def.corner_count = SIDE * SIDE * 6;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* Runs a query and counts the pairs that it tests in floats. */
static graze_pair_counts count_with(graze_instructions instructions, const graze_placed_mesh *a,
                                    const graze_placed_mesh *b)
{
    graze_context context = graze_context_default();
    context.instructions = instructions;
    grz_query query = {.context = &context, .a = a, .b = b};
    static grz_query_part part;
    memset(&part, 0, sizeof part);
    assert_int_equal(grz_query_start(&query), GRAZE_STATUS_OK);
    assert_true(query.uses_trees && grz_query_part_start(&part, &query, NULL, NULL));
    given_kernels = part.traversal.kernels;
    grz_kernels counting = *given_kernels;
    counting.triangle_sat = counting_test;
    part.traversal.kernels = &counting;
    tested = 0;
    grz_query_part_advance(&part, NULL);
    graze_pair_counts counts = part.counts;
    assert_true(part.done && !part.out_of_memory);
    grz_query_part_end(&part);
    return counts;
}

/* The share of hits whose pairs were tested in floats is at most, or at least, as given. */
static void check_sheets(double shift, double slope, double least, double most)
{
    static graze_hit expected[MOST_HITS], found[MOST_HITS];
    graze_mesh *flat = make_sheet(0, 0), *other = make_sheet(shift, slope);
    graze_tree *tree_a = NULL, *tree_b = NULL;
    graze_pair_counts counts, again;
    assert_int_equal(graze_tree_create(NULL, flat, NULL, NULL, &tree_a), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, other, NULL, NULL, &tree_b), GRAZE_STATUS_OK);
    graze_placed_mesh a = {flat, NULL, graze_pose_identity()}, b = {other, NULL, graze_pose_identity()};
    assert_int_equal(graze_pair_gather(NULL, &a, &b, NULL, expected, MOST_HITS, &counts), GRAZE_STATUS_OK);
    assert_true(counts.pairs > 100 && counts.pairs <= MOST_HITS);
    a.tree = tree_a;
    b.tree = tree_b;
    for (int choice = GRAZE_INSTRUCTIONS_SCALAR; choice < GRAZE_INSTRUCTIONS_COUNT; choice++)
    {
        graze_context context = graze_context_default();
        context.instructions = (graze_instructions)choice;
        again = count_with((graze_instructions)choice, &a, &b);
        double share = (double)tested / (double)counts.pairs;
        print_message("%s: %g of %llu\n", given_kernels->name, share, (unsigned long long)counts.pairs);
        assert_true(share >= least && share <= most);
        assert_memory_equal(&again, &counts, sizeof counts);
        assert_int_equal(graze_pair_gather(&context, &a, &b, NULL, found, MOST_HITS, &again), GRAZE_STATUS_OK);
        assert_memory_equal(found, expected, counts.pairs * sizeof *found);
    }
    graze_tree_destroy(tree_a);
    graze_tree_destroy(tree_b);
    graze_mesh_destroy(flat);
    graze_mesh_destroy(other);
}

static void coinciding_sheets_skip_the_float_test(void **state)
{
    (void)state;
    check_sheets(0, 0, 0.01, 0.5);
    check_sheets(0.5, 0, 0.01, 0.5);
    check_sheets(1.0 / 3, 0, 0.01, 0.5);
}

static void crossing_sheets_are_tested(void **state)
{
    (void)state;
    check_sheets(1.0 / 3, 3, 0.9, 100);
    check_sheets(0, 0x1p-40, 0.01, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coinciding_sheets_skip_the_float_test),
        cmocka_unit_test(crossing_sheets_are_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
