/* SPDX-License-Identifier: MIT */
/*
 * The literature's methods against the engine: exact ones find the same pairs of triangles, hit for hit, under poses of
 * every kind; others never prove what is wrong.
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
    MOST_HITS = 1 << 18
};

static graze_hit expected[MOST_HITS], found[MOST_HITS];

/* Two meshes with the bodies of one method. */
typedef struct method_pair
{
    const graze_method_info *method;
    graze_placed_mesh meshes[2];
    graze_method_body *bodies[2];
} method_pair;

static graze_method_body *make_body(const char *method, const graze_mesh *mesh,
                                    const graze_method_parameters *parameters)
{
    graze_method_body *body = NULL;
    graze_status status = graze_method_body_create(NULL, method, mesh, parameters, &body);
    assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_BAD_ARGUMENT);
    return body;
}

static graze_placed_method_body placed(const method_pair *pair, int side)
{
    return (graze_placed_method_body){pair->bodies[side], pair->meshes[side].pose};
}

static void check_any(const method_pair *pair, bool collide)
{
    graze_placed_method_body a = placed(pair, 0), b = placed(pair, 1);
    graze_method_answer answer;
    assert_int_equal(graze_method_any(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_OK);
    assert_true(answer.finished);
    graze_verdict truth = collide ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (answer.collide != GRAZE_VERDICT_UNKNOWN)
        assert_int_equal(answer.collide, truth);
    if (pair->method->guarantee == GRAZE_METHOD_EXACT)
        assert_int_equal(answer.collide, truth);
    assert_int_not_equal(answer.guess, GRAZE_VERDICT_UNKNOWN);
    if (answer.has_hit)
    {
        graze_pair_counts counts;
        bool known = false;
        assert_int_equal(
            graze_pair_gather(NULL, &pair->meshes[0], &pair->meshes[1], NULL, expected, MOST_HITS, &counts),
            GRAZE_STATUS_OK);
        for (uint64_t i = 0; i < counts.pairs && !known; i++)
            known = memcmp(&expected[i], &answer.hit, sizeof answer.hit) == 0;
        assert_true(known);
    }
}

/* Returns how many pairs of triangles there are. */
static uint64_t check_all(const method_pair *pair)
{
    graze_pair_counts truth, counts;
    assert_int_equal(graze_pair_gather(NULL, &pair->meshes[0], &pair->meshes[1], NULL, expected, MOST_HITS, &truth),
                     GRAZE_STATUS_OK);
    assert_true(truth.pairs <= MOST_HITS);
    if (pair->method->subject == GRAZE_METHOD_SURFACES)
    {
        graze_placed_method_body a = placed(pair, 0), b = placed(pair, 1);
        assert_int_equal(graze_method_gather(NULL, &a, &b, NULL, found, MOST_HITS, &counts), GRAZE_STATUS_OK);
        if (pair->method->guarantee == GRAZE_METHOD_EXACT)
        {
            assert_memory_equal(&counts, &truth, sizeof counts);
            assert_memory_equal(found, expected, (size_t)counts.pairs * sizeof found[0]);
        }
        assert_true(counts.pairs <= truth.pairs);
        check_any(pair, truth.pairs > 0);
    }
    return truth.pairs;
}

/* Those for manifold surfaces refuse other meshes. */
static bool is_for_surfaces(const graze_method_info *method)
{
    return method->subject == GRAZE_METHOD_SURFACES;
}

/* All pairs of triangles take too long for the larger meshes. */
static bool is_slow(const graze_method_info *method)
{
    return strcmp(method->name, "all-pairs") == 0 || strncmp(method->name, "edges-faces", 11) == 0;
}

static void methods_find_the_engines_hits_under_every_kind_of_pose(void **state)
{
    (void)state;
    placed_shapes *shapes = placed_shapes_create();
    grz_random random = grz_random_make(77);
    uint64_t hits = 0, hit_queries = 0;
    for (size_t m = 0; m < graze_method_count(); m++)
    {
        method_pair pair = {.method = graze_method_at(m)};
        if (!is_for_surfaces(pair.method))
            continue;
        graze_method_body *bodies[PLACED_SHAPES];
        for (int i = 0; i < PLACED_SHAPES; i++)
            bodies[i] = make_body(pair.method->name, shapes->meshes[i], NULL);
        unsigned rounds = is_slow(pair.method) ? TEST_ROUNDS(20u) : TEST_ROUNDS(80u);
        for (unsigned round = 0; round < rounds; round++)
        {
            int places[2];
            for (int side = 0; side < 2; side++)
            {
                places[side] = (int)(grz_random_next(&random) % (is_slow(pair.method) ? 3 : PLACED_SHAPES));
                if (is_slow(pair.method))
                    places[side] += 4;
                pair.bodies[side] = bodies[places[side]];
                pair.meshes[side].mesh = shapes->meshes[places[side]];
                pair.meshes[side].tree = shapes->trees[places[side]][0];
            }
            if (pair.bodies[0] == NULL || pair.bodies[1] == NULL)
                continue;
            placed_poses(&random, round % POSE_KINDS, &pair.meshes[0].pose, &pair.meshes[1].pose);
            uint64_t count = check_all(&pair);
            hits += count;
            hit_queries += count > 0;
        }
        for (int i = 0; i < PLACED_SHAPES; i++)
            graze_method_body_destroy(bodies[i]);
    }
    print_message("%llu hits in %llu queries\n", (unsigned long long)hits, (unsigned long long)hit_queries);
    assert_true(hit_queries > TEST_ROUNDS(120u));
    placed_shapes_destroy(shapes);
}

/* Triangles of a small grid that touch, repeat and degenerate, under poses that keep contacts exact. */
static void methods_decide_degenerate_soups_as_the_engine_does(void **state)
{
    (void)state;
    test_random random = test_random_start("test_methods", 5);
    static const graze_pose poses[4] = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
                                        {{0, -1, 0, 2, 1, 0, 0, 0, 0, 0, 1, 0}},
                                        {{1, 0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 1}},
                                        {{-1, 0, 0, 3, 0, 0, 1, 0, 0, 1, 0, 0}}};
    uint64_t hits = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(16u); round++)
    {
        graze_mesh *meshes[2];
        for (int side = 0; side < 2; side++)
        {
            test_mesh soup = {0};
            mesh_add_soup(&soup, &random, 20, 24, 4);
            meshes[side] = mesh_create(&soup);
        }
        for (size_t m = 0; m < graze_method_count(); m++)
        {
            method_pair pair = {.method = graze_method_at(m)};
            if (!is_for_surfaces(pair.method))
                continue;
            for (int side = 0; side < 2; side++)
            {
                pair.bodies[side] = make_body(pair.method->name, meshes[side], NULL);
                pair.meshes[side] = (graze_placed_mesh){meshes[side], NULL, poses[random_below(&random, 4)]};
            }
            if (pair.bodies[0] != NULL && pair.bodies[1] != NULL)
                hits += check_all(&pair);
            for (int side = 0; side < 2; side++)
                graze_method_body_destroy(pair.bodies[side]);
        }
        graze_mesh_destroy(meshes[0]);
        graze_mesh_destroy(meshes[1]);
    }
    assert_true(hits > TEST_ROUNDS(4000u));
}

/* Boxes far from the origin of their frame, face to face under a common rotation, which is rounded: every contact is a
   true zero, at the very edge of all volumes. */
static void mated_faces_under_rounded_rotations_are_found(void **state)
{
    (void)state;
    test_random random = test_random_start("test_methods, mated faces", 9);
    unsigned touching = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(32u); round++)
    {
        test_mesh far_boxes = {0};
        double place = round % 4 == 0 ? 0.25 : 1000.25;
        mesh_add_cube(&far_boxes, place, place, place, 1);
        mesh_add_cube(&far_boxes, place, place + 2, place, 0.5);
        mesh_add_bipyramid(&far_boxes, place, place - 40, place, 2);
        graze_mesh *mesh = mesh_create(&far_boxes);
        grz_random rotations = grz_random_make(random_next(&random));
        graze_pose a = placed_pose(&rotations, 0), b = a;
        for (int i = 0; i < 3; i++)
        {
            a.m[4 * i + 3] = 0;
            b.m[4 * i + 3] = a.m[4 * i]; /* by exactly 1 along x, of the mesh's frame */
        }
        for (size_t m = 0; m < graze_method_count(); m++)
        {
            method_pair pair = {.method = graze_method_at(m), .meshes = {{mesh, NULL, a}, {mesh, NULL, b}}};
            if (!is_for_surfaces(pair.method))
                continue;
            for (int side = 0; side < 2; side++)
                pair.bodies[side] = make_body(pair.method->name, mesh, NULL);
            touching += check_all(&pair) > 0;
            for (int side = 0; side < 2; side++)
                graze_method_body_destroy(pair.bodies[side]);
        }
        graze_mesh_destroy(mesh);
    }
    assert_true(touching >= TEST_ROUNDS(32u) * 8);
}

/* Flat, tiny, huge and distant meshes, with one cache for all methods: nothing is proved wrong, and nothing takes long.
 */
static void extreme_meshes_are_decided(void **state)
{
    (void)state;
    static const double cubes[][2] = {{-1.7e308, 1.7e308}, {1, 1 + 0x1p-52}, {1e9, 1e9 + 1e-6}, {0, 1e-320}};
    for (size_t i = 0; i < sizeof cubes / sizeof cubes[0]; i++)
    {
        test_mesh cube = {0};
        const double lower[3] = {cubes[i][0], cubes[i][0], cubes[i][0]};
        const double upper[3] = {cubes[i][1], cubes[i][1], cubes[i][1]};
        mesh_add_box(&cube, lower, upper, false);
        graze_mesh *mesh = mesh_create(&cube);
        graze_method_cache cache = {{0}};
        for (size_t m = 0; m < graze_method_count(); m++)
        {
            graze_method_body *body = make_body(graze_method_at(m)->name, mesh, NULL);
            if (body == NULL)
                continue;
            const graze_placed_method_body placed_body = {body, graze_pose_identity()};
            graze_method_counters counters;
            graze_method_options options = graze_method_options_default();
            options.cache = &cache;
            options.counters = &counters;
            graze_method_answer answer;
            assert_int_equal(graze_method_any(NULL, &placed_body, &placed_body, &options, &answer), GRAZE_STATUS_OK);
            assert_int_not_equal(answer.collide, GRAZE_VERDICT_NO);
            assert_true(counters.volumes < 1000000);
            graze_method_body_destroy(body);
        }
        graze_mesh_destroy(mesh);
    }
}

/* A low probability ends a search of ADB-trees early, by a guess; what is proved stays right. */
static void low_probabilities_end_searches_by_guesses(void **state)
{
    (void)state;
    graze_mesh *torus = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 40, 16, &torus), GRAZE_STATUS_OK);
    uint64_t volumes[3] = {0, 0, 0};
    unsigned known[3] = {0, 0, 0}, wrong_guesses = 0;
    for (int low = 0; low < 3; low++)
    {
        graze_method_parameters parameters = graze_method_parameters_default();
        parameters.probability = low == 1 ? 0.05 : low == 2 ? 0.4 : 2;
        graze_method_body *body = make_body("adb", torus, &parameters);
        for (int i = 0; i < 100; i++)
        {
            graze_pose pose = graze_pose_translation(0.03 * i, 0.4, 0.2);
            const graze_placed_mesh meshes[2] = {{torus, NULL, graze_pose_identity()}, {torus, NULL, pose}};
            graze_placed_method_body a = {body, graze_pose_identity()}, b = {body, pose};
            graze_method_counters counters;
            graze_method_options options = graze_method_options_default();
            options.counters = &counters;
            graze_method_answer answer;
            bool collide;
            assert_int_equal(graze_pair_any(NULL, &meshes[0], &meshes[1], NULL, &collide, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_method_any(NULL, &a, &b, &options, &answer), GRAZE_STATUS_OK);
            graze_verdict truth = collide ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
            assert_true(answer.collide == truth || answer.collide == GRAZE_VERDICT_UNKNOWN);
            volumes[low] += counters.volumes;
            known[low] += answer.collide != GRAZE_VERDICT_UNKNOWN;
            wrong_guesses += answer.guess != truth;
        }
        graze_method_body_destroy(body);
    }
    print_message("known %u and %u of 100, %u wrong guesses, %llu and %llu volumes\n", known[0], known[1],
                  wrong_guesses, (unsigned long long)volumes[0], (unsigned long long)volumes[1]);
    assert_int_equal(known[0], 100);
    assert_true(known[1] < 90 && volumes[1] < volumes[0] && wrong_guesses < 20);
    /* Leaves have a place in the queue and no probability: they end no search. */
    print_message("with 0.4: known %u, %llu volumes\n", known[2], (unsigned long long)volumes[2]);
    assert_true(known[2] > 90);
    graze_mesh_destroy(torus);
}

/* Split rules and leaf sizes change the cost, not the answer. */
static void parameters_change_no_answer(void **state)
{
    (void)state;
    placed_shapes *shapes = placed_shapes_create();
    static const char *const names[] = {"kdop-6", "kdop-18", "rapid", "solid", "restricted-boxes", "sphere-tree"};
    grz_random random = grz_random_make(3);
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++)
        for (int rule = 0; rule <= GRAZE_SPLIT_MIN_MAX; rule++)
            for (int median = 0; median < 2; median++)
            {
                method_pair pair = {.method = graze_method_find(names[m])};
                graze_method_parameters parameters = graze_method_parameters_default();
                parameters.split_axis = (graze_split_axis)rule;
                parameters.split_at_median = median == 1;
                for (int side = 0; side < 2; side++)
                {
                    parameters.flying = side == 1;
                    parameters.leaf_size = rule == 1 ? 5 : 0;
                    parameters.depth = rule == 2 ? 3 : 0;
                    pair.meshes[side].mesh = shapes->meshes[side];
                    pair.meshes[side].tree = shapes->trees[side][0];
                    pair.bodies[side] = make_body(names[m], shapes->meshes[side], &parameters);
                    assert_true(graze_method_body_memory_size(pair.bodies[side]) > 0);
                }
                placed_poses(&random, 0, &pair.meshes[0].pose, &pair.meshes[1].pose);
                check_all(&pair);
                for (int side = 0; side < 2; side++)
                    graze_method_body_destroy(pair.bodies[side]);
            }
    placed_shapes_destroy(shapes);
}

/* A budget of box tests that ends somewhere: UNFINISHED, or an honest guess. */
static void budgets_end_a_method_honestly(void **state)
{
    (void)state;
    graze_mesh *sphere = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 4, &sphere), GRAZE_STATUS_OK);
    unsigned unfinished = 0, guesses = 0;
    for (size_t m = 0; m < graze_method_count(); m++)
    {
        const graze_method_info *method = graze_method_at(m);
        graze_method_body *body = make_body(method->name, sphere, NULL);
        if (body == NULL)
            continue;
        graze_placed_method_body a = {body, graze_pose_identity()};
        graze_placed_method_body b = {body, graze_pose_translation(1.99, 0.1, 0.05)};
        for (uint64_t limit = 1; limit < 100; limit = 4 * limit)
        {
            graze_method_options options = graze_method_options_default();
            graze_method_counters counters;
            options.budget.box_tests = limit;
            options.counters = &counters;
            graze_method_answer answer;
            graze_status status = graze_method_any(NULL, &a, &b, &options, &answer);
            if (status == GRAZE_STATUS_UNFINISHED)
            {
                assert_false(method->deadline);
                unfinished++;
                continue;
            }
            assert_int_equal(status, GRAZE_STATUS_OK);
            if (!answer.finished && !answer.has_hit)
            {
                assert_true(method->deadline);
                assert_int_equal(answer.collide, GRAZE_VERDICT_UNKNOWN);
                guesses++;
            }
        }
        graze_method_body_destroy(body);
    }
    assert_true(unfinished > 10);
    assert_true(guesses > 1);
    graze_mesh_destroy(sphere);
}

static bool never(void *user, double share)
{
    (void)share;
    ++*(int *)user;
    return false;
}

static void a_method_can_be_cancelled(void **state)
{
    (void)state;
    graze_mesh *sphere = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 16, &sphere), GRAZE_STATUS_OK);
    for (size_t m = 0; m < graze_method_count(); m++)
    {
        const graze_method_info *method = graze_method_at(m);
        graze_method_body *body = make_body(method->name, sphere, NULL);
        if (body == NULL)
            continue;
        graze_placed_method_body a = {body, graze_pose_identity()};
        graze_placed_method_body b = {body, graze_pose_translation(0.0005, 0.0003, 0.0001)};
        graze_method_options options = graze_method_options_default();
        int calls = 0;
        options.budget.progress = never;
        options.budget.progress_user = &calls;
        graze_pair_counts counts;
        graze_status status = graze_method_gather(NULL, &a, &b, &options, NULL, 0, &counts);
        if (method->subject == GRAZE_METHOD_SURFACES)
            assert_int_equal(status, GRAZE_STATUS_CANCELLED);
        assert_true(calls <= 1);
        graze_method_body_destroy(body);
    }
    graze_mesh_destroy(sphere);
}

/* Bodies and queries of every method with 0, 1, 2, ... allocations: OUT_OF_MEMORY until there are enough. */
static void every_allocation_of_a_method_may_fail(void **state)
{
    (void)state;
    graze_mesh *torus = NULL, *sphere = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 10, 6, &torus), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 1, &sphere), GRAZE_STATUS_OK);
    for (size_t m = 0; m < graze_method_count(); m++)
    {
        const char *name = graze_method_at(m)->name;
        const graze_mesh *mesh = graze_method_at(m)->mesh_class == GRAZE_METHOD_CLASS_CONVEX ? sphere : torus;
        graze_method_body *ready = make_body(name, mesh, NULL);
        assert_non_null(ready);
        graze_placed_method_body a = {ready, graze_pose_identity()};
        graze_placed_method_body b = {ready, graze_pose_translation(0.4, 0.3, 0.2)};
        graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
        for (size_t allowed = 0; status != GRAZE_STATUS_OK; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_method_body *body = NULL;
            status = graze_method_body_create(&context, name, mesh, NULL, &body);
            assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
            graze_method_body_destroy(body);
            assert_int_equal(allocator.live, 0);
        }
        status = GRAZE_STATUS_OUT_OF_MEMORY;
        for (size_t allowed = 0; status == GRAZE_STATUS_OUT_OF_MEMORY; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_pair_counts counts;
            graze_method_answer answer;
            if (graze_method_at(m)->subject == GRAZE_METHOD_SURFACES)
                status = graze_method_gather(&context, &a, &b, NULL, found, MOST_HITS, &counts);
            else
                status = graze_method_any(&context, &a, &b, NULL, &answer);
            assert_int_equal(allocator.live, 0);
        }
        assert_int_equal(status, GRAZE_STATUS_OK);
        graze_method_body_destroy(ready);
    }
    graze_mesh_destroy(torus);
    graze_mesh_destroy(sphere);
}

static void methods_are_found_by_name(void **state)
{
    (void)state;
    for (size_t m = 0; m < graze_method_count(); m++)
    {
        const graze_method_info *method = graze_method_at(m);
        assert_ptr_equal(graze_method_find(method->name), method);
        assert_non_null(method->summary);
        assert_non_null(method->source);
        for (const char *letter = method->name; *letter != '\0'; letter++)
            assert_true((*letter >= 'a' && *letter <= 'z') || (*letter >= '0' && *letter <= '9') || *letter == '-');
    }
    assert_null(graze_method_at(graze_method_count()));
    assert_null(graze_method_find("no-such-method"));
    assert_null(graze_method_find(NULL));
}

static void bodies_of_two_methods_do_not_mix(void **state)
{
    (void)state;
    graze_mesh *box = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    graze_placed_method_body a = {make_body("rapid", box, NULL), graze_pose_identity()};
    graze_placed_method_body b = {make_body("solid", box, NULL), graze_pose_identity()};
    graze_method_answer answer;
    assert_int_equal(graze_method_any(NULL, &a, &b, NULL, &answer), GRAZE_STATUS_BAD_ARGUMENT);
    graze_method_body_destroy((graze_method_body *)a.body);
    graze_method_body_destroy((graze_method_body *)b.body);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_find_the_engines_hits_under_every_kind_of_pose),
        cmocka_unit_test(methods_decide_degenerate_soups_as_the_engine_does),
        cmocka_unit_test(mated_faces_under_rounded_rotations_are_found),
        cmocka_unit_test(extreme_meshes_are_decided),
        cmocka_unit_test(low_probabilities_end_searches_by_guesses),
        cmocka_unit_test(parameters_change_no_answer),
        cmocka_unit_test(budgets_end_a_method_honestly),
        cmocka_unit_test(a_method_can_be_cancelled),
        cmocka_unit_test(every_allocation_of_a_method_may_fail),
        cmocka_unit_test(methods_are_found_by_name),
        cmocka_unit_test(bodies_of_two_methods_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
