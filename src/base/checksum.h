/* SPDX-License-Identifier: MIT */
/* A 64-bit checksum against accidents, not against forgers: a change within one aligned word of eight bytes is always
   detected, any other with probability 1 - 2^-64. */
#ifndef GRZ_BASE_CHECKSUM_H
#define GRZ_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include "base/budget_monitor.h"

/* `seed` is the checksum of the preceding bytes. The bytes are read as words in this machine's byte order. Every 32 of
   them are an element for the monitor (may be NULL); the result is meaningless when it stops the call. */
uint64_t grz_checksum(uint64_t seed, const void *bytes, size_t size, grz_monitor *monitor);

#endif
