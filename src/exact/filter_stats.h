/* SPDX-License-Identifier: MIT */
/* How often each stage of an adaptive predicate decided a sign. Counted where a caller asks for it. */
#ifndef GRZ_EXACT_FILTER_STATS_H
#define GRZ_EXACT_FILTER_STATS_H

#include <stdint.h>

typedef struct grz_filter_stats
{
    uint64_t filtered; /* decided by a filter, in floating or fixed point */
    uint64_t exact;    /* decided by exact integers */
} grz_filter_stats;

#endif
