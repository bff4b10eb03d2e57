/* SPDX-License-Identifier: MIT */
/*
 * Trees against the sweep on inputs that are hard on error bounds: hit for hit and contact for contact, for every
 * instruction set, leaf sizes, numbers of threads and floating-point environments, and with the arguments swapped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "graze/tasks.h"
#include "support/adversarial.h"
#include "support/contacts.h"
#include "support/environment.h"
#include "support/unit.h"

enum
{
    SMALL_ROUNDS = 3000,
    SMALL = 60,
    LARGE_ROUNDS = 10,
    LARGE = 500,
    MOST_HITS = 1 << 20,
    LEAF_SIZES = 3
};

static const uint32_t leaf_sizes[LEAF_SIZES] = {1, 3, 8};

typedef struct fixture
{
    graze_pool *pool;
    graze_hit *expected, *found;
} fixture;

/* Counts of what occurred. */
typedef struct tally
{
    uint64_t rounds, empty, crossing, touching, coplanar, proposed, cut, exact;
    uint64_t by_kind[ADVERSARIAL_KINDS], by_relation[ADVERSARIAL_RELATIONS],
        by_placing[ADVERSARIAL_PLACINGS]; /* rounds with hits */
} tally;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->expected = malloc(MOST_HITS * sizeof *f->expected);
    f->found = malloc(MOST_HITS * sizeof *f->found);
    assert_true(f->expected != NULL && f->found != NULL);
    assert_int_equal(graze_pool_create(NULL, 3, &f->pool), GRAZE_STATUS_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    graze_pool_destroy(f->pool);
    free(f->expected);
    free(f->found);
    free(f);
    return 0;
}

static void expect_same(const fixture *f, const graze_pair_counts *found, const graze_pair_counts *expected,
                        const adversarial_pair *pair, const char *what)
{
    size_t count = (size_t)(found->pairs < expected->pairs ? found->pairs : expected->pairs);
    for (size_t i = 0; i < count; i++)
    {
        const graze_hit *x = &f->found[i], *y = &f->expected[i];
        if (x->triangle_a == y->triangle_a && x->triangle_b == y->triangle_b && x->face_a == y->face_a &&
            x->face_b == y->face_b && contact_equal(&x->contact, &y->contact))
            continue;
        adversarial_print(pair);
        printf("hit %zu: %u %u, expected %u %u\n", i, x->triangle_a, x->triangle_b, y->triangle_a, y->triangle_b);
        contact_print("given   ", &x->contact);
        contact_print("expected", &y->contact);
        fail_msg("%s: another hit", what);
    }
    if (memcmp(found, expected, sizeof *found) == 0)
        return;
    adversarial_print(pair);
    fail_msg("%s: %llu hits instead of %llu", what, (unsigned long long)found->pairs,
             (unsigned long long)expected->pairs);
}

/* One leaf size, all instruction sets and numbers of threads. */
static void check_trees(const fixture *f, const adversarial_pair *pair, const graze_placed_mesh *a,
                        const graze_placed_mesh *b, const graze_pair_counts *expected, tally *sum)
{
    for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
    {
        for (int threads = 1; threads <= 3; threads += 2)
        {
            graze_context context = graze_context_default();
            context.instructions = (graze_instructions)set;
            if (threads > 1)
                context.tasks = graze_pool_tasks(f->pool);
            graze_stats stats;
            graze_pair_options options = graze_pair_options_default();
            options.stats = &stats;
            graze_pair_counts found;
            assert_int_equal(graze_pair_gather(&context, a, b, &options, f->found, MOST_HITS, &found), GRAZE_STATUS_OK);
            expect_same(f, &found, expected, pair, "trees");
            sum->proposed += stats.triangle_tests;
            sum->exact += stats.exact_signs;
            sum->cut += threads > 1 && stats.box_tests > 1 << 16;
            bool any = false;
            assert_int_equal(graze_pair_any(&context, a, b, NULL, &any, NULL), GRAZE_STATUS_OK);
            assert_int_equal(any, expected->pairs > 0);
        }
    }
}

/* With the arguments swapped the same pairs are found, in another order. */
static void check_exchanged(const fixture *f, const adversarial_pair *pair, const graze_placed_mesh *a,
                            const graze_placed_mesh *b, const graze_pair_counts *expected)
{
    graze_pair_counts found;
    assert_int_equal(graze_pair_count(NULL, b, a, NULL, &found), GRAZE_STATUS_OK);
    (void)f;
    if (memcmp(&found, expected, sizeof found) != 0)
    {
        adversarial_print(pair);
        fail_msg("exchanged: %llu hits instead of %llu", (unsigned long long)found.pairs,
                 (unsigned long long)expected->pairs);
    }
}

static void add_to_tally(const adversarial_pair *pair, const graze_pair_counts *counts, tally *sum)
{
    sum->rounds++;
    sum->empty += counts->pairs == 0;
    sum->crossing += counts->crossing;
    sum->touching += counts->touching;
    sum->coplanar += counts->coplanar;
    if (counts->pairs == 0)
        return;
    sum->by_kind[pair->kind]++;
    sum->by_relation[pair->relation]++;
    sum->by_placing[pair->placing]++;
}

static void check_round(const fixture *f, test_random *random, int most_triangles, tally *sum)
{
    adversarial_pair pair;
    adversarial_make(random, most_triangles, &pair);
    graze_placed_mesh a = {pair.meshes[0], NULL, pair.poses[0]}, b = {pair.meshes[1], NULL, pair.poses[1]};
    graze_pair_counts expected;
    assert_int_equal(graze_pair_gather(NULL, &a, &b, NULL, f->expected, MOST_HITS, &expected), GRAZE_STATUS_OK);
    assert_true(expected.pairs <= MOST_HITS);
    add_to_tally(&pair, &expected, sum);
    int environment = random_below(random, 2 * ENVIRONMENTS);
    for (int k = 0; k < LEAF_SIZES; k++)
    {
        graze_tree *trees[2];
        saved_environment saved;
        if (environment < ENVIRONMENTS) /* the usual one otherwise */
            environment_enter(&saved, environment);
        for (int side = 0; side < 2; side++)
        {
            graze_tree_def def = graze_tree_def_default();
            def.leaf_size = leaf_sizes[side == 0 ? k : (k + random_below(random, 2)) % LEAF_SIZES];
            assert_int_equal(graze_tree_create(NULL, pair.meshes[side], &def, NULL, &trees[side]), GRAZE_STATUS_OK);
        }
        a.tree = trees[0];
        b.tree = trees[1];
        check_trees(f, &pair, &a, &b, &expected, sum);
        check_exchanged(f, &pair, &a, &b, &expected);
        if (environment < ENVIRONMENTS)
            environment_leave(&saved);
        graze_tree_destroy(trees[0]);
        graze_tree_destroy(trees[1]);
    }
    graze_mesh_destroy(pair.meshes[0]);
    graze_mesh_destroy(pair.meshes[1]);
}

static void print_tally(const tally *t, uint64_t start)
{
    printf("%llu rounds, %llu empty; %llu crossing, %llu touching, %llu coplanar; %llu pairs proposed, %llu exact "
           "signs, %llu queries cut; %.1f s\n",
           (unsigned long long)t->rounds, (unsigned long long)t->empty, (unsigned long long)t->crossing,
           (unsigned long long)t->touching, (unsigned long long)t->coplanar, (unsigned long long)t->proposed,
           (unsigned long long)t->exact, (unsigned long long)t->cut, (double)(grz_clock_now() - start) * 1e-9);
}

static void small_nasty_meshes_give_the_same_hits(void **state)
{
    const fixture *f = *state;
    test_random random = test_random_start("small nasty meshes", 20260311);
    uint64_t start = grz_clock_now();
    tally sum = {0};
    for (int round = 0; round < SMALL_ROUNDS; round++)
        check_round(f, &random, SMALL, &sum);
    print_tally(&sum, start);
    assert_true(sum.empty > SMALL_ROUNDS / 200 && sum.empty < SMALL_ROUNDS / 2);
    assert_true(sum.crossing > 30 * SMALL_ROUNDS && sum.touching > 8 * SMALL_ROUNDS && sum.coplanar > SMALL_ROUNDS / 2);
    assert_true(sum.exact > 0);
    for (int i = 0; i < ADVERSARIAL_KINDS; i++)
        assert_true(sum.by_kind[i] > SMALL_ROUNDS / (4 * ADVERSARIAL_KINDS));
    for (int i = 0; i < ADVERSARIAL_RELATIONS; i++)
        assert_true(sum.by_relation[i] > SMALL_ROUNDS / (4 * ADVERSARIAL_RELATIONS));
    for (int i = 0; i < ADVERSARIAL_PLACINGS; i++)
        assert_true(sum.by_placing[i] > SMALL_ROUNDS / (4 * ADVERSARIAL_PLACINGS));
}

static void large_nasty_meshes_give_the_same_hits(void **state)
{
    const fixture *f = *state;
    test_random random = test_random_start("large nasty meshes", 20260312);
    uint64_t start = grz_clock_now();
    tally sum = {0};
    for (int round = 0; round < LARGE_ROUNDS; round++)
        check_round(f, &random, LARGE, &sum);
    print_tally(&sum, start);
    assert_true(sum.crossing > 1000 * LARGE_ROUNDS);
    assert_true(sum.cut > LARGE_ROUNDS); /* of 12 queries per round that may be split among threads */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_nasty_meshes_give_the_same_hits),
        cmocka_unit_test(large_nasty_meshes_give_the_same_hits),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
