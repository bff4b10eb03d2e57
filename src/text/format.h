/* SPDX-License-Identifier: MIT */
/* Texts in memory: copies, formatted texts, and counts for people. */
#ifndef GRZ_TEXT_FORMAT_H
#define GRZ_TEXT_FORMAT_H

#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

/* A copy, or a formatted text; to be released. NULL when out of memory. */
char *grz_copy_text(const graze_context *context, const char *text);
char *grz_format_text(const graze_context *context, const char *format, ...) GRZ_PRINTF(2, 3);

/* A text returned by value, so that several fit into one call of printf. */
typedef struct grz_short_text
{
    char text[48];
} grz_short_text;

/* 1234567 -> "1,234,567" */
grz_short_text grz_grouped(uint64_t count);

/* "1 pair", "2,500 pairs" */
grz_short_text grz_counted(uint64_t count, const char *noun);

#endif
