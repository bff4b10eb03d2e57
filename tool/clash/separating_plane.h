/* SPDX-License-Identifier: MIT */
/* Tests whether a plane separates two parts: settles most candidate pairs, and needs no tree. */
#ifndef TOOL_CLASH_SEPARATING_PLANE_H
#define TOOL_CLASH_SEPARATING_PLANE_H

#include "clash/report.h"

/* True only when a plane is known with one part on each side of it and more than `distance` between them: then they
 * share no point, neither contains the other, and the gap is larger. False: not known. */
bool clash_is_separated(const clash_part *a, const clash_part *b, double distance);

#endif
