/* SPDX-License-Identifier: MIT */
/* Cameras of findings: they show both parts, or the contact, from a side where it is seen. */
#include "graze/clash.h"

#include <math.h>

#include "support/unit.h"

#include "clash_meshes.h"

static const double tangent = 0.41421356237309503; /* of half the vertical angle of 45 degrees */

typedef struct two_boxes
{
    graze_mesh *meshes[2];
    graze_clash_part parts[2];
    graze_clash_report *report;
    graze_clash_camera camera;
} two_boxes;

static two_boxes find_boxes(graze_mesh *a, graze_mesh *b, double clearance, bool y_up)
{
    two_boxes made = {.meshes = {a, b}, .parts = {part_of("a", a), part_of("b", b)}};
    graze_clash_options options = graze_clash_options_default();
    options.tolerances.clearance = clearance;
    options.tolerances.has_clearance = true;
    options.regions = true;
    assert_int_equal(graze_clash_find(NULL, made.parts, 2, &options, NULL, &made.report), GRAZE_STATUS_OK);
    assert_int_equal(made.report->finding_count, 1);
    assert_int_equal(graze_clash_finding_camera(made.report, made.report->findings, y_up, &made.camera),
                     GRAZE_STATUS_OK);
    return made;
}

static void release_boxes(two_boxes *boxes)
{
    graze_clash_report_destroy(boxes->report);
    graze_mesh_destroy(boxes->meshes[0]);
    graze_mesh_destroy(boxes->meshes[1]);
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Where a point is in the picture: 1 at the upper edge, 4/3 at the right one. */
static void project(const graze_clash_camera *camera, const double point[3], double out[2])
{
    const double *d = camera->direction, *u = camera->up;
    const double right[3] = {d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0]};
    double from[3];
    for (int i = 0; i < 3; i++)
        from[i] = point[i] - camera->position[i];
    assert_true(dot(from, d) > 0);
    out[0] = dot(from, right) / dot(from, d) / tangent;
    out[1] = dot(from, u) / dot(from, d) / tangent;
}

static void expect_camera(const graze_clash_camera *camera)
{
    assert_true(fabs(dot(camera->direction, camera->direction) - 1) < 1e-12);
    assert_true(fabs(dot(camera->up, camera->up) - 1) < 1e-12);
    assert_true(fabs(dot(camera->up, camera->direction)) < 1e-12);
    assert_true(camera->field_of_view == 45 && camera->distance > 0);
}

/* All corners are in the picture, and the picture is not mostly empty. */
static void expect_whole(const two_boxes *boxes)
{
    double most = 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < 8; i++)
        {
            double at[2];
            project(&boxes->camera, graze_mesh_vertices(boxes->meshes[k]) + 3 * i, at);
            assert_true(fabs(at[0]) <= 4.0 / 3 && fabs(at[1]) <= 1);
            most = fmax(most, fmax(fabs(at[0]) * 0.75, fabs(at[1])));
        }
    assert_true(most > 0.8);
}

static void both_parts_are_in_view(void **state)
{
    (void)state;
    for (int y_up = 0; y_up < 2; y_up++)
    {
        two_boxes boxes = find_boxes(box_between(0, 0, 0, 4, 3, 2), box_between(3, 1, 1, 8, 2, 5), 0, y_up != 0);
        expect_camera(&boxes.camera);
        expect_whole(&boxes);
        assert_true(boxes.camera.up[y_up ? 1 : 2] > 0.5);
        release_boxes(&boxes);
    }
}

static void a_small_contact_of_large_parts_is_not_lost(void **state)
{
    (void)state;
    two_boxes boxes =
        find_boxes(box_between(0, 0, 0, 1000, 1000, 10), box_between(990, 990, 9, 992, 992, 12), 0, false);
    double at[2];
    expect_camera(&boxes.camera);
    project(&boxes.camera, boxes.report->findings[0].point, at);
    assert_true(fabs(at[0]) < 0.3 && fabs(at[1]) < 0.3);
    assert_true(boxes.camera.distance < 40);
    release_boxes(&boxes);
}

static void a_gap_is_seen_from_the_side(void **state)
{
    (void)state;
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++)
    {
        const double *d = axes[i];
        two_boxes boxes =
            find_boxes(box_between(0, 0, 0, 1, 1, 1),
                       box_between(1.1 * d[0], 1.1 * d[1], 1.1 * d[2], 1 + 1.1 * d[0], 1 + 1.1 * d[1], 1 + 1.1 * d[2]),
                       0.2, false);
        assert_int_equal(boxes.report->findings[0].verdict, GRAZE_CLASH_TOO_CLOSE);
        expect_camera(&boxes.camera);
        assert_true(fabs(dot(boxes.camera.direction, d)) < 0.1);
        release_boxes(&boxes);
    }
}

/* A box that reaches out of a plate on one side only: the curve is seen from there, not through the plate. */
static void the_contact_is_seen_from_the_side_where_nothing_hides_it(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++)
    {
        two_boxes boxes =
            side == 0 ? find_boxes(box_between(0, -9, -9, 1, 9, 9), box_between(0.5, -2, -2, 3, 2, 2), 0, false)
                      : find_boxes(box_between(0, -9, -9, 1, 9, 9), box_between(-2, -2, -2, 0.5, 2, 2), 0, false);
        assert_true(side == 0 ? boxes.camera.direction[0] < 0 : boxes.camera.direction[0] > 0);
        release_boxes(&boxes);
    }
}

static void what_lies_within_is_in_view(void **state)
{
    (void)state;
    two_boxes boxes = find_boxes(box_between(0, 0, 0, 9, 9, 9), box_between(3, 3, 3, 5, 5, 5), 0, false);
    assert_int_equal(boxes.report->findings[0].verdict, GRAZE_CLASH_CONTAINS);
    expect_whole(&boxes);
    boxes.report->findings[0].verdict = GRAZE_CLASH_UNDECIDED; /* as of an open housing */
    boxes.report->findings[0].has_depth = false;
    assert_int_equal(graze_clash_finding_camera(boxes.report, boxes.report->findings, false, &boxes.camera),
                     GRAZE_STATUS_OK);
    expect_whole(&boxes);
    release_boxes(&boxes);
}

static void parts_beyond_what_cameras_can_show_are_refused(void **state)
{
    (void)state;
    two_boxes boxes = find_boxes(box_between(0, 0, 0, 4, 3, 2), box_between(3, 1, 1, 8, 2, 5), 0, false);
    graze_clash_camera camera = boxes.camera;
    graze_clash_part *parts = (graze_clash_part *)boxes.report->parts;
    parts[0].pose.m[0] = 1e300; /* alone, it is as much of it as is seen around the contact */
    assert_int_equal(graze_clash_finding_camera(boxes.report, boxes.report->findings, false, &camera), GRAZE_STATUS_OK);
    camera = boxes.camera;
    parts[1].pose.m[0] = 1e300;
    assert_int_equal(graze_clash_finding_camera(boxes.report, boxes.report->findings, false, &camera),
                     GRAZE_STATUS_NOT_FINITE);
    assert_memory_equal(&camera, &boxes.camera, sizeof camera);
    release_boxes(&boxes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_parts_are_in_view),
        cmocka_unit_test(a_small_contact_of_large_parts_is_not_lost),
        cmocka_unit_test(a_gap_is_seen_from_the_side),
        cmocka_unit_test(the_contact_is_seen_from_the_side_where_nothing_hides_it),
        cmocka_unit_test(what_lies_within_is_in_view),
        cmocka_unit_test(parts_beyond_what_cameras_can_show_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
