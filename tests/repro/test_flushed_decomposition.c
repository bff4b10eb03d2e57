/* SPDX-License-Identifier: MIT */
/*
 * With denormals taken for zero a body of denormal size had no points in any piece, and writing the decomposition
 * followed a null pointer. tests/shape/test_environments.c has convex patches and outer hulls, too.
 */
#include <math.h>

#include "graze/decomposition.h"
#include "graze/generate.h"
#include "support/environment.h"
#include "support/unit.h"

static void bodies_of_denormal_size_are_divided_where_denormals_are_flushed(void **state)
{
    (void)state;
    double scale = 0x1p-1060;
    graze_mesh *torus;
    graze_decomposition_options options = graze_decomposition_options_default();
    options.most_pieces = 2;
    assert_int_equal(graze_mesh_create_torus(NULL, scale, 0.25 * scale, 6, 4, &torus), GRAZE_STATUS_OK);
    for (int number = 0; number < 4; number++)
    {
        graze_decomposition *pieces = NULL;
        saved_environment saved;
        environment_enter(&saved, number);
        graze_status status = graze_decomposition_create(NULL, torus, &options, &pieces);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        assert_int_equal(graze_decomposition_piece_count(pieces), 2);
        graze_decomposition_destroy(pieces);
    }
    graze_mesh_destroy(torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_of_denormal_size_are_divided_where_denormals_are_flushed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
