/* SPDX-License-Identifier: MIT */
/* graze clash in the hands of reviewers: several files of rules, approvals that lapse, links and assemblies of node
 * trees, surfaces, and what the command says about what it reads and writes. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clash_boxes.h"
#include "support/gltf_file.h"
#include "support/tool_process.h"

#define HEAD "{\"graze\": \"rules\", \"version\": 1, "

#define CLASH(code, ...) expect_json(RUN("clash", __VA_ARGS__), code)

static bool has_problem(const cJSON *document, const char *part, const char *words)
{
    const cJSON *problem;
    cJSON_ArrayForEach(problem,
                       cJSON_GetObjectItem(document, "problems")) if (strcmp(json_string(problem, "part"), part) == 0 &&
                                                                      strstr(json_string(problem, "what"), words) !=
                                                                          NULL) return true;
    return false;
}

static void all_rules_count(void **state)
{
    (void)state;
    WRITE_BOXES("three.obj", {"a", {0, 0, 0}, {4, 4, 4}}, {"b", {3, 0, 0}, {8, 4, 4}}, {"c", {8.25, 0, 0}, {9, 4, 4}});
    write_text("one.json", HEAD "\"ignore\": [{\"a\": \"a\", \"b\": \"b\", \"reason\": \"welded\"}]}");
    write_text("two.json", HEAD "\"limits\": [{\"clearance\": 0.5}]}");
    cJSON *document = CLASH(1, "three.obj", "--rules", "one.json", "--rules=./two.json", "--json");
    assert_int_equal((int)summary(document, "pairs_ignored"), 1);
    assert_int_equal((int)summary(document, "findings"), 1);
    expect_finding(document, 0, "b", "c", "too_close");
    assert_string_equal(json_string(finding(document, 0), "rule"), "two.json: limits[0]");
    const cJSON *rules = cJSON_GetObjectItem(document, "rules");
    assert_int_equal(cJSON_GetArraySize(rules), 2);
    assert_string_equal(json_string(cJSON_GetArrayItem(rules, 1), "path"), "./two.json");
    cJSON_Delete(document);
    /* An error names the file that has it. */
    write_text("bad.json", "{");
    tool_expect_refusal(RUN("clash", "three.obj", "--rules", "one.json", "--rules", "bad.json"), 3, "bad.json");
}

static void an_approval_for_touching_does_not_silence_a_crossing(void **state)
{
    (void)state;
    char rules[300];
    WRITE_BOXES("pair.obj", {"a", {0, 0, 0}, {8, 8, 8}}, {"b", {8, 0, 0}, {16, 8, 8}});
    cJSON *document = CLASH(1, "pair.obj", "--json");
    snprintf(rules, sizeof rules,
             HEAD "\"approve\": [{\"id\": \"%s\", \"a\": \"a\", \"b\": \"b\", \"reason\": \"fits\", \"verdict\": "
                  "\"touches\", \"point\": [8, 4, 4]}]}",
             json_string(finding(document, 0), "id"));
    write_text("rules.json", rules);
    cJSON_Delete(document);
    cJSON_Delete(CLASH(0, "pair.obj", "--json", "--rules", "rules.json"));
    WRITE_BOXES("pair.obj", {"a", {0, 0, 0}, {8, 8, 8}}, {"b", {2, 0, 0}, {10, 8, 8}});
    document = CLASH(1, "pair.obj", "--json", "--rules", "rules.json");
    assert_string_equal(json_string(finding(document, 0), "state"), "new");
    assert_true(has_problem(document, "rules.json", "approve[0]: the approval of 'a' and 'b' has lapsed"));
    cJSON_Delete(document);
}

static void write_cubes(const char *path, const char *nodes)
{
    char json[2000];
    snprintf(json, sizeof json, "{" GLTF_BOX ",\"nodes\":[%s]}", nodes);
    gltf_bytes chunk = gltf_box_bytes(1), file = gltf_make_glb(json, &chunk);
    write_bytes(path, file.data, file.size);
    free(chunk.data);
    free(file.data);
}

static void links_and_assemblies_of_node_trees_are_selected(void **state)
{
    (void)state;
    /* A robot of three links, another with the same names, and a cube under a node without a mesh. */
    write_cubes("robot.glb", "{\"name\": \"base\", \"mesh\": 0, \"children\": [1]},"
                             "{\"name\": \"arm\", \"mesh\": 0, \"translation\": [0.5, 0, 0], \"children\": [2]},"
                             "{\"name\": \"hand\", \"mesh\": 0, \"translation\": [0.25, 0, 0]},"
                             "{\"name\": \"base\", \"mesh\": 0, \"translation\": [0, 0, 9], \"children\": [4]},"
                             "{\"name\": \"arm\", \"mesh\": 0, \"translation\": [0.5, 0, 0]},"
                             "{\"name\": \"cell\", \"children\": [6, 7]},"
                             "{\"name\": \"x\", \"mesh\": 0, \"translation\": [0.5, 0, 9.5]},"
                             "{\"name\": \"y\", \"mesh\": 0, \"translation\": [0.5, 0, 10]}");
    write_text("linked.json", HEAD "\"ignore\": [{\"linked\": \"parent\", \"reason\": \"joints\"}]}");
    write_text("assembly.json", HEAD "\"ignore\": [{\"same\": \"assembly\", \"reason\": \"bought\"}]}");
    cJSON *document = CLASH(1, "robot.glb", "--json");
    int all = (int)summary(document, "findings");
    cJSON_Delete(document);
    document = CLASH(1, "robot.glb", "--json", "--rules", "linked.json");
    assert_int_equal((int)summary(document, "pairs_ignored"), 3); /* base arm, arm hand, base#2 arm#2 */
    assert_int_equal((int)summary(document, "findings"), all - 3);
    cJSON_Delete(document);
    document = CLASH(1, "robot.glb", "--json", "--rules", "assembly.json");
    assert_int_equal((int)summary(document, "pairs_ignored"), 5); /* 3 of the robot, 1, and x y */
    cJSON_Delete(document);
}

static void objects_of_scenes_are_linked_with_their_parents(void **state)
{
    (void)state;
    write_text("scene.json",
               "{\"graze\": \"scene\", \"version\": 1, \"interest\": {\"neighbours\": \"any\"}, \"meshes\": {\"box\": "
               "{\"shape\": \"box\"}}, \"objects\": [{\"name\": \"root\"},"
               "{\"name\": \"base\", \"mesh\": \"box\", \"parent\": \"root\"},"
               "{\"name\": \"arm\", \"parent\": \"base\", \"mesh\": \"box\", \"pose\": {\"position\": [0.5, 0, 0]}},"
               "{\"name\": \"hand\", \"parent\": \"arm\", \"mesh\": \"box\", \"pose\": {\"position\": [0.25, 0, 0]}},"
               "{\"name\": \"lamp\", \"parent\": \"root\", \"mesh\": \"box\", \"pose\": {\"position\": [0, 99, 0]}}]}");
    write_text("linked.json", HEAD "\"ignore\": [{\"linked\": \"parent\", \"reason\": \"joints\"}]}");
    write_text("assembly.json", HEAD "\"ignore\": [{\"same\": \"assembly\", \"reason\": \"bought\"}]}");
    cJSON *document = CLASH(1, "scene.json", "--json", "--rules", "linked.json");
    assert_int_equal((int)summary(document, "pairs_ignored"), 2);
    expect_finding(document, 0, "base", "hand", "crosses");
    cJSON_Delete(document);
    document = CLASH(4, "scene.json", "--json", "--rules", "assembly.json");
    assert_int_equal((int)summary(document, "pairs_ignored"), 6); /* also those that only the root connects */
    cJSON_Delete(document);
}

static void words_that_look_like_outputs_are_named(void **state)
{
    (void)state;
    WRITE_BOXES("pair.obj", {"a", {0, 0, 0}, {4, 4, 4}}, {"b", {9, 0, 0}, {10, 4, 4}});
    tool_result result = RUN("clash", "pair.obj", "--json", "out.txt");
    assert_non_null(strstr(result.err, "'out.txt' after --json does not end in .json, so it is read as an input; "
                                       "--json=out.txt writes it"));
    assert_int_equal(access("out.txt", F_OK), -1);
    tool_release(&result);
    result = RUN("clash", "pair.obj", "--json=out.txt");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.err, "graze: wrote out.txt (0 findings)\n");
    assert_int_equal(access("out.txt", F_OK), 0);
    tool_release(&result);
    result = RUN("clash", "--json", "pair.obj"); /* an input is no output */
    assert_int_equal(result.code, 0);
    assert_string_equal(result.err, "");
    tool_release(&result);
    result = RUN("clash", "pair.obj", "--json", "new.json", "--csv", "new.csv", "--quiet");
    assert_string_equal(result.err, "");
    assert_true(access("new.json", F_OK) == 0 && access("new.csv", F_OK) == 0);
    tool_release(&result);
    result = RUN("clash", "pair.obj", "--json", "new.json", "--csv", "new.csv");
    assert_string_equal(result.err, "graze: wrote new.json (0 findings)\ngraze: wrote new.csv (0 findings)\n");
    tool_release(&result);
}

static void dry_runs_are_json_when_asked(void **state)
{
    (void)state;
    WRITE_BOXES("pair.obj", {"a", {0, 0, 0}, {4, 4, 4}}, {"b", {3, 0, 0}, {10, 4, 4}}, {"c", {99, 0, 0}, {100, 4, 4}});
    cJSON *document = CLASH(0, "pair.obj", "--dry-run", "--json", "--surface", "c");
    assert_string_equal(json_string(document, "graze"), "clash-dry-run");
    const cJSON *parts = cJSON_GetObjectItem(document, "parts");
    assert_int_equal(cJSON_GetArraySize(parts), 3);
    assert_string_equal(json_string(cJSON_GetArrayItem(parts, 2), "name"), "c");
    assert_int_equal((int)json_number(cJSON_GetArrayItem(parts, 0), "triangles"), 12);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetArrayItem(parts, 2), "surface")));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(cJSON_GetArrayItem(parts, 1), "surface")));
    assert_int_equal((int)summary(document, "pairs_possible"), 3);
    assert_int_equal((int)summary(document, "pairs_to_test"), 1);
    assert_true(json_number(cJSON_GetObjectItem(document, "seconds"), "checking_estimated") > 0);
    cJSON_Delete(document);
    tool_result result = RUN("clash", "pair.obj", "--dry-run", "--csv", "x.csv");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "--csv: nothing is written with --dry-run"));
    assert_int_equal(access("x.csv", F_OK), -1);
    tool_release(&result);
    result = RUN("clash", "pair.obj", "gone.obj", "--dry-run", "--json=dry.txt");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.err, "graze: wrote dry.txt\n");
    assert_non_null(strstr(result.out, "problems: gone.obj: there is no such file or folder\n"));
    tool_release(&result);
}

static void patterns_that_match_nothing_are_problems(void **state)
{
    (void)state;
    WRITE_BOXES("pair.obj", {"a", {0, 0, 0}, {4, 4, 4}}, {"b", {3, 0, 0}, {10, 4, 4}});
    cJSON *document = CLASH(1, "pair.obj", "--json", "--surface", "terrain*", "--surface", "b");
    assert_true(has_problem(document, "", "--surface: no part matches 'terrain*'"));
    assert_false(has_problem(document, "", "'b'"));
    cJSON_Delete(document);
    tool_expect_refusal(RUN("clash", "pair.obj", "--surface", "x\\"), 2, "--surface 'x\\'");
}

/* Every way in which a finding of the baseline may be hidden: none of them is resolved. */
static void what_is_ignored_now_is_not_resolved(void **state)
{
    (void)state;
    static const struct
    {
        const char *rules, *a, *b, *hidden;
    } cases[] = {
        {HEAD "\"ignore\": [{\"a\": \"a\", \"b\": \"b\", \"reason\": \"r\"}]}", "*", "*",
         "crosses now.json: ignore[0] "},
        {HEAD "\"limits\": [{\"allow_touch\": true}]}", "*", "*", "touches now.json: limits[0] "},
        {HEAD "\"limits\": [{\"pair\": [\"a\", \"b\"], \"max_depth\": 3}]}", "*", "*", "crosses now.json: limits[0] "},
        {HEAD "\"limits\": [{\"clearance\": 0.125}]}", "*", "*", "too_close now.json: limits[0] "},
        {HEAD "\"limits\": [{\"clearance\": 0.5}]}", "a", "b", "touches --a and --b too_close --a and --b "},
    };
    const char *old = HEAD "\"limits\": [{\"clearance\": 0.5}]}";
    /* a crosses b, touches c; d is near e */
    WRITE_BOXES("all.obj", {"a", {0, 0, 0}, {4, 4, 4}}, {"b", {3, 0, 0}, {8, 4, 4}}, {"c", {-2, 0, 0}, {0, 4, 4}},
                {"d", {0, 20, 0}, {4, 24, 4}}, {"e", {4.25, 20, 0}, {8, 24, 4}});
    write_text("now.json", old);
    tool_result result = RUN("clash", "all.obj", "--json", "old.json", "--rules", "now.json", "--quiet");
    assert_int_equal(result.code, 1);
    tool_release(&result);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        char hidden[200] = "";
        write_text("now.json", cases[i].rules);
        if (i != 3 && i != 4) /* the clearance of the earlier run */
            write_text("more.json", old);
        else
            write_text("more.json", HEAD "\"limits\": []}");
        cJSON *document = CLASH(0, "all.obj", "--json", "--rules", "now.json", "--rules", "more.json", "--baseline",
                                "old.json", "--a", cases[i].a, "--b", cases[i].b);
        const cJSON *entry;
        cJSON_ArrayForEach(entry, cJSON_GetObjectItem(document, "ignored_now"))
        {
            size_t used = strlen(hidden);
            snprintf(hidden + used, sizeof hidden - used, "%s %s ", json_string(entry, "verdict"),
                     json_string(entry, "rule"));
        }
        assert_string_equal(hidden, cases[i].hidden);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "resolved")), 0);
        assert_int_equal((int)summary(document, "resolved"), 0);
        cJSON_Delete(document);
    }
    write_text("now.json", old);
    WRITE_BOXES("all.obj", {"a", {0, 0, 0}, {4, 4, 4}}, {"c", {-2, 0, 0}, {0, 4, 4}}, {"d", {0, 20, 0}, {4, 24, 4}},
                {"e", {4.75, 20, 0}, {8, 24, 4}});
    cJSON *document = CLASH(0, "all.obj", "--json", "--rules", "now.json", "--baseline", "old.json");
    assert_int_equal((int)summary(document, "resolved"), 2); /* b is gone, e has moved away */
    assert_int_equal((int)summary(document, "ignored_now"), 0);
    cJSON_Delete(document);
}

/* Reviews and lapsed approvals in all documents. */
static void documents_have_the_review(void **state)
{
    (void)state;
    char rules[400], text[4096];
    WRITE_BOXES("pair.obj", {"a", {0, 0, 0}, {8, 8, 8}}, {"b", {2, 0, 0}, {10, 8, 8}});
    cJSON *document = CLASH(1, "pair.obj", "--json");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(finding(document, 0), "review")));
    const char *id = json_string(finding(document, 0), "id");
    snprintf(rules, sizeof rules,
             HEAD "\"approve\": [{\"id\": \"%s\", \"reason\": \"r\", \"verdict\": \"touches\"}], \"review\": [{\"id\": "
                  "\"%s\", \"state\": \"approved\", \"assignee\": \"Ada\", \"comment\": \"why, \\\"oh\\\"\"}]}",
             id, id);
    write_text("rules.json", rules);
    cJSON_Delete(document);
    document = CLASH(1, "pair.obj", "--json", "--rules", "rules.json", "--csv", "out.csv", "--quiet");
    const cJSON *review = cJSON_GetObjectItem(finding(document, 0), "review");
    assert_string_equal(json_string(review, "state"), "approved");
    assert_string_equal(json_string(review, "assignee"), "Ada");
    assert_string_equal(json_string(review, "comment"), "why, \"oh\"");
    assert_string_equal(json_string(finding(document, 0), "lapsed"), "rules.json: approve[0]");
    cJSON_Delete(document);
    FILE *file = fopen("out.csv", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_non_null(strstr(text, ",lapsed,review,assignee,comment,"));
    assert_non_null(strstr(text, ",rules.json: approve[0],approved,Ada,\"why, \"\"oh\"\"\","));
}

/* A crossing of 0.02 in the baseline, and of 2 now: the intervals of the depths are far from each other. */
static void a_crossing_a_hundred_times_as_deep_is_worse(void **state)
{
    (void)state;
    WRITE_BOXES("pair.obj", {"a", {0, 0, 0}, {8, 8, 8}}, {"b", {7.98, 1, 1}, {16, 7, 7}});
    tool_result result = RUN("clash", "pair.obj", "--json", "old.json", "--quiet");
    assert_int_equal(result.code, 1);
    tool_release(&result);
    cJSON *document = CLASH(0, "pair.obj", "--json", "--baseline", "old.json");
    assert_string_equal(json_string(finding(document, 0), "state"), "known");
    cJSON_Delete(document);
    WRITE_BOXES("pair.obj", {"a", {0, 0, 0}, {8, 8, 8}}, {"b", {6, 1, 1}, {16, 7, 7}});
    document = CLASH(1, "pair.obj", "--json", "--baseline", "old.json");
    assert_string_equal(json_string(finding(document, 0), "state"), "worse");
    cJSON_Delete(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rules_count),
        cmocka_unit_test(an_approval_for_touching_does_not_silence_a_crossing),
        cmocka_unit_test(links_and_assemblies_of_node_trees_are_selected),
        cmocka_unit_test(objects_of_scenes_are_linked_with_their_parents),
        cmocka_unit_test(words_that_look_like_outputs_are_named),
        cmocka_unit_test(dry_runs_are_json_when_asked),
        cmocka_unit_test(patterns_that_match_nothing_are_problems),
        cmocka_unit_test(what_is_ignored_now_is_not_resolved),
        cmocka_unit_test(documents_have_the_review),
        cmocka_unit_test(a_crossing_a_hundred_times_as_deep_is_worse),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
