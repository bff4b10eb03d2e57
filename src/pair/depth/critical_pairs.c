/* SPDX-License-Identifier: MIT */
/*
 * Pairs of surface pieces that may touch a ball from opposite sides; see critical_pairs.h.
 *
 * Let x be a local maximum of the distance to the surface, r its value, and u_i the unit vectors to its nearest points
 * p_i. Then 0 is a mixture of the u_i, of at most four of them (Caratheodory): 0 = sum l_i u_i. Two of them have
 * u_i . u_j <= -1/3: else 0 = sum l_i^2 + sum over i != j of l_i l_j u_i . u_j > sum l_i^2 - (1 - sum l_i^2) / 3, so
 * that sum l_i^2 < 1/4, which four factors of sum 1 cannot have. For these two p_i - p_j = r (u_i - u_j), and
 * |u_i - u_j| >= sqrt(8/3).
 *
 * A piece (surface_pieces.c) has an axis a, signs, and a bound s of |u -+ a|. So for two pieces in balls around m_i and
 * m_j, with radii of sum R, and w = +-a_i -+ a_j, S = s_i + s_j: |w| + S >= sqrt(8/3), and |m_i - m_j - r w| <= r S + R
 * for some r that is asked for. Heights of p_i - p_j along w are between r (|w| - S) and r (|w| + S). x = p_i - r u_i
 * is within the radius and r s_i of m_i -+ r a_i. Pairs for which all that is possible are split into triangles; then
 * the place of x is measured: it may be outside a body, not deep enough, or have normals around that all agree with a
 * direction (distance_maxima.c). If one remains, nothing is said.
 */
#include "pair/depth/critical_pairs.h"

#include <string.h>

#include "base/memory.h"
#include "pair/depth/normal_cones.h"
#include "pair/depth/surface_pieces.h"

enum
{
    MOST_PAIRS = 4000, /* that are split or measured */
    MOST_POINTS = 64   /* places of x that are measured */
};

#define LEAST_DIFFERENCE 1.6329 /* below sqrt(8/3) */

/* Whether the depth has no local maximum within `radius` of a point: the normals of all triangles near it agree with a
   direction (distance_maxima.c). */
static bool grows_somewhere(const grz_critical_search *q, v3 at, double radius, const grz_nearest_triangle *nearest)
{
    v3 corners[3], normal;
    double error, farthest = fmin(nearest->upper + radius, q->most) + radius;
    grz_surface_corners(q->surface, nearest->triangle, corners);
    if (q->facing == 0 || !grz_surface_normal(q->surface, corners, &normal, &error))
        return false;
    normal = v3_scale(q->facing, normal);
    return grz_surface_has_direction(q->surface, at, farthest * (1 + 16 * GRZ_U) + q->error, &normal, 1, q->facing);
}

bool grz_may_be_maximum(grz_critical_search *q, v3 at, double radius)
{
    double x[3];
    grz_nearest_triangle nearest;
    if (grz_gap_to_common_box(q, at) > radius)
        return false;
    if (q->points++ >= MOST_POINTS)
        return true;
    v3_store(at, x);
    grz_find_nearest_triangle(q->surface, x, GRZ_COARSE, GRZ_NO_TRIANGLE, &nearest);
    if (nearest.upper + radius * (1 + 4 * GRZ_U) <= q->least)
        return false;
    if (nearest.lower > radius && !grz_simplex_point_inside(&q->s->space, q->side, x, nearest.lower))
        return false;
    if (grows_somewhere(q, at, radius, &nearest))
        return false;
    grz_find_nearest_triangle(&q->s->space.surfaces[1 - q->side], x, GRZ_COARSE, GRZ_NO_TRIANGLE, &nearest);
    return !(nearest.lower > radius && !grz_simplex_point_inside(&q->s->space, 1 - q->side, x, nearest.lower));
}

/* The heights of a piece along a direction: of its ends, or else of its ball. */
static interval heights_along(const grz_critical_search *q, const grz_surface_piece *p, v3 direction)
{
    double middle = v3_dot(direction, p->centre);
    interval heights = {middle - p->radius, middle + p->radius};
    if (p->end_count == 0)
        return heights;
    heights = (interval){INFINITY, -INFINITY};
    for (int i = 0; i < p->end_count; i++)
        heights = interval_hull(heights, interval_point(v3_dot(direction, p->ends[i])));
    return (interval){heights.lower - q->error, heights.upper + q->error};
}

bool grz_may_be_opposite(const grz_critical_search *q, const grz_surface_piece *a, const grz_surface_piece *b,
                         double sign, double other_sign, v3 *out_x, double *out_radius)
{
    double spread = a->spread + b->spread, radius = a->radius + b->radius;
    v3 w = v3_sub(v3_scale(sign, a->axis), v3_scale(other_sign, b->axis)), chord = v3_sub(a->centre, b->centre);
    double length = v3_length(w);
    if (length + spread < LEAST_DIFFERENCE)
        return false;
    double r = length > 0 ? fmin(fmax(v3_dot(chord, w) / (length * length), q->least), q->most) : q->least;
    if (v3_length(v3_sub(chord, v3_scale(r, w))) > q->most * spread + radius)
        return false;
    v3 along = v3_scale(length > 0 ? 1 / length : 0, w);
    interval of_a = heights_along(q, a, along), of_b = heights_along(q, b, along);
    double least = length - spread > 0 ? q->least * (length - spread) : q->most * (length - spread);
    if (length > 0 && (of_a.upper - of_b.lower < least || of_a.lower - of_b.upper > q->most * (length + spread)))
        return false;
    double middle = 0.5 * (q->least + q->most), range = 0.5 * (q->most - q->least);
    double radii[2] = {a->radius + q->most * a->spread, b->radius + q->most * b->spread};
    *out_x = radii[0] < radii[1] ? v3_sub(a->centre, v3_scale(middle * sign, a->axis))
                                 : v3_sub(b->centre, v3_scale(middle * other_sign, b->axis));
    *out_radius = fmin(radii[0], radii[1]) + range + q->error;
    return true;
}

static bool may_be_critical(grz_critical_search *q, const grz_surface_piece *a,
                            const grz_surface_piece *b) /* NOLINT(misc-no-recursion) */
{
    v3 chord = v3_sub(a->centre, b->centre);
    double square = v3_dot(chord, chord), radius_sum = a->radius + b->radius, farthest = 2 * q->most + radius_sum;
    double nearest = LEAST_DIFFERENCE * q->least - radius_sum;
    if (square > farthest * farthest || (nearest > 0 && square < nearest * nearest))
        return false;
    for (int signs = 0; signs < 4; signs++)
    {
        bool first = (signs & 1) != 0, second = (signs & 2) != 0;
        v3 x;
        double radius;
        if ((a->signs & (first ? GRZ_AGAINST : GRZ_ALONG)) == 0 ||
            (b->signs & (second ? GRZ_AGAINST : GRZ_ALONG)) == 0 ||
            !grz_may_be_opposite(q, a, b, first ? -1 : 1, second ? -1 : 1, &x, &radius))
            continue;
        if (++q->pairs > MOST_PAIRS || q->failed)
            return true;
        const grz_surface_piece *larger = a->count > b->count ? a : b, *other = larger == a ? b : a;
        if (larger->count <= 1)
        {
            if (grz_may_be_maximum(q, x, radius))
                return true;
            continue;
        }
        for (uint8_t i = 0; i < larger->count; i++)
        {
            grz_surface_piece part = grz_piece_of_triangle(q, larger->triangles[i]);
            if (may_be_critical(q, &part, other))
                return true;
        }
        return false;
    }
    return false;
}

static bool test_pairs(grz_critical_search *q)
{
    for (size_t i = 0; i < q->pieces.count; i++)
    {
        if (!grz_monitor_work(q->s->pair->monitor, 1))
            return false;
        for (size_t k = 0; k <= i; k++)
        {
            const grz_surface_piece a = q->pieces.data[i], b = q->pieces.data[k];
            if (may_be_critical(q, &a, &b))
                return false;
        }
    }
    return true;
}

/* Whether normals agree with a direction around the whole box of common points. */
static bool grows_everywhere(const grz_critical_search *q)
{
    v3 centre = v3_make(0, 0, 0), diagonal = v3_make(0, 0, 0);
    for (int axis = 0; axis < 3; axis++)
    {
        const interval extent = q->box->extents[axis];
        centre = v3_add(centre, v3_scale(0.5 * (extent.lower + extent.upper), q->box->axes[axis]));
        diagonal = v3_add(diagonal, v3_scale(0.5 * (extent.upper - extent.lower), q->box->axes[axis]));
    }
    double x[3];
    grz_nearest_triangle nearest;
    v3_store(centre, x);
    grz_find_nearest_triangle(q->surface, x, GRZ_COARSE, GRZ_NO_TRIANGLE, &nearest);
    return grows_somewhere(q, centre, v3_length(diagonal) * (1 + 0x1p-40) + q->error, &nearest);
}

static bool make_search(grz_deepest_search *s, grz_critical_search *q)
{
    size_t count = q->body->mesh->triangle_count;
    q->rings = grz_allocate_zeroed(s->space.context, count, sizeof *q->rings);
    q->marks = grz_allocate_zeroed(s->space.context, count, sizeof *q->marks);
    q->sides = grz_allocate(s->space.context, count, sizeof *q->sides);
    q->queue = grz_allocate(s->space.context, count, sizeof *q->queue);
    return q->rings != NULL && q->marks != NULL && q->sides != NULL && q->queue != NULL;
}

static void release_search(const graze_context *context, grz_critical_search *q)
{
    grz_release(context, q->rings);
    grz_release(context, q->marks);
    grz_release(context, q->sides);
    grz_release(context, q->queue);
    grz_release(context, q->leaves.data);
    grz_release(context, q->pieces.data);
    grz_embedding_end(context, &q->embedding);
}

bool grz_has_no_critical_pair(grz_deepest_search *s, int side, const grz_common_box *box, double least, double most)
{
    const grz_surface *surface = &s->space.surfaces[side];
    const graze_body *body = s->pair->sides[side].body;
    grz_critical_search q = {.s = s,
                             .surface = surface,
                             .body = body,
                             .box = box,
                             .side = side,
                             .least = least * (1 - 0x1p-40),
                             .most = most * (1 + 0x1p-40),
                             .error = 4 * surface->error + 64 * GRZ_U * s->space.reach};
    if (!body->adjacency.closed || !body->adjacency.oriented || surface->cones == NULL || !(most < INFINITY))
        return false;
    bool none = make_search(s, &q);
    if (none)
    {
        grz_gather_near_leaves(&q);
        bool certain = !q.failed && grz_monitor_may_continue(s->pair->monitor);
        s->space.near_facing[side] = certain ? q.facing : 0;
        s->space.near_depth = q.most;
        none = certain && grows_everywhere(&q);
        if (certain && !none)
        {
            grz_gather_surface_pieces(&q);
            /* shortcut: no-critical-pair */
            none = !q.failed && test_pairs(&q) && !q.failed;
        }
    }
    release_search(s->space.context, &q);
    return none && grz_monitor_may_continue(s->pair->monitor);
}
