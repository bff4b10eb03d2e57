/* SPDX-License-Identifier: MIT */
/*
 * src/volume: bounding volumes in doubles, one a file. May use base and math.
 *
 * k-dops (Klosowski et al. 1998): the points between two planes in each of k/2 fixed directions, whose coordinates are
 * 0 and +-1, or any others. A dop is 2 * half numbers: the lower ends for all directions, then the upper ones.
 *
 * Moving a dop (Zachmann's slides): the support of the moved set in direction b is that of the set in c = R^T b. Where
 * c is a sum of own directions with factors that are not negative, the same sum of their upper ends bounds it (weak
 * duality of linear programming). The three directions are those of the facet that c points at, in the hull of all
 * directions as unit vectors, which makes the factors least; they are chosen once for all dops of a body.
 */
#ifndef GRZ_VOLUME_K_DOP_H
#define GRZ_VOLUME_K_DOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "math/interval.h"

enum
{
    GRZ_DOP_MOST_HALF = 32 /* k / 2 at most */
};

/* Directions. Coordinate axis i is the sum of axis_factors[i][k] times direction axis_from[i][k]. */
typedef struct grz_dop_kind
{
    int half; /* k / 2 */
    const double (*directions)[3];
    int axis_from[3][3];
    double axis_factors[3][3];
} grz_dop_kind;

extern const grz_dop_kind grz_dop_6, grz_dop_14, grz_dop_18, grz_dop_26;

/* A direction's coordinate of a point; its error is below 2 roundings. */
static inline double grz_dop_along(const double direction[3], const double point[3])
{
    return direction[0] * point[0] + direction[1] * point[1] + direction[2] * point[2];
}

static inline void grz_dop_clear(const grz_dop_kind *kind, double *dop)
{
    for (int i = 0; i < kind->half; i++)
    {
        dop[i] = INFINITY;
        dop[kind->half + i] = -INFINITY;
    }
}

static inline void grz_dop_add_point(const grz_dop_kind *kind, const double point[3], double *dop)
{
    for (int i = 0; i < kind->half; i++)
    {
        double x = grz_dop_along(kind->directions[i], point);
        dop[i] = x < dop[i] ? x : dop[i];
        dop[kind->half + i] = x > dop[kind->half + i] ? x : dop[kind->half + i];
    }
}

static inline void grz_dop_merge(int half, const double *other, double *dop)
{
    for (int i = 0; i < half; i++)
    {
        dop[i] = other[i] < dop[i] ? other[i] : dop[i];
        dop[half + i] = other[half + i] > dop[half + i] ? other[half + i] : dop[half + i];
    }
}

/* Moves the ends outward. */
static inline void grz_dop_widen(int half, const double *by, double *dop)
{
    for (int i = 0; i < half; i++)
    {
        dop[i] -= by[i];
        dop[half + i] += by[i];
    }
}

/* Whether no direction separates them: the first that does ends the test. */
static inline bool grz_dop_overlap(int half, const double *a, const double *b)
{
    for (int i = 0; i < half; i++)
        if (a[i] > b[half + i] || b[i] > a[half + i])
            return false;
    return true;
}

/* Whether the first three directions are the coordinate axes. */
static inline bool grz_dop_has_axes(const grz_dop_kind *kind)
{
    bool same = true;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            same = same && kind->directions[i][k] == (i == k);
    return same;
}

/* The ends of a box around a dop, up to rounding; those of its first three directions where these are the axes. */
static inline void grz_dop_box(const grz_dop_kind *kind, const double *dop, double lower[3], double upper[3])
{
    for (int i = 0; i < 3; i++)
    {
        lower[i] = upper[i] = 0;
        for (int k = 0; k < 3; k++)
        {
            double factor = kind->axis_factors[i][k];
            int low = kind->axis_from[i][k], high = kind->half + low;
            lower[i] += factor != 0 ? factor * dop[factor < 0 ? high : low] : 0;
            upper[i] += factor != 0 ? factor * dop[factor < 0 ? low : high] : 0;
        }
    }
}

/* The volume, by clipping a box (double precision: for splitting rules and tables, never for decisions). */
double grz_dop_volume(const grz_dop_kind *kind, const double *dop);

/* The vertices of a dop of 6, 14, 18 or 26 directions, among points of its surface: every vertex is within *out_error,
   in each coordinate, of one of them. They are pushed to `out`; false when out of memory. */
typedef GRZ_ARRAY(double) grz_dop_points; /* three coordinates each */
bool grz_dop_find_vertices(const graze_context *context, const grz_dop_kind *kind, const double *dop,
                           grz_dop_points *out, double *out_error);

/* The support of a dop in direction c, from above: c x is at most that for all its points with coordinates of at most
   `extent`. Plane 2 d is the upper end of direction d, 2 d + 1 the lower one; the three planes are those to begin with,
   in which c has no negative factors, and become those of the support. INFINITY where they are not in general position.
 */
double grz_dop_support(const grz_dop_kind *kind, const double *dop, const double c[3], double extent, int planes[3]);

enum
{
    GRZ_DOP_MOST_FACETS = 4 * GRZ_DOP_MOST_HALF - 4 /* of the hull of twice as many vectors: Euler */
};

/* The facets of the hull of all directions, both ways, as unit vectors; triangles. */
typedef struct grz_dop_facets
{
    int count;
    int corners[GRZ_DOP_MOST_FACETS][3];       /* directions */
    double inverse[GRZ_DOP_MOST_FACETS][3][3]; /* row k gives the factor of the k-th corner, with its sign */
    double normals[GRZ_DOP_MOST_FACETS][3];    /* n v = 1 at the corners */
} grz_dop_facets;

void grz_dop_facets_make(const grz_dop_kind *kind, grz_dop_facets *out);

/* Makes a kind of own directions, which are copied to `storage` and scaled by powers of two, so that the largest
   coordinate of each is in [1, 2). False when they are not 3 to GRZ_DOP_MOST_HALF finite ones that span the space. */
bool grz_dop_kind_make(const double (*directions)[3], size_t count, double (*storage)[3], grz_dop_kind *out);

/* How dops of one frame are moved into another. */
typedef struct grz_dop_map
{
    int half;
    int from[GRZ_DOP_MOST_HALF][3];
    double factors[GRZ_DOP_MOST_HALF][3];
    double offsets[GRZ_DOP_MOST_HALF];
    double slack[GRZ_DOP_MOST_HALF]; /* by which ends are moved outward */
} grz_dop_map;

/* x -> map x + offset (column 3). `slack` bounds the errors of moved coordinates, `extent` the magnitudes of the
   coordinates that are moved. */
void grz_dop_map_make(const grz_dop_kind *kind, const grz_dop_facets *facets, const double map[3][4], double slack,
                      double extent, grz_dop_map *out);

static inline void grz_dop_move(const grz_dop_map *map, const double *dop, double *out)
{
    int half = map->half;
    for (int i = 0; i < half; i++)
    {
        double lower = map->offsets[i] - map->slack[i], upper = map->offsets[i] + map->slack[i];
        for (int k = 0; k < 3; k++)
        {
            int from = map->from[i][k];
            double factor = map->factors[i][k];
            lower += factor * (factor < 0 ? dop[half + from] : dop[from]);
            upper += factor * (factor < 0 ? dop[from] : dop[half + from]);
        }
        out[i] = lower;
        out[half + i] = upper;
    }
}

#endif
