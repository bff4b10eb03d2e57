/* SPDX-License-Identifier: MIT */
/*
 * Separating planes of two moving triangles; see pair_doubt.h.
 *
 * In an interval of length d a corner stays within d^2/8 times a bound of its acceleration of the chord between its
 * places at both ends; for any point of the triangle the same holds with the chord's point. Along a direction n the
 * least height of B's chords less the largest of A's is a concave function of time, so that it is least at an end: if B
 * is above A at both ends by more than |n| times both deviations, errors and the margin, nothing meets in the interval.
 * If only at the first end, nothing meets before the line through both values vanishes: so time advances
 * (conservatively), with a new direction. Directions are those between the closest points at the first end: any would
 * do.
 *
 * Unless bodies turn far, the frame is cut into equal parts, whose chords are as good as needed. The whole rest of the
 * frame is tried first; where that does not do, the part in which its line vanishes, along whose chords the pair goes
 * on. Poses at the ends of parts are made once for all pairs.
 *
 * Eight pairs take their steps at once.
 *
 * Errors. Corners: the error of a matrix times |p|_1 and that of the translation, and 8 u of the magnitudes; heights: 8
 * u of |n|_1 times the largest coordinate; 2^-46 of them covers both with room to spare.
 */
#include "motion/pair_doubt.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "mesh/mesh.h"
#include "motion/motion_gap.h"
#include "simd/distance.h"

enum
{
    HALVINGS = 12,      /* of the frame: shorter steps do not count; */
    PART_HALVINGS = 14, /* where it is cut into parts, */
    MOST_CUTS = 5,      /* and it is so as often at most */
    MOST_TRIES = 64     /* then the time reached is the time of doubt */
};

/* Where a mesh is at one time. */
typedef struct mesh_place
{
    graze_pose pose, end_pose; /* rigid: the former; soft: (1 - t) of the former and t of the latter */
    double t;
    double error; /* of each coordinate of a placed vertex */
} mesh_place;

/* Both meshes at one time. */
typedef struct doubt_moment
{
    double t;
    mesh_place place[2];
} doubt_moment;

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
    double acceleration;                  /* of both together, at most */
    double shortest;                      /* shorter steps do not count */
    doubt_moment start, end;              /* of the frame, or as much of it as counts */
    unsigned parts;                       /* into how many it is cut; 0: chords of none would do */
    uint32_t made;                        /* bit i: */
    doubt_moment between[1 << MOST_CUTS]; /* part i begins there */
} doubt_search;

/* ---- places ---- */

/* A bound of the magnitudes in a placed vertex, and of |p|_1. */
static double size_of(const graze_mesh *mesh, const graze_pose *pose, double *out_most)
{
    double size = 0, reach[3];
    for (int k = 0; k < 3; k++)
        reach[k] = fmax(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
    for (int k = 0; k < 3; k++)
    {
        const double *row = pose->m + 4 * k;
        size = fmax(size, fabs(row[0]) * reach[0] + fabs(row[1]) * reach[1] + fabs(row[2]) * reach[2] + fabs(row[3]));
    }
    *out_most = reach[0] + reach[1] + reach[2];
    return size;
}

static bool place_mesh(const graze_moving_mesh *m, double t, mesh_place *out)
{
    double most, end_most;
    out->t = t;
    if (m->end_mesh == NULL)
    {
        grz_motion_span span;
        if (!grz_motion_span_make(&m->motion, t, t, &span))
            return false;
        out->pose = grz_span_pose(&span);
        double size = size_of(m->mesh, &out->pose, &most);
        out->error = span.error * most + span.offset_error + 0x1p-46 * size + 0x1p-900;
        return true;
    }
    out->pose = m->motion.start;
    out->end_pose = m->motion.kind == GRAZE_MOTION_STILL ? m->motion.start : m->motion.end;
    double size = size_of(m->mesh, &out->pose, &most);
    size += size_of(m->end_mesh, &out->end_pose, &end_most);
    out->error = 0x1p-46 * size + 0x1p-900;
    return true;
}

static bool moment_make(const grz_space_time *s, double t, doubt_moment *out)
{
    out->t = t;
    return place_mesh(s->moving_a, t, &out->place[0]) && place_mesh(s->moving_b, t, &out->place[1]);
}

static void place_corners(const graze_moving_mesh *m, const mesh_place *place, uint32_t triangle, double corners[3][3])
{
    for (size_t i = 0; i < 3; i++)
    {
        uint32_t vertex = m->mesh->triangles[3 * (size_t)triangle + i];
        graze_pose_apply(&place->pose, grz_mesh_vertex(m->mesh, vertex), corners[i]);
        if (m->end_mesh == NULL)
            continue;
        double to[3];
        graze_pose_apply(&place->end_pose, grz_mesh_vertex(m->end_mesh, vertex), to);
        for (int k = 0; k < 3; k++)
            corners[i][k] = (1 - place->t) * corners[i][k] + place->t * to[k];
    }
}

static void place_pair(const doubt_search *d, const doubt_moment *at, uint32_t a, uint32_t b, moment_of_pair *out)
{
    out->t = at->t;
    out->error = at->place[0].error + at->place[1].error;
    place_corners(d->s->moving_a, &at->place[0], a, out->a);
    place_corners(d->s->moving_b, &at->place[1], b, out->b);
}

/* ---- planes ---- */

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
        lowest = b < lowest ? b : lowest;
        highest = a > highest ? a : highest;
    }
    return lowest - highest;
}

/* The largest coordinate relative to a corner of A. */
static double size_at(const moment_of_pair *m)
{
    double size = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            double a = fabs(m->a[i][k] - m->a[0][k]), b = fabs(m->b[i][k] - m->a[0][k]);
            size = a > size ? a : size;
            size = b > size ? b : size;
        }
    return size;
}

/* The gaps along n at m and at o, each less `least`: all that it may be wrong by between the two times. */
typedef struct plane_gaps
{
    double at_m, at_o, least, slope; /* slope: |n|_1 */
} plane_gaps;

/* Of chords that begin at the time `from` and end at o, m on them. False where a number is out of range. */
static bool gaps_between(const doubt_search *d, const double n[3], double from, const moment_of_pair *m,
                         const moment_of_pair *o, plane_gaps *out)
{
    double chord = o->t - from, deviation = 0.125 * chord * chord * d->acceleration;
    double between = deviation + m->error + o->error, length = grz_length_above(n);
    double sum = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), size = fmax(size_at(m), size_at(o));
    /* shortcut: moving-triangles-parted */
    double least = (sum * (between + 0x1p-46 * size) + length * d->s->margin) * (1 + 0x1p-40) + 0x1p-900;
    *out = (plane_gaps){gap_along(m, n) - least, gap_along(o, n) - least, least, sum};
    return sum * size < 0x1p1000 && out->at_m < DBL_MAX && out->at_o < DBL_MAX; /* also heights, each one */
}

/* A pair on its way through the frame: nothing meets before m, which is on the chords that begin at `from`. */
typedef struct pair_progress
{
    double from;
    moment_of_pair m, end;
    moment_of_pair cut; /* an intermediate time, if `is_cut`: the end of the part */
    unsigned part;      /* in which m is, if there are parts */
    bool is_cut, is_done;
    int tries;
    double doubt; /* once done */
} pair_progress;

static void finish(pair_progress *p, double doubt)
{
    p->is_done = true;
    p->doubt = doubt;
}

/* ---- steps, where no chords would do but short ones ---- */

static bool place_at(const doubt_search *d, double t, const grz_node_pair *pair, moment_of_pair *out)
{
    doubt_moment at;
    if (!moment_make(d->s, t, &at))
        return false;
    place_pair(d, &at, grz_half_a(pair->refs), grz_half_b(pair->refs), out);
    return true;
}

/* Where time advances to `next`, or the step is too long for its bound of the deviation. */
static void cut_step(const doubt_search *d, const grz_node_pair *pair, const plane_gaps *gaps, double next,
                     pair_progress *p)
{
    const moment_of_pair *o = p->is_cut ? &p->cut : &p->end;
    bool advances = gaps->at_m > 0;
    moment_of_pair there;
    if (!advances) /* a step whose deviation takes half of the gap */
        next = p->m.t + fmin(0.5 * (o->t - p->m.t),
                             sqrt(4 * fmax(gaps->at_m + gaps->least, 0) / (gaps->slope * d->acceleration)));
    if (!(next - p->m.t >= d->shortest) || !place_at(d, next, pair, &there))
    {
        finish(p, p->m.t);
        return;
    }
    p->is_cut = !advances;
    *(advances ? &p->m : &p->cut) = there;
    p->from = p->m.t;
}

/* ---- parts of the frame ---- */

static double part_begins(const doubt_search *d, unsigned part)
{
    return d->start.t + (d->end.t - d->start.t) * ((double)part / d->parts);
}

/* Places the pair at the beginning of a part after the first, or at the end of the frame. */
static bool place_at_part(doubt_search *d, unsigned part, const grz_node_pair *pair, const moment_of_pair *end,
                          moment_of_pair *out)
{
    if (part == d->parts)
    {
        *out = *end;
        return true;
    }
    doubt_moment *at = &d->between[part];
    if ((d->made >> part & 1) == 0 && !moment_make(d->s, part_begins(d, part), at))
        return false;
    d->made |= UINT32_C(1) << part;
    place_pair(d, at, grz_half_a(pair->refs), grz_half_b(pair->refs), out);
    return true;
}

/* Enters the part in which `next` is; the rest of the frame as a whole was tried. */
static void enter_part(doubt_search *d, const grz_node_pair *pair, double next, pair_progress *p)
{
    unsigned part = p->part;
    while (part + 1 < d->parts && part_begins(d, part + 1) <= next)
        part++;
    if ((part > p->part && !place_at_part(d, part, pair, &p->end, &p->m)) ||
        !place_at_part(d, part + 1, pair, &p->end, &p->cut))
    {
        finish(p, p->m.t);
        return;
    }
    p->from = p->m.t;
    p->part = part;
    p->is_cut = true;
}

/* Goes on to `next` along the chords of the part. */
static void go_along(const doubt_search *d, double next, pair_progress *p)
{
    const moment_of_pair *m = &p->m, *o = &p->cut;
    double part = (next - m->t) / (o->t - m->t), error = fmax(m->error, o->error);
    if (!(next - m->t >= d->shortest) || !(next > m->t))
    {
        finish(p, next);
        return;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            p->m.a[i][k] += part * (o->a[i][k] - m->a[i][k]);
            p->m.b[i][k] += part * (o->b[i][k] - m->b[i][k]);
        }
    p->m.t = next;
    p->m.error = error * (1 + 0x1p-4); /* six roundings of coordinates: below 2^-50 of their size */
}

/*
 * One step along the direction n. Where the gap is positive at both ends, all between is settled. Where it is at m, the
 * time advances to the root of the line through both gaps, as the gap is concave. Where it is not, the step is too long
 * for its bound of the deviation, or m is the time of doubt.
 */
static void take_step(doubt_search *d, const grz_node_pair *pair, const double n[3], pair_progress *p)
{
    const moment_of_pair *o = p->is_cut ? &p->cut : &p->end;
    plane_gaps gaps;
    if (!gaps_between(d, n, p->from, &p->m, o, &gaps))
    {
        finish(p, p->m.t);
        return;
    }
    bool advances = gaps.at_m > 0;
    if (advances && gaps.at_o > 0)
    {
        if (!p->is_cut || ++p->part == d->parts)
        {
            finish(p, INFINITY);
            return;
        }
        p->m = p->cut;
        p->from = p->m.t;
        p->is_cut = false;
        return;
    }
    double step = o->t - p->m.t, next = p->m.t;
    if (advances) /* shortcut: advance-to-doubt */
        next = fmax(next, p->m.t + gaps.at_m / (gaps.at_m - gaps.at_o) * step * (1 - 0x1p-40) - 0x1p-51);
    if (d->parts == 0)
        cut_step(d, pair, &gaps, next, p);
    else if (!p->is_cut)
        enter_part(d, pair, next, p);
    else
        go_along(d, next, p);
}

/* Directions from A's closest points to B's at the times reached. */
static void between_closest(const doubt_search *d, const pair_progress *progress, size_t count, double n[GRZ_LANES][3])
{
    grz_triangle_pairs8 pairs;
    grz_closest8 closest;
    for (size_t lane = 0; lane < GRZ_LANES; lane++)
    {
        const moment_of_pair *m = &progress[lane < count ? lane : 0].m;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
            {
                pairs.a[i][k][lane] = m->a[i][k] - m->a[0][k];
                pairs.b[i][k][lane] = m->b[i][k] - m->a[0][k];
            }
    }
    d->kernels->triangles(&pairs, 0, &closest);
    for (size_t lane = 0; lane < GRZ_LANES; lane++)
        for (int k = 0; k < 3; k++)
            n[lane][k] = closest.point_b[k][lane] - closest.point_a[k][lane];
}

static void begin_pair(doubt_search *d, const grz_node_pair *pair, pair_progress *p)
{
    p->is_cut = p->is_done = false;
    p->from = d->start.t;
    p->part = 0;
    p->tries = 0;
    place_pair(d, &d->start, grz_half_a(pair->refs), grz_half_b(pair->refs), &p->m);
    place_pair(d, &d->end, grz_half_a(pair->refs), grz_half_b(pair->refs), &p->end);
    if (d->parts == 1)
        enter_part(d, pair, d->start.t, p);
}

/* Eight pairs take one step at a time; one that is done makes room for the next. */
static void find_doubts(doubt_search *d, grz_node_pair *pairs, size_t count)
{
    pair_progress progress[GRZ_LANES];
    double n[GRZ_LANES][3];
    size_t of[GRZ_LANES], lanes = 0, next = 0;
    for (; lanes < GRZ_LANES && next < count; lanes++, next++)
    {
        begin_pair(d, &pairs[next], &progress[lanes]);
        of[lanes] = next;
    }
    while (lanes > 0)
    {
        between_closest(d, progress, lanes, n);
        for (size_t lane = 0; lane < lanes;)
        {
            pair_progress *p = &progress[lane];
            if (p->tries++ < MOST_TRIES)
                take_step(d, &pairs[of[lane]], n[lane], p);
            else
                finish(p, p->m.t);
            if (!p->is_done)
            {
                lane++;
                continue;
            }
            pairs[of[lane]].masks = grz_bits(p->doubt + 0.0);
            if (next < count)
            {
                begin_pair(d, &pairs[next], p);
                of[lane++] = next++;
            }
            else if (lane < --lanes) /* the last one takes its step from here */
            {
                *p = progress[lanes];
                of[lane] = of[lanes];
                memcpy(n[lane], n[lanes], sizeof n[lane]);
            }
        }
    }
}

/* Of a mesh in the current frame. */
static double acceleration_of(const grz_moving_side *side)
{
    return side->end_mesh != NULL ? 0 : grz_moving_acceleration(&side->span, side->mesh);
}

/* Chords of a part will do where they are off by less than times are resolved. */
static void set_steps(doubt_search *d)
{
    double moves = 0, step = d->end.t - d->start.t;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 12; k++)
            moves = fmax(moves, fabs(d->end.place[side].pose.m[k] - d->start.place[side].pose.m[k]));
    double bulge = 0.125 * step * step * d->acceleration, least = ldexp(moves, -PART_HALVINGS);
    int cuts = 0;
    while (cuts <= MOST_CUTS && !(ldexp(bulge, -2 * cuts) <= least) && d->acceleration > 0)
        cuts++;
    d->parts = cuts <= MOST_CUTS ? 1u << cuts : 0;
    d->shortest = ldexp(step, d->parts > 0 ? -PART_HALVINGS : -HALVINGS);
}

void grz_pair_doubts(const grz_space_time *s, grz_node_pair *pairs, size_t count)
{
    doubt_search d;
    d.s = s;
    d.acceleration = 0;
    d.made = 0;
    d.kernels = grz_distance_kernels_for(s->context != NULL ? s->context->instructions : GRAZE_INSTRUCTIONS_BEST);
    bool known = s->side_a.known && s->side_b.known;
    if (known)
        d.acceleration = acceleration_of(&s->side_a) + acceleration_of(&s->side_b);
    known = known && d.acceleration < DBL_MAX && moment_make(s, s->t0, &d.start) &&
            moment_make(s, fmin(s->t1, fmax(s->latest, s->t0)), &d.end);
    if (known)
        set_steps(&d);
    if (known)
        find_doubts(&d, pairs, count);
    for (size_t i = 0; !known && i < count; i++)
        pairs[i].masks = grz_bits(s->t0);
}
