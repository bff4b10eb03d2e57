/* SPDX-License-Identifier: MIT */
/* Sagittas of facets: those of regular polygons and spheres are known; flat faces, creases and prisms have none. */
#include "clash/tessellation.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "graze/generate.h"
#include "support/unit.h"

#include "open_parts.h"

static const double pi = 3.14159265358979323846;

typedef struct range
{
    double least, most;
} range;

static range sagittas(const grz_clash_part *part)
{
    range found = {INFINITY, 0};
    for (uint32_t i = 0; i < graze_mesh_triangle_count(part->placed.mesh); i++)
    {
        double sagitta = grz_clash_triangle_sagitta(part, i);
        found.least = fmin(found.least, sagitta);
        found.most = fmax(found.most, sagitta);
    }
    return found;
}

static graze_mesh *cylinder(double radius, uint32_t segments)
{
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_cylinder(NULL, radius, 30, segments, 1, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* The corners of a polygon around the origin. */
static void put_circle(double *points, double radius, uint32_t count, double turn)
{
    for (uint32_t i = 0; i < count; i++)
    {
        points[2 * i] = radius * cos(2 * pi * (i + turn) / count);
        points[2 * i + 1] = radius * sin(2 * pi * (i + turn) / count);
    }
}

static graze_mesh *extrusion(const double *points, const uint32_t *sizes, size_t loops, double height)
{
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_extrusion(NULL, points, sizes, loops, height, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void facets_of_a_cylinder_have_the_sagitta_of_their_polygon(void **state)
{
    (void)state;
    for (uint32_t segments = 9; segments <= 200; segments += segments / 3)
    {
        grz_clash_part part = ready_part(cylinder(10, segments));
        range found = sagittas(&part);
        assert_true(found.least == 0); /* the caps */
        assert_true(fabs(found.most / (10 * (1 - cos(pi / segments))) - 1) < 1e-9);
        release_part(&part);
    }
}

static void a_hole_has_the_sagitta_of_its_polygon(void **state)
{
    (void)state;
    double points[2 * (4 + 48)] = {-20, -20, 20, -20, 20, 20, -20, 20};
    static const uint32_t sizes[2] = {4, 48};
    put_circle(points + 8, 10, 48, 0.5);
    grz_clash_part part = ready_part(extrusion(points, sizes, 2, 25));
    assert_true(fabs(sagittas(&part).most / (10 * (1 - cos(pi / 48))) - 1) < 1e-9);
    release_part(&part);
}

static void spheres_and_tori_have_about_the_sagitta_of_their_facets(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 10, 8, &mesh), GRAZE_STATUS_OK);
    grz_clash_part part = ready_part(mesh);
    double farthest = 0; /* below the sphere, of the centroids */
    for (uint32_t i = 0; i < graze_mesh_triangle_count(mesh); i++)
    {
        double sum[3] = {0, 0, 0};
        for (uint32_t k = 0; k < 3; k++)
            for (uint32_t axis = 0; axis < 3; axis++)
                sum[axis] += graze_mesh_vertices(mesh)[3 * graze_mesh_triangles(mesh)[3 * i + k] + axis] / 3;
        farthest = fmax(farthest, 10 - sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]));
    }
    assert_true(fabs(sagittas(&part).most / farthest - 1) < 0.1);
    assert_true(sagittas(&part).least > 0.3 * farthest);
    release_part(&part);
    assert_int_equal(graze_mesh_create_torus(NULL, 20, 5, 96, 24, &mesh), GRAZE_STATUS_OK);
    part = ready_part(mesh);
    double across = 5 * (1 - cos(pi / 24)), along = 25 * (1 - cos(pi / 96));
    assert_in_range((int)(1000 * sagittas(&part).most / (across + along)), 800, 1100);
    release_part(&part);
}

static void boxes_and_prisms_of_up_to_eight_sides_have_none(void **state)
{
    (void)state;
    grz_clash_part part = ready_part(box_between(0, 0, 0, 4, 5, 6));
    assert_true(sagittas(&part).most == 0);
    release_part(&part);
    for (uint32_t segments = 3; segments <= 8; segments++)
    {
        part = ready_part(cylinder(10, segments));
        assert_true(sagittas(&part).most == 0);
        release_part(&part);
    }
}

static void an_isolated_crease_is_no_curve(void **state)
{
    (void)state;
    static const double roof[] = {0, 0, 50, 2, 100, 0, 100, -50, 0, -50}; /* turns by 4.6 degrees at one edge */
    static const uint32_t sizes[1] = {5};
    grz_clash_part part = ready_part(extrusion(roof, sizes, 1, 40));
    assert_true(sagittas(&part).most < 1e-12);
    release_part(&part);
}

/* A square of side 100 whose corners are rounded with radius 8, 12 facets each. */
static graze_mesh *rounded_square(void)
{
    double points[2 * 52];
    for (int i = 0; i < 52; i++)
    {
        double angle = pi / 2 * (i / 13 + (i % 13) / 12.0), side = 42;
        points[2 * i] = (i / 13 == 0 || i / 13 == 3 ? side : -side) + 8 * cos(angle);
        points[2 * i + 1] = (i / 13 < 2 ? side : -side) + 8 * sin(angle);
    }
    static const uint32_t sizes[1] = {52};
    return extrusion(points, sizes, 1, 100);
}

static void flat_faces_between_fillets_have_none(void **state)
{
    (void)state;
    grz_clash_part part = ready_part(rounded_square());
    double sagitta = 0;
    assert_true(fabs(sagittas(&part).most / (8 * (1 - cos(pi / 48))) - 1) < 1e-6);
    const double middle[3] = {50, 0, 50}, fillet[3] = {42 + 8 * cos(pi / 4), 42 + 8 * sin(pi / 4), 50};
    assert_int_equal(grz_clash_sagitta_near(NULL, &part, middle, 1, &sagitta), GRAZE_STATUS_OK);
    assert_true(sagitta == 0);
    assert_int_equal(grz_clash_sagitta_near(NULL, &part, fillet, 0.1, &sagitta), GRAZE_STATUS_OK);
    assert_true(sagitta > 0.01);
    release_part(&part);
}

static void sagittas_follow_the_pose(void **state)
{
    (void)state;
    grz_clash_part part = ready_part(cylinder(10, 32));
    double before = sagittas(&part).most;
    const double scaled[12] = {0, -3, 0, 100, 3, 0, 0, -50, 0, 0, -3, 7}; /* turned, scaled by 3 and mirrored */
    memcpy(part.placed.pose.m, scaled, sizeof scaled);
    assert_true(fabs(sagittas(&part).most / before - 3) < 1e-9);
    release_part(&part);
}

/* Any soup gives finite numbers, at most a tenth of its extent. */
static void soup_gives_bounded_numbers(void **state)
{
    (void)state;
    unsigned long long seed = 20261118;
    grz_random random = grz_random_make(seed);
    size_t curved = 0;
    printf("seed %llu\n", seed);
    for (int round = 0; round < 200; round++)
    {
        double vertices[3 * 8];
        uint32_t corners[3 * 24];
        for (int i = 0; i < 24; i++)
            vertices[i] = (double)(grz_random_next(&random) % 5) * (round % 2 == 0 ? 1 : 1e150);
        for (int i = 0; i < 72; i++)
            corners[i] = (uint32_t)(grz_random_next(&random) % 8);
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 8;
        def.corners = corners;
        def.corner_count = 72;
        graze_mesh *mesh = NULL;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
        grz_clash_part part = ready_part(mesh);
        range found = sagittas(&part);
        assert_true(found.least >= 0 && found.most <= 0.1 * 7 * (round % 2 == 0 ? 1 : 1e150));
        curved += found.most > 0;
        release_part(&part);
    }
    assert_true(curved >= 1);
}

/* A bush: a hole of radius 10 and 48 facets in a cylinder of radius 20, from z = 0 to 25. */
static graze_mesh *bush(void)
{
    double points[2 * 96];
    static const uint32_t sizes[2] = {48, 48};
    put_circle(points, 20, 48, 0);
    put_circle(points + 96, 10, 48, 0);
    return extrusion(points, sizes, 2, 25);
}

/* A shaft in it, with the deepest common point as the narrow phase finds it. */
static graze_clash_finding press(double radius, uint32_t facets, double turned, graze_clash_details *details)
{
    double points[2 * 96];
    put_circle(points, radius, facets, turned);
    grz_clash_part outer = ready_part(bush()), shaft = ready_part(extrusion(points, &facets, 1, 35));
    shaft.placed.pose.m[11] = -5;
    shaft.lower[2] -= 5;
    shaft.upper[2] -= 5;
    graze_deepest_point deepest;
    assert_int_equal(graze_pair_deepest_point(NULL, &outer.placed, &shaft.placed, NULL, &deepest), GRAZE_STATUS_OK);
    assert_int_equal(deepest.overlap, GRAZE_VERDICT_YES);
    graze_clash_finding finding = {.verdict = GRAZE_CLASH_CROSSES, .has_depth = true, .details = details};
    finding.depth[0] = deepest.lower;
    finding.depth[1] = deepest.upper;
    memcpy(details->depth_line[0], deepest.point, sizeof deepest.point);
    assert_int_equal(grz_clash_judge_facets(NULL, &outer, &shaft, &finding), GRAZE_STATUS_OK);
    release_part(&outer);
    release_part(&shaft);
    return finding;
}

static void a_shaft_in_its_hole_is_within_the_tessellation(void **state)
{
    (void)state;
    graze_clash_details details = {0};
    assert_true(press(10, 48, 0.5, &details).within_tessellation);
    assert_true(fabs(details.sagittas[0] / (10 * (1 - cos(pi / 48))) - 1) < 1e-6);
    assert_true(fabs(details.sagittas[1] / (10 * (1 - cos(pi / 48))) - 1) < 1e-6);
    assert_true(press(10, 32, 0.25, &details).within_tessellation);
    assert_true(press(9.99, 48, 0.5, &details).within_tessellation);
}

static void a_press_fit_ten_times_as_deep_is_not(void **state)
{
    (void)state;
    graze_clash_details details = {0};
    assert_false(press(10.4, 48, 0.5, &details).within_tessellation);
    assert_true(details.sagittas[1] > 0);
    assert_false(press(10.1, 48, 0, &details).within_tessellation);
}

static void a_corner_of_a_cube_in_a_cube_never_is(void **state)
{
    (void)state;
    grz_clash_part a = ready_part(box_between(0, 0, 0, 10, 10, 10));
    for (double depth = 1e-12; depth < 1; depth *= 10)
    {
        grz_clash_part b = ready_part(box_between(10 - depth, 10 - depth, 10 - depth, 20, 20, 20));
        graze_clash_details details = {.depth_line = {{10 - depth / 2, 10 - depth / 2, 10 - depth / 2}}};
        graze_clash_finding finding = {
            .verdict = GRAZE_CLASH_CROSSES, .has_depth = true, .depth = {depth / 2, depth / 2}, .details = &details};
        assert_int_equal(grz_clash_judge_facets(NULL, &a, &b, &finding), GRAZE_STATUS_OK);
        assert_false(finding.within_tessellation);
        release_part(&b);
    }
    release_part(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facets_of_a_cylinder_have_the_sagitta_of_their_polygon),
        cmocka_unit_test(a_hole_has_the_sagitta_of_its_polygon),
        cmocka_unit_test(spheres_and_tori_have_about_the_sagitta_of_their_facets),
        cmocka_unit_test(boxes_and_prisms_of_up_to_eight_sides_have_none),
        cmocka_unit_test(an_isolated_crease_is_no_curve),
        cmocka_unit_test(flat_faces_between_fillets_have_none),
        cmocka_unit_test(sagittas_follow_the_pose),
        cmocka_unit_test(soup_gives_bounded_numbers),
        cmocka_unit_test(a_shaft_in_its_hole_is_within_the_tessellation),
        cmocka_unit_test(a_press_fit_ten_times_as_deep_is_not),
        cmocka_unit_test(a_corner_of_a_cube_in_a_cube_never_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
