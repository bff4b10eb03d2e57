/* SPDX-License-Identifier: MIT */
/*
 * A fuzzer's input, read byte by byte; after its end there are zeros. No expression reads twice: compilers evaluate
 * operands, arguments and initializers in different orders, and a corpus must mean the same to all.
 */
#ifndef FUZZ_BYTES_H
#define FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_bytes
{
    const uint8_t *next, *end;
} fuzz_bytes;

static inline fuzz_bytes bytes_of(const uint8_t *data, size_t size)
{
    return (fuzz_bytes){data, data + size};
}

static inline bool bytes_left(const fuzz_bytes *bytes)
{
    return bytes->next < bytes->end;
}

static inline uint8_t take_byte(fuzz_bytes *bytes)
{
    return bytes_left(bytes) ? *bytes->next++ : 0;
}

/* From 0 to bound - 1. */
static inline unsigned take_below(fuzz_bytes *bytes, unsigned bound)
{
    return take_byte(bytes) % bound;
}

#endif
