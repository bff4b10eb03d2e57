/* SPDX-License-Identifier: MIT */
/*
 * Gathers what a reader finds: vertices, faces, named parts; and turns it into a model. Growth follows the bytes that
 * were really read, never a count that a header claims.
 */
#ifndef GRZ_IO_BUILDER_H
#define GRZ_IO_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "graze/io.h"

enum
{
    GRZ_PART_NAME_SIZE = 255 /* longer names are cut, so that hostile ones cannot multiply */
};

/* A name as it stands in the file's bytes. */
typedef struct grz_name
{
    const char *text;
    size_t size;
} grz_name;

/* A part's name: "object/group", or the one of the two that is there. */
typedef struct grz_builder_part
{
    grz_name object, group;
    uint32_t number; /* after merging: which part of the model it has become */
} grz_builder_part;

/* Something wrong with a vertex or face; see io/flaw.h. */
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
    GRZ_ARRAY(float) float_coordinates; /* used instead of `coordinates` by formats that hold floats */
    GRZ_ARRAY(uint32_t) corners;
    GRZ_ARRAY(uint32_t) loop_sizes; /* empty as long as all faces are triangles */
    GRZ_ARRAY(uint32_t) face_parts; /* empty as long as there is one part */
    GRZ_ARRAY(grz_builder_part) parts;
    GRZ_ARRAY(grz_flaw) vertex_flaws, face_flaws; /* each ascending by element */
    bool dangling;                                /* some corner names a vertex that does not exist */
    char *names; /* of the parts, where they do not stand in the file as they are; else NULL */
    size_t face_count;
    size_t face_start; /* in corners: where the face begins that is being read */
} grz_builder;

void grz_builder_release(grz_builder *builder);

size_t grz_builder_vertex_count(const grz_builder *builder);
bool grz_builder_add_vertex(grz_builder *builder, const double position[3]);

/* Faces: add corners, then end the face; all false only for want of memory. */
bool grz_builder_add_corner(grz_builder *builder, uint32_t vertex);
size_t grz_builder_open_corner_count(const grz_builder *builder);
bool grz_builder_end_face(grz_builder *builder);

/* Faces that follow belong to the new part. The names' bytes must outlive the builder. */
bool grz_builder_add_part(grz_builder *builder, grz_name object, grz_name group);

/* Joins parts that have the same name; they are numbered by their first appearance. */
bool grz_builder_merge_parts(grz_builder *builder);

#endif
