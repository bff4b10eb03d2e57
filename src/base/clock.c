/* SPDX-License-Identifier: MIT */
/* The monotonic clock; see clock.h. */
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#include <time.h>

uint64_t grz_clock_now(void)
{
    struct timespec now = {0, 0};
#if defined(CLOCK_MONOTONIC)
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
