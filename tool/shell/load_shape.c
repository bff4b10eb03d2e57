/* SPDX-License-Identifier: MIT */
/* Loading files that hold a mesh or a shape; see load_shape.h. */
#define _XOPEN_SOURCE 700

#include "shell/load_shape.h"

#include <stdlib.h>
#include <string.h>

#include "shell/input_paths.h"
#include "shell/line_reader.h"
#include "shell/load.h"

exit_code parse_units(const tool_console *console, const char *text, length_unit *out_unit)
{
    *out_unit = text != NULL ? unit_named(text) : UNIT_NONE;
    if (text == NULL || *out_unit != UNIT_NONE)
        return 0;
    return report_error(console, EXIT_USAGE, "--units takes mm, cm, m, in or ft, not '%s'", text);
}

static graze_status read_input(const graze_context *context, const char *path, double scale, bool solid,
                               const graze_budget *budget, graze_error *error, graze_shape_set **out_set)
{
    if (strcmp(path, "-") != 0)
        return graze_shape_set_read_file(context, path, GRAZE_FORMAT_AUTO, scale, solid, budget, error, out_set);
    size_t size = 0;
    char *bytes = read_standard_input(&size, error);
    if (bytes == NULL)
        return error->status;
    graze_status status = graze_shape_set_read_memory(context, bytes, size, "standard input", GRAZE_FORMAT_AUTO, scale,
                                                      solid, budget, error, out_set);
    free(bytes);
    return status;
}

static bool is_gltf(const graze_model *model)
{
    return graze_model_format(model) == GRAZE_FORMAT_GLTF || graze_model_format(model) == GRAZE_FORMAT_GLB;
}

static exit_code read_reporting(const tool_console *console, const graze_context *context, const char *path,
                                double scale, bool solid, graze_shape_set **out_set)
{
    graze_error error = {.status = GRAZE_STATUS_OK};
    read_progress progress = read_progress_start();
    const graze_budget budget = read_progress_budget(&progress);
    graze_status status = read_input(context, path, scale, solid, &budget, &error, out_set);
    read_progress_end(&progress);
    if (status == GRAZE_STATUS_OK)
        return 0;
    if (error.text[0] != '\0')
        return report_error(console, exit_code_of(status), "%s", error.text);
    return report_error(console, exit_code_of(status), "%s: %s", display_name(path), graze_status_text(status));
}

exit_code load_shape_file(const tool_console *console, const char *path, double scale, graze_shape_set **out_set)
{
    return read_reporting(console, NULL, path, scale, false, out_set);
}

exit_code load_faces(const tool_console *console, const char *path, graze_shape_set **out_set,
                     const graze_mesh **out_mesh)
{
    exit_code code = load_shape_file(console, path, 1, out_set);
    if (code != 0)
        return code;
    const graze_shape *shape = graze_shape_set_shape(*out_set);
    graze_shape_kind kind = graze_shape_get_kind(shape);
    *out_mesh = graze_shape_mesh(shape);
    if (*out_mesh != NULL && graze_shape_radius(shape) == 0 && kind != GRAZE_SHAPE_SPHERE &&
        kind != GRAZE_SHAPE_CAPSULE)
        return 0;
    return report_error(console, EXIT_INPUT,
                        "%s: a shape of kind %s has no faces; a mesh, hull, box or height field is needed here",
                        display_name(path), graze_shape_kind_name(kind));
}

exit_code load_shape(const tool_console *console, const graze_context *context, const char *word, length_unit unit,
                     bool solid, loaded_shape *out_shape)
{
    input_path file;
    double scale = 1, metre = 1;
    *out_shape = (loaded_shape){.scale = 1};
    exit_code code = input_word_split(console, word, &file);
    if (code == 0)
        code = input_scales(console, &file, unit, &scale, &metre);
    if (code != 0)
    {
        free(file.path);
        return code;
    }
    code = read_reporting(console, context, file.path, scale, solid, &out_shape->set);
    free(file.path);
    out_shape->shape = graze_shape_set_shape(out_shape->set);
    out_shape->model = graze_shape_set_model(out_shape->set);
    if (out_shape->model != NULL)
        out_shape->scale = is_gltf(out_shape->model) ? metre : scale;
    return code;
}

void loaded_shape_release(loaded_shape *shape)
{
    graze_shape_set_destroy(shape->set);
    *shape = (loaded_shape){0};
}

bool loaded_shape_place(const loaded_shape *shape, const graze_pose *pose, graze_pose *out_pose)
{
    double scale = shape->scale;
    const graze_pose scaling = {{scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0}};
    *out_pose = *pose;
    return scale == 1 || graze_pose_compose(pose, &scaling, out_pose, NULL) == GRAZE_STATUS_OK;
}

const char *pose_refusal(graze_status status)
{
    if (status == GRAZE_STATUS_NOT_RIGID)
        return "a shape with a radius or a curved one takes a rotation or mirrored rotation only";
    if (status == GRAZE_STATUS_SINGULAR)
        return "a half-space takes a matrix with an inverse only";
    return status == GRAZE_STATUS_NOT_FINITE ? "it moves the shape out of the range of doubles" : NULL;
}
