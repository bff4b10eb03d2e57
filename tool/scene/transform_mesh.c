/* SPDX-License-Identifier: MIT */
/* Transforms a mesh by a pose; see transform_mesh.h. */
#include "scene/transform_mesh.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "graze/exact.h"

typedef struct mesh_arrays
{
    double *vertices;
    uint32_t *corners;
    uint32_t *loop_sizes;
    uint32_t *face_loop_counts;
    size_t corner_count, loop_count;
} mesh_arrays;

static bool allocate(const graze_mesh *mesh, mesh_arrays *arrays)
{
    size_t faces = graze_mesh_face_count(mesh);
    for (size_t face = 0; face < faces; face++)
    {
        size_t loops = graze_mesh_face_loop_count(mesh, face);
        for (size_t loop = 0; loop < loops; loop++)
        {
            size_t size = 0;
            graze_mesh_face_loop(mesh, face, loop, &size);
            arrays->corner_count += size;
        }
        arrays->loop_count += loops;
    }
    arrays->vertices = calloc(graze_mesh_vertex_count(mesh) + 1, sizeof(double[3]));
    arrays->corners = calloc(arrays->corner_count + 1, sizeof(uint32_t));
    arrays->loop_sizes = calloc(arrays->loop_count + 1, sizeof(uint32_t));
    arrays->face_loop_counts = calloc(faces + 1, sizeof(uint32_t));
    return arrays->vertices != NULL && arrays->corners != NULL && arrays->loop_sizes != NULL &&
           arrays->face_loop_counts != NULL;
}

static void copy_faces(const graze_mesh *mesh, bool turned, mesh_arrays *arrays)
{
    uint32_t *corner = arrays->corners, *loop_size = arrays->loop_sizes;
    for (size_t face = 0; face < graze_mesh_face_count(mesh); face++)
    {
        size_t loops = graze_mesh_face_loop_count(mesh, face);
        arrays->face_loop_counts[face] = (uint32_t)loops;
        for (size_t loop = 0; loop < loops; loop++)
        {
            size_t size = 0;
            const uint32_t *source = graze_mesh_face_loop(mesh, face, loop, &size);
            for (size_t i = 0; i < size; i++)
                *corner++ = source[turned ? size - 1 - i : i];
            *loop_size++ = (uint32_t)size;
        }
    }
}

static graze_status create(const graze_mesh *mesh, const mesh_arrays *arrays, graze_mesh **out_mesh)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = arrays->vertices;
    def.vertex_count = graze_mesh_vertex_count(mesh);
    def.corners = arrays->corners;
    def.corner_count = arrays->corner_count;
    def.loop_sizes = arrays->loop_sizes;
    def.loop_count = arrays->loop_count;
    def.face_loop_counts = arrays->face_loop_counts;
    def.face_count = graze_mesh_face_count(mesh);
    return graze_mesh_create(NULL, &def, NULL, out_mesh);
}

graze_status transform_mesh(const graze_mesh *mesh, const graze_pose *pose, graze_mesh **out_mesh)
{
    mesh_arrays arrays = {0};
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (allocate(mesh, &arrays))
    {
        const double *vertices = graze_mesh_vertices(mesh);
        for (size_t i = 0; i < graze_mesh_vertex_count(mesh); i++)
            graze_pose_apply(pose, vertices + 3 * i, arrays.vertices + 3 * i);
        copy_faces(mesh, graze_pose_handedness(pose) < 0, &arrays);
        status = create(mesh, &arrays, out_mesh);
    }
    free(arrays.vertices);
    free(arrays.corners);
    free(arrays.loop_sizes);
    free(arrays.face_loop_counts);
    return status;
}
