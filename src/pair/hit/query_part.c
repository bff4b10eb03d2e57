/* SPDX-License-Identifier: MIT */
/* Running the parts of a query: start, advance to a pause or the end, statistics; see query.h. */
#include "base/budget_monitor.h"
#include "pair/hit/contact_lanes.h"
#include "pair/hit/decide_pairs.h"

bool grz_query_part_start(grz_query_part *part, const grz_query *q, grz_node_pair *room, grz_monitor *monitor)
{
    part->query = q;
    part->done = part->out_of_memory = false;
    part->stages = (grz_filter_stats){0};
    part->triangle_tests = 0;
    part->counts = (graze_pair_counts){0};
    part->decides_candidates = false;
    part->lanes.started = false;
    part->fixed.started = false;
    part->fixed.row = part->fixed.left = 0;
    part->buffered = (grz_hit_buffer){.most = q->most_buffered, .first = q->first_buffered, .end = UINT64_MAX};
    part->traversal.pairs = part->traversal.room = NULL;
    part->sweep.a = part->sweep.b = NULL;
    if (!q->uses_trees)
        return grz_aabb_sweep_start(&part->sweep, q->context, q->a->mesh, q->pose_a, q->b->mesh, q->pose_b, monitor);
    grz_traversal *t = &part->traversal;
    t->context = q->context;
    t->kernels = grz_kernels_for(q->context != NULL ? q->context->instructions : GRAZE_INSTRUCTIONS_BEST);
    t->a = q->a->tree;
    t->b = q->b->tree;
    t->to_a = &q->to_a;
    t->to_b = &q->to_b;
    t->self = q->self;
    t->hint = q->hint;
    t->eager = q->first_only;
    t->propose = q->self ? grz_decide_self : grz_decide_in_frame;
    t->take_crossings = q->self || q->first_only ? NULL : grz_record_crossings;
    t->take_candidates = t->take_crossings != NULL ? grz_decide_in_lanes : NULL;
    t->user = part;
    grz_traversal_start(t, room);
    return true;
}

/* The sweep pauses by box tests instead of node pairs: eight box tests count as one pair. */
static void advance_sweep(grz_query_part *part, const grz_pause *pause)
{
    grz_aabb_pair_function test = part->query->self ? grz_decide_self_once : grz_decide_in_world;
    uint64_t box_limit = pause != NULL ? pause->box_limit : UINT64_MAX;
    bool watched = pause != NULL && pause->go_on != NULL, go_on = true;
    while (go_on && !part->done)
    {
        uint64_t limit = watched ? part->sweep.box_tests + 8 * (uint64_t)pause->interval : box_limit;
        if (limit > box_limit)
            limit = box_limit;
        bool stopped = !grz_aabb_sweep_advance(&part->sweep, limit, test, part);
        part->done = stopped || grz_aabb_sweep_is_done(&part->sweep);
        go_on = part->sweep.box_tests < box_limit && (!watched || part->done || pause->go_on(pause->user));
    }
}

/* Decides the postponed pairs after the traversal. As it may pause, the part is done only when none is left. */
static void decide_candidates(grz_query_part *part, const grz_pause *pause)
{
    part->decides_candidates = true;
    part->done = false;
    while (part->buffered.candidates.count > 0 && !part->out_of_memory)
    {
        uint64_t key = part->buffered.candidates.data[--part->buffered.candidates.count];
        grz_decide_postponed(part, (uint32_t)(key >> 32), (uint32_t)key);
        if (pause != NULL && pause->go_on != NULL && !pause->go_on(pause->user) && part->buffered.candidates.count > 0)
            return;
    }
    part->done = true;
}

void grz_query_part_advance(grz_query_part *part, const grz_pause *pause)
{
    if (part->done)
        return;
    if (!part->query->uses_trees)
        advance_sweep(part, pause);
    else
    {
        grz_traversal_end end = grz_traversal_advance(&part->traversal, pause);
        part->out_of_memory = part->out_of_memory || end == GRZ_TRAVERSAL_OUT_OF_MEMORY;
        part->done = end != GRZ_TRAVERSAL_PAUSED;
    }
    if (part->done && part->buffered.candidates.count > 0 && !part->out_of_memory)
        decide_candidates(part, pause);
}

uint64_t grz_query_part_box_tests(const grz_query_part *part)
{
    return part->query->uses_trees ? part->traversal.box_tests : part->sweep.box_tests;
}

uint64_t grz_query_part_work(const grz_query_part *part)
{
    uint64_t leaf_work = part->query->uses_trees ? part->traversal.leaf_pairs * GRZ_PAIRS : 0;
    return grz_query_part_box_tests(part) + leaf_work + part->triangle_tests * GRZ_EXACT_TEST_WORK;
}

void grz_query_part_add_stats(const grz_query_part *part, graze_stats *stats)
{
    stats->box_tests += grz_query_part_box_tests(part);
    stats->leaf_pairs += part->query->uses_trees ? part->traversal.leaf_pairs : 0;
    stats->triangle_tests += part->triangle_tests;
    stats->exact_signs += part->stages.exact;
}

void grz_query_part_end(grz_query_part *part)
{
    if (part->query == NULL)
        return;
    const graze_context *context = part->query->context;
    if (part->query->uses_trees)
        grz_traversal_release(&part->traversal);
    else
        grz_aabb_sweep_end(&part->sweep, context);
    grz_hit_buffer_release(&part->buffered, context);
}
