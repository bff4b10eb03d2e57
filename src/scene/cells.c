/* SPDX-License-Identifier: MIT */
/* Cells of many sizes in a hash table; see cells.h. */
#include "scene/cells.h"

#include <math.h>

#include "base/sort.h"
#include "scene/morton.h"

enum
{
    LEAST_BUCKETS = 64,
    LEAST_BUCKETS_EACH = 2, /* for each box */
    ENOUGH_TO_ORDER = 128,
    FAR = GRZ_FARTHEST_CELL
};

/* Rounded down, and not beyond what there are cells for. Conversion cuts the fraction off in every rounding mode. */
static inline int32_t floor_of(double x)
{
    if (!(x > -FAR))
        return -FAR;
    if (x >= FAR)
        return FAR;
    int32_t whole = (int32_t)x;
    return whole - ((double)whole > x);
}

grz_cell_range grz_cells_of_box(const grz_fat_box *box, uint32_t level)
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

bool grz_cells_are_wider(const grz_cell_range *range, int most)
{
    for (int axis = 0; axis < 3; axis++)
        if ((int64_t)range->upper[axis] - range->lower[axis] >= most)
            return true;
    return false;
}

/*
 * The exponents of doubles give a first guess, which the cells themselves correct; rounding does not matter. What is
 * much smaller than its distance from the origin gets cells for which coordinates suffice.
 */
uint32_t grz_cell_level_for(double size, double reach, int most)
{
    int exponent;
    size = fmax(fmax(size / (most - 1), reach * 0x1p-28), 0x1p-160);
    frexp(fmin(size, 0x1p200), &exponent); /* size <= 2^exponent */
    int steps = exponent - 1 - GRZ_LEAST_EXPONENT;
    uint32_t level = steps <= 0 ? 0 : (uint32_t)(steps / GRZ_LEVEL_STEP);
    return level < GRZ_LEVELS ? level : GRZ_LEVELS - 1;
}

uint32_t grz_cell_level(const grz_fat_box *box, int most, grz_cell_range *out_range)
{
    double size = 0, reach = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        size = fmax(size, (double)box->upper[axis] - (double)box->lower[axis]);
        reach = fmax(reach, fmax(fabs((double)box->lower[axis]), fabs((double)box->upper[axis])));
    }
    uint32_t level = grz_cell_level_for(size, reach, most);
    grz_cell_range range = grz_cells_of_box(box, level);
    while (grz_cells_are_wider(&range, most) && level < GRZ_LEVELS - 1)
        range = grz_cells_of_box(box, ++level);
    *out_range = range;
    return level;
}

/* Moves all links to a table of another size. False when out of memory, with nothing changed. */
static bool rehash(const graze_context *context, grz_cells *cells, size_t bucket_count)
{
    grz_cells larger = {.buckets = grz_allocate_zeroed(context, bucket_count, sizeof *larger.buckets),
                        .mask = (uint32_t)(bucket_count - 1)};
    bool done = larger.buckets != NULL;
    for (size_t bucket = 0; done && cells->buckets != NULL && bucket <= cells->mask; bucket++)
    {
        const grz_link_list *list = &cells->buckets[bucket];
        const grz_link *links = grz_links_of(&cells->links, list);
        for (uint32_t i = 0; i < list->count && done; i++)
            done = grz_links_add(context, &larger.links, &larger.buckets[links[i].candidate & larger.mask], links[i]);
    }
    grz_cells *useless = done ? cells : &larger;
    grz_release(context, useless->buckets);
    grz_links_release(context, &useless->links);
    if (!done)
        return false;
    cells->buckets = larger.buckets;
    cells->mask = larger.mask;
    cells->links = larger.links;
    return true;
}

bool grz_cells_reserve(const graze_context *context, grz_cells *cells, uint32_t limit, size_t count)
{
    if (!GRZ_RESERVE(context, &cells->boxes, limit))
        return false;
    while (cells->boxes.count < limit)
        cells->boxes.data[cells->boxes.count++] = (grz_cell_box){.level = GRZ_LEVELS};
    size_t buckets = cells->buckets != NULL ? (size_t)cells->mask + 1 : 0, wanted = LEAST_BUCKETS;
    if (LEAST_BUCKETS_EACH * count <= buckets && buckets > 0)
        return true;
    while (wanted < 2 * LEAST_BUCKETS_EACH * count && wanted < UINT32_C(1) << 31)
        wanted *= 2;
    return wanted <= buckets || rehash(context, cells, wanted);
}

void grz_cells_place(grz_cells *cells, uint32_t box, uint32_t level, const grz_cell_range *range)
{
    uint32_t head = cells->chains[level];
    cells->boxes.data[box] = (grz_cell_box){.range = *range, .after = head, .level = level};
    if (head != 0)
        cells->boxes.data[head - 1].before = box + 1;
    cells->chains[level] = box + 1;
    if (cells->counts[level]++ == 0)
        cells->occupied[level / 64] |= UINT64_C(1) << level % 64;
}

void grz_cells_displace(grz_cells *cells, uint32_t box)
{
    grz_cell_box *b = &cells->boxes.data[box];
    if (b->before != 0)
        cells->boxes.data[b->before - 1].after = b->after;
    else
        cells->chains[b->level] = b->after;
    if (b->after != 0)
        cells->boxes.data[b->after - 1].before = b->before;
    if (--cells->counts[b->level] == 0)
        cells->occupied[b->level / 64] &= ~(UINT64_C(1) << b->level % 64);
    *b = (grz_cell_box){.level = GRZ_LEVELS};
}

bool grz_cells_enter(const graze_context *context, grz_cells *cells, uint32_t box, uint32_t hash)
{
    if (!grz_links_add(context, &cells->links, &cells->buckets[hash & cells->mask], (grz_link){box, hash}))
        return false;
    cells->used++;
    return true;
}

void grz_cells_leave(grz_cells *cells, uint32_t box, uint32_t hash)
{
    grz_link_list *list = &cells->buckets[hash & cells->mask];
    const grz_link *links = grz_links_of(&cells->links, list);
    uint32_t place = 0;
    while (links[place].other != box || links[place].candidate != hash)
        place++;
    grz_links_remove(&cells->links, list, place);
    cells->used--;
}

/* Along Morton's curve through the cells of the level with the most boxes; of their coordinates the lowest bits do. */
void grz_cells_order(const grz_cells *cells, const grz_boxes_view *view, const uint32_t *boxes, size_t count,
                     uint64_t *out_words)
{
    uint32_t level = 0;
    for (uint32_t l = 0; l < GRZ_LEVELS; l++)
        if (cells->counts[l] > cells->counts[level])
            level = l;
    if (cells->counts[level] == 0 && count > 0)
    {
        grz_cell_range ignored;
        level = grz_cell_level(&view->fat[boxes[count / 2]], 2, &ignored);
    }
    double scale = grz_cells_per_unit(level);
    for (size_t i = 0; i < count; i++)
    {
        const grz_fat_box *box = &view->fat[boxes[i]];
        int32_t cell[3];
        for (int axis = 0; axis < 3; axis++)
            cell[axis] = floor_of((double)box->lower[axis] * scale);
        out_words[i] = (uint64_t)grz_morton(cell) << 32 | boxes[i];
    }
    if (count >= ENOUGH_TO_ORDER)
        grz_sort_words(out_words, out_words + count, count);
}

void grz_cells_release(const graze_context *context, grz_cells *cells)
{
    grz_release(context, cells->buckets);
    grz_links_release(context, &cells->links);
    grz_release(context, cells->boxes.data);
    *cells = (grz_cells){0};
}

size_t grz_cells_memory(const grz_cells *cells)
{
    size_t buckets = cells->buckets != NULL ? (size_t)cells->mask + 1 : 0;
    return buckets * sizeof *cells->buckets + cells->links.pool.capacity * sizeof *cells->links.pool.data +
           cells->boxes.capacity * sizeof *cells->boxes.data;
}

/* Whether the chains hold each level's boxes. */
static bool chains_are_right(const grz_cells *cells)
{
    for (uint32_t level = 0; level < GRZ_LEVELS; level++)
    {
        uint32_t count = 0, before = 0;
        for (uint32_t box = cells->chains[level]; box != 0; box = cells->boxes.data[box - 1].after)
        {
            if (cells->boxes.data[box - 1].level != level || cells->boxes.data[box - 1].before != before ||
                count++ >= cells->counts[level])
                return false;
            before = box;
        }
        if (count != cells->counts[level] || (count > 0) != ((cells->occupied[level / 64] >> level % 64 & 1) != 0))
            return false;
    }
    return true;
}

bool grz_cells_validate(const grz_cells *cells, const grz_boxes_view *view)
{
    size_t links = 0, count = 0;
    for (size_t box = 0; box < cells->boxes.count; box++)
    {
        bool present = box < view->limit && view->present[box];
        if (present != (cells->boxes.data[box].level != GRZ_LEVELS))
            return false;
        count += present;
    }
    for (size_t bucket = 0; cells->buckets != NULL && bucket <= cells->mask; bucket++)
    {
        const grz_link_list *list = &cells->buckets[bucket];
        links += list->count;
        for (uint32_t i = 0; i < list->count; i++)
            if ((grz_links_of(&cells->links, list)[i].candidate & cells->mask) != bucket)
                return false;
    }
    return count == view->count && links == cells->used && chains_are_right(cells);
}
