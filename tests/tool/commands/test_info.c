/* SPDX-License-Identifier: MIT */
/* graze info, through the real program: properties, as JSON and as a table, of one file and of several. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/gltf_file.h"
#include "support/tool_json.h"
#include "support/unit.h"

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed == 0)
    {
        write_box_obj("box.obj", 1.0);
        write_open_box_obj("open.obj", 1.0);
    }
    return failed;
}

static void every_promised_key_is_there(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("info", "box.obj", "--json"), 0);
    static const char *const keys[] = {"triangles",
                                       "faces",
                                       "vertices",
                                       "distinct_vertices",
                                       "components",
                                       "closed",
                                       "manifold",
                                       "oriented",
                                       "convex",
                                       "boundary_edges",
                                       "nonmanifold_edges",
                                       "degenerate",
                                       "duplicates",
                                       "area",
                                       "volume",
                                       "bounds",
                                       "edges",
                                       "parts",
                                       "centre_of_mass",
                                       "inertia",
                                       "format",
                                       "file"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!cJSON_HasObjectItem(document, keys[i]))
            fail_msg("no key '%s'", keys[i]);
    cJSON_Delete(document);
}

static void a_box_is_known_to_the_last_digit(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("info", "box.obj", "--json"), 0);
    assert_true(json_number(document, "triangles") == 12);
    assert_true(json_number(document, "faces") == 6);
    assert_true(json_number(document, "vertices") == 8);
    assert_true(json_number(document, "distinct_vertices") == 8);
    assert_true(json_number(document, "components") == 1);
    assert_true(json_boolean(document, "closed") && json_boolean(document, "manifold"));
    assert_true(json_boolean(document, "oriented") && json_boolean(document, "convex"));
    assert_true(json_number(document, "area") == 24.0);
    assert_true(json_number(document, "volume") == 8.0);
    const cJSON *bounds = cJSON_GetObjectItem(document, "bounds");
    for (int side = 0; side < 2; side++)
        for (int axis = 0; axis < 3; axis++)
            assert_true(cJSON_GetArrayItem(cJSON_GetArrayItem(bounds, side), axis)->valuedouble == 2 * side - 1);
    cJSON_Delete(document);
}

static void an_open_box_has_no_volume(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("info", "open.obj", "--json"), 0);
    assert_false(json_boolean(document, "closed"));
    assert_true(json_number(document, "boundary_edges") == 4);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "volume")));
    cJSON_Delete(document);
}

static void a_soup_of_triangles_can_be_closed(void **state)
{
    (void)state;
    tool_result made = RUN("make", "torus", "-o", "torus.stl");
    assert_int_equal(made.code, 0);
    assert_string_equal(made.out, "");
    tool_release(&made);
    cJSON *document = expect_json(RUN("info", "torus.stl", "--json"), 0);
    assert_true(json_boolean(document, "closed") && json_boolean(document, "manifold") &&
                json_boolean(document, "oriented"));
    assert_false(json_boolean(document, "convex"));
    assert_true(json_number(document, "vertices") == 3 * json_number(document, "triangles"));
    assert_true(json_number(document, "distinct_vertices") == json_number(document, "triangles") / 2);
    cJSON_Delete(document);
}

static void parts_and_disagreeing_faces_are_listed(void **state)
{
    (void)state;
    write_text("two.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\ng left\nf 1 2 3\ng right\nf 2 3 4\n");
    cJSON *document = expect_json(RUN("info", "two.obj", "--json"), 0);
    assert_false(json_boolean(document, "oriented"));
    const cJSON *pairs = cJSON_GetObjectItem(document, "misoriented_faces");
    assert_int_equal(cJSON_GetArraySize(pairs), 1);
    assert_int_equal(cJSON_GetArrayItem(cJSON_GetArrayItem(pairs, 0), 1)->valueint, 1);
    const cJSON *part;
    double triangles = 0;
    cJSON_ArrayForEach(part, cJSON_GetObjectItem(document, "parts")) triangles += json_number(part, "triangles");
    assert_true(triangles == 2);
    cJSON_Delete(document);
    tool_result result = RUN("info", "two.obj");
    assert_non_null(strstr(result.out, "'right', 1 triangle\n"));
    assert_non_null(strstr(result.out, "faces 0 and 1"));
    tool_release(&result);
}

static void a_gltf_is_one_mesh_with_a_part_for_every_node(void **state)
{
    (void)state;
    static const char json[] =
        "{" GLTF_BOX ",\"nodes\":[{\"name\":\"A\",\"children\":[1,2]},{\"name\":\"B\",\"mesh\":0},"
        "{\"name\":\"C\",\"mesh\":0,\"translation\":[3,0,0]}]}";
    gltf_bytes chunk = gltf_box_bytes(1), file = gltf_make_glb(json, &chunk);
    write_bytes("two.glb", file.data, file.size);
    free(chunk.data);
    free(file.data);
    cJSON *document = expect_json(RUN("info", "two.glb", "--json"), 0);
    assert_string_equal(json_string(document, "format"), "glTF, binary");
    assert_true(json_number(document, "triangles") == 24 && json_number(document, "components") == 2);
    assert_true(json_boolean(document, "closed") && json_number(document, "volume") == 16);
    const cJSON *parts = cJSON_GetObjectItem(document, "parts");
    assert_int_equal(cJSON_GetArraySize(parts), 2);
    assert_string_equal(json_string(cJSON_GetArrayItem(parts, 1), "name"), "A/C");
    cJSON_Delete(document);
    tool_result result = RUN("check", "two.glb", "box.obj");
    assert_int_equal(result.code, 1);
    tool_release(&result);
    tool_expect_refusal(RUN("make", "box", "-o", "new.glb"), 3, "glTF is read but not written");
}

static void several_files_give_an_array(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("info", "box.obj", "open.obj", "--json"), 0);
    assert_int_equal(cJSON_GetArraySize(document), 2);
    assert_string_equal(json_string(cJSON_GetArrayItem(document, 1), "file"), "open.obj");
    cJSON_Delete(document);
}

static void a_file_that_fails_does_not_stop_the_others(void **state)
{
    (void)state;
    tool_result result = RUN("info", "missing.obj", "box.obj", "--json");
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "missing.obj"));
    cJSON *document = cJSON_Parse(result.out);
    assert_int_equal(cJSON_GetArraySize(document), 2);
    assert_true(json_number(cJSON_GetArrayItem(document, 0), "error") == 3);
    assert_true(json_number(cJSON_GetArrayItem(document, 1), "triangles") == 12);
    cJSON_Delete(document);
    tool_release(&result);
    tool_expect_refusal(RUN("info", "missing.obj", "--json"), 3, "missing.obj");
}

static void people_get_a_table(void **state)
{
    (void)state;
    tool_result made = RUN("make", "geodesic", "--frequency", "12", "-o", "ball.stl");
    tool_release(&made);
    tool_result result = RUN("info", "ball.stl");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.err, "");
    assert_non_null(strstr(result.out, "  triangles             2,880\n"));
    assert_non_null(strstr(result.out, "  closed                yes\n"));
    assert_null(strstr(result.out, "boundary edges"));
    tool_release(&result);
}

static void names_that_are_not_utf8_still_give_json(void **state)
{
    (void)state;
    static const char path[] = "b\xfcx \"\\\n.obj";
    write_box_obj(path, 1.0);
    cJSON *document = expect_json(RUN("info", path, "--json"), 0);
    assert_string_equal(json_string(document, "file"), "b\xef\xbf\xbdx \"\\\n.obj");
    cJSON_Delete(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_promised_key_is_there),
        cmocka_unit_test(a_box_is_known_to_the_last_digit),
        cmocka_unit_test(an_open_box_has_no_volume),
        cmocka_unit_test(a_soup_of_triangles_can_be_closed),
        cmocka_unit_test(parts_and_disagreeing_faces_are_listed),
        cmocka_unit_test(a_gltf_is_one_mesh_with_a_part_for_every_node),
        cmocka_unit_test(several_files_give_an_array),
        cmocka_unit_test(a_file_that_fails_does_not_stop_the_others),
        cmocka_unit_test(people_get_a_table),
        cmocka_unit_test(names_that_are_not_utf8_still_give_json),
    };
    return cmocka_run_group_tests(tests, enter, leave_temporary_directory);
}
