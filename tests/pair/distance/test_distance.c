/* SPDX-License-Identifier: MIT */
/*
 * The distance of meshes is the minimum over all pairs of triangles, bit for bit, with and without trees, for every
 * instruction set and leaf size, under poses of every kind; and the effects of limits, relative errors and bad
 * arguments.
 */
#include "graze/distance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "pair/arguments.h"
#include "pair/distance/wide_pair.h"
#include "support/environment.h"
#include "support/failing_allocator.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

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

/* The minimum over all pairs, by measuring every one. Meshes that share a point give 0 and no triangles. */
static grz_closest_pair brute_force(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    grz_measure_frame frame;
    grz_measure_frame_make(&frame, NULL, a, b);
    size_t count_b = graze_mesh_triangle_count(b->mesh), count = graze_mesh_triangle_count(a->mesh) * count_b;
    grz_closest_pair best = {.distance = INFINITY}, gaps[GRZ_LANES];
    grz_triangle_pair_batch pairs = {.count = 0};
    for (size_t n = 0; n < count; n++)
    {
        pairs.a[pairs.count] = (uint32_t)(n / count_b);
        pairs.b[pairs.count++] = (uint32_t)(n % count_b);
        if (pairs.count < GRZ_LANES && n + 1 < count)
            continue;
        grz_measure_pairs(&frame, &pairs, gaps);
        for (unsigned i = 0; i < pairs.count; i++)
        {
            if (gaps[i].meet)
                return (grz_closest_pair){.meet = true};
            if (gaps[i].lower > best.distance)
                continue;
            if (gaps[i].lower < gaps[i].distance * (1 - 0x1p-36) && gaps[i].shifted &&
                !grz_measure_widely(&frame, &gaps[i], NULL))
                grz_measure_exactly(&frame, &gaps[i]);
            if (gaps[i].distance < best.distance)
                best = gaps[i];
        }
        pairs.count = 0;
    }
    return best;
}

static bool same_distance(const graze_distance *x, const graze_distance *y)
{
    return x->found == y->found && x->distance == y->distance && x->upper == y->upper &&
           x->triangle_a == y->triangle_a && x->triangle_b == y->triangle_b && x->face_a == y->face_a &&
           x->face_b == y->face_b && memcmp(x->point_a, y->point_a, sizeof x->point_a) == 0 &&
           memcmp(x->point_b, y->point_b, sizeof x->point_b) == 0;
}

static graze_distance swapped(graze_distance d)
{
    graze_distance s = d;
    s.triangle_a = d.triangle_b;
    s.triangle_b = d.triangle_a;
    s.face_a = d.face_b;
    s.face_b = d.face_a;
    memcpy(s.point_a, d.point_b, sizeof d.point_b);
    memcpy(s.point_b, d.point_a, sizeof d.point_a);
    return s;
}

static graze_distance ask(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_distance d;
    assert_int_equal(graze_pair_distance(context, a, b, NULL, &d), GRAZE_STATUS_OK);
    assert_true(d.found && d.lower >= 0 && d.lower <= d.distance && d.distance <= d.upper);
    return d;
}

/* All methods give one answer. Where the meshes meet, they may find different pairs that do. */
static void check_ways(graze_placed_mesh a, graze_placed_mesh b, const graze_tree *tree_a, const graze_tree *tree_b,
                       const graze_distance *expected)
{
    for (int set = GRAZE_INSTRUCTIONS_BEST; set < GRAZE_INSTRUCTIONS_COUNT; set++)
    {
        graze_context context = graze_context_default();
        context.instructions = (graze_instructions)set;
        a.tree = tree_a;
        b.tree = tree_b;
        graze_distance with = ask(&context, &a, &b), other = swapped(ask(&context, &b, &a));
        assert_true(same_distance(&with, &other) && with.lower == other.lower);
        a.tree = NULL;
        graze_distance without = ask(&context, &a, &b);
        if (expected->distance > 0)
        {
            assert_true(same_distance(&with, expected) && same_distance(&without, expected));
            assert_true(with.lower > 0 && with.upper - with.lower <= 0x1p-33 * with.distance);
        }
        else
            assert_true(with.distance == 0 && without.distance == 0 && with.upper == 0);
    }
}

static void the_distance_is_the_least_of_all_pairs(void **state)
{
    placed_shapes *s = *state;
    const uint64_t seed = 20260311;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned zero = 0, apart = 0, named = 0;
    for (unsigned n = 0; n < 150; n++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES), j = grz_random_below(&random, PLACED_SHAPES);
        unsigned k = n / POSE_KINDS % PLACED_LEAF_SIZES;
        graze_placed_mesh a = {.mesh = s->meshes[i]}, b = {.mesh = s->meshes[j]};
        placed_poses(&random, n, &a.pose, &b.pose);
        bool exchange = grz_arguments_swapped(&a, &b);
        grz_closest_pair least = exchange ? brute_force(&b, &a) : brute_force(&a, &b);
        graze_distance expected = ask(NULL, &a, &b);
        /* Of pairs nearly as far apart, up to 2^-36 each for bounds and choice, any may be named, always the same. */
        assert_true(fabs(expected.distance - least.distance) <= 0x1p-34 * least.distance);
        assert_true((expected.distance == 0) == (least.distance == 0));
        if (!least.meet)
        {
            bool is_least = (exchange ? expected.triangle_b : expected.triangle_a) == least.triangle_a &&
                            (exchange ? expected.triangle_a : expected.triangle_b) == least.triangle_b;
            assert_true(expected.lower <= least.upper && least.lower <= expected.upper);
            named += is_least;
        }
        bool meet = false;
        assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &meet, NULL), GRAZE_STATUS_OK);
        assert_int_equal(meet, expected.distance == 0);
        check_ways(a, b, s->trees[i][k], s->trees[j][k], &expected);
        zero += least.meet;
        apart += !least.meet;
    }
    printf("%u at 0, %u apart, of which %u name the first pair\n", zero, apart, named);
    assert_true(zero > 20 && apart > 60 && named > apart / 2);
}

/* Boxes face to face, but for rounding, where many pairs are as far apart as doubles can tell: the distance is the
   least of them all, and the same with and without trees. */
static void pairs_that_doubles_do_not_tell_apart_are_measured(void **state)
{
    (void)state;
    grz_random random = grz_random_make(20261119);
    graze_mesh *mesh;
    graze_tree *tree;
    int differ = 0, rounds = 60;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 2, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int round = 0; round < rounds; round++)
    {
        const double up[3] = {0, 0, 1}, tilt[3] = {grz_random_between(&random, -1, 1), 1, 0.3};
        const double away[3] = {0.1 * round - 3, 2, 1}, gap = pow(10, -3 - round % 8),
                     above[3] = {grz_random_between(&random, -0.4, 0.4), 0.25, 1 + gap};
        graze_pose relative, pose;
        assert_int_equal(graze_pose_from_axis_angle(up, round % 3 == 0 ? 0 : round, above, &relative), GRAZE_STATUS_OK);
        graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = {mesh, NULL, graze_pose_identity()};
        assert_int_equal(graze_pose_from_axis_angle(tilt, 0.7 * round, away, &a.pose), GRAZE_STATUS_OK);
        assert_int_equal(graze_pose_compose(&a.pose, &relative, &pose, NULL), GRAZE_STATUS_OK);
        b.pose = pose;
        bool exchange = grz_arguments_swapped(&a, &b);
        grz_closest_pair least = exchange ? brute_force(&b, &a) : brute_force(&a, &b);
        graze_distance expected = ask(NULL, &a, &b);
        assert_true(!least.meet && fabs(expected.distance - gap) < 1e-14);
        assert_true(fabs(expected.distance - least.distance) <= 0x1p-34 * least.distance);
        assert_true(expected.lower <= least.upper && least.lower <= expected.upper);
        differ += fabs(expected.distance - gap) > 0x1p-34 * gap;
        check_ways(a, b, tree, tree, &expected);
    }
    printf("%d of %d gaps are others by rounding\n", differ, rounds);
    assert_true(differ > rounds / 4);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

/* An upper bound of the distance of a point from a placed mesh. */
static double distance_of_point(const double at[3], const graze_placed_mesh *placed)
{
    static const uint32_t corner[3] = {0, 0, 0};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = at;
    def.vertex_count = 1;
    def.corners = corner;
    def.corner_count = 3;
    graze_mesh *point = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &point), GRAZE_STATUS_OK);
    graze_placed_mesh p = {.mesh = point, .pose = graze_pose_identity()};
    double upper = ask(NULL, &p, placed).upper;
    graze_mesh_destroy(point);
    return upper;
}

/* The points are on their triangles, up to rounding, and as far from each other as the distance says. Where meshes meet
   it is one point of both. */
static void witness_points_are_as_far_apart_as_is_said(void **state)
{
    placed_shapes *s = *state;
    grz_random random = grz_random_make(5);
    printf("seed 5\n");
    unsigned apart = 0, meet = 0;
    for (unsigned n = 0; n < 100; n++)
    {
        size_t i = n % PLACED_SHAPES, j = n / PLACED_SHAPES % PLACED_SHAPES;
        graze_placed_mesh a = {s->meshes[i], s->trees[i][0], placed_pose(&random, 3)};
        graze_placed_mesh b = {s->meshes[j], s->trees[j][0], placed_pose(&random, 3)};
        if (n % 3 == 0) /* nearer, so that more meet */
            a.pose = b.pose = placed_pose(&random, 0.5);
        graze_distance d = ask(NULL, &a, &b);
        double sum = 0;
        for (int axis = 0; axis < 3; axis++)
            sum += (d.point_a[axis] - d.point_b[axis]) * (d.point_a[axis] - d.point_b[axis]);
        assert_true(d.distance > 0 ? fabs(sqrt(sum) - d.distance) < 1e-13 : sum == 0);
        assert_true(distance_of_point(d.point_a, &a) < 1e-13 && distance_of_point(d.point_b, &b) < 1e-13);
        apart += d.distance > 0;
        meet += d.distance == 0;
    }
    printf("%u apart, %u meet\n", apart, meet);
    assert_true(apart > 30 && meet > 10);
}

static void limits_and_relative_errors_are_kept(void **state)
{
    placed_shapes *s = *state;
    grz_random random = grz_random_make(6);
    printf("seed 6\n");
    unsigned beyond = 0, within = 0, spared = 0, at_zero = 0;
    for (unsigned n = 0; n < 200; n++)
    {
        size_t i = n % PLACED_SHAPES, j = n / PLACED_SHAPES % PLACED_SHAPES;
        graze_placed_mesh a = {s->meshes[i], n % 2 ? s->trees[i][0] : NULL, placed_pose(&random, 3)};
        graze_placed_mesh b = {s->meshes[j], s->trees[j][0], placed_pose(&random, 3)};
        graze_stats full, less;
        graze_distance_options options = graze_distance_options_default();
        options.stats = &full;
        graze_distance exact, d;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &exact), GRAZE_STATUS_OK);
        options.stats = &less;
        options.limit = grz_random_between(&random, 0, 3);
        assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_OK);
        assert_int_equal(d.found, exact.distance <= options.limit);
        if (d.found)
            assert_true(d.distance == exact.distance);
        else
            assert_true(d.lower >= options.limit * (1 - 1e-12) && d.lower <= exact.upper);
        beyond += !d.found;
        within += d.found;
        options.limit = 0;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_OK);
        assert_int_equal(d.found, exact.distance == 0);
        at_zero += d.found;
        options.limit = INFINITY;
        options.relative_error = 0.1;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_OK);
        assert_true(d.found && d.upper <= 1.1 * d.lower * (1 + 1e-10) + 1e-12);
        assert_true(d.lower <= exact.upper && d.upper >= exact.lower);
        spared += less.triangle_tests < full.triangle_tests;
    }
    printf("%u beyond, %u within, %u spared, %u at zero\n", beyond, within, spared, at_zero);
    assert_true(beyond > 20 && within > 20 && spared > 20 && at_zero > 5);
}

static void absolute_errors_are_kept(void **state)
{
    placed_shapes *s = *state;
    grz_random random = grz_random_make(7);
    printf("seed 7\n");
    unsigned spared = 0, ended = 0, met = 0;
    for (unsigned n = 0; n < 200; n++)
    {
        size_t i = n % PLACED_SHAPES, j = n / PLACED_SHAPES % PLACED_SHAPES;
        graze_placed_mesh a = {s->meshes[i], n % 2 ? s->trees[i][0] : NULL, placed_pose(&random, 3)};
        graze_placed_mesh b = {s->meshes[j], s->trees[j][0], placed_pose(&random, 3)};
        graze_stats full, less;
        graze_distance_options options = graze_distance_options_default();
        options.stats = &full;
        graze_distance exact, d;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &exact), GRAZE_STATUS_OK);
        options.stats = &less;
        options.absolute_error = n % 3 == 0 ? 1e-3 : grz_random_between(&random, 0, 2);
        assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_OK);
        assert_true(d.found && d.lower <= exact.upper && d.upper >= exact.lower);
        assert_true(d.upper - d.lower <= options.absolute_error * (1 + 1e-10) + 1e-12);
        spared += less.triangle_tests < full.triangle_tests;
        ended += d.lower == 0 && exact.distance > 0;
        met += exact.distance == 0;
    }
    printf("%u spared, %u ended at once, %u met\n", spared, ended, met);
    assert_true(spared > 20 && ended > 10 && met > 5);
}

/* Unit cubes that share a face up to some units in the last place: doubles say nothing below some hundred of them. */
static void gaps_below_what_doubles_resolve_end_the_search(void **state)
{
    (void)state;
    graze_mesh *mesh;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 4, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int ulps = 0; ulps < 8; ulps++)
        for (int k = 0; k < 4; k++)
        {
            static const double errors[4] = {0x1p-52, 0x1p-50, 0x1p-44, 0x1p-20};
            double gap = ulps * 0x1p-52;
            graze_placed_mesh a = {mesh, tree, graze_pose_identity()};
            graze_placed_mesh b = {mesh, tree, graze_pose_translation(1 + gap, 0, 0)};
            graze_distance_options options = graze_distance_options_default();
            graze_stats stats;
            options.stats = &stats;
            options.absolute_error = errors[k];
            graze_distance d;
            assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_OK);
            assert_true(d.found && d.lower <= gap && d.upper >= gap && d.upper - d.lower <= errors[k] * (1 + 1e-10));
            if (gap <= 0.5 * errors[k])
                assert_true(stats.triangle_tests < 64);
        }
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

/* A mesh and itself, where nearly every triangle meets others, with trees and without. */
static void a_search_ends_soon_after_a_pair_that_meets(void **state)
{
    (void)state;
    graze_mesh *mesh;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.3, 12, 64, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int with_tree = 0; with_tree < 2; with_tree++)
    {
        graze_placed_mesh placed = {mesh, with_tree ? tree : NULL, graze_pose_identity()};
        graze_stats stats;
        graze_distance_options options = graze_distance_options_default();
        options.stats = &stats;
        graze_distance found;
        assert_int_equal(graze_pair_distance(NULL, &placed, &placed, &options, &found), GRAZE_STATUS_OK);
        assert_true(found.found && found.distance == 0 && found.upper == 0);
        printf("%d triangles, %d pairs tested\n", (int)graze_mesh_triangle_count(mesh), (int)stats.triangle_tests);
        assert_true(stats.triangle_tests > 0 && stats.triangle_tests < graze_mesh_triangle_count(mesh) / 16);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void what_cannot_be_asked_is_refused(void **state)
{
    placed_shapes *s = *state;
    graze_placed_mesh a = {.mesh = s->meshes[0], .pose = graze_pose_identity()}, b = a;
    graze_distance d = {.distance = -1};
    graze_distance_options options = graze_distance_options_default();
    options.limit = -1;
    assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_BAD_ARGUMENT);
    options.limit = NAN;
    assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_BAD_ARGUMENT);
    options.limit = 1;
    static const double bad_errors[] = {NAN, -1, INFINITY, -0x1p-1074};
    for (size_t i = 0; i < sizeof bad_errors / sizeof *bad_errors; i++)
    {
        options.relative_error = bad_errors[i];
        assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_BAD_ARGUMENT);
    }
    options.relative_error = 0;
    for (size_t i = 0; i < sizeof bad_errors / sizeof *bad_errors; i++)
    {
        options.absolute_error = bad_errors[i];
        assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_BAD_ARGUMENT);
    }
    options.absolute_error = 0;
    options.limit = -0x1p-1074;
    for (int environment = 0; environment < ENVIRONMENTS; environment++)
    {
        saved_environment saved;
        environment_enter(&saved, environment);
        graze_status status = graze_pair_distance(NULL, &a, &b, &options, &d);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_BAD_ARGUMENT);
    }
    b.tree = s->trees[1][0];
    assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &d), GRAZE_STATUS_BAD_ARGUMENT);
    b.tree = NULL;
    b.pose.m[7] = NAN;
    assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &d), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_pair_distance(NULL, NULL, &a, NULL, &d), GRAZE_STATUS_BAD_ARGUMENT);
    assert_true(d.distance == -1);
}

static void nothing_is_infinitely_far_from_everything(void **state)
{
    placed_shapes *s = *state;
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *nothing = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &nothing), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, nothing, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_placed_mesh a = {s->meshes[0], s->trees[0][0], graze_pose_identity()};
    graze_placed_mesh b = {nothing, tree, graze_pose_identity()};
    for (int round = 0; round < 2; round++)
    {
        graze_distance d;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &d), GRAZE_STATUS_OK);
        assert_true(!d.found && isinf(d.lower));
        b.tree = NULL;
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(nothing);
}

static void every_failing_allocation_is_survived(void **state)
{
    placed_shapes *s = *state;
    graze_placed_mesh a = {.mesh = s->meshes[2], .pose = graze_pose_identity()};
    graze_placed_mesh b = {.mesh = s->meshes[1], .pose = graze_pose_translation(4, 0, 0)};
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_distance d;
        graze_status status = graze_pair_distance(&context, &a, &b, NULL, &d);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures > 0);
}

/* Meshes of one point, one segment and a few triangles, tiny compared to the other mesh. */
static graze_mesh *make_tiny(grz_random *random, int kind)
{
    double vertices[6][3];
    const uint32_t point[3] = {0, 0, 0}, segment[3] = {0, 1, 0}, few[9] = {0, 1, 2, 3, 4, 5, 5, 0, 2};
    double size = kind == 1 ? 1e-9 : 1e-3;
    for (int i = 0; i < 18; i++)
        vertices[i / 3][i % 3] = grz_random_between(random, -size, size);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 6;
    def.corners = kind == 0 ? point : kind == 1 ? segment : few;
    def.corner_count = kind == 2 ? 9 : 3;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void points_and_tiny_meshes_are_as_far_from_trees_as_from_triangles(void **state)
{
    placed_shapes *shapes = *state;
    const uint64_t seed = 45;
    printf("seed %d\n", (int)seed);
    grz_random random = grz_random_make(seed);
    size_t apart = 0, few_tests = 0;
    for (unsigned round = 0; round < 60 * POSE_KINDS; round++)
    {
        graze_mesh *tiny = make_tiny(&random, (int)(round / POSE_KINDS % 3));
        graze_tree *tree = NULL;
        assert_int_equal(graze_tree_create(NULL, tiny, NULL, NULL, &tree), GRAZE_STATUS_OK);
        size_t i = grz_random_below(&random, PLACED_SHAPES);
        graze_placed_mesh a = {tiny, tree, graze_pose_identity()};
        graze_placed_mesh b = {shapes->meshes[i], shapes->trees[i][round % 3], graze_pose_identity()};
        placed_poses(&random, round % POSE_KINDS, &a.pose, &b.pose);
        graze_distance with_trees, without, swapped;
        graze_stats stats;
        graze_distance_options options = graze_distance_options_default();
        options.stats = &stats;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &with_trees), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_distance(NULL, &b, &a, NULL, &swapped), GRAZE_STATUS_OK);
        b.tree = NULL;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &without), GRAZE_STATUS_OK);
        assert_true(with_trees.distance == without.distance && with_trees.distance == swapped.distance);
        assert_true(with_trees.lower <= with_trees.upper && with_trees.lower <= without.upper);
        if (with_trees.distance > 0)
        {
            assert_int_equal(with_trees.triangle_a, without.triangle_a);
            assert_int_equal(with_trees.triangle_b, without.triangle_b);
            assert_memory_equal(with_trees.point_b, swapped.point_a, sizeof swapped.point_a);
            apart++;
        }
        few_tests += 4 * stats.triangle_tests < graze_mesh_triangle_count(tiny) * graze_mesh_triangle_count(b.mesh);
        graze_tree_destroy(tree);
        graze_mesh_destroy(tiny);
    }
    printf("%zu apart, %zu with few tests\n", apart, few_tests);
    assert_true(apart > 400 && few_tests > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_that_doubles_do_not_tell_apart_are_measured),
        cmocka_unit_test(the_distance_is_the_least_of_all_pairs),
        cmocka_unit_test(points_and_tiny_meshes_are_as_far_from_trees_as_from_triangles),
        cmocka_unit_test(witness_points_are_as_far_apart_as_is_said),
        cmocka_unit_test(limits_and_relative_errors_are_kept),
        cmocka_unit_test(absolute_errors_are_kept),
        cmocka_unit_test(gaps_below_what_doubles_resolve_end_the_search),
        cmocka_unit_test(a_search_ends_soon_after_a_pair_that_meets),
        cmocka_unit_test(what_cannot_be_asked_is_refused),
        cmocka_unit_test(nothing_is_infinitely_far_from_everything),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
