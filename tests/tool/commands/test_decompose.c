/* SPDX-License-Identifier: MIT */
/* graze decompose, through the real program: its shape file, its document, and invalid requests. */
#include <stdio.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

static void make_files(void)
{
    tool_result result = RUN("make", "extrusion", "--points", "0 0, 3 0, 3 1, 1 1, 1 4, 0 4", "-o", "l.obj");
    if (result.code != 0)
        fail_msg("code %d: %s", result.code, result.err);
    tool_release(&result);
}

static void pieces_are_written_as_a_compound_of_hulls(void **state)
{
    (void)state;
    make_files();
    tool_result result = RUN("decompose", "l.obj", "-o", "-");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "2 pieces"));
    cJSON *shape = cJSON_Parse(result.out);
    tool_release(&result);
    assert_non_null(shape);
    assert_string_equal(json_string(shape, "kind"), "compound");
    const cJSON *parts = cJSON_GetObjectItem(shape, "parts"), *part = NULL;
    assert_int_equal(cJSON_GetArraySize(parts), 2);
    cJSON_ArrayForEach(part, parts)
    {
        const cJSON *hull = cJSON_GetObjectItem(part, "shape");
        assert_string_equal(json_string(hull, "kind"), "hull");
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(hull, "points")), 8);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(part, "pose")), 12);
    }
    cJSON_Delete(shape);
}

static void the_document_tells_excesses(void **state)
{
    (void)state;
    make_files();
    cJSON *document = expect_json(RUN("decompose", "l.obj", "--json", "--pieces", "1"), 0);
    const cJSON *excess = cJSON_GetObjectItem(document, "excess");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "pieces")), 1);
    assert_true(cJSON_GetArrayItem(excess, 0)->valuedouble > 0.5);
    assert_true(json_number(document, "pieces_volume") > json_number(document, "volume"));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "written")) && json_boolean(document, "closed"));
    cJSON_Delete(document);
    document = expect_json(RUN("decompose", "l.obj", "--json", "--excess", "0.001", "-o", "pieces.json"), 0);
    assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(document, "excess"), 1)->valuedouble < 0.001);
    assert_string_equal(json_string(document, "written"), "pieces.json");
    cJSON_Delete(document);
}

static void invalid_requests_are_refused(void **state)
{
    (void)state;
    make_files();
    tool_expect_refusal(RUN("decompose", "l.obj"), 2, "say where to write");
    tool_expect_refusal(RUN("decompose", "l.obj", "-o", "x.obj"), 2, "does not end in .json");
    tool_expect_refusal(RUN("decompose", "l.obj", "-o", "-", "--json"), 2, "both write to standard output");
    tool_expect_refusal(RUN("decompose", "l.obj", "--json", "--pieces", "0"), 2, "--pieces");
    tool_expect_refusal(RUN("decompose", "l.obj", "--json", "--excess", "-1"), 2, "--excess");
    tool_expect_refusal(RUN("decompose", "none.obj", "--json"), 3, "none.obj");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_written_as_a_compound_of_hulls),
        cmocka_unit_test(the_document_tells_excesses),
        cmocka_unit_test(invalid_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
