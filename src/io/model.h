/* SPDX-License-Identifier: MIT */
/* Internal data of a model: the mesh, and which faces belong to which part. */
#ifndef GRZ_IO_MODEL_H
#define GRZ_IO_MODEL_H

#include "io/reader.h"

struct graze_model
{
    graze_context context;
    graze_format format;
    graze_mesh *mesh;
    size_t part_count;
    char *names;          /* of all parts, each terminated by a zero byte */
    size_t *name_starts;  /* offsets in names */
    uint32_t *face_parts; /* NULL: all faces belong to part 0 */
    uint32_t *part_faces; /* the faces sorted by part, NULL likewise */
    size_t *part_starts;  /* offsets in part_faces, part count + 1 of them; NULL likewise */
    graze_number_format numbers;
    int16_t *part_places; /* of decimal numbers, by part: the finest place; else NULL */
};

/* Makes a model from the reader's builder. */
graze_status grz_model_make(grz_reader *reader, graze_format format, graze_model **out_model);

/* Move names and parts from the builder; false when out of memory. Names first. */
bool grz_model_make_names(graze_model *model, grz_builder *builder);
bool grz_model_make_parts(graze_model *model, grz_builder *builder);

/* Finds the precision of each part, after its faces are known; false when out of memory. */
bool grz_model_make_precision(graze_model *model, const grz_builder *builder);

#endif
