/* SPDX-License-Identifier: MIT */
/* Objects of a scene: adding, removing and moving them between updates; see scene.h. */
#include "scene/scene.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/struct_size.h"
#include "broad/broad_phase.h"
#include "shape/placed.h"
#include "tree/tree.h"

graze_status graze_scene_create(const graze_context *context, const graze_scene_def *def, graze_scene **out_scene)
{
    GRZ_FULL_STRUCT(graze_scene_def, def);
    if (out_scene == NULL || !def_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_scene *scene = grz_allocate_zeroed(context, 1, sizeof *scene);
    if (scene == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    scene->context = grz_context_copy(context);
    scene->def = def != NULL ? *def : graze_scene_def_default();
    scene->free_object = scene->free_contact = scene->free_shared_data = GRZ_NO_OBJECT;
    scene->rules.by_default = true;
    graze_broad_phase_def broad_def = graze_broad_phase_def_default();
    broad_def.method = scene->def.broad_phase;
    broad_def.margin = scene->def.broad_phase_margin;
    broad_def.filter = grz_interest_filter;
    broad_def.filter_user = scene;
    graze_status status = graze_broad_phase_create(context, &broad_def, &scene->broad);
    if (status != GRAZE_STATUS_OK)
        grz_release(context, scene);
    else
        *out_scene = scene;
    return status;
}

void graze_scene_destroy(graze_scene *scene)
{
    if (scene == NULL)
        return;
    graze_context context = scene->context;
    grz_contacts_release(scene);
    grz_interest_release(scene);
    grz_scene_shared_data_release(scene);
    graze_broad_phase_destroy(scene->broad);
    grz_release(&context, scene->objects.data);
    grz_release(&context, scene->world_states.data);
    grz_release(&context, scene->shapes.data);
    grz_release(&context, scene->quick.data);
    grz_release(&context, scene->labels.data);
    grz_release(&context, scene->dirty.data);
    grz_release(&context, scene->removed.data);
    grz_release(&context, scene->level.data);
    grz_release(&context, scene->next_level.data);
    grz_release(&context, scene->placed.data);
    grz_release(&context, scene->placed_ranks.data);
    grz_release(&context, scene->world_poses.data);
    grz_release(&context, scene->pending.data);
    grz_release(&context, scene->steps.data);
    grz_release(&context, scene->swept.data);
    grz_release(&context, scene->promises.data);
    grz_release(&context, scene->events.data);
    grz_release(&context, scene->undecided.data);
    grz_release(&context, scene->keyed.data);
    grz_release(&context, scene);
}

grz_object_record *grz_scene_find(const graze_scene *scene, graze_object object)
{
    if (scene == NULL || object.index >= scene->objects.count)
        return NULL;
    grz_object_record *record = &scene->objects.data[object.index];
    bool named = scene->labels.data[object.index].generation == object.generation;
    return named && record->state == GRZ_OBJECT_ALIVE ? record : NULL;
}

graze_object grz_scene_handle(const graze_scene *scene, uint32_t index)
{
    return (graze_object){index, scene->labels.data[index].generation};
}

void grz_scene_mark_dirty(graze_scene *scene, uint32_t index)
{
    grz_object_record *record = &scene->objects.data[index];
    if (record->dirty)
        return;
    record->dirty = true;
    scene->dirty.data[scene->dirty.count++] = index;
}

/* Reserves memory for what quick tests need of all objects, once there are shapes. False when out of memory. */
static bool make_quick(graze_scene *scene)
{
    size_t before = scene->quick.capacity;
    if (!GRZ_RESERVE(&scene->context, &scene->quick, scene->objects.capacity))
        return false;
    for (size_t i = before; i < scene->quick.capacity; i++)
        scene->quick.data[i] = grz_quick_body_of(NULL);
    return true;
}

/* Allocates an index for a new object. Also reserves memory to mark, place and remove every object, and for its box, so
   that none of this can fail later. */
static bool allocate_index(graze_scene *scene, uint32_t *out_index)
{
    const graze_context *context = &scene->context;
    if (scene->free_object != GRZ_NO_OBJECT)
    {
        *out_index = scene->free_object;
        scene->free_object = scene->objects.data[*out_index].parent;
        return true;
    }
    size_t count = scene->objects.count;
    if (count >= GRZ_NO_OBJECT || !GRZ_RESERVE(context, &scene->objects, count + 1) ||
        !GRZ_RESERVE(context, &scene->world_states, scene->objects.capacity) ||
        !GRZ_RESERVE(context, &scene->shapes, scene->objects.capacity) ||
        !GRZ_RESERVE(context, &scene->labels, scene->objects.capacity) ||
        !GRZ_RESERVE(context, &scene->dirty, scene->objects.capacity) ||
        !GRZ_RESERVE(context, &scene->removed, scene->objects.capacity) ||
        !GRZ_RESERVE(context, &scene->placed, scene->objects.capacity) ||
        !GRZ_RESERVE(context, &scene->placed_ranks, scene->objects.capacity) ||
        !GRZ_RESERVE(context, &scene->level, scene->objects.capacity) ||
        !GRZ_RESERVE(context, &scene->swept, scene->objects.capacity) ||
        !grz_broad_reserve(scene->broad, (uint32_t)count))
        return false;
    if (scene->has_shapes && !make_quick(scene))
        return false;
    scene->objects.data[scene->objects.count++] = (grz_object_record){.state = GRZ_OBJECT_FREE};
    scene->world_states.data[count] = (grz_world_state){.world = graze_pose_identity()};
    scene->labels.data[count] = (grz_label){0};
    scene->placed_ranks.data[count] = 0;
    *out_index = (uint32_t)count;
    return true;
}

void grz_scene_attach(graze_scene *scene, uint32_t index, uint32_t parent)
{
    grz_object_record *record = &scene->objects.data[index];
    record->parent = parent;
    record->next_sibling = record->previous_sibling = GRZ_NO_OBJECT;
    record->level = 0;
    if (parent == GRZ_NO_OBJECT)
        return;
    scene->has_parents = true;
    grz_object_record *above = &scene->objects.data[parent];
    record->level = above->level + 1;
    record->next_sibling = above->first_child;
    if (above->first_child != GRZ_NO_OBJECT)
        scene->objects.data[above->first_child].previous_sibling = index;
    above->first_child = index;
}

void grz_scene_detach(graze_scene *scene, uint32_t index)
{
    grz_object_record *record = &scene->objects.data[index];
    if (record->previous_sibling != GRZ_NO_OBJECT)
        scene->objects.data[record->previous_sibling].next_sibling = record->next_sibling;
    else if (record->parent != GRZ_NO_OBJECT)
        scene->objects.data[record->parent].first_child = record->next_sibling;
    if (record->next_sibling != GRZ_NO_OBJECT)
        scene->objects.data[record->next_sibling].previous_sibling = record->previous_sibling;
}

/* The shared data of a mesh, and its tree: that of the caller, or the shared one. */
static graze_status choose_tree(graze_scene *scene, const graze_mesh *mesh, const graze_tree *tree,
                                const graze_tree **out_tree, uint32_t *out_shared)
{
    if (tree != NULL && (mesh == NULL || tree->mesh != mesh))
        return GRAZE_STATUS_BAD_ARGUMENT;
    *out_tree = tree;
    *out_shared = 0;
    if (mesh == NULL)
        return GRAZE_STATUS_OK;
    uint32_t place;
    graze_status status = grz_scene_share_data(scene, mesh, &place);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (tree == NULL)
        status = grz_derived_tree(scene->shared_data.data[place].derived, NULL, out_tree);
    if (status != GRAZE_STATUS_OK)
        grz_scene_release_data(scene, place);
    else
        *out_shared = place + 1;
    return status;
}

graze_status grz_scene_check_pose(const graze_shape *shape, const graze_pose *pose)
{
    if (shape == NULL)
        return graze_pose_check(pose, NULL);
    graze_placed placed = {shape, *pose};
    return graze_placed_check(&placed);
}

static grz_pose_rule rule_of(const graze_shape *shape)
{
    if (shape == NULL)
        return GRZ_POSE_ANY;
    if (shape->form == GRZ_FORM_COMPOUND || shape->form == GRZ_FORM_HALF_SPACE)
        return GRZ_POSE_ASK;
    return grz_needs_rigid_pose(shape->kind) ? GRZ_POSE_RIGID : GRZ_POSE_ANY;
}

graze_status grz_scene_check_world_pose(const grz_object_record *record, const graze_pose *pose, float *out_defect)
{
    *out_defect = GRZ_DEFECT_UNKNOWN;
    if (record->pose_rule == GRZ_POSE_ASK)
        return grz_scene_check_pose(record->shape, pose);
    if (record->shape != NULL) /* where any pose will do, placing needs it */
        *out_defect = grz_pose_defect(pose);
    /* A matrix with a finite defect is finite; so is a translation whose sum is. */
    /* shortcut: surely-rigid-poses */
    if (record->shape != NULL && *out_defect <= 0.9e-9f && isfinite(pose->m[3] + pose->m[7] + pose->m[11]))
        return GRAZE_STATUS_OK;
    graze_status status = graze_pose_check(pose, NULL);
    bool right = status != GRAZE_STATUS_OK || record->pose_rule == GRZ_POSE_ANY || grz_pose_is_rigid(pose);
    return right ? status : GRAZE_STATUS_NOT_RIGID;
}

static graze_status check_def(const graze_scene *scene, const graze_object_def *def)
{
    if (scene == NULL || def == NULL || def->layer >= GRAZE_LAYER_COUNT ||
        (def->flags & ~(uint32_t)GRZ_ALL_OBJECT_FLAGS) != 0 || (def->shape != NULL && def->mesh != NULL))
        return GRAZE_STATUS_BAD_ARGUMENT;
    bool has_parent = def->parent.index != 0 || def->parent.generation != 0;
    if (has_parent && grz_scene_find(scene, def->parent) == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    return grz_scene_check_pose(has_parent ? NULL : def->shape, &def->pose);
}

graze_status graze_scene_add(graze_scene *scene, const graze_object_def *def, graze_object *out_object)
{
    GRZ_FULL_STRUCT(graze_object_def, def);
    if (!def_fits || out_object == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = check_def(scene, def);
    if (status != GRAZE_STATUS_OK)
        return status;
    const graze_tree *tree;
    uint32_t shared, index;
    status = choose_tree(scene, def->mesh, def->tree, &tree, &shared);
    if (status != GRAZE_STATUS_OK)
        return status;
    scene->has_shapes = scene->has_shapes || def->shape != NULL;
    if ((scene->has_shapes && !make_quick(scene)) || !allocate_index(scene, &index))
    {
        if (shared != 0)
            grz_scene_release_data(scene, shared - 1);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    grz_object_record *record = &scene->objects.data[index];
    uint32_t generation = scene->labels.data[index].generation + 1;
    *record = (grz_object_record){.pose = def->pose,
                                  .mesh = def->mesh,
                                  .tree = tree,
                                  .shape = def->shape,
                                  .defect = GRZ_DEFECT_UNKNOWN,
                                  .pose_rule = (uint8_t)rule_of(def->shape),
                                  .first_child = GRZ_NO_OBJECT,
                                  .shared_data = shared,
                                  .assembly = def->assembly,
                                  .state = GRZ_OBJECT_ALIVE,
                                  .layer = (uint8_t)def->layer,
                                  .solid = (def->flags & GRAZE_OBJECT_SOLID) != 0,
                                  .has_own_tree = def->tree != NULL};
    scene->shapes.data[index] = (grz_placed_shape){.solid = record->solid};
    scene->labels.data[index] = (grz_label){def->user, generation, (uint8_t)def->flags};
    grz_scene_attach(scene, index, def->parent.generation != 0 ? def->parent.index : GRZ_NO_OBJECT);
    scene->count++;
    grz_scene_mark_dirty(scene, index);
    *out_object = (graze_object){index, generation};
    return GRAZE_STATUS_OK;
}

static void mark_removed(graze_scene *scene, uint32_t index)
{
    scene->objects.data[index].state = GRZ_OBJECT_REMOVED;
    scene->shapes.data[index].removed = true;
    scene->removed.data[scene->removed.count++] = index;
    scene->count--;
}

graze_status graze_scene_remove(graze_scene *scene, graze_object object)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (grz_scene_find(scene, object) == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    grz_scene_detach(scene, object.index);
    size_t next = scene->removed.count;
    mark_removed(scene, object.index);
    for (; next < scene->removed.count; next++) /* breadth-first: the list is also the queue */
        for (uint32_t child = scene->objects.data[scene->removed.data[next]].first_child; child != GRZ_NO_OBJECT;
             child = scene->objects.data[child].next_sibling)
            mark_removed(scene, child);
    return GRAZE_STATUS_OK;
}

graze_status graze_scene_move(graze_scene *scene, graze_object object, const graze_pose *pose)
{
    if (scene == NULL || pose == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    float defect = GRZ_DEFECT_UNKNOWN;
    graze_status status = record->parent == GRZ_NO_OBJECT ? grz_scene_check_world_pose(record, pose, &defect)
                                                          : graze_pose_check(pose, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    record->along = false;
    /* shortcut: unmoved-objects */
    if (memcmp(&record->pose, pose, sizeof *pose) == 0)
        return status;
    record->pose = *pose;
    record->defect = defect;
    grz_scene_mark_dirty(scene, object.index);
    return GRAZE_STATUS_OK;
}

graze_status graze_scene_set_mesh(graze_scene *scene, graze_object object, const graze_mesh *mesh,
                                  const graze_tree *tree)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    const graze_tree *chosen;
    uint32_t shared;
    graze_status status = choose_tree(scene, mesh, tree, &chosen, &shared);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (record->shared_data != 0) /* what the last update placed has its own count, released by the next one */
        grz_scene_release_data(scene, record->shared_data - 1);
    record->mesh = mesh;
    record->tree = chosen;
    record->shape = NULL;
    record->pose_rule = GRZ_POSE_ANY;
    record->shared_data = shared;
    record->has_own_tree = tree != NULL;
    record->epoch++;
    record->reshaped = true;
    grz_scene_mark_dirty(scene, object.index);
    return GRAZE_STATUS_OK;
}

graze_status graze_scene_set_shape(graze_scene *scene, graze_object object, const graze_shape *shape)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    graze_status status = grz_scene_check_pose(record->parent == GRZ_NO_OBJECT ? shape : NULL, &record->pose);
    scene->has_shapes = scene->has_shapes || shape != NULL;
    if (status == GRAZE_STATUS_OK && shape != NULL && !make_quick(scene))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (status != GRAZE_STATUS_OK)
        return status;
    if (record->shared_data != 0)
        grz_scene_release_data(scene, record->shared_data - 1);
    record->mesh = NULL;
    record->tree = NULL;
    record->shape = shape;
    record->pose_rule = (uint8_t)rule_of(shape);
    record->shared_data = 0;
    record->has_own_tree = false;
    record->epoch++;
    record->reshaped = true;
    grz_scene_mark_dirty(scene, object.index);
    return GRAZE_STATUS_OK;
}

bool graze_scene_has(const graze_scene *scene, graze_object object)
{
    return grz_scene_find(scene, object) != NULL;
}

size_t graze_scene_object_count(const graze_scene *scene)
{
    return scene != NULL ? scene->count : 0;
}

graze_broad_phase_method graze_scene_broad_phase_method(const graze_scene *scene)
{
    return graze_broad_phase_method_used(scene != NULL ? scene->broad : NULL);
}

void *graze_scene_user(const graze_scene *scene, graze_object object)
{
    const grz_object_record *record = grz_scene_find(scene, object);
    return record != NULL ? scene->labels.data[object.index].user : NULL;
}

/* Whether an object was placed, and its box, if it is asked for. */
static graze_status find_placed(const graze_scene *scene, graze_object object, graze_box *out_box)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL || !record->placed)
        return GRAZE_STATUS_BAD_INDEX;
    if (out_box != NULL && !record->in_broad_phase)
        return GRAZE_STATUS_EMPTY;
    if (out_box == NULL)
        return GRAZE_STATUS_OK;
    *out_box = record->box;
    for (int axis = 0; axis < 3 && scene->shapes.data[object.index].shape != NULL; axis++)
    {
        if (out_box->lower[axis] <= -DBL_MAX)
            out_box->lower[axis] = -INFINITY;
        if (out_box->upper[axis] >= DBL_MAX)
            out_box->upper[axis] = INFINITY;
    }
    return GRAZE_STATUS_OK;
}

graze_status graze_scene_placed_mesh(const graze_scene *scene, graze_object object, graze_placed_mesh *out_placed,
                                     graze_box *out_box)
{
    graze_status status = find_placed(scene, object, out_box);
    if (status == GRAZE_STATUS_OK && out_placed != NULL)
        *out_placed = grz_scene_placed_mesh(scene, object.index);
    return status;
}

graze_status graze_scene_placed_shape(const graze_scene *scene, graze_object object, graze_placed *out_placed,
                                      graze_box *out_box)
{
    graze_status status = find_placed(scene, object, out_box);
    if (status == GRAZE_STATUS_OK && out_placed != NULL)
        *out_placed = grz_scene_placed_shape(scene, object.index);
    return status;
}

size_t graze_scene_memory_size(const graze_scene *scene)
{
    if (scene == NULL)
        return 0;
    size_t size = sizeof *scene + graze_broad_phase_memory_size(scene->broad);
    size += scene->objects.capacity * sizeof *scene->objects.data;
    size += scene->world_states.capacity * sizeof *scene->world_states.data;
    size += scene->shapes.capacity * sizeof *scene->shapes.data;
    size += scene->quick.capacity * sizeof *scene->quick.data;
    size += scene->labels.capacity * sizeof *scene->labels.data;
    size += grz_contacts_memory(scene);
    size += scene->events.capacity * sizeof *scene->events.data;
    size += scene->undecided.capacity * sizeof *scene->undecided.data;
    size += scene->keyed.capacity * sizeof *scene->keyed.data;
    size += scene->rules.pairs.capacity * sizeof *scene->rules.pairs.data;
    size += scene->rules.places.size * sizeof(grz_hash_map_entry);
    size += (scene->dirty.capacity + scene->removed.capacity + scene->level.capacity + scene->next_level.capacity +
             scene->placed.capacity + scene->placed_ranks.capacity + scene->swept.capacity) *
            sizeof(uint32_t);
    size += scene->promises.capacity * sizeof *scene->promises.data;
    size += scene->pending.capacity * sizeof *scene->pending.data + scene->steps.capacity * sizeof *scene->steps.data;
    size += scene->world_poses.capacity * sizeof *scene->world_poses.data;
    return size + grz_scene_shared_data_memory(scene);
}
