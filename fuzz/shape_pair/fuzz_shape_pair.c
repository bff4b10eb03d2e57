/* SPDX-License-Identifier: MIT */
/*
 * Pairs of shapes of any kinds, all kinds of queries, against rationals and a slow twin. Each input asks whether they
 * collide, and then for one more query; rays and shape casts together.
 */
#include "shape_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const checks[])(fuzz_bytes *, shape_case *) = {check_tolerances, check_distances, check_depths,
                                                                 check_rays,       check_triangles, check_contacts,
                                                                 check_limits,     check_frames};
    static shape_case c;
    fuzz_bytes bytes = bytes_of(data, size);
    unsigned question = take_below(&bytes, 8);
    if (shape_case_make(&bytes, &c))
    {
        check_collision(&bytes, &c);
        checks[question](&bytes, &c);
        if (checks[question] == check_rays)
            check_casts(&bytes, &c);
    }
    shape_case_release(&c);
    return 0;
}
