/* SPDX-License-Identifier: MIT */
/* Outlines to extrude: loops of x, y pairs, typed or from a file. */
#ifndef TOOL_SCENE_OUTLINE_H
#define TOOL_SCENE_OUTLINE_H

#include <stddef.h>
#include <stdint.h>

#include "graze/status.h"

typedef struct tool_outline
{
    double *points; /* x, y pairs of all loops */
    size_t point_count, point_capacity;
    size_t loop_start; /* first point of the unfinished loop */
    uint32_t *loop_sizes;
    size_t loop_count, loop_capacity;
} tool_outline;

/* Reads "x y, x y, ..."; a semicolon begins a hole. */
graze_status outline_from_text(const char *text, graze_error *error, tool_outline *out_outline);

/* Reads a file with a point a line; an empty line begins a hole, # a comment. */
graze_status outline_from_file(const char *path, graze_error *error, tool_outline *out_outline);

/* Valid for all zeros. Must also be called after a failure. */
void outline_release(tool_outline *outline);

#endif
