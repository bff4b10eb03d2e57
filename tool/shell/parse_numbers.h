/* SPDX-License-Identifier: MIT */
/* Parsing numbers on command lines: reals to the nearest double (also 0x1.8p3), separated by blanks or single
 * commas. */
#ifndef TOOL_SHELL_PARSE_NUMBERS_H
#define TOOL_SHELL_PARSE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/pose.h"

enum
{
    FAULT_SIZE = 200
};

/* Parses all numbers of a text. Stores the first `capacity` of them and counts all. False when an entry is missing, no
 * number or not finite; `fault` then names it, counting from 1. */
bool parse_numbers(const char *text, double *numbers, size_t capacity, size_t *out_count, char fault[FAULT_SIZE]);

/* Parses the 12 numbers of a pose, or the 16 of a 4x4 matrix whose last row is 0 0 0 1. */
bool parse_pose(const char *text, graze_pose *out_pose, char fault[FAULT_SIZE]);

/* Parses an integer; "2e6" is accepted. */
bool parse_count(const char *text, uint64_t *out_count);

#endif
