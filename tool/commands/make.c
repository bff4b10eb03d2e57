/* SPDX-License-Identifier: MIT */
/* graze make: writes generated shapes, as meshes or, where they are primitives, as shape files. */
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "graze/shape_file.h"
#include "scene/shapes.h"
#include "scene/transform_mesh.h"
#include "shell/load_shape.h"
#include "shell/parse_numbers.h"
#include "shell/text_format.h"
#include "text/suggestion.h"

enum
{
    OPTION_OUTPUT = SHAPE_OPTION_COUNT,
    OPTION_FORMAT,
    OPTION_POSE,
    OPTION_LIST
};

typedef struct named_format
{
    const char *name;
    graze_format format;
} named_format;

static const named_format formats[] = {
    {"stl", GRAZE_FORMAT_STL_BINARY},
    {"stl-ascii", GRAZE_FORMAT_STL_ASCII},
    {"obj", GRAZE_FORMAT_OBJ},
    {"ply", GRAZE_FORMAT_PLY_LITTLE_ENDIAN},
    {"ply-ascii", GRAZE_FORMAT_PLY_ASCII},
    {"ply-big", GRAZE_FORMAT_PLY_BIG_ENDIAN},
    {"off", GRAZE_FORMAT_OFF},
    {"shape", GRAZE_FORMAT_SHAPE},
};

static bool ends_in_json(const char *path)
{
    size_t size = strlen(path);
    return size > 5 && strcmp(path + size - 5, ".json") == 0;
}

static exit_code find_format(const tool_request *request, graze_format *out_format)
{
    const char *name = request->values[OPTION_FORMAT], *output = request->values[OPTION_OUTPUT];
    if (output == NULL)
        return report_error(request->console, EXIT_USAGE,
                            "say where to write it: -o FILE, or -o - for standard output");
    if (name == NULL)
    {
        *out_format = ends_in_json(output) ? GRAZE_FORMAT_SHAPE : graze_format_from_name(output);
        if (*out_format != GRAZE_FORMAT_AUTO)
            return 0;
        return report_error(request->console, EXIT_USAGE,
                            "'%s' does not end in .stl, .obj, .ply, .off or .json; say which with --format", output);
    }
    grz_suggestion best = {.wanted = name};
    for (size_t i = 0; i < COUNT_OF(formats); i++)
    {
        if (strcmp(name, formats[i].name) == 0)
        {
            *out_format = formats[i].format;
            return 0;
        }
        grz_suggestion_offer(&best, formats[i].name);
    }
    const char *hint = grz_suggestion_name(&best);
    return report_error(request->console, EXIT_USAGE, "there is no format '%s'%s%s%s", name,
                        hint != NULL ? "; did you mean '" : "; see graze make --help", hint != NULL ? hint : "",
                        hint != NULL ? "'?" : "");
}

static exit_code unknown_shape(const tool_request *request)
{
    const char *name = request->arguments[0];
    grz_suggestion best = {.wanted = name};
    for (size_t i = 0; i < shape_count; i++)
        grz_suggestion_offer(&best, all_shapes[i].name);
    for (size_t i = 0; i < primitive_shape_count; i++)
        grz_suggestion_offer(&best, primitive_shapes[i].name);
    const char *hint = grz_suggestion_name(&best);
    if (hint != NULL)
        return report_error(request->console, EXIT_USAGE, "there is no shape '%s'; did you mean '%s'?", name, hint);
    return report_error(request->console, EXIT_USAGE, "there is no shape '%s'; graze make --list shows them all", name);
}

static exit_code make_shape(const tool_request *request, const tool_shape *shape, graze_mesh **out_mesh)
{
    shape_values values;
    exit_code code = read_parameters(request, shape, &values);
    if (code != 0)
        return code;
    graze_error error = {.status = GRAZE_STATUS_OK};
    graze_status status = shape->make(&values, &error, out_mesh);
    if (status == GRAZE_STATUS_OK)
        return 0;
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return report_error(request->console, EXIT_INTERNAL, "no memory for a %s of that size", shape->name);
    if (error.text[0] != '\0')
        return report_error(request->console, values.texts[SHAPE_POINTS_FILE] != NULL ? EXIT_INPUT : EXIT_USAGE, "%s",
                            error.text);
    return report_error(request->console, EXIT_USAGE, "these numbers make no %s: %s; see graze make --list",
                        shape->name, graze_status_text(status));
}

/* Replaces *mesh by its copy transformed by --pose. */
static exit_code move_shape(const tool_request *request, graze_mesh **mesh)
{
    graze_pose pose;
    char fault[FAULT_SIZE];
    if (request->values[OPTION_POSE] == NULL)
        return 0;
    if (!parse_pose(request->values[OPTION_POSE], &pose, fault))
        return report_error(request->console, EXIT_USAGE, "--pose: %s", fault);
    graze_mesh *placed = NULL;
    graze_status status = transform_mesh(*mesh, &pose, &placed);
    if (status == GRAZE_STATUS_NOT_FINITE)
        return report_error(request->console, EXIT_USAGE, "--pose moves a vertex out of the range of doubles");
    if (status != GRAZE_STATUS_OK)
        return report_error(request->console, exit_code_of(status), "--pose: %s", graze_status_text(status));
    graze_mesh_destroy(*mesh);
    *mesh = placed;
    return 0;
}

static exit_code write_output(const tool_request *request, const graze_mesh *mesh, graze_format format)
{
    const char *output = request->values[OPTION_OUTPUT];
    bool to_stdout = strcmp(output, "-") == 0;
    graze_error error = {.status = GRAZE_STATUS_OK};
    void *bytes = NULL;
    size_t size = 0;
    graze_status status = to_stdout ? graze_mesh_write_memory(NULL, mesh, format, &bytes, &size)
                                    : graze_mesh_write_file(NULL, mesh, output, format, &error);
    if (status != GRAZE_STATUS_OK && error.text[0] != '\0')
        return report_error(request->console, exit_code_of(status), "%s", error.text);
    if (status != GRAZE_STATUS_OK)
        return report_error(request->console, exit_code_of(status), "%s: %s", output, graze_status_text(status));
    if (to_stdout)
        fwrite(bytes, 1, size, stdout);
    graze_memory_release(NULL, bytes);
    return 0;
}

/* --- shape files --- */

/* With --pose the shape is the only part of a compound. */
static graze_status place_primitive(const graze_shape *primitive, const graze_pose *pose, graze_shape **out_shape)
{
    const graze_placed part = {primitive, *pose};
    graze_status status = graze_placed_check(&part);
    return status == GRAZE_STATUS_OK ? graze_shape_create_compound(NULL, &part, 1, out_shape) : status;
}

static exit_code write_primitive(const tool_request *request, const graze_shape *shape)
{
    const char *output = request->values[OPTION_OUTPUT];
    bool to_stdout = strcmp(output, "-") == 0;
    graze_error error = {.status = GRAZE_STATUS_OK};
    void *bytes = NULL;
    size_t size = 0;
    graze_status status = to_stdout ? graze_shape_write_memory(NULL, shape, &bytes, &size)
                                    : graze_shape_write_file(NULL, shape, output, &error);
    if (status != GRAZE_STATUS_OK)
        return report_error(request->console, exit_code_of(status), "%s",
                            error.text[0] != '\0' ? error.text : graze_status_text(status));
    if (to_stdout)
        fwrite(bytes, 1, size, stdout);
    graze_memory_release(NULL, bytes);
    return 0;
}

static exit_code make_primitive(const tool_request *request, const tool_shape *shape)
{
    const tool_console *console = request->console;
    shape_values values;
    graze_pose pose;
    char fault[FAULT_SIZE];
    graze_shape *primitive = NULL, *placed = NULL;
    const char *pose_text = request->values[OPTION_POSE];
    if (shape->make_primitive == NULL)
        return report_error(console, EXIT_USAGE, "%s is no shape that a shape file can describe; write a mesh file",
                            shape->name);
    if (pose_text != NULL && !parse_pose(pose_text, &pose, fault))
        return report_error(console, EXIT_USAGE, "--pose: %s", fault);
    exit_code code = read_parameters(request, shape, &values);
    if (code != 0)
        return code;
    graze_status status = shape->make_primitive(&values, &primitive);
    if (status == GRAZE_STATUS_OK && pose_text != NULL)
        status = place_primitive(primitive, &pose, &placed);
    const char *refusal = pose_refusal(status);
    if (status == GRAZE_STATUS_OK)
        code = write_primitive(request, placed != NULL ? placed : primitive);
    else
        code = report_error(console, refusal != NULL ? EXIT_USAGE : exit_code_of(status), "--pose: %s",
                            refusal != NULL ? refusal : graze_status_text(status));
    graze_shape_destroy(placed);
    graze_shape_destroy(primitive);
    return code;
}

static exit_code run_make(const tool_request *request)
{
    if (request->values[OPTION_LIST] != NULL)
    {
        print_more(request->console, request->command);
        return 0;
    }
    if (request->argument_count == 0)
        return report_error(request->console, EXIT_USAGE, "SHAPE is missing; graze make --list shows them all");
    const tool_shape *shape = find_shape(request->arguments[0]);
    if (shape == NULL)
        shape = find_primitive(request->arguments[0]);
    if (shape == NULL)
        return unknown_shape(request);
    graze_format format = GRAZE_FORMAT_AUTO;
    graze_mesh *mesh = NULL;
    exit_code code = find_format(request, &format);
    if (code == 0 && format == GRAZE_FORMAT_SHAPE)
        return make_primitive(request, shape);
    if (code == 0 && shape->make == NULL)
        return report_error(request->console, EXIT_USAGE, "a shape file alone holds a %s: -o FILE.json", shape->name);
    if (code == 0)
        code = make_shape(request, shape, &mesh);
    if (code == 0)
        code = move_shape(request, &mesh);
    if (code == 0)
        code = write_output(request, mesh, format);
    if (code == 0)
        print_note(request->console, "%s: %s triangles, %s vertices", shape->name,
                   grz_grouped(graze_mesh_triangle_count(mesh)).text, grz_grouped(graze_mesh_vertex_count(mesh)).text);
    graze_mesh_destroy(mesh);
    return code;
}

/* "--radius 1 --segments 48 ..." */
static void tell_shapes(entry_function entry, void *user)
{
    for (size_t i = 0; i < shape_count + primitive_shape_count; i++)
    {
        const tool_shape *shape = i < shape_count ? &all_shapes[i] : &primitive_shapes[i - shape_count];
        char text[512];
        size_t size = (size_t)snprintf(text, sizeof text, "%s\n", shape->help);
        for (size_t k = 0; shape->parameters[k].kind != PARAMETER_END && size < sizeof text; k++)
        {
            const shape_parameter *parameter = &shape->parameters[k];
            const char *fallback = parameter->fallback != NULL ? parameter->fallback : "FILE";
            const char *quote = strchr(fallback, ' ') != NULL ? "\"" : "";
            size += (size_t)snprintf(text + size, sizeof text - size, "%s--%s %s%s%s", k > 0 ? " " : "",
                                     shape_options[parameter->option].name, quote, fallback, quote);
        }
        entry(user, shape->name, text);
    }
}

static const tool_argument arguments[] = {
    {"SHAPE", "The name of a shape; see below, or graze make --list."},
};

static const tool_option options[] = {
    SHAPE_OPTIONS,
    [OPTION_OUTPUT] = {.name = "output", .letter = 'o', .value = "FILE", .help = "Where to; - is standard output."},
    [OPTION_FORMAT] = {.name = "format",
                       .value = "FORMAT",
                       .help = "stl, stl-ascii, obj, ply, ply-ascii, ply-big, off or shape (JSON); without it the "
                               "file's ending decides. Binary STL rounds coordinates to float."},
    [OPTION_POSE] = {.name = "pose",
                     .value = "NUMBERS",
                     .help = "Move every vertex by 12 numbers, the rows of a 3x4 matrix [R|t], and round it to "
                             "doubles. (The poses of other commands are never rounded.) A shape file keeps it as "
                             "the pose of a part."},
    [OPTION_LIST] = {.name = "list", .help = "List the shapes with their options and stop."},
};

static const tool_example examples[] = {
    {"graze make sphere --radius 2 --segments 96 --rings 48 -o ball.stl", "A ball."},
    {"graze make sphere --radius 2 -o ball.json", "A ball as a shape file, which is a sphere and no mesh."},
    {"graze make gear --teeth 24 -o wheel.obj", "A gear wheel,"},
    {"graze make gear --teeth 12 --bore-radius 0.2 --mate 24 -o pinion.obj", "and one that engages with it."},
    {"graze make extrusion --points \"0 0, 4 0, 4 4, 0 4; 1 1, 1 3, 3 3, 3 1\" -o frame.off",
     "A square frame: an outline with a hole."},
};

const tool_command make_command = {
    .name = "make",
    .synopsis = "SHAPE [options] -o FILE",
    .summary = "write a generated shape",
    .description = "Writes shapes for tests, experiments and first steps. Bodies are closed and face outward; the same "
                   "numbers give the same file. Options that are not given have the values listed with the shape. A "
                   "file that ends in .json "
                   "is a shape file (docs/shape-format.md) of a box, sphere, geodesic (a sphere), cylinder, cone, "
                   "capsule or ellipsoid.",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 0,
    .most_arguments = 1,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_make,
    .more_title = "Shapes",
    .more = tell_shapes,
};
