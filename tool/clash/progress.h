/* SPDX-License-Identifier: MIT */
/* Progress of graze clash on standard error, if that is a terminal: a bar, counts, and the remaining time. */
#ifndef TOOL_CLASH_PROGRESS_H
#define TOOL_CLASH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct clash_progress
{
    bool shows, showed;
    uint64_t begin, next; /* by clock_now: of the first test, 0 before it; and of the next update */
    double share;         /* of the work, which tests have unequal parts in */
} clash_progress;

clash_progress clash_progress_start(bool shows);

/* `user` is the progress; see grz_clash_request. */
void clash_progress_update(void *user, uint64_t done, uint64_t all);

/* Notes which share of the work is done; see graze_budget. */
void clash_progress_note(clash_progress *progress, double share);

/* Clears the line. */
void clash_progress_end(clash_progress *progress);

/* The line `seconds` after the first test; the remaining time is extrapolated linearly from the share of the work. */
void clash_progress_line(uint64_t done, uint64_t all, double share, double seconds, char *out, size_t size);

#endif
