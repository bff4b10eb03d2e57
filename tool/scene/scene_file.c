/* SPDX-License-Identifier: MIT */
/* Reads a scene file; see scene_file.h. Objects are read one by one during the traversal; members that refer to them by
 * name are read afterwards. */
#include "scene/scene_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "shell/line_reader.h"

enum
{
    TOP_GRAZE,
    TOP_VERSION,
    TOP_UNITS,
    TOP_FRAMES,
    TOP_SECONDS_PER_FRAME,
    TOP_MESHES,
    TOP_LAYERS,
    TOP_OBJECTS,
    TOP_INTEREST,
    TOP_CAGE,
    TOP_BOUNCE,
    TOP_SCHEMA,
    TOP_KEYS
};

static const char *const top_keys[TOP_KEYS] = {"graze",  "version", "units",   "frames",   "seconds_per_frame",
                                               "meshes", "layers",  "objects", "interest", "cage",
                                               "bounce", "$schema"};

static grz_json_place top_place(int key)
{
    return (grz_json_place){.key = top_keys[key]};
}

static bool read_objects(json_document *document, scene_file *file)
{
    bool is_there = false;
    if (!grz_json_walk_into(&document->json, '[') || !grz_json_walk_on(&document->json, ']', true, &is_there))
        return false;
    for (size_t index = 0; is_there; index++)
    {
        const grz_json_node *value = grz_json_walk_value(&document->json, false);
        if (value == NULL || !scene_read_object(document, file, index, value) ||
            !grz_json_walk_on(&document->json, ']', false, &is_there))
            return false;
        if (index + 1 >= UINT32_MAX / 2)
            return document_refuse(document, NULL, "there are too many objects");
    }
    return true;
}

static bool check_format(json_document *document, int key, const grz_json_node *value)
{
    grz_json_place place = top_place(key);
    double version = 1;
    static const char *const words[] = {"scene"};
    size_t word;
    if (key == TOP_GRAZE)
        return grz_json_take_word(&document->json, &place, value, words, 1, &word);
    if (key == TOP_VERSION && !grz_json_take_number(&document->json, &place, value, &version))
        return false;
    return version == 1 ||
           document_refuse(document, &place, "version %g is not known here; this program reads 1", version);
}

/* Reads one member of the outermost object: objects at once, others are stored as values. */
static bool walk_member(json_document *document, scene_file *file, const grz_json_node **items)
{
    size_t key = TOP_KEYS;
    const char *name = grz_json_walk_key(&document->json);
    if (name == NULL || !grz_json_find_key(&document->json, NULL, name, top_keys, TOP_KEYS, &key))
        return false;
    if (key < TOP_KEYS && items[key] != NULL)
    {
        grz_json_place place = top_place((int)key);
        return document_refuse(document, &place, "this key is there twice");
    }
    if (key == TOP_OBJECTS)
    {
        static const grz_json_node there = {.kind = GRZ_JSON_TRUE};
        items[key] = &there;
        return read_objects(document, file);
    }
    const grz_json_node *value = grz_json_walk_value(&document->json, key < TOP_KEYS);
    if (value == NULL || key == TOP_KEYS)
        return value != NULL;
    items[key] = value;
    return check_format(document, (int)key, value);
}

static bool walk(json_document *document, scene_file *file, const grz_json_node **items)
{
    bool is_there = false;
    if (!grz_json_walk_into(&document->json, '{') || !grz_json_walk_on(&document->json, '}', true, &is_there))
        return false;
    while (is_there)
        if (!walk_member(document, file, items) || !grz_json_walk_on(&document->json, '}', false, &is_there))
            return false;
    if (!grz_json_walk_out(&document->json))
        return false;
    static const int needed[] = {TOP_GRAZE, TOP_VERSION, TOP_OBJECTS};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (items[needed[i]] == NULL)
            return document_refuse(document, NULL, "'%s' is missing, so this is no scene", top_keys[needed[i]]);
    return true;
}

static bool read_cage(json_document *document, scene_file *file, const grz_json_node *value)
{
    enum
    {
        CAGE_LOWER,
        CAGE_UPPER,
        CAGE_KEYS
    };
    static const char *const keys[CAGE_KEYS] = {"lower", "upper"};
    const grz_json_node *items[CAGE_KEYS];
    double *corners[CAGE_KEYS] = {file->cage_lower, file->cage_upper};
    grz_json_place place = top_place(TOP_CAGE);
    if (!grz_json_take_members(&document->json, &place, value, keys, CAGE_KEYS, items))
        return false;
    for (int i = 0; i < CAGE_KEYS; i++)
    {
        grz_json_place at = {.parent = &place, .key = keys[i]};
        if (items[i] == NULL)
            return document_refuse(document, &place, "'%s' is missing", keys[i]);
        if (!grz_json_take_numbers(&document->json, &at, items[i], corners[i], 3))
            return false;
    }
    for (int axis = 0; axis < 3; axis++)
        if (file->cage_lower[axis] > file->cage_upper[axis])
            return document_refuse(document, &place, "'lower' is above 'upper'");
    file->has_cage = true;
    return true;
}

static bool read_settings(json_document *document, scene_file *file, const grz_json_node *const *items)
{
    const char *text = NULL, *units = NULL;
    grz_json_place places[TOP_KEYS];
    for (int i = 0; i < TOP_KEYS; i++)
        places[i] = top_place(i);
    file->frames = 1;
    file->seconds_per_frame = 1;
    if ((items[TOP_UNITS] != NULL &&
         !grz_json_take_text(&document->json, &places[TOP_UNITS], items[TOP_UNITS], &units)) ||
        (items[TOP_SCHEMA] != NULL &&
         !grz_json_take_text(&document->json, &places[TOP_SCHEMA], items[TOP_SCHEMA], &text)) ||
        (items[TOP_FRAMES] != NULL &&
         !grz_json_take_count(&document->json, &places[TOP_FRAMES], items[TOP_FRAMES], 1, &file->frames)) ||
        (items[TOP_SECONDS_PER_FRAME] != NULL &&
         !grz_json_take_number(&document->json, &places[TOP_SECONDS_PER_FRAME], items[TOP_SECONDS_PER_FRAME],
                               &file->seconds_per_frame)) ||
        (items[TOP_BOUNCE] != NULL &&
         !grz_json_take_bool(&document->json, &places[TOP_BOUNCE], items[TOP_BOUNCE], &file->bounces)))
        return false;
    file->unit = units != NULL ? unit_in_words(units) : UNIT_NONE;
    snprintf(file->unknown_unit, sizeof file->unknown_unit, "%s",
             units != NULL && file->unit == UNIT_NONE ? units : "");
    if (!(file->seconds_per_frame > 0))
        return document_refuse(document, &places[TOP_SECONDS_PER_FRAME], "this must be above zero");
    return items[TOP_CAGE] == NULL || read_cage(document, file, items[TOP_CAGE]);
}

static bool check_content(json_document *document, const scene_file *file)
{
    for (size_t i = 0; i < file->object_count; i++)
        if (file->objects[i].mesh != GRZ_NO_NAME || file->objects[i].shape != NULL)
            return true;
    return document_fail(document, EXIT_INCOMPLETE,
                         "there is no object with a mesh or shape in it, so nothing was checked");
}

/* `is_open` says whether the document was opened; it is closed in any case. */
static exit_code read_document(bool is_open, json_document *document, scene_file *out_file)
{
    const grz_json_node *items[TOP_KEYS] = {NULL};
    *out_file = (scene_file){0};
    if (is_open && grz_names_add(NULL, &out_file->layer_names, "default") == GRZ_NO_NAME)
        document->code = report_error(document->console, EXIT_INTERNAL, "out of memory");
    else if (is_open)
        (void)(walk(document, out_file, items) && read_settings(document, out_file, items) &&
               scene_link_objects(document, out_file) && scene_read_layers(document, out_file, items[TOP_LAYERS]) &&
               scene_read_interest(document, out_file, items[TOP_INTEREST]) &&
               scene_read_meshes(document, out_file, items[TOP_MESHES]) && check_content(document, out_file));
    return document_close(document);
}

exit_code scene_file_load(const tool_console *console, const char *path, scene_file *out_file)
{
    json_document document;
    bool is_open = document_open(console, path, &document);
    return read_document(is_open, &document, out_file);
}

exit_code scene_file_take(const tool_console *console, const char *path, char *text, size_t size, scene_file *out_file)
{
    json_document document;
    bool is_open = document_take(console, path, text, size, &document);
    return read_document(is_open, &document, out_file);
}

static void release_track(scene_track *track)
{
    if (track == NULL)
        return;
    free(track->frames);
    free(track->poses);
    free(track);
}

void scene_file_release(scene_file *file)
{
    for (size_t i = 0; i < file->object_count; i++)
    {
        free(file->objects[i].parent_name);
        if (!file->objects[i].shares_shape)
            graze_shape_set_destroy(file->objects[i].shape);
        release_track(file->objects[i].track);
    }
    for (size_t i = 0; file->meshes != NULL && i < file->mesh_count; i++)
    {
        graze_shape_set_destroy(file->meshes[i].set);
        graze_mesh_destroy(file->meshes[i].own);
    }
    free(file->objects);
    free(file->order);
    free(file->meshes);
    free(file->interest.layers);
    free(file->interest.pairs);
    free(file->interest.objects);
    grz_names_release(NULL, &file->object_names);
    grz_names_release(NULL, &file->mesh_names);
    grz_names_release(NULL, &file->layer_names);
    grz_names_release(NULL, &file->assembly_names);
    *file = (scene_file){0};
}
