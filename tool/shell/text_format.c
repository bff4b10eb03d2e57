/* SPDX-License-Identifier: MIT */
/* Numbers and text for terminals; see text_format.h. */
#include "shell/text_format.h"
#include "text/number.h"

#include <string.h>

#include "text/json_writer.h"

grz_short_text human_time(double nanoseconds)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;
    while (unit < 3 && nanoseconds >= 999.5)
    {
        nanoseconds /= 1000.0;
        unit++;
    }
    int decimals = unit == 0 || nanoseconds >= 99.95 ? 0 : nanoseconds >= 9.995 ? 1 : 2;
    grz_short_text result;
    snprintf(result.text, sizeof result.text, "%.*f %s", decimals, nanoseconds, units[unit]);
    return result;
}

grz_short_text human_real(double number)
{
    grz_short_text result;
    snprintf(result.text, sizeof result.text, "%.10g", number == 0.0 ? 0.0 : number);
    return result;
}

void print_point(FILE *out, const double point[3])
{
    char x[32], y[32], z[32];
    grz_real_print(point[0], x);
    grz_real_print(point[1], y);
    grz_real_print(point[2], z);
    fprintf(out, "(%s, %s, %s)", x, y, z);
}

void print_name(FILE *out, const char *name)
{
    for (; *name != '\0'; name++)
        putc((unsigned char)*name < 0x20 || *name == 0x7f ? '?' : *name, out);
}

/* Prints one line of the text; the cursor ends at the start of a new line. */
static void wrap_line(FILE *out, const char *line, size_t size, int start, int indent, int width)
{
    int column = start;
    const char *at = line, *end = line + size;
    while (at < end)
    {
        const char *space = memchr(at, ' ', (size_t)(end - at));
        size_t word = (size_t)((space != NULL ? space : end) - at);
        if (column > indent && column + 1 + (int)word > width)
        {
            putc('\n', out);
            column = 0;
        }
        if (column < indent)
            column += fprintf(out, "%*s", indent - column, "");
        else if (column > indent)
            column += fprintf(out, " ");
        fwrite(at, 1, word, out);
        column += (int)word;
        at += word + 1;
    }
    putc('\n', out);
}

void print_wrapped(FILE *out, const char *text, int start, int indent, int width)
{
    while (*text != '\0')
    {
        size_t size = strcspn(text, "\n");
        if (size > 0 && *text == ' ')
            fprintf(out, "%*s%.*s\n", indent, "", (int)size, text);
        else
            wrap_line(out, text, size, start, indent, width);
        start = 0;
        text += size;
        if (*text == '\n')
            text++;
    }
}
