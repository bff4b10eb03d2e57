/* SPDX-License-Identifier: MIT */
/*
 * How a cell lies in a body; see simplex_search.h.
 *
 * A triangle whose supporting plane (as computed) has all vertices of the cell on one side, but for a shell of
 * thickness e, meets the cell in the shell at most. If all triangles near the cell are so, or surely apart from it, the
 * centre c decides. Say it is outside, at a height of at least m above each plane, and x is a point of the cell inside
 * the body. The segment from c to x enters the body at a last point z, on the plane of one of these triangles, of
 * height 0 above that plane; x has a height of at least -e. So |x - z| <= |c - x| e / (m + e): x is not deeper than
 * that.
 *
 * Nor are such points many. A height is an affine function on a triangle, from -e at least to m at least: the part
 * below 0 has at most 1 - (m / (m + e))^2 <= 2 e / m of its area. The same holds when the centre is inside.
 */
#include "pair/depth/simplex_search.h"

#include <string.h>

enum
{
    MOST_CROSSING = 8 /* triangles near a cell that are looked at one by one */
};

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

/* A cell and the triangles near it. */
typedef struct neighbourhood
{
    const grz_surface *surface;
    v3 corners[4], centre;
    v3 normals[5]; /* outward normals of the faces of the cell; of a surface piece, of its plane and its edges */
    int size, normal_count;
    double error;
    double crossing[MOST_CROSSING][4]; /* heights of the vertices above the planes that cross the cell */
    int crossing_count;
    bool crowded;                    /* there are more */
    double best_cut, values[4];      /* of the one that cuts off most */
    double least_height, most_shell; /* of the centre above planes that only bound the cell, and their errors */
    int bounding_count;              /* of such planes */
} neighbourhood;

static void find_normals(neighbourhood *n)
{
    const v3 *c = n->corners;
    v3 plane = unit(v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0])));
    if (n->size == 3)
    {
        n->normals[n->normal_count++] = plane;
        n->normals[n->normal_count++] = v3_scale(-1, plane);
    }
    for (int i = 0; i < n->size; i++)
    {
        const v3 a = c[(i + 1) % n->size], b = c[(i + 2) % n->size], opposite = c[i];
        v3 normal = n->size == 3 ? v3_cross(v3_sub(b, a), plane) : v3_cross(v3_sub(b, a), v3_sub(c[(i + 3) % 4], a));
        normal = unit(normal);
        n->normals[n->normal_count++] = v3_dot(normal, v3_sub(opposite, a)) > 0 ? v3_scale(-1, normal) : normal;
    }
}

/* Whether all corners of a triangle lie above all of the cell along one of its normals. */
static bool is_beyond_a_face(const neighbourhood *n, const v3 corners[3])
{
    for (int i = 0; i < n->normal_count; i++)
    {
        double lowest = INFINITY, highest = -INFINITY;
        for (int k = 0; k < 3; k++)
            lowest = fmin(lowest, v3_dot(n->normals[i], v3_sub(corners[k], n->centre)));
        for (int k = 0; k < n->size; k++)
            highest = fmax(highest, v3_dot(n->normals[i], v3_sub(n->corners[k], n->centre)));
        /* shortcut: beyond-a-face */
        if (lowest > highest + 2 * (n->error + n->surface->error))
            return true;
    }
    return false;
}

/* Whether a triangle in about the same plane was found to cross already: coplanar facets count once. */
static bool is_known_plane(const neighbourhood *n, const double heights[4], double shell)
{
    for (int i = 0; i < n->crossing_count; i++)
    {
        double difference = 0;
        for (int k = 0; k < n->size; k++)
            difference = fmax(difference, fabs(n->crossing[i][k] - heights[k]));
        if (difference <= 2 * shell)
            return true;
    }
    return false;
}

static bool test_near_triangle(void *user, uint32_t triangle)
{
    neighbourhood *n = user;
    v3 corners[3];
    grz_surface_corners(n->surface, triangle, corners);
    if (is_beyond_a_face(n, corners))
        return true;
    v3 normal = unit(v3_cross(v3_sub(corners[1], corners[0]), v3_sub(corners[2], corners[0])));
    if (!(v3_dot(normal, normal) > 0)) /* without area it bounds nothing; else rounding has taken its plane away */
    {
        const grz_body_view view = {.mesh = n->surface->body->placed->mesh};
        n->crowded = n->crowded || grz_body_triangle_has_area(&view, triangle);
        return !n->crowded;
    }
    double shell = 2 * (n->error + n->surface->error), heights[4] = {0, 0, 0, 0}, lowest = INFINITY,
           highest = -INFINITY;
    for (int k = 1; k < 3; k++)
        shell = fmax(shell, fabs(v3_dot(normal, v3_sub(corners[k], corners[0]))) + 2 * (n->error + n->surface->error));
    for (int i = 0; i < n->size; i++)
    {
        heights[i] = v3_dot(normal, v3_sub(n->corners[i], corners[0]));
        heights[i] = fabs(heights[i]) <= shell ? 0 : heights[i];
        lowest = fmin(lowest, heights[i]);
        highest = fmax(highest, heights[i]);
    }
    if (lowest > 0 || highest < 0)
        return true;
    if (lowest < 0 && highest > 0)
    {
        if (is_known_plane(n, heights, shell))
            return true;
        n->crowded = n->crossing_count == MOST_CROSSING;
        if (n->crowded)
            return false;
        memcpy(n->crossing[n->crossing_count++], heights, sizeof heights);
        double cut = fmin(-lowest, highest);
        if (cut > n->best_cut)
        {
            n->best_cut = cut;
            memcpy(n->values, heights, sizeof n->values);
        }
        return true;
    }
    n->least_height = fmin(n->least_height, fabs(v3_dot(normal, v3_sub(n->centre, corners[0]))) - shell);
    n->most_shell = fmax(n->most_shell, 2 * shell);
    n->bounding_count++;
    return true;
}

static graze_box box_around(const neighbourhood *n)
{
    graze_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    double slack = 2 * (n->error + n->surface->error);
    for (int i = 0; i < n->size; i++)
    {
        const double x[3] = {n->corners[i].x, n->corners[i].y, n->corners[i].z};
        for (int axis = 0; axis < 3; axis++)
        {
            box.lower[axis] = fmin(box.lower[axis], x[axis] - slack);
            box.upper[axis] = fmax(box.upper[axis], x[axis] + slack);
        }
    }
    return box;
}

grz_simplex_location grz_simplex_locate_ball(grz_simplex_space *space, grz_simplex_ball *ball, int side)
{
    double distance = grz_simplex_ball_measured(space, ball, side)->lower;
    if (!(distance > ball->radius))
        return GRZ_CELL_UNSURE;
    return grz_simplex_point_inside(space, side, ball->centre, distance) ? GRZ_CELL_INSIDE : GRZ_CELL_OUTSIDE;
}

static grz_simplex_location location_of(const grz_surface *surface, const double point[3])
{
    grz_body_view view = grz_placed_body_view(surface->body);
    graze_location location = grz_locate_point(&view, point, NULL);
    return location == GRAZE_LOCATION_INSIDE    ? GRZ_CELL_INSIDE
           : location == GRAZE_LOCATION_OUTSIDE ? GRZ_CELL_OUTSIDE
                                                : GRZ_CELL_UNSURE;
}

grz_simplex_location grz_simplex_locate(grz_simplex_space *space, const grz_simplex *cell, grz_simplex_ball *ball,
                                        int side, double most_shell, double out_values[4], grz_simplex_shell *out_shell)
{
    *out_shell = (grz_simplex_shell){0, 0};
    grz_simplex_location location = grz_simplex_locate_ball(space, ball, side);
    if (location != GRZ_CELL_UNSURE)
        return location;
    neighbourhood n = {.surface = &space->surfaces[side],
                       .size = grz_simplex_size(cell),
                       .error = grz_simplex_error(space, cell),
                       .least_height = INFINITY};
    n.centre = v3_load(ball->centre);
    for (int i = 0; i < n.size; i++)
        n.corners[i] = grz_simplex_corner(space, cell, i);
    find_normals(&n);
    graze_box box = box_around(&n);
    grz_surface_visit_box(n.surface, &box, test_near_triangle, &n);
    if (n.crowded)
        return GRZ_CELL_CROWDED;
    if (n.crossing_count > 0)
    {
        memcpy(out_values, n.values, sizeof n.values);
        return GRZ_CELL_CROSSED;
    }
    /* shortcut: cells-beside-planes */
    double shell = n.least_height < INFINITY ? ball->radius * n.most_shell / n.least_height * (1 + 8 * GRZ_U) : 0;
    if (!(n.least_height > 0 && shell <= most_shell))
        return GRZ_CELL_UNSURE;
    *out_shell = (grz_simplex_shell){shell, 2.0 * n.bounding_count * (n.most_shell / fmax(n.least_height, 0x1p-1000))};
    return location_of(n.surface, ball->centre);
}
