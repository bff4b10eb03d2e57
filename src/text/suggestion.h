/* SPDX-License-Identifier: MIT */
/* "did you mean": the closest existing name to one that does not exist, by edit distance. */
#ifndef GRZ_TEXT_SUGGESTION_H
#define GRZ_TEXT_SUGGESTION_H

#include <stddef.h>

#include "text/name_table.h"

/* Keeps the closest of the names offered to it. Initialise with {.wanted = ...}. */
typedef struct grz_suggestion
{
    const char *wanted;
    const char *name;
    size_t distance;
} grz_suggestion;

void grz_suggestion_offer(grz_suggestion *search, const char *name);

/* The closest name if it is close enough to be meant, else NULL. */
const char *grz_suggestion_name(const grz_suggestion *search);

/* "; did you mean 'x'?", or empty when no name is close. */
typedef struct grz_name_hint
{
    char text[96];
} grz_name_hint;
grz_name_hint grz_suggest_name(const grz_name_table *table, const char *name);

#endif
