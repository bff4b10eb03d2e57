/* SPDX-License-Identifier: MIT */
/*
 * Exact test of candidates: of those with a box that moved, which begin to overlap, continue or end, by the tight AABBs
 * or OBBs; and which are no longer candidates, since their fat AABBs are disjoint.
 *
 * When most boxes move, most of the time is spent here. The outcome is hard to predict, so the code is branchless; and
 * boxes are accessed at random, so those of the next candidates are prefetched.
 */
#include "broad/broad_phase.h"
#include "exact/oriented_boxes.h"

enum
{
    AHEAD = 16, /* candidates that are prefetched; half of that for their boxes */
    LISTS_AHEAD = 8
};

/* The OBB of a box, or its AABB as one. */
static grz_oriented_box obb_of(const graze_broad_phase *broad, uint32_t id)
{
    const graze_oriented_box *box = &broad->oriented[id];
    return broad->has_oriented[id]
               ? grz_oriented_box_from_axes(box->centre, box->axes)
               : grz_oriented_box_from_corners(broad->arrays.tight[id].lower, broad->arrays.tight[id].upper);
}

/* Whether the exact boxes of a candidate overlap. */
static inline bool exact_overlap(const graze_broad_phase *broad, const grz_candidate *candidate)
{
    uint32_t a = candidate->a, b = candidate->b;
    bool overlap = grz_tight_aabb_overlap(&broad->arrays.tight[a], &broad->arrays.tight[b]);
    /* shortcut: oriented-boxes */
    if (broad->has_oriented == NULL || !overlap || (!broad->has_oriented[a] && !broad->has_oriented[b]))
        return overlap;
    grz_oriented_box box_a = obb_of(broad, a), box_b = obb_of(broad, b);
    return grz_oriented_boxes_overlap(&box_a, &box_b, NULL);
}

/* Candidates by class; each array has room for all, and one more. Disjoint ones may be among the ended. */
typedef struct candidate_classes
{
    uint32_t *begun, *ended, *continuing, *disjoint;
    size_t begun_count, ended_count, continuing_count, disjoint_count;
} candidate_classes;

static inline void classify(const graze_broad_phase *broad, uint32_t index, candidate_classes *out)
{
    const grz_candidate *candidate = &broad->candidates.entries.data[index];
    bool now = exact_overlap(broad, candidate), before = candidate->pair != GRZ_NOT_OVERLAPPING;
    out->continuing[out->continuing_count] = index;
    out->continuing_count += (size_t)(now & before);
    out->begun[out->begun_count] = index;
    out->begun_count += (size_t)(now & !before);
    out->ended[out->ended_count] = index;
    out->ended_count += (size_t)(!now & before);
    unsigned dirty_flags = broad->arrays.dirty_flags[candidate->a] | broad->arrays.dirty_flags[candidate->b];
    out->disjoint[out->disjoint_count] = index; /* preliminary; see keep_disjoint */
    out->disjoint_count += (size_t)(!now & ((dirty_flags & GRZ_BOX_FAT_CHANGED) != 0));
}

static inline void prefetch_boxes(const graze_broad_phase *broad, const grz_candidate *candidate)
{
    __builtin_prefetch(&broad->arrays.tight[candidate->a]);
    __builtin_prefetch(&broad->arrays.tight[candidate->b]);
}

/* Tests every candidate; those without a moved box are skipped, which is fast when they are few. */
static void classify_all(const graze_broad_phase *broad, candidate_classes *result)
{
    candidate_classes out = *result; /* local copy, to stay in registers */
    const uint8_t *dirty_flags = broad->arrays.dirty_flags;
    const grz_candidate *entries = broad->candidates.entries.data;
    size_t count = broad->candidates.entries.count;
    for (size_t i = 0; i < count; i++)
    {
        prefetch_boxes(broad, &entries[i + AHEAD < count ? i + AHEAD : i]);
        if (((dirty_flags[entries[i].a] | dirty_flags[entries[i].b]) & GRZ_BOX_MOVED) != 0)
            classify(broad, (uint32_t)i, &out);
    }
    *result = out;
}

/* Tests the candidates listed in `continuing`, which is overwritten behind the read position. */
static void classify_listed(const graze_broad_phase *broad, size_t count, candidate_classes *result)
{
    candidate_classes out = *result;
    const uint32_t *indices = out.continuing;
    const grz_candidate *entries = broad->candidates.entries.data;
    for (size_t i = 0; i < count; i++)
    {
        __builtin_prefetch(&entries[indices[i + AHEAD < count ? i + AHEAD : i]]);
        prefetch_boxes(broad, &entries[indices[i + AHEAD / 2 < count ? i + AHEAD / 2 : i]]);
        classify(broad, indices[i], &out);
    }
    *result = out;
}

/* Keeps only those whose fat AABBs are disjoint. */
static void keep_disjoint(const graze_broad_phase *broad, candidate_classes *out)
{
    const grz_candidate *entries = broad->candidates.entries.data;
    const grz_fat_aabb *fat = broad->arrays.fat;
    size_t count = out->disjoint_count, kept = 0;
    /* shortcut: disjoint-candidates */
    for (size_t i = 0; i < count; i++)
    {
        const grz_candidate *candidate = &entries[out->disjoint[i]],
                            *ahead = &entries[out->disjoint[i + AHEAD < count ? i + AHEAD : i]];
        __builtin_prefetch(&fat[ahead->a]);
        __builtin_prefetch(&fat[ahead->b]);
        out->disjoint[kept] = out->disjoint[i];
        kept += (size_t)!grz_fat_aabb_overlap(&fat[candidate->a], &fat[candidate->b]);
    }
    out->disjoint_count = kept;
}

/* Lists the ids of boxes that moved. False when out of memory. */
static bool list_moved(graze_broad_phase *broad)
{
    broad->movers.count = 0;
    size_t count = 0;
    for (size_t word = 0; word * 64 < broad->limit; word++)
        count += (size_t)__builtin_popcountll(broad->arrays.dirty_bits[word]);
    if (!GRZ_RESERVE(&broad->context, &broad->movers, count))
        return false;
    for (size_t word = 0; word * 64 < broad->limit; word++)
    {
        for (uint64_t bits = broad->arrays.dirty_bits[word]; bits != 0; bits &= bits - 1)
        {
            uint32_t id = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
            broad->movers.data[broad->movers.count] = id;
            broad->movers.count += (broad->arrays.dirty_flags[id] & GRZ_BOX_MOVED) != 0;
        }
    }
    return true;
}

/* Lists the candidates of boxes that moved, once each. Returns their number. */
static size_t list_candidates(const graze_broad_phase *broad, uint32_t *indices)
{
    const grz_pooled_list *lists = broad->arrays.lists;
    const uint32_t *ids = broad->movers.data;
    size_t count = 0, id_count = broad->movers.count;
    for (size_t i = 0; i < id_count; i++)
    {
        __builtin_prefetch(&lists[ids[i + 2 * LISTS_AHEAD < id_count ? i + 2 * LISTS_AHEAD : i]]);
        __builtin_prefetch(
            grz_list_entries(&broad->candidates.links, &lists[ids[i + LISTS_AHEAD < id_count ? i + LISTS_AHEAD : i]]));
        const grz_list_entry *links = grz_list_entries(&broad->candidates.links, &lists[ids[i]]);
        for (uint32_t k = 0; k < lists[ids[i]].count; k++)
        {
            uint32_t other = links[k].other;
            indices[count] = links[k].candidate;
            count += (size_t)(other > ids[i]) | (size_t)((broad->arrays.dirty_flags[other] & GRZ_BOX_MOVED) == 0);
        }
    }
    return count;
}

/* Ends and begins pairs, in order, and lists the indices of all pairs that moved. False when out of memory. */
static bool apply(graze_broad_phase *broad, const candidate_classes *out)
{
    grz_candidates *c = &broad->candidates;
    const graze_context *context = &broad->context;
    grz_key_value *keyed = broad->keyed.data;
    if (!GRZ_RESERVE(context, &broad->ended, broad->ended.count + out->ended_count) ||
        !GRZ_RESERVE(context, &c->overlapping, c->overlapping.count + out->begun_count) ||
        !GRZ_RESERVE(context, &c->candidate_of, c->overlapping.count + out->begun_count) ||
        !GRZ_RESERVE(context, &broad->begun, out->begun_count))
        return false;
    for (size_t i = 0; i < out->ended_count; i++)
        broad->ended.data[broad->ended.count++] = grz_candidates_end_overlap(c, out->ended[i]);
    broad->moved.count = out->continuing_count;
    for (size_t i = 0; i < out->continuing_count; i++)
        broad->moved.data[i] = c->entries.data[broad->moved.data[i]].pair;
    for (size_t i = 0; i < out->begun_count; i++)
    {
        const grz_candidate *candidate = &c->entries.data[out->begun[i]];
        keyed[i] = (grz_key_value){(uint64_t)candidate->a << 32 | candidate->b, out->begun[i]};
    }
    grz_broad_sort_pairs(broad, out->begun_count);
    broad->begun.count = 0;
    for (size_t i = 0; i < out->begun_count; i++)
    {
        uint32_t index = (uint32_t)c->overlapping.count;
        grz_candidates_begin_overlap(context, c, (uint32_t)keyed[i].value);
        broad->begun.data[broad->begun.count++] = index;
        broad->moved.data[broad->moved.count++] = index;
    }
    for (size_t i = 0; i < out->disjoint_count; i++)
        c->entries.data[out->disjoint[i]].pair = GRZ_DISJOINT_CANDIDATE;
    grz_candidates_remove_disjoint(c, broad->arrays.lists, broad->limit, out->disjoint, out->disjoint_count);
    return true;
}

bool grz_broad_test_candidates(graze_broad_phase *broad)
{
    /* Reserves everything, the sorting at the end included: from here on only `apply` can fail. */
    size_t room = broad->candidates.entries.count + 1;
    if (!list_moved(broad) || !GRZ_RESERVE(&broad->context, &broad->keyed, 2 * (room + broad->ended.count)) ||
        !GRZ_RESERVE(&broad->context, &broad->moved, room) ||
        !GRZ_RESERVE(&broad->context, &broad->classified, 3 * room))
        return false;
    uint32_t *scratch = broad->classified.data;
    candidate_classes out = {
        .begun = scratch, .ended = scratch + room, .continuing = broad->moved.data, .disjoint = scratch + 2 * room};
    if (4 * broad->movers.count > broad->count)
        classify_all(broad, &out);
    else
        classify_listed(broad, list_candidates(broad, out.continuing), &out);
    keep_disjoint(broad, &out);
    return apply(broad, &out);
}
