/* SPDX-License-Identifier: MIT */
/*
 * Found by review: building the tree of twelve triangles counted as 16,384, so that a small budget refused it; and
 * options whose struct_size says that they are too short were read before they were refused.
 */
#include <stdlib.h>

#include "graze/generate.h"
#include "graze/self.h"
#include "graze/tree.h"
#include "support/unit.h"

static void the_tree_of_a_cube_costs_little(void **state)
{
    (void)state;
    graze_mesh *cube = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &cube), GRAZE_STATUS_OK);
    graze_budget budget = {.box_tests = 1000};
    assert_int_equal(graze_tree_create(NULL, cube, NULL, &budget, &tree), GRAZE_STATUS_OK);
    graze_tree_destroy(tree);
    tree = NULL;
    budget.box_tests = 1;
    assert_int_equal(graze_tree_create(NULL, cube, NULL, &budget, &tree), GRAZE_STATUS_UNFINISHED);
    assert_null(tree);
    graze_mesh_destroy(cube);
}

static bool go_on(void *user, const graze_hit *hit)
{
    (void)user;
    (void)hit;
    return true;
}

/* The address sanitizer notices when more than the size is read. */
static void options_that_are_too_short_are_not_read(void **state)
{
    (void)state;
    graze_mesh *cube = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &cube), GRAZE_STATUS_OK);
    graze_placed_mesh placed = {cube, NULL, graze_pose_identity()};
    graze_self_subject subject = {cube, NULL, true};
    size_t *size = malloc(sizeof *size);
    assert_non_null(size);
    *size = sizeof *size;
    void *options = size;
    bool found;
    graze_pair_counts counts;
    assert_int_equal(graze_pair_any(NULL, &placed, &placed, options, &found, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_count(NULL, &placed, &placed, options, &counts), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_gather(NULL, &placed, &placed, options, NULL, 0, &counts), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_visit(NULL, &placed, &placed, options, go_on, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_self_count(NULL, &subject, options, &counts), GRAZE_STATUS_BAD_ARGUMENT);
    free(size);
    graze_mesh_destroy(cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_of_a_cube_costs_little),
        cmocka_unit_test(options_that_are_too_short_are_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
