/* SPDX-License-Identifier: MIT */
/* Inputs as parts and scenes; see assembly.h. */
#include "clash/assembly.h"

#include <stdlib.h>
#include <string.h>

#include "shell/line_reader.h"

/* The name up to the last slash: the path of the parent node in the file. */
static char *parent_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    size_t size = slash != NULL ? (size_t)(slash - name) : 0;
    char *parent = malloc(size + 1);
    if (parent != NULL)
    {
        memcpy(parent, name, size);
        parent[size] = '\0';
    }
    return parent;
}

static bool make_parts(const tool_inputs *inputs, clash_assembly *assembly)
{
    for (size_t i = 0; i < inputs->part_count; i++)
    {
        const input_part *input = &inputs->parts[i];
        assembly->parents[i] = parent_of(input->name);
        if (assembly->parents[i] == NULL)
            return false;
        assembly->parts[i] = (graze_clash_part){.name = input->name,
                                                .file = input->file,
                                                .parent = assembly->parents[i],
                                                .mesh = inputs->meshes[input->mesh],
                                                .pose = input->pose};
    }
    return true;
}

/* Rules of a scene about objects become rules about parts; `part_of` has the part of each object. */
static bool make_scene(clash_assembly *assembly, size_t s, const char *name, const scene_file *file,
                       const uint32_t *part_of)
{
    const scene_interest *interest = &file->interest;
    graze_clash_pair_interest *pairs = calloc(interest->pair_count + 1, sizeof *pairs);
    graze_clash_pair_interest *layers = calloc(interest->layer_count + 1, sizeof *layers);
    graze_clash_part_interest *objects = calloc(interest->object_count + 1, sizeof *objects);
    assembly->pairs[s] = pairs;
    assembly->layers[s] = layers;
    assembly->objects[s] = objects;
    if (pairs == NULL || layers == NULL || objects == NULL)
        return false;
    for (size_t i = 0; i < interest->pair_count; i++)
        pairs[i] = (graze_clash_pair_interest){part_of[interest->pairs[i].a], part_of[interest->pairs[i].b],
                                               interest->pairs[i].interest};
    for (size_t i = 0; i < interest->layer_count; i++)
        layers[i] =
            (graze_clash_pair_interest){interest->layers[i].a, interest->layers[i].b, interest->layers[i].interest};
    for (size_t i = 0; i < interest->object_count; i++)
        objects[i] = (graze_clash_part_interest){part_of[interest->objects[i].object], interest->objects[i].interest};
    assembly->scenes[s] = (graze_clash_scene){.name = name,
                                              .otherwise = interest->otherwise,
                                              .test_parent_child = interest->test_parent_child,
                                              .pairs = pairs,
                                              .pair_count = interest->pair_count,
                                              .layers = layers,
                                              .layer_count = interest->layer_count,
                                              .parts = objects,
                                              .part_count = interest->object_count};
    return true;
}

static void make_members(const tool_inputs *inputs, size_t s, const uint32_t *part_of, clash_assembly *assembly)
{
    const scene_file *file = &inputs->scenes[s].file;
    for (size_t i = 0; i < inputs->part_count; i++)
    {
        if (inputs->parts[i].scene != (int)s)
            continue;
        const scene_object *object = &file->objects[inputs->parts[i].object];
        assembly->members[i] = (graze_clash_member){.scene = (uint32_t)s,
                                                    .layer = object->layer,
                                                    .flags = object->flags,
                                                    .parent = object->parent != GRZ_NO_NAME ? part_of[object->parent]
                                                                                            : GRAZE_CLASH_NO_PART,
                                                    .assembly = object->assembly};
    }
}

static bool take_scene(const tool_inputs *inputs, size_t s, clash_assembly *assembly)
{
    const scene_file *file = &inputs->scenes[s].file;
    const char *path = display_name(inputs->paths.files[inputs->scenes[s].path].path);
    uint32_t *part_of = malloc((file->object_count + 1) * sizeof *part_of);
    if (part_of == NULL)
        return false;
    for (size_t i = 0; i < file->object_count; i++)
        part_of[i] = GRAZE_CLASH_NO_PART;
    for (size_t i = 0; i < inputs->part_count; i++)
        if (inputs->parts[i].scene == (int)s)
            part_of[inputs->parts[i].object] = (uint32_t)i;
    make_members(inputs, s, part_of, assembly);
    bool done = make_scene(assembly, s, base_name(path), file, part_of);
    free(part_of);
    return done;
}

bool clash_assembly_make(const tool_inputs *inputs, clash_assembly *out_assembly)
{
    size_t parts = inputs->part_count, scenes = inputs->scene_count;
    clash_assembly *assembly = out_assembly;
    *assembly = (clash_assembly){.part_count = parts,
                                 .scene_count = scenes,
                                 .parts = calloc(parts + 1, sizeof *assembly->parts),
                                 .members = calloc(parts + 1, sizeof *assembly->members),
                                 .parents = calloc(parts + 1, sizeof(char *)),
                                 .scenes = calloc(scenes + 1, sizeof *assembly->scenes),
                                 .pairs = calloc(scenes + 1, sizeof(void *)),
                                 .layers = calloc(scenes + 1, sizeof(void *)),
                                 .objects = calloc(scenes + 1, sizeof(void *))};
    bool done = assembly->parts != NULL && assembly->members != NULL && assembly->parents != NULL &&
                assembly->scenes != NULL && assembly->pairs != NULL && assembly->layers != NULL &&
                assembly->objects != NULL && make_parts(inputs, assembly);
    for (size_t i = 0; i < parts && done; i++)
        assembly->members[i] = (graze_clash_member){.scene = UINT32_MAX, .parent = GRAZE_CLASH_NO_PART};
    for (size_t s = 0; s < scenes && done; s++)
        done = take_scene(inputs, s, assembly);
    return done;
}

void clash_assembly_release(clash_assembly *assembly)
{
    for (size_t i = 0; i < assembly->part_count && assembly->parents != NULL; i++)
        free(assembly->parents[i]);
    for (size_t s = 0; s < assembly->scene_count; s++)
    {
        if (assembly->pairs != NULL)
            free(assembly->pairs[s]);
        if (assembly->layers != NULL)
            free(assembly->layers[s]);
        if (assembly->objects != NULL)
            free(assembly->objects[s]);
    }
    free(assembly->parts);
    free(assembly->members);
    free(assembly->parents);
    free(assembly->scenes);
    free(assembly->pairs);
    free(assembly->layers);
    free(assembly->objects);
    *assembly = (clash_assembly){0};
}
