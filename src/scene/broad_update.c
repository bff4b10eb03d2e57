/* SPDX-License-Identifier: MIT */
/*
 * Bringing the pairs up to date.
 *
 * First the method names pairs of fat boxes for those that changed; each changed box drops the candidates that were
 * not named again and takes up the new ones. Then every candidate with a box that moved is tested with the exact
 * boxes: it begins to meet, goes on, or ends. The work is in proportion to what moved, not to what is there.
 *
 * A pair of changed boxes belongs to the lower number. Memory is reserved before anything is given up, so that an
 * update that fails leaves pairs as they were, or ended in a list that the next one reports.
 */
#include <string.h>

#include "exact/slanted_boxes.h"
#include "scene/broad.h"

grz_boxes_view grz_broad_view(const graze_broad *broad)
{
    return (grz_boxes_view){.context = &broad->context,
                            .fat = broad->arrays.fat,
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

/* What is gone, or is another now, loses all it had. */
static void drop_all_of_the_gone(graze_broad *broad)
{
    for (size_t i = 0; i < broad->changed.count; i++)
    {
        uint32_t id = broad->changed.data[i];
        if (broad->arrays.present[id] && !(broad->arrays.news[id] & GRZ_BOX_REBORN))
            continue;
        const grz_link_list *list = &broad->arrays.lists[id];
        while (list->count > 0)
            drop(broad, grz_links_of(&broad->candidates.links, list)[list->count - 1].candidate);
        broad->arrays.news[id] = (uint8_t)(broad->arrays.news[id] & ~GRZ_BOX_REBORN);
    }
}

/* The changed box a named pair belongs to, or UINT32_MAX for one that needs no look. */
static inline uint32_t owner_of(const graze_broad *broad, uint64_t pair, uint32_t *out_other)
{
    uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
    bool a_changed = changed(broad, a), b_changed = changed(broad, b);
    bool a_owns = a_changed && (!b_changed || a < b);
    *out_other = a_owns ? b : a;
    return a_owns ? a : (b_changed ? b : UINT32_MAX);
}

/* Sorts the named pairs by the box they belong to; `cursor` gets where those of each box end in `grouped`. */
static bool group_by_owner(graze_broad *broad)
{
    size_t count = broad->sink.pairs.count;
    if (count >= UINT32_MAX || !GRZ_RESERVE(&broad->context, &broad->grouped, count))
        return false;
    uint32_t *cursor = broad->arrays.cursor, other, next = 0;
    for (size_t i = 0; i < broad->changed.count; i++)
        cursor[broad->changed.data[i]] = 0;
    for (size_t i = 0; i < count; i++)
    {
        uint32_t owner = owner_of(broad, broad->sink.pairs.data[i], &other);
        if (owner != UINT32_MAX)
            cursor[owner]++;
    }
    for (size_t i = 0; i < broad->changed.count; i++)
    {
        uint32_t these = cursor[broad->changed.data[i]];
        cursor[broad->changed.data[i]] = next;
        next += these;
    }
    for (size_t i = 0; i < count; i++)
    {
        uint32_t owner = owner_of(broad, broad->sink.pairs.data[i], &other);
        if (owner != UINT32_MAX)
            broad->grouped.data[cursor[owner]++] = other;
    }
    broad->grouped.count = next;
    return true;
}

static bool wanted(const graze_broad *broad, uint32_t a, uint32_t b)
{
    return broad->def.filter == NULL || broad->def.filter(broad->def.filter_user, a < b ? a : b, a < b ? b : a);
}

/* Takes one named pair: a candidate that stays, or a new one. `where` tells the candidates of `id` by partner. */
static bool take_up(graze_broad *broad, uint32_t id, uint32_t other)
{
    grz_broad_arrays *arrays = &broad->arrays;
    uint32_t known = arrays->where[other];
    bool ask = ((arrays->news[id] | arrays->news[other]) & GRZ_BOX_ASK) != 0;
    if (known != 0 && broad->candidates.near.data[known - 1].kept == broad->stamp)
        return true;
    if (!arrays->present[other] || id == other || !grz_fat_overlap(&arrays->fat[id], &arrays->fat[other]))
        return true;
    if ((known == 0 || ask) && !wanted(broad, id, other))
        return true;
    uint32_t candidate = known - 1;
    if (known == 0)
    {
        if (!grz_candidates_add(&broad->context, &broad->candidates, arrays->lists, id, other, &candidate))
            return false;
        arrays->where[other] = candidate + 1;
    }
    broad->candidates.near.data[candidate].kept = broad->stamp;
    return true;
}

/* Replaces the candidates that belong to a changed box. */
static bool renew(graze_broad *broad, uint32_t id, uint32_t first, uint32_t end)
{
    grz_broad_arrays *arrays = &broad->arrays;
    const grz_link_list *list = &arrays->lists[id];
    for (uint32_t i = 0; i < list->count; i++)
    {
        grz_link link = grz_links_of(&broad->candidates.links, list)[i];
        arrays->where[link.other] = link.candidate + 1;
    }
    bool done = true;
    for (uint32_t i = first; i < end && done; i++)
        done = take_up(broad, id, broad->grouped.data[i]);
    for (uint32_t i = 0; i < list->count; i++)
        arrays->where[grz_links_of(&broad->candidates.links, list)[i].other] = 0;
    if (!done)
        return false;
    for (uint32_t i = list->count; i-- > 0;)
    {
        uint32_t candidate = grz_links_of(&broad->candidates.links, list)[i].candidate;
        if (broad->candidates.near.data[candidate].kept != broad->stamp)
            drop(broad, candidate);
    }
    return true;
}

/* Has the method name pairs, and takes them up. */
static bool renew_candidates(graze_broad *broad)
{
    if (!collect_changed(broad))
        return false;
    grz_boxes_view view = grz_broad_view(broad);
    broad->sink.context = &broad->context;
    broad->sink.pairs.count = 0;
    broad->sink.failed = false;
    if (broad->changed.count == 0)
        return true;
    if (!broad->method->update(broad->state, &view, broad->changed.data, broad->changed.count, &broad->sink) ||
        broad->sink.failed || !group_by_owner(broad) ||
        !GRZ_RESERVE(&broad->context, &broad->ended, broad->ended.count + broad->candidates.meeting.count))
        return false;
    drop_all_of_the_gone(broad);
    uint32_t first = 0;
    for (size_t i = 0; i < broad->changed.count; i++)
    {
        uint32_t id = broad->changed.data[i], end = broad->arrays.cursor[id];
        if (broad->arrays.present[id] && !renew(broad, id, first, end))
            return false;
        first = end;
    }
    return true;
}

/* A box as it is oriented, or along the axes. */
static grz_slanted_box slanted(const graze_broad *broad, uint32_t id)
{
    const graze_oriented_box *box = &broad->oriented[id];
    return broad->has_oriented[id]
               ? grz_slanted_from_axes(box->centre, box->axes)
               : grz_slanted_from_corners(broad->arrays.tight[id].lower, broad->arrays.tight[id].upper);
}

/* Whether the exact boxes of a candidate meet. */
static inline bool meets(const graze_broad *broad, const grz_candidate *candidate)
{
    uint32_t a = candidate->a, b = candidate->b;
    if (!grz_tight_overlap(&broad->arrays.tight[a], &broad->arrays.tight[b]))
        return false;
    if (broad->has_oriented == NULL || (!broad->has_oriented[a] && !broad->has_oriented[b]))
        return true;
    grz_slanted_box box_a = slanted(broad, a), box_b = slanted(broad, b);
    return grz_slanted_meet(&box_a, &box_b, NULL);
}

/* Candidates by what became of them; there is room for all. */
typedef struct outcome
{
    grz_keyed *begun;
    uint32_t *ended, *going_on;
    size_t begun_count, ended_count, going_on_count;
} outcome;

static inline void judge(const graze_broad *broad, uint32_t place, outcome *out)
{
    const grz_candidate *candidate = &broad->candidates.near.data[place];
    bool now = meets(broad, candidate), before = candidate->pair != GRZ_NO_PAIR;
    if (now && before)
        out->going_on[out->going_on_count++] = place;
    else if (now)
        out->begun[out->begun_count++] = (grz_keyed){(uint64_t)candidate->a << 32 | candidate->b, place};
    else if (before)
        out->ended[out->ended_count++] = place;
}

static void judge_all(const graze_broad *broad, outcome *out)
{
    const uint8_t *news = broad->arrays.news;
    for (size_t i = 0; i < broad->candidates.near.count; i++)
    {
        const grz_candidate *candidate = &broad->candidates.near.data[i];
        if (((news[candidate->a] | news[candidate->b]) & GRZ_BOX_MOVED) != 0)
            judge(broad, (uint32_t)i, out);
    }
}

static void judge_those_of(const graze_broad *broad, uint32_t id, outcome *out)
{
    const grz_link_list *list = &broad->arrays.lists[id];
    const grz_link *links = grz_links_of(&broad->candidates.links, list);
    for (uint32_t i = 0; i < list->count; i++)
        if (links[i].other > id || (broad->arrays.news[links[i].other] & GRZ_BOX_MOVED) == 0)
            judge(broad, links[i].candidate, out);
}

static size_t count_moved(const graze_broad *broad)
{
    size_t count = 0;
    for (size_t word = 0; word * 64 < broad->limit; word++)
        count += (size_t)__builtin_popcountll(broad->arrays.news_bits[word]);
    return count;
}

/* Tests every candidate with a box that moved. */
static void judge_moved(const graze_broad *broad, outcome *out)
{
    if (4 * count_moved(broad) > broad->count)
    {
        judge_all(broad, out);
        return;
    }
    for (size_t word = 0; word * 64 < broad->limit; word++)
    {
        for (uint64_t bits = broad->arrays.news_bits[word]; bits != 0; bits &= bits - 1)
        {
            uint32_t id = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
            if ((broad->arrays.news[id] & GRZ_BOX_MOVED) != 0)
                judge_those_of(broad, id, out);
        }
    }
}

/* Ends what ended, begins what began, in order, and tells the places of all that moved. */
static bool apply(graze_broad *broad, outcome *out)
{
    grz_candidates *c = &broad->candidates;
    const graze_context *context = &broad->context;
    if (!GRZ_RESERVE(context, &broad->ended, broad->ended.count + out->ended_count) ||
        !GRZ_RESERVE(context, &c->meeting, c->meeting.count + out->begun_count) ||
        !GRZ_RESERVE(context, &c->candidate_of, c->meeting.count + out->begun_count) ||
        !GRZ_RESERVE(context, &broad->begun, out->begun_count))
        return false;
    for (size_t i = 0; i < out->ended_count; i++)
        broad->ended.data[broad->ended.count++] = grz_candidates_end(c, out->ended[i]);
    broad->moved.count = out->going_on_count;
    for (size_t i = 0; i < out->going_on_count; i++)
        broad->moved.data[i] = c->near.data[broad->moved.data[i]].pair;
    grz_sort_keyed(out->begun, out->begun + out->begun_count, out->begun_count);
    broad->begun.count = 0;
    for (size_t i = 0; i < out->begun_count; i++)
    {
        uint32_t place = (uint32_t)c->meeting.count;
        grz_candidates_begin(context, c, (uint32_t)out->begun[i].value);
        broad->begun.data[broad->begun.count++] = place;
        broad->moved.data[broad->moved.count++] = place;
    }
    return true;
}

static bool renew_pairs(graze_broad *broad)
{
    /* Room for everything, the sorting at the end included: from here on nothing but `apply` may fail. */
    size_t most = broad->candidates.near.count;
    if (!GRZ_RESERVE(&broad->context, &broad->keyed, 2 * (most + broad->ended.count)) ||
        !GRZ_RESERVE(&broad->context, &broad->moved, most) || !GRZ_RESERVE(&broad->context, &broad->grouped, most))
        return false;
    outcome out = {.begun = broad->keyed.data, .ended = broad->grouped.data, .going_on = broad->moved.data};
    judge_moved(broad, &out);
    return apply(broad, &out);
}

static void sort_ended(graze_broad *broad)
{
    size_t count = broad->ended.count;
    for (size_t i = 0; i < count; i++)
    {
        graze_box_pair pair = broad->ended.data[i];
        broad->keyed.data[i] = (grz_keyed){(uint64_t)pair.a << 32 | pair.b, pair.tag};
    }
    grz_sort_keyed(broad->keyed.data, broad->keyed.data + count, count);
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
            broad->arrays.news[word * 64 + (size_t)__builtin_ctzll(bits)] = 0;
        broad->arrays.news_bits[word] = 0;
    }
}

graze_status graze_broad_update(graze_broad *broad, graze_broad_changes *out_changes)
{
    if (broad == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!broad->behind)
        broad->ended.count = 0;
    bool again = broad->behind;
    broad->behind = true;
    broad->stamp++;
    if (again && broad->state != NULL)
    {
        broad->method->destroy(broad->state);
        broad->state = NULL;
    }
    if (!prepare_method(broad) || !renew_candidates(broad) || !renew_pairs(broad))
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
