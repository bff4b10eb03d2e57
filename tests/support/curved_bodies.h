/* SPDX-License-Identifier: MIT */
/*
 * Random convex bodies, and slow references for queries of curved ones: support functions in long double, and the
 * signed gap as the least of them over directions, found by search.
 */
#ifndef SUPPORT_CURVED_BODIES_H
#define SUPPORT_CURVED_BODIES_H

#include "convex/convex_body.h"
#include "support/random.h"

enum
{
    TEST_BODY_VERTICES = 24
};

typedef enum test_body_kind
{
    TEST_CYLINDER,
    TEST_CONE,
    TEST_ELLIPSOID,
    TEST_CURVED_KINDS,
    TEST_BOX = TEST_CURVED_KINDS,
    TEST_TRIANGLE,
    TEST_SEGMENT,
    TEST_BALL,
    TEST_CAPSULE,
    TEST_HULL,
    TEST_BODY_KINDS
} test_body_kind;

typedef struct test_body
{
    grz_convex_body body; /* its vertices are those below: do not copy */
    double vertices[TEST_BODY_VERTICES][3];
} test_body;

/* Of size about 1, at the origin; polytopes contain it. Poses are rotations, one in four mirrored, one in four a
   permutation of axes. */
void test_body_make(test_random *random, test_body_kind kind, test_body *out);
void test_body_turn(test_random *random, test_body *out);
void test_body_move(test_body *body, const double to[3]);

/* w . x over the placed body, and the point where it is largest (may be NULL). */
long double reference_support(const grz_convex_body *body, const long double w[3], long double point[3]);

/* The largest extent of both along an axis. */
double reference_size(const grz_convex_body *a, const grz_convex_body *b);

void reference_direction(test_random *random, long double out[3]);

/* The width of {a - b} along w, of length 1. Minus the least of them is the signed gap; the search finds that where
   they are apart, and a bound where they overlap. */
long double reference_width(const grz_convex_body *a, const grz_convex_body *b, const long double w[3]);
long double reference_gap(test_random *random, const grz_convex_body *a, const grz_convex_body *b);

/* How far a point is outside of a body, by sampled directions: at most the true distance. */
double reference_outside(test_random *random, const grz_convex_body *body, const double point[3]);

/* Places b so that it touches a at the points of both that are farthest along w, but for a gap. */
void reference_touch(const grz_convex_body *a, test_body *b, const long double w[3], double gap);

#endif
