/* SPDX-License-Identifier: MIT */
/* "did you mean": the closest existing name to one that does not exist, by edit distance. */
#ifndef TOOL_SHELL_SUGGESTION_H
#define TOOL_SHELL_SUGGESTION_H

#include <stddef.h>

/* Keeps the closest of the names offered to it. Initialise with {.wanted = ...}. */
typedef struct suggestion
{
    const char *wanted;
    const char *name;
    size_t distance;
} suggestion;

void suggestion_offer(suggestion *search, const char *name);

/* The closest name if it is close enough to be meant, else NULL. */
const char *suggestion_name(const suggestion *search);

#endif
