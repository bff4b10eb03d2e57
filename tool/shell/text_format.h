/* SPDX-License-Identifier: MIT */
/* Numbers and text for terminals: digit grouping, times with units, paragraphs wrapped to a width. */
#ifndef TOOL_SHELL_TEXT_FORMAT_H
#define TOOL_SHELL_TEXT_FORMAT_H

#include <stdint.h>
#include <stdio.h>

#include "text/format.h"

/* Nanoseconds -> "850 ns", "12.3 us", "4.56 ms", "1.23 s" */
grz_short_text human_time(double nanoseconds);

/* For tables: 10 significant digits, without "-0". */
grz_short_text human_real(double number);

/* "(x, y, z)" with as few digits as read back exactly. */
void print_point(FILE *out, const double point[3]);

/* A name from a file, with control characters replaced. */
void print_name(FILE *out, const char *name);

/* Prints paragraphs (separated by blank lines) indented and wrapped. The first line begins at the cursor, at column
 * `start`. Lines that begin with a blank are printed unchanged. */
void print_wrapped(FILE *out, const char *text, int start, int indent, int width);

#endif
