/* SPDX-License-Identifier: MIT */
/* Findings about open parts: undecided with reason and open edges, decided as surfaces, or as if they were closed. */
#include "graze/clash.h"

#include <stdio.h>
#include <string.h>

#include "support/failing_allocator.h"
#include "support/unit.h"

#include "open_parts.h"

typedef struct fixture
{
    graze_mesh *meshes[2];
    graze_clash_part parts[2];
    graze_clash_options options;
    graze_clash_report *report;
} fixture;

/* Takes the meshes. */
static fixture open_fixture(graze_mesh *a, graze_mesh *b)
{
    fixture f = {.meshes = {a, b}, .parts = {part_of("a", a), part_of("b", b)}};
    f.options = graze_clash_options_default();
    return f;
}

static graze_status run(fixture *f, const graze_context *context)
{
    graze_clash_report_destroy(f->report);
    f->report = NULL;
    return graze_clash_find(context, f->parts, 2, &f->options, NULL, &f->report);
}

/* The only finding, or NULL. */
static const graze_clash_finding *find(fixture *f)
{
    assert_int_equal(run(f, NULL), GRAZE_STATUS_OK);
    assert_true(f->report->finding_count <= 1);
    return f->report->finding_count > 0 ? &f->report->findings[0] : NULL;
}

static void close_fixture(fixture *f)
{
    graze_clash_report_destroy(f->report);
    graze_mesh_destroy(f->meshes[0]);
    graze_mesh_destroy(f->meshes[1]);
}

static void expect_undecided(fixture *f, size_t open_edges)
{
    const graze_clash_finding *finding = find(f);
    assert_non_null(finding);
    assert_int_equal(finding->verdict, GRAZE_CLASH_UNDECIDED);
    assert_non_null(strstr(finding->why, "is not closed"));
    assert_non_null(finding->details);
    assert_int_equal(finding->details->open_edge_count, open_edges);
    assert_false(graze_clash_finding_fails(f->report, finding));
    assert_false(f->report->complete);
    assert_int_equal(f->report->counts.pairs_undecided, 1);
    assert_int_equal(f->report->counts.pairs_tested, 0);
    assert_int_equal(graze_clash_report_outcome(f->report), GRAZE_CLASH_OUTCOME_INCOMPLETE);
}

static void allow_touch(fixture *f)
{
    f->options.tolerances.allow_touch = f->options.tolerances.has_allow_touch = true;
}

static fixture half_overlapping_cubes(void)
{
    return open_fixture(box_between(0, 0, 0, 10, 10, 10), box_without_lower_x(5, 0, 0, 15, 10, 10));
}

/* The missing face lies inside the other cube; or the other cube reaches through it without touching. */
static void cubes_that_overlap_through_a_missing_face_are_undecided(void **state)
{
    (void)state;
    fixture f = half_overlapping_cubes();
    expect_undecided(&f, 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(f.report->findings[0].details->open_edges[i][0][0] == 5);
    allow_touch(&f);
    expect_undecided(&f, 4);
    close_fixture(&f);
    f = open_fixture(box_between(0, 0, 0, 10, 10, 10), box_without_lower_x(5, -1, -1, 15, 11, 11));
    expect_undecided(&f, 4);
    allow_touch(&f);
    expect_undecided(&f, 4);
    close_fixture(&f);
}

static fixture magnet_in_housing(void)
{
    graze_mesh *housing = box_between(0, 0, 0, 50, 50, 50);
    fixture f = open_fixture(without_triangles(housing, 3, 1), box_between(20, 20, 20, 30, 30, 30));
    graze_mesh_destroy(housing);
    return f;
}

/* A housing with walls, one triangle of its outer surface missing. */
static fixture magnet_in_cavity(void)
{
    graze_mesh *outer = box_between(0, 0, 0, 50, 50, 50), *inner = box_between(10, 10, 10, 40, 40, 40), *housing = NULL;
    double vertices[48];
    uint32_t corners[72];
    memcpy(vertices, graze_mesh_vertices(outer), 24 * sizeof *vertices);
    memcpy(vertices + 24, graze_mesh_vertices(inner), 24 * sizeof *vertices);
    for (uint32_t i = 0; i < 36; i++)
    {
        corners[i] = graze_mesh_triangles(outer)[i];
        corners[71 - i] = graze_mesh_triangles(inner)[i] + 8; /* turned inside out */
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 16;
    def.corners = corners;
    def.corner_count = 72;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &housing), GRAZE_STATUS_OK);
    fixture f = open_fixture(without_triangles(housing, 3, 1), box_between(20, 20, 20, 30, 30, 30));
    graze_mesh_destroy(outer);
    graze_mesh_destroy(inner);
    graze_mesh_destroy(housing);
    return f;
}

static void a_part_in_a_housing_with_a_hole_is_undecided(void **state)
{
    (void)state;
    fixture f = magnet_in_housing();
    expect_undecided(&f, 3);
    allow_touch(&f);
    expect_undecided(&f, 3);
    close_fixture(&f);
}

/* The certain part of it fails. */
static void a_gap_below_the_clearance_remains_a_finding(void **state)
{
    (void)state;
    fixture f = magnet_in_housing();
    f.options.tolerances.clearance = 25;
    f.options.tolerances.has_clearance = true;
    const graze_clash_finding *finding = find(&f);
    assert_non_null(finding);
    assert_int_equal(finding->verdict, GRAZE_CLASH_TOO_CLOSE);
    assert_true(finding->undecided && finding->why != NULL);
    assert_int_equal(finding->details->open_edge_count, 3);
    assert_true(graze_clash_finding_fails(f.report, finding));
    assert_int_equal(f.report->counts.pairs_undecided, 1);
    close_fixture(&f);
}

static void surfaces_that_cross_are_certain(void **state)
{
    (void)state;
    fixture f = open_fixture(box_between(0, 0, 0, 10, 10, 10), box_without_lower_x(5, 1, 1, 15, 9, 9));
    const graze_clash_finding *finding = find(&f);
    assert_non_null(finding);
    assert_int_equal(finding->verdict, GRAZE_CLASH_CROSSES);
    assert_true(f.report->complete && !finding->estimated);
    close_fixture(&f);
    f = open_fixture(box_between(0, 0, 0, 10, 10, 10), box_without_lower_x(4, 4, 4, 5, 5, 5));
    finding = find(&f);
    assert_non_null(finding);
    assert_int_equal(finding->verdict, GRAZE_CLASH_CONTAINS);
    assert_true(f.report->complete && finding->a_in_b == false);
    close_fixture(&f);
}

static void open_parts_beside_others_are_decided(void **state)
{
    (void)state;
    fixture f = open_fixture(box_between(0, 0, 0, 10, 10, 10), box_without_lower_x(10, 0, 0, 20, 10, 10));
    const graze_clash_finding *finding = find(&f);
    assert_non_null(finding);
    assert_int_equal(finding->verdict, GRAZE_CLASH_TOUCHES);
    assert_true(f.report->complete);
    allow_touch(&f);
    assert_null(find(&f));
    assert_true(f.report->complete);
    close_fixture(&f);
    f = open_fixture(box_between(0, 0, 0, 10, 10, 10), box_without_lower_x(11, 0, 0, 20, 10, 10));
    assert_null(find(&f));
    assert_true(f.report->complete);
    close_fixture(&f);
}

static void nothing_is_asked_of_the_inside_of_surfaces(void **state)
{
    (void)state;
    fixture f = magnet_in_housing();
    f.parts[0].flags = GRAZE_CLASH_PART_SURFACE;
    assert_null(find(&f));
    assert_true(f.report->complete);
    close_fixture(&f);
    f = half_overlapping_cubes();
    f.parts[1].flags = GRAZE_CLASH_PART_SURFACE;
    const graze_clash_finding *finding = find(&f);
    assert_non_null(finding);
    assert_int_equal(finding->verdict, GRAZE_CLASH_TOUCHES);
    assert_string_equal(finding->touch_kind, "face");
    assert_true(f.report->complete);
    allow_touch(&f);
    assert_null(find(&f));
    close_fixture(&f);
    /* Also of a surface that happens to be closed. */
    f = open_fixture(box_between(0, 0, 0, 50, 50, 50), box_between(20, 20, 20, 30, 30, 30));
    assert_int_equal(find(&f)->verdict, GRAZE_CLASH_CONTAINS);
    f.parts[0].flags = GRAZE_CLASH_PART_SURFACE;
    assert_null(find(&f));
    f.parts[0].flags = 0;
    f.parts[1].flags = GRAZE_CLASH_PART_SURFACE; /* a surface in a solid */
    assert_int_equal(find(&f)->verdict, GRAZE_CLASH_CONTAINS);
    close_fixture(&f);
}

/* Two pairs of the same meshes in the same relative placement, far from each other: one is about a surface. */
static void verdicts_on_surfaces_are_not_those_on_solids(void **state)
{
    (void)state;
    graze_mesh *outer = box_between(0, 0, 0, 50, 50, 50), *inner = box_between(20, 20, 20, 30, 30, 30);
    for (int surface = 0; surface < 4; surface += 2)
    {
        graze_clash_part parts[4] = {part_of("a", outer), part_of("b", inner), part_of("c", outer),
                                     part_of("d", inner)};
        parts[2].pose.m[3] = parts[3].pose.m[3] = 1024;
        parts[surface].flags = GRAZE_CLASH_PART_SURFACE;
        graze_clash_report *report = NULL;
        assert_int_equal(graze_clash_find(NULL, parts, 4, NULL, NULL, &report), GRAZE_STATUS_OK);
        assert_int_equal(report->finding_count, 1);
        assert_int_equal(report->findings[0].verdict, GRAZE_CLASH_CONTAINS);
        assert_int_equal(report->findings[0].a, surface == 0 ? 2 : 0);
        graze_clash_report_destroy(report);
    }
    graze_mesh_destroy(outer);
    graze_mesh_destroy(inner);
}

static void closedness_may_be_assumed(void **state)
{
    (void)state;
    fixture f = half_overlapping_cubes();
    f.options.assume_closed = true;
    const graze_clash_finding *finding = find(&f);
    assert_non_null(finding);
    assert_int_equal(finding->verdict, GRAZE_CLASH_CROSSES);
    assert_true(finding->estimated && f.report->complete && graze_clash_finding_fails(f.report, finding));
    close_fixture(&f);
    f = magnet_in_housing();
    f.options.assume_closed = true;
    finding = find(&f);
    assert_non_null(finding);
    assert_int_equal(finding->verdict, GRAZE_CLASH_CONTAINS);
    assert_true(finding->estimated && !finding->a_in_b && f.report->complete);
    close_fixture(&f);
    f = magnet_in_cavity();
    expect_undecided(&f, 3);
    f.options.assume_closed = true;
    assert_null(find(&f));
    assert_true(f.report->complete);
    close_fixture(&f);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    fixture f = half_overlapping_cubes();
    size_t failures = 0;
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t allowed = 0; status != GRAZE_STATUS_OK; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        status = run(&f, &context);
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
        failures += status != GRAZE_STATUS_OK;
        graze_clash_report_destroy(f.report);
        f.report = NULL;
        assert_int_equal(allocator.live, 0);
    }
    assert_true(failures >= 20);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_that_overlap_through_a_missing_face_are_undecided),
        cmocka_unit_test(a_part_in_a_housing_with_a_hole_is_undecided),
        cmocka_unit_test(a_gap_below_the_clearance_remains_a_finding),
        cmocka_unit_test(surfaces_that_cross_are_certain),
        cmocka_unit_test(open_parts_beside_others_are_decided),
        cmocka_unit_test(nothing_is_asked_of_the_inside_of_surfaces),
        cmocka_unit_test(verdicts_on_surfaces_are_not_those_on_solids),
        cmocka_unit_test(closedness_may_be_assumed),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
