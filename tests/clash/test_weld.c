/* SPDX-License-Identifier: MIT */
/* Welding: gaps below the tolerance are closed, larger ones and real holes stay, and no vertex moves far. */
#include "clash/weld.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

#include "clash_meshes.h"

/* Triangles without shared vertices, each coordinate moved by up to `noise`; those from `kept` on are left out. */
static graze_mesh *soup_of(const graze_mesh *mesh, double noise, size_t kept, grz_random *random)
{
    size_t corner_count = 3 * (kept < graze_mesh_triangle_count(mesh) ? kept : graze_mesh_triangle_count(mesh));
    double *vertices = test_malloc(3 * corner_count * sizeof *vertices);
    uint32_t *corners = test_malloc(corner_count * sizeof *corners);
    for (size_t i = 0; i < corner_count; i++)
    {
        corners[i] = (uint32_t)i;
        for (size_t axis = 0; axis < 3; axis++)
            vertices[3 * i + axis] = graze_mesh_vertices(mesh)[3 * (size_t)graze_mesh_triangles(mesh)[i] + axis] +
                                     grz_random_between(random, -noise, noise);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = corner_count;
    def.corners = corners;
    def.corner_count = corner_count;
    graze_mesh *soup = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &soup), GRAZE_STATUS_OK);
    test_free(vertices);
    test_free(corners);
    return soup;
}

static grz_clash_welded weld(const graze_mesh *mesh, double tolerance)
{
    graze_body *body = NULL;
    grz_clash_welded welded;
    assert_int_equal(graze_body_create(NULL, mesh, NULL, &body), GRAZE_STATUS_OK);
    assert_int_equal(grz_clash_weld(NULL, mesh, body, tolerance, &welded), GRAZE_STATUS_OK);
    graze_body_destroy(body);
    return welded;
}

static void gaps_below_the_tolerance_are_closed_and_counted(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    printf("seed %llu\n", seed);
    grz_random random = grz_random_make(seed);
    graze_mesh *sphere = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 10, 6, &sphere), GRAZE_STATUS_OK);
    graze_mesh *soup = soup_of(sphere, 1e-6, SIZE_MAX, &random);
    grz_clash_welded welded = weld(soup, 2e-6);
    assert_non_null(welded.mesh);
    assert_true(graze_body_is_closed(welded.body));
    assert_int_equal(welded.gaps, 20 * 36 * 3 / 2); /* no two corners are equal: all edges are open */
    for (size_t i = 0; i < 3 * graze_mesh_vertex_count(soup); i++)
        assert_true(fabs(graze_mesh_vertices(welded.mesh)[i] - graze_mesh_vertices(soup)[i]) <= 2e-6);
    grz_clash_welded_release(&welded);
    welded = weld(soup, 1e-8);
    assert_null(welded.mesh);
    assert_int_equal(welded.gaps, 0);
    graze_mesh_destroy(soup);
    graze_mesh_destroy(sphere);
}

static void a_real_hole_stays_open(void **state)
{
    (void)state;
    grz_random random = grz_random_make(6);
    graze_mesh *box = box_between(0, 0, 0, 4, 5, 6), *soup = soup_of(box, 1e-6, 11, &random);
    grz_clash_welded welded = weld(soup, 2e-6);
    assert_null(welded.mesh);
    graze_mesh_destroy(soup);
    graze_mesh_destroy(box);
}

static void closed_meshes_and_a_tolerance_of_zero_change_nothing(void **state)
{
    (void)state;
    grz_random random = grz_random_make(7);
    graze_mesh *box = box_between(0, 0, 0, 4, 5, 6), *soup = soup_of(box, 1e-6, 12, &random);
    grz_clash_welded closed = weld(box, 1), nothing = weld(soup, 0);
    assert_null(closed.mesh);
    assert_null(nothing.mesh);
    graze_mesh_destroy(soup);
    graze_mesh_destroy(box);
}

/* Vertices in a row, each within the tolerance of the next: none moves farther than the tolerance. */
static void rows_of_vertices_do_not_collapse(void **state)
{
    (void)state;
    double vertices[3 * 3 * 20];
    uint32_t corners[3 * 20];
    for (uint32_t i = 0; i < 20; i++)
    {
        const double triangle[9] = {i * 0.9, 0, 0, i * 0.9, 50, 0, i * 0.9, 0, 50};
        memcpy(vertices + 9 * i, triangle, sizeof triangle);
        for (uint32_t k = 0; k < 3; k++)
            corners[3 * i + k] = 3 * i + (i % 2 == 0 ? k : 2 - k);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 60;
    def.corners = corners;
    def.corner_count = 60;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    grz_clash_welded welded = weld(mesh, 1);
    assert_non_null(welded.mesh); /* two by two they close to bodies without volume */
    for (size_t i = 0; i < 180; i++)
        assert_true(fabs(graze_mesh_vertices(welded.mesh)[i] - vertices[i]) <= 1);
    grz_clash_welded_release(&welded);
    graze_mesh_destroy(mesh);
}

static void the_tolerance_is_that_of_the_world(void **state)
{
    (void)state;
    graze_pose pose = {{0, -4, 0, 9, 4, 0, 0, 9, 0, 0, 4, 9}}, shear = {{1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    assert_true(grz_clash_weld_tolerance(&pose, 1) == 0.25);
    assert_true(grz_clash_weld_tolerance(&shear, 1) <= 0.6180339887498949); /* 1 over its norm */
    assert_true(grz_clash_weld_tolerance(&shear, 1) > 0.5);
    const graze_pose zero = {{0}};
    assert_true(grz_clash_weld_tolerance(&zero, 1) == 0);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    grz_random random = grz_random_make(8);
    graze_mesh *box = box_between(0, 0, 0, 4, 5, 6), *soup = soup_of(box, 1e-6, 12, &random);
    graze_body *body = NULL;
    assert_int_equal(graze_body_create(NULL, soup, NULL, &body), GRAZE_STATUS_OK);
    size_t failures = 0;
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t allowed = 0; status != GRAZE_STATUS_OK; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        grz_clash_welded welded;
        status = grz_clash_weld(&context, soup, body, 2e-6, &welded);
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
        assert_true((welded.mesh != NULL) == (status == GRAZE_STATUS_OK));
        failures += status != GRAZE_STATUS_OK;
        grz_clash_welded_release(&welded);
        assert_int_equal(allocator.live, 0);
    }
    assert_true(failures >= 4);
    graze_body_destroy(body);
    graze_mesh_destroy(soup);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_below_the_tolerance_are_closed_and_counted),
        cmocka_unit_test(a_real_hole_stays_open),
        cmocka_unit_test(closed_meshes_and_a_tolerance_of_zero_change_nothing),
        cmocka_unit_test(rows_of_vertices_do_not_collapse),
        cmocka_unit_test(the_tolerance_is_that_of_the_world),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
