/* SPDX-License-Identifier: MIT */
/* Whether a plane parts two parts: the quick answer to most pairs whose boxes are near, which needs no tree. */
#ifndef TOOL_CLASH_SEPARATING_PLANE_H
#define TOOL_CLASH_SEPARATING_PLANE_H

#include "clash/report.h"

/* True only when a plane is known with one part on each side of it, and with more than `distance` between the two: then
   they share no point, neither lies in the other, and the gap is larger. False means that nothing is known. */
bool clash_is_separated(const clash_part *a, const clash_part *b, double distance);

#endif
