/* SPDX-License-Identifier: MIT */
/*
 * The search of space for local maxima of the depth in either of two bodies: boxes along common axes, bisected until
 * each lies outside a body, is not deep enough, or has no local maximum; see deepest_common_point.c.
 *
 * Boxes, not tetrahedra, since locations and normals are those of the ball around a cell, and each of the six
 * tetrahedra that fill a box has a ball of about the same radius. Of a box only the centre is measured: no point of it
 * is farther from the surface than the farthest of its corners is from any one triangle (simplex_bound.c). Those
 * nearest to its centre and to the centres of the boxes it is a part of are tried.
 *
 * Errors. A box is the set of sums of multiples t_k of the axes with |t_k - mid_k| <= half_k: of real numbers, for axes
 * in doubles. Halving rounds mid_k by u reach, so after n halvings every point of the first box is within 3 n u reach
 * of a box that stands for it. Centres and corners are sums of three products, off by less than 16 u reach.
 */
#include <math.h>
#include <string.h>

#include "pair/depth/critical_pairs.h"
#include "pair/depth/deepest_search.h"
#include "pair/depth/normal_cones.h"

enum
{
    CELLS_BEFORE_PAIRS = 2000, /* before critical pairs are tried */
    CELLS_PER_TRIANGLE = 16,   /* one cell per so many triangles before embedding is tested */
    SPLITS_WITH_SUM = 9,       /* of boxes whose centres are tried for the sum of their depths in any case */
    SPLITS_PER_NORMALS = 3,    /* between boxes whose normals are tested though their centres are not deep */
    CORNERS = GRZ_LANES        /* of a box */
};

#define COARSEST 0x1p-4 /* tolerance of distances of centres of large boxes */

static double error_of(const grz_deepest_search *s, const grz_simplex *cell)
{
    return (4.0 * cell->splits + 64) * GRZ_U * s->space.reach + 0x1p-700;
}

static v3 point_of(const grz_common_box *box, const double along[3])
{
    v3 sum = v3_make(0, 0, 0);
    for (int axis = 0; axis < 3; axis++)
        sum = v3_add(sum, v3_scale(along[axis], box->axes[axis]));
    return sum;
}

static grz_simplex_ball ball_of(const grz_deepest_search *s, const grz_simplex *cell, const grz_space_box *box)
{
    grz_simplex_ball ball = {
        .radius = sqrt(box->half[0] * box->half[0] + box->half[1] * box->half[1] + box->half[2] * box->half[2]) *
                      (1 + 64 * GRZ_U) +
                  2 * error_of(s, cell)};
    v3_store(point_of(&s->common, box->middle), ball.centre);
    for (int side = 0; side < 2; side++)
    {
        double share = ball.radius / (8 * box->upper[side]);
        ball.nearest[side].triangle = box->triangles[side][0];
        ball.tolerance[side] = fmin(fmax(share, GRZ_COARSE), COARSEST);
    }
    return ball;
}

/* The largest distance from a triangle of eight points, A's first corners of the pairs. */
static double farthest_corner(const grz_surface *surface, uint32_t triangle, grz_triangle_pairs8 *pairs)
{
    v3 corners[3];
    grz_closest8 closest;
    double most = 0;
    grz_surface_corners(surface, triangle, corners);
    if (surface->leaves == NULL)
    {
        for (int k = 0; k < CORNERS; k++)
            most = fmax(most, grz_distance_to_triangle(
                                  surface, corners, v3_make(pairs->a[0][0][k], pairs->a[0][1][k], pairs->a[0][2][k])));
        return most;
    }
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < CORNERS; k++)
        {
            pairs->b[c][0][k] = corners[c].x;
            pairs->b[c][1][k] = corners[c].y;
            pairs->b[c][2][k] = corners[c].z;
        }
    surface->kernels->points(pairs, surface->corner_error, &closest);
    for (int k = 0; k < CORNERS; k++)
        most = closest.distance[k] > most ? closest.distance[k] : most;
    return most + surface->error;
}

/* The upper bound of the distance of a box's points to the surface of a side. */
static double distance_bound(const grz_deepest_search *s, const grz_simplex *cell, const grz_space_box *box, int side)
{
    const grz_surface *surface = &s->space.surfaces[side];
    double least = INFINITY;
    grz_triangle_pairs8 pairs;
    for (int k = 0; k < CORNERS; k++)
    {
        double along[3], at[3];
        for (int axis = 0; axis < 3; axis++)
            along[axis] = box->middle[axis] + ((k >> axis & 1) != 0 ? box->half[axis] : -box->half[axis]);
        v3_store(point_of(&s->common, along), at);
        for (int axis = 0; axis < 3; axis++)
            pairs.a[0][axis][k] = at[axis];
    }
    for (int i = 0; i < GRZ_BOX_TRIANGLES && box->triangles[side][i] != GRZ_NO_TRIANGLE; i++)
        least = fmin(least, farthest_corner(surface, box->triangles[side][i], &pairs));
    return least + 2 * error_of(s, cell);
}

/* Whether a bound of the depth of a box's points is all that is needed. */
static bool suffices(grz_deepest_search *s, double bound)
{
    if (!(bound <= grz_deepest_target(s)))
        return false;
    s->pruned = fmax(s->pruned, bound);
    return true;
}

/* Whether local maxima of the depth in a side need no longer be searched for in a box. No point of it is deeper than
   `bound`. */
static bool is_settled(grz_deepest_search *s, const grz_simplex *cell, grz_simplex_ball *ball, int side, double bound)
{
    if (suffices(s, bound))
        return true;
    if (ball->nearest[side].lower <= grz_deepest_target(s) && cell->splits % SPLITS_PER_NORMALS != 0)
        return false; /* its halves may be shallow enough; the normals take longer */
    return s->pair->sides[side].body->adjacency.oriented &&
           grz_has_no_maximum(&s->space, side, NULL, ball, bound, s->best.depth);
}

/* Puts a triangle in front of those that a box tries. */
static void add_triangle(uint32_t triangles[GRZ_BOX_TRIANGLES], uint32_t triangle)
{
    int at = 0;
    while (at < GRZ_BOX_TRIANGLES - 1 && triangles[at] != triangle)
        at++;
    for (; at > 0; at--)
        triangles[at] = triangles[at - 1];
    triangles[0] = triangle;
}

static void keep(grz_deepest_search *s, const grz_simplex *cell, const grz_space_box *box)
{
    grz_simplex kept = *cell;
    kept.vertices[0] = (uint32_t)s->boxes.count;
    if (!GRZ_PUSH(s->space.context, &s->boxes, *box))
        s->status = GRAZE_STATUS_OUT_OF_MEMORY;
    else
        grz_deepest_keep(s, &kept);
}

/* Halves a box across its longest side. */
static void bisect(grz_deepest_search *s, const grz_simplex *cell, const grz_space_box *box)
{
    int longest = box->half[1] > box->half[0];
    longest = box->half[2] > box->half[longest] ? 2 : longest;
    grz_simplex child = *cell;
    child.splits++;
    if (child.splits > GRZ_MOST_SPLITS) /* given up: its bound remains */
    {
        s->pruned = fmax(s->pruned, cell->bound);
        return;
    }
    for (int end = -1; end < 2 && s->status == GRAZE_STATUS_OK; end += 2)
    {
        grz_space_box part = *box;
        part.half[longest] = 0.5 * box->half[longest];
        part.middle[longest] = box->middle[longest] + end * part.half[longest];
        keep(s, &child, &part);
    }
}

/* Finds out whether the bodies meet themselves, once so many boxes were searched that it is worth its cost. */
static void find_embedding(grz_deepest_search *s)
{
    size_t triangles = s->pair->sides[0].placed->mesh->triangle_count + s->pair->sides[1].placed->mesh->triangle_count;
    if (s->space_cells++ == CELLS_BEFORE_PAIRS)
        grz_deepest_settle_by_pairs(s);
    bool needed = s->space.near_facing[0] == 0 || s->space.near_facing[1] == 0;
    if (!needed || s->embedding_known || s->space_cells < CELLS_BEFORE_PAIRS ||
        s->space_cells < triangles / CELLS_PER_TRIANGLE)
        return;
    bool embedded = false;
    s->embedding_known = true;
    graze_status status = grz_body_pair_is_embedded(s->pair, &embedded);
    if (status == GRAZE_STATUS_OK && embedded)
        s->space.embedded = s->pair;
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        s->status = status;
}

/* Tries the centre of a box for the lower bounds. */
static void try_centre(grz_deepest_search *s, grz_simplex *cell, grz_simplex_ball *ball)
{
    for (int side = 0; side < 2; side++)
    {
        cell->settled[side] = cell->settled[side] || s->settled[side];
        if (!cell->settled[side])
            grz_deepest_try_point(s, cell, side, ball->centre, grz_simplex_ball_measured(&s->space, ball, side));
    }
    if (cell->splits <= SPLITS_WITH_SUM || (ball->measured[0] && ball->measured[1]))
        grz_deepest_try_sum(s, ball);
}

/* The upper bound of the depth of a box's points in a side. Its centre is measured. */
static double bound_in(const grz_deepest_search *s, const grz_simplex *cell, grz_space_box *box,
                       const grz_simplex_ball *ball, int side)
{
    const grz_nearest_triangle *nearest = &ball->nearest[side];
    double bound = fmin(cell->bound, (nearest->upper + ball->radius) * (1 + 4 * GRZ_U));
    add_triangle(box->triangles[side], nearest->triangle);
    box->upper[side] = nearest->upper;
    /* where the centre is deeper than the target, so are its neighbours */
    if (bound > grz_deepest_target(s) && nearest->lower <= grz_deepest_target(s))
        bound = fmin(bound, distance_bound(s, cell, box, side));
    return bound;
}

void grz_deepest_search_box(grz_deepest_search *s, grz_simplex *cell)
{
    grz_space_box box = s->boxes.data[cell->vertices[0]];
    grz_simplex_ball ball = ball_of(s, cell, &box);
    find_embedding(s);
    for (int side = 0; side < 2; side++)
        if (!cell->inside[side])
        {
            grz_simplex_location location = grz_simplex_locate_ball(&s->space, &ball, side);
            if (location == GRZ_CELL_OUTSIDE)
                return;
            cell->inside[side] = location == GRZ_CELL_INSIDE;
        }
    try_centre(s, cell, &ball);
    double deepest = 0;
    for (int side = 0; side < 2; side++)
    {
        if (cell->settled[side])
            continue;
        double bound = bound_in(s, cell, &box, &ball, side);
        cell->settled[side] = is_settled(s, cell, &ball, side, bound);
        deepest = cell->settled[side] ? deepest : fmax(deepest, bound);
    }
    if (cell->settled[0] && cell->settled[1])
        return;
    cell->bound = deepest;
    bisect(s, cell, &box);
}

void grz_deepest_start_space(grz_deepest_search *s)
{
    const grz_simplex cell = {.bound = INFINITY, .owner = GRZ_SPACE};
    grz_space_box box;
    s->common = grz_deepest_common_box(s);
    if (!(s->common.extents[0].lower <= s->common.extents[0].upper))
        return;
    for (int side = 0; side < 2 && s->status == GRAZE_STATUS_OK; side++)
        if (!grz_surface_make_cones(s->space.context, &s->space.surfaces[side]))
            s->status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (int axis = 0; axis < 3; axis++)
    {
        const interval extent = s->common.extents[axis];
        box.middle[axis] = 0.5 * (extent.lower + extent.upper);
        box.half[axis] = 0.5 * (extent.upper - extent.lower) * (1 + 4 * GRZ_U) + 4 * GRZ_U * s->space.reach;
    }
    for (int side = 0; side < 2; side++)
    {
        box.upper[side] = 0;
        for (int k = 0; k < GRZ_BOX_TRIANGLES; k++)
            box.triangles[side][k] = GRZ_NO_TRIANGLE;
    }
    if (s->status == GRAZE_STATUS_OK)
        keep(s, &cell, &box);
}
