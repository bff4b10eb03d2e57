/* SPDX-License-Identifier: MIT */
/*
 * Point and normal of an impact; see impact_estimate.h. Nothing here decides anything.
 *
 * The point is midway between the closest points at the time of impact. The normal is that of a face that takes part,
 * or the product of two edges, or the line between the closest points shortly before; that line says on which side B
 * is.
 */
#include "motion/impact_estimate.h"

#include <float.h>
#include <math.h>

#include "math/vector.h"
#include "mesh/mesh.h"
#include "simd/distance.h"

void grz_moving_corners(const graze_moving_mesh *moving, uint32_t triangle, double t, double out[3][3])
{
    const graze_motion *motion = &moving->motion;
    graze_pose pose = graze_pose_identity();
    (void)graze_motion_pose(motion, t, &pose, NULL); /* checked before */
    for (int corner = 0; corner < 3; corner++)
    {
        uint32_t vertex = moving->mesh->triangles[3 * (size_t)triangle + (size_t)corner];
        if (moving->end_mesh == NULL)
        {
            graze_pose_apply(&pose, grz_mesh_vertex(moving->mesh, vertex), out[corner]);
            continue;
        }
        double from[3], to[3];
        graze_pose_apply(&motion->start, grz_mesh_vertex(moving->mesh, vertex), from);
        graze_pose_apply(motion->kind == GRAZE_MOTION_STILL ? &motion->start : &motion->end,
                         grz_mesh_vertex(moving->end_mesh, vertex), to);
        for (int k = 0; k < 3; k++)
            out[corner][k] = (1 - t) * from[k] + t * to[k];
    }
}

typedef struct closest_points
{
    v3 a, b;
} closest_points;

static closest_points closest(double a[3][3], double b[3][3])
{
    grz_triangle_pairs8 pairs;
    grz_closest8 found;
    for (int corner = 0; corner < 3; corner++)
        for (int k = 0; k < 3; k++)
            for (int lane = 0; lane < GRZ_LANES; lane++)
            {
                pairs.a[corner][k][lane] = a[corner][k] - a[0][k];
                pairs.b[corner][k][lane] = b[corner][k] - a[0][k];
            }
    grz_distance_kernels_for(GRAZE_INSTRUCTIONS_BEST)->triangles(&pairs, 0, &found);
    v3 origin = {a[0][0], a[0][1], a[0][2]};
    v3 p = {found.point_a[0][0], found.point_a[1][0], found.point_a[2][0]};
    v3 q = {found.point_b[0][0], found.point_b[1][0], found.point_b[2][0]};
    return (closest_points){v3_add(p, origin), v3_add(q, origin)};
}

static v3 corner_of(double corners[3][3], int i)
{
    return (v3){corners[i][0], corners[i][1], corners[i][2]};
}

static v3 face_normal(double corners[3][3])
{
    return v3_cross(v3_sub(corner_of(corners, 1), corner_of(corners, 0)),
                    v3_sub(corner_of(corners, 2), corner_of(corners, 0)));
}

/* The direction of the edge whose corners are in the mask. */
static v3 edge_of(double corners[3][3], unsigned mask)
{
    int from = (mask & 1) != 0 ? 0 : 1, to = (mask & 4) != 0 ? 2 : 1;
    return v3_sub(corner_of(corners, to), corner_of(corners, from));
}

static double length(v3 x)
{
    return sqrt(v3_dot(x, x));
}

/* From A to B shortly before the impact, or, at the start, from centre to centre of the triangles, where they are. */
static v3 direction_before(const graze_moving_mesh *a, const graze_moving_mesh *b, const graze_impact *impact,
                           double at_a[3][3], double at_b[3][3])
{
    double corners_a[3][3], corners_b[3][3];
    for (int power = -30; impact->lower > 0 && power < 0; power += 6)
    {
        double t = impact->lower * (1 - ldexp(1, power));
        grz_moving_corners(a, impact->hit.triangle_a, t, corners_a);
        grz_moving_corners(b, impact->hit.triangle_b, t, corners_b);
        closest_points points = closest(corners_a, corners_b);
        v3 between = v3_sub(points.b, points.a);
        double size = 0;
        for (int i = 0; i < 3; i++)
            size = fmax(size, length(corner_of(corners_a, i)) + length(corner_of(corners_b, i)));
        if (length(between) > 1e-12 * size)
            return between;
    }
    v3 sum = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        sum = v3_add(sum, v3_sub(corner_of(at_b, i), corner_of(at_a, i)));
    return sum;
}

void grz_impact_estimate(const graze_moving_mesh *a, const graze_moving_mesh *b, graze_impact *impact)
{
    double corners_a[3][3], corners_b[3][3];
    const graze_triangle_contact *contact = &impact->hit.contact;
    grz_moving_corners(a, impact->hit.triangle_a, impact->lower, corners_a);
    grz_moving_corners(b, impact->hit.triangle_b, impact->lower, corners_b);
    closest_points points = closest(corners_a, corners_b);
    v3 before = direction_before(a, b, impact, corners_a, corners_b), normal = before;
    if (contact->feature_a == GRAZE_FEATURE_FACE)
        normal = face_normal(corners_a);
    else if (contact->feature_b == GRAZE_FEATURE_FACE)
        normal = face_normal(corners_b);
    else if (contact->feature_a == GRAZE_FEATURE_EDGE && contact->feature_b == GRAZE_FEATURE_EDGE)
        normal = v3_cross(edge_of(corners_a, contact->mask_a), edge_of(corners_b, contact->mask_b));
    double size = length(normal);
    if (!(size > DBL_MIN))
    {
        normal = before;
        size = length(normal);
    }
    double sign = v3_dot(normal, before) < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        impact->normal[k] = 0;
    if (size > DBL_MIN && size < DBL_MAX)
    {
        impact->normal[0] = sign * normal.x / size + 0.0;
        impact->normal[1] = sign * normal.y / size + 0.0;
        impact->normal[2] = sign * normal.z / size + 0.0;
    }
    impact->point[0] = 0.5 * points.a.x + 0.5 * points.b.x;
    impact->point[1] = 0.5 * points.a.y + 0.5 * points.b.y;
    impact->point[2] = 0.5 * points.a.z + 0.5 * points.b.z;
}

void grz_impact_estimate_rounded(const graze_moving_mesh *a, const graze_moving_mesh *b, const double radii[2],
                                 graze_impact *impact)
{
    double corners_a[3][3], corners_b[3][3];
    grz_moving_corners(a, impact->hit.triangle_a, impact->upper, corners_a);
    grz_moving_corners(b, impact->hit.triangle_b, impact->upper, corners_b);
    closest_points points = closest(corners_a, corners_b);
    v3 between = v3_sub(points.b, points.a);
    double distance = length(between);
    if (!(distance > 0x1p-500 && distance < 0x1p500))
        return; /* squares out of range */
    double part = fmin(fmax(0.5 * (distance + radii[0] - radii[1]) / distance, 0), 1);
    impact->point[0] = points.a.x + part * between.x;
    impact->point[1] = points.a.y + part * between.y;
    impact->point[2] = points.a.z + part * between.z;
}
