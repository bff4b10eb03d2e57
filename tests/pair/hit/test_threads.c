/* SPDX-License-Identifier: MIT */
/*
 * Queries on several threads answer as on one: the same hits in the same order, the same first hit, the same cost,
 * whether they are run at once or in pieces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/search.h"
#include "graze/tasks.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

enum
{
    MOST_HITS = 100000,
    MOST_THREADS = 4,
    POSES = 6,
    THORNS = 3
};

typedef struct fixture
{
    graze_mesh *meshes[2];
    graze_tree *trees[2];
    graze_pool *pools[MOST_THREADS + 1];
    graze_hit *expected, *found;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.1, 30, 5, &f->meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.1, 25, 6, &f->meshes[1]), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_tree_create(NULL, f->meshes[i], NULL, NULL, &f->trees[i]), GRAZE_STATUS_OK);
    for (uint32_t i = 2; i <= MOST_THREADS; i++)
        assert_int_equal(graze_pool_create(NULL, i, &f->pools[i]), GRAZE_STATUS_OK);
    f->expected = malloc(MOST_HITS * sizeof *f->expected);
    f->found = malloc(MOST_HITS * sizeof *f->found);
    assert_true(f->expected != NULL && f->found != NULL);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(f->trees[i]);
        graze_mesh_destroy(f->meshes[i]);
    }
    for (uint32_t i = 2; i <= MOST_THREADS; i++)
        graze_pool_destroy(f->pools[i]);
    free(f->expected);
    free(f->found);
    free(f);
    return 0;
}

static graze_context context_for(const fixture *f, uint32_t threads)
{
    graze_context context = graze_context_default();
    if (threads > 1)
        context.tasks = graze_pool_tasks(f->pools[threads]);
    return context;
}

/* Nearly parallel surfaces: little is decided before there is much work. */
static void choose(const fixture *f, grz_random *random, graze_placed_mesh *a, graze_placed_mesh *b)
{
    double quaternion[4], translation[3];
    for (int k = 0; k < 4; k++)
        quaternion[k] = grz_random_between(random, -1, 1);
    for (int k = 0; k < 3; k++)
        translation[k] = grz_random_between(random, -0.02, 0.02);
    *a = (graze_placed_mesh){f->meshes[0], f->trees[0], graze_pose_identity()};
    *b = (graze_placed_mesh){f->meshes[1], f->trees[1], graze_pose_identity()};
    assert_int_equal(graze_pose_from_quaternion(quaternion, translation, &b->pose), GRAZE_STATUS_OK);
}

static void expect_same(const fixture *f, const graze_pair_counts *counts, const graze_pair_counts *expected)
{
    assert_memory_equal(counts, expected, sizeof *counts);
    for (size_t i = 0; i < expected->pairs; i++)
    {
        assert_int_equal(f->found[i].triangle_a, f->expected[i].triangle_a);
        assert_int_equal(f->found[i].triangle_b, f->expected[i].triangle_b);
        assert_int_equal(f->found[i].contact.mask_b, f->expected[i].contact.mask_b);
    }
}

static void any_number_of_threads_finds_the_same_hits(void **state)
{
    fixture *f = *state;
    const uint64_t seed = 20260301;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    uint64_t hits = 0, large = 0;
    for (int n = 0; n < POSES; n++)
    {
        graze_placed_mesh a, b;
        graze_pair_counts expected = {0}, counts = {0};
        graze_stats cost = {0}, cost_now = {0};
        choose(f, &random, &a, &b);
        for (uint32_t threads = 1; threads <= MOST_THREADS; threads++)
        {
            graze_context context = context_for(f, threads);
            graze_pair_options options = graze_pair_options_default();
            options.stats = threads == 1 ? &cost : &cost_now;
            graze_hit *hits_now = threads == 1 ? f->expected : f->found;
            graze_pair_counts *counts_now = threads == 1 ? &expected : &counts;
            assert_int_equal(graze_pair_gather(&context, &a, &b, &options, hits_now, MOST_HITS, counts_now), 0);
            assert_true(counts_now->pairs <= MOST_HITS);
            if (threads == 1)
                continue;
            expect_same(f, &counts, &expected);
            assert_memory_equal(&cost, &cost_now, sizeof cost);
            assert_int_equal(graze_pair_count(&context, &a, &b, NULL, &counts), GRAZE_STATUS_OK);
            assert_memory_equal(&counts, &expected, sizeof counts);
        }
        hits += expected.pairs;
        large += cost.box_tests > 100000;
    }
    printf("%llu hits\n", (unsigned long long)hits);
    assert_true(hits > 1000);
    assert_true(large > 3);
}

/* Nested shells that meet, if at all, in one place that is visited late: the inner one has a spike. */
static graze_mesh *make_thorny(double inner)
{
    graze_mesh *shell = NULL;
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, inner, 0, 30, 1, &shell), GRAZE_STATUS_OK);
    size_t vertex_count = graze_mesh_vertex_count(shell), triangle_count = graze_mesh_triangle_count(shell);
    double *vertices = malloc((vertex_count + THORNS) * 3 * sizeof *vertices);
    uint32_t *corners = malloc((triangle_count + THORNS) * 3 * sizeof *corners);
    assert_true(vertices != NULL && corners != NULL);
    memcpy(vertices, graze_mesh_vertices(shell), vertex_count * 3 * sizeof *vertices);
    memcpy(corners, graze_mesh_triangles(shell), triangle_count * 3 * sizeof *corners);
    for (size_t i = 0; i < THORNS; i++)
    {
        size_t corner = i * (triangle_count / THORNS) * 3;
        for (size_t k = 0; k < 3; k++)
            vertices[3 * (vertex_count + i) + k] = 1.3 * vertices[3 * corners[corner] + k];
        corners[3 * (triangle_count + i)] = (uint32_t)(vertex_count + i);
        corners[3 * (triangle_count + i) + 1] = corners[corner + 1];
        corners[3 * (triangle_count + i) + 2] = corners[corner + 2];
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count + THORNS;
    def.corners = corners;
    def.corner_count = 3 * (triangle_count + THORNS);
    graze_mesh *thorny = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &thorny), GRAZE_STATUS_OK);
    free(vertices);
    free(corners);
    graze_mesh_destroy(shell);
    return thorny;
}

static void any_number_of_threads_finds_the_same_first_hit(void **state)
{
    fixture *f = *state;
    graze_mesh *thorny = make_thorny(0.999), *smooth = NULL;
    graze_tree *trees[2] = {NULL, NULL};
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0, 31, 1, &smooth), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, thorny, NULL, NULL, &trees[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, smooth, NULL, NULL, &trees[1]), GRAZE_STATUS_OK);
    grz_random random = grz_random_make(99);
    uint64_t found_late = 0;
    for (int n = 0; n < 8; n++)
    {
        graze_placed_mesh a, b;
        choose(f, &random, &a, &b);
        a.mesh = thorny;
        a.tree = trees[0];
        b.mesh = smooth;
        b.tree = trees[1];
        for (int row = 0; row < 3; row++)
            b.pose.m[4 * row + 3] = 0;
        graze_stats cost;
        graze_any_options options = graze_any_options_default();
        options.stats = &cost;
        bool expected = false, found = false;
        graze_hit witness, hit;
        assert_int_equal(graze_pair_any(NULL, &a, &b, &options, &expected, &witness), GRAZE_STATUS_OK);
        found_late += expected && cost.box_tests > 60000;
        for (uint32_t threads = 2; threads <= MOST_THREADS; threads++)
        {
            graze_context context = context_for(f, threads);
            assert_int_equal(graze_pair_any(&context, &a, &b, NULL, &found, &hit), GRAZE_STATUS_OK);
            assert_int_equal(found, expected);
            if (found)
                assert_true(hit.triangle_a == witness.triangle_a && hit.triangle_b == witness.triangle_b);
        }
    }
    printf("%llu found late\n", (unsigned long long)found_late);
    assert_true(found_late > 0);
    graze_tree_destroy(trees[0]);
    graze_tree_destroy(trees[1]);
    graze_mesh_destroy(thorny);
    graze_mesh_destroy(smooth);
}

static bool always(void *user, double share)
{
    double *last = user;
    assert_true(share >= *last && share <= 1);
    *last = share;
    return true;
}

static bool once(void *user, double share)
{
    (void)share;
    unsigned *calls = user;
    return (*calls)++ < 1;
}

static void pieces_on_threads_lead_to_the_same_end(void **state)
{
    fixture *f = *state;
    grz_random random = grz_random_make(5);
    unsigned pieces = 0;
    for (int n = 0; n < 4; n++)
    {
        graze_placed_mesh a, b;
        graze_pair_counts expected;
        choose(f, &random, &a, &b);
        assert_int_equal(graze_pair_gather(NULL, &a, &b, NULL, f->expected, MOST_HITS, &expected), GRAZE_STATUS_OK);
        graze_context context = context_for(f, 3);
        graze_search *search = NULL;
        assert_int_equal(graze_search_create(&context, &a, &b, GRAZE_SEARCH_HITS, NULL, &search), GRAZE_STATUS_OK);
        /* Time, box tests, both with and without progress, in turn, in any state. */
        graze_status status = GRAZE_STATUS_UNFINISHED;
        for (unsigned i = 0; status != GRAZE_STATUS_OK; i++)
        {
            double share = 0;
            unsigned calls = 0;
            graze_pair_options options = graze_pair_options_default();
            options.budget.seconds = i % 3 != 1 ? 2e-5 : 0;
            options.budget.box_tests = i % 3 == 1 ? 1000 : 0;
            options.budget.progress = i % 4 == 0 ? NULL : i % 4 == 1 ? once : always;
            options.budget.progress_user = i % 4 == 1 ? (void *)&calls : (void *)&share;
            status = graze_search_run(search, &options.budget);
            assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_UNFINISHED ||
                        status == GRAZE_STATUS_CANCELLED);
            assert_true(status == GRAZE_STATUS_OK || graze_search_examine(search).undecided > 0);
            pieces++;
        }
        size_t count = 0;
        graze_pair_counts counts = graze_search_examine(search).counts;
        assert_int_equal(graze_search_hits(search, f->found, MOST_HITS, &count), GRAZE_STATUS_OK);
        assert_int_equal(count, expected.pairs);
        expect_same(f, &counts, &expected);
        graze_search_destroy(search);
    }
    printf("%u pieces\n", pieces);
    assert_true(pieces > 20);
}

/* Runs the tasks of several threads on one, so that allocations fail in order. */
static void run_backwards(void *user, size_t count, void (*task)(void *argument, size_t index), void *argument)
{
    (void)user;
    while (count > 0)
        task(argument, --count);
}

static void every_failing_allocation_is_survived(void **state)
{
    fixture *f = *state;
    grz_random random = grz_random_make(6);
    graze_placed_mesh a, b;
    graze_pair_counts expected, counts;
    choose(f, &random, &a, &b);
    assert_int_equal(graze_pair_gather(NULL, &a, &b, NULL, f->expected, MOST_HITS, &expected), GRAZE_STATUS_OK);
    size_t failures = 0;
    for (size_t allowed = 0;; allowed += 1 + allowed / 16)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        context.tasks = (graze_tasks){run_backwards, 2, NULL};
        graze_status status = graze_pair_gather(&context, &a, &b, NULL, f->found, MOST_HITS, &counts);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    expect_same(f, &counts, &expected);
    printf("%zu failures\n", failures);
    assert_true(failures > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_finds_the_same_hits),
        cmocka_unit_test(any_number_of_threads_finds_the_same_first_hit),
        cmocka_unit_test(pieces_on_threads_lead_to_the_same_end),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
