/* SPDX-License-Identifier: MIT */
/*
 * Dual algorithms (Zachmann, 6.5): a way that is quick to say yes beside one that is quick to say no, on two threads;
 * the first answer wins and the other way is cancelled. The first visits both trees for a hit. The second looks for a
 * gap, nearest places first, as distances do: it may prove one long before every place has been ruled out one by one,
 * and never says yes. So the hit reported is that of the first way alone, and does not depend on which was faster.
 */
#include <stdatomic.h>

#include "base/struct_size.h"
#include "base/tasks.h"
#include "graze/pair.h"
#include "pair/arguments.h"
#include "pair/distance/proximity.h"

enum
{
    FIRST_OPENINGS = 1000, /* that the search for a gap may cost at first; */
    MORE_EACH_TIME = 4,    /* then so many times more, */
    TIMES = 6              /* so often */
};

typedef struct dual_search
{
    const graze_context *context;
    const graze_placed_mesh *a, *b;
    graze_any_options options; /* of the caller */
    atomic_bool decided;       /* one of them knows */
    bool apart;                /* the second way has proved it */
    graze_status status;       /* of the first way */
    bool found;
    graze_hit hit;
} dual_search;

static bool go_on(void *user, double share)
{
    dual_search *d = user;
    if (atomic_load(&d->decided))
        return false;
    const graze_budget *budget = &d->options.budget;
    return budget->progress == NULL || budget->progress(budget->progress_user, share);
}

static void look_for_hit(dual_search *d)
{
    graze_any_options options = d->options;
    options.budget.progress = go_on;
    options.budget.progress_user = d;
    d->status = graze_pair_any(d->context, d->a, d->b, &options, &d->found, &d->hit);
    atomic_store(&d->decided, true);
}

static bool is_open(void *user, double share)
{
    (void)share;
    return !atomic_load(&((dual_search *)user)->decided);
}

static void look_for_gap(dual_search *d)
{
    unsigned openings = FIRST_OPENINGS;
    const graze_budget budget = {.progress = is_open, .progress_user = d};
    grz_monitor monitor = grz_monitor_make(&budget);
    for (int i = 0; i < TIMES && !atomic_load(&d->decided); i++, openings *= MORE_EACH_TIME)
    {
        /* shortcut: dual-gap */
        if (!(grz_distance_lower_bound(d->context, d->a, d->b, 0, 0x1p300, openings, &monitor) > 0))
            continue;
        d->apart = true;
        atomic_store(&d->decided, true);
    }
}

static void run_search(void *argument, size_t way)
{
    if (way == 0)
        look_for_hit(argument);
    else
        look_for_gap(argument);
}

graze_status graze_pair_any_dual(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                 const graze_any_options *options, bool *out_found, graze_hit *out_hit)
{
    if (out_found == NULL || !GRZ_STRUCT_FITS(options))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = grz_check_arguments(a, b);
    if (status != GRAZE_STATUS_OK || grz_concurrency(context) < 2 || a->tree == NULL || b->tree == NULL)
        return status != GRAZE_STATUS_OK ? status : graze_pair_any(context, a, b, options, out_found, out_hit);
    dual_search d = {
        .context = context, .a = a, .b = b, .options = options != NULL ? *options : graze_any_options_default()};
    d.options.struct_size = sizeof d.options; /* also where the caller's is larger */
    atomic_init(&d.decided, false);
    grz_parallel_for(context, 2, run_search, &d);
    if (d.status != GRAZE_STATUS_OK && !d.apart)
        return d.status;
    *out_found = !d.apart && d.found;
    if (*out_found && out_hit != NULL)
        *out_hit = d.hit;
    return GRAZE_STATUS_OK;
}
