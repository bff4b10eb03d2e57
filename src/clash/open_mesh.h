/* SPDX-License-Identifier: MIT */
/* Parts that are not closed: which pairs their unknown inside leaves undecided, and where their open edges are. */
#ifndef GRZ_CLASH_OPEN_MESH_H
#define GRZ_CLASH_OPEN_MESH_H

#include "clash/report.h"

/* Whether a part ought to bound a solid but does not: it is not closed, and not meant to be a surface. */
bool grz_clash_is_open(const grz_clash_part *part);

/* Whether two parts whose surfaces share no point, and neither of which reaches into a closed one, may overlap because
 * an open one of them may have its inside where the other is. False is certain if the inside of a part, wherever it is,
 * lies in the convex hull of the part. Fails as graze_placed_mesh_collide_box. */
graze_status grz_clash_inside_matters(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                      bool *out_matters);

/* Why such a pair is undecided. */
const char *grz_clash_why_undecided(const grz_clash_part *a, const grz_clash_part *b);

/* The two ends of an edge, in the world. */
typedef struct grz_clash_edge
{
    double ends[2][3];
} grz_clash_edge;

/* Lists up to `capacity` edges of a part that do not have exactly two triangles, those nearest to a point first, each
 * once; returns how many are listed. *out_count: sides of triangles without a neighbour, in all. */
size_t grz_clash_open_edges(const grz_clash_part *part, const double near_point[3], grz_clash_edge *out_edges,
                            size_t capacity, size_t *out_count);

#endif
