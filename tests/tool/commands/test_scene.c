/* SPDX-License-Identifier: MIT */
/* graze scene, through the real program: events of handmade scenes, motion, rules, and the same bytes for any broad
 * phase and number of threads. Invalid scene files are in test_scene_file.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/tool_json.h"
#include "support/unit.h"

#define HEAD "{\"graze\": \"scene\", \"version\": 1, "
#define CUBES "\"meshes\": {\"cube\": {\"shape\": \"box\"}, \"big\": {\"shape\": \"box\", \"size\": 3}}, "

/* All events of a document in one line, as in "1 begin a b, 3 end a b"; "!" marks a sensor's, "?" one without
 * triangles. */
static void put_events(const cJSON *document, char *text, size_t size)
{
    const cJSON *frame, *event;
    size_t used = 0;
    text[0] = '\0';
    cJSON_ArrayForEach(frame, cJSON_GetObjectItem(document, "frames"))
    {
        cJSON_ArrayForEach(event, cJSON_GetObjectItem(frame, "events"))
        {
            const char *kind = json_string(event, "event");
            bool has_triangles = cJSON_IsArray(cJSON_GetObjectItem(event, "triangles"));
            used += (size_t)snprintf(text + used, size - used, "%s%.0f %s %s %s%s%s", used > 0 ? ", " : "",
                                     json_number(frame, "frame"), kind, json_string(event, "a"),
                                     json_string(event, "b"), cJSON_HasObjectItem(event, "sensor") ? "!" : "",
                                     has_triangles || strcmp(kind, "end") == 0 ? "" : "?");
            assert_true(used < size);
        }
    }
}

/* Runs a scene and compares its events; the exit code follows from them. */
static void expect_events(const char *scene, const char *frames, const char *expected)
{
    static char events[1 << 16];
    write_text("scene.json", scene);
    cJSON *document = expect_json(RUN("scene", "scene.json", "--frames", frames, "--json"), expected[0] != '\0');
    put_events(document, events, sizeof events);
    assert_string_equal(events, expected);
    cJSON_Delete(document);
}

static void touching_exactly_is_a_collision(void **state)
{
    (void)state;
    expect_events(HEAD CUBES "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\"},"
                             "{\"name\": \"b\", \"mesh\": \"cube\", \"pose\": {\"position\": [1, 0, 0]}}]}",
                  "2", "1 begin a b");
    expect_events(HEAD CUBES "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\"},"
                             "{\"name\": \"b\", \"mesh\": \"cube\", \"pose\": {\"position\": [1.0000000000000002, 0, "
                             "0]}}]}",
                  "2", "");
}

static void what_flies_by_begins_and_ends(void **state)
{
    (void)state;
    expect_events(HEAD CUBES "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\"},"
                             "{\"name\": \"b\", \"mesh\": \"cube\", \"pose\": {\"position\": [-3, 0, 0]}, "
                             "\"velocity\": [0.5, 0, 0]}]}",
                  "20", "5 begin a b, 10 end a b");
    expect_events(HEAD CUBES "\"seconds_per_frame\": 0.25, \"objects\": [{\"name\": \"a\", \"mesh\": \"cube\"},"
                             "{\"name\": \"b\", \"mesh\": \"cube\", \"pose\": {\"position\": [-3, 0, 0]}, "
                             "\"velocity\": [2, 0, 0]}]}",
                  "20", "5 begin a b, 10 end a b");
}

static void bodies_hold_what_lies_in_them(void **state)
{
    (void)state;
    static const char format[] = HEAD CUBES "\"objects\": [{\"name\": \"a\", \"mesh\": \"big\", \"solid\": %s},"
                                            "{\"name\": \"b\", \"mesh\": \"cube\"}]}";
    char scene[512];
    snprintf(scene, sizeof scene, format, "true");
    expect_events(scene, "1", "1 begin a b?");
    snprintf(scene, sizeof scene, format, "false");
    expect_events(scene, "1", "");
}

static void sensors_notice_but_not_each_other(void **state)
{
    (void)state;
    expect_events(HEAD CUBES "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\", \"sensor\": true},"
                             "{\"name\": \"b\", \"mesh\": \"cube\", \"sensor\": true},"
                             "{\"name\": \"c\", \"mesh\": \"cube\", \"sensor\": false}]}",
                  "1", "1 begin a c!, 1 begin b c!");
}

#define FOUR                                                                                                           \
    "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\", \"layer\": \"x\"},"                                           \
    "{\"name\": \"b\", \"mesh\": \"cube\", \"layer\": \"x\"}, {\"name\": \"c\", \"mesh\": \"cube\", "                  \
    "\"layer\": \"y\"}, {\"name\": \"d\", \"mesh\": \"cube\"}], \"layers\": [\"x\", \"y\"], "

static void rules_leave_pairs_out(void **state)
{
    (void)state;
    expect_events(HEAD CUBES FOUR "\"interest\": {}}", "1",
                  "1 begin a b, 1 begin a c, 1 begin a d, 1 begin b c, 1 begin b d, 1 begin c d");
    expect_events(HEAD CUBES FOUR "\"interest\": {\"layers\": [[\"x\", \"x\", \"none\"], [\"default\", \"y\", "
                                  "\"none\"]]}}",
                  "1", "1 begin a c, 1 begin a d, 1 begin b c, 1 begin b d");
    expect_events(HEAD CUBES FOUR "\"interest\": {\"default\": \"none\", \"layers\": [[\"x\", \"y\", \"any\"]], "
                                  "\"pairs\": [[\"a\", \"c\", \"none\"], [\"d\", \"b\", \"any\"]]}}",
                  "1", "1 begin b c, 1 begin b d");
    expect_events(HEAD CUBES FOUR "\"interest\": {\"objects\": [[\"a\", \"only\"], [\"b\", \"none\"]], "
                                  "\"pairs\": [[\"a\", \"d\", \"any\"]]}}",
                  "1", "1 begin a d, 1 begin c d");
}

static void assemblies_and_static_pairs_are_left_out(void **state)
{
    (void)state;
    expect_events(HEAD CUBES
                  "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\", \"assembly\": \"m\", \"static\": true},"
                  "{\"name\": \"b\", \"mesh\": \"cube\", \"assembly\": \"m\"},"
                  "{\"name\": \"c\", \"mesh\": \"cube\", \"assembly\": \"n\", \"static\": true}]}",
                  "1", "1 begin b c");
}

static void children_follow_and_are_not_held_against_their_parents(void **state)
{
    (void)state;
    static const char format[] =
        HEAD CUBES "\"objects\": [{\"name\": \"hand\", \"mesh\": \"cube\", \"parent\": \"arm\", \"pose\": "
                   "{\"position\": [2, 0, 0]}}, {\"name\": \"wall\", \"mesh\": \"cube\", \"pose\": {\"position\": "
                   "[6, 0, 0]}}, {\"name\": \"ring\", \"mesh\": \"cube\", \"parent\": \"hand\"}, {\"name\": \"arm\", "
                   "\"velocity\": [1, 0, 0]}], \"interest\": {\"neighbours\": \"%s\"}}";
    char scene[1024];
    snprintf(scene, sizeof scene, format, "none");
    expect_events(scene, "6", "4 begin hand wall, 4 begin wall ring");
    snprintf(scene, sizeof scene, format, "any");
    expect_events(scene, "3", "1 begin hand ring");
}

static void tracks_hold_each_pose_until_the_next(void **state)
{
    (void)state;
    expect_events(HEAD CUBES "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\"}, {\"name\": \"b\", \"mesh\": "
                             "\"cube\", \"pose\": {\"position\": [9, 0, 0]}, \"track\": [{\"frame\": 3, \"pose\": "
                             "{}}, {\"frame\": 6, \"pose\": {\"position\": [0, 2, 0]}}, {\"frame\": 7, \"pose\": "
                             "{\"position\": [0, 1, 0]}}]}]}",
                  "9", "3 begin a b, 6 end a b, 7 begin a b");
    write_text("track.txt", "1 0 0 5 0 1 0 0 0 0 1 0\n# between\n1 0 0 1 0 1 0 0 0 0 1 0\n");
    expect_events(HEAD CUBES "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\"}, {\"name\": \"b\", \"mesh\": "
                             "\"cube\", \"track_file\": \"track.txt\"}]}",
                  "4", "2 begin a b");
}

/* A plate of 4 x 1 x 1 stands up, and its end just touches the other cube: any error of the rotation would show. */
static void quarter_turns_are_exact(void **state)
{
    (void)state;
    static const char *const poses[] = {
        "\"axis_angle\": [0, 0, 1, 90]",   "\"axis_angle\": [0, 0, -3, 90]",
        "\"axis_angle\": [0, 0, 2, -450]", "\"quaternion\": [1, 0, 0, 1]",
        "\"axis_angle\": [0, 0, 5, 270]",  "\"matrix\": [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]",
    };
    for (size_t i = 0; i < sizeof poses / sizeof poses[0]; i++)
        for (int apart = 0; apart < 2; apart++)
        {
            char scene[1024];
            snprintf(scene, sizeof scene,
                     HEAD "\"meshes\": {\"cube\": {\"shape\": \"box\"}, \"plate\": {\"shape\": \"box\", \"size\": "
                          "[4, 1, 1]}}, \"objects\": [{\"name\": \"a\", \"mesh\": \"plate\", \"pose\": {%s}}, "
                          "{\"name\": \"b\", \"mesh\": \"cube\", \"pose\": {\"position\": [0, %s, 0]}}]}",
                     poses[i], apart ? "2.5000000000000004" : "2.5");
            expect_events(scene, "1", apart ? "" : "1 begin a b");
        }
    expect_events(HEAD "\"meshes\": {\"cube\": {\"shape\": \"box\"}, \"plate\": {\"shape\": \"box\", \"size\": [4, 1, "
                       "1]}}, \"objects\": [{\"name\": \"a\", \"mesh\": \"plate\", \"spin\": {\"axis\": [0, 0, 1], "
                       "\"degrees\": 45}}, {\"name\": \"b\", \"mesh\": \"cube\", \"pose\": {\"position\": [0, 2.5, "
                       "0]}}]}",
                  "8", "3 begin a b, 4 end a b, 7 begin a b, 8 end a b");
}

static void colliding_objects_turn_back_and_walls_hold_them(void **state)
{
    (void)state;
#define PAIR                                                                                                           \
    "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\", \"pose\": {\"position\": [-3, 0, 0]}, \"velocity\": [1, 0, "  \
    "0]}, {\"name\": \"b\", \"mesh\": \"cube\", \"pose\": {\"position\": [3, 0, 0]}, \"velocity\": [-1, 0, 0]}]}"
    expect_events(HEAD CUBES PAIR, "20", "4 begin a b, 5 end a b");
    expect_events(HEAD CUBES "\"bounce\": true, " PAIR, "20", "4 begin a b, 5 end a b");
    expect_events(HEAD CUBES "\"bounce\": true, \"cage\": {\"lower\": [-3.25, -9, -9], \"upper\": [3.25, 9, 9]}, " PAIR,
                  "20", "4 begin a b, 5 end a b, 10 begin a b, 11 end a b, 16 begin a b, 17 end a b");
    expect_events(HEAD CUBES "\"bounce\": true, \"cage\": {\"lower\": [-9, -9, -9], \"upper\": [9, 9, 9]}, "
                             "\"objects\": [{\"name\": \"cart\", \"velocity\": [1, 0, 0]}, {\"name\": \"load\", "
                             "\"mesh\": \"cube\", \"parent\": \"cart\"}, {\"name\": \"wall\", \"mesh\": \"cube\", "
                             "\"static\": true, \"pose\": {\"position\": [3, 0, 0]}}]}",
                  "9", "3 begin load wall, 4 end load wall");
}

static void mesh_files_stand_beside_the_scene(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0700), 0);
    write_box_obj("folder/box.obj", 500.0);
    write_text("folder/scene.json", HEAD "\"meshes\": {\"box\": {\"file\": \"box.obj\", \"scale\": 0.001}}, "
                                         "\"objects\": [{\"name\": \"a\", \"mesh\": \"box\"}, {\"name\": \"b\", "
                                         "\"mesh\": \"box\", \"pose\": {\"position\": [1, 0, 0]}}]}");
    cJSON *document = expect_json(RUN("scene", "folder/scene.json", "--json"), 1);
    assert_true(json_number(cJSON_GetObjectItem(document, "summary"), "triangles") == 24);
    cJSON_Delete(document);
    remove("folder/box.obj");
    tool_expect_refusal(RUN("scene", "folder/scene.json"), 3, "folder/box.obj");
    remove("folder/scene.json");
}

#define PASSING                                                                                                        \
    HEAD CUBES "\"frames\": 6, \"objects\": [{\"name\": \"a\", \"mesh\": \"cube\"}, {\"name\": \"b\", \"mesh\": "      \
               "\"cube\", \"pose\": {\"position\": [-2, 0, 0]}, \"velocity\": [1, 0, 0]}]}"

static void text_has_a_line_for_each_frame_with_events(void **state)
{
    (void)state;
    tool_result result = RUN_WITH_INPUT(PASSING, "scene", "-", "--no-times", "--broad", "brute");
    assert_int_equal(result.code, 1);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, "frame 2: begin a + b\nframe 5: end a + b\n\n"
                                    "collision: 1 began and 1 ended within 6 frames\n\n"
                                    "  objects     2, 24 triangles\n"
                                    "  colliding   0 pairs in the last frame\n"
                                    "  broad phase brute\n");
    tool_release(&result);
    result = RUN_WITH_INPUT(PASSING, "scene", "-", "--no-times", "--stays", "--frames", "3");
    assert_non_null(strstr(result.out, "frame 2: begin a + b\nframe 3: stay a + b\n"));
    tool_release(&result);
    result = RUN_WITH_INPUT(PASSING, "scene", "-", "--quiet", "--frames", "1");
    assert_int_equal(result.code, 0);
    assert_int_equal(strncmp(result.out, "no collision: 0 began", 21), 0);
    assert_non_null(strstr(result.out, "examine"));
    tool_release(&result);
}

static void json_has_counts_times_and_stays(void **state)
{
    (void)state;
    write_text("scene.json", PASSING);
    cJSON *document = expect_json(RUN("scene", "scene.json", "--json", "--stays"), 1);
    const cJSON *summary = cJSON_GetObjectItem(document, "summary"), *frames = cJSON_GetObjectItem(document, "frames");
    assert_true(json_number(summary, "objects") == 2 && json_number(summary, "frames") == 6);
    assert_true(json_number(summary, "begins") == 1 && json_number(summary, "stays") == 2);
    assert_true(json_number(summary, "ends") == 1 && json_number(summary, "undecided") == 0);
    assert_int_equal(cJSON_GetArraySize(frames), 6);
    static const int moved[] = {2, 1, 1, 1, 1, 1}, examined[] = {0, 1, 1, 1, 0, 0};
    for (int i = 0; i < 6; i++)
    {
        const cJSON *frame = cJSON_GetArrayItem(frames, i), *times = cJSON_GetObjectItem(frame, "milliseconds");
        assert_true(json_number(frame, "frame") == i + 1 && json_number(frame, "moved") == moved[i]);
        assert_true(json_number(frame, "examined") == examined[i] && json_number(frame, "box_pairs") == examined[i]);
        assert_true(json_number(times, "place") >= 0 && json_number(times, "broad") >= 0);
        assert_true(json_number(times, "examine") >= 0 && json_number(times, "report") >= 0);
    }
    char events[256];
    put_events(document, events, sizeof events);
    assert_string_equal(events, "2 begin a b, 3 stay a b, 4 stay a b, 5 end a b");
    cJSON_Delete(document);
    document = expect_json(RUN("scene", "scene.json", "--json", "--quiet", "--no-times"), 1);
    assert_null(cJSON_GetObjectItem(document, "frames"));
    assert_null(cJSON_GetObjectItem(cJSON_GetObjectItem(document, "summary"), "milliseconds"));
    cJSON_Delete(document);
}

static tool_result run_cage(const char *broad, const char *threads)
{
    return RUN("scene", "cage.json", "--json", "--stays", "--no-times", "--frames", "60", "--broad", broad, "--threads",
               threads);
}

/* The name of the broad phase is the only allowed difference. */
static void strike_out_broad(char *text)
{
    char *at = strstr(text, "\"broad\"");
    assert_non_null(at);
    memset(at, '-', strcspn(at, "\n"));
    char *end = at + strcspn(at, "\n");
    memmove(at, end, strlen(end) + 1);
}

static void a_cage_gives_the_same_bytes_for_every_broad_phase_and_thread_count(void **state)
{
    (void)state;
    static const char *const broads[] = {"auto", "brute", "axis", "sweep", "grid", "oriented-grid", "octree", "tree"};
    static const char *const threads[] = {"1", "2"};
    tool_result cage = RUN("scene", "--make-cage", "60", "--seed", "7");
    assert_int_equal(cage.code, 0);
    write_text("cage.json", cage.out);
    tool_release(&cage);
    tool_result first = run_cage("brute", "1");
    cJSON *document = cJSON_Parse(first.out);
    const cJSON *summary = cJSON_GetObjectItem(document, "summary");
    printf("%.0f begins, %.0f ends\n", json_number(summary, "begins"), json_number(summary, "ends"));
    assert_true(json_number(summary, "begins") > 40 && json_number(summary, "ends") > 30);
    cJSON_Delete(document);
    strike_out_broad(first.out);
    for (size_t i = 0; i < sizeof broads / sizeof broads[0]; i++)
        for (size_t k = 0; k < 2; k++)
        {
            tool_result other = run_cage(broads[i], threads[k]);
            assert_int_equal(other.code, 1);
            strike_out_broad(other.out);
            assert_string_equal(other.out, first.out);
            tool_release(&other);
        }
    tool_release(&first);
}

static char *read_example(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/examples/scenes/%s", GRAZE_SOURCE_PATH, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static char text[1 << 16];
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    return text;
}

static void the_examples_run_as_they_should(void **state)
{
    (void)state;
    tool_result cage = RUN("scene", "--make-cage", "30");
    assert_string_equal(cage.out, read_example("cage.json"));
    tool_release(&cage);
    expect_events(read_example("arm.json"), "24",
                  "6 begin forearm post, 7 end forearm post, 11 begin upper arm zone!, 12 begin forearm zone!");
}

/* Nested shells that do not touch, so that no hit is found quickly. */
static void what_there_was_no_time_for_is_undecided_not_forgotten(void **state)
{
    (void)state;
    char scene[4096];
    size_t size = (size_t)snprintf(scene, sizeof scene, HEAD "\"meshes\": {");
    for (int i = 0; i < 12; i++)
        size += (size_t)snprintf(scene + size, sizeof scene - size,
                                 "%s\"m%d\": {\"shape\": \"geodesic\", \"radius\": %.3f, \"frequency\": 24}",
                                 i > 0 ? ", " : "", i, 1 + 0.002 * i);
    size += (size_t)snprintf(scene + size, sizeof scene - size, "}, \"objects\": [");
    for (int i = 0; i < 12; i++)
        size += (size_t)snprintf(scene + size, sizeof scene - size,
                                 "%s{\"name\": \"o%d\", \"mesh\": \"m%d\", \"spin\": {\"axis\": [1, 2, %d], "
                                 "\"degrees\": 0.001}}",
                                 i > 0 ? ", " : "", i, i, i);
    snprintf(scene + size, sizeof scene - size, "]}");
    write_text("scene.json", scene);
    tool_result result = RUN("scene", "scene.json", "--json", "--budget-ms", "0.001", "--schedule", "priority");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.err, "undecided"));
    cJSON *document = cJSON_Parse(result.out);
    const cJSON *frame = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "frames"), 0);
    const cJSON *undecided = cJSON_GetObjectItem(frame, "undecided");
    assert_true(cJSON_GetArraySize(undecided) > 30);
    assert_true(json_number(cJSON_GetArrayItem(undecided, 0), "lower") >= 0);
    assert_true(json_number(cJSON_GetObjectItem(document, "summary"), "undecided") == cJSON_GetArraySize(undecided));
    cJSON_Delete(document);
    tool_release(&result);
    result = RUN("scene", "scene.json", "--quiet");
    assert_int_equal(result.code, 0);
    tool_release(&result);
}

/* They collide in the second frame only, which has no time to detect it. */
static void a_frame_that_could_not_tell_is_not_forgotten_when_the_last_one_can(void **state)
{
    (void)state;
    write_text(
        "scene.json",
        HEAD "\"meshes\": {\"ball\": {\"shape\": \"geodesic\"}}, \"objects\": [{\"name\": \"a\", \"mesh\": \"ball\"}, "
             "{\"name\": \"b\", \"mesh\": \"ball\", \"pose\": {\"position\": [9, 0, 0]}, \"track\": [{\"frame\": 2, "
             "\"pose\": {\"position\": [0.5, 0, 0]}}, {\"frame\": 3, \"pose\": {\"position\": [9, 0, 0]}}]}]}");
    tool_result result = RUN("scene", "scene.json", "--frames", "3", "--budget-ms", "0.000001");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.out, "unknown"));
    assert_non_null(strstr(result.err, "moved on"));
    tool_release(&result);
    result = RUN("scene", "scene.json", "--frames", "3", "--budget-ms", "0.000001", "--json", "--quiet");
    assert_int_equal(result.code, 4);
    cJSON *document = cJSON_Parse(result.out);
    const cJSON *summary = cJSON_GetObjectItem(document, "summary");
    assert_true(json_number(summary, "undecided") == 0 && json_number(summary, "undecided_sum") == 1);
    cJSON_Delete(document);
    tool_release(&result);
    result = RUN("scene", "scene.json", "--frames", "3");
    assert_int_equal(result.code, 1);
    tool_release(&result);
}

static void what_makes_no_sense_on_the_command_line_is_refused(void **state)
{
    (void)state;
    write_text("scene.json", PASSING);
    tool_expect_refusal(RUN("scene"), 2, "FILE is missing");
    tool_expect_refusal(RUN("scene", "scene.json", "--frames", "0"), 2, "--frames");
    tool_expect_refusal(RUN("scene", "scene.json", "--frames", "many"), 2, "'many'");
    tool_expect_refusal(RUN("scene", "scene.json", "--broad", "tre"), 2, "'tree'");
    tool_expect_refusal(RUN("scene", "scene.json", "--broad", "kd"), 2, "'kd'");
    tool_expect_refusal(RUN("scene", "scene.json", "--schedule", "sortde"), 2, "'sorted'");
    tool_expect_refusal(RUN("scene", "scene.json", "--schedule", "x"), 2, "round-robin");
    tool_expect_refusal(RUN("scene", "scene.json", "--threads", "x"), 2, "--threads");
    tool_expect_refusal(RUN("scene", "scene.json", "--budget-ms", "0"), 2, "--budget-ms");
    tool_expect_refusal(RUN("scene", "--make-cage", "0"), 2, "--make-cage");
    tool_expect_refusal(RUN("scene", "--make-cage", "2", "--seed", "x"), 2, "--seed");
    tool_expect_refusal(RUN("scene", "scene.json", "--make-cage", "2"), 2, "leave out 'scene.json'");
}

#define FLOOR "{\"name\": \"floor\", \"shape\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1], \"offset\": 0}}, "
#define BALL "\"shape\": {\"kind\": \"sphere\", \"radius\": 0.5}"

static void shapes_meet_shapes_and_meshes(void **state)
{
    (void)state;
    static const char scene[] =
        HEAD CUBES "\"objects\": [" FLOOR "{\"name\": \"ball\", " BALL
                   ", \"pose\": {\"position\": [0, 0, 2]}, \"velocity\": [0, 0, -0.25]}, {\"name\": \"cube\", "
                   "\"mesh\": \"cube\", \"pose\": {\"position\": [9, 0, 1]}, \"velocity\": [0, 0, -0.25]}, "
                   "{\"name\": \"two\", \"static\": true, \"pose\": {\"position\": [5.5, 0, 5]}, \"shape\": {\"kind\": "
                   "\"compound\", \"parts\": [{\"shape\": {\"kind\": \"point\", \"points\": [[9, 9, 9]]}}, {\"shape\": "
                   "{\"kind\": \"box\", \"size\": [6, 6, 8.5]}}]}}]}";
    expect_events(scene, "8", "1 begin cube two, 3 begin floor cube, 5 end cube two, 7 begin floor ball?");
    cJSON *document =
        expect_json(RUN("scene", "scene.json", "--frames", "8", "--json", "--contacts", "--margin", "0.1"), 1);
    const cJSON *frames = cJSON_GetObjectItem(document, "frames");
    const cJSON *event = cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetArrayItem(frames, 6), "events"), 0);
    assert_string_equal(json_string(event, "b"), "ball");
    assert_true(json_number(event, "leaf_a") == 0 && json_number(event, "leaf_b") == 0);
    const cJSON *contacts = cJSON_GetObjectItem(event, "contacts"), *manifold = cJSON_GetArrayItem(contacts, 0);
    assert_int_equal(cJSON_GetArraySize(contacts), 1);
    assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(manifold, "normal"), 2)->valuedouble == 1);
    const cJSON *point = cJSON_GetArrayItem(cJSON_GetObjectItem(manifold, "points"), 0);
    assert_true(json_number(point, "gap") == 0);
    event = cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetArrayItem(frames, 2), "events"), 0);
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(cJSON_GetObjectItem(event, "triangles"), 0)));
    assert_true(cJSON_IsNumber(cJSON_GetArrayItem(cJSON_GetObjectItem(event, "triangles"), 1)));
    assert_int_equal(cJSON_GetArraySize(
                         cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(event, "contacts"), 0), "points")),
                     4);
    cJSON_Delete(document);
    tool_expect_refusal(RUN("scene", "scene.json", "--margin", "-1"), 2, "--margin takes a finite length");
}

/* A cylinder that rests on another: nobody can tell whether they touch. */
static void curved_shapes_may_stay_undecided(void **state)
{
    (void)state;
    write_text("scene.json",
               HEAD "\"objects\": [{\"name\": \"a\", \"shape\": {\"kind\": \"cylinder\", \"height\": 2, "
                    "\"radius\": 1}}, {\"name\": \"b\", \"pose\": {\"position\": [0.5, 0, 2]}, \"shape\": "
                    "{\"kind\": \"cylinder\", \"height\": 2, \"radius\": 1}}]}");
    tool_result result = RUN("scene", "scene.json", "--json");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.err, "curved shapes are too near to touching to tell"));
    cJSON *document = cJSON_Parse(result.out);
    const cJSON *frame = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "frames"), 0);
    const cJSON *pair = cJSON_GetArrayItem(cJSON_GetObjectItem(frame, "undecided"), 0);
    assert_string_equal(json_string(pair, "reason"), "curved");
    assert_true(json_number(cJSON_GetObjectItem(document, "summary"), "unknown_sum") == 1);
    cJSON_Delete(document);
    tool_release(&result);
}

static void poses_that_a_shape_may_not_have_are_refused(void **state)
{
    (void)state;
    write_text("scene.json", HEAD "\"objects\": [{\"name\": \"a\"}, {\"name\": \"ball\", " BALL
                                  ", \"pose\": {\"matrix\": [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]}}]}");
    tool_expect_refusal(RUN("scene", "scene.json"), 3,
                        "scene.json: objects[1].pose: a shape with a radius or a curved one takes a rotation");
    write_text("scene.json",
               HEAD "\"objects\": [{\"name\": \"a\", \"pose\": {\"matrix\": [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, "
                    "1, 0]}}, {\"name\": \"ball\", \"parent\": \"a\", " BALL "}]}");
    tool_expect_refusal(RUN("scene", "scene.json"), 3,
                        "frame 1: 'ball': a shape with a radius or a curved one takes a rotation");
    write_text("scene.json",
               HEAD "\"objects\": [{\"name\": \"ball\", " BALL
                    ", \"track\": [{\"frame\": 3, \"pose\": {\"matrix\": [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, "
                    "0]}}]}]}");
    tool_result result = RUN("scene", "scene.json", "--frames", "4");
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "frame 3: 'ball': a shape with a radius or a curved one takes a rotation"));
    tool_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_exactly_is_a_collision),
        cmocka_unit_test(shapes_meet_shapes_and_meshes),
        cmocka_unit_test(curved_shapes_may_stay_undecided),
        cmocka_unit_test(poses_that_a_shape_may_not_have_are_refused),
        cmocka_unit_test(what_flies_by_begins_and_ends),
        cmocka_unit_test(bodies_hold_what_lies_in_them),
        cmocka_unit_test(sensors_notice_but_not_each_other),
        cmocka_unit_test(rules_leave_pairs_out),
        cmocka_unit_test(assemblies_and_static_pairs_are_left_out),
        cmocka_unit_test(children_follow_and_are_not_held_against_their_parents),
        cmocka_unit_test(tracks_hold_each_pose_until_the_next),
        cmocka_unit_test(quarter_turns_are_exact),
        cmocka_unit_test(colliding_objects_turn_back_and_walls_hold_them),
        cmocka_unit_test(mesh_files_stand_beside_the_scene),
        cmocka_unit_test(text_has_a_line_for_each_frame_with_events),
        cmocka_unit_test(json_has_counts_times_and_stays),
        cmocka_unit_test(a_cage_gives_the_same_bytes_for_every_broad_phase_and_thread_count),
        cmocka_unit_test(the_examples_run_as_they_should),
        cmocka_unit_test(what_there_was_no_time_for_is_undecided_not_forgotten),
        cmocka_unit_test(a_frame_that_could_not_tell_is_not_forgotten_when_the_last_one_can),
        cmocka_unit_test(what_makes_no_sense_on_the_command_line_is_refused),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
