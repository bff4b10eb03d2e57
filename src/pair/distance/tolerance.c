/* SPDX-License-Identifier: MIT */
/*
 * Tolerance queries: the triangles of two placed meshes that are within a tolerance. Certified bounds decide where they
 * can; where the tolerance lies between them, integers do (exact/distance.h). Any, count, gather and visit report the
 * same pairs.
 */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/sort.h"
#include "base/struct_size.h"
#include "graze/distance.h"
#include "math/interval.h"
#include "pair/arguments.h"
#include "pair/distance/proximity.h"
#include "pair/distance/scaled_pair.h"
#include "pair/distance/tolerance.h"
#include "pair/radix_select.h"
#include "pair/subquery.h"

typedef GRZ_ARRAY(graze_proximity) proximity_array;

enum
{
    LEAST_BUFFERED = 64,       /* the least that is buffered */
    FIRST_RUN_PAIRS = 1 << 16, /* buffered by the first run of a visit; see collide.c */
    RUN_FACTOR = 4             /* of each next run */
};

typedef struct tolerance_query
{
    const graze_context *context;
    grz_measure_frame frame;
    const grz_scaled_pair *pair; /* the meshes that are measured */
    const double *terms;         /* the tolerance is their sum, a real number; in the units of the arguments */
    int term_count;
    interval tolerance; /* around that sum, in the units of `pair` */
    bool swapped;       /* whether the arguments are swapped in `pair` */
    bool first_only, strict;
    bool out_of_memory;
    uint64_t count;
    grz_monitor *monitor; /* may be NULL */
    graze_stats stats;

    /* The buffered pairs: none, or at least the first `most`, and at most twice as many, of those with keys from
       `first` on. All that are below `end` are there. */
    size_t most;
    uint64_t first, end;
    bool buffered_only; /* others are neither measured nor counted */
    proximity_array found;
} tolerance_query;

/* Sorted by this key, pairs are in canonical order. */
static uint64_t key_of(const tolerance_query *t, uint32_t first, uint32_t second)
{
    return t->swapped ? (uint64_t)second << 32 | first : (uint64_t)first << 32 | second;
}

static uint64_t key_at(const void *proximities, size_t index)
{
    const graze_proximity *proximity = (const graze_proximity *)proximities + index;
    return (uint64_t)proximity->triangle_a << 32 | proximity->triangle_b;
}

static bool accepts(const tolerance_query *t, uint64_t key)
{
    return t->most > 0 && key >= t->first && key < t->end;
}

/* Buffers a pair; drops the later half when there are twice as many as wanted. False when out of memory. */
static bool buffer_pair(tolerance_query *t, const graze_proximity *proximity)
{
    size_t most = t->most < LEAST_BUFFERED ? LEAST_BUFFERED : t->most;
    if (!accepts(t, key_at(proximity, 0)))
        return true;
    if (!GRZ_PUSH(t->context, &t->found, *proximity))
        return false;
    if (t->found.count < 2 * most)
        return true;
    t->end = grz_radix_select(key_at, t->found.data, t->found.count, most);
    size_t left = 0;
    for (size_t i = 0; i < t->found.count; i++)
        if (key_at(t->found.data, i) < t->end)
            t->found.data[left++] = t->found.data[i];
    t->found.count = left;
    return true;
}

/* Compared by bits, as < and <= may flush denormals to zero. */
static bool is_within(tolerance_query *t, const grz_closest_pair *gap)
{
    /* shortcut: tolerance-by-bounds */
    double least = t->tolerance.lower, most = t->tolerance.upper;
    if (gap->meet || grz_is_less(gap->upper, least) || (!t->strict && grz_is_at_most(gap->upper, least)))
        return true;
    return grz_is_at_most(gap->lower, most) &&
           grz_pair_is_within_sum(&t->frame, gap, t->pair->lengths, t->term_count, t->strict);
}

static graze_proximity proximity_of(const tolerance_query *t, const grz_closest_pair *gap)
{
    uint32_t face_a = graze_mesh_triangle_face(t->frame.mesh_a, gap->triangle_a);
    uint32_t face_b = graze_mesh_triangle_face(t->frame.mesh_b, gap->triangle_b);
    double lower = grz_scaled_lower(t->pair, gap->lower), upper = grz_scaled_upper(t->pair, gap->upper);
    graze_proximity proximity = {gap->triangle_a, gap->triangle_b, face_a, face_b, gap->meet, lower, upper};
    if (!t->swapped)
        return proximity;
    /* Bounds of a pair do not depend on the order of the arguments: they are measured in one order only. */
    graze_proximity other = {gap->triangle_b, gap->triangle_a, face_b, face_a, gap->meet, lower, upper};
    return other;
}

/* The pairs that have to be measured. */
static grz_triangle_pair_batch select_pairs(const tolerance_query *t, const grz_triangle_pair_batch *pairs)
{
    grz_triangle_pair_batch selected = {.count = 0};
    for (unsigned i = 0; i < pairs->count; i++)
    {
        if (t->buffered_only && !accepts(t, key_of(t, pairs->a[i], pairs->b[i])))
            continue;
        selected.a[selected.count] = pairs->a[i];
        selected.b[selected.count++] = pairs->b[i];
    }
    return selected;
}

static bool take_pairs(void *user, const grz_triangle_pair_batch *pairs, grz_distance_bound *bound)
{
    (void)bound;
    tolerance_query *t = user;
    grz_closest_pair gaps[GRZ_LANES];
    grz_triangle_pair_batch selected = select_pairs(t, pairs);
    if (!grz_monitor_exact_tests(t->monitor, selected.count))
        return false;
    if (selected.count > 0)
        grz_measure_pairs(&t->frame, &selected, gaps);
    for (unsigned i = 0; i < selected.count; i++)
    {
        if (!is_within(t, &gaps[i]))
            continue;
        t->count++;
        graze_proximity proximity = proximity_of(t, &gaps[i]);
        t->out_of_memory = !buffer_pair(t, &proximity);
        if (t->out_of_memory || t->first_only)
            return false;
    }
    return true;
}

/* Sorts the buffered pairs into canonical order. */
static graze_status sort_found(tolerance_query *t)
{
    size_t count = t->found.count;
    grz_key_value *entries = grz_allocate(t->context, 2 * count, sizeof *entries);
    graze_proximity *sorted = grz_allocate(t->context, count, sizeof *sorted);
    bool done = entries != NULL && sorted != NULL;
    for (size_t i = 0; i < count && done; i++)
        entries[i] = (grz_key_value){key_at(t->found.data, i), i};
    if (done && grz_sort_keyed_monitored(entries, entries + count, count, t->monitor))
    {
        for (size_t i = 0; i < count; i++)
            sorted[i] = t->found.data[entries[i].value];
        grz_release(t->context, t->found.data);
        t->found.data = sorted;
        t->found.capacity = count;
    }
    else
        grz_release(t->context, sorted);
    grz_release(t->context, entries);
    return done ? grz_monitor_status(t->monitor) : GRAZE_STATUS_OUT_OF_MEMORY;
}

/* A hit as a pair within every tolerance. */
static graze_proximity proximity_of_hit(const graze_hit *hit)
{
    graze_proximity proximity = {hit->triangle_a, hit->triangle_b, hit->face_a, hit->face_b, true, 0, 0};
    return proximity;
}

static graze_pair_options pair_options_of(const graze_tolerance_options *options)
{
    graze_pair_options result = graze_pair_options_default();
    if (options == NULL)
        return result;
    result.stats = options->stats;
    result.budget = options->budget;
    return result;
}

/* How a query is answered. */
typedef enum tolerance_kind
{
    NO_PAIRS,  /* nothing is nearer than 0 */
    COLLISION, /* tolerance 0: the hits, found without measuring other pairs */
    TOLERANCE
} tolerance_kind;

static graze_status check_terms(const graze_placed_mesh *a, const graze_placed_mesh *b, const double *terms, int count,
                                const graze_tolerance_options *options, tolerance_kind *out_kind)
{
    graze_status status = grz_check_arguments(a, b);
    bool zero = true;
    if (status != GRAZE_STATUS_OK)
        return status;
    for (int i = 0; i < count; i++)
    {
        if (!(terms[i] >= 0 && terms[i] < INFINITY) || grz_is_less(terms[i], 0))
            return GRAZE_STATUS_BAD_ARGUMENT;
        zero = zero && grz_is_zero(terms[i]);
    }
    bool strict = options != NULL && options->strict;
    *out_kind = zero ? (strict ? NO_PAIRS : COLLISION) : TOLERANCE;
    return GRAZE_STATUS_OK;
}

static graze_status check(const graze_placed_mesh *a, const graze_placed_mesh *b, double tolerance,
                          const graze_tolerance_options *options, tolerance_kind *out_kind)
{
    return check_terms(a, b, &tolerance, 1, options, out_kind);
}

/* Bounds of a sum of numbers that are not negative; of a single one, itself. */
static interval sum_of(const double *terms, int count)
{
    interval sum = interval_point(0);
    for (int i = 0; i < count; i++)
        if (!grz_is_zero(terms[i]))
            sum = grz_is_zero(sum.upper) ? interval_point(terms[i]) : interval_add(sum, interval_point(terms[i]));
    return sum;
}

/* One search for pairs within a tolerance above 0; buffered pairs are sorted afterwards. The caller releases
   t->found.data, also on failure. */
static graze_status search(tolerance_query *t, const graze_placed_mesh *a, const graze_placed_mesh *b,
                           const graze_tolerance_options *options)
{
    t->strict = options != NULL && options->strict;
    t->swapped = grz_arguments_swapped(a, b);
    grz_scaled_pair pair;
    grz_scaled_pair_make(&pair, t->swapped ? b : a, t->swapped ? a : b, t->terms, t->term_count);
    t->pair = &pair;
    t->tolerance = sum_of(pair.lengths, t->term_count);
    t->end = UINT64_MAX;
    grz_measure_frame_make(&t->frame, t->context, pair.a, pair.b);
    grz_proximity_search proximity = {.context = t->context,
                                      .bound = {.distance = t->tolerance.upper},
                                      .propose = take_pairs,
                                      .user = t,
                                      .monitor = t->monitor};
    grz_proximity_search_run(&proximity, pair.a, pair.b);
    t->stats.box_tests += proximity.box_tests;
    t->stats.leaf_pairs += proximity.leaf_pairs;
    t->stats.triangle_tests += t->frame.pairs;
    t->stats.exact_signs += t->frame.stages.exact + t->frame.exact_measures;
    if (options != NULL && options->stats != NULL)
        *options->stats = t->stats;
    if (proximity.out_of_memory || t->out_of_memory)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    return t->found.count > 1 ? sort_found(t) : grz_monitor_status(t->monitor);
}

static grz_monitor monitor_of(const graze_tolerance_options *options)
{
    return grz_monitor_make(options != NULL ? &options->budget : NULL);
}

graze_status grz_tolerance_sum_any(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                   const double *terms, int count, const graze_tolerance_options *options,
                                   bool *out_found, graze_proximity *out_proximity)
{
    tolerance_kind kind = NO_PAIRS;
    bool found = false;
    graze_hit hit = {0};
    grz_monitor monitor = monitor_of(options);
    tolerance_query t = {
        .context = context, .terms = terms, .term_count = count, .first_only = true, .most = 1, .monitor = &monitor};
    graze_status status = check_terms(a, b, terms, count, options, &kind);
    if (status == GRAZE_STATUS_OK && kind == COLLISION)
    {
        graze_pair_options pair_options = pair_options_of(options);
        graze_any_options any_options = grz_any_options_from(&pair_options);
        status = graze_pair_any(context, a, b, &any_options, &found, &hit);
    }
    if (status == GRAZE_STATUS_OK && kind == TOLERANCE)
        status = search(&t, a, b, options);
    if (status == GRAZE_STATUS_OK)
    {
        *out_found = found || t.count > 0;
        if (*out_found && out_proximity != NULL)
            *out_proximity = found ? proximity_of_hit(&hit) : t.found.data[0];
    }
    grz_release(context, t.found.data);
    return status;
}

graze_status graze_pair_tolerance_any(const graze_context *context, const graze_placed_mesh *a,
                                      const graze_placed_mesh *b, double tolerance,
                                      const graze_tolerance_options *options, bool *out_found,
                                      graze_proximity *out_proximity)
{
    GRZ_FULL_STRUCT(graze_tolerance_options, options);
    if (out_found == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return grz_tolerance_sum_any(context, a, b, &tolerance, 1, options, out_found, out_proximity);
}

graze_status graze_pair_tolerance_count(const graze_context *context, const graze_placed_mesh *a,
                                        const graze_placed_mesh *b, double tolerance,
                                        const graze_tolerance_options *options, uint64_t *out_count)
{
    GRZ_FULL_STRUCT(graze_tolerance_options, options);
    if (out_count == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    tolerance_kind kind = NO_PAIRS;
    graze_pair_counts counts = {0};
    grz_monitor monitor = monitor_of(options);
    tolerance_query t = {.context = context, .terms = &tolerance, .term_count = 1, .monitor = &monitor};
    graze_status status = check(a, b, tolerance, options, &kind);
    if (status == GRAZE_STATUS_OK && kind == COLLISION)
    {
        graze_pair_options pair_options = pair_options_of(options);
        status = graze_pair_count(context, a, b, &pair_options, &counts);
    }
    if (status == GRAZE_STATUS_OK && kind == TOLERANCE)
        status = search(&t, a, b, options);
    if (status == GRAZE_STATUS_OK)
        *out_count = kind == COLLISION ? counts.pairs : t.count;
    return status;
}

/* The cost of two passes, where the caller wants it. */
static void write_stats(const graze_tolerance_options *options, const graze_stats *first, const graze_stats *second)
{
    if (options != NULL && options->stats != NULL)
        *options->stats =
            (graze_stats){first->box_tests + second->box_tests, first->leaf_pairs + second->leaf_pairs,
                          first->triangle_tests + second->triangle_tests, first->exact_signs + second->exact_signs};
}

/* Gathers the hits, for tolerance 0. */
static graze_status gather_hits(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                const graze_tolerance_options *options, graze_proximity *proximities, size_t capacity,
                                uint64_t *out_count)
{
    grz_monitor monitor = monitor_of(options), *needed = grz_monitor_is_needed(&monitor) ? &monitor : NULL;
    graze_stats stats, counting = {0};
    graze_pair_options pair_options = grz_subquery_options(needed, &stats);
    graze_pair_counts counts = {.pairs = capacity};
    graze_status status = GRAZE_STATUS_OK;
    if (capacity > FIRST_RUN_PAIRS) /* the caller's array may be much larger than needed */
    {
        grz_monitor_stage(needed, 0.5);
        status = grz_subquery_end(needed, graze_pair_count(context, a, b, &pair_options, &counts), &stats);
        counting = stats;
        grz_monitor_stage(needed, 1);
        pair_options = grz_subquery_options(needed, &stats);
    }
    if (status != GRAZE_STATUS_OK)
    {
        write_stats(options, &counting, &stats);
        return status;
    }
    size_t room = capacity < counts.pairs ? capacity : (size_t)counts.pairs;
    graze_hit *hits = grz_allocate(context, room, sizeof *hits);
    if (hits == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    status = grz_subquery_end(needed, graze_pair_gather(context, a, b, &pair_options, hits, room, &counts), &stats);
    write_stats(options, &counting, &stats);
    if (status == GRAZE_STATUS_OK)
    {
        for (size_t i = 0; i < room && i < counts.pairs; i++)
            proximities[i] = proximity_of_hit(&hits[i]);
        *out_count = counts.pairs;
    }
    grz_release(context, hits);
    return status;
}

graze_status graze_pair_tolerance_gather(const graze_context *context, const graze_placed_mesh *a,
                                         const graze_placed_mesh *b, double tolerance,
                                         const graze_tolerance_options *options, graze_proximity *proximities,
                                         size_t capacity, uint64_t *out_count)
{
    GRZ_FULL_STRUCT(graze_tolerance_options, options);
    if (out_count == NULL || (proximities == NULL && capacity > 0) || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    tolerance_kind kind = NO_PAIRS;
    grz_monitor monitor = monitor_of(options);
    tolerance_query t = {.context = context,
                         .terms = &tolerance,
                         .term_count = 1,
                         .most = capacity < SIZE_MAX / 4 ? capacity : SIZE_MAX / 4,
                         .monitor = &monitor};
    graze_status status = check(a, b, tolerance, options, &kind);
    if (status == GRAZE_STATUS_OK && kind == COLLISION)
        return gather_hits(context, a, b, options, proximities, capacity, out_count);
    if (status == GRAZE_STATUS_OK && kind == TOLERANCE)
        status = search(&t, a, b, options);
    if (status == GRAZE_STATUS_OK)
    {
        size_t count = t.found.count < capacity ? t.found.count : capacity;
        if (count > 0)
            memcpy(proximities, t.found.data, count * sizeof *proximities);
        *out_count = t.count;
    }
    grz_release(context, t.found.data);
    return status;
}

/* Passes hits on as pairs. */
typedef struct proximity_visitor
{
    graze_proximity_function visit;
    void *user;
} proximity_visitor;

static bool pass_hit(void *user, const graze_hit *hit)
{
    const proximity_visitor *l = user;
    graze_proximity proximity = proximity_of_hit(hit);
    return l->visit(l->user, &proximity);
}

/* In runs, as hits are visited; see collide.c. */
static graze_status visit_runs(tolerance_query *t, const graze_placed_mesh *a, const graze_placed_mesh *b,
                               const graze_tolerance_options *options, const proximity_visitor *l)
{
    graze_status status = GRAZE_STATUS_OK;
    t->most = FIRST_RUN_PAIRS;
    t->buffered_only = true;
    while (status == GRAZE_STATUS_OK && t->first != UINT64_MAX)
    {
        t->found.count = 0;
        status = search(t, a, b, options);
        for (size_t i = 0; status == GRAZE_STATUS_OK && i < t->found.count; i++)
        {
            if (!l->visit(l->user, &t->found.data[i]))
                status = GRAZE_STATUS_CANCELLED;
        }
        t->first = t->end;
        if (t->most < SIZE_MAX / 4 / RUN_FACTOR)
            t->most *= RUN_FACTOR;
    }
    return status;
}

graze_status graze_pair_tolerance_visit(const graze_context *context, const graze_placed_mesh *a,
                                        const graze_placed_mesh *b, double tolerance,
                                        const graze_tolerance_options *options, graze_proximity_function visit,
                                        void *user)
{
    GRZ_FULL_STRUCT(graze_tolerance_options, options);
    if (visit == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    tolerance_kind kind = NO_PAIRS;
    proximity_visitor l = {visit, user};
    grz_monitor monitor = monitor_of(options);
    tolerance_query t = {.context = context, .terms = &tolerance, .term_count = 1, .monitor = &monitor};
    graze_status status = check(a, b, tolerance, options, &kind);
    if (status == GRAZE_STATUS_OK && kind == COLLISION)
    {
        graze_pair_options pair_options = pair_options_of(options);
        status = graze_pair_visit(context, a, b, &pair_options, pass_hit, &l);
    }
    if (status == GRAZE_STATUS_OK && kind == TOLERANCE)
        status = visit_runs(&t, a, b, options, &l);
    grz_release(context, t.found.data);
    return status;
}
