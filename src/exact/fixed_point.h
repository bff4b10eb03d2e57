/* SPDX-License-Identifier: MIT */
/*
 * Placed triangles in fixed point: predicates for pairs that the floating-point filter leaves open, as mated faces do.
 *
 * A placed coordinate R v + t is a sum of integers times powers of two. Here it is one 128-bit integer, in units chosen
 * once for a whole query from a bound on the differences of coordinates, so that triangles are converted once and
 * compared many times. The upper 64 bits alone are the coordinate rounded down to a 64-bit number: signs are computed
 * from these first, exactly where nothing was rounded, else with an error bound; then from all 128 bits. All operations
 * have a fixed width, hence no loops over limbs. What does not fit is left to the integers of any width of integer.h.
 *
 * Coordinates are taken modulo 2^128 units: only differences count, and those fit. Nothing depends on the
 * floating-point environment.
 */
#ifndef GRZ_EXACT_FIXED_POINT_H
#define GRZ_EXACT_FIXED_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "exact/contact.h"
#include "exact/wide_integer.h"

enum
{
    GRZ_FIXED_BITS = 61, /* differences of coordinates are below 2^61 units of the upper 64 bits */
    GRZ_FIXED_SPLIT = 62 /* a component of a normal is split at this bit */
};

/* A double as sign * mantissa * 2^exponent. */
typedef struct grz_fixed_number
{
    uint64_t mantissa, sign; /* the sign is 0, or all ones for a negative number */
    int exponent;
} grz_fixed_number;

/* A pose, decomposed once. */
typedef struct grz_fixed_pose
{
    bool identity;
    grz_fixed_number entries[12];
} grz_fixed_pose;

/* A plane through three points, from the upper halves of their coordinates. */
typedef struct grz_fixed_plane
{
    /* The normal (first - last) x (second - last), below 2^124: upper 2^62 + lower, 0 <= lower < 2^62, so that products
       with a difference are those of two signed numbers. */
    int64_t upper[3], lower[3];
    grz_u128 norm;        /* twice the sum of its magnitudes */
    uint64_t largest;     /* the largest coordinate of both differences, in magnitude */
    const int64_t *point; /* the last point */
} grz_fixed_plane;

typedef struct grz_fixed_triangle
{
    int64_t high[3][3];    /* [corner][axis]: the upper 64 bits */
    uint64_t low[3][3];    /* the lower 64 bits */
    grz_fixed_plane plane; /* of the corners */
    bool exact;            /* no bit below the unit was lost */
    bool whole;            /* exact, and all lower halves are 0 */
} grz_fixed_triangle;

/* The exponent of the unit of 128-bit coordinates where no two coordinates of the same axis differ by more than
   `extent`. False where it is out of range. */
bool grz_fixed_unit(double extent, int *out_unit);

static inline grz_i128 grz_fixed_plane_normal(const grz_fixed_plane *plane, int axis)
{
    return (grz_i128)plane->upper[axis] * ((grz_i128)1 << GRZ_FIXED_SPLIT) + plane->lower[axis];
}

grz_fixed_plane grz_fixed_plane_make(const int64_t a[3], const int64_t b[3], const int64_t c[3]);

/* A NULL pose is the identity. The triangle may not be moved in memory: its plane points to a corner. */
void grz_fixed_pose_make(const graze_pose *pose, grz_fixed_pose *out);
void grz_fixed_triangle_make(const double *const corners[3], const grz_fixed_pose *pose, int unit,
                             grz_fixed_triangle *out);

/*
 * The contact of two triangles converted with one unit. sides_a and sides_b as for grz_triangle_triangle_from; those
 * found are written to them. False where 128 bits do not decide, or a triangle is degenerate. Otherwise signs are
 * counted in `stages` (may be NULL), those that are 0 as exact.
 */
bool grz_fixed_contact(const grz_fixed_triangle *a, const grz_fixed_triangle *b, int sides_a[3], int sides_b[3],
                       grz_filter_stats *stages, graze_triangle_contact *out_contact);

/* The uncertain ones of the sides of three points, the corners of `points`, to the plane of a triangle, as grz_sides
   gives them. Some may stay uncertain. */
void grz_fixed_sides(const grz_fixed_triangle *triangle, const grz_fixed_triangle *points, int sides[3]);

/* The same contact as a set of points; empty where the triangles do not meet. */
bool grz_fixed_contact_set(const grz_fixed_triangle *a, const grz_fixed_triangle *b, grz_contact_set *out_set);

/*
 * The intersection of two triangles whose coordinates are below 2^125 units in magnitude, as
 * graze_triangle_intersection gives it: fixed_intersection.c. False where 128 bits do not suffice, or a triangle is
 * degenerate. `known` is their contact, which saves signs, or NULL.
 */
bool grz_fixed_intersection(const grz_fixed_triangle *a, const grz_fixed_triangle *b, int unit,
                            const graze_triangle_contact *known, graze_intersection *out_intersection);

#endif
