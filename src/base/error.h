/* SPDX-License-Identifier: MIT */
/* Filling in a graze_error: one call that formats the sentence, sets the numbers and returns the status. */
#ifndef GRZ_BASE_ERROR_H
#define GRZ_BASE_ERROR_H

#include "graze/status.h"

#if defined(__GNUC__)
#define GRZ_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define GRZ_PRINTF(format_index, first_argument)
#endif

/* Sets status and text, clears the numbers. `error` may be NULL. Returns `status`, for `return grz_error(...)`. */
graze_status grz_error(graze_error *error, graze_status status, const char *format, ...) GRZ_PRINTF(3, 4);

/* The same with the number of the element at fault, or a line, or a byte offset. */
graze_status grz_error_index(graze_error *error, graze_status status, uint64_t index, const char *format, ...)
    GRZ_PRINTF(4, 5);
graze_status grz_error_line(graze_error *error, graze_status status, uint64_t line, const char *format, ...)
    GRZ_PRINTF(4, 5);
graze_status grz_error_byte(graze_error *error, graze_status status, uint64_t byte_offset, const char *format, ...)
    GRZ_PRINTF(4, 5);

#endif
