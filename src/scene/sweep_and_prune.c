/* SPDX-License-Identifier: MIT */
/*
 * Sweep and prune (I-COLLIDE: Cohen, Lin, Manocha, Ponamgi, 1995; Baraff, 1992; thesis of Zachmann, section 5.7): the
 * ends of all boxes lie sorted on three axes and stay so from update to update. A box that moved takes its ends to
 * their new places by exchanging them with their neighbours; only where a lower end passes an upper one can a pair
 * have begun. Pairs are kept by box; a box that moved drops those that no longer overlap.
 *
 * Boxes move one after the other, so the axes are in order at all times, and the pairs are those of the boxes as the
 * axes have them (`held`). A pair that begins is found on every axis on which it was apart; the first of these counts.
 *
 * Exchanges pay while few boxes move, or hardly. So they have a budget; when it does not suffice the axes are given
 * up, and updates are sweeps along one axis (sweep.h) until it looks as if few exchanges would do again. An update so
 * costs O(m + k) for m exchanges and k pairs of changed boxes, and O(n + s) at most, s as in sweep.h; insertions and
 * removals cost O(n) for all of an update. A box query looks at every box. Memory O(n + pairs): 150 bytes a box.
 */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "scene/all_boxes.h"
#include "scene/candidates.h"
#include "scene/sweep.h"

enum
{
    EXCHANGES_EACH = 4, /* the budget, for each box that there is: then a sweep has cost as much */
    EXCHANGES_MORE = 64,
    ORDER_COST = 15, /* putting all in order costs as much as that many sweeps */
    FORGET_STEP = 64
};

/* An end of a box: the number's bits in order, then whether it is an upper end, then the box. As integers these are in
   the order of numbers, and lower ends come before upper ends at the same place: boxes are closed. */
#define UPPER_END (UINT64_C(1) << 31)

typedef struct places
{
    uint32_t lower[3], upper[3];
} places;

typedef struct prune
{
    graze_context context;
    grz_sweep sweep;
    bool in_order; /* axes, places, held and pairs hold */
    GRZ_ARRAY(uint64_t) axes[3];
    GRZ_ARRAY(places) places;    /* of ends on the axes, by number */
    GRZ_ARRAY(grz_fat_box) held; /* the boxes that the axes have */
    GRZ_ARRAY(uint8_t) on_axes;  /* by number: its ends are there */
    GRZ_ARRAY(uint8_t) fresh;    /* by number: it is among the changed; all 0 between updates */
    GRZ_ARRAY(grz_link_list) lists;
    GRZ_ARRAY(uint32_t) added; /* scratch */
    GRZ_ARRAY(uint64_t) words; /* scratch */
    grz_candidates pairs;
    grz_pair_sink found;
    size_t exchanges, budget; /* of this update */
    double exchanges_each;    /* what a changed box took lately */
    double savings; /* what exchanges, instead of sweeps, would have saved since the order was lost, in sweeps */
} prune;

static void *create(const graze_context *context)
{
    prune *p = grz_allocate_zeroed(context, 1, sizeof *p);
    if (p != NULL)
        p->context = grz_context_copy(context);
    return p;
}

static void destroy(void *state)
{
    prune *p = state;
    graze_context context = p->context;
    grz_sweep_release(&context, &p->sweep);
    for (int axis = 0; axis < 3; axis++)
        grz_release(&context, p->axes[axis].data);
    grz_release(&context, p->places.data);
    grz_release(&context, p->held.data);
    grz_release(&context, p->on_axes.data);
    grz_release(&context, p->fresh.data);
    grz_release(&context, p->lists.data);
    grz_release(&context, p->added.data);
    grz_release(&context, p->words.data);
    grz_candidates_release(&context, &p->pairs);
    grz_release(&context, p->found.pairs.data);
    grz_release(&context, p);
}

/* Zeros of both signs are the same place. */
static inline uint64_t end_word(float x, uint64_t side, uint32_t id)
{
    return (uint64_t)grz_ordered_bits(x == 0 ? 0.0f : x) << 32 | side | id;
}

static inline uint32_t box_of(uint64_t word)
{
    return (uint32_t)(word & (UPPER_END - 1));
}

static inline void note_place(prune *p, int axis, uint32_t place)
{
    uint64_t word = p->axes[axis].data[place];
    places *of_box = &p->places.data[box_of(word)];
    *((word & UPPER_END) != 0 ? &of_box->upper[axis] : &of_box->lower[axis]) = place;
}

static inline bool apart_on(const grz_fat_box *a, const grz_fat_box *b, int axis)
{
    return a->lower[axis] > b->upper[axis] || b->lower[axis] > a->upper[axis];
}

/* A lower end of one has passed an upper end of the other on this axis, on the way from `before` to `after`. */
static bool may_begin(prune *p, uint32_t id, uint32_t other, const grz_fat_box *after, int axis)
{
    const grz_fat_box *there = &p->held.data[other], *before = &p->held.data[id];
    if (!grz_fat_overlap(after, there))
        return true;
    int first = 0;
    while (first < 3 && !apart_on(before, there, first))
        first++;
    /* shortcut: first-axis */
    return first != axis || grz_candidates_add(&p->context, &p->pairs, p->lists.data, id, other);
}

/* Takes an end that lies at a place to where its new word belongs. False when out of memory or out of budget. */
static bool travel(prune *p, uint32_t id, uint32_t place, uint64_t word, const grz_fat_box *after, int axis)
{
    uint64_t *ends = p->axes[axis].data;
    uint32_t from = place, last = (uint32_t)p->axes[axis].count - 1;
    bool upper = (word & UPPER_END) != 0, done = true;
    while (done && place > 0 && ends[place - 1] > word)
    {
        ends[place] = ends[place - 1];
        note_place(p, axis, place);
        if (!upper && (ends[place] & UPPER_END) != 0)
            done = may_begin(p, id, box_of(ends[place]), after, axis);
        place--;
    }
    while (done && place < last && ends[place + 1] < word)
    {
        ends[place] = ends[place + 1];
        note_place(p, axis, place);
        if (upper && (ends[place] & UPPER_END) == 0)
            done = may_begin(p, id, box_of(ends[place]), after, axis);
        place++;
    }
    ends[place] = word;
    note_place(p, axis, place);
    p->exchanges += place > from ? place - from : from - place;
    return done && p->exchanges <= p->budget;
}

/* Both ends on an axis, in an order in which they never pass each other. */
static bool move_on_axis(prune *p, uint32_t id, const grz_fat_box *after, int axis)
{
    uint64_t lower = end_word(after->lower[axis], 0, id), upper = end_word(after->upper[axis], UPPER_END, id);
    const places *of_box = &p->places.data[id];
    bool down = lower < p->axes[axis].data[of_box->lower[axis]];
    return (!down || travel(p, id, of_box->lower[axis], lower, after, axis)) &&
           travel(p, id, of_box->upper[axis], upper, after, axis) &&
           (down || travel(p, id, of_box->lower[axis], lower, after, axis));
}

static void drop_pairs_apart(prune *p, uint32_t id, const grz_fat_box *after)
{
    const grz_link_list *list = &p->lists.data[id];
    for (uint32_t i = list->count; i-- > 0;)
    {
        grz_link link = grz_links_of(&p->pairs.links, list)[i];
        if (after == NULL || !grz_fat_overlap(after, &p->held.data[link.other]))
            grz_candidates_remove(&p->pairs, p->lists.data, link.candidate);
    }
}

/* Moves the boxes that were there before. False when out of memory or out of budget. */
static bool move_boxes(prune *p, const grz_boxes_view *view, const uint32_t *changed, size_t changed_count)
{
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = changed[i];
        if (!p->on_axes.data[id] || !view->present[id])
            continue;
        const grz_fat_box *after = &view->fat[id];
        for (int axis = 0; axis < 3; axis++)
            if (!move_on_axis(p, id, after, axis))
                return false;
        drop_pairs_apart(p, id, after);
        p->held.data[id] = *after;
    }
    return true;
}

/* Takes the ends of boxes that are gone off the axes. */
static void remove_boxes(prune *p, const grz_boxes_view *view, const uint32_t *changed, size_t changed_count)
{
    bool any = false;
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = changed[i];
        if (!p->on_axes.data[id] || view->present[id])
            continue;
        drop_pairs_apart(p, id, NULL);
        p->on_axes.data[id] = 0;
        any = true;
    }
    for (int axis = 0; axis < 3 && any; axis++)
    {
        uint32_t kept = 0;
        for (size_t place = 0; place < p->axes[axis].count; place++)
        {
            uint64_t word = p->axes[axis].data[place];
            if (!p->on_axes.data[box_of(word)])
                continue;
            p->axes[axis].data[kept] = word;
            note_place(p, axis, kept++);
        }
        p->axes[axis].count = kept;
    }
}

/* Merges the ends of added boxes into an axis, from the far end, where there is room. */
static void merge_ends(prune *p, const grz_boxes_view *view, int axis)
{
    size_t added = p->added.count, left = p->axes[axis].count, place = left + 2 * added, next = 2 * added;
    uint64_t *words = p->words.data, *ends = p->axes[axis].data;
    for (size_t i = 0; i < added; i++)
    {
        uint32_t id = p->added.data[i];
        words[i] = end_word(view->fat[id].lower[axis], 0, id);
        words[added + i] = end_word(view->fat[id].upper[axis], UPPER_END, id);
    }
    grz_sort_words(words, words + 2 * added, 2 * added);
    p->axes[axis].count = place;
    while (next > 0)
    {
        bool take_old = left > 0 && ends[left - 1] > words[next - 1];
        ends[place - 1] = take_old ? ends[--left] : words[--next];
        note_place(p, axis, (uint32_t)--place);
    }
}

/* Puts the boxes in `added` on the axes, with their pairs. False when out of memory. */
static bool add_boxes(prune *p, const grz_boxes_view *view)
{
    size_t ends = 2 * view->count;
    if (p->added.count == 0)
        return true;
    if (!GRZ_RESERVE(&p->context, &p->words, 4 * p->added.count) || !GRZ_RESERVE(&p->context, &p->axes[0], ends) ||
        !GRZ_RESERVE(&p->context, &p->axes[1], ends) || !GRZ_RESERVE(&p->context, &p->axes[2], ends))
        return false;
    for (size_t i = 0; i < p->added.count; i++)
    {
        uint32_t id = p->added.data[i];
        p->on_axes.data[id] = 1;
        p->held.data[id] = view->fat[id];
    }
    for (int axis = 0; axis < 3; axis++)
        merge_ends(p, view, axis);
    p->found.context = &p->context;
    p->found.failed = false;
    p->found.pairs.count = 0;
    if (!grz_sweep_pairs(&p->context, &p->sweep, view, p->added.data, p->added.count, &p->found))
        return false;
    for (size_t i = 0; i < p->found.pairs.count; i++)
    {
        uint32_t a = (uint32_t)(p->found.pairs.data[i] >> 32), b = (uint32_t)p->found.pairs.data[i];
        if (!grz_candidates_add(&p->context, &p->pairs, p->lists.data, a, b))
            return false;
    }
    return true;
}

/* What there is by number, for numbers up to the limit. Lower halves of ends have 31 bits for them. */
static bool make_room(prune *p, const grz_boxes_view *view)
{
    if (view->limit >= UPPER_END || !GRZ_RESERVE(&p->context, &p->places, view->limit) ||
        !GRZ_RESERVE(&p->context, &p->held, view->limit) || !GRZ_RESERVE(&p->context, &p->on_axes, view->limit) ||
        !GRZ_RESERVE(&p->context, &p->fresh, view->limit) || !GRZ_RESERVE(&p->context, &p->lists, view->limit) ||
        !GRZ_RESERVE(&p->context, &p->added, view->limit))
        return false;
    for (; p->fresh.count < view->limit; p->fresh.count++)
    {
        p->fresh.data[p->fresh.count] = p->on_axes.data[p->fresh.count] = 0;
        p->lists.data[p->fresh.count] = (grz_link_list){0};
    }
    return true;
}

static void give_up_order(prune *p)
{
    p->in_order = false;
    p->savings = 0;
    for (int axis = 0; axis < 3; axis++)
        p->axes[axis].count = 0;
    p->pairs.near.count = 0;
    grz_links_release(&p->context, &p->pairs.links);
    if (p->fresh.count > 0)
    {
        memset(p->on_axes.data, 0, p->fresh.count);
        memset(p->lists.data, 0, p->fresh.count * sizeof *p->lists.data);
    }
}

/* Puts everything in order. False when out of memory. */
static bool begin_order(prune *p, const grz_boxes_view *view)
{
    p->added.count = 0;
    for (uint32_t id = 0; id < view->limit; id++)
        if (view->present[id])
            p->added.data[p->added.count++] = id;
    p->in_order = add_boxes(p, view);
    return p->in_order;
}

/* Brings the order up to date. False when it is lost, for want of memory or of patience. */
static bool keep_order(prune *p, const grz_boxes_view *view, const uint32_t *changed, size_t changed_count)
{
    p->exchanges = 0;
    remove_boxes(p, view, changed, changed_count);
    bool moved = move_boxes(p, view, changed, changed_count);
    if (p->exchanges > 0)
        p->exchanges_each = (double)p->exchanges / (double)changed_count;
    if (!moved)
        return false;
    p->added.count = 0;
    for (size_t i = 0; i < changed_count; i++)
        if (view->present[changed[i]] && !p->on_axes.data[changed[i]])
            p->added.data[p->added.count++] = changed[i];
    return add_boxes(p, view);
}

/* Names the pairs of the changed boxes, once each. */
static void name_pairs(prune *p, const grz_boxes_view *view, const uint32_t *changed, size_t changed_count,
                       grz_pair_sink *sink)
{
    for (size_t i = 0; i < changed_count; i++)
        p->fresh.data[changed[i]] = 1;
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = changed[i];
        if (!view->present[id])
            continue;
        const grz_link_list *list = &p->lists.data[id];
        const grz_link *links = grz_links_of(&p->pairs.links, list);
        for (uint32_t k = 0; k < list->count; k++)
            if (links[k].other > id || !p->fresh.data[links[k].other])
                grz_sink_add(sink, id, links[k].other);
    }
    for (size_t i = 0; i < changed_count; i++)
        p->fresh.data[changed[i]] = 0;
}

/* Whether so much would have been saved by now that it pays to put all in order: then, whatever comes, no more than
   twice the least possible has been spent. */
static bool save_up(prune *p, double expected)
{
    p->savings = fmax(0, p->savings + fmax(-1, 1 - expected / (double)p->budget));
    p->exchanges_each -= p->exchanges_each / FORGET_STEP;
    return p->savings >= ORDER_COST;
}

static bool update(void *state, const grz_boxes_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink)
{
    prune *p = state;
    if (!make_room(p, view))
        return false;
    p->budget = EXCHANGES_EACH * view->count + EXCHANGES_MORE;
    double expected = p->exchanges_each * (double)changed_count;
    bool all = changed_count >= view->count;
    bool good = p->in_order ? !all && expected <= 2.0 * (double)p->budget && keep_order(p, view, changed, changed_count)
                            : !save_up(p, all ? INFINITY : expected) || begin_order(p, view);
    if (!good)
        give_up_order(p);
    if (p->in_order)
        name_pairs(p, view, changed, changed_count, sink);
    else if (!grz_sweep_pairs(&p->context, &p->sweep, view, changed, changed_count, sink))
        return false;
    return !sink->failed;
}

static size_t memory(const void *state)
{
    const prune *p = state;
    size_t words = p->words.capacity + p->found.pairs.capacity;
    for (int axis = 0; axis < 3; axis++)
        words += p->axes[axis].capacity;
    return sizeof *p + grz_sweep_memory(&p->sweep) + words * sizeof(uint64_t) +
           p->places.capacity * sizeof *p->places.data + p->held.capacity * sizeof *p->held.data + p->on_axes.capacity +
           p->fresh.capacity + p->lists.capacity * sizeof *p->lists.data + p->added.capacity * sizeof *p->added.data +
           p->pairs.near.capacity * sizeof *p->pairs.near.data +
           p->pairs.links.pool.capacity * sizeof *p->pairs.links.pool.data;
}

static bool axis_is_right(const prune *p, const grz_boxes_view *view, int axis)
{
    if (p->axes[axis].count != 2 * view->count)
        return false;
    for (size_t place = 0; place < p->axes[axis].count; place++)
    {
        uint64_t word = p->axes[axis].data[place];
        uint32_t id = box_of(word);
        bool upper = (word & UPPER_END) != 0;
        if (id >= view->limit || !view->present[id] || !p->on_axes.data[id] ||
            (place > 0 && p->axes[axis].data[place - 1] >= word) ||
            (upper ? p->places.data[id].upper[axis] : p->places.data[id].lower[axis]) != place ||
            word != (upper ? end_word(view->fat[id].upper[axis], UPPER_END, id)
                           : end_word(view->fat[id].lower[axis], 0, id)))
            return false;
    }
    return true;
}

/* Whether the axes are in order, and the pairs are all that overlap. */
static bool validate(const void *state, const grz_boxes_view *view)
{
    const prune *p = state;
    size_t overlaps = 0;
    if (!p->in_order)
        return p->pairs.near.count == 0;
    for (int axis = 0; axis < 3; axis++)
        if (!axis_is_right(p, view, axis))
            return false;
    for (size_t i = 0; i < p->pairs.near.count; i++)
        if (!grz_fat_overlap(&view->fat[p->pairs.near.data[i].a], &view->fat[p->pairs.near.data[i].b]))
            return false;
    for (uint32_t a = 0; a < view->limit; a++)
        for (uint32_t b = a + 1; b < view->limit && view->present[a]; b++)
            overlaps += view->present[b] && grz_fat_overlap(&view->fat[a], &view->fat[b]);
    return overlaps == p->pairs.near.count;
}

const grz_broad_method grz_sweep_and_prune = {.create = create,
                                              .destroy = destroy,
                                              .update = update,
                                              .in_box = grz_all_in_box,
                                              .on_ray = grz_all_on_ray,
                                              .memory = memory,
                                              .validate = validate};
