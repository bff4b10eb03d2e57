/* SPDX-License-Identifier: MIT */
/* The hint after a name that does not exist: which one was meant, if any comes near. */
#ifndef TOOL_NEAREST_H
#define TOOL_NEAREST_H

#include <stddef.h>

/* Keeps the best of the names offered to it. Start with {.wanted = ...}. */
typedef struct nearest_search
{
    const char *wanted;
    const char *name;
    size_t distance;
} nearest_search;

void nearest_offer(nearest_search *search, const char *name);

/* The best name if it is near enough to be meant, else NULL. */
const char *nearest_name(const nearest_search *search);

#endif
