/* SPDX-License-Identifier: MIT */
/* Principal axes of a symmetric matrix by Jacobi rotations; see oriented_box.h. */
#include "volume/oriented_box.h"

#include <string.h>

/* Rotates axes p and q so that the entry between them becomes 0. */
static void rotate(double m[3][3], double vectors[3][3], int p, int q)
{
    if (m[p][q] == 0)
        return;
    double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++)
    {
        double x = m[k][p], y = m[k][q];
        m[k][p] = c * x - s * y;
        m[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++)
    {
        double x = m[p][k], y = m[q][k];
        m[p][k] = c * x - s * y;
        m[q][k] = s * x + c * y;
        double v = vectors[p][k], w = vectors[q][k];
        vectors[p][k] = c * v - s * w;
        vectors[q][k] = s * v + c * w;
    }
}

static bool normalise(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return length > 0.5 && length < 2;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void grz_principal_axes(const double symmetric[3][3], double out_axes[3][3])
{
    static const double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double m[3][3], vectors[3][3];
    memcpy(m, symmetric, sizeof m);
    memcpy(vectors, identity, sizeof vectors);
    for (int sweep = 0; sweep < 24 && fabs(m[0][1]) + fabs(m[0][2]) + fabs(m[1][2]) > 0; sweep++)
    {
        rotate(m, vectors, 0, 1);
        rotate(m, vectors, 0, 2);
        rotate(m, vectors, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        for (int k = i + 1; k < 3; k++)
            if (m[order[k]][order[k]] > m[order[i]][order[i]])
            {
                int kept = order[i];
                order[i] = order[k];
                order[k] = kept;
            }
    /* Made orthonormal again: the first axis is kept, the third is normal to both. */
    memcpy(out_axes[0], vectors[order[0]], sizeof out_axes[0]);
    bool good = normalise(out_axes[0]);
    cross(out_axes[0], vectors[order[1]], out_axes[2]);
    good = normalise(out_axes[2]) && good;
    cross(out_axes[2], out_axes[0], out_axes[1]);
    if (!good) /* also NaN, from numbers out of range */
        memcpy(out_axes, identity, sizeof identity);
}
