/* SPDX-License-Identifier: MIT */
/*
 * Certified queries of pairs of placed convex bodies of which at least one is a cylinder, cone or ellipsoid (others may
 * be polytopes with or without a radius), and of one curved body against half-spaces and rays.
 *
 * A body is the set {R y + t : y in the body in its own frame}, R and t at face value. Verdicts are proved: YES by
 * points of both whose differences surround the origin, NO by a plane between the bodies. The *signed gap* is the
 * distance of bodies that are apart, and minus the shortest separating translation of others; the *size* of a pair is
 * the largest extent of its bodies together. UNKNOWN is answered only where the signed gap is within
 * GRZ_CURVED_WIDTH times the size. Bodies that touch are such a case, and so are flat ones (a disk and a triangle in
 * one plane) that meet without overlap: moving one by nothing separates them. Where all of a sum is lost to the range
 * of doubles (sizes below 2^-1000 of the largest number), the answer is UNKNOWN too.
 *
 * Numbers of curved bodies and radii are finite and at least 0, all others finite. Nothing allocates; every floating-
 * point environment gives the same answers. Swapped arguments give the same answers.
 */
#ifndef GRZ_CONVEX_CURVED_H
#define GRZ_CONVEX_CURVED_H

#include <stdbool.h>

#include "convex/convex_body.h"
#include "graze/status.h"

#define GRZ_CURVED_WIDTH 1e-12

typedef struct grz_curved_distance
{
    double lower, upper; /* of the distance; both 0 when the bodies certainly meet */
    double witness_a[3]; /* points of a and b, rounded: within 1e-12 of the size of true points of the bodies */
    double witness_b[3]; /* that are at most `upper` apart */
} grz_curved_distance;

typedef struct grz_curved_depth
{
    double lower, upper;   /* of the shortest translation that separates the interiors; 0 when apart */
    double translation[3]; /* of a: moved by it, of length about `upper`, a at most touches b */
} grz_curved_depth;

typedef struct grz_curved_hit
{
    graze_verdict hit;
    double lower, upper; /* of the least t >= 0 with origin + t direction in the body; where `hit` is not NO */
    double normal[3];    /* of the body there, of length 1, estimated; 0 when the ray starts inside */
} grz_curved_hit;

/* Whether they share a point; common[3] (may be NULL), set with YES: a point at most 1e-12 of the size away from both.
 */
graze_verdict grz_curved_collide(const grz_convex_body *a, const grz_convex_body *b, double common[3]);

/* Whether the distance is at most `tolerance` (0 or more): UNKNOWN only where it differs from it by less than
   GRZ_CURVED_WIDTH times the size of the pair and the tolerance. */
graze_verdict grz_curved_within(const grz_convex_body *a, const grz_convex_body *b, double tolerance);

/* The distance, at most GRZ_CURVED_WIDTH times the size between its bounds. The verdict: whether they share a point. */
graze_verdict grz_curved_distance_between(const grz_convex_body *a, const grz_convex_body *b,
                                          grz_curved_distance *out_distance);

/* The shortest translation that separates them, as an interval that is right but may be wide where many directions are
   alike. The verdict: whether they share a point. */
graze_verdict grz_curved_depth_of(const grz_convex_body *a, const grz_convex_body *b, grz_curved_depth *out_depth);

/* [lower, upper] of direction . x over the placed body, for any finite direction; infinite where that overflows. Any
   kind of body. */
void grz_curved_extent(const grz_convex_body *body, const double direction[3], double *out_lower, double *out_upper);

/* The largest value of direction . x over the body, between *out_lower and *out_upper, and a point of it, rounded. */
void grz_curved_support(const grz_convex_body *body, const double direction[3], double out_point[3], double *out_lower,
                        double *out_upper);

/* A box around the placed body, rounded outward, each face within 1e-12 of the size and position. Any kind of body. */
void grz_curved_bounds(const grz_convex_body *body, double out_lower[3], double out_upper[3]);

/* Whether the body meets the half-space {R y + t : normal . y <= offset}; the pose has an inverse. *out_lower and
 *out_upper (may be NULL): the signed gap, which is minus the depth where they overlap. */
graze_verdict grz_curved_against_half_space(const grz_convex_body *body, const double normal[3], double offset,
                                            const graze_pose *pose, double *out_lower, double *out_upper);

/* Whether origin + t direction meets the curved body for some t in [0, limit]; limit may be infinite. */
void grz_curved_ray(const grz_convex_body *body, const double origin[3], const double direction[3], double limit,
                    grz_curved_hit *out_hit);

#endif
