/* SPDX-License-Identifier: MIT */
/* Union-find over numbers, each set under its smallest one. With path halving this is fast without ranks. */
#ifndef GRZ_MESH_UNION_FIND_H
#define GRZ_MESH_UNION_FIND_H

#include <stdbool.h>
#include <stdint.h>

/* The smallest number of a set; parents[v] is v itself for that one. */
static inline uint32_t grz_union_find_root(uint32_t *parents, uint32_t v)
{
    while (parents[v] != v)
        v = parents[v] = parents[parents[v]];
    return v;
}

/* Gives whether they were of two sets. */
static inline bool grz_union_find_join(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = grz_union_find_root(parents, a);
    b = grz_union_find_root(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
    return a != b;
}

#endif
