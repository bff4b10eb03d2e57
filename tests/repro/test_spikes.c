/* SPDX-License-Identifier: MIT */
/*
 * A closed part with a face i j i, a segment that sticks out of it into another part: whether the parts overlapped
 * depended on which corner the face listed first, as that corner alone was located. The bodies share points on their
 * surfaces only: they touch.
 */
#include "graze/depth.h"
#include "support/meshes.h"
#include "support/unit.h"

static graze_verdict overlap_of(const test_mesh *a, const test_mesh *b)
{
    graze_placed_mesh placed[2] = {{mesh_create(a), NULL, graze_pose_identity()},
                                   {mesh_create(b), NULL, graze_pose_identity()}};
    graze_verdict verdicts[2];
    graze_pair_counts counts;
    assert_int_equal(graze_pair_count(NULL, &placed[0], &placed[1], NULL, &counts), GRAZE_STATUS_OK);
    assert_true(counts.pairs > 0 && counts.crossing == 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_pair_overlap(NULL, &placed[i], &placed[1 - i], NULL, &verdicts[i]), GRAZE_STATUS_OK);
    assert_int_equal(verdicts[0], verdicts[1]);
    graze_mesh_destroy((graze_mesh *)placed[0].mesh);
    graze_mesh_destroy((graze_mesh *)placed[1].mesh);
    return verdicts[0];
}

/* Every labelling of a segment as a triangle; its end is in the block, on its surface, or beyond it. */
static void a_spike_reaches_into_nothing_whatever_its_labels(void **state)
{
    (void)state;
    static const double ends[3][3] = {{2.5, 0.5, 0.25}, {2, 0.5, 0.25}, {4, 0.9, 0.45}};
    test_mesh block = {0};
    mesh_add_cube(&block, 2, 0, 0, 1);
    for (int end = 0; end < 3; end++)
        for (int labels = 1; labels < 7; labels++)
        {
            test_mesh spiked = {0};
            mesh_add_cube(&spiked, 0, 0, 0, 1);
            uint32_t points[2] = {mesh_add_vertex(&spiked, 1, 0, 0),
                                  mesh_add_vertex(&spiked, ends[end][0], ends[end][1], ends[end][2])};
            mesh_add_triangle(&spiked, points[labels & 1], points[labels >> 1 & 1], points[labels >> 2 & 1]);
            assert_int_equal(overlap_of(&spiked, &block), GRAZE_VERDICT_NO);
        }
}

/* The same for needles of two triangles with three corners on one line, in any order. */
static void a_needle_is_judged_alike_whatever_its_labels(void **state)
{
    (void)state;
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    static const double ends[2] = {2.5, 3.5};
    test_mesh block = {0};
    mesh_add_cube(&block, 2, 0, 0, 1);
    for (int end = 0; end < 2; end++)
    {
        graze_verdict first = GRAZE_VERDICT_UNKNOWN;
        for (int order = 0; order < 6; order++)
        {
            test_mesh needled = {0};
            mesh_add_cube(&needled, 0, 0, 0, 1);
            uint32_t points[3] = {mesh_add_vertex(&needled, 1.5, 0.5, 0.25),
                                  mesh_add_vertex(&needled, 1 + ends[end] / 2 - 0.5, 0.5, 0.25),
                                  mesh_add_vertex(&needled, ends[end], 0.5, 0.25)};
            const int *o = orders[order];
            mesh_add_triangle(&needled, points[o[0]], points[o[1]], points[o[2]]);
            mesh_add_triangle(&needled, points[o[0]], points[o[2]], points[o[1]]);
            graze_verdict verdict = overlap_of(&needled, &block);
            assert_int_not_equal(verdict, GRAZE_VERDICT_YES);
            first = order == 0 ? verdict : first;
            assert_int_equal(verdict, first);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spike_reaches_into_nothing_whatever_its_labels),
        cmocka_unit_test(a_needle_is_judged_alike_whatever_its_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
