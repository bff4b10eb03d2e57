/* SPDX-License-Identifier: MIT */
/*
 * What a triangle sweeps over, exactly. With corners P at the start of the way and Q at its end it is a prism, the
 * union of three tetrahedra P0 P1 P2 Q2, P0 P1 Q1 Q2, P0 Q0 Q1 Q2; corners at the start and at the end are placed by
 * poses of doubles, so that the predicates of src/exact take them as they are. A triangle meets a tetrahedron where it
 * meets one of its four faces, or where a corner of it lies inside. Flat tetrahedra are their faces.
 */
#include "exact/contact.h"
#include "exact/distance.h"
#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "shape/cast.h"

/* Poses of B at both ends, and the sum of radii. */
typedef struct swept_surfaces
{
    const grz_cast_part *a, *b;
    graze_pose ends[2];
    double radii[2];
    bool thin; /* without radii */
} swept_surfaces;

/* A point of a prism: which corner, at which end. */
typedef struct prism_corner
{
    int corner, end;
} prism_corner;

static const prism_corner tetrahedra[3][4] = {
    {{0, 0}, {1, 0}, {2, 0}, {2, 1}}, {{0, 0}, {1, 0}, {1, 1}, {2, 1}}, {{0, 0}, {0, 1}, {1, 1}, {2, 1}}};

static const double *corner_of(const grz_cast_part *part, uint32_t triangle, int corner)
{
    return grz_mesh_vertex(part->mesh, part->mesh->triangles[3 * (size_t)(part->first + triangle) + (size_t)corner]);
}

static void add_prism_corner(grz_points *points, const swept_surfaces *s, uint32_t triangle, prism_corner c)
{
    grz_points_add(points, corner_of(s->b, triangle, c.corner), &s->ends[c.end]);
}

static bool face_meets(const swept_surfaces *s, uint32_t triangle_a, uint32_t triangle_b,
                       const prism_corner tetrahedron[4], int left_out)
{
    grz_points points;
    grz_points_start(&points, NULL);
    for (int c = 0; c < 3; c++)
        grz_points_add(&points, corner_of(s->a, triangle_a, c), &s->a->body.pose);
    for (int c = 0; c < 4; c++)
        if (c != left_out)
            add_prism_corner(&points, s, triangle_b, tetrahedron[c]);
    return grz_triangle_triangle(&points).found || (!s->thin && grz_triangles_within_sum(&points, s->radii, 2, false));
}

/* Whether a corner of A's triangle lies inside: on the side of each face on which the fourth corner is. */
static bool holds_corner(const swept_surfaces *s, uint32_t triangle_a, uint32_t triangle_b,
                         const prism_corner tetrahedron[4])
{
    grz_points points;
    grz_points_start(&points, NULL);
    for (int c = 0; c < 4; c++)
        add_prism_corner(&points, s, triangle_b, tetrahedron[c]);
    grz_points_add(&points, corner_of(s->a, triangle_a, 0), &s->a->body.pose);
    int side = grz_orient3d(&points, 0, 1, 2, 3);
    return side != 0 && grz_orient3d(&points, 4, 1, 2, 3) == side && grz_orient3d(&points, 0, 4, 2, 3) == side &&
           grz_orient3d(&points, 0, 1, 4, 3) == side && grz_orient3d(&points, 0, 1, 2, 4) == side;
}

static bool prism_meets(const swept_surfaces *s, uint32_t triangle_a, uint32_t triangle_b)
{
    for (int t = 0; t < 3; t++)
    {
        for (int face = 0; face < 4; face++)
            if (face_meets(s, triangle_a, triangle_b, tetrahedra[t], face))
                return true;
        if (holds_corner(s, triangle_a, triangle_b, tetrahedra[t]))
            return true;
    }
    return false;
}

/* ---- boxes ---- */

static void box_of(const grz_cast_part *part, uint32_t triangle, const graze_pose *pose, graze_box *out)
{
    grz_placed_aabb around = grz_aabb_of_triangle(part->mesh, part->first + triangle, pose);
    for (int k = 0; k < 3; k++)
    {
        out->lower[k] = around.axes[k].lower;
        out->upper[k] = around.axes[k].upper;
    }
}

static void box_of_prism(const swept_surfaces *s, uint32_t triangle, graze_box *out)
{
    graze_box end;
    box_of(s->b, triangle, &s->ends[0], out);
    box_of(s->b, triangle, &s->ends[1], &end);
    for (int k = 0; k < 3; k++)
    {
        interval radii = interval_add(interval_point(s->radii[0]), interval_point(s->radii[1]));
        double lower = interval_min2(out->lower[k], end.lower[k]), upper = interval_max2(out->upper[k], end.upper[k]);
        out->lower[k] = s->thin ? lower : interval_sub(interval_point(lower), radii).lower;
        out->upper[k] = s->thin ? upper : interval_add(interval_point(upper), radii).upper;
    }
}

static bool boxes_meet(const graze_box *x, const graze_box *y)
{
    for (int k = 0; k < 3; k++)
        if (x->lower[k] > y->upper[k] || y->lower[k] > x->upper[k])
            return false;
    return true;
}

graze_status grz_cast_sweep_meets(grz_shape_query *q, const grz_cast_part *a, const grz_cast_part *b,
                                  const grz_cast_way *way, bool *out_meets)
{
    swept_surfaces s = {
        .a = a, .b = b, .ends = {b->body.pose, b->body.pose}, .radii = {a->body.radius, b->body.radius}};
    s.thin = a->body.radius == 0 && b->body.radius == 0;
    for (int k = 0; k < 3; k++)
        s.ends[1].m[4 * k + 3] = way->to[k];
    *out_meets = false;
    for (uint32_t j = 0; j < b->triangle_count && !*out_meets; j++)
    {
        graze_box swept, box;
        box_of_prism(&s, j, &swept);
        for (uint32_t i = 0; i < a->triangle_count && !*out_meets; i++)
        {
            box_of(a, i, &a->body.pose, &box);
            if (!grz_monitor_box_tests(q->monitor, 1))
                return grz_monitor_status(q->monitor);
            if (!boxes_meet(&box, &swept))
                continue;
            if (!grz_monitor_exact_tests(q->monitor, 15))
                return grz_monitor_status(q->monitor);
            *out_meets = prism_meets(&s, i, j);
        }
    }
    return GRAZE_STATUS_OK;
}
