/* SPDX-License-Identifier: MIT */
/*
 * Contact manifolds of convex bodies: boxes on boxes in known positions, edges across edges, bodies of fewer
 * dimensions, curved ones; names of points that stay while the same features meet; and, for random hulls, that points
 * lie on both bodies and that none is missed that is deeper than those found.
 */
#include "convex/manifold.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/pose.h"
#include "support/unit.h"

enum
{
    SEED = 881,
    MOST_VERTICES = 24
};

typedef struct solid
{
    grz_hull *hull;
    grz_convex_body body;
} solid;

static solid solid_of(const double *points, size_t count, const graze_pose *pose)
{
    solid s = {0};
    assert_int_equal(grz_hull_create(NULL, points, count, NULL, &s.hull), GRAZE_STATUS_OK);
    s.body = (grz_convex_body){.kind = GRZ_CONVEX_POLYTOPE,
                               .vertices = (const double(*)[3])s.hull->vertices,
                               .vertex_count = s.hull->vertex_count,
                               .neighbour_starts = s.hull->neighbour_starts,
                               .neighbours = s.hull->neighbours,
                               .pose = *pose};
    return s;
}

static solid box_of(double x, double y, double z, const graze_pose *pose)
{
    double points[8][3];
    for (int i = 0; i < 8; i++)
    {
        points[i][0] = i & 1 ? x : -x;
        points[i][1] = i & 2 ? y : -y;
        points[i][2] = i & 4 ? z : -z;
    }
    return solid_of(&points[0][0], 8, pose);
}

static graze_pose turned(double angle, double x, double y, double z)
{
    graze_pose pose;
    assert_int_equal(graze_pose_from_axis_angle((double[3]){0, 0, 1}, angle, (double[3]){x, y, z}, &pose),
                     GRAZE_STATUS_OK);
    return pose;
}

static v3 place(const graze_pose *pose, v3 p)
{
    double in[3] = {p.x, p.y, p.z}, out[3];
    graze_pose_apply(pose, in, out);
    return v3_load(out);
}

/* The support of a polytope: the greatest height of its vertices, with the radius. */
static double support_of(const grz_convex_body *body, v3 direction)
{
    double most = -INFINITY;
    for (size_t i = 0; i < body->vertex_count; i++)
        most = fmax(most, v3_dot(direction, place(&body->pose, v3_load(body->vertices[i]))));
    return most + body->radius;
}

static unsigned manifold_of(const solid *a, const solid *b, v3 normal, double margin, unsigned most,
                            grz_manifold_point *points)
{
    v3 far = v3_make(NAN, NAN, NAN); /* no witnesses: their gap is at most no margin */
    grz_manifold_side sides[2] = {{&a->body, a->hull, far}, {&b->body, b->hull, far}};
    return grz_manifold_make(&sides[0], &sides[1], normal, margin, most, points);
}

static void a_box_on_a_larger_one_has_its_four_corners(void **state)
{
    (void)state;
    for (int step = 0; step < 40; step++)
    {
        graze_pose below = turned(0.1 * step, 0, 0, 0), above = turned(-0.05 * step, 0.25, 0.125, 2 - 0.001);
        solid a = box_of(4, 4, 1, &below), b = box_of(1, 1, 1, &above);
        grz_manifold_point points[GRZ_MANIFOLD_MOST];
        assert_int_equal(manifold_of(&a, &b, v3_make(0, 0, 1), 0.01, 4, points), 4);
        for (int i = 0; i < 4; i++)
        {
            assert_true(fabs(points[i].gap + 0.001) < 1e-14);
            assert_true(fabs(points[i].point_a.z - 1) < 1e-14 && fabs(points[i].point_b.z - 0.999) < 1e-14);
            int near = 0;
            for (int k = 0; k < 4; k++)
            {
                v3 vertex = place(&above, v3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, -1));
                near += v3_length(v3_sub(vertex, points[i].point_b)) < 1e-13;
            }
            assert_int_equal(near, 1);
        }
        grz_hull_destroy(a.hull);
        grz_hull_destroy(b.hull);
    }
}

static int compare_names(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static void two_turned_boxes_have_an_octagon_whose_names_stay(void **state)
{
    (void)state;
    uint64_t names[8], first[8] = {0};
    for (int step = 0; step < 50; step++)
    {
        graze_pose below = turned(0, 0, 0, 0), above = turned(0.6 + 0.004 * step, 0.001 * step, 0, 2.0005);
        solid a = box_of(1, 1, 1, &below), b = box_of(1, 1, 1, &above);
        grz_manifold_point points[GRZ_MANIFOLD_MOST];
        assert_int_equal(manifold_of(&a, &b, v3_make(0, 0, 1), 0.01, 8, points), 8);
        for (int i = 0; i < 8; i++)
        {
            names[i] = points[i].feature;
            assert_true(names[i] >> 62 == 1 && (names[i] >> 30 & 3) == 1); /* edges that cross */
        }
        qsort(names, 8, sizeof *names, compare_names);
        for (int i = 1; i < 8; i++)
            assert_true(names[i] != names[i - 1]);
        if (step == 0)
            memcpy(first, names, sizeof first);
        assert_memory_equal(first, names, sizeof first);
        assert_int_equal(manifold_of(&a, &b, v3_make(0, 0, 1), 0.01, 4, points), 4);
        assert_int_equal(manifold_of(&a, &b, v3_make(0, 0, 1), 0.0001, 4, points), 0);
        grz_hull_destroy(a.hull);
        grz_hull_destroy(b.hull);
    }
}

static void crossing_edges_have_one_point(void **state)
{
    (void)state;
    double low[2][3] = {{-1, 0, 0}, {1, 0, 0}}, high[2][3] = {{0.25, -1, 0.5}, {0.25, 1, 0.5}};
    graze_pose pose = graze_pose_identity();
    solid a = solid_of(&low[0][0], 2, &pose), b = solid_of(&high[0][0], 2, &pose);
    a.body.radius = 0.25;
    b.body.radius = 0.125;
    grz_manifold_point point;
    assert_int_equal(manifold_of(&a, &b, v3_make(0, 0, 1), 0.2, 1, &point), 1);
    assert_true(fabs(point.gap - 0.125) < 1e-15 && fabs(point.point_a.x - 0.25) < 1e-15 && point.point_a.y == 0);
    assert_true(fabs(point.point_a.z - 0.25) < 1e-15 && fabs(point.point_b.z - 0.375) < 1e-15);
    grz_hull_destroy(b.hull);
    double along[2][3] = {{-0.5, 0, 0.5}, {3, 0, 0.5}}; /* parallel: the ends of the common part */
    b = solid_of(&along[0][0], 2, &pose);
    grz_manifold_point ends[GRZ_MANIFOLD_MOST];
    assert_int_equal(manifold_of(&a, &b, v3_make(0, 0, 1), 0.3, 4, ends), 2);
    assert_true(fabs(fmin(ends[0].point_a.x, ends[1].point_a.x) + 0.5) < 1e-15);
    assert_true(fabs(fmax(ends[0].point_a.x, ends[1].point_a.x) - 1) < 1e-15);
    grz_hull_destroy(a.hull);
    grz_hull_destroy(b.hull);
}

static void curved_bodies_stand_on_disks_lines_and_points(void **state)
{
    (void)state;
    graze_pose floor_pose = turned(0, 0, 0, -1), upright = turned(0.3, 0, 0, 1), lying;
    solid floor = box_of(9, 9, 1, &floor_pose);
    assert_int_equal(
        graze_pose_from_axis_angle((double[3]){1, 0, 0}, 1.5707963267948966, (double[3]){0, 0, 0.5}, &lying),
        GRAZE_STATUS_OK);
    grz_convex_body bodies[4] = {
        {.kind = GRZ_CONVEX_CYLINDER, .numbers = {2, 0.5}, .pose = upright},
        {.kind = GRZ_CONVEX_CYLINDER, .numbers = {2, 0.5}, .pose = lying},
        {.kind = GRZ_CONVEX_CONE, .numbers = {2, 0.5}, .pose = upright},
        {.kind = GRZ_CONVEX_ELLIPSOID, .numbers = {2, 3, 1}, .pose = upright},
    };
    unsigned expected[4] = {8, 2, 8, 1};
    for (int i = 0; i < 4; i++)
    {
        grz_manifold_side a = {&floor.body, floor.hull, v3_make(0, 0, 0)}, b = {&bodies[i], NULL, v3_make(0, 0, 0)};
        grz_manifold_point points[GRZ_MANIFOLD_MOST];
        assert_int_equal(grz_manifold_make(&a, &b, v3_make(0, 0, 1), 0.01, 8, points), expected[i]);
        for (unsigned k = 0; k < expected[i]; k++)
            assert_true(fabs(points[k].gap) < 1e-15);
    }
    grz_hull_destroy(floor.hull);
}

/* Along any direction in which the gap is known: no point below it, and one at it where faces or edges meet; swapped
   bodies have the same gaps. */
static void points_of_random_hulls_are_bounded_by_the_gap(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    size_t found = 0, with_deepest = 0, rounds = 600;
    printf("seed %d\n", SEED);
    for (size_t round = 0; round < rounds; round++)
    {
        double clouds[2][MOST_VERTICES][3];
        solid s[2];
        v3 normal = v3_make(grz_random_between(&random, -1, 1), grz_random_between(&random, -1, 1),
                            grz_random_between(&random, -1, 1));
        normal = v3_scale(1 / v3_length(normal), normal);
        for (int side = 0; side < 2; side++)
        {
            size_t count = 1 + (size_t)grz_random_between(&random, 0, MOST_VERTICES - 1);
            for (size_t i = 0; i < count; i++)
                for (int k = 0; k < 3; k++)
                    clouds[side][i][k] = grz_random_between(&random, -1, 1);
            graze_pose pose = turned(grz_random_between(&random, 0, 6), 0, 0, 0);
            s[side] = solid_of(&clouds[side][0][0], count, &pose);
        }
        double reach = support_of(&s[0].body, normal) + support_of(&s[1].body, v3_scale(-1, normal));
        for (int k = 0; k < 3; k++) /* a gap of 0.01 along the normal */
            s[1].body.pose.m[4 * k + 3] += (reach + 0.01) * (k == 0 ? normal.x : k == 1 ? normal.y : normal.z);
        grz_manifold_point points[GRZ_MANIFOLD_MOST], swapped[GRZ_MANIFOLD_MOST];
        unsigned count = manifold_of(&s[0], &s[1], normal, 2, 8, points);
        for (unsigned i = 0; i < count; i++)
        {
            assert_true(points[i].gap > 0.01 - 1e-9 && points[i].gap >= points[0].gap);
            v3 step = v3_sub(points[i].point_b, points[i].point_a);
            assert_true(fabs(v3_dot(step, normal) - points[i].gap) < 1e-9);
            assert_true(v3_length(v3_sub(step, v3_scale(points[i].gap, normal))) < 1e-9);
            assert_true(v3_dot(normal, points[i].point_a) <= support_of(&s[0].body, normal) + 1e-9);
        }
        unsigned other = manifold_of(&s[1], &s[0], v3_scale(-1, normal), 2, 8, swapped);
        assert_int_equal(count > 0, other > 0);
        if (count > 0 && other > 0)
            assert_true(fabs(points[0].gap - swapped[0].gap) < 1e-9);
        found += count > 0;
        with_deepest += count > 1;
        grz_hull_destroy(s[0].hull);
        grz_hull_destroy(s[1].hull);
    }
    printf("%zu of %zu with points, %zu with several\n", found, rounds, with_deepest);
    assert_true(found > rounds / 4 && with_deepest > rounds / 8);
}

/* Where no corners are close enough, the witnesses are a point of their own. */
static void witnesses_count_where_features_do_not_meet(void **state)
{
    (void)state;
    double low[1][3] = {{0, 0, 0}}, high[1][3] = {{0, 0, 1}};
    graze_pose pose = graze_pose_identity();
    solid a = solid_of(&low[0][0], 1, &pose), b = solid_of(&high[0][0], 1, &pose);
    a.body.radius = b.body.radius = 0.75;
    grz_manifold_side sides[2] = {{&a.body, a.hull, v3_make(0, 0, 0.75)}, {&b.body, b.hull, v3_make(0, 0, 0.25)}};
    grz_manifold_point point;
    assert_int_equal(grz_manifold_make(&sides[0], &sides[1], v3_make(0, 0, 1), 0, 4, &point), 1);
    assert_true(point.gap == -0.5 && point.feature >> 62 == 3);
    sides[1].witness = v3_make(0, 0, 0.76);
    assert_int_equal(grz_manifold_make(&sides[0], &sides[1], v3_make(0, 0, 1), 0, 4, &point), 0);
    grz_hull_destroy(a.hull);
    grz_hull_destroy(b.hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_on_a_larger_one_has_its_four_corners),
        cmocka_unit_test(two_turned_boxes_have_an_octagon_whose_names_stay),
        cmocka_unit_test(crossing_edges_have_one_point),
        cmocka_unit_test(curved_bodies_stand_on_disks_lines_and_points),
        cmocka_unit_test(points_of_random_hulls_are_bounded_by_the_gap),
        cmocka_unit_test(witnesses_count_where_features_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
