/* SPDX-License-Identifier: MIT */
/*
 * Any, count, gather and visit: four ways to hear of the same hits, of two meshes or of one and itself. Each is a
 * search that is run at once.
 */
#include "base/struct_size.h"
#include "graze/self.h"
#include "mesh/mesh.h"
#include "pair/hit/cache.h"
#include "pair/hit/search.h"
#include "pair/subquery.h"

/* What is asked, and what for. */
typedef struct hit_request
{
    const graze_context *context;
    const graze_placed_mesh *a, *b;
    bool self, merge_vertices;
    bool misfit;                /* the options are of another size */
    graze_stats *stats;         /* may be NULL */
    graze_pair_cache *cache;    /* may be NULL */
    const graze_budget *budget; /* may be NULL */
} hit_request;

/* A search with the room that small ones never exceed. */
typedef struct roomy_search
{
    grz_search search;
    grz_node_pair room[GRZ_INLINE_PAIRS];
} roomy_search;

/* Which hits are kept; see query.h. */
typedef struct keeping
{
    size_t most;
    uint64_t first;
    bool only;
} keeping;

/* Sets up a search. The hint, for the first hit only, may be NULL, and so may `keep`: no hits are kept then. */
static graze_status start(roomy_search *r, const hit_request *ask, bool first_only, const keeping *keep,
                          const grz_traversal_hint *hint, grz_monitor *monitor)
{
    grz_search *s = &r->search;
    s->query.context = ask->context;
    s->query.a = ask->a;
    s->query.b = ask->b;
    s->query.first_only = first_only;
    s->query.buffer_hits = keep != NULL;
    s->query.most_buffered = keep != NULL ? keep->most : 0;
    s->query.first_buffered = keep != NULL ? keep->first : 0;
    s->query.buffered_only = keep != NULL && keep->only;
    s->query.self = ask->self;
    s->query.merge_vertices = ask->merge_vertices;
    s->query.hint = hint;
    return grz_search_start(s, r->room, monitor);
}

/* Runs a search to its end. When it says OK the caller ends it. */
static graze_status run(roomy_search *r, const hit_request *ask, bool first_only, const keeping *keep,
                        const grz_traversal_hint *hint)
{
    grz_search *s = &r->search;
    grz_monitor monitor;
    bool watched = grz_has_limits(ask->budget);
    if (watched)
        monitor = grz_monitor_make(ask->budget);
    graze_status status = start(r, ask, first_only, keep, hint, watched ? &monitor : NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = grz_search_run(s, ask->budget);
    if (ask->stats != NULL)
        *ask->stats = grz_search_stats(s);
    if (status != GRAZE_STATUS_OK)
        grz_search_end(s);
    return status;
}

/* What a cache knows costs nothing; what it does not know it is told. */
static graze_status answer_any(const hit_request *ask, bool *out_found, graze_hit *out_hit)
{
    if (out_found == NULL || ask->misfit)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_pair_cache *cache = ask->cache;
    if (cache != NULL && grz_cache_knows(cache, ask->a, ask->b, out_found, out_hit))
    {
        if (ask->stats != NULL)
            *ask->stats = (graze_stats){0};
        return GRAZE_STATUS_OK;
    }
    grz_traversal_hint hint;
    bool hinted = cache != NULL && grz_cache_hint(cache, &hint);
    roomy_search r;
    graze_status status = run(&r, ask, true, NULL, hinted ? &hint : NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    const graze_hit *hit = grz_search_first(&r.search);
    *out_found = hit != NULL;
    if (hit != NULL && out_hit != NULL)
        *out_hit = *hit;
    if (cache != NULL)
    {
        hint = grz_search_hint(&r.search);
        grz_cache_learn(cache, ask->context, ask->a, ask->b, hit, &hint);
    }
    grz_search_end(&r.search);
    return GRAZE_STATUS_OK;
}

static graze_status answer_count(const hit_request *ask, graze_pair_counts *out_counts)
{
    if (out_counts == NULL || ask->misfit)
        return GRAZE_STATUS_BAD_ARGUMENT;
    roomy_search r;
    graze_status status = run(&r, ask, false, NULL, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_counts = grz_search_counts(&r.search);
    grz_search_end(&r.search);
    return GRAZE_STATUS_OK;
}

static graze_status answer_gather(const hit_request *ask, graze_hit *hits, size_t capacity,
                                  graze_pair_counts *out_counts)
{
    if (out_counts == NULL || ask->misfit || (hits == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    roomy_search r;
    const keeping first_ones = {capacity < SIZE_MAX / 4 ? capacity : 0, 0, false};
    graze_status status = run(&r, ask, false, capacity > 0 ? &first_ones : NULL, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!grz_search_write(&r.search, hits, capacity))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    else
        *out_counts = grz_search_counts(&r.search);
    grz_search_end(&r.search);
    return status;
}

/*
 * Hits are visited in runs: a pass over both meshes keeps the first FIRST_RUN hits at least, twice as many at most, and
 * leaves what comes after them undecided; when those were visited, the next pass keeps MORE_EACH_RUN times as many of
 * what is left. So memory is bounded by what was visited, a visit that is stopped soon is soon over, and most visits
 * take one pass (docs/decisions/0007).
 */
enum
{
    FIRST_RUN = 1 << 16,
    MORE_EACH_RUN = 4
};

typedef struct visiting
{
    const hit_request *ask;
    graze_hit_function visit;
    void *user;
    keeping keep;                   /* in the run at hand */
    const grz_hit_buffer *buffered; /* by it */
    double done;                    /* share of the runs before */
    grz_monitor monitor;
    graze_stats stats; /* of all runs */
} visiting;

/* Of all that is left, the run keeps about as much as it has kept of what came up. */
static bool tell_share(void *user, double share)
{
    visiting *v = user;
    double buffered = (double)grz_hit_buffer_count(v->buffered) + 1, beyond = (double)v->buffered->beyond;
    grz_monitor_progress(&v->monitor, v->done + (1 - v->done) * share * buffered / (buffered + beyond));
    return grz_monitor_check(&v->monitor);
}

static void add_stats(graze_stats *sum, graze_stats more)
{
    sum->box_tests += more.box_tests;
    sum->leaf_pairs += more.leaf_pairs;
    sum->triangle_tests += more.triangle_tests;
    sum->exact_signs += more.exact_signs;
}

/* One pass; the caller ends the search when it says OK. */
static graze_status search_run(visiting *v, roomy_search *r)
{
    graze_stats none = {0};
    graze_status status =
        start(r, v->ask, false, &v->keep, NULL, grz_monitor_is_needed(&v->monitor) ? &v->monitor : NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_budget budget = grz_subquery_options(&v->monitor, &none).budget;
    v->buffered = &r->search.head.buffered;
    if (budget.progress != NULL)
    {
        budget.progress = tell_share;
        budget.progress_user = v;
    }
    status = grz_search_run(&r->search, &budget);
    graze_stats stats = grz_search_stats(&r->search);
    add_stats(&v->stats, stats);
    if (v->ask->stats != NULL)
        *v->ask->stats = v->stats;
    status = grz_subquery_end(&v->monitor, status, &stats);
    if (status == GRAZE_STATUS_OK && !grz_search_join(&r->search))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (status != GRAZE_STATUS_OK)
        grz_search_end(&r->search);
    return status;
}

/* One run: finds hits, and visits them. *out_end gets the number of the first hit that is left, UINT64_MAX: none. */
static graze_status visit_run(visiting *v, uint64_t *out_end)
{
    const graze_context *context = v->ask->context;
    roomy_search r;
    graze_status status = search_run(v, &r);
    if (status != GRAZE_STATUS_OK)
        return status;
    const grz_hit_buffer *buffered = &r.search.head.buffered;
    size_t count = grz_hit_buffer_count(buffered);
    double left = (double)buffered->beyond;
    v->done += (1 - v->done) * ((double)count + 1) / ((double)count + 1 + left);
    *out_end = buffered->end;
    graze_hit *hits = grz_allocate(context, count, sizeof *hits);
    if (hits == NULL || !grz_search_write(&r.search, hits, count))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    grz_search_end(&r.search);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < count; i++)
    {
        if (!v->visit(v->user, &hits[i]))
            status = GRAZE_STATUS_CANCELLED;
    }
    grz_release(context, hits);
    return status;
}

static graze_status answer_visit(const hit_request *ask, graze_hit_function visit, void *user)
{
    if (visit == NULL || ask->misfit)
        return GRAZE_STATUS_BAD_ARGUMENT;
    visiting v = {.ask = ask,
                  .visit = visit,
                  .user = user,
                  .keep = {FIRST_RUN, 0, true},
                  .monitor = grz_monitor_make(ask->budget)};
    graze_status status = GRAZE_STATUS_OK;
    uint64_t end = 0;
    while (status == GRAZE_STATUS_OK && end != UINT64_MAX)
    {
        status = visit_run(&v, &end);
        v.keep.first = end;
        if (v.keep.most < SIZE_MAX / 4 / MORE_EACH_RUN)
            v.keep.most *= MORE_EACH_RUN;
    }
    return status;
}

static hit_request request(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                           const graze_pair_options *options)
{
    hit_request ask = {.context = context, .a = a, .b = b, .misfit = !GRZ_STRUCT_FITS(options)};
    if (options != NULL)
    {
        ask.stats = options->stats;
        ask.budget = &options->budget;
    }
    return ask;
}

graze_status graze_pair_any(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                            const graze_any_options *options, bool *out_found, graze_hit *out_hit)
{
    hit_request ask = {.context = context, .a = a, .b = b, .misfit = !GRZ_STRUCT_FITS(options)};
    if (options != NULL)
    {
        ask.stats = options->stats;
        ask.cache = options->cache;
        ask.budget = &options->budget;
    }
    return answer_any(&ask, out_found, out_hit);
}

graze_status graze_pair_count(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                              const graze_pair_options *options, graze_pair_counts *out_counts)
{
    hit_request ask = request(context, a, b, options);
    return answer_count(&ask, out_counts);
}

graze_status graze_pair_gather(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                               const graze_pair_options *options, graze_hit *hits, size_t capacity,
                               graze_pair_counts *out_counts)
{
    hit_request ask = request(context, a, b, options);
    return answer_gather(&ask, hits, capacity, out_counts);
}

graze_status graze_pair_visit(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                              const graze_pair_options *options, graze_hit_function visit, void *user)
{
    hit_request ask = request(context, a, b, options);
    return answer_visit(&ask, visit, user);
}

/* One mesh against itself is two placed ones that stand still. */
static hit_request ask_self(const graze_context *context, const graze_self_subject *subject,
                            const graze_pair_options *options, graze_placed_mesh *placed)
{
    *placed = (graze_placed_mesh){.pose = graze_pose_identity()};
    hit_request ask = request(context, placed, placed, options);
    ask.self = true;
    if (subject != NULL)
    {
        placed->mesh = subject->mesh;
        placed->tree = subject->tree;
        ask.merge_vertices = subject->merge_equal_vertices;
    }
    return ask;
}

graze_status graze_self_any(const graze_context *context, const graze_self_subject *subject,
                            const graze_pair_options *options, bool *out_found, graze_hit *out_hit)
{
    graze_placed_mesh placed;
    hit_request ask = ask_self(context, subject, options, &placed);
    return answer_any(&ask, out_found, out_hit);
}

graze_status graze_self_count(const graze_context *context, const graze_self_subject *subject,
                              const graze_pair_options *options, graze_pair_counts *out_counts)
{
    graze_placed_mesh placed;
    hit_request ask = ask_self(context, subject, options, &placed);
    return answer_count(&ask, out_counts);
}

graze_status graze_self_gather(const graze_context *context, const graze_self_subject *subject,
                               const graze_pair_options *options, graze_hit *hits, size_t capacity,
                               graze_pair_counts *out_counts)
{
    graze_placed_mesh placed;
    hit_request ask = ask_self(context, subject, options, &placed);
    return answer_gather(&ask, hits, capacity, out_counts);
}

graze_status graze_self_visit(const graze_context *context, const graze_self_subject *subject,
                              const graze_pair_options *options, graze_hit_function visit, void *user)
{
    graze_placed_mesh placed;
    hit_request ask = ask_self(context, subject, options, &placed);
    return answer_visit(&ask, visit, user);
}

static graze_placed_triangle placed_triangle(const graze_placed_mesh *placed, uint32_t triangle)
{
    graze_placed_triangle result = {.pose = &placed->pose};
    for (size_t i = 0; i < 3; i++)
        result.corners[i] = grz_mesh_vertex(placed->mesh, placed->mesh->triangles[3 * (size_t)triangle + i]);
    return result;
}

graze_status graze_hit_intersection(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_hit *hit,
                                    graze_intersection *out_intersection)
{
    if (out_intersection == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (a == NULL || b == NULL || hit == NULL || a->mesh == NULL || b->mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (hit->triangle_a >= a->mesh->triangle_count || hit->triangle_b >= b->mesh->triangle_count)
        return GRAZE_STATUS_BAD_INDEX;
    graze_status status = graze_pose_check(&a->pose, NULL);
    if (status == GRAZE_STATUS_OK)
        status = graze_pose_check(&b->pose, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_placed_triangle first = placed_triangle(a, hit->triangle_a), second = placed_triangle(b, hit->triangle_b);
    *out_intersection = graze_triangle_intersection(&first, &second);
    return GRAZE_STATUS_OK;
}
