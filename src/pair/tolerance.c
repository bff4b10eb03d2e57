/* SPDX-License-Identifier: MIT */
/*
 * Which triangles of two placed meshes are within a tolerance. Certified bounds decide where they can; where the
 * tolerance lies between them, integers do (exact/distance.h). Any, count, gather and visit are four ways to hear of
 * the same pairs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graze/distance.h"
#include "math/bits.h"
#include "pair/arguments.h"
#include "pair/near.h"
#include "pair/rank.h"
#include "pair/watched.h"

typedef GRZ_ARRAY(graze_near) near_array;

enum
{
    LEAST_KEPT = 64,     /* it is not worth keeping less */
    FIRST_RUN = 1 << 16, /* pairs that a visit keeps at first, and how many times more each time; see collide.c */
    MORE_EACH_RUN = 4
};

typedef struct tolerating
{
    const graze_context *context;
    grz_gap_frame frame;
    double tolerance;
    bool swapped; /* whether the sides were, to measure them */
    bool first_only, strict;
    bool out_of_memory;
    uint64_t count;
    grz_watch *watch; /* may be NULL */
    graze_stats stats;

    /* The pairs kept: none, or the first `most` at least, and twice as many at most, of those with numbers from `first`
       on. All that are below `end` are there. */
    size_t most;
    uint64_t first, end;
    bool kept_only; /* others are neither measured nor counted */
    near_array found;
} tolerating;

/* In the order of these numbers pairs are in canonical order. */
static uint64_t number_of(const tolerating *t, uint32_t first, uint32_t second)
{
    return t->swapped ? (uint64_t)second << 32 | first : (uint64_t)first << 32 | second;
}

static uint64_t number_in(const void *nears, size_t index)
{
    const graze_near *near = (const graze_near *)nears + index;
    return (uint64_t)near->triangle_a << 32 | near->triangle_b;
}

static bool takes(const tolerating *t, uint64_t number)
{
    return t->most > 0 && number >= t->first && number < t->end;
}

/* Keeps a pair; drops the later half when there are twice as many as wanted. False when out of memory. */
static bool keep(tolerating *t, const graze_near *near)
{
    size_t most = t->most < LEAST_KEPT ? LEAST_KEPT : t->most;
    if (!takes(t, number_in(near, 0)))
        return true;
    if (!GRZ_PUSH(t->context, &t->found, *near))
        return false;
    if (t->found.count < 2 * most)
        return true;
    t->end = grz_number_at_rank(number_in, t->found.data, t->found.count, most);
    size_t kept = 0;
    for (size_t i = 0; i < t->found.count; i++)
        if (number_in(t->found.data, i) < t->end)
            t->found.data[kept++] = t->found.data[i];
    t->found.count = kept;
    return true;
}

/* By bits, as < and <= may take denormals for zero. */
static bool is_within(tolerating *t, const grz_gap *gap)
{
    /* shortcut: tolerance-by-bounds */
    if (gap->meet || grz_is_less(gap->upper, t->tolerance) || (!t->strict && grz_is_at_most(gap->upper, t->tolerance)))
        return true;
    return grz_is_at_most(gap->lower, t->tolerance) && grz_gap_within(&t->frame, gap, t->tolerance, t->strict);
}

static graze_near near_of(const tolerating *t, const grz_gap *gap)
{
    uint32_t face_a = graze_mesh_triangle_face(t->frame.mesh_a, gap->triangle_a);
    uint32_t face_b = graze_mesh_triangle_face(t->frame.mesh_b, gap->triangle_b);
    graze_near near = {gap->triangle_a, gap->triangle_b, face_a, face_b, gap->meet, gap->lower, gap->upper};
    if (!t->swapped)
        return near;
    /* Bounds of a pair do not depend on the order of the arguments: they are measured in one order only. */
    graze_near other = {gap->triangle_b, gap->triangle_a, face_b, face_a, gap->meet, gap->lower, gap->upper};
    return other;
}

/* Those that are not just passed over. */
static grz_gap_pairs choose(const tolerating *t, const grz_gap_pairs *pairs)
{
    grz_gap_pairs chosen = {.count = 0};
    for (unsigned i = 0; i < pairs->count; i++)
    {
        if (t->kept_only && !takes(t, number_of(t, pairs->a[i], pairs->b[i])))
            continue;
        chosen.a[chosen.count] = pairs->a[i];
        chosen.b[chosen.count++] = pairs->b[i];
    }
    return chosen;
}

static bool take_pairs(void *user, const grz_gap_pairs *pairs, grz_near_bound *bound)
{
    (void)bound;
    tolerating *t = user;
    grz_gap gaps[GRZ_LANES];
    grz_gap_pairs chosen = choose(t, pairs);
    if (!grz_watch_decisions(t->watch, chosen.count))
        return false;
    if (chosen.count > 0)
        grz_gap_measure(&t->frame, &chosen, gaps);
    for (unsigned i = 0; i < chosen.count; i++)
    {
        if (!is_within(t, &gaps[i]))
            continue;
        t->count++;
        graze_near near = near_of(t, &gaps[i]);
        t->out_of_memory = !keep(t, &near);
        if (t->out_of_memory || t->first_only)
            return false;
    }
    return true;
}

static int compare_nears(const void *first, const void *second)
{
    const graze_near *x = first, *y = second;
    if (x->triangle_a != y->triangle_a)
        return x->triangle_a < y->triangle_a ? -1 : 1;
    return (x->triangle_b > y->triangle_b) - (x->triangle_b < y->triangle_b);
}

/* A pair that meets, as one within every tolerance. */
static graze_near near_of_hit(const graze_hit *hit)
{
    graze_near near = {hit->triangle_a, hit->triangle_b, hit->face_a, hit->face_b, true, 0, 0};
    return near;
}

static graze_pair_options pair_options_of(const graze_distance_options *options)
{
    graze_pair_options result = graze_pair_options_default();
    if (options == NULL)
        return result;
    result.stats = options->stats;
    result.budget = options->budget;
    result.progress = options->progress;
    result.progress_user = options->progress_user;
    return result;
}

/* Which way the question is answered. */
typedef enum question_kind
{
    NOTHING,   /* nothing is nearer than 0 */
    COLLISION, /* without tolerance: pairs that meet, found without measuring those that do not */
    TOLERANCE
} question_kind;

static graze_status check(const graze_placed_mesh *a, const graze_placed_mesh *b, double tolerance,
                          const graze_distance_options *options, question_kind *out_kind)
{
    graze_status status = grz_check_arguments(a, b);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!(tolerance >= 0 && tolerance < INFINITY) || grz_is_less(tolerance, 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    bool strict = options != NULL && options->strict;
    *out_kind = grz_is_zero(tolerance) ? (strict ? NOTHING : COLLISION) : TOLERANCE;
    return GRAZE_STATUS_OK;
}

/* One search for pairs within a tolerance above 0; pairs that are kept are in order then. The caller releases
   t->found.data, also on failure. */
static graze_status search(tolerating *t, const graze_placed_mesh *a, const graze_placed_mesh *b, double tolerance,
                           const graze_distance_options *options)
{
    t->strict = options != NULL && options->strict;
    t->swapped = grz_arguments_swapped(a, b);
    t->tolerance = tolerance;
    t->end = UINT64_MAX;
    grz_gap_frame_make(&t->frame, t->context, t->swapped ? b : a, t->swapped ? a : b);
    grz_near near = {
        .context = t->context, .bound = {.distance = tolerance}, .propose = take_pairs, .user = t, .watch = t->watch};
    grz_near_search(&near, t->swapped ? b : a, t->swapped ? a : b);
    t->stats.box_tests += near.box_tests;
    t->stats.leaf_pairs += near.leaf_pairs;
    t->stats.triangle_tests += t->frame.pairs;
    t->stats.exact_signs += t->frame.stages.exact + t->frame.exact_measures;
    if (options != NULL && options->stats != NULL)
        *options->stats = t->stats;
    if (near.out_of_memory || t->out_of_memory)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (t->found.count > 1)
        qsort(t->found.data, t->found.count, sizeof *t->found.data, compare_nears);
    return grz_watch_status(t->watch);
}

static grz_watch watch_of(const graze_distance_options *options)
{
    graze_pair_options same = pair_options_of(options);
    return grz_watch_of(&same);
}

graze_status graze_pair_tolerance_any(const graze_context *context, const graze_placed_mesh *a,
                                      const graze_placed_mesh *b, double tolerance,
                                      const graze_distance_options *options, bool *out_found, graze_near *out_near)
{
    if (out_found == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    question_kind kind = NOTHING;
    bool found = false;
    graze_hit hit = {0};
    grz_watch watch = watch_of(options);
    tolerating t = {.context = context, .first_only = true, .most = 1, .watch = &watch};
    graze_status status = check(a, b, tolerance, options, &kind);
    if (status == GRAZE_STATUS_OK && kind == COLLISION)
    {
        graze_pair_options pair_options = pair_options_of(options);
        status = graze_pair_any(context, a, b, &pair_options, &found, &hit);
    }
    if (status == GRAZE_STATUS_OK && kind == TOLERANCE)
        status = search(&t, a, b, tolerance, options);
    if (status == GRAZE_STATUS_OK)
    {
        *out_found = found || t.count > 0;
        if (*out_found && out_near != NULL)
            *out_near = found ? near_of_hit(&hit) : t.found.data[0];
    }
    grz_release(context, t.found.data);
    return status;
}

graze_status graze_pair_tolerance_count(const graze_context *context, const graze_placed_mesh *a,
                                        const graze_placed_mesh *b, double tolerance,
                                        const graze_distance_options *options, uint64_t *out_count)
{
    if (out_count == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    question_kind kind = NOTHING;
    graze_pair_counts counts = {0};
    grz_watch watch = watch_of(options);
    tolerating t = {.context = context, .watch = &watch};
    graze_status status = check(a, b, tolerance, options, &kind);
    if (status == GRAZE_STATUS_OK && kind == COLLISION)
    {
        graze_pair_options pair_options = pair_options_of(options);
        status = graze_pair_count(context, a, b, &pair_options, &counts);
    }
    if (status == GRAZE_STATUS_OK && kind == TOLERANCE)
        status = search(&t, a, b, tolerance, options);
    if (status == GRAZE_STATUS_OK)
        *out_count = kind == COLLISION ? counts.pairs : t.count;
    return status;
}

/* The pairs that meet. */
static graze_status gather_hits(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                const graze_distance_options *options, graze_near *nears, size_t capacity,
                                uint64_t *out_count)
{
    graze_pair_options pair_options = pair_options_of(options);
    graze_pair_counts counts = {.pairs = capacity};
    graze_status status = GRAZE_STATUS_OK;
    if (capacity > FIRST_RUN) /* there may be much more room than is needed */
        status = graze_pair_count(context, a, b, &pair_options, &counts);
    if (status != GRAZE_STATUS_OK)
        return status;
    size_t room = capacity < counts.pairs ? capacity : (size_t)counts.pairs;
    graze_hit *hits = grz_allocate(context, room, sizeof *hits);
    if (hits == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    status = graze_pair_gather(context, a, b, &pair_options, hits, room, &counts);
    if (status == GRAZE_STATUS_OK)
    {
        for (size_t i = 0; i < room && i < counts.pairs; i++)
            nears[i] = near_of_hit(&hits[i]);
        *out_count = counts.pairs;
    }
    grz_release(context, hits);
    return status;
}

graze_status graze_pair_tolerance_gather(const graze_context *context, const graze_placed_mesh *a,
                                         const graze_placed_mesh *b, double tolerance,
                                         const graze_distance_options *options, graze_near *nears, size_t capacity,
                                         uint64_t *out_count)
{
    if (out_count == NULL || (nears == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    question_kind kind = NOTHING;
    grz_watch watch = watch_of(options);
    tolerating t = {.context = context, .most = capacity < SIZE_MAX / 4 ? capacity : SIZE_MAX / 4, .watch = &watch};
    graze_status status = check(a, b, tolerance, options, &kind);
    if (status == GRAZE_STATUS_OK && kind == COLLISION)
        return gather_hits(context, a, b, options, nears, capacity, out_count);
    if (status == GRAZE_STATUS_OK && kind == TOLERANCE)
        status = search(&t, a, b, tolerance, options);
    if (status == GRAZE_STATUS_OK)
    {
        size_t count = t.found.count < capacity ? t.found.count : capacity;
        if (count > 0)
            memcpy(nears, t.found.data, count * sizeof *nears);
        *out_count = t.count;
    }
    grz_release(context, t.found.data);
    return status;
}

/* Who is told of hits as pairs. */
typedef struct listener
{
    graze_near_function visit;
    void *user;
} listener;

static bool pass_hit(void *user, const graze_hit *hit)
{
    const listener *l = user;
    graze_near near = near_of_hit(hit);
    return l->visit(l->user, &near);
}

/* In runs, as hits are visited; see collide.c. */
static graze_status visit_runs(tolerating *t, const graze_placed_mesh *a, const graze_placed_mesh *b, double tolerance,
                               const graze_distance_options *options, const listener *l)
{
    graze_status status = GRAZE_STATUS_OK;
    t->most = FIRST_RUN;
    t->kept_only = true;
    while (status == GRAZE_STATUS_OK && t->first != UINT64_MAX)
    {
        t->found.count = 0;
        status = search(t, a, b, tolerance, options);
        for (size_t i = 0; status == GRAZE_STATUS_OK && i < t->found.count; i++)
        {
            if (!l->visit(l->user, &t->found.data[i]))
                status = GRAZE_STATUS_CANCELLED;
        }
        t->first = t->end;
        if (t->most < SIZE_MAX / 4 / MORE_EACH_RUN)
            t->most *= MORE_EACH_RUN;
    }
    return status;
}

graze_status graze_pair_tolerance_visit(const graze_context *context, const graze_placed_mesh *a,
                                        const graze_placed_mesh *b, double tolerance,
                                        const graze_distance_options *options, graze_near_function visit, void *user)
{
    if (visit == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    question_kind kind = NOTHING;
    listener l = {visit, user};
    grz_watch watch = watch_of(options);
    tolerating t = {.context = context, .watch = &watch};
    graze_status status = check(a, b, tolerance, options, &kind);
    if (status == GRAZE_STATUS_OK && kind == COLLISION)
    {
        graze_pair_options pair_options = pair_options_of(options);
        status = graze_pair_visit(context, a, b, &pair_options, pass_hit, &l);
    }
    if (status == GRAZE_STATUS_OK && kind == TOLERANCE)
        status = visit_runs(&t, a, b, tolerance, options, &l);
    grz_release(context, t.found.data);
    return status;
}
