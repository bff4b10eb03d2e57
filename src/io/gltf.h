/* SPDX-License-Identifier: MIT */
/*
 * glTF 2.0, as text or GLB: container and extensions (gltf.c), buffers (gltf_buffer.c), accessors (gltf_accessor.c),
 * meshes (gltf_mesh.c) and the node hierarchy (gltf_node.c). Geometry only: materials, textures, cameras, lights and
 * animations are ignored.
 *
 * No input is trusted. Buffers are read when first needed; every accessor is checked against its view and buffer; nodes
 * must form trees. Small files can demand much (one buffer read by thousands of accessors, counts without bytes), so
 * the memory made from a file is bounded by its size: grz_gltf_spend.
 */
#ifndef GRZ_IO_GLTF_H
#define GRZ_IO_GLTF_H

#include "base/arena.h"
#include "graze/pose.h"
#include "io/reader.h"
#include "text/json.h"

/* The elements of one array of the file, for access by index. */
typedef struct grz_gltf_list
{
    const char *key;
    uint32_t *values;
    uint32_t count;
} grz_gltf_list;

typedef struct grz_gltf_buffer
{
    const char *bytes; /* NULL: not read yet */
    uint64_t size;
    void *owned;             /* NULL if the bytes belong to the file itself or to another buffer */
    uint64_t device, number; /* identity of the file it was read from */
} grz_gltf_buffer;

enum
{
    GRZ_GLTF_INT8 = 5120,
    GRZ_GLTF_UINT8 = 5121,
    GRZ_GLTF_INT16 = 5122,
    GRZ_GLTF_UINT16 = 5123,
    GRZ_GLTF_UINT32 = 5125,
    GRZ_GLTF_FLOAT = 5126
};

typedef struct grz_gltf_accessor
{
    const char *bytes; /* NULL: zeros */
    uint64_t count, stride;
    unsigned type;       /* of a component */
    unsigned components; /* 1 for SCALAR, 3 for VEC3; others are 0 */
    bool normalized;
    uint64_t sparse_count; /* elements replaced by sparse storage, ascending */
    unsigned sparse_type;
    const char *sparse_indices, *sparse_values;
    /* While a mesh is made: the vertex of each element, valid where `made_for` is that mesh. */
    uint32_t *vertices, *made_for;
} grz_gltf_accessor;

typedef struct grz_gltf_mesh
{
    bool read;
    graze_mesh *mesh;     /* NULL unless `status` is OK and there are triangles */
    graze_status status;  /* of reading it */
    const char *fault;    /* the message, in the arena */
    uint32_t passed_over; /* skipped primitives: points and lines */
} grz_gltf_mesh;

/* A node with a mesh. */
typedef struct grz_gltf_part
{
    const char *name; /* the path; in the arena */
    uint32_t node, mesh;
    uint32_t parent, top; /* nodes; the parent may be GRAZE_NO_NODE */
    graze_status status;  /* of its pose: if not OK, `fault` has the message */
    const char *fault;
    graze_pose pose;
} grz_gltf_part;

typedef struct grz_gltf
{
    grz_reader *reader;
    grz_json json;
    grz_arena arena;
    const char *chunk; /* the binary chunk of a GLB, or NULL */
    uint64_t chunk_size;
    grz_gltf_list buffer_list, view_list, accessor_list, mesh_list, node_list, scene_list;
    grz_gltf_buffer *buffers;      /* by element of the list; likewise the next two */
    grz_gltf_accessor **accessors; /* NULL: not read yet */
    grz_gltf_mesh *meshes;
    GRZ_ARRAY(uint32_t) from_files; /* buffers that own the bytes of another file */
    GRZ_ARRAY(grz_gltf_part) parts;
    uint32_t outside_scene; /* nodes with meshes that are not in the scene */
    uint32_t skinned;       /* parts with a skin */
    uint64_t input_size, spent;
    bool fatal; /* the failure concerns the file, not only a part */
} grz_gltf;

/* Reads everything but buffers and meshes: container, JSON, extensions, and the node hierarchy with its parts. Close in
 * any case. */
graze_status grz_gltf_open(grz_reader *reader, bool binary, grz_gltf *gltf);
void grz_gltf_close(grz_gltf *gltf);

/* Makes a mesh, once. An error of this mesh alone is stored in its `status` and `fault`; a failure that concerns the
 * file, or lack of memory, is returned. */
graze_status grz_gltf_read_mesh(grz_gltf *gltf, uint32_t mesh);

/* For a model: adds all parts, in world coordinates, to the reader's builder. */
graze_status grz_gltf_read_model(grz_reader *reader, bool binary);

/* --- internal, between the files of glTF --- */

/* Takes `count` times `size` bytes from the file's allowance: 64 MiB or 64 times its size, whichever is more. */
graze_status grz_gltf_spend(grz_gltf *gltf, uint64_t count, uint64_t size);

/* A member that is a count of elements or bytes; `fallback` if it is missing. False if it is anything else. */
bool grz_gltf_count(const grz_gltf *gltf, uint32_t object, const char *key, uint64_t fallback, uint64_t *out_count);

/* The bytes of a view, checked to exist. `out_stride` is 0 if none is given; it may be NULL. */
graze_status grz_gltf_view(grz_gltf *gltf, uint64_t view, const char **out_bytes, uint64_t *out_size,
                           uint64_t *out_stride);

/* Finds an accessor and checks that all its bytes exist. */
graze_status grz_gltf_find_accessor(grz_gltf *gltf, uint64_t number, grz_gltf_accessor **out_accessor);

/* Three components as numbers (normalized ones between -1 and 1), or one as an integer. The element must exist. */
void grz_gltf_position(const grz_gltf_accessor *accessor, uint64_t element, double out_position[3]);
uint32_t grz_gltf_integer(const grz_gltf_accessor *accessor, uint64_t element);

/* Reads the node hierarchy and fills in the parts. */
graze_status grz_gltf_read_nodes(grz_gltf *gltf);

/* " 'name'" of an element, for messages; empty if it has none. */
typedef struct grz_gltf_label
{
    char text[48];
} grz_gltf_label;
grz_gltf_label grz_gltf_label_of(const grz_gltf *gltf, uint32_t value);

/* Copies a text into the arena; NULL when out of memory. */
const char *grz_gltf_keep(grz_gltf *gltf, const char *text, size_t size);

#endif
