/* SPDX-License-Identifier: MIT */
/* Reports of graze clash as files and for terminals. */
#ifndef TOOL_CLASH_OUTPUT_H
#define TOOL_CLASH_OUTPUT_H

#include <stdio.h>

#include "graze/clash.h"
#include "shell/console.h"

/* A report to be written. */
typedef struct clash_document
{
    const graze_clash_report *report;
    size_t page_budget;              /* triangles of parts without findings, in the report page */
    const graze_clash_track *tracks; /* by part, of a run through time; else NULL */
} clash_document;

/* Writes a whole document. Returns false when out of memory. */
typedef bool (*clash_writer)(const clash_document *document, FILE *out);

bool clash_write_json(const clash_document *document, FILE *out);
bool clash_write_csv(const clash_document *document, FILE *out);
bool clash_write_junit(const clash_document *document, FILE *out);

/* Writes the report page. Needs the viewer: see viewer_page.h. */
bool clash_write_html(const clash_document *document, FILE *out);

/* Writes to a file; "-" is standard output. Prints an error and returns the exit code, or returns 0. */
exit_code clash_write_file(const tool_console *console, const char *path, clash_writer write,
                           const clash_document *document);

/* The exit code that the outcome of a run stands for. */
exit_code clash_exit_code(const graze_clash_report *report);

typedef struct clash_text_options
{
    const tool_console *console;
    bool quiet;       /* only the verdict */
    size_t width;     /* of the terminal (console_width); 0: unlimited */
    size_t row_limit; /* of lists; 0: unlimited. Rows left out are counted */
    double seconds_reading;
} clash_text_options;

/* Writes text for terminals. */
void clash_write_text(const graze_clash_report *report, const clash_text_options *options, FILE *out);

/* Writes only the table of findings. */
void clash_write_table(const graze_clash_report *report, const clash_text_options *options, FILE *out);

/* Verdicts as text: "too close", and so on. */
const char *clash_verdict_words(graze_clash_verdict verdict);

/* The next character of a name for terminals: invalid UTF-8, controls and bidirectional formatting become '?'. Advances
 * *at; false at the end. */
bool next_printable(const char **at, char out_character[5]);

#endif
