/* SPDX-License-Identifier: MIT */
/* Patterns of part names: * stands for any number of characters, / among them, ? for one, and \ takes the special
 * meaning from what follows. A pattern is held against the whole name, capitals and all. */
#ifndef TOOL_CLASH_PATTERN_H
#define TOOL_CLASH_PATTERN_H

#include <stdbool.h>

/* What is wrong with a pattern, or NULL. */
const char *pattern_fault(const char *pattern);

bool pattern_matches(const char *pattern, const char *name);

/* Whether there is neither * nor ? in it, so that it matches one name at most. */
bool pattern_is_exact(const char *pattern);

/* Makes an exact pattern the name that it matches. */
void pattern_to_name(char *pattern);

#endif
