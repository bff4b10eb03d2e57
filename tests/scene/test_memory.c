/* SPDX-License-Identifier: MIT */
/* The memory size that a scene reports is what it has allocated. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    OBJECTS = 120,
    FRAMES = 30,
    SMALL_THINGS = 4096, /* blocks of fixed size may be left out; nothing that grows with objects and pairs */
    HEADER = 64          /* header of each block, which keeps the alignment; its first bytes are the size */
};

static void *count_allocate(void *user, size_t size)
{
    char *block = malloc(size + HEADER);
    if (block == NULL)
        return NULL;
    memcpy(block, &size, sizeof size);
    *(size_t *)user += size;
    return block + HEADER;
}

static void count_release(void *user, void *memory)
{
    if (memory == NULL)
        return;
    size_t size;
    memcpy(&size, (char *)memory - HEADER, sizeof size);
    *(size_t *)user -= size;
    free((char *)memory - HEADER);
}

static void *count_reallocate(void *user, void *memory, size_t size)
{
    void *other = count_allocate(user, size);
    if (other == NULL || memory == NULL)
        return other;
    size_t before;
    memcpy(&before, (char *)memory - HEADER, sizeof before);
    memcpy(other, memory, before < size ? before : size);
    count_release(user, memory);
    return other;
}

static void a_scene_tells_all_it_has_asked_for(void **state)
{
    (void)state;
    test_random random = test_random_start("a_scene_tells_all_it_has_asked_for", 61);
    scene_meshes shapes;
    scene_meshes_make(&shapes);
    size_t live = 0;
    graze_context context = graze_context_default();
    context.allocator = (graze_allocator){count_allocate, count_reallocate, count_release, &live};
    graze_scene *scene = NULL;
    graze_object names[OBJECTS];
    graze_pose poses[OBJECTS];
    assert_int_equal(graze_scene_create(&context, NULL, &scene), GRAZE_STATUS_OK);
    scene_meshes_fill(&shapes, &random, scene, OBJECTS, 4, 0, names, poses);
    size_t pairs = 0;
    for (int frame = 0; frame < FRAMES; frame++)
    {
        for (int i = 0; i < OBJECTS; i++)
        {
            poses[i].m[3] += 0.01;
            assert_int_equal(graze_scene_move(scene, names[i], &poses[i]), GRAZE_STATUS_OK);
        }
        graze_frame result;
        assert_int_equal(graze_scene_update(scene, NULL, &result), GRAZE_STATUS_OK);
        pairs += result.event_count;
        size_t told = graze_scene_memory_size(scene);
        assert_true(told <= live && live - told < SMALL_THINGS);
    }
    assert_true(pairs > FRAMES);
    graze_scene_destroy(scene);
    assert_int_equal(live, 0);
    scene_meshes_release(&shapes);
}

/* Two nested spheres a small gap apart: their query does not end within a frame's budget and is kept as a search, with
   its stack of node pairs. */
static void searches_kept_from_frame_to_frame_are_counted(void **state)
{
    (void)state;
    enum
    {
        BOX_TESTS = 20000 /* of a frame; the query takes several frames */
    };
    size_t live = 0, kept = 0, decided = 0;
    graze_context context = graze_context_default();
    context.allocator = (graze_allocator){count_allocate, count_reallocate, count_release, &live};
    graze_mesh *meshes[2];
    graze_tree *trees[2];
    graze_scene *scene;
    graze_object names[2];
    graze_update_options options = graze_update_options_default();
    options.budget.box_tests = BOX_TESTS;
    assert_int_equal(graze_scene_create(&context, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_object_def def = graze_object_def_default();
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1 + 0.001 * i, 60, &meshes[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        def.mesh = meshes[i];
        def.tree = trees[i];
        assert_int_equal(graze_scene_add(scene, &def, &names[i]), GRAZE_STATUS_OK);
    }
    for (int frame = 0; frame < 200 && decided == 0; frame++)
    {
        graze_frame result;
        assert_int_equal(graze_scene_update(scene, &options, &result), GRAZE_STATUS_OK);
        size_t told = graze_scene_memory_size(scene);
        assert_true(told <= live && live - told < SMALL_THINGS);
        decided += result.undecided_count == 0;
        kept += result.undecided_count > 0 && frame > 0;
    }
    printf("a search was kept for %zu frames\n", kept);
    assert_true(decided == 1 && kept > 1);
    graze_scene_destroy(scene);
    assert_int_equal(live, 0);
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(trees[i]);
        graze_mesh_destroy(meshes[i]);
    }
}

/* Solids are added to and removed from a large one, each with its own mesh, which stays allocated. */
static void what_is_known_of_bodies_that_are_gone_is_forgotten(void **state)
{
    (void)state;
    enum
    {
        ROUNDS = 400,
        FIRST_ROUNDS = 40 /* after which no more memory is needed */
    };
    graze_mesh *meshes[ROUNDS];
    graze_scene *scene = NULL;
    graze_object name;
    graze_frame frame;
    size_t needed = 0, inside = 0;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < ROUNDS; i++)
    {
        graze_object_def def = graze_object_def_default();
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, i == 0 ? 1 : 0.2, 2, &meshes[i]), GRAZE_STATUS_OK);
        def.mesh = meshes[i];
        def.flags = GRAZE_OBJECT_SOLID;
        assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
        inside += frame.colliding;
        if (i > 0)
            assert_int_equal(graze_scene_remove(scene, name), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
        needed = i < FIRST_ROUNDS && graze_scene_memory_size(scene) > needed ? graze_scene_memory_size(scene) : needed;
    }
    assert_int_equal(inside, ROUNDS - 1);
    assert_true(graze_scene_memory_size(scene) <= needed);
    graze_scene_destroy(scene);
    for (int i = 0; i < ROUNDS; i++)
        graze_mesh_destroy(meshes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_scene_tells_all_it_has_asked_for),
                                       cmocka_unit_test(searches_kept_from_frame_to_frame_are_counted),
                                       cmocka_unit_test(what_is_known_of_bodies_that_are_gone_is_forgotten)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
