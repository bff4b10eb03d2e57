/* SPDX-License-Identifier: MIT */
/* Clash detection through time: first contacts and overlaps of moving parts, compared with all pairs and all segments
 * one by one, and with a thousand poses from each frame to the next. */
#include "clash/through_time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/motion_query.h"
#include "graze/tasks.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/tool_json.h"
#include "support/unit.h"

#include "clash_meshes.h"
#include "written.h"

enum
{
    MOST_PARTS = 8,
    SAMPLES = TEST_ROUNDS(1000), /* from frame to frame */
    MOST_FRAMES = 6
};

/* Boxes that move, with their poses by frame. */
typedef struct moving_parts
{
    size_t count;
    uint32_t frames;
    graze_mesh *meshes[MOST_PARTS];
    graze_clash_part parts[MOST_PARTS];
    graze_clash_track tracks[MOST_PARTS];
    graze_motion motions[MOST_PARTS][MOST_FRAMES];
    bool moves[MOST_PARTS];
} moving_parts;

static const char *const names[MOST_PARTS] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static void add_part(moving_parts *all, graze_mesh *mesh)
{
    size_t at = all->count++;
    all->meshes[at] = mesh;
    all->parts[at] = part_of(names[at], mesh);
}

/* From pose to pose, a turn from each to the next. */
static void set_track(moving_parts *all, size_t part, const graze_pose *poses)
{
    all->parts[part].pose = poses[0];
    all->moves[part] = true;
    for (uint32_t i = 0; i + 1 < all->frames; i++)
        assert_int_equal(
            graze_motion_between(&poses[i], &poses[i + 1], GRAZE_MOTION_TURN, &all->motions[part][i], NULL),
            GRAZE_STATUS_OK);
}

static void shift_part(moving_parts *all, size_t part, const double (*places)[3])
{
    graze_pose poses[MOST_FRAMES] = {{{0}}};
    for (uint32_t i = 0; i < all->frames; i++)
        poses[i] = graze_pose_translation(places[i][0], places[i][1], places[i][2]);
    set_track(all, part, poses);
}

static void release_parts(moving_parts *all)
{
    for (size_t i = 0; i < all->count; i++)
        graze_mesh_destroy(all->meshes[i]);
}

static graze_clash_options options_of(moving_parts *all)
{
    graze_clash_options options = graze_clash_options_default();
    for (size_t i = 0; i < all->count; i++)
        all->tracks[i].motions = all->moves[i] ? all->motions[i] : NULL;
    options.tracks = all->tracks;
    options.frame_count = all->frames;
    return options;
}

static graze_clash_report *find(const moving_parts *all, const graze_clash_options *options)
{
    graze_clash_report *report = NULL;
    graze_error error = {.status = GRAZE_STATUS_OK};
    graze_status status = graze_clash_find(NULL, all->parts, all->count, options, &error, &report);
    if (status != GRAZE_STATUS_OK)
        fail_msg("%s", error.text);
    return report;
}

static const graze_clash_finding *finding_of(const graze_clash_report *report, size_t a, size_t b)
{
    for (size_t i = 0; i < report->finding_count; i++)
        if (report->findings[i].a == a && report->findings[i].b == b)
            return &report->findings[i];
    return NULL;
}

static moving_parts two_boxes(uint32_t frames, graze_mesh *first, graze_mesh *second)
{
    moving_parts all = {.frames = frames};
    add_part(&all, first);
    add_part(&all, second);
    return all;
}

/* --- the slow twin --- */

static graze_motion motion_at(const moving_parts *all, size_t part, uint32_t frame)
{
    graze_motion still;
    if (all->moves[part])
        return all->motions[part][frame];
    assert_int_equal(graze_motion_still(&all->parts[part].pose, &still), GRAZE_STATUS_OK);
    return still;
}

static bool do_meet(const moving_parts *all, size_t a, size_t b, uint32_t frame, double t)
{
    bool meet;
    const graze_motion of_a = motion_at(all, a, frame), of_b = motion_at(all, b, frame);
    graze_placed_mesh placed_a = {all->meshes[a], NULL, graze_pose_identity()}, placed_b = placed_a;
    placed_b.mesh = all->meshes[b];
    assert_int_equal(graze_motion_pose(&of_a, t, &placed_a.pose, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_pose(&of_b, t, &placed_b.pose, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_any(NULL, &placed_a, &placed_b, NULL, &meet, NULL), GRAZE_STATUS_OK);
    return meet;
}

/* First contact of a pair by queries of all segments, without boxes or trees. */
static bool first_contact(const moving_parts *all, size_t a, size_t b, double out_time[2])
{
    graze_impact_options options = graze_impact_options_default();
    options.solids = true;
    for (uint32_t s = 0; s + 1 < all->frames; s++)
    {
        graze_moving_mesh moving_a = {.mesh = all->meshes[a], .motion = motion_at(all, a, s)};
        graze_moving_mesh moving_b = {.mesh = all->meshes[b], .motion = motion_at(all, b, s)};
        graze_impact impact;
        assert_int_equal(graze_pair_impact(NULL, &moving_a, &moving_b, &options, &impact), GRAZE_STATUS_OK);
        if (impact.verdict != GRAZE_IMPACT_AT)
            continue;
        out_time[0] = s + 1 + impact.lower;
        out_time[1] = s + 1 + impact.upper;
        return true;
    }
    return false;
}

static graze_pose random_pose(test_random *random, double range)
{
    double quaternion[4], place[3];
    for (int i = 0; i < 4; i++)
        quaternion[i] = random_real(random, -1, 1);
    for (int i = 0; i < 3; i++)
        place[i] = random_real(random, -range, range);
    graze_pose pose;
    assert_int_equal(graze_pose_from_quaternion(quaternion, place, &pose), GRAZE_STATUS_OK);
    return pose;
}

static moving_parts random_parts(test_random *random, size_t count)
{
    moving_parts all = {.frames = 4};
    for (size_t i = 0; i < count; i++)
    {
        double size[3];
        for (int k = 0; k < 3; k++)
            size[k] = random_real(random, 0.05, 1);
        add_part(&all, box_between(-size[0], -size[1], -size[2], size[0], size[1], size[2]));
        graze_pose poses[MOST_FRAMES];
        for (uint32_t f = 0; f < all.frames; f++)
            poses[f] = random_pose(random, 3);
        if (i == 0)
            all.parts[i].pose = poses[0];
        else
            set_track(&all, i, poses);
    }
    return all;
}

static void times_are_those_of_each_segment_and_of_a_thousand_poses(void **state)
{
    (void)state;
    test_random random = test_random_start("through time", 19);
    int met = 0, apart = 0, between = 0;
    for (int round = 0; round < TEST_ROUNDS(8); round++)
    {
        moving_parts all = random_parts(&random, 6);
        graze_clash_options options = options_of(&all);
        graze_clash_report *report = find(&all, &options);
        assert_true(report->complete && report->frame_count == 4);
        for (size_t a = 0; a < all.count; a++)
            for (size_t b = a + 1; b < all.count; b++)
            {
                double time[2] = {0, 0};
                const graze_clash_finding *f = finding_of(report, a, b);
                bool meets = first_contact(&all, a, b, time);
                assert_int_equal(f != NULL, meets);
                apart += !meets;
                if (meets)
                {
                    met++;
                    assert_true(f->has_time && f->time[0] <= f->time[1] && fabs(f->time[0] - time[0]) < 1e-12);
                    assert_true(f->time[0] <= time[0] && f->time[1] >= time[1] && f->time[1] - f->time[0] < 1e-14);
                    assert_true(f->has_crossing_time && f->crossing_time[0] >= f->time[0]);
                }
                bool seen = false, seen_at_frame = false;
                for (uint32_t s = 0; s + 1 < all.frames && !seen; s++)
                    for (int k = 0; k <= SAMPLES && !seen; k++)
                    {
                        double t = k / (double)SAMPLES;
                        seen = do_meet(&all, a, b, s, t);
                        seen_at_frame = seen_at_frame || (seen && (k == 0 || t == 1));
                        if (seen)
                            assert_true(meets && s + 1 + t >= time[0] - 1e-12);
                    }
                between += meets && !seen_at_frame;
            }
        graze_clash_report_destroy(report);
        release_parts(&all);
    }
    printf("%d met, %d apart, %d of them between frames first\n", met, apart, between);
    assert_true(met > TEST_ROUNDS(20) && apart > TEST_ROUNDS(10) && between > TEST_ROUNDS(10));
}

/* --- known answers --- */

static void a_bullet_between_frames_is_found_and_measured(void **state)
{
    (void)state;
    moving_parts all = two_boxes(3, box_between(-0.0005, -0.0005, -0.0005, 0.0005, 0.0005, 0.0005),
                                 box_between(-1, -1, 0, 1, 1, 0.00001));
    const double places[3][3] = {{0.1, 0.2, 20}, {0.1, 0.2, 10}, {0.1, 0.2, -10}};
    shift_part(&all, 0, places);
    graze_clash_options options = options_of(&all);
    graze_clash_report *report = find(&all, &options);
    assert_int_equal(report->finding_count, 1);
    const graze_clash_finding *f = &report->findings[0];
    /* Its lower face is at 10 - 20 t - 0.0005, the sheet's upper one at 0.00001. */
    double expected = 2 + (10 - 0.0005 - 0.00001) / 20;
    assert_true(f->verdict == GRAZE_CLASH_CROSSES && f->has_depth && f->depth[0] > 0);
    assert_true(fabs(f->time[0] - expected) < 1e-12 && f->time[1] >= f->time[0]);
    assert_true(f->has_crossing_time && f->crossing_time[0] >= f->time[0]);
    assert_true(f->measured_at > f->time[1] && f->measured_at < 2.51);
    graze_pose pose = graze_clash_finding_part(report, f, false).pose,
               at_rest = graze_clash_finding_part(report, f, true).pose;
    assert_true(f->details->has_poses && fabs(pose.m[11] - (10 - 20 * (f->measured_at - 2))) < 1e-9 &&
                at_rest.m[11] == 0);
    graze_clash_camera camera; /* looks at where it is then, not at where it was */
    assert_int_equal(graze_clash_finding_camera(report, f, false, &camera), GRAZE_STATUS_OK);
    assert_true(fabs(camera.position[2]) < 8);
    graze_clash_report_destroy(report);
    release_parts(&all);
}

static void aligned_boxes_overlap_though_surfaces_only_touch(void **state)
{
    (void)state;
    moving_parts all = two_boxes(2, box_between(0, 0, 0, 1, 1, 1), box_between(2, 0, 0, 3, 1, 1));
    const double places[2][3] = {{0, 0, 0}, {2, 0, 0}};
    shift_part(&all, 0, places);
    graze_clash_options options = options_of(&all);
    for (int touch = 0; touch < 2; touch++)
    {
        options.tolerances.has_allow_touch = options.tolerances.allow_touch = touch == 1;
        graze_clash_report *report = find(&all, &options);
        const graze_clash_finding *f = finding_of(report, 0, 1);
        assert_non_null(f);
        assert_true(f->verdict == GRAZE_CLASH_DUPLICATE || f->verdict == GRAZE_CLASH_CONTAINS);
        assert_true(f->time[0] == 1.5 && f->time[1] < 1.5001 && f->crossing_time[0] == 1.5);
        assert_true(touch == 1 || f->time[1] == 1.5);
        graze_clash_report_destroy(report);
    }
    release_parts(&all);
}

/* A box slides over a table, then dips into it. */
static moving_parts sliding_box(double dip)
{
    moving_parts all = two_boxes(4, box_between(-0.25, -0.25, 0, 0.25, 0.25, 0.5), box_between(-4, -4, -1, 4, 4, 0));
    const double places[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, -dip}};
    shift_part(&all, 0, places);
    return all;
}

static void contact_that_slides_is_allowed_until_it_dips(void **state)
{
    (void)state;
    moving_parts all = sliding_box(0.125);
    graze_clash_options options = options_of(&all);
    graze_clash_report *report = find(&all, &options);
    const graze_clash_finding *f = finding_of(report, 0, 1);
    assert_true(f != NULL && f->verdict == GRAZE_CLASH_CROSSES && f->measured_at == 4);
    assert_true(f->time[0] == 1 && f->time[1] == 1 && f->crossing_time[0] == 3 && f->crossing_time[1] < 3.001);
    assert_true(f->depth[0] <= 0.125 && f->depth[1] >= 0.125);
    graze_clash_report_destroy(report);

    options.tolerances.has_allow_touch = options.tolerances.allow_touch = true;
    report = find(&all, &options);
    f = finding_of(report, 0, 1);
    assert_true(f != NULL && f->time[0] == 3 && f->time[1] < 3.001);
    graze_clash_report_destroy(report);

    options.tolerances.has_max_depth = true;
    for (int i = 0; i < 2; i++)
    {
        options.tolerances.max_depth = i == 0 ? 0.1875 : 0.0625;
        report = find(&all, &options);
        f = finding_of(report, 0, 1);
        assert_int_equal(f != NULL, i == 1);
        assert_true(f == NULL || (f->verdict == GRAZE_CLASH_CROSSES && f->time[0] == 3));
        graze_clash_report_destroy(report);
    }
    release_parts(&all);
}

/* What is deeper between frames than at any: down and up again on a parabola would be one; here the box turns, and its
 * corner is lowest halfway. */
static void a_depth_between_frames_is_not_allowed_by_that_at_frames(void **state)
{
    (void)state;
    moving_parts all = two_boxes(2, box_between(-1, -0.5, -1, 1, 0.5, 1), box_between(-4, -4, -3, 4, 4, -1.25));
    const double axis[3] = {0, 1, 0};
    graze_pose poses[2] = {graze_pose_identity(), graze_pose_identity()};
    assert_int_equal(graze_pose_from_axis_angle(axis, 1.5707963267948966, NULL, &poses[1]), GRAZE_STATUS_OK);
    set_track(&all, 0, poses);
    graze_clash_options options = options_of(&all);
    options.tolerances.has_max_depth = true;
    for (int i = 0; i < 2; i++)
    {
        options.tolerances.max_depth = i == 0 ? 0.125 : 0.25; /* the corner is at -1.4142 halfway */
        graze_clash_report *report = find(&all, &options);
        const graze_clash_finding *f = finding_of(report, 0, 1);
        assert_int_equal(f != NULL && f->verdict == GRAZE_CLASH_CROSSES, i == 0);
        if (f != NULL && i == 0)
            assert_true(f->time[0] > 1 && f->time[1] < 1.5 && f->measured_at < 2);
        graze_clash_report_destroy(report);
    }
    release_parts(&all);
}

static void parts_of_a_group_are_tested_once(void **state)
{
    (void)state;
    const double axis[3] = {1, 2, 3};
    for (int group = 0; group < 2; group++)
    {
        moving_parts all = two_boxes(3, box_between(0, 0, 0, 1, 1, 1), box_between(1, 0, 0, 2, 1, 1));
        graze_pose poses[3];
        for (int i = 0; i < 3; i++)
        {
            const double place[3] = {0.1 * i, 0.3 * i, 7.7};
            assert_int_equal(graze_pose_from_axis_angle(axis, 0.7 * i, place, &poses[i]), GRAZE_STATUS_OK);
        }
        set_track(&all, 0, poses);
        set_track(&all, 1, poses);
        all.tracks[0].group = all.tracks[1].group = (uint32_t)group;
        for (size_t i = 0; i < 2; i++)
            all.parts[i].resolution = 1e-9;
        graze_clash_options options = options_of(&all);
        graze_clash_report *report = find(&all, &options);
        const graze_clash_finding *f = finding_of(report, 0, 1);
        assert_true(f != NULL && f->verdict == GRAZE_CLASH_TOUCHES && f->time[0] == 1 && f->time[1] == 1);
        graze_clash_report_destroy(report);
        release_parts(&all);
    }
}

/* Doubles of the poses are off by an ulp, so that the two cross by as much: within their resolution, which is proved
 * for all times. */
static void what_only_rounding_makes_cross_touches(void **state)
{
    (void)state;
    moving_parts all = two_boxes(3, box_between(0, 0, 0, 1, 1, 1), box_between(-4, -4, -1, 4, 4, 0));
    const double places[3][3] = {{0.1, 0, 1e-16}, {0.7, 0.1, -1e-16}, {1.3, 0.2, 1e-16}};
    shift_part(&all, 0, places);
    graze_clash_options options = options_of(&all);
    for (int i = 0; i < 2; i++)
    {
        all.parts[0].resolution = all.parts[1].resolution = i == 0 ? 0 : 1e-12;
        graze_clash_report *report = find(&all, &options);
        const graze_clash_finding *f = finding_of(report, 0, 1);
        assert_true(f != NULL && f->has_time);
        assert_int_equal(f->verdict, i == 0 ? GRAZE_CLASH_CROSSES : GRAZE_CLASH_TOUCHES);
        assert_true(i == 0 || (f->within_resolution && f->exact == GRAZE_CLASH_CROSSES));
        graze_clash_report_destroy(report);
    }
    release_parts(&all);
}

/* Moved aside by the resolution the box would be at the next double, which is farther. */
static void a_translation_that_rounds_up_proves_nothing(void **state)
{
    (void)state;
    moving_parts all = two_boxes(2, box_between(-4, -4, -1, 4, 4, 0), box_between(0, 0, -1, 1, 1, 0));
    const double places[2][3] = {{0, 0, 1}, {1, 0, 1 - 0x1p-53}};
    shift_part(&all, 1, places);
    graze_clash_options options = options_of(&all);
    for (int i = 0; i < 2; i++)
    {
        all.parts[0].resolution = (i == 0 ? 2.625 : 2.375) * 0x1p-52;
        graze_clash_report *report = find(&all, &options);
        const graze_clash_finding *f = finding_of(report, 0, 1);
        assert_true(f != NULL && f->verdict == (i == 0 ? GRAZE_CLASH_CROSSES : GRAZE_CLASH_TOUCHES));
        graze_clash_report_destroy(report);
    }
    release_parts(&all);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    moving_parts all = sliding_box(0.125);
    graze_clash_options options = options_of(&all);
    options.regions = true;
    options.tolerances.has_max_depth = true;
    options.tolerances.max_depth = 0.0625;
    size_t allowed = 0;
    for (bool done = false; !done; allowed += 1 + allowed / 16)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_clash_report *report = NULL;
        graze_status status = graze_clash_find(&context, all.parts, all.count, &options, NULL, &report);
        done = status == GRAZE_STATUS_OK && allocator.requests < allowed;
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
        if (status == GRAZE_STATUS_OK)
            assert_true(report->finding_count == 1 && report->findings[0].verdict == GRAZE_CLASH_CROSSES);
        graze_clash_report_destroy(report);
        assert_int_equal(allocator.live, 0);
    }
    assert_true(allowed > 100);
    release_parts(&all);
}

static void parts_that_never_meet_are_no_findings(void **state)
{
    (void)state;
    moving_parts all = two_boxes(3, box_between(0, 0, 0, 1, 1, 1), box_between(4.5, 0, 0, 5, 1, 1));
    const double places[3][3] = {{0, 0, 0}, {5, 5, 0}, {0, 0, 0}};
    shift_part(&all, 0, places);
    graze_clash_options options = options_of(&all);
    graze_clash_report *report = find(&all, &options);
    assert_true(report->finding_count == 0 && report->complete && report->counts.pairs_tested == 1);
    assert_int_equal(graze_clash_report_outcome(report), GRAZE_CLASH_OUTCOME_CLEAN);
    graze_clash_report_destroy(report);
    release_parts(&all);
}

static void shapes_are_told_between_frames(void **state)
{
    (void)state;
    graze_shape *ball = NULL;
    const double centre[3] = {0, 0, 0};
    assert_int_equal(graze_shape_create_sphere(NULL, centre, 0.5, &ball), GRAZE_STATUS_OK);
    /* through the box within a frame, into it at a frame, past it, and along it by less than rounding */
    const double contacts[] = {2 + 6.5 / 17, 1 + 7.5 / 9, 0, 0}, heights[] = {0, 0, 1.5 + 0x1p-20, 1.5 - 0x1p-52};
    for (int i = 0; i < 4; i++)
    {
        moving_parts all = two_boxes(3, box_between(0, 0, 0, 1, 1, 1), box_between(-1, -1, -1, 1, 1, 1));
        const double places[3][3] = {{-9, heights[i], 0}, {i == 1 ? 0 : -8, heights[i], 0}, {9, heights[i], 0}};
        all.parts[0].mesh = NULL;
        all.parts[0].shape = ball;
        shift_part(&all, 0, places);
        graze_clash_options options = options_of(&all);
        graze_clash_report *report = find(&all, &options);
        const graze_clash_finding *f = finding_of(report, 0, 1);
        if (i < 2)
        {
            assert_true(f != NULL && f->verdict == GRAZE_CLASH_CONTAINS && report->complete);
            assert_true(f->time[0] <= contacts[i] + 1e-12 && f->time[1] >= contacts[i] - 1e-12);
            assert_true(f->time[1] - f->time[0] < 1e-6 && f->has_crossing_time);
            assert_true(f->crossing_time[0] <= contacts[i] + 1e-12 && f->crossing_time[1] - f->time[0] < 1e-5);
        }
        else if (i == 2)
            assert_true(f == NULL && report->complete);
        else
            assert_true(f != NULL && f->verdict == GRAZE_CLASH_UNDECIDED && f->why != NULL && !report->complete);
        graze_clash_report_destroy(report);
        release_parts(&all);
    }
    graze_shape_destroy(ball);
}

/* --- the run --- */

static bool stop(void *user, double share)
{
    (void)share;
    ++*(int *)user;
    return false;
}

static void budgets_and_cancellation_leave_an_incomplete_report(void **state)
{
    (void)state;
    test_random random = test_random_start("interrupted", 3);
    moving_parts all = random_parts(&random, 8);
    graze_clash_options options = options_of(&all);
    int calls = 0;
    for (int i = 0; i < 2; i++)
    {
        options.budget =
            (graze_budget){.box_tests = i == 0 ? 3 : 0, .progress = i == 0 ? NULL : stop, .progress_user = &calls};
        graze_clash_report *report = find(&all, &options);
        assert_true(!report->complete && report->counts.pairs_undecided > 0);
        graze_clash_report_destroy(report);
    }
    assert_true(calls > 0);
    release_parts(&all);
}

static void threads_change_no_byte(void **state)
{
    (void)state;
    test_random random = test_random_start("threads", 5);
    moving_parts all = random_parts(&random, 8);
    written_text texts[2];
    for (uint32_t i = 0; i < 2; i++)
    {
        graze_pool *pool = NULL;
        graze_context context = {0};
        assert_int_equal(graze_pool_create(NULL, 1 + 3 * i, &pool), GRAZE_STATUS_OK);
        context.tasks = graze_pool_tasks(pool);
        graze_clash_options options = options_of(&all);
        options.regions = true;
        graze_clash_report *report = NULL;
        assert_int_equal(graze_clash_find(&context, all.parts, all.count, &options, NULL, &report), GRAZE_STATUS_OK);
        assert_true(report->finding_count > 3);
        texts[i] = written_by(graze_clash_write_json, report);
        graze_clash_report_destroy(report);
        graze_pool_destroy(pool);
    }
    assert_string_equal(texts[0].text, texts[1].text);
    for (int i = 0; i < 2; i++)
        free(texts[i].text);
    release_parts(&all);
}

static void documents_say_when(void **state)
{
    (void)state;
    moving_parts all = sliding_box(0.125);
    graze_clash_options options = options_of(&all);
    graze_clash_report *report = find(&all, &options);
    written_text text = written_by(graze_clash_write_json, report);
    cJSON *document = cJSON_Parse(text.text);
    const cJSON *through = cJSON_GetObjectItem(document, "through_time");
    assert_int_equal(json_number(through, "frames"), 4);
    const cJSON *finding = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "findings"), 0);
    const cJSON *time = cJSON_GetObjectItem(finding, "time"), *crossing = cJSON_GetObjectItem(finding, "crossing_time");
    assert_true(cJSON_GetArraySize(time) == 2 && cJSON_GetArrayItem(time, 0)->valuedouble == 1);
    assert_true(cJSON_GetArraySize(crossing) == 2 && cJSON_GetArrayItem(crossing, 0)->valuedouble == 3);
    assert_true(json_number(finding, "measured_at") == 4);
    cJSON_Delete(document);
    free(text.text);
    text = written_by(graze_clash_write_csv, report);
    assert_non_null(
        strstr(text.text, ",comment,time_lower,time_upper,crossing_lower,crossing_upper,measured_at,tool,"));
    assert_non_null(strstr(text.text, ",1,1,3,3"));
    free(text.text);
    text = written_by(graze_clash_write_junit, report);
    assert_non_null(strstr(text.text, ", frame 1, measured at 4, by default"));
    free(text.text);
    graze_clash_report_destroy(report);

    options.tracks = NULL; /* a report of one moment has no times */
    report = find(&all, &options);
    text = written_by(graze_clash_write_csv, report);
    assert_null(strstr(text.text, "time_lower"));
    free(text.text);
    text = written_by(graze_clash_write_json, report);
    assert_true(strstr(text.text, "through_time") == NULL && strstr(text.text, "measured_at") == NULL);
    free(text.text);
    graze_clash_report_destroy(report);
    release_parts(&all);
}

static void wrong_arguments_are_refused_in_words(void **state)
{
    (void)state;
    moving_parts all = sliding_box(0.125);
    for (int i = 0; i < 4; i++)
    {
        graze_clash_options options = options_of(&all);
        graze_clash_report *report = NULL;
        graze_error error = {.status = GRAZE_STATUS_OK};
        graze_motion kept = all.motions[0][1];
        if (i == 0)
            options.frame_count = 0;
        else if (i == 1)
            options.tolerances = (graze_clash_tolerances){.has_clearance = true, .clearance = 0.5};
        else if (i == 2)
            all.motions[0][1].kind = GRAZE_MOTION_SCREW;
        else
            all.motions[0][1].path[0][2] = NAN;
        static const graze_status expected[] = {GRAZE_STATUS_BAD_ARGUMENT, GRAZE_STATUS_BAD_ARGUMENT,
                                                GRAZE_STATUS_UNSUPPORTED, GRAZE_STATUS_NOT_FINITE};
        assert_int_equal(graze_clash_find(NULL, all.parts, 2, &options, &error, &report), expected[i]);
        assert_true(report == NULL && strlen(error.text) > 20);
        all.motions[0][1] = kept;
    }
    release_parts(&all);
}

/* Half-spaces whose planes are not parallel overlap without end, and depths are named with the frame they are of. */
static void measures_say_where_they_are_from(void **state)
{
    (void)state;
    graze_clash_finding finding = {.verdict = GRAZE_CLASH_CROSSES, .has_depth = true, .depth = {INFINITY, INFINITY}};
    assert_string_equal(graze_clash_finding_measure(&finding).text, "depth without end");
    finding.has_time = true;
    finding.time[0] = finding.time[1] = finding.measured_at = 2.5;
    finding.depth[0] = finding.depth[1] = 0.25;
    assert_string_equal(graze_clash_finding_measure(&finding).text, "depth 0.25, frame 2.5");
    finding.measured_at = 1234567.5;
    assert_string_equal(graze_clash_finding_measure(&finding).text, "depth 0.25, frame 2.5, measured at 1234568");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_say_where_they_are_from),
        cmocka_unit_test(times_are_those_of_each_segment_and_of_a_thousand_poses),
        cmocka_unit_test(a_bullet_between_frames_is_found_and_measured),
        cmocka_unit_test(aligned_boxes_overlap_though_surfaces_only_touch),
        cmocka_unit_test(contact_that_slides_is_allowed_until_it_dips),
        cmocka_unit_test(a_depth_between_frames_is_not_allowed_by_that_at_frames),
        cmocka_unit_test(parts_of_a_group_are_tested_once),
        cmocka_unit_test(what_only_rounding_makes_cross_touches),
        cmocka_unit_test(a_translation_that_rounds_up_proves_nothing),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(parts_that_never_meet_are_no_findings),
        cmocka_unit_test(shapes_are_told_between_frames),
        cmocka_unit_test(budgets_and_cancellation_leave_an_incomplete_report),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(documents_say_when),
        cmocka_unit_test(wrong_arguments_are_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
