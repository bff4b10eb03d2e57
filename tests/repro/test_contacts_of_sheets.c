/* SPDX-License-Identifier: MIT */
/*
 * Border edges of sheets face both ways. Where those of two sheets cross at a distance, their contact was told to be an
 * overlap of that depth, with its normal turned round.
 */
#include <math.h>

#include "graze/contact.h"
#include "support/meshes.h"
#include "support/unit.h"

static void sheets_apart_have_positive_gaps(void **state)
{
    (void)state;
    static const double corners[2][9] = {{-2, -1, 0, 2, -1, 0, 0, 2, 0}, {-2, 1, 0.125, 2, 1, 0.125, 0, -2, 0.125}};
    graze_mesh *meshes[2];
    for (int side = 0; side < 2; side++)
    {
        static const uint32_t triangle[3] = {0, 1, 2};
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = corners[side];
        def.vertex_count = 3;
        def.corners = triangle;
        def.corner_count = 3;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &meshes[side]), GRAZE_STATUS_OK);
    }
    for (int swapped = 0; swapped < 2; swapped++)
    {
        graze_placed_mesh a = {meshes[swapped], NULL, graze_pose_identity()};
        graze_placed_mesh b = {meshes[1 - swapped], NULL, graze_pose_identity()};
        graze_contact_manifold manifolds[4];
        graze_contact_options options = graze_contact_options_default();
        size_t count = 0;
        options.margin = 0.5;
        assert_int_equal(graze_pair_contacts(NULL, &a, &b, &options, manifolds, 4, &count), GRAZE_STATUS_OK);
        assert_int_equal(count, 1);
        assert_true(manifolds[0].normal[2] == (swapped == 0 ? 1 : -1) && manifolds[0].count == 4);
        for (uint32_t i = 0; i < manifolds[0].count; i++)
            assert_true(fabs(manifolds[0].points[i].gap - 0.125) < 1e-12);
    }
    for (int side = 0; side < 2; side++)
        graze_mesh_destroy(meshes[side]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_apart_have_positive_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
