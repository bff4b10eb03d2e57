/* SPDX-License-Identifier: MIT */
/* Public functions that write meshes. */
#include "base/environment.h"
#include "base/error.h"
#include "io/detect.h"
#include "io/file.h"
#include "io/writer.h"

static graze_status write_as(grz_writer *writer, const graze_mesh *mesh, graze_format format)
{
    switch (format)
    {
    case GRAZE_FORMAT_STL_BINARY:
        grz_stl_write_binary(writer, mesh);
        break;
    case GRAZE_FORMAT_STL_ASCII:
        grz_stl_write_ascii(writer, mesh);
        break;
    case GRAZE_FORMAT_OBJ:
        grz_obj_write(writer, mesh);
        break;
    case GRAZE_FORMAT_PLY_ASCII:
    case GRAZE_FORMAT_PLY_LITTLE_ENDIAN:
    case GRAZE_FORMAT_PLY_BIG_ENDIAN:
        grz_ply_write(writer, mesh, format);
        break;
    case GRAZE_FORMAT_OFF:
        grz_off_write(writer, mesh);
        break;
    case GRAZE_FORMAT_GLTF:
    case GRAZE_FORMAT_GLB:
    case GRAZE_FORMAT_SHAPE:
        return GRAZE_STATUS_UNSUPPORTED;
    default:
        return GRAZE_STATUS_BAD_ARGUMENT;
    }
    return writer->status;
}

static graze_status write_format(grz_writer *writer, const graze_mesh *mesh, graze_format format)
{
    grz_environment environment;
    grz_environment_enter(&environment); /* conversions to float need the default floating-point environment */
    graze_status status = write_as(writer, mesh, format);
    grz_environment_leave(&environment);
    return status;
}

static graze_status explain(const grz_writer *writer, graze_status status, const char *path, graze_error *error)
{
    if (status == GRAZE_STATUS_UNSUPPORTED && writer->culprit == GRAZE_NO_INDEX)
        return grz_error(error, status, "%.120s: glTF is read but not written, and a shape is no mesh", path);
    if (status == GRAZE_STATUS_UNSUPPORTED)
        return grz_error_index(error, status, writer->culprit,
                               "%.120s: vertex %llu is too far out for the floats of binary STL; ASCII STL, OBJ, PLY "
                               "and OFF can hold it",
                               path, (unsigned long long)writer->culprit);
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return grz_error(error, status, "%.120s: there is not enough memory to write it", path);
    return grz_error(error, status, "%.120s: the format to write is not one of STL, OBJ, PLY and OFF", path);
}

graze_status graze_mesh_write_memory(const graze_context *context, const graze_mesh *mesh, graze_format format,
                                     void **out_bytes, size_t *out_size)
{
    if (mesh == NULL || out_bytes == NULL || out_size == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_writer writer = {.context = context, .status = GRAZE_STATUS_OK, .culprit = GRAZE_NO_INDEX};
    graze_status status = write_format(&writer, mesh, format);
    if (status != GRAZE_STATUS_OK)
    {
        grz_release(context, writer.bytes.data);
        return status;
    }
    *out_bytes = writer.bytes.data;
    *out_size = writer.bytes.count;
    return GRAZE_STATUS_OK;
}

graze_status graze_mesh_write_file(const graze_context *context, const graze_mesh *mesh, const char *path,
                                   graze_format format, graze_error *error)
{
    if (mesh == NULL || path == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "mesh and path may not be NULL");
    if (format == GRAZE_FORMAT_AUTO && grz_name_says_gzip(path))
        return grz_error(error, GRAZE_STATUS_UNSUPPORTED, "%.120s: gzip is read but not written", path);
    if (format == GRAZE_FORMAT_AUTO)
        format = graze_format_from_name(path);
    if (format == GRAZE_FORMAT_AUTO)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "%.120s: its ending is none of .stl, .obj, .ply and .off",
                         path);
    grz_writer writer = {.context = context, .status = GRAZE_STATUS_OK, .culprit = GRAZE_NO_INDEX};
    graze_status status = write_format(&writer, mesh, format);
    if (status == GRAZE_STATUS_OK)
        status = grz_file_store(context, path, writer.bytes.data, writer.bytes.count, error);
    else
        status = explain(&writer, status, path, error);
    grz_release(context, writer.bytes.data);
    return status;
}
