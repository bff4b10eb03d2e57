/* SPDX-License-Identifier: MIT */
/* The cache between motions: it answers what it may, and changes no answer, also where meshes are not those of before.
 */
#include "graze/motion_query.h"

#include <math.h>
#include <string.h>

#include "graze/generate.h"
#include "motion/impact_cache.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOTIONS = 200
};

/* A ball on its way through a torus, around it, and away; where it begins, in the last third it stays in contact. */
static graze_pose place_of(int i)
{
    double t = (double)i / MOTIONS;
    if (t < 0.6)
        return graze_pose_translation(4 * cos(6 * t), 4 * sin(6 * t), 0.3);
    return graze_pose_translation(1.2 + 4 * fmax(0, 0.65 - t), 0.5 * t, 0.001 * i);
}

static graze_motion motion_from(int i)
{
    graze_motion motion;
    const graze_pose from = place_of(i), to = place_of(i + 1);
    assert_int_equal(
        graze_motion_between(&from, &to, i % 2 == 0 ? GRAZE_MOTION_TURN : GRAZE_MOTION_BLEND, &motion, NULL),
        GRAZE_STATUS_OK);
    return motion;
}

static void single_motions_with_a_cache_are_as_cheap_as_motions_in_a_row(void **state)
{
    (void)state;
    static graze_motion still[MOTIONS], motions[MOTIONS];
    static graze_impact in_a_row[MOTIONS];
    graze_mesh *torus = NULL, *ball = NULL;
    graze_tree *trees[2] = {NULL, NULL};
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 48, 24, &torus), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.4, 6, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, torus, NULL, NULL, &trees[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, ball, NULL, NULL, &trees[1]), GRAZE_STATUS_OK);
    graze_moving_mesh a = {torus, NULL, trees[0], {0}}, b = {ball, NULL, trees[1], {0}};
    const graze_pose identity = graze_pose_identity();
    graze_impact_cache cache = graze_impact_cache_default();
    graze_impact_stats total = {0}, plain_total = {0}, stats = {0}, row_stats = {0};
    graze_impact_options options = graze_impact_options_default(), plain = options;
    options.cache = &cache;
    options.stats = plain.stats = &stats;
    int begin_in_contact = 0;
    for (int i = 0; i < MOTIONS; i++)
    {
        graze_impact with, without;
        assert_int_equal(graze_motion_still(&identity, &still[i]), GRAZE_STATUS_OK);
        motions[i] = motion_from(i);
        a.motion = still[i];
        b.motion = motions[i];
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &with), GRAZE_STATUS_OK);
        total.box_tests += stats.box_tests;
        total.distance_queries += stats.distance_queries;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &plain, &without), GRAZE_STATUS_OK);
        plain_total.box_tests += stats.box_tests;
        plain_total.distance_queries += stats.distance_queries;
        assert_memory_equal(&with, &without, sizeof with);
        begin_in_contact += with.at_start && with.crosses;
    }
    options.cache = NULL;
    options.stats = &row_stats;
    assert_int_equal(graze_track(NULL, &a, &b, still, motions, MOTIONS, &options, in_a_row), GRAZE_STATUS_OK);
    print_message("%d by the gap, %d of %d by the witness; %d distance queries, %d without\n",
                  (int)cache.answered_by_gap, (int)cache.answered_by_witness, begin_in_contact,
                  (int)total.distance_queries, (int)plain_total.distance_queries);
    assert_int_equal(cache.queries, MOTIONS);
    assert_true(cache.answered_by_gap > MOTIONS / 2);
    assert_true(begin_in_contact > MOTIONS / 5 && 20 * (int)cache.answered_by_witness > 19 * begin_in_contact);
    assert_int_equal(total.box_tests, row_stats.box_tests);
    assert_int_equal(total.distance_queries, row_stats.distance_queries);
    assert_true(4 * total.distance_queries < plain_total.distance_queries && total.box_tests < plain_total.box_tests);
    for (int side = 0; side < 2; side++)
        graze_tree_destroy(trees[side]);
    graze_mesh_destroy(torus);
    graze_mesh_destroy(ball);
}

/* The last pair of fine meshes has numbers that coarse ones do not have. */
static void a_witness_of_other_meshes_is_not_used(void **state)
{
    (void)state;
    graze_mesh *fine = NULL, *coarse = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 16, &fine), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &coarse), GRAZE_STATUS_OK);
    const graze_pose at = graze_pose_identity(), beside = graze_pose_translation(-0.9, -0.3, -0.2);
    graze_moving_mesh a = {fine, NULL, NULL, {0}}, b = {fine, NULL, NULL, {0}};
    assert_int_equal(graze_motion_still(&at, &a.motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_still(&beside, &b.motion), GRAZE_STATUS_OK);
    graze_impact_cache cache = graze_impact_cache_default();
    graze_impact_options options = graze_impact_options_default();
    options.cache = &cache;
    graze_impact impact, alone;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
    assert_true(impact.at_start && impact.hit.triangle_a > 12 && impact.hit.triangle_b > 12);
    for (int side = 0; side < 2; side++)
    {
        graze_impact_cache copy = cache;
        options.cache = &copy;
        a.mesh = side == 0 ? coarse : fine;
        b.mesh = side == 0 ? fine : coarse;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &alone), GRAZE_STATUS_OK);
        assert_memory_equal(&impact, &alone, sizeof alone);
        assert_int_equal(copy.answered_by_witness, 0);
    }
    graze_mesh_destroy(fine);
    graze_mesh_destroy(coarse);
}

/* A gap of meshes that have grown since would hide that they meet. */
static void a_gap_of_other_vertices_is_not_used(void **state)
{
    (void)state;
    graze_mesh *box = NULL, *other = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &other), GRAZE_STATUS_OK);
    graze_moving_mesh a = {box, NULL, NULL, {0}}, b = {other, NULL, NULL, {0}};
    const graze_pose at = graze_pose_identity(), apart = graze_pose_translation(3, 0, 0);
    assert_int_equal(graze_motion_still(&at, &a.motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_still(&apart, &b.motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_vertex_count(box), 8);
    graze_impact_cache cache = graze_impact_cache_default();
    graze_impact_options options = graze_impact_options_default();
    options.cache = &cache;
    graze_impact impact;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
    assert_int_equal(cache.answered_by_gap, 1);
    const double *corners = graze_mesh_vertices(box);
    double usual[24], large[24];
    for (int i = 0; i < 24; i++)
    {
        usual[i] = corners[i];
        large[i] = 6 * corners[i];
    }
    for (int side = 0; side < 2; side++)
    {
        graze_mesh *grown = side == 0 ? box : other;
        graze_impact_cache copy = cache;
        options.cache = &copy;
        assert_int_equal(graze_mesh_move_vertices(grown, large, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        assert_true(impact.verdict == GRAZE_IMPACT_AT && impact.at_start);
        assert_int_equal(graze_mesh_move_vertices(grown, usual, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    }
    graze_mesh_destroy(box);
    graze_mesh_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_motions_with_a_cache_are_as_cheap_as_motions_in_a_row),
        cmocka_unit_test(a_witness_of_other_meshes_is_not_used),
        cmocka_unit_test(a_gap_of_other_vertices_is_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
