/* SPDX-License-Identifier: MIT */
/*
 * Shape casts of every kind against every kind. On the grid, what a polytope sweeps over is the hull of its corners at
 * both ends, which has exact coordinates: whether the cast hits is whether that hull meets the other shape, decided by
 * queries that are compared with rationals elsewhere. Positions between the ends that are exact doubles are asked one
 * by one: none meets before the lower bound, and one at or before the upper bound exists. Known times, ends that touch,
 * misses by an ulp, shapes that graze.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/shape_query.h"
#include "shape/cast.h"
#include "support/environment.h"
#include "support/lattice.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 12,  /* of all pairs of kinds */
    SAMPLES = 16, /* exact positions between the ends: a power of two */
    MOST_POINTS = 64
};

typedef struct counters
{
    int pairs, hits, misses, starts, unknown, swept, wide;
} counters;

static bool has_polytope(const graze_shape *shape)
{
    graze_shape_kind kind = graze_shape_get_kind(shape);
    return graze_shape_mesh(shape) != NULL && kind != GRAZE_SHAPE_MESH && kind != GRAZE_SHAPE_HEIGHT_FIELD;
}

/* Corners, placed by poses on the grid: exact. */
static size_t add_corners(const graze_shape *shape, const graze_pose *pose, double (*points)[3], size_t count)
{
    const graze_mesh *mesh = graze_shape_mesh(shape);
    for (size_t i = 0; i < graze_mesh_vertex_count(mesh); i++)
        graze_pose_apply(pose, graze_mesh_vertices(mesh) + 3 * i, points[count++]);
    return count;
}

/* Whether the hull of B at both ends, with its radius, meets A. */
static graze_verdict swept_meets(const graze_placed *a, const graze_placed *b, const graze_pose *end)
{
    static double points[MOST_POINTS][3];
    graze_shape *hull, *rounded = NULL;
    graze_verdict verdict;
    assert_true(2 * graze_mesh_vertex_count(graze_shape_mesh(b->shape)) <= MOST_POINTS);
    size_t count = add_corners(b->shape, end, points, add_corners(b->shape, &b->pose, points, 0));
    assert_int_equal(graze_shape_create_hull(NULL, points[0], count, NULL, &hull), GRAZE_STATUS_OK);
    if (graze_shape_radius(b->shape) > 0)
        assert_int_equal(graze_shape_create_rounded(NULL, hull, graze_shape_radius(b->shape), &rounded),
                         GRAZE_STATUS_OK);
    graze_placed swept = {rounded != NULL ? rounded : hull, graze_pose_identity()};
    assert_int_equal(graze_shape_pair_any(NULL, a, &swept, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    graze_shape_destroy(rounded);
    graze_shape_destroy(hull);
    return verdict;
}

static graze_verdict any_at(const graze_placed *a, const graze_placed *b, const double from[3], const double to[3],
                            int sample)
{
    graze_placed at = *b;
    graze_verdict verdict;
    for (int k = 0; k < 3; k++) /* exact on the grid */
        at.pose.m[4 * k + 3] = from[k] + (to[k] - from[k]) * sample / SAMPLES;
    assert_int_equal(graze_shape_pair_any(NULL, a, &at, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    return verdict;
}

static void check_hit(const graze_shape_cast_hit *hit, counters *c)
{
    assert_true(hit->t_lower >= 0 && hit->t_lower <= hit->t && hit->t <= hit->t_upper && hit->t_upper <= 1);
    c->wide += hit->t_upper - hit->t_lower > 1e-9;
    double length = 0;
    for (int k = 0; k < 3; k++)
        length = hypot(length, hit->normal[k]);
    assert_true(hit->t_lower == 0 || fabs(length - 1) < 1e-9);
}

/* Positions between the ends. */
static void check_samples(const graze_placed *a, const graze_placed *b, const double from[3], const double to[3],
                          graze_verdict verdict, const graze_shape_cast_hit *hit)
{
    for (int i = 0; i <= SAMPLES; i++)
    {
        graze_verdict at = any_at(a, b, from, to, i);
        double s = (double)i / SAMPLES;
        if (at == GRAZE_VERDICT_YES && verdict == GRAZE_VERDICT_NO)
            fail_msg("kinds %d, %d meet at %g", (int)graze_shape_get_kind(a->shape),
                     (int)graze_shape_get_kind(b->shape), s);
        if (at == GRAZE_VERDICT_YES && verdict == GRAZE_VERDICT_YES && hit->t_lower > s)
            fail_msg("kinds %d, %d meet at %g, before %.17g", (int)graze_shape_get_kind(a->shape),
                     (int)graze_shape_get_kind(b->shape), s, hit->t_lower);
        if (at == GRAZE_VERDICT_YES) /* the ends: certain */
            assert_true(i > 0 || (verdict == GRAZE_VERDICT_YES && hit->t_upper == 0));
    }
}

/* Two leaves at poses that keep the grid. */
static void check_cast(const graze_placed *a, const graze_placed *b, const double to[3], counters *c)
{
    graze_verdict verdict;
    graze_shape_cast_hit hit;
    graze_pose end = b->pose;
    double from[3];
    for (int k = 0; k < 3; k++)
    {
        from[k] = b->pose.m[4 * k + 3];
        end.m[4 * k + 3] = to[k];
    }
    assert_int_equal(graze_shape_pair_cast(NULL, a, b, to, NULL, &verdict, &hit), GRAZE_STATUS_OK);
    if (verdict == GRAZE_VERDICT_YES)
        check_hit(&hit, c);
    check_samples(a, b, from, to, verdict, &hit);
    c->pairs++;
    c->hits += verdict == GRAZE_VERDICT_YES;
    c->misses += verdict == GRAZE_VERDICT_NO;
    c->unknown += verdict == GRAZE_VERDICT_UNKNOWN;
    c->starts += verdict == GRAZE_VERDICT_YES && hit.t_upper == 0;
    if (!has_polytope(b->shape))
        return;
    graze_verdict swept = swept_meets(a, b, &end);
    c->swept++;
    if (swept != verdict && swept != GRAZE_VERDICT_UNKNOWN && verdict != GRAZE_VERDICT_UNKNOWN)
        fail_msg("kinds %d, %d: cast says %d, the swept hull %d", (int)graze_shape_get_kind(a->shape),
                 (int)graze_shape_get_kind(b->shape), (int)verdict, (int)swept);
}

/* Identity, quarter turns and mirrors, and whole translations. */
static graze_pose grid_pose(test_random *random)
{
    graze_pose pose = graze_pose_identity();
    int shift = random_below(random, 3);
    for (int i = 0; i < 9; i++)
        pose.m[4 * (i / 3) + i % 3] = i % 3 != (i / 3 + shift) % 3 ? 0 : random_once_in(random, 2) ? 1 : -1;
    for (int k = 0; k < 3; k++)
        pose.m[4 * k + 3] = random_between(random, -8, 8);
    return pose;
}

static void every_two_kinds_meet_where_their_sweep_does(void **state)
{
    (void)state;
    test_random random = test_random_start("shape casts", 18);
    counters c = {0};
    for (int kind_a = 0; kind_a < GRAZE_SHAPE_KIND_COUNT; kind_a++)
        for (int kind_b = 0; kind_b < GRAZE_SHAPE_KIND_COUNT; kind_b++)
            for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
            {
                random_shape x, y;
                random_shape_make(&random, (graze_shape_kind)kind_a, &x);
                random_shape_make(&random, (graze_shape_kind)kind_b, &y);
                graze_placed a = {x.shape, grid_pose(&random)}, b = {y.shape, grid_pose(&random)};
                double to[3];
                for (int k = 0; k < 3; k++)
                    to[k] = random_once_in(&random, 4) ? b.pose.m[4 * k + 3] : random_between(&random, -8, 8);
                check_cast(&a, &b, to, &c);
                random_shape_clear(&x);
                random_shape_clear(&y);
            }
    printf("%d casts: %d hit, %d of them at the start, %d miss, %d unknown; %d sweeps, %d wide intervals\n", c.pairs,
           c.hits, c.starts, c.misses, c.unknown, c.swept, c.wide);
    assert_true(c.hits - c.starts > c.pairs / 12 && c.misses > c.pairs / 12 && c.starts > c.pairs / 20);
    assert_true(c.unknown < c.pairs / 20 && c.wide < c.hits / 4);
}

/* The exact way alone, which queries need only where shapes graze. */
static void swept_surfaces_are_exact(void **state)
{
    (void)state;
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_HULL,    GRAZE_SHAPE_SPHERE,  GRAZE_SHAPE_CAPSULE,
                                             GRAZE_SHAPE_BOX,     GRAZE_SHAPE_ROUNDED, GRAZE_SHAPE_TRIANGLE,
                                             GRAZE_SHAPE_SEGMENT, GRAZE_SHAPE_POINT};
    test_random random = test_random_start("swept surfaces", 20);
    grz_shape_query q = {0};
    int hits = 0, misses = 0;
    for (int round = 0; round < TEST_ROUNDS(1500); round++)
    {
        random_shape x, y;
        random_shape_make(&random, kinds[random_below(&random, 8)], &x);
        random_shape_make(&random, kinds[random_below(&random, 8)], &y);
        graze_placed a = {x.shape, grid_pose(&random)}, b = {y.shape, grid_pose(&random)};
        graze_pose end = grid_pose(&random), turned = b.pose;
        graze_verdict start, swept;
        grz_cast_way way;
        grz_cast_part parts[2];
        bool meets;
        for (int k = 0; k < 3; k++)
        {
            way.from[k] = b.pose.m[4 * k + 3];
            way.to[k] = turned.m[4 * k + 3] = end.m[4 * k + 3];
            way.motion[k] = interval_point(way.to[k] - way.from[k]);
        }
        assert_int_equal(graze_shape_pair_any(NULL, &a, &b, NULL, &start, NULL), GRAZE_STATUS_OK);
        swept = swept_meets(&a, &b, &turned);
        grz_cast_part_of_leaf(&a, &parts[0]);
        grz_cast_part_of_leaf(&b, &parts[1]);
        assert_int_equal(grz_cast_sweep_meets(&q, &parts[0], &parts[1], &way, &meets), GRAZE_STATUS_OK);
        if (start == GRAZE_VERDICT_NO)
        {
            if (meets != (swept == GRAZE_VERDICT_YES))
                fail_msg("kinds %d, %d: swept surfaces %d, hull %d", (int)graze_shape_get_kind(a.shape),
                         (int)graze_shape_get_kind(b.shape), meets, (int)swept);
            hits += meets;
            misses += !meets;
        }
        random_shape_clear(&x);
        random_shape_clear(&y);
    }
    printf("%d hits, %d misses\n", hits, misses);
    assert_true(hits > TEST_ROUNDS(1500) / 20 && misses > TEST_ROUNDS(1500) / 10);
}

/* Ways that only just hit, found by halving with exact sweeps, and their neighbours: positions on the way are rounded
   by more than what decides. */
static bool sweep_hits(const graze_placed *a, const graze_placed *b, const double to[3])
{
    grz_shape_query q = {0};
    grz_cast_way way;
    grz_cast_part parts[2];
    bool meets;
    for (int k = 0; k < 3; k++)
    {
        way.from[k] = b->pose.m[4 * k + 3];
        way.to[k] = to[k];
        way.motion[k] = interval_sub(interval_point(to[k]), interval_point(way.from[k]));
    }
    grz_cast_part_of_leaf(a, &parts[0]);
    grz_cast_part_of_leaf(b, &parts[1]);
    assert_int_equal(grz_cast_sweep_meets(&q, &parts[0], &parts[1], &way, &meets), GRAZE_STATUS_OK);
    return meets;
}

static void ways_that_only_just_hit_are_told_from_misses(void **state)
{
    (void)state;
    test_random random = test_random_start("ways that only just hit", 21);
    int hits = 0, misses = 0, near = 0;
    for (int round = 0; round < TEST_ROUNDS(60); round++)
    {
        static const graze_shape_kind kinds[] = {GRAZE_SHAPE_BOX, GRAZE_SHAPE_HULL, GRAZE_SHAPE_SPHERE,
                                                 GRAZE_SHAPE_TRIANGLE, GRAZE_SHAPE_POINT};
        random_shape x, y;
        random_shape_make(&random, kinds[round % 2], &x);
        random_shape_make(&random, kinds[random_below(&random, 5)], &y);
        graze_placed a = {x.shape, graze_pose_identity()}, b = {y.shape, random_rigid_pose(&random)};
        double far = round % 3 == 0 ? 0 : 0x1p33; /* where positions are rounded a lot */
        double to[3] = {far + random_real(&random, 20, 30), far + random_real(&random, -1, 1), 0};
        double low = far - 40, high = far + 40;
        b.pose.m[3] = far + random_real(&random, -30, -20);
        for (int k = 0; k < 3; k++)
        {
            a.pose.m[4 * k + 3] = far;
            if (k > 0)
                b.pose.m[4 * k + 3] = far + random_real(&random, -1, 1);
        }
        to[2] = low;
        bool below = sweep_hits(&a, &b, to);
        while (!below && nextafter(low, INFINITY) < high)
        {
            double middle = low + 0.5 * (high - low);
            to[2] = middle;
            *(sweep_hits(&a, &b, to) || middle > far + 39 ? &high : &low) = middle;
        }
        for (int step = -3; step <= 3; step++)
        {
            graze_verdict verdict;
            to[2] = high;
            for (int k = 0; k < abs(step); k++)
                to[2] = nextafter(to[2], step > 0 ? INFINITY : -INFINITY);
            bool expected = sweep_hits(&a, &b, to);
            assert_int_equal(graze_shape_pair_cast(NULL, &a, &b, to, NULL, &verdict, NULL), GRAZE_STATUS_OK);
            assert_int_equal(verdict, expected ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
            hits += expected;
            misses += !expected;
        }
        near += high < far + 39 ? 1 : 0;
        random_shape_clear(&x);
        random_shape_clear(&y);
    }
    printf("%d hits, %d misses, of %d ways\n", hits, misses, near);
    assert_true(near > TEST_ROUNDS(60) / 2 && hits > near && misses > near);
}

/* A box that moves meets one that stays no earlier than the bound, in numbers of more digits. */
static void boxes_meet_no_earlier_than_their_bound(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes that move", 22);
    int meet = 0, never = 0;
    for (int round = 0; round < TEST_ROUNDS(100000); round++)
    {
        graze_box still, moving;
        grz_cast_way way;
        long double first = 0, last = 1;
        for (int k = 0; k < 3; k++)
        {
            bool plain = k != round % 3;
            still.lower[k] = plain ? -4 : random_real(&random, -1, 0);
            still.upper[k] = plain ? 4 : random_real(&random, 0, 1);
            moving.lower[k] = plain ? -1 : random_real(&random, -9, 9);
            moving.upper[k] = moving.lower[k] + 1;
            way.from[k] = 0;
            way.to[k] = plain                        ? 0
                        : random_once_in(&random, 8) ? still.lower[k] - moving.upper[k]
                                                     : random_real(&random, -12, 12);
            way.motion[k] = interval_point(way.to[k]);
            long double m = way.to[k], in = 0, out = 1;
            long double before = (long double)still.lower[k] - moving.upper[k],
                        after = (long double)still.upper[k] - moving.lower[k];
            if (m != 0)
            {
                in = (m > 0 ? before : after) / m;
                out = (m > 0 ? after : before) / m;
            }
            else if (before > 0 || after < 0)
                in = INFINITY;
            first = fmaxl(first, in);
            last = fminl(last, out);
        }
        double bound = grz_cast_box_entry(&still, &moving, &way);
        bool meets = first <= last;
        if (meets)
            assert_true((long double)bound <= first && bound >= (double)first * (1 - 1e-14));
        else
            assert_true(bound == INFINITY || first - last < 1e-14L);
        meet += meets;
        never += bound == INFINITY;
    }
    assert_true(meet > TEST_ROUNDS(100000) / 10 && never > TEST_ROUNDS(100000) / 10);
}

/* ---- known answers ---- */

static graze_shape_cast_hit cast_to(const graze_placed *a, const graze_placed *b, double x, double y, double z)
{
    const double to[3] = {x, y, z};
    graze_verdict verdict;
    graze_shape_cast_hit hit;
    assert_int_equal(graze_shape_pair_cast(NULL, a, b, to, NULL, &verdict, &hit), GRAZE_STATUS_OK);
    assert_int_equal(verdict, GRAZE_VERDICT_YES);
    assert_true(hit.t_lower <= hit.t && hit.t <= hit.t_upper);
    return hit;
}

static graze_verdict verdict_to(const graze_placed *a, const graze_placed *b, double x, double y, double z)
{
    const double to[3] = {x, y, z};
    graze_verdict verdict;
    assert_int_equal(graze_shape_pair_cast(NULL, a, b, to, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    return verdict;
}

static void assert_time(const graze_shape_cast_hit *hit, double t)
{
    if (!(hit->t_lower <= t && t <= hit->t_upper && hit->t_upper - hit->t_lower < 1e-11))
        fail_msg("%.17g is not in [%.17g, %.17g], or that is wide", t, hit->t_lower, hit->t_upper);
}

static void known_times_are_enclosed(void **state)
{
    (void)state;
    static const double size[3] = {1, 1, 1}, normal[3] = {0, 0, 2}, ends[2][3] = {{0, 0, -1}, {0, 0, 1}};
    graze_shape *box, *ball, *plane, *capsule, *cylinder;
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, normal, 0, &plane), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_capsule(NULL, ends, 0.5, &capsule), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 2, 0.5, &cylinder), GRAZE_STATUS_OK);
    graze_placed still = {box, graze_pose_identity()}, far = {box, graze_pose_translation(5, 0, 0)};
    graze_shape_cast_hit hit = cast_to(&still, &far, -5, 0, 0);
    assert_time(&hit, 0.4); /* 4 of 10 */
    assert_true(fabs(hit.normal[0] - 1) < 1e-12 && fabs(hit.point[0] - 0.5) < 1e-12);
    graze_placed balls[2] = {{ball, graze_pose_identity()}, {ball, graze_pose_translation(6, 1, 0)}};
    hit = cast_to(&balls[0], &balls[1], -6, 1, 0);
    assert_time(&hit, (6 - sqrt(3)) / 12);
    hit = cast_to(&still, &balls[1], 0, 0, 0);
    graze_placed ground = {plane, graze_pose_identity()}, up = {capsule, graze_pose_translation(0, 0, 4.5)};
    hit = cast_to(&ground, &up, 9, 9, -1.5);
    assert_time(&hit, 0.5); /* 3 of 6 */
    hit = cast_to(&up, &ground, 0, 0, 6);
    assert_time(&hit, 0.5);
    graze_placed tube = {cylinder, graze_pose_translation(0, 3, 0)};
    hit = cast_to(&still, &tube, 0, -1, 0);
    assert_time(&hit, 0.5); /* 2 of 4 */
    graze_shape_destroy(cylinder);
    graze_shape_destroy(capsule);
    graze_shape_destroy(plane);
    graze_shape_destroy(ball);
    graze_shape_destroy(box);
}

/* A ball that passes over a box at its radius, and an ulp higher; a box that slides along another, and an ulp above. */
static void grazes_are_told_from_misses(void **state)
{
    (void)state;
    static const double size[3] = {2, 2, 2}, tip[3] = {0, 0, 0};
    graze_shape *box, *ball, *point;
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 0.5, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_point(NULL, tip, &point), GRAZE_STATUS_OK);
    double over = nextafter(1.5, 2), above = nextafter(2, 3);
    graze_placed still = {box, graze_pose_identity()};
    for (int number = 0; number < ENVIRONMENTS; number++)
    {
        saved_environment saved;
        graze_placed passing = {ball, graze_pose_translation(-4, 0.25, 1.5)};
        graze_placed sliding = {box, graze_pose_translation(-5, 0.5, 2)};
        environment_enter(&saved, number);
        graze_shape_cast_hit hit = cast_to(&still, &passing, 4, 0.25, 1.5);
        graze_shape_cast_hit slide = cast_to(&still, &sliding, 5, 0.5, 2);
        passing.pose.m[11] = over;
        sliding.pose.m[11] = above;
        graze_verdict miss = verdict_to(&still, &passing, 4, 0.25, over);
        graze_verdict beside = verdict_to(&still, &sliding, 5, 0.5, above);
        graze_verdict dives = verdict_to(&still, &passing, 4, 0.25, 1.5 - 0x1p-40);
        environment_leave(&saved);
        assert_true(hit.t_lower <= 0.375 && hit.t_upper >= 0.375); /* 3 of 8 */
        assert_true(slide.t_lower <= 0.3 && slide.t_upper >= 0.3); /* 3 of 10 */
        assert_int_equal(miss, GRAZE_VERDICT_NO);
        assert_int_equal(beside, GRAZE_VERDICT_NO);
        assert_int_equal(dives, GRAZE_VERDICT_YES);
    }
    /* Points through a corner, and beside it. */
    graze_placed speck = {point, graze_pose_translation(2, 1, 0)};
    assert_int_equal(verdict_to(&still, &speck, 0, 1, 2), GRAZE_VERDICT_YES); /* through the edge (1, y, 1) */
    speck.pose.m[3] = nextafter(2, 3);
    assert_int_equal(verdict_to(&still, &speck, 0, 1, 2), GRAZE_VERDICT_NO);
    graze_shape_destroy(point);
    graze_shape_destroy(ball);
    graze_shape_destroy(box);
}

static void ends_count_and_numbers_are_checked(void **state)
{
    (void)state;
    static const double size[3] = {1, 1, 1};
    graze_shape *box, *ball;
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &ball), GRAZE_STATUS_OK);
    graze_placed a = {box, graze_pose_identity()}, b = {box, graze_pose_translation(3, 0, 0)};
    graze_shape_cast_hit hit = cast_to(&a, &b, 1, 0, 0);
    assert_true(hit.t_upper == 1 && hit.t_lower > 1 - 1e-12);
    assert_int_equal(verdict_to(&a, &b, nextafter(1, 2), 0, 0), GRAZE_VERDICT_NO);
    b.pose = graze_pose_translation(1, 0, 0);
    hit = cast_to(&a, &b, 3, 0, 0);
    assert_true(hit.t_upper == 0 && hit.t_lower == 0);
    assert_int_equal(verdict_to(&a, &b, 1, 0, 0), GRAZE_VERDICT_YES); /* no way at all */
    const double nowhere[3] = {0, NAN, 0}, somewhere[3] = {0, 0, 0};
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    assert_int_equal(graze_shape_pair_cast(NULL, &a, &b, nowhere, NULL, &verdict, NULL), GRAZE_STATUS_NOT_FINITE);
    b = (graze_placed){ball, graze_pose_identity()};
    b.pose.m[0] = 2;
    assert_int_equal(graze_shape_pair_cast(NULL, &a, &b, somewhere, NULL, &verdict, NULL), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(verdict, GRAZE_VERDICT_UNKNOWN);
    graze_shape_destroy(ball);
    graze_shape_destroy(box);
}

/* Powers of two change no answer, as far as nothing leaves the range. */
static void casts_scale_with_powers_of_two(void **state)
{
    (void)state;
    test_random random = test_random_start("scaled casts", 19);
    static const int powers[] = {-300, -60, 80, 300};
    int hits = 0;
    for (int round = 0; round < TEST_ROUNDS(400); round++)
    {
        graze_shape_kind kinds[2];
        for (int i = 0; i < 2; i++)
            do
                kinds[i] = (graze_shape_kind)random_below(&random, GRAZE_SHAPE_KIND_COUNT);
            while (kinds[i] == GRAZE_SHAPE_COMPOUND || kinds[i] == GRAZE_SHAPE_CYLINDER ||
                   kinds[i] == GRAZE_SHAPE_CONE || kinds[i] == GRAZE_SHAPE_ELLIPSOID);
        test_random copy = random;
        graze_pose poses[2] = {grid_pose(&random), grid_pose(&random)};
        graze_pose end = grid_pose(&random);
        double scale = ldexp(1, powers[random_below(&random, 4)]);
        graze_verdict verdicts[2];
        for (int scaled = 0; scaled < 2; scaled++)
        {
            test_random again = copy;
            random_shape x, y;
            double factor = scaled ? scale : 1, to[3];
            random_shape_make_scaled(&again, kinds[0], factor, &x);
            random_shape_make_scaled(&again, kinds[1], factor, &y);
            graze_placed a = {x.shape, poses[0]}, b = {y.shape, poses[1]};
            for (int k = 0; k < 3; k++)
            {
                a.pose.m[4 * k + 3] *= factor;
                b.pose.m[4 * k + 3] *= factor;
                to[k] = end.m[4 * k + 3] * factor;
            }
            assert_int_equal(graze_shape_pair_cast(NULL, &a, &b, to, NULL, &verdicts[scaled], NULL), GRAZE_STATUS_OK);
            random_shape_clear(&x);
            random_shape_clear(&y);
        }
        assert_int_equal(verdicts[0], verdicts[1]);
        hits += verdicts[0] == GRAZE_VERDICT_YES;
    }
    assert_true(hits > TEST_ROUNDS(400) / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_times_are_enclosed),
        cmocka_unit_test(grazes_are_told_from_misses),
        cmocka_unit_test(ends_count_and_numbers_are_checked),
        cmocka_unit_test(every_two_kinds_meet_where_their_sweep_does),
        cmocka_unit_test(swept_surfaces_are_exact),
        cmocka_unit_test(ways_that_only_just_hit_are_told_from_misses),
        cmocka_unit_test(boxes_meet_no_earlier_than_their_bound),
        cmocka_unit_test(casts_scale_with_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
