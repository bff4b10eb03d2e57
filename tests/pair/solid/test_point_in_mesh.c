/* SPDX-License-Identifier: MIT */
/*
 * Point location in closed bodies against the oracle, which casts rays in random directions. Query points are chosen so
 * that a ray along an axis hits vertices, edges, and faces edge-on.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/pair.h"
#include "pair/solid/point_in_mesh.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    BODIES = 1500,
    POINTS_PER_BODY = 12
};

/* Closed bodies: one or several boxes and double pyramids, apart, touching, crossing or nested; some with a cavity. */
static void make_body(test_random *random, test_mesh *mesh)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    int parts = random_between(random, 1, 3);
    for (int i = 0; i < parts; i++)
    {
        double at[3], far_end[3];
        for (int c = 0; c < 3; c++)
        {
            /* Each part is shifted along x by its own fraction, so that no two share an edge and all stay closed. */
            at[c] = random_between(random, 0, 5) + (c == 0 ? i * 0.03125 : 0.0);
            far_end[c] = at[c] + random_between(random, 1, 5);
        }
        if (random_once_in(random, 2))
            mesh_add_bipyramid(mesh, at[0], at[1], at[2], random_between(random, 1, 2) * 0.5);
        else
            mesh_add_box(mesh, at, far_end, random_once_in(random, 4));
    }
    if (random_once_in(random, 4))
        mesh_disorient(mesh);
}

static bool is_oriented(const test_mesh *mesh)
{
    /* Every edge has two triangles here; they agree when no directed edge occurs twice. */
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        for (size_t j = 0; j < i; j++)
        {
            const uint32_t *s = mesh->triangles[i / 3], *t = mesh->triangles[j / 3];
            if (s[i % 3] == t[j % 3] && s[(i + 1) % 3] == t[(j + 1) % 3])
                return false;
        }
    return true;
}

/* A corner, a middle of two corners, a grid point, or any point. */
static void make_point(test_random *random, const test_mesh *mesh, double point[3])
{
    int kind = random_below(random, 4);
    const double *a = mesh->vertices[random_below(random, (int)mesh->vertex_count)];
    const double *b = mesh->vertices[random_below(random, (int)mesh->vertex_count)];
    for (int c = 0; c < 3; c++)
    {
        point[c] = random_between(random, -1, 10);
        if (kind == 1)
            point[c] = (a[c] + b[c]) / 2;
        if (kind == 2) /* level with a corner, seen along some axis */
            point[c] = random_once_in(random, 3) ? point[c] : a[c];
        if (kind == 3)
            point[c] = random_real(random, -1.0, 9.0);
    }
    if (random_once_in(random, 8))
        point[random_below(random, 3)] += 0x1p-50;
}

/* Any pose; query points are transformed by it too, up to rounding, so that they stay near the surface. */
static graze_pose make_pose(test_random *random)
{
    static make_function *const makers[] = {make_translated, make_quarter_turns, make_rounded_quarter_turns,
                                            make_rotated,    make_sheared,       make_mirrored,
                                            make_singular};
    triangle_case pair;
    makers[random_below(random, (int)(sizeof makers / sizeof *makers))](random, &pair);
    return random_once_in(random, 2) ? graze_pose_identity() : pair.poses[0];
}

static void points_in_bodies_agree_with_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("points in bodies", 50);
    oracle *judge = oracle_create();
    static test_mesh mesh;
    int counts[3] = {0};
    for (int k = 0; k < BODIES; k++)
    {
        make_body(&random, &mesh);
        graze_placed_mesh placed = {.mesh = mesh_create(&mesh), .pose = make_pose(&random)};
        graze_tree *tree;
        assert_int_equal(graze_tree_create(NULL, placed.mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
        oracle_mesh seen = mesh_for_oracle(&mesh, &placed.pose);
        bool oriented = is_oriented(&mesh);
        for (int i = 0; i < POINTS_PER_BODY; i++)
        {
            double raw[3], point[3];
            make_point(&random, &mesh, raw);
            graze_pose_apply(&placed.pose, raw, point);
            graze_location expected = oracle_point_in_body(judge, &seen, oriented, point, &random), given;
            saved_environment saved;
            placed.tree = (k + i) / ENVIRONMENTS % 2 == 0 ? NULL : tree; /* in every environment with and without */
            environment_enter(&saved, (k + i) % ENVIRONMENTS);
            graze_status status = graze_point_in_mesh(NULL, &placed, point, NULL, &given);
            environment_leave(&saved);
            assert_int_equal(status, GRAZE_STATUS_OK);
            counts[expected]++;
            if (given != expected)
                fail_msg("body %d, point %a %a %a is %d, not %d", k, point[0], point[1], point[2], (int)expected,
                         (int)given);
        }
        graze_tree_destroy(tree);
        graze_mesh_destroy((graze_mesh *)placed.mesh);
    }
    oracle_destroy(judge);
    printf("outside %d, boundary %d, inside %d\n", counts[0], counts[1], counts[2]);
    int total = BODIES * POINTS_PER_BODY;
    assert_true(counts[0] > total / 5 && counts[1] > total / 8 && counts[2] > total / 15);
}

static graze_location locate(const test_mesh *mesh, double x, double y, double z)
{
    graze_placed_mesh placed = {.mesh = mesh_create(mesh), .pose = graze_pose_identity()};
    graze_location location = GRAZE_LOCATION_OUTSIDE;
    assert_int_equal(graze_point_in_mesh(NULL, &placed, (double[3]){x, y, z}, NULL, &location), GRAZE_STATUS_OK);
    graze_mesh_destroy((graze_mesh *)placed.mesh);
    return location;
}

static void a_hollow_box_has_the_known_answers(void **state)
{
    (void)state;
    static test_mesh hollow;
    mesh_add_cube(&hollow, 0, 0, 0, 9);
    mesh_add_box(&hollow, (double[3]){3, 3, 3}, (double[3]){6, 6, 6}, true);
    assert_int_equal(locate(&hollow, 1, 1, 1), GRAZE_LOCATION_INSIDE);
    assert_int_equal(locate(&hollow, 4, 4, 4), GRAZE_LOCATION_OUTSIDE);
    assert_int_equal(locate(&hollow, 3, 4, 4), GRAZE_LOCATION_BOUNDARY);
    assert_int_equal(locate(&hollow, 1, 3, 3), GRAZE_LOCATION_INSIDE);   /* a ray along the cavity's edge */
    assert_int_equal(locate(&hollow, -1, 9, 9), GRAZE_LOCATION_OUTSIDE); /* along the outer edge */
    assert_int_equal(locate(&hollow, 9, 9, 9), GRAZE_LOCATION_BOUNDARY);
}

static void winding_counts_for_oriented_bodies_and_parity_for_others(void **state)
{
    (void)state;
    static test_mesh twice, disoriented;
    mesh_add_cube(&twice, 0, 0, 0, 9);
    mesh_add_cube(&twice, 2, 2, 2, 3);
    assert_int_equal(locate(&twice, 3, 3, 3), GRAZE_LOCATION_INSIDE); /* wound around twice */
    disoriented = twice;
    mesh_disorient(&disoriented);
    assert_int_equal(locate(&disoriented, 3, 3, 3), GRAZE_LOCATION_OUTSIDE); /* two crossings */
    assert_int_equal(locate(&disoriented, 1, 1, 1), GRAZE_LOCATION_INSIDE);
}

static void open_meshes_and_bad_points_are_refused(void **state)
{
    (void)state;
    static test_mesh open, cube;
    mesh_add_cube(&open, 0, 0, 0, 9);
    open.triangle_count--;
    mesh_add_cube(&cube, 0, 0, 0, 9);
    graze_placed_mesh placed = {.mesh = mesh_create(&open), .pose = graze_pose_identity()};
    graze_location location = GRAZE_LOCATION_BOUNDARY;
    const double point[3] = {1, 1, 1}, bad[3][3] = {{NAN, 1, 1}, {1, INFINITY, 1}, {1, 1, -INFINITY}};
    assert_int_equal(graze_point_in_mesh(NULL, &placed, point, NULL, &location), GRAZE_STATUS_BAD_ARGUMENT);
    graze_mesh_destroy((graze_mesh *)placed.mesh);
    placed.mesh = mesh_create(&cube);
    for (int k = 0; k < 3; k++)
        assert_int_equal(graze_point_in_mesh(NULL, &placed, bad[k], NULL, &location), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_point_in_mesh(NULL, &placed, NULL, NULL, &location), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_point_in_mesh(NULL, &placed, point, NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    placed.pose.m[3] = NAN;
    assert_int_equal(graze_point_in_mesh(NULL, &placed, point, NULL, &location), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(location, GRAZE_LOCATION_BOUNDARY);
    graze_mesh_destroy((graze_mesh *)placed.mesh);
}

/* The interior side of a triangle is the same by the tree and by all triangles, also where shells are nested, turned
   over or cross. */
static void interior_sides_by_trees_are_those_by_all_triangles(void **state)
{
    (void)state;
    static test_mesh bodies[3];
    size_t known = 0, unknown = 0;
    mesh_add_cube(&bodies[0], 0, 0, 0, 9);
    mesh_add_box(&bodies[0], (double[3]){3, 3, 3}, (double[3]){6, 6, 6}, true);
    mesh_add_cube(&bodies[1], 0, 0, 0, 9);
    mesh_add_cube(&bodies[1], 2, 2, 2, 3);
    mesh_add_cube(&bodies[1], 20, 2, 2, 3);
    mesh_add_cube(&bodies[2], 0, 0, 0, 9);
    mesh_add_cube(&bodies[2], 5, 5, 5, 9);
    for (int i = 0; i < 3; i++)
    {
        graze_tree_def def = graze_tree_def_default();
        def.leaf_size = 2;
        graze_mesh *mesh = mesh_create(&bodies[i]);
        graze_tree *tree;
        assert_int_equal(graze_tree_create(NULL, mesh, &def, NULL, &tree), GRAZE_STATUS_OK);
        grz_body_view plain = {.mesh = mesh, .oriented = true}, with_tree = plain;
        with_tree.world = grz_world_tree_make(mesh, tree, NULL);
        assert_non_null(with_tree.world.tree);
        for (uint32_t t = 0; t < graze_mesh_triangle_count(mesh); t++)
        {
            int side = grz_body_interior_side(&plain, t);
            assert_int_equal(grz_body_interior_side(&with_tree, t), side);
            known += side != 0;
            unknown += side == 0;
        }
        graze_tree_destroy(tree);
        graze_mesh_destroy(mesh);
    }
    printf("%zu known, %zu not\n", known, unknown);
    assert_true(known > 30 && unknown > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_in_bodies_agree_with_the_oracle),
        cmocka_unit_test(a_hollow_box_has_the_known_answers),
        cmocka_unit_test(winding_counts_for_oriented_bodies_and_parity_for_others),
        cmocka_unit_test(open_meshes_and_bad_points_are_refused),
        cmocka_unit_test(interior_sides_by_trees_are_those_by_all_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
