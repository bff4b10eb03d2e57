/* SPDX-License-Identifier: MIT */
/*
 * Removing a point s from a hull. The triangles around s are replaced by a triangulation of the cycle of its
 * neighbours, the link: no other point is a corner of a new triangle, because the plane of a face g that s alone cut
 * off would have no face before; and every plane has one as long as planes are only removed. So the new triangles are
 * found as ears: three neighbours in a row such that no other one lies outside of their plane. Signs are exact, hence
 * there is always an ear, and the triangles stay the hull of the points that are left. The polyhedron would be
 * unbounded where the origin is not behind a new triangle.
 */
#include "convex/dual_hull.h"

#include "base/memory.h"
#include "graze/exact.h"

#define NONE UINT32_MAX

/* A point with what is around it, in order, and the triangles that would replace its own. */
typedef struct star
{
    size_t count;
    uint32_t triangles[GRZ_DUAL_MOST_NEIGHBOURS]; /* of the point and link i, i + 1 */
    uint32_t link[GRZ_DUAL_MOST_NEIGHBOURS];
    size_t ear_count;
    uint32_t ears[GRZ_DUAL_MOST_NEIGHBOURS][3]; /* positions in the link */
} star;

/* ---- vertices ---- */

static v3 point_at(const grz_dual_hull *d, uint32_t point)
{
    return v3_load(d->hull->vertices[point]);
}

/* The x with n . x = 1 for the three points n. */
static v3 vertex_of(const grz_dual_hull *d, const uint32_t corners[3])
{
    v3 a = point_at(d, corners[0]);
    v3 normal = v3_cross(v3_sub(point_at(d, corners[1]), a), v3_sub(point_at(d, corners[2]), a));
    return v3_scale(1 / v3_dot(normal, a), normal);
}

static bool is_behind(const grz_dual_hull *d, const uint32_t corners[3], const double point[3], bool strictly)
{
    const double(*p)[3] = (const double(*)[3])d->hull->vertices;
    return graze_point_orient3d(p[corners[0]], p[corners[1]], p[corners[2]], point) >= (strictly ? 1 : 0);
}

static bool is_short(const grz_dual_hull *d, uint32_t triangle, int edge)
{
    const grz_dual_triangle *t = &d->triangles[triangle];
    return v3_length(v3_sub(t->vertex, d->triangles[t->neighbours[edge]].vertex)) <= d->resolution;
}

size_t grz_dual_hull_vertex_count(const grz_dual_hull *d)
{
    return d->live_triangles - d->short_edges;
}

/* ---- the star of a point ---- */

static int corner_at(const grz_dual_triangle *t, uint32_t point)
{
    return t->corners[0] == point ? 0 : t->corners[1] == point ? 1 : 2;
}

/* False when there are too many neighbours. */
static bool find_star(const grz_dual_hull *d, uint32_t point, star *s)
{
    uint32_t triangle = d->triangles_of[point];
    s->count = 0;
    do
    {
        const grz_dual_triangle *t = &d->triangles[triangle];
        int k = corner_at(t, point);
        if (s->count == GRZ_DUAL_MOST_NEIGHBOURS)
            return false;
        s->triangles[s->count] = triangle;
        s->link[s->count++] = t->corners[(k + 1) % 3];
        triangle = t->neighbours[(k + 2) % 3]; /* across the edge from the next link point to this one */
    } while (triangle != d->triangles_of[point]);
    return true;
}

static bool is_ear(const grz_dual_hull *d, const star *s, const uint32_t *order, size_t count, size_t at)
{
    const uint32_t corners[3] = {s->link[order[(at + count - 1) % count]], s->link[order[at]],
                                 s->link[order[(at + 1) % count]]};
    for (size_t i = 0; i + 3 < count; i++)
        if (!is_behind(d, corners, d->hull->vertices[s->link[order[(at + 2 + i) % count]]], false))
            return false;
    return true;
}

/* The triangles that replace those of the star. False where the polyhedron would be unbounded. */
static bool find_ears(const grz_dual_hull *d, star *s)
{
    static const double origin[3] = {0, 0, 0};
    uint32_t order[GRZ_DUAL_MOST_NEIGHBOURS];
    size_t count = s->count;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    s->ear_count = 0;
    while (count >= 3)
    {
        size_t at = 0;
        while (at < count && count > 3 && !is_ear(d, s, order, count, at))
            at++;
        if (at == count)
            return false;
        uint32_t *ear = s->ears[s->ear_count++];
        ear[0] = order[(at + count - 1) % count];
        ear[1] = order[at];
        ear[2] = order[(at + 1) % count];
        const uint32_t corners[3] = {s->link[ear[0]], s->link[ear[1]], s->link[ear[2]]};
        if (!is_behind(d, corners, origin, true))
            return false;
        count--;
        for (size_t i = at; i < count; i++)
            order[i] = order[i + 1];
    }
    return true;
}

/* ---- removal ---- */

double grz_dual_hull_cost(const grz_dual_hull *d, uint32_t point)
{
    star s;
    if (!find_star(d, point, &s) || !find_ears(d, &s))
        return INFINITY;
    v3 first = d->triangles[s.triangles[0]].vertex, area = v3_make(0, 0, 0), normal = point_at(d, point);
    for (size_t i = 1; i + 1 < s.count; i++)
        area = v3_add(area, v3_cross(v3_sub(d->triangles[s.triangles[i]].vertex, first),
                                     v3_sub(d->triangles[s.triangles[i + 1]].vertex, first)));
    double height = 0;
    for (size_t i = 0; i < s.ear_count; i++)
    {
        const uint32_t corners[3] = {s.link[s.ears[i][0]], s.link[s.ears[i][1]], s.link[s.ears[i][2]]};
        height = fmax(height, v3_dot(normal, vertex_of(d, corners)) - 1);
    }
    double cost = v3_length(area) * height / v3_length(normal) / 6;
    return cost < INFINITY ? cost : INFINITY;
}

/* The edge of a triangle that starts at a point. */
static void set_neighbour(grz_dual_hull *d, uint32_t triangle, uint32_t from, uint32_t neighbour)
{
    d->triangles[triangle].neighbours[corner_at(&d->triangles[triangle], from)] = neighbour;
}

/* Counts the short edges inside of triangles that belong together and between them and others. */
static size_t count_short_edges(const grz_dual_hull *d, const uint32_t *triangles, size_t count)
{
    size_t between = 0, inside = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
        {
            uint32_t other = d->triangles[triangles[i]].neighbours[k];
            bool inner = false;
            for (size_t j = 0; j < count; j++)
                inner = inner || triangles[j] == other;
            if (is_short(d, triangles[i], k))
                *(inner ? &inside : &between) += 1;
        }
    return between + inside / 2;
}

/* Puts the ears in the place of the first triangles of the star. `beyond` are the triangles across the edges of the
   link; ears are made from the rim inward, so the third edge of one is a rim edge of a later one. */
static void write_ears(grz_dual_hull *d, const star *s, const uint32_t *beyond)
{
    uint32_t across[GRZ_DUAL_MOST_NEIGHBOURS]; /* per position that is left: the triangle across its edge to the next */
    for (size_t i = 0; i < s->count; i++)
        across[i] = beyond[i];
    for (size_t i = 0; i < s->ear_count; i++)
    {
        const uint32_t *ear = s->ears[i], made = s->triangles[i];
        grz_dual_triangle *t = &d->triangles[made];
        for (int k = 0; k < 3; k++)
        {
            t->corners[k] = s->link[ear[k]];
            d->triangles_of[t->corners[k]] = made;
        }
        t->vertex = vertex_of(d, t->corners);
        bool last = i + 1 == s->ear_count;
        for (int k = 0; k < (last ? 3 : 2); k++)
        {
            t->neighbours[k] = across[ear[k]];
            set_neighbour(d, across[ear[k]], t->corners[(k + 1) % 3], made);
        }
        across[ear[0]] = made; /* the edge from ear[0] to ear[2] */
    }
}

void grz_dual_hull_remove(grz_dual_hull *d, uint32_t point, uint32_t neighbours[GRZ_DUAL_MOST_NEIGHBOURS],
                          size_t *out_count)
{
    star s;
    uint32_t beyond[GRZ_DUAL_MOST_NEIGHBOURS];
    *out_count = 0;
    if (!find_star(d, point, &s) || !find_ears(d, &s))
        return;
    d->short_edges -= count_short_edges(d, s.triangles, s.count);
    for (size_t i = 0; i < s.count; i++)
    {
        const grz_dual_triangle *t = &d->triangles[s.triangles[i]];
        beyond[i] = t->neighbours[corner_at(t, s.link[i])];
        neighbours[i] = s.link[i];
    }
    write_ears(d, &s, beyond);
    for (size_t i = s.ear_count; i < s.count; i++)
        d->triangles[s.triangles[i]].alive = false;
    d->triangles_of[point] = NONE;
    d->live_triangles -= s.count - s.ear_count;
    d->short_edges += count_short_edges(d, s.triangles, s.ear_count);
    *out_count = s.count;
}

/* ---- the first one ---- */

/* Cuts each face into triangles from its first corner; twins[h] become neighbours. */
static void cut_faces(grz_dual_hull *d, uint32_t *triangle_of)
{
    const grz_hull *hull = d->hull;
    uint32_t made = 0;
    for (size_t face = 0; face < hull->face_count; face++)
    {
        uint32_t first = hull->face_starts[face], end = hull->face_starts[face + 1];
        for (uint32_t h = first + 1; h + 1 < end; h++)
        {
            grz_dual_triangle *t = &d->triangles[made];
            *t = (grz_dual_triangle){.corners = {hull->origins[first], hull->origins[h], hull->origins[h + 1]},
                                     .neighbours = {made - 1, NONE, made + 1},
                                     .alive = true};
            t->vertex = vertex_of(d, t->corners);
            triangle_of[h] = made;
            if (h == first + 1)
                triangle_of[first] = made;
            if (h + 2 == end)
                triangle_of[h + 1] = made;
            for (int k = 0; k < 3; k++)
                d->triangles_of[t->corners[k]] = made;
            made++;
        }
    }
    for (uint32_t h = 0; h < hull->half_edge_count; h++)
        set_neighbour(d, triangle_of[h], hull->origins[h], triangle_of[hull->twins[h]]);
    d->triangle_count = d->live_triangles = made;
}

graze_status grz_dual_hull_make(const graze_context *context, const grz_hull *hull, double resolution,
                                grz_dual_hull *out_dual)
{
    static const double origin[3] = {0, 0, 0};
    grz_dual_hull *d = out_dual;
    size_t count = hull->half_edge_count - 2 * hull->face_count;
    *d = (grz_dual_hull){.context = grz_context_copy(context), .hull = hull, .resolution = resolution};
    if (hull->dimension < 3)
        return GRAZE_STATUS_BAD_ARGUMENT;
    d->triangles = grz_allocate(context, count, sizeof *d->triangles);
    d->triangles_of = grz_allocate(context, hull->vertex_count, sizeof *d->triangles_of);
    uint32_t *triangle_of = grz_allocate(context, hull->half_edge_count, sizeof *triangle_of);
    if (d->triangles == NULL || d->triangles_of == NULL || triangle_of == NULL)
    {
        grz_release(context, triangle_of);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    cut_faces(d, triangle_of);
    grz_release(context, triangle_of);
    size_t twice = 0;
    for (uint32_t t = 0; t < d->triangle_count; t++)
    {
        if (!is_behind(d, d->triangles[t].corners, origin, true))
            return GRAZE_STATUS_BAD_ARGUMENT;
        for (int k = 0; k < 3; k++)
            twice += is_short(d, t, k);
    }
    d->short_edges = twice / 2;
    return GRAZE_STATUS_OK;
}

void grz_dual_hull_release(grz_dual_hull *d)
{
    grz_release(&d->context, d->triangles);
    grz_release(&d->context, d->triangles_of);
}
