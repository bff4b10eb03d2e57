/* SPDX-License-Identifier: MIT */
/* Gaps of parts: closed within the resolution, told once for each mesh, left alone for surfaces and resolution 0. */
#include "graze/clash.h"

#include <string.h>

#include "support/failing_allocator.h"
#include "support/unit.h"

#include "clash_meshes.h"

/* A box whose upper face is a little above its sides. */
static graze_mesh *box_with_gap(double gap)
{
    graze_mesh *box = box_between(0, 0, 0, 10, 10, 10), *open = NULL;
    double vertices[36];
    uint32_t corners[36];
    memcpy(vertices, graze_mesh_vertices(box), 24 * sizeof *vertices);
    memcpy(vertices + 24, graze_mesh_vertices(box) + 12, 12 * sizeof *vertices);
    memcpy(corners, graze_mesh_triangles(box), sizeof corners);
    for (int i = 6; i < 12; i++) /* triangles 2 and 3 */
        corners[i] += 4;
    for (int i = 8; i < 12; i++)
        vertices[3 * i + 2] += gap;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 12;
    def.corners = corners;
    def.corner_count = 36;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &open), GRAZE_STATUS_OK);
    graze_mesh_destroy(box);
    return open;
}

typedef struct fixture
{
    graze_mesh *meshes[2];
    graze_clash_part parts[3];
} fixture;

/* Two boxes with gaps that share a mesh, the second far away; a small closed box in the first. */
static fixture open_fixture(double gap, double resolution)
{
    fixture f = {.meshes = {box_with_gap(gap), box_between(4, 4, 4, 5, 5, 5)}};
    f.parts[0] = part_of("box", f.meshes[0]);
    f.parts[1] = part_of("copy", f.meshes[0]);
    f.parts[2] = part_of("small", f.meshes[1]);
    f.parts[1].pose.m[3] = 100;
    for (int i = 0; i < 3; i++)
        f.parts[i].resolution = resolution;
    return f;
}

static void close_fixture(fixture *f)
{
    graze_mesh_destroy(f->meshes[0]);
    graze_mesh_destroy(f->meshes[1]);
}

static bool is_closed(double gap, double resolution, uint32_t flags, size_t problems)
{
    fixture f = open_fixture(gap, resolution);
    graze_clash_report *report = NULL;
    f.parts[0].flags = f.parts[1].flags = flags;
    assert_int_equal(graze_clash_find(NULL, f.parts, 3, NULL, NULL, &report), GRAZE_STATUS_OK);
    bool closed = report->facts[0].closed;
    assert_int_equal(closed, report->facts[1].closed);
    assert_int_equal(report->problem_count, problems);
    if (problems > 0)
        assert_string_equal(report->problems[0].what, "4 gaps no wider than the resolution were closed");
    if (problems > 0)
        assert_string_equal(report->problems[0].part, "box");
    if (closed)
    {
        assert_int_equal(report->finding_count, 1);
        assert_int_equal(report->findings[0].verdict, GRAZE_CLASH_CONTAINS);
        assert_true(report->complete);
    }
    graze_clash_report_destroy(report);
    close_fixture(&f);
    return closed;
}

static void gaps_within_the_resolution_are_closed_and_told(void **state)
{
    (void)state;
    assert_true(is_closed(1e-6, 1e-6, 0, 1));
    assert_true(is_closed(1e-6, 1e-3, 0, 1));
}

static void wider_gaps_resolution_zero_and_surfaces_stay_open(void **state)
{
    (void)state;
    assert_false(is_closed(1e-6, 0, 0, 0));
    assert_false(is_closed(1e-6, 0.4e-6, 0, 0)); /* either end may be off by the resolution */
    assert_true(is_closed(1e-6, 0.6e-6, 0, 1));
    assert_false(is_closed(1e-6, 1e-6, GRAZE_CLASH_PART_SURFACE, 0));
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    fixture f = open_fixture(1e-6, 1e-6);
    size_t failures = 0;
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t allowed = 0; status != GRAZE_STATUS_OK; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_clash_report *report = NULL;
        status = graze_clash_find(&context, f.parts, 3, NULL, NULL, &report);
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
        failures += status != GRAZE_STATUS_OK;
        graze_clash_report_destroy(report);
        assert_int_equal(allocator.live, 0);
    }
    assert_true(failures >= 20);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_within_the_resolution_are_closed_and_told),
        cmocka_unit_test(wider_gaps_resolution_zero_and_surfaces_stay_open),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
