/* SPDX-License-Identifier: MIT */
/*
 * The pieces that pairs of triangles share, on their way to a region: points, segments and polygons whose corners are
 * named by numbers. Numbers go by the order of coordinates, x first, so that they depend on the set of points alone.
 */
#ifndef GRZ_PAIR_PIECES_H
#define GRZ_PAIR_PIECES_H

#include <stdint.h>

#include "base/array.h"
#include "graze/exact.h"

enum
{
    GRZ_PIECE_CORNERS = 6
};

typedef struct grz_point
{
    double at[3];
} grz_point;

/* One, two, or three to six different corners. */
typedef struct grz_piece
{
    uint32_t corners[GRZ_PIECE_CORNERS];
    uint32_t count;
} grz_piece;

typedef struct grz_pieces
{
    GRZ_ARRAY(grz_point) points; /* before grz_pieces_name: of every piece in turn; after: every place once, in order */
    GRZ_ARRAY(grz_piece) pieces;
} grz_pieces;

/* A chain of points. */
typedef struct grz_chain
{
    size_t start, count; /* in `places` */
    bool closed;
} grz_chain;

typedef struct grz_chains
{
    GRZ_ARRAY(grz_chain) chains;
    GRZ_ARRAY(uint32_t) places; /* numbers of points */
} grz_chains;

/* Adds what two triangles share. False when out of memory. */
bool grz_pieces_add(const graze_context *context, grz_pieces *pieces, const graze_intersection *shared);

/* Gives points that are equal one number, orders them, and drops corners of a piece that repeat each other. */
bool grz_pieces_name(const graze_context *context, grz_pieces *pieces);

/* Orders the pieces, those with fewer corners first, and drops points and segments that are repeated or part of
   larger pieces. */
bool grz_pieces_sift(const graze_context *context, grz_pieces *pieces);

/* Chains the segments. A chain ends at a point where other than two of them meet. */
bool grz_pieces_chain(const graze_context *context, const grz_pieces *pieces, grz_chains *out_chains);

void grz_pieces_release(const graze_context *context, grz_pieces *pieces);
void grz_chains_release(const graze_context *context, grz_chains *chains);

#endif
