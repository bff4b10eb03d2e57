/* SPDX-License-Identifier: MIT */
/* Outlines to extrude; see outline.h. */
#include "scene/outline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/line_reader.h"
#include "shell/parse_numbers.h"

static graze_status add_point(tool_outline *outline, const double point[2])
{
    if (outline->point_count == outline->point_capacity)
    {
        size_t capacity = outline->point_capacity == 0 ? 64 : outline->point_capacity * 2;
        double *points =
            capacity <= SIZE_MAX / sizeof(double[2]) ? realloc(outline->points, capacity * sizeof(double[2])) : NULL;
        if (points == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        outline->points = points;
        outline->point_capacity = capacity;
    }
    memcpy(outline->points + 2 * outline->point_count++, point, sizeof(double[2]));
    return GRAZE_STATUS_OK;
}

/* Ends the loop of the points since the last end, if there are any. */
static graze_status end_loop(tool_outline *outline, graze_error *error)
{
    size_t size = outline->point_count - outline->loop_start;
    if (size == 0)
        return GRAZE_STATUS_OK;
    if (size < 3 || size > UINT32_MAX)
    {
        snprintf(error->text, sizeof error->text, "loop %zu of the outline has %zu points, but needs at least three",
                 outline->loop_count + 1, size);
        return GRAZE_STATUS_TOO_FEW_CORNERS;
    }
    if (outline->loop_count == outline->loop_capacity)
    {
        size_t capacity = outline->loop_capacity == 0 ? 8 : outline->loop_capacity * 2;
        uint32_t *sizes = realloc(outline->loop_sizes, capacity * sizeof *sizes);
        if (sizes == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        outline->loop_sizes = sizes;
        outline->loop_capacity = capacity;
    }
    outline->loop_sizes[outline->loop_count++] = (uint32_t)size;
    outline->loop_start = outline->point_count;
    return GRAZE_STATUS_OK;
}

/* Adds the points of one loop from a text. */
static graze_status add_points(tool_outline *outline, const char *text, graze_error *error)
{
    char fault[FAULT_SIZE];
    size_t count = 0, capacity = strlen(text) / 2 + 1;
    double *numbers = malloc(capacity * sizeof *numbers);
    graze_status status = numbers == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    if (status == GRAZE_STATUS_OK && !parse_numbers(text, numbers, capacity, &count, fault))
        status = GRAZE_STATUS_BAD_FORMAT;
    else if (count % 2 != 0)
    {
        snprintf(fault, sizeof fault, "a point has two coordinates, but there are %zu numbers", count);
        status = GRAZE_STATUS_BAD_FORMAT;
    }
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < count; i += 2)
        status = add_point(outline, numbers + i);
    free(numbers);
    if (status == GRAZE_STATUS_BAD_FORMAT)
        snprintf(error->text, sizeof error->text, "%s", fault);
    return status;
}

static graze_status check_outline(const tool_outline *outline, graze_error *error)
{
    if (outline->loop_count > 0)
        return GRAZE_STATUS_OK;
    snprintf(error->text, sizeof error->text, "the outline has no points");
    return GRAZE_STATUS_EMPTY;
}

graze_status outline_from_text(const char *text, graze_error *error, tool_outline *out_outline)
{
    graze_status status = GRAZE_STATUS_OK;
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    memcpy(copy, text, size);
    for (char *loop = copy; loop != NULL && status == GRAZE_STATUS_OK;)
    {
        char *end = strchr(loop, ';');
        if (end != NULL)
            *end = '\0';
        status = add_points(out_outline, loop, error);
        if (status == GRAZE_STATUS_OK)
            status = end_loop(out_outline, error);
        loop = end != NULL ? end + 1 : NULL;
    }
    free(copy);
    return status == GRAZE_STATUS_OK ? check_outline(out_outline, error) : status;
}

static graze_status take_line(tool_outline *outline, const line_reader *reader, graze_error *error)
{
    if (reader->text[strspn(reader->text, " \t\r")] == '\0')
        return end_loop(outline, error);
    graze_status status = add_points(outline, reader->text, error);
    if (status == GRAZE_STATUS_BAD_FORMAT)
    {
        char fault[GRAZE_ERROR_TEXT_SIZE];
        memcpy(fault, error->text, sizeof fault);
        snprintf(error->text, sizeof error->text, "%.80s, line %" PRIu64 ": %.140s", display_name(reader->path),
                 reader->number, fault);
    }
    return status;
}

graze_status outline_from_file(const char *path, graze_error *error, tool_outline *out_outline)
{
    line_reader reader;
    graze_status status = lines_open(&reader, path) ? GRAZE_STATUS_OK : GRAZE_STATUS_NOT_FOUND;
    line_state state = LINE_READ;
    while (status == GRAZE_STATUS_OK && (state = lines_next(&reader)) == LINE_READ)
        status = take_line(out_outline, &reader, error);
    if (status == GRAZE_STATUS_NOT_FOUND || state == LINE_FAULT)
        snprintf(error->text, sizeof error->text, "%.*s", GRAZE_ERROR_TEXT_SIZE - 1, reader.fault);
    if (status != GRAZE_STATUS_NOT_FOUND)
        lines_close(&reader);
    if (state == LINE_FAULT)
        return GRAZE_STATUS_UNREADABLE;
    if (status == GRAZE_STATUS_OK)
        status = end_loop(out_outline, error);
    return status == GRAZE_STATUS_OK ? check_outline(out_outline, error) : status;
}

void outline_release(tool_outline *outline)
{
    free(outline->points);
    free(outline->loop_sizes);
    *outline = (tool_outline){0};
}
