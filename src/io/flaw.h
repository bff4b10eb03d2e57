/* SPDX-License-Identifier: MIT */
/*
 * Flaws: what is wrong with single vertices or faces, noted by a lenient reader instead of failing, so that only the
 * parts they belong to are lost. Text formats with parts (OBJ, STL) do that for numbers that are not finite, corners
 * that do not exist, and faces with too few of them; whatever breaks the text itself is still a failure.
 */
#ifndef GRZ_IO_FLAW_H
#define GRZ_IO_FLAW_H

#include "io/reader.h"

/* Notes that the vertex, or face, being read is flawed, at the cursor's line. False for want of memory. */
bool grz_flaw_vertex(grz_reader *reader);
bool grz_flaw_face(grz_reader *reader, graze_status status);

/* A part that is lost, and why. */
typedef struct grz_fault
{
    uint32_t part;
    graze_status status;
    char text[GRAZE_ERROR_TEXT_SIZE];
} grz_fault;
typedef GRZ_ARRAY(grz_fault) grz_faults;

/* Takes the faces of flawed parts out of the builder and lists those parts, each once and by its first flaw. The parts
 * themselves stay, without faces. `out_unused` is how many flawed vertices no face uses. Release faults->data in any
 * case. */
graze_status grz_drop_flawed_parts(grz_reader *reader, grz_faults *faults, size_t *out_unused);

#endif
