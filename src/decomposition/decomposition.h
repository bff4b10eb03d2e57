/* SPDX-License-Identifier: MIT */
/* Convex decomposition of bodies: pieces under way. */
#ifndef GRZ_DECOMPOSITION_DECOMPOSITION_H
#define GRZ_DECOMPOSITION_DECOMPOSITION_H

#include "decomposition/excess.h"
#include "graze/decomposition.h"

typedef struct grz_convex_piece
{
    graze_box cell;
    uint32_t *triangles; /* those that may meet the cell */
    size_t triangle_count;
    grz_cell_points points;
    grz_hull *hull;
    double volume; /* of the hull */
    double growth;
    grz_excess excess;
    bool whole; /* no cut makes it smaller */
} grz_convex_piece;

/* Where a piece is cut in two. */
typedef struct grz_cut
{
    int axis;
    double place;
    double volume; /* of both hulls, estimated; INFINITY: there is no cut */
} grz_cut;

/* Finds the cut that leaves the smallest hulls. */
graze_status grz_cut_find(grz_cut_body *body, const grz_convex_piece *piece, grz_cut *out_cut);

/* Makes the piece of a cell from the triangles that may meet it; a piece without points has no hull. Release in any
   case. */
graze_status grz_piece_make(grz_cut_body *body, const graze_box *cell, const uint32_t *triangles, size_t count,
                            double target, grz_convex_piece *out_piece);
void grz_piece_release(const graze_context *context, grz_convex_piece *piece);

/* The triangles whose AABBs meet a cell; the result has room for all. */
size_t grz_cell_triangles(const grz_cut_body *body, const graze_box *cell, const uint32_t *triangles, size_t count,
                          uint32_t *out_triangles);

#endif
