/* SPDX-License-Identifier: MIT */
/*
 * A search in many parts; see parallel_search.h.
 *
 * Parts are in the order in which a single thread would visit them. When only the first hit is asked for, a part may be
 * dropped once an earlier part has a hit, and not otherwise: the hit reported is then that of a single thread.
 *
 * With a progress function the threads work in rounds of ROUND_NS, and it is called from the caller's thread only.
 */
#include "pair/hit/parallel_search.h"

#include <stdatomic.h>

#include "base/budget_monitor.h"
#include "base/clock.h"
#include "base/tasks.h"
#include "base/thread.h"

enum
{
    PARTS_A_THREAD = 64, /* enough that one large part does not leave the other threads idle for long */
    PAIRS_A_PART = 4,    /* mean at least: the work for single pairs varies too much */
    ROUND_NS = 10000000
};

/* Moves the candidates that the head has postponed to the first part. */
static void move_candidates(grz_hit_buffer *head, grz_hit_buffer *first)
{
    first->candidates.data = head->candidates.data;
    first->candidates.count = head->candidates.count;
    first->candidates.capacity = head->candidates.capacity;
    first->end = head->end;
    head->candidates.data = NULL;
    head->candidates.count = head->candidates.capacity = 0;
}

bool grz_search_split(grz_search *s)
{
    const graze_context *context = s->query.context;
    grz_traversal *head = &s->head.traversal;
    uint32_t threads = grz_concurrency(context);
    size_t wanted = (size_t)PARTS_A_THREAD * (threads < 1024 ? threads : 1024);
    if (!grz_traversal_expand(head, wanted * PAIRS_A_PART))
        return false;
    size_t count = head->count < wanted ? head->count : wanted, pairs = head->count;
    s->parts = grz_allocate_zeroed(context, count, sizeof *s->parts);
    if (s->parts == NULL)
        return false;
    s->part_count = count;
    for (size_t i = 0; i < count; i++)
    {
        grz_query_part *part = &s->parts[i];
        /* The top of the stack comes first in order. */
        size_t first = pairs - (pairs * (i + 1)) / count;
        grz_query_part_start(part, &s->query, NULL, NULL);
        void *user = part->traversal.user;
        if (!grz_traversal_split(head, first, &part->traversal))
            return false;
        part->traversal.user = user;
    }
    s->share_before = s->share;
    if (count == 0) /* only postponed pairs are left */
    {
        grz_query_part_advance(&s->head, NULL);
        return !s->head.out_of_memory;
    }
    move_candidates(&s->head.buffered, &s->parts[0].buffered);
    s->head.done = true;
    return true;
}

/* One round of work on all parts. */
typedef struct work_round
{
    grz_search *search;
    uint64_t deadline;
    size_t first_open;         /* the lowest unfinished part: every round works on it */
    atomic_size_t first_found; /* the lowest part with a hit, when only one is asked for */
    atomic_flag joining;       /* a lock: a thread merges hits into the head's buffer, where not all are wanted */
    atomic_ullong end;         /* hits from this key on are dropped everywhere */
    uint64_t caller_thread;    /* the calling thread: it alone calls `progress` */
    graze_progress_function progress;
    void *progress_user;
    atomic_bool cancelled;
} work_round;

/* The work of one thread on one part in a round. */
typedef struct part_work
{
    work_round *round;
    size_t index;
    uint64_t work; /* of the part at the last check */
} part_work;

static bool is_after_hit(const work_round *round, size_t index)
{
    return atomic_load_explicit(&round->first_found, memory_order_relaxed) < index;
}

static bool check_part(void *user)
{
    part_work *t = user;
    work_round *round = t->round;
    uint64_t work = grz_query_part_work(&round->search->parts[t->index]);
    if (work - t->work >= GRZ_WORK_PER_CHECK)
    {
        t->work = work;
        if (round->deadline != UINT64_MAX && grz_clock_now() >= round->deadline)
            return false;
        if (round->progress != NULL && grz_thread_self() == round->caller_thread &&
            !round->progress(round->progress_user, round->search->share))
            atomic_store(&round->cancelled, true);
    }
    return !atomic_load_explicit(&round->cancelled, memory_order_relaxed) && !is_after_hit(round, t->index);
}

/* Where not all hits are wanted, those of a finished part are merged into the head's buffer at once, unless another
   thread is merging; then they are merged at the end. Otherwise every part might buffer as many hits as are wanted in
   all. */
static void join_early(work_round *round, grz_query_part *part)
{
    grz_search *s = round->search;
    if (part->buffered.most == 0 || atomic_flag_test_and_set(&round->joining))
        return;
    if (!grz_hit_buffer_merge(&s->head.buffered, s->query.context, &part->buffered))
        part->out_of_memory = true;
    atomic_store(&round->end, s->head.buffered.end);
    atomic_flag_clear(&round->joining);
}

static void record_found(work_round *round, size_t index)
{
    size_t lowest = atomic_load_explicit(&round->first_found, memory_order_relaxed);
    while (index < lowest && !atomic_compare_exchange_weak(&round->first_found, &lowest, index))
    {
    }
}

static void work_on_part(void *argument, size_t index)
{
    work_round *round = argument;
    grz_query_part *part = &round->search->parts[index];
    part_work t = {round, index, grz_query_part_work(part)};
    grz_pause pause = {UINT64_MAX, GRZ_NODE_PAIRS_PER_CHECK, check_part, &t};
    bool late = round->deadline != UINT64_MAX && grz_clock_now() >= round->deadline;
    if (part->done || (index != round->first_open && (late || !check_part(&t))))
        return;
    bool watched = round->deadline != UINT64_MAX || round->search->query.first_only;
    if (part->buffered.most > 0)
        grz_hit_buffer_truncate(&part->buffered, atomic_load(&round->end));
    grz_query_part_advance(part, watched ? &pause : NULL);
    if (part->done && !part->out_of_memory)
        join_early(round, part);
    if (part->counts.pairs > 0 && round->search->query.first_only)
        record_found(round, index);
}

/* Finishes the parts after a hit when one is enough. Returns how many parts are done. */
static size_t update_parts(grz_search *s, bool *out_of_memory)
{
    size_t done = 0;
    bool found = false;
    for (size_t i = 0; i < s->part_count; i++)
    {
        grz_query_part *part = &s->parts[i];
        if (found)
            part->done = true;
        found = found || (s->query.first_only && part->counts.pairs > 0);
        done += part->done;
        *out_of_memory = *out_of_memory || part->out_of_memory;
    }
    return done;
}

/* Work on one part after the other. */
typedef struct single_work
{
    const grz_query_part *part;
    uint64_t work, deadline;
    graze_progress_function progress;
    void *progress_user;
    double share;
    graze_status status; /* OK unless it has to stop */
} single_work;

static bool single_check(void *user)
{
    single_work *t = user;
    uint64_t work = grz_query_part_work(t->part);
    if (work - t->work < GRZ_WORK_PER_CHECK)
        return true;
    t->work = work;
    if (t->progress != NULL && !t->progress(t->progress_user, t->share))
        t->status = GRAZE_STATUS_CANCELLED;
    else if (t->deadline != UINT64_MAX && grz_clock_now() >= t->deadline)
        t->status = GRAZE_STATUS_UNFINISHED;
    return t->status == GRAZE_STATUS_OK;
}

/* Runs one part after the other, up to that many box tests. */
static graze_status run_in_order(grz_search *s, const graze_budget *budget, uint64_t deadline)
{
    uint64_t box_tests = budget->box_tests;
    graze_progress_function progress = budget->progress;
    void *progress_user = budget->progress_user;
    bool out_of_memory = false;
    while (update_parts(s, &out_of_memory) < s->part_count && !out_of_memory)
    {
        size_t index = 0;
        while (s->parts[index].done)
            index++;
        grz_query_part *part = &s->parts[index];
        uint64_t before = grz_query_part_box_tests(part);
        single_work t = {part, grz_query_part_work(part), deadline, progress, progress_user, s->share, GRAZE_STATUS_OK};
        grz_pause pause = {box_tests < UINT64_MAX - before ? before + box_tests : UINT64_MAX, GRZ_NODE_PAIRS_PER_CHECK,
                           single_check, &t};
        grz_query_part_advance(part, &pause);
        box_tests -=
            grz_query_part_box_tests(part) - before < box_tests ? grz_query_part_box_tests(part) - before : box_tests;
        if (part->out_of_memory)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        if (update_parts(s, &out_of_memory) == s->part_count)
            break;
        if (t.status != GRAZE_STATUS_OK)
            return t.status;
        if (!part->done || box_tests == 0 || grz_clock_now() >= deadline)
            return GRAZE_STATUS_UNFINISHED;
        if (progress != NULL && !progress(progress_user, s->share))
            return GRAZE_STATUS_CANCELLED;
    }
    return out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
}

graze_status grz_search_run_parts(grz_search *s, const graze_budget *budget, uint64_t deadline)
{
    graze_progress_function progress = budget->progress;
    void *progress_user = budget->progress_user;
    if (budget->box_tests > 0)
        return run_in_order(s, budget, deadline);
    bool out_of_memory = false;
    size_t done = update_parts(s, &out_of_memory);
    while (done < s->part_count && !out_of_memory)
    {
        work_round round = {.search = s,
                            .deadline = deadline,
                            .joining = ATOMIC_FLAG_INIT,
                            .caller_thread = grz_thread_self(),
                            .progress = progress,
                            .progress_user = progress_user};
        atomic_init(&round.first_found, SIZE_MAX);
        atomic_init(&round.end, s->head.buffered.end);
        atomic_init(&round.cancelled, false);
        if (progress != NULL)
        {
            uint64_t end = grz_clock_now() + ROUND_NS;
            round.deadline = end < deadline ? end : deadline;
        }
        while (s->parts[round.first_open].done)
            round.first_open++;
        for (size_t i = 0; s->query.first_only && i < s->part_count; i++)
        {
            if (s->parts[i].counts.pairs > 0)
                record_found(&round, i);
        }
        grz_parallel_for(s->query.context, s->part_count, work_on_part, &round);
        done = update_parts(s, &out_of_memory);
        double share = s->share_before + (1 - s->share_before) * (double)done / (double)s->part_count;
        if (share > s->share)
            s->share = share;
        if (done == s->part_count || out_of_memory)
            break;
        if (atomic_load(&round.cancelled) || (progress != NULL && !progress(progress_user, s->share)))
            return GRAZE_STATUS_CANCELLED;
        if (deadline != UINT64_MAX && grz_clock_now() >= deadline)
            return GRAZE_STATUS_UNFINISHED;
    }
    return out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
}
