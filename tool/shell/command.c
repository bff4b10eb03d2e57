/* SPDX-License-Identifier: MIT */
/* Parses a command line by the command's table; see command.h. */
#include "shell/command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "graze/io.h"
#include "shell/input_paths.h"
#include "text/suggestion.h"

enum
{
    COMMON_HELP,
    COMMON_NO_COLOR,
    COMMON_VERSION
};

const tool_option common_options[] = {
    [COMMON_HELP] = {.name = "help", .letter = 'h', .help = "Explain this command and stop."},
    [COMMON_NO_COLOR] = {.name = "no-color", .help = "Write without colours, also to a terminal."},
    [COMMON_VERSION] = {.name = "version", .help = "Print the version and stop."},
};
const size_t common_option_count = COUNT_OF(common_options);

typedef struct word_parser
{
    tool_request *request;
    tool_console *console;
    char **words;
    size_t word_count;
    size_t next; /* index of the word after the current one */
} word_parser;

/* In option names underscores stand for dashes. */
static bool same_name(const char *typed, size_t size, const char *name)
{
    for (size_t i = 0; i < size; i++)
        if ((typed[i] == '_' ? '-' : typed[i]) != name[i])
            return false;
    return name[size] == '\0';
}

static const tool_option *find_option(const tool_option *table, size_t count, const char *name, size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (same_name(name, size, table[i].name))
            return &table[i];
    return NULL;
}

static const tool_option *find_letter(const tool_option *table, size_t count, char letter)
{
    for (size_t i = 0; i < count; i++)
        if (table[i].letter == letter)
            return &table[i];
    return NULL;
}

static exit_code unknown_option(const word_parser *parser, const char *word, size_t size)
{
    const tool_command *command = parser->request->command;
    char name[64];
    if (size >= sizeof name)
        size = sizeof name - 1;
    memcpy(name, word, size);
    name[size] = '\0';
    const char *bare = name + strspn(name, "-");
    grz_suggestion best = {.wanted = bare};
    for (size_t i = 0; i < command->option_count; i++)
        grz_suggestion_offer(&best, command->options[i].name);
    for (size_t i = 0; i < common_option_count; i++)
        grz_suggestion_offer(&best, common_options[i].name);
    const char *hint = grz_suggestion_name(&best), *space = command->name[0] != '\0' ? " " : "";
    if (hint != NULL)
        return report_error(parser->console, EXIT_USAGE, "graze%s%s has no option '%s'; did you mean '--%s'?", space,
                            command->name, name, hint);
    return report_error(parser->console, EXIT_USAGE, "graze%s%s has no option '%s'; see graze%s%s --help", space,
                        command->name, name, space, command->name);
}

static void set_common(word_parser *parser, const tool_option *found)
{
    switch (found - common_options)
    {
    case COMMON_HELP:
        parser->request->help = true;
        break;
    case COMMON_NO_COLOR:
        *parser->console = (tool_console){0};
        break;
    default:
        parser->request->version = true;
        break;
    }
}

/* Whether a word is the value of an option whose value is optional: it has the right ending, and no scene file of that
 * name exists, which would be an argument. */
static bool is_output(const char *word, const char *end)
{
    size_t size = strlen(word), end_size = strlen(end);
    if (size < end_size || strcmp(word + size - end_size, end) != 0)
        return false;
    FILE *file = fopen(word, "rb");
    if (file == NULL)
        return true;
    char head[4096];
    size_t read = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    head[read] = '\0';
    return strstr(head, "\"scene\"") == NULL;
}

/* Whether a word that becomes an argument was probably meant as the value: it is no file that could be read. */
static bool looks_like_output(const char *word)
{
    struct stat info;
    const char *slash = strrchr(word, '/'), *name = slash != NULL ? slash + 1 : word, *dot = strrchr(name, '.');
    if (word[0] == '-' || strpbrk(word, "*?[") != NULL || strstr(name, ":scale=") != NULL ||
        strstr(name, ":units=") != NULL || graze_format_from_name(word) != GRAZE_FORMAT_AUTO ||
        foreign_format(word) != NULL)
        return false;
    bool is_there = stat(word, &info) == 0;
    if (is_there && S_ISDIR(info.st_mode))
        return false;
    return !is_there || (dot != NULL && strcmp(dot, ".json") != 0);
}

static void warn_of_output(const word_parser *parser, const tool_option *option)
{
    const char *word = parser->next < parser->word_count ? parser->words[parser->next] : NULL;
    if (word != NULL && looks_like_output(word))
        print_note(parser->console, "'%s' after --%s does not end in %s, so it is read as an input; --%s=%s writes it",
                   word, option->name, option->optional, option->name, word);
}

static exit_code add_repeat(word_parser *parser, const tool_option *found)
{
    tool_request *request = parser->request;
    size_t option = (size_t)(found - request->command->options);
    if (!found->repeats)
        return 0;
    if (request->repeat_count == REPEAT_LIMIT)
        return report_error(parser->console, EXIT_USAGE, "there are more than %d values of options such as --%s",
                            REPEAT_LIMIT, found->name);
    request->repeats[request->repeat_count++] = (tool_repeat){option, request->values[option]};
    return 0;
}

const char *request_next(const tool_request *request, size_t option, size_t *at)
{
    while (*at < request->repeat_count)
    {
        const tool_repeat *repeat = &request->repeats[(*at)++];
        if (repeat->option == option)
            return repeat->value;
    }
    return NULL;
}

/* `attached` is the value written in the same word, or NULL. */
static exit_code take_option(word_parser *parser, const tool_option *found, const char *attached)
{
    tool_request *request = parser->request;
    const tool_option *options = request->command->options;
    bool is_common = found >= common_options && found < common_options + common_option_count;
    if (found->value == NULL && attached != NULL)
        return report_error(parser->console, EXIT_USAGE, "option '--%s' takes no value", found->name);
    if (attached != NULL && attached[0] == '\0')
        return report_error(parser->console, EXIT_USAGE, "option '--%s' needs a value: nothing follows the '='",
                            found->name);
    bool goes_without =
        attached == NULL && found->optional != NULL &&
        (parser->next >= parser->word_count || !is_output(parser->words[parser->next], found->optional));
    if (goes_without)
        warn_of_output(parser, found);
    if (is_common)
    {
        set_common(parser, found);
        return 0;
    }
    if (found->value == NULL || goes_without)
        request->values[found - options] = found->name;
    else if (attached != NULL)
        request->values[found - options] = attached;
    else if (parser->next < parser->word_count && strncmp(parser->words[parser->next], "--", 2) != 0)
        request->values[found - options] = parser->words[parser->next++];
    else
        return report_error(parser->console, EXIT_USAGE, "option '--%s' needs a value: --%s %s", found->name,
                            found->name, found->value);
    return add_repeat(parser, found);
}

static exit_code take_long(word_parser *parser, const char *word)
{
    const tool_command *command = parser->request->command;
    const char *name = word + 2;
    size_t size = strcspn(name, "=");
    const tool_option *found = find_option(command->options, command->option_count, name, size);
    if (found == NULL)
        found = find_option(common_options, common_option_count, name, size);
    if (found == NULL)
        return unknown_option(parser, word, size + 2);
    return take_option(parser, found, name[size] == '=' ? name + size + 1 : NULL);
}

/* "-o FILE", "-oFILE"; flags are not bundled, as there is hardly more than one. */
static exit_code take_short(word_parser *parser, const char *word)
{
    const tool_command *command = parser->request->command;
    const tool_option *found = find_letter(command->options, command->option_count, word[1]);
    if (found == NULL)
        found = find_letter(common_options, common_option_count, word[1]);
    if (found == NULL || (found->value == NULL && word[2] != '\0'))
        return unknown_option(parser, word, strlen(word));
    return take_option(parser, found, word[2] != '\0' ? word + 2 : NULL);
}

static exit_code check_arguments(const tool_request *request)
{
    const tool_command *command = request->command;
    if (request->argument_count < command->least_arguments)
        return report_error(request->console, EXIT_USAGE, "%s is missing; usage: graze %s %s",
                            command->arguments[request->argument_count].name, command->name, command->synopsis);
    if (request->argument_count > command->most_arguments)
        return report_error(request->console, EXIT_USAGE, "'%s' is one argument too many; usage: graze %s %s",
                            request->arguments[command->most_arguments], command->name, command->synopsis);
    unsigned inputs = 0;
    for (size_t i = 0; i < request->argument_count; i++)
        inputs += strcmp(request->arguments[i], "-") == 0;
    if (inputs > 1)
        return report_error(request->console, EXIT_USAGE,
                            "standard input can be read only once, but '-' is given %u times", inputs);
    return 0;
}

exit_code parse_request(tool_console *console, const tool_command *command, char **words, size_t word_count,
                        tool_request *out_request)
{
    *out_request = (tool_request){.console = console, .command = command, .arguments = words};
    word_parser parser = {.request = out_request, .console = console, .words = words, .word_count = word_count};
    bool only_arguments = false;
    while (parser.next < word_count)
    {
        char *word = words[parser.next++];
        exit_code code = 0;
        if (only_arguments || word[0] != '-' || word[1] == '\0')
            words[out_request->argument_count++] = word;
        else if (strcmp(word, "--") == 0)
            only_arguments = true;
        else
            code = word[1] == '-' ? take_long(&parser, word) : take_short(&parser, word);
        if (code != 0)
            return code;
    }
    return out_request->help || out_request->version ? 0 : check_arguments(out_request);
}
