/* SPDX-License-Identifier: MIT */
/*
 * Searches in pieces: with budgets of every small size, cancelled at every possible call, and with memory that runs
 * out, the final result is that of an uninterrupted query; and all intermediate results are true.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/search.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

enum
{
    MOST_HITS = 20000,
    CASES = 6
};

typedef struct fixture
{
    graze_mesh *meshes[2];
    graze_tree *trees[2];
    graze_hit *expected, *found;
    graze_undecided_volumes *undecided;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.1, 12, 5, &f->meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 40, 20, &f->meshes[1]), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_tree_create(NULL, f->meshes[i], NULL, NULL, &f->trees[i]), GRAZE_STATUS_OK);
    f->expected = malloc(MOST_HITS * sizeof *f->expected);
    f->found = malloc(MOST_HITS * sizeof *f->found);
    f->undecided = malloc(MOST_HITS * sizeof *f->undecided);
    assert_true(f->expected != NULL && f->found != NULL && f->undecided != NULL);
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
    free(f->expected);
    free(f->found);
    free(f->undecided);
    free(f);
    return 0;
}

/* Crossing, touching in many places, disjoint; each with trees and without. */
static void choose(const fixture *f, int number, graze_placed_mesh *a, graze_placed_mesh *b)
{
    double quaternion[4] = {0.9, 0.1, 0.3, 0.2}, near[3] = {0.4, 0.3, 0.2}, far[3] = {1.5, 1.4, 0.7};
    *a = (graze_placed_mesh){f->meshes[0], f->trees[0], graze_pose_identity()};
    *b = (graze_placed_mesh){f->meshes[1], f->trees[1], graze_pose_identity()};
    assert_int_equal(graze_pose_from_quaternion(quaternion, number / 2 == 2 ? far : near, &b->pose), GRAZE_STATUS_OK);
    if (number / 2 == 1)
    {
        a->mesh = b->mesh;
        a->tree = b->tree;
        b->pose = graze_pose_translation(0.25, 0, 0);
    }
    if (number % 2 == 1)
        a->tree = NULL;
}

static uint64_t expect(fixture *f, const graze_placed_mesh *a, const graze_placed_mesh *b, graze_pair_counts *counts)
{
    assert_int_equal(graze_pair_gather(NULL, a, b, NULL, f->expected, MOST_HITS, counts), GRAZE_STATUS_OK);
    assert_true(counts->pairs <= MOST_HITS);
    return counts->pairs;
}

static void expect_hits(fixture *f, graze_search *search, const graze_pair_counts *counts)
{
    graze_search_state state = graze_search_examine(search);
    assert_true(state.finished && state.share == 1.0 && state.undecided == 0);
    assert_int_equal(state.verdict, counts->pairs > 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
    assert_memory_equal(&state.counts, counts, sizeof *counts);
    size_t count = 0;
    assert_int_equal(graze_search_hits(search, f->found, MOST_HITS, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, counts->pairs);
    for (size_t i = 0; i < count; i++)
    {
        assert_int_equal(f->found[i].triangle_a, f->expected[i].triangle_a);
        assert_int_equal(f->found[i].triangle_b, f->expected[i].triangle_b);
        assert_int_equal(f->found[i].contact.mask_a, f->expected[i].contact.mask_a);
    }
}

/* Resumes with the same budget until it is finished; returns the number of pieces. */
static unsigned run_in_pieces(graze_search *search, const graze_budget *budget)
{
    unsigned pieces = 0;
    double share = 0;
    for (;;)
    {
        graze_status status = graze_search_run(search, budget);
        graze_search_state state = graze_search_examine(search);
        pieces++;
        assert_true(state.share >= share && state.share <= 1);
        share = state.share;
        assert_int_equal(state.finished, status == GRAZE_STATUS_OK);
        if (status == GRAZE_STATUS_OK)
            return pieces;
        assert_int_equal(status, GRAZE_STATUS_UNFINISHED);
        assert_true(state.undecided > 0);
        assert_true(state.verdict != GRAZE_VERDICT_NO);
    }
}

static void budgets_of_every_small_size_lead_to_the_same_end(void **state)
{
    fixture *f = *state;
    unsigned most_pieces = 0;
    for (int number = 0; number < CASES; number++)
    {
        graze_placed_mesh a, b;
        graze_pair_counts counts;
        choose(f, number, &a, &b);
        expect(f, &a, &b, &counts);
        bool any = false;
        graze_hit witness, hit;
        assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &any, &witness), GRAZE_STATUS_OK);
        for (uint64_t budget = 1; budget < 2500; budget += budget < 72 ? 1 : 97)
        {
            /* Without trees each piece costs little but there are many. */
            graze_pair_options options = graze_pair_options_default();
            options.budget.box_tests = number % 2 == 1 ? 101 * budget : budget;
            graze_search *search = NULL;
            assert_int_equal(graze_search_create(NULL, &a, &b, GRAZE_SEARCH_HITS, NULL, &search), GRAZE_STATUS_OK);
            unsigned pieces = run_in_pieces(search, &options.budget);
            most_pieces = pieces > most_pieces ? pieces : most_pieces;
            expect_hits(f, search, &counts);
            graze_search_destroy(search);

            assert_int_equal(graze_search_create(NULL, &a, &b, GRAZE_SEARCH_ANY, NULL, &search), GRAZE_STATUS_OK);
            run_in_pieces(search, &options.budget);
            size_t count = 0;
            assert_int_equal(graze_search_hits(search, &hit, 1, &count), GRAZE_STATUS_OK);
            assert_int_equal(count, any);
            if (any)
                assert_true(hit.triangle_a == witness.triangle_a && hit.triangle_b == witness.triangle_b);
            graze_search_destroy(search);
        }
    }
    printf("up to %u pieces\n", most_pieces);
    assert_true(most_pieces > 100);
}

static bool box_holds_corner(const graze_box *box, const graze_placed_mesh *placed, uint32_t triangle)
{
    uint32_t vertex = graze_mesh_triangles(placed->mesh)[3 * (size_t)triangle];
    double corner[3];
    graze_pose_apply(&placed->pose, graze_mesh_vertices(placed->mesh) + 3 * (size_t)vertex, corner);
    for (int k = 0; k < 3; k++)
    {
        if (corner[k] < box->lower[k] - 1e-12 || corner[k] > box->upper[k] + 1e-12)
            return false;
    }
    return true;
}

/* Every hit is either known already or lies in one of the undecided pairs. */
static size_t expect_the_rest(fixture *f, graze_search *search, const graze_placed_mesh *a, const graze_placed_mesh *b,
                              size_t expected_count)
{
    size_t known = 0, open = 0, missing = 0;
    assert_int_equal(graze_search_hits(search, f->found, MOST_HITS, &known), GRAZE_STATUS_OK);
    assert_int_equal(graze_search_undecided(search, f->undecided, MOST_HITS, &open), GRAZE_STATUS_OK);
    assert_int_equal(open, graze_search_examine(search).undecided);
    for (size_t i = 0, k = 0; i < expected_count; i++)
    {
        const graze_hit *hit = &f->expected[i];
        if (k < known && f->found[k].triangle_a == hit->triangle_a && f->found[k].triangle_b == hit->triangle_b)
        {
            k++;
            continue;
        }
        bool held = false;
        for (size_t j = 0; j < open && !held; j++)
            held = f->undecided[j].overlap && box_holds_corner(&f->undecided[j].box_a, a, hit->triangle_a) &&
                   box_holds_corner(&f->undecided[j].box_b, b, hit->triangle_b);
        assert_true(held);
        missing++;
    }
    return missing;
}

static void undecided_pairs_hold_all_that_is_missing(void **state)
{
    fixture *f = *state;
    size_t missing = 0;
    for (int number = 0; number < CASES; number++)
    {
        graze_placed_mesh a, b;
        graze_pair_counts counts;
        choose(f, number, &a, &b);
        expect(f, &a, &b, &counts);
        graze_search *search = NULL;
        assert_int_equal(graze_search_create(NULL, &a, &b, GRAZE_SEARCH_HITS, NULL, &search), GRAZE_STATUS_OK);
        missing += expect_the_rest(f, search, &a, &b, (size_t)counts.pairs);
        graze_pair_options options = graze_pair_options_default();
        options.budget.box_tests = number % 2 == 1 ? 20000 : 2000;
        while (graze_search_run(search, &options.budget) == GRAZE_STATUS_UNFINISHED)
            missing += expect_the_rest(f, search, &a, &b, (size_t)counts.pairs);
        expect_hits(f, search, &counts);
        size_t open = 7;
        assert_int_equal(graze_search_undecided(search, NULL, 0, &open), GRAZE_STATUS_OK);
        assert_int_equal(open, 0);
        graze_search_destroy(search);
    }
    assert_true(missing > 1000);
}

static void the_bound_on_the_distance_holds(void **state)
{
    fixture *f = *state;
    for (int i = 1; i <= 6; i++)
    {
        graze_placed_mesh a, b;
        choose(f, 0, &a, &b);
        b.pose = graze_pose_translation(1.1 * i, 1.2 * i, 0.3 * i);
        graze_search *search = NULL;
        assert_int_equal(graze_search_create(NULL, &a, &b, GRAZE_SEARCH_ANY, NULL, &search), GRAZE_STATUS_OK);
        double bound = graze_search_examine(search).distance_lower_bound;
        const double *p = graze_mesh_vertices(a.mesh), *q = graze_mesh_vertices(b.mesh);
        double least = INFINITY;
        for (size_t m = 0; m < graze_mesh_vertex_count(a.mesh); m++)
        {
            for (size_t n = 0; n < graze_mesh_vertex_count(b.mesh); n++)
            {
                double x = p[3 * m] - q[3 * n] - b.pose.m[3], y = p[3 * m + 1] - q[3 * n + 1] - b.pose.m[7],
                       z = p[3 * m + 2] - q[3 * n + 2] - b.pose.m[11];
                least = fmin(least, sqrt(x * x + y * y + z * z));
            }
        }
        assert_true(bound <= least);
        assert_true(i < 3 || bound > 0.2 * least);
        graze_search_destroy(search);
    }
}

/* A mesh of few triangles is a whole until the end of the search. */
static void what_is_undecided_of_a_small_mesh_is_all_of_it(void **state)
{
    fixture *f = *state;
    graze_mesh *box = NULL;
    graze_tree *tree = NULL;
    size_t missing = 0;
    assert_int_equal(graze_mesh_create_box(NULL, 2, 0.5, 0.5, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, box, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int side = 0; side < 2; side++)
    {
        graze_placed_mesh placed[2];
        graze_pair_counts counts;
        graze_search *search = NULL;
        choose(f, 0, &placed[side], &placed[1 - side]);
        placed[side] = (graze_placed_mesh){box, tree, graze_pose_identity()};
        expect(f, &placed[0], &placed[1], &counts);
        assert_int_equal(graze_search_create(NULL, &placed[0], &placed[1], GRAZE_SEARCH_HITS, NULL, &search),
                         GRAZE_STATUS_OK);
        const graze_budget little = {.box_tests = 1};
        while (graze_search_run(search, &little) == GRAZE_STATUS_UNFINISHED)
            missing += expect_the_rest(f, search, &placed[0], &placed[1], (size_t)counts.pairs);
        expect_hits(f, search, &counts);
        graze_search_destroy(search);
    }
    assert_true(missing > 100);
    graze_tree_destroy(tree);
    graze_mesh_destroy(box);
}

/* Squares of gaps beyond 2^512 overflow. */
static void the_bound_on_the_distance_holds_far_away(void **state)
{
    fixture *f = *state;
    for (int power = 300; power <= 1000; power += 50)
        for (int axes = 1; axes <= 3; axes++)
        {
            graze_placed_mesh a, b;
            graze_search *search = NULL;
            double far = ldexp(1, power);
            choose(f, 0, &a, &b);
            b.pose = graze_pose_translation(far, axes > 1 ? far : 0, axes > 2 ? -far : 0);
            assert_int_equal(graze_search_create(NULL, &a, &b, GRAZE_SEARCH_ANY, NULL, &search), GRAZE_STATUS_OK);
            double bound = graze_search_examine(search).distance_lower_bound;
            assert_true(bound > 0.999 * far && bound <= sqrt(axes) * far);
            graze_search_destroy(search);
        }
}

/* As of two meshes: 0, or infinite when it is empty. */
static void a_mesh_has_no_distance_from_itself(void **state)
{
    fixture *f = *state;
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *empty = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &empty), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        const graze_self_subject subject = {.mesh = i == 0 ? empty : f->meshes[0]};
        graze_search *search = NULL;
        assert_int_equal(graze_search_create_self(NULL, &subject, GRAZE_SEARCH_ANY, NULL, &search), GRAZE_STATUS_OK);
        assert_true(graze_search_examine(search).distance_lower_bound == (i == 0 ? INFINITY : 0));
        graze_search_destroy(search);
    }
    graze_mesh_destroy(empty);
}

typedef struct canceller
{
    unsigned calls, allowed;
    double share;
} canceller;

static bool cancel_later(void *user, double share)
{
    canceller *c = user;
    assert_true(share >= c->share && share <= 1);
    c->share = share;
    return c->calls++ < c->allowed;
}

static void a_query_may_be_cancelled_at_every_call(void **state)
{
    fixture *f = *state;
    unsigned cancelled = 0;
    for (int number = 0; number < 4; number++)
    {
        graze_placed_mesh a, b;
        graze_pair_counts counts;
        choose(f, number, &a, &b);
        expect(f, &a, &b, &counts);
        for (unsigned allowed = 0;; allowed++)
        {
            canceller c = {0, allowed, 0};
            graze_pair_options options = graze_pair_options_default();
            options.budget.progress = cancel_later;
            options.budget.progress_user = &c;
            failing_allocator allocator = {.allowed = SIZE_MAX};
            graze_context context = failing_allocator_context(&allocator);
            graze_pair_counts untouched = {7, 7, 7, 7};
            graze_status status = graze_pair_gather(&context, &a, &b, &options, f->found, MOST_HITS, &untouched);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
            {
                assert_memory_equal(&untouched, &counts, sizeof counts);
                break;
            }
            assert_int_equal(status, GRAZE_STATUS_CANCELLED);
            assert_int_equal(untouched.pairs, 7);
            cancelled++;

            c = (canceller){0, allowed, 0};
            graze_search *search = NULL;
            assert_int_equal(graze_search_create(NULL, &a, &b, GRAZE_SEARCH_HITS, NULL, &search), GRAZE_STATUS_OK);
            status = graze_search_run(
                search, &options.budget); /* which checks less often, as the boxes have been made before */
            assert_int_equal(status, c.calls > allowed ? GRAZE_STATUS_CANCELLED : GRAZE_STATUS_OK);
            assert_int_equal(graze_search_run(search, NULL), GRAZE_STATUS_OK);
            expect_hits(f, search, &counts);
            graze_search_destroy(search);
        }
    }
    printf("cancelled %u times\n", cancelled);
    assert_true(cancelled > 8);
}

static void a_used_up_budget_leaves_results_untouched(void **state)
{
    fixture *f = *state;
    graze_placed_mesh a, b;
    choose(f, 4, &a, &b);
    graze_stats stats = {0};
    graze_pair_options options = graze_pair_options_default();
    options.budget.box_tests = 1;
    options.stats = &stats;
    bool found = true;
    graze_pair_counts counts = {9, 9, 9, 9};
    b.pose = graze_pose_translation(0.4, 0.3, 0.2);
    graze_any_options any_options = graze_any_options_default();
    any_options.budget = options.budget;
    assert_int_equal(graze_pair_any(NULL, &a, &b, &any_options, &found, NULL), GRAZE_STATUS_UNFINISHED);
    assert_int_equal(graze_pair_count(NULL, &a, &b, &options, &counts), GRAZE_STATUS_UNFINISHED);
    assert_true(found && counts.pairs == 9 && stats.box_tests > 0);
    options.budget.box_tests = 0;
    options.budget.seconds = 1e-9;
    assert_int_equal(graze_pair_count(NULL, &a, &b, &options, &counts), GRAZE_STATUS_UNFINISHED);
    options.budget.seconds = 1000;
    assert_int_equal(graze_pair_count(NULL, &a, &b, &options, &counts), GRAZE_STATUS_OK);
    assert_true(counts.pairs > 0 && counts.pairs != 9);
}

static void every_failing_allocation_is_survived(void **state)
{
    fixture *f = *state;
    for (int number = 0; number < 4; number++)
    {
        graze_placed_mesh a, b;
        graze_pair_counts counts;
        choose(f, number, &a, &b);
        expect(f, &a, &b, &counts);
        size_t failures = 0;
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            canceller never = {0, ~0u, 0};
            graze_pair_options options = graze_pair_options_default();
            options.budget.progress = cancel_later;
            options.budget.progress_user = &never;
            graze_search *search = NULL;
            graze_status status = graze_search_create(&context, &a, &b, GRAZE_SEARCH_HITS, NULL, &search);
            if (status == GRAZE_STATUS_OK)
            {
                status = graze_search_run(search, &options.budget);
                assert_int_equal(graze_search_run(search, NULL), status);
            }
            size_t count = 0;
            if (status == GRAZE_STATUS_OK)
                status = graze_search_hits(search, f->found, MOST_HITS, &count);
            allocator.allowed = status == GRAZE_STATUS_OK ? SIZE_MAX : allowed;
            if (status == GRAZE_STATUS_OK)
                expect_hits(f, search, &counts);
            graze_search_destroy(search);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
            failures++;
        }
        assert_true(failures >= 3);
    }
}

static void nonsense_is_refused_and_empty_meshes_are_not(void **state)
{
    fixture *f = *state;
    graze_placed_mesh a, b;
    choose(f, 0, &a, &b);
    graze_search *search = NULL;
    assert_int_equal(graze_search_create(NULL, NULL, &b, GRAZE_SEARCH_ANY, NULL, &search), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_search_create(NULL, &a, &b, (graze_search_kind)7, NULL, &search), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_search_create_self(NULL, NULL, GRAZE_SEARCH_ANY, NULL, &search), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_search_run(NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    graze_search_destroy(NULL);
    a.pose.m[3] = NAN;
    assert_int_equal(graze_search_create(NULL, &a, &b, GRAZE_SEARCH_ANY, NULL, &search), GRAZE_STATUS_NOT_FINITE);
    assert_null(search);
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *empty = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &empty), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, empty, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int with_tree = 0; with_tree < 2; with_tree++)
    {
        a = (graze_placed_mesh){empty, with_tree ? tree : NULL, graze_pose_identity()};
        assert_int_equal(graze_search_create(NULL, &a, &b, GRAZE_SEARCH_ANY, NULL, &search), GRAZE_STATUS_OK);
        graze_search_state before = graze_search_examine(search);
        assert_true(before.undecided == 0 && before.distance_lower_bound == INFINITY);
        assert_int_equal(graze_search_run(search, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_search_examine(search).verdict, GRAZE_VERDICT_NO);
        graze_search_destroy(search);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_of_every_small_size_lead_to_the_same_end),
        cmocka_unit_test(undecided_pairs_hold_all_that_is_missing),
        cmocka_unit_test(the_bound_on_the_distance_holds),
        cmocka_unit_test(what_is_undecided_of_a_small_mesh_is_all_of_it),
        cmocka_unit_test(the_bound_on_the_distance_holds_far_away),
        cmocka_unit_test(a_mesh_has_no_distance_from_itself),
        cmocka_unit_test(a_query_may_be_cancelled_at_every_call),
        cmocka_unit_test(a_used_up_budget_leaves_results_untouched),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(nonsense_is_refused_and_empty_meshes_are_not),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
