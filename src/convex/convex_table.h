/* SPDX-License-Identifier: MIT */
/*
 * What queries need of a polytope's vertices, computed once: bounds of coordinates for error bounds, vertices in blocks
 * for a linear scan, start vertices for hill climbing by direction, and whether it is a box.
 */
#ifndef GRZ_CONVEX_CONVEX_TABLE_H
#define GRZ_CONVEX_CONVEX_TABLE_H

#include <stdbool.h>

#include "convex/convex_body.h"
#include "graze/context.h"

enum
{
    GRZ_CONVEX_CELLS = 4,       /* per edge of a side of the cube of directions */
    GRZ_CONVEX_SCAN_LIMIT = 32, /* vertices up to which all are scanned */
    GRZ_CONVEX_BLOCK = 8        /* vertices in a block */
};

typedef struct grz_convex_table
{
    double largest[3]; /* |coordinate|, by axis; at least 2^-400, and INFINITY above 2^400 */
    double lower[3], upper[3];
    size_t block_count;                                                           /* 0: too many vertices to scan */
    double blocks[GRZ_CONVEX_SCAN_LIMIT / GRZ_CONVEX_BLOCK][3][GRZ_CONVEX_BLOCK]; /* the last vertex fills the rest */
    uint32_t starts[6][GRZ_CONVEX_CELLS][GRZ_CONVEX_CELLS]; /* about the support vertex of each cell's centre */
    bool is_box; /* the vertices are the corners of an AABB that is flat on no axis */
} grz_convex_table;

/* Makes the table from the vertices and neighbours of a polytope. */
void grz_convex_table_make(const grz_convex_body *body, grz_convex_table *out_table);

#endif
