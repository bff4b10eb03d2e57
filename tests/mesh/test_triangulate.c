/* SPDX-License-Identifier: MIT */
/* Triangulation: the triangles cover the polygon exactly, once, whatever its shape. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "support/failing_allocator.h"
#include "support/polygons.h"
#include "support/unit.h"

static test_polygon polygon;

/* Triangulates the polygon in several planes and checks the result. */
static void assert_covered(test_random *random, int samples)
{
    static const int planes[4][4] = {{0, 0, 0, 0}, {3, -2, 5, 1}, {0, 1, -7, 2}, {-1, 0, 0, 0}};
    for (int i = 0; i < 4; i++)
    {
        graze_mesh *mesh = polygon_mesh(&polygon, NULL, planes[i][0], planes[i][1], planes[i][2], planes[i][3]);
        assert_non_null(mesh);
        assert_true(polygon_is_cut(&polygon, mesh));
        assert_true(polygon_is_covered(&polygon, mesh, random, samples));
        assert_int_equal(graze_mesh_irregular_face_count(mesh), 0);
        graze_mesh_destroy(mesh);
    }
}

static void sets_of_squares_with_holes_are_covered_once(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 11);
    size_t holes = 0, corners = 0;
    for (int round = 0; round < 400; round++)
    {
        polygon_of_squares(&polygon, &random, random_between(&random, 2, 16), random_below(&random, 3),
                           random_below(&random, 2) * 7);
        holes += polygon.loop_count - 1;
        corners += polygon.corner_count;
        int a = random_between(&random, 1, 5), d = random_between(&random, 1, 5);
        polygon_transform(&polygon, a, random_between(&random, -2, 0), random_between(&random, 0, 2), d);
        for (size_t l = 0; l < polygon.loop_count; l++)
            if (random_once_in(&random, 2))
                polygon_reverse_loop(&polygon, l);
        assert_covered(&random, 100);
    }
    print_message("%zu corners, %zu holes\n", corners, holes);
    assert_true(corners > 10000 && holes > 200);
}

static void random_simple_polygons_are_covered_once(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 12);
    int made = 0;
    for (int round = 0; round < 400; round++)
    {
        int size = random_once_in(&random, 2) ? 12 : 1000;
        if (!polygon_untangled(&polygon, &random, random_between(&random, 4, 40), size))
            continue;
        made++;
        assert_covered(&random, 50);
    }
    print_message("%d polygons\n", made);
    assert_true(made > 200);
}

static void combs_stars_and_spirals_are_covered_once(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 13);
    for (int n = 3; n < 40; n += 6)
    {
        polygon_comb(&polygon, n);
        assert_covered(&random, 100);
        polygon_star(&polygon, &random, 4 * n);
        assert_covered(&random, 100);
        polygon_spiral(&polygon, n);
        assert_covered(&random, 100);
    }
}

static void a_convex_quad_is_cut_along_the_diagonal_from_its_first_corner(void **state)
{
    (void)state;
    static const int64_t square[4][2] = {{0, 0}, {4, 0}, {5, 3}, {0, 4}};
    polygon_clear(&polygon);
    for (int i = 0; i < 4; i++)
        polygon_add(&polygon, square[i][0], square[i][1]);
    polygon_end_loop(&polygon);
    graze_mesh *mesh = polygon_mesh(&polygon, NULL, 0, 0, 0, 0);
    static const uint32_t expected[6] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(graze_mesh_triangles(mesh), expected, sizeof expected);
    graze_mesh_destroy(mesh);
}

static void a_quad_with_a_reflex_corner_is_cut_there(void **state)
{
    (void)state;
    static const int64_t dart[4][2] = {{0, 0}, {4, 1}, {1, 1}, {1, 4}};
    for (int start = 0; start < 4; start++)
    {
        test_random random = {(uint64_t)start};
        polygon_clear(&polygon);
        for (int i = 0; i < 4; i++)
            polygon_add(&polygon, dart[(start + i) % 4][0], dart[(start + i) % 4][1]);
        polygon_end_loop(&polygon);
        assert_covered(&random, 100);
    }
}

/* Tangled, collinear, repeated and single points: the count is right, no corner is lost, and polygons reported as
   regular are. */
static void anything_is_cut_into_the_right_number_of_triangles(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 14);
    int crossing = 0;
    for (int round = 0; round < 3000; round++)
    {
        polygon_clear(&polygon);
        int size = random_between(&random, 1, 9);
        for (int loops = random_between(&random, 1, 3); loops > 0; loops--)
        {
            for (int i = random_between(&random, 3, 14); i > 0; i--)
                polygon_add(&polygon, random_below(&random, size), random_below(&random, size));
            polygon_end_loop(&polygon);
        }
        graze_mesh *mesh = polygon_mesh(&polygon, NULL, random_between(&random, -2, 2), random_between(&random, -2, 2),
                                        0, random_below(&random, 3));
        assert_non_null(mesh);
        assert_true(polygon_is_cut(&polygon, mesh));
        bool regular = graze_mesh_irregular_face_count(mesh) == 0;
        crossing += polygon_crosses_itself(&polygon) && !regular;
        if (regular)
            assert_true(polygon_is_covered(&polygon, mesh, &random, 50));
        graze_mesh_destroy(mesh);
    }
    assert_true(crossing > 1000);
}

static void a_polygon_without_area_is_irregular_but_keeps_its_corners(void **state)
{
    (void)state;
    polygon_clear(&polygon);
    for (int i = 0; i < 7; i++)
        polygon_add(&polygon, i * i % 7, 2 * (i * i % 7));
    polygon_end_loop(&polygon);
    for (int i = 0; i < 3; i++)
        polygon_add(&polygon, 1, 2);
    polygon_end_loop(&polygon);
    graze_mesh *mesh = polygon_mesh(&polygon, NULL, 1, 1, 1, 0);
    assert_true(polygon_is_cut(&polygon, mesh));
    assert_int_equal(graze_mesh_irregular_face_count(mesh), 1);
    graze_mesh_destroy(mesh);
}

static void a_figure_eight_of_equal_halves_is_seen_from_the_front(void **state)
{
    (void)state;
    static const int64_t corners[6][2] = {{0, 0}, {1, 1}, {1, -1}, {0, 0}, {-1, 1}, {-1, -1}};
    polygon_clear(&polygon);
    for (int i = 0; i < 6; i++)
        polygon_add(&polygon, corners[i][0], corners[i][1]);
    polygon_end_loop(&polygon);
    graze_mesh *mesh = polygon_mesh(&polygon, NULL, 0, 0, 0, 0);
    assert_true(polygon_is_cut(&polygon, mesh));
    graze_mesh_destroy(mesh);
}

static void huge_and_tiny_polygons_are_cut_like_others(void **state)
{
    (void)state;
    static const double scales[4] = {1e300, 1e-300, 5e-324, 8e307};
    static const double arrow[5][2] = {{0, 0}, {2, 0}, {1, 1}, {2, 2}, {0, 2}};
    for (int s = 0; s < 4; s++)
    {
        double vertices[15];
        for (int i = 0; i < 5; i++)
        {
            vertices[3 * i] = (arrow[i][0] - 1) * scales[s];
            vertices[3 * i + 1] = 7;
            vertices[3 * i + 2] = (arrow[i][1] - 1) * scales[s];
        }
        static const uint32_t corners[5] = {4, 0, 1, 2, 3}, loop_size = 5;
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 5;
        def.corners = corners;
        def.corner_count = 5;
        def.loop_sizes = &loop_size;
        def.loop_count = 1;
        graze_mesh *mesh;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
        assert_int_equal(graze_mesh_irregular_face_count(mesh), 0);
        const uint32_t *triangles = graze_mesh_triangles(mesh);
        for (int t = 0; t < 3; t++) /* no triangle may span the notch from 1 to 3 without 2 */
        {
            int mask = 0;
            for (int c = 0; c < 3; c++)
                mask |= 1 << triangles[3 * t + c];
            assert_true((mask & 14) != 10);
        }
        graze_mesh_destroy(mesh);
    }
}

/* A spiral of ten thousand corners, straight from doubles, too many for the fixed-size polygons. */
static void ten_thousand_corners_take_about_a_second(void **state)
{
    (void)state;
    enum
    {
        COUNT = 10000
    };
    double *vertices = malloc(3 * COUNT * sizeof *vertices);
    uint32_t *corners = malloc(COUNT * sizeof *corners);
    for (int i = 0; i < COUNT; i++)
    {
        int k = i < COUNT / 2 ? i : COUNT - 1 - i; /* in along one arm, out along the other */
        int quarter = k % 4;
        double reach = 4.0 * (k / 4) + quarter + (i < COUNT / 2 ? 0 : 2);
        vertices[3 * i] = quarter == 0 || quarter == 3 ? reach : -reach;
        vertices[3 * i + 1] = quarter < 2 ? reach : -reach;
        vertices[3 * i + 2] = 0;
        corners[i] = (uint32_t)i;
    }
    uint32_t loop_size = COUNT;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = def.corner_count = COUNT;
    def.corners = corners;
    def.loop_sizes = &loop_size;
    def.loop_count = 1;
    graze_mesh *mesh;
    uint64_t start = grz_clock_now();
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    double seconds = 1e-9 * (double)(grz_clock_now() - start);
    print_message("%.3f s\n", seconds);
    assert_int_equal(graze_mesh_triangle_count(mesh), COUNT - 2);
    assert_int_equal(graze_mesh_irregular_face_count(mesh), 0);
    assert_true(seconds < 20); /* generous for sanitizers on a loaded machine; it detects quadratic time */
    graze_mesh_destroy(mesh);
    free(vertices);
    free(corners);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 15);
    do
        polygon_of_squares(&polygon, &random, 12, 0, 5);
    while (polygon.loop_count < 3);
    size_t allowed = 0;
    for (;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_mesh *mesh = polygon_mesh(&polygon, &context, 1, 2, 3, 0);
        bool made = mesh != NULL;
        graze_mesh_destroy(mesh);
        assert_int_equal(allocator.live, 0);
        if (made)
            break;
    }
    assert_true(allowed > 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_of_squares_with_holes_are_covered_once),
        cmocka_unit_test(random_simple_polygons_are_covered_once),
        cmocka_unit_test(combs_stars_and_spirals_are_covered_once),
        cmocka_unit_test(a_convex_quad_is_cut_along_the_diagonal_from_its_first_corner),
        cmocka_unit_test(a_quad_with_a_reflex_corner_is_cut_there),
        cmocka_unit_test(anything_is_cut_into_the_right_number_of_triangles),
        cmocka_unit_test(a_polygon_without_area_is_irregular_but_keeps_its_corners),
        cmocka_unit_test(a_figure_eight_of_equal_halves_is_seen_from_the_front),
        cmocka_unit_test(huge_and_tiny_polygons_are_cut_like_others),
        cmocka_unit_test(ten_thousand_corners_take_about_a_second),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
