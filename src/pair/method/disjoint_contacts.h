/* SPDX-License-Identifier: MIT */
/*
 * Local minima of the distance of two surfaces, of which all pairs of triangles within a tolerance are known.
 *
 * The nearest points p and q of two triangles are a local minimum of the surfaces exactly if no pair of triangles of
 * which one has p and the other q is nearer, since the distance is convex on each such pair. Pairs as near as another
 * that share these points, or continue its triangles in their planes, are of one minimum. Whether points lie on edges
 * and vertices, triangles in one plane, and distances are equal is decided in doubles.
 */
#ifndef GRZ_PAIR_METHOD_DISJOINT_CONTACTS_H
#define GRZ_PAIR_METHOD_DISJOINT_CONTACTS_H

#include "base/array.h"
#include "pair/distance/triangle_distance.h"
#include "pair/method/method.h"

typedef struct grz_near_pair
{
    grz_closest_pair gap;
    uint32_t corners[2][3]; /* vertices, those at one position with one number */
    uint8_t on[2];          /* the corners whose mixture the nearest point is, a bit each */
    double below;           /* the least distance of the nearer pairs at these points; INFINITY: there is none */
    double least;           /* the least distance of its group, at the pair that stands for it */
    uint32_t group;         /* union-find */
} grz_near_pair;

typedef GRZ_ARRAY(grz_near_pair) grz_near_pairs;

/* Fills in all but the gaps, and pushes one contact for each local minimum, in order of triangles. OK, OUT_OF_MEMORY,
   UNFINISHED, CANCELLED, or TOO_LARGE (2^32 pairs). */
graze_status grz_disjoint_contacts(const graze_context *context, const grz_measure_frame *frame, grz_near_pairs *near,
                                   grz_monitor *monitor, grz_near_contacts *out);

#endif
