/* SPDX-License-Identifier: MIT */
/* Files of poses: one pose per line, 12 numbers (of B) or 24 (of A, then of B); # begins a comment. */
#ifndef TOOL_SCENE_POSE_FILE_H
#define TOOL_SCENE_POSE_FILE_H

#include <stddef.h>

#include "graze/pose.h"
#include "shell/console.h"

typedef struct pose_pair
{
    graze_pose a, b;
} pose_pair;

/* Reads all poses of a file ("-" is standard input); free *out_poses. Prints an error with the line and returns the
 * exit code, or returns 0. A file without poses is EXIT_INCOMPLETE: nothing was asked. */
exit_code load_poses(const tool_console *console, const char *path, pose_pair **out_poses, size_t *out_count);

/* The same for poses of one object: 12 numbers per line. */
exit_code load_track(const tool_console *console, const char *path, graze_pose **out_poses, size_t *out_count);

#endif
