/* SPDX-License-Identifier: MIT */
/*
 * Shapes that are not made of triangles over a step: spheres along lines against the roots of a quadratic, and other
 * kinds against a thousand samples.
 */
#include <math.h>
#include <stdio.h>

#include "graze/motion_query.h"
#include "graze/scene.h"
#include "graze/shape_query.h"
#include "support/environment.h"
#include "support/random.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(400),
    KINDS_ROUNDS = TEST_ROUNDS(60),
    SAMPLES = 200
};

static const double origin[3] = {0, 0, 0}, line[2][3] = {{-0.7, 0, 0}, {0.7, 0.2, 0}};

/* One step of two objects; returns the frame, whose events live as long as the scene. */
static graze_frame run_step(graze_scene *scene, const graze_shape *const shapes[2], const graze_pose starts[2],
                            const graze_pose ends[2], graze_object objects[2])
{
    graze_update_options options = graze_update_options_default();
    graze_frame frame;
    for (int i = 0; i < 2; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.shape = shapes[i];
        def.pose = starts[i];
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_scene_move(scene, objects[i], &ends[i]), GRAZE_STATUS_OK);
    options.continuous = true;
    static int number;
    saved_environment saved;
    environment_enter(&saved, number++ % ENVIRONMENTS);
    graze_status status = graze_scene_update(scene, &options, &frame);
    environment_leave(&saved);
    assert_int_equal(status, GRAZE_STATUS_OK);
    return frame;
}

/* Times at which the centres are as near as both radii. */
static bool meeting_times(const double from[3], const double to[3], double radii, double times[2])
{
    double a = 0, b = 0, c = -radii * radii;
    for (int k = 0; k < 3; k++)
    {
        double way = to[k] - from[k];
        a += way * way;
        b += from[k] * way;
        c += from[k] * from[k];
    }
    double d = b * b - a * c;
    times[0] = (-b - sqrt(fmax(d, 0))) / a;
    times[1] = (-b + sqrt(fmax(d, 0))) / a;
    return d > 0;
}

static void spheres_meet_when_their_centres_are_near(void **state)
{
    (void)state;
    test_random random = test_random_start("spheres_meet_when_their_centres_are_near", 3);
    int passes = 0, begins = 0, ends = 0, none = 0, narrow = 0, events = 0;
    graze_shape *shapes[2];
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 1, &shapes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 0.5, &shapes[1]), GRAZE_STATUS_OK);
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_scene *scene;
        graze_object objects[2];
        graze_pose starts[2], targets[2];
        double from[3], to[3], times[2];
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        for (int i = 0; i < 2; i++)
        {
            starts[i] = scene_random_pose(&random, 2.5);
            targets[i] = starts[i];
            for (int k = 3; k < 12; k += 4)
                targets[i].m[k] = random_real(&random, -2.5, 2.5);
        }
        for (int k = 0; k < 3; k++)
        {
            from[k] = starts[1].m[4 * k + 3] - starts[0].m[4 * k + 3];
            to[k] = targets[1].m[4 * k + 3] - targets[0].m[4 * k + 3];
        }
        graze_frame frame = run_step(scene, (const graze_shape *const *)shapes, starts, targets, objects);
        bool meet = meeting_times(from, to, 1.5, times) && times[1] > 0 && times[0] < 1;
        if (times[0] < 0 && times[1] > 1 && meet) /* all the time */
            assert_true(frame.event_count == 1 && frame.events[0].kind == GRAZE_EVENT_STAY);
        else if (meet)
        {
            assert_int_equal(frame.event_count, 1);
            const graze_event *event = &frame.events[0];
            assert_int_equal(event->kind, times[0] < 0   ? GRAZE_EVENT_END
                                          : times[1] > 1 ? GRAZE_EVENT_BEGIN
                                                         : GRAZE_EVENT_PASS);
            if (times[0] > 0)
                assert_true(event->time_lower <= times[0] + 1e-12 && event->time_upper >= times[0] - 1e-12);
            assert_int_equal(event->has_end_time, times[1] < 1);
            if (times[1] < 1)
                assert_true(event->end_lower <= times[1] + 1e-12 && event->end_upper >= times[1] - 1e-12);
            narrow += event->time_upper - event->time_lower < 1e-4 && event->end_upper - event->end_lower < 1e-4;
            events++;
            passes += event->kind == GRAZE_EVENT_PASS;
            begins += event->kind == GRAZE_EVENT_BEGIN;
            ends += event->kind == GRAZE_EVENT_END;
        }
        else
        {
            none++;
            assert_int_equal(frame.event_count, 0);
        }
        assert_int_equal(frame.undecided_count, 0);
        graze_scene_destroy(scene);
    }
    printf("%d passes, %d begins, %d ends, %d none; %d of %d narrow\n", passes, begins, ends, none, narrow, events);
    assert_true(4 * narrow > 3 * events);
    assert_true(passes > 3 && begins > 3 && ends > 3 && none > ROUNDS / 4);
    graze_shape_destroy(shapes[0]);
    graze_shape_destroy(shapes[1]);
}

static void other_kinds_meet_when_samples_do(void **state)
{
    (void)state;
    test_random random = test_random_start("other_kinds_meet_when_samples_do", 4);
    const double axes[3] = {0.3, 0.6, 1};
    graze_shape *shapes[4];
    int met = 0, undecided = 0;
    assert_int_equal(graze_shape_create_capsule(NULL, line, 0.4, &shapes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 1, 0.5, &shapes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_ellipsoid(NULL, axes, &shapes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 0.7, &shapes[3]), GRAZE_STATUS_OK);
    for (int round = 0; round < KINDS_ROUNDS; round++)
    {
        graze_scene *scene;
        graze_object objects[2];
        graze_pose starts[2], ends[2];
        graze_motion motions[2];
        const graze_shape *pair[2] = {shapes[round % 4], shapes[round / 4 % 4]};
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        for (int i = 0; i < 2; i++)
        {
            starts[i] = scene_random_pose(&random, 2);
            ends[i] = scene_random_pose(&random, 2);
        }
        graze_frame frame = run_step(scene, pair, starts, ends, objects);
        const graze_event *event = frame.event_count > 0 ? &frame.events[0] : NULL;
        for (int i = 0; i < 2; i++)
            assert_int_equal(graze_scene_step_motion(scene, objects[i], &motions[i]), GRAZE_STATUS_OK);
        undecided += frame.undecided_count > 0;
        for (int i = 0; i <= SAMPLES; i++)
        {
            graze_placed placed[2] = {{pair[0], starts[0]}, {pair[1], starts[1]}};
            graze_verdict verdict;
            double t = i / (double)SAMPLES;
            for (int k = 0; k < 2; k++)
                assert_int_equal(graze_motion_pose(&motions[k], t, &placed[k].pose, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_shape_pair_any(NULL, &placed[0], &placed[1], NULL, &verdict, NULL), GRAZE_STATUS_OK);
            if (verdict != GRAZE_VERDICT_YES)
                continue;
            met++;
            assert_true(event != NULL || frame.undecided_count > 0);
            if (event != NULL)
                assert_true(event->time_lower <= t + 1e-9 && (!event->has_end_time || event->end_upper >= t - 1e-9));
        }
        graze_scene_destroy(scene);
    }
    printf("%d samples met, %d undecided\n", met, undecided);
    assert_true(met > KINDS_ROUNDS && undecided * 10 < KINDS_ROUNDS);
    for (int i = 0; i < 4; i++)
        graze_shape_destroy(shapes[i]);
}

/* Points and segments are triangles without area. */
static void segments_and_points_pass_through_surfaces(void **state)
{
    (void)state;
    const double corners[3][3] = {{0, -2, -2}, {0, 3, -2}, {0, -2, 3}}, size[3] = {0.5, 2, 2};
    const double ends[2][3] = {{-0.1, 0, 0}, {0.1, 0.1, 0}};
    graze_shape *thin[2], *surfaces[2];
    assert_int_equal(graze_shape_create_segment(NULL, ends, &thin[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_point(NULL, origin, &thin[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_triangle(NULL, corners, &surfaces[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &surfaces[1]), GRAZE_STATUS_OK);
    for (int i = 0; i < 8; i++)
    {
        graze_scene *scene;
        graze_object objects[2];
        const graze_shape *pair[2] = {thin[i % 2], surfaces[i / 2 % 2]};
        bool beside = i / 4 == 1;
        const double y = beside ? 5 : 0.25;
        const graze_pose starts[2] = {graze_pose_translation(-3, y, 0.125), graze_pose_identity()};
        const graze_pose targets[2] = {graze_pose_translation(3, y, 0.125), graze_pose_identity()};
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        graze_frame frame = run_step(scene, pair, starts, targets, objects);
        assert_int_equal(frame.undecided_count, 0);
        assert_int_equal(frame.event_count, beside ? 0 : 1);
        if (!beside)
        {
            assert_int_equal(frame.events[0].kind, GRAZE_EVENT_PASS);
            assert_true(frame.events[0].time_lower <= 0.5 && frame.events[0].time_upper > 0.4);
        }
        graze_scene_destroy(scene);
    }
    for (int i = 0; i < 2; i++)
    {
        graze_shape_destroy(thin[i]);
        graze_shape_destroy(surfaces[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spheres_meet_when_their_centres_are_near),
                                       cmocka_unit_test(other_kinds_meet_when_samples_do),
                                       cmocka_unit_test(segments_and_points_pass_through_surfaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
