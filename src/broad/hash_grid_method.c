/* SPDX-License-Identifier: MIT */
/*
 * Broad phase by a hierarchical hash grid (Zachmann's thesis, section 5.5; levels by size as in Ericson, Real-Time
 * Collision Detection, 7.2): a box is inserted into the cells it touches at the lowest level where these are at most
 * two on each axis. Boxes that share a point share its cell at any level, so a changed box visits its cells at every
 * level that has boxes; where these are more than the boxes of the level, it scans the boxes instead. A box whose cells
 * are the same as before is not re-inserted.
 *
 * A pair shares up to eight cells; it is reported in the cell that contains the lower corner of the overlap.
 *
 * A changed box costs O(1 + k) per occupied level, where k counts the boxes in its cells: constant unless many boxes of
 * similar size crowd together. Memory O(n): at most eight entries of 8 bytes per box, and unused capacity. Coordinates
 * may be arbitrarily large; see hash_grid.h.
 */
#include "broad/hash_grid.h"
#include "broad/linear_scan.h"

enum
{
    MOST_ON_AXIS = 2,
    MANY_OF = 3 /* all pairs are searched if more than 1/3 of the boxes changed */
};

typedef struct grid_state
{
    graze_context context;
    grz_hash_grid cells;
    GRZ_ARRAY(uint64_t) order; /* scratch: the changed boxes in Morton order */
} grid_state;

static void release(const graze_context *context, void *state)
{
    grid_state *g = state;
    grz_hash_grid_release(context, &g->cells);
    grz_release(context, g->order.data);
}

static bool same_range(const grz_cell_range *a, const grz_cell_range *b)
{
    bool same = true;
    for (int axis = 0; axis < 3; axis++)
        same = same && a->lower[axis] == b->lower[axis] && a->upper[axis] == b->upper[axis];
    return same;
}

/* Removes a box from its cells, if it is in any. */
static void remove_box(grid_state *g, uint32_t id)
{
    const grz_hash_grid_box *stored = &g->cells.boxes.data[id];
    if (stored->level == GRZ_GRID_LEVELS)
        return;
    int32_t cell[3];
    for (cell[0] = stored->range.lower[0]; cell[0] <= stored->range.upper[0]; cell[0]++)
        for (cell[1] = stored->range.lower[1]; cell[1] <= stored->range.upper[1]; cell[1]++)
            for (cell[2] = stored->range.lower[2]; cell[2] <= stored->range.upper[2]; cell[2]++)
                grz_hash_grid_remove(&g->cells, id, grz_cell_hash(cell, stored->level));
    grz_hash_grid_remove_from_level(&g->cells, id);
}

/* Inserts a box into the cells it touches now. False when out of memory. */
static bool insert_box(grid_state *g, uint32_t id, const grz_fat_aabb *box)
{
    grz_cell_range range;
    uint32_t level = grz_cell_level_of_box(box, MOST_ON_AXIS, &range);
    const grz_hash_grid_box *stored = &g->cells.boxes.data[id];
    if (stored->level == level && same_range(&stored->range, &range))
        return true;
    remove_box(g, id);
    grz_hash_grid_add_to_level(&g->cells, id, level, &range);
    int32_t cell[3];
    for (cell[0] = range.lower[0]; cell[0] <= range.upper[0]; cell[0]++)
        for (cell[1] = range.lower[1]; cell[1] <= range.upper[1]; cell[1]++)
            for (cell[2] = range.lower[2]; cell[2] <= range.upper[2]; cell[2]++)
                if (!grz_hash_grid_insert(&g->context, &g->cells, id, grz_cell_hash(cell, level)))
                    return false;
    return true;
}

/* Whether this cell contains the lower corner of the overlap of two boxes. */
static inline bool is_reporting_cell(const grz_cell_range *a, const grz_cell_range *b, const int32_t cell[3])
{
    bool here = true;
    for (int axis = 0; axis < 3; axis++)
        /* shortcut: cell-of-lower-corner */
        here = here & ((a->lower[axis] > b->lower[axis] ? a->lower[axis] : b->lower[axis]) == cell[axis]);
    return here;
}

/* The box of a query, and the sink of its results. */
typedef struct grid_query
{
    const grid_state *g;
    const grz_aabb_view *view;
    const grz_fat_aabb *box;
    uint32_t query_id;    /* id of the box; UINT32_MAX for a box query */
    uint32_t least_level; /* above 0: every box searches larger ones; 0: only changed boxes search */
    grz_pair_sink *pairs;
    grz_id_sink *ids;
} grid_query;

static inline void emit(const grid_query *q, uint32_t id)
{
    if (q->pairs == NULL)
        grz_sink_add_id(q->ids, id);
    else if (q->least_level > 0 ? grz_view_either_changed(q->view, id, q->query_id)
                                : id != q->query_id && !(grz_view_changed(q->view, id) && id < q->query_id))
        grz_sink_add_pair(q->pairs, q->query_id, id);
}

static void visit_cell(const grid_query *q, const int32_t cell[3], uint32_t level, const grz_cell_range *range)
{
    const grz_hash_grid *cells = &q->g->cells;
    uint32_t hash = grz_cell_hash(cell, level);
    const grz_pooled_list *list = grz_hash_grid_bucket(cells, hash);
    const grz_list_entry *links = grz_list_entries(&cells->links, list);
    for (uint32_t i = 0; i < list->count; i++)
        if (links[i].candidate == hash && grz_fat_aabb_overlap(&q->view->fat[links[i].other], q->box) &&
            is_reporting_cell(&cells->boxes.data[links[i].other].range, range, cell))
            emit(q, links[i].other);
}

static void visit_cells(const grid_query *q, uint32_t level, const grz_cell_range *range)
{
    int32_t cell[3];
    for (cell[0] = range->lower[0]; cell[0] <= range->upper[0]; cell[0]++)
        for (cell[1] = range->lower[1]; cell[1] <= range->upper[1]; cell[1]++)
            for (cell[2] = range->lower[2]; cell[2] <= range->upper[2]; cell[2]++)
                visit_cell(q, cell, level, range);
}

static void scan_level(const grid_query *q, uint32_t level)
{
    const grz_hash_grid *cells = &q->g->cells;
    for (uint32_t box = cells->level_lists[level]; box != 0; box = cells->boxes.data[box - 1].next)
        if (grz_fat_aabb_overlap(&q->view->fat[box - 1], q->box))
            emit(q, box - 1);
}

static void run_query(const grid_query *q)
{
    const grz_hash_grid *cells = &q->g->cells;
    for (uint32_t word = 0; word < sizeof cells->occupied / sizeof *cells->occupied; word++)
    {
        for (uint64_t bits = cells->occupied[word]; bits != 0; bits &= bits - 1)
        {
            uint32_t level = 64 * word + (uint32_t)__builtin_ctzll(bits);
            if (level < q->least_level)
                continue;
            grz_cell_range range = grz_cells_of_box(q->box, level);
            if (grz_cell_count(&range) <= (double)cells->counts[level])
                visit_cells(q, level, &range);
            else
                scan_level(q, level);
        }
    }
}

/* Reports the pairs in a bucket of boxes of the same level, each in the cell with the lower corner of the overlap. */
static void pair_bucket(const grid_state *g, const grz_aabb_view *view, const grz_list_entry *links, uint32_t count,
                        grz_pair_sink *sink)
{
    const grz_hash_grid_box *boxes = g->cells.boxes.data;
    for (uint32_t i = 1; i < count; i++)
    {
        uint32_t a = links[i].other, hash = links[i].candidate;
        const grz_fat_aabb *box = &view->fat[a];
        for (uint32_t k = 0; k < i; k++)
        {
            uint32_t b = links[k].other;
            if (!((int)(links[k].candidate == hash) & (int)grz_fat_aabb_overlap(box, &view->fat[b])) || a == b ||
                boxes[a].level != boxes[b].level || !grz_view_either_changed(view, a, b))
                continue;
            int32_t corner[3];
            for (int axis = 0; axis < 3; axis++)
                corner[axis] = boxes[a].range.lower[axis] > boxes[b].range.lower[axis] ? boxes[a].range.lower[axis]
                                                                                       : boxes[b].range.lower[axis];
            if (grz_cell_hash(corner, boxes[a].level) == hash)
                grz_sink_add_pair(sink, a, b);
        }
    }
}

/* When many boxes changed: pairs of the same level bucket by bucket, then every box searches larger levels. */
static void query_all(const grid_state *g, const grz_aabb_view *view, grz_pair_sink *sink)
{
    for (size_t bucket = 0; bucket <= g->cells.mask && !sink->failed; bucket++)
    {
        const grz_pooled_list *list = &g->cells.buckets[bucket];
        if (list->count > 1)
            pair_bucket(g, view, grz_list_entries(&g->cells.links, list), list->count, sink);
    }
    for (uint32_t level = 0; level < GRZ_GRID_LEVELS; level++)
    {
        for (uint32_t box = g->cells.level_lists[level]; box != 0; box = g->cells.boxes.data[box - 1].next)
        {
            grid_query q = {.g = g, .view = view, .box = &view->fat[box - 1], .query_id = box - 1, .pairs = sink};
            q.least_level = level + 1;
            run_query(&q);
        }
    }
}

static bool update(void *state, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink)
{
    grid_state *g = state;
    if (!grz_hash_grid_reserve(&g->context, &g->cells, view->limit, view->count) ||
        !GRZ_RESERVE(&g->context, &g->order, 2 * changed_count))
        return false;
    uint64_t *order = g->order.data;
    grz_hash_grid_morton_order(&g->cells, view, changed, changed_count, order);
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = (uint32_t)order[i];
        if (!view->present[id])
            remove_box(g, id);
        else if (!insert_box(g, id, &view->fat[id]))
            return false;
    }
    bool most = MANY_OF * changed_count > view->count;
    if (most)
        query_all(g, view, sink);
    for (size_t i = 0; i < changed_count && !sink->failed && !most; i++)
    {
        uint32_t id = (uint32_t)order[i];
        grid_query q = {.g = g, .view = view, .box = &view->fat[id], .query_id = id, .pairs = sink};
        if (view->present[id])
            run_query(&q);
    }
    return !sink->failed;
}

static void in_box(const void *state, const grz_aabb_view *view, const grz_fat_aabb *box, grz_id_sink *sink)
{
    const grid_query q = {.g = state, .view = view, .box = box, .query_id = UINT32_MAX, .ids = sink};
    run_query(&q);
}

static size_t memory(const void *state)
{
    const grid_state *g = state;
    return grz_hash_grid_memory(&g->cells) + g->order.capacity * sizeof *g->order.data;
}

/* Whether every box is in the cells it touches. */
static bool validate(const void *state, const grz_aabb_view *view)
{
    const grid_state *g = state;
    double cells = 0;
    if (!grz_hash_grid_validate(&g->cells, view))
        return false;
    for (uint32_t id = 0; id < view->limit; id++)
    {
        if (!view->present[id])
            continue;
        grz_cell_range range;
        uint32_t level = grz_cell_level_of_box(&view->fat[id], MOST_ON_AXIS, &range);
        if (g->cells.boxes.data[id].level != level || !same_range(&g->cells.boxes.data[id].range, &range))
            return false;
        cells += grz_cell_count(&range);
    }
    return cells == (double)g->cells.entry_count;
}

const grz_broad_method grz_hash_grid_method = {.state_size = sizeof(grid_state),
                                               .release = release,
                                               .update = update,
                                               .in_box = in_box,
                                               .on_ray = grz_linear_scan_on_ray,
                                               .memory = memory,
                                               .validate = validate};
