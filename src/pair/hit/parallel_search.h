/* SPDX-License-Identifier: MIT */
/* A search in many parts, for several threads. */
#ifndef GRZ_PAIR_HIT_PARALLEL_SEARCH_H
#define GRZ_PAIR_HIT_PARALLEL_SEARCH_H

#include "pair/hit/search.h"

/* Splits the node pairs that the head has yet to visit into parts; the head is done then. False when out of memory. */
bool grz_search_split(grz_search *search);

/* Works on all unfinished parts. With a budget of box tests a single thread works, part by part. */
graze_status grz_search_run_parts(grz_search *search, const graze_budget *budget, uint64_t deadline);

#endif
