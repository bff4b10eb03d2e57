/* SPDX-License-Identifier: MIT */
/* How far graze clash is, on standard error while that is a terminal: a bar, counts, and the time that is left. */
#ifndef TOOL_CLASH_PROGRESS_H
#define TOOL_CLASH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct clash_progress
{
    bool shows, showed;
    uint64_t begin, next; /* by clock_now: when it started, and when to show it again */
} clash_progress;

clash_progress clash_progress_start(bool shows);

/* `user` is the progress; see clash_request. */
void clash_progress_update(void *user, uint64_t done, uint64_t all);

/* Clears the line. */
void clash_progress_end(clash_progress *progress);

/* The line, for `seconds` spent so far: what is left takes as long in proportion. */
void clash_progress_line(uint64_t done, uint64_t all, double seconds, char *out, size_t size);

#endif
