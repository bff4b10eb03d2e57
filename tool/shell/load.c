/* SPDX-License-Identifier: MIT */
/* Loading mesh files; see load.h. */
#define _XOPEN_SOURCE 700

#include "shell/load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/line_reader.h"

const char *format_name(graze_format format)
{
    switch (format)
    {
    case GRAZE_FORMAT_STL_BINARY:
        return "STL, binary";
    case GRAZE_FORMAT_STL_ASCII:
        return "STL, text";
    case GRAZE_FORMAT_OBJ:
        return "OBJ";
    case GRAZE_FORMAT_PLY_ASCII:
        return "PLY, text";
    case GRAZE_FORMAT_PLY_LITTLE_ENDIAN:
        return "PLY, little endian";
    case GRAZE_FORMAT_PLY_BIG_ENDIAN:
        return "PLY, big endian";
    case GRAZE_FORMAT_OFF:
        return "OFF";
    case GRAZE_FORMAT_GLTF:
        return "glTF, text";
    case GRAZE_FORMAT_GLB:
        return "glTF, binary";
    case GRAZE_FORMAT_SHAPE:
        return "shape";
    case GRAZE_FORMAT_AUTO:
        break;
    }
    return "unknown";
}

char *read_stream(FILE *file, size_t *out_size)
{
    size_t size = 0, capacity = 1 << 16;
    char *bytes = malloc(capacity);
    while (bytes != NULL)
    {
        size += fread(bytes + size, 1, capacity - size, file);
        if (size < capacity)
            break;
        char *larger = capacity <= SIZE_MAX / 2 ? realloc(bytes, capacity * 2) : NULL;
        if (larger == NULL)
            free(bytes);
        bytes = larger;
        capacity *= 2;
    }
    if (bytes != NULL)
        bytes[size] = '\0';
    *out_size = size;
    return bytes;
}

char *read_standard_input(size_t *out_size, graze_error *error)
{
    char *bytes = read_stream(stdin, out_size);
    bool failed = ferror(stdin) != 0;
    if (bytes != NULL && !failed)
        return bytes;
    free(bytes);
    error->status = failed ? GRAZE_STATUS_UNREADABLE : GRAZE_STATUS_OUT_OF_MEMORY;
    snprintf(error->text, sizeof error->text, "standard input: %s", failed ? "cannot be read" : "out of memory");
    return NULL;
}

static const uint64_t patience = UINT64_C(500000000), pause_between = UINT64_C(200000000); /* nanoseconds */

read_progress read_progress_start(void)
{
    return (read_progress){.next = clock_now() + patience, .shows = isatty(STDERR_FILENO) == 1};
}

static bool show_share(void *user, double share)
{
    read_progress *progress = user;
    uint64_t now = clock_now();
    if (now < progress->next)
        return true;
    progress->next = now + pause_between;
    progress->showed = true;
    fprintf(stderr, "\rgraze: reading, %3.0f %% of this file", 100 * share);
    fflush(stderr);
    return true;
}

graze_budget read_progress_budget(read_progress *progress)
{
    return (graze_budget){.progress = progress->shows ? show_share : NULL, .progress_user = progress};
}

void read_progress_end(read_progress *progress)
{
    if (progress->showed)
        fprintf(stderr, "\r%78s\r", "");
    progress->showed = false;
}

static graze_status read_model(const char *path, const graze_budget *budget, graze_error *error,
                               graze_model **out_model)
{
    if (strcmp(path, "-") != 0)
        return graze_model_read_file(NULL, path, GRAZE_FORMAT_AUTO, budget, error, out_model);
    size_t size = 0;
    char *bytes = read_standard_input(&size, error);
    if (bytes == NULL)
        return error->status;
    graze_status status =
        graze_model_read_memory(NULL, bytes, size, "standard input", GRAZE_FORMAT_AUTO, budget, error, out_model);
    free(bytes);
    return status;
}

exit_code load_model(const tool_console *console, const char *path, graze_model **out_model)
{
    graze_error error = {.status = GRAZE_STATUS_OK};
    read_progress progress = read_progress_start();
    const graze_budget budget = read_progress_budget(&progress);
    graze_status status = read_model(path, &budget, &error, out_model);
    read_progress_end(&progress);
    if (status == GRAZE_STATUS_OK)
        return 0;
    if (error.text[0] == '\0')
        return report_error(console, exit_code_of(status), "%s: %s", display_name(path), graze_status_text(status));
    return report_error(console, exit_code_of(status), "%s", error.text);
}

exit_code build_tree(const tool_console *console, const graze_context *context, const graze_model *model,
                     graze_tree **out_tree)
{
    graze_status status = graze_tree_create(context, graze_model_mesh(model), NULL, NULL, out_tree);
    if (status == GRAZE_STATUS_OK)
        return 0;
    return report_error(console, exit_code_of(status), "no tree for the mesh: %s", graze_status_text(status));
}
