/* SPDX-License-Identifier: MIT */
/* A 64-bit checksum against accidents, not against forgers: any change of up to eight bytes in a row that do not cross
 * a word is noticed for certain, everything else but for one case in 2^64. */
#ifndef GRZ_BASE_CHECKSUM_H
#define GRZ_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* `seed` carries what came before. The bytes are taken as words of this machine. */
uint64_t grz_checksum(uint64_t seed, const void *bytes, size_t size);

#endif
