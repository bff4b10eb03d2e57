/* SPDX-License-Identifier: MIT */
/*
 * Generators of triangle pairs without poses. Contacts are constructed on small integers, where every coordinate is
 * exact, and then scaled, perturbed or moved to the ends of the range of doubles.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "support/generators.h"

static void no_poses(triangle_case *out)
{
    memset(out, 0, sizeof *out);
}

/* Every coordinate an integer from 0 to bound - 1, times step. */
static void grid_pair(test_random *random, int bound, double step, triangle_case *out)
{
    no_poses(out);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            out->corners[i / 3][i % 3][c] = step * random_below(random, bound);
}

void make_grid_2_bits(test_random *random, triangle_case *out)
{
    grid_pair(random, 4, 1.0, out);
}

void make_grid_3_bits(test_random *random, triangle_case *out)
{
    grid_pair(random, 8, 1.0, out);
}

void make_grid_4_bits(test_random *random, triangle_case *out)
{
    grid_pair(random, 16, 1.0, out);
}

void make_grid_5_bits(test_random *random, triangle_case *out)
{
    grid_pair(random, 32, 1.0, out);
}

void make_grid_tenths(test_random *random, triangle_case *out)
{
    grid_pair(random, 1 << random_between(random, 2, 5), 0.1, out);
}

void make_grid_sevenths(test_random *random, triangle_case *out)
{
    grid_pair(random, 1 << random_between(random, 2, 5), 0.7, out);
}

/* Multiples of 4, so that halves and quarters along an edge are integers. */
static void coarse_pair(test_random *random, triangle_case *out)
{
    grid_pair(random, 8, 4.0, out);
}

/* Permutes the corners of each triangle, and the triangles, so that no generator favours one order. */
static void shuffle(test_random *random, triangle_case *out)
{
    for (int side = 0; side < 2; side++)
    {
        int i = random_below(random, 3), j = random_below(random, 3);
        double kept[3];
        memcpy(kept, out->corners[side][i], sizeof kept);
        memmove(out->corners[side][i], out->corners[side][j], sizeof kept);
        memcpy(out->corners[side][j], kept, sizeof kept);
    }
    if (random_once_in(random, 2))
    {
        double kept[3][3];
        memcpy(kept, out->corners[0], sizeof kept);
        memcpy(out->corners[0], out->corners[1], sizeof kept);
        memcpy(out->corners[1], kept, sizeof kept);
    }
}

static void share_corners(test_random *random, int count, triangle_case *out)
{
    coarse_pair(random, out);
    for (int i = 0; i < count; i++)
        memcpy(out->corners[1][i], out->corners[0][i], sizeof out->corners[1][i]);
    shuffle(random, out);
}

void make_shared_vertex(test_random *random, triangle_case *out)
{
    share_corners(random, 1, out);
}

void make_shared_edge(test_random *random, triangle_case *out)
{
    share_corners(random, 2, out);
}

void make_shared_triangle(test_random *random, triangle_case *out)
{
    share_corners(random, 3, out);
}

void make_coplanar_axis(test_random *random, triangle_case *out)
{
    grid_pair(random, 1 << random_between(random, 2, 4), 1.0, out);
    int axis = random_below(random, 3);
    double level = random_between(random, -3, 3);
    for (int i = 0; i < 6; i++)
        out->corners[i / 3][i % 3][axis] = level;
}

/* All six corners are origin + i u + j v, with small integers everywhere; u = v makes them collinear. */
static void lattice_pair(test_random *random, const int u[3], const int v[3], triangle_case *out)
{
    no_poses(out);
    int origin[3] = {random_between(random, -9, 9), random_between(random, -9, 9), random_between(random, -9, 9)};
    for (int corner = 0; corner < 6; corner++)
    {
        int i = random_between(random, -5, 5), j = random_between(random, -5, 5);
        for (int c = 0; c < 3; c++)
            out->corners[corner / 3][corner % 3][c] = origin[c] + i * u[c] + j * v[c];
    }
}

static void random_step(test_random *random, int step[3])
{
    for (int c = 0; c < 3; c++)
        step[c] = random_between(random, -4, 4);
}

void make_coplanar_tilted(test_random *random, triangle_case *out)
{
    int u[3], v[3];
    random_step(random, u);
    random_step(random, v);
    lattice_pair(random, u, v, out);
}

void make_collinear(test_random *random, triangle_case *out)
{
    int u[3];
    random_step(random, u);
    lattice_pair(random, u, u, out);
    /* Lift no corner, one corner of one triangle, or one of each. */
    int lifted = random_below(random, 3);
    for (int side = 0; side < lifted; side++)
        for (int c = 0; c < 3; c++)
            out->corners[side][0][c] += random_between(random, -3, 3);
    shuffle(random, out);
}

/* Makes a triangle a segment: its third corner at an end or in the middle of the two others. */
static void make_segment(test_random *random, double corners[3][3])
{
    int where = random_below(random, 5);
    for (int c = 0; c < 3; c++)
        corners[2][c] = corners[0][c] + (corners[1][c] - corners[0][c]) * where / 4;
}

static void make_point(double corners[3][3])
{
    memcpy(corners[1], corners[0], sizeof corners[1]);
    memcpy(corners[2], corners[0], sizeof corners[2]);
}

/* a + (b - a) * quarters / 4 */
static void put_between(double out[3], const double a[3], const double b[3], int quarters)
{
    for (int c = 0; c < 3; c++)
        out[c] = a[c] + (b[c] - a[c]) * quarters / 4;
}

void make_segments(test_random *random, triangle_case *out)
{
    coarse_pair(random, out);
    make_segment(random, out->corners[0]);
    make_segment(random, out->corners[1]);
    if (random_once_in(random, 4))
        return;
    /* Through a point of the other one: plus and minus the same step, or along the same line. */
    double(*a)[3] = out->corners[0], (*b)[3] = out->corners[1];
    int where = random_between(random, 0, 4), along = random_below(random, 3);
    for (int c = 0; c < 3; c++)
    {
        double middle = a[0][c] + (a[1][c] - a[0][c]) * where / 4;
        double step = along == 0 ? (a[1][c] - a[0][c]) / 4 : random_between(random, -3, 3);
        b[0][c] = middle - 4 * step;
        b[1][c] = along == 1 ? middle : middle + 4 * step;
    }
    make_segment(random, b);
    shuffle(random, out);
}

void make_segment_triangle(test_random *random, triangle_case *out)
{
    coarse_pair(random, out);
    double(*a)[3] = out->corners[0], (*b)[3] = out->corners[1];
    double on_edge[3], inside[3];
    put_between(on_edge, a[1], a[2], 2 * random_below(random, 3));
    put_between(inside, a[0], on_edge, 2 * random_below(random, 3));
    switch (random_below(random, 4))
    {
    case 0: /* pierces, or ends at, a point of the triangle */
        put_between(b[1], b[0], inside, random_once_in(random, 2) ? 4 : 8);
        break;
    case 1: /* runs in the plane of the triangle */
        memcpy(b[0], inside, sizeof inside);
        put_between(b[1], inside, a[random_below(random, 3)], random_between(random, -8, 8));
        break;
    case 2: /* runs along an edge's line */
        put_between(b[0], a[0], a[1], random_between(random, -8, 8));
        put_between(b[1], a[0], a[1], random_between(random, -8, 8));
        break;
    default:
        break;
    }
    make_segment(random, b);
    shuffle(random, out);
}

void make_points(test_random *random, triangle_case *out)
{
    coarse_pair(random, out);
    double(*a)[3] = out->corners[0], (*b)[3] = out->corners[1];
    int other = random_below(random, 3);
    if (other == 0)
        make_point(a);
    if (other == 1)
        make_segment(random, a);
    put_between(b[0], a[1], a[2], random_between(random, -1, 5));
    put_between(b[0], a[0], b[0], random_between(random, -1, 5));
    if (random_once_in(random, 4))
        b[0][random_below(random, 3)] += 1;
    make_point(b);
    shuffle(random, out);
}

void make_corner_on_edge(test_random *random, triangle_case *out)
{
    coarse_pair(random, out);
    put_between(out->corners[1][0], out->corners[0][0], out->corners[0][1], random_between(random, 1, 3));
    shuffle(random, out);
}

void make_corner_on_face(test_random *random, triangle_case *out)
{
    coarse_pair(random, out);
    double middle[3];
    put_between(middle, out->corners[0][0], out->corners[0][1], 2);
    put_between(out->corners[1][0], middle, out->corners[0][2], random_between(random, 1, 3));
    shuffle(random, out);
}

void make_edge_through_edge(test_random *random, triangle_case *out)
{
    coarse_pair(random, out);
    int before = random_between(random, 1, 3), after = random_between(random, 1, 3);
    double meeting[3];
    put_between(meeting, out->corners[0][0], out->corners[0][1], random_between(random, 1, 3));
    for (int c = 0; c < 3; c++)
    {
        int step = random_between(random, -4, 4);
        out->corners[1][0][c] = meeting[c] - before * step;
        out->corners[1][1][c] = meeting[c] + after * step;
    }
    shuffle(random, out);
}

/* Real coordinates in general position, an edge of B aimed through A. */
void make_crossing(test_random *random, triangle_case *out)
{
    no_poses(out);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            out->corners[i / 3][i % 3][c] = random_real(random, -1.0, 1.0);
    double u = random_unit(random), v = random_unit(random) * (1.0 - u);
    for (int c = 0; c < 3; c++)
    {
        const double *a = &out->corners[0][0][c];
        double target = a[0] + u * (a[3] - a[0]) + v * (a[6] - a[0]);
        out->corners[1][1][c] = 2.0 * target - out->corners[1][0][c];
    }
}

/* Real coordinates, a corner of B in the plane of A up to rounding. */
void make_near_miss(test_random *random, triangle_case *out)
{
    make_crossing(random, out);
    double u = random_real(random, -0.2, 1.0), v = random_real(random, -0.2, 1.0);
    for (int c = 0; c < 3; c++)
    {
        const double *a = &out->corners[0][0][c];
        out->corners[1][0][c] = a[0] + u * (a[3] - a[0]) + v * (a[6] - a[0]);
    }
}

/* Corners off a common plane by about the rounding error of a determinant: just within or beyond the filter's bound. */
void make_grazing(test_random *random, triangle_case *out)
{
    no_poses(out);
    double u[3], v[3], origin[3], size = ldexp(1.0, random_between(random, -20, 20));
    for (int c = 0; c < 3; c++)
    {
        u[c] = random_real(random, -1.0, 1.0) * size;
        v[c] = random_real(random, -1.0, 1.0) * size;
        origin[c] = random_real(random, -1.0, 1.0) * size;
    }
    double lift = ldexp(size, -random_between(random, 44, 56));
    int axis = random_below(random, 3);
    for (int i = 0; i < 6; i++)
    {
        double s = random_real(random, -1.0, 1.0), t = random_real(random, -1.0, 1.0);
        for (int c = 0; c < 3; c++)
            out->corners[i / 3][i % 3][c] = origin[c] + s * u[c] + t * v[c];
        out->corners[i / 3][i % 3][axis] += lift * random_between(random, -1, 1);
    }
}

void make_any_contact(test_random *random, triangle_case *out)
{
    static make_function *const makers[] = {
        make_grid_2_bits,    make_grid_3_bits, make_shared_vertex,   make_shared_edge,      make_shared_triangle,
        make_coplanar_axis,  make_collinear,   make_coplanar_tilted, make_segments,         make_segment_triangle,
        make_corner_on_edge, make_points,      make_corner_on_face,  make_edge_through_edge};
    makers[random_below(random, (int)(sizeof makers / sizeof *makers))](random, out);
}

double one_ulp(test_random *random, double value)
{
    return nextafter(value, random_once_in(random, 2) ? DBL_MAX : -DBL_MAX);
}

/* Moves some coordinates by one ulp. */
static void nudge(test_random *random, triangle_case *out)
{
    int odds = random_between(random, 1, 9);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            if (random_once_in(random, odds))
                out->corners[i / 3][i % 3][c] = one_ulp(random, out->corners[i / 3][i % 3][c]);
}

static void scale(triangle_case *out, double factor, double shift)
{
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            out->corners[i / 3][i % 3][c] = out->corners[i / 3][i % 3][c] * factor + shift;
}

void make_nudged(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    scale(out, 1.0, 64.0); /* away from 0, where one ulp is tiny */
    nudge(random, out);
}

void make_nudged_real(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    scale(out, random_real(random, 0.1, 1.0), random_real(random, -1.0, 1.0));
    nudge(random, out);
}

void make_scaled(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    scale(out, pow(10.0, random_real(random, -12.0, 12.0)), 0.0);
    if (random_once_in(random, 3))
        nudge(random, out);
}

void make_scaled_exactly(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    scale(out, ldexp(1.0, random_between(random, -1000, 1000)), 0.0);
    if (random_once_in(random, 3))
        nudge(random, out);
}

void make_denormal(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    scale(out, ldexp(1.0, random_between(random, -1074, -1060)), 0.0);
    if (random_once_in(random, 3))
        nudge(random, out);
}

void make_huge(test_random *random, triangle_case *out)
{
    make_any_contact(random, out);
    scale(out, random_once_in(random, 2) ? 1e300 : ldexp(1.0, random_between(random, 990, 1015)), 0.0);
    if (random_once_in(random, 3))
        nudge(random, out);
}

/* Coordinates up to the largest double: a grid from -DBL_MAX to DBL_MAX in halves or quarters. */
void make_largest(test_random *random, triangle_case *out)
{
    grid_pair(random, random_once_in(random, 2) ? 5 : 9, 1.0, out);
    bool five = true;
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            five = five && out->corners[i / 3][i % 3][c] <= 4.0;
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
        {
            double *x = &out->corners[i / 3][i % 3][c];
            *x = five ? (*x - 2.0) * (DBL_MAX / 2) : (*x - 4.0) * (DBL_MAX / 4);
        }
    if (random_once_in(random, 3))
        for (int i = 0; i < 6; i++)
            out->corners[i / 3][i % 3][0] = nextafter(out->corners[i / 3][i % 3][0], 0.0);
}

/* Each coordinate from a few values at both ends and in the middle of the range. */
void make_mixed_magnitudes(test_random *random, triangle_case *out)
{
    static const double values[] = {0.0, 0x1p-1074, 0x1p-1073, 3e-308, 1e-150, 1.0, 2.0, 1e16, 1e150, 1e300, DBL_MAX};
    no_poses(out);
    int count = (int)(sizeof values / sizeof *values);
    double pool[3];
    for (int i = 0; i < 3; i++)
        pool[i] = values[random_below(random, count)];
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
        {
            double value = pool[random_below(random, 3)];
            out->corners[i / 3][i % 3][c] = random_once_in(random, 2) ? -value : value;
        }
}

/* Any finite doubles; one corner shared or aimed at, so that some intersect. */
void make_any_bits(test_random *random, triangle_case *out)
{
    no_poses(out);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 3; c++)
            out->corners[i / 3][i % 3][c] = random_bits_double(random);
    if (random_once_in(random, 3))
        for (int side = 0; side < 2; side++)
            for (int c = 0; c < 3; c++)
                out->corners[side][1][c] = -out->corners[side][0][c];
    if (random_once_in(random, 3))
        memcpy(out->corners[1][0], out->corners[0][0], sizeof out->corners[1][0]);
    shuffle(random, out);
}
