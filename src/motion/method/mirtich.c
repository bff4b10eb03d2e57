/* SPDX-License-Identifier: MIT */
/*
 * Mirtich's bound of the time of impact (Mirtich and Canny 1995; document 004, 5.3): with the distance d, the unit
 * vector u from the closest point of P to that of Q, velocities v of the centres, radii r about these and bounds w of
 * the angular velocities, nothing meets for d / a, a = (v_P - v_Q).u + r_P w_P + r_Q w_Q. Where the centres are
 * accelerated by g, that is for d <= a s + (g_P - g_Q).u s^2 / 2.
 *
 * Corrections: u points from P to Q (the text has it the other way round). For bodies that are not convex the closest
 * points say nothing about others, so the bound takes the gap between planes normal to u: the least height of Q's
 * vertices less the largest of P's. Where there is none, |v_P - v_Q| and |g_P - g_Q| stand in for the components along
 * u, with the distance. What is advanced by is the larger of both steps.
 *
 * Blends: points have the velocity of the origin of the mesh and at most the Frobenius norm of the change of the matrix
 * times their distance from it.
 *
 * Rounding. Distances come with a certified lower bound for poses as doubles; these are off by their error bound times
 * |p|_1 + 1. Heights have fewer than 8 roundings of coordinates below `size`. All other sums are of fewer than 40
 * roundings of numbers of one sign, or are taken at their magnitudes.
 */
#include <math.h>

#include "graze/distance.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/method/method.h"

#define UPWARD (1 + 64 * GRZ_U)

enum
{
    MOST_ADVANCES = 4096
};

/* Steps shorter than this end the search: the bodies are close. */
#define SHORTEST_ADVANCE 0x1p-20

/* One body's bounds over the whole motion. */
typedef struct mirtich_body
{
    double velocity[3], acceleration[3]; /* of the centre: at t it has velocity + t acceleration */
    double spin;                         /* r w */
    double size;                         /* the largest |p|_1 + 1 */
} mirtich_body;

static double vector_size(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrt(sum) * UPWARD + 0x1p-500;
}

/* A bound of the angular velocity of a turn: 2 |q' x q| / |q|^2 <= 2 |d| / |q|, d = q1 - q0. As the inner product is
   not negative, |q|^2 >= min(|q0|^2, |q1|^2) / 2; and |q| >= |q(1/2)| - |d| / 2. */
static double turn_speed(const graze_motion *motion)
{
    double q[2][4], d[4], middle[4], largest = 0;
    int exponent;
    for (int i = 0; i < 8; i++)
        largest = fmax(largest, fabs(motion->quaternion[i / 4][i % 4]));
    frexp(largest, &exponent);
    for (int i = 0; i < 4; i++)
    {
        for (int side = 0; side < 2; side++)
            q[side][i] = ldexp(motion->quaternion[side][i], -exponent);
        d[i] = q[1][i] - q[0][i];
        middle[i] = 0.5 * (q[0][i] + q[1][i]);
    }
    double change = vector_size(d, 4) + 8 * GRZ_U, least = fmin(vector_size(q[0], 4), vector_size(q[1], 4));
    double near = fmax(0.7071 * least, vector_size(middle, 4) - 0.5 * change) - 256 * GRZ_U;
    return near > 0 ? 2 * change / near * UPWARD : INFINITY;
}

static void measure_body(const graze_moving_mesh *m, mirtich_body *out)
{
    const graze_motion *motion = &m->motion;
    double reach = 0, change[9] = {0};
    bool turns = motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
    *out = (mirtich_body){.size = 1};
    for (size_t i = 0; i < m->mesh->vertex_count; i++)
    {
        const double *p = grz_mesh_vertex(m->mesh, (uint32_t)i);
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = (turns ? fabs(p[k] - motion->centre[k]) : fabs(p[k])) * UPWARD;
        reach = fmax(reach, vector_size(arm, 3));
        out->size = fmax(out->size, (fabs(p[0]) + fabs(p[1]) + fabs(p[2]) + 1) * UPWARD);
    }
    for (int k = 0; k < 3; k++)
    {
        if (turns)
            out->velocity[k] = motion->path[1][k];
        if (motion->kind == GRAZE_MOTION_BALLISTIC_TURN)
            out->acceleration[k] = 2 * motion->path[2][k];
        if (motion->kind != GRAZE_MOTION_BLEND)
            continue;
        out->velocity[k] = motion->end.m[4 * k + 3] - motion->start.m[4 * k + 3];
        for (int j = 0; j < 3; j++)
            change[3 * k + j] = (fabs(motion->end.m[4 * k + j] - motion->start.m[4 * k + j])) * UPWARD;
    }
    if (motion->kind == GRAZE_MOTION_BLEND)
        out->spin = vector_size(change, 9) * reach * UPWARD;
    if (turns)
        out->spin = turn_speed(motion) * reach * UPWARD;
}

/* The largest s up to `most` with a s + g s^2 / 2 <= d for all times up to it, from below. */
static double time_within(double d, double a, double g, double most)
{
    if (!(d > 0))
        return 0;
    /* Along [0, s] the left side is at most max(a, 0) s + max(g, 0) s^2 / 2, which grows; but a body that departs and
       comes back is bounded more closely by the root. */
    double speed = fmax(a, 0), pull = fmax(g, 0);
    if (a < 0 && g > 0)
    {
        double root = (-a + sqrt(a * a + 2 * g * d)) / g * (1 - 0x1p-40);
        return fmin(root, most);
    }
    double discriminant = sqrt(speed * speed + 2 * pull * d);
    double s = speed + discriminant > 0 ? 2 * d / (speed + discriminant) * (1 - 0x1p-40) : INFINITY;
    return s < most ? s : most;
}

/* A lower bound of the gap between both bodies along u, as they stand. */
static double gap_between_planes(const grz_moving_meshes *m, const graze_placed_mesh placed[2], const double u[3],
                                 double error)
{
    double highest = -INFINITY, lowest = INFINITY, size = 0;
    for (int side = 0; side < 2; side++)
    {
        const graze_mesh *mesh = side == 0 ? m->a.mesh : m->b.mesh;
        for (size_t i = 0; i < mesh->vertex_count; i++)
        {
            double p[3];
            graze_pose_apply(&placed[side].pose, grz_mesh_vertex(mesh, (uint32_t)i), p);
            double height = u[0] * p[0] + u[1] * p[1] + u[2] * p[2];
            size = fmax(size, fabs(p[0]) + fabs(p[1]) + fabs(p[2]));
            highest = side == 0 ? fmax(highest, height) : highest;
            lowest = side == 1 ? fmin(lowest, height) : lowest;
        }
    }
    return lowest - highest - error - 0x1p-44 * size;
}

/* How long nothing meets from t on. */
static graze_status advance_by(grz_motion_query *query, const mirtich_body bodies[2], double t, double *out_step)
{
    const grz_moving_meshes *m = query->meshes;
    graze_placed_mesh placed[2] = {{m->a.mesh, m->tree_a, {{0}}}, {m->b.mesh, m->tree_b, {{0}}}};
    graze_distance distance;
    graze_distance_options options = graze_distance_options_default();
    double u[3], v[3], g[3], errors[2], error = 0, along[2] = {0, 0}, sizes = 0, noise = 0;
    *out_step = 0;
    for (int side = 0; side < 2; side++)
    {
        const graze_motion *motion = side == 0 ? &m->a.motion : &m->b.motion;
        if (graze_motion_pose(motion, t, &placed[side].pose, &errors[side]) != GRAZE_STATUS_OK)
            return GRAZE_STATUS_OK;
        error += 2 * errors[side] * bodies[side].size;
        sizes += bodies[side].size;
    }
    options.relative_error = 0.01;
    options.budget = grz_monitor_budget(&query->monitor);
    query->answer.counters.distances++;
    graze_status status = graze_pair_distance(m->context, &placed[0], &placed[1], &options, &distance);
    status = grz_monitor_end_step(&query->monitor, status, 0);
    if (status != GRAZE_STATUS_OK || !(distance.distance > 0))
        return status;
    for (int k = 0; k < 3; k++)
    {
        u[k] = (distance.point_b[k] - distance.point_a[k]) / distance.distance;
        g[k] = bodies[0].acceleration[k] - bodies[1].acceleration[k];
        v[k] = bodies[0].velocity[k] - bodies[1].velocity[k] + t * g[k];
        /* of v, u and their products, at their magnitudes */
        double most = fabs(bodies[0].velocity[k]) + fabs(bodies[1].velocity[k]) + fabs(bodies[0].acceleration[k]) +
                      fabs(bodies[1].acceleration[k]);
        along[0] += v[k] * u[k];
        along[1] += g[k] * u[k];
        noise += 0x1p-44 * most;
    }
    double length = vector_size(u, 3), spin = (bodies[0].spin + bodies[1].spin) * UPWARD, rest = 1 - t;
    double planes = gap_between_planes(m, placed, u, error * length), d = distance.lower - error - 0x1p-44 * sizes;
    /* shortcut: mirtich-bound */
    double by_planes = time_within(planes, along[0] + noise + spin * length, along[1] + noise, rest);
    double by_distance = time_within(d, vector_size(v, 3) + noise + spin, vector_size(g, 3) + noise, rest);
    *out_step = fmax(by_planes, by_distance);
    return GRAZE_STATUS_OK;
}

static graze_status run_mirtich(grz_motion_query *query)
{
    mirtich_body bodies[2];
    double t = 0;
    measure_body(&query->meshes->a, &bodies[0]);
    measure_body(&query->meshes->b, &bodies[1]);
    for (int i = 0; i < MOST_ADVANCES; i++)
    {
        double step = 0;
        graze_status status =
            grz_motion_query_step(query) ? advance_by(query, bodies, t, &step) : grz_monitor_status(&query->monitor);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (step >= 1 - t)
        {
            grz_motion_query_clear(query);
            return GRAZE_STATUS_OK;
        }
        t = fmax(t + step - 0x1p-52, t);
        query->answer.lower = t;
        if (!(step >= SHORTEST_ADVANCE))
            break;
    }
    query->answer.guess = GRAZE_IMPACT_AT;
    return GRAZE_STATUS_OK;
}

const grz_motion_method grz_mirtich_method = {
    .info = {.name = "mirtich",
             .summary = "time advances by the distance, or the gap between planes, over a bound of the speed",
             .source = "004 5.3",
             .guarantee = GRAZE_METHOD_NO_SURE},
    .run = run_mirtich,
};
