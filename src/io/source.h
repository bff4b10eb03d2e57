/* SPDX-License-Identifier: MIT */
/*
 * From a file or bytes in memory to a reader at the beginning of a known format: loading, unpacking, detecting. The
 * consumer makes a model of it or adds it to an assembly.
 */
#ifndef GRZ_IO_SOURCE_H
#define GRZ_IO_SOURCE_H

#include "io/reader.h"

/* The bytes of the reader are valid only during the call. */
typedef graze_status (*grz_consumer)(grz_reader *reader, graze_format format, void *user);

/* The reader has context, name and error; its builder is released at the end. */
graze_status grz_source_file(grz_reader *reader, const char *path, graze_format format, grz_consumer consumer,
                             void *user);
graze_status grz_source_memory(grz_reader *reader, const void *bytes, size_t size, graze_format format,
                               grz_consumer consumer, void *user);

/* Reads everything into the reader's builder. The format may become more specific. */
graze_status grz_source_build(grz_reader *reader, graze_format *format);

#endif
