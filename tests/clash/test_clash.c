/* SPDX-License-Identifier: MIT */
/* The library alone, from memory: parts made here, rules and baseline as texts, the report read back, documents written
 * to memory. */
#define _POSIX_C_SOURCE 200809L

#include "graze/clash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/tasks.h"
#include "support/failing_allocator.h"
#include "support/tool_json.h"
#include "support/unit.h"

#include "clash_meshes.h"
#include "written.h"

enum
{
    PARTS = 7
};

typedef struct assembly
{
    graze_mesh *meshes[PARTS];
    graze_clash_part parts[PARTS];
} assembly;

/* One pair of each verdict. */
static assembly make_assembly(void)
{
    static const char *const names[PARTS] = {"base", "crosses", "inside", "on top", "near", "twin", "far/alone"};
    assembly all = {.meshes = {box_between(0, 0, 0, 10, 10, 10), box_between(9, 4, 4, 12, 6, 6),
                               box_between(2, 2, 2, 3, 3, 3), box_between(4, 4, 10, 5, 5, 11),
                               box_between(-3, 0, 0, -0.125, 1, 1), box_between(0, 0, 0, 10, 10, 10),
                               box_between(90, 90, 90, 91, 91, 91)}};
    for (size_t i = 0; i < PARTS; i++)
        all.parts[i] = part_of(names[i], all.meshes[i]);
    return all;
}

static void release_assembly(assembly *all)
{
    for (size_t i = 0; i < PARTS; i++)
        graze_mesh_destroy(all->meshes[i]);
}

static const graze_clash_finding *finding_of(const graze_clash_report *report, const char *a, const char *b)
{
    for (size_t i = 0; i < report->finding_count; i++)
    {
        const graze_clash_finding *f = &report->findings[i];
        if (strcmp(report->parts[f->a].name, a) == 0 && strcmp(report->parts[f->b].name, b) == 0)
            return f;
    }
    fail_msg("no finding of %s and %s", a, b);
    return NULL;
}

static const char rules_text[] =
    "{\"graze\": \"rules\", \"version\": 1, \"ignore\": [{\"a\": \"twin\", \"reason\": \"a spare part\"},"
    "{\"a\": \"nobody\", \"reason\": \"gone\"}], \"limits\": [{\"clearance\": 0.5}],"
    "\"approve\": [{\"a\": \"base\", \"b\": \"on top\", \"verdict\": \"touches\", \"reason\": \"bolted\"}]}";

static graze_clash_rules *read_rules(const graze_context *context)
{
    graze_clash_source source = {"rules.json", rules_text, sizeof rules_text - 1};
    graze_clash_rules *rules = NULL;
    return graze_clash_rules_create(context, &source, 1, NULL, &rules) == GRAZE_STATUS_OK ? rules : NULL;
}

static void all_verdicts_are_found_from_memory(void **state)
{
    (void)state;
    assembly all = make_assembly();
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, all.parts, PARTS, NULL, NULL, &report), GRAZE_STATUS_OK);
    assert_true(report->complete && report->part_count == PARTS && report->counts.pairs_possible == 21);
    assert_int_equal(finding_of(report, "base", "crosses")->verdict, GRAZE_CLASH_CROSSES);
    assert_int_equal(finding_of(report, "base", "inside")->verdict, GRAZE_CLASH_CONTAINS);
    assert_false(finding_of(report, "base", "inside")->a_in_b);
    assert_int_equal(finding_of(report, "base", "on top")->verdict, GRAZE_CLASH_TOUCHES);
    assert_int_equal(finding_of(report, "base", "twin")->verdict, GRAZE_CLASH_DUPLICATE);
    assert_int_equal(report->counts.parts_free, 2); /* near, far/alone */
    for (size_t i = 0; i < PARTS; i++)
        assert_true(report->facts[i].closed && report->facts[i].triangle_count == 12 && report->facts[i].in_a);
    assert_int_equal(graze_clash_report_outcome(report), GRAZE_CLASH_OUTCOME_FAILED);
    graze_clash_report_destroy(report);
    release_assembly(&all);
}

static void rules_and_limits_come_from_memory(void **state)
{
    (void)state;
    assembly all = make_assembly();
    graze_clash_options options = graze_clash_options_default();
    graze_clash_rules *rules = read_rules(NULL);
    assert_non_null(rules);
    options.rules = rules;
    options.units = "mm";
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, all.parts, PARTS, &options, NULL, &report), GRAZE_STATUS_OK);
    const graze_clash_finding *near = finding_of(report, "base", "near");
    assert_true(near->verdict == GRAZE_CLASH_TOO_CLOSE && near->gap[0] <= 0.125 && near->gap[1] >= 0.125);
    assert_string_equal(near->rule, "rules.json: limits[0]");
    const graze_clash_finding *top = finding_of(report, "base", "on top");
    assert_int_equal(top->state, GRAZE_CLASH_APPROVED);
    assert_string_equal(top->reason, "bolted");
    assert_int_equal(report->finding_count, 4);
    assert_true(report->ignored_count == 2 && report->ignored[0].count == 6 && report->counts.pairs_ignored == 6);
    assert_int_equal(report->problem_count, 1);
    assert_string_equal(report->problems[0].what, "ignore[1].a: there is no part 'nobody'");
    assert_true(report->rules_count == 1 && strlen(report->rules[0].hash) == 64 && report->clearance == 0.5);
    /* Problems of the caller come first, in their order. */
    assert_int_equal(graze_clash_report_add_problem(report, "x.stl", "one", false), GRAZE_STATUS_OK);
    assert_true(report->complete);
    assert_int_equal(graze_clash_report_add_problem(report, "y.stl", "two", true), GRAZE_STATUS_OK);
    assert_true(!report->complete && report->problem_count == 3);
    assert_string_equal(report->problems[0].what, "one");
    assert_string_equal(report->problems[1].part, "y.stl");
    graze_clash_report_destroy(report);
    graze_clash_rules_destroy(rules);
    release_assembly(&all);
}

static void documents_are_written_to_memory_and_read_back(void **state)
{
    (void)state;
    assembly all = make_assembly();
    graze_clash_options options = graze_clash_options_default();
    options.regions = true;
    graze_clash_report *report = NULL, *again = NULL;
    assert_int_equal(graze_clash_find(NULL, all.parts, PARTS, &options, NULL, &report), GRAZE_STATUS_OK);
    written_text json = written_by(graze_clash_write_json, report);
    cJSON *document = cJSON_Parse(json.text);
    assert_non_null(document);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "findings")), (int)report->finding_count);
    cJSON_Delete(document);
    written_text csv = written_by(graze_clash_write_csv, report), xml = written_by(graze_clash_write_junit, report);
    assert_non_null(strstr(csv.text, ",crosses,new,base,crosses,"));
    assert_non_null(strstr(xml.text, "<testcase classname=\"memory\" name=\"far/alone\"/>"));
    /* The page's data are members of objects that the caller begins and ends. */
    written_text page = {NULL, 0};
    append_bytes(&page, "{\"header\":{\"tool\":1", 19);
    assert_int_equal(graze_clash_write_page_header(report, append_bytes, &page), GRAZE_STATUS_OK);
    append_bytes(&page, "}", 1);
    assert_int_equal(graze_clash_write_page_body(report, append_bytes, &page), GRAZE_STATUS_OK);
    append_bytes(&page, "}", 1);
    document = cJSON_Parse(page.text);
    assert_non_null(document);
    assert_non_null(cJSON_GetObjectItem(cJSON_GetObjectItem(document, "header"), "counts"));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "findings")), (int)report->finding_count);
    cJSON_Delete(document);
    /* As a baseline of the same run: everything is known. */
    graze_clash_source source = {"old.json", json.text, json.size};
    graze_clash_baseline *baseline = NULL;
    assert_int_equal(graze_clash_baseline_create(NULL, &source, NULL, &baseline), GRAZE_STATUS_OK);
    options.baseline = baseline;
    options.fail_on = GRAZE_CLASH_FAIL_ON_WORSE;
    assert_int_equal(graze_clash_find(NULL, all.parts, PARTS, &options, NULL, &again), GRAZE_STATUS_OK);
    assert_int_equal(graze_clash_report_tally(again).by_state[GRAZE_CLASH_KNOWN], again->finding_count);
    assert_int_equal(graze_clash_report_outcome(again), GRAZE_CLASH_OUTCOME_PASSED);
    assert_string_equal(again->baseline->path, "old.json");
    graze_clash_report_destroy(again);
    graze_clash_baseline_destroy(baseline);
    graze_clash_report_destroy(report);
    free(json.text);
    free(csv.text);
    free(xml.text);
    free(page.text);
    release_assembly(&all);
}

static void threads_change_no_byte(void **state)
{
    (void)state;
    assembly all = make_assembly();
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    graze_context context = graze_context_default();
    context.tasks = graze_pool_tasks(pool);
    graze_clash_options options = graze_clash_options_default();
    options.self = options.regions = true;
    graze_clash_report *one = NULL, *other = NULL;
    assert_int_equal(graze_clash_find(NULL, all.parts, PARTS, &options, NULL, &one), GRAZE_STATUS_OK);
    assert_int_equal(graze_clash_find(&context, all.parts, PARTS, &options, NULL, &other), GRAZE_STATUS_OK);
    static const report_writer writers[] = {graze_clash_write_json, graze_clash_write_csv, graze_clash_write_junit,
                                            graze_clash_write_page_body};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
    {
        written_text x = written_by(writers[i], one), y = written_by(writers[i], other);
        assert_string_equal(x.text, y.text);
        free(x.text);
        free(y.text);
    }
    graze_clash_report_destroy(one);
    graze_clash_report_destroy(other);
    graze_pool_destroy(pool);
    release_assembly(&all);
}

static bool write_some(void *user, const char *bytes, size_t size)
{
    size_t *calls = user;
    (void)bytes;
    (void)size;
    return (*calls)-- > 0;
}

static void a_writer_stops_when_the_caller_says_so(void **state)
{
    (void)state;
    assembly all = make_assembly();
    graze_clash_report *report = NULL;
    size_t calls = 0;
    assert_int_equal(graze_clash_find(NULL, all.parts, PARTS, NULL, NULL, &report), GRAZE_STATUS_OK);
    assert_int_equal(graze_clash_write_json(report, write_some, &calls), GRAZE_STATUS_CANCELLED);
    calls = 100;
    assert_int_equal(graze_clash_write_json(report, write_some, &calls), GRAZE_STATUS_OK);
    assert_true(calls < 100);
    graze_clash_report_destroy(report);
    release_assembly(&all);
}

static bool cancel_at(void *user, double share)
{
    int *left = user;
    assert_true(share >= 0 && share <= 1);
    return --*left > 0;
}

static void a_budget_ends_a_run_with_what_is_known(void **state)
{
    (void)state;
    assembly all = make_assembly();
    graze_clash_options options = graze_clash_options_default();
    size_t tested = 0;
    for (int after = 1; after < 30; after++)
    {
        int left = after;
        graze_clash_report *report = NULL;
        options.budget = (graze_budget){.progress = cancel_at, .progress_user = &left};
        assert_int_equal(graze_clash_find(NULL, all.parts, PARTS, &options, NULL, &report), GRAZE_STATUS_OK);
        assert_true(report->complete == (report->counts.pairs_undecided == 0) && (report->complete || left == 0));
        assert_true(report->counts.pairs_tested >= tested);
        tested = report->counts.pairs_tested;
        graze_clash_report_destroy(report);
    }
    graze_clash_report *report = NULL;
    options.budget = (graze_budget){.box_tests = 2};
    assert_int_equal(graze_clash_find(NULL, all.parts, PARTS, &options, NULL, &report), GRAZE_STATUS_OK);
    assert_true(!report->complete && report->counts.pairs_undecided > 0);
    assert_int_equal(graze_clash_report_shortfall(report).text[0] != '\0', true);
    graze_clash_report_destroy(report);
    release_assembly(&all);
}

static void an_estimate_counts_and_finds_nothing(void **state)
{
    (void)state;
    assembly all = make_assembly();
    graze_clash_report *report = NULL;
    double seconds = -1;
    assert_int_equal(graze_clash_estimate(NULL, all.parts, PARTS, NULL, NULL, &report, &seconds), GRAZE_STATUS_OK);
    assert_true(seconds >= 0 && report->finding_count == 0 && report->counts.pairs_possible == 21);
    graze_clash_report_destroy(report);
    release_assembly(&all);
}

static void expect_refusal(const assembly *all, const graze_clash_options *options, const char *words)
{
    graze_clash_report *report = NULL;
    graze_error error = {0};
    assert_int_equal(graze_clash_find(NULL, all->parts, PARTS, options, &error, &report), GRAZE_STATUS_BAD_ARGUMENT);
    assert_null(report);
    if (strstr(error.text, words) == NULL)
        fail_msg("no '%s' in '%s'", words, error.text);
}

static void bad_arguments_are_refused_and_named(void **state)
{
    (void)state;
    assembly all = make_assembly();
    graze_clash_options options = graze_clash_options_default();
    all.parts[3].name = "base";
    expect_refusal(&all, NULL, "parts 0 and 3 have the same name");
    all.parts[3].name = "on top";
    all.parts[2].resolution = -1;
    expect_refusal(&all, NULL, "part 2 has no resolution");
    all.parts[2].resolution = 0;
    all.parts[1].pose.m[3] = NAN;
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, all.parts, PARTS, NULL, NULL, &report), GRAZE_STATUS_NOT_FINITE);
    all.parts[1].pose.m[3] = 0;
    options.set_a = "*";
    expect_refusal(&all, &options, "one set of parts needs another");
    options.set_b = "x\\";
    expect_refusal(&all, &options, "no pattern");
    options.set_a = options.set_b = NULL;
    options.tolerances = (graze_clash_tolerances){.clearance = -1, .has_clearance = true};
    expect_refusal(&all, &options, "lengths");
    options.tolerances = (graze_clash_tolerances){.max_depth = NAN, .has_max_depth = true};
    expect_refusal(&all, &options, "lengths");
    options.tolerances = (graze_clash_tolerances){0};
    graze_clash_pair_interest pair = {0, PARTS, GRAZE_INTEREST_NONE};
    graze_clash_scene scene = {.name = "s", .otherwise = GRAZE_INTEREST_ANY, .pairs = &pair, .pair_count = 1};
    graze_clash_member members[PARTS] = {{0}};
    options.members = members;
    expect_refusal(&all, &options, "part 0 has a scene");
    options.scenes = &scene;
    options.scene_count = 1;
    expect_refusal(&all, &options, "a scene lacks");
    pair.b = 1;
    for (size_t i = 0; i < PARTS; i++)
        members[i].parent = GRAZE_CLASH_NO_PART;
    assert_int_equal(graze_clash_find(NULL, all.parts, PARTS, &options, NULL, &report), GRAZE_STATUS_OK);
    assert_int_equal(report->counts.pairs_ignored, 1);
    assert_string_equal(report->ignored[0].rule, "s: interest.pairs[0]");
    graze_clash_report_destroy(report);
    report = NULL;
    assert_int_equal(graze_clash_find(NULL, NULL, 0, NULL, NULL, &report), GRAZE_STATUS_OK);
    assert_int_equal(graze_clash_report_outcome(report), GRAZE_CLASH_OUTCOME_NOTHING);
    graze_clash_report_destroy(report);
    release_assembly(&all);
}

/* Parts that share a mesh, and parts with trees of the caller. */
static void shared_meshes_and_trees_of_the_caller_are_used(void **state)
{
    (void)state;
    graze_mesh *mesh = box_between(0, 0, 0, 1, 1, 1);
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_clash_part parts[3] = {part_of("a", mesh), part_of("b", mesh), part_of("c", mesh)};
    parts[0].tree = tree;
    parts[1].pose = graze_pose_translation(0.5, 0, 0);
    parts[2].pose = graze_pose_translation(1.5, 0, 0);
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, parts, 3, NULL, NULL, &report), GRAZE_STATUS_OK);
    assert_int_equal(report->finding_count, 2);
    assert_int_equal(finding_of(report, "a", "b")->verdict, GRAZE_CLASH_CROSSES);
    assert_int_equal(finding_of(report, "b", "c")->verdict, GRAZE_CLASH_TOUCHES);
    graze_clash_report_destroy(report);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_verdicts_are_found_from_memory),
        cmocka_unit_test(rules_and_limits_come_from_memory),
        cmocka_unit_test(documents_are_written_to_memory_and_read_back),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(a_writer_stops_when_the_caller_says_so),
        cmocka_unit_test(a_budget_ends_a_run_with_what_is_known),
        cmocka_unit_test(an_estimate_counts_and_finds_nothing),
        cmocka_unit_test(bad_arguments_are_refused_and_named),
        cmocka_unit_test(shared_meshes_and_trees_of_the_caller_are_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
