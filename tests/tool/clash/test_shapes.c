/* SPDX-License-Identifier: MIT */
/* graze clash with shape files and scenes with shapes: verdicts, JSON, scales, units, refusals. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page/viewer_page.h"
#include "support/json_schema.h"
#include "support/tool_json.h"
#include "support/unit.h"

#define CLASH(code, ...) expect_json(RUN("clash", __VA_ARGS__, "--json"), code)

static const cJSON *only_finding(const cJSON *document)
{
    const cJSON *findings = cJSON_GetObjectItem(document, "findings");
    assert_int_equal(cJSON_GetArraySize(findings), 1);
    return cJSON_GetArrayItem(findings, 0);
}

static void expect_interval(const cJSON *finding, const char *key, double value)
{
    const cJSON *interval = cJSON_GetObjectItem(finding, key);
    assert_int_equal(cJSON_GetArraySize(interval), 2);
    assert_true(cJSON_GetArrayItem(interval, 0)->valuedouble <= value * (1 + 1e-9));
    assert_true(cJSON_GetArrayItem(interval, 1)->valuedouble >= value * (1 - 1e-9));
}

static void write_shapes(void)
{
    write_text("ball.json", "{\"kind\": \"sphere\", \"radius\": 1}");
    write_text("next.json", "{\"kind\": \"sphere\", \"centre\": [1.5, 0, 0], \"radius\": 1}");
    write_text("beside.json", "{\"kind\": \"sphere\", \"centre\": [2, 0, 0], \"radius\": 1}");
    write_text("floor.json", "{\"kind\": \"half_space\", \"normal\": [0, 0, 1], \"offset\": -0.75}");
    write_text("cube.json", "{\"kind\": \"box\", \"size\": [2, 2, 2]}");
}

static void shape_files_are_parts(void **state)
{
    (void)state;
    write_shapes();
    cJSON *document = CLASH(1, "ball.json", "next.json");
    const cJSON *finding = only_finding(document);
    assert_string_equal(json_string(finding, "a"), "ball.json");
    assert_string_equal(json_string(finding, "verdict"), "crosses");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(finding, "pairs")));
    expect_interval(finding, "depth", 0.5);
    expect_interval(finding, "way_out", 0.5);
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/clash-report.schema.json");
    assert_true(schema_accepts(schema, schema, document));
    cJSON_Delete(document);

    document = CLASH(1, "ball.json", "floor.json");
    expect_interval(only_finding(document), "depth", 0.25);
    assert_true(schema_accepts(schema, schema, document));
    cJSON_Delete(document);
    cJSON_Delete(schema);

    cJSON_Delete(CLASH(0, "ball.json", "beside.json", "--allow-touch"));
    document = CLASH(1, "ball.json", "beside.json", "--resolution", "0");
    assert_string_equal(json_string(only_finding(document), "verdict"), "touches");
    assert_string_equal(json_string(only_finding(document), "exact"), "touches");
    cJSON_Delete(document);
}

/* With a mesh, the pairs are its triangles that meet the shape. */
static void shapes_and_meshes_mix(void **state)
{
    (void)state;
    write_shapes();
    write_box_obj("mesh.obj", 1);
    cJSON *document = CLASH(1, "ball.json", "mesh.obj");
    const cJSON *finding = only_finding(document);
    assert_string_equal(json_string(finding, "verdict"), "contains");
    assert_string_equal(json_string(finding, "contains"), "a_in_b");
    assert_true(json_number(finding, "pairs") == 12);
    cJSON_Delete(document);
    document = CLASH(1, "cube.json", "mesh.obj");
    assert_string_equal(json_string(only_finding(document), "verdict"), "duplicate");
    assert_true(json_number(only_finding(document), "pairs") == 12);
    assert_true(json_number(cJSON_GetObjectItem(document, "summary"), "triangles") == 12);
    cJSON_Delete(document);
}

static void scales_and_units_multiply_the_numbers_of_shapes(void **state)
{
    (void)state;
    write_shapes();
    cJSON *document = CLASH(1, "ball.json:scale=2", "next.json");
    expect_interval(only_finding(document), "depth", 1.5);
    cJSON_Delete(document);
    document = CLASH(1, "ball.json:units=cm", "next.json:units=cm", "--units", "mm");
    expect_interval(only_finding(document), "depth", 5);
    assert_string_equal(json_string(document, "units"), "mm");
    cJSON_Delete(document);
}

static void scenes_have_shapes(void **state)
{
    (void)state;
    static const char scene[] =
        "{\"graze\": \"scene\", \"version\": 1, \"units\": \"m\", \"meshes\": {\"box\": {\"shape\": \"box\", \"size\": "
        "2}},"
        "\"objects\": [{\"name\": \"mesh\", \"mesh\": \"box\"},"
        "{\"name\": \"arm\", \"pose\": {\"matrix\": [0, -1, 0, 3, 1, 0, 0, 0, 0, 0, 1, 0]}},"
        "{\"name\": \"ball\", \"parent\": \"arm\", \"shape\": {\"kind\": \"sphere\", \"radius\": 1},"
        "\"pose\": {\"matrix\": [1, 0, 0, 0, 0, 1, 0, 1.5, 0, 0, 1, 0]}}]}";
    write_text("scene.json", scene);
    cJSON *document = CLASH(1, "scene.json");
    expect_interval(only_finding(document), "way_out", 0.5);
    cJSON_Delete(document);
    document = CLASH(1, "scene.json", "--units", "cm");
    expect_interval(only_finding(document), "way_out", 50);
    cJSON_Delete(document);
    write_text("sheared.json",
               "{\"graze\": \"scene\", \"version\": 1, \"objects\": [{\"name\": \"ball\", \"shape\": "
               "{\"kind\": \"sphere\", \"radius\": 1}, \"pose\": {\"matrix\": [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, "
               "1, 0]}}]}");
    tool_expect_refusal(RUN("clash", "sheared.json"), 3, "objects[0].pose");
}

static void bad_shape_files_are_refused_with_their_key(void **state)
{
    (void)state;
    static const struct
    {
        const char *text, *what;
    } cases[] = {{"{\"kind\": \"sphere\", \"radius\": -1}", "radius"},
                 {"{\"kind\": \"sphere\", \"radius\": 1, \"colour\": 2}", "colour"},
                 {"{\"kind\": \"capsule\", \"radius\": 1}", "ends"},
                 {"{\"kind\": \"blob\"}", "kind"},
                 {"{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"pose\": "
                  "[2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]}]}",
                  "parts[0].pose"}};
    write_shapes();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        write_text("bad.json", cases[i].text);
        tool_expect_refusal(RUN("clash", "ball.json", "bad.json"), 3, cases[i].what);
        if (page_size > 0)
            tool_expect_refusal(RUN("view", "bad.json", "-o", "bad.html"), 3, cases[i].what);
    }
}

/* Folders hold meshes; shape files in them are passed over as scene files are. */
static void shape_files_are_not_taken_from_folders(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    write_box_obj("folder/box.obj", 1);
    write_text("folder/ball.json", "{\"kind\": \"sphere\", \"radius\": 1}");
    write_shapes();
    cJSON *document = CLASH(1, "folder", "next.json");
    assert_true(json_number(cJSON_GetObjectItem(document, "summary"), "parts") == 2);
    cJSON_Delete(document);
    remove("folder/box.obj");
    remove("folder/ball.json");
    rmdir("folder");
}

/* Removes a folder of files; returns how many. */
static size_t remove_folder(const char *path)
{
    char name[300];
    size_t count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
    {
        snprintf(name, sizeof name, "%.20s/%.255s", path, entry->d_name);
        count += remove(name) == 0;
    }
    closedir(folder);
    assert_int_equal(rmdir(path), 0);
    return count;
}

static void documents_and_pictures_show_shapes(void **state)
{
    (void)state;
    write_shapes();
    if (page_size == 0)
        skip();
    write_box_obj("mesh.obj", 1);
    tool_result result = RUN("clash", "ball.json", "cube.json", "floor.json", "--html", "r.html", "--csv", "r.csv",
                             "--junit", "r.xml", "--bcf", "r.bcf", "--pictures", "pictures", "--json=r.json");
    assert_int_equal(result.code, 1);
    tool_release(&result);
    struct stat found;
    assert_int_equal(stat("r.bcf", &found), 0);
    size_t pictures = remove_folder("pictures");
    assert_true(pictures >= 3);
    result = RUN("view", "ball.json", "cube.json", "floor.json", "-o", "v.html");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "3 parts, 0 triangles"));
    tool_release(&result);
    write_text("pieces.json",
               "{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}, {\"shape\": "
               "{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}}]}}]}");
    result = RUN("view", "pieces.json", "mesh.obj", "-o", "p.html");
    assert_non_null(strstr(result.out, "3 parts, 12 triangles"));
    tool_release(&result);
}

static void rules_and_baselines_know_shapes(void **state)
{
    (void)state;
    write_shapes();
    tool_result result = RUN("clash", "ball.json", "next.json", "--json=old.json", "--quiet");
    tool_release(&result);
    result = RUN("clash", "ball.json", "next.json", "--baseline", "old.json", "--quiet");
    assert_int_equal(result.code, 0);
    tool_release(&result);
    write_text("rules.json", "{\"graze\": \"rules\", \"version\": 1, \"ignore\": [{\"a\": \"ball*\", \"b\": \"next*\", "
                             "\"reason\": \"r\"}]}");
    result =
        RUN("clash", "ball.json", "next.json", "cube.json", "--rules", "rules.json", "--quiet", "--max-depth", "9");
    assert_int_equal(result.code, 1); /* the ball lies in the cube */
    tool_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape_files_are_parts),
        cmocka_unit_test(shapes_and_meshes_mix),
        cmocka_unit_test(scales_and_units_multiply_the_numbers_of_shapes),
        cmocka_unit_test(scenes_have_shapes),
        cmocka_unit_test(bad_shape_files_are_refused_with_their_key),
        cmocka_unit_test(shape_files_are_not_taken_from_folders),
        cmocka_unit_test(documents_and_pictures_show_shapes),
        cmocka_unit_test(rules_and_baselines_know_shapes),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
