/* SPDX-License-Identifier: MIT */
/* Loading files that hold a mesh or a shape, with an error message on failure. */
#ifndef TOOL_SHELL_LOAD_SHAPE_H
#define TOOL_SHELL_LOAD_SHAPE_H

#include "graze/shape_file.h"
#include "shell/console.h"
#include "shell/length_units.h"

typedef struct loaded_shape
{
    graze_shape_set *set;
    const graze_shape *shape;
    const graze_model *model; /* of a mesh file; NULL: a shape file */
    double scale;             /* of the coordinates of a mesh, which goes into its pose; 1 for shapes, whose own numbers
                                 are scaled */
} loaded_shape;

/* The option --units of commands that load files so. */
#define SHAPE_UNITS_OPTION                                                                                             \
    {                                                                                                                  \
        .name = "units", .value = "UNIT",                                                                              \
        .help = "Work in mm, cm, m, in or ft: files are taken to be in it, but for glTF, which is in metres, and for " \
                "those that say otherwise by :units=UNIT; these are converted."                                        \
    }

/* Parses the value of --units (NULL: not given). Prints an error and returns EXIT_USAGE, or returns 0. */
exit_code parse_units(const tool_console *console, const char *text, length_unit *out_unit);

/* Reads a file; "-" is standard input. The word may end in :scale=FACTOR or :units=UNIT. `solid` is for meshes. Prints
 * an error and returns the exit code, or returns 0; release in any case. */
exit_code load_shape(const tool_console *console, const graze_context *context, const char *word, length_unit unit,
                     bool solid, loaded_shape *out_shape);
/* Reads the file at a path as graze_shape_set_read_file. Prints an error and returns the exit code, or returns 0. */
exit_code load_shape_file(const tool_console *console, const char *path, double scale, graze_shape_set **out_set);

/* The same of a mesh file, or a shape file whose shape has faces and no radius: a hull, box, triangle or height field.
 * The mesh belongs to the set. */
exit_code load_faces(const tool_console *console, const char *path, graze_shape_set **out_set,
                     const graze_mesh **out_mesh);
void loaded_shape_release(loaded_shape *shape);

/* The pose of a file's coordinates: `pose` after its scale, rounded. False where that is not finite. */
bool loaded_shape_place(const loaded_shape *shape, const graze_pose *pose, graze_pose *out_pose);

/* The sentence about a pose that a shape may not have, by the status of graze_placed_check; NULL: another failure. */
const char *pose_refusal(graze_status status);

#endif
