/* SPDX-License-Identifier: MIT */
/* A clock that only goes forward, in nanoseconds from an arbitrary start. */
#ifndef GRZ_BASE_CLOCK_H
#define GRZ_BASE_CLOCK_H

#include <stdint.h>

uint64_t grz_clock_now(void);

#endif
