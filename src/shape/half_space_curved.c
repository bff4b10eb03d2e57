/* SPDX-License-Identifier: MIT */
/*
 * Placed cylinders, cones and ellipsoids against half-spaces, exactly. In the frame of the body, which is centred, the
 * half-space is {y : w . y <= -A} with w = Q^T d and A = d . u - c for the pose [Q|u]: of degree 4. The least w . y is
 *   - of a cylinder of height e and radius r:  -e/2 |w_z| - r s,  s^2 = w_x^2 + w_y^2;
 *   - of a cone:  the lesser of e/2 w_z and -e/2 w_z - r s;
 *   - of an ellipsoid:  -sqrt(sum of (r_k w_k)^2).
 * They meet where A plus that is at most 0, and more than touch where it is below: compared by squares of degree 10.
 */
#include "shape/half_space.h"

/* Whether x <= sqrt(square), or x < sqrt(square) where strict. */
static bool is_at_most_root(const grz_dyadic *x, const grz_dyadic *square, bool strict)
{
    if (x->sign < 0 || (x->sign == 0 && !strict))
        return true;
    grz_dyadic x_sq;
    grz_dyadic_multiply(&x_sq, x, x);
    return grz_dyadic_compare(&x_sq, square) <= (strict ? -1 : 0);
}

/* sum = sum + (factor w)^2. */
static void add_square(grz_dyadic *sum, const grz_dyadic *w, double factor)
{
    grz_dyadic scaled;
    grz_dyadic_multiply_double(&scaled, w, factor);
    grz_dyadic_accumulate_product(sum, &scaled, &scaled, false);
}

bool grz_half_space_meets_curved(grz_half_space *h, const graze_placed *curved, bool strict)
{
    static const double centre[3] = {0, 0, 0};
    const graze_shape *shape = curved->shape;
    const double *m = curved->pose.m, *numbers = shape->numbers;
    grz_dyadic height, w[3], entry, square, half_w;
    grz_half_space_exact_height(h, centre, &curved->pose, &height);
    grz_dyadic_set(&square, 0);
    for (int k = 0; k < 3; k++)
    {
        grz_dyadic_set(&w[k], 0);
        for (int j = 0; j < 3; j++)
        {
            grz_dyadic_set(&entry, m[4 * j + k]);
            grz_dyadic_accumulate_product(&w[k], &h->exact_direction[j], &entry, false);
        }
        if (shape->kind == GRAZE_SHAPE_ELLIPSOID)
            add_square(&square, &w[k], numbers[k]);
        else if (k < 2)
            add_square(&square, &w[k], numbers[1]);
    }
    if (shape->kind == GRAZE_SHAPE_ELLIPSOID)
        return is_at_most_root(&height, &square, strict);
    grz_dyadic_set(&entry, 0.5);
    grz_dyadic_multiply(&half_w, &w[2], &entry);
    grz_dyadic_multiply_double(&entry, &half_w, numbers[0]); /* e/2 w_z */
    if (shape->kind == GRAZE_SHAPE_CYLINDER)
    {
        grz_dyadic_accumulate(&height, &entry, entry.sign > 0);
        return is_at_most_root(&height, &square, strict);
    }
    grz_dyadic tip;
    grz_dyadic_copy(&tip, &height);
    grz_dyadic_accumulate(&tip, &entry, false);
    if (tip.sign < 0 || (tip.sign == 0 && !strict))
        return true;
    grz_dyadic_accumulate(&height, &entry, true);
    return is_at_most_root(&height, &square, strict);
}
