/* SPDX-License-Identifier: MIT */
/*
 * Methods for bodies against the engine's containment: exact ones always agree, one-sided ones never prove what is
 * wrong; under generic poses and where bodies touch exactly. And what they share: convexity, caches, parameters.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/graze.h"
#include "support/meshes.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    BODIES = 5
};

/* A cube, a bipyramid, a hull of random points, a geodesic sphere, and a needle. */
static void make_bodies(graze_mesh *meshes[BODIES])
{
    test_mesh cube = {0}, pyramid = {0}, needle = {0};
    grz_random random = grz_random_make(2);
    double points[30][3];
    const double lower[3] = {0, 0, 0}, upper[3] = {4, 0.0625, 0.0625};
    for (int i = 0; i < 30; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = grz_random_between(&random, -1, 1);
    mesh_add_cube(&cube, 0, 0, 0, 1);
    mesh_add_bipyramid(&pyramid, 0, 0, 0, 1);
    mesh_add_box(&needle, lower, upper, false);
    meshes[0] = mesh_create(&cube);
    meshes[1] = mesh_create(&pyramid);
    assert_int_equal(graze_mesh_create_hull(NULL, points[0], 30, NULL, &meshes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &meshes[3]), GRAZE_STATUS_OK);
    meshes[4] = mesh_create(&needle);
}

static void destroy_bodies(graze_mesh *meshes[BODIES])
{
    for (int i = 0; i < BODIES; i++)
        graze_mesh_destroy(meshes[i]);
}

/* How often each method knew its answer, and how often the truth was yes or no. */
typedef struct tally
{
    unsigned known, yes, no, guessed_right;
} tally;

static void check(const graze_method_info *method, graze_method_body *const bodies[2],
                  const graze_placed_mesh placed[2], graze_method_cache *cache, tally *sum)
{
    graze_solid_answer truth;
    assert_int_equal(graze_pair_containment(NULL, &placed[0], &placed[1], NULL, &truth), GRAZE_STATUS_OK);
    graze_placed_method_body a = {bodies[0], placed[0].pose}, b = {bodies[1], placed[1].pose};
    graze_method_options options = graze_method_options_default();
    options.cache = cache;
    graze_method_answer answer;
    assert_int_equal(graze_method_any(NULL, &a, &b, &options, &answer), GRAZE_STATUS_OK);
    graze_verdict right = truth.collide ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (method->guarantee == GRAZE_METHOD_EXACT || answer.collide != GRAZE_VERDICT_UNKNOWN)
        assert_int_equal(answer.collide, right);
    assert_true(answer.guess == GRAZE_VERDICT_YES || answer.guess == GRAZE_VERDICT_NO);
    sum->known += answer.collide != GRAZE_VERDICT_UNKNOWN;
    sum->guessed_right += answer.guess == right;
    sum->yes += truth.collide;
    sum->no += !truth.collide;
}

static bool takes_bodies(const graze_method_info *method)
{
    return method->subject == GRAZE_METHOD_BODIES;
}

static graze_method_body *make_body(const graze_method_info *method, const graze_mesh *mesh)
{
    graze_method_body *body = NULL;
    assert_int_equal(graze_method_body_create(NULL, method->name, mesh, NULL, &body), GRAZE_STATUS_OK);
    return body;
}

/* A pose near contact of bodies of size 1, of the kinds: rotated, on a grid of halves, turned by quarters on it, under
   a common rotation, one an ulp off. */
static void make_poses(grz_random *random, unsigned kind, graze_pose poses[2])
{
    graze_pose turn = placed_pose(random, 0);
    double t[3];
    for (int k = 0; k < 3; k++)
        t[k] = kind == 0 ? grz_random_between(random, -1.5, 1.5) : 0.5 * (double)grz_random_below(random, 5) - 1;
    poses[0] = graze_pose_identity();
    poses[1] = graze_pose_translation(t[0], t[1], t[2]);
    if (kind == 0)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                poses[1].m[4 * i + k] = turn.m[4 * i + k];
    if (kind == 2)
    {
        const double quarter[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
        for (int i = 0; i < 3; i++)
            memcpy(poses[1].m + 4 * i, quarter[i], sizeof quarter[i]);
    }
    if (kind == 3)
    {
        graze_pose placed_a = turn, placed_b = turn;
        for (int i = 0; i < 3; i++)
        {
            placed_a.m[4 * i + 3] = 0;
            placed_b.m[4 * i + 3] = turn.m[4 * i] + t[1];
        }
        poses[0] = placed_a;
        poses[1] = placed_b;
    }
    if (kind == 4)
        poses[1].m[3] = nextafter(poses[1].m[3], grz_random_below(random, 2) == 0 ? -9 : 9);
}

static void bodies_are_decided_as_by_the_engine(void **state)
{
    (void)state;
    graze_mesh *meshes[BODIES];
    make_bodies(meshes);
    for (size_t m = 0; m < graze_method_count(); m++)
    {
        const graze_method_info *method = graze_method_at(m);
        if (!takes_bodies(method))
            continue;
        grz_random random = grz_random_make(m + 1);
        graze_method_body *bodies[BODIES];
        graze_method_cache cache = {{0}};
        tally sum = {0, 0, 0, 0};
        for (int i = 0; i < BODIES; i++)
            bodies[i] = make_body(method, meshes[i]);
        unsigned rounds = TEST_ROUNDS(400u);
        for (unsigned round = 0; round < rounds; round++)
        {
            int i = (int)grz_random_below(&random, BODIES), k = (int)grz_random_below(&random, BODIES);
            graze_method_body *pair[2] = {bodies[i], bodies[k]};
            graze_placed_mesh placed[2] = {{meshes[i], NULL, graze_pose_identity()},
                                           {meshes[k], NULL, graze_pose_identity()}};
            graze_pose poses[2];
            make_poses(&random, round % 5, poses);
            placed[0].pose = poses[0];
            placed[1].pose = poses[1];
            check(method, pair, placed, round % 3 == 0 ? &cache : NULL, &sum);
        }
        print_message("%-20s known %u of %u, guesses right %u\n", method->name, sum.known, sum.yes + sum.no,
                      sum.guessed_right);
        assert_true(sum.yes > rounds / 8 && sum.no > rounds / 8);
        assert_true(sum.known > rounds / 10);
        assert_true(sum.guessed_right > rounds * 3 / 4);
        for (int i = 0; i < BODIES; i++)
            graze_method_body_destroy(bodies[i]);
    }
    destroy_bodies(meshes);
}

/* A cache is memory of the caller: whatever stands there, answers stay right. */
static void any_numbers_may_stand_in_a_cache(void **state)
{
    (void)state;
    static const double numbers[] = {NAN, INFINITY, -INFINITY, 0x1p1000, 0x1p-1074, 1, -3.5, 0x1p40};
    graze_mesh *meshes[BODIES];
    make_bodies(meshes);
    for (size_t m = 0; m < graze_method_count(); m++)
    {
        const graze_method_info *method = graze_method_at(m);
        if (!takes_bodies(method))
            continue;
        graze_method_body *bodies[2] = {make_body(method, meshes[2]), make_body(method, meshes[3])};
        tally sum = {0, 0, 0, 0};
        for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
            for (int apart = 0; apart < 2; apart++)
            {
                graze_method_cache cache;
                const graze_placed_mesh placed[2] = {{meshes[2], NULL, graze_pose_identity()},
                                                     {meshes[3], NULL, graze_pose_translation(9 * apart, 0, 0)}};
                for (size_t i = 0; i < sizeof cache.numbers / sizeof cache.numbers[0]; i++)
                    cache.numbers[i] = numbers[n];
                check(method, bodies, placed, &cache, &sum);
            }
        assert_true(sum.yes > 0 && sum.no > 0);
        graze_method_body_destroy(bodies[0]);
        graze_method_body_destroy(bodies[1]);
    }
    destroy_bodies(meshes);
}

/* Steps of planes that leave the range of doubles cost guesses only. */
static void steps_of_any_size_prove_nothing_wrong(void **state)
{
    (void)state;
    static const char *const names[] = {"perceptron", "perceptron-climbing", "perceptron-weighted",
                                        "perceptron-unbiased"};
    static const double sizes[] = {INFINITY, 0x1p1000, 0x1p500, 0x1p-1074, NAN, -1};
    graze_mesh *meshes[BODIES];
    make_bodies(meshes);
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++)
        for (size_t n = 0; n < 2 * sizeof sizes / sizeof sizes[0]; n++)
        {
            graze_method_parameters parameters = graze_method_parameters_default();
            graze_method_body *bodies[2];
            tally sum = {0, 0, 0, 0};
            *(n % 2 == 0 ? &parameters.step : &parameters.relaxation) = sizes[n / 2];
            for (int side = 0; side < 2; side++)
                assert_int_equal(graze_method_body_create(NULL, names[m], meshes[2 + side], &parameters, &bodies[side]),
                                 GRAZE_STATUS_OK);
            for (int apart = 0; apart < 4; apart++)
            {
                const graze_placed_mesh placed[2] = {{meshes[2], NULL, graze_pose_identity()},
                                                     {meshes[3], NULL, graze_pose_translation(apart, 0.5, 0)}};
                check(graze_method_find(names[m]), bodies, placed, NULL, &sum);
            }
            assert_true(sum.yes > 0 && sum.no > 0);
            graze_method_body_destroy(bodies[0]);
            graze_method_body_destroy(bodies[1]);
        }
    destroy_bodies(meshes);
}

/* A needle inside a cube shares no point of the surface; scaled, mirrored and flattened poses. */
static void bodies_inside_one_another_and_odd_poses_are_decided(void **state)
{
    (void)state;
    test_mesh large = {0}, small = {0};
    mesh_add_cube(&large, -1, -1, -1, 2);
    mesh_add_cube(&small, -0.25, -0.25, -0.25, 0.5);
    graze_mesh *meshes[2] = {mesh_create(&large), mesh_create(&small)};
    static const graze_pose poses[] = {
        {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}, {{-1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0}},
        {{8, 0, 0, 0, 0, 8, 0, 0, 0, 0, 8, 0}}, {{1, 0.5, 0, 3, 0, 1, 0, 0, 0, 0, 2, 0}},
        {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}}, {{1, 0, 0, 0x1p400, 0, 1, 0, 0, 0, 0, 1, 0}}};
    for (size_t m = 0; m < graze_method_count(); m++)
    {
        const graze_method_info *method = graze_method_at(m);
        if (!takes_bodies(method))
            continue;
        graze_method_body *bodies[2] = {make_body(method, meshes[0]), make_body(method, meshes[1])};
        tally sum = {0, 0, 0, 0};
        for (size_t p = 0; p < sizeof poses / sizeof poses[0]; p++)
        {
            const graze_placed_mesh placed[2] = {{meshes[0], NULL, graze_pose_identity()}, {meshes[1], NULL, poses[p]}};
            check(method, bodies, placed, NULL, &sum);
        }
        assert_true(sum.yes >= 3 && sum.no >= 2);
        graze_method_body_destroy(bodies[0]);
        graze_method_body_destroy(bodies[1]);
    }
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

/* A body much smaller than what a sampled method sees of the other, across its surface: never proved apart. */
static void small_bodies_between_samples_are_not_missed(void **state)
{
    (void)state;
    test_mesh large = {0}, small = {0};
    mesh_add_cube(&large, -2, -2, -2, 4);
    mesh_add_cube(&small, -0.01, -0.01, -0.01, 0.02);
    graze_mesh *meshes[2] = {mesh_create(&large), mesh_create(&small)};
    for (size_t m = 0; m < graze_method_count(); m++)
    {
        const graze_method_info *method = graze_method_at(m);
        if (!takes_bodies(method))
            continue;
        graze_method_body *bodies[2] = {make_body(method, meshes[0]), make_body(method, meshes[1])};
        graze_method_body *swapped[2] = {bodies[1], bodies[0]};
        grz_random random = grz_random_make(5);
        tally sum = {0, 0, 0, 0};
        for (unsigned round = 0; round < TEST_ROUNDS(40u); round++)
        {
            graze_pose pose = graze_pose_translation(round % 2 == 0 ? 2 : -2, grz_random_between(&random, -1.9, 1.9),
                                                     grz_random_between(&random, -1.9, 1.9));
            const graze_placed_mesh placed[2] = {{meshes[0], NULL, graze_pose_identity()}, {meshes[1], NULL, pose}};
            const graze_placed_mesh other[2] = {placed[1], placed[0]};
            check(method, bodies, placed, NULL, &sum);
            check(method, swapped, other, NULL, &sum);
        }
        assert_true(sum.no == 0);
        graze_method_body_destroy(bodies[0]);
        graze_method_body_destroy(bodies[1]);
    }
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

static void meshes_of_another_class_are_refused(void **state)
{
    (void)state;
    graze_mesh *torus = NULL;
    test_mesh sheet = {0};
    mesh_add_sheet(&sheet, 2, 0, 4);
    graze_mesh *open = mesh_create(&sheet);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 12, 8, &torus), GRAZE_STATUS_OK);
    unsigned refused = 0;
    for (size_t m = 0; m < graze_method_count(); m++)
    {
        const graze_method_info *method = graze_method_at(m);
        graze_method_body *body = NULL;
        bool convex = method->mesh_class == GRAZE_METHOD_CLASS_CONVEX;
        bool closed = convex || method->mesh_class == GRAZE_METHOD_CLASS_CLOSED ||
                      method->mesh_class == GRAZE_METHOD_CLASS_MANIFOLD;
        assert_int_equal(graze_method_body_create(NULL, method->name, torus, NULL, &body),
                         convex ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_OK);
        graze_method_body_destroy(body);
        body = NULL;
        assert_int_equal(graze_method_body_create(NULL, method->name, open, NULL, &body),
                         closed ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_OK);
        graze_method_body_destroy(body);
        refused += convex;
    }
    assert_true(refused >= 8);
    graze_mesh_destroy(torus);
    graze_mesh_destroy(open);
}

/* Fewer updates make more false guesses of a collision; none makes a false proof. */
static void limits_of_separating_planes_cost_guesses_only(void **state)
{
    (void)state;
    graze_mesh *meshes[BODIES];
    make_bodies(meshes);
    const graze_method_info *method = graze_method_find("perceptron");
    unsigned known[2] = {0, 0};
    for (int limited = 0; limited < 2; limited++)
        for (int start = 0; start <= GRAZE_PLANE_START_TRIVIAL; start++)
        {
            graze_method_parameters parameters = graze_method_parameters_default();
            parameters.most_iterations = limited == 1 ? 5 : 5000;
            parameters.step = limited == 1 ? 0.25 : 0.003;
            parameters.relaxation = 0.999;
            parameters.plane_start = (graze_plane_start)start;
            graze_method_body *bodies[2];
            for (int side = 0; side < 2; side++)
                assert_int_equal(
                    graze_method_body_create(NULL, "perceptron", meshes[2 + side], &parameters, &bodies[side]),
                    GRAZE_STATUS_OK);
            grz_random random = grz_random_make(12);
            tally sum = {0, 0, 0, 0};
            for (unsigned round = 0; round < TEST_ROUNDS(100u); round++)
            {
                graze_placed_mesh placed[2] = {{meshes[2], NULL, graze_pose_identity()},
                                               {meshes[3], NULL, placed_pose(&random, 2)}};
                check(method, bodies, placed, NULL, &sum);
            }
            known[limited] += sum.known;
            graze_method_body_destroy(bodies[0]);
            graze_method_body_destroy(bodies[1]);
        }
    assert_true(known[0] > known[1]);
    destroy_bodies(meshes);
}

/* Bodies in coherent motion past one another: what a walk, a vector or a witness finds by itself proves nearly all
   pairs that are apart; a method that leaves them to the engine does not work. */
static void methods_prove_bodies_apart_by_themselves(void **state)
{
    (void)state;
    static const char *const names[] = {"closest-features",    "v-clip", "witness", "dobkin-kirkpatrick", "q-collide",
                                        "perceptron-unbiased", "sat"};
    graze_mesh *meshes[BODIES];
    make_bodies(meshes);
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++)
        for (int cached = 0; cached < 2; cached++)
        {
            graze_method_counters sum = {0};
            unsigned apart = 0, proved = 0;
            for (int i = 1; i < 4; i++)
            {
                graze_method_cache cache = {{0}};
                graze_method_body *bodies[2] = {make_body(graze_method_find(names[m]), meshes[i]),
                                                make_body(graze_method_find(names[m]), meshes[i % 3 + 1])};
                for (int frame = 0; frame < 100; frame++)
                {
                    double t = 0.01 * frame;
                    graze_pose pose;
                    const double axis[3] = {0.3, 0.4, 1};
                    const double at[3] = {4 - 8 * t, 1.4, 1.2};
                    assert_int_equal(graze_pose_from_axis_angle(axis, 3 * t, at, &pose), GRAZE_STATUS_OK);
                    graze_placed_method_body a = {bodies[0], graze_pose_identity()}, b = {bodies[1], pose};
                    graze_method_counters counters = {0};
                    graze_method_options options = graze_method_options_default();
                    options.counters = &counters;
                    options.cache = cached == 1 ? &cache : NULL;
                    graze_method_answer answer;
                    assert_int_equal(graze_method_any(NULL, &a, &b, &options, &answer), GRAZE_STATUS_OK);
                    apart += answer.collide == GRAZE_VERDICT_NO;
                    proved += answer.collide == GRAZE_VERDICT_NO && counters.left_to_engine == 0;
                    if (answer.collide == GRAZE_VERDICT_NO)
                        sum.iterations += counters.iterations;
                }
                graze_method_body_destroy(bodies[0]);
                graze_method_body_destroy(bodies[1]);
            }
            print_message("%-20s %s: %u of %u apart proved, %.1f iterations\n", names[m], cached ? "cached" : "anew",
                          proved, apart, (double)sum.iterations / apart);
            assert_true(apart > 100 && proved > 0.85 * apart);
        }
    destroy_bodies(meshes);
}

/* Two tetrahedra, the upper edge of one across the lower edge of the other: the product of both edges is the only axis
   that separates them. */
static void crossed_edges_are_separated_by_their_product(void **state)
{
    (void)state;
    static const double points[2][4][3] = {{{-4, 0, 0}, {4, 0, 0}, {0, -4, -4}, {0, 4, -4}},
                                           {{0, 4, -4}, {4, 0, 0}, {-4, 0, 0}, {0, -4, -4}}};
    graze_mesh *meshes[2] = {NULL, NULL};
    graze_method_body *bodies[2]; /* equal, their edges in other orders and directions */
    for (int n = 0; n < 2; n++)
    {
        assert_int_equal(graze_mesh_create_hull(NULL, points[n][0], 4, NULL, &meshes[n]), GRAZE_STATUS_OK);
        bodies[n] = make_body(graze_method_find("sat"), meshes[n]);
    }
    for (int i = 0; i < 32; i++)
    {
        double gap = 1e-3 * (i + 1) * (i % 2 == 0 ? 1 : -1);
        /* Turned upside down with its edge along y; then both once more, about all three axes. */
        graze_pose poses[2] = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
                               {{0, 1, 0, 0.1 * i, 1, 0, 0, 0.05 * i, 0, 0, -1, gap}}};
        for (int turn = 0; turn < i % 8; turn++)
            for (int side = 0; side < 2; side++)
            {
                const double *m = poses[side].m;
                graze_pose next;
                for (int k = 0; k < 4; k++)
                {
                    next.m[k] = m[4 + k];
                    next.m[4 + k] = turn % 2 == 0 ? -m[k] : m[8 + k];
                    next.m[8 + k] = turn % 2 == 0 ? m[8 + k] : m[k];
                }
                poses[side] = next;
            }
        const graze_placed_method_body placed_bodies[2] = {{bodies[i / 2 % 2], poses[0]},
                                                           {bodies[i / 4 % 2], poses[1]}};
        graze_method_counters counters;
        graze_method_options options = graze_method_options_default();
        options.counters = &counters;
        graze_method_answer answer;
        assert_int_equal(graze_method_any(NULL, &placed_bodies[i / 16], &placed_bodies[1 - i / 16], &options, &answer),
                         GRAZE_STATUS_OK);
        assert_int_equal(answer.collide, gap > 0 ? GRAZE_VERDICT_NO : GRAZE_VERDICT_YES);
        assert_int_equal(counters.left_to_engine, gap > 0 ? 0 : 1);
    }
    for (int n = 0; n < 2; n++)
    {
        graze_method_body_destroy(bodies[n]);
        graze_mesh_destroy(meshes[n]);
    }
}

/* Clipping behind more checks clips at fewer half-spaces, and random points alone are fewer points; what is proved
   stays right. */
static void parameters_of_bodies_change_the_cost_only(void **state)
{
    (void)state;
    static const graze_pre_checks checks[] = {GRAZE_PRE_CHECKS_NONE, GRAZE_PRE_CHECKS_OBJECT_BOX, GRAZE_PRE_CHECKS_ALL};
    graze_mesh *sphere = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 4, &sphere), GRAZE_STATUS_OK);
    uint64_t half_spaces[3] = {0}, points[2] = {0};
    unsigned collisions = 0, found[2] = {0};
    for (int i = 0; i < 5; i++)
    {
        graze_method_parameters parameters = graze_method_parameters_default();
        graze_method_body *body = NULL;
        parameters.pre_checks = i < 3 ? checks[i] : GRAZE_PRE_CHECKS_ALL;
        parameters.no_vertices = i == 4;
        assert_int_equal(
            graze_method_body_create(NULL, i < 3 ? "cyrus-beck" : "monte-carlo", sphere, &parameters, &body),
            GRAZE_STATUS_OK);
        grz_random random = grz_random_make(8);
        for (unsigned round = 0; round < TEST_ROUNDS(40u); round++)
        {
            graze_pose poses[2];
            make_poses(&random, 0, poses);
            const graze_placed_mesh placed[2] = {{sphere, NULL, poses[0]}, {sphere, NULL, poses[1]}};
            const graze_placed_method_body a = {body, poses[0]}, b = {body, poses[1]};
            graze_solid_answer truth;
            assert_int_equal(graze_pair_containment(NULL, &placed[0], &placed[1], NULL, &truth), GRAZE_STATUS_OK);
            graze_method_counters counters;
            graze_method_options options = graze_method_options_default();
            options.counters = &counters;
            graze_method_answer answer;
            assert_int_equal(graze_method_any(NULL, &a, &b, &options, &answer), GRAZE_STATUS_OK);
            if (i < 3)
                assert_int_equal(answer.collide == GRAZE_VERDICT_YES, truth.collide);
            assert_true(answer.collide == GRAZE_VERDICT_UNKNOWN ||
                        (answer.collide == GRAZE_VERDICT_YES) == truth.collide);
            if (i < 3)
                half_spaces[i] += counters.half_spaces;
            else
            {
                points[i - 3] += counters.points;
                found[i - 3] += answer.collide == GRAZE_VERDICT_YES;
            }
            collisions += i == 0 && truth.collide;
        }
        graze_method_body_destroy(body);
    }
    assert_true(collisions > TEST_ROUNDS(10u));
    assert_true(half_spaces[0] > half_spaces[1] && half_spaces[1] > half_spaces[2]);
    assert_true(points[0] != points[1] && found[1] > TEST_ROUNDS(5u) && found[1] <= collisions);
    graze_mesh_destroy(sphere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_decided_as_by_the_engine),
        cmocka_unit_test(any_numbers_may_stand_in_a_cache),
        cmocka_unit_test(steps_of_any_size_prove_nothing_wrong),
        cmocka_unit_test(bodies_inside_one_another_and_odd_poses_are_decided),
        cmocka_unit_test(small_bodies_between_samples_are_not_missed),
        cmocka_unit_test(meshes_of_another_class_are_refused),
        cmocka_unit_test(limits_of_separating_planes_cost_guesses_only),
        cmocka_unit_test(methods_prove_bodies_apart_by_themselves),
        cmocka_unit_test(crossed_edges_are_separated_by_their_product),
        cmocka_unit_test(parameters_of_bodies_change_the_cost_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
