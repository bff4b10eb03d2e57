/* SPDX-License-Identifier: MIT */
/*
 * Two open parts that cross hold no common point, so their depth was 0, which is within every resolution: the verdict
 * was "touches". A limit on the depth let any crossing with an open part pass, however far the other part lies in its
 * unknown inside. Such a depth has no upper bound; a plane that separates the parts up to the resolution still counts.
 */
#include "graze/clash.h"

#include <math.h>

#include "support/unit.h"

#include "../clash/open_parts.h"

typedef struct outcome
{
    size_t count;
    graze_clash_verdict verdict;
    bool within_resolution;
    double depth[2], way_out;
} outcome;

/* Takes the meshes. */
static outcome clash_of(graze_mesh *a, graze_mesh *b, double resolution, double max_depth, bool are_surfaces)
{
    graze_clash_part parts[2] = {part_of("a", a), part_of("b", b)};
    static const char *const all[] = {"*"};
    graze_clash_options options = graze_clash_options_default();
    graze_clash_report *report = NULL;
    options.has_resolution = true;
    options.resolution = resolution;
    options.tolerances = (graze_clash_tolerances){.max_depth = max_depth, .has_max_depth = true};
    options.surfaces = all;
    options.surface_count = are_surfaces ? 1 : 0;
    assert_int_equal(graze_clash_find(NULL, parts, 2, &options, NULL, &report), GRAZE_STATUS_OK);
    outcome o = {.count = report->finding_count};
    if (o.count > 0)
    {
        const graze_clash_finding *f = &report->findings[0];
        assert_true(f->has_depth);
        o = (outcome){1, f->verdict, f->within_resolution, {f->depth[0], f->depth[1]}, f->way_out[1]};
    }
    graze_clash_report_destroy(report);
    graze_mesh_destroy(a);
    graze_mesh_destroy(b);
    return o;
}

static void two_open_parts_that_cross_do_not_touch(void **state)
{
    (void)state;
    outcome o =
        clash_of(box_without_lower_x(0, 0, 0, 10, 10, 10), box_without_lower_x(5, 5, 5, 15, 15, 15), 1e-6, 0, false);
    assert_int_equal(o.verdict, GRAZE_CLASH_CROSSES);
    assert_true(!o.within_resolution && o.depth[0] == 0 && isinf(o.depth[1]));
}

/* Only a wall of the open part is in the pin, however deep the pin is in the part. */
static void no_limit_allows_a_crossing_with_an_open_part(void **state)
{
    (void)state;
    outcome o =
        clash_of(box_without_lower_x(0, 0, 0, 10, 10, 10), box_between(5, 4.9, 4.9, 12, 5.1, 5.1), 1e-6, 1, false);
    assert_int_equal(o.count, 1);
    assert_int_equal(o.verdict, GRAZE_CLASH_CROSSES);
    assert_true(o.depth[0] > 0.09 && o.depth[0] < 0.101 && isinf(o.depth[1]));
    o = clash_of(box_between(0, 0, 0, 10, 10, 10), box_between(5, 4.9, 4.9, 12, 5.1, 5.1), 1e-6, 6, false);
    assert_int_equal(o.count, 0);
}

static void open_parts_beside_one_another_up_to_rounding_touch(void **state)
{
    (void)state;
    outcome o =
        clash_of(box_without_lower_x(0, 0, 0, 10, 10, 10), box_between(10 - 1e-9, 1, 1, 20, 9, 9), 1e-6, 0, false);
    assert_int_equal(o.verdict, GRAZE_CLASH_TOUCHES);
    assert_true(o.within_resolution && o.depth[1] <= 2e-6);
}

/* Nothing is asked of the inside of surfaces: what separates them is their depth. */
static void surfaces_are_as_deep_as_their_way_out(void **state)
{
    (void)state;
    outcome o = clash_of(box_between(0, 0, 0, 10, 10, 10), box_between(9, 5, 5, 15, 15, 15), 1e-6, 0, true);
    assert_int_equal(o.verdict, GRAZE_CLASH_CROSSES);
    assert_true(o.depth[0] == 0 && o.depth[1] == o.way_out && o.way_out < 1.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_open_parts_that_cross_do_not_touch),
        cmocka_unit_test(no_limit_allows_a_crossing_with_an_open_part),
        cmocka_unit_test(open_parts_beside_one_another_up_to_rounding_touch),
        cmocka_unit_test(surfaces_are_as_deep_as_their_way_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
