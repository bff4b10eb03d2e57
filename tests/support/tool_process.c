/* SPDX-License-Identifier: MIT */
/* Runs the real tool; see tool_process.h. Its output goes through files, so that no pipe can fill up. */
#define _POSIX_C_SOURCE 200809L

#include "support/tool_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/unit.h"

static const char input_name[] = ".stdin", output_name[] = ".stdout", error_name[] = ".stderr";

static char *read_whole(const char *path, size_t *out_size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = 0, capacity = 4096;
    char *bytes = malloc(capacity + 1);
    assert_non_null(bytes);
    for (size_t got; (got = fread(bytes + size, 1, capacity - size, file)) > 0;)
    {
        size += got;
        if (size < capacity)
            continue;
        capacity *= 2;
        bytes = realloc(bytes, capacity + 1);
        assert_non_null(bytes);
    }
    fclose(file);
    bytes[size] = '\0';
    *out_size = size;
    return bytes;
}

/* In the child: redirects the three standard streams, then executes the program. */
static void become(const tool_setting *setting, const char *const words[])
{
    int streams[3] = {open(input_name, O_RDONLY),
                      open(setting->output != NULL ? setting->output : output_name, O_WRONLY | O_CREAT | O_TRUNC, 0600),
                      open(error_name, O_WRONLY | O_CREAT | O_TRUNC, 0600)};
    int ends[2];
    if (setting->reader_leaves && pipe(ends) == 0)
    {
        close(ends[0]);
        streams[1] = ends[1];
    }
    for (int i = 0; i < 3; i++)
        if (dup2(streams[i], i) != i)
            _exit(126);
    char *copies[64] = {0};
    for (size_t i = 0; words[i] != NULL && i < 63; i++)
        copies[i] = strdup(words[i]);
    execv(copies[0], copies);
    _exit(127);
}

tool_result tool_run(const tool_setting *setting, const char *const words[])
{
    write_text(input_name, setting->input != NULL ? setting->input : "");
    write_text(output_name, "");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become(setting, words);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    tool_result result = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status)};
    size_t error_size;
    result.out = read_whole(output_name, &result.out_size);
    result.err = read_whole(error_name, &error_size);
    if (strstr(result.err, "Sanitizer") != NULL || strstr(result.err, "runtime error") != NULL)
        fail_msg("%s", result.err);
    return result;
}

void tool_release(tool_result *result)
{
    free(result->out);
    free(result->err);
}

void tool_expect_refusal(tool_result result, int code, const char *words)
{
    if (result.code != code || strstr(result.err, words) == NULL)
        fail_msg("expected code %d and '%s', got code %d and '%s'", code, words, result.code, result.err);
    assert_string_equal(result.out, "");
    const char *newline = strchr(result.err, '\n');
    assert_non_null(newline);
    assert_string_equal(newline, "\n");
    tool_release(&result);
}

int enter_temporary_directory(void **state)
{
    const char *base = getenv("TMPDIR");
    char *path = malloc(4096);
    if (path == NULL)
        return -1;
    snprintf(path, 4096, "%s/graze-test-XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(path) == NULL || chdir(path) != 0)
        return -1;
    *state = path;
    return 0;
}

int leave_temporary_directory(void **state)
{
    char *path = *state;
    DIR *directory = opendir(".");
    if (directory == NULL)
        return -1;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(entry->d_name);
    closedir(directory);
    int failed = chdir("/") != 0 || rmdir(path) != 0;
    free(path);
    return failed ? -1 : 0;
}

void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

static void write_box(const char *path, double half, bool lid)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %.17g %.17g %.17g\n", i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
    fputs("f 1 3 4 2\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\n", file);
    if (lid)
        fputs("f 5 6 8 7\n", file);
    fclose(file);
}

void write_box_obj(const char *path, double half)
{
    write_box(path, half, true);
}

void write_open_box_obj(const char *path, double half)
{
    write_box(path, half, false);
}

void write_triangle_obj(const char *path, const double corners[9])
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 3; i++)
        fprintf(file, "v %.17g %.17g %.17g\n", corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]);
    fputs("f 1 2 3\n", file);
    fclose(file);
}
