/* SPDX-License-Identifier: MIT */
/* Files of poses: one pose a line, 12 numbers (B's) or 24 (A's, then B's); # begins a comment. */
#ifndef TOOL_SCENE_POSE_FILE_H
#define TOOL_SCENE_POSE_FILE_H

#include <stddef.h>

#include "graze/pose.h"
#include "shell/console.h"

typedef struct pose_pair
{
    graze_pose a, b;
} pose_pair;

/* Reads all poses of a file ("-" is standard input); free *out_poses. Says what is wrong, with the line, and returns
 * the exit code, or 0. No pose at all is EXIT_INCOMPLETE: nothing was asked, so nothing can be answered. */
exit_code load_poses(const tool_console *console, const char *path, pose_pair **out_poses, size_t *out_count);

/* The same for poses of one thing: 12 numbers a line, not 24. */
exit_code load_track(const tool_console *console, const char *path, graze_pose **out_poses, size_t *out_count);

#endif
