/* SPDX-License-Identifier: MIT */
/* Arguments that were misunderstood: each is refused with a message, or works as in other commands. */
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed == 0)
        write_box_obj("box.obj", 1.0);
    return failed;
}

/* The second read found nothing left, and the file was called empty. */
static void standard_input_is_read_once(void **state)
{
    (void)state;
    const char *mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    tool_expect_refusal(RUN_WITH_INPUT(mesh, "check", "-", "-"), 2, "standard input can be read only once");
    tool_expect_refusal(RUN_WITH_INPUT(mesh, "path", "-", "box.obj", "-"), 2, "standard input can be read only once");
    tool_result once = RUN_WITH_INPUT(mesh, "check", "-", "box.obj");
    assert_int_equal(once.code, 1); /* two corners lie on the box */
    tool_release(&once);
}

/* The message was "line 1: Is a directory". */
static void a_directory_holds_no_poses(void **state)
{
    (void)state;
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "."), 3, ".: this is a directory, not a file");
}

/* As for check and path, 0 threads means all processors. */
static void a_tree_may_be_built_with_all_processors(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("tree", "box.obj", "--threads", "0", "--json"), 0);
    assert_true(json_number(document, "threads") >= 1);
    cJSON_Delete(document);
    tool_expect_refusal(RUN("tree", "box.obj", "--threads", "1025"), 2, "from 0 to 1024");
}

/* Infinity passed the test "at least 0". */
static void a_tolerance_is_finite(void **state)
{
    (void)state;
    tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--tolerance", "inf"), 2, "finite distance");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "box.obj", "--tolerance", "1e400"), 2, "finite distance");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_input_is_read_once),
        cmocka_unit_test(a_directory_holds_no_poses),
        cmocka_unit_test(a_tree_may_be_built_with_all_processors),
        cmocka_unit_test(a_tolerance_is_finite),
    };
    return cmocka_run_group_tests(tests, enter, leave_temporary_directory);
}
