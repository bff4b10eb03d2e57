/* SPDX-License-Identifier: MIT */
/*
 * Primitives in a few numbers: what they say for certain is so, by rational arithmetic and by the exact queries, with
 * poses as far from a rotation as they may be, far away, one unit in the last place beside touching, and in every
 * floating-point environment.
 */
#include <gmp.h>
#include <math.h>
#include <stdio.h>

#include "graze/shape_query.h"
#include "shape/quick_pair.h"
#include "support/environment.h"
#include "support/random_shapes.h"
#include "support/unit.h"

static const graze_shape_kind kinds[] = {GRAZE_SHAPE_SPHERE,   GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_BOX,
                                         GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CONE,    GRAZE_SHAPE_ELLIPSOID};

enum
{
    KINDS = sizeof kinds / sizeof kinds[0]
};

/* A rotation of doubles, sometimes as far from one as a pose may be. */
static graze_pose make_pose(test_random *random, double far)
{
    graze_pose pose;
    double q[4], t[3];
    for (int k = 0; k < 4; k++)
        q[k] = random_real(random, -1, 1);
    for (int k = 0; k < 3; k++)
        t[k] = random_real(random, -far, far);
    assert_int_equal(graze_pose_from_quaternion(q, t, &pose), GRAZE_STATUS_OK);
    double stretch = random_once_in(random, 3) ? 1 + random_real(random, -4.9e-10, 4.9e-10) : 1;
    for (int k = 0; k < 12; k++)
        pose.m[k] *= k % 4 == 3 ? 1 : stretch;
    return pose;
}

static void matrices_that_are_not_finite_have_no_small_defect(void **state)
{
    (void)state;
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e300};
    for (int i = 0; i < 9 * 4; i++)
    {
        graze_pose pose = graze_pose_identity();
        pose.m[4 * (i / 3 % 3) + i % 3] = wrong[i / 9];
        assert_false(grz_pose_defect(&pose) <= 1);
    }
}

static void defects_are_upper_bounds(void **state)
{
    (void)state;
    test_random random = test_random_start("defects_are_upper_bounds", 81);
    mpq_t sum, term, x;
    mpq_inits(sum, term, x, NULL);
    int close = 0;
    for (int round = 0; round < 3000; round++)
    {
        graze_pose pose = make_pose(&random, 1);
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        float defect = grz_pose_defect(&pose);
        environment_leave(&saved);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
            {
                mpq_set_si(sum, i == j ? -1 : 0, 1);
                for (int k = 0; k < 3; k++)
                {
                    mpq_set_d(term, pose.m[4 * k + i]);
                    mpq_set_d(x, pose.m[4 * k + j]);
                    mpq_mul(term, term, x);
                    mpq_add(sum, sum, term);
                }
                mpq_abs(sum, sum);
                mpq_set_d(x, (double)defect);
                assert_true(mpq_cmp(sum, x) <= 0);
                close += mpq_get_d(sum) > 0.5 * (double)defect;
            }
    }
    mpq_clears(sum, term, x, NULL);
    assert_true(close > 500);
}

/* Whether the exact query says so, where it says anything. */
static graze_verdict ask(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b, const graze_pose *pose_b)
{
    graze_placed first = {a, *pose_a}, second = {b, *pose_b};
    graze_verdict verdict;
    assert_int_equal(graze_shape_pair_any(NULL, &first, &second, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    return verdict;
}

static graze_verdict holds_exactly(const graze_shape *shape, const graze_pose *pose, const double point[3])
{
    graze_shape *dot;
    const graze_pose identity = graze_pose_identity();
    assert_int_equal(graze_shape_create_point(NULL, point, &dot), GRAZE_STATUS_OK);
    graze_verdict verdict = ask(dot, &identity, shape, pose);
    graze_shape_destroy(dot);
    return verdict;
}

/* Points near surfaces, by scaling a point inside until the exact query changes its mind. */
static void points_said_to_be_held_are(void **state)
{
    (void)state;
    test_random random = test_random_start("points_said_to_be_held_are", 83);
    int held = 0, close = 0;
    for (int round = 0; round < 500; round++)
    {
        random_shape made;
        random_shape_make(&random, kinds[round % KINDS], &made);
        grz_quick_body body = grz_quick_body_of(made.shape);
        graze_pose pose = make_pose(&random, random_once_in(&random, 2) ? 1 : 1e6);
        double middle[3], way[3];
        assert_true(grz_quick_body_place(&body, &pose, GRZ_DEFECT_UNKNOWN));
        grz_quick_body_middle(&body, &pose, middle);
        for (int k = 0; k < 3; k++)
            way[k] = random_real(&random, -8, 8);
        double inside = 0, outside = 1;
        for (int step = 0; step < 60; step++)
        {
            double share = step == 0 ? 0 : step == 1 ? 1 : 0.5 * inside + 0.5 * outside, point[3];
            for (int k = 0; k < 3; k++)
                point[k] = middle[k] + share * way[k];
            saved_environment saved;
            environment_enter(&saved, round % ENVIRONMENTS);
            bool quick = grz_quick_body_holds(&body, &pose, point);
            environment_leave(&saved);
            graze_verdict exact = holds_exactly(made.shape, &pose, point);
            assert_false(quick && exact == GRAZE_VERDICT_NO);
            held += quick;
            close += quick && outside - inside < 1e-6;
            *(exact == GRAZE_VERDICT_NO ? &outside : &inside) = share;
        }
        random_shape_clear(&made);
    }
    printf("%d held, %d of them close to the surface\n", held, close);
    assert_true(held > 3000 && close > 50);
}

static void points_just_outside_are_not_held(void **state)
{
    (void)state;
    graze_shape *ball, *box;
    const double size[3] = {2, 2, 2};
    graze_pose pose = graze_pose_identity(), narrow = pose;
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 5, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    grz_quick_body quick_ball = grz_quick_body_of(ball), quick_box = grz_quick_body_of(box);
    for (int k = 0; k < 3; k++)
        narrow.m[5 * k] = 1 - 4e-10;
    assert_true(grz_quick_body_place(&quick_ball, &pose, GRZ_DEFECT_UNKNOWN));
    assert_true(grz_quick_body_place(&quick_box, &narrow, GRZ_DEFECT_UNKNOWN));
    const double beyond[3] = {3, 4, 1e-9}, within[3] = {3, 3.999, 0};
    assert_int_equal(holds_exactly(ball, &pose, beyond), GRAZE_VERDICT_NO);
    assert_false(grz_quick_body_holds(&quick_ball, &pose, beyond));
    assert_true(grz_quick_body_holds(&quick_ball, &pose, within));
    const double edge[3] = {1 - 2e-10, 0, 0}, core[3] = {0.999, -0.999, 0.999};
    assert_int_equal(holds_exactly(box, &narrow, edge), GRAZE_VERDICT_NO);
    assert_false(grz_quick_body_holds(&quick_box, &narrow, edge));
    assert_true(grz_quick_body_holds(&quick_box, &narrow, core));
    graze_shape_destroy(ball);
    graze_shape_destroy(box);
}

/* Balls that touch exactly, along (3, 4, 0) and its likes, are not apart, whatever rounding does to the direction. */
static void what_touches_is_not_apart(void **state)
{
    (void)state;
    test_random random = test_random_start("what_touches_is_not_apart", 87);
    static const int triples[][3] = {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {20, 21, 29}};
    int apart = 0;
    for (int round = 0; round < 20000; round++)
    {
        const int *triple = triples[random_below(&random, 4)];
        double unit = ldexp(random_between(&random, 1, 1 << 20), -20),
               share = ldexp(random_between(&random, 1, 63), -6);
        graze_shape *balls[2];
        graze_pose poses[2] = {graze_pose_identity(), graze_pose_identity()};
        assert_int_equal(graze_shape_create_sphere(NULL, NULL, triple[2] * unit * share, &balls[0]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_sphere(NULL, NULL, triple[2] * unit * (1 - share), &balls[1]),
                         GRAZE_STATUS_OK);
        double scale = random_real(&random, 0.5, 2), direction[3] = {triple[0] * scale, triple[1] * scale, 0};
        for (int k = 0; k < 3; k++)
        {
            poses[0].m[4 * k + 3] = ldexp(random_between(&random, -1000, 1000), -6);
            poses[1].m[4 * k + 3] = poses[0].m[4 * k + 3] + (k < 2 ? triple[k] * unit : 0);
        }
        grz_quick_body bodies[2] = {grz_quick_body_of(balls[0]), grz_quick_body_of(balls[1])};
        for (int i = 0; i < 2; i++)
            assert_true(grz_quick_body_place(&bodies[i], &poses[i], GRZ_DEFECT_UNKNOWN));
        grz_quick_placed a = {&bodies[0], &poses[0]}, b = {&bodies[1], &poses[1]};
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        bool said = grz_quick_are_apart(a, b, direction);
        poses[1].m[3] += 1e-9;
        bool moved = grz_quick_are_apart(a, b, direction);
        environment_leave(&saved);
        assert_false(said);
        apart += moved;
        graze_shape_destroy(balls[0]);
        graze_shape_destroy(balls[1]);
    }
    assert_true(apart > 15000);
}

static void verdicts_are_those_of_exact_queries(void **state)
{
    (void)state;
    test_random random = test_random_start("verdicts_are_those_of_exact_queries", 89);
    int seen[3] = {0}, wide = 0;
    for (int round = 0; round < 6000; round++)
    {
        random_shape made[2];
        graze_pose poses[2];
        grz_quick_body bodies[2];
        bool usable = true;
        for (int i = 0; i < 2; i++)
        {
            random_shape_make(&random, kinds[random_below(&random, KINDS)], &made[i]);
            poses[i] = random_once_in(&random, 3) ? make_pose(&random, 3) : random_rigid_pose(&random);
            bodies[i] = grz_quick_body_of(made[i].shape);
            usable = grz_quick_body_place(&bodies[i], &poses[i], GRZ_DEFECT_UNKNOWN) && usable;
            assert_true(usable);
        }
        grz_quick_placed a = {&bodies[0], &poses[0]}, b = {&bodies[1], &poses[1]};
        double direction[3] = {0, 0, 0}, point[3];
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        graze_verdict quick = grz_quick_pair_search(a, b, direction, point);
        graze_verdict swapped = grz_quick_pair_search(b, a, (double[3]){0, 0, 0}, (double[3]){0, 0, 0});
        environment_leave(&saved);
        graze_verdict exact = ask(made[0].shape, &poses[0], made[1].shape, &poses[1]);
        assert_true(quick == GRAZE_VERDICT_UNKNOWN || exact == GRAZE_VERDICT_UNKNOWN || quick == exact);
        assert_true(swapped == GRAZE_VERDICT_UNKNOWN || quick == GRAZE_VERDICT_UNKNOWN || quick == swapped);
        if (quick == GRAZE_VERDICT_NO)
            assert_true(grz_quick_are_apart(a, b, direction));
        if (quick == GRAZE_VERDICT_YES)
            for (int i = 0; i < 2; i++)
                assert_true(holds_exactly(made[i].shape, &poses[i], point) != GRAZE_VERDICT_NO);
        seen[quick]++;
        wide += quick == GRAZE_VERDICT_UNKNOWN && exact != GRAZE_VERDICT_UNKNOWN;
        random_shape_clear(&made[0]);
        random_shape_clear(&made[1]);
    }
    printf("%d yes, %d no, %d not known (%d of these are)\n", seen[GRAZE_VERDICT_YES], seen[GRAZE_VERDICT_NO],
           seen[GRAZE_VERDICT_UNKNOWN], wide);
    assert_true(seen[GRAZE_VERDICT_YES] > 1000 && seen[GRAZE_VERDICT_NO] > 1000);
}

static void other_shapes_and_poses_are_left_to_others(void **state)
{
    (void)state;
    test_random random = test_random_start("other_shapes_and_poses_are_left_to_others", 91);
    for (int kind = 0; kind < GRAZE_SHAPE_KIND_COUNT; kind++)
    {
        random_shape made;
        random_shape_make(&random, (graze_shape_kind)kind, &made);
        bool is_listed = false;
        for (int k = 0; k < KINDS; k++)
            is_listed = is_listed || (int)kinds[k] == kind;
        assert_int_equal(grz_quick_body_of(made.shape).kind != GRZ_QUICK_NONE, is_listed);
        random_shape_clear(&made);
    }
    graze_shape *box, *tiny;
    const double size[3] = {1, 1, 1}, small[3] = {1, 0x1p-400, 1};
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, small, &tiny), GRAZE_STATUS_OK);
    assert_int_equal(grz_quick_body_of(tiny).kind, GRZ_QUICK_NONE);
    grz_quick_body body = grz_quick_body_of(box);
    graze_pose pose = graze_pose_identity();
    pose.m[1] = 1e-8;
    assert_false(grz_quick_body_place(&body, &pose, GRZ_DEFECT_UNKNOWN) || grz_quick_body_is_placed(&body));
    pose = graze_pose_translation(0x1p400, 0, 0);
    assert_false(grz_quick_body_place(&body, &pose, GRZ_DEFECT_UNKNOWN) || grz_quick_body_is_placed(&body));
    graze_shape_destroy(box);
    graze_shape_destroy(tiny);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_that_are_not_finite_have_no_small_defect),
        cmocka_unit_test(defects_are_upper_bounds),
        cmocka_unit_test(points_said_to_be_held_are),
        cmocka_unit_test(points_just_outside_are_not_held),
        cmocka_unit_test(what_touches_is_not_apart),
        cmocka_unit_test(verdicts_are_those_of_exact_queries),
        cmocka_unit_test(other_shapes_and_poses_are_left_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
