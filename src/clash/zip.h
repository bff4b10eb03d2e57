/* SPDX-License-Identifier: MIT */
/*
 * Zip archives (PKWARE APPNOTE 6.3.3), written from front to back without seeking. Entries are stored, not compressed:
 * pictures are compressed already, and libgraze_clash needs no zlib. No data descriptors, which some readers refuse for
 * stored entries; so an entry is in memory as a whole. Limits of the plain format hold: 65,535 entries and 4 GiB.
 */
#ifndef GRZ_CLASH_ZIP_H
#define GRZ_CLASH_ZIP_H

#include "base/array.h"
#include "clash/bcf_text.h"
#include "text/sink.h"

enum
{
    GRZ_ZIP_NAME_SIZE = 64,
    GRZ_ZIP_MOST_ENTRIES = 65535
};

typedef struct grz_zip_entry
{
    char name[GRZ_ZIP_NAME_SIZE];
    uint32_t crc, size, offset;
} grz_zip_entry;

typedef struct grz_zip
{
    const graze_context *context;
    grz_sink *out;
    grz_date_time time; /* of all entries; UTC, from 1980 to 2107 as far as the format can tell */
    uint64_t offset;
    GRZ_ARRAY(grz_zip_entry) entries;
} grz_zip;

/* Adds a file. Names are ASCII, with slashes, and shorter than GRZ_ZIP_NAME_SIZE. Fails with OUT_OF_MEMORY, or
 * TOO_LARGE above the limits, and then has written nothing. */
graze_status grz_zip_add(grz_zip *zip, const char *name, const void *bytes, size_t size);

/* Writes the directory at the end. Fails with TOO_LARGE. */
graze_status grz_zip_end(grz_zip *zip);
void grz_zip_release(grz_zip *zip);

/* CRC-32 as in zip, PNG and gzip (ISO 3309, reflected polynomial 0xedb88320). */
uint32_t grz_crc32(const void *bytes, size_t size);

#endif
