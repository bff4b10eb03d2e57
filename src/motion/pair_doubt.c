/* SPDX-License-Identifier: MIT */
/*
 * Separating planes of two moving triangles; see pair_doubt.h.
 *
 * In an interval of length d a corner stays within d^2/8 times a bound of its acceleration of the chord between its
 * places at both ends; for any point of the triangle the same holds with the chord's point. Along a direction n the
 * least height of B's chords less the largest of A's is a concave function of time, so that it is least at an end: if B
 * is above A at both ends by more than |n| times both deviations, errors and the margin, nothing meets in the interval.
 * The direction is that between the closest points at one of the ends: any would do. Intervals that fail are halved.
 *
 * Errors. Corners: the error of a pose times |p|_1 + 1, and 8 u of the magnitudes; heights: 8 u of |n|_1 times the
 * largest coordinate; 2^-46 of them covers both with room to spare.
 */
#include "motion/pair_doubt.h"

#include <float.h>
#include <math.h>

#include "mesh/mesh.h"
#include "simd/distance.h"

enum
{
    HALVINGS = 16 /* of the frame */
};

/* The two triangles at one time. */
typedef struct moment_of_pair
{
    double t;
    double a[3][3], b[3][3];
    double error; /* of the corners of both together, per axis */
} moment_of_pair;

typedef struct doubt_search
{
    const grz_space_time *s;
    const grz_distance_kernels *kernels;
    const double *start_a[3], *start_b[3], *end_a[3], *end_b[3]; /* corners in their meshes; ends of soft ones */
    double acceleration;                                         /* of both together, at most */
} doubt_search;

static bool place(const graze_moving_mesh *m, const double *const start[3], const double *const end[3], double t,
                  double corners[3][3], double *error)
{
    graze_pose pose;
    double pose_error = 0, most = 1, size = 0;
    const graze_motion *motion = &m->motion;
    if (m->end_mesh == NULL && graze_motion_pose(motion, t, &pose, &pose_error) != GRAZE_STATUS_OK)
        return false;
    for (int i = 0; i < 3; i++)
    {
        const double *p = start[i];
        if (m->end_mesh == NULL)
            graze_pose_apply(&pose, p, corners[i]);
        else
        {
            double from[3], to[3];
            graze_pose_apply(&motion->start, p, from);
            graze_pose_apply(motion->kind == GRAZE_MOTION_STILL ? &motion->start : &motion->end, end[i], to);
            for (int k = 0; k < 3; k++)
            {
                corners[i][k] = (1 - t) * from[k] + t * to[k];
                size = fmax(size, fabs(from[k]) + fabs(to[k]));
            }
        }
        most = fmax(most, 1 + fabs(p[0]) + fabs(p[1]) + fabs(p[2]));
    }
    const graze_pose *poses[2] = {m->end_mesh == NULL ? &pose : &motion->start,
                                  m->end_mesh == NULL ? &pose : &motion->end};
    for (int end_of = 0; end_of < 2; end_of++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
            {
                const double *row = poses[end_of]->m + 4 * k,
                             *p = end_of == 1 && m->end_mesh != NULL ? end[i] : start[i];
                double sum = fabs(row[0] * p[0]) + fabs(row[1] * p[1]) + fabs(row[2] * p[2]) + fabs(row[3]);
                size = fmax(size, sum);
            }
    *error += pose_error * most + 0x1p-46 * size + 0x1p-900;
    return true;
}

static bool moment_make(const doubt_search *d, double t, moment_of_pair *out)
{
    out->t = t;
    out->error = 0;
    return place(d->s->moving_a, d->start_a, d->end_a, t, out->a, &out->error) &&
           place(d->s->moving_b, d->start_b, d->end_b, t, out->b, &out->error);
}

/* From A's closest point to B's. */
static void between_closest(const doubt_search *d, const moment_of_pair *m, double n[3])
{
    grz_triangle_pairs8 pairs;
    grz_closest8 closest;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (int lane = 0; lane < GRZ_LANES; lane++)
            {
                pairs.a[i][k][lane] = m->a[i][k] - m->a[0][k];
                pairs.b[i][k][lane] = m->b[i][k] - m->a[0][k];
            }
    d->kernels->triangles(&pairs, 0, &closest);
    for (int k = 0; k < 3; k++)
        n[k] = closest.point_b[k][0] - closest.point_a[k][0];
}

/* How far B is above A along n. */
static double gap_along(const moment_of_pair *m, const double n[3])
{
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < 3; i++)
    {
        double a = 0, b = 0;
        for (int k = 0; k < 3; k++) /* relative to a corner: coordinates may be large */
        {
            a += n[k] * (m->a[i][k] - m->a[0][k]);
            b += n[k] * (m->b[i][k] - m->a[0][k]);
        }
        lowest = fmin(lowest, b);
        highest = fmax(highest, a);
    }
    return lowest - highest;
}

static bool are_parted(const doubt_search *d, const moment_of_pair *m, const moment_of_pair *o)
{
    double step = o->t - m->t, between = 0.125 * step * step * d->acceleration + m->error + o->error + d->s->margin;
    for (int end = 0; end < 2; end++)
    {
        double n[3], size = 0;
        between_closest(d, end == 0 ? m : o, n);
        double sum = fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
            {
                size = fmax(size, fmax(fabs(m->a[i][k] - m->a[0][k]), fabs(m->b[i][k] - m->a[0][k])));
                size = fmax(size, fmax(fabs(o->a[i][k] - o->a[0][k]), fabs(o->b[i][k] - o->a[0][k])));
            }
        /* shortcut: moving-triangles-parted */
        double least = sum * (between + 0x1p-46 * size) * (1 + 0x1p-40) + 0x1p-900;
        if (sum < DBL_MAX && gap_along(m, n) > least && gap_along(o, n) > least)
            return true;
    }
    return false;
}

/* The first time of doubt between two moments; INFINITY if there is none. */
static double first_doubt(const doubt_search *d, const moment_of_pair *m, const moment_of_pair *o, int halvings)
{
    if (are_parted(d, m, o))
        return INFINITY;
    double middle = m->t + 0.5 * (o->t - m->t);
    moment_of_pair between;
    if (halvings == 0 || !(middle > m->t && middle < o->t) || !moment_make(d, middle, &between))
        return m->t;
    double doubt = first_doubt(d, m, &between, halvings - 1);
    return doubt < INFINITY ? doubt : first_doubt(d, &between, o, halvings - 1);
}

/* A bound of the acceleration of all points of a mesh in the current frame. */
static double acceleration_of(const grz_moving_side *side)
{
    if (side->end_mesh != NULL)
        return 0;
    double h = side->span.half, reach = 0;
    for (int k = 0; k < 3; k++)
    {
        double d =
            fmax(fabs(side->mesh->lower[k] - side->span.centre[k]), fabs(side->mesh->upper[k] - side->span.centre[k]));
        reach += d * d;
    }
    return 2 * (side->span.bend * sqrt(reach) + side->span.bend_offset) / (h * h) * (1 + 0x1p-40);
}

double grz_pair_doubt(const grz_space_time *s, uint32_t triangle_a, uint32_t triangle_b)
{
    if (!s->side_a.known || !s->side_b.known)
        return s->t0;
    doubt_search d = {.s = s};
    d.kernels = grz_distance_kernels_for(s->context != NULL ? s->context->instructions : GRAZE_INSTRUCTIONS_BEST);
    for (int i = 0; i < 3; i++)
    {
        const graze_mesh *mesh = s->moving_a->mesh, *end = s->moving_a->end_mesh;
        uint32_t vertex = mesh->triangles[3 * (size_t)triangle_a + (size_t)i];
        d.start_a[i] = grz_mesh_vertex(mesh, vertex);
        d.end_a[i] = end != NULL ? grz_mesh_vertex(end, vertex) : NULL;
        mesh = s->moving_b->mesh;
        end = s->moving_b->end_mesh;
        vertex = mesh->triangles[3 * (size_t)triangle_b + (size_t)i];
        d.start_b[i] = grz_mesh_vertex(mesh, vertex);
        d.end_b[i] = end != NULL ? grz_mesh_vertex(end, vertex) : NULL;
    }
    d.acceleration = acceleration_of(&s->side_a) + acceleration_of(&s->side_b);
    moment_of_pair start, end;
    if (!(d.acceleration < DBL_MAX) || !moment_make(&d, s->t0, &start) ||
        !moment_make(&d, fmin(s->t1, fmax(s->latest, s->t0)), &end))
        return s->t0;
    return first_doubt(&d, &start, &end, HALVINGS);
}
