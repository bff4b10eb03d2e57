/* SPDX-License-Identifier: MIT */
/*
 * Identities: equal meshes have equal ones, whenever they were made; any change of one bit in vertices or triangles
 * changes the identity, and so does moving vertices.
 */
#include <math.h>
#include <string.h>

#include "mesh/mesh.h"
#include "support/meshes.h"
#include "support/unit.h"

static graze_mesh *create(double vertices[5][3], uint32_t triangles[3][3], size_t triangle_count)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 5;
    def.corners = triangles[0];
    def.corner_count = 3 * triangle_count;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static grz_identity identity_of(double vertices[5][3], uint32_t triangles[3][3], size_t triangle_count)
{
    graze_mesh *mesh = create(vertices, triangles, triangle_count);
    grz_identity identity = mesh->identity;
    graze_mesh_destroy(mesh);
    return identity;
}

static double sample_vertices[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
static uint32_t sample_triangles[3][3] = {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}};

static void every_bit_counts(void **state)
{
    (void)state;
    grz_identity same = identity_of(sample_vertices, sample_triangles, 3);
    assert_true(grz_identity_equal(same, identity_of(sample_vertices, sample_triangles, 3)));
    int changes = 0;
    for (int word = 0; word < 15; word++)
        for (int bit = 0; bit < 64; bit++)
        {
            double vertices[5][3];
            uint64_t bits;
            memcpy(vertices, sample_vertices, sizeof vertices);
            memcpy(&bits, &vertices[word / 3][word % 3], sizeof bits);
            bits ^= UINT64_C(1) << bit;
            memcpy(&vertices[word / 3][word % 3], &bits, sizeof bits);
            if (!isfinite(vertices[word / 3][word % 3]))
                continue;
            grz_identity other = identity_of(vertices, sample_triangles, 3);
            assert_true(other.words[0] != same.words[0] && other.words[1] != same.words[1]);
            changes++;
        }
    assert_true(changes > 900);
    for (int corner = 0; corner < 9; corner++)
    {
        uint32_t triangles[3][3];
        memcpy(triangles, sample_triangles, sizeof triangles);
        triangles[corner / 3][corner % 3] ^= 1;
        triangles[corner / 3][corner % 3] %= 5;
        if (memcmp(triangles, sample_triangles, sizeof triangles) != 0)
            assert_false(grz_identity_equal(identity_of(sample_vertices, triangles, 3), same));
    }
    assert_false(grz_identity_equal(identity_of(sample_vertices, sample_triangles, 2), same));
}

static void vertices_that_move_and_return_change_it_and_restore_it(void **state)
{
    (void)state;
    graze_mesh *mesh = create(sample_vertices, sample_triangles, 3);
    grz_identity before = mesh->identity;
    double moved[5][3];
    memcpy(moved, sample_vertices, sizeof moved);
    moved[4][2] = nextafter(moved[4][2], 2);
    assert_int_equal(graze_mesh_move_vertices(mesh, moved, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    assert_false(grz_identity_equal(mesh->identity, before));
    assert_int_equal(graze_mesh_move_vertices(mesh, sample_vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    assert_true(grz_identity_equal(mesh->identity, before));
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(vertices_that_move_and_return_change_it_and_restore_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
