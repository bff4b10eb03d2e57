/* SPDX-License-Identifier: MIT */
/*
 * The k-th smallest of many numbers, without sorting: from the most significant digit on, the numbers that agree with
 * the digits found so far are counted by their next digit. Always eight passes.
 */
#ifndef GRZ_PAIR_RADIX_SELECT_H
#define GRZ_PAIR_RADIX_SELECT_H

#include <stddef.h>
#include <stdint.h>

/* The number that exactly `rank` of `count` distinct numbers are below; rank < count. number(from, i) is the i-th. */
uint64_t grz_radix_select(uint64_t (*number)(const void *from, size_t index), const void *from, size_t count,
                          size_t rank);

#endif
