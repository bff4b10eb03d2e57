/* SPDX-License-Identifier: MIT */
/*
 * World poses and boxes of the objects that moved and their descendants (Zachmann, 6.0.1). Poses of objects with
 * parents come first, level by level: objects of one level depend only on levels above, so that threads may share a
 * level. The poses are stored in an array of their own until all are known to be finite and to suit the shapes of their
 * objects. After that nothing can fail, since memory is reserved: so every object is placed in its record, by any
 * number of threads.
 */
#include <stdatomic.h>

#include "base/environment.h"
#include "base/tasks.h"
#include "broad/broad_phase.h"
#include "mesh/mesh.h"
#include "scene/scene.h"

enum
{
    CHUNK = 256,        /* objects per task */
    FEW_AT_A_TIME = 16, /* objects after which waiting threads are notified */
    FEW_FOR_THREADS =
        4096 /* objects that one thread places faster than several, which would move them between caches */
};

typedef struct level_work
{
    graze_scene *scene;
    atomic_int
        status; /* NOT_FINITE if any pose is; else of an object that a shape does not suit: of the least status */
} level_work;

static size_t chunk_count(size_t count)
{
    return (count + CHUNK - 1) / CHUNK;
}

static size_t chunk_end(size_t chunk, size_t count)
{
    return (chunk + 1) * CHUNK < count ? (chunk + 1) * CHUNK : count;
}

/* Calls task(argument, chunk) for all chunks of `count` objects. */
static void run_chunks(const graze_scene *scene, size_t count, grz_task_function task, void *argument)
{
    if (count >= FEW_FOR_THREADS)
        grz_parallel_for(&scene->context, chunk_count(count), task, argument);
    else
        for (size_t chunk = 0; chunk < chunk_count(count); chunk++)
            task(argument, chunk);
}

/* The new world pose of an object, or its current one if it is not being placed. */
static const graze_pose *world_pose_of(const graze_scene *scene, uint32_t index)
{
    const grz_object_record *record = &scene->objects.data[index];
    if (scene->placed_ranks.data[index] == 0)
        return &scene->world_states.data[index].world;
    return record->parent != GRZ_NO_OBJECT ? &scene->world_poses.data[scene->placed_ranks.data[index] - 1]
                                           : &record->pose;
}

/* The same status whichever thread comes first. */
static void report_pose(level_work *work, graze_status status)
{
    int known = atomic_load(&work->status), mine = (int)status;
    while ((known == GRAZE_STATUS_OK || mine < known) && !atomic_compare_exchange_weak(&work->status, &known, mine))
        continue;
}

/* Composes the world poses of objects with parents: in the usual environment, so that they do not depend on that of the
   caller, nor on which thread composes them. */
static void compose_chunk(void *argument, size_t chunk)
{
    level_work *work = argument;
    const graze_scene *scene = work->scene;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    size_t end = chunk_end(chunk, scene->level.count);
    for (size_t i = chunk * CHUNK; i < end; i++)
    {
        uint32_t index = scene->level.data[i];
        const grz_object_record *record = &scene->objects.data[index];
        const graze_pose *outer = world_pose_of(scene, record->parent);
        graze_pose *world = &scene->world_poses.data[scene->placed_ranks.data[index] - 1];
        float defect;
        graze_status status = graze_pose_compose(outer, &record->pose, world, NULL);
        if (status == GRAZE_STATUS_OK && record->shape != NULL)
            status = grz_scene_check_world_pose(record, world, &defect);
        if (status != GRAZE_STATUS_OK)
            report_pose(work, status);
    }
    grz_environment_leave_default(&environment);
}

/* Its quick body is made when the shape is another one. The array has room, since there is a shape. */
static void place_shape(graze_scene *scene, uint32_t index)
{
    grz_object_record *record = &scene->objects.data[index];
    grz_world_state *world_state = &scene->world_states.data[index];
    grz_quick_body *quick = &scene->quick.data[index];
    grz_world_sphere *sphere = &world_state->sphere;
    float known = record->parent == GRZ_NO_OBJECT ? record->defect : GRZ_DEFECT_UNKNOWN;
    if (scene->shapes.data[index].shape != record->shape)
        *quick = grz_quick_body_of(record->shape);
    if (quick->kind != GRZ_QUICK_NONE && grz_quick_body_place(quick, &world_state->world, known))
        grz_quick_body_bounds(quick, &world_state->world, &record->box, sphere->centre, &sphere->radius,
                              &sphere->error);
    else
        grz_world_bounds_of_shape(record->shape, &world_state->world, &record->box, sphere);
}

static void place_object(graze_scene *scene, uint32_t index)
{
    grz_object_record *record = &scene->objects.data[index];
    grz_world_state *world_state = &scene->world_states.data[index];
    const graze_box before = record->box;
    world_state->world = *world_pose_of(scene, index);
    if (record->shape != NULL)
        place_shape(scene, index);
    else if (record->mesh != NULL && record->mesh->triangle_count > 0)
        grz_world_bounds(record->mesh, &world_state->world, &record->box, &world_state->sphere);
    if (scene->stepping && grz_record_has_geometry(record))
        grz_step_bound(record, world_state, record->in_broad_phase ? &before : NULL,
                       &scene->steps.data[scene->placed_ranks.data[index] - 1]);
}

static void place_chunk(void *argument, size_t chunk)
{
    graze_scene *scene = argument;
    size_t end = chunk_end(chunk, scene->placed.count);
    for (size_t i = chunk * CHUNK; i < end; i++)
        place_object(scene, scene->placed.data[i]);
}

/* Memory is reserved. */
static void add_to_level(graze_scene *scene, uint32_t index)
{
    if (scene->placed_ranks.data[index] != 0 || scene->objects.data[index].state != GRZ_OBJECT_ALIVE)
        return;
    scene->level.data[scene->level.count++] = index;
    scene->placed.data[scene->placed.count++] = index;
    scene->placed_ranks.data[index] = (uint32_t)scene->placed.count;
}

/* Replaces `level` by the children of its objects. False when out of memory. */
static bool descend_level(graze_scene *scene)
{
    scene->next_level.count = 0;
    for (size_t i = 0; i < scene->level.count; i++)
        for (uint32_t child = scene->objects.data[scene->level.data[i]].first_child; child != GRZ_NO_OBJECT;
             child = scene->objects.data[child].next_sibling)
            if (!GRZ_PUSH(&scene->context, &scene->next_level, child))
                return false;
    scene->level.count = 0;
    for (size_t i = 0; i < scene->next_level.count; i++)
        add_to_level(scene, scene->next_level.data[i]);
    return true;
}

/* Sorts the dirty objects by level, into scene->keyed. False when out of memory. */
static bool sort_by_level(graze_scene *scene)
{
    size_t count = scene->dirty.count;
    uint32_t levels = 0;
    if (!GRZ_RESERVE(&scene->context, &scene->keyed, 2 * count))
        return false;
    for (size_t i = 0; i < count; i++)
    {
        uint32_t index = scene->dirty.data[i];
        scene->keyed.data[i] = (grz_key_value){scene->objects.data[index].level, index};
        levels |= scene->objects.data[index].level;
    }
    if (levels != 0)
        grz_sort_keyed(scene->keyed.data, scene->keyed.data + count, count);
    return true;
}

/* Without parents and removed objects the dirty ones are all there is to place: records need not be read. */
static void list_dirty(graze_scene *scene)
{
    for (size_t i = 0; i < scene->dirty.count; i++)
    {
        uint32_t index = scene->dirty.data[i];
        scene->placed.data[i] = index;
        scene->placed_ranks.data[index] = (uint32_t)(i + 1);
    }
    scene->placed.count = scene->dirty.count;
}

/* Also composes the world poses of objects with parents. */
graze_status grz_scene_list_moved(graze_scene *scene)
{
    level_work work = {.scene = scene};
    atomic_init(&work.status, GRAZE_STATUS_OK);
    for (size_t i = 0; i < scene->placed.count; i++) /* in the last update */
        scene->placed_ranks.data[scene->placed.data[i]] = 0;
    scene->level.count = scene->placed.count = 0;
    /* shortcut: flat-scenes */
    if (!scene->has_parents && scene->removed.count == 0)
    {
        list_dirty(scene);
        return scene->stepping ? grz_scene_make_steps(scene) : GRAZE_STATUS_OK;
    }
    if (!sort_by_level(scene))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    uint64_t level = 0;
    for (size_t next = 0; next < scene->dirty.count || scene->level.count > 0; level++)
    {
        if (scene->level.count == 0)
            level = scene->keyed.data[next].key;
        for (; next < scene->dirty.count && scene->keyed.data[next].key == level; next++)
            add_to_level(scene, (uint32_t)scene->keyed.data[next].value);
        if (level > 0)
        {
            if (!GRZ_RESERVE(&scene->context, &scene->world_poses, scene->placed.count))
                return GRAZE_STATUS_OUT_OF_MEMORY;
            run_chunks(scene, scene->level.count, compose_chunk, &work);
        }
        if (atomic_load(&work.status) != GRAZE_STATUS_OK)
            return (graze_status)atomic_load(&work.status);
        if (!descend_level(scene))
            return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    return scene->stepping ? grz_scene_make_steps(scene) : GRAZE_STATUS_OK;
}

/* Updates the box of an object in the broad phase. Memory is reserved. */
static graze_status update_box(graze_scene *scene, uint32_t index)
{
    grz_object_record *record = &scene->objects.data[index];
    bool wants = record->state == GRZ_OBJECT_ALIVE && grz_record_has_geometry(record) &&
                 record->box.lower[0] <= record->box.upper[0]; /* a shape may be empty */
    graze_status status = GRAZE_STATUS_OK;
    uint32_t rank = scene->placed_ranks.data[index];
    bool sweeps = wants && scene->stepping && rank != 0;
    const graze_box *box = sweeps ? &scene->steps.data[rank - 1].box : &record->box;
    if (wants && !record->in_broad_phase)
        status = graze_broad_phase_insert(scene->broad, index, box);
    else if (wants)
        status = grz_broad_move(scene->broad, index, box);
    else if (record->in_broad_phase)
        status = graze_broad_phase_remove(scene->broad, index);
    if (record->in_broad_phase != wants) /* no needless write: other threads may read this cache line */
        record->in_broad_phase = wants;
    if (sweeps && !record->swept)
        scene->swept.data[scene->swept.count++] = index;
    if (sweeps)
        record->swept = true;
    /* shortcut: unmoved-boxes */
    if (wants)
        grz_broad_mark_moved(scene->broad, index); /* the mesh may have turned within the same box */
    return status;
}

/* Stores mesh, tree and shape of the record; counts its use of the shared data. */
static void commit_mesh(graze_scene *scene, uint32_t index)
{
    grz_object_record *record = &scene->objects.data[index];
    grz_placed_shape *shape = &scene->shapes.data[index];
    if (record->shared_data != 0)
        scene->shared_data.data[record->shared_data - 1].users++;
    if (record->placed_shared_data != 0)
        grz_scene_release_data(scene, record->placed_shared_data - 1);
    record->placed_shared_data = record->shared_data;
    shape->mesh = record->mesh;
    shape->tree = record->tree;
    shape->shape = record->shape;
    if (record->shape == NULL && scene->quick.capacity > 0)
        scene->quick.data[index] = grz_quick_body_of(NULL);
    shape->support = record->shared_data != 0 ? grz_derived_support_table(grz_scene_placed_data(scene, index)) : NULL;
}

static void commit_shape(graze_scene *scene, uint32_t index)
{
    grz_object_record *record = &scene->objects.data[index];
    grz_placed_shape *shape = &scene->shapes.data[index];
    /* shortcut: unchanged-shapes */
    bool same = shape->mesh == record->mesh && shape->tree == record->tree && shape->shape == record->shape;
    if (!same || record->placed_shared_data != record->shared_data)
        commit_mesh(scene, index);
    if (shape->solid != record->solid) /* other threads read what is beside it */
        shape->solid = record->solid;
    record->placed = true;
    record->dirty = record->along = record->reshaped = false;
    record->pending = 0;
    if (scene->promises.count > 0)
        record->epoch += record->promise == 0;
}

bool grz_scene_places_in_parallel(const graze_scene *scene)
{
    return scene->placed.count >= FEW_FOR_THREADS;
}

void grz_scene_place_objects(graze_scene *scene, atomic_size_t *out_placed)
{
    bool shared = grz_scene_places_in_parallel(scene) && grz_concurrency(&scene->context) > 1;
    if (shared)
        run_chunks(scene, scene->placed.count, place_chunk, scene);
    for (size_t i = 0; i < scene->placed.count; i++)
    {
        uint32_t index = scene->placed.data[i];
        if (!shared)
            place_object(scene, index);
        commit_shape(scene, index);
        if ((i + 1) % FEW_AT_A_TIME == 0)
            atomic_store_explicit(out_placed, i + 1, memory_order_release);
    }
    atomic_store_explicit(out_placed, scene->placed.count, memory_order_release);
    scene->dirty.count = 0; /* dirty objects not placed are removed ones */
    scene->pending.count = 0;
}

/* Objects that made a step in the last continuous update, and none in this one, have their boxes again. */
static graze_status restore_boxes(graze_scene *scene)
{
    graze_status status = GRAZE_STATUS_OK;
    size_t kept = 0;
    for (size_t i = 0; i < scene->swept.count; i++)
    {
        uint32_t index = scene->swept.data[i];
        grz_object_record *record = &scene->objects.data[index];
        bool steps = scene->stepping && scene->placed_ranks.data[index] != 0;
        if (status == GRAZE_STATUS_OK && !steps && record->in_broad_phase)
            status = grz_broad_move(scene->broad, index, &record->box);
        record->swept = record->in_broad_phase && (steps || status != GRAZE_STATUS_OK);
        if (record->swept)
            scene->swept.data[kept++] = index;
    }
    scene->swept.count = kept;
    return status;
}

graze_status grz_scene_update_boxes(graze_scene *scene)
{
    graze_status status = GRAZE_STATUS_OK;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    for (size_t i = 0; i < scene->removed.count && status == GRAZE_STATUS_OK; i++)
        status = update_box(scene, scene->removed.data[i]);
    for (size_t i = 0; i < scene->placed.count && status == GRAZE_STATUS_OK; i++)
        status = update_box(scene, scene->placed.data[i]);
    if (status == GRAZE_STATUS_OK)
        status = restore_boxes(scene);
    grz_environment_leave_default(&environment);
    return status;
}
