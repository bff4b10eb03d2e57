/* SPDX-License-Identifier: MIT */
/*
 * Parts of a surface that lie in the other body although no triangles cross: corners decide. Which triangles are
 * joined, so that one corner speaks for all of them, decides which corners are located.
 */
#include "graze/depth.h"
#include "support/meshes.h"
#include "support/unit.h"

/* In either order. */
static void check_overlap(const test_mesh *first, const test_mesh *second, graze_verdict expected)
{
    graze_mesh *meshes[2] = {mesh_create(first), mesh_create(second)};
    graze_placed_mesh placed[2];
    graze_verdict given;
    for (int i = 0; i < 2; i++)
        placed[i] = (graze_placed_mesh){meshes[i], NULL, graze_pose_identity()};
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_pair_overlap(NULL, &placed[i], &placed[1 - i], NULL, &given), GRAZE_STATUS_OK);
        assert_int_equal(given, expected);
    }
    for (int i = 0; i < 2; i++)
        graze_mesh_destroy(meshes[i]);
}

/* Adds a triangle that faces away from a point. */
static void add_facing_away(test_mesh *mesh, const double point[3], uint32_t a, uint32_t b, uint32_t c)
{
    double d[3][3], volume = 0;
    const uint32_t corners[3] = {a, b, c};
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            d[k][axis] = mesh->vertices[corners[k]][axis] - point[axis];
    for (int i = 0; i < 3; i++)
        volume += d[0][i] * (d[1][(i + 1) % 3] * d[2][(i + 2) % 3] - d[1][(i + 2) % 3] * d[2][(i + 1) % 3]);
    assert_true(volume < 0 || volume > 0);
    mesh_add_triangle(mesh, a, volume > 0 ? b : c, volume > 0 ? c : b);
}

static void add_tetrahedron(test_mesh *mesh, const double corners[4][3])
{
    uint32_t v[4];
    double centre[3];
    for (int k = 0; k < 4; k++)
        v[k] = mesh_add_vertex(mesh, corners[k][0], corners[k][1], corners[k][2]);
    for (int axis = 0; axis < 3; axis++)
        centre[axis] = 0.25 * (corners[0][axis] + corners[1][axis] + corners[2][axis] + corners[3][axis]);
    for (uint32_t k = 0; k < 4; k++)
        add_facing_away(mesh, centre, v[(k + 1) % 4], v[(k + 2) % 4], v[(k + 3) % 4]);
}

/* Three corners of a tetrahedron touch the walls of a cavity: those of one triangle, which its neighbours speak for. */
static void a_triangle_that_touches_with_all_corners_is_where_its_neighbours_are(void **state)
{
    (void)state;
    static const double corners[4][3] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
    static const double outer[2][3] = {{-4, -4, -4}, {4, 4, 4}}, inner[2][3] = {{-3, -3, -3}, {3, 3, 3}};
    test_mesh hollow = {.vertex_count = 0}, tetrahedron = {.vertex_count = 0};
    mesh_add_box(&hollow, outer[0], outer[1], false);
    mesh_add_box(&hollow, inner[0], inner[1], true);
    add_tetrahedron(&tetrahedron, corners);
    check_overlap(&hollow, &tetrahedron, GRAZE_VERDICT_NO);
}

/*
 * A pyramid whose base lies in the plane through the edge x = y = 0 of a box. Its tip I is in the box, O opposite to
 * it outside; the loop P0, P1, Q between, where the surfaces meet, follows the edge of the box across the base and
 * edges of the pyramid in the face x = 0. So no triangles cross. Triangles next to P0 on both sides of the loop have
 * only that point of it, and are connected by one of the base that the loop divides, which must not join them. The
 * last triangles are those that meet the loop in segments.
 */
static test_mesh make_pyramid(void)
{
    enum
    {
        P0,
        P1,
        Q,
        O,
        I,
        O_P0, /* middles of edges */
        O_P1,
        O_Q,
        I_P0,
        I_P1,
        I_Q
    };
    static const double vertices[11][3] = {{0, 0, 4},    {0, 0, 16},    {0, 10, 10},    {-20, -20, 10},
                                           {10, 10, 10}, {-10, -10, 7}, {-10, -10, 13}, {-10, -5, 10},
                                           {5, 5, 7},    {5, 5, 13},    {5, 10, 10}};
    static const double centre[3] = {-2, 0, 10};
    static const uint32_t triangles[18][3] = {
        {O, O_P0, O_P1},    {O, O_P1, O_Q},   {O, O_Q, O_P0},  {I, I_P0, I_P1}, {I, I_P1, I_Q},   {I, I_Q, I_P0},
        {P0, O_P0, O_Q},    {P1, O_P1, O_Q},  {P0, I_P0, I_Q}, {P1, I_P1, I_Q}, {O_P0, P0, I_P0}, {O_P0, I_P0, I_P1},
        {O_P0, I_P1, O_P1}, {O_P1, I_P1, P1}, {P0, O_Q, Q},    {P1, Q, O_Q},    {P0, Q, I_Q},     {P1, I_Q, Q}};
    test_mesh mesh = {.vertex_count = 0};
    for (int v = 0; v < 11; v++)
        mesh_add_vertex(&mesh, vertices[v][0], vertices[v][1], vertices[v][2]);
    for (int t = 0; t < 18; t++)
        add_facing_away(&mesh, centre, triangles[t][0], triangles[t][1], triangles[t][2]);
    return mesh;
}

static void triangles_are_not_joined_across_the_other_surface(void **state)
{
    (void)state;
    static const double lower[3] = {0, 0, 0}, upper[3] = {20, 20, 20};
    /* Beside it, a body that meets itself: so contacts do not count. */
    static const double one[4][3] = {{-90, 0, 0}, {-80, 0, 0}, {-90, 10, 0}, {-90, 0, 10}};
    static const double other[4][3] = {{-89, 1, 1}, {-79, 2, 3}, {-88, 12, 5}, {-87, 3, 13}};
    test_mesh pyramid = make_pyramid(), box = {.vertex_count = 0};
    mesh_add_box(&box, lower, upper, false);
    check_overlap(&pyramid, &box, GRAZE_VERDICT_YES);
    add_tetrahedron(&pyramid, one);
    add_tetrahedron(&pyramid, other);
    check_overlap(&pyramid, &box, GRAZE_VERDICT_YES);
}

/* An open surface has no inside, but corners of it may be inside of a closed one. */
static void a_corner_of_an_open_surface_may_be_inside(void **state)
{
    (void)state;
    static const double lower[3] = {0, 0, 0}, upper[3] = {4, 4, 4};
    for (int inside = 0; inside < 2; inside++)
    {
        test_mesh box = {.vertex_count = 0}, sheet = {.vertex_count = 0};
        double z = inside ? 2 : 6;
        mesh_add_box(&box, lower, upper, false);
        uint32_t a = mesh_add_vertex(&sheet, 1, 1, 4), b = mesh_add_vertex(&sheet, 1, 2, z);
        uint32_t c = mesh_add_vertex(&sheet, 2, 1, z), d = mesh_add_vertex(&sheet, 3, 3, 4);
        mesh_add_triangle(&sheet, a, b, c);
        mesh_add_triangle(&sheet, b, d, c);
        check_overlap(&box, &sheet, inside ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_that_touches_with_all_corners_is_where_its_neighbours_are),
        cmocka_unit_test(triangles_are_not_joined_across_the_other_surface),
        cmocka_unit_test(a_corner_of_an_open_surface_may_be_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
