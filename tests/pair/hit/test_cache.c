/* SPDX-License-Identifier: MIT */
/*
 * A cache changes the time of an answer, never the answer: flights of every kind with and without one, meshes that
 * change while cached, poses that are refused.
 */
#include "pair/hit/cache.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graze/generate.h"
#include "mesh/mesh.h"
#include "support/bodies.h"
#include "support/environment.h"
#include "support/failing_allocator.h"
#include "support/placed_shapes.h"
#include "support/unit.h"
#include "tree/tree.h"

static int set_up(void **state)
{
    *state = placed_shapes_create();
    return 0;
}

static int tear_down(void **state)
{
    placed_shapes_destroy(*state);
    return 0;
}

/* With the cache and without; the hit, if any, must be one. Returns whether they meet. */
static bool check_answer(graze_pair_cache *cache, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_any_options options = graze_any_options_default();
    options.cache = cache;
    bool cached = false, plain = false;
    graze_hit hit = {0};
    graze_status status = graze_pair_any(NULL, a, b, NULL, &plain, NULL);
    assert_int_equal(graze_pair_any(NULL, a, b, &options, &cached, &hit), status);
    assert_int_equal(cached, plain);
    if (!cached)
        return false;
    const uint32_t *x = graze_mesh_triangles(a->mesh) + 3 * (size_t)hit.triangle_a;
    const uint32_t *y = graze_mesh_triangles(b->mesh) + 3 * (size_t)hit.triangle_b;
    graze_placed_triangle first = {.pose = &a->pose}, second = {.pose = &b->pose};
    for (int c = 0; c < 3; c++)
    {
        first.corners[c] = graze_mesh_vertices(a->mesh) + 3 * (size_t)x[c];
        second.corners[c] = graze_mesh_vertices(b->mesh) + 3 * (size_t)y[c];
    }
    graze_triangle_contact contact = graze_triangle_collide(&first, &second);
    assert_true(contact.found && contact.dimension == hit.contact.dimension && contact.mask_a == hit.contact.mask_a);
    assert_int_equal(hit.face_a, graze_mesh_triangle_face(a->mesh, hit.triangle_a));
    return true;
}

/* Moves a pose by a small random step: rotates, translates, and sometimes scales or shears. */
static void step(grz_random *random, double size, graze_pose *pose)
{
    for (int k = 0; k < 12; k++)
        pose->m[k] += grz_random_between(random, -size, size) * (k % 4 == 3 ? 3 : 0.3);
    if (grz_random_below(random, 50) == 0) /* jumps */
        *pose = placed_pose(random, 2.5);
    for (int k = 3; k < 12; k += 4) /* and stays near */
        pose->m[k] *= 0.995;
}

static void flights_with_a_cache_give_the_answers_of_flights_without(void **state)
{
    placed_shapes *s = *state;
    const uint64_t seed = 20260415;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned met = 0, apart = 0;
    uint64_t by_gap = 0, by_touch = 0;
    for (unsigned flight = 0; flight < 60; flight++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES), j = grz_random_below(&random, PLACED_SHAPES);
        bool trees = flight % 4 != 0;
        graze_placed_mesh a = {s->meshes[i], trees ? s->trees[i][0] : NULL, placed_pose(&random, 2)};
        graze_placed_mesh b = {s->meshes[j], trees ? s->trees[j][0] : NULL, placed_pose(&random, 2)};
        double size = ldexp(0.1, -(int)grz_random_below(&random, 12));
        graze_pair_cache cache = graze_pair_cache_default();
        for (int frame = 0; frame < 150; frame++)
        {
            if (check_answer(&cache, &a, &b))
                met++;
            else
                apart++;
            if (flight % 3 != 1)
                step(&random, size, &a.pose);
            if (flight % 3 != 2)
                step(&random, size, &b.pose);
        }
        assert_int_equal(cache.queries, 150);
        by_gap += cache.answered_by_gap;
        by_touch += cache.answered_by_witness;
    }
    printf("%u met, %u apart; %llu spared by the gap, %llu by touch\n", met, apart, (unsigned long long)by_gap,
           (unsigned long long)by_touch);
    assert_true(met > 1000 && apart > 1000 && by_gap > 1000 && by_touch > 500);
}

/* A ball flies straight at a wall in ever smaller steps: the answer changes at the very step where they touch. */
static void the_first_touch_is_not_missed(void **state)
{
    placed_shapes *s = *state;
    for (int exponent = 2; exponent < 30; exponent++)
    {
        graze_placed_mesh a = {s->meshes[5], s->trees[5][0], graze_pose_identity()};
        graze_placed_mesh b = a;
        graze_pair_cache cache = graze_pair_cache_default();
        double stride = ldexp(1, -exponent), x = 1 + 64 * stride;
        for (int frame = 0; frame < 70; frame++, x -= stride)
        {
            b.pose = graze_pose_translation(x, 0, 0);
            assert_int_equal(check_answer(&cache, &a, &b), x <= 1);
        }
        assert_true(cache.answered_by_gap + cache.answered_by_witness > 0);
    }
}

/* A bar that extends to one side of its origin only rotates about it: its far end moves most. */
static void a_bar_that_turns_into_a_wall_is_noticed(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2)
        {
            double lower[3] = {-0.125, -0.125, -0.125}, upper[3] = {0.125, 0.125, 0.125};
            lower[axis] = side < 0 ? -8 : 0;
            upper[axis] = side < 0 ? 0 : 8;
            graze_mesh *bar = body_box(lower, upper);
            graze_tree *tree;
            assert_int_equal(graze_tree_create(NULL, bar, NULL, NULL, &tree), GRAZE_STATUS_OK);
            graze_placed_mesh a = {bar, tree, graze_pose_identity()}, b = a;
            double turned[3] = {0}, place[3] = {0};
            turned[(axis + 1) % 3] = 1;
            place[(axis + 2) % 3] = 2; /* beside it, in the plane of its rotation */
            graze_pair_cache cache = graze_pair_cache_default();
            unsigned met = 0, apart = 0;
            for (int step = -150; step <= 150; step++)
            {
                const double zero[3] = {0};
                assert_int_equal(graze_pose_from_axis_angle(turned, step * 0.01, zero, &a.pose), GRAZE_STATUS_OK);
                b.pose = graze_pose_translation(place[0], place[1], place[2]);
                if (check_answer(&cache, &a, &b))
                    met++;
                else
                    apart++;
            }
            assert_true(met > 20 && apart > 20 && cache.answered_by_gap > 5);
            graze_tree_destroy(tree);
            graze_mesh_destroy(bar);
        }
}

static void meshes_that_change_under_the_cache_are_noticed(void **state)
{
    (void)state;
    const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, far_lower[3] = {10, 0, 0}, far_upper[3] = {11, 1, 1};
    graze_mesh *wall = body_box(lower, upper);
    graze_pair_cache cache = graze_pair_cache_default();
    unsigned same_address = 0;
    graze_mesh *before = NULL;
    for (int round = 0; round < 200; round++)
    {
        bool near = round % 2 == 1;
        graze_mesh *other = body_box(near ? lower : far_lower, near ? upper : far_upper);
        graze_tree *trees[2] = {NULL, NULL};
        assert_int_equal(graze_tree_create(NULL, wall, NULL, NULL, &trees[0]), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(NULL, other, NULL, NULL, &trees[1]), GRAZE_STATUS_OK);
        same_address += other == before;
        graze_placed_mesh a = {wall, trees[0], graze_pose_identity()}, b = {other, trees[1], graze_pose_identity()};
        for (int again = 0; again < 40; again++) /* it does not search for a gap at once */
            assert_int_equal(check_answer(&cache, &a, &b), near);
        before = other;
        graze_tree_destroy(trees[0]);
        graze_tree_destroy(trees[1]);
        graze_mesh_destroy(other);
    }
    graze_mesh_destroy(wall);
    printf("%u meshes at the address of the one before\n", same_address);
    assert_true(cache.answered_by_gap > 50 && cache.answered_by_witness > 50);
}

/* A body that moves around inside another one, with a clearance much smaller than its steps: the cache stops searching
   for gaps for long. */
static void a_cache_that_does_not_help_looks_ever_less_often(void **state)
{
    placed_shapes *s = *state;
    graze_placed_mesh a = {s->meshes[5], s->trees[5][0], graze_pose_identity()}, b = a;
    graze_pair_cache cache = graze_pair_cache_default();
    uint32_t longest = 0, looks = 0;
    for (int frame = 0; frame < 2000; frame++)
    {
        b.pose = graze_pose_translation(1 + 0x1p-20, 0.4 * (frame % 2), 0.4 * (frame / 2 % 2));
        uint32_t backoff_left = grz_cache_state(&cache)->backoff_left;
        assert_false(check_answer(&cache, &a, &b));
        looks += grz_cache_state(&cache)->backoff_left > backoff_left;
        longest = grz_cache_state(&cache)->backoff_left > longest ? grz_cache_state(&cache)->backoff_left : longest;
    }
    printf("%u looks, the longest backoff_left %u\n", looks, longest);
    assert_true(looks >= 3 && looks <= 6 && longest >= 1000);
    assert_int_equal(cache.answered_by_gap, 0);
}

/* Whether the leaf at a ref of a tree has a triangle. */
static bool leaf_has(const graze_tree *tree, uint32_t place, uint32_t triangle)
{
    const grz_leaf *leaf = &tree->leaves[tree->nodes[place / 8].children[place % 8] & ~GRZ_LEAF_FLAG];
    bool found = false;
    for (uint32_t i = 0; i < leaf->count; i++)
        found = found || tree->order[leaf->first + i] == triangle;
    return found;
}

/* A ball in a slightly larger one that has a single dent: many leaves are near each other, a few intersect. */
static void the_leaves_of_a_hit_are_learned_also_after_many_others(void **state)
{
    (void)state;
    grz_random random = grz_random_make(91);
    graze_mesh *ball = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 20, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, ball, NULL, NULL, &tree), GRAZE_STATUS_OK);
    size_t count = graze_mesh_vertex_count(ball);
    double *vertices = malloc(3 * count * sizeof *vertices);
    assert_non_null(vertices);
    int late = 0;
    for (int round = 0; round < 40; round++)
    {
        size_t dent = grz_random_below(&random, count);
        for (size_t i = 0; i < 3 * count; i++)
            vertices[i] = graze_mesh_vertices(ball)[i] * (i / 3 == dent ? 0.99 : 1.0001);
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = count;
        def.corners = graze_mesh_triangles(ball);
        def.corner_count = 3 * graze_mesh_triangle_count(ball);
        graze_mesh *dented = NULL;
        graze_tree *dented_tree = NULL;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &dented), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(NULL, dented, NULL, NULL, &dented_tree), GRAZE_STATUS_OK);
        graze_placed_mesh a = {ball, tree, graze_pose_identity()}, b = {dented, dented_tree, graze_pose_identity()};
        graze_pair_cache cache = graze_pair_cache_default();
        graze_any_options options = graze_any_options_default();
        graze_stats stats = {0};
        graze_hit hit;
        bool found = false;
        options.cache = &cache;
        options.stats = &stats;
        assert_int_equal(graze_pair_any(NULL, &a, &b, &options, &found, &hit), GRAZE_STATUS_OK);
        assert_true(found);
        assert_true(leaf_has(tree, grz_cache_state(&cache)->node_a, hit.triangle_a) &&
                    leaf_has(dented_tree, grz_cache_state(&cache)->node_b, hit.triangle_b));
        late += stats.leaf_pairs > 100;
        graze_tree_destroy(dented_tree);
        graze_mesh_destroy(dented);
    }
    free(vertices);
    graze_tree_destroy(tree);
    graze_mesh_destroy(ball);
    printf("%d of 40 hits after a hundred pairs of leaves\n", late);
    assert_true(late > 10);
}

/* Addresses tell meshes apart whose identities are equal. */
static void meshes_with_the_same_identity_are_told_apart(void **state)
{
    (void)state;
    const double ends[3][3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, far[2][3] = {{10, 0, 0}, {11, 1, 1}};
    graze_mesh *wall = body_box(ends[0], ends[1]), *away = body_box(far[0], far[1]), *near = body_box(ends[1], ends[2]);
    near->identity = away->identity;
    graze_tree *trees[3];
    const graze_mesh *meshes[3] = {wall, away, near};
    graze_placed_mesh placed[3];
    for (int i = 0; i < 3; i++)
    {
        assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        placed[i] = (graze_placed_mesh){meshes[i], trees[i], graze_pose_identity()};
    }
    for (int swapped = 0; swapped < 2; swapped++)
    {
        graze_pair_cache cache = graze_pair_cache_default();
        for (int again = 0; again < 40; again++)
            assert_false(check_answer(&cache, &placed[swapped], &placed[!swapped]));
        assert_true(cache.answered_by_gap > 0);
        assert_true(check_answer(&cache, &placed[swapped ? 2 : 0], &placed[swapped ? 0 : 2]));
    }
    for (int i = 0; i < 3; i++)
        graze_tree_destroy(trees[i]);
    graze_mesh_destroy(wall);
    graze_mesh_destroy(away);
    graze_mesh_destroy(near);
}

static void vertices_that_move_under_the_cache_are_noticed(void **state)
{
    (void)state;
    const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, far_lower[3] = {10, 0, 0}, far_upper[3] = {11, 1, 1};
    graze_mesh *wall = body_box(lower, upper), *other = body_box(far_lower, far_upper);
    graze_pair_cache cache = graze_pair_cache_default();
    graze_tree *trees[2] = {NULL, NULL};
    assert_int_equal(graze_tree_create(NULL, wall, NULL, NULL, &trees[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, other, NULL, NULL, &trees[1]), GRAZE_STATUS_OK);
    graze_placed_mesh a = {wall, trees[0], graze_pose_identity()}, b = {other, trees[1], graze_pose_identity()};
    for (int again = 0; again < 40; again++)
        assert_false(check_answer(&cache, &a, &b));
    assert_true(cache.answered_by_gap > 0);
    double vertices[8][3];
    body_box_vertices(vertices, lower, upper);
    assert_int_equal(graze_mesh_move_vertices(other, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_refit(NULL, trees[1], other), GRAZE_STATUS_OK);
    assert_true(check_answer(&cache, &a, &b));
    graze_tree_destroy(trees[0]);
    graze_tree_destroy(trees[1]);
    graze_mesh_destroy(wall);
    graze_mesh_destroy(other);
}

static void poses_that_are_refused_are_refused_with_a_cache(void **state)
{
    placed_shapes *s = *state;
    graze_placed_mesh a = {s->meshes[0], s->trees[0][0], graze_pose_identity()};
    graze_placed_mesh b = {s->meshes[1], s->trees[1][0], graze_pose_translation(5, 0, 0)};
    graze_pair_cache cache = graze_pair_cache_default();
    graze_any_options options = graze_any_options_default();
    options.cache = &cache;
    bool found = true;
    for (int round = 0; round < 2; round++) /* disjoint, then touching */
    {
        assert_int_equal(check_answer(&cache, &a, &b), round == 1);
        for (int entry = 0; entry < 12; entry++)
        {
            graze_placed_mesh bad = b;
            bad.pose.m[entry] = entry % 2 == 0 ? NAN : INFINITY;
            assert_int_equal(graze_pair_any(NULL, &a, &bad, &options, &found, NULL), GRAZE_STATUS_NOT_FINITE);
            bad.pose.m[entry] = 1e308;
            check_answer(&cache, &a, &bad);
            for (int again = 0; again < 3; again++)
                assert_int_equal(check_answer(&cache, &a, &b), round == 1);
        }
        graze_placed_mesh bad = b;
        bad.tree = s->trees[2][0];
        assert_int_equal(graze_pair_any(NULL, &a, &bad, &options, &found, NULL), GRAZE_STATUS_BAD_ARGUMENT);
        assert_int_equal(graze_pair_any(NULL, &a, NULL, &options, &found, NULL), GRAZE_STATUS_BAD_ARGUMENT);
        b.pose = graze_pose_translation(1, 0, 0);
    }
    assert_true(cache.answered_by_gap + cache.answered_by_witness > 0);
}

static void flights_are_right_in_every_floating_point_environment(void **state)
{
    placed_shapes *s = *state;
    grz_random random = grz_random_make(77);
    printf("seed 77\n");
    uint64_t spared = 0;
    for (int environment = 1; environment < ENVIRONMENTS; environment++)
    {
        graze_placed_mesh a = {s->meshes[0], s->trees[0][0], placed_pose(&random, 1)};
        graze_placed_mesh b = {s->meshes[3], s->trees[3][0], placed_pose(&random, 2)};
        graze_pair_cache cache = graze_pair_cache_default();
        for (int frame = 0; frame < 200; frame++)
        {
            saved_environment saved;
            environment_enter(&saved, environment);
            check_answer(&cache, &a, &b);
            environment_leave(&saved);
            step(&random, 0.01, &b.pose);
        }
        spared += cache.answered_by_gap + cache.answered_by_witness;
    }
    assert_true(spared > 200);
}

/* A cache stores refs of leaves, but not of which tree: it is used with one tree, then with another, then without. */
static void trees_may_be_exchanged_under_the_cache(void **state)
{
    placed_shapes *s = *state;
    const uint64_t seed = 1918;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned met = 0, again = 0;
    for (unsigned flight = 0; flight < 40; flight++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES), j = grz_random_below(&random, PLACED_SHAPES);
        graze_placed_mesh a = {s->meshes[i], NULL, placed_pose(&random, 0.5)};
        graze_placed_mesh b = {s->meshes[j], NULL, placed_pose(&random, 0.5)};
        graze_pair_cache cache = graze_pair_cache_default();
        bool before = false;
        for (int frame = 0; frame < 50; frame++)
        {
            size_t kind_a = grz_random_below(&random, PLACED_LEAF_SIZES + 1), kind_b = grz_random_below(&random, 3);
            a.tree = kind_a < PLACED_LEAF_SIZES ? s->trees[i][kind_a] : NULL;
            b.tree = s->trees[j][kind_b];
            bool now = check_answer(&cache, &a, &b);
            met += now;
            again += now && before;
            before = now;
            step(&random, 0.05, &b.pose);
        }
    }
    printf("%u met, %u of these again\n", met, again);
    assert_true(met > 500 && again > 400);
}

static void without_memory_the_cache_learns_nothing_wrong(void **state)
{
    placed_shapes *s = *state;
    graze_placed_mesh a = {s->meshes[2], s->trees[2][2], graze_pose_identity()};
    graze_placed_mesh b = {s->meshes[1], s->trees[1][2], graze_pose_translation(2.55, 0, 0)};
    for (size_t allowed = 0; allowed < 6; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_pair_cache cache = graze_pair_cache_default();
        graze_any_options options = graze_any_options_default();
        options.cache = &cache;
        bool found = false;
        graze_status status = graze_pair_any(&context, &a, &b, &options, &found, NULL);
        assert_int_equal(allocator.live, 0);
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
        check_answer(&cache, &a, &b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flights_with_a_cache_give_the_answers_of_flights_without),
        cmocka_unit_test(the_first_touch_is_not_missed),
        cmocka_unit_test(a_bar_that_turns_into_a_wall_is_noticed),
        cmocka_unit_test(meshes_that_change_under_the_cache_are_noticed),
        cmocka_unit_test(a_cache_that_does_not_help_looks_ever_less_often),
        cmocka_unit_test(the_leaves_of_a_hit_are_learned_also_after_many_others),
        cmocka_unit_test(meshes_with_the_same_identity_are_told_apart),
        cmocka_unit_test(vertices_that_move_under_the_cache_are_noticed),
        cmocka_unit_test(poses_that_are_refused_are_refused_with_a_cache),
        cmocka_unit_test(flights_are_right_in_every_floating_point_environment),
        cmocka_unit_test(trees_may_be_exchanged_under_the_cache),
        cmocka_unit_test(without_memory_the_cache_learns_nothing_wrong),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
