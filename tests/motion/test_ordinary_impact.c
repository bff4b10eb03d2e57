/* SPDX-License-Identifier: MIT */
/* First impacts that doubles decide are those of integers, bit for bit; volumes are within their errors. */
#include "motion/ordinary_impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/moving_pair.h"
#include "motion/triangle_impact.h"
#include "motion/volume_at.h"
#include "support/moving_triangles.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = 2500
};

static void draw_vector(test_random *random, double size, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = random_real(random, -size, size);
}

/* Reals of size 1 in every kind of motion. B mostly comes from one side of A and goes to the other. */
static void draw_reals(test_random *random, moving_triangles *out)
{
    *out = (moving_triangles){.whole = false};
    for (int side = 0; side < 2; side++)
    {
        graze_motion *m = &out->motions[side];
        double from[3], to[3];
        m->kind = (graze_motion_kind)random_below(random, GRAZE_MOTION_BALLISTIC_TURN + 1);
        out->soft[side] = m->kind <= GRAZE_MOTION_BLEND && random_once_in(random, 2);
        draw_vector(random, side == 0 ? 0.2 : 2, from);
        for (int k = 0; k < 3; k++)
            to[k] = (side == 0 ? from[k] : -from[k]) + random_real(random, -0.3, 0.3);
        for (int i = 0; i < 3; i++)
        {
            draw_vector(random, 1, out->corners[side][i]);
            for (int k = 0; k < 3; k++)
                out->end_corners[side][i][k] = out->corners[side][i][k] + random_real(random, -0.2, 0.2);
        }
        draw_vector(random, 0.5, m->centre);
        for (int k = 0; k < 3; k++)
        {
            m->path[2][k] = random_real(random, -0.5, 0.5);
            m->path[0][k] = from[k];
            m->path[1][k] = to[k] - from[k] - (m->kind == GRAZE_MOTION_BALLISTIC_TURN ? m->path[2][k] : 0);
            m->start.m[4 * k + 3] = from[k];
            m->end.m[4 * k + 3] = to[k];
            if (out->soft[side])
                for (int i = 0; i < 3 && m->kind == GRAZE_MOTION_STILL; i++)
                    out->end_corners[side][i][k] += to[k] - from[k];
            for (int j = 0; j < 3; j++)
            {
                m->start.m[4 * k + j] = (j == k) + random_real(random, -0.3, 0.3);
                m->end.m[4 * k + j] = m->start.m[4 * k + j] + random_real(random, -0.3, 0.3);
            }
        }
        for (int i = 0; i < 4; i++)
        {
            m->quaternion[0][i] = random_real(random, -1, 1) + (i == 0);
            m->quaternion[1][i] = m->quaternion[0][i] + random_real(random, -0.5, 0.5);
        }
    }
}

/* All lengths times a power of two. */
static void scale_lengths(moving_triangles *pair, double factor)
{
    for (int side = 0; side < 2; side++)
    {
        graze_motion *m = &pair->motions[side];
        for (int i = 0; i < 9; i++)
        {
            pair->corners[side][i / 3][i % 3] *= factor;
            pair->end_corners[side][i / 3][i % 3] *= factor;
            m->path[i / 3][i % 3] *= factor;
        }
        for (int k = 0; k < 3; k++)
        {
            m->centre[k] *= factor;
            m->start.m[4 * k + 3] *= factor;
            m->end.m[4 * k + 3] *= factor;
        }
    }
}

/* Both far from the origin and fast, alike. */
static void move_both(test_random *random, moving_triangles *pair)
{
    double far = random_once_in(random, 2) ? 1000 : 1, x[3], v[3];
    draw_vector(random, far, x);
    draw_vector(random, 3, v);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++)
        {
            graze_motion *m = &pair->motions[side];
            m->path[0][k] += x[k];
            m->path[1][k] += v[k];
            m->start.m[4 * k + 3] += x[k];
            m->end.m[4 * k + 3] += x[k] + v[k];
        }
}

/* A corner of B comes to a point of A's face at t, at which all is a sum that doubles do not round, or almost there. */
static void draw_planned(test_random *random, moving_triangles *out)
{
    draw_reals(random, out);
    graze_motion *a = &out->motions[0], *b = &out->motions[1];
    double t = random_between(random, 1, 15) / 16.0;
    out->soft[0] = out->soft[1] = false;
    *a = (graze_motion){.kind = GRAZE_MOTION_STILL, .start = graze_pose_identity()};
    b->kind = GRAZE_MOTION_TURN;
    for (int i = 0; i < 9; i++)
    {
        out->corners[0][i / 3][i % 3] = random_between(random, -64, 64) / 64.0;
        out->corners[1][i / 3][i % 3] = random_between(random, -64, 64) / 64.0;
    }
    for (int k = 0; k < 3; k++)
    {
        double at = 0.25 * out->corners[0][0][k] + 0.25 * out->corners[0][1][k] + 0.5 * out->corners[0][2][k];
        b->centre[k] = out->corners[1][0][k];
        b->path[1][k] = random_between(random, -64, 64) / 16.0;
        b->path[0][k] = at - t * b->path[1][k];
    }
    if (random_once_in(random, 2)) /* t is moved by about one unit in the last place of a double, or less */
        b->path[0][random_below(random, 3)] += ldexp(random_real(random, -1, 1), -random_between(random, 48, 60));
}

static void draw(test_random *random, moving_triangles *out)
{
    int kind = random_below(random, 8);
    if (kind == 0)
        moving_triangles_draw(random, out);
    else if (kind == 1)
        draw_planned(random, out);
    else
        draw_reals(random, out);
    if (kind == 2)
        move_both(random, out);
    if (kind == 3)
        scale_lengths(out, ldexp(1, random_between(random, -60, 60)));
    if (kind == 4) /* a coordinate of any exponent */
        out->corners[random_below(random, 2)][random_below(random, 3)][random_below(random, 3)] =
            ldexp(random_real(random, -1, 1), random_between(random, -1074, random_once_in(random, 4) ? 400 : 2));
    if (kind == 5) /* a thin triangle */
        for (int k = 0; k < 3; k++)
            out->corners[0][1][k] =
                out->corners[0][0][k] + ldexp(random_real(random, -1, 1), -random_between(random, 8, 50));
}

static graze_moving_contact ask(const graze_moving_triangle pair[2], grz_impact_question question, bool by_integers,
                                grz_stored_root *root)
{
    graze_moving_contact answer;
    memset(&answer, 0, sizeof answer);
    question.by_integers = by_integers;
    question.out_root = root;
    assert_int_equal(grz_triangle_impact(NULL, &pair[0], &pair[1], &question, &answer), GRAZE_STATUS_OK);
    return answer;
}

static void assert_same(const graze_moving_contact *a, const graze_moving_contact *b)
{
    assert_int_equal(a->when.verdict, b->when.verdict);
    assert_memory_equal(&a->when.lower, &b->when.lower, sizeof a->when.lower);
    assert_memory_equal(&a->when.upper, &b->when.upper, sizeof a->when.upper);
    assert_int_equal(a->crosses, b->crosses);
    assert_memory_equal(&a->contact, &b->contact, sizeof a->contact);
}

static void answers_are_those_of_integers(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 2015);
    int later = 0, in_doubles = 0, misses = 0, crossings = 0, roots = 0, total = TEST_ROUNDS(ROUNDS);
    for (int round = 0; round < total; round++)
    {
        moving_triangles pair;
        draw(&random, &pair);
        graze_moving_triangle triangles[2] = {moving_triangle(&pair, 0), moving_triangle(&pair, 1)};
        if (graze_motion_check(triangles[0].motion) != GRAZE_STATUS_OK ||
            graze_motion_check(triangles[1].motion) != GRAZE_STATUS_OK)
            continue;
        grz_impact_question question = {
            .crossing = random_once_in(&random, 4), .details = !random_once_in(&random, 8), .until = 1};
        grz_stored_root exact_root, root;
        graze_moving_contact exact = ask(triangles, question, true, &exact_root);
        if (random_once_in(&random, 2) && exact.when.verdict == GRAZE_IMPACT_AT)
            question.from = exact.when.lower * random_real(&random, 0.5, 1);
        graze_moving_contact answer = ask(triangles, question, false, &root);
        assert_same(&answer, &exact);
        if (answer.when.lower < answer.when.upper && root.usable && exact_root.usable)
        {
            int order = 7;
            assert_int_equal(grz_stored_root_compare(NULL, &exact_root, &root, &order), GRAZE_STATUS_OK);
            assert_int_equal(order, 0);
            roots++;
        }
        question.root_later = true;
        answer = ask(triangles, question, false, &root);
        assert_same(&answer, &exact);
        bool met = answer.when.verdict == GRAZE_IMPACT_AT && answer.when.upper > 0;
        later += met;
        in_doubles += met && !root.usable;
        crossings += met && question.crossing && !root.usable;
        misses += answer.when.verdict == GRAZE_IMPACT_NONE;
    }
    printf("  %d impacts after the start, %d of them in doubles, %d crossings; %d misses; %d roots\n", later,
           in_doubles, crossings, misses, roots);
    assert_true(in_doubles > total / 6 && in_doubles > later / 2 && misses > total / 8 && crossings > total / 40 &&
                roots > total / 8);
}

/* Reals, with an edge of each triangle along an axis that motions keep, or nearly so. */
static void draw_upright(test_random *random, moving_triangles *out)
{
    int axis = random_below(random, 3), i = (axis + 1) % 3, j = (axis + 2) % 3;
    draw_reals(random, out);
    for (int side = 0; side < 2; side++)
    {
        graze_motion *m = &out->motions[side];
        int first = random_below(random, 3);
        double *p = out->corners[side][first], *q = out->corners[side][(first + random_between(random, 1, 2)) % 3];
        double stretch = random_real(random, 0.5, 2) * (random_once_in(random, 4) ? -1 : 1);
        out->soft[side] = out->soft[side] && random_once_in(random, 8);
        q[i] = p[i];
        q[j] = p[j];
        p[axis] = random_real(random, -2, 0);
        q[axis] = random_real(random, 0, 2);
        if (random_once_in(random, 8))
            q[i] = nextafter(q[i], 1);
        for (int k = 0; k < 2; k++)
            m->quaternion[k][i + 1] = m->quaternion[k][j + 1] = 0;
        if (random_once_in(random, 8))
            m->quaternion[1][i + 1] = ldexp(random_real(random, -1, 1), -random_between(random, 2, 60));
        for (int k = 0; k < 3; k++)
        {
            m->start.m[4 * k + axis] = k == axis ? stretch : 0;
            m->end.m[4 * k + axis] =
                k == axis ? stretch * random_real(random, random_once_in(random, 8) ? -1 : 0.5, 2) : 0;
        }
        if (random_once_in(random, 8))
            m->end.m[4 * i + axis] = ldexp(random_real(random, -1, 1), -random_between(random, 2, 60));
    }
}

/* An edge along an axis comes to lie in a face that has another one, so that several volumes are 0 at once. */
static void answers_with_upright_edges_are_those_of_integers(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 2022);
    int in_doubles = 0, several = 0, misses = 0, total = TEST_ROUNDS(ROUNDS);
    for (int round = 0; round < total; round++)
    {
        moving_triangles pair;
        draw_upright(&random, &pair);
        graze_moving_triangle triangles[2] = {moving_triangle(&pair, 0), moving_triangle(&pair, 1)};
        if (graze_motion_check(triangles[0].motion) != GRAZE_STATUS_OK ||
            graze_motion_check(triangles[1].motion) != GRAZE_STATUS_OK)
            continue;
        grz_impact_question question = {.crossing = random_once_in(&random, 4), .details = true, .until = 1};
        grz_stored_root exact_root, root;
        graze_moving_contact exact = ask(triangles, question, true, &exact_root);
        graze_moving_contact answer = ask(triangles, question, false, &root);
        assert_same(&answer, &exact);
        if (answer.when.lower < answer.when.upper && root.usable && exact_root.usable)
        {
            int order = 7;
            assert_int_equal(grz_stored_root_compare(NULL, &exact_root, &root, &order), GRAZE_STATUS_OK);
            assert_int_equal(order, 0);
        }
        question.root_later = true;
        answer = ask(triangles, question, false, &root);
        assert_same(&answer, &exact);
        bool met = answer.when.verdict == GRAZE_IMPACT_AT && answer.when.upper > 0 && !root.usable;
        in_doubles += met;
        several += met && answer.contact.dimension > 0; /* a segment: the edge lies in the face */
        misses += answer.when.verdict == GRAZE_IMPACT_NONE;
    }
    printf("  %d impacts in doubles, %d of them of edges in faces; %d misses\n", in_doubles, several, misses);
    assert_true(in_doubles > total / 6 && several > total / 20 && misses > total / 10);
}

/* A triangle in a plane parallel to an axis, or to two, or almost; and one that comes. */
static void draw_flat(test_random *random, moving_triangles *out)
{
    int axis = random_below(random, 3);
    double slope = random_once_in(random, 2) ? 0 : random_real(random, -1, 1);
    draw_reals(random, out);
    out->soft[0] = false;
    out->motions[0] = (graze_motion){.kind = GRAZE_MOTION_STILL, .start = graze_pose_identity()};
    double(*corners)[3] = out->corners[0];
    for (int i = 0; i < 3; i++)
        corners[i][axis] = ldexp(rint(ldexp(slope, 8)) * rint(ldexp(corners[i][(axis + 1) % 3], 30)), -38);
    for (int i = 0; i < 3; i++)
        corners[i][(axis + 1) % 3] = ldexp(rint(ldexp(corners[i][(axis + 1) % 3], 30)), -30);
    if (random_once_in(random, 4))
        corners[0][axis] += ldexp(random_real(random, -1, 1), -random_between(random, 2, 60));
    if (random_once_in(random, 8)) /* almost on a line: on no axis a certain area */
        for (int k = 0; k < 3; k++)
            corners[2][k] = 0.5 * (corners[0][k] + corners[1][k]) +
                            ldexp(random_real(random, -1, 1), -random_between(random, 40, 60));
}

/* Without areas along all axes. */
static void answers_with_flat_triangles_are_those_of_integers(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 2023);
    int later = 0, in_doubles = 0, total = TEST_ROUNDS(ROUNDS) / 2;
    for (int round = 0; round < total; round++)
    {
        moving_triangles pair;
        draw_flat(&random, &pair);
        graze_moving_triangle triangles[2] = {moving_triangle(&pair, 0), moving_triangle(&pair, 1)};
        if (graze_motion_check(triangles[1].motion) != GRAZE_STATUS_OK)
            continue;
        grz_impact_question question = {
            .crossing = random_once_in(&random, 4), .details = true, .until = 1, .root_later = true};
        grz_stored_root exact_root, root;
        graze_moving_contact exact = ask(triangles, question, true, &exact_root);
        graze_moving_contact answer = ask(triangles, question, false, &root);
        assert_same(&answer, &exact);
        bool met = answer.when.verdict == GRAZE_IMPACT_AT && answer.when.upper > 0;
        later += met;
        in_doubles += met && !root.usable;
    }
    printf("  %d impacts after the start, %d of them in doubles\n", later, in_doubles);
    assert_true(later > total / 5 && in_doubles > later * 4 / 5);
}

/* The sign of a volume at t by integers. */
static int exact_sign(const moving_triangles *pair, int side, double t)
{
    static uint64_t limbs[1 << 14];
    graze_moving_triangle a = moving_triangle(pair, 0), b = moving_triangle(pair, 1);
    grz_scratch scratch;
    grz_moving_pair moving;
    grz_polynomial volume;
    int v[4];
    grz_scratch_start(&scratch, NULL, limbs, sizeof limbs / sizeof *limbs);
    grz_moving_pair_make(&moving, &scratch, &a, &b);
    grz_pair_side_corners(side, v);
    moving.base.orient3d(&moving.base, v[0], v[1], v[2], v[3], &volume);
    grz_time time = grz_time_from_double(&scratch, t);
    int sign = grz_polynomial_sign_at(&scratch, &volume, &time);
    assert_false(scratch.failed);
    grz_scratch_release(&scratch);
    return sign;
}

/* At random times, and at times next to impacts, where volumes are nearly 0. */
static void signs_of_volumes_beyond_their_errors_are_those_of_integers(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 2016);
    int certain = 0, near = 0, unknown = 0, total = TEST_ROUNDS(ROUNDS) / 4;
    for (int round = 0; round < total; round++)
    {
        moving_triangles pair;
        draw(&random, &pair);
        graze_moving_triangle a = moving_triangle(&pair, 0), b = moving_triangle(&pair, 1);
        if (graze_motion_check(a.motion) != GRAZE_STATUS_OK || graze_motion_check(b.motion) != GRAZE_STATUS_OK)
            continue;
        graze_moving_contact impact;
        assert_int_equal(graze_triangle_impact(&a, &b, false, &impact), GRAZE_STATUS_OK);
        const double times[3] = {random_real(&random, 0, 1), impact.when.lower, impact.when.upper};
        for (int i = 0; i < 3; i++)
            for (int side = 0; side < GRZ_PAIR_SIDES; side++)
            {
                grz_volume volume;
                bool usable = grz_volume_at(&a, &b, side, times[i], &volume);
                if (!usable || !(fabs(volume.value) > volume.error))
                {
                    unknown++;
                    continue;
                }
                assert_int_equal(exact_sign(&pair, side, times[i]), volume.value > 0 ? 1 : -1);
                certain++;
                near += fabs(volume.value) < 1e-12;
            }
    }
    printf("  %d certain, %d of them nearly 0, %d not certain\n", certain, near, unknown);
    assert_true(certain > 10 * total && near > total / 8 && unknown > total / 8);
}

/* Both triangles lie in a plane of one body, so that all volumes are 0 at all times; doubles round them. */
static void volumes_that_are_zero_are_within_their_errors(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 2017);
    int rounded = 0, total = TEST_ROUNDS(ROUNDS) / 8;
    for (int round = 0; round < total; round++)
    {
        moving_triangles pair;
        double u[3], v[3];
        draw_reals(&random, &pair);
        pair.motions[1] = pair.motions[0];
        pair.soft[0] = pair.soft[1] = false;
        draw_vector(&random, 1, u);
        draw_vector(&random, 1, v);
        for (int i = 0; i < 6; i++)
        {
            int x = random_between(&random, -9, 9), y = random_between(&random, -9, 9);
            for (int k = 0; k < 3; k++) /* sums that are not rounded */
                pair.corners[i / 3][i % 3][k] = ldexp(rint(ldexp(u[k], 40)) * x + rint(ldexp(v[k], 40)) * y, -40);
        }
        graze_moving_triangle a = moving_triangle(&pair, 0), b = moving_triangle(&pair, 1);
        double t = random_real(&random, 0, 1);
        for (int side = 0; side < GRZ_PAIR_SIDES; side++)
        {
            grz_volume volume;
            if (!grz_volume_at(&a, &b, side, t, &volume))
                continue;
            assert_true(fabs(volume.value) <= volume.error);
            rounded += fabs(volume.value) > 0;
        }
    }
    printf("  %d volumes were rounded\n", rounded);
    assert_true(rounded > 4 * total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_integers),
        cmocka_unit_test(answers_with_upright_edges_are_those_of_integers),
        cmocka_unit_test(answers_with_flat_triangles_are_those_of_integers),
        cmocka_unit_test(signs_of_volumes_beyond_their_errors_are_those_of_integers),
        cmocka_unit_test(volumes_that_are_zero_are_within_their_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
