/* SPDX-License-Identifier: MIT */
/* Findings grouped by part, by cluster and by groups of the rules. */
#include <stdlib.h>
#include <string.h>

#include "clash/grouping.h"
#include "support/unit.h"

enum
{
    PARTS = 8,
    FINDINGS = 5
};

static const char rules_text[] =
    "{\"graze\": \"rules\", \"version\": 1, \"groups\": {\"x\": [\"a\", \"b\", \"f\"], \"y\": [\"b\", "
    "\"c\"], \"none\": [\"z\"]}}";

static void findings_are_grouped(void **state)
{
    (void)state;
    static const char *const names[PARTS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    graze_clash_part parts[PARTS] = {{0}};
    grz_clash_part prepared[PARTS] = {{0}};
    for (size_t i = 0; i < PARTS; i++)
    {
        parts[i].name = names[i];
        prepared[i] = (grz_clash_part){.name = names[i], .file = "", .parent = ""};
    }
    static const size_t set[3] = {4, 5, 6};
    graze_clash_finding findings[FINDINGS] = {
        {.a = 3, .b = 3, .verdict = GRAZE_CLASH_SELF, .severity = GRAZE_CLASH_MINOR},
        {.a = 0, .b = 1, .verdict = GRAZE_CLASH_CROSSES, .severity = GRAZE_CLASH_CRITICAL},
        {.a = 4, .b = 5, .set = set, .set_count = 3, .verdict = GRAZE_CLASH_DUPLICATE, .severity = GRAZE_CLASH_MAJOR},
        {.a = 1, .b = 2, .verdict = GRAZE_CLASH_TOUCHES, .severity = GRAZE_CLASH_MINOR, .state = GRAZE_CLASH_APPROVED},
        {.a = 5, .b = 7, .verdict = GRAZE_CLASH_TOUCHES, .severity = GRAZE_CLASH_MINOR}};
    graze_clash_report report = {.parts = parts, .part_count = PARTS, .findings = findings, .finding_count = FINDINGS};
    graze_clash_source source = {"r", rules_text, sizeof rules_text - 1};
    graze_clash_rules *book = NULL;
    graze_clash_tolerances tolerances = {0};
    assert_int_equal(graze_clash_rules_create(NULL, &source, 1, NULL, &book), GRAZE_STATUS_OK);
    grz_clash_rules *rules = grz_clash_rules_make(NULL, book, &tolerances);
    assert_true(rules != NULL && grz_clash_rules_prepare(rules, prepared, PARTS));
    assert_true(grz_clash_group_findings(NULL, rules, &report));
    /* f has two failing findings, b two of which one fails; the others one. */
    static const size_t order[PARTS] = {5, 1, 0, 3, 4, 6, 7, 2};
    assert_int_equal(report.hit_count, PARTS);
    for (size_t i = 0; i < PARTS; i++)
        assert_int_equal(report.hits[i].part, order[i]);
    assert_true(report.hits[0].findings == 2 && report.hits[0].failing == 2 &&
                report.hits[0].severity == GRAZE_CLASH_MAJOR);
    assert_true(report.hits[1].findings == 2 && report.hits[1].failing == 1 &&
                report.hits[1].severity == GRAZE_CLASH_CRITICAL);
    static const uint32_t clusters[FINDINGS] = {1, 2, 3, 2, 3};
    assert_int_equal(report.cluster_count, 3);
    for (size_t i = 0; i < FINDINGS; i++)
        assert_int_equal(findings[i].cluster, clusters[i]);
    /* a b is in x x and x y; b c in y y and x y; f alone of its findings is in a group. */
    static const uint64_t matrix[9] = {1, 2, 0, 2, 1, 0, 0, 0, 0};
    assert_int_equal(report.group_count, 3);
    assert_string_equal(report.group_names[1], "y");
    assert_memory_equal(report.matrix, matrix, sizeof matrix);
    free(report.hits);
    free((void *)report.group_names);
    free(report.matrix);
    grz_clash_rules_release(rules);
    graze_clash_rules_destroy(book);
}

static void without_findings_and_groups_there_is_nothing(void **state)
{
    (void)state;
    graze_clash_report report = {.part_count = 0};
    graze_clash_tolerances tolerances = {0};
    grz_clash_rules *rules = grz_clash_rules_make(NULL, NULL, &tolerances);
    assert_true(rules != NULL && grz_clash_rules_prepare(rules, NULL, 0));
    assert_true(grz_clash_group_findings(NULL, rules, &report));
    assert_true(report.hit_count == 0 && report.cluster_count == 0 && report.matrix == NULL);
    free(report.hits);
    grz_clash_rules_release(rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_are_grouped),
        cmocka_unit_test(without_findings_and_groups_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
