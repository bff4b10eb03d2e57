/* SPDX-License-Identifier: MIT */
/* Motions of the parts of scene files, from frame to frame, for --through-time. */
#ifndef TOOL_CLASH_TRACKS_H
#define TOOL_CLASH_TRACKS_H

#include "clash/assembly.h"

typedef struct clash_tracks
{
    graze_clash_track *tracks; /* by part */
    size_t count;
    uint32_t frame_count; /* of the longest scene; where another ends, its last poses hold */
} clash_tracks;

/* From frame to frame each object that moves makes one turn between its poses of those frames; its children make the
 * same one with it, so that what is fixed to a moving object stays fixed. Prints an error and returns the exit code, or
 * returns 0: EXIT_USAGE where nothing moves. Release in any case. */
exit_code clash_tracks_make(const tool_console *console, const tool_inputs *inputs, clash_tracks *out_tracks);
void clash_tracks_release(clash_tracks *tracks);

#endif
