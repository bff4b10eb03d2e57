/* SPDX-License-Identifier: MIT */
/*
 * Options and definition structs of callers that were compiled against other headers: they begin with `struct_size`,
 * the size that the caller's headers gave them. A larger struct is accepted when all its further bytes are zero, since
 * then it asks for nothing this library does not know. A smaller one is refused: none has grown yet. The first struct
 * that does is to be copied over its defaults, as far as the caller's reaches.
 */
#ifndef GRZ_BASE_STRUCT_SIZE_H
#define GRZ_BASE_STRUCT_SIZE_H

#include <stdbool.h>
#include <stddef.h>

enum
{
    GRZ_MOST_FURTHER_BYTES = 256 /* a size that is larger by more was never set */
};

/* `given` begins with its size, which is to be `size`. */
static inline bool grz_struct_fits(const void *given, size_t size)
{
    size_t its_size = *(const size_t *)given;
    if (its_size == size)
        return true;
    if (its_size < size || its_size - size > GRZ_MOST_FURTHER_BYTES)
        return false;
    const unsigned char *bytes = given;
    for (size_t i = size; i < its_size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Whether the struct behind a typed pointer may be read; NULL stands for the defaults. */
#define GRZ_STRUCT_FITS(pointer) ((pointer) == NULL || grz_struct_fits((pointer), sizeof *(pointer)))

#endif
