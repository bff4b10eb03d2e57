/* SPDX-License-Identifier: MIT */
/* How the nodes of files and scenes connect parts: the part of a node's parent, and the top node that a part belongs
 * to. Rules select pairs by them ("linked", "same assembly"). */
#ifndef GRZ_CLASH_HIERARCHY_H
#define GRZ_CLASH_HIERARCHY_H

#include "clash/report.h"

/*
 * Sets `link` and `assembly` of all parts. With members they decide: link is the member's parent; parts of the same
 * `top`, or connected by parents, belong to one assembly. Without, paths do: a part's node is its name in its file, and
 * the part linked to it has its parent's path as name. False when out of memory.
 */
bool grz_clash_find_hierarchy(const graze_context *context, const graze_clash_member *members, grz_clash_part *parts,
                              size_t count);

#endif
