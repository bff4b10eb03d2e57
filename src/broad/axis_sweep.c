/* SPDX-License-Identifier: MIT */
/* A sweep along one axis; see axis_sweep.h. */
#include "broad/axis_sweep.h"

#include <float.h>
#include <math.h>

#include "base/sort.h"

enum
{
    PADDING = GRZ_LANES
};

static void release_row(const graze_context *context, grz_axis_sweep_boxes *row)
{
    grz_release(context, row->ends[0]);
    grz_release(context, row->ids);
}

void grz_axis_sweep_release(const graze_context *context, grz_axis_sweep *sweep)
{
    release_row(context, &sweep->all);
    release_row(context, &sweep->chosen);
    grz_release(context, sweep->chosen_places);
    grz_release(context, sweep->words);
    grz_release(context, sweep->found);
    grz_release(context, sweep->is_chosen);
    *sweep = (grz_axis_sweep){0};
}

static bool allocate_row(const graze_context *context, size_t capacity, grz_axis_sweep_boxes *row)
{
    size_t each = capacity + PADDING;
    row->ends[0] = grz_allocate(context, each, 6 * sizeof(float));
    row->ids = grz_allocate(context, capacity, sizeof *row->ids);
    for (size_t i = 1; i < 6 && row->ends[0] != NULL; i++)
        row->ends[i] = row->ends[0] + i * each;
    return row->ends[0] != NULL && row->ids != NULL;
}

static bool make_room(const graze_context *context, grz_axis_sweep *sweep, size_t count)
{
    if (count <= sweep->capacity && sweep->all.ids != NULL)
        return true;
    size_t capacity = count + count / 2;
    grz_axis_sweep_release(context, sweep);
    bool rows = allocate_row(context, capacity, &sweep->all) && allocate_row(context, capacity, &sweep->chosen);
    sweep->chosen_places = grz_allocate(context, capacity, sizeof *sweep->chosen_places);
    sweep->words = grz_allocate(context, capacity, 2 * sizeof *sweep->words);
    sweep->found = grz_allocate(context, capacity, sizeof *sweep->found);
    sweep->is_chosen = grz_allocate_zeroed(context, capacity, sizeof *sweep->is_chosen);
    if (!rows || sweep->chosen_places == NULL || sweep->words == NULL || sweep->found == NULL ||
        sweep->is_chosen == NULL)
    {
        grz_axis_sweep_release(context, sweep);
        return false;
    }
    sweep->capacity = capacity;
    return true;
}

/* The axis with the largest variance of the boxes' lower ends, but for the unbounded ones, which would hide that of all
   others. Squares of floats do not overflow in doubles. */
static int widest_axis(const grz_aabb_view *view)
{
    double sum[3] = {0}, squares[3] = {0}, count[3] = {0};
    for (uint32_t id = 0; id < view->limit; id++)
    {
        if (!view->present[id])
            continue;
        for (int axis = 0; axis < 3; axis++)
        {
            double x = (double)view->fat[id].lower[axis];
            if (!(x > -FLT_MAX))
                continue;
            sum[axis] += x;
            squares[axis] += x * x;
            count[axis]++;
        }
    }
    int widest = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++)
    {
        double variance = count[axis] > 0 ? squares[axis] - sum[axis] * sum[axis] / count[axis] : 0;
        if (variance > most)
        {
            widest = axis;
            most = variance;
        }
    }
    return widest;
}

/* Appends a box to a row. */
static inline void append(grz_axis_sweep_boxes *row, const grz_fat_aabb *box, int axis, uint32_t id)
{
    size_t index = row->count++;
    int next = axis < 2 ? axis + 1 : 0, last = axis > 0 ? axis - 1 : 2;
    row->ends[0][index] = box->lower[axis];
    row->ends[1][index] = box->lower[next];
    row->ends[2][index] = box->lower[last];
    row->ends[3][index] = box->upper[axis];
    row->ends[4][index] = box->upper[next];
    row->ends[5][index] = box->upper[last];
    row->ids[index] = id;
}

/* Padding after the last box: elements that begin at infinity. */
static void pad_row(grz_axis_sweep_boxes *row)
{
    for (size_t i = 0; i < PADDING; i++)
    {
        row->ends[0][row->count + i] = INFINITY;
        for (int k = 1; k < 6; k++)
            row->ends[k][row->count + i] = 0;
    }
}

static grz_sorted_boxes kernel_row(const grz_axis_sweep_boxes *row)
{
    return (grz_sorted_boxes){{row->ends[0], row->ends[1], row->ends[2]}, {row->ends[3], row->ends[4], row->ends[5]}};
}

/* Sorts all boxes, and the chosen ones among them. */
static void sort_along_axis(grz_axis_sweep *sweep, const grz_aabb_view *view, const uint32_t *chosen,
                            size_t chosen_count)
{
    size_t count = 0;
    sweep->axis = widest_axis(view);
    for (uint32_t id = 0; id < view->limit; id++)
        if (view->present[id])
            sweep->words[count++] = (uint64_t)grz_sortable_bits(view->fat[id].lower[sweep->axis]) << 32 | id;
    grz_sort_words(sweep->words, sweep->words + count, count);
    for (size_t i = 0; i < chosen_count; i++)
        sweep->is_chosen[chosen[i]] = 1;
    sweep->all.count = sweep->chosen.count = 0;
    for (size_t index = 0; index < count; index++)
    {
        uint32_t id = (uint32_t)sweep->words[index];
        append(&sweep->all, &view->fat[id], sweep->axis, id);
        if (!sweep->is_chosen[id])
            continue;
        sweep->chosen_places[sweep->chosen.count] = (uint32_t)index;
        append(&sweep->chosen, &view->fat[id], sweep->axis, id);
    }
    for (size_t i = 0; i < chosen_count; i++)
        sweep->is_chosen[chosen[i]] = 0;
    pad_row(&sweep->all);
    pad_row(&sweep->chosen);
}

/* Reports the pairs of one box with the boxes of a row, from `first` on, that begin before it ends. */
static inline void sweep_one(const grz_axis_sweep *sweep, const grz_axis_sweep_boxes *from, size_t index,
                             const grz_axis_sweep_boxes *row, size_t first, grz_pair_sink *sink)
{
    if (row->ends[0][first] > from->ends[3][index])
        return;
    float lower[3], upper[3];
    for (int k = 0; k < 3; k++)
    {
        lower[k] = from->ends[k][index];
        upper[k] = from->ends[3 + k][index];
    }
    grz_sorted_boxes boxes = kernel_row(row);
    size_t found = sweep->kernels->sweep(&boxes, first, lower, upper, sweep->found);
    for (size_t i = 0; i < found; i++)
        grz_sink_add_pair(sink, from->ids[index], row->ids[sweep->found[i]]);
}

static void sweep_chosen(const grz_axis_sweep *sweep, grz_pair_sink *sink)
{
    for (size_t i = 0; i < sweep->chosen.count && !sink->failed; i++)
        sweep_one(sweep, &sweep->chosen, i, &sweep->all, (size_t)sweep->chosen_places[i] + 1, sink);
}

/* Boxes that are not chosen against the chosen ones after them in the order. */
static void sweep_others(const grz_axis_sweep *sweep, grz_pair_sink *sink)
{
    size_t next = 0;
    for (size_t index = 0; index < sweep->all.count && next < sweep->chosen.count && !sink->failed; index++)
    {
        if (sweep->chosen_places[next] == index)
            next++;
        else
            sweep_one(sweep, &sweep->all, index, &sweep->chosen, next, sink);
    }
}

bool grz_axis_sweep_pairs(const graze_context *context, grz_axis_sweep *sweep, const grz_aabb_view *view,
                          const uint32_t *chosen, size_t chosen_count, grz_pair_sink *sink)
{
    sweep->all.count = sweep->chosen.count = 0;
    if (view->count == 0)
        return true;
    if (!make_room(context, sweep, view->limit))
        return false;
    sweep->kernels = grz_kernels_for(context->instructions);
    sort_along_axis(sweep, view, chosen, chosen_count);
    sweep_chosen(sweep, sink);
    sweep_others(sweep, sink);
    return !sink->failed;
}

void grz_axis_sweep_in_box(const grz_axis_sweep *sweep, const grz_aabb_view *view, const grz_fat_aabb *box,
                           grz_id_sink *sink)
{
    const grz_axis_sweep_boxes *row = &sweep->all;
    for (size_t index = 0; index < row->count && row->ends[0][index] <= box->upper[sweep->axis]; index++)
        if (grz_fat_aabb_overlap(&view->fat[row->ids[index]], box))
            grz_sink_add_id(sink, row->ids[index]);
}

void grz_axis_sweep_on_ray(const grz_axis_sweep *sweep, const grz_aabb_view *view, const grz_ray *ray,
                           grz_id_sink *sink)
{
    const grz_axis_sweep_boxes *row = &sweep->all;
    bool rises = ray->direction[sweep->axis] > 0;
    for (size_t index = 0; index < row->count; index++)
    {
        /* A ray that does not ascend along the axis misses a box that begins above its origin, and all boxes after it.
           The lowest float stands for all coordinates below the range of floats. */
        /* shortcut: sorted-rays */
        float begin = row->ends[0][index];
        if (!rises && begin > -FLT_MAX && (double)begin > ray->origin[sweep->axis])
            return;
        if (grz_ray_hits_fat_aabb(ray, &view->fat[row->ids[index]]))
            grz_sink_add_id(sink, row->ids[index]);
    }
}

size_t grz_axis_sweep_memory(const grz_axis_sweep *sweep)
{
    size_t row = 6 * sizeof(float) + sizeof(uint32_t);
    return sweep->capacity * (2 * row + 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t) + 1);
}

static bool row_is_valid(const grz_axis_sweep *sweep, const grz_axis_sweep_boxes *row, const grz_aabb_view *view)
{
    for (size_t index = 0; index < row->count; index++)
    {
        uint32_t id = row->ids[index];
        if (id >= view->limit || !view->present[id] || row->ends[0][index] != view->fat[id].lower[sweep->axis] ||
            row->ends[3][index] != view->fat[id].upper[sweep->axis] || sweep->is_chosen[id] ||
            (index > 0 && row->ends[0][index] < row->ends[0][index - 1]))
            return false;
    }
    return true;
}

bool grz_axis_sweep_validate(const grz_axis_sweep *sweep, const grz_aabb_view *view)
{
    return sweep->all.count == view->count && row_is_valid(sweep, &sweep->all, view) &&
           row_is_valid(sweep, &sweep->chosen, view);
}
