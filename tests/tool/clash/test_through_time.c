/* SPDX-License-Identifier: MIT */
/* graze clash --through-time: scene files whose objects move, and what is refused. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash_boxes.h"
#include "support/json_schema.h"
#include "support/tool_json.h"

/* A scene with a wall at x from 2 to 2.5, and further objects. */
static void write_scene(const char *path, const char *head, const char *objects)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(
        file,
        "{\"graze\": \"scene\", \"version\": 1, %s \"meshes\": {\"cube\": {\"shape\": \"box\", \"size\": 1},"
        "\"wall\": {\"shape\": \"box\", \"size\": [0.5, 8, 8]}}, \"objects\": ["
        "{\"name\": \"wall\", \"mesh\": \"wall\", \"pose\": {\"position\": [2.25, 0, 0]}, \"static\": true}, %s]}\n",
        head, objects);
    assert_int_equal(fclose(file), 0);
}

static const char crossing_track[] =
    "{\"name\": \"cube\", \"mesh\": \"cube\", \"track\": [{\"frame\": 1, \"pose\": {\"position\": [-6, 0, 0]}},"
    "{\"frame\": 2, \"pose\": {\"position\": [-2, 0, 0]}}, {\"frame\": 3, \"pose\": {\"position\": [14, 0, 0]}}]}";

static const cJSON *only_finding(const cJSON *document)
{
    const cJSON *findings = cJSON_GetObjectItem(document, "findings");
    assert_int_equal(cJSON_GetArraySize(findings), 1);
    return cJSON_GetArrayItem(findings, 0);
}

static double bound(const cJSON *finding, const char *key, int index)
{
    const cJSON *pair = cJSON_GetObjectItem(finding, key);
    assert_int_equal(cJSON_GetArraySize(pair), 2);
    return cJSON_GetArrayItem(pair, index)->valuedouble;
}

static void what_passes_between_frames_is_found_with_its_time(void **state)
{
    (void)state;
    write_scene("pass.json", "", crossing_track);
    cJSON *document = expect_json(RUN("clash", "pass.json", "--through-time", "--json"), 1);
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/clash-report.schema.json");
    assert_true(schema_accepts(schema, schema, document));
    assert_int_equal(json_number(cJSON_GetObjectItem(document, "through_time"), "frames"), 3);
    const cJSON *finding = only_finding(document);
    /* Its right face, at -1.5 in frame 2, reaches the wall after 3.5 of 16. */
    assert_true(bound(finding, "time", 0) == 2.21875 && bound(finding, "time", 1) == 2.21875);
    assert_true(bound(finding, "crossing_time", 0) == 2.21875);
    assert_string_equal(json_string(finding, "verdict"), "crosses");
    assert_true(json_number(finding, "measured_at") > 2.21875 && json_number(finding, "measured_at") < 2.4);
    cJSON_Delete(document);
    cJSON_Delete(schema);

    tool_result result = RUN("clash", "pass.json", "--json"); /* frame 1 alone */
    assert_int_equal(result.code, 0);
    tool_release(&result);
    result = RUN("clash", "pass.json", "--through-time");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, ", frame 2.21875, measured at 2."));
    assert_non_null(strstr(result.out, "  frames      3, and all moments between them\n"));
    tool_release(&result);
}

/* Two plates on one turning arm, one fixed to it far out: they stay as they are, whatever the turn. */
static void what_is_fixed_to_a_turning_part_stays_fixed(void **state)
{
    (void)state;
    write_scene("arm.json", "\"frames\": 5,",
                "{\"name\": \"arm\", \"mesh\": \"cube\", \"pose\": {\"position\": [-30, 0, 0]},"
                "\"spin\": {\"axis\": [1, 2, 3], \"degrees\": 50}},"
                "{\"name\": \"tip\", \"mesh\": \"cube\", \"parent\": \"arm\","
                "\"pose\": {\"position\": [3, 4, 5], \"axis_angle\": [1, 0, 0, 20]}},"
                "{\"name\": \"cap\", \"mesh\": \"cube\", \"parent\": \"arm\","
                "\"pose\": {\"position\": [4, 4, 5], \"axis_angle\": [1, 0, 0, 20]}},"
                "{\"name\": \"rider\", \"mesh\": \"cube\", \"parent\": \"cap\", \"pose\": {\"position\": [20, 0, 0]}}");
    cJSON *document = expect_json(RUN("clash", "arm.json", "--through-time", "--json"), 1);
    const cJSON *finding = only_finding(document);
    assert_string_equal(json_string(finding, "verdict"), "touches");
    assert_string_equal(json_string(finding, "a"), "cap");
    assert_true(bound(finding, "time", 0) == 1 && bound(finding, "time", 1) == 1);
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "arm.json", "--through-time", "--allow-touch", "--json"), 0);
    cJSON_Delete(document);
}

/* The child's corner draws an arc about the parent's axis: an end of the arc is farthest from the chord halfway. */
static void children_turn_about_the_axis_of_their_parent(void **state)
{
    (void)state;
    write_scene(
        "hinge.json", "\"frames\": 2,",
        "{\"name\": \"hinge\", \"spin\": {\"axis\": [0, 0, 1], \"degrees\": 90}, \"pose\": {\"axis_angle\": "
        "[0, 0, 1, -45], \"position\": [0, 0, 0]}},"
        "{\"name\": \"leaf\", \"mesh\": \"cube\", \"parent\": \"hinge\", \"pose\": {\"position\": [1.75, 0, 0]}}");
    /* Its outer face is 2.25 from the axis: it lies beyond x = 2 when the leaf points along x, and not at either end,
     * where its outer corner is at 2.25 cos 45 + 0.5 sin 45 = 1.94. */
    cJSON *document = expect_json(RUN("clash", "hinge.json", "--through-time", "--json"), 1);
    const cJSON *finding = only_finding(document);
    assert_true(bound(finding, "time", 0) > 1 && bound(finding, "time", 1) < 1.5);
    cJSON_Delete(document);
}

/* Objects name the meshes in another order than the file has them. */
static void parts_have_the_meshes_that_objects_name(void **state)
{
    (void)state;
    write_scene("named.json", "",
                "{\"name\": \"cube\", \"mesh\": \"cube\", \"pose\": {\"axis_angle\": [0, 0, 1, 45]}}");
    cJSON *document = expect_json(RUN("clash", "named.json", "--clearance", "9", "--json"), 1);
    assert_true(fabs(bound(only_finding(document), "gap", 0) - (2 - sqrt(0.5))) < 1e-9);
    cJSON_Delete(document);
}

static void threads_change_no_byte(void **state)
{
    (void)state;
    tool_result one = RUN("clash", "arm.json", "--through-time", "--json", "--threads", "1");
    tool_result four = RUN("clash", "arm.json", "--through-time", "--json", "--threads", "4");
    assert_true(one.code == 1 && four.code == 1 && one.out_size > 1000);
    assert_string_equal(one.out, four.out);
    tool_release(&one);
    tool_release(&four);
}

static void what_has_no_motion_is_refused_in_words(void **state)
{
    (void)state;
    const char *still = "{\"name\": \"cube\", \"mesh\": \"cube\"}";
    const char *flying = "{\"name\": \"cube\", \"mesh\": \"cube\", \"velocity\": [1, 0, 0]}";
    const char *scaled = "{\"name\": \"cube\", \"mesh\": \"cube\", \"track\": [{\"frame\": 2, \"pose\": {\"matrix\": "
                         "[2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 2, 0]}}]}";
    write_box_obj("a.obj", 1);
    tool_expect_refusal(RUN("clash", "nowhere.json", "--through-time"), 3, "nowhere.json: there is no such file");
    tool_expect_refusal(RUN("clash", "a.obj", "--through-time"), 2, "needs a scene file in which something moves");
    write_scene("s.json", "\"frames\": 9,", still);
    tool_expect_refusal(RUN("clash", "s.json", "--through-time"), 2, "nothing moves in this scene");
    write_scene("s.json", "", flying);
    tool_expect_refusal(RUN("clash", "s.json", "--through-time"), 2, "the scene has one frame");
    write_scene("s.json", "\"frames\": 9, \"bounce\": true,", flying);
    tool_expect_refusal(RUN("clash", "s.json", "--through-time"), 2, "depends on collisions");
    write_scene("s.json", "", scaled);
    tool_expect_refusal(RUN("clash", "s.json", "--through-time"), 3, "'cube' is scaled, sheared or mirrored and moves");
    write_scene("s.json", "\"frames\": 9, \"units\": \"mm\",", flying);
    tool_expect_refusal(RUN("clash", "s.json", "--through-time", "--units", "m"), 2, "converted to another unit");
    tool_expect_refusal(RUN("clash", "s.json", "--through-time", "--clearance", "1"), 2, "takes no --clearance");
    tool_result result = RUN("clash", "s.json", "--through-time", "--clearance", "0", "--quiet");
    assert_int_equal(result.code, 1);
    tool_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_passes_between_frames_is_found_with_its_time),
        cmocka_unit_test(what_is_fixed_to_a_turning_part_stays_fixed),
        cmocka_unit_test(children_turn_about_the_axis_of_their_parent),
        cmocka_unit_test(parts_have_the_meshes_that_objects_name),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(what_has_no_motion_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
