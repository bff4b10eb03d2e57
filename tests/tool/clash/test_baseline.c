/* SPDX-License-Identifier: MIT */
/* Comparison with an earlier report: which findings are new, known, worse and resolved, and which then fail. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/baseline.h"
#include "clash/output.h"
#include "clash_sample.h"
#include "support/captured_errors.h"
#include "support/random.h"
#include "support/tool_process.h"
#include "support/unit.h"

static const tool_console console = {false, false};

/* Writes the report to a file and reads it back. */
static clash_baseline *baseline_of(const clash_report *report)
{
    clash_baseline *baseline = NULL;
    assert_int_equal(clash_write_file(&console, "old.json", clash_write_json, report), 0);
    assert_int_equal(clash_baseline_load(&console, "old.json", &baseline), 0);
    assert_non_null(baseline);
    return baseline;
}

static void apply(clash_baseline *baseline, clash_report *report)
{
    free(report->resolved);
    report->resolved = NULL;
    assert_true(clash_baseline_apply(baseline, report));
}

static void a_report_is_known_to_itself(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    clash_baseline *baseline = baseline_of(&sample.report);
    assert_true(clash_baseline_is_complete(baseline));
    apply(baseline, &sample.report);
    for (size_t i = 0; i < SAMPLE_FINDINGS; i++)
        assert_int_equal(sample.findings[i].state, i == 4 ? CLASH_APPROVED : CLASH_KNOWN);
    assert_int_equal(sample.report.resolved_count, 0);
    assert_string_equal(sample.report.baseline_path, "old.json");
    assert_int_equal(strlen(sample.report.baseline_hash), 64);
    static const struct
    {
        clash_fail_on fail_on;
        exit_code code;
    } cases[] = {{CLASH_FAIL_ON_ANY, EXIT_FOUND},
                 {CLASH_FAIL_ON_NEW, EXIT_NOTHING_FOUND},
                 {CLASH_FAIL_ON_WORSE, EXIT_NOTHING_FOUND}};
    for (size_t i = 0; i < 3; i++)
    {
        sample.report.fail_on = cases[i].fail_on;
        assert_int_equal(clash_exit_code(&sample.report), cases[i].code);
    }
    free(sample.report.resolved);
    clash_baseline_release(baseline);
    sample_release(&sample);
}

static void what_is_missing_then_is_new_and_what_is_missing_now_is_resolved(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    clash_report then = sample.report, now = sample.report;
    then.finding_count = 5; /* without the last */
    clash_baseline *baseline = baseline_of(&then);
    now.findings = sample.findings + 2;
    now.finding_count = 4; /* without the first two */
    apply(baseline, &now);
    assert_int_equal(sample.findings[5].state, CLASH_NEW);
    assert_int_equal(sample.findings[3].state, CLASH_KNOWN);
    assert_int_equal(now.resolved_count, 2);
    assert_string_equal(now.resolved[0].b, "pin 1");
    assert_string_equal(now.resolved[1].b, "shaft");
    assert_int_equal(now.resolved[1].verdict, CLASH_CROSSES);
    assert_string_equal(now.resolved[1].id, sample.findings[1].id);
    for (int fail_on = CLASH_FAIL_ON_ANY; fail_on <= CLASH_FAIL_ON_WORSE; fail_on++)
    {
        now.fail_on = (clash_fail_on)fail_on;
        assert_int_equal(clash_exit_code(&now), EXIT_FOUND);
    }
    now.complete = false; /* findings that are missing may not have been tested */
    apply(baseline, &now);
    assert_int_equal(now.resolved_count, 0);
    free(now.resolved);
    clash_baseline_release(baseline);
    sample_release(&sample);
}

static void only_what_is_certainly_worse_is(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    clash_baseline *baseline = baseline_of(&sample.report);
    struct
    {
        size_t finding;
        clash_verdict verdict;
        double depth[2], gap[2];
        size_t set_count;
        clash_state state;
    } cases[] = {
        {1, CLASH_CROSSES, {0.31, 0.4}, {0, 0}, 0, CLASH_KNOWN},  /* intervals that overlap prove nothing */
        {1, CLASH_CROSSES, {0.311, 0.4}, {0, 0}, 0, CLASH_WORSE}, /* above the whole earlier interval */
        {1, CLASH_CROSSES, {0.1, 0.9}, {0, 0}, 0, CLASH_KNOWN},
        {1, CLASH_TOUCHES, {9, 9}, {0, 0}, 0, CLASH_KNOWN}, /* weaker */
        {1, CLASH_CONTAINS, {0, 0}, {0, 0}, 0, CLASH_WORSE},
        {3, CLASH_TOO_CLOSE, {0, 0}, {0.05, 0.06}, 0, CLASH_KNOWN},
        {3, CLASH_TOO_CLOSE, {0, 0}, {0.04, 0.05}, 0, CLASH_KNOWN},
        {3, CLASH_TOO_CLOSE, {0, 0}, {0.04, 0.049}, 0, CLASH_WORSE},
        {3, CLASH_TOUCHES, {0, 0}, {0, 0}, 0, CLASH_WORSE},
        {2, CLASH_DUPLICATE, {0, 0}, {0, 0}, 3, CLASH_KNOWN},
        {2, CLASH_DUPLICATE, {0, 0}, {0, 0}, 2, CLASH_KNOWN},
        {2, CLASH_DUPLICATE, {0, 0}, {0, 0}, 4, CLASH_WORSE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        clash_finding finding = sample.findings[cases[i].finding];
        clash_report now = sample.report;
        now.resolved = NULL;
        now.findings = &finding;
        now.finding_count = 1;
        finding.verdict = cases[i].verdict;
        memcpy(finding.depth, cases[i].depth, sizeof finding.depth);
        memcpy(finding.gap, cases[i].gap, sizeof finding.gap);
        finding.set_count = cases[i].set_count;
        apply(baseline, &now);
        if (finding.state != cases[i].state)
            fail_msg("case %zu is %s", i, clash_state_name(finding.state));
        now.fail_on = CLASH_FAIL_ON_NEW;
        assert_int_equal(clash_exit_code(&now), EXIT_NOTHING_FOUND);
        now.fail_on = CLASH_FAIL_ON_WORSE;
        assert_int_equal(clash_exit_code(&now), cases[i].state == CLASH_WORSE ? EXIT_FOUND : EXIT_NOTHING_FOUND);
        free(now.resolved);
    }
    clash_baseline_release(baseline);
    sample_release(&sample);
}

static void an_unbounded_depth_is_never_exceeded(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    sample.findings[1].depth[1] = INFINITY;
    clash_baseline *baseline = baseline_of(&sample.report);
    sample.findings[1].depth[0] = sample.findings[1].depth[1] = 1e300;
    apply(baseline, &sample.report);
    assert_int_equal(sample.findings[1].state, CLASH_KNOWN);
    free(sample.report.resolved);
    clash_baseline_release(baseline);
    sample_release(&sample);
}

static void text_and_json_tell_what_changed(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    clash_report then = sample.report;
    clash_baseline *baseline = baseline_of(&then);
    sample.report.findings++;
    sample.report.finding_count--;
    sample.findings[1].depth[0] = sample.findings[1].depth[1] = 2;
    apply(baseline, &sample.report);
    sample.report.fail_on = CLASH_FAIL_ON_WORSE;
    FILE *out = fopen("said.txt", "wb+");
    clash_write_text(&sample.report, &(clash_text_options){.console = &console}, out);
    clash_write_json(&sample.report, out);
    static char text[16384];
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    static const char *const words[] = {"baseline    old.json: 0 new, 1 worse, 3 known, 1 resolved\n",
                                        "resolved    contains   housing + pin 1\n",
                                        "5 findings: 1 critical, 2 major, 2 minor; 3 known, 1 worse, 1 approved",
                                        "\"fail_on\": \"worse\"",
                                        "\"resolved\": 1",
                                        "\"state\":\"worse\"",
                                        "\"failing\": 1",
                                        "\"baseline\": {\"path\":\"old.json\",\"hash\":\""};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]) == NULL)
            fail_msg("no '%s' in\n%s", words[i], text);
    free(sample.report.resolved);
    clash_baseline_release(baseline);
    sample_release(&sample);
}

static void what_is_no_report_is_refused_with_its_place(void **state)
{
    (void)state;
#define REPORT "{\"graze\": \"clash\", \"version\": 1, \"findings\": ["
    static const struct
    {
        const char *text, *words;
    } faults[] = {
        {"", "there is nothing in it"},
        {"[]", "expected '{'"},
        {"{}", "'graze' is missing, so this is no report"},
        {"{\"graze\": \"clash\", \"findings\": []}", "'version' is missing"},
        {"{\"graze\": \"clash\", \"version\": 1}", "'findings' is missing"},
        {"{\"graze\": \"scene\"}", "graze: expected clash, not 'scene'"},
        {"{\"version\": 2}", "version: version 2 is not known here"},
        {REPORT "1]}", "findings[0]: expected an object"},
        {REPORT "{}]}", "findings[0]: 'id' is missing"},
        {REPORT "{\"id\": \"x\"}]}", "findings[0]: 'a' is missing"},
        {REPORT "{\"id\": \"x\", \"a\": \"a\", \"b\": \"b\", \"verdict\": \"bad\"}]}", "there is no verdict 'bad'"},
        {REPORT "{\"id\": \"x\", \"a\": \"a\", \"b\": \"b\", \"verdict\": \"self\", \"depth\": 1}]}",
         "findings[0].depth: expected null or a list of 2 numbers"},
        {REPORT "{\"id\": \"x\", \"a\": \"a\", \"b\": \"b\", \"verdict\": \"self\", \"gap\": [0, \"x\"]}]}",
         "findings[0].gap[1]: expected a number, not a text"},
        {REPORT "{\"id\": \"x\", \"a\": \"a\", \"b\": \"b\", \"verdict\": \"self\"}, {\"id\": \"x\"}]}",
         "findings[1]: there is a finding 'x' already"},
        {REPORT "], \"findings\": [}", "line 1"},
        {REPORT "]} x", "expected the end"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    {
        clash_baseline *baseline = NULL;
        write_text("bad.json", faults[i].text);
        capture_errors();
        exit_code code = clash_baseline_load(&console, "bad.json", &baseline);
        const char *said = captured_errors();
        assert_null(baseline);
        if (code != EXIT_INPUT || strstr(said, faults[i].words) == NULL)
            fail_msg("code %d and '%s' for %s", code, said, faults[i].text);
    }
    clash_baseline *baseline = NULL;
    write_text("later.json", REPORT "], \"complete\": false, \"later\": {\"a\": [1]}}");
    assert_int_equal(clash_baseline_load(&console, "later.json", &baseline), 0);
    assert_false(clash_baseline_is_complete(baseline));
    clash_baseline_release(baseline);
}

static void cut_and_altered_bytes_do_no_harm(void **state)
{
    (void)state;
    test_random random = test_random_start("cut_and_altered_bytes_do_no_harm", 5005);
    sample_report sample = sample_create();
    static char good[16384], bytes[16384];
    assert_int_equal(clash_write_file(&console, "good.json", clash_write_json, &sample.report), 0);
    FILE *file = fopen("good.json", "rb");
    size_t size = fread(good, 1, sizeof good, file);
    fclose(file);
    int taken = 0, refused = 0, wrong = 0;
    capture_errors();
    for (size_t i = 0; i < 600; i++)
    {
        bool cuts = i % 2 == 0;
        clash_baseline *baseline = NULL;
        memcpy(bytes, good, size);
        for (int k = random_below(&random, 3); k >= 0; k--)
            bytes[random_below(&random, (int)size)] =
                random_once_in(&random, 3) ? (char)random_below(&random, 256) : good[random_below(&random, (int)size)];
        write_bytes("altered.json", cuts ? good : bytes, cuts ? i * (size - 2) / 600 : size);
        exit_code code = clash_baseline_load(&console, "altered.json", &baseline);
        if (baseline != NULL)
            apply(baseline, &sample.report);
        wrong += (code != 0 && code != EXIT_INPUT) || (cuts && code == 0) || (code == 0) != (baseline != NULL);
        taken += code == 0;
        refused += code != 0;
        clash_baseline_release(baseline);
    }
    captured_errors();
    printf("%d taken, %d refused\n", taken, refused);
    assert_int_equal(wrong, 0);
    assert_true(taken > 20 && refused > 150);
    free(sample.report.resolved);
    sample_release(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_is_known_to_itself),
        cmocka_unit_test(what_is_missing_then_is_new_and_what_is_missing_now_is_resolved),
        cmocka_unit_test(only_what_is_certainly_worse_is),
        cmocka_unit_test(an_unbounded_depth_is_never_exceeded),
        cmocka_unit_test(text_and_json_tell_what_changed),
        cmocka_unit_test(what_is_no_report_is_refused_with_its_place),
        cmocka_unit_test(cut_and_altered_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
