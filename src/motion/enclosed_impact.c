/* SPDX-License-Identifier: MIT */
/*
 * Three-valued first impacts; see enclosed_impact.h.
 *
 * Time is halved into pieces, the earlier first. In each both motions are kernel motions up to a deviation, and a
 * space- time traversal with margin plus deviations finds the pairs of triangles that may meet, and when at the
 * earliest. If there is none, the piece is clear. Pieces that are not clear are halved, down to 2^-MOST_DEPTH or the
 * resolution; there an impact is proved at a single time: triangles that cross wherever their corners are within the
 * deviations and errors of their places, or, with a margin, that are certainly no farther apart. What is proved at some
 * time lies after all pieces that are clear, so the first impact is between the end of these and that time.
 */
#include "motion/enclosed_impact.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/curve_motion.h"
#include "motion/impact_estimate.h"
#include "motion/motion_gap.h"
#include "motion/motion_pose.h"
#include "motion/motion_span.h"
#include "motion/pair_kernel.h"
#include "motion/space_time.h"
#include "simd/distance.h"

enum
{
    MOST_DEPTH = 22, /* pieces are no shorter than 2^-22 */
    MOST_COARSE = 12,
    MOST_OPEN = 64,  /* pieces of that length that remain unknown before the search ends */
    MOST_PAIRS = 32, /* of a piece, on which a proof is tried */
    STEPS = 10,      /* times at which it is tried, for each */
    PROOF_TESTS = 64 /* for the budget: what that costs, in exact predicates */
};

/* Pieces with a larger deviation, relative to the smaller body, are halved before pairs are looked for; at most
   MOST_COARSE times, as a body may have no size. */
#define COARSE 0.0625

typedef struct near_pair
{
    uint32_t a, b;
    double t; /* in the piece: they are apart before */
} near_pair;

typedef struct enclosed_search
{
    const grz_moving_meshes *meshes; /* with the whole motions */
    const graze_impact_options *options;
    grz_monitor *monitor;
    graze_impact_stats *stats;
    grz_moving_meshes piece; /* with those of the current piece */
    double deviation;        /* of both together */
    double reach[2], size[2];
    grz_space_time traversal;
    grz_motion_gap gap;
    near_pair pairs[MOST_PAIRS];
    size_t pair_count;
    bool lost;        /* the piece is out of range: its pairs are not known */
    double clearance; /* of all clear pieces so far */
} enclosed_search;

bool grz_impact_is_enclosed(const grz_moving_meshes *meshes, const graze_impact_options *options)
{
    return options->margin > 0 || grz_motion_is_enclosed(&meshes->a.motion) ||
           grz_motion_is_enclosed(&meshes->b.motion);
}

/* ---- proofs at one time ---- */

/* The orientation of four points in boxes: its sign, or 0 where it is not certain. */
static int sign_of_volume(interval p[4][3])
{
    interval d[3][3], sum = {0, 0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            d[i][k] = interval_sub(p[i][k], p[3][k]);
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        interval minor = interval_sub(interval_mul(d[1][i], d[2][j]), interval_mul(d[1][j], d[2][i]));
        sum = interval_add(sum, interval_mul(d[0][k], minor));
    }
    return sum.lower > 0 ? 1 : sum.upper < 0 ? -1 : 0;
}

static int side_of(interval a[3], interval b[3], interval c[3], interval d[3])
{
    interval p[4][3];
    memcpy(p[0], a, sizeof p[0]);
    memcpy(p[1], b, sizeof p[1]);
    memcpy(p[2], c, sizeof p[2]);
    memcpy(p[3], d, sizeof p[3]);
    return sign_of_volume(p);
}

/* Whether some edge of one triangle certainly passes through the interior of the other. */
static bool edge_passes(interval edges[3][3], interval face[3][3])
{
    int heights[3];
    for (int i = 0; i < 3; i++)
        heights[i] = side_of(face[0], face[1], face[2], edges[i]);
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3;
        if (heights[i] * heights[j] >= 0)
            continue;
        int first = side_of(edges[i], edges[j], face[0], face[1]);
        if (first != 0 && side_of(edges[i], edges[j], face[1], face[2]) == first &&
            side_of(edges[i], edges[j], face[2], face[0]) == first)
            return true;
    }
    return false;
}

/* The corners of a triangle of a mesh at a time of the piece, as intervals that contain where they are in truth. */
static bool enclose_corners(const graze_moving_mesh *m, uint32_t triangle, double t, double deviation,
                            interval corners[3][3])
{
    graze_pose pose;
    grz_pose_error error;
    if (grz_motion_pose(&m->motion, t, &pose, &error) != GRAZE_STATUS_OK)
        return false;
    for (int i = 0; i < 3; i++)
    {
        const double *p = grz_mesh_vertex(m->mesh, m->mesh->triangles[3 * (size_t)triangle + (size_t)i]);
        for (int k = 0; k < 3; k++)
        {
            const double *row = pose.m + 4 * k;
            interval x = interval_outward(row[3] - error.translation, row[3] + error.translation);
            for (int j = 0; j < 3; j++)
            {
                interval entry = interval_outward(row[j] - error.linear, row[j] + error.linear);
                x = interval_add(x, interval_mul(entry, interval_point(p[j])));
            }
            /* shortcut: crossing-within-deviations */
            corners[i][k] = interval_outward(x.lower - deviation, x.upper + deviation);
        }
    }
    return true;
}

/* An upper bound of the distance of two triangles whose corners are in these boxes; the normal is not of length 1. */
static double distance_above(interval a[3][3], interval b[3][3], graze_impact *impact)
{
    grz_triangle_pairs8 pairs;
    grz_closest8 found;
    double width = 0, size = 0, squares = 0;
    int exponent;
    for (int i = 0; i < 9; i++)
    {
        interval x = a[i / 3][i % 3], y = b[i / 3][i % 3];
        width = fmax(width, fmax(x.upper - x.lower, y.upper - y.lower));
        size = fmax(size, fmax(fabs(x.lower), fabs(x.upper)) + fmax(fabs(y.lower), fabs(y.upper)));
    }
    if (!(size < 0x1p1000))
        return INFINITY;
    frexp(size, &exponent); /* coordinates of at most 1 from here on, of which squares are in range */
    for (int i = 0; i < 9; i++)
        for (int lane = 0; lane < GRZ_LANES; lane++)
        {
            interval x = a[i / 3][i % 3], y = b[i / 3][i % 3];
            pairs.a[i / 3][i % 3][lane] = ldexp(0.5 * (x.lower + x.upper), -exponent);
            pairs.b[i / 3][i % 3][lane] = ldexp(0.5 * (y.lower + y.upper), -exponent);
        }
    grz_distance_kernels_for(GRAZE_INSTRUCTIONS_SCALAR)->triangles(&pairs, 0, &found);
    for (int k = 0; k < 3; k++)
    {
        double d = found.point_b[k][0] - found.point_a[k][0];
        impact->point[k] = ldexp(0.5 * (found.point_a[k][0] + found.point_b[k][0]), exponent);
        impact->normal[k] = d;
        squares += d * d;
    }
    /* The closest points of the middles are on their triangles but for 2^-40 of their size; these may be off by a width
       on each axis, of each: some two widths in all. */
    return ldexp(sqrt(squares) * (1 + 8 * GRZ_U) + 0x1p-40, exponent) + 4 * width;
}

/* Whether the pair is proved to meet at a time of the piece; sets what is known of the impact but for its times. */
static bool meets_at(enclosed_search *s, const near_pair *pair, double t, graze_impact *impact)
{
    interval a[3][3], b[3][3];
    if (!enclose_corners(&s->piece.a, pair->a, t, s->deviation, a) ||
        !enclose_corners(&s->piece.b, pair->b, t, s->deviation, b))
        return false;
    if (s->options->margin > 0)
    {
        /* shortcut: certainly-within-the-margin */
        if (!(distance_above(a, b, impact) <= s->options->margin))
            return false;
        double length = sqrt(impact->normal[0] * impact->normal[0] + impact->normal[1] * impact->normal[1] +
                             impact->normal[2] * impact->normal[2]);
        for (int k = 0; k < 3; k++)
            impact->normal[k] = length > 0 ? impact->normal[k] / length : 0;
        return true;
    }
    return edge_passes(a, b) || edge_passes(b, a);
}

/* Tries to prove that the pair meets in the piece: at times from where it may meet first, or where the enclosing
   motions meet. Returns the time in the piece, or INFINITY. */
static graze_status prove_pair(enclosed_search *s, const near_pair *pair, graze_impact *impact, double *out_t)
{
    double from = pair->t;
    grz_pair_time time = {0};
    *out_t = INFINITY;
    if (!(s->options->margin > 0))
    {
        const grz_impact_question question = {.details = true, .until = 1, .from = pair->t, .root_later = true};
        s->stats->triangle_tests++;
        graze_status status =
            grz_pair_first_time(s->meshes->context, &s->piece.a, &s->piece.b, pair->a, pair->b, &question, &time);
        if (status != GRAZE_STATUS_OK || !time.found)
            return status;
        from = time.contact.when.upper;
    }
    for (int step = -1; step < STEPS; step++)
    {
        double t = step < 0 ? from : from + ldexp(1, 4 * (step - STEPS + 1)) * (1 - from);
        if (!meets_at(s, pair, t, impact))
            continue;
        impact->hit.triangle_a = pair->a;
        impact->hit.triangle_b = pair->b;
        impact->hit.face_a = grz_mesh_face(s->meshes->a.mesh, pair->a);
        impact->hit.face_b = grz_mesh_face(s->meshes->b.mesh, pair->b);
        impact->lower = impact->upper = t;
        if (!(s->options->margin > 0))
        {
            impact->hit.contact = time.contact.contact;
            impact->crosses = true;
            grz_impact_estimate(&s->piece.a, &s->piece.b, impact);
        }
        *out_t = t;
        return GRAZE_STATUS_OK;
    }
    return GRAZE_STATUS_OK;
}

/* ---- pieces ---- */

static bool take_pair(void *user, uint32_t triangle_a, uint32_t triangle_b, double t0, double t1)
{
    enclosed_search *s = user;
    (void)t1;
    s->pairs[s->pair_count++] = (near_pair){triangle_a, triangle_b, t0};
    return s->pair_count < MOST_PAIRS;
}

/* Sets the motions of a piece. */
static bool set_piece(enclosed_search *s, uint32_t n, int k)
{
    double deviations[2];
    s->lost = true;
    if (!grz_motion_piece(&s->meshes->a.motion, n, k, s->reach[0], s->size[0], &s->piece.a.motion, &deviations[0]) ||
        !grz_motion_piece(&s->meshes->b.motion, n, k, s->reach[1], s->size[1], &s->piece.b.motion, &deviations[1]))
        return false;
    s->deviation = (deviations[0] + deviations[1]) * (1 + 4 * GRZ_U);
    s->lost = false;
    return true;
}

/* Finds the pairs that may meet in the piece, in order of time for the first of them; *out_reached is a time in it up
   to which nothing does. With none the piece is clear. */
static graze_status examine_piece(enclosed_search *s, bool may_be_coarse, double *out_reached)
{
    /* shortcut: clear-but-for-deviations */
    double margin = (s->options->margin + s->deviation) * (1 + 4 * GRZ_U);
    uint64_t searches = s->gap.searches;
    double gap = grz_motion_gap_find(&s->gap, &s->piece, margin, s->monitor);
    s->stats->distance_queries += s->gap.searches - searches;
    s->pair_count = 0;
    *out_reached = 0;
    if (gap > margin)
    {
        s->clearance = fmin(s->clearance, (gap - s->deviation) * (1 - 4 * GRZ_U));
        return GRAZE_STATUS_OK;
    }
    if (may_be_coarse && s->deviation > COARSE * fmin(s->reach[0], s->reach[1]))
    {
        s->pair_count = MOST_PAIRS; /* most pairs would be in doubt: its halves are known better */
        return GRAZE_STATUS_OK;
    }
    s->traversal.margin = margin;
    graze_status status = grz_space_time_start(&s->traversal);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = grz_space_time_advance(&s->traversal);
    s->stats->box_tests += s->traversal.stats.box_tests;
    s->stats->intervals += s->traversal.stats.intervals;
    s->stats->leaf_pairs += s->traversal.stats.leaf_pairs;
    bool cut = status == GRAZE_STATUS_CANCELLED && s->pair_count == MOST_PAIRS;
    double cut_at = cut ? grz_space_time_reached(&s->traversal) : 1; /* pairs not listed may meet from there on */
    if (cut)
        status = GRAZE_STATUS_OK;
    if (status == GRAZE_STATUS_OK && s->pair_count == 0)
        s->clearance = fmin(s->clearance, s->options->margin);
    *out_reached = status == GRAZE_STATUS_OK && s->pair_count > 0 ? cut_at : 0;
    for (size_t i = 0; i < s->pair_count; i++)
        *out_reached = fmin(*out_reached, s->pairs[i].t);
    return status;
}

typedef struct time_stack
{
    uint32_t n[MOST_DEPTH + 2];
    int k[MOST_DEPTH + 2];
    int count;
} time_stack;

static void push(time_stack *stack, uint32_t n, int k)
{
    stack->n[stack->count] = n;
    stack->k[stack->count++] = k;
}

/* What is known so far. */
typedef struct progress
{
    double lower;   /* nothing meets before */
    bool is_open;   /* something may meet from there on, at a piece that was not settled */
    int open_count; /* of such pieces */
    bool found;
} progress;

static double below(double t)
{
    return t > 0 ? nextafter(t, 0) : 0;
}

/* A piece that is as short as they get: an impact in it is proved, or it stays open. */
static graze_status settle(enclosed_search *s, uint32_t n, int k, progress *p, graze_impact *impact)
{
    for (size_t i = 0; i < s->pair_count && !s->lost && !p->found; i++)
    {
        double t;
        if (!grz_monitor_exact_tests(s->monitor, PROOF_TESTS))
            return grz_monitor_status(s->monitor);
        graze_status status = prove_pair(s, &s->pairs[i], impact, &t);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (!(t <= 1))
            continue;
        p->found = true;
        impact->verdict = GRAZE_IMPACT_AT;
        impact->at_start = n == 0 && !(t > 0);
        impact->lower = p->lower;
        impact->upper = impact->at_start ? 0 : fmin(1, nextafter(ldexp(n + t, -k), 2));
    }
    p->is_open = true;
    p->open_count++;
    return GRAZE_STATUS_OK;
}

static graze_status run(enclosed_search *s, graze_impact *out)
{
    time_stack stack = {.count = 0};
    progress p = {0};
    graze_impact impact = {0};
    graze_status status = GRAZE_STATUS_OK;
    int deepest = MOST_DEPTH;
    for (; deepest > 1 && ldexp(1, -deepest) < s->options->resolution; deepest--)
        continue;
    push(&stack, 1, 1);
    push(&stack, 0, 1);
    while (status == GRAZE_STATUS_OK && stack.count > 0 && !p.found && p.open_count < MOST_OPEN)
    {
        uint32_t n = stack.n[--stack.count];
        int k = stack.k[stack.count];
        double reached = 0;
        if (!grz_monitor_box_tests(s->monitor, 1))
            status = grz_monitor_status(s->monitor);
        else if (set_piece(s, n, k))
            status = examine_piece(s, k < deepest && k < MOST_COARSE, &reached);
        else
            s->pair_count = MOST_PAIRS;
        if (status != GRAZE_STATUS_OK)
            break;
        if (!p.is_open)
            p.lower = s->pair_count == 0 ? ldexp(n + 1.0, -k) : below(ldexp(n + reached, -k));
        if (s->pair_count > 0 && k < deepest)
        {
            push(&stack, 2 * n + 1, k + 1);
            push(&stack, 2 * n, k + 1);
        }
        else if (s->pair_count > 0)
            status = settle(s, n, k, &p, &impact);
    }
    if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNFINISHED)
        return status;
    if (p.found)
        *out = impact;
    else if (status == GRAZE_STATUS_OK && !p.is_open)
        *out = (graze_impact){.verdict = GRAZE_IMPACT_NONE, .clearance_lower = fmax(s->clearance, 0)};
    else
        *out = (graze_impact){.verdict = GRAZE_IMPACT_UNKNOWN, .lower = p.lower, .upper = 1};
    return GRAZE_STATUS_OK;
}

void grz_moving_mesh_extent(const graze_moving_mesh *m, double *out_reach, double *out_size)
{
    double arm[3], sum = 0;
    for (int k = 0; k < 3; k++)
    {
        double lower = m->mesh->lower[k], upper = m->mesh->upper[k], centre = m->motion.centre[k];
        arm[k] = fmax(fabs(lower - centre), fabs(upper - centre));
        sum += fmax(fabs(lower), fabs(upper));
    }
    *out_reach = grz_length_above(arm) * (1 + 16 * GRZ_U);
    *out_size = sum * (1 + 16 * GRZ_U);
}

graze_status grz_enclosed_impact(const grz_moving_meshes *meshes, const graze_impact_options *options,
                                 grz_monitor *monitor, graze_impact_stats *stats, graze_impact *out)
{
    enclosed_search *s = grz_allocate(meshes->context, 1, sizeof *s);
    if (s == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    *s = (enclosed_search){.meshes = meshes,
                           .options = options,
                           .monitor = monitor,
                           .stats = stats,
                           .piece = *meshes,
                           .clearance = INFINITY};
    grz_moving_mesh_extent(&meshes->a, &s->reach[0], &s->size[0]);
    grz_moving_mesh_extent(&meshes->b, &s->reach[1], &s->size[1]);
    s->traversal = (grz_space_time){.context = meshes->context,
                                    .moving_a = &s->piece.a,
                                    .moving_b = &s->piece.b,
                                    .tree_a = meshes->tree_a,
                                    .tree_b = meshes->tree_b,
                                    .propose = take_pair,
                                    .user = s,
                                    .monitor = monitor};
    graze_impact impact;
    graze_status status = run(s, &impact);
    grz_space_time_end(&s->traversal);
    grz_release(meshes->context, s);
    if (status == GRAZE_STATUS_OK)
        *out = impact;
    return status;
}
