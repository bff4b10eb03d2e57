/* SPDX-License-Identifier: MIT */
/*
 * Leaf pairs of a traversal: triangles whose boxes overlap are queued, tested together by the triangle kernel, and
 * proposed to the caller where it cannot separate them; see bvh_traversal.h.
 */
#include "pair/hit/bvh_traversal_work.h"

/* A search for the first hit tests triangles without queueing, as most find one soon; after this many leaf pairs
   without a hit it fills the queue first, as other searches do. */
#define EAGER_LEAF_PAIRS 32

/* Passes the pairs that certainly cross to the caller; the others are left in `verdicts`. Returns false when the caller
   asked to stop. */
static bool take_crossings(const grz_traversal *t, const grz_pair_queue *queue, grz_pair_sat_results *verdicts)
{
    uint64_t keys[GRZ_QUEUE_ROOM];
    size_t count = 0;
    for (unsigned word = 0; word * 64 < queue->count; word++)
    {
        for (uint64_t left = verdicts->cross[word]; left != 0; left &= left - 1)
        {
            unsigned i = 64 * word + grz_lowest_bit(left);
            uint32_t a = grz_queue_index_a(queue, i), b = grz_queue_index_b(queue, i);
            keys[count++] = grz_join_halves(t->b->order[b], t->a->order[a]);
        }
        verdicts->meet[word] &= ~verdicts->cross[word];
    }
    return count == 0 || t->take_crossings(t->user, keys, count);
}

/* Passes the pairs left, which may meet, to the caller. Returns false when the caller asked to stop. */
static bool take_candidates(const grz_traversal *t, const grz_pair_queue *queue, const grz_pair_sat_results *verdicts)
{
    uint64_t keys[GRZ_QUEUE_ROOM];
    size_t count = 0;
    for (unsigned word = 0; word * 64 < queue->count; word++)
    {
        for (uint64_t left = verdicts->meet[word]; left != 0; left &= left - 1)
        {
            unsigned i = 64 * word + grz_lowest_bit(left);
            uint32_t a = grz_queue_index_a(queue, i), b = grz_queue_index_b(queue, i);
            keys[count++] = grz_join_halves(t->b->order[b], t->a->order[a]);
        }
    }
    return count == 0 || t->take_candidates(t->user, keys, count);
}

bool grz_test_queued_triangles(grz_traversal_work *w)
{
    grz_traversal *t = w->traversal;
    const grz_pair_queue *queue = &w->queue;
    grz_pair_sat_results verdicts;
    t->kernels->triangle_sat(queue, &verdicts);
    if (t->take_crossings != NULL && !take_crossings(t, queue, &verdicts))
        return false;
    if (t->take_candidates != NULL)
    {
        bool go_on = take_candidates(t, queue, &verdicts);
        w->queue.count = 0;
        return go_on;
    }
    for (unsigned word = 0; word * 64 < queue->count; word++)
    {
        for (uint64_t left = verdicts.meet[word]; left != 0; left &= left - 1)
        {
            unsigned bit = grz_lowest_bit(left), i = 64 * word + bit;
            uint32_t a = grz_queue_index_a(queue, i), b = grz_queue_index_b(queue, i);
            if (t->self && a >= b) /* a leaf against itself: the other order comes up too */
                continue;
            t->stopped_at = w->queued[queue->leaves[i]];
            if (!t->propose(t->user, t->a->order[a], t->b->order[b], (verdicts.cross[word] >> bit & 1) != 0))
                return false;
        }
    }
    w->queue.count = 0;
    return true;
}

bool grz_test_leaf_pair(grz_traversal_work *w, uint64_t refs, uint64_t masks, uint32_t leaf_a, uint32_t leaf_b)
{
    grz_traversal *t = w->traversal;
    unsigned before = w->queue.count;
    grz_cached_leaves_queue(&w->leaves, leaf_a, grz_half_a(masks), leaf_b, grz_half_b(masks), &w->queue);
    t->leaf_pairs++;
    if (w->queue.count == before)
        return true;
    w->queued[w->queue.leaves[before]] = refs;
    bool at_once = t->eager && t->leaf_pairs <= EAGER_LEAF_PAIRS;
    return (!at_once && w->queue.count < GRZ_QUEUE_FULL) || grz_test_queued_triangles(w);
}
