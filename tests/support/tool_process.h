/* SPDX-License-Identifier: MIT */
/* Runs the real tool in a temporary directory, as a user would, and stores its output. */
#ifndef TESTS_SUPPORT_TOOL_PROCESS_H
#define TESTS_SUPPORT_TOOL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tool_result
{
    int code;  /* exit code, or minus the signal that ended it */
    char *out; /* terminated by a zero byte, which does not count */
    size_t out_size;
    char *err;
} tool_result;

typedef struct tool_setting
{
    const char *input;  /* on standard input; NULL: empty */
    const char *output; /* the file for standard output; NULL: the result */
    bool reader_leaves; /* standard output is a pipe without reader */
} tool_setting;

/* `words` ends with NULL and begins with the path of the program. */
tool_result tool_run(const tool_setting *setting, const char *const words[]);
void tool_release(tool_result *result);

/* RUN("check", "a.obj", "b.obj") */
#define RUN(...) tool_run(&(tool_setting){0}, (const char *const[]){GRAZE_TOOL_PATH, __VA_ARGS__, NULL})
#define RUN_WITH_INPUT(text, ...)                                                                                      \
    tool_run(&(tool_setting){.input = (text)}, (const char *const[]){GRAZE_TOOL_PATH, __VA_ARGS__, NULL})

/* Runs, checks the exit code and that stdout is empty and stderr is one sentence that contains `words`. */
void tool_expect_refusal(tool_result result, int code, const char *words);

/* Group fixtures for cmocka: enter a fresh directory, and remove it. */
int enter_temporary_directory(void **state);
int leave_temporary_directory(void **state);

void write_text(const char *path, const char *text);
void write_bytes(const char *path, const void *bytes, size_t size);

/* Meshes as OBJ files. */
void write_box_obj(const char *path, double half);
void write_open_box_obj(const char *path, double half); /* without its lid */
void write_triangle_obj(const char *path, const double corners[9]);

#endif
