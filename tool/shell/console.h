/* SPDX-License-Identifier: MIT */
/* Exit codes, messages on stderr, colours, and flushing stdout at the end. stdout carries exactly one document;
 * everything else goes to stderr through these functions. */
#ifndef TOOL_SHELL_CONSOLE_H
#define TOOL_SHELL_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "graze/status.h"

#if defined(__GNUC__)
#define TOOL_PRINTF(format_at, arguments_at) __attribute__((format(printf, format_at, arguments_at)))
#else
#define TOOL_PRINTF(format_at, arguments_at)
#endif

typedef enum exit_code
{
    EXIT_NOTHING_FOUND = 0,
    EXIT_FOUND = 1,
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,      /* a file cannot be read or written, or is invalid */
    EXIT_INCOMPLETE = 4, /* the answer is known only in part */
    EXIT_INTERNAL = 5    /* a bug, out of memory, or output cannot be written */
} exit_code;

typedef struct tool_console
{
    bool color_out, color_err;
} tool_console;

/* Colours are used on each stream that is a terminal, unless NO_COLOR is set or the terminal is dumb. */
tool_console console_open(void);

typedef enum tool_tone
{
    TONE_PLAIN,
    TONE_BOLD,
    TONE_DIM,
    TONE_GOOD,
    TONE_BAD
} tool_tone;

/* The escape sequence that switches stdout to a tone, or "" without colours. */
const char *console_tone(const tool_console *console, tool_tone tone);

/* Columns of the terminal on stdout, or 0 when stdout is no terminal. The variable COLUMNS takes precedence. */
size_t console_width(void);

/* Prints one line on stderr, prefixed with the tool's name. Control characters are replaced. Returns `code`. */
exit_code report_error(const tool_console *console, exit_code code, const char *format, ...) TOOL_PRINTF(3, 4);

/* The same for messages that are no errors. */
void print_note(const tool_console *console, const char *format, ...) TOOL_PRINTF(2, 3);

/* Maps the status of a failed library call to an exit code. */
exit_code exit_code_of(graze_status status);

/* Whether writing to stdout has failed; long runs then stop. */
bool console_is_broken(void);

/* Flushes stdout. A closed pipe prints no error, but the document is then incomplete, and the exit code says so. */
exit_code console_close(const tool_console *console, exit_code code);

/* Monotonic clock, in nanoseconds. */
uint64_t clock_now(void);

#endif
