/* SPDX-License-Identifier: MIT */
/* Parsing numbers on command lines; see parse_numbers.h. The tool never leaves the "C" locale, whose strtod rounds
 * correctly. */
#include "shell/parse_numbers.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n\v\f";

/* Characters of an invalid entry that are quoted. */
enum
{
    QUOTE_SIZE = 40
};

static bool refuse(char fault[FAULT_SIZE], size_t entry, const char *at, const char *reason)
{
    size_t size = strcspn(at, " \t\r\n\v\f,");
    bool is_long = size > QUOTE_SIZE;
    snprintf(fault, FAULT_SIZE, "entry %zu, '%.*s%s', %s", entry, is_long ? QUOTE_SIZE : (int)size, at,
             is_long ? "..." : "", reason);
    return false;
}

bool parse_numbers(const char *text, double *numbers, size_t capacity, size_t *out_count, char fault[FAULT_SIZE])
{
    size_t count = 0;
    bool after_comma = false;
    const char *at = text + strspn(text, blanks);
    while (*at != '\0' || after_comma)
    {
        if (*at == ',' || *at == '\0')
        {
            snprintf(fault, FAULT_SIZE, "entry %zu is missing next to a comma", count + 1);
            return false;
        }
        char *end = NULL;
        double number = strtod(at, &end);
        if (end == at || strcspn(end, " \t\r\n\v\f,") != 0)
            return refuse(fault, count + 1, at, "is not a number");
        if (!isfinite(number))
            return refuse(fault, count + 1, at, "is not finite");
        if (count < capacity)
            numbers[count] = number;
        count++;
        at = end + strspn(end, blanks);
        after_comma = *at == ',';
        if (after_comma)
            at += 1 + strspn(at + 1, blanks);
    }
    *out_count = count;
    return true;
}

bool parse_pose(const char *text, graze_pose *out_pose, char fault[FAULT_SIZE])
{
    double numbers[16];
    size_t count = 0;
    if (!parse_numbers(text, numbers, 16, &count, fault))
        return false;
    if (count != 12 && count != 16)
    {
        snprintf(fault, FAULT_SIZE, "a pose is 12 numbers (three rows of a 3x4 matrix), but there %s %zu",
                 count == 1 ? "is" : "are", count);
        return false;
    }
    graze_error error;
    if (graze_pose_from_matrix(numbers, count == 12 ? 3 : 4, &error, out_pose) == GRAZE_STATUS_OK)
        return true;
    snprintf(fault, FAULT_SIZE, "the last row of a 4x4 matrix must be 0 0 0 1");
    return false;
}

bool parse_count(const char *text, uint64_t *out_count)
{
    if (text[0] == '\0')
        return false;
    char *end = NULL;
    errno = 0;
    if (text[strspn(text, "0123456789")] == '\0')
    {
        unsigned long long count = strtoull(text, &end, 10);
        if (errno != 0 || count > UINT64_MAX)
            return false;
        *out_count = count;
        return true;
    }
    const double exact_limit = 9007199254740992.0; /* 2^53 */
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !(number >= 0.0 && number <= exact_limit) || number != floor(number))
        return false;
    *out_count = (uint64_t)number;
    return true;
}
