/* SPDX-License-Identifier: MIT */
/* Extrusions: any direction of the loops, collinear points, many holes, and rejected input with the element at
   fault. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "support/body_check.h"
#include "support/random.h"
#include "support/unit.h"

/* Checks all properties of a correct extrusion, given the area of its base, and destroys it. */
static void assert_right(graze_mesh *mesh, size_t points, size_t holes, double area, double height)
{
    body_report report = body_check(mesh);
    assert_int_equal(graze_mesh_triangle_count(mesh), 4 * (points + holes - 1));
    assert_int_equal(graze_mesh_vertex_count(mesh), 2 * points);
    assert_int_equal(report.unpaired_edges, 0);
    assert_int_equal(report.flat_triangles, 0);
    assert_int_equal(report.equal_vertices, 0);
    assert_int_equal(report.components, 1);
    assert_int_equal(report.euler_characteristic, 2 - 2 * (long)holes);
    assert_true(fabs(report.volume - area * height) <= 1e-12 * area * height);
    size_t tested;
    assert_int_equal(body_self_intersections(mesh, false, &tested), 0);
    graze_mesh_destroy(mesh);
}

/* Copies loops of (x, y), reversing those whose bit is set. */
static void turn_loops(const double *in, const uint32_t *sizes, size_t count, unsigned turned, double *out)
{
    for (size_t l = 0; l < count; l++)
        for (uint32_t i = 0; i < sizes[l]; i++, out += 2)
        {
            uint32_t from = turned >> l & 1 ? sizes[l] - 1 - i : i;
            memcpy(out, in + 2 * from, 2 * sizeof(double));
            if (i + 1 == sizes[l])
                in += 2 * sizes[l];
        }
}

static void loops_may_run_either_way(void **state)
{
    (void)state;
    const double points[] = {0, 0,   4, 0, 4,   3, 2,   1.5,  0,   3,    0.5, 0.5,
                             1, 0.5, 1, 1, 0.5, 1, 2.5, 0.25, 3.5, 0.25, 3,   1};
    const uint32_t sizes[] = {5, 4, 3};
    for (unsigned turned = 0; turned < 8; turned++)
    {
        double given[24];
        turn_loops(points, sizes, 3, turned, given);
        graze_mesh *mesh = NULL;
        graze_error error;
        assert_int_equal(graze_mesh_create_extrusion(NULL, given, sizes, 3, 0.5, &error, &mesh), GRAZE_STATUS_OK);
        assert_right(mesh, 12, 2, 9 - 0.25 - 0.375, 0.5);
    }
}

static void points_in_line_give_no_flat_triangles(void **state)
{
    (void)state;
    /* A square whose sides, and whose square hole's sides, are cut into four. */
    double points[64];
    uint32_t count = 0;
    for (int loop = 0; loop < 2; loop++)
        for (int i = 0; i < 16; i++, count++)
        {
            double along = i % 4, x = i / 4 == 0 ? along : i / 4 == 1 ? 4 : i / 4 == 2 ? 4 - along : 0;
            double y = i / 4 == 0 ? 0 : i / 4 == 1 ? along : i / 4 == 2 ? 4 : 4 - along;
            points[2 * count] = loop == 0 ? x : 1 + x / 2;
            points[2 * count + 1] = loop == 0 ? y : 1 + y / 2;
        }
    const uint32_t sizes[] = {16, 16};
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_extrusion(NULL, points, sizes, 2, 2, NULL, &mesh), GRAZE_STATUS_OK);
    assert_right(mesh, 32, 1, 12, 2);
}

/* Star-shaped loops: the outer one around the origin, holes around the points of a grid inside it. */
static void random_stars_with_holes_are_right(void **state)
{
    (void)state;
    test_random random = test_random_start("stars with holes", 11);
    size_t holes_seen = 0;
    for (int round = 0; round < 60; round++)
    {
        double points[400];
        uint32_t sizes[10], count = 0;
        size_t loops = 0;
        double area = 0;
        for (int place = -1; place < 9; place++)
        {
            if (place >= 0 && random_once_in(&random, 2))
                continue;
            uint32_t size = (uint32_t)random_between(&random, 3, 20);
            double x = place < 0 ? 0 : 2.0 * (place % 3 - 1), y = place < 0 ? 0 : 2.0 * (place / 3 - 1);
            double *first = points + 2 * (size_t)count, twice = 0;
            for (uint32_t i = 0; i < size; i++, count++)
            {
                double angle = 6.283185307179586 * i / size;
                double radius = place < 0 ? random_real(&random, 8, 20) : random_real(&random, 0.1, 0.95);
                points[2 * (size_t)count] = x + radius * cos(angle);
                points[2 * (size_t)count + 1] = y + radius * sin(angle);
            }
            for (uint32_t i = 0, k = size - 1; i < size; k = i++)
                twice += first[2 * k] * first[2 * i + 1] - first[2 * i] * first[2 * k + 1];
            area += place < 0 ? twice / 2 : -twice / 2;
            sizes[loops++] = size;
        }
        holes_seen += loops - 1;
        graze_mesh *mesh = NULL;
        assert_int_equal(graze_mesh_create_extrusion(NULL, points, sizes, loops, 3, NULL, &mesh), GRAZE_STATUS_OK);
        assert_right(mesh, count, loops - 1, area, 3);
    }
    assert_true(holes_seen > 150);
}

static void assert_refused(const double *points, const uint32_t *sizes, size_t loops, double height,
                           graze_status expected, uint64_t culprit)
{
    graze_mesh *mesh = NULL;
    graze_error error = {.status = GRAZE_STATUS_OK};
    assert_int_equal(graze_mesh_create_extrusion(NULL, points, sizes, loops, height, &error, &mesh), expected);
    assert_int_equal(error.status, expected);
    assert_true(error.index == culprit);
    assert_true(strlen(error.text) > 10);
    assert_null(mesh);
    assert_int_equal(graze_mesh_create_extrusion(NULL, points, sizes, loops, height, NULL, &mesh), expected);
}

static void bad_outlines_are_refused(void **state)
{
    (void)state;
    const graze_status bad = GRAZE_STATUS_BAD_ARGUMENT;
    const double square[] = {0, 0, 4, 0, 4, 4, 0, 4};
    const uint32_t four = 4, two_loops[] = {4, 3};
    assert_refused(NULL, &four, 1, 1, bad, GRAZE_NO_INDEX);
    assert_refused(square, NULL, 1, 1, bad, GRAZE_NO_INDEX);
    assert_refused(square, &four, 0, 1, bad, GRAZE_NO_INDEX);
    assert_refused(square, &four, 1, 0, bad, GRAZE_NO_INDEX);
    const uint32_t few[] = {4, 2};
    assert_refused(square, few, 2, 1, GRAZE_STATUS_TOO_FEW_CORNERS, 1);
    const double not_finite[] = {0, 0, 4, 0, 4, NAN, 0, 4};
    assert_refused(not_finite, &four, 1, 1, GRAZE_STATUS_NOT_FINITE, 2);
    const double spike[] = {0, 0, 4, 0, 0, 0, 4, 1};
    assert_refused(spike, &four, 1, 1, bad, GRAZE_NO_INDEX);
    const double line[] = {0, 0, 1, 0, 2, 0, 3, 0};
    assert_refused(line, &four, 1, 1, bad, 0);
    const double bow[] = {0, 0, 4, 4, 4, 0, 0, 3};
    assert_refused(bow, &four, 1, 1, bad, GRAZE_NO_INDEX);
    const double crossing_hole[] = {0, 0, 4, 0, 4, 4, 0, 4, 1, 1, 5, 1, 1, 2};
    assert_refused(crossing_hole, two_loops, 2, 1, bad, GRAZE_NO_INDEX);
    const double hole_outside[] = {0, 0, 4, 0, 4, 4, 0, 4, 6, 1, 7, 1, 6, 2};
    assert_refused(hole_outside, two_loops, 2, 1, bad, GRAZE_NO_INDEX);
    const double hole_around[] = {0, 0, 4, 0, 4, 4, 0, 4, -9, -9, 20, -9, 0, 30};
    assert_refused(hole_around, two_loops, 2, 1, bad, GRAZE_NO_INDEX);
    const double hole_in_hole[] = {0, 0, 9, 0, 9, 9, 0, 9, 1, 1, 8, 1, 1, 8, 2, 2, 3, 2, 2, 3};
    const uint32_t three_loops[] = {4, 3, 3};
    assert_refused(hole_in_hole, three_loops, 3, 1, bad, GRAZE_NO_INDEX);
    const double repeated[] = {0, 0, 4, 0, 4, 0, 4, 4};
    assert_refused(repeated, &four, 1, 1, bad, GRAZE_NO_INDEX);
}

static void loops_that_touch_give_a_closed_body_that_touches_itself(void **state)
{
    (void)state;
    const double points[] = {0, 0, 4, 0, 4, 4, 0, 4, 1, 1, 4, 1, 1, 2};
    const uint32_t sizes[] = {4, 3};
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_extrusion(NULL, points, sizes, 2, 1, NULL, &mesh), GRAZE_STATUS_OK);
    body_report report = body_check(mesh);
    size_t tested;
    assert_int_equal(report.unpaired_edges, 0);
    assert_true(fabs(report.volume - 14.5) < 1e-12);
    assert_true(body_self_intersections(mesh, false, &tested) > 0);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_may_run_either_way),
        cmocka_unit_test(points_in_line_give_no_flat_triangles),
        cmocka_unit_test(random_stars_with_holes_are_right),
        cmocka_unit_test(loops_that_touch_give_a_closed_body_that_touches_itself),
        cmocka_unit_test(bad_outlines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
