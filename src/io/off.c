/* SPDX-License-Identifier: MIT */
/*
 * OFF: the keyword with its variants, the counts, a line for each vertex, a line for each face (number of corners,
 * their indices from 0, colours that are ignored). The keyword and the number of edges may be missing; # starts a
 * comment.
 */
#include <string.h>

#include "io/reader.h"
#include "io/writer.h"

bool grz_is_off_keyword(grz_name word, bool *out_plain)
{
    /* [ST][C][N][4][n]OFF; all in this order. */
    static const char letters[] = "STCN4n";
    *out_plain = true;
    if (grz_word_is(word, "off"))
        return true;
    if (word.size < 3 || memcmp(word.text + word.size - 3, "OFF", 3) != 0)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < word.size - 3; i++, at++)
    {
        while (letters[at] != '\0' && letters[at] != word.text[i])
            at++;
        if (letters[at] == '\0')
            return false;
        *out_plain = *out_plain && word.text[i] != '4' && word.text[i] != 'n';
    }
    return true;
}

/* Skips the rest of the line, and lines without content. */
static bool to_next_line(grz_reader *reader)
{
    grz_next_line(reader);
    return grz_skip_empty_lines(reader, '#');
}

static graze_status read_keyword(grz_reader *reader)
{
    const char *start = reader->at;
    grz_name word = grz_read_word(reader);
    bool plain;
    if (!grz_is_off_keyword(word, &plain))
    {
        reader->at = start; /* the keyword is optional */
        return GRAZE_STATUS_OK;
    }
    if (!plain)
        return grz_fail_here(reader, GRAZE_STATUS_UNSUPPORTED, "%s is not in three dimensions, which is not supported",
                             grz_quote_word(word).text);
    grz_skip_blanks(reader);
    if (!grz_at_line_end(reader) && *reader->at != '#')
    {
        start = reader->at;
        if (grz_word_is(grz_read_word(reader), "binary"))
            return grz_fail_here(reader, GRAZE_STATUS_UNSUPPORTED, "binary OFF is not supported, only text");
        reader->at = start;
        return GRAZE_STATUS_OK;
    }
    to_next_line(reader);
    return GRAZE_STATUS_OK;
}

static graze_status read_header(grz_reader *reader, int64_t *out_vertex_count, int64_t *out_face_count)
{
    grz_skip_empty_lines(reader, '#');
    graze_status status = read_keyword(reader);
    if (status == GRAZE_STATUS_OK)
        status = grz_read_integer(reader, "the number of vertices", out_vertex_count);
    if (status == GRAZE_STATUS_OK)
        status = grz_read_integer(reader, "the number of faces", out_face_count);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (*out_vertex_count < 0 || *out_face_count < 0)
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "a count is negative");
    if (*out_vertex_count >= UINT32_MAX)
        return grz_fail_here(reader, GRAZE_STATUS_TOO_LARGE,
                             "the header announces more vertices than 32 bits can name");
    return GRAZE_STATUS_OK;
}

static graze_status fail_cut(grz_reader *reader, const char *what, int64_t read, int64_t announced)
{
    return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends after %lld of the %lld %s that it announces",
                         (long long)read, (long long)announced, what);
}

static graze_status read_vertices(grz_reader *reader, int64_t count)
{
    for (int64_t v = 0; v < count && grz_read_elements(reader, 1); v++)
    {
        if (!to_next_line(reader))
            return fail_cut(reader, "vertices", v, count);
        double position[3];
        for (int axis = 0; axis < 3; axis++)
        {
            graze_status status = grz_read_coordinate(reader, &position[axis]);
            if (status != GRAZE_STATUS_OK)
                return grz_set_error_index(reader, status, (uint64_t)v);
        }
        if (!grz_builder_add_vertex(&reader->builder, position))
            return grz_fail_memory(reader);
    }
    return GRAZE_STATUS_OK;
}

static graze_status read_faces(grz_reader *reader, int64_t count)
{
    size_t vertex_count = grz_builder_vertex_count(&reader->builder);
    for (int64_t f = 0; f < count && grz_read_elements(reader, 1); f++)
    {
        if (!to_next_line(reader))
            return fail_cut(reader, "faces", f, count);
        int64_t corner_count, vertex;
        graze_status status = grz_read_integer(reader, "a face's number of corners", &corner_count);
        for (int64_t c = 0; status == GRAZE_STATUS_OK && c < corner_count; c++)
        {
            status = grz_read_integer(reader, "a face corner", &vertex);
            if (status == GRAZE_STATUS_OK)
                status = grz_add_corner(reader, vertex, vertex_count);
        }
        if (status == GRAZE_STATUS_OK)
            status = grz_end_face(reader);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    return GRAZE_STATUS_OK;
}

graze_status grz_off_read(grz_reader *reader)
{
    int64_t vertex_count, face_count;
    graze_status status = read_header(reader, &vertex_count, &face_count);
    if (status == GRAZE_STATUS_OK)
        status = read_vertices(reader, vertex_count);
    if (status == GRAZE_STATUS_OK)
        status = read_faces(reader, face_count);
    if (status == GRAZE_STATUS_OK && to_next_line(reader))
        status = grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT,
                               "there is more after the %lld vertices and %lld faces that the file announces",
                               (long long)vertex_count, (long long)face_count);
    return status;
}

void grz_off_write(grz_writer *writer, const graze_mesh *mesh)
{
    size_t vertex_count = graze_mesh_vertex_count(mesh), largest;
    grz_put_text(writer, "OFF\n");
    grz_put_integer(writer, vertex_count);
    grz_put_text(writer, " ");
    grz_put_integer(writer, grz_count_faces(mesh, &largest));
    grz_put_text(writer, " 0\n");
    const double *vertices = graze_mesh_vertices(mesh);
    for (size_t v = 0; v < vertex_count; v++)
    {
        grz_put_position(writer, vertices + 3 * v);
        grz_put_text(writer, "\n");
    }
    grz_face_cursor cursor = {mesh, 0};
    const uint32_t *corners;
    size_t count;
    while (grz_next_face(&cursor, &corners, &count))
    {
        grz_put_integer(writer, count);
        for (size_t c = 0; c < count; c++)
        {
            grz_put_text(writer, " ");
            grz_put_integer(writer, corners[c]);
        }
        grz_put_text(writer, "\n");
    }
}
