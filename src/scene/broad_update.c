/* SPDX-License-Identifier: MIT */
/*
 * Bringing the pairs up to date.
 *
 * First the method names pairs of fat boxes that overlap now. Those that did before are known: they are candidates, or
 * the filter did not want them; the others become candidates. Then every candidate with a box that moved is judged
 * (broad_judge.c). The work is in proportion to what moved, not to what is there.
 *
 * Memory is reserved before anything is given up, so that an update that fails leaves pairs as they were, or ended in a
 * list that the next one reports. The one after a failure takes nothing for known.
 */
#include <string.h>

#include "scene/broad.h"

enum
{
    AHEAD = 16, /* pairs whose boxes are fetched early */
    FEW_TO_SORT = 256
};

grz_boxes_view grz_broad_view(const graze_broad *broad)
{
    return (grz_boxes_view){.context = &broad->context,
                            .fat = broad->arrays.fat,
                            .before = broad->arrays.before,
                            .present = broad->arrays.present,
                            .oriented = broad->oriented,
                            .has_oriented = broad->has_oriented,
                            .limit = broad->limit,
                            .count = broad->count};
}

static inline bool changed(const graze_broad *broad, uint32_t id)
{
    return (broad->arrays.news[id] & GRZ_BOX_CHANGED) != 0;
}

/* Another method when the number of boxes calls for it; then, as after a failure, every box is new to it. */
static bool prepare_method(graze_broad *broad)
{
    graze_broad_method best = grz_broad_choose(broad->def.method, broad->used, broad->count);
    if (broad->state != NULL && best != broad->used)
    {
        broad->method->destroy(broad->state);
        broad->state = NULL;
    }
    broad->used = best;
    broad->method = grz_broad_method_of(best);
    if (broad->state != NULL)
        return true;
    broad->state = broad->method->create(&broad->context);
    if (broad->state == NULL)
        return false;
    for (uint32_t id = 0; id < broad->limit; id++)
    {
        if (!broad->arrays.present[id])
            continue;
        broad->arrays.news[id] |= GRZ_BOX_CHANGED;
        broad->arrays.news_bits[id / 64] |= UINT64_C(1) << id % 64;
    }
    return true;
}

/* The numbers of changed boxes, ascending. */
static bool collect_changed(graze_broad *broad)
{
    broad->changed.count = 0;
    for (size_t word = 0; word * 64 < broad->limit; word++)
    {
        for (uint64_t bits = broad->arrays.news_bits[word]; bits != 0; bits &= bits - 1)
        {
            uint32_t id = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
            if (changed(broad, id) && !GRZ_PUSH(&broad->context, &broad->changed, id))
                return false;
        }
    }
    return true;
}

static void drop(graze_broad *broad, uint32_t candidate)
{
    if (broad->candidates.near.data[candidate].pair != GRZ_NO_PAIR)
        broad->ended.data[broad->ended.count++] = grz_candidates_end(&broad->candidates, candidate);
    grz_candidates_remove(&broad->candidates, broad->arrays.lists, candidate);
}

static bool wanted(const graze_broad *broad, uint32_t a, uint32_t b)
{
    return broad->def.filter == NULL || broad->def.filter(broad->def.filter_user, a, b);
}

/* What is gone, or is another now, loses all it had; of what the filter is asked about again, what it does not want. */
static void drop_unwanted(graze_broad *broad)
{
    for (size_t i = 0; i < broad->changed.count; i++)
    {
        uint32_t id = broad->changed.data[i], news = broad->arrays.news[id];
        bool all = !broad->arrays.present[id] || (news & GRZ_BOX_REBORN) != 0;
        if (!all && (news & GRZ_BOX_ASK) == 0)
            continue;
        const grz_link_list *list = &broad->arrays.lists[id];
        for (uint32_t place = list->count; place-- > 0;)
        {
            uint32_t candidate = grz_links_of(&broad->candidates.links, list)[place].candidate;
            const grz_candidate *c = &broad->candidates.near.data[candidate];
            if (all || !wanted(broad, c->a, c->b))
                drop(broad, candidate);
        }
        broad->arrays.news[id] = (uint8_t)(news & ~(uint32_t)GRZ_BOX_REBORN);
    }
}

/* Whether a named pair is to become a candidate, as far as boxes tell. */
static inline bool is_new(const graze_broad *broad, bool unsure, uint32_t a, uint32_t b)
{
    const grz_broad_arrays *arrays = &broad->arrays;
    /* shortcut: known-pairs */
    return (unsure || !grz_fat_overlap(&arrays->before[a], &arrays->before[b])) && a != b && arrays->present[a] &&
           arrays->present[b] && grz_fat_overlap(&arrays->fat[a], &arrays->fat[b]);
}

/* Leaves only those of the named pairs that are new, the lower number first, once each. Unsure: whatever overlapped
   before, they may be new or not. */
static bool select_new(graze_broad *broad, bool unsure)
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
    if (broad->method->names_once)
        return true;
    if (!GRZ_RESERVE(&broad->context, &broad->keyed, 2 * count))
        return false;
    for (size_t i = 0; i < count; i++)
        broad->keyed.data[i] = (grz_keyed){pairs[i], 0};
    grz_sort_keyed(broad->keyed.data, broad->keyed.data + count, count);
    size_t different = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || broad->keyed.data[i].key != broad->keyed.data[i - 1].key)
            pairs[different++] = broad->keyed.data[i].key;
    broad->sink.pairs.count = different;
    return true;
}

/* Of a pair that may be a candidate already, the box whose links tell. */
static inline uint32_t teller(const graze_broad *broad, bool unsure, uint64_t pair)
{
    uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
    return unsure || (broad->arrays.news[a] & GRZ_BOX_ASK) != 0 ? a : b;
}

/* Where a box has been emptied of its past, some of its pairs may be candidates already. These are left out: box by
   box the others it is linked to are marked, so that n boxes in one place cost n^2. */
static bool leave_out_known(graze_broad *broad, bool unsure)
{
    uint64_t *pairs = broad->sink.pairs.data;
    size_t count = broad->sink.pairs.count, kept = 0, asked = 0;
    const uint8_t *news = broad->arrays.news;
    if (!unsure && !broad->asks)
        return true;
    if (!GRZ_RESERVE(&broad->context, &broad->keyed, 2 * count) ||
        !GRZ_RESERVE(&broad->context, &broad->marks, broad->limit))
        return false;
    grz_keyed *keyed = broad->keyed.data;
    for (size_t i = 0; i < count; i++)
    {
        if (unsure || ((news[pairs[i] >> 32] | news[(uint32_t)pairs[i]]) & GRZ_BOX_ASK) != 0)
            keyed[asked++] = (grz_keyed){teller(broad, unsure, pairs[i]), pairs[i]};
        else
            pairs[kept++] = pairs[i];
    }
    grz_sort_keyed(keyed, keyed + asked, asked);
    if (asked > 0)
        memset(broad->marks.data, 0xff, broad->limit * sizeof *broad->marks.data);
    for (size_t i = 0; i < asked; i++)
    {
        uint32_t box = (uint32_t)keyed[i].key, a = (uint32_t)(keyed[i].value >> 32), b = (uint32_t)keyed[i].value;
        const grz_link_list *list = &broad->arrays.lists[box];
        const grz_link *links = grz_links_of(&broad->candidates.links, list);
        for (uint32_t k = 0; k < list->count && (i == 0 || keyed[i - 1].key != box); k++)
            broad->marks.data[links[k].other] = box;
        if (broad->marks.data[a == box ? b : a] != box)
            pairs[kept++] = keyed[i].value;
    }
    broad->sink.pairs.count = kept;
    return true;
}

/* Makes candidates of new pairs that the filter wants. */
static bool take_up_new(graze_broad *broad)
{
    uint64_t *pairs = broad->sink.pairs.data;
    size_t count = broad->sink.pairs.count, kept = broad->def.filter == NULL ? count : 0;
    for (size_t i = 0; i < count && broad->def.filter != NULL; i++)
        if (wanted(broad, (uint32_t)(pairs[i] >> 32), (uint32_t)pairs[i]))
            pairs[kept++] = pairs[i];
    return grz_candidates_add_many(&broad->context, &broad->candidates, broad->arrays.lists, broad->limit, pairs, kept);
}

/* Where most boxes have changed, many candidates are far from being one: they go before new ones come, all at once. */
static bool drop_far(graze_broad *broad)
{
    grz_candidate *near = broad->candidates.near.data;
    const grz_fat_box *fat = broad->arrays.fat;
    size_t count = broad->candidates.near.count, far_count = 0;
    if (2 * broad->changed.count < broad->count)
        return true;
    if (!GRZ_RESERVE(&broad->context, &broad->verdict, count))
        return false;
    for (size_t i = 0; i < count; i++)
    {
        const grz_candidate *ahead = &near[i + AHEAD < count ? i + AHEAD : i];
        __builtin_prefetch(&fat[ahead->a]);
        __builtin_prefetch(&fat[ahead->b]);
        broad->verdict.data[far_count] = (uint32_t)i;
        far_count += !grz_fat_overlap(&fat[near[i].a], &fat[near[i].b]);
    }
    for (size_t i = 0; i < far_count; i++)
    {
        grz_candidate *each = &near[broad->verdict.data[i]];
        if (each->pair != GRZ_NO_PAIR)
            broad->ended.data[broad->ended.count++] = grz_candidates_end(&broad->candidates, broad->verdict.data[i]);
        each->pair = GRZ_FAR;
    }
    grz_candidates_remove_far(&broad->candidates, broad->arrays.lists, broad->limit, broad->verdict.data, far_count);
    return true;
}

/* Has the method name pairs, and takes them up. */
static bool renew_candidates(graze_broad *broad, bool again)
{
    if (!collect_changed(broad))
        return false;
    grz_boxes_view view = grz_broad_view(broad);
    broad->sink.context = &broad->context;
    broad->sink.pairs.count = 0;
    broad->sink.failed = false;
    if (broad->changed.count == 0)
        return true;
    /* Methods that take oriented boxes leave out pairs whose fat boxes overlap. */
    bool unsure = again || (broad->method->takes_oriented && broad->has_oriented != NULL);
    if (!broad->method->update(broad->state, &view, broad->changed.data, broad->changed.count, &broad->sink) ||
        broad->sink.failed || !select_new(broad, unsure) ||
        !GRZ_RESERVE(&broad->context, &broad->ended, broad->ended.count + broad->candidates.meeting.count))
        return false;
    drop_unwanted(broad);
    return drop_far(broad) && leave_out_known(broad, unsure) && take_up_new(broad);
}

/* Pairs of small numbers fit half a word, the value the other half: that is half as much to move, in fewer passes. */
void grz_broad_sort_pairs(graze_broad *broad, size_t count)
{
    grz_keyed *keyed = broad->keyed.data;
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
        keyed[i] = (grz_keyed){(words[i] >> 48) << 32 | (words[i] >> 32 & UINT16_MAX), (uint32_t)words[i]};
}

static void sort_ended(graze_broad *broad)
{
    size_t count = broad->ended.count;
    for (size_t i = 0; i < count; i++)
    {
        graze_box_pair pair = broad->ended.data[i];
        broad->keyed.data[i] = (grz_keyed){(uint64_t)pair.a << 32 | pair.b, pair.tag};
    }
    grz_broad_sort_pairs(broad, count);
    for (size_t i = 0; i < count; i++)
    {
        grz_keyed entry = broad->keyed.data[i];
        broad->ended.data[i] =
            (graze_box_pair){(uint32_t)(entry.key >> 32), (uint32_t)entry.key, (uint32_t)entry.value};
    }
}

static void forget_news(graze_broad *broad)
{
    for (size_t word = 0; word * 64 < broad->limit; word++)
    {
        for (uint64_t bits = broad->arrays.news_bits[word]; bits != 0; bits &= bits - 1)
        {
            size_t id = word * 64 + (size_t)__builtin_ctzll(bits);
            if (broad->arrays.news[id] & GRZ_BOX_CHANGED)
                broad->arrays.before[id] = broad->arrays.fat[id];
            broad->arrays.news[id] = 0;
        }
        broad->arrays.news_bits[word] = 0;
    }
    broad->asks = false;
}

/* After a failure: what the method knows, and which candidates there are, is uncertain. */
static void forget_the_past(graze_broad *broad)
{
    if (broad->state != NULL)
        broad->method->destroy(broad->state);
    broad->state = NULL;
    for (uint32_t id = 0; id < broad->limit; id++)
        broad->arrays.before[id] = grz_fat_empty();
}

graze_status graze_broad_update(graze_broad *broad, graze_broad_changes *out_changes)
{
    if (broad == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!broad->behind)
        broad->ended.count = 0;
    bool again = broad->behind;
    broad->behind = true;
    if (again)
        forget_the_past(broad);
    if (!prepare_method(broad) || !renew_candidates(broad, again) || !grz_broad_judge(broad))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    sort_ended(broad);
    forget_news(broad);
    broad->behind = false;
    if (out_changes != NULL)
        *out_changes = (graze_broad_changes){.ended = broad->ended.data,
                                             .ended_count = broad->ended.count,
                                             .begun = broad->begun.data,
                                             .begun_count = broad->begun.count,
                                             .moved = broad->moved.data,
                                             .moved_count = broad->moved.count};
    return GRAZE_STATUS_OK;
}
