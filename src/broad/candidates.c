/* SPDX-License-Identifier: MIT */
/* Candidate pairs; see candidates.h. */
#include "broad/candidates.h"

#include <string.h>

bool grz_candidates_add(const graze_context *context, grz_candidates *c, grz_pooled_list *lists, uint32_t a, uint32_t b)
{
    size_t index = c->entries.count;
    if (index >= GRZ_DISJOINT_CANDIDATE || !GRZ_RESERVE(context, &c->entries, index + 1))
        return false;
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    if (!grz_list_add(context, &c->links, &lists[first], (grz_list_entry){second, (uint32_t)index}))
        return false;
    if (!grz_list_add(context, &c->links, &lists[second], (grz_list_entry){first, (uint32_t)index}))
    {
        grz_list_remove(&c->links, &lists[first], lists[first].count - 1);
        return false;
    }
    c->entries.data[c->entries.count++] = (grz_candidate){.a = first,
                                                          .b = second,
                                                          .at_a = lists[first].count - 1,
                                                          .at_b = lists[second].count - 1,
                                                          .pair = GRZ_NOT_OVERLAPPING};
    return true;
}

/* Removes an entry from the list of `box`, and updates the candidate whose entry takes its position. */
static void unlink_from(grz_candidates *c, grz_pooled_list *lists, uint32_t box, uint32_t index)
{
    grz_list_remove(&c->links, &lists[box], index);
    if (index >= lists[box].count)
        return;
    grz_candidate *moved = &c->entries.data[grz_list_entries(&c->links, &lists[box])[index].candidate];
    if (moved->a == box)
        moved->at_a = index;
    else
        moved->at_b = index;
}

void grz_candidates_remove(grz_candidates *c, grz_pooled_list *lists, uint32_t candidate)
{
    grz_candidate *gone = &c->entries.data[candidate];
    unlink_from(c, lists, gone->a, gone->at_a);
    unlink_from(c, lists, gone->b, gone->at_b);
    const grz_candidate *last = &c->entries.data[--c->entries.count];
    if (last == gone)
        return;
    *gone = *last;
    grz_list_entries(&c->links, &lists[gone->a])[gone->at_a].candidate = candidate;
    grz_list_entries(&c->links, &lists[gone->b])[gone->at_b].candidate = candidate;
    if (gone->pair < GRZ_DISJOINT_CANDIDATE)
        c->candidate_of.data[gone->pair] = candidate;
}

/* Rebuilds the lists of all boxes from the candidates. The pool has room. */
static void rebuild_lists(grz_candidates *c, grz_pooled_list *lists, uint32_t limit)
{
    memset(lists, 0, limit * sizeof *lists);
    for (size_t i = 0; i < c->entries.count; i++)
    {
        lists[c->entries.data[i].a].count++;
        lists[c->entries.data[i].b].count++;
    }
    grz_list_pool_clear(&c->links);
    for (uint32_t id = 0; id < limit; id++)
        if (lists[id].count > 0)
            grz_list_reserve(&c->links, &lists[id], lists[id].count);
    for (size_t i = 0; i < c->entries.count; i++)
    {
        grz_candidate *each = &c->entries.data[i];
        each->at_a = lists[each->a].count++;
        each->at_b = lists[each->b].count++;
        grz_list_entries(&c->links, &lists[each->a])[each->at_a] = (grz_list_entry){each->b, (uint32_t)i};
        grz_list_entries(&c->links, &lists[each->b])[each->at_b] = (grz_list_entry){each->a, (uint32_t)i};
    }
}

/* Where most are removed, the others are compacted and all lists rebuilt. No list needs more room than before. */
static void compact_candidates(grz_candidates *c, grz_pooled_list *lists, uint32_t limit)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->entries.count; i++)
    {
        grz_candidate each = c->entries.data[i];
        if (each.pair == GRZ_DISJOINT_CANDIDATE)
            continue;
        if (each.pair != GRZ_NOT_OVERLAPPING)
            c->candidate_of.data[each.pair] = (uint32_t)kept;
        c->entries.data[kept++] = each;
    }
    c->entries.count = kept;
    rebuild_lists(c, lists, limit);
}

/* The last candidate replaces a removed one and must not be marked itself: so marked ones at the end are removed first.
 */
void grz_candidates_remove_disjoint(grz_candidates *c, grz_pooled_list *lists, uint32_t limit, const uint32_t *indices,
                                    size_t count)
{
    if (count > limit / 8 && count > c->entries.count / 2)
    {
        compact_candidates(c, lists, limit);
        return;
    }
    for (size_t i = 0; i < count; i++)
    {
        while (c->entries.count > 0 && c->entries.data[c->entries.count - 1].pair == GRZ_DISJOINT_CANDIDATE)
            grz_candidates_remove(c, lists, (uint32_t)(c->entries.count - 1));
        if (indices[i] < c->entries.count && c->entries.data[indices[i]].pair == GRZ_DISJOINT_CANDIDATE)
            grz_candidates_remove(c, lists, indices[i]);
    }
}

/* Reserves pool entries for all candidates and the new pairs. Counts of the lists are changed on the way, and restored.
 */
static bool reserve_links(const graze_context *context, grz_candidates *c, grz_pooled_list *lists, uint32_t limit,
                          const uint64_t *pairs, size_t count)
{
    size_t room = 0;
    for (size_t i = 0; i < count; i++)
    {
        lists[pairs[i] >> 32].count++;
        lists[(uint32_t)pairs[i]].count++;
    }
    for (uint32_t id = 0; id < limit; id++)
        room += grz_list_capacity_for(lists[id].count);
    for (size_t i = 0; i < count; i++)
    {
        lists[pairs[i] >> 32].count--;
        lists[(uint32_t)pairs[i]].count--;
    }
    return room / GRZ_LIST_LEAST_CAPACITY < UINT32_MAX && GRZ_RESERVE(context, &c->links.pool, room);
}

bool grz_candidates_add_many(const graze_context *context, grz_candidates *c, grz_pooled_list *lists, uint32_t limit,
                             const uint64_t *pairs, size_t count)
{
    bool all_anew = count > limit / 8 && count > c->entries.count;
    for (size_t i = 0; i < count && !all_anew; i++)
        if (!grz_candidates_add(context, c, lists, (uint32_t)(pairs[i] >> 32), (uint32_t)pairs[i]))
            return false;
    if (!all_anew)
        return true;
    if (c->entries.count + count >= GRZ_DISJOINT_CANDIDATE ||
        !GRZ_RESERVE(context, &c->entries, c->entries.count + count) ||
        !reserve_links(context, c, lists, limit, pairs, count))
        return false;
    for (size_t i = 0; i < count; i++)
    {
        uint32_t a = (uint32_t)(pairs[i] >> 32), b = (uint32_t)pairs[i];
        c->entries.data[c->entries.count++] =
            (grz_candidate){.a = a < b ? a : b, .b = a < b ? b : a, .pair = GRZ_NOT_OVERLAPPING};
    }
    rebuild_lists(c, lists, limit);
    return true;
}

bool grz_candidates_begin_overlap(const graze_context *context, grz_candidates *c, uint32_t candidate)
{
    size_t index = c->overlapping.count;
    if (!GRZ_RESERVE(context, &c->overlapping, index + 1) || !GRZ_RESERVE(context, &c->candidate_of, index + 1))
        return false;
    grz_candidate *begun = &c->entries.data[candidate];
    c->overlapping.data[c->overlapping.count++] = (graze_box_pair){begun->a, begun->b, 0};
    c->candidate_of.data[c->candidate_of.count++] = candidate;
    begun->pair = (uint32_t)index;
    return true;
}

graze_box_pair grz_candidates_end_overlap(grz_candidates *c, uint32_t candidate)
{
    uint32_t index = c->entries.data[candidate].pair, last = (uint32_t)--c->overlapping.count;
    graze_box_pair ended = c->overlapping.data[index];
    c->candidate_of.count--;
    if (index != last)
    {
        c->overlapping.data[index] = c->overlapping.data[last];
        c->candidate_of.data[index] = c->candidate_of.data[last];
        c->entries.data[c->candidate_of.data[index]].pair = index;
    }
    c->entries.data[candidate].pair = GRZ_NOT_OVERLAPPING;
    return ended;
}

void grz_candidates_release(const graze_context *context, grz_candidates *c)
{
    grz_release(context, c->entries.data);
    grz_release(context, c->overlapping.data);
    grz_release(context, c->candidate_of.data);
    grz_list_pool_release(context, &c->links);
}
