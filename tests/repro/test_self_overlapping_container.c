/* SPDX-License-Identifier: MIT */
/*
 * Bodies that were judged wrongly as solids: crossing a surface that passes through its own body need not lead outside,
 * and a body whose surface lies in the wall of a hollow one is not contained when it surrounds the cavity.
 */
#include "graze/pair.h"
#include "support/meshes.h"
#include "support/unit.h"

static graze_solid_answer ask(const test_mesh *a, const test_mesh *b)
{
    graze_placed_mesh placed_a = {.mesh = mesh_create(a), .pose = graze_pose_identity()};
    graze_placed_mesh placed_b = {.mesh = mesh_create(b), .pose = graze_pose_identity()};
    graze_solid_answer answer;
    assert_int_equal(graze_pair_containment(NULL, &placed_a, &placed_b, NULL, &answer), GRAZE_STATUS_OK);
    graze_mesh_destroy((graze_mesh *)placed_a.mesh);
    graze_mesh_destroy((graze_mesh *)placed_b.mesh);
    return answer;
}

static void crossing_a_face_inside_the_container_is_not_leaving_it(void **state)
{
    (void)state;
    static test_mesh inner, outer;
    mesh_add_cube(&outer, 0, 0, 0, 9);
    mesh_add_box(&outer, (double[3]){6, 3, 1}, (double[3]){7, 8, 12}, false);
    mesh_add_box(&inner, (double[3]){1, 4, 2}, (double[3]){8, 5, 4}, false);
    graze_solid_answer answer = ask(&inner, &outer);
    assert_true(answer.collide);
    assert_true(answer.containment == GRAZE_CONTAINMENT_A_IN_B || answer.containment == GRAZE_CONTAINMENT_UNKNOWN);
}

static void a_body_around_the_cavity_is_not_held_by_the_wall(void **state)
{
    (void)state;
    static test_mesh inner, outer;
    mesh_add_cube(&outer, 0, 0, 0, 9);
    mesh_add_box(&outer, (double[3]){4, 4, 4}, (double[3]){5, 5, 5}, true);
    mesh_add_cube(&inner, 2, 2, 2, 5);
    graze_solid_answer answer = ask(&inner, &outer);
    assert_true(answer.collide);
    assert_true(answer.containment == GRAZE_CONTAINMENT_NONE || answer.containment == GRAZE_CONTAINMENT_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossing_a_face_inside_the_container_is_not_leaving_it),
        cmocka_unit_test(a_body_around_the_cavity_is_not_held_by_the_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
