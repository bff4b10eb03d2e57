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

/* A triangle in the frame of its mesh. */
static graze_placed_triangle raw_triangle(const graze_mesh *mesh, uint32_t triangle)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    graze_placed_triangle raw = {
        {grz_mesh_vertex(mesh, corners[0]), grz_mesh_vertex(mesh, corners[1]), grz_mesh_vertex(mesh, corners[2])},
        NULL};
    return raw;
}

/* Whether no other triangle of the surface comes to the inside of this one. */
static bool is_undisturbed(const grz_body *body, size_t index)
{
    const grz_box *box = &body->boxes[index];
    const graze_placed_triangle triangle = raw_triangle(body->mesh, box->triangle);
    for (size_t i = 0; i < body->mesh->triangle_count; i++)
    {
        if (i == index || !grz_box_overlap(box, &body->boxes[i]))
            continue;
        const graze_placed_triangle other = raw_triangle(body->mesh, body->boxes[i].triangle);
        if (graze_triangle_triangle(&triangle, &other).feature_a == GRAZE_FEATURE_FACE)
            return false;
    }
    return true;
}

/*
 * The winding number just behind a point inside the triangle, seen along `axis`, from all triangles but this one. The
 * point is a/2 + b/4 + c/4, which a matrix with columns a, b, c places exactly; both it and the mesh are turned so that
 * the axis becomes x.
 */
static long winding_behind(const grz_body *body, uint32_t triangle, int axis)
{
    static const double weights[3] = {0.5, 0.25, 0.25};
    const graze_placed_triangle raw = raw_triangle(body->mesh, triangle);
    graze_pose turned = {{0}}, inner_point = {{0}};
    for (int row = 0; row < 3; row++)
    {
        turned.m[4 * row + (axis + row) % 3] = 1;
        for (int k = 0; k < 3; k++)
            inner_point.m[4 * row + k] = raw.corners[k][(axis + row) % 3];
    }
    long winding = 0;
    for (uint32_t t = 0; t < body->mesh->triangle_count; t++)
    {
        if (t == triangle)
            continue;
        const graze_placed_triangle other = raw_triangle(body->mesh, t);
        grz_points points;
        grz_points_start(&points, NULL);
        grz_points_add(&points, weights, &inner_point);
        for (int k = 0; k < 3; k++)
            grz_points_add(&points, other.corners[k], &turned);
        winding += ray_crossing(&points);
    }
    return winding;
}

/* An axis along which the triangle is seen, and how it turns there; 0 when it has no area. */
static int facing_along(const graze_mesh *mesh, uint32_t triangle, int *out_axis)
{
    const graze_placed_triangle raw = raw_triangle(mesh, triangle);
    const graze_placed_point corners[3] = {{raw.corners[0], NULL}, {raw.corners[1], NULL}, {raw.corners[2], NULL}};
    int facing = 0;
    for (*out_axis = 0; *out_axis < 3; ++*out_axis)
    {
        facing = graze_orient2d_placed(corners, *out_axis);
        if (facing != 0)
            break;
    }
    return facing;
}

static size_t box_of(const grz_body *body, uint32_t triangle)
{
    size_t index = 0;
    while (body->boxes[index].triangle != triangle)
        index++;
    return index;
}

/*
 * All in the frame of the mesh, whose pose must be invertible: there a point inside the triangle is at hand. Where no
 * other triangle comes near, the winding number on each side is the same all over the triangle, and the two differ by
 * the way it faces: the one ahead is `ahead`, the one this side of the triangle ahead + facing.
 */
int grz_body_inner_side(const grz_body *body, uint32_t triangle)
{
    int axis, facing = facing_along(body->mesh, triangle, &axis);
    int handedness = body->pose != NULL ? graze_pose_handedness(body->pose) : 1;
    if (facing == 0 || handedness == 0 || !body->oriented || !is_undisturbed(body, box_of(body, triangle)))
        return 0;
    long ahead = winding_behind(body, triangle, axis);
    if (ahead != 0 && ahead + facing != 0)
        return 0;
    /* Ahead is in front of the triangle when it faces along the axis; a mirror turns that round. */
    return (ahead != 0 ? facing : -facing) * handedness;
}

bool grz_body_ends_at(const grz_body *body, uint32_t triangle)
{
    if (body->oriented)
        return grz_body_inner_side(body, triangle) != 0;
    int axis; /* of two neighbouring numbers of crossings one is even */
    return (body->pose == NULL || graze_pose_handedness(body->pose) != 0) &&
           is_undisturbed(body, box_of(body, triangle)) && facing_along(body->mesh, triangle, &axis) != 0;
}
