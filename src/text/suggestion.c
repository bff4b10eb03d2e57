/* SPDX-License-Identifier: MIT */
/* Edit distance with insertions, deletions, replacements and transpositions (Damerau 1964); see suggestion.h. */
#include "text/suggestion.h"

#include <stdio.h>
#include <string.h>

enum
{
    NAME_LIMIT = 48
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t edit_distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t rows[3][NAME_LIMIT + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_size; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_size; i++)
    {
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++)
        {
            size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = smaller(replaced, 1 + smaller(last[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[b_size];
}

void grz_suggestion_offer(grz_suggestion *search, const char *name)
{
    size_t wanted_size = strlen(search->wanted), size = strlen(name);
    if (wanted_size == 0 || wanted_size > NAME_LIMIT || size > NAME_LIMIT)
        return;
    size_t distance = edit_distance(search->wanted, wanted_size, name, size);
    if (wanted_size >= 3 && strncmp(name, search->wanted, wanted_size) == 0)
        distance = 1; /* an abbreviation */
    if (search->name == NULL || distance < search->distance)
    {
        search->name = name;
        search->distance = distance;
    }
}

const char *grz_suggestion_name(const grz_suggestion *search)
{
    if (search->name == NULL)
        return NULL;
    size_t tolerated = strlen(search->wanted) > 4 ? 2 : 1;
    return search->distance <= tolerated ? search->name : NULL;
}

grz_name_hint grz_suggest_name(const grz_name_table *table, const char *name)
{
    grz_name_hint hint = {""};
    grz_suggestion best = {.wanted = name};
    for (size_t i = 0; i < table->count && i < 10000; i++)
        grz_suggestion_offer(&best, table->names[i]);
    const char *nearest = grz_suggestion_name(&best);
    if (nearest != NULL && strcmp(nearest, name) != 0)
        snprintf(hint.text, sizeof hint.text, "; did you mean '%s'?", nearest);
    return hint;
}
