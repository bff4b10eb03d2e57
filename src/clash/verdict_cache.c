/* SPDX-License-Identifier: MIT */
/* Cache of verdicts by relative placement; see verdict_cache.h. Each relation has one slot, found by its hash, with a
 * lock that is held while some hundred bytes are copied. */
#include "clash/verdict_cache.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum
{
    MOST_SLOTS = 1 << 12
};

typedef struct cache_slot
{
    atomic_flag locked;
    bool used;
    grz_clash_relative_placement relation;
    grz_clash_cached_verdict verdict;
} cache_slot;

struct grz_clash_verdict_cache
{
    size_t slot_count; /* a power of two */
    cache_slot slots[];
};

/* Whether x - y is a double, and which one: Knuth's two-sum gives the error of the difference, exactly unless something
 * overflows. A denormal difference is exact. With denormals flushed to zero it may not be, and in another rounding mode
 * the error may be inexact: the bounds on the magnitudes and the check by addition exclude both. */
static bool subtract_exactly(double x, double y, double *out_difference)
{
    /* shortcut: relative-placements */
    double difference = x - y, part = difference - x, error = (x - (difference - part)) + (-y - part);
    *out_difference = difference;
    if (difference == 0)
    {
        *out_difference = 0; /* +0 instead of -0 */
        return x == y;
    }
    return fabs(difference) > 0x1p-900 && fabs(x) < 0x1p900 && fabs(y) < 0x1p900 && error == 0 && difference + y == x &&
           x - difference == y;
}

bool grz_clash_relative_placement_of(const grz_clash_part *a, const grz_clash_part *b, const grz_clash_limits *limits,
                                     grz_clash_relative_placement *out_placement)
{
    grz_clash_relative_placement r;
    memset(&r, 0, sizeof r);
    const double *m = a->placed.pose.m, *n = b->placed.pose.m;
    r.bodies[0] = a->body;
    r.bodies[1] = b->body;
    for (int axis = 0; axis < 3; axis++)
    {
        memcpy(r.turns[0] + 3 * axis, m + 4 * axis, 3 * sizeof *m);
        memcpy(r.turns[1] + 3 * axis, n + 4 * axis, 3 * sizeof *n);
        if (!subtract_exactly(n[4 * axis + 3], m[4 * axis + 3], &r.shift[axis]))
            return false;
    }
    r.clearance = limits->clearance;
    r.allows_touch = limits->allow_touch ? 1 : 0;
    *out_placement = r;
    return true;
}

grz_clash_verdict_cache *grz_clash_verdict_cache_create(const graze_context *context, size_t pair_count)
{
    size_t slot_count = 1;
    while (slot_count < MOST_SLOTS && slot_count < 2 * pair_count)
        slot_count *= 2;
    grz_clash_verdict_cache *verdict_cache =
        grz_allocate_zeroed(context, 1, sizeof *verdict_cache + slot_count * sizeof verdict_cache->slots[0]);
    if (verdict_cache == NULL)
        return NULL;
    verdict_cache->slot_count = slot_count;
    for (size_t i = 0; i < slot_count; i++)
        atomic_flag_clear(&verdict_cache->slots[i].locked);
    return verdict_cache;
}

void grz_clash_verdict_cache_release(const graze_context *context, grz_clash_verdict_cache *verdict_cache)
{
    grz_release(context, verdict_cache);
}

/* Returns the slot locked; the caller unlocks it. FNV-1a over words. */
static cache_slot *lock_slot(grz_clash_verdict_cache *verdict_cache, const grz_clash_relative_placement *relation)
{
    uint64_t words[sizeof *relation / sizeof(uint64_t)], hash = UINT64_C(14695981039346656037);
    memcpy(words, relation, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    {
        hash = (hash ^ words[i]) * UINT64_C(1099511628211);
        hash ^= hash >> 29;
    }
    cache_slot *at = &verdict_cache->slots[(hash ^ (hash >> 32)) % verdict_cache->slot_count];
    while (atomic_flag_test_and_set_explicit(&at->locked, memory_order_acquire))
        continue;
    return at;
}

static void unlock(cache_slot *at)
{
    atomic_flag_clear_explicit(&at->locked, memory_order_release);
}

bool grz_clash_verdict_cache_find(grz_clash_verdict_cache *verdict_cache, const grz_clash_relative_placement *relation,
                                  grz_clash_cached_verdict *out_cached)
{
    if (verdict_cache == NULL)
        return false;
    cache_slot *at = lock_slot(verdict_cache, relation);
    bool found = at->used && memcmp(&at->relation, relation, sizeof *relation) == 0;
    if (found)
        *out_cached = at->verdict;
    unlock(at);
    return found;
}

void grz_clash_verdict_cache_add(grz_clash_verdict_cache *verdict_cache, const grz_clash_relative_placement *relation,
                                 const grz_clash_cached_verdict *verdict)
{
    if (verdict_cache == NULL)
        return;
    cache_slot *at = lock_slot(verdict_cache, relation);
    at->used = true;
    at->relation = *relation;
    at->verdict = *verdict;
    unlock(at);
}
