/* SPDX-License-Identifier: MIT */
/*
 * Two placed meshes at the far ends of the range, in a world scaled by a power of two, where distances can be measured
 * in doubles. Used only where scaling is exact: every vertex, pose and length is the same number, but for the power of
 * two. Then every decision and every certified bound in the scaled world holds in the original one.
 */
#ifndef GRZ_PAIR_DISTANCE_SCALED_PAIR_H
#define GRZ_PAIR_DISTANCE_SCALED_PAIR_H

#include "graze/pair.h"
#include "mesh/mesh.h"
#include "tree/tree.h"

enum
{
    GRZ_LENGTHS = 4 /* most of one call */
};

typedef struct grz_scaled_pair
{
    const graze_placed_mesh *a, *b; /* the arguments, or those below */
    double lengths[GRZ_LENGTHS];    /* the arguments, scaled */
    int power;                      /* a scaled length times 2^power is the original one; 0 where nothing is scaled */
    graze_placed_mesh placed[2];
    graze_mesh meshes[2];
    graze_tree trees[2];
} grz_scaled_pair;

/* Lengths may be infinite. The arguments' meshes and trees must outlive the pair. */
void grz_scaled_pair_make(grz_scaled_pair *pair, const graze_placed_mesh *a, const graze_placed_mesh *b,
                          const double *lengths, int count);

/* Certified bounds in the original world from those in the scaled one. */
double grz_scaled_lower(const grz_scaled_pair *pair, double lower);
double grz_scaled_upper(const grz_scaled_pair *pair, double upper);

#endif
