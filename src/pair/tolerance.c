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
#include "pair/scaled_pair.h"

typedef GRZ_ARRAY(graze_near) near_array;

typedef struct tolerating
{
    const graze_context *context;
    grz_gap_frame frame;
    double tolerance;
    bool first_only, keep, strict;
    bool out_of_memory;
    uint64_t count;
    near_array found;
} tolerating;

/* By bits, as < and <= may take denormals for zero. */
static bool is_within(tolerating *t, const grz_gap *gap)
{
    if (gap->meet || grz_is_less(gap->upper, t->tolerance) || (!t->strict && grz_is_at_most(gap->upper, t->tolerance)))
        return true;
    return grz_is_at_most(gap->lower, t->tolerance) && grz_gap_within(&t->frame, gap, t->tolerance, t->strict);
}

static bool take_pairs(void *user, const grz_gap_pairs *pairs, grz_near_bound *bound)
{
    (void)bound;
    tolerating *t = user;
    grz_gap gaps[GRZ_LANES];
    grz_gap_measure(&t->frame, pairs, gaps);
    for (unsigned i = 0; i < pairs->count; i++)
    {
        const grz_gap *gap = &gaps[i];
        if (!is_within(t, gap))
            continue;
        t->count++;
        graze_near near = {gap->triangle_a,
                           gap->triangle_b,
                           graze_mesh_triangle_face(t->frame.mesh_a, gap->triangle_a),
                           graze_mesh_triangle_face(t->frame.mesh_b, gap->triangle_b),
                           gap->meet,
                           gap->lower,
                           gap->upper};
        if (t->keep && !GRZ_PUSH(t->context, &t->found, near))
        {
            t->out_of_memory = true;
            return false;
        }
        if (t->first_only)
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

/* Bounds of a pair do not depend on the order of the arguments: they are measured in one order only. */
static void swap_sides(near_array *found)
{
    for (size_t i = 0; i < found->count; i++)
    {
        graze_near *n = &found->data[i], old = *n;
        n->triangle_a = old.triangle_b;
        n->triangle_b = old.triangle_a;
        n->face_a = old.face_b;
        n->face_b = old.face_a;
    }
}

/* A pair that meets, as one within every tolerance. */
static bool take_hit(void *user, const graze_hit *hit)
{
    tolerating *t = user;
    graze_near near = {hit->triangle_a, hit->triangle_b, hit->face_a, hit->face_b, true, 0, 0};
    t->count++;
    if (t->keep && !GRZ_PUSH(t->context, &t->found, near))
        t->out_of_memory = true;
    return !t->out_of_memory;
}

/* Without tolerance: pairs that meet, found without measuring those that do not. */
static graze_status collide(tolerating *t, const graze_placed_mesh *a, const graze_placed_mesh *b,
                            const graze_distance_options *options)
{
    graze_pair_options pair_options = graze_pair_options_default();
    pair_options.stats = options != NULL ? options->stats : NULL;
    graze_status status;
    if (t->first_only)
    {
        bool found = false;
        graze_hit hit;
        status = graze_pair_any(t->context, a, b, &pair_options, &found, &hit);
        if (status == GRAZE_STATUS_OK && found)
            take_hit(t, &hit);
    }
    else if (t->keep)
        status = graze_pair_visit(t->context, a, b, &pair_options, take_hit, t);
    else
    {
        graze_pair_counts counts = {0};
        status = graze_pair_count(t->context, a, b, &pair_options, &counts);
        t->count = counts.pairs;
    }
    return t->out_of_memory ? GRAZE_STATUS_OUT_OF_MEMORY : status;
}

/* Runs the query; the caller releases t->found.data, also on failure. */
static graze_status run(tolerating *t, const graze_placed_mesh *a, const graze_placed_mesh *b, double tolerance,
                        const graze_distance_options *options)
{
    graze_status status = grz_check_arguments(a, b);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!(tolerance >= 0 && tolerance < INFINITY) || grz_is_less(tolerance, 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    t->strict = options != NULL && options->strict;
    if (grz_is_zero(tolerance))
        return t->strict ? GRAZE_STATUS_OK : collide(t, a, b, options); /* nothing is nearer than 0 */
    bool swapped = grz_arguments_swapped(a, b);
    grz_scaled_pair pair;
    grz_scaled_pair_make(&pair, swapped ? b : a, swapped ? a : b, tolerance);
    t->tolerance = pair.length;
    grz_gap_frame_make(&t->frame, t->context, pair.a, pair.b);
    grz_near near = {.context = t->context, .bound = {.distance = t->tolerance}, .propose = take_pairs, .user = t};
    grz_near_search(&near, pair.a, pair.b);
    if (near.out_of_memory || t->out_of_memory)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < t->found.count && pair.power != 0; i++)
    {
        t->found.data[i].lower = grz_scaled_lower(&pair, t->found.data[i].lower);
        t->found.data[i].upper = grz_scaled_upper(&pair, t->found.data[i].upper);
    }
    if (swapped)
        swap_sides(&t->found);
    if (t->found.count > 1)
        qsort(t->found.data, t->found.count, sizeof *t->found.data, compare_nears);
    if (options != NULL && options->stats != NULL)
        *options->stats = (graze_stats){near.box_tests, near.leaf_pairs, t->frame.pairs,
                                        t->frame.stages.exact + t->frame.exact_measures};
    return GRAZE_STATUS_OK;
}

graze_status graze_pair_tolerance_any(const graze_context *context, const graze_placed_mesh *a,
                                      const graze_placed_mesh *b, double tolerance,
                                      const graze_distance_options *options, bool *out_found, graze_near *out_near)
{
    if (out_found == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    tolerating t = {.context = context, .first_only = true, .keep = true};
    graze_status status = run(&t, a, b, tolerance, options);
    if (status == GRAZE_STATUS_OK)
    {
        *out_found = t.found.count > 0;
        if (*out_found && out_near != NULL)
            *out_near = t.found.data[0];
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
    tolerating t = {.context = context};
    graze_status status = run(&t, a, b, tolerance, options);
    if (status == GRAZE_STATUS_OK)
        *out_count = t.count;
    return status;
}

graze_status graze_pair_tolerance_gather(const graze_context *context, const graze_placed_mesh *a,
                                         const graze_placed_mesh *b, double tolerance,
                                         const graze_distance_options *options, graze_near *nears, size_t capacity,
                                         uint64_t *out_count)
{
    if (out_count == NULL || (nears == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    tolerating t = {.context = context, .keep = true};
    graze_status status = run(&t, a, b, tolerance, options);
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

graze_status graze_pair_tolerance_visit(const graze_context *context, const graze_placed_mesh *a,
                                        const graze_placed_mesh *b, double tolerance,
                                        const graze_distance_options *options, graze_near_function visit, void *user)
{
    if (visit == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    tolerating t = {.context = context, .keep = true};
    graze_status status = run(&t, a, b, tolerance, options);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < t.found.count; i++)
    {
        if (!visit(user, &t.found.data[i]))
            status = GRAZE_STATUS_CANCELLED;
    }
    grz_release(context, t.found.data);
    return status;
}
