/* SPDX-License-Identifier: MIT */
/* The manual page graze(1), from the same tables as --help, in the man macros of troff. */
#include <ctype.h>
#include <string.h>

#include "commands/commands.h"

/* Escapes text for troff: no escapes, plain dashes, no line that looks like a request. */
static void put(const char *text)
{
    bool at_start = true;
    for (; *text != '\0'; text++)
    {
        if (at_start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        at_start = *text == '\n';
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

static void put_upper(const char *text)
{
    for (; *text != '\0'; text++)
        putchar(toupper((unsigned char)*text));
}

/* Keeps line breaks; an empty line begins a paragraph. */
static void put_paragraphs(const char *text)
{
    while (*text != '\0')
    {
        char line[2048];
        size_t size = strcspn(text, "\n");
        size_t kept = size < sizeof line ? size : sizeof line - 1;
        memcpy(line, text, kept);
        line[kept] = '\0';
        text += size;
        if (kept == 0)
            puts(".PP");
        else
        {
            put(line);
            putchar('\n');
            if (text[0] == '\n' && text[1] != '\n')
                puts(".br");
        }
        text += *text == '\n';
    }
}

static void put_entry(void *user, const char *term, const char *text)
{
    (void)user;
    fputs(".TP\n.B ", stdout);
    put(term);
    putchar('\n');
    put_paragraphs(text);
}

static void put_options(const tool_option *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        fputs(".TP\n", stdout);
        if (table[i].letter != 0)
            printf("\\fB\\-%c\\fR, ", table[i].letter);
        fputs("\\fB", stdout);
        put("--");
        put(table[i].name);
        fputs("\\fR", stdout);
        if (table[i].value != NULL)
            printf(" \\fI%s\\fR", table[i].value);
        putchar('\n');
        put_paragraphs(table[i].help);
    }
}

static void put_command(const tool_command *command)
{
    printf(".SS graze %s \\- %s\n.B graze %s\n", command->name, command->summary, command->name);
    put(command->synopsis);
    puts("\n.PP");
    put_paragraphs(command->description);
    for (size_t i = 0; i < command->argument_count; i++)
        put_entry(NULL, command->arguments[i].name, command->arguments[i].help);
    put_options(command->options, command->option_count);
    if (command->more != NULL)
    {
        printf(".PP\n.B %s\n", command->more_title);
        command->more(put_entry, NULL);
    }
}

static void put_examples(const tool_command *command)
{
    for (size_t i = 0; i < command->example_count; i++)
    {
        puts(".PP");
        put_paragraphs(command->examples[i].help);
        puts(".PP\n.RS 4\n.nf");
        put(command->examples[i].command);
        puts("\n.fi\n.RE");
    }
}

void print_manual(void)
{
    size_t count;
    const tool_command *const *commands = all_commands(&count);
    printf(".TH GRAZE 1 \"\" \"graze %s\" \"User Commands\"\n", graze_version_text());
    fputs(".SH NAME\ngraze \\- ", stdout);
    put(tool_summary);
    puts("\n.SH SYNOPSIS\n.B graze\n\\fICOMMAND\\fR [arguments] [options]\n.SH DESCRIPTION");
    put_paragraphs(tool_description);
    puts(".SH COMMANDS");
    for (size_t i = 0; i < count; i++)
        put_command(commands[i]);
    puts(".SH OPTIONS OF EVERY COMMAND");
    put_options(common_options, common_option_count);
    for (size_t i = 0; i < tool_section_count; i++)
    {
        fputs(".SH ", stdout);
        put_upper(tool_sections[i].title);
        putchar('\n');
        put_paragraphs(tool_sections[i].text);
    }
    puts(".SH EXAMPLES");
    for (size_t i = 0; i < count; i++)
        put_examples(commands[i]);
}
