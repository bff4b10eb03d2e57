/* SPDX-License-Identifier: MIT */
/*
 * Promises change no event: scenes with and without them give the same frames, whether objects keep their promises,
 * break them, stand still against them, jump, turn solid or get another mesh; in discrete and continuous updates. And
 * pairs that keep them sleep.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/scene.h"
#include "graze/shape.h"
#include "scene/scene.h"
#include "support/environment.h"
#include "support/random.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    COUNT = 12,
    HALL = COUNT, /* a box around them all */
    FRAMES = TEST_ROUNDS(60),
    SCRIPTS = TEST_ROUNDS(16)
};

typedef struct twin_scenes
{
    graze_scene *scenes[2]; /* with promises, and without */
    graze_object objects[2][COUNT + 1];
    graze_pose poses[COUNT];
    double velocities[COUNT][3], spins[COUNT];
    size_t examined[2], asleep, events, begins, passes;
} twin_scenes;

/* Flies on, turning about z, and back at the walls: then the promise is broken. */
static void fly(test_random *random, twin_scenes *t, int i)
{
    graze_pose *pose = &t->poses[i];
    double c = cos(t->spins[i]), s = sin(t->spins[i]);
    for (int k = 0; k < 3; k++)
    {
        double x = pose->m[k], y = pose->m[4 + k];
        pose->m[k] = c * x - s * y;
        pose->m[4 + k] = s * x + c * y;
        pose->m[4 * k + 3] += t->velocities[i][k] + random_real(random, -1e-3, 1e-3);
        if (fabs(pose->m[4 * k + 3]) > 8)
            t->velocities[i][k] = copysign(t->velocities[i][k], -pose->m[4 * k + 3]);
    }
}

static void promise(test_random *random, twin_scenes *t, int i)
{
    graze_promise given = {.speed = 1.5 * fabs(t->spins[i]) + 1e-2 * random_unit(random),
                           .acceleration = random_once_in(random, 3) ? 1e-3 : 0};
    memcpy(given.velocity, t->velocities[i], sizeof given.velocity);
    if (random_once_in(random, 10)) /* a wrong one */
        given.velocity[random_below(random, 3)] += random_real(random, -0.3, 0.3);
    assert_int_equal(graze_scene_promise(t->scenes[0], t->objects[0][i], random_once_in(random, 12) ? NULL : &given),
                     GRAZE_STATUS_OK);
}

static void change(test_random *random, const scene_meshes *meshes, twin_scenes *t, int i)
{
    int what = random_below(random, 60), which = random_below(random, SCENE_MESHES);
    if (what == 0)
        t->poses[i] = scene_random_pose(random, 7); /* a jump */
    else if (what == 1)
        for (int k = 0; k < 3; k++)
            t->velocities[i][k] = random_real(random, -0.2, 0.2);
    else if (what > 4) /* stands for once if not */
        fly(random, t, i);
    for (int s = 0; s < 2; s++)
    {
        graze_motion motion;
        graze_placed_mesh placed;
        if (what == 2)
            assert_int_equal(graze_scene_set_mesh(t->scenes[s], t->objects[s][i], meshes->meshes[which], NULL),
                             GRAZE_STATUS_OK);
        if (what == 3)
            assert_int_equal(graze_scene_set_flags(t->scenes[s], t->objects[s][i], GRAZE_OBJECT_SOLID),
                             GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_move(t->scenes[s], t->objects[s][i], &t->poses[i]), GRAZE_STATUS_OK);
        if (what == 59) /* there on a far detour */
        {
            assert_int_equal(graze_scene_placed_mesh(t->scenes[s], t->objects[s][i], &placed, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_motion_between(&placed.pose, &t->poses[i], GRAZE_MOTION_TURN, &motion, NULL),
                             GRAZE_STATUS_OK);
            motion.kind = GRAZE_MOTION_BALLISTIC_TURN;
            motion.path[2][0] = 8;
            motion.path[1][0] -= 8;
            assert_int_equal(graze_scene_move_along(t->scenes[s], t->objects[s][i], &motion), GRAZE_STATUS_OK);
        }
    }
    if (random_once_in(random, 15))
        promise(random, t, i);
}

static void compare(twin_scenes *t, const graze_update_options *options)
{
    graze_frame frames[2];
    for (int s = 0; s < 2; s++)
    {
        static int number;
        saved_environment saved;
        environment_enter(&saved, number++ / 3 % ENVIRONMENTS);
        graze_status status = graze_scene_update(t->scenes[s], options, &frames[s]);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        t->examined[s] += frames[s].examined;
    }
    t->asleep += frames[0].asleep_count;
    assert_int_equal(frames[1].asleep_count, 0);
    assert_int_equal(frames[0].event_count, frames[1].event_count);
    assert_int_equal(frames[0].colliding, frames[1].colliding);
    assert_int_equal(frames[0].undecided_count, frames[1].undecided_count);
    for (size_t i = 0; i < frames[0].event_count; i++)
    {
        const graze_event *x = &frames[0].events[i], *y = &frames[1].events[i];
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->a.index, y->a.index);
        assert_int_equal(x->b.index, y->b.index);
        assert_true(x->time_lower == y->time_lower && x->time_upper == y->time_upper);
        assert_true(x->end_lower == y->end_lower && x->end_upper == y->end_upper);
        t->begins += x->kind == GRAZE_EVENT_BEGIN;
        t->passes += x->kind == GRAZE_EVENT_PASS;
    }
    t->events += frames[0].event_count;
}

static void fill(test_random *random, const scene_meshes *meshes, const graze_mesh *hall, twin_scenes *t)
{
    for (int s = 0; s < 2; s++)
        assert_int_equal(graze_scene_create(NULL, NULL, &t->scenes[s]), GRAZE_STATUS_OK);
    for (int i = 0; i <= COUNT; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = i == HALL ? hall : meshes->meshes[i % SCENE_MESHES];
        def.pose = i == HALL ? graze_pose_identity() : scene_random_pose(random, 7);
        for (int s = 0; s < 2; s++)
            assert_int_equal(graze_scene_add(t->scenes[s], &def, &t->objects[s][i]), GRAZE_STATUS_OK);
        if (i == HALL)
            break;
        t->poses[i] = def.pose;
        t->spins[i] = random_once_in(random, 2) ? 0 : random_real(random, -0.02, 0.02);
        for (int k = 0; k < 3; k++)
            t->velocities[i][k] = random_real(random, -0.2, 0.2);
        promise(random, t, i);
    }
}

static void promises_change_no_event(void **state)
{
    (void)state;
    test_random random = test_random_start("promises_change_no_event", 27);
    scene_meshes meshes;
    graze_mesh *hall;
    size_t examined[2] = {0, 0}, asleep = 0, begins = 0, passes = 0;
    scene_meshes_make(&meshes);
    assert_int_equal(graze_mesh_create_box(NULL, 20, 20, 20, 3, &hall), GRAZE_STATUS_OK);
    for (int script = 0; script < SCRIPTS; script++)
    {
        twin_scenes t = {.events = 0};
        graze_update_options options = graze_update_options_default();
        fill(&random, &meshes, hall, &t);
        for (int frame = 0; frame < FRAMES; frame++)
        {
            options.continuous = script % 3 == 1 || (script % 3 == 2 && frame % 2 == 0);
            for (int i = 0; i < COUNT && frame > 0; i++)
                change(&random, &meshes, &t, i);
            compare(&t, &options);
        }
        for (int s = 0; s < 2; s++)
        {
            graze_scene_destroy(t.scenes[s]);
            examined[s] += t.examined[s];
        }
        asleep += t.asleep;
        begins += t.begins;
        passes += t.passes;
    }
    printf("%zu tested with promises, %zu without; %zu slept; %zu begins, %zu passes\n", examined[0], examined[1],
           asleep, begins, passes);
    assert_int_equal(examined[0] + asleep, examined[1]);
    assert_true(asleep * 3 > examined[1] && begins > 0);
    graze_mesh_destroy(hall);
    scene_meshes_release(&meshes);
}

/* Two bodies, of which the second moves by `step` (an update) with a promise that says less or just enough; returns the
   update in which they begin to collide. */
static int meet(const graze_mesh *first, const graze_mesh *second, const graze_pose *start, const graze_pose *step,
                const graze_promise *given, size_t *out_asleep)
{
    graze_scene *scene;
    graze_object objects[2];
    graze_frame frame;
    graze_pose pose = *start;
    int met = -1;
    *out_asleep = 0;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = i == 0 ? first : second;
        def.pose = i == 0 ? graze_pose_identity() : pose;
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
    }
    if (given != NULL)
        assert_int_equal(graze_scene_promise(scene, objects[1], given), GRAZE_STATUS_OK);
    for (int i = 0; i < 40 && met < 0; i++)
    {
        graze_pose next;
        assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
        met = frame.colliding > 0 ? i : -1;
        *out_asleep += frame.asleep_count;
        assert_int_equal(graze_pose_compose(step, &pose, &next, NULL), GRAZE_STATUS_OK);
        pose = next;
        assert_int_equal(graze_scene_move(scene, objects[1], &pose), GRAZE_STATUS_OK);
    }
    graze_scene_destroy(scene);
    return met;
}

static void what_comes_faster_than_promised_is_noticed(void **state)
{
    (void)state;
    graze_mesh *hall, *ball, *rod;
    size_t asleep;
    assert_int_equal(graze_mesh_create_box(NULL, 40, 40, 40, 1, &hall), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 40.5, 1, 1, 1, &rod), GRAZE_STATUS_OK);
    const graze_pose start = graze_pose_identity(), step = graze_pose_translation(1, 0, 0);
    const graze_promise kept = {.velocity = {1, 0, 0}, .speed = 0x1p-20}, slow = {.speed = 0.5};
    const graze_promise late = {.velocity = {0.5, 0, 0}, .speed = 0.25};
    assert_int_equal(meet(hall, ball, &start, &step, NULL, &asleep), 20); /* 19.5 to go */
    assert_int_equal(asleep, 0);
    assert_int_equal(meet(hall, ball, &start, &step, &kept, &asleep), 20);
    assert_true(asleep > 12);
    assert_int_equal(meet(hall, ball, &start, &step, &slow, &asleep), 20);
    assert_int_equal(meet(hall, ball, &start, &step, &late, &asleep), 20);
    /* A rod along the diagonal of the hall turns, about its middle; only its ends move by as much as 2.8 an update. */
    graze_pose diagonal = graze_pose_identity(), turn = graze_pose_identity();
    diagonal.m[0] = diagonal.m[5] = diagonal.m[4] = sqrt(0.5);
    diagonal.m[1] = -sqrt(0.5);
    turn.m[0] = turn.m[5] = cos(0.1);
    turn.m[4] = sin(0.1);
    turn.m[1] = -sin(0.1);
    const graze_promise turning = {.speed = 2.9}, calm = {.speed = 0.4};
    int expected = meet(hall, rod, &diagonal, &turn, NULL, &asleep);
    assert_in_range(expected, 1, 10);
    assert_int_equal(meet(hall, rod, &diagonal, &turn, &turning, &asleep), expected);
    assert_true(asleep > 0);
    assert_int_equal(meet(hall, rod, &diagonal, &turn, &calm, &asleep), expected);
    graze_mesh_destroy(hall);
    graze_mesh_destroy(ball);
    graze_mesh_destroy(rod);
}

/* As the rod above, in a small hall: a huge mesh under a tiny pose, whose changes have squares below any double. */
static void turns_of_tiny_poses_are_noticed(void **state)
{
    (void)state;
    const double size = 0x1p-30;
    graze_mesh *hall, *rod;
    size_t asleep;
    assert_int_equal(graze_mesh_create_box(NULL, 40 * size, 40 * size, 40 * size, 1, &hall), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 40.5 * 0x1p506, 0x1p506, 0x1p506, 1, &rod), GRAZE_STATUS_OK);
    graze_pose diagonal = graze_pose_identity(), turn = graze_pose_identity();
    diagonal.m[0] = diagonal.m[5] = diagonal.m[4] = sqrt(0.5) * 0x1p-536;
    diagonal.m[1] = -sqrt(0.5) * 0x1p-536;
    diagonal.m[10] = 0x1p-536;
    turn.m[0] = turn.m[5] = cos(0.1);
    turn.m[4] = sin(0.1);
    turn.m[1] = -sin(0.1);
    const graze_promise calm = {.speed = 0.01 * size};
    int expected = meet(hall, rod, &diagonal, &turn, NULL, &asleep);
    assert_in_range(expected, 1, 10);
    assert_int_equal(meet(hall, rod, &diagonal, &turn, &calm, &asleep), expected);
    graze_mesh_destroy(hall);
    graze_mesh_destroy(rod);
}

/* A ball about the origin of its compound, whose centre is 1e10 away from that of the part: where it is placed is
   rounded to 2^-19, so that it jumps by more than it moves. */
static void parts_that_cancel_their_poses_wake_pairs(void **state)
{
    (void)state;
    const double far[3] = {1e10, 0, 0}, origin[3] = {0, 0, 0};
    graze_scene *scene;
    graze_object objects[2];
    graze_shape *part, *ball, *compound;
    graze_frame frame;
    assert_int_equal(graze_shape_create_sphere(NULL, far, 1, &part), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 1, &ball), GRAZE_STATUS_OK);
    const graze_placed placed = {part, graze_pose_translation(-1e10, 0, 0)};
    assert_int_equal(graze_shape_create_compound(NULL, &placed, 1, &compound), GRAZE_STATUS_OK);
    const graze_promise promise = {.speed = 0x1.1p-23};
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.shape = i == 0 ? compound : ball;
        def.pose = graze_pose_translation(i == 0 ? 0 : 2 + 0x1.8p-20, 0, 0);
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_scene_promise(scene, objects[0], &promise), GRAZE_STATUS_OK);
    for (int step = 0; step < 10; step++) /* halfway to the next place it jumps there */
    {
        const graze_pose pose = graze_pose_translation(0x1p-20 + (step - 4) * 0x1p-23, 0, 0);
        assert_int_equal(graze_scene_move(scene, objects[0], &pose), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.colliding, step > 4 ? 1 : 0);
    }
    graze_scene_destroy(scene);
    graze_shape_destroy(compound);
    graze_shape_destroy(part);
    graze_shape_destroy(ball);
}

static void promises_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    graze_scene *scene;
    graze_object object;
    graze_object_def def = graze_object_def_default();
    graze_promise promise = {.speed = -1};
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_promise(scene, object, &promise), GRAZE_STATUS_BAD_ARGUMENT);
    promise.speed = INFINITY;
    assert_int_equal(graze_scene_promise(scene, object, &promise), GRAZE_STATUS_NOT_FINITE);
    const double no_numbers[3] = {INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 3; i++)
    {
        promise = (graze_promise){.speed = no_numbers[i]};
        assert_int_equal(graze_scene_promise(scene, object, &promise), GRAZE_STATUS_NOT_FINITE);
        promise = (graze_promise){.acceleration = no_numbers[i]};
        assert_int_equal(graze_scene_promise(scene, object, &promise), GRAZE_STATUS_NOT_FINITE);
    }
    promise = (graze_promise){.acceleration = -1};
    assert_int_equal(graze_scene_promise(scene, object, &promise), GRAZE_STATUS_BAD_ARGUMENT);
    promise = (graze_promise){.velocity = {0, NAN, 0}};
    assert_int_equal(graze_scene_promise(scene, object, &promise), GRAZE_STATUS_NOT_FINITE);
    promise = (graze_promise){.acceleration = 1};
    assert_int_equal(graze_scene_promise(scene, object, &promise), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_promise(scene, object, &promise), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK); /* of an object without geometry */
    assert_int_equal(graze_scene_remove(scene, object), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_promise(scene, object, &promise), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
    graze_scene_destroy(scene);
}

/* Of a ball it is not known how far turning moves its points: its promise begins anew, however little it turns. */
static void balls_that_turn_begin_their_promises_anew(void **state)
{
    (void)state;
    const double centre[3] = {0.5, 0, 0}, axis[3] = {0, 0, 1};
    graze_scene *scene;
    graze_object objects[2];
    graze_shape *ball;
    graze_promise promise = {.speed = 0.01};
    graze_object_def def = graze_object_def_default();
    graze_frame frame;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, centre, 1, &ball), GRAZE_STATUS_OK);
    def.shape = ball;
    for (int i = 0; i < 2; i++)
    {
        def.pose = graze_pose_translation(2.9 * i, 0, 0);
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_promise(scene, objects[i], &promise), GRAZE_STATUS_OK);
    }
    for (int step = 0; step <= 32; step++)
    {
        graze_pose pose;
        const double there[3] = {2.9, 0, 0};
        assert_int_equal(graze_pose_from_axis_angle(axis, step * 0.1, there, &pose), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_move(scene, objects[1], &pose), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
        /* Between the centres. */
        double x = 2.9 + 0.5 * cos(step * 0.1) - 0.5, y = 0.5 * sin(step * 0.1);
        assert_true(fabs(hypot(x, y) - 2) > 1e-3);
        assert_int_equal(frame.colliding, hypot(x, y) < 2 ? 1 : 0);
    }
    graze_scene_destroy(scene);
    graze_shape_destroy(ball);
}

/* Both promised to stand still: with and without continuous steps, less than a unit counts. */
static void a_broken_promise_wakes_pairs_that_sleep(void **state)
{
    (void)state;
    graze_mesh *ball;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &ball), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_scene *scene;
        graze_object objects[2];
        const graze_promise still = {.speed = 0};
        graze_object_def def = graze_object_def_default();
        graze_update_options options = graze_update_options_default();
        graze_frame frame;
        options.continuous = i == 1;
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        def.mesh = ball;
        for (int k = 0; k < 2; k++)
        {
            def.pose = graze_pose_translation(1.2 * k, 1.85 * k, 0);
            assert_int_equal(graze_scene_add(scene, &def, &objects[k]), GRAZE_STATUS_OK);
            assert_int_equal(graze_scene_promise(scene, objects[k], &still), GRAZE_STATUS_OK);
        }
        for (int step = 0; step < 4; step++)
        {
            assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
            assert_int_equal(frame.colliding, 0);
        }
        assert_true(scene->contacts.count == 1 && grz_contact_sleeps(scene, &scene->contacts.data[0]));
        const graze_pose near = graze_pose_translation(1.2, 1.1, 0);
        assert_int_equal(graze_scene_move(scene, objects[1], &near), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.colliding, 1);
        graze_scene_destroy(scene);
    }
    graze_mesh_destroy(ball);
}

/* Whether or not the old promise was withdrawn before. */
static void a_new_promise_wakes_pairs_that_sleep(void **state)
{
    (void)state;
    graze_mesh *ball;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &ball), GRAZE_STATUS_OK);
    for (int withdrawn = 0; withdrawn < 5; withdrawn++)
    {
        graze_scene *scene;
        graze_object objects[2];
        const graze_promise still = {.speed = 0}, fast = {.speed = 100};
        graze_object_def def = graze_object_def_default();
        graze_frame frame;
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        def.mesh = ball;
        for (int i = 0; i < 2; i++)
        {
            def.pose = graze_pose_translation(i == 0 ? 0 : 1.2, i == 0 ? 0 : 1.9, 0); /* boxes overlap */
            assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
            assert_int_equal(graze_scene_promise(scene, objects[i], &still), GRAZE_STATUS_OK);
        }
        for (int i = 0; i < 4; i++)
        {
            assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
            assert_int_equal(frame.colliding, 0);
        }
        assert_true(scene->contacts.count == 1 && grz_contact_sleeps(scene, &scene->contacts.data[0]));
        for (int i = 0; i < withdrawn; i++)
            assert_int_equal(graze_scene_promise(scene, objects[1], NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_promise(scene, objects[1], &fast), GRAZE_STATUS_OK);
        const graze_pose near = graze_pose_translation(1.2, 1, 0);
        assert_int_equal(graze_scene_move(scene, objects[1], &near), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.colliding, 1);
        graze_scene_destroy(scene);
    }
    graze_mesh_destroy(ball);
}

/* How far turning moves points of a compound is not known, however little it turns: its promise begins anew. */
static void compounds_that_turn_begin_their_promises_anew(void **state)
{
    (void)state;
    const double centre[3] = {0, 0, 0}, axis[3] = {0, 0, 1};
    graze_shape *ball, *pair;
    graze_placed parts[2];
    graze_scene *scene;
    graze_object objects[2];
    graze_promise promise = {.speed = 0.001};
    graze_object_def def = graze_object_def_default();
    graze_frame frame;
    int met = 0;
    assert_int_equal(graze_shape_create_sphere(NULL, centre, 1, &ball), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
        parts[i] = (graze_placed){ball, graze_pose_translation(8 * i - 4, 0, 0)};
    assert_int_equal(graze_shape_create_compound(NULL, parts, 2, &pair), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        def.shape = i == 0 ? pair : ball;
        def.pose = graze_pose_translation(3.5 * i, 2.5 * i, 0);
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_promise(scene, objects[i], &promise), GRAZE_STATUS_OK);
    }
    for (int step = 0; step <= 60; step++)
    {
        graze_pose pose;
        assert_int_equal(graze_pose_from_axis_angle(axis, step * 0.01, centre, &pose), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_move(scene, objects[0], &pose), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
        double distance = hypot(3.5 - 4 * cos(step * 0.01), 2.5 - 4 * sin(step * 0.01));
        assert_true(fabs(distance - 2) > 1e-6);
        assert_int_equal(frame.colliding, distance < 2);
        met += distance < 2;
    }
    assert_in_range(met, 10, 50);
    graze_scene_destroy(scene);
    graze_shape_destroy(pair);
    graze_shape_destroy(ball);
}

/* Both promised to stand still; one jumps to the other and comes back along a line within one step. */
static void a_step_from_elsewhere_wakes_pairs_that_sleep(void **state)
{
    (void)state;
    graze_mesh *ball;
    graze_scene *scene;
    graze_object objects[2];
    graze_frame frame;
    graze_motion motion;
    const graze_promise still = {.speed = 0};
    graze_object_def def = graze_object_def_default();
    graze_update_options options = graze_update_options_default();
    const graze_pose there = graze_pose_translation(1.2, 1.1, 0), here = graze_pose_translation(1.2, 1.85, 0);
    options.continuous = true;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    def.mesh = ball;
    for (int k = 0; k < 2; k++)
    {
        def.pose = k == 0 ? graze_pose_identity() : here;
        assert_int_equal(graze_scene_add(scene, &def, &objects[k]), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_promise(scene, objects[k], &still), GRAZE_STATUS_OK);
    }
    for (int step = 0; step < 4; step++)
    {
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.event_count, 0);
    }
    assert_true(scene->contacts.count == 1 && grz_contact_sleeps(scene, &scene->contacts.data[0]));
    assert_int_equal(graze_motion_between(&there, &here, GRAZE_MOTION_BLEND, &motion, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_move_along(scene, objects[1], &motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    assert_int_equal(frame.events[0].kind, GRAZE_EVENT_PASS);
    graze_scene_destroy(scene);
    graze_mesh_destroy(ball);
}

/* Where the budget ends before the distance is known, nothing is: the pair neither sleeps, nor waits for its next try.
 */
static void a_pair_whose_distance_is_not_known_stays_awake(void **state)
{
    (void)state;
    graze_mesh *ball;
    graze_scene *scene;
    graze_object objects[2];
    graze_frame frame;
    const graze_promise still = {.speed = 0};
    graze_object_def def = graze_object_def_default();
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 8, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    def.mesh = ball;
    for (int k = 0; k < 2; k++)
    {
        def.pose = graze_pose_translation(1.2 * k, 1.85 * k, 0);
        assert_int_equal(graze_scene_add(scene, &def, &objects[k]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_promise(scene, objects[1], &still), GRAZE_STATUS_OK);
    assert_int_equal(scene->contacts.count, 1);
    grz_contact contact = scene->contacts.data[0];
    contact.next_nap = 0;
    const grz_contact before = contact;
    graze_budget budget = {.box_tests = 1};
    assert_int_equal(grz_contact_try_sleep(scene, &contact, &budget), GRAZE_STATUS_OK);
    assert_true(contact.asleep_until == before.asleep_until && contact.next_nap == 0);
    assert_int_equal(contact.naps_in_vain, before.naps_in_vain);
    budget.box_tests = 0;
    assert_int_equal(grz_contact_try_sleep(scene, &contact, &budget), GRAZE_STATUS_OK);
    assert_true(contact.next_nap > 0);
    graze_scene_destroy(scene);
    graze_mesh_destroy(ball);
}

typedef struct countdown
{
    int calls, last; /* until now, and the one that says no; 0: none */
} countdown;

static bool count_down(void *user, double share)
{
    (void)share;
    countdown *c = user;
    return ++c->calls != c->last;
}

/* Two shells, one in the other: it takes long to see that they are disjoint, and as long how far from one another. */
static void an_update_cancelled_anywhere_says_so(void **state)
{
    (void)state;
    graze_mesh *shells[2];
    const graze_promise still = {.speed = 0};
    countdown all = {0, 0};
    for (int k = 0; k < 2; k++)
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1 + 0.02 * k, 12, &shells[k]), GRAZE_STATUS_OK);
    for (int cancelled = 0; cancelled <= all.calls; cancelled++)
    {
        graze_scene *scene;
        graze_object objects[2];
        graze_frame frame;
        graze_object_def def = graze_object_def_default();
        graze_update_options options = graze_update_options_default();
        countdown c = {0, cancelled};
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        for (int k = 0; k < 2; k++)
        {
            def.mesh = shells[k];
            assert_int_equal(graze_scene_add(scene, &def, &objects[k]), GRAZE_STATUS_OK);
        }
        assert_int_equal(graze_scene_promise(scene, objects[1], &still), GRAZE_STATUS_OK);
        options.budget.progress = count_down;
        options.budget.progress_user = &c;
        graze_status status = graze_scene_update(scene, &options, &frame);
        assert_int_equal(status, cancelled == 0 ? GRAZE_STATUS_OK : GRAZE_STATUS_CANCELLED);
        if (cancelled == 0)
        {
            all = c;
            assert_true(scene->contacts.data[0].next_nap > 0); /* it was asked */
        }
        graze_scene_destroy(scene);
    }
    printf("%d calls\n", all.calls);
    assert_true(all.calls > 3);
    for (int k = 0; k < 2; k++)
        graze_mesh_destroy(shells[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(promises_change_no_event),
                                       cmocka_unit_test(what_comes_faster_than_promised_is_noticed),
                                       cmocka_unit_test(turns_of_tiny_poses_are_noticed),
                                       cmocka_unit_test(parts_that_cancel_their_poses_wake_pairs),
                                       cmocka_unit_test(promises_that_make_no_sense_are_refused),
                                       cmocka_unit_test(balls_that_turn_begin_their_promises_anew),
                                       cmocka_unit_test(a_broken_promise_wakes_pairs_that_sleep),
                                       cmocka_unit_test(a_new_promise_wakes_pairs_that_sleep),
                                       cmocka_unit_test(compounds_that_turn_begin_their_promises_anew),
                                       cmocka_unit_test(a_step_from_elsewhere_wakes_pairs_that_sleep),
                                       cmocka_unit_test(a_pair_whose_distance_is_not_known_stays_awake),
                                       cmocka_unit_test(an_update_cancelled_anywhere_says_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
