/* SPDX-License-Identifier: MIT */
/* The grid of Zachmann 1994; see fixed_grid.h. */
#include "literature/fixed_grid.h"

#include <stdlib.h>

bool grid_create(fixed_grid *grid, uint32_t size, grid_way way, uint32_t objects)
{
    size_t cells = (size_t)size * size * size;
    *grid = (fixed_grid){.size = size, .way = way, .object_count = objects, .work = {.hysteresis = 4}};
    grid->cells = calloc(cells, sizeof *grid->cells);
    grid->objects = calloc(objects, sizeof *grid->objects);
    grid->boxes = calloc(objects, sizeof *grid->boxes);
    grid->stamps = calloc(objects, sizeof *grid->stamps);
    return grid->cells != NULL && grid->objects != NULL && grid->boxes != NULL && grid->stamps != NULL;
}

void grid_destroy(fixed_grid *grid)
{
    size_t cells = (size_t)grid->size * grid->size * grid->size;
    for (size_t i = 0; grid->cells != NULL && i < cells; i++)
        free(grid->cells[i].items);
    for (size_t i = 0; grid->objects != NULL && i < grid->object_count; i++)
        free(grid->objects[i].items);
    free(grid->cells);
    free(grid->objects);
    free(grid->boxes);
    free(grid->stamps);
    *grid = (fixed_grid){0};
}

static void add(fixed_grid *grid, uint32_t object, uint32_t number)
{
    counted_array *cell = &grid->cells[number], *own = &grid->objects[object];
    uint32_t place = cell->count;
    counted_push(cell, object, &grid->work);
    if (grid->way != GRID_INDEXED)
        return;
    counted_push(cell, own->count, &grid->work);
    counted_push(own, number, &grid->work);
    counted_push(own, place, &grid->work);
}

/* Takes the pair at `place` out of an array, and has the last one take its place; its partner is told. */
static void take_out(fixed_grid *grid, counted_array *array, uint32_t place, counted_array *partners)
{
    uint32_t last = array->count - 2;
    array->items[place] = array->items[last];
    array->items[place + 1] = array->items[last + 1];
    array->count = last;
    grid->work.references -= 2;
    if (place != last)
        partners[array->items[place]].items[array->items[place + 1] + 1] = place;
}

/* Removes the reference at a place of an object's array. */
static void remove_indexed(fixed_grid *grid, uint32_t object, uint32_t place)
{
    counted_array *own = &grid->objects[object];
    uint32_t number = own->items[place], in_cell = own->items[place + 1];
    take_out(grid, &grid->cells[number], in_cell, grid->objects);
    take_out(grid, own, place, grid->cells);
}

static uint32_t cell_number(const fixed_grid *grid, int x, int y, int z)
{
    return ((uint32_t)z * grid->size + (uint32_t)y) * grid->size + (uint32_t)x;
}

static void change(fixed_grid *grid, uint32_t object, const voxel_box *box, bool adds)
{
    for (int z = box->lower[2]; z <= box->upper[2]; z++)
        for (int y = box->lower[1]; y <= box->upper[1]; y++)
            for (int x = box->lower[0]; x <= box->upper[0]; x++)
            {
                grid->work.visited++;
                if (adds)
                    add(grid, object, cell_number(grid, x, y, z));
                else
                    counted_remove(&grid->cells[cell_number(grid, x, y, z)], object, &grid->work);
            }
}

void grid_insert(fixed_grid *grid, uint32_t object, const voxel_box *box)
{
    grid->boxes[object] = *box;
    change(grid, object, box, true);
}

static bool holds_cell(const fixed_grid *grid, const voxel_box *box, uint32_t number)
{
    int place[3] = {(int)(number % grid->size), (int)(number / grid->size % grid->size),
                    (int)(number / grid->size / grid->size)};
    for (int axis = 0; axis < 3; axis++)
        if (place[axis] < box->lower[axis] || place[axis] > box->upper[axis])
            return false;
    return true;
}

void grid_move(fixed_grid *grid, uint32_t object, const voxel_box *box)
{
    voxel_box old = grid->boxes[object], parts[6];
    if (grid->way == GRID_CHECKED && voxel_boxes_equal(&old, box))
        return;
    grid->boxes[object] = *box;
    if (grid->way == GRID_INDEXED)
    {
        for (uint32_t place = grid->objects[object].count; place > 0; place -= 2)
        {
            grid->work.visited++;
            if (!holds_cell(grid, box, grid->objects[object].items[place - 2]))
                remove_indexed(grid, object, place - 2);
        }
    }
    else
    {
        int count = voxel_difference(&old, box, parts);
        for (int i = 0; i < count; i++)
            change(grid, object, &parts[i], false);
    }
    int count = voxel_difference(box, &old, parts);
    for (int i = 0; i < count; i++)
        change(grid, object, &parts[i], true);
}

uint32_t grid_find_neighbours(fixed_grid *grid, uint32_t object, uint32_t *others)
{
    const voxel_box *box = &grid->boxes[object];
    uint32_t found = 0, step = grid->way == GRID_INDEXED ? 2 : 1;
    grid->stamps[object] = ++grid->stamp;
    for (int z = box->lower[2]; z <= box->upper[2]; z++)
        for (int y = box->lower[1]; y <= box->upper[1]; y++)
            for (int x = box->lower[0]; x <= box->upper[0]; x++)
            {
                const counted_array *cell = &grid->cells[cell_number(grid, x, y, z)];
                for (uint32_t i = 0; i < cell->count; i += step)
                    if (grid->stamps[cell->items[i]] != grid->stamp)
                    {
                        grid->stamps[cell->items[i]] = grid->stamp;
                        others[found++] = cell->items[i];
                    }
            }
    return found;
}

double grid_bytes(const fixed_grid *grid)
{
    return (double)grid->size * grid->size * grid->size * (double)sizeof *grid->cells + grid->work.bytes;
}
