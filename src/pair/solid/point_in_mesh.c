/* SPDX-License-Identifier: MIT */
/*
 * Point in polyhedron; see point_in_mesh.h.
 *
 * The ray from the query point p has the direction +x, so crossings are decided in the (y, z) projection. A ray can hit
 * an edge or a vertex or run inside a face: singular cases, for which Zachmann's thesis (§3.5.1) shows that face
 * normals alone give wrong answers. Here they do not arise: once p is known not to lie on the surface, moving it by
 * less than its distance to the surface does not change its location, so p is moved by (e, e^2) in (y, z) for an
 * infinitesimal e > 0 (symbolic perturbation, Edelsbrunner and Muecke 1990). Then the ray meets no edge, and a sign
 * that is zero at p is decided by the first nonzero derivative.
 */
#include "pair/solid/point_in_mesh.h"

#include "exact/contact.h"
#include "mesh/mesh.h"

enum
{
    P = 0 /* the query point's index; the triangle's corners are 1, 2, 3 */
};

/*
 * On which side of the edge u v the perturbed point lies in the projection along x. With orient(p,u,v) =
 * (p_y - v_y)(u_z - v_z) - (p_z - v_z)(u_y - v_y), the derivatives by p_y and p_z are u_z - v_z and -(u_y - v_y).
 * 0 only when the projection of the edge is a point.
 */
static int perturbed_side(grz_points *points, int u, int v)
{
    int side = grz_orient2d(points, P, u, v, 0);
    if (side == 0)
        side = grz_compare(points, u, v, 2);
    if (side == 0)
        /* shortcut: ray-perturbed */
        side = -grz_compare(points, u, v, 1);
    return side;
}

/* 1 or -1, the orientation of the projected triangle, when the perturbed ray crosses it; else 0. p is not on the
   triangle. */
static int ray_crossing(grz_points *points)
{
    int facing = perturbed_side(points, 1, 2);
    if (facing == 0 || perturbed_side(points, 2, 3) != facing || perturbed_side(points, 3, 1) != facing)
        return 0;
    /* The normal of a triangle that is counter-clockwise in (y, z) points towards +x, so its plane lies ahead of p when
     * p is below it. */
    return facing * grz_orient3d(points, 1, 2, 3, P) > 0 ? facing : 0;
}

/* Whether the ray may hit the triangle of this AABB, or p lie on it. `point` is p as intervals, computed by the same
   code as the AABBs. */
static bool may_matter(const grz_placed_aabb *box, const interval point[3])
{
    return interval_overlap(box->axes[1], point[1]) && interval_overlap(box->axes[2], point[2]) &&
           /* shortcut: ray-ahead */
           box->axes[0].upper >= point[0].lower;
}

/* The ray and its crossings so far. */
typedef struct query_ray
{
    const grz_body_view *body;
    graze_placed_point from;
    interval placed[3]; /* `from` in the world */
    long winding;
    bool odd;      /* whether the number of crossed triangles is odd */
    bool boundary; /* whether the ray starts on a triangle; the other results are invalid then */
} query_ray;

static void meet_triangle(query_ray *r, const grz_placed_aabb *box)
{
    const grz_body_view *body = r->body;
    const uint32_t *corners = body->mesh->triangles + 3 * (size_t)box->triangle;
    grz_monitor_exact_tests(body->monitor, 2);
    const graze_placed_triangle triangle = {{grz_mesh_vertex(body->mesh, corners[0]),
                                             grz_mesh_vertex(body->mesh, corners[1]),
                                             grz_mesh_vertex(body->mesh, corners[2])},
                                            body->pose};
    if (interval_overlap(box->axes[0], r->placed[0]) &&
        graze_point_in_triangle(&r->from, &triangle) != GRAZE_FEATURE_NONE)
    {
        r->boundary = true;
        return;
    }
    grz_points points;
    grz_points_start(&points, NULL);
    grz_points_add(&points, r->from.point, r->from.pose);
    for (int k = 0; k < 3; k++)
        grz_points_add(&points, triangle.corners[k], body->pose);
    int crossing = ray_crossing(&points);
    r->winding += crossing;
    r->odd = r->odd != (crossing != 0);
}

/* Whether the ray surely misses a triangle because, on an axis across the ray, all corners lie on one side of it. The
   rounding errors of placed corners are less than world.slack. */
static bool passes_by(const query_ray *r, const uint32_t corners[3], int axis)
{
    static const graze_pose identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    const grz_body_view *body = r->body;
    const double *row = (body->pose != NULL ? body->pose->m : identity.m) + 4 * axis;
    double lower = r->placed[axis].lower - body->world.slack[axis];
    double upper = r->placed[axis].upper + body->world.slack[axis];
    int below = 0, above = 0;
    for (int k = 0; k < 3; k++)
    {
        const double *p = grz_mesh_vertex(body->mesh, corners[k]);
        double at = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
        below += at < lower;
        above += at > upper;
    }
    /* shortcut: ray-passes-by */
    return below == 3 || above == 3;
}

static void meet_leaf(query_ray *r, const grz_leaf *leaf)
{
    const graze_tree *tree = r->body->world.tree;
    for (uint32_t i = 0; i < leaf->count && !r->boundary; i++)
    {
        uint32_t triangle = tree->order[leaf->first + i];
        const uint32_t *corners = r->body->mesh->triangles + 3 * (size_t)triangle;
        if (passes_by(r, corners, 1) || passes_by(r, corners, 2))
            continue;
        grz_placed_aabb box = grz_aabb_of_triangle(r->body->mesh, triangle, r->body->pose);
        if (may_matter(&box, r->placed))
            meet_triangle(r, &box);
    }
}

/* Recursion depth is at most GRZ_TREE_MAX_DEPTH. */
static void meet_node(query_ray *r, uint32_t index) /* NOLINT(misc-no-recursion) */
{
    const grz_world_tree *world = &r->body->world;
    const uint32_t *children = world->tree->nodes[index].children;
    const interval *at = r->placed;
    grz_world_aabbs boxes;
    if (!grz_monitor_box_tests(r->body->monitor, GRZ_TREE_WIDTH))
        return;
    grz_world_tree_child_aabbs(world, index, &boxes);
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD && !r->boundary; lane++)
    {
        if (boxes.upper[0][lane] < at[0].lower || boxes.upper[1][lane] < at[1].lower ||
            boxes.lower[1][lane] > at[1].upper || boxes.upper[2][lane] < at[2].lower ||
            boxes.lower[2][lane] > at[2].upper)
            continue;
        if ((children[lane] & GRZ_LEAF_FLAG) != 0)
            meet_leaf(r, &world->tree->leaves[children[lane] & ~GRZ_LEAF_FLAG]);
        else
            meet_node(r, children[lane]);
    }
}

/* Follows the ray to its end. */
static query_ray cast(const grz_body_view *body, const double point[3], const graze_pose *point_pose)
{
    query_ray r = {.body = body, .from = {point, point_pose}};
    grz_place_point(point, point_pose, r.placed);
    if (body->world.tree != NULL)
        meet_node(&r, 0);
    for (size_t i = 0; body->world.tree == NULL && i < body->mesh->triangle_count && !r.boundary; i++)
    {
        if (!grz_monitor_box_tests(body->monitor, 1))
            break;
        if (may_matter(&body->boxes[i], r.placed))
            meet_triangle(&r, &body->boxes[i]);
    }
    return r;
}

graze_location grz_locate_point(const grz_body_view *body, const double point[3], const graze_pose *point_pose)
{
    query_ray r = cast(body, point, point_pose);
    if (r.boundary)
        return GRAZE_LOCATION_BOUNDARY;
    return (body->oriented ? r.winding != 0 : r.odd) ? GRAZE_LOCATION_INSIDE : GRAZE_LOCATION_OUTSIDE;
}

bool grz_winding_number(const grz_body_view *body, const double point[3], long *out_winding)
{
    query_ray r = cast(body, point, NULL);
    *out_winding = r.winding;
    return !r.boundary;
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

/* ---- triangles near a place, in the frame of the mesh ---- */

typedef bool (*triangle_function)(void *user, uint32_t triangle);

/* A box in the frame of the mesh; `upper` may be infinite. */
typedef struct place
{
    const grz_body_view *body;
    grz_world_tree frame; /* without a pose */
    double lower[3], upper[3];
} place;

/* Recursion depth is at most GRZ_TREE_MAX_DEPTH. */
static bool visit_node(const place *at, uint32_t index, /* NOLINT(misc-no-recursion) */
                       triangle_function visit, void *user)
{
    const graze_tree *tree = at->frame.tree;
    const uint32_t *children = tree->nodes[index].children;
    grz_world_aabbs boxes;
    bool go_on = grz_monitor_box_tests(at->body->monitor, GRZ_TREE_WIDTH);
    grz_world_tree_child_aabbs(&at->frame, index, &boxes);
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD && go_on; lane++)
    {
        bool apart = false;
        for (int axis = 0; axis < 3; axis++)
            /* shortcut: interior-side-by-tree */
            apart = apart || boxes.upper[axis][lane] < at->lower[axis] || boxes.lower[axis][lane] > at->upper[axis];
        if (apart)
            continue;
        if ((children[lane] & GRZ_LEAF_FLAG) == 0)
        {
            go_on = visit_node(at, children[lane], visit, user);
            continue;
        }
        const grz_leaf *leaf = &tree->leaves[children[lane] & ~GRZ_LEAF_FLAG];
        for (uint32_t i = 0; i < leaf->count && go_on; i++)
            go_on = visit(user, tree->order[leaf->first + i]);
    }
    return go_on;
}

/* Calls `visit` for all triangles that meet a place, and for others; false stops. */
static bool visit_place(place *at, triangle_function visit, void *user)
{
    at->frame = grz_world_tree_make(at->body->mesh, at->body->world.tree, NULL);
    if (at->frame.tree != NULL)
        return visit_node(at, 0, visit, user);
    bool go_on = true;
    for (uint32_t t = 0; t < at->body->mesh->triangle_count && go_on; t++)
        go_on = grz_monitor_box_tests(at->body->monitor, 1) && visit(user, t);
    return go_on;
}

typedef struct disturbance
{
    const grz_body_view *body;
    uint32_t triangle;
    grz_placed_aabb box;
} disturbance;

static bool leaves_undisturbed(void *user, uint32_t t)
{
    const disturbance *d = user;
    const graze_mesh *mesh = d->body->mesh;
    const grz_placed_aabb next = grz_aabb_of_triangle(mesh, t, NULL);
    if (t == d->triangle || !grz_placed_aabb_overlap(&d->box, &next))
        return true;
    const graze_placed_triangle raw = raw_triangle(mesh, d->triangle), other = raw_triangle(mesh, t);
    grz_monitor_exact_tests(d->body->monitor, 1);
    return graze_triangle_collide(&raw, &other).feature_a != GRAZE_FEATURE_FACE;
}

/* Whether no other triangle of the surface meets the interior of this one; tested in the frame of the mesh. */
static bool is_undisturbed(const grz_body_view *body, uint32_t triangle)
{
    disturbance d = {body, triangle, grz_aabb_of_triangle(body->mesh, triangle, NULL)};
    place at = {.body = body};
    for (int axis = 0; axis < 3; axis++)
    {
        at.lower[axis] = d.box.axes[axis].lower;
        at.upper[axis] = d.box.axes[axis].upper;
    }
    return visit_place(&at, leaves_undisturbed, &d) && grz_monitor_may_continue(body->monitor);
}

typedef struct ray_behind
{
    const grz_body_view *body;
    uint32_t triangle;
    graze_pose turned, inner_point;
    long winding;
} ray_behind;

/* The inner point as weights of the corners. */
static const double inner_weights[3] = {0.5, 0.25, 0.25};

static bool add_crossing(void *user, uint32_t t)
{
    ray_behind *r = user;
    if (t == r->triangle || !grz_monitor_exact_tests(r->body->monitor, 1))
        return true;
    const graze_placed_triangle other = raw_triangle(r->body->mesh, t);
    grz_points points;
    grz_points_start(&points, NULL);
    grz_points_add(&points, inner_weights, &r->inner_point);
    for (int k = 0; k < 3; k++)
        grz_points_add(&points, other.corners[k], &r->turned);
    r->winding += ray_crossing(&points);
    return true;
}

/*
 * The winding number just beyond an interior point of the triangle along `axis`, counted without the triangle itself.
 * The point is a/2 + b/4 + c/4, given exactly as these weights with the columns a, b, c as pose; its coordinates and
 * those of the mesh are permuted so that the axis becomes x.
 */
static long winding_number_behind(const grz_body_view *body, uint32_t triangle, int axis)
{
    const graze_placed_triangle raw = raw_triangle(body->mesh, triangle);
    ray_behind r = {.body = body, .triangle = triangle};
    place at = {.body = body};
    interval point[3];
    for (int row = 0; row < 3; row++)
    {
        r.turned.m[4 * row + (axis + row) % 3] = 1;
        for (int k = 0; k < 3; k++)
            r.inner_point.m[4 * row + k] = raw.corners[k][(axis + row) % 3];
    }
    grz_place_point(inner_weights, &r.inner_point, point);
    for (int row = 0; row < 3; row++)
    {
        at.lower[(axis + row) % 3] = point[row].lower;
        at.upper[(axis + row) % 3] = row == 0 ? INFINITY : point[row].upper;
    }
    visit_place(&at, add_crossing, &r);
    return r.winding;
}

/* The orientation of the triangle projected along *out_axis, the first axis where it is not zero; 0 when the triangle
   has no area. */
static int facing_along(const graze_mesh *mesh, uint32_t triangle, int *out_axis)
{
    const graze_placed_triangle raw = raw_triangle(mesh, triangle);
    const graze_placed_point corners[3] = {{raw.corners[0], NULL}, {raw.corners[1], NULL}, {raw.corners[2], NULL}};
    int facing = 0;
    for (*out_axis = 0; *out_axis < 3; ++*out_axis)
    {
        facing = graze_point_orient2d_placed(corners, *out_axis);
        if (facing != 0)
            break;
    }
    return facing;
}

bool grz_body_triangle_has_area(const grz_body_view *body, uint32_t triangle)
{
    int axis;
    return facing_along(body->mesh, triangle, &axis) != 0;
}

/*
 * Computed in the frame of the mesh, where an interior point of the triangle is known exactly; the pose must be
 * invertible. If no other triangle meets its interior, the winding number on each side is the same along the whole
 * triangle, and the two differ by its orientation: beyond the triangle along the axis it is `ahead`, before it
 * ahead + facing.
 */
int grz_body_interior_side(const grz_body_view *body, uint32_t triangle)
{
    int axis, facing = facing_along(body->mesh, triangle, &axis);
    int handedness = body->pose != NULL ? graze_pose_handedness(body->pose) : 1;
    /* shortcut: inner-side */
    if (facing == 0 || handedness == 0 || !body->oriented || !is_undisturbed(body, triangle))
        return 0;
    long ahead = winding_number_behind(body, triangle, axis);
    if (ahead != 0 && ahead + facing != 0)
        return 0;
    /* Beyond is in front of the triangle when its normal points along the axis; a mirroring pose reverses this. */
    return (ahead != 0 ? facing : -facing) * handedness;
}

bool grz_body_is_bounded_at(const grz_body_view *body, uint32_t triangle)
{
    if (body->oriented)
        return grz_body_interior_side(body, triangle) != 0;
    int axis; /* the crossing numbers of the two sides differ by one: one is even, so that side is outside */
    return (body->pose == NULL || graze_pose_handedness(body->pose) != 0) && is_undisturbed(body, triangle) &&
           facing_along(body->mesh, triangle, &axis) != 0;
}
