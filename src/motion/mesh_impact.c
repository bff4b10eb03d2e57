/* SPDX-License-Identifier: MIT */
/*
 * The first impact of two moving meshes, and of motions in a row; see graze/motion_query.h.
 *
 * A gap that is known from motions before may answer at once; else impact_search.h searches all times. Where the motion
 * before ended in contact, this one is likely to begin so, at the pair that met last.
 */
#include "motion/mesh_impact.h"

#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "base/memory.h"
#include "base/struct_size.h"
#include "base/tasks.h"
#include "mesh/mesh.h"
#include "motion/curve_motion.h"
#include "motion/enclosed_impact.h"
#include "motion/impact_cache.h"
#include "motion/impact_search.h"
#include "motion/near_parts.h"
#include "motion/soft_margin.h"

/* Whether one solid lies in the other at the start, where their surfaces are apart, or of enclosed motions may be. */
static graze_status find_inside(const grz_moving_meshes *meshes, bool enclosed, grz_monitor *monitor,
                                graze_impact *impact)
{
    graze_pose poses[2] = {graze_pose_identity(), graze_pose_identity()};
    bool certain, met = impact->verdict == GRAZE_IMPACT_AT, none = impact->verdict == GRAZE_IMPACT_NONE;
    double off;
    graze_solid_answer answer = {.collide = false};
    graze_status status = grz_motion_starts_apart(meshes, !enclosed, monitor, poses, &off, &certain);
    if (status == GRAZE_STATUS_OK && (certain || off < INFINITY))
    {
        const graze_placed_mesh a = {meshes->a.mesh, meshes->tree_a, poses[0]};
        const graze_placed_mesh b = {meshes->b.mesh, meshes->tree_b, poses[1]};
        graze_pair_options options = graze_pair_options_default();
        options.budget = grz_monitor_budget(monitor);
        status = graze_pair_containment(meshes->context, &a, &b, &options, &answer);
        status = grz_monitor_end_step(monitor, status, 0);
        if (status == GRAZE_STATUS_OK && !certain && !answer.collide)
        {
            /* A part of a body stays where it is if any point of it is farther from the other one than it is off. */
            bool passes; /* shortcut: parts-despite-rounding */
            status = grz_find_near_part(meshes->context, &a, &b, off, monitor, &passes);
            certain = status == GRAZE_STATUS_OK && !passes;
        }
        certain = certain && (answer.collide || answer.containment != GRAZE_CONTAINMENT_UNKNOWN);
    }
    if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNFINISHED)
        return status;
    if (status == GRAZE_STATUS_UNFINISHED || !certain)
    {
        if (met && enclosed)
            impact->lower = 0; /* they have met until the upper time, as surfaces have */
        else
            *impact = (graze_impact){.verdict = GRAZE_IMPACT_UNKNOWN, .upper = none ? 1 : impact->upper};
        return GRAZE_STATUS_OK;
    }
    if (answer.collide)
        *impact = (graze_impact){.verdict = GRAZE_IMPACT_AT, .at_start = true, .inside = true};
    return GRAZE_STATUS_OK;
}

static void add_stats(graze_impact_stats *sum, const graze_impact_stats *more)
{
    sum->box_tests += more->box_tests;
    sum->intervals += more->intervals;
    sum->leaf_pairs += more->leaf_pairs;
    sum->triangle_tests += more->triangle_tests;
    sum->distance_queries += more->distance_queries;
}

enum
{
    MOST_MISSES = 2 /* motions that begin apart after one that met: then a contact at the start must be seen first */
};

/* The traversal of one search after the other. */
typedef struct impact_tracker
{
    grz_moving_meshes *meshes;
    const graze_impact_options *options;
    grz_impact_search search;
    grz_impact_memory memory;
    graze_impact_stats stats;
} impact_tracker;

/* Searches all times; after grz_impact_search_begin. */
static graze_status search_all(impact_tracker *t, grz_monitor *monitor, graze_impact *impact)
{
    graze_status status = grz_impact_search_run(&t->search, t->memory.met && t->memory.misses < MOST_MISSES, monitor);
    add_stats(&t->stats, &t->search.traversal.stats);
    if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNFINISHED)
        return status;
    grz_impact_search_result(&t->search, status == GRAZE_STATUS_OK, impact);
    return GRAZE_STATUS_OK;
}

/* The pair that met, those that may have met at the start as well, and those of before, as long as there is contact. */
static void remember_witnesses(grz_impact_memory *memory, const graze_impact *impact,
                               const grz_impact_witnesses *proposed)
{
    const grz_impact_witnesses before = memory->witnesses;
    memory->witnesses.count = 0;
    if (!memory->met)
        return;
    grz_impact_witnesses_add(&memory->witnesses, impact->hit.triangle_a, impact->hit.triangle_b);
    for (int i = 0; impact->at_start && i < proposed->count; i++)
        grz_impact_witnesses_add(&memory->witnesses, proposed->pairs[i][0], proposed->pairs[i][1]);
    for (int i = 0; impact->at_start && i < before.count; i++)
        grz_impact_witnesses_add(&memory->witnesses, before.pairs[i][0], before.pairs[i][1]);
}

/* The first impact of the motions in the meshes. */
static graze_status find_first(impact_tracker *t, graze_impact *out)
{
    grz_monitor monitor = grz_monitor_make(&t->options->budget);
    grz_monitor *needed = grz_monitor_is_needed(&monitor) ? &monitor : NULL;
    graze_impact impact = {.verdict = GRAZE_IMPACT_NONE};
    graze_status status = GRAZE_STATUS_OK;
    if (needed != NULL && !grz_monitor_check(needed))
        status = grz_monitor_status(needed);
    if (status == GRAZE_STATUS_CANCELLED)
        return status;
    grz_impact_memory *memory = &t->memory;
    uint64_t searches = memory->gap.searches;
    bool enclosed = grz_impact_is_enclosed(t->meshes, t->options);
    bool crosses_at_start = !enclosed && grz_impact_search_begin(&t->search, memory->met ? &memory->witnesses : NULL);
    bool may_be_clear = status == GRAZE_STATUS_OK && !enclosed && !crosses_at_start;
    double gap = may_be_clear ? grz_motion_gap_find(&memory->gap, t->meshes, 0, needed) : 0;
    t->stats.distance_queries += memory->gap.searches - searches;
    memory->by_gap += gap > 0;
    memory->by_witness += crosses_at_start;
    bool soft = t->meshes->a.end_mesh != NULL || t->meshes->b.end_mesh != NULL;
    if (enclosed && soft)
        status = grz_soft_margin_impact(t->meshes, t->options, needed, &t->stats, &impact);
    else if (enclosed)
        status = grz_enclosed_impact(t->meshes, t->options, needed, &t->stats, &impact);
    else
        status = gap > 0 ? GRAZE_STATUS_OK : search_all(t, needed, &impact);
    if (status == GRAZE_STATUS_OK && t->options->clearance && !enclosed && impact.verdict == GRAZE_IMPACT_NONE)
        status = grz_motion_clearance(t->meshes, &monitor, &impact.clearance_lower);
    if (status == GRAZE_STATUS_OK && t->options->solids && !impact.at_start &&
        (impact.verdict != GRAZE_IMPACT_UNKNOWN || impact.lower > 0))
        status = find_inside(t->meshes, enclosed, &monitor, &impact);
    memory->misses = impact.at_start ? 0 : memory->misses + memory->met;
    memory->met = impact.verdict == GRAZE_IMPACT_AT && !impact.inside;
    remember_witnesses(memory, &impact, &t->search.proposed);
    if (status == GRAZE_STATUS_OK)
        *out = impact;
    return status;
}

/* Prepares for the motions that will be in `meshes`. */
static void tracker_start(impact_tracker *t, grz_moving_meshes *meshes, const graze_impact_options *options)
{
    *t = (impact_tracker){.meshes = meshes, .options = options};
    t->memory = grz_impact_cache_load(options->cache, &meshes->a, &meshes->b);
    grz_impact_search_init(&t->search, meshes->context, &meshes->a, &meshes->b, meshes->tree_a, meshes->tree_b,
                           options->crossing);
}

graze_status grz_impact_check_options(const graze_impact_options *options)
{
    if (!(options->margin >= 0 && options->margin < INFINITY) ||
        !(options->resolution >= 0 && options->resolution <= 1))
        return GRAZE_STATUS_BAD_ARGUMENT;
    return options->margin > 0 && options->crossing ? GRAZE_STATUS_UNSUPPORTED : GRAZE_STATUS_OK;
}

/* Also of a motion that turns are to enclose. */
static graze_status check_motion(const graze_moving_mesh *mesh, const graze_motion *motion)
{
    if ((int)motion->kind < 0 || motion->kind >= GRAZE_MOTION_KIND_COUNT || !grz_motion_is_enclosed(motion))
        return grz_moving_mesh_check_motion(mesh, motion);
    return mesh->end_mesh != NULL ? GRAZE_STATUS_BAD_ARGUMENT : grz_motion_check_enclosed(motion);
}

graze_status grz_impact_check_motions(const graze_moving_mesh *a, const graze_moving_mesh *b,
                                      const graze_motion *motion_a, const graze_motion *motion_b)
{
    bool soft = a->end_mesh != NULL || b->end_mesh != NULL; /* pieces of time are made of rigid bodies */
    graze_status status = check_motion(a, motion_a);
    if (status == GRAZE_STATUS_OK)
        status = check_motion(b, motion_b);
    bool enclosed = grz_motion_is_enclosed(motion_a) || grz_motion_is_enclosed(motion_b);
    return status == GRAZE_STATUS_OK && enclosed && soft ? GRAZE_STATUS_UNSUPPORTED : status;
}

/* ---- many motions ---- */

enum
{
    MOTIONS_OF_A_TASK = 32, /* with threads; gaps do not outlast it */
    LEAST_FOR_THREADS = 64
};

typedef struct track_work
{
    const grz_moving_meshes *meshes;
    const graze_motion *motions_a, *motions_b;
    size_t count, task_size;
    const graze_impact_options *options;
    graze_impact *impacts;
    struct
    {
        graze_status status;
        graze_impact_stats stats;
        grz_impact_memory memory; /* after it */
    } * results;                  /* of each task */
} track_work;

/* One motion after the other, from index * task_size on. */
static void run_task(void *argument, size_t index)
{
    track_work *w = argument;
    impact_tracker tracker;
    grz_moving_meshes meshes = *w->meshes;
    graze_status status = GRAZE_STATUS_OK;
    size_t end = w->count - index * w->task_size < w->task_size ? w->count : (index + 1) * w->task_size;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    tracker_start(&tracker, &meshes, w->options);
    for (size_t i = index * w->task_size; status == GRAZE_STATUS_OK && i < end; i++)
    {
        meshes.a.motion = w->motions_a[i];
        meshes.b.motion = w->motions_b[i];
        status = find_first(&tracker, &w->impacts[i]);
    }
    grz_space_time_end(&tracker.search.traversal);
    grz_environment_leave_default(&environment);
    w->results[index].status = status;
    w->results[index].stats = tracker.stats;
    w->results[index].memory = tracker.memory;
}

/* All motions, on the threads of the context where they are many and no progress is reported. The first failure in
   order counts. */
static graze_status run_tasks(const graze_context *context, track_work *w, graze_impact_stats *stats)
{
    bool threads = w->count >= LEAST_FOR_THREADS && w->options->budget.progress == NULL && grz_concurrency(context) > 1;
    w->task_size = threads ? MOTIONS_OF_A_TASK : w->count + 1;
    size_t task_count = w->count > 0 ? (w->count - 1) / w->task_size + 1 : 1;
    graze_status status = GRAZE_STATUS_OK;
    w->results = grz_allocate(context, task_count, sizeof *w->results);
    if (w->results == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (threads)
        grz_parallel_for(context, task_count, run_task, w);
    else
        run_task(w, 0);
    grz_impact_memory *last = &w->results[task_count - 1].memory;
    for (size_t i = task_count; i-- > 0;)
    {
        status = w->results[i].status != GRAZE_STATUS_OK ? w->results[i].status : status;
        add_stats(stats, &w->results[i].stats);
        if (i + 1 < task_count)
        {
            last->by_gap += w->results[i].memory.by_gap;
            last->by_witness += w->results[i].memory.by_witness;
        }
    }
    if (status == GRAZE_STATUS_OK)
        grz_impact_cache_store(w->options->cache, &w->meshes->a, &w->meshes->b, last, w->count);
    grz_release(context, w->results);
    return status;
}

static void fill(graze_impact *impacts, size_t count, const graze_impact *impact)
{
    for (size_t i = 0; i < count; i++)
        impacts[i] = *impact;
}

static graze_status track(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b,
                          const graze_motion *motions_a, const graze_motion *motions_b, size_t count,
                          const graze_impact_options *options, graze_impact *out_impacts)
{
    grz_monitor monitor = grz_monitor_make(&options->budget);
    grz_moving_meshes meshes;
    graze_impact_stats stats = {0};
    bool asked = options->clearance || options->margin > 0;
    graze_impact *impacts = grz_allocate(context, count, sizeof *impacts); /* results are written last */
    if (impacts == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_status status = grz_moving_meshes_open(&meshes, context, a, b, &monitor);
    track_work work = {.meshes = &meshes,
                       .motions_a = motions_a,
                       .motions_b = motions_b,
                       .count = count,
                       .options = options,
                       .impacts = impacts};
    if (status == GRAZE_STATUS_OK && grz_moving_meshes_are_empty(&meshes))
        fill(impacts, count, &(graze_impact){.verdict = GRAZE_IMPACT_NONE, .clearance_lower = asked ? INFINITY : 0});
    else if (status == GRAZE_STATUS_OK)
        status = run_tasks(context, &work, &stats);
    else if (status == GRAZE_STATUS_UNFINISHED) /* trees used the budget up */
    {
        fill(impacts, count, &(graze_impact){.verdict = GRAZE_IMPACT_UNKNOWN});
        status = GRAZE_STATUS_OK;
    }
    grz_moving_meshes_close(&meshes);
    if (status == GRAZE_STATUS_OK && count > 0)
        memcpy(out_impacts, impacts, count * sizeof *impacts);
    grz_release(context, impacts);
    if (options->stats != NULL)
        *options->stats = stats;
    return status;
}

graze_status graze_track(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b,
                         const graze_motion *motions_a, const graze_motion *motions_b, size_t count,
                         const graze_impact_options *options, graze_impact *out_impacts)
{
    GRZ_FULL_STRUCT(graze_impact_options, options);
    if (!options_fits || (count > 0 && (motions_a == NULL || motions_b == NULL || out_impacts == NULL)))
        return GRAZE_STATUS_BAD_ARGUMENT;
    const graze_impact_options defaults = graze_impact_options_default();
    if (options == NULL)
        options = &defaults;
    graze_status status = grz_impact_check_options(options);
    if (status == GRAZE_STATUS_OK)
        status = grz_moving_meshes_check(a, b);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < count; i++)
    {
        status = grz_impact_check_motions(a, b, &motions_a[i], &motions_b[i]);
    }
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    status = track(context, a, b, motions_a, motions_b, count, options, out_impacts);
    grz_environment_leave_default(&environment);
    return status;
}

graze_status graze_pair_impact(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b,
                               const graze_impact_options *options, graze_impact *out_impact)
{
    if (a == NULL || b == NULL || out_impact == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return graze_track(context, a, b, &a->motion, &b->motion, 1, options, out_impact);
}
