/* SPDX-License-Identifier: MIT */
/* The lattice of a mesh: the coarsest one that holds all coordinates, where it is coarse against the mesh. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mesh/mesh.h"
#include "support/generators.h"
#include "support/unit.h"

enum
{
    CORNERS = 12
};

static void lowest_bits_are_those_of_the_number(void **state)
{
    (void)state;
    test_random random = test_random_start("lowest_bits_are_those_of_the_number", 341);
    int denormal = 0;
    for (int round = 0; round < 20000; round++)
    {
        int expected = random_between(&random, -1074, 960);
        double odd = ldexp(1 + 2 * random_between(&random, 0, 1 << random_below(&random, 29)), expected);
        denormal += odd < 0x1p-1022;
        assert_int_equal(grz_lowest_bit_exponent(round % 2 == 0 ? odd : -odd), expected);
    }
    assert_int_equal(grz_lowest_bit_exponent(0), INT32_MAX);
    assert_int_equal(grz_lowest_bit_exponent(-0.0), INT32_MAX);
    assert_int_equal(grz_lowest_bit_exponent(0x1.fffffffffffffp1023), 971);
    assert_true(denormal > 100);
}

/* Multiples of 2^exponent, with extents of `units` of them; one coordinate at least is an odd multiple. */
static void make_vertices(test_random *random, int exponent, int units, double vertices[CORNERS][3])
{
    for (int i = 0; i < CORNERS; i++)
        for (int k = 0; k < 3; k++)
            vertices[i][k] = ldexp(random_between(random, 0, units), exponent);
    vertices[0][0] = 0;
    vertices[1][0] = ldexp(units, exponent);
    vertices[2][1] = ldexp(1, exponent);
}

static void the_lattice_is_found_where_it_is_coarse(void **state)
{
    (void)state;
    test_random random = test_random_start("the_lattice_is_found_where_it_is_coarse", 342);
    int found = 0, none = 0, limit = 0;
    for (int round = 0; round < 600; round++)
    {
        static const int sizes[] = {1, 9, 1000, 65535, 65536, 131072, 1 << 25};
        double vertices[CORNERS][3];
        uint32_t corners[CORNERS];
        int exponent = random_between(&random, -300, 300), units = sizes[round % 7];
        make_vertices(&random, exponent, units, vertices);
        for (uint32_t i = 0; i < CORNERS; i++)
            corners[i] = i;
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = vertices[0];
        def.vertex_count = def.corner_count = CORNERS;
        def.corners = corners;
        graze_mesh *mesh = NULL;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
        assert_int_equal(mesh->lattice, units < 65536 ? exponent : GRZ_NO_LATTICE);
        found += units < 65536;
        none += units >= 65536;
        limit += units == 65535 || units == 65536;
        vertices[random_below(&random, CORNERS)][2] = ldexp(3, exponent - 17); /* what moves is looked at again */
        assert_int_equal(graze_mesh_move_vertices(mesh, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
        assert_true(mesh->lattice == GRZ_NO_LATTICE);
        make_vertices(&random, exponent + 5, 3, vertices);
        assert_int_equal(graze_mesh_move_vertices(mesh, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
        assert_int_equal(mesh->lattice, exponent + 5);
        graze_mesh_destroy(mesh);
    }
    printf("%d found, %d none, %d at the limit\n", found, none, limit);
    assert_true(found > 300 && none > 200 && limit > 150);
}

static void meshes_of_zeros_or_nothing_have_none(void **state)
{
    (void)state;
    const double zeros[3][3] = {{0}};
    const uint32_t corners[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = zeros[0];
    def.vertex_count = def.corner_count = 3;
    def.corners = corners;
    for (int empty = 0; empty < 2; empty++)
    {
        graze_mesh *mesh = NULL;
        def.corner_count = empty != 0 ? 0 : 3;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
        assert_int_equal(mesh->lattice, GRZ_NO_LATTICE);
        graze_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lowest_bits_are_those_of_the_number),
        cmocka_unit_test(the_lattice_is_found_where_it_is_coarse),
        cmocka_unit_test(meshes_of_zeros_or_nothing_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
