/* SPDX-License-Identifier: MIT */
/*
 * A root that was located, in storage of its own: to compare the times of many pairs of triangles, and to know where
 * the next pair is likely to meet. A plain struct that can be copied.
 */
#ifndef GRZ_MOTION_STORED_ROOT_H
#define GRZ_MOTION_STORED_ROOT_H

#include "motion/roots.h"

enum
{
    GRZ_STORED_ROOT_LIMBS = 96
};

typedef struct grz_stored_root
{
    bool usable;      /* false: there is none, or its polynomial was too large */
    double low, high; /* the doubles around it: equal if it is one, and then there is no polynomial */
    int degree, sign;
    int signs[GRZ_DEGREE_MAX + 1];
    unsigned char counts[GRZ_DEGREE_MAX + 1];
    uint64_t limbs[GRZ_STORED_ROOT_LIMBS]; /* of one coefficient after the other */
} grz_stored_root;

void grz_root_store(const grz_root *root, grz_stored_root *out);

/* The root again, with numbers in scratch memory; of a usable one. */
void grz_root_load(grz_scratch *scratch, const grz_stored_root *stored, grz_root *out);

/* The sign of a - b, of usable roots; b may get a shorter polynomial. */
graze_status grz_stored_root_compare(const graze_context *context, const grz_stored_root *a, grz_stored_root *b,
                                     int *out_order);

#endif
