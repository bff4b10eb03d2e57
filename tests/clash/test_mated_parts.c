/* SPDX-License-Identifier: MIT */
/* Mated parts: bumps of a few units in the last place on faces that lie on one another. */
#include <math.h>
#include <string.h>

#include "support/unit.h"

#include "clash_meshes.h"
#include "graze/tree.h"

#define BUMP 0x1p-49

/* A unit cube on the plane z = `bottom`, with a vertex inside its upper face, or its lower one, at the given place. */
static graze_mesh *cube_with_bump(double bottom, bool above, double x, double y, double z)
{
    double vertices[27];
    for (int i = 0; i < 8; i++)
    {
        vertices[3 * i] = i & 1;
        vertices[3 * i + 1] = i >> 1 & 1;
        vertices[3 * i + 2] = bottom + (i >> 2 & 1);
    }
    const double bump[3] = {x, y, z};
    memcpy(vertices + 24, bump, sizeof bump);
    static const uint32_t sides[24] = {0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    static const uint32_t lower[2][18] = {{0, 2, 8, 2, 3, 8, 3, 1, 8, 1, 0, 8, 4, 5, 7, 4, 7, 6},
                                          {4, 5, 8, 5, 7, 8, 7, 6, 8, 6, 4, 8, 0, 2, 3, 0, 3, 1}};
    uint32_t corners[42];
    memcpy(corners, sides, sizeof sides);
    memcpy(corners + 24, lower[above], sizeof lower[above]);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 9;
    def.corners = corners;
    def.corner_count = 42;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* The finding on two cubes, one on the other, whose bumps stand at (0.25, 0.25) and at (place, place). */
static graze_clash_finding finding_of(double place, double resolution, const double shift[3])
{
    graze_mesh *meshes[2] = {cube_with_bump(0, true, 0.25, 0.25, 1 + BUMP),
                             cube_with_bump(1, false, place, place, 1 - BUMP)};
    graze_clash_part parts[2] = {part_of("a", meshes[0]), part_of("b", meshes[1])};
    for (int i = 0; i < 2; i++)
    {
        parts[i].pose = graze_pose_translation(shift[0], shift[1], shift[2]);
        parts[i].resolution = resolution / 2;
    }
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, parts, 2, NULL, NULL, &report), GRAZE_STATUS_OK);
    assert_int_equal(report->finding_count, 1);
    graze_clash_finding finding = report->findings[0];
    finding.details = NULL;
    finding.region = NULL;
    graze_clash_report_destroy(report);
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
    return finding;
}

/* Each bump is a pyramid over the whole face. Where they stand at different places the parts overlap by two bumps in
 * all, but nowhere by more than 4/3 of one; where they stand at the same place, by two. */
static void bumps_at_different_places_are_within_the_resolution(void **state)
{
    (void)state;
    static const double shifts[2][3] = {{0, 0, 0}, {-0.5, 0.25, -1}};
    static const struct
    {
        double place, resolution;
        bool within;
    } cases[] = {{0.75, 2.001 * BUMP, true},  {0.75, 1.75 * BUMP, true}, {0.75, 1.4 * BUMP, true},
                 {0.75, 1.33 * BUMP, false},  {0.75, 0.5 * BUMP, false}, {0.25, 2.001 * BUMP, true},
                 {0.25, 1.999 * BUMP, false}, {0.25, 1.34 * BUMP, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 2; k++)
        {
            graze_clash_finding f = finding_of(cases[i].place, cases[i].resolution, shifts[k]);
            assert_int_equal(f.exact, GRAZE_CLASH_CROSSES);
            assert_int_equal(f.within_resolution, cases[i].within);
            assert_int_equal(f.verdict, cases[i].within ? GRAZE_CLASH_TOUCHES : GRAZE_CLASH_CROSSES);
            double depth = cases[i].place == 0.75 ? 4 * BUMP / 3 : 2 * BUMP;
            assert_true(f.has_depth && f.depth[0] >= 0 && f.depth[0] <= depth && f.depth[1] >= 0.99 * depth);
            assert_true(f.depth[1] <= (cases[i].within ? cases[i].resolution : 2.001 * BUMP));
            assert_true(f.way_out[1] >= 0.99 * depth && f.way_out[1] <= 2.001 * BUMP);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bumps_at_different_places_are_within_the_resolution)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
