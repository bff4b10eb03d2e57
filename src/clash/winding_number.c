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

#include "clash/boundary_winding.h"
#include "clash/vector.h"

enum
{
    SAMPLES = 256,          /* triangles of a part at most, spread over all */
    LEAST_SAMPLES = 16,     /* however many open edges there are */
    SOLID_ANGLES = 1 << 22, /* of all samples: about a tenth of a second */
    FEW_TRIANGLES = 256     /* up to so many are summed one by one */
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

/* A part that is taken as closed. */
typedef struct assumed_part
{
    const graze_context *context;
    const grz_clash_part *part;
    grz_clash_boundary boundary; /* of a part with many triangles */
    graze_status status;         /* of all winding numbers so far */
} assumed_part;

static bool is_large(const grz_clash_part *part)
{
    return part->triangle_count > FEW_TRIANGLES;
}

static assumed_part assume_part(const graze_context *context, const grz_clash_part *part)
{
    assumed_part assumed = {.context = context, .part = part, .status = GRAZE_STATUS_OK};
    if (is_large(part) && !grz_clash_boundary_make(context, part, &assumed.boundary))
        assumed.status = GRAZE_STATUS_OUT_OF_MEMORY;
    return assumed;
}

/* Whether a point lies in a part, whatever the orientation of its triangles. */
static bool holds(assumed_part *assumed, vector point)
{
    const grz_clash_part *part = assumed->part;
    const double p[3] = {point.x, point.y, point.z};
    double winding = 0;
    for (int axis = 0; axis < 3; axis++)
        if (!(p[axis] >= part->lower[axis] && p[axis] <= part->upper[axis]))
            return false;
    if (assumed->status != GRAZE_STATUS_OK)
        return false;
    if (is_large(part))
        assumed->status = grz_clash_boundary_winding(assumed->context, &assumed->boundary, p, &winding);
    else
        winding = grz_clash_winding_number(part, p);
    return assumed->status == GRAZE_STATUS_OK && fabs(winding) > 0.5;
}

/* Whether a point beside a triangle of `inner` lies in both parts, or, if `inner` is a surface, points on both sides of
 * the triangle lie in `outer`. */
static bool is_common(assumed_part *inner, assumed_part *outer, size_t triangle, vector *out_point)
{
    vector c[3];
    place_triangle(inner->part, triangle, c);
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
        if (!holds(outer, point) || (!inner->part->is_surface && !holds(inner, point)))
            continue;
        *out_point = point;
        held++;
    }
    return held == 2 || (held == 1 && !inner->part->is_surface);
}

/* Samples one part's triangles against the other, which is not closed. */
static void sample(assumed_part *inner, assumed_part *outer, bool *out_all, grz_clash_assumed *assumed)
{
    size_t angles = FEW_TRIANGLES + inner->boundary.count + outer->boundary.count, tried = 0, common = 0;
    size_t triangle_count = inner->part->triangle_count, affordable = SOLID_ANGLES / angles;
    size_t most = affordable > SAMPLES ? SAMPLES : affordable < LEAST_SAMPLES ? LEAST_SAMPLES : affordable;
    size_t count = triangle_count < most ? triangle_count : most;
    for (size_t i = 0; i < count; i++)
    {
        vector point = {0, 0, 0};
        bool found = is_common(inner, outer, (size_t)((double)i / (double)count * (double)triangle_count), &point);
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

graze_status grz_clash_assume_closed(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                     grz_clash_assumed *out_assumed)
{
    grz_clash_assumed assumed = {.overlap = false};
    assumed_part sides[2] = {assume_part(context, a), assume_part(context, b)};
    if (has_doubtful_inside(b))
        sample(&sides[0], &sides[1], &assumed.a_in_b, &assumed);
    if (has_doubtful_inside(a))
        sample(&sides[1], &sides[0], &assumed.b_in_a, &assumed);
    grz_clash_boundary_release(context, &sides[0].boundary);
    grz_clash_boundary_release(context, &sides[1].boundary);
    *out_assumed = assumed;
    return sides[0].status != GRAZE_STATUS_OK ? sides[0].status : sides[1].status;
}
