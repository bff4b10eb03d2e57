/* SPDX-License-Identifier: MIT */
/*
 * Overlap of two bodies; see overlap.h.
 *
 * Suppose the interiors share a point. Their intersection is open and bounded, so it has a boundary, made of parts of
 * one surface inside the other body, or of parts of both surfaces. Hence, if the surfaces share no point, some
 * component of one lies inside the other body, and locating one of its vertices decides. If two triangles cross, one
 * side of each is interior, and one of the four quadrants around their common segment is interior to both bodies. If
 * they only touch, a separating plane proves that the interiors are disjoint; the candidates are the planes of the
 * touching triangles. If none separates, local_overlap.c decides.
 */
#include "pair/solid/overlap.h"
#include "pair/subquery.h"

#include <math.h>

typedef struct hit_gathering
{
    const graze_context *context;
    grz_hits *hits;
    bool out_of_memory;
} hit_gathering;

static bool keep_hit(void *user, const graze_hit *hit)
{
    hit_gathering *g = user;
    g->out_of_memory = !GRZ_PUSH(g->context, g->hits, *hit);
    return !g->out_of_memory;
}

graze_status grz_hits_gather(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                             grz_monitor *monitor, grz_hits *hits)
{
    hits->count = 0;
    hit_gathering g = {context, hits, false};
    graze_stats stats;
    graze_pair_options options = grz_subquery_options(monitor, &stats);
    graze_status status = grz_subquery_end(monitor, graze_pair_visit(context, a, b, &options, keep_hit, &g), &stats);
    return g.out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : status;
}

/* ---- containment ---- */

graze_status grz_placed_pair_body(grz_placed_pair *p, int side, grz_body_view *out_body)
{
    const grz_placed_body *s = &p->body_pair->sides[side];
    grz_body_view body = grz_placed_body_view(s);
    body.pose = &p->placed[side].pose;
    if (p->moved[side])
        body.world = grz_world_tree_make(body.mesh, s->placed->tree, body.pose);
    if (p->moved[side] && body.world.tree == NULL)
    {
        if (p->boxes[side] == NULL)
            p->boxes[side] = grz_placed_aabbs_make(p->body_pair->context, body.mesh, body.pose, body.monitor);
        if (p->boxes[side] == NULL)
            return grz_monitor_or_memory(body.monitor);
        body.boxes = p->boxes[side];
    }
    *out_body = body;
    return GRAZE_STATUS_OK;
}

/* Whether the component surely extends beyond the AABB of the other side, and so is not inside it. */
static bool exceeds_aabb(const grz_placed_pair *p, int inner, size_t component)
{
    const grz_component_extent *extent = &p->body_pair->sides[inner].extents[component];
    const grz_placed_aabb *hull = &p->body_pair->sides[1 - inner].hull;
    for (int axis = 0; axis < 3; axis++)
    {
        interval shift = p->shifts[inner][axis];
        interval lower = interval_add(interval_point(extent->lower[axis]), shift);
        interval upper = interval_add(interval_point(extent->upper[axis]), shift);
        interval outer = interval_add(hull->axes[axis], p->shifts[1 - inner][axis]);
        /* shortcut: sticks-out */
        if (lower.upper < outer.lower || upper.lower > outer.upper)
            return true;
    }
    return false;
}

/* Whether some component of the other side lies inside body `outer`. The surfaces share no point. */
static graze_status contains_component(grz_placed_pair *p, int outer, bool *out_contains)
{
    const grz_placed_body *inner_side = &p->body_pair->sides[1 - outer], *outer_side = &p->body_pair->sides[outer];
    *out_contains = false;
    for (size_t c = 0;
         outer_side->body->adjacency.closed && c < inner_side->body->adjacency.component_count && !*out_contains; c++)
    {
        if (!grz_monitor_work(p->body_pair->monitor, 1))
            return p->body_pair->monitor->status;
        if (exceeds_aabb(p, 1 - outer, c))
            continue;
        grz_body_view body;
        graze_status status = grz_placed_pair_body(p, outer, &body);
        if (status != GRAZE_STATUS_OK)
            return status;
        const double *corner = grz_body_component_corner(inner_side->body, c);
        *out_contains = grz_locate_point(&body, corner, &p->placed[1 - outer].pose) == GRAZE_LOCATION_INSIDE;
    }
    return grz_monitor_status(p->body_pair->monitor);
}

static graze_status either_contains(grz_placed_pair *p, bool *out_contains)
{
    graze_status status = contains_component(p, 0, out_contains);
    return status != GRAZE_STATUS_OK || *out_contains ? status : contains_component(p, 1, out_contains);
}

/* ---- decision ---- */

static bool any_crossing(const grz_hits *hits)
{
    for (size_t i = 0; i < hits->count; i++)
        if (hits->data[i].contact.crossing)
            return true;
    return false;
}

static grz_placed_pair place(grz_body_pair *body_pair)
{
    grz_placed_pair p = {.body_pair = body_pair, .placed = {*body_pair->sides[0].placed, *body_pair->sides[1].placed}};
    return p;
}

static void end_placement(grz_placed_pair *p)
{
    grz_release(p->body_pair->context, p->boxes[0]);
    grz_release(p->body_pair->context, p->boxes[1]);
}

/* Given all hits, of which there is at least one. */
static graze_status decide_meeting(grz_placed_pair *p, const grz_hits *hits, graze_verdict *out_overlap)
{
    bool overlaps = any_crossing(hits); /* shortcut: crossing-overlaps */
    graze_status status = overlaps ? GRAZE_STATUS_OK : grz_some_contact_overlaps(p, hits, &overlaps);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (overlaps)
        *out_overlap = GRAZE_VERDICT_YES;
    else if (grz_is_separated_by_plane(p, hits))
        *out_overlap = GRAZE_VERDICT_NO;
    else if (grz_monitor_may_continue(p->body_pair->monitor))
        return grz_touching_bodies_overlap(p, hits, out_overlap);
    return grz_monitor_status(p->body_pair->monitor);
}

static graze_status decide_apart(grz_placed_pair *p, graze_verdict *out_overlap)
{
    bool held;
    graze_status status = either_contains(p, &held);
    if (status == GRAZE_STATUS_OK)
        *out_overlap = held ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    return status;
}

graze_status grz_overlap(grz_body_pair *body_pair, const grz_hits *hits, graze_verdict *out_overlap)
{
    grz_placed_pair p = place(body_pair);
    graze_status status = hits->count == 0 ? decide_apart(&p, out_overlap) : decide_meeting(&p, hits, out_overlap);
    end_placement(&p);
    return status;
}

/* The same given one hit, which often suffices; otherwise gathers all. */
static graze_status decide_from(grz_placed_pair *p, const graze_hit *hit, graze_verdict *out_overlap)
{
    const graze_context *context = p->body_pair->context;
    *out_overlap = GRAZE_VERDICT_YES;
    if (hit->contact.crossing)
        return GRAZE_STATUS_OK;
    graze_status status = grz_local_overlap_prepare(p->body_pair);
    if (status != GRAZE_STATUS_OK || grz_local_overlap_at(p, hit) == GRAZE_VERDICT_YES)
        return status;
    grz_hits hits = {0};
    status = grz_hits_gather(context, &p->placed[0], &p->placed[1], p->body_pair->monitor, &hits);
    if (status == GRAZE_STATUS_OK)
        status = decide_meeting(p, &hits, out_overlap);
    grz_release(context, hits.data);
    return status;
}

graze_status grz_disjoint_after(grz_body_pair *body_pair, int mover, const double translation[3], bool *out_apart)
{
    grz_placed_pair p = place(body_pair);
    p.moved[mover] = true;
    for (int axis = 0; axis < 3; axis++)
    {
        double *at = &p.placed[mover].pose.m[4 * axis + 3], before = *at;
        *at += translation[axis];
        p.shifts[mover][axis] = interval_sub(interval_point(*at), interval_point(before));
    }
    *out_apart = false;
    if (graze_pose_check(&p.placed[mover].pose, NULL) != GRAZE_STATUS_OK)
        return GRAZE_STATUS_OK;
    bool found;
    graze_hit hit;
    graze_verdict overlap = GRAZE_VERDICT_UNKNOWN;
    graze_stats stats;
    graze_pair_options plain = grz_subquery_options(body_pair->monitor, &stats);
    graze_any_options options = grz_any_options_from(&plain);
    options.cache = &body_pair->cache; /* coherence: triangles that crossed at the last translation mostly still do */
    graze_status status = graze_pair_any(body_pair->context, &p.placed[0], &p.placed[1], &options, &found, &hit);
    status = grz_subquery_end(body_pair->monitor, status, &stats);
    if (status == GRAZE_STATUS_OK)
        status = found ? decide_from(&p, &hit, &overlap) : decide_apart(&p, &overlap);
    *out_apart = status == GRAZE_STATUS_OK && overlap == GRAZE_VERDICT_NO;
    end_placement(&p);
    return status;
}

void grz_body_pair_release(grz_body_pair *body_pair)
{
    grz_placed_body_release(body_pair->context, &body_pair->sides[0]);
    grz_placed_body_release(body_pair->context, &body_pair->sides[1]);
    grz_local_overlap_release(body_pair);
}
