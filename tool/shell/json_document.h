/* SPDX-License-Identifier: MIT */
/* JSON files: a document of text/json_document.h with the file it was read from. The first error is printed when the
 * document is closed. */
#ifndef TOOL_SHELL_JSON_DOCUMENT_H
#define TOOL_SHELL_JSON_DOCUMENT_H

#include "shell/console.h"
#include "text/json_document.h"

typedef struct json_document
{
    grz_json_document json;
    const tool_console *console;
    const char *path; /* of the file, "-" for standard input */
    char *text;       /* owned */
    exit_code code;   /* of an error that was printed, or of document_fail; else 0 */
} json_document;

/* Reads a whole file; "-" is standard input. Prints an error and returns the exit code, or returns 0. The text is
 * terminated by a zero byte, and freed by the caller. */
exit_code read_text_file(const tool_console *console, const char *path, char **out_text, size_t *out_size);

/* Reads a file and checks strings and UTF-8. Returns whether it may be read on; close in any case. */
bool document_open(const tool_console *console, const char *path, json_document *out_document);

/* The same with text already in memory and terminated by a zero byte; the document takes ownership in any case. */
bool document_take(const tool_console *console, const char *path, char *text, size_t size, json_document *out_document);

/* Prints the first error, if there was one, and returns its exit code, else 0. */
exit_code document_close(json_document *document);

/* Notes an error at a place and returns false. */
bool document_refuse(json_document *document, const grz_json_place *place, const char *format, ...) TOOL_PRINTF(3, 4);

/* The same for errors that are no fault of the document. */
bool document_fail(json_document *document, exit_code code, const char *what);

/* Prints an error in a document: its name, and the message, with the line before it or with a place. */
exit_code print_document_error(const tool_console *console, exit_code code, const char *path, const char *message,
                               bool has_line);

#endif
