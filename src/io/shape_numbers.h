/* SPDX-License-Identifier: MIT */
/* Numbers of shape files: lengths, sizes and points, each checked, scaled and rounded once; with errors that name their
   place. */
#ifndef GRZ_IO_SHAPE_NUMBERS_H
#define GRZ_IO_SHAPE_NUMBERS_H

#include "io/shape_file.h"
#include "text/json_document.h"

enum
{
    GRZ_SHAPE_KEYS = 3 /* of a kind at most, beside "kind" and "$schema" */
};

typedef struct grz_shape_reader
{
    grz_json_document document;
    const graze_context *context;
    grz_monitor *monitor; /* NULL: no budget */
    double scale;
    graze_shape_set *set;
    int level; /* of shapes within shapes */
} grz_shape_reader;

/* An object that describes a shape. */
typedef struct grz_shape_description
{
    const grz_json_place *place;                 /* NULL: that of the file */
    const char *const *keys;                     /* of its kind */
    const grz_json_node *values[GRZ_SHAPE_KEYS]; /* of these keys; those it must have are there */
} grz_shape_description;

/* A list of points. */
typedef struct grz_number_list
{
    double *numbers;
    size_t count;
} grz_number_list;

static inline grz_json_place grz_shape_place_of(const grz_shape_description *d, int key)
{
    return (grz_json_place){.parent = d->place, .key = d->keys[key]};
}

/* All below return false after an error, which the document has. */

/* A length times the scale. */
bool grz_shape_scale_number(grz_shape_reader *reader, const grz_json_place *place, double *number);

/* A list of that many lengths. */
bool grz_shape_read_lengths(grz_shape_reader *reader, const grz_json_place *place, const grz_json_node *value,
                            double *numbers, size_t count);

/* A size from 0; a list of them. */
bool grz_shape_read_size(grz_shape_reader *reader, const grz_shape_description *d, int key, double *out_size);
bool grz_shape_read_sizes(grz_shape_reader *reader, const grz_shape_description *d, int key, double *sizes,
                          size_t count);

/* Exactly `count` points, into room for them. */
bool grz_shape_read_points(grz_shape_reader *reader, const grz_shape_description *d, int key, size_t count,
                           double *points);

/* Any number of points but none, into a list, which the caller releases in any case. */
bool grz_shape_read_list(grz_shape_reader *reader, const grz_shape_description *d, int key, grz_number_list *list);

/* Counts elements for the budget. */
bool grz_shape_may_continue(grz_shape_reader *reader, size_t elements);

#endif
