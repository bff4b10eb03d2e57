/* SPDX-License-Identifier: MIT */
/*
 * Which meshes a page carries. Five million triangles shall stay usable: parts that matter (those in findings) are
 * there in full, whatever they cost; of the others the smaller meshes come in full up to a budget of triangles, then
 * simplified ones, of a quarter of their triangles at most, up to the same budget once more, which the meshes that are
 * left share equally; and where that leaves a mesh next to nothing, its parts are boxes. Parts that share a mesh share
 * its block.
 */
#ifndef TOOL_PAGE_MESH_SELECTION_H
#define TOOL_PAGE_MESH_SELECTION_H

#include "page/report.h"

enum
{
    LEAST_SIMPLIFIED = 60 /* triangles; a box says as much as a mesh with fewer */
};

typedef struct page_mesh
{
    const graze_mesh *mesh;
    graze_mesh *own; /* the same, where it was made here */
    bool closed;
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
