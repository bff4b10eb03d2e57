/* SPDX-License-Identifier: MIT */
/*
 * The first impact of two moving meshes; see graze/motion_query.h.
 *
 * A space-time traversal proposes pairs of triangles in order of time. The least of their first times is the impact,
 * and what begins later is dropped. Of the pairs with that very time the first in order is kept: those whose bounds are
 * the same doubles are compared as algebraic numbers.
 */
#include "motion/mesh_impact.h"

#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "base/struct_size.h"
#include "base/tasks.h"
#include "mesh/mesh.h"
#include "motion/curve_motion.h"
#include "motion/enclosed_impact.h"
#include "motion/impact_estimate.h"
#include "motion/motion_gap.h"
#include "motion/pair_kernel.h"
#include "motion/shared_impact.h"
#include "motion/space_time.h"

typedef struct first_search
{
    grz_space_time traversal;
    const graze_context *context;
    const graze_moving_mesh *a, *b;
    bool crossing;
    grz_pair_time best;
    grz_hash_map asked; /* pairs: a pair is asked for all of its time until the best one, which only falls */
    grz_shared_impact shared;
    bool crosses; /* any pair that meets at the best time crosses right after it */
    graze_status failure;
} first_search;

static bool comes_before(uint32_t a, uint32_t b, const grz_pair_time *other)
{
    return a < other->a || (a == other->a && b < other->b);
}

/* Whether a pair that may meet from t0 on can be of no use: it cannot meet earlier than at the best time, comes later
   in order, and that surfaces cross is known. */
static bool is_useless(const first_search *s, uint32_t a, uint32_t b, double t0)
{
    return s->best.found && s->crosses && t0 >= s->best.contact.when.upper && !comes_before(a, b, &s->best);
}

static graze_status ask(const first_search *s, uint32_t a, uint32_t b, double from, grz_pair_time *out)
{
    const grz_impact_question question = {.crossing = s->crossing,
                                          .details = true,
                                          .until = s->traversal.latest,
                                          .from = from,
                                          .likely = s->best.found ? &s->best.root : NULL};
    return grz_pair_first_time(s->context, s->a, s->b, a, b, &question, out);
}

/* Takes the time of a pair into account. */
static graze_status take_time(first_search *s, const grz_pair_time *time)
{
    int order = -1;
    graze_status status = GRAZE_STATUS_OK;
    if (s->best.found)
        status = grz_pair_times_compare(s->context, s->a, s->b, s->crossing, time, &s->best, &order);
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
    first_search *s = user;
    return grz_hash_map_find(&s->asked, key_of(triangle_a, triangle_b)) != NULL;
}

/* Where nothing but the order of pairs is in question, since surfaces are known to cross: whether a pair meets at the
   best time after the start follows from its features. */
static bool shares_impact(first_search *s, uint32_t a, uint32_t b, double from, grz_pair_time *out)
{
    return s->best.found && s->crosses && !s->crossing && s->best.contact.when.upper > 0 &&
           grz_pair_shares_impact(&s->shared, s->a, s->b, &s->best, a, b, from, out);
}

/* Decides one pair and takes it into account. */
static graze_status decide(first_search *s, uint32_t a, uint32_t b, double from)
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
    first_search *s = user;
    (void)t1; /* a later time is as good */
    if (is_useless(s, triangle_a, triangle_b, t0))
        return true;
    s->failure = grz_hash_map_set(s->context, &s->asked, key_of(triangle_a, triangle_b), 1)
                     ? decide(s, triangle_a, triangle_b, t0)
                     : GRAZE_STATUS_OUT_OF_MEMORY;
    return s->failure == GRAZE_STATUS_OK;
}

/* Writes what was found, or how far the search came. */
static void write_result(const first_search *s, bool finished, graze_impact *out)
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

/* Whether one solid lies in the other at the start, where their surfaces are apart. */
static graze_status find_inside(const grz_moving_meshes *meshes, grz_monitor *monitor, graze_impact *impact)
{
    graze_placed_mesh a = {meshes->a.mesh, meshes->tree_a, graze_pose_identity()};
    graze_placed_mesh b = {meshes->b.mesh, meshes->tree_b, graze_pose_identity()};
    graze_status status = graze_motion_pose(&meshes->a.motion, 0, &a.pose, NULL);
    if (status == GRAZE_STATUS_OK)
        status = graze_motion_pose(&meshes->b.motion, 0, &b.pose, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_pair_options options = graze_pair_options_default();
    options.budget = grz_monitor_budget(monitor);
    graze_solid_answer answer;
    status = graze_pair_containment(meshes->context, &a, &b, &options, &answer);
    status = grz_monitor_end_step(monitor, status, 0);
    if (status == GRAZE_STATUS_UNFINISHED ||
        (status == GRAZE_STATUS_OK && !answer.collide && answer.containment == GRAZE_CONTAINMENT_UNKNOWN))
    {
        *impact = (graze_impact){.verdict = GRAZE_IMPACT_UNKNOWN, .upper = 1};
        return GRAZE_STATUS_OK;
    }
    if (status != GRAZE_STATUS_OK || !answer.collide)
        return status;
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
    first_search search;
    grz_motion_gap gap;
    bool met;   /* in the motion before this one: where it has ended in contact, this one begins so; */
    int misses; /* how often in a row it did not */
    graze_impact_stats stats;
} impact_tracker;

static graze_status traverse(impact_tracker *t, grz_monitor *monitor, graze_impact *impact)
{
    const graze_context *context = t->meshes->context;
    first_search *search = &t->search;
    search->best = (grz_pair_time){0};
    search->crosses = false;
    search->shared = (grz_shared_impact){0};
    search->failure = GRAZE_STATUS_OK;
    search->traversal.monitor = monitor;
    search->traversal.start_first = t->met && t->misses < MOST_MISSES;
    graze_status status = grz_space_time_start(&search->traversal);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = grz_space_time_advance(&search->traversal);
    if (search->failure != GRAZE_STATUS_OK)
        status = search->failure;
    if (status == GRAZE_STATUS_OK || status == GRAZE_STATUS_UNFINISHED)
    {
        write_result(search, status == GRAZE_STATUS_OK, impact);
        status = GRAZE_STATUS_OK;
    }
    add_stats(&t->stats, &search->traversal.stats);
    grz_hash_map_release(context, &search->asked);
    search->asked = (grz_hash_map){0};
    return status;
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
    uint64_t searches = t->gap.searches;
    bool enclosed = grz_impact_is_enclosed(t->meshes, t->options);
    double gap = status == GRAZE_STATUS_OK && !enclosed ? grz_motion_gap_find(&t->gap, t->meshes, 0, needed) : 0;
    t->stats.distance_queries += t->gap.searches - searches;
    if (enclosed)
        status = grz_enclosed_impact(t->meshes, t->options, needed, &t->stats, &impact);
    else
        status = gap > 0 ? GRAZE_STATUS_OK : traverse(t, needed, &impact);
    if (status == GRAZE_STATUS_OK && t->options->clearance && !enclosed && impact.verdict == GRAZE_IMPACT_NONE)
        status = grz_motion_clearance(t->meshes, &monitor, &impact.clearance_lower);
    if (status == GRAZE_STATUS_OK && t->options->solids && impact.verdict != GRAZE_IMPACT_UNKNOWN && !impact.at_start)
        status = find_inside(t->meshes, &monitor, &impact);
    t->misses = impact.at_start ? 0 : t->misses + t->met;
    t->met = impact.verdict == GRAZE_IMPACT_AT;
    if (status == GRAZE_STATUS_OK)
        *out = impact;
    return status;
}

/* Prepares for the motions that will be in `meshes`. */
static void tracker_start(impact_tracker *t, grz_moving_meshes *meshes, const graze_impact_options *options)
{
    *t = (impact_tracker){.meshes = meshes, .options = options};
    t->search =
        (first_search){.context = meshes->context, .a = &meshes->a, .b = &meshes->b, .crossing = options->crossing};
    t->search.traversal = (grz_space_time){.context = meshes->context,
                                           .moving_a = &meshes->a,
                                           .moving_b = &meshes->b,
                                           .tree_a = meshes->tree_a,
                                           .tree_b = meshes->tree_b,
                                           .propose = decide_pair,
                                           .settled = was_asked,
                                           .early = options->crossing,
                                           .user = &t->search};
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
                                      const graze_motion *motion_a, const graze_motion *motion_b,
                                      const graze_impact_options *options)
{
    bool soft = a->end_mesh != NULL || b->end_mesh != NULL; /* pieces of time are made of rigid bodies */
    if (options->margin > 0 && soft)
        return GRAZE_STATUS_UNSUPPORTED;
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
    } * results; /* of each task */
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
}

/* All motions, on the threads of the context where they are many and no progress is reported. The first failure in
   order counts. */
static graze_status run_tasks(const graze_context *context, track_work *w, graze_impact_stats *stats)
{
    bool threads = w->count >= LEAST_FOR_THREADS && w->options->budget.progress == NULL && grz_concurrency(context) > 1;
    w->task_size = threads ? MOTIONS_OF_A_TASK : w->count + 1;
    size_t task_count = w->count / w->task_size + 1;
    graze_status status = GRAZE_STATUS_OK;
    w->results = grz_allocate(context, task_count, sizeof *w->results);
    if (w->results == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (threads)
        grz_parallel_for(context, task_count, run_task, w);
    else
        run_task(w, 0);
    for (size_t i = task_count; i-- > 0;)
    {
        status = w->results[i].status != GRAZE_STATUS_OK ? w->results[i].status : status;
        add_stats(stats, &w->results[i].stats);
    }
    grz_release(context, w->results);
    return status;
}

static graze_status track(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b,
                          const graze_motion *motions_a, const graze_motion *motions_b, size_t count,
                          const graze_impact_options *options, graze_impact *out_impacts)
{
    grz_monitor monitor = grz_monitor_make(&options->budget);
    grz_moving_meshes meshes;
    graze_impact_stats stats = {0};
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
    if (status == GRAZE_STATUS_OK)
        status = run_tasks(context, &work, &stats);
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
        status = grz_impact_check_motions(a, b, &motions_a[i], &motions_b[i], options);
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
