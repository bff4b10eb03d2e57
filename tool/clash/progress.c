/* SPDX-License-Identifier: MIT */
/* The progress of graze clash; see progress.h. */
#include "clash/progress.h"

#include <stdio.h>

#include "shell/console.h"
#include "shell/text_format.h"

enum
{
    BAR_WIDTH = 30,
    LINE_SIZE = 160
};

static const uint64_t patience = UINT64_C(500000000), pause = UINT64_C(200000000); /* nanoseconds */

clash_progress clash_progress_start(bool shows)
{
    uint64_t now = clock_now();
    return (clash_progress){.shows = shows, .begin = now, .next = now + patience};
}

void clash_progress_line(uint64_t done, uint64_t all, double seconds, char *out, size_t size)
{
    static const char bar[] = "##############################";
    double share = all > 0 ? (double)done / (double)all : 1;
    int written = snprintf(out, size, "graze: [%-*.*s] %s of %s", BAR_WIDTH, (int)(BAR_WIDTH * share), bar,
                           grz_grouped(done).text, grz_counted(all, "pair").text);
    if (done > 0 && done < all && written > 0 && (size_t)written < size)
        snprintf(out + written, size - (size_t)written, ", %.0f s left", seconds / share * (1 - share));
}

void clash_progress_update(void *user, uint64_t done, uint64_t all)
{
    clash_progress *progress = user;
    uint64_t now = clock_now();
    if (!progress->shows || now < progress->next)
        return;
    char line[LINE_SIZE];
    clash_progress_line(done, all, (double)(now - progress->begin) * 1e-9, line, sizeof line);
    fprintf(stderr, "\r%-78s", line);
    fflush(stderr);
    progress->next = now + pause;
    progress->showed = true;
}

void clash_progress_end(clash_progress *progress)
{
    if (progress->showed)
        fprintf(stderr, "\r%78s\r", "");
    progress->showed = false;
}
