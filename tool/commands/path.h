/* SPDX-License-Identifier: MIT */
/* graze path: the run (path.c) and its output (path_report.c). */
#ifndef TOOL_COMMANDS_PATH_H
#define TOOL_COMMANDS_PATH_H

#include "graze/cache.h"
#include "graze/io.h"
#include "graze/tree.h"
#include "scene/pose_file.h"
#include "shell/command.h"
#include "shell/execution.h"

enum
{
    OPTION_COUNT,
    OPTION_TIME,
    OPTION_REPEAT,
    OPTION_DISTANCE,
    OPTION_TOLERANCE,
    OPTION_THREADS,
    OPTION_NO_CACHE,
    OPTION_BUDGET,
    OPTION_STATS,
    OPTION_JSON
};

enum
{
    BATCH = 4096 /* poses per batch with several threads */
};

/* The number of pairs is unknown. */
#define UNKNOWN UINT64_MAX

typedef struct path_run
{
    const tool_request *request;
    graze_model *models[2];
    graze_tree *trees[2];
    pose_pair *poses;
    size_t pose_count;
    uint64_t passes;
    bool counts, times, json;
    tool_execution execution;
    graze_stats stats; /* of the first pass */

    bool measures;     /* distances are asked for */
    double tolerance;  /* negative: not asked for */
    double *distances; /* by pose */
    bool *within;      /* by pose */
    graze_pair_cache cache;
    bool caches;

    uint64_t *pairs;      /* by pose; 0 or 1 unless counted, or UNKNOWN */
    uint64_t *times_now;  /* of the current pass, by pose */
    uint64_t *times_best; /* of the fastest pass */
    uint64_t total_best;  /* their sum */
    uint64_t hits, unknown, answered;
    struct path_step *step; /* results of the current batch */
    uint64_t next_progress; /* time of the next progress message, by clock_now */
    bool shows_progress;
} path_run;

/* Prints the line of a pose. */
void path_say_answer(const path_run *run, size_t pose);

/* Writes all poses; sorts the times. */
void path_write_json(path_run *run);
void path_say_times(path_run *run);
void path_say_stats(const path_run *run);

#endif
