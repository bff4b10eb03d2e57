/* SPDX-License-Identifier: MIT */
/*
 * Proximity searches of a few triangles around the origin against a tree: of two meshes every pair within the bound is
 * proposed, as measuring all pairs says, and distances are, bit for bit, those found without trees.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/distance.h"
#include "graze/generate.h"
#include "mesh/mesh.h"
#include "pair/distance/proximity.h"
#include "support/generators.h"
#include "support/unit.h"
#include "tree/tree.h"

enum
{
    ROUNDS = 120,
    MOST_SMALL = 16,
    MOST_LARGE = 600
};

typedef struct pair_setting
{
    graze_mesh *small, *large;
    graze_tree *small_tree, *large_tree;
    graze_placed_mesh a, b; /* the small one is A unless swapped */
    bool swapped;
} pair_setting;

/* A box, or triangles between points around the origin that leave most of their box empty. */
static graze_mesh *make_small(test_random *random, bool box)
{
    graze_mesh *mesh;
    double vertices[MOST_SMALL][3];
    uint32_t corners[3 * MOST_SMALL];
    if (box)
    {
        assert_int_equal(graze_mesh_create_box(NULL, random_real(random, 0.1, 1), random_real(random, 0.1, 1),
                                               random_real(random, 0.1, 1), 1, &mesh),
                         GRAZE_STATUS_OK);
        return mesh;
    }
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            vertices[i][k] = i < 2 ? (i == 0 ? 0.5 : -0.5) : random_real(random, -0.5, 0.5);
    for (int i = 0; i < 21; i++)
        corners[i] = (uint32_t)(i % 3 == 0 ? i / 3 : i % 3 == 1 ? i / 3 + 1 : random_below(random, 8));
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = &vertices[0][0];
    def.vertex_count = 8;
    def.corners = corners;
    def.corner_count = 21;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void make_pair(test_random *random, int round, pair_setting *s)
{
    uint32_t segments = round % 3 == 0 ? 24 : 8;
    s->small = make_small(random, round % 2 == 0);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.4, segments, segments / 2, &s->large), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, s->small, NULL, NULL, &s->small_tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, s->large, NULL, NULL, &s->large_tree), GRAZE_STATUS_OK);
    graze_placed_mesh small = {s->small, s->small_tree, random_rotation(random)};
    graze_placed_mesh large = {s->large, s->large_tree, random_rotation(random)};
    for (int k = 0; k < 3; k++)
    {
        large.pose.m[4 * k + 3] = random_real(random, -5, 5);
        small.pose.m[4 * k + 3] = large.pose.m[4 * k + 3] + random_real(random, -1.6, 1.6);
    }
    s->swapped = random_once_in(random, 2);
    s->a = s->swapped ? large : small;
    s->b = s->swapped ? small : large;
}

static void clear_pair(pair_setting *s)
{
    graze_tree_destroy(s->small_tree);
    graze_tree_destroy(s->large_tree);
    graze_mesh_destroy(s->small);
    graze_mesh_destroy(s->large);
}

typedef struct proposed
{
    bool seen[MOST_LARGE * MOST_SMALL];
    bool swapped;
    size_t count;
} proposed;

static bool note_pairs(void *user, const grz_triangle_pair_batch *pairs, grz_distance_bound *bound)
{
    proposed *p = user;
    (void)bound;
    assert_true(pairs->count > 0 && pairs->count <= GRZ_LANES);
    for (unsigned i = 0; i < pairs->count; i++)
    {
        size_t small = p->swapped ? pairs->b[i] : pairs->a[i], large = p->swapped ? pairs->a[i] : pairs->b[i];
        assert_false(p->seen[large * MOST_SMALL + small]);
        p->seen[large * MOST_SMALL + small] = true;
        p->count++;
    }
    return true;
}

/* Measures each pair, and looks whether it was proposed if it is within the bound. Returns how many are. */
static size_t check_all(const pair_setting *s, const proposed *p, double bound)
{
    grz_measure_frame frame;
    size_t within = 0, small_count = graze_mesh_triangle_count(s->small);
    grz_measure_frame_make(&frame, NULL, &s->a, &s->b);
    for (uint32_t large = 0; large < graze_mesh_triangle_count(s->large); large++)
        for (uint32_t first = 0; first < small_count; first += GRZ_LANES)
        {
            grz_triangle_pair_batch batch = {.count = 0};
            grz_closest_pair found[GRZ_LANES];
            for (uint32_t i = first; i < small_count && i < first + GRZ_LANES; i++)
            {
                batch.a[batch.count] = s->swapped ? large : i;
                batch.b[batch.count++] = s->swapped ? i : large;
            }
            grz_measure_pairs(&frame, &batch, found);
            for (unsigned i = 0; i < batch.count; i++)
            {
                bool near = found[i].upper <= bound;
                assert_true(!near || p->seen[(size_t)large * MOST_SMALL + first + i]);
                within += near;
            }
        }
    return within;
}

static void every_near_pair_is_proposed(void **state)
{
    (void)state;
    static proposed p;
    test_random random = test_random_start("proximity of an oriented box", 185);
    size_t within = 0, all = 0, total = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        pair_setting s;
        graze_context context = graze_context_default();
        make_pair(&random, round, &s);
        graze_distance d;
        context.instructions = (graze_instructions)(round % GRAZE_INSTRUCTIONS_COUNT);
        assert_int_equal(graze_pair_distance(NULL, &s.a, &s.b, NULL, &d), GRAZE_STATUS_OK);
        memset(&p, 0, sizeof p);
        p.swapped = s.swapped;
        /* The distance itself, or more; along the line between the closest points in every other round. */
        double bound = d.upper * (round % 4 < 2 ? 1 + 0x1p-45 : random_real(&random, 1, 2));
        grz_proximity_search search = {.context = &context,
                                       .bound = {.distance = bound, .witnessed = round % 2 == 0},
                                       .propose = note_pairs,
                                       .user = &p};
        for (int k = 0; k < 3; k++)
        {
            search.bound.point_a[k] = d.point_a[k] - s.a.pose.m[4 * k + 3];
            search.bound.point_b[k] = d.point_b[k] - s.a.pose.m[4 * k + 3];
        }
        assert_true(grz_proximity_box(&search, &s.a, &s.b));
        within += check_all(&s, &p, bound);
        all += p.count;
        total += graze_mesh_triangle_count(s.small) * graze_mesh_triangle_count(s.large);
        clear_pair(&s);
    }
    printf("%zu pairs within bounds, %zu proposed, of %zu\n", within, all, total);
    assert_true(within >= (size_t)TEST_ROUNDS(ROUNDS) && all < total / 8);
}

static void distances_are_those_found_without_trees(void **state)
{
    (void)state;
    test_random random = test_random_start("distances by an oriented box", 186);
    int apart = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        pair_setting s;
        graze_distance found, plain;
        graze_context context = graze_context_default();
        context.instructions = (graze_instructions)(round % GRAZE_INSTRUCTIONS_COUNT);
        memset(&found, 0, sizeof found);
        memset(&plain, 0, sizeof plain);
        make_pair(&random, round, &s);
        assert_int_equal(graze_pair_distance(&context, &s.a, &s.b, NULL, &found), GRAZE_STATUS_OK);
        s.a.tree = s.b.tree = NULL;
        assert_int_equal(graze_pair_distance(NULL, &s.a, &s.b, NULL, &plain), GRAZE_STATUS_OK);
        assert_true(found.distance == plain.distance && found.upper == plain.upper);
        if (found.distance > 0)
        {
            assert_true(found.lower == plain.lower && found.triangle_a == plain.triangle_a &&
                        found.triangle_b == plain.triangle_b);
            assert_memory_equal(found.point_a, plain.point_a, sizeof found.point_a);
            assert_memory_equal(found.point_b, plain.point_b, sizeof found.point_b);
        }
        apart += found.distance > 0;
        clear_pair(&s);
    }
    printf("%d of %d apart\n", apart, TEST_ROUNDS(ROUNDS));
    assert_true(apart > TEST_ROUNDS(ROUNDS) / 3);
}

static bool stop_at_once(void *user, const grz_triangle_pair_batch *pairs, grz_distance_bound *bound)
{
    (void)pairs;
    (void)bound;
    *(int *)user += 1;
    return false;
}

static bool go_on(void *user, const grz_triangle_pair_batch *pairs, grz_distance_bound *bound)
{
    (void)bound;
    *(size_t *)user += pairs->count;
    return true;
}

/* Who stops is not asked again; with a bound that leaves nothing out every node and every leaf is visited once. */
static void searches_stop_and_count(void **state)
{
    (void)state;
    test_random random = test_random_start("proximity of an oriented box, ends", 188);
    for (int round = 0; round < 20; round++)
    {
        pair_setting s;
        int calls = 0;
        size_t pairs = 0;
        make_pair(&random, round, &s);
        const graze_tree *tree = s.large_tree;
        grz_proximity_search all = {.bound = {.distance = 100}, .propose = go_on, .user = &pairs};
        grz_proximity_search stopped = {.bound = {.distance = 100}, .propose = stop_at_once, .user = &calls};
        assert_true(grz_proximity_box(&all, &s.a, &s.b));
        assert_int_equal(pairs, graze_mesh_triangle_count(s.small) * graze_mesh_triangle_count(s.large));
        assert_int_equal(all.box_tests, GRZ_LANES * tree->node_count);
        assert_int_equal(all.leaf_pairs, tree->leaf_count);
        assert_true(grz_proximity_box(&stopped, &s.a, &s.b));
        assert_int_equal(calls, 1);
        assert_int_equal(stopped.leaf_pairs, 1);
        clear_pair(&s);
    }
}

static void other_meshes_are_refused(void **state)
{
    (void)state;
    test_random random = test_random_start("proximity of an oriented box, others", 187);
    pair_setting s;
    static proposed p;
    make_pair(&random, 0, &s);
    s.a.pose = s.b.pose = graze_pose_identity();
    grz_proximity_search search = {.bound = {.distance = 1}, .propose = note_pairs, .user = &p};
    graze_placed_mesh *large = s.swapped ? &s.a : &s.b;
    p.swapped = s.swapped;
    assert_true(grz_proximity_box(&search, &s.a, &s.b));
    search.most_node_pairs = 10;
    assert_false(grz_proximity_box(&search, &s.a, &s.b));
    search.most_node_pairs = 0;
    large->pose.m[0] = 2;
    assert_false(grz_proximity_box(&search, &s.a, &s.b));
    large->pose.m[0] = 1;
    large->tree = NULL;
    assert_false(grz_proximity_box(&search, &s.a, &s.b));
    clear_pair(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_near_pair_is_proposed),
        cmocka_unit_test(distances_are_those_found_without_trees),
        cmocka_unit_test(searches_stop_and_count),
        cmocka_unit_test(other_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
