/* SPDX-License-Identifier: MIT */
/*
 * All pairs of triangles of two moving meshes that meet at some time, each with its first impact; see
 * graze/motion_query.h. A pair that may meet in some interval is asked for all of its time, and then settled. Pairs are
 * sorted at the end. Enclosed motions: enclosed_visit.c.
 */
#include "base/array.h"
#include "base/bits.h"
#include "base/environment.h"
#include "base/hash_map.h"
#include "base/sort.h"
#include "base/struct_size.h"
#include "motion/curve_motion.h"
#include "motion/enclosed_impact.h"
#include "motion/pair_kernel.h"
#include "motion/soft_margin.h"
#include "motion/space_time.h"

typedef struct visit_search
{
    grz_space_time traversal;
    const graze_context *context;
    const graze_moving_mesh *a, *b;
    bool crossing;
    grz_hash_map known;
    grz_enclosed_hits hits;
    graze_status failure;
} visit_search;

static uint64_t key_of(uint32_t triangle_a, uint32_t triangle_b)
{
    return grz_join_halves(triangle_b, triangle_a);
}

static bool is_settled(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    visit_search *s = user;
    return grz_hash_map_find(&s->known, key_of(triangle_a, triangle_b)) != NULL;
}

static bool decide_pair(void *user, uint32_t triangle_a, uint32_t triangle_b, double t0, double t1)
{
    visit_search *s = user;
    if (is_settled(s, triangle_a, triangle_b))
        return true;
    grz_pair_time time;
    s->traversal.stats.triangle_tests++;
    const grz_impact_question question = {.crossing = s->crossing, .until = 1, .from = t0, .root_later = true};
    (void)t1;
    s->failure = grz_pair_first_time(s->context, s->a, s->b, triangle_a, triangle_b, &question, &time);
    if (s->failure != GRAZE_STATUS_OK)
        return false;
    const graze_pair_impact_hit hit = {triangle_a, triangle_b, time.contact.when};
    if (!grz_hash_map_set(s->context, &s->known, key_of(triangle_a, triangle_b), 1) ||
        (time.found && !GRZ_PUSH(s->context, &s->hits, hit)))
        s->failure = GRAZE_STATUS_OUT_OF_MEMORY;
    return s->failure == GRAZE_STATUS_OK;
}

/* Sorts by (lower, triangle_a, triangle_b): by triangles, and then, stably, by the bits of times, which are in order as
   none is negative. Gives indices as values. NULL when out of memory. */
static grz_key_value *sort_hits(const visit_search *s)
{
    size_t count = s->hits.count;
    grz_key_value *entries = grz_allocate(s->context, 2 * count + 1, sizeof *entries);
    if (entries == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
    {
        const graze_pair_impact_hit *hit = &s->hits.data[i];
        entries[i] = (grz_key_value){grz_join_halves(hit->triangle_b, hit->triangle_a), i};
    }
    grz_sort_keyed(entries, entries + count, count);
    for (size_t i = 0; i < count; i++)
        entries[i].key = grz_bits(s->hits.data[entries[i].value].interval.lower + 0.0);
    grz_sort_keyed(entries, entries + count, count);
    return entries;
}

static graze_status report(const visit_search *s, graze_pair_impact_function visit, void *user)
{
    grz_key_value *entries = sort_hits(s);
    if (entries == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < s->hits.count; i++)
        goes_on = visit(user, &s->hits.data[entries[i].value]);
    grz_release(s->context, entries);
    return goes_on ? GRAZE_STATUS_OK : GRAZE_STATUS_CANCELLED;
}

static graze_status visit_enclosed(const grz_moving_meshes *meshes, const graze_impact_options *options,
                                   grz_monitor *monitor, grz_enclosed_hits *hits)
{
    graze_impact_stats stats = {0};
    bool soft = meshes->a.end_mesh != NULL || meshes->b.end_mesh != NULL;
    graze_status status = (soft ? grz_soft_margin_visit : grz_enclosed_visit)(meshes, options, monitor, &stats, hits);
    if (options->stats != NULL)
        *options->stats = stats;
    return status;
}

static graze_status visit_all(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b,
                              const graze_impact_options *options, graze_pair_impact_function visit, void *user)
{
    grz_monitor monitor = grz_monitor_make(&options->budget);
    grz_moving_meshes meshes;
    graze_status status = grz_moving_meshes_open(&meshes, context, a, b, &monitor);
    visit_search search = {.context = context, .a = a, .b = b, .crossing = options->crossing};
    search.traversal = (grz_space_time){.context = context,
                                        .moving_a = a,
                                        .moving_b = b,
                                        .tree_a = meshes.tree_a,
                                        .tree_b = meshes.tree_b,
                                        .propose = decide_pair,
                                        .settled = is_settled,
                                        .user = &search,
                                        .early = true,
                                        .monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL};
    bool empty = grz_moving_meshes_are_empty(&meshes);
    if (empty && options->stats != NULL)
        *options->stats = search.traversal.stats;
    if (status == GRAZE_STATUS_OK && !empty && grz_impact_is_enclosed(&meshes, options))
        status = visit_enclosed(&meshes, options, search.traversal.monitor, &search.hits);
    else if (status == GRAZE_STATUS_OK && !empty)
    {
        status = grz_space_time_start(&search.traversal);
        if (status == GRAZE_STATUS_OK)
            status = grz_space_time_advance(&search.traversal);
        if (search.failure != GRAZE_STATUS_OK)
            status = search.failure;
        if (options->stats != NULL)
            *options->stats = search.traversal.stats;
        grz_space_time_end(&search.traversal);
    }
    grz_moving_meshes_close(&meshes);
    grz_hash_map_release(context, &search.known);
    if (status == GRAZE_STATUS_OK)
        status = report(&search, visit, user);
    grz_release(context, search.hits.data);
    return status;
}

graze_status graze_pair_impact_visit(const graze_context *context, const graze_moving_mesh *a,
                                     const graze_moving_mesh *b, const graze_impact_options *options,
                                     graze_pair_impact_function visit, void *user)
{
    GRZ_FULL_STRUCT(graze_impact_options, options);
    if (!options_fits || visit == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const graze_impact_options defaults = graze_impact_options_default();
    if (options == NULL)
        options = &defaults;
    graze_status status = grz_impact_check_options(options);
    if (status == GRAZE_STATUS_OK)
        status = grz_moving_meshes_check(a, b);
    if (status == GRAZE_STATUS_OK)
        status = grz_impact_check_motions(a, b, &a->motion, &b->motion);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    status = visit_all(context, a, b, options, visit, user);
    grz_environment_leave_default(&environment);
    return status;
}
