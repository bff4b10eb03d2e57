/* SPDX-License-Identifier: MIT */
/*
 * Examining a pair of parts. The strongest verdict that is true counts, and limits say whether it is a finding:
 *
 * - duplicate: each body lies in the other;
 * - contains: all of one body lies in the other, with or without touching its surface;
 * - crosses: the bodies share inner points (graze_pair_overlap), or, where one bounds no body, surfaces cross. It is
 *   tolerated up to a depth: when the certified upper bound is within it;
 * - touches: surfaces meet, and nothing more. It is tolerated where touching is allowed;
 * - too close: a gap strictly below the clearance.
 */
#include "clash_pair.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/region.h"

enum
{
    DEPTH_QUERIES = 100 /* a millisecond or a few for parts of some thousand triangles */
};

/* A difference of boxes may have been rounded up by one unit in the last place: compared with a little more. */
bool clash_boxes_near(const clash_part *a, const clash_part *b, double distance)
{
    double reach = distance * (1 + 4 * DBL_EPSILON);
    for (int axis = 0; axis < 3; axis++)
    {
        double above = a->lower[axis] - b->upper[axis], below = b->lower[axis] - a->upper[axis];
        if (above * (1 - 2 * DBL_EPSILON) > reach || below * (1 - 2 * DBL_EPSILON) > reach)
            return false;
    }
    return true;
}

static void middle(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = 0.5 * a[axis] + 0.5 * b[axis];
}

/* A point of what is shared, near its middle: the one of all points closest to the middle of the box. */
static void point_of_region(const graze_region *region, double out[3])
{
    double centre[3], best = INFINITY;
    middle(region->lower, region->upper, centre);
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

/* The depth, and whether it is within what is tolerated for sure. */
static graze_status measure_depth(const graze_context *context, const clash_part *a, const clash_part *b,
                                  const clash_limits *limits, clash_finding *f)
{
    graze_depth_options options = graze_depth_options_default();
    options.body_a = a->body;
    options.body_b = b->body;
    options.most_queries = DEPTH_QUERIES;
    graze_depth depth;
    graze_status status = graze_pair_depth(context, &a->placed, &b->placed, &options, &depth);
    if (status != GRAZE_STATUS_OK)
        return status;
    f->has_depth = true;
    f->depth[0] = depth.lower;
    f->depth[1] = depth.upper;
    memcpy(f->depth_translation, depth.translation, sizeof f->depth_translation);
    if (depth.lower > 0)
        memcpy(f->point, depth.point, sizeof f->point);
    f->rule = limits->depth_rule;
    if (depth.upper <= limits->max_depth)
        f->verdict = CLASH_CLEAR;
    return GRAZE_STATUS_OK;
}

static void set_touch(const graze_region *region, const clash_limits *limits, clash_finding *f)
{
    static const char *const kinds[] = {NULL, "point", "edge", "face"};
    f->verdict = limits->allow_touch ? CLASH_CLEAR : CLASH_TOUCHES;
    f->touch_kind = kinds[region->kind];
    f->area = region->area;
    f->rule = limits->touch_rule;
}

/* Parts whose surfaces meet. */
static graze_status examine_meeting(const graze_context *context, const clash_part *a, const clash_part *b,
                                    const clash_limits *limits, graze_containment containment, clash_finding *f)
{
    graze_region *region;
    graze_status status = graze_region_create(context, &a->placed, &b->placed, NULL, &region);
    if (status != GRAZE_STATUS_OK)
        return status;
    f->region = region;
    f->pairs = region->counts.pairs;
    point_of_region(region, f->point);
    graze_depth_options options = graze_depth_options_default();
    options.body_a = a->body;
    options.body_b = b->body;
    graze_verdict overlap = GRAZE_VERDICT_UNKNOWN;
    bool contained = containment == GRAZE_CONTAINMENT_A_IN_B || containment == GRAZE_CONTAINMENT_B_IN_A;
    if (!contained)
        status = graze_pair_overlap(context, &a->placed, &b->placed, &options, &overlap);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (contained)
    {
        f->verdict = CLASH_CONTAINS;
        f->a_in_b = containment == GRAZE_CONTAINMENT_A_IN_B;
        f->rule = "default";
        return GRAZE_STATUS_OK;
    }
    if (overlap == GRAZE_VERDICT_YES || (overlap == GRAZE_VERDICT_UNKNOWN && region->counts.crossing > 0))
    {
        f->verdict = CLASH_CROSSES;
        return measure_depth(context, a, b, limits, f);
    }
    set_touch(region, limits, f);
    return GRAZE_STATUS_OK;
}

/*
 * Parts whose surfaces do not meet. A gap is too close when it is strictly below the clearance: its bounds tell, and
 * where they lie around the clearance, the exact question does: no double need lie between a gap and a clearance.
 */
static graze_status examine_gap(const graze_context *context, const clash_part *a, const clash_part *b,
                                const clash_limits *limits, clash_finding *f)
{
    if (!(limits->clearance > 0))
        return GRAZE_STATUS_OK;
    graze_distance_options options = graze_distance_options_default();
    options.limit = limits->clearance;
    graze_distance distance;
    graze_status status = graze_pair_distance(context, &a->placed, &b->placed, &options, &distance);
    if (status != GRAZE_STATUS_OK || !distance.found || distance.lower >= limits->clearance)
        return status;
    bool close = distance.upper < limits->clearance;
    options.strict = true;
    if (!close)
        status = graze_pair_tolerance_any(context, &a->placed, &b->placed, limits->clearance, &options, &close, NULL);
    if (status != GRAZE_STATUS_OK || !close)
        return status;
    f->verdict = CLASH_TOO_CLOSE;
    f->has_gap = true;
    f->gap[0] = distance.lower;
    f->gap[1] = distance.upper;
    memcpy(f->gap_points[0], distance.point_a, sizeof f->gap_points[0]);
    memcpy(f->gap_points[1], distance.point_b, sizeof f->gap_points[1]);
    middle(distance.point_a, distance.point_b, f->point);
    f->rule = limits->clearance_rule;
    return GRAZE_STATUS_OK;
}

/* Whether one may hold the other: it is closed, and the true boxes may nest. */
static bool may_contain(const clash_part *outer, const clash_part *inner)
{
    if (!outer->closed)
        return false;
    for (int axis = 0; axis < 3; axis++)
    {
        if (inner->lower[axis] + inner->slack[axis] < outer->lower[axis] ||
            inner->upper[axis] - inner->slack[axis] > outer->upper[axis])
            return false;
    }
    return true;
}

/* Whether two bodies that lie in one another are one and the same, cut into triangles in two ways: A lies in B, which
 * is what is said where each lies in the other, and the boxes may be the same. */
static graze_status are_same(const graze_context *context, const clash_part *a, const clash_part *b,
                             graze_containment containment, bool *out_same)
{
    *out_same = false;
    if (containment != GRAZE_CONTAINMENT_A_IN_B || !may_contain(a, b) || !may_contain(b, a))
        return GRAZE_STATUS_OK;
    graze_solid_answer reverse;
    graze_status status = graze_pair_solid(context, &b->placed, &a->placed, &reverse);
    *out_same = status == GRAZE_STATUS_OK && reverse.containment == GRAZE_CONTAINMENT_A_IN_B;
    return status;
}

graze_status clash_examine_pair(const graze_context *context, const clash_part *a, const clash_part *b,
                                const clash_limits *limits, clash_finding *out_finding)
{
    clash_finding f = {.verdict = CLASH_CLEAR};
    bool meet = false, same = false;
    *out_finding = f;
    graze_status status = graze_pair_any(context, &a->placed, &b->placed, NULL, &meet, NULL);
    graze_solid_answer solid = {false, GRAZE_CONTAINMENT_NONE};
    if (status == GRAZE_STATUS_OK && (may_contain(a, b) || may_contain(b, a)))
        status = graze_pair_solid(context, &a->placed, &b->placed, &solid);
    if (status == GRAZE_STATUS_OK && meet)
        status = are_same(context, a, b, solid.containment, &same);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (same)
        f.verdict = CLASH_DUPLICATE;
    else if (meet)
        status = examine_meeting(context, a, b, limits, solid.containment, &f);
    else if (solid.containment == GRAZE_CONTAINMENT_A_IN_B || solid.containment == GRAZE_CONTAINMENT_B_IN_A)
    {
        f.verdict = CLASH_CONTAINS;
        f.a_in_b = solid.containment == GRAZE_CONTAINMENT_A_IN_B;
        f.rule = "default";
        const clash_part *inner = f.a_in_b ? a : b;
        middle(inner->lower, inner->upper, f.point);
    }
    else
        status = examine_gap(context, a, b, limits, &f);
    *out_finding = f; /* also on failure: the region is the caller's */
    return status;
}
