/* SPDX-License-Identifier: MIT */
/*
 * Pairs of small meshes, all kinds of queries, against the rational oracle. Each input asks for all hits, and then for
 * one more query: so an input stays fast, and the fuzzer is free to combine.
 */
#include "pair_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static pair_case c;
    fuzz_bytes bytes = bytes_of(data, size);
    unsigned question = take_below(&bytes, 16);
    case_make(&bytes, &c);
    check_gather(&c);
    switch (question)
    {
    case 0:
    case 1:
        check_swapped(&c);
        break;
    case 2:
        check_shapes_of_query(&bytes, &c);
        break;
    case 3:
        check_search(&bytes, &c);
        break;
    case 4:
    case 5:
        check_sequence(&bytes, &c);
        break;
    case 6:
        check_intersections(&c);
        break;
    case 7:
        check_region(&c);
        break;
    case 8:
        check_self(&bytes, &c);
        break;
    case 9:
        check_distance(&bytes, &c);
        break;
    case 10:
        check_tolerance(&bytes, &c);
        break;
    case 11:
        check_points(&bytes, &c);
        break;
    default:
        check_bodies(&bytes, &c);
        break;
    }
    case_release(&c);
    return 0;
}
