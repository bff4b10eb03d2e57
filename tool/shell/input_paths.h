/* SPDX-License-Identifier: MIT */
/* From the words of a command line to the files they stand for: files, folders with everything below them, patterns,
 * standard input; each with what its numbers are taken times. */
#ifndef TOOL_SHELL_INPUT_PATHS_H
#define TOOL_SHELL_INPUT_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "shell/console.h"

/* The units that lengths may be given in. */
typedef enum length_unit
{
    UNIT_NONE, /* not said */
    UNIT_MM,
    UNIT_CM,
    UNIT_M,
    UNIT_IN,
    UNIT_FT
} length_unit;

/* "mm", "cm", "m", "in" or "ft"; UNIT_NONE for anything else. */
length_unit unit_named(const char *name);
const char *unit_name(length_unit unit);

/* What a length in `from` is taken times to be one in `to`: the nearest double, and exact from the larger to the
 * smaller of metric ones. */
double unit_ratio(length_unit from, length_unit to);

typedef struct input_path
{
    char *path;       /* "-" is standard input */
    length_unit unit; /* of its numbers, where said */
    double scale;     /* what they are taken times, or 0 where not said */
} input_path;

typedef struct missing_path
{
    char *path;
    char *what; /* a sentence */
} missing_path;

typedef struct input_paths
{
    input_path *files;
    size_t count, capacity;
    missing_path *missing; /* words that stand for nothing */
    size_t missing_count, missing_capacity;
} input_paths;

/*
 * Takes the words one after the other. A folder stands for all mesh files in it and in the folders below, in the order
 * of their bytes; hidden ones and links to folders are passed over. A word with * ? or [ that is no file itself is a
 * pattern. A file that was found in one of these ways is taken once, and not at all when it is also named. Any word may
 * end in :scale=FACTOR or :units=UNIT. Says what is wrong with the words themselves and returns EXIT_USAGE, or
 * EXIT_INTERNAL without memory, or 0; what does not exist is listed as missing. Release in any case.
 */
exit_code input_paths_find(const tool_console *console, const char *const *words, size_t count, input_paths *out_paths);
void input_paths_release(input_paths *paths);

#endif
