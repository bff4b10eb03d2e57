/* SPDX-License-Identifier: MIT */
/* graze check: the run (check.c), its JSON (check_json.c) and its text (check_text.c). */
#ifndef TOOL_COMMANDS_CHECK_H
#define TOOL_COMMANDS_CHECK_H

#include "graze/distance.h"
#include "graze/io.h"
#include "graze/search.h"
#include "shell/command.h"
#include "shell/execution.h"

enum
{
    OPTION_POSE_A,
    OPTION_POSE_B,
    OPTION_PAIRS,
    OPTION_SOLID,
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
    UNDECIDED_LISTED = 16 /* undecided volume pairs listed when the time is up */
};

typedef struct listed_pair
{
    uint32_t a, b;
    uint8_t crossing, coplanar, feature_a, feature_b;
} listed_pair;

typedef struct check_run
{
    const tool_request *request;
    graze_model *models[2];
    graze_tree *trees[2];
    graze_placed_mesh placed[2];

    graze_pair_counts counts;
    graze_hit witness; /* the first hit, if there is any */
    double point[3];
    listed_pair *list;
    size_t list_count, list_capacity;
    uint64_t list_limit;
    bool list_failed;

    tool_execution execution;
    graze_stats stats;
    bool finished; /* false: counts and witness cover only the hits found in time */
    graze_search_state state;
    graze_undecided_volumes undecided[UNDECIDED_LISTED];
    size_t undecided_count;

    graze_distance distance; /* if asked for */
    double tolerance;        /* negative: not asked for */
    uint64_t within;         /* triangle pairs within the tolerance */

    bool contains_known; /* whether containment was tested: not when a budget leaves no time for it */
    graze_solid_answer solid;
    bool collide;
} check_run;

/* Collision, no collision, or unknown. */
graze_verdict check_verdict(const check_run *run);

const char *contact_name(bool crossing, bool coplanar);
const char *feature_name(unsigned feature);

/* The part of a model that a face belongs to. */
const char *part_of(const check_run *run, int side, uint32_t face);

void check_write_json(const check_run *run);
void check_say(const check_run *run);

#endif
