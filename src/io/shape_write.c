/* SPDX-License-Identifier: MIT */
/* Writes shapes as JSON: the numbers they were made of, each as it reads back; a part or point a line. */
#include "base/environment.h"
#include "base/error.h"
#include "graze/shape_file.h"
#include "io/file.h"
#include "io/writer.h"

static void put_shape(grz_writer *writer, const graze_shape *shape);

static void put_key(grz_writer *writer, const char *key)
{
    grz_put_text(writer, ", \"");
    grz_put_text(writer, key);
    grz_put_text(writer, "\": ");
}

static void put_list(grz_writer *writer, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        grz_put_text(writer, i == 0 ? "[" : ", ");
        grz_put_number(writer, numbers[i]);
    }
    grz_put_text(writer, "]");
}

static void put_number_member(grz_writer *writer, const char *key, double number)
{
    put_key(writer, key);
    grz_put_number(writer, number);
}

static void put_list_member(grz_writer *writer, const char *key, const double *numbers, size_t count)
{
    put_key(writer, key);
    put_list(writer, numbers, count);
}

/* Points of the mesh. A mesh of fewer vertices is of one point, which stands for all: the ends of a segment are equal
   then. */
static void put_points(grz_writer *writer, const char *key, const graze_shape *shape, size_t count)
{
    const graze_mesh *mesh = graze_shape_mesh(shape);
    const double *vertices = graze_mesh_vertices(mesh);
    size_t vertex_count = graze_mesh_vertex_count(mesh);
    put_key(writer, key);
    for (size_t i = 0; i < count; i++)
    {
        grz_put_text(writer, i == 0 ? "[" : count > 3 ? ",\n " : ", ");
        put_list(writer, vertices + 3 * (i < vertex_count ? i : 0), 3);
    }
    grz_put_text(writer, "]");
}

static void put_heights(grz_writer *writer, const graze_shape *shape)
{
    double numbers[4] = {0};
    graze_shape_numbers(shape, numbers, 4);
    size_t columns = (size_t)numbers[2], rows = (size_t)numbers[3];
    const double *vertices = graze_mesh_vertices(graze_shape_mesh(shape));
    put_list_member(writer, "size", numbers, 2);
    put_key(writer, "heights");
    for (size_t i = 0; i < columns * rows; i++)
    {
        grz_put_text(writer, i == 0 ? "[[" : i % columns == 0 ? "],\n [" : ", ");
        grz_put_number(writer, vertices[3 * i + 2]);
    }
    grz_put_text(writer, "]]");
}

static void put_parts(grz_writer *writer, const graze_shape *shape)
{
    const graze_placed *parts = graze_shape_parts(shape);
    put_key(writer, "parts");
    for (size_t i = 0; i < graze_shape_part_count(shape); i++)
    {
        grz_put_text(writer, i == 0 ? "[\n{\"shape\": " : ",\n{\"shape\": ");
        put_shape(writer, parts[i].shape);
        put_list_member(writer, "pose", parts[i].pose.m, 12);
        grz_put_text(writer, "}");
    }
    grz_put_text(writer, "]");
}

static void put_members(grz_writer *writer, const graze_shape *shape)
{
    double numbers[4] = {0};
    graze_shape_numbers(shape, numbers, 4);
    switch (graze_shape_get_kind(shape))
    {
    case GRAZE_SHAPE_HULL:
        put_points(writer, "points", shape, graze_mesh_vertex_count(graze_shape_mesh(shape)));
        break;
    case GRAZE_SHAPE_SPHERE:
        put_list_member(writer, "centre", graze_mesh_vertices(graze_shape_mesh(shape)), 3);
        break;
    case GRAZE_SHAPE_CAPSULE:
        put_points(writer, "ends", shape, 2);
        break;
    case GRAZE_SHAPE_BOX:
        put_list_member(writer, "size", numbers, 3);
        break;
    case GRAZE_SHAPE_CYLINDER:
    case GRAZE_SHAPE_CONE:
        put_number_member(writer, "height", numbers[0]);
        put_number_member(writer, "radius", numbers[1]);
        break;
    case GRAZE_SHAPE_ELLIPSOID:
        put_list_member(writer, "radii", numbers, 3);
        break;
    case GRAZE_SHAPE_HALF_SPACE:
        put_list_member(writer, "normal", numbers, 3);
        put_number_member(writer, "offset", numbers[3]);
        break;
    case GRAZE_SHAPE_TRIANGLE:
        put_points(writer, "points", shape, 3);
        break;
    case GRAZE_SHAPE_SEGMENT:
        put_points(writer, "points", shape, 2);
        break;
    case GRAZE_SHAPE_POINT:
        put_points(writer, "points", shape, 1);
        break;
    case GRAZE_SHAPE_HEIGHT_FIELD:
        put_heights(writer, shape);
        break;
    case GRAZE_SHAPE_COMPOUND:
        put_parts(writer, shape);
        break;
    case GRAZE_SHAPE_ROUNDED:
        put_key(writer, "core");
        put_shape(writer, graze_shape_core(shape));
        break;
    default:
        writer->status = GRAZE_STATUS_UNSUPPORTED;
    }
}

static void put_shape(grz_writer *writer, const graze_shape *shape)
{
    graze_shape_kind kind = graze_shape_get_kind(shape);
    grz_put_text(writer, "{\"kind\": \"");
    grz_put_text(writer, graze_shape_kind_name(kind));
    grz_put_text(writer, "\"");
    put_members(writer, shape);
    if (kind == GRAZE_SHAPE_SPHERE || kind == GRAZE_SHAPE_CAPSULE || kind == GRAZE_SHAPE_ROUNDED)
        put_number_member(writer, "radius", graze_shape_radius(shape));
    grz_put_text(writer, "}");
}

static graze_status write_shape(grz_writer *writer, const graze_shape *shape)
{
    grz_environment environment;
    grz_environment_enter(&environment);
    put_shape(writer, shape);
    grz_put_text(writer, "\n");
    grz_environment_leave(&environment);
    return writer->status;
}

graze_status graze_shape_write_memory(const graze_context *context, const graze_shape *shape, void **out_bytes,
                                      size_t *out_size)
{
    if (shape == NULL || out_bytes == NULL || out_size == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_writer writer = {.context = context, .status = GRAZE_STATUS_OK, .culprit = GRAZE_NO_INDEX};
    graze_status status = write_shape(&writer, shape);
    if (status != GRAZE_STATUS_OK)
    {
        grz_release(context, writer.bytes.data);
        return status;
    }
    *out_bytes = writer.bytes.data;
    *out_size = writer.bytes.count;
    return GRAZE_STATUS_OK;
}

graze_status graze_shape_write_file(const graze_context *context, const graze_shape *shape, const char *path,
                                    graze_error *error)
{
    if (shape == NULL || path == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "shape and path may not be NULL");
    grz_writer writer = {.context = context, .status = GRAZE_STATUS_OK, .culprit = GRAZE_NO_INDEX};
    graze_status status = write_shape(&writer, shape);
    if (status == GRAZE_STATUS_OK)
        status = grz_file_store(context, path, writer.bytes.data, writer.bytes.count, error);
    else if (status == GRAZE_STATUS_UNSUPPORTED)
        grz_error(error, status, "%.120s: shape files hold no meshes", path);
    else
        grz_error(error, status, "%.120s: there is not enough memory to write it", path);
    grz_release(context, writer.bytes.data);
    return status;
}
