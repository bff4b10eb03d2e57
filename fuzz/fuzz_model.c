/* SPDX-License-Identifier: MIT */
/* Reading, traversal and round trip; see fuzz_model.h. */
#include "fuzz_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SMALL_MESH = 500, /* meshes of at most so many corners are written and read back */
    SOME_PARTS = 8
};

static void require(int condition, const char *promise)
{
    if (!condition)
    {
        fprintf(stderr, "broken promise: %s\n", promise);
        abort();
    }
}

/* Checks that every triangle's corners exist and are finite. */
static void walk(const graze_mesh *mesh)
{
    size_t vertex_count = graze_mesh_vertex_count(mesh), corner_count = 3 * graze_mesh_triangle_count(mesh);
    for (size_t c = 0; c < corner_count; c++)
        require(graze_mesh_triangles(mesh)[c] < vertex_count, "triangles name vertices that exist");
    for (size_t i = 0; i < 3 * vertex_count; i++)
        require(graze_mesh_vertices(mesh)[i] - graze_mesh_vertices(mesh)[i] == 0.0, "coordinates are finite");
}

static void walk_parts(const graze_model *model)
{
    size_t part_count = graze_model_part_count(model);
    size_t face_count = graze_mesh_face_count(graze_model_mesh(model)), total = 0;
    require(part_count > 0, "there is a part");
    for (size_t f = 0; f < face_count; f++)
        require(graze_model_face_part(model, f) < part_count, "faces belong to parts that exist");
    for (size_t p = 0; p < part_count && p < SOME_PARTS; p++)
    {
        graze_mesh *mesh = NULL;
        require(strlen(graze_model_part_name(model, p)) < 1000, "names are of bounded length");
        require(graze_model_create_part_mesh(NULL, model, p, &mesh) == GRAZE_STATUS_OK, "parts become meshes");
        walk(mesh);
        total += graze_mesh_face_count(mesh);
        graze_mesh_destroy(mesh);
    }
    require(part_count > SOME_PARTS || total == face_count, "the parts together are the whole");
}

static int same_faces(const graze_mesh *a, const graze_mesh *b)
{
    if (graze_mesh_face_count(a) != graze_mesh_face_count(b))
        return 0;
    for (size_t f = 0; f < graze_mesh_face_count(a); f++)
    {
        size_t count_a, count_b;
        const uint32_t *corners_a = graze_mesh_face_loop(a, f, 0, &count_a);
        const uint32_t *corners_b = graze_mesh_face_loop(b, f, 0, &count_b);
        if (count_a != count_b || memcmp(corners_a, corners_b, count_a * sizeof *corners_a) != 0)
            return 0;
    }
    return 1;
}

/* STL stores triangles without indices. */
static int same_triangles(const graze_mesh *a, const graze_mesh *b, int as_floats)
{
    if (graze_mesh_triangle_count(a) != graze_mesh_triangle_count(b))
        return 0;
    for (size_t c = 0; c < 3 * graze_mesh_triangle_count(a); c++)
    {
        const double *p = graze_mesh_vertices(a) + 3 * (size_t)graze_mesh_triangles(a)[c];
        const double *q = graze_mesh_vertices(b) + 3 * (size_t)graze_mesh_triangles(b)[c];
        for (int axis = 0; axis < 3; axis++)
        {
            double expected = as_floats ? (double)(float)p[axis] : p[axis];
            if (memcmp(&expected, &q[axis], sizeof expected) != 0)
                return 0;
        }
    }
    return 1;
}

static void round_trip(const graze_mesh *mesh, graze_format format)
{
    void *bytes = NULL;
    size_t size = 0;
    graze_status status = graze_mesh_write_memory(NULL, mesh, format, &bytes, &size);
    if (format == GRAZE_FORMAT_STL_BINARY && status == GRAZE_STATUS_UNSUPPORTED)
        return; /* beyond the range of floats */
    require(status == GRAZE_STATUS_OK, "what was read can be written");
    graze_model *again = NULL;
    graze_error error = {0};
    status = graze_model_read_memory(NULL, bytes, size, NULL, GRAZE_FORMAT_AUTO, NULL, &error, &again);
    require(status == GRAZE_STATUS_OK, "what was written can be read");
    require(graze_model_format(again) == format, "what was written is recognised");
    const graze_mesh *other = graze_model_mesh(again);
    if (format == GRAZE_FORMAT_STL_ASCII || format == GRAZE_FORMAT_STL_BINARY)
        require(same_triangles(mesh, other, format == GRAZE_FORMAT_STL_BINARY), "triangles survive the round trip");
    else
    {
        require(graze_mesh_vertex_count(mesh) == graze_mesh_vertex_count(other) &&
                    memcmp(graze_mesh_vertices(mesh), graze_mesh_vertices(other),
                           3 * graze_mesh_vertex_count(mesh) * sizeof(double)) == 0,
                "vertices survive the round trip bit by bit");
        require(same_faces(mesh, other), "faces survive the round trip");
    }
    graze_model_destroy(again);
    graze_memory_release(NULL, bytes);
}

void fuzz_model(const void *bytes, size_t size, const char *name, graze_format format)
{
    graze_error error = {0};
    graze_model *model = NULL;
    graze_status status = graze_model_read_memory(NULL, bytes, size, name, format, NULL, &error, &model);
    if (status != GRAZE_STATUS_OK)
    {
        require(model == NULL && error.status == status && error.text[0] != '\0', "a refusal says why");
        require(status != GRAZE_STATUS_OUT_OF_MEMORY && status != GRAZE_STATUS_INTERNAL, "a refusal blames the file");
        return;
    }
    const graze_mesh *mesh = graze_model_mesh(model);
    walk(mesh);
    walk_parts(model);
    if (3 * graze_mesh_triangle_count(mesh) <= SMALL_MESH && graze_mesh_vertex_count(mesh) <= SMALL_MESH)
    {
        for (int f = GRAZE_FORMAT_STL_BINARY; f <= GRAZE_FORMAT_OFF; f++)
            round_trip(mesh, (graze_format)f);
    }
    graze_model_destroy(model);
}
