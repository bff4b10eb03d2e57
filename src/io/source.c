/* SPDX-License-Identifier: MIT */
/* Loads, unpacks and detects input; see source.h. */
#include "io/source.h"

#include <string.h>

#include "base/environment.h"
#include "io/detect.h"
#include "io/file.h"
#include "io/gltf.h"

static graze_status build(grz_reader *reader, graze_format *format)
{
    switch (*format)
    {
    case GRAZE_FORMAT_STL_BINARY:
        return grz_stl_read_binary(reader);
    case GRAZE_FORMAT_STL_ASCII:
        return grz_stl_read_ascii(reader);
    case GRAZE_FORMAT_OBJ:
        return grz_obj_read(reader);
    case GRAZE_FORMAT_PLY_ASCII:
    case GRAZE_FORMAT_PLY_LITTLE_ENDIAN:
    case GRAZE_FORMAT_PLY_BIG_ENDIAN:
        return grz_ply_read(reader, format);
    case GRAZE_FORMAT_OFF:
        return grz_off_read(reader);
    case GRAZE_FORMAT_GLTF:
    case GRAZE_FORMAT_GLB:
        return grz_gltf_read_model(reader, *format == GRAZE_FORMAT_GLB);
    case GRAZE_FORMAT_SHAPE:
        return grz_fail(reader, GRAZE_STATUS_UNSUPPORTED, "this describes a shape; a mesh is needed here");
    default:
        return grz_fail(reader, GRAZE_STATUS_BAD_ARGUMENT, "%d is not a format", (int)*format);
    }
}

graze_status grz_source_build(grz_reader *reader, graze_format *format)
{
    grz_monitor_stage(reader->monitor, 0.7);
    graze_status status = grz_stopped(reader, build(reader, format));
    grz_monitor_stage(reader->monitor, 1);
    return status;
}

/* Reads unpacked bytes. */
static graze_status read_plain(grz_reader *reader, const char *bytes, size_t size, graze_format format,
                               grz_consumer consumer, void *user)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (size == 0)
        return grz_fail(reader, GRAZE_STATUS_EMPTY, "it is empty");
    reader->begin = reader->at = bytes;
    reader->end = bytes + size;
    reader->line = 1;
    if (size >= 3 && memcmp(bytes, byte_order_mark, 3) == 0)
        reader->at += 3;
    graze_status status = GRAZE_STATUS_OK;
    if (format == GRAZE_FORMAT_AUTO)
        status = grz_stopped(reader, grz_detect(reader, &format));
    if (status == GRAZE_STATUS_OK)
        status = consumer(reader, format, user);
    grz_builder_release(&reader->builder);
    return status;
}

graze_status grz_source_memory(grz_reader *reader, const void *bytes, size_t size, graze_format format,
                               grz_consumer consumer, void *user)
{
    reader->builder.context = reader->context;
    reader->builder.open_place = INT16_MAX;
    grz_environment environment;
    grz_environment_enter(
        &environment); /* conversions of floats and scaling need the default floating-point environment */
    graze_status status;
    if (grz_is_gzip(bytes, size))
    {
        grz_bytes unpacked = {0};
        grz_monitor_stage(reader->monitor, 0.3);
        status = grz_gunzip(reader, bytes, size, &unpacked);
        if (status == GRAZE_STATUS_OK)
            status = read_plain(reader, unpacked.data, unpacked.count, format, consumer, user);
        grz_release(reader->context, unpacked.data);
    }
    else
        status = read_plain(reader, bytes, size, format, consumer, user);
    grz_environment_leave(&environment);
    return status;
}

graze_status grz_source_file(grz_reader *reader, const char *path, graze_format format, grz_consumer consumer,
                             void *user)
{
    grz_bytes bytes = {0};
    reader->path = path;
    grz_monitor_stage(reader->monitor, 0.1);
    graze_status status = grz_file_load(reader, path, &bytes);
    if (status == GRAZE_STATUS_OK)
        status = grz_source_memory(reader, bytes.data, bytes.count, format, consumer, user);
    grz_release(reader->context, bytes.data);
    return status;
}
