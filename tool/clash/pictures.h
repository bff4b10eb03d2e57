/* SPDX-License-Identifier: MIT */
/* Findings with pictures: BCF files and folders of PNG files. */
#ifndef TOOL_CLASH_PICTURES_H
#define TOOL_CLASH_PICTURES_H

#include "graze/clash_report.h"
#include "shell/console.h"

/* The date of a report, in seconds since 1970: the variable SOURCE_DATE_EPOCH, else the time at which the newest input
 * was modified, else 1980-01-01; so that the same files give the same bytes. Prints an error when the variable is no
 * such number. */
exit_code clash_date_of(const tool_console *console, const graze_clash_report *report, int64_t *out_seconds);

/* Writes a BCF file, drawing with the threads of the context, "-" to standard output. Prints what was written, or an
 * error, and returns the exit code, or 0. */
exit_code clash_write_bcf(const tool_console *console, const graze_context *context, const char *path,
                          const graze_clash_report *report);

/* Writes FOLDER/NNN-ID.png for every finding, in their order; makes the folder if there is none. */
exit_code clash_write_pictures(const tool_console *console, const graze_context *context, const char *folder,
                               const graze_clash_report *report);

#endif
