/* SPDX-License-Identifier: MIT */
/* graze hull, through the real program: mesh and shape files, simplification, its document, and invalid requests. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

static void expect_done(tool_result result)
{
    if (result.code != 0)
        fail_msg("code %d: %s", result.code, result.err);
    tool_release(&result);
}

static cJSON *read_json(const char *path)
{
    FILE *file = fopen(path, "rb");
    static char text[1 << 20];
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    return document;
}

/* A box with a dent: the hull is the box. */
static void make_files(void)
{
    expect_done(RUN("make", "box", "--size", "2 4 6", "-o", "box.obj"));
    expect_done(RUN("make", "torus", "--segments", "40", "--sides", "20", "-o", "torus.obj"));
}

static void hulls_are_written_as_meshes_and_as_shapes(void **state)
{
    (void)state;
    make_files();
    expect_done(RUN("hull", "torus.obj", "-o", "hull.obj"));
    cJSON *facts = expect_json(RUN("info", "hull.obj", "--json"), 0);
    assert_true(json_boolean(facts, "convex") && json_boolean(facts, "closed"));
    double vertices = json_number(facts, "vertices");
    cJSON_Delete(facts);

    expect_done(RUN("hull", "torus.obj", "-o", "hull.json"));
    cJSON *shape = read_json("hull.json");
    assert_string_equal(json_string(shape, "kind"), "hull");
    const cJSON *points = cJSON_GetObjectItem(shape, "points");
    assert_int_equal(cJSON_GetArraySize(points), (int)vertices);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetArrayItem(points, 0)), 3);
    cJSON_Delete(shape);

    tool_result result = RUN("hull", "torus.obj", "-o", "-", "--vertices", "20");
    assert_non_null(strstr(result.err, "larger"));
    shape = cJSON_Parse(result.out);
    tool_release(&result);
    assert_non_null(shape);
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(shape, "points")) <= 20);
    cJSON_Delete(shape);
}

/* Shape files with faces stand for meshes; others have none to take. */
static void shape_files_have_hulls_and_pieces(void **state)
{
    (void)state;
    expect_done(RUN("make", "box", "--size", "2 4 6", "-o", "box.json"));
    cJSON *report = expect_json(RUN("hull", "box.json", "--json", "-o", "again.json"), 0);
    const cJSON *hull = cJSON_GetObjectItem(report, "hull");
    assert_true(json_number(hull, "vertices") == 8 && json_number(hull, "faces") == 6);
    assert_true(json_number(hull, "volume") == 48);
    cJSON_Delete(report);
    report = expect_json(RUN("hull", "again.json", "--json"), 0);
    assert_true(json_number(cJSON_GetObjectItem(report, "hull"), "volume") == 48);
    cJSON_Delete(report);
    report = expect_json(RUN("decompose", "again.json", "--json"), 0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "pieces")), 1);
    cJSON_Delete(report);
    expect_done(RUN("make", "sphere", "-o", "ball.json"));
    tool_expect_refusal(RUN("hull", "ball.json", "--json"), 3, "ball.json: a shape of kind sphere has no faces");
    tool_expect_refusal(RUN("decompose", "ball.json", "--json"), 3, "ball.json: a shape of kind sphere has no faces");
}

static void a_simpler_hull_contains_the_file(void **state)
{
    (void)state;
    make_files();
    cJSON *document = expect_json(RUN("hull", "torus.obj", "--vertices", "24", "-o", "simple.ply", "--json"), 0);
    const cJSON *hull = cJSON_GetObjectItem(document, "hull"), *simpler = cJSON_GetObjectItem(document, "simplified");
    assert_true(json_number(simpler, "vertices") <= 24 && json_number(hull, "vertices") > 24);
    assert_true(json_number(simpler, "volume") > json_number(hull, "volume"));
    assert_true(json_number(hull, "volume") > json_number(document, "volume"));
    assert_false(json_boolean(document, "convex"));
    assert_string_equal(json_string(document, "written"), "simple.ply");
    cJSON_Delete(document);
    document = expect_json(RUN("hull", "box.obj", "--json"), 0);
    hull = cJSON_GetObjectItem(document, "hull");
    assert_true(json_number(hull, "vertices") == 8 && json_number(hull, "faces") == 6);
    assert_true(json_number(hull, "volume") == 48 && json_boolean(document, "convex"));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "simplified")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "written")));
    cJSON_Delete(document);
}

static void flat_and_thin_files_have_hulls(void **state)
{
    (void)state;
    write_text("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\nf 1 3 4\n");
    write_text("line.obj", "v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n");
    cJSON *document = expect_json(RUN("hull", "square.obj", "--json", "-o", "flat.off"), 0);
    const cJSON *hull = cJSON_GetObjectItem(document, "hull");
    assert_true(json_number(hull, "vertices") == 4 && json_number(hull, "faces") == 2);
    assert_true(json_number(hull, "volume") == 0);
    cJSON_Delete(document);
    document = expect_json(RUN("hull", "line.obj", "--json", "-o", "line.off"), 0);
    assert_true(json_number(cJSON_GetObjectItem(document, "hull"), "vertices") == 2);
    cJSON_Delete(document);
    document = expect_json(RUN("info", "line.off", "--json"), 0);
    assert_true(json_number(document, "triangles") == 1);
    cJSON_Delete(document);
    write_text("dot.obj", "v 1 2 3\nf 1 1 1\n");
    tool_result result = RUN("hull", "dot.obj", "-o", "dot.off");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "hull: 1 vertex, 1 face"));
    tool_release(&result);
    document = expect_json(RUN("decompose", "dot.obj", "--json"), 0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "pieces")), 1);
    cJSON_Delete(document);
}

static void invalid_requests_are_refused(void **state)
{
    (void)state;
    make_files();
    tool_expect_refusal(RUN("hull", "box.obj"), 2, "say where to write");
    tool_expect_refusal(RUN("hull", "box.obj", "-o", "x.step"), 2, "does not end in");
    tool_expect_refusal(RUN("hull", "box.obj", "-o", "-", "--json"), 2, "both write to standard output");
    tool_expect_refusal(RUN("hull", "box.obj", "-o", "x.obj", "--vertices", "3"), 2, "--vertices");
    tool_expect_refusal(RUN("hull", "box.obj", "-o", "x.obj", "--vertices", "many"), 2, "--vertices");
    tool_expect_refusal(RUN("hull", "none.obj", "-o", "x.obj"), 3, "none.obj");
    tool_expect_refusal(RUN("hull", "box.obj", "-o", "no/such/folder.json"), 3, "cannot be written");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_are_written_as_meshes_and_as_shapes),
        cmocka_unit_test(shape_files_have_hulls_and_pieces),
        cmocka_unit_test(a_simpler_hull_contains_the_file),
        cmocka_unit_test(flat_and_thin_files_have_hulls),
        cmocka_unit_test(invalid_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
