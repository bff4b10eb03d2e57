/* SPDX-License-Identifier: MIT */
/* Parts of the same shape at the same place, whatever order their vertices and triangles are in. */
#ifndef TOOL_CLASH_DUPLICATES_H
#define TOOL_CLASH_DUPLICATES_H

#include "clash/report.h"

/* Puts parts that are the same into sets: set_of[i] gets the least part that is the same as i (i itself where there is
 * none before it). Guarantee: exact. False when memory ends. */
bool clash_find_duplicates(const clash_part *parts, size_t count, size_t *set_of);

#endif
