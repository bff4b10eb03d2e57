/* SPDX-License-Identifier: MIT */
/*
 * Area, volume, centre of mass and inertia. The volume integrals are sums over triangles by the divergence theorem:
 * each spans a tetrahedron with a common point, the centre of the bounds. For a tetrahedron 0abc of six times the
 * volume D, and for a triangle abc of area A, with s = a + b + c:
 *
 *     integral of x        =  D/24 s                                       or  A/3 s
 *     integral of x_i x_j  =  D/120 (s_i s_j + a_i a_j + b_i b_j + c_i c_j)  or  A/12 (...)
 *
 * Coordinates are scaled to about 1 by a power of two, so nothing overflows, and everything is summed in double-double.
 * The surface's area needs one square root a triangle, in double: 2e-16 relative.
 */
#include <float.h>
#include <math.h>

#include "base/double_double.h"
#include "mesh/examine.h"

/* Frame of the sums: x becomes (x - centre) * 2^-exponent. */
typedef struct sum_frame
{
    double centre[3];
    int exponent;
} sum_frame;

typedef struct moments
{
    grz_dd six_volumes, two_areas;
    double volume_size;               /* sum of the magnitudes of its terms */
    grz_dd mass, first[3], second[6]; /* of the solid or of the surface; second: xx yy zz xy yz zx */
} moments;

static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};

static sum_frame make_frame(const graze_mesh *mesh)
{
    sum_frame result = {{0, 0, 0}, 0};
    double extent = 0;
    for (int i = 0; i < 3; i++)
    {
        result.centre[i] = 0.5 * mesh->lower[i] + 0.5 * mesh->upper[i];
        extent = fmax(extent, fmax(mesh->upper[i] - result.centre[i], result.centre[i] - mesh->lower[i]));
    }
    frexp(extent, &result.exponent);
    if (result.exponent < -1000)
        result.exponent = -1000;
    return result;
}

static void place_in_frame(const sum_frame *frame, const double *vertex, grz_dd out[3])
{
    for (int i = 0; i < 3; i++)
    {
        grz_dd difference = dd_two_sum(vertex[i], -frame->centre[i]);
        out[i] = (grz_dd){ldexp(difference.high, -frame->exponent), ldexp(difference.low, -frame->exponent)};
    }
}

static grz_dd determinant(grz_dd corners[3][3], grz_dd normal[3])
{
    grz_dd sum = {0, 0};
    for (int i = 0; i < 3; i++)
        sum = dd_add(sum, dd_multiply(corners[0][i], normal[i]));
    return sum;
}

/* (b - a) x (c - a): twice the area; its product with a is six times the volume of 0abc. */
static void normal_of(grz_dd corners[3][3], grz_dd out_normal[3])
{
    grz_dd p[3], q[3];
    for (int i = 0; i < 3; i++)
    {
        p[i] = dd_subtract(corners[1][i], corners[0][i]);
        q[i] = dd_subtract(corners[2][i], corners[0][i]);
    }
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out_normal[i] = dd_subtract(dd_multiply(p[j], q[k]), dd_multiply(p[k], q[j]));
    }
}

/* The length of a vector of numbers up to about 4, also where squares would underflow. */
static double length_of(const grz_dd v[3])
{
    double largest = fmax(fabs(v[0].high), fmax(fabs(v[1].high), fabs(v[2].high))), sum = 0;
    if (largest == 0)
        return 0;
    int exponent;
    frexp(largest, &exponent);
    for (int i = 0; i < 3; i++)
    {
        double x = ldexp(v[i].high, -exponent);
        sum += x * x;
    }
    return ldexp(sqrt(sum), exponent);
}

/* Adds a weight times s and times the sums of products; the constant factors come at the end. */
static void add_moments(moments *sums, grz_dd weight, grz_dd corners[3][3])
{
    grz_dd s[3];
    for (int i = 0; i < 3; i++)
        s[i] = dd_add(dd_add(corners[0][i], corners[1][i]), corners[2][i]);
    sums->mass = dd_add(sums->mass, weight);
    for (int i = 0; i < 3; i++)
        sums->first[i] = dd_add(sums->first[i], dd_multiply(weight, s[i]));
    for (int k = 0; k < 6; k++)
    {
        int i = pairs[k][0], j = pairs[k][1];
        grz_dd product = dd_multiply(s[i], s[j]);
        for (int c = 0; c < 3; c++)
            product = dd_add(product, dd_multiply(corners[c][i], corners[c][j]));
        sums->second[k] = dd_add(sums->second[k], dd_multiply(weight, product));
    }
}

/* Results beyond the largest finite number become that number. */
static double unscale(double x, int exponent)
{
    double result = ldexp(x, exponent);
    return isfinite(result) ? result : copysign(DBL_MAX, x);
}

/* From moments about the frame's centre to centre of mass and inertia about it. The factors are those of mass, first
 * and second moments; `dimension` is 3 for the solid, 2 for the surface. */
static void conclude(const sum_frame *frame, const moments *sums, const double factors[3], int dimension,
                     graze_mesh_facts *facts)
{
    double mass = sums->mass.high * factors[0], mean[3], second[6];
    for (int i = 0; i < 3; i++)
    {
        mean[i] = sums->first[i].high * factors[1] / mass;
        double shift = unscale(mean[i], frame->exponent);
        facts->centre_of_mass[i] = frame->centre[i] + shift;
    }
    for (int k = 0; k < 6; k++)
    {
        int i = pairs[k][0], j = pairs[k][1];
        grz_dd moved = dd_scale(dd_multiply(sums->first[i], sums->first[j]), factors[1] * factors[1] / mass);
        second[k] = dd_subtract(dd_scale(sums->second[k], factors[2]), moved).high;
        if (mass < 0)
            second[k] = -second[k];
    }
    const double tensor[6] = {
        second[1] + second[2], second[2] + second[0], second[0] + second[1], -second[3], -second[4], -second[5]};
    for (int k = 0; k < 6; k++)
        facts->inertia[k] = unscale(tensor[k], (dimension + 2) * frame->exponent);
}

static moments sum_moments(const graze_mesh *mesh, const sum_frame *frame, bool of_solid, grz_monitor *monitor)
{
    moments sums = {0};
    for (size_t t = 0; t < mesh->triangle_count && grz_monitor_elements(monitor, 1); t++)
    {
        grz_dd corners[3][3], normal[3];
        for (int c = 0; c < 3; c++)
            place_in_frame(frame, grz_mesh_vertex(mesh, mesh->triangles[3 * t + (size_t)c]), corners[c]);
        normal_of(corners, normal);
        grz_dd volume = determinant(corners, normal), area = {length_of(normal), 0};
        sums.six_volumes = dd_add(sums.six_volumes, volume);
        sums.two_areas = dd_add(sums.two_areas, area);
        for (int i = 0; i < 3; i++)
            sums.volume_size += fabs(corners[0][i].high * normal[i].high);
        add_moments(&sums, of_solid ? volume : area, corners);
    }
    return sums;
}

void grz_mass_properties(const graze_mesh *mesh, grz_monitor *monitor, graze_mesh_facts *facts)
{
    if (mesh->triangle_count == 0)
        return;
    sum_frame frame = make_frame(mesh);
    bool solid = facts->closed && facts->oriented;
    moments sums = sum_moments(mesh, &frame, solid, monitor);
    facts->area = unscale(sums.two_areas.high / 2, 2 * frame.exponent);
    facts->volume = unscale(sums.six_volumes.high / 6, 3 * frame.exponent);

    /* Relative error bounds: about 2^-98 for each term, 2^-104 of the sum of all for each addition. */
    double bound = sums.volume_size * ldexp((double)mesh->triangle_count + 64, -100);
    facts->solid_mass = solid && fabs(sums.six_volumes.high) > bound;
    if (solid && !facts->solid_mass)
        sums = sum_moments(mesh, &frame, false, monitor);
    const double solid_factors[3] = {1.0 / 6, 1.0 / 24, 1.0 / 120}, surface_factors[3] = {1.0 / 2, 1.0 / 6, 1.0 / 24};
    if (facts->solid_mass)
        conclude(&frame, &sums, solid_factors, 3, facts);
    else if (sums.two_areas.high > 0)
        conclude(&frame, &sums, surface_factors, 2, facts);
    else
        for (int i = 0; i < 3; i++)
            facts->centre_of_mass[i] = frame.centre[i];
}
