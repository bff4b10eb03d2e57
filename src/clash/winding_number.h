/* SPDX-License-Identifier: MIT */
/*
 * The generalised winding number, and with it a guess of what the inside of an open mesh is: for those who say that
 * open meshes are to be taken as closed.
 */
#ifndef GRZ_CLASH_WINDING_NUMBER_H
#define GRZ_CLASH_WINDING_NUMBER_H

#include "clash/report.h"

/* The generalised winding number of a placed part around a point of the world: for a closed and oriented mesh the
 * winding number, for an open one the share of the directions that it covers. Estimated. */
double grz_clash_winding_number(const grz_clash_part *part, const double point[3]);

/* How two parts share space when open ones are taken as closed. */
typedef struct grz_clash_assumed
{
    bool overlap;
    bool a_in_b, b_in_a; /* all samples of one lie in the other; neither for a mere crossing */
    double point[3];     /* a common point, if they overlap */
} grz_clash_assumed;

/* Decides by samples of the surfaces that do not cross: a point just beside a triangle of one part around which both
 * have a winding number above a half is common to both. A part that is a surface has no inside. Estimated. Fails with
 * OUT_OF_MEMORY. */
graze_status grz_clash_assume_closed(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                     grz_clash_assumed *out_assumed);

#endif
