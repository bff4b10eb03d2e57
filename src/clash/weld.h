/* SPDX-License-Identifier: MIT */
/* Welding: gaps between triangles that are narrower than the resolution of a file are no openings of the part. */
#ifndef GRZ_CLASH_WELD_H
#define GRZ_CLASH_WELD_H

#include "graze/depth.h"

/* A mesh whose gaps are closed, and its body. */
typedef struct grz_clash_welded
{
    graze_mesh *mesh; /* NULL: there are gaps that are no narrower than the tolerance, or there is no gap at all */
    graze_body *body;
    size_t gaps; /* pairs of open edges that were joined */
} grz_clash_welded;

/* Joins vertices of open edges that differ by at most `tolerance` on each axis, in the frame of the mesh. Only a mesh
 * that this closes is changed; its vertices move by at most the tolerance on each axis. The caller owns the result.
 * Fails with OUT_OF_MEMORY or TOO_LARGE. */
graze_status grz_clash_weld(const graze_context *context, const graze_mesh *mesh, const graze_body *body,
                            double tolerance, grz_clash_welded *out_welded);
void grz_clash_welded_release(grz_clash_welded *welded);

/* The tolerance for a mesh in its own frame: what a pose makes at most `length` of; 0 for a pose that is all zero. */
double grz_clash_weld_tolerance(const graze_pose *pose, double length);

#endif
