/* SPDX-License-Identifier: MIT */
/*
 * From a file or bytes in memory to a reader that stands at the beginning of a known format: loading, unpacking,
 * detecting. What is to be made of it, a model or parts of an assembly, is the consumer's affair.
 */
#ifndef GRZ_IO_SOURCE_H
#define GRZ_IO_SOURCE_H

#include "io/reader.h"

/* The bytes under the reader are there only during the call. */
typedef graze_status (*grz_consumer)(grz_reader *reader, graze_format format, void *user);

/* The reader gives context, name and error; its builder is released at the end. */
graze_status grz_source_file(grz_reader *reader, const char *path, graze_format format, grz_consumer consumer,
                             void *user);
graze_status grz_source_memory(grz_reader *reader, const void *bytes, size_t size, graze_format format,
                               grz_consumer consumer, void *user);

/* Reads everything into the reader's builder. The format may become a more precise one. */
graze_status grz_source_build(grz_reader *reader, graze_format *format);

#endif
