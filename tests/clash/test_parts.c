/* SPDX-License-Identifier: MIT */
/* AABBs of placed parts, against rational arithmetic: they contain the part, and exceed it by less than their slack. */
#include <gmp.h>
#include <math.h>
#include <stdio.h>

#include "support/unit.h"

#include "clash/parts.h"
#include "clash_meshes.h"
#include "support/random.h"

/* A placed coordinate of a vertex. */
static void place(const double row[4], const double *v, mpq_t out)
{
    mpq_t term, factor;
    mpq_inits(term, factor, NULL);
    mpq_set_d(out, row[3]);
    for (int k = 0; k < 3; k++)
    {
        mpq_set_d(term, row[k]);
        mpq_set_d(factor, v[k]);
        mpq_mul(term, term, factor);
        mpq_add(out, out, term);
    }
    mpq_clears(term, factor, NULL);
}

/* The smallest placed coordinate on an axis, or the largest. */
static void true_bound(const graze_placed_mesh *placed, int axis, bool largest, mpq_t out)
{
    mpq_t coordinate;
    mpq_init(coordinate);
    for (size_t v = 0; v < graze_mesh_vertex_count(placed->mesh); v++)
    {
        place(placed->pose.m + 4 * axis, graze_mesh_vertices(placed->mesh) + 3 * v, coordinate);
        if (v == 0 || (largest ? mpq_cmp(coordinate, out) > 0 : mpq_cmp(coordinate, out) < 0))
            mpq_set(out, coordinate);
    }
    mpq_clear(coordinate);
}

/* How far a bound is outside of the true one: 0 or more, and at most `slack`, or the test fails. Returns whether it is
   more than 0. */
static bool exceeds(const mpq_t truth, double bound, double slack, bool largest)
{
    mpq_t difference, most;
    mpq_inits(difference, most, NULL);
    mpq_set_d(difference, bound);
    mpq_set_d(most, slack);
    if (largest)
        mpq_sub(difference, difference, truth);
    else
        mpq_sub(difference, truth, difference);
    bool more = mpq_sgn(difference) > 0;
    assert_true(mpq_sgn(difference) >= 0 && mpq_cmp(difference, most) <= 0);
    mpq_clears(difference, most, NULL);
    return more;
}

/* A row of a pose: rotated, scaled, of one entry, or with large terms that cancel. */
static void random_row(test_random *random, int kind, double row[4])
{
    for (int k = 0; k < 4; k++)
        row[k] = kind == 0 ? 0 : random_real(random, -1, 1);
    if (kind == 0)
        row[random_below(random, 3)] = random_once_in(random, 2) ? -1 : 1;
    row[3] = kind == 0 ? random_between(random, -30, 30) / 10.0 : ldexp(row[3], random_between(random, -2, 20));
    if (kind == 2)
        for (int k = 0; k < 3; k++)
            row[k] = ldexp(row[k], random_between(random, -40, 40));
    if (kind == 3)
        row[3] = -row[0] - row[1];
}

static void bounds_contain_the_part_and_exceed_it_by_less_than_their_slack(void **state)
{
    (void)state;
    test_random random = test_random_start("bounds of parts", 1514);
    int exact = 0, rounded = 0, wider = 0;
    for (int i = 0; i < 4000; i++)
    {
        double x = random_between(&random, 1, 30) / 10.0;
        graze_mesh *mesh = box_between(-x, 0.1, random_real(&random, -1, 0), x, 1, random_real(&random, 0.5, 2));
        grz_clash_part part = {.placed = {mesh, NULL, graze_pose_identity()}};
        for (int axis = 0; axis < 3; axis++)
            random_row(&random, (i + axis) % 4, part.placed.pose.m + 4 * axis);
        grz_clash_part_compute_aabb(&part);
        for (int axis = 0; axis < 3; axis++)
        {
            mpq_t truth;
            mpq_init(truth);
            true_bound(&part.placed, axis, false, truth);
            wider += exceeds(truth, part.lower[axis], part.slack[axis], false);
            true_bound(&part.placed, axis, true, truth);
            wider += exceeds(truth, part.upper[axis], part.slack[axis], true);
            mpq_clear(truth);
            exact += part.slack[axis] == 0;
            rounded += part.slack[axis] > 0;
        }
        graze_mesh_destroy(mesh);
    }
    printf("%d exact, %d rounded, %d bounds wider than the part\n", exact, rounded, wider);
    assert_true(exact > 500 && rounded > 8000 && wider > 16000);
}

/* A part in a container, with a common bound: the rounded AABB of the inner part exceeds the exact one of the outer. */
static void a_part_that_reaches_the_bound_of_its_container_is_contained(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
        for (int upper = 0; upper < 2; upper++)
        {
            graze_mesh *meshes[2] = {box_between(0, 0, 0, 1, 1, 1), box_between(-0.5, -0.5, -0.5, 0.5, 0.5, 0.5)};
            graze_clash_part parts[2] = {part_of("outer", meshes[0]), part_of("inner", meshes[1])};
            parts[1].pose = graze_pose_translation(0.5, 0.5, 0.5);
            for (int k = 0; k < 3; k++)
                parts[1].pose.m[5 * k] = 0.5;
            parts[1].pose.m[4 * axis + 3] = upper != 0 ? 0.75 : 0.25;
            grz_clash_part inner = {.placed = {meshes[1], NULL, parts[1].pose}};
            grz_clash_part_compute_aabb(&inner);
            assert_true(inner.lower[axis] < 0 || inner.upper[axis] > 1);
            graze_clash_report *report = NULL;
            assert_int_equal(graze_clash_find(NULL, parts, 2, NULL, NULL, &report), GRAZE_STATUS_OK);
            assert_int_equal(report->finding_count, 1);
            assert_int_equal(report->findings[0].verdict, GRAZE_CLASH_CONTAINS);
            graze_clash_report_destroy(report);
            graze_mesh_destroy(meshes[0]);
            graze_mesh_destroy(meshes[1]);
        }
}

static graze_pose half_size(double z)
{
    graze_pose pose = graze_pose_translation(0, 0, z);
    for (int k = 0; k < 3; k++)
        pose.m[5 * k] = 0.5;
    return pose;
}

/* A triangle, which has no inside: only its corners tell that it is the same as another. */
static graze_mesh *triangle_of_size(double size)
{
    const double vertices[9] = {0, 0, 0, size, 0, size, 0, size, size};
    const uint32_t corners[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* Two parts with exact AABBs, and the same one with a rounded AABB, which is larger. */
static void equal_parts_with_unlike_bounds_are_one_set_of_duplicates(void **state)
{
    (void)state;
    graze_mesh *meshes[2] = {triangle_of_size(1), triangle_of_size(2)};
    graze_clash_part parts[3] = {part_of("a", meshes[0]), part_of("b", meshes[0]), part_of("c", meshes[1])};
    parts[2].pose = half_size(0);
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, parts, 3, NULL, NULL, &report), GRAZE_STATUS_OK);
    assert_int_equal(report->finding_count, 1);
    assert_int_equal(report->findings[0].verdict, GRAZE_CLASH_DUPLICATE);
    assert_int_equal(report->findings[0].set_count, 3);
    graze_clash_report_destroy(report);
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

/* Instances that differ by an ulp on one axis, less than the slack of their AABBs. */
static void instances_an_ulp_apart_are_no_duplicates(void **state)
{
    (void)state;
    graze_mesh *mesh = box_between(0, 0, 0, 2, 2, 2);
    for (int axis = 0; axis < 3; axis++)
    {
        graze_clash_part parts[2] = {part_of("a", mesh), part_of("b", mesh)};
        parts[0].pose = parts[1].pose = half_size(0.75);
        double *t = &parts[1].pose.m[4 * axis + 3];
        *t = axis == 2 ? nextafter(*t, 1) : 0x1p-53;
        graze_clash_report *report = NULL;
        assert_int_equal(graze_clash_find(NULL, parts, 2, NULL, NULL, &report), GRAZE_STATUS_OK);
        assert_int_equal(report->finding_count, 1);
        assert_int_equal(report->findings[0].verdict, GRAZE_CLASH_CROSSES);
        graze_clash_report_destroy(report);
    }
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_contain_the_part_and_exceed_it_by_less_than_their_slack),
        cmocka_unit_test(a_part_that_reaches_the_bound_of_its_container_is_contained),
        cmocka_unit_test(equal_parts_with_unlike_bounds_are_one_set_of_duplicates),
        cmocka_unit_test(instances_an_ulp_apart_are_no_duplicates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
