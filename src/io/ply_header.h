/* SPDX-License-Identifier: MIT */
/* The header of a PLY file: the elements it declares and their properties. */
#ifndef GRZ_IO_PLY_HEADER_H
#define GRZ_IO_PLY_HEADER_H

#include "io/reader.h"

typedef enum grz_ply_type
{
    GRZ_PLY_INT8,
    GRZ_PLY_UINT8,
    GRZ_PLY_INT16,
    GRZ_PLY_UINT16,
    GRZ_PLY_INT32,
    GRZ_PLY_UINT32,
    GRZ_PLY_FLOAT,
    GRZ_PLY_DOUBLE,
    GRZ_PLY_TYPE_COUNT
} grz_ply_type;

/* What a property is used for. */
typedef enum grz_ply_role
{
    GRZ_PLY_X,
    GRZ_PLY_Y,
    GRZ_PLY_Z,
    GRZ_PLY_INDICES,
    GRZ_PLY_IGNORED
} grz_ply_role;

typedef struct grz_ply_property
{
    grz_ply_role role;
    bool is_list;
    grz_ply_type count_type; /* of a list's length */
    grz_ply_type type;
} grz_ply_property;

typedef enum grz_ply_kind
{
    GRZ_PLY_VERTEX,
    GRZ_PLY_FACE,
    GRZ_PLY_STRIPS,
    GRZ_PLY_OTHER
} grz_ply_kind;

typedef struct grz_ply_element
{
    grz_ply_kind kind;
    uint64_t count;        /* as declared: not trusted */
    size_t first_property; /* in the header's array */
    size_t property_count;
} grz_ply_element;

typedef struct grz_ply_header
{
    graze_format format;
    GRZ_ARRAY(grz_ply_element) elements;
    GRZ_ARRAY(grz_ply_property) properties;
} grz_ply_header;

/* Size in bytes of a value in a binary file. */
size_t grz_ply_type_size(grz_ply_type type);

/* Reads up to and including the line "end_header". Release both arrays in any case. */
graze_status grz_ply_read_header(grz_reader *reader, grz_ply_header *header);

#endif
