/* SPDX-License-Identifier: MIT */
/*
 * Let p and q be the closest points of a nearest pair, n = q - p. A triangle of A that has p, in a pair of the same
 * distance, is not beyond p along n, as p is its point closest to q; and so for B. So where pairs share their closest
 * points, or the planes that these lie in, the plane of the first pair has a gap of the same width for all others,
 * which six heights in twice the precision show. Few pairs are first measured together, as the hulls of their
 * triangles; other pairs are measured one by one.
 */
#include "pair/distance/loose_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/environment.h"
#include "pair/distance/wide_pair.h"

#define CLOSE 0x1p-36 /* share of the distance by which a pair may be nearer than is found */

enum
{
    MOST_PLANES = 8,
    FEW = 32,  /* pairs, that are sorted by insertion */
    MANY = 256 /* pairs, from which on those that are too far away are dropped while others are added */
};

grz_loose_pairs grz_loose_pairs_none(void)
{
    grz_loose_pairs loose = {.distance = INFINITY, .upper = INFINITY};
    return loose;
}

bool grz_pair_may_wait(const grz_measure_frame *frame, const grz_closest_pair *gap)
{
    return frame->usable && gap->shifted && (!gap->open || grz_open_pair_is_likely_apart(frame, gap));
}

/* Drops those that are farther away than the nearest. */
static void drop_far(grz_loose_pairs *loose)
{
    size_t kept = 0;
    for (size_t i = 0; i < loose->pairs.count; i++)
        if (!(loose->pairs.data[i].lower > loose->upper))
            loose->pairs.data[kept++] = loose->pairs.data[i];
    loose->pairs.count = kept;
}

bool grz_loose_pairs_add(grz_loose_pairs *loose, const graze_context *context, const grz_closest_pair *gap)
{
    loose->distance = gap->distance < loose->distance ? gap->distance : loose->distance;
    loose->upper = gap->upper < loose->upper ? gap->upper : loose->upper;
    if (loose->pairs.count >= MANY && loose->pairs.count == loose->pairs.capacity)
        drop_far(loose);
    return GRZ_PUSH(context, &loose->pairs, *gap);
}

static int compare(const void *x, const void *y)
{
    const grz_closest_pair *a = x, *b = y;
    if (a->triangle_a != b->triangle_a)
        return a->triangle_a < b->triangle_a ? -1 : 1;
    return (a->triangle_b > b->triangle_b) - (a->triangle_b < b->triangle_b);
}

static void measure(grz_measure_frame *frame, grz_closest_pair *gap, grz_wide_plane *plane)
{
    if (grz_measure_widely(frame, gap, plane))
        return;
    if (gap->open)
        grz_measure_open_pair(frame, gap);
    else
        grz_measure_exactly(frame, gap);
}

/* By insertion where they are few: qsort of the C library compares through a pointer, and may allocate. */
static void sort_pairs(grz_closest_pair *pairs, size_t count)
{
    if (count > FEW)
    {
        qsort(pairs, count, sizeof *pairs, compare);
        return;
    }
    for (size_t i = 1; i < count; i++)
    {
        grz_closest_pair moved = pairs[i];
        size_t at = i;
        for (; at > 0 && compare(&moved, &pairs[at - 1]) < 0; at--)
            pairs[at] = pairs[at - 1];
        pairs[at] = moved;
    }
}

/* The pairs that may be the nearest, in order, each once. */
static void select_near(grz_loose_pairs *loose, double most)
{
    grz_closest_pair *pairs = loose->pairs.data;
    size_t near = 0, kept = 0;
    for (size_t i = 0; i < loose->pairs.count; i++)
        if (!(pairs[i].lower > most))
            pairs[near++] = pairs[i];
    sort_pairs(pairs, near);
    for (size_t i = 0; i < near; i++)
        if (kept == 0 || compare(&pairs[i], &pairs[kept - 1]) != 0)
            pairs[kept++] = pairs[i];
    loose->pairs.count = kept;
}

typedef struct settling
{
    grz_loose_pairs *loose;
    grz_measure_frame *frame;
    double enough; /* pairs whose lower bound is at least this are no nearer than what was measured */
    double lower;  /* the least bound of all */
    double reach;  /* pairs of at most this distance are measured by every search */
    unsigned planes;
} settling;

/* Raises lower bounds by a plane, and drops the pairs that are settled. */
static void test_plane(settling *s, const grz_wide_plane *plane)
{
    grz_closest_pair *pairs = s->loose->pairs.data;
    size_t kept = 0;
    grz_plane_test test;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    bool begun = false;
    for (size_t i = 0; i < s->loose->pairs.count; i++)
    {
        bool open = plane->known && pairs[i].lower < s->enough;
        if (open && !begun)
            grz_plane_test_begin(&test, s->frame, plane);
        begun = begun || open;
        double gap = open ? grz_plane_test_gap(&test, &pairs[i]) : 0;
        pairs[i].lower = gap > pairs[i].lower ? gap : pairs[i].lower;
        /* shortcut: plane-of-nearest-pair */
        if (pairs[i].lower >= s->enough)
            s->lower = pairs[i].lower < s->lower ? pairs[i].lower : s->lower;
        else
            pairs[kept++] = pairs[i];
    }
    s->loose->pairs.count = kept;
    grz_environment_leave_default(&environment);
}

/* Whether the first is to be measured earlier. Bounds by planes tell small gaps better than distances in doubles do,
   but those of pairs that some searches never see must not count. */
static bool is_earlier(const settling *s, const grz_closest_pair *x, const grz_closest_pair *y)
{
    bool x_counts = s->planes > 0 && x->distance <= s->reach, y_counts = s->planes > 0 && y->distance <= s->reach;
    if (x_counts != y_counts)
        return x_counts;
    if (x_counts && x->lower != y->lower)
        return x->lower < y->lower;
    return x->distance < y->distance || (x->distance == y->distance && compare(x, y) < 0);
}

/* Takes out the pair that is likely the nearest, while there are few planes; then any. */
static grz_closest_pair take_least(settling *s)
{
    grz_closest_pair *pairs = s->loose->pairs.data;
    size_t least = 0;
    for (size_t i = 1; i < s->loose->pairs.count && s->planes < MOST_PLANES; i++)
        least = is_earlier(s, &pairs[i], &pairs[least]) ? i : least;
    grz_closest_pair found = pairs[least];
    pairs[least] = pairs[--s->loose->pairs.count];
    return found;
}

/* Takes a pair that was measured, and settles others by its plane. Returns false when `take` wants no more. */
static bool settle_with(settling *s, const grz_closest_pair *gap, const grz_wide_plane *plane, grz_loose_function take,
                        void *user)
{
    s->lower = grz_is_less(gap->lower, s->lower) ? gap->lower : s->lower;
    if (!take(user, gap))
        return false;
    if (!(gap->lower * (1 - CLOSE) < s->enough))
        return true;
    s->enough = gap->lower * (1 - CLOSE);
    if (s->planes++ < MOST_PLANES)
        test_plane(s, plane);
    return true;
}

/* Measures the pairs of the least distance together, where they are few. Which they are does not depend on the search.
   Returns false when `take` wants no more. */
static bool settle_together(settling *s, grz_loose_function take, void *user)
{
    grz_closest_pair *pairs = s->loose->pairs.data, *chosen[GRZ_PAIRS_TOGETHER];
    int count = 0, first = 0;
    for (size_t i = 0; i < s->loose->pairs.count; i++)
    {
        if (!(pairs[i].distance <= s->reach))
            continue;
        if (count == GRZ_PAIRS_TOGETHER)
            return true;
        chosen[count] = &pairs[i];
        first = is_earlier(s, &pairs[i], chosen[first]) ? count : first;
        count++;
    }
    grz_wide_plane plane = {.known = false};
    int found = count > 1 ? grz_measure_together(s->frame, chosen, count, first, &plane) : -1;
    if (found < 0)
        return true;
    const grz_closest_pair gap = *chosen[found];
    for (int i = 0; i < count; i++)
        chosen[i]->lower = gap.lower > chosen[i]->lower ? gap.lower : chosen[i]->lower;
    *chosen[found] = pairs[--s->loose->pairs.count];
    return settle_with(s, &gap, &plane, take, user);
}

double grz_loose_pairs_settle(grz_loose_pairs *loose, grz_measure_frame *frame, double most, grz_loose_function take,
                              void *user, grz_monitor *monitor)
{
    settling s = {.loose = loose, .frame = frame, .enough = INFINITY, .lower = INFINITY, .reach = -INFINITY};
    /* Searches go by the least distance of all, that of a pair that need not wait may be less by 2^-36: which is less
       than twice the error of points where others must wait. */
    if (loose->distance <= most)
        s.reach = loose->distance + 2 * frame->point_error;
    select_near(loose, most);
    bool more = loose->pairs.count < 2 || !grz_monitor_exact_tests(monitor, 1) || settle_together(&s, take, user);
    while (more && loose->pairs.count > 0 && grz_monitor_exact_tests(monitor, 1) &&
           grz_monitor_work(monitor, loose->pairs.count))
    {
        grz_closest_pair gap = take_least(&s);
        grz_wide_plane plane = {.known = false};
        measure(frame, &gap, &plane);
        if (!settle_with(&s, &gap, &plane, take, user))
            break;
    }
    return s.lower < s.enough ? s.lower : s.enough;
}

void grz_loose_pairs_release(grz_loose_pairs *loose, const graze_context *context)
{
    grz_release(context, loose->pairs.data);
}
