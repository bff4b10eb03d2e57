/* SPDX-License-Identifier: MIT */
/* The engine of graze clash: trees are built only for parts that no plane separates from the others, with the same
 * answers when memory runs out. */
#define _POSIX_C_SOURCE 200809L

#include "clash/engine.h"

#include "clash_boxes.h"
#include "support/failing_allocator.h"

typedef struct fixture
{
    tool_inputs inputs;
    clash_parts parts;
    clash_rules *rules;
} fixture;

static const tool_console console = {0};

/* Two boxes that cross, one whose AABB overlaps theirs but which a plane separates from them, and one far away. */
static fixture open_fixture(const graze_context *context)
{
    FILE *file = fopen("four.obj", "w");
    assert_non_null(file);
    put_box(file, "a", (double[3]){0, 0, 0}, (double[3]){4, 4, 4}, 1);
    put_box(file, "b", (double[3]){3, 3, 3}, (double[3]){5, 5, 5}, 9);
    /* A triangle across the corner of a: its AABB contains that of b, its plane is beyond both. */
    fputs("o c\nv 20 0 0\nv 0 20 0\nv 0 0 20\nf 17 18 19\n", file);
    put_box(file, "d", (double[3]){90, 0, 0}, (double[3]){91, 1, 1}, 20);
    assert_int_equal(fclose(file), 0);
    fixture f = {0};
    clash_tolerances tolerances = {0};
    assert_int_equal(inputs_read(&console, NULL, (const char *const[]){"four.obj"}, 1, UNIT_NONE, &f.inputs), 0);
    assert_int_equal(clash_parts_make(&console, context, &f.inputs, NULL, NULL, &f.parts), 0);
    assert_int_equal(clash_rules_load(&console, NULL, &tolerances, &f.rules), 0);
    assert_true(clash_rules_prepare(f.rules, f.parts.parts, f.parts.count));
    return f;
}

static void close_fixture(fixture *f)
{
    clash_rules_release(f->rules);
    clash_parts_release(&f->parts);
    inputs_release(&f->inputs);
}

static exit_code check(fixture *f, const graze_context *context, bool self, clash_report *out_report)
{
    clash_request request = {.console = &console,
                             .context = context,
                             .parts = f->parts.parts,
                             .part_count = f->parts.count,
                             .owner = &f->parts,
                             .rules = f->rules,
                             .self = self};
    *out_report = (clash_report){0};
    return clash_find(&request, out_report);
}

static void trees_are_built_where_a_pair_or_a_part_itself_needs_one(void **state)
{
    (void)state;
    graze_context context = graze_context_default();
    fixture f = open_fixture(&context);
    clash_report report;
    assert_int_equal(f.parts.count, 4);
    assert_int_equal(check(&f, &context, false, &report), 0);
    assert_true(report.finding_count == 1 && report.counts.pairs_tested == 3 && report.complete);
    assert_true(f.parts.parts[0].placed.tree != NULL && f.parts.parts[1].placed.tree != NULL);
    assert_true(f.parts.parts[2].placed.tree == NULL && f.parts.parts[3].placed.tree == NULL);
    clash_report_release(&report);
    assert_int_equal(check(&f, &context, true, &report), 0);
    assert_true(report.finding_count == 1 && report.counts.selves_tested == 4);
    for (size_t i = 0; i < 4; i++)
        assert_non_null(f.parts.parts[i].placed.tree);
    clash_report_release(&report);
    close_fixture(&f);
}

/* Parts that a plane separates by less than the clearance go on to the narrow phase. */
static void gaps_at_the_clearance_are_findings(void **state)
{
    (void)state;
    FILE *file = fopen("two.obj", "w");
    assert_non_null(file);
    put_box(file, "a", (double[3]){0, 0, 0}, (double[3]){1, 1, 1}, 1);
    put_box(file, "b", (double[3]){2, 0, 0}, (double[3]){3, 1, 1}, 9);
    assert_int_equal(fclose(file), 0);
    graze_context context = graze_context_default();
    for (int wider = 0; wider < 3; wider++)
    {
        fixture f = {0};
        clash_report report;
        clash_tolerances tolerances = {.clearance = 0.5 + 0.75 * wider, .has_clearance = true};
        assert_int_equal(inputs_read(&console, NULL, (const char *const[]){"two.obj"}, 1, UNIT_NONE, &f.inputs), 0);
        assert_int_equal(clash_parts_make(&console, &context, &f.inputs, NULL, NULL, &f.parts), 0);
        assert_int_equal(clash_rules_load(&console, NULL, &tolerances, &f.rules), 0);
        assert_true(clash_rules_prepare(f.rules, f.parts.parts, f.parts.count));
        assert_int_equal(check(&f, &context, false, &report), 0);
        assert_int_equal(report.finding_count, wider > 0);
        assert_true(report.complete);
        clash_report_release(&report);
        close_fixture(&f);
    }
}

static void memory_that_ends_ends_the_check_with_code_5(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        graze_context usual = graze_context_default();
        fixture f = open_fixture(&usual);
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        clash_report report;
        exit_code code = check(&f, &context, true, &report);
        clash_report_release(&report);
        close_fixture(&f);
        assert_int_equal(allocator.live, 0);
        if (code == 0)
            break;
        assert_int_equal(code, EXIT_INTERNAL);
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
        cmocka_unit_test(memory_that_ends_ends_the_check_with_code_5),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
