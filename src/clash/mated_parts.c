/* SPDX-License-Identifier: MIT */
/*
 * Depths of mated parts, see mated_parts.h. Their overlap width along the normal of a common face comes first
 * (overlap_width.h). It is a bound for both whole parts: where it exceeds the resolution, one part is translated by the
 * resolution along that normal, and the exact query says whether they still overlap. If not, no common point is deeper
 * than the translation is long: such a point would still lie in both (docs/decisions/0011-interference-depth.md).
 */
#include "clash/mated_parts.h"

#include <float.h>
#include <math.h>

#include "graze/depth.h"

double grz_clash_unresolved_by_doubles(const grz_clash_part *a, const grz_clash_part *b)
{
    double largest = 0;
    for (int axis = 0; axis < 3; axis++)
        largest = fmax(largest, fmax(fmax(fabs(a->lower[axis]), fabs(a->upper[axis])),
                                     fmax(fabs(b->lower[axis]), fabs(b->upper[axis]))));
    return fmin(0x1p-46 * largest, DBL_MAX);
}

/* Moves B by `length` along the normal of a width, or by a little less: where the translation is added to that of the
 * pose, each coordinate is rounded, toward where B was. `out` says what the translation is in the end, and its length.
 */
static graze_placed_mesh move(const grz_clash_part *b, const grz_clash_overlap_width *width, double length,
                              grz_clash_overlap_width *out)
{
    graze_placed_mesh moved = b->placed;
    const double *n = width->normal;
    double scale = length / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), square = 0;
    *out = *width;
    for (int axis = 0; axis < 3; axis++)
    {
        double *t = &moved.pose.m[4 * axis + 3], before = *t, wanted = scale * n[axis];
        *t += wanted;
        if (fabs(*t - before) > fabs(wanted))
            *t = nextafter(*t, before);
        out->vector[axis] = *t - before;
        square += out->vector[axis] * out->vector[axis];
    }
    out->width = sqrt(square) * (1 + 8 * DBL_EPSILON) + DBL_MIN;
    return moved;
}

graze_status grz_clash_find_mate(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                 const graze_hit *first, double resolution, grz_clash_overlap_width *out)
{
    double limit = fmax(resolution, grz_clash_unresolved_by_doubles(a, b));
    graze_status status = grz_clash_find_overlap_width(context, &a->placed, &b->placed, first, resolution, limit, out);
    if (status != GRAZE_STATUS_OK || !out->found || out->width <= resolution)
        return status;
    grz_clash_overlap_width shifted;
    graze_placed_mesh moved = move(b, out, resolution * (1 - 0x1p-20), &shifted);
    graze_overlap_options options = graze_overlap_options_default();
    options.body_a = a->body;
    options.body_b = b->body;
    graze_verdict overlap;
    /* shortcut: separated-within-resolution */
    if (!(shifted.width <= resolution))
        return GRAZE_STATUS_OK;
    status = graze_pair_overlap(context, &a->placed, &moved, &options, &overlap);
    if (status == GRAZE_STATUS_OK && overlap == GRAZE_VERDICT_NO)
        *out = shifted;
    return status;
}

/* The common points lie between two planes and in both AABBs: in a box whose shadow on a plane with unit normal n has
 * the area |n_x| dy dz + |n_y| dz dx + |n_z| dx dy, at most the root of the sum of the three squares. */
double grz_clash_thin_volume(const grz_clash_part *a, const grz_clash_part *b, double width)
{
    double d[3], square = 0;
    for (int axis = 0; axis < 3; axis++)
        d[axis] = fmax(0, fmin(a->upper[axis], b->upper[axis]) - fmax(a->lower[axis], b->lower[axis]));
    for (int axis = 0; axis < 3; axis++)
        square += pow(d[axis] * d[(axis + 1) % 3], 2);
    return width * sqrt(square) * (1 + 16 * DBL_EPSILON) + DBL_MIN;
}
