/* SPDX-License-Identifier: MIT */
/*
 * The hits of two placed meshes: the set of pairs, and the contact of each, equal to brute force by the oracle; any,
 * count, gather and visit agree; with trees and without; in every floating-point environment.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/pair.h"
#include "support/contacts.h"
#include "support/environment.h"
#include "support/failing_allocator.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 4000,
    MOST_PAIRS = 40 * 40
};

/* Two meshes under their poses, for the library and for the oracle. */
typedef struct mesh_case
{
    test_mesh meshes[2];
    graze_pose poses[2];
    graze_placed_mesh placed[2];
    graze_tree *trees[2];
} mesh_case;

static void make_mesh(test_random *random, test_mesh *mesh)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    switch (random_below(random, 5))
    {
    case 0:
        mesh_add_soup(mesh, random, random_between(random, 3, 9), random_between(random, 1, 14), 4);
        break;
    case 1:
        mesh_add_cube(mesh, random_below(random, 4), random_below(random, 4), random_below(random, 4),
                      random_between(random, 1, 3));
        break;
    case 2:
        mesh_add_sheet(mesh, random_below(random, 3), random_below(random, 3), random_between(random, 1, 2));
        break;
    case 3:
        mesh_add_bipyramid(mesh, random_below(random, 4), random_below(random, 4), random_below(random, 4), 0.5);
        break;
    default:
        mesh_add_soup(mesh, random, random_between(random, 3, 6), random_between(random, 1, 8), 8);
        break;
    }
}

/* Poses of the triangle generators; mostly such that neighbours stay neighbours. */
static void make_poses(test_random *random, graze_pose poses[2])
{
    static make_function *const makers[] = {make_translated,    make_quarter_turns, make_rounded_quarter_turns,
                                            make_equal_poses,   make_rotated,       make_singular,
                                            make_integer_poses, make_absorbed,      make_extreme_poses};
    triangle_case pair;
    makers[random_below(random, (int)(sizeof makers / sizeof *makers))](random, &pair);
    memcpy(poses, pair.poses, sizeof pair.poses);
    if (random_once_in(random, 2))
        poses[1] = poses[0];
    if (random_once_in(random, 3))
        poses[0] = poses[1] = graze_pose_identity();
}

static void start_case(test_random *random, int environment, mesh_case *out)
{
    static const double factors[] = {1.0, 1.0, 0.1, 0.7, 0x1p-1070, 0x1p-500, 1e150, 1e300};
    double factor = factors[random_below(random, 8)];
    make_poses(random, out->poses);
    for (int side = 0; side < 2; side++)
    {
        make_mesh(random, &out->meshes[side]);
        mesh_scale(&out->meshes[side], factor);
        out->placed[side].mesh = mesh_create(&out->meshes[side]);
        out->placed[side].tree = NULL;
        out->placed[side].pose = out->poses[side];
        /* The tree is built in the environment the query runs in. */
        graze_tree_def def = graze_tree_def_default();
        def.leaf_size = (uint32_t)random_between(random, 1, 8);
        saved_environment saved;
        environment_enter(&saved, environment);
        graze_status status = graze_tree_create(NULL, out->placed[side].mesh, &def, NULL, &out->trees[side]);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
    }
}

static void end_case(mesh_case *pair)
{
    for (int side = 0; side < 2; side++)
    {
        graze_tree_destroy(pair->trees[side]);
        graze_mesh_destroy((graze_mesh *)pair->placed[side].mesh);
    }
}

/* The hits the oracle finds, in order; returns how many. */
static size_t expected_hits(oracle *judge, const mesh_case *pair, graze_hit *hits, graze_pair_counts *counts)
{
    static graze_triangle_contact matrix[MOST_PAIRS];
    oracle_mesh a = mesh_for_oracle(&pair->meshes[0], &pair->poses[0]);
    oracle_mesh b = mesh_for_oracle(&pair->meshes[1], &pair->poses[1]);
    oracle_mesh_contacts(judge, &a, &b, matrix);
    size_t count = 0;
    memset(counts, 0, sizeof *counts);
    for (size_t i = 0; i < a.triangle_count * b.triangle_count; i++)
    {
        if (!matrix[i].found)
            continue;
        uint32_t triangle_a = (uint32_t)(i / b.triangle_count), triangle_b = (uint32_t)(i % b.triangle_count);
        hits[count++] = (graze_hit){triangle_a, triangle_b, triangle_a, triangle_b, matrix[i]};
        counts->pairs++;
        counts->crossing += matrix[i].crossing;
        counts->touching += !matrix[i].crossing;
        counts->coplanar += matrix[i].coplanar;
    }
    return count;
}

static bool hits_equal(const graze_hit *a, const graze_hit *b)
{
    return a->triangle_a == b->triangle_a && a->triangle_b == b->triangle_b && a->face_a == b->face_a &&
           a->face_b == b->face_b && contact_equal(&a->contact, &b->contact);
}

static bool counts_equal(const graze_pair_counts *a, const graze_pair_counts *b)
{
    return a->pairs == b->pairs && a->touching == b->touching && a->crossing == b->crossing &&
           a->coplanar == b->coplanar;
}

/* The hits visited so far. */
typedef struct listener
{
    const graze_hit *expected;
    size_t heard, stop_after;
    bool all_equal;
} listener;

static bool hear(void *user, const graze_hit *hit)
{
    listener *ear = user;
    ear->all_equal = ear->all_equal && hits_equal(hit, &ear->expected[ear->heard]);
    ear->heard++;
    return ear->heard < ear->stop_after;
}

static void check_gather(const mesh_case *pair, const graze_hit *expected, const graze_pair_counts *expected_counts)
{
    static graze_hit hits[MOST_PAIRS];
    graze_pair_counts counts;
    graze_stats stats;
    graze_pair_options options = graze_pair_options_default();
    options.stats = &stats;
    size_t count = (size_t)expected_counts->pairs;
    assert_int_equal(graze_pair_gather(NULL, &pair->placed[0], &pair->placed[1], &options, hits, MOST_PAIRS, &counts),
                     0);
    assert_true(counts_equal(&counts, expected_counts));
    for (size_t i = 0; i < count; i++)
        assert_true(hits_equal(&hits[i], &expected[i]));
    assert_true(stats.triangle_tests + counts.crossing >= count); /* leaves decide some crossings by themselves */
    /* An array that is too short holds the first hits, and the count is still the full one. */
    size_t few = count / 2;
    memset(hits, 0x5a, sizeof hits[0] * (count + 1));
    graze_hit untouched = hits[0];
    assert_int_equal(graze_pair_gather(NULL, &pair->placed[0], &pair->placed[1], NULL, hits, few, &counts), 0);
    assert_true(counts_equal(&counts, expected_counts));
    for (size_t i = 0; i < few; i++)
        assert_true(hits_equal(&hits[i], &expected[i]));
    assert_memory_equal(&hits[few], &untouched, sizeof untouched);
    assert_int_equal(graze_pair_gather(NULL, &pair->placed[0], &pair->placed[1], NULL, NULL, 0, &counts), 0);
    assert_true(counts_equal(&counts, expected_counts));
}

static void check_visit(const mesh_case *pair, const graze_hit *expected, size_t count)
{
    listener all = {expected, 0, SIZE_MAX, true}, first = {expected, 0, 1, true};
    assert_int_equal(graze_pair_visit(NULL, &pair->placed[0], &pair->placed[1], NULL, hear, &all), GRAZE_STATUS_OK);
    assert_true(all.all_equal);
    assert_int_equal(all.heard, count);
    graze_status status = graze_pair_visit(NULL, &pair->placed[0], &pair->placed[1], NULL, hear, &first);
    assert_int_equal(status, count > 0 ? GRAZE_STATUS_CANCELLED : GRAZE_STATUS_OK);
    assert_int_equal(first.heard, count > 0 ? 1 : 0);
}

static void check_any_and_count(const mesh_case *pair, const graze_hit *expected, const graze_pair_counts *counts)
{
    bool found = false, among = false;
    graze_hit hit;
    graze_pair_counts given;
    assert_int_equal(graze_pair_any(NULL, &pair->placed[0], &pair->placed[1], NULL, &found, &hit), GRAZE_STATUS_OK);
    assert_int_equal(found, counts->pairs > 0);
    for (size_t i = 0; i < counts->pairs; i++)
        among = among || hits_equal(&hit, &expected[i]);
    assert_int_equal(among, found);
    assert_int_equal(graze_pair_any(NULL, &pair->placed[1], &pair->placed[0], NULL, &found, NULL), GRAZE_STATUS_OK);
    assert_int_equal(found, counts->pairs > 0);
    assert_int_equal(graze_pair_count(NULL, &pair->placed[0], &pair->placed[1], NULL, &given), GRAZE_STATUS_OK);
    assert_true(counts_equal(&given, counts));
    assert_int_equal(graze_pair_count(NULL, &pair->placed[1], &pair->placed[0], NULL, &given), GRAZE_STATUS_OK);
    assert_true(counts_equal(&given, counts));
}

static void all_shapes_of_the_query_agree_with_brute_force(void **state)
{
    (void)state;
    test_random random = test_random_start("mesh pairs", 40);
    oracle *judge = oracle_create();
    static mesh_case pair;
    static graze_hit expected[MOST_PAIRS];
    int meeting = 0;
    uint64_t crossing = 0, touching = 0, coplanar = 0;
    for (int k = 0; k < ROUNDS; k++)
    {
        graze_pair_counts counts;
        start_case(&random, k % ENVIRONMENTS, &pair);
        size_t count = expected_hits(judge, &pair, expected, &counts);
        for (int with_trees = 0; with_trees < 2; with_trees++)
        {
            for (int side = 0; side < 2; side++)
                pair.placed[side].tree = with_trees != 0 ? pair.trees[side] : NULL;
            saved_environment saved;
            environment_enter(&saved, k % ENVIRONMENTS);
            check_gather(&pair, expected, &counts);
            check_visit(&pair, expected, count);
            check_any_and_count(&pair, expected, &counts);
            environment_leave(&saved);
        }
        end_case(&pair);
        meeting += count > 0;
        crossing += counts.crossing;
        touching += counts.touching;
        coplanar += counts.coplanar;
    }
    oracle_destroy(judge);
    printf("%d of %d meet; pairs: %d crossing, %d touching, %d of them coplanar\n", meeting, ROUNDS, (int)crossing,
           (int)touching, (int)coplanar);
    assert_true(meeting > ROUNDS / 4 && meeting < ROUNDS * 3 / 4);
    assert_true(crossing > ROUNDS / 2 && touching > 4 * ROUNDS && coplanar > ROUNDS / 8);
}

static void a_pose_that_is_not_finite_is_refused_and_results_stay(void **state)
{
    (void)state;
    test_random random = {41};
    static mesh_case pair;
    start_case(&random, 0, &pair);
    for (int side = 0; side < 2; side++)
    {
        graze_placed_mesh bad[2] = {pair.placed[0], pair.placed[1]};
        bad[side].pose.m[5] = NAN;
        bool found = true;
        graze_pair_counts counts = {7, 7, 7, 7};
        listener ear = {NULL, 0, 1, true};
        assert_int_equal(graze_pair_any(NULL, &bad[0], &bad[1], NULL, &found, NULL), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_pair_count(NULL, &bad[0], &bad[1], NULL, &counts), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_pair_gather(NULL, &bad[0], &bad[1], NULL, NULL, 0, &counts), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_pair_visit(NULL, &bad[0], &bad[1], NULL, hear, &ear), GRAZE_STATUS_NOT_FINITE);
        assert_true(found && counts.pairs == 7 && ear.heard == 0);
    }
    end_case(&pair);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static test_mesh cube;
    mesh_add_cube(&cube, 0, 0, 0, 1);
    graze_placed_mesh placed = {.mesh = mesh_create(&cube), .pose = graze_pose_identity()};
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_pair_counts counts;
        graze_status status = graze_pair_gather(&context, &placed, &placed, NULL, NULL, 0, &counts);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        assert_true(allowed < 100);
    }
    graze_mesh_destroy((graze_mesh *)placed.mesh);
}

static void a_mesh_without_faces_meets_nothing(void **state)
{
    (void)state;
    static test_mesh empty, cube;
    mesh_add_vertex(&empty, 0, 0, 0);
    mesh_add_cube(&cube, -1, -1, -1, 2);
    graze_placed_mesh a = {.mesh = mesh_create(&empty), .pose = graze_pose_identity()},
                      b = {.mesh = mesh_create(&cube), .pose = graze_pose_identity()};
    bool found = true;
    graze_pair_counts counts = {1, 1, 1, 1};
    assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &found, NULL), GRAZE_STATUS_OK);
    assert_false(found);
    assert_int_equal(graze_pair_count(NULL, &b, &a, NULL, &counts), GRAZE_STATUS_OK);
    assert_int_equal(counts.pairs, 0);
    assert_int_equal(graze_pair_count(NULL, &a, &a, NULL, &counts), GRAZE_STATUS_OK);
    assert_int_equal(counts.pairs, 0);
    graze_mesh_destroy((graze_mesh *)a.mesh);
    graze_mesh_destroy((graze_mesh *)b.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_shapes_of_the_query_agree_with_brute_force),
        cmocka_unit_test(a_pose_that_is_not_finite_is_refused_and_results_stay),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_mesh_without_faces_meets_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
