/* SPDX-License-Identifier: MIT */
/*
 * Two convex bodies prepared for search: moved so that the first one's anchor is the origin, scaled by a power of two
 * so that `size` is about 1; and their support functions, in doubles with a bound and in twice the precision.
 *
 * The search works on the difference M = {a - b}: bodies meet where M contains the origin. With W = |w|, the support
 * function of M is h(w) = h_a(w) + h_b(-w); the origin is outside of M exactly where h(w) < 0 for some w.
 *
 * Errors. `size` bounds all magnitudes of placed points about the origin. A value of h in doubles passes fewer than 40
 * roundings of 2^-53 of magnitudes that are at most W times the size: its error is below GRZ_CURVED_ERROR W size
 * (rounding is to nearest, as queries enter the default environment). The same holds for points. In twice the
 * precision an operation errs by less than 2^-98 of the magnitudes, and fewer than 100 meet in a value:
 * GRZ_CURVED_WIDE_ERROR. Denormals add less than 2^-960 to numbers about 1; both bounds have room for it.
 */
#ifndef GRZ_CONVEX_CURVED_PAIR_H
#define GRZ_CONVEX_CURVED_PAIR_H

#include <stdbool.h>

#include "convex/convex_body.h"
#include "convex/wide_vector.h"
#include "math/vector.h"

#define GRZ_CURVED_ERROR 0x1p-47
#define GRZ_CURVED_WIDE_ERROR 0x1p-90

typedef struct grz_curved_operand
{
    grz_convex_kind kind;
    double r[9];
    double numbers[3]; /* cylinder and cone: half the height, radius */
    double radius;
    const double (*vertices)[3];
    size_t vertex_count;
    const uint32_t *neighbour_starts, *neighbours;
    double factor;   /* of vertices */
    double first[3]; /* the anchor of a polytope in its own frame: vertices[0] * factor */
    v3 anchor;
    wide3 wide_anchor; /* in the frame of the pair */
    double extent;     /* bounds the distance of its points from the anchor */
} grz_curved_operand;

typedef struct grz_curved_pair
{
    grz_curved_operand a, b;
    double margin; /* M is enlarged by a ball of this radius */
    double slack;  /* points of b are known up to this; 0 but for rays */
    double size;
    int exponent; /* lengths in the world are 2^exponent times those here */
    bool swapped; /* a is the second argument */
} grz_curved_pair;

/* A point of M, the point of a it comes from, and the direction along which it is farthest. */
typedef struct grz_curved_vertex
{
    v3 m, a, w;
} grz_curved_vertex;

typedef struct grz_curved_wide_vertex
{
    wide3 m;
    v3 a, w;
} grz_curved_wide_vertex;

void grz_curved_pair_make(const grz_convex_body *a, const grz_convex_body *b, double margin, grz_curved_pair *pair);

/* The same without swapping them. */
void grz_curved_pair_make_ordered(const grz_convex_body *a, const grz_convex_body *b, double margin,
                                  grz_curved_pair *pair);

/* A point of M that is farthest along w, up to rounding; w has length about 1. */
grz_curved_vertex grz_curved_pair_support(const grz_curved_pair *pair, v3 w);
grz_curved_wide_vertex grz_curved_pair_wide_support(const grz_curved_pair *pair, v3 w);

/* Lower and upper bound of h(w) / |w|, w of length about 1. */
double grz_curved_pair_lower_width(const grz_curved_pair *pair, v3 w);
double grz_curved_pair_upper_width(const grz_curved_pair *pair, v3 w);

/* Of one operand: a point farthest along w, and its support function up to GRZ_CURVED_ERROR, as above. */
v3 grz_curved_operand_support(const grz_curved_operand *operand, v3 w);
double grz_curved_operand_value(const grz_curved_operand *operand, v3 w);

#endif
