/* SPDX-License-Identifier: MIT */
/* Text files line by line; see line_reader.h. */
#include "shell/line_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

const char *display_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool lines_open(line_reader *reader, const char *path)
{
    reader->path = path;
    reader->number = 0;
    reader->file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (reader->file == NULL)
        snprintf(reader->fault, sizeof reader->fault, "%.200s: cannot be opened: %s", path, strerror(errno));
    return reader->file != NULL;
}

void lines_close(line_reader *reader)
{
    if (reader->file != stdin)
        fclose(reader->file);
}

static line_state refuse(line_reader *reader, const char *fault)
{
    snprintf(reader->fault, sizeof reader->fault, "%.200s, line %" PRIu64 ": %s", display_name(reader->path),
             reader->number, fault);
    return LINE_FAULT;
}

static void drop_byte_order_mark(char *text)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        memmove(text, text + 3, strlen(text + 3) + 1);
}

line_state lines_next(line_reader *reader)
{
    size_t size = 0;
    bool in_comment = false;
    errno = 0;
    int byte = getc(reader->file);
    if (byte == EOF && !ferror(reader->file))
        return LINE_END;
    reader->number++;
    for (; byte != EOF && byte != '\n'; byte = getc(reader->file))
    {
        in_comment = in_comment || byte == '#';
        if (byte == '\0')
            return refuse(reader, "there is a zero byte, so this is no text");
        if (!in_comment && size == LINE_SIZE - 1)
            return refuse(reader, "the line is far too long");
        if (!in_comment)
            reader->text[size++] = (char)byte;
    }
    if (ferror(reader->file) && errno == EISDIR) /* fopen opens folders as well */
    {
        snprintf(reader->fault, sizeof reader->fault, "%.200s: this is a directory, not a file", reader->path);
        return LINE_FAULT;
    }
    if (ferror(reader->file))
        return refuse(reader, strerror(errno));
    reader->text[size] = '\0';
    if (reader->number == 1)
        drop_byte_order_mark(reader->text);
    return LINE_READ;
}
