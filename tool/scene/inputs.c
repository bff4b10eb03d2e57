/* SPDX-License-Identifier: MIT */
/* Reads all files that a command line names; see inputs.h. */
#define _XOPEN_SOURCE 700

#include "scene/inputs.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "scene/motion.h"
#include "shell/line_reader.h"
#include "shell/load.h"

typedef struct input_reading
{
    const tool_console *console;
    tool_inputs *inputs;
    size_t problem_capacity;
    size_t *path_of_file; /* by file of the assembly: the path it came from */
    size_t file_count;
    char *bytes; /* of standard input, when it holds a mesh; else NULL */
    size_t size;
} input_reading;

char *format_text(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text != NULL)
        vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    return text;
}

const char *inputs_keep(tool_inputs *inputs, char *text)
{
    if (text != NULL && inputs->text_count == inputs->text_capacity)
    {
        size_t capacity = inputs->text_capacity == 0 ? 64 : 2 * inputs->text_capacity;
        char **larger = realloc(inputs->texts, capacity * sizeof *larger);
        if (larger == NULL)
        {
            free(text);
            return NULL;
        }
        inputs->texts = larger;
        inputs->text_capacity = capacity;
    }
    if (text != NULL)
        inputs->texts[inputs->text_count++] = text;
    return text;
}

static exit_code no_memory(const input_reading *reading)
{
    return report_error(reading->console, EXIT_INTERNAL, "there is not enough memory to read everything");
}

/* --- problems --- */

static exit_code add_problem(input_reading *reading, const char *part, const char *what, bool left_out)
{
    tool_inputs *inputs = reading->inputs;
    if (inputs->problem_count == reading->problem_capacity)
    {
        size_t capacity = reading->problem_capacity == 0 ? 16 : 2 * reading->problem_capacity;
        input_problem *larger = realloc(inputs->problems, capacity * sizeof *larger);
        if (larger == NULL)
            return no_memory(reading);
        inputs->problems = larger;
        reading->problem_capacity = capacity;
    }
    input_problem problem = {inputs_keep(inputs, strdup(part)), inputs_keep(inputs, strdup(what)), left_out};
    if (problem.part == NULL || problem.what == NULL)
        return no_memory(reading);
    inputs->problems[inputs->problem_count++] = problem;
    return 0;
}

static exit_code add_missing(input_reading *reading)
{
    const input_paths *paths = &reading->inputs->paths;
    exit_code code = 0;
    for (size_t i = 0; code == 0 && i < paths->missing_count; i++)
        code = add_problem(reading, paths->missing[i].path, paths->missing[i].what, paths->missing[i].left_out);
    return code;
}

/* Adds the problems that the assembly reported, from `first` on. */
static exit_code add_found_problems(input_reading *reading, size_t first, const char *path)
{
    const graze_assembly *assembly = reading->inputs->assembly;
    exit_code code = 0;
    for (size_t i = first; code == 0 && i < graze_assembly_problem_count(assembly); i++)
    {
        const graze_problem *problem = graze_assembly_problem_at(assembly, i);
        code = add_problem(reading, problem->part[0] != '\0' ? problem->part : base_name(path), problem->text,
                           problem->left_out);
    }
    return code;
}

/* --- files --- */

static exit_code find_scales(const input_reading *reading, const input_path *file, graze_assembly_options *options)
{
    return input_scales(reading->console, file, reading->inputs->unit, &options->scale, &options->metre);
}

/* Adds a file, or for standard input the bytes already read. */
static exit_code read_mesh_file(input_reading *reading, size_t path, const char *bytes, size_t size)
{
    tool_inputs *inputs = reading->inputs;
    const input_path *file = &inputs->paths.files[path];
    graze_assembly_options options = graze_assembly_options_default();
    graze_error error = {.status = GRAZE_STATUS_OK};
    size_t problems = graze_assembly_problem_count(inputs->assembly);
    exit_code code = find_scales(reading, file, &options);
    if (code != 0)
        return code;
    options.name = display_name(file->path);
    read_progress progress = read_progress_start();
    const graze_budget budget = read_progress_budget(&progress);
    graze_status status = bytes != NULL
                              ? graze_assembly_add_memory(inputs->assembly, bytes, size, &options, &budget, &error)
                              : graze_assembly_add_file(inputs->assembly, file->path, &options, &budget, &error);
    read_progress_end(&progress);
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return no_memory(reading);
    if (status != GRAZE_STATUS_OK)
        return add_problem(reading, base_name(display_name(file->path)),
                           error.text[0] != '\0' ? error.text : graze_status_text(status), true);
    reading->path_of_file[reading->file_count++] = path;
    return add_found_problems(reading, problems, display_name(file->path));
}

static bool is_scene(const char *path)
{
    size_t size = strlen(path);
    return size > 5 && strcmp(path + size - 5, ".json") == 0;
}

/* Whether text is a JSON object with that top-level key, in quotes: "graze" in scenes, "kind" in shapes, neither in
 * glTF. Only brackets and strings are parsed; errors are left to the reader. */
static bool has_key(const char *text, size_t size, const char *key)
{
    size_t key_size = strlen(key), depth = 0, start = 0;
    bool in_string = false;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        start = 3;
    while (start < size && strchr(" \t\r\n", text[start]) != NULL && text[start] != '\0')
        start++;
    if (start == size || text[start] != '{')
        return false;
    for (size_t i = start; i < size; i++)
    {
        if (!in_string && depth == 1 && size - i > key_size + 1 && memcmp(text + i, key, key_size) == 0 &&
            text[i + key_size + strspn(text + i + key_size, " \t\r\n")] == ':')
            return true;
        if (text[i] == '"')
            in_string = !in_string;
        else if (in_string)
            i += text[i] == '\\';
        else
            depth += (size_t)(text[i] == '{' || text[i] == '[') - (size_t)(text[i] == '}' || text[i] == ']');
    }
    return false;
}

/* Shapes are named before the reader of scenes misses its keys. */
static exit_code load_scene(const input_reading *reading, const char *path, scene_file *out_file)
{
    char *text = NULL;
    size_t size = 0;
    exit_code code = read_text_file(reading->console, path, &text, &size);
    if (code != 0)
        return code;
    if (has_key(text, size, "\"kind\"") && !has_key(text, size, "\"graze\""))
    {
        free(text);
        return report_error(reading->console, EXIT_INPUT, "%s: shapes are not taken by graze clash and graze view yet",
                            display_name(path));
    }
    return scene_file_take(reading->console, path, text, size, out_file);
}

/* Reads a scene from its file, or from text already in memory, of which it takes ownership. */
static exit_code read_scene_file(input_reading *reading, size_t path, char *text, size_t size)
{
    tool_inputs *inputs = reading->inputs;
    const char *name = inputs->paths.files[path].path;
    input_scene *scene = &inputs->scenes[inputs->scene_count];
    exit_code code = text != NULL ? scene_file_take(reading->console, name, text, size, &scene->file)
                                  : load_scene(reading, name, &scene->file);
    scene->path = path;
    inputs->scene_count++;
    return code == 0 ? scene_refuse_shapes(reading->console, &scene->file, name, "clash and graze view") : code;
}

static bool is_standard_input(const input_reading *reading, size_t path)
{
    return strcmp(reading->inputs->paths.files[path].path, "-") == 0;
}

/* Standard input may be any format: its content decides. A mesh is kept as bytes until the unit is known. */
static exit_code load_standard_input(input_reading *reading, size_t path)
{
    graze_error error = {.status = GRAZE_STATUS_OK};
    size_t size = 0;
    char *bytes = read_standard_input(&size, &error);
    if (bytes == NULL && error.status == GRAZE_STATUS_OUT_OF_MEMORY)
        return no_memory(reading);
    if (bytes == NULL)
        return add_problem(reading, display_name("-"), error.text, true);
    grz_sha256_text_of(bytes, size, reading->inputs->standard_input_hash);
    reading->inputs->standard_input_size = size;
    if (has_key(bytes, size, "\"graze\""))
        return read_scene_file(reading, path, bytes, size);
    free(reading->bytes); /* of "-" named twice, of which the second has nothing left to read */
    reading->bytes = bytes;
    reading->size = size;
    return 0;
}

static exit_code read_scenes(input_reading *reading)
{
    exit_code code = 0;
    for (size_t i = 0; code == 0 && i < reading->inputs->paths.count; i++)
    {
        if (is_standard_input(reading, i))
            code = load_standard_input(reading, i);
        else if (is_scene(reading->inputs->paths.files[i].path))
            code = read_scene_file(reading, i, NULL, 0);
    }
    return code;
}

static exit_code read_meshes(input_reading *reading)
{
    exit_code code = 0;
    for (size_t i = 0; code == 0 && i < reading->inputs->paths.count; i++)
    {
        if (!is_standard_input(reading, i) && !is_scene(reading->inputs->paths.files[i].path))
            code = read_mesh_file(reading, i, NULL, 0);
        else if (is_standard_input(reading, i) && reading->bytes != NULL)
            code = read_mesh_file(reading, i, reading->bytes, reading->size);
    }
    return code;
}

/* The unit of a scene file: as its path on the command line says, else as it states itself. */
static length_unit unit_of_scene(const tool_inputs *inputs, size_t scene)
{
    const input_path *path = &inputs->paths.files[inputs->scenes[scene].path];
    return path->unit != UNIT_NONE ? path->unit : inputs->scenes[scene].file.unit;
}

/* Without a unit of the results, that of the scene files is taken. */
static exit_code settle_unit(input_reading *reading)
{
    tool_inputs *inputs = reading->inputs;
    const input_scene *first = NULL;
    for (size_t s = 0; s < inputs->scene_count; s++)
    {
        const input_scene *scene = &inputs->scenes[s];
        const char *path = display_name(inputs->paths.files[scene->path].path);
        exit_code code = 0;
        if (scene->file.unknown_unit[0] != '\0')
        {
            char *what = format_text("units '%s' are not known here (mm, cm, m, in, ft); its numbers are taken as they "
                                     "are",
                                     scene->file.unknown_unit);
            code = what != NULL ? add_problem(reading, base_name(path), what, false) : no_memory(reading);
            free(what);
        }
        if (code != 0)
            return code;
        if (inputs->unit != UNIT_NONE || scene->file.unit == UNIT_NONE)
            continue;
        if (first != NULL && first->file.unit != scene->file.unit)
            return report_error(reading->console, EXIT_USAGE,
                                "%s is in %s and %s in %s; --units says which the results have",
                                display_name(inputs->paths.files[first->path].path), unit_name(first->file.unit), path,
                                unit_name(scene->file.unit));
        if (first == NULL)
            first = scene;
    }
    if (first != NULL)
        inputs->unit = first->file.unit;
    return 0;
}

/* --- parts --- */

static void collect_from_assembly(input_reading *reading)
{
    tool_inputs *inputs = reading->inputs;
    size_t part_count = graze_assembly_part_count(inputs->assembly);
    for (size_t m = 0; m < graze_assembly_mesh_count(inputs->assembly); m++)
        inputs->meshes[inputs->mesh_count++] = graze_assembly_mesh_at(inputs->assembly, m);
    for (size_t p = 0; p < part_count; p++)
    {
        const graze_part *part = graze_assembly_part_at(inputs->assembly, p);
        const graze_assembly_file *file = graze_assembly_file_at(inputs->assembly, part->file);
        const char *path = display_name(inputs->paths.files[reading->path_of_file[part->file]].path);
        inputs->parts[inputs->part_count++] =
            (input_part){part->name, path, part->mesh, part->pose, file->format, part->precision, 1.0, NO_SCENE, 0, p};
    }
}

/* The objects of a scene file at its first frame, parents before children. */
static exit_code collect_from_scene(input_reading *reading, size_t number)
{
    tool_inputs *inputs = reading->inputs;
    const scene_file *scene = &inputs->scenes[number].file;
    const input_path *path = &inputs->paths.files[inputs->scenes[number].path];
    graze_assembly_options options = graze_assembly_options_default();
    input_path stated = *path;
    stated.unit = unit_of_scene(inputs, number);
    exit_code code = find_scales(reading, &stated, &options);
    if (code != 0)
        return code;
    graze_pose *world_poses = calloc(scene->object_count + 1, sizeof *world_poses);
    if (world_poses == NULL)
        return no_memory(reading);
    size_t first_mesh = inputs->mesh_count;
    for (size_t m = 0; m < scene->mesh_count; m++)
        inputs->meshes[inputs->mesh_count++] = scene->meshes[m].mesh;
    graze_pose scaling = {{options.scale, 0, 0, 0, 0, options.scale, 0, 0, 0, 0, options.scale, 0}};
    for (size_t i = 0; code == 0 && i < scene->object_count; i++)
    {
        uint32_t number_of = scene->order[i];
        const scene_object *object = &scene->objects[number_of];
        const graze_pose *above = object->parent != GRZ_NO_NAME ? &world_poses[object->parent] : &scaling;
        graze_pose own = motion_first_pose(object);
        graze_status status = graze_pose_compose(above, &own, &world_poses[number_of], NULL);
        if (status != GRAZE_STATUS_OK)
            code = report_error(reading->console, EXIT_INPUT, "%s: the place of object '%s' is not finite",
                                display_name(path->path), object->name);
        else if (object->mesh != GRZ_NO_NAME)
            inputs->parts[inputs->part_count++] = (input_part){object->name,
                                                               display_name(path->path),
                                                               first_mesh + object->mesh,
                                                               world_poses[number_of],
                                                               GRAZE_FORMAT_AUTO,
                                                               scene->meshes[object->mesh].precision,
                                                               scene->meshes[object->mesh].scale,
                                                               (int)number,
                                                               number_of,
                                                               0};
    }
    free(world_poses);
    return code;
}

static exit_code collect_parts(input_reading *reading)
{
    tool_inputs *inputs = reading->inputs;
    size_t parts = graze_assembly_part_count(inputs->assembly), meshes = graze_assembly_mesh_count(inputs->assembly);
    for (size_t s = 0; s < inputs->scene_count; s++)
    {
        parts += inputs->scenes[s].file.object_count;
        meshes += inputs->scenes[s].file.mesh_count;
    }
    inputs->parts = calloc(parts + 1, sizeof *inputs->parts);
    inputs->meshes = calloc(meshes + 1, sizeof(const graze_mesh *));
    if (inputs->parts == NULL || inputs->meshes == NULL)
        return no_memory(reading);
    collect_from_assembly(reading);
    exit_code code = 0;
    for (size_t s = 0; code == 0 && s < inputs->scene_count; s++)
        code = collect_from_scene(reading, s);
    if (code == 0 && !inputs_name_parts(inputs))
        code = no_memory(reading);
    return code;
}

static exit_code read_all(input_reading *reading)
{
    exit_code code = add_missing(reading);
    if (code == 0)
        code = read_scenes(reading);
    if (code == 0)
        code = settle_unit(reading);
    if (code == 0)
        code = read_meshes(reading);
    return code == 0 ? collect_parts(reading) : code;
}

exit_code inputs_read(const tool_console *console, const graze_context *context, const char *const *words,
                      size_t word_count, length_unit unit, tool_inputs *out_inputs)
{
    *out_inputs = (tool_inputs){.unit = unit};
    input_reading reading = {.console = console, .inputs = out_inputs};
    exit_code code = input_paths_find(console, words, word_count, &out_inputs->paths);
    if (code != 0)
        return code;
    size_t count = out_inputs->paths.count + 1;
    reading.path_of_file = calloc(count, sizeof *reading.path_of_file);
    out_inputs->scenes = calloc(count, sizeof *out_inputs->scenes);
    bool enough = reading.path_of_file != NULL && out_inputs->scenes != NULL &&
                  graze_assembly_create(context, &out_inputs->assembly) == GRAZE_STATUS_OK;
    code = enough ? read_all(&reading) : no_memory(&reading);
    free(reading.path_of_file);
    free(reading.bytes);
    return code;
}

void inputs_release(tool_inputs *inputs)
{
    for (size_t s = 0; s < inputs->scene_count; s++)
        scene_file_release(&inputs->scenes[s].file);
    for (size_t i = 0; i < inputs->text_count; i++)
        free(inputs->texts[i]);
    graze_assembly_destroy(inputs->assembly);
    input_paths_release(&inputs->paths);
    grz_names_release(NULL, &inputs->names);
    free(inputs->texts);
    free(inputs->parts);
    free((void *)inputs->meshes);
    free(inputs->problems);
    free(inputs->scenes);
    *inputs = (tool_inputs){0};
}
