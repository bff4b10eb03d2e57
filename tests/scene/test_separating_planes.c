/* SPDX-License-Identifier: MIT */
/*
 * Scenes find separating planes between meshes that are repeatedly close and keep them from frame to frame. No answer
 * changes: every frame is compared with a query of every pair, while meshes fly close by, are nested, exchanged and
 * replaced.
 */
#include <stdio.h>
#include <stdlib.h>

#include "graze/generate.h"
#include "graze/tasks.h"
#include "scene/scene.h"
#include "support/failing_allocator.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    OBJECTS = 30,
    MESHES = 3,
    FRAMES = 120
};

typedef struct world
{
    graze_mesh *meshes[MESHES];
    graze_tree *trees[MESHES];
    graze_object names[OBJECTS];
    graze_pose poses[OBJECTS];
    size_t mesh_of[OBJECTS];
    double velocities[OBJECTS][3];
    graze_scene *scene;
} world;

static graze_status start(world *w, const graze_context *context, test_random *random)
{
    assert_int_equal(graze_mesh_create_torus(NULL, 0.75, 0.25, 20, 10, &w->meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 4, &w->meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1.5, 0.2, 3, &w->meshes[2]), GRAZE_STATUS_OK);
    for (int i = 0; i < MESHES; i++)
        assert_int_equal(graze_tree_create(NULL, w->meshes[i], NULL, NULL, &w->trees[i]), GRAZE_STATUS_OK);
    graze_status status = graze_scene_create(context, NULL, &w->scene);
    for (size_t i = 0; i < OBJECTS && status == GRAZE_STATUS_OK; i++)
    {
        graze_object_def def = graze_object_def_default();
        w->mesh_of[i] = i % MESHES;
        def.mesh = w->meshes[i % MESHES];
        def.tree = w->trees[i % MESHES];
        def.pose = w->poses[i] = scene_random_pose(random, 2.2);
        for (int k = 0; k < 3; k++)
            w->velocities[i][k] = random_real(random, -0.03, 0.03);
        status = graze_scene_add(w->scene, &def, &w->names[i]);
    }
    return status;
}

static void end(world *w)
{
    graze_scene_destroy(w->scene);
    for (int i = 0; i < MESHES; i++)
    {
        graze_tree_destroy(w->trees[i]);
        graze_mesh_destroy(w->meshes[i]);
    }
}

static void move_all(world *w, test_random *random)
{
    for (size_t i = 0; i < OBJECTS; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            double *x = &w->poses[i].m[4 * k + 3];
            w->velocities[i][k] = *x > 2.2 ? -0.02 : *x < -2.2 ? 0.02 : w->velocities[i][k];
            *x += w->velocities[i][k];
        }
        assert_int_equal(graze_scene_move(w->scene, w->names[i], &w->poses[i]), GRAZE_STATUS_OK);
        if (!random_once_in(random, 300))
            continue;
        w->mesh_of[i] = (w->mesh_of[i] + 1) % MESHES;
        assert_int_equal(graze_scene_set_mesh(w->scene, w->names[i], w->meshes[w->mesh_of[i]], w->trees[w->mesh_of[i]]),
                         GRAZE_STATUS_OK);
    }
}

/* Compares a frame, with stay events, with a query of each pair. Returns how many collide. */
static size_t expect_frame(const world *w, const graze_frame *frame)
{
    size_t next = 0, colliding = 0;
    for (size_t i = 0; i < OBJECTS; i++)
    {
        for (size_t j = i + 1; j < OBJECTS; j++)
        {
            graze_placed_mesh a = {w->meshes[w->mesh_of[i]], w->trees[w->mesh_of[i]], w->poses[i]};
            graze_placed_mesh b = {w->meshes[w->mesh_of[j]], w->trees[w->mesh_of[j]], w->poses[j]};
            bool found = false;
            assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &found, NULL), GRAZE_STATUS_OK);
            bool told =
                next < frame->event_count && frame->events[next].a.index == i && frame->events[next].b.index == j;
            assert_int_equal(found, told && frame->events[next].kind != GRAZE_EVENT_END);
            next += told;
            colliding += found;
        }
    }
    assert_int_equal(next, frame->event_count);
    assert_int_equal(colliding, frame->colliding);
    return colliding;
}

static size_t count_tables(const graze_scene *scene)
{
    size_t tables = 0;
    for (size_t i = 0; i < scene->shared_data.count; i++)
    {
        const grz_derived_data *derived = scene->shared_data.data[i].derived;
        tables += derived != NULL && grz_derived_support_table(derived) != NULL;
    }
    return tables;
}

static size_t count_planes(const graze_scene *scene)
{
    size_t planes = 0;
    for (size_t i = 0; i < scene->contacts.count; i++)
    {
        const grz_contact *contact = &scene->contacts.data[i];
        planes +=
            contact->a != GRZ_NO_OBJECT && !contact->colliding &&
            (contact->separating_axis[0] != 0 || contact->separating_axis[1] != 0 || contact->separating_axis[2] != 0);
    }
    return planes;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

/* Moves the meshes, compares every frame, and returns a hash of all events and witnesses. */
static uint64_t fly(const graze_context *context, test_random random)
{
    world w = {0};
    assert_int_equal(start(&w, context, &random), GRAZE_STATUS_OK);
    size_t colliding = 0, planes = 0, pairs = 0;
    uint64_t hash = 0;
    for (int number = 0; number < FRAMES; number++)
    {
        graze_frame frame;
        assert_int_equal(graze_scene_update(w.scene, NULL, &frame), GRAZE_STATUS_OK);
        colliding += expect_frame(&w, &frame);
        pairs += frame.box_pairs;
        planes += count_planes(w.scene);
        for (size_t i = 0; i < frame.event_count; i++)
        {
            const graze_event *event = &frame.events[i];
            hash = mix(mix(mix(hash, event->kind), event->a.index), event->b.index);
            if (event->has_witness)
                hash = mix(mix(hash, event->witness.triangle_a), event->witness.triangle_b);
        }
        move_all(&w, &random);
    }
    printf("%zu pairs, %zu collide, %zu have planes; %zu tables\n", pairs, colliding, planes, count_tables(w.scene));
    assert_true(colliding > 1000 && planes > 1000 && count_tables(w.scene) == MESHES);
    end(&w);
    return hash;
}

static void planes_change_no_answer(void **state)
{
    (void)state;
    test_random random = test_random_start("planes_change_no_answer", 5);
    uint64_t alone = fly(NULL, random);
    for (uint32_t threads = 2; threads <= 4; threads += 2)
    {
        graze_pool *pool;
        assert_int_equal(graze_pool_create(NULL, threads, &pool), GRAZE_STATUS_OK);
        graze_context context = graze_context_default();
        context.tasks = graze_pool_tasks(pool);
        assert_true(fly(&context, random) == alone);
        graze_pool_destroy(pool);
    }
}

/* Without memory for support tables, queries decide. */
static void without_memory_there_are_no_planes_but_the_same_answers(void **state)
{
    (void)state;
    test_random random = test_random_start("without_memory_there_are_no_planes_but_the_same_answers", 5);
    world w = {0};
    failing_allocator allocator = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&allocator);
    assert_int_equal(start(&w, &context, &random), GRAZE_STATUS_OK);
    size_t failed = 0, succeeded = 0;
    for (int number = 0; number < FRAMES; number++)
    {
        graze_frame frame;
        allocator.allowed = number % 3 == 2 ? SIZE_MAX : allocator.requests + (size_t)random_below(&random, 4);
        graze_status status = graze_scene_update(w.scene, NULL, &frame);
        if (status == GRAZE_STATUS_OK)
            expect_frame(&w, &frame);
        else
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failed += status != GRAZE_STATUS_OK;
        succeeded += status == GRAZE_STATUS_OK;
        allocator.allowed = SIZE_MAX;
        move_all(&w, &random);
    }
    end(&w);
    assert_int_equal(allocator.live, 0);
    printf("%zu updates failed, %zu succeeded\n", failed, succeeded);
    assert_true(failed > 0 && succeeded > FRAMES / 2);
}

/* Meshes that are removed take their tables with them. */
static void tables_of_meshes_that_are_gone_are_forgotten(void **state)
{
    (void)state;
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    size_t most = 0, made = 0;
    for (int round = 0; round < 40; round++)
    {
        graze_mesh *meshes[2];
        graze_object names[2];
        for (int i = 0; i < 2; i++)
        {
            assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 3, &meshes[i]), GRAZE_STATUS_OK);
            graze_object_def def = graze_object_def_default();
            def.mesh = meshes[i];
            def.pose = graze_pose_translation(1.217 * i, 1.0995 * i, 1.1356 * i); /* spheres overlap, meshes do not */
            assert_int_equal(graze_scene_add(scene, &def, &names[i]), GRAZE_STATUS_OK);
        }
        for (int number = 0; number < 6; number++)
        {
            graze_pose pose = graze_pose_translation(1.217, 1.0995 + 1e-6 * number, 1.1356);
            assert_int_equal(graze_scene_move(scene, names[1], &pose), GRAZE_STATUS_OK);
            assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
            size_t count = count_tables(scene);
            made += count > most;
            most = count > most ? count : most;
        }
        for (int i = 0; i < 2; i++)
            assert_int_equal(graze_scene_remove(scene, names[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
        for (int i = 0; i < 2; i++)
            graze_mesh_destroy(meshes[i]);
    }
    printf("%zu tables at most\n", most);
    assert_true(made > 0 && most == 2);
    graze_scene_destroy(scene);
}

/* Two pairs of parallel bars, not axis-aligned, so that their AABBs overlap: small meshes, and some that need more time
   for a table than the frame has. */
static void a_frame_with_a_budget_makes_no_table_that_it_has_no_time_for(void **state)
{
    (void)state;
    enum
    {
        SMALL = 3, /* segments per side */
        LARGE = 90
    };
    graze_scene *scene;
    graze_mesh *meshes[2];
    graze_object names[4];
    graze_pose poses[4];
    const double axis[3] = {0, 0, 1};
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < 4; i++)
    {
        if (i % 2 == 0)
            assert_int_equal(graze_mesh_create_box(NULL, 4, 0.2, 0.2, i == 0 ? SMALL : LARGE, &meshes[i / 2]),
                             GRAZE_STATUS_OK);
        const double at[3] = {0.5 * (i % 2), -0.5 * (i % 2), 9 * (i / 2)};
        assert_int_equal(graze_pose_from_axis_angle(axis, 0.7, at, &poses[i]), GRAZE_STATUS_OK);
        graze_object_def def = graze_object_def_default();
        def.mesh = meshes[i / 2];
        def.pose = poses[i];
        assert_int_equal(graze_scene_add(scene, &def, &names[i]), GRAZE_STATUS_OK);
    }
    size_t counts[2];
    for (int with_budget = 1; with_budget >= 0; with_budget--)
    {
        graze_update_options options = graze_update_options_default();
        options.budget.seconds = with_budget ? 0.02 : 0;
        for (int number = 0; number < 60; number++)
        {
            for (int i = 1; i < 4; i += 2)
            {
                poses[i].m[11] += 1e-6;
                assert_int_equal(graze_scene_move(scene, names[i], &poses[i]), GRAZE_STATUS_OK);
            }
            assert_int_equal(graze_scene_update(scene, &options, NULL), GRAZE_STATUS_OK);
        }
        counts[with_budget] = count_tables(scene);
    }
    printf("%zu tables with a budget, %zu without\n", counts[1], counts[0]);
    assert_true(counts[1] == 1 && counts[0] == 2);
    graze_scene_destroy(scene);
    for (int i = 0; i < 2; i++)
        graze_mesh_destroy(meshes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_with_a_budget_makes_no_table_that_it_has_no_time_for),
        cmocka_unit_test(planes_change_no_answer),
        cmocka_unit_test(without_memory_there_are_no_planes_but_the_same_answers),
        cmocka_unit_test(tables_of_meshes_that_are_gone_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
