/* SPDX-License-Identifier: MIT */
/*
 * OBJ: lines that start with a keyword. Read are v (position; weight and colour after it are ignored), f (any polygon,
 * indices from 1 or, negative, from the end) and o and g, which name the parts; other text lines are skipped. Faces may
 * refer to vertices that come later in the file.
 */
#include <string.h>

#include "io/flaw.h"
#include "io/reader.h"
#include "io/writer.h"
#include "text/number.h"

typedef struct obj_state
{
    grz_name object, group;
    bool part_open;          /* the last part of the builder is the current one */
    bool anything_known;     /* a statement of OBJ was seen */
    uint64_t largest_corner; /* largest vertex number (from 1) that a face used before that vertex was read */
    uint64_t largest_line;   /* its line */
} obj_state;

/* Skips blanks, and a backslash that continues the line. */
static void skip_blanks(grz_reader *reader)
{
    for (;;)
    {
        grz_skip_blanks(reader);
        if (reader->end - reader->at < 2 || *reader->at != '\\' || !grz_is_newline(reader->at[1]))
            return;
        reader->at++;
        grz_next_line(reader);
    }
}

/* Whether only a comment is left of the statement. */
static bool at_statement_end(grz_reader *reader)
{
    skip_blanks(reader);
    return grz_at_line_end(reader) || *reader->at == '#';
}

static graze_status read_vertex(grz_reader *reader)
{
    double position[3];
    for (int axis = 0; axis < 3; axis++)
    {
        skip_blanks(reader);
        graze_status status = grz_read_coordinate(reader, &position[axis]);
        if (status != GRAZE_STATUS_OK)
            return grz_set_error_index(reader, status, grz_builder_vertex_count(&reader->builder));
    }
    if (grz_builder_vertex_count(&reader->builder) >= UINT32_MAX)
        return grz_fail_here(reader, GRAZE_STATUS_TOO_LARGE, "there are more vertices than 32-bit indices can name");
    return grz_builder_add_vertex(&reader->builder, position) ? GRAZE_STATUS_OK : grz_fail_memory(reader);
}

static graze_status fail_corner(grz_reader *reader, grz_name word)
{
    if (word.size == 0)
        word = grz_read_word(reader);
    return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "\"%s\" stands where a face corner should be",
                         grz_quote_word(word).text);
}

/* A corner: v, v/t, v//n or v/t/n. Texture and normal indices are checked for syntax only. */
static graze_status read_corner(grz_reader *reader, int64_t *out_vertex)
{
    const char *start = reader->at;
    int64_t ignored;
    const char *at = grz_integer_read(start, reader->end, out_vertex);
    for (int i = 0; at != NULL && i < 2 && at < reader->end && *at == '/'; i++)
    {
        const char *after = grz_integer_read(at + 1, reader->end, &ignored);
        at = after != NULL ? after : at + 1;
    }
    if (at == NULL || (at < reader->end && !grz_is_blank(*at) && !grz_is_newline(*at) && *at != '\\'))
        return fail_corner(reader, (grz_name){start, 0});
    reader->at = at;
    return GRAZE_STATUS_OK;
}

static graze_status fail_index(grz_reader *reader, int64_t vertex)
{
    grz_fail_here(reader, GRAZE_STATUS_BAD_INDEX,
                  "face corner %zu names vertex %lld, but %zu vertices have been read so far, numbered from 1",
                  grz_builder_open_corner_count(&reader->builder) + 1, (long long)vertex,
                  grz_builder_vertex_count(&reader->builder));
    return grz_set_error_index(reader, GRAZE_STATUS_BAD_INDEX, reader->builder.face_count);
}

static graze_status add_corner(grz_reader *reader, obj_state *state, int64_t number)
{
    int64_t vertex_count = (int64_t)grz_builder_vertex_count(&reader->builder);
    bool possible = number != 0 && number >= -vertex_count && number <= UINT32_MAX;
    if (!possible && reader->lenient)
        return grz_flaw_face(reader, GRAZE_STATUS_BAD_INDEX) && grz_builder_add_corner(&reader->builder, UINT32_MAX)
                   ? GRAZE_STATUS_OK
                   : grz_fail_memory(reader);
    if (!possible)
        return fail_index(reader, number);
    int64_t vertex = number < 0 ? vertex_count + number : number - 1;
    if (vertex >= vertex_count && (uint64_t)number > state->largest_corner)
    {
        state->largest_corner = (uint64_t)number;
        state->largest_line = reader->line;
    }
    return grz_builder_add_corner(&reader->builder, (uint32_t)vertex) ? GRAZE_STATUS_OK : grz_fail_memory(reader);
}

static graze_status read_face(grz_reader *reader, obj_state *state)
{
    if (!state->part_open && !grz_builder_add_part(&reader->builder, state->object, state->group))
        return grz_fail_memory(reader);
    state->part_open = true;
    while (!at_statement_end(reader) && grz_read_elements(reader, 1))
    {
        int64_t number;
        graze_status status = read_corner(reader, &number);
        if (status == GRAZE_STATUS_OK)
            status = add_corner(reader, state, number);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    return grz_end_face(reader);
}

static void read_part_name(grz_reader *reader, obj_state *state, bool is_object)
{
    grz_name name = grz_read_rest_of_line(reader);
    if (is_object)
    {
        state->object = name;
        state->group.size = 0; /* groups belong to the current object */
    }
    else
        state->group = name;
    state->part_open = false;
}

/* A statement that is not read. Text is skipped, but binary data is no OBJ. */
static graze_status pass_over(grz_reader *reader, obj_state *state, grz_name keyword)
{
    for (size_t i = 0; i < keyword.size; i++)
    {
        if ((unsigned char)keyword.text[i] < ' ')
            return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "this is binary data, not the text of an OBJ file");
    }
    state->anything_known = state->anything_known || grz_is_obj_keyword(keyword);
    return GRAZE_STATUS_OK;
}

static graze_status read_statement(grz_reader *reader, obj_state *state)
{
    grz_name keyword = grz_read_word(reader);
    if (grz_word_is(keyword, "v"))
        return read_vertex(reader);
    if (grz_word_is(keyword, "f") || grz_word_is(keyword, "fo"))
        return read_face(reader, state);
    if (grz_word_is(keyword, "o") || grz_word_is(keyword, "g"))
    {
        read_part_name(reader, state, grz_word_is(keyword, "o"));
        return GRAZE_STATUS_OK;
    }
    return pass_over(reader, state, keyword);
}

bool grz_is_obj_keyword(grz_name keyword)
{
    static const char *const keywords[] = {"v",      "vn",     "vt",     "vp",  "f",    "fo",     "l",
                                           "p",      "o",      "g",      "s",   "mg",   "usemtl", "mtllib",
                                           "usemap", "maplib", "cstype", "deg", "curv", "curv2",  "surf"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    {
        if (grz_word_is(keyword, keywords[i]))
            return true;
    }
    return false;
}

graze_status grz_obj_read(grz_reader *reader)
{
    obj_state state = {{"", 0}, {"", 0}, false, false, 0, 0};
    while (grz_skip_empty_lines(reader, '#') && grz_read_elements(reader, 1))
    {
        graze_status status = read_statement(reader, &state);
        if (status != GRAZE_STATUS_OK)
            return status;
        grz_next_line(reader); /* a continuation line of a skipped statement is skipped as a statement of its own */
    }
    size_t vertex_count = grz_builder_vertex_count(&reader->builder);
    reader->builder.dangling = state.largest_corner > vertex_count;
    if (reader->builder.dangling && !reader->lenient)
    {
        reader->line = state.largest_line;
        return grz_fail_here(reader, GRAZE_STATUS_BAD_INDEX, "a face corner names vertex %llu, but the file holds %zu",
                             (unsigned long long)state.largest_corner, vertex_count);
    }
    if (vertex_count == 0 && !state.anything_known)
        return grz_fail(reader, GRAZE_STATUS_BAD_FORMAT, "no line in it is a statement of an OBJ file");
    return grz_builder_merge_parts(&reader->builder) ? GRAZE_STATUS_OK : grz_fail_memory(reader);
}

void grz_obj_write(grz_writer *writer, const graze_mesh *mesh)
{
    const double *vertices = graze_mesh_vertices(mesh);
    for (size_t v = 0; v < graze_mesh_vertex_count(mesh); v++)
    {
        grz_put_text(writer, "v ");
        grz_put_position(writer, vertices + 3 * v);
        grz_put_text(writer, "\n");
    }
    grz_face_cursor cursor = {mesh, 0};
    const uint32_t *corners;
    size_t count;
    while (grz_next_face(&cursor, &corners, &count))
    {
        grz_put_text(writer, "f");
        for (size_t c = 0; c < count; c++)
        {
            grz_put_text(writer, " ");
            grz_put_integer(writer, (uint64_t)corners[c] + 1);
        }
        grz_put_text(writer, "\n");
    }
}
