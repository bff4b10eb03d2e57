/* SPDX-License-Identifier: MIT */
/* Bodies that begin a step within a solid, or in another form than the last update saw: they count from its start. */
#include "graze/generate.h"
#include "graze/motion_query.h"
#include "graze/scene.h"
#include "support/unit.h"

typedef struct begin_case
{
    const char *what;
    bool polytopes, solid,
        along; /* shapes; flags of meshes; the body is old, but is moved along a motion from within */
    graze_event_kind kind;
    double to;    /* where the hollow body goes, from around the other */
    double first; /* when they collide first; -1: within the step */
} begin_case;

static graze_pose turned_to(double x, double y)
{
    const double c = 0.70710678118654757;
    return (graze_pose){{c, -c, 0, x, c, c, 0, y, 0, 0, 1, 0}};
}

static graze_object add_box(graze_scene *scene, const begin_case *c, double size, graze_mesh **mesh,
                            graze_shape **shape)
{
    graze_object object;
    graze_object_def def = graze_object_def_default();
    const double sizes[3] = {size, size, size};
    if (c->polytopes)
        assert_int_equal(graze_shape_create_box(NULL, sizes, shape), GRAZE_STATUS_OK);
    else
        assert_int_equal(graze_mesh_create_box(NULL, size, size, size, 1, mesh), GRAZE_STATUS_OK);
    def.mesh = *mesh;
    def.shape = *shape;
    def.flags = c->solid ? GRAZE_OBJECT_SOLID : 0;
    if (c->along && size < 2) /* turned, beside an edge of the other: boxes overlap, but surfaces are apart */
        def.pose = turned_to(2.05, 2.05);
    assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
    return object;
}

/* A small body that is new, or jumps there, within a large one that moves on: they collide from the start if either is
   solid. */
static void what_begins_within_a_moving_solid_collides_from_the_start(void **state)
{
    (void)state;
    static const begin_case cases[] = {
        {"crossing", false, true, false, GRAZE_EVENT_BEGIN, 1.7, 0},
        {"outside", false, true, false, GRAZE_EVENT_PASS, 5, 0},
        {"inside", false, true, false, GRAZE_EVENT_BEGIN, 0.5, 0},
        {"surfaces, crossing", false, false, false, GRAZE_EVENT_BEGIN, 1.7, -1},
        {"surfaces, outside", false, false, false, GRAZE_EVENT_PASS, 5, -1},
        {"polytopes, crossing", true, false, false, GRAZE_EVENT_BEGIN, 1.7, 0},
        {"polytopes, outside", true, false, false, GRAZE_EVENT_PASS, 5, 0},
        {"polytopes, inside", true, false, false, GRAZE_EVENT_BEGIN, 0.5, 0},
        {"jump, crossing", false, true, true, GRAZE_EVENT_BEGIN, 1.7, 0},
        {"jump, outside", false, true, true, GRAZE_EVENT_PASS, 5, 0},
    };
    graze_update_options options = graze_update_options_default();
    options.continuous = true;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        const begin_case *c = &cases[i];
        graze_scene *scene = NULL;
        graze_mesh *meshes[2] = {NULL, NULL};
        graze_shape *shapes[2] = {NULL, NULL};
        graze_frame frame;
        graze_object small = {0, 0};
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        graze_object large = add_box(scene, c, 3, &meshes[0], &shapes[0]);
        if (c->along)
            small = add_box(scene, c, 1, &meshes[1], &shapes[1]);
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.event_count, 0);
        const graze_pose from = turned_to(0, 0), rest = turned_to(0.125, 0), to = graze_pose_translation(c->to, 0, 0);
        graze_motion motion;
        if (c->along)
        {
            assert_int_equal(graze_motion_between(&from, &rest, GRAZE_MOTION_BLEND, &motion, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_scene_move_along(scene, small, &motion), GRAZE_STATUS_OK);
        }
        else
            add_box(scene, c, 1, &meshes[1], &shapes[1]);
        assert_int_equal(graze_scene_move(scene, large, &to), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.event_count, 1);
        const graze_event *event = &frame.events[0];
        print_message("%s: %d at [%g, %g]\n", c->what, event->kind, event->time_lower, event->time_upper);
        assert_int_equal(event->kind, c->kind);
        assert_true(event->has_time);
        if (c->first < 0)
            assert_true(event->time_lower > 0.1 && event->time_upper < 0.9);
        else
            assert_true(event->time_lower == c->first && event->time_upper == c->first);
        graze_scene_destroy(scene);
        for (int k = 0; k < 2; k++)
        {
            graze_mesh_destroy(meshes[k]);
            graze_shape_destroy(shapes[k]);
        }
    }
}

/* A body within a large one, neither of which the last update took for solids that collide: since then the large one
   has become a solid, or the body was around it. Both count from the start of the step. */
static void what_becomes_a_solid_or_gets_another_mesh_does_so_at_the_start(void **state)
{
    (void)state;
    graze_update_options options = graze_update_options_default();
    options.continuous = true;
    for (int i = 0; i < 3; i++)
    {
        graze_scene *scene = NULL;
        graze_mesh *meshes[3] = {NULL, NULL, NULL}; /* large, small, around */
        static const double sizes[3] = {3, 1, 4};
        graze_frame frame;
        graze_object large, small;
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        for (int k = 0; k < 3; k++)
            assert_int_equal(graze_mesh_create_box(NULL, sizes[k], sizes[k], sizes[k], 1, &meshes[k]), GRAZE_STATUS_OK);
        graze_object_def def = graze_object_def_default();
        def.mesh = meshes[0];
        def.flags = i == 0 ? 0 : GRAZE_OBJECT_SOLID;
        assert_int_equal(graze_scene_add(scene, &def, &large), GRAZE_STATUS_OK);
        def.mesh = i == 0 ? meshes[1] : meshes[2];
        def.flags = 0;
        assert_int_equal(graze_scene_add(scene, &def, &small), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.event_count, 0);
        const graze_pose to = graze_pose_translation(5, 0, 0);
        const double size[3] = {1, 1, 1};
        graze_shape *shape = NULL;
        assert_int_equal(graze_shape_create_box(NULL, size, &shape), GRAZE_STATUS_OK);
        if (i == 0)
            assert_int_equal(graze_scene_set_flags(scene, large, GRAZE_OBJECT_SOLID), GRAZE_STATUS_OK);
        else if (i == 1)
            assert_int_equal(graze_scene_set_mesh(scene, small, meshes[1], NULL), GRAZE_STATUS_OK);
        else
            assert_int_equal(graze_scene_set_shape(scene, small, shape), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_move(scene, large, &to), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.event_count, 1);
        const graze_event *event = &frame.events[0];
        assert_true(event->kind == GRAZE_EVENT_PASS && event->has_time);
        assert_true(event->time_lower == 0 && event->time_upper == 0);
        assert_true(event->end_lower > 0.39 && event->end_upper < 0.41);
        graze_scene_destroy(scene);
        graze_shape_destroy(shape);
        for (int k = 0; k < 3; k++)
            graze_mesh_destroy(meshes[k]);
    }
}

/* The walls are nearer at the start than a turn is known there: then both times are possible, and the interval says so.
 */
static void a_start_within_rounding_of_a_wall_is_not_told_too_exactly(void **state)
{
    (void)state;
    static const begin_case solids = {.solid = true};
    static const double gaps[2] = {0x1p-46, 0x1p-20};
    graze_update_options options = graze_update_options_default();
    options.continuous = true;
    for (int i = 0; i < 2; i++)
    {
        graze_scene *scene = NULL;
        graze_mesh *meshes[2] = {NULL, NULL};
        graze_shape *none = NULL;
        graze_frame frame;
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        graze_object large = add_box(scene, &solids, 3, &meshes[0], &none);
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        graze_object small = add_box(scene, &solids, 1, &meshes[1], &none);
        const graze_pose near_wall = graze_pose_translation(1 - gaps[i], 0, 0);
        const double q[4] = {1, 0, 0, 0.01}, shift[3] = {2.5, 0, 0};
        graze_pose to;
        assert_int_equal(graze_pose_from_quaternion(q, shift, &to), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_move(scene, small, &near_wall), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_move(scene, large, &to), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.event_count, 1);
        const graze_event *event = &frame.events[0];
        assert_true(event->kind == GRAZE_EVENT_BEGIN && event->has_time && event->time_lower == 0);
        assert_true(i == 0 ? event->time_upper > 0.5 : event->time_upper == 0);
        graze_scene_destroy(scene);
        for (int k = 0; k < 2; k++)
            graze_mesh_destroy(meshes[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_begins_within_a_moving_solid_collides_from_the_start),
        cmocka_unit_test(what_becomes_a_solid_or_gets_another_mesh_does_so_at_the_start),
        cmocka_unit_test(a_start_within_rounding_of_a_wall_is_not_told_too_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
