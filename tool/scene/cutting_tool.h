/* SPDX-License-Identifier: MIT */
/* Cutting tools: ball:R, flat:R, flat:R:H, or a JSON file with cutters. */
#ifndef TOOL_SCENE_CUTTING_TOOL_H
#define TOOL_SCENE_CUTTING_TOOL_H

#include "graze/tool_path.h"
#include "shell/console.h"

enum
{
    MOST_CUTTERS = 64,
    CUTTER_NAME_SIZE = 64
};

typedef enum cutter_profile_kind
{
    PROFILE_NONE = 0, /* a ball or a cylinder */
    PROFILE_CONE,     /* its radius grows or shrinks evenly from `bottom` to `top` */
    PROFILE_BULL_NOSE /* a cylinder whose lower edge is round, with the radius `corner` */
} cutter_profile_kind;

typedef struct cutter_profile
{
    cutter_profile_kind kind;
    double bottom, top, corner;
} cutter_profile;

typedef struct cutting_tool
{
    size_t count;
    graze_cutter cutters[MOST_CUTTERS]; /* of cones and bull noses the cylinder around them */
    cutter_profile profiles[MOST_CUTTERS];
    char names[MOST_CUTTERS][CUTTER_NAME_SIZE];
} cutting_tool;

/* Reads the value of --tool. With `tip` the programmed point of ball:R is its lowest one. Prints an error and returns
 * the exit code, or returns 0. */
exit_code cutting_tool_read(const tool_console *console, const char *text, bool tip, cutting_tool *out_tool);

#endif
