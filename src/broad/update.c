/* SPDX-License-Identifier: MIT */
/*
 * Update of a broad phase.
 *
 * First the method reports pairs of fat AABBs that overlap now. Pairs that overlapped before are known: they are
 * candidates, or were rejected by the filter; the others become candidates. Then every candidate with a box that moved
 * is tested (candidate_overlaps.c). The work is proportional to what moved, not to the number of boxes.
 *
 * Memory is reserved before state is changed, so that an update that fails leaves pairs as they were, or in the list of
 * ended pairs, which the next one reports. An update after a failure treats no pair as known.
 */
#include <string.h>

#include "base/environment.h"
#include "broad/broad_phase.h"

enum
{
    AHEAD = 16, /* pairs whose boxes are prefetched */
    FEW_TO_SORT = 256
};

grz_aabb_view grz_broad_view(const graze_broad_phase *broad)
{
    return (grz_aabb_view){.context = &broad->context,
                           .fat = broad->arrays.fat,
                           .before = broad->arrays.before,
                           .present = broad->arrays.present,
                           .dirty_flags = broad->arrays.dirty_flags,
                           .oriented = broad->oriented,
                           .has_oriented = broad->has_oriented,
                           .limit = broad->limit,
                           .count = broad->count};
}

static inline bool changed(const graze_broad_phase *broad, uint32_t id)
{
    return (broad->arrays.dirty_flags[id] & GRZ_BOX_FAT_CHANGED) != 0;
}

/* Switches the method when the number of boxes calls for it; then, as after a failure, every box is new to it. False
   when out of memory. */
static bool prepare_method(graze_broad_phase *broad)
{
    graze_broad_phase_method best = grz_broad_choose_method(broad->def.method, broad->used, broad->count);
    if (broad->state != NULL && best != broad->used)
    {
        grz_method_destroy(broad->method, broad->state);
        broad->state = NULL;
    }
    broad->used = best;
    broad->method = grz_broad_method_of(best);
    if (broad->state != NULL)
        return true;
    broad->state = grz_method_create(broad->method, &broad->context);
    if (broad->state == NULL)
        return false;
    for (uint32_t id = 0; id < broad->limit; id++)
    {
        if (!broad->arrays.present[id])
            continue;
        broad->arrays.dirty_flags[id] |= GRZ_BOX_FAT_CHANGED;
        broad->arrays.dirty_bits[id / 64] |= UINT64_C(1) << id % 64;
    }
    return true;
}

/* Lists the ids of boxes whose fat box changed, ascending. False when out of memory. */
static bool collect_changed(graze_broad_phase *broad)
{
    broad->changed.count = 0;
    for (size_t word = 0; word * 64 < broad->limit; word++)
    {
        for (uint64_t bits = broad->arrays.dirty_bits[word]; bits != 0; bits &= bits - 1)
        {
            uint32_t id = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
            if (changed(broad, id) && !GRZ_PUSH(&broad->context, &broad->changed, id))
                return false;
        }
    }
    return true;
}

static void drop_candidate(graze_broad_phase *broad, uint32_t candidate)
{
    if (broad->candidates.entries.data[candidate].pair != GRZ_NOT_OVERLAPPING)
        broad->ended.data[broad->ended.count++] = grz_candidates_end_overlap(&broad->candidates, candidate);
    grz_candidates_remove(&broad->candidates, broad->arrays.lists, candidate);
}

static bool passes_filter(const graze_broad_phase *broad, uint32_t a, uint32_t b)
{
    return broad->def.filter == NULL || broad->def.filter(broad->def.filter_user, a, b);
}

/* Drops all candidates of removed and re-inserted boxes, and those of boxes to refilter that the filter rejects. */
static void drop_filtered(graze_broad_phase *broad)
{
    for (size_t i = 0; i < broad->changed.count; i++)
    {
        uint32_t id = broad->changed.data[i], dirty_flags = broad->arrays.dirty_flags[id];
        bool all = !broad->arrays.present[id] || (dirty_flags & GRZ_BOX_REINSERTED) != 0;
        if (!all && (dirty_flags & GRZ_BOX_REFILTER) == 0)
            continue;
        const grz_pooled_list *list = &broad->arrays.lists[id];
        for (uint32_t index = list->count; index-- > 0;)
        {
            uint32_t candidate = grz_list_entries(&broad->candidates.links, list)[index].candidate;
            const grz_candidate *c = &broad->candidates.entries.data[candidate];
            if (all || !passes_filter(broad, c->a, c->b))
                drop_candidate(broad, candidate);
        }
        broad->arrays.dirty_flags[id] = (uint8_t)(dirty_flags & ~(uint32_t)GRZ_BOX_REINSERTED);
    }
}

/* Whether a reported pair becomes a candidate, as far as its boxes decide. */
static inline bool is_new(const graze_broad_phase *broad, bool unsure, uint32_t a, uint32_t b)
{
    const grz_broad_arrays *arrays = &broad->arrays;
    /* shortcut: known-candidates */
    return (unsure || !grz_fat_aabb_overlap(&arrays->before[a], &arrays->before[b])) && a != b && arrays->present[a] &&
           arrays->present[b] && grz_fat_aabb_overlap(&arrays->fat[a], &arrays->fat[b]);
}

/* Keeps only the new ones of the reported pairs, the lower id first, without duplicates. Unsure: pairs that overlapped
   before may be new. False when out of memory. */
static bool select_new(graze_broad_phase *broad, bool unsure)
{
    uint64_t *pairs = broad->sink.pairs.data;
    size_t count = 0, named = broad->sink.pairs.count;
    for (size_t i = 0; i < named; i++)
    {
        uint64_t ahead = pairs[i + AHEAD < named ? i + AHEAD : i];
        __builtin_prefetch(&broad->arrays.before[ahead >> 32]);
        __builtin_prefetch(&broad->arrays.before[(uint32_t)ahead]);
        uint32_t a = (uint32_t)(pairs[i] >> 32), b = (uint32_t)pairs[i];
        if (is_new(broad, unsure, a, b))
            pairs[count++] = a < b ? pairs[i] : (uint64_t)b << 32 | a;
    }
    broad->sink.pairs.count = count;
    if (broad->method->reports_pairs_once || count == 0)
        return true;
    if (!GRZ_RESERVE(&broad->context, &broad->keyed, 2 * count))
        return false;
    for (size_t i = 0; i < count; i++)
        broad->keyed.data[i] = (grz_key_value){pairs[i], 0};
    grz_sort_keyed(broad->keyed.data, broad->keyed.data + count, count);
    size_t different = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || broad->keyed.data[i].key != broad->keyed.data[i - 1].key)
            pairs[different++] = broad->keyed.data[i].key;
    broad->sink.pairs.count = different;
    return true;
}

/* The box of a pair whose list is searched for the pair. */
static inline uint32_t list_owner(const graze_broad_phase *broad, bool unsure, uint64_t pair)
{
    uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
    return unsure || (broad->arrays.dirty_flags[a] & GRZ_BOX_REFILTER) != 0 ? a : b;
}

/* Removes pairs that are candidates already, which is possible where `before` of a box was cleared: box by box, the
   other boxes of its candidates are marked, so that n coincident boxes cost n^2. False when out of memory. */
static bool skip_known_candidates(graze_broad_phase *broad, bool unsure)
{
    uint64_t *pairs = broad->sink.pairs.data;
    size_t count = broad->sink.pairs.count, kept = 0, asked = 0;
    const uint8_t *dirty_flags = broad->arrays.dirty_flags;
    if (!unsure && !broad->needs_refilter)
        return true;
    if (!GRZ_RESERVE(&broad->context, &broad->keyed, 2 * count) ||
        !GRZ_RESERVE(&broad->context, &broad->marks, broad->limit))
        return false;
    grz_key_value *keyed = broad->keyed.data;
    for (size_t i = 0; i < count; i++)
    {
        if (unsure || ((dirty_flags[pairs[i] >> 32] | dirty_flags[(uint32_t)pairs[i]]) & GRZ_BOX_REFILTER) != 0)
            keyed[asked++] = (grz_key_value){list_owner(broad, unsure, pairs[i]), pairs[i]};
        else
            pairs[kept++] = pairs[i];
    }
    if (asked > 0)
    {
        grz_sort_keyed(keyed, keyed + asked, asked);
        memset(broad->marks.data, 0xff, broad->limit * sizeof *broad->marks.data);
    }
    for (size_t i = 0; i < asked; i++)
    {
        uint32_t box = (uint32_t)keyed[i].key, a = (uint32_t)(keyed[i].value >> 32), b = (uint32_t)keyed[i].value;
        const grz_pooled_list *list = &broad->arrays.lists[box];
        const grz_list_entry *links = grz_list_entries(&broad->candidates.links, list);
        for (uint32_t k = 0; k < list->count && (i == 0 || keyed[i - 1].key != box); k++)
            broad->marks.data[links[k].other] = box;
        if (broad->marks.data[a == box ? b : a] != box)
            pairs[kept++] = keyed[i].value;
    }
    broad->sink.pairs.count = kept;
    return true;
}

/* Makes candidates of new pairs that pass the filter. False when out of memory. */
static bool add_new_candidates(graze_broad_phase *broad)
{
    uint64_t *pairs = broad->sink.pairs.data;
    size_t count = broad->sink.pairs.count, kept = broad->def.filter == NULL ? count : 0;
    for (size_t i = 0; i < count && broad->def.filter != NULL; i++)
        if (passes_filter(broad, (uint32_t)(pairs[i] >> 32), (uint32_t)pairs[i]))
            pairs[kept++] = pairs[i];
    return grz_candidates_add_many(&broad->context, &broad->candidates, broad->arrays.lists, broad->limit, pairs, kept);
}

/* Where at least half the boxes changed, many candidates are disjoint: removes them all at once, before new ones are
   added. False when out of memory. */
static bool drop_disjoint(graze_broad_phase *broad)
{
    grz_candidate *entries = broad->candidates.entries.data;
    const grz_fat_aabb *fat = broad->arrays.fat;
    size_t count = broad->candidates.entries.count, disjoint_count = 0;
    if (2 * broad->changed.count < broad->count)
        return true;
    if (!GRZ_RESERVE(&broad->context, &broad->classified, count))
        return false;
    for (size_t i = 0; i < count; i++)
    {
        const grz_candidate *ahead = &entries[i + AHEAD < count ? i + AHEAD : i];
        __builtin_prefetch(&fat[ahead->a]);
        __builtin_prefetch(&fat[ahead->b]);
        broad->classified.data[disjoint_count] = (uint32_t)i;
        disjoint_count += !grz_fat_aabb_overlap(&fat[entries[i].a], &fat[entries[i].b]);
    }
    for (size_t i = 0; i < disjoint_count; i++)
    {
        grz_candidate *each = &entries[broad->classified.data[i]];
        if (each->pair != GRZ_NOT_OVERLAPPING)
            broad->ended.data[broad->ended.count++] =
                grz_candidates_end_overlap(&broad->candidates, broad->classified.data[i]);
        each->pair = GRZ_DISJOINT_CANDIDATE;
    }
    grz_candidates_remove_disjoint(&broad->candidates, broad->arrays.lists, broad->limit, broad->classified.data,
                                   disjoint_count);
    return true;
}

/* Updates the candidates from the pairs that the method reports. False when out of memory. */
static bool update_candidates(graze_broad_phase *broad, bool again)
{
    if (!collect_changed(broad))
        return false;
    grz_aabb_view view = grz_broad_view(broad);
    broad->sink.context = &broad->context;
    broad->sink.pairs.count = 0;
    broad->sink.failed = false;
    if (broad->changed.count == 0)
        return true;
    /* Methods with supports_obb leave out pairs whose fat AABBs overlap. */
    bool unsure = again || (broad->method->supports_obb && broad->has_oriented != NULL);
    if (!broad->method->update(broad->state, &view, broad->changed.data, broad->changed.count, &broad->sink) ||
        broad->sink.failed || !select_new(broad, unsure) ||
        !GRZ_RESERVE(&broad->context, &broad->ended, broad->ended.count + broad->candidates.overlapping.count))
        return false;
    drop_filtered(broad);
    return drop_disjoint(broad) && skip_known_candidates(broad, unsure) && add_new_candidates(broad);
}

/* Pairs of small ids fit into half a word, the value into the other half: half as much memory to move, in fewer passes.
 */
void grz_broad_sort_pairs(graze_broad_phase *broad, size_t count)
{
    grz_key_value *keyed = broad->keyed.data;
    if (broad->limit > UINT32_C(1) << 16 || count < FEW_TO_SORT)
    {
        grz_sort_keyed(keyed, keyed + count, count);
        return;
    }
    uint64_t *words = (uint64_t *)(void *)(keyed + count);
    for (size_t i = 0; i < count; i++)
        words[i] = (keyed[i].key >> 32) << 48 | (keyed[i].key & UINT16_MAX) << 32 | keyed[i].value;
    grz_sort_words(words, words + count, count);
    for (size_t i = 0; i < count; i++)
        keyed[i] = (grz_key_value){(words[i] >> 48) << 32 | (words[i] >> 32 & UINT16_MAX), (uint32_t)words[i]};
}

static void sort_ended(graze_broad_phase *broad)
{
    size_t count = broad->ended.count;
    for (size_t i = 0; i < count; i++)
    {
        graze_box_pair pair = broad->ended.data[i];
        broad->keyed.data[i] = (grz_key_value){(uint64_t)pair.a << 32 | pair.b, pair.tag};
    }
    grz_broad_sort_pairs(broad, count);
    for (size_t i = 0; i < count; i++)
    {
        grz_key_value entry = broad->keyed.data[i];
        broad->ended.data[i] =
            (graze_box_pair){(uint32_t)(entry.key >> 32), (uint32_t)entry.key, (uint32_t)entry.value};
    }
}

static void clear_dirty_flags(graze_broad_phase *broad)
{
    for (size_t word = 0; word * 64 < broad->limit; word++)
    {
        for (uint64_t bits = broad->arrays.dirty_bits[word]; bits != 0; bits &= bits - 1)
        {
            size_t id = word * 64 + (size_t)__builtin_ctzll(bits);
            if (broad->arrays.dirty_flags[id] & GRZ_BOX_FAT_CHANGED)
                broad->arrays.before[id] = broad->arrays.fat[id];
            broad->arrays.dirty_flags[id] = 0;
        }
        broad->arrays.dirty_bits[word] = 0;
    }
    broad->needs_refilter = false;
}

/* After a failure the state of the method, and the set of candidates, are unknown. */
static void invalidate_method(graze_broad_phase *broad)
{
    if (broad->state != NULL)
        grz_method_destroy(broad->method, broad->state);
    broad->state = NULL;
    for (uint32_t id = 0; id < broad->limit; id++)
        broad->arrays.before[id] = grz_fat_aabb_empty();
}

graze_status graze_broad_phase_update(graze_broad_phase *broad, graze_broad_phase_changes *out_changes)
{
    if (broad == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!broad->out_of_date)
        broad->ended.count = 0;
    bool again = broad->out_of_date;
    broad->out_of_date = true;
    if (again)
        invalidate_method(broad);
    grz_environment environment;
    grz_environment_enter(&environment);
    bool done = prepare_method(broad) && update_candidates(broad, again) && grz_broad_test_candidates(broad);
    grz_environment_leave(&environment);
    if (!done)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    sort_ended(broad);
    clear_dirty_flags(broad);
    broad->out_of_date = false;
    if (out_changes != NULL)
        *out_changes = (graze_broad_phase_changes){.ended = broad->ended.data,
                                                   .ended_count = broad->ended.count,
                                                   .begun = broad->begun.data,
                                                   .begun_count = broad->begun.count,
                                                   .moved = broad->moved.data,
                                                   .moved_count = broad->moved.count};
    return GRAZE_STATUS_OK;
}
