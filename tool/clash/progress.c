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
    return (clash_progress){.shows = shows, .next = now + patience};
}

void clash_progress_note(clash_progress *progress, double share)
{
    progress->share = share;
}

void clash_progress_line(uint64_t done, uint64_t all, double share, double seconds, char *out, size_t size)
{
    static const char bar[] = "##############################";
    int written = snprintf(out, size, "graze: [%-*.*s] %s of %s", BAR_WIDTH, (int)(BAR_WIDTH * share), bar,
                           grz_grouped(done).text, grz_counted(all, "pair").text);
    if (share > 0 && done < all && written > 0 && (size_t)written < size)
        snprintf(out + written, size - (size_t)written, ", %.0f s left", seconds / share * (1 - share));
}

void clash_progress_update(void *user, uint64_t done, uint64_t all)
{
    clash_progress *progress = user;
    uint64_t now = clock_now();
    if (progress->begin == 0)
        progress->begin = now; /* what came before, trees above all, does not tell how long tests take */
    if (!progress->shows || now < progress->next)
        return;
    char line[LINE_SIZE];
    clash_progress_line(done, all, progress->share, (double)(now - progress->begin) * 1e-9, line, sizeof line);
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
