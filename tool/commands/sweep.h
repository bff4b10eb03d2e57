/* SPDX-License-Identifier: MIT */
/* Moving files: graze sweep (sweep.c), graze path --continuous (path_continuous.c), their common parts
 * (moving_files.c, moving_shapes.c), certificates (moving_prove.c) and output (impact_report.c). */
#ifndef TOOL_COMMANDS_SWEEP_H
#define TOOL_COMMANDS_SWEEP_H

#include "graze/enclosed_motion.h"
#include "graze/shape_motion.h"
#include "scene/pose_file.h"
#include "shell/command.h"
#include "shell/execution.h"
#include "shell/load_shape.h"
#include "shell/output.h"

/* Two files and their motions. */
typedef struct moving_files
{
    const tool_request *request;
    loaded_shape files[2];
    graze_mesh *own[2]; /* meshes made from the files; NULL: the file's own */
    graze_tree *trees[2];
    graze_moving_mesh moving[2]; /* without a mesh where one of them is not made of triangles: then shapes move */
    graze_motion_kind kind;
    graze_impact_options options;
    tool_execution execution;

    size_t count; /* of the segments */
    graze_motion *motions[2];
    graze_motion_spline *splines[2]; /* of --motion spline: those of the motions; else NULL */
    double end_error;                /* the largest of all motions */
    graze_impact *impacts;
    graze_impact_stats stats;
    double margin;           /* that certificates prove, or the query asks for */
    const char *certificate; /* where one was written; NULL: none */
} moving_files;

/* Parses the value of --motion (NULL: a turn); splines, which need poses in a row, if `in_a_row`. Prints an error and
 * returns EXIT_USAGE, or returns 0. */
exit_code moving_parse_kind(const tool_console *console, const char *text, bool in_a_row, graze_motion_kind *out_kind);

/* Loads both files, which are the first two arguments, and makes their meshes and trees. Prints an error and returns
 * the exit code, or returns 0; release in any case. */
exit_code moving_load(moving_files *run, const char *units, bool solids);

/* Makes room for this many segments. */
exit_code moving_make_segments(moving_files *run, size_t count);

/* Sets the motion of a side in a segment. Prints an error that begins with `what` and returns the exit code, or returns
 * 0. */
exit_code moving_set_motion(moving_files *run, size_t segment, int side, const pose_pair *poses, const char *what);

/* Likewise a spline through all poses, of which there is one more than segments. */
exit_code moving_set_spline(moving_files *run, size_t segment, int side, const pose_pair *poses, const char *what);

/* Whether both are made of triangles, which have numbers. Else one of them is round, curved or a compound. */
bool moving_are_meshes(const moving_files *run);

/* The impacts of all segments as those of shapes, and, where surfaces do not meet, solid shapes within one another.
 * moving_shapes.c */
graze_status moving_track_shapes(moving_files *run);
graze_status moving_find_inside(moving_files *run);

/* Asks for the impacts of all segments. */
exit_code moving_run(moving_files *run);
void moving_release(moving_files *run);

/* Parses the value of --margin (NULL: 0). With --prove certificates prove it, else the query asks for it. Prints an
 * error and returns EXIT_USAGE, or returns 0. */
exit_code moving_parse_margin(const tool_console *console, const char *text, double *out_margin);

/* Where nothing meets, writes certificates of all segments to a file (NULL: none is asked for). Prints an error and
 * returns the exit code, or returns 0. moving_prove.c */
exit_code moving_prove(moving_files *run, const char *path);

/* Answers the first segment by a method of the literature (graze/motion_method.h) and prints what it says: a document
 * if `json`. The method must be known. Returns the exit code. sweep_method.c */
exit_code moving_run_method(moving_files *run, const char *name, bool json);

/* Checks the value of --method (NULL: none). Prints an error with all names and returns EXIT_USAGE, or returns 0. */
exit_code moving_check_method(const tool_console *console, const char *method);

/* The name of a motion as --motion takes it, and its very doubles. */
const char *moving_kind_name(graze_motion_kind kind);
void moving_write_motion(grz_json_writer *json, const graze_motion *motion);

/* One document with the verdict, the first impact and the segments. With many segments `motion` is a list. */
void moving_write_json(const moving_files *run);
void moving_say(const moving_files *run);

/* The verdict of all segments, and the first of it; an unknown one counts only if none has an impact. */
graze_impact_verdict moving_verdict(const moving_files *run, size_t *out_segment);
exit_code moving_code(const moving_files *run);

#endif
