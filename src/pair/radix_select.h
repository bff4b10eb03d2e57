/* SPDX-License-Identifier: MIT */
/*
 * Which of many numbers stands at a rank, without sorting them: digit by digit, from the top, those that agree so far
 * are counted by their next digit. Eight passes at most, whatever the numbers are.
 */
#ifndef GRZ_PAIR_RADIX_SELECT_H
#define GRZ_PAIR_RADIX_SELECT_H

#include <stddef.h>
#include <stdint.h>

/* The number that `rank` of `count` different numbers are below; rank < count. number(from, i) is one of them. */
uint64_t grz_radix_select(uint64_t (*number)(const void *from, size_t index), const void *from, size_t count,
                          size_t rank);

#endif
