/* SPDX-License-Identifier: MIT */
/*
 * Entry points of the narrow phase for hits: any, count, gather and visit report the same hits, of two meshes or of one
 * and itself. Each is a search (search.h) that is run at once.
 */
#include "base/struct_size.h"
#include "graze/self.h"
#include "mesh/mesh.h"
#include "pair/hit/cache.h"
#include "pair/hit/search.h"
#include "pair/subquery.h"

/* The arguments of a query. */
typedef struct hit_request
{
    const graze_context *context;
    const graze_placed_mesh *a, *b;
    bool self, merge_vertices;
    bool invalid;            /* the options are of another size */
    graze_stats *stats;      /* may be NULL */
    graze_pair_cache *cache; /* may be NULL */
    graze_budget budget;
} hit_request;

/* A search with room for the node pairs of most queries, so that these allocate nothing. */
typedef struct inline_search
{
    grz_search search;
    grz_node_pair room[GRZ_INLINE_PAIRS];
} inline_search;

/* Which hits are buffered; see query.h. */
typedef struct buffering
{
    size_t most;
    uint64_t first;
    bool only;
} buffering;

/* Starts a search. The hint, for first_only, may be NULL, and so may `wanted`: no hits are buffered then. */
static graze_status start(inline_search *r, const hit_request *request, bool first_only, const buffering *wanted,
                          const grz_traversal_hint *hint, grz_monitor *monitor)
{
    grz_search *s = &r->search;
    s->query.context = request->context;
    s->query.a = request->a;
    s->query.b = request->b;
    s->query.first_only = first_only;
    s->query.buffer_hits = wanted != NULL;
    s->query.most_buffered = wanted != NULL ? wanted->most : 0;
    s->query.first_buffered = wanted != NULL ? wanted->first : 0;
    s->query.buffered_only = wanted != NULL && wanted->only;
    s->query.self = request->self;
    s->query.merge_vertices = request->merge_vertices;
    s->query.hint = hint;
    return grz_search_start(s, r->room, monitor);
}

/* Runs a search to its end. When it returns OK the caller ends the search. */
static graze_status run(inline_search *r, const hit_request *request, bool first_only, const buffering *wanted,
                        const grz_traversal_hint *hint)
{
    grz_search *s = &r->search;
    grz_monitor monitor;
    bool watched = grz_has_limits(&request->budget);
    if (watched)
        monitor = grz_monitor_make(&request->budget);
    graze_status status = start(r, request, first_only, wanted, hint, watched ? &monitor : NULL);
    if (request->stats != NULL && (status == GRAZE_STATUS_UNFINISHED || status == GRAZE_STATUS_CANCELLED))
        *request->stats = (graze_stats){0};
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_budget left = request->budget;
    if (watched && !s->query.uses_trees) /* sorting AABBs took time */
        left.seconds = grz_seconds_until(monitor.deadline);
    status = grz_search_run(s, &left);
    if (request->stats != NULL)
        *request->stats = grz_search_stats(s);
    if (status != GRAZE_STATUS_OK)
        grz_search_end(s);
    return status;
}

/* Asks the cache first; updates it where it does not know the answer. */
static graze_status answer_any(const hit_request *request, bool *out_found, graze_hit *out_hit)
{
    if (out_found == NULL || request->invalid)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_pair_cache *cache = request->cache;
    if (cache != NULL && grz_cache_answers(cache, request->a, request->b, out_found, out_hit))
    {
        if (request->stats != NULL)
            *request->stats = (graze_stats){0};
        return GRAZE_STATUS_OK;
    }
    grz_traversal_hint hint;
    bool hinted = cache != NULL && grz_cache_hint(cache, &hint);
    inline_search r;
    graze_status status = run(&r, request, true, NULL, hinted ? &hint : NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    const graze_hit *hit = grz_search_first(&r.search);
    *out_found = hit != NULL;
    if (hit != NULL && out_hit != NULL)
        *out_hit = *hit;
    if (cache != NULL)
    {
        hint = grz_search_hint(&r.search);
        grz_cache_update(cache, request->context, request->a, request->b, hit, &hint);
    }
    grz_search_end(&r.search);
    return GRAZE_STATUS_OK;
}

static graze_status answer_count(const hit_request *request, graze_pair_counts *out_counts)
{
    if (out_counts == NULL || request->invalid)
        return GRAZE_STATUS_BAD_ARGUMENT;
    inline_search r;
    graze_status status = run(&r, request, false, NULL, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_counts = grz_search_counts(&r.search);
    grz_search_end(&r.search);
    return GRAZE_STATUS_OK;
}

static graze_status answer_gather(const hit_request *request, graze_hit *hits, size_t capacity,
                                  graze_pair_counts *out_counts)
{
    if (out_counts == NULL || request->invalid || (hits == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    inline_search r;
    const buffering first_ones = {capacity < SIZE_MAX / 4 ? capacity : 0, 0, false};
    graze_status status = run(&r, request, false, capacity > 0 ? &first_ones : NULL, NULL);
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
 * Hits are visited in runs: a pass over both meshes buffers at least the first FIRST_RUN hits, at most twice as many,
 * and leaves later ones undecided; after those were visited, the next pass buffers MORE_EACH_RUN times as many of the
 * rest. So memory is bounded by the number of hits visited, a visit that is stopped early ends early, and most visits
 * take one pass (docs/decisions/0007).
 */
enum
{
    FIRST_RUN = 1 << 16,
    MORE_EACH_RUN = 4
};

typedef struct visiting
{
    const hit_request *request;
    graze_hit_function visit;
    void *user;
    buffering wanted;               /* for the current run */
    const grz_hit_buffer *buffered; /* of the current run */
    double done;                    /* share of the progress before this run */
    grz_monitor monitor;
    graze_stats stats; /* of all runs */
} visiting;

/* Progress of all runs: this one is assumed to buffer the same share of the rest as of the candidates so far. */
static bool report_share(void *user, double share)
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

/* One pass; the caller ends the search when it returns OK. */
static graze_status search_run(visiting *v, inline_search *r)
{
    graze_stats none = {0};
    graze_status status =
        start(r, v->request, false, &v->wanted, NULL, grz_monitor_is_needed(&v->monitor) ? &v->monitor : NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_budget budget = grz_subquery_options(&v->monitor, &none).budget;
    v->buffered = &r->search.head.buffered;
    if (budget.progress != NULL)
    {
        budget.progress = report_share;
        budget.progress_user = v;
    }
    status = grz_search_run(&r->search, &budget);
    graze_stats stats = grz_search_stats(&r->search);
    add_stats(&v->stats, stats);
    if (v->request->stats != NULL)
        *v->request->stats = v->stats;
    status = grz_subquery_end(&v->monitor, status, &stats);
    if (status == GRAZE_STATUS_OK && !grz_search_join(&r->search))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (status != GRAZE_STATUS_OK)
        grz_search_end(&r->search);
    return status;
}

/* One run: finds hits, and visits them. *out_end is set to the key of the first hit left, UINT64_MAX: none. */
static graze_status visit_run(visiting *v, uint64_t *out_end)
{
    const graze_context *context = v->request->context;
    inline_search r;
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

static graze_status answer_visit(const hit_request *request, graze_hit_function visit, void *user)
{
    if (visit == NULL || request->invalid)
        return GRAZE_STATUS_BAD_ARGUMENT;
    visiting v = {.request = request,
                  .visit = visit,
                  .user = user,
                  .wanted = {FIRST_RUN, 0, true},
                  .monitor = grz_monitor_make(&request->budget)};
    graze_status status = GRAZE_STATUS_OK;
    uint64_t end = 0;
    while (status == GRAZE_STATUS_OK && end != UINT64_MAX)
    {
        status = visit_run(&v, &end);
        v.wanted.first = end;
        if (v.wanted.most < SIZE_MAX / 4 / MORE_EACH_RUN)
            v.wanted.most *= MORE_EACH_RUN;
    }
    return status;
}

static hit_request make_request(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                const graze_pair_options *options)
{
    GRZ_FULL_STRUCT(graze_pair_options, options);
    hit_request request = {.context = context, .a = a, .b = b, .invalid = !options_fits};
    if (options != NULL && options_fits)
    {
        request.stats = options->stats;
        request.budget = options->budget;
    }
    return request;
}

graze_status graze_pair_any(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                            const graze_any_options *options, bool *out_found, graze_hit *out_hit)
{
    GRZ_FULL_STRUCT(graze_any_options, options);
    hit_request request = {.context = context, .a = a, .b = b, .invalid = !options_fits};
    if (options != NULL && options_fits)
    {
        request.stats = options->stats;
        request.cache = options->cache;
        request.budget = options->budget;
    }
    return answer_any(&request, out_found, out_hit);
}

graze_status graze_pair_count(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                              const graze_pair_options *options, graze_pair_counts *out_counts)
{
    hit_request request = make_request(context, a, b, options);
    return answer_count(&request, out_counts);
}

graze_status graze_pair_gather(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                               const graze_pair_options *options, graze_hit *hits, size_t capacity,
                               graze_pair_counts *out_counts)
{
    hit_request request = make_request(context, a, b, options);
    return answer_gather(&request, hits, capacity, out_counts);
}

graze_status graze_pair_visit(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                              const graze_pair_options *options, graze_hit_function visit, void *user)
{
    hit_request request = make_request(context, a, b, options);
    return answer_visit(&request, visit, user);
}

/* A mesh against itself is a pair of one placed mesh under the identity. */
static hit_request self_request(const graze_context *context, const graze_self_subject *subject,
                                const graze_pair_options *options, graze_placed_mesh *placed)
{
    *placed = (graze_placed_mesh){.pose = graze_pose_identity()};
    hit_request request = make_request(context, placed, placed, options);
    request.self = true;
    if (subject != NULL)
    {
        placed->mesh = subject->mesh;
        placed->tree = subject->tree;
        request.merge_vertices = subject->merge_equal_vertices;
    }
    return request;
}

graze_status graze_self_any(const graze_context *context, const graze_self_subject *subject,
                            const graze_pair_options *options, bool *out_found, graze_hit *out_hit)
{
    graze_placed_mesh placed;
    hit_request request = self_request(context, subject, options, &placed);
    return answer_any(&request, out_found, out_hit);
}

graze_status graze_self_count(const graze_context *context, const graze_self_subject *subject,
                              const graze_pair_options *options, graze_pair_counts *out_counts)
{
    graze_placed_mesh placed;
    hit_request request = self_request(context, subject, options, &placed);
    return answer_count(&request, out_counts);
}

graze_status graze_self_gather(const graze_context *context, const graze_self_subject *subject,
                               const graze_pair_options *options, graze_hit *hits, size_t capacity,
                               graze_pair_counts *out_counts)
{
    graze_placed_mesh placed;
    hit_request request = self_request(context, subject, options, &placed);
    return answer_gather(&request, hits, capacity, out_counts);
}

graze_status graze_self_visit(const graze_context *context, const graze_self_subject *subject,
                              const graze_pair_options *options, graze_hit_function visit, void *user)
{
    graze_placed_mesh placed;
    hit_request request = self_request(context, subject, options, &placed);
    return answer_visit(&request, visit, user);
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
