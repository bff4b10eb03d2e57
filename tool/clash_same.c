/* SPDX-License-Identifier: MIT */
/*
 * Equal parts. Vertices of each are sorted by their exact places in the world and numbered, equal ones alike; then the
 * triangles, as sets of numbers, must be the same. Only parts with as many triangles and nearly the same box are
 * compared; that choice is a matter of time, not of right or wrong answers: boxes of equal parts differ by rounding
 * only.
 */
#include "clash_same.h"

#include <stdlib.h>
#include <string.h>

/* A part's vertices in order of their places. */
typedef struct ordered
{
    const graze_placed_mesh *placed;
    uint32_t *order; /* vertices that triangles use */
    size_t used;
    uint32_t *rank; /* by vertex */
    size_t distinct;
    uint32_t (*triangles)[3]; /* ranks, ascending within each, in order */
    size_t triangle_count;
} ordered;

static int compare_places(const graze_placed_mesh *a, uint32_t i, const graze_placed_mesh *b, uint32_t j)
{
    graze_placed_point x = {graze_mesh_vertices(a->mesh) + 3 * (size_t)i, &a->pose};
    graze_placed_point y = {graze_mesh_vertices(b->mesh) + 3 * (size_t)j, &b->pose};
    for (int axis = 0; axis < 3; axis++)
    {
        int sign = graze_compare_placed(&x, &y, axis);
        if (sign != 0)
            return sign;
    }
    return 0;
}

/* Sorts by merging: no comparison is wasted, and equal ones keep their order. */
static void sort_vertices(const graze_placed_mesh *placed, uint32_t *order, uint32_t *scratch, size_t count)
{
    for (size_t width = 1; width < count; width *= 2)
    {
        for (size_t first = 0; first < count; first += 2 * width)
        {
            size_t middle = first + width < count ? first + width : count;
            size_t end = first + 2 * width < count ? first + 2 * width : count, i = first, j = middle;
            for (size_t k = first; k < end; k++)
            {
                bool left = i < middle && (j >= end || compare_places(placed, order[i], placed, order[j]) <= 0);
                scratch[k] = left ? order[i++] : order[j++];
            }
        }
        memcpy(order, scratch, count * sizeof *order);
    }
}

static int compare_triangles(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

static void release(ordered *o)
{
    free(o->order);
    free(o->rank);
    free(o->triangles);
}

/* The vertices that triangles use, each once. */
static void collect_used(ordered *o)
{
    const uint32_t *corners = graze_mesh_triangles(o->placed->mesh);
    memset(o->rank, 0, graze_mesh_vertex_count(o->placed->mesh) * sizeof *o->rank);
    for (size_t c = 0; c < 3 * o->triangle_count; c++)
    {
        if (o->rank[corners[c]] == 0)
            o->order[o->used++] = corners[c];
        o->rank[corners[c]] = 1;
    }
}

static void take_triangles(ordered *o)
{
    const uint32_t *corners = graze_mesh_triangles(o->placed->mesh);
    for (size_t t = 0; t < o->triangle_count; t++)
    {
        uint32_t *ranks = o->triangles[t];
        for (int k = 0; k < 3; k++)
            ranks[k] = o->rank[corners[3 * t + (size_t)k]];
        for (int k = 0; k < 3; k++)
        {
            int i = k % 2;
            if (ranks[i] > ranks[i + 1])
            {
                uint32_t other = ranks[i];
                ranks[i] = ranks[i + 1];
                ranks[i + 1] = other;
            }
        }
    }
    qsort(o->triangles, o->triangle_count, sizeof *o->triangles, compare_triangles);
}

static bool arrange(const graze_placed_mesh *placed, ordered *out)
{
    size_t vertices = graze_mesh_vertex_count(placed->mesh), triangles = graze_mesh_triangle_count(placed->mesh);
    ordered o = {.placed = placed, .triangle_count = triangles};
    o.order = malloc((vertices + 1) * sizeof *o.order);
    o.rank = malloc((vertices + 1) * sizeof *o.rank);
    o.triangles = malloc((triangles + 1) * sizeof *o.triangles);
    uint32_t *scratch = malloc((vertices + 1) * sizeof *scratch);
    bool done = o.order != NULL && o.rank != NULL && o.triangles != NULL && scratch != NULL;
    if (done)
    {
        collect_used(&o);
        sort_vertices(placed, o.order, scratch, o.used);
        for (size_t i = 0; i < o.used; i++)
        {
            if (i > 0 && compare_places(placed, o.order[i - 1], placed, o.order[i]) != 0)
                o.distinct++;
            o.rank[o.order[i]] = (uint32_t)o.distinct;
        }
        take_triangles(&o);
    }
    free(scratch);
    if (done)
        *out = o;
    else
        release(&o);
    return done;
}

/* Whether every distinct place of one is a place of the other, in order. */
static bool same_places(const ordered *a, const ordered *b)
{
    if (a->distinct != b->distinct || a->triangle_count != b->triangle_count)
        return false;
    for (size_t i = 0, j = 0; i < a->used && j < b->used;)
    {
        if (compare_places(a->placed, a->order[i], b->placed, b->order[j]) != 0)
            return false;
        for (uint32_t rank = a->rank[a->order[i]]; i < a->used && a->rank[a->order[i]] == rank;)
            i++;
        for (uint32_t rank = b->rank[b->order[j]]; j < b->used && b->rank[b->order[j]] == rank;)
            j++;
    }
    return memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles) == 0;
}

static bool may_be_same(const clash_part *a, const clash_part *b)
{
    if (a->triangle_count != b->triangle_count || a->triangle_count == 0)
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->lower[axis] + b->slack[axis] || b->lower[axis] > a->lower[axis] + a->slack[axis] ||
            a->upper[axis] < b->upper[axis] - b->slack[axis] || b->upper[axis] < a->upper[axis] - a->slack[axis])
            return false;
    return true;
}

static bool same(const clash_part *a, const clash_part *b, bool *out_same)
{
    /* shortcut: same-instance */
    *out_same =
        a->placed.mesh == b->placed.mesh && memcmp(&a->placed.pose, &b->placed.pose, sizeof a->placed.pose) == 0;
    if (*out_same)
        return true;
    ordered x, y;
    if (!arrange(&a->placed, &x))
        return false;
    if (!arrange(&b->placed, &y))
    {
        release(&x);
        return false;
    }
    *out_same = same_places(&x, &y);
    release(&x);
    release(&y);
    return true;
}

/* Parts by number of triangles and box, so that those that may be the same are neighbours. */
typedef struct entry
{
    const clash_part *part;
    size_t index;
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->part->triangle_count != y->part->triangle_count)
        return x->part->triangle_count < y->part->triangle_count ? -1 : 1;
    if (x->part->lower[0] != y->part->lower[0])
        return x->part->lower[0] < y->part->lower[0] ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

bool clash_find_same(const clash_part *parts, size_t count, size_t *set_of)
{
    entry *entries = malloc((count + 1) * sizeof *entries);
    if (entries == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        entries[i] = (entry){&parts[i], i};
        set_of[i] = i;
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
    {
        const clash_part *part = entries[i].part;
        /* shortcut: may-be-same */
        double most = part->lower[0] + part->slack[0];
        for (size_t j = i + 1; j < count && done && entries[j].part->triangle_count == part->triangle_count &&
                               entries[j].part->lower[0] <= most;
             j++)
        {
            bool equal = false;
            if (may_be_same(part, entries[j].part))
                done = same(part, entries[j].part, &equal);
            size_t x = set_of[entries[i].index], y = set_of[entries[j].index], least = x < y ? x : y;
            if (equal)
                for (size_t k = 0; k < count && x != y; k++) /* sets are few and small */
                    if (set_of[k] == x || set_of[k] == y)
                        set_of[k] = least;
        }
    }
    free(entries);
    return done;
}
