/* SPDX-License-Identifier: MIT */
/* A search in many parts, for several threads. */
#ifndef GRZ_PAIR_HIT_PARALLEL_SEARCH_H
#define GRZ_PAIR_HIT_PARALLEL_SEARCH_H

#include "pair/hit/search.h"

/* Cuts what the head has yet to look at into parts; the head is done then. False when out of memory. */
bool grz_search_split(grz_search *search);

/* Works on all parts that are not done. A budget of box tests is kept by one thread alone, part by part. */
graze_status grz_search_run_parts(grz_search *search, const graze_budget *budget, uint64_t deadline);

#endif
