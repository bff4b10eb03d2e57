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
    graze_decomposition *decomposition;
    graze_decomposition_options options;
} world;

static struct
{
    graze_mesh *mesh;
    graze_decomposition *decomposition;
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

static const graze_decomposition_options *options(void)
{
    world.options = graze_decomposition_options_default();
    world.options.excess =
        100; /* nothing is cut: cuts take thousands of allocations, see decomposition/test_decompose */
    world.options.budget = *budget();
    return &world.options;
}

static void set_up(void)
{
    assert_int_equal(graze_mesh_create_torus(NULL, 2, 1, 8, 6, &world.torus), GRAZE_STATUS_OK);
    graze_decomposition_options whole = graze_decomposition_options_default();
    whole.excess = 100;
    assert_int_equal(graze_decomposition_create(NULL, world.torus, &whole, &world.decomposition), GRAZE_STATUS_OK);
}

static void tear_down(void)
{
    graze_decomposition_destroy(world.decomposition);
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

VALUE(graze_decomposition_options, graze_decomposition_options_default, (), result.most_pieces > 0)
CALL(graze_decomposition_create,
     (MAY(0, &failure.context), NEED(1, world.torus), MAY(2, options()), NEED(3, &out.decomposition)),
     failure.answer = (double)graze_decomposition_piece_count(out.decomposition);
     graze_decomposition_destroy(out.decomposition))
VALUE(size_t, graze_decomposition_piece_count, (NEED(0, world.decomposition)), result == 1)
VALUE(const graze_mesh *, graze_decomposition_piece, (NEED(0, world.decomposition), 0), result != NULL)
VALUE(graze_piece_excess, graze_decomposition_excess, (NEED(0, world.decomposition), 0), result.upper > 0)

static graze_status call_graze_decomposition_destroy(void)
{
    graze_decomposition_destroy(MAY(0, world.decomposition));
    if (failure.missing == NOTHING)
        world.decomposition = NULL;
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_mesh_create_hull, 4, ALLOCATES),
    ROW(graze_mesh_create_outer_hull, 4, ALLOCATES),
    ROW(graze_mesh_find_convex_patches, 5, ALLOCATES),
    ROW(graze_decomposition_options_default, 0, 0),
    ROW(graze_decomposition_create, 4, ALLOCATES),
    ROW(graze_decomposition_piece_count, 1, 0),
    ROW(graze_decomposition_piece, 1, 0),
    ROW(graze_decomposition_excess, 1, 0),
    ROW(graze_decomposition_destroy, 1, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
