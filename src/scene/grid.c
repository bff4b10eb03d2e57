/* SPDX-License-Identifier: MIT */
/*
 * Grids by hashing (Zachmann's thesis, section 5.5; levels by size as in Ericson, Real-Time Collision Detection, 7.2):
 * a box is entered into the cells it touches at the level where these are at most two on each axis. Boxes that share
 * a point share its cell at any level, so a changed box looks into its cells at every level that has boxes; where that
 * would be more cells than there are boxes, it looks at the boxes instead. What keeps its cells is not entered anew.
 *
 * A pair shares up to eight cells; it is named in the one that holds the lower corner of what both have in common.
 *
 * A changed box costs O(1 + k) for each level in use, where k counts the boxes in its cells: constant when boxes of a
 * kind do not crowd. Memory O(n): at most eight entries a box, of 16 bytes. No coordinate is too large; see cells.h.
 */
#include "scene/cells.h"

enum
{
    MOST_ON_AXIS = 2,
    MANY_OF = 3 /* more than one of so many */
};

typedef struct grid
{
    graze_context context;
    grz_cells cells;
    GRZ_ARRAY(uint64_t) order; /* scratch: the changed, neighbours after each other */
    GRZ_ARRAY(uint8_t) fresh;  /* by number: it is among the changed; all 0 between updates */
} grid;

static void *create(const graze_context *context)
{
    grid *g = grz_allocate_zeroed(context, 1, sizeof *g);
    if (g != NULL)
        g->context = grz_context_copy(context);
    return g;
}

static void destroy(void *state)
{
    grid *g = state;
    graze_context context = g->context;
    grz_cells_release(&context, &g->cells);
    grz_release(&context, g->order.data);
    grz_release(&context, g->fresh.data);
    grz_release(&context, g);
}

static bool same_range(const grz_cell_range *a, const grz_cell_range *b)
{
    bool same = true;
    for (int axis = 0; axis < 3; axis++)
        same = same && a->lower[axis] == b->lower[axis] && a->upper[axis] == b->upper[axis];
    return same;
}

/* Takes a box out of its cells, if it is in any. */
static void take_out(grid *g, uint32_t id)
{
    const grz_cell_box *known = &g->cells.boxes.data[id];
    if (known->level == GRZ_LEVELS)
        return;
    int32_t cell[3];
    for (cell[0] = known->range.lower[0]; cell[0] <= known->range.upper[0]; cell[0]++)
        for (cell[1] = known->range.lower[1]; cell[1] <= known->range.upper[1]; cell[1]++)
            for (cell[2] = known->range.lower[2]; cell[2] <= known->range.upper[2]; cell[2]++)
                grz_cells_leave(&g->cells, id, grz_cell_hash(cell, known->level));
    grz_cells_displace(&g->cells, id);
}

/* Enters a box where it belongs now. False when out of memory. */
static bool settle(grid *g, uint32_t id, const grz_fat_box *box)
{
    grz_cell_range range;
    uint32_t level = grz_cell_level(box, MOST_ON_AXIS, &range);
    const grz_cell_box *known = &g->cells.boxes.data[id];
    if (known->level == level && same_range(&known->range, &range))
        return true;
    take_out(g, id);
    grz_cells_place(&g->cells, id, level, &range);
    int32_t cell[3];
    for (cell[0] = range.lower[0]; cell[0] <= range.upper[0]; cell[0]++)
        for (cell[1] = range.lower[1]; cell[1] <= range.upper[1]; cell[1]++)
            for (cell[2] = range.lower[2]; cell[2] <= range.upper[2]; cell[2]++)
                if (!grz_cells_enter(&g->context, &g->cells, id, grz_cell_hash(cell, level)))
                    return false;
    return true;
}

/* Where what two boxes share begins is in this cell. */
static inline bool begins_here(const grz_cell_range *a, const grz_cell_range *b, const int32_t cell[3])
{
    bool here = true;
    for (int axis = 0; axis < 3; axis++)
        /* shortcut: cell-of-the-corner */
        here = here & ((a->lower[axis] > b->lower[axis] ? a->lower[axis] : b->lower[axis]) == cell[axis]);
    return here;
}

/* Who asks, and what becomes of those found. */
typedef struct question
{
    const grid *g;
    const grz_boxes_view *view;
    const grz_fat_box *box;
    uint32_t asker;       /* or UINT32_MAX, for a query */
    uint32_t least_level; /* above 0: every box asks, about larger ones; else only those do that changed */
    grz_pair_sink *pairs;
    grz_id_sink *ids;
} question;

static inline void answer(const question *q, uint32_t id)
{
    const uint8_t *fresh = q->g->fresh.data;
    if (q->ids != NULL)
        grz_sink_id(q->ids, id);
    else if (q->least_level > 0 ? fresh[id] | fresh[q->asker] : id != q->asker && !(fresh[id] && id < q->asker))
        grz_sink_add(q->pairs, q->asker, id);
}

static void look_into(const question *q, const int32_t cell[3], uint32_t level, const grz_cell_range *range)
{
    const grz_cells *cells = &q->g->cells;
    uint32_t hash = grz_cell_hash(cell, level);
    const grz_link_list *list = grz_cells_bucket(cells, hash);
    const grz_link *links = grz_links_of(&cells->links, list);
    for (uint32_t i = 0; i < list->count; i++)
        if (links[i].candidate == hash && grz_fat_overlap(&q->view->fat[links[i].other], q->box) &&
            begins_here(&cells->boxes.data[links[i].other].range, range, cell))
            answer(q, links[i].other);
}

static void look_into_cells(const question *q, uint32_t level, const grz_cell_range *range)
{
    int32_t cell[3];
    for (cell[0] = range->lower[0]; cell[0] <= range->upper[0]; cell[0]++)
        for (cell[1] = range->lower[1]; cell[1] <= range->upper[1]; cell[1]++)
            for (cell[2] = range->lower[2]; cell[2] <= range->upper[2]; cell[2]++)
                look_into(q, cell, level, range);
}

static void look_at_boxes(const question *q, uint32_t level)
{
    const grz_cells *cells = &q->g->cells;
    for (uint32_t box = cells->chains[level]; box != 0; box = cells->boxes.data[box - 1].after)
        if (grz_fat_overlap(&q->view->fat[box - 1], q->box))
            answer(q, box - 1);
}

static void ask(const question *q)
{
    const grz_cells *cells = &q->g->cells;
    for (uint32_t word = 0; word < sizeof cells->occupied / sizeof *cells->occupied; word++)
    {
        for (uint64_t bits = cells->occupied[word]; bits != 0; bits &= bits - 1)
        {
            uint32_t level = 64 * word + (uint32_t)__builtin_ctzll(bits);
            if (level < q->least_level)
                continue;
            grz_cell_range range = grz_cells_of_box(q->box, level);
            if (grz_cell_count(&range) <= (double)cells->counts[level])
                look_into_cells(q, level, &range);
            else
                look_at_boxes(q, level);
        }
    }
}

/* Names the pairs of a bucket that are entered at the same level, each where what both share begins. */
static void pair_up(const grid *g, const grz_boxes_view *view, const grz_link *links, uint32_t count,
                    grz_pair_sink *sink)
{
    const grz_cell_box *boxes = g->cells.boxes.data;
    for (uint32_t i = 1; i < count; i++)
    {
        uint32_t a = links[i].other, hash = links[i].candidate;
        const grz_fat_box *box = &view->fat[a];
        for (uint32_t k = 0; k < i; k++)
        {
            uint32_t b = links[k].other;
            if (!((int)(links[k].candidate == hash) & (int)grz_fat_overlap(box, &view->fat[b])) || a == b ||
                boxes[a].level != boxes[b].level || !(g->fresh.data[a] | g->fresh.data[b]))
                continue;
            int32_t corner[3];
            for (int axis = 0; axis < 3; axis++)
                corner[axis] = boxes[a].range.lower[axis] > boxes[b].range.lower[axis] ? boxes[a].range.lower[axis]
                                                                                       : boxes[b].range.lower[axis];
            if (grz_cell_hash(corner, boxes[a].level) == hash)
                grz_sink_add(sink, a, b);
        }
    }
}

/* When most boxes changed: first bucket by bucket, then every box asks about larger ones. */
static void ask_all(const grid *g, const grz_boxes_view *view, grz_pair_sink *sink)
{
    for (size_t bucket = 0; bucket <= g->cells.mask && !sink->failed; bucket++)
    {
        const grz_link_list *list = &g->cells.buckets[bucket];
        if (list->count > 1)
            pair_up(g, view, grz_links_of(&g->cells.links, list), list->count, sink);
    }
    for (uint32_t level = 0; level < GRZ_LEVELS; level++)
    {
        for (uint32_t box = g->cells.chains[level]; box != 0; box = g->cells.boxes.data[box - 1].after)
        {
            question q = {.g = g, .view = view, .box = &view->fat[box - 1], .asker = box - 1, .pairs = sink};
            q.least_level = level + 1;
            ask(&q);
        }
    }
}

static bool make_room(grid *g, const grz_boxes_view *view, size_t changed_count)
{
    if (!grz_cells_reserve(&g->context, &g->cells, view->limit, view->count) ||
        !GRZ_RESERVE(&g->context, &g->fresh, view->limit) || !GRZ_RESERVE(&g->context, &g->order, 2 * changed_count))
        return false;
    while (g->fresh.count < view->limit)
        g->fresh.data[g->fresh.count++] = 0;
    return true;
}

static bool update(void *state, const grz_boxes_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink)
{
    grid *g = state;
    if (!make_room(g, view, changed_count))
        return false;
    uint64_t *order = g->order.data;
    grz_cells_order(&g->cells, view, changed, changed_count, order);
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = (uint32_t)order[i];
        g->fresh.data[id] = 1;
        if (!view->present[id])
            take_out(g, id);
        else if (!settle(g, id, &view->fat[id]))
            return false;
    }
    bool most = MANY_OF * changed_count > view->count;
    if (most)
        ask_all(g, view, sink);
    for (size_t i = 0; i < changed_count && !sink->failed && !most; i++)
    {
        uint32_t id = (uint32_t)order[i];
        question q = {.g = g, .view = view, .box = &view->fat[id], .asker = id, .pairs = sink};
        if (view->present[id])
            ask(&q);
    }
    for (size_t i = 0; i < changed_count; i++)
        g->fresh.data[changed[i]] = 0;
    return !sink->failed;
}

static void in_box(const void *state, const grz_boxes_view *view, const grz_fat_box *box, grz_id_sink *sink)
{
    const question q = {.g = state, .view = view, .box = box, .asker = UINT32_MAX, .ids = sink};
    ask(&q);
}

static void on_ray(const void *state, const grz_boxes_view *view, const grz_ray *ray, grz_id_sink *sink)
{
    (void)state;
    for (uint32_t id = 0; id < view->limit; id++)
        if (view->present[id] && grz_ray_meets_fat(ray, &view->fat[id]))
            grz_sink_id(sink, id);
}

static size_t memory(const void *state)
{
    const grid *g = state;
    return sizeof *g + grz_cells_memory(&g->cells) + g->fresh.capacity + g->order.capacity * sizeof *g->order.data;
}

/* Whether every box is in the cells it touches, and no flag was left. */
static bool validate(const void *state, const grz_boxes_view *view)
{
    const grid *g = state;
    double cells = 0;
    if (!grz_cells_validate(&g->cells, view))
        return false;
    for (uint32_t id = 0; id < view->limit; id++)
    {
        if (g->fresh.data[id])
            return false;
        if (!view->present[id])
            continue;
        grz_cell_range range;
        uint32_t level = grz_cell_level(&view->fat[id], MOST_ON_AXIS, &range);
        if (g->cells.boxes.data[id].level != level || !same_range(&g->cells.boxes.data[id].range, &range))
            return false;
        cells += grz_cell_count(&range);
    }
    return cells == (double)g->cells.used;
}

const grz_broad_method grz_grid = {.create = create,
                                   .destroy = destroy,
                                   .update = update,
                                   .in_box = in_box,
                                   .on_ray = on_ray,
                                   .memory = memory,
                                   .validate = validate};
