/* SPDX-License-Identifier: MIT */
/* Wildcard matching of part names; see pattern.h. Backtracking to the last star suffices, since whatever an earlier one
 * could match, the last can match as well; so the time is at most the product of the two lengths. */
#include "text/pattern.h"

#include <stddef.h>

#include "text/utf8.h"

const char *grz_pattern_fault(const char *pattern)
{
    if (pattern[0] == '\0')
        return "a pattern must not be empty";
    for (; *pattern != '\0'; pattern++)
        if (*pattern == '\\' && *++pattern == '\0')
            return "a pattern must not end with a single \\";
    return NULL;
}

/* Names may hold any bytes; a byte that is no UTF-8 counts as a character. */
static size_t character_size(const char *at)
{
    size_t length = grz_utf8_length((const unsigned char *)at);
    return length == 0 ? 1 : length;
}

bool grz_pattern_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *retry = NULL;
    while (*name != '\0')
    {
        if (*pattern == '*')
        {
            star = ++pattern;
            retry = name;
            continue;
        }
        const char *literal = pattern + (*pattern == '\\' && pattern[1] != '\0');
        if (*pattern == '?')
        {
            pattern++;
            name += character_size(name);
        }
        else if (*literal == *name)
        {
            pattern = literal + 1;
            name++;
        }
        else if (star != NULL)
        {
            pattern = star;
            retry += character_size(retry);
            name = retry;
        }
        else
            return false;
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool grz_pattern_is_exact(const char *pattern)
{
    for (; *pattern != '\0'; pattern++)
    {
        if (*pattern == '*' || *pattern == '?')
            return false;
        if (*pattern == '\\' && pattern[1] != '\0')
            pattern++;
    }
    return true;
}

void grz_pattern_to_name(char *pattern)
{
    char *out = pattern;
    for (; *pattern != '\0'; pattern++)
    {
        if (*pattern == '\\' && pattern[1] != '\0')
            pattern++;
        *out++ = *pattern;
    }
    *out = '\0';
}
