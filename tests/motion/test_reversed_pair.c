/* SPDX-License-Identifier: MIT */
/*
 * Pairs of motions backward in time: their difference in rationals is that at 1 - t, and what meets first backward
 * meets last forward.
 */
#include "motion/reversed_pair.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/motion_query.h"
#include "support/random.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(3000),
    PAIRS = TEST_ROUNDS(150)
};

static graze_motion random_motion(test_random *random, int low)
{
    graze_motion motion = {.kind = (graze_motion_kind)random_below(random, 4)};
    double scale = ldexp(1, random_between(random, low, 0));
    for (int k = 0; k < 12; k++)
    {
        motion.start.m[k] = scale * random_real(random, -2, 2);
        motion.end.m[k] = random_real(random, -2, 2);
    }
    do
        for (int i = 0; i < 8; i++)
            motion.quaternion[i / 4][i % 4] = random_real(random, -1, 1);
    while (motion.kind >= GRAZE_MOTION_TURN && graze_motion_check(&motion) != GRAZE_STATUS_OK);
    for (int k = 0; k < 9; k++)
        motion.path[k / 3][k % 3] = (k < 3 ? scale : 1) * random_real(random, -3, 3);
    return motion;
}

/* Adds `sign` times the translation at t = n / 8 along an axis, without what a centre adds. */
static void add_place(mpq_t sum, const graze_motion *motion, int axis, int n, int sign)
{
    mpq_t t, power, term;
    mpq_inits(t, power, term, NULL);
    mpq_set_si(t, n, 8);
    mpq_canonicalize(t);
    mpq_set_si(power, sign, 1);
    double c[3] = {motion->start.m[4 * axis + 3], 0, 0};
    bool turns = motion->kind >= GRAZE_MOTION_TURN;
    int count = motion->kind == GRAZE_MOTION_TURN ? 2 : motion->kind == GRAZE_MOTION_BALLISTIC_TURN ? 3 : 1;
    for (int i = 0; i < 3 && turns; i++)
        c[i] = motion->path[i][axis];
    for (int i = 0; i < count; i++)
    {
        mpq_set_d(term, c[i]);
        mpq_mul(term, term, power);
        mpq_add(sum, sum, term);
        mpq_mul(power, power, t);
    }
    if (motion->kind == GRAZE_MOTION_BLEND) /* start + t (end - start) */
        for (int side = 0; side < 2; side++)
        {
            mpq_set_d(term, side == 0 ? motion->end.m[4 * axis + 3] : -c[0]);
            mpq_mul(term, term, power);
            mpq_add(sum, sum, term);
        }
    mpq_clears(t, power, term, NULL);
}

static void check_difference(const graze_motion forward[2], const graze_motion backward[2])
{
    mpq_t here, there;
    mpq_inits(here, there, NULL);
    for (int axis = 0; axis < 3; axis++)
        for (int n = 0; n <= 8; n += 2)
        {
            mpq_set_ui(here, 0, 1);
            mpq_set_ui(there, 0, 1);
            for (int side = 0; side < 2; side++)
            {
                add_place(here, &forward[side], axis, n, side == 0 ? 1 : -1);
                add_place(there, &backward[side], axis, 8 - n, side == 0 ? 1 : -1);
            }
            assert_int_equal(mpq_cmp(here, there), 0);
        }
    mpq_clears(here, there, NULL);
}

static void translations_differ_as_they_did_at_the_mirrored_time(void **state)
{
    (void)state;
    test_random random = test_random_start("translations_differ_as_they_did_at_the_mirrored_time", 8);
    int exact = 0, none = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        int low = round % 2 == 0 ? 0 : -200;
        graze_motion forward[2] = {random_motion(&random, low), random_motion(&random, low)}, backward[2];
        if (!grz_motions_reverse(&forward[0], &forward[1], &backward[0], &backward[1]))
        {
            assert_int_equal(low, -200); /* of like magnitudes there always are */
            none++;
            continue;
        }
        exact++;
        check_difference(forward, backward);
        for (int side = 0; side < 2; side++)
        {
            const graze_motion *f = &forward[side], *b = &backward[side];
            assert_int_equal(graze_motion_check(b), GRAZE_STATUS_OK);
            for (int i = 0; i < 4 && f->kind >= GRAZE_MOTION_TURN; i++)
                assert_true(f->quaternion[0][i] == b->quaternion[1][i] && f->quaternion[1][i] == b->quaternion[0][i]);
            for (int i = 0; i < 12 && f->kind == GRAZE_MOTION_BLEND; i++)
                assert_true(i % 4 == 3 || (f->start.m[i] == b->end.m[i] && f->end.m[i] == b->start.m[i]));
        }
    }
    printf("%d reversed, %d not\n", exact, none);
    assert_true(exact > ROUNDS / 2 && none > 0);
}

static void reversed_times_are_rounded_outward(void **state)
{
    (void)state;
    test_random random = test_random_start("reversed_times_are_rounded_outward", 9);
    int rounded = 0;
    mpq_t exact, bound;
    mpq_inits(exact, bound, NULL);
    for (int round = 0; round < ROUNDS; round++)
    {
        double t = ldexp(random_unit(&random), -random_below(&random, 60));
        double below = grz_time_reversed_below(t), above = grz_time_reversed_above(t);
        mpq_set_d(exact, t);
        mpq_set_ui(bound, 1, 1);
        mpq_sub(exact, bound, exact);
        mpq_set_d(bound, below);
        assert_true(mpq_cmp(bound, exact) <= 0);
        mpq_set_d(bound, above);
        assert_true(mpq_cmp(bound, exact) >= 0);
        assert_true(below == above || nextafter(below, 1) == above);
        rounded += below < above;
    }
    mpq_clears(exact, bound, NULL);
    assert_true(grz_time_reversed_below(0) == 1 && grz_time_reversed_above(0) == 1);
    assert_true(grz_time_reversed_below(1) == 0 && grz_time_reversed_above(0.25) == 0.75);
    assert_true(rounded > ROUNDS / 8);
}

static bool collide_at(const graze_moving_mesh *a, const graze_moving_mesh *b, double t)
{
    graze_placed_mesh x = {a->mesh, a->tree, graze_pose_identity()}, y = {b->mesh, b->tree, graze_pose_identity()};
    bool found;
    assert_int_equal(graze_motion_pose(&a->motion, t, &x.pose, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_pose(&b->motion, t, &y.pose, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_any(NULL, &x, &y, NULL, &found, NULL), GRAZE_STATUS_OK);
    return found;
}

static void what_meets_first_backward_meets_last_forward(void **state)
{
    (void)state;
    test_random random = test_random_start("what_meets_first_backward_meets_last_forward", 10);
    scene_meshes meshes;
    scene_meshes_make(&meshes);
    int met = 0, near = 0;
    for (int round = 0; round < PAIRS; round++)
    {
        graze_moving_mesh a, b;
        for (int side = 0; side < 2; side++)
        {
            graze_moving_mesh *m = side == 0 ? &a : &b;
            int which = random_below(&random, SCENE_MESHES);
            graze_pose from = scene_random_pose(&random, 2), to = scene_random_pose(&random, 2);
            *m = (graze_moving_mesh){.mesh = meshes.meshes[which], .tree = meshes.trees[which]};
            assert_int_equal(graze_motion_between(&from, &to,
                                                  random_once_in(&random, 3) ? GRAZE_MOTION_BLEND : GRAZE_MOTION_TURN,
                                                  &m->motion, NULL),
                             GRAZE_STATUS_OK);
        }
        graze_moving_mesh back_a = a, back_b = b;
        assert_true(grz_motions_reverse(&a.motion, &b.motion, &back_a.motion, &back_b.motion));
        graze_impact first, last;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &first), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_impact(NULL, &back_a, &back_b, NULL, &last), GRAZE_STATUS_OK);
        assert_int_equal(first.verdict, last.verdict);
        if (first.verdict == GRAZE_IMPACT_NONE)
            continue;
        met++;
        double lower = grz_time_reversed_below(last.upper), upper = grz_time_reversed_above(last.lower);
        assert_true(upper >= first.lower);
        for (int i = 1; i <= 20; i++)
            assert_false(upper < 1 && collide_at(&a, &b, fmin(1, upper + i * (1 - upper) / 20)));
        near += collide_at(&a, &b, lower) || collide_at(&a, &b, fmax(0, lower - 1e-4));
    }
    printf("%d met, %d met right before the last contact\n", met, near);
    assert_true(met > PAIRS / 4 && near * 10 > met * 9);
    scene_meshes_release(&meshes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(translations_differ_as_they_did_at_the_mirrored_time),
                                       cmocka_unit_test(reversed_times_are_rounded_outward),
                                       cmocka_unit_test(what_meets_first_backward_meets_last_forward)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
