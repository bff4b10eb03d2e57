/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: detectors, which update a scene in a thread of their own. That thread uses malloc
 * here; tests/scene/test_detector.c makes it run out of memory. */
#include "graze/detector.h"
#include "graze/generate.h"
#include "support/failure.h"
#include "support/unit.h"

static struct
{
    graze_mesh *mesh;
    graze_scene *scenes[2]; /* the detector's, and one that is free */
    graze_object objects[2];
    graze_detector *detector;
    graze_report *report;
    graze_update_options options;
    graze_pose pose;
} world;

static struct
{
    graze_detector *detector;
    graze_pose pose_a, pose_b;
} out;

static void set_up(void)
{
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &world.mesh), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_scene_create(NULL, NULL, &world.scenes[i]), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = world.mesh;
        def.pose = graze_pose_translation(0.5 * i, 0, 0);
        assert_int_equal(graze_scene_add(world.scenes[0], &def, &world.objects[i]), GRAZE_STATUS_OK);
    }
    world.pose = graze_pose_translation(0.25, 0.25, 0);
    world.options = graze_update_options_default();
    assert_int_equal(graze_detector_create(NULL, world.scenes[0], NULL, &world.detector), GRAZE_STATUS_OK);
    assert_int_equal(graze_detector_move(world.detector, world.objects[0], &world.pose), GRAZE_STATUS_OK);
    graze_detector_commit(world.detector);
    graze_detector_drain(world.detector);
    world.report = graze_detector_take(world.detector);
    assert_non_null(world.report);
    assert_int_equal(graze_detector_move(world.detector, world.objects[1], &world.pose), GRAZE_STATUS_OK);
    graze_detector_commit(world.detector);
    graze_detector_drain(world.detector);
}

static void tear_down(void)
{
    graze_report_destroy(world.report);
    graze_detector_destroy(world.detector);
    for (int i = 0; i < 2; i++)
        graze_scene_destroy(world.scenes[i]);
    graze_mesh_destroy(world.mesh);
}

CALL(graze_detector_create,
     (MAY(0, &failure.context), NEED(1, world.scenes[1]), MAY(2, &world.options), NEED(3, &out.detector)),
     graze_detector_destroy(out.detector))
CALL(graze_detector_move, (NEED(0, world.detector), world.objects[0], NEED(1, &world.pose)), (void)0)
VALUE(uint64_t, graze_detector_commit, (NEED(0, world.detector)), result == 3)
VALUE(const graze_frame *, graze_report_frame, (NEED(0, world.report)), result != NULL && result->event_count == 1)
VALUE(uint64_t, graze_report_commit, (NEED(0, world.report)), result == 1)
CALL(graze_report_status, (NEED(0, world.report)), (void)0)
CALL(graze_detector_status, (NEED(0, world.detector)), (void)0)
CALL(graze_report_poses, (NEED(0, world.report), 0, MAY(1, &out.pose_a), MAY(2, &out.pose_b)),
     assert_true((failure.missing == 1 || out.pose_a.m[3] == 0.25) && (failure.missing == 2 || out.pose_b.m[3] == 0.5)))
DOES(graze_detector_drain, (MAY(0, world.detector)), true)

static graze_status call_graze_detector_take(void)
{
    graze_report *report = graze_detector_take(NEED(0, world.detector));
    graze_report_destroy(report);
    return report != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;
}

static graze_status call_graze_report_destroy(void)
{
    graze_report_destroy(MAY(0, world.report));
    if (failure.missing == NOTHING)
        world.report = NULL;
    return GRAZE_STATUS_OK;
}

static graze_status call_graze_detector_destroy(void)
{
    graze_detector_destroy(MAY(0, world.detector));
    if (failure.missing == NOTHING)
        world.detector = NULL;
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_detector_create, 4, ALLOCATES), ROW(graze_detector_move, 2, 0),
    ROW(graze_detector_commit, 1, 0),         ROW(graze_report_frame, 1, 0),
    ROW(graze_report_commit, 1, 0),           ROW(graze_report_status, 1, 0),
    ROW(graze_detector_status, 1, 0),         ROW(graze_report_poses, 3, 0),
    ROW(graze_detector_drain, 1, 0),          ROW(graze_detector_take, 1, 0),
    ROW(graze_report_destroy, 1, 0),          ROW(graze_detector_destroy, 1, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
