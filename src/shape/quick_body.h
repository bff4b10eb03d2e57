/* SPDX-License-Identifier: MIT */
/*
 * Primitives in a few numbers, for many of them at once: a box around a placed one, the extent along a direction, and
 * whether a point lies in it; all certified. See quick_pair.h for pairs. A scene that has an array of them need not
 * read the shapes.
 */
#ifndef GRZ_SHAPE_QUICK_BODY_H
#define GRZ_SHAPE_QUICK_BODY_H

#include "shape/shape.h"

typedef enum grz_quick_kind
{
    GRZ_QUICK_NONE = 0, /* not such a shape */
    GRZ_QUICK_SPHERE,
    GRZ_QUICK_CAPSULE,
    GRZ_QUICK_BOX,
    GRZ_QUICK_CYLINDER,
    GRZ_QUICK_CONE,
    GRZ_QUICK_ELLIPSOID
} grz_quick_kind;

#define GRZ_DEFECT_UNKNOWN (-1.0f)

typedef struct grz_quick_body
{
    double size[3];   /* box: half sizes; ellipsoid: radii; cylinder and cone: radius, 0, half the height */
    double centre[3]; /* of a sphere; of a capsule: one end, and `size` is the other */
    double radius;    /* of a sphere or capsule */
    double ball;      /* the radius of a ball around the body's middle, before it is placed */
    double sizes;     /* the sum of the magnitudes of the numbers above `ball` */
    float defect;     /* no entry of R^T R differs from the unit matrix by more; INFINITY: not known yet, or too much */
    uint8_t kind;     /* grz_quick_kind */
} grz_quick_body;

/* No entry of R^T R differs from the unit matrix by more; infinite, large or not a number where much is wrong. */
float grz_pose_defect(const graze_pose *pose);

/* Numbers of the shape; GRZ_QUICK_NONE for other kinds, and beyond 2^300 or below 2^-300. */
grz_quick_body grz_quick_body_of(const graze_shape *shape);

/* Takes a pose that the shape may have: sets `defect`, which is given where grz_pose_defect has said it. False where it
   cannot be used with this pose: a matrix far from a rotation, as a box may have, or numbers beyond 2^300. */
bool grz_quick_body_place(grz_quick_body *body, const graze_pose *pose, float defect);

/* Whether it was placed, and can be used. */
static inline bool grz_quick_body_is_placed(const grz_quick_body *body)
{
    return body->kind != GRZ_QUICK_NONE && body->defect <= 1;
}

/* A box around a body that is placed, and a ball: the centre errs by `error` along any axis, which the radius includes.
   Rounded outward. */
void grz_quick_body_bounds(const grz_quick_body *body, const graze_pose *pose, graze_box *out_box, double out_centre[3],
                           double *out_radius, double *out_error);

/* The largest d . x over the placed body, computed; *scale grows by the magnitude to which errors are relative.
   `length` is about that of d. */
double grz_quick_body_extent(const grz_quick_body *body, const graze_pose *pose, const double d[3], double length,
                             double *scale);

/* Whether the placed body certainly holds a point. */
bool grz_quick_body_holds(const grz_quick_body *body, const graze_pose *pose, const double point[3]);

/* About the middle of the placed body. */
void grz_quick_body_middle(const grz_quick_body *body, const graze_pose *pose, double out_point[3]);

/* About the point of the body that is farthest along d, of a body that is smaller by the factor `share`; of spheres and
   capsules without the radius. Guides searches. */
void grz_quick_body_support(const grz_quick_body *body, const graze_pose *pose, const double d[3], double share,
                            double out_point[3]);

#endif
