/* SPDX-License-Identifier: MIT */
/*
 * Meshes and poses that are hard on bounds: what is nearly flat, nearly parallel, nearly equal, tiny beside huge, or
 * far away. Each pair is made so that its meshes are close, whatever their poses do.
 */
#ifndef SUPPORT_NASTY_H
#define SUPPORT_NASTY_H

#include "graze/pair.h"
#include "support/random.h"

typedef enum nasty_kind
{
    NASTY_FAN,     /* nearly coplanar triangles around one corner */
    NASTY_SLIVERS, /* a million times as long as wide */
    NASTY_NEEDLES, /* slivers that all but go through one point */
    NASTY_GRID,    /* corners on few integers: everything touches, repeats and degenerates */
    NASTY_FLAT,    /* segments and points among triangles */
    NASTY_SCALES,  /* sizes from 1e-12 to 1 around one point */
    NASTY_SHEET,   /* a wavy sheet */
    NASTY_KINDS
} nasty_kind;

/* How the second mesh comes from the first. */
typedef enum nasty_relation
{
    NASTY_APART,   /* not at all: it is another mesh */
    NASTY_ULP,     /* a copy, coordinates moved by one unit in the last place or not at all */
    NASTY_NUDGED,  /* moved by 1e-15 to 1e-5 of the size */
    NASTY_SHARED,  /* triangles over the corners of the first */
    NASTY_TINY,    /* another mesh, 1e-11 to 0.1 of the size, at a point of one of its triangles */
    NASTY_POINTED, /* triangles with one corner in the plane of one of the first, as well as doubles can */
    NASTY_RELATIONS
} nasty_relation;

typedef enum nasty_placing
{
    NASTY_NOWHERE,  /* no pose moves anything */
    NASTY_TOGETHER, /* one pose for both */
    NASTY_ALMOST,   /* nearly one pose: entries off by some units in the last place */
    NASTY_RIGID,    /* any two rotations, small shifts */
    NASTY_SHEARED,  /* any matrices with an inverse */
    NASTY_MIRRORED, /* one of them mirrors */
    NASTY_SCALED,   /* one mesh is 1e-9 to 1e9 the size of the other, and its pose makes up for it */
    NASTY_REMOTE,   /* both far from the origin */
    NASTY_PLACINGS
} nasty_placing;

typedef struct nasty_pair
{
    nasty_kind kind, other_kind;
    nasty_relation relation;
    nasty_placing placing;
    graze_mesh *meshes[2];
    graze_pose poses[2];
} nasty_pair;

/* Makes one of at most `most_triangles` triangles each; the caller destroys both meshes. */
void nasty_make(test_random *random, int most_triangles, nasty_pair *out);

void nasty_print(const nasty_pair *pair);

#endif
