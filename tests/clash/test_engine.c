/* SPDX-License-Identifier: MIT */
/* The engine: trees are built only for parts that no plane separates from the others, with the same answers when memory
 * runs out. */
#include "clash/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/tasks.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

#include "clash_meshes.h"

typedef struct fixture
{
    graze_mesh *meshes[4];
    graze_clash_part given[4];
    grz_clash_parts parts;
    grz_clash_rules *rules;
} fixture;

/* A triangle across the corner of the box a: its AABB contains that of b, its plane is beyond both. */
static graze_mesh *triangle_across(void)
{
    static const double vertices[9] = {20, 0, 0, 0, 20, 0, 0, 0, 20};
    static const uint32_t corners[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* Two boxes that cross, a triangle whose AABB overlaps theirs but which a plane separates from them, and a box far
 * away. */
static fixture open_fixture(const graze_context *context)
{
    static const char *const names[4] = {"a", "b", "c", "d"};
    fixture f = {.meshes = {box_between(0, 0, 0, 4, 4, 4), box_between(3, 3, 3, 5, 5, 5), triangle_across(),
                            box_between(90, 0, 0, 91, 1, 1)}};
    for (size_t i = 0; i < 4; i++)
        f.given[i] = part_of(names[i], f.meshes[i]);
    graze_clash_tolerances tolerances = {0};
    const graze_clash_options options = graze_clash_options_default();
    assert_int_equal(grz_clash_parts_make(context, f.given, 4, &options, NULL, &f.parts), GRAZE_STATUS_OK);
    f.rules = grz_clash_rules_make(context, NULL, &tolerances);
    assert_true(f.rules != NULL && grz_clash_rules_prepare(f.rules, f.parts.parts, f.parts.count));
    return f;
}

static void close_fixture(const graze_context *context, fixture *f)
{
    grz_clash_rules_release(f->rules);
    grz_clash_parts_release(context, &f->parts);
    for (size_t i = 0; i < 4; i++)
        graze_mesh_destroy(f->meshes[i]);
}

static graze_status check(fixture *f, const graze_context *context, bool self, graze_clash_report *out_report)
{
    grz_clash_request request = {.context = context,
                                 .parts = f->parts.parts,
                                 .part_count = f->parts.count,
                                 .owner = &f->parts,
                                 .rules = f->rules,
                                 .self = self};
    *out_report = (graze_clash_report){.parts = f->given, .part_count = 4};
    return grz_clash_find(&request, out_report);
}

static void trees_are_built_where_a_pair_or_a_part_itself_needs_one(void **state)
{
    (void)state;
    graze_context context = graze_context_default();
    fixture f = open_fixture(&context);
    graze_clash_report report;
    assert_int_equal(check(&f, &context, false, &report), GRAZE_STATUS_OK);
    assert_true(report.finding_count == 1 && report.counts.pairs_tested == 3 && report.complete);
    assert_true(f.parts.parts[0].placed.tree != NULL && f.parts.parts[1].placed.tree != NULL);
    assert_true(f.parts.parts[2].placed.tree == NULL && f.parts.parts[3].placed.tree == NULL);
    grz_clash_report_release(&context, &report);
    assert_int_equal(check(&f, &context, true, &report), GRAZE_STATUS_OK);
    assert_true(report.finding_count == 1 && report.counts.selves_tested == 4);
    for (size_t i = 0; i < 4; i++)
        assert_non_null(f.parts.parts[i].placed.tree);
    grz_clash_report_release(&context, &report);
    close_fixture(&context, &f);
}

/* Parts that a plane separates by less than the clearance go on to the narrow phase. */
static void gaps_at_the_clearance_are_findings(void **state)
{
    (void)state;
    graze_mesh *meshes[2] = {box_between(0, 0, 0, 1, 1, 1), box_between(2, 0, 0, 3, 1, 1)};
    graze_clash_part parts[2] = {part_of("a", meshes[0]), part_of("b", meshes[1])};
    for (int wider = 0; wider < 3; wider++)
    {
        graze_clash_options options = graze_clash_options_default();
        options.tolerances = (graze_clash_tolerances){.clearance = 0.5 + 0.75 * wider, .has_clearance = true};
        graze_clash_report *report = NULL;
        assert_int_equal(graze_clash_find(NULL, parts, 2, &options, NULL, &report), GRAZE_STATUS_OK);
        assert_int_equal(report->finding_count, wider > 0);
        assert_true(report->complete);
        graze_clash_report_destroy(report);
    }
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

/* A block of cubes face to face has more candidates than one batch of the engine. */
static void every_pair_of_many_is_found_once(void **state)
{
    (void)state;
    enum
    {
        SIDE = 8,
        CUBES = SIDE * SIDE * SIDE,
        ROOM = 3 * SIDE - 2, /* neighbours along one axis, the cube itself included, summed over a row */
        PAIRS = (ROOM * ROOM * ROOM - CUBES) / 2
    };
    static char names[CUBES][8];
    static bool seen[CUBES][CUBES];
    static graze_clash_part parts[CUBES];
    graze_mesh *mesh = box_between(0, 0, 0, 1, 1, 1);
    for (int i = 0; i < CUBES; i++)
    {
        snprintf(names[i], sizeof names[i], "%03d", i);
        parts[i] = part_of(names[i], mesh);
        parts[i].pose.m[3] = i % SIDE;
        parts[i].pose.m[7] = i / SIDE % SIDE;
        parts[i].pose.m[11] = i / (SIDE * SIDE);
    }
    for (uint32_t threads = 1; threads <= 2; threads++)
    {
        graze_context context = graze_context_default();
        graze_pool *pool;
        assert_int_equal(graze_pool_create(NULL, threads, &pool), GRAZE_STATUS_OK);
        context.tasks = graze_pool_tasks(pool);
        graze_clash_options options = graze_clash_options_default();
        graze_clash_report *report = NULL;
        assert_int_equal(graze_clash_find(&context, parts, CUBES, &options, NULL, &report), GRAZE_STATUS_OK);
        assert_true(report->complete);
        assert_int_equal(report->finding_count, PAIRS);
        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < report->finding_count; i++)
        {
            const graze_clash_finding *f = &report->findings[i];
            assert_int_equal(f->verdict, GRAZE_CLASH_TOUCHES);
            for (int axis = 0; axis < 3; axis++)
                assert_true(fabs(parts[f->a].pose.m[4 * axis + 3] - parts[f->b].pose.m[4 * axis + 3]) <= 1);
            assert_false(seen[f->a][f->b] || f->a >= f->b);
            seen[f->a][f->b] = true;
        }
        graze_clash_report_destroy(report);
        graze_pool_destroy(pool);
    }
    graze_mesh_destroy(mesh);
}

static void memory_that_ends_ends_the_run(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = SIZE_MAX};
        graze_context context = failing_allocator_context(&allocator);
        fixture f = open_fixture(&context);
        graze_clash_report report;
        allocator.allowed = allocator.requests + allowed;
        graze_status status = check(&f, &context, true, &report);
        grz_clash_report_release(&context, &report);
        allocator.allowed = SIZE_MAX;
        close_fixture(&context, &f);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    printf("%zu failures\n", failures);
    assert_true(failures > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_built_where_a_pair_or_a_part_itself_needs_one),
        cmocka_unit_test(gaps_at_the_clearance_are_findings),
        cmocka_unit_test(every_pair_of_many_is_found_once),
        cmocka_unit_test(memory_that_ends_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
