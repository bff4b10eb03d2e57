/* SPDX-License-Identifier: MIT */
/*
 * Pieces of a surface near the common points of two bodies, with the directions in which a ball inside the body may
 * touch them: triangles of a leaf with similar normals, sharp edges, sharp vertices. For critical_pairs.c.
 */
#ifndef GRZ_PAIR_DEPTH_SURFACE_PIECES_H
#define GRZ_PAIR_DEPTH_SURFACE_PIECES_H

#include "pair/depth/critical_pairs.h"
#include "pair/solid/embedding.h"

enum
{
    GRZ_ALONG = 1,  /* signs: u along the axis; */
    GRZ_AGAINST = 2 /* against it */
};

/* Points of the surface in a ball, at which all directions u from the centre of a ball that touches the surface there
   differ from the axis, times a sign, by at most `spread`, as vectors of unit length. */
typedef struct grz_surface_piece
{
    v3 centre, axis;
    double radius, spread;
    uint8_t signs;
    uint8_t count; /* of triangles; 0: an edge or a vertex */
    uint8_t end_count;
    v3 ends[3]; /* of a single triangle, an edge or a vertex: the corners */
    uint32_t triangles[GRZ_LANES];
} grz_surface_piece;

/* The normal of a triangle and how far those around it differ, once known. */
typedef struct grz_normal_ring
{
    v3 normal;
    double error;    /* of the normal */
    bool has_normal; /* whether normal and error are known */
    double spread;
    bool known, usable;
} grz_normal_ring;

typedef struct grz_critical_search
{
    grz_deepest_search *s;
    const grz_surface *surface;
    const graze_body *body;
    const grz_common_box *box;
    int side;
    double least, most, error;
    GRZ_ARRAY(grz_surface_piece) pieces;
    grz_normal_ring *rings; /* per triangle */
    int8_t *sides; /* per triangle: on which side the interior lies: 1 in front, -1 behind, 0 unknown, or NOT_NEAR */
    uint32_t *queue;
    GRZ_ARRAY(uint32_t) leaves; /* near the common points */
    double facing; /* 1: normals of all triangles near point out of the body; -1: into it; 0: it is not known of all */
    grz_embedding embedding;
    uint8_t *marks;       /* per triangle: bit k, k + 3: its corner k, its half-edge k has a piece */
    size_t pairs, points; /* tested so far */
    bool failed;
} grz_critical_search;

/* Gathers the leaves near the common points, and finds out how their triangles face. */
void grz_gather_near_leaves(grz_critical_search *q);

/* Gathers the pieces of these leaves; sets `failed` where that is not possible. */
void grz_gather_surface_pieces(grz_critical_search *q);

/* The piece of one triangle. */
grz_surface_piece grz_piece_of_triangle(grz_critical_search *q, uint32_t triangle);

/* Whether a ball in the body, of a radius asked for, may touch both pieces on nearly opposite sides: with u along
   `sign` times the axis of a, and along `other_sign` times that of b. Its centre is then within *out_radius of *out_x.
   critical_pairs.c */
bool grz_may_be_opposite(const grz_critical_search *q, const grz_surface_piece *a, const grz_surface_piece *b,
                         double sign, double other_sign, v3 *out_x, double *out_radius);

/* Whether a common point within `radius` of a point may be a local maximum of the depth, as deep as asked for.
   critical_pairs.c */
bool grz_may_be_maximum(grz_critical_search *q, v3 at, double radius);

/* How far a point is from the box around all common points, at least. */
double grz_gap_to_common_box(const grz_critical_search *q, v3 centre);

#endif
