/* SPDX-License-Identifier: MIT */
/*
 * First impacts of features and triangles whose corners run on lines between points of a small integer grid: an oracle
 * in integers of 128 bits, a hundred times as fast as that of moving_features.h, and generators of pairs that sit on
 * decisions. Roots are isolated by Sturm's theorem in power form, zeros at them told by common divisors; nothing is
 * shared with src/motion, nor with the oracle in GMP.
 */
#ifndef SUPPORT_GRID_IMPACT_H
#define SUPPORT_GRID_IMPACT_H

#include <stdbool.h>
#include <stdint.h>

#include "graze/motion.h"
#include "support/random.h"

enum
{
    GRID_SIZE = 16 /* coordinates are at most that */
};

/* Points at t = 0 and t = 1: a vertex and a face, two edges, or the corners of two triangles. */
typedef enum grid_kind
{
    GRID_VERTEX_FACE,
    GRID_EDGES,
    GRID_TRIANGLES
} grid_kind;

typedef struct grid_pair
{
    grid_kind kind;
    int64_t places[6][2][3]; /* four points, or six */
} grid_pair;

typedef enum grid_answer
{
    GRID_WRONG,
    GRID_RIGHT,
    GRID_UNDECIDED /* 128 bits do not tell */
} grid_answer;

/* Whether an answer is the right one, to the last bit. */
grid_answer grid_pair_check(const grid_pair *pair, const graze_impact_interval *answer);

void grid_pair_draw(test_random *random, grid_kind kind, grid_pair *out);

/* The same points in other coordinates, which leaves times as they are: an integer matrix, a motion of the frame, and a
   power of two for each axis. All are doubles; false if one would not be exact. */
bool grid_pair_place(test_random *random, const grid_pair *pair, double out[6][2][3]);

#endif
