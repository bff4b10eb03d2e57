/* SPDX-License-Identifier: MIT */
/* Two queries on two threads; see race.h. */
#include "literature/race.h"

#include <stdatomic.h>
#include <time.h>

typedef struct race
{
    const race_entry *entries;
    graze_method_answer answers[2];
    atomic_int winner, failed;
    double won; /* when; written by the winner */
} race;

double race_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static bool goes_on(void *user, double share)
{
    (void)share;
    return atomic_load(&((race *)user)->winner) < 0;
}

static void run_one(void *argument, size_t index)
{
    race *r = argument;
    if (!goes_on(r, 0))
        return;
    graze_method_options options = graze_method_options_default();
    options.cache = r->entries[index].cache;
    options.budget.progress = goes_on;
    options.budget.progress_user = r;
    graze_status status =
        graze_method_any(NULL, &r->entries[index].a, &r->entries[index].b, &options, &r->answers[index]);
    int nobody = -1;
    if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_CANCELLED)
        atomic_store(&r->failed, 1);
    else if (status == GRAZE_STATUS_OK && r->answers[index].collide != GRAZE_VERDICT_UNKNOWN &&
             atomic_compare_exchange_strong(&r->winner, &nobody, (int)index))
        r->won = race_now();
}

bool race_run(const graze_tasks *tasks, const race_entry entries[2], race_result *out)
{
    race r = {.entries = entries, .winner = -1};
    if (tasks->run != NULL)
        tasks->run(tasks->user, 2, run_one, &r);
    else
        for (size_t i = 0; i < 2; i++)
            run_one(&r, i);
    int winner = atomic_load(&r.winner);
    *out = (race_result){.winner = winner, .late_ns = winner < 0 ? 0 : race_now() - r.won};
    out->collide = winner >= 0 && r.answers[winner].collide == GRAZE_VERDICT_YES;
    return atomic_load(&r.failed) == 0;
}
