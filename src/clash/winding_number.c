/* SPDX-License-Identifier: MIT */
/*
 * The generalised winding number (A. Jacobson, L. Kavan, O. Sorkine-Hornung, Robust inside-outside segmentation using
 * generalized winding numbers, 2013): the sum of the signed solid angles of all triangles over 4 pi. Solid angles are
 * those of A. van Oosterom, J. Strackee, The solid angle of a plane triangle, 1983: tan(angle/2) = a . (b x c) /
 * (|a||b||c| + (a . b)|c| + (b . c)|a| + (c . a)|b|). Rounded sums throughout: the results are estimates, and only
 * --assume-closed uses them.
 *
 * Where two bodies overlap whose surfaces do not cross, a piece of one surface lies inside the other body, or both
 * bodies are the same: in any case a point close to some triangle lies in both. So points on either side of some
 * triangles are sampled.
 */
#include "clash/winding_number.h"

#include <string.h>

#include "clash/vector.h"

enum
{
    SAMPLES = 256,         /* triangles of a part at most, spread over all */
    LEAST_SAMPLES = 16,    /* however large the other part is */
    SOLID_ANGLES = 1 << 24 /* about half a second */
};

static const double four_pi = 12.566370614359172;
static const double offset = 1e-4; /* of a sample from its triangle, in terms of the triangle's size */

static void place_triangle(const grz_clash_part *part, size_t triangle, vector out_corners[3])
{
    const double *vertices = graze_mesh_vertices(part->placed.mesh);
    const uint32_t *corners = graze_mesh_triangles(part->placed.mesh) + 3 * triangle;
    for (int k = 0; k < 3; k++)
        out_corners[k] = vector_place(&part->placed.pose, vertices + 3 * (size_t)corners[k]);
}

static double solid_angle(const vector corners[3], vector point)
{
    vector a = vector_sub(corners[0], point), b = vector_sub(corners[1], point), c = vector_sub(corners[2], point);
    double x = vector_length(a), y = vector_length(b), z = vector_length(c);
    double below = x * y * z + vector_dot(a, b) * z + vector_dot(b, c) * x + vector_dot(c, a) * y;
    double angle = 2 * atan2(vector_dot(a, vector_cross(b, c)), below);
    return isfinite(angle) ? angle : 0;
}

double grz_clash_winding_number(const grz_clash_part *part, const double point[3])
{
    double sum = 0;
    for (size_t i = 0; i < part->triangle_count; i++)
    {
        vector corners[3];
        place_triangle(part, i, corners);
        sum += solid_angle(corners, vector_make(point[0], point[1], point[2]));
    }
    return sum / four_pi;
}

/* Whether a point lies in a part that is taken as closed, whatever the orientation of its triangles. */
static bool holds(const grz_clash_part *part, vector point)
{
    const double p[3] = {point.x, point.y, point.z};
    for (int axis = 0; axis < 3; axis++)
        if (!(p[axis] >= part->lower[axis] && p[axis] <= part->upper[axis]))
            return false;
    return fabs(grz_clash_winding_number(part, p)) > 0.5;
}

/* Whether a point beside a triangle of `inner` lies in both parts, or, if `inner` is a surface, points on both sides of
 * the triangle lie in `outer`. */
static bool is_common(const grz_clash_part *inner, const grz_clash_part *outer, size_t triangle, vector *out_point)
{
    vector c[3];
    place_triangle(inner, triangle, c);
    vector cross = vector_cross(vector_sub(c[1], c[0]), vector_sub(c[2], c[0]));
    double length = vector_length(cross);
    if (!(length > 0) || !isfinite(length))
        return false;
    vector centre = vector_scale(1.0 / 3, vector_add(c[0], vector_add(c[1], c[2])));
    vector step = vector_scale(offset / sqrt(length), cross);
    int held = 0;
    for (int side = -1; side <= 1; side += 2)
    {
        vector point = vector_add(centre, vector_scale(side, step));
        if (!holds(outer, point) || (!inner->is_surface && !holds(inner, point)))
            continue;
        *out_point = point;
        held++;
    }
    return held == 2 || (held == 1 && !inner->is_surface);
}

/* Samples one part's triangles against the other, which is not closed. */
static void sample(const grz_clash_part *inner, const grz_clash_part *outer, bool *out_all, grz_clash_assumed *assumed)
{
    size_t triangles = outer->triangle_count + inner->triangle_count, tried = 0, common = 0;
    size_t affordable = triangles > 0 ? SOLID_ANGLES / triangles : SAMPLES;
    size_t most = affordable > SAMPLES ? SAMPLES : affordable < LEAST_SAMPLES ? LEAST_SAMPLES : affordable;
    size_t count = inner->triangle_count < most ? inner->triangle_count : most;
    for (size_t i = 0; i < count; i++)
    {
        vector point = {0, 0, 0};
        bool found =
            is_common(inner, outer, (size_t)((double)i / (double)count * (double)inner->triangle_count), &point);
        if (found && !assumed->overlap)
            memcpy(assumed->point, (const double[3]){point.x, point.y, point.z}, sizeof assumed->point);
        assumed->overlap = assumed->overlap || found;
        common += found;
        tried++;
    }
    *out_all = tried > 0 && common == tried;
}

static bool has_doubtful_inside(const grz_clash_part *part)
{
    return !part->closed && !part->is_surface;
}

grz_clash_assumed grz_clash_assume_closed(const grz_clash_part *a, const grz_clash_part *b)
{
    grz_clash_assumed assumed = {.overlap = false};
    if (has_doubtful_inside(b))
        sample(a, b, &assumed.a_in_b, &assumed);
    if (has_doubtful_inside(a))
        sample(b, a, &assumed.b_in_a, &assumed);
    return assumed;
}
