/* SPDX-License-Identifier: MIT */
/* A command as a table: its arguments, options, words and examples. The parser (command.c), --help (help.c) and the
 * manual page (manual.c) all work from this one description, so that they cannot disagree. */
#ifndef TOOL_SHELL_COMMAND_H
#define TOOL_SHELL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "shell/console.h"

typedef struct tool_option
{
    const char *name;  /* without the dashes */
    const char *value; /* what to call its value, NULL for a flag */
    const char *help;
    char letter;          /* short form, or 0 */
    const char *optional; /* the value may be left out: then the option holds its name. The next word is taken for it
                             when it ends like this and is no file that can be read as input (option_is_output) */
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
    ANY_NUMBER = 1 << 30
};

struct tool_command;

/* A command line, taken apart. */
typedef struct tool_request
{
    const tool_console *console;
    const struct tool_command *command;
    const char *values[OPTION_LIMIT]; /* by place in the command's table; NULL: not given; a flag holds its name */
    char **arguments;
    size_t argument_count;
    bool help;
    bool version;
} tool_request;

/* Takes one term with its explanation, to print it one way or the other. */
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

/* Every command, in the order of the manual. */
const tool_command *const *all_commands(size_t *out_count);

/* By name. Says so, with a hint, when there is none, and returns NULL. */
const tool_command *find_command(const tool_console *console, const char *name);

/* Takes the words after the command's name apart; arguments and options may come in any order, "--" ends the options.
 * Reorders `words`, which must outlive the request; --no-color takes the colours from `console`.
 * Says what is wrong and returns EXIT_USAGE, or 0. */
exit_code parse_request(tool_console *console, const tool_command *command, char **words, size_t word_count,
                        tool_request *out_request);

/* Prints the command's help, or the tool's own when it is NULL, to stdout. */
void print_help(const tool_console *console, const tool_command *command);

/* Prints the command's further section alone. */
void print_more(const tool_console *console, const tool_command *command);

/* Prints the manual page, in troff's man macros, to stdout. */
void print_manual(void);

/* What help and manual say about the tool as a whole. */
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
