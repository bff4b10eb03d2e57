/* SPDX-License-Identifier: MIT */
/* The concurrent detector reports the same as a scene updated directly, for the poses of the commit it names. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/detector.h"
#include "support/failing_allocator.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    OBJECTS = 40,
    FRAMES = 300
};

typedef struct fixture
{
    scene_meshes scene_meshes;
    graze_scene *scene;
    graze_object names[OBJECTS];
    graze_pose poses[OBJECTS];
    graze_pose handed[FRAMES + 1][OBJECTS]; /* by commit */
    bool collide[OBJECTS][OBJECTS];
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    test_random random = {12};
    scene_meshes_make(&f->scene_meshes);
    assert_int_equal(graze_scene_create(NULL, NULL, &f->scene), GRAZE_STATUS_OK);
    scene_meshes_fill(&f->scene_meshes, &random, f->scene, OBJECTS, 3, 0, f->names, f->poses);
    memcpy(f->handed[0], f->poses, sizeof f->poses);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    graze_scene_destroy(f->scene);
    scene_meshes_release(&f->scene_meshes);
    free(f);
    return 0;
}

static bool should_collide(const fixture *f, const graze_pose *poses, size_t i, size_t j)
{
    graze_placed_mesh a = {f->scene_meshes.meshes[i % SCENE_MESHES], f->scene_meshes.trees[i % SCENE_MESHES], poses[i]};
    graze_placed_mesh b = {f->scene_meshes.meshes[j % SCENE_MESHES], f->scene_meshes.trees[j % SCENE_MESHES], poses[j]};
    bool found;
    assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &found, NULL), GRAZE_STATUS_OK);
    return found;
}

/* Compares a report with the poses of its commit; returns how many events it has. */
static size_t expect_report(fixture *f, const graze_report *report)
{
    assert_int_equal(graze_report_status(report), GRAZE_STATUS_OK);
    const graze_frame *frame = graze_report_frame(report);
    const graze_pose *poses = f->handed[graze_report_commit(report)];
    for (size_t i = 0; i < frame->event_count; i++)
    {
        const graze_event *event = &frame->events[i];
        uint32_t a = event->a.index, b = event->b.index;
        assert_int_equal(f->collide[a][b], event->kind != GRAZE_EVENT_BEGIN);
        f->collide[a][b] = event->kind != GRAZE_EVENT_END;
        graze_pose pose_a, pose_b;
        graze_report_poses(report, i, &pose_a, &pose_b);
        assert_memory_equal(&pose_a, &poses[a], sizeof pose_a);
        assert_memory_equal(&pose_b, &poses[b], sizeof pose_b);
    }
    for (size_t i = 0; i < OBJECTS; i++)
        for (size_t j = i + 1; j < OBJECTS; j++)
            assert_int_equal(f->collide[i][j], should_collide(f, poses, i, j));
    return frame->event_count;
}

static void reports_hold_for_the_poses_of_their_commit(void **state)
{
    fixture *f = *state;
    test_random random = test_random_start("reports_hold_for_the_poses_of_their_commit", 8);
    graze_detector *detector;
    assert_int_equal(graze_detector_create(NULL, f->scene, NULL, &detector), GRAZE_STATUS_OK);
    size_t reports = 0, events = 0, joined = 0;
    uint64_t last = 0;
    for (uint64_t frame = 1; frame <= FRAMES; frame++)
    {
        int moves = random_below(&random, 2 * OBJECTS);
        for (int i = 0; i < moves; i++)
        {
            size_t object = (size_t)random_below(&random, OBJECTS);
            for (int k = 3; k < 12; k += 4)
                f->poses[object].m[k] += random_real(&random, -0.2, 0.2);
            assert_int_equal(graze_detector_move(detector, f->names[object], &f->poses[object]), GRAZE_STATUS_OK);
        }
        memcpy(f->handed[frame], f->poses, sizeof f->poses);
        assert_int_equal(graze_detector_commit(detector), frame);
        if (random_once_in(&random, 20))
            graze_detector_drain(detector);
        graze_report *report;
        while ((report = graze_detector_take(detector)) != NULL)
        {
            uint64_t commit = graze_report_commit(report);
            assert_true(commit > last && commit <= frame);
            joined += commit > last + 1;
            last = commit;
            events += expect_report(f, report);
            reports++;
            graze_report_destroy(report);
        }
    }
    graze_detector_drain(detector);
    graze_report *report;
    while ((report = graze_detector_take(detector)) != NULL)
    {
        last = graze_report_commit(report);
        events += expect_report(f, report);
        reports++;
        graze_report_destroy(report);
    }
    assert_int_equal(last, FRAMES);
    printf("%zu reports, %zu of several commits, %zu events\n", reports, joined, events);
    assert_true(reports > 8 && events > reports); /* the detector was waited for about fifteen times */
    graze_detector_destroy(detector);
}

static void what_is_not_looked_at_stays_in_the_back_buffer(void **state)
{
    fixture *f = *state;
    graze_detector *detector;
    assert_int_equal(graze_scene_update(f->scene, NULL, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_detector_create(NULL, f->scene, NULL, &detector), GRAZE_STATUS_OK);
    graze_pose far = graze_pose_translation(100, 0, 0), near = graze_pose_translation(101, 0, 0);
    graze_object stale = {f->names[0].index, f->names[0].generation + 1};
    assert_int_equal(graze_detector_move(detector, stale, &far), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_detector_move(detector, (graze_object){OBJECTS + 7, 1}, &far), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_detector_move(detector, f->names[0], &far), GRAZE_STATUS_OK);
    graze_detector_commit(detector);
    assert_int_equal(graze_detector_move(detector, f->names[3], &near), GRAZE_STATUS_OK);
    graze_detector_destroy(detector);
    assert_int_equal(graze_scene_update(f->scene, NULL, NULL), GRAZE_STATUS_OK);
    graze_placed_mesh placed;
    assert_int_equal(graze_scene_placed_mesh(f->scene, f->names[0], &placed, NULL), GRAZE_STATUS_OK);
    assert_memory_equal(&placed.pose, &far, sizeof far);
    assert_int_equal(graze_scene_placed_mesh(f->scene, f->names[3], &placed, NULL), GRAZE_STATUS_OK);
    assert_memory_equal(&placed.pose, &near, sizeof near);
    graze_detector_destroy(NULL);
}

static void a_detector_without_memory_does_not_start(void **state)
{
    fixture *f = *state;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_detector *detector;
        graze_status status = graze_detector_create(&context, f->scene, NULL, &detector);
        if (status == GRAZE_STATUS_OK)
            graze_detector_destroy(detector);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
    }
}

static void a_report_that_has_no_memory_says_so(void **state)
{
    fixture *f = *state;
    failing_allocator allocator = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&allocator);
    graze_detector *detector;
    assert_int_equal(graze_detector_create(&context, f->scene, NULL, &detector), GRAZE_STATUS_OK);
    allocator.allowed = allocator.requests; /* the detector has none before the commit */
    graze_detector_commit(detector);
    graze_detector_drain(detector);
    graze_report *report = graze_detector_take(detector);
    assert_non_null(report);
    assert_int_equal(graze_report_status(report), GRAZE_STATUS_OUT_OF_MEMORY);
    assert_int_equal(graze_report_commit(report), 1);
    assert_int_equal(graze_report_frame(report)->event_count, 0);
    graze_report_destroy(report);
    graze_detector_destroy(detector);
    assert_int_equal(allocator.live, 0);
}

/* Moves some objects and commits. */
static void move_some(fixture *f, graze_detector *detector, test_random *random, uint64_t commit)
{
    for (size_t i = 0; i < OBJECTS; i += 3)
    {
        f->poses[i] = scene_random_pose(random, 3);
        assert_int_equal(graze_detector_move(detector, f->names[i], &f->poses[i]), GRAZE_STATUS_OK);
    }
    memcpy(f->handed[commit], f->poses, sizeof f->poses);
    assert_int_equal(graze_detector_commit(detector), commit);
    graze_detector_drain(detector);
}

static void what_cannot_be_reported_is_reported_when_there_is_memory_again(void **state)
{
    (void)state;
    void *own;
    set_up(&own);
    fixture *f = own;
    test_random random = {77};
    failing_allocator allocator = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&allocator);
    graze_detector *detector;
    assert_int_equal(graze_detector_create(&context, f->scene, NULL, &detector), GRAZE_STATUS_OK);
    size_t events = 0;
    uint64_t commit = 0;
    for (int times = 0; times < 5; times++)
    {
        allocator.allowed = allocator.requests;
        move_some(f, detector, &random, ++commit);
        uint64_t owed = commit;
        for (int more = 0; more < times; more++)
            move_some(f, detector, &random, ++commit);
        assert_int_equal(graze_detector_status(detector), GRAZE_STATUS_OUT_OF_MEMORY);
        graze_report *report = graze_detector_take(detector);
        assert_non_null(report);
        assert_int_equal(graze_report_status(report), GRAZE_STATUS_OUT_OF_MEMORY);
        graze_report_destroy(report);
        assert_null(graze_detector_take(detector));
        allocator.allowed = SIZE_MAX;
        move_some(f, detector, &random, ++commit);
        assert_int_equal(graze_detector_status(detector), GRAZE_STATUS_OK);
        const uint64_t expected[2] = {owed, commit};
        for (int i = 0; i < 2; i++)
        {
            report = graze_detector_take(detector);
            assert_non_null(report);
            assert_int_equal(graze_report_commit(report), expected[i]);
            events += expect_report(f, report);
            graze_report_destroy(report);
        }
        assert_null(graze_detector_take(detector));
    }
    graze_detector_destroy(detector);
    assert_int_equal(allocator.live, 0);
    printf("%zu events\n", events);
    assert_true(events > 100);
    tear_down(&own);
}

static void options_that_no_update_takes_start_no_detector(void **state)
{
    fixture *f = *state;
    graze_detector *detector;
    graze_update_options options = graze_update_options_default();
    options.budget.seconds = -1;
    assert_int_equal(graze_detector_create(NULL, f->scene, &options, &detector), GRAZE_STATUS_BAD_ARGUMENT);
    options.budget.seconds = NAN;
    assert_int_equal(graze_detector_create(NULL, f->scene, &options, &detector), GRAZE_STATUS_BAD_ARGUMENT);
    options = graze_update_options_default();
    options.schedule = (graze_schedule)17;
    assert_int_equal(graze_detector_create(NULL, f->scene, &options, &detector), GRAZE_STATUS_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reports_hold_for_the_poses_of_their_commit),
                                       cmocka_unit_test(what_is_not_looked_at_stays_in_the_back_buffer),
                                       cmocka_unit_test(a_detector_without_memory_does_not_start),
                                       cmocka_unit_test(a_report_that_has_no_memory_says_so),
                                       cmocka_unit_test(what_cannot_be_reported_is_reported_when_there_is_memory_again),
                                       cmocka_unit_test(options_that_no_update_takes_start_no_detector)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
