/* SPDX-License-Identifier: MIT */
/*
 * Integers of any width that are values: every operation returns a new number, whose limbs lie in scratch memory. The
 * first block of it is the caller's, usually on the stack; further ones come from the context.
 *
 * When memory runs out `failed` is set and the result is 0; further results mean nothing, but loops end. So callers
 * ask once, at the end of their work.
 */
#ifndef GRZ_MOTION_SCRATCH_H
#define GRZ_MOTION_SCRATCH_H

#include <stddef.h>

#include "base/memory.h"
#include "exact/integer.h"

typedef struct grz_scratch_block grz_scratch_block;

typedef struct grz_scratch
{
    const graze_context *context;
    uint64_t *limbs; /* of the block in use */
    size_t used, size;
    grz_scratch_block *blocks; /* newest first; NULL: the caller's */
    bool failed;
} grz_scratch;

/* What was in use at some time. */
typedef struct grz_scratch_mark
{
    uint64_t *limbs;
    size_t used, size;
    grz_scratch_block *blocks;
} grz_scratch_mark;

void grz_scratch_start(grz_scratch *scratch, const graze_context *context, uint64_t *limbs, size_t size);
void grz_scratch_release(grz_scratch *scratch);

/* Gives back all numbers that were made since the mark. */
grz_scratch_mark grz_scratch_here(const grz_scratch *scratch);
void grz_scratch_return(grz_scratch *scratch, const grz_scratch_mark *mark);

/* A number with room for so many limbs, 0 as yet; its limbs are not set. */
grz_integer grz_number_make(grz_scratch *scratch, int limbs);

grz_integer grz_number_from(grz_scratch *scratch, uint64_t magnitude, int sign);
grz_integer grz_number_copy(grz_scratch *scratch, const grz_integer *a);
grz_integer grz_number_add(grz_scratch *scratch, const grz_integer *a, const grz_integer *b, bool negate_b);
grz_integer grz_number_multiply(grz_scratch *scratch, const grz_integer *a, const grz_integer *b);
grz_integer grz_number_shift(grz_scratch *scratch, const grz_integer *a, int shift);

/* a b + c d, or a b - c d. */
grz_integer grz_number_sum_of_products(grz_scratch *scratch, const grz_integer *a, const grz_integer *b,
                                       const grz_integer *c, const grz_integer *d, bool negate_second);

/* a 2^-shift, whose lowest bits are zero. */
grz_integer grz_number_unshift(grz_scratch *scratch, const grz_integer *a, int shift);

/* How many of the lowest bits are zero; of a number that is not 0. */
int grz_number_trailing_zeros(const grz_integer *a);

/* a / b, where that is an integer and b is not 0. */
grz_integer grz_number_divide(grz_scratch *scratch, const grz_integer *a, const grz_integer *b);

#endif
