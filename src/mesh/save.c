/* SPDX-License-Identifier: MIT */
/* Writing a mesh into one block; see blob.h. */
#include <string.h>

#include "base/checksum.h"
#include "mesh/blob.h"

/* Adds a part that begins at *end, which becomes where the next one may begin. */
static uint64_t add_part(uint64_t *end, uint64_t count, size_t size)
{
    uint64_t start = *end, next = start + count * size;
    *end = (next + GRZ_MESH_BLOB_ALIGNMENT - 1) / GRZ_MESH_BLOB_ALIGNMENT * GRZ_MESH_BLOB_ALIGNMENT;
    return start;
}

grz_mesh_blob_parts grz_mesh_blob_parts_of(const grz_mesh_blob_header *header)
{
    grz_mesh_blob_parts parts = {0};
    add_part(&parts.size, header->vertex_count, 3 * sizeof(double));
    parts.triangles = add_part(&parts.size, header->triangle_count, 3 * sizeof(uint32_t));
    if (header->polygons != 0)
    {
        parts.triangle_faces = add_part(&parts.size, header->triangle_count, sizeof(uint32_t));
        parts.corners = add_part(&parts.size, header->corner_count, sizeof(uint32_t));
        parts.loop_starts = add_part(&parts.size, header->loop_count + 1, sizeof(uint32_t));
    }
    if (header->has_holes != 0)
        parts.face_starts = add_part(&parts.size, header->face_count + 1, sizeof(uint32_t));
    return parts;
}

uint64_t grz_mesh_blob_checksum(const grz_mesh_blob_header *header, const void *blob, grz_monitor *monitor)
{
    grz_mesh_blob_header copy = *header;
    copy.checksum = 0;
    uint64_t sum = grz_checksum(0, &copy, sizeof copy, monitor);
    return grz_checksum(sum, (const char *)blob + sizeof copy, (size_t)header->size - sizeof copy, monitor);
}

static grz_mesh_blob_header make_header(const graze_mesh *mesh)
{
    grz_mesh_blob_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, GRZ_MESH_BLOB_MAGIC, sizeof header.magic);
    header.byte_order = GRZ_MESH_BLOB_BYTE_ORDER;
    header.version = GRZ_MESH_BLOB_VERSION;
    header.vertex_count = mesh->vertex_count;
    header.triangle_count = mesh->triangle_count;
    header.face_count = mesh->face_count;
    header.irregular_face_count = mesh->irregular_face_count;
    header.polygons = mesh->loop_starts != NULL;
    header.has_holes = mesh->face_starts != NULL;
    if (mesh->loop_starts != NULL)
    {
        header.loop_count = mesh->face_starts != NULL ? mesh->face_starts[mesh->face_count] : mesh->face_count;
        header.corner_count = mesh->loop_starts[header.loop_count];
    }
    header.size = sizeof header + grz_mesh_blob_parts_of(&header).size;
    return header;
}

size_t graze_mesh_saved_size(const graze_mesh *mesh)
{
    return mesh != NULL ? (size_t)make_header(mesh).size : 0;
}

static void write_part(char *base, uint64_t start, const void *part, uint64_t count, size_t size)
{
    if (count > 0)
        memcpy(base + (size_t)start, part, (size_t)count * size);
}

graze_status graze_mesh_save(const graze_mesh *mesh, void *buffer, size_t size)
{
    if (mesh == NULL || buffer == NULL || size < graze_mesh_saved_size(mesh))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_mesh_blob_header header = make_header(mesh);
    grz_mesh_blob_parts parts = grz_mesh_blob_parts_of(&header);
    char *base = (char *)buffer + sizeof header;
    memset(base, 0, (size_t)parts.size);
    write_part(base, 0, mesh->vertices, mesh->vertex_count, 3 * sizeof(double));
    write_part(base, parts.triangles, mesh->triangles, mesh->triangle_count, 3 * sizeof(uint32_t));
    if (header.polygons != 0)
    {
        write_part(base, parts.triangle_faces, mesh->triangle_faces, mesh->triangle_count, sizeof(uint32_t));
        write_part(base, parts.corners, mesh->corners, header.corner_count, sizeof(uint32_t));
        write_part(base, parts.loop_starts, mesh->loop_starts, header.loop_count + 1, sizeof(uint32_t));
    }
    if (header.has_holes != 0)
        write_part(base, parts.face_starts, mesh->face_starts, header.face_count + 1, sizeof(uint32_t));
    header.checksum = grz_mesh_blob_checksum(&header, buffer, NULL);
    memcpy(buffer, &header, sizeof header);
    return GRAZE_STATUS_OK;
}
