/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Files of certificates of clearance (docs/certificate-format.md), in the binary form or as JSON. Part of libgraze_io.
 * A file holds one certificate or several.
 *
 * Thread safety: everything here is re-entrant; a set may be read from any number of threads.
 */
#ifndef GRAZE_CERTIFICATE_FILE_H
#define GRAZE_CERTIFICATE_FILE_H

#include "graze/certificate.h"

GRAZE_BEGIN_DECLS

/// The certificates of a file.
typedef struct graze_certificate_set graze_certificate_set;

/// Reads a file of either form, also gzip-compressed. What is read is a certificate by its form only: verify it.
/// Fails with NOT_FOUND, UNREADABLE, EMPTY, BAD_FORMAT, TRUNCATED, UNSUPPORTED, DAMAGED (a seal), OUT_OF_MEMORY,
/// UNFINISHED or CANCELLED; `error` (may be NULL) says where. The caller owns *out_set.
GRAZE_API graze_status graze_certificate_set_read_file(const graze_context *context, const char *path,
                                                       const graze_budget *budget, graze_error *error,
                                                       graze_certificate_set **out_set);

/// Reads from memory; `name` (may be NULL) stands for the file in messages.
GRAZE_API graze_status graze_certificate_set_read_memory(const graze_context *context, const void *bytes, size_t size,
                                                         const char *name, const graze_budget *budget,
                                                         graze_error *error, graze_certificate_set **out_set);

GRAZE_API void graze_certificate_set_destroy(graze_certificate_set *set);

GRAZE_API size_t graze_certificate_set_count(const graze_certificate_set *set);

/// One of them, which belongs to the set; NULL for an index out of range.
GRAZE_API const graze_certificate *graze_certificate_set_get(const graze_certificate_set *set, size_t index);

typedef enum graze_certificate_format
{
    GRAZE_CERTIFICATE_BINARY = 0,
    GRAZE_CERTIFICATE_JSON
} graze_certificate_format;

/// Writes a file; one that was there before is kept on failure. `certificates` are `count` pointers, none NULL.
GRAZE_API graze_status graze_certificate_write_file(const graze_context *context,
                                                    const graze_certificate *const *certificates, size_t count,
                                                    graze_certificate_format format, const char *path,
                                                    graze_error *error);

/// Writes into memory; release *out_bytes with graze_memory_release and the same context.
GRAZE_API graze_status graze_certificate_write_memory(const graze_context *context,
                                                      const graze_certificate *const *certificates, size_t count,
                                                      graze_certificate_format format, void **out_bytes,
                                                      size_t *out_size);

GRAZE_END_DECLS

#endif
