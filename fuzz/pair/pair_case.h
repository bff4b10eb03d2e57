/* SPDX-License-Identifier: MIT */
/*
 * The case that fuzz_pair makes of its bytes: two small placed meshes, trees of some kind, a context; and the reference
 * answers: the rational oracle's for every pair of triangles.
 */
#ifndef FUZZ_PAIR_CASE_H
#define FUZZ_PAIR_CASE_H

#include "brute_force.h"
#include "finding.h"
#include "graze/cache.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/region.h"
#include "graze/search.h"
#include "poses.h"
#include "support/contacts.h"

enum
{
    MOST_PAIRS = SMALL_TRIANGLES * SMALL_TRIANGLES
};

/* A mesh with its tree. */
typedef struct case_side
{
    small_mesh shape;
    graze_mesh *mesh;
    graze_tree *tree; /* or NULL */
    void *saved;      /* memory of a mapped tree */
    bool shared;      /* mesh and tree belong to the other side */
} case_side;

typedef struct pair_case
{
    case_side sides[2];
    graze_placed_mesh a, b;
    graze_context context;
    oracle *judge;
    graze_triangle_contact matrix[MOST_PAIRS]; /* a row for every triangle of A */
    graze_pair_counts counts;
} pair_case;

/* A context from one byte: an instruction set, and seldom two threads. */
graze_context take_context(fuzz_bytes *bytes);

/* Creates the library's mesh, and a tree of a kind chosen by one byte: none, with leaves of 1 to 8, quick, refitted
 * after all vertices have moved, saved and mapped. */
void side_build(const graze_context *context, uint8_t form, case_side *side);
void side_release(case_side *side);

void case_make(fuzz_bytes *bytes, pair_case *c);
void case_release(pair_case *c);

/* Fills matrix and counts for the current poses. */
void case_judge_pairs(pair_case *c);

graze_placed_triangle placed_triangle(const case_side *side, const graze_pose *pose, uint32_t triangle);

/* Whether any triangles intersect under these poses. */
bool case_meets(const pair_case *c, const graze_pose *pose_a, const graze_pose *pose_b);

static inline const graze_triangle_contact *case_contact(const pair_case *c, uint32_t i, uint32_t j)
{
    return &c->matrix[i * c->sides[1].shape.triangle_count + j];
}

/* The checks; each reads further input from the bytes. */
void check_gather(pair_case *c);
void check_swapped(pair_case *c);
void check_shapes_of_query(fuzz_bytes *bytes, pair_case *c); /* any, count, small capacities, visits that stop */
void check_search(fuzz_bytes *bytes, pair_case *c);
void check_sequence(fuzz_bytes *bytes, pair_case *c); /* poses one after the other: cache and batch */
void check_intersections(pair_case *c);
void check_region(pair_case *c);
void check_self(fuzz_bytes *bytes, pair_case *c);
void check_distance(fuzz_bytes *bytes, pair_case *c);
void check_tolerance(fuzz_bytes *bytes, pair_case *c);
void check_points(fuzz_bytes *bytes, pair_case *c);
void check_bodies(fuzz_bytes *bytes, pair_case *c); /* solid, overlap, depth */

#endif
