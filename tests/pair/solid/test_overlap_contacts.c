/* SPDX-License-Identifier: MIT */
/*
 * Overlap of bodies and surfaces that touch in few points: separating planes, cases that contacts do not decide, and
 * open surfaces.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graze/depth.h"
#include "pair/solid/overlap.h"
#include "support/generators.h"
#include "support/meshes.h"
#include "support/oracle.h"
#include "support/unit.h"

static void expect_overlap(const test_mesh *a, const test_mesh *b, graze_verdict expected)
{
    graze_placed_mesh first = {mesh_create(a), NULL, graze_pose_identity()};
    graze_placed_mesh second = {mesh_create(b), NULL, graze_pose_translation(0, 0, 0)};
    graze_verdict verdict, swapped;
    assert_int_equal(graze_pair_overlap(NULL, &first, &second, NULL, &verdict), GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_overlap(NULL, &second, &first, NULL, &swapped), GRAZE_STATUS_OK);
    assert_int_equal(verdict, expected);
    assert_int_equal(swapped, expected);
    graze_mesh_destroy((graze_mesh *)first.mesh);
    graze_mesh_destroy((graze_mesh *)second.mesh);
}

/* A triangle in the plane z = 0, far larger than what it meets. */
static test_mesh make_large_triangle(void)
{
    test_mesh mesh = {0};
    mesh_add_triangle(&mesh, mesh_add_vertex(&mesh, -100, -100, 0), mesh_add_vertex(&mesh, 100, -100, 0),
                      mesh_add_vertex(&mesh, 0, 200, 0));
    return mesh;
}

/* Open surfaces: only a separating plane proves that they do not overlap a surface they touch. */
static void a_separating_plane_decides_for_open_surfaces(void **state)
{
    (void)state;
    static const double lower[3] = {-2, -2, -2}, upper[3] = {2, 2, 0};
    const test_mesh large = make_large_triangle();
    test_mesh spike = {0}, box = {0}, upright = {0}, flat = {0};
    /* A pyramid with its apex on the triangle: none of its own planes has the triangle on one side. */
    mesh_add_bipyramid(&spike, 0, 0, 0, 1);
    double lowest = 0;
    for (size_t v = 0; v < spike.vertex_count; v++)
        lowest = fmin(lowest, spike.vertices[v][2]);
    for (size_t v = 0; v < spike.vertex_count; v++)
        spike.vertices[v][2] -= lowest;
    expect_overlap(&spike, &large, GRAZE_VERDICT_NO);
    /* A triangle that touches a box with one corner: a plane of the box separates them. */
    mesh_add_box(&box, lower, upper, false);
    mesh_add_triangle(&upright, mesh_add_vertex(&upright, 0, 0, 0), mesh_add_vertex(&upright, 50, 0, 50),
                      mesh_add_vertex(&upright, -50, 1, 50));
    expect_overlap(&box, &upright, GRAZE_VERDICT_NO);
    /* Two triangles, one of which stands on the other; in one plane, they have none between them. */
    expect_overlap(&large, &upright, GRAZE_VERDICT_NO);
    mesh_add_triangle(&flat, mesh_add_vertex(&flat, 0, 0, 0), mesh_add_vertex(&flat, 50, 0, 0),
                      mesh_add_vertex(&flat, 0, 50, 0));
    expect_overlap(&large, &flat, GRAZE_VERDICT_UNKNOWN);
}

/* Candidate planes are those of the triangles in the hits only. */
static void planes_are_those_of_the_hits(void **state)
{
    (void)state;
    static const double lower[3] = {-2, -2, -2}, upper[3] = {2, 2, 0};
    test_mesh box = {0}, upright = {0};
    mesh_add_box(&box, lower, upper, false);
    mesh_add_triangle(&upright, mesh_add_vertex(&upright, 0.5, -0.25, 0), mesh_add_vertex(&upright, 50, 0, 50),
                      mesh_add_vertex(&upright, -50, 1, 50));
    graze_placed_mesh first = {mesh_create(&box), NULL, graze_pose_identity()};
    graze_placed_mesh second = {mesh_create(&upright), NULL, graze_pose_identity()};
    grz_body_pair body_pair = {.context = NULL};
    grz_hits found = {0};
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    assert_int_equal(grz_placed_body_make(NULL, &first, NULL, NULL, &body_pair.sides[0]), GRAZE_STATUS_OK);
    assert_int_equal(grz_placed_body_make(NULL, &second, NULL, NULL, &body_pair.sides[1]), GRAZE_STATUS_OK);
    assert_int_equal(grz_hits_gather(NULL, &first, &second, NULL, &found), GRAZE_STATUS_OK);
    assert_int_equal(found.count, 1);
    graze_hit with_another[2] = {found.data[0], found.data[0]};
    with_another[1].triangle_a = 0; /* of a side of the box, whose plane does not separate */
    grz_hits hits = {.data = with_another, .count = 1};
    assert_int_equal(grz_overlap(&body_pair, &hits, &verdict), GRAZE_STATUS_OK);
    assert_int_equal(verdict, GRAZE_VERDICT_NO);
    grz_body_pair_release(&body_pair);
    grz_release(NULL, found.data);
    graze_mesh_destroy((graze_mesh *)first.mesh);
    graze_mesh_destroy((graze_mesh *)second.mesh);
}

static void an_open_surface_contains_nothing(void **state)
{
    (void)state;
    static const double lower[3] = {-2, -2, -2}, upper[3] = {2, 2, 2};
    test_mesh box = {0}, inner = {0}, sheet = {0};
    mesh_add_box(&box, lower, upper, false);
    mesh_add_cube(&inner, -0.5, -0.25, -0.125, 1);
    mesh_add_triangle(&sheet, mesh_add_vertex(&sheet, 0, 0, 0), mesh_add_vertex(&sheet, 1, 0, 0.5),
                      mesh_add_vertex(&sheet, 0, 1, 0));
    expect_overlap(&box, &inner, GRAZE_VERDICT_YES);
    expect_overlap(&box, &sheet, GRAZE_VERDICT_YES);
    for (size_t hole = 0; hole < box.triangle_count; hole++)
    {
        test_mesh open = box;
        open.triangle_count--;
        for (size_t t = hole; t < open.triangle_count; t++)
            memcpy(open.triangles[t], box.triangles[t + 1], sizeof open.triangles[t]);
        expect_overlap(&open, &inner, GRAZE_VERDICT_NO);
        expect_overlap(&open, &sheet, GRAZE_VERDICT_NO);
    }
}

static graze_verdict overlap_in_order(const graze_placed_mesh *first, const graze_placed_mesh *second)
{
    grz_body_pair body_pair = {.context = NULL};
    grz_hits hits = {0};
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    assert_int_equal(grz_placed_body_make(NULL, first, NULL, NULL, &body_pair.sides[0]), GRAZE_STATUS_OK);
    assert_int_equal(grz_placed_body_make(NULL, second, NULL, NULL, &body_pair.sides[1]), GRAZE_STATUS_OK);
    assert_int_equal(grz_hits_gather(NULL, first, second, NULL, &hits), GRAZE_STATUS_OK);
    assert_int_equal(grz_overlap(&body_pair, &hits, &verdict), GRAZE_STATUS_OK);
    assert_true(hits.count > 0);
    grz_body_pair_release(&body_pair);
    grz_release(NULL, hits.data);
    return verdict;
}

/* A tetrahedron in a box that touches the box's faces with its corners only: no contact proves that it is inside, and
   none may prove that it is not. */
static void a_body_that_touches_with_corners_only_is_not_taken_for_apart(void **state)
{
    (void)state;
    static const double lower[3] = {0, 0, 0}, upper[3] = {8, 8, 8};
    test_mesh box = {0}, inner = {0};
    mesh_add_box(&box, lower, upper, false);
    mesh_add_vertex(&inner, 0, 3, 5);
    mesh_add_vertex(&inner, 8, 2, 3);
    mesh_add_vertex(&inner, 3, 0, 2);
    mesh_add_vertex(&inner, 5, 8, 3);
    static const uint32_t corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    for (int t = 0; t < 4; t++)
        mesh_add_triangle(&inner, corners[t][0], corners[t][1], corners[t][2]);
    graze_placed_mesh outside = {mesh_create(&box), NULL, graze_pose_identity()};
    graze_placed_mesh inside = {mesh_create(&inner), NULL, graze_pose_identity()};
    assert_int_not_equal(overlap_in_order(&outside, &inside), GRAZE_VERDICT_NO);
    assert_int_not_equal(overlap_in_order(&inside, &outside), GRAZE_VERDICT_NO);
    graze_mesh_destroy((graze_mesh *)outside.mesh);
    graze_mesh_destroy((graze_mesh *)inside.mesh);
}

/* Whether the plane of a triangle has both triangles, whose corners are loaded, on different sides, or on it. */
static bool is_between(oracle *judge, int plane)
{
    int sides[2] = {0, 0};
    for (int p = 0; p < 6; p++)
    {
        int sign = oracle_loaded_orient3d(judge, plane, plane + 1, plane + 2, p);
        if (sign * sides[p / 3] < 0)
            return false;
        sides[p / 3] = sign != 0 ? sign : sides[p / 3];
    }
    return sides[0] * sides[1] <= 0 && (sides[0] != 0 || sides[1] != 0);
}

static graze_mesh *mesh_of_triangle(const triangle_case *pair, int side)
{
    test_mesh mesh = {0};
    uint32_t corners[3];
    for (int k = 0; k < 3; k++)
    {
        const double *v = pair->corners[side][k];
        corners[k] = mesh_add_vertex(&mesh, v[0], v[1], v[2]);
    }
    mesh_add_triangle(&mesh, corners[0], corners[1], corners[2]);
    return mesh_create(&mesh);
}

/* Two triangles that touch, under poses of every kind: they do not overlap exactly where one of their planes separates
   them. */
static void planes_between_triangles_are_those_of_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start("planes between triangles", 1513);
    oracle *judge = oracle_create();
    int separated = 0, others = 0;
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < 300; k++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            graze_placed_triangle triangles[2] = {case_triangle(&pair, 0), case_triangle(&pair, 1)};
            graze_triangle_contact contact = graze_triangle_collide(&triangles[0], &triangles[1]);
            if (!contact.found || contact.crossing)
                continue;
            graze_placed_mesh placed[2];
            graze_placed_point points[6];
            for (int side = 0; side < 2; side++)
            {
                graze_pose pose = pair.placed[side] ? pair.poses[side] : graze_pose_identity();
                placed[side] = (graze_placed_mesh){mesh_of_triangle(&pair, side), NULL, pose};
                for (int i = 0; i < 3; i++)
                    points[3 * side + i] = (graze_placed_point){triangles[side].corners[i], triangles[side].pose};
            }
            oracle_load(judge, points, 6);
            bool expected = is_between(judge, 0) || is_between(judge, 3);
            graze_verdict verdict;
            assert_int_equal(graze_pair_overlap(NULL, &placed[0], &placed[1], NULL, &verdict), GRAZE_STATUS_OK);
            if (expected != (verdict == GRAZE_VERDICT_NO))
            {
                case_print(&pair);
                fail_msg("%s: %d", generators[g].name, (int)verdict);
            }
            separated += expected;
            others += !expected;
            graze_mesh_destroy((graze_mesh *)placed[0].mesh);
            graze_mesh_destroy((graze_mesh *)placed[1].mesh);
        }
    oracle_destroy(judge);
    printf("%d separated, %d others\n", separated, others);
    assert_true(separated > 1500 && others > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_separating_plane_decides_for_open_surfaces),
        cmocka_unit_test(planes_are_those_of_the_hits),
        cmocka_unit_test(an_open_surface_contains_nothing),
        cmocka_unit_test(a_body_that_touches_with_corners_only_is_not_taken_for_apart),
        cmocka_unit_test(planes_between_triangles_are_those_of_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
