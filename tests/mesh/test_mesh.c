/* SPDX-License-Identifier: MIT */
/* Making meshes from arrays: what is copied, what is rejected and which element the error names. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "graze/mesh.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

/* A unit tetrahedron. */
static const double vertices[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

static graze_mesh_def tetrahedron(void)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.corners = corners;
    def.corner_count = 12;
    return def;
}

static graze_mesh *make(const graze_mesh_def *def)
{
    graze_mesh *mesh = NULL;
    graze_error error;
    assert_int_equal(graze_mesh_create(NULL, def, &error, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void assert_refused(const graze_mesh_def *def, graze_status status, uint64_t index)
{
    graze_mesh *const untouched = (graze_mesh *)&corners;
    graze_mesh *mesh = untouched;
    graze_error error;
    assert_int_equal(graze_mesh_create(NULL, def, &error, &mesh), status);
    assert_int_equal(error.status, status);
    assert_int_equal(error.index, index);
    assert_true(strlen(error.text) > 0);
    assert_ptr_equal(mesh, untouched);
    assert_int_equal(graze_mesh_create(NULL, def, NULL, &mesh), status);
}

static void triangles_are_copied_as_they_are(void **state)
{
    (void)state;
    graze_mesh_def def = tetrahedron();
    graze_mesh *mesh = make(&def);
    assert_int_equal(graze_mesh_vertex_count(mesh), 4);
    assert_int_equal(graze_mesh_triangle_count(mesh), 4);
    assert_int_equal(graze_mesh_face_count(mesh), 4);
    assert_int_equal(graze_mesh_irregular_face_count(mesh), 0);
    assert_memory_equal(graze_mesh_vertices(mesh), vertices, sizeof vertices);
    assert_memory_equal(graze_mesh_triangles(mesh), corners, sizeof corners);
    for (size_t t = 0; t < 4; t++)
    {
        size_t count;
        assert_int_equal(graze_mesh_triangle_face(mesh, t), t);
        assert_int_equal(graze_mesh_face_loop_count(mesh, t), 1);
        assert_memory_equal(graze_mesh_face_loop(mesh, t, 0, &count), corners + 3 * t, 3 * sizeof *corners);
        assert_int_equal(count, 3);
    }
    graze_mesh_destroy(mesh);
}

static void floats_and_strides_are_read_at_any_alignment(void **state)
{
    (void)state;
    char floats[1 + 4 * 17], doubles[3 + 4 * 29], triangles[1 + 4 * 15];
    for (size_t v = 0; v < 4; v++)
    {
        float single[3];
        for (int i = 0; i < 3; i++)
            single[i] = (float)vertices[v][i] + 0.1f;
        memcpy(floats + 1 + 17 * v, single, sizeof single);
        memcpy(doubles + 3 + 29 * v, vertices[v], sizeof vertices[v]);
    }
    for (size_t t = 0; t < 4; t++)
        memcpy(triangles + 1 + 15 * t, corners + 3 * t, 12);

    graze_mesh_def def = tetrahedron();
    def.corners = (const uint32_t *)(const void *)(triangles + 1);
    def.triangle_stride = 15;
    def.vertices = doubles + 3;
    def.vertex_stride = 29;
    graze_mesh *mesh = make(&def);
    assert_memory_equal(graze_mesh_vertices(mesh), vertices, sizeof vertices);
    assert_memory_equal(graze_mesh_triangles(mesh), corners, sizeof corners);
    graze_mesh_destroy(mesh);

    def.vertices = floats + 1;
    def.vertex_stride = 17;
    def.vertex_scalar = GRAZE_SCALAR_FLOAT;
    mesh = make(&def);
    assert_true(graze_mesh_vertices(mesh)[0] == (double)0.1f);
    assert_true(graze_mesh_vertices(mesh)[11] == (double)(1 + 0.1f));
    graze_mesh_destroy(mesh);
}

static void bounds_are_those_of_used_vertices(void **state)
{
    (void)state;
    graze_mesh_def def = tetrahedron();
    def.corner_count = 3; /* the fourth vertex is unused */
    graze_mesh *mesh = make(&def);
    graze_box box = graze_mesh_bounds(mesh);
    const graze_box expected = {{0, 0, 0}, {1, 1, 0}};
    assert_memory_equal(&box, &expected, sizeof box);
    graze_mesh_destroy(mesh);

    def.corner_count = 0;
    mesh = make(&def);
    box = graze_mesh_bounds(mesh);
    assert_true(box.lower[0] > box.upper[0] && box.lower[1] > box.upper[1] && box.lower[2] > box.upper[2]);
    graze_box of_none = graze_mesh_bounds(NULL);
    assert_memory_equal(&of_none, &box, sizeof box);
    assert_int_equal(graze_mesh_triangle_count(mesh), 0);
    graze_mesh_destroy(mesh);
    def = graze_mesh_def_default();
    graze_mesh_destroy(make(&def));
    graze_mesh_destroy(NULL);
}

static void polygons_keep_their_loops_and_triangles_know_their_face(void **state)
{
    (void)state;
    static const double points[8][3] = {{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0},
                                        {3, 3, 0}, {6, 3, 0}, {6, 6, 0}, {3, 6, 0}};
    static const uint32_t loops[15] = {0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 0, 1, 3};
    static const uint32_t sizes[4] = {4, 4, 4, 3}, face_loops[3] = {2, 1, 1};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = points;
    def.vertex_count = 8;
    def.corners = loops;
    def.corner_count = 15;
    def.loop_sizes = sizes;
    def.loop_count = 4;
    def.face_loop_counts = face_loops;
    def.face_count = 3;
    graze_mesh *mesh = make(&def);
    assert_int_equal(graze_mesh_face_count(mesh), 3);
    assert_int_equal(graze_mesh_triangle_count(mesh), 8 + 2 + 1);
    for (size_t t = 0; t < 11; t++)
        assert_int_equal(graze_mesh_triangle_face(mesh, t), t < 8 ? 0 : t < 10 ? 1 : 2);
    size_t count;
    assert_int_equal(graze_mesh_face_loop_count(mesh, 0), 2);
    assert_memory_equal(graze_mesh_face_loop(mesh, 0, 1, &count), loops + 4, 4 * sizeof *loops);
    assert_int_equal(count, 4);
    assert_memory_equal(graze_mesh_face_loop(mesh, 2, 0, &count), loops + 12, 3 * sizeof *loops);
    assert_int_equal(count, 3);
    graze_mesh_destroy(mesh);

    def.face_loop_counts = NULL; /* now every loop is a face */
    def.face_count = 0;
    mesh = make(&def);
    assert_int_equal(graze_mesh_face_count(mesh), 4);
    assert_int_equal(graze_mesh_triangle_count(mesh), 7);
    assert_memory_equal(graze_mesh_face_loop(mesh, 1, 0, &count), loops + 4, 4 * sizeof *loops);
    graze_mesh_destroy(mesh);
}

static void a_coordinate_that_is_not_finite_names_its_vertex(void **state)
{
    (void)state;
    static const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (size_t v = 0; v < 4; v++)
        for (size_t i = 0; i < 3; i++)
        {
            double changed[4][3];
            memcpy(changed, vertices, sizeof changed);
            changed[v][i] = bad[i];
            graze_mesh_def def = tetrahedron();
            def.vertices = changed;
            assert_refused(&def, GRAZE_STATUS_NOT_FINITE, v);
            float single[12];
            for (size_t k = 0; k < 12; k++)
                single[k] = (float)changed[k / 3][k % 3];
            def.vertices = single;
            def.vertex_scalar = GRAZE_SCALAR_FLOAT;
            assert_refused(&def, GRAZE_STATUS_NOT_FINITE, v);
        }
}

static void every_finite_double_is_taken(void **state)
{
    (void)state;
    static const double extreme[4][3] = {{DBL_MAX, -DBL_MAX, 0}, {5e-324, -0.0, 1}, {-DBL_MAX, 1, 2}, {3, 4, DBL_MAX}};
    graze_mesh_def def = tetrahedron();
    def.vertices = extreme;
    graze_mesh *mesh = make(&def);
    assert_memory_equal(graze_mesh_vertices(mesh), extreme, sizeof extreme);
    graze_mesh_destroy(mesh);
}

static void a_corner_out_of_range_is_named(void **state)
{
    (void)state;
    static const uint32_t sizes[3] = {5, 4, 3};
    for (size_t c = 0; c < 12; c++)
    {
        uint32_t changed[12];
        memcpy(changed, corners, sizeof changed);
        changed[c] = c % 2 == 0 ? 4 : UINT32_MAX;
        graze_mesh_def def = tetrahedron();
        def.corners = changed;
        assert_refused(&def, GRAZE_STATUS_BAD_INDEX, c);
        def.loop_sizes = sizes;
        def.loop_count = 3;
        assert_refused(&def, GRAZE_STATUS_BAD_INDEX, c);
    }
}

static void a_face_with_fewer_than_three_corners_is_named(void **state)
{
    (void)state;
    static const uint32_t two_last[3] = {5, 5, 2}, none_first[3] = {0, 6, 6}, one_in_a_hole[4] = {4, 4, 1, 3};
    static const uint32_t face_loops[2] = {1, 3}, no_loops[4] = {1, 1, 0, 1};
    graze_mesh_def def = tetrahedron();
    def.loop_sizes = two_last;
    def.loop_count = 3;
    assert_refused(&def, GRAZE_STATUS_TOO_FEW_CORNERS, 2);
    def.loop_sizes = none_first;
    assert_refused(&def, GRAZE_STATUS_TOO_FEW_CORNERS, 0);
    def.face_loop_counts = no_loops;
    def.face_count = 3;
    def.loop_sizes = two_last;
    def.loop_count = 3;
    assert_refused(&def, GRAZE_STATUS_TOO_FEW_CORNERS, 2);
    def.loop_sizes = one_in_a_hole;
    def.loop_count = 4;
    def.face_loop_counts = face_loops;
    def.face_count = 2;
    assert_refused(&def, GRAZE_STATUS_TOO_FEW_CORNERS, 1);
}

static void arrays_that_do_not_fit_together_are_bad_arguments(void **state)
{
    (void)state;
    static const uint32_t short_sizes[2] = {4, 4}, long_sizes[3] = {4, 4, 5}, huge_sizes[2] = {UINT32_MAX, 13};
    static const uint32_t sizes[3] = {4, 4, 4}, short_faces[2] = {1, 1}, long_faces[2] = {2, 2};
    graze_mesh *mesh = NULL;
    graze_mesh_def good = tetrahedron();
    assert_int_equal(graze_mesh_create(NULL, NULL, NULL, &mesh), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_mesh_create(NULL, &good, NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    graze_mesh_def polygons = good;
    polygons.loop_sizes = sizes;
    polygons.loop_count = 3;
    graze_mesh_destroy(make(&polygons));

    graze_mesh_def cases[16];
    for (int i = 0; i < 16; i++)
        cases[i] = i < 8 ? good : polygons;
    cases[0].vertices = NULL;
    cases[1].corners = NULL;
    cases[2].corner_count = 11;
    cases[3].vertex_stride = 23;
    cases[4].triangle_stride = 11;
    cases[5].vertex_scalar = (graze_scalar)2;
    cases[6].loop_count = 3;
    cases[7].face_loop_counts = short_faces;
    cases[8].triangle_stride = 12;
    cases[9].loop_sizes = short_sizes;
    cases[9].loop_count = 2;
    cases[10].loop_sizes = long_sizes;
    cases[11].loop_sizes = huge_sizes;
    cases[11].loop_count = 2;
    cases[12].face_count = 3;
    cases[13].face_loop_counts = short_faces;
    cases[13].face_count = 2;
    cases[14].face_loop_counts = long_faces;
    cases[14].face_count = 2;
    cases[15].face_loop_counts = long_faces;
    cases[15].face_count = 4;
    for (int i = 0; i < 16; i++)
        assert_refused(&cases[i], GRAZE_STATUS_BAD_ARGUMENT, GRAZE_NO_INDEX);
}

static void counts_beyond_32_bits_are_too_large(void **state)
{
    (void)state;
    graze_mesh_def def = tetrahedron();
    def.vertex_count = (size_t)UINT32_MAX;
    assert_refused(&def, GRAZE_STATUS_TOO_LARGE, GRAZE_NO_INDEX);
    def = tetrahedron();
    def.corner_count = (size_t)UINT32_MAX;
    assert_refused(&def, GRAZE_STATUS_TOO_LARGE, GRAZE_NO_INDEX);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    static const uint32_t sizes[3] = {4, 4, 4}, face_loops[2] = {2, 1};
    for (int polygons = 0; polygons < 2; polygons++)
    {
        graze_mesh_def def = tetrahedron();
        def.loop_sizes = polygons ? sizes : NULL;
        def.loop_count = polygons ? 3 : 0;
        def.face_loop_counts = polygons ? face_loops : NULL;
        def.face_count = polygons ? 2 : 0;
        graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
        size_t allowed = 0;
        for (; status != GRAZE_STATUS_OK; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_mesh *mesh = NULL;
            graze_error error;
            status = graze_mesh_create(&context, &def, &error, &mesh);
            assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
            graze_mesh_destroy(mesh);
            assert_int_equal(allocator.live, 0);
        }
        assert_true(allowed >= (polygons ? 8 : 4));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_are_copied_as_they_are),
        cmocka_unit_test(floats_and_strides_are_read_at_any_alignment),
        cmocka_unit_test(bounds_are_those_of_used_vertices),
        cmocka_unit_test(polygons_keep_their_loops_and_triangles_know_their_face),
        cmocka_unit_test(a_coordinate_that_is_not_finite_names_its_vertex),
        cmocka_unit_test(every_finite_double_is_taken),
        cmocka_unit_test(a_corner_out_of_range_is_named),
        cmocka_unit_test(a_face_with_fewer_than_three_corners_is_named),
        cmocka_unit_test(arrays_that_do_not_fit_together_are_bad_arguments),
        cmocka_unit_test(counts_beyond_32_bits_are_too_large),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
