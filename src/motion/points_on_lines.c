/* SPDX-License-Identifier: MIT */
/* Four points that move on lines; see points_on_lines.h. */
#include "motion/points_on_lines.h"

#include "motion/decomposed.h"

static void difference(const grz_moving_points *base, int a, int b, int axis, grz_polynomial *out)
{
    const grz_points_on_lines *points = (const grz_points_on_lines *)base;
    grz_polynomial_add(base->scratch, &points->x[a][axis], &points->x[b][axis], true, out);
}

static void orient2d(const grz_moving_points *base, int a, int b, int c, int axis, grz_polynomial *out)
{
    grz_polynomial u[2], v[2];
    for (int k = 0; k < 2; k++)
    {
        difference(base, a, c, (axis + 1 + k) % 3, &u[k]);
        difference(base, b, c, (axis + 1 + k) % 3, &v[k]);
    }
    grz_polynomial_minor(base->scratch, &u[0], &v[1], &u[1], &v[0], out);
}

static void orient3d(const grz_moving_points *base, int a, int b, int c, int d, grz_polynomial *out)
{
    grz_polynomial u[3], v[3], w[3], sum, term;
    for (int k = 0; k < 3; k++)
    {
        difference(base, a, d, k, &u[k]);
        difference(base, b, d, k, &v[k]);
        difference(base, c, d, k, &w[k]);
    }
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        grz_polynomial minor;
        grz_polynomial_minor(base->scratch, &v[i], &w[j], &v[j], &w[i], &minor);
        grz_polynomial_multiply(base->scratch, &u[k], &minor, &term);
        if (k == 0)
            sum = term;
        else
            grz_polynomial_add(base->scratch, &sum, &term, false, &sum);
    }
    *out = sum;
}

void grz_points_on_lines_make(grz_points_on_lines *points, grz_scratch *scratch, double places[4][2][3])
{
    points->base = (grz_moving_points){scratch, NULL, orient3d, orient2d, difference};
    for (int axis = 0; axis < 3; axis++)
    {
        int unit = 1024;
        for (int i = 0; i < 2 * GRZ_POINTS_ON_LINES; i++)
            unit = grz_lowest_exponent(&places[i / 2][i % 2][axis], 1, unit);
        for (int i = 0; i < 2 * GRZ_POINTS_ON_LINES; i++)
        {
            points->x[i / 2][axis].degree = 1;
            points->x[i / 2][axis].c[i % 2] = grz_number_of_double(scratch, places[i / 2][i % 2][axis], unit);
        }
    }
}
