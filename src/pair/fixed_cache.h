/* SPDX-License-Identifier: MIT */
/*
 * Triangles of a query in fixed point (exact/fixed_point.h), for the pairs that the double filter leaves uncertain. The
 * unit follows from the bounds of both meshes, so that it is the same for all pairs, and triangles converted lately are
 * kept: candidate pairs come leaf by leaf, and one triangle meets many.
 */
#ifndef GRZ_PAIR_FIXED_CACHE_H
#define GRZ_PAIR_FIXED_CACHE_H

#include "exact/fixed_point.h"
#include "graze/pair.h"

enum
{
    GRZ_FIXED_CACHE_SIZE = 64, /* triangles of each mesh, a power of two */
    GRZ_FIXED_ROW = 15         /* most pairs in a row that are decided here before the double filter is tried again */
};

typedef struct grz_fixed_cache
{
    bool started;
    bool usable;        /* whether the bounds allow fixed point */
    unsigned row, left; /* pairs in a row that are decided here before the double filter is tried, and how many are
                           left; more each time that it leaves a pair open, none once it decides */
    int unit;
    grz_fixed_pose poses[2];
    uint32_t kept[2][GRZ_FIXED_CACHE_SIZE]; /* indices of the triangles kept, UINT32_MAX for none */
    grz_fixed_triangle triangles[2][GRZ_FIXED_CACHE_SIZE];
} grz_fixed_cache;

/* NULL for the identity. */
const graze_pose *grz_pose_or_null(const graze_pose *pose);

/* The unit for two placed meshes, see grz_fixed_unit. A NULL pose is the identity. */
bool grz_fixed_unit_of_meshes(const graze_mesh *a, const graze_pose *pose_a, const graze_mesh *b,
                              const graze_pose *pose_b, int *out_unit);

/* A NULL pose is the identity; poses that drop out are NULL. Both meshes are of the moderate range: not scaled. */
void grz_fixed_cache_start(grz_fixed_cache *cache, const graze_mesh *a, const graze_pose *pose_a, const graze_mesh *b,
                           const graze_pose *pose_b);

/* The same with a unit such that coordinates themselves, and not only their differences, are below 2^125 units. The
   poses are those of the meshes; any range is allowed. */
void grz_fixed_cache_start_absolute(grz_fixed_cache *cache, const graze_placed_mesh *a, const graze_placed_mesh *b);

/* A triangle of A (which 0) or of B (1). Valid until the next triangle of the same mesh is asked for. */
const grz_fixed_triangle *grz_fixed_cache_triangle(grz_fixed_cache *cache, int which, const graze_mesh *mesh,
                                                   uint32_t triangle);

#endif
