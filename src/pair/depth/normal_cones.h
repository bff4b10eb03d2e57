/* SPDX-License-Identifier: MIT */
/*
 * Normal cones of a surface's tree leaves: whether all triangles near a point have normals that agree with a direction,
 * without a look at each of them.
 */
#ifndef GRZ_PAIR_DEPTH_NORMAL_CONES_H
#define GRZ_PAIR_DEPTH_NORMAL_CONES_H

#include "pair/depth/nearest_triangle.h"

/* The normals of a leaf's triangles, made when first needed. */
struct grz_normal_cone
{
    v3 axis;         /* of unit length, up to rounding */
    double spread;   /* no unit normal differs from the axis by more than this, as a vector; errors included */
    bool usable;     /* axis and spread are known */
    bool has_planes; /* all triangles have a normal; then the following are known */
    double planes[4][GRZ_LANES]; /* of the triangles: normal . x - offset is the height of x; unused lanes repeat */
    double height_error;         /* of a height of a point with coordinates of at most the surface's reach */
};

/* The normal of a triangle with these corners and of unit length, and its error. False without a certain one. Error:
   the edges e and f of a placed triangle have an error of at most 2 E each, E being that of a corner as a distance,
   which surface->error covers; so e x f has an error of at most 2 E (|e| + |f|) + 4 E^2, and its rounding is below
   8 u |e| |f|, unless it underflows. */
bool grz_surface_normal(const grz_surface *surface, const v3 corners[3], v3 *out_normal, double *out_error);

/* What all triangles within `radius` of a centre must do. */
typedef struct grz_normal_test
{
    v3 centre;
    double radius;
    v3 direction;     /* of length at most 1: normals, times `facing`, have a larger dot product with it than `least` */
    double facing;    /* 1 or -1 */
    double least;     /* above 0 */
    v3 violating;     /* out: a normal that does not, times `facing` */
    double agreement; /* out: no dot product is less than this */
    bool met;         /* out: there is a triangle within the radius */
    bool heights;     /* whether the next is wanted */
    double highest;   /* out: the centre is no higher above the plane of a triangle, times `facing` */
} grz_normal_test;

/* Makes room for the cones of a surface with a tree; the caller releases them. False when out of memory. */
bool grz_surface_make_cones(const graze_context *context, grz_surface *surface);

/* Whether all triangles do; false also when a triangle has no certain normal: then `violating` is zero. */
bool grz_surface_normals_agree(const grz_surface *surface, grz_normal_test *test);

enum
{
    GRZ_FIRST_NORMALS = 8
};

/* Whether there is a direction with which the normals of all triangles within a radius agree, times `facing`. `first`
   are some of these, times `facing`, up to GRZ_FIRST_NORMALS: where they agree with none, nothing else is tested. */
/* The same, with |w| <= 1 and all dot products at least m, and all points within `size` of the centre less than `depth`
   m above the planes of these triangles. */
bool grz_surface_has_direction_behind(const grz_surface *surface, v3 centre, double radius, double size, double depth,
                                      const v3 *first, size_t first_count, double facing);

bool grz_surface_has_direction(const grz_surface *surface, v3 centre, double radius, const v3 *first,
                               size_t first_count, double facing);

#endif
