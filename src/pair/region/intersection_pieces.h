/* SPDX-License-Identifier: MIT */
/*
 * Intersection pieces: the intersections of pairs of triangles, from which a region is made. They are points, segments
 * and polygons, with corners given as point indices. Welded points are sorted by coordinates, x first, so their indices
 * depend on the set of points alone.
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
    points; /* before grz_pieces_weld: those of each piece in turn; after: distinct and sorted */
    GRZ_ARRAY(grz_piece) pieces;
} grz_pieces;

/* A polyline; if closed, the last point is connected to the first. */
typedef struct grz_polyline
{
    size_t start, count; /* in `indices` */
    bool closed;
} grz_polyline;

typedef struct grz_polylines
{
    GRZ_ARRAY(grz_polyline) chains;
    GRZ_ARRAY(uint32_t) indices; /* of points */
} grz_polylines;

/* Adds the intersection of two triangles. False when out of memory. */
bool grz_pieces_add(const graze_context *context, grz_pieces *pieces, const graze_intersection *shared);

/* Merges equal points, sorts them, and drops repeated consecutive corners of a piece. Like the next three functions,
   returns false when out of memory or when the monitor, which may be NULL, stops it. */
bool grz_pieces_weld(const graze_context *context, grz_pieces *pieces, grz_monitor *monitor);

/* grz_pieces_weld, and drops duplicates of points and segments: bounds the memory while pieces are gathered. More may
   be added afterwards. */
bool grz_pieces_merge(const graze_context *context, grz_pieces *pieces, grz_monitor *monitor);

/* Sorts welded pieces, those with fewer corners first, and drops duplicates of points and segments, points that are
   corners of larger pieces, and segments that are sides of polygons. */
bool grz_pieces_reduce(const graze_context *context, grz_pieces *pieces, grz_monitor *monitor);

/* Chains the segments of reduced pieces. A chain ends at a point where one segment, or more than two, end. */
bool grz_pieces_chain(const graze_context *context, const grz_pieces *pieces, grz_monitor *monitor,
                      grz_polylines *out_chains);

/* Connected components of reduced pieces, in the order of their lowest points. */
typedef struct grz_region_components
{
    size_t count;
    uint32_t *component_of; /* of every point */
} grz_region_components;

/* The caller releases component_of. components.c */
bool grz_pieces_components(const graze_context *context, const grz_pieces *pieces, grz_monitor *monitor,
                           grz_region_components *out_components);

void grz_pieces_release(const graze_context *context, grz_pieces *pieces);
void grz_polylines_release(const graze_context *context, grz_polylines *chains);

#endif
