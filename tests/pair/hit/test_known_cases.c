/* SPDX-License-Identifier: MIT */
/*
 * Positions that users have and other libraries get wrong: parts that are exactly flush. Stacked boxes, aligned walls
 * that overlap, boxes that share a face, an edge or a vertex, gaps and overlaps of one unit in the last place.
 */
#include <stdio.h>

#include "graze/pair.h"
#include "support/generators.h"
#include "support/lattice.h"
#include "support/meshes.h"
#include "support/unit.h"

typedef struct known_pair
{
    const char *text;
    double a[2][3], b[2][3]; /* lower and upper corners of two boxes */
    bool collide;
    bool crossing; /* whether surfaces pass through each other, or only touch */
    bool coplanar; /* whether faces overlap in a plane, with area */
    graze_containment containment;
} known_pair;

#define NONE GRAZE_CONTAINMENT_NONE
#define TENTHS 0.30000000000000004 /* 3 * 0.1, the double after 0.3 */

static const known_pair pairs[] = {
    {"sharing a face", {{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}, true, false, true, NONE},
    {"stacked, half a side aside", {{0, 0, 0}, {2, 2, 2}}, {{1, 0, 2}, {3, 2, 4}}, true, false, true, NONE},
    {"sharing an edge", {{0, 0, 0}, {1, 1, 1}}, {{1, 1, 0}, {2, 2, 1}}, true, false, false, NONE},
    {"sharing a vertex", {{0, 0, 0}, {1, 1, 1}}, {{1, 1, 1}, {2, 2, 2}}, true, false, false, NONE},
    {"the same box twice", {{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, 1}}, true, false, true, GRAZE_CONTAINMENT_A_IN_B},
    {"aligned walls that overlap along their length",
     {{0, 0, 0}, {10, 1, 3}},
     {{5, 0, 0}, {15, 1, 3}},
     true,
     false,
     true,
     NONE},
    {"aligned walls end to end", {{0, 0, 0}, {10, 1, 3}}, {{10, 0, 0}, {20, 1, 3}}, true, false, true, NONE},
    {"walls that cross at the same height", {{0, 4, 0}, {10, 5, 3}}, {{4, 0, 0}, {5, 10, 3}}, true, true, true, NONE},
    {"walls that form a corner", {{0, 0, 0}, {10, 1, 3}}, {{0, 0, 0}, {1, 10, 3}}, true, true, true, NONE},
    {"a tee: one wall ends at another", {{0, 0, 0}, {10, 1, 3}}, {{4, 1, 0}, {5, 9, 3}}, true, false, true, NONE},
    {"a smaller box flush in a corner of a larger",
     {{0, 0, 0}, {1, 1, 1}},
     {{0, 0, 0}, {3, 3, 3}},
     true,
     false,
     true,
     GRAZE_CONTAINMENT_A_IN_B},
    {"a smaller box well inside",
     {{1, 1, 1}, {2, 2, 2}},
     {{0, 0, 0}, {3, 3, 3}},
     true,
     false,
     false,
     GRAZE_CONTAINMENT_A_IN_B},
    {"an edge through a face", {{0, 0, 0}, {2, 2, 2}}, {{1, 1, 1}, {3, 3, 3}}, true, true, false, NONE},
    {"flush at three tenths", {{0, 0, 0}, {1, 1, TENTHS}}, {{0, 0, TENTHS}, {1, 1, 1}}, true, false, true, NONE},
    {"a gap of one unit in the last place",
     {{0, 0, 0}, {1, 1, 0.3}},
     {{0, 0, TENTHS}, {1, 1, 1}},
     false,
     false,
     false,
     NONE},
    {"an overlap of one unit in the last place",
     {{0, 0, 0}, {1, 1, TENTHS}},
     {{0, 0, 0.3}, {1, 1, 1}},
     true,
     false,
     true,
     NONE},
    {"an edge over an edge, one unit apart",
     {{0, 0, 0}, {1, 1, 1}},
     {{1, 1.0000000000000002, 0}, {2, 2, 1}},
     false,
     false,
     false,
     NONE},
};

static graze_mesh *make_box(const double corners[2][3])
{
    static test_mesh mesh;
    mesh.vertex_count = mesh.triangle_count = 0;
    mesh_add_box(&mesh, corners[0], corners[1], false);
    return mesh_create(&mesh);
}

static void check(const known_pair *known, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_pair_counts counts, swapped;
    graze_solid_answer answer;
    assert_int_equal(graze_pair_count(NULL, a, b, NULL, &counts), GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_count(NULL, b, a, NULL, &swapped), GRAZE_STATUS_OK);
    assert_memory_equal(&counts, &swapped, sizeof counts);
    assert_int_equal(counts.crossing > 0, known->crossing);
    assert_int_equal(counts.coplanar > 0, known->coplanar);
    assert_int_equal(counts.touching > 0 || counts.crossing > 0, counts.pairs > 0);
    assert_int_equal(graze_pair_containment(NULL, a, b, NULL, &answer), GRAZE_STATUS_OK);
    assert_int_equal(answer.collide, known->collide);
    assert_int_equal(answer.containment, known->containment);
    if (known->containment == NONE)
        assert_int_equal(counts.pairs > 0, known->collide);
}

/* The same under one arbitrary pose for both, and with one of them moved by its pose instead of its vertices. */
static void flush_parts_get_the_known_answers(void **state)
{
    (void)state;
    test_random random = test_random_start("known cases", 70);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    {
        printf("%s\n", pairs[i].text);
        graze_placed_mesh a = {.mesh = make_box(pairs[i].a), .pose = graze_pose_identity()};
        graze_placed_mesh b = {.mesh = make_box(pairs[i].b), .pose = graze_pose_identity()};
        check(&pairs[i], &a, &b);
        for (int k = 0; k < 5; k++)
        {
            a.pose = b.pose = random_rotation(&random);
            a.pose.m[3] = b.pose.m[3] = random_real(&random, -1e6, 1e6);
            check(&pairs[i], &a, &b);
        }
        graze_mesh_destroy((graze_mesh *)a.mesh);
        graze_mesh_destroy((graze_mesh *)b.mesh);
    }
}

/*
 * Two unit cubes, one on the other. In the common square each cube has two triangles with the same diagonal, four
 * triangles with an edge in it and four with a corner in it; counting all of them, 62 pairs share a point, and only the
 * two equal halves of the square overlap.
 */
static void a_common_face_has_the_counts_of_a_hand_count(void **state)
{
    (void)state;
    static const double first[2][3] = {{0, 0, 0}, {1, 1, 1}}, second[2][3] = {{0, 0, 1}, {1, 1, 2}};
    graze_placed_mesh a = {.mesh = make_box(first), .pose = graze_pose_identity()},
                      b = {.mesh = make_box(second), .pose = graze_pose_identity()};
    graze_pair_counts counts;
    assert_int_equal(graze_pair_count(NULL, &a, &b, NULL, &counts), GRAZE_STATUS_OK);
    assert_int_equal(counts.pairs, 62);
    assert_int_equal(counts.touching, 62);
    assert_int_equal(counts.crossing, 0);
    assert_int_equal(counts.coplanar, 2);
    graze_mesh_destroy((graze_mesh *)a.mesh);
    graze_mesh_destroy((graze_mesh *)b.mesh);
}

/* Boxes 0.1 high, stacked by adding 0.1 in doubles: whether neighbours have a gap, are flush or overlap depends on the
   rounding of each sum, and the answer follows it. */
static void a_tower_of_tenths_has_gaps_where_sums_were_rounded_up(void **state)
{
    (void)state;
    static const double unit[2][3] = {{0, 0, 0}, {1, 1, 0.1}};
    graze_placed_mesh lower = {.mesh = make_box(unit), .pose = graze_pose_identity()}, upper = lower;
    mpq_t top, bottom, height;
    mpq_inits(top, bottom, height, NULL);
    rational_set_double(height, 0.1);
    int gaps = 0, flush = 0, overlaps = 0;
    for (int i = 0; i < 200; i++)
    {
        upper.pose.m[11] = lower.pose.m[11] + 0.1;
        rational_set_double(top, lower.pose.m[11]);
        mpq_add(top, top, height);
        rational_set_double(bottom, upper.pose.m[11]);
        int order = mpq_cmp(bottom, top);
        graze_pair_counts counts;
        assert_int_equal(graze_pair_count(NULL, &lower, &upper, NULL, &counts), GRAZE_STATUS_OK);
        assert_int_equal(counts.pairs > 0, order <= 0);
        if (order == 0)
            assert_int_equal(counts.pairs, 62);
        gaps += order > 0;
        flush += order == 0;
        overlaps += order < 0;
        lower.pose = upper.pose;
    }
    printf("%d gaps, %d flush, %d overlaps\n", gaps, flush, overlaps);
    assert_true(gaps > 10 && flush > 0 && overlaps > 10);
    mpq_clears(top, bottom, height, NULL);
    graze_mesh_destroy((graze_mesh *)lower.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flush_parts_get_the_known_answers),
        cmocka_unit_test(a_common_face_has_the_counts_of_a_hand_count),
        cmocka_unit_test(a_tower_of_tenths_has_gaps_where_sums_were_rounded_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
