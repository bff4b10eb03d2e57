/* SPDX-License-Identifier: MIT */
/* Bodies that must not cross themselves or each other, by brute force over all pairs of triangles; gears that mesh. */
#include <math.h>
#include <stdio.h>

#include "graze/exact.h"
#include "graze/generate.h"
#include "graze/pair.h"
#include "support/body_check.h"
#include "support/unit.h"

static const double pi = 3.14159265358979323846;

/* Destroys the mesh. Tested pairs are at least those of neighbours: the check cannot be empty. */
static void assert_no_meetings(const char *name, graze_status status, graze_mesh *mesh, bool same_component)
{
    assert_int_equal(status, GRAZE_STATUS_OK);
    size_t tested, meetings = body_self_intersections(mesh, same_component, &tested);
    if (meetings > 0)
        fail_msg("%s: %zu pairs of triangles meet where they should not", name, meetings);
    assert_true(tested >= 3 * graze_mesh_triangle_count(mesh) / 2);
    graze_mesh_destroy(mesh);
}

static void tetraflakes_never_touch_themselves(void **state)
{
    (void)state;
    const double sizes[] = {1, 0.3, 1e-10, 777};
    for (int i = 0; i < 4; i++)
        for (uint32_t depth = 0; depth <= 3; depth++)
        {
            graze_mesh *mesh = NULL;
            graze_status status = graze_mesh_create_tetraflake(NULL, sizes[i], depth, &mesh);
            assert_no_meetings("tetra-flake", status, mesh, false);
        }
}

static void a_tetraflake_of_size_one_lies_in_its_cube_and_its_faces_are_flat(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_tetraflake(NULL, 1, 6, &mesh), GRAZE_STATUS_OK);
    graze_box box = graze_mesh_bounds(mesh);
    for (int axis = 0; axis < 3; axis++)
    {
        assert_true(box.lower[axis] == -0.5);
        assert_true(box.upper[axis] == 0.5);
    }
    /* Every plane is a diagonal one: its coordinates add up, with some signs, to the same number at all corners. */
    const double *vertices = graze_mesh_vertices(mesh);
    for (size_t t = 0; t < graze_mesh_triangle_count(mesh); t++)
    {
        bool flat = false;
        for (int signs = 0; signs < 4; signs++)
        {
            double sums[3];
            for (int corner = 0; corner < 3; corner++)
            {
                const double *p = vertices + 3 * (size_t)graze_mesh_triangles(mesh)[3 * t + (size_t)corner];
                sums[corner] = p[0] + (signs & 1 ? -p[1] : p[1]) + (signs & 2 ? -p[2] : p[2]);
            }
            flat = flat || (sums[0] == sums[1] && sums[1] == sums[2]);
        }
        assert_true(flat);
    }
    graze_mesh_destroy(mesh);
}

static void smooth_bodies_do_not_cross_themselves(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    graze_status status = graze_mesh_create_box(NULL, 1, 2, 3, 6, &mesh);
    assert_no_meetings("box", status, mesh, false);
    status = graze_mesh_create_sphere(NULL, 1, 17, 12, &mesh);
    assert_no_meetings("sphere", status, mesh, false);
    status = graze_mesh_create_geodesic_sphere(NULL, 1, 5, &mesh);
    assert_no_meetings("geodesic", status, mesh, false);
    status = graze_mesh_create_torus(NULL, 1, 0.95, 20, 14, &mesh);
    assert_no_meetings("torus", status, mesh, false);
    status = graze_mesh_create_hyperboloid(NULL, 0.1, 2, 1, 15, 9, &mesh);
    assert_no_meetings("hyperboloid", status, mesh, false);
    status = graze_mesh_create_cylinder(NULL, 1, 0.01, 19, 3, &mesh);
    assert_no_meetings("cylinder", status, mesh, false);
    status = graze_mesh_create_cone(NULL, 1, 5, 19, 8, &mesh);
    assert_no_meetings("cone", status, mesh, false);
    for (uint64_t seed = 1; seed <= 4; seed++)
    {
        status = graze_mesh_create_bumpy_shell(NULL, 1, 0.8, 6, seed, &mesh);
        assert_no_meetings("bumpy shell", status, mesh, false);
    }
}

static void scattered_bodies_and_pipes_are_disjoint(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    for (uint64_t seed = 1; seed <= 3; seed++)
    {
        graze_status status = graze_mesh_create_tetrahedra(NULL, 3, 300, seed, &mesh);
        assert_no_meetings("tetrahedra", status, mesh, false);
        status = graze_mesh_create_stalagmites(NULL, 1, 12, 1500, seed, &mesh);
        assert_no_meetings("stalagmites", status, mesh, false);
        status = graze_mesh_create_pipes(NULL, 1, 0.06, 6, 1800, seed, &mesh);
        assert_no_meetings("pipes", status, mesh, false);
        status = graze_mesh_create_pipes(NULL, 1, 2.0 / 7, 5, 1000, seed, &mesh); /* as thick as possible */
        assert_no_meetings("thick pipes", status, mesh, false);
    }
}

static void parts_of_figures_do_not_cross_themselves(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    const size_t counts[] = {1, 404, 1500};
    for (int i = 0; i < 3; i++)
        for (int curl = 0; curl <= 4; curl++)
        {
            graze_status status = graze_mesh_create_hand(NULL, 1, curl / 4.0, counts[i], &mesh);
            assert_no_meetings("hand", status, mesh, true);
        }
    for (int i = 0; i < 3; i++)
    {
        graze_status status = graze_mesh_create_aircraft(NULL, 1, 2 * counts[i], &mesh);
        size_t tested;
        assert_true(body_self_intersections(mesh, false, &tested) >
                    0); /* its parts overlap, and the check detects it */
        assert_no_meetings("aircraft", status, mesh, true);
    }
    for (uint32_t teeth = 8; teeth <= 24; teeth += 4)
    {
        graze_status status = graze_mesh_create_gear(NULL, teeth, 1, 1, 1, 0.05, &mesh);
        assert_no_meetings("gear", status, mesh, false);
    }
}

/* A gear at a distance along x, turned by an angle. */
static graze_placed_mesh place_gear(const graze_mesh *gear, double x, double angle)
{
    graze_placed_mesh placed = {.mesh = gear,
                                .pose = {{cos(angle), -sin(angle), 0, x, sin(angle), cos(angle), 0, 0, 0, 0, 1, 0}}};
    return placed;
}

static bool gears_meet(const graze_mesh *a, double angle_a, const graze_mesh *b, double angle_b, double distance)
{
    graze_placed_mesh placed_a = place_gear(a, 0, angle_a), placed_b = place_gear(b, distance, angle_b);
    bool found = false;
    graze_hit hit;
    assert_int_equal(graze_pair_any(NULL, &placed_a, &placed_b, NULL, &found, &hit), GRAZE_STATUS_OK);
    return found;
}

static void two_gears_turn_together_without_touching(void **state)
{
    (void)state;
    const uint32_t teeth[][2] = {{8, 8}, {8, 45}, {11, 9}, {18, 19}, {24, 13}};
    const double module = 0.7;
    for (size_t i = 0; i < sizeof teeth / sizeof teeth[0]; i++)
    {
        uint32_t teeth_a = teeth[i][0], teeth_b = teeth[i][1];
        graze_mesh *a = NULL, *b = NULL;
        assert_int_equal(graze_mesh_create_gear(NULL, teeth_a, module, 1, 0.5, 0.01, &a), GRAZE_STATUS_OK);
        assert_int_equal(graze_mesh_create_gear(NULL, teeth_b, module, 2, 0.5, 0.01, &b), GRAZE_STATUS_OK);
        double distance = module * (teeth_a + teeth_b) / 2, half_tooth = pi / teeth_b;
        double start = pi - half_tooth;
        for (int step = 0; step < 16; step++)
        {
            double turned = 2 * pi / teeth_a * step / 16;
            double other = start - turned * teeth_a / teeth_b;
            if (gears_meet(a, turned, b, other, distance))
                fail_msg("gears of %u and %u teeth touch at step %d", (unsigned)teeth_a, (unsigned)teeth_b, step);
            assert_true(gears_meet(a, turned, b, other, distance - 0.05));           /* moved closer */
            assert_true(gears_meet(a, turned, b, other + 0.06 / teeth_b, distance)); /* turned on its own */
            assert_true(gears_meet(a, turned, b, other + half_tooth, distance));     /* tooth on tooth */
            assert_false(gears_meet(a, turned, b, other + half_tooth, distance + 2.01 * module)); /* moved apart */
        }
        graze_mesh_destroy(a);
        graze_mesh_destroy(b);
    }
}

static void a_bumpy_shell_keeps_within_its_bumps_and_uses_them(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
    {
        graze_mesh *mesh = NULL;
        assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 2, 0.25, 12, seed, &mesh), GRAZE_STATUS_OK);
        double lowest = INFINITY, highest = 0;
        const double *p = graze_mesh_vertices(mesh);
        for (size_t v = 0; v < graze_mesh_vertex_count(mesh); v++, p += 3)
        {
            double radius = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
            lowest = fmin(lowest, radius);
            highest = fmax(highest, radius);
        }
        assert_true(lowest >= 2 * 0.75 && highest <= 2 * 1.25);
        assert_true(highest - lowest > 0.2);
        graze_mesh_destroy(mesh);
    }
}

static void volumes_approach_those_of_the_real_bodies(void **state)
{
    (void)state;
    graze_mesh *meshes[5];
    const double volumes[5] = {4 * pi / 3 * 8, 4 * pi / 3 * 8, 2 * pi * pi * 3 * 0.25, pi * 4 * 3, pi * 4 * 3 / 3};
    assert_int_equal(graze_mesh_create_sphere(NULL, 2, 100, 50, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 2, 20, &meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_torus(NULL, 3, 0.5, 100, 60, &meshes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_cylinder(NULL, 2, 3, 100, 4, &meshes[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_cone(NULL, 2, 3, 100, 4, &meshes[4]), GRAZE_STATUS_OK);
    for (int i = 0; i < 5; i++)
    {
        double volume = body_check(meshes[i]).volume;
        assert_true(volume < volumes[i] && volume > 0.99 * volumes[i]);
        graze_mesh_destroy(meshes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tetraflakes_never_touch_themselves),
        cmocka_unit_test(a_tetraflake_of_size_one_lies_in_its_cube_and_its_faces_are_flat),
        cmocka_unit_test(smooth_bodies_do_not_cross_themselves),
        cmocka_unit_test(scattered_bodies_and_pipes_are_disjoint),
        cmocka_unit_test(parts_of_figures_do_not_cross_themselves),
        cmocka_unit_test(two_gears_turn_together_without_touching),
        cmocka_unit_test(a_bumpy_shell_keeps_within_its_bumps_and_uses_them),
        cmocka_unit_test(volumes_approach_those_of_the_real_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
