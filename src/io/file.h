/* SPDX-License-Identifier: MIT */
/*
 * Files as a whole: reading all bytes of one, unpacking gzip, and replacing one so that a failure leaves the old.
 */
#ifndef GRZ_IO_FILE_H
#define GRZ_IO_FILE_H

#include "io/reader.h"

typedef GRZ_ARRAY(char) grz_bytes;

/* Reads everything there is. Regular files, pipes and terminals are read to their end; a directory or another device
 * is refused. The reader gives name and error. The caller releases bytes->data in any case. */
graze_status grz_file_load(grz_reader *reader, const char *path, grz_bytes *bytes);

/* Writes to a new file beside the target and renames it, so that the target is the old or the new file, never a part.
 * A target that exists and is no regular file (a pipe, a device) is written to directly. */
graze_status grz_file_store(const graze_context *context, const char *path, const char *bytes, size_t size,
                            graze_error *error);

/* Whether the bytes begin as gzip files do. */
bool grz_is_gzip(const char *bytes, size_t size);

/*
 * Unpacks gzip (also several members in a row). What comes out may be up to 64 MiB or 64 times what goes in, whichever
 * is more; a packed mesh stays well below, and a file made to fill the memory is refused. The caller releases
 * bytes->data.
 */
graze_status grz_gunzip(grz_reader *reader, const char *packed, size_t size, grz_bytes *bytes);

#endif
