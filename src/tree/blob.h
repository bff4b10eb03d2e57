/* SPDX-License-Identifier: MIT */
/*
 * A saved tree: header, nodes, leaves, order, each aligned to 64 bytes and padded with zeros. Numbers have the format
 * of the machine that wrote it; `byte_order` tells whether another one can read them.
 */
#ifndef GRZ_TREE_BLOB_H
#define GRZ_TREE_BLOB_H

#include "base/budget_monitor.h"
#include "tree/tree.h"

#define GRZ_BLOB_MAGIC "graze\ntr"
#define GRZ_BLOB_BYTE_ORDER UINT32_C(0x01020304)

enum
{
    GRZ_BLOB_VERSION = 1 /* to be raised with every change of grz_node, grz_leaf or the meaning of their numbers */
};

typedef struct grz_blob_header
{
    char magic[8];
    uint32_t byte_order, version;
    uint64_t size;     /* of everything */
    uint64_t checksum; /* of everything, with 0 here */
    uint32_t node_size, leaf_size;
    uint64_t node_count, leaf_count;
    uint64_t triangle_count, vertex_count, mesh_checksum;
    double origin[3];
    double cost, built_cost;
    float lower[3], upper[3];
    int32_t exponent;
    uint32_t usable, depth;
    uint32_t zeros[9];
} grz_blob_header;

_Static_assert(sizeof(grz_blob_header) == 192, "the header is part of the format");

/* Identifies a mesh: vertices and triangles, as they are stored. */
uint64_t grz_blob_mesh_checksum(const graze_mesh *mesh, grz_monitor *monitor);

/* Of a whole blob whose header is given separately. */
uint64_t grz_blob_checksum(const grz_blob_header *header, const void *blob, grz_monitor *monitor);

#endif
