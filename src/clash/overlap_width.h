/* SPDX-License-Identifier: MIT */
/* How far two parts reach into one another along a direction: a cheap upper bound of the depth of mated parts. */
#ifndef GRZ_CLASH_OVERLAP_WIDTH_H
#define GRZ_CLASH_OVERLAP_WIDTH_H

#include "clash/report.h"

typedef struct grz_clash_overlap_width
{
    bool found;
    double width;     /* certified: after the translation they share no interior point; no common point is deeper */
    double normal[3]; /* from a to b, of any length: the width holds for exactly this one */
    double vector[3]; /* of b, of about that width along the normal */
} grz_clash_overlap_width;

/* Looks among the axes and the normals of triangles that meet for a direction in which the parts reach into one another
 * by at most `limit`: the first by at most `enough`, which is not larger, else the best. The triangles of `first`, a
 * hit of the two parts, are tried before others are searched for; it may be NULL. Fails as graze_pair_visit does. */
graze_status grz_clash_find_overlap_width(const graze_context *context, const graze_placed_mesh *a,
                                          const graze_placed_mesh *b, const graze_hit *first, double enough,
                                          double limit, grz_clash_overlap_width *out);

/* Whether the two triangles of a hit overlap by more than `limit` in every direction, and so do the parts. */
bool grz_clash_is_wider_by_hit(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_hit *hit,
                               double limit);

#endif
