/* SPDX-License-Identifier: MIT */
/* Directions of k-dops, how they are moved, and their volumes; see k_dop.h. */
#include "volume/k_dop.h"

#include <string.h>

static const double directions_14[7][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 1},
                                           {1, -1, 1}, {1, 1, -1}, {1, -1, -1}};
static const double directions_18[9][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1},  {1, 1, 0}, {1, 0, 1},
                                           {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1}};
static const double directions_26[13][3] = {{1, 0, 0},  {0, 1, 0},   {0, 0, 1}, {1, 1, 1}, {1, -1, 1},
                                            {1, 1, -1}, {1, -1, -1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1},
                                            {1, -1, 0}, {1, 0, -1},  {0, 1, -1}};

/* The first three directions are the axes. */
#define AXES_FIRST                                                                                                     \
    {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}},                                                                                 \
    {                                                                                                                  \
        {1, 0, 0}, {1, 0, 0},                                                                                          \
        {                                                                                                              \
            1, 0, 0                                                                                                    \
        }                                                                                                              \
    }

const grz_dop_kind grz_dop_6 = {3, directions_14, AXES_FIRST};
const grz_dop_kind grz_dop_14 = {7, directions_14, AXES_FIRST};
const grz_dop_kind grz_dop_18 = {9, directions_18, AXES_FIRST};
const grz_dop_kind grz_dop_26 = {13, directions_26, AXES_FIRST};

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Rows of the inverse of a matrix with these columns. */
static bool invert_columns(const double columns[3][3], double out[3][3])
{
    cross(columns[1], columns[2], out[0]);
    cross(columns[2], columns[0], out[1]);
    cross(columns[0], columns[1], out[2]);
    double volume = grz_dop_along(columns[0], out[0]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] /= volume;
    return fabs(volume) > 0.001;
}

/* Vector v of the directions as unit vectors, both ways: direction v / 2, of sign 1 or -1. `shift` moves each by a
   little of its own, so that no four of them lie in one facet: which facets there are is a matter of speed only. */
static void unit_vector(const grz_dop_kind *kind, int v, double shift, double out[3])
{
    const double *d = kind->directions[v / 2];
    double length = sqrt(grz_dop_along(d, d)) * (v % 2 == 0 ? 1 : -1);
    for (int i = 0; i < 3; i++)
        out[i] = (d[i] + shift * (double)((7 + v / 2) * (11 + 5 * i) * (v / 2 + i + 1) % 31 - 15)) / length;
}

/* Adds the facet of three vectors, if it is one: no other vector lies above its plane. */
static void try_facet(const grz_dop_kind *kind, const int triple[3], double shift, grz_dop_facets *out)
{
    double columns[3][3], inverse[3][3], normal[3];
    for (int k = 0; k < 3; k++)
        unit_vector(kind, triple[k], shift, columns[k]);
    if (!invert_columns((const double(*)[3])columns, inverse))
        return;
    for (int i = 0; i < 3; i++)
        normal[i] = inverse[0][i] + inverse[1][i] + inverse[2][i];
    for (int v = 0; v < 2 * kind->half; v++)
    {
        double vector[3];
        unit_vector(kind, v, shift, vector);
        if (grz_dop_along(normal, vector) > 1 + 0x1p-30)
            return;
    }
    for (int k = 0; k < 3; k++)
        unit_vector(kind, triple[k], 0, columns[k]);
    if (!invert_columns((const double(*)[3])columns, inverse))
        return;
    int f = out->count++;
    memcpy(out->normals[f], normal, sizeof normal);
    for (int k = 0; k < 3; k++)
    {
        const double *d = kind->directions[triple[k] / 2];
        double length = sqrt(grz_dop_along(d, d)) * (triple[k] % 2 == 0 ? 1 : -1);
        out->corners[f][k] = triple[k] / 2;
        for (int i = 0; i < 3; i++)
            out->inverse[f][k][i] = inverse[k][i] / length;
    }
}

/* None is counted twice: no four vectors of the sets of this file lie in one facet, and others are shifted. */
void grz_dop_facets_make(const grz_dop_kind *kind, grz_dop_facets *out)
{
    double shift =
        kind->directions == directions_14 || kind->directions == directions_18 || kind->directions == directions_26
            ? 0
            : 0x1p-16;
    out->count = 0;
    int triple[3];
    for (triple[0] = 0; triple[0] < 2 * kind->half; triple[0]++)
        for (triple[1] = triple[0] + 1; triple[1] < 2 * kind->half; triple[1]++)
            for (triple[2] = triple[1] + 1; triple[2] < 2 * kind->half; triple[2]++)
                if (out->count < GRZ_DOP_MOST_FACETS)
                    try_facet(kind, triple, shift, out);
}

/* The factors of c in the corners of the facet that it points at; those that rounding made negative are 0. */
static void find_factors(const grz_dop_facets *facets, const double c[3], int out_from[3], double out_factors[3])
{
    int best = 0;
    double most = -1;
    for (int f = 0; f < facets->count; f++)
    {
        double x = grz_dop_along(facets->normals[f], c);
        if (x > most)
        {
            most = x;
            best = f;
        }
    }
    for (int k = 0; k < 3; k++)
    {
        out_from[k] = facets->corners[best][k];
        out_factors[k] = grz_dop_along(facets->inverse[best][k], c);
    }
}

bool grz_dop_kind_make(const double (*directions)[3], size_t count, double (*storage)[3], grz_dop_kind *out)
{
    grz_dop_facets facets;
    if (directions == NULL || count < 3 || count > GRZ_DOP_MOST_HALF)
        return false;
    for (size_t d = 0; d < count; d++)
    {
        double largest =
            interval_max2(interval_max2(fabs(directions[d][0]), fabs(directions[d][1])), fabs(directions[d][2]));
        bool finite = isfinite(directions[d][0]) && isfinite(directions[d][1]) && isfinite(directions[d][2]);
        if (!finite || !(largest > 0))
            return false;
        for (int i = 0; i < 3; i++)
            storage[d][i] = scalbn(directions[d][i], -ilogb(largest));
    }
    *out = (grz_dop_kind){.half = (int)count, .directions = (const double(*)[3])storage};
    grz_dop_facets_make(out, &facets);
    for (int i = 0; facets.count > 0 && i < 3; i++)
    {
        const double axis[3] = {i == 0, i == 1, i == 2};
        find_factors(&facets, axis, out->axis_from[i], out->axis_factors[i]);
    }
    for (int i = 0; i < 3 && grz_dop_has_axes(out); i++)
        for (int k = 0; k < 3; k++)
        {
            out->axis_from[i][k] = i;
            out->axis_factors[i][k] = k == 0;
        }
    return facets.count > 0;
}

/*
 * The bound of direction b = directions[i] for x -> R x + t: b (R x + t) = c x + b t with c = R^T b, and
 * c x = sum f_k (d_k x) + rest x. Each term is at most |f_k| times the end of d_k that its sign selects, whatever the
 * factors are; the rest, and the rounding of the sum, are below what is added to the slack: b errs by |b_1| + |b_2| +
 * |b_3| < 6 times the slack of a coordinate, and an end is at most twice the extent.
 * shortcut: moved-dops
 */
void grz_dop_map_make(const grz_dop_kind *kind, const grz_dop_facets *facets, const double map[3][4], double slack,
                      double extent, grz_dop_map *out)
{
    out->half = kind->half;
    for (int i = 0; i < kind->half; i++)
    {
        const double *b = kind->directions[i];
        double c[3], rest = 0, size = 0;
        for (int k = 0; k < 3; k++)
            c[k] = b[0] * map[0][k] + b[1] * map[1][k] + b[2] * map[2][k];
        out->offsets[i] = b[0] * map[0][3] + b[1] * map[1][3] + b[2] * map[2][3];
        find_factors(facets, c, out->from[i], out->factors[i]);
        for (int k = 0; k < 3; k++)
        {
            double sum = 0;
            for (int j = 0; j < 3; j++)
                sum += out->factors[i][j] * kind->directions[out->from[i][j]][k];
            rest += fabs(c[k] - sum);
            size += fabs(out->factors[i][k]);
        }
        out->slack[i] = (fabs(b[0]) + fabs(b[1]) + fabs(b[2]) + 1) * slack + (rest + 0x1p-44 * (1 + size)) * extent;
    }
}

/* A convex polygon in the plane of a face, clipped against the other directions. */
typedef struct dop_face
{
    int count;
    double points[4 * GRZ_DOP_MOST_HALF][3];
} dop_face;

static void clip(dop_face *face, const double direction[3], double sign, double limit)
{
    double heights[4 * GRZ_DOP_MOST_HALF];
    dop_face kept;
    bool cut = false;
    for (int i = 0; i < face->count; i++)
    {
        heights[i] = sign * grz_dop_along(direction, face->points[i]) - limit;
        cut = cut || heights[i] > 0;
    }
    if (!cut)
        return;
    kept.count = 0;
    for (int i = 0; i < face->count; i++)
    {
        int next = i + 1 < face->count ? i + 1 : 0;
        const double *p = face->points[i], *q = face->points[next];
        double x = heights[i], y = heights[next];
        if (x <= 0)
            memcpy(kept.points[kept.count++], p, sizeof kept.points[0]);
        if ((x < 0 && y > 0) || (x > 0 && y < 0))
        {
            for (int k = 0; k < 3; k++)
                kept.points[kept.count][k] = p[k] + x / (x - y) * (q[k] - p[k]);
            kept.count++;
        }
    }
    face->count = kept.count;
    memcpy(face->points, kept.points, (size_t)kept.count * sizeof kept.points[0]);
}

/* A square in the plane d x = limit that is larger than the dop. */
static void start_face(const double direction[3], double sign, double limit, double size, dop_face *out)
{
    double side[3] = {0, 0, 0}, u[3], v[3];
    int least = 0;
    for (int i = 1; i < 3; i++)
        least = fabs(direction[i]) < fabs(direction[least]) ? i : least;
    side[least] = 1;
    cross(direction, side, u);
    cross(direction, u, v);
    double length_sq = grz_dop_along(direction, direction);
    double u_size = size / sqrt(grz_dop_along(u, u)), v_size = size / sqrt(grz_dop_along(v, v));
    static const double corners[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    out->count = 4;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            out->points[i][k] =
                sign * limit * direction[k] / length_sq + corners[i][0] * u_size * u[k] + corners[i][1] * v_size * v[k];
}

/* A third of the sum of height times area over all faces. */
double grz_dop_volume(const grz_dop_kind *kind, const double *dop)
{
    double size = 0, sum = 0, centred[2 * GRZ_DOP_MOST_HALF] = {0}, middle[3], lower[3], upper[3];
    grz_dop_box(kind, dop, lower, upper);
    for (int i = 0; i < 3; i++)
    {
        middle[i] = (lower[i] + upper[i]) / 2;
        size += upper[i] - lower[i];
    }
    if (kind == &grz_dop_6)
        return (upper[0] - lower[0]) * (upper[1] - lower[1]) * (upper[2] - lower[2]);
    for (int i = 0; i < kind->half; i++)
    {
        double shift = grz_dop_along(kind->directions[i], middle);
        centred[i] = -(dop[i] - shift);
        centred[kind->half + i] = dop[kind->half + i] - shift;
    }
    if (!(size > 0))
        return 0;
    for (int face = 0; face < 2 * kind->half; face++)
    {
        const double *direction = kind->directions[face % kind->half];
        dop_face polygon;
        start_face(direction, face < kind->half ? -1 : 1, centred[face], 4 * size, &polygon);
        for (int other = 0; other < 2 * kind->half && polygon.count > 0; other++)
            if (other != face)
                clip(&polygon, kind->directions[other % kind->half], other < kind->half ? -1 : 1, centred[other]);
        for (int i = 1; i + 1 < polygon.count; i++)
        {
            double u[3], v[3], normal[3];
            for (int k = 0; k < 3; k++)
            {
                u[k] = polygon.points[i][k] - polygon.points[0][k];
                v[k] = polygon.points[i + 1][k] - polygon.points[0][k];
            }
            cross(u, v, normal);
            sum += fabs(grz_dop_along(normal, polygon.points[0])) / 6;
        }
    }
    return sum;
}
