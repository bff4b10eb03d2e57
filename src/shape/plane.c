/* SPDX-License-Identifier: MIT */
/* See plane.h. */
#include "shape/plane.h"

#include <limits.h>
#include <math.h>

#include "base/memory.h"

graze_status grz_plane_create(grz_shape_query *q, const graze_placed *placed, grz_half_space **out)
{
    grz_half_space *h = grz_allocate(q->context, 1, sizeof *h);
    if (h == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (!grz_half_space_place(placed, h))
    {
        grz_release(q->context, h);
        return GRAZE_STATUS_SINGULAR;
    }
    *out = h;
    return GRAZE_STATUS_OK;
}

static double middle(interval x)
{
    return 0.5 * x.lower + 0.5 * x.upper;
}

/* Whether the middles of its intervals tell the direction: none is infinite, or wide beside the largest. */
static bool is_narrow(const grz_half_space *h)
{
    double largest = 0;
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, fabs(middle(h->direction[k])));
    bool narrow = largest > 0 && isfinite(middle(h->c));
    for (int k = 0; k < 3 && narrow; k++)
        narrow = h->direction[k].upper - h->direction[k].lower <= largest * 0x1p-40;
    return narrow;
}

/* d and c up to a common factor, where their products leave the range of doubles or cancel: of their exact values. */
static void find_exact(grz_half_space *h, double d[3], double *c)
{
    int top = INT_MIN;
    grz_dyadic scaled;
    grz_half_space_make_exact(h);
    for (int k = 0; k < 3; k++)
    {
        const grz_dyadic *x = &h->exact_direction[k];
        if (x->sign != 0 && x->exponent + x->count > top)
            top = x->exponent + x->count;
    }
    for (int k = 0; k < 4; k++)
    {
        grz_dyadic_copy(&scaled, k < 3 ? &h->exact_direction[k] : &h->exact_c);
        if (scaled.sign != 0)
            scaled.exponent -= top;
        *(k < 3 ? &d[k] : c) = middle(grz_dyadic_bounds(&scaled));
    }
}

void grz_plane_estimate(grz_half_space *h, double out_direction[3], double *out_offset)
{
    double d[3], c = middle(h->c), largest = 0, length = 0;
    for (int k = 0; k < 3; k++)
        d[k] = middle(h->direction[k]);
    if (!is_narrow(h))
        find_exact(h, d, &c);
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, fabs(d[k]));
    for (int k = 0; k < 3; k++)
    {
        out_direction[k] = d[k] / largest;
        length = hypot(length, out_direction[k]);
    }
    for (int k = 0; k < 3; k++)
        out_direction[k] /= length;
    *out_offset = c / largest / length;
}

void grz_plane_direction(grz_half_space *h, double out[3])
{
    double offset;
    grz_plane_estimate(h, out, &offset);
}

graze_shape_depth grz_plane_depth(grz_half_space *h, interval gap, graze_verdict overlap)
{
    graze_shape_depth depth = grz_shape_depth_none();
    double d[3];
    depth.overlap = overlap;
    depth.lower = depth.depth_lower = gap.upper < 0 ? -gap.upper : 0;
    depth.upper = depth.depth_upper = gap.lower < 0 ? -gap.lower : 0;
    grz_plane_direction(h, d);
    for (int k = 0; k < 3 && depth.upper < INFINITY; k++)
        depth.translation[k] = d[k] != 0 ? -d[k] * depth.upper : 0; /* of the half-space */
    return depth;
}
