/* SPDX-License-Identifier: MIT */
/*
 * Where the depth in a body has no local maximum; see simplex_search.h.
 *
 * At a local maximum x of the distance to a surface, the directions u to its nearest points have 0 in their convex
 * hull; else a step away from all of them would increase the distance. Inside a body that does not meet itself, the
 * direction to a nearest point p is a sum, with factors >= 0, of the outward normals of the triangles at p. (At an edge
 * or vertex: the ball around x holds no surface, so the half-space of directions before p lies inside the body. A
 * vector w that points outward of, or along, every triangle at p does not point into the body: from w into the
 * exterior, the first triangle crossed would have w behind it. So w . u >= 0, and by Farkas' lemma u is such a sum.) If
 * all outward normals near a cell lie in one open half-space, no such directions have 0 in their convex hull.
 *
 * The nearest points of all points of a cell with centre c and radius r are within d(c) + 2 r of c.
 *
 * Error of a normal. The edges e and f of a placed triangle have an error of at most 2 E each, E being that of a corner
 * as a distance, which surface->error covers; so e x f has an error of at most 2 E (|e| + |f|) + 4 E^2, and its
 * rounding is below 8 u |e| |f|.
 */
#include "pair/depth/simplex_search.h"
#include "pair/solid/overlap.h"

enum
{
    MOST_NORMALS = 128
};

#define HOPELESS -0.99 /* cosine of the angle of two normals that no half-space is likely to hold */

typedef struct normal_set
{
    const grz_body_pair *body_pair;
    const grz_surface *surface;
    int side;
    v3 centre;
    double radius; /* of the ball around the centre that may hold nearest points */
    size_t count;
    v3 normals[MOST_NORMALS]; /* outward, of unit length */
    double errors[MOST_NORMALS];
    v3 sum;
} normal_set;

static bool add_normal(void *user, uint32_t triangle)
{
    normal_set *n = user;
    v3 corners[3];
    grz_surface_corners(n->surface, triangle, corners);
    if (grz_triangle_is_beyond(n->surface, corners, n->centre, n->radius))
        return true;
    int inside = grz_shell_interior_side(n->body_pair, n->side, triangle);
    if (inside == 0 || n->count == MOST_NORMALS)
        return false;
    v3 e = v3_sub(corners[1], corners[0]), f = v3_sub(corners[2], corners[0]), normal = v3_cross(e, f);
    double length = v3_length(normal), lengths = v3_length(e) + v3_length(f), error = n->surface->error;
    if (!(length > 0))
        return false;
    normal = v3_scale(-inside / length, normal);
    n->normals[n->count] = normal;
    n->errors[n->count++] = (4 * error * (lengths + error) + 16 * GRZ_U * lengths * lengths) / length + 16 * GRZ_U;
    n->sum = v3_add(n->sum, normal);
    return v3_dot(normal, n->normals[0]) > HOPELESS;
}

bool grz_simplex_has_no_maximum(const grz_simplex_space *space, const grz_body_pair *body_pair, const grz_simplex *cell,
                                int side)
{
    const grz_surface *surface = &space->surfaces[side];
    v3 centre = grz_simplex_centre(space, cell);
    double radius = 0, c[3];
    for (int i = 0; i < grz_simplex_size(cell); i++)
        radius = fmax(radius, v3_length(v3_sub(v3_load(space->vertices.data[cell->vertices[i]].x), centre)));
    v3_store(centre, c);
    grz_nearest_triangle nearest;
    grz_find_nearest_triangle(surface, c, GRZ_COARSE, &nearest);
    double far_away = (nearest.upper + 2 * radius) * (1 + 16 * GRZ_U) + 4 * grz_simplex_error(space, cell);
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = c[axis] - far_away;
        box.upper[axis] = c[axis] + far_away;
    }
    normal_set n = {.body_pair = body_pair, .surface = surface, .side = side, .centre = centre, .radius = far_away};
    if (!grz_surface_visit_box(surface, &box, add_normal, &n))
        return false;
    v3 w = v3_scale(1 / v3_length(n.sum), n.sum);
    for (size_t i = 0; i < n.count; i++)
        /* shortcut: no-maximum-of-depth */
        if (!(v3_dot(n.normals[i], w) > 2 * n.errors[i]))
            return false;
    return grz_monitor_may_continue(surface->monitor);
}
