/* SPDX-License-Identifier: MIT */
/* Output of text; see sink.h. */
#include "text/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

grz_sink grz_sink_buffered(bool (*write)(void *user, const char *bytes, size_t size), void *user,
                           char buffer[GRZ_SINK_BUFFER])
{
    return (grz_sink){.write = write, .user = user, .buffer = buffer, .capacity = GRZ_SINK_BUFFER};
}

static void write_out(grz_sink *sink, const char *bytes, size_t size)
{
    if (!sink->failed && size > 0)
        sink->failed = !sink->write(sink->user, bytes, size);
}

bool grz_sink_flush(grz_sink *sink)
{
    write_out(sink, sink->buffer, sink->used);
    sink->used = 0;
    return !sink->failed;
}

void grz_sink_bytes(grz_sink *sink, const char *bytes, size_t size)
{
    if (size > sink->capacity - sink->used)
        grz_sink_flush(sink);
    if (size > sink->capacity)
        write_out(sink, bytes, size);
    else if (size > 0)
    {
        memcpy(sink->buffer + sink->used, bytes, size);
        sink->used += size;
    }
}

void grz_sink_text(grz_sink *sink, const char *text)
{
    grz_sink_bytes(sink, text, strlen(text));
}

void grz_sink_byte(grz_sink *sink, char byte)
{
    grz_sink_bytes(sink, &byte, 1);
}

void grz_sink_format(grz_sink *sink, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size > 0)
        grz_sink_bytes(sink, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}
