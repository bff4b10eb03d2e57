/* SPDX-License-Identifier: MIT */
/*
 * A mesh in bytes that someone else holds; see blob.h and graze_mesh_map. Nothing is believed: the header says what
 * this is, the checksum whether it is what was written. Both can be forged, so all numbers are checked: vertices are
 * finite, indices in their range, starts of loops and faces ascend, and the triangles of a face are as many as cutting
 * it gives and have exactly the corners of the face. So no query can leave the bytes, and bounds hold all corners of
 * faces. That the triangles of a polygon cover it is not checked: a forged mesh is the triangles it has.
 */
#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "mesh/blob.h"
#include "mesh/triangulate.h"

/* ---- the header ---- */

static graze_status check_kind(const grz_mesh_blob_header *header, size_t size, graze_error *error)
{
    if (memcmp(header->magic, GRZ_MESH_BLOB_MAGIC, sizeof header->magic) != 0)
        return grz_error(error, GRAZE_STATUS_BAD_FORMAT, "this is not a saved mesh");
    if (header->byte_order != GRZ_MESH_BLOB_BYTE_ORDER)
        return grz_error(error, GRAZE_STATUS_UNSUPPORTED, "the mesh was saved on a machine with another byte order");
    if (header->version != GRZ_MESH_BLOB_VERSION)
        return grz_error(error, GRAZE_STATUS_UNSUPPORTED, "the mesh was saved in version %lu of the format, not %d",
                         (unsigned long)header->version, GRZ_MESH_BLOB_VERSION);
    if (header->size > size)
        return grz_error_byte(error, GRAZE_STATUS_TRUNCATED, size, "the saved mesh ends after %zu of %llu bytes", size,
                              (unsigned long long)header->size);
    if (header->size < size)
        return grz_error_byte(error, GRAZE_STATUS_DAMAGED, header->size, "bytes follow the end of the saved mesh");
    return GRAZE_STATUS_OK;
}

/* As many triangles as cutting gives; see copy_polygons in mesh.c. */
static bool polygon_counts_fit(const grz_mesh_blob_header *header)
{
    return header->corner_count < UINT32_MAX && header->loop_count <= header->corner_count &&
           header->face_count <= header->loop_count &&
           (header->has_holes != 0 || header->face_count == header->loop_count) &&
           header->irregular_face_count <= header->face_count &&
           header->triangle_count == header->corner_count + 2 * header->loop_count - 4 * header->face_count;
}

/* Counts are bounded first, so that nothing overflows. */
static bool sizes_fit(const grz_mesh_blob_header *header)
{
    if (header->polygons > 1 || header->has_holes > header->polygons || header->vertex_count >= UINT32_MAX ||
        header->triangle_count >= UINT32_MAX / 3)
        return false;
    bool counts_fit = header->polygons != 0
                          ? polygon_counts_fit(header)
                          : header->corner_count == 0 && header->loop_count == 0 && header->irregular_face_count == 0 &&
                                header->face_count == header->triangle_count;
    return counts_fit && header->size == sizeof *header + grz_mesh_blob_parts_of(header).size;
}

static graze_status stopped(const grz_monitor *monitor, graze_error *error)
{
    graze_status status = grz_monitor_status(monitor);
    return status == GRAZE_STATUS_OK ? status : grz_error(error, status, "mapping the mesh was stopped");
}

static graze_status check_header(const grz_mesh_blob_header *header, const void *bytes, size_t size,
                                 grz_monitor *monitor, graze_error *error)
{
    graze_status status = check_kind(header, size, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool same = header->size >= sizeof *header && header->checksum == grz_mesh_blob_checksum(header, bytes, monitor);
    if (stopped(monitor, error) != GRAZE_STATUS_OK)
        return grz_monitor_status(monitor);
    if (!same)
        return grz_error(error, GRAZE_STATUS_DAMAGED, "the saved mesh has been altered: its checksum is wrong");
    if (!sizes_fit(header))
        return grz_error(error, GRAZE_STATUS_DAMAGED, "the header of the saved mesh contradicts itself");
    return GRAZE_STATUS_OK;
}

/* ---- the parts ---- */

static bool vertices_fit(const graze_mesh *mesh, grz_monitor *monitor)
{
    for (size_t i = 0; i < 3 * mesh->vertex_count && grz_monitor_elements(monitor, 1); i++)
        if (!isfinite(mesh->vertices[i]))
            return false;
    return true;
}

static bool indices_fit(const uint32_t *indices, size_t count, size_t limit, grz_monitor *monitor)
{
    for (size_t i = 0; i < count && grz_monitor_elements(monitor, 1); i++)
        if (indices[i] >= limit)
            return false;
    return true;
}

/* Whether starts go from 0 to `end` in steps of at least `least`. */
static bool starts_fit(const uint32_t *starts, size_t count, size_t least, size_t end, grz_monitor *monitor)
{
    if (starts[0] != 0 || starts[count] != end)
        return false;
    for (size_t i = 0; i < count && grz_monitor_elements(monitor, 1); i++)
        if (starts[i + 1] < starts[i] || starts[i + 1] - starts[i] < least)
            return false;
    return true;
}

/* Whether the triangles from *triangle on are as many as this face has, belong to it, and have all of its corners and
   no others. marks[v] is 2 f + 1 for a corner v of face f, 2 f + 2 once a triangle has it. */
static bool face_fits(const graze_mesh *mesh, size_t face, uint32_t *marks, size_t *triangle)
{
    size_t first = mesh->face_starts != NULL ? mesh->face_starts[face] : face;
    size_t end = mesh->face_starts != NULL ? mesh->face_starts[face + 1] : face + 1;
    size_t first_corner = mesh->loop_starts[first], corner_end = mesh->loop_starts[end];
    size_t count = grz_polygon_triangle_count(corner_end - first_corner, end - first);
    uint32_t mark = 2 * (uint32_t)face + 1;
    if (count > mesh->triangle_count - *triangle)
        return false;
    for (size_t c = first_corner; c < corner_end; c++)
        marks[mesh->corners[c]] = mark;
    for (size_t t = *triangle; t < *triangle + count; t++)
    {
        if (mesh->triangle_faces[t] != face)
            return false;
        for (size_t k = 3 * t; k < 3 * t + 3; k++)
        {
            uint32_t *seen = &marks[mesh->triangles[k]];
            if (*seen != mark && *seen != mark + 1)
                return false;
            *seen = mark + 1;
        }
    }
    *triangle += count;
    for (size_t c = first_corner; c < corner_end; c++)
        if (marks[mesh->corners[c]] != mark + 1)
            return false;
    return true;
}

static graze_status check_polygons(const graze_mesh *mesh, const grz_mesh_blob_header *header, grz_monitor *monitor)
{
    size_t loop_count = (size_t)header->loop_count, corner_count = (size_t)header->corner_count, triangle = 0;
    if ((header->has_holes != 0 && !starts_fit(mesh->face_starts, mesh->face_count, 1, loop_count, monitor)) ||
        !starts_fit(mesh->loop_starts, loop_count, 3, corner_count, monitor) ||
        !indices_fit(mesh->corners, corner_count, mesh->vertex_count, monitor))
        return GRAZE_STATUS_DAMAGED;
    uint32_t *marks = grz_allocate_zeroed(&mesh->context, mesh->vertex_count, sizeof *marks);
    if (marks == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    bool fits = true;
    for (size_t face = 0; face < mesh->face_count && fits && grz_monitor_elements(monitor, 1); face++)
        fits = face_fits(mesh, face, marks, &triangle);
    grz_release(&mesh->context, marks);
    return fits && triangle == mesh->triangle_count ? GRAZE_STATUS_OK : GRAZE_STATUS_DAMAGED;
}

/* A check that the monitor stops may come out either way: then its status counts. */
static graze_status check_parts(const graze_mesh *mesh, const grz_mesh_blob_header *header, grz_monitor *monitor,
                                graze_error *error)
{
    graze_status status = GRAZE_STATUS_DAMAGED;
    if (vertices_fit(mesh, monitor) &&
        indices_fit(mesh->triangles, 3 * mesh->triangle_count, mesh->vertex_count, monitor) &&
        grz_monitor_may_continue(monitor))
        status = header->polygons != 0 ? check_polygons(mesh, header, monitor) : GRAZE_STATUS_OK;
    if (stopped(monitor, error) != GRAZE_STATUS_OK)
        return grz_monitor_status(monitor);
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return grz_error(error, status, "no memory to check the saved mesh");
    if (status != GRAZE_STATUS_OK)
        return grz_error(error, status, "the parts of the saved mesh do not fit together");
    return status;
}

/* ---- the whole ---- */

/* Points into the bytes, or into a copy of them where they are not aligned. */
static graze_status take_parts(graze_mesh *mesh, const grz_mesh_blob_header *header, const void *bytes)
{
    grz_mesh_blob_parts parts = grz_mesh_blob_parts_of(header);
    uintptr_t base = (uintptr_t)bytes + sizeof *header;
    mesh->mapped = true;
    mesh->borrowed = (uintptr_t)bytes % GRZ_MESH_BLOB_ALIGNMENT == 0;
    if (!mesh->borrowed)
    {
        mesh->blob_memory = grz_allocate(&mesh->context, (size_t)parts.size, 1);
        if (mesh->blob_memory == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        memcpy(mesh->blob_memory, (const char *)bytes + sizeof *header, (size_t)parts.size);
        base = (uintptr_t)mesh->blob_memory;
    }
    /* Mapped bytes may be read-only: graze_mesh_move_vertices, which alone writes, first makes a copy. */
    mesh->vertices = (double *)base;
    mesh->triangles = (uint32_t *)(base + (size_t)parts.triangles);
    mesh->vertex_count = (size_t)header->vertex_count;
    mesh->triangle_count = (size_t)header->triangle_count;
    mesh->face_count = (size_t)header->face_count;
    mesh->irregular_face_count = (size_t)header->irregular_face_count;
    if (header->polygons != 0)
    {
        mesh->triangle_faces = (uint32_t *)(base + (size_t)parts.triangle_faces);
        mesh->corners = (uint32_t *)(base + (size_t)parts.corners);
        mesh->loop_starts = (uint32_t *)(base + (size_t)parts.loop_starts);
    }
    if (header->has_holes != 0)
        mesh->face_starts = (uint32_t *)(base + (size_t)parts.face_starts);
    return GRAZE_STATUS_OK;
}

static graze_status map(const graze_context *context, const void *bytes, size_t size, grz_monitor *monitor,
                        graze_error *error, graze_mesh **out_mesh)
{
    grz_mesh_blob_header header;
    if (size < sizeof header)
        return grz_error_byte(error, GRAZE_STATUS_TRUNCATED, size, "%zu bytes are too few for a saved mesh", size);
    memcpy(&header, bytes, sizeof header);
    grz_monitor_stage(monitor, 0.3);
    graze_status status = check_header(&header, bytes, size, monitor, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_mesh *mesh = grz_allocate_zeroed(context, 1, sizeof *mesh);
    if (mesh == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "no memory for a mesh");
    mesh->context = grz_context_copy(context);
    status = take_parts(mesh, &header, bytes);
    if (status != GRAZE_STATUS_OK)
        grz_error(error, status, "no memory for a copy of the saved mesh");
    else
    {
        grz_monitor_stage(monitor, 0.7);
        grz_monitor_progress(monitor, 0);
        status = check_parts(mesh, &header, monitor, error);
    }
    grz_monitor_stage(monitor, 1);
    grz_monitor_progress(monitor, 0);
    if (status == GRAZE_STATUS_OK && !grz_mesh_derive(mesh, monitor))
        status = grz_monitor_may_continue(monitor)
                     ? grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "no memory for a mesh")
                     : stopped(monitor, error);
    if (status == GRAZE_STATUS_OK)
        *out_mesh = mesh;
    else
        graze_mesh_destroy(mesh);
    return status;
}

graze_status graze_mesh_map(const graze_context *context, const void *bytes, size_t size, const graze_budget *budget,
                            graze_error *error, graze_mesh **out_mesh)
{
    if ((bytes == NULL && size > 0) || out_mesh == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "bytes and out_mesh may not be NULL");
    graze_error reason;
    grz_environment environment;
    grz_environment_enter(&environment);
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    graze_status status =
        map(context, bytes, size, grz_monitor_is_needed(&monitor) ? &monitor : NULL, &reason, out_mesh);
    grz_environment_leave(&environment);
    if (status == GRAZE_STATUS_OK)
        return status;
    grz_log(context, GRAZE_LOG_WARNING, "%s", reason.text);
    if (error != NULL)
        *error = reason;
    return status;
}

void graze_mesh_set_on_destroy(graze_mesh *mesh, graze_destroy_function release, void *user)
{
    if (mesh == NULL)
        return;
    mesh->release = release;
    mesh->release_user = user;
}
