/* SPDX-License-Identifier: MIT */
/* Shape files among the inputs; see input_shapes.h. */
#include "scene/input_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/shape_look.h"
#include "shell/line_reader.h"
#include "shell/load.h"

bool is_shape_text(const char *text, size_t size)
{
    return has_json_key(text, size, "\"kind\"") && !has_json_key(text, size, "\"graze\"");
}

bool is_packed_shape(const char *path)
{
    static const char ending[] = ".json.gz";
    size_t size = strlen(path), own = sizeof ending - 1;
    return size > own && strcmp(path + size - own, ending) == 0;
}

/* The finest decimal place of a number: its last digit's power of ten. Returns where the number ends. */
static const char *read_place(const char *at, const char *end, int *out_place)
{
    int digits = 0, exponent = 0, sign = 1;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    if (at < end && *at == '.')
        for (at++; at < end && *at >= '0' && *at <= '9'; at++)
            digits++;
    if (at < end && (*at == 'e' || *at == 'E'))
    {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            sign = *at++ == '-' ? -1 : 1;
        for (; at < end && *at >= '0' && *at <= '9'; at++)
            exponent = exponent < 10000 ? 10 * exponent + (*at - '0') : exponent;
    }
    *out_place = sign * exponent - digits;
    return at;
}

graze_precision shape_precision(const char *text, size_t size)
{
    graze_precision precision = {GRAZE_NUMBER_DECIMAL, 0};
    const char *at = text, *end = text + size;
    bool any = false;
    while (at < end)
    {
        if (*at == '"')
            for (at++; at < end && *at != '"'; at++)
                at += *at == '\\';
        if (at < end && *at >= '0' && *at <= '9')
        {
            int place;
            at = read_place(at, end, &place);
            precision.finest_place = !any || place < precision.finest_place ? place : precision.finest_place;
            any = true;
        }
        else
            at++;
    }
    return precision;
}

exit_code shape_file_precision(const tool_console *console, const char *path, graze_precision *out_precision)
{
    char *text = NULL;
    size_t size = 0;
    *out_precision = (graze_precision){GRAZE_NUMBER_DOUBLE, 0};
    exit_code code = read_text_file(console, path, &text, &size);
    if (text != NULL && text[0] != '\x1f') /* not compressed */
        *out_precision = shape_precision(text, size);
    free(text);
    return code;
}

exit_code input_shape_read(const tool_console *console, const char *path, const char *text, size_t size, double scale,
                           graze_shape_set **out_set, graze_precision *out_precision)
{
    graze_error error = {.status = GRAZE_STATUS_OK};
    char *own = NULL;
    bool is_packed = text == NULL && is_packed_shape(path);
    exit_code code = text != NULL || is_packed ? 0 : read_text_file(console, path, &own, &size);
    if (code != 0)
        return code;
    text = text != NULL ? text : own;
    graze_status status =
        is_packed ? graze_shape_set_read_file(NULL, path, GRAZE_FORMAT_SHAPE, scale, false, NULL, &error, out_set)
                  : graze_shape_set_read_memory(NULL, text, size, display_name(path), GRAZE_FORMAT_SHAPE, scale, false,
                                                NULL, &error, out_set);
    *out_precision = is_packed ? (graze_precision){GRAZE_NUMBER_DOUBLE, 0} : shape_precision(text, size);
    free(own);
    if (status == GRAZE_STATUS_OK)
        return 0;
    if (error.text[0] != '\0')
        return report_error(console, exit_code_of(status), "%s", error.text);
    return report_error(console, exit_code_of(status), "%s: %s", display_name(path), graze_status_text(status));
}

graze_status shape_scale(const graze_shape *shape, double scale, graze_shape_set **out_set)
{
    void *bytes = NULL;
    size_t size = 0;
    graze_status status = graze_shape_write_memory(NULL, shape, &bytes, &size);
    if (status == GRAZE_STATUS_OK)
        status =
            graze_shape_set_read_memory(NULL, bytes, size, "", GRAZE_FORMAT_SHAPE, scale, false, NULL, NULL, out_set);
    graze_memory_release(NULL, bytes);
    return status;
}

/* --- pieces --- */

static size_t count_pieces(const graze_shape *shape)
{
    size_t count = graze_shape_get_kind(shape) != GRAZE_SHAPE_COMPOUND;
    for (size_t i = 0; i < graze_shape_part_count(shape); i++)
        count += count_pieces(graze_shape_parts(shape)[i].shape);
    return count;
}

/* Adds the pieces of a shape, as parts like the whole. */
static graze_status add_pieces(tool_inputs *inputs, const input_part *whole, const graze_placed *placed, size_t *piece)
{
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < graze_shape_part_count(placed->shape) && status == GRAZE_STATUS_OK; i++)
    {
        const graze_placed *part = &graze_shape_parts(placed->shape)[i];
        graze_placed inner = {part->shape, part->pose};
        status = graze_pose_compose(&placed->pose, &part->pose, &inner.pose, NULL);
        if (status == GRAZE_STATUS_OK)
            status = add_pieces(inputs, whole, &inner, piece);
    }
    if (status != GRAZE_STATUS_OK || graze_shape_get_kind(placed->shape) == GRAZE_SHAPE_COMPOUND)
        return status;
    input_part *added = &inputs->parts[inputs->part_count++];
    *added = *whole;
    added->shape = placed->shape;
    added->pose = placed->pose;
    added->piece = ++*piece;
    added->name = inputs_keep(inputs, format_text("%s/piece %zu", whole->name, *piece));
    return added->name != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

graze_status inputs_split_compounds(tool_inputs *inputs)
{
    size_t count = 0, shapes = 0;
    for (size_t i = 0; i < inputs->part_count; i++)
    {
        count += inputs->parts[i].shape != NULL ? count_pieces(inputs->parts[i].shape) : 1;
        shapes += inputs->parts[i].shape != NULL;
    }
    if (shapes == 0)
        return GRAZE_STATUS_OK;
    input_part *whole = inputs->parts;
    size_t whole_count = inputs->part_count;
    const graze_mesh **meshes = realloc(inputs->meshes, (inputs->mesh_count + count + 1) * sizeof(graze_mesh *));
    inputs->meshes = meshes != NULL ? meshes : inputs->meshes;
    input_part *parts = calloc(count + 1, sizeof *parts);
    if (meshes == NULL || parts == NULL)
    {
        free(parts);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    inputs->parts = parts;
    inputs->part_count = 0;
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < whole_count && status == GRAZE_STATUS_OK; i++)
    {
        size_t piece = 0;
        const graze_placed placed = {whole[i].shape, whole[i].pose};
        if (whole[i].shape != NULL && graze_shape_get_kind(whole[i].shape) == GRAZE_SHAPE_COMPOUND)
            status = add_pieces(inputs, &whole[i], &placed, &piece);
        else
            inputs->parts[inputs->part_count++] = whole[i];
    }
    free(whole);
    return status;
}

/* --- what they look like --- */

static void include(graze_box *box, const graze_box *other)
{
    for (int k = 0; k < 3; k++)
    {
        box->lower[k] = fmin(box->lower[k], other->lower[k]);
        box->upper[k] = fmax(box->upper[k], other->upper[k]);
    }
}

static bool is_finite_box(const graze_box *box)
{
    bool is_finite = true;
    for (int k = 0; k < 3; k++)
        is_finite = is_finite && isfinite(box->lower[k]) && isfinite(box->upper[k]) && box->lower[k] <= box->upper[k];
    return is_finite;
}

graze_box input_bounds(const tool_inputs *inputs, const input_part *part)
{
    graze_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    const graze_placed placed = {part->shape, part->pose};
    if (part->shape != NULL && graze_placed_bounds(&placed, &box) == GRAZE_STATUS_OK)
        return box;
    graze_box own = graze_mesh_bounds(inputs_mesh(inputs, part));
    for (int corner = 0; corner < 8; corner++)
    {
        double point[3];
        graze_box at;
        for (int k = 0; k < 3; k++)
            point[k] = (corner >> k & 1) != 0 ? own.upper[k] : own.lower[k];
        graze_pose_apply(&part->pose, point, at.lower);
        memcpy(at.upper, at.lower, sizeof at.upper);
        include(&box, &at);
    }
    return box;
}

/* A box around all parts that end somewhere; around the origin if there is none. */
static graze_box bounds_of_all(const tool_inputs *inputs)
{
    graze_box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < inputs->part_count; i++)
    {
        graze_box own = input_bounds(inputs, &inputs->parts[i]);
        if (is_finite_box(&own))
            include(&all, &own);
    }
    if (!is_finite_box(&all))
        all = (graze_box){{-1, -1, -1}, {1, 1, 1}};
    return all;
}

graze_status inputs_make_looks(tool_inputs *inputs)
{
    size_t count = 0;
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < inputs->part_count; i++)
        count += inputs->parts[i].shape != NULL;
    if (count == 0)
        return status;
    inputs->looks = calloc(count, sizeof(graze_mesh *));
    if (inputs->looks == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_box all = bounds_of_all(inputs);
    for (size_t i = 0; i < inputs->part_count && status == GRAZE_STATUS_OK; i++)
    {
        input_part *part = &inputs->parts[i];
        if (part->shape == NULL)
            continue;
        const graze_placed placed = {part->shape, part->pose};
        status = shape_look(&placed, &all, &inputs->looks[inputs->look_count]);
        if (status != GRAZE_STATUS_OK)
            break;
        part->mesh = inputs->mesh_count;
        inputs->meshes[inputs->mesh_count++] = inputs->looks[inputs->look_count++];
    }
    return status;
}
