/* SPDX-License-Identifier: MIT */
/*
 * Two unit cubes with a gap of one ulp less than 0.1 were free of clash with a clearance of 0.1. The measured distance
 * lay just beyond the limit of the search, so that graze_pair_distance had found nothing; its lower bound, below the
 * limit, was not used.
 */
#include <math.h>
#include <stdio.h>

#include "support/tool_process.h"
#include "support/unit.h"

static const char *const scene =
    "{\"graze\": \"scene\", \"version\": 1, \"meshes\": {\"cube\": {\"file\": \"cube.obj\"}}, "
    "\"objects\": [{\"name\": \"a\", \"mesh\": \"cube\", \"pose\": {\"position\": [-1, 0, 0]}}, "
    "{\"name\": \"b\", \"mesh\": \"cube\", \"pose\": {\"position\": [%.17g, 0, 0]}}]}";

static int code_of_gap(double gap)
{
    char text[512];
    snprintf(text, sizeof text, scene, gap);
    write_text("scene.json", text);
    tool_result result = RUN("clash", "scene.json", "--clearance", "0.1", "--quiet");
    int code = result.code;
    tool_release(&result);
    return code;
}

static void a_gap_below_the_clearance_is_too_close(void **state)
{
    (void)state;
    /* The first ends at 0, so that the gap is the x of the second, exactly. */
    write_text("cube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                           "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    double gap = 0.1;
    assert_int_equal(code_of_gap(gap), 0);
    for (int i = 0; i < 40; i++)
    {
        gap = nextafter(gap, 0);
        assert_int_equal(code_of_gap(gap), 1);
        if (i == 20)
            gap -= 1e-14;
    }
    assert_int_equal(code_of_gap(nextafter(0.1, 1)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_gap_below_the_clearance_is_too_close)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
