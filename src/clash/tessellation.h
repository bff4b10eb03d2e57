/* SPDX-License-Identifier: MIT */
/*
 * Sagittas: how far the facets of a part lie off the curved surface that they stand for. A shaft in its hole, both cut
 * into facets, overlaps by about that much; such a crossing says nothing about the parts as designed.
 */
#ifndef GRZ_CLASH_TESSELLATION_H
#define GRZ_CLASH_TESSELLATION_H

#include "clash/report.h"

/* The sagitta of a triangle of a part, in the world; 0 for a flat face. Estimated. */
double grz_clash_triangle_sagitta(const grz_clash_part *part, uint32_t triangle);

/* The largest sagitta of a part's triangles that meet the cube around a point of the world, `radius` in each direction:
 * of the first GRZ_CLASH_SAGITTA_TRIANGLES, if there are more. Estimated. Fails as graze_placed_mesh_collide_box. */
graze_status grz_clash_sagitta_near(const graze_context *context, const grz_clash_part *part, const double point[3],
                                    double radius, double *out_sagitta);

/* Of a crossing: the sagittas of both parts at its deepest point, and whether it is no deeper than their sum. Fails as
 * graze_placed_mesh_collide_box, and with OUT_OF_MEMORY. */
graze_status grz_clash_judge_facets(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                    graze_clash_finding *finding);

enum
{
    GRZ_CLASH_SAGITTA_TRIANGLES = 64
};

#endif
