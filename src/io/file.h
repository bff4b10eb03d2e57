/* SPDX-License-Identifier: MIT */
/*
 * Whole files: loading, gunzip, and atomic replacement.
 */
#ifndef GRZ_IO_FILE_H
#define GRZ_IO_FILE_H

#include "io/reader.h"

typedef GRZ_ARRAY(char) grz_bytes;

/* Reads all bytes. Regular files, pipes and terminals are read to their end; directories and other devices are refused.
 * The reader has name and error. The caller releases bytes->data in any case. */
graze_status grz_file_load(grz_reader *reader, const char *path, grz_bytes *bytes);

/* Writes a new file in the same folder and renames it, so that the target is the old or the new file, never a part of
 * it. A target that exists and is no regular file (a pipe, a device) is written directly. */
graze_status grz_file_store(const graze_context *context, const char *path, const char *bytes, size_t size,
                            graze_error *error);

/* Whether the bytes begin with the signature of gzip. */
bool grz_is_gzip(const char *bytes, size_t size);

/*
 * Unpacks gzip (also several members). The output may be up to 64 MiB or 64 times the input, whichever is more; real
 * meshes stay well below, and decompression bombs are refused. The caller releases bytes->data.
 */
graze_status grz_gunzip(grz_reader *reader, const char *packed, size_t size, grz_bytes *bytes);

#endif
