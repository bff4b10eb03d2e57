/* SPDX-License-Identifier: MIT */
/*
 * A saved mesh: header, vertices, triangles and, for polygons, faces of triangles, corners, starts of loops and, for
 * faces with several loops, starts of faces; each part aligned to 64 bytes and padded with zeros. Numbers are those of
 * the machine that wrote it; `byte_order` tells whether another one can read them. docs/formats.md describes it.
 */
#ifndef GRZ_MESH_BLOB_H
#define GRZ_MESH_BLOB_H

#include "mesh/mesh.h"

#define GRZ_MESH_BLOB_MAGIC "graze\nme"
#define GRZ_MESH_BLOB_BYTE_ORDER UINT32_C(0x01020304)

enum
{
    GRZ_MESH_BLOB_VERSION = 1, /* to be raised with every change of the layout */
    GRZ_MESH_BLOB_ALIGNMENT = 64
};

typedef struct grz_mesh_blob_header
{
    char magic[8];
    uint32_t byte_order, version;
    uint64_t size;     /* of everything */
    uint64_t checksum; /* of everything, with 0 here */
    uint64_t vertex_count, triangle_count, face_count;
    uint64_t corner_count, loop_count; /* of polygons, else 0 */
    uint64_t irregular_face_count;
    uint32_t polygons;  /* 1: faces are polygons; 0: triangles */
    uint32_t has_holes; /* 1: faces have starts of their own; 0: every face is one loop */
    uint32_t zeros[10];
} grz_mesh_blob_header;

_Static_assert(sizeof(grz_mesh_blob_header) == 128, "the header is part of the format");

/* Where the parts begin, after the header, and the size of all of them. */
typedef struct grz_mesh_blob_parts
{
    uint64_t triangles, triangle_faces, corners, loop_starts, face_starts, size;
} grz_mesh_blob_parts;

/* Of the counts in a header, which are below 2^32: nothing overflows. */
grz_mesh_blob_parts grz_mesh_blob_parts_of(const grz_mesh_blob_header *header);

/* Of a whole blob whose header is given apart. */
uint64_t grz_mesh_blob_checksum(const grz_mesh_blob_header *header, const void *blob, grz_monitor *monitor);

#endif
