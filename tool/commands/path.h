/* SPDX-License-Identifier: MIT */
/* graze path: the run (path.c), queries of shapes (path_shapes.c), methods of the literature
 * (path_method.c) and the output (path_report.c). */
#ifndef TOOL_COMMANDS_PATH_H
#define TOOL_COMMANDS_PATH_H

#include "commands/method_settings.h"
#include "graze/cache.h"
#include "graze/method.h"
#include "graze/shape_query.h"
#include "scene/pose_file.h"
#include "shell/command.h"
#include "shell/execution.h"
#include "shell/load_shape.h"

enum
{
    OPTION_COUNT,
    OPTION_TIME,
    OPTION_REPEAT,
    OPTION_DISTANCE,
    OPTION_TOLERANCE,
    OPTION_UNITS,
    OPTION_THREADS,
    OPTION_NO_CACHE,
    OPTION_BUDGET,
    OPTION_STATS,
    OPTION_JSON,
    OPTION_CONTINUOUS,
    OPTION_MOTION,
    OPTION_MARGIN,
    OPTION_PROVE,
    OPTION_METHOD,
    OPTION_METHOD_OPTIONS
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
    loaded_shape files[2];
    const graze_model *models[2]; /* of the files; NULL: a shape */
    graze_tree *trees[2];
    pose_pair *poses;
    size_t pose_count;
    uint64_t passes;
    bool counts, times, json, shows_progress;
    bool by_shapes; /* whether a file is a shape */
    bool measures;  /* distances are asked for */
    bool caches;
    tool_execution execution;
    graze_stats stats; /* of the first pass */

    double tolerance;      /* negative: not asked for */
    double *distances;     /* by pose */
    graze_verdict *within; /* by pose */
    graze_pair_cache cache;
    graze_shape_cache shape_cache;

    const graze_method_info *method; /* of the literature, if asked for */
    method_settings settings;
    graze_method_body *bodies[2];
    graze_method_cache method_cache;
    graze_method_counters counters; /* of all passes */

    uint64_t *pairs;      /* by pose; 0 or 1 unless counted, or UNKNOWN */
    uint64_t *times_now;  /* of the current pass, by pose */
    uint64_t *times_best; /* of the fastest pass */
    uint64_t total_best;  /* their sum */
    uint64_t hits, unknown, answered;
    struct path_step *step; /* results of the current batch */
    uint64_t next_progress; /* time of the next progress message, by clock_now */
} path_run;

/* Where a file holds a shape: checks all poses. Prints an error and returns the exit code, or returns 0. */
exit_code path_check_poses(const path_run *run);

/* Checks the poses of two files. Prints an error that names the file of poses and returns the exit code, or returns 0.
 */
exit_code path_check_poses_of(const tool_request *request, const loaded_shape files[2], const pose_pair *poses,
                              size_t count);

/* One pose then; 1, 0 or UNKNOWN. */
graze_status path_query_shapes(path_run *run, size_t pose, graze_stats *stats, uint64_t *out_pairs);
graze_status path_measure_shapes(path_run *run, size_t pose);

/* With --method: finds it; prepares bodies; one pose then; releases what the second made (path_method.c). */
exit_code path_find_method(path_run *run);
exit_code path_prepare_method(path_run *run);
graze_status path_query_method(path_run *run, size_t pose, uint64_t *out_pairs);
void path_release_method(path_run *run);

/* With --continuous: from each pose to the next (path_continuous.c). Returns the exit code. */
exit_code path_run_continuous(const tool_request *request);

/* Prints the line of a pose. */
void path_say_answer(const path_run *run, size_t pose);

/* Writes all poses; sorts the times. */
void path_write_json(path_run *run);
void path_say_times(path_run *run);
void path_say_stats(const path_run *run);

#endif
