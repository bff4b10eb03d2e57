/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: scenes, their interest rules and queries. */
#include <math.h>

#include "graze/generate.h"
#include "graze/interest.h"
#include "graze/scene_query.h"
#include "support/failure.h"
#include "support/unit.h"

enum
{
    OBJECTS = 6
};

static struct
{
    graze_mesh *mesh, *other;
    graze_tree *tree;
    graze_scene *scene;
    graze_object objects[OBJECTS];
    graze_scene_def def;
    graze_object_def object_def;
    graze_update_options options;
    graze_budget budget;
    graze_scene_filter filter;
    graze_placed_mesh placed;
    graze_pose pose;
    graze_motion motion;
    graze_promise promise;
    graze_box box;
    int events;
} world;

static struct
{
    graze_scene *scene;
    graze_object object;
    graze_placed_mesh placed;
    graze_motion motion;
    graze_box box;
    graze_frame frame;
    graze_object_hit object_hits[OBJECTS];
    graze_ray_hit hits[OBJECTS];
    graze_nearest_object nearest;
    graze_close_pair pairs[2 * OBJECTS];
    size_t count;
} out;

static const double origin[3] = {-9, 0.1, 0.2}, direction[3] = {1, 0, 0};

/* A row of solid boxes, each of which crosses the next. */
static void set_up(void)
{
    assert_int_equal(graze_mesh_create_box(&failure.context, 1, 1, 1, 1, &world.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(&failure.context, 1, 1, 1, 2, &world.other), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(&failure.context, world.other, NULL, NULL, &world.tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(&failure.context, NULL, &world.scene), GRAZE_STATUS_OK);
    for (int i = 0; i < OBJECTS; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = world.mesh;
        def.flags = GRAZE_OBJECT_SOLID;
        def.pose = graze_pose_translation(0.75 * i, 0.01 * i, 0);
        def.user = &world;
        assert_int_equal(graze_scene_add(world.scene, &def, &world.objects[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_scene_update(world.scene, NULL, NULL), GRAZE_STATUS_OK);
    world.pose = graze_pose_translation(0.5, 0.25, 0);
    world.motion = (graze_motion){.kind = GRAZE_MOTION_BLEND, .start = world.pose, .end = world.pose};
    world.box = (graze_box){{0, 0, 0}, {1, 1, 1}};
    world.filter = graze_scene_filter_default();
    world.events = 0;
    world.object_def = graze_object_def_default();
}

static void tear_down(void)
{
    graze_scene_destroy(world.scene);
    graze_tree_destroy(world.tree);
    graze_mesh_destroy(world.other);
    graze_mesh_destroy(world.mesh);
}

static const graze_scene_def *scene_def(void)
{
    world.def = graze_scene_def_default();
    return &world.def;
}

static const graze_object_def *object_def(void)
{
    world.object_def = graze_object_def_default();
    world.object_def.mesh = world.other;
    world.object_def.tree = MAY(INNER, world.tree);
    world.object_def.user = MAY(INNER + 1, &world);
    return &world.object_def;
}

static const graze_placed_mesh *placed(void)
{
    world.placed = (graze_placed_mesh){NEED(INNER, world.other), MAY(INNER + 1, world.tree), world.pose};
    return &world.placed;
}

static double importance(void *user, const graze_scene *scene, graze_object a, graze_object b)
{
    (void)user;
    (void)scene;
    return (double)a.index - b.index;
}

static void on_event(void *user, graze_scene *scene, const graze_event *event)
{
    (void)user;
    (void)scene;
    (void)event;
    world.events++;
}

static const graze_update_options *options(void)
{
    world.options = graze_update_options_default();
    world.options.budget.seconds = 100;
    world.options.schedule = GRAZE_SCHEDULE_SORTED;
    world.options.continuous = true;
    world.options.motion = GRAZE_MOTION_BLEND;
    world.options.importance = MAY(INNER, importance);
    world.options.importance_user = MAY(INNER + 1, &world);
    world.options.viewpoint = MAY(INNER + 2, origin);
    world.options.on_event = MAY(INNER + 3, on_event);
    world.options.on_event_user = MAY(INNER + 4, &world);
    return &world.options;
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

#define SCENE NEED(0, world.scene)

VALUE(graze_object_def, graze_object_def_default, (), result.pose.m[0] == 1)
VALUE(graze_scene_def, graze_scene_def_default, (), result.broad_phase_margin > 0)
VALUE(graze_update_options, graze_update_options_default, (), result.viewpoint == NULL)
VALUE(graze_scene_filter, graze_scene_filter_default, (), result.layers == UINT64_MAX)
CALL(graze_scene_create, (MAY(0, &failure.context), MAY(1, scene_def()), NEED(2, &out.scene)),
     graze_scene_destroy(out.scene))
CALL(graze_scene_add, (SCENE, NEED(1, object_def()), NEED(2, &out.object)),
     failure.answer = (double)graze_scene_object_count(world.scene))
CALL(graze_scene_remove, (SCENE, world.objects[2]), failure.answer = (double)graze_scene_object_count(world.scene))
CALL(graze_scene_move, (SCENE, world.objects[2], NEED(1, &world.pose)), (void)0)
CALL(graze_scene_move_along, (SCENE, world.objects[2], NEED(1, &world.motion)), (void)0)
CALL(graze_scene_promise, (SCENE, world.objects[2], MAY(1, &world.promise)), (void)0)
CALL(graze_scene_step_motion, (SCENE, world.objects[2], NEED(1, &out.motion)), (void)0)
CALL(graze_scene_set_mesh, (SCENE, world.objects[2], MAY(1, world.other), MAY(2, NULL)), (void)0)
CALL(graze_scene_set_flags, (SCENE, world.objects[2], GRAZE_OBJECT_SENSOR), (void)0)
CALL(graze_scene_set_layer, (SCENE, world.objects[2], 1), (void)0)
CALL(graze_scene_set_assembly, (SCENE, world.objects[2], 1), (void)0)
CALL(graze_scene_set_parent, (SCENE, world.objects[2], world.objects[1], MAY(1, &world.pose)), (void)0)
CALL(graze_scene_set_user, (SCENE, world.objects[2], MAY(1, &world)), (void)0)
CALL(graze_scene_object_def, (SCENE, world.objects[2], NEED(1, &world.object_def)), (void)0)
VALUE(bool, graze_scene_has, (SCENE, world.objects[2]), result)
VALUE(size_t, graze_scene_object_count, (SCENE), result == OBJECTS)
VALUE(graze_broad_phase_method, graze_scene_broad_phase_method, (SCENE), result != GRAZE_BROAD_PHASE_AUTO)
VALUE(void *, graze_scene_user, (SCENE, world.objects[2]), result == &world)
CALL(graze_scene_placed_mesh, (SCENE, world.objects[2], MAY(1, &out.placed), MAY(2, &out.box)), (void)0)
VALUE(size_t, graze_scene_memory_size, (SCENE), result > 0)

/* Objects have moved, one is new and one has another mesh: they collide and some contain others. */
static graze_status call_graze_scene_update(void)
{
    size_t allowed = failure.allocator.allowed, before = failure.allocator.requests;
    failure.allocator.allowed = SIZE_MAX;
    if (graze_scene_object_count(world.scene) == OBJECTS)
    {
        assert_int_equal(graze_scene_promise(world.scene, world.objects[5], &world.promise), GRAZE_STATUS_OK);
        graze_object_def def = *object_def();
        def.flags = GRAZE_OBJECT_SOLID;
        graze_object object;
        assert_int_equal(graze_scene_add(world.scene, &def, &object), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_set_mesh(world.scene, world.objects[1], world.other, NULL), GRAZE_STATUS_OK);
        for (int k = 0; k < 3; k++)
            world.pose.m[5 * k] = 0.25;
        assert_int_equal(graze_scene_move(world.scene, world.objects[3], &world.pose), GRAZE_STATUS_OK);
        world.motion = (graze_motion){.kind = GRAZE_MOTION_BLEND,
                                      .start = graze_pose_translation(0, -3, 0),
                                      .end = graze_pose_translation(0, -1, 0)};
        assert_int_equal(graze_scene_move_along(world.scene, world.objects[0], &world.motion), GRAZE_STATUS_OK);
    }
    failure.allocator.allowed = allowed == SIZE_MAX ? allowed : allowed + failure.allocator.requests - before;
    graze_frame frame;
    graze_status status = graze_scene_update(SCENE, MAY(1, options()), MAY(2, &out.frame));
    if (status == GRAZE_STATUS_OK)
    {
        assert_int_equal(graze_scene_update(world.scene, NULL, &frame), GRAZE_STATUS_OK);
        failure.answer = (double)frame.colliding;
    }
    return status;
}

static graze_status call_graze_scene_destroy(void)
{
    graze_scene_destroy(MAY(0, world.scene));
    if (failure.missing == NOTHING)
        world.scene = NULL;
    return GRAZE_STATUS_OK;
}

CALL(graze_interest_set_default, (SCENE, GRAZE_INTEREST_NONE), (void)0)
CALL(graze_interest_set_layers, (SCENE, 0, 1, GRAZE_INTEREST_NONE), (void)0)
CALL(graze_interest_set_object, (SCENE, world.objects[0], GRAZE_INTEREST_NONE), (void)0)
CALL(graze_interest_set_pair, (SCENE, world.objects[0], world.objects[1], GRAZE_INTEREST_NONE),
     failure.answer = graze_interest_wants(world.scene, world.objects[0], world.objects[1]))
CALL(graze_interest_set_pair_data,
     (SCENE, world.objects[0], world.objects[1], MAY(1, on_event), MAY(2, &world), MAY(3, &world)), (void)0)
VALUE(bool, graze_interest_wants, (SCENE, world.objects[0], world.objects[1]), result)

#define METS MAY(2, &world.filter), MAY(5, budget()), NEED(3, out.object_hits), OBJECTS, NEED(4, &out.count)
CALL(graze_scene_collide_mesh, (SCENE, NEED(1, placed()), METS), failure.answer = (double)out.count)
CALL(graze_scene_collide_object, (SCENE, world.objects[2], METS), failure.answer = (double)out.count)
CALL(graze_scene_collide_box, (SCENE, NEED(1, &world.box), METS), failure.answer = (double)out.count)
CALL(graze_scene_collide_point, (SCENE, NEED(1, direction), METS), failure.answer = (double)out.count)
CALL(graze_scene_cast_ray,
     (SCENE, NEED(1, origin), NEED(2, direction), INFINITY, MAY(3, &world.filter), MAY(6, budget()), NEED(4, out.hits),
      OBJECTS, NEED(5, &out.count)),
     failure.answer = (double)out.count)
CALL(graze_scene_nearest_to_mesh,
     (SCENE, NEED(1, placed()), INFINITY, MAY(2, &world.filter), MAY(4, budget()), NEED(3, &out.nearest)),
     failure.answer = out.nearest.object.index)
CALL(graze_scene_nearest_to_point,
     (SCENE, NEED(1, origin), INFINITY, MAY(2, &world.filter), MAY(4, budget()), NEED(3, &out.nearest)),
     failure.answer = out.nearest.distance.distance)
CALL(graze_scene_close_pairs, (SCENE, 0.5, MAY(3, budget()), NEED(1, out.pairs), 2 * OBJECTS, NEED(2, &out.count)),
     failure.answer = (double)out.count)

static const failure_row rows[] = {
    ROW(graze_object_def_default, 0, 0),
    ROW(graze_scene_def_default, 0, 0),
    ROW(graze_update_options_default, 0, 0),
    ROW(graze_scene_filter_default, 0, 0),
    ROW(graze_scene_create, 3, ALLOCATES),
    ROW(graze_scene_add, 3, ALLOCATES),
    ROW(graze_scene_remove, 1, 0),
    ROW(graze_scene_move, 2, 0),
    ROW(graze_scene_move_along, 2, ALLOCATES),
    ROW(graze_scene_promise, 2, ALLOCATES),
    ROW(graze_scene_step_motion, 2, 0),
    ROW(graze_scene_set_mesh, 3, ALLOCATES),
    ROW(graze_scene_set_flags, 1, 0),
    ROW(graze_scene_set_layer, 1, 0),
    ROW(graze_scene_set_assembly, 1, 0),
    ROW(graze_scene_set_parent, 2, 0),
    ROW(graze_scene_set_user, 2, 0),
    ROW(graze_scene_object_def, 2, 0),
    ROW(graze_scene_has, 1, 0),
    ROW(graze_scene_object_count, 1, 0),
    ROW(graze_scene_broad_phase_method, 1, 0),
    ROW(graze_scene_user, 1, 0),
    ROW(graze_scene_placed_mesh, 3, 0),
    ROW(graze_scene_memory_size, 1, 0),
    ROW(graze_scene_update, 3, ALLOCATES),
    ROW(graze_scene_destroy, 1, 0),
    ROW(graze_interest_set_default, 1, 0),
    ROW(graze_interest_set_layers, 1, 0),
    ROW(graze_interest_set_object, 1, 0),
    ROW(graze_interest_set_pair, 1, ALLOCATES),
    ROW(graze_interest_set_pair_data, 4, ALLOCATES),
    ROW(graze_interest_wants, 1, 0),
    ROW(graze_scene_collide_mesh, 6, ALLOCATES),
    ROW(graze_scene_collide_object, 5, ALLOCATES),
    ROW(graze_scene_collide_box, 6, ALLOCATES),
    ROW(graze_scene_collide_point, 6, ALLOCATES),
    ROW(graze_scene_cast_ray, 7, ALLOCATES),
    ROW(graze_scene_nearest_to_mesh, 5, ALLOCATES),
    ROW(graze_scene_nearest_to_point, 5, ALLOCATES),
    ROW(graze_scene_close_pairs, 4, ALLOCATES),
};

FAILURE_TESTS(rows, out, NULL, NULL)
