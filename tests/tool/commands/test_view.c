/* SPDX-License-Identifier: MIT */
/* graze view as a user runs it: the output file, its content, exit codes for bad parts. Built without the viewer, the
 * command says so. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page/viewer_page.h"
#include "support/gltf_file.h"
#include "support/tool_json.h"
#include "support/unit.h"

static bool has_viewer(void)
{
    if (page_size == 0)
        skip();
    return page_size > 0;
}

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed != 0 || mkdir("parts", 0777) != 0)
        return 1;
    write_box_obj("model.obj", 1.0);
    write_box_obj("parts/inner.obj", 0.5);
    write_box_obj("parts/outer.obj", 2.0);
    write_open_box_obj("parts/open.obj", 1.0);
    write_text("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n");
    return 0;
}

static int leave(void **state)
{
    for (int i = 0; i < 4; i++)
        remove((const char *const[]){"parts/inner.obj", "parts/outer.obj", "parts/open.obj", "parts"}[i]);
    return leave_temporary_directory(state);
}

static char *bytes_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s was not written", path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    bytes[size] = '\0';
    return bytes;
}

/* The JSON of a page. */
static cJSON *report_of(const char *page)
{
    const char *begin = strstr(page, "id=\"graze-report\">");
    assert_non_null(begin);
    const char *end = strstr(begin, "</script>");
    assert_non_null(end);
    begin = strchr(begin, '>') + 1;
    cJSON *report = cJSON_ParseWithLength(begin, (size_t)(end - begin));
    assert_non_null(report);
    return report;
}

static cJSON *report_in(const char *path)
{
    char *page = bytes_of(path);
    cJSON *report = report_of(page);
    free(page);
    return report;
}

static const cJSON *at(const cJSON *document, const char *key, int index)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(document, key), index);
}

static void expect_said(tool_result result, int code, const char *out, const char *err)
{
    if (result.code != code)
        fail_msg("exit code %d: %s", result.code, result.err);
    assert_string_equal(result.out, out);
    if (err[0] != '\0' && strstr(result.err, err) == NULL)
        fail_msg("'%s' is not in: %s", err, result.err);
    tool_release(&result);
}

static void without_the_viewer_it_says_so(void **state)
{
    (void)state;
    if (page_size > 0)
        skip();
    tool_expect_refusal(RUN("view", "model.obj"), 2, "without the viewer");
}

static void the_page_is_named_after_the_model(void **state)
{
    (void)state;
    if (!has_viewer())
        return;
    expect_said(RUN("view", "model.obj"), 0, "model.html: 1 part, 12 triangles\n", "");
    cJSON *report = report_in("model.html");
    assert_null(cJSON_GetObjectItem(report, "findings"));
    assert_string_equal(json_string(cJSON_GetObjectItem(report, "header"), "title"), "model");
    assert_int_equal(strlen(json_string(at(cJSON_GetObjectItem(report, "header"), "inputs", 0), "sha256")), 64);
    assert_string_equal(json_string(at(report, "parts", 0), "name"), "model.obj");
    assert_int_equal(json_number(at(report, "geometries", 0), "triangles"), 12);
    cJSON_Delete(report);
    expect_said(RUN("view", "model.obj"), 0, "model.html: 1 part, 12 triangles\n", ""); /* again, over itself */
    expect_said(RUN("view", "parts", "--quiet"), 0, "", "");
    report = report_in("parts.html");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "parts")), 3);
    int closed = 0;
    for (int i = 0; i < 3; i++)
    {
        const cJSON *part = at(report, "parts", i);
        const cJSON *file = at(cJSON_GetObjectItem(report, "header"), "inputs", (int)json_number(part, "file"));
        assert_non_null(strstr(json_string(file, "path"), json_string(part, "name")));
        closed += json_boolean(part, "closed");
    }
    assert_int_equal(closed, 2);
    cJSON_Delete(report);
    remove("model.html");
    remove("parts.html");
}

static void only_pages_of_models_are_replaced_unasked(void **state)
{
    (void)state;
    if (!has_viewer())
        return;
    write_text("model.html", "<html>my own work</html>");
    tool_expect_refusal(RUN("view", "model.obj"), 3, "say where to write with -o");
    char *text = bytes_of("model.html");
    assert_string_equal(text, "<html>my own work</html>");
    free(text);
    tool_result report = RUN("clash", "model.obj", "parts/outer.obj", "--html", "model.html", "--quiet");
    assert_int_equal(report.code, 1); /* one in the other */
    tool_release(&report);
    tool_expect_refusal(RUN("view", "model.obj"), 3, "say where to write with -o");
    expect_said(RUN("view", "model.obj", "-o", "model.html"), 0, "model.html: 1 part, 12 triangles\n", "");
    cJSON_Delete(report_in("model.html"));
    remove("model.html");
    expect_said(RUN("view", "model.obj", "-o", "none/model.html"), 3, "", "none/model.html cannot be written");
}

static void equal_models_give_equal_bytes_on_standard_output_too(void **state)
{
    (void)state;
    if (!has_viewer())
        return;
    expect_said(RUN("view", "parts", "-o", "all.html", "--threads", "2"), 0, "all.html: 3 parts, 34 triangles\n", "");
    char *page = bytes_of("all.html");
    tool_result result = RUN("view", "parts", "--output", "-");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.out, page);
    tool_release(&result);
    free(page);
    remove("all.html");
    result = RUN_WITH_INPUT("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "view", "-", "-o", "-");
    assert_int_equal(result.code, 0);
    cJSON *report = report_of(result.out);
    assert_string_equal(json_string(at(cJSON_GetObjectItem(report, "header"), "inputs", 0), "path"), "standard input");
    assert_int_equal(json_number(at(report, "parts", 0), "file"), 0);
    cJSON_Delete(report);
    tool_release(&result);
}

static void bad_parts_are_named_and_the_rest_is_shown(void **state)
{
    (void)state;
    if (!has_viewer())
        return;
    expect_said(RUN("view", "model.obj", "bad.obj", "nowhere.stl", "-o", "some.html"), 4,
                "some.html: 1 part, 12 triangles\n", "bad.obj");
    cJSON *report = report_in("some.html");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "parts")), 1);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "problems")), 2);
    cJSON_Delete(report);
    remove("some.html");
    expect_said(RUN("view", "bad.obj"), 3, "", "bad.obj");
    assert_int_not_equal(access("bad.html", F_OK), 0);
    write_text("empty.off", "OFF\n0 0 0\n");
    tool_result result = RUN("view", "empty.off");
    assert_true(result.code == 3 || result.code == 4);
    assert_string_equal(result.out, "");
    assert_non_null(strstr(result.err, "empty.off: "));
    assert_null(strstr(result.err, "empty.off: empty.off: ")); /* the name is told once */
    tool_release(&result);
}

static void gltf_is_converted_and_its_y_axis_points_up(void **state)
{
    (void)state;
    if (!has_viewer())
        return;
    gltf_bytes chunk = gltf_box_bytes(1);
    gltf_bytes file = gltf_make_glb("{" GLTF_BOX ",\"nodes\":[{\"mesh\":0,\"name\":\"left\"},{\"mesh\":0,\"name\":"
                                    "\"right\",\"translation\":[4,0,0]}]}",
                                    &chunk);
    write_bytes("two.glb", file.data, file.size);
    free(chunk.data);
    free(file.data);
    expect_said(RUN("view", "two.glb", "--units", "mm"), 0, "two.html: 2 parts, 24 triangles\n", "");
    cJSON *report = report_in("two.html");
    const cJSON *header = cJSON_GetObjectItem(report, "header"), *right = at(report, "parts", 1);
    assert_string_equal(json_string(header, "up"), "y");
    assert_string_equal(json_string(header, "units"), "mm");
    assert_string_equal(json_string(right, "name"), "right");
    assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(right, "box"), 0)->valuedouble == 3000);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "geometries")), 1); /* shared */
    cJSON_Delete(report);
    remove("two.html");
}

static void large_models_are_simplified(void **state)
{
    (void)state;
    if (!has_viewer())
        return;
    tool_result made = RUN("make", "torus", "--segments", "100", "--sides", "100", "-o", "torus.stl");
    assert_int_equal(made.code, 0);
    tool_release(&made);
    expect_said(RUN("view", "torus.stl", "model.obj", "-o", "both.html", "--full-triangles", "2000"), 0,
                "both.html: 2 parts, 20,012 triangles\n", "");
    cJSON *report = report_in("both.html");
    const cJSON *torus = at(report, "parts", 0), *box = at(report, "parts", 1);
    assert_int_equal(json_number(torus, "triangles"), 20000);
    assert_null(cJSON_GetObjectItem(torus, "geometry"));
    assert_non_null(cJSON_GetObjectItem(box, "geometry"));
    double triangles = json_number(at(report, "geometries", (int)json_number(torus, "reduced")), "triangles");
    assert_true(triangles > 500 && triangles <= 2000);
    cJSON_Delete(report);
    tool_expect_refusal(RUN("view", "model.obj", "--full-triangles", "many"), 2, "--full-triangles");
    tool_expect_refusal(RUN("clash", "model.obj", "parts", "--full-triangles", "-1"), 2, "--full-triangles");
    tool_expect_refusal(RUN("view", "model.obj", "--units", "parsec"), 2, "--units");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_the_viewer_it_says_so),
        cmocka_unit_test(the_page_is_named_after_the_model),
        cmocka_unit_test(only_pages_of_models_are_replaced_unasked),
        cmocka_unit_test(equal_models_give_equal_bytes_on_standard_output_too),
        cmocka_unit_test(bad_parts_are_named_and_the_rest_is_shown),
        cmocka_unit_test(gltf_is_converted_and_its_y_axis_points_up),
        cmocka_unit_test(large_models_are_simplified),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
