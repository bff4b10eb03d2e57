/* SPDX-License-Identifier: MIT */
/*
 * Sweep and prune (I-COLLIDE: Cohen, Lin, Manocha, Ponamgi, 1995; Baraff, 1992; Zachmann's thesis, section 5.7): the
 * endpoints of all boxes are sorted on three axes and stay so from update to update. The endpoints of a box that moved
 * are swapped with their neighbours up to their new positions; a pair can begin only where a lower endpoint passes an
 * upper one. Pairs are listed by box; a box that moved drops those that no longer overlap.
 *
 * Boxes move one after the other, so the axes are sorted at all times, and the pairs are those of the boxes on the axes
 * (`axis_boxes`). A pair that begins is found on every axis on which it was disjoint; only the first of these adds it.
 *
 * Swaps pay off while few boxes move, or all move little. So they have a budget; when it is exceeded the axes are
 * dropped, and updates are sweeps along one axis (axis_sweep.h) until few swaps are expected again. So an update costs
 * O(m + k) for m swaps and k pairs of changed boxes, and O(n + s) at most, s as in axis_sweep.h; insertions and
 * removals cost O(n) per update. A box query is a linear scan. Memory O(n + pairs): 150 bytes per box.
 */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "broad/axis_sweep.h"
#include "broad/candidates.h"
#include "broad/linear_scan.h"

enum
{
    SWAPS_PER_BOX = 4, /* budget per box: so many swaps cost as much as a sweep */
    SWAPS_BASE = 64,
    SORT_COST = 15, /* sorting the axes costs as much as that many sweeps */
    FORGET_STEP = 64
};

/* An endpoint of a box: the sortable bits of its coordinate, then whether it is an upper end, then the box id. As
   integers these have the order of the coordinates, and at the same coordinate lower ends come before upper ends: boxes
   are closed. */
#define UPPER_END (UINT64_C(1) << 31)

typedef struct end_positions
{
    uint32_t lower[3], upper[3];
} end_positions;

typedef struct sap_state
{
    graze_context context;
    grz_axis_sweep sweep;
    bool axes_sorted; /* axes, end_positions, axis_boxes and pairs are valid */
    GRZ_ARRAY(uint64_t) axes[3];
    GRZ_ARRAY(end_positions) end_positions; /* of the endpoints on the axes, by id */
    GRZ_ARRAY(grz_fat_aabb) axis_boxes;     /* the boxes that are on the axes */
    GRZ_ARRAY(uint8_t) on_axes;             /* by id: its endpoints are on the axes */
    GRZ_ARRAY(grz_pooled_list) lists;
    GRZ_ARRAY(uint32_t) added; /* scratch */
    GRZ_ARRAY(uint64_t) words; /* scratch */
    grz_candidates pairs;
    grz_pair_sink found;
    size_t swaps, budget;    /* of this update */
    double swaps_per_change; /* recent average */
    double savings;          /* what swaps instead of sweeps would have saved since the axes were dropped, in sweeps */
} sap_state;

static void release(const graze_context *context, void *state)
{
    sap_state *p = state;
    grz_axis_sweep_release(context, &p->sweep);
    for (int axis = 0; axis < 3; axis++)
        grz_release(context, p->axes[axis].data);
    grz_release(context, p->end_positions.data);
    grz_release(context, p->axis_boxes.data);
    grz_release(context, p->on_axes.data);
    grz_release(context, p->lists.data);
    grz_release(context, p->added.data);
    grz_release(context, p->words.data);
    grz_candidates_release(context, &p->pairs);
    grz_release(context, p->found.pairs.data);
}

/* -0 and +0 are the same coordinate. */
static inline uint64_t endpoint_key(float x, uint64_t side, uint32_t id)
{
    return (uint64_t)grz_sortable_bits(x == 0 ? 0.0f : x) << 32 | side | id;
}

static inline uint32_t box_of_endpoint(uint64_t word)
{
    return (uint32_t)(word & (UPPER_END - 1));
}

static inline void store_position(sap_state *p, int axis, uint32_t position)
{
    uint64_t word = p->axes[axis].data[position];
    end_positions *of_box = &p->end_positions.data[box_of_endpoint(word)];
    *((word & UPPER_END) != 0 ? &of_box->upper[axis] : &of_box->lower[axis]) = position;
}

static inline bool disjoint_on_axis(const grz_fat_aabb *a, const grz_fat_aabb *b, int axis)
{
    return a->lower[axis] > b->upper[axis] || b->lower[axis] > a->upper[axis];
}

/* A lower end of one box has passed an upper end of the other on this axis, on the way from `before` to `after`: adds
   the pair if the boxes overlap and this is the first axis on which they were disjoint. False when out of memory. */
static bool begin_if_overlapping(sap_state *p, uint32_t id, uint32_t other, const grz_fat_aabb *after, int axis)
{
    const grz_fat_aabb *other_box = &p->axis_boxes.data[other], *before = &p->axis_boxes.data[id];
    if (!grz_fat_aabb_overlap(after, other_box))
        return true;
    int first = 0;
    while (first < 3 && !disjoint_on_axis(before, other_box, first))
        first++;
    /* shortcut: first-axis */
    return first != axis || grz_candidates_add(&p->context, &p->pairs, p->lists.data, id, other);
}

/* Moves an endpoint to the position of its new key. False when out of memory or out of budget. */
static bool move_endpoint(sap_state *p, uint32_t id, uint32_t position, uint64_t word, const grz_fat_aabb *after,
                          int axis)
{
    uint64_t *ends = p->axes[axis].data;
    uint32_t from = position, last = (uint32_t)p->axes[axis].count - 1;
    bool upper = (word & UPPER_END) != 0, done = true;
    while (done && position > 0 && ends[position - 1] > word)
    {
        ends[position] = ends[position - 1];
        store_position(p, axis, position);
        if (!upper && (ends[position] & UPPER_END) != 0)
            done = begin_if_overlapping(p, id, box_of_endpoint(ends[position]), after, axis);
        position--;
    }
    while (done && position < last && ends[position + 1] < word)
    {
        ends[position] = ends[position + 1];
        store_position(p, axis, position);
        if (upper && (ends[position] & UPPER_END) == 0)
            done = begin_if_overlapping(p, id, box_of_endpoint(ends[position]), after, axis);
        position++;
    }
    ends[position] = word;
    store_position(p, axis, position);
    p->swaps += position > from ? position - from : from - position;
    return done && p->swaps <= p->budget;
}

/* Moves both endpoints on an axis, in the order in which they never pass each other. */
static bool move_on_axis(sap_state *p, uint32_t id, const grz_fat_aabb *after, int axis)
{
    uint64_t lower = endpoint_key(after->lower[axis], 0, id), upper = endpoint_key(after->upper[axis], UPPER_END, id);
    const end_positions *of_box = &p->end_positions.data[id];
    bool down = lower < p->axes[axis].data[of_box->lower[axis]];
    return (!down || move_endpoint(p, id, of_box->lower[axis], lower, after, axis)) &&
           move_endpoint(p, id, of_box->upper[axis], upper, after, axis) &&
           (down || move_endpoint(p, id, of_box->lower[axis], lower, after, axis));
}

static void drop_disjoint_pairs(sap_state *p, uint32_t id, const grz_fat_aabb *after)
{
    const grz_pooled_list *list = &p->lists.data[id];
    for (uint32_t i = list->count; i-- > 0;)
    {
        grz_list_entry link = grz_list_entries(&p->pairs.links, list)[i];
        if (after == NULL || !grz_fat_aabb_overlap(after, &p->axis_boxes.data[link.other]))
            grz_candidates_remove(&p->pairs, p->lists.data, link.candidate);
    }
}

/* Moves the boxes that are on the axes. False when out of memory or out of budget. */
static bool move_boxes(sap_state *p, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count)
{
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = changed[i];
        if (!p->on_axes.data[id] || !view->present[id])
            continue;
        const grz_fat_aabb *after = &view->fat[id];
        for (int axis = 0; axis < 3; axis++)
            if (!move_on_axis(p, id, after, axis))
                return false;
        drop_disjoint_pairs(p, id, after);
        p->axis_boxes.data[id] = *after;
    }
    return true;
}

/* Removes the endpoints of removed boxes from the axes. */
static void remove_boxes(sap_state *p, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count)
{
    bool any = false;
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = changed[i];
        if (!p->on_axes.data[id] || view->present[id])
            continue;
        drop_disjoint_pairs(p, id, NULL);
        p->on_axes.data[id] = 0;
        any = true;
    }
    for (int axis = 0; axis < 3 && any; axis++)
    {
        uint32_t kept = 0;
        for (size_t position = 0; position < p->axes[axis].count; position++)
        {
            uint64_t word = p->axes[axis].data[position];
            if (!p->on_axes.data[box_of_endpoint(word)])
                continue;
            p->axes[axis].data[kept] = word;
            store_position(p, axis, kept++);
        }
        p->axes[axis].count = kept;
    }
}

/* Merges the endpoints of added boxes into an axis, from its end, where there is room. */
static void merge_ends(sap_state *p, const grz_aabb_view *view, int axis)
{
    size_t added = p->added.count, left = p->axes[axis].count, position = left + 2 * added, next = 2 * added;
    uint64_t *words = p->words.data, *ends = p->axes[axis].data;
    for (size_t i = 0; i < added; i++)
    {
        uint32_t id = p->added.data[i];
        words[i] = endpoint_key(view->fat[id].lower[axis], 0, id);
        words[added + i] = endpoint_key(view->fat[id].upper[axis], UPPER_END, id);
    }
    grz_sort_words(words, words + 2 * added, 2 * added);
    p->axes[axis].count = position;
    while (next > 0)
    {
        bool take_old = left > 0 && ends[left - 1] > words[next - 1];
        ends[position - 1] = take_old ? ends[--left] : words[--next];
        store_position(p, axis, (uint32_t)--position);
    }
}

/* Inserts the boxes in `added` into the axes, with their pairs. False when out of memory. */
static bool add_boxes(sap_state *p, const grz_aabb_view *view)
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
        p->axis_boxes.data[id] = view->fat[id];
    }
    for (int axis = 0; axis < 3; axis++)
        merge_ends(p, view, axis);
    p->found.context = &p->context;
    p->found.failed = false;
    p->found.pairs.count = 0;
    if (!grz_axis_sweep_pairs(&p->context, &p->sweep, view, p->added.data, p->added.count, &p->found))
        return false;
    for (size_t i = 0; i < p->found.pairs.count; i++)
    {
        uint32_t a = (uint32_t)(p->found.pairs.data[i] >> 32), b = (uint32_t)p->found.pairs.data[i];
        if (!grz_candidates_add(&p->context, &p->pairs, p->lists.data, a, b))
            return false;
    }
    return true;
}

/* Reserves all arrays by id up to the limit. Endpoint keys have 31 bits for an id. */
static bool make_room(sap_state *p, const grz_aabb_view *view)
{
    if (view->limit >= UPPER_END || !GRZ_RESERVE(&p->context, &p->end_positions, view->limit) ||
        !GRZ_RESERVE(&p->context, &p->axis_boxes, view->limit) || !GRZ_RESERVE(&p->context, &p->on_axes, view->limit) ||
        !GRZ_RESERVE(&p->context, &p->lists, view->limit) || !GRZ_RESERVE(&p->context, &p->added, view->limit))
        return false;
    for (; p->lists.count < view->limit; p->lists.count++)
    {
        p->on_axes.data[p->lists.count] = 0;
        p->lists.data[p->lists.count] = (grz_pooled_list){0};
    }
    return true;
}

static void drop_axes(sap_state *p)
{
    p->axes_sorted = false;
    p->savings = 0;
    for (int axis = 0; axis < 3; axis++)
        p->axes[axis].count = 0;
    p->pairs.entries.count = 0;
    grz_list_pool_release(&p->context, &p->pairs.links);
    if (p->lists.count > 0)
    {
        memset(p->on_axes.data, 0, p->lists.count);
        memset(p->lists.data, 0, p->lists.count * sizeof *p->lists.data);
    }
}

/* Sorts the axes from scratch. False when out of memory. */
static bool sort_axes(sap_state *p, const grz_aabb_view *view)
{
    p->added.count = 0;
    for (uint32_t id = 0; id < view->limit; id++)
        if (view->present[id])
            p->added.data[p->added.count++] = id;
    p->axes_sorted = add_boxes(p, view);
    return p->axes_sorted;
}

/* Updates the axes. False when they are lost: out of memory or out of budget. */
static bool update_axes(sap_state *p, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count)
{
    p->swaps = 0;
    remove_boxes(p, view, changed, changed_count);
    bool moved = move_boxes(p, view, changed, changed_count);
    if (p->swaps > 0)
        p->swaps_per_change = (double)p->swaps / (double)changed_count;
    if (!moved)
        return false;
    p->added.count = 0;
    for (size_t i = 0; i < changed_count; i++)
        if (view->present[changed[i]] && !p->on_axes.data[changed[i]])
            p->added.data[p->added.count++] = changed[i];
    return add_boxes(p, view);
}

/* Reports the pairs of the changed boxes, once each. */
static void emit_pairs(sap_state *p, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count,
                       grz_pair_sink *sink)
{
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = changed[i];
        if (!view->present[id])
            continue;
        const grz_pooled_list *list = &p->lists.data[id];
        const grz_list_entry *links = grz_list_entries(&p->pairs.links, list);
        for (uint32_t k = 0; k < list->count; k++)
            if (links[k].other > id || !grz_view_changed(view, links[k].other))
                grz_sink_add_pair(sink, id, links[k].other);
    }
}

/* Whether sorting the axes pays off: the savings since they were dropped have reached its cost. So the total cost is at
   most twice the optimum. */
static bool should_sort(sap_state *p, double expected)
{
    p->savings = fmax(0, p->savings + fmax(-1, 1 - expected / (double)p->budget));
    p->swaps_per_change -= p->swaps_per_change / FORGET_STEP;
    return p->savings >= SORT_COST;
}

static bool update(void *state, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink)
{
    sap_state *p = state;
    if (!make_room(p, view))
        return false;
    p->budget = SWAPS_PER_BOX * view->count + SWAPS_BASE;
    double expected = p->swaps_per_change * (double)changed_count;
    bool all = changed_count >= view->count;
    bool good = p->axes_sorted
                    ? !all && expected <= 2.0 * (double)p->budget && update_axes(p, view, changed, changed_count)
                    : !should_sort(p, all ? INFINITY : expected) || sort_axes(p, view);
    if (!good)
        drop_axes(p);
    if (p->axes_sorted)
        emit_pairs(p, view, changed, changed_count, sink);
    else if (!grz_axis_sweep_pairs(&p->context, &p->sweep, view, changed, changed_count, sink))
        return false;
    return !sink->failed;
}

static size_t memory(const void *state)
{
    const sap_state *p = state;
    size_t words = p->words.capacity + p->found.pairs.capacity;
    for (int axis = 0; axis < 3; axis++)
        words += p->axes[axis].capacity;
    return grz_axis_sweep_memory(&p->sweep) + words * sizeof(uint64_t) +
           p->end_positions.capacity * sizeof *p->end_positions.data +
           p->axis_boxes.capacity * sizeof *p->axis_boxes.data + p->on_axes.capacity +
           p->lists.capacity * sizeof *p->lists.data + p->added.capacity * sizeof *p->added.data +
           p->pairs.entries.capacity * sizeof *p->pairs.entries.data +
           p->pairs.links.pool.capacity * sizeof *p->pairs.links.pool.data;
}

static bool axis_is_valid(const sap_state *p, const grz_aabb_view *view, int axis)
{
    if (p->axes[axis].count != 2 * view->count)
        return false;
    for (size_t position = 0; position < p->axes[axis].count; position++)
    {
        uint64_t word = p->axes[axis].data[position];
        uint32_t id = box_of_endpoint(word);
        bool upper = (word & UPPER_END) != 0;
        if (id >= view->limit || !view->present[id] || !p->on_axes.data[id] ||
            (position > 0 && p->axes[axis].data[position - 1] >= word) ||
            (upper ? p->end_positions.data[id].upper[axis] : p->end_positions.data[id].lower[axis]) != position ||
            word != (upper ? endpoint_key(view->fat[id].upper[axis], UPPER_END, id)
                           : endpoint_key(view->fat[id].lower[axis], 0, id)))
            return false;
    }
    return true;
}

/* Whether the axes are sorted, and the pairs are all that overlap. */
static bool validate(const void *state, const grz_aabb_view *view)
{
    const sap_state *p = state;
    size_t overlaps = 0;
    if (!p->axes_sorted)
        return p->pairs.entries.count == 0;
    for (int axis = 0; axis < 3; axis++)
        if (!axis_is_valid(p, view, axis))
            return false;
    for (size_t i = 0; i < p->pairs.entries.count; i++)
        if (!grz_fat_aabb_overlap(&view->fat[p->pairs.entries.data[i].a], &view->fat[p->pairs.entries.data[i].b]))
            return false;
    for (uint32_t a = 0; a < view->limit; a++)
        for (uint32_t b = a + 1; b < view->limit && view->present[a]; b++)
            overlaps += view->present[b] && grz_fat_aabb_overlap(&view->fat[a], &view->fat[b]);
    return overlaps == p->pairs.entries.count;
}

const grz_broad_method grz_sweep_and_prune_method = {.state_size = sizeof(sap_state),
                                                     .release = release,
                                                     .update = update,
                                                     .in_box = grz_linear_scan_in_box,
                                                     .on_ray = grz_linear_scan_on_ray,
                                                     .memory = memory,
                                                     .validate = validate};
