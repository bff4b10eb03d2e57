/* SPDX-License-Identifier: MIT */
/* Texts in memory; see format.h. */
#include "text/format.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *grz_copy_text(const graze_context *context, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = grz_allocate(context, size, 1);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

char *grz_format_text(const graze_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = size >= 0 ? grz_allocate(context, (size_t)size + 1, 1) : NULL;
    if (text == NULL)
        return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)size + 1, format, arguments);
    va_end(arguments);
    return text;
}

grz_short_text grz_grouped(uint64_t count)
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, count);
    grz_short_text result;
    char *out = result.text;
    for (int i = 0; i < size; i++)
    {
        if (i > 0 && (size - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return result;
}

grz_short_text grz_counted(uint64_t count, const char *noun)
{
    grz_short_text result, number = grz_grouped(count);
    snprintf(result.text, sizeof result.text, "%.28s %.16s%s", number.text, noun, count == 1 ? "" : "s");
    return result;
}
