/* SPDX-License-Identifier: MIT */
/* Meshes of scene files: mesh files, or the shapes of graze make with the same parameters, spelled with underscores;
 * see scene_file.h. */
#include <stdlib.h>
#include <string.h>

#include "scene/input_shapes.h"
#include "scene/scene_file.h"
#include "scene/shapes.h"
#include "scene/transform_mesh.h"
#include "shell/load_shape.h"
#include "text/json_writer.h"
#include "text/number.h"
#include "text/suggestion.h"

char *path_beside(const json_document *document, const char *path)
{
    const char *slash = strrchr(document->path, '/');
    size_t folder = path[0] == '/' || slash == NULL ? 0 : (size_t)(slash - document->path) + 1;
    size_t size = strlen(path) + 1;
    char *joined = malloc(folder + size + 2);
    if (joined == NULL)
        return NULL;
    memcpy(joined, document->path, folder);
    if (folder == 0 && path[0] == '-') /* a file of that name, not standard input */
    {
        joined[0] = '.';
        joined[1] = '/';
        folder = 2;
    }
    memcpy(joined + folder, path, size);
    return joined;
}

enum
{
    FILE_FILE,
    FILE_SCALE,
    FILE_KEYS
};

/* The precision of all parts of a model together. */
static graze_precision precision_of(const graze_model *model)
{
    graze_precision finest = graze_model_part_precision(model, 0);
    for (size_t part = 1; part < graze_model_part_count(model); part++)
    {
        graze_precision precision = graze_model_part_precision(model, part);
        if (precision.finest_place < finest.finest_place)
            finest = precision;
    }
    return finest;
}

static bool read_scale(json_document *document, const grz_json_place *place, const grz_json_node *value,
                       double *out_scale)
{
    if (value == NULL)
        return true;
    if (!grz_json_take_number(&document->json, place, value, out_scale))
        return false;
    return *out_scale > 0 || document_refuse(document, place, "a scale must be above zero");
}

static bool scale_mesh(json_document *document, const grz_json_place *place, double scale, scene_mesh *mesh)
{
    graze_pose pose = {{scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0}};
    graze_status status = transform_mesh(mesh->mesh, &pose, &mesh->own);
    if (status == GRAZE_STATUS_NOT_FINITE)
        return document_refuse(document, place, "this scale moves a vertex out of the range of doubles");
    if (status != GRAZE_STATUS_OK)
        return document_fail(document, exit_code_of(status), graze_status_text(status));
    mesh->scale = scale;
    mesh->mesh = mesh->own;
    graze_shape_set_destroy(mesh->set);
    mesh->set = NULL;
    return true;
}

static bool take_file(json_document *document, const char *path, const grz_json_place *place, double scale,
                      scene_mesh *mesh)
{
    document->code = load_shape_file(document->console, path, scale, &mesh->set);
    if (document->code != 0)
        return false;
    const graze_model *model = graze_shape_set_model(mesh->set);
    mesh->scale = 1;
    if (model == NULL)
    {
        mesh->scale = scale;
        document->code = shape_file_precision(document->console, path, &mesh->precision);
        return document->code == 0;
    }
    mesh->mesh = graze_model_mesh(model);
    mesh->precision = precision_of(model);
    return scale == 1 || scale_mesh(document, place, scale, mesh);
}

static bool read_file(json_document *document, const grz_json_place *place, const grz_json_node *value,
                      scene_mesh *mesh)
{
    static const char *const keys[FILE_KEYS] = {"file", "scale"};
    const grz_json_node *items[FILE_KEYS];
    const char *name = NULL;
    double scale = 1;
    grz_json_place at = {.parent = place, .key = keys[FILE_FILE]},
                   scale_at = {.parent = place, .key = keys[FILE_SCALE]};
    if (!grz_json_take_members(&document->json, place, value, keys, FILE_KEYS, items) ||
        !grz_json_take_text(&document->json, &at, items[FILE_FILE], &name) ||
        !read_scale(document, &scale_at, items[FILE_SCALE], &scale))
        return false;
    char *path = path_beside(document, name);
    if (path == NULL)
        return document_fail(document, EXIT_INTERNAL, "out of memory");
    bool is_read = take_file(document, path, &scale_at, scale, mesh);
    free(path);
    return is_read;
}

/* A shape as objects and shape files have it. */
static bool read_described(json_document *document, const grz_json_place *place, const grz_json_node *value,
                           scene_mesh *mesh)
{
    static const char *const keys[1] = {"shape"};
    const grz_json_node *item;
    grz_json_place at = {.parent = place, .key = keys[0]};
    if (!grz_json_take_members(&document->json, place, value, keys, 1, &item))
        return false;
    grz_name text = grz_json_source(&document->json, item);
    mesh->precision = shape_precision(text.text, text.size);
    mesh->scale = 1;
    return scene_read_shape(document, &at, item, &mesh->set);
}

typedef struct shape_key
{
    char text[32];
} shape_key;

/* The JSON key of a parameter: its option name with underscores. */
static shape_key key_of(const shape_parameter *parameter)
{
    shape_key key;
    snprintf(key.text, sizeof key.text, "%s", shape_options[parameter->option].name);
    for (char *at = key.text; *at != '\0'; at++)
        *at = *at == '-' ? '_' : *at;
    return key;
}

enum
{
    WORDS_SIZE = 128
};

/* A parameter as command-line text; numbers are printed so that they read back exactly. */
static bool put_into_words(json_document *document, const grz_json_place *place, const shape_parameter *parameter,
                           const grz_json_node *value, char words[WORDS_SIZE])
{
    double numbers[3];
    bool are_three = parameter->kind == PARAMETER_SIZES && value->kind == GRZ_JSON_ARRAY;
    if (!(are_three ? grz_json_take_numbers(&document->json, place, value, numbers, 3)
                    : grz_json_take_number(&document->json, place, value, numbers)))
        return false;
    size_t size = 0;
    for (int i = 0; i < (are_three ? 3 : 1); i++)
    {
        char real[32];
        grz_real_print(numbers[i], real);
        size += (size_t)snprintf(words + size, WORDS_SIZE - size, "%s ", real);
    }
    words[size - 1] = '\0';
    return true;
}

static bool read_parameter(json_document *document, const grz_json_place *place, const shape_parameter *parameter,
                           const grz_json_node *value, shape_values *values)
{
    char words[WORDS_SIZE], fault[FAULT_SIZE];
    if (parameter->kind == PARAMETER_TEXT)
        return grz_json_take_text(&document->json, place, value, &values->texts[parameter->option]);
    if (!put_into_words(document, place, parameter, value, words))
        return false;
    if (parse_parameter(parameter, words, values, fault))
        return true;
    return document_refuse(document, place, "%s", fault + strspn(fault, ": "));
}

static bool make_shape(json_document *document, const grz_json_place *place, const tool_shape *shape,
                       shape_values *values, graze_mesh **out_mesh)
{
    graze_error error = {.status = GRAZE_STATUS_OK};
    char *path = NULL;
    if (values->texts[SHAPE_POINTS_FILE] != NULL)
    {
        path = path_beside(document, values->texts[SHAPE_POINTS_FILE]);
        if (path == NULL)
            return document_fail(document, EXIT_INTERNAL, "out of memory");
        values->texts[SHAPE_POINTS_FILE] = path;
    }
    graze_status status = shape->make(values, &error, out_mesh);
    free(path);
    if (status == GRAZE_STATUS_OK)
        return true;
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return document_fail(document, EXIT_INTERNAL, "no memory for a shape of that size");
    return document_refuse(document, place, "these numbers make no %s: %s", shape->name,
                           error.text[0] != '\0' ? error.text : graze_status_text(status));
}

static bool read_shape(json_document *document, const grz_json_place *place, const grz_json_node *value,
                       const tool_shape *shape, scene_mesh *mesh)
{
    shape_key names[PARAMETER_LIMIT];
    const char *keys[PARAMETER_LIMIT + 1] = {"shape"};
    const grz_json_node *items[PARAMETER_LIMIT + 1];
    size_t count = 0;
    for (; shape->parameters[count].kind != PARAMETER_END; count++)
    {
        names[count] = key_of(&shape->parameters[count]);
        keys[count + 1] = names[count].text;
    }
    if (!grz_json_take_members(&document->json, place, value, keys, count + 1, items))
        return false;
    shape_values values = {0};
    for (size_t i = 0; i < count; i++)
    {
        const shape_parameter *parameter = &shape->parameters[i];
        char fault[FAULT_SIZE];
        grz_json_place at = {.parent = place, .key = keys[i + 1]};
        if (items[i + 1] == NULL && parameter->fallback != NULL)
            parse_parameter(parameter, parameter->fallback, &values, fault);
        else if (items[i + 1] != NULL && !read_parameter(document, &at, parameter, items[i + 1], &values))
            return false;
    }
    if (!make_shape(document, place, shape, &values, &mesh->own))
        return false;
    mesh->scale = 1;
    mesh->mesh = mesh->own;
    return true;
}

static bool read_mesh(json_document *document, const grz_json_place *place, const grz_json_node *value,
                      scene_mesh *mesh)
{
    const grz_json_node *shape_name = grz_json_find_member(value, "shape");
    if (value->kind == GRZ_JSON_OBJECT && (shape_name != NULL) == (grz_json_find_member(value, "file") != NULL))
        return document_refuse(document, place, "a mesh has either a 'file' or a 'shape'");
    if (shape_name == NULL)
        return read_file(document, place, value, mesh);
    if (shape_name->kind == GRZ_JSON_OBJECT)
        return read_described(document, place, value, mesh);
    const char *name = NULL;
    grz_json_place at = {.parent = place, .key = "shape"};
    if (!grz_json_take_text(&document->json, &at, shape_name, &name))
        return false;
    grz_suggestion best = {.wanted = name};
    for (size_t i = 0; i < shape_count; i++)
    {
        if (strcmp(name, all_shapes[i].name) == 0)
            return read_shape(document, place, value, &all_shapes[i], mesh);
        grz_suggestion_offer(&best, all_shapes[i].name);
    }
    const char *hint = grz_suggestion_name(&best);
    return document_refuse(document, &at, "there is no shape '%s'%s%s%s", name,
                           hint != NULL ? "; did you mean '" : "; graze make --list shows them all",
                           hint != NULL ? hint : "", hint != NULL ? "'?" : "");
}

/* Numbers the meshes. Those that objects name have numbers already. */
static bool number_meshes(json_document *document, scene_file *file, const grz_json_node *value)
{
    if (value != NULL && value->kind != GRZ_JSON_OBJECT)
        return document_refuse(document, &(grz_json_place){.key = "meshes"}, "expected an object with a mesh a name");
    for (const grz_json_node *member = value != NULL ? value->child : NULL; member != NULL; member = member->next)
        if (grz_names_add(NULL, &file->mesh_names, member->key) == GRZ_NO_NAME)
            return document_fail(document, EXIT_INTERNAL, "out of memory");
    file->mesh_count = file->mesh_names.count;
    file->meshes = calloc(file->mesh_count + 1, sizeof *file->meshes);
    return file->meshes != NULL || document_fail(document, EXIT_INTERNAL, "out of memory");
}

static bool is_there(const scene_mesh *mesh)
{
    return mesh->mesh != NULL || mesh->set != NULL;
}

/* Suggests a name among the meshes that exist. */
static grz_name_hint suggest_mesh(const scene_file *file, const char *name)
{
    grz_name_table there = {0};
    for (size_t i = 0; i < file->mesh_count; i++)
        if (is_there(&file->meshes[i]))
            grz_names_add(NULL, &there, file->mesh_names.names[i]);
    grz_name_hint hint = grz_suggest_name(&there, name);
    grz_names_release(NULL, &there);
    return hint;
}

static bool check_named(json_document *document, const scene_file *file)
{
    grz_json_place objects = {.key = "objects"};
    for (size_t i = 0; i < file->object_count; i++)
    {
        uint32_t mesh = file->objects[i].mesh;
        if (mesh == GRZ_NO_NAME || is_there(&file->meshes[mesh]))
            continue;
        grz_json_place entry = {.parent = &objects, .index = i}, place = {.parent = &entry, .key = "mesh"};
        const char *name = file->mesh_names.names[mesh];
        return document_refuse(document, &place, "there is no mesh '%s'%s", name, suggest_mesh(file, name).text);
    }
    return true;
}

/* Objects whose mesh is a shape have that shape. */
static void share_shapes(scene_file *file)
{
    for (size_t i = 0; i < file->object_count; i++)
    {
        scene_object *object = &file->objects[i];
        if (object->mesh == GRZ_NO_NAME || file->meshes[object->mesh].mesh != NULL)
            continue;
        object->shape = file->meshes[object->mesh].set;
        object->precision = file->meshes[object->mesh].precision;
        object->shape_scale = file->meshes[object->mesh].scale;
        object->shares_shape = true;
        object->mesh = GRZ_NO_NAME;
    }
}

bool scene_read_meshes(json_document *document, scene_file *file, const grz_json_node *value)
{
    grz_json_place meshes = {.key = "meshes"};
    uint32_t rank = 0;
    if (!number_meshes(document, file, value))
        return false;
    for (const grz_json_node *member = value != NULL ? value->child : NULL; member != NULL; member = member->next)
    {
        grz_json_place place = {.parent = &meshes, .key = member->key};
        scene_mesh *mesh = &file->meshes[grz_names_find(&file->mesh_names, member->key)];
        if (is_there(mesh))
            return document_refuse(document, &place, "this key is there twice");
        if (!read_mesh(document, &place, member, mesh))
            return false;
    }
    if (!check_named(document, file))
        return false;
    for (size_t i = 0; i < file->mesh_count; i++) /* in the order of their numbers, not of the file */
    {
        file->meshes[i].rank = rank;
        rank += file->meshes[i].mesh != NULL;
    }
    share_shapes(file);
    return true;
}
