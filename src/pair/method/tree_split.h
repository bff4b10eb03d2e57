/* SPDX-License-Identifier: MIT */
/*
 * Rules that split the triangles of a node (Klosowski et al. 1998, 4.2; Zachmann's slides): by which axis, and where it
 * is cut. They compare volumes of k-dops around both parts, of boxes where the method has other volumes. A sweep tries
 * all cuts: the triangles are sorted along the axis, and volumes are enlarged triangle by triangle from both ends.
 */
#ifndef GRZ_PAIR_METHOD_TREE_SPLIT_H
#define GRZ_PAIR_METHOD_TREE_SPLIT_H

#include "base/random.h"
#include "base/sort.h"
#include "pair/method/binary_tree.h"

/* The size of a part: its volume, the sides of its box, and how many triangles it has. */
typedef struct grz_part_size
{
    double volume, sides[3], count;
} grz_part_size;

/* Room for the largest node. */
typedef struct grz_split_work
{
    double *keys;                    /* for medians */
    grz_key_value *sorted, *scratch; /* for sweeps, */
    grz_part_size *right;            /* the parts beyond each cut */
    const grz_dop_kind *kind;
    graze_split_axis rule;
    uint32_t candidates;
    grz_random random;
} grz_split_work;

/* False when out of memory; released in any case. */
bool grz_split_work_make(const graze_context *context, const grz_method_tree_plan *plan, size_t count,
                         grz_split_work *out);
void grz_split_work_release(const graze_context *context, grz_split_work *work);

/* Where an axis is cut by the split's point. */
double grz_split_value(const grz_method_split *split, const double axis[3]);

/* The axis by a rule that is not the method's own; *out_value stays NaN unless the rule is a sweep. */
void grz_split_by_rule(const grz_method_split *split, double out_axis[3], double *out_value);

#endif
