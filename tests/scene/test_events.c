/* SPDX-License-Identifier: MIT */
/*
 * Events of a frame, compared with a twin scene that reports everything: a scene that leaves out stay events reports
 * all others and nothing else, whether all contacts were tested or only some, on one thread or two. Objects are added
 * and removed, so that indices are reused, by sensors and others, with another user pointer each time.
 */
#include <stdio.h>

#include "graze/tasks.h"
#include "scene/scene.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    OBJECTS = 60,
    FRAMES = 60
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

/* An object as it was added: its index here is its user pointer. */
typedef struct member
{
    graze_object name;
    bool sensor;
} member;

typedef struct world
{
    graze_scene *scene;
    member members[OBJECTS + FRAMES]; /* removed ones included */
    size_t count;
} world;

static void add(world *w, test_random *random)
{
    member *added = &w->members[w->count];
    size_t mesh = w->count++ % SCENE_MESHES;
    added->sensor = random_below(random, 3) == 0;
    graze_object_def def = graze_object_def_default();
    def.mesh = shared.meshes[mesh];
    def.tree = shared.trees[mesh];
    def.pose = scene_random_pose(random, 3);
    def.flags = added->sensor ? GRAZE_OBJECT_SENSOR : 0;
    def.user = added;
    assert_int_equal(graze_scene_add(w->scene, &def, &added->name), GRAZE_STATUS_OK);
}

static void make(world *w, const graze_context *context, bool leave_out_stays, test_random random)
{
    graze_scene_def def = graze_scene_def_default();
    def.leave_out_stays = leave_out_stays;
    assert_int_equal(graze_scene_create(context, &def, &w->scene), GRAZE_STATUS_OK);
    for (w->count = 0; w->count < OBJECTS;)
        add(w, &random);
}

/* Moves all or some objects, and replaces one. The same for worlds with equal seeds. */
static void stir(world *w, test_random random, bool all)
{
    size_t gone = (size_t)random_below(&random, (int)w->count);
    graze_scene_remove(w->scene, w->members[gone].name); /* unless it was removed long ago */
    for (size_t i = 0; i < w->count; i++)
    {
        graze_placed_mesh placed;
        double step = 0.1 * ((double)random_below(&random, 2000) / 1000 - 1);
        bool moves = random_below(&random, 3) == 0 || all;
        if (!moves || graze_scene_placed_mesh(w->scene, w->members[i].name, &placed, NULL) != GRAZE_STATUS_OK)
            continue;
        placed.pose.m[3] += step;
        assert_int_equal(graze_scene_move(w->scene, w->members[i].name, &placed.pose), GRAZE_STATUS_OK);
    }
    add(w, &random);
}

static bool is_same_name(graze_object a, graze_object b)
{
    return a.index == b.index && a.generation == b.generation;
}

/* An event has the data with which its objects were added. */
static void expect_labels(const graze_event *event)
{
    const member *a = event->user_a, *b = event->user_b;
    assert_true(is_same_name(event->a, a->name) && is_same_name(event->b, b->name));
    assert_true(event->a.index < event->b.index);
    assert_true(event->sensor == (a->sensor || b->sensor));
}

typedef struct tally
{
    size_t told, stays, reused, whole; /* frames that tested all contacts */
} tally;

/* The events of `all` except stays are those of `some`. */
static void compare(const graze_frame *all, const graze_frame *some, tally *sum)
{
    size_t next = 0;
    for (size_t i = 0; i < all->event_count; i++)
    {
        const graze_event *event = &all->events[i];
        expect_labels(event);
        sum->reused += event->a.generation > 1;
        sum->stays += event->kind == GRAZE_EVENT_STAY;
        if (event->kind == GRAZE_EVENT_STAY)
            continue;
        assert_true(next < some->event_count);
        const graze_event *twin = &some->events[next++];
        expect_labels(twin);
        assert_true(twin->kind == event->kind && is_same_name(twin->a, event->a) && is_same_name(twin->b, event->b));
        assert_true(twin->has_witness == event->has_witness && twin->frame == event->frame);
        assert_int_equal(twin->witness.triangle_a, event->witness.triangle_a);
        assert_int_equal(twin->witness.triangle_b, event->witness.triangle_b);
        sum->told++;
    }
    assert_int_equal(next, some->event_count);
    assert_int_equal(some->colliding, all->colliding);
    sum->whole += some->examined == some->box_pairs && some->examined > 0;
}

static void run_both(test_random random, const graze_context *context, bool all_move, tally *sum)
{
    static world all, some;
    make(&all, NULL, false, random);
    make(&some, context, true, random);
    for (int number = 0; number < FRAMES; number++)
    {
        graze_frame expected, frame;
        assert_int_equal(graze_scene_update(all.scene, NULL, &expected), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(some.scene, NULL, &frame), GRAZE_STATUS_OK);
        compare(&expected, &frame, sum);
        stir(&all, random, all_move);
        stir(&some, random, all_move);
        random_below(&random, 2);
    }
    graze_scene_destroy(all.scene);
    graze_scene_destroy(some.scene);
}

static void leaving_out_stays_leaves_out_nothing_else(void **state)
{
    (void)state;
    test_random random = test_random_start("leaving_out_stays_leaves_out_nothing_else", 31);
    graze_pool *pool;
    assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
    graze_context threads = graze_context_default();
    threads.tasks = graze_pool_tasks(pool);
    for (int way = 0; way < 4; way++)
    {
        tally sum = {0};
        run_both(random, way % 2 == 0 ? NULL : &threads, way < 2, &sum);
        printf("%zu told, %zu stays left out, %zu of indices used before, %zu whole frames\n", sum.told, sum.stays,
               sum.reused, sum.whole);
        assert_true(sum.told > 500 && sum.stays > 500 && sum.reused > 100);
        assert_true(way < 2 ? sum.whole > FRAMES / 2 : sum.whole < FRAMES / 2);
    }
    graze_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaving_out_stays_leaves_out_nothing_else)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
