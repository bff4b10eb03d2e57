/* SPDX-License-Identifier: MIT */
/*
 * Outer hulls contain their input, by the oracle, have few enough vertices, and are not much larger than they need to
 * be: balls, boxes with a bevel, cylinders, polygons, points on grids, bodies far from the origin, huge and tiny ones.
 */
#include "convex/outer_hull.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "convex/dual_hull.h"
#include "support/failing_allocator.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    SEED = 4117,
    MOST_POINTS = 6000
};

static double points[MOST_POINTS][3];

static int orient(oracle *judge, const double *a, const double *b, const double *c, const double *d)
{
    const graze_placed_point placed[4] = {{a, NULL}, {b, NULL}, {c, NULL}, {d, NULL}};
    oracle_load(judge, placed, 4);
    return oracle_loaded_orient3d(judge, 0, 1, 2, 3);
}

static grz_hull *hull_of(size_t count)
{
    grz_hull *hull = NULL;
    assert_int_equal(grz_hull_create(NULL, points[0], count, NULL, &hull), GRAZE_STATUS_OK);
    return hull;
}

static double volume_of(const grz_hull *hull)
{
    double volume = 0;
    const double *o = hull->vertices[0];
    for (size_t face = 0; face < hull->face_count; face++)
        for (uint32_t h = hull->face_starts[face] + 1; h + 1 < hull->face_starts[face + 1]; h++)
        {
            const double *a = hull->vertices[hull->origins[hull->face_starts[face]]],
                         *b = hull->vertices[hull->origins[h]], *c = hull->vertices[hull->origins[h + 1]];
            v3 p = v3_sub(v3_load(a), v3_load(o)), q = v3_sub(v3_load(b), v3_load(o)),
               r = v3_sub(v3_load(c), v3_load(o));
            volume += v3_dot(p, v3_cross(q, r)) / 6;
        }
    return volume;
}

static void check_containment(oracle *judge, const grz_hull *outer, size_t count)
{
    assert_int_equal(outer->dimension, 3);
    for (size_t face = 0; face < outer->face_count; face++)
    {
        const uint32_t *corners = &outer->origins[outer->face_starts[face]];
        for (size_t i = 0; i < count; i++)
            assert_true(orient(judge, outer->vertices[corners[0]], outer->vertices[corners[1]],
                               outer->vertices[corners[2]], points[i]) >= 0);
    }
}

/* Returns the volume of the outer hull in volumes of the hull. */
static double check_outer(oracle *judge, size_t count, size_t most)
{
    grz_hull *hull = hull_of(count), *outer = NULL;
    assert_int_equal(grz_outer_hull_create(NULL, hull, most, NULL, &outer), GRAZE_STATUS_OK);
    assert_true(outer->vertex_count <= most);
    if (hull->vertex_count > most)
        check_containment(judge, outer, count);
    else
        assert_int_equal(outer->vertex_count, hull->vertex_count);
    double ratio = volume_of(outer) / volume_of(hull);
    grz_hull_destroy(outer);
    grz_hull_destroy(hull);
    return ratio;
}

static void make_points(grz_random *random, int kind, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        double *p = points[i], length;
        do
        {
            for (int axis = 0; axis < 3; axis++)
                p[axis] = grz_random_between(random, -1, 1);
            length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        } while (length > 1 || length < 0.1);
        for (int axis = 0; axis < 3; axis++)
        {
            if (kind == 1 || kind >= 4)
                p[axis] /= length;
            if (kind == 2)
                p[axis] = floor(4 * p[axis]);
            if (kind == 4)
                p[axis] += 1000;
            if (kind == 5)
                p[axis] = ldexp(p[axis], -500);
            if (kind == 6)
                p[axis] = ldexp(p[axis], 900);
        }
        if (kind == 3) /* a cylinder */
        {
            double angle = 6.283185307179586 * (double)(i / 2) / (double)((count + 1) / 2);
            p[0] = cos(angle);
            p[1] = sin(angle);
            p[2] = i % 2 == 0 ? -1 : 1;
        }
    }
}

static void outer_hulls_contain_their_points_and_have_few_vertices(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    oracle *judge = oracle_create();
    int simpler = 0;
    double largest = 0;
    for (int round = 0; round < TEST_ROUNDS(140); round++)
    {
        size_t count = 8 + grz_random_below(&random, 150), most = 4 + grz_random_below(&random, 40);
        make_points(&random, round % 7, count);
        double ratio = check_outer(judge, count, most);
        simpler += ratio > 1;
        if (most >= 20 && round % 7 < 5)
            largest = fmax(largest, ratio);
    }
    oracle_destroy(judge);
    printf("%d were simplified; with 20 vertices or more at most %.3f times as large\n", simpler, largest);
    assert_true(simpler > TEST_ROUNDS(140) / 2);
    assert_true(largest < 1.6);
}

/* Planes that are left give back the very body: rounding is below 1e-12. */
static void removing_a_bevel_gives_the_box_back(void **state)
{
    (void)state;
    oracle *judge = oracle_create();
    size_t count = 0;
    for (int i = 0; i < 8; i++)
    {
        const double corner[3] = {i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3};
        for (int k = 0; k < (i == 7 ? 3 : 1); k++, count++)
            for (int axis = 0; axis < 3; axis++)
                points[count][axis] = corner[axis] - (i == 7 && axis == k ? 0.1 : 0);
    }
    double ratio = check_outer(judge, count, 8), expected = 48 / (48 - 0.001 / 6);
    assert_true(fabs(ratio - expected) < 1e-12 * expected);
    grz_hull *hull = hull_of(count), *outer = NULL;
    assert_int_equal(grz_outer_hull_create(NULL, hull, 8, NULL, &outer), GRAZE_STATUS_OK);
    assert_int_equal(outer->vertex_count, 8);
    grz_hull_destroy(outer);
    grz_hull_destroy(hull);
    oracle_destroy(judge);
}

/* A pyramid: at its top 40 planes meet, which is one vertex. */
static void vertices_where_many_planes_meet_count_once(void **state)
{
    (void)state;
    oracle *judge = oracle_create();
    for (int i = 0; i < 40; i++)
    {
        double angle = 6.283185307179586 * i / 40;
        points[i][0] = cos(angle);
        points[i][1] = sin(angle);
        points[i][2] = 0;
    }
    points[40][0] = points[40][1] = 0;
    points[40][2] = 1;
    double ratio = check_outer(judge, 41, 39);
    printf("39 of 41 vertices: %.5f times as large\n", ratio);
    assert_true(ratio < 1.02);
    oracle_destroy(judge);
}

static void polygons_get_a_thickness(void **state)
{
    (void)state;
    oracle *judge = oracle_create();
    grz_random random = grz_random_make(SEED + 1);
    for (int round = 0; round < 12; round++)
    {
        size_t count = 30 + grz_random_below(&random, 60), most = 4 + grz_random_below(&random, 20);
        for (size_t i = 0; i < count; i++)
        {
            double angle = 6.283185307179586 * (double)i / (double)count;
            points[i][0] = floor(1000 * cos(angle));
            points[i][1] = floor(1000 * sin(angle));
            points[i][2] = round % 2 == 0 ? 7 : 2 * points[i][0] + 3 * points[i][1];
        }
        grz_hull *hull = hull_of(count), *outer = NULL;
        assert_int_equal(hull->dimension, 2);
        assert_int_equal(grz_outer_hull_create(NULL, hull, most, NULL, &outer), GRAZE_STATUS_OK);
        assert_true(outer->vertex_count <= most);
        check_containment(judge, outer, count);
        printf("%zu of %zu vertices: volume %g\n", outer->vertex_count, hull->vertex_count, volume_of(outer));
        if (most >= 6) /* a thin prism */
            assert_true(volume_of(outer) < 1e-3);
        grz_hull_destroy(outer);
        grz_hull_destroy(hull);
    }
    oracle_destroy(judge);
}

/* More faces than are looked at. */
static void large_hulls_are_simplified_too(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 2);
    make_points(&random, 1, MOST_POINTS);
    grz_hull *hull = hull_of(MOST_POINTS);
    assert_true(hull->face_count > 8192);
    static const size_t most[4] = {8, 32, 256, 1024};
    static const double largest[4] = {3, 1.3, 1.04, 1.02};
    for (int k = 0; k < 4; k++)
    {
        grz_hull *outer = NULL;
        bool contains = false;
        assert_int_equal(grz_outer_hull_create(NULL, hull, most[k], NULL, &outer), GRAZE_STATUS_OK);
        assert_int_equal(grz_hull_contains(NULL, outer, (const double(*)[3])points, MOST_POINTS, NULL, &contains),
                         GRAZE_STATUS_OK);
        assert_true(contains);
        double ratio = volume_of(outer) / volume_of(hull);
        printf("%zu vertices: %.4f times as large\n", outer->vertex_count, ratio);
        assert_true(outer->vertex_count <= most[k] && ratio < largest[k]);
        grz_hull_destroy(outer);
    }
    grz_hull_destroy(hull);
}

static void containment_is_exact(void **state)
{
    (void)state;
    static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    const double questions[4][3] = {{1, 0.5, 0.5}, {nextafter(1, 2), 0.5, 0.5}, {0, 0, 0}, {-0x1p-1070, 0, 0}};
    grz_hull *hull = NULL;
    assert_int_equal(grz_hull_create(NULL, cube[0], 8, NULL, &hull), GRAZE_STATUS_OK);
    for (int i = 0; i < 4; i++)
    {
        bool contains = false;
        assert_int_equal(grz_hull_contains(NULL, hull, (const double(*)[3])questions[i], 1, NULL, &contains),
                         GRAZE_STATUS_OK);
        assert_int_equal(contains, i % 2 == 0);
    }
    grz_hull_destroy(hull);
}

/* After each removal: the hull of the points that are left. */
static void removed_points_leave_the_hull_of_the_others(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 3);
    size_t removals = 0;
    for (int round = 0; round < 20; round++)
    {
        make_points(&random, round % 3 == 2 ? 2 : 1, 60);
        for (int i = 0; i < 60 && round % 3 == 2; i++)
            for (int axis = 0; axis < 3; axis++)
                points[i][axis] += 0.25; /* a grid, the origin not in a plane of it */
        grz_hull *hull = hull_of(60);
        grz_dual_hull dual;
        uint32_t around[GRZ_DUAL_MOST_NEIGHBOURS];
        size_t count;
        if (grz_dual_hull_make(NULL, hull, 0x1p-40, &dual) == GRAZE_STATUS_OK)
            for (uint32_t point = 0; point < hull->vertex_count; point++)
            {
                if (grz_dual_hull_cost(&dual, point) == INFINITY)
                    continue;
                grz_dual_hull_remove(&dual, point, around, &count);
                removals++;
                size_t live = 0, left = 0, short_edges = 0;
                for (uint32_t t = 0; t < dual.triangle_count; t++)
                    for (int k = 0; k < 3 && dual.triangles[t].alive; k++)
                    {
                        const grz_dual_triangle *triangle = &dual.triangles[t],
                                                *other = &dual.triangles[triangle->neighbours[k]];
                        live += k == 0;
                        assert_true(other->alive);
                        short_edges += v3_length(v3_sub(triangle->vertex, other->vertex)) <= 0x1p-40;
                    }
                for (uint32_t p = 0; p < hull->vertex_count; p++)
                {
                    if (dual.triangles_of[p] == UINT32_MAX)
                        continue;
                    left++;
                    assert_true(dual.triangles[dual.triangles_of[p]].alive);
                    for (uint32_t t = 0; t < dual.triangle_count; t++)
                        if (dual.triangles[t].alive)
                        {
                            const uint32_t *c = dual.triangles[t].corners;
                            assert_true(graze_point_orient3d(hull->vertices[c[0]], hull->vertices[c[1]],
                                                             hull->vertices[c[2]], hull->vertices[p]) >= 0);
                        }
                }
                assert_int_equal(live, 2 * left - 4);
                assert_int_equal(live, dual.live_triangles);
                assert_int_equal(short_edges, 2 * dual.short_edges);
            }
        grz_dual_hull_release(&dual);
        grz_hull_destroy(hull);
    }
    printf("%zu removals\n", removals);
    assert_true(removals > 200);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 4);
    for (int kind = 0; kind < 2; kind++)
    {
        make_points(&random, 1, 40);
        for (int i = 0; i < 40 && kind == 1; i++)
            points[i][2] = 3;
        grz_hull *hull = hull_of(40);
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            grz_hull *outer = NULL;
            graze_status status = grz_outer_hull_create(&context, hull, 12, NULL, &outer);
            assert_true((outer != NULL) == (status == GRAZE_STATUS_OK));
            grz_hull_destroy(outer);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        }
        grz_hull_destroy(hull);
    }
}

/* Coordinates up to the ends of the range; there may be no answer, which is said. */
static void ends_of_the_range_are_no_trouble(void **state)
{
    (void)state;
    oracle *judge = oracle_create();
    grz_random random = grz_random_make(SEED + 5);
    int found = 0, refused = 0;
    static const int exponents[6] = {-1070, -1022, -1000, 1000, 1022, 1023};
    for (int round = 0; round < 24; round++)
    {
        make_points(&random, 1, 30);
        for (int i = 0; i < 30; i++)
            for (int axis = 0; axis < 3; axis++)
                points[i][axis] = ldexp(points[i][axis], exponents[round % 6]);
        grz_hull *hull = hull_of(30), *outer = NULL;
        size_t most = round < 12 ? 5 : 14;
        graze_status status = grz_outer_hull_create(NULL, hull, most, NULL, &outer);
        if (status == GRAZE_STATUS_OK && hull->vertex_count > most)
            check_containment(judge, outer, 30);
        found += status == GRAZE_STATUS_OK;
        refused += status == GRAZE_STATUS_NOT_FINITE;
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_NOT_FINITE);
        grz_hull_destroy(outer);
        grz_hull_destroy(hull);
    }
    oracle_destroy(judge);
    printf("%d found, %d refused\n", found, refused);
    assert_true(found >= 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outer_hulls_contain_their_points_and_have_few_vertices),
        cmocka_unit_test(removing_a_bevel_gives_the_box_back),
        cmocka_unit_test(vertices_where_many_planes_meet_count_once),
        cmocka_unit_test(polygons_get_a_thickness),
        cmocka_unit_test(large_hulls_are_simplified_too),
        cmocka_unit_test(containment_is_exact),
        cmocka_unit_test(removed_points_leave_the_hull_of_the_others),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(ends_of_the_range_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
