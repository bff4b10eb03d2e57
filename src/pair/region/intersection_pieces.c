/* SPDX-License-Identifier: MIT */
/* Welds, sorts and reduces intersection pieces; see intersection_pieces.h. */
#include "pair/region/intersection_pieces.h"

#include <string.h>

#include "base/sort.h"
#include "mesh/hash.h"

/* By bits, as a comparison may take denormals for zero. */
static double without_negative_zero(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits << 1 == 0 ? 0.0 : value;
}

bool grz_pieces_add(const graze_context *context, grz_pieces *pieces, const graze_intersection *shared)
{
    grz_piece piece = {.count = (uint32_t)shared->count};
    if (!GRZ_RESERVE(context, &pieces->points, pieces->points.count + piece.count))
        return false;
    for (int i = 0; i < shared->count; i++)
    {
        piece.corners[i] = (uint32_t)pieces->points.count;
        /* Points that are equal have the same bytes then, so it does not matter which of them is kept. */
        for (int axis = 0; axis < 3; axis++)
            pieces->points.data[pieces->points.count].at[axis] = without_negative_zero(shared->points[i][axis]);
        pieces->points.count++;
    }
    return GRZ_PUSH(context, &pieces->pieces, piece);
}

/* A sort key of a double, made from its bits: a comparison would take denormals for 0 when they are flushed. Both zeros
 * have the same key. */
static uint64_t order_key(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits << 1 == 0)
        bits = 0;
    return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static bool same_coordinates(const grz_region_point *a, const grz_region_point *b)
{
    /* shortcut: chained-by-equality */
    return order_key(a->at[0]) == order_key(b->at[0]) && order_key(a->at[1]) == order_key(b->at[1]) &&
           order_key(a->at[2]) == order_key(b->at[2]);
}

/* Replaces the point indices of a piece by the welded ones and drops corners equal to the one before, cyclically. */
static void weld_corners(grz_piece *piece, const uint32_t *indices)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < piece->count; i++)
    {
        uint32_t name = indices[piece->corners[i]];
        if (kept == 0 || piece->corners[kept - 1] != name)
            piece->corners[kept++] = name;
    }
    while (kept > 1 && piece->corners[kept - 1] == piece->corners[0])
        kept--;
    if (kept == 2 && piece->corners[0] > piece->corners[1])
    {
        uint32_t larger = piece->corners[0];
        piece->corners[0] = piece->corners[1];
        piece->corners[1] = larger;
    }
    for (uint32_t i = kept; i < GRZ_PIECE_CORNERS; i++)
        piece->corners[i] = 0;
    piece->count = kept;
}

/* Merges equal points; firsts[k] is the first of those with the k-th coordinates, and indices[i] the k of point i.
 * False when out of memory or stopped. */
static bool merge_points(const graze_context *context, const grz_pieces *pieces, grz_monitor *monitor,
                         uint32_t *indices, uint32_t *firsts, size_t *out_count)
{
    size_t count = pieces->points.count, distinct = 0;
    const grz_region_point *points = pieces->points.data;
    grz_hash_table table = grz_hash_table_make(context, count);
    bool enough = table.slots != NULL;
    for (size_t i = 0; enough && i < count; i++)
    {
        uint64_t hash = 0;
        for (int axis = 0; axis < 3; axis++)
            hash = grz_hash_mix(hash, order_key(points[i].at[axis]));
        size_t slot = hash & table.mask;
        while (table.slots[slot] != GRZ_HASH_EMPTY && !same_coordinates(&points[i], &points[firsts[table.slots[slot]]]))
            slot = (slot + 1) & table.mask;
        if (table.slots[slot] == GRZ_HASH_EMPTY)
        {
            firsts[distinct] = (uint32_t)i;
            table.slots[slot] = (uint32_t)distinct++;
        }
        indices[i] = table.slots[slot];
        enough = i % GRZ_WORK_PER_CHECK != GRZ_WORK_PER_CHECK - 1 || grz_monitor_work(monitor, GRZ_WORK_PER_CHECK);
    }
    grz_release(context, table.slots);
    *out_count = distinct;
    return enough;
}

/* Sorts points given by their indices, by coordinates, x first. order[k].value is which of the `count` comes k-th. */
static bool sort_points(const grz_region_point *points, const uint32_t *firsts, size_t count, grz_key_value *order,
                        grz_monitor *monitor)
{
    for (size_t i = 0; i < count; i++)
        order[i].value = i;
    for (int axis = 2; axis >= 0; axis--) /* the sort is stable */
    {
        for (size_t i = 0; i < count; i++)
            order[i].key = order_key(points[firsts[order[i].value]].at[axis]);
        if (!grz_sort_keyed_monitored(order, order + count, count, monitor))
            return false;
    }
    return true;
}

/* Many pairs of triangles have the same point in common, so equal points are merged before the rest is sorted. */
bool grz_pieces_weld(const graze_context *context, grz_pieces *pieces, grz_monitor *monitor)
{
    size_t count = pieces->points.count, distinct = 0;
    uint32_t *indices = grz_allocate(context, count, sizeof *indices);
    uint32_t *firsts = grz_allocate(context, count, sizeof *firsts);
    bool enough =
        indices != NULL && firsts != NULL && merge_points(context, pieces, monitor, indices, firsts, &distinct);
    grz_key_value *order = enough ? grz_allocate(context, distinct, 2 * sizeof *order) : NULL;
    grz_region_point *sorted = enough ? grz_allocate(context, distinct, sizeof *sorted) : NULL;
    enough = order != NULL && sorted != NULL && sort_points(pieces->points.data, firsts, distinct, order, monitor);
    for (size_t k = 0; enough && k < distinct; k++)
    {
        sorted[k] = pieces->points.data[firsts[order[k].value]];
        firsts[order[k].value] = (uint32_t)k; /* read for the last time: from now on the place after sorting */
    }
    for (size_t i = 0; enough && i < count; i++)
        indices[i] = firsts[indices[i]];
    for (size_t i = 0; enough && i < pieces->pieces.count; i++)
        weld_corners(&pieces->pieces.data[i], indices);
    if (enough && distinct > 0)
        memcpy(pieces->points.data, sorted, distinct * sizeof *sorted);
    if (enough)
        pieces->points.count = distinct;
    grz_release(context, indices);
    grz_release(context, firsts);
    grz_release(context, order);
    grz_release(context, sorted);
    return enough;
}

/* Sorts by number of corners, then by the corners. */
static bool sort_pieces(const graze_context *context, grz_pieces *pieces, grz_monitor *monitor)
{
    size_t count = pieces->pieces.count;
    grz_key_value *order = grz_allocate(context, count, 2 * sizeof *order);
    grz_piece *copy = grz_allocate(context, count, sizeof *copy);
    bool enough = order != NULL && copy != NULL;
    for (size_t i = 0; enough && i < count; i++)
    {
        copy[i] = pieces->pieces.data[i];
        order[i].value = i;
    }
    for (int first = 4; enough && first >= -2; first -= 2)
    {
        for (size_t i = 0; i < count; i++)
        {
            const grz_piece *piece = &copy[order[i].value];
            order[i].key = first < 0 ? piece->count : (uint64_t)piece->corners[first] << 32 | piece->corners[first + 1];
        }
        enough = grz_sort_keyed_monitored(order, order + count, count, monitor);
    }
    for (size_t i = 0; enough && i < count; i++)
        pieces->pieces.data[i] = copy[order[i].value];
    grz_release(context, order);
    grz_release(context, copy);
    return enough;
}

static uint64_t side_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* The sides of all polygons, sorted, followed by scratch space of the same size for the sort. */
static grz_key_value *polygon_sides(const graze_context *context, const grz_pieces *pieces, grz_monitor *monitor,
                                    size_t *out_count)
{
    size_t most = 0, count = 0;
    for (size_t i = 0; i < pieces->pieces.count; i++)
        most += pieces->pieces.data[i].count > 2 ? pieces->pieces.data[i].count : 0;
    grz_key_value *sides = grz_allocate(context, most, 2 * sizeof *sides);
    for (size_t i = 0; sides != NULL && i < pieces->pieces.count; i++)
    {
        const grz_piece *piece = &pieces->pieces.data[i];
        for (uint32_t k = 0; piece->count > 2 && k < piece->count; k++)
            sides[count++] = (grz_key_value){side_key(piece->corners[k], piece->corners[(k + 1) % piece->count]), 0};
    }
    *out_count = count;
    if (sides == NULL || grz_sort_keyed_monitored(sides, sides + most, count, monitor))
        return sides;
    grz_release(context, sides);
    return NULL;
}

static bool is_repeated(const grz_piece *piece, const grz_piece *last)
{
    return last != NULL && piece->count <= 2 && last->count == piece->count && last->corners[0] == piece->corners[0] &&
           last->corners[1] == piece->corners[1];
}

bool grz_pieces_merge(const graze_context *context, grz_pieces *pieces, grz_monitor *monitor)
{
    if (!grz_pieces_weld(context, pieces, monitor) || !sort_pieces(context, pieces, monitor))
        return false;
    size_t kept = 0;
    grz_piece *all = pieces->pieces.data;
    for (size_t i = 0; i < pieces->pieces.count; i++)
        if (!is_repeated(&all[i], kept > 0 ? &all[kept - 1] : NULL))
            all[kept++] = all[i];
    pieces->pieces.count = kept;
    return true;
}

/* Whether to keep a piece: not a point or segment equal to the last one kept, a point that is a corner of a larger
   piece (`taken`), or a segment that is a side of a polygon. */
static bool is_new(const grz_piece *piece, const grz_piece *last, const bool *taken, const grz_key_value *sides,
                   size_t side_count, size_t *next_side)
{
    if (piece->count > 2)
        return true;
    if (is_repeated(piece, last))
        return false;
    if (piece->count == 1)
        return !taken[piece->corners[0]];
    uint64_t key = side_key(piece->corners[0], piece->corners[1]);
    while (*next_side < side_count && sides[*next_side].key < key)
        ++*next_side;
    return *next_side == side_count || sides[*next_side].key != key;
}

bool grz_pieces_reduce(const graze_context *context, grz_pieces *pieces, grz_monitor *monitor)
{
    if (!sort_pieces(context, pieces, monitor))
        return false;
    size_t side_count = 0, next_side = 0, kept = 0, count = pieces->pieces.count;
    grz_key_value *sides = polygon_sides(context, pieces, monitor, &side_count);
    bool *taken = grz_allocate_zeroed(context, pieces->points.count, sizeof *taken);
    bool enough = sides != NULL && taken != NULL;
    grz_piece *all = pieces->pieces.data;
    for (size_t i = 0; enough && i < count; i++)
        for (uint32_t k = 0; all[i].count > 1 && k < all[i].count; k++)
            taken[all[i].corners[k]] = true;
    for (size_t i = 0; enough && i < count; i++)
    {
        const grz_piece *last = kept > 0 ? &all[kept - 1] : NULL;
        if (is_new(&all[i], last, taken, sides, side_count, &next_side))
            all[kept++] = all[i];
    }
    if (enough)
        pieces->pieces.count = kept;
    grz_release(context, sides);
    grz_release(context, taken);
    return enough;
}

void grz_pieces_release(const graze_context *context, grz_pieces *pieces)
{
    grz_release(context, pieces->points.data);
    grz_release(context, pieces->pieces.data);
}
