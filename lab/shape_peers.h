/* SPDX-License-Identifier: MIT */
/* What the benchmark of shapes gives its peers: a mesh that stays, and a primitive that moves. */
#ifndef LAB_SHAPE_PEERS_H
#define LAB_SHAPE_PEERS_H

#include <stddef.h>
#include <stdint.h>

#include "convex_hulls.h"

typedef enum lab_primitive_kind
{
    LAB_SPHERE,
    LAB_CAPSULE, /* along z, centred */
    LAB_BOX,
    LAB_CYLINDER, /* along z, centred */
    LAB_PRIMITIVES
} lab_primitive_kind;

typedef struct lab_primitive
{
    lab_primitive_kind kind;
    double radius, height; /* the height of a capsule is that of its segment */
    double size[3];        /* of a box */
} lab_primitive;

typedef struct lab_mesh
{
    size_t vertex_count, triangle_count;
    const double *vertices;
    const uint32_t *triangles;
} lab_mesh;

/* The answers for one pose of the primitive, twelve numbers: 1 or 0, or a length, infinite where it is not known. A
   query that a peer lacks is NULL. */
typedef struct lab_shape_peer
{
    const char *name;
    void *(*create)(const lab_mesh *mesh, const lab_primitive *primitive);
    void (*destroy)(void *pair);
    double (*collide)(void *pair, const double pose[12]);
    double (*distance)(void *pair, const double pose[12]);
} lab_shape_peer;

/* A peer's manifolds of two boxes: the number of contact points. */
typedef struct lab_box_peer
{
    const char *name;
    void *(*create)(const double half_a[3], const double half_b[3]);
    void (*destroy)(void *pair);
    double (*contacts)(void *pair, const double a[12], const double b[12]);
} lab_box_peer;

#endif
