/* SPDX-License-Identifier: MIT */
/*
 * Pairs of triangles along enclosed motions: what sampled poses hit is visited, what is said to meet does, and where a
 * slerp is also a kernel motion the pairs are those of the exact answer.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/enclosed_motion.h"
#include "graze/generate.h"
#include "graze/motion_query.h"
#include "motion/pair_kernel.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(16),
    TIMES = 32,
    MOST = 4096
};

typedef struct visits
{
    graze_pair_impact_hit hits[MOST];
    size_t count, most;
} visits;

static bool note(void *user, const graze_pair_impact_hit *hit)
{
    visits *v = user;
    assert_true(v->count < MOST);
    v->hits[v->count++] = *hit;
    return v->count < v->most;
}

static const graze_pair_impact_hit *find(const visits *v, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->hits[i].triangle_a == a && v->hits[i].triangle_b == b)
            return &v->hits[i];
    return NULL;
}

static void check_order(const visits *v)
{
    for (size_t i = 1; i < v->count; i++)
    {
        const graze_pair_impact_hit *p = &v->hits[i - 1], *q = &v->hits[i];
        assert_true(
            p->interval.lower < q->interval.lower ||
            (p->interval.lower <= q->interval.lower &&
             (p->triangle_a < q->triangle_a || (p->triangle_a == q->triangle_a && p->triangle_b < q->triangle_b))));
    }
}

static graze_motion draw(test_random *random, double turn, graze_motion_spline *spline)
{
    graze_motion motion = {.kind = GRAZE_MOTION_SLERP};
    for (int i = 0; i < 4; i++)
    {
        motion.quaternion[0][i] = random_real(random, -1, 1);
        motion.quaternion[1][i] = motion.quaternion[0][i] + turn * random_real(random, -0.3, 0.3);
    }
    for (int k = 0; k < 3; k++)
    {
        motion.path[0][k] = random_real(random, -1.5, 1.5);
        motion.path[1][k] = random_real(random, -1.5, 1.5);
    }
    if (spline == NULL || random_once_in(random, 2))
        return motion;
    for (int i = 0; i < 4; i++)
    {
        for (int k = 0; k < 4; k++)
            spline->quaternion[i][k] = motion.quaternion[0][k] + (i > 0 ? turn * random_real(random, -0.05, 0.05) : 0);
        for (int k = 0; k < 3; k++)
            spline->path[i][k] = random_real(random, -1.5, 1.5);
    }
    motion.kind = GRAZE_MOTION_SPLINE;
    motion.spline = spline;
    return motion;
}

static void make(graze_mesh *meshes[2])
{
    assert_int_equal(graze_mesh_create_torus(NULL, 0.8, 0.3, 7, 5, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1.2, 0.3, 0.3, 1, &meshes[1]), GRAZE_STATUS_OK);
}

static void release(graze_mesh *meshes[2])
{
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

static void visits_hold_what_sampled_poses_hit(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1981);
    graze_mesh *meshes[2];
    static visits v;
    size_t sampled = 0, at = 0, unknown = 0;
    make(meshes);
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_motion_spline splines[2];
        graze_moving_mesh moving[2];
        for (int side = 0; side < 2; side++)
            moving[side] = (graze_moving_mesh){meshes[side], NULL, NULL, draw(&random, 1, &splines[side])};
        v.count = 0;
        v.most = SIZE_MAX;
        assert_int_equal(graze_pair_impact_visit(NULL, &moving[0], &moving[1], NULL, note, &v), GRAZE_STATUS_OK);
        check_order(&v);
        for (int i = 0; i <= TIMES; i++)
        {
            double t = (double)i / TIMES;
            graze_placed_mesh placed[2];
            graze_hit hits[512];
            graze_pair_counts counts = {0};
            for (int side = 0; side < 2; side++)
            {
                placed[side] = (graze_placed_mesh){meshes[side], NULL, graze_pose_identity()};
                assert_int_equal(graze_motion_pose(&moving[side].motion, t, &placed[side].pose, NULL), GRAZE_STATUS_OK);
            }
            assert_int_equal(graze_pair_gather(NULL, &placed[0], &placed[1], NULL, hits, 512, &counts),
                             GRAZE_STATUS_OK);
            for (size_t h = 0; h < counts.pairs && h < 512; h++)
            {
                const graze_pair_impact_hit *hit = find(&v, hits[h].triangle_a, hits[h].triangle_b);
                assert_true(hit != NULL && hit->interval.lower <= t);
            }
            sampled += counts.pairs;
        }
        graze_impact first;
        assert_int_equal(graze_pair_impact(NULL, &moving[0], &moving[1], NULL, &first), GRAZE_STATUS_OK);
        assert_int_equal(first.verdict == GRAZE_IMPACT_NONE, v.count == 0);
        for (size_t i = 0; i < v.count; i++)
        {
            at += v.hits[i].interval.verdict == GRAZE_IMPACT_AT;
            unknown += v.hits[i].interval.verdict == GRAZE_IMPACT_UNKNOWN;
            assert_true(v.hits[i].interval.upper >= first.lower);
        }
    }
    printf("  %zu sampled hits, %zu pairs meet, %zu may\n", sampled, at, unknown);
    assert_true(sampled > 200 && at > 200 && unknown < at / 20);
    release(meshes);
}

/* A slerp between equal orientations is a translation, as a turn is. */
static void visits_of_slerps_that_only_translate_are_the_exact_ones(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1982);
    graze_mesh *meshes[2];
    static visits exact, enclosed;
    size_t compared = 0, unknown = 0;
    make(meshes);
    for (int round = 0; round < 4 * ROUNDS; round++)
    {
        graze_moving_mesh moving[2];
        for (int side = 0; side < 2; side++)
            moving[side] = (graze_moving_mesh){meshes[side], NULL, NULL, draw(&random, 0, NULL)};
        enclosed.count = exact.count = 0;
        enclosed.most = exact.most = SIZE_MAX;
        assert_int_equal(graze_pair_impact_visit(NULL, &moving[0], &moving[1], NULL, note, &enclosed), GRAZE_STATUS_OK);
        moving[0].motion.kind = moving[1].motion.kind = GRAZE_MOTION_TURN;
        assert_int_equal(graze_pair_impact_visit(NULL, &moving[0], &moving[1], NULL, note, &exact), GRAZE_STATUS_OK);
        for (size_t i = 0; i < exact.count; i++) /* none is left out */
        {
            const graze_pair_impact_hit *hit = find(&enclosed, exact.hits[i].triangle_a, exact.hits[i].triangle_b);
            bool within = hit != NULL && hit->interval.lower <= exact.hits[i].interval.upper + 1e-13 &&
                          hit->interval.upper >= exact.hits[i].interval.lower - 1e-13 &&
                          hit->interval.lower > exact.hits[i].interval.lower - 1e-5;
            assert_true(within);
        }
        for (size_t i = 0; i < enclosed.count; i++) /* and what is said to meet does */
        {
            bool sure = enclosed.hits[i].interval.verdict == GRAZE_IMPACT_AT;
            assert_true(!sure || find(&exact, enclosed.hits[i].triangle_a, enclosed.hits[i].triangle_b) != NULL);
            unknown += !sure;
        }
        compared += exact.count;
    }
    printf("  %zu pairs, %zu unknown\n", compared, unknown);
    assert_true(compared > (size_t)ROUNDS * 10 && unknown < compared / 20);
    release(meshes);
}

static bool stay(void *user, double t, double out_quaternion[4], double out_path[3])
{
    (void)t;
    for (int k = 0; k < 4; k++)
        out_quaternion[k] = k == 0;
    for (int k = 0; k < 3; k++)
        out_path[k] = k == 0 ? *(double *)user : 0;
    return true;
}

/* A gap of 0.05 between cubes that may each be off by 0.03: faces that look at each other may meet, others do not. */
static void visits_hold_what_may_meet_within_deviations(void **state)
{
    (void)state;
    double places[2] = {0, 1.05};
    graze_mesh *cube = NULL;
    static visits v;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &cube), GRAZE_STATUS_OK);
    graze_motion_function functions[2];
    graze_moving_mesh moving[2];
    for (int side = 0; side < 2; side++)
    {
        functions[side] = (graze_motion_function){.place = stay, .user = &places[side], .path_error = 0.03};
        moving[side] = (graze_moving_mesh){cube, NULL, NULL, {.kind = GRAZE_MOTION_FUNCTION}};
        moving[side].motion.function = &functions[side];
    }
    graze_impact_options options = graze_impact_options_default();
    options.resolution = 0.25;
    v.count = 0;
    v.most = SIZE_MAX;
    assert_int_equal(graze_pair_impact_visit(NULL, &moving[0], &moving[1], &options, note, &v), GRAZE_STATUS_OK);
    assert_true(v.count >= 4 && v.count < 144);
    for (size_t i = 0; i < v.count; i++)
        assert_int_equal(v.hits[i].interval.verdict, GRAZE_IMPACT_UNKNOWN);
    functions[0].path_error = 0.019;
    v.count = 0;
    assert_int_equal(graze_pair_impact_visit(NULL, &moving[0], &moving[1], &options, note, &v), GRAZE_STATUS_OK);
    assert_int_equal(v.count, 0);
    graze_mesh_destroy(cube);
}

static void visits_with_a_margin_hold_those_without(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1983);
    graze_mesh *meshes[2];
    static visits wide, narrow;
    size_t more = 0;
    make(meshes);
    for (int round = 0; round < ROUNDS / 4; round++)
    {
        graze_moving_mesh moving[2];
        for (int side = 0; side < 2; side++)
            moving[side] = (graze_moving_mesh){meshes[side], NULL, NULL, draw(&random, 1, NULL)};
        moving[0].motion.kind = GRAZE_MOTION_TURN; /* margins of kernel motions are three-valued as well */
        if (round % 2 == 0)
            moving[1].motion.kind = GRAZE_MOTION_TURN;
        graze_impact_options options = graze_impact_options_default();
        options.margin = 0.05;
        wide.count = narrow.count = 0;
        wide.most = narrow.most = SIZE_MAX;
        assert_int_equal(graze_pair_impact_visit(NULL, &moving[0], &moving[1], &options, note, &wide), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_impact_visit(NULL, &moving[0], &moving[1], NULL, note, &narrow), GRAZE_STATUS_OK);
        for (size_t i = 0; i < narrow.count; i++)
        {
            const graze_pair_impact_hit *hit = find(&wide, narrow.hits[i].triangle_a, narrow.hits[i].triangle_b);
            assert_true(hit != NULL && hit->interval.lower <= narrow.hits[i].interval.upper);
        }
        more += wide.count - narrow.count;
    }
    assert_true(more > 10);
    release(meshes);
}

static void visits_end_when_they_are_told_to(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1984);
    graze_mesh *meshes[2];
    static visits v;
    make(meshes);
    graze_moving_mesh moving[2];
    for (int side = 0; side < 2; side++)
    {
        moving[side] = (graze_moving_mesh){meshes[side], NULL, NULL, draw(&random, 1, NULL)};
        memset(moving[side].motion.path, 0, sizeof moving[side].motion.path); /* they meet all the time */
    }
    v.count = 0;
    v.most = 2;
    assert_int_equal(graze_pair_impact_visit(NULL, &moving[0], &moving[1], NULL, note, &v), GRAZE_STATUS_CANCELLED);
    assert_int_equal(v.count, 2);
    graze_impact_options options = graze_impact_options_default();
    options.budget.box_tests = 50;
    v.count = 0;
    assert_int_equal(graze_pair_impact_visit(NULL, &moving[0], &moving[1], &options, note, &v),
                     GRAZE_STATUS_UNFINISHED);
    assert_int_equal(v.count, 0);
    options.budget.box_tests = 0;
    options.resolution = 0.25;
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t allowed = 0; status != GRAZE_STATUS_OK; allowed += 1 + allowed / 4)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        v.count = 0;
        v.most = SIZE_MAX;
        status = graze_pair_impact_visit(&context, &moving[0], &moving[1], &options, note, &v);
        assert_int_equal(allocator.live, 0);
        assert_true(status == GRAZE_STATUS_OK || (status == GRAZE_STATUS_OUT_OF_MEMORY && v.count == 0));
    }
    assert_true(v.count > 2);
    moving[0].end_mesh = meshes[0]; /* soft meshes have no pieces */
    moving[0].motion = (graze_motion){.kind = GRAZE_MOTION_BLEND};
    moving[0].motion.start = moving[0].motion.end = graze_pose_identity();
    graze_impact impact;
    assert_int_equal(graze_pair_impact_visit(NULL, &moving[0], &moving[1], NULL, note, &v), GRAZE_STATUS_UNSUPPORTED);
    assert_int_equal(graze_pair_impact(NULL, &moving[0], &moving[1], NULL, &impact), GRAZE_STATUS_UNSUPPORTED);
    release(meshes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visits_hold_what_sampled_poses_hit),
        cmocka_unit_test(visits_of_slerps_that_only_translate_are_the_exact_ones),
        cmocka_unit_test(visits_hold_what_may_meet_within_deviations),
        cmocka_unit_test(visits_with_a_margin_hold_those_without),
        cmocka_unit_test(visits_end_when_they_are_told_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
