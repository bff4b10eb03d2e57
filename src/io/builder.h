/* SPDX-License-Identifier: MIT */
/*
 * Collects vertices, faces and named parts while a file is read, and converts them to a model. Memory grows with the
 * bytes that were read, never with a count that a header claims.
 */
#ifndef GRZ_IO_BUILDER_H
#define GRZ_IO_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "graze/io.h"
#include "text/name.h"

enum
{
    GRZ_PART_NAME_SIZE = 255 /* longer names are cut, so that hostile files cannot multiply them */
};

/* A part's name: "object/group", or the one of the two that exists. */
typedef struct grz_builder_part
{
    grz_name object, group;
    uint32_t number; /* after merging: index of the part in the model */
} grz_builder_part;

/* An invalid vertex or face; see io/flaw.h. */
typedef struct grz_flaw
{
    uint32_t element;
    graze_status status;
    uint64_t line;
} grz_flaw;

typedef struct grz_builder
{
    const graze_context *context;
    GRZ_ARRAY(double) coordinates;
    GRZ_ARRAY(float) float_coordinates; /* instead of `coordinates` for formats that store floats */
    graze_number_format numbers;        /* as the file writes coordinates */
    GRZ_ARRAY(int16_t) finest_places;   /* of text, by vertex: see graze_precision */
    int16_t open_place;                 /* of the coordinates that belong to the next vertex; INT16_MAX: none yet */
    GRZ_ARRAY(uint32_t) corners;
    GRZ_ARRAY(uint32_t) loop_sizes; /* empty while all faces are triangles */
    GRZ_ARRAY(uint32_t) face_parts; /* empty while there is one part */
    GRZ_ARRAY(grz_builder_part) parts;
    GRZ_ARRAY(grz_flaw) vertex_flaws, face_flaws; /* each ascending by element */
    bool dangling;                                /* some corner refers to a vertex that does not exist */
    char *names;                                  /* of the parts, if they are not bytes of the file; else NULL */
    size_t face_count;
    size_t face_start; /* index of the first corner of the current face */
} grz_builder;

void grz_builder_release(grz_builder *builder);

size_t grz_builder_vertex_count(const grz_builder *builder);
bool grz_builder_add_vertex(grz_builder *builder, const double position[3]);

/* The last digit of a coordinate of the next vertex stands for that power of ten. */
void grz_builder_note_place(grz_builder *builder, int64_t place);

/* Faces: add corners, then end the face; all return false only when out of memory. */
bool grz_builder_add_corner(grz_builder *builder, uint32_t vertex);
size_t grz_builder_open_corner_count(const grz_builder *builder);
bool grz_builder_end_face(grz_builder *builder);

/* Faces that follow belong to the new part. The bytes of the names must outlive the builder. */
bool grz_builder_add_part(grz_builder *builder, grz_name object, grz_name group);

/* Merges parts of the same name; they are numbered by first appearance. */
bool grz_builder_merge_parts(grz_builder *builder);

#endif
