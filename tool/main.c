/* SPDX-License-Identifier: MIT */
/* The command-line tool: finds the command, parses its options, runs it. Uses public headers only. */
#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commands/commands.h"
#include "text/suggestion.h"

static const tool_command *const commands[] = {
    &check_command, &path_command, &sweep_command, &clash_command,     &view_command,   &scene_command, &info_command,
    &tree_command,  &make_command, &hull_command,  &decompose_command, &verify_command, &help_command,
};

const tool_command *const *all_commands(size_t *out_count)
{
    *out_count = COUNT_OF(commands);
    return commands;
}

const tool_command *find_command(const tool_console *console, const char *name)
{
    grz_suggestion best = {.wanted = name};
    for (size_t i = 0; i < COUNT_OF(commands); i++)
    {
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
        grz_suggestion_offer(&best, commands[i]->name);
    }
    const char *hint = grz_suggestion_name(&best);
    if (hint != NULL)
        report_error(console, EXIT_USAGE, "there is no command '%s'; did you mean '%s'?", name, hint);
    else
        report_error(console, EXIT_USAGE, "there is no command '%s'; see graze --help", name);
    return NULL;
}

/* Names all commands, the last after "or". */
static exit_code report_missing_command(const tool_console *console)
{
    char names[256] = "";
    size_t length = 0;
    for (size_t i = 0; i < COUNT_OF(commands) && length < sizeof names - 32; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                   i == 0                        ? ""
                                   : i + 1 == COUNT_OF(commands) ? " or "
                                                                 : ", ",
                                   commands[i]->name);
    return report_error(console, EXIT_USAGE, "say what to do: graze %s; see graze --help", names);
}

/* Handles options before the command: those that every command has. */
static exit_code run_without_command(tool_console *console, char **words, size_t word_count)
{
    static const tool_command itself = {.name = "", .synopsis = "", .most_arguments = ANY_NUMBER};
    tool_request request;
    exit_code code = parse_request(console, &itself, words, word_count, &request);
    if (code != 0)
        return code;
    if (request.version)
        printf("graze %s\n", graze_version_text());
    else if (request.help)
        print_help(console, NULL);
    else
        return report_missing_command(console);
    return 0;
}

static exit_code run(tool_console *console, char **words, size_t word_count)
{
    if (word_count > 0 && strcmp(words[0], "--no-color") == 0)
    {
        *console = (tool_console){0};
        words++;
        word_count--;
    }
    if (word_count == 0 || words[0][0] == '-')
        return run_without_command(console, words, word_count);
    const tool_command *command = find_command(console, words[0]);
    if (command == NULL)
        return EXIT_USAGE;
    tool_request request;
    exit_code code = parse_request(console, command, words + 1, word_count - 1, &request);
    if (code != 0)
        return code;
    if (request.help)
        print_help(console, command);
    else if (request.version)
        printf("graze %s\n", graze_version_text());
    else
        return command->run(&request);
    return 0;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is noticed when stdout is flushed */
    tool_console console = console_open();
    exit_code code = run(&console, argv + (argc > 0), argc > 0 ? (size_t)argc - 1 : 0);
    return (int)console_close(&console, code);
}
