/* SPDX-License-Identifier: MIT */
/*
 * The common volume took the side of the body from one triangle for all shells of a mesh: of two boxes in one mesh, one
 * of them inside out, the volumes cancelled, with an error of 1e-10. A shell in the interior of its body, which bounds
 * nothing, was counted twice. The side is now found shell by shell.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/depth.h"
#include "support/bodies.h"
#include "support/unit.h"

/* Octahedra around points of the x axis, as one mesh. Negative radii: inside out. */
static graze_mesh *octahedra(size_t count, const double (*shells)[2])
{
    static const uint32_t corners[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    double vertices[12][3];
    uint32_t all[48];
    memset(vertices, 0, sizeof vertices);
    for (size_t i = 0; i < count; i++)
    {
        for (size_t k = 0; k < 6; k++)
        {
            vertices[6 * i + k][k / 2] = k % 2 == 0 ? fabs(shells[i][1]) : -fabs(shells[i][1]);
            vertices[6 * i + k][0] += shells[i][0];
        }
        for (size_t k = 0; k < 24; k++)
            all[24 * i + k] = (uint32_t)(6 * i) + corners[shells[i][1] > 0 ? k : k / 3 * 3 + 2 - k % 3];
    }
    return body_of_triangles(vertices, 6 * count, all, 8 * count);
}

static double octahedron_volume(double radius)
{
    return 4.0 / 3 * radius * radius * radius;
}

/* In a block that holds all of it, or its half with z >= 0. */
static void check_volume(const graze_mesh *mesh, double bottom, double share, double volume, bool known)
{
    const double lower[3] = {-20, -20, bottom}, upper[3] = {30, 20, 20};
    graze_mesh *block = body_box(lower, upper);
    graze_interference_options options = graze_interference_options_default();
    options.volume = true;
    options.relative_error = 1e-6;
    options.max_cells = options.max_queries = 8; /* of the depths, which do not matter here */
    for (int mirrored = 0; mirrored < 2; mirrored++)
    {
        graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = {block, NULL, graze_pose_identity()};
        graze_interference found;
        a.pose.m[0] = mirrored ? -1 : 1;
        assert_int_equal(graze_pair_interference(NULL, &a, &b, &options, &found), GRAZE_STATUS_OK);
        if (!(fabs(found.volume - share * volume) <= found.volume_error) ||
            (known && found.volume_error > 1e-5 * volume))
            printf("%.17g +- %g, should be %.17g\n", found.volume, found.volume_error, share * volume);
        assert_true(fabs(found.volume - share * volume) <= found.volume_error);
        assert_true(!known || found.volume_error < 1e-5 * volume);
    }
    graze_mesh_destroy(block);
}

static void shells_count_with_their_own_sides(void **state)
{
    (void)state;
    const struct
    {
        double shells[2][2], volume;
        bool known;
    } cases[] = {
        {{{-4, 2}, {4, 2}}, 2 * octahedron_volume(2), true},                     /* beside one another */
        {{{-4, 2}, {4, -2}}, 2 * octahedron_volume(2), true},                    /* one inside out */
        {{{-4, -3}, {4, 2}}, octahedron_volume(2) + octahedron_volume(3), true}, /* the other one */
        {{{0, 3}, {0, -1}}, octahedron_volume(3) - octahedron_volume(1), true},  /* hollow */
        {{{0, -3}, {0, 1}}, octahedron_volume(3) - octahedron_volume(1), true},  /* hollow, inside out */
        {{{0, 3}, {0, 1}}, octahedron_volume(3), false},                         /* a shell in the interior */
        {{{0, -1}, {0, -3}}, octahedron_volume(3), false},                       /* the same, inside out */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_mesh *mesh = octahedra(2, cases[i].shells);
        check_volume(mesh, -20, 1, cases[i].volume, cases[i].known);
        check_volume(mesh, 0, 0.5, cases[i].volume, cases[i].known);
        graze_mesh_destroy(mesh);
    }
}

/* Along the axis of a rod lie triangles without area, which have no neighbours: they are no shells. */
static void triangles_without_area_are_no_shells(void **state)
{
    (void)state;
    graze_mesh *rod = body_tube(0, 2, -1, 1, 4, 0);
    check_volume(rod, -20, 1, 16, true);
    check_volume(rod, 0, 0.5, 16, true);
    graze_mesh_destroy(rod);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shells_count_with_their_own_sides),
        cmocka_unit_test(triangles_without_area_are_no_shells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
