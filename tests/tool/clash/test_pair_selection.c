/* SPDX-License-Identifier: MIT */
/* Which pairs graze clash tests: sets of duplicates, self-intersection, --a and --b, interest in scene files, standard
 * input. Excluded pairs are counted under the entry that excludes them. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>

#include "clash_boxes.h"

static const char *const three_rules[] = {
    "{\"graze\":\"rules\",\"version\":1,\"ignore\":[{\"a\":\"z\",\"reason\":\"r\"}]}",
    "{\"graze\":\"rules\",\"version\":1,\"severity\":[{\"pair\":[\"y\",\"z\"],\"severity\":\"critical\"}]}"};

static void write_three(void)
{
    WRITE_BOXES("three.obj", {"x", {0, 0, 0}, {1, 1, 1}}, {"y", {0, 0, 0}, {1, 1, 1}}, {"z", {0, 0, 0}, {1, 1, 1}});
}

static int set_size(const cJSON *document)
{
    assert_int_equal(summary(document, "findings"), 1);
    expect_finding(document, 0, "x", "y", "duplicate");
    assert_true(json_number(finding(document, 0), "pairs") >= 36);
    return cJSON_GetArraySize(cJSON_GetObjectItem(finding(document, 0), "set"));
}

static void sets_of_duplicates_hold_only_what_was_asked_for(void **state)
{
    (void)state;
    write_three();
    cJSON *document = expect_json(RUN("clash", "three.obj", "--json"), 1);
    assert_int_equal(set_size(document), 3);
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "three.obj", "--a", "x", "--b", "y", "--json"), 1);
    assert_int_equal(set_size(document), 2);
    assert_int_equal(summary(document, "parts_free"), 1);
    cJSON_Delete(document);
    write_text("rules.json", three_rules[0]);
    document = expect_json(RUN("clash", "three.obj", "--rules", "rules.json", "--json"), 1);
    assert_int_equal(set_size(document), 2);
    assert_int_equal(summary(document, "pairs_ignored"), 2);
    cJSON_Delete(document);
}

static void the_most_severe_pair_of_a_set_says_how_severe_it_is(void **state)
{
    (void)state;
    write_three();
    write_text("rules.json", three_rules[1]);
    cJSON *document = expect_json(RUN("clash", "three.obj", "--rules", "rules.json", "--json"), 1);
    assert_string_equal(json_string(finding(document, 0), "severity"), "critical");
    cJSON_Delete(document);
}

/* Quarter turns and reflections change the diagonals of the sides, not the body. */
static void turned_and_mirrored_boxes_are_duplicates(void **state)
{
    (void)state;
    write_text("turn.json",
               "{\"graze\":\"scene\",\"version\":1,\"meshes\":{\"m\":{\"shape\":\"box\",\"size\":2}},\"objects\":["
               "{\"name\":\"x\",\"mesh\":\"m\"},"
               "{\"name\":\"y\",\"mesh\":\"m\",\"pose\":{\"axis_angle\":[0,0,1,90]}},"
               "{\"name\":\"z\",\"mesh\":\"m\",\"pose\":{\"matrix\":[-1,0,0,0, 0,1,0,0, 0,0,1,0]}}]}");
    cJSON *document = expect_json(RUN("clash", "turn.json", "--json"), 1);
    assert_int_equal(set_size(document), 3);
    cJSON_Delete(document);
}

/* Every triangle has its own vertices, as in STL. */
static void write_soup(const char *path, const double lower[3], const double upper[3])
{
    static const int faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "solid soup\n");
    for (int f = 0; f < 12; f++)
    {
        fprintf(file, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++)
        {
            int i = faces[f][k];
            fprintf(file, "vertex %.17g %.17g %.17g\n", i & 1 ? upper[0] : lower[0], i & 2 ? upper[1] : lower[1],
                    i & 4 ? upper[2] : lower[2]);
        }
        fprintf(file, "endloop\nendfacet\n");
    }
    fprintf(file, "endsolid soup\n");
    assert_int_equal(fclose(file), 0);
}

static void neighbours_that_name_no_corner_in_common_do_not_cross(void **state)
{
    (void)state;
    write_soup("soup.stl", (double[]){0, 0, 0}, (double[]){1, 1, 1});
    cJSON *document = expect_json(RUN("clash", "soup.stl", "--self", "--json"), 0);
    assert_string_equal(json_string(document, "outcome"), "clean");
    assert_int_equal(summary(document, "selves_tested"), 1);
    cJSON_Delete(document);
    /* Without --self a single part gives nothing to test. */
    document = expect_json(RUN("clash", "soup.stl", "--json"), 4);
    cJSON_Delete(document);
}

/* Two intersecting boxes as one object. */
static void write_crossed(void)
{
    WRITE_BOXES("crossed.obj", {"crossed", {0, 0, 0}, {2, 2, 2}}, {"crossed", {1, 1, 1}, {3, 3, 3}},
                {"other", {9, 9, 9}, {10, 10, 10}});
}

static void rules_and_sets_choose_parts_by_themselves_too(void **state)
{
    (void)state;
    write_crossed();
    cJSON *document = expect_json(RUN("clash", "crossed.obj", "--self", "--json"), 1);
    expect_finding(document, 0, "crossed", "crossed", "self");
    assert_int_equal(summary(document, "selves_tested"), 2);
    cJSON_Delete(document);
    write_text("rules.json", "{\"graze\":\"rules\",\"version\":1,\"ignore\":["
                             "{\"a\":\"crossed\",\"b\":\"crossed\",\"reason\":\"a weld\"}]}");
    document = expect_json(RUN("clash", "crossed.obj", "--self", "--rules", "rules.json", "--json"), 0);
    assert_int_equal(summary(document, "findings"), 0);
    assert_int_equal(summary(document, "selves_tested"), 1);
    assert_int_equal(summary(document, "selves_ignored"), 1);
    const cJSON *ignored = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "ignored"), 0);
    assert_true(json_number(ignored, "selves") == 1 && json_number(ignored, "pairs") == 0);
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "crossed.obj", "--self", "--a", "other", "--b", "other", "--json"), 0);
    assert_int_equal(summary(document, "selves_tested"), 1);
    cJSON_Delete(document);
}

/* In names brackets are ordinary characters. */
static void sets_are_told_by_the_patterns_of_rules(void **state)
{
    (void)state;
    WRITE_BOXES("names.obj", {"a", {0, 0, 0}, {2, 2, 2}}, {"b[1]", {1, 1, 1}, {3, 3, 3}}, {"b1", {1, 1, 1}, {4, 4, 4}});
    cJSON *document = expect_json(RUN("clash", "names.obj", "--a", "a", "--b", "b[1]", "--json"), 1);
    assert_int_equal(summary(document, "findings"), 1);
    expect_finding(document, 0, "a", "b[1]", "crosses");
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "names.obj", "--a", "q*", "--b", "b*", "--json"), 4);
    const cJSON *problem = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "problems"), 0);
    assert_non_null(strstr(json_string(problem, "what"), "q*"));
    cJSON_Delete(document);
}

#define SCENE_HEAD                                                                                                     \
    "{\"graze\":\"scene\",\"version\":1,\"meshes\":{\"m\":{\"shape\":\"box\",\"size\":2}},\"layers\":[\"l\",\"k\"],"
#define OBJECT(name, x, more) "{\"name\":\"" name "\",\"mesh\":\"m\",\"pose\":{\"position\":[" x ",0,0]}" more "}"

static const char scene[] = SCENE_HEAD
    "\"interest\":{\"pairs\":[[\"a\",\"b\",\"none\"],[\"c\",\"d\",\"any\"]],\"objects\":[[\"g\",\"only\"]],"
    "\"layers\":[[\"l\",\"k\",\"none\"]]},\"objects\":[" OBJECT("a", "0", "") "," OBJECT("b", "0.5", "") "," OBJECT(
        "c", "10", ",\"static\":true") "," OBJECT("d", "10.5", ",\"static\":true") "," OBJECT("e", "11",
                                                                                              ",\"static\":true") //
    "," OBJECT("f", "0.25", ",\"parent\":\"a\"") "," OBJECT("g", "10.25", "") "," OBJECT("h", "20",
                                                                                         ",\"layer\":"
                                                                                         "\"l\"") //
    "," OBJECT("i", "20.5", ",\"layer\":\"k\"") "]}";

static double ignored_by(const cJSON *document, const char *rule)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(document, "ignored"))
    {
        if (strcmp(json_string(entry, "rule"), rule) == 0)
            return json_number(entry, "pairs");
    }
    return 0;
}

static void scenes_say_in_which_pairs_anybody_is_interested(void **state)
{
    (void)state;
    write_text("scene.json", scene);
    cJSON *document = expect_json(RUN("clash", "scene.json", "--json"), 1);
    assert_int_equal(summary(document, "findings"), 2); /* c and d, which a rule wants; b and f */
    expect_finding(document, 0, "c", "d", "crosses");   /* deeper */
    expect_finding(document, 1, "b", "f", "crosses");
    assert_true(ignored_by(document, "scene.json: interest.pairs[0]") == 1);
    assert_true(ignored_by(document, "scene.json: static") == 2);
    assert_true(ignored_by(document, "scene.json: interest.neighbours") == 1);
    assert_true(ignored_by(document, "scene.json: interest.objects[0]") == 8);
    assert_true(ignored_by(document, "scene.json: interest.layers[0]") == 1);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "ignored")), 5);
    assert_int_equal(summary(document, "pairs_ignored"), 13);
    cJSON_Delete(document);
}

static void scenes_and_meshes_come_through_standard_input(void **state)
{
    (void)state;
    write_text("scene.json", scene);
    cJSON *piped = expect_json(RUN_WITH_INPUT(scene, "clash", "-", "--json"), 1);
    cJSON *named = expect_json(RUN("clash", "scene.json", "--json"), 1);
    assert_true(cJSON_Compare(cJSON_GetObjectItem(piped, "findings"), cJSON_GetObjectItem(named, "findings"), true));
    const cJSON *input = cJSON_GetArrayItem(cJSON_GetObjectItem(piped, "inputs"), 0);
    const cJSON *file = cJSON_GetArrayItem(cJSON_GetObjectItem(named, "inputs"), 0);
    assert_string_equal(json_string(input, "hash"), json_string(file, "hash"));
    cJSON_Delete(piped);
    cJSON_Delete(named);
    /* The word that identifies a scene may also be the name of a node, or be nested deeper. */
    piped = expect_json(RUN_WITH_INPUT("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "clash", "-", "--self", "--json"), 0);
    assert_int_equal(summary(piped, "parts"), 1);
    cJSON_Delete(piped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets_of_duplicates_hold_only_what_was_asked_for),
                                       cmocka_unit_test(the_most_severe_pair_of_a_set_says_how_severe_it_is),
                                       cmocka_unit_test(turned_and_mirrored_boxes_are_duplicates),
                                       cmocka_unit_test(neighbours_that_name_no_corner_in_common_do_not_cross),
                                       cmocka_unit_test(rules_and_sets_choose_parts_by_themselves_too),
                                       cmocka_unit_test(sets_are_told_by_the_patterns_of_rules),
                                       cmocka_unit_test(scenes_say_in_which_pairs_anybody_is_interested),
                                       cmocka_unit_test(scenes_and_meshes_come_through_standard_input)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
