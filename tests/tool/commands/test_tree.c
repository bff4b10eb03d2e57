/* SPDX-License-Identifier: MIT */
/* graze tree, through the real program: its report, and trees that programs can map. */
#include <stdio.h>
#include <string.h>

#include "graze/io.h"
#include "support/tool_json.h"
#include "support/unit.h"

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed == 0)
    {
        write_box_obj("box.obj", 1.0);
        tool_result made = RUN("make", "geodesic", "--frequency", "30", "-o", "ball.ply");
        failed = made.code;
        tool_release(&made);
    }
    return failed;
}

static void every_promised_key_is_there(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("tree", "ball.ply", "--json"), 0);
    static const char *const keys[] = {"triangles",
                                       "nodes",
                                       "leaves",
                                       "depth",
                                       "fill",
                                       "cost",
                                       "quality",
                                       "bytes",
                                       "bytes_per_triangle",
                                       "bytes_per_triangle_with_mesh",
                                       "ms",
                                       "leaf_size",
                                       "threads"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    {
        if (!cJSON_IsNumber(cJSON_GetObjectItem(document, keys[i])))
            fail_msg("%s is missing", keys[i]);
    }
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "saved")));
    assert_string_equal(json_string(document, "file"), "ball.ply");
    assert_true(json_number(document, "triangles") == 18000);
    assert_true(json_number(document, "quality") == 1);
    assert_true(json_number(document, "threads") == 1);
    double each = json_number(document, "bytes_per_triangle");
    assert_true(each * 18000 == json_number(document, "bytes"));
    assert_true(json_number(document, "bytes_per_triangle_with_mesh") > each + 23);
    assert_true(json_number(document, "bytes_per_triangle_with_mesh") < 90);
    cJSON_Delete(document);
}

static void a_saved_tree_can_be_mapped(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("tree", "ball.ply", "--save", "ball.tree", "--json"), 0);
    assert_string_equal(json_string(document, "saved"), "ball.tree");
    graze_model *model = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_model_read_file(NULL, "ball.ply", GRAZE_FORMAT_AUTO, NULL, NULL, &model), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_map_file(NULL, graze_model_mesh(model), "ball.tree", NULL, NULL, &tree),
                     GRAZE_STATUS_OK);
    assert_true(json_number(document, "nodes") == (double)graze_tree_examine(tree).nodes);
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
    graze_tree_destroy(tree);
    graze_model_destroy(model);
    cJSON_Delete(document);
}

static size_t read_bytes(const char *path, char *bytes, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, capacity, file);
    fclose(file);
    return size;
}

static void any_number_of_threads_saves_the_same_bytes(void **state)
{
    (void)state;
    static char bytes[2][2000000];
    tool_result one = RUN("tree", "ball.ply", "--save", "one.tree");
    tool_result many = RUN("tree", "ball.ply", "--save", "many.tree", "--threads", "5");
    assert_int_equal(one.code, 0);
    assert_int_equal(many.code, 0);
    size_t size = read_bytes("one.tree", bytes[0], sizeof bytes[0]);
    assert_true(size > 400000 && size < sizeof bytes[0]);
    assert_int_equal(read_bytes("many.tree", bytes[1], sizeof bytes[1]), size);
    assert_memory_equal(bytes[0], bytes[1], size);
    tool_release(&one);
    tool_release(&many);
}

static void smaller_leaves_are_more(void **state)
{
    (void)state;
    cJSON *eight = expect_json(RUN("tree", "ball.ply", "--json"), 0);
    cJSON *two = expect_json(RUN("tree", "ball.ply", "--leaf-size=2", "--json"), 0);
    assert_true(json_number(two, "leaves") > 3 * json_number(eight, "leaves"));
    assert_true(json_number(two, "leaf_size") == 2);
    cJSON_Delete(eight);
    cJSON_Delete(two);
}

static void people_get_a_table(void **state)
{
    (void)state;
    tool_result result = RUN("tree", "ball.ply", "--save", "table.tree");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.err, "");
    assert_non_null(strstr(result.out, "  triangles             18,000\n"));
    assert_non_null(strstr(result.out, "  quality               1.00\n"));
    assert_non_null(strstr(result.out, "  saved as              table.tree\n"));
    tool_release(&result);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    tool_expect_refusal(RUN("tree"), 2, "FILE is missing");
    tool_expect_refusal(RUN("tree", "box.obj", "--leaf-size", "9"), 2, "1 to 8");
    tool_expect_refusal(RUN("tree", "box.obj", "--leaf-size", "0"), 2, "1 to 8");
    tool_expect_refusal(RUN("tree", "box.obj", "--threads", "none"), 2, "0 to 1024");
    tool_expect_refusal(RUN("tree", "missing.obj"), 3, "missing.obj");
    tool_expect_refusal(RUN("tree", "box.obj", "--save", "no/folder.tree"), 3, "no/folder.tree");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_promised_key_is_there),
        cmocka_unit_test(a_saved_tree_can_be_mapped),
        cmocka_unit_test(any_number_of_threads_saves_the_same_bytes),
        cmocka_unit_test(smaller_leaves_are_more),
        cmocka_unit_test(people_get_a_table),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, enter, leave_temporary_directory);
}
