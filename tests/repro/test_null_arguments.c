/* SPDX-License-Identifier: MIT */
/*
 * Functions that return a status and crashed on a NULL, although status.h promises BAD_ARGUMENT. tests/failure checks
 * every public function; here is one of each kind that was found. And a scene query that ran out of memory had written
 * half of its answer.
 */
#include <string.h>

#include "graze/graze.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

#define REFUSED(call) assert_int_equal(call, GRAZE_STATUS_BAD_ARGUMENT)

static void a_null_is_refused(void **state)
{
    (void)state;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
    graze_pose_batch batch = {.count = 1};
    graze_pair_counts counts;
    REFUSED(graze_mesh_create_box(NULL, 1, 1, 1, 1, NULL));
    REFUSED(graze_tree_create(NULL, mesh, NULL, NULL, NULL));
    REFUSED(graze_tree_validate(NULL, NULL));
    REFUSED(graze_pose_check(NULL, NULL));
    REFUSED(graze_pose_invert(&placed.pose, NULL, NULL));
    REFUSED(graze_pair_any(NULL, &placed, &placed, NULL, NULL, NULL));
    REFUSED(graze_pair_count(NULL, &placed, &placed, NULL, NULL));
    REFUSED(graze_pair_gather(NULL, &placed, &placed, NULL, NULL, 1, &counts));
    REFUSED(graze_pair_visit(NULL, &placed, &placed, NULL, NULL, NULL));
    REFUSED(graze_pair_any_batch(NULL, &placed, &placed, &batch, NULL, NULL, NULL));
    REFUSED(graze_pair_distance(NULL, &placed, &placed, NULL, NULL));
    REFUSED(graze_pair_depth(NULL, &placed, &placed, NULL, NULL));
    REFUSED(graze_region_create(NULL, &placed, &placed, NULL, NULL));
    REFUSED(graze_broad_phase_validate(NULL));
    REFUSED(graze_detector_status(NULL));
    graze_mesh_destroy(mesh);
}

/* Two boxes are hit; memory for the second one is missing. */
static void an_answer_is_written_whole_or_not_at_all(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = SIZE_MAX};
        graze_context context = failing_allocator_context(&allocator);
        graze_mesh *mesh;
        graze_scene *scene;
        graze_object object;
        assert_int_equal(graze_mesh_create_box(&context, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_create(&context, NULL, &scene), GRAZE_STATUS_OK);
        graze_object_def def = graze_object_def_default();
        def.mesh = mesh;
        for (int i = 0; i < 2; i++)
            assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
        graze_placed_mesh placed = {mesh, NULL, graze_pose_translation(0.5, 0.25, 0)};
        graze_object_hit object_hits[2], before[2];
        memset(object_hits, 0xA5, sizeof object_hits);
        memcpy(before, object_hits, sizeof object_hits);
        size_t count = 77;
        allocator.allowed = allocator.requests + allowed;
        graze_status status = graze_scene_collide_mesh(scene, &placed, NULL, NULL, object_hits, 2, &count);
        allocator.allowed = SIZE_MAX;
        graze_scene_destroy(scene);
        graze_mesh_destroy(mesh);
        assert_int_equal(allocator.live, 0);
        assert_int_equal(count, status == GRAZE_STATUS_OK ? 2 : 77);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        assert_memory_equal(object_hits, before, sizeof object_hits);
        failures++;
    }
    assert_true(failures > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_null_is_refused),
                                       cmocka_unit_test(an_answer_is_written_whole_or_not_at_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
