/* SPDX-License-Identifier: MIT */
/*
 * The distance of two placed meshes: the minimum over all pairs of triangles, as triangle_distance.h measures them.
 *
 * The answer is the minimum of the computed distances of all pairs, the first in order of triangles where several are
 * equal; a pair is pruned only where its computed distance is certainly larger. Pairs that doubles leave loose wait
 * until the search has ended, and are settled together, in an order of their own (loose_pairs.h). So the answer does
 * not depend on the traversal. And the two arguments are always taken in the same order, so that swapping them swaps
 * the answer.
 */
#include "graze/distance.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/struct_size.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "pair/arguments.h"
#include "pair/distance/axis_bound.h"
#include "pair/distance/loose_pairs.h"
#include "pair/distance/proximity.h"
#include "pair/distance/scaled_pair.h"
#include "pair/distance/wide_pair.h"

/* A pair whose bounds differ by more than this, relatively, is measured again, in twice the precision. It affects
   accuracy only: both results are valid. */
#define LOOSE 0x1p-36

typedef struct distance_query
{
    grz_measure_frame frame;
    double limit, stretch; /* stretch = 1 + relative error */
    double enough;         /* the absolute error: no need to find a pair that is nearer by so much */
    bool found;
    grz_closest_pair best;
    double lower;             /* the minimum of the lower bounds of all pairs measured */
    grz_closest_pair nearest; /* the closest pair measured, also beyond the limit: its points guide the search */
    grz_loose_pairs loose;    /* not measured yet */
    const graze_context *context;
    bool out_of_memory;
    grz_monitor *monitor; /* may be NULL */
} distance_query;

/* The smaller of two bounds, compared by bits: where denormals are flushed to zero, < finds neither smaller, and the
   result depends on the compiler. */
static double smaller(double x, double y)
{
    return grz_is_less(x, y) ? x : y;
}

/*
 * Pairs that are farther apart than this need not be measured. A computed distance is at least the exact one less twice
 * the points' error bound, or less a few roundings when measured in integers.
 */
static double bound_of(const distance_query *m)
{
    double least = m->found ? smaller(m->best.distance, m->loose.distance) : m->loose.distance;
    if (!(least < INFINITY))
        return m->found ? smaller(least, m->limit) : m->limit;
    double bound = m->stretch > 1 ? least / m->stretch : least * (1 + 32 * GRZ_U) + 4.1 * m->frame.point_error;
    if (m->enough > 0)
        bound = smaller(bound, least > m->enough ? least - m->enough : 0);
    return smaller(bound, m->limit);
}

static bool comes_first(const grz_closest_pair *x, const grz_closest_pair *y)
{
    if (grz_rank(x->distance) != grz_rank(y->distance))
        return grz_is_less(x->distance, y->distance);
    return x->triangle_a != y->triangle_a ? x->triangle_a < y->triangle_a : x->triangle_b < y->triangle_b;
}

/* Whether a disjoint pair is at most the limit apart. Exact: bounds decide where they can, integers do where the limit
   lies between them. Compared by bits, as <= may flush denormals to zero. */
static bool is_within_limit(distance_query *m, const grz_closest_pair *gap)
{
    return grz_is_at_most(gap->upper, m->limit) ||
           (grz_is_at_most(gap->lower, m->limit) && grz_pair_is_within(&m->frame, gap, m->limit, false));
}

/* Whether a pair left open is certainly near enough: then it does not matter whether it meets. */
static bool is_near_enough(const distance_query *m, const grz_closest_pair *gap)
{
    /* shortcut: near-enough-in-doubles */
    return gap->upper <= m->enough && gap->upper <= m->limit;
}

/* Whether a pair is to be measured again when the search has ended. Doubles say that it is within the limit. */
static bool waits(const distance_query *m, const grz_closest_pair *gap)
{
    return gap->lower < gap->distance * (1 - LOOSE) && gap->upper - gap->lower > m->enough && gap->upper <= m->limit &&
           grz_pair_may_wait(&m->frame, gap);
}

/* Returns false when out of memory. */
static bool keep_waiting(distance_query *m, const grz_closest_pair *gap)
{
    if (gap->distance < m->nearest.distance)
        m->nearest = *gap;
    if (gap->lower > m->loose.upper || (m->found && gap->lower > m->best.distance))
        return true;
    m->out_of_memory = !grz_loose_pairs_add(&m->loose, m->context, gap);
    return !m->out_of_memory;
}

/* Takes a pair that was kept waiting, and is measured. */
static bool take_measured(void *user, const grz_closest_pair *gap)
{
    distance_query *m = user;
    if (gap->meet || !m->found || comes_first(gap, &m->best))
        m->best = *gap;
    m->found = true;
    return !gap->meet;
}

static void settle(distance_query *m)
{
    if (m->found && m->best.meet)
        return;
    double most = m->found ? smaller(m->best.upper, m->loose.upper) : m->loose.upper;
    m->lower = smaller(m->lower, grz_loose_pairs_settle(&m->loose, &m->frame, most, take_measured, m, m->monitor));
}

/* Updates the minimum with one pair; returns false when nothing can be nearer, or need be. */
static bool add_pair(distance_query *m, grz_closest_pair *gap)
{
    if (m->enough > 0 && m->frame.usable && gap->upper - gap->lower > m->enough)
        grz_raise_lower_bound(&m->frame, m->enough, gap);
    if (waits(m, gap))
        return keep_waiting(m, gap);
    if (gap->open && !is_near_enough(m, gap))
        grz_measure_open_pair(&m->frame, gap);
    else if (gap->open)
        gap->lower = 0;
    if (gap->meet)
    {
        m->best = *gap;
        m->found = true;
        m->lower = 0;
        return false;
    }
    if (gap->distance < m->nearest.distance)
        m->nearest = *gap;
    double worst = smaller(m->found ? m->best.distance : m->limit, m->loose.upper);
    if (gap->lower > worst) /* and so is its distance */
        return true;
    if (gap->lower < gap->distance * (1 - LOOSE) && gap->shifted && gap->upper - gap->lower > m->enough &&
        !grz_measure_widely(&m->frame, gap, NULL))
        grz_measure_exactly(&m->frame, gap);
    bool within = is_within_limit(m, gap);
    double lower = within || grz_is_less(m->limit, gap->lower) ? gap->lower : m->limit;
    m->lower = smaller(m->lower, lower);
    if (within && (!m->found || comes_first(gap, &m->best)))
    {
        m->best = *gap;
        m->found = true;
    }
    return !(m->found && m->enough > 0 && m->best.upper <= m->enough);
}

static bool measure_pairs(void *user, const grz_triangle_pair_batch *pairs, grz_distance_bound *bound)
{
    distance_query *m = user;
    grz_closest_pair gaps[GRZ_LANES];
    if (!grz_monitor_exact_tests(m->monitor, pairs->count))
        return false;
    grz_measure_pairs_in_doubles(&m->frame, pairs, gaps);
    for (unsigned i = 0; i < pairs->count; i++)
    {
        if (!add_pair(m, &gaps[i]))
            return false;
    }
    bound->distance = bound_of(m);
    bound->witnessed = m->nearest.distance < INFINITY;
    for (int k = 0; k < 3 && bound->witnessed; k++)
    {
        double shift = m->nearest.shifted ? 0 : m->frame.pose_a.m[4 * k + 3];
        bound->point_a[k] = m->nearest.point_a[k] - shift;
        bound->point_b[k] = m->nearest.point_b[k] - shift;
    }
    return true;
}

/* A point shared by the two triangles of a pair that meets. */
static void common_point(const distance_query *m, double out[3])
{
    const uint32_t *a = m->frame.mesh_a->triangles + 3 * (size_t)m->best.triangle_a;
    const uint32_t *b = m->frame.mesh_b->triangles + 3 * (size_t)m->best.triangle_b;
    graze_placed_triangle first = {.pose = &m->frame.pose_a}, second = {.pose = &m->frame.pose_b};
    for (int c = 0; c < 3; c++)
    {
        first.corners[c] = grz_mesh_vertex(m->frame.mesh_a, a[c]);
        second.corners[c] = grz_mesh_vertex(m->frame.mesh_b, b[c]);
    }
    graze_intersection intersection = graze_triangle_intersection(&first, &second);
    memcpy(out, intersection.points[0], sizeof intersection.points[0]);
}

static void swap_sides(graze_distance *d)
{
    graze_distance old = *d;
    d->triangle_a = old.triangle_b;
    d->triangle_b = old.triangle_a;
    d->face_a = old.face_b;
    d->face_b = old.face_a;
    memcpy(d->point_a, old.point_b, sizeof old.point_b);
    memcpy(d->point_b, old.point_a, sizeof old.point_a);
}

static graze_distance result_of(const distance_query *m)
{
    graze_distance d = {.found = m->found, .distance = INFINITY, .upper = INFINITY};
    double unmeasured = bound_of(m); /* pairs that were not measured are at least this far apart */
    d.lower = smaller(m->lower, unmeasured);
    if (!m->found)
        return d;
    d.upper = smaller(m->limit, m->best.upper); /* the pair is within the limit */
    d.distance = smaller(d.upper, m->best.distance);
    d.lower = smaller(d.lower, d.distance);
    d.triangle_a = m->best.triangle_a;
    d.triangle_b = m->best.triangle_b;
    d.face_a = graze_mesh_triangle_face(m->frame.mesh_a, d.triangle_a);
    d.face_b = graze_mesh_triangle_face(m->frame.mesh_b, d.triangle_b);
    if (m->best.meet)
    {
        common_point(m, d.point_a);
        memcpy(d.point_b, d.point_a, sizeof d.point_a);
    }
    else
        grz_closest_points_in_world(&m->frame, &m->best, d.point_a, d.point_b);
    return d;
}

/* From the scaled world to the caller's. */
static void scale_back(const grz_scaled_pair *pair, graze_distance *d)
{
    if (pair->power == 0)
        return;
    d->lower = grz_scaled_lower(pair, d->lower);
    d->upper = grz_scaled_upper(pair, d->upper);
    d->distance = d->found ? grz_scaled_upper(pair, d->distance) : d->distance;
    d->distance = smaller(d->upper, d->distance);
    for (int k = 0; k < 3 && d->found; k++)
    {
        d->point_a[k] = grz_scale(d->point_a[k], pair->power);
        d->point_b[k] = grz_scale(d->point_b[k], pair->power);
    }
}

graze_status graze_pair_distance(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                 const graze_distance_options *options, graze_distance *out_distance)
{
    GRZ_FULL_STRUCT(graze_distance_options, options);
    if (out_distance == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_distance_options wanted = options != NULL ? *options : graze_distance_options_default();
    graze_status status = grz_check_arguments(a, b);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!(wanted.limit >= 0) || grz_is_less(wanted.limit, 0) ||
        !(wanted.relative_error >= 0 && wanted.relative_error < INFINITY) ||
        !(wanted.absolute_error >= 0 && wanted.absolute_error < INFINITY))
        return GRAZE_STATUS_BAD_ARGUMENT;
    bool swapped = grz_arguments_swapped(a, b);
    grz_scaled_pair pair;
    grz_scaled_pair_make(&pair, swapped ? b : a, swapped ? a : b, &wanted.limit, 1);
    distance_query m = {.limit = pair.lengths[0],
                        .stretch = 1 + wanted.relative_error,
                        .enough = grz_scale(wanted.absolute_error, -pair.power),
                        .lower = INFINITY,
                        .nearest = {.distance = INFINITY},
                        .loose = grz_loose_pairs_none(),
                        .context = context};
    grz_measure_frame_make(&m.frame, context, pair.a, pair.b);
    grz_proximity_search proximity = {.context = context,
                                      .bound = {.distance = pair.lengths[0]},
                                      .propose = measure_pairs,
                                      .user = &m,
                                      .shrinking = true};
    grz_monitor monitor = grz_monitor_make(&wanted.budget);
    proximity.monitor = m.monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL;
    grz_proximity_search_run(&proximity, pair.a, pair.b);
    bool out_of_memory = proximity.out_of_memory || m.out_of_memory;
    if (!out_of_memory && monitor.status == GRAZE_STATUS_OK)
        settle(&m);
    grz_loose_pairs_release(&m.loose, context);
    if (wanted.stats != NULL)
        *wanted.stats = (graze_stats){proximity.box_tests, proximity.leaf_pairs, m.frame.pairs, m.frame.stages.exact};
    if (out_of_memory || monitor.status != GRAZE_STATUS_OK)
        return out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : monitor.status;
    *out_distance = result_of(&m);
    scale_back(&pair, out_distance);
    if (swapped)
        swap_sides(out_distance);
    return GRAZE_STATUS_OK;
}
