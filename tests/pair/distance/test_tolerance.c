/* SPDX-License-Identifier: MIT */
/*
 * Tolerance queries give the pairs that measuring every pair gives, set against set, with trees and without; the pairs
 * of graze_pair_gather at 0; never fewer for a larger tolerance; and all variants of the query agree.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graze/distance.h"
#include "graze/generate.h"
#include "pair/distance/triangle_distance.h"
#include "support/failing_allocator.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    MOST = 400000
};

typedef struct fixture
{
    placed_shapes *shapes;
    graze_proximity *expected, *found;
    graze_hit *hits;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->shapes = placed_shapes_create();
    f->expected = malloc(MOST * sizeof *f->expected);
    f->found = malloc(MOST * sizeof *f->found);
    f->hits = malloc(MOST * sizeof *f->hits);
    assert_true(f->expected != NULL && f->found != NULL && f->hits != NULL);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    placed_shapes_destroy(f->shapes);
    free(f->expected);
    free(f->found);
    free(f->hits);
    free(f);
    return 0;
}

/* Every pair, measured; in order. */
static size_t brute_force(const graze_placed_mesh *a, const graze_placed_mesh *b, double tolerance,
                          graze_proximity *out)
{
    grz_measure_frame frame;
    grz_measure_frame_make(&frame, NULL, a, b);
    size_t count_b = graze_mesh_triangle_count(b->mesh), pairs = graze_mesh_triangle_count(a->mesh) * count_b;
    size_t count = 0;
    grz_triangle_pair_batch some = {.count = 0};
    for (size_t n = 0; n < pairs; n++)
    {
        some.a[some.count] = (uint32_t)(n / count_b);
        some.b[some.count++] = (uint32_t)(n % count_b);
        if (some.count < GRZ_LANES && n + 1 < pairs)
            continue;
        grz_closest_pair gaps[GRZ_LANES];
        grz_measure_pairs(&frame, &some, gaps);
        for (unsigned i = 0; i < some.count; i++)
        {
            if (gaps[i].meet || gaps[i].upper <= tolerance ||
                (gaps[i].lower <= tolerance && grz_pair_is_within(&frame, &gaps[i], tolerance, false)))
                out[count++] =
                    (graze_proximity){.triangle_a = some.a[i], .triangle_b = some.b[i], .meet = gaps[i].meet};
        }
        some.count = 0;
    }
    return count;
}

static bool same_pairs(const graze_proximity *x, const graze_proximity *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        if (x[i].triangle_a != y[i].triangle_a || x[i].triangle_b != y[i].triangle_b || x[i].meet != y[i].meet)
            return false;
    }
    return true;
}

static void check_all_ways(fixture *f, graze_placed_mesh a, graze_placed_mesh b, const graze_tree *tree_a,
                           const graze_tree *tree_b, double tolerance, size_t count)
{
    for (int set = GRAZE_INSTRUCTIONS_BEST; set < GRAZE_INSTRUCTIONS_COUNT; set++)
    {
        graze_context context = graze_context_default();
        context.instructions = (graze_instructions)set;
        a.tree = set % 2 == 0 ? tree_a : NULL;
        b.tree = tree_b;
        uint64_t number = 0;
        assert_int_equal(graze_pair_tolerance_gather(&context, &a, &b, tolerance, NULL, f->found, MOST, &number),
                         GRAZE_STATUS_OK);
        assert_int_equal(number, count);
        assert_true(same_pairs(f->found, f->expected, count));
        bool any = false;
        assert_int_equal(graze_pair_tolerance_any(&context, &b, &a, tolerance, NULL, &any, NULL), GRAZE_STATUS_OK);
        assert_int_equal(any, count > 0);
    }
}

static void tolerance_finds_what_measuring_every_pair_finds(void **state)
{
    fixture *f = *state;
    placed_shapes *s = f->shapes;
    const uint64_t seed = 20260512;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    size_t pairs = 0, empty = 0, grown = 0;
    for (unsigned n = 0; n < 20; n++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES), j = grz_random_below(&random, PLACED_SHAPES);
        unsigned k = n / POSE_KINDS % PLACED_LEAF_SIZES;
        graze_placed_mesh a = {.mesh = s->meshes[i]}, b = {.mesh = s->meshes[j]};
        placed_poses(&random, n, &a.pose, &b.pose);
        graze_distance distance;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &distance), GRAZE_STATUS_OK);
        double tolerances[3] = {0, distance.distance,
                                1.05 * distance.distance + (n % POSE_KINDS == POSE_TINY ? 1e-11 : 0.01)};
        size_t before = 0;
        for (int t = 0; t < 3; t++)
        {
            size_t count = brute_force(&a, &b, tolerances[t], f->expected);
            assert_true(count >= before);
            grown += count > before;
            before = count;
            check_all_ways(f, a, b, s->trees[i][k], s->trees[j][k], tolerances[t], count);
            pairs += count;
            empty += count == 0;
        }
    }
    printf("%zu pairs, %zu times none, grown %zu times\n", pairs, empty, grown);
    assert_true(pairs > 1000 && empty > 5 && grown > 15);
}

static void a_tolerance_of_zero_gives_the_pairs_that_meet(void **state)
{
    fixture *f = *state;
    placed_shapes *s = f->shapes;
    grz_random random = grz_random_make(9);
    printf("seed 9\n");
    size_t pairs = 0;
    for (unsigned n = 0; n < 60; n++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES), j = grz_random_below(&random, PLACED_SHAPES);
        graze_placed_mesh a = {s->meshes[i], s->trees[i][0], graze_pose_identity()};
        graze_placed_mesh b = {s->meshes[j], s->trees[j][0], graze_pose_identity()};
        placed_poses(&random, n, &a.pose, &b.pose);
        if (n % 3 != 0) /* nearer, so that more meet */
            b.pose = placed_pose(&random, 0.5);
        graze_pair_counts counts;
        uint64_t number = 0;
        assert_int_equal(graze_pair_gather(NULL, &a, &b, NULL, f->hits, MOST, &counts), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_tolerance_gather(NULL, &a, &b, 0, NULL, f->found, MOST, &number), GRAZE_STATUS_OK);
        assert_int_equal(number, counts.pairs);
        /* The square of this is no float, nor even a double. */
        assert_int_equal(graze_pair_tolerance_count(NULL, &a, &b, 0x1p-600, NULL, &number), GRAZE_STATUS_OK);
        assert_int_equal(number, counts.pairs);
        for (size_t h = 0; h < number; h++)
        {
            assert_int_equal(f->found[h].triangle_a, f->hits[h].triangle_a);
            assert_int_equal(f->found[h].triangle_b, f->hits[h].triangle_b);
            assert_int_equal(f->found[h].face_b, f->hits[h].face_b);
            assert_true(f->found[h].meet && f->found[h].upper == 0);
        }
        pairs += number;
    }
    printf("%zu pairs\n", pairs);
    assert_true(pairs > 500);
}

/* One point each, so that the distance is that of (x, y, z). */
static uint64_t count_points(const double at[3], double tolerance, bool strict)
{
    static const uint32_t corners[] = {0, 0, 0};
    static const double origin[3] = {0, 0, 0};
    graze_mesh *meshes[2];
    graze_mesh_def def = graze_mesh_def_default();
    def.vertex_count = 1;
    def.corners = corners;
    def.corner_count = 3;
    def.vertices = origin;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &meshes[0]), GRAZE_STATUS_OK);
    def.vertices = at;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &meshes[1]), GRAZE_STATUS_OK);
    graze_placed_mesh a = {meshes[0], NULL, graze_pose_identity()}, b = {meshes[1], NULL, graze_pose_identity()};
    graze_tolerance_options options = graze_tolerance_options_default();
    options.strict = strict;
    uint64_t count = 99;
    assert_int_equal(graze_pair_tolerance_count(NULL, &a, &b, tolerance, &options, &count), GRAZE_STATUS_OK);
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
    return count;
}

/* x^2 + y^2 + z^2 of small integers is compared with the square of a double as a sum of two doubles: fma gives the
   square's error. */
static void a_strict_tolerance_is_missed_by_what_lies_exactly_at_it(void **state)
{
    (void)state;
    size_t below = 0, at = 0, between = 0;
    for (int x = 0; x < 6; x++)
        for (int y = 0; y < 6; y++)
            for (int z = 0; z < 6; z++)
            {
                const double point[3] = {x, y, z};
                double square = x * x + y * y + z * z, root = sqrt(square);
                for (int step = -1; step <= 1 && square > 0; step++)
                {
                    double tolerance = step == 0 ? root : nextafter(root, step < 0 ? 0 : INFINITY);
                    double rounded = tolerance * tolerance, rest = fma(tolerance, tolerance, -rounded);
                    double excess = (rounded - square) + rest; /* both terms are small multiples of the same unit */
                    assert_int_equal(count_points(point, tolerance, true), excess > 0);
                    assert_int_equal(count_points(point, tolerance, false), excess >= 0);
                    below += excess > 0;
                    at += excess == 0;
                    /* Here the next smaller tolerance would not do instead. */
                    between += excess > 0 && count_points(point, nextafter(tolerance, 0), false) == 0;
                }
            }
    printf("%zu below, %zu at it, %zu with no double between\n", below, at, between);
    assert_true(below > 300 && at > 20 && between > 50);
    const double origin[3] = {0, 0, 0};
    assert_int_equal(count_points(origin, 0, true), 0);
    assert_int_equal(count_points(origin, 0, false), 1);
    assert_int_equal(count_points(origin, 0x1p-1074, true), 1);
}

static bool stop_at_third(void *user, const graze_proximity *near)
{
    (void)near;
    return ++*(int *)user < 3;
}

static void short_arrays_and_callbacks_that_stop_are_served(void **state)
{
    fixture *f = *state;
    placed_shapes *s = f->shapes;
    graze_placed_mesh a = {s->meshes[0], s->trees[0][0], graze_pose_identity()};
    graze_placed_mesh b = {s->meshes[1], s->trees[1][0], graze_pose_translation(0.5, 0, 0)};
    uint64_t all = 0, some = 0;
    graze_stats stats = {0};
    graze_tolerance_options options = graze_tolerance_options_default();
    options.stats = &stats;
    assert_int_equal(graze_pair_tolerance_gather(NULL, &a, &b, 0.1, &options, f->expected, MOST, &all),
                     GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_tolerance_gather(NULL, &a, &b, 0.1, NULL, f->found, 5, &some), GRAZE_STATUS_OK);
    assert_true(all > 5 && all == some && same_pairs(f->expected, f->found, 5) && stats.triangle_tests >= all);
    int visited = 0;
    assert_int_equal(graze_pair_tolerance_visit(NULL, &a, &b, 0.1, NULL, stop_at_third, &visited),
                     GRAZE_STATUS_CANCELLED);
    assert_int_equal(visited, 3);
    bool found = false;
    assert_int_equal(graze_pair_tolerance_any(NULL, &a, &b, -1, NULL, &found, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_tolerance_any(NULL, &a, &b, NAN, NULL, &found, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_tolerance_any(NULL, &a, &b, INFINITY, NULL, &found, NULL), GRAZE_STATUS_BAD_ARGUMENT);
}

static bool count_nears(void *user, const graze_proximity *near)
{
    (void)near;
    ++*(uint64_t *)user;
    return true;
}

static void nothing_is_nearer_than_zero(void **state)
{
    fixture *f = *state;
    placed_shapes *s = f->shapes;
    graze_placed_mesh a = {s->meshes[0], s->trees[0][0], graze_pose_identity()};
    graze_placed_mesh b = {s->meshes[1], s->trees[1][0], graze_pose_translation(0.5, 0, 0)};
    graze_tolerance_options options = graze_tolerance_options_default();
    for (int strict = 0; strict < 2; strict++)
    {
        options.strict = strict == 1;
        bool found = strict == 1;
        uint64_t gathered = 99, counted = 99, visited = 0;
        assert_int_equal(graze_pair_tolerance_any(NULL, &a, &b, 0, &options, &found, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_tolerance_count(NULL, &a, &b, 0, &options, &counted), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_tolerance_gather(NULL, &a, &b, 0, &options, f->found, MOST, &gathered),
                         GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_tolerance_visit(NULL, &a, &b, 0, &options, count_nears, &visited), GRAZE_STATUS_OK);
        assert_int_equal(found, strict == 0);
        assert_true(gathered == counted && counted == visited && (counted > 0) == (strict == 0));
    }
}

/* Two of eight triangles each that are near each other, in every order: found in any, reported in the order of their
   indices. */
static void two_pairs_come_in_their_order(void **state)
{
    fixture *f = *state;
    for (int number = 0; number < 64; number++)
    {
        double vertices[2][8][3][3];
        graze_placed_mesh placed[2];
        graze_mesh *meshes[2];
        graze_tree *trees[2];
        uint32_t corners[24];
        for (uint32_t i = 0; i < 24; i++)
            corners[i] = i;
        for (int side = 0; side < 2; side++)
        {
            for (int i = 0; i < 72; i++) /* far from all others except those at the same place */
                vertices[side][i / 9][i / 3 % 3][i % 3] =
                    (i % 3 == 0 ? 20 * (i / 9) + 500 * side : 0) + (i / 3 % 3 == i % 3);
            graze_mesh_def def = graze_mesh_def_default();
            int near = side == 0 ? number % 8 : number / 8, other = (near + 3) % 8;
            for (int i = 0; i < 9; i++)
            {
                vertices[side][near][i / 3][i % 3] = (i / 3 == i % 3) + 300 + (i % 3 == 2 ? 2 * side : 0);
                vertices[side][other][i / 3][i % 3] = (i / 3 == i % 3) - 300 + (i % 3 == 2 ? 2 * side : 0);
            }
            def.vertices = vertices[side];
            def.vertex_count = 24;
            def.corners = corners;
            def.corner_count = 24;
            assert_int_equal(graze_mesh_create(NULL, &def, NULL, &meshes[side]), GRAZE_STATUS_OK);
            assert_int_equal(graze_tree_create(NULL, meshes[side], NULL, NULL, &trees[side]), GRAZE_STATUS_OK);
            placed[side] =
                (graze_placed_mesh){meshes[side], number % 2 == 0 ? trees[side] : NULL, graze_pose_identity()};
        }
        uint64_t count = 0;
        assert_int_equal(graze_pair_tolerance_gather(NULL, &placed[0], &placed[1], 2.5, NULL, f->found, MOST, &count),
                         GRAZE_STATUS_OK);
        assert_int_equal(count, 2);
        assert_true(f->found[0].triangle_a < f->found[1].triangle_a);
        for (int side = 0; side < 2; side++)
        {
            graze_tree_destroy(trees[side]);
            graze_mesh_destroy(meshes[side]);
        }
    }
}

typedef struct follower
{
    const graze_proximity *expected;
    size_t count;
    bool same;
} follower;

static bool follow(void *user, const graze_proximity *near)
{
    follower *f = user;
    f->same = f->same && same_pairs(f->expected + f->count, near, 1);
    f->count++;
    return true;
}

/* More pairs than a visit buffers at a time; a short array holds the first of them. */
static void many_pairs_are_visited_in_order(void **state)
{
    fixture *f = *state;
    placed_shapes *s = f->shapes;
    graze_mesh *ball;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 6, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, ball, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_placed_mesh a = {s->meshes[2], s->trees[2][0], graze_pose_identity()};
    graze_placed_mesh b = {ball, tree, graze_pose_translation(0.5, 0, 0)};
    for (int swapped = 0; swapped < 2; swapped++)
    {
        const graze_placed_mesh *first = swapped ? &b : &a, *second = swapped ? &a : &b;
        uint64_t all = 0, some = 0;
        assert_int_equal(graze_pair_tolerance_gather(NULL, first, second, 9, NULL, f->expected, MOST, &all),
                         GRAZE_STATUS_OK);
        assert_true(all < MOST && all == graze_mesh_triangle_count(a.mesh) * graze_mesh_triangle_count(b.mesh));
        follower visits = {f->expected, 0, true};
        assert_int_equal(graze_pair_tolerance_visit(NULL, first, second, 9, NULL, follow, &visits), GRAZE_STATUS_OK);
        assert_true(visits.same && visits.count == all);
        for (size_t room = 1; room < 1000; room *= 5)
        {
            assert_int_equal(graze_pair_tolerance_gather(NULL, first, second, 9, NULL, f->found, room, &some),
                             GRAZE_STATUS_OK);
            assert_true(some == all && same_pairs(f->expected, f->found, room));
        }
        printf("%llu pairs\n", (unsigned long long)all);
        assert_true(all > 3u << 16); /* half of the buffered pairs are dropped when it is full, and are visited later */
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(ball);
}

/* The first pair is enough for any. */
static void any_stops_at_the_first_pair(void **state)
{
    fixture *f = *state;
    placed_shapes *s = f->shapes;
    graze_placed_mesh a = {s->meshes[2], s->trees[2][0], graze_pose_identity()};
    graze_placed_mesh b = {s->meshes[0], s->trees[0][0], graze_pose_translation(0.5, 0, 0)};
    graze_stats stats = {0};
    graze_tolerance_options options = graze_tolerance_options_default();
    options.stats = &stats;
    bool found = false;
    graze_proximity near = {.upper = -1};
    assert_int_equal(graze_pair_tolerance_any(NULL, &a, &b, 9, &options, &found, &near), GRAZE_STATUS_OK);
    assert_true(found && near.upper >= 0 && near.upper <= 9 && stats.triangle_tests <= GRZ_LANES);
}

/* An allocator that fails once, and not after that. */
typedef struct stumbling
{
    size_t requests, at;
} stumbling;

static void *stumble(void *user, void *memory, size_t size)
{
    stumbling *s = user;
    return s->requests++ == s->at ? NULL : realloc(memory, size);
}

static void *stumble_anew(void *user, size_t size)
{
    return stumble(user, NULL, size);
}

static void let_go(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static void an_allocation_that_fails_once_loses_no_pair(void **state)
{
    fixture *f = *state;
    placed_shapes *s = f->shapes;
    graze_placed_mesh a = {s->meshes[0], s->trees[0][0], graze_pose_identity()};
    graze_placed_mesh b = {s->meshes[1], s->trees[1][0], graze_pose_translation(0.5, 0, 0)};
    uint64_t all = 0, some = 0;
    assert_int_equal(graze_pair_tolerance_gather(NULL, &a, &b, 0.5, NULL, f->expected, MOST, &all), GRAZE_STATUS_OK);
    size_t failures = 0;
    for (stumbling memory = {0, 0};; memory = (stumbling){0, memory.at + 1})
    {
        graze_context context = graze_context_default();
        context.allocator = (graze_allocator){stumble_anew, stumble, let_go, &memory};
        graze_status status = graze_pair_tolerance_gather(&context, &a, &b, 0.5, NULL, f->found, MOST, &some);
        if (memory.requests <= memory.at)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures >= 3 && some == all && same_pairs(f->expected, f->found, all));
}

static void every_failing_allocation_is_survived(void **state)
{
    fixture *f = *state;
    placed_shapes *s = f->shapes;
    graze_placed_mesh a = {s->meshes[2], s->trees[2][0], graze_pose_identity()};
    graze_placed_mesh b = {s->meshes[1], s->trees[1][0], graze_pose_identity()};
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        uint64_t number = 0;
        graze_status status = graze_pair_tolerance_gather(&context, &a, &b, 2, NULL, f->found, MOST, &number);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tolerance_finds_what_measuring_every_pair_finds),
        cmocka_unit_test(a_tolerance_of_zero_gives_the_pairs_that_meet),
        cmocka_unit_test(a_strict_tolerance_is_missed_by_what_lies_exactly_at_it),
        cmocka_unit_test(short_arrays_and_callbacks_that_stop_are_served),
        cmocka_unit_test(nothing_is_nearer_than_zero),
        cmocka_unit_test(two_pairs_come_in_their_order),
        cmocka_unit_test(many_pairs_are_visited_in_order),
        cmocka_unit_test(any_stops_at_the_first_pair),
        cmocka_unit_test(an_allocation_that_fails_once_loses_no_pair),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
