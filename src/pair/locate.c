/* SPDX-License-Identifier: MIT */
/*
 * Point in polyhedron; see locate.h.
 *
 * The ray from the point p runs along +x, so that everything about it is seen in the (y, z) plane. It can hit
 * an edge or a corner or run within a face: the singular cases that Zachmann's thesis (§3.5.1) shows to be treacherous,
 * and whose treatment by face normals alone is wrong. Here they do not arise: once p is known not to lie on the
 * surface, moving it by less than its distance to the surface changes nothing, so p is moved by (e, e^2) in (y, z) for
 * an e as small as need be (symbolic perturbation, Edelsbrunner and Muecke 1990). Then the ray meets no edge, and each
 * sign that is zero at p is decided by the first derivative that is not.
 */
#include "pair/locate.h"

#include "exact/contact.h"
#include "mesh/mesh.h"

enum
{
    P = 0 /* the query point's index; the triangle's corners are 1, 2, 3 */
};

/*
 * On which side of the edge u v the moved point lies, seen along x. With orient(p,u,v) =
 * (p_y - v_y)(u_z - v_z) - (p_z - v_z)(u_y - v_y), the derivatives by p_y and p_z are u_z - v_z and -(u_y - v_y).
 * 0 only when the edge is a point in this view.
 */
static int moved_side(grz_points *points, int u, int v)
{
    int side = grz_orient2d(points, P, u, v, 0);
    if (side == 0)
        side = grz_compare(points, u, v, 2);
    if (side == 0)
        side = -grz_compare(points, u, v, 1);
    return side;
}

/* 1 or -1 when the moved ray passes through the triangle, by the way it faces; 0 when not. p is not on the triangle. */
static int ray_crossing(grz_points *points)
{
    int facing = moved_side(points, 1, 2);
    if (facing == 0 || moved_side(points, 2, 3) != facing || moved_side(points, 3, 1) != facing)
        return 0;
    /* Turning counter-clockwise in (y, z), the triangle's normal looks towards +x; the plane lies ahead of p when p is
     * below it. */
    return facing * grz_orient3d(points, 1, 2, 3, P) > 0 ? facing : 0;
}

/* The placed point as intervals, through the same code that makes boxes. */
static bool may_matter(const grz_box *box, const interval point[3])
{
    return interval_overlap(box->axes[1], point[1]) && interval_overlap(box->axes[2], point[2]) &&
           box->axes[0].upper >= point[0].lower;
}

graze_location grz_body_locate(const grz_body *body, const double point[3], const graze_pose *point_pose)
{
    interval placed[3];
    grz_place_point(point, point_pose, placed);
    long winding = 0;
    bool odd = false;
    for (size_t i = 0; i < body->mesh->triangle_count; i++)
    {
        const grz_box *box = &body->boxes[i];
        if (!may_matter(box, placed))
            continue;
        const uint32_t *corners = body->mesh->triangles + 3 * (size_t)box->triangle;
        const graze_placed_triangle triangle = {{grz_mesh_vertex(body->mesh, corners[0]),
                                                 grz_mesh_vertex(body->mesh, corners[1]),
                                                 grz_mesh_vertex(body->mesh, corners[2])},
                                                body->pose};
        const graze_placed_point query = {point, point_pose};
        if (interval_overlap(box->axes[0], placed[0]) &&
            graze_point_in_triangle(&query, &triangle) != GRAZE_FEATURE_NONE)
            return GRAZE_LOCATION_BOUNDARY;
        grz_points points;
        grz_points_start(&points, NULL);
        grz_points_add(&points, point, point_pose);
        for (int k = 0; k < 3; k++)
            grz_points_add(&points, triangle.corners[k], body->pose);
        int crossing = ray_crossing(&points);
        winding += crossing;
        odd = odd != (crossing != 0);
    }
    bool inside = body->oriented ? winding != 0 : odd;
    return inside ? GRAZE_LOCATION_INSIDE : GRAZE_LOCATION_OUTSIDE;
}
