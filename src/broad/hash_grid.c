/* SPDX-License-Identifier: MIT */
/* Hierarchical hash grid; see hash_grid.h. */
#include "broad/hash_grid.h"

#include <math.h>

#include "base/sort.h"
#include "broad/morton.h"

enum
{
    LEAST_BUCKETS = 64,
    LEAST_BUCKETS_EACH = 2, /* per box */
    ENOUGH_TO_ORDER = 128,
    FAR = GRZ_GRID_LAST_CELL
};

/* floor(x), clamped to the range of cells. The conversion truncates in every rounding mode. */
static inline int32_t floor_of(double x)
{
    if (!(x > -FAR))
        return -FAR;
    if (x >= FAR)
        return FAR;
    int32_t whole = (int32_t)x;
    return whole - ((double)whole > x);
}

grz_cell_range grz_cells_of_box(const grz_fat_aabb *box, uint32_t level)
{
    grz_cell_range range;
    /* shortcut: cells */
    double scale = grz_cells_per_unit(level);
    for (int axis = 0; axis < 3; axis++)
    {
        range.lower[axis] = floor_of((double)box->lower[axis] * scale);
        range.upper[axis] = floor_of((double)box->upper[axis] * scale);
    }
    return range;
}

bool grz_cell_range_is_wider(const grz_cell_range *range, int most)
{
    for (int axis = 0; axis < 3; axis++)
        if ((int64_t)range->upper[axis] - range->lower[axis] >= most)
            return true;
    return false;
}

/*
 * A first guess from the exponents of doubles, which callers correct with the cells themselves, so rounding does not
 * matter. A box much smaller than its distance from the origin gets cells whose coordinates fit in 2^30.
 */
uint32_t grz_cell_level_for_size(double size, double extent, int most)
{
    int exponent;
    size = fmax(fmax(size / (most - 1), extent * 0x1p-28), 0x1p-160);
    frexp(fmin(size, 0x1p200), &exponent); /* size <= 2^exponent */
    int steps = exponent - 1 - GRZ_GRID_LEAST_EXPONENT;
    uint32_t level = steps <= 0 ? 0 : (uint32_t)(steps / GRZ_GRID_LEVEL_STEP);
    return level < GRZ_GRID_LEVELS ? level : GRZ_GRID_LEVELS - 1;
}

uint32_t grz_cell_level_of_box(const grz_fat_aabb *box, int most, grz_cell_range *out_range)
{
    double size = 0, extent = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        size = fmax(size, (double)box->upper[axis] - (double)box->lower[axis]);
        extent = fmax(extent, fmax(fabs((double)box->lower[axis]), fabs((double)box->upper[axis])));
    }
    uint32_t level = grz_cell_level_for_size(size, extent, most);
    grz_cell_range range = grz_cells_of_box(box, level);
    while (grz_cell_range_is_wider(&range, most) && level < GRZ_GRID_LEVELS - 1)
        range = grz_cells_of_box(box, ++level);
    *out_range = range;
    return level;
}

/* Moves all entries to a table of another size. False when out of memory, with nothing changed. */
static bool rehash(const graze_context *context, grz_hash_grid *cells, size_t bucket_count)
{
    grz_hash_grid larger = {.buckets = grz_allocate_zeroed(context, bucket_count, sizeof *larger.buckets),
                            .mask = (uint32_t)(bucket_count - 1)};
    bool done = larger.buckets != NULL;
    for (size_t bucket = 0; done && cells->buckets != NULL && bucket <= cells->mask; bucket++)
    {
        const grz_pooled_list *list = &cells->buckets[bucket];
        const grz_list_entry *links = grz_list_entries(&cells->links, list);
        for (uint32_t i = 0; i < list->count && done; i++)
            done = grz_list_add(context, &larger.links, &larger.buckets[links[i].candidate & larger.mask], links[i]);
    }
    grz_hash_grid *useless = done ? cells : &larger;
    grz_release(context, useless->buckets);
    grz_list_pool_release(context, &useless->links);
    if (!done)
        return false;
    cells->buckets = larger.buckets;
    cells->mask = larger.mask;
    cells->links = larger.links;
    return true;
}

bool grz_hash_grid_reserve(const graze_context *context, grz_hash_grid *cells, uint32_t limit, size_t count)
{
    if (!GRZ_RESERVE(context, &cells->boxes, limit))
        return false;
    while (cells->boxes.count < limit)
        cells->boxes.data[cells->boxes.count++] = (grz_hash_grid_box){.level = GRZ_GRID_LEVELS};
    size_t buckets = cells->buckets != NULL ? (size_t)cells->mask + 1 : 0, wanted = LEAST_BUCKETS;
    if (LEAST_BUCKETS_EACH * count <= buckets && buckets > 0)
        return true;
    while (wanted < 2 * LEAST_BUCKETS_EACH * count && wanted < UINT32_C(1) << 31)
        wanted *= 2;
    return wanted <= buckets || rehash(context, cells, wanted);
}

void grz_hash_grid_add_to_level(grz_hash_grid *cells, uint32_t box, uint32_t level, const grz_cell_range *range)
{
    uint32_t head = cells->level_lists[level];
    cells->boxes.data[box] = (grz_hash_grid_box){.range = *range, .next = head, .level = level};
    if (head != 0)
        cells->boxes.data[head - 1].previous = box + 1;
    cells->level_lists[level] = box + 1;
    if (cells->counts[level]++ == 0)
        cells->occupied[level / 64] |= UINT64_C(1) << level % 64;
}

void grz_hash_grid_remove_from_level(grz_hash_grid *cells, uint32_t box)
{
    grz_hash_grid_box *b = &cells->boxes.data[box];
    if (b->previous != 0)
        cells->boxes.data[b->previous - 1].next = b->next;
    else
        cells->level_lists[b->level] = b->next;
    if (b->next != 0)
        cells->boxes.data[b->next - 1].previous = b->previous;
    if (--cells->counts[b->level] == 0)
        cells->occupied[b->level / 64] &= ~(UINT64_C(1) << b->level % 64);
    *b = (grz_hash_grid_box){.level = GRZ_GRID_LEVELS};
}

bool grz_hash_grid_insert(const graze_context *context, grz_hash_grid *cells, uint32_t box, uint32_t hash)
{
    if (!grz_list_add(context, &cells->links, &cells->buckets[hash & cells->mask], (grz_list_entry){box, hash}))
        return false;
    cells->entry_count++;
    return true;
}

void grz_hash_grid_remove(grz_hash_grid *cells, uint32_t box, uint32_t hash)
{
    grz_pooled_list *list = &cells->buckets[hash & cells->mask];
    const grz_list_entry *links = grz_list_entries(&cells->links, list);
    uint32_t index = 0;
    while (links[index].other != box || links[index].candidate != hash)
        index++;
    grz_list_remove(&cells->links, list, index);
    cells->entry_count--;
}

/* By Morton codes of the cells at the level with the most boxes; the lowest ten bits of each coordinate are enough. */
void grz_hash_grid_morton_order(const grz_hash_grid *cells, const grz_aabb_view *view, const uint32_t *boxes,
                                size_t count, uint64_t *out_words)
{
    uint32_t level = 0;
    for (uint32_t l = 0; l < GRZ_GRID_LEVELS; l++)
        if (cells->counts[l] > cells->counts[level])
            level = l;
    if (cells->counts[level] == 0 && count > 0)
    {
        grz_cell_range ignored;
        level = grz_cell_level_of_box(&view->fat[boxes[count / 2]], 2, &ignored);
    }
    double scale = grz_cells_per_unit(level);
    for (size_t i = 0; i < count; i++)
    {
        const grz_fat_aabb *box = &view->fat[boxes[i]];
        int32_t cell[3];
        for (int axis = 0; axis < 3; axis++)
            cell[axis] = floor_of((double)box->lower[axis] * scale);
        out_words[i] = (uint64_t)grz_morton_code(cell) << 32 | boxes[i];
    }
    if (count >= ENOUGH_TO_ORDER)
        grz_sort_words(out_words, out_words + count, count);
}

void grz_hash_grid_release(const graze_context *context, grz_hash_grid *cells)
{
    grz_release(context, cells->buckets);
    grz_list_pool_release(context, &cells->links);
    grz_release(context, cells->boxes.data);
    *cells = (grz_hash_grid){0};
}

size_t grz_hash_grid_memory(const grz_hash_grid *cells)
{
    size_t buckets = cells->buckets != NULL ? (size_t)cells->mask + 1 : 0;
    return buckets * sizeof *cells->buckets + cells->links.pool.capacity * sizeof *cells->links.pool.data +
           cells->boxes.capacity * sizeof *cells->boxes.data;
}

/* Whether level_lists hold exactly the boxes of each level. */
static bool level_lists_are_valid(const grz_hash_grid *cells)
{
    for (uint32_t level = 0; level < GRZ_GRID_LEVELS; level++)
    {
        uint32_t count = 0, previous = 0;
        for (uint32_t box = cells->level_lists[level]; box != 0; box = cells->boxes.data[box - 1].next)
        {
            if (cells->boxes.data[box - 1].level != level || cells->boxes.data[box - 1].previous != previous ||
                count++ >= cells->counts[level])
                return false;
            previous = box;
        }
        if (count != cells->counts[level] || (count > 0) != ((cells->occupied[level / 64] >> level % 64 & 1) != 0))
            return false;
    }
    return true;
}

bool grz_hash_grid_validate(const grz_hash_grid *cells, const grz_aabb_view *view)
{
    size_t links = 0, count = 0;
    for (size_t box = 0; box < cells->boxes.count; box++)
    {
        bool present = box < view->limit && view->present[box];
        if (present != (cells->boxes.data[box].level != GRZ_GRID_LEVELS))
            return false;
        count += present;
    }
    for (size_t bucket = 0; cells->buckets != NULL && bucket <= cells->mask; bucket++)
    {
        const grz_pooled_list *list = &cells->buckets[bucket];
        links += list->count;
        for (uint32_t i = 0; i < list->count; i++)
            if ((grz_list_entries(&cells->links, list)[i].candidate & cells->mask) != bucket)
                return false;
    }
    return count == view->count && links == cells->entry_count && level_lists_are_valid(cells);
}
