/* SPDX-License-Identifier: MIT */
/* Space-time traversals, without the test of two moving triangles: what meets at some time is proposed with an interval
 * that contains it, by transforms of trees as well as by boxes, in every instruction set. */
#include "motion/space_time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(30),
    SAMPLES = 31 /* no power of two: not at the ends of intervals */
};

/* Of each pair of triangles a bit for each sampled time in an interval that was proposed. */
typedef struct proposals
{
    uint64_t *times;
    size_t triangles_b;
    uint64_t count;
} proposals;

static bool take(void *user, uint32_t a, uint32_t b, double t0, double t1)
{
    proposals *all = user;
    all->count++;
    for (int i = 0; i <= SAMPLES; i++)
        if (t0 <= (double)i / SAMPLES && (double)i / SAMPLES <= t1)
            all->times[a * all->triangles_b + b] |= UINT64_C(1) << i;
    return true;
}

static graze_pose random_pose(test_random *random, double reach)
{
    double q[4], shift[3];
    for (int k = 0; k < 4; k++)
        q[k] = random_real(random, -1, 1);
    for (int k = 0; k < 3; k++)
        shift[k] = random_real(random, -reach, reach);
    graze_pose pose;
    assert_int_equal(graze_pose_from_quaternion(q, shift, &pose), GRAZE_STATUS_OK);
    return pose;
}

static graze_motion random_motion(test_random *random)
{
    graze_pose from = random_pose(random, 2), to = random_pose(random, 2);
    graze_motion motion;
    int kind = random_below(random, 4);
    if (kind == 0)
        assert_int_equal(graze_motion_still(&from, &motion), GRAZE_STATUS_OK);
    else
        assert_int_equal(
            graze_motion_between(&from, &to, kind == 1 ? GRAZE_MOTION_BLEND : GRAZE_MOTION_TURN, &motion, NULL),
            GRAZE_STATUS_OK);
    if (kind == 3)
    {
        motion.kind = GRAZE_MOTION_BALLISTIC_TURN;
        for (int k = 0; k < 3; k++)
        {
            motion.centre[k] = random_real(random, -1, 1);
            motion.path[2][k] = random_real(random, -2, 2);
        }
    }
    return motion;
}

static graze_mesh *random_mesh(test_random *random)
{
    graze_mesh *mesh = NULL;
    switch (random_below(random, 4))
    {
    case 0:
        assert_int_equal(graze_mesh_create_box(NULL, 1, 0.5, 0.7, 1, &mesh), GRAZE_STATUS_OK);
        break;
    case 1:
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.6, 3, &mesh), GRAZE_STATUS_OK);
        break;
    case 2:
        assert_int_equal(graze_mesh_create_torus(NULL, 0.8, 0.2, 12, 8, &mesh), GRAZE_STATUS_OK);
        break;
    default:
        assert_int_equal(graze_mesh_create_tetrahedra(NULL, 0.8, 12, random_next(random), &mesh), GRAZE_STATUS_OK);
    }
    return mesh;
}

static void run(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b, bool boxes_only,
                proposals *out)
{
    grz_space_time search = {.context = context,
                             .moving_a = a,
                             .moving_b = b,
                             .tree_a = a->tree,
                             .tree_b = b->tree,
                             .boxes_only = boxes_only,
                             .early = true,
                             .propose = take,
                             .user = out};
    size_t pairs = graze_mesh_triangle_count(a->mesh) * graze_mesh_triangle_count(b->mesh);
    out->triangles_b = graze_mesh_triangle_count(b->mesh);
    out->times = calloc(pairs, sizeof *out->times);
    out->count = 0;
    assert_non_null(out->times);
    assert_int_equal(grz_space_time_start(&search), GRAZE_STATUS_OK);
    assert_int_equal(grz_space_time_advance(&search), GRAZE_STATUS_OK);
    assert_true(grz_space_time_reached(&search) >= 1);
    grz_space_time_end(&search);
}

/* Compares with the hits at some times, and returns how many there were. */
static uint64_t compare(const proposals *all, const graze_moving_mesh *a, const graze_moving_mesh *b)
{
    graze_hit hits[512];
    uint64_t total = 0;
    for (int i = 0; i <= SAMPLES; i++)
    {
        double t = (double)i / SAMPLES;
        graze_placed_mesh first = {a->mesh, a->tree, {{0}}}, second = {b->mesh, b->tree, {{0}}};
        assert_int_equal(graze_motion_pose(&a->motion, t, &first.pose, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_pose(&b->motion, t, &second.pose, NULL), GRAZE_STATUS_OK);
        graze_pair_counts counts;
        assert_int_equal(graze_pair_gather(NULL, &first, &second, NULL, hits, 512, &counts), GRAZE_STATUS_OK);
        for (uint64_t k = 0; k < counts.pairs && k < 512; k++)
            assert_true(all->times[hits[k].triangle_a * all->triangles_b + hits[k].triangle_b] >> i & 1);
        total += counts.pairs;
    }
    return total;
}

static void what_meets_is_proposed(void **state)
{
    (void)state;
    test_random random = test_random_start("what_meets_is_proposed", 19);
    proposals all = {NULL, 0, 0};
    uint64_t hits = 0, proposed = 0, empty = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_mesh *mesh_a = random_mesh(&random), *mesh_b = random_mesh(&random);
        graze_tree *tree_a = NULL, *tree_b = NULL;
        assert_int_equal(graze_tree_create(NULL, mesh_a, NULL, NULL, &tree_a), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(NULL, mesh_b, NULL, NULL, &tree_b), GRAZE_STATUS_OK);
        const graze_moving_mesh a = {mesh_a, NULL, tree_a, random_motion(&random)};
        const graze_moving_mesh b = {mesh_b, NULL, tree_b, random_motion(&random)};
        graze_context context = graze_context_default();
        context.instructions = (graze_instructions)(round % GRAZE_INSTRUCTIONS_COUNT);
        for (int boxes_only = 0; boxes_only < 2; boxes_only++)
        {
            run(&context, &a, &b, boxes_only != 0, &all);
            hits += compare(&all, &a, &b);
            proposed += all.count;
            empty += all.count == 0;
            free(all.times);
        }
        graze_tree_destroy(tree_a);
        graze_tree_destroy(tree_b);
        graze_mesh_destroy(mesh_a);
        graze_mesh_destroy(mesh_b);
    }
    print_message("%llu hits at sampled times, %llu proposals, %llu of %d runs without\n", (unsigned long long)hits,
                  (unsigned long long)proposed, (unsigned long long)empty, 2 * ROUNDS);
    assert_true(hits > 300);
}

/* ---- budgets: a pair of spheres, one within the other, of which all that is near counts as in doubt ---- */

typedef struct near_spheres
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_moving_mesh a, b;
    grz_space_time search;
    grz_monitor monitor;
    uint64_t proposed, hash; /* of the pairs in order, with their times */
    uint64_t most_proposed;  /* between two calls of the progress function */
    uint64_t proposed_before, box_tests_before;
    uint64_t calls, calls_in_doubt; /* of the progress function; before the first proposal, without a box test since */
    uint64_t stop_at;               /* the call that stops the search; 0: none */
} near_spheres;

static bool take_near(void *user, uint32_t a, uint32_t b, double t0, double t1)
{
    near_spheres *n = user;
    (void)t1;
    n->proposed++;
    n->hash = (n->hash ^ a ^ (uint64_t)b << 32) * UINT64_C(0x100000001b3) + (uint64_t)ldexp(t0, 40);
    return true;
}

static bool note_call(void *user, double share)
{
    near_spheres *n = user;
    (void)share;
    uint64_t since = n->proposed - n->proposed_before;
    n->most_proposed = since > n->most_proposed ? since : n->most_proposed;
    n->calls_in_doubt += n->proposed == 0 && n->search.stats.box_tests == n->box_tests_before;
    n->proposed_before = n->proposed;
    n->box_tests_before = n->search.stats.box_tests;
    return ++n->calls != n->stop_at;
}

static void open_spheres(near_spheres *n, uint32_t frequency, double margin, bool boxes_only)
{
    memset(n, 0, sizeof *n);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, frequency, &n->mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, n->mesh, NULL, NULL, &n->tree), GRAZE_STATUS_OK);
    const graze_pose from = graze_pose_translation(0.001, 0, 0), to = graze_pose_translation(0.001, 0.01, 0);
    n->a = n->b = (graze_moving_mesh){n->mesh, NULL, n->tree, {0}};
    assert_int_equal(graze_motion_still(&from, &n->a.motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_TURN, &n->b.motion, NULL), GRAZE_STATUS_OK);
    n->search = (grz_space_time){.moving_a = &n->a,
                                 .moving_b = &n->b,
                                 .tree_a = n->tree,
                                 .tree_b = n->tree,
                                 .margin = margin,
                                 .boxes_only = boxes_only,
                                 .propose = take_near,
                                 .user = n};
}

static void close_spheres(near_spheres *n)
{
    grz_space_time_end(&n->search);
    graze_tree_destroy(n->tree);
    graze_mesh_destroy(n->mesh);
}

/* Runs the search until it is finished, or stopped at call `stop_at` of the progress function. */
static graze_status advance(near_spheres *n, uint64_t stop_at)
{
    const graze_budget budget = {.progress = note_call, .progress_user = n};
    n->calls = 0;
    n->stop_at = stop_at;
    n->monitor = grz_monitor_make(&budget);
    n->search.monitor = &n->monitor;
    return grz_space_time_advance(&n->search);
}

static void pairs_in_doubt_are_bounded_a_few_at_a_time(void **state)
{
    (void)state;
    for (int boxes_only = 0; boxes_only < 2; boxes_only++)
    {
        near_spheres n;
        open_spheres(&n, 8, 0.2, boxes_only != 0);
        assert_int_equal(grz_space_time_start(&n.search), GRAZE_STATUS_OK);
        assert_int_equal(advance(&n, 0), GRAZE_STATUS_OK);
        print_message("%d pairs in doubt: %d calls while they are bounded, at most %d proposals between two\n",
                      (int)n.proposed, (int)n.calls_in_doubt, (int)n.most_proposed);
        assert_true(n.proposed > 10000);
        assert_true(100 * n.calls_in_doubt > n.proposed && n.most_proposed <= 16);
        close_spheres(&n);
    }
}

static void a_search_stopped_while_it_decides_goes_on_where_it_was(void **state)
{
    (void)state;
    for (int boxes_only = 0; boxes_only < 2; boxes_only++)
    {
        near_spheres whole, parts;
        int in_doubt = 0, in_proposals = 0;
        open_spheres(&whole, 6, 0.1, boxes_only != 0);
        assert_int_equal(grz_space_time_start(&whole.search), GRAZE_STATUS_OK);
        assert_int_equal(advance(&whole, 0), GRAZE_STATUS_OK);
        open_spheres(&parts, 6, 0.1, boxes_only != 0);
        assert_int_equal(grz_space_time_start(&parts.search), GRAZE_STATUS_OK);
        for (graze_status status = GRAZE_STATUS_UNFINISHED; status != GRAZE_STATUS_OK;)
        {
            status = advance(&parts, 2);
            assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_CANCELLED);
            in_doubt += parts.proposed == 0;
            in_proposals += parts.proposed > 0 && parts.proposed < whole.proposed;
        }
        print_message("stopped %d times before the first of %d proposals, %d times after it\n", in_doubt,
                      (int)whole.proposed, in_proposals);
        assert_true(in_doubt > 3 && in_proposals > 10);
        assert_true(parts.proposed == whole.proposed && parts.hash == whole.hash);
        close_spheres(&whole);
        close_spheres(&parts);
    }
}

/* Whatever allocation fails, also that of the list for the halves of a frame: no pair is lost without a word. */
static void pairs_are_not_lost_without_memory(void **state)
{
    (void)state;
    near_spheres whole;
    int failures = 0;
    bool finished = false;
    open_spheres(&whole, 8, 0, false);
    const graze_pose to = graze_pose_translation(0.03, 0.04, 0.02);
    whole.b.motion.path[1][0] = to.m[3];
    whole.b.motion.path[1][2] = to.m[11];
    assert_int_equal(grz_space_time_start(&whole.search), GRAZE_STATUS_OK);
    assert_int_equal(advance(&whole, 0), GRAZE_STATUS_OK);
    uint64_t hash = whole.hash, proposed = whole.proposed;
    grz_space_time_end(&whole.search);
    for (uint32_t n = 0; !finished; n++)
    {
        failing_allocator allocator = {.allowed = n};
        const graze_context context = failing_allocator_context(&allocator);
        whole.search.context = &context;
        whole.proposed = whole.hash = 0;
        graze_status status = grz_space_time_start(&whole.search);
        if (status == GRAZE_STATUS_OK)
            status = advance(&whole, 0);
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
        finished = status == GRAZE_STATUS_OK;
        if (finished)
            assert_true(whole.hash == hash && whole.proposed == proposed);
        failures += !finished;
        grz_space_time_end(&whole.search);
        assert_int_equal(allocator.live, 0);
    }
    print_message("%d allocations, %d proposals\n", failures, (int)proposed);
    assert_true(failures > 6 && proposed > 100);
    close_spheres(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_meets_is_proposed),
                                       cmocka_unit_test(pairs_in_doubt_are_bounded_a_few_at_a_time),
                                       cmocka_unit_test(a_search_stopped_while_it_decides_goes_on_where_it_was),
                                       cmocka_unit_test(pairs_are_not_lost_without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
