/* SPDX-License-Identifier: MIT */
/*
 * The oracle of placed shapes, in rationals: distances of cores over all pairs of triangles, half-spaces by their
 * inverse pose. Shapes are leaves; curved ones against half-spaces only.
 */
#ifndef SUPPORT_ORACLE_SHAPES_H
#define SUPPORT_ORACLE_SHAPES_H

#include <gmp.h>

#include "graze/shape.h"
#include "support/oracle.h"

/* The distance of two cores without their radii. */
typedef struct core_distance
{
    mpq_t square; /* of the least distance of two triangles */
    bool nested;  /* one lies inside the other solid */
    bool empty;   /* one has no triangles */
} core_distance;

void core_distance_init(core_distance *distance);
void core_distance_clear(core_distance *distance);
void oracle_cores(oracle *judge, test_random *random, const graze_placed *a, const graze_placed *b, core_distance *out);

/* Compares that distance with the real sum of numbers: -1 where it is less, 0, or 1. */
int oracle_compare_core_distance(const core_distance *distance, const double *terms, int count);

/* The sign of the signed gap of a core, less its radius, or of a curved shape, over a half-space, minus a tolerance (0
   for curved ones). */
int oracle_compare_height(const graze_placed *shape, const graze_placed *half_space, double tolerance);

/* Of two half-spaces: of their distance minus a tolerance; -1 where they overlap. */
int oracle_compare_half_spaces(const graze_placed *a, const graze_placed *b, double tolerance);

#endif
