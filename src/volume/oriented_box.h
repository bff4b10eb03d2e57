/* SPDX-License-Identifier: MIT */
/*
 * Oriented boxes: along the principal axes of what they bound, tested by separating axes (S. Gottschalk, M. Lin,
 * D. Manocha, OBBTree: a hierarchical structure for rapid interference detection, SIGGRAPH 1996).
 */
#ifndef GRZ_VOLUME_ORIENTED_BOX_H
#define GRZ_VOLUME_ORIENTED_BOX_H

#include <stdbool.h>

#include "math/interval.h"

/* The points centre + sum y_i axes[i] with |y_i| <= extents[i]. The axes are orthonormal up to 2^-48. */
typedef struct grz_oriented_box_volume
{
    double axes[3][3];
    double centre[3];
    double extents[3];
} grz_oriented_box_volume;

/* Axes that diagonalise a symmetric matrix, orthonormal up to 2^-48 and right-handed; by decreasing eigenvalue. */
void grz_principal_axes(const double symmetric[3][3], double out_axes[3][3]);

/* Which axes are tested: the faces of A and of B, or their edges' cross products, too. */
typedef enum grz_axes_tested
{
    GRZ_AXES_OF_FACES_OF_A, /* right for any linear map */
    GRZ_AXES_OF_FACES,      /* for rotations: "SAT lite" */
    GRZ_AXES_ALL            /* for rotations: all 15 */
} grz_axes_tested;

/* B's box in the frame of A's: column j of `rotation` is B's axis j, `offset` its centre. */
typedef struct grz_box_placement
{
    double rotation[3][3];
    double magnitudes[3][3]; /* of the rotation */
    double offset[3];
} grz_box_placement;

/* x -> map x + map[.][3] places B's frame in A's. */
static inline void grz_box_placement_make(const grz_oriented_box_volume *a, const grz_oriented_box_volume *b,
                                          const double map[3][4], grz_box_placement *out)
{
    double moved[3][3], between[3];
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            moved[i][j] = map[i][0] * b->axes[j][0] + map[i][1] * b->axes[j][1] + map[i][2] * b->axes[j][2];
        between[i] =
            map[i][0] * b->centre[0] + map[i][1] * b->centre[1] + map[i][2] * b->centre[2] + map[i][3] - a->centre[i];
    }
    for (int i = 0; i < 3; i++)
    {
        const double *axis = a->axes[i];
        for (int j = 0; j < 3; j++)
        {
            out->rotation[i][j] = axis[0] * moved[0][j] + axis[1] * moved[1][j] + axis[2] * moved[2][j];
            out->magnitudes[i][j] = fabs(out->rotation[i][j]);
        }
        out->offset[i] = axis[0] * between[0] + axis[1] * between[1] + axis[2] * between[2];
    }
}

/* Whether no tested axis separates two boxes, enlarged by `slack`. The bound of an axis that is a cross product has
   terms of the offset and the extents times factors of at most 1, so the same slack covers it. */
static inline bool grz_boxes_overlap(const double a[3], const double b[3], const grz_box_placement *p,
                                     grz_axes_tested tested, double slack)
{
    for (int i = 0; i < 3; i++)
        if (fabs(p->offset[i]) >
            a[i] + b[0] * p->magnitudes[i][0] + b[1] * p->magnitudes[i][1] + b[2] * p->magnitudes[i][2] + slack)
            return false;
    if (tested == GRZ_AXES_OF_FACES_OF_A)
        return true;
    for (int j = 0; j < 3; j++)
    {
        double along =
            p->offset[0] * p->rotation[0][j] + p->offset[1] * p->rotation[1][j] + p->offset[2] * p->rotation[2][j];
        if (fabs(along) >
            b[j] + a[0] * p->magnitudes[0][j] + a[1] * p->magnitudes[1][j] + a[2] * p->magnitudes[2][j] + slack)
            return false;
    }
    if (tested == GRZ_AXES_OF_FACES)
        return true;
    for (int i = 0; i < 3; i++)
    {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++)
        {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double along = p->offset[i2] * p->rotation[i1][j] - p->offset[i1] * p->rotation[i2][j];
            double radii = a[i1] * p->magnitudes[i2][j] + a[i2] * p->magnitudes[i1][j] + b[j1] * p->magnitudes[i][j2] +
                           b[j2] * p->magnitudes[i][j1];
            if (fabs(along) > radii + slack)
                return false;
        }
    }
    return true;
}

#endif
