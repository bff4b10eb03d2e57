/* SPDX-License-Identifier: MIT */
/*
 * The pieces that pairs of triangles share, on their way to a region: points, segments and polygons whose corners are
 * named by numbers. Numbers go by the order of coordinates, x first, so that they depend on the set of points alone.
 */
#ifndef GRZ_PAIR_REGION_INTERSECTION_PIECES_H
#define GRZ_PAIR_REGION_INTERSECTION_PIECES_H

#include <stdint.h>

#include "base/array.h"
#include "base/budget_monitor.h"
#include "graze/exact.h"

enum
{
    GRZ_PIECE_CORNERS = 6
};

typedef struct grz_region_point
{
    double at[3];
} grz_region_point;

/* One, two, or three to six different corners. */
typedef struct grz_piece
{
    uint32_t corners[GRZ_PIECE_CORNERS];
    uint32_t count;
} grz_piece;

typedef struct grz_pieces
{
    GRZ_ARRAY(grz_region_point)
    points; /* before grz_pieces_weld: of every piece in turn; after: every place once, in order */
    GRZ_ARRAY(grz_piece) pieces;
} grz_pieces;

/* A chain of points. */
typedef struct grz_polyline
{
    size_t start, count; /* in `indices` */
    bool closed;
} grz_polyline;

typedef struct grz_polylines
{
    GRZ_ARRAY(grz_polyline) chains;
    GRZ_ARRAY(uint32_t) indices; /* numbers of points */
} grz_polylines;

/* Adds what two triangles share. False when out of memory. */
bool grz_pieces_add(const graze_context *context, grz_pieces *pieces, const graze_intersection *shared);

/* Gives points that are equal one number, orders them, and drops corners of a piece that repeat each other. Like the
   next two, it says false when out of memory, or when the monitor, which may be NULL, stops it. */
bool grz_pieces_weld(const graze_context *context, grz_pieces *pieces, grz_monitor *monitor);

/* The same, and drops points and segments that are repeated: so pieces of which many are equal take little memory on
   the way. More may be added afterwards. */
bool grz_pieces_merge(const graze_context *context, grz_pieces *pieces, grz_monitor *monitor);

/* Orders the pieces, those with fewer corners first, and drops points and segments that are repeated or part of
   larger pieces. */
bool grz_pieces_reduce(const graze_context *context, grz_pieces *pieces, grz_monitor *monitor);

/* Chains the segments. A chain ends at a point where other than two of them meet. */
bool grz_pieces_chain(const graze_context *context, const grz_pieces *pieces, grz_monitor *monitor,
                      grz_polylines *out_chains);

void grz_pieces_release(const graze_context *context, grz_pieces *pieces);
void grz_polylines_release(const graze_context *context, grz_polylines *chains);

#endif
