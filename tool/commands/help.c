/* SPDX-License-Identifier: MIT */
/* graze help and --help: prints the tables of the commands as text. */
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "shell/text_format.h"
#include "text/suggestion.h"

enum
{
    OPTION_MAN,
    WIDTH = 88,
    TERM_COLUMN = 2,
    TEXT_COLUMN = 24
};

const char tool_summary[] = "exact and fast collision detection";

const char tool_description[] =
    "Graze says whether, where and how the triangles of two meshes meet. Every yes or no is exact: the numbers in "
    "files "
    "and poses are taken at face value, nothing is rounded on the way, and touching counts as meeting. It knows a "
    "graze from a miss.";

const tool_section tool_sections[] = {
    {"Exit codes", "0  nothing found, or the job is done\n"
                   "1  found: there is a collision\n"
                   "2  the command line is wrong\n"
                   "3  a file cannot be read or written, or is invalid\n"
                   "4  incomplete: only a part of the answer is known\n"
                   "5  internal: a bug, no memory, or standard output cannot be written"},
    {"Output", "Standard output carries exactly one document; everything else goes to standard error."},
    {"Environment", "NO_COLOR  switches colours off when set to anything"},
};
const size_t tool_section_count = COUNT_OF(tool_sections);

static void print_title(const tool_console *console, const char *title)
{
    printf("\n%s%s%s\n", console_tone(console, TONE_BOLD), title, console_tone(console, TONE_PLAIN));
}

static void print_entry(void *user, const char *term, const char *text)
{
    (void)user;
    int column = printf("%*s%s", TERM_COLUMN, "", term);
    if (column > TEXT_COLUMN - 2)
    {
        putchar('\n');
        column = 0;
    }
    print_wrapped(stdout, text, column, TEXT_COLUMN, WIDTH);
}

static void print_options(const tool_option *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        char term[64];
        char letter[] = {'-', table[i].letter, ',', ' ', '\0'};
        snprintf(term, sizeof term, "%s--%s%s%s", table[i].letter != 0 ? letter : "", table[i].name,
                 table[i].value != NULL ? " " : "", table[i].value != NULL ? table[i].value : "");
        print_entry(NULL, term, table[i].help);
    }
}

static void print_examples(const tool_console *console, const tool_command *command)
{
    print_title(console, "Examples");
    for (size_t i = 0; i < command->example_count; i++)
    {
        printf("  %s\n", command->examples[i].command);
        print_wrapped(stdout, command->examples[i].help, 0, 6, WIDTH);
    }
}

static void print_command_help(const tool_console *console, const tool_command *command)
{
    printf("%sgraze %s%s - %s\n\n", console_tone(console, TONE_BOLD), command->name, console_tone(console, TONE_PLAIN),
           command->summary);
    printf("Usage: graze %s %s\n\n", command->name, command->synopsis);
    print_wrapped(stdout, command->description, 0, 0, WIDTH);
    if (command->argument_count > 0)
        print_title(console, "Arguments");
    for (size_t i = 0; i < command->argument_count; i++)
        print_entry(NULL, command->arguments[i].name, command->arguments[i].help);
    print_title(console, "Options");
    print_options(command->options, command->option_count);
    print_options(common_options, common_option_count);
    if (command->more != NULL)
    {
        print_title(console, command->more_title);
        command->more(print_entry, NULL);
    }
    print_examples(console, command);
}

static void print_tool_help(const tool_console *console)
{
    size_t count;
    const tool_command *const *commands = all_commands(&count);
    printf("%sgraze%s - %s\n\n", console_tone(console, TONE_BOLD), console_tone(console, TONE_PLAIN), tool_summary);
    printf("Usage: graze COMMAND [arguments] [options]\n\n");
    print_wrapped(stdout, tool_description, 0, 0, WIDTH);
    print_title(console, "Commands");
    for (size_t i = 0; i < count; i++)
        print_entry(NULL, commands[i]->name, commands[i]->summary);
    print_title(console, "Options");
    print_options(common_options, common_option_count);
    for (size_t i = 0; i < tool_section_count; i++)
    {
        print_title(console, tool_sections[i].title);
        print_wrapped(stdout, tool_sections[i].text, 0, TERM_COLUMN, WIDTH);
    }
    print_title(console, "Examples");
    for (size_t i = 0; i < count; i++)
        if (commands[i]->example_count > 0)
            printf("  %s\n", commands[i]->examples[0].command);
    printf("\ngraze COMMAND --help explains a command.\n");
}

void print_help(const tool_console *console, const tool_command *command)
{
    if (command != NULL)
        print_command_help(console, command);
    else
        print_tool_help(console);
}

void print_more(const tool_console *console, const tool_command *command)
{
    (void)console;
    command->more(print_entry, NULL);
}

static exit_code run_help(const tool_request *request)
{
    if (request->values[OPTION_MAN] != NULL)
    {
        print_manual();
        return 0;
    }
    if (request->argument_count == 0)
    {
        print_help(request->console, NULL);
        return 0;
    }
    const tool_command *command = find_command(request->console, request->arguments[0]);
    if (command == NULL)
        return EXIT_USAGE;
    print_help(request->console, command);
    return 0;
}

static const tool_argument arguments[] = {
    {"COMMAND", "The command to explain; without it, the whole."},
};

static const tool_option options[] = {
    [OPTION_MAN] = {.name = "man", .help = "Write the manual page, graze(1), as troff."},
};

static const tool_example examples[] = {
    {"graze help check", "Explain graze check."},
    {"graze help --man | man -l -", "Read the manual."},
};

const tool_command help_command = {
    .name = "help",
    .synopsis = "[COMMAND] [--man]",
    .summary = "explain the commands",
    .description = "Explains a command, or all of them. The manual page comes from the same text.",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 0,
    .most_arguments = 1,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_help,
};
