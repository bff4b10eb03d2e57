/* SPDX-License-Identifier: MIT */
/* Checks that all queries make of their two placed meshes. */
#ifndef GRZ_PAIR_ARGUMENTS_H
#define GRZ_PAIR_ARGUMENTS_H

#include <stdbool.h>

#include "graze/pair.h"

/* OK, BAD_ARGUMENT (a NULL pointer, or a tree of another mesh) or NOT_FINITE (a pose). */
graze_status grz_check_arguments(const graze_placed_mesh *a, const graze_placed_mesh *b);

/* Whether B comes before A in an order that depends on poses and meshes only, not on addresses: a query that takes them
   in that order gives the same answer, swapped, when its arguments are swapped. */
bool grz_arguments_swapped(const graze_placed_mesh *a, const graze_placed_mesh *b);

#endif
