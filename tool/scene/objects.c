/* SPDX-License-Identifier: MIT */
/* Objects of scene files; see scene_file.h. Names of parents, meshes and layers are stored only: they may be defined
 * later in the file. */
#include <stdlib.h>
#include <string.h>

#include "scene/input_shapes.h"
#include "scene/scene_file.h"

enum
{
    OBJECT_NAME,
    OBJECT_MESH,
    OBJECT_SHAPE,
    OBJECT_PARENT,
    OBJECT_POSE,
    OBJECT_VELOCITY,
    OBJECT_SPIN,
    OBJECT_TRACK,
    OBJECT_TRACK_FILE,
    OBJECT_IS_STATIC,
    OBJECT_IS_SENSOR,
    OBJECT_IS_SOLID,
    OBJECT_LAYER,
    OBJECT_ASSEMBLY,
    OBJECT_KEYS
};

static const char *const object_keys[OBJECT_KEYS] = {"name",     "mesh",  "shape", "parent",     "pose",
                                                     "velocity", "spin",  "track", "track_file", "static",
                                                     "sensor",   "solid", "layer", "assembly"};

typedef struct object_reader
{
    json_document *document;
    scene_file *file;
    scene_object *object;
    grz_json_place place;
    const grz_json_node *items[OBJECT_KEYS];
} object_reader;

static grz_json_place place_of(const object_reader *reader, int key)
{
    return (grz_json_place){.parent = &reader->place, .key = object_keys[key]};
}

static bool out_of_memory(json_document *document)
{
    return document_fail(document, EXIT_INTERNAL, "out of memory");
}

static bool read_name(object_reader *reader)
{
    json_document *document = reader->document;
    const char *name = NULL;
    grz_json_place place = place_of(reader, OBJECT_NAME);
    if (reader->items[OBJECT_NAME] == NULL)
        return document_refuse(document, &reader->place, "'name' is missing");
    if (!grz_json_take_text(&document->json, &place, reader->items[OBJECT_NAME], &name))
        return false;
    uint32_t before = grz_names_find(&reader->file->object_names, name);
    if (before != GRZ_NO_NAME)
        return document_refuse(document, &place, "objects[%u] has the name '%s' already", (unsigned)before, name);
    uint32_t number = grz_names_add(NULL, &reader->file->object_names, name);
    if (number == GRZ_NO_NAME)
        return out_of_memory(document);
    reader->object->name = reader->file->object_names.names[number];
    return true;
}

/* Interns a name and returns its number. */
static bool read_number(object_reader *reader, int key, grz_name_table *table, uint32_t *out_number)
{
    const char *name = NULL;
    grz_json_place place = place_of(reader, key);
    if (reader->items[key] == NULL)
        return true;
    if (!grz_json_take_text(&reader->document->json, &place, reader->items[key], &name))
        return false;
    *out_number = grz_names_add(NULL, table, name);
    return *out_number != GRZ_NO_NAME || out_of_memory(reader->document);
}

static bool read_names(object_reader *reader)
{
    scene_object *object = reader->object;
    const char *parent = NULL;
    grz_json_place place = place_of(reader, OBJECT_PARENT);
    if (reader->items[OBJECT_PARENT] != NULL)
    {
        if (!grz_json_take_text(&reader->document->json, &place, reader->items[OBJECT_PARENT], &parent))
            return false;
        size_t size = strlen(parent) + 1;
        object->parent_name = malloc(size);
        if (object->parent_name == NULL)
            return out_of_memory(reader->document);
        memcpy(object->parent_name, parent, size);
    }
    uint32_t assembly = GRZ_NO_NAME;
    if (!read_number(reader, OBJECT_MESH, &reader->file->mesh_names, &object->mesh) ||
        !read_number(reader, OBJECT_LAYER, &reader->file->layer_names, &object->layer) ||
        !read_number(reader, OBJECT_ASSEMBLY, &reader->file->assembly_names, &assembly))
        return false;
    object->assembly = assembly == GRZ_NO_NAME ? 0 : assembly + 1;
    return true;
}

static bool read_shape(object_reader *reader)
{
    grz_json_place place = place_of(reader, OBJECT_SHAPE);
    if (reader->items[OBJECT_SHAPE] == NULL)
        return true;
    if (reader->items[OBJECT_MESH] != NULL)
        return document_refuse(reader->document, &reader->place, "'mesh' and 'shape' cannot both hold");
    grz_name text = grz_json_source(&reader->document->json, reader->items[OBJECT_SHAPE]);
    reader->object->precision = shape_precision(text.text, text.size);
    reader->object->shape_scale = 1;
    return scene_read_shape(reader->document, &place, reader->items[OBJECT_SHAPE], &reader->object->shape);
}

static bool read_flags(object_reader *reader)
{
    static const uint32_t flags[] = {GRAZE_OBJECT_STATIC, GRAZE_OBJECT_SENSOR, GRAZE_OBJECT_SOLID};
    for (int i = 0; i < 3; i++)
    {
        bool is_set = false;
        int key = OBJECT_IS_STATIC + i;
        grz_json_place place = place_of(reader, key);
        if (reader->items[key] != NULL &&
            !grz_json_take_bool(&reader->document->json, &place, reader->items[key], &is_set))
            return false;
        reader->object->flags |= is_set ? flags[i] : 0;
    }
    return true;
}

static bool read_spin(object_reader *reader)
{
    enum
    {
        SPIN_AXIS,
        SPIN_DEGREES,
        SPIN_KEYS
    };
    static const char *const keys[SPIN_KEYS] = {"axis", "degrees"};
    const grz_json_node *items[SPIN_KEYS];
    json_document *document = reader->document;
    scene_object *object = reader->object;
    grz_json_place place = place_of(reader, OBJECT_SPIN);
    if (!grz_json_take_members(&document->json, &place, reader->items[OBJECT_SPIN], keys, SPIN_KEYS, items))
        return false;
    for (int i = 0; i < SPIN_KEYS; i++)
        if (items[i] == NULL)
            return document_refuse(document, &place, "'%s' is missing", keys[i]);
    grz_json_place axis = {.parent = &place, .key = keys[SPIN_AXIS]};
    grz_json_place degrees = {.parent = &place, .key = keys[SPIN_DEGREES]};
    if (!grz_json_take_numbers(&document->json, &axis, items[SPIN_AXIS], object->spin_axis, 3) ||
        !grz_json_take_number(&document->json, &degrees, items[SPIN_DEGREES], &object->spin_degrees))
        return false;
    if (object->spin_axis[0] == 0 && object->spin_axis[1] == 0 && object->spin_axis[2] == 0)
        return document_refuse(document, &axis, "an axis must not be zero");
    return true;
}

/* A track and a velocity exclude each other: both define the pose. */
static bool check_motion(object_reader *reader)
{
    static const int keys[] = {OBJECT_TRACK, OBJECT_TRACK_FILE, OBJECT_VELOCITY, OBJECT_SPIN};
    int first = -1;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    {
        if (reader->items[keys[i]] == NULL)
            continue;
        if (reader->object->flags & GRAZE_OBJECT_STATIC)
            return document_refuse(reader->document, &reader->place, "a static object has no '%s'",
                                   object_keys[keys[i]]);
        if (first >= 0 && first != OBJECT_VELOCITY)
            return document_refuse(reader->document, &reader->place, "'%s' and '%s' cannot both hold",
                                   object_keys[first], object_keys[keys[i]]);
        first = first < 0 ? keys[i] : first;
    }
    return true;
}

static bool read_motion(object_reader *reader)
{
    json_document *document = reader->document;
    scene_object *object = reader->object;
    const grz_json_node *const *items = reader->items;
    grz_json_place pose = place_of(reader, OBJECT_POSE), velocity = place_of(reader, OBJECT_VELOCITY);
    grz_json_place track = place_of(reader, OBJECT_TRACK), track_file = place_of(reader, OBJECT_TRACK_FILE);
    object->moves = items[OBJECT_VELOCITY] != NULL || items[OBJECT_SPIN] != NULL;
    if (!check_motion(reader))
        return false;
    if (items[OBJECT_POSE] != NULL && !scene_read_pose(document, &pose, items[OBJECT_POSE], &object->pose))
        return false;
    if (items[OBJECT_VELOCITY] != NULL &&
        !grz_json_take_numbers(&document->json, &velocity, items[OBJECT_VELOCITY], object->velocity, 3))
        return false;
    if (items[OBJECT_SPIN] != NULL && !read_spin(reader))
        return false;
    if (items[OBJECT_TRACK] != NULL && !scene_read_track(document, &track, items[OBJECT_TRACK], &object->track))
        return false;
    return items[OBJECT_TRACK_FILE] == NULL ||
           scene_read_track_file(document, &track_file, items[OBJECT_TRACK_FILE], &object->track);
}

static scene_object *new_object(scene_file *file)
{
    if (file->object_count == file->object_capacity)
    {
        size_t capacity = file->object_capacity == 0 ? 64 : file->object_capacity * 2;
        scene_object *objects =
            capacity <= SIZE_MAX / sizeof *objects ? realloc(file->objects, capacity * sizeof *objects) : NULL;
        if (objects == NULL)
            return NULL;
        file->objects = objects;
        file->object_capacity = capacity;
    }
    scene_object *object = &file->objects[file->object_count++];
    *object = (scene_object){.parent = GRZ_NO_NAME, .mesh = GRZ_NO_NAME, .pose = graze_pose_identity()};
    return object;
}

bool scene_read_object(json_document *document, scene_file *file, size_t index, const grz_json_node *value)
{
    grz_json_place objects = {.key = "objects"};
    object_reader reader = {.document = document, .file = file, .place = {.parent = &objects, .index = index}};
    reader.object = new_object(file);
    if (reader.object == NULL)
        return out_of_memory(document);
    return grz_json_take_members(&document->json, &reader.place, value, object_keys, OBJECT_KEYS, reader.items) &&
           read_name(&reader) && read_names(&reader) && read_shape(&reader) && read_flags(&reader) &&
           read_motion(&reader);
}

static bool find_parents(json_document *document, scene_file *file)
{
    grz_json_place objects = {.key = "objects"};
    for (size_t i = 0; i < file->object_count; i++)
    {
        scene_object *object = &file->objects[i];
        if (object->parent_name == NULL)
            continue;
        object->parent = grz_names_find(&file->object_names, object->parent_name);
        if (object->parent != GRZ_NO_NAME)
            continue;
        grz_json_place entry = {.parent = &objects, .index = i}, place = {.parent = &entry, .key = "parent"};
        return document_refuse(document, &place, "there is no object '%s'%s", object->parent_name,
                               grz_suggest_name(&file->object_names, object->parent_name).text);
    }
    return true;
}

enum
{
    NOT_SEEN,
    SEEN, /* on the path from the current object to its root */
    ORDERED
};

/* Topological order: appends an object after those of its ancestors that are not in the order yet. The unused end of
 * the order serves as their stack. */
static bool put_in_order(json_document *document, scene_file *file, unsigned char *states, uint32_t object,
                         size_t *count)
{
    size_t last = file->object_count, first = last; /* the stack grows downwards */
    for (uint32_t at = object; at != GRZ_NO_NAME && states[at] != ORDERED; at = file->objects[at].parent)
    {
        if (states[at] == SEEN)
        {
            grz_json_place objects = {.key = "objects"}, entry = {.parent = &objects, .index = at};
            grz_json_place place = {.parent = &entry, .key = "parent"};
            return document_refuse(document, &place, "'%s' would be above itself", file->objects[at].name);
        }
        states[at] = SEEN;
        file->order[--first] = at;
    }
    for (; first < last; first++, (*count)++)
    {
        uint32_t at = file->order[first];
        states[at] = ORDERED;
        file->order[*count] = at;
    }
    return true;
}

bool scene_link_objects(json_document *document, scene_file *file)
{
    if (!find_parents(document, file))
        return false;
    unsigned char *states = calloc(file->object_count + 1, 1);
    file->order = calloc(file->object_count + 1, sizeof *file->order);
    bool fits = states != NULL && file->order != NULL;
    if (!fits)
        out_of_memory(document);
    size_t count = 0;
    for (size_t i = 0; fits && i < file->object_count; i++)
        fits = put_in_order(document, file, states, (uint32_t)i, &count);
    free(states);
    return fits;
}
