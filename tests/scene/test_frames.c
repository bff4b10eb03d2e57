/* SPDX-License-Identifier: MIT */
/* Frames: time budgets that drop nothing, schedules, callbacks that move objects, sensors, and running out of memory.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/interest.h"
#include "graze/scene.h"
#include "graze/scene_query.h"
#include "graze/tasks.h"
#include "support/failing_allocator.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    OBJECTS = 60
};

static scene_meshes shared;

static int set_up(void **state)
{
    (void)state;
    scene_meshes_make(&shared);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    scene_meshes_release(&shared);
    return 0;
}

static double by_index(void *user, const graze_scene *scene, graze_object a, graze_object b)
{
    (void)user;
    (void)scene;
    return (double)a.index + 0.001 * (double)b.index;
}

/* A budget of zero decides nothing and reports so; then larger ones decide the rest, and together they report the same
   as one frame without a budget. */
static void budgets_drop_nothing(void **state)
{
    (void)state;
    for (int schedule = GRAZE_SCHEDULE_SEQUENTIAL; schedule <= GRAZE_SCHEDULE_PRIORITY; schedule++)
    {
        test_random random = test_random_start("budgets_drop_nothing", 31);
        graze_object names[OBJECTS];
        graze_pose poses[OBJECTS];
        graze_scene *scene, *twin;
        graze_frame frame;
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_create(NULL, NULL, &twin), GRAZE_STATUS_OK);
        scene_meshes_fill(&shared, &random, scene, OBJECTS, 3, 0, names, poses);
        random = (test_random){31};
        scene_meshes_fill(&shared, &random, twin, OBJECTS, 3, 0, names, poses);
        graze_update_options options = graze_update_options_default();
        options.schedule = (graze_schedule)schedule;
        options.importance = by_index;
        options.budget.seconds = 1e-9;
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.event_count, 0);
        assert_int_equal(frame.examined, 0);
        assert_true(frame.undecided_count == frame.box_pairs && frame.undecided_count > 30);
        size_t first_undecided = frame.undecided_count, begun = 0, frames = 1;
        for (options.budget.seconds = 2e-6; frame.undecided_count > 0 && frames < 100000; frames++)
        {
            for (size_t i = 0; i < frame.undecided_count; i++)
                assert_true(frame.undecided[i].since == 1 && !frame.undecided[i].collided);
            size_t before = frame.undecided_count;
            options.budget.seconds *= 1.05;
            assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
            assert_true(frame.undecided_count <= before);
            assert_int_equal(frame.undecided_count + frame.examined, before);
            for (size_t i = 0; i < frame.event_count; i++)
                begun += frame.events[i].kind == GRAZE_EVENT_BEGIN;
        }
        graze_frame whole;
        assert_int_equal(graze_scene_update(twin, NULL, &whole), GRAZE_STATUS_OK);
        printf("schedule %d: %zu pairs in %zu frames, %zu collide\n", schedule, first_undecided, frames, begun);
        assert_int_equal(begun, whole.event_count);
        assert_int_equal(frame.colliding, whole.colliding);
        graze_scene_destroy(scene);
        graze_scene_destroy(twin);
    }
}

/* How many updates of one box test decide some pairs of spheres, one in the other. */
static size_t count_updates(const graze_mesh *sphere, int pairs)
{
    graze_scene *scene;
    graze_frame frame = {.undecided_count = 1};
    graze_object_def def = graze_object_def_default();
    graze_update_options options = graze_update_options_default();
    size_t updates = 0;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    def.mesh = sphere;
    for (int i = 0; i < 2 * pairs; i++)
    {
        graze_object name;
        def.pose = graze_pose_translation(10 * (i / 2), 0, 0);
        for (int k = 0; k < 3; k++)
            def.pose.m[5 * k] = i % 2 == 0 ? 1 : 0.95;
        assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_OK);
    }
    options.budget.box_tests = 1;
    for (; updates < 100000 && frame.undecided_count > 0; updates++)
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    assert_true(frame.undecided_count == 0 && frame.colliding == 0);
    graze_scene_destroy(scene);
    return updates;
}

/* A budget of one box test is that of the whole update, and not of each pair. */
static void one_box_test_is_for_one_pair(void **state)
{
    (void)state;
    graze_mesh *sphere;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 4, &sphere), GRAZE_STATUS_OK);
    size_t one = count_updates(sphere, 1), four = count_updates(sphere, 4);
    printf("%zu updates for one pair, %zu for four\n", one, four);
    assert_true(one > 5 && four + 4 >= 4 * one);
    graze_mesh_destroy(sphere);
}

/* The same in box tests, which need no clock: every time, and with threads, the same pairs are decided. */
static void budgets_of_box_tests_drop_nothing_and_repeat(void **state)
{
    (void)state;
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    graze_context context = graze_context_default();
    context.tasks = graze_pool_tasks(pool);
    for (int schedule = GRAZE_SCHEDULE_SEQUENTIAL; schedule <= GRAZE_SCHEDULE_PRIORITY; schedule++)
    {
        graze_scene *scenes[3];
        for (int i = 0; i < 3; i++)
        {
            test_random random = {31};
            graze_object names[OBJECTS];
            graze_pose poses[OBJECTS];
            assert_int_equal(graze_scene_create(i == 1 ? &context : NULL, NULL, &scenes[i]), GRAZE_STATUS_OK);
            scene_meshes_fill(&shared, &random, scenes[i], OBJECTS, 3, 0, names, poses);
        }
        graze_update_options options = graze_update_options_default();
        options.schedule = (graze_schedule)schedule;
        options.importance = by_index;
        options.budget.box_tests = 200;
        graze_frame first = {.undecided_count = 1}, second, whole;
        size_t begun = 0, frames = 0;
        for (; first.undecided_count > 0 && frames < 100000; frames++)
        {
            assert_int_equal(graze_scene_update(scenes[0], &options, &first), GRAZE_STATUS_OK);
            assert_int_equal(graze_scene_update(scenes[1], &options, &second), GRAZE_STATUS_OK);
            assert_int_equal(first.undecided_count, second.undecided_count);
            for (size_t i = 0; i < first.undecided_count; i++)
                assert_true(first.undecided[i].a.index == second.undecided[i].a.index &&
                            first.undecided[i].b.index == second.undecided[i].b.index);
            for (size_t i = 0; i < first.event_count; i++)
                begun += first.events[i].kind == GRAZE_EVENT_BEGIN;
        }
        assert_int_equal(graze_scene_update(scenes[2], NULL, &whole), GRAZE_STATUS_OK);
        printf("schedule %d: %zu frames, %zu collide\n", schedule, frames, begun);
        assert_true(frames > 3 && begun == whole.event_count && first.colliding == whole.colliding);
        for (int i = 0; i < 3; i++)
            graze_scene_destroy(scenes[i]);
    }
    graze_pool_destroy(pool);
}

typedef struct canceller
{
    uint64_t calls, allowed;
    double share;
} canceller;

static bool cancel_later(void *user, double share)
{
    canceller *c = user;
    assert_true(share >= c->share && share <= 1);
    c->share = share;
    return c->calls++ < c->allowed;
}

/* An update that was cancelled reports nothing, and the next one what it could not. */
static void cancelled_updates_lose_nothing(void **state)
{
    (void)state;
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    graze_context context = graze_context_default();
    context.tasks = graze_pool_tasks(pool);
    unsigned cancelled = 0;
    for (int threads = 0; threads < 2; threads++)
    {
        test_random random = {31};
        graze_object names[OBJECTS];
        graze_pose poses[OBJECTS];
        graze_scene *scene, *twin;
        graze_frame frame, whole;
        assert_int_equal(graze_scene_create(threads == 1 ? &context : NULL, NULL, &scene), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_create(NULL, NULL, &twin), GRAZE_STATUS_OK);
        scene_meshes_fill(&shared, &random, scene, OBJECTS, 3, 0, names, poses);
        random = (test_random){31};
        scene_meshes_fill(&shared, &random, twin, OBJECTS, 3, 0, names, poses);
        assert_int_equal(graze_scene_update(twin, NULL, &whole), GRAZE_STATUS_OK);
        graze_status status = GRAZE_STATUS_CANCELLED;
        for (uint64_t allowed = 0; status != GRAZE_STATUS_OK; allowed++)
        {
            canceller c = {0, allowed, 0};
            graze_update_options options = graze_update_options_default();
            options.budget.progress = cancel_later;
            options.budget.progress_user = &c;
            frame.number = 77;
            status = graze_scene_update(scene, &options, &frame);
            assert_true(status == GRAZE_STATUS_OK || (status == GRAZE_STATUS_CANCELLED && frame.number == 77));
            cancelled += status != GRAZE_STATUS_OK;
        }
        assert_int_equal(frame.number, 1);
        assert_int_equal(frame.undecided_count, 0);
        assert_int_equal(frame.event_count, whole.event_count);
        for (size_t i = 0; i < frame.event_count; i++)
            assert_true(frame.events[i].kind == GRAZE_EVENT_BEGIN &&
                        frame.events[i].a.index == whole.events[i].a.index &&
                        frame.events[i].b.index == whole.events[i].b.index);
        graze_scene_destroy(scene);
        graze_scene_destroy(twin);
    }
    printf("cancelled %u times\n", cancelled);
    assert_true(cancelled > 0);
    graze_pool_destroy(pool);
}

/* Two shells, one close inside the other, are one contact that takes long: its update asks before it has decided any.
 */
static void the_share_of_an_update_with_one_contact_is_at_most_one(void **state)
{
    (void)state;
    graze_mesh *meshes[2];
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_object_def def = graze_object_def_default();
        graze_object name;
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, i == 0 ? 1 : 0.998, 48, &meshes[i]), GRAZE_STATUS_OK);
        def.mesh = meshes[i];
        assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_OK);
    }
    canceller c = {0, UINT64_MAX, 0};
    graze_update_options options = graze_update_options_default();
    options.budget.progress = cancel_later;
    options.budget.progress_user = &c;
    graze_frame frame;
    assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    printf("%d calls\n", (int)c.calls);
    assert_true(c.calls > 1);
    graze_scene_destroy(scene);
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

/* Boxes as large as doubles allow, and a point at the viewpoint: their importance is not NaN. */
static void importance_is_a_number_at_the_ends_of_the_range(void **state)
{
    (void)state;
    const double scales[] = {1e-300, 1, 1e153, 1e160, 1e300, 1.7e308};
    static const double far_away[3] = {1.7e308, -1.7e308, 0}, here[3] = {0, 0, 0};
    size_t seen = 0;
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    {
        for (int view = 0; view < 3; view++)
        {
            graze_scene *scene;
            assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
            graze_mesh *mesh;
            const double s = scales[i], vertices[] = {-s, -s, -s, s, -s, s, s, s, s, 0, 0, 0};
            const uint32_t corners[] = {0, 1, 2, 3, 3, 3};
            graze_mesh_def mesh_def = graze_mesh_def_default();
            mesh_def.vertices = vertices;
            mesh_def.vertex_count = 4;
            mesh_def.corners = corners + (view == 2 && i == 0 ? 3 : 0);
            mesh_def.corner_count = 3;
            assert_int_equal(graze_mesh_create(NULL, &mesh_def, NULL, &mesh), GRAZE_STATUS_OK);
            graze_object_def def = graze_object_def_default();
            def.mesh = mesh;
            graze_object names[2];
            for (int k = 0; k < 2; k++)
                assert_int_equal(graze_scene_add(scene, &def, &names[k]), GRAZE_STATUS_OK);
            graze_update_options options = graze_update_options_default();
            options.budget.seconds = 1e-9;
            options.schedule = GRAZE_SCHEDULE_SORTED;
            options.viewpoint = view == 0 ? NULL : view == 1 ? far_away : here;
            graze_frame frame;
            assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
            assert_int_equal(frame.undecided_count, 1);
            double importance = frame.undecided[0].importance;
            assert_true(isfinite(importance) && importance >= 0 && (view == 0 || importance <= 1));
            seen += importance > 0;
            graze_scene_destroy(scene);
            graze_mesh_destroy(mesh);
        }
    }
    assert_true(seen >= 16);
}

/* Two meshes whose query takes longer than any frame: work of many frames adds up while nothing moves. */
static void a_long_question_is_answered_over_many_frames(void **state)
{
    (void)state;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.05, 55, 4, &mesh), GRAZE_STATUS_OK);
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    def.mesh = mesh;
    graze_object names[2];
    assert_int_equal(graze_scene_add(scene, &def, &names[0]), GRAZE_STATUS_OK);
    for (int k = 0; k < 3; k++)
        def.pose.m[5 * k] = 0.9999;
    assert_int_equal(graze_scene_add(scene, &def, &names[1]), GRAZE_STATUS_OK);
    graze_update_options options = graze_update_options_default();
    options.schedule = GRAZE_SCHEDULE_PRIORITY;
    options.budget.seconds = 2e-4;
    graze_frame frame;
    size_t frames = 0, undecided = 0;
    do
    {
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        undecided += frame.undecided_count;
        assert_true(++frames < 100000);
    } while (frame.undecided_count > 0);
    printf("decided after %zu frames\n", frames);
    assert_true(undecided > 3);
    assert_int_equal(frame.event_count, 0);
    graze_scene_destroy(scene);
    graze_mesh_destroy(mesh);
}

typedef struct bounce
{
    size_t all, of_pair, ends;
    graze_object mover;
    graze_status inner;
} bounce;

static void move_away(void *user, graze_scene *scene, const graze_event *event)
{
    bounce *b = user;
    b->all++;
    b->ends += event->kind == GRAZE_EVENT_END;
    graze_pose far = graze_pose_translation(10, 0, 0);
    graze_placed_mesh placed;
    assert_int_equal(graze_scene_move(scene, b->mover, &far), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_placed_mesh(scene, b->mover, &placed, NULL), GRAZE_STATUS_OK);
    b->inner = graze_scene_update(scene, NULL, NULL);
}

static void count_of_pair(void *user, graze_scene *scene, const graze_event *event)
{
    (void)scene;
    bounce *b = user;
    assert_ptr_equal(event->user_pair, b);
    b->of_pair++;
}

static void what_a_callback_moves_counts_for_the_next_frame(void **state)
{
    (void)state;
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    def.mesh = shared.meshes[3];
    graze_object a;
    bounce b = {0};
    assert_int_equal(graze_scene_add(scene, &def, &a), GRAZE_STATUS_OK);
    def.pose = graze_pose_translation(0.5, 0, 0);
    def.flags = GRAZE_OBJECT_SENSOR;
    assert_int_equal(graze_scene_add(scene, &def, &b.mover), GRAZE_STATUS_OK);
    assert_int_equal(graze_interest_set_pair_data(scene, a, b.mover, count_of_pair, &b, &b), GRAZE_STATUS_OK);
    graze_update_options options = graze_update_options_default();
    options.on_event = move_away;
    options.on_event_user = &b;
    graze_frame frame;
    assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    assert_true(frame.events[0].kind == GRAZE_EVENT_BEGIN && frame.events[0].has_witness && frame.events[0].sensor);
    assert_int_equal(b.inner, GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    assert_int_equal(frame.events[0].kind, GRAZE_EVENT_END);
    assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 0);
    assert_true(b.all == 2 && b.of_pair == 2 && b.ends == 1);
    graze_scene_destroy(scene);
}

/* Rotations that leave the AABB of the cube as it was change what it overlaps. */
static void turning_within_the_same_box_is_noticed(void **state)
{
    (void)state;
    graze_mesh *flake = shared.meshes[2];
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    def.mesh = flake;
    graze_object turning, still;
    assert_int_equal(graze_scene_add(scene, &def, &turning), GRAZE_STATUS_OK);
    def.mesh = shared.meshes[3];
    graze_frame frame;
    size_t begins = 0, ends = 0;
    assert_int_equal(graze_scene_add(scene, &def, &still), GRAZE_STATUS_OK);
    test_random random = test_random_start("turning_within_the_same_box_is_noticed", 2);
    for (int round = 0; round < 200; round++)
    {
        /* Rotations by 90 degrees and reflections preserve the AABB of symmetric objects; so does not moving. */
        graze_pose pose = {{0}};
        int first = random_below(&random, 3), step = 1 + random_below(&random, 2);
        for (int row = 0; row < 3; row++)
            pose.m[4 * row + (first + step * row) % 3] = random_once_in(&random, 2) ? 1 : -1;
        graze_pose away = {{0}};
        for (int axis = 0; axis < 3; axis++) /* small, and inside the AABB of the flake */
        {
            away.m[5 * axis] = 0.1;
            away.m[4 * axis + 3] = random_real(&random, 0.1, 0.5);
        }
        assert_int_equal(graze_scene_move(scene, turning, &pose), GRAZE_STATUS_OK);
        if (round % 10 == 0)
            assert_int_equal(graze_scene_move(scene, still, &away), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
        graze_placed_mesh a, b;
        assert_int_equal(graze_scene_placed_mesh(scene, turning, &a, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_placed_mesh(scene, still, &b, NULL), GRAZE_STATUS_OK);
        bool found;
        assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &found, NULL), GRAZE_STATUS_OK);
        assert_int_equal(frame.colliding, found);
        for (size_t i = 0; i < frame.event_count; i++)
        {
            begins += frame.events[i].kind == GRAZE_EVENT_BEGIN;
            ends += frame.events[i].kind == GRAZE_EVENT_END;
        }
    }
    assert_true(begins > 5 && ends > 5);
    graze_scene_destroy(scene);
}

/* The begin events of all frames together, whatever failed in between, are those of a scene that never failed. */
static void nothing_is_lost_when_memory_runs_out(void **state)
{
    (void)state;
    bool survived = false;
    size_t failures = 0;
    for (size_t allowed = 0; !survived; allowed++)
    {
        test_random random = {5};
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_scene *scene;
        if (graze_scene_create(&context, NULL, &scene) != GRAZE_STATUS_OK)
        {
            assert_int_equal(allocator.live, 0);
            continue;
        }
        survived = true;
        bool collide[OBJECTS][OBJECTS] = {{false}};
        graze_object names[OBJECTS];
        size_t added = 0;
        graze_frame frame;
        for (int step = 0; step < 8; step++)
        {
            for (int i = 0; i < 4; i++)
            {
                graze_object_def def = graze_object_def_default();
                def.mesh = shared.meshes[i];
                def.pose = scene_random_pose(&random, 1.5);
                graze_status status = graze_scene_add(scene, &def, &names[added]);
                survived = survived && status == GRAZE_STATUS_OK;
                added += status == GRAZE_STATUS_OK;
            }
            if (step == 5 && added > 3)
                assert_int_equal(graze_scene_remove(scene, names[2]), GRAZE_STATUS_OK);
            if (step == 7)
                allocator.allowed = SIZE_MAX;
            graze_status status = graze_scene_update(scene, NULL, &frame);
            survived = survived && status == GRAZE_STATUS_OK;
            failures += status != GRAZE_STATUS_OK;
            for (size_t i = 0; status == GRAZE_STATUS_OK && i < frame.event_count; i++)
            {
                bool *now = &collide[frame.events[i].a.index][frame.events[i].b.index];
                assert_int_equal(*now, frame.events[i].kind != GRAZE_EVENT_BEGIN);
                *now = frame.events[i].kind != GRAZE_EVENT_END;
            }
        }
        size_t colliding = 0;
        for (int a = 0; a < OBJECTS; a++)
            for (int b = 0; b < OBJECTS; b++)
                colliding += collide[a][b];
        assert_int_equal(colliding, frame.colliding);
        graze_scene_destroy(scene);
        assert_int_equal(allocator.live, 0);
    }
    printf("%zu updates failed\n", failures);
    assert_true(failures > 20);
}

static void bad_input_has_a_status(void **state)
{
    (void)state;
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    graze_object name = {7, 7}, other;
    def.layer = GRAZE_LAYER_COUNT;
    assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_BAD_ARGUMENT);
    def = graze_object_def_default();
    def.flags = 64;
    assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_BAD_ARGUMENT);
    def = graze_object_def_default();
    def.parent = (graze_object){3, 1};
    assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_BAD_INDEX);
    def = graze_object_def_default();
    def.pose.m[5] = NAN;
    assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_NOT_FINITE);
    def = graze_object_def_default();
    def.mesh = shared.meshes[0];
    def.tree = shared.trees[1];
    assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_BAD_ARGUMENT);
    assert_true(name.index == 7 && name.generation == 7);
    def = graze_object_def_default();
    def.pose = graze_pose_translation(1e308, 0, 0);
    assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_OK);
    def.parent = name;
    def.mesh = shared.meshes[0];
    assert_int_equal(graze_scene_add(scene, &def, &other), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_NOT_FINITE);
    graze_pose pose = graze_pose_identity();
    assert_int_equal(graze_scene_move(scene, name, &pose), GRAZE_STATUS_OK);
    graze_frame frame;
    assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.number, 1);
    assert_int_equal(graze_scene_remove(scene, name), GRAZE_STATUS_OK);
    assert_false(graze_scene_has(scene, other));
    assert_int_equal(graze_scene_object_count(scene), 0);
    assert_int_equal(graze_interest_set_pair(scene, name, other, GRAZE_INTEREST_ANY), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
    graze_scene_destroy(scene);
    graze_scene_destroy(NULL);
}

/* The pose of one child overflows: then nothing has moved, and queries use the old poses. */
static void an_update_that_fails_moves_nothing(void **state)
{
    (void)state;
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    def.mesh = shared.meshes[1]; /* 1 x 1.5 x 0.7 */
    graze_object cube, parent, child;
    assert_int_equal(graze_scene_add(scene, &def, &cube), GRAZE_STATUS_OK);
    def.pose = graze_pose_translation(-50, 0, 0);
    assert_int_equal(graze_scene_add(scene, &def, &parent), GRAZE_STATUS_OK);
    def.parent = parent;
    assert_int_equal(graze_scene_add(scene, &def, &child), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
    graze_pose away = graze_pose_translation(100, 0, 0), far = graze_pose_translation(1e308, 0, 0);
    assert_int_equal(graze_scene_move(scene, cube, &away), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_move(scene, parent, &far), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_move(scene, child, &far), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_NOT_FINITE);
    double here[3] = {0.5, 0, 0}, there[3] = {100.5, 0, 0};
    graze_object_hit met;
    size_t count;
    assert_int_equal(graze_scene_collide_point(scene, here, NULL, NULL, &met, 1, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(met.object.index, cube.index);
    assert_int_equal(graze_scene_collide_point(scene, there, NULL, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 0);
    assert_int_equal(graze_scene_move(scene, child, &away), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_collide_point(scene, there, NULL, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    graze_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(budgets_drop_nothing),
                                       cmocka_unit_test(one_box_test_is_for_one_pair),
                                       cmocka_unit_test(budgets_of_box_tests_drop_nothing_and_repeat),
                                       cmocka_unit_test(cancelled_updates_lose_nothing),
                                       cmocka_unit_test(the_share_of_an_update_with_one_contact_is_at_most_one),
                                       cmocka_unit_test(importance_is_a_number_at_the_ends_of_the_range),
                                       cmocka_unit_test(a_long_question_is_answered_over_many_frames),
                                       cmocka_unit_test(what_a_callback_moves_counts_for_the_next_frame),
                                       cmocka_unit_test(turning_within_the_same_box_is_noticed),
                                       cmocka_unit_test(nothing_is_lost_when_memory_runs_out),
                                       cmocka_unit_test(an_update_that_fails_moves_nothing),
                                       cmocka_unit_test(bad_input_has_a_status)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
