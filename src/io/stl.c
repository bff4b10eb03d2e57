/* SPDX-License-Identifier: MIT */
/*
 * STL: triangles with three positions each, as text (named solids, which become parts) or binary (80 bytes of header, a
 * count, 50 bytes per triangle in little-endian floats). Stored normals are ignored: the corners determine them. Equal
 * vertices are not merged here; topology does that.
 */
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "io/reader.h"
#include "io/writer.h"

enum
{
    STL_HEADER_BYTES = 80,
    COUNT_SIZE = 4,
    TRIANGLE_SIZE = 50,
    NORMAL_SIZE = 12,
    CORNERS_SIZE = 36
};

/* --- text --- */

/* Reads one word and checks that it is the keyword. */
static graze_status expect(grz_reader *reader, const char *keyword)
{
    if (!grz_skip_space(reader))
        return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends where \"%s\" should be", keyword);
    grz_name word = grz_read_word(reader);
    if (grz_word_is(word, keyword))
        return GRAZE_STATUS_OK;
    if (reader->at == reader->end && word.size < strlen(keyword))
        return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends in the middle of \"%s\"", keyword);
    return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "\"%s\" stands where \"%s\" should be",
                         grz_quote_word(word).text, keyword);
}

/* "normal x y z outer", where the normal may be anything or missing. */
static graze_status skip_normal(grz_reader *reader)
{
    for (int i = 0; i < 4; i++)
    {
        if (!grz_skip_space(reader))
            break;
        const char *start = reader->at;
        if (grz_word_is(grz_read_word(reader), "outer"))
        {
            reader->at = start;
            break;
        }
    }
    return expect(reader, "outer");
}

static graze_status read_vertex(grz_reader *reader)
{
    double position[3];
    for (int axis = 0; axis < 3; axis++)
    {
        grz_skip_space(reader);
        graze_status status = grz_read_coordinate(reader, &position[axis]);
        if (status != GRAZE_STATUS_OK)
            return grz_set_error_index(reader, status, reader->builder.face_count);
    }
    size_t vertex = grz_builder_vertex_count(&reader->builder);
    if (vertex >= UINT32_MAX)
        return grz_fail_here(reader, GRAZE_STATUS_TOO_LARGE, "there are more vertices than 32-bit indices can name");
    if (!grz_builder_add_vertex(&reader->builder, position) ||
        !grz_builder_add_corner(&reader->builder, (uint32_t)vertex))
        return grz_fail_memory(reader);
    return GRAZE_STATUS_OK;
}

/* Reads a facet after the word "facet". */
static graze_status read_facet(grz_reader *reader)
{
    graze_status status = skip_normal(reader);
    if (status == GRAZE_STATUS_OK)
        status = expect(reader, "loop");
    while (status == GRAZE_STATUS_OK)
    {
        if (!grz_skip_space(reader))
            return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends within a facet");
        const char *start = reader->at;
        grz_name word = grz_read_word(reader);
        size_t corner_count = grz_builder_open_corner_count(&reader->builder);
        if (grz_word_is(word, "vertex") && corner_count == 3)
            return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the facet has more than three vertices");
        if (grz_word_is(word, "vertex"))
            status = read_vertex(reader);
        else if (grz_word_is(word, "endloop"))
        {
            status = grz_end_face(reader);
            break;
        }
        else
        {
            reader->at = start;
            status = expect(reader, corner_count < 3 ? "vertex" : "endloop");
        }
    }
    return status == GRAZE_STATUS_OK ? expect(reader, "endfacet") : status;
}

graze_status grz_stl_read_ascii(grz_reader *reader)
{
    const grz_name no_name = {"", 0};
    bool inside = false;
    while (grz_skip_space(reader) && grz_read_elements(reader, 1))
    {
        const char *start = reader->at;
        grz_name word = grz_read_word(reader);
        graze_status status = GRAZE_STATUS_OK;
        if (grz_word_is(word, "solid"))
        {
            if (!grz_builder_add_part(&reader->builder, grz_read_rest_of_line(reader), no_name))
                return grz_fail_memory(reader);
            inside = true;
        }
        else if (inside && grz_word_is(word, "facet"))
            status = read_facet(reader);
        else if (inside && grz_word_is(word, "endsolid"))
        {
            grz_next_line(reader);
            inside = false;
        }
        else
        {
            reader->at = start;
            status = expect(reader, inside ? "endsolid" : "solid");
        }
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    if (inside)
        return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends where \"endsolid\" should be");
    return GRAZE_STATUS_OK;
}

/* --- binary --- */

static uint32_t little_endian_32(const char *bytes)
{
    unsigned char b[4];
    memcpy(b, bytes, sizeof b);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Reads header and count, and checks that all records are there; the cursor is then at the first record. */
static graze_status read_binary_header(grz_reader *reader, uint32_t *out_count)
{
    size_t size = (size_t)(reader->end - reader->begin);
    reader->binary = true;
    reader->at = reader->end; /* the end of a truncated file, for the message */
    if (size < STL_HEADER_BYTES + COUNT_SIZE)
        return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED,
                             "the file ends within the header of a binary STL, which takes %d bytes",
                             STL_HEADER_BYTES + COUNT_SIZE);
    uint32_t count = little_endian_32(reader->begin + STL_HEADER_BYTES);
    uint64_t room = size - STL_HEADER_BYTES - COUNT_SIZE;
    if (room < (uint64_t)count * TRIANGLE_SIZE)
        return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED,
                             "the file ends after %llu of the %llu triangles that its header announces",
                             (unsigned long long)(room / TRIANGLE_SIZE), (unsigned long long)count);
    reader->at = reader->begin + STL_HEADER_BYTES;
    /* Trailing bytes are common and harmless, but whole records there mean that the count is wrong, and missing
     * triangles would make answers wrong. */
    if (room > (uint64_t)count * TRIANGLE_SIZE && room % TRIANGLE_SIZE == 0)
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the header announces %llu triangles, but %llu follow",
                             (unsigned long long)count, (unsigned long long)(room / TRIANGLE_SIZE));
    if (room > (uint64_t)count * TRIANGLE_SIZE)
        grz_log(reader->context, GRAZE_LOG_WARNING, "%s: %llu bytes after the last triangle are ignored", reader->name,
                (unsigned long long)(room - (uint64_t)count * TRIANGLE_SIZE));
    if (count > UINT32_MAX / 3)
        return grz_fail(reader, GRAZE_STATUS_TOO_LARGE, "it has more vertices than 32-bit indices can name");
    reader->at += COUNT_SIZE;
    *out_count = count;
    return GRAZE_STATUS_OK;
}

/* The index of the first of nine floats that is not finite, or 9. */
static int first_nonfinite(const float corners[9])
{
    int i = 0;
    while (i < 9 && isfinite(corners[i]))
        i++;
    return i;
}

static void decode_corners(const char *bytes, float corners[9])
{
    for (size_t i = 0; i < 9; i++)
    {
        uint32_t bits = little_endian_32(bytes + 4 * i);
        memcpy(&corners[i], &bits, sizeof corners[i]);
    }
}

graze_status grz_stl_read_binary(grz_reader *reader)
{
    uint32_t count = 0;
    graze_status status = read_binary_header(reader, &count);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_builder *builder = &reader->builder;
    size_t corner_count = 3 * (size_t)count;
    if (!GRZ_RESERVE(reader->context, &builder->float_coordinates, 3 * corner_count) ||
        !GRZ_RESERVE(reader->context, &builder->corners, corner_count))
        return grz_fail_memory(reader);
    for (uint32_t t = 0; t < count && grz_read_elements(reader, 1); t++, reader->at += TRIANGLE_SIZE)
    {
        float *corners = builder->float_coordinates.data + 9 * (size_t)t;
        decode_corners(reader->at + NORMAL_SIZE, corners);
        int culprit = first_nonfinite(corners);
        if (culprit < 9)
        {
            reader->at += NORMAL_SIZE + 4 * culprit;
            grz_fail_here(reader, GRAZE_STATUS_NOT_FINITE,
                          "a coordinate of triangle %llu, counted from 0, is not a finite number",
                          (unsigned long long)t);
            return grz_set_error_index(reader, GRAZE_STATUS_NOT_FINITE, t);
        }
    }
    for (size_t c = 0; c < corner_count && (c % 3 > 0 || grz_read_elements(reader, 1)); c++)
        builder->corners.data[c] = (uint32_t)c;
    builder->float_coordinates.count = 3 * corner_count;
    builder->numbers = GRAZE_NUMBER_FLOAT;
    builder->corners.count = corner_count;
    builder->face_start = corner_count;
    builder->face_count = count;
    return GRAZE_STATUS_OK;
}

/* --- writing --- */

/* The unit normal, for other programs; zero for a degenerate triangle. Scaling by the longest side first prevents
 * overflow and underflow of the products. */
static void unit_normal(const double *const corners[3], double out[3])
{
    double sides[2][3], scale = 0.0;
    for (int s = 0; s < 2; s++)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            sides[s][axis] = corners[s + 1][axis] / 4 - corners[0][axis] / 4;
            scale = fmax(scale, fabs(sides[s][axis]));
        }
    }
    double length = 0.0;
    for (int axis = 0; axis < 3; axis++)
    {
        int y = (axis + 1) % 3, z = (axis + 2) % 3;
        out[axis] = scale == 0.0
                        ? 0.0
                        : (sides[0][y] / scale) * (sides[1][z] / scale) - (sides[0][z] / scale) * (sides[1][y] / scale);
        length = hypot(length, out[axis]);
    }
    for (int axis = 0; axis < 3; axis++)
        out[axis] = length == 0.0 ? 0.0 : out[axis] / length;
}

static void triangle_corners(const graze_mesh *mesh, size_t triangle, const double *out_corners[3])
{
    for (size_t c = 0; c < 3; c++)
        out_corners[c] = graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[3 * triangle + c];
}

void grz_stl_write_ascii(grz_writer *writer, const graze_mesh *mesh)
{
    grz_put_text(writer, "solid\n");
    for (size_t t = 0; t < graze_mesh_triangle_count(mesh); t++)
    {
        const double *corners[3];
        double normal[3];
        triangle_corners(mesh, t, corners);
        unit_normal(corners, normal);
        for (int axis = 0; axis < 3; axis++)
            normal[axis] = round(normal[axis] * 1e6) / 1e6; /* six digits suffice */
        grz_put_text(writer, "  facet normal ");
        grz_put_position(writer, normal);
        grz_put_text(writer, "\n    outer loop\n");
        for (int c = 0; c < 3; c++)
        {
            grz_put_text(writer, "      vertex ");
            grz_put_position(writer, corners[c]);
            grz_put_text(writer, "\n");
        }
        grz_put_text(writer, "    endloop\n  endfacet\n");
    }
    grz_put_text(writer, "endsolid\n");
}

static void encode_little_endian_32(uint32_t bits, char *out)
{
    for (int i = 0; i < 4; i++)
        out[i] = (char)(bits >> (8 * i) & 0xff);
}

static void encode_float(double value, char *out)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    encode_little_endian_32(bits, out);
}

/* The conversion to float overflows from the midpoint above the largest float on. */
static bool fits_float(double value)
{
    return fabs(value) < 0x1.ffffffp127;
}

void grz_stl_write_binary(grz_writer *writer, const graze_mesh *mesh)
{
    static const char header[STL_HEADER_BYTES] = "binary STL";
    size_t triangle_count = graze_mesh_triangle_count(mesh);
    char bytes[TRIANGLE_SIZE] = {0};
    encode_little_endian_32((uint32_t)triangle_count, bytes); /* meshes have less than 2^32 triangles */
    grz_put_bytes(writer, header, STL_HEADER_BYTES);
    grz_put_bytes(writer, bytes, COUNT_SIZE);
    for (size_t t = 0; t < triangle_count && writer->status == GRAZE_STATUS_OK; t++)
    {
        const double *corners[3];
        double normal[3];
        triangle_corners(mesh, t, corners);
        unit_normal(corners, normal);
        for (int axis = 0; axis < 3; axis++)
            encode_float(normal[axis], bytes + 4 * axis);
        for (int i = 0; i < 9; i++)
        {
            if (!fits_float(corners[i / 3][i % 3]))
            {
                writer->status = GRAZE_STATUS_UNSUPPORTED;
                writer->culprit = graze_mesh_triangles(mesh)[3 * t + (size_t)i / 3];
                return;
            }
            encode_float(corners[i / 3][i % 3], bytes + NORMAL_SIZE + 4 * i);
        }
        grz_put_bytes(writer, bytes, TRIANGLE_SIZE);
    }
}
