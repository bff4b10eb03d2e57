/* SPDX-License-Identifier: MIT */
/* Comparison with an earlier report: which findings are new, known, worse and resolved, and which then fail. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/baseline.h"
#include "clash_sample.h"
#include "support/random.h"
#include "support/unit.h"
#include "written.h"

/* Reads a document; error->text says what is wrong. */
static graze_status load(const char *text, size_t size, graze_error *error, graze_clash_baseline **out_baseline)
{
    graze_clash_source source = {"old.json", text, size};
    return graze_clash_baseline_create(NULL, &source, error, out_baseline);
}

/* Writes the report and reads it back. */
static graze_clash_baseline *baseline_of(const graze_clash_report *report)
{
    graze_clash_baseline *baseline = NULL;
    written_text json = written_by(graze_clash_write_json, report);
    assert_int_equal(load(json.text, json.size, NULL, &baseline), GRAZE_STATUS_OK);
    free(json.text);
    assert_non_null(baseline);
    return baseline;
}

static void apply(graze_clash_baseline *baseline, graze_clash_report *report)
{
    free(report->resolved);
    free(report->ignored_now);
    report->resolved = report->ignored_now = NULL;
    assert_true(grz_clash_baseline_apply(NULL, baseline, NULL, report));
}

static void a_report_is_known_to_itself(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    graze_clash_baseline *baseline = baseline_of(&sample.report);
    assert_true(grz_clash_baseline_is_complete(baseline));
    apply(baseline, &sample.report);
    for (size_t i = 0; i < SAMPLE_FINDINGS; i++)
        assert_int_equal(sample.findings[i].state, i == 4 ? GRAZE_CLASH_APPROVED : GRAZE_CLASH_KNOWN);
    assert_int_equal(sample.report.resolved_count, 0);
    assert_string_equal(sample.report.baseline->path, "old.json");
    assert_int_equal(strlen(sample.report.baseline->hash), 64);
    static const struct
    {
        graze_clash_fail_on fail_on;
        graze_clash_outcome outcome;
    } cases[] = {{GRAZE_CLASH_FAIL_ON_ANY, GRAZE_CLASH_OUTCOME_FAILED},
                 {GRAZE_CLASH_FAIL_ON_NEW, GRAZE_CLASH_OUTCOME_PASSED},
                 {GRAZE_CLASH_FAIL_ON_WORSE, GRAZE_CLASH_OUTCOME_PASSED}};
    for (size_t i = 0; i < 3; i++)
    {
        sample.report.fail_on = cases[i].fail_on;
        assert_int_equal(graze_clash_report_outcome(&sample.report), cases[i].outcome);
    }
    free(sample.report.resolved);
    free(sample.report.ignored_now);
    graze_clash_baseline_destroy(baseline);
    sample_release(&sample);
}

static void what_is_missing_then_is_new_and_what_is_missing_now_is_resolved(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    graze_clash_report then = sample.report, now = sample.report;
    then.finding_count = 5; /* without the last */
    graze_clash_baseline *baseline = baseline_of(&then);
    now.findings = sample.findings + 2;
    now.finding_count = 4; /* without the first two */
    apply(baseline, &now);
    assert_int_equal(sample.findings[5].state, GRAZE_CLASH_NEW);
    assert_int_equal(sample.findings[3].state, GRAZE_CLASH_KNOWN);
    assert_int_equal(now.resolved_count, 2);
    assert_string_equal(now.resolved[0].b, "pin 1");
    assert_string_equal(now.resolved[1].b, "shaft");
    assert_int_equal(now.resolved[1].verdict, GRAZE_CLASH_CROSSES);
    assert_string_equal(now.resolved[1].id, sample.findings[1].id);
    for (int fail_on = GRAZE_CLASH_FAIL_ON_ANY; fail_on <= GRAZE_CLASH_FAIL_ON_WORSE; fail_on++)
    {
        now.fail_on = (graze_clash_fail_on)fail_on;
        assert_int_equal(graze_clash_report_outcome(&now), GRAZE_CLASH_OUTCOME_FAILED);
    }
    now.complete = false; /* findings that are missing may not have been tested */
    apply(baseline, &now);
    assert_int_equal(now.resolved_count, 0);
    free(now.resolved);
    free(now.ignored_now);
    graze_clash_baseline_destroy(baseline);
    sample_release(&sample);
}

static void only_what_is_certainly_worse_is(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    graze_clash_baseline *baseline = baseline_of(&sample.report);
    struct
    {
        size_t finding;
        graze_clash_verdict verdict;
        double depth[2], gap[2];
        size_t set_count;
        graze_clash_state state;
    } cases[] = {
        {1, GRAZE_CLASH_CROSSES, {0.31, 0.4}, {0, 0}, 0, GRAZE_CLASH_KNOWN},  /* intervals that overlap prove nothing */
        {1, GRAZE_CLASH_CROSSES, {0.311, 0.4}, {0, 0}, 0, GRAZE_CLASH_WORSE}, /* above the whole earlier interval */
        {1, GRAZE_CLASH_CROSSES, {0.1, 0.9}, {0, 0}, 0, GRAZE_CLASH_KNOWN},
        {1, GRAZE_CLASH_TOUCHES, {9, 9}, {0, 0}, 0, GRAZE_CLASH_KNOWN}, /* weaker */
        {1, GRAZE_CLASH_CONTAINS, {0, 0}, {0, 0}, 0, GRAZE_CLASH_WORSE},
        {3, GRAZE_CLASH_TOO_CLOSE, {0, 0}, {0.05, 0.06}, 0, GRAZE_CLASH_KNOWN},
        {3, GRAZE_CLASH_TOO_CLOSE, {0, 0}, {0.04, 0.05}, 0, GRAZE_CLASH_KNOWN},
        {3, GRAZE_CLASH_TOO_CLOSE, {0, 0}, {0.04, 0.049}, 0, GRAZE_CLASH_WORSE},
        {3, GRAZE_CLASH_TOUCHES, {0, 0}, {0, 0}, 0, GRAZE_CLASH_WORSE},
        {2, GRAZE_CLASH_DUPLICATE, {0, 0}, {0, 0}, 3, GRAZE_CLASH_KNOWN},
        {2, GRAZE_CLASH_DUPLICATE, {0, 0}, {0, 0}, 2, GRAZE_CLASH_KNOWN},
        {2, GRAZE_CLASH_DUPLICATE, {0, 0}, {0, 0}, 4, GRAZE_CLASH_WORSE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_clash_finding finding = sample.findings[cases[i].finding];
        graze_clash_report now = sample.report;
        now.resolved = NULL;
        now.findings = &finding;
        now.finding_count = 1;
        finding.verdict = cases[i].verdict;
        memcpy(finding.depth, cases[i].depth, sizeof finding.depth);
        memcpy(finding.gap, cases[i].gap, sizeof finding.gap);
        finding.set_count = cases[i].set_count;
        apply(baseline, &now);
        if (finding.state != cases[i].state)
            fail_msg("case %zu is %s", i, graze_clash_state_name(finding.state));
        now.fail_on = GRAZE_CLASH_FAIL_ON_NEW;
        assert_int_equal(graze_clash_report_outcome(&now), GRAZE_CLASH_OUTCOME_PASSED);
        now.fail_on = GRAZE_CLASH_FAIL_ON_WORSE;
        assert_int_equal(graze_clash_report_outcome(&now),
                         cases[i].state == GRAZE_CLASH_WORSE ? GRAZE_CLASH_OUTCOME_FAILED : GRAZE_CLASH_OUTCOME_PASSED);
        free(now.resolved);
        free(now.ignored_now);
    }
    graze_clash_baseline_destroy(baseline);
    sample_release(&sample);
}

static void an_unbounded_depth_is_never_exceeded(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    sample.findings[1].depth[1] = INFINITY;
    graze_clash_baseline *baseline = baseline_of(&sample.report);
    sample.findings[1].depth[0] = sample.findings[1].depth[1] = 1e300;
    apply(baseline, &sample.report);
    assert_int_equal(sample.findings[1].state, GRAZE_CLASH_KNOWN);
    free(sample.report.resolved);
    free(sample.report.ignored_now);
    graze_clash_baseline_destroy(baseline);
    sample_release(&sample);
}

static void json_tells_what_changed(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    graze_clash_report then = sample.report;
    graze_clash_baseline *baseline = baseline_of(&then);
    sample.report.findings++;
    sample.report.finding_count--;
    sample.findings[1].depth[0] = sample.findings[1].depth[1] = 2;
    apply(baseline, &sample.report);
    sample.report.fail_on = GRAZE_CLASH_FAIL_ON_WORSE;
    written_text json = written_by(graze_clash_write_json, &sample.report);
    static const char *const words[] = {"\"fail_on\": \"worse\"", "\"resolved\": 1", "\"state\":\"worse\"",
                                        "\"failing\": 1", "\"baseline\": {\"path\":\"old.json\",\"hash\":\""};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(json.text, words[i]) == NULL)
            fail_msg("no '%s' in\n%s", words[i], json.text);
    free(json.text);
    free(sample.report.resolved);
    free(sample.report.ignored_now);
    graze_clash_baseline_destroy(baseline);
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
        {"{\"version\": 3}", "version: version 3 is not known here"},
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
        graze_clash_baseline *baseline = NULL;
        graze_error error = {0};
        graze_status status = load(faults[i].text, strlen(faults[i].text), &error, &baseline);
        assert_null(baseline);
        assert_int_equal(error.status, status);
        if (status == GRAZE_STATUS_OK || strstr(error.text, faults[i].words) == NULL)
            fail_msg("status %d and '%s' for %s", (int)status, error.text, faults[i].text);
    }
    graze_clash_baseline *baseline = NULL;
    static const char later[] = REPORT "], \"complete\": false, \"later\": {\"a\": [1]}}";
    assert_int_equal(load(later, sizeof later - 1, NULL, &baseline), GRAZE_STATUS_OK);
    assert_false(grz_clash_baseline_is_complete(baseline));
    graze_clash_baseline_destroy(baseline);
}

static void cut_and_altered_bytes_do_no_harm(void **state)
{
    (void)state;
    test_random random = test_random_start("cut_and_altered_bytes_do_no_harm", 5005);
    sample_report sample = sample_create();
    written_text good = written_by(graze_clash_write_json, &sample.report);
    size_t size = good.size;
    char *bytes = malloc(size);
    assert_non_null(bytes);
    int taken = 0, refused = 0, wrong = 0;
    for (size_t i = 0; i < 600; i++)
    {
        bool cuts = i % 2 == 0;
        graze_clash_baseline *baseline = NULL;
        memcpy(bytes, good.text, size);
        for (int k = random_below(&random, 3); k >= 0; k--)
            bytes[random_below(&random, (int)size)] = random_once_in(&random, 3)
                                                          ? (char)random_below(&random, 256)
                                                          : good.text[random_below(&random, (int)size)];
        graze_status status = load(cuts ? good.text : bytes, cuts ? i * (size - 2) / 600 : size, NULL, &baseline);
        if (baseline != NULL)
            apply(baseline, &sample.report);
        wrong += (cuts && status == GRAZE_STATUS_OK) || (status == GRAZE_STATUS_OK) != (baseline != NULL);
        taken += status == GRAZE_STATUS_OK;
        refused += status != GRAZE_STATUS_OK;
        graze_clash_baseline_destroy(baseline);
    }
    free(good.text);
    free(bytes);
    printf("%d taken, %d refused\n", taken, refused);
    assert_int_equal(wrong, 0);
    assert_true(taken > 20 && refused > 150);
    free(sample.report.resolved);
    free(sample.report.ignored_now);
    sample_release(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_is_known_to_itself),
        cmocka_unit_test(what_is_missing_then_is_new_and_what_is_missing_now_is_resolved),
        cmocka_unit_test(only_what_is_certainly_worse_is),
        cmocka_unit_test(an_unbounded_depth_is_never_exceeded),
        cmocka_unit_test(json_tells_what_changed),
        cmocka_unit_test(what_is_no_report_is_refused_with_its_place),
        cmocka_unit_test(cut_and_altered_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
