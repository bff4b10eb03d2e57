/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: questions about one placed mesh. */
#include "graze/generate.h"
#include "graze/mesh_query.h"
#include "support/failure.h"
#include "support/unit.h"

enum
{
    TRIANGLES = 200
};

static struct
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_placed_mesh placed;
    graze_pair_options options;
    graze_distance_options distance_options;
    graze_stats stats;
} world;

static struct
{
    bool found;
    graze_mesh_ray_hit hit;
    uint32_t triangles[TRIANGLES];
    size_t count;
    graze_distance distance;
} out;

static const double middle[3] = {0, 0, 0}, along[3] = {1, 0, 0}, top[3] = {0, 0, 1};
static const graze_box box = {{-2, -2, -2}, {0.5, 2, 2}};

static void set_up(void)
{
    assert_int_equal(graze_mesh_create_sphere(&failure.context, 1, 12, 8, &world.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(&failure.context, world.mesh, NULL, &world.tree), GRAZE_STATUS_OK);
}

static void tear_down(void)
{
    graze_tree_destroy(world.tree);
    graze_mesh_destroy(world.mesh);
}

static const graze_placed_mesh *placed(void)
{
    world.placed = (graze_placed_mesh){NEED(INNER, world.mesh), MAY(INNER + 1, world.tree), graze_pose_identity()};
    return &world.placed;
}

static const graze_pair_options *options(void)
{
    world.options = graze_pair_options_default();
    world.options.stats = MAY(INNER + 2, &world.stats);
    return &world.options;
}

static const graze_distance_options *distance_options(void)
{
    world.distance_options = graze_distance_options_default();
    world.distance_options.stats = MAY(INNER + 2, &world.stats);
    return &world.distance_options;
}

#define SUBJECT MAY(0, &failure.context), NEED(1, placed())

CALL(graze_placed_mesh_cast_ray,
     (SUBJECT, NEED(2, middle), NEED(3, along), 5, MAY(4, options()), NEED(5, &out.found), MAY(6, &out.hit)),
     failure.answer = out.found)
CALL(graze_placed_mesh_collide_box,
     (SUBJECT, NEED(2, &box), MAY(3, options()), NEED(4, out.triangles), TRIANGLES, NEED(5, &out.count)),
     failure.answer = (double)out.count)
CALL(graze_placed_mesh_collide_point,
     (SUBJECT, NEED(2, top), MAY(3, options()), NEED(4, out.triangles), TRIANGLES, NEED(5, &out.count)),
     failure.answer = (double)out.count)
CALL(graze_placed_mesh_nearest_to_point, (SUBJECT, NEED(2, middle), MAY(3, distance_options()), NEED(4, &out.distance)),
     failure.answer = out.distance.distance)

static const failure_row rows[] = {
    ROW(graze_placed_mesh_cast_ray, 7, ALLOCATES),
    ROW(graze_placed_mesh_collide_box, 6, ALLOCATES),
    ROW(graze_placed_mesh_collide_point, 6, ALLOCATES),
    ROW(graze_placed_mesh_nearest_to_point, 5, ALLOCATES),
};

FAILURE_TESTS(rows, out, NULL, NULL)
