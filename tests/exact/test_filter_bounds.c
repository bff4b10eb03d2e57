/* SPDX-License-Identifier: MIT */
/*
 * Signs that are almost zero while the numbers behind them are large: placed points whose products and translations
 * cancel, and points that lie on their lines and planes up to a rounding. The value computed in doubles is then only
 * rounding error, in directed rounding modes all of one sign, so that a filter whose bound is a few times too small
 * gives a wrong sign (src/exact/predicates.c derives the bounds).
 */
#include <math.h>
#include <stdio.h>

#include "exact/predicates.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    CASES = 6000,
    POINTS = 6 /* three that span a plane, three in it */
};

/* Six points: the first three under a pose, the others under another one, or without. */
typedef struct flat_case
{
    double points[POINTS][3];
    graze_pose poses[2];
    graze_placed_point placed[POINTS];
} flat_case;

/* A rotation and a translation that moves a point of coordinates around `centre` near the origin. */
static graze_pose pose_with_cancellation(test_random *random, const double centre[3])
{
    graze_pose pose = random_rotation(random);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            pose.m[4 * i + 3] -= pose.m[4 * i + j] * centre[j];
    return pose;
}

static long double placed_coordinate(const flat_case *c, int point, int axis)
{
    const graze_pose *pose = c->placed[point].pose;
    if (pose == NULL)
        return c->points[point][axis];
    const double *row = pose->m + 4 * axis, *x = c->points[point];
    return (long double)row[0] * x[0] + (long double)row[1] * x[1] + (long double)row[2] * x[2] + row[3];
}

/* Sets a point so that its placed position is the given one; the pose is a rotation up to rounding. */
static void put(flat_case *c, int point, const long double place[3])
{
    const graze_pose *pose = c->placed[point].pose;
    for (int j = 0; j < 3; j++)
    {
        long double x = pose == NULL ? place[j] : 0;
        for (int i = 0; i < 3 && pose != NULL; i++)
            x += pose->m[4 * i + j] * (place[i] - pose->m[4 * i + 3]);
        c->points[point][j] = (double)x;
    }
}

static void make_flat_case(test_random *random, flat_case *c)
{
    double far = ldexp(1, (int)random_below(random, 14)), centres[2][3];
    bool second = random_once_in(random, 2);
    for (int side = 0; side < 2; side++)
    {
        for (int k = 0; k < 3; k++)
            centres[side][k] = far * random_real(random, -1, 1);
        c->poses[side] = pose_with_cancellation(random, centres[side]);
    }
    for (int i = 0; i < POINTS; i++)
    {
        c->placed[i].point = c->points[i];
        c->placed[i].pose = i < 3 ? &c->poses[0] : second ? &c->poses[1] : NULL;
        for (int k = 0; k < 3; k++)
            c->points[i][k] = centres[0][k] + random_real(random, -1, 1);
    }
    for (int i = 3; i < POINTS; i++)
    {
        double s = random_real(random, -1, 2), t = i == 3 ? 0 : random_real(random, -1, 2);
        long double place[3];
        for (int k = 0; k < 3; k++)
        {
            long double from = placed_coordinate(c, 0, k);
            place[k] = from + s * (placed_coordinate(c, 1, k) - from) + t * (placed_coordinate(c, 2, k) - from);
            if (i == 5 && k == 0) /* one that only shares a coordinate */
                place[k] = from;
        }
        put(c, i, place);
    }
}

/* The signs that are almost zero: sides of the plane, orient2d of 0, 1, 3 along axes, one coordinate of 0 and 5. */
enum
{
    SIGNS = 6
};

static void ask_oracle(oracle *judge, const flat_case *c, int out[SIGNS])
{
    oracle_load(judge, c->placed, POINTS);
    out[0] = oracle_loaded_orient3d(judge, 0, 1, 2, 3);
    out[1] = oracle_loaded_orient3d(judge, 0, 1, 2, 4);
    for (int axis = 0; axis < 3; axis++)
        out[2 + axis] = oracle_loaded_orient2d(judge, 0, 1, 3, axis);
    out[5] = oracle_loaded_compare(judge, 0, 5, 0);
}

static void ask_library(const flat_case *c, int out[SIGNS], int sides[2])
{
    grz_points points;
    int all[3];
    grz_points_start(&points, NULL);
    for (int i = 0; i < POINTS; i++)
        grz_points_add(&points, c->placed[i].point, c->placed[i].pose);
    out[0] = grz_orient3d(&points, 0, 1, 2, 3);
    out[1] = grz_orient3d(&points, 0, 1, 2, 4);
    for (int axis = 0; axis < 3; axis++)
        out[2 + axis] = grz_orient2d(&points, 0, 1, 3, axis);
    out[5] = grz_compare(&points, 0, 5, 0);
    grz_sides(&points, 0, 3, all);
    sides[0] = all[0];
    sides[1] = all[1];
}

/* The signs of plain doubles without an error bound, of two kinds. */
static void ask_doubles(const flat_case *c, int *out_side, int *out_order)
{
    double x[POINTS][3], d[3][3];
    for (int i = 0; i < POINTS; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            const double *row = c->placed[i].pose != NULL ? c->placed[i].pose->m + 4 * k : NULL, *p = c->points[i];
            x[i][k] = row == NULL ? p[k] : row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
        }
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            d[i][k] = x[i][k] - x[3][k];
    double side = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
                  d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) + d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    *out_side = (side > 0) - (side < 0);
    *out_order = (x[0][0] > x[5][0]) - (x[0][0] < x[5][0]);
}

static void signs_that_are_nothing_but_error_are_left_to_integers(void **state)
{
    (void)state;
    test_random random = test_random_start("filter bounds", 62);
    oracle *judge = oracle_create();
    int wrong_sides = 0, wrong_orders = 0;
    for (int k = 0; k < CASES; k++)
    {
        flat_case c;
        int expected[SIGNS], given[SIGNS], sides[2], side, order;
        make_flat_case(&random, &c);
        ask_oracle(judge, &c, expected);
        for (int mode = 0; mode < ROUNDING_MODES; mode++)
        {
            saved_environment saved;
            environment_enter(&saved, 2 * mode);
            ask_library(&c, given, sides);
            ask_doubles(&c, &side, &order);
            environment_leave(&saved);
            for (int i = 0; i < SIGNS; i++)
                assert_int_equal(given[i], expected[i]);
            assert_int_equal(sides[0], expected[0]);
            assert_int_equal(sides[1], expected[1]);
            wrong_sides += side != expected[0];
            wrong_orders += order != expected[5];
        }
    }
    oracle_destroy(judge);
    int total = CASES * ROUNDING_MODES;
    printf("of %d cases plain doubles have the wrong side in %d, the wrong order in %d\n", total, wrong_sides,
           wrong_orders);
    assert_true(wrong_sides > total / 4 && wrong_orders > total / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_that_are_nothing_but_error_are_left_to_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
