/* SPDX-License-Identifier: MIT */
/*
 * The interface of the literature's methods for moving meshes (Zachmann 1994, 2.7 and 2.8; Mirtich and Canny 1995). The
 * caller checks arguments and sets the environment; a method answers in run().
 */
#ifndef GRZ_MOTION_METHOD_METHOD_H
#define GRZ_MOTION_METHOD_METHOD_H

#include "base/budget_monitor.h"
#include "graze/motion_method.h"
#include "motion/mesh_impact.h"

typedef struct grz_motion_query
{
    const grz_moving_meshes *meshes;
    grz_monitor monitor;
    graze_motion_method_answer answer; /* UNKNOWN from 0 to 1, and no guess, at the start */
} grz_motion_query;

typedef struct grz_motion_method
{
    graze_motion_method_info info;
    graze_status (*run)(grz_motion_query *query);
} grz_motion_method;

extern const grz_motion_method grz_mirtich_method;
extern const grz_motion_method grz_space_time_bounds_method;
extern const grz_motion_method grz_moving_points_method;

/* Whether another step of time may be taken: counts it against the budget. */
static inline bool grz_motion_query_step(grz_motion_query *query)
{
    query->answer.counters.steps++;
    return grz_monitor_box_tests(&query->monitor, 1);
}

static inline void grz_motion_query_clear(grz_motion_query *query)
{
    query->answer.verdict = query->answer.guess = GRAZE_IMPACT_NONE;
    query->answer.lower = query->answer.upper = 0;
}

#endif
