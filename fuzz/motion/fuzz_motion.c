/* SPDX-License-Identifier: MIT */
/*
 * First impacts: of features and triangles against Sturm chains in integers, of small meshes against all pairs of their
 * triangles, of them and of shapes against static queries at many times.
 */
#include "motion_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const checks[])(fuzz_bytes *, motion_case *) = {check_impact, check_impact, check_visit,
                                                                  check_track,  check_margin, check_proof};
    static motion_case c;
    fuzz_bytes bytes = bytes_of(data, size);
    unsigned question = take_below(&bytes, 11);
    finding_start();
    if (question < 2)
        check_features(&bytes);
    else if (question < 3)
        check_triangles(&bytes);
    else if (question > 8)
        check_shapes(&bytes);
    else
    {
        motion_case_make(&bytes, &c);
        checks[question - 3](&bytes, &c);
        motion_case_release(&c);
    }
    return 0;
}
