/* SPDX-License-Identifier: MIT */
/* Reads all files that a command line names; see inputs.h. */
#define _XOPEN_SOURCE 700

#include "scene/inputs.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "scene/input_shapes.h"
#include "scene/motion.h"
#include "shell/line_reader.h"
#include "shell/load.h"
#include "shell/load_shape.h"

/* Where a shape comes from. */
typedef struct shape_source
{
    size_t path;
    double scale;
    graze_precision precision;
} shape_source;

typedef struct input_reading
{
    const tool_console *console;
    tool_inputs *inputs;
    size_t problem_capacity;
    size_t *path_of_file; /* by file of the assembly: the path it came from */
    size_t file_count;
    char *bytes; /* of standard input, when it holds a mesh or shape; else NULL */
    size_t size;
    bool *is_shape;        /* by path: whether it holds a shape */
    shape_source *sources; /* of shape files, by shape */
    bool wants_pieces;
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

/* Errors of files begin with the path, which is told once where it is the name of the part. */
static const char *without_name(const char *what, const char *part)
{
    size_t length = strlen(part);
    bool begins = length > 0 && strncmp(what, part, length) == 0 && strncmp(what + length, ": ", 2) == 0;
    return begins ? what + length + 2 : what;
}

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
    input_problem problem = {inputs_keep(inputs, strdup(part)), inputs_keep(inputs, strdup(without_name(what, part))),
                             left_out};
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

static bool is_json(const char *path)
{
    size_t size = strlen(path);
    return size > 5 && strcmp(path + size - 5, ".json") == 0;
}

bool has_json_key(const char *text, size_t size, const char *key)
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

/* Takes a scene from text in memory, of which it takes ownership. */
static exit_code take_scene(input_reading *reading, size_t path, char *text, size_t size)
{
    tool_inputs *inputs = reading->inputs;
    input_scene *scene = &inputs->scenes[inputs->scene_count++];
    scene->path = path;
    return scene_file_take(reading->console, inputs->paths.files[path].path, text, size, &scene->file);
}

/* Reads a JSON file. Shapes are read when the unit is known. */
static exit_code read_json_file(input_reading *reading, size_t path)
{
    char *text = NULL;
    size_t size = 0;
    exit_code code = read_text_file(reading->console, reading->inputs->paths.files[path].path, &text, &size);
    if (code != 0)
        return code;
    reading->is_shape[path] = is_shape_text(text, size);
    if (!reading->is_shape[path])
        return take_scene(reading, path, text, size);
    free(text);
    return 0;
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
    if (has_json_key(bytes, size, "\"graze\""))
        return take_scene(reading, path, bytes, size);
    reading->is_shape[path] = is_shape_text(bytes, size);
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
        else if (is_packed_shape(reading->inputs->paths.files[i].path))
            reading->is_shape[i] = true;
        else if (is_json(reading->inputs->paths.files[i].path))
            code = read_json_file(reading, i);
    }
    return code;
}

static exit_code read_shape_file(input_reading *reading, size_t path)
{
    tool_inputs *inputs = reading->inputs;
    const input_path *file = &inputs->paths.files[path];
    graze_assembly_options options = graze_assembly_options_default();
    const char *text = is_standard_input(reading, path) ? reading->bytes : NULL;
    exit_code code = find_scales(reading, file, &options);
    shape_source *source = &reading->sources[inputs->shape_count];
    source->path = path;
    source->scale = options.scale;
    if (code == 0)
        code = input_shape_read(reading->console, file->path, text, reading->size, options.scale,
                                &inputs->shapes[inputs->shape_count], &source->precision);
    inputs->shape_count += code == 0;
    return code;
}

static exit_code read_meshes(input_reading *reading)
{
    exit_code code = 0;
    for (size_t i = 0; code == 0 && i < reading->inputs->paths.count; i++)
    {
        if (reading->is_shape[i])
            code = read_shape_file(reading, i);
        else if (!is_standard_input(reading, i) && !is_json(reading->inputs->paths.files[i].path))
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
        inputs->parts[inputs->part_count++] = (input_part){
            part->name, path, part->mesh, part->pose, file->format, part->precision, 1.0, NO_SCENE, 0, p, NULL, 0};
    }
}

static void collect_shapes(input_reading *reading)
{
    tool_inputs *inputs = reading->inputs;
    for (size_t i = 0; i < inputs->shape_count; i++)
    {
        const shape_source *source = &reading->sources[i];
        const char *path = display_name(inputs->paths.files[source->path].path);
        inputs->parts[inputs->part_count++] = (input_part){.name = base_name(path),
                                                           .file = path,
                                                           .mesh = NO_MESH,
                                                           .pose = graze_pose_identity(),
                                                           .format = GRAZE_FORMAT_SHAPE,
                                                           .precision = source->precision,
                                                           .mesh_scale = source->scale,
                                                           .scene = NO_SCENE,
                                                           .shape = graze_shape_set_shape(inputs->shapes[i])};
    }
}

/* A shape of a scene: its own lengths and its place are scaled, so that its pose stays rigid. */
static exit_code collect_scene_shape(input_reading *reading, size_t number, uint32_t object, const graze_pose *rigid,
                                     double scale)
{
    tool_inputs *inputs = reading->inputs;
    const scene_object *from = &inputs->scenes[number].file.objects[object];
    const char *path = display_name(inputs->paths.files[inputs->scenes[number].path].path);
    const graze_shape *shape = graze_shape_set_shape(from->shape);
    graze_pose pose = *rigid;
    graze_status status = GRAZE_STATUS_OK;
    for (int axis = 0; axis < 3; axis++)
        pose.m[4 * axis + 3] *= scale;
    if (scale != 1)
    {
        status = shape_scale(shape, scale, &inputs->shapes[inputs->shape_count]);
        if (status == GRAZE_STATUS_OUT_OF_MEMORY)
            return no_memory(reading);
        if (status != GRAZE_STATUS_OK)
            return report_error(reading->console, EXIT_INPUT, "%s: objects[%u].shape: %s", path, (unsigned)object,
                                graze_status_text(status));
        shape = graze_shape_set_shape(inputs->shapes[inputs->shape_count++]);
    }
    const graze_placed placed = {shape, pose};
    status = graze_placed_check(&placed);
    if (status != GRAZE_STATUS_OK)
        return report_error(reading->console, EXIT_INPUT, "%s: objects[%u].pose: %s", path, (unsigned)object,
                            pose_refusal(status) != NULL ? pose_refusal(status) : graze_status_text(status));
    inputs->parts[inputs->part_count++] = (input_part){.name = from->name,
                                                       .file = path,
                                                       .mesh = NO_MESH,
                                                       .pose = pose,
                                                       .format = GRAZE_FORMAT_AUTO,
                                                       .precision = from->precision,
                                                       .mesh_scale = scale * from->shape_scale,
                                                       .scene = (int)number,
                                                       .object = object,
                                                       .shape = shape};
    return 0;
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
    graze_pose *world_poses = calloc(2 * scene->object_count + 1, sizeof *world_poses);
    if (world_poses == NULL)
        return no_memory(reading);
    graze_pose *rigid = world_poses + scene->object_count; /* without the scale */
    size_t first_mesh = inputs->mesh_count;
    for (size_t m = 0; m < scene->mesh_count; m++)
        if (scene->meshes[m].mesh != NULL)
            inputs->meshes[inputs->mesh_count++] = scene->meshes[m].mesh;
    graze_pose scaling = {{options.scale, 0, 0, 0, 0, options.scale, 0, 0, 0, 0, options.scale, 0}};
    for (size_t i = 0; code == 0 && i < scene->object_count; i++)
    {
        uint32_t number_of = scene->order[i];
        const scene_object *object = &scene->objects[number_of];
        const graze_pose *above = object->parent != GRZ_NO_NAME ? &world_poses[object->parent] : &scaling;
        graze_pose own = motion_first_pose(object);
        graze_status status = graze_pose_compose(above, &own, &world_poses[number_of], NULL);
        rigid[number_of] = own;
        if (status == GRAZE_STATUS_OK && object->parent != GRZ_NO_NAME)
            status = graze_pose_compose(&rigid[object->parent], &own, &rigid[number_of], NULL);
        if (status != GRAZE_STATUS_OK)
            code = report_error(reading->console, EXIT_INPUT, "%s: the place of object '%s' is not finite",
                                display_name(path->path), object->name);
        else if (object->shape != NULL)
            code = collect_scene_shape(reading, number, number_of, &rigid[number_of], options.scale);
        else if (object->mesh != GRZ_NO_NAME)
            inputs->parts[inputs->part_count++] = (input_part){object->name,
                                                               display_name(path->path),
                                                               first_mesh + scene->meshes[object->mesh].rank,
                                                               world_poses[number_of],
                                                               GRAZE_FORMAT_AUTO,
                                                               scene->meshes[object->mesh].precision,
                                                               scene->meshes[object->mesh].scale,
                                                               (int)number,
                                                               number_of,
                                                               0,
                                                               NULL,
                                                               0};
    }
    free(world_poses);
    return code;
}

static exit_code collect_parts(input_reading *reading)
{
    tool_inputs *inputs = reading->inputs;
    size_t parts = graze_assembly_part_count(inputs->assembly), meshes = graze_assembly_mesh_count(inputs->assembly);
    parts += inputs->shape_count;
    meshes += inputs->shape_count;
    for (size_t s = 0; s < inputs->scene_count; s++)
    {
        parts += inputs->scenes[s].file.object_count;
        meshes += inputs->scenes[s].file.mesh_count + inputs->scenes[s].file.object_count;
    }
    graze_shape_set **shapes = realloc(inputs->shapes, (parts + 1) * sizeof(graze_shape_set *));
    inputs->shapes = shapes != NULL ? shapes : inputs->shapes;
    inputs->parts = calloc(parts + 1, sizeof *inputs->parts);
    inputs->meshes = calloc(meshes + 1, sizeof(const graze_mesh *));
    if (inputs->parts == NULL || inputs->meshes == NULL || shapes == NULL)
        return no_memory(reading);
    collect_from_assembly(reading);
    collect_shapes(reading);
    exit_code code = 0;
    for (size_t s = 0; code == 0 && s < inputs->scene_count; s++)
        code = collect_from_scene(reading, s);
    if (code == 0 && !inputs_name_parts(inputs))
        code = no_memory(reading);
    if (code != 0 || !reading->wants_pieces)
        return code;
    graze_status status = inputs_split_compounds(inputs);
    return status == GRAZE_STATUS_OK ? inputs_show_shapes(reading->console, inputs) : no_memory(reading);
}

const graze_mesh *inputs_mesh(const tool_inputs *inputs, const input_part *part)
{
    return part->mesh != NO_MESH ? inputs->meshes[part->mesh] : NULL;
}

exit_code inputs_show_shapes(const tool_console *console, tool_inputs *inputs)
{
    graze_status status = inputs_make_looks(inputs);
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return report_error(console, EXIT_INTERNAL, "there is not enough memory to show all shapes");
    if (status != GRAZE_STATUS_OK)
        return report_error(console, exit_code_of(status), "a shape is too large to be shown: %s",
                            graze_status_text(status));
    return 0;
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

static exit_code read_inputs(const tool_console *console, const graze_context *context, const char *const *words,
                             size_t word_count, length_unit unit, bool wants_pieces, tool_inputs *out_inputs)
{
    *out_inputs = (tool_inputs){.unit = unit};
    input_reading reading = {.console = console, .inputs = out_inputs, .wants_pieces = wants_pieces};
    exit_code code = input_paths_find(console, words, word_count, &out_inputs->paths);
    if (code != 0)
        return code;
    size_t count = out_inputs->paths.count + 1;
    reading.path_of_file = calloc(count, sizeof *reading.path_of_file);
    out_inputs->scenes = calloc(count, sizeof *out_inputs->scenes);
    reading.is_shape = calloc(count, sizeof *reading.is_shape);
    reading.sources = calloc(count, sizeof *reading.sources);
    out_inputs->shapes = calloc(count, sizeof(graze_shape_set *));
    bool enough = reading.path_of_file != NULL && out_inputs->scenes != NULL && reading.is_shape != NULL &&
                  reading.sources != NULL && out_inputs->shapes != NULL &&
                  graze_assembly_create(context, &out_inputs->assembly) == GRAZE_STATUS_OK;
    code = enough ? read_all(&reading) : no_memory(&reading);
    free(reading.path_of_file);
    free(reading.bytes);
    free(reading.is_shape);
    free(reading.sources);
    return code;
}

exit_code inputs_read(const tool_console *console, const graze_context *context, const char *const *words,
                      size_t word_count, length_unit unit, tool_inputs *out_inputs)
{
    return read_inputs(console, context, words, word_count, unit, false, out_inputs);
}

exit_code inputs_read_pieces(const tool_console *console, const graze_context *context, const char *const *words,
                             size_t word_count, length_unit unit, tool_inputs *out_inputs)
{
    return read_inputs(console, context, words, word_count, unit, true, out_inputs);
}

void inputs_release(tool_inputs *inputs)
{
    for (size_t s = 0; s < inputs->scene_count; s++)
        scene_file_release(&inputs->scenes[s].file);
    for (size_t i = 0; i < inputs->text_count; i++)
        free(inputs->texts[i]);
    for (size_t i = 0; i < inputs->look_count; i++)
        graze_mesh_destroy(inputs->looks[i]);
    for (size_t i = 0; i < inputs->shape_count; i++)
        graze_shape_set_destroy(inputs->shapes[i]);
    free(inputs->looks);
    free(inputs->shapes);
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
