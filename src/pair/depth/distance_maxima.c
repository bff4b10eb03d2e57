/* SPDX-License-Identifier: MIT */
/*
 * Where the depth in a body has no local maximum; see simplex_search.h.
 *
 * At a local maximum x of the distance to a surface, the directions u to its nearest points have 0 in their convex
 * hull; else a step away from all of them would increase the distance. So there is none where u . w > 0 for one vector
 * w and all nearest points.
 *
 * The nearest points of all points of a cell with centre c and radius r are within R = d + r of c, if none is farther
 * than d from the surface; d is d(c) + r at most. Look at a cylinder along w, around c, that holds all points of the
 * surface within R of c. Say all triangles that meet it have normals n with n . w > 0, and none meets its bottom, nor
 * its top. The surface is closed and oriented, so it has winding numbers, which decrease from the back of a triangle to
 * its front: in the cylinder they do not increase along w. All points of the bottom have the same, and so have those of
 * the top. If it is at most 1 at the bottom and at least 0 at the top, all points of the cylinder have 1, inside the
 * body, or 0.
 *
 * Then u . w > 0 for points x of the cell inside the body. For suppose u . w < 0 for a nearest point p. The ball around
 * x with p on its surface holds no other point of the surface, so it has the winding number of x, and above p lie
 * points of it in the cylinder: it is 1. From there down along -w through a triangle at p the number becomes 2 at
 * least, and remains so down to the bottom: a contradiction. If u . w = 0, the same holds for w - e u with a small e.
 * The surface may meet itself elsewhere; all numbers and normals of a mesh that is inside out are negated.
 *
 * Nor is a cylinder needed for local maxima deeper than some D, if |w| < 1, all n . w >= m > 0 and the cell is less
 * than D m in front of the planes of the triangles. Suppose u . w < 0, x is deeper than D, and look at p from very
 * close: the triangles at p become cones, the half-space H of all y with y . u < 0 holds none of them; let k be its
 * winding number. Let v = u + w. The height of x above a plane is -d u . n < d m, so v . n > 0: winding numbers do not
 * increase along w, nor along v. Take a point q in the interior of a triangle at p. Far along w from q lies H, since w
 * . u < 0: so the winding number in front of q is at least k. Far along -v lies H as well, since v . u = 1 + w . u > 0:
 * so the winding number behind q is at most k. But it is larger than that in front of q.
 *
 * Of a body that does not meet itself all that is known, and the direction to a nearest point p is a sum, with factors
 * >= 0, of the outward normals of the triangles at p. (At an edge or vertex: the ball around x holds no surface, so the
 * half-space of directions before p lies inside the body. A vector w that points outward of, or along, every triangle
 * at p does not point into the body: from w into the exterior, the first triangle crossed would have w behind it. So w
 * . u >= 0, and by Farkas' lemma u is such a sum.) There the normals within R of c suffice.
 *
 * The part of a triangle in a cylinder has the heights of its plane above the disc, and those of its corners.
 *
 * Error of a normal. The edges e and f of a placed triangle have an error of at most 2 E each, E being that of a corner
 * as a distance, which surface->error covers; so e x f has an error of at most 2 E (|e| + |f|) + 4 E^2, and its
 * rounding is below 8 u |e| |f|, unless it underflows.
 */
#include "pair/depth/normal_cones.h"
#include "pair/depth/simplex_search.h"

enum
{
    MOST_NORMALS = 3000, /* of more triangles, splitting the cell is better */
    TURNS = 8            /* steps towards a direction that all normals agree with */
};

#define HOPELESS -0.99          /* cosine of the angle of two normals that no half-space is likely to hold */
#define OPPOSED -0.3            /* the same where it need not be tried */
#define WIDER 1.5               /* triangles up to so many times the radius may meet the cylinder */
#define CLEARANCE 0x1p-6        /* of the bottom and top of the cylinder from the surface, as a share of the radius */
#define LEAST_NORMAL 0x1p-490   /* length of e x f; of shorter ones the square is rounded coarsely, or is 0 */
#define LEAST_AGREEMENT 0x1p-10 /* cosine of the angle of a normal and the direction, errors excluded */

typedef struct near_triangles
{
    grz_simplex_space *space;
    const grz_surface *surface;
    v3 centre;
    double radius; /* of the ball around it that may hold nearest points */
    v3 corners[4]; /* of the cell */
    double error;
    double facing;                 /* 1: normals point out of the body; -1: the mesh is inside out */
    const grz_body_pair *embedded; /* the bodies where neither meets itself; NULL: unknown */
    int side;
    uint32_t first; /* triangle within the radius; UINT32_MAX: none */
    v3 sum;         /* of the normals of those */
} near_triangles;

static bool add_triangle(void *user, uint32_t triangle)
{
    near_triangles *n = user;
    grz_near_normal near;
    grz_surface_corners(n->surface, triangle, near.corners);
    double distance = grz_least_distance_to_triangle(n->surface, near.corners, n->centre);
    if (distance > WIDER * n->radius)
        return true;
    near.within = !(distance > n->radius);
    v3 e = v3_sub(near.corners[1], near.corners[0]), f = v3_sub(near.corners[2], near.corners[0]);
    v3 normal = v3_cross(e, f);
    double length = v3_length(normal), lengths = v3_length(e) + v3_length(f), error = n->surface->error;
    if (!(length > LEAST_NORMAL) || n->space->normals.count == MOST_NORMALS)
        return false;
    double facing = n->embedded == NULL ? n->facing : -grz_shell_interior_side(n->embedded, n->side, triangle);
    if (facing == 0)
        return false;
    near.normal = v3_scale(facing / length, normal);
    near.error = (4 * error * (lengths + error) + 16 * GRZ_U * lengths * lengths) / length + 16 * GRZ_U;
    if (!GRZ_PUSH(n->space->context, &n->space->normals, near))
        return false;
    if (!near.within)
        return true;
    if (n->first == UINT32_MAX)
        n->first = (uint32_t)n->space->normals.count - 1;
    n->sum = v3_add(n->sum, near.normal);
    return v3_dot(near.normal, n->space->normals.data[n->first].normal) > (n->embedded != NULL ? HOPELESS : OPPOSED);
}

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

/* Finds a direction with which all normals agree, and by how much. Each step turns it towards the normal that agrees
   least. */
static bool find_direction(const near_triangles *n, v3 *out_direction, double *out_agreement)
{
    const grz_near_normal *normals = n->space->normals.data;
    v3 w = v3_scale(1 - 0x1p-40, unit(n->sum));
    for (int turn = 0; turn < TURNS; turn++)
    {
        double least = INFINITY;
        size_t worst = 0;
        for (size_t i = 0; i < n->space->normals.count; i++)
        {
            if (!normals[i].within)
                continue;
            double agreement = v3_dot(normals[i].normal, w) - 4 * normals[i].error;
            worst = agreement < least ? i : worst;
            least = fmin(least, agreement);
        }
        *out_direction = w;
        *out_agreement = least;
        if (least > LEAST_AGREEMENT)
            return n->first != UINT32_MAX;
        w = v3_scale(1 - 0x1p-40, unit(v3_add(w, v3_scale(0.5 - 0.5 * least, normals[worst].normal))));
    }
    return false;
}

/* Whether the cell is less than `most` in front of the planes of all triangles within the radius. */
static bool is_behind(const near_triangles *n, double most)
{
    for (size_t i = 0; i < n->space->normals.count; i++)
    {
        const grz_near_normal *near = &n->space->normals.data[i];
        for (int k = 0; k < 4 && near->within; k++)
        {
            v3 to = v3_sub(n->corners[k], near->corners[0]);
            double size = fabs(to.x) + fabs(to.y) + fabs(to.z);
            if (!(v3_dot(near->normal, to) + 2 * (size * near->error + n->surface->error) + n->error < most))
                return false;
        }
    }
    return true;
}

/* The heights along w of the part of a triangle in an infinite cylinder, rounded outward. */
static interval heights_in_cylinder(const near_triangles *n, const grz_near_normal *near, v3 w, double radius)
{
    double lowest = INFINITY, highest = -INFINITY, slack = 4 * n->surface->error + 64 * GRZ_U * n->space->reach;
    for (int k = 0; k < 3; k++)
    {
        double height = v3_dot(w, v3_sub(near->corners[k], n->centre));
        lowest = fmin(lowest, height);
        highest = fmax(highest, height);
    }
    double agreement = v3_dot(near->normal, w), least = fmin(agreement - 4 * near->error, 1);
    double middle = v3_dot(near->normal, v3_sub(near->corners[0], n->centre)) / agreement;
    double rise = (radius * sqrt(fmax(0, 1 - least * least)) * (1 + 0x1p-20) + radius * 0x1p-20) / least;
    rise += 8 * (near->error + 8 * GRZ_U) * (n->space->reach + fabs(middle)) / least;
    return (interval){fmax(lowest, middle - rise) - slack, fmin(highest, middle + rise) + slack};
}

/* The distance of a triangle's farthest corner from the axis of the cylinder. */
static double farthest_corner(const near_triangles *n, const grz_near_normal *near, v3 w)
{
    double farthest = 0;
    for (int k = 0; k < 3; k++)
    {
        v3 to = v3_sub(near->corners[k], n->centre);
        farthest = fmax(farthest, v3_length(v3_sub(to, v3_scale(v3_dot(to, w), w))));
    }
    return farthest * (1 + 0x1p-20) + 4 * n->surface->error;
}

/* Whether a triangle surely does not meet a cylinder: its corners are all above, below, or beyond a plane along the
   axis. */
static bool is_beside_cylinder(const near_triangles *n, const grz_near_normal *near, v3 w, double radius,
                               interval heights)
{
    double slack = 4 * n->surface->error + 64 * GRZ_U * n->space->reach, least = INFINITY;
    v3 lateral[3], sum = v3_make(0, 0, 0);
    interval range = {INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++)
    {
        v3 to = v3_sub(near->corners[k], n->centre);
        double height = v3_dot(to, w);
        range = interval_hull(range, interval_point(height));
        lateral[k] = v3_sub(to, v3_scale(height, w));
        sum = v3_add(sum, lateral[k]);
    }
    sum = unit(sum);
    for (int k = 0; k < 3; k++)
        least = fmin(least, v3_dot(sum, lateral[k]));
    return range.lower > heights.upper + slack || range.upper < heights.lower - slack ||
           least > radius * (1 + 0x1p-20) + slack;
}

/* Whether the winding number is at most 1 at the bottom of a cylinder along w, and at least 0 at its top. */
static bool winds_once(const near_triangles *n, v3 w, interval heights)
{
    grz_body_view body = grz_placed_body_view(n->surface->body);
    double bottom[3], top[3];
    long numbers[2];
    v3_store(v3_add(n->centre, v3_scale(heights.lower, w)), bottom);
    v3_store(v3_add(n->centre, v3_scale(heights.upper, w)), top);
    return grz_winding_number(&body, bottom, &numbers[0]) && grz_winding_number(&body, top, &numbers[1]) &&
           n->facing * (double)numbers[0] <= 1 && n->facing * (double)numbers[1] >= 0;
}

/* Whether there is a cylinder along w around all of the surface within the radius, as the head comment wants it. The
   triangles at hand are those within WIDER times the radius. */
static bool fits_cylinder(const near_triangles *n, v3 w)
{
    const grz_near_normal *normals = n->space->normals.data;
    size_t count = n->space->normals.count;
    double radius = 0, margin = CLEARANCE * n->radius;
    interval heights = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++)
        if (normals[i].within)
            radius = fmax(radius, fmin(n->radius * (1 + 0x1p-20), farthest_corner(n, &normals[i], w)));
    for (size_t i = 0; i < count; i++)
        if (normals[i].within)
            heights = interval_hull(heights, heights_in_cylinder(n, &normals[i], w, radius));
    heights.lower -= margin;
    heights.upper += margin;
    double farthest = fmax(fabs(heights.lower), fabs(heights.upper)) + margin;
    if (!(sqrt(radius * radius + farthest * farthest) < 0.999 * WIDER * n->radius))
        return false;
    for (size_t i = 0; i < count; i++)
    {
        if (is_beside_cylinder(n, &normals[i], w, radius, heights))
            continue;
        if (!(v3_dot(normals[i].normal, w) - 4 * normals[i].error > LEAST_AGREEMENT))
            return false;
        interval part = heights_in_cylinder(n, &normals[i], w, radius);
        if (!(part.lower > heights.lower + 0.5 * margin && part.upper < heights.upper - 0.5 * margin))
            return false;
    }
    /* shortcut: once-around */
    return winds_once(n, w, heights);
}

/* Whether the triangles nearest to the corners of a cell have normals that no direction agrees with. */
static bool is_hopeless(const grz_simplex_space *space, int side, const grz_simplex *cell)
{
    v3 normals[4], corners[3];
    int size = grz_simplex_size(cell);
    for (int i = 0; i < size; i++)
    {
        const grz_simplex_vertex *vertex = &space->vertices.data[cell->vertices[i]];
        if (!vertex->measured[side])
            return false;
        grz_surface_corners(&space->surfaces[side], vertex->nearest[side].triangle, corners);
        normals[i] = unit(v3_cross(v3_sub(corners[1], corners[0]), v3_sub(corners[2], corners[0])));
        for (int k = 0; k < i; k++)
            if (v3_dot(normals[i], normals[k]) < OPPOSED)
                return true;
    }
    return false;
}

/* The normals, outward, of the triangles nearest to the centre of a cell and to those of its vertices that are
   measured; 0 where one is not certain. */
static size_t gather_normals(const grz_simplex_space *space, int side, const grz_simplex *cell,
                             const grz_nearest_triangle *nearest, double facing, v3 out_normals[5])
{
    const grz_surface *surface = &space->surfaces[side];
    size_t count = 0;
    for (int i = 0; i <= (cell != NULL ? grz_simplex_size(cell) : 0); i++)
    {
        const grz_simplex_vertex *vertex = i > 0 ? &space->vertices.data[cell->vertices[i - 1]] : NULL;
        v3 corners[3], normal;
        double error;
        if (vertex != NULL && !vertex->measured[side])
            continue;
        grz_surface_corners(surface, vertex == NULL ? nearest->triangle : vertex->nearest[side].triangle, corners);
        if (!grz_surface_normal(surface, corners, &normal, &error))
            return 0;
        out_normals[count++] = v3_scale(facing, normal);
    }
    return count;
}

/* Of a body that may meet itself: their normals, and planes that the cell is not far in front of. */
static bool all_agree_behind(grz_simplex_space *space, int side, const grz_simplex *cell, grz_simplex_ball *ball,
                             double bound, double depth)
{
    const grz_surface *surface = &space->surfaces[side];
    const grz_nearest_triangle *nearest = grz_simplex_ball_measured(space, ball, side);
    double reach_of_nearest = fmin(nearest->upper + ball->radius, bound) + ball->radius;
    v3 normals[5];
    size_t count = gather_normals(space, side, cell, nearest, space->facing[side], normals);
    /* shortcut: normals-agree-behind */
    return count > 0 &&
           grz_surface_has_direction_behind(surface, v3_load(ball->centre), reach_of_nearest * (1 + 16 * GRZ_U),
                                            ball->radius, depth, normals, count, space->facing[side]) &&
           grz_monitor_may_continue(surface->monitor);
}

/* Where the triangles that may be nearest to common points meet no others: their normals suffice. */
static bool all_near_agree(grz_simplex_space *space, int side, const grz_simplex *cell, grz_simplex_ball *ball,
                           double bound)
{
    const grz_surface *surface = &space->surfaces[side];
    const grz_nearest_triangle *nearest = grz_simplex_ball_measured(space, ball, side);
    double farthest = fmin(fmin(nearest->upper + ball->radius, bound), space->near_depth);
    v3 normals[5];
    size_t count = gather_normals(space, side, cell, nearest, space->near_facing[side], normals);
    /* shortcut: near-normals-agree */
    return count > 0 &&
           grz_surface_has_direction(surface, v3_load(ball->centre), (farthest + ball->radius) * (1 + 16 * GRZ_U),
                                     normals, count, space->near_facing[side]) &&
           grz_monitor_may_continue(surface->monitor);
}

bool grz_has_no_maximum(grz_simplex_space *space, int side, const grz_simplex *cell, grz_simplex_ball *ball,
                        double bound, double depth)
{
    const grz_surface *surface = &space->surfaces[side];
    if (space->near_facing[side] != 0)
        return all_near_agree(space, side, cell, ball, bound);
    if (surface->cones != NULL && surface->leaves != NULL && depth > 0)
    {
        if (all_agree_behind(space, side, cell, ball, bound, depth))
            return true;
        if (!space->near_tried)
            return false;
    }
    if (cell != NULL && space->embedded == NULL && is_hopeless(space, side, cell))
        return false;
    const grz_nearest_triangle *nearest = grz_simplex_ball_measured(space, ball, side);
    double radius = (fmin(nearest->upper + ball->radius, bound) + ball->radius) * (1 + 16 * GRZ_U);
    near_triangles n = {.space = space,
                        .surface = surface,
                        .centre = v3_load(ball->centre),
                        .radius = radius,
                        .facing = space->facing[side],
                        .embedded = space->embedded,
                        .side = side,
                        .first = UINT32_MAX};
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = ball->centre[axis] - WIDER * radius;
        box.upper[axis] = ball->centre[axis] + WIDER * radius;
    }
    space->normals.count = 0;
    v3 w;
    double agreement;
    bool has_corners = cell != NULL && space->vertices.data != NULL; /* else the ball stands for the cell */
    n.error = has_corners ? grz_simplex_error(space, cell) : ball->radius;
    for (int i = 0; i < 4; i++)
        n.corners[i] = has_corners ? grz_simplex_corner(space, cell, i) : n.centre;
    if (!grz_surface_visit_box(surface, &box, add_triangle, &n) || !find_direction(&n, &w, &agreement))
        return false;
    /* shortcut: no-maximum-of-depth */
    if (n.embedded != NULL || is_behind(&n, depth * agreement * (1 - 4 * GRZ_U)))
        return grz_monitor_may_continue(surface->monitor);
    return fits_cylinder(&n, w) && grz_monitor_may_continue(surface->monitor);
}
