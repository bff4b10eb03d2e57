/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: hulls and convex pieces of meshes. */
#include "graze/decomposition.h"
#include "graze/generate.h"
#include "graze/hull.h"
#include "support/failure.h"
#include "support/unit.h"

static const double points[10][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2},
                                     {2, 0, 2}, {2, 2, 2}, {0, 2, 2}, {1, 1, 3}, {1, 1, 1}};

static struct
{
    graze_budget budget;
    graze_mesh *torus;
} world;

static struct
{
    graze_mesh *mesh;
    uint32_t patches[200];
    size_t count;
} out;

static bool go_on(void *user, double share)
{
    (void)user;
    return share >= 0;
}

static const graze_budget *budget(void)
{
    world.budget = (graze_budget){.progress = MAY(INNER, go_on), .progress_user = MAY(INNER + 1, &world)};
    return &world.budget;
}

static void set_up(void)
{
    assert_int_equal(graze_mesh_create_torus(NULL, 2, 1, 8, 6, &world.torus), GRAZE_STATUS_OK);
}

static void tear_down(void)
{
    graze_mesh_destroy(world.torus);
}

CALL(graze_mesh_create_hull, (MAY(0, &failure.context), NEED(1, points[0]), 10, MAY(2, budget()), NEED(3, &out.mesh)),
     failure.answer = (double)graze_mesh_triangle_count(out.mesh);
     graze_mesh_destroy(out.mesh))
CALL(graze_mesh_create_outer_hull,
     (MAY(0, &failure.context), NEED(1, points[0]), 10, 8, MAY(2, budget()), NEED(3, &out.mesh)),
     failure.answer = (double)graze_mesh_triangle_count(out.mesh);
     graze_mesh_destroy(out.mesh))
CALL(graze_mesh_find_convex_patches,
     (MAY(0, &failure.context), NEED(1, world.torus), MAY(2, budget()), NEED(3, out.patches), NEED(4, &out.count)),
     failure.answer = (double)out.count)

static const failure_row rows[] = {
    ROW(graze_mesh_create_hull, 4, ALLOCATES),
    ROW(graze_mesh_create_outer_hull, 4, ALLOCATES),
    ROW(graze_mesh_find_convex_patches, 5, ALLOCATES),
};

FAILURE_TESTS(rows, out, NULL, NULL)
