/* SPDX-License-Identifier: MIT */
/*
 * Dividing a large mesh into subtrees; see build.h.
 *
 * Splitting in two from the top would move all of a mesh of a million triangles through memory seven times before the
 * ranges fit a cache. Instead the triangles are binned into the cells of a grid over their box, the cells, which are
 * few, are split by the same heuristic, and every triangle moves once, to the beginning of its cell's subtree. A cell
 * with too many triangles for a subtree gets a grid of its own.
 *
 * Threads take slices of the triangles, each with its own table of cells. Boxes and counts have the same sums for any
 * number of slices, and within a cell the triangles keep their order.
 */
#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "simd/f32x4.h"
#include "tree/build.h"

enum
{
    GRID_WIDTH = 32,    /* cells along the longest axis ... */
    GRID_HALVINGS = 15, /* ... which makes at most 2^15 of them */
    SLICE_LIMIT = 16,
    PER_CHECK = 8192, /* triangles from one check of the monitor to the next */
    NODE_COST = 64    /* of a node in addition to its surface area, in units of the mesh's box per triangle */
};

typedef struct cell
{
    f32x4 lower, upper;
    uint32_t count;
    uint32_t start; /* where the next of its triangles is written */
} cell;

typedef struct cell_grid
{
    grz_shared_monitor *monitor; /* may be NULL */
    const grz_reference *references;
    grz_reference *target;
    size_t count;
    f32x4 origin, scale, last; /* cell coordinates = min((2 centre - origin) * scale, last), by axis */
    uint32_t widths[3];
    size_t cell_count, slice_count;
    cell *cells;            /* one table per slice */
    uint16_t *cell_indices; /* the cell of each triangle */
    grz_reference *filled;  /* the cells that are not empty; `triangle` is their number */
    size_t filled_count;
    grz_quantized_reference *items; /* of those, and as many spare ones */
} cell_grid;

/* ---- counting ---- */

static void set_grid(cell_grid *g, const float lower[3], const float upper[3])
{
    float extent = 0;
    for (int axis = 0; axis < 3; axis++)
        extent = upper[axis] - lower[axis] > extent ? upper[axis] - lower[axis] : extent;
    float inverse = GRID_WIDTH / extent;
    if (!(inverse <= 0.25f * FLT_MAX))
        inverse = 0;
    _Alignas(16) float origin[4] = {0, 0, 0, 1}, last[4] = {0, 0, 0, 0}; /* see grz_range_measure for the 1 */
    g->cell_count = 1;
    for (int axis = 0; axis < 3; axis++)
    {
        float width = (upper[axis] - lower[axis]) * inverse;
        g->widths[axis] = width >= GRID_WIDTH ? GRID_WIDTH : (uint32_t)width + 1;
        g->cell_count *= g->widths[axis];
        origin[axis] = 2 * lower[axis];
        last[axis] = (float)(g->widths[axis] - 1);
    }
    g->origin = f32x4_load(origin);
    g->scale = f32x4_splat(0.5f * inverse);
    g->last = f32x4_load(last);
}

static uint16_t cell_of(const cell_grid *g, f32x4 lower, f32x4 upper)
{
    _Alignas(16) int32_t steps[4];
    f32x4 cell_coordinates = f32x4_mul(f32x4_sub(f32x4_add(lower, upper), g->origin), g->scale);
    f32x4_to_i32(steps, f32x4_max(f32x4_min(cell_coordinates, g->last), f32x4_splat(0)));
    return (uint16_t)(((uint32_t)steps[2] * g->widths[1] + (uint32_t)steps[1]) * g->widths[0] + (uint32_t)steps[0]);
}

static size_t slice_start(const cell_grid *g, size_t slice)
{
    return g->count / g->slice_count * slice + g->count % g->slice_count * slice / g->slice_count;
}

/* Runs a function over the triangles of a slice, PER_CHECK at a time, until the monitor stops it. */
static void in_blocks(const cell_grid *g, size_t slice,
                      void (*run)(const cell_grid *g, cell *cells, size_t first, size_t end))
{
    size_t end = slice_start(g, slice + 1);
    for (size_t first = slice_start(g, slice); first < end; first += PER_CHECK)
    {
        size_t count = end - first < PER_CHECK ? end - first : PER_CHECK;
        if (!grz_shared_monitor_elements(g->monitor, count))
            return;
        run(g, g->cells + slice * g->cell_count, first, first + count);
    }
}

static void count_triangles(const cell_grid *g, cell *cells, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
    {
        f32x4 lower = f32x4_load(g->references[i].lower), upper = f32x4_load(g->references[i].upper);
        uint16_t index = cell_of(g, lower, upper);
        cell *c = &cells[index];
        g->cell_indices[i] = index;
        c->lower = f32x4_min(c->lower, lower);
        c->upper = f32x4_max(c->upper, upper);
        c->count++;
    }
}

static void count_slice(void *argument, size_t slice)
{
    const cell_grid *g = argument;
    cell *cells = g->cells + slice * g->cell_count;
    const cell empty = {f32x4_splat(INFINITY), f32x4_splat(-INFINITY), 0, 0};
    for (size_t i = 0; i < g->cell_count; i++)
        cells[i] = empty;
    in_blocks(g, slice, count_triangles);
}

/* Lists the cells that are not empty, with the sums over all slices. */
static void list_cells(cell_grid *g)
{
    g->filled_count = 0;
    for (size_t i = 0; i < g->cell_count; i++)
    {
        cell sum = g->cells[i];
        for (size_t slice = 1; slice < g->slice_count; slice++)
        {
            const cell *c = &g->cells[slice * g->cell_count + i];
            sum.lower = f32x4_min(sum.lower, c->lower);
            sum.upper = f32x4_max(sum.upper, c->upper);
            sum.count += c->count;
        }
        if (sum.count == 0)
            continue;
        _Alignas(16) float lower[4], upper[4];
        grz_reference *filled = &g->filled[g->filled_count];
        f32x4_store(lower, sum.lower);
        f32x4_store(upper, sum.upper);
        memcpy(filled->lower, lower, sizeof filled->lower);
        memcpy(filled->upper, upper, sizeof filled->upper);
        filled->triangle = (uint32_t)i;
        filled->weight = sum.count;
        g->items[g->filled_count].index = (uint16_t)g->filled_count;
        g->items[g->filled_count].bin = g->items[g->filled_count].weight = 0;
        g->filled_count++;
    }
}

static void move_triangles(const cell_grid *g, cell *cells, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        g->target[cells[g->cell_indices[i]].start++] = g->references[i];
}

static void move_slice(void *argument, size_t slice)
{
    in_blocks(argument, slice, move_triangles);
}

/* Computes for each slice where the triangles of its cells are written: in the order of the items, slices one after the
   other. */
static void assign_ranges(cell_grid *g)
{
    uint32_t start = 0;
    for (size_t i = 0; i < g->filled_count; i++)
    {
        for (size_t slice = 0; slice < g->slice_count; slice++)
        {
            cell *c = &g->cells[slice * g->cell_count + g->filled[g->items[i].index].triangle];
            c->start = start;
            start += c->count;
        }
    }
}

/* ---- references and subtrees ---- */

/* Triangles in the first of two arrays, and their bounds. */
typedef struct reference_range
{
    grz_reference *references, *spare;
    uint32_t first, count; /* in the order, which is also their index in the arrays */
    float lower[3], upper[3];
} reference_range;

static bool subdivide(grz_build_plan *plan, const reference_range *p, uint32_t depth, uint32_t *out_child);

static bool add_subtree(grz_build_plan *plan, const reference_range *p, uint32_t depth, uint32_t *out_child)
{
    grz_subtree subtree = {.references = p->references + p->first,
                           .first = p->first,
                           .count = p->count,
                           .depth = depth,
                           .node_cost = plan->node_cost};
    *out_child = (uint32_t)plan->subtrees.count | GRZ_LEAF_FLAG;
    return GRZ_PUSH(plan->context, &plan->subtrees, subtree);
}

static float reference_range_area(const reference_range *p)
{
    float x = p->upper[0] - p->lower[0], y = p->upper[1] - p->lower[1], z = p->upper[2] - p->lower[2];
    return x * y + y * z + z * x;
}

/* Where no grid separates them, or the depth limit is reached: halves by index. */
static bool subdivide_halves(grz_build_plan *plan, const reference_range *p, uint32_t depth, uint32_t *out_child)
{
    reference_range halves[2] = {*p, *p};
    uint32_t children[2];
    halves[0].count = p->count / 2;
    halves[1].count -= halves[0].count;
    halves[1].first += halves[0].count;
    return subdivide(plan, &halves[0], depth + 1, &children[0]) &&
           subdivide(plan, &halves[1], depth + 1, &children[1]) &&
           grz_binary_tree_add(plan->context, &plan->binary_tree, children[0], children[1],
                               reference_range_area(p) + plan->node_cost, out_child);
}

/* A binary BVH over cells, before the triangles are moved. Parents come before their children. */
typedef struct cell_section
{
    uint32_t first, count; /* items */
    uint32_t weight;
    uint32_t right; /* the section after the left child's; 0: this one is not split */
    float area;
} cell_section;

typedef GRZ_ARRAY(cell_section) cell_sections;

static bool split_cells(grz_build_plan *plan, const grz_split_input *input, const grz_range *range, uint32_t depth,
                        cell_sections *out)
{
    size_t index = out->count;
    cell_section s = {range->first, range->count, range->weight, 0, grz_range_area(range)};
    if (!GRZ_PUSH(plan->context, out, s))
        return false;
    if (range->count == 1 || range->weight <= GRZ_SUBTREE_SIZE)
        return true;
    grz_range halves[2];
    bool deep = depth + grz_median_depth(range->count) + grz_median_depth(range->weight) >= GRZ_TREE_MAX_DEPTH - 1;
    grz_range_split(input, range, deep, halves);
    if (!split_cells(plan, input, &halves[0], depth + 1, out))
        return false;
    out->data[index].right = (uint32_t)out->count;
    return split_cells(plan, input, &halves[1], depth + 1, out);
}

/* The triangles of a section, which are in the target now; `first` is the index of the first one in the order. */
static reference_range section_range(const cell_grid *g, const reference_range *whole, const cell_section *s,
                                     uint32_t first)
{
    reference_range p = {whole->spare, whole->references, first, s->weight, {0}, {0}};
    for (uint32_t i = s->first; i < s->first + s->count; i++)
    {
        const grz_reference *c = &g->filled[g->items[i].index];
        for (int axis = 0; axis < 3; axis++)
        {
            p.lower[axis] = i == s->first || c->lower[axis] < p.lower[axis] ? c->lower[axis] : p.lower[axis];
            p.upper[axis] = i == s->first || c->upper[axis] > p.upper[axis] ? c->upper[axis] : p.upper[axis];
        }
    }
    return p;
}

static bool subdivide_sections(grz_build_plan *plan, const cell_grid *g, const reference_range *whole,
                               const cell_sections *all, uint32_t index, uint32_t first, uint32_t depth,
                               uint32_t *out_child)
{
    const cell_section *s = &all->data[index];
    if (s->right == 0)
    {
        reference_range p = section_range(g, whole, s, first);
        return subdivide(plan, &p, depth, out_child);
    }
    uint32_t left, right, middle = first + all->data[index + 1].weight;
    return subdivide_sections(plan, g, whole, all, index + 1, first, depth + 1, &left) &&
           subdivide_sections(plan, g, whole, all, s->right, middle, depth + 1, &right) &&
           grz_binary_tree_add(plan->context, &plan->binary_tree, left, right, s->area + plan->node_cost, out_child);
}

static bool open_grid(const graze_context *context, cell_grid *g)
{
    size_t concurrency = grz_concurrency(context);
    g->slice_count = concurrency < SLICE_LIMIT ? concurrency : SLICE_LIMIT;
    g->cells = grz_allocate(context, g->slice_count * g->cell_count, sizeof *g->cells);
    g->cell_indices = grz_allocate(context, g->count, sizeof *g->cell_indices);
    g->filled = grz_allocate(context, g->cell_count, sizeof *g->filled);
    g->items = grz_allocate(context, g->cell_count, 2 * sizeof *g->items);
    return g->cells != NULL && g->cell_indices != NULL && g->filled != NULL && g->items != NULL;
}

static void close_grid(const graze_context *context, cell_grid *g)
{
    grz_release(context, g->cells);
    grz_release(context, g->cell_indices);
    grz_release(context, g->filled);
    grz_release(context, g->items);
}

static bool subdivide_grid(grz_build_plan *plan, const reference_range *p, cell_grid *g, cell_sections *all,
                           uint32_t depth, uint32_t *out_child)
{
    const graze_context *context = plan->context;
    if (!open_grid(context, g))
        return false;
    grz_parallel_for(context, g->slice_count, count_slice, g);
    if (!grz_shared_monitor_may_continue(g->monitor))
        return false;
    list_cells(g);
    if (g->filled_count == 1)
        return subdivide_halves(plan, p, depth, out_child);
    grz_split_input input = {.items = g->items,
                             .spare = g->items + g->cell_count,
                             .references = g->filled,
                             .cells = true,
                             .leaf_size = plan->leaf_size};
    grz_range range = grz_range_measure(&input, 0, (uint32_t)g->filled_count);
    if (!split_cells(plan, &input, &range, depth, all))
        return false;
    assign_ranges(g);
    grz_parallel_for(context, g->slice_count, move_slice, g);
    if (!grz_shared_monitor_may_continue(g->monitor))
        return false;
    return subdivide_sections(plan, g, p, all, 0, p->first, depth, out_child);
}

static bool subdivide(grz_build_plan *plan, const reference_range *p, uint32_t depth, uint32_t *out_child)
{
    if (p->count <= GRZ_SUBTREE_SIZE)
        return add_subtree(plan, p, depth, out_child);
    if (depth + GRID_HALVINGS + grz_median_depth(p->count) >= GRZ_TREE_MAX_DEPTH - 1)
        return subdivide_halves(plan, p, depth, out_child);
    cell_grid g = {.monitor = plan->monitor,
                   .references = p->references + p->first,
                   .target = p->spare + p->first,
                   .count = p->count};
    cell_sections all = {0};
    set_grid(&g, p->lower, p->upper);
    bool done = subdivide_grid(plan, p, &g, &all, depth, out_child);
    grz_release(plan->context, all.data);
    close_grid(plan->context, &g);
    return done;
}

bool grz_build_plan_subdivide(grz_build_plan *plan, grz_reference *references, grz_reference *spare, size_t count,
                              const float lower[3], const float upper[3])
{
    reference_range whole = {references, spare, 0, (uint32_t)count, {0}, {0}};
    memcpy(whole.lower, lower, sizeof whole.lower);
    memcpy(whole.upper, upper, sizeof whole.upper);
    plan->node_cost = NODE_COST * reference_range_area(&whole) / (float)count;
    return subdivide(plan, &whole, 0, &plan->root);
}
