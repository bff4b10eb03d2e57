/* SPDX-License-Identifier: MIT */
/* Wildcard patterns of part names: * matches any number of characters, also /, ? matches one, and \ quotes the next
 * character. A pattern must match the whole name and is case-sensitive. */
#ifndef GRZ_TEXT_PATTERN_H
#define GRZ_TEXT_PATTERN_H

#include <stdbool.h>

/* The error in a pattern, or NULL. */
const char *grz_pattern_fault(const char *pattern);

bool grz_pattern_matches(const char *pattern, const char *name);

/* Whether it has neither * nor ?, so that it matches one name at most. */
bool grz_pattern_is_exact(const char *pattern);

/* Converts an exact pattern in place to the name that it matches. */
void grz_pattern_to_name(char *pattern);

#endif
