/* SPDX-License-Identifier: MIT */
/*
 * Dual algorithms (Zachmann, 6.5): a method that is quick to confirm a collision beside one that is quick to prove
 * separation, on two threads; the first answer wins and the other method is cancelled. The first traverses both trees
 * for a hit. The second computes a lower bound of the distance, nearest node pairs first: it may prove a gap long
 * before a traversal has ruled out every node pair, and never reports a collision. So the hit reported is that of the
 * first method alone, and does not depend on which was faster.
 */
#include <stdatomic.h>

#include "base/struct_size.h"
#include "base/tasks.h"
#include "graze/pair.h"
#include "pair/arguments.h"
#include "pair/distance/proximity.h"

enum
{
    FIRST_OPENINGS = 1000, /* node pairs that the first lower bound may open */
    OPENINGS_FACTOR = 4,   /* factor of that for each further attempt */
    ATTEMPTS = 6           /* attempts */
};

typedef struct dual_search
{
    const graze_context *context;
    const graze_placed_mesh *a, *b;
    graze_any_options options; /* of the caller */
    atomic_bool decided;       /* one method has the answer */
    bool separated;            /* the second method has proved separation */
    graze_status status;       /* of the first method */
    bool found;
    graze_hit hit;
} dual_search;

static bool may_continue(void *user, double share)
{
    dual_search *d = user;
    if (atomic_load(&d->decided))
        return false;
    const graze_budget *budget = &d->options.budget;
    return budget->progress == NULL || budget->progress(budget->progress_user, share);
}

static void search_for_hit(dual_search *d)
{
    graze_any_options options = d->options;
    options.budget.progress = may_continue;
    options.budget.progress_user = d;
    d->status = graze_pair_any(d->context, d->a, d->b, &options, &d->found, &d->hit);
    atomic_store(&d->decided, true);
}

static bool is_undecided(void *user, double share)
{
    (void)share;
    return !atomic_load(&((dual_search *)user)->decided);
}

static void prove_gap(dual_search *d)
{
    unsigned openings = FIRST_OPENINGS;
    const graze_budget budget = {.progress = is_undecided, .progress_user = d};
    grz_monitor monitor = grz_monitor_make(&budget);
    for (int i = 0; i < ATTEMPTS && !atomic_load(&d->decided); i++, openings *= OPENINGS_FACTOR)
    {
        /* shortcut: dual-gap */
        if (!(grz_distance_lower_bound(d->context, d->a, d->b, 0, 0x1p300, openings, &monitor) > 0))
            continue;
        d->separated = true;
        atomic_store(&d->decided, true);
    }
}

static void run_search(void *argument, size_t method)
{
    if (method == 0)
        search_for_hit(argument);
    else
        prove_gap(argument);
}

graze_status graze_pair_any_dual(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                 const graze_any_options *options, bool *out_found, graze_hit *out_hit)
{
    GRZ_FULL_STRUCT(graze_any_options, options);
    if (out_found == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = grz_check_arguments(a, b);
    if (status != GRAZE_STATUS_OK || grz_concurrency(context) < 2 || a->tree == NULL || b->tree == NULL)
        return status != GRAZE_STATUS_OK ? status : graze_pair_any(context, a, b, options, out_found, out_hit);
    dual_search d = {
        .context = context, .a = a, .b = b, .options = options != NULL ? *options : graze_any_options_default()};
    d.options.struct_size = sizeof d.options; /* also where the caller's is larger */
    atomic_init(&d.decided, false);
    grz_parallel_for(context, 2, run_search, &d);
    if (d.status != GRAZE_STATUS_OK && !d.separated)
        return d.status;
    *out_found = !d.separated && d.found;
    if (*out_found && out_hit != NULL)
        *out_hit = d.hit;
    return GRAZE_STATUS_OK;
}
