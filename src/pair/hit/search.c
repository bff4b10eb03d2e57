/* SPDX-License-Identifier: MIT */
/* Running a search on one thread; see search.h. */
#include "pair/hit/search.h"

#include "base/budget_monitor.h"
#include "base/clock.h"
#include "base/tasks.h"
#include "pair/hit/parallel_search.h"

enum
{
    PROGRESS_PAIRS = 128, /* node pairs that the head is opened into, to estimate progress: 2^14 box tests at most */
    SPLIT_BOX_TESTS = 1 << 16, /* box tests on one thread before others are used: 0.3 to 1 ms, where waking them pays */
};

graze_status grz_search_start(grz_search *s, grz_node_pair *room, grz_monitor *monitor)
{
    s->parts = NULL;
    s->part_count = 0;
    s->finished = s->expanded = false;
    s->share_before = s->share = 0;
    s->share_total = s->share_low = 0;
    graze_status status = grz_query_start(&s->query);
    if (status != GRAZE_STATUS_OK)
        return status;
    return grz_query_part_start(&s->head, &s->query, room, monitor) ? GRAZE_STATUS_OK : grz_monitor_or_memory(monitor);
}

/* The deadline and the caller's progress function, checked while the head runs. */
typedef struct run_limits
{
    grz_search *search;
    uint64_t deadline;
    graze_progress_function progress;
    void *progress_user;
    uint64_t work;       /* at the last check */
    graze_status status; /* OK unless it has to stop */
} run_limits;

/* The share never decreases: it is computed from the fewest pairs left so far. */
static void update_share(grz_search *s)
{
    double done = 0;
    if (s->query.uses_trees)
    {
        size_t count = s->head.traversal.count;
        if (s->share_total == 0)
            s->share_total = s->share_low = count;
        if (count < s->share_low)
            s->share_low = count;
        done = s->share_total == 0 ? 0 : 1 - (double)s->share_low / (double)s->share_total;
    }
    else
    {
        const grz_aabb_sweep *sweep = &s->head.sweep;
        done = (double)(sweep->next_a + sweep->next_b) / (double)(sweep->a_count + sweep->b_count + 1);
    }
    double share = s->share_before + (1 - s->share_before) * done;
    if (share > s->share)
        s->share = share;
}

static bool check_limits(void *user)
{
    run_limits *w = user;
    uint64_t work = grz_query_part_work(&w->search->head);
    if (work - w->work < GRZ_WORK_PER_CHECK)
        return true;
    w->work = work;
    if (w->progress != NULL)
    {
        update_share(w->search);
        if (!w->progress(w->progress_user, w->search->share))
            w->status = GRAZE_STATUS_CANCELLED;
    }
    if (w->status == GRAZE_STATUS_OK && w->deadline != UINT64_MAX && grz_clock_now() >= w->deadline)
        w->status = GRAZE_STATUS_UNFINISHED;
    return w->status == GRAZE_STATUS_OK;
}

/* Opens the head into many pairs, whose number left measures progress. For the sweep it is the boxes left. */
static bool prepare_share(grz_search *s, const graze_budget *budget)
{
    if (!s->query.uses_trees || s->expanded)
        return true;
    if (budget->box_tests == 0 && !grz_traversal_expand(&s->head.traversal, PROGRESS_PAIRS))
        return false;
    s->expanded = budget->box_tests == 0;
    s->share_before = s->share;
    s->share_total = s->share_low = s->head.traversal.count;
    return true;
}

static graze_status fail_for_memory(grz_search *s)
{
    s->head.out_of_memory = true;
    return GRAZE_STATUS_OUT_OF_MEMORY;
}

/* Runs the head until it is done, the budget is used up, or splitting it pays (then OK, and the head is not done). */
static graze_status run_head(grz_search *s, const graze_budget *budget, run_limits *w, bool may_split)
{
    uint64_t done = grz_query_part_box_tests(&s->head), limit = UINT64_MAX;
    if (budget->box_tests > 0 && budget->box_tests < UINT64_MAX - done)
        limit = done + budget->box_tests;
    else if (may_split)
        limit = done > SPLIT_BOX_TESTS ? done : SPLIT_BOX_TESTS;
    bool limited = w->progress != NULL || w->deadline != UINT64_MAX;
    grz_pause pause = {limit, GRZ_NODE_PAIRS_PER_CHECK, limited ? check_limits : NULL, w};
    grz_query_part_advance(&s->head, limited || limit != UINT64_MAX ? &pause : NULL);
    if (s->head.out_of_memory)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (s->head.done)
        return GRAZE_STATUS_OK;
    update_share(s);
    return w->status == GRAZE_STATUS_OK && budget->box_tests > 0 ? GRAZE_STATUS_UNFINISHED : w->status;
}

graze_status grz_search_run(grz_search *s, const graze_budget *budget)
{
    static const graze_budget none = {0};
    if (s->head.out_of_memory)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (s->finished)
        return GRAZE_STATUS_OK;
    if (budget == NULL)
        budget = &none;
    run_limits w = {
        s, UINT64_MAX, budget->progress, budget->progress_user, grz_query_part_work(&s->head), GRAZE_STATUS_OK};
    if (budget->seconds > 0)
        w.deadline = grz_deadline_after(budget->seconds);
    bool may_split = s->query.uses_trees && budget->box_tests == 0 && grz_concurrency(s->query.context) > 1;
    graze_status status = GRAZE_STATUS_OK;
    if (!s->head.done)
    {
        if (budget->progress != NULL && !prepare_share(s, budget))
            return fail_for_memory(s);
        status = run_head(s, budget, &w, may_split);
        if (status == GRAZE_STATUS_OK && !s->head.done && !grz_search_split(s))
            return fail_for_memory(s);
    }
    if (status == GRAZE_STATUS_OK && s->part_count > 0)
        status = grz_search_run_parts(s, budget, w.deadline);
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return fail_for_memory(s);
    s->finished = status == GRAZE_STATUS_OK;
    if (s->finished)
        s->share = 1;
    return status;
}

graze_pair_counts grz_search_counts(const grz_search *s)
{
    graze_pair_counts counts = s->head.counts;
    for (size_t i = 0; i < s->part_count; i++)
    {
        counts.pairs += s->parts[i].counts.pairs;
        counts.touching += s->parts[i].counts.touching;
        counts.crossing += s->parts[i].counts.crossing;
        counts.coplanar += s->parts[i].counts.coplanar;
    }
    return counts;
}

graze_stats grz_search_stats(const grz_search *s)
{
    graze_stats stats = {0};
    grz_query_part_add_stats(&s->head, &stats);
    for (size_t i = 0; i < s->part_count; i++)
        grz_query_part_add_stats(&s->parts[i], &stats);
    return stats;
}

const graze_hit *grz_search_first(const grz_search *s)
{
    if (s->head.counts.pairs > 0)
        return &s->head.first;
    for (size_t i = 0; i < s->part_count; i++)
    {
        if (s->parts[i].counts.pairs > 0)
            return &s->parts[i].first;
    }
    return NULL;
}

grz_traversal_hint grz_search_hint(const grz_search *s)
{
    bool stopped = s->query.uses_trees && s->query.first_only && s->head.counts.pairs > 0;
    uint64_t at = s->head.traversal.stopped_at;
    return stopped ? (grz_traversal_hint){grz_half_a(at), grz_half_b(at)} : GRZ_NO_HINT;
}

bool grz_search_join(grz_search *s)
{
    bool enough = true;
    for (size_t i = 0; enough && i < s->part_count; i++)
        enough = grz_hit_buffer_merge(&s->head.buffered, s->query.context, &s->parts[i].buffered);
    return enough;
}

bool grz_search_write(grz_search *s, graze_hit *out_hits, size_t capacity)
{
    const grz_query *q = &s->query;
    return grz_search_join(s) &&
           grz_hit_buffer_write(&s->head.buffered, q->context, q->a->mesh, q->b->mesh, out_hits, capacity);
}

void grz_search_end(grz_search *s)
{
    for (size_t i = 0; i < s->part_count; i++)
        grz_query_part_end(&s->parts[i]);
    grz_release(s->query.context, s->parts);
    s->parts = NULL;
    s->part_count = 0;
    grz_query_part_end(&s->head);
}
