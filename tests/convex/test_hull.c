/* SPDX-License-Identifier: MIT */
/*
 * Convex hulls: faces, edges and vertices against the oracle. No point is outside of a face, faces are strictly convex
 * and no two neighbours are coplanar, edges are shared by two faces, Euler's formula holds: there is one such
 * polyhedron. Points on grids, in balls, on spheres and boxes, an ulp apart, coplanar, collinear, equal, huge and tiny.
 */
#include "convex/hull.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "support/environment.h"
#include "support/failing_allocator.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    SEED = 3605,
    MOST_POINTS = 400
};

typedef struct cloud
{
    double points[MOST_POINTS][3];
    size_t count;
} cloud;

static int orient(oracle *judge, const double *a, const double *b, const double *c, const double *d)
{
    const double *sources[4] = {a, b, c, d};
    graze_placed_point points[4];
    for (int i = 0; i < 4; i++)
    {
        points[i] = (graze_placed_point){sources[i], NULL};
    }
    oracle_load(judge, points, 4);
    return oracle_loaded_orient3d(judge, 0, 1, 2, 3);
}

static bool are_collinear(oracle *judge, const double *a, const double *b, const double *c)
{
    const double *sources[3] = {a, b, c};
    graze_placed_point points[3];
    for (int i = 0; i < 3; i++)
    {
        points[i] = (graze_placed_point){sources[i], NULL};
    }
    oracle_load(judge, points, 3);
    bool collinear = true;
    for (int axis = 0; axis < 3; axis++)
        collinear = collinear && oracle_loaded_orient2d(judge, 0, 1, 2, axis) == 0;
    return collinear;
}

static uint32_t after(const grz_hull *hull, size_t face, uint32_t half_edge)
{
    return half_edge + 1 == hull->face_starts[face + 1] ? hull->face_starts[face] : half_edge + 1;
}

/* Vertices are points of the input, the first of equal ones; lists of neighbours are those of the edges. */
static void check_vertices(const grz_hull *hull, const cloud *c)
{
    for (size_t v = 0; v < hull->vertex_count; v++)
    {
        assert_true(hull->sources[v] < c->count && (v == 0 || hull->sources[v] > hull->sources[v - 1]));
        const double *point = c->points[hull->sources[v]];
        for (int axis = 0; axis < 3; axis++)
            assert_true(hull->vertices[v][axis] == point[axis]);
        for (size_t i = 0; i < hull->sources[v]; i++)
            assert_false(c->points[i][0] == point[0] && c->points[i][1] == point[1] && c->points[i][2] == point[2]);
    }
    if (hull->dimension < 2)
        return;
    assert_int_equal(hull->neighbour_starts[hull->vertex_count], hull->half_edge_count);
    for (size_t h = 0; h < hull->half_edge_count; h++)
    {
        bool listed = false;
        for (uint32_t i = hull->neighbour_starts[hull->origins[h]]; i < hull->neighbour_starts[hull->origins[h] + 1];
             i++)
            listed = listed || hull->neighbours[i] == hull->origins[hull->twins[h]];
        assert_true(listed);
    }
}

static void check_edges(const grz_hull *hull)
{
    assert_int_equal(hull->face_starts[hull->face_count], hull->half_edge_count);
    for (size_t face = 0; face < hull->face_count; face++)
        for (uint32_t h = hull->face_starts[face]; h < hull->face_starts[face + 1]; h++)
        {
            uint32_t twin = hull->twins[h], other = 0;
            assert_true(twin < hull->half_edge_count && twin != h && hull->twins[twin] == h);
            while (hull->face_starts[other + 1] <= twin)
                other++;
            assert_int_not_equal(other, face);
            assert_int_equal(hull->origins[twin], hull->origins[after(hull, face, h)]);
            assert_int_equal(hull->origins[after(hull, other, twin)], hull->origins[h]);
        }
    assert_int_equal((long)hull->vertex_count - (long)hull->half_edge_count / 2 + (long)hull->face_count, 2);
}

/* A polyhedron: every face has all points behind it or in its plane, and is strictly convex. */
static void check_faces(oracle *judge, const grz_hull *hull, const cloud *c)
{
    for (size_t face = 0; face < hull->face_count; face++)
    {
        uint32_t first = hull->face_starts[face], size = hull->face_starts[face + 1] - first;
        assert_true(size >= 3);
        const double *p[3];
        for (uint32_t k = 0; k < 3; k++)
            p[k] = hull->vertices[hull->origins[first + k]];
        for (size_t i = 0; i < c->count; i++)
            assert_true(orient(judge, p[0], p[1], p[2], c->points[i]) >= 0);
        size_t behind = 0;
        for (size_t i = 0; i < c->count; i++)
            if (orient(judge, p[0], p[1], p[2], c->points[i]) > 0)
                behind = i;
        for (uint32_t h = first; h < first + size; h++)
        {
            uint32_t next = after(hull, face, h), last = after(hull, face, next);
            const double *a = hull->vertices[hull->origins[h]], *b = hull->vertices[hull->origins[next]],
                         *d = hull->vertices[hull->origins[last]];
            assert_int_equal(orient(judge, p[0], p[1], p[2], a), 0);
            assert_false(are_collinear(judge, a, b, d));
            assert_true(orient(judge, a, b, d, c->points[behind]) > 0); /* turns the same way as the face */
            uint32_t twin = hull->twins[h], other = 0;
            while (hull->face_starts[other + 1] <= twin)
                other++;
            uint32_t beyond = after(hull, other, after(hull, other, twin));
            assert_true(orient(judge, p[0], p[1], p[2], hull->vertices[hull->origins[beyond]]) > 0); /* not coplanar */
        }
    }
}

/* A polygon: two faces, strictly convex, all points within it. */
static void check_polygon(oracle *judge, const grz_hull *hull, const cloud *c)
{
    assert_int_equal(hull->face_count, 2);
    size_t size = hull->vertex_count;
    assert_true(size >= 3 && hull->face_starts[1] == size && hull->half_edge_count == 2 * size);
    const double *p[3];
    for (uint32_t k = 0; k < 3; k++)
        p[k] = hull->vertices[hull->origins[k]];
    double tip[3]; /* a point beside the plane: to its sides the edges have all points on one side */
    for (int axis = 0; axis < 3; axis++)
        tip[axis] = 0;
    bool found = false;
    for (int k = 0; k < 8 && !found; k++)
    {
        for (int axis = 0; axis < 3; axis++)
            tip[axis] = (k >> axis & 1) != 0 ? 3e5 : -2e5;
        found = orient(judge, p[0], p[1], p[2], tip) != 0;
    }
    assert_true(found);
    int sign = orient(judge, p[0], p[1], p[2], tip);
    for (uint32_t h = 0; h < size; h++)
    {
        const double *a = hull->vertices[hull->origins[h]], *b = hull->vertices[hull->origins[(h + 1) % size]],
                     *d = hull->vertices[hull->origins[(h + 2) % size]];
        assert_int_equal(orient(judge, a, b, d, tip), sign);
        for (size_t i = 0; i < c->count; i++)
        {
            assert_int_equal(orient(judge, p[0], p[1], p[2], c->points[i]), 0);
            assert_int_not_equal(orient(judge, a, b, c->points[i], tip), -sign);
        }
    }
}

/* A segment or a point: all points are between the ends, or at them. */
static void check_segment(oracle *judge, const grz_hull *hull, const cloud *c)
{
    assert_int_equal(hull->vertex_count, hull->dimension + 1);
    const double *a = hull->vertices[0], *b = hull->vertices[hull->vertex_count - 1];
    for (size_t i = 0; i < c->count; i++)
    {
        const double *p = c->points[i];
        assert_true(are_collinear(judge, p, a, b));
        for (int axis = 0; axis < 3; axis++)
            assert_true(p[axis] >= fmin(a[axis], b[axis]) && p[axis] <= fmax(a[axis], b[axis]));
    }
    const uint32_t *starts = hull->neighbour_starts;
    for (uint32_t v = 0; v < hull->vertex_count; v++)
    {
        assert_int_equal(starts[v + 1] - starts[v], hull->dimension);
        assert_true(hull->dimension == 0 || hull->neighbours[starts[v]] == 1 - v);
    }
}

static int check_hull(oracle *judge, const cloud *c)
{
    grz_hull *hull = NULL;
    assert_int_equal(grz_hull_create(NULL, c->points[0], c->count, NULL, &hull), GRAZE_STATUS_OK);
    int dimension = hull->dimension;
    check_vertices(hull, c);
    if (dimension >= 2)
        check_edges(hull);
    if (dimension == 3)
        check_faces(judge, hull, c);
    else if (dimension == 2)
        check_polygon(judge, hull, c);
    else
        check_segment(judge, hull, c);
    grz_hull_destroy(hull);
    return dimension;
}

/* ---- clouds ---- */

static void make_cloud(grz_random *random, int kind, cloud *c)
{
    c->count = 1 + grz_random_below(random, kind % 3 == 0 ? 12 : 80);
    int size = 2 + (int)grz_random_below(random, 4);
    double slope[3] = {(double)grz_random_below(random, 3), (double)grz_random_below(random, 3) - 1, 1};
    for (size_t i = 0; i < c->count; i++)
    {
        double *p = c->points[i], length = 0;
        for (int axis = 0; axis < 3; axis++)
            p[axis] = grz_random_between(random, -1, 1);
        length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int axis = 0; axis < 3; axis++)
        {
            double step = (double)grz_random_below(random, (uint64_t)size);
            switch (kind)
            {
            case 0: /* a grid, few points */
            case 1: /* a grid */
                p[axis] = step;
                break;
            case 2: /* a ball */
                break;
            case 3: /* a sphere */
                p[axis] /= length;
                break;
            case 4: /* a grid, off by an ulp at times */
                p[axis] = grz_random_below(random, 4) == 0 ? nextafter(step + 1, grz_random_below(random, 2) ? 9 : 0)
                                                           : step + 1;
                break;
            case 5: /* the surface of a box, rounded decimals */
                p[axis] = 0.1 * step + (axis == (int)(i % 3) ? 0.7 * (double)(i % 2) : 0);
                break;
            case 6: /* decimals far away */
                p[axis] = 1e6 + 0.1 * step;
                break;
            default:
                p[axis] = step;
                break;
            }
        }
        if (kind == 7) /* a plane */
            p[2] = slope[0] * p[0] + slope[1] * p[1];
        if (kind == 8) /* a line */
            p[1] = slope[1] * p[0], p[2] = slope[0] * p[0] + 1;
        if (kind == 9) /* one point */
            p[0] = p[1] = p[2] = i % 2 == 0 ? 0.0 : -0.0;
    }
}

enum
{
    KINDS = 10
};

static void hulls_are_those_of_the_oracle(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    oracle *judge = oracle_create();
    static cloud c;
    size_t dimensions[4] = {0};
    for (int round = 0; round < 60 * KINDS; round++)
    {
        make_cloud(&random, round % KINDS, &c);
        dimensions[check_hull(judge, &c)]++;
    }
    oracle_destroy(judge);
    printf("%zu points, %zu segments, %zu polygons, %zu polyhedra\n", dimensions[0], dimensions[1], dimensions[2],
           dimensions[3]);
    for (int k = 0; k < 4; k++)
        assert_true(dimensions[k] > 30);
}

/* Powers of two change no coordinate but in size, up to the ends of the range; below, denormals round. */
static void hulls_are_the_same_at_all_scales(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    oracle *judge = oracle_create();
    static cloud c, scaled;
    for (int round = 0; round < 8 * KINDS; round++)
    {
        static const int exponents[8] = {-1060, -600, -300, -201, 99, 300, 600, 1020};
        make_cloud(&random, round % KINDS, &c);
        if (round % KINDS == 6 || round % KINDS == 7)
            continue; /* too large; and polygons are checked from a point at a distance */
        grz_hull *first, *second;
        assert_int_equal(grz_hull_create(NULL, c.points[0], c.count, NULL, &first), GRAZE_STATUS_OK);
        scaled = c;
        for (size_t i = 0; i < c.count; i++)
            for (int axis = 0; axis < 3; axis++)
                scaled.points[i][axis] = ldexp(c.points[i][axis], exponents[round / KINDS]);
        assert_int_equal(grz_hull_create(NULL, scaled.points[0], c.count, NULL, &second), GRAZE_STATUS_OK);
        if (exponents[round / KINDS] < -1022 + 53)
        {
            if (second->dimension == 3)
                check_faces(judge, second, &scaled);
        }
        else
        {
            assert_int_equal(first->vertex_count, second->vertex_count);
            assert_int_equal(first->face_count, second->face_count);
            for (size_t v = 0; v < first->vertex_count; v++)
                assert_int_equal(first->sources[v], second->sources[v]);
        }
        grz_hull_destroy(first);
        grz_hull_destroy(second);
    }
    oracle_destroy(judge);
}

/* Points near a tilted plane, in two groups far apart along an axis, and along that one alone at times: heights of
   points of one group above triangles of the other are nothing but rounding, of the distance and not of the triangles.
 */
static void far_groups_are_no_matter(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 5);
    oracle *judge = oracle_create();
    static cloud c;
    size_t solids = 0;
    for (int round = 0; round < 120; round++)
    {
        int along = round % 3, across = (along + 1 + round / 3 % 2) % 3, up = 3 - along - across;
        double tilt = round / 6 % 2 * grz_random_between(&random, -1, 1), other = grz_random_between(&random, -1, 1);
        c.count = 24;
        for (size_t i = 0; i < c.count; i++)
        {
            double *p = c.points[i];
            p[along] = grz_random_between(&random, -1, 1) + (i % 2 == 0 ? 1e4 : 0);
            p[across] = grz_random_between(&random, -1, 1);
            p[up] = tilt * p[along] + other * p[across];
        }
        solids += check_hull(judge, &c) == 3;
    }
    oracle_destroy(judge);
    assert_int_equal(solids, 120);
}

/* Coordinates whose products overflow, beside small ones: heights are infinite, and say nothing. */
static void points_may_be_large_and_small(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 6);
    oracle *judge = oracle_create();
    static cloud c;
    size_t solids = 0;
    for (int round = 0; round < 200; round++)
    {
        c.count = 14;
        for (size_t i = 0; i < c.count; i++)
        {
            int exponent = i % 2 == 0 ? 511 + (int)grz_random_below(&random, 3) : (int)grz_random_below(&random, 3);
            for (int axis = 0; axis < 3; axis++)
                c.points[i][axis] = ldexp(grz_random_between(&random, -1, i % 2 == 0 ? 0.2 : 1), exponent);
        }
        solids += check_hull(judge, &c) == 3;
    }
    oracle_destroy(judge);
    assert_int_equal(solids, 200);
}

/* Coordinates that are denormals are no zeros, even where the processor takes them for that. */
static void hulls_are_the_same_in_every_environment(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 4);
    static cloud c;
    size_t solids = 0;
    for (int round = 0; round < 4 * KINDS; round++)
    {
        make_cloud(&random, round % KINDS, &c);
        for (size_t i = 0; i < c.count; i++)
            for (int axis = 0; axis < 3; axis++)
                c.points[i][axis] = ldexp(c.points[i][axis], round % 2 == 0 ? -1040 : 0);
        grz_hull *usual;
        assert_int_equal(grz_hull_create(NULL, c.points[0], c.count, NULL, &usual), GRAZE_STATUS_OK);
        solids += usual->dimension == 3;
        for (int environment = 1; environment < ENVIRONMENTS; environment++)
        {
            grz_hull *hull;
            saved_environment saved;
            environment_enter(&saved, environment);
            graze_status status = grz_hull_create(NULL, c.points[0], c.count, NULL, &hull);
            environment_leave(&saved);
            assert_int_equal(status, GRAZE_STATUS_OK);
            assert_int_equal(hull->dimension, usual->dimension);
            assert_int_equal(hull->vertex_count, usual->vertex_count);
            assert_int_equal(hull->face_count, usual->face_count);
            assert_int_equal(hull->half_edge_count, usual->half_edge_count);
            for (size_t v = 0; v < hull->vertex_count; v++)
                assert_int_equal(hull->sources[v], usual->sources[v]);
            grz_hull_destroy(hull);
        }
        grz_hull_destroy(usual);
    }
    printf("%zu polyhedra\n", solids);
    assert_true(solids > 20);
}

static void bad_points_are_refused(void **state)
{
    (void)state;
    double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {NAN, NAN, NAN}};
    grz_hull *hull = NULL;
    assert_int_equal(grz_hull_create(NULL, points[0], 3, NULL, &hull), GRAZE_STATUS_OK); /* the last is none of them */
    grz_hull_destroy(hull);
    hull = NULL;
    assert_int_equal(grz_hull_create(NULL, points[0], 0, NULL, &hull), GRAZE_STATUS_EMPTY);
    for (int i = 0; i < 9; i++)
    {
        double *number = &points[i / 3][i % 3], good = *number;
        static const double bad[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
        for (int k = 0; k < 3; k++)
        {
            *number = bad[k];
            assert_int_equal(grz_hull_create(NULL, points[0], 3, NULL, &hull), GRAZE_STATUS_NOT_FINITE);
        }
        *number = good;
    }
    assert_int_equal(grz_hull_create(NULL, points[0], (size_t)1 << 30, NULL, &hull), GRAZE_STATUS_TOO_LARGE);
    assert_null(hull);
    grz_hull_destroy(NULL);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 2);
    static cloud c;
    for (int kind = 0; kind < 2 * KINDS; kind++)
    {
        make_cloud(&random, kind / 2, &c);
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed, .once = kind % 2 == 1};
            graze_context context = failing_allocator_context(&allocator);
            grz_hull *hull = NULL;
            graze_status status = grz_hull_create(&context, c.points[0], c.count, NULL, &hull);
            grz_hull_destroy(hull);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
            assert_null(hull);
        }
    }
}

static bool stop(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

static void a_long_hull_can_be_cancelled(void **state)
{
    (void)state;
    enum
    {
        COUNT = 20000
    };
    static double points[COUNT][3];
    grz_random random = grz_random_make(SEED + 3);
    for (int flat = 0; flat < 2; flat++)
    {
        for (size_t i = 0; i < COUNT; i++)
            for (int axis = 0; axis < 3; axis++)
                points[i][axis] = axis < 2 || !flat ? grz_random_between(&random, -1, 1) : 0;
        const graze_budget budget = {.progress = stop};
        grz_monitor monitor = grz_monitor_make(&budget);
        grz_hull *hull = NULL;
        assert_int_equal(grz_hull_create(NULL, points[0], COUNT, &monitor, &hull), GRAZE_STATUS_CANCELLED);
        assert_null(hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_are_those_of_the_oracle), cmocka_unit_test(hulls_are_the_same_at_all_scales),
        cmocka_unit_test(bad_points_are_refused),        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_long_hull_can_be_cancelled),  cmocka_unit_test(hulls_are_the_same_in_every_environment),
        cmocka_unit_test(far_groups_are_no_matter),      cmocka_unit_test(points_may_be_large_and_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
