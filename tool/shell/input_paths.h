/* SPDX-License-Identifier: MIT */
/* Expands the words of a command line to files: files, folders (recursively), patterns, standard input; each with the
 * factor or unit of its coordinates. */
#ifndef TOOL_SHELL_INPUT_PATHS_H
#define TOOL_SHELL_INPUT_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "shell/console.h"
#include "shell/length_units.h"

typedef struct input_path
{
    char *path;       /* "-" is standard input */
    length_unit unit; /* of its coordinates, if given */
    double scale;     /* factor for its coordinates, or 0 if not given */
} input_path;

/* A path without parts in the results. */
typedef struct missing_path
{
    char *path;
    char *what;    /* the reason, as a sentence */
    bool left_out; /* something that should be checked is not; else it is a remark */
} missing_path;

typedef struct input_paths
{
    input_path *files;
    size_t count, capacity;
    missing_path *missing; /* words that match nothing; what folders hold and cannot be read */
    size_t missing_count, missing_capacity;
} input_paths;

/*
 * Expands the words in order. A folder stands for all mesh files in it and in the folders below, sorted bytewise;
 * hidden files are skipped, and so are files that hold no geometry. Geometry in a format that is not read (STEP, 3MF
 * and others, by the name's ending), links that lead nowhere, links to folders, and folders nested too deep are listed
 * as missing. A word with * ? or [ that is no file itself is a pattern. A file found
 * in one of these ways is listed once, and not at all when it is also named directly. Any word may end in :scale=FACTOR
 * or :units=UNIT. Prints an error about the words themselves and returns EXIT_USAGE, or EXIT_INTERNAL when out of
 * memory, or 0; files that do not exist are listed as missing. Release in any case.
 */
exit_code input_paths_find(const tool_console *console, const char *const *words, size_t count, input_paths *out_paths);
void input_paths_release(input_paths *paths);

/* Splits the suffix ":scale=..." or ":units=..." off a word, unless a file of the whole name exists. Prints an error
 * and returns the exit code, or returns 0; the caller frees the path in any case. */
exit_code input_word_split(const tool_console *console, const char *word, input_path *out_path);

/* The factors for the coordinates of a file, where `unit` is that of the results: for formats without unit, and for
 * those in metres. A unit that is given for the file alone is an error: EXIT_USAGE. */
exit_code input_scales(const tool_console *console, const input_path *file, length_unit unit, double *out_scale,
                       double *out_metre);

/* The name of a format of geometry that Graze does not read, by the ending of a path; NULL: none. */
const char *foreign_format(const char *path);

#endif
