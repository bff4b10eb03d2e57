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
    return count == 0 || t->take_candidates(t->user, keys, count, NULL);
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
}

static void start_untested(grz_untested_pairs *untested)
{
    untested->lists[0].count = untested->lists[1].count = 0;
    memset(untested->leaf_keys, 0xff, sizeof untested->leaf_keys);
    untested->started = true;
}

/* The exact corners of a leaf, whose floats are given; they are fetched ahead of their use. */
static const grz_leaf_corners *find_leaf_corners(grz_traversal_work *w, int side, uint32_t index,
                                                 const grz_corners8 *leaf)
{
    const graze_tree *tree = side == 0 ? w->traversal->a : w->traversal->b;
    uint32_t slot = index % GRZ_CACHED_LEAVES, count = tree->leaves[index].count;
    grz_leaf_corners *found = &w->untested.leaves[side][slot];
    if (w->untested.leaf_keys[side][slot] == index)
        return found;
    w->untested.leaf_keys[side][slot] = index;
    for (uint32_t i = 0; i < GRZ_LANES; i++)
    {
        uint32_t triangle = tree->order[leaf->first + (i < count ? i : 0)];
        const uint32_t *corners = tree->mesh->triangles + 3 * (size_t)triangle;
        found->triangles[i] = triangle;
        for (int c = 0; c < 3; c++)
        {
            found->corners[c][i] = grz_mesh_vertex(tree->mesh, corners[c]);
            __builtin_prefetch(found->corners[c][i]);
        }
    }
    found->directions = w->kernels->directions(leaf);
    return found;
}

/* Passes the first GRZ_CONTACT_PAIRS of a list to the caller. Returns false when the caller asked to stop. */
static bool take_listed(const grz_traversal *t, grz_untested_list *list)
{
    grz_contact_pairs corners;
    for (int c = 0; c < 3; c++)
    {
        corners.a[c] = list->a[c];
        corners.b[c] = list->b[c];
    }
    bool go_on = t->take_candidates(t->user, list->keys, GRZ_CONTACT_PAIRS, &corners);
    list->count -= GRZ_CONTACT_PAIRS;
    memcpy(list->keys, list->keys + GRZ_CONTACT_PAIRS, list->count * sizeof *list->keys);
    for (int c = 0; c < 3; c++)
    {
        memcpy(list->a[c], list->a[c] + GRZ_CONTACT_PAIRS, list->count * sizeof *list->a[c]);
        memcpy(list->b[c], list->b[c] + GRZ_CONTACT_PAIRS, list->count * sizeof *list->b[c]);
    }
    return go_on;
}

/* Lists the pairs of two leaves whose boxes meet, and passes pairs to the caller when there are enough. Returns false
   when the caller asked to stop. */
static bool take_untested(grz_traversal_work *w, uint64_t masks, uint32_t leaf_a, uint32_t leaf_b)
{
    grz_untested_pairs *untested = &w->untested;
    if (!untested->started)
        start_untested(untested);
    grz_leaf_pair leaves = {.a = grz_cached_leaf_a(&w->leaves, leaf_a),
                            .b = grz_cached_leaf_b(&w->leaves, leaf_b),
                            .rows = grz_half_a(masks),
                            .lanes = grz_half_b(masks)};
    leaves.corners_a = find_leaf_corners(w, 0, leaf_a, leaves.a);
    leaves.corners_b = find_leaf_corners(w, 1, leaf_b, leaves.b);
    w->kernels->list_untested(&leaves, untested->lists);
    for (int i = 0; i < 2; i++)
    {
        if (untested->lists[i].count < GRZ_CONTACT_PAIRS)
            continue;
        untested->batches -= untested->batches > 0;
        if (!take_listed(w->traversal, &untested->lists[i]))
            return false;
    }
    return true;
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
    if (w->untested.batches > 0)
    {
        t->leaf_pairs++;
        return take_untested(w, masks, leaf_a, leaf_b);
    }
    grz_cached_leaves_queue(&w->leaves, leaf_a, grz_half_a(masks), leaf_b, grz_half_b(masks), &w->queue);
    t->leaf_pairs++;
    if (w->queue.count == before)
        return true;
    w->queued[w->queue.leaves[before]] = refs;
    bool at_once = t->eager && t->leaf_pairs <= EAGER_LEAF_PAIRS;
    return (!at_once && w->queue.count < GRZ_QUEUE_FULL) || test_queued_triangles(w);
}

bool grz_test_last_triangles(grz_traversal_work *w)
{
    const grz_traversal *t = w->traversal;
    grz_untested_pairs *untested = &w->untested;
    for (int i = 0; i < 2 && untested->started; i++)
    {
        size_t count = untested->lists[i].count;
        untested->lists[i].count = 0;
        if (count > 0 && !t->take_candidates(t->user, untested->lists[i].keys, count, NULL))
            return false;
    }
    return w->queue.count == 0 || test_queued_triangles(w);
}
