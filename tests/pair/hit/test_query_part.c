/* SPDX-License-Identifier: MIT */
/*
 * A part of a query that buffers some hits only, and postpones pairs: however often it pauses, it buffers all hits
 * between two keys in the end; and it pauses only when asked to.
 */
#include <stdio.h>
#include <string.h>

#include "graze/self.h"
#include "pair/hit/query.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 300,
    MOST_HITS = MOST_TRIANGLES * MOST_TRIANGLES
};

static graze_hit expected[MOST_HITS], buffered[MOST_HITS];

/* Continues for a number of checks, pauses, and so on. */
typedef struct rhythm
{
    unsigned times, asked;
} rhythm;

static bool goes_on(void *user)
{
    rhythm *r = user;
    return r->times == UINT32_MAX || ++r->asked % (r->times + 1) != 0;
}

/* Runs a part to its end; counts how often it paused, and how often while it decided postponed pairs. */
static unsigned run_part(grz_query_part *part, unsigned times, size_t *out_late)
{
    rhythm r = {times, 0};
    const grz_pause pause = {UINT64_MAX, 1, goes_on, &r};
    unsigned pauses = 0;
    *out_late = 0;
    grz_query_part_advance(part, times == UINT32_MAX - 1 ? NULL : &pause);
    for (; !part->done; pauses++)
    {
        *out_late += part->decides_candidates;
        assert_int_not_equal(times, UINT32_MAX);
        assert_int_not_equal(times, UINT32_MAX - 1);
        grz_query_part_advance(part, &pause);
    }
    return pauses;
}

typedef struct tally
{
    size_t dropped, pauses, late;
} tally;

/* Asks for `most` hits from a key on, and compares the buffered hits with all hits. */
static void check(grz_query *q, size_t hit_count, unsigned times, tally *seen)
{
    grz_query_part part;
    assert_int_equal(grz_query_start(q), GRAZE_STATUS_OK);
    assert_true(grz_query_part_start(&part, q, NULL, NULL));
    size_t late;
    seen->pauses += run_part(&part, times, &late);
    seen->late += late;
    assert_false(part.out_of_memory);
    assert_int_equal(part.buffered.candidates.count, 0);
    size_t count = grz_hit_buffer_count(&part.buffered), before = 0;
    assert_true(count <= MOST_HITS);
    assert_true(grz_hit_buffer_write(&part.buffered, NULL, q->a->mesh, q->b->mesh, buffered, count));
    while (before < hit_count &&
           grz_hit_key(expected[before].triangle_a, expected[before].triangle_b) < q->first_buffered)
        before++;
    size_t wanted = 0;
    while (before + wanted < hit_count &&
           grz_hit_key(expected[before + wanted].triangle_a, expected[before + wanted].triangle_b) < part.buffered.end)
        wanted++;
    assert_int_equal(count, wanted);
    assert_memory_equal(buffered, expected + before, count * sizeof *buffered);
    assert_true(part.buffered.end > q->first_buffered); /* so that another part can continue from there */
    seen->dropped += before + count < hit_count;
    grz_query_part_end(&part);
}

static void hits_that_are_kept_do_not_depend_on_pauses(void **state)
{
    (void)state;
    static const unsigned rhythms[] = {0, 1, 7, UINT32_MAX - 1, UINT32_MAX}; /* the last two never pause */
    test_random random = test_random_start(__func__, 77);
    tally seen = {0, 0, 0};
    for (int round = 0; round < ROUNDS; round++)
    {
        static test_mesh parts[2];
        graze_placed_mesh placed[2];
        graze_tree *trees[2];
        for (int i = 0; i < 2; i++)
        {
            parts[i].vertex_count = parts[i].triangle_count = 0;
            mesh_add_soup(&parts[i], &random, 40, random_between(&random, 1, 60), 12);
            placed[i] = (graze_placed_mesh){mesh_create(&parts[i]), NULL, graze_pose_identity()};
            assert_int_equal(graze_tree_create(NULL, placed[i].mesh, NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
            placed[i].tree = round % 2 == 0 ? trees[i] : NULL;
        }
        bool self = round % 5 == 0;
        const graze_self_subject subject = {placed[0].mesh, NULL, false};
        graze_pair_counts counts;
        graze_status status = self
                                  ? graze_self_gather(NULL, &subject, NULL, expected, MOST_HITS, &counts)
                                  : graze_pair_gather(NULL, &placed[0], &placed[1], NULL, expected, MOST_HITS, &counts);
        assert_int_equal(status, GRAZE_STATUS_OK);
        grz_query q = {.a = &placed[0], .b = &placed[self ? 0 : 1], .buffer_hits = true, .self = self};
        q.buffered_only = true;
        q.most_buffered = (size_t)random_between(&random, 1, 40);
        q.first_buffered = grz_hit_key((uint32_t)random_below(&random, 20), (uint32_t)random_below(&random, 20));
        for (size_t i = 0; i < sizeof rhythms / sizeof *rhythms; i++)
            check(&q, counts.pairs, rhythms[i], &seen);
        for (int i = 0; i < 2; i++)
        {
            graze_tree_destroy(trees[i]);
            graze_mesh_destroy((graze_mesh *)placed[i].mesh);
        }
    }
    printf("%zu dropped hits, %zu pauses\n", seen.dropped, seen.pauses);
    assert_true(seen.dropped > ROUNDS && seen.pauses > ROUNDS && seen.late > ROUNDS);
}

/* Signs are multiplied by it, and 2 means that a sign is not known. */
static void the_handedness_of_a_frame_is_one_or_minus_one(void **state)
{
    (void)state;
    static test_mesh part;
    mesh_add_cube(&part, 0, 0, 0, 1);
    graze_placed_mesh a = {mesh_create(&part), NULL, graze_pose_identity()}, b;
    graze_tree *tree;
    assert_int_equal(graze_tree_create(NULL, a.mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    a.tree = tree;
    b = a;
    for (int mirrored = 0; mirrored < 3; mirrored++)
    {
        a.pose.m[0] = mirrored == 2 ? -1 : 1;
        a.pose.m[5] = mirrored == 1 ? -0.5 : 1;
        grz_query q = {.a = &a, .b = &b};
        assert_int_equal(grz_query_start(&q), GRAZE_STATUS_OK);
        assert_int_equal(q.mirrored, mirrored == 0 ? 1 : -1);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy((graze_mesh *)a.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_that_are_kept_do_not_depend_on_pauses),
        cmocka_unit_test(the_handedness_of_a_frame_is_one_or_minus_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
