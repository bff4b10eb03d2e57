/* SPDX-License-Identifier: MIT */
/* The generalised winding number of large meshes: one ray and the open edges instead of all triangles. */
#ifndef GRZ_CLASH_BOUNDARY_WINDING_H
#define GRZ_CLASH_BOUNDARY_WINDING_H

#include "clash/report.h"

/* A part and the ends of its open edges, in the world. */
typedef struct grz_clash_boundary
{
    const grz_clash_part *part;
    double (*edges)[2][3]; /* in the direction of their triangles */
    size_t count;
} grz_clash_boundary;

/* False when out of memory. Release in any case. */
bool grz_clash_boundary_make(const graze_context *context, const grz_clash_part *part,
                             grz_clash_boundary *out_boundary);
void grz_clash_boundary_release(const graze_context *context, grz_clash_boundary *boundary);

/* As grz_clash_winding_number, for a point in the part's AABB. Estimated: wrong where the ray meets an edge. Fails with
 * OUT_OF_MEMORY. */
graze_status grz_clash_boundary_winding(const graze_context *context, const grz_clash_boundary *boundary,
                                        const double point[3], double *out_winding);

#endif
