/* SPDX-License-Identifier: MIT */
/* Parts of the same shape at the same place, whatever the order of their vertices and triangles. */
#ifndef GRZ_CLASH_DUPLICATES_H
#define GRZ_CLASH_DUPLICATES_H

#include "clash/report.h"

/* Groups equal parts: set_of[i] becomes the smallest part equal to i (i itself if there is none before it). Guarantee:
 * exact. False when out of memory. */
bool grz_clash_find_duplicates(const graze_context *context, const grz_clash_part *parts, size_t count, size_t *set_of);

#endif
