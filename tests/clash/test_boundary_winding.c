/* SPDX-License-Identifier: MIT */
/* Winding numbers by one ray are those by all triangles, of closed and open meshes, oriented or not. */
#include "clash/boundary_winding.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "clash/winding_number.h"
#include "graze/generate.h"
#include "support/unit.h"

#include "open_parts.h"

/* Half of the triangles of a torus and more, some of them turned over. */
static graze_mesh *torn_torus(grz_random *random, int round)
{
    graze_mesh *torus = NULL, *torn = NULL;
    static uint32_t corners[3 * 2 * 24 * 12];
    size_t kept = 0;
    assert_int_equal(graze_mesh_create_torus(NULL, 6, 2, 24, 12, &torus), GRAZE_STATUS_OK);
    for (size_t i = 0; i < graze_mesh_triangle_count(torus); i++)
    {
        const uint32_t *c = graze_mesh_triangles(torus) + 3 * i;
        if (round > 0 && grz_random_below(random, 20) < (uint64_t)round)
            continue;
        bool turned = round > 2 && grz_random_below(random, 10) == 0;
        corners[kept++] = c[0];
        corners[kept++] = c[turned ? 2 : 1];
        corners[kept++] = c[turned ? 1 : 2];
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = graze_mesh_vertices(torus);
    def.vertex_count = graze_mesh_vertex_count(torus);
    def.corners = corners;
    def.corner_count = kept;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &torn), GRAZE_STATUS_OK);
    graze_mesh_destroy(torus);
    return torn;
}

static void one_ray_says_what_all_triangles_say(void **state)
{
    (void)state;
    unsigned long long seed = 11;
    printf("seed %llu\n", seed);
    grz_random random = grz_random_make(seed);
    int inside = 0, between = 0;
    for (int round = 0; round < 6; round++)
    {
        grz_clash_part part = ready_part(torn_torus(&random, round));
        grz_clash_boundary boundary;
        part.placed.pose.m[0] = round % 2 == 0 ? 1 : -1; /* mirrored */
        assert_true(grz_clash_boundary_make(NULL, &part, &boundary));
        assert_int_equal(boundary.count > 0, round > 0);
        for (int i = 0; i < 200; i++)
        {
            const double point[3] = {grz_random_between(&random, -8, 8), grz_random_between(&random, -8, 8),
                                     grz_random_between(&random, -2, 2)};
            double winding = 0, expected = grz_clash_winding_number(&part, point);
            assert_int_equal(grz_clash_boundary_winding(NULL, &boundary, point, &winding), GRAZE_STATUS_OK);
            assert_true(fabs(winding - expected) < 1e-9);
            inside += fabs(winding) > 0.9;
            between += fabs(winding) > 0.1 && fabs(winding) < 0.9;
        }
        grz_clash_boundary_release(NULL, &boundary);
        release_part(&part);
    }
    assert_true(inside > 100 && between > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_ray_says_what_all_triangles_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
