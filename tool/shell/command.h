/* SPDX-License-Identifier: MIT */
/* A command as a table: arguments, options, description and examples. The parser (command.c), --help (help.c) and the
 * manual page (manual.c) read this one table, so that they agree. */
#ifndef TOOL_SHELL_COMMAND_H
#define TOOL_SHELL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "shell/console.h"

typedef struct tool_option
{
    const char *name;  /* without the dashes */
    const char *value; /* name of its value in help texts, NULL for a flag */
    const char *help;
    const char *optional; /* the value may be omitted: then the option holds its own name. The next word is its value if
                             it has this ending and is no file that can be read as input (is_output in command.c) */
    char letter;          /* short form, or 0 */
    bool repeats;         /* may be given several times, and all count: see request_next */
} tool_option;

typedef struct tool_argument
{
    const char *name;
    const char *help;
} tool_argument;

typedef struct tool_example
{
    const char *command;
    const char *help;
} tool_example;

enum
{
    OPTION_LIMIT = 48,
    REPEAT_LIMIT = 256, /* of options that repeat, all together */
    ANY_NUMBER = 1 << 30
};

struct tool_command;

/* One of several values of an option. */
typedef struct tool_repeat
{
    size_t option; /* index in the command's table */
    const char *value;
} tool_repeat;

/* A parsed command line. */
typedef struct tool_request
{
    const tool_console *console;
    const struct tool_command *command;
    const char *values[OPTION_LIMIT];  /* by index in the command's table; NULL: not given; a flag holds its own name */
    tool_repeat repeats[REPEAT_LIMIT]; /* values of options that repeat, in the order of the command line */
    size_t repeat_count;
    char **arguments;
    size_t argument_count;
    bool help;
    bool version;
} tool_request;

/* Receives one term with its explanation; help and manual print them differently. */
typedef void (*entry_function)(void *user, const char *term, const char *text);

typedef struct tool_command
{
    const char *name;
    const char *synopsis;
    const char *summary;     /* a phrase */
    const char *description; /* paragraphs, a blank line between them */
    const tool_argument *arguments;
    size_t argument_count;
    size_t least_arguments, most_arguments;
    const tool_option *options;
    size_t option_count;
    const tool_example *examples;
    size_t example_count;
    exit_code (*run)(const tool_request *request);
    const char *more_title; /* a further section of terms and texts, or NULL */
    void (*more)(entry_function entry, void *user);
} tool_command;

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Options that every command has. */
extern const tool_option common_options[];
extern const size_t common_option_count;

/* All commands, in the order of the manual. */
const tool_command *const *all_commands(size_t *out_count);

/* Finds a command by name. When there is none, prints an error with a suggestion and returns NULL. */
const tool_command *find_command(const tool_console *console, const char *name);

/* Parses the words after the command's name. Arguments and options may come in any order; "--" ends the options.
 * Reorders `words`, which must outlive the request; --no-color switches off the colours of `console`. Prints an error
 * and returns EXIT_USAGE, or returns 0. */
exit_code parse_request(tool_console *console, const tool_command *command, char **words, size_t word_count,
                        tool_request *out_request);

/* The next value of an option that repeats, from number *at on, which is 0 at first; NULL after the last. */
const char *request_next(const tool_request *request, size_t option, size_t *at);

/* Prints the command's help, or the tool's own when it is NULL, to stdout. */
void print_help(const tool_console *console, const tool_command *command);

/* Prints only the command's additional section. */
void print_more(const tool_console *console, const tool_command *command);

/* Prints the manual page, in troff's man macros, to stdout. */
void print_manual(void);

/* Sections of help and manual that describe the whole tool. */
typedef struct tool_section
{
    const char *title;
    const char *text;
} tool_section;
extern const char tool_summary[];
extern const char tool_description[];
extern const tool_section tool_sections[];
extern const size_t tool_section_count;

#endif
