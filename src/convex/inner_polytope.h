/* SPDX-License-Identifier: MIT */
/*
 * A polytope of points of M = {a - b} that grows toward the origin's nearest face, after the expanding polytope
 * algorithm of van den Bergen ("Proximity queries and penetration depth computation on 3D game objects", 2001). Each
 * step takes the face whose plane has the least signed distance from the origin (negative: the origin is beyond it) and
 * adds the support point along its normal. Unlike the original it need not contain the origin at first.
 *
 * Points are kept in twice the precision, as faces near a smooth contact are small; normals and heights are doubles of
 * differences of points. Nothing here decides anything: the polytope is checked when it is done
 * (grz_inner_polytope_radius), and planes prove the rest.
 */
#ifndef GRZ_CONVEX_INNER_POLYTOPE_H
#define GRZ_CONVEX_INNER_POLYTOPE_H

#include <stdint.h>

#include "convex/curved_gjk.h"

enum
{
    GRZ_INNER_VERTICES = 128,
    GRZ_INNER_FACES = 2 * GRZ_INNER_VERTICES
};

typedef struct grz_inner_face
{
    v3 normal;                               /* outward, of length 1 up to rounding */
    double height;                           /* of its plane above the origin */
    uint8_t vertices[3], neighbour_edges[3]; /* edge k goes from vertex k to k + 1 */
    uint16_t neighbours[3];
    bool alive, visible, settled; /* settled: M has nothing beyond its plane */
} grz_inner_face;

typedef struct grz_inner_polytope
{
    int vertex_count, face_count;
    grz_curved_wide_vertex vertices[GRZ_INNER_VERTICES];
    grz_inner_face faces[GRZ_INNER_FACES];
    int alive_count;
    double upper; /* the least certified width of M along a normal, */
    v3 direction; /* along this one */
} grz_inner_polytope;

typedef enum grz_inner_result
{
    GRZ_INNER_APART,  /* proved: upper < 0 */
    GRZ_INNER_INSIDE, /* the origin is at least `enough` inside; not proved yet */
    GRZ_INNER_DONE    /* the nearest face is a face of M, up to the tolerance, or there is no room for more */
} grz_inner_result;

/* Starts with the points of a simplex and others. False when M is flat, or no thicker than the tolerance. */
bool grz_inner_polytope_start(grz_inner_polytope *p, const grz_curved_pair *pair, const grz_curved_simplex *simplex);

/* Grows until the origin is `enough` inside, or M is proved not to contain it, or M has nothing farther than
   `tolerance` beyond the nearest face. */
grz_inner_result grz_inner_polytope_grow(grz_inner_polytope *p, const grz_curved_pair *pair, double enough,
                                         double tolerance);

/* Certified: M contains the ball of this radius about the origin. 0 or less when that cannot be proved. */
double grz_inner_polytope_radius(const grz_inner_polytope *p, const grz_curved_pair *pair);

#endif
