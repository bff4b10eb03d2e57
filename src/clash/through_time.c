/* SPDX-License-Identifier: MIT */
/*
 * Two parts that move. From frame to frame their first contact and first crossing are decided exactly
 * (graze/motion_query.h); at whole frames from the first contact on, and right after contacts that last for no whole
 * frame, the pair is measured at its pose as if nothing moved (narrow_phase.h). The worst of these is the finding.
 *
 * Surfaces may touch all the while bodies come to overlap, as aligned boxes do that are pushed into one another; so a
 * measured overlap counts as well as a crossing of surfaces.
 *
 * Limits of depth and resolutions let a crossing between frames pass only with a proof (grz_clash_is_shallow).
 */
#include "clash/through_time.h"

#include <math.h>
#include <string.h>

#include "clash/between_frames.h"
#include "clash/shape_pairs.h"
#include "clash/swept_box.h"
#include "clash/work.h"

enum
{
    PROBES = 24,       /* times after a contact: half of what is left of the segment, a quarter... */
    PROBES_OF_REST = 4 /* where they touch when it begins */
};

static const char shape_why[] = "they come so close to touching between frames that shapes cannot be told apart";

/* A pair in a run through time, with what is known so far. */
typedef struct time_test
{
    const grz_clash_request *request;
    const grz_clash_part *parts[2];
    const grz_clash_limits *limits;
    graze_impact_cache *cache; /* of the pair, from frame to frame */
    grz_clash_limits strict;   /* at which it is measured: without clearance and allowed depth */
    bool has_worst;
    graze_clash_finding worst;
    uint32_t worst_frame; /* from 0, and how far to the next */
    double worst_part;
    bool met, overlapped;
    double met_at[2], overlapped_at[2];
    bool tolerated;    /* some crossing is proved to be within the limits */
    graze_impact meet; /* the first impact that counts so far */
} time_test;

/* --- frames --- */

static bool is_still(const grz_clash_part *part, uint32_t frame)
{
    return part->motions == NULL || part->motions[frame].kind == GRAZE_MOTION_STILL;
}

static bool is_rigid_pair(const grz_clash_part *a, const grz_clash_part *b)
{
    return (a->motions == NULL && b->motions == NULL) || (a->group != 0 && a->group == b->group);
}

/* A time within a segment in frames, rounded down or up: both the sum and the difference of a rounded sum are known to
 * be exact or on which side they are, as the sum is between the frame and twice that. */
static double in_frames(uint32_t frame, double t, bool up)
{
    double from = (double)frame + 1, sum = from + t, back = sum - from;
    if (up)
        return back < t ? nextafter(sum, INFINITY) : sum;
    return back > t ? nextafter(sum, 0) : sum;
}

/* --- at one time --- */

static int rank(graze_clash_verdict verdict)
{
    static const int ranks[GRAZE_CLASH_VERDICT_COUNT] = {
        [GRAZE_CLASH_TOO_CLOSE] = 1, [GRAZE_CLASH_TOUCHES] = 2,  [GRAZE_CLASH_UNDECIDED] = 3,
        [GRAZE_CLASH_CROSSES] = 4,   [GRAZE_CLASH_CONTAINS] = 5, [GRAZE_CLASH_DUPLICATE] = 6};
    return ranks[verdict];
}

static bool is_worse(const graze_clash_finding *one, const graze_clash_finding *other)
{
    if (one->verdict != other->verdict)
        return rank(one->verdict) > rank(other->verdict);
    double depth = one->has_depth ? one->depth[0] : 0, known = other->has_depth ? other->depth[0] : 0;
    return depth > known;
}

/* Whether what was measured is an overlap that is not allowed. */
static bool is_overlap(const time_test *m, const graze_clash_finding *f)
{
    if (rank(f->verdict) < rank(GRAZE_CLASH_CROSSES))
        return false;
    return f->verdict != GRAZE_CLASH_CROSSES || !f->has_depth || !(f->depth[1] <= m->limits->max_depth);
}

/* The finding at one time, to be released by the caller. */
static graze_status test_at(const time_test *m, uint32_t frame, double t, bool wants_region, graze_clash_finding *out)
{
    grz_clash_part a, b;
    *out = (graze_clash_finding){.verdict = GRAZE_CLASH_CLEAR, .box = GRZ_CLASH_NO_BOX};
    graze_status status = grz_clash_place_part(m->parts[0], frame, t, &a);
    if (status == GRAZE_STATUS_OK)
        status = grz_clash_place_part(m->parts[1], frame, t, &b);
    if (status != GRAZE_STATUS_OK)
        return status;
    const grz_clash_narrow_phase how = {m->request->context, NULL, wants_region};
    status = a.is_shape || b.is_shape ? grz_clash_test_shapes(&how, &a, &b, &m->strict, out)
                                      : grz_clash_test_pair(&how, &a, &b, &m->strict, out);
    return status == GRAZE_STATUS_OK ? grz_clash_judge(m->request, &a, &b, m->limits, out) : status;
}

/* Whether an overlap of shapes outlasts the rounding of poses between frames. Those of meshes are decided exactly. */
static bool is_certain(const time_test *m, uint32_t frame, double t, const graze_clash_finding *f)
{
    const grz_clash_moving_pair pair = {m->request, {m->parts[0], m->parts[1]}, m->cache};
    if (!(m->parts[0]->is_shape || m->parts[1]->is_shape) || t <= 0 || t >= 1)
        return true;
    /* shortcut: overlap-despite-rounding */
    return f->has_depth && f->depth[0] > grz_clash_rounding_at(&pair, frame, t);
}

/* Measures the pair at a time, and keeps the worst. */
static graze_status measure(time_test *m, uint32_t frame, double t, bool *out_overlap)
{
    graze_clash_finding f;
    *out_overlap = false;
    if (grz_clash_is_interrupted(m->request))
        return GRAZE_STATUS_CANCELLED;
    graze_status status = test_at(m, frame, t, false, &f);
    bool certain = status == GRAZE_STATUS_OK && is_certain(m, frame, t, &f);
    *out_overlap = certain && is_overlap(m, &f);
    bool counts = certain && f.verdict != GRAZE_CLASH_CLEAR;
    if (!counts || (m->has_worst && !is_worse(&f, &m->worst)))
    {
        grz_clash_release_finding(m->request->context, &f);
        return status;
    }
    if (m->has_worst)
        grz_clash_release_finding(m->request->context, &m->worst);
    m->worst = f;
    m->has_worst = true;
    m->worst_frame = frame;
    m->worst_part = t;
    return status;
}

/* --- between frames --- */

/* Measures right after a contact at time t of a segment, until an overlap shows. */
static graze_status measure_after(time_test *m, uint32_t frame, double t, int count, bool *out_overlap,
                                  double *out_time)
{
    graze_status status = GRAZE_STATUS_OK;
    double rest = 1 - t;
    *out_overlap = false;
    for (int i = 0; i < count && status == GRAZE_STATUS_OK && !*out_overlap; i++)
    {
        rest *= 0.5;
        *out_time = t + rest;
        if (*out_time > t)
            status = measure(m, frame, *out_time, out_overlap);
    }
    return status;
}

/* An overlap without crossing surfaces: when it began, no later than at time *time, after a contact at t. */
static graze_status narrow_down(time_test *m, uint32_t frame, double t, double *time)
{
    graze_status status = GRAZE_STATUS_OK;
    bool overlap = true;
    for (int i = 0; i < PROBES && status == GRAZE_STATUS_OK && overlap; i++)
    {
        double earlier = t + 0.5 * (*time - t);
        if (!(earlier > t))
            break;
        status = measure(m, frame, earlier, &overlap);
        *time = overlap ? earlier : *time;
    }
    return status;
}

static void note_overlap(time_test *m, uint32_t frame, double lower, double upper)
{
    if (m->overlapped)
        return;
    m->overlapped = true;
    m->overlapped_at[0] = in_frames(frame, lower, false);
    m->overlapped_at[1] = in_frames(frame, upper, true);
}

/* The first crossing of a segment in which they meet, unless it is within the limits. */
static graze_status find_crossing(time_test *m, uint32_t frame, bool *out_crosses, double *out_time)
{
    graze_impact crossing;
    const grz_clash_moving_pair pair = {m->request, {m->parts[0], m->parts[1]}, m->cache};
    graze_status status = grz_clash_find_impact(&pair, frame, GRZ_CLASH_CROSSING, &crossing);
    *out_crosses = false;
    if (status != GRAZE_STATUS_OK || crossing.verdict != GRAZE_IMPACT_AT)
        return status;
    bool shallow;
    double limit = fmax(grz_clash_resolution_of(m->parts[0], m->parts[1]), m->limits->max_depth);
    const graze_clash_details *known = m->has_worst ? m->worst.details : NULL;
    status = grz_clash_is_shallow(&pair, frame, &crossing, limit, known != NULL ? known->translation : NULL, &shallow);
    m->tolerated = m->tolerated || shallow;
    *out_crosses = !shallow;
    if (status == GRAZE_STATUS_OK && !shallow)
    {
        m->meet = crossing;
        *out_time = crossing.upper;
        note_overlap(m, frame, crossing.lower, crossing.upper);
    }
    return status;
}

/* A segment in which the boxes meet and one of the two moves. */
static graze_status test_segment(time_test *m, uint32_t frame)
{
    graze_impact impact;
    bool crosses = false, overlap = false;
    const grz_clash_moving_pair pair = {m->request, {m->parts[0], m->parts[1]}, m->cache};
    graze_status status = grz_clash_find_impact(&pair, frame, GRZ_CLASH_CONTACT, &impact);
    if (status != GRAZE_STATUS_OK || impact.verdict != GRAZE_IMPACT_AT)
        return status;
    if (!m->met)
    {
        m->met = true;
        m->meet = impact;
        m->met_at[0] = in_frames(frame, impact.lower, false);
        m->met_at[1] = in_frames(frame, impact.upper, true);
    }
    bool overlapped = m->overlapped;
    double time = 1, after = impact.upper;
    if (!overlapped)
        status = find_crossing(m, frame, &crosses, &after);
    if (status == GRAZE_STATUS_OK)
        status = measure(m, frame, 1, &overlap);
    if (status == GRAZE_STATUS_OK && !overlap && !overlapped)
        status = measure_after(m, frame, after, impact.at_start && !crosses ? PROBES_OF_REST : PROBES, &overlap, &time);
    if (status == GRAZE_STATUS_OK && overlap && !m->overlapped)
    {
        status = narrow_down(m, frame, impact.upper, &time);
        note_overlap(m, frame, impact.lower, time);
    }
    return status;
}

/* --- a pair --- */

static bool do_boxes_meet(const time_test *m, uint32_t frame)
{
    graze_box a = grz_clash_swept_box(m->parts[0], frame), b = grz_clash_swept_box(m->parts[1], frame);
    return grz_clash_do_boxes_meet(&a, &b);
}

static graze_status test_segments(time_test *m)
{
    graze_status status = GRAZE_STATUS_OK;
    for (uint32_t s = 0; s + 1 < m->request->frame_count && status == GRAZE_STATUS_OK; s++)
    {
        bool rests = is_still(m->parts[0], s) && is_still(m->parts[1], s);
        if (!rests && do_boxes_meet(m, s))
            status = test_segment(m, s);
    }
    return status;
}

/* A segment of a pair with a shape. An overlap is told by a measured one, which the end of the segment and times after
   the contact are asked for. */
static graze_status test_shape_segment(time_test *m, uint32_t frame, bool *out_undecided)
{
    graze_impact impact;
    bool overlap = false;
    double time = 1;
    const grz_clash_moving_pair pair = {m->request, {m->parts[0], m->parts[1]}, m->cache};
    graze_status status = grz_clash_find_shape_impact(&pair, frame, &impact);
    if (status != GRAZE_STATUS_OK || impact.verdict == GRAZE_IMPACT_NONE)
        return status;
    bool known = impact.verdict == GRAZE_IMPACT_AT;
    if (!m->met && !*out_undecided)
        m->met_at[0] = in_frames(frame, impact.lower, false);
    if (!m->met && known)
    {
        m->meet = impact;
        m->met_at[1] = in_frames(frame, impact.upper, true);
    }
    m->met = m->met || known;
    *out_undecided = *out_undecided || !known;
    status = measure(m, frame, 1, &overlap);
    if (status == GRAZE_STATUS_OK && known && !overlap && !m->overlapped)
        status = measure_after(m, frame, impact.upper, PROBES, &overlap, &time);
    if (status == GRAZE_STATUS_OK && known && overlap && !m->overlapped)
        status = narrow_down(m, frame, impact.upper, &time);
    if (overlap && !m->met)
        m->met_at[1] = (double)frame + 2;
    m->met = m->met || overlap;
    if (status == GRAZE_STATUS_OK && overlap)
        note_overlap(m, frame, impact.lower, time);
    return status;
}

/* Of a pair with a shape. */
static graze_status test_shape_segments(time_test *m, bool *out_undecided)
{
    graze_status status = GRAZE_STATUS_OK;
    for (uint32_t s = 0; s + 1 < m->request->frame_count && status == GRAZE_STATUS_OK; s++)
    {
        bool rests = is_still(m->parts[0], s) && is_still(m->parts[1], s);
        if (!rests && do_boxes_meet(m, s))
            status = test_shape_segment(m, s, out_undecided);
    }
    *out_undecided = *out_undecided && !m->overlapped;
    return status;
}

static void set_time(const time_test *m, graze_clash_finding *f)
{
    const double *first = m->limits->allow_touch && m->overlapped ? m->overlapped_at : m->met_at;
    f->has_time = true;
    f->has_crossing_time = m->overlapped;
    memcpy(f->time, first, sizeof f->time);
    if (m->overlapped)
        memcpy(f->crossing_time, m->overlapped_at, sizeof f->crossing_time);
    f->measured_at = m->has_worst ? (double)m->worst_frame + 1 + m->worst_part : f->time[1];
}

/* Where the two are when the finding is measured, if that is not frame 1. */
static graze_status set_poses(const time_test *m, graze_clash_finding *f)
{
    uint32_t last = m->request->frame_count > 1 ? m->request->frame_count - 2 : 0;
    uint32_t frame = f->measured_at - 1 < last ? (uint32_t)(f->measured_at - 1) : last;
    if (f->measured_at == 1 || f->verdict == GRAZE_CLASH_CLEAR)
        return GRAZE_STATUS_OK;
    graze_clash_details *details = grz_clash_need_details(m->request->context, f);
    graze_status status = details != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    for (int i = 0; i < 2 && status == GRAZE_STATUS_OK; i++)
    {
        grz_clash_part part;
        status = grz_clash_place_part(m->parts[i], frame, fmin(f->measured_at - 1 - frame, 1), &part);
        if (status == GRAZE_STATUS_OK)
            details->poses[i] = part.is_shape ? part.placed_shape.pose : part.placed.pose;
    }
    if (status == GRAZE_STATUS_OK)
        details->has_poses = true;
    return status;
}

/* A contact that was not measured, since it lasts too short: what the impact says. */
static void take_impact(const time_test *m, graze_clash_finding *f)
{
    *f = (graze_clash_finding){.verdict = GRAZE_CLASH_TOUCHES,
                               .exact = GRAZE_CLASH_TOUCHES,
                               .box = GRZ_CLASH_NO_BOX,
                               .no_pairs = true,
                               .rule = m->limits->touch_rule};
    memcpy(f->point, m->meet.point, sizeof f->point);
}

/* Makes what was measured say no less than what is known exactly, and no more. */
static void settle_verdict(const time_test *m, graze_clash_finding *f)
{
    if (m->overlapped && rank(f->verdict) < rank(GRAZE_CLASH_CROSSES))
    {
        f->verdict = f->exact = GRAZE_CLASH_CROSSES;
        f->within_resolution = false;
        f->undecided = false;
        f->why = NULL;
        f->touch_kind = NULL;
        f->has_gap = false;
        f->rule = m->limits->depth_rule;
    }
    else if (!m->overlapped && f->verdict == GRAZE_CLASH_CROSSES) /* allowed all the while: they touch at least */
        f->verdict = m->limits->allow_touch || m->limits->max_depth > 0 ? GRAZE_CLASH_CLEAR : GRAZE_CLASH_TOUCHES;
    else if (f->verdict == GRAZE_CLASH_DUPLICATE && (m->worst_frame > 0 || m->worst_part > 0))
    {
        f->verdict = f->exact = GRAZE_CLASH_CONTAINS; /* each lies in the other */
        f->a_in_b = true;
        f->rule = "default";
    }
    if (f->verdict == GRAZE_CLASH_TOUCHES && m->limits->allow_touch)
        f->verdict = GRAZE_CLASH_CLEAR;
    bool is_resolution = m->limits->max_depth <= grz_clash_resolution_of(m->parts[0], m->parts[1]);
    if (f->verdict == GRAZE_CLASH_TOUCHES && m->tolerated && is_resolution)
    {
        f->within_resolution = true;
        f->exact = GRAZE_CLASH_CROSSES;
    }
}

static void set_severity(const time_test *m, graze_clash_finding *f)
{
    f->tolerated = f->tolerated && f->verdict == GRAZE_CLASH_CROSSES;
    f->severity = f->tolerated ? GRAZE_CLASH_INFO : m->limits->severity[f->verdict];
}

/* The finding of the worst time, this time with its region if that is wanted; or of the contact alone. */
static graze_status make_finding(time_test *m, graze_clash_finding *f)
{
    graze_status status = GRAZE_STATUS_OK;
    if (!m->has_worst)
        take_impact(m, f);
    else if (m->request->regions)
        status = test_at(m, m->worst_frame, m->worst_part, true, f);
    else
    {
        *f = m->worst;
        m->worst = (graze_clash_finding){0};
    }
    if (status != GRAZE_STATUS_OK)
        return status;
    settle_verdict(m, f);
    set_severity(m, f);
    set_time(m, f);
    return set_poses(m, f);
}

/* A pair of which a shape may have met the other part between frames. */
static void set_undecided(const time_test *m, graze_clash_finding *f)
{
    if (f->verdict == GRAZE_CLASH_CLEAR)
    {
        f->verdict = f->exact = GRAZE_CLASH_UNDECIDED;
        f->rule = "default";
        f->no_pairs = true;
        f->has_time = true;
        f->time[0] = m->met_at[0];
        f->time[1] = m->request->frame_count;
        f->measured_at = 1;
    }
    f->undecided = true;
    f->why = shape_why;
    set_severity(m, f);
}

static graze_status test_all(time_test *m, graze_clash_finding *f)
{
    bool overlap = false, undecided = false;
    graze_status status = measure(m, 0, 0, &overlap);
    if (m->has_worst)
    {
        m->met = true;
        m->met_at[0] = m->met_at[1] = 1;
    }
    if (overlap)
        note_overlap(m, 0, 0, 0);
    bool is_final =
        is_rigid_pair(m->parts[0], m->parts[1]) || (m->has_worst && m->worst.verdict == GRAZE_CLASH_DUPLICATE);
    bool is_shape = m->parts[0]->is_shape || m->parts[1]->is_shape;
    if (status == GRAZE_STATUS_OK && !is_final)
        status = is_shape ? test_shape_segments(m, &undecided) : test_segments(m);
    if (status == GRAZE_STATUS_OK && m->met)
        status = make_finding(m, f);
    if (status == GRAZE_STATUS_OK && undecided)
        set_undecided(m, f);
    return status;
}

graze_status grz_clash_test_through_time(const grz_clash_request *request, const grz_clash_part *a,
                                         const grz_clash_part *b, const grz_clash_limits *limits,
                                         graze_clash_finding *out_finding)
{
    graze_clash_finding f = {.verdict = GRAZE_CLASH_CLEAR, .box = GRZ_CLASH_NO_BOX};
    graze_impact_cache cache = graze_impact_cache_default();
    time_test m = {.request = request, .parts = {a, b}, .limits = limits, .cache = &cache, .strict = *limits};
    m.strict.clearance = m.strict.max_depth = 0;
    graze_status status = test_all(&m, &f);
    if (m.has_worst)
        grz_clash_release_finding(request->context, &m.worst);
    *out_finding = f; /* also on failure: the caller owns what it has */
    return status;
}

void grz_clash_set_first_frame(graze_clash_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++)
    {
        graze_clash_finding *f = &report->findings[i];
        if (f->has_time)
            continue;
        f->has_time = f->has_crossing_time = true;
        f->measured_at = 1;
        for (int k = 0; k < 2; k++)
            f->time[k] = f->crossing_time[k] = 1;
    }
}
