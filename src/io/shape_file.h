/* SPDX-License-Identifier: MIT */
/* The shapes of a file, and reading them. */
#ifndef GRZ_IO_SHAPE_FILE_H
#define GRZ_IO_SHAPE_FILE_H

#include "graze/shape_file.h"
#include "io/reader.h"

typedef struct grz_set_entry
{
    graze_shape *shape;
} grz_set_entry;

struct graze_shape_set
{
    graze_context context;
    graze_model *model;              /* of a mesh file, else NULL */
    GRZ_ARRAY(grz_set_entry) shapes; /* each before those made of it; the last is that of the file */
};

/* Takes a shape over, in any case. False when out of memory. */
bool grz_shape_set_add(graze_shape_set *set, graze_shape *shape);

/* Reads from the cursor to the end: shape_read.c. */
graze_status grz_shape_read(grz_reader *reader, double scale, graze_shape_set *set);

#endif
