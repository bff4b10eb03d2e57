/* SPDX-License-Identifier: MIT */
/* A 64-bit checksum against accidents, not against forgers: a change within one aligned word of eight bytes is always
   detected, any other with probability 1 - 2^-64. */
#ifndef GRZ_BASE_CHECKSUM_H
#define GRZ_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* `seed` is the checksum of the preceding bytes. The bytes are read as words in this machine's byte order. */
uint64_t grz_checksum(uint64_t seed, const void *bytes, size_t size);

#endif
