/* SPDX-License-Identifier: MIT */
/*
 * The narrow phase: tests one pair of parts. The strongest verdict that holds counts, and limits say whether it is a
 * finding:
 *
 * - duplicate: each body contains the other;
 * - contains: one body lies in the other, with or without touching its surface;
 * - crosses: the bodies overlap: they share interior points, as graze_pair_overlap says, also where no surfaces meet.
 *   Allowed up to a depth: when the certified upper bound is at most that;
 * - touches: surfaces meet, and the bodies do not overlap. Allowed where the limits say so;
 * - too close: a gap strictly below the clearance.
 *
 * Parts that cross, but certainly no deeper than the sum of their resolutions, and parts with a gap that is not larger,
 * touch, too. Bodies in one another, and equal ones, are what they are at any resolution: the depth of their common
 * points is that of the inner body, which is above its resolution unless it is flat.
 *
 * Where the library answers UNKNOWN, the pair is undecided, unless every possible verdict is allowed. A verdict that is
 * certain to be that or a stronger one remains a finding.
 */
#include "clash/narrow_phase.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "clash/mated_parts.h"
#include "clash/measures.h"
#include "clash/open_mesh.h"
#include "clash/snug_fit.h"
#include "clash/verdict_cache.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/region.h"

enum
{
    DEPTH_QUERIES = 0, /* as many as the query tries by default */
    DEPTH_CELLS = 0,   /* as many as the query examines by default */
    SNUG_CELLS = 8000  /* of parts whose depth is bounded already */
};

double grz_clash_resolution_of(const grz_clash_part *a, const grz_clash_part *b)
{
    return fmin(a->resolution + b->resolution, DBL_MAX);
}

double grz_clash_reach_of(const grz_clash_part *a, const grz_clash_part *b, double clearance)
{
    return fmax(clearance, grz_clash_resolution_of(a, b));
}

/* The difference of two bounds may be rounded up by one ulp, so the comparison has a margin of several. */
bool grz_clash_boxes_within(const graze_box *a, const graze_box *b, double distance)
{
    /* shortcut: aabbs-beyond-clearance */
    double limit = distance * (1 + 4 * DBL_EPSILON);
    for (int axis = 0; axis < 3; axis++)
    {
        double above = a->lower[axis] - b->upper[axis], below = b->lower[axis] - a->upper[axis];
        if (above * (1 - 2 * DBL_EPSILON) > limit || below * (1 - 2 * DBL_EPSILON) > limit)
            return false;
    }
    return true;
}

static bool are_aabbs_within(const grz_clash_part *a, const grz_clash_part *b, double distance)
{
    const graze_box of_a = {{a->lower[0], a->lower[1], a->lower[2]}, {a->upper[0], a->upper[1], a->upper[2]}};
    const graze_box of_b = {{b->lower[0], b->lower[1], b->lower[2]}, {b->upper[0], b->upper[1], b->upper[2]}};
    return grz_clash_boxes_within(&of_a, &of_b, distance);
}

/* A pair in the narrow phase, with what is known so far. */
typedef struct pair_test
{
    const graze_context *context;
    const grz_clash_part *a, *b;
    const grz_clash_limits *limits;
    double resolution;  /* of both parts together */
    bool may_be_cached; /* then `relation` is valid */
    grz_clash_relative_placement relation;
    graze_overlap_options overlap_options;
    graze_hit first; /* of their surfaces, if they meet */
    graze_verdict overlap;
    grz_clash_overlap_width mate; /* found: they overlap no wider than doubles resolve, or than the resolution */
    double snug_depth;            /* no common point is deeper: a few resolutions, or infinite */
    bool measured;
    graze_interference measures; /* valid if `measured`, with its region */
    graze_clash_finding *f;
} pair_test;

static const double nowhere[3] = {0, 0, 0};

/* The overlap width bounds depth and way out: no need to search for the deepest point. */
static void take_mate(pair_test *m)
{
    if (m->measures.deepest.overlap == GRAZE_VERDICT_NO)
        return;
    m->measures.deepest.upper = m->measures.way_out.upper = m->mate.width;
    memcpy(m->measures.way_out.translation, m->mate.vector, sizeof m->mate.vector);
    m->measures.volume = m->measures.volume_error = 0.5 * grz_clash_thin_volume(m->a, m->b, m->mate.width);
}

/* A snug fit has a bounded depth, though its way out may be as long as it is wide. */
static void take_snug_fit(pair_test *m)
{
    if (m->measures.deepest.overlap != GRAZE_VERDICT_NO)
        m->measures.deepest.upper = fmin(m->measures.deepest.upper, m->snug_depth);
}

/* What the depth of parts says that are not both closed. Where the inside of one is not known, neither is the upper
 * bound, unless a plane separates them up to the resolution. Two surfaces hold no point: the way out bounds how far
 * they reach through one another. */
static void bound_open_depth(pair_test *m)
{
    if (m->a->closed && m->b->closed)
        return;
    if (m->mate.found)
        take_mate(m);
    else if (grz_clash_is_open(m->a) || grz_clash_is_open(m->b))
        m->measures.deepest.upper = INFINITY;
    else if (!m->a->closed && !m->b->closed)
        m->measures.deepest.upper = m->measures.way_out.upper;
}

/* Depth, way out and volume, and the contact too, unless nobody will ask for it if they touch: from one search for
 * contacts. The depth is known well enough when it is known up to the resolution. The depth of mated parts is known
 * already, from their overlap width. */
static graze_status measure_interference(pair_test *m, graze_containment containment)
{
    graze_interference_options options = graze_interference_options_default();
    options.body_a = m->a->body;
    options.body_b = m->b->body;
    options.absolute_error = m->resolution;
    bool known = m->mate.found || m->snug_depth <= m->resolution;
    options.contacts_only = known;
    options.max_queries = DEPTH_QUERIES;
    options.max_cells = m->snug_depth < INFINITY ? SNUG_CELLS : DEPTH_CELLS;
    options.region = !m->limits->allow_touch;
    options.pieces = options.volume = !known;
    options.containment = containment;
    graze_status status = graze_pair_interference(m->context, &m->a->placed, &m->b->placed, &options, &m->measures);
    m->measured = status == GRAZE_STATUS_OK;
    if (m->measured)
        bound_open_depth(m);
    if (m->measured && m->snug_depth < INFINITY)
        take_snug_fit(m);
    return status;
}

/* Whether the bodies overlap. Of two closed bodies the interference query tells that too; for open ones it would be
 * slow and useless. */
static graze_status find_overlap(pair_test *m)
{
    if (!m->a->closed || !m->b->closed)
        return graze_pair_overlap(m->context, &m->a->placed, &m->b->placed, &m->overlap_options, &m->overlap);
    graze_status status = measure_interference(m, GRAZE_CONTAINMENT_NONE);
    if (m->measured && m->mate.found)
        take_mate(m);
    m->overlap = m->measured ? m->measures.deepest.overlap : GRAZE_VERDICT_UNKNOWN;
    return status;
}

/* The contact region, at the place of the parts; m->measures keeps it. */
static graze_status find_region(pair_test *m)
{
    if (m->measures.region != NULL)
        return GRAZE_STATUS_OK;
    return graze_region_create(m->context, &m->a->placed, &m->b->placed, NULL, &m->measures.region);
}

/* What resolution makes of parts that cross up to this depth, or have a gap of up to this: they touch. */
static void set_within_resolution(pair_test *m, graze_clash_verdict exact)
{
    m->f->verdict = m->limits->allow_touch ? GRAZE_CLASH_CLEAR : GRAZE_CLASH_TOUCHES;
    m->f->exact = exact;
    m->f->within_resolution = true;
    m->f->rule = m->limits->touch_rule;
}

/* Sets the depth, and whether it is certainly allowed. */
static graze_status set_crossing(pair_test *m)
{
    graze_clash_finding *f = m->f;
    graze_status status = m->measured ? GRAZE_STATUS_OK : measure_interference(m, GRAZE_CONTAINMENT_NONE);
    if (status != GRAZE_STATUS_OK)
        return status;
    const graze_deepest_point *deepest = &m->measures.deepest;
    f->verdict = f->exact = GRAZE_CLASH_CROSSES;
    f->rule = m->limits->depth_rule;
    if (deepest->upper <= m->resolution)
        set_within_resolution(m, GRAZE_CLASH_CROSSES);
    else if (deepest->upper <= m->limits->max_depth)
        f->verdict = GRAZE_CLASH_CLEAR;
    if (f->verdict == GRAZE_CLASH_CLEAR)
        return GRAZE_STATUS_OK;
    status = find_region(m);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool has_volume = m->a->closed && m->b->closed && !f->within_resolution;
    bool done = grz_clash_set_contact(m->context, f, m->measures.region, nowhere) &&
                grz_clash_set_interference(m->context, f, &m->measures, has_volume);
    if (!f->within_resolution)
        f->touch_kind = NULL;
    return done ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

static void apply_cached(const pair_test *m, const grz_clash_cached_verdict *cached)
{
    graze_clash_finding *f = m->f;
    f->verdict = f->exact = cached->touch_kind != NULL ? GRAZE_CLASH_TOUCHES : GRAZE_CLASH_CLEAR;
    if (cached->touch_kind == NULL)
        return;
    f->touch_kind = cached->touch_kind;
    f->pairs = cached->pairs;
    f->area = cached->area;
    f->curves = cached->curves;
    f->rule = m->limits->touch_rule;
    for (int axis = 0; axis < 3; axis++)
    {
        double offset = m->may_be_cached ? m->a->placed.pose.m[4 * axis + 3] : 0;
        f->point[axis] = cached->point[axis] + offset;
        f->box.lower[axis] = cached->box.lower[axis] + offset;
        f->box.upper[axis] = cached->box.upper[axis] + offset;
    }
}

/* The contact region with A's translation 0, which is at the place of the parts where A's translation is 0. */
static graze_status find_region_at_origin(pair_test *m, graze_region **out_region)
{
    const double *t = m->a->placed.pose.m;
    if (t[3] == 0 && t[7] == 0 && t[11] == 0)
    {
        graze_status status = find_region(m);
        *out_region = m->measures.region;
        m->measures.region = NULL;
        return status;
    }
    graze_placed_mesh a = m->a->placed, b = m->b->placed;
    for (int axis = 0; axis < 3; axis++)
    {
        a.pose.m[4 * axis + 3] = 0;
        b.pose.m[4 * axis + 3] = m->relation.shift[axis];
    }
    return graze_region_create(m->context, &a, &b, NULL, out_region);
}

/* For a pair that may be cached the region is computed with A at the origin: results are then equal whether computed or
 * cached, and small coordinates are not lost far from the origin. Only contacts in one piece are cached. */
static graze_status set_touch(pair_test *m, grz_clash_verdict_cache *verdict_cache)
{
    graze_clash_finding *f = m->f;
    const double *t = m->a->placed.pose.m;
    const double offset[3] = {m->may_be_cached ? t[3] : 0, m->may_be_cached ? t[7] : 0, m->may_be_cached ? t[11] : 0};
    f->verdict = f->exact = GRAZE_CLASH_TOUCHES;
    f->rule = m->limits->touch_rule;
    graze_region *region = NULL;
    graze_status status = m->may_be_cached ? find_region_at_origin(m, &region) : find_region(m);
    const graze_region *contact = m->may_be_cached ? region : m->measures.region;
    if (status != GRAZE_STATUS_OK || contact == NULL)
        return status;
    bool done = grz_clash_set_contact(m->context, f, contact, offset);
    if (m->may_be_cached && contact->component_count == 1)
    {
        graze_clash_finding at_origin = {0};
        grz_clash_set_contact(m->context, &at_origin, contact, nowhere);
        grz_clash_cached_verdict cached = {.touch_kind = at_origin.touch_kind,
                                           .pairs = at_origin.pairs,
                                           .area = at_origin.area,
                                           .box = at_origin.box,
                                           .curves = at_origin.curves};
        memcpy(cached.point, at_origin.point, sizeof cached.point);
        grz_clash_verdict_cache_add(verdict_cache, &m->relation, &cached);
    }
    graze_region_destroy(region);
    return done ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

/* Whether a plane across an axis separates the bodies: their AABBs, which are rounded outward, share a face at most.
 * Two bodies that lie in that plane would not be separated by it. */
static bool do_aabbs_separate(const grz_clash_part *a, const grz_clash_part *b)
{
    for (int axis = 0; axis < 3; axis++)
    {
        /* shortcut: aabbs-separate */
        bool apart = a->upper[axis] <= b->lower[axis] || b->upper[axis] <= a->lower[axis];
        if (apart && (a->lower[axis] < a->upper[axis] || b->lower[axis] < b->upper[axis]))
            return true;
    }
    return false;
}

/* Closed parts whose faces lie on one another: beside each other, or one around the other. */
static graze_status find_fit(pair_test *m)
{
    graze_status status = grz_clash_find_mate(m->context, m->a, m->b, &m->first, m->resolution, &m->mate);
    if (status == GRAZE_STATUS_OK && !m->mate.found)
        status = grz_clash_bound_snug_fit(m->context, m->a, m->b, &m->first, m->resolution, &m->snug_depth);
    return status;
}

/* Whether bodies whose surfaces meet overlap, and how deep. */
static graze_status measure_contact(pair_test *m)
{
    graze_status status = GRAZE_STATUS_OK;
    m->overlap = GRAZE_VERDICT_NO;
    if (do_aabbs_separate(m->a, m->b))
        return status;
    if (m->resolution > 0 && m->a->closed && m->b->closed)
        status = find_fit(m);
    else if (m->resolution > 0) /* only a plane separates parts whose inside is not known */
        status = grz_clash_find_overlap_width(m->context, &m->a->placed, &m->b->placed, &m->first, m->resolution,
                                              m->resolution, &m->mate);
    return status == GRAZE_STATUS_OK ? find_overlap(m) : status;
}

/* Parts whose surfaces meet, neither known to contain the other: `containment` is NONE or UNKNOWN. Bodies that do not
 * overlap contain no piece of each other. */
static graze_status test_contact(pair_test *m, graze_containment containment, grz_clash_verdict_cache *verdict_cache)
{
    graze_status status = measure_contact(m);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (m->overlap == GRAZE_VERDICT_NO && !m->limits->allow_touch)
        return set_touch(m, verdict_cache);
    if (m->overlap == GRAZE_VERDICT_NO)
    {
        if (m->may_be_cached)
            grz_clash_verdict_cache_add(verdict_cache, &m->relation, &(grz_clash_cached_verdict){.apart = INFINITY});
        return GRAZE_STATUS_OK;
    }
    m->f->undecided = containment == GRAZE_CONTAINMENT_UNKNOWN;
    if (m->overlap == GRAZE_VERDICT_YES)
        return set_crossing(m);
    bool tolerated =
        m->limits->allow_touch && m->measured && m->measures.deepest.upper <= fmax(m->limits->max_depth, m->resolution);
    m->f->undecided = m->f->undecided || !tolerated;
    return GRAZE_STATUS_OK;
}

static pair_test start_pair_test(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                 const grz_clash_limits *limits, graze_clash_finding *f)
{
    pair_test m = {.context = context,
                   .a = a,
                   .b = b,
                   .limits = limits,
                   .f = f,
                   .resolution = grz_clash_resolution_of(a, b),
                   .snug_depth = INFINITY,
                   .overlap_options = graze_overlap_options_default()};
    m.overlap_options.body_a = a->body;
    m.overlap_options.body_b = b->body;
    return m;
}

/*
 * Whether a gap is at most `limit`, or strictly below it. The bounds of the gap decide; when they enclose the limit,
 * the exact query does, since no double need lie between gap and limit.
 */
static graze_status is_within(const pair_test *m, const graze_distance *distance, double limit, bool strict,
                              bool *out_within)
{
    /* shortcut: gap-bounds */
    *out_within = distance->found && (strict ? distance->upper < limit : distance->upper <= limit);
    if (*out_within || distance->lower > limit || (strict && distance->lower >= limit))
        return GRAZE_STATUS_OK;
    graze_tolerance_options options = graze_tolerance_options_default();
    options.strict = strict;
    return graze_pair_tolerance_any(m->context, &m->a->placed, &m->b->placed, limit, &options, out_within, NULL);
}

/*
 * Parts whose surfaces do not meet. They touch when the gap is at most their resolution, and are too close when it is
 * strictly below the clearance. `out_apart` is a lower bound of the gap.
 */
static graze_status test_clearance(pair_test *m, double *out_apart)
{
    double clearance = m->limits->clearance;
    graze_distance_options options = graze_distance_options_default();
    options.limit = fmax(clearance, 2 * m->resolution); /* twice: so that the answer holds for similar pairs, too */
    options.absolute_error = fmin(m->resolution, grz_clash_unresolved_by_doubles(m->a, m->b));
    *out_apart = 0;
    if (!(options.limit > 0))
        return GRAZE_STATUS_OK;
    graze_distance distance;
    graze_status status = graze_pair_distance(m->context, &m->a->placed, &m->b->placed, &options, &distance);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_apart = distance.lower;
    bool touches = false, close = false;
    if (m->resolution > 0)
        status = is_within(m, &distance, m->resolution, false, &touches);
    if (status == GRAZE_STATUS_OK && !touches && clearance > 0)
        status = is_within(m, &distance, clearance, true, &close);
    options.limit = INFINITY;
    if (status == GRAZE_STATUS_OK && (touches || close) && !distance.found) /* it lies just beyond the limit */
        status = graze_pair_distance(m->context, &m->a->placed, &m->b->placed, &options, &distance);
    if (status != GRAZE_STATUS_OK || !(touches || close))
        return status;
    m->f->verdict = m->f->exact = GRAZE_CLASH_TOO_CLOSE;
    m->f->rule = m->limits->clearance_rule;
    if (touches)
        set_within_resolution(m, GRAZE_CLASH_CLEAR);
    return grz_clash_set_gap(m->context, m->f, &distance) ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

/* Whether `outer` may contain `inner`: it is closed, and the true AABBs may nest. */
static bool may_contain(const grz_clash_part *outer, const grz_clash_part *inner)
{
    if (!outer->closed)
        return false;
    for (int axis = 0; axis < 3; axis++)
    {
        /* shortcut: aabb-not-contained */
        if (inner->lower[axis] + inner->slack[axis] < outer->lower[axis] ||
            inner->upper[axis] - inner->slack[axis] > outer->upper[axis])
            return false;
    }
    return true;
}

/* Whether two bodies are the same solid, triangulated in two ways: A lies in B, which is the answer when each lies in
 * the other, the AABBs may be the same, and B lies in A. */
static graze_status are_same(const pair_test *m, graze_containment containment, bool *out_same)
{
    const grz_clash_part *a = m->a, *b = m->b;
    *out_same = false;
    if (containment != GRAZE_CONTAINMENT_A_IN_B || !may_contain(a, b) || !may_contain(b, a))
        return GRAZE_STATUS_OK;
    graze_solid_answer reverse;
    const graze_known_pair known = {b->body, a->body, NULL};
    graze_status status = graze_pair_containment_known(m->context, &b->placed, &a->placed, &known, NULL, &reverse);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_same = reverse.containment == GRAZE_CONTAINMENT_A_IN_B;
    m->f->undecided = reverse.containment == GRAZE_CONTAINMENT_UNKNOWN;
    return status;
}

/* Whether bodies whose surfaces do not meet may overlap. */
static bool may_overlap(const grz_clash_part *a, const grz_clash_part *b)
{
    return (a->closed || b->closed) && are_aabbs_within(a, b, 0);
}

/* Whether one body contains the other. Where surfaces do not meet, an overlap test comes first: most parts within the
 * AABB of another, such as all within a housing, do not overlap, and the cached data of the bodies makes that test
 * fast. */
static graze_status find_containment(pair_test *m, bool meet, graze_containment *out_containment)
{
    graze_status status = GRAZE_STATUS_OK;
    *out_containment = GRAZE_CONTAINMENT_NONE;
    m->overlap = meet ? GRAZE_VERDICT_UNKNOWN : GRAZE_VERDICT_NO;
    if (!meet && may_overlap(m->a, m->b))
        status = graze_pair_overlap(m->context, &m->a->placed, &m->b->placed, &m->overlap_options, &m->overlap);
    if (status != GRAZE_STATUS_OK || m->overlap == GRAZE_VERDICT_NO ||
        !(may_contain(m->a, m->b) || may_contain(m->b, m->a)))
        return status;
    graze_solid_answer solid;
    const graze_pair_counts none = {0};
    const graze_known_pair known = {m->a->body, m->b->body, meet ? NULL : &none};
    status = graze_pair_containment_known(m->context, &m->a->placed, &m->b->placed, &known, NULL, &solid);
    if (status == GRAZE_STATUS_OK)
        *out_containment = solid.containment;
    return status;
}

/* Parts whose surfaces do not meet, neither known to contain the other. A component of one may lie in the other. */
static graze_status test_disjoint(pair_test *m, graze_containment containment, grz_clash_verdict_cache *verdict_cache)
{
    if (m->overlap == GRAZE_VERDICT_NO)
    {
        double apart;
        graze_status status = test_clearance(m, &apart);
        bool is_clear = m->f->verdict == GRAZE_CLASH_CLEAR && !m->f->within_resolution;
        if (status == GRAZE_STATUS_OK && is_clear && m->may_be_cached)
            grz_clash_verdict_cache_add(verdict_cache, &m->relation, &(grz_clash_cached_verdict){.apart = apart});
        return status;
    }
    m->f->undecided = containment == GRAZE_CONTAINMENT_UNKNOWN || m->overlap == GRAZE_VERDICT_UNKNOWN;
    return m->overlap == GRAZE_VERDICT_YES ? set_crossing(m) : GRAZE_STATUS_OK;
}

/* Depth, way out and volume as of parts that cross: the common space is the inner body. */
static graze_status set_contained(pair_test *m, bool a_in_b)
{
    const grz_clash_part *inner = a_in_b ? m->a : m->b;
    m->f->verdict = m->f->exact = GRAZE_CLASH_CONTAINS;
    m->f->a_in_b = a_in_b;
    m->f->rule = "default";
    for (int axis = 0; axis < 3; axis++)
        m->f->point[axis] = 0.5 * inner->lower[axis] + 0.5 * inner->upper[axis];
    graze_status status = measure_interference(m, a_in_b ? GRAZE_CONTAINMENT_A_IN_B : GRAZE_CONTAINMENT_B_IN_A);
    if (status == GRAZE_STATUS_OK)
        status = find_region(m);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool done = grz_clash_set_contact(m->context, m->f, m->measures.region, nowhere);
    m->f->touch_kind = NULL;
    if (done && m->measures.deepest.overlap == GRAZE_VERDICT_YES)
        done = grz_clash_set_interference(m->context, m->f, &m->measures, m->a->closed && m->b->closed);
    return done ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

/* Tests a pair that is not in the verdict cache. */
static graze_status test_uncached(pair_test *m, grz_clash_verdict_cache *verdict_cache)
{
    graze_clash_finding *f = m->f;
    bool meet = false, same = false;
    graze_status status = graze_pair_any(m->context, &m->a->placed, &m->b->placed, NULL, &meet, &m->first);
    graze_containment containment = GRAZE_CONTAINMENT_NONE;
    if (status == GRAZE_STATUS_OK)
        status = find_containment(m, meet, &containment);
    if (status == GRAZE_STATUS_OK && meet)
        status = are_same(m, containment, &same);
    bool a_in_b = containment == GRAZE_CONTAINMENT_A_IN_B, b_in_a = containment == GRAZE_CONTAINMENT_B_IN_A;
    if (status != GRAZE_STATUS_OK)
        return status;
    if (same)
        f->verdict = f->exact = GRAZE_CLASH_DUPLICATE;
    else if (a_in_b || b_in_a)
        return set_contained(m, a_in_b);
    else
        return meet ? test_contact(m, containment, verdict_cache) : test_disjoint(m, containment, verdict_cache);
    return GRAZE_STATUS_OK;
}

/* Whether a cached verdict holds for this pair: its gap, if it has one, exceeds the resolution. */
static bool is_valid(const pair_test *m, const grz_clash_cached_verdict *cached)
{
    return cached->touch_kind != NULL || m->resolution < cached->apart || m->resolution == 0;
}

static void set_undecided(graze_clash_finding *f)
{
    f->why = graze_clash_undecided_reason();
    if (f->verdict != GRAZE_CLASH_CLEAR)
        return;
    f->verdict = f->exact = GRAZE_CLASH_UNDECIDED;
    f->rule = "default";
}

graze_status grz_clash_test_pair(const grz_clash_narrow_phase *how, const grz_clash_part *a, const grz_clash_part *b,
                                 const grz_clash_limits *limits, graze_clash_finding *out_finding)
{
    graze_clash_finding f = {.verdict = GRAZE_CLASH_CLEAR, .box = GRZ_CLASH_NO_BOX};
    pair_test m = start_pair_test(how->context, a, b, limits, &f);
    grz_clash_cached_verdict cached;
    graze_status status = GRAZE_STATUS_OK;
    /* shortcut: cached-verdicts */
    m.may_be_cached = grz_clash_relative_placement_of(a, b, limits, &m.relation);
    if (m.may_be_cached && grz_clash_verdict_cache_find(how->verdict_cache, &m.relation, &cached) &&
        is_valid(&m, &cached))
        apply_cached(&m, &cached);
    else
        status = test_uncached(&m, how->verdict_cache);
    bool shows = f.verdict == GRAZE_CLASH_CROSSES || (f.verdict == GRAZE_CLASH_TOUCHES && !f.has_gap);
    if (status == GRAZE_STATUS_OK && how->wants_region && shows)
    {
        status = find_region(&m);
        f.region = m.measures.region;
        m.measures.region = NULL;
    }
    graze_region_destroy(m.measures.region);
    if (f.undecided)
        set_undecided(&f);
    *out_finding = f; /* also on failure: the caller owns its region and details */
    return status;
}
