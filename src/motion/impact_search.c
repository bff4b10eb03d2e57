/* SPDX-License-Identifier: MIT */
/* The search for the first impact of two moving meshes; see impact_search.h. */
#include "motion/impact_search.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/mesh.h"
#include "motion/hull_advance.h"
#include "motion/impact_estimate.h"

static bool comes_before(uint32_t a, uint32_t b, const grz_pair_time *other)
{
    return a < other->a || (a == other->a && b < other->b);
}

/* Whether a pair that may meet from t0 on can be of no use: it cannot meet earlier than at the best time, comes later
   in order, and that surfaces cross is known. */
static bool is_useless(const grz_impact_search *s, uint32_t a, uint32_t b, double t0)
{
    return s->best.found && s->crosses && t0 >= s->best.contact.when.upper && !comes_before(a, b, &s->best);
}

static graze_status ask(const grz_impact_search *s, uint32_t a, uint32_t b, double from, grz_pair_time *out)
{
    const grz_impact_question question = {.crossing = s->crossing,
                                          .details = true,
                                          .until = s->traversal.latest,
                                          .from = from,
                                          .likely = s->best.found ? &s->best.root : NULL,
                                          .root_later = !s->ties};
    return grz_pair_first_time(s->context, s->a, s->b, a, b, &question, out);
}

/* Takes the time of a pair into account. */
static graze_status take_time(grz_impact_search *s, const grz_pair_time *time)
{
    int order = -1;
    graze_status status = GRAZE_STATUS_OK;
    if (s->best.found)
    {
        bool knew_root = s->best.root.usable;
        status = grz_pair_times_compare(s->context, s->a, s->b, s->crossing, time, &s->best, &order);
        s->ties = s->ties || (!knew_root && s->best.root.usable);
    }
    if (status != GRAZE_STATUS_OK || order > 0)
        return status;
    s->crosses = time->contact.crosses || (order == 0 && s->crosses);
    if (order < 0 || comes_before(time->a, time->b, &s->best))
        s->best = *time;
    s->traversal.latest = fmin(s->traversal.latest, s->best.contact.when.upper);
    return GRAZE_STATUS_OK;
}

static uint64_t key_of(uint32_t triangle_a, uint32_t triangle_b)
{
    return grz_join_halves(triangle_a, triangle_b);
}

static bool was_asked(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    grz_impact_search *s = user;
    return grz_hash_map_find(&s->asked, key_of(triangle_a, triangle_b)) != NULL;
}

/* Where nothing but the order of pairs is in question, since surfaces are known to cross: whether a pair meets at the
   best time after the start follows from its features. */
static bool shares_impact(grz_impact_search *s, uint32_t a, uint32_t b, double from, grz_pair_time *out)
{
    return s->best.found && s->crosses && !s->crossing && s->best.contact.when.upper > 0 &&
           grz_pair_shares_impact(&s->shared, s->a, s->b, &s->best, a, b, from, out);
}

/* Decides one pair and takes it into account. */
static graze_status decide(grz_impact_search *s, uint32_t a, uint32_t b, double from)
{
    grz_pair_time time;
    if (shares_impact(s, a, b, from, &time))
    {
        if (comes_before(a, b, &s->best))
            s->best = time;
        return GRAZE_STATUS_OK;
    }
    if (!(from > 0) && grz_pair_crosses_at_start(&s->shared, s->a, s->b, a, b, &time))
        return take_time(s, &time);
    s->traversal.stats.triangle_tests++;
    graze_status status = ask(s, a, b, from, &time);
    return status == GRAZE_STATUS_OK && time.found ? take_time(s, &time) : status;
}

static bool decide_pair(void *user, uint32_t triangle_a, uint32_t triangle_b, double t0, double t1)
{
    grz_impact_search *s = user;
    (void)t1; /* a later time is as good */
    if (!(t0 > 0))
        grz_impact_witnesses_add(&s->proposed, triangle_a, triangle_b);
    if (is_useless(s, triangle_a, triangle_b, t0))
        return true;
    s->failure = grz_hash_map_set(s->context, &s->asked, key_of(triangle_a, triangle_b), 1)
                     ? decide(s, triangle_a, triangle_b, t0)
                     : GRAZE_STATUS_OUT_OF_MEMORY;
    return s->failure == GRAZE_STATUS_OK;
}

void grz_impact_search_init(grz_impact_search *s, const graze_context *context, const graze_moving_mesh *a,
                            const graze_moving_mesh *b, const graze_tree *tree_a, const graze_tree *tree_b,
                            bool crossing)
{
    *s = (grz_impact_search){.context = context, .a = a, .b = b, .crossing = crossing};
    s->traversal = (grz_space_time){.context = context,
                                    .moving_a = a,
                                    .moving_b = b,
                                    .tree_a = tree_a,
                                    .tree_b = tree_b,
                                    .propose = decide_pair,
                                    .settled = was_asked,
                                    .early = crossing,
                                    .user = s};
}

bool grz_impact_search_begin(grz_impact_search *s, const grz_impact_witnesses *witnesses)
{
    s->best = (grz_pair_time){0};
    s->shared = (grz_shared_impact){0};
    s->failure = GRAZE_STATUS_OK;
    s->ties = s->crosses = false;
    s->proposed.count = 0;
    for (int i = 0; witnesses != NULL && i < witnesses->count && !s->crosses; i++) /* shortcut: last-witness-first */
        s->crosses =
            grz_pair_crosses_at_start(&s->shared, s->a, s->b, witnesses->pairs[i][0], witnesses->pairs[i][1], &s->best);
    return s->crosses;
}

graze_status grz_impact_search_run(grz_impact_search *s, bool start_first, grz_monitor *monitor)
{
    s->traversal.monitor = monitor;
    s->traversal.from = s->crosses ? 0 : grz_hull_advance(s->a, s->b, 0);
    s->traversal.start_first = (start_first && !(s->traversal.from > 0)) || s->crosses;
    graze_status status = grz_space_time_start(&s->traversal);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (s->crosses)
    {
        s->traversal.latest = 0;
        s->traversal.start_is_bounded = true;
        s->traversal.last_a = s->best.a;
    }
    status = grz_space_time_advance(&s->traversal);
    grz_hash_map_release(s->context, &s->asked);
    s->asked = (grz_hash_map){0};
    return s->failure != GRAZE_STATUS_OK ? s->failure : status;
}

void grz_impact_search_result(const grz_impact_search *s, bool finished, graze_impact *out)
{
    memset(out, 0, sizeof *out);
    if (!s->best.found)
    {
        out->verdict = finished ? GRAZE_IMPACT_NONE : GRAZE_IMPACT_UNKNOWN;
        out->lower = finished ? 0 : grz_space_time_reached(&s->traversal);
        out->upper = finished ? 0 : 1;
        return;
    }
    out->verdict = GRAZE_IMPACT_AT;
    out->lower = s->best.contact.when.lower;
    out->upper = s->best.contact.when.upper;
    if (!finished) /* there is an impact, but there may be an earlier one */
    {
        out->lower = fmin(out->lower, grz_space_time_reached(&s->traversal));
        out->verdict = GRAZE_IMPACT_UNKNOWN;
        return;
    }
    out->at_start = !(out->upper > 0);
    out->crosses = s->crosses;
    out->hit.triangle_a = s->best.a;
    out->hit.triangle_b = s->best.b;
    out->hit.face_a = grz_mesh_face(s->a->mesh, s->best.a);
    out->hit.face_b = grz_mesh_face(s->b->mesh, s->best.b);
    out->hit.contact = s->best.contact.contact;
    grz_impact_estimate(s->a, s->b, out);
}
