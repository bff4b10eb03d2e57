/* SPDX-License-Identifier: MIT */
/* Meshes as blocks of a report page (viewer/README.md): positions as floats around an offset, then corners, compressed
 * and written as base64. */
#ifndef TOOL_PAGE_MESH_BLOCK_H
#define TOOL_PAGE_MESH_BLOCK_H

#include <stdbool.h>
#include <stdio.h>

#include "graze/mesh.h"
#include "shell/json_writer.h"

/* What the page is told of a mesh before its block: the middle of its box is the offset. */
void mesh_block_describe(json_writer *json, const graze_mesh *mesh, bool closed);

/* The block itself, within its script element. False when memory ends. */
bool mesh_block_write(FILE *out, const graze_mesh *mesh, size_t number);

#endif
