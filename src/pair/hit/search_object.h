/* SPDX-License-Identifier: MIT */
/* The search that a user holds: a grz_search with copies of what it was asked. */
#ifndef GRZ_PAIR_HIT_SEARCH_OBJECT_H
#define GRZ_PAIR_HIT_SEARCH_OBJECT_H

#include "graze/search.h"
#include "pair/hit/search.h"

struct graze_search
{
    grz_search search;
    graze_context context;
    graze_placed_mesh a, b;
};

#endif
