/* SPDX-License-Identifier: MIT */
/*
 * Space-time bounds (Hubbard 1993; Zachmann 1994, 2.7): whole bodies in spheres. After a time s from t, the centre of a
 * body with the velocity v at t and an acceleration of at most M is within M s^2 / 2 of x + v s, so that the body is in
 * a *horn* of radius r + M s^2 / 2. Two horns meet at the earliest when |dx + dv s| = R + M s^2 / 2, with sums of both.
 * The horn up to a time T is within a *trapezoid*, a box whose faces move evenly: r + (M T / 2) s on each axis; these
 * meet when all three axes do. The pair sleeps until the later one of both times. Then the bounds start afresh; where
 * the spheres overlap, the meshes are tested as they stand at the next frame.
 *
 * No is proved if the spheres never overlap in an interval that was not slept through. Else the tests at frames make a
 * guess. (A known half-space of the acceleration would cut the horns: motions here have none.)
 *
 * Rounding: radii are made larger by 2^-40 of all magnitudes, which exceeds the errors of some 30 operations.
 */
#include <math.h>

#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/method/method.h"
#include "motion/motion_span.h"

enum
{
    FRAMES = 64,
    MOST_NAPS = 1024,
    HORN_TRIES = 64
};

/* One body at a time: where the centre of its box is, and what bounds it until the end. */
typedef struct horn
{
    double place[3], velocity[3], radius, acceleration, magnitude;
} horn;

static double radius_about(const graze_mesh *mesh, const double centre[3])
{
    double most = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++)
    {
        const double *p = grz_mesh_vertex(mesh, (uint32_t)i);
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += (p[k] - centre[k]) * (p[k] - centre[k]);
        most = fmax(most, square);
    }
    return sqrt(most) * (1 + 0x1p-40) + 0x1p-500;
}

/* By how much a matrix may stretch: the square of its norm is at most the largest sum of magnitudes in a row of R^T R.
 */
static double stretch_of(const graze_pose *pose)
{
    const double *m = pose->m;
    double most = 0;
    for (int i = 0; i < 3; i++)
    {
        double sum = 0, magnitude = 0;
        for (int j = 0; j < 3; j++)
        {
            double x = m[i] * m[j], y = m[4 + i] * m[4 + j], z = m[8 + i] * m[8 + j];
            sum += fabs(x + y + z);
            magnitude += fabs(x) + fabs(y) + fabs(z);
        }
        most = fmax(most, sum + 0x1p-45 * magnitude);
    }
    return sqrt(most) * (1 + 0x1p-45) + 0x1p-500;
}

/* The bounds of a body from t on. False where numbers are out of range. */
static bool make_horn(const graze_moving_mesh *m, double t, double radius, const double centre[3], horn *out)
{
    grz_motion_span now, rest;
    double arm = 0, stretch = 1;
    if (!grz_motion_span_make(&m->motion, t, t, &now) || !grz_motion_span_make(&m->motion, t, 1, &rest))
        return false;
    *out = (horn){.radius = 0};
    for (int k = 0; k < 3; k++)
    {
        out->place[k] = now.offset[k];
        out->velocity[k] = now.drift[k];
        out->magnitude += fabs(now.offset[k]) + fabs(now.drift[k]);
        for (int j = 0; j < 3; j++)
        {
            out->place[k] += now.matrix[k][j] * centre[j];
            out->velocity[k] += now.rate[k][j] * centre[j];
            out->magnitude += (fabs(now.matrix[k][j]) + fabs(now.rate[k][j])) * fabs(centre[j]);
        }
        arm += (centre[k] - rest.centre[k]) * (centre[k] - rest.centre[k]);
    }
    if (m->motion.kind == GRAZE_MOTION_BLEND || m->motion.kind == GRAZE_MOTION_STILL)
        stretch = stretch_of(&m->motion.start);
    if (m->motion.kind == GRAZE_MOTION_BLEND) /* norms are convex: between the ends it is no larger */
        stretch = fmax(stretch, stretch_of(&m->motion.end));
    double errors = (now.error + now.rate_error) * (fabs(centre[0]) + fabs(centre[1]) + fabs(centre[2]));
    errors += now.offset_error + now.drift_error;
    double half_sq = rest.half * rest.half;
    if (half_sq > 0)
        out->acceleration = 2 * (rest.bend * sqrt(arm) + rest.bend_offset) / half_sq * (1 + 0x1p-40);
    out->radius = radius * stretch * (1 + 0x1p-40) + 4 * errors + 0x1p-40 * out->magnitude;
    return isfinite(out->radius) && isfinite(out->acceleration) && isfinite(out->magnitude);
}

/* What two horns are to one another. */
typedef struct horn_pair
{
    double place[3], velocity[3], radius, acceleration;
} horn_pair;

/* The time that passes until the spheres may meet, from below: the gap shrinks by no more than |dv| + M s until s. */
static double horn_time(const horn_pair *p, double most)
{
    double s = 0, speed = 0;
    for (int k = 0; k < 3; k++)
        speed += p->velocity[k] * p->velocity[k];
    speed = sqrt(speed) * (1 + 0x1p-40);
    for (int i = 0; i < HORN_TRIES && s < most; i++)
    {
        double square = 0;
        for (int k = 0; k < 3; k++)
        {
            double x = p->place[k] + p->velocity[k] * s;
            square += x * x;
        }
        double gap = sqrt(square) * (1 - 0x1p-40) - p->radius - 0.5 * p->acceleration * s * s * (1 + 0x1p-40);
        if (!(gap > 0))
            break;
        double falls = speed + p->acceleration * most, step = falls > 0 ? gap / falls * (1 - 0x1p-40) : INFINITY;
        s = fmin(s + step, most);
    }
    return s;
}

/* The same by trapezoids: INFINITY where they never meet within `most`. */
static double trapezoid_time(const horn_pair *p, double most)
{
    double from = 0, to = most, growth = 0.5 * p->acceleration * most * (1 + 0x1p-40);
    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2)
        {
            /* side (place + velocity s) <= radius + growth s */
            double gap = side * p->place[k] - p->radius, closes = growth - side * p->velocity[k];
            if (gap > 0 && !(closes > 0))
                return INFINITY;
            if (gap > 0)
                from = fmax(from, gap / closes * (1 - 0x1p-40));
            else if (closes < 0)
                to = fmin(to, gap / closes * (1 + 0x1p-40));
        }
    return from <= to ? from : INFINITY;
}

/* How long the pair may sleep from t on. */
static double sleep_from(grz_motion_query *query, double t, const double radii[2], double centres[2][3])
{
    horn horns[2];
    horn_pair pair = {.radius = 0};
    query->answer.counters.bounds++;
    if (!make_horn(&query->meshes->a, t, radii[0], centres[0], &horns[0]) ||
        !make_horn(&query->meshes->b, t, radii[1], centres[1], &horns[1]))
        return 0;
    for (int k = 0; k < 3; k++)
    {
        pair.place[k] = horns[1].place[k] - horns[0].place[k];
        pair.velocity[k] = horns[1].velocity[k] - horns[0].velocity[k];
    }
    pair.radius = (horns[0].radius + horns[1].radius) * (1 + 0x1p-40);
    pair.acceleration = (horns[0].acceleration + horns[1].acceleration) * (1 + 0x1p-40);
    /* shortcut: asleep-by-space-time-bounds */
    return fmax(horn_time(&pair, 1 - t), trapezoid_time(&pair, 1 - t));
}

/* Whether the meshes meet as they stand. */
static graze_status meet_at(grz_motion_query *query, double t, bool *out_meet)
{
    const grz_moving_meshes *m = query->meshes;
    graze_placed_mesh placed[2] = {{m->a.mesh, m->tree_a, {{0}}}, {m->b.mesh, m->tree_b, {{0}}}};
    *out_meet = false;
    query->answer.counters.frames++;
    if (graze_motion_pose(&m->a.motion, t, &placed[0].pose, NULL) != GRAZE_STATUS_OK ||
        graze_motion_pose(&m->b.motion, t, &placed[1].pose, NULL) != GRAZE_STATUS_OK)
        return GRAZE_STATUS_OK;
    return graze_pair_any(m->context, &placed[0], &placed[1], NULL, out_meet, NULL);
}

static graze_status run_bounds(grz_motion_query *query)
{
    const graze_mesh *meshes[2] = {query->meshes->a.mesh, query->meshes->b.mesh};
    double centres[2][3], radii[2], t = 0;
    bool awake = false, meet = false;
    for (int side = 0; side < 2; side++)
    {
        for (int k = 0; k < 3; k++)
            centres[side][k] = meshes[side]->lower[k] / 2 + meshes[side]->upper[k] / 2;
        radii[side] = radius_about(meshes[side], centres[side]);
    }
    for (int i = 0; i < MOST_NAPS && t < 1; i++)
    {
        if (!grz_motion_query_step(query))
            return grz_monitor_status(&query->monitor);
        double nap = sleep_from(query, t, radii, centres), next = (floor(t * FRAMES) + 1) / FRAMES;
        if (nap >= 1 - t)
        {
            t = 1;
            break;
        }
        t = nap > 0 ? fmax(t + nap - 0x1p-52, t) : t;
        if (!awake)
            query->answer.lower = t;
        if (nap * FRAMES > 0.25)
            continue;
        awake = true; /* until the next frame */
        t = next;
        graze_status status = meet_at(query, fmin(t, 1), &meet);
        if (status != GRAZE_STATUS_OK || meet)
        {
            query->answer.guess = GRAZE_IMPACT_AT;
            query->answer.upper = fmin(t, 1);
            return status;
        }
    }
    if (!awake && t >= 1)
        grz_motion_query_clear(query);
    else if (t >= 1)
        query->answer.guess = GRAZE_IMPACT_NONE;
    return GRAZE_STATUS_OK;
}

const grz_motion_method grz_space_time_bounds_method = {
    .info = {.name = "space-time-bounds",
             .summary = "sleeps until horns or trapezoids around both bodies may meet, then tests frames",
             .source = "000 2.7",
             .guarantee = GRAZE_METHOD_NO_SURE},
    .run = run_bounds,
};
