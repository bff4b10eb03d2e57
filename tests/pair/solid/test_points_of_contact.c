/* SPDX-License-Identifier: MIT */
/*
 * Bodies whose surfaces share single points only: there is no common segment, so the location of a corner that is not
 * on the other surface decides whether they overlap (docs/trust.md). A tetrahedron touches the faces of a cube with its
 * corners, from inside, from outside, and with one corner slightly off the surface; mirrored and rotated as well.
 */
#include <stdio.h>

#include "graze/depth.h"
#include "support/meshes.h"
#include "support/unit.h"

typedef struct point_case
{
    const char *text;
    double corners[4][3];
    graze_verdict expected;
} point_case;

static const point_case cases[] = {
    {"inside, three corners on faces", {{0, 4, 4}, {4, 0, 4}, {4, 4, 0}, {5, 5, 5}}, GRAZE_VERDICT_YES},
    {"inside, two corners on faces", {{0, 4, 4}, {4, 0, 4}, {4, 4, 1}, {5, 5, 5}}, GRAZE_VERDICT_YES},
    {"inside, one corner at a corner", {{0, 0, 0}, {4, 2, 4}, {4, 4, 1}, {5, 3, 5}}, GRAZE_VERDICT_YES},
    {"outside, one corner on a face", {{0, 4, 4}, {-4, 3, 4}, {-4, 4, 1}, {-5, 5, 5}}, GRAZE_VERDICT_NO},
    {"outside, one corner at a corner", {{0, 0, 0}, {-4, -3, -4}, {-4, -4, -1}, {-5, -5, 5}}, GRAZE_VERDICT_NO},
    {"through a face by the least", {{0x1p-1074, 4, 4}, {-4, 3, 4}, {-4, 4, 1}, {-5, 5, 5}}, GRAZE_VERDICT_YES},
    {"short of a face by the least", {{-0x1p-1074, 4, 4}, {-4, 3, 4}, {-4, 4, 1}, {-5, 5, 5}}, GRAZE_VERDICT_NO},
};

static graze_mesh *make_tetrahedron(const double corners[4][3])
{
    static test_mesh mesh;
    mesh.vertex_count = mesh.triangle_count = 0;
    for (int i = 0; i < 4; i++)
        mesh_add_vertex(&mesh, corners[i][0], corners[i][1], corners[i][2]);
    mesh_add_triangle(&mesh, 0, 1, 2);
    mesh_add_triangle(&mesh, 0, 3, 1);
    mesh_add_triangle(&mesh, 1, 3, 2);
    mesh_add_triangle(&mesh, 2, 3, 0);
    return mesh_create(&mesh);
}

static void corners_tell_where_surfaces_share_points_only(void **state)
{
    (void)state;
    static const graze_pose poses[4] = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
                                        {{-1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0}},
                                        {{0, 2, 0, 1, 1, 0, 0, 5, 0, 0, 3, 0}},
                                        {{2, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 7}}};
    static test_mesh cube;
    mesh_add_cube(&cube, 0, 0, 0, 8);
    graze_mesh *container = mesh_create(&cube);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int p = 0; p < 4; p++)
        {
            graze_placed_mesh a = {container, NULL, poses[p]};
            graze_placed_mesh b = {make_tetrahedron(cases[i].corners), NULL, poses[p]};
            graze_verdict there, back;
            assert_int_equal(graze_pair_overlap(NULL, &a, &b, NULL, &there), GRAZE_STATUS_OK);
            assert_int_equal(graze_pair_overlap(NULL, &b, &a, NULL, &back), GRAZE_STATUS_OK);
            if (there != cases[i].expected || back != cases[i].expected)
                fail_msg("%s: %d and %d under pose %d", cases[i].text, (int)there, (int)back, p);
            graze_mesh_destroy((graze_mesh *)b.mesh);
        }
    graze_mesh_destroy(container);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_tell_where_surfaces_share_points_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
