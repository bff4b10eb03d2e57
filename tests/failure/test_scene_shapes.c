/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: scenes of shapes beside meshes, and their queries. */
#include <math.h>

#include "graze/generate.h"
#include "graze/scene_query.h"
#include "support/failure.h"
#include "support/unit.h"

enum
{
    OBJECTS = 6
};

static struct
{
    graze_mesh *mesh;
    graze_shape *box, *hull, *cone, *half_space, *compound, *of_mesh;
    graze_scene *scene;
    graze_object objects[OBJECTS];
    graze_update_options options;
    graze_budget budget;
    graze_scene_filter filter;
    graze_placed_mesh mesh_placed;
    graze_placed placed;
    graze_pose pose;
    graze_box bounds;
} world;

static struct
{
    graze_placed placed;
    graze_box box;
    graze_object_hit object_hits[OBJECTS];
    graze_nearest_object nearest;
    size_t count;
} out;

static const double origin[3] = {-9, 0.1, 0.2}, direction[3] = {1, 0, 0};

static void make_shapes(void)
{
    const graze_context *context = &failure.context;
    const double size[3] = {1, 1, 1}, normal[3] = {1, 2, 3};
    static const double points[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    assert_int_equal(graze_mesh_create_box(context, 1, 1, 1, 1, &world.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(context, size, &world.box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_hull(context, points[0], 5, NULL, &world.hull), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cone(context, 1, 0.5, &world.cone), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(context, normal, -1, &world.half_space), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(context, world.mesh, NULL, true, &world.of_mesh), GRAZE_STATUS_OK);
    const graze_placed parts[2] = {{world.box, graze_pose_identity()}, {world.cone, graze_pose_translation(1, 0, 0)}};
    assert_int_equal(graze_shape_create_compound(context, parts, 2, &world.compound), GRAZE_STATUS_OK);
}

/* A row of a solid mesh and shapes, each of which meets the next. */
static void set_up(void)
{
    make_shapes();
    const graze_shape *shapes[OBJECTS] = {NULL, world.box, world.hull, world.cone, world.half_space, world.compound};
    assert_int_equal(graze_scene_create(&failure.context, NULL, &world.scene), GRAZE_STATUS_OK);
    for (int i = 0; i < OBJECTS; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = shapes[i] == NULL ? world.mesh : NULL;
        def.shape = shapes[i];
        def.flags = GRAZE_OBJECT_SOLID;
        def.pose = graze_pose_translation(0.5 * i, 0.01 * i, 0);
        assert_int_equal(graze_scene_add(world.scene, &def, &world.objects[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_scene_update(world.scene, NULL, NULL), GRAZE_STATUS_OK);
    world.pose = graze_pose_translation(0.5, 0.25, 0);
    world.placed = (graze_placed){world.hull, world.pose};
    world.mesh_placed = (graze_placed_mesh){world.mesh, NULL, world.pose};
    world.bounds = (graze_box){{0, 0, 0}, {1, 1, 1}};
    world.filter = graze_scene_filter_default();
    world.options = graze_update_options_default();
    world.options.contacts = true;
}

static void tear_down(void)
{
    graze_scene_destroy(world.scene);
    graze_shape_destroy(world.compound);
    graze_shape_destroy(world.of_mesh);
    graze_shape_destroy(world.half_space);
    graze_shape_destroy(world.cone);
    graze_shape_destroy(world.hull);
    graze_shape_destroy(world.box);
    graze_mesh_destroy(world.mesh);
}

static bool go_on(void *user, double share)
{
    (void)user;
    return share <= 1;
}

static const graze_budget *budget(void)
{
    world.budget = (graze_budget){.progress = MAY(INNER + 4, go_on), .progress_user = MAY(INNER + 5, &world)};
    return &world.budget;
}

static const graze_placed *placed(void)
{
    world.placed = (graze_placed){NEED(INNER, world.hull), world.pose};
    return &world.placed;
}

#define SCENE NEED(0, world.scene)
#define METS MAY(2, &world.filter), MAY(5, budget()), NEED(3, out.object_hits), OBJECTS, NEED(4, &out.count)

CALL(graze_scene_placed_shape, (SCENE, world.objects[2], MAY(1, &out.placed), MAY(2, &out.box)), (void)0)

/* The update that follows has shapes that moved and changed, and finds contacts. */
static graze_status call_graze_scene_set_shape(void)
{
    graze_frame frame;
    graze_status status = graze_scene_set_shape(SCENE, world.objects[0], MAY(1, world.cone));
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_scene_set_shape(world.scene, world.objects[1], world.of_mesh);
    graze_scene_move(world.scene, world.objects[3], &world.pose);
    status = graze_scene_update(world.scene, &world.options, &frame);
    if (status == GRAZE_STATUS_OK)
        failure.answer = (double)frame.colliding;
    return status;
}

/* Other overlap queries that meet shapes come before it. */
static graze_status call_graze_scene_collide_shape(void)
{
    static graze_object_hit hits[OBJECTS];
    double sum = 0;
    graze_status status = GRAZE_STATUS_OK;
    for (int query = 0; query < 3 && status == GRAZE_STATUS_OK; query++)
    {
        size_t count = 0;
        if (query == 0)
            status = graze_scene_collide_mesh(world.scene, &world.mesh_placed, NULL, NULL, hits, OBJECTS, &count);
        else if (query == 1)
            status = graze_scene_collide_object(world.scene, world.objects[0], NULL, NULL, hits, OBJECTS, &count);
        else
            status = graze_scene_collide_box(world.scene, &world.bounds, NULL, NULL, hits, OBJECTS, &count);
        sum += (double)count;
    }
    if (status == GRAZE_STATUS_OK)
        status = graze_scene_collide_shape(SCENE, NEED(1, placed()), METS);
    failure.answer = sum + (double)out.count;
    return status;
}

/* So do rays and close pairs here. */
static graze_status call_graze_scene_nearest_to_shape(void)
{
    static graze_ray_hit hits[OBJECTS];
    static graze_close_pair pairs[4 * OBJECTS];
    size_t rays = 0, close = 0;
    graze_status status =
        graze_scene_cast_ray(world.scene, origin, direction, INFINITY, NULL, NULL, hits, OBJECTS, &rays);
    if (status == GRAZE_STATUS_OK)
        status = graze_scene_close_pairs(world.scene, 0.5, NULL, pairs, 4 * OBJECTS, &close);
    if (status == GRAZE_STATUS_OK)
        status = graze_scene_nearest_to_shape(SCENE, NEED(1, placed()), INFINITY, MAY(2, &world.filter),
                                              MAY(4, budget()), NEED(3, &out.nearest));
    failure.answer = (double)(rays + 100 * close);
    return status;
}

static const failure_row rows[] = {
    ROW(graze_scene_set_shape, 2, ALLOCATES),
    ROW(graze_scene_placed_shape, 3, 0),
    ROW(graze_scene_collide_shape, 6, ALLOCATES),
    ROW(graze_scene_nearest_to_shape, 5, ALLOCATES),
};

FAILURE_TESTS(rows, out, NULL, NULL)
