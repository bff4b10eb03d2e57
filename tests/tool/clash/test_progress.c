/* SPDX-License-Identifier: MIT */
/* A long run: its progress messages, its estimate, and its report after Ctrl-C. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>

#include "clash/assembly.h"
#include "clash/output.h"
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
    clash_progress_line(1500, 6000, 0.25, 10, line, sizeof line);
    assert_string_equal(line, "graze: [#######                       ] 1,500 of 6,000 pairs, 30 s left");
    clash_progress_line(600, 6000, 0.5, 10, line, sizeof line); /* the slow ones came first */
    assert_string_equal(line, "graze: [###############               ] 600 of 6,000 pairs, 10 s left");
    clash_progress_line(0, 6000, 0, 10, line, sizeof line);
    assert_string_equal(line, "graze: [                              ] 0 of 6,000 pairs");
    clash_progress_line(6000, 6000, 1, 10, line, sizeof line);
    assert_string_equal(line, "graze: [##############################] 6,000 of 6,000 pairs");
}

/* The signal comes in the middle of the run: from the progress function, after some pairs. */
typedef struct interruption
{
    bool interrupted;
    uint64_t after, told, all;
    double share;
} interruption;

static void interrupt_later(void *user, uint64_t done, uint64_t all)
{
    interruption *i = user;
    i->told++;
    i->all = all;
    if (done >= i->after)
        i->interrupted = true;
}

static bool may_continue(void *user, double share)
{
    assert_true(share >= ((interruption *)user)->share && share <= 1);
    ((interruption *)user)->share = share;
    return !((interruption *)user)->interrupted;
}

typedef struct fixture
{
    tool_inputs inputs;
    clash_assembly assembly;
} fixture;

static const tool_console console = {0};

static fixture open_row(void)
{
    fixture f;
    write_row();
    assert_int_equal(inputs_read(&console, NULL, (const char *const[]){"row.obj"}, 1, UNIT_NONE, &f.inputs), 0);
    assert_true(clash_assembly_make(&f.inputs, &f.assembly));
    return f;
}

static void close_row(fixture *f)
{
    clash_assembly_release(&f->assembly);
    inputs_release(&f->inputs);
}

static graze_clash_report *check(fixture *f, uint64_t after, bool self, interruption *out)
{
    *out = (interruption){.after = after};
    graze_clash_options options = graze_clash_options_default();
    options.self = self;
    options.on_progress = interrupt_later;
    options.on_progress_user = out;
    options.budget = (graze_budget){.progress = may_continue, .progress_user = out};
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, f->assembly.parts, f->assembly.part_count, &options, NULL, &report), 0);
    return report;
}

static void what_was_found_before_ctrl_c_is_reported_as_incomplete(void **state)
{
    (void)state;
    fixture f = open_row();
    interruption i;
    graze_clash_report *report = check(&f, 5, false, &i);
    const graze_clash_counts *counts = &report->counts;
    assert_false(report->complete);
    assert_true(counts->pairs_tested == 5 && counts->pairs_undecided == COUNT - 1 - 5 && report->finding_count == 5);
    assert_int_equal(counts->pairs_tested + counts->pairs_undecided + counts->pairs_culled, counts->pairs_possible);
    assert_true(i.told == 5 && i.all == COUNT - 1);
    assert_int_equal(graze_clash_report_outcome(report), GRAZE_CLASH_OUTCOME_FAILED);
    graze_clash_report_destroy(report);
    /* Self-intersection tests come last, and count as well. */
    report = check(&f, COUNT + 3, true, &i);
    assert_false(report->complete);
    assert_true(report->counts.pairs_undecided == 0 && report->counts.selves_tested == 4 && i.all == 2 * COUNT - 1);
    graze_clash_report_destroy(report);
    report = check(&f, 1000, true, &i);
    assert_true(report->complete && report->counts.selves_tested == COUNT && i.told == 2 * COUNT - 1);
    assert_true(i.share == 1);
    graze_clash_report_destroy(report);
    close_row(&f);
}

static void an_interrupted_check_without_findings_is_no_pass(void **state)
{
    (void)state;
    graze_clash_report report = {.complete = false,
                                 .counts = {.pairs_possible = 9, .pairs_tested = 4, .pairs_undecided = 5}};
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
