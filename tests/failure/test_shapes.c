/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: shapes and their poses. */
#include <string.h>

#include "graze/generate.h"
#include "graze/shape.h"
#include "support/failure.h"
#include "support/unit.h"

static const double points[5][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {1, 1, 1}};
static const double sizes[3] = {1, 2, 3}, heights[6] = {0, 1, 0, 2, 0, 3};

static struct
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_shape *box, *capsule, *compound, *surface, *rounded;
    graze_placed placed[2];
    graze_budget budget;
} world;

static struct
{
    graze_shape *shape;
    graze_box box;
    double numbers[4];
} out;

static bool go_on(void *user, double share)
{
    (void)user;
    return share >= 0;
}

static const graze_budget *budget(void)
{
    world.budget = (graze_budget){.progress = MAY(INNER + 4, go_on), .progress_user = MAY(INNER + 5, &world)};
    return &world.budget;
}

static void set_up(void)
{
    assert_int_equal(graze_mesh_create_box(&failure.context, 1, 1, 1, 1, &world.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(&failure.context, world.mesh, NULL, NULL, &world.tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(&failure.context, sizes, &world.box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_capsule(&failure.context, points, 1, &world.capsule), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(&failure.context, world.mesh, NULL, false, &world.surface),
                     GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_rounded(&failure.context, world.box, 1, &world.rounded), GRAZE_STATUS_OK);
    world.placed[0] = (graze_placed){world.box, graze_pose_translation(1, 0, 0)};
    world.placed[1] = (graze_placed){world.capsule, graze_pose_identity()};
    assert_int_equal(graze_shape_create_compound(&failure.context, world.placed, 2, &world.compound), GRAZE_STATUS_OK);
}

static void tear_down(void)
{
    graze_shape_destroy(world.compound);
    graze_shape_destroy(world.rounded);
    graze_shape_destroy(world.surface);
    graze_shape_destroy(world.capsule);
    graze_shape_destroy(world.box);
    graze_tree_destroy(world.tree);
    graze_mesh_destroy(world.mesh);
}

static void measure_and_destroy(void)
{
    failure.answer = (double)graze_shape_memory_size(out.shape);
    graze_shape_destroy(out.shape);
}

static const graze_placed *placed(void)
{
    static graze_placed chosen;
    chosen = world.placed[0];
    chosen.shape = NEED(INNER, world.box);
    return &chosen;
}

CALL(graze_shape_create_mesh,
     (MAY(0, &failure.context), NEED(1, world.mesh), MAY(2, world.tree), true, NEED(3, &out.shape)),
     measure_and_destroy())
CALL(graze_shape_create_hull, (MAY(0, &failure.context), NEED(1, points[0]), 5, MAY(2, budget()), NEED(3, &out.shape)),
     measure_and_destroy())

CALL(graze_shape_create_sphere, (MAY(0, &failure.context), MAY(1, points[1]), 2, NEED(2, &out.shape)),
     measure_and_destroy())
CALL(graze_shape_create_capsule, (MAY(0, &failure.context), NEED(1, points), 2, NEED(2, &out.shape)),
     measure_and_destroy())
CALL(graze_shape_create_box, (MAY(0, &failure.context), NEED(1, sizes), NEED(2, &out.shape)), measure_and_destroy())
CALL(graze_shape_create_cylinder, (MAY(0, &failure.context), 1, 2, NEED(1, &out.shape)), measure_and_destroy())
CALL(graze_shape_create_cone, (MAY(0, &failure.context), 1, 2, NEED(1, &out.shape)), measure_and_destroy())
CALL(graze_shape_create_ellipsoid, (MAY(0, &failure.context), NEED(1, sizes), NEED(2, &out.shape)),
     measure_and_destroy())
CALL(graze_shape_create_half_space, (MAY(0, &failure.context), NEED(1, sizes), 1, NEED(2, &out.shape)),
     measure_and_destroy())
CALL(graze_shape_create_triangle, (MAY(0, &failure.context), NEED(1, points), NEED(2, &out.shape)),
     measure_and_destroy())
CALL(graze_shape_create_segment, (MAY(0, &failure.context), NEED(1, points), NEED(2, &out.shape)),
     measure_and_destroy())
CALL(graze_shape_create_point, (MAY(0, &failure.context), NEED(1, points[0]), NEED(2, &out.shape)),
     measure_and_destroy())
CALL(graze_shape_create_height_field,
     (MAY(0, &failure.context), NEED(1, sizes), NEED(2, heights), 3, 2, NEED(3, &out.shape)), measure_and_destroy())

static graze_status call_graze_shape_create_compound(void)
{
    graze_placed parts[2] = {*placed(), world.placed[1]};
    graze_status status = graze_shape_create_compound(MAY(0, &failure.context), NEED(1, parts), 2, NEED(2, &out.shape));
    if (status == GRAZE_STATUS_OK)
        measure_and_destroy();
    return status;
}

CALL(graze_shape_create_rounded, (MAY(0, &failure.context), NEED(1, world.box), 2, NEED(2, &out.shape)),
     measure_and_destroy())

static graze_status call_graze_shape_destroy(void)
{
    graze_shape_destroy(MAY(0, world.compound));
    if (failure.missing == NOTHING)
        world.compound = NULL;
    return GRAZE_STATUS_OK;
}

VALUE(graze_shape_kind, graze_shape_get_kind, (NEED(0, world.box)), result == GRAZE_SHAPE_BOX)
VALUE(const char *, graze_shape_kind_name, (GRAZE_SHAPE_BOX), strcmp(result, "box") == 0)
VALUE(bool, graze_shape_is_solid, (NEED(0, world.box)), result)

VALUE(bool, graze_shape_has_triangles, (NEED(0, world.surface)), result)
VALUE(const graze_mesh *, graze_shape_mesh, (NEED(0, world.box)), graze_mesh_triangle_count(result) == 12)
VALUE(const graze_shape *, graze_shape_core, (NEED(0, world.rounded)), result == world.box)
VALUE(double, graze_shape_radius, (NEED(0, world.capsule)), result == 1)
VALUE(size_t, graze_shape_numbers, (NEED(0, world.box), NEED(1, out.numbers), 4), result == 3)
VALUE(size_t, graze_shape_part_count, (NEED(0, world.compound)), result == 2)
VALUE(const graze_placed *, graze_shape_parts, (NEED(0, world.compound)), result != NULL)
CALL(graze_placed_check, (NEED(0, placed())), (void)0)
CALL(graze_placed_bounds, (NEED(0, placed()), NEED(1, &out.box)), failure.answer = out.box.upper[0])
static const graze_tessellation_options *tessellation(void)
{
    static graze_tessellation_options options;
    options = graze_tessellation_options_default();
    options.segments = 8;
    options.budget = *budget();
    return &options;
}

VALUE(graze_tessellation_options, graze_tessellation_options_default, (), result.segments > 0)
CALL(graze_shape_tessellate,
     (MAY(0, &failure.context), NEED(1, world.capsule), MAY(2, tessellation()), NEED(3, &out.shape)),
     measure_and_destroy())
VALUE(size_t, graze_shape_memory_size, (NEED(0, world.compound)), result > 0)

static const failure_row rows[] = {
    ROW(graze_shape_create_mesh, 4, ALLOCATES),
    ROW(graze_shape_create_hull, 4, ALLOCATES),
    ROW(graze_shape_create_sphere, 3, ALLOCATES),
    ROW(graze_shape_create_capsule, 3, ALLOCATES),
    ROW(graze_shape_create_box, 3, ALLOCATES),
    ROW(graze_shape_create_cylinder, 2, ALLOCATES),
    ROW(graze_shape_create_cone, 2, ALLOCATES),
    ROW(graze_shape_create_ellipsoid, 3, ALLOCATES),
    ROW(graze_shape_create_half_space, 3, ALLOCATES),
    ROW(graze_shape_create_triangle, 3, ALLOCATES),
    ROW(graze_shape_create_segment, 3, ALLOCATES),
    ROW(graze_shape_create_point, 3, ALLOCATES),
    ROW(graze_shape_create_height_field, 4, ALLOCATES),
    ROW(graze_shape_create_compound, 3, ALLOCATES),
    ROW(graze_shape_create_rounded, 3, ALLOCATES),
    ROW(graze_shape_destroy, 1, 0),
    ROW(graze_shape_get_kind, 1, 0),
    ROW(graze_shape_kind_name, 0, 0),
    ROW(graze_shape_is_solid, 1, 0),
    ROW(graze_shape_has_triangles, 1, 0),
    ROW(graze_shape_mesh, 1, 0),
    ROW(graze_shape_core, 1, 0),
    ROW(graze_shape_radius, 1, 0),
    ROW(graze_shape_numbers, 2, WRITES),
    ROW(graze_shape_part_count, 1, 0),
    ROW(graze_shape_parts, 1, 0),
    ROW(graze_placed_check, 1, 0),
    ROW(graze_placed_bounds, 2, 0),
    ROW(graze_tessellation_options_default, 0, 0),
    ROW(graze_shape_tessellate, 4, ALLOCATES),
    ROW(graze_shape_memory_size, 1, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
