/* SPDX-License-Identifier: MIT */
/* What every command says and how it ends: exit codes, sentences on stderr, colours, and the last word on stdout.
 * stdout carries exactly one document; whatever else there is to say goes to stderr through here. */
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
    EXIT_INPUT = 3,      /* a file that cannot be read or written, or is invalid */
    EXIT_INCOMPLETE = 4, /* only a part of the answer is known */
    EXIT_INTERNAL = 5    /* a bug, no memory, no place to write to */
} exit_code;

typedef struct tool_console
{
    bool color_out, color_err;
} tool_console;

/* Colours where a person looks at a terminal, unless NO_COLOR is set or the terminal is dumb. */
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

/* How many characters a line of the terminal that stdout is has, or 0 when it is none. COLUMNS has the last word. */
size_t console_width(void);

/* One sentence on stderr, headed by the tool's name. Control characters in it are made harmless. Returns `code`. */
exit_code report_error(const tool_console *console, exit_code code, const char *format, ...) TOOL_PRINTF(3, 4);

/* The same for what is no failure. */
void print_note(const tool_console *console, const char *format, ...) TOOL_PRINTF(2, 3);

/* The exit code that stands for a failed call. */
exit_code exit_code_of(graze_status status);

/* Whether stdout takes no more; a long run may then stop. */
bool console_is_broken(void);

/* Flushes stdout. A reader that left early is no error worth a word, but then the document is incomplete. */
exit_code console_close(const tool_console *console, exit_code code);

/* Nanoseconds on a clock that only goes forward. */
uint64_t clock_now(void);

#endif
