/* SPDX-License-Identifier: MIT */
/*
 * Meshes and poses that are hard on bounds: what is nearly flat, nearly parallel, nearly equal, tiny beside huge, or
 * far away. Each pair is made so that its meshes are close, whatever their poses do.
 */
#ifndef SUPPORT_ADVERSARIAL_H
#define SUPPORT_ADVERSARIAL_H

#include "graze/pair.h"
#include "support/random.h"

typedef enum adversarial_kind
{
    ADVERSARIAL_FAN,     /* nearly coplanar triangles around one corner */
    ADVERSARIAL_SLIVERS, /* a million times as long as wide */
    ADVERSARIAL_NEEDLES, /* slivers that all but go through one point */
    ADVERSARIAL_GRID,    /* corners on few integers: everything touches, repeats and degenerates */
    ADVERSARIAL_FLAT,    /* segments and points among triangles */
    ADVERSARIAL_SCALES,  /* sizes from 1e-12 to 1 around one point */
    ADVERSARIAL_SHEET,   /* a wavy sheet */
    ADVERSARIAL_KINDS
} adversarial_kind;

/* How the second mesh comes from the first. */
typedef enum adversarial_relation
{
    ADVERSARIAL_APART,   /* not at all: it is another mesh */
    ADVERSARIAL_ULP,     /* a copy, coordinates moved by one unit in the last place or not at all */
    ADVERSARIAL_NUDGED,  /* moved by 1e-15 to 1e-5 of the size */
    ADVERSARIAL_SHARED,  /* triangles over the corners of the first */
    ADVERSARIAL_TINY,    /* another mesh, 1e-11 to 0.1 of the size, at a point of one of its triangles */
    ADVERSARIAL_POINTED, /* triangles with one corner in the plane of one of the first, as well as doubles can */
    ADVERSARIAL_RELATIONS
} adversarial_relation;

typedef enum adversarial_placing
{
    ADVERSARIAL_NOWHERE,  /* no pose moves anything */
    ADVERSARIAL_TOGETHER, /* one pose for both */
    ADVERSARIAL_ALMOST,   /* nearly one pose: entries off by some units in the last place */
    ADVERSARIAL_RIGID,    /* any two rotations, small shifts */
    ADVERSARIAL_SHEARED,  /* any matrices with an inverse */
    ADVERSARIAL_MIRRORED, /* one of them mirrors */
    ADVERSARIAL_SCALED,   /* one mesh is 1e-9 to 1e9 the size of the other, and its pose makes up for it */
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

/* Makes one of at most `most_triangles` triangles each; the caller destroys both meshes. */
void adversarial_make(test_random *random, int most_triangles, adversarial_pair *out);

void adversarial_print(const adversarial_pair *pair);

#endif
