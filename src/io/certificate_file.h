/* SPDX-License-Identifier: MIT */
/*
 * Certificates as JSON. Certificates cross the border between the libraries in their binary form only, whose parts
 * these functions know by their places (docs/certificate-format.md).
 */
#ifndef GRZ_IO_CERTIFICATE_FILE_H
#define GRZ_IO_CERTIFICATE_FILE_H

#include "io/reader.h"
#include "io/writer.h"

enum
{
    GRZ_CERTIFICATE_HEADER = 528,
    GRZ_CERTIFICATE_SIDE = 240, /* of each side, from byte 16 */
    GRZ_CERTIFICATE_CELL = 33,
    GRZ_CERTIFICATE_SEAL = 32,
    GRZ_CERTIFICATE_CLEARANCE = 496 /* where it is, followed by the counts */
};

/* Writes a certificate given in its well-formed binary form. */
void grz_certificate_write_json(grz_writer *writer, const unsigned char *bytes, size_t size);

/* Reads the JSON certificate at the cursor, and writes its binary form with the seal that the text states. */
graze_status grz_certificate_read_json(grz_reader *reader, grz_writer *out);

/* The bytes of a motion's numbers are 24 doubles. The numbers that a kind has, in rows, under their keys. */
typedef struct grz_motion_member
{
    const char *key;
    int first, rows, columns; /* one row: a plain list unless `nested` */
    bool nested;
} grz_motion_member;

typedef struct grz_motion_layout
{
    const char *kind;
    int member_count;
    grz_motion_member members[3];
} grz_motion_layout;

enum
{
    GRZ_MOTION_LAYOUTS = 4
};

extern const grz_motion_layout grz_motion_layouts[GRZ_MOTION_LAYOUTS];

#endif
