/* SPDX-License-Identifier: MIT */
/*
 * The case that fuzz_motion makes of its bytes: two small meshes, rigid or soft, each with a kernel motion; a context,
 * a floating-point environment.
 */
#ifndef FUZZ_MOTION_CASE_H
#define FUZZ_MOTION_CASE_H

#include "finding.h"
#include "graze/motion_query.h"
#include "graze/tree.h"
#include "poses.h"
#include "support/environment.h"

enum
{
    MOST_MOVING = 4 /* triangles of each mesh: every pair of them is decided exactly */
};

typedef struct moving_side
{
    small_mesh shape, end_shape;
    graze_mesh *mesh, *end_mesh; /* end_mesh is NULL where the mesh is rigid */
    graze_tree *tree;            /* or NULL */
} moving_side;

typedef struct motion_case
{
    moving_side sides[2];
    graze_moving_mesh a, b;
    graze_context context;
    int environment; /* in which queries run */
} motion_case;

void motion_case_make(fuzz_bytes *bytes, motion_case *c);
void motion_case_release(motion_case *c);

/* A coordinate within an ordinary range. */
double take_place(fuzz_bytes *bytes);

/* A kernel motion, mostly of small numbers; a still one or a blend where `soft`. */
void take_motion(fuzz_bytes *bytes, bool soft, graze_motion *out);

void note_motion(const char *name, const graze_motion *m);

/* Evaluates a call in an environment of tests/support/environment.h. */
#define IN_ENVIRONMENT(number, status, call)                                                                           \
    do                                                                                                                 \
    {                                                                                                                  \
        saved_environment saved_here;                                                                                  \
        environment_enter(&saved_here, (number));                                                                      \
        (status) = (call);                                                                                             \
        environment_leave(&saved_here);                                                                                \
    } while (0)

/* The checks; each reads further input from the bytes. */
void check_features(fuzz_bytes *bytes);               /* vertex and face, two edges, against Sturm chains */
void check_triangles(fuzz_bytes *bytes);              /* two moving triangles, likewise */
void check_shapes(fuzz_bytes *bytes);                 /* shapes of all kinds */
void check_impact(fuzz_bytes *bytes, motion_case *c); /* two meshes against all pairs of triangles */
void check_visit(fuzz_bytes *bytes, motion_case *c);  /* every pair that meets */
void check_track(fuzz_bytes *bytes, motion_case *c);  /* many motions, with a cache, threads and budgets */
void check_margin(fuzz_bytes *bytes, motion_case *c); /* three-valued answers and clearances, against poses */
void check_proof(fuzz_bytes *bytes, motion_case *c);  /* certificates, also with a changed byte */

#endif
