/* SPDX-License-Identifier: MIT */
/* What the convex benchmark gives its peers: hulls with faces, and pairs of poses; each peer answers for one pair. */
#ifndef LAB_CONVEX_HULLS_H
#define LAB_CONVEX_HULLS_H

#include <stddef.h>
#include <stdint.h>

typedef struct lab_hull
{
    size_t vertex_count, triangle_count;
    const double (*vertices)[3];
    const uint32_t *neighbour_starts, *neighbours;
    const uint32_t (*triangles)[3]; /* counter-clockwise from outside */
    int is_box;                     /* centred at the origin */
    double half[3];
} lab_hull;

/* The answers for one pair of poses, twelve numbers each: 1 or 0, or a length. A query that a peer lacks is NULL. */
typedef struct lab_convex_peer
{
    const char *name;
    void *(*create)(const lab_hull *a, const lab_hull *b);
    void (*destroy)(void *pair);
    double (*collide)(void *pair, const double a[12], const double b[12]);
    double (*distance)(void *pair, const double a[12], const double b[12]);
    double (*depth)(void *pair, const double a[12], const double b[12]);
} lab_convex_peer;

#endif
