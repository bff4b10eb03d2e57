/* SPDX-License-Identifier: MIT */
/* The run of graze scene: the command (commands/scene.c), the frames (run.c) and the output (report.c). */
#ifndef TOOL_SCENE_RUN_H
#define TOOL_SCENE_RUN_H

#include "scene/motion.h"
#include "scene/scene_file.h"
#include "shell/command.h"
#include "shell/execution.h"

enum
{
    OPTION_FRAMES,
    OPTION_BROAD,
    OPTION_THREADS,
    OPTION_BUDGET,
    OPTION_SCHEDULE,
    OPTION_STAYS,
    OPTION_CONTACTS,
    OPTION_MARGIN,
    OPTION_CONTINUOUS,
    OPTION_MOTION,
    OPTION_QUIET,
    OPTION_NO_TIMES,
    OPTION_JSON,
    OPTION_MAKE_CAGE,
    OPTION_SEED
};

enum
{
    STAGE_COUNT = 4
};

/* Counts by kind of event. */
typedef struct scene_events
{
    uint64_t begins, stays, ends, passes;
} scene_events;

typedef struct scene_run
{
    const tool_request *request;
    scene_file file;
    graze_scene *scene;
    graze_object *ids; /* by object of the file */
    scene_motion motion;
    tool_execution execution;
    graze_scene_def def;
    graze_update_options options;
    uint64_t frame_limit;
    bool json, quiet, lists_stays, times;
    grz_sink out; /* of the writer */
    grz_json_writer writer;
    bool shows_progress;
    uint64_t next_progress; /* time of the next progress message, by clock_now */

    bool said_frame;
    uint64_t frames; /* frames run so far */
    uint64_t triangles;
    scene_events events; /* of all frames */
    size_t colliding;    /* in the last one */
    size_t undecided;
    uint64_t undecided_sum;
    size_t unknown; /* of the undecided: curved shapes too near to touching to tell, */
    uint64_t unknown_sum;
    bool missed_some; /* some undecided pairs moved before they were decided */
    double time_sums[STAGE_COUNT], time_maxima[STAGE_COUNT];
} scene_run;

/* Names of the stages, in the order of graze_frame_times. */
extern const char *const scene_stage_names[STAGE_COUNT];
void scene_stages(const graze_frame_times *times, double out_seconds[STAGE_COUNT]);

/* Adds the file's objects and rules to a scene. Prints an error and returns the exit code, or returns 0. */
exit_code scene_build(scene_run *run);

/* Runs all frames and reports each. */
exit_code scene_run_frames(scene_run *run);

void scene_report_start(scene_run *run);
void scene_report_frame(scene_run *run, const graze_frame *frame, const scene_events *events);
void scene_report_end(scene_run *run);

/* Writes a scene file to standard output: a cage of `count` flying shapes that reverse when they collide. */
void write_cage(uint64_t count, uint64_t seed);

#endif
