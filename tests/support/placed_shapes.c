/* SPDX-License-Identifier: MIT */
/* Meshes with trees, and poses; see placed_shapes.h. */
#include "support/placed_shapes.h"

#include <stdlib.h>

#include "graze/generate.h"
#include "support/unit.h"

static const uint32_t leaf_sizes[PLACED_LEAF_SIZES] = {8, 3, 1};

/* Degenerate triangles (points and segments) among others. */
static graze_mesh *make_degenerate(void)
{
    static const double vertices[8][3] = {{0, 0, 0}, {1, 0, 0},     {0, 1, 0},      {0, 0, 1},
                                          {1, 1, 1}, {0.5, 0.5, 0}, {0.25, 0, 0.5}, {2, 0, 0}};
    static const uint32_t corners[10][3] = {{0, 0, 0}, {1, 1, 2}, {0, 1, 7}, {1, 2, 5}, {3, 3, 3},
                                            {0, 1, 2}, {3, 4, 6}, {6, 6, 4}, {7, 7, 7}, {2, 3, 4}};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.corners = corners[0];
    def.corner_count = 30;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

placed_shapes *placed_shapes_create(void)
{
    placed_shapes *s = calloc(1, sizeof *s);
    assert_non_null(s);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 4, &s->meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 16, 8, &s->meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_tetrahedra(NULL, 1.2, 80, 7, &s->meshes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 0.5, 3, &s->meshes[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_cylinder(NULL, 0.2, 3, 60, 1, &s->meshes[4]), GRAZE_STATUS_OK); /* slivers */
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &s->meshes[5]), GRAZE_STATUS_OK);
    s->meshes[6] = make_degenerate();
    for (int i = 0; i < PLACED_SHAPES; i++)
    {
        for (int k = 0; k < PLACED_LEAF_SIZES; k++)
        {
            graze_tree_def def = graze_tree_def_default();
            def.leaf_size = leaf_sizes[k];
            def.quick = (i + k) % 2 == 1;
            assert_int_equal(graze_tree_create(NULL, s->meshes[i], &def, NULL, &s->trees[i][k]), GRAZE_STATUS_OK);
        }
    }
    return s;
}

void placed_shapes_destroy(placed_shapes *shapes)
{
    for (int i = 0; i < PLACED_SHAPES; i++)
    {
        for (int k = 0; k < PLACED_LEAF_SIZES; k++)
            graze_tree_destroy(shapes->trees[i][k]);
        graze_mesh_destroy(shapes->meshes[i]);
    }
    free(shapes);
}

graze_pose placed_pose(grz_random *random, double extent)
{
    double quaternion[4], translation[3];
    for (int k = 0; k < 4; k++)
        quaternion[k] = grz_random_between(random, -1, 1);
    for (int k = 0; k < 3; k++)
        translation[k] = grz_random_between(random, -extent, extent);
    graze_pose pose;
    assert_int_equal(graze_pose_from_quaternion(quaternion, translation, &pose), GRAZE_STATUS_OK);
    return pose;
}

/* Scales axes of the mesh, and the translation by `all`. */
static void scale(graze_pose *pose, double x, double y, double z, double all)
{
    for (int row = 0; row < 3; row++)
    {
        pose->m[4 * row] *= x;
        pose->m[4 * row + 1] *= y;
        pose->m[4 * row + 2] *= z;
        pose->m[4 * row + 3] *= all;
    }
}

static void shift(graze_pose *pose, double by)
{
    for (int row = 0; row < 3; row++)
        pose->m[4 * row + 3] += by;
}

void placed_poses(grz_random *random, unsigned kind, graze_pose *a, graze_pose *b)
{
    *a = placed_pose(random, 2);
    *b = placed_pose(random, 2);
    switch (kind % POSE_KINDS)
    {
    case 1: /* integer and half steps: many distances are equal, many are 0 */
        *a = graze_pose_translation(0.5 * (double)grz_random_below(random, 9), 0, 0);
        *b = graze_pose_translation(0, 0.5 * (double)grz_random_below(random, 9),
                                    0.25 * (double)grz_random_below(random, 9));
        break;
    case 2:
        *b = *a;
        break;
    case 3:
        scale(b, 1.7, 1.7, 1.7, 1);
        break;
    case 4:
        scale(a, -1, 1, 1, 1);
        break;
    case 5:
        scale(b, 0.5, 2, 1, 1);
        b->m[1] += 0.3;
        break;
    case POSE_FLATTENED:
        scale(a, 1, 1, 0, 1);
        break;
    case POSE_FAR:
        shift(a, 1e12);
        shift(b, 1e12);
        break;
    case POSE_TINY:
        scale(a, 1e-9, 1e-9, 1e-9, 1e-9);
        scale(b, 1e-9, 1e-9, 1e-9, 1e-9);
        break;
    case 9:
        shift(b, 1e4);
        break;
    default:
        break;
    }
}
