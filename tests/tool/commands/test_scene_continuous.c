/* SPDX-License-Identifier: MIT */
/* graze scene --continuous, through the real program: what passes between two frames, when, and what is refused. */
#include <stdio.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

#define HEAD "{\"graze\": \"scene\", \"version\": 1, "
#define MESHES "\"meshes\": {\"cube\": {\"shape\": \"box\"}, \"sheet\": {\"shape\": \"box\", \"size\": [0.5, 4, 4]}}, "

/* The bullet's front is at -2.75 in frame 1; the sheet's at -0.25, and its back leaves at 0.25. */
#define BULLET(speed)                                                                                                  \
    HEAD MESHES "\"objects\": [{\"name\": \"sheet\", \"mesh\": \"sheet\"}, {\"name\": \"bullet\", \"mesh\": "          \
                "\"cube\", \"pose\": {\"position\": [-3.25, 0, 0]}, \"velocity\": [" speed ", 0, 0]}]}"

static const cJSON *only_event(const cJSON *document, int frame)
{
    const cJSON *frames = cJSON_GetObjectItem(document, "frames");
    const cJSON *events = cJSON_GetObjectItem(cJSON_GetArrayItem(frames, frame - 1), "events");
    assert_int_equal(cJSON_GetArraySize(events), 1);
    return cJSON_GetArrayItem(events, 0);
}

static void expect_interval(const cJSON *event, const char *key, double time)
{
    const cJSON *interval = cJSON_GetObjectItem(event, key);
    assert_int_equal(cJSON_GetArraySize(interval), 2);
    double lower = cJSON_GetArrayItem(interval, 0)->valuedouble, upper = cJSON_GetArrayItem(interval, 1)->valuedouble;
    assert_true(lower <= time && time <= upper && upper - lower < 1e-12);
}

static void what_passes_between_two_frames_is_reported_with_its_time(void **state)
{
    (void)state;
    write_text("scene.json", BULLET("8"));
    cJSON *document = expect_json(RUN("scene", "scene.json", "--frames", "3", "--json"), 0);
    assert_false(cJSON_HasObjectItem(cJSON_GetObjectItem(document, "summary"), "passes"));
    cJSON_Delete(document);
    document = expect_json(RUN("scene", "scene.json", "--frames", "3", "--json", "--continuous"), 1);
    const cJSON *event = only_event(document, 2), *impact = cJSON_GetObjectItem(event, "impact");
    assert_string_equal(json_string(event, "event"), "pass");
    assert_string_equal(json_string(event, "a"), "sheet");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(event, "triangles")), 2);
    assert_true(json_number(impact, "lower") == 0.3125 && json_number(impact, "upper") == 0.3125);
    expect_interval(event, "time", 1.3125);
    expect_interval(event, "end_time", 1.5);
    assert_true(json_number(cJSON_GetObjectItem(document, "summary"), "passes") == 1);
    assert_true(json_number(cJSON_GetObjectItem(document, "summary"), "begins") == 0);
    cJSON_Delete(document);
}

static void begins_and_ends_say_when(void **state)
{
    (void)state;
    write_text("scene.json", BULLET("3"));
    cJSON *document = expect_json(RUN("scene", "scene.json", "--frames", "4", "--json", "--continuous"), 1);
    const cJSON *begin = only_event(document, 2), *end = only_event(document, 3);
    assert_string_equal(json_string(begin, "event"), "begin");
    expect_interval(begin, "time", 1 + 2.5 / 3);
    assert_false(cJSON_HasObjectItem(begin, "end_time"));
    assert_string_equal(json_string(end, "event"), "end");
    expect_interval(end, "time", 2 + 1 / 3.0); /* its back, at -0.75, is at 0.25 then */
    expect_interval(end, "end_time", 2 + 1 / 3.0);
    cJSON_Delete(document);
}

static void text_says_when(void **state)
{
    (void)state;
    write_text("scene.json", BULLET("8"));
    tool_result result = RUN("scene", "scene.json", "--frames", "3", "--continuous", "--no-times");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, "frame 2: pass sheet + bullet at 1.3125\n"));
    assert_non_null(strstr(result.out, "collision: 0 began, 0 ended and 1 passed within 3 frames"));
    tool_release(&result);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    write_text("scene.json", BULLET("8"));
    tool_expect_refusal(RUN("scene", "scene.json", "--motion", "turn"), 2, "--continuous");
    tool_expect_refusal(RUN("scene", "scene.json", "--continuous", "--motion", "tern"), 2, "'turn'");
    tool_expect_refusal(RUN("scene", "scene.json", "--continuous", "--motion", "screw"), 2, "blend");
    write_text("scaled.json", HEAD MESHES
               "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\", \"track\": [{\"frame\": 2, \"pose\": {\"matrix\": "
               "[2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]}}]}]}");
    tool_result result = RUN("scene", "scaled.json", "--frames", "2", "--continuous");
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "frame 2: "));
    assert_non_null(strstr(result.err, "--motion blend"));
    tool_release(&result);
    cJSON *document =
        expect_json(RUN("scene", "scaled.json", "--frames", "2", "--continuous", "--motion", "blend", "--json"), 0);
    cJSON_Delete(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_passes_between_two_frames_is_reported_with_its_time),
                                       cmocka_unit_test(begins_and_ends_say_when), cmocka_unit_test(text_says_when),
                                       cmocka_unit_test(what_makes_no_sense_is_refused)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
