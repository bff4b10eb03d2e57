/* SPDX-License-Identifier: MIT */
/* The hint after a name that does not exist: which one was meant, if any comes near. */
#ifndef TOOL_SHELL_SUGGESTION_H
#define TOOL_SHELL_SUGGESTION_H

#include <stddef.h>

/* Keeps the best of the names offered to it. Start with {.wanted = ...}. */
typedef struct suggestion
{
    const char *wanted;
    const char *name;
    size_t distance;
} suggestion;

void suggestion_offer(suggestion *search, const char *name);

/* The best name if it is near enough to be meant, else NULL. */
const char *suggestion_name(const suggestion *search);

#endif
