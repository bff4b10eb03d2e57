/* SPDX-License-Identifier: MIT */
/*
 * Reports of graze clash as documents. The same report gives the same bytes: nothing in files depends on clocks or
 * threads. Names out of files may hold anything, and cannot break out of their place in any of them.
 */
#ifndef TOOL_CLASH_OUTPUT_H
#define TOOL_CLASH_OUTPUT_H

#include "clash/report.h"
#include "shell/json_writer.h"

/* Writes a whole document. False when memory ends. */
typedef bool (*clash_writer)(const clash_report *report, FILE *out);

bool clash_write_json(const clash_report *report, FILE *out);

/* Parts and pairs, as members of the object that is open. */
void clash_json_counts(json_writer *json, const clash_counts *counts);

bool clash_write_csv(const clash_report *report, FILE *out);
bool clash_write_junit(const clash_report *report, FILE *out);

/* A page to look at. Needs the viewer: see viewer_page.h. */
bool clash_write_html(const clash_report *report, FILE *out);

/* Into a file; "-" is standard output. Says what is wrong and returns the exit code, or 0. */
exit_code clash_write_file(const tool_console *console, const char *path, clash_writer write,
                           const clash_report *report);

typedef struct clash_text_options
{
    const tool_console *console;
    bool quiet;       /* the verdict alone */
    size_t width;     /* of the terminal (console_width); 0: as wide as it gets */
    size_t row_limit; /* of lists; 0: none. What is left out is counted */
} clash_text_options;

/* For people. */
void clash_write_text(const clash_report *report, const clash_text_options *options, FILE *out);

/* The table of findings alone. */
void clash_write_table(const clash_report *report, const clash_text_options *options, FILE *out);

/* A text returned by value, so that several can stand in one call. */
typedef struct clash_phrase
{
    char text[160];
} clash_phrase;

/* How much of a clash a finding is: "depth 0.5", "gap 0.1 to 0.11", "face, area 2.5", "a in b"... */
clash_phrase clash_measure(const clash_finding *finding);

/* "too close", and so on: verdicts for people. */
const char *clash_verdict_words(clash_verdict verdict);

/* What is wrong with a run besides its findings: "3 pairs are undecided", or "" when nothing is. */
clash_phrase clash_shortfall(const clash_report *report);

/* The next character of a name, made harmless for terminals: what is no UTF-8, controls and changes of the writing
 * direction become '?'. Moves *at on; false at the end. */
bool next_printable(const char **at, char out_character[5]);

#endif
