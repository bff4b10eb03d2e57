/* SPDX-License-Identifier: MIT */
/* Two moving triangles of two moving meshes, by their numbers: when they meet first; see triangle_impact.h. */
#ifndef GRZ_MOTION_PAIR_KERNEL_H
#define GRZ_MOTION_PAIR_KERNEL_H

#include "motion/triangle_impact.h"

/* Vertices whose volume has a time as its only root between the bounds of the time. */
typedef struct grz_zero_volume
{
    bool known;
    bool of_b[4];
    uint32_t vertices[4]; /* of A's mesh or B's */
} grz_zero_volume;

/* The first time of a pair. */
typedef struct grz_pair_time
{
    uint32_t a, b;
    bool found;
    graze_moving_contact contact;
    grz_stored_root root; /* the very time */
    grz_zero_volume zero; /* the same, where doubles have found it */
} grz_pair_time;

/* `out_root` of the question is set here. */
graze_status grz_pair_first_time(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b,
                                 uint32_t triangle_a, uint32_t triangle_b, const grz_impact_question *question,
                                 grz_pair_time *out);

/* The order of two such times, exactly: -1, 0 or 1. Roots that are needed and were not stored are made, and
   those of the second are stored, or stored shorter. */
graze_status grz_pair_times_compare(const graze_context *context, const graze_moving_mesh *a,
                                    const graze_moving_mesh *b, bool crossing, const grz_pair_time *first,
                                    grz_pair_time *second, int *out_order);

#endif
