/* SPDX-License-Identifier: MIT */
/*
 * Report writers of graze clash. The same report gives the same bytes: files do not depend on clocks or threads. Names
 * from inputs may hold any bytes and are escaped in every format.
 */
#ifndef TOOL_CLASH_OUTPUT_H
#define TOOL_CLASH_OUTPUT_H

#include "clash/report.h"
#include "shell/json_writer.h"

/* Writes a whole document. Returns false when out of memory. */
typedef bool (*clash_writer)(const clash_report *report, FILE *out);

bool clash_write_json(const clash_report *report, FILE *out);

/* Counts of parts and pairs, as members of the open object. */
void clash_json_counts(json_writer *json, const clash_counts *counts);

bool clash_write_csv(const clash_report *report, FILE *out);
bool clash_write_junit(const clash_report *report, FILE *out);

/* Writes the report page. Needs the viewer: see viewer_page.h. */
bool clash_write_html(const clash_report *report, FILE *out);

/* Writes to a file; "-" is standard output. Prints an error and returns the exit code, or returns 0. */
exit_code clash_write_file(const tool_console *console, const char *path, clash_writer write,
                           const clash_report *report);

typedef struct clash_text_options
{
    const tool_console *console;
    bool quiet;       /* only the verdict */
    size_t width;     /* of the terminal (console_width); 0: unlimited */
    size_t row_limit; /* of lists; 0: unlimited. Rows left out are counted */
} clash_text_options;

/* Writes text for terminals. */
void clash_write_text(const clash_report *report, const clash_text_options *options, FILE *out);

/* Writes only the table of findings. */
void clash_write_table(const clash_report *report, const clash_text_options *options, FILE *out);

/* A text returned by value, so that several fit into one call. */
typedef struct clash_phrase
{
    char text[160];
} clash_phrase;

/* The measure of a finding: "depth 0.5", "gap 0.1 to 0.11", "face, area 2.5", "a in b"... */
clash_phrase clash_measure(const clash_finding *finding);

/* Verdicts as text: "too close", and so on. */
const char *clash_verdict_words(clash_verdict verdict);

/* Why a run is incomplete: "3 pairs are undecided", or "" when it is complete. */
clash_phrase clash_shortfall(const clash_report *report);

/* The next character of a name for terminals: invalid UTF-8, controls and bidirectional formatting become '?'. Advances
 * *at; false at the end. */
bool next_printable(const char **at, char out_character[5]);

#endif
