/* SPDX-License-Identifier: MIT */
/*
 * Broad phase by a hierarchical hash grid with OBBs (Zachmann's thesis, section 5.5.1): an OBB is inserted into the
 * cells that it touches itself, not into all cells of its AABB, so long slanted boxes share cells with far fewer
 * others. A box without OBB is inserted with its fat AABB. Levels are as in hash_grid_method.c, with up to four cells
 * on an axis, since in larger cells the orientation makes no difference.
 *
 * Boxes that share a point share its cell at any level, so a changed box visits the cells it touches at each level, or
 * scans a level that has fewer boxes than it has cells. Boxes already visited carry a stamp (same thesis, 7.3.1). No
 * pair that overlaps in the exact test (exact/oriented_boxes.h) is missed, since the cells of obb_cells.h contain all
 * cells that the exact box touches.
 *
 * A changed box costs O(c + k) for its c cells, at most 64 at its own level, and the k boxes in them. Box queries are
 * linear scans of the fat AABBs. Memory O(n): up to 64 entries of 16 bytes per box.
 */
#include "broad/linear_scan.h"
#include "broad/obb_cells.h"

enum
{
    MOST_ON_AXIS = 4,
    MANY_OF = 3 /* all pairs are searched if more than 1/3 of the boxes changed */
};

typedef struct oriented_grid_state
{
    graze_context context;
    grz_hash_grid cells;
    grz_list_pool hashes; /* hashes of the cells each box is in */
    GRZ_ARRAY(grz_pooled_list) lists;
    GRZ_ARRAY(uint32_t) stamps; /* by id: the last query that visited it */
    GRZ_ARRAY(uint64_t) order;  /* scratch: the changed boxes in Morton order */
    grz_cell_list touched;      /* scratch */
    uint32_t stamp;
} oriented_grid_state;

static void release(const graze_context *context, void *state)
{
    oriented_grid_state *g = state;
    grz_hash_grid_release(context, &g->cells);
    grz_list_pool_release(context, &g->hashes);
    grz_release(context, g->lists.data);
    grz_release(context, g->stamps.data);
    grz_release(context, g->order.data);
    grz_release(context, g->touched.data);
}

static bool is_oriented(const grz_aabb_view *view, uint32_t id)
{
    return view->has_oriented != NULL && view->has_oriented[id];
}

static grz_cell_range range_at(const grz_aabb_view *view, uint32_t id, uint32_t level)
{
    return is_oriented(view, id) ? grz_obb_cell_range(&view->oriented[id], level)
                                 : grz_cells_of_box(&view->fat[id], level);
}

static uint32_t level_of(const grz_aabb_view *view, uint32_t id, grz_cell_range *out_range)
{
    return is_oriented(view, id) ? grz_obb_cell_level(&view->oriented[id], MOST_ON_AXIS, out_range)
                                 : grz_cell_level_of_box(&view->fat[id], MOST_ON_AXIS, out_range);
}

/* Writes the cells that a box touches at a level to `touched`. False when out of memory. */
static bool rasterise_box(oriented_grid_state *g, const grz_aabb_view *view, uint32_t id, uint32_t level,
                          const grz_cell_range *range)
{
    g->touched.count = 0;
    if (is_oriented(view, id))
        return grz_obb_cells(&g->context, &view->oriented[id], level, range, &g->touched);
    grz_cell cell;
    for (cell.at[0] = range->lower[0]; cell.at[0] <= range->upper[0]; cell.at[0]++)
        for (cell.at[1] = range->lower[1]; cell.at[1] <= range->upper[1]; cell.at[1]++)
            for (cell.at[2] = range->lower[2]; cell.at[2] <= range->upper[2]; cell.at[2]++)
                if (!GRZ_PUSH(&g->context, &g->touched, cell))
                    return false;
    return true;
}

/* Removes a box from its cells, if it is in any. */
static void remove_box(oriented_grid_state *g, uint32_t id)
{
    grz_pooled_list *list = &g->lists.data[id];
    if (g->cells.boxes.data[id].level == GRZ_GRID_LEVELS)
        return;
    while (list->count > 0)
    {
        grz_hash_grid_remove(&g->cells, id, grz_list_entries(&g->hashes, list)[list->count - 1].other);
        grz_list_remove(&g->hashes, list, list->count - 1);
    }
    grz_hash_grid_remove_from_level(&g->cells, id);
}

/* Whether a box is in the cells of `touched` already. */
static bool is_in_same_cells(const oriented_grid_state *g, uint32_t id, uint32_t level)
{
    const grz_pooled_list *list = &g->lists.data[id];
    if (g->cells.boxes.data[id].level != level || list->count != g->touched.count)
        return false;
    const grz_list_entry *links = grz_list_entries(&g->hashes, list);
    for (size_t i = 0; i < g->touched.count; i++)
        if (links[i].other != grz_cell_hash(g->touched.data[i].at, level))
            return false;
    return true;
}

/* Inserts a box into the cells it touches now. False when out of memory. */
static bool insert_box(oriented_grid_state *g, const grz_aabb_view *view, uint32_t id)
{
    grz_cell_range range;
    uint32_t level = level_of(view, id, &range);
    if (!rasterise_box(g, view, id, level, &range))
        return false;
    if (is_in_same_cells(g, id, level))
        return true;
    remove_box(g, id);
    grz_hash_grid_add_to_level(&g->cells, id, level, &range);
    for (size_t i = 0; i < g->touched.count; i++)
    {
        uint32_t hash = grz_cell_hash(g->touched.data[i].at, level);
        if (!grz_list_add(&g->context, &g->hashes, &g->lists.data[id], (grz_list_entry){hash, 0}))
            return false;
        if (!grz_hash_grid_insert(&g->context, &g->cells, id, hash))
            return false;
    }
    return true;
}

/* Reports a pair, unless this query has visited `other` before. */
static inline void emit_pair(oriented_grid_state *g, const grz_aabb_view *view, uint32_t id, uint32_t other,
                             grz_pair_sink *sink)
{
    if (g->stamps.data[other] == g->stamp)
        return;
    g->stamps.data[other] = g->stamp;
    if (grz_view_either_changed(view, id, other) && grz_fat_aabb_overlap(&view->fat[id], &view->fat[other]))
        grz_sink_add_pair(sink, id, other);
}

static void visit_cell(oriented_grid_state *g, const grz_aabb_view *view, uint32_t id, uint32_t hash,
                       grz_pair_sink *sink)
{
    const grz_pooled_list *list = grz_hash_grid_bucket(&g->cells, hash);
    const grz_list_entry *links = grz_list_entries(&g->cells.links, list);
    for (uint32_t i = 0; i < list->count; i++)
        if (links[i].candidate == hash)
            emit_pair(g, view, id, links[i].other, sink);
}

/* Reports the pairs of a box with boxes of a level. False when out of memory. */
static bool visit_level(oriented_grid_state *g, const grz_aabb_view *view, uint32_t id, uint32_t level,
                        grz_pair_sink *sink)
{
    if (g->cells.boxes.data[id].level == level)
    {
        const grz_pooled_list *list = &g->lists.data[id];
        for (uint32_t i = 0; i < list->count; i++)
            visit_cell(g, view, id, grz_list_entries(&g->hashes, list)[i].other, sink);
        return true;
    }
    grz_cell_range range = range_at(view, id, level);
    if (grz_cell_count(&range) > (double)g->cells.counts[level])
    {
        for (uint32_t box = g->cells.level_lists[level]; box != 0; box = g->cells.boxes.data[box - 1].next)
            emit_pair(g, view, id, box - 1, sink);
        return true;
    }
    if (!rasterise_box(g, view, id, level, &range))
        return false;
    for (size_t i = 0; i < g->touched.count; i++)
        visit_cell(g, view, id, grz_cell_hash(g->touched.data[i].at, level), sink);
    return true;
}

/* Reports the pairs of a box with boxes of a level and above. False when out of memory. */
static bool query_box(oriented_grid_state *g, const grz_aabb_view *view, uint32_t id, uint32_t least_level,
                      grz_pair_sink *sink)
{
    g->stamp++;
    g->stamps.data[id] = g->stamp;
    for (uint32_t word = least_level / 64; word < sizeof g->cells.occupied / sizeof *g->cells.occupied; word++)
    {
        for (uint64_t bits = g->cells.occupied[word]; bits != 0; bits &= bits - 1)
        {
            uint32_t level = 64 * word + (uint32_t)__builtin_ctzll(bits);
            if (level >= least_level && !visit_level(g, view, id, level, sink))
                return false;
        }
    }
    return !sink->failed;
}

/* When many boxes changed, it is less work if every box searches its own level and larger ones. */
static bool query_all(oriented_grid_state *g, const grz_aabb_view *view, grz_pair_sink *sink)
{
    for (uint32_t level = 0; level < GRZ_GRID_LEVELS; level++)
        for (uint32_t box = g->cells.level_lists[level]; box != 0; box = g->cells.boxes.data[box - 1].next)
            if (!query_box(g, view, box - 1, level, sink))
                return false;
    return true;
}

static bool query_changed(oriented_grid_state *g, const grz_aabb_view *view, size_t changed_count, grz_pair_sink *sink)
{
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = (uint32_t)g->order.data[i];
        if (view->present[id] && !query_box(g, view, id, 0, sink))
            return false;
    }
    return true;
}

static bool make_room(oriented_grid_state *g, const grz_aabb_view *view, size_t changed_count)
{
    if (!grz_hash_grid_reserve(&g->context, &g->cells, view->limit, view->count) ||
        !GRZ_RESERVE(&g->context, &g->lists, view->limit) || !GRZ_RESERVE(&g->context, &g->stamps, view->limit) ||
        !GRZ_RESERVE(&g->context, &g->order, 2 * changed_count))
        return false;
    while (g->lists.count < view->limit)
    {
        g->lists.data[g->lists.count++] = (grz_pooled_list){0};
        g->stamps.data[g->stamps.count++] = 0;
    }
    if (g->stamp > UINT32_MAX - 1 - view->limit) /* restart the stamps */
    {
        for (size_t i = 0; i < g->stamps.count; i++)
            g->stamps.data[i] = 0;
        g->stamp = 0;
    }
    return true;
}

static bool update(void *state, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink)
{
    oriented_grid_state *g = state;
    if (!make_room(g, view, changed_count))
        return false;
    uint64_t *order = g->order.data;
    grz_hash_grid_morton_order(&g->cells, view, changed, changed_count, order);
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t id = (uint32_t)order[i];
        if (!view->present[id])
            remove_box(g, id);
        else if (!insert_box(g, view, id))
            return false;
    }
    bool done =
        MANY_OF * changed_count > view->count ? query_all(g, view, sink) : query_changed(g, view, changed_count, sink);
    return done && !sink->failed;
}

static size_t memory(const void *state)
{
    const oriented_grid_state *g = state;
    return grz_hash_grid_memory(&g->cells) + g->hashes.pool.capacity * sizeof *g->hashes.pool.data +
           g->lists.capacity * sizeof *g->lists.data + g->stamps.capacity * sizeof *g->stamps.data +
           g->order.capacity * sizeof *g->order.data + g->touched.capacity * sizeof *g->touched.data;
}

/* Whether every box is at its level, and its list has as many cells as the grid has entries. */
static bool validate(const void *state, const grz_aabb_view *view)
{
    const oriented_grid_state *g = state;
    size_t noted = 0;
    if (!grz_hash_grid_validate(&g->cells, view))
        return false;
    for (uint32_t id = 0; id < view->limit; id++)
    {
        noted += g->lists.data[id].count;
        grz_cell_range range;
        if (view->present[id] && g->cells.boxes.data[id].level != level_of(view, id, &range))
            return false;
    }
    return noted == g->cells.entry_count;
}

const grz_broad_method grz_oriented_grid_method = {.supports_obb = true,
                                                   .state_size = sizeof(oriented_grid_state),
                                                   .release = release,
                                                   .update = update,
                                                   .in_box = grz_linear_scan_in_box,
                                                   .on_ray = grz_linear_scan_on_ray,
                                                   .memory = memory,
                                                   .validate = validate};
