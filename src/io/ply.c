/* SPDX-License-Identifier: MIT */
/*
 * PLY: a header that declares elements and their properties, then the values as text (one line per element) or binary
 * in either byte order. Read are x, y, z of "vertex" and the index lists of "face" and "tristrips"; the rest is
 * skipped. Declared counts are checked against the bytes that are there before anything is allocated.
 */
#include <math.h>
#include <string.h>

#include "io/ply_header.h"
#include "io/writer.h"

typedef struct ply_body
{
    grz_reader *reader;
    const grz_ply_header *header;
    bool big_endian;
    uint64_t vertex_count;
} ply_body;

/* --- values --- */

/* Binary: the value at the cursor, which is known to be in the file. */
static double decode(ply_body *body, grz_ply_type type)
{
    size_t size = grz_ply_type_size(type);
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
    {
        size_t shift = 8 * (body->big_endian ? size - 1 - i : i);
        bits |= (uint64_t)(unsigned char)body->reader->at[i] << shift;
    }
    body->reader->at += size;
    uint32_t low = (uint32_t)bits;
    float single;
    double value;
    switch (type)
    {
    case GRZ_PLY_INT8:
        return (double)((int)(low ^ 0x80u) - 0x80);
    case GRZ_PLY_INT16:
        return (double)((int)(low ^ 0x8000u) - 0x8000);
    case GRZ_PLY_INT32:
        return (double)((int64_t)(low ^ 0x80000000u) - 0x80000000ll);
    case GRZ_PLY_FLOAT:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case GRZ_PLY_DOUBLE:
        memcpy(&value, &bits, sizeof value);
        return value;
    default:
        return (double)low;
    }
}

/* Checks that `count` more values of the type are in the file. */
static graze_status require(ply_body *body, uint64_t count, grz_ply_type type)
{
    grz_reader *reader = body->reader;
    if (count <= (uint64_t)(reader->end - reader->at) / grz_ply_type_size(type))
        return GRAZE_STATUS_OK;
    reader->at = reader->end;
    return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends within the data that its header announces");
}

static graze_status skip_values(ply_body *body, uint64_t count, grz_ply_type type)
{
    grz_reader *reader = body->reader;
    if (reader->binary)
    {
        graze_status status = require(body, count, type);
        if (status == GRAZE_STATUS_OK)
            reader->at += count * grz_ply_type_size(type);
        return status;
    }
    for (uint64_t i = 0; i < count && grz_read_elements(reader, 1); i++)
    {
        if (grz_read_word(reader).size == 0)
            return grz_fail_here(reader, reader->at == reader->end ? GRAZE_STATUS_TRUNCATED : GRAZE_STATUS_BAD_FORMAT,
                                 "the line holds fewer values than the header announces");
    }
    return GRAZE_STATUS_OK;
}

static graze_status read_coordinate(ply_body *body, grz_ply_type type, double *out_value)
{
    grz_reader *reader = body->reader;
    if (!reader->binary)
        return grz_read_coordinate(reader, out_value);
    graze_status status = require(body, 1, type);
    if (status != GRAZE_STATUS_OK)
        return status;
    const char *start = reader->at;
    if (type == GRZ_PLY_FLOAT)
        reader->builder.numbers = GRAZE_NUMBER_FLOAT;
    *out_value = decode(body, type);
    if (isfinite(*out_value))
        return GRAZE_STATUS_OK;
    reader->at = start;
    return grz_fail_here(reader, GRAZE_STATUS_NOT_FINITE, "a coordinate of vertex %zu is not a finite number",
                         grz_builder_vertex_count(&reader->builder));
}

static graze_status read_list_size(ply_body *body, grz_ply_type type, uint64_t *out_size)
{
    grz_reader *reader = body->reader;
    int64_t size = 0;
    graze_status status;
    if (reader->binary)
    {
        status = require(body, 1, type);
        if (status == GRAZE_STATUS_OK)
            size = (int64_t)decode(body, type);
    }
    else
        status = grz_read_integer(reader, "the length of a list", &size);
    if (status == GRAZE_STATUS_OK && size < 0)
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the length of a list is negative");
    *out_size = (uint64_t)size;
    return status;
}

/* A vertex index, which is known to be in a binary file. */
static graze_status read_index(ply_body *body, grz_ply_type type, int64_t *out_index)
{
    if (!body->reader->binary)
        return grz_read_integer(body->reader, "a vertex index", out_index);
    double value = decode(body, type);
    bool whole = value >= -0x1p53 && value <= 0x1p53 && value == floor(value); /* a float might hold any value */
    *out_index = whole ? (int64_t)value : INT64_MAX;
    return GRAZE_STATUS_OK;
}

/* --- index lists --- */

static graze_status read_face(ply_body *body, uint64_t size, grz_ply_type type)
{
    for (uint64_t i = 0; i < size; i++)
    {
        int64_t vertex;
        graze_status status = read_index(body, type, &vertex);
        if (status == GRAZE_STATUS_OK)
            status = grz_add_corner(body->reader, vertex, body->vertex_count);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    return grz_end_face(body->reader);
}

/* Triangle strips, separated by -1. Every other triangle of a strip is reversed. */
static graze_status read_strips(ply_body *body, uint64_t size, grz_ply_type type)
{
    int64_t corners[3] = {0, 0, 0};
    uint64_t length = 0;
    for (uint64_t i = 0; i < size && grz_read_elements(body->reader, 1); i++)
    {
        graze_status status = read_index(body, type, &corners[2]);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (corners[2] == -1)
        {
            length = 0;
            continue;
        }
        length++;
        bool turned = length % 2 == 0;
        for (int c = 0; length >= 3 && status == GRAZE_STATUS_OK && c < 3; c++)
            status = grz_add_corner(body->reader, corners[turned && c < 2 ? 1 - c : c], body->vertex_count);
        if (status == GRAZE_STATUS_OK && length >= 3)
            status = grz_end_face(body->reader);
        if (status != GRAZE_STATUS_OK)
            return status;
        corners[0] = corners[1];
        corners[1] = corners[2];
    }
    return GRAZE_STATUS_OK;
}

static graze_status read_list(ply_body *body, const grz_ply_element *element, const grz_ply_property *property)
{
    uint64_t size = 0;
    graze_status status = read_list_size(body, property->count_type, &size);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (property->role != GRZ_PLY_INDICES)
        return skip_values(body, size, property->type);
    if (body->reader->binary)
        status = require(body, size, property->type);
    if (status != GRAZE_STATUS_OK)
        return status;
    return element->kind == GRZ_PLY_FACE ? read_face(body, size, property->type)
                                         : read_strips(body, size, property->type);
}

/* --- elements --- */

static graze_status read_properties(ply_body *body, const grz_ply_element *element)
{
    const grz_ply_property *properties = body->header->properties.data + element->first_property;
    double position[3] = {0.0, 0.0, 0.0};
    for (size_t p = 0; p < element->property_count; p++)
    {
        const grz_ply_property *property = &properties[p];
        graze_status status;
        if (property->is_list)
            status = read_list(body, element, property);
        else if (property->role == GRZ_PLY_IGNORED)
            status = skip_values(body, 1, property->type);
        else
            status = read_coordinate(body, property->type, &position[property->role - GRZ_PLY_X]);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    if (element->kind == GRZ_PLY_VERTEX && !grz_builder_add_vertex(&body->reader->builder, position))
        return grz_fail_memory(body->reader);
    return GRAZE_STATUS_OK;
}

/* The smallest size of one element: in a binary file its values with empty lists, in text one digit per value. */
static uint64_t least_size(const ply_body *body, const grz_ply_element *element)
{
    uint64_t size = 0;
    for (size_t p = 0; p < element->property_count; p++)
    {
        const grz_ply_property *property = &body->header->properties.data[element->first_property + p];
        size += body->reader->binary ? grz_ply_type_size(property->is_list ? property->count_type : property->type) : 1;
    }
    return size;
}

static graze_status fail_cut(ply_body *body, uint64_t read, uint64_t announced)
{
    body->reader->at = body->reader->end;
    return grz_fail_here(body->reader, GRAZE_STATUS_TRUNCATED,
                         "the file ends after %s%llu of the %llu elements of a kind that its header announces",
                         body->reader->binary ? "at most " : "", (unsigned long long)read,
                         (unsigned long long)announced);
}

static graze_status read_elements(ply_body *body, const grz_ply_element *element)
{
    grz_reader *reader = body->reader;
    if (element->property_count == 0)
        return GRAZE_STATUS_OK; /* such elements take no space, however many there are */
    uint64_t most = (uint64_t)(reader->end - reader->at) / least_size(body, element);
    if (reader->binary && element->count > most)
        return fail_cut(body, most, element->count);
    for (uint64_t i = 0; i < element->count && grz_read_elements(reader, 1); i++)
    {
        if (!reader->binary && !grz_skip_space(reader))
            return fail_cut(body, i, element->count);
        graze_status status = read_properties(body, element);
        if (status == GRAZE_STATUS_OK && !reader->binary)
        {
            grz_skip_blanks(reader);
            if (!grz_at_line_end(reader))
                status = grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT,
                                       "the line holds more values than the header announces");
        }
        if (status != GRAZE_STATUS_OK)
            return element->kind == GRZ_PLY_VERTEX ? grz_set_error_index(reader, status, i) : status;
    }
    return GRAZE_STATUS_OK;
}

static graze_status read_body(ply_body *body)
{
    grz_reader *reader = body->reader;
    const grz_ply_header *header = body->header;
    for (size_t e = 0; e < header->elements.count; e++)
    {
        if (header->elements.data[e].kind == GRZ_PLY_VERTEX)
            body->vertex_count = header->elements.data[e].count;
    }
    for (size_t e = 0; e < header->elements.count; e++)
    {
        graze_status status = read_elements(body, &header->elements.data[e]);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    /* More than a line end means that a count is too small, and missing faces would make answers wrong. */
    if (grz_skip_space(reader))
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "there is more after the last announced element");
    return GRAZE_STATUS_OK;
}

graze_status grz_ply_read(grz_reader *reader, graze_format *out_format)
{
    grz_ply_header header = {0};
    graze_status status = grz_ply_read_header(reader, &header);
    if (status == GRAZE_STATUS_OK)
    {
        *out_format = header.format;
        reader->binary = header.format != GRAZE_FORMAT_PLY_ASCII;
        ply_body body = {reader, &header, header.format == GRAZE_FORMAT_PLY_BIG_ENDIAN, 0};
        status = read_body(&body);
    }
    grz_release(reader->context, header.elements.data);
    grz_release(reader->context, header.properties.data);
    return status;
}

/* --- writing --- */

static void put_value(grz_writer *writer, uint64_t bits, size_t size, graze_format format)
{
    char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[format == GRAZE_FORMAT_PLY_BIG_ENDIAN ? size - 1 - i : i] = (char)(bits >> (8 * i) & 0xff);
    grz_put_bytes(writer, bytes, size);
}

static void write_header(grz_writer *writer, const graze_mesh *mesh, graze_format format, const char *size_type)
{
    size_t largest;
    grz_put_text(writer, "ply\nformat ");
    grz_put_text(writer, format == GRAZE_FORMAT_PLY_ASCII        ? "ascii"
                         : format == GRAZE_FORMAT_PLY_BIG_ENDIAN ? "binary_big_endian"
                                                                 : "binary_little_endian");
    grz_put_text(writer, " 1.0\nelement vertex ");
    grz_put_integer(writer, graze_mesh_vertex_count(mesh));
    grz_put_text(writer, "\nproperty double x\nproperty double y\nproperty double z\nelement face ");
    grz_put_integer(writer, grz_count_faces(mesh, &largest));
    grz_put_text(writer, "\nproperty list ");
    grz_put_text(writer, size_type);
    grz_put_text(writer, graze_mesh_vertex_count(mesh) <= INT32_MAX ? " int" : " uint");
    grz_put_text(writer, " vertex_indices\nend_header\n");
}

static void write_vertex(grz_writer *writer, const double position[3], graze_format format)
{
    if (format == GRAZE_FORMAT_PLY_ASCII)
    {
        grz_put_position(writer, position);
        grz_put_text(writer, "\n");
        return;
    }
    for (int axis = 0; axis < 3; axis++)
    {
        uint64_t bits;
        memcpy(&bits, &position[axis], sizeof bits);
        put_value(writer, bits, sizeof bits, format);
    }
}

void grz_ply_write(grz_writer *writer, const graze_mesh *mesh, graze_format format)
{
    size_t largest, count;
    grz_count_faces(mesh, &largest);
    bool small = largest <= UINT8_MAX; /* the usual type of a face's size, if it suffices */
    write_header(writer, mesh, format, small ? "uchar" : "uint");
    for (size_t v = 0; v < graze_mesh_vertex_count(mesh); v++)
        write_vertex(writer, graze_mesh_vertices(mesh) + 3 * v, format);
    grz_face_cursor cursor = {mesh, 0};
    const uint32_t *corners;
    while (grz_next_face(&cursor, &corners, &count))
    {
        if (format == GRAZE_FORMAT_PLY_ASCII)
            grz_put_integer(writer, count);
        else
            put_value(writer, count, small ? 1 : 4, format);
        for (size_t c = 0; c < count; c++)
        {
            if (format != GRAZE_FORMAT_PLY_ASCII)
            {
                put_value(writer, corners[c], 4, format);
                continue;
            }
            grz_put_text(writer, " ");
            grz_put_integer(writer, corners[c]);
        }
        if (format == GRAZE_FORMAT_PLY_ASCII)
            grz_put_text(writer, "\n");
    }
}
