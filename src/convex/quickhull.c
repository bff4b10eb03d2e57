/* SPDX-License-Identifier: MIT */
/*
 * Quickhull (Barber, Dobkin, Huhdanpaa 1996) with exact signs. Every point that is not yet inside is in the list of one
 * triangle that it lies outside of. The farthest point of a list becomes a vertex: the triangles that it is outside of
 * are replaced by those it makes with the edges around them, the horizon.
 *
 * Only points strictly outside count, so that points in the plane of a triangle never become vertices of it. The
 * triangles that a point a is strictly outside of are those whose front it sees: they tile a convex polygon as seen
 * from a, so the horizon is one simple cycle. No new triangle is degenerate: a point on the line of a horizon edge
 * would be in the plane of the triangle that is replaced.
 *
 * Points of replaced triangles go to the first new triangle that they are outside of; if there is none they are inside.
 * For let p be strictly outside of the replaced triangle V, and outside of no new one: so it is in the cone from a over
 * the horizon. The ray from a through p enters the old hull at a point s, not outside of V. Heights above V decrease
 * along the ray and p's is positive: p is between a and s, and inside the new hull.
 *
 * Triangles with points outside are on a stack: the region of the last vertex is finished before another one is begun,
 * so that its triangles and points are still in the cache. In the order of a queue 100,000 points on a sphere take
 * twice as long. The hull is the same in any order.
 *
 * Lists keep the order of the input, and equal points are always in the same list: of these the first becomes a vertex.
 *
 * Error bound. In any rounding mode an operation is off by v = 2 u of its result. With E, F and D upper bounds of the
 * components of the edges e, f and of p - origin: a component of e x f is off by ((1 + v)^4 - 1) 2 E F < 8.1 v E F, its
 * product with one of p - origin and the sum of three by another 8.2 v E F D: 49 v E F D in all, below 128 u E F D.
 * Denormals flushed to zero: differences are off by 2^-1022 more, and with components up to 2^100 heights by less
 * than 2^-800.
 */
#include "convex/quickhull.h"

#include "base/memory.h"
#include "exact/predicates.h"
#include "math/interval.h"

#define NONE UINT32_MAX

/* ---- sides ---- */

static double largest_component(v3 a)
{
    return fmax(fmax(fabs(a.x), fabs(a.y)), fabs(a.z));
}

static double height_above(const grz_hull_triangle *t, const double point[3])
{
    return v3_dot(t->normal, v3_sub(v3_load(point), t->origin));
}

static int exact_side(const double (*points)[3], const grz_hull_triangle *t, uint32_t point)
{
    grz_points set;
    grz_points_start(&set, NULL);
    for (int k = 0; k < 3; k++)
        grz_points_add(&set, points[t->corners[k]], NULL);
    grz_points_add(&set, points[point], NULL);
    return -grz_orient3d(&set, 0, 1, 2, 3);
}

static int side_of_height(const double (*points)[3], const grz_hull_triangle *t, uint32_t point, double height)
{
    /* shortcut: hull-heights-in-doubles */
    return height > t->error ? 1 : height < -t->error ? -1 : exact_side(points, t, point);
}

int grz_hull_triangle_side(const double (*points)[3], const grz_hull_triangle *t, uint32_t point)
{
    return side_of_height(points, t, point, height_above(t, points[point]));
}

/* ---- triangles ---- */

grz_hull_triangle grz_hull_triangle_make(const double (*points)[3], double extent, const uint32_t corners[3])
{
    v3 origin = v3_load(points[corners[0]]);
    v3 e = v3_sub(v3_load(points[corners[1]]), origin), f = v3_sub(v3_load(points[corners[2]]), origin);
    return (grz_hull_triangle){.corners = {corners[0], corners[1], corners[2]},
                               .neighbours = {NONE, NONE, NONE},
                               .origin = origin,
                               .normal = v3_cross(e, f),
                               .error = 128 * GRZ_U * largest_component(e) * largest_component(f) * extent + 0x1p-800,
                               .first_outside = NONE,
                               .last_outside = NONE,
                               .farthest = NONE,
                               .mark = NONE,
                               .alive = true};
}

static bool make_triangle(grz_quickhull *q, uint32_t a, uint32_t b, uint32_t c, uint32_t *out_index)
{
    const grz_hull_triangle t = grz_hull_triangle_make(q->points, q->extent, (uint32_t[3]){a, b, c});
    if (q->unused.count > 0)
    {
        *out_index = q->unused.data[--q->unused.count];
        q->triangles.data[*out_index] = t;
        return true;
    }
    *out_index = (uint32_t)q->triangles.count;
    return GRZ_PUSH(q->context, &q->triangles, t);
}

/* Adds a point to the list of the first of these triangles that it is outside of; if there is none it is inside. */
static bool distribute(grz_quickhull *q, uint32_t point, const uint32_t *triangles, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        grz_hull_triangle *t = &q->triangles.data[triangles[i]];
        double height = height_above(t, q->points[point]);
        if (side_of_height(q->points, t, point, height) <= 0)
            continue;
        q->next[point] = NONE;
        if (t->first_outside == NONE)
        {
            t->first_outside = point;
            if (!GRZ_PUSH(q->context, &q->pending, triangles[i]))
                return false;
        }
        else
            q->next[t->last_outside] = point;
        t->last_outside = point;
        if (t->farthest == NONE || height > t->farthest_height)
        {
            t->farthest = point;
            t->farthest_height = height;
        }
        return true;
    }
    return true;
}

/* ---- one more vertex ---- */

/* Gathers the triangles that a point is outside of, and the edges around them. */
static bool find_horizon(grz_quickhull *q, uint32_t first, uint32_t apex)
{
    q->visible.count = q->horizon.count = 0;
    q->triangles.data[first].mark = 2 * apex + 1;
    if (!GRZ_PUSH(q->context, &q->visible, first))
        return false;
    for (size_t i = 0; i < q->visible.count; i++)
        for (uint32_t k = 0; k < 3; k++)
        {
            const grz_hull_triangle *t = &q->triangles.data[q->visible.data[i]];
            uint32_t beyond = t->neighbours[k], edge = 0;
            grz_hull_triangle *other = &q->triangles.data[beyond];
            if (other->mark >> 1 != apex)
            {
                bool sees = grz_hull_triangle_side(q->points, other, apex) > 0;
                other->mark = 2 * apex + (sees ? 1 : 0);
                if (sees && !GRZ_PUSH(q->context, &q->visible, beyond))
                    return false;
            }
            if ((other->mark & 1) != 0)
                continue;
            while (other->corners[edge] != t->corners[(k + 1) % 3])
                edge++;
            if (!GRZ_PUSH(q->context, &q->horizon, beyond) || !GRZ_PUSH(q->context, &q->horizon, edge))
                return false;
        }
    return true;
}

/* Makes the triangles between a point and the horizon. */
static bool make_cone(grz_quickhull *q, uint32_t apex)
{
    q->added.count = 0;
    for (size_t i = 0; i < q->horizon.count; i += 2)
    {
        uint32_t beyond = q->horizon.data[i], edge = q->horizon.data[i + 1], made;
        const uint32_t *corners = q->triangles.data[beyond].corners;
        uint32_t to = corners[edge], from = corners[(edge + 1) % 3];
        if (!make_triangle(q, from, to, apex, &made) || !GRZ_PUSH(q->context, &q->added, made))
            return false;
        q->triangles.data[made].neighbours[0] = beyond;
        q->triangles.data[beyond].neighbours[edge] = made;
        q->starts[from] = made;
    }
    for (size_t i = 0; i < q->added.count; i++)
    {
        grz_hull_triangle *t = &q->triangles.data[q->added.data[i]];
        t->neighbours[1] = q->starts[t->corners[1]];
        q->triangles.data[t->neighbours[1]].neighbours[2] = q->added.data[i];
    }
    return true;
}

static bool add_vertex(grz_quickhull *q, uint32_t first, grz_monitor *monitor)
{
    uint32_t apex = q->triangles.data[first].farthest;
    if (!find_horizon(q, first, apex) || !make_cone(q, apex))
        return false;
    for (size_t i = 0; i < q->visible.count; i++)
    {
        grz_hull_triangle *t = &q->triangles.data[q->visible.data[i]];
        uint32_t following;
        for (uint32_t point = t->first_outside; point != NONE; point = following)
        {
            following = q->next[point];
            if (point != apex && !distribute(q, point, q->added.data, q->added.count))
                return false;
            t = &q->triangles.data[q->visible.data[i]];
            grz_monitor_elements(monitor, 1);
        }
        t->alive = false;
        t->first_outside = NONE;
        if (!GRZ_PUSH(q->context, &q->unused, q->visible.data[i]))
            return false;
    }
    return true;
}

/* ---- the hull ---- */

double grz_hull_extent(const double (*points)[3], size_t count)
{
    double extent = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = points[0][axis], upper = points[0][axis];
        for (size_t i = 1; i < count; i++)
        {
            lower = fmin(lower, points[i][axis]);
            upper = fmax(upper, points[i][axis]);
        }
        extent = fmax(extent, upper - lower);
    }
    extent *= 1 + 4 * GRZ_U;
    return extent > 0x1p-200 && extent < 0x1p100 ? extent : INFINITY;
}

/* The tetrahedron of the first four points, turned so that its triangles face outward. */
static bool make_tetrahedron(grz_quickhull *q, const uint32_t first[4])
{
    grz_points points;
    grz_points_start(&points, NULL);
    for (int k = 0; k < 4; k++)
        grz_points_add(&points, q->points[first[k]], NULL);
    bool turned = grz_orient3d(&points, 0, 1, 2, 3) < 0; /* the last one is outside of the first three */
    const uint32_t p[4] = {first[0], first[turned ? 2 : 1], first[turned ? 1 : 2], first[3]};
    static const uint32_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const uint32_t neighbours[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (uint32_t i = 0; i < 4; i++)
    {
        uint32_t index;
        if (!make_triangle(q, p[corners[i][0]], p[corners[i][1]], p[corners[i][2]], &index))
            return false;
        for (int k = 0; k < 3; k++)
            q->triangles.data[index].neighbours[k] = neighbours[i][k];
    }
    return true;
}

static bool make_hull(grz_quickhull *q, const uint32_t first[4], grz_monitor *monitor)
{
    static const uint32_t all[4] = {0, 1, 2, 3};
    if (q->next == NULL || q->starts == NULL || !make_tetrahedron(q, first))
        return false;
    for (uint32_t i = 0; i < q->point_count && grz_monitor_elements(monitor, 1); i++)
        if (i != first[0] && i != first[1] && i != first[2] && i != first[3] && !distribute(q, i, all, 4))
            return false;
    while (q->pending.count > 0 && grz_monitor_may_continue(monitor))
    {
        uint32_t last = q->pending.data[--q->pending.count];
        const grz_hull_triangle *t = &q->triangles.data[last];
        if (t->alive && t->first_outside != NONE && !add_vertex(q, last, monitor))
            return false;
    }
    return true;
}

graze_status grz_quickhull_make(const graze_context *context, const double (*points)[3], size_t count,
                                const uint32_t first[4], grz_monitor *monitor, grz_quickhull *out_hull)
{
    *out_hull = (grz_quickhull){.context = context,
                                .points = points,
                                .point_count = count,
                                .extent = grz_hull_extent(points, count),
                                .next = grz_allocate(context, count, sizeof *out_hull->next),
                                .starts = grz_allocate(context, count, sizeof *out_hull->starts)};
    if (!make_hull(out_hull, first, monitor))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    return grz_monitor_status(monitor);
}

void grz_quickhull_release(grz_quickhull *q)
{
    grz_release(q->context, q->triangles.data);
    grz_release(q->context, q->unused.data);
    grz_release(q->context, q->pending.data);
    grz_release(q->context, q->visible.data);
    grz_release(q->context, q->added.data);
    grz_release(q->context, q->horizon.data);
    grz_release(q->context, q->next);
    grz_release(q->context, q->starts);
}
