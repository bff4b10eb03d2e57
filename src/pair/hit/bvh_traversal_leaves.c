/* SPDX-License-Identifier: MIT */
/*
 * Leaf pairs of a traversal: triangles whose boxes overlap are queued, tested together by the triangle kernel, and
 * proposed to the caller where it cannot separate them; see bvh_traversal.h.
 */
#include <string.h>

#include "mesh/mesh.h"
#include "pair/hit/bvh_traversal_work.h"

/* A search for the first hit tests triangles without queueing, as most find one soon; after this many leaf pairs
   without a hit it fills the queue first, as other searches do. */
#define EAGER_LEAF_PAIRS 32

enum
{
    MOST_UNTESTED = 15, /* batches taken in a row without a test, before a queue is tested again */
    FEW_DECIDED = 4     /* of so many pairs the test has to decide one to be of use */
};

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

/* After a test that decided hardly any pair, as those of mated faces, which come in rows, the next few batches are
   taken untested: where candidates are decided many at a time, that costs less than the test. */
static void plan_untested(grz_traversal_work *w, const grz_pair_sat_results *verdicts)
{
    grz_untested_pairs *untested = &w->untested;
    unsigned undecided = 0, count = w->queue.count;
    for (unsigned word = 0; word * 64 < count; word++)
        undecided += (unsigned)__builtin_popcountll(verdicts->meet[word]);
    if (FEW_DECIDED * (count - undecided) > count)
        untested->row = 0;
    else if (untested->row < MOST_UNTESTED)
        untested->row = 2 * untested->row + 1;
    untested->batches = untested->row;
    w->queue.only_indices = untested->batches > 0;
}

/* Moves the pairs of two leaves, which are alone in the queue, to the untested ones; their triangles are fetched ahead
   of their use. */
static void move_to_untested(grz_traversal_work *w)
{
    const graze_tree *tree_a = w->traversal->a, *tree_b = w->traversal->b;
    const uint32_t *order_a = tree_a->order + w->queue.first_a[0], *order_b = tree_b->order + w->queue.first_b[0];
    uint64_t *keys = w->untested.keys + w->untested.count;
    unsigned count = w->queue.count;
    for (unsigned i = 0; i < count; i++)
    {
        unsigned pair = w->queue.pairs[i];
        uint32_t a = order_a[pair / GRZ_LANES], b = order_b[pair % GRZ_LANES];
        keys[i] = grz_join_halves(b, a);
        __builtin_prefetch(tree_a->mesh->triangles + 3 * (size_t)a);
        __builtin_prefetch(tree_b->mesh->triangles + 3 * (size_t)b);
    }
    w->untested.count += count;
    w->queue.count = 0;
}

/* Passes them to the caller when there are enough. Returns false when the caller asked to stop. */
static bool take_untested(grz_traversal_work *w)
{
    const grz_traversal *t = w->traversal;
    grz_untested_pairs *untested = &w->untested;
    move_to_untested(w);
    if (untested->count < GRZ_CONTACT_PAIRS)
        return true;
    bool go_on = t->take_candidates(t->user, untested->keys, GRZ_CONTACT_PAIRS);
    untested->count -= GRZ_CONTACT_PAIRS;
    memmove(untested->keys, untested->keys + GRZ_CONTACT_PAIRS, untested->count * sizeof *untested->keys);
    w->queue.only_indices = --untested->batches > 0;
    return go_on;
}

/* Tests the queued pairs and proposes those left. Returns false when the caller asked to stop. */
static bool test_queued_triangles(grz_traversal_work *w)
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
        plan_untested(w, &verdicts);
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
    if (w->untested.batches > 0)
        return take_untested(w);
    w->queued[w->queue.leaves[before]] = refs;
    bool at_once = t->eager && t->leaf_pairs <= EAGER_LEAF_PAIRS;
    return (!at_once && w->queue.count < GRZ_QUEUE_FULL) || test_queued_triangles(w);
}

bool grz_test_last_triangles(grz_traversal_work *w)
{
    const grz_traversal *t = w->traversal;
    grz_untested_pairs *untested = &w->untested;
    unsigned count = untested->count;
    untested->count = 0;
    if (count > 0 && !t->take_candidates(t->user, untested->keys, count))
        return false;
    return w->queue.count == 0 || test_queued_triangles(w);
}
