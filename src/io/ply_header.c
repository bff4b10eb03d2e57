/* SPDX-License-Identifier: MIT */
/* Reading the header of a PLY file; see ply_header.h. */
#include "io/ply_header.h"

#include <string.h>

typedef struct type_name
{
    const char *name;
    grz_ply_type type;
} type_name;

static const type_name type_names[] = {
    {"char", GRZ_PLY_INT8},   {"int8", GRZ_PLY_INT8},     {"uchar", GRZ_PLY_UINT8},   {"uint8", GRZ_PLY_UINT8},
    {"short", GRZ_PLY_INT16}, {"int16", GRZ_PLY_INT16},   {"ushort", GRZ_PLY_UINT16}, {"uint16", GRZ_PLY_UINT16},
    {"int", GRZ_PLY_INT32},   {"int32", GRZ_PLY_INT32},   {"uint", GRZ_PLY_UINT32},   {"uint32", GRZ_PLY_UINT32},
    {"float", GRZ_PLY_FLOAT}, {"float32", GRZ_PLY_FLOAT}, {"double", GRZ_PLY_DOUBLE}, {"float64", GRZ_PLY_DOUBLE},
};

size_t grz_ply_type_size(grz_ply_type type)
{
    static const size_t sizes[GRZ_PLY_TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

static graze_status read_format(grz_reader *reader, grz_ply_header *header)
{
    grz_name word = grz_read_word(reader);
    if (grz_word_is(word, "ascii"))
        header->format = GRAZE_FORMAT_PLY_ASCII;
    else if (grz_word_is(word, "binary_little_endian"))
        header->format = GRAZE_FORMAT_PLY_LITTLE_ENDIAN;
    else if (grz_word_is(word, "binary_big_endian"))
        header->format = GRAZE_FORMAT_PLY_BIG_ENDIAN;
    else
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "\"%s\" is not a format of PLY",
                             grz_quote_word(word).text);
    return GRAZE_STATUS_OK;
}

static graze_status read_element(grz_reader *reader, grz_ply_header *header)
{
    grz_name name = grz_read_word(reader);
    grz_ply_element element = {GRZ_PLY_OTHER, 0, header->properties.count, 0};
    if (grz_word_is(name, "vertex"))
        element.kind = GRZ_PLY_VERTEX;
    else if (grz_word_is(name, "face"))
        element.kind = GRZ_PLY_FACE;
    else if (grz_word_is(name, "tristrips"))
        element.kind = GRZ_PLY_STRIPS;
    for (size_t e = 0; element.kind == GRZ_PLY_VERTEX && e < header->elements.count; e++)
    {
        if (header->elements.data[e].kind == GRZ_PLY_VERTEX)
            return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the element \"vertex\" is announced twice");
    }
    int64_t count;
    graze_status status = grz_read_integer(reader, "the number of elements", &count);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (count < 0)
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the number of elements is negative");
    if (element.kind == GRZ_PLY_VERTEX && count >= UINT32_MAX)
        return grz_fail_here(reader, GRAZE_STATUS_TOO_LARGE, "more vertices are announced than 32 bits can name");
    element.count = (uint64_t)count;
    return GRZ_PUSH(reader->context, &header->elements, element) ? GRAZE_STATUS_OK : grz_fail_memory(reader);
}

static graze_status read_type(grz_reader *reader, grz_ply_type *out_type)
{
    grz_name word = grz_read_word(reader);
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
    {
        if (grz_word_is(word, type_names[i].name))
        {
            *out_type = type_names[i].type;
            return GRAZE_STATUS_OK;
        }
    }
    return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "\"%s\" is not a type of PLY", grz_quote_word(word).text);
}

/* The role of a property of this name in this kind of element. */
static grz_ply_role role_of(grz_ply_kind kind, bool is_list, grz_name name)
{
    if (kind == GRZ_PLY_VERTEX && !is_list && name.size == 1)
    {
        static const char axes[] = "xyz";
        const char *axis = name.text[0] == '\0' ? NULL : strchr(axes, name.text[0] | 0x20);
        return axis == NULL ? GRZ_PLY_IGNORED : (grz_ply_role)(GRZ_PLY_X + (axis - axes));
    }
    if ((kind == GRZ_PLY_FACE || kind == GRZ_PLY_STRIPS) && is_list &&
        (grz_word_is(name, "vertex_indices") || grz_word_is(name, "vertex_index")))
        return GRZ_PLY_INDICES;
    return GRZ_PLY_IGNORED;
}

static graze_status read_property(grz_reader *reader, grz_ply_header *header)
{
    if (header->elements.count == 0)
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "a property stands before the first element");
    grz_ply_property property = {GRZ_PLY_IGNORED, false, GRZ_PLY_UINT8, GRZ_PLY_UINT8};
    const char *start = reader->at;
    graze_status status = GRAZE_STATUS_OK;
    property.is_list = grz_word_is(grz_read_word(reader), "list");
    if (property.is_list)
        status = read_type(reader, &property.count_type);
    else
        reader->at = start;
    if (status == GRAZE_STATUS_OK)
        status = read_type(reader, &property.type);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (property.is_list && property.count_type >= GRZ_PLY_FLOAT)
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the length of a list cannot be a floating-point number");
    grz_name name = grz_read_word(reader);
    if (name.size == 0)
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the property has no name");
    grz_ply_element *element = &header->elements.data[header->elements.count - 1];
    property.role = role_of(element->kind, property.is_list, name);
    element->property_count++;
    return GRZ_PUSH(reader->context, &header->properties, property) ? GRAZE_STATUS_OK : grz_fail_memory(reader);
}

/* Skips the end of the header's last line. Data may begin with a line feed, so a lone carriage return ends the line
 * only in files whose first line ended so. */
static void end_header(grz_reader *reader)
{
    const char *first = reader->begin;
    while (first < reader->end && !grz_is_newline(*first))
        first++;
    bool lone_return = reader->end - first > 1 && first[0] == '\r' && first[1] != '\n';
    while (!grz_at_line_end(reader))
        reader->at++;
    if (lone_return && reader->at < reader->end)
    {
        reader->at++;
        reader->line++;
    }
    else
        grz_next_line(reader);
}

/* An element must have the required properties, once each. */
static graze_status check_elements(grz_reader *reader, const grz_ply_header *header)
{
    for (size_t e = 0; e < header->elements.count; e++)
    {
        const grz_ply_element *element = &header->elements.data[e];
        size_t found[GRZ_PLY_IGNORED + 1] = {0};
        for (size_t p = 0; p < element->property_count; p++)
            found[header->properties.data[element->first_property + p].role]++;
        if (element->kind == GRZ_PLY_VERTEX && element->count > 0 &&
            (found[GRZ_PLY_X] != 1 || found[GRZ_PLY_Y] != 1 || found[GRZ_PLY_Z] != 1))
            return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT,
                                 "the header does not give every vertex one x, one y and one z");
        if ((element->kind == GRZ_PLY_FACE || element->kind == GRZ_PLY_STRIPS) && element->count > 0 &&
            found[GRZ_PLY_INDICES] != 1)
            return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT,
                                 "the header does not give every face one list of vertex_indices");
    }
    return GRAZE_STATUS_OK;
}

graze_status grz_ply_read_header(grz_reader *reader, grz_ply_header *header)
{
    header->format = GRAZE_FORMAT_AUTO;
    if (!grz_word_is(grz_read_word(reader), "ply"))
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the file does not begin with \"ply\"");
    for (;;)
    {
        grz_next_line(reader);
        if (reader->at == reader->end)
            return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends within its header");
        grz_name word = grz_read_word(reader);
        graze_status status = GRAZE_STATUS_OK;
        if (grz_word_is(word, "end_header"))
            break;
        if (grz_word_is(word, "format"))
            status = read_format(reader, header);
        else if (grz_word_is(word, "element"))
            status = read_element(reader, header);
        else if (grz_word_is(word, "property"))
            status = read_property(reader, header);
        else if (word.size > 0 && !grz_word_is(word, "comment") && !grz_word_is(word, "obj_info"))
            status = grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "\"%s\" is not a line of a PLY header",
                                   grz_quote_word(word).text);
        if (status == GRAZE_STATUS_BAD_FORMAT && reader->at == reader->end)
            return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends within its header");
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    if (header->format == GRAZE_FORMAT_AUTO)
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the header does not say which format follows");
    graze_status status = check_elements(reader, header);
    if (status == GRAZE_STATUS_OK)
        end_header(reader);
    return status;
}
