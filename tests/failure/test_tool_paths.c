/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: tool paths. */
#include "graze/generate.h"
#include "graze/tool_path.h"
#include "support/failure.h"
#include "support/unit.h"

static struct
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_tool_path_options options;
    double visited;
} world;

static struct
{
    graze_gouge gouges[3];
} out;

/* A ball and a cylinder over the box, into it, and within it. */
static const graze_cutter cutters[] = {{GRAZE_CUTTER_BALL, 0.125, 0, 0}, {GRAZE_CUTTER_CYLINDER, 0.125, 0, 0.5}};
static const graze_tool_move moves[] = {{{-2, 0, 0.625}, {2, 0, 0.625}, 0, false},
                                        {{2, 0, 0.625}, {0, 0, 0}, 0.0625, true},
                                        {{0, 0, 0}, {0.125, 0, 0}, 0, false}};

static void set_up(void)
{
    assert_int_equal(graze_mesh_create_box(&failure.context, 1, 1, 1, 1, &world.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(&failure.context, world.mesh, NULL, NULL, &world.tree), GRAZE_STATUS_OK);
}

static void tear_down(void)
{
    graze_tree_destroy(world.tree);
    graze_mesh_destroy(world.mesh);
}

static bool go_on(void *user, double share)
{
    (void)user;
    return share >= 0;
}

static const graze_tool_path_options *options(void)
{
    world.options = graze_tool_path_options_default();
    world.options.budget.progress = MAY(INNER, go_on);
    world.options.budget.progress_user = MAY(INNER + 1, &world);
    return &world.options;
}

CALL(graze_tool_path_check,
     (MAY(0, &failure.context), NEED(1, world.mesh), MAY(2, world.tree), NEED(3, cutters), 2, NEED(4, moves), 3,
      MAY(5, options()), NEED(6, out.gouges)),
     (void)0)
VALUE(graze_tool_path_options, graze_tool_path_options_default, (), result.struct_size == sizeof result)

static const failure_row rows[] = {
    ROW(graze_tool_path_check, 7, ALLOCATES),
    ROW(graze_tool_path_options_default, 0, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
