/* SPDX-License-Identifier: MIT */
/* graze info of shape files, through the real program. */
#include <math.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

static void a_shape_is_described_by_kind_numbers_and_bounds(void **state)
{
    (void)state;
    write_text("box.json", "{\"kind\": \"box\", \"size\": [1, 2, 0.5]}");
    cJSON *document = expect_json(RUN("info", "box.json", "--json"), 0);
    assert_string_equal(json_string(document, "format"), "shape");
    assert_string_equal(json_string(document, "kind"), "box");
    assert_true(json_boolean(document, "solid"));
    assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(document, "size"), 2)->valuedouble == 0.5);
    const cJSON *bounds = cJSON_GetObjectItem(document, "bounds");
    assert_true(cJSON_GetArrayItem(cJSON_GetArrayItem(bounds, 1), 1)->valuedouble == 1);
    assert_true(json_number(document, "vertices") == 8);
    cJSON_Delete(document);
}

static void volumes_are_those_of_their_formulas(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    const struct
    {
        const char *text;
        double volume; /* negative: not known */
    } cases[] = {
        {"{\"kind\": \"sphere\", \"radius\": 2}", 32 * pi / 3},
        {"{\"kind\": \"capsule\", \"ends\": [[0, 0, 0], [0, 3, 4]], \"radius\": 1}", 5 * pi + 4 * pi / 3},
        {"{\"kind\": \"box\", \"size\": [1, 2, 0.5]}", 1},
        {"{\"kind\": \"cylinder\", \"height\": 2, \"radius\": 3}", 18 * pi},
        {"{\"kind\": \"cone\", \"height\": 2, \"radius\": 3}", 6 * pi},
        {"{\"kind\": \"ellipsoid\", \"radii\": [1, 2, 3]}", 8 * pi},
        {"{\"kind\": \"half_space\", \"normal\": [0, 0, 1], \"offset\": 0}", -1},
        {"{\"kind\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}", 1.0 / 6},
        {"{\"kind\": \"triangle\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}", 0},
        {"{\"kind\": \"rounded\", \"core\": {\"kind\": \"box\", \"size\": [1, 2, 3]}, \"radius\": 1}",
         6 + 22 + 6 * pi + 4 * pi / 3},
        {"{\"kind\": \"rounded\", \"core\": {\"kind\": \"triangle\", \"points\": [[0, 0, 0], [3, 0, 0], [0, 4, 0]]}, "
         "\"radius\": 1}",
         12 + 6 * pi + 4 * pi / 3},
        {"{\"kind\": \"rounded\", \"core\": {\"kind\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, "
         "0]]}, "
         "\"radius\": 1}",
         2 + 2 * pi + 4 * pi / 3},
        {"{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, \"pose\": "
         "[2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]}, {\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"pose\": "
         "[1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0]}]}",
         2 + 4 * pi / 3},
        {"{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}, {\"shape\": "
         "{\"kind\": \"sphere\", \"radius\": 1}}]}",
         -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        write_text("shape.json", cases[i].text);
        cJSON *document = expect_json(RUN("info", "shape.json", "--json"), 0);
        const cJSON *volume = cJSON_GetObjectItem(document, "volume");
        if (cases[i].volume < 0)
            assert_true(cJSON_IsNull(volume));
        else
            assert_true(fabs(volume->valuedouble - cases[i].volume) <= 1e-12 * cases[i].volume);
        cJSON_Delete(document);
    }
}

static void several_files_may_hold_meshes_and_shapes(void **state)
{
    (void)state;
    write_box_obj("cube.obj", 1);
    write_text("floor.json", "{\"kind\": \"half_space\", \"normal\": [0, 0, 2], \"offset\": -1}");
    write_text("deep.json",
               "{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"compound\", \"parts\": "
               "[{\"shape\": {\"kind\": \"rounded\", \"core\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, "
               "\"radius\": 1}}]}}, {\"shape\": {\"kind\": \"rounded\", \"core\": {\"kind\": \"point\", "
               "\"points\": [[0, 0, 0]]}, \"radius\": 1}, \"pose\": [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0]}]}");
    write_text("bad.json", "{\"kind\": \"sphere\"}");
    tool_result result = RUN("info", "cube.obj", "floor.json", "deep.json", "bad.json", "--json");
    assert_int_equal(result.code, 3);
    cJSON *list = cJSON_Parse(result.out);
    assert_int_equal(cJSON_GetArraySize(list), 4);
    const cJSON *floor = cJSON_GetArrayItem(list, 1), *deep = cJSON_GetArrayItem(list, 2);
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(cJSON_GetArrayItem(cJSON_GetObjectItem(floor, "bounds"), 0), 0)));
    assert_true(json_number(floor, "offset") == -1);
    const cJSON *parts = cJSON_GetObjectItem(deep, "parts"), *first = cJSON_GetArrayItem(parts, 0),
                *second = cJSON_GetArrayItem(parts, 1);
    assert_true(json_number(deep, "part_count") == 2 && json_number(first, "part_count") == 1);
    assert_string_equal(json_string(cJSON_GetObjectItem(second, "core"), "kind"), "point");
    assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(second, "pose"), 3)->valuedouble == 5);
    assert_true(json_number(cJSON_GetArrayItem(list, 3), "error") == 3);
    cJSON_Delete(list);
    tool_release(&result);
}

static void text_says_the_same(void **state)
{
    (void)state;
    write_text("field.json", "{\"kind\": \"height_field\", \"size\": [1, 2], \"heights\": [[0, 1, 0], [2, 0, 1]]}");
    write_text("both.json",
               "{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"rounded\", \"core\": {\"kind\": "
               "\"point\", \"points\": [[0, 0, 0]]}, \"radius\": 1}}]}");
    static const struct
    {
        const char *file, *words[4];
    } cases[] = {{"field.json", {"height_field", "columns", "triangles", "solid                 no"}},
                 {"both.json", {"compound", "parts", "rounded at (0, 0, 0)", "solid                 yes"}}};
    for (size_t i = 0; i < 2; i++)
    {
        tool_result result = RUN("info", cases[i].file);
        assert_int_equal(result.code, 0);
        for (size_t k = 0; k < 4; k++)
            if (strstr(result.out, cases[i].words[k]) == NULL)
                fail_msg("'%s' is missing in\n%s", cases[i].words[k], result.out);
        tool_release(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_is_described_by_kind_numbers_and_bounds),
        cmocka_unit_test(volumes_are_those_of_their_formulas),
        cmocka_unit_test(several_files_may_hold_meshes_and_shapes),
        cmocka_unit_test(text_says_the_same),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
