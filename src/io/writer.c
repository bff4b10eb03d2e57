/* SPDX-License-Identifier: MIT */
/* Output buffer and iteration over a mesh's faces; see writer.h. */
#include "io/writer.h"

#include <string.h>

#include "text/number.h"

/* Room for `size` more bytes, or NULL after a failure. */
static char *make_room(grz_writer *writer, size_t size)
{
    if (writer->status != GRAZE_STATUS_OK)
        return NULL;
    if (size > SIZE_MAX - writer->bytes.count ||
        !GRZ_RESERVE(writer->context, &writer->bytes, writer->bytes.count + size))
    {
        writer->status = GRAZE_STATUS_OUT_OF_MEMORY;
        return NULL;
    }
    return writer->bytes.data + writer->bytes.count;
}

void grz_put_bytes(grz_writer *writer, const void *bytes, size_t size)
{
    char *room = make_room(writer, size);
    if (room == NULL)
        return;
    memcpy(room, bytes, size);
    writer->bytes.count += size;
}

void grz_put_text(grz_writer *writer, const char *text)
{
    grz_put_bytes(writer, text, strlen(text));
}

void grz_put_number(grz_writer *writer, double value)
{
    char *room = make_room(writer, GRZ_NUMBER_SIZE);
    if (room != NULL)
        writer->bytes.count += grz_number_print(value, room);
}

void grz_put_integer(grz_writer *writer, uint64_t value)
{
    char *room = make_room(writer, GRZ_NUMBER_SIZE);
    if (room != NULL)
        writer->bytes.count += grz_integer_print(value, room);
}

void grz_put_position(grz_writer *writer, const double position[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        if (axis > 0)
            grz_put_bytes(writer, " ", 1);
        grz_put_number(writer, position[axis]);
    }
}

bool grz_next_face(grz_face_cursor *cursor, const uint32_t **out_corners, size_t *out_count)
{
    const graze_mesh *mesh = cursor->mesh;
    size_t triangle_count = graze_mesh_triangle_count(mesh);
    if (cursor->triangle >= triangle_count)
        return false;
    size_t face = graze_mesh_triangle_face(mesh, cursor->triangle);
    if (graze_mesh_face_loop_count(mesh, face) > 1)
    {
        *out_corners = graze_mesh_triangles(mesh) + 3 * cursor->triangle++;
        *out_count = 3;
        return true;
    }
    *out_corners = graze_mesh_face_loop(mesh, face, 0, out_count);
    cursor->triangle += *out_count - 2; /* a loop of n corners has n - 2 triangles */
    return true;
}

size_t grz_count_faces(const graze_mesh *mesh, size_t *out_largest)
{
    grz_face_cursor cursor = {mesh, 0};
    const uint32_t *corners;
    size_t count = 0, corner_count;
    *out_largest = 0;
    for (; grz_next_face(&cursor, &corners, &corner_count); count++)
    {
        if (corner_count > *out_largest)
            *out_largest = corner_count;
    }
    return count;
}
