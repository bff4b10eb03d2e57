/* SPDX-License-Identifier: MIT */
/* Meshes as blocks of a report page; see mesh_block.h. */
#include "page/mesh_block.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "page/shape_json.h"

enum
{
    MOST_SHORT = 65536, /* vertices that 16-bit indices can address */
    LEVEL = 6
};

static void offset_of(const graze_mesh *mesh, double offset[3])
{
    graze_box box = graze_mesh_bounds(mesh);
    for (int axis = 0; axis < 3; axis++)
        offset[axis] = graze_mesh_triangle_count(mesh) > 0 ? 0.5 * box.lower[axis] + 0.5 * box.upper[axis] : 0;
}

void mesh_block_describe(grz_json_writer *json, const graze_mesh *mesh, bool closed, const graze_shape *shape)
{
    double offset[3];
    offset_of(mesh, offset);
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "vertices");
    grz_json_put_count(json, graze_mesh_vertex_count(mesh));
    grz_json_put_key(json, "triangles");
    grz_json_put_count(json, graze_mesh_triangle_count(mesh));
    grz_json_put_key(json, "offset");
    grz_json_put_reals(json, offset, 3);
    grz_json_put_key(json, "index");
    grz_json_put_text(json, graze_mesh_vertex_count(mesh) <= MOST_SHORT ? "u16" : "u32");
    grz_json_put_key(json, "encoding");
    grz_json_put_text(json, "gzip");
    grz_json_put_key(json, "closed");
    grz_json_put_bool(json, closed);
    page_shape_describe(json, shape);
    grz_json_close(json);
}

/* Numbers are little-endian on every machine. */
static unsigned char *put_word(unsigned char *at, uint32_t word, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *at++ = (unsigned char)(word >> 8 * i);
    return at;
}

static unsigned char *raw_bytes(const graze_mesh *mesh, size_t *out_size)
{
    size_t vertices = graze_mesh_vertex_count(mesh), corners = 3 * graze_mesh_triangle_count(mesh);
    int index_size = vertices <= MOST_SHORT ? 2 : 4;
    size_t size = 12 * vertices + (size_t)index_size * corners;
    unsigned char *bytes = malloc(size + 1), *at = bytes;
    if (bytes == NULL)
        return NULL;
    double offset[3];
    offset_of(mesh, offset);
    for (size_t i = 0; i < 3 * vertices; i++)
    {
        double exact = graze_mesh_vertices(mesh)[i] - offset[i % 3];
        float number = (float)fmax(fmin(exact, FLT_MAX), -FLT_MAX);
        uint32_t word;
        memcpy(&word, &number, sizeof word);
        at = put_word(at, word, 4);
    }
    for (size_t i = 0; i < corners; i++)
        at = put_word(at, graze_mesh_triangles(mesh)[i], index_size);
    *out_size = size;
    return bytes;
}

/* gzip without a time stamp, so that equal meshes give equal bytes. */
static unsigned char *compressed(const unsigned char *bytes, size_t size, size_t *out_size)
{
    z_stream stream = {0};
    if (size > UINT32_MAX || deflateInit2(&stream, LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    size_t room = deflateBound(&stream, (uLong)size);
    unsigned char *out = malloc(room + 1);
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    bool done = out != NULL && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *out_size = room - stream.avail_out;
    deflateEnd(&stream);
    if (!done)
        free(out);
    return done ? out : NULL;
}

static void write_base64(FILE *out, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3)
    {
        uint32_t word = (uint32_t)bytes[i] << 16;
        word |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
        word |= i + 2 < size ? bytes[i + 2] : 0;
        char text[4] = {digits[word >> 18], digits[word >> 12 & 63], i + 1 < size ? digits[word >> 6 & 63] : '=',
                        i + 2 < size ? digits[word & 63] : '='};
        fwrite(text, 1, sizeof text, out);
    }
}

bool mesh_block_write(FILE *out, const graze_mesh *mesh, size_t number)
{
    size_t size = 0, packed_size = 0;
    unsigned char *bytes = raw_bytes(mesh, &size);
    unsigned char *packed = bytes != NULL ? compressed(bytes, size, &packed_size) : NULL;
    free(bytes);
    if (packed == NULL)
        return false;
    fprintf(out, "<script type=\"text/plain\" id=\"graze-geometry-%zu\">", number);
    write_base64(out, packed, packed_size);
    fprintf(out, "</script>\n");
    free(packed);
    return true;
}
