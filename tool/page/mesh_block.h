/* SPDX-License-Identifier: MIT */
/* Meshes as blocks of a report page (viewer/README.md): float positions relative to an offset, then indices,
 * gzip-compressed and encoded as base64. */
#ifndef TOOL_PAGE_MESH_BLOCK_H
#define TOOL_PAGE_MESH_BLOCK_H

#include <stdbool.h>
#include <stdio.h>

#include "graze/shape.h"
#include "text/json_writer.h"

/* Writes the description of a mesh that precedes its block; the offset is the centre of its AABB. `shape`: what it
 * stands for, or NULL. */
void mesh_block_describe(grz_json_writer *json, const graze_mesh *mesh, bool closed, const graze_shape *shape);

/* Writes the block in its script element. False when out of memory. */
bool mesh_block_write(FILE *out, const graze_mesh *mesh, size_t number);

#endif
