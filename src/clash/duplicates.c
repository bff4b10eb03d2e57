/* SPDX-License-Identifier: MIT */
/*
 * Equal parts. The vertices of each part are sorted by their exact world positions and ranked, equal ones alike; then
 * the triangles, as sets of ranks, must be the same. Only parts with the same number of triangles and nearly the same
 * AABB are compared; that filter affects time only, since AABBs of equal parts differ by rounding only.
 */
#include "clash/duplicates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part in canonical form: vertices in order of their positions. */
typedef struct canonical_mesh
{
    const graze_placed_mesh *placed;
    uint32_t *order; /* vertices that triangles use */
    size_t used;
    uint32_t *rank; /* by vertex */
    size_t distinct;
    uint32_t (*triangles)[3]; /* ranks, ascending within each triangle, sorted */
    size_t triangle_count;
} canonical_mesh;

static int compare_positions(const graze_placed_mesh *a, uint32_t i, const graze_placed_mesh *b, uint32_t j)
{
    graze_placed_point x = {graze_mesh_vertices(a->mesh) + 3 * (size_t)i, &a->pose};
    graze_placed_point y = {graze_mesh_vertices(b->mesh) + 3 * (size_t)j, &b->pose};
    for (int axis = 0; axis < 3; axis++)
    {
        int sign = graze_point_compare_placed(&x, &y, axis);
        if (sign != 0)
            return sign;
    }
    return 0;
}

/* Merge sort: few comparisons, which are expensive here, and stable. */
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
                bool left = i < middle && (j >= end || compare_positions(placed, order[i], placed, order[j]) <= 0);
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

static void release(const graze_context *context, canonical_mesh *o)
{
    grz_release(context, o->order);
    grz_release(context, o->rank);
    grz_release(context, o->triangles);
}

/* The vertices that triangles use, each once. */
static void collect_used(canonical_mesh *o)
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

static void take_triangles(canonical_mesh *o)
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

static bool make_canonical(const graze_context *context, const graze_placed_mesh *placed, canonical_mesh *out)
{
    size_t vertices = graze_mesh_vertex_count(placed->mesh), triangles = graze_mesh_triangle_count(placed->mesh);
    canonical_mesh o = {.placed = placed, .triangle_count = triangles};
    o.order = grz_allocate(context, vertices + 1, sizeof *o.order);
    o.rank = grz_allocate(context, vertices + 1, sizeof *o.rank);
    o.triangles = grz_allocate(context, triangles + 1, sizeof *o.triangles);
    uint32_t *scratch = grz_allocate(context, vertices + 1, sizeof *scratch);
    bool done = o.order != NULL && o.rank != NULL && o.triangles != NULL && scratch != NULL;
    if (done)
    {
        collect_used(&o);
        sort_vertices(placed, o.order, scratch, o.used);
        for (size_t i = 0; i < o.used; i++)
        {
            if (i > 0 && compare_positions(placed, o.order[i - 1], placed, o.order[i]) != 0)
                o.distinct++;
            o.rank[o.order[i]] = (uint32_t)o.distinct;
        }
        take_triangles(&o);
    }
    grz_release(context, scratch);
    if (done)
        *out = o;
    else
        release(context, &o);
    return done;
}

/* Whether both have the same distinct positions, in order. */
static bool same_positions(const canonical_mesh *a, const canonical_mesh *b)
{
    if (a->distinct != b->distinct || a->triangle_count != b->triangle_count)
        return false;
    for (size_t i = 0, j = 0; i < a->used && j < b->used;)
    {
        if (compare_positions(a->placed, a->order[i], b->placed, b->order[j]) != 0)
            return false;
        for (uint32_t rank = a->rank[a->order[i]]; i < a->used && a->rank[a->order[i]] == rank;)
            i++;
        for (uint32_t rank = b->rank[b->order[j]]; j < b->used && b->rank[b->order[j]] == rank;)
            j++;
    }
    return memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles) == 0;
}

static bool may_be_equal(const grz_clash_part *a, const grz_clash_part *b)
{
    if (a->triangle_count != b->triangle_count || a->triangle_count == 0)
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->lower[axis] + b->slack[axis] || b->lower[axis] > a->lower[axis] + a->slack[axis] ||
            a->upper[axis] < b->upper[axis] - b->slack[axis] || b->upper[axis] < a->upper[axis] - a->slack[axis])
            return false;
    return true;
}

static bool same(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b, bool *out_same)
{
    /* shortcut: same-instance */
    *out_same =
        a->placed.mesh == b->placed.mesh && memcmp(&a->placed.pose, &b->placed.pose, sizeof a->placed.pose) == 0;
    if (*out_same)
        return true;
    canonical_mesh x, y;
    if (!make_canonical(context, &a->placed, &x))
        return false;
    if (!make_canonical(context, &b->placed, &y))
    {
        release(context, &x);
        return false;
    }
    *out_same = same_positions(&x, &y);
    release(context, &x);
    release(context, &y);
    return true;
}

/* --- parts that are equal byte by byte --- */

static bool same_bytes(const grz_clash_part *a, const grz_clash_part *b)
{
    const graze_mesh *m = a->placed.mesh, *n = b->placed.mesh;
    size_t vertices = graze_mesh_vertex_count(m), triangles = graze_mesh_triangle_count(m);
    if (triangles == 0 || memcmp(&a->placed.pose, &b->placed.pose, sizeof a->placed.pose) != 0)
        return false;
    /* shortcut: same-bytes */
    return m == n || (vertices == graze_mesh_vertex_count(n) && triangles == graze_mesh_triangle_count(n) &&
                      memcmp(graze_mesh_vertices(m), graze_mesh_vertices(n), 3 * vertices * sizeof(double)) == 0 &&
                      memcmp(graze_mesh_triangles(m), graze_mesh_triangles(n), 3 * triangles * sizeof(uint32_t)) == 0);
}

static size_t add_to_hash(size_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t sum = hash;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ at[i]) * UINT64_C(1099511628211);
    return (size_t)(sum ^ (sum >> 32));
}

/* Hash of the numbers that byte-equal parts share; only few of them, since meshes may be large. */
static size_t hash_of(const grz_clash_part *part)
{
    size_t counts[2] = {part->triangle_count, graze_mesh_vertex_count(part->placed.mesh)};
    size_t hash = add_to_hash(1, &part->placed.pose, sizeof part->placed.pose);
    hash = add_to_hash(hash, counts, sizeof counts);
    return add_to_hash(add_to_hash(hash, part->lower, sizeof part->lower), part->upper, sizeof part->upper);
}

/* set_of[i] becomes the first part with the same bytes as i. False when out of memory. */
static bool find_same_bytes(const graze_context *context, const grz_clash_part *parts, size_t count, size_t *set_of)
{
    size_t slot_count = 2;
    while (slot_count < 2 * count)
        slot_count *= 2;
    size_t *slots = grz_allocate_zeroed(context, slot_count, sizeof *slots); /* part + 1, or 0 */
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        size_t slot = hash_of(&parts[i]) & (slot_count - 1);
        while (slots[slot] != 0 && !same_bytes(&parts[slots[slot] - 1], &parts[i]))
            slot = (slot + 1) & (slot_count - 1);
        if (slots[slot] == 0)
            slots[slot] = i + 1;
        set_of[i] = slots[slot] - 1;
    }
    grz_release(context, slots);
    return true;
}

/* --- all parts that are equal --- */

/* The first part of each set, sorted by triangle count and one axis of the AABB, so that parts which may be equal are
 * neighbours. */
typedef struct part_entry
{
    const grz_clash_part *part;
    size_t index;
    double lower, slack; /* along the axis */
} part_entry;

static int compare_entries(const void *a, const void *b)
{
    const part_entry *x = a, *y = b;
    if (x->part->triangle_count != y->part->triangle_count)
        return x->part->triangle_count < y->part->triangle_count ? -1 : 1;
    if (x->lower != y->lower)
        return x->lower < y->lower ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static void sort_along(part_entry *entries, size_t count, int axis)
{
    for (size_t i = 0; i < count; i++)
    {
        entries[i].lower = entries[i].part->lower[axis];
        entries[i].slack = entries[i].part->slack[axis];
    }
    qsort(entries, count, sizeof *entries, compare_entries);
}

static bool within_slack(const part_entry *first, const part_entry *later)
{
    /* shortcut: aabbs-differ */
    return first->part->triangle_count == later->part->triangle_count && later->lower <= first->lower + first->slack;
}

/* Estimates how many pairs of entries overlap along the axis they are sorted by. */
static double count_within_slack(const part_entry *entries, size_t count)
{
    double pairs = 0;
    for (size_t i = 0, end = 0; i < count; i++)
    {
        end = end > i ? end : i;
        while (end + 1 < count && within_slack(&entries[i], &entries[end + 1]))
            end++;
        pairs += (double)(end - i);
    }
    return pairs;
}

/* Sorts along the axis with the fewest overlaps. */
static void sort_entries(part_entry *entries, size_t count)
{
    double least = INFINITY;
    int best = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        sort_along(entries, count, axis);
        double pairs = count_within_slack(entries, count);
        best = pairs < least ? axis : best;
        least = fmin(pairs, least);
    }
    sort_along(entries, count, best);
}

/* Equality is transitive, so one part of a set is compared for all: parts equal to an earlier one are not compared
 * again. */
static bool join_entries(const graze_context *context, part_entry *entries, size_t count, size_t *set_of)
{
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
    {
        if (entries[i].part == NULL)
            continue;
        for (size_t j = i + 1, is_close = 1; j < count && done && is_close; j++)
        {
            bool equal = false;
            if (entries[j].part == NULL)
                continue;
            is_close = within_slack(&entries[i], &entries[j]);
            if (is_close && may_be_equal(entries[i].part, entries[j].part))
                done = same(context, entries[i].part, entries[j].part, &equal);
            if (!equal)
                continue;
            size_t x = entries[i].index, y = entries[j].index;
            set_of[x < y ? y : x] = entries[i].index = x < y ? x : y;
            entries[j].part = NULL;
        }
    }
    return done;
}

bool grz_clash_find_duplicates(const graze_context *context, const grz_clash_part *parts, size_t count, size_t *set_of)
{
    part_entry *entries = grz_allocate(context, count + 1, sizeof *entries);
    size_t entry_count = 0;
    bool done = entries != NULL && find_same_bytes(context, parts, count, set_of);
    for (size_t i = 0; i < count && done; i++)
        if (set_of[i] == i)
            entries[entry_count++] = (part_entry){.part = &parts[i], .index = i};
    if (done)
    {
        sort_entries(entries, entry_count);
        done = join_entries(context, entries, entry_count, set_of);
    }
    for (size_t i = 0; i < count && done; i++) /* earlier parts are final */
        set_of[i] = set_of[set_of[i]];
    grz_release(context, entries);
    return done;
}
