/* SPDX-License-Identifier: MIT */
/* Pairs of boxes near each other; see candidates.h. */
#include "scene/candidates.h"

bool grz_candidates_add(const graze_context *context, grz_candidates *c, grz_link_list *lists, uint32_t a, uint32_t b)
{
    size_t place = c->near.count;
    if (place >= GRZ_FAR || !GRZ_RESERVE(context, &c->near, place + 1))
        return false;
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    if (!grz_links_add(context, &c->links, &lists[first], (grz_link){second, (uint32_t)place}))
        return false;
    if (!grz_links_add(context, &c->links, &lists[second], (grz_link){first, (uint32_t)place}))
    {
        grz_links_remove(&c->links, &lists[first], lists[first].count - 1);
        return false;
    }
    c->near.data[c->near.count++] = (grz_candidate){
        .a = first, .b = second, .at_a = lists[first].count - 1, .at_b = lists[second].count - 1, .pair = GRZ_NO_PAIR};
    return true;
}

/* Takes a link away from the list of `box`, and tells the candidate whose link takes its place. */
static void unlink_from(grz_candidates *c, grz_link_list *lists, uint32_t box, uint32_t place)
{
    grz_links_remove(&c->links, &lists[box], place);
    if (place >= lists[box].count)
        return;
    grz_candidate *moved = &c->near.data[grz_links_of(&c->links, &lists[box])[place].candidate];
    if (moved->a == box)
        moved->at_a = place;
    else
        moved->at_b = place;
}

void grz_candidates_remove(grz_candidates *c, grz_link_list *lists, uint32_t candidate)
{
    grz_candidate *gone = &c->near.data[candidate];
    unlink_from(c, lists, gone->a, gone->at_a);
    unlink_from(c, lists, gone->b, gone->at_b);
    const grz_candidate *last = &c->near.data[--c->near.count];
    if (last == gone)
        return;
    *gone = *last;
    grz_links_of(&c->links, &lists[gone->a])[gone->at_a].candidate = candidate;
    grz_links_of(&c->links, &lists[gone->b])[gone->at_b].candidate = candidate;
    if (gone->pair < GRZ_FAR)
        c->candidate_of.data[gone->pair] = candidate;
}

/* The last of all takes the place of one that goes, and must not be marked itself: so those at the end go first. */
void grz_candidates_remove_far(grz_candidates *c, grz_link_list *lists, const uint32_t *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        while (c->near.count > 0 && c->near.data[c->near.count - 1].pair == GRZ_FAR)
            grz_candidates_remove(c, lists, (uint32_t)(c->near.count - 1));
        if (places[i] < c->near.count && c->near.data[places[i]].pair == GRZ_FAR)
            grz_candidates_remove(c, lists, places[i]);
    }
}

bool grz_candidates_begin(const graze_context *context, grz_candidates *c, uint32_t candidate)
{
    size_t place = c->meeting.count;
    if (!GRZ_RESERVE(context, &c->meeting, place + 1) || !GRZ_RESERVE(context, &c->candidate_of, place + 1))
        return false;
    grz_candidate *begun = &c->near.data[candidate];
    c->meeting.data[c->meeting.count++] = (graze_box_pair){begun->a, begun->b, 0};
    c->candidate_of.data[c->candidate_of.count++] = candidate;
    begun->pair = (uint32_t)place;
    return true;
}

graze_box_pair grz_candidates_end(grz_candidates *c, uint32_t candidate)
{
    uint32_t place = c->near.data[candidate].pair, last = (uint32_t)--c->meeting.count;
    graze_box_pair ended = c->meeting.data[place];
    c->candidate_of.count--;
    if (place != last)
    {
        c->meeting.data[place] = c->meeting.data[last];
        c->candidate_of.data[place] = c->candidate_of.data[last];
        c->near.data[c->candidate_of.data[place]].pair = place;
    }
    c->near.data[candidate].pair = GRZ_NO_PAIR;
    return ended;
}

void grz_candidates_release(const graze_context *context, grz_candidates *c)
{
    grz_release(context, c->near.data);
    grz_release(context, c->meeting.data);
    grz_release(context, c->candidate_of.data);
    grz_links_release(context, &c->links);
}
