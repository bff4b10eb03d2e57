/* SPDX-License-Identifier: MIT */
/* The search object of the public interface: a grz_search with copies of its arguments. */
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
