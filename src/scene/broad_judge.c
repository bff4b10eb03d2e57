/* SPDX-License-Identifier: MIT */
/*
 * Judging candidates: of those with a box that moved, which begin to meet, go on or end, by the exact boxes; and which
 * are no candidates any more, as their fat boxes are apart.
 *
 * When most boxes move this is where most of the time goes. What becomes of a candidate is hard to foretell, so it is
 * written without branches; and boxes lie anywhere in memory, so those of the next candidates are fetched early.
 */
#include "exact/slanted_boxes.h"
#include "scene/broad.h"

enum
{
    AHEAD = 16, /* candidates that are fetched early, half of that for their boxes */
    LISTS_AHEAD = 8
};

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
    bool overlap = grz_tight_overlap(&broad->arrays.tight[a], &broad->arrays.tight[b]);
    /* shortcut: oriented-boxes */
    if (broad->has_oriented == NULL || !overlap || (!broad->has_oriented[a] && !broad->has_oriented[b]))
        return overlap;
    grz_slanted_box box_a = slanted(broad, a), box_b = slanted(broad, b);
    return grz_slanted_meet(&box_a, &box_b, NULL);
}

/* Candidates by what became of them; there is room for all, and one more. Those that are far may be among the ended. */
typedef struct outcome
{
    uint32_t *begun, *ended, *going_on, *far;
    size_t begun_count, ended_count, going_on_count, far_count;
} outcome;

static inline void judge(const graze_broad *broad, uint32_t place, outcome *out)
{
    const grz_candidate *candidate = &broad->candidates.near.data[place];
    bool now = meets(broad, candidate), before = candidate->pair != GRZ_NO_PAIR;
    out->going_on[out->going_on_count] = place;
    out->going_on_count += (size_t)(now & before);
    out->begun[out->begun_count] = place;
    out->begun_count += (size_t)(now & !before);
    out->ended[out->ended_count] = place;
    out->ended_count += (size_t)(!now & before);
    unsigned news = broad->arrays.news[candidate->a] | broad->arrays.news[candidate->b];
    out->far[out->far_count] = place; /* perhaps; see keep_far */
    out->far_count += (size_t)(!now & ((news & GRZ_BOX_CHANGED) != 0));
}

static inline void fetch_boxes(const graze_broad *broad, const grz_candidate *candidate)
{
    __builtin_prefetch(&broad->arrays.tight[candidate->a]);
    __builtin_prefetch(&broad->arrays.tight[candidate->b]);
}

/* Every candidate; those of which no box moved are looked at in vain, which is right when they are few. */
static void judge_all(const graze_broad *broad, outcome *result)
{
    outcome out = *result; /* so that it stays in registers */
    const uint8_t *news = broad->arrays.news;
    const grz_candidate *near = broad->candidates.near.data;
    size_t count = broad->candidates.near.count;
    for (size_t i = 0; i < count; i++)
    {
        fetch_boxes(broad, &near[i + AHEAD < count ? i + AHEAD : i]);
        if (((news[near[i].a] | news[near[i].b]) & GRZ_BOX_MOVED) != 0)
            judge(broad, (uint32_t)i, &out);
    }
    *result = out;
}

/* Those at the places listed where `going_on` is: what is written there has been read. */
static void judge_listed(const graze_broad *broad, size_t count, outcome *result)
{
    outcome out = *result;
    const uint32_t *places = out.going_on;
    const grz_candidate *near = broad->candidates.near.data;
    for (size_t i = 0; i < count; i++)
    {
        __builtin_prefetch(&near[places[i + AHEAD < count ? i + AHEAD : i]]);
        fetch_boxes(broad, &near[places[i + AHEAD / 2 < count ? i + AHEAD / 2 : i]]);
        judge(broad, places[i], &out);
    }
    *result = out;
}

/* Leaves only those whose fat boxes are apart. */
static void keep_far(const graze_broad *broad, outcome *out)
{
    const grz_candidate *near = broad->candidates.near.data;
    const grz_fat_box *fat = broad->arrays.fat;
    size_t count = out->far_count, kept = 0;
    /* shortcut: near-pairs */
    for (size_t i = 0; i < count; i++)
    {
        const grz_candidate *candidate = &near[out->far[i]],
                            *ahead = &near[out->far[i + AHEAD < count ? i + AHEAD : i]];
        __builtin_prefetch(&fat[ahead->a]);
        __builtin_prefetch(&fat[ahead->b]);
        out->far[kept] = out->far[i];
        kept += (size_t)!grz_fat_overlap(&fat[candidate->a], &fat[candidate->b]);
    }
    out->far_count = kept;
}

/* The numbers of boxes that moved. */
static bool list_moved(graze_broad *broad)
{
    broad->movers.count = 0;
    size_t count = 0;
    for (size_t word = 0; word * 64 < broad->limit; word++)
        count += (size_t)__builtin_popcountll(broad->arrays.news_bits[word]);
    if (!GRZ_RESERVE(&broad->context, &broad->movers, count))
        return false;
    for (size_t word = 0; word * 64 < broad->limit; word++)
    {
        for (uint64_t bits = broad->arrays.news_bits[word]; bits != 0; bits &= bits - 1)
        {
            uint32_t id = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
            broad->movers.data[broad->movers.count] = id;
            broad->movers.count += (broad->arrays.news[id] & GRZ_BOX_MOVED) != 0;
        }
    }
    return true;
}

/* The candidates of boxes that moved, once each, and with them early. Returns how many. */
static size_t list_candidates(const graze_broad *broad, uint32_t *places)
{
    const grz_link_list *lists = broad->arrays.lists;
    const uint32_t *ids = broad->movers.data;
    size_t count = 0, id_count = broad->movers.count;
    for (size_t i = 0; i < id_count; i++)
    {
        __builtin_prefetch(&lists[ids[i + 2 * LISTS_AHEAD < id_count ? i + 2 * LISTS_AHEAD : i]]);
        __builtin_prefetch(
            grz_links_of(&broad->candidates.links, &lists[ids[i + LISTS_AHEAD < id_count ? i + LISTS_AHEAD : i]]));
        const grz_link *links = grz_links_of(&broad->candidates.links, &lists[ids[i]]);
        for (uint32_t k = 0; k < lists[ids[i]].count; k++)
        {
            uint32_t other = links[k].other;
            places[count] = links[k].candidate;
            count += (size_t)(other > ids[i]) | (size_t)((broad->arrays.news[other] & GRZ_BOX_MOVED) == 0);
        }
    }
    return count;
}

/* Ends what ended, begins what began, in order, and tells the places of all that moved. */
static bool apply(graze_broad *broad, const outcome *out)
{
    grz_candidates *c = &broad->candidates;
    const graze_context *context = &broad->context;
    grz_keyed *keyed = broad->keyed.data;
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
    for (size_t i = 0; i < out->begun_count; i++)
    {
        const grz_candidate *candidate = &c->near.data[out->begun[i]];
        keyed[i] = (grz_keyed){(uint64_t)candidate->a << 32 | candidate->b, out->begun[i]};
    }
    grz_broad_sort_pairs(broad, out->begun_count);
    broad->begun.count = 0;
    for (size_t i = 0; i < out->begun_count; i++)
    {
        uint32_t place = (uint32_t)c->meeting.count;
        grz_candidates_begin(context, c, (uint32_t)keyed[i].value);
        broad->begun.data[broad->begun.count++] = place;
        broad->moved.data[broad->moved.count++] = place;
    }
    for (size_t i = 0; i < out->far_count; i++)
        c->near.data[out->far[i]].pair = GRZ_FAR;
    grz_candidates_remove_far(c, broad->arrays.lists, broad->limit, out->far, out->far_count);
    return true;
}

bool grz_broad_judge(graze_broad *broad)
{
    /* Room for everything, the sorting at the end included: from here on nothing but `apply` may fail. */
    size_t room = broad->candidates.near.count + 1;
    if (!list_moved(broad) || !GRZ_RESERVE(&broad->context, &broad->keyed, 2 * (room + broad->ended.count)) ||
        !GRZ_RESERVE(&broad->context, &broad->moved, room) || !GRZ_RESERVE(&broad->context, &broad->verdict, 3 * room))
        return false;
    uint32_t *scratch = broad->verdict.data;
    outcome out = {.begun = scratch, .ended = scratch + room, .going_on = broad->moved.data, .far = scratch + 2 * room};
    if (4 * broad->movers.count > broad->count)
        judge_all(broad, &out);
    else
        judge_listed(broad, list_candidates(broad, out.going_on), &out);
    keep_far(broad, &out);
    return apply(broad, &out);
}
