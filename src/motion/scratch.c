/* SPDX-License-Identifier: MIT */
/* Integers as values in scratch memory; see scratch.h. */
#include "motion/scratch.h"

#include <string.h>

struct grz_scratch_block
{
    grz_scratch_block *older;
    size_t size;
    uint64_t limbs[];
};

void grz_scratch_start(grz_scratch *scratch, const graze_context *context, uint64_t *limbs, size_t size)
{
    *scratch = (grz_scratch){context, limbs, 0, size, NULL, false};
}

static void release_until(grz_scratch *scratch, const grz_scratch_block *last)
{
    while (scratch->blocks != last)
    {
        grz_scratch_block *older = scratch->blocks->older;
        grz_release(scratch->context, scratch->blocks);
        scratch->blocks = older;
    }
}

void grz_scratch_release(grz_scratch *scratch)
{
    release_until(scratch, NULL);
}

grz_scratch_mark grz_scratch_here(const grz_scratch *scratch)
{
    return (grz_scratch_mark){scratch->limbs, scratch->used, scratch->size, scratch->blocks};
}

void grz_scratch_return(grz_scratch *scratch, const grz_scratch_mark *mark)
{
    release_until(scratch, mark->blocks);
    scratch->limbs = mark->limbs;
    scratch->used = mark->used;
    scratch->size = mark->size;
}

static bool grow(grz_scratch *scratch, size_t limbs)
{
    size_t size = 2 * scratch->size > limbs ? 2 * scratch->size : limbs;
    grz_scratch_block *block = grz_allocate(scratch->context, sizeof *block + size * sizeof(uint64_t), 1);
    if (block == NULL)
    {
        scratch->failed = true;
        return false;
    }
    block->older = scratch->blocks;
    block->size = size;
    scratch->blocks = block;
    scratch->limbs = block->limbs;
    scratch->used = 0;
    scratch->size = size;
    return true;
}

/* Memory for so many limbs, or NULL. */
static uint64_t *take(grz_scratch *scratch, int limbs)
{
    size_t count = (size_t)limbs;
    if (scratch->failed || (scratch->size - scratch->used < count && !grow(scratch, count)))
        return NULL;
    uint64_t *memory = scratch->limbs + scratch->used;
    scratch->used += count;
    return memory;
}

grz_integer grz_number_make(grz_scratch *scratch, int limbs)
{
    return (grz_integer){take(scratch, limbs), 0, 0};
}

grz_integer grz_number_from(grz_scratch *scratch, uint64_t magnitude, int sign)
{
    grz_integer r = grz_number_make(scratch, 1);
    if (r.limbs == NULL || magnitude == 0)
        return r;
    r.limbs[0] = magnitude;
    r.count = 1;
    r.sign = sign;
    return r;
}

static grz_integer copy_with_room(grz_scratch *scratch, const grz_integer *a, int limbs)
{
    grz_integer r = grz_number_make(scratch, limbs);
    if (r.limbs == NULL || a->count == 0)
        return r;
    memcpy(r.limbs, a->limbs, (size_t)a->count * sizeof *r.limbs);
    r.count = a->count;
    r.sign = a->sign;
    return r;
}

grz_integer grz_number_copy(grz_scratch *scratch, const grz_integer *a)
{
    return copy_with_room(scratch, a, a->count);
}

grz_integer grz_number_add(grz_scratch *scratch, const grz_integer *a, const grz_integer *b, bool negate_b)
{
    grz_integer r = copy_with_room(scratch, a, (a->count > b->count ? a->count : b->count) + 1);
    if (r.limbs != NULL)
        grz_integer_accumulate(&r, b, negate_b);
    return r;
}

grz_integer grz_number_multiply(grz_scratch *scratch, const grz_integer *a, const grz_integer *b)
{
    grz_integer r = grz_number_make(scratch, a->count + b->count);
    if (r.limbs != NULL && a->sign * b->sign != 0)
        grz_integer_multiply(&r, a->count < b->count ? a : b, a->count < b->count ? b : a);
    return r;
}

grz_integer grz_number_sum_of_products(grz_scratch *scratch, const grz_integer *a, const grz_integer *b,
                                       const grz_integer *c, const grz_integer *d, bool negate_second)
{
    int first = a->count + b->count, second = c->count + d->count;
    grz_integer r = grz_number_make(scratch, (first > second ? first : second) + 1);
    if (r.limbs == NULL)
        return r;
    if (a->sign * b->sign != 0)
        grz_integer_multiply(&r, a, b);
    if (c->sign * d->sign == 0)
        return r;
    grz_scratch_mark mark = grz_scratch_here(scratch);
    grz_integer product = grz_number_multiply(scratch, c, d);
    if (product.limbs != NULL)
        grz_integer_accumulate(&r, &product, negate_second);
    grz_scratch_return(scratch, &mark);
    return r;
}

grz_integer grz_number_shift(grz_scratch *scratch, const grz_integer *a, int shift)
{
    grz_integer r = grz_number_make(scratch, a->count + shift / 64 + 1);
    if (r.limbs == NULL || a->sign == 0)
        return r;
    grz_integer_shift(&r, a, shift);
    r.sign = a->sign;
    return r;
}

int grz_number_trailing_zeros(const grz_integer *a)
{
    int words = 0;
    while (a->limbs[words] == 0)
        words++;
    return 64 * words + __builtin_ctzll(a->limbs[words]);
}

grz_integer grz_number_unshift(grz_scratch *scratch, const grz_integer *a, int shift)
{
    int words = shift / 64, bits = shift % 64;
    grz_integer r = grz_number_make(scratch, a->count - words > 0 ? a->count - words : 1);
    if (r.limbs == NULL || a->sign == 0)
        return r;
    for (int i = words; i < a->count; i++)
    {
        uint64_t above = i + 1 < a->count ? a->limbs[i + 1] : 0;
        r.limbs[i - words] = bits == 0 ? a->limbs[i] : a->limbs[i] >> bits | above << (64 - bits);
    }
    r.count = a->count - words;
    while (r.count > 0 && r.limbs[r.count - 1] == 0)
        r.count--;
    r.sign = r.count > 0 ? a->sign : 0;
    return r;
}

/* The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the bits that are right. */
static uint64_t inverse_of_odd(uint64_t x)
{
    uint64_t inverse = x; /* three bits */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - x * inverse;
    return inverse;
}

/* Exact division from the lowest limb up (Jebelean, An algorithm for exact division, 1993). */
grz_integer grz_number_divide(grz_scratch *scratch, const grz_integer *a, const grz_integer *b)
{
    if (a->sign == 0 || b->sign == 0 || scratch->failed)
        return (grz_integer){NULL, 0, 0};
    int shift = grz_number_trailing_zeros(b);
    grz_integer rest = grz_number_unshift(scratch, a, shift), divisor = grz_number_unshift(scratch, b, shift);
    int count = rest.count - divisor.count + 1;
    grz_integer r = grz_number_make(scratch, count > 0 ? count : 1);
    if (r.limbs == NULL || rest.limbs == NULL || divisor.limbs == NULL)
        return (grz_integer){NULL, 0, 0};
    uint64_t inverse = inverse_of_odd(divisor.limbs[0]);
    for (int i = 0; i < count; i++)
    {
        uint64_t digit = rest.limbs[i] * inverse, carry = 0, borrow = 0;
        r.limbs[i] = digit;
        for (int j = i; j < rest.count; j++)
        {
            grz_u128 product = (grz_u128)(j - i < divisor.count ? divisor.limbs[j - i] : 0) * digit + carry;
            grz_u128 difference = (grz_u128)rest.limbs[j] - (uint64_t)product - borrow;
            rest.limbs[j] = (uint64_t)difference;
            carry = (uint64_t)(product >> 64);
            borrow = (uint64_t)(difference >> 64) & 1;
        }
    }
    r.count = count > 0 ? count : 0;
    while (r.count > 0 && r.limbs[r.count - 1] == 0)
        r.count--;
    r.sign = r.count > 0 ? a->sign * b->sign : 0;
    return r;
}
