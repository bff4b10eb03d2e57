/* SPDX-License-Identifier: MIT */
/*
 * Trees of bounding volumes: every rule of building, way of tumbling, order and degree gives the engine's pairs; and
 * what they change of the cost is what the literature says of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/graze.h"
#include "support/failing_allocator.h"
#include "support/meshes.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    MOST_HITS = 1 << 16
};

static graze_hit expected[MOST_HITS], found[MOST_HITS];

static const char *const trees[] = {"kdop-6", "kdop-14", "kdop-18",          "kdop-26",   "kdop",
                                    "rapid",  "solid",   "restricted-boxes", "rapid-lite"};

enum
{
    TREES = sizeof trees / sizeof trees[0],
    DOPS = 5
};

/* Neither spans by axes, nor has short coordinates. */
static const double own_directions[6][3] = {{1, 0.5, 0.25}, {-0.3, 4, 1},   {0, 1, -7},
                                            {1, 1, 1},      {1e3, -1e3, 1}, {2, 1, 0}};

typedef struct tree_pair
{
    graze_method_body *bodies[2];
    graze_placed_mesh meshes[2];
} tree_pair;

/* Both orders of the pair, and returns the number of pairs. */
static uint64_t check(const tree_pair *pair, graze_traversal_order order, graze_method_counters *out_counters)
{
    graze_pair_counts truth, counts;
    graze_placed_method_body a = {pair->bodies[0], pair->meshes[0].pose}, b = {pair->bodies[1], pair->meshes[1].pose};
    graze_method_options options = graze_method_options_default();
    options.order = order;
    options.counters = out_counters;
    assert_int_equal(graze_pair_gather(NULL, &pair->meshes[0], &pair->meshes[1], NULL, expected, MOST_HITS, &truth),
                     GRAZE_STATUS_OK);
    assert_true(truth.pairs <= MOST_HITS);
    assert_int_equal(graze_method_gather(NULL, &a, &b, &options, found, MOST_HITS, &counts), GRAZE_STATUS_OK);
    assert_memory_equal(&counts, &truth, sizeof counts);
    assert_memory_equal(found, expected, (size_t)counts.pairs * sizeof found[0]);
    assert_int_equal(out_counters->pairs_left, 0);
    return truth.pairs;
}

/* Parameters of every kind, drawn at random. */
static graze_method_parameters random_parameters(grz_random *random, const char *method, int side)
{
    graze_method_parameters p = graze_method_parameters_default();
    static const uint32_t leaf_sizes[] = {0, 1, 3, 40};
    p.leaf_size = leaf_sizes[grz_random_below(random, 4)];
    p.split_axis = (graze_split_axis)grz_random_below(random, GRAZE_SPLIT_MINKOWSKI + 1);
    p.split_point = (graze_split_point)grz_random_below(random, GRAZE_SPLIT_AT_BEST_OF_SOME + 1);
    p.split_candidates = (uint32_t)grz_random_below(random, 5);
    p.seed = grz_random_next(random);
    p.degree = (uint32_t)grz_random_below(random, 8);
    p.degree += p.degree > 0;
    p.bottom_up = grz_random_below(random, 3) == 0;
    p.tumbling = (graze_tumbling)grz_random_below(random, GRAZE_TUMBLING_HILL_CLIMBING + 1);
    p.flying = side == 1;
    if (strcmp(method, "kdop") == 0)
    {
        p.directions = own_directions;
        p.direction_count = 6;
    }
    return p;
}

static void options_of_trees_change_no_pair(void **state)
{
    (void)state;
    placed_shapes *shapes = placed_shapes_create();
    test_random seeds = test_random_start("test_trees, options", 3);
    grz_random random = grz_random_make(random_next(&seeds));
    uint64_t hits = 0;
    unsigned hit_queries = 0, by_duality = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(48u); round++)
    {
        const char *method = trees[round % TREES];
        tree_pair pair;
        graze_method_counters counters;
        for (int side = 0; side < 2; side++)
        {
            size_t shape = (size_t)grz_random_below(&random, PLACED_SHAPES);
            graze_method_parameters parameters = random_parameters(&random, method, side);
            pair.meshes[side].mesh = shapes->meshes[shape];
            pair.meshes[side].tree = shapes->trees[shape][0];
            assert_int_equal(
                graze_method_body_create(NULL, method, shapes->meshes[shape], &parameters, &pair.bodies[side]),
                GRAZE_STATUS_OK);
            by_duality += parameters.tumbling == GRAZE_TUMBLING_DUALITY;
        }
        for (unsigned k = 0; k < 3; k++)
        {
            placed_poses(&random, (round + k) % POSE_KINDS, &pair.meshes[0].pose, &pair.meshes[1].pose);
            graze_traversal_order order = (graze_traversal_order)((round / TREES + k) % 4);
            uint64_t count = check(&pair, order, &counters);
            hits += count;
            hit_queries += count > 0;
        }
        for (int side = 0; side < 2; side++)
            graze_method_body_destroy(pair.bodies[side]);
    }
    print_message("%llu hits in %u of %u queries\n", (unsigned long long)hits, hit_queries, 3 * TEST_ROUNDS(48u));
    assert_true(hit_queries > TEST_ROUNDS(48u) / 4);
    assert_true(by_duality > TEST_ROUNDS(48u) / 4);
    placed_shapes_destroy(shapes);
}

/* A box and its copy beside it, face to face under a common rounded rotation: contacts are true zeros at the very edge
   of all dops, whichever way they are tumbled. */
static void mated_faces_are_found_by_every_way_of_tumbling(void **state)
{
    (void)state;
    test_random random = test_random_start("test_trees, mated faces", 12);
    uint64_t hits = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(12u); round++)
    {
        test_mesh boxes = {0};
        double place = round % 3 == 0 ? 0.25 : 1000.25;
        mesh_add_cube(&boxes, place, place, place, 1);
        mesh_add_cube(&boxes, place, place + 2, place, 0.5);
        mesh_add_bipyramid(&boxes, place, place - 40, place, 2);
        graze_mesh *mesh = mesh_create(&boxes);
        grz_random rotations = grz_random_make(random_next(&random));
        graze_pose a = placed_pose(&rotations, 0), b = a;
        for (int i = 0; i < 3; i++)
        {
            a.m[4 * i + 3] = 0;
            b.m[4 * i + 3] = a.m[4 * i];
        }
        for (int d = 0; d < DOPS; d++)
            for (int way = 0; way <= GRAZE_TUMBLING_HILL_CLIMBING; way++)
            {
                graze_method_parameters parameters = graze_method_parameters_default();
                parameters.tumbling = (graze_tumbling)way;
                parameters.directions = own_directions;
                parameters.direction_count = 6;
                tree_pair pair = {.meshes = {{mesh, NULL, a}, {mesh, NULL, b}}};
                graze_method_counters counters;
                assert_int_equal(graze_method_body_create(NULL, trees[d], mesh, &parameters, &pair.bodies[0]),
                                 GRAZE_STATUS_OK);
                pair.bodies[1] = pair.bodies[0];
                hits += check(&pair, GRAZE_TRAVERSAL_ENVIRONMENT_FIRST, &counters);
                graze_method_body_destroy(pair.bodies[0]);
            }
        graze_mesh_destroy(mesh);
    }
    assert_true(hits > TEST_ROUNDS(12u) * 40);
}

/* The cost of one pose pair of two tori by parameters of the second body. */
static graze_method_counters cost_of(const graze_mesh *mesh, const char *method,
                                     const graze_method_parameters *parameters, graze_traversal_order order)
{
    graze_method_counters sum = {0};
    graze_method_body *bodies[2];
    for (int side = 0; side < 2; side++)
        assert_int_equal(graze_method_body_create(NULL, method, mesh, parameters, &bodies[side]), GRAZE_STATUS_OK);
    grz_random random = grz_random_make(8);
    for (int i = 0; i < 12; i++)
    {
        tree_pair pair = {{bodies[0], bodies[1]}, {{mesh, NULL, placed_pose(&random, 0)}, {mesh, NULL, {{0}}}}};
        graze_method_counters counters;
        pair.meshes[1].pose = placed_pose(&random, 0);
        for (int k = 0; k < 3; k++)
        {
            pair.meshes[0].pose.m[4 * k + 3] = 0;
            pair.meshes[1].pose.m[4 * k + 3] = grz_random_between(&random, -0.6, 0.6);
        }
        check(&pair, order, &counters);
        sum.volumes += counters.volumes;
        sum.updates += counters.updates;
        sum.primitives += counters.primitives;
        sum.vertices += counters.vertices;
    }
    for (int side = 0; side < 2; side++)
        graze_method_body_destroy(bodies[side]);
    return sum;
}

/* Vertices bound a moved dop as tightly as can be, duality by one of its choices; corners bound the triangles. */
static void tighter_tumbling_tests_fewer_volumes(void **state)
{
    (void)state;
    graze_mesh *torus = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 24, 10, &torus), GRAZE_STATUS_OK);
    for (int own = 0; own < 2; own++)
    {
        uint64_t volumes[4];
        for (int way = 0; way <= GRAZE_TUMBLING_HILL_CLIMBING; way++)
        {
            graze_method_parameters parameters = graze_method_parameters_default();
            parameters.tumbling = (graze_tumbling)way;
            parameters.directions = own_directions;
            parameters.direction_count = 6;
            graze_method_counters cost =
                cost_of(torus, own == 1 ? "kdop" : "kdop-18", &parameters, GRAZE_TRAVERSAL_ENVIRONMENT_FIRST);
            volumes[way] = cost.volumes;
            assert_int_equal(cost.vertices > 0, way == GRAZE_TUMBLING_HILL_CLIMBING);
            assert_true(cost.updates > 100);
        }
        print_message("volumes: corners %llu, duality %llu, vertices %llu, hill climbing %llu\n",
                      (unsigned long long)volumes[0], (unsigned long long)volumes[1], (unsigned long long)volumes[2],
                      (unsigned long long)volumes[3]);
        assert_true(volumes[GRAZE_TUMBLING_DEFAULT] < volumes[GRAZE_TUMBLING_DUALITY]);
        assert_true(volumes[GRAZE_TUMBLING_VERTICES] < volumes[GRAZE_TUMBLING_DUALITY]);
        assert_true(volumes[GRAZE_TUMBLING_HILL_CLIMBING] <= volumes[GRAZE_TUMBLING_VERTICES]);
    }
    graze_mesh_destroy(torus);
}

/* Descending the larger volume first takes fewer tests; degrees and rules change the tree. */
static void orders_degrees_and_rules_change_the_cost(void **state)
{
    (void)state;
    graze_mesh *torus = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 24, 10, &torus), GRAZE_STATUS_OK);
    graze_method_parameters parameters = graze_method_parameters_default();
    uint64_t first = cost_of(torus, "kdop-18", &parameters, GRAZE_TRAVERSAL_ENVIRONMENT_FIRST).volumes;
    uint64_t restart = cost_of(torus, "kdop-18", &parameters, GRAZE_TRAVERSAL_RESTART).volumes;
    uint64_t larger = cost_of(torus, "kdop-18", &parameters, GRAZE_TRAVERSAL_LARGER_FIRST).volumes;
    print_message("volumes: environment first %llu, restart %llu, larger first %llu\n", (unsigned long long)first,
                  (unsigned long long)restart, (unsigned long long)larger);
    assert_true(larger < first && restart != first);
    uint64_t costs[8], seen = 0;
    size_t sizes[8];
    for (int i = 0; i < 8; i++)
    {
        graze_method_body *body = NULL;
        parameters = graze_method_parameters_default();
        parameters.split_axis = i < 6 ? (graze_split_axis)i : GRAZE_SPLIT_SPLATTER;
        parameters.degree = i == 6 ? 8 : 0;
        parameters.bottom_up = i == 7;
        costs[i] = cost_of(torus, "kdop-18", &parameters, GRAZE_TRAVERSAL_DEFAULT).volumes;
        assert_int_equal(graze_method_body_create(NULL, "kdop-18", torus, &parameters, &body), GRAZE_STATUS_OK);
        sizes[i] = graze_method_body_memory_size(body);
        graze_method_body_destroy(body);
        for (int k = 0; k < i; k++)
            seen += costs[k] == costs[i];
        assert_true(costs[i] < 2 * costs[0]);
    }
    assert_true(seen <= 3);
    assert_true(sizes[6] < sizes[0]); /* fewer inner nodes */
    assert_int_equal(sizes[7], sizes[0]);
    graze_mesh_destroy(torus);
}

/* Stopped by a budget, a tree says that it does not know and how many pairs of nodes are left; with more it ends. */
static void deadlines_leave_pairs(void **state)
{
    (void)state;
    graze_mesh *sphere = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 6, &sphere), GRAZE_STATUS_OK);
    static const char *const names[] = {"kdop-18",     "rapid", "solid", "restricted-boxes",
                                        "sphere-tree", "adb",   "swift", "cd"};
    unsigned unknown = 0;
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++)
    {
        graze_method_body *body = NULL;
        assert_int_equal(graze_method_body_create(NULL, names[m], sphere, NULL, &body), GRAZE_STATUS_OK);
        assert_true(graze_method_find(names[m])->deadline);
        graze_placed_method_body a = {body, graze_pose_identity()}, b = {body, graze_pose_translation(1.995, 0.1, 0)};
        for (uint64_t limit = 1; limit < 1000; limit *= 3)
        {
            graze_method_options options = graze_method_options_default();
            graze_method_counters counters;
            graze_method_answer answer;
            options.budget.box_tests = limit;
            options.counters = &counters;
            assert_int_equal(graze_method_any(NULL, &a, &b, &options, &answer), GRAZE_STATUS_OK);
            if (!answer.finished && !answer.has_hit)
            {
                assert_int_equal(answer.collide, GRAZE_VERDICT_UNKNOWN);
                assert_int_not_equal(answer.guess, GRAZE_VERDICT_UNKNOWN);
                unknown++;
            }
            else
                assert_int_equal(answer.finished ? counters.pairs_left : 0, 0);
            if (!answer.finished && strcmp(names[m], "swift") != 0)
                assert_true(counters.pairs_left > 0 || answer.has_hit);
        }
        graze_method_body_destroy(body);
    }
    assert_true(unknown > 16);
    graze_mesh_destroy(sphere);
}

static void directions_that_span_no_space_are_refused(void **state)
{
    (void)state;
    static const double flat[4][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, -1, 0}};
    static const double unusable[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    static const double infinite[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}};
    double many[33][3];
    test_mesh cube = {0};
    mesh_add_cube(&cube, 0, 0, 0, 1);
    graze_mesh *mesh = mesh_create(&cube);
    graze_method_body *body = NULL;
    grz_random random = grz_random_make(4);
    for (int d = 0; d < 33; d++)
        for (int i = 0; i < 3; i++)
            many[d][i] = grz_random_between(&random, -1, 1);
    const struct
    {
        const double (*directions)[3];
        uint32_t count;
        graze_status status;
    } cases[] = {{flat, 4, GRAZE_STATUS_BAD_ARGUMENT},
                 {unusable, 4, GRAZE_STATUS_BAD_ARGUMENT},
                 {infinite, 3, GRAZE_STATUS_BAD_ARGUMENT},
                 {unusable, 2, GRAZE_STATUS_BAD_ARGUMENT},
                 {(const double(*)[3])many, 33, GRAZE_STATUS_BAD_ARGUMENT},
                 {unusable, 3, GRAZE_STATUS_OK},
                 {(const double(*)[3])many, 32, GRAZE_STATUS_OK}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_method_parameters parameters = graze_method_parameters_default();
        parameters.directions = cases[i].directions;
        parameters.direction_count = cases[i].count;
        assert_int_equal(graze_method_body_create(NULL, "kdop", mesh, &parameters, &body), cases[i].status);
        if (cases[i].status == GRAZE_STATUS_OK)
            graze_method_body_destroy(body);
    }
    graze_method_parameters bad = graze_method_parameters_default();
    for (uint32_t degree = 1; degree < 12; degree += 8)
    {
        bad.degree = degree;
        assert_int_equal(graze_method_body_create(NULL, "kdop", mesh, &bad, &body), GRAZE_STATUS_BAD_ARGUMENT);
    }
    graze_mesh_destroy(mesh);
}

/* Bodies of other directions have nothing in common, but are still compared. */
static void dops_of_other_directions_are_compared_all_the_same(void **state)
{
    (void)state;
    graze_mesh *sphere = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 3, &sphere), GRAZE_STATUS_OK);
    tree_pair pair = {
        .meshes = {{sphere, NULL, graze_pose_identity()}, {sphere, NULL, graze_pose_translation(1.7, 0.2, 0.1)}}};
    graze_method_parameters parameters = graze_method_parameters_default();
    graze_method_counters counters;
    for (int side = 0; side < 2; side++)
    {
        assert_int_equal(graze_method_body_create(NULL, "kdop", sphere, &parameters, &pair.bodies[side]),
                         GRAZE_STATUS_OK);
        parameters.directions = own_directions;
        parameters.direction_count = 6;
    }
    assert_true(check(&pair, GRAZE_TRAVERSAL_DEFAULT, &counters) > 10);
    for (int side = 0; side < 2; side++)
        graze_method_body_destroy(pair.bodies[side]);
    graze_mesh_destroy(sphere);
}

static void every_allocation_of_every_rule_may_fail(void **state)
{
    (void)state;
    graze_mesh *torus = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 8, 5, &torus), GRAZE_STATUS_OK);
    unsigned failures = 0;
    for (int i = 0; i < 6; i++)
    {
        graze_method_parameters parameters = graze_method_parameters_default();
        parameters.split_point = i == 0 ? GRAZE_SPLIT_AT_BEST : i == 1 ? GRAZE_SPLIT_AT_MEDIAN : GRAZE_SPLIT_AT_MEAN;
        parameters.split_axis = i == 2 ? GRAZE_SPLIT_PCA_SWEEP : GRAZE_SPLIT_SPLATTER;
        parameters.bottom_up = i == 3;
        parameters.tumbling = i == 4 ? GRAZE_TUMBLING_VERTICES : i == 5 ? GRAZE_TUMBLING_HILL_CLIMBING : 0;
        graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
        for (size_t allowed = 0; status != GRAZE_STATUS_OK; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_method_body *body = NULL;
            status = graze_method_body_create(&context, "kdop-14", torus, &parameters, &body);
            assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
            failures += status != GRAZE_STATUS_OK;
            graze_method_body_destroy(body);
            assert_int_equal(allocator.live, 0);
        }
    }
    assert_true(failures > 30);
    graze_mesh_destroy(torus);
}

/* A body of 18-dops as bytes; the caller frees them. */
static unsigned char *saved_body(const graze_mesh *mesh, const graze_method_parameters *parameters, size_t *out_size)
{
    graze_method_body *body = NULL;
    assert_int_equal(graze_method_body_create(NULL, "kdop-18", mesh, parameters, &body), GRAZE_STATUS_OK);
    *out_size = graze_method_body_saved_size(body);
    unsigned char *bytes = malloc(*out_size);
    assert_non_null(bytes);
    assert_int_equal(graze_method_body_save(body, bytes, *out_size - 1), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_method_body_save(body, bytes, *out_size), GRAZE_STATUS_OK);
    graze_method_body_destroy(body);
    return bytes;
}

/* Compares a loaded body with the engine, against itself. */
static uint64_t check_loaded(const graze_mesh *mesh, graze_method_body *body, graze_method_counters *out_counters)
{
    static const graze_pose beside = {{0.8, -0.6, 0, 0.7, 0.6, 0.8, 0, 0.1, 0, 0, 1, 0.05}};
    const tree_pair pair = {{body, body}, {{mesh, NULL, graze_pose_identity()}, {mesh, NULL, beside}}};
    return check(&pair, GRAZE_TRAVERSAL_DEFAULT, out_counters);
}

static void saved_trees_answer_as_before(void **state)
{
    (void)state;
    graze_mesh *torus = NULL, *other = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 16, 8, &torus), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 16, 9, &other), GRAZE_STATUS_OK);
    for (uint32_t degree = 2; degree <= 8; degree += 3)
    {
        graze_method_parameters parameters = graze_method_parameters_default();
        graze_method_counters before, after;
        graze_method_body *body = NULL;
        size_t size;
        parameters.degree = degree;
        unsigned char *bytes = saved_body(torus, &parameters, &size);
        if (degree == 2)
        {
            size_t nodes = 2 * graze_mesh_triangle_count(torus) - 1;
            assert_int_equal(size, nodes * (8 * 18 + 12) + 4 * graze_mesh_triangle_count(torus) + 40);
        }
        assert_int_equal(graze_method_body_create(NULL, "kdop-18", torus, &parameters, &body), GRAZE_STATUS_OK);
        assert_true(check_loaded(torus, body, &before) > 10);
        graze_method_body_destroy(body);
        assert_int_equal(graze_method_body_load(NULL, "kdop-18", torus, bytes, size, &body), GRAZE_STATUS_OK);
        check_loaded(torus, body, &after);
        assert_memory_equal(&before, &after, sizeof before);
        graze_method_body_destroy(body);
        assert_int_equal(graze_method_body_load(NULL, "kdop-14", torus, bytes, size, &body), GRAZE_STATUS_UNSUPPORTED);
        assert_int_equal(graze_method_body_load(NULL, "rapid", torus, bytes, size, &body), GRAZE_STATUS_UNSUPPORTED);
        assert_int_equal(graze_method_body_load(NULL, "kdop-18", other, bytes, size, &body), GRAZE_STATUS_OTHER_MESH);
        assert_int_equal(graze_method_body_load(NULL, "kdop-18", torus, bytes, 4, &body), GRAZE_STATUS_BAD_FORMAT);
        for (size_t cut = 8; cut < size; cut += 1 + cut / 4)
            assert_int_equal(graze_method_body_load(NULL, "kdop-18", torus, bytes, cut, &body), GRAZE_STATUS_TRUNCATED);
        free(bytes);
    }
    graze_mesh_destroy(torus);
    graze_mesh_destroy(other);
}

/* Any bytes are refused, or answer rightly: bits flipped anywhere, and all dops without extent. */
static void forged_trees_are_refused_or_right(void **state)
{
    (void)state;
    graze_mesh *torus = NULL;
    graze_method_body *body = NULL;
    graze_method_counters counters;
    test_random random = test_random_start("test_trees, forged", 5);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 10, 6, &torus), GRAZE_STATUS_OK);
    size_t size, nodes = 2 * graze_mesh_triangle_count(torus) - 1;
    unsigned refused = 0, loaded = 0;
    unsigned char *bytes = saved_body(torus, NULL, &size);
    for (unsigned round = 0; round < TEST_ROUNDS(600u); round++)
    {
        const size_t starts[4] = {0, 40 + nodes * 12, 40 + nodes * 156, size};
        size_t section = round % 3, length = starts[section + 1] - starts[section];
        size_t at = starts[section] + (size_t)random_below(&random, (int)length);
        unsigned char flip = (unsigned char)(1u << random_below(&random, 8));
        bytes[at] ^= flip;
        if (graze_method_body_load(NULL, "kdop-18", torus, bytes, size, &body) == GRAZE_STATUS_OK)
        {
            assert_int_equal(section, section == 0 ? 0 : 1);
            check_loaded(torus, body, &counters);
            graze_method_body_destroy(body);
            loaded++;
        }
        else
            refused++;
        bytes[at] ^= flip;
    }
    print_message("%u refused, %u loaded\n", refused, loaded);
    assert_true(refused > TEST_ROUNDS(600u) / 2 && loaded > TEST_ROUNDS(600u) / 5);
    memset(bytes + 40 + nodes * 12, 0, nodes * 144);
    assert_int_equal(graze_method_body_load(NULL, "kdop-18", torus, bytes, size, &body), GRAZE_STATUS_OK);
    assert_true(check_loaded(torus, body, &counters) > 10);
    graze_method_body_destroy(body);
    memset(bytes + 40 + nodes * 12, 0xff, nodes * 144); /* not numbers */
    assert_int_equal(graze_method_body_load(NULL, "kdop-18", torus, bytes, size, &body), GRAZE_STATUS_OK);
    assert_true(check_loaded(torus, body, &counters) > 10);
    graze_method_body_destroy(body);
    free(bytes);
    graze_mesh_destroy(torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_trees_change_no_pair),
        cmocka_unit_test(mated_faces_are_found_by_every_way_of_tumbling),
        cmocka_unit_test(tighter_tumbling_tests_fewer_volumes),
        cmocka_unit_test(orders_degrees_and_rules_change_the_cost),
        cmocka_unit_test(deadlines_leave_pairs),
        cmocka_unit_test(directions_that_span_no_space_are_refused),
        cmocka_unit_test(dops_of_other_directions_are_compared_all_the_same),
        cmocka_unit_test(every_allocation_of_every_rule_may_fail),
        cmocka_unit_test(saved_trees_answer_as_before),
        cmocka_unit_test(forged_trees_are_refused_or_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
