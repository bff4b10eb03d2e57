/* SPDX-License-Identifier: MIT */
/* Budgets that end, calls that are cancelled, allocations that fail, and frames with a cache. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shape_case.h"

enum
{
    QUERIES = 7,
    MOST_HITS = 64
};

/* What queries write, as bytes. */
typedef struct answers
{
    graze_verdict verdict;
    graze_shape_distance distance;
    graze_shape_depth depth;
    graze_shape_counts counts;
    size_t contacts;
} answers;

typedef struct countdown
{
    unsigned left;
} countdown;

static bool progress(void *user, double share)
{
    countdown *c = user;
    EXPECT(share >= 0 && share <= 1, "progress of %a", share);
    return c->left > 0 && c->left-- > 0;
}

static graze_status ask(const shape_case *c, int query, const graze_budget *budget, answers *out)
{
    static graze_shape_hit hits[MOST_HITS];
    static graze_shape_manifold manifolds[MOST_HITS];
    static const double origin[3] = {-3, 0.5, 0.25}, direction[3] = {1, 0, 0};
    const graze_placed *a = &c->sides[0].placed, *b = &c->sides[1].placed;
    graze_shape_options options = graze_shape_options_default();
    graze_shape_distance_options distance = graze_shape_distance_options_default();
    graze_shape_tolerance_options tolerance = graze_shape_tolerance_options_default();
    graze_shape_depth_options depth = graze_shape_depth_options_default();
    graze_shape_contact_options contact = graze_shape_contact_options_default();
    options.budget = distance.budget = tolerance.budget = depth.budget = contact.budget = *budget;
    depth.max_queries = 20;
    contact.margin = 0.5;
    switch (query)
    {
    case 0:
        return graze_shape_pair_any(&c->context, a, b, &options, &out->verdict, NULL);
    case 1:
        return graze_shape_pair_tolerance_any(&c->context, a, b, 1, &tolerance, &out->verdict, NULL);
    case 2:
        return graze_shape_pair_distance(&c->context, a, b, &distance, &out->distance);
    case 3:
        return graze_shape_pair_depth(&c->context, a, b, &depth, &out->depth);
    case 4:
        return graze_shape_pair_gather(&c->context, a, b, &options, hits, MOST_HITS, &out->counts);
    case 5:
        return graze_shape_cast_ray(&c->context, a, origin, direction, 100, &options, &out->verdict, NULL);
    default:
        return graze_shape_pair_contacts(&c->context, a, b, &contact, manifolds, MOST_HITS, &out->contacts);
    }
}

static bool is_allowed(graze_status status)
{
    return status == GRAZE_STATUS_OK || status == GRAZE_STATUS_UNFINISHED || status == GRAZE_STATUS_CANCELLED ||
           status == GRAZE_STATUS_OUT_OF_MEMORY;
}

void check_limits(fuzz_bytes *bytes, shape_case *c)
{
    int query = (int)take_below(bytes, QUERIES);
    uint8_t how = take_byte(bytes);
    unsigned step = take_byte(bytes);
    answers empty, first, whole;
    graze_budget none = {0}, budget = {0};
    countdown count = {step & 7};
    memset(&empty, 0x5a, sizeof empty);
    first = whole = empty;
    switch (how & 3)
    {
    case 0:
        budget.box_tests = 1 + step;
        break;
    case 1:
        budget.progress = progress;
        budget.progress_user = &count;
        break;
    case 2:
        c->allocations_left = step;
        break;
    default:
        budget.box_tests = 1 + step;
        c->allocations_left = step / 2;
        break;
    }
    graze_status status = ask(c, query, &budget, &first);
    c->allocations_left = UINT64_MAX;
    EXPECT(is_allowed(status), "query %d: %s", query, graze_status_text(status));
    EXPECT(status == GRAZE_STATUS_OK || memcmp(&first, &empty, sizeof first) == 0, "query %d fails and writes", query);
    EXPECT_OK(ask(c, query, &none, &whole));
    if (status == GRAZE_STATUS_OK && query < 2)
        EXPECT(first.verdict == whole.verdict, "query %d: verdict %d with limits, %d without", query,
               (int)first.verdict, (int)whole.verdict);
    if (status == GRAZE_STATUS_OK && query == 4)
        EXPECT(memcmp(&first.counts, &whole.counts, sizeof first.counts) == 0, "counts are others with limits");
}

/* One cache over frames, and over shapes that it was not of. */
void check_frames(fuzz_bytes *bytes, shape_case *c)
{
    static graze_shape_cache cache;
    graze_placed *a = &c->sides[0].placed, *b = &c->sides[1].placed;
    graze_shape_options options = graze_shape_options_default();
    graze_shape_distance_options distance = graze_shape_distance_options_default();
    cache = graze_shape_cache_default();
    options.cache = distance.cache = &cache;
    for (int frame = 0; frame < 4; frame++)
    {
        graze_verdict cached, plain;
        graze_shape_distance d, e;
        double *moved = &b->pose.m[4 * take_below(bytes, 3) + 3], old = *moved;
        *moved += frame == 0 ? 0 : 0.1 * take_coordinate(bytes);
        if (!isfinite(*moved) || graze_placed_check(b) != GRAZE_STATUS_OK)
            *moved = old;
        bool turned = take_below(bytes, 4) == 0;
        graze_placed *x = turned ? b : a, *y = turned ? a : b;
        EXPECT_OK(graze_shape_pair_any(&c->context, x, y, &options, &cached, NULL));
        EXPECT_OK(graze_shape_pair_any(&c->context, x, y, NULL, &plain, NULL));
        EXPECT(cached == plain, "frame %d: %d with a cache, %d without", frame, (int)cached, (int)plain);
        EXPECT_OK(graze_shape_pair_distance(&c->context, x, y, &distance, &d));
        EXPECT_OK(graze_shape_pair_distance(&c->context, x, y, NULL, &e));
        EXPECT(d.found == e.found && (d.distance == 0) == (e.distance == 0) && d.lower <= e.upper && e.lower <= d.upper,
               "frame %d: distance [%a, %a] with a cache, [%a, %a] without", frame, d.lower, d.upper, e.lower, e.upper);
    }
}
