/* SPDX-License-Identifier: MIT */
/*
 * First impact of a moving vertex and face, and of two moving edges, whose corners run on lines; see graze/motion.h. A
 * filter in doubles (feature_filter.h) drops those that certainly stay apart; the others are decided by first_impact.h.
 */
#include <math.h>

#include "base/environment.h"
#include "graze/motion.h"
#include "motion/feature_filter.h"
#include "motion/first_impact.h"
#include "motion/points_on_lines.h"

enum
{
    STACK_LIMBS = 4096
};

static bool all_finite(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * 0;
    return !isnan(sum);
}

/* Whether they meet at the start. */
static bool meet_at_start(const grz_moving_points *points, bool edges)
{
    static const int face[3] = {1, 2, 3};
    grz_root start;
    grz_root_at(points->scratch, 0, &start);
    if (grz_moving_orient3d_sign(points, &start, 0, 1, 2, 3) != 0)
        return false;
    return edges ? grz_moving_segments_meet(points, &start, 0, 1, 2, 3)
                 : grz_moving_point_in_triangle(points, &start, 0, face);
}

/* places[i][t]: point i at time t. */
static graze_status decide(double places[4][2][3], bool edges, graze_impact_interval *out)
{
    uint64_t limbs[STACK_LIMBS];
    grz_scratch scratch;
    grz_points_on_lines points;
    grz_scratch_start(&scratch, NULL, limbs, STACK_LIMBS);
    grz_points_on_lines_make(&points, &scratch, places);
    grz_first_impact first = {.points = &points.base, .until = 1};
    bool at_start = meet_at_start(first.points, edges);
    if (!at_start && edges)
        grz_first_impact_of_edges(&first, 0, 1, 2, 3);
    else if (!at_start)
        grz_first_impact_of_vertex_and_face(&first, 0, 1, 2, 3);
    bool failed = scratch.failed, found = at_start || first.found;
    grz_scratch_release(&scratch);
    if (failed)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    *out = (graze_impact_interval){found ? GRAZE_IMPACT_AT : GRAZE_IMPACT_NONE, first.lower, first.upper};
    return GRAZE_STATUS_OK;
}

graze_status graze_vertex_face_impact(const double vertex[2][3], const double face[2][3][3], graze_impact_interval *out)
{
    if (vertex == NULL || face == NULL || out == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!all_finite(vertex[0], 6) || !all_finite(face[0][0], 18))
        return GRAZE_STATUS_NOT_FINITE;
    double places[4][2][3];
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 3; k++)
        {
            places[0][t][k] = vertex[t][k];
            for (int i = 0; i < 3; i++)
                places[1 + i][t][k] = face[t][i][k];
        }
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = GRAZE_STATUS_OK;
    if (grz_vertex_face_apart(places))
        *out = (graze_impact_interval){GRAZE_IMPACT_NONE, 0, 0};
    else
        status = decide(places, false, out);
    grz_environment_leave_default(&environment);
    return status;
}

graze_status graze_edge_edge_impact(const double a[2][2][3], const double b[2][2][3], graze_impact_interval *out)
{
    if (a == NULL || b == NULL || out == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!all_finite(a[0][0], 12) || !all_finite(b[0][0], 12))
        return GRAZE_STATUS_NOT_FINITE;
    double places[4][2][3];
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
            {
                places[i][t][k] = a[t][i][k];
                places[2 + i][t][k] = b[t][i][k];
            }
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = GRAZE_STATUS_OK;
    if (grz_edge_edge_apart(places))
        *out = (graze_impact_interval){GRAZE_IMPACT_NONE, 0, 0};
    else
        status = decide(places, true, out);
    grz_environment_leave_default(&environment);
    return status;
}
