/* SPDX-License-Identifier: MIT */
/*
 * The contact of two triangles as a set of symbolic points.
 *
 * The intersection of two triangles is convex. Each corner of it is a point where a feature of A (corner, edge or face)
 * meets a feature of B in a single point; it is named by the corners that span those features, as bit masks. Every such
 * point has just one name, so equal names mean equal points, and nothing needs to be constructed to reason about them:
 * - the smallest feature of A that contains all of the set is spanned by the union of the points' masks,
 *   since the faces of a simplex are the subsets of its corners;
 * - the set is a point, a segment or a polygon when there are one, two or more names.
 */
#ifndef GRZ_EXACT_CONTACT_H
#define GRZ_EXACT_CONTACT_H

#include "exact/predicates.h"
#include "graze/exact.h"

enum
{
    GRZ_CONTACT_POINTS_MAX = 6, /* two coplanar triangles share at most a hexagon */
    GRZ_WHOLE_TRIANGLE = 7
};

typedef struct grz_contact_set
{
    int count;
    unsigned char mask_a[GRZ_CONTACT_POINTS_MAX], mask_b[GRZ_CONTACT_POINTS_MAX];
} grz_contact_set;

/* Adds a point unless its name is there already. */
void grz_contact_add(grz_contact_set *set, unsigned mask_a, unsigned mask_b);

/* The contact that the set describes. */
graze_triangle_contact grz_contact_summary(const grz_contact_set *set);

/* The contact of known dimension whose smallest features are known. */
graze_triangle_contact grz_contact_make(int dimension, unsigned mask_a, unsigned mask_b);

/* A contact that was found as one byte: the corners of A's feature in the lowest three bits, those of B's, and the
   dimension. It says all, and is not 0. */
static inline uint8_t grz_contact_code(const graze_triangle_contact *contact)
{
    return (uint8_t)(contact->mask_a | contact->mask_b << 3 | contact->dimension << 6);
}

static inline graze_triangle_contact grz_contact_from_code(uint8_t code)
{
    return grz_contact_make(code >> 6, code & 7, code >> 3 & 7);
}

enum
{
    GRZ_CROSSING_CODE = 0x7f /* triangles that cross in the interior of both */
};

/* In the following, points 0, 1, 2 are the corners of A and 3, 4, 5 those of B. */

/* Finds all points by testing every pair of features: correct for all triangles, degenerate ones included; tests
   compare the fast method with it. */
void grz_contact_general(grz_points *points, grz_contact_set *set);

/* Where signs come from: those of predicates.h with the same names, of points 0 to 5. Of orient3d each call has points
   of both triangles; of orient2d and compare, of one or of both. */
typedef struct grz_contact_signs
{
    void *user;
    int (*orient3d)(void *user, int a, int b, int c, int d);
    int (*orient2d)(void *user, int a, int b, int c, int axis);
    int (*compare)(void *user, int a, int b, int axis);
} grz_contact_signs;

/* The same method for triangles whose signs come from elsewhere, such as those of moving points at an algebraic time.
 */
void grz_contact_general_by_signs(const grz_contact_signs *signs, grz_contact_set *set);

/* The fast method: decides from the sides of the corners and the order of points on the common line. */
graze_triangle_contact grz_triangle_triangle(grz_points *points);

/* The same where some sides are known, as grz_sides gives them: sides_a of A's corners to B's plane, sides_b of B's to
   A's; unknown ones are GRZ_UNCERTAIN. Both are overwritten. */
graze_triangle_contact grz_triangle_triangle_from(grz_points *points, int sides_a[3], int sides_b[3]);

/* The points of an intersection, given in the order of the set, in the order that graze_triangle_intersection reports.
 */
void grz_intersection_order(const grz_contact_set *set, double (*found)[3], graze_intersection *out);

/* Whether the triangle and its corners are not NULL. */
bool grz_triangle_given(const graze_placed_triangle *triangle);

/* Adds the six corners. A pose common to both and invertible is omitted: it changes no contact. */
void grz_points_from_triangles(grz_points *points, const graze_placed_triangle *a, const graze_placed_triangle *b);

#endif
