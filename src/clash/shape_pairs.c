/* SPDX-License-Identifier: MIT */
/*
 * Verdicts of pairs in which a part is tested as a shape; see shape_pairs.h, and narrow_phase.c for what verdicts mean.
 * What is certain of them:
 *
 * - whether they meet, whether interiors overlap and how far they are apart, from the queries of graze/shape_query.h;
 *   UNKNOWN there leaves the pair undecided, unless all possible verdicts are allowed, or the resolution of the parts
 *   settles it: a gap and a depth that are both certainly within it are a touch, whichever it is;
 * - whether one lies in the other, from shape_inside.h. Where that is open, they cross for certain, and the verdict may
 *   be a stronger one.
 */
#include "clash/shape_pairs.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "clash/measures.h"
#include "clash/narrow_phase.h"
#include "clash/open_mesh.h"
#include "clash/shape_inside.h"
#include "clash/shape_measures.h"
#include "clash/shape_parts.h"

typedef struct shape_test
{
    const graze_context *context;
    const grz_clash_part *a, *b;
    const grz_clash_limits *limits;
    double resolution; /* of both parts together */
    graze_shape_hit hit;
    grz_clash_shape_measures measures; /* of parts that meet, or may */
    graze_clash_finding *f;
} shape_test;

static const char why_unknown[] = "they are so close to touching that curved surfaces cannot be told apart";
static const char why_inside[] = "whether one lies in the other cannot be decided where their surfaces touch, or where "
                                 "several pieces of a compound may hold it";

static void set_undecided(shape_test *t, const char *why)
{
    t->f->undecided = true;
    t->f->why = why;
    if (t->f->verdict != GRAZE_CLASH_CLEAR)
        return;
    t->f->verdict = t->f->exact = GRAZE_CLASH_UNDECIDED;
    t->f->rule = "default";
}

static void set_within_resolution(shape_test *t, graze_clash_verdict exact)
{
    t->f->verdict = t->limits->allow_touch ? GRAZE_CLASH_CLEAR : GRAZE_CLASH_TOUCHES;
    t->f->exact = exact;
    t->f->within_resolution = true;
    t->f->rule = t->limits->touch_rule;
}

/* The common box of both, or that of a point. */
static void set_box(shape_test *t, const double point[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        t->f->point[axis] = point[axis];
        t->f->box.lower[axis] = fmin(point[axis], fmax(t->a->lower[axis], t->b->lower[axis]));
        t->f->box.upper[axis] = fmax(point[axis], fmin(t->a->upper[axis], t->b->upper[axis]));
    }
}

static void set_point(shape_test *t, const double point[3])
{
    memcpy(t->f->point, point, sizeof t->f->point);
    memcpy(t->f->box.lower, point, sizeof t->f->box.lower);
    memcpy(t->f->box.upper, point, sizeof t->f->box.upper);
}

/* --- apart --- */

/* Whether the gap is at most a limit, or strictly below it. The bounds decide, else the exact query. */
static graze_status is_within(const shape_test *t, const graze_shape_distance *gap, double limit, bool strict,
                              graze_verdict *out_within)
{
    bool within = gap->found && (strict ? gap->upper < limit : gap->upper <= limit);
    *out_within = within ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    if (within || gap->lower > limit || (strict && gap->lower >= limit))
        return GRAZE_STATUS_OK;
    graze_shape_tolerance_options options = graze_shape_tolerance_options_default();
    options.strict = strict;
    return graze_shape_pair_tolerance_any(t->context, &t->a->placed_shape, &t->b->placed_shape, limit, &options,
                                          out_within, NULL);
}

static bool set_gap(shape_test *t, const graze_shape_distance *gap)
{
    graze_distance distance = {.found = true, .lower = gap->lower, .upper = gap->upper};
    memcpy(distance.point_a, gap->point_a, sizeof distance.point_a);
    memcpy(distance.point_b, gap->point_b, sizeof distance.point_b);
    return grz_clash_set_gap(t->context, t->f, &distance);
}

static graze_status test_clearance(shape_test *t)
{
    double clearance = t->limits->clearance;
    graze_shape_distance_options options = graze_shape_distance_options_default();
    options.limit = fmax(clearance, t->resolution);
    if (!(options.limit > 0))
        return GRAZE_STATUS_OK;
    graze_shape_distance gap;
    graze_verdict touches = GRAZE_VERDICT_NO, close = GRAZE_VERDICT_NO;
    graze_status status =
        graze_shape_pair_distance(t->context, &t->a->placed_shape, &t->b->placed_shape, &options, &gap);
    if (status == GRAZE_STATUS_OK && t->resolution > 0)
        status = is_within(t, &gap, t->resolution, false, &touches);
    if (status == GRAZE_STATUS_OK && touches == GRAZE_VERDICT_NO && clearance > 0)
        status = is_within(t, &gap, clearance, true, &close);
    if (status != GRAZE_STATUS_OK || (touches == GRAZE_VERDICT_NO && close == GRAZE_VERDICT_NO))
        return status;
    options.limit = INFINITY;
    if (!gap.found) /* it lies just beyond the limit */
        status = graze_shape_pair_distance(t->context, &t->a->placed_shape, &t->b->placed_shape, &options, &gap);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (touches == GRAZE_VERDICT_YES)
        set_within_resolution(t, GRAZE_CLASH_CLEAR);
    else if (close == GRAZE_VERDICT_YES)
    {
        t->f->verdict = t->f->exact = GRAZE_CLASH_TOO_CLOSE;
        t->f->rule = t->limits->clearance_rule;
    }
    else
        set_undecided(t, why_unknown);
    return set_gap(t, &gap) ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

/* --- in one another --- */

static graze_status find_containment(const shape_test *t, graze_verdict *out_a_in_b, graze_verdict *out_b_in_a)
{
    graze_status status = grz_clash_shape_lies_in(t->context, t->a, t->b, out_a_in_b);
    return status == GRAZE_STATUS_OK ? grz_clash_shape_lies_in(t->context, t->b, t->a, out_b_in_a) : status;
}

/* The contact and its pieces, as hulls within the shapes have them: each is about where it is, and no deeper than the
 * deepest point. */
static bool take_contact(shape_test *t)
{
    graze_clash_finding *f = t->f;
    static const double nowhere[3] = {0, 0, 0};
    uint64_t pairs = f->pairs;
    double point[3];
    memcpy(point, f->point, sizeof point);
    bool done = grz_clash_set_contact(t->context, f, t->measures.region, nowhere);
    f->pairs = pairs;
    f->touch_kind = NULL;
    f->area = 0;
    memcpy(f->point, point, sizeof f->point);
    for (size_t i = 0; f->details != NULL && i < f->details->location_count; i++)
        f->details->locations[i].depth[1] = f->depth[1];
    return done;
}

/* Depth, way out and volume as members of the finding. */
static graze_status take_measures(shape_test *t)
{
    const grz_clash_shape_measures *m = &t->measures;
    graze_clash_details *details = grz_clash_need_details(t->context, t->f);
    if (details == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    t->f->has_depth = true;
    memcpy(t->f->depth, m->depth, sizeof t->f->depth);
    memcpy(t->f->way_out, m->way_out, sizeof t->f->way_out);
    memcpy(details->translation, m->translation, sizeof details->translation);
    details->has_volume = m->has_volume && !t->f->within_resolution;
    details->volume = m->volume;
    details->volume_error = m->volume_error;
    set_box(t, m->point);
    if (m->region != NULL && !take_contact(t))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    memcpy(details->depth_line[0], m->point, sizeof details->depth_line[0]);
    memcpy(details->depth_line[1], m->nearest, sizeof details->depth_line[1]);
    return GRAZE_STATUS_OK;
}

/* How many triangles are concerned, where there are any. */
static graze_status count_pairs(shape_test *t)
{
    graze_shape_counts counts;
    graze_status status = graze_shape_pair_count(t->context, &t->a->placed_shape, &t->b->placed_shape, NULL, &counts);
    t->f->pairs = status == GRAZE_STATUS_OK && counts.has_triangles ? counts.hits : 0;
    return status;
}

/* What both share is the inner part. */
static void take_inner_volume(shape_test *t, const grz_clash_part *inner)
{
    double bounds[2];
    if (!grz_clash_volume_of(inner, bounds))
        return;
    t->measures.has_volume = true;
    t->measures.volume = 0.5 * bounds[0] + 0.5 * bounds[1];
    t->measures.volume_error = 0.5 * bounds[1] - 0.5 * bounds[0];
}

static graze_status set_crossing(shape_test *t, graze_verdict a_in_b, graze_verdict b_in_a)
{
    graze_clash_finding *f = t->f;
    bool contains = a_in_b == GRAZE_VERDICT_YES || b_in_a == GRAZE_VERDICT_YES;
    f->verdict = f->exact = contains ? GRAZE_CLASH_CONTAINS : GRAZE_CLASH_CROSSES;
    f->a_in_b = a_in_b == GRAZE_VERDICT_YES;
    f->rule = contains ? "default" : t->limits->depth_rule;
    if (contains)
        take_inner_volume(t, f->a_in_b ? t->a : t->b);
    bool is_open = a_in_b == GRAZE_VERDICT_UNKNOWN || b_in_a == GRAZE_VERDICT_UNKNOWN;
    if (!contains && t->measures.depth[1] <= t->resolution)
        set_within_resolution(t, GRAZE_CLASH_CROSSES);
    else if (!contains && !is_open && t->measures.depth[1] <= t->limits->max_depth)
        f->verdict = GRAZE_CLASH_CLEAR;
    if (f->verdict == GRAZE_CLASH_CLEAR)
        return GRAZE_STATUS_OK;
    if (is_open && !f->within_resolution)
        set_undecided(t, why_inside);
    graze_status status = count_pairs(t);
    return status == GRAZE_STATUS_OK ? take_measures(t) : status;
}

static graze_status test_overlap(shape_test *t)
{
    graze_verdict a_in_b = GRAZE_VERDICT_NO, b_in_a = GRAZE_VERDICT_NO;
    graze_status status = find_containment(t, &a_in_b, &b_in_a);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (a_in_b == GRAZE_VERDICT_YES && b_in_a == GRAZE_VERDICT_YES)
    {
        t->f->verdict = t->f->exact = GRAZE_CLASH_DUPLICATE;
        return GRAZE_STATUS_OK;
    }
    return set_crossing(t, a_in_b, b_in_a);
}

/* --- touching --- */

/* Which figure they touch in, as far as that is certain: strictly convex bodies touch in points. */
static const char *touch_kind(const shape_test *t)
{
    const graze_shape_kind kinds[2] = {graze_shape_get_kind(t->a->placed_shape.shape),
                                       graze_shape_get_kind(t->b->placed_shape.shape)};
    for (int i = 0; i < 2; i++)
        if (kinds[i] == GRAZE_SHAPE_SPHERE || kinds[i] == GRAZE_SHAPE_ELLIPSOID)
            return "point";
    return NULL;
}

static graze_status set_touch(shape_test *t)
{
    if (t->limits->allow_touch)
        return GRAZE_STATUS_OK;
    t->f->verdict = t->f->exact = GRAZE_CLASH_TOUCHES;
    t->f->rule = t->limits->touch_rule;
    t->f->touch_kind = touch_kind(t);
    set_point(t, t->hit.point);
    return count_pairs(t);
}

/* Shapes of which it is not known whether they are apart, touch, or overlap next to nothing. */
static graze_status test_unknown(shape_test *t, graze_verdict meet)
{
    graze_shape_distance gap = {.upper = 0};
    double depth = t->measures.depth[1];
    graze_status status = GRAZE_STATUS_OK;
    if (meet == GRAZE_VERDICT_UNKNOWN)
        status = graze_shape_pair_distance(t->context, &t->a->placed_shape, &t->b->placed_shape, NULL, &gap);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool may_be_close = meet == GRAZE_VERDICT_UNKNOWN && t->limits->clearance > 0;
    set_point(t, t->measures.point);
    if (depth <= t->resolution && gap.upper <= t->resolution)
        set_within_resolution(t, GRAZE_CLASH_UNDECIDED);
    else if (!t->limits->allow_touch || may_be_close || !(depth <= t->limits->max_depth))
        set_undecided(t, why_unknown);
    if (t->f->verdict == GRAZE_CLASH_CLEAR)
        return GRAZE_STATUS_OK;
    return count_pairs(t);
}

/* Where a part is open, a touch is one only if the inside of that part cannot reach the other. */
static graze_status test_touch(shape_test *t)
{
    bool a_is_open = grz_clash_is_open(t->a), matters = false;
    graze_status status = GRAZE_STATUS_OK;
    if (a_is_open || grz_clash_is_open(t->b))
        status =
            grz_clash_inside_matters_to_shape(t->context, a_is_open ? t->a : t->b, a_is_open ? t->b : t->a, &matters);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (matters)
    {
        set_undecided(t, grz_clash_why_undecided(t->a, t->b));
        return GRAZE_STATUS_OK;
    }
    return set_touch(t);
}

/* --- all of it --- */

graze_status grz_clash_inside_matters_to_shape(const graze_context *context, const grz_clash_part *open,
                                               const grz_clash_part *shape, bool *out_matters)
{
    graze_shape *hull = NULL;
    graze_shape_depth depth = {.overlap = GRAZE_VERDICT_NO};
    *out_matters = false;
    if (open->is_shape) /* a compound with surfaces: each of its shapes is what it is */
        return GRAZE_STATUS_OK;
    graze_status status = grz_clash_hull_of(context, open->placed.mesh, &hull);
    const graze_placed around = {hull, open->placed.pose};
    if (status == GRAZE_STATUS_OK && hull != NULL)
        status = graze_shape_pair_depth(context, &around, &shape->placed_shape, NULL, &depth);
    graze_shape_destroy(hull);
    *out_matters = depth.overlap != GRAZE_VERDICT_NO;
    return status;
}

static graze_status test(shape_test *t)
{
    graze_verdict meet = GRAZE_VERDICT_NO;
    graze_status status =
        graze_shape_pair_any(t->context, &t->a->placed_shape, &t->b->placed_shape, NULL, &meet, &t->hit);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (meet == GRAZE_VERDICT_NO)
        return test_clearance(t);
    status = grz_clash_measure_shapes(t->context, t->a, t->b, meet == GRAZE_VERDICT_YES ? &t->hit : NULL, t->resolution,
                                      &t->measures);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (t->measures.overlap == GRAZE_VERDICT_YES)
        return test_overlap(t);
    if (t->measures.overlap == GRAZE_VERDICT_NO && meet == GRAZE_VERDICT_YES)
        return test_touch(t);
    return test_unknown(t, meet);
}

graze_status grz_clash_test_shapes(const grz_clash_narrow_phase *how, const grz_clash_part *a, const grz_clash_part *b,
                                   const grz_clash_limits *limits, graze_clash_finding *out_finding)
{
    const graze_context *context = how->context;
    *out_finding = (graze_clash_finding){.verdict = GRAZE_CLASH_CLEAR, .box = GRZ_CLASH_NO_BOX};
    shape_test t = {.context = context,
                    .a = a,
                    .b = b,
                    .limits = limits,
                    .resolution = grz_clash_resolution_of(a, b),
                    .f = out_finding};
    graze_status status = test(&t);
    bool shows = out_finding->verdict == GRAZE_CLASH_CROSSES || out_finding->within_resolution;
    if (status == GRAZE_STATUS_OK && how->wants_region && shows)
        out_finding->region = t.measures.region;
    else
        graze_region_destroy(t.measures.region);
    return status;
}
