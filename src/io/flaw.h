/* SPDX-License-Identifier: MIT */
/*
 * Flaws: errors in single vertices or faces that a lenient reader records instead of failing, so that only the parts
 * they belong to are lost. Text formats with parts (OBJ, STL) do that for numbers that are not finite, corners that do
 * not exist, and faces with fewer than three; errors of syntax still fail.
 */
#ifndef GRZ_IO_FLAW_H
#define GRZ_IO_FLAW_H

#include "io/reader.h"

/* Records that the current vertex, or face, is flawed, at the cursor's line. False when out of memory. */
bool grz_flaw_vertex(grz_reader *reader);
bool grz_flaw_face(grz_reader *reader, graze_status status);

/* A part that is lost, with the reason. */
typedef struct grz_fault
{
    uint32_t part;
    graze_status status;
    char text[GRAZE_ERROR_TEXT_SIZE];
} grz_fault;
typedef GRZ_ARRAY(grz_fault) grz_faults;

/* Removes the faces of flawed parts from the builder and lists those parts, each once with its first flaw. The parts
 * themselves remain, without faces. `out_unused` is the number of flawed vertices that no face uses. Release
 * faults->data in any case. */
graze_status grz_drop_flawed_parts(grz_reader *reader, grz_faults *faults, size_t *out_unused);

#endif
