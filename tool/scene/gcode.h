/* SPDX-License-Identifier: MIT */
/* G-code: G0 to G3, G20, G21, G90 and G91 with X Y Z I J R F T. Everything else is refused, with its line. */
#ifndef TOOL_SCENE_GCODE_H
#define TOOL_SCENE_GCODE_H

#include "graze/tool_path.h"
#include "shell/console.h"

typedef struct gcode_move
{
    graze_tool_move move; /* in mm */
    uint64_t line;
    bool rapid;
} gcode_move;

typedef struct gcode_program
{
    gcode_move *moves; /* owned; arcs are several */
    size_t count, capacity;
} gcode_program;

/* Reads a file; "-" is standard input. Arcs become chords that deviate from them by at most `chord_error`. The first
 * move begins where X, Y and Z have all been given. Prints an error and returns the exit code, or returns 0; release in
 * any case. */
exit_code gcode_read(const tool_console *console, const char *path, double chord_error, gcode_program *out_program);
void gcode_release(gcode_program *program);

#endif
