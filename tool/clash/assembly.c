/* SPDX-License-Identifier: MIT */
/* Inputs as parts and scenes; see assembly.h. */
#include "clash/assembly.h"

#include <float.h>
#include <math.h>
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

/* The largest coordinate of a placed box, as a magnitude; rounded, as resolutions are estimates. */
static double largest_coordinate(const graze_box *box, const graze_pose *pose)
{
    double largest = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = pose->m + 4 * axis;
        double lower = row[3], upper = row[3];
        for (int k = 0; k < 3; k++)
        {
            lower += fmin(row[k] * box->lower[k], row[k] * box->upper[k]);
            upper += fmax(row[k] * box->lower[k], row[k] * box->upper[k]);
        }
        largest = fmax(largest, fmax(fabs(lower), fabs(upper)));
    }
    return fmin(largest, DBL_MAX);
}

/* By which a pose scales lengths, at most along an axis of the part. */
static double scale_of(const graze_pose *pose)
{
    double largest = 0;
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, hypot(hypot(pose->m[k], pose->m[4 + k]), pose->m[8 + k]));
    return fmin(largest, DBL_MAX);
}

/* The largest coordinate of a placed shape, as a magnitude: of its bounds, or of what is finite of them; of a
 * half-space how far its plane is from the origin. */
static double largest_of_shape(const graze_placed *placed)
{
    graze_box box;
    double largest = 0, n[4] = {0, 0, 0, 0};
    if (graze_placed_bounds(placed, &box) != GRAZE_STATUS_OK)
        return 0;
    for (int axis = 0; axis < 3; axis++)
    {
        largest = fmax(largest, isfinite(box.lower[axis]) ? fabs(box.lower[axis]) : fabs(placed->pose.m[4 * axis + 3]));
        largest = fmax(largest, isfinite(box.upper[axis]) ? fabs(box.upper[axis]) : 0);
    }
    if (graze_shape_get_kind(placed->shape) == GRAZE_SHAPE_HALF_SPACE && graze_shape_numbers(placed->shape, n, 4) == 4)
        largest = fmax(largest, fabs(n[3]) / hypot(hypot(n[0], n[1]), n[2]));
    return fmin(largest, DBL_MAX);
}

/* The resolution of a part: that of the numbers in its file, at the place and scale it has in the world. */
static double resolution_of(const input_part *part, const graze_mesh *mesh)
{
    graze_box box = graze_mesh_bounds(mesh);
    const graze_placed placed = {part->shape, part->pose};
    if (part->shape != NULL)
        return graze_precision_resolution(part->precision, largest_of_shape(&placed), part->mesh_scale);
    if (graze_mesh_triangle_count(mesh) == 0)
        return 0;
    double scale = fmin(part->mesh_scale * scale_of(&part->pose), DBL_MAX);
    return graze_precision_resolution(part->precision, largest_coordinate(&box, &part->pose), scale);
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
                                                .mesh = inputs_mesh(inputs, input),
                                                .shape = input->shape,
                                                .pose = input->pose,
                                                .resolution = resolution_of(input, inputs_mesh(inputs, input))};
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

/* The object at the top of an object's tree. Scenes are checked to be trees when they are read. */
static uint32_t top_object(const scene_file *file, uint32_t object)
{
    while (file->objects[object].parent != GRZ_NO_NAME)
        object = file->objects[object].parent;
    return object;
}

/* Numbers a tree of nodes, over all files and scenes; 0 when out of memory. */
static uint32_t top_number(grz_name_table *tops, const char *kind, size_t file, const char *name, size_t size)
{
    char *key = format_text("%s %zu %.*s", kind, file, (int)size, name);
    uint32_t number = key != NULL ? grz_names_add(NULL, tops, key) : GRZ_NO_NAME;
    free(key);
    return number != GRZ_NO_NAME ? number + 1 : 0;
}

/* The number of the top node of a part: an object of a scene, a node of glTF, else the first word of its name's path.
 */
static uint32_t top_of(const tool_inputs *inputs, size_t part, grz_name_table *tops)
{
    const input_part *input = &inputs->parts[part];
    char digits[24];
    if (input->scene != NO_SCENE)
    {
        uint32_t top = top_object(&inputs->scenes[input->scene].file, input->object);
        snprintf(digits, sizeof digits, "%u", (unsigned)top);
        return top_number(tops, "scene", (size_t)input->scene, digits, strlen(digits));
    }
    if (input->shape != NULL)
        return top_number(tops, "shape", part, "", 0);
    const graze_part *source = graze_assembly_part_at(inputs->assembly, input->source);
    snprintf(digits, sizeof digits, "%u", (unsigned)source->top);
    return source->top != GRAZE_NO_NODE
               ? top_number(tops, "node", source->file, digits, strlen(digits))
               : top_number(tops, "path", source->file, source->name, strcspn(source->name, "/"));
}

/* Sets the parents of parts of glTF: a part per node at most. */
static bool link_nodes(const tool_inputs *inputs, clash_assembly *assembly)
{
    grz_name_table nodes = {0};
    uint32_t *part_of = calloc(inputs->part_count + 1, sizeof *part_of);
    bool done = part_of != NULL;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < inputs->part_count && done; i++)
        {
            const graze_part *source = graze_assembly_part_at(inputs->assembly, inputs->parts[i].source);
            bool has_node = inputs->parts[i].scene == NO_SCENE && inputs->parts[i].shape == NULL;
            uint32_t node = !has_node ? GRAZE_NO_NODE : pass == 0 ? source->node : source->parent;
            if (node == GRAZE_NO_NODE)
                continue;
            char key[48];
            snprintf(key, sizeof key, "%zu %u", source->file, (unsigned)node);
            uint32_t number = pass == 0 ? grz_names_add(NULL, &nodes, key) : grz_names_find(&nodes, key);
            if (pass == 0 && number != GRZ_NO_NAME)
                part_of[number] = (uint32_t)i;
            else if (pass == 1 && number != GRZ_NO_NAME)
                assembly->members[i].parent = part_of[number];
            done = pass == 1 || number != GRZ_NO_NAME;
        }
    grz_names_release(NULL, &nodes);
    free(part_of);
    return done;
}

static bool take_nodes(const tool_inputs *inputs, clash_assembly *assembly)
{
    grz_name_table tops = {0};
    bool done = link_nodes(inputs, assembly);
    for (size_t i = 0; i < inputs->part_count && done; i++)
    {
        assembly->members[i].top = top_of(inputs, i, &tops);
        done = assembly->members[i].top != 0;
    }
    grz_names_release(NULL, &tops);
    return done;
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
    return done && take_nodes(inputs, assembly);
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
