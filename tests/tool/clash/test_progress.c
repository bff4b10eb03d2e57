/* SPDX-License-Identifier: MIT */
/* A long run: its progress messages, its estimate, and its report after Ctrl-C. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>

#include "clash/engine.h"
#include "clash/parts.h"
#include "clash/progress.h"
#include "clash_boxes.h"

enum
{
    COUNT = 30
};

/* A row of boxes, each of which crosses the next. */
static void write_row(void)
{
    static char names[COUNT][16];
    box boxes[COUNT];
    for (int i = 0; i < COUNT; i++)
    {
        snprintf(names[i], sizeof names[i], "p%02d", i);
        boxes[i] = (box){names[i], {0.75 * i, 0, 0}, {0.75 * i + 1, 1, 1}};
    }
    write_boxes("row.obj", boxes, COUNT);
}

static void the_line_has_a_bar_counts_and_the_time_left(void **state)
{
    (void)state;
    char line[160];
    clash_progress_line(1500, 6000, 10, line, sizeof line);
    assert_string_equal(line, "graze: [#######                       ] 1,500 of 6,000 pairs, 30 s left");
    clash_progress_line(0, 6000, 10, line, sizeof line);
    assert_string_equal(line, "graze: [                              ] 0 of 6,000 pairs");
    clash_progress_line(6000, 6000, 10, line, sizeof line);
    assert_string_equal(line, "graze: [##############################] 6,000 of 6,000 pairs");
}

/* The signal comes in the middle of the run: from the progress function, after some pairs. */
typedef struct interruption
{
    volatile sig_atomic_t interrupted;
    uint64_t after, told, all;
} interruption;

static void interrupt_later(void *user, uint64_t done, uint64_t all)
{
    interruption *i = user;
    i->told++;
    i->all = all;
    if (done >= i->after)
        i->interrupted = 1;
}

typedef struct fixture
{
    tool_inputs inputs;
    clash_parts parts;
    clash_rules *rules;
    graze_context context;
} fixture;

static const tool_console console = {0};

static fixture open_row(void)
{
    fixture f = {.context = graze_context_default()};
    clash_tolerances tolerances = {0};
    write_row();
    assert_int_equal(inputs_read(&console, NULL, (const char *const[]){"row.obj"}, 1, UNIT_NONE, &f.inputs), 0);
    assert_int_equal(clash_parts_make(&console, &f.context, &f.inputs, NULL, NULL, &f.parts), 0);
    assert_int_equal(clash_rules_load(&console, NULL, &tolerances, &f.rules), 0);
    assert_true(clash_rules_prepare(f.rules, f.parts.parts, f.parts.count));
    return f;
}

static void close_row(fixture *f)
{
    clash_rules_release(f->rules);
    clash_parts_release(&f->parts);
    inputs_release(&f->inputs);
}

static clash_report check(fixture *f, uint64_t after, bool self, interruption *out)
{
    *out = (interruption){.after = after};
    clash_request request = {.console = &console,
                             .context = &f->context,
                             .parts = f->parts.parts,
                             .part_count = f->parts.count,
                             .owner = &f->parts,
                             .rules = f->rules,
                             .self = self,
                             .interrupted = &out->interrupted,
                             .progress = interrupt_later,
                             .progress_user = out};
    clash_report report = {0};
    assert_int_equal(clash_find(&request, &report), 0);
    return report;
}

static void what_was_found_before_ctrl_c_is_reported_as_incomplete(void **state)
{
    (void)state;
    fixture f = open_row();
    interruption i;
    clash_report report = check(&f, 5, false, &i);
    const clash_counts *counts = &report.counts;
    assert_false(report.complete);
    assert_true(counts->pairs_tested == 5 && counts->pairs_undecided == COUNT - 1 - 5 && report.finding_count == 5);
    assert_int_equal(counts->pairs_tested + counts->pairs_undecided + counts->pairs_culled, counts->pairs_possible);
    assert_true(i.told == 5 && i.all == COUNT - 1);
    assert_int_equal(clash_outcome_of(&report), CLASH_OUTCOME_FAILED);
    clash_report_release(&report);
    /* Self-intersection tests come last, and count as well. */
    report = check(&f, COUNT + 3, true, &i);
    assert_false(report.complete);
    assert_true(report.counts.pairs_undecided == 0 && report.counts.selves_tested == 4 && i.all == 2 * COUNT - 1);
    clash_report_release(&report);
    report = check(&f, 1000, true, &i);
    assert_true(report.complete && report.counts.selves_tested == COUNT && i.told == 2 * COUNT - 1);
    clash_report_release(&report);
    close_row(&f);
}

static void an_interrupted_check_without_findings_is_no_pass(void **state)
{
    (void)state;
    clash_report report = {.complete = false, .counts = {.pairs_possible = 9, .pairs_tested = 4, .pairs_undecided = 5}};
    assert_int_equal(clash_exit_code(&report), EXIT_INCOMPLETE);
}

static void a_dry_run_lists_counts_and_estimates(void **state)
{
    (void)state;
    write_row();
    tool_result result = RUN("clash", "row.obj", "--dry-run");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "12 triangles  closed"));
    assert_non_null(strstr(result.out, "30 parts, 360 triangles; 435 pairs possible, 0 ignored, 406 culled by boxes, "
                                       "29 to test"));
    const char *estimate = strstr(result.out, "estimated time: ");
    assert_non_null(estimate);
    double seconds = strtod(estimate + 16, NULL);
    assert_true(seconds > 0 && seconds < 60);
    tool_release(&result);
    WRITE_BOXES("one.obj", {"one", {0, 0, 0}, {1, 1, 1}});
    result = RUN("clash", "one.obj", "--dry-run");
    assert_int_equal(result.code, 4);
    tool_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_line_has_a_bar_counts_and_the_time_left),
                                       cmocka_unit_test(what_was_found_before_ctrl_c_is_reported_as_incomplete),
                                       cmocka_unit_test(an_interrupted_check_without_findings_is_no_pass),
                                       cmocka_unit_test(a_dry_run_lists_counts_and_estimates)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
