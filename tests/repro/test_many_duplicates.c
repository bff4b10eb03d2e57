/* SPDX-License-Identifier: MIT */
/*
 * Thousands of copies of one triangle on each side, all pairs of which intersect. A region that was cancelled took a
 * minute and 2.4 GB, a depth query checked its time after the contacts alone had taken as long, a visit that was
 * stopped at its first hit had gathered all hits before, gathering one hit took 388 MB, and solid and tolerance queries
 * could not be cancelled. Work is counted here, in calls, decisions and bytes; no test uses the clock.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/region.h"
#include "graze/self.h"
#include "graze/tasks.h"
#include "support/counting_allocator.h"
#include "support/unit.h"

enum
{
    MANY = 4096, /* 16.8 million pairs: only for queries that must not test all of them */
    SOME = 384,  /* 147,456 pairs, more than a visit buffers at first */
    MEGABYTE = 1 << 20,
    MOST_DECISIONS = 1000, /* between two calls of the progress function */
    PATIENCE = 5           /* calls of the progress function, the last of which cancels */
};

typedef struct copies
{
    graze_mesh *mesh;
    graze_tree *tree;
} copies;

static copies make_copies(size_t count)
{
    static const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t *indices = malloc(3 * count * sizeof *indices);
    assert_non_null(indices);
    for (uint32_t i = 0; i < 3 * count; i++)
        indices[i] = i % 3;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = corners;
    def.vertex_count = 3;
    def.corners = indices;
    def.corner_count = 3 * count;
    copies result = {NULL, NULL};
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &result.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, result.mesh, NULL, NULL, &result.tree), GRAZE_STATUS_OK);
    free(indices);
    return result;
}

static void drop_copies(copies *c)
{
    graze_tree_destroy(c->tree);
    graze_mesh_destroy(c->mesh);
}

typedef struct patience
{
    int calls, allowed;
    double share;
} patience;

static bool wait_a_little(void *user, double share)
{
    patience *p = user;
    assert_true(share >= p->share && share <= 1);
    p->share = share;
    return ++p->calls < p->allowed;
}

static graze_pair_options cancelling(patience *p, graze_stats *stats)
{
    graze_pair_options options = graze_pair_options_default();
    *p = (patience){0, PATIENCE, 0};
    options.budget.progress = wait_a_little;
    options.budget.progress_user = p;
    options.stats = stats;
    return options;
}

/* Limits on the work of a call that was cancelled. */
static void check_cancelled(const patience *p, const graze_stats *stats, const counting_allocator *allocator)
{
    assert_int_equal(p->calls, PATIENCE);
    assert_true(stats->triangle_tests <= PATIENCE * MOST_DECISIONS);
    assert_int_equal(allocator->live, 0);
    assert_true(allocator->peak < 2 * MEGABYTE);
}

static bool stop_at_once(void *user, const graze_hit *hit)
{
    ++*(int *)user;
    assert_int_equal(hit->triangle_a, 0);
    assert_int_equal(hit->triangle_b, 0);
    return false;
}

static bool stop_near(void *user, const graze_proximity *near)
{
    ++*(int *)user;
    assert_true(near->triangle_a == 0 && near->triangle_b == 0 && near->meet);
    return false;
}

static void what_is_cancelled_ends_soon(void **state)
{
    (void)state;
    copies many = make_copies(MANY);
    for (int trees = 0; trees < 2; trees++)
    {
        graze_placed_mesh a = {many.mesh, trees != 0 ? many.tree : NULL, graze_pose_identity()}, b = a;
        patience p;
        graze_stats stats;
        counting_allocator allocator;
        graze_context context = counting_allocator_context(&allocator);
        graze_region *region = NULL;
        graze_pair_options options = cancelling(&p, &stats);
        assert_int_equal(graze_region_create(&context, &a, &b, &options, &region), GRAZE_STATUS_CANCELLED);
        assert_null(region);
        check_cancelled(&p, &stats, &allocator);
        graze_solid_answer solid = {.containment = GRAZE_CONTAINMENT_A_IN_B};
        options = cancelling(&p, &stats);
        assert_int_equal(graze_pair_containment(&context, &a, &b, &options, &solid), GRAZE_STATUS_CANCELLED);
        assert_int_equal(solid.containment, GRAZE_CONTAINMENT_A_IN_B);
        check_cancelled(&p, &stats, &allocator);
        options = cancelling(&p, &stats);
        graze_depth_options wish = graze_depth_options_default();
        wish.budget.progress = wait_a_little;
        wish.budget.progress_user = &p;
        graze_overlap_options overlap_wish = graze_overlap_options_default();
        overlap_wish.budget = wish.budget;
        graze_depth depth = {.lower = -1};
        assert_int_equal(graze_pair_depth(&context, &a, &b, &wish, &depth), GRAZE_STATUS_CANCELLED);
        assert_true(depth.lower == -1);
        check_cancelled(&p, &stats, &allocator);
        p = (patience){0, PATIENCE, 0};
        graze_verdict verdict = GRAZE_VERDICT_NO;
        assert_int_equal(graze_pair_overlap(&context, &a, &b, &overlap_wish, &verdict), GRAZE_STATUS_CANCELLED);
        assert_int_equal(verdict, GRAZE_VERDICT_NO);
        check_cancelled(&p, &stats, &allocator);
    }
    drop_copies(&many);
}

static void a_depth_keeps_to_its_time_before_it_measures(void **state)
{
    (void)state;
    copies many = make_copies(MANY);
    graze_placed_mesh a = {many.mesh, many.tree, graze_pose_identity()}, b = a;
    graze_depth_options wish = graze_depth_options_default();
    patience p = {0, PATIENCE, 0};
    wish.budget.seconds = 1e-9; /* used up at the first check, so that the progress function is not called five times */
    wish.budget.progress = wait_a_little;
    wish.budget.progress_user = &p;
    graze_overlap_options overlap_wish = graze_overlap_options_default();
    overlap_wish.budget = wish.budget;
    graze_depth depth = {.lower = -1};
    graze_verdict verdict = GRAZE_VERDICT_NO;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &wish, &depth), GRAZE_STATUS_OK);
    assert_true(depth.unfinished && depth.lower == 0 && depth.upper == INFINITY && !depth.reached);
    assert_true(depth.overlap == GRAZE_VERDICT_UNKNOWN && depth.counts.pairs == 0 && p.calls <= 1);
    assert_int_equal(graze_pair_overlap(NULL, &a, &b, &overlap_wish, &verdict), GRAZE_STATUS_UNFINISHED);
    assert_true(verdict == GRAZE_VERDICT_NO && p.calls <= 2);
    drop_copies(&many);
}

static void tolerances_and_distances_can_be_cancelled(void **state)
{
    (void)state;
    copies many = make_copies(MANY);
    for (int trees = 0; trees < 2; trees++)
    {
        graze_placed_mesh a = {many.mesh, trees != 0 ? many.tree : NULL, graze_pose_identity()}, b = a;
        b.pose = graze_pose_translation(0, 0, 0.5);
        for (int kind = 0; kind < 4; kind++)
        {
            patience p = {0, PATIENCE, 0};
            graze_stats stats;
            counting_allocator allocator;
            graze_context context = counting_allocator_context(&allocator);
            graze_distance_options distances = graze_distance_options_default();
            graze_tolerance_options options = graze_tolerance_options_default();
            options.budget.progress = wait_a_little;
            options.budget.progress_user = &p;
            options.stats = distances.stats = &stats;
            distances.budget = options.budget;
            uint64_t count = 7;
            graze_proximity near = {.triangle_a = 7};
            graze_distance distance = {.lower = -1};
            graze_status status =
                kind == 0   ? graze_pair_tolerance_count(&context, &a, &b, 1, &options, &count)
                : kind == 1 ? graze_pair_tolerance_gather(&context, &a, &b, 1, &options, &near, 1, &count)
                : kind == 2 ? graze_pair_tolerance_visit(&context, &a, &b, 1, &options, stop_near, &count)
                            : graze_pair_distance(&context, &a, &b, &distances, &distance);
            assert_int_equal(status, GRAZE_STATUS_CANCELLED);
            assert_true(count == 7 && near.triangle_a == 7 && distance.lower == -1);
            check_cancelled(&p, &stats, &allocator);
        }
    }
    drop_copies(&many);
}

static void a_visit_stopped_at_its_first_hit_is_soon_over(void **state)
{
    (void)state;
    copies many = make_copies(1024);
    graze_placed_mesh a = {many.mesh, many.tree, graze_pose_identity()}, b = a;
    counting_allocator allocator;
    graze_context context = counting_allocator_context(&allocator);
    graze_stats stats;
    graze_pair_options options = graze_pair_options_default();
    options.stats = &stats;
    int visited = 0;
    assert_int_equal(graze_pair_visit(&context, &a, &b, &options, stop_at_once, &visited), GRAZE_STATUS_CANCELLED);
    assert_int_equal(visited, 1);
    print_message("%zu bytes, %llu decisions\n", (size_t)allocator.peak, (unsigned long long)stats.triangle_tests);
    assert_true(allocator.live == 0 && allocator.peak < 16 * MEGABYTE && stats.triangle_tests < 1024 * 1024 / 2);
    counting_allocator others;
    context = counting_allocator_context(&others);
    graze_tolerance_options near_options = graze_tolerance_options_default();
    near_options.stats = &stats;
    b.pose = graze_pose_translation(0, 0, 0);
    assert_int_equal(graze_pair_tolerance_visit(&context, &a, &b, 0.25, &near_options, stop_near, &visited),
                     GRAZE_STATUS_CANCELLED);
    assert_int_equal(visited, 2);
    print_message("%zu bytes, %llu decisions\n", (size_t)others.peak, (unsigned long long)stats.triangle_tests);
    assert_true(others.live == 0 && others.peak < 16 * MEGABYTE && stats.triangle_tests < 1024 * 1024 / 2);
    drop_copies(&many);
}

static void gathering_one_hit_takes_room_for_few(void **state)
{
    (void)state;
    copies some = make_copies(SOME);
    for (int trees = 0; trees < 2; trees++)
    {
        graze_placed_mesh a = {some.mesh, trees != 0 ? some.tree : NULL, graze_pose_identity()}, b = a;
        counting_allocator allocator;
        graze_context context = counting_allocator_context(&allocator);
        graze_hit hits[2] = {{.triangle_a = 7}, {.triangle_a = 7}};
        graze_pair_counts counts;
        assert_int_equal(graze_pair_gather(&context, &a, &b, NULL, hits, 1, &counts), GRAZE_STATUS_OK);
        assert_true(counts.pairs == SOME * SOME && counts.coplanar == SOME * SOME);
        assert_true(hits[0].triangle_a == 0 && hits[0].triangle_b == 0 && hits[1].triangle_a == 7);
        assert_true(allocator.live == 0 && allocator.peak < MEGABYTE / 4);
        graze_proximity proximities[2] = {{.triangle_a = 7}, {.triangle_a = 7}};
        uint64_t count = 0;
        assert_int_equal(graze_pair_tolerance_gather(&context, &a, &b, 0.5, NULL, proximities, 1, &count),
                         GRAZE_STATUS_OK);
        assert_true(count == SOME * SOME && proximities[0].triangle_a == 0 && proximities[0].triangle_b == 0);
        assert_true(proximities[1].triangle_a == 7 && allocator.live == 0 && allocator.peak < MEGABYTE / 4);
        graze_self_subject self = {a.mesh, a.tree, false};
        assert_int_equal(graze_self_gather(&context, &self, NULL, hits, 1, &counts), GRAZE_STATUS_OK);
        assert_true(counts.pairs == SOME * (SOME - 1) / 2 && hits[0].triangle_a == 0 && hits[0].triangle_b == 1);
        assert_true(allocator.live == 0 && allocator.peak < MEGABYTE / 4);
    }
    drop_copies(&some);
}

typedef struct in_order
{
    uint64_t visited, last;
    bool self;
} in_order;

/* Every pair, in order. */
static void check_next(in_order *o, uint32_t a, uint32_t b)
{
    uint64_t number = (uint64_t)a << 32 | b;
    assert_true(o->visited == 0 || number > o->last);
    o->last = number;
    o->visited++;
}

static bool next_hit(void *user, const graze_hit *hit)
{
    check_next(user, hit->triangle_a, hit->triangle_b);
    return true;
}

static bool next_near(void *user, const graze_proximity *near)
{
    check_next(user, near->triangle_a, near->triangle_b);
    return true;
}

/* In several runs, since there are more hits than a visit buffers. */
static void a_visit_in_runs_sees_everything_once_and_in_order(void **state)
{
    (void)state;
    copies some = make_copies(SOME);
    for (int trees = 0; trees < 2; trees++)
    {
        graze_placed_mesh a = {some.mesh, trees != 0 ? some.tree : NULL, graze_pose_identity()}, b = a;
        in_order hits = {0}, proximities = {0}, own = {0}, threaded = {0};
        graze_pool *pool = NULL;
        assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
        graze_context context = graze_context_default();
        context.tasks = graze_pool_tasks(pool);
        assert_int_equal(graze_pair_visit(&context, &a, &b, NULL, next_hit, &threaded), GRAZE_STATUS_OK);
        assert_int_equal(threaded.visited, SOME * SOME);
        graze_pool_destroy(pool);
        patience p = {0, INT32_MAX, 0};
        graze_pair_options options = graze_pair_options_default();
        options.budget.progress = wait_a_little;
        options.budget.progress_user = &p;
        assert_int_equal(graze_pair_visit(NULL, &a, &b, &options, next_hit, &hits), GRAZE_STATUS_OK);
        assert_true(hits.visited == SOME * SOME && p.calls > SOME * SOME / MOST_DECISIONS);
        assert_int_equal(graze_pair_tolerance_visit(NULL, &a, &b, 0.5, NULL, next_near, &proximities), GRAZE_STATUS_OK);
        assert_int_equal(proximities.visited, SOME * SOME);
        graze_self_subject self = {a.mesh, a.tree, false};
        assert_int_equal(graze_self_visit(NULL, &self, NULL, next_hit, &own), GRAZE_STATUS_OK);
        assert_int_equal(own.visited, SOME * (SOME - 1) / 2);
    }
    drop_copies(&some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_cancelled_ends_soon),
        cmocka_unit_test(a_depth_keeps_to_its_time_before_it_measures),
        cmocka_unit_test(tolerances_and_distances_can_be_cancelled),
        cmocka_unit_test(a_visit_stopped_at_its_first_hit_is_soon_over),
        cmocka_unit_test(gathering_one_hit_takes_room_for_few),
        cmocka_unit_test(a_visit_in_runs_sees_everything_once_and_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
