/* SPDX-License-Identifier: MIT */
/*
 * Flags, layer, assembly, parent and user pointer of objects that are in a scene. Rules of interest go by the new ones
 * at once, but pairs begin and end with the next update, which asks the filter again about all pairs of the object.
 * Whether an object is a body, and where its parent takes it, are part of its placement: the object is marked dirty, so
 * that the next update places it and tests its contacts again.
 */
#include "scene/scene.h"

#include <string.h>

#include "base/struct_size.h"

graze_status graze_scene_set_flags(graze_scene *scene, graze_object object, uint32_t flags)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    if ((flags & ~(uint32_t)GRZ_ALL_OBJECT_FLAGS) != 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_label *label = &scene->labels.data[object.index];
    uint32_t changed = label->flags ^ flags;
    label->flags = (uint8_t)flags;
    record->solid = (flags & GRAZE_OBJECT_SOLID) != 0;
    if ((changed & GRAZE_OBJECT_SOLID) != 0)
    {
        record->epoch++;
        record->reshaped = true;
        grz_scene_mark_dirty(scene, object.index);
    }
    if ((changed & (GRAZE_OBJECT_STATIC | GRAZE_OBJECT_SENSOR)) != 0)
        grz_interest_refilter(scene, object.index);
    return GRAZE_STATUS_OK;
}

graze_status graze_scene_set_layer(graze_scene *scene, graze_object object, uint32_t layer)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    if (layer >= GRAZE_LAYER_COUNT)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (record->layer != layer)
        grz_interest_refilter(scene, object.index);
    record->layer = (uint8_t)layer;
    return GRAZE_STATUS_OK;
}

graze_status graze_scene_set_assembly(graze_scene *scene, graze_object object, uint32_t assembly)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    if (record->assembly != assembly)
        grz_interest_refilter(scene, object.index);
    record->assembly = assembly;
    return GRAZE_STATUS_OK;
}

/* Levels of an object and all below it, in pre-order. */
static void set_levels(graze_scene *scene, uint32_t top)
{
    grz_object_record *objects = scene->objects.data;
    for (uint32_t at = top;;)
    {
        objects[at].level = objects[at].parent != GRZ_NO_OBJECT ? objects[objects[at].parent].level + 1 : 0;
        if (objects[at].first_child != GRZ_NO_OBJECT)
        {
            at = objects[at].first_child;
            continue;
        }
        while (at != top && objects[at].next_sibling == GRZ_NO_OBJECT)
            at = objects[at].parent;
        if (at == top)
            return;
        at = objects[at].next_sibling;
    }
}

static bool is_below(const graze_scene *scene, uint32_t index, uint32_t top)
{
    while (index != GRZ_NO_OBJECT && index != top)
        index = scene->objects.data[index].parent;
    return index == top;
}

graze_status graze_scene_set_parent(graze_scene *scene, graze_object object, graze_object parent,
                                    const graze_pose *pose)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    bool has_parent = parent.index != 0 || parent.generation != 0;
    grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL || (has_parent && grz_scene_find(scene, parent) == NULL))
        return GRAZE_STATUS_BAD_INDEX;
    if (has_parent && is_below(scene, parent.index, object.index))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = grz_scene_check_pose(has_parent ? NULL : record->shape, pose != NULL ? pose : &record->pose);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (pose != NULL)
    {
        record->pose = *pose;
        record->defect = GRZ_DEFECT_UNKNOWN;
    }
    grz_scene_detach(scene, object.index);
    grz_scene_attach(scene, object.index, has_parent ? parent.index : GRZ_NO_OBJECT);
    set_levels(scene, object.index);
    record->along = false;
    grz_scene_mark_dirty(scene, object.index);
    grz_interest_refilter(scene, object.index);
    return GRAZE_STATUS_OK;
}

graze_status graze_scene_set_user(graze_scene *scene, graze_object object, void *user)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (grz_scene_find(scene, object) == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    scene->labels.data[object.index].user = user;
    return GRAZE_STATUS_OK;
}

graze_status graze_scene_object_def(const graze_scene *scene, graze_object object, graze_object_def *out_def)
{
    if (scene == NULL || out_def == NULL ||
        !grz_struct_fits(out_def, GRZ_FIRST_SIZE(graze_object_def), sizeof *out_def))
        return GRAZE_STATUS_BAD_ARGUMENT;
    const grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    const grz_label *label = &scene->labels.data[object.index];
    graze_object_def def = graze_object_def_default();
    def.struct_size = out_def->struct_size;
    def.mesh = record->mesh;
    def.tree = record->has_own_tree ? record->tree : NULL;
    def.pose = record->pose;
    def.parent = record->parent != GRZ_NO_OBJECT ? grz_scene_handle(scene, record->parent) : (graze_object){0, 0};
    def.flags = label->flags;
    def.layer = record->layer;
    def.assembly = record->assembly;
    def.user = label->user;
    def.shape = record->shape;
    memcpy(out_def, &def, def.struct_size < sizeof def ? def.struct_size : sizeof def);
    return GRAZE_STATUS_OK;
}
