/* SPDX-License-Identifier: MIT */
/*
 * Selects the meshes that a page stores, so that five million triangles stay usable. Parts that matter (those in
 * findings) are stored in full, whatever they cost. Of the others the smaller meshes are stored in full up to a budget
 * of triangles; the rest is simplified, to a quarter of their triangles at most, up to the same budget once more,
 * shared equally; a mesh whose share is too small is shown as the AABBs of its parts. Parts that share a mesh share its
 * block.
 */
#ifndef TOOL_PAGE_MESH_SELECTION_H
#define TOOL_PAGE_MESH_SELECTION_H

#include "page/report.h"

enum
{
    LEAST_SIMPLIFIED = 60 /* triangles; a box shows as much as a mesh with fewer */
};

typedef struct page_mesh
{
    const graze_mesh *mesh;
    graze_mesh *own; /* the same, if it was made here */
    bool closed;
    const graze_shape *shape; /* what it stands for, in full; or NULL */
} page_mesh;

typedef struct page_meshes
{
    page_mesh *blocks; /* in the order of their numbers */
    size_t count;
    size_t *full, *reduced; /* by part: number of a block + 1, or 0 */
} page_meshes;

/* False when memory ends. Release in any case. */
bool page_meshes_select(const page_report *page, page_meshes *out_meshes);
void page_meshes_release(page_meshes *meshes);

#endif
