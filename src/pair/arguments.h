/* SPDX-License-Identifier: MIT */
/* What all queries ask of their two placed meshes first. */
#ifndef GRZ_PAIR_ARGUMENTS_H
#define GRZ_PAIR_ARGUMENTS_H

#include <stdbool.h>

#include "graze/pair.h"

/* OK, BAD_ARGUMENT (nothing there, or a tree of another mesh) or NOT_FINITE (a pose). */
graze_status grz_check_arguments(const graze_placed_mesh *a, const graze_placed_mesh *b);

/* Whether B comes before A in an order that depends on their poses and meshes only, not on their addresses: a query
   that looks at them in that order gives the same answer, swapped, when they are swapped. */
bool grz_arguments_swapped(const graze_placed_mesh *a, const graze_placed_mesh *b);

#endif
