/* SPDX-License-Identifier: MIT */
/*
 * Two placed meshes at the far ends of the range, seen in a world scaled by a power of two, where distances can be
 * measured in doubles. Only where that is exact: every vertex, pose and length asked for is the same number, but for
 * the power of two. Then every decision and every certified bound there is one here.
 */
#ifndef GRZ_PAIR_DISTANCE_SCALED_PAIR_H
#define GRZ_PAIR_DISTANCE_SCALED_PAIR_H

#include "graze/pair.h"
#include "mesh/mesh.h"
#include "tree/tree.h"

typedef struct grz_scaled_pair
{
    const graze_placed_mesh *a, *b; /* those given, or those below */
    double length;                  /* the one given, there */
    int power;                      /* a length there, times 2^power, is one here; 0 where nothing is scaled */
    graze_placed_mesh placed[2];
    graze_mesh meshes[2];
    graze_tree trees[2];
} grz_scaled_pair;

/* `length` may be infinite. The meshes and trees given must outlive the pair. */
void grz_scaled_pair_make(grz_scaled_pair *pair, const graze_placed_mesh *a, const graze_placed_mesh *b, double length);

/* Certified bounds here for those there. */
double grz_scaled_lower(const grz_scaled_pair *pair, double lower);
double grz_scaled_upper(const grz_scaled_pair *pair, double upper);

#endif
