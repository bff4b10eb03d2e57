/* SPDX-License-Identifier: MIT */
/*
 * Margins of soft meshes; see soft_margin.h.
 *
 * At a time t let n lead from a triangle's closest point to that of the other. A corner of the first at x + s v + r,
 * |r| <= s^2 / 2 times a bound of its acceleration, and one of the second likewise: so the difference of their heights
 * along n is at least g - s c - s^2 / 2 |n| k, g the difference at t, c how fast it closes and k both accelerations.
 * Nothing comes within the margin before the first s at which that falls to the margin times |n|, for any of the nine
 * pairs of corners: the root of a quadratic. So time advances, with a new direction, until steps are too short; then
 * times after it are tried for a distance that is certainly no more than the margin.
 *
 * Errors, u = 2^-53. A vertex of a soft mesh is at X + t (Y - X), X and Y placed with 8 u of their magnitudes; its
 * place and velocity are off by less than 32 u of both together. One of a rigid mesh: the errors of motion_span.h and
 * 16 u of magnitudes. Heights and products: 8 u of |n|_1 times the differences. 2^-46 of all magnitudes covers each.
 * Differences of corners have 2 u of magnitudes more, which that covers too; products that underflow are off by less
 * than 2^-1000 together.
 */
#include "motion/soft_margin.h"

#include <float.h>
#include <math.h>

#include "base/bits.h"
#include "base/hash_map.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/motion_gap.h"
#include "motion/space_time.h"
#include "simd/distance.h"

enum
{
    MOST_STEPS = 200,
    PAIR_TESTS = 16 /* for the budget: what a step of a pair costs, in exact predicates */
};

/* A mesh at a time, and how its points move there. */
typedef struct soft_moment
{
    grz_motion_span span; /* of a rigid mesh */
    double t;
} soft_moment;

/* Six corners, with the error of each coordinate, and of each of the velocities. */
typedef struct soft_pair
{
    double x[6][3], v[6][3], error, rate_error;
} soft_pair;

/* How a pair of triangles comes near. */
typedef struct soft_meeting
{
    bool may_meet, is_proved;
    double lower, upper; /* not within the margin before; within it then, if proved */
    double point[3], normal[3];
} soft_meeting;

typedef struct soft_search
{
    const grz_moving_meshes *meshes;
    const graze_impact_options *options;
    grz_monitor *monitor;
    const grz_distance_kernels *kernels;
    double acceleration; /* of both together, at most */
    double shortest;     /* shorter steps do not count */
    grz_space_time traversal;
    grz_hash_map known;
    grz_enclosed_hits *hits; /* all pairs; NULL: the first impact alone */
    double earliest;         /* of all lower times */
    bool found;
    graze_impact best;
    graze_status failure;
} soft_search;

/* ---- places ---- */

/* False where numbers are out of range. */
static bool moment_of(const graze_moving_mesh *m, double t, soft_moment *out)
{
    out->t = t;
    return m->end_mesh != NULL || grz_motion_span_make(&m->motion, t, t, &out->span);
}

static double add_magnitude(const graze_pose *pose, const double p[3])
{
    double most = 0;
    for (int k = 0; k < 3; k++)
    {
        const double *row = pose->m + 4 * k;
        most = fmax(most, fabs(row[0] * p[0]) + fabs(row[1] * p[1]) + fabs(row[2] * p[2]) + fabs(row[3]));
    }
    return most;
}

static void place_soft_corner(const graze_moving_mesh *m, const soft_moment *at, uint32_t vertex, int corner,
                              soft_pair *out)
{
    const graze_pose *start = &m->motion.start;
    const graze_pose *end = m->motion.kind == GRAZE_MOTION_STILL ? start : &m->motion.end;
    const double *p = grz_mesh_vertex(m->mesh, vertex), *q = grz_mesh_vertex(m->end_mesh, vertex);
    double from[3], to[3], error = 0x1p-46 * (add_magnitude(start, p) + add_magnitude(end, q)) + 0x1p-900;
    graze_pose_apply(start, p, from);
    graze_pose_apply(end, q, to);
    for (int k = 0; k < 3; k++)
    {
        out->v[corner][k] = to[k] - from[k];
        out->x[corner][k] = from[k] + at->t * out->v[corner][k];
    }
    out->error = fmax(out->error, error);
    out->rate_error = fmax(out->rate_error, error);
}

static void place_rigid_corner(const graze_moving_mesh *m, const soft_moment *at, uint32_t vertex, int corner,
                               soft_pair *out)
{
    const grz_motion_span *span = &at->span;
    const double *p = grz_mesh_vertex(m->mesh, vertex);
    double sum = fabs(p[0]) + fabs(p[1]) + fabs(p[2]), most = 0;
    for (int k = 0; k < 3; k++)
    {
        double x = span->offset[k], v = span->drift[k], terms = fabs(x) + fabs(v);
        for (int j = 0; j < 3; j++)
        {
            x += span->matrix[k][j] * p[j];
            v += span->rate[k][j] * p[j];
            terms += fabs(span->matrix[k][j] * p[j]) + fabs(span->rate[k][j] * p[j]);
        }
        out->x[corner][k] = x;
        out->v[corner][k] = v;
        most = fmax(most, terms);
    }
    double rounding = 0x1p-46 * most + 0x1p-900;
    out->error = fmax(out->error, (span->error * sum + span->offset_error) * (1 + 0x1p-40) + rounding);
    out->rate_error = fmax(out->rate_error, (span->rate_error * sum + span->drift_error) * (1 + 0x1p-40) + rounding);
}

static bool place_pair(const soft_search *s, uint32_t a, uint32_t b, double t, soft_pair *out)
{
    const graze_moving_mesh *sides[2] = {&s->meshes->a, &s->meshes->b};
    out->error = out->rate_error = 0;
    for (int side = 0; side < 2; side++)
    {
        soft_moment at;
        const graze_moving_mesh *m = sides[side];
        if (!moment_of(m, t, &at))
            return false;
        for (int i = 0; i < 3; i++)
        {
            uint32_t vertex = m->mesh->triangles[3 * (size_t)(side == 0 ? a : b) + (size_t)i];
            (m->end_mesh != NULL ? place_soft_corner : place_rigid_corner)(m, &at, vertex, 3 * side + i, out);
        }
    }
    return out->error < DBL_MAX && out->rate_error < DBL_MAX;
}

/* ---- one pair ---- */

/* From the closest point of the first to that of the second, in any length; the distance of these, from above, or
   INFINITY. */
static double closest(const soft_search *s, const soft_pair *pair, soft_meeting *out)
{
    grz_triangle_pairs8 pairs;
    grz_closest8 found;
    double size = 0, squares = 0;
    int exponent = -1000;
    for (int i = 0; i < 18; i++) /* relative to a corner: coordinates may be large */
        size = fmax(size, fabs(pair->x[i / 3][i % 3] - pair->x[0][i % 3]));
    if (!(size < 0x1p1000))
        return INFINITY;
    if (size > 0)
        frexp(size, &exponent);
    for (int i = 0; i < 9; i++)
        for (int lane = 0; lane < GRZ_LANES; lane++)
        {
            int corner = i / 3, k = i % 3; /* of at most 1 */
            pairs.a[corner][k][lane] = ldexp(pair->x[corner][k] - pair->x[0][k], -exponent);
            pairs.b[corner][k][lane] = ldexp(pair->x[3 + corner][k] - pair->x[0][k], -exponent);
        }
    s->kernels->triangles(&pairs, 0, &found);
    for (int k = 0; k < 3; k++)
    {
        double way = found.point_b[k][0] - found.point_a[k][0];
        out->point[k] = pair->x[0][k] + ldexp(0.5 * (found.point_a[k][0] + found.point_b[k][0]), exponent);
        out->normal[k] = way;
        squares += way * way;
    }
    /* The points are on the triangles but for 2^-40 of their size; corners are off by the error on each axis. */
    return ldexp(sqrt(squares) * (1 + 8 * GRZ_U) + 0x1p-40, exponent) + 4 * pair->error;
}

/* How long no two corners come within the margin along n. */
static double time_along(const soft_search *s, const soft_pair *pair, const double n[3])
{
    double sum = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), least = INFINITY;
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * (1 + 8 * GRZ_U);
    double bend = length * s->acceleration;
    if (!(length > 0x1p-400 && length < 0x1p400))
        return 0;
    for (int i = 0; i < 9; i++)
    {
        const double *a = pair->x[i / 3], *b = pair->x[3 + i % 3], *v = pair->v[i / 3], *w = pair->v[3 + i % 3];
        double gap = 0, closing = 0, size = 0, speed = 0;
        for (int k = 0; k < 3; k++)
        {
            gap += n[k] * (b[k] - a[k]);
            closing -= n[k] * (w[k] - v[k]);
            size = fmax(size, fabs(b[k] - a[k]));
            speed = fmax(speed, fabs(w[k] - v[k]));
        }
        /* shortcut: corners-beyond-the-margin */
        gap -= s->options->margin * length * (1 + 8 * GRZ_U) + sum * (2 * pair->error + 0x1p-46 * size) + 0x1p-1000;
        closing = fmax(0, closing + sum * (2 * pair->rate_error + 0x1p-46 * speed));
        if (!(gap > 0))
            return 0;
        double rate = closing + hypot(closing, sqrt(2 * bend) * sqrt(gap)); /* squares of small numbers underflow */
        least = fmin(least, rate > 0 ? 2 * gap / rate * (1 - 0x1p-40) : INFINITY);
    }
    return least;
}

/* Tries times after the one reached. */
static void prove_meeting(const soft_search *s, uint32_t a, uint32_t b, soft_meeting *out)
{
    const int most = -ilogb(s->shortest) + 1;
    for (int k = most + 1; k >= 0 && !out->is_proved; k--)
    {
        soft_pair pair;
        double t = fmin(1, out->lower + (k > most ? 0 : ldexp(1, -k)));
        /* shortcut: softly-within-the-margin */
        out->is_proved = place_pair(s, a, b, t, &pair) && closest(s, &pair, out) <= s->options->margin;
        out->upper = t;
    }
}

/* From a time before which they are apart. */
static void meet_pair(const soft_search *s, uint32_t a, uint32_t b, double from, soft_meeting *out)
{
    *out = (soft_meeting){.may_meet = true, .lower = from, .upper = 1};
    for (int step = 0; step < MOST_STEPS; step++)
    {
        soft_pair pair;
        double time = 0;
        if (place_pair(s, a, b, out->lower, &pair) && closest(s, &pair, out) < INFINITY)
            time = time_along(s, &pair, out->normal);
        out->may_meet = !(time > 1 - out->lower);
        if (!out->may_meet)
            return;
        if (time < s->shortest)
            break;
        out->lower = nextafter(out->lower + time, 0);
    }
    prove_meeting(s, a, b, out);
}

/* ---- all pairs ---- */

static bool is_known(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    soft_search *s = user;
    return grz_hash_map_find(&s->known, grz_join_halves(triangle_b, triangle_a)) != NULL;
}

static void take_best(soft_search *s, uint32_t a, uint32_t b, const soft_meeting *meeting)
{
    double length = 0;
    if (!meeting->is_proved || (s->found && meeting->upper >= s->best.upper))
        return;
    s->found = true;
    s->best = (graze_impact){.verdict = GRAZE_IMPACT_AT, .upper = meeting->upper, .at_start = !(meeting->upper > 0)};
    s->best.hit.triangle_a = a;
    s->best.hit.triangle_b = b;
    s->best.hit.face_a = grz_mesh_face(s->meshes->a.mesh, a);
    s->best.hit.face_b = grz_mesh_face(s->meshes->b.mesh, b);
    for (int k = 0; k < 3; k++)
        length = hypot(length, meeting->normal[k]);
    for (int k = 0; k < 3; k++)
    {
        s->best.point[k] = meeting->point[k];
        s->best.normal[k] = length > 0 ? meeting->normal[k] / length : 0;
    }
    s->traversal.latest = fmin(s->traversal.latest, meeting->upper);
}

static bool take_candidate(void *user, uint32_t triangle_a, uint32_t triangle_b, double t0, double t1)
{
    soft_search *s = user;
    soft_meeting meeting;
    (void)t1;
    if (is_known(s, triangle_a, triangle_b))
        return true;
    if (!grz_monitor_exact_tests(s->monitor, PAIR_TESTS))
        s->failure = grz_monitor_status(s->monitor);
    else if (!grz_hash_map_set(s->meshes->context, &s->known, grz_join_halves(triangle_b, triangle_a), 1))
        s->failure = GRAZE_STATUS_OUT_OF_MEMORY;
    if (s->failure != GRAZE_STATUS_OK)
        return false;
    s->traversal.stats.triangle_tests++;
    meet_pair(s, triangle_a, triangle_b, t0, &meeting);
    if (!meeting.may_meet)
        return true;
    s->earliest = fmin(s->earliest, meeting.lower);
    if (s->hits == NULL)
    {
        take_best(s, triangle_a, triangle_b, &meeting);
        return true;
    }
    const graze_impact_interval when = {meeting.is_proved ? GRAZE_IMPACT_AT : GRAZE_IMPACT_UNKNOWN, meeting.lower,
                                        meeting.is_proved ? meeting.upper : 1};
    if (!GRZ_PUSH(s->meshes->context, s->hits, ((graze_pair_impact_hit){triangle_a, triangle_b, when})))
        s->failure = GRAZE_STATUS_OUT_OF_MEMORY;
    return s->failure == GRAZE_STATUS_OK;
}

/* How fast velocities change, of both together. */
static bool bound_acceleration(soft_search *s)
{
    const graze_moving_mesh *sides[2] = {&s->meshes->a, &s->meshes->b};
    for (int side = 0; side < 2; side++)
    {
        grz_motion_span span;
        if (sides[side]->end_mesh != NULL || sides[side]->motion.kind == GRAZE_MOTION_STILL)
            continue;
        if (!grz_motion_span_make(&sides[side]->motion, 0, 1, &span))
            return false;
        s->acceleration += grz_moving_acceleration(&span, sides[side]->mesh);
    }
    return s->acceleration < 0x1p400;
}

static graze_status traverse(soft_search *s, graze_impact_stats *stats)
{
    const grz_moving_meshes *m = s->meshes;
    double resolution = s->options->resolution > 0 ? s->options->resolution : 0x1p-22;
    s->kernels = grz_distance_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    s->shortest = fmin(0.125, fmax(0x1p-40, 0x1p-4 * resolution));
    s->earliest = INFINITY;
    s->traversal = (grz_space_time){.context = m->context,
                                    .moving_a = &m->a,
                                    .moving_b = &m->b,
                                    .tree_a = m->tree_a,
                                    .tree_b = m->tree_b,
                                    .margin = s->options->margin * (1 + 4 * GRZ_U),
                                    .propose = take_candidate,
                                    .settled = is_known,
                                    .user = s,
                                    .early = s->hits != NULL,
                                    .monitor = s->monitor};
    if (!bound_acceleration(s))
        s->acceleration = INFINITY; /* no step is known */
    graze_status status = grz_space_time_start(&s->traversal);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = grz_space_time_advance(&s->traversal);
    s->earliest = fmin(s->earliest, status == GRAZE_STATUS_OK ? INFINITY : grz_space_time_reached(&s->traversal));
    stats->box_tests += s->traversal.stats.box_tests;
    stats->intervals += s->traversal.stats.intervals;
    stats->leaf_pairs += s->traversal.stats.leaf_pairs;
    stats->triangle_tests += s->traversal.stats.triangle_tests;
    grz_space_time_end(&s->traversal);
    grz_hash_map_release(m->context, &s->known);
    return s->failure != GRAZE_STATUS_OK ? s->failure : status;
}

graze_status grz_soft_margin_impact(const grz_moving_meshes *meshes, const graze_impact_options *options,
                                    grz_monitor *monitor, graze_impact_stats *stats, graze_impact *out)
{
    soft_search s = {.meshes = meshes, .options = options, .monitor = monitor};
    graze_status status = traverse(&s, stats);
    if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNFINISHED)
        return status;
    double lower = s.earliest > 0 && s.earliest <= 1 ? nextafter(s.earliest, 0) : 0;
    if (s.found)
    {
        *out = s.best;
        out->lower = fmin(lower, out->upper);
    }
    else if (status == GRAZE_STATUS_OK && !(s.earliest <= 1))
        *out = (graze_impact){.verdict = GRAZE_IMPACT_NONE, .clearance_lower = options->margin};
    else
        *out = (graze_impact){.verdict = GRAZE_IMPACT_UNKNOWN, .lower = lower, .upper = 1};
    return GRAZE_STATUS_OK;
}

graze_status grz_soft_margin_visit(const grz_moving_meshes *meshes, const graze_impact_options *options,
                                   grz_monitor *monitor, graze_impact_stats *stats, grz_enclosed_hits *hits)
{
    soft_search s = {.meshes = meshes, .options = options, .monitor = monitor, .hits = hits};
    return traverse(&s, stats);
}
