/* SPDX-License-Identifier: MIT */
/*
 * Output buffer with a sticky error, so that a format is written as a plain sequence of puts, and iteration over the
 * faces of a mesh.
 */
#ifndef GRZ_IO_WRITER_H
#define GRZ_IO_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "graze/io.h"

typedef struct grz_writer
{
    const graze_context *context;
    GRZ_ARRAY(char) bytes;
    graze_status status; /* the first failure; later puts do nothing */
    uint64_t culprit;    /* the vertex that a format cannot hold, else GRAZE_NO_INDEX */
} grz_writer;

void grz_put_bytes(grz_writer *writer, const void *bytes, size_t size);
void grz_put_text(grz_writer *writer, const char *text);
void grz_put_number(grz_writer *writer, double value);
void grz_put_integer(grz_writer *writer, uint64_t value);

/* Three numbers separated by blanks. */
void grz_put_position(grz_writer *writer, const double position[3]);

/*
 * Faces in order, one per call: single loops as they are, faces with holes triangle by triangle.
 *
 *     grz_face_cursor cursor = {mesh, 0};
 *     while (grz_next_face(&cursor, &corners, &count)) ...
 */
typedef struct grz_face_cursor
{
    const graze_mesh *mesh;
    size_t triangle; /* the next one */
} grz_face_cursor;

bool grz_next_face(grz_face_cursor *cursor, const uint32_t **out_corners, size_t *out_count);

/* How many faces the cursor yields, and the largest corner count of one. */
size_t grz_count_faces(const graze_mesh *mesh, size_t *out_largest);

/* The formats. */
void grz_stl_write_ascii(grz_writer *writer, const graze_mesh *mesh);
void grz_stl_write_binary(grz_writer *writer, const graze_mesh *mesh);
void grz_obj_write(grz_writer *writer, const graze_mesh *mesh);
void grz_ply_write(grz_writer *writer, const graze_mesh *mesh, graze_format format);
void grz_off_write(grz_writer *writer, const graze_mesh *mesh);

#endif
