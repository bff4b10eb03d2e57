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
 * Where the library answers UNKNOWN, the pair is undecided, unless every possible verdict is allowed. A verdict that is
 * certain to be that or a stronger one remains a finding.
 */
#include "clash/narrow_phase.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "clash/verdict_cache.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/region.h"

enum
{
    DEPTH_QUERIES = 100 /* a few milliseconds for parts of some thousand triangles */
};

/* The difference of two bounds may be rounded up by one ulp, so the comparison has a margin of several. */
bool grz_clash_aabbs_within(const grz_clash_part *a, const grz_clash_part *b, double distance)
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

static void middle(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = 0.5 * a[axis] + 0.5 * b[axis];
}

/* The point of the region that is closest to the centre of its AABB. */
static void point_of_region(const graze_region *region, double out[3])
{
    double centre[3], best = INFINITY;
    middle(region->bounds.lower, region->bounds.upper, centre);
    memcpy(out, centre, sizeof centre);
    const double *lists[3] = {region->polygon_points, region->curve_points, region->points};
    size_t counts[3] = {region->polygon_count > 0 ? region->polygon_starts[region->polygon_count] : 0,
                        region->curve_count > 0 ? region->curve_starts[region->curve_count] : 0, region->point_count};
    for (int list = 0; list < 3; list++)
    {
        for (size_t i = 0; i < counts[list]; i++)
        {
            const double *p = lists[list] + 3 * i;
            double x = p[0] - centre[0], y = p[1] - centre[1], z = p[2] - centre[2], square = x * x + y * y + z * z;
            if (!(square < best))
                continue;
            best = square;
            memcpy(out, p, 3 * sizeof *out);
        }
    }
}

/* A pair in the narrow phase, with what is known so far. */
typedef struct pair_test
{
    const graze_context *context;
    const grz_clash_part *a, *b;
    const grz_clash_limits *limits;
    bool may_be_cached; /* then `relation` is valid */
    grz_clash_relative_placement relation;
    graze_depth_options options;
    graze_overlap_options overlap_options;
    graze_verdict overlap;
    bool measured;
    graze_depth depth; /* valid if `measured` */
    graze_clash_finding *f;
} pair_test;

static graze_status measure_penetration(pair_test *m)
{
    graze_status status = graze_pair_depth(m->context, &m->a->placed, &m->b->placed, &m->options, &m->depth);
    m->measured = status == GRAZE_STATUS_OK;
    return status;
}

/* Whether the bodies overlap. Of two closed bodies the depth query tells that too; for open ones it would be slow and
 * useless. */
static graze_status find_overlap(pair_test *m)
{
    if (!m->a->closed || !m->b->closed)
        return graze_pair_overlap(m->context, &m->a->placed, &m->b->placed, &m->overlap_options, &m->overlap);
    graze_status status = measure_penetration(m);
    m->overlap = m->measured ? m->depth.overlap : GRAZE_VERDICT_UNKNOWN;
    return status;
}

static graze_status find_region(const pair_test *m)
{
    if (m->f->region != NULL)
        return GRAZE_STATUS_OK;
    graze_status status = graze_region_create(m->context, &m->a->placed, &m->b->placed, NULL, &m->f->region);
    if (status == GRAZE_STATUS_OK)
    {
        m->f->pairs = m->f->region->counts.pairs;
        point_of_region(m->f->region, m->f->point);
    }
    return status;
}

/* Sets the penetration depth, and whether it is certainly allowed. The finding's point is the deepest point; only if
 * there is none, the region is computed, which takes as long as everything else. */
static graze_status set_crossing(pair_test *m)
{
    graze_clash_finding *f = m->f;
    graze_status status = m->measured ? GRAZE_STATUS_OK : measure_penetration(m);
    if (status == GRAZE_STATUS_OK && !(m->depth.lower > 0))
        status = find_region(m);
    if (status != GRAZE_STATUS_OK)
        return status;
    f->verdict = m->depth.upper <= m->limits->max_depth ? GRAZE_CLASH_CLEAR : GRAZE_CLASH_CROSSES;
    f->rule = m->limits->depth_rule;
    f->pairs = m->depth.counts.pairs;
    f->has_depth = true;
    f->depth[0] = f->way_out[0] = m->depth.lower;
    f->depth[1] = f->way_out[1] = m->depth.upper;
    graze_clash_details *details = grz_clash_need_details(m->context, f);
    if (details == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    memcpy(details->translation, m->depth.translation, sizeof details->translation);
    memcpy(details->depth_line[0], m->depth.point, sizeof details->depth_line[0]);
    memcpy(details->depth_line[1], m->depth.nearest, sizeof details->depth_line[1]);
    if (m->depth.lower > 0)
        memcpy(f->point, m->depth.point, sizeof f->point);
    return GRAZE_STATUS_OK;
}

static void apply_cached(const pair_test *m, const grz_clash_cached_verdict *cached)
{
    m->f->verdict = cached->touch_kind != NULL ? GRAZE_CLASH_TOUCHES : GRAZE_CLASH_CLEAR;
    if (cached->touch_kind == NULL)
        return;
    m->f->touch_kind = cached->touch_kind;
    m->f->pairs = cached->pairs;
    m->f->area = cached->area;
    m->f->rule = m->limits->touch_rule;
    for (int axis = 0; axis < 3; axis++)
        m->f->point[axis] = cached->point[axis] + (m->may_be_cached ? m->a->placed.pose.m[4 * axis + 3] : 0);
}

/* For a pair that may be cached the region is computed with A at the origin: results are then equal whether computed or
 * cached, and small coordinates are not lost far from the origin. */
static graze_status set_touch(const pair_test *m, grz_clash_cached_verdict *out_cached)
{
    static const char *const kinds[] = {NULL, "point", "edge", "face"};
    graze_placed_mesh a = m->a->placed, b = m->b->placed;
    for (int axis = 0; axis < 3 && m->may_be_cached; axis++)
    {
        a.pose.m[4 * axis + 3] = 0;
        b.pose.m[4 * axis + 3] = m->relation.shift[axis];
    }
    graze_region *region = NULL;
    graze_status status = graze_region_create(m->context, &a, &b, NULL, &region);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_cached = (grz_clash_cached_verdict){kinds[region->kind], region->counts.pairs, region->area, {0, 0, 0}};
    point_of_region(region, out_cached->point);
    graze_region_destroy(region);
    apply_cached(m, out_cached);
    return GRAZE_STATUS_OK;
}

/* Parts whose surfaces meet, neither known to contain the other: `containment` is NONE or UNKNOWN. Bodies that do not
 * overlap contain no piece of each other. */
static graze_status test_contact(pair_test *m, graze_containment containment, grz_clash_verdict_cache *verdict_cache)
{
    graze_status status = find_overlap(m);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (m->overlap == GRAZE_VERDICT_NO)
    {
        grz_clash_cached_verdict cached = {.touch_kind = NULL};
        status = m->limits->allow_touch ? GRAZE_STATUS_OK : set_touch(m, &cached);
        if (status == GRAZE_STATUS_OK && m->may_be_cached)
            grz_clash_verdict_cache_add(verdict_cache, &m->relation, &cached);
        return status;
    }
    m->f->undecided = containment == GRAZE_CONTAINMENT_UNKNOWN;
    if (m->overlap == GRAZE_VERDICT_YES)
        return set_crossing(m);
    bool tolerated = m->limits->allow_touch && m->measured && m->depth.upper <= m->limits->max_depth;
    m->f->undecided = m->f->undecided || !tolerated;
    return GRAZE_STATUS_OK;
}

static pair_test start_pair_test(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                 const grz_clash_limits *limits, graze_clash_finding *f)
{
    pair_test m = {
        .context = context, .a = a, .b = b, .limits = limits, .f = f, .options = graze_depth_options_default()};
    m.overlap_options = graze_overlap_options_default();
    m.options.body_a = m.overlap_options.body_a = a->body;
    m.options.body_b = m.overlap_options.body_b = b->body;
    m.options.max_queries = DEPTH_QUERIES;
    return m;
}

/*
 * Parts whose surfaces do not meet. They are too close when the gap is strictly below the clearance. The bounds of the
 * gap decide; when they enclose the clearance, the exact query does, since no double need lie between gap and
 * clearance.
 */
static graze_status test_clearance(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                   const grz_clash_limits *limits, graze_clash_finding *f)
{
    if (!(limits->clearance > 0))
        return GRAZE_STATUS_OK;
    graze_distance_options options = graze_distance_options_default();
    options.limit = limits->clearance;
    graze_distance distance;
    graze_status status = graze_pair_distance(context, &a->placed, &b->placed, &options, &distance);
    /* shortcut: gap-bounds */
    if (status != GRAZE_STATUS_OK || distance.lower >= limits->clearance)
        return status;
    bool close = distance.found && distance.upper < limits->clearance;
    graze_tolerance_options strict = graze_tolerance_options_default();
    strict.strict = true;
    if (!close)
        status = graze_pair_tolerance_any(context, &a->placed, &b->placed, limits->clearance, &strict, &close, NULL);
    options.limit = INFINITY;
    if (status == GRAZE_STATUS_OK && close && !distance.found) /* the distance just beyond the limit is missing */
        status = graze_pair_distance(context, &a->placed, &b->placed, &options, &distance);
    if (status != GRAZE_STATUS_OK || !close)
        return status;
    f->verdict = GRAZE_CLASH_TOO_CLOSE;
    f->has_gap = true;
    f->gap[0] = distance.lower;
    f->gap[1] = distance.upper;
    graze_clash_details *details = grz_clash_need_details(context, f);
    if (details == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    memcpy(details->gap_points[0], distance.point_a, sizeof details->gap_points[0]);
    memcpy(details->gap_points[1], distance.point_b, sizeof details->gap_points[1]);
    middle(distance.point_a, distance.point_b, f->point);
    f->rule = limits->clearance_rule;
    return GRAZE_STATUS_OK;
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
    const graze_known_pair known = {m->options.body_b, m->options.body_a, NULL};
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
    return (a->closed || b->closed) && grz_clash_aabbs_within(a, b, 0);
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
    const graze_known_pair known = {m->options.body_a, m->options.body_b, meet ? NULL : &none};
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
        graze_status status = test_clearance(m->context, m->a, m->b, m->limits, m->f);
        if (status == GRAZE_STATUS_OK && m->f->verdict == GRAZE_CLASH_CLEAR && m->may_be_cached)
            grz_clash_verdict_cache_add(verdict_cache, &m->relation, &(grz_clash_cached_verdict){.touch_kind = NULL});
        return status;
    }
    m->f->undecided = containment == GRAZE_CONTAINMENT_UNKNOWN || m->overlap == GRAZE_VERDICT_UNKNOWN;
    return m->overlap == GRAZE_VERDICT_YES ? set_crossing(m) : GRAZE_STATUS_OK;
}

static graze_status set_contained(pair_test *m, bool meet, bool a_in_b)
{
    const grz_clash_part *inner = a_in_b ? m->a : m->b;
    m->f->verdict = GRAZE_CLASH_CONTAINS;
    m->f->a_in_b = a_in_b;
    m->f->rule = "default";
    middle(inner->lower, inner->upper, m->f->point);
    return meet ? find_region(m) : GRAZE_STATUS_OK;
}

/* Tests a pair that is not in the verdict cache. */
static graze_status test_uncached(pair_test *m, grz_clash_verdict_cache *verdict_cache)
{
    graze_clash_finding *f = m->f;
    bool meet = false, same = false;
    graze_status status = graze_pair_any(m->context, &m->a->placed, &m->b->placed, NULL, &meet, NULL);
    graze_containment containment = GRAZE_CONTAINMENT_NONE;
    if (status == GRAZE_STATUS_OK)
        status = find_containment(m, meet, &containment);
    if (status == GRAZE_STATUS_OK && meet)
        status = are_same(m, containment, &same);
    bool a_in_b = containment == GRAZE_CONTAINMENT_A_IN_B, b_in_a = containment == GRAZE_CONTAINMENT_B_IN_A;
    if (status != GRAZE_STATUS_OK)
        return status;
    if (same)
        f->verdict = GRAZE_CLASH_DUPLICATE;
    else if (a_in_b || b_in_a)
        return set_contained(m, meet, a_in_b);
    else
        return meet ? test_contact(m, containment, verdict_cache) : test_disjoint(m, containment, verdict_cache);
    return GRAZE_STATUS_OK;
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
    if (m.may_be_cached && grz_clash_verdict_cache_find(how->verdict_cache, &m.relation, &cached))
        apply_cached(&m, &cached);
    else
        status = test_uncached(&m, how->verdict_cache);
    bool shows = f.verdict == GRAZE_CLASH_CROSSES || f.verdict == GRAZE_CLASH_TOUCHES;
    if (status == GRAZE_STATUS_OK && how->wants_region && shows && f.region == NULL)
        status = graze_region_create(how->context, &a->placed, &b->placed, NULL, &f.region);
    if (!how->wants_region)
    {
        graze_region_destroy(f.region);
        f.region = NULL;
    }
    f.exact = f.verdict;
    if (f.undecided)
        f.why = graze_clash_undecided_reason();
    if (f.undecided && f.verdict == GRAZE_CLASH_CLEAR)
    {
        f.verdict = f.exact = GRAZE_CLASH_UNDECIDED;
        f.rule = "default";
    }
    *out_finding = f; /* also on failure: the caller owns its region and details */
    return status;
}
