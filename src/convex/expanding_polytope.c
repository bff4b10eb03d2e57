/* SPDX-License-Identifier: MIT */
/*
 * A closed surface of oriented triangles between points of the Minkowski difference A - B. Where it goes around the
 * origin and no triangle is nearer than r, the ball of radius r lies in A - B: the winding number of the surface is the
 * same for all points of the ball, and points around which it is not 0 are in the convex hull of the surface. The
 * surface need not be convex for that.
 *
 * It goes around the origin if each triangle has a positive solid angle there: det(p, q, r) > 0. Or, if it went around
 * before a point was added: triangles are then replaced by the cone from the point over their border, which differs by
 * tetrahedra that lie in front of these triangles' planes, where the origin is not as long as their distances are
 * positive. The replaced triangles are those whose edges remain after cancelling opposite ones, so the surface stays
 * closed whatever rounding does.
 */
#include "convex/expanding_polytope.h"

#include <string.h>

static void set_face(grz_expanding_polytope *p, unsigned at, unsigned i, unsigned j, unsigned k)
{
    v3 x = p->points[i], y = p->points[j], z = p->points[k];
    v3 n = v3_cross(v3_sub(y, x), v3_sub(z, x));
    double a = v3_dot(n, x), b = v3_dot(n, y), c = v3_dot(n, z), square = v3_dot(n, n);
    double least = a < b ? a : b;
    least = c < least ? c : least;
    p->corners[at][0] = (uint8_t)i;
    p->corners[at][1] = (uint8_t)j;
    p->corners[at][2] = (uint8_t)k;
    p->x[at] = n.x;
    p->y[at] = n.y;
    p->z[at] = n.z;
    p->least[at] = least;
    p->distance[at] = square > 0x1p-900 ? least / sqrt(square) : -INFINITY;
}

bool grz_expanding_polytope_start(const grz_gjk *g, grz_expanding_polytope *out_polytope)
{
    grz_expanding_polytope *p = out_polytope;
    p->point_count = 4;
    for (int i = 0; i < 4; i++)
    {
        p->points[i] = g->corners[i];
        p->vertices[i][0] = g->vertices[i][0];
        p->vertices[i][1] = g->vertices[i][1];
    }
    v3 x = v3_sub(p->points[1], p->points[0]), y = v3_sub(p->points[2], p->points[0]),
       z = v3_sub(p->points[3], p->points[0]);
    double volume = v3_dot(x, v3_cross(y, z));
    double size = v3_length(x) * v3_length(y) * v3_length(z);
    if (!(fabs(volume) > 0x1p-40 * size))
        return false;
    unsigned first = volume > 0 ? 1 : 2, second = 3 - first;
    set_face(p, 0, first, second, 3);
    set_face(p, 1, 0, 3, second);
    set_face(p, 2, 0, first, 3);
    set_face(p, 3, 0, second, first);
    p->face_count = 4;
    return true;
}

/*
 * The sign of det(p, q, r), computed as n . p with n = (q - p) x (r - p). Let e = 8 u S bound the errors of corners,
 * N = S + e their magnitudes. Differences err by 2 e + 2 u N = 2.3 e, and are at most 2 N; a component of n by the sum
 * of 2 N times twice 2.3 e in each of two orders and roundings: 2 (9.2 e N) + 3 u 8 N^2 in all; the sum of three
 * products with a coordinate by three times that and its own: less than 100 u S_x S_y S_z times 8 in all, with 8 e = 64
 * u S.
 */
bool grz_expanding_polytope_encloses(const grz_expanding_polytope *p, v3 size)
{
    double least = INFINITY;
    for (unsigned f = 0; f < p->face_count; f++)
        least = p->least[f] < least ? p->least[f] : least;
    /* shortcut: convex-winding */
    return least > 2000 * GRZ_U * (size.x * size.y * size.z) + GRZ_CONVEX_TINY;
}

bool grz_expanding_polytope_load(grz_gjk *g, const grz_convex_cache *cache, grz_expanding_polytope *out_polytope)
{
    grz_expanding_polytope *p = out_polytope;
    const grz_convex_operands *o = &g->operands;
    size_t count_a = o->bodies[0]->vertex_count, count_b = o->bodies[1]->vertex_count;
    p->point_count = cache->point_count;
    p->face_count = cache->face_count;
    if (p->point_count < 4 || p->point_count > GRZ_CONVEX_CACHED_POINTS || p->face_count > GRZ_CONVEX_CACHED_FACES)
        return false;
    for (unsigned i = 0; i < p->point_count; i++)
    {
        const uint32_t *v = cache->points[i];
        if (v[0] >= count_a || v[1] >= count_b)
            return false;
        p->vertices[i][0] = v[0];
        p->vertices[i][1] = v[1];
        p->points[i] = grz_convex_difference(grz_convex_place(o, v[0], v[1]));
    }
    for (unsigned f = 0; f < p->face_count; f++)
    {
        const uint8_t *c = cache->faces[f];
        if (c[0] >= p->point_count || c[1] >= p->point_count || c[2] >= p->point_count)
            return false;
        set_face(p, f, c[0], c[1], c[2]);
    }
    return grz_expanding_polytope_encloses(p, o->size);
}

/* The nearest face and the point farthest behind it: a tetrahedron that is close to the answer, and encloses the origin
   mostly. */
static void store_nearest(const grz_expanding_polytope *p, grz_convex_cache *cache)
{
    static const uint8_t faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    unsigned f = grz_expanding_polytope_nearest(p), farthest = 0;
    double least = INFINITY;
    for (unsigned i = 0; i < p->point_count; i++)
    {
        double height = v3_dot(v3_make(p->x[f], p->y[f], p->z[f]), p->points[i]);
        farthest = height < least ? i : farthest;
        least = height < least ? height : least;
    }
    for (int i = 0; i < 4; i++)
    {
        unsigned point = i < 3 ? p->corners[f][i] : farthest;
        cache->points[i][0] = p->vertices[point][0];
        cache->points[i][1] = p->vertices[point][1];
        for (int k = 0; k < 3; k++)
            cache->faces[i][k] = faces[i][k];
    }
    cache->point_count = cache->face_count = 4;
}

/* Points that are no corner of a face are left out. */
void grz_expanding_polytope_store(const grz_expanding_polytope *p, grz_convex_cache *cache)
{
    uint8_t numbers[GRZ_EXPANDING_POINTS];
    unsigned count = 0;
    memset(numbers, UINT8_MAX, sizeof numbers);
    if (p->face_count > GRZ_CONVEX_CACHED_FACES)
    {
        store_nearest(p, cache);
        return;
    }
    for (unsigned f = 0; f < p->face_count; f++)
        for (int k = 0; k < 3; k++)
        {
            unsigned i = p->corners[f][k];
            if (numbers[i] == UINT8_MAX && count < GRZ_CONVEX_CACHED_POINTS)
            {
                cache->points[count][0] = p->vertices[i][0];
                cache->points[count][1] = p->vertices[i][1];
                numbers[i] = (uint8_t)count++;
            }
            cache->faces[f][k] = numbers[i];
        }
    cache->point_count = count;
    cache->face_count = p->face_count;
}

/* Adds a half-edge to a border, or removes its twin from it. */
static unsigned toggle(uint8_t border[][2], unsigned count, uint8_t from, uint8_t to)
{
    for (unsigned i = 0; i < count; i++)
        if (border[i][0] == to && border[i][1] == from)
        {
            border[i][0] = border[count - 1][0];
            border[i][1] = border[count - 1][1];
            return count - 1;
        }
    border[count][0] = from;
    border[count][1] = to;
    return count + 1;
}

/* A point with these vertices, or else the next one to be. A surface of last time may have a point outside of a face.
 */
static unsigned find_point(const grz_expanding_polytope *p, const uint32_t vertices[2])
{
    for (unsigned i = 0; i < p->point_count; i++)
        if (p->vertices[i][0] == vertices[0] && p->vertices[i][1] == vertices[1])
            return i;
    return p->point_count;
}

/* Lists the faces that a point is in front of, more than by rounding, ascending; and the given one. */
static unsigned list_visible(const grz_expanding_polytope *p, v3 point, unsigned face, uint16_t *list)
{
    unsigned count = 0;
    f64x2 x = f64x2_splat(point.x), y = f64x2_splat(point.y), z = f64x2_splat(point.z), slack = f64x2_splat(0x1p-40);
    for (unsigned f = 0; f < p->face_count; f += 2) /* after the last face is one whose numbers are 0 */
    {
        f64x2 least = f64x2_load(p->least + f);
        f64x2 height = f64x2_add(f64x2_add(f64x2_mul(x, f64x2_load(p->x + f)), f64x2_mul(y, f64x2_load(p->y + f))),
                                 f64x2_mul(z, f64x2_load(p->z + f)));
        unsigned above = f64x2_gt_bits(f64x2_sub(height, least), f64x2_mul(slack, f64x2_abs(least)));
        above |= face - f < 2 ? 1u << (face - f) : 0;
        if ((above & 1) != 0)
            list[count++] = (uint16_t)f;
        if ((above & 2) != 0)
            list[count++] = (uint16_t)(f + 1);
    }
    return count;
}

static void move_face(grz_expanding_polytope *p, unsigned from, unsigned to)
{
    for (int k = 0; k < 3; k++)
        p->corners[to][k] = p->corners[from][k];
    p->x[to] = p->x[from];
    p->y[to] = p->y[from];
    p->z[to] = p->z[from];
    p->least[to] = p->least[from];
    p->distance[to] = p->distance[from];
}

static void clear_next_face(grz_expanding_polytope *p)
{
    unsigned f = p->face_count;
    p->x[f] = p->y[f] = p->z[f] = p->least[f] = 0;
    p->distance[f] = INFINITY;
}

bool grz_expanding_polytope_add(grz_expanding_polytope *p, v3 point, const uint32_t vertices[2], unsigned face)
{
    uint8_t border[3 * GRZ_EXPANDING_FACES][2];
    uint16_t visible[GRZ_EXPANDING_FACES];
    unsigned border_count = 0, apex = find_point(p, vertices);
    if (apex == GRZ_EXPANDING_POINTS)
        return false;
    clear_next_face(p);
    unsigned visible_count = list_visible(p, point, face, visible);
    for (unsigned i = 0; i < visible_count; i++)
    {
        const uint8_t *c = p->corners[visible[i]];
        border_count = toggle(border, border_count, c[0], c[1]);
        border_count = toggle(border, border_count, c[1], c[2]);
        border_count = toggle(border, border_count, c[2], c[0]);
    }
    if (p->face_count - visible_count + border_count >= GRZ_EXPANDING_FACES)
        return false;
    while (visible_count-- > 0)
        move_face(p, --p->face_count, visible[visible_count]);
    if (apex == p->point_count)
        p->point_count++;
    p->points[apex] = point;
    p->vertices[apex][0] = vertices[0];
    p->vertices[apex][1] = vertices[1];
    for (unsigned i = 0; i < border_count; i++)
        if (border[i][0] != apex && border[i][1] != apex) /* others have the same edge twice, which cancels */
            set_face(p, p->face_count++, border[i][0], border[i][1], apex);
    return true;
}

unsigned grz_expanding_polytope_nearest(const grz_expanding_polytope *p)
{
    f64x2 least[2] = {f64x2_splat(INFINITY), f64x2_splat(INFINITY)};
    unsigned f = 0;
    for (; f + 4 <= p->face_count; f += 4)
        for (unsigned k = 0; k < 2; k++)
            least[k] = f64x2_min(least[k], f64x2_load(p->distance + f + 2 * k));
    f64x2 both = f64x2_min(least[0], least[1]);
    double nearest = f64x2_first(f64x2_min(both, f64x2_swap(both)));
    for (; f < p->face_count; f++)
        nearest = p->distance[f] < nearest ? p->distance[f] : nearest;
    for (f = 0; f + 1 < p->face_count && p->distance[f] > nearest;)
        f++;
    return f;
}
