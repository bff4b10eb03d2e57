/* SPDX-License-Identifier: MIT */
/*
 * Meshes of a few triangles against large ones, in both orders: exactly the hits of queries without trees, for every
 * instruction set, in pieces and on threads.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/search.h"
#include "graze/tasks.h"
#include "support/meshes.h"
#include "support/unit.h"
#include "tree/tree.h"

enum
{
    FEW = 7,
    MANY = 3,
    POSES = 40,
    STRAWS = 80,
    SPIKES = 84,
    MOST_HITS = 40000
};

typedef struct fixture
{
    graze_mesh *few[FEW], *many[MANY];
    graze_tree *few_trees[FEW], *many_trees[MANY];
    graze_hit *expected, *found;
} fixture;

static graze_mesh *make_triangle(void)
{
    test_mesh mesh = {0};
    uint32_t a = mesh_add_vertex(&mesh, -1, -0.5, 0.25), b = mesh_add_vertex(&mesh, 1, -0.5, 0.5);
    mesh_add_triangle(&mesh, a, b, mesh_add_vertex(&mesh, 0.25, 1, -0.75));
    return mesh_create(&mesh);
}

/* Crossed bars: three groups of leaves, tested as wholes against the larger nodes. */
static graze_mesh *make_bars(void)
{
    test_mesh mesh = {0};
    for (int bar = 0; bar < 3; bar++)
    {
        double upper[3] = {0.125, 0.125, 0.125}, lower[3];
        upper[bar] = 1;
        for (int k = 0; k < 3; k++)
            lower[k] = -upper[k];
        mesh_add_box(&mesh, lower, upper, false);
    }
    return mesh_create(&mesh);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->few[0] = make_triangle();
    assert_int_equal(graze_mesh_create_box(NULL, 2.5, 0.25, 0.25, 1, &f->few[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 0.5, 0.5, 0.5, 1, &f->few[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_tetrahedra(NULL, 1.5, 4, 3, &f->few[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_cylinder(NULL, 0.25, 2, 10, 1, &f->few[4]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.75, 1, &f->few[5]), GRAZE_STATUS_OK);
    f->few[6] = make_bars();
    assert_int_equal(graze_mesh_create_tetrahedra(NULL, 0.2, 400, 5, &f->many[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.25, 40, 20, &f->many[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 1, 12, &f->many[2]), GRAZE_STATUS_OK);
    for (int i = 0; i < FEW; i++)
    {
        assert_int_equal(graze_tree_create(NULL, f->few[i], NULL, NULL, &f->few_trees[i]), GRAZE_STATUS_OK);
        assert_int_equal(f->few_trees[i]->node_count, 1);
    }
    for (int i = 0; i < MANY; i++)
    {
        assert_int_equal(graze_tree_create(NULL, f->many[i], NULL, NULL, &f->many_trees[i]), GRAZE_STATUS_OK);
        assert_true(f->many_trees[i]->node_count > 8);
    }
    f->expected = malloc(MOST_HITS * sizeof *f->expected);
    f->found = malloc(MOST_HITS * sizeof *f->found);
    assert_true(f->expected != NULL && f->found != NULL);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < FEW; i++)
    {
        graze_tree_destroy(f->few_trees[i]);
        graze_mesh_destroy(f->few[i]);
    }
    for (int i = 0; i < MANY; i++)
    {
        graze_tree_destroy(f->many_trees[i]);
        graze_mesh_destroy(f->many[i]);
    }
    free(f->expected);
    free(f->found);
    free(f);
    return 0;
}

/* Rotated and scaled at random; every fourth on a grid of quarters, where nearly all contacts are touching ones. */
static graze_pose choose_pose(grz_random *random)
{
    double quaternion[4], translation[3], scale = grz_random_below(random, 3) == 0 ? 0.1 : 1;
    bool grid = grz_random_below(random, 4) == 0;
    for (int k = 0; k < 4; k++)
        quaternion[k] = grz_random_between(random, -1, 1);
    for (int k = 0; k < 3; k++)
        translation[k] = grid ? 0.25 * ((double)grz_random_below(random, 9) - 4) : grz_random_between(random, -1, 1);
    if (grid)
        return graze_pose_translation(translation[0], translation[1], translation[2]);
    graze_pose pose;
    assert_int_equal(graze_pose_from_quaternion(quaternion, translation, &pose), GRAZE_STATUS_OK);
    for (int i = 0; i < 12; i++)
        pose.m[i] *= i % 4 == 3 ? 1 : scale;
    return pose;
}

/* A small and a large mesh, the first of them A or B. */
static void choose_pair(const fixture *f, grz_random *random, graze_placed_mesh *a, graze_placed_mesh *b)
{
    size_t few = grz_random_below(random, FEW), many = grz_random_below(random, MANY);
    graze_placed_mesh small = {f->few[few], f->few_trees[few], choose_pose(random)};
    graze_placed_mesh large = {f->many[many], f->many_trees[many], graze_pose_identity()};
    if (grz_random_below(random, 2) == 0)
        large.pose = choose_pose(random);
    bool small_first = grz_random_below(random, 2) == 0;
    *a = small_first ? small : large;
    *b = small_first ? large : small;
}

static size_t expect(fixture *f, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_placed_mesh plain_a = *a, plain_b = *b;
    plain_a.tree = plain_b.tree = NULL;
    graze_pair_counts counts;
    assert_int_equal(graze_pair_gather(NULL, &plain_a, &plain_b, NULL, f->expected, MOST_HITS, &counts),
                     GRAZE_STATUS_OK);
    assert_true(counts.pairs <= MOST_HITS);
    return (size_t)counts.pairs;
}

static void compare_hits(const fixture *f, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        assert_int_equal(f->found[i].triangle_a, f->expected[i].triangle_a);
        assert_int_equal(f->found[i].triangle_b, f->expected[i].triangle_b);
        assert_int_equal(f->found[i].contact.mask_a, f->expected[i].contact.mask_a);
    }
}

static void every_instruction_set_finds_the_hits_of_queries_without_trees(void **state)
{
    fixture *f = *state;
    grz_random random = grz_random_make(71);
    size_t hits = 0, misses = 0;
    for (int i = 0; i < 10 * POSES; i++)
    {
        graze_placed_mesh a, b;
        choose_pair(f, &random, &a, &b);
        size_t count = expect(f, &a, &b);
        hits += count;
        misses += count == 0;
        graze_hit first = {0}, witness = {0};
        for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            graze_context context = graze_context_default();
            context.instructions = (graze_instructions)set;
            graze_pair_counts counts;
            bool meet = false;
            assert_int_equal(graze_pair_gather(&context, &a, &b, NULL, f->found, MOST_HITS, &counts), GRAZE_STATUS_OK);
            assert_int_equal(counts.pairs, count);
            compare_hits(f, count);
            assert_int_equal(graze_pair_any(&context, &a, &b, NULL, &meet, &witness), GRAZE_STATUS_OK);
            assert_true(meet == (count > 0));
            first = set == GRAZE_INSTRUCTIONS_SCALAR ? witness : first;
            assert_true(witness.triangle_a == first.triangle_a && witness.triangle_b == first.triangle_b);
        }
    }
    printf("seed 71: %zu hits, %zu pairs that miss\n", hits, misses);
    assert_true(hits > 1000 && misses > 30);
}

static void searches_in_pieces_come_to_the_same_end(void **state)
{
    fixture *f = *state;
    grz_random random = grz_random_make(72);
    size_t hits = 0, paused = 0;
    for (int i = 0; i < POSES; i++)
    {
        graze_placed_mesh a, b;
        choose_pair(f, &random, &a, &b);
        size_t count = expect(f, &a, &b), found = 0;
        graze_search *search = NULL;
        assert_int_equal(graze_search_create(NULL, &a, &b, GRAZE_SEARCH_HITS, NULL, &search), GRAZE_STATUS_OK);
        graze_pair_options options = graze_pair_options_default();
        options.budget.box_tests = 1 + grz_random_below(&random, 30);
        while (graze_search_run(search, &options.budget) == GRAZE_STATUS_UNFINISHED)
            paused++;
        assert_int_equal(graze_search_hits(search, f->found, MOST_HITS, &found), GRAZE_STATUS_OK);
        assert_int_equal(found, count);
        compare_hits(f, count);
        hits += count;
        graze_search_destroy(search);
    }
    printf("seed 72: %zu hits, %zu pauses\n", hits, paused);
    assert_true(hits > 100 && paused > POSES);
}

/* Large enough for a traversal to be split among the threads, with subsets of a small tree on the stack. */
static void threads_find_the_same_hits(void **state)
{
    fixture *f = *state;
    graze_pool *pool = NULL;
    graze_mesh *large = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_tetrahedra(NULL, 0.15, 100000, 9, &large), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, large, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_context context = graze_context_default();
    context.tasks = graze_pool_tasks(pool);
    size_t hits = 0, cut = 0;
    for (int i = 0; i < 2 * FEW; i++)
    {
        graze_placed_mesh a = {f->few[i / 2], f->few_trees[i / 2], graze_pose_identity()};
        graze_placed_mesh b = {large, tree, graze_pose_identity()};
        graze_pair_counts counts, expected;
        graze_stats stats = {0};
        graze_pair_options options = graze_pair_options_default();
        options.stats = &stats;
        const graze_placed_mesh *first = i % 2 == 0 ? &a : &b, *second = i % 2 == 0 ? &b : &a;
        assert_int_equal(graze_pair_gather(NULL, first, second, NULL, f->expected, MOST_HITS, &expected),
                         GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_gather(&context, first, second, &options, f->found, MOST_HITS, &counts),
                         GRAZE_STATUS_OK);
        assert_true(counts.pairs == expected.pairs && counts.pairs <= MOST_HITS);
        compare_hits(f, (size_t)counts.pairs);
        hits += (size_t)counts.pairs;
        cut += stats.box_tests > 65536;
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(large);
    graze_pool_destroy(pool);
    printf("%zu hits, %zu visits long enough to be cut\n", hits, cut);
    assert_true(hits > 1000 && cut >= 2);
}

/* Long triangles, whose leaves have a coarse grid. */
static graze_mesh *make_straws(void)
{
    test_mesh mesh = {0};
    test_random random = test_random_start("straws", 67);
    for (uint32_t i = 0; i < 3 * STRAWS; i++)
        mesh_add_vertex(&mesh, random_real(&random, -1, 1), random_real(&random, -1, 1), random_real(&random, -1, 1));
    for (uint32_t i = 0; i < STRAWS; i++)
        mesh_add_triangle(&mesh, 3 * i, 3 * i + 1, 3 * i + 2);
    return mesh_create(&mesh);
}

/* The lowest vertex of a large mesh along some axis penetrates a box by much less than the resolution of its leaf's
   grid. */
static void a_vertex_that_just_reaches_a_box_is_found(void **state)
{
    fixture *f = *state;
    grz_random random = grz_random_make(66);
    printf("seed 66\n");
    graze_mesh *straws = make_straws();
    graze_tree *tree;
    graze_tree_def def = graze_tree_def_default();
    def.leaf_size = 4;
    assert_int_equal(graze_tree_create(NULL, straws, &def, NULL, &tree), GRAZE_STATUS_OK);
    assert_true(tree->node_count > 1);
    for (int round = 0; round < 300; round++)
    {
        int number = round / 2 % (MANY + 1), axis = round / 2 / (MANY + 1) % 3;
        double quaternion[4], zero[3] = {0}, lowest[3] = {INFINITY, INFINITY, INFINITY};
        for (int k = 0; k < 4; k++)
            quaternion[k] = grz_random_between(&random, -1, 1);
        graze_placed_mesh large = {straws, tree, graze_pose_identity()};
        if (number < MANY)
            large = (graze_placed_mesh){f->many[number], f->many_trees[number], large.pose};
        graze_placed_mesh box = {f->few[2], f->few_trees[2], graze_pose_identity()};
        assert_int_equal(graze_pose_from_quaternion(quaternion, zero, &large.pose), GRAZE_STATUS_OK);
        for (size_t v = 0; v < graze_mesh_vertex_count(large.mesh); v++)
        {
            double at[3];
            graze_pose_apply(&large.pose, graze_mesh_vertices(large.mesh) + 3 * v, at);
            for (int k = 0; k < 3 && at[axis] < lowest[axis]; k++)
                lowest[(axis + 1 + k) % 3] = at[(axis + 1 + k) % 3]; /* that axis last */
        }
        double factor = ldexp(1, -5 * (round % 2)); /* with a small box the grid is even coarser */
        for (int k = 0; k < 3; k++)
        {
            box.pose.m[5 * k] = factor;
            box.pose.m[4 * k + 3] = k == axis ? lowest[k] - 0.25 * factor + 1e-10 : lowest[k];
        }
        for (int swapped = 0; swapped < 2; swapped++)
        {
            graze_placed_mesh first = swapped ? box : large, second = swapped ? large : box;
            graze_pair_counts with, without;
            assert_int_equal(graze_pair_count(NULL, &first, &second, NULL, &with), GRAZE_STATUS_OK);
            first.tree = second.tree = NULL;
            assert_int_equal(graze_pair_count(NULL, &first, &second, NULL, &without), GRAZE_STATUS_OK);
            assert_true(without.pairs > 0);
            assert_memory_equal(&with, &without, sizeof with);
        }
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(straws);
}

/* Triangles around the cube of side 1/2, each with a tip that is just inside one of its faces or, one in four, just
   outside: by 2^-21 to 2^-40, where the grid of a leaf as large as the cube is 2^-17. They are given in a frame rotated
   against the cube's. Triangle i is on axis i % 3, each six in a row on all six faces. */
static graze_mesh *make_spikes(test_random *random, const graze_pose *turn)
{
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < SPIKES; i++)
    {
        double side = i / 3 % 2 == 0 ? 1 : -1, depth = ldexp(1, -random_between(random, 21, 40));
        depth = random_once_in(random, 4) ? -depth : depth;
        for (int c = 0; c < 3; c++)
        {
            double at[3], x[3];
            for (int k = 0; k < 3; k++)
                at[k] = c == 0 ? random_real(random, -0.2, 0.2) : random_real(random, -0.25, 0.25);
            at[i % 3] = side * (c == 0 ? 0.25 - depth : random_real(random, 0.3, 0.35));
            for (int k = 0; k < 3; k++)
                x[k] = turn->m[k] * at[0] + turn->m[4 + k] * at[1] + turn->m[8 + k] * at[2];
            mesh_add_vertex(&mesh, x[0], x[1], x[2]);
        }
        mesh_add_triangle(&mesh, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return mesh_create(&mesh);
}

/* By how many units of a leaf's grid a quantized tip lies outside the cube. */
static double find_height(const graze_tree *tree, const grz_leaf *leaf, uint32_t place, const graze_pose *turn)
{
    uint32_t triangle = tree->order[leaf->first + place];
    double stored[3], at[3];
    for (int k = 0; k < 3; k++)
    {
        double local =
            (double)leaf->triangles.centre[k] + (double)leaf->triangles.unit * leaf->triangles.corners[0][k][place];
        stored[k] = tree->origin[k] + tree->scale * local;
    }
    graze_pose_apply(turn, stored, at);
    return ((triangle / 3 % 2 == 0 ? 1 : -1) * at[triangle % 3] - 0.25) / (tree->scale * (double)leaf->triangles.unit);
}

/* The number of tips that touch the cube, but whose quantized position is outside by more than the error of a single
   coordinate. */
static size_t count_lifted(const graze_tree *tree, const graze_pose *turn)
{
    size_t lifted = 0;
    for (size_t i = 0; i < tree->leaf_count; i++)
        for (uint32_t place = 0; place < tree->leaves[i].count; place++)
        {
            const double *tip =
                graze_mesh_vertices(tree->mesh) + 9 * (size_t)tree->order[tree->leaves[i].first + place];
            double at[3], height = find_height(tree, &tree->leaves[i], place, turn);
            graze_pose_apply(turn, tip, at);
            bool reaches = fmax(fmax(fabs(at[0]), fabs(at[1])), fabs(at[2])) < 0.25;
            lifted += reaches && height > (double)GRZ_QUANTIZATION_ERROR;
        }
    return lifted;
}

/* Leaves as large as a cube and rotated against it, whose triangles penetrate its faces by less than the quantization
   error of the leaves: along a row of large entries the errors of all three coordinates of a tip add up. */
static void tips_that_a_turned_grid_lifts_off_are_found(void **state)
{
    fixture *f = *state;
    test_random random = test_random_start(__func__, 68);
    size_t hits = 0, missed = 0, lifted = 0;
    for (int round = 0; round < 100; round++)
    {
        double quaternion[4], zero[3] = {0};
        graze_placed_mesh cube = {f->few[2], f->few_trees[2], graze_pose_identity()}, spikes = cube;
        for (int k = 0; k < 4; k++)
            quaternion[k] = random_real(&random, -1, 1);
        assert_int_equal(graze_pose_from_quaternion(quaternion, zero, &spikes.pose), GRAZE_STATUS_OK);
        graze_mesh *mesh = make_spikes(&random, &spikes.pose);
        graze_tree *tree;
        assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
        assert_true(tree->node_count > 1);
        lifted += count_lifted(tree, &spikes.pose);
        spikes.mesh = mesh;
        spikes.tree = tree;
        for (int swapped = 0; swapped < 2; swapped++)
        {
            const graze_placed_mesh *a = swapped ? &cube : &spikes, *b = swapped ? &spikes : &cube;
            size_t count = expect(f, a, b);
            hits += count;
            missed += SPIKES - (count < SPIKES ? count : SPIKES);
            for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
            {
                graze_context context = graze_context_default();
                context.instructions = (graze_instructions)set;
                graze_pair_counts counts;
                assert_int_equal(graze_pair_gather(&context, a, b, NULL, f->found, MOST_HITS, &counts),
                                 GRAZE_STATUS_OK);
                assert_int_equal(counts.pairs, count);
                compare_hits(f, count);
            }
        }
        graze_tree_destroy(tree);
        graze_mesh_destroy(mesh);
    }
    printf("%zu hits, at least %zu tips that miss, %zu lifted off\n", hits, missed, lifted);
    assert_true(hits > 10000 && missed > 2000 && lifted > 100);
}

/* Long slanted triangles in two bundles, one leaf each or more, against a mesh of boxes so small that the axes of edges
   are tested: parts of that mesh meet only one bundle, so the edges of the leaves are made in any order. The trees of
   the bundles change from query to query, so that edges left from an earlier query are wrong. */
static void edges_of_leaves_are_made_in_any_order(void **state)
{
    fixture *f = *state;
    test_random random = test_random_start(__func__, 69);
    graze_mesh *large;
    graze_tree *large_tree;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 16, &large), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, large, NULL, NULL, &large_tree), GRAZE_STATUS_OK);
    size_t hits = 0, slanted = 0;
    for (int round = 0; round < 40; round++)
    {
        test_mesh bundles = {0};
        for (uint32_t i = 0; i < 16; i++)
        {
            double x = i < 8 ? -1 : 1, y = random_real(&random, -1, 1), z = random_real(&random, -1, 1);
            for (int corner = 0; corner < 3; corner++)
                mesh_add_vertex(&bundles, x + random_real(&random, -0.8, 0.8), y + random_real(&random, -0.8, 0.8),
                                z + random_real(&random, -0.8, 0.8));
            mesh_add_triangle(&bundles, 3 * i, 3 * i + 1, 3 * i + 2);
        }
        graze_mesh *mesh = mesh_create(&bundles);
        graze_tree *tree;
        assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
        slanted += tree->node_count == 1 ? (size_t)__builtin_popcount(tree->groups.slanted) : 0;
        graze_placed_mesh a = {mesh, tree, graze_pose_identity()}, b = {large, large_tree, graze_pose_identity()};
        for (int swapped = 0; swapped < 2; swapped++)
        {
            size_t count = expect(f, swapped ? &b : &a, swapped ? &a : &b);
            graze_pair_counts counts;
            assert_int_equal(
                graze_pair_gather(NULL, swapped ? &b : &a, swapped ? &a : &b, NULL, f->found, MOST_HITS, &counts),
                GRAZE_STATUS_OK);
            assert_int_equal(counts.pairs, count);
            compare_hits(f, count);
            hits += count;
        }
        graze_tree_destroy(tree);
        graze_mesh_destroy(mesh);
    }
    printf("%zu hits, %zu leaves with slanted triangles\n", hits, slanted);
    assert_true(hits > 5000 && slanted >= 80);
    graze_tree_destroy(large_tree);
    graze_mesh_destroy(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_finds_the_hits_of_queries_without_trees),
        cmocka_unit_test(searches_in_pieces_come_to_the_same_end),
        cmocka_unit_test(a_vertex_that_just_reaches_a_box_is_found),
        cmocka_unit_test(tips_that_a_turned_grid_lifts_off_are_found),
        cmocka_unit_test(edges_of_leaves_are_made_in_any_order),
        cmocka_unit_test(threads_find_the_same_hits),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
