/* SPDX-License-Identifier: MIT */
/* 64-bit FNV-1a (Fowler, Noll, Vo) with the finalizer of MurmurHash3, after which every bit depends on all bytes; see
 * digest.h. Reports of earlier versions contain these digests, so the function must never change. */
#include "text/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

grz_digest grz_digest_start(void)
{
    return (grz_digest){UINT64_C(14695981039346656037)};
}

void grz_digest_add(grz_digest *at, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    uint64_t state = at->state;
    for (size_t i = 0; i < size; i++)
        state = (state ^ byte[i]) * UINT64_C(1099511628211);
    at->state = state;
}

void grz_digest_add_text(grz_digest *at, const char *text)
{
    grz_digest_add(at, text, strlen(text) + 1);
}

void grz_digest_end(const grz_digest *at, char out_text[GRZ_DIGEST_TEXT_SIZE])
{
    uint64_t mixed = at->state;
    mixed = (mixed ^ (mixed >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    mixed = (mixed ^ (mixed >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    mixed ^= mixed >> 33;
    snprintf(out_text, GRZ_DIGEST_TEXT_SIZE, "%016" PRIx64, mixed);
}
