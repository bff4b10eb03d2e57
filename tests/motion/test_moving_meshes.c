/* SPDX-License-Identifier: MIT */
/* Pairs of moving meshes that are taken, and that are not: missing meshes, trees of others, ends that do not fit. */
#include "motion/mesh_impact.h"

#include <math.h>
#include <string.h>

#include "graze/generate.h"
#include "support/unit.h"

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    graze_mesh *box, *other, *fine, *turned, *empty;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 1, 1, &other), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 1, 2, &fine), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, other, NULL, NULL, &tree), GRAZE_STATUS_OK);
    uint32_t corners[36];
    graze_mesh_def def = graze_mesh_def_default();
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &empty), GRAZE_STATUS_OK);
    memcpy(corners, graze_mesh_triangles(box), sizeof corners);
    corners[35] = graze_mesh_triangles(box)[33]; /* the last two corners of the last triangle exchanged */
    corners[33] = graze_mesh_triangles(box)[35];
    def.vertices = graze_mesh_vertices(box);
    def.vertex_count = graze_mesh_vertex_count(box);
    def.corners = corners;
    def.corner_count = 36;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &turned), GRAZE_STATUS_OK);
    graze_moving_mesh good;
    memset(&good, 0, sizeof good);
    good.mesh = box;
    assert_int_equal(grz_moving_meshes_check(&good, &good), GRAZE_STATUS_OK);
    for (int wrong = 0; wrong < 9; wrong++)
    {
        graze_moving_mesh m = good;
        m.mesh = wrong == 1 ? NULL : wrong == 2 || wrong == 3 ? other : wrong == 8 ? empty : box;
        m.tree = wrong == 2 || wrong == 4 ? tree : NULL;
        m.end_mesh = wrong == 3 ? box : wrong == 5 ? fine : wrong == 6 ? turned : wrong == 7 ? other : NULL;
        if (wrong == 8)
            m.end_mesh = empty;
        bool fits = wrong == 2 || wrong == 3 || wrong == 7 || wrong == 8;
        const graze_moving_mesh *given = wrong == 0 ? NULL : &m;
        assert_int_equal(grz_moving_meshes_check(given, &good), fits ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT);
        assert_int_equal(grz_moving_meshes_check(&good, given), fits ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT);
    }
    graze_mesh_destroy(turned);
    graze_mesh_destroy(empty);
    graze_tree_destroy(tree);
    graze_mesh_destroy(fine);
    graze_mesh_destroy(other);
    graze_mesh_destroy(box);
}

/* Meshes with another end move along lines: their motion is still, or a blend. */
static void soft_meshes_stand_or_blend(void **state)
{
    (void)state;
    graze_mesh *box, *other;
    graze_moving_mesh moving;
    graze_motion motion;
    const graze_pose pose = graze_pose_identity();
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 1, 1, &other), GRAZE_STATUS_OK);
    memset(&moving, 0, sizeof moving);
    moving.mesh = box;
    for (int soft = 0; soft < 2; soft++)
    {
        moving.end_mesh = soft ? other : NULL;
        assert_int_equal(graze_motion_still(&pose, &motion), GRAZE_STATUS_OK);
        assert_int_equal(grz_moving_mesh_check_motion(&moving, &motion), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_between(&pose, &pose, GRAZE_MOTION_BLEND, &motion, NULL), GRAZE_STATUS_OK);
        assert_int_equal(grz_moving_mesh_check_motion(&moving, &motion), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_between(&pose, &pose, GRAZE_MOTION_TURN, &motion, NULL), GRAZE_STATUS_OK);
        assert_int_equal(grz_moving_mesh_check_motion(&moving, &motion),
                         soft ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_OK);
        motion.path[0][0] = INFINITY;
        assert_int_equal(grz_moving_mesh_check_motion(&moving, &motion), GRAZE_STATUS_NOT_FINITE);
    }
    graze_mesh_destroy(other);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(soft_meshes_stand_or_blend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
