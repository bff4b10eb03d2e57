/* SPDX-License-Identifier: MIT */
/*
 * docs/environments.md, tested for files and mesh properties: numbers read, triangulated polygons, facts, moved
 * vertices and written bytes are the same in every environment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/depth.h"
#include "graze/io.h"
#include "graze/topology.h"
#include "support/environment.h"
#include "support/unit.h"

/* A prism over a polygon that is not convex, with a face that is not flat, and a denormal sliver. */
static const char text[] = "v 0 0 0\nv 0.1 0 0\nv 0.1 0.3 0\nv 0.05 0.1 0\nv 0 0.3 0\n"
                           "v 0 0 0.7\nv 0.1 0 0.7\nv 0.1 0.3 0.7000000000000001\nv 0.05 0.1 0.7\nv 0 0.3 0.7\n"
                           "v 4.9406564584124654e-324 0 0\nv 1.4821969375237396e-323 4.9e-324 -4.9e-324\n"
                           "v 1e-310 2.2250738585072011e-308 3e-320\nv 1.00000005960464477 1e-42 33554433.0000001\n"
                           "f 5 4 3 2 1\nf 6 7 8 9 10\nf 1 2 7 6\nf 2 3 8 7\nf 3 4 9 8\nf 4 5 10 9\nf 5 1 6 10\n"
                           "f 11 12 13\nf 12 13 14\nf 11 11 12\n";

static const graze_format formats[] = {
    GRAZE_FORMAT_STL_BINARY,        GRAZE_FORMAT_STL_ASCII,      GRAZE_FORMAT_OBJ, GRAZE_FORMAT_PLY_ASCII,
    GRAZE_FORMAT_PLY_LITTLE_ENDIAN, GRAZE_FORMAT_PLY_BIG_ENDIAN, GRAZE_FORMAT_OFF};

enum
{
    FORMATS = sizeof formats / sizeof *formats,
    MOST_VERTICES = 64,
    MOST_TRIANGLES = 64
};

typedef struct answers
{
    size_t vertex_count, triangle_count;
    double vertices[MOST_VERTICES][3];
    graze_box bounds;
    uint32_t triangles[MOST_TRIANGLES][3];
    graze_mesh_facts facts;
    bool closed;
    void *bytes[FORMATS];
    size_t sizes[FORMATS], read_back[FORMATS];
    graze_box moved_bounds;
} answers;

static void ask_of_copy(const graze_mesh *mesh, answers *out)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = graze_mesh_vertices(mesh);
    def.vertex_count = out->vertex_count;
    def.corners = graze_mesh_triangles(mesh);
    def.corner_count = 3 * out->triangle_count;
    graze_mesh *copy = NULL;
    graze_mesh_create(NULL, &def, NULL, &copy);
    float places[MOST_VERTICES][3] = {{0}};
    for (size_t v = 0; v < out->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
        {
            uint32_t bits = (uint32_t)(1 + 3 * v) << axis | (uint32_t)(v % 2) << 31; /* denormal floats */
            memcpy(&places[v][axis], &bits, sizeof bits);
        }
    graze_mesh_move_vertices(copy, places, 0, GRAZE_SCALAR_FLOAT, NULL);
    out->moved_bounds = graze_mesh_bounds(copy);
    graze_body *body = NULL;
    graze_body_create(NULL, copy, NULL, &body);
    out->closed = graze_body_is_closed(body);
    graze_body_destroy(body);
    graze_mesh_destroy(copy);
}

static void ask(answers *out)
{
    memset(out, 0, sizeof *out);
    graze_model *model = NULL;
    graze_model_read_memory(NULL, text, sizeof text - 1, "prism.obj", GRAZE_FORMAT_AUTO, NULL, NULL, &model);
    const graze_mesh *mesh = graze_model_mesh(model);
    out->vertex_count = graze_mesh_vertex_count(mesh);
    out->triangle_count = graze_mesh_triangle_count(mesh);
    memcpy(out->vertices, graze_mesh_vertices(mesh), 3 * sizeof(double) * out->vertex_count);
    memcpy(out->triangles, graze_mesh_triangles(mesh), 3 * sizeof(uint32_t) * out->triangle_count);
    out->bounds = graze_mesh_bounds(mesh);
    graze_mesh_examine(NULL, mesh, NULL, NULL, &out->facts);
    ask_of_copy(mesh, out);
    for (int i = 0; i < FORMATS; i++)
    {
        graze_mesh_write_memory(NULL, mesh, formats[i], &out->bytes[i], &out->sizes[i]);
        graze_model *again = NULL;
        if (graze_model_read_memory(NULL, out->bytes[i], out->sizes[i], "again", formats[i], NULL, NULL, &again) ==
            GRAZE_STATUS_OK)
            out->read_back[i] = graze_mesh_triangle_count(graze_model_mesh(again));
        graze_model_destroy(again);
    }
    graze_model_destroy(model);
}

static void release(answers *a)
{
    for (int i = 0; i < FORMATS; i++)
        graze_memory_release(NULL, a->bytes[i]);
}

static const char *difference(const answers *x, const answers *y)
{
    if (x->vertex_count != y->vertex_count || memcmp(x->vertices, y->vertices, sizeof x->vertices) != 0)
        return "vertices";
    if (x->triangle_count != y->triangle_count || memcmp(x->triangles, y->triangles, sizeof x->triangles) != 0)
        return "triangles";
    if (memcmp(&x->bounds, &y->bounds, sizeof x->bounds) != 0)
        return "bounds";
    if (memcmp(&x->facts, &y->facts, sizeof x->facts) != 0)
        return "facts";
    if (memcmp(&x->moved_bounds, &y->moved_bounds, sizeof x->moved_bounds) != 0 || x->closed != y->closed)
        return "moved vertices";
    for (int i = 0; i < FORMATS; i++)
        if (x->sizes[i] != y->sizes[i] || memcmp(x->bytes[i], y->bytes[i], x->sizes[i]) != 0 ||
            x->read_back[i] != y->read_back[i])
            return "written files";
    return NULL;
}

static void files_and_facts_are_the_same_in_every_environment(void **state)
{
    (void)state;
    static answers usual, given;
    ask(&usual);
    assert_int_equal(usual.vertex_count, 14);
    assert_int_equal(usual.facts.faces, 10);
    assert_true(usual.vertices[10][0] == 0x1p-1074 && usual.moved_bounds.upper[0] > 0);
    for (int number = 1; number < ENVIRONMENTS; number++)
    {
        saved_environment saved;
        environment_enter(&saved, number);
        ask(&given);
        environment_leave(&saved);
        const char *wrong = difference(&given, &usual);
        if (wrong != NULL)
            fail_msg("%s in %s", wrong, environment_name(number));
        release(&given);
    }
    release(&usual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_and_facts_are_the_same_in_every_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
