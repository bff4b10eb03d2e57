/* SPDX-License-Identifier: MIT */
/*
 * Meshes and poses that are hard for error bounds: nearly flat, nearly parallel, nearly equal, tiny beside huge, or far
 * away. The meshes of each pair are close to each other under their poses.
 */
#ifndef SUPPORT_ADVERSARIAL_H
#define SUPPORT_ADVERSARIAL_H

#include "graze/pair.h"
#include "support/random.h"

typedef enum adversarial_kind
{
    ADVERSARIAL_FAN,     /* nearly coplanar triangles around one corner */
    ADVERSARIAL_SLIVERS, /* a million times as long as wide */
    ADVERSARIAL_NEEDLES, /* slivers that nearly pass through one point */
    ADVERSARIAL_GRID,    /* corners on few integers: everything touches, repeats and degenerates */
    ADVERSARIAL_FLAT,    /* segments and points among triangles */
    ADVERSARIAL_SCALES,  /* sizes from 1e-12 to 1 around one point */
    ADVERSARIAL_SHEET,   /* a wavy sheet */
    ADVERSARIAL_KINDS
} adversarial_kind;

/* How the second mesh comes from the first. */
typedef enum adversarial_relation
{
    ADVERSARIAL_APART,   /* an independent mesh */
    ADVERSARIAL_ULP,     /* a copy, some coordinates moved by one ulp */
    ADVERSARIAL_NUDGED,  /* moved by 1e-15 to 1e-5 of the size */
    ADVERSARIAL_SHARED,  /* triangles over the vertices of the first */
    ADVERSARIAL_TINY,    /* another mesh, 1e-11 to 0.1 of the size, at a point of one of its triangles */
    ADVERSARIAL_POINTED, /* triangles with one corner in the plane of one of the first, up to rounding */
    ADVERSARIAL_RELATIONS
} adversarial_relation;

typedef enum adversarial_placing
{
    ADVERSARIAL_NOWHERE,  /* both identity */
    ADVERSARIAL_TOGETHER, /* one pose for both */
    ADVERSARIAL_ALMOST,   /* nearly one pose: entries differ by some ulps */
    ADVERSARIAL_RIGID,    /* two random rotations, small translations */
    ADVERSARIAL_SHEARED,  /* random matrices with an inverse */
    ADVERSARIAL_MIRRORED, /* one of them is a reflection */
    ADVERSARIAL_SCALED,   /* one mesh is 1e-9 to 1e9 the size of the other, and its pose compensates */
    ADVERSARIAL_REMOTE,   /* both far from the origin */
    ADVERSARIAL_PLACINGS
} adversarial_placing;

typedef struct adversarial_pair
{
    adversarial_kind kind, other_kind;
    adversarial_relation relation;
    adversarial_placing placing;
    graze_mesh *meshes[2];
    graze_pose poses[2];
} adversarial_pair;

/* Makes a pair of at most `most_triangles` triangles each; the caller destroys both meshes. */
void adversarial_make(test_random *random, int most_triangles, adversarial_pair *out);

void adversarial_print(const adversarial_pair *pair);

#endif
