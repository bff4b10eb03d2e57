/* SPDX-License-Identifier: MIT */
/*
 * Queries of the literature's methods: sets up the frame, runs the method, decides the pairs it proposes by the
 * engine's exact tests, and turns what is known at the end into an answer. See method.h.
 */
#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "base/struct_size.h"
#include "math/matrix.h"
#include "mesh/mesh.h"
#include "pair/hit/decide_pairs.h"
#include "pair/method/method.h"

/* Whether the pair was proposed before; sets out_of_memory when it cannot be remembered. */
static bool was_seen(grz_method_query *query, uint32_t triangle_a, uint32_t triangle_b)
{
    uint64_t key = grz_hit_key(triangle_a, triangle_b);
    if (!query->once)
        return false;
    if (grz_hash_map_find(&query->seen, key) != NULL)
        return true;
    if (!grz_hash_map_set(query->context, &query->seen, key, 1))
        query->out_of_memory = true;
    return false;
}

bool grz_method_propose(grz_method_query *query, uint32_t triangle_a, uint32_t triangle_b)
{
    if (was_seen(query, triangle_a, triangle_b))
        return true;
    query->counters.primitives++;
    bool go_on = !query->out_of_memory && grz_decide_in_frame(&query->part, triangle_a, triangle_b, false);
    return go_on && grz_monitor_exact_tests(&query->monitor, 1);
}

/*
 * The slack. A method's coordinate is a sum of products of the map and coordinates of B, of projections on directions
 * no longer than 2, or of differences of such: fewer than 64 roundings, of at most 8 times the largest magnitude M
 * each, which is below 2^9 u M = 2^-43 M; methods take 2^-40 M, beside the error of the map itself.
 * shortcut: method-slack
 */
static void set_frame(grz_method_query *query)
{
    const double *m = query->engine.relative.pose.m;
    double extents[2] = {0, 0}, error = 0;
    const graze_mesh *meshes[2] = {query->mesh_a, query->mesh_b};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++)
            extents[side] += matrix_max(fabs(meshes[side]->scaled_lower[i]), fabs(meshes[side]->scaled_upper[i]));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            query->map[i][k] = m[4 * i + k];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            double sum = 0;
            for (int j = 0; j < 3; j++)
                sum += m[4 * j + i] * m[4 * j + k];
            error = matrix_max(error, fabs(sum - (i == k)));
        }
    double magnitude = query->engine.relative.norm * extents[1] + fabs(m[3]) + fabs(m[7]) + fabs(m[11]) + extents[0];
    query->slack = query->engine.frame_error + 0x1p-40 * magnitude;
    query->rigid = error <= 0x1p-40;
}

/* Where no method's bounds hold: the pairs of triangles whose boxes overlap, in the world. */
static void sweep(grz_method_query *query)
{
    const grz_query *q = &query->engine;
    grz_aabb_sweep boxes;
    if (!grz_aabb_sweep_start(&boxes, query->context, query->mesh_a, q->pose_a, query->mesh_b, q->pose_b,
                              &query->monitor))
    {
        query->out_of_memory = grz_monitor_may_continue(&query->monitor);
        return;
    }
    while (!grz_aabb_sweep_is_done(&boxes) && grz_monitor_may_continue(&query->monitor))
    {
        uint64_t before = boxes.box_tests;
        if (!grz_aabb_sweep_advance(&boxes, before + GRZ_WORK_PER_CHECK / 64, grz_decide_in_world, &query->part))
            break;
        if (!grz_method_count_volumes(query, boxes.box_tests - before))
            break;
    }
    grz_aabb_sweep_end(&boxes, query->context);
}

/* Zeros, but for the arrays of the part, which need none. */
static void clear(grz_method_query *query)
{
    memset(query, 0, offsetof(grz_method_query, part));
    grz_query_part *part = &query->part;
    part->query = &query->engine;
    part->done = part->out_of_memory = part->decides_candidates = false;
    part->stages = (grz_filter_stats){0};
    part->triangle_tests = 0;
    part->counts = (graze_pair_counts){0};
    part->buffered = (grz_hit_buffer){.end = UINT64_MAX};
    part->lanes.started = part->fixed.started = false;
    part->fixed.row = part->fixed.left = 0;
}

static graze_status start(grz_method_query *query, const graze_context *context, const graze_placed_method_body *a,
                          const graze_placed_method_body *b, const graze_method_options *options, bool *out_usable)
{
    if (a == NULL || b == NULL || a->body == NULL || b->body == NULL || a->body->method != b->body->method)
        return GRAZE_STATUS_BAD_ARGUMENT;
    query->context = context;
    query->order = options->order;
    query->chunks = options->edge_chunks;
    query->a = a->body->state;
    query->b = b->body->state;
    query->mesh_a = a->body->mesh;
    query->mesh_b = b->body->mesh;
    query->monitor = grz_monitor_make(&options->budget);
    query->placed[0] = (graze_placed_mesh){query->mesh_a, NULL, a->pose};
    query->placed[1] = (graze_placed_mesh){query->mesh_b, NULL, b->pose};
    query->engine.context = context;
    query->engine.a = &query->placed[0];
    query->engine.b = &query->placed[1];
    graze_status status = grz_query_start_in_frame(&query->engine, out_usable);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (*out_usable)
        set_frame(query);
    return GRAZE_STATUS_OK;
}

void grz_method_decide_bodies(grz_method_query *query)
{
    graze_stats stats = {0};
    graze_pair_options options = graze_pair_options_default();
    options.budget = grz_monitor_budget(&query->monitor);
    options.stats = &stats;
    graze_solid_answer answer;
    query->counters.left_to_engine++;
    graze_status status =
        graze_pair_containment(query->context, &query->placed[0], &query->placed[1], &options, &answer);
    query->counters.exact_signs += stats.exact_signs;
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        query->out_of_memory = true;
    else if (grz_monitor_end_step(&query->monitor, status, stats.box_tests) == GRAZE_STATUS_OK &&
             (answer.collide || answer.containment != GRAZE_CONTAINMENT_UNKNOWN))
        query->verdict = query->guess = answer.collide ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
}

static graze_status run(grz_method_query *query, const grz_method *method, bool usable)
{
    bool any_triangles = query->mesh_a->triangle_count > 0 && query->mesh_b->triangle_count > 0;
    if (any_triangles && usable)
        method->run(query);
    else if (any_triangles && method->info.subject == GRAZE_METHOD_BODIES)
        grz_method_decide_bodies(query);
    else if (any_triangles)
        sweep(query);
    if (query->out_of_memory || query->part.out_of_memory)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    return grz_monitor_status(&query->monitor);
}

static void end(grz_method_query *query, graze_method_counters *out_counters)
{
    query->counters.exact_signs += query->part.stages.exact;
    if (out_counters != NULL)
        *out_counters = query->counters;
    grz_hit_buffer_release(&query->part.buffered, query->context);
    grz_hash_map_release(query->context, &query->seen);
}

/* What is known when the method has ended: a hit proves a collision; no hit means none where the method is exact. */
static graze_method_answer conclude(const grz_method_query *query, const graze_method_info *info, bool finished)
{
    graze_method_answer answer = {.collide = query->verdict, .guess = query->guess, .finished = finished};
    if (query->part.counts.pairs > 0)
    {
        answer.has_hit = true;
        answer.hit = query->part.first;
        answer.collide = GRAZE_VERDICT_YES;
    }
    bool surfaces = info->subject == GRAZE_METHOD_SURFACES;
    if (answer.collide == GRAZE_VERDICT_UNKNOWN && answer.guess == GRAZE_VERDICT_UNKNOWN && finished && surfaces &&
        (info->guarantee == GRAZE_METHOD_EXACT || info->guarantee == GRAZE_METHOD_NO_SURE))
        answer.collide = GRAZE_VERDICT_NO;
    if (answer.collide != GRAZE_VERDICT_UNKNOWN)
        answer.guess = answer.collide;
    else if (answer.guess == GRAZE_VERDICT_UNKNOWN)
        answer.guess = info->guarantee == GRAZE_METHOD_NO_SURE || !finished ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    return answer;
}

graze_status graze_method_any(const graze_context *context, const graze_placed_method_body *a,
                              const graze_placed_method_body *b, const graze_method_options *options,
                              graze_method_answer *out_answer)
{
    GRZ_FULL_STRUCT(graze_method_options, options);
    const graze_method_options defaults = graze_method_options_default();
    if (out_answer == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (options == NULL)
        options = &defaults;
    grz_method_query query;
    clear(&query);
    bool usable;
    graze_status status = start(&query, context, a, b, options, &usable);
    if (status != GRAZE_STATUS_OK)
        return status;
    query.first_only = query.engine.first_only = true;
    query.cache = options->cache;
    const graze_method_info *info = &a->body->method->info;
    status = run(&query, a->body->method, usable);
    bool late = status == GRAZE_STATUS_UNFINISHED;
    if (late && info->deadline)
        status = GRAZE_STATUS_OK;
    if (status == GRAZE_STATUS_OK)
        *out_answer = conclude(&query, info, !late);
    end(&query, options->counters);
    return status;
}

graze_status graze_method_gather(const graze_context *context, const graze_placed_method_body *a,
                                 const graze_placed_method_body *b, const graze_method_options *options,
                                 graze_hit *hits, size_t capacity, graze_pair_counts *out_counts)
{
    GRZ_FULL_STRUCT(graze_method_options, options);
    const graze_method_options defaults = graze_method_options_default();
    if (out_counts == NULL || (hits == NULL && capacity > 0) || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (options == NULL)
        options = &defaults;
    grz_method_query query;
    clear(&query);
    bool usable;
    graze_status status = start(&query, context, a, b, options, &usable);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (a->body->method->info.subject != GRAZE_METHOD_SURFACES)
        return GRAZE_STATUS_UNSUPPORTED;
    query.engine.buffer_hits = capacity > 0;
    query.part.buffered.most = capacity < SIZE_MAX / 4 ? capacity : 0;
    status = run(&query, a->body->method, usable);
    if (status == GRAZE_STATUS_OK && capacity > 0 &&
        !grz_hit_buffer_write(&query.part.buffered, context, query.mesh_a, query.mesh_b, hits, capacity))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (status == GRAZE_STATUS_OK)
        *out_counts = query.part.counts;
    end(&query, options->counters);
    return status;
}

static graze_status find_contacts(const graze_context *context, const graze_placed_method_body *a,
                                  const graze_placed_method_body *b, double tolerance,
                                  const graze_method_options *options, graze_near_contact *contacts, size_t capacity,
                                  size_t *out_count)
{
    if (!(tolerance >= 0 && tolerance < INFINITY))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_method_query query;
    clear(&query);
    bool usable;
    graze_status status = start(&query, context, a, b, options, &usable);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_near_contacts found = {0};
    bool any_triangles = query.mesh_a->triangle_count > 0 && query.mesh_b->triangle_count > 0;
    if (a->body->method->find_contacts == NULL || (any_triangles && !usable))
        status = GRAZE_STATUS_UNSUPPORTED;
    else if (any_triangles)
        status = a->body->method->find_contacts(&query, tolerance, &found);
    if (status == GRAZE_STATUS_OK)
    {
        *out_count = found.count;
        if (found.count > 0 && capacity > 0)
            memcpy(contacts, found.data, (found.count < capacity ? found.count : capacity) * sizeof *contacts);
    }
    grz_release(context, found.data);
    end(&query, options->counters);
    return status;
}

/* In the default environment: distances and tolerances, which may be denormal, are compared throughout. */
graze_status graze_method_disjoint_contacts(const graze_context *context, const graze_placed_method_body *a,
                                            const graze_placed_method_body *b, double tolerance,
                                            const graze_method_options *options, graze_near_contact *contacts,
                                            size_t capacity, size_t *out_count)
{
    GRZ_FULL_STRUCT(graze_method_options, options);
    const graze_method_options defaults = graze_method_options_default();
    grz_environment environment;
    if (out_count == NULL || (contacts == NULL && capacity > 0) || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment_enter_default(&environment);
    graze_status status =
        find_contacts(context, a, b, tolerance, options != NULL ? options : &defaults, contacts, capacity, out_count);
    grz_environment_leave_default(&environment);
    return status;
}
