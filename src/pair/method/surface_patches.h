/* SPDX-License-Identifier: MIT */
/* A surface divided into patches, sets of triangles, for trees over them. */
#ifndef GRZ_PAIR_METHOD_SURFACE_PATCHES_H
#define GRZ_PAIR_METHOD_SURFACE_PATCHES_H

#include "graze/context.h"
#include "graze/mesh.h"

typedef struct grz_surface_patches
{
    size_t count;
    uint32_t *starts;       /* per patch, and the end: its triangles, */
    uint32_t *triangles;    /* in here */
    double (*centroids)[3]; /* per patch: the mean of its triangles' corners, scaled */
} grz_surface_patches;

/* Sorts triangles by the number of their patch; below `count`. False when out of memory; released in any case. */
bool grz_surface_patches_make(const graze_context *context, const graze_mesh *mesh, const uint32_t *patch_of,
                              size_t count, grz_surface_patches *out_patches);
void grz_surface_patches_release(const graze_context *context, grz_surface_patches *patches);
size_t grz_surface_patches_memory(const grz_surface_patches *patches);

#endif
