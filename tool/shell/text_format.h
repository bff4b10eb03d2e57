/* SPDX-License-Identifier: MIT */
/* Numbers and text for people: thousands apart, times in fitting units, paragraphs wrapped to a width. */
#ifndef TOOL_SHELL_TEXT_FORMAT_H
#define TOOL_SHELL_TEXT_FORMAT_H

#include <stdint.h>
#include <stdio.h>

/* A text returned by value, so that several can stand in one call of printf. */
typedef struct short_text
{
    char text[48];
} short_text;

/* 1234567 -> "1,234,567" */
short_text grouped(uint64_t count);

/* "1 pair", "2,500 pairs" */
short_text counted(uint64_t count, const char *noun);

/* Nanoseconds -> "850 ns", "12.3 us", "4.56 ms", "1.23 s" */
short_text human_time(double nanoseconds);

/* For tables: 10 significant digits, without "-0". */
short_text human_real(double number);

/* "(x, y, z)" in as few digits as read back to the same doubles. */
void print_point(FILE *out, const double point[3]);

/* A name out of a file, with control characters made harmless. */
void print_name(FILE *out, const char *name);

/* Prints paragraphs (separated by blank lines) indented and wrapped. The first line begins where the cursor stands, at
 * column `start`. A line that begins with a blank is printed as it is. */
void print_wrapped(FILE *out, const char *text, int start, int indent, int width);

#endif
