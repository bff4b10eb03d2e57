/* SPDX-License-Identifier: MIT */
/* Reports of graze clash conform to docs/clash-report.schema.json: those of every verdict and outcome are accepted, and
 * one that lacks a key, or has another type in its place, is not. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>

#include "clash_boxes.h"
#include "support/json_schema.h"

/* Boxes with all verdicts among them; "w" is two boxes that cross. */
static void write_all_verdicts(const char *path)
{
    WRITE_BOXES(path, {"a", {0, 0, 0}, {4, 4, 4}}, {"b", {1, 1, 1}, {2, 2, 2}}, {"c", {4, 0, 0}, {6, 4, 4}},
                {"d", {6.5, 0, 0}, {8, 4, 4}}, {"e", {7, 1, 1}, {9, 2, 2}}, {"x", {20, 0, 0}, {21, 1, 1}},
                {"y", {20, 0, 0}, {21, 1, 1}}, {"w", {30, 0, 0}, {32, 2, 2}}, {"w", {31, 1, 1}, {33, 3, 3}});
}

/* The schema must reject a document without a required member, and with one of a wrong type. */
static size_t expect_sensitive(const cJSON *schema, cJSON *document, cJSON *object, const char *const *keys)
{
    size_t count = 0;
    for (; keys[count] != NULL; count++)
    {
        cJSON *member = cJSON_DetachItemFromObjectCaseSensitive(object, keys[count]);
        assert_non_null(member);
        assert_false(schema_accepts(schema, schema, document));
        cJSON_AddItemToObject(object, keys[count], cJSON_Parse("[{\"no\": 1}]"));
        assert_false(schema_accepts(schema, schema, document));
        cJSON_ReplaceItemInObjectCaseSensitive(object, keys[count], member);
        assert_true(schema_accepts(schema, schema, document));
    }
    return count;
}

static void reports_are_what_the_schema_says(void **state)
{
    (void)state;
    static const char *const top[] = {"graze",       "version",  "tool",      "inputs",  "units",
                                      "tolerances",  "rules",    "baseline",  "fail_on", "outcome",
                                      "complete",    "summary",  "findings",  "ignored", "resolved",
                                      "ignored_now", "problems", "parts_hit", "matrix",  NULL};
    static const char *const of_finding[] = {"id",
                                             "a",
                                             "b",
                                             "verdict",
                                             "pairs",
                                             "exact",
                                             "within_resolution",
                                             "within_tessellation",
                                             "depth",
                                             "way_out",
                                             "gap",
                                             "volume",
                                             "point",
                                             "locations",
                                             "rule",
                                             "severity",
                                             "state",
                                             "reason",
                                             "review",
                                             "cluster",
                                             "grades",
                                             NULL};
    write_all_verdicts("all.obj");
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/clash-report.schema.json");
    cJSON *document = expect_json(RUN("clash", "all.obj", "--self", "--clearance", "1", "--json"), 1);
    assert_int_equal(summary(document, "findings"), 6);
    assert_true(schema_accepts(schema, schema, document));
    size_t checked = expect_sensitive(schema, document, document, top);
    cJSON *found;
    cJSON_ArrayForEach(found, cJSON_GetObjectItem(document, "findings"))
    {
        checked += expect_sensitive(schema, document, found, of_finding);
    }
    printf("%zu members\n", checked);
    assert_int_equal(checked, 19 + 6 * 21);
    cJSON_Delete(document);
    cJSON_Delete(schema);
}

static void reports_of_every_outcome_fit_the_schema(void **state)
{
    (void)state;
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/clash-report.schema.json");
    write_all_verdicts("all.obj");
    write_text("rules.json", "{\"graze\":\"rules\",\"version\":1,\"ignore\":[{\"a\":\"w\",\"reason\":\"r\"}],"
                             "\"approve\":[{\"a\":\"*\",\"b\":\"*\",\"reason\":\"later\"}]}");
    WRITE_BOXES("one.obj", {"one", {0, 0, 0}, {1, 1, 1}});
    WRITE_BOXES("apart.obj", {"one", {0, 0, 0}, {1, 1, 1}}, {"two", {5, 5, 5}, {6, 6, 6}});
    WRITE_BOXES("huge.obj", {"one", {0, 0, 0}, {8e307, 8e307, 8e307}}, {"two", {4e307, 0, 0}, {9e307, 8e307, 8e307}},
                {"three", {0, 8e307, 0}, {8e307, 9e307, 8e307}}); /* areas overflow */
    write_text("nan.obj", "o bad\nv nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no good\nv 9 9 9\nv 8 9 9\nv 9 8 9\nf 4 5 6\n");
    write_text(
        "fins.obj",
        "o fins\nv 0 0 0\nv 0 0 1\nv 1 0 0.5\nv 0.5 1 0.5\nv -1 0 0.5\nv -0.5 -1 0.5\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
        "f 2 3 4\nf 1 5 2\nf 1 2 6\nf 1 6 5\nf 2 5 6\no third\nv 0 0 0\nv 0 0 1\nv 0.1 1 0.5\n"
        "v -0.1 1 0.5\nf 7 9 8\nf 7 8 10\nf 7 10 9\nf 8 9 10\n");
    tool_result base = RUN("clash", "all.obj", "--quiet", "--json", "base.json");
    assert_int_equal(base.code, 1);
    tool_release(&base);
    const struct
    {
        const char *outcome;
        int code;
        tool_result result;
    } runs[] = {
        {"clean", 0, RUN("clash", "apart.obj", "--json", "--units", "mm")},
        {"passed", 0, RUN("clash", "all.obj", "--json", "--rules", "rules.json", "--self")},
        {"passed", 0, RUN("clash", "all.obj", "--json", "--baseline", "base.json")},
        {"clean", 0, RUN("clash", "apart.obj", "--json", "--baseline", "base.json", "--fail-on", "new")},
        {"incomplete", 4, RUN("clash", "apart.obj", "nan.obj", "--json", "--baseline", "base.json")},
        {"nothing", 4, RUN("clash", "one.obj", "--json")},
        {"incomplete", 4, RUN("clash", "fins.obj", "--json", "--allow-touch")},
        {"failed", 1, RUN("clash", "huge.obj", "--json")},
    };
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
    {
        cJSON *document = expect_json(runs[i].result, runs[i].code);
        assert_string_equal(json_string(document, "outcome"), runs[i].outcome);
        assert_true(schema_accepts(schema, schema, document));
        cJSON_Delete(document);
    }
    cJSON_Delete(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reports_are_what_the_schema_says),
                                       cmocka_unit_test(reports_of_every_outcome_fit_the_schema)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
