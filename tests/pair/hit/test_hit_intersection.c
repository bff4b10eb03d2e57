/* SPDX-License-Identifier: MIT */
/* The intersection of the triangles of a hit can be computed afterwards, and has the dimension that the hit states. */
#include <math.h>
#include <stdlib.h>

#include "graze/generate.h"
#include "graze/pair.h"
#include "support/unit.h"

enum
{
    MOST_HITS = 20000
};

static double distance_from_plane(const graze_placed_mesh *placed, uint32_t triangle, const double point[3])
{
    double p[3][3], u[3], v[3], w[3];
    for (int i = 0; i < 3; i++)
    {
        uint32_t vertex = graze_mesh_triangles(placed->mesh)[3 * (size_t)triangle + (size_t)i];
        graze_pose_apply(&placed->pose, graze_mesh_vertices(placed->mesh) + 3 * (size_t)vertex, p[i]);
    }
    for (int k = 0; k < 3; k++)
    {
        u[k] = p[1][k] - p[0][k];
        v[k] = p[2][k] - p[0][k];
        w[k] = point[k] - p[0][k];
    }
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    return fabs(n[0] * w[0] + n[1] * w[1] + n[2] * w[2]) / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static void check_hits(const graze_placed_mesh *a, const graze_placed_mesh *b, size_t by_dimension[3])
{
    graze_hit *hits = malloc(MOST_HITS * sizeof *hits);
    assert_non_null(hits);
    graze_pair_counts counts;
    assert_int_equal(graze_pair_gather(NULL, a, b, NULL, hits, MOST_HITS, &counts), GRAZE_STATUS_OK);
    assert_true(counts.pairs <= MOST_HITS);
    for (size_t i = 0; i < counts.pairs; i++)
    {
        graze_intersection shared = {0, {{0}}};
        assert_int_equal(graze_hit_intersection(a, b, &hits[i], &shared), GRAZE_STATUS_OK);
        int dimension = hits[i].contact.dimension;
        assert_true(dimension == 2 ? shared.count >= 3 : shared.count == dimension + 1);
        by_dimension[dimension]++;
        for (int k = 0; k < shared.count; k++)
        {
            assert_true(distance_from_plane(a, hits[i].triangle_a, shared.points[k]) < 1e-12);
            assert_true(distance_from_plane(b, hits[i].triangle_b, shared.points[k]) < 1e-12);
        }
    }
    free(hits);
}

static void what_a_hit_shares_lies_in_both_triangles(void **state)
{
    (void)state;
    graze_mesh *sphere = NULL, *box = NULL;
    size_t by_dimension[3] = {0, 0, 0};
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 5, &sphere), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 4, &box), GRAZE_STATUS_OK);
    graze_placed_mesh a = {sphere, NULL, graze_pose_identity()}, b = {box, NULL, graze_pose_translation(0.4, 0.3, 0)};
    check_hits(&a, &b, by_dimension);
    a.mesh = box;
    b.pose = graze_pose_translation(1, 0.25, 0.1);
    check_hits(&a, &b, by_dimension);
    assert_true(by_dimension[0] > 10 && by_dimension[1] > 10 && by_dimension[2] > 10);
    graze_mesh_destroy(sphere);
    graze_mesh_destroy(box);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    graze_mesh *box = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    graze_placed_mesh a = {box, NULL, graze_pose_identity()}, b = a;
    graze_hit hit = {.triangle_a = 0, .triangle_b = 12};
    graze_intersection shared = {5, {{0}}};
    assert_int_equal(graze_hit_intersection(&a, &b, &hit, &shared), GRAZE_STATUS_BAD_INDEX);
    hit.triangle_b = 11;
    assert_int_equal(graze_hit_intersection(&a, NULL, &hit, &shared), GRAZE_STATUS_BAD_ARGUMENT);
    b.pose.m[5] = NAN;
    assert_int_equal(graze_hit_intersection(&a, &b, &hit, &shared), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(shared.count, 5);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_hit_shares_lies_in_both_triangles),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
