/* SPDX-License-Identifier: MIT */
/*
 * Poses and boxes in the world, level by level of the hierarchy, as far down as something moved (Zachmann, 6.0.1).
 * Objects of one level depend on those above only, so that each level may be shared among threads.
 */
#include <stdatomic.h>

#include "base/tasks.h"
#include "mesh/mesh.h"
#include "scene/broad.h"
#include "scene/scene.h"

enum
{
    CHUNK = 256 /* objects a task */
};

typedef struct level_work
{
    graze_scene *scene;
    atomic_bool overflow;
} level_work;

static void place_one(level_work *work, uint32_t index)
{
    const graze_scene *scene = work->scene;
    const grz_object_record *record = &scene->objects.data[index];
    grz_placement *placement = &scene->placements.data[record->placement];
    *placement = (grz_placement){.world = record->pose};
    if (record->parent != GRZ_NO_OBJECT)
    {
        const grz_object_record *parent = &scene->objects.data[record->parent];
        const graze_pose *outer = parent->reached ? &scene->placements.data[parent->placement].world : &parent->world;
        if (graze_pose_compose(outer, &record->pose, &placement->world, NULL) != GRAZE_STATUS_OK)
            atomic_store(&work->overflow, true);
    }
    if (record->mesh != NULL && record->mesh->triangle_count > 0)
        grz_placed_bounds(record->mesh, &placement->world, &placement->box, &placement->ball);
}

static void place_chunk(void *argument, size_t chunk)
{
    level_work *work = argument;
    size_t end = (chunk + 1) * CHUNK < work->scene->level.count ? (chunk + 1) * CHUNK : work->scene->level.count;
    for (size_t i = chunk * CHUNK; i < end; i++)
        place_one(work, work->scene->level.data[i]);
}

static bool add_to_level(graze_scene *scene, uint32_t index)
{
    grz_object_record *record = &scene->objects.data[index];
    if (record->reached || record->state != GRZ_OBJECT_ALIVE)
        return true;
    size_t place = scene->placed.count;
    if (!GRZ_RESERVE(&scene->context, &scene->placements, place + 1) ||
        !GRZ_PUSH(&scene->context, &scene->level, index) || !GRZ_PUSH(&scene->context, &scene->placed, index))
        return false;
    record->placement = (uint32_t)place;
    record->reached = true;
    return true;
}

/* The level after `level`: children of its objects. */
static bool go_down(graze_scene *scene)
{
    scene->next_level.count = 0;
    for (size_t i = 0; i < scene->level.count; i++)
        for (uint32_t child = scene->objects.data[scene->level.data[i]].first_child; child != GRZ_NO_OBJECT;
             child = scene->objects.data[child].next_sibling)
            if (!GRZ_PUSH(&scene->context, &scene->next_level, child))
                return false;
    scene->level.count = 0;
    for (size_t i = 0; i < scene->next_level.count; i++)
        if (!add_to_level(scene, scene->next_level.data[i]))
            return false;
    return true;
}

/* The noted objects by level, in scene->keyed. */
static bool sort_by_level(graze_scene *scene)
{
    size_t count = scene->noted.count;
    if (!GRZ_RESERVE(&scene->context, &scene->keyed, 2 * count))
        return false;
    for (size_t i = 0; i < count; i++)
    {
        uint32_t index = scene->noted.data[i];
        scene->keyed.data[i] = (grz_keyed){scene->objects.data[index].level, index};
    }
    grz_sort_keyed(scene->keyed.data, scene->keyed.data + count, count);
    return true;
}

static graze_status place_levels(graze_scene *scene)
{
    level_work work = {.scene = scene};
    atomic_init(&work.overflow, false);
    scene->level.count = scene->placed.count = 0;
    if (!sort_by_level(scene))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    uint64_t level = 0;
    for (size_t next = 0; next < scene->noted.count || scene->level.count > 0; level++)
    {
        if (scene->level.count == 0)
            level = scene->keyed.data[next].key;
        for (; next < scene->noted.count && scene->keyed.data[next].key == level; next++)
            if (!add_to_level(scene, (uint32_t)scene->keyed.data[next].value))
                return GRAZE_STATUS_OUT_OF_MEMORY;
        grz_tasks_run(&scene->context, (scene->level.count + CHUNK - 1) / CHUNK, place_chunk, &work);
        if (atomic_load(&work.overflow))
            return GRAZE_STATUS_NOT_FINITE;
        if (!go_down(scene))
            return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    return GRAZE_STATUS_OK;
}

/* Says what became of an object's box. */
static graze_status tell_broad(graze_scene *scene, uint32_t index, const graze_box *box)
{
    grz_object_record *record = &scene->objects.data[index];
    bool wants = record->state == GRZ_OBJECT_ALIVE && record->mesh != NULL && record->mesh->triangle_count > 0;
    graze_status status = GRAZE_STATUS_OK;
    if (wants && !record->boxed)
        status = graze_broad_insert(scene->broad, index, box);
    else if (wants)
        status = graze_broad_move(scene->broad, index, box);
    else if (record->boxed)
        status = graze_broad_remove(scene->broad, index);
    if (status != GRAZE_STATUS_OK)
        return status;
    record->boxed = wants;
    if (wants)
        grz_broad_touch(scene->broad, index); /* the mesh may have turned within the same box */
    return GRAZE_STATUS_OK;
}

/* What the record was placed with, its own share of a tree included. */
static void adopt(graze_scene *scene, grz_object_record *record, const grz_placement *placement)
{
    record->world = placement->world;
    record->box = placement->box;
    record->ball = placement->ball;
    if (record->shared_tree != 0)
        scene->trees.data[record->shared_tree - 1].users++;
    if (record->placed_shared_tree != 0)
        grz_scene_release_tree(scene, record->placed_shared_tree - 1);
    record->placed_shared_tree = record->shared_tree;
    if (record->placed_mesh != record->mesh || record->placed_tree != record->tree)
        record->reach = NULL;
    record->placed_mesh = record->mesh;
    record->placed_tree = record->tree;
    record->placed = true;
}

graze_status grz_scene_place(graze_scene *scene)
{
    graze_status status = place_levels(scene);
    for (size_t i = 0; i < scene->placed.count; i++)
        scene->objects.data[scene->placed.data[i]].reached = false;
    for (size_t i = 0; i < scene->dying.count && status == GRAZE_STATUS_OK; i++)
        status = tell_broad(scene, scene->dying.data[i], NULL);
    for (size_t i = 0; i < scene->placed.count && status == GRAZE_STATUS_OK; i++)
        status = tell_broad(scene, scene->placed.data[i], &scene->placements.data[i].box);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (size_t i = 0; i < scene->placed.count; i++)
        adopt(scene, &scene->objects.data[scene->placed.data[i]], &scene->placements.data[i]);
    for (size_t i = 0; i < scene->noted.count; i++)
        scene->objects.data[scene->noted.data[i]].noted = false;
    scene->noted.count = 0;
    return GRAZE_STATUS_OK;
}
