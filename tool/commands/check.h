/* SPDX-License-Identifier: MIT */
/* graze check: the run (check.c), its JSON (check_json.c) and its text (check_text.c), depths (check_depth.c), contacts
 * (check_contacts.c); all three for files that hold shapes: check_shapes.c; by methods of the literature:
 * check_method.c. */
#ifndef TOOL_COMMANDS_CHECK_H
#define TOOL_COMMANDS_CHECK_H

#include "commands/method_settings.h"
#include "graze/distance.h"
#include "graze/io.h"
#include "graze/method.h"
#include "graze/search.h"
#include "graze/shape_contact.h"
#include "graze/shape_query.h"
#include "shell/command.h"
#include "shell/execution.h"
#include "shell/load_shape.h"

enum
{
    OPTION_POSE_A,
    OPTION_POSE_B,
    OPTION_PAIRS,
    OPTION_SOLID,
    OPTION_DISTANCE,
    OPTION_TOLERANCE,
    OPTION_DEPTH,
    OPTION_CONTACTS,
    OPTION_MARGIN,
    OPTION_METHOD,
    OPTION_METHOD_OPTIONS,
    OPTION_UNITS,
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
    loaded_shape files[2];
    const graze_model *models[2]; /* of the files; NULL: a shape */
    graze_pose poses[2];          /* from the options */
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

    graze_shape_depth depth; /* if asked for */

    double margin; /* of contacts; negative: not given */
    graze_shape_manifold *manifolds;
    size_t manifold_count;

    const graze_method_info *method; /* of the literature, if asked for */
    method_settings settings;
    graze_method_answer method_answer;
    graze_method_counters counters;

    bool contains_known; /* whether containment was tested: not when a budget leaves no time for it */
    graze_solid_answer solid;
    bool collide;
} check_run;

/* Counts a hit and adds it to the list, as far as that reaches; false when there is no memory for it. */
bool check_take_hit(check_run *run, const graze_hit *hit);

/* Finds a point of the witness. */
graze_status check_find_point(check_run *run);

/* With --method: finds it; whether it takes these files; answers by it and writes that; members of the open JSON
   object. */
exit_code check_find_method(check_run *run);
exit_code check_method_files(const check_run *run);
exit_code check_by_method(check_run *run);
void check_write_method(grz_json_writer *json, const check_run *run);
void check_write_counters(grz_json_writer *json, const check_run *run);

/* Collision, no collision, or unknown. */
graze_verdict check_verdict(const check_run *run);

const char *contact_name(bool crossing, bool coplanar);
const char *feature_name(unsigned feature);

/* The part of a model that a face belongs to. */
const char *part_of(const check_run *run, int side, uint32_t face);

const char *verdict_name(graze_verdict verdict);

/* Answers for two files of which at least one holds a shape, and writes them. Returns the exit code. */
exit_code check_shapes(check_run *run);

/* With --depth: measures it; members of the open JSON object, or lines of text. */
graze_status check_measure_depth(check_run *run);
void check_write_depth(grz_json_writer *json, const check_run *run);
void check_say_depth(const check_run *run);

/* Both files as solids, which mesh files are without --solid not; own[] has the shapes that are to be destroyed, or
 * NULL. */
graze_status check_place_solids(check_run *run, graze_shape *own[2], graze_placed placed[2]);

/* With --contacts: finds them; the same. The caller frees run->manifolds. */
exit_code check_read_margin(check_run *run);
graze_status check_find_contacts(check_run *run);
void check_write_contacts(grz_json_writer *json, const check_run *run);
void check_say_contacts(const check_run *run);

void check_write_json(const check_run *run);
void check_say(const check_run *run);

#endif
