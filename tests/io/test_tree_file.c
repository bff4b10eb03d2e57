/* SPDX-License-Identifier: MIT */
/* Saved trees as files: written atomically, mapped, errors with the file's name. */
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/io.h"
#include "support/failing_allocator.h"
#include "support/tool_process.h"
#include "support/unit.h"

static graze_mesh *mesh;
static graze_tree *tree;

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    return failed != 0 || graze_mesh_create_geodesic_sphere(NULL, 1, 10, &mesh) != GRAZE_STATUS_OK ||
           graze_tree_create(NULL, mesh, NULL, NULL, &tree) != GRAZE_STATUS_OK ||
           graze_tree_write_file(NULL, tree, "ball.tree", NULL) != GRAZE_STATUS_OK;
}

static int leave(void **state)
{
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    return leave_temporary_directory(state);
}

static void a_tree_comes_back_from_its_file(void **state)
{
    (void)state;
    graze_tree *mapped = NULL;
    assert_int_equal(graze_tree_map_file(NULL, mesh, "ball.tree", NULL, NULL, &mapped), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_validate(NULL, mapped), GRAZE_STATUS_OK);
    /* The old bytes stay mapped while the file is replaced. */
    assert_int_equal(graze_tree_write_file(NULL, mapped, "ball.tree", NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_validate(NULL, mapped), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_refit(NULL, mapped, mesh), GRAZE_STATUS_OK);
    graze_tree_destroy(mapped);
}

static void expect_refusal(const char *path, graze_status status, const char *words)
{
    graze_tree *mapped = NULL;
    graze_error error;
    assert_int_equal(graze_tree_map_file(NULL, mesh, path, NULL, &error, &mapped), status);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, words));
    assert_null(mapped);
}

static void files_that_are_no_saved_trees_are_refused_by_name(void **state)
{
    (void)state;
    expect_refusal("missing.tree", GRAZE_STATUS_NOT_FOUND, "no such file");
    expect_refusal(".", GRAZE_STATUS_UNREADABLE, "directory");
    expect_refusal("/dev/null", GRAZE_STATUS_UNREADABLE, "device");
    write_text("empty.tree", "");
    expect_refusal("empty.tree", GRAZE_STATUS_TRUNCATED, "too few");
    char text[400];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    write_text("text.tree", text);
    expect_refusal("text.tree", GRAZE_STATUS_BAD_FORMAT, "not a saved tree");
}

static void a_target_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    graze_error error;
    assert_int_equal(graze_tree_write_file(NULL, tree, "no/such/folder.tree", &error), GRAZE_STATUS_UNREADABLE);
    assert_non_null(strstr(error.text, "no/such/folder.tree"));
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_tree *mapped = NULL;
        graze_status status = graze_tree_write_file(&context, tree, "again.tree", NULL);
        if (status == GRAZE_STATUS_OK)
            status = graze_tree_map_file(&context, mesh, "again.tree", NULL, NULL, &mapped);
        graze_tree_destroy(mapped);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_comes_back_from_its_file),
        cmocka_unit_test(files_that_are_no_saved_trees_are_refused_by_name),
        cmocka_unit_test(a_target_that_cannot_be_written_is_named),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
