/* SPDX-License-Identifier: MIT */
/*
 * Two moving shapes: spheres along lines against the roots of a quadratic, polytopes against graze_pair_impact, all
 * pairs of kinds against samples, shapes that slide along others, margins, statuses, budgets.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/shape_motion.h"
#include "support/environment.h"
#include "support/random.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(400),
    KINDS_ROUNDS = TEST_ROUNDS(3),
    KINDS = 13,
    SAMPLES = 64
};

static const double origin[3] = {0, 0, 0};

static graze_motion moves(const graze_pose *start, const graze_pose *end)
{
    graze_motion motion;
    assert_int_equal(graze_motion_between(start, end, GRAZE_MOTION_TURN, &motion, NULL), GRAZE_STATUS_OK);
    return motion;
}

static graze_motion still(const graze_pose *pose)
{
    graze_motion motion;
    assert_int_equal(graze_motion_still(pose, &motion), GRAZE_STATUS_OK);
    return motion;
}

static graze_motion along_x(double from, double to, double y, double z)
{
    graze_pose start = graze_pose_translation(from, y, z), end = graze_pose_translation(to, y, z);
    return moves(&start, &end);
}

static graze_shape_impact ask(const graze_moving_shape *a, const graze_moving_shape *b,
                              const graze_impact_options *options)
{
    graze_shape_impact impact;
    static int number;
    saved_environment saved;
    environment_enter(&saved, number++ % ENVIRONMENTS);
    graze_status status = graze_shape_pair_impact(NULL, a, b, options, &impact);
    environment_leave(&saved);
    assert_int_equal(status, GRAZE_STATUS_OK);
    return impact;
}

static void spheres_meet_when_their_centres_are_near(void **state)
{
    (void)state;
    test_random random = test_random_start("spheres_meet_when_their_centres_are_near", 11);
    const double radii[2] = {0.3, 0.45};
    graze_shape *shapes[2];
    int met = 0, apart = 0, started = 0, unknown = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_shape_create_sphere(NULL, origin, radii[i], &shapes[i]), GRAZE_STATUS_OK);
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_moving_shape sides[2];
        double from[3], way[3], a = 0, b = 0, c = -(0.3 + 0.45) * (0.3 + 0.45);
        for (int i = 0; i < 2; i++)
        {
            graze_pose start = scene_random_pose(&random, 1.5), end = scene_random_pose(&random, 1.5);
            sides[i] = (graze_moving_shape){shapes[i], moves(&start, &end)};
        }
        for (int k = 0; k < 3; k++)
        {
            from[k] = sides[1].motion.path[0][k] - sides[0].motion.path[0][k];
            way[k] = sides[1].motion.path[1][k] - sides[0].motion.path[1][k];
            a += way[k] * way[k];
            b += from[k] * way[k];
            c += from[k] * from[k];
        }
        graze_shape_impact impact = ask(&sides[0], &sides[1], NULL);
        double root = b * b - a * c, t = c <= 0 ? 0 : (-b - sqrt(fmax(root, 0))) / a;
        bool meets = c <= 0 || (root > 0 && t >= 0 && t <= 1);
        unknown += impact.verdict == GRAZE_IMPACT_UNKNOWN;
        met += impact.verdict == GRAZE_IMPACT_AT;
        apart += impact.verdict == GRAZE_IMPACT_NONE;
        started += impact.at_start;
        assert_true(impact.verdict == GRAZE_IMPACT_UNKNOWN || meets == (impact.verdict == GRAZE_IMPACT_AT));
        assert_true(!meets || (impact.lower <= t + 1e-12 && impact.upper >= t - 1e-12));
        assert_true(impact.verdict != GRAZE_IMPACT_AT || impact.upper - impact.lower < 1e-4);
        assert_int_equal(impact.hit.triangle_a, GRAZE_NO_TRIANGLE);
        if (impact.verdict == GRAZE_IMPACT_AT && !impact.at_start)
            for (int k = 0; k < 3; k++)
                assert_true(fabs(impact.normal[k] - (from[k] + t * way[k]) / 0.75) < 1e-3);
    }
    printf("%d met, %d at the start, %d apart, %d unknown\n", met, started, apart, unknown);
    assert_true(met > ROUNDS / 8 && apart > ROUNDS / 8 && started > 0 && unknown * 50 < ROUNDS);
    for (int i = 0; i < 2; i++)
        graze_shape_destroy(shapes[i]);
}

/* One shape of each kind, the last two made of the others. */
typedef struct all_kinds
{
    graze_mesh *torus;
    graze_shape *shapes[KINDS];
} all_kinds;

static void make_kinds(all_kinds *k)
{
    const double size[3] = {0.5, 0.25, 0.75}, radii[3] = {0.375, 0.25, 0.5}, normal[3] = {0.25, 1, 0.5};
    const double ends[2][3] = {{-0.25, 0, 0}, {0.25, 0.125, 0}}, corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}};
    const double heights[9] = {0, 0.25, 0, 0.5, -0.25, 0.5, 0, 0.25, 0}, field[2] = {2, 2};
    graze_shape **s = k->shapes;
    assert_int_equal(graze_mesh_create_torus(NULL, 0.5, 0.2, 12, 8, &k->torus), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, k->torus, NULL, true, &s[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &s[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 0.375, &s[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_capsule(NULL, ends, 0.2, &s[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 0.75, 0.25, &s[4]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cone(NULL, 0.75, 0.5, &s[5]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_ellipsoid(NULL, radii, &s[6]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, normal, -2, &s[7]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_triangle(NULL, corners, &s[8]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_segment(NULL, ends, &s[9]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_height_field(NULL, field, heights, 3, 3, &s[10]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_rounded(NULL, s[1], 0.125, &s[11]), GRAZE_STATUS_OK);
    const graze_placed parts[2] = {{s[2], graze_pose_translation(0.5, 0, 0)},
                                   {s[4], graze_pose_translation(-0.5, 0, 0)}};
    assert_int_equal(graze_shape_create_compound(NULL, parts, 2, &s[12]), GRAZE_STATUS_OK);
}

static void destroy_kinds(all_kinds *k)
{
    for (int i = KINDS; i-- > 0;)
        graze_shape_destroy(k->shapes[i]);
    graze_mesh_destroy(k->torus);
}

/* What samples say of the answer; returns how many of them meet. */
static int compare_with_samples(const graze_moving_shape sides[2], const graze_shape_impact *impact)
{
    int met = 0;
    for (int i = 0; i <= SAMPLES; i++)
    {
        graze_placed placed[2] = {{sides[0].shape, {{0}}}, {sides[1].shape, {{0}}}};
        graze_verdict verdict;
        double t = i / (double)SAMPLES;
        for (int k = 0; k < 2; k++)
            assert_int_equal(graze_motion_pose(&sides[k].motion, t, &placed[k].pose, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_pair_any(NULL, &placed[0], &placed[1], NULL, &verdict, NULL), GRAZE_STATUS_OK);
        if (verdict != GRAZE_VERDICT_YES)
            continue;
        met++;
        assert_true(impact->verdict != GRAZE_IMPACT_NONE);
        assert_true(impact->lower <= t + 1e-9);
    }
    return met;
}

static void contact_is_there_when_it_is_told(const graze_moving_shape sides[2], const graze_shape_impact *impact)
{
    graze_placed placed[2] = {{sides[0].shape, {{0}}}, {sides[1].shape, {{0}}}};
    graze_shape_distance distance;
    for (int k = 0; k < 2; k++)
        assert_int_equal(graze_motion_pose(&sides[k].motion, impact->upper, &placed[k].pose, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_distance(NULL, &placed[0], &placed[1], NULL, &distance), GRAZE_STATUS_OK);
    assert_true(distance.lower < 1e-12);
}

static void any_two_kinds_meet_when_samples_do(void **state)
{
    (void)state;
    test_random random = test_random_start("any_two_kinds_meet_when_samples_do", 12);
    all_kinds kinds;
    int met = 0, none = 0, at = 0, unknown = 0, wide = 0;
    make_kinds(&kinds);
    for (int pair = 0; pair < KINDS * KINDS * KINDS_ROUNDS; pair++)
    {
        graze_moving_shape sides[2] = {{kinds.shapes[pair % KINDS], {0}}, {kinds.shapes[pair / KINDS % KINDS], {0}}};
        for (int i = 0; i < 2; i++)
        {
            graze_pose start = scene_random_pose(&random, 2), end = scene_random_pose(&random, 2);
            sides[i].motion = pair % 7 == 0 ? still(&start) : moves(&start, &end);
        }
        graze_shape_impact impact = ask(&sides[0], &sides[1], NULL);
        met += compare_with_samples(sides, &impact) > 0;
        none += impact.verdict == GRAZE_IMPACT_NONE;
        at += impact.verdict == GRAZE_IMPACT_AT;
        unknown += impact.verdict == GRAZE_IMPACT_UNKNOWN;
        wide += impact.verdict == GRAZE_IMPACT_AT && impact.upper - impact.lower > 1e-3;
        if (impact.verdict == GRAZE_IMPACT_AT)
            contact_is_there_when_it_is_told(sides, &impact);
    }
    int pairs = KINDS * KINDS * KINDS_ROUNDS;
    printf("of %d pairs %d met, %d impacts (%d wide), %d none, %d unknown\n", pairs, met, at, wide, none, unknown);
    assert_true(at > pairs / 5 && none > pairs / 5 && unknown * 100 < pairs && wide * 100 < pairs);
    destroy_kinds(&kinds);
}

static void polytopes_are_answered_as_their_meshes(void **state)
{
    (void)state;
    test_random random = test_random_start("polytopes_are_answered_as_their_meshes", 13);
    all_kinds kinds;
    int met = 0;
    make_kinds(&kinds);
    for (int round = 0; round < ROUNDS / 4; round++)
    {
        const graze_shape *pair[2] = {kinds.shapes[round % 2], kinds.shapes[8 + round / 2 % 3]};
        graze_moving_shape sides[2];
        graze_moving_mesh meshes[2];
        graze_impact expected;
        for (int i = 0; i < 2; i++)
        {
            graze_pose start = scene_random_pose(&random, 2), end = scene_random_pose(&random, 2);
            sides[i] = (graze_moving_shape){pair[i], moves(&start, &end)};
            meshes[i] = (graze_moving_mesh){.mesh = graze_shape_mesh(pair[i]), .motion = sides[i].motion};
        }
        assert_int_equal(graze_pair_impact(NULL, &meshes[0], &meshes[1], NULL, &expected), GRAZE_STATUS_OK);
        graze_shape_impact impact = ask(&sides[0], &sides[1], NULL);
        if (impact.at_start && expected.verdict == GRAZE_IMPACT_NONE)
            continue; /* inside */
        assert_int_equal(impact.verdict, expected.verdict);
        assert_true(impact.lower == expected.lower && impact.upper == expected.upper);
        met += impact.verdict == GRAZE_IMPACT_AT;
        bool named = graze_shape_has_triangles(pair[0]) && impact.verdict == GRAZE_IMPACT_AT;
        assert_int_equal(impact.hit.triangle_a, named ? expected.hit.triangle_a : GRAZE_NO_TRIANGLE);
    }
    assert_true(met > ROUNDS / 32);
    destroy_kinds(&kinds);
}

/* A thousandth above what they slide along, for ten times their size: proved clear by planes. A thousandth below it
   they meet. */
static void shapes_that_slide_along_others_are_told(void **state)
{
    (void)state;
    all_kinds kinds;
    const double normal[3] = {0, 0, 1}, plate[3] = {20, 20, 1};
    const double lowest[] = {0.375, 0.2, 0.375, 0.375, 0.5};
    graze_shape *grounds[2];
    make_kinds(&kinds);
    assert_int_equal(graze_shape_create_half_space(NULL, normal, 0, &grounds[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, plate, &grounds[1]), GRAZE_STATUS_OK);
    for (int i = 0; i < 20; i++)
    {
        bool above = i % 2 == 0;
        int kind = i / 2 % 5, ground = i / 10;
        double height = lowest[kind] + (ground == 1 ? 0.5 : 0) + (above ? 0x1p-10 : -0x1p-10);
        const graze_pose stand = graze_pose_identity();
        graze_moving_shape slider = {kinds.shapes[2 + kind], along_x(-5, 5, 0.25, height)};
        graze_moving_shape rest = {grounds[ground], still(&stand)};
        graze_shape_impact impact = ask(&slider, &rest, NULL), swapped = ask(&rest, &slider, NULL);
        assert_int_equal(impact.verdict, above ? GRAZE_IMPACT_NONE : GRAZE_IMPACT_AT);
        assert_int_equal(swapped.verdict, impact.verdict);
        assert_true(above || impact.upper == 0 || impact.upper < 1e-6);
        graze_moving_shape slides = {grounds[ground], along_x(5, -5, 0, 0)};
        graze_moving_shape stands = {kinds.shapes[2 + kind], along_x(0, 0, 0.25, height)};
        impact = ask(&slides, &stands, NULL);
        assert_int_equal(impact.verdict, above ? GRAZE_IMPACT_NONE : GRAZE_IMPACT_AT);
    }
    for (int i = 0; i < 2; i++)
        graze_shape_destroy(grounds[i]);
    destroy_kinds(&kinds);
}

/* A half-space that comes down, alone and in a compound, onto bodies of all kinds, which turn: as they come up to one
   that stands still; a thousandth before they touch it ends. */
static void half_spaces_that_move_meet_what_stands(void **state)
{
    (void)state;
    all_kinds kinds;
    const double down[3] = {0, 0, -1}, lowest[] = {0.375, 0.2, 0.375, 0.375, 0.5};
    graze_shape *roof, *both;
    make_kinds(&kinds);
    assert_int_equal(graze_shape_create_half_space(NULL, down, 0, &roof), GRAZE_STATUS_OK);
    const graze_placed parts[2] = {{roof, graze_pose_identity()}, {kinds.shapes[2], graze_pose_translation(0, 0, 8)}};
    assert_int_equal(graze_shape_create_compound(NULL, parts, 2, &both), GRAZE_STATUS_OK);
    for (int i = 0; i < 20; i++)
    {
        int kind = i % 5;
        bool meets = i / 5 % 2 == 0;
        double top = lowest[kind], end = meets ? 0 : top + 0x1p-10;
        const graze_pose high = {{0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 4}}, low = graze_pose_translation(3, -1, end);
        const graze_pose stand = {{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0}}, turned = graze_pose_translation(0.5, 0, 0);
        graze_moving_shape falls = {i / 10 == 0 ? roof : both, moves(&high, &low)};
        graze_moving_shape body = {kinds.shapes[2 + kind], moves(&stand, &turned)};
        graze_shape_impact impact = ask(&falls, &body, NULL), swapped = ask(&body, &falls, NULL);
        double expected = (4 - top) / (4 - end);
        assert_int_equal(impact.verdict, meets ? GRAZE_IMPACT_AT : GRAZE_IMPACT_NONE);
        assert_int_equal(swapped.verdict, impact.verdict);
        assert_true(!meets || (impact.lower <= expected + 1e-9 && impact.upper >= expected - 1e-9));
        assert_true(!meets || impact.upper - impact.lower < 1e-4);
        assert_true(!meets || i / 10 == 1 || fabs(impact.normal[2] + 1) < 1e-9);
    }
    graze_shape_destroy(both);
    graze_shape_destroy(roof);
    destroy_kinds(&kinds);
}

/* A half-space that swings by a quarter turn comes fast to what is ten times as far from its axis as large. */
static void half_spaces_that_swing_are_met_in_time(void **state)
{
    (void)state;
    all_kinds kinds;
    const double up[3] = {0, 0, 1};
    const graze_pose swung = {{0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0}}, stand = graze_pose_identity();
    graze_shape *gate, *both;
    make_kinds(&kinds);
    assert_int_equal(graze_shape_create_half_space(NULL, up, -1, &gate), GRAZE_STATUS_OK);
    const graze_placed parts[2] = {{gate, stand}, {kinds.shapes[2], graze_pose_translation(0, 0, -3)}};
    assert_int_equal(graze_shape_create_compound(NULL, parts, 2, &both), GRAZE_STATUS_OK);
    for (int i = 0; i < 16; i++)
    {
        static const int curved[] = {4, 5, 6, 12};
        graze_pose here = graze_pose_translation(10, i, 0.25 * i), there = graze_pose_translation(9, i, 1 + 0.25 * i);
        graze_moving_shape sides[2] = {{i % 8 < 4 ? gate : both, moves(&stand, &swung)},
                                       {kinds.shapes[curved[i % 4]], i < 8 ? still(&here) : moves(&here, &there)}};
        graze_shape_impact impact = ask(&sides[0], &sides[1], NULL);
        assert_true(compare_with_samples(sides, &impact) > 0);
        assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
        assert_true(impact.upper - impact.lower < 1e-4);
        contact_is_there_when_it_is_told(sides, &impact);
    }
    graze_shape_destroy(both);
    graze_shape_destroy(gate);
    destroy_kinds(&kinds);
}

/* A half-space in a compound turns halfway around the z axis: halfway it comes to a triangle on the y axis, whose pose
   scales coordinates back so far that squares of its entries underflow. */
static void half_spaces_swing_to_what_is_scaled_far(void **state)
{
    (void)state;
    const double up[3] = {0, 1, 0}, below[3] = {0, -8, 0};
    graze_shape *half, *ball, *both;
    assert_int_equal(graze_shape_create_half_space(NULL, up, 0, &half), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, below, 1, &ball), GRAZE_STATUS_OK);
    const graze_placed parts[2] = {{half, graze_pose_identity()}, {ball, graze_pose_identity()}};
    assert_int_equal(graze_shape_create_compound(NULL, parts, 2, &both), GRAZE_STATUS_OK);
    for (int exponent = -600; exponent <= 600; exponent += 300)
    {
        double unit = ldexp(1, exponent), back = ldexp(1, -exponent);
        const double corners[3][3] = {{0, unit, 0}, {0.25 * unit, unit, 0}, {0, unit, 0.25 * unit}};
        const graze_pose scaled = {{back, 0, 0, 0, 0, back, 0, 0, 0, 0, back, 0}};
        graze_shape *triangle;
        assert_int_equal(graze_shape_create_triangle(NULL, corners, &triangle), GRAZE_STATUS_OK);
        graze_moving_shape swings = {both, {.kind = GRAZE_MOTION_TURN, .quaternion = {{1, 0, 0, 0}, {0, 0, 0, 1}}}};
        graze_moving_shape stands = {triangle, still(&scaled)};
        graze_shape_impact impact = ask(&swings, &stands, NULL);
        assert_int_not_equal(impact.verdict, GRAZE_IMPACT_NONE);
        assert_true(impact.lower <= 0.5);
        graze_shape_destroy(triangle);
    }
    graze_shape_destroy(both);
    graze_shape_destroy(ball);
    graze_shape_destroy(half);
}

/* A ball of radius 0.5 at 10 - 10 t on the x axis, over a plane with the normal (0.6, 0.8, 0): its centre is 0.5 above
   it at t = 11/12. */
static void balls_meet_faces_within_an_ulp_or_two(void **state)
{
    (void)state;
    const double slanted[3] = {3, 4, 0}, straight[3] = {0.25, 0, 0};
    const graze_pose stand = graze_pose_identity(), aside = graze_pose_translation(-4, 3, 7);
    graze_shape *ball, *planes[2];
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 0.5, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, slanted, 0, &planes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, straight, 0.125, &planes[1]), GRAZE_STATUS_OK);
    for (int i = 0; i < 4; i++)
    {
        graze_impact_options options = graze_impact_options_default();
        graze_moving_shape falls = {ball, along_x(10, 0, 0, 0)};
        graze_moving_shape rests = {planes[i % 2], i < 2 ? still(&stand) : moves(&stand, &aside)};
        options.margin = i % 2 == 0 ? 0 : 0.5;
        if (i >= 2) /* along itself */
            rests.motion.path[1][0] = i == 2 ? -4 : 0;
        graze_shape_impact impact = ask(&falls, &rests, &options);
        double expected = i % 2 == 0 ? 11.0 / 12 : 0.85;
        assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
        assert_true(impact.lower <= expected && impact.upper >= expected);
        assert_true(impact.upper - impact.lower < (i % 2 == 0 ? 0x1p-48 : 0x1p-50));
    }
    /* A radius times the length of a normal that is no double, for a way of roundings: they touch at t = 1/2. */
    for (int i = 0; i < 8; i++)
    {
        const double radius = 0.1 + 0.0125 * i, normal[3] = {0.3, 0, 0};
        graze_shape *small, *plane;
        assert_int_equal(graze_shape_create_sphere(NULL, origin, radius, &small), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_half_space(NULL, normal, 0, &plane), GRAZE_STATUS_OK);
        graze_moving_shape falls = {small, along_x(radius + 0x1p-46, radius - 0x1p-46, 0, 0)};
        graze_moving_shape rests = {plane, still(&stand)};
        graze_shape_impact impact = ask(&falls, &rests, NULL);
        assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
        assert_true(impact.lower <= 0.5 && impact.upper >= 0.5 && impact.upper - impact.lower < 0x1p-4);
        graze_shape_destroy(plane);
        graze_shape_destroy(small);
    }
    for (int i = 0; i < 2; i++)
        graze_shape_destroy(planes[i]);
    graze_shape_destroy(ball);
}

static void bodies_within_others_meet_at_the_start(void **state)
{
    (void)state;
    const double size[3] = {0.25, 0.25, 0.25};
    graze_shape *ball, *box, *can;
    graze_mesh *big;
    graze_shape *solid, *surface;
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 2, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 0.25, 0.25, &can), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 4, 4, 4, 1, &big), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, big, NULL, true, &solid), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, big, NULL, false, &surface), GRAZE_STATUS_OK);
    const graze_shape *outer[] = {ball, solid, surface};
    const graze_shape *inner[] = {box, can};
    test_random random = test_random_start("bodies_within_others_meet_at_the_start", 14);
    for (int i = 0; i < 24; i++)
    {
        graze_pose start = scene_random_pose(&random, 0.125), end = scene_random_pose(&random, 0.125);
        const graze_pose stand = graze_pose_identity();
        graze_moving_shape a = {outer[i % 3], still(&stand)}, b = {inner[i / 3 % 2], moves(&start, &end)};
        graze_shape_impact impact = i / 6 % 2 == 0 ? ask(&a, &b, NULL) : ask(&b, &a, NULL);
        bool apart = i % 3 == 2; /* a surface holds nothing */
        assert_int_equal(impact.verdict, apart ? GRAZE_IMPACT_NONE : GRAZE_IMPACT_AT);
        assert_true(apart || impact.at_start || (impact.lower == 0 && impact.upper < 1e-6));
    }
    graze_shape_destroy(surface);
    graze_shape_destroy(solid);
    graze_mesh_destroy(big);
    graze_shape_destroy(can);
    graze_shape_destroy(box);
    graze_shape_destroy(ball);
}

/* Boxes within boxes, with a gap that the rounding of poses hides, and one that it does not. */
/* Plain numbers, and those whose squares, or lengths, doubles do not hold. */
static void normals_of_any_doubles_bound_the_approach(void **state)
{
    (void)state;
    static const double normals[][3] = {
        {1, 1, 0}, {0x1p-1073, 0x1p-1073, 0}, {0x1.8p-1072, 0x1p-1073, 0x1p-1073}, {1.2e308, 1.2e308, 1.2e308}};
    static const double radii[3] = {1, 1, 1};
    const graze_pose identity = graze_pose_identity();
    const graze_pose from = graze_pose_translation(10, 10, 10), to = graze_pose_translation(-5, -5, -5);
    graze_shape *ball, *ground;
    assert_int_equal(graze_shape_create_ellipsoid(NULL, radii, &ball), GRAZE_STATUS_OK);
    for (int i = 0; i < 4; i++)
    {
        double n[3], length = 0, sum = 0;
        for (int k = 0; k < 3; k++)
        {
            n[k] = normals[i][k] / normals[i][1];
            length = hypot(length, n[k]);
            sum += n[k];
        }
        double real = (10 - length / sum) / 15;
        assert_int_equal(graze_shape_create_half_space(NULL, normals[i], 0, &ground), GRAZE_STATUS_OK);
        graze_moving_shape sides[2] = {{ball, moves(&from, &to)}, {ground, still(&identity)}};
        for (int first = 0; first < 2; first++)
        {
            graze_shape_impact impact = ask(&sides[first], &sides[1 - first], NULL);
            assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
            assert_true(impact.lower < real + 1e-12 && impact.upper > real - 1e-12);
        }
        graze_shape_destroy(ground);
    }
    graze_shape_destroy(ball);
}

/* A ball of radius 1 about the origin of its compound, whose centre is 1e10 away from that of the part. As the compound
   turns the product of both poses is rounded to some 1e-6, so that nothing is known of smaller gaps. */
static void parts_that_cancel_their_poses_prove_nothing_wrong(void **state)
{
    (void)state;
    static const double far[3] = {1e10, 1e10 / 3, 0};
    graze_shape *ball, *part, *compound;
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 1, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, far, 1, &part), GRAZE_STATUS_OK);
    const graze_placed placed = {part, graze_pose_translation(-far[0], -far[1], 0)};
    assert_int_equal(graze_shape_create_compound(NULL, &placed, 1, &compound), GRAZE_STATUS_OK);
    int known = 0;
    for (int i = 0; i < 40; i++)
    {
        double gap = (i % 2 == 0 ? 1 : -1) * (i % 4 < 2 ? 1e-7 : 1e-2), angle = 0.1 + 0.02 * i;
        const graze_pose there = graze_pose_translation(2 + gap, 0, 0);
        graze_motion turn = {.kind = GRAZE_MOTION_TURN};
        for (int end = 0; end < 2; end++)
        {
            turn.quaternion[end][0] = cos(0.5 * angle + 0.3 * end);
            turn.quaternion[end][3] = sin(0.5 * angle + 0.3 * end);
        }
        graze_moving_shape turns = {compound, turn}, stands = {ball, still(&there)};
        graze_shape_impact impact = ask(&turns, &stands, NULL);
        assert_int_not_equal(impact.verdict, gap > 0 ? GRAZE_IMPACT_AT : GRAZE_IMPACT_NONE);
        known += impact.verdict != GRAZE_IMPACT_UNKNOWN;
    }
    assert_int_equal(known, 20);
    graze_shape_destroy(compound);
    graze_shape_destroy(part);
    graze_shape_destroy(ball);
}

/* A ball comes down along a face that leans by 2^-1000: it touches halfway, though doubles have the normal's length for
   1. */
static void normals_that_are_nearly_axes_are_none(void **state)
{
    (void)state;
    const double normal[3] = {1, 0x1p-1000, 0};
    const graze_pose identity = graze_pose_identity(), to = graze_pose_translation(1, 0, 0);
    const graze_pose from = graze_pose_translation(1, 0x1p-1000, 0);
    graze_shape *ball, *ground;
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 1, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, normal, 0, &ground), GRAZE_STATUS_OK);
    graze_moving_shape sides[2] = {{.shape = ball}, {ground, still(&identity)}};
    assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_BLEND, &sides[0].motion, NULL), GRAZE_STATUS_OK);
    for (int first = 0; first < 2; first++)
    {
        graze_shape_impact impact = ask(&sides[first], &sides[1 - first], NULL);
        assert_int_not_equal(impact.verdict, GRAZE_IMPACT_NONE);
        assert_true(impact.lower <= 0.5 && impact.upper > 0.5);
    }
    graze_shape_destroy(ground);
    graze_shape_destroy(ball);
}

static void what_rounding_hides_is_not_told(void **state)
{
    (void)state;
    const graze_pose stand = graze_pose_identity(), third = graze_pose_translation(0x1p-52, 0, 0);
    const double gaps[] = {0x1p-20, 0x1p-50};
    graze_shape *boxes[3], *ball;
    for (int i = 0; i < 3; i++)
    {
        double edge = 2 - (i > 0 ? 2 * gaps[i - 1] : 0);
        const double size[3] = {edge, edge, edge};
        assert_int_equal(graze_shape_create_box(NULL, size, &boxes[i]), GRAZE_STATUS_OK);
    }
    for (int i = 0; i < 2; i++)
    {
        graze_moving_shape outer = {boxes[0], still(&stand)}, inner = {boxes[1 + i], moves(&stand, &third)};
        graze_shape_impact impact = ask(&outer, &inner, NULL);
        assert_int_equal(impact.verdict, i == 0 ? GRAZE_IMPACT_AT : GRAZE_IMPACT_UNKNOWN);
        assert_int_equal(impact.at_start, i == 0);
    }
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 0.5, &ball), GRAZE_STATUS_OK);
    const double low = 1.5 - 0x1p-52;
    const graze_pose from = graze_pose_translation(-0.5, 0, low), to = {{0, -1, 0, 0.5, 1, 0, 0, 0, 0, 0, 1, low}};
    graze_moving_shape slider = {ball, moves(&from, &to)}, ground = {boxes[0], still(&stand)};
    graze_shape_impact impact = ask(&slider, &ground, NULL); /* an ulp deep all the while */
    assert_int_equal(impact.verdict, GRAZE_IMPACT_UNKNOWN);
    assert_true(impact.lower == 0);
    graze_shape_destroy(ball);
    for (int i = 0; i < 3; i++)
        graze_shape_destroy(boxes[i]);
}

/* A margin is a larger radius. */
static void margins_are_as_larger_radii(void **state)
{
    (void)state;
    all_kinds kinds;
    const graze_pose stand = graze_pose_identity();
    make_kinds(&kinds);
    for (int i = 0; i < 3; i++)
    {
        graze_impact_options options = graze_impact_options_default();
        options.margin = 0.25;
        graze_moving_shape a = {kinds.shapes[i == 0 ? 2 : i == 1 ? 6 : 4], still(&stand)};
        graze_moving_shape b = {kinds.shapes[2], along_x(4, 0, 0, 0)};
        double reach = i == 0 || i == 1 ? 0.375 : 0.25, expected = (4 - reach - 0.375 - 0.25) / 4;
        graze_shape_impact impact = ask(&a, &b, &options);
        assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
        assert_true(impact.lower <= expected && impact.upper >= expected && impact.upper - impact.lower < 1e-5);
    }
    destroy_kinds(&kinds);
}

/* A sphere of radius 0.1 with a margin of 0.2, whose sum is no double, comes down on a mesh. */
static void radii_whose_sum_is_rounded_touch_within_bounds(void **state)
{
    (void)state;
    graze_mesh *block;
    graze_shape *ball, *ground;
    const graze_pose stand = graze_pose_identity(), high = graze_pose_translation(0.1, 0.2, 2),
                     low = graze_pose_translation(0.1, 0.2, 0.5);
    graze_impact_options options = graze_impact_options_default();
    options.margin = 0.2;
    assert_int_equal(graze_mesh_create_box(NULL, 4, 4, 1, 4, &block), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, block, NULL, true, &ground), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 0.1, &ball), GRAZE_STATUS_OK);
    graze_moving_shape a = {ball, moves(&high, &low)}, b = {ground, still(&stand)};
    graze_shape_impact impact = ask(&a, &b, &options);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
    assert_true(impact.lower <= 0.8 && impact.upper >= 0.8 && impact.upper - impact.lower < 1e-5);
    assert_true(impact.hit.triangle_b != GRAZE_NO_TRIANGLE && impact.hit.triangle_a == GRAZE_NO_TRIANGLE);
    graze_shape_destroy(ball);
    graze_shape_destroy(ground);
    graze_mesh_destroy(block);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    all_kinds kinds;
    graze_shape_impact impact;
    make_kinds(&kinds);
    const graze_pose stand = graze_pose_identity(), quarter = {{0, -1, 0, 3, 1, 0, 0, 0, 0, 0, 1, 0}};
    const graze_pose twice = {{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0}};
    graze_impact_options options = graze_impact_options_default();
    graze_moving_shape ball = {kinds.shapes[2], still(&stand)}, can = {kinds.shapes[4], still(&stand)};
    graze_moving_shape box = {kinds.shapes[1], still(&stand)};
    assert_int_equal(graze_motion_between(&stand, &quarter, GRAZE_MOTION_BLEND, &ball.motion, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_impact(NULL, &ball, &box, NULL, &impact), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(graze_shape_pair_impact(NULL, &box, &ball, NULL, &impact), GRAZE_STATUS_NOT_RIGID);
    box.motion = ball.motion;
    can.motion.start = twice;
    assert_int_equal(graze_shape_pair_impact(NULL, &box, &can, NULL, &impact), GRAZE_STATUS_NOT_RIGID);
    can.motion = still(&stand);
    ball.motion = still(&stand);
    assert_int_equal(graze_shape_pair_impact(NULL, &box, &ball, NULL, &impact), GRAZE_STATUS_OK);
    options.crossing = true;
    assert_int_equal(graze_shape_pair_impact(NULL, &box, &ball, &options, &impact), GRAZE_STATUS_UNSUPPORTED);
    assert_int_equal(graze_shape_pair_impact(NULL, &box, &can, &options, &impact), GRAZE_STATUS_UNSUPPORTED);
    assert_int_equal(graze_motion_between(&stand, &quarter, GRAZE_MOTION_SCREW, &can.motion, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_impact(NULL, &box, &can, NULL, &impact), GRAZE_STATUS_UNSUPPORTED);
    destroy_kinds(&kinds);
}

static bool stop(void *user, double share)
{
    (void)share;
    ++*(int *)user;
    return false;
}

static void budgets_end_searches(void **state)
{
    (void)state;
    all_kinds kinds;
    const graze_pose stand = graze_pose_identity();
    make_kinds(&kinds);
    const graze_pose quarter = {{0, -1, 0, 0.5, 1, 0, 0, 0.5, 0, 0, 1, 1}};
    graze_moving_shape a = {kinds.shapes[0], still(&stand)};
    for (int i = 0; i < 2; i++)
    {
        graze_moving_shape b = {kinds.shapes[i == 0 ? 4 : 12], moves(&stand, &quarter)};
        graze_shape_impact impact = {0};
        graze_impact_options options = graze_impact_options_default();
        int calls = 0;
        b.motion.path[0][2] = 1.5;
        options.budget.box_tests = 1;
        assert_int_equal(graze_shape_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        assert_int_equal(impact.verdict, GRAZE_IMPACT_UNKNOWN);
        options.budget = (graze_budget){.progress = stop, .progress_user = &calls};
        graze_status status = graze_shape_pair_impact(NULL, &a, &b, &options, &impact);
        assert_int_equal(status, calls > 0 ? GRAZE_STATUS_CANCELLED : GRAZE_STATUS_OK);
    }
    destroy_kinds(&kinds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_meet_when_their_centres_are_near),
        cmocka_unit_test(any_two_kinds_meet_when_samples_do),
        cmocka_unit_test(polytopes_are_answered_as_their_meshes),
        cmocka_unit_test(shapes_that_slide_along_others_are_told),
        cmocka_unit_test(half_spaces_that_move_meet_what_stands),
        cmocka_unit_test(half_spaces_that_swing_are_met_in_time),
        cmocka_unit_test(half_spaces_swing_to_what_is_scaled_far),
        cmocka_unit_test(balls_meet_faces_within_an_ulp_or_two),
        cmocka_unit_test(bodies_within_others_meet_at_the_start),
        cmocka_unit_test(normals_of_any_doubles_bound_the_approach),
        cmocka_unit_test(parts_that_cancel_their_poses_prove_nothing_wrong),
        cmocka_unit_test(normals_that_are_nearly_axes_are_none),
        cmocka_unit_test(what_rounding_hides_is_not_told),
        cmocka_unit_test(margins_are_as_larger_radii),
        cmocka_unit_test(radii_whose_sum_is_rounded_touch_within_bounds),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(budgets_end_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
