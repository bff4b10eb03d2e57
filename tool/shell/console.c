/* SPDX-License-Identifier: MIT */
/* Messages, colours and the end of a run; see console.h. */
#define _POSIX_C_SOURCE 200809L

#include "shell/console.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static bool wants_color(FILE *stream)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    if ((no_color != NULL && no_color[0] != '\0') || term == NULL || strcmp(term, "dumb") == 0)
        return false;
    return isatty(fileno(stream)) == 1;
}

tool_console console_open(void)
{
    return (tool_console){.color_out = wants_color(stdout), .color_err = wants_color(stderr)};
}

static const char *sequence_of(tool_tone tone)
{
    switch (tone)
    {
    case TONE_BOLD:
        return "\033[1m";
    case TONE_DIM:
        return "\033[2m";
    case TONE_GOOD:
        return "\033[1;32m";
    case TONE_BAD:
        return "\033[1;31m";
    case TONE_PLAIN:
        break;
    }
    return "\033[0m";
}

const char *console_tone(const tool_console *console, tool_tone tone)
{
    return console->color_out ? sequence_of(tone) : "";
}

size_t console_width(void)
{
    const size_t usual = 80;
    const char *columns = getenv("COLUMNS");
    if (isatty(fileno(stdout)) != 1)
        return 0;
    long asked = columns != NULL ? strtol(columns, NULL, 10) : 0;
    if (asked > 0)
        return (size_t)asked;
    struct winsize size = {0};
    return ioctl(fileno(stdout), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

/* File names and contents may hold control characters, which a terminal must not execute. */
static void say(const tool_console *console, tool_tone tone, const char *format, va_list arguments)
{
    char text[4096];
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length < 0)
        return;
    for (char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = '?';
    fflush(stdout);
    if (console->color_err)
        fprintf(stderr, "%sgraze:%s %s\n", sequence_of(tone), sequence_of(TONE_PLAIN), text);
    else
        fprintf(stderr, "graze: %s\n", text);
}

exit_code report_error(const tool_console *console, exit_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(console, TONE_BAD, format, arguments);
    va_end(arguments);
    return code;
}

void print_note(const tool_console *console, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(console, TONE_BOLD, format, arguments);
    va_end(arguments);
}

exit_code exit_code_of(graze_status status)
{
    switch (status)
    {
    case GRAZE_STATUS_OK:
        return EXIT_NOTHING_FOUND;
    case GRAZE_STATUS_CANCELLED:
    case GRAZE_STATUS_UNFINISHED:
        return EXIT_INCOMPLETE;
    case GRAZE_STATUS_OUT_OF_MEMORY:
    case GRAZE_STATUS_BAD_ARGUMENT:
    case GRAZE_STATUS_ENVIRONMENT:
    case GRAZE_STATUS_INTERNAL:
    case GRAZE_STATUS_COUNT:
        return EXIT_INTERNAL;
    default:
        return EXIT_INPUT;
    }
}

bool console_is_broken(void)
{
    return ferror(stdout) != 0;
}

static bool reader_has_left(void)
{
    struct pollfd descriptor = {.fd = fileno(stdout), .events = POLLOUT};
    return poll(&descriptor, 1, 0) == 1 && (descriptor.revents & (POLLERR | POLLHUP)) != 0;
}

exit_code console_close(const tool_console *console, exit_code code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    int reason = errno;
    if (reason == EPIPE || reader_has_left())
        return EXIT_INCOMPLETE;
    return report_error(console, EXIT_INTERNAL, "standard output cannot be written%s%s; the result is incomplete",
                        reason != 0 ? ": " : "", reason != 0 ? strerror(reason) : "");
}

uint64_t clock_now(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}
