/* SPDX-License-Identifier: MIT */
/* graze sweep with a tool path, and with certificates, through the real program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed == 0)
    {
        write_box_obj("part.obj", 10.0); /* from -10 to 10 */
        write_open_box_obj("open.obj", 10.0);
        write_text("clear.ngc", "G21 G90\nG0 X-20 Y0 Z30\nZ13\nG1 X20 F300\n");
        write_text("gouge.ngc", "G0 X-20 Y0 Z30\nG0 Z12.5\nG1 X20\nG0 Z30\n");
        write_text("arc.ngc", "G0 X-17 Y0 Z30\nG1 Z0\nG3 X-17 Y0 I2\n"); /* touches a wall */
        write_text("holder.json", "{\"cutters\": [{\"kind\": \"ball\", \"radius\": 3},"
                                  "{\"kind\": \"cylinder\", \"radius\": 15, \"from\": 8, \"name\": \"holder\"}]}");
        write_text("deep.ngc", "G0 X-14 Y0 Z30\nG1 Z-5\n");
    }
    return failed;
}

static const cJSON *member(const cJSON *object, const char *key)
{
    const cJSON *value = cJSON_GetObjectItem(object, key);
    assert_non_null(value);
    return value;
}

static void a_path_that_only_touches_is_clear(void **state)
{
    (void)state;
    tool_result result = RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "clear.ngc");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.out, "no gouge in 2 moves\n");
    tool_release(&result);
    result = RUN("sweep", "part.obj", "--tool", "ball:3.0000000000000009", "--moves", "clear.ngc");
    assert_int_equal(result.code, 1);
    tool_release(&result);
    result = RUN("sweep", "part.obj", "--tool", "flat:3", "--moves", "clear.ngc");
    assert_int_equal(result.code, 0);
    tool_release(&result);
    result = RUN("sweep", "part.obj:units=in", "--units", "mm", "--tool", "ball:3", "--moves", "clear.ngc");
    assert_int_equal(result.code, 1);
    tool_release(&result);
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    char *text = calloc(size + 1, 1);
    rewind(file);
    assert_true(text != NULL && fread(text, 1, size, file) == size);
    fclose(file);
    return text;
}

/* The rest of the page is for a browser: viewer/test/time.test.mjs. */
static void a_page_shows_part_tool_and_gouges_by_move(void **state)
{
    (void)state;
    tool_result result =
        RUN("sweep", "part.obj", "--tool", "holder.json", "--moves", "gouge.ngc", "--html", "path.html");
    bool has_viewer = result.code != 2;
    assert_true(has_viewer || strstr(result.err, "built without the viewer") != NULL);
    tool_release(&result);
    char *page = has_viewer ? text_of("path.html") : NULL;
    char *data = has_viewer ? strstr(page, "<script type=\"application/json\" id=\"graze-report\">") : NULL;
    if (!has_viewer)
        return;
    assert_non_null(data);
    cJSON *document = cJSON_Parse(strchr(data, '>') + 1);
    assert_non_null(document);
    assert_true(json_number(member(document, "header"), "frames") == 4);
    const cJSON *parts = member(document, "parts");
    assert_int_equal(cJSON_GetArraySize(parts), 4); /* the part, two cutters, the swept volume */
    assert_string_equal(json_string(cJSON_GetArrayItem(parts, 2), "name"), "tool/holder");
    assert_int_equal(cJSON_GetArraySize(member(cJSON_GetArrayItem(parts, 1), "track")), 3);
    assert_true(json_boolean(cJSON_GetArrayItem(parts, 3), "hidden"));
    const cJSON *finding = cJSON_GetArrayItem(member(document, "findings"), 0);
    assert_string_equal(json_string(finding, "rule"), "line 3");
    assert_true(json_number(finding, "measured_at") >= 2 && json_number(finding, "measured_at") <= 3);
    cJSON_Delete(document);
    free(page);
}

static void gouges_are_reported_by_move_with_depths(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "gouge.ngc", "--json"), 1);
    assert_string_equal(json_string(document, "verdict"), "yes");
    assert_true(json_number(document, "moves") == 3 && json_number(document, "gouging") == 1);
    assert_true(json_number(document, "unknown") == 0);
    const cJSON *gouge = cJSON_GetArrayItem(member(document, "gouges"), 0);
    assert_true(json_number(gouge, "move") == 1 && json_number(gouge, "line") == 3);
    assert_string_equal(json_string(gouge, "cutter"), "ball");
    assert_false(json_boolean(gouge, "rapid"));
    const cJSON *depth = member(gouge, "depth");
    assert_true(cJSON_GetArrayItem(depth, 0)->valuedouble <= 0.5 && cJSON_GetArrayItem(depth, 1)->valuedouble >= 0.5);
    cJSON_Delete(document);
    tool_result result = RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "gouge.ngc");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, "1 of 3 moves gouge"));
    assert_non_null(strstr(result.out, "line 3: ball: 0.5 to 0.5 deep"));
    tool_release(&result);
    result = RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "gouge.ngc", "--threshold", "0.5");
    assert_int_equal(result.code, 0);
    tool_release(&result);
    result = RUN("sweep", "part.obj", "--tool", "ball:3", "--tip", "--moves", "gouge.ngc");
    assert_int_equal(result.code, 0);
    tool_release(&result);
    result = RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "gouge.ngc", "--json", "report.json");
    assert_int_equal(result.code, 1);
    tool_release(&result);
    result = RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "gouge.ngc", "--rapids", "dog-leg");
    assert_int_equal(result.code, 1);
    tool_release(&result);
}

static void holders_count_and_arcs_may_be_unknown(void **state)
{
    (void)state;
    tool_result result = RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "deep.ngc");
    assert_int_equal(result.code, 0);
    tool_release(&result);
    result = RUN("sweep", "part.obj", "--tool", "holder.json", "--moves", "deep.ngc");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, "holder: "));
    tool_release(&result);
    result = RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "arc.ngc", "--chord-error", "0.1", "--json");
    cJSON *document = expect_json(result, 4);
    assert_string_equal(json_string(document, "verdict"), "unknown");
    assert_true(json_number(document, "unknown") > 0 && json_number(document, "gouging") == 0);
    cJSON_Delete(document);
}

/* The verdict on one move along the edge of the part at y = -10, z = 10, by a tool of one cutter. */
static void expect_along_edge(const char *cutter, double y, double z, const char *options, int code)
{
    char text[300];
    snprintf(text, sizeof text, "{\"cutters\": [%s]}", cutter);
    write_text("one.json", text);
    snprintf(text, sizeof text, "G0 X-20 Y%.17g Z30\nG0 Z%.17g\nG1 X20\n", y, z);
    write_text("edge.ngc", text);
    tool_result result =
        options == NULL ? RUN("sweep", "part.obj", "--tool", "one.json", "--moves", "edge.ngc")
                        : RUN("sweep", "part.obj", "--tool", "one.json", "--moves", "edge.ngc", "--threshold", options);
    if (result.code != code)
        fail_msg("%s at %g, %g: exit code %d, not %d", cutter, y, z, result.code, code);
    tool_release(&result);
}

static void cones_and_bull_noses_are_certain_beside_a_narrow_doubt(void **state)
{
    (void)state;
    /* At u above its tip the cone has the radius u: it gouges the edge, 2 beside it, where its tip is deeper than 2. */
    const char *cone = "{\"kind\": \"cone\", \"radius\": 0, \"top_radius\": 5, \"from\": 0, \"to\": 5}";
    expect_along_edge(cone, -12, 10 - 1.75, NULL, 0);
    expect_along_edge(cone, -12, 10 - 2.25, NULL, 1);
    expect_along_edge(cone, -12, 10 - 2.0, NULL, 4);
    expect_along_edge(cone, 0, 10, NULL, 0); /* its tip touches the top */
    expect_along_edge(cone, 0, 9.5, NULL, 1);
    /* Smaller by 0.5 all around, its side is 0.5 sqrt(2) further in: the tip must be 2.7 deep. */
    expect_along_edge(cone, -12, 10 - 3.5, "0.5", 1);
    expect_along_edge(cone, -12, 10 - 2.25, "0.5", 0);
    const char *taper = "{\"kind\": \"cone\", \"radius\": 6, \"top_radius\": 2, \"from\": 0, \"to\": 4}";
    expect_along_edge(taper, -15, 9, NULL, 1);
    expect_along_edge(taper, -16.25, 9, NULL, 0);
    /* Of its lower edge the bull nose has no more than 3.31 of 4 at 0.05 above its end, and 3.99 at 0.9. */
    const char *bull = "{\"kind\": \"bull_nose\", \"radius\": 4, \"corner\": 1, \"from\": 0}";
    expect_along_edge(bull, -13.9, 10 - 0.05, NULL, 0);
    expect_along_edge(bull, -13.9, 10 - 0.9, NULL, 1);
    expect_along_edge(bull, -13.9, 10 - 3, NULL, 1);
    expect_along_edge(bull, -14, 10 - 3, NULL, 0); /* its shank touches the wall */
    expect_along_edge(bull, 0, 10, NULL, 0);
    expect_along_edge(bull, 0, 9.9, NULL, 1);
    /* 2 below the top. A tool smaller by 2 touches there. */
    expect_along_edge(bull, 0, 8, NULL, 1);
    cJSON *document = expect_json(RUN("sweep", "part.obj", "--tool", "one.json", "--moves", "edge.ngc", "--json"), 1);
    const cJSON *depth = member(cJSON_GetArrayItem(member(document, "gouges"), 0), "depth");
    assert_true(cJSON_GetArrayItem(depth, 0)->valuedouble >= 1 && cJSON_GetArrayItem(depth, 0)->valuedouble <= 2);
    assert_true(cJSON_GetArrayItem(depth, 1)->valuedouble >= 2 && cJSON_GetArrayItem(depth, 1)->valuedouble <= 4);
    cJSON_Delete(document);
    tool_result result = RUN("sweep", "part.obj", "--tool", "one.json", "--moves", "edge.ngc", "--html", "bull.html");
    assert_true(result.code == 1 || result.code == 2); /* 2 without the viewer */
    tool_release(&result);
}

static void damaged_profiles_are_refused(void **state)
{
    (void)state;
    static const char *const cutters[][2] = {
        {"{\"kind\": \"cone\", \"radius\": 1, \"to\": 4}", "a cone needs top_radius"},
        {"{\"kind\": \"cone\", \"radius\": 1, \"top_radius\": 2}", "and ends: it needs to"},
        {"{\"kind\": \"cone\", \"radius\": 0, \"top_radius\": 0, \"to\": 4}", "a radius is above 0"},
        {"{\"kind\": \"bull_nose\", \"radius\": 1}", "a bull_nose needs corner"},
        {"{\"kind\": \"bull_nose\", \"radius\": 1, \"corner\": 2}", "a corner is above 0 and not above the radius"},
        {"{\"kind\": \"ball\", \"radius\": 1, \"corner\": 1}", "nothing else has it"},
        {"{\"kind\": \"cylinder\", \"radius\": 1, \"top_radius\": 1}", "nothing else has it"}};
    for (size_t i = 0; i < sizeof cutters / sizeof *cutters; i++)
    {
        char text[200];
        snprintf(text, sizeof text, "{\"cutters\": [%s]}", cutters[i][0]);
        write_text("bad.json", text);
        tool_expect_refusal(RUN("sweep", "part.obj", "--tool", "bad.json", "--moves", "clear.ngc"), 3, cutters[i][1]);
    }
}

static void wrong_words_are_refused(void **state)
{
    (void)state;
    tool_expect_refusal(RUN("sweep", "part.obj"), 2, "which two files move");
    tool_expect_refusal(RUN("sweep", "part.obj", "--tool", "ball:3"), 2, "--moves FILE");
    tool_expect_refusal(RUN("sweep", "part.obj", "part.obj", "--tool", "ball:3", "--moves", "clear.ngc"), 2,
                        "takes one file");
    tool_expect_refusal(RUN("sweep", "part.obj", "part.obj", "--tip"), 2, "--tip goes with --tool");
    tool_expect_refusal(RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "clear.ngc", "--solid"), 2,
                        "not for --tool");
    tool_expect_refusal(RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "clear.ngc", "--rapids", "curved"), 2,
                        "dog-leg");
    tool_expect_refusal(RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "clear.ngc", "--chord-error", "0"), 2,
                        "above 0");
    tool_expect_refusal(RUN("sweep", "open.obj", "--tool", "ball:3", "--moves", "clear.ngc"), 3, "not closed");
    tool_expect_refusal(RUN("sweep", "part.obj", "--tool", "ball:3", "--moves", "none.ngc"), 3, "none.ngc");
    tool_result result = RUN("sweep", "open.obj", "--tool", "ball:3", "--moves", "clear.ngc", "--surface");
    assert_int_equal(result.code, 0);
    tool_release(&result);
}

#define AT(x, y, z) "1 0 0 " #x "  0 1 0 " #y "  0 0 1 " #z

static void proofs_are_written_and_verified(void **state)
{
    (void)state;
    cJSON *document =
        expect_json(RUN("sweep", "part.obj", "part.obj", "--from-b", AT(-30, 21, 0), "--to-b",
                        "0 -1 0 30  1 0 0 45  0 0 1 0", "--margin", "0.5", "--prove", "proof.json", "--json"),
                    0);
    assert_string_equal(json_string(document, "certificate"), "proof.json");
    assert_true(json_number(document, "clearance") == 0.5);
    cJSON_Delete(document);
    tool_result result = RUN("verify", "proof.json", "part.obj", "part.obj");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "at least 0.5 apart"));
    tool_release(&result);
    document = expect_json(RUN("sweep", "part.obj", "part.obj", "--from-b", AT(-30, 5, 0), "--to-b", AT(30, 5, 0),
                               "--prove", "none.json", "--json"),
                           1);
    assert_true(cJSON_IsNull(member(document, "certificate")));
    cJSON_Delete(document);
    write_text("poses.txt", AT(-30, 21, 0) "\n" AT(0, 21, 0) "\n" AT(30, 25, 0) "\n");
    result = RUN("path", "part.obj", "part.obj", "poses.txt", "--continuous", "--prove", "chain.cert");
    assert_int_equal(result.code, 0);
    tool_release(&result);
    result = RUN("verify", "chain.cert", "part.obj", "part.obj");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "valid: 2 certificates"));
    tool_release(&result);
    tool_expect_refusal(RUN("path", "part.obj", "part.obj", "poses.txt", "--prove", "x"), 2, "goes with --continuous");
    tool_expect_refusal(RUN("sweep", "part.obj:scale=2", "part.obj", "--from-b", AT(0, 0, 60), "--prove", "x"), 2,
                        "no scales");
    tool_expect_refusal(RUN("sweep", "part.obj", "part.obj", "--margin", "-1", "--prove", "x"), 2, "a distance from 0");
    tool_expect_refusal(RUN("sweep", "part.obj", "part.obj", "--margin", "1", "--crossing"), 2, "--crossing");
    tool_expect_refusal(RUN("sweep", "part.obj", "part.obj", "--from-b", AT(0, 0, 21), "--margin", "2", "--prove", "x"),
                        4, "no certificate: triangle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_that_only_touches_is_clear),
        cmocka_unit_test(a_page_shows_part_tool_and_gouges_by_move),
        cmocka_unit_test(gouges_are_reported_by_move_with_depths),
        cmocka_unit_test(holders_count_and_arcs_may_be_unknown),
        cmocka_unit_test(cones_and_bull_noses_are_certain_beside_a_narrow_doubt),
        cmocka_unit_test(damaged_profiles_are_refused),
        cmocka_unit_test(wrong_words_are_refused),
        cmocka_unit_test(proofs_are_written_and_verified),
    };
    return cmocka_run_group_tests(tests, enter, leave_temporary_directory);
}
