/* SPDX-License-Identifier: MIT */
/*
 * Pairs of the last frame are tested while objects are placed and the broad phase runs. Tasks that run in reverse order
 * are the extreme case: all pairs are tested before the broad phase begins, also those that end, where so many objects
 * are placed that placing comes first. Frames must be the same as on one thread, also after an update that failed.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "graze/generate.h"
#include "graze/interest.h"
#include "graze/tasks.h"
#include "scene/narrow_phase.h"
#include "scene/scene.h"
#include "support/failing_allocator.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    OBJECTS = 60,
    FRAMES = TEST_ROUNDS(120),
    OTHERS = 4200,    /* moving objects without a mesh: so many that placing runs in parallel, before tests ahead */
    FEW_OTHERS = 3000 /* or fewer: placing runs beside tests ahead */
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

/* Tasks that run serially in reverse order, or in order: then nothing is tested ahead. */
typedef struct backwards
{
    bool forwards;
    const graze_scene *scene; /* NULL until it is created */
    size_t ahead, in_vain;    /* contacts that were tested ahead, and how many of these ended */
    graze_tasks pool;         /* if not NULL, runs the tasks */
} backwards;

static void run_backwards(void *user, size_t count, void (*task)(void *argument, size_t index), void *argument)
{
    backwards *b = user;
    for (size_t i = 0; i < count && b->pool.run == NULL; i++)
        task(argument, b->forwards ? i : count - 1 - i);
    if (b->pool.run != NULL)
        b->pool.run(b->pool.user, count, task, argument);
    for (size_t i = 0; b->scene != NULL && i < b->scene->contacts.count; i++)
    {
        /* Before contacts are updated all tested ahead are counted, afterwards those that end. */
        const grz_contact *contact = &b->scene->contacts.data[i];
        b->ahead += contact->queued == GRZ_TESTED_AHEAD && !contact->ending;
        b->in_vain += contact->queued == GRZ_TESTED_AHEAD && contact->ending;
    }
}

/* A scene, and a mesh that is destroyed as soon as its object is removed. */
typedef struct world
{
    graze_scene *scene;
    graze_object names[OBJECTS], others[OTHERS];
    int other_count;
    graze_mesh *own;
    graze_object owner;
} world;

static void add_owner(world *w, const graze_pose *pose)
{
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 4, &w->own), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    def.mesh = w->own;
    def.pose = *pose;
    assert_int_equal(graze_scene_add(w->scene, &def, &w->owner), GRAZE_STATUS_OK);
}

static void remove_owner(world *w)
{
    assert_int_equal(graze_scene_remove(w->scene, w->owner), GRAZE_STATUS_OK);
    graze_mesh_destroy(w->own);
    w->own = NULL;
}

/* Before anything else moves. */
static void move_others(world *w, int number)
{
    graze_pose pose = graze_pose_translation(number, 0, 0);
    for (int i = 0; i < w->other_count; i++)
        assert_int_equal(graze_scene_move(w->scene, w->others[i], &pose), GRAZE_STATUS_OK);
}

static void make(world *w, const graze_context *context, test_random random, int other_count)
{
    graze_pose poses[OBJECTS], middle = graze_pose_identity();
    assert_int_equal(graze_scene_create(context, NULL, &w->scene), GRAZE_STATUS_OK);
    graze_object_def other = graze_object_def_default();
    for (w->other_count = 0; w->other_count < other_count; w->other_count++)
        assert_int_equal(graze_scene_add(w->scene, &other, &w->others[w->other_count]), GRAZE_STATUS_OK);
    scene_meshes_fill(&shared, &random, w->scene, OBJECTS, 3, 0, w->names, poses);
    add_owner(w, &middle);
}

static void end(world *w)
{
    graze_scene_destroy(w->scene);
    graze_mesh_destroy(w->own);
}

/* Two of three objects move a little, some jump, some get another mesh, some are excluded by interest rules, and one is
   replaced. The same for worlds with equal seeds. */
static void stir(world *w, test_random random, int number)
{
    move_others(w, number + 1);
    for (int i = 0; i < OBJECTS; i++)
    {
        graze_placed_mesh placed;
        int what = random_below(&random, 30);
        graze_pose jump = scene_random_pose(&random, 3);
        assert_int_equal(graze_scene_placed_mesh(w->scene, w->names[i], &placed, NULL), GRAZE_STATUS_OK);
        for (int axis = 0; axis < 3; axis++)
            placed.pose.m[4 * axis + 3] += 0.1 * ((double)random_below(&random, 2000) / 1000 - 1);
        if (what < 20)
            assert_int_equal(graze_scene_move(w->scene, w->names[i], what == 0 ? &jump : &placed.pose),
                             GRAZE_STATUS_OK);
        if (what == 1)
            assert_int_equal(graze_scene_set_mesh(w->scene, w->names[i], shared.meshes[i % SCENE_MESHES],
                                                  number % 2 == 0 ? shared.trees[i % SCENE_MESHES] : NULL),
                             GRAZE_STATUS_OK);
        if (what == 2)
            assert_int_equal(graze_interest_set_pair(w->scene, w->names[i], w->names[(i + 7) % OBJECTS],
                                                     number % 2 == 0 ? GRAZE_INTEREST_NONE : GRAZE_INTEREST_UNSET),
                             GRAZE_STATUS_OK);
    }
    if (number % 5 == 4)
    {
        graze_pose pose = scene_random_pose(&random, 1);
        remove_owner(w);
        add_owner(w, &pose);
    }
}

static void expect_same(const graze_frame *a, const graze_frame *b)
{
    assert_int_equal(a->event_count, b->event_count);
    assert_int_equal(a->box_pairs, b->box_pairs);
    assert_int_equal(a->examined, b->examined);
    assert_int_equal(a->colliding, b->colliding);
    assert_int_equal(a->moved_count, b->moved_count);
    for (size_t i = 0; i < a->event_count; i++)
    {
        const graze_event *x = &a->events[i], *y = &b->events[i];
        assert_true(x->kind == y->kind && x->a.index == y->a.index && x->b.index == y->b.index);
        assert_true(x->has_witness == y->has_witness && x->frame == y->frame);
        assert_int_equal(x->witness.triangle_a, y->witness.triangle_a);
        assert_int_equal(x->witness.triangle_b, y->witness.triangle_b);
    }
}

/* Compares frames on one thread with frames on these tasks. Returns how many pairs were tested ahead; some must end. */
static size_t compare_frames(test_random random, backwards *order, uint32_t concurrency, int other_count)
{
    graze_context context = graze_context_default();
    context.tasks = (graze_tasks){run_backwards, concurrency, order};
    static world alone, ahead;
    alone = ahead = (world){0};
    make(&alone, NULL, random, other_count);
    make(&ahead, &context, random, other_count);
    order->scene = ahead.scene;
    size_t ends = 0, examined = 0;
    for (int number = 0; number < FRAMES; number++)
    {
        graze_frame expected, frame;
        assert_int_equal(graze_scene_update(alone.scene, NULL, &expected), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(ahead.scene, NULL, &frame), GRAZE_STATUS_OK);
        expect_same(&expected, &frame);
        for (size_t i = 0; i < frame.event_count; i++)
            ends += frame.events[i].kind == GRAZE_EVENT_END;
        examined += frame.examined;
        stir(&alone, random, number);
        stir(&ahead, random, number);
        random_below(&random, 2);
    }
    printf("%zu looked at, %zu ahead, %zu in vain; %zu ends\n", examined, order->ahead, order->in_vain, ends);
    assert_true(ends > 100);
    end(&alone);
    end(&ahead);
    return examined;
}

static void frames_are_the_same_when_pairs_are_looked_at_ahead(void **state)
{
    (void)state;
    test_random random = test_random_start("frames_are_the_same_when_pairs_are_looked_at_ahead", 11);
    backwards order = {0};
    size_t examined = compare_frames(random, &order, 2, OTHERS);
    assert_true(order.ahead > examined / 4 && order.in_vain > 100);
}

static void pairs_wait_until_their_objects_are_placed(void **state)
{
    (void)state;
    test_random random = test_random_start("pairs_wait_until_their_objects_are_placed", 13);
    backwards order = {0};
    compare_frames(random, &order, 2, FEW_OTHERS);
    assert_int_equal(order.ahead, 0); /* since nothing is placed when they run, and polling is bounded */
}

/* How many are tested ahead depends on the machine; with several processors it is more than 0 eventually. */
static void frames_are_the_same_when_threads_look_ahead_while_objects_are_placed(void **state)
{
    (void)state;
    test_random random = test_random_start("frames_are_the_same_when_threads_look_ahead_while_objects_are_placed", 14);
    size_t ahead = 0;
    for (int round = 0; round < 3 || (round < 30 && ahead == 0); round++)
    {
        graze_pool *pool;
        uint32_t threads = 2 + (uint32_t)round % 3;
        assert_int_equal(graze_pool_create(NULL, threads, &pool), GRAZE_STATUS_OK);
        backwards order = {.pool = graze_pool_tasks(pool)};
        compare_frames(random, &order, threads, FEW_OTHERS);
        ahead += order.ahead;
        graze_pool_destroy(pool);
    }
    assert_true(ahead > 0 || sysconf(_SC_NPROCESSORS_ONLN) < 2);
}

/* Pairs that collide after this frame. */
static size_t list_colliding(const graze_frame *frame, uint64_t *pairs)
{
    size_t count = 0;
    for (size_t i = 0; i < frame->event_count; i++)
        if (frame->events[i].kind != GRAZE_EVENT_END)
            pairs[count++] = (uint64_t)frame->events[i].a.index << 32 | frame->events[i].b.index;
    return count;
}

/* All objects approach the centre, or move away from it, so that more and more pairs need memory, or end. */
static void crowd_together(world *w, double factor)
{
    for (int i = 0; i < OBJECTS; i++)
    {
        graze_placed_mesh placed;
        assert_int_equal(graze_scene_placed_mesh(w->scene, w->names[i], &placed, NULL), GRAZE_STATUS_OK);
        for (int axis = 0; axis < 3; axis++)
            placed.pose.m[4 * axis + 3] *= factor;
        assert_int_equal(graze_scene_move(w->scene, w->names[i], &placed.pose), GRAZE_STATUS_OK);
    }
}

typedef struct tally
{
    size_t failures, failed_ahead, compared;
} tally;

/* Every other update tests ahead and may run out of memory, the later the larger `mercy`; the next one does neither. */
static void crowd_with_failures(test_random random, size_t mercy, tally *sum)
{
    static uint64_t expected_pairs[OBJECTS * OBJECTS], pairs[OBJECTS * OBJECTS];
    backwards order = {0};
    failing_allocator allocator = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&allocator);
    context.tasks = (graze_tasks){run_backwards, 2, &order};
    static world alone, ahead;
    alone = ahead = (world){0};
    make(&alone, NULL, random, OTHERS);
    make(&ahead, &context, random, OTHERS);
    order.scene = ahead.scene;
    for (int number = 0; number < 12; number++)
    {
        graze_frame expected, frame;
        size_t before = order.ahead;
        order.forwards = number % 2 == 0;
        allocator.allowed = number % 2 == 0 ? SIZE_MAX : allocator.requests + mercy;
        assert_int_equal(graze_scene_update(alone.scene, NULL, &expected), GRAZE_STATUS_OK);
        graze_status status = graze_scene_update(ahead.scene, NULL, &frame);
        allocator.allowed = SIZE_MAX;
        sum->failures += status != GRAZE_STATUS_OK;
        sum->failed_ahead += status != GRAZE_STATUS_OK && order.ahead > before;
        if (status == GRAZE_STATUS_OK)
        {
            size_t count = list_colliding(&expected, expected_pairs);
            assert_int_equal(list_colliding(&frame, pairs), count);
            assert_memory_equal(pairs, expected_pairs, count * sizeof *pairs);
            sum->compared += count;
        }
        else
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        double factor = number % 4 == 1 ? 2 : 0.7;
        move_others(&alone, number + 1);
        move_others(&ahead, number + 1);
        crowd_together(&alone, factor);
        crowd_together(&ahead, factor);
    }
    end(&alone);
    end(&ahead);
    assert_int_equal(allocator.live, 0);
}

static void what_was_looked_at_ahead_of_a_failure_is_looked_at_again(void **state)
{
    (void)state;
    test_random random = test_random_start("what_was_looked_at_ahead_of_a_failure_is_looked_at_again", 12);
    tally sum = {0};
    for (size_t round = 0; round < TEST_ROUNDS(40); round++)
    {
        crowd_with_failures(random, round / 4, &sum);
        random_below(&random, 2);
    }
    printf("%zu updates failed, %zu of them after looking ahead; %zu pairs collided\n", sum.failures, sum.failed_ahead,
           sum.compared);
    assert_true(sum.failures > 20 && sum.failed_ahead > 20 && sum.compared > 1000);
}

/* What is tested ahead has no budget. */
static void nothing_is_looked_at_ahead_within_a_budget(void **state)
{
    (void)state;
    test_random random = test_random_start("nothing_is_looked_at_ahead_within_a_budget", 15);
    backwards order = {0};
    graze_context context = graze_context_default();
    context.tasks = (graze_tasks){run_backwards, 2, &order};
    static world w;
    w = (world){0};
    make(&w, &context, random, OTHERS);
    order.scene = w.scene;
    size_t ahead = 0;
    for (int number = 0; number < 12; number++)
    {
        graze_update_options options = graze_update_options_default();
        size_t before = order.ahead;
        options.budget.seconds = number % 2 == 1 ? 1000 : 0;
        assert_int_equal(graze_scene_update(w.scene, &options, NULL), GRAZE_STATUS_OK);
        ahead += order.ahead - before;
        assert_true(number % 2 == 0 || order.ahead == before);
        stir(&w, random, number);
        random_below(&random, 2);
    }
    assert_true(ahead > 50);
    end(&w);
}

/* Any request for memory of an update is refused: the next one tests nothing ahead, also where it was the report that
   failed, after all pairs of the list were decided. */
static void nothing_is_looked_at_ahead_after_a_failure(void **state)
{
    (void)state;
    test_random random = test_random_start("nothing_is_looked_at_ahead_after_a_failure", 16);
    backwards order = {0};
    failing_allocator allocator = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&allocator);
    context.tasks = (graze_tasks){run_backwards, 2, &order};
    static world w;
    w = (world){0};
    make(&w, &context, random, OTHERS);
    order.scene = w.scene;
    size_t failures = 0, decided = 0, ahead = 0;
    assert_int_equal(graze_scene_update(w.scene, NULL, NULL), GRAZE_STATUS_OK);
    for (int number = 0; number < 60; number++)
    {
        size_t before = order.ahead;
        crowd_together(&w, number < 30 ? 0.9 : 1.1);
        move_others(&w, 2 * number);
        order.forwards = true;
        allocator.allowed = allocator.requests + (size_t)number % 6;
        graze_status status = graze_scene_update(w.scene, NULL, NULL);
        allocator.allowed = SIZE_MAX;
        order.forwards = false;
        decided += status != GRAZE_STATUS_OK && w.scene->last_queue_count >= GRZ_FEW_FOR_THREADS;
        move_others(&w, 2 * number + 1);
        crowd_together(&w, 0.99);
        assert_int_equal(graze_scene_update(w.scene, NULL, NULL), GRAZE_STATUS_OK);
        assert_true(status == GRAZE_STATUS_OK || order.ahead == before);
        failures += status != GRAZE_STATUS_OK;
        ahead += order.ahead - before;
    }
    printf("%zu failures, %zu of them after all was decided; %zu looked at ahead of others\n", failures, decided,
           ahead);
    assert_true(failures > 3 && decided > 0 && ahead > 50);
    end(&w);
    assert_int_equal(allocator.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_the_same_when_pairs_are_looked_at_ahead),
        cmocka_unit_test(pairs_wait_until_their_objects_are_placed),
        cmocka_unit_test(frames_are_the_same_when_threads_look_ahead_while_objects_are_placed),
        cmocka_unit_test(nothing_is_looked_at_ahead_within_a_budget),
        cmocka_unit_test(nothing_is_looked_at_ahead_after_a_failure),
        cmocka_unit_test(what_was_looked_at_ahead_of_a_failure_is_looked_at_again),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
